//! Names of tables and players, checked once and then never wrong.

use std::fmt;
use std::str::FromStr;

/// A table, for ever: sixteen hexadecimal digits.
///
/// ```
/// use server::store::TableId;
/// let id: TableId = "00000000000000ff".parse()?;
/// assert_eq!(id, TableId(255));
/// assert_eq!(id.to_string(), "00000000000000ff");
/// # Ok::<(), server::store::BadId>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u64);

/// What people type to find a table that is not over: six digits, leading zeros kept.
///
/// ```
/// use server::store::Code;
/// assert_eq!(Code::new(42).map(|code| code.to_string()), Some("000042".to_owned()));
/// assert!("42".parse::<Code>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u32);

/// A player: up to 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(String);

/// A text that is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadId {
    /// Not sixteen lower-case hexadecimal digits.
    Table,
    /// Not six digits.
    Code,
    /// Not one to 64 lower-case hexadecimal digits.
    Player,
}

impl Code {
    /// How many codes there are.
    pub const COUNT: u32 = 1_000_000;

    /// The code with this number, if it has no more than six digits.
    pub fn new(number: u32) -> Option<Self> {
        (number < Self::COUNT).then_some(Code(number))
    }
}

impl PlayerId {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}", self.0)
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TableId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        if text.len() != 16 || !is_hex(text) {
            return Err(BadId::Table);
        }
        u64::from_str_radix(text, 16).map(TableId).map_err(|_| BadId::Table)
    }
}

impl FromStr for Code {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BadId::Code);
        }
        text.parse().ok().and_then(Code::new).ok_or(BadId::Code)
    }
}

impl FromStr for PlayerId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        if text.is_empty() || text.len() > 64 || !is_hex(text) {
            return Err(BadId::Player);
        }
        Ok(PlayerId(text.to_owned()))
    }
}

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadId::Table => "a table's id is sixteen hexadecimal digits",
            BadId::Code => "a table's code is six digits",
            BadId::Player => "a player's id is up to 64 hexadecimal digits",
        })
    }
}

impl std::error::Error for BadId {}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
