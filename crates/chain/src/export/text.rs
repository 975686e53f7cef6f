//! An exported hand as text: one line of JSON that says what it is, with everything that proves it in hex.

use serde::{Deserialize, Serialize};

use super::Export;
use crate::units::{hex, unhex};

/// What such a text begins with.
pub const BEGIN: &str = "{\"format\":\"fairdeal/chain-hand/1\"";

/// The longest text that is read: a hand of nine dealt by 64 members has about two million characters.
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

impl Export {
    /// The hand as one line.
    pub fn to_text(&self) -> String {
        let line = Line {
            format: "fairdeal/chain-hand/1".into(),
            chain: hex(&self.chain),
            table: self.table,
            hand: self.hand,
            height: self.height,
            root: hex(&self.root),
            data: hex(&borsh::to_vec(self).expect("plain data can be written to memory")),
        };
        serde_json::to_string(&line).expect("plain data can be written to memory") + "\n"
    }

    /// Reads a hand; an error says what was expected.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let line: Line =
            serde_json::from_str(text.trim_end()).map_err(|why| format!("expected an exported hand: {why}"))?;
        let bytes = unhex(&line.data).ok_or("expected the data of a hand in hex")?;
        let export: Self = borsh::from_slice(&bytes).map_err(|why| format!("expected an exported hand: {why}"))?;
        let told = (line.chain, line.table, line.hand, line.height, line.root);
        if told != (hex(&export.chain), export.table, export.hand, export.height, hex(&export.root)) {
            return Err("the file says something else about the hand than its data".to_owned());
        }
        Ok(export)
    }
}
