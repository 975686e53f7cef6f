//! Why something that was heard does not count.

use core::fmt;

/// Why bytes are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// They end too early.
    Short,
    /// They are longer than allowed.
    Long,
    /// The first byte says something unknown.
    Unknown,
    /// The checksum is wrong.
    Checksum,
    /// A number or a text is not one of those allowed.
    Value,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "the bytes end too early",
            Self::Long => "there are more bytes than allowed",
            Self::Unknown => "the first byte is unknown",
            Self::Checksum => "the checksum is wrong",
            Self::Value => "a number or a text is not one of those allowed",
        })
    }
}

impl core::error::Error for Malformed {}

/// Why something that was heard was ignored. Some of it is normal on a bad line; a lot of it is a stranger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ignored {
    /// It cannot be read.
    Malformed(Malformed),
    /// A piece is missing before this one.
    Gap,
    /// It is not the time for it: nobody has said hello, or the line is cut.
    Early,
    /// It is too far ahead of what is missing.
    Ahead,
    /// A receipt for something that was never sent.
    NotSent,
    /// It belongs to another line.
    OtherSession,
    /// The owner has not taken what came before.
    Full,
    /// The message is longer than allowed.
    TooLong,
}

impl From<Malformed> for Ignored {
    fn from(why: Malformed) -> Self {
        Self::Malformed(why)
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed(why) => return why.fmt(f),
            Self::Gap => "a piece is missing before this one",
            Self::Early => "a hello was expected first",
            Self::Ahead => "this is too far ahead of what is missing",
            Self::NotSent => "a receipt for something that was never sent",
            Self::OtherSession => "this belongs to another line",
            Self::Full => "too many received messages wait to be taken",
            Self::TooLong => "the message is longer than allowed",
        })
    }
}

impl core::error::Error for Ignored {}
