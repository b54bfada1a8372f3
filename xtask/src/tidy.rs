//! What must hold for every commit: format, lints, types, the invariants that a program can check, size.
//!
//! All checks run, whatever fails, so that one round shows everything. `--fix` formats first.
use crate::{install, invariants, shell};
use anyhow::Result;

/// A name, and what is checked.
type Check = (&'static str, fn() -> Result<()>);

const CHECKS: &[Check] = &[
    ("Rust format", rust_format),
    ("Rust lints", rust_lints),
    ("Rust lints, wasm", wasm_lints),
    ("TypeScript format and lints", typescript_lints),
    ("package build and size budget", crate::build_within_budget),
    ("TypeScript types", typescript_types),
];

/// Runs all checks; whether all passed.
pub fn run(options: &[String]) -> Result<bool> {
    install::npm_packages()?;
    install::wasm_target()?;
    if options.iter().any(|option| option == "--fix") {
        shell::run(shell::cargo(&["fmt", "--all"])?)?;
        shell::run(biome(&["check", "--write"]))?;
    }
    let (passed, failed) = check_all();
    println!("tidy: {passed} checks passed, {failed} failed");
    Ok(failed == 0)
}

/// Runs every check and tells how many passed and how many failed.
pub fn check_all() -> (u64, u64) {
    let tools = CHECKS.iter().map(|(name, check)| (*name, check()));
    let results: Vec<_> = tools.chain(invariants::check_all()).collect();
    let mut failed = 0;
    for (name, result) in &results {
        match result {
            Ok(()) => println!("ok      {name}"),
            Err(error) => {
                failed += 1;
                println!("FAILED  {name}: {error:#}");
            }
        }
    }
    (results.len() as u64 - failed, failed)
}

fn rust_format() -> Result<()> {
    shell::run(shell::cargo(&["fmt", "--all", "--check"])?)
}

fn rust_lints() -> Result<()> {
    shell::run(shell::cargo(&["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"])?)
}

fn wasm_lints() -> Result<()> {
    let target = "--target=wasm32-unknown-unknown";
    shell::run(shell::cargo(&[
        "clippy",
        "--package=chat-vitals",
        "--package=chat-vitals-records",
        "--lib",
        target,
        "--",
        "-Dwarnings",
    ])?)
}

fn typescript_lints() -> Result<()> {
    shell::run(biome(&["check", "--error-on-warnings"]))
}

fn biome(args: &[&str]) -> std::process::Command {
    let mut biome = shell::node_bin("biome", args);
    biome.args(["--diagnostic-level=warn", "--max-diagnostics=100"]);
    biome
}

fn typescript_types() -> Result<()> {
    for project in ["tsconfig.json", "demo/web/tsconfig.json"] {
        shell::run(shell::node_bin("tsc", &["-p", project]))?;
    }
    Ok(())
}
