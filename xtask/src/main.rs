//! The build and everything around it: `cargo xtask` lists the commands.
//!
//! May touch: files of this repository, and the programs it needs (Cargo, Node, npm, apt).
mod bundle;
mod declarations;
mod inline;
mod install;
mod shell;
mod size;
mod wasm;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask build      make the npm package in dist/ and check its size
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, options)) = args.split_first() else {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    };
    match dispatch(command, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {command}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: &str, _options: &[String]) -> Result<()> {
    match command {
        "build" => build(),
        _ => bail!("no such command\n\n{USAGE}"),
    }
}

/// The package in `dist/`, within its size budget.
pub fn build() -> Result<()> {
    install::npm_packages()?;
    wasm::build()?;
    bundle::build()?;
    size::check()
}
