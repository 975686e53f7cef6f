//! [`Table`]: one deal of any game, run for everybody alike.
//!
//! A table holds public facts only (rules, open faces, claims, height), so every replica that gets the same
//! inputs has the same table and the same [`Table::state_hash`]. It does the checks that are common to all
//! games: inputs answer the right height, cards laid down have really been opened, no card is open twice, and
//! claims are judged.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::tally::Tallies;
use crate::{
    Awaiting, Breakdown, Claim, Faces, Input, Leaving, Look, Order, Outcome, Refused, Rules, Run, Seat, Seats, Slot,
};

/// How many inputs a match has taken. Every input names the height it answers, so that two inputs in flight
/// cannot be confused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Height(pub u64);

impl core::fmt::Display for Height {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// One deal of a game, as everybody sees it.
#[derive(Clone, Debug)]
pub struct Table<R: Rules> {
    rules: R,
    height: Height,
    open: Faces,
    claims: Vec<R::Claim>,
    verdict: Verdict,
    /// Who left this deal and may come back for the next.
    away: Seats,
    /// Claims found to be false, as positions in `claims`.
    broken: Vec<usize>,
    tallies: Tallies,
    /// Slots opened by the input being tried, to be closed again if it is refused.
    tried: Vec<Slot>,
}

/// The stage of the deal, from the table's point of view.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// The rules are at work.
    Playing,
    /// The rules are over; these closed slots must be opened to judge the claims.
    Auditing(Vec<Slot>),
    /// The outcome is final.
    Final(Outcome),
}

impl<R: Rules> Table<R> {
    /// A table at the beginning of a deal.
    pub fn new(rules: R, height: Height) -> Self {
        let mut table = Self {
            rules,
            height,
            open: Faces::new(),
            claims: Vec::new(),
            verdict: Verdict::Playing,
            away: Seats::NONE,
            broken: Vec::new(),
            tallies: Tallies::default(),
            tried: Vec::new(),
        };
        table.settle();
        table
    }

    /// Starts an unrelated deal; only memory is kept.
    pub fn restart(&mut self, rules: R) {
        self.height = Height(0);
        self.open.clear();
        self.tallies.clear();
        self.next_deal(rules);
    }

    /// Starts the next deal at the same table: heights continue, decks still in use stay, memory is kept.
    pub fn next_deal(&mut self, rules: R) {
        let oldest = rules.decks().start;
        self.open.forget_before(oldest);
        self.tallies.forget_before(oldest);
        self.claims.clear();
        self.broken.clear();
        self.rules = rules;
        self.verdict = Verdict::Playing;
        self.away = Seats::NONE;
        self.settle();
    }

    /// The state of the game.
    #[inline]
    pub const fn rules(&self) -> &R {
        &self.rules
    }

    /// The height that the next input must name.
    #[inline]
    pub const fn height(&self) -> Height {
        self.height
    }

    /// Every face that is open to everybody.
    #[inline]
    pub const fn open(&self) -> &Faces {
        &self.open
    }

    /// The claims of this deal so far.
    pub fn claims(&self) -> &[R::Claim] {
        &self.claims
    }

    /// The claims found to be false; their authors get what [`Rules::break_off`] says.
    pub fn broken_claims(&self) -> impl Iterator<Item = &R::Claim> {
        self.broken.iter().filter_map(|i| self.claims.get(*i))
    }

    /// What the table waits for.
    #[inline]
    pub fn awaiting(&self) -> Awaiting {
        match &self.verdict {
            Verdict::Playing => self.rules.awaiting(),
            Verdict::Auditing(_) => Awaiting::Dealer,
            Verdict::Final(_) => Awaiting::Over,
        }
    }

    /// The orders behind [`Awaiting::Dealer`], one by one: the game's, or the audit's.
    #[inline]
    pub fn order(&self, i: usize) -> Option<Order> {
        match &self.verdict {
            Verdict::Playing => self.rules.order(i),
            Verdict::Auditing(slots) => slots.get(i).map(|slot| Order::Open { slots: Run::one(*slot) }),
            Verdict::Final(_) => None,
        }
    }

    /// All orders.
    #[inline]
    pub fn orders(&self) -> impl Iterator<Item = Order> {
        (0..).map_while(|i| self.order(i))
    }

    /// How the deal ended, once it has.
    pub const fn outcome(&self) -> Option<&Outcome> {
        match &self.verdict {
            Verdict::Final(outcome) => Some(outcome),
            Verdict::Playing | Verdict::Auditing(_) => None,
        }
    }

    /// The orders have been carried out; `opened` has at least every slot that was to be opened.
    pub fn dealt(&mut self, height: Height, opened: &impl Look) -> Result<(), Refused<R::Illegal>> {
        self.at(height)?;
        if self.awaiting() != Awaiting::Dealer {
            return Err(Refused::NotAwaited(self.awaiting()));
        }
        self.tried.clear();
        let done = self.carry_out(opened);
        self.conclude(done)
    }

    /// A seat acts. `opened` has at least every slot that the action lays face up.
    pub fn act(
        &mut self,
        height: Height,
        seat: Seat,
        action: &R::Action,
        opened: &impl Look,
    ) -> Result<(), Refused<R::Illegal>> {
        self.act_if(height, seat, action, opened, |_| true)
    }

    /// A seat acts at the table of a house that knows the cards: a claim that `admits` finds false is refused
    /// at once.
    #[inline]
    pub fn act_if(
        &mut self,
        height: Height,
        seat: Seat,
        action: &R::Action,
        opened: &impl Look,
        admits: impl FnOnce(&R::Claim) -> bool,
    ) -> Result<(), Refused<R::Illegal>> {
        self.at(height)?;
        self.seated(seat)?;
        if !matches!(self.verdict, Verdict::Playing) {
            return Err(Refused::NotAwaited(self.awaiting()));
        }
        self.tried.clear();
        let claim = match self.show(seat, action, opened) {
            Ok(()) => self.rules.claim(&self.open, seat, action),
            Err(why) => return self.refuse(why),
        };
        if let Some(claim) = claim.as_ref().filter(|claim| !admits(claim)) {
            return self.refuse(Refused::Illegal(claim.refusal()));
        }
        match self.rules.apply(&self.open, Input::Act { seat, action }) {
            Ok(()) => {
                if let Some(claim) = claim.filter(Claim::is_kept) {
                    self.claims.push(claim);
                }
                self.accept()
            }
            Err(why) => self.refuse(Refused::Illegal(why)),
        }
    }

    /// The choices of all seats the table waits for, in seat order.
    pub fn choose(&mut self, height: Height, choices: &[(Seat, R::Choice)]) -> Result<(), Refused<R::Illegal>> {
        self.at(height)?;
        let Awaiting::Choices(seats) = self.awaiting() else {
            return Err(Refused::NotAwaited(self.awaiting()));
        };
        if !seats.iter().eq(choices.iter().map(|(seat, _)| *seat)) {
            return Err(Refused::WrongChoosers(seats));
        }
        for (seat, choice) in choices {
            self.rules.admits_choice(*seat, choice).map_err(|why| Refused::IllegalChoice(*seat, why))?;
        }
        self.tried.clear();
        let before = self.claims.len();
        let claims = choices.iter().filter_map(|(seat, choice)| self.rules.choice_claim(*seat, choice));
        self.claims.extend(claims.filter(Claim::is_kept));
        let done = self.rules.apply(&self.open, Input::Choices(choices)).map_err(Refused::Illegal);
        if done.is_err() {
            self.claims.truncate(before);
        }
        self.conclude(done)
    }

    /// May the seat choose this at the table of somebody who knows the cards? What it claims falsely by that,
    /// as `admits` tells, is refused like anything else that is against the rules.
    pub fn admits_choice(
        &self,
        seat: Seat,
        choice: &R::Choice,
        admits: impl FnOnce(&R::Claim) -> bool,
    ) -> Result<(), R::Illegal> {
        self.rules.admits_choice(seat, choice)?;
        match self.rules.choice_claim(seat, choice) {
            Some(claim) if !admits(&claim) => Err(claim.refusal()),
            Some(_) | None => Ok(()),
        }
    }

    /// A seat has left for good.
    pub fn gone(&mut self, height: Height, seat: Seat) -> Result<(), Refused<R::Illegal>> {
        self.leave(height, seat, Leaving::Left)
    }

    /// A seat leaves this deal.
    pub fn leave(&mut self, height: Height, seat: Seat, how: Leaving) -> Result<(), Refused<R::Illegal>> {
        self.at(height)?;
        self.seated(seat)?;
        if !matches!(self.verdict, Verdict::Playing) {
            return Err(Refused::NotAwaited(self.awaiting()));
        }
        self.tried.clear();
        let input = match how {
            Leaving::Left | Leaving::Away => Input::Gone(seat),
            Leaving::Withheld | Leaving::Misopened => Input::Forfeit(seat),
        };
        if let Err(why) = self.rules.apply(&self.open, input) {
            return self.refuse(Refused::Illegal(why));
        }
        if how.may_return() {
            self.away.insert(seat);
        }
        self.accept()
    }

    /// The deal cannot continue: the dealer failed, or cards cannot be opened without seats that vanished.
    pub fn break_off(&mut self, height: Height, why: Breakdown) -> Result<(), Refused<R::Illegal>> {
        self.at(height)?;
        if let Verdict::Final(_) = self.verdict {
            return Err(Refused::NotAwaited(Awaiting::Over));
        }
        self.conclude_with(self.rules.break_off(why));
        self.height.0 += 1;
        Ok(())
    }

    /// SHA-256 over everything public, the same on every replica.
    pub fn state_hash(&self) -> [u8; 32] {
        let outcome = self.outcome();
        let state = (&self.rules, self.height, &self.open, &self.claims, &self.broken, outcome);
        let bytes = postcard::to_allocvec(&state).expect("plain data can be written to memory");
        Sha256::digest(bytes).into()
    }

    fn at(&self, height: Height) -> Result<(), Refused<R::Illegal>> {
        if height == self.height { Ok(()) } else { Err(Refused::WrongHeight { now: self.height, got: height }) }
    }

    fn seated(&self, seat: Seat) -> Result<(), Refused<R::Illegal>> {
        if seat.index() < self.rules.players() { Ok(()) } else { Err(Refused::NoSuchSeat(seat)) }
    }

    /// Opens the slots that the orders say should be open.
    fn carry_out(&mut self, opened: &impl Look) -> Result<(), Refused<R::Illegal>> {
        let auditing = matches!(self.verdict, Verdict::Auditing(_));
        let mut i = 0;
        while let Some(order) = self.order(i) {
            i += 1;
            match order {
                Order::Shuffle { deck, from } => self.tallies.count(deck, &from),
                Order::Deal { .. } => {}
                Order::Open { slots } => slots.slots().try_for_each(|slot| self.open_slot(slot, opened))?,
            }
        }
        if auditing {
            self.verdict = Verdict::Playing;
            return Ok(());
        }
        self.rules.apply(&self.open, Input::Dealt).map_err(Refused::Illegal)
    }

    #[inline]
    fn show(&mut self, seat: Seat, action: &R::Action, opened: &impl Look) -> Result<(), Refused<R::Illegal>> {
        // The iterator borrows the rules, so opening uses the other parts of `self`.
        for slot in self.rules.shows(seat, action) {
            open_slot(&mut self.open, &mut self.tallies, &mut self.tried, slot, opened)?;
        }
        Ok(())
    }

    fn open_slot(&mut self, slot: Slot, opened: &impl Look) -> Result<(), Refused<R::Illegal>> {
        open_slot(&mut self.open, &mut self.tallies, &mut self.tried, slot, opened)
    }

    /// After an input: counts it and checks whether the deal is over, or, if it was refused, closes the slots
    /// it opened.
    fn conclude(&mut self, done: Result<(), Refused<R::Illegal>>) -> Result<(), Refused<R::Illegal>> {
        match done {
            Ok(()) => self.accept(),
            Err(why) => self.refuse(why),
        }
    }

    #[inline]
    fn accept(&mut self) -> Result<(), Refused<R::Illegal>> {
        self.height.0 += 1;
        self.settle();
        Ok(())
    }

    #[cold]
    fn refuse(&mut self, why: Refused<R::Illegal>) -> Result<(), Refused<R::Illegal>> {
        for slot in self.tried.drain(..) {
            if let Some(card) = self.open.get(slot) {
                self.tallies.close(slot, card);
            }
            self.open.remove(slot);
        }
        Err(why)
    }

    #[inline]
    fn settle(&mut self) {
        if matches!(self.verdict, Verdict::Playing) && self.rules.awaiting() == Awaiting::Over {
            self.judge();
        }
    }

    /// The rules are over: judges the claims, or says which slots must be opened first.
    fn judge(&mut self) {
        // A claim that holds has all its slots open, so only the others need a closer look.
        let mut culprits = Seats::NONE;
        for (i, claim) in self.claims.iter().enumerate() {
            if !claim.holds(&self.open) {
                self.broken.push(i);
                culprits.insert(claim.by());
            }
        }
        let mut closed: Vec<Slot> =
            self.broken_claims().flat_map(Claim::slots).filter(|slot| self.open.get(*slot).is_none()).collect();
        if !closed.is_empty() {
            // All slots still closed are opened together, and then all claims are judged again.
            self.broken.clear();
            closed.sort_unstable();
            closed.dedup();
            self.verdict = Verdict::Auditing(closed);
            return;
        }
        self.conclude_with(if culprits.is_empty() {
            self.rules.outcome()
        } else {
            self.rules.break_off(Breakdown::FalseClaim(culprits))
        });
    }

    fn conclude_with(&mut self, outcome: Outcome) {
        self.verdict = Verdict::Final(Outcome { away: self.away, ..outcome });
    }
}

/// Opens one slot, and notes it in `tried` if it was closed. A slot that was already open stays open even if
/// the input is refused.
#[inline]
fn open_slot<I>(
    open: &mut Faces,
    tallies: &mut Tallies,
    tried: &mut Vec<Slot>,
    slot: Slot,
    opened: &impl Look,
) -> Result<(), Refused<I>> {
    if let Some(before) = open.get(slot) {
        return match opened.face(slot) {
            Some(card) if card != before => Err(Refused::FaceChanged(slot)),
            _ => Ok(()),
        };
    }
    let card = opened.face(slot).ok_or(Refused::NotShown(slot))?;
    if !tallies.open(slot, card) {
        return Err(Refused::NoSuchCard(slot, card));
    }
    open.insert(slot, card);
    tried.push(slot);
    Ok(())
}
