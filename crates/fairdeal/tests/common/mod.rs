//! Calling the real program.

pub(crate) mod records;
pub(crate) mod terminal;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What came of a call.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// It must have ended well; its output.
    #[track_caller]
    pub(crate) fn well(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out
    }

    /// It must have refused with this code and one line that has all of these in it.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, saying: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "one line: {}", self.err);
        assert!(self.err.starts_with("fairdeal: "), "{}", self.err);
        for text in saying {
            assert!(self.err.contains(text), "{text:?} in {}", self.err);
        }
    }
}

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fairdeal"))
}

/// Runs it in this folder; the words are separated by spaces.
pub(crate) fn run_in(folder: &Path, words: &str) -> Ran {
    program().current_dir(folder).args(words.split_whitespace()).output().expect("the program starts").into()
}

/// Runs it in this folder with words that may have spaces in them.
pub(crate) fn run_words(folder: &Path, words: &[&str]) -> Ran {
    program().current_dir(folder).args(words).output().expect("the program starts").into()
}

pub(crate) fn run(words: &str) -> Ran {
    run_in(Path::new("."), words)
}

/// Runs it with this on its standard input.
pub(crate) fn run_with_input(words: &str, input: &[u8]) -> Ran {
    let mut child = program()
        .args(words.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    // A program that refuses early does not read to the end.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends").into()
}
