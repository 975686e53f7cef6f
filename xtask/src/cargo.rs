//! One call of cargo, which can also be shown as a shell command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::{env, fmt, io};

/// A call of cargo in the root of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct Cargo {
    env: Vec<(&'static str, &'static str)>,
    args: Vec<String>,
}

/// Why a call of cargo failed.
#[derive(Debug)]
pub(crate) enum Broken {
    NotStarted(io::Error),
    Exit(ExitStatus),
    NotText,
}

impl Cargo {
    /// The words of `line` as arguments; see [`Cargo::args`] for those that may hold spaces.
    pub(crate) fn new(line: &str) -> Self {
        Self { env: Vec::new(), args: line.split_whitespace().map(str::to_owned).collect() }
    }

    pub(crate) fn args(mut self, args: impl IntoIterator<Item = String>) -> Self {
        self.args.extend(args);
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.env.push((name, value));
        self
    }

    /// Runs it with its output shown.
    pub(crate) fn run(&self) -> Result<(), Broken> {
        let status = self.command().status().map_err(Broken::NotStarted)?;
        if status.success() { Ok(()) } else { Err(Broken::Exit(status)) }
    }

    /// Runs it and returns its output; stderr is shown.
    pub(crate) fn read(&self) -> Result<String, Broken> {
        let output = self.command().stderr(Stdio::inherit()).output().map_err(Broken::NotStarted)?;
        if !output.status.success() {
            return Err(Broken::Exit(output.status));
        }
        String::from_utf8(output.stdout).map_err(|_| Broken::NotText)
    }

    /// Runs it silently.
    pub(crate) fn succeeds(&self) -> bool {
        let status = self.command().stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    // By name and not by the variable `CARGO`: only rustup's `cargo` understands `+nightly`.
    pub(crate) fn command(&self) -> Command {
        self.called_by(Command::new("cargo"))
    }

    /// The same, but everything else on this machine goes first.
    pub(crate) fn patient_command(&self) -> Command {
        let mut nice = Command::new("nice");
        nice.args(["-n", "19", "cargo"]);
        self.called_by(nice)
    }

    fn called_by(&self, mut command: Command) -> Command {
        command.args(&self.args).envs(self.env.iter().copied()).current_dir(root());
        command
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
    Path::new(&here).parent().map(Path::to_path_buf).unwrap_or_default()
}

impl fmt::Display for Cargo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.env {
            write!(f, "{name}={} ", Quoted(value))?;
        }
        write!(f, "cargo")?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", Quoted(arg)))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "cargo did not start: {error}"),
            Self::Exit(status) => write!(f, "{status}"),
            Self::NotText => write!(f, "cargo printed something that is not UTF-8"),
        }
    }
}

impl std::error::Error for Broken {}

/// A word, quoted for a POSIX shell.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| c.is_ascii_alphanumeric() || "+-_=./:,@%".contains(c);
        if !self.0.is_empty() && self.0.chars().all(plain) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "'{}'", self.0.replace('\'', r"'\''"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_reads_as_it_would_be_typed() {
        let call = Cargo::new("doc --no-deps").env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(call.to_string(), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
        let call = Cargo::new("test").args(["it's mine".to_owned()]);
        assert_eq!(call.to_string(), r"cargo test 'it'\''s mine'");
    }
}
