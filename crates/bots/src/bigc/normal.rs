//! Plays by a plan: the hand that shortens it most, with an eye on players who are short of cards.

use games::Held;
use games::bigc::{Action, BigC, Choice, Deal, Footstool, Moves, Options, Playable, place};
use table::Move;

use super::bag::{Bag, Place};
use super::memory::Memory;
use super::plan::Plan;
use crate::{Decision, Sight};

/// How many options a plan follows at each step.
pub(super) const WIDE: usize = 3;
/// The most hands that are weighed.
const MOST: usize = 160;

/// A hand that can be played, and the plan after it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) playable: Playable,
    /// The plan for the rest.
    pub(super) plan: Plan,
    /// How good it looks: turns saved in the plan, and other benefits.
    pub(super) worth: f32,
}

/// What an experienced player would do.
pub(super) fn decide(sight: &Sight<'_, BigC>) -> Decision<Deal> {
    let memory = Memory::new(sight)?;
    match sight.moves {
        Moves::None => None,
        Moves::Show(cards) => Some(Move::Choose(show(cards))),
        Moves::Lead(options) => {
            let best = candidates(&memory, options).into_iter().next();
            Some(Move::Act(best.map_or(Action::PassRole, |best| Action::Play(best.playable.cards))))
        }
        Moves::Answer { options, .. } => {
            let best = candidates(&memory, options).into_iter().next().filter(|best| best.worth > 0.0);
            Some(Move::Act(best.map_or(Action::Pass, |best| Action::Play(best.playable.cards))))
        }
    }
}

/// What to show for the order of play: the lowest card. The first to play gets rid of more cards, and a low
/// card reveals the least.
pub(super) fn show(cards: &[Held]) -> Choice {
    let lowest = cards.iter().min_by_key(|held| held.card.map(place));
    lowest.map_or(Choice::Nothing, |held| Choice::Show(held.slot))
}

/// The hands that can be played, the best-looking first. Passing is worth 0.
pub(super) fn candidates(memory: &Memory, options: &Options) -> Vec<Candidate> {
    let sizes: &[u8] = match options.beat() {
        Some(beat) => &[beat.class().size()],
        None => &[5, 3, 2, 1],
    };
    let scale = &memory.terms.scale;
    let before = Plan::new(&memory.hand, scale, WIDE).cost;
    let mut seen: Vec<Bag> = Vec::new();
    let mut all = Vec::new();
    for size in sizes {
        options.each(*size, |playable| {
            if seen.len() >= MOST {
                return;
            }
            let places: Vec<Place> = playable.cards.iter().filter_map(|slot| options.card(slot)).map(place).collect();
            let Some(rest) = memory.hand.without(&places) else { return };
            if !seen.contains(&rest) {
                seen.push(rest);
                let plan = Plan::new(&rest, scale, WIDE);
                let worth = worth(memory, options, &playable, &plan, before);
                all.push(Candidate { playable, plan, worth });
            }
        });
    }
    all.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    all
}

fn worth(memory: &Memory, options: &Options, playable: &Playable, plan: &Plan, before: f32) -> f32 {
    let len = playable.cards.len();
    if u16::from(len) == memory.hand.len() {
        return 100.0;
    }
    let others = (memory.players.len().saturating_sub(1)).max(1) as f32;
    let strength = memory.terms.scale.strength_of(&playable.hand);
    let off = before - plan.cost;
    let least = memory.least();
    let mut worth = off + if options.beat().is_some() { 0.2 } else { 0.4 } * f32::from(len);
    if options.beat().is_some() {
        worth += 0.7 * f32::from(playable.footstool.penalty()) / others.sqrt();
        worth += 0.6 * f32::from(memory.terms.pass_draws);
        if playable.footstool == Footstool::None && least <= 3 {
            // A player who is short of cards must not get the lead.
            worth += 0.3 + 0.5 * strength;
        }
    } else {
        if memory.most() < len {
            worth += 1.5;
        } else if least <= len {
            worth -= 1.0 - strength;
        }
        if plan.groups.len() == 1 && plan.jokers == 0 {
            worth += 2.0 * strength;
        }
    }
    worth
}
