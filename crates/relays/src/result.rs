//! Results as events: the file of a result, with the signatures that somebody has of it.
//!
//! Each player publishes the file with at least their own signature. Everybody else, a station for instance, may publish
//! what they have. Whoever reads several of them adds up the signatures ([`Signed::merge`]); who published one is of no
//! importance, because the file proves itself.
//!
//! The tag `d` is the hash of the file's body, the part that is signed. So a relay keeps one event of each author for
//! each thing that was signed, publishing twice changes nothing, and two results that contradict each other are both
//! kept.

use core::fmt;

use results::{Form, Hash, Signed, Unreadable, game_name};
use sha2::{Digest as _, Sha256};

use crate::event::tag;
use crate::{Draft, Event, Kind, Seconds};

/// Why an event is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadResult {
    /// It is an event of another kind.
    Kind(Kind),
    /// Its content is no file of a result.
    File(Unreadable),
    /// It says that it is about another body than the one in it.
    OtherBody,
}

/// The hash by which the body of a result is known on relays.
pub fn mark(signed: &Signed) -> Hash {
    Hash(Sha256::digest(signed.body().text()).into())
}

/// An event with this result.
pub fn write(signed: &Signed, at: Seconds) -> Draft {
    let facts = signed.body().facts();
    let game = game_name(facts.game);
    let form = if signed.body().form() == Form::CardGame { "CARD_GAME" } else { "result" };
    let mut tags = vec![
        tag("d", mark(signed).to_string()),
        tag("t", "card_game"),
        tag("game_id", facts.id.to_string()),
        tag("alt", format!("{form} of a match of {game}")),
    ];
    tags.extend(facts.players.iter().map(|player| tag("p", player.key.hex())));
    Draft { at, kind: Kind::RESULT, tags, content: signed.text() }
}

/// The result in an event. Its signatures are not checked yet, and its date may be impossible.
pub fn read(event: &Event) -> Result<Signed, BadResult> {
    if event.kind() != Kind::RESULT {
        return Err(BadResult::Kind(event.kind()));
    }
    let signed = Signed::parse(event.content().as_bytes()).map_err(BadResult::File)?;
    if event.tag("d") != Some(mark(&signed).to_string().as_str()) {
        return Err(BadResult::OtherBody);
    }
    Ok(signed)
}

impl fmt::Display for BadResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(Kind(kind)) => write!(f, "an event of kind {kind} is no result"),
            Self::File(why) => why.fmt(f),
            Self::OtherBody => f.write_str("its tag d is not the hash of the result in it"),
        }
    }
}

impl std::error::Error for BadResult {}
