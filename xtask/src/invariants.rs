//! The invariants of ARCHITECTURE.md that can be read off the sources.
//!
//! Each check is a function from the sources to complaints; a complaint says where and what to do.
//! They read text, not syntax: they catch a slip, not an intention.
use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs;

/// A file of the repository, by its path from the root.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn is_below(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    fn is(&self, extensions: &[&str]) -> bool {
        extensions.iter().any(|extension| self.path.ends_with(extension))
    }

    /// All but unit tests.
    fn product(&self) -> &str {
        if self.is(&["/tests.rs"]) {
            return "";
        }
        self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
    }

    /// Code lines with their numbers: no comments, no unit tests.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.product().lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(_, line)| !["//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark)))
    }

    /// A complaint for each code line with one of `words`.
    fn lines_with(&self, words: &[&str], advice: &str) -> Vec<String> {
        self.code()
            .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
            .map(|(number, line)| format!("{}:{number}: `{}`: {advice}", self.path, line.trim()))
            .collect()
    }
}

/// Where the functional core is.
const CORE: [&str; 2] = ["src/core/", "records/src/"];

type Invariant = (&'static str, fn(&[Source]) -> Result<Vec<String>>);

const INVARIANTS: &[Invariant] = &[
    ("only src/web names web types", web_types_stay_in_web),
    ("on the host the core cannot see web crates", web_crates_are_walled),
    ("the core is safe Rust", core_forbids_unsafe),
    ("the core has no clock and no I/O", core_is_functional),
    ("only js/tap replaces globals", only_taps_replace_globals),
    ("only the wire knows names", only_wire_serializes),
    ("the wire carries no free text", wire_has_no_text),
    ("files are small", files_are_small),
    ("modules say what they are for", modules_are_introduced),
    ("versions agree", versions_agree),
    ("nothing of this machine is in the repository", no_machine_in_sources),
];

/// Checks all; each with its name.
pub fn check_all() -> Vec<(&'static str, Result<()>)> {
    let sources = match read_sources() {
        Ok(sources) => sources,
        Err(error) => return vec![("read the sources", Err(error))],
    };
    let verdict = |check: fn(&[Source]) -> Result<Vec<String>>| match check(&sources)?.as_slice() {
        [] => Ok(()),
        complaints => bail!("\n  {}", complaints.join("\n  ")),
    };
    INVARIANTS.iter().map(|(name, check)| (*name, verdict(*check))).collect()
}

/// All text files that are or would be in the repository.
fn read_sources() -> Result<Vec<Source>> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let paths = shell::capture(shell::command("git", &list))?;
    let read = |path: &str| {
        let text = fs::read_to_string(shell::root().join(path)).ok()?;
        Some(Source { path: path.to_owned(), text })
    };
    Ok(paths.split_terminator('\0').filter_map(read).collect())
}

fn below<'a>(sources: &'a [Source], folder: &'a str) -> impl Iterator<Item = &'a Source> {
    sources.iter().filter(move |source| source.is_below(folder))
}

fn find<'a>(sources: &'a [Source], path: &str) -> Result<&'a Source> {
    sources.iter().find(|source| source.path == path).with_context(|| format!("there is no {path}"))
}

fn web_types_stay_in_web(sources: &[Source]) -> Result<Vec<String>> {
    let words = ["wasm_bindgen", "web_sys", "js_sys", "gloo_"];
    let rust = ["src/", "records/"].into_iter().flat_map(|folder| below(sources, folder));
    let elsewhere = rust.filter(|source| !source.is_below("src/web/"));
    Ok(elsewhere.flat_map(|source| source.lines_with(&words, "move it to src/web")).collect())
}

fn web_crates_are_walled(sources: &[Source]) -> Result<Vec<String>> {
    let web = ["wasm-bindgen", "web-sys", "js-sys", "gloo", "serde-wasm"];
    let mut complaints = Vec::new();
    for path in ["Cargo.toml", "records/Cargo.toml"] {
        let after = find(sources, path)?.text.split_once("\n[dependencies]\n");
        let everywhere = after.and_then(|(_, after)| after.split("\n[").next()).unwrap_or_default();
        let lines = everywhere.lines().filter(|line| web.iter().any(|name| line.starts_with(name)));
        complaints.extend(
            lines.map(|line| format!("{path}: `{line}`: move it below cfg(target_arch = \"wasm32\")")),
        );
    }
    Ok(complaints)
}

fn core_forbids_unsafe(sources: &[Source]) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for root in ["src/core/mod.rs", "records/src/lib.rs"] {
        if !find(sources, root)?.text.contains("#![forbid(unsafe_code)]") {
            complaints.push(format!("{root}: add #![forbid(unsafe_code)]"));
        }
    }
    Ok(complaints)
}

fn core_is_functional(sources: &[Source]) -> Result<Vec<String>> {
    let words =
        ["std::time", "Instant::", "SystemTime", "std::fs", "std::net", "std::io", "std::thread", "std::env"];
    let in_core = CORE.iter().flat_map(|folder| below(sources, folder));
    Ok(in_core.flat_map(|source| source.lines_with(&words, "take it as a value of the event")).collect())
}

fn only_taps_replace_globals(sources: &[Source]) -> Result<Vec<String>> {
    let elsewhere = below(sources, "js/").filter(|source| !source.is_below("js/tap/"));
    let replaces = |line: &str| {
        let defines = ["defineProperty(", "Reflect.set(", "Object.assign("].iter().any(|call| {
            line.split_once(call)
                .is_some_and(|(_, target)| is_global(target) || target.contains(".prototype"))
        });
        let assigns = line.split_once(" = ").is_some_and(|(place, _)| {
            let place = place.trim();
            (is_global(place) && place.contains(['.', '['])) || place.contains(".prototype.")
        });
        defines || assigns
    };
    let found = elsewhere.flat_map(|source| source.code().map(move |(number, line)| (source, number, line)));
    Ok(found
        .filter(|(_, _, line)| replaces(line))
        .map(|(source, number, _)| format!("{}:{number}: replace globals in js/tap only", source.path))
        .collect())
}

fn is_global(expression: &str) -> bool {
    ["globalThis", "window", "self"].iter().any(|name| {
        expression.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[', ',', ' ', ')']))
    })
}

fn only_wire_serializes(sources: &[Source]) -> Result<Vec<String>> {
    let allowed = ["wire.rs", "wire/", "otlp.rs", "summary.rs", "label.rs", "signal.rs"];
    let others = below(sources, "src/core/").filter(|source| {
        let path = source.path.trim_start_matches("src/core/");
        !allowed.iter().any(|allowed| path.starts_with(allowed))
    });
    Ok(others.flat_map(|source| source.lines_with(&["Serialize", "serde("], "move it to the wire")).collect())
}

fn wire_has_no_text(sources: &[Source]) -> Result<Vec<String>> {
    let words = ["String", "Box<str>", "Rc<str>", "Cow<", "&'a str", "char>"];
    Ok(below(sources, "src/core/wire")
        .flat_map(|source| source.lines_with(&words, "use core::label::{Id, Label} or an enum"))
        .collect())
}

fn files_are_small(sources: &[Source]) -> Result<Vec<String>> {
    const LIMIT: usize = 400;
    let folders = ["src/", "records/src/", "js/", "xtask/src/", "demo/server/src/", "demo/web/"];
    let modules = sources.iter().filter(|source| {
        folders.iter().any(|folder| source.is_below(folder)) && source.is(&[".rs", ".ts", ".tsx", ".mjs"])
    });
    let lengths = modules.map(|source| (source, source.product().lines().count()));
    Ok(lengths
        .filter(|(_, lines)| *lines > LIMIT)
        .map(|(source, lines)| format!("{}: {lines} lines: split it, {LIMIT} is the limit", source.path))
        .collect())
}

fn modules_are_introduced(sources: &[Source]) -> Result<Vec<String>> {
    let is_bare = |source: &&Source| {
        let opens_with = |marks: &[&str]| marks.iter().any(|mark| source.text.starts_with(mark));
        // The unit tests of a module in a file of their own are introduced by the module.
        (source.is(&[".rs"]) && !source.is(&["/tests.rs"]) && !opens_with(&["//!"]))
            || (source.is(&[".ts", ".tsx", ".mjs"]) && !opens_with(&["/*", "//", "#!"]))
    };
    Ok(sources
        .iter()
        .filter(is_bare)
        .map(|source| format!("{}: open with a comment: what it is for, what it may touch", source.path))
        .collect())
}

fn versions_agree(sources: &[Source]) -> Result<Vec<String>> {
    let version = env!("CARGO_PKG_VERSION");
    let wanted = [
        ("pkg-template/package.json", format!("\"version\": \"{version}\"")),
        ("CHANGELOG.md", version.to_owned()),
        ("js/version.ts", format!("\"{version}\"")),
    ];
    let mut complaints = Vec::new();
    for (path, text) in wanted {
        if !find(sources, path)?.text.contains(&text) {
            complaints.push(format!("{path}: Cargo.toml has version {version}, say so there too"));
        }
    }
    Ok(complaints)
}

fn no_machine_in_sources(sources: &[Source]) -> Result<Vec<String>> {
    // Put together here, so that this file does not complain about itself.
    let words =
        ["/ro.ot/", "/ho.me/", "/wo.rk/", "arti.factory", "\"reso.lved\":"].map(|word| word.replace('.', ""));
    let is_data = |source: &&Source| source.path.contains("/streams/") || source.path.contains("/fixtures/");
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| !is_data(source)) {
        for (index, line) in source.text.lines().enumerate() {
            let is_foreign_crate = source.path == "Cargo.lock"
                && line.starts_with("source = ")
                && !line.contains("registry+https://github.com/rust-lang/crates.io-index");
            if is_foreign_crate || words.iter().any(|word| line.contains(word.as_str())) {
                complaints.push(format!(
                    "{}:{}: names a machine or a registry's host: take it out",
                    source.path,
                    index + 1
                ));
            }
        }
    }
    Ok(complaints)
}
