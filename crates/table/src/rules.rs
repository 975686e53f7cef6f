//! The trait every game implements, and the words it speaks.
//!
//! A game is a pure state machine for *one deal*. It never touches a deck: it says as data what it waits
//! for ([`Rules::awaiting`]), and whoever runs the table fills that.
//!
//! ```text
//! Awaiting::Dealer        the orders (shuffle, deal, open) are carried out   -> Input::Dealt
//! Awaiting::Turn(seat)    that seat acts; what it lays face up travels along -> Input::Act
//! Awaiting::Choices(..)   several seats choose in secret                     -> Input::Choices
//! Awaiting::Over          nothing; the outcome stands
//! ```
//!
//! Rules see only faces that everybody has seen. What depends on cards not shown is a [`Claim`], judged
//! once its slots are open.

use core::error::Error;
use core::fmt::{self, Debug};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{BadSetting, Draw, Eye, Faces, Known, Look, Outcome, Run, Seat, Seats, Slot, Source};

/// One deal of a game.
///
/// Public state only, the same on every replica; `Serialize` is what the state hash is taken over.
/// [`Rules::apply`] checks and changes in one step, and an error leaves the state as it was.
pub trait Rules: Clone + Debug + Serialize {
    /// How a deal begins, as somebody typed it: unchecked until [`Rules::deal`].
    type Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a seat can do in its turn.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What several seats decide in secret at the same time; [`NoChoice`] where a game has none.
    type Choice: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a seat says about cards that nobody else has seen; [`NoClaim`] where a game has none.
    type Claim: Claim<Illegal = Self::Illegal>;
    /// Why the game refuses, as data.
    type Illegal: Error + Clone + PartialEq;
    /// What somebody sees.
    type View: Clone + Debug + PartialEq + Serialize;
    /// What a seat can do now.
    type Moves: Moves<Action = Self::Action, Choice = Self::Choice>;

    /// Do choices name slots and nothing else? Slots say nothing about faces, so such a choice may be seen
    /// before all have chosen; any other must be closed first.
    const CHOICES_NAME_SLOTS: bool = false;

    /// The deal at its beginning, or which field of the setup is out of range.
    fn deal(setup: &Self::Setup) -> Result<Self, BadSetting>;

    /// How many chairs stand round the table, empty or out ones included.
    fn players(&self) -> u8;

    /// What the deal waits for. Small and `Copy`: asked before every input.
    fn awaiting(&self) -> Awaiting;

    /// The orders behind [`Awaiting::Dealer`], one by one; `None` after the last.
    fn order(&self, i: usize) -> Option<Order>;

    /// The deck numbers this deal uses, from the oldest whose slots it may still name up to (not
    /// including) the first free number.
    fn decks(&self) -> core::ops::Range<u32>;

    /// The slots that lie face up once this seat has taken this action; their faces travel with it.
    /// Asked of unchecked input: nonsense shows nothing.
    fn shows(&self, seat: Seat, action: &Self::Action) -> impl Iterator<Item = Slot>;

    /// What the seat says about its closed cards by taking this action. `faces` knows at least every open
    /// face and what the action lays down. Asked of unchecked input: nonsense claims nothing.
    fn claim(&self, faces: &impl Look, seat: Seat, action: &Self::Action) -> Option<Self::Claim>;

    /// Checks an input and carries it out; an error changes nothing. `open` holds every face that
    /// everybody has seen, those that came with this very input included.
    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Self::Illegal>;

    /// Is this a choice the seat may make now? The same check that [`Rules::apply`] makes of each.
    fn admits_choice(&self, seat: Seat, choice: &Self::Choice) -> Result<(), Self::Illegal>;

    /// The result; meaningful once over.
    fn outcome(&self) -> Outcome;

    /// The result when the deal cannot be finished, in whatever state it is: a false claim, a seat whose
    /// key is gone, a failed dealer. Never pays a culprit.
    fn break_off(&self, why: Breakdown) -> Outcome;

    /// Public state plus what this eye has seen. Built by adding, never by taking away.
    fn view(&self, known: Known<'_>, eye: Eye) -> Self::View;

    /// What the seat can do now, as far as it can know.
    fn moves(&self, known: Known<'_>, seat: Seat) -> Self::Moves;

    /// What is done for a seat whose time is up, if that can be told from these faces.
    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Self::Action, Self::Choice>>;
}

/// What a deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaiting {
    /// The dealer, to carry out the orders.
    Dealer,
    /// One seat.
    Turn(Seat),
    /// A secret choice of each of these.
    Choices(Seats),
    /// Nothing.
    Over,
}

impl fmt::Display for Awaiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dealer => f.write_str("the dealer"),
            Self::Turn(seat) => write!(f, "{seat}"),
            Self::Choices(seats) => {
                f.write_str("choices of seats")?;
                seats.iter().try_for_each(|s| write!(f, " {}", s.number()))
            }
            Self::Over => f.write_str("nothing, the deal is over"),
        }
    }
}

/// What rules may ask of a dealer: data, not a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// Make a deck with this number.
    Shuffle {
        /// Its number: the next free one.
        deck: u32,
        /// What it is made of.
        from: Source,
    },
    /// Let this seat alone see these.
    Deal {
        /// Who.
        to: Seat,
        /// Which.
        slots: Run,
    },
    /// Let everybody see these.
    Open {
        /// Which.
        slots: Run,
    },
}

/// What moves a deal on.
#[derive(Debug)]
pub enum Input<'a, R: Rules> {
    /// The orders have been carried out.
    Dealt,
    /// A seat acts; what [`Rules::shows`] named is open.
    Act {
        /// Who.
        seat: Seat,
        /// What.
        action: &'a R::Action,
    },
    /// The choices of all awaited seats, by seat.
    Choices(&'a [(Seat, R::Choice)]),
    /// A seat has left for good. Accepted in every state but the last, of every seat still in.
    Gone(Seat),
}

/// Something a seat says about closed cards by acting: "none of these is a spade".
pub trait Claim: Clone + Debug + Serialize {
    /// The game's reasons.
    type Illegal;
    /// Who says it.
    fn by(&self) -> Seat;
    /// The cards it is about.
    fn slots(&self) -> impl Iterator<Item = Slot>;
    /// Is it true? Asked with all of [`Claim::slots`] known; `false` if one is not.
    fn holds(&self, faces: &impl Look) -> bool;
    /// The reason a house gives that knows it to be false.
    fn refusal(&self) -> Self::Illegal;
}

/// For games that never depend on closed cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct NoClaim<I>(NoChoice, core::marker::PhantomData<I>);

impl<I: Clone + Debug> Claim for NoClaim<I> {
    type Illegal = I;
    fn by(&self) -> Seat {
        match self.0 {}
    }
    fn slots(&self) -> impl Iterator<Item = Slot> {
        core::iter::empty()
    }
    fn holds(&self, _: &impl Look) -> bool {
        match self.0 {}
    }
    fn refusal(&self) -> I {
        match self.0 {}
    }
}

/// For games without secret choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub enum NoChoice {}

/// What a seat does when it is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Move<A, C> {
    /// In its turn.
    Act(A),
    /// Secretly, with others.
    Choose(C),
}

/// What a seat can do now. For people (serialised), for bots, and for trying rules out.
pub trait Moves: Clone + Debug + Serialize {
    /// The game's actions.
    type Action;
    /// The game's choices.
    type Choice;
    /// Any legal move, every kind of move with a fair chance; `None` if the seat is not asked.
    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Self::Action, Self::Choice>>;
}

/// Why a deal could not be finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breakdown {
    /// The cards could not be dealt; nobody at the table is to blame.
    DealerFailed,
    /// These seats are gone and cards cannot be opened without them.
    Vanished(Seats),
    /// These seats claimed what was not so.
    FalseClaim(Seats),
}

impl Breakdown {
    /// Whose fault it is.
    pub fn culprits(self) -> Seats {
        match self {
            Self::DealerFailed => Seats::NONE,
            Self::Vanished(seats) | Self::FalseClaim(seats) => seats,
        }
    }
}
