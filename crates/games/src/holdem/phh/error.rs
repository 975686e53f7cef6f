//! What can be wrong with a file, and where.

use core::fmt;

use cards::Card;
use table::{BadSetting, Chips, Refused};

use super::amount::{BadAmount, Unit};
use super::notation::{MOST_PLAYERS, Player};
use super::{LARGEST, MOST_LINES};
use crate::holdem::Illegal;

/// What is wrong with a hand, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhhError {
    /// The hand, where a file holds several.
    pub hand: Option<String>,
    /// Where in it.
    pub place: Place,
    /// What.
    pub reason: Reason,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The file or the hand as a whole.
    Whole,
    /// A field.
    Field(String),
    /// A line of play.
    Action {
        /// Counted from 1.
        number: usize,
        /// What it says.
        text: String,
    },
    /// After the last line of play.
    End,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The file is too large.
    TooLarge,
    /// Not TOML; what the decoder says.
    NotToml(String),
    /// There is no hand in the file.
    NoHand,
    /// Another game than no-limit Texas hold'em.
    Variant(String),
    /// The field must be there.
    Missing,
    /// Something else should stand there.
    Expected(&'static str),
    /// An amount that cannot be.
    Amount(BadAmount),
    /// There must be as many as players.
    WrongNumber {
        /// Players.
        players: usize,
        /// As many are there.
        got: usize,
    },
    /// Too few or too many players.
    Players(usize),
    /// Too many lines of play.
    TooManyLines,
    /// Not a line of play.
    NotALine,
    /// No such player in this hand.
    NoSuchPlayer(String),
    /// Not a card.
    NotACard(String),
    /// More cards than can be.
    TooManyCards,
    /// A card of the board is unknown.
    UnknownBoard,
    /// The card is in two places.
    CardTwice(Card),
    /// Not the cards that the player was dealt.
    OtherCards(Player),
    /// The table cannot begin so.
    Setup(BadSetting),
    /// Something else is awaited.
    NotAwaited(Awaited),
    /// The player is not in the hand any more.
    NotInHand(Player),
    /// The rules refuse.
    Illegal {
        /// Why.
        why: Illegal,
        /// What its amounts are counted in.
        unit: Unit,
    },
    /// The table refuses.
    Refused(Refused<Illegal>),
    /// A hand must be compared of which not all cards are known.
    UnknownAtShowdown(Player),
    /// The hand is not over.
    Unfinished(Awaited),
    /// The stacks at the end are not those that the file has, and rake does not explain it.
    OtherStacks {
        /// By the rules.
        got: Vec<Chips>,
        /// In the file.
        written: Vec<Chips>,
        /// What they are counted in.
        unit: Unit,
    },
    /// Somebody cannot have won as much as the file has it.
    OtherWinnings {
        /// By the rules.
        got: Vec<Chips>,
        /// In the file.
        written: Vec<Chips>,
        /// What they are counted in.
        unit: Unit,
    },
}

/// What a hand waits for, in the words of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// The cards of a player.
    Hole(Player),
    /// So many cards of the board.
    Board(usize),
    /// The hands are to be shown.
    Showdown,
    /// A player's turn.
    Turn(Player),
    /// Nothing: the hand is over.
    Nothing,
}

impl PhhError {
    pub(super) const fn whole(reason: Reason) -> Self {
        Self { hand: None, place: Place::Whole, reason }
    }

    pub(super) fn field(name: &str, reason: Reason) -> Self {
        Self { hand: None, place: Place::Field(name.to_owned()), reason }
    }

    /// The line with this index, counted from 0.
    pub(super) fn action(index: usize, text: &str, reason: Reason) -> Self {
        Self { hand: None, place: Place::Action { number: index + 1, text: text.chars().take(60).collect() }, reason }
    }

    pub(super) fn of_hand(self, hand: &str) -> Self {
        Self { hand: Some(hand.to_owned()), ..self }
    }
}

impl fmt::Display for PhhError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(hand) = &self.hand {
            write!(f, "hand {}: ", hand.escape_debug())?;
        }
        match &self.place {
            Place::Whole => {}
            Place::Field(name) => write!(f, "field {}: ", name.escape_debug())?,
            // The text is a stranger's: escaped, it cannot steer a terminal.
            Place::Action { number, text } => write!(f, "action {number}, {text:?}: ")?,
            Place::End => f.write_str("after the last action: ")?,
        }
        self.reason.fmt(f)
    }
}

impl core::error::Error for PhhError {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the file is larger than {} MiB", LARGEST >> 20),
            Self::NotToml(why) => write!(f, "not TOML: {why}"),
            Self::NoHand => f.write_str("there is no hand in the file"),
            Self::Variant(variant) => {
                write!(f, "the variant {variant:?} is not known here, only \"NT\" (no-limit Texas hold'em)")
            }
            Self::Missing => f.write_str("the field is missing"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Amount(why) => why.fmt(f),
            Self::WrongNumber { players, got } => write!(f, "{got} entries for {players} players"),
            Self::Players(got) => write!(f, "a hand has 2 to {MOST_PLAYERS} players, not {got}"),
            Self::TooManyLines => write!(f, "a hand has at most {MOST_LINES} actions"),
            Self::NotALine => f.write_str("not an action of no-limit hold'em"),
            Self::NoSuchPlayer(who) => write!(f, "there is no player {}", who.escape_debug()),
            Self::NotACard(text) => write!(f, "expected a card such as Ah or ??, got {text:?}"),
            Self::TooManyCards => f.write_str("too many cards"),
            Self::UnknownBoard => f.write_str("a card of the board is unknown"),
            Self::CardTwice(card) => write!(f, "the card {card} appears twice"),
            Self::OtherCards(player) => write!(f, "{player} was dealt other cards"),
            Self::Setup(why) => write!(f, "the hand cannot begin like this: {why}"),
            Self::NotAwaited(awaited) => write!(f, "not now: {awaited}"),
            Self::NotInHand(player) => write!(f, "{player} is not in the hand any more"),
            Self::Illegal { why, unit } => illegal(f, *why, *unit),
            Self::Refused(why) => why.fmt(f),
            Self::UnknownAtShowdown(player) => {
                write!(f, "the cards of {player} are unknown, and the showdown needs them")
            }
            Self::Unfinished(awaited) => write!(f, "the hand is not over: {awaited}"),
            Self::OtherStacks { got, written, unit } => {
                write!(f, "the stacks at the end are {}, not {} as recorded", unit.list(got), unit.list(written))
            }
            Self::OtherWinnings { got, written, unit } => {
                write!(f, "the pots pay {}, not {} as recorded", unit.list(got), unit.list(written))
            }
        }
    }
}

/// The refusal with its amounts as the file counts them.
fn illegal(f: &mut fmt::Formatter<'_>, why: Illegal, unit: Unit) -> fmt::Result {
    match why {
        Illegal::CheckNotAllowed { to_call } => write!(f, "there is a bet: calling costs {}", unit.show(to_call)),
        Illegal::AmountOutOfRange { got } => write!(f, "a bet must be above zero, not {}", unit.show(got)),
        Illegal::NotEnoughChips { most, got } => {
            write!(f, "at most {} on this street (all-in), not {}", unit.show(most), unit.show(got))
        }
        Illegal::RaiseTooSmall { least, got } => {
            write!(f, "a bet or raise must go to at least {}, not {}", unit.show(least), unit.show(got))
        }
        Illegal::NotSeated
        | Illegal::WrongPhase
        | Illegal::NotYourTurn
        | Illegal::NothingToCall
        | Illegal::RaiseNotAllowed(_)
        | Illegal::CardMissing => write!(f, "{why}"),
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hole(player) => write!(f, "waiting for the hole cards of {player}"),
            Self::Board(1) => f.write_str("waiting for 1 card of the board"),
            Self::Board(cards) => write!(f, "waiting for {cards} cards of the board"),
            Self::Showdown => f.write_str("waiting for the showdown"),
            Self::Turn(player) => write!(f, "it is {player}'s turn"),
            Self::Nothing => f.write_str("the hand is over"),
        }
    }
}
