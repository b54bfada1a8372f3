//! The npm package: `js/` bundled and declared, `pkg-template/` filled in, all of it in `dist/`.
//!
//! The exports map of `pkg-template/package.json` is the list of doors. One without a source yet is
//! left out of the package, with a line that says so.
use crate::{declarations, install, shell};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A name in the package and where it comes from.
type Door = (&'static str, &'static str);

const MODULES: &[Door] = &[
    ("index", "js/index.ts"),
    ("auto", "js/auto.ts"),
    ("url", "js/url.ts"),
    ("slim", "js/slim.ts"),
    ("tap", "js/tap/index.ts"),
    ("react", "js/react.tsx"),
    ("overlay", "js/overlay/index.ts"),
];

/// What the doors load when they start; they share the glue of the wasm.
const ENGINES: &[Door] = &[
    ("engine-inline", "js/engine-inline.ts"),
    ("engine-url", "js/engine-url.ts"),
    ("engine-slim", "js/engine-slim.ts"),
    ("engine-degraded", "js/engine-degraded.ts"),
];

/// Classic scripts hold all they need in one file, so that one integrity hash covers it.
const SCRIPTS: &[Door] = &[("tap.iife", "js/tap/iife.ts"), ("chat-vitals.iife", "js/iife.ts")];

const ESBUILD: &[&str] =
    &["--bundle", "--minify", "--target=es2022", "--legal-comments=none", "--log-level=warning"];

/// esbuild joins modules and leaves most functions as they were written; terser folds them into each other.
const TERSER: &[&str] = &["--module", "--ecma=2022", "--compress=passes=3", "--mangle"];

/// Where esbuild says which file imports which; `size` reads it.
pub fn metafile() -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("package.meta.json"))
}

/// Makes `dist/` whole; the engine is in `js/wasm/` already.
pub fn build() -> Result<()> {
    install::npm_packages()?;
    let draft = shell::target_dir()?.join("package");
    if draft.exists() {
        fs::remove_dir_all(&draft)?;
    }
    fs::create_dir_all(&draft)?;
    modules(&draft)?;
    for (name, source) in existing(SCRIPTS) {
        script(&draft, name, source)?;
    }
    declarations::emit(&draft, existing(MODULES).map(|(_, source)| source))?;
    copy_files(&draft)?;
    manifest(&draft)?;
    mirror(&draft, &shell::root().join("dist"))
}

fn existing(doors: &'static [Door]) -> impl Iterator<Item = Door> {
    doors.iter().copied().filter(|(_, source)| shell::root().join(source).exists())
}

/// Each door is one file, so that it is one request and compresses as a whole; whoever imports two of them finds the
/// same taps in the page. What a door loads later and what builds on the default door are files of their own.
fn modules(draft: &Path) -> Result<()> {
    let others = ["--external:./index.js", "--external:./engine-*", "--external:react", "--external:react/*"];
    let doors = esm(draft, MODULES, &[&["--jsx=automatic"][..], &others].concat())?;
    for (name, _) in existing(MODULES) {
        terser(&draft.join(name).with_extension("js"))?;
    }
    let engines = esm(draft, ENGINES, &["--splitting", "--chunk-names=[name]-[hash]"])?;
    fs::write(metafile()?, serde_json::to_vec(&json!({ "outputs": joined(doors, engines) }))?)?;
    drop_empty_chunks(draft)
}

/// Bundles modules and answers with what esbuild says of its outputs.
fn esm(draft: &Path, modules: &'static [Door], how: &[&str]) -> Result<Map<String, Value>> {
    let said = metafile()?;
    let mut esbuild = esbuild(draft);
    esbuild.args(existing(modules).map(|(name, source)| format!("{name}={source}")));
    esbuild.arg("--format=esm").args(how).arg(format!("--metafile={}", said.display()));
    shell::run(esbuild)?;
    let mut said: Value = serde_json::from_slice(&fs::read(said)?)?;
    serde_json::from_value(said["outputs"].take()).context("esbuild names its outputs")
}

/// The outputs of two runs; a file that one run left to the other is a file of the package after all.
fn joined(mut outputs: Map<String, Value>, others: Map<String, Value>) -> Map<String, Value> {
    outputs.extend(others);
    let imports = outputs.values_mut().filter_map(|output| output["imports"].as_array_mut()).flatten();
    for import in imports.filter(|import| import["path"].as_str().is_some_and(|path| path.starts_with("./")))
    {
        import["external"] = json!(false);
    }
    outputs
}

fn terser(file: &Path) -> Result<()> {
    let mut terser = shell::node_bin("terser", &[]);
    terser.arg(file).args(TERSER).arg("--output").arg(file);
    shell::run(terser)
}

/// esbuild may make a chunk for helpers that nobody needs in the end: a request for nothing.
fn drop_empty_chunks(draft: &Path) -> Result<()> {
    let (empty, chunks): (Vec<_>, Vec<_>) = shell::files_below(draft)?
        .into_iter()
        .partition(|path| path.metadata().is_ok_and(|data| data.len() == 0));
    for path in chunks {
        let mut text = fs::read_to_string(&path)?;
        for name in empty.iter().filter_map(|path| path.file_name()) {
            text = text.replace(&format!("import\"./{}\";", name.to_string_lossy()), "");
        }
        fs::write(path, text)?;
    }
    empty.into_iter().try_for_each(|path| Ok(fs::remove_file(path)?))
}

fn script(draft: &Path, name: &str, source: &str) -> Result<()> {
    let mut esbuild = esbuild(draft);
    esbuild.args([&format!("{name}={source}"), "--format=iife", "--charset=ascii"]);
    if name == "chat-vitals.iife" {
        esbuild.arg("--global-name=ChatVitals");
    }
    shell::run(esbuild)?;
    // The large one holds the engine as text made to compress well, which stays as it is.
    if name == "tap.iife" { terser(&draft.join("tap.iife.js")) } else { Ok(()) }
}

fn esbuild(draft: &Path) -> std::process::Command {
    let mut esbuild = shell::node_bin("esbuild", ESBUILD);
    esbuild.arg(format!("--outdir={}", draft.display()));
    esbuild
}

fn copy_files(draft: &Path) -> Result<()> {
    let root = shell::root();
    for file in shell::files_below(&root.join("pkg-template"))? {
        fs::copy(&file, draft.join(file.file_name().context("a file has a name")?))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(licence), draft.join(licence))?;
    }
    fs::copy(root.join("js/wasm/chat_vitals_bg.wasm"), draft.join("chat-vitals.wasm"))?;
    Ok(())
}

/// The template's package.json less the doors that were not built.
fn manifest(draft: &Path) -> Result<()> {
    let path = draft.join("package.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path)?)?;
    let exports = manifest["exports"].as_object_mut().context("pkg-template/package.json has exports")?;
    let mut left_out = Vec::new();
    exports.retain(|door, target| {
        let file = target.get("default").unwrap_or(target).as_str().unwrap_or_default();
        let is_built = draft.join(file).exists();
        if !is_built {
            left_out.push(door.clone());
        }
        is_built
    });
    if !left_out.is_empty() {
        eprintln!("not in the package, as there is no source yet: {}", left_out.join(" "));
    }
    fs::write(path, serde_json::to_string_pretty(&manifest)? + "\n")?;
    Ok(())
}

/// Makes `to` equal to `from`, touching only what differs.
fn mirror(from: &Path, to: &Path) -> Result<()> {
    let wanted = shell::files_below(from)?;
    for file in &wanted {
        shell::write_if_changed(&to.join(file.strip_prefix(from)?), &fs::read(file)?)?;
    }
    for file in shell::files_below(to)? {
        if !from.join(file.strip_prefix(to)?).exists() {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}
