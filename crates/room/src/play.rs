//! What a room does with a match without knowing its game.
//!
//! Whoever needs the game's types asks the room for the match itself: [`Room::playing`](super::Room::playing).

use std::any::Any;

use bots::Kind;
use dealers::house::{Opening, Seed};
use dealers::{Dealer as _, House};
use games::desk::{Made, MoveOf};
use serde::Serialize;
use serde_json::value::RawValue;
use table::record::Evidence;
use table::{Awaiting, Eye, Height, Move, Outcome, Rules, Seat, Standing};

use super::Kept;
use super::decided::Decided;
use super::event::Event;
use super::mind::Pondering;
use super::playing::{Awaited, Playing, Stage};
use super::refusal::Refusal;
use crate::ids::Millis;

/// A match of some game.
pub trait Play: Any + Send + Sync {
    /// Its stage.
    fn stage(&self) -> Stage;
    /// What the table waits for.
    fn awaited(&self) -> Awaited;
    /// The number of moves in the deal on the table.
    fn done(&self) -> usize;
    /// Whether a trick or a round has just ended, so that people want to look at it.
    fn lingers(&self) -> bool;
    /// In how many steps pages show the cards that ended the deal.
    fn streets(&self) -> u32;
    /// The seconds that players have.
    fn seconds(&self) -> Option<u64>;
    /// The height that the next input must name.
    fn height(&self) -> Height;
    /// The number of the deal on the table, or of the last.
    fn deal(&self) -> u32;
    /// The number of the deal that ended last; 0 before.
    fn deals_over(&self) -> u32;
    /// The score of the match, including the last finished deal.
    fn standing_now(&self) -> Standing;
    /// How the last deal ended.
    fn last_outcome(&self) -> Option<&Outcome>;
    /// The house that deals.
    fn house(&self) -> &House;
    /// This seat's cards and their proofs: those of the deal on the table that are already dealt, and, if the log in
    /// words is kept, those of the deal that ended last.
    fn own_openings(&self, seat: Seat) -> Vec<Opening>;

    /// What a viewer sees, as JSON.
    fn view(&self, eye: Eye) -> String;
    /// What was committed to and revealed for this deal; empty if nobody reads it.
    fn proofs(&self) -> &[Evidence];
    /// Whether this seat is in the deal on the table or, between two deals, will be in the next.
    fn takes_part(&self, seat: Seat) -> bool;
    /// Whether this seat must act or choose.
    fn asks(&self, seat: Seat) -> bool;
    /// The text, if it is an action of this game.
    fn action(&self, text: &RawValue) -> Result<Decided, Refusal>;
    /// The text, if it is a choice of this game.
    fn choice(&self, text: &RawValue) -> Result<Decided, Refusal>;
    /// A computer's move, as a job to be computed.
    fn ponder(&self, seat: Seat, kind: Kind) -> Pondering;
    /// The move made for a seat whose time is up.
    fn default_event(&self, seat: Seat) -> Option<Event>;

    /// Something happens in the match; an error changes nothing.
    fn take(&mut self, input: &Input<'_>, at: Millis) -> Result<(), Refusal>;
    /// The lines of the record since the last call.
    fn take_record(&mut self) -> String;
}

/// Something that happens in a match.
pub enum Input<'a> {
    /// A seat acts.
    Act {
        /// The seat.
        seat: Seat,
        /// The height it answers.
        height: Height,
        /// The action.
        action: &'a Decided,
        /// Who made it.
        made: Made,
    },
    /// A seat chooses in secret.
    Choose {
        /// The seat.
        seat: Seat,
        /// The height it answers.
        height: Height,
        /// The choice.
        choice: &'a Decided,
        /// Who made it.
        made: Made,
    },
    /// A seat commits to its seed.
    Commit {
        /// The seat.
        seat: Seat,
        /// The deck.
        deck: u32,
        /// The commitment.
        commitment: [u8; 32],
    },
    /// A seat reveals its seed.
    Reveal {
        /// The seat.
        seat: Seat,
        /// The deck.
        deck: u32,
        /// The seed.
        seed: Seed,
    },
    /// The time for commitments, or for seeds, is up.
    SeedsDue,
    /// A seat that sent no seeds will send them again.
    Wake(Seat),
    /// People have seen the last move: the house continues dealing.
    GoOn,
    /// A seat gets a hint at this height.
    Hint(Seat, Height),
    /// A computer takes a seat over.
    TakeOver(Seat),
    /// A seat leaves for good.
    Leave(Seat),
    /// The next deal begins.
    NextDeal,
    /// There is no next deal, although the game would continue.
    Close,
}

impl<G: Kept> Playing<G> {
    /// A seat's move at the table's height, as the log has it.
    pub fn event(&self, seat: Seat, a_move: MoveOf<G>, timeout: bool) -> Option<Event> {
        event(seat, self.running.table().height(), a_move, timeout)
    }

    /// The proofs of this seat's cards, while the house has them.
    pub(super) fn openings_now(&self, seat: Seat) -> Vec<Opening> {
        self.house.own(seat).iter().filter_map(|(slot, _)| self.house.opening(slot)).collect()
    }
}

impl<G: Kept> Play for Playing<G> {
    fn stage(&self) -> Stage {
        self.stage
    }
    fn awaited(&self) -> Awaited {
        match self.stage {
            Stage::Between => return Awaited::Looking,
            Stage::Over => return Awaited::Nothing,
            Stage::Deal => {}
        }
        match self.running.table().awaiting() {
            Awaiting::Dealer if self.pauses() => Awaited::House,
            Awaiting::Dealer => match self.house.asks() {
                Some((deck, asked, seats)) => Awaited::Seeds(deck, asked, seats),
                None => Awaited::Nothing,
            },
            Awaiting::Turn(seat) => Awaited::Turn(seat),
            Awaiting::Choices(seats) => Awaited::Choices(seats - self.chosen.keys().copied().collect()),
            Awaiting::Over => Awaited::Nothing,
        }
    }
    fn done(&self) -> usize {
        self.past.len()
    }
    fn lingers(&self) -> bool {
        self.settled.as_ref().is_some_and(|settled| settled.done == self.past.len())
    }
    fn streets(&self) -> u32 {
        self.streets
    }
    fn seconds(&self) -> Option<u64> {
        G::seconds(&self.settings)
    }
    fn height(&self) -> Height {
        self.running.table().height()
    }
    fn deal(&self) -> u32 {
        self.running.deals()
    }
    fn deals_over(&self) -> u32 {
        self.ended.as_ref().map_or(0, |ended| ended.deal)
    }
    fn standing_now(&self) -> Standing {
        self.running.standing()
    }
    fn last_outcome(&self) -> Option<&Outcome> {
        self.ended.as_ref().map(|ended| &ended.outcome)
    }
    fn house(&self) -> &House {
        &self.house
    }
    fn own_openings(&self, seat: Seat) -> Vec<Opening> {
        let ended = self.ended.as_ref().and_then(|ended| ended.openings.get(usize::from(seat.index())));
        let mut openings = ended.cloned().unwrap_or_default();
        // A shoe lasts for several deals, so some cards may be in both.
        let now = self.openings_now(seat).into_iter();
        let new: Vec<Opening> = now.filter(|one| openings.iter().all(|other| other.slot != one.slot)).collect();
        openings.extend(new);
        openings
    }

    fn view(&self, eye: Eye) -> String {
        let view = self.running.table().rules().view(self.known_to(eye), eye);
        serde_json::to_string(&view).unwrap_or_default()
    }

    fn proofs(&self) -> &[Evidence] {
        &self.proofs
    }

    fn takes_part(&self, seat: Seat) -> bool {
        // The next deal is on the table as soon as one is over, and a player who is not in it cannot leave it.
        let mut table = self.running.table().clone();
        table.gone(table.height(), seat).is_ok()
    }

    fn asks(&self, seat: Seat) -> bool {
        let awaited = self.awaited();
        matches!(awaited, Awaited::Turn(_) | Awaited::Choices(_)) && awaited.seats().contains(seat)
    }

    fn action(&self, text: &RawValue) -> Result<Decided, Refusal> {
        Decided::read::<<G::Rules as Rules>::Action>(text)
    }
    fn choice(&self, text: &RawValue) -> Result<Decided, Refusal> {
        Decided::read::<<G::Rules as Rules>::Choice>(text)
    }

    fn ponder(&self, seat: Seat, kind: Kind) -> Pondering {
        let (mind, otherwise) = (self.mind(seat, b"computer"), self.default_event(seat));
        Box::new(move || {
            let decided = kind.decide(mind.course(), &mind.table, seat, mind.known(), &mut mind.rng());
            decided.and_then(|decided| event(seat, mind.table.height(), decided, false)).or(otherwise)
        })
    }
    fn default_event(&self, seat: Seat) -> Option<Event> {
        self.default_move(seat).and_then(|a_move| self.event(seat, a_move, true))
    }

    fn take(&mut self, input: &Input<'_>, at: Millis) -> Result<(), Refusal> {
        match *input {
            Input::Act { seat, height, action, made } => self.act(seat, height, action, made, at)?,
            Input::Choose { seat, height, choice, made } => self.choose(seat, height, choice, made, at)?,
            Input::Commit { seat, deck, commitment } => self.commit(seat, deck, commitment, at)?,
            Input::Reveal { seat, deck, ref seed } => self.reveal(seat, deck, seed, at)?,
            Input::SeedsDue => self.seeds_due(at)?,
            Input::Wake(seat) => self.wake(seat)?,
            Input::GoOn => self.deal_on(at)?,
            Input::Hint(seat, height) => self.hinted(seat, height)?,
            Input::TakeOver(seat) => self.take_over(seat, at),
            Input::Leave(seat) => self.leave(seat, at),
            Input::NextDeal => self.next_deal(at),
            Input::Close => self.close(at),
        }
        Ok(())
    }
    fn take_record(&mut self) -> String {
        self.record.as_mut().map(|record| record.writer.take()).unwrap_or_default()
    }
}

/// A move as it happens at a height.
pub(crate) fn event<A, C>(seat: Seat, height: Height, a_move: Move<A, C>, timeout: bool) -> Option<Event>
where
    A: Serialize + Any + Send + Sync,
    C: Serialize + Any + Send + Sync,
{
    Some(match a_move {
        Move::Act(action) => Event::Acted { seat, height, action: Decided::new(action).ok()?, timeout },
        Move::Choose(choice) => Event::Chose { seat, height, choice: Decided::new(choice).ok()?, timeout },
    })
}
