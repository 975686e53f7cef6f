//! A hand is its log.
//!
//! What is stored is how the hand began and every input since. The state of play is a [`Table`] of [`games::holdem`]
//! that follows from these, so it is rebuilt when a stored hand is read and kept beside the log in memory. A log that
//! the rules do not accept cannot be read.

use borsh::{BorshDeserialize, BorshSerialize, io};
use cards::Card;
use games::holdem::{self, Deal, Illegal, Setup};
use table::{Awaiting, Chips, Faces, Height, Order, PerSeat, Refused, Rules, Run, Seat, Seats, Slot, Table};

use super::{Action, SEATS};
use crate::units::{Address, Coins};

/// From this many steps on, the only raise is all-in, so that two players with very deep stacks cannot make a log that
/// burdens everybody.
pub(super) const MOST_RAISES: usize = 4_096;
/// No log is longer: after the last raise but all-in, every seat can be all-in once and answer every other.
const MOST_STEPS: usize = MOST_RAISES + 512;
/// No step opens more cards than nine hands and the board.
const MOST_OPENED: usize = 23;

/// The hand that is being played at a table.
#[derive(Clone, Debug)]
pub struct Hand {
    begun: Begun,
    log: Vec<Step>,
    since: Moment,
    table: Table<Deal>,
}

/// How a hand began. Nothing of it changes during the hand.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Begun {
    /// The number of its deck, which is also the number of the hand.
    pub deck: u32,
    /// Who was dealt in, by seat.
    pub players: Vec<DealtIn>,
    /// Who has the button.
    pub button: u8,
    /// The small blind.
    pub small_blind: Coins,
    /// The big blind.
    pub big_blind: Coins,
    /// Live hands are shown as soon as nobody can bet any more.
    pub early_allin_reveal: bool,
    /// What is taken from the pots, in ten-thousandths.
    pub rake_bps: u16,
}

/// Somebody who was dealt in.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct DealtIn {
    /// Where they sit.
    pub seat: u8,
    /// Who they are.
    pub address: Address,
    /// The key their cards are sealed to.
    pub key: [u8; 32],
    /// Their stack before the blinds.
    pub stack: Coins,
}

/// An input of a hand.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The dealer carried out the orders; these cards were opened by that, with their places in the deck.
    Dealt(Vec<(u16, u8)>),
    /// A seat acted.
    Act {
        /// Which.
        seat: u8,
        /// What it did.
        action: Action,
        /// Its time was up, and this was done for it.
        timed_out: bool,
    },
}

/// A moment of the chain.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The height of the block.
    pub height: u64,
    /// Its game clock, in milliseconds.
    pub clock: u64,
}

/// What the dealer opened by carrying out orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opened {
    /// Cards of the board.
    Board(Run),
    /// The hole cards of a seat.
    Shown(Seat, Run),
}

impl Hand {
    /// A hand at its beginning; `None` if the rules do not allow to begin like that.
    pub(super) fn begin(begun: Begun, since: Moment) -> Option<Self> {
        let table = begun.table()?;
        Some(Self { begun, log: Vec::new(), since, table })
    }

    /// How it began.
    pub const fn begun(&self) -> &Begun {
        &self.begun
    }

    /// The number of its deck, which is also its own number.
    pub const fn number(&self) -> u32 {
        self.begun.deck
    }

    /// Every input since it began.
    pub fn log(&self) -> &[Step] {
        &self.log
    }

    /// What seats did so far, in order.
    pub fn actions(&self) -> impl Iterator<Item = (Seat, holdem::Action)> {
        self.log().iter().filter_map(|step| match step {
            Step::Dealt(_) => None,
            Step::Act { seat, action, .. } => Some((Seat::new(*seat)?, (*action).into())),
        })
    }

    /// When what it waits for began to be awaited.
    pub const fn since(&self) -> Moment {
        self.since
    }

    /// The state of play.
    pub const fn table(&self) -> &Table<Deal> {
        &self.table
    }

    /// Where somebody sits in this hand.
    pub fn seat_of(&self, address: &Address) -> Option<Seat> {
        self.begun.players.iter().find(|player| player.address == *address).and_then(|player| Seat::new(player.seat))
    }

    /// Everybody who was dealt in.
    pub fn seats(&self) -> Seats {
        self.begun.players.iter().filter_map(|player| Seat::new(player.seat)).collect()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Option<Seat> {
        match self.table.awaiting() {
            Awaiting::Turn(seat) => Some(seat),
            Awaiting::Dealer | Awaiting::Choices(_) | Awaiting::Over => None,
        }
    }

    /// All chips in it: those that players have before them, and those in the pots.
    pub fn chips(&self) -> Coins {
        let rules = self.table.rules();
        let behind: Chips = rules.stacks().iter().copied().sum();
        let pots: Chips = rules.pots().map(|pot| pot.amount).sum();
        Coins::from_chips(behind + pots).unwrap_or_default()
    }

    /// What a seat has before it.
    pub fn stack(&self, seat: Seat) -> Coins {
        Coins::from_chips(self.table.rules().stacks()[seat]).unwrap_or_default()
    }

    /// A seat acts; the caller has checked that the action is from there. A refused action changes nothing.
    pub(super) fn act(
        &mut self,
        height: Height,
        (seat, action, timed_out): (Seat, Action, bool),
        now: Moment,
    ) -> Result<(), Refused<Illegal>> {
        self.table.act(height, seat, &action.into(), &Faces::new())?;
        self.log.push(Step::Act { seat: seat.index(), action, timed_out });
        self.since = now;
        Ok(())
    }

    /// The dealer has carried out the orders. Returns what was opened; an error changes nothing.
    pub(super) fn dealt(&mut self, opened: &Faces, now: Moment) -> Result<Vec<Opened>, Refused<Illegal>> {
        let rules = self.table.rules();
        let board = rules.board();
        let what = |order: Order| match order {
            Order::Shuffle { .. } | Order::Deal { .. } => None,
            Order::Open { slots } if slots.first.index >= board.first.index => Some(Opened::Board(slots)),
            Order::Open { slots } => {
                self.seats().iter().find(|seat| rules.hole(*seat) == slots).map(|seat| Opened::Shown(seat, slots))
            }
        };
        let list: Vec<Opened> = self.table.orders().filter_map(what).collect();
        self.table.dealt(self.table.height(), opened)?;
        let slots = list.iter().flat_map(|opened| opened.run().slots());
        let cards = slots.filter_map(|slot| Some((slot.index, self.table.open().get(slot)?.code()))).collect();
        self.log.push(Step::Dealt(cards));
        self.since = now;
        Ok(list)
    }

    fn replay(begun: Begun, log: Vec<Step>, since: Moment) -> Option<Self> {
        let mut table = begun.table()?;
        for step in &log {
            let height = table.height();
            match step {
                Step::Dealt(cards) => {
                    let face =
                        |(index, code): &(u16, u8)| Some((Slot::new(begun.deck, *index), Card::from_code(*code)?));
                    let faces: Faces = cards.iter().map(face).collect::<Option<_>>()?;
                    table.dealt(height, &faces).ok()?;
                }
                Step::Act { seat, action, .. } => {
                    table.act(height, Seat::new(*seat)?, &(*action).into(), &Faces::new()).ok()?;
                }
            }
        }
        Some(Self { begun, log, since, table })
    }
}

impl Begun {
    /// Somebody who was dealt in.
    pub fn player(&self, seat: Seat) -> Option<&DealtIn> {
        self.players.iter().find(|player| player.seat == seat.index())
    }

    /// The table at the beginning; `None` if the rules do not allow to begin like that.
    pub fn table(&self) -> Option<Table<Deal>> {
        let mut stacks = PerSeat::new(SEATS);
        for player in &self.players {
            stacks[Seat::new(player.seat).filter(|seat| seat.index() < SEATS)?] = player.stack.chips()?;
        }
        let (small, big) = (self.small_blind.chips()?, self.big_blind.chips()?);
        let setup = Setup {
            first_deck: self.deck,
            early_allin_reveal: self.early_allin_reveal,
            ..Setup::new(stacks.as_slice(), Some(Seat::new(self.button)?), small, big)
        };
        Deal::deal(&setup).ok().map(|deal| Table::new(deal, Height(0)))
    }
}

impl Opened {
    const fn run(self) -> Run {
        match self {
            Self::Board(run) | Self::Shown(_, run) => run,
        }
    }
}

/// The log, without the state of play that follows from it.
impl BorshSerialize for Hand {
    fn serialize<W: io::Write>(&self, writer: &mut W) -> io::Result<()> {
        self.begun.serialize(writer)?;
        self.log.serialize(writer)?;
        self.since.serialize(writer)
    }
}

impl BorshDeserialize for Hand {
    fn deserialize_reader<R: io::Read>(reader: &mut R) -> io::Result<Self> {
        let begun = Begun::deserialize_reader(reader)?;
        let steps = u32::deserialize_reader(reader)?;
        let wrong = |what| io::Error::new(io::ErrorKind::InvalidData, what);
        if begun.players.len() > usize::from(SEATS) || usize::try_from(steps).is_ok_and(|steps| steps > MOST_STEPS) {
            return Err(wrong("the hand has more players or steps than any hand can have"));
        }
        let log = (0..steps).map(|_| Step::deserialize_reader(reader)).collect::<io::Result<Vec<_>>>()?;
        if log.iter().any(|step| matches!(step, Step::Dealt(cards) if cards.len() > MOST_OPENED)) {
            return Err(wrong("a step of the hand opens more cards than any step can"));
        }
        let since = Moment::deserialize_reader(reader)?;
        Self::replay(begun, log, since).ok_or_else(|| wrong("the rules do not accept the log of the hand"))
    }
}
