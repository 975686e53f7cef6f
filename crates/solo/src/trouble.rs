//! Why something cannot go on.

use room::Refusal;
use serde_json::json;

use crate::call::Effect;

/// Why something cannot go on, with a word that never changes, for the page.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    code: &'static str,
    why: String,
}

impl Trouble {
    pub(crate) fn new(code: &'static str, why: impl Into<String>) -> Self {
        Self { code, why: why.into() }
    }

    /// What was kept makes no table.
    pub(crate) fn kept(why: &Refusal) -> Self {
        Self::new(if matches!(why, Refusal::OtherRules) { "other_rules" } else { "damaged" }, why.to_string())
    }

    pub(crate) fn effects(self) -> Vec<Effect> {
        vec![Effect::Tell(json!({ "trouble": self.code }).to_string()), Effect::Failed(self.why)]
    }
}
