//! All tests, counted: `N passed, N failed` is the last line.
//!
//! A step that cannot run at all, or that runs no test, counts as one failed.
use crate::{demo, fuzz, install, shell, tidy};
use anyhow::{Result, bail};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Default)]
struct Tally {
    passed: u64,
    failed: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// A name for `--only` and what it runs.
type Step = (&'static str, fn() -> Result<Tally>);

/// In this order: what fails fastest is told first, and browsers find all built.
const STEPS: &[Step] = &[
    ("tidy", tidy),
    ("native", native),
    ("server", server),
    ("fuzz", fuzz),
    ("js", js),
    ("packaging", packaging),
    ("browser", browser),
    ("collectors", collectors),
    ("clients", clients),
];

/// What takes too long for every run: only by its name.
const LONG: &[Step] = &[("all-clients", all_clients)];

/// Runs all steps or the one of `--only`; whether everything passed.
pub fn run(options: &[String]) -> Result<bool> {
    let only = shell::option(options, "--only")?;
    let named = |only: &str| STEPS.iter().chain(LONG).filter(|(name, _)| only == *name).collect();
    let chosen: Vec<_> = only.map_or_else(|| STEPS.iter().collect(), named);
    if chosen.is_empty() {
        let names: Vec<_> = STEPS.iter().chain(LONG).map(|(name, _)| *name).collect();
        bail!("--only takes one of: {}", names.join(", "));
    }
    install::npm_packages()?;
    install::wasm_target()?;
    let mut total = Tally::default();
    let mut summary = String::new();
    for (name, step) in chosen {
        println!("\n=== {name}");
        let tally = step().unwrap_or_else(|error| {
            eprintln!("{name}: {error:#}");
            Tally { passed: 0, failed: 1 }
        });
        summary += &format!("{name:10} {} ok, {} not\n", tally.passed, tally.failed);
        total += tally;
    }
    println!("\n{summary}\n{} passed, {} failed", total.passed, total.failed);
    Ok(total.failed == 0)
}

fn tidy() -> Result<Tally> {
    let (passed, failed) = tidy::check_all();
    Ok(Tally { passed, failed })
}

fn native() -> Result<Tally> {
    cargo_test(&["--workspace", "--exclude", "demo-server"])
}

fn server() -> Result<Tally> {
    cargo_test(&["--package", "demo-server"])
}

/// Each target of `cargo fuzz` for a few seconds.
fn fuzz() -> Result<Tally> {
    let (passed, failed) = fuzz::short()?;
    Ok(Tally { passed, failed })
}

fn js() -> Result<Tally> {
    crate::build()?;
    node_test("tests/js", shell::command("node", &["--test"]), |_| true)
}

fn packaging() -> Result<Tally> {
    crate::build()?;
    node_test("tests/packaging", shell::command("node", &["--test"]), |_| true)
}

fn browser() -> Result<Tally> {
    in_browsers("tests/browser", &[], |_| true)
}

/// Collectors as others run them, behind the demo.
fn collectors() -> Result<Tally> {
    let (name, rotel) = install::rotel()?;
    in_browsers("tests/collectors", &[(name, &rotel)], |_| true)
}

/// Real chat clients, in pages of their own and in one engine; `all-clients` has all three, and other SDKs beside them.
fn clients() -> Result<Tally> {
    install::client_packages()?;
    let is_client: fn(&Path) -> bool = |path| !path.to_string_lossy().contains("neighbours");
    in_browsers("tests/clients", &[("ENGINES", "chromium")], is_client)
}

fn all_clients() -> Result<Tally> {
    install::client_packages()?;
    in_browsers("tests/clients", &[], |_| true)
}

/// One after the other: two browsers at once would disturb each other's frames.
fn in_browsers(folder: &str, variables: &[(&str, &str)], chosen: fn(&Path) -> bool) -> Result<Tally> {
    let browsers = install::browsers()?;
    crate::build()?;
    let server = demo::build()?;
    let mut node = shell::command("node", &["--test", "--test-concurrency=1"]);
    node.envs(browsers).env("DEMO_SERVER", server).envs(variables.iter().copied());
    node_test(folder, node, chosen)
}

fn cargo_test(args: &[&str]) -> Result<Tally> {
    let mut cargo = shell::cargo(&["test", "--no-fail-fast"])?;
    cargo.args(args);
    count(cargo, |line, tally| {
        // test result: ok. 12 passed; 0 failed; 0 ignored; …
        if let Some(result) = line.strip_prefix("test result:") {
            tally.passed += number_before(result, " passed");
            tally.failed += number_before(result, " failed");
        }
    })
}

fn node_test(folder: &str, mut node: Command, chosen: fn(&Path) -> bool) -> Result<Tally> {
    let files: Vec<PathBuf> = shell::files_below(&shell::root().join(folder))?
        .into_iter()
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .filter(|path| !path.iter().any(|part| part == "node_modules") && chosen(path))
        .collect();
    if files.is_empty() {
        bail!("there is no test in {folder}");
    }
    node.arg("--test-reporter=spec").args(files);
    count(node, |line, tally| {
        // ℹ pass 12
        for (label, counter) in [("ℹ pass ", &mut tally.passed), ("ℹ fail ", &mut tally.failed)] {
            *counter += line.strip_prefix(label).map_or(0, number);
        }
        tally.failed += line.strip_prefix("ℹ cancelled ").map_or(0, number);
    })
}

/// Runs a test runner, adding up what `see` finds in its lines.
fn count(command: Command, see: impl Fn(&str, &mut Tally)) -> Result<Tally> {
    let mut tally = Tally::default();
    let succeeded = shell::watch(command, |line| see(line, &mut tally))?;
    if tally.passed + tally.failed == 0 {
        bail!("no test was run");
    }
    if !succeeded && tally.failed == 0 {
        tally.failed = 1; // One of several test programs did not compile or died.
    }
    Ok(tally)
}

fn number(text: &str) -> u64 {
    text.trim().parse().unwrap_or(0)
}

/// The number that ends where `label` begins.
fn number_before(text: &str, label: &str) -> u64 {
    let before = text.split(label).next().unwrap_or_default();
    if before.len() == text.len() { 0 } else { number(before.rsplit([' ', ';']).next().unwrap_or_default()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the closing line counts what Cargo counted.
    #[test]
    fn cargo_results_are_read() {
        let line = " FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!((number_before(line, " passed"), number_before(line, " failed")), (12, 3));
        assert_eq!(number_before("running 5 tests", " passed"), 0);
    }
}
