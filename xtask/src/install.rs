//! What a fresh machine lacks: installed where that takes no decision, named in one line where it does.
use crate::shell;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Node and the npm packages of `package-lock.json`.
pub fn npm_packages() -> Result<()> {
    npm_packages_of(shell::root())
}

/// The chat clients and other SDKs that the package is tested with; by far the most of all that is installed.
pub fn client_packages() -> Result<()> {
    npm_packages_of(&shell::root().join("tests/clients"))
}

fn npm_packages_of(folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    let installed = folder.join("node_modules/.package-lock.json");
    if is_older(&installed, &lock) {
        ensure!(shell::exists("node") && shell::exists("npm"), "install Node 20.19 or newer, with npm");
        let mut npm = shell::command("npm", &["ci", "--no-audit", "--no-fund"]);
        npm.current_dir(folder);
        shell::run(npm)?;
        // npm keeps the time of an unchanged file; the next build asks by time.
        std::fs::File::options().append(true).open(&installed)?.set_modified(std::time::SystemTime::now())?;
    }
    Ok(())
}

/// The collector that tests send to: a program in a package of Python's, which need not be the Python of this machine.
pub fn rotel() -> Result<Variable> {
    let folder = shell::target_dir()?.join("tools/rotel-0.0.1a15");
    let program = folder.join("rotel/rotel-agent");
    if !program.exists() {
        let (_, pip) = programs(&[PIP])?.pop().context("no pip")?;
        let platform = format!("manylinux_2_34_{}", std::env::consts::ARCH);
        let mut pip = shell::command(&pip, &["install", "--quiet", "--no-deps"]);
        pip.args([
            "--only-binary=:all:",
            "--implementation=cp",
            "--python-version=3.11",
            "--platform",
            &platform,
        ]);
        pip.arg("--target").arg(&folder).arg("rotel==0.0.1a15");
        shell::run(pip)?;
    }
    Ok(("ROTEL", program.to_string_lossy().into_owned()))
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

/// The `cargo fuzz` command, as a program below the target directory, so that nothing is installed for good.
pub fn cargo_fuzz() -> Result<PathBuf> {
    const VERSION: &str = "0.13.2";
    let tools = shell::target_dir()?.join("tools");
    let program = tools.join("bin/cargo-fuzz");
    let path = program.to_string_lossy();
    let version = shell::capture(shell::command(&path, &["fuzz", "--version"])).unwrap_or_default();
    if !version.trim_end().ends_with(VERSION) {
        let root = tools.to_string_lossy();
        let what = ["install", "cargo-fuzz", "--locked", "--version", VERSION, "--root", &root];
        shell::run(shell::cargo(&what)?)?;
    }
    Ok(program)
}

/// A program that tests start: the variable that names it, where it may be, and its packages in Debian.
struct Program {
    variable: &'static str,
    paths: &'static [&'static str],
    packages: &'static [&'static str],
}

const CHROMIUM: Program = Program {
    variable: "CHROMIUM",
    paths: &["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
    packages: &["chromium", "fonts-liberation"],
};

const PIP: Program =
    Program { variable: "PIP", paths: &["/usr/bin/pip3", "/usr/local/bin/pip3"], packages: &["python3-pip"] };

/// The three engines; WebKit's needs a screen. OpenSSL makes the certificate that they are served HTTP/2 with.
const BROWSERS: &[Program] = &[
    CHROMIUM,
    Program {
        variable: "FIREFOX",
        paths: &["/usr/bin/firefox-esr", "/usr/bin/firefox"],
        packages: &["firefox-esr"],
    },
    Program {
        variable: "WEBKIT_DRIVER",
        paths: &["/usr/bin/WebKitWebDriver"],
        packages: &["webkit2gtk-driver"],
    },
    Program {
        variable: "MINIBROWSER",
        paths: &[
            "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
            "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
        ],
        packages: &["libwebkit2gtk-4.1-0"],
    },
    Program { variable: "XVFB", paths: &["/usr/bin/Xvfb"], packages: &["xvfb"] },
    Program { variable: "OPENSSL", paths: &["/usr/bin/openssl"], packages: &["openssl"] },
];

/// A variable of the environment and the path that it is to have.
pub type Variable = (&'static str, String);

/// The path of a Chromium.
pub fn chromium() -> Result<String> {
    let found = programs(&[CHROMIUM])?;
    found.into_iter().map(|(_, path)| path).next().context("no Chromium")
}

/// What tests in browsers need, each by the variable that names it.
pub fn browsers() -> Result<Vec<Variable>> {
    programs(BROWSERS)
}

/// Where the programs are; on Debian as root the missing ones are installed.
fn programs(wanted: &[Program]) -> Result<Vec<Variable>> {
    let missing: Vec<_> = wanted.iter().filter(|program| program.find().is_none()).collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let found = |program: &Program| Some((program.variable, program.find()?));
    wanted.iter().map(|program| found(program).with_context(|| program.hint())).collect()
}

fn install(missing: &[&Program]) -> Result<()> {
    if !(Path::new("/etc/debian_version").exists() && is_root()) {
        let hints: Vec<_> = missing.iter().map(|program| program.hint()).collect();
        bail!("install or name: {}", hints.join("; "));
    }
    shell::run(shell::command("apt-get", &["update", "-q"]))?;
    let mut apt = shell::command("apt-get", &["install", "-qy", "--no-install-recommends"]);
    apt.args(missing.iter().flat_map(|program| program.packages)).env("DEBIAN_FRONTEND", "noninteractive");
    shell::run(apt)
}

impl Program {
    fn find(&self) -> Option<String> {
        let found = || self.paths.iter().find(|path| Path::new(path).exists()).map(|&path| path.to_owned());
        std::env::var(self.variable).ok().or_else(found)
    }

    fn hint(&self) -> String {
        format!("{} ({}=/path)", self.packages.join(" "), self.variable)
    }
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
