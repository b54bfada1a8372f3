//! The demonstration: everything built, the server started, and on request some people talking.
//!
//! The server is a development build: from a clean tree it shares what tests and this program
//! compiled already, and replaying streams asks for no speed.
use crate::{install, shell};
use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What takes a value: for the people, and what is handed on to the server as it is.
pub const OPTIONS: &[&str] =
    &[TURNS, "--host", "--port", "--data", "--seed", "--upstream", "--model", "--otlp"];
const TURNS: &str = "--turns";

/// Builds, serves until stopped; with `--turns N` people first hold N turns.
pub fn run(options: &[String]) -> Result<()> {
    let turns = shell::option(options, TURNS)?;
    let chromium = turns.map(|_| install::chromium()).transpose()?;
    crate::build()?;
    let server = build()?;
    let mut command = Command::new(server);
    command.current_dir(shell::root()).stdin(Stdio::null());
    for name in OPTIONS.iter().filter(|name| **name != TURNS) {
        if let Some(value) = shell::option(options, name)? {
            command.args([*name, value]);
        }
    }
    match turns.zip(chromium) {
        None => replace_with(command),
        Some((turns, chromium)) => serve_people(command, turns, &chromium),
    }
}

/// Builds the pages and the server; the path of the server.
pub fn build() -> Result<PathBuf> {
    shell::run(shell::command("node", &["demo/web/build.mjs", "--out", "target/demo-web"]))?;
    shell::run(shell::cargo(&["build", "--package", "demo-server"])?)?;
    Ok(shell::target_dir()?.join("debug/demo-server"))
}

/// Becomes the server, so that what stops this process stops the server.
#[cfg(unix)]
fn replace_with(mut server: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(server.exec()).context("cannot start the server")
}

#[cfg(not(unix))]
fn replace_with(mut server: Command) -> Result<()> {
    ensure!(server.status()?.success(), "the server stopped");
    Ok(())
}

fn serve_people(mut server: Command, turns: &str, chromium: &str) -> Result<()> {
    let mut server = Running(server.stdout(Stdio::piped()).spawn().context("cannot start the server")?);
    let output = server.0.stdout.take().context("stdout was piped")?;
    let mut lines = BufReader::new(output).lines();
    let address = await_address(&mut lines)?;
    let mut people = shell::command("node", &["demo/web/people.mjs", "--url", &address, "--turns", turns]);
    people.env("CHROMIUM", chromium);
    // A visit that could not be held is told, and is no reason to take the dashboard away.
    if let Err(error) = shell::run(people) {
        eprintln!("{error:#}");
    }
    println!("chat-vitals demo: {address} (dashboard: {address}/dashboard)");
    for line in lines {
        println!("{}", line?);
    }
    ensure!(server.0.wait()?.success(), "the server stopped");
    Ok(())
}

/// Reads on until the server says where it listens.
fn await_address(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> Result<String> {
    for line in lines {
        let line = line?;
        println!("{line}");
        if let Some((_, address)) = line.split_once("demo: ") {
            return Ok(address.trim().to_owned());
        }
    }
    anyhow::bail!("the server stopped before it listened")
}

/// A server that does not outlive an error here.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
