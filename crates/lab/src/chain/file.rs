//! An exported hand as a file: one line of JSON that says what it is, with everything that proves it in hex.

use ::chain::export::Export;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::new_file::NewFile;

/// What such a file begins with.
pub const BEGIN: &str = "{\"format\":\"fairdeal/chain-hand/1\"";

/// The longest file that is read: a hand of nine dealt by 64 members has about two million characters.
pub const MOST_BYTES: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
struct Line {
    format: String,
    chain: String,
    table: u64,
    hand: u32,
    height: u64,
    root: String,
    data: String,
}

/// Writes a hand into a file that was begun.
pub fn write(export: &Export, mut file: NewFile) -> Result<(), Failure> {
    let line = Line {
        format: "fairdeal/chain-hand/1".into(),
        chain: hex(&export.chain),
        table: export.table,
        hand: export.hand,
        height: export.height,
        root: hex(&export.root),
        data: hex(&borsh::to_vec(export).map_err(Failure::input)?),
    };
    file.write(&serde_json::to_string(&line).map_err(Failure::input)?)?;
    file.write("\n")?;
    file.finish()
}

/// Reads a hand; an error says what was expected.
pub fn read(text: &str) -> Result<Export, String> {
    let line: Line =
        serde_json::from_str(text.trim_end()).map_err(|why| format!("expected an exported hand: {why}"))?;
    let bytes = unhex(&line.data).ok_or("expected the data of a hand in hex")?;
    let export: Export = borsh::from_slice(&bytes).map_err(|why| format!("expected an exported hand: {why}"))?;
    let told = (line.chain, line.table, line.hand, line.height, line.root);
    if told != (hex(&export.chain), export.table, export.hand, export.height, hex(&export.root)) {
        return Err("the file says something else about the hand than its data".to_owned());
    }
    Ok(export)
}

/// Bytes in hex.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to memory cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Hex as bytes; `None` if it is not.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_read_as_it_is_written() {
        assert_eq!(unhex(&hex(&[0, 1, 0xfe])), Some(vec![0, 1, 0xfe]));
        assert_eq!(unhex("0"), None);
        assert_eq!(unhex("0g"), None);
        assert_eq!(unhex("é0"), None);
    }
}
