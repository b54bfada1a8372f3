//! The engine for the browser: Rust → wasm → wasm-bindgen → wasm-opt, written to `js/wasm/`.
//!
//! `js/wasm/` holds what the doors in `js/` import: the glue `chat_vitals.js`, the binary
//! `chat_vitals_bg.wasm`, and `bytes.js` with the binary as text. It is private to our own build.
use crate::{inline, install, shell};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Part of the stamp: raise it when the steps below change what they make of the same input.
const RECIPE: &str = "5";

/// `-Oz`, and off with what only tools read. The features are named, as none may slip in that an
/// engine of 2023 does not have; they are what rustc's own baseline uses.
const WASM_OPT: &[&str] = &[
    // Once more from the ground up: the second pass finds what the first one laid open.
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Os",
    // Neighbours by name are alike, and brotli looks for the like of what it has just seen.
    "--reorder-functions-by-name",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
    "--mvp-features",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Builds the engine if its code changed.
pub fn build() -> Result<()> {
    check_versions()?;
    install::npm_packages()?;
    let compiled = compile()?;
    let work = shell::target_dir()?.join("engine");
    let made = shell::root().join("js/wasm");
    let input = fs::read(&compiled).with_context(|| format!("cargo made no {}", compiled.display()))?;
    let stamp = stamp(&input);
    let is_current = fs::read_to_string(made.join(".stamp")).is_ok_and(|old| old == stamp);
    if !is_current {
        bindgen(input, &work)?;
        optimize(&work)?;
        publish(&work, &made)?;
        shell::write_if_changed(&made.join(".stamp"), stamp.as_bytes())?;
    }
    Ok(())
}

/// wasm-bindgen and the library that reads its output must be the same version.
fn check_versions() -> Result<()> {
    let lock = fs::read_to_string(shell::root().join("Cargo.lock"))?;
    let crate_version = locked_version(&lock, "wasm-bindgen")?;
    let tool_version = locked_version(&lock, "wasm-bindgen-cli-support")?;
    ensure!(
        crate_version == tool_version,
        "wasm-bindgen is {crate_version} and wasm-bindgen-cli-support is {tool_version}: \
         pin both to the same version, in Cargo.toml and in xtask/Cargo.toml"
    );
    Ok(())
}

fn locked_version<'a>(lock: &'a str, name: &str) -> Result<&'a str> {
    let (_, after) = lock
        .split_once(&format!("name = \"{name}\"\nversion = \""))
        .with_context(|| format!("{name} is not in Cargo.lock"))?;
    after.split('"').next().context("Cargo.lock ends in the middle of a version")
}

fn compile() -> Result<PathBuf> {
    install::wasm_target()?;
    let target = "wasm32-unknown-unknown";
    // As a cdylib alone: beside an rlib Cargo leaves link-time optimization out, at a price of 12 %.
    let args = ["rustc", "--profile", "wasm", "--target", target, "--lib", "--crate-type", "cdylib"];
    let mut cargo = shell::cargo(&args)?;
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rust_flags()?);
    shell::run(cargo)?;
    Ok(shell::target_dir()?.join(target).join("wasm/chat_vitals.wasm"))
}

/// Panic messages hold the path of their source: without the homes of this machine's crates and
/// compiler the binary is the same on every machine, and tells nothing about the one that built it.
fn rust_flags() -> Result<String> {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| home + "/.cargo"));
    let mut renamed =
        vec![(shell::root().display().to_string(), "chat-vitals".to_owned()), standard_library()?];
    for registry in registries(&home?) {
        renamed.push((registry.display().to_string(), "crates".to_owned()));
    }
    let flags = renamed.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}

/// Where the library's sources are on this machine, and the name they have where they are not installed.
fn standard_library() -> Result<(String, String)> {
    let sysroot = shell::capture(shell::command("rustc", &["--print", "sysroot"]))?;
    let about = shell::capture(shell::command("rustc", &["--version", "--verbose"]))?;
    let commit = about.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    Ok((format!("{}/lib/rustlib/src/rust", sysroot.trim()), format!("/rustc/{commit}")))
}

fn registries(cargo_home: &str) -> Vec<PathBuf> {
    let sources = Path::new(cargo_home).join("registry/src");
    let entries = fs::read_dir(sources).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn bindgen(input: Vec<u8>, out: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes("chat_vitals", input).web(true)?.typescript(true);
    // Else the glue holds a `new URL(…wasm)` of its own, and bundlers emit a file that nobody asked for.
    bindgen.omit_default_module_path(true).remove_producers_section(true);
    let mut output = bindgen.generate_output()?;
    let mut renamed = Vec::new();
    for import in output.wasm_mut().imports.iter_mut() {
        let short = format!("i{}", renamed.len());
        renamed.push((std::mem::replace(&mut import.name, short.clone()), short));
    }
    output.emit(out)?;
    rename_imports(&out.join("chat_vitals.js"), &renamed)
}

/// Imports are called after what they do and end in a hash, in the binary and in the glue: 4 KB of brotli
/// that nobody reads.
fn rename_imports(glue: &Path, renamed: &[(String, String)]) -> Result<()> {
    let text = fs::read_to_string(glue)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (long, short) in renamed {
        let key = format!("        {long}: ");
        let mut places = lines.iter_mut().filter(|line| line.starts_with(&key));
        let (Some(line), None) = (places.next(), places.next()) else {
            bail!("the glue does not define {long} once: look at what this wasm-bindgen writes");
        };
        *line = line.replacen(long, short, 1);
    }
    Ok(fs::write(glue, lines.join("\n") + "\n")?)
}

fn optimize(work: &Path) -> Result<()> {
    let [bound, small] =
        ["chat_vitals_bg.wasm", "small.wasm"].map(|name| work.join(name).display().to_string());
    let mut wasm_opt = shell::node_bin("wasm-opt", &[&bound, "-o", &small]);
    wasm_opt.args(WASM_OPT);
    shell::run(wasm_opt)
}

fn publish(work: &Path, made: &Path) -> Result<()> {
    let wasm = fs::read(work.join("small.wasm"))?;
    shell::write_if_changed(&made.join("bytes.js"), inline::module(&wasm)?.as_bytes())?;
    shell::write_if_changed(&made.join("bytes.d.ts"), inline::DECLARATION.as_bytes())?;
    shell::write_if_changed(&made.join("chat_vitals_bg.wasm"), &wasm)?;
    for name in ["chat_vitals.js", "chat_vitals.d.ts"] {
        shell::write_if_changed(&made.join(name), &fs::read(work.join(name))?)?;
    }
    Ok(())
}

/// The input by a hash (FNV-1a: it must only tell changes apart) and the recipe.
fn stamp(input: &[u8]) -> String {
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("recipe {RECIPE}, {} bytes, {hash:016x}\n", input.len())
}
