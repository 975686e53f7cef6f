//! Plays by counting: the value of the hand, the cards played, and who needs tricks.

use games::blackout::{Action, Blackout, Moves};
use table::Move;

use super::count::Count;
use super::memory::Memory;
use super::set::place;
use super::thumb;
use crate::{Decision, Sight};

/// What an experienced player would do.
pub(super) fn decide(sight: &Sight<'_, Blackout>) -> Decision<games::blackout::Deal> {
    let memory = Memory::new(sight)?;
    match sight.moves {
        Moves::None => None,
        Moves::Bid { most, forbidden } => {
            let count = Count::new(memory.round.players, memory.cards, memory.round.trump, memory.turned);
            let tricks = count.tricks(memory.round.hands[memory.me], memory.me == memory.leader);
            let bids = (0..=*most).filter(|bid| Some(*bid) != *forbidden);
            let off = |bid: &u8| (f32::from(*bid) - tricks).abs();
            bids.min_by(|a, b| off(a).total_cmp(&off(b))).map(|bid| Move::Act(Action::Bid(bid)))
        }
        Moves::Play(playable) => {
            let best = thumb::choose(&memory.round);
            let held = playable.iter().find(|held| held.card.and_then(place) == best);
            held.or_else(|| playable.iter().next()).map(|held| Move::Act(Action::Play(held.slot)))
        }
    }
}
