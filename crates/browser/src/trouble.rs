//! Why something cannot go on, and what somebody did wrong: a word for each, so that a page can say it in its language.

use core::fmt;

use dealers::joint;
use games::AnyGame;
use peer::frame::Why;
use peer::place::End;
use peer::{NotNext, Why as Ending, Wrong};
use serde_json::json;

use crate::call::Effect;

/// Why it cannot go on.
pub(crate) struct Trouble {
    /// A word that never changes.
    code: &'static str,
    text: String,
    /// The game whose module could go on.
    game: Option<AnyGame>,
}

impl Trouble {
    pub(crate) fn new(code: &'static str, text: impl fmt::Display) -> Self {
        Self { code, text: text.to_string(), game: None }
    }

    /// The match that has begun is of a game that is not in this module.
    pub(crate) fn other_game(game: AnyGame) -> Self {
        let text = format_args!("this module is for another game than {}", game.name());
        Self { game: Some(game), ..Self::new("other_game", text) }
    }

    /// The hub ends the connection for good.
    pub(crate) fn ended(end: End) -> Self {
        let code = match end {
            End::NotAHub => "not_a_hub",
            End::OtherHub => "other_hub",
            End::Closed(Why::Unfit) => "other_log",
            End::Closed(Why::NoTable) => "no_table",
            End::Closed(Why::NotAdmitted) => "not_admitted",
            End::Closed(Why::Replaced) => "replaced",
            End::Closed(Why::Full) => "full",
            End::Closed(Why::Malformed) => "malformed",
            End::Closed(Why::NotInOffice) => "not_in_office",
            End::Closed(Why::TooMuch(_) | Why::Closing | Why::Storage | Why::TimeUp) => "busy",
        };
        Self::new(code, end)
    }

    /// The hub sent an entry that cannot come next.
    pub(crate) fn not_next(why: &NotNext) -> Self {
        Self::new(broken(why), format_args!("the hub sent an entry that does not belong there: {why}"))
    }

    /// What the page is told.
    pub(crate) fn effects(self) -> Vec<Effect> {
        let told = match self.game {
            Some(game) => json!({ "trouble": self.code, "game": game.name() }),
            None => json!({ "trouble": self.code }),
        };
        vec![Effect::Tell(told.to_string()), Effect::Failed(self.text)]
    }
}

impl From<String> for Trouble {
    fn from(text: String) -> Self {
        Self { code: "other", text, game: None }
    }
}

impl From<&str> for Trouble {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// What is wrong with an entry that cannot come next.
pub(crate) const fn broken(why: &NotNext) -> &'static str {
    match why {
        NotNext::Unsigned => "unsigned",
        NotNext::Unfit(_) => "unfit",
        NotNext::Clock => "clock",
        NotNext::Change(_) => "change",
        NotNext::Pledged | NotNext::Released => "elsewhere",
    }
}

/// What a player did wrong.
pub(crate) const fn fault(wrong: &Wrong) -> &'static str {
    match wrong {
        Wrong::Seed => "seed",
        Wrong::Claim => "claim",
        Wrong::Signature => "signature",
        Wrong::Dealing(why) => match why {
            joint::Why::BadKey | joint::Why::BadDealing(_) | joint::Why::BadShareDealt { .. } => "key",
            joint::Why::FalseComplaint { .. } => "complaint",
            joint::Why::BadShuffle(_) => "shuffle",
            joint::Why::BadShares(_) | joint::Why::WrongCount { .. } => "shares",
            joint::Why::NotItsCard => "card",
            joint::Why::BadReveal => "reveal",
            joint::Why::Illegal(_) => "illegal",
        },
    }
}

/// Why a match ended.
pub(crate) const fn end(why: Ending) -> &'static str {
    match why {
        Ending::Over => "over",
        Ending::NotBegun { .. } => "not_begun",
        Ending::Abandoned => "abandoned",
        Ending::Disputed { .. } => "disputed",
    }
}
