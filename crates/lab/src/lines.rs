//! Text read line by line, with a limit on the length of a line, so that no file can fill memory.

use std::fmt;
use std::io::{self, BufRead, Read};

use table::record::LONGEST_LINE;

use crate::failure::in_words;

/// A line that exceeds its limit by this many bytes is taken to have no end, and nothing after it is read.
const MOST_SKIPPED: u64 = 64 << 20;

/// Some editors begin a text with this, to say that it is Unicode.
const MARK: &str = "\u{feff}";

/// A text without the byte-order mark that may stand before it.
pub fn without_mark(mut text: String) -> String {
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    text
}

/// Reads lines, which may end as on Windows; counts them from 1.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    /// No line may have more bytes.
    longest: usize,
    text: String,
    number: u64,
    /// The line read last was too long, and the rest of it is still to be skipped.
    too_long: bool,
    /// The system could not read on.
    stuck: bool,
    /// The line read last has no end.
    cut_off: bool,
}

/// A line that cannot be had.
#[derive(Debug)]
pub enum LineError {
    /// Longer than it may be.
    TooLong,
    /// Not text.
    NotText,
    /// The system's reason.
    Read(io::Error),
}

impl<R: BufRead> Lines<R> {
    /// With the limit of records.
    pub const fn new(input: R) -> Self {
        Self::with_limit(input, LONGEST_LINE)
    }

    /// With another limit than that of records.
    pub const fn with_limit(input: R, longest: usize) -> Self {
        Self { input, longest, text: String::new(), number: 0, too_long: false, stuck: false, cut_off: false }
    }

    /// The number of the line read last; 0 before the first.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The line read last, without its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the line read last has no end, as the last one of a file that was cut off.
    pub const fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// Reads the next line; `None` after the last, and after the system could not read on.
    pub fn advance(&mut self) -> Option<Result<(), LineError>> {
        // Only when the next line is asked for: an endless line must not keep us from reporting it.
        if std::mem::take(&mut self.too_long) {
            let skipped = self.input.by_ref().take(MOST_SKIPPED).skip_until(b'\n');
            self.stuck = skipped.map_or(true, |len| u64::try_from(len).map_or(true, |len| len >= MOST_SKIPPED));
        }
        if self.stuck {
            return None;
        }
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        let most = u64::try_from(self.longest).unwrap_or(u64::MAX).saturating_add(1);
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut bytes);
        self.number += u64::from(!matches!(read, Ok(0)));
        self.cut_off = bytes.last() != Some(&b'\n');
        let read = match read {
            Ok(0) => return None,
            Ok(_) if bytes.last() == Some(&b'\n') => {
                bytes.pop();
                if bytes.last() == Some(&b'\r') {
                    bytes.pop();
                }
                Ok(())
            }
            Ok(_) if bytes.len() > self.longest => Err(LineError::TooLong),
            Ok(_) => Ok(()),
            Err(error) => Err(LineError::Read(error)),
        };
        self.too_long = matches!(read, Err(LineError::TooLong));
        self.stuck = matches!(read, Err(LineError::Read(_)));
        if self.number == 1 && bytes.starts_with(MARK.as_bytes()) {
            bytes.drain(..MARK.len());
        }
        Some(read.and_then(|()| {
            self.text = String::from_utf8(bytes).map_err(|bad| {
                // What can be read of it may say more about it.
                self.text = String::from_utf8_lossy(bad.as_bytes()).into_owned();
                LineError::NotText
            })?;
            Ok(())
        }))
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} bytes"),
            Self::NotText => f.write_str("the line is not text (UTF-8)"),
            Self::Read(error) => write!(f, "cannot read: {}", in_words(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(bytes);
        let mut all = Vec::new();
        while let Some(line) = lines.advance() {
            let line = line.map_or_else(|e| e.to_string(), |()| lines.text().to_owned());
            all.push(format!("{} {line}", lines.number()));
        }
        all
    }

    #[test]
    fn a_byte_order_mark_and_the_line_ends_of_windows_are_no_part_of_the_text() {
        assert_eq!(read(b"\xef\xbb\xbfa\r\n\xef\xbb\xbfb\r\nc\r"), ["1 a", "2 \u{feff}b", "3 c\r"]);
        assert_eq!(read(b"\xef\xbb\xbf"), ["1 "]);
        assert_eq!(without_mark("\u{feff}a".to_owned()), "a");
    }

    #[test]
    fn the_last_line_may_lack_its_end() {
        assert_eq!(read(b"a\n\nb"), ["1 a", "2 ", "3 b"]);
        assert!(read(b"").is_empty());
        let mut lines = Lines::new(&b"a\nb"[..]);
        assert!(matches!(lines.advance(), Some(Ok(()))) && !lines.is_cut_off());
        assert!(matches!(lines.advance(), Some(Ok(()))) && lines.is_cut_off());
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_not_kept() {
        let mut text = vec![b'x'; LONGEST_LINE];
        text.extend(b"\nshort\n");
        assert_eq!(read(&text).len(), 2);
        text.insert(0, b'x');
        assert_eq!(read(&text), ["1 the line is longer than 1048576 bytes", "2 short"]);
    }

    #[test]
    fn a_line_without_end_is_refused_and_ends_the_reading() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(0)));
        assert!(matches!(lines.advance(), Some(Err(LineError::TooLong))));
        assert!(lines.advance().is_none());
    }

    #[test]
    fn bytes_that_are_no_text_are_named_by_their_line() {
        assert_eq!(read(b"a\n\xff\xfe\nb\n"), ["1 a", "2 the line is not text (UTF-8)", "3 b"]);
    }
}
