//! What tests need beside Rust: looked for, and installed where that is possible.

use std::fmt;
use std::process::Command;

/// Programs that tests call, each with the Debian package that has it.
const NEEDED: [(&str, &str); 1] = [("python3", "python3")];

/// A program that is missing and could not be installed.
#[derive(Debug)]
pub(crate) struct Missing(&'static str);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is missing and could not be installed", self.0)
    }
}

impl std::error::Error for Missing {}

/// Sees to it that everything is there.
pub(crate) fn run() -> Result<(), Missing> {
    for (program, package) in NEEDED {
        if answers(program) {
            continue;
        }
        eprintln!("{program} is missing: apt-get install {package}");
        // Whether it worked is told by the program itself.
        let _ = Command::new("apt-get").args(["install", "--yes", "--no-install-recommends", package]).status();
        if !answers(program) {
            return Err(Missing(program));
        }
    }
    Ok(())
}

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}
