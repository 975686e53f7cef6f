//! What a result says: who played which match, and how it ended.
//!
//! [`Facts`] are what somebody claims; a [`Body`] is checked: its players, places and chips fit together. Whether it
//! is true is another question, which signatures and logs answer.

use core::fmt;

use games::AnyGame;
use table::{Chips, Counting, Standing};

use crate::names::{counting, game_name};
use crate::{Callsign, Hash, Public, Secret, Signature, Timestamp, Uuid, event, layout};

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The match.
    pub id: Uuid,
    /// Its game.
    pub game: AnyGame,
    /// When it ended.
    pub at: Timestamp,
    /// The combined seed of all players.
    pub seed: Hash,
    /// The head of the match's log at the entry that ended it. Private matches always have it; other programs may not.
    pub log_hash: Option<Hash>,
    /// Who played. Signatures count in this order.
    pub players: Vec<Player>,
}

/// One player of a match.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Player {
    /// What they are called.
    pub callsign: Callsign,
    /// Who they are.
    pub key: Public,
    /// 1 is best; equal places are shared and the next number is skipped (1, 1, 3).
    pub place: u8,
    /// Chips, cash or points in the end.
    pub amount: Chips,
}

/// Which of two forms a body has. Both say the same; they are signed separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The canonical one, which also says how many hands or rounds were played.
    Result {
        /// Hands of poker, rounds or deals of another game.
        deals: u32,
    },
    /// `CARD_GAME`, for exchange.
    CardGame,
}

/// Facts that fit together, in the form in which they are signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    facts: Facts,
    form: Form,
}

/// Why facts cannot be true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadFacts {
    /// The game is not played by so many.
    Players {
        /// The fewest.
        least: u8,
        /// The most.
        most: u8,
        /// How many are listed.
        found: usize,
    },
    /// A player is listed a second time: this one, counted from 1.
    Twice(usize),
    /// A player's place does not follow from the others': this one, counted from 1, should have that place.
    Place {
        /// Which player.
        player: usize,
        /// The place that fits.
        expected: u8,
    },
    /// A player has more or less than is possible: this one, counted from 1.
    Amount(usize),
    /// The chips in play do not divide by the players, or nobody can begin with so many or few.
    ChipSum {
        /// All chips together.
        found: Chips,
        /// The fewest that everybody can begin with.
        least: Chips,
        /// The most.
        most: Chips,
    },
}

/// Why a match cannot have ended when it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Implausible {
    /// Before there were such results.
    TooEarly,
    /// It has not happened yet.
    InFuture,
}

/// The beginning of 2020.
const EARLIEST: u64 = 1_577_836_800;
/// How far the clocks of two computers may be apart, in seconds.
const SLACK: u64 = 3600;

/// The key that signs is not the key of that player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotTheirs;

impl Facts {
    /// The lines of the players of a finished match, the best first and otherwise in the order of their seats;
    /// `people` are in the order of the seats.
    pub fn players_of(standing: &Standing, people: &[(Callsign, Public)]) -> Vec<Player> {
        let mut players: Vec<Player> = standing
            .place
            .seats()
            .zip(people)
            .map(|((seat, place), (callsign, key))| Player {
                callsign: callsign.clone(),
                key: *key,
                place: *place,
                amount: standing.total[seat],
            })
            .collect();
        players.sort_by_key(|player| player.place);
        players
    }

    /// Whether two say the same about the same match, in whatever order they list the players.
    pub fn same(&self, other: &Self) -> bool {
        let rest = |facts: &Self| (facts.id, facts.game, facts.at, facts.seed, facts.log_hash);
        let sorted = |facts: &Self| {
            let mut players = facts.players.clone();
            players.sort();
            players
        };
        rest(self) == rest(other) && sorted(self) == sorted(other)
    }

    /// Who played, in an order that does not depend on the file's.
    pub fn keys(&self) -> Vec<Public> {
        let mut keys: Vec<Public> = self.players.iter().map(|player| player.key).collect();
        keys.sort();
        keys
    }

    /// All amounts together.
    pub fn sum(&self) -> Chips {
        self.players.iter().map(|player| player.amount).sum()
    }

    /// Whether everybody can have begun with this many chips, for those who know it from a log. True for games in
    /// which chips come from a bank, and for those without.
    pub fn began_with(&self, chips: Chips) -> bool {
        let players = i64::try_from(self.players.len()).unwrap_or(i64::MAX);
        counting(self.game) != Counting::Chips || self.sum() == chips * players
    }

    /// Whether the match can have ended when it says, seen from now. Clocks differ, but not by much.
    pub fn plausible(&self, now: Timestamp) -> Result<(), Implausible> {
        if self.at.seconds() < EARLIEST {
            return Err(Implausible::TooEarly);
        }
        if self.at.seconds() > now.seconds().saturating_add(SLACK) {
            return Err(Implausible::InFuture);
        }
        Ok(())
    }

    fn check(&self) -> Result<(), BadFacts> {
        let found = self.players.len();
        let range = games::with_game!(self.game, G => <G as table::Game>::PLAYERS);
        let (least, most) = (*range.start(), *range.end());
        let count = u8::try_from(found).ok().filter(|count| range.contains(count));
        let count = count.ok_or(BadFacts::Players { least, most, found })?;
        for (index, player) in self.players.iter().enumerate() {
            let number = index + 1;
            if self.players.iter().take(index).any(|other| other.key == player.key) {
                return Err(BadFacts::Twice(number));
            }
            let ahead = self.players.iter().filter(|other| other.place < player.place).count();
            let expected = u8::try_from(ahead + 1).unwrap_or(u8::MAX);
            if player.place != expected {
                return Err(BadFacts::Place { player: number, expected });
            }
            let Chips(most) = Chips::MOST;
            let least = if matches!(self.game, AnyGame::Holdem | AnyGame::Blackjack) { 0 } else { -most };
            if !(least..=most).contains(&player.amount.0) {
                return Err(BadFacts::Amount(number));
            }
        }
        if counting(self.game) == Counting::Chips {
            let Chips(sum) = self.sum();
            let (least, most) = starting(self.game);
            let each = sum / i64::from(count);
            if each * i64::from(count) != sum || !(least.0..=most.0).contains(&each) {
                return Err(BadFacts::ChipSum { found: Chips(sum), least, most });
            }
        }
        Ok(())
    }
}

/// What everybody can begin a match with. A result does not say it; a log does.
fn starting(game: AnyGame) -> (Chips, Chips) {
    let least = if game == AnyGame::Ongdu { 10 } else { 100 };
    (Chips(least), Chips(1_000_000))
}

impl Body {
    /// Checks that the facts fit together.
    pub fn new(facts: Facts, form: Form) -> Result<Self, BadFacts> {
        facts.check()?;
        Ok(Self { facts, form })
    }

    /// What it says.
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Its form.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The text that is signed.
    pub fn text(&self) -> String {
        layout::write_body(&self.facts, self.form)
    }

    /// The same facts as an export.
    pub fn card_game(&self) -> Self {
        Self { facts: self.facts.clone(), form: Form::CardGame }
    }

    /// What the player at this index signs; `None` if there is none.
    pub fn signing_hash(&self, index: usize) -> Option<[u8; 32]> {
        self.signing_hash_of(&self.text(), index)
    }

    /// The same, where the text is at hand.
    pub(crate) fn signing_hash_of(&self, text: &str, index: usize) -> Option<[u8; 32]> {
        let player = self.facts.players.get(index)?;
        let (id, callsign) = (self.facts.id.to_string(), player.callsign.to_string());
        let tags = [["t", "card_game"], ["game_id", &id], ["callsign", &callsign]];
        Some(event::id(&player.key, self.facts.at, &tags, text))
    }

    /// Signs for the player at this index, with fresh randomness.
    pub fn sign(&self, index: usize, secret: &Secret, aux: &[u8; 32]) -> Result<Signature, NotTheirs> {
        let key = self.facts.players.get(index).map(|player| player.key);
        let hash = self.signing_hash(index).filter(|_| key == Some(secret.public())).ok_or(NotTheirs)?;
        Ok(secret.sign(&hash, aux))
    }

    /// Whether a better-placed player has less than one behind them, which is so only if the other left the match:
    /// both, counted from 1.
    pub fn oddity(&self) -> Option<(usize, usize)> {
        let fewer_is_better = counting(self.facts.game) == Counting::Penalties;
        let numbered = || (1..).zip(&self.facts.players);
        numbered().find_map(|(ahead, a)| {
            let behind = numbered().find(|(_, b)| {
                let worse = if fewer_is_better { a.amount > b.amount } else { a.amount < b.amount };
                a.place < b.place && worse
            });
            behind.map(|(behind, _)| (ahead, behind))
        })
    }

    /// A name for people: `poker 0f8fad5b-…`.
    pub fn title(&self) -> String {
        format!("{} {}", game_name(self.facts.game), self.facts.id)
    }
}

impl fmt::Display for BadFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players { least, most, found } => {
                write!(f, "{found} players; this game is for {least} to {most}")
            }
            Self::Twice(player) => write!(f, "player {player} is listed twice"),
            Self::Place { player, expected } => {
                write!(
                    f,
                    "player {player} should be in place {expected}: equal results share a place, and the next is skipped"
                )
            }
            Self::Amount(player) => write!(f, "player {player} cannot have so many or so few"),
            Self::ChipSum { found, least, most } => {
                write!(f, "there are {found} chips; everybody begins with the same number, from {least} to {most}")
            }
        }
    }
}

impl fmt::Display for Implausible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooEarly => "it is dated before 2020, when there were no such results",
            Self::InFuture => "it is dated in the future",
        })
    }
}

impl fmt::Display for NotTheirs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key belongs to another player")
    }
}

impl std::error::Error for BadFacts {}
impl std::error::Error for Implausible {}
impl std::error::Error for NotTheirs {}
