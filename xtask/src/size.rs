//! What the package weighs, against `size-budget.json`.
use crate::{bundle, shell};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::iter::Sum;
use std::ops::Add;

/// Bytes as stored, after gzip 9 and after brotli 11.
#[derive(Clone, Copy, Default)]
struct Size {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl Add for Size {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), Self::add)
    }
}

/// Prints the table; an error if a part is over its limit.
pub fn check() -> Result<()> {
    let budget: Value = serde_json::from_slice(&fs::read(shell::root().join("size-budget.json"))?)?;
    let parts = budget["parts"].as_array().context("size-budget.json has parts")?;
    let graph = Graph::read()?;
    let bundles: Vec<_> = parts.iter().map(|part| graph.bundles(part)).collect();
    let mut sizes = compress(bundles.concat())?.into_iter();
    let mut table = format!(
        "{:36}{:>9}{:>9}{:>9}{:>9}{:>9}\n",
        "size in bytes", "raw", "gzip", "brotli", "limit", "goal"
    );
    let mut over = Vec::new();
    for (part, bundles) in parts.iter().zip(&bundles) {
        let name = part["name"].as_str().context("a part has a name")?;
        let limit = part["limit"].as_u64().context("a part has a limit")?;
        let goal = part["goal"].as_u64().unwrap_or(limit);
        if bundles.is_empty() {
            writeln!(table, "{name:36}{:>45}", "not built")?;
            continue;
        }
        let size: Size = sizes.by_ref().take(bundles.len()).sum();
        let mark = if size.brotli > limit { "  OVER" } else { "" };
        writeln!(table, "{name:36}{:9}{:9}{:9}{limit:9}{goal:9}{mark}", size.raw, size.gzip, size.brotli)?;
        if size.brotli > limit {
            over.push(format!("{name}: {} bytes too many", size.brotli - limit));
        }
    }
    print!("{table}");
    ensure!(over.is_empty(), "over the size budget: {}", over.join(", "));
    Ok(())
}

fn compress(bundles: Vec<Vec<String>>) -> Result<Vec<Size>> {
    let paths: Vec<Vec<String>> = bundles
        .into_iter()
        .map(|files| files.into_iter().map(|file| format!("dist/{file}")).collect())
        .collect();
    let answer =
        shell::capture(shell::command("node", &["xtask/compress.mjs", &serde_json::to_string(&paths)?]))?;
    let sizes: Vec<[u64; 3]> = serde_json::from_str(&answer)?;
    Ok(sizes.into_iter().map(|[raw, gzip, brotli]| Size { raw, gzip, brotli }).collect())
}

/// Which file of the package imports which, as esbuild tells it.
struct Graph(Value);

impl Graph {
    fn read() -> Result<Self> {
        let text = fs::read(bundle::metafile()?).context("no bundle was made yet")?;
        let mut metafile: Value = serde_json::from_slice(&text)?;
        Ok(Self(metafile["outputs"].take()))
    }

    /// The files of a part, by the request that brings them: what is imported statically is one bundle,
    /// what is loaded later is another. Nothing if a file of the part was not built.
    fn bundles(&self, part: &Value) -> Vec<Vec<String>> {
        let names = part["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut waiting: Vec<String> = names.map(str::to_owned).collect();
        if !waiting.iter().all(|file| shell::root().join("dist").join(file).exists()) {
            return Vec::new();
        }
        let follow = part["follow"].as_str().unwrap_or_default();
        let mut seen = Vec::new();
        let mut bundles = Vec::new();
        while let Some(file) = waiting.pop() {
            let bundle = if follow.is_empty() { vec![file] } else { self.closure(file, &seen) };
            if follow == "all" {
                waiting.extend(bundle.iter().flat_map(|file| self.imports(file, "dynamic-import")));
            }
            seen.extend(bundle.clone());
            bundles.push(bundle);
        }
        bundles.retain(|bundle| !bundle.is_empty());
        bundles
    }

    /// `file` and what it imports statically, less what is loaded already.
    fn closure(&self, file: String, loaded: &[String]) -> Vec<String> {
        let mut waiting = vec![file];
        let mut found = Vec::new();
        while let Some(file) = waiting.pop() {
            if !found.contains(&file) && !loaded.contains(&file) {
                waiting.extend(self.imports(&file, "import-statement"));
                found.push(file);
            }
        }
        found
    }

    fn imports(&self, file: &str, kind: &str) -> Vec<String> {
        let outputs = self.0.as_object().into_iter().flatten();
        let output = outputs.filter(|(path, _)| name_of(path) == file).map(|(_, output)| output);
        let imports = output.filter_map(|output| output["imports"].as_array()).flatten();
        imports
            .filter(|import| import["kind"] == kind && import["external"] != true)
            .filter_map(|import| import["path"].as_str())
            .map(|path| name_of(path).to_owned())
            .filter(|name| shell::root().join("dist").join(name).exists())
            .collect()
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
