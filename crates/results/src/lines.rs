//! A file, line by line: only what is printable, with one kind of line end, and never more than a limit.

use core::fmt;

use crate::BadFacts;

/// Why a file cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong there.
    pub why: Why,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The file is larger than it may be.
    TooLarge {
        /// The limit in bytes.
        most: usize,
    },
    /// The file begins with a byte-order mark, which no signature covers.
    ByteOrderMark,
    /// The line ends as on Windows; signatures cover lines that end with a line feed alone.
    CarriageReturn,
    /// The line has a byte that is no printable character of ASCII.
    NotPlain(u8),
    /// The last line does not end.
    NoLineEnd,
    /// The line should be this, or look like it.
    Expected(String),
    /// The file should be over.
    ExpectedEnd,
    /// What it says cannot be true.
    Facts(BadFacts),
}

/// A part of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At<'a> {
    /// The line, counted from 1.
    pub line: u32,
    /// The part.
    pub text: &'a str,
}

impl<'a> At<'a> {
    /// The refusal of this part.
    pub fn expected(self, what: impl Into<String>) -> Unreadable {
        Unreadable { line: self.line, why: Why::Expected(what.into()) }
    }

    /// A value of this part, or what it should be.
    pub fn read<T>(self, what: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T, Unreadable> {
        read(self.text).ok_or_else(|| self.expected(what))
    }

    /// A whole number, written in the one way in which numbers are written.
    pub fn number<T: core::str::FromStr + ToString>(self, what: &str) -> Result<T, Unreadable> {
        self.read(what, |text| text.parse().ok().filter(|number: &T| number.to_string() == text))
    }

    /// The values of words `NAME:value`: these names in this order, one space between, and nothing else.
    pub fn named<const N: usize>(self, names: [&str; N]) -> Option<[Self; N]> {
        let mut words = self.text.split(' ');
        let mut found = [self; N];
        for (place, name) in found.iter_mut().zip(names) {
            place.text = words.next()?.strip_prefix(name)?.strip_prefix(':')?;
        }
        words.next().is_none().then_some(found)
    }

    /// The rest after a prefix.
    pub fn after(self, prefix: &str) -> Option<Self> {
        self.text.strip_prefix(prefix).map(|text| Self { text, ..self })
    }
}

/// The lines of a file.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    whole: &'a str,
    rest: &'a str,
    line: u32,
}

impl<'a> Lines<'a> {
    /// Looks at every byte once, so that nothing later meets a surprise.
    pub fn new(bytes: &'a [u8], most: usize) -> Result<Self, Unreadable> {
        let refused = |line, why| Err(Unreadable { line, why });
        if bytes.len() > most {
            return refused(1, Why::TooLarge { most });
        }
        if bytes.starts_with(b"\xef\xbb\xbf") {
            return refused(1, Why::ByteOrderMark);
        }
        let mut line = 1;
        for byte in bytes {
            match byte {
                b'\n' => line += 1,
                b'\r' => return refused(line, Why::CarriageReturn),
                b' '..=b'~' => {}
                other => return refused(line, Why::NotPlain(*other)),
            }
        }
        if bytes.last().is_some_and(|last| *last != b'\n') {
            return refused(line, Why::NoLineEnd);
        }
        let Ok(whole) = core::str::from_utf8(bytes) else { return refused(1, Why::NotPlain(0)) };
        Ok(Self { whole, rest: whole, line: 1 })
    }

    /// The next line, if there is one, without going there.
    pub fn peek(&self) -> Option<At<'a>> {
        self.rest.split_once('\n').map(|(text, _)| At { line: self.line, text })
    }

    /// The next line; an empty one at the end.
    pub fn take(&mut self) -> At<'a> {
        let (text, rest) = self.rest.split_once('\n').unwrap_or_default();
        let line = self.line;
        if !self.rest.is_empty() {
            self.line += 1;
        }
        self.rest = rest;
        At { line, text }
    }

    /// The next line must be exactly this.
    pub fn exactly(&mut self, text: &str) -> Result<(), Unreadable> {
        let ended = self.rest.is_empty();
        let line = self.take();
        if line.text == text && !ended {
            return Ok(());
        }
        Err(line.expected(if text.is_empty() { "an empty line" } else { text }))
    }

    /// The next line must begin so; the rest of it.
    pub fn field(&mut self, prefix: &str) -> Result<At<'a>, Unreadable> {
        let line = self.take();
        line.after(prefix).ok_or_else(|| line.expected(format!("{prefix}…")))
    }

    /// There must be no more lines.
    pub fn end(&self) -> Result<(), Unreadable> {
        match self.peek() {
            None => Ok(()),
            Some(line) => Err(Unreadable { line: line.line, why: Why::ExpectedEnd }),
        }
    }

    /// Everything before the next line.
    pub fn before(&self) -> &'a str {
        self.whole.strip_suffix(self.rest).unwrap_or(self.whole)
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.why {
            Why::TooLarge { most } => write!(f, "the file is larger than {most} bytes"),
            Why::ByteOrderMark => f.write_str("the file begins with a byte-order mark, which it must not have"),
            Why::CarriageReturn => f.write_str("the line ends with CR LF, but must end with LF alone"),
            Why::NotPlain(byte) => write!(f, "the byte {byte:#04x} is no printable ASCII character"),
            Why::NoLineEnd => f.write_str("the last line does not end with LF"),
            Why::Expected(what) => write!(f, "expected {what}"),
            Why::ExpectedEnd => f.write_str("expected the end of the file"),
            Why::Facts(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for Unreadable {}
