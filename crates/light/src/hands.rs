//! Hands that are over.

use chain::{Export, unhex};
use serde_json::{Value, json};

use crate::{Error, Net, Remote, in_turn};

impl<N: Net> Remote<N> {
    /// The numbers of the last hands that have ended at a table, as a node says; the last one first.
    pub async fn hands(&mut self, table: u64) -> Result<Vec<u32>, Error> {
        in_turn!(self, self.hands_once(table))
    }

    async fn hands_once(&mut self, table: u64) -> Result<Vec<u32>, Error> {
        let answer = self.ask("hands", json!({ "table": table })).await?;
        let number = |hand: &Value| hand.as_u64().and_then(|hand| u32::try_from(hand).ok());
        let hands = answer.as_array().map(|list| list.iter().map(number).collect::<Option<Vec<u32>>>());
        let mut hands = hands.flatten().ok_or_else(|| self.nonsense("numbers of hands"))?;
        hands.sort_unstable_by(|a, b| b.cmp(a));
        Ok(hands)
    }

    /// Everything that proves a hand, if the node has it. It proves itself against the root that it names; that this is the
    /// chain's is shown by [`Remote::root_after`].
    pub async fn export(&mut self, table: u64, hand: u32) -> Result<Option<Export>, Error> {
        in_turn!(self, self.export_once(table, hand))
    }

    async fn export_once(&mut self, table: u64, hand: u32) -> Result<Option<Export>, Error> {
        let answer = self.ask("hand", json!({ "table": table, "hand": hand })).await?;
        if answer.is_null() {
            return Ok(None);
        }
        let export: Option<Export> = answer
            .get("export")
            .and_then(Value::as_str)
            .and_then(unhex)
            .and_then(|bytes| borsh::from_slice(&bytes).ok());
        let fits = |export: &Export| (export.chain, export.table, export.hand) == (self.chain(), table, hand);
        export.filter(fits).map(Some).ok_or_else(|| self.nonsense("the hand that was asked for"))
    }
}
