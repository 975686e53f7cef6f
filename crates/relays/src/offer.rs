//! Tables that are offered to everybody, and invitations for one person.
//!
//! An [`Offer`] is public: a game, a name, and the key through which the table's hub is reached ([`Through`]). Whoever
//! wants to play knocks there, and somebody at the table lets them in. An [`Invitation`] has a ticket, so it travels as a
//! [`gift`](crate::gift). Both end by themselves: a host says again and again that the table is there.

use core::fmt;

use games::AnyGame;
use results::{Public, Secret};
use serde::{Deserialize, Serialize};
use table::record::{hex, unhex};

use crate::address::Through;
use crate::event::tag;
use crate::{Draft, Event, Filter, Kind, RelayUrl, Seconds};

/// How long an offer or an invitation may last.
pub const LONGEST: Seconds = 7 * 86_400;
/// How far clocks may be apart.
const SLACK: Seconds = 600;
/// The longest name of a table, in bytes.
const MOST_NAME: usize = 96;
/// The longest ticket.
const MOST_TICKET: usize = 600;
const VERSION: u8 = 1;

/// A table that anybody may knock at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The table's id.
    pub table: [u8; 32],
    /// The game.
    pub game: AnyGame,
    /// The table's name.
    pub name: String,
    /// How many play there.
    pub seats: u8,
}

/// An invitation to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    /// The game.
    pub game: AnyGame,
    /// The table's name.
    pub name: String,
    /// The way in. It is a secret.
    pub ticket: String,
}

/// Why an event is no offer or invitation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoOffer {
    /// It is an event of another kind.
    Kind(Kind),
    /// It is over, or lasts longer than [`LONGEST`], or does not say for how long.
    Over,
    /// What it says cannot be read.
    Form,
}

#[derive(Serialize, Deserialize)]
struct WrittenOffer {
    v: u8,
    game: String,
    name: String,
    seats: u8,
}

#[derive(Serialize, Deserialize)]
struct WrittenInvitation {
    v: u8,
    game: String,
    name: String,
    ticket: String,
}

impl Offer {
    /// Says that the table is there, until then. The hub's own key on the relay signs it.
    pub fn write(&self, at: Seconds, expires: Seconds) -> Draft {
        let Self { table, game, name, seats } = self;
        let (game, name) = (game.name().to_owned(), name.clone());
        let tags =
            ends(vec![tag("d", hex(table)), tag("t", "card_game"), tag("alt", format!("a table of {game}"))], expires);
        let content =
            serde_json::to_string(&WrittenOffer { v: VERSION, game, name, seats: *seats }).unwrap_or_default();
        Draft { at, kind: Kind::OFFER, tags, content }
    }

    /// Says that the table is no longer there.
    pub fn withdraw(table: &[u8; 32], at: Seconds) -> Draft {
        let tags = ends(vec![tag("d", hex(table)), tag("t", "card_game")], at);
        Draft { at, kind: Kind::OFFER, tags, content: String::new() }
    }

    /// All offers since then.
    pub fn all(since: Seconds) -> Filter {
        Filter { since: Some(since), ..Filter::of(Kind::OFFER) }.with('t', vec!["card_game".to_owned()])
    }

    /// The offer in an event, and where to knock.
    pub fn read(event: &Event, relay: &RelayUrl, now: Seconds) -> Result<(Self, Through), NoOffer> {
        if event.kind() != Kind::OFFER {
            return Err(NoOffer::Kind(event.kind()));
        }
        lasting(event.at(), event.expires(), now)?;
        let table = event.tag("d").and_then(unhex).and_then(|id| id.try_into().ok()).ok_or(NoOffer::Form)?;
        let written: WrittenOffer = serde_json::from_str(event.content()).map_err(|_| NoOffer::Form)?;
        let (game, name) = shown(written.v, &written.game, written.name)?;
        let offer = Self { table, game, name, seats: written.seats };
        Ok((offer, Through { relay: relay.clone(), key: event.by() }))
    }
}

impl Invitation {
    /// What is put into a gift.
    pub fn write(&self, at: Seconds, expires: Seconds) -> Draft {
        let Self { game, name, ticket } = self.clone();
        let written = WrittenInvitation { v: VERSION, game: game.name().to_owned(), name, ticket };
        let content = serde_json::to_string(&written).unwrap_or_default();
        Draft { at, kind: Kind::INVITATION, tags: ends(Vec::new(), expires), content }
    }

    /// Gifts for this person.
    pub fn all_for(reader: Public) -> Filter {
        Filter::of(Kind::GIFT).with('p', vec![reader.hex()])
    }

    /// The invitation in a gift, and who sent it.
    pub fn read(gift: &Event, secret: &Secret, now: Seconds) -> Result<(Self, Public), NoOffer> {
        let (from, draft) = crate::gift::open(gift, secret).map_err(|_| NoOffer::Form)?;
        if draft.kind != Kind::INVITATION {
            return Err(NoOffer::Kind(draft.kind));
        }
        lasting(draft.at, draft.tag("expiration").and_then(|until| until.parse().ok()), now)?;
        let written: WrittenInvitation = serde_json::from_str(&draft.content).map_err(|_| NoOffer::Form)?;
        let (game, name) = shown(written.v, &written.game, written.name)?;
        if written.ticket.len() > MOST_TICKET {
            return Err(NoOffer::Form);
        }
        Ok((Self { game, name, ticket: written.ticket }, from))
    }
}

fn ends(mut tags: Vec<Vec<String>>, expires: Seconds) -> Vec<Vec<String>> {
    tags.push(tag("expiration", expires.to_string()));
    tags
}

/// Whether something that was said then, and holds until then, holds now.
fn lasting(at: Seconds, until: Option<Seconds>, now: Seconds) -> Result<(), NoOffer> {
    let until = until.ok_or(NoOffer::Over)?;
    let begun = at <= now.saturating_add(SLACK);
    if begun && until > now && until <= at.saturating_add(LONGEST) { Ok(()) } else { Err(NoOffer::Over) }
}

/// What a stranger calls a table, if it can be shown.
fn shown(version: u8, game: &str, name: String) -> Result<(AnyGame, String), NoOffer> {
    let game = AnyGame::from_name(game).filter(|_| version == VERSION).ok_or(NoOffer::Form)?;
    let fits = !name.is_empty() && name.len() <= MOST_NAME && !name.chars().any(crate::message::steers);
    if fits { Ok((game, name)) } else { Err(NoOffer::Form) }
}

impl fmt::Display for NoOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(Kind(kind)) => write!(f, "an event of kind {kind} is no offer of a table"),
            Self::Over => f.write_str("it is over"),
            Self::Form => f.write_str("it cannot be read"),
        }
    }
}

impl std::error::Error for NoOffer {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gift::{Fresh, wrap};

    fn secret(byte: u8) -> Secret {
        Secret::from_bytes(&[byte; 32]).unwrap()
    }

    fn relay() -> RelayUrl {
        "wss://relay.example.org".parse().unwrap()
    }

    fn offer() -> Offer {
        Offer { table: [5; 32], game: AnyGame::Blackout, name: "Eva's table".to_owned(), seats: 3 }
    }

    #[test]
    fn an_offer_says_where_to_knock_until_it_ends() {
        let event = offer().write(1000, 2000).sign(&secret(1), &[0; 32]);
        let (read, through) = Offer::read(&event, &relay(), 1500).unwrap();
        assert_eq!((read, through.key), (offer(), secret(1).public()));
        for (now, seen) in [(399, false), (400, true), (1999, true), (2000, false)] {
            assert_eq!(Offer::read(&event, &relay(), now).is_ok(), seen, "{now}");
        }
        let forever = offer().write(1000, 1001 + LONGEST).sign(&secret(1), &[0; 32]);
        assert_eq!(Offer::read(&forever, &relay(), 1500), Err(NoOffer::Over));
        let withdrawn = Offer::withdraw(&[5; 32], 1000).sign(&secret(1), &[0; 32]);
        assert_eq!(Offer::read(&withdrawn, &relay(), 1000), Err(NoOffer::Over));
        assert!(Offer::all(500).fits(&event));
    }

    #[test]
    fn what_strangers_write_is_shown_only_if_it_is_harmless() {
        let long = "x".repeat(MOST_NAME + 1);
        for name in ["", "a\u{1b}[2Jb", "a\u{202e}b", "two\nlines", long.as_str()] {
            let event = Offer { name: name.to_owned(), ..offer() }.write(1000, 2000).sign(&secret(1), &[0; 32]);
            assert_eq!(Offer::read(&event, &relay(), 1500), Err(NoOffer::Form), "{name:?}");
        }
        let other = Draft { content: "{}".to_owned(), ..offer().write(1000, 2000) }.sign(&secret(1), &[0; 32]);
        assert_eq!(Offer::read(&other, &relay(), 1500), Err(NoOffer::Form));
    }

    #[test]
    fn an_invitation_is_for_one_person() {
        let invitation =
            Invitation { game: AnyGame::Holdem, name: "Friends".to_owned(), ticket: "wss://x#fdt1".to_owned() };
        let fresh = Fresh { once: secret(9), nonces: [[1; 32], [2; 32]], aux: [[0; 32]; 2], at: [900, 950] };
        let draft = invitation.write(1000, 2000);
        let gift = wrap(&draft, &secret(1), &secret(2).public(), Some(2000), &fresh).unwrap();
        assert!(Invitation::all_for(secret(2).public()).fits(&gift));
        assert_eq!(Invitation::read(&gift, &secret(2), 1500), Ok((invitation, secret(1).public())));
        assert_eq!(Invitation::read(&gift, &secret(2), 2500), Err(NoOffer::Over));
        assert_eq!(Invitation::read(&gift, &secret(3), 1500), Err(NoOffer::Form));
        assert!(!gift.text().contains("fdt1"), "a ticket is a secret");
    }
}
