//! Figures: what the package weighs, how fast the core reads, how true the moments are.
//!
//! They are printed, not judged: on a shared machine a limit in time fails for no reason. The size
//! has its limit in `size-budget.json`.
use crate::{demo, install, shell, size};
use anyhow::Result;

/// Prints all figures.
pub fn run() -> Result<()> {
    crate::build()?;
    shell::run(shell::cargo(&["bench", "--package", "chat-vitals", "--bench", "reader"])?)?;
    accuracy()?;
    in_browsers("tests/browser/speed.mjs")?;
    in_browsers("tests/browser/costs.mjs")?;
    size::check()
}

/// How fast streams are read beside a parser that the page might use; what the package costs a page, beside the page without it.
fn in_browsers(script: &str) -> Result<()> {
    let mut node = shell::command("node", &[script]);
    for (name, program) in install::browsers()? {
        node.env(name, program);
    }
    shell::run(node)
}

/// What the SDK measures in Chromium against what the page and the trace say.
fn accuracy() -> Result<()> {
    let chromium = install::chromium()?;
    let server = demo::build()?;
    let mut node = shell::command("node", &["tests/browser/accuracy.mjs"]);
    node.env("CHROMIUM", chromium).env("DEMO_SERVER", server);
    shell::run(node)
}
