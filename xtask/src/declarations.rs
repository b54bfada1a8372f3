//! TypeScript declarations of the package: what the doors name, and nothing else of `js/`.
use crate::shell;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Declares `sources` (paths below `js/`) and all that they refer to, in `out`.
pub fn emit(out: &Path, sources: impl Iterator<Item = &'static str>) -> Result<()> {
    let all = shell::target_dir()?.join("declarations");
    if all.exists() {
        fs::remove_dir_all(&all)?;
    }
    // No check here: `tidy` checks types, and a build in the middle of a change still gives a package.
    let mut tsc = shell::node_bin("tsc", &["-p", "tsconfig.json", "--noCheck", "--noEmit", "false"]);
    tsc.args(["--declaration", "--emitDeclarationOnly", "--outDir"]).arg(&all);
    shell::run(tsc)?;
    for declaration in reachable(&all, sources)? {
        let to = out.join(&declaration);
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(find(&all, &declaration), to)?;
    }
    Ok(())
}

fn reachable(all: &Path, sources: impl Iterator<Item = &'static str>) -> Result<BTreeSet<PathBuf>> {
    let mut waiting: Vec<_> =
        sources.filter_map(|source| source.strip_prefix("js/")).map(declaration_of).collect();
    let mut seen = BTreeSet::new();
    while let Some(declaration) = waiting.pop() {
        let path = find(all, &declaration);
        let text =
            fs::read_to_string(&path).with_context(|| format!("no declarations in {}", path.display()))?;
        let folder = declaration.parent().unwrap_or(Path::new("")).to_owned();
        if seen.insert(declaration) {
            waiting.extend(references(&text).map(|name| normal(&folder.join(declaration_of(name)))));
        }
    }
    Ok(seen)
}

/// The generated ones are an input of tsc, which does not repeat them in its output.
fn find(all: &Path, declaration: &Path) -> PathBuf {
    let emitted = all.join(declaration);
    if emitted.exists() { emitted } else { shell::root().join("js").join(declaration) }
}

/// Quoted relative names of modules, as in `from "./types.js"` and `import("./types.js")`.
fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'']).filter(|part| part.starts_with('.') && part.ends_with(".js"))
}

fn declaration_of(module: &str) -> PathBuf {
    Path::new(module).with_extension("d.ts")
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut folded, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(folded.pop()),
            other => folded.push(other),
        }
        folded
    })
}
