//! The trait every game implements, and its vocabulary.
//!
//! A game is a pure state machine for *one deal*. It never touches a deck. It says as data what it waits for
//! ([`Rules::awaiting`]), and its caller provides that.
//!
//! ```text
//! Awaiting::Dealer        the orders (shuffle, deal, open) are carried out   -> Input::Dealt
//! Awaiting::Turn(seat)    that seat acts, with any cards it lays face up     -> Input::Act
//! Awaiting::Choices(..)   several seats choose in secret                     -> Input::Choices
//! Awaiting::Over          nothing; the outcome is final
//! ```
//!
//! Rules see only faces that everybody has seen. A statement about hidden cards is a [`Claim`], judged once its
//! slots are open.

use core::error::Error;
use core::fmt::{self, Debug};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{BadSetting, Draw, Eye, Faces, Known, Look, Outcome, Run, Seat, Seats, Slot, Source};

/// One deal of a game.
///
/// Holds public state only, the same on every replica. The state hash is taken over its `Serialize` form.
/// [`Rules::apply`] checks and changes in one step, and an error leaves the state as it was.
pub trait Rules: Clone + Debug + Serialize + Send {
    /// How a deal begins, as entered: unchecked until [`Rules::deal`].
    type Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a seat can do on its turn.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;
    /// What several seats decide in secret at the same time; [`NoChoice`] if the game has none.
    type Choice: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;
    /// What a seat says about cards that nobody else has seen; [`NoClaim`] if the game has none.
    type Claim: Claim<Illegal = Self::Illegal>;
    /// Why the game refuses, as data.
    type Illegal: Error + Clone + PartialEq + Send;
    /// What a seat or a spectator sees.
    type View: Clone + Debug + PartialEq + Serialize;
    /// What a seat can do now.
    type Moves: Moves<Action = Self::Action, Choice = Self::Choice>;

    /// Whether choices name slots and nothing else. Slots say nothing about faces, so such a choice may be seen
    /// before everybody has chosen; any other must stay sealed until then.
    const CHOICES_NAME_SLOTS: bool = false;

    /// The deal at its beginning, or the field of the setup that is out of range.
    fn deal(setup: &Self::Setup) -> Result<Self, BadSetting>;

    /// The number of seats at the table, including empty ones and players who are out.
    fn players(&self) -> u8;

    /// What the deal waits for. Small and `Copy`: called before every input.
    fn awaiting(&self) -> Awaiting;

    /// The orders behind [`Awaiting::Dealer`], one by one; `None` after the last.
    fn order(&self, i: usize) -> Option<Order>;

    /// The deck numbers this deal uses, from the oldest whose slots it may still name up to (not
    /// including) the first free number.
    fn decks(&self) -> core::ops::Range<u32>;

    /// The slots that are face up once this seat has taken this action; their faces are sent with it. Called
    /// with unchecked input: nonsense shows nothing.
    fn shows(&self, seat: Seat, action: &Self::Action) -> impl Iterator<Item = Slot>;

    /// What the seat says about its closed cards by taking this action. `faces` has at least every open face
    /// and the cards the action lays down. Called with unchecked input: nonsense claims nothing.
    fn claim(&self, faces: &impl Look, seat: Seat, action: &Self::Action) -> Option<Self::Claim>;

    /// What the seat says about its closed cards by making this choice, like [`Rules::claim`] for actions.
    fn choice_claim(&self, _seat: Seat, _choice: &Self::Choice) -> Option<Self::Claim> {
        None
    }

    /// Checks an input and carries it out; an error changes nothing. `open` holds every face that everybody has
    /// seen, including those that came with this input.
    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Self::Illegal>;

    /// Checks whether the seat may make this choice now, as [`Rules::apply`] does for each choice.
    fn admits_choice(&self, seat: Seat, choice: &Self::Choice) -> Result<(), Self::Illegal>;

    /// The result; meaningful once the deal is over.
    fn outcome(&self) -> Outcome;

    /// The result if the deal cannot be finished from its current state: a false claim, a seat whose key is
    /// gone, a failed dealer. Never pays a culprit.
    fn break_off(&self, why: Breakdown) -> Outcome;

    /// Public state plus what this viewer has seen. Built by adding, never by removing.
    fn view(&self, known: Known<'_>, eye: Eye) -> Self::View;

    /// What the seat can do now, as far as it can know.
    fn moves(&self, known: Known<'_>, seat: Seat) -> Self::Moves;

    /// The move made for a seat whose time is up, if these faces are enough to choose it.
    fn default_move(&self, known: Known<'_>, seat: Seat) -> Option<Move<Self::Action, Self::Choice>>;
}

/// What a deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaiting {
    /// The dealer, to carry out the orders.
    Dealer,
    /// One seat.
    Turn(Seat),
    /// A secret choice from each of these seats.
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
                f.write_str("the choices of seats")?;
                seats.iter().try_for_each(|s| write!(f, " {}", s.number()))
            }
            Self::Over => f.write_str("nothing, the deal is over"),
        }
    }
}

/// What rules ask of a dealer: data, not a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// Make a deck with this number.
    Shuffle {
        /// Its number: the next free one.
        deck: u32,
        /// What it is made of.
        from: Source,
    },
    /// Show these to this seat alone.
    Deal {
        /// Who.
        to: Seat,
        /// Which.
        slots: Run,
    },
    /// Show these to everybody.
    Open {
        /// Which.
        slots: Run,
    },
}

/// An input to a deal.
#[derive(Debug)]
pub enum Input<'a, R: Rules> {
    /// The orders have been carried out.
    Dealt,
    /// A seat acts; the slots named by [`Rules::shows`] are open.
    Act {
        /// Who.
        seat: Seat,
        /// What.
        action: &'a R::Action,
    },
    /// The choices of all seats the deal waits for, in seat order.
    Choices(&'a [(Seat, R::Choice)]),
    /// A seat has left this deal. Accepted from every seat still in, in every state except the last.
    Gone(Seat),
    /// A seat hid its choice until the others had hidden theirs, and then did not open it. It has left this deal,
    /// too, and gets the worst outcome that its choice could have had: otherwise a closed bet would be a free look
    /// at the bets of others.
    Forfeit(Seat),
}

/// How a seat leaves a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leaving {
    /// For good: it leaves the match, too, by its own will or because it was proven to have cheated.
    #[default]
    Left,
    /// It does not answer. It may come back for the next deal.
    Away,
    /// It does not open the choice that it hid ([`Input::Forfeit`]). It may come back for the next deal.
    Withheld,
    /// It opened something else than the choice that it hid, which is cheating ([`Input::Forfeit`]): it leaves the
    /// match.
    Misopened,
}

impl Leaving {
    /// May the seat come back for the next deal?
    pub const fn may_return(self) -> bool {
        match self {
            Self::Away | Self::Withheld => true,
            Self::Left | Self::Misopened => false,
        }
    }
}

/// Something a seat says about closed cards by acting: "none of these is a spade".
pub trait Claim: Clone + Debug + Serialize + Send {
    /// The game's reasons for refusing.
    type Illegal;
    /// Who says it.
    fn by(&self) -> Seat;
    /// The cards it is about.
    fn slots(&self) -> impl Iterator<Item = Slot>;
    /// Whether it is true. Called with all of [`Claim::slots`] known; `false` if one is not.
    fn holds(&self, faces: &impl Look) -> bool;
    /// The reason given by a house that knows it is false.
    fn refusal(&self) -> Self::Illegal;
    /// Is it judged when the deal is over? Not if the rules judge it themselves once its cards are open, and need not
    /// if those stay closed.
    fn is_kept(&self) -> bool {
        true
    }
}

/// For games that never depend on closed cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct NoClaim<I>(NoChoice, core::marker::PhantomData<I>);

impl<I: Clone + Debug + Send> Claim for NoClaim<I> {
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

/// What a seat does when the table waits for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Move<A, C> {
    /// On its turn.
    Act(A),
    /// Secretly, with others.
    Choose(C),
}

/// What a seat can do now. For people (serialised), for bots, and for testing rules.
pub trait Moves: Clone + Debug + Serialize {
    /// The game's actions.
    type Action;
    /// The game's choices.
    type Choice;
    /// A random legal move, with a fair chance for every kind of move; `None` if it is not the seat's turn.
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
    /// These seats made false claims.
    FalseClaim(Seats),
    /// Cards cannot be opened without seats that were proven to have cheated when dealing.
    Cheated {
        /// Who was proven to have cheated.
        proven: Seats,
        /// Who is gone besides.
        vanished: Seats,
    },
}

impl Breakdown {
    /// Whose fault it is.
    pub fn culprits(self) -> Seats {
        match self {
            Self::DealerFailed => Seats::NONE,
            Self::Vanished(seats) | Self::FalseClaim(seats) => seats,
            Self::Cheated { proven, vanished } => proven | vanished,
        }
    }

    /// Whose fault is proven. Silence proves nothing.
    pub const fn proven(self) -> Seats {
        match self {
            Self::DealerFailed | Self::Vanished(_) => Seats::NONE,
            Self::FalseClaim(seats) | Self::Cheated { proven: seats, .. } => seats,
        }
    }
}
