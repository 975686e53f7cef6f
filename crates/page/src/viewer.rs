//! One viewer in whose browser the page is made: which parts they have, and what they have prepared.
//!
//! A server draws pages for many, and keeps this for each socket in its own way. The modules in browsers draw for one
//! person, and share this.

use ::table::{Game, Height};
use maud::Markup;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::{Asked, Board, Lang, MoveOf, NotPressed, Page, Parts, Pressed, Shown};

/// What one viewer's page has, and what they have prepared.
#[derive(Clone, Debug)]
pub struct Viewer {
    lang: Lang,
    has: Parts,
    draft: Option<String>,
    /// How many drafts have come from the page.
    drafts: u64,
}

/// What a message of a page wants. `C` are the commands of the table, as in [`Asked`].
pub enum Heard<G: Game, C> {
    /// Nothing more than to be shown.
    Nothing,
    /// A move.
    Move(MoveOf<G>),
    /// To be shown, and told this.
    Told(String),
    /// A command.
    Command(C),
}

impl Viewer {
    /// A viewer whose page has nothing yet.
    pub fn new(lang: Lang) -> Self {
        Self { lang, has: Parts::default(), draft: None, drafts: 0 }
    }

    /// Their language.
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// Nothing is prepared any more: what it was for is over.
    pub fn forget_draft(&mut self) {
        self.draft = None;
    }

    /// What they see of a deal, with what they have prepared.
    pub fn look<G: Page>(&mut self, board: Option<&Board<'_, G>>) -> Option<Shown> {
        let shown = board?.show(self.draft.as_deref());
        self.draft = Some(shown.draft.clone());
        Some(shown)
    }

    /// The message that brings their page up to date: the parts that have changed, whether they are asked, and how much
    /// time is left.
    pub fn update<const N: usize>(
        &mut self,
        height: Height,
        asked: bool,
        clock: Option<Value>,
        parts: [(&'static str, Markup); N],
    ) -> Value {
        let (parts, drafts) = (self.has.changed(parts), self.drafts);
        json!({ "parts": {
            "height": height, "parts": parts, "drafts": drafts, "clock": clock, "wake": false, "asked": asked,
        } })
    }

    /// What a message of their page wants, with the deal that they see.
    ///
    /// # Errors
    /// Says why not, in their language.
    pub fn hear<G: Page, C: DeserializeOwned>(
        &mut self,
        message: &str,
        board: Option<&Board<'_, G>>,
    ) -> Result<Heard<G, C>, String> {
        let not_now = || self.lang.pick("This cannot be done now.", "Das geht jetzt nicht.").to_owned();
        let pressed = match serde_json::from_str(message).map_err(|why| why.to_string())? {
            Asked::Draft(draft) => {
                self.draft = Some(draft.get().to_owned());
                self.drafts += 1;
                return Ok(Heard::Nothing);
            }
            Asked::Command(command) => return Ok(Heard::Command(command)),
            // Whoever knows a game well is large: there are no hints in browsers.
            Asked::Hint {} => return Err(not_now()),
            Asked::Press { key, height, draft } => {
                let board = board.ok_or_else(not_now)?.at(height);
                board.and_then(|board| board.press(key, draft.as_deref().map(RawValue::get)))
            }
            Asked::Place { place, height, draft } => {
                let board = board.ok_or_else(not_now)?.at(height);
                board.and_then(|board| board.place(place, draft.as_deref().map(RawValue::get)))
            }
        };
        match pressed {
            Ok(Pressed::Move(decided, kept)) => {
                self.draft = Some(kept);
                Ok(Heard::Move(decided))
            }
            Ok(Pressed::Draft(draft, said)) => {
                self.draft = Some(draft);
                Ok(said.map_or(Heard::Nothing, Heard::Told))
            }
            Err(NotPressed::Refused(why)) => Err(why),
            Err(NotPressed::NotAsked | NotPressed::Height { .. }) => Err(not_now()),
        }
    }
}

#[cfg(test)]
mod tests {
    use games::holdem::Holdem;
    use maud::html;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Command {
        Stand {},
    }

    #[test]
    fn what_makes_no_sense_before_a_deal_is_refused_and_everything_else_is_heard() {
        let mut viewer = Viewer::new(Lang::De);
        let hear = |viewer: &mut Viewer, text: &str| viewer.hear::<Holdem, Command>(text, None);
        assert!(matches!(hear(&mut viewer, r#"{"command":{"stand":{}}}"#), Ok(Heard::Command(Command::Stand {}))));
        assert!(matches!(hear(&mut viewer, r#"{"draft":{"amount":5}}"#), Ok(Heard::Nothing)));
        for refused in [r#"{"press":{"key":"c","height":0}}"#, r#"{"place":{"place":1,"height":0}}"#, r#"{"hint":{}}"#]
        {
            assert_eq!(hear(&mut viewer, refused).err().as_deref(), Some("Das geht jetzt nicht."));
        }
        assert!(hear(&mut viewer, "nonsense").is_err());
        let told = viewer.update(Height::default(), false, None, [("log", html! { ol {} })]);
        assert_eq!((&told["parts"]["drafts"], &told["parts"]["parts"][0]), (&json!(1), &json!("<ol></ol>")));
    }
}
