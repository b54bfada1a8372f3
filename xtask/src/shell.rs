//! Where things are, and how other programs are run.
//!
//! Every command is echoed before it runs, so that a failed build can be repeated by hand.
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The root of the repository: what Cargo says now, as work trees that share a target directory share this program.
pub fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").to_owned());
        Path::new(&manifest).parent().unwrap_or(Path::new(".")).to_owned()
    });
    &ROOT
}

/// The target directory that this very program was built into: the user may have chosen another
/// than `target/`.
pub fn target_dir() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).context("xtask runs from <target>/<profile>/xtask")?;
    Ok(target.to_owned())
}

/// A program, to be started at the root.
pub fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// Cargo, building into the same target directory.
pub fn cargo(args: &[&str]) -> Result<Command> {
    let mut command = command("cargo", args);
    command.env("CARGO_TARGET_DIR", target_dir()?);
    Ok(command)
}

/// A program of a package in `node_modules`.
pub fn node_bin(name: &str, args: &[&str]) -> Command {
    let suffix = if cfg!(windows) { ".cmd" } else { "" };
    command(&format!("node_modules/.bin/{name}{suffix}"), args)
}

/// Runs to the end; a failure is an error.
pub fn run(mut command: Command) -> Result<()> {
    echo(&command);
    let status = command.status().with_context(|| cannot_start(&command))?;
    ensure!(status.success(), "`{}` failed ({status})", line_of(&command));
    Ok(())
}

/// Runs to the end and returns what was printed; shows the errors only when it failed.
pub fn capture(mut command: Command) -> Result<String> {
    let output = command.output().with_context(|| cannot_start(&command))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({})\n{errors}", line_of(&command), output.status);
    }
    String::from_utf8(output.stdout).context("output is not UTF-8")
}

/// Runs to the end, printing each line at once and handing it to `see`. Returns whether it succeeded.
pub fn watch(mut command: Command, mut see: impl FnMut(&str)) -> Result<bool> {
    echo(&command);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| cannot_start(&command))?;
    let output = child.stdout.take().context("stdout was piped")?;
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        see(&line);
    }
    Ok(child.wait()?.success())
}

/// Whether a program can be started at all.
pub fn exists(program: &str) -> bool {
    let mut probe = Command::new(program);
    probe.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// The value after `name` in `args`.
pub fn option<'a>(args: &'a [String], name: &str) -> Result<Option<&'a str>> {
    let Some(at) = args.iter().position(|arg| arg == name) else { return Ok(None) };
    let value = args.get(at + 1).with_context(|| format!("{name} needs a value"))?;
    Ok(Some(value))
}

/// Refuses what is neither one of `flags` nor one of `valued` with its value.
pub fn check_options(args: &[String], flags: &[&str], valued: &[&str]) -> Result<()> {
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        if valued.contains(&arg) {
            ensure!(args.next().is_some_and(|value| !value.starts_with("--")), "{arg} needs a value");
        } else {
            ensure!(flags.contains(&arg), "no such option: {arg}");
        }
    }
    Ok(())
}

/// Writes only what differs, and in one step: a server that hands out the file never sees half of it,
/// and tools that look at times see no change where there is none.
pub fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let folder = path.parent().context("a file is in a folder")?;
    std::fs::create_dir_all(folder)?;
    let name = path.file_name().context("a file has a name")?.to_string_lossy();
    let draft = folder.join(format!(".{name}.{}", std::process::id()));
    std::fs::write(&draft, content).with_context(|| format!("cannot write {}", draft.display()))?;
    std::fs::rename(&draft, path).with_context(|| format!("cannot write {}", path.display()))
}

/// All files below `folder`, sorted; none if it does not exist.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn echo(command: &Command) {
    eprintln!("$ {}", line_of(command));
}

fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::check_options;

    /// Protects: a misspelt option is told instead of ignored, and a value is no option.
    #[test]
    fn unknown_options_and_missing_values_are_refused() {
        let check = |line: &str| {
            let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            check_options(&args, &["--json"], &["--port"]).map_err(|error| error.to_string())
        };
        assert_eq!(check("--port 1 --json"), Ok(()));
        assert_eq!(check("--bogus"), Err("no such option: --bogus".to_owned()));
        assert_eq!(check("--json --port"), Err("--port needs a value".to_owned()));
        assert_eq!(check("--port --json"), Err("--port needs a value".to_owned()));
    }
}
