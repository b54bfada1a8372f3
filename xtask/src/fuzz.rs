//! `cargo xtask fuzz`: bytes that nobody thought of, made by `cargo fuzz` from the recordings.
//!
//! May touch: `target/`, `fuzz/artifacts/`. No sanitizer: the core is safe Rust, and stable has none.
use crate::{install, shell};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What an input is made of, and for which targets.
type Seed = fn(&Value, &[u8]) -> Vec<u8>;

const TARGETS: &[(&str, Seed)] = &[
    ("sse", body_alone),
    ("lines", body_alone),
    ("objects", body_alone),
    ("aws", body_alone),
    ("plain", body_alone),
    ("sniff", body_with_head),
    ("json", first_record),
    ("reader", body_with_head),
    ("core", script),
];

/// As part of the tests: so many inputs for each target, which are the same each time, however fast the machine is.
const SHORT: &str = "-runs=10000";

/// Longer recordings are cut: each input is read five times.
const LONGEST: usize = 1 << 12;

/// Runs the targets that are named, or all, for `--seconds` each; whether nothing was found.
pub fn run(args: &[String]) -> Result<bool> {
    let seconds = shell::option(args, "--seconds")?.unwrap_or("60");
    let mut named = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--seconds" => _ = rest.next(),
            name => named.push(name),
        }
    }
    for name in &named {
        ensure!(TARGETS.iter().any(|(target, _)| target == name), "there is no target {name}");
    }
    let chosen = |target: &str| named.is_empty() || named.contains(&target);
    let (_, failed) = fuzz(&chosen, &format!("-max_total_time={seconds}"), "found")?;
    Ok(failed == 0)
}

/// All of them for a short time, from the same beginning each time: how many targets found nothing, and how many something.
pub fn short() -> Result<(u64, u64)> {
    for (target, _) in TARGETS {
        let short = corpus(target)?.join("short");
        if short.is_dir() {
            fs::remove_dir_all(short)?;
        }
    }
    fuzz(&|_| true, SHORT, "short")
}

/// `limit`: when a target is done, as libFuzzer's option. `kept`: where to keep what reaches code that nothing else did.
fn fuzz(chosen: &dyn Fn(&str) -> bool, limit: &str, kept: &str) -> Result<(u64, u64)> {
    let program = install::cargo_fuzz()?;
    shell::run(cargo_fuzz(&program, &["build"])?)?;
    let (mut passed, mut failed) = (0, 0);
    for (target, seed) in TARGETS.iter().filter(|(target, _)| chosen(target)) {
        let (seeds, kept) = (corpus(target)?.join("seeds"), corpus(target)?.join(kept));
        write_seeds(&seeds, *seed)?;
        fs::create_dir_all(&kept)?;
        let mut fuzz = cargo_fuzz(&program, &["run", target])?;
        fuzz.args([&kept, &seeds]);
        // One seed for all runs; what takes ten seconds for some kilobytes is not linear.
        fuzz.args(["--", "-seed=1", "-timeout=10", "-verbosity=0", "-print_funcs=0", "-print_final_stats=1"]);
        fuzz.arg(limit);
        match shell::run(fuzz) {
            Ok(()) => passed += 1,
            Err(error) => {
                eprintln!("{target}: {error:#}");
                failed += 1;
            }
        }
    }
    Ok((passed, failed))
}

fn corpus(target: &str) -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("fuzz-corpus").join(target))
}

fn cargo_fuzz(program: &Path, args: &[&str]) -> Result<Command> {
    let mut command = shell::command(&program.to_string_lossy(), &["fuzz"]);
    command.arg(args[0]).args(["-s", "none"]).args(&args[1..]);
    command.env("CARGO_TARGET_DIR", shell::target_dir()?.join("fuzz"));
    Ok(command)
}

fn write_seeds(folder: &Path, seed: Seed) -> Result<()> {
    let streams = shell::root().join("tests/streams");
    let index = fs::read_to_string(streams.join("index.jsonl"))?;
    fs::create_dir_all(folder)?;
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line)?;
        let file = entry["file"].as_str().context("a recording has a file")?;
        let mut body = fs::read(streams.join(file))?;
        body.truncate(LONGEST);
        let name: PathBuf = folder.join(file.replace('/', "-"));
        fs::write(name, seed(&entry, &body))?;
    }
    Ok(())
}

fn body_alone(_: &Value, body: &[u8]) -> Vec<u8> {
    body.to_vec()
}

/// The content type and the header that tells the format, in a line before the body.
fn body_with_head(entry: &Value, body: &[u8]) -> Vec<u8> {
    let headers = entry["headers"].as_object().into_iter().flatten();
    let header =
        headers.map(|(name, _)| name.as_str()).find(|name| name.starts_with("x-vercel-")).unwrap_or("");
    let content_type = entry["content_type"].as_str().unwrap_or("");
    [content_type.as_bytes(), b"\t", header.as_bytes(), b"\n", body].concat()
}

/// What is JSON in the first lines.
fn first_record(_: &Value, body: &[u8]) -> Vec<u8> {
    let start = body.iter().position(|byte| matches!(byte, b'{' | b'[' | b'"')).unwrap_or(0);
    body[start..].split(|byte| *byte == b'\n').next().unwrap_or(b"").to_vec()
}

/// A question, its answer in two pieces, and what the page draws, as `tests/oracle/script.rs` reads it.
fn script(entry: &Value, body: &[u8]) -> Vec<u8> {
    let content_type = entry["content_type"].as_str().unwrap_or("");
    let text = entry["expect"]["visible_text"].as_str().unwrap_or("");
    let text: String = text.chars().take(100).collect();
    let (first, second) = body.split_at(body.len() / 2);
    let head = format!("H1\u{9}200 {content_type}");
    let drawn = format!("D1\u{5}0 {text}");
    let asked: &[u8] = b"G0\x0913 Why are there tides?";
    let opened: &[u8] = b"O1\x056 https://example.com/api/chat";
    let (first, second) = ([b"C1\x20", first].concat(), [b"C1\x20", second].concat());
    let steps = [asked, opened, head.as_bytes(), &first, drawn.as_bytes(), &second, b"X1\x050 ", b" 0\xFF"];
    steps.join(&0x1E)
}
