//! The build and everything around it: `cargo xtask` lists the commands.
//!
//! May touch: files of this repository, and the programs it needs (Cargo, Node, npm, apt).
mod bench;
mod bundle;
mod declarations;
mod demo;
mod fuzz;
mod inline;
mod inspect;
mod install;
mod invariants;
mod shell;
mod size;
mod test;
mod tidy;
mod wasm;

use anyhow::{Result, anyhow, bail};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask build [--js]    make the npm package in dist/ and check its size
                            (--js: with the engine as it was built last)
cargo xtask demo            build everything and serve it on http://127.0.0.1:8787
    [--turns N]               let a headless browser hold N turns first
    [--host H] [--port P] [--upstream URL --model NAME] [--data FILE] [--seed N]
cargo xtask test            run all tests
    [--only tidy|native|server|fuzz|js|packaging|browser|clients]
                              (and all-clients: in all engines, beside other SDKs)
cargo xtask fuzz            look for bytes that break the reader or the core
    [TARGET]… [--seconds N]   (those of fuzz/targets; a minute each)
cargo xtask bench           print sizes and throughput
cargo xtask inspect FILE    what the core sees in a recorded stream
    [--content-type T] [--header 'name: value']… [--json]
cargo xtask tidy [--fix]    format, lints, types, invariants, size
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, options)) = args.split_first().filter(|_| !asks_for_help(&args)) else {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    };
    match dispatch(command, options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask {command}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn asks_for_help(args: &[String]) -> bool {
    args.iter().any(|arg| ["--help", "-h"].contains(&arg.as_str()))
}

/// Refuses options that a command does not have.
fn check(command: &str, options: &[String]) -> Result<()> {
    match command {
        "build" => shell::check_options(options, &["--js"], &[]),
        "bench" => shell::check_options(options, &[], &[]),
        "demo" => shell::check_options(options, &[], demo::OPTIONS),
        "test" => shell::check_options(options, &[], &["--only"]),
        "tidy" => shell::check_options(options, &["--fix"], &[]),
        // `inspect` takes a file as well, `fuzz` targets; they check by themselves.
        _ => Ok(()),
    }
}

/// Whether all is well; what went wrong is told already where it is not.
fn dispatch(command: &str, options: &[String]) -> Result<bool> {
    check(command, options).map_err(|error| anyhow!("{error}\n\n{USAGE}"))?;
    match command {
        "build" if !options.is_empty() => {
            bundle::build()?;
            size::check()?;
        }
        "build" => build_within_budget()?,
        "bench" => bench::run()?,
        "inspect" => inspect::run(options).map_err(anyhow::Error::msg)?,
        "demo" => demo::run(options)?,
        "fuzz" => return fuzz::run(options),
        "test" => return test::run(options),
        "tidy" => return tidy::run(options),
        _ => bail!("no such command\n\n{USAGE}"),
    }
    Ok(true)
}

/// The package in `dist/`, whatever it weighs: what runs it need not wait for a diet.
pub fn build() -> Result<()> {
    wasm::build()?;
    bundle::build()
}

/// The package, within its size budget.
pub fn build_within_budget() -> Result<()> {
    build()?;
    size::check()
}
