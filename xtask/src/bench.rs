//! Figures: what the package weighs and how fast the core reads.
//!
//! They are printed, not judged: on a shared machine a limit in time fails for no reason. The size
//! has its limit in `size-budget.json`.
use crate::{shell, size};
use anyhow::Result;

/// Prints all figures.
pub fn run() -> Result<()> {
    crate::build()?;
    shell::run(shell::cargo(&["bench", "--package", "chat-vitals", "--bench", "reader"])?)?;
    size::check()
}
