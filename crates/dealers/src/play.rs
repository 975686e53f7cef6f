//! The loop that every way of playing is: ask the table what it waits for, get that, hand it over.

use core::fmt;

use table::record::{Evidence, Writer};
use table::{Awaiting, Known, Look, Move, Outcome, Refused, Rules, Seat, Table};

use crate::{Dealer, DealerError, Filling};

/// Whoever decides for the seats.
pub trait Players<R: Rules> {
    /// The seat is asked; it knows these faces. `None` leaves it to the game's default.
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Option<Move<R::Action, R::Choice>>;

    /// Is the table to be left as it is? Asked when nothing was decided.
    fn stopped(&self) -> bool {
        false
    }
}

impl<R: Rules, F> Players<R> for F
where
    F: FnMut(&Table<R>, Seat, Known<'_>) -> Option<Move<R::Action, R::Choice>>,
{
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Option<Move<R::Action, R::Choice>> {
        self(table, seat, known)
    }
}

/// Whoever writes down what happens; called before each input is played. `()` writes nothing.
pub trait Log<R: Rules> {
    /// The dealer proves what is about to be played, or was played before.
    fn evidence(&mut self, evidence: Vec<Evidence>);
    /// The orders have been carried out.
    fn dealt<D: Dealer>(&mut self, table: &Table<R>, dealer: &D);
    /// A seat acts.
    fn act(&mut self, table: &Table<R>, seat: Seat, action: &R::Action, faces: &impl Look, timeout: bool);
    /// Seats choose.
    fn choices(&mut self, table: &Table<R>, choices: &[(Seat, R::Choice)]);
}

impl<R: Rules> Log<R> for () {
    #[inline]
    fn evidence(&mut self, _: Vec<Evidence>) {}
    fn dealt<D: Dealer>(&mut self, _: &Table<R>, _: &D) {}
    fn act(&mut self, _: &Table<R>, _: Seat, _: &R::Action, _: &impl Look, _: bool) {}
    fn choices(&mut self, _: &Table<R>, _: &[(Seat, R::Choice)]) {}
}

/// One that is kept or not, as is decided while the program runs; `()` is for where that is known beforehand.
impl<R: Rules, L: Log<R>> Log<R> for Option<L> {
    fn evidence(&mut self, evidence: Vec<Evidence>) {
        if let Some(log) = self {
            log.evidence(evidence);
        }
    }
    fn dealt<D: Dealer>(&mut self, table: &Table<R>, dealer: &D) {
        if let Some(log) = self {
            log.dealt(table, dealer);
        }
    }
    fn act(&mut self, table: &Table<R>, seat: Seat, action: &R::Action, faces: &impl Look, timeout: bool) {
        if let Some(log) = self {
            log.act(table, seat, action, faces, timeout);
        }
    }
    fn choices(&mut self, table: &Table<R>, choices: &[(Seat, R::Choice)]) {
        if let Some(log) = self {
            log.choices(table, choices);
        }
    }
}

/// Writes a record, with the hands that the dealer knows; evidence stands just before the input it is for.
#[derive(Debug, Default)]
pub struct Recording(pub Writer);

impl<R: Rules> Log<R> for Recording {
    fn evidence(&mut self, evidence: Vec<Evidence>) {
        evidence.into_iter().for_each(|evidence| self.0.evidence(evidence));
    }
    fn dealt<D: Dealer>(&mut self, table: &Table<R>, dealer: &D) {
        self.0.dealt(table, dealer.opened(), |seat, slot| dealer.own(seat).get(slot));
    }
    fn act(&mut self, table: &Table<R>, seat: Seat, action: &R::Action, faces: &impl Look, timeout: bool) {
        self.0.act(table, seat, action, faces, timeout);
    }
    fn choices(&mut self, table: &Table<R>, choices: &[(Seat, R::Choice)]) {
        self.0.choices::<R>(table.height(), choices);
    }
}

/// Why a deal stands still.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt<I> {
    /// The dealer cannot go on.
    Dealer(DealerError),
    /// Somebody is awaited.
    Waiting(table::Seats),
    /// What this seat did was refused.
    Refused(Seat, Refused<I>),
    /// What the dealer did was refused.
    Dealing(Refused<I>),
    /// The seat did nothing, and the game knows no default here.
    Silent(Seat),
    /// The players want to leave the table as it is.
    Stopped,
}

impl<I: fmt::Display> fmt::Display for Halt<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dealer(why) => why.fmt(f),
            Self::Waiting(seats) => write!(f, "waiting for seats {seats:?}"),
            Self::Refused(seat, why) => write!(f, "{seat}: {why}"),
            Self::Dealing(why) => write!(f, "the dealer: {why}"),
            Self::Silent(seat) => write!(f, "{seat} did not answer"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl<I: fmt::Debug + fmt::Display> core::error::Error for Halt<I> {}

/// Whether a house would take an action, as far as its claims go: a house refuses at once what it knows to
/// be falsely claimed. [`Table::act_if`] does the same while it acts.
pub fn admit<R: Rules, D: Dealer>(
    table: &Table<R>,
    dealer: &D,
    seat: Seat,
    action: &R::Action,
) -> Result<(), Refused<R::Illegal>> {
    use table::Claim as _;
    match table.rules().claim(dealer.opened(), seat, action) {
        Some(claim) if dealer.judge(&claim) == Some(false) => Err(Refused::Illegal(claim.refusal())),
        _ => Ok(()),
    }
}

/// Plays the deal on the table to its end. The dealer has been told that the session began
/// ([`Dealer::begin`]), and is to be told that the deal is over ([`Dealer::retire`]).
pub fn play_deal<R: Rules, D: Dealer>(
    table: &mut Table<R>,
    dealer: &mut D,
    players: &mut impl Players<R>,
    log: &mut impl Log<R>,
) -> Result<Outcome, Halt<R::Illegal>> {
    let mut choices = Vec::new();
    loop {
        match table.awaiting() {
            Awaiting::Dealer => {
                if let Filling::Waiting(seats) = dealer.fill(table).map_err(Halt::Dealer)? {
                    return Err(Halt::Waiting(seats));
                }
                log.evidence(dealer.evidence());
                log.dealt(table, dealer);
                table.dealt(table.height(), dealer.opened()).map_err(Halt::Dealing)?;
            }
            Awaiting::Turn(seat) => {
                let known = Known::with(table.open(), dealer.own(seat));
                let decided = players.decide(table, seat, known);
                let timeout = decided.is_none();
                if timeout && players.stopped() {
                    return Err(Halt::Stopped);
                }
                let decided = decided.or_else(|| table.rules().default_move(known, seat));
                let Some(Move::Act(action)) = decided else { return Err(Halt::Silent(seat)) };
                dealer.show(table, seat, &action).map_err(Halt::Dealer)?;
                log.evidence(dealer.evidence());
                log.act(table, seat, &action, dealer.opened(), timeout);
                table
                    .act_if(table.height(), seat, &action, dealer.opened(), |claim| dealer.judge(claim) != Some(false))
                    .map_err(|why| Halt::Refused(seat, why))?;
            }
            Awaiting::Choices(seats) => {
                choices.clear();
                for seat in seats.iter() {
                    let known = Known::with(table.open(), dealer.own(seat));
                    let decided = players.decide(table, seat, known);
                    if decided.is_none() && players.stopped() {
                        return Err(Halt::Stopped);
                    }
                    let decided = decided.or_else(|| table.rules().default_move(known, seat));
                    let Some(Move::Choose(choice)) = decided else { return Err(Halt::Silent(seat)) };
                    choices.push((seat, choice));
                }
                dealer.lock(table, &choices).map_err(Halt::Dealer)?;
                log.evidence(dealer.evidence());
                log.choices(table, &choices);
                table.choose(table.height(), &choices).map_err(|why| match why {
                    Refused::IllegalChoice(seat, why) => Halt::Refused(seat, Refused::Illegal(why)),
                    other => Halt::Dealing(other),
                })?;
            }
            Awaiting::Over => match table.outcome() {
                Some(outcome) => return Ok(outcome.clone()),
                None => return Err(Halt::Dealer(DealerError::BadPack)),
            },
        }
    }
}
