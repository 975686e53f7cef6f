//! The loop behind every way of playing: ask the table what it waits for, get that, and pass it on.

use core::fmt;

use table::record::{Evidence, Writer};
use table::{Awaiting, Known, Look, Move, Outcome, Refused, Rules, Seat, Table};

use crate::{Dealer, DealerError, Filling};

/// Decides for the seats.
pub trait Players<R: Rules> {
    /// The seat must decide; it knows these faces. `None` leaves it to the game's default.
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Option<Move<R::Action, R::Choice>>;

    /// Whether to stop and leave the table as it is. Called when nothing was decided.
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

/// Records what happens; called before each input is played. `()` records nothing.
pub trait Log<R: Rules> {
    /// The dealer proves something that is about to be played, or was played before.
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

/// A log that is kept or not, decided at run time; use `()` where that is known at compile time.
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

/// Writes a record, with the hands that the dealer knows. Evidence comes just before its input.
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

/// Why a deal has stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt<I> {
    /// The dealer cannot continue.
    Dealer(DealerError),
    /// The dealer waits for these seats.
    Waiting(table::Seats),
    /// This seat's input was refused.
    Refused(Seat, Refused<I>),
    /// The dealer's input was refused.
    Dealing(Refused<I>),
    /// The seat did nothing, and the game has no default here.
    Silent(Seat),
    /// The players asked to stop.
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

/// Whether a house would accept an action, going by its claim: a house refuses a claim it knows to be false.
/// [`Table::act_if`] makes the same check when acting.
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

/// Plays the deal on the table to its end. Call [`Dealer::begin`] before the session, and [`Dealer::retire`]
/// after the deal.
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
                    table
                        .admits_choice(seat, &choice, |claim| dealer.judge(claim) != Some(false))
                        .map_err(|why| Halt::Refused(seat, Refused::Illegal(why)))?;
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
