//! What a fresh machine lacks: installed where that takes no decision, named in one line where it does.
use crate::shell;
use anyhow::{Result, bail, ensure};
use std::path::Path;
use std::process::Command;

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Node and the npm packages of `package-lock.json`.
pub fn npm_packages() -> Result<()> {
    let lock = shell::root().join("package-lock.json");
    let installed = shell::root().join("node_modules/.package-lock.json");
    if is_older(&installed, &lock) {
        ensure!(shell::exists("node") && shell::exists("npm"), "install Node 20.19 or newer, with npm");
        shell::run(shell::command("npm", &["ci", "--no-audit", "--no-fund"]))?;
        // npm keeps the time of an unchanged file; the next build asks by time.
        std::fs::File::options().append(true).open(&installed)?.set_modified(std::time::SystemTime::now())?;
    }
    Ok(())
}

/// The standard library for wasm.
pub fn wasm_target() -> Result<()> {
    if !shell::exists("rustup") {
        return Ok(()); // A distribution's Rust; cargo says what is missing.
    }
    let installed = shell::capture(shell::command("rustup", &["target", "list", "--installed"]))?;
    if !installed.lines().any(|line| line == WASM_TARGET) {
        shell::run(shell::command("rustup", &["target", "add", WASM_TARGET]))?;
    }
    Ok(())
}

/// The path of a Chromium; on Debian as root it is installed.
pub fn chromium() -> Result<String> {
    if let Some(path) = find_chromium() {
        return Ok(path);
    }
    if !(Path::new("/etc/debian_version").exists() && is_root()) {
        bail!("install Chromium, or say where it is: CHROMIUM=/path/to/chromium");
    }
    shell::run(shell::command("apt-get", &["update", "-q"]))?;
    let mut install = shell::command("apt-get", &["install", "-qy", "--no-install-recommends"]);
    install.args(["chromium", "fonts-liberation"]).env("DEBIAN_FRONTEND", "noninteractive");
    shell::run(install)?;
    match find_chromium() {
        Some(path) => Ok(path),
        None => bail!("apt-get installed chromium, but it does not start"),
    }
}

fn find_chromium() -> Option<String> {
    if let Ok(path) = std::env::var("CHROMIUM") {
        return Some(path);
    }
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|path| Path::new(path).exists())
        .map(str::to_owned)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn is_older(file: &Path, than: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified());
    match (time(file), time(than)) {
        (Ok(file), Ok(than)) => file < than,
        _ => true,
    }
}
