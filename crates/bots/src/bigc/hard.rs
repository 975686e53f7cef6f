//! Thinks ahead: guesses the hidden hands many times and plays each of these deals to its end by plans.

use games::bigc::{Action, BigC, Moves, Options};
use table::Draw;

use super::memory::Memory;
use super::normal::{Candidate, WIDE, candidates};
use super::plan::Plan;
use super::world::World;
use crate::Sight;

/// How many of the best-looking moves are tried.
const TRIED: usize = 10;
/// Turns simulated for one decision; this bounds the work.
const TURNS: usize = 30_000;
/// Guessing a deal costs as much as trying this many more moves.
const DEALING: usize = 3;
/// The fewest and the most guessed deals.
const FEWEST: usize = 6;
const MOST: usize = 200;
/// How many cards winning is worth, on top of those the others still hold.
const WIN: f32 = 20.0;
/// The same if more deals follow and every card counts.
const WIN_OF_MANY: f32 = 4.0;

/// A move and how it went.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    /// The hand to play; `None` to pass.
    pub(super) candidate: Option<Candidate>,
    /// The plan for the rest.
    pub(super) plan: Plan,
    /// How many more cards the others had left, plus what winning is worth.
    pub(super) worth: f32,
    /// How often it won.
    pub(super) wins: f32,
}

/// The moves that were tried, the best first.
#[derive(Debug)]
pub(super) struct Thought {
    pub(super) memory: Memory,
    /// There is a hand on the table, so passing is possible.
    pub(super) answers: bool,
    pub(super) tried: Vec<Tried>,
}

/// Thinks about a turn; `None` if it is not this seat's turn.
pub(super) fn think(sight: &Sight<'_, BigC>, draw: &mut impl Draw) -> Option<Thought> {
    let mut memory = Memory::new(sight)?;
    let (options, answers) = match sight.moves {
        Moves::None | Moves::Show(_) => return None,
        Moves::Lead(options) => (options, false),
        Moves::Answer { options, .. } => (options, true),
    };
    let mut tried: Vec<Tried> = candidates(&memory, options)
        .into_iter()
        .take(TRIED)
        .map(|candidate| Tried { plan: candidate.plan.clone(), candidate: Some(candidate), worth: 0.0, wins: 0.0 })
        .collect();
    if answers {
        let plan = Plan::new(&memory.hand, &memory.terms.scale, WIDE);
        tried.push(Tried { candidate: None, plan, worth: 0.0, wins: 0.0 });
    }
    if tried.len() > 1 && !goes_out(&memory, &tried) {
        let win = if sight.course.settings.deals > 1 { WIN_OF_MANY } else { WIN };
        try_out(&mut memory, options, &mut tried, win, draw);
        tried.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    }
    Some(Thought { memory, answers, tried })
}

/// Playing the last cards wins, so there is nothing to think about.
fn goes_out(memory: &Memory, tried: &[Tried]) -> bool {
    let all = |tried: &Tried| {
        tried.candidate.as_ref().is_some_and(|c| u16::from(c.playable.cards.len()) == memory.hand.len())
    };
    !memory.terms.last_chance && tried.first().is_some_and(all)
}

fn try_out(memory: &mut Memory, options: &Options, tried: &mut [Tried], win: f32, draw: &mut impl Draw) {
    let others = memory.players.len().saturating_sub(1).max(1);
    let cards: usize = memory.players.iter().map(|(cards, _)| usize::from(*cards)).sum();
    let deals = (TURNS / (cards.max(8) * (tried.len() + DEALING))).clamp(FEWEST, MOST);
    let share = 1.0 / deals as f32;
    let mut world = World::default();
    for _ in 0..deals {
        let mut deal = memory.imagine(options.beat().copied(), draw);
        for one in tried.iter_mut() {
            if let Some(me) = deal.players.get_mut(memory.me) {
                me.plan.groups.clone_from(&one.plan.groups);
                me.plan.jokers = one.plan.jokers;
            }
            world.copy(&deal);
            let done = match &one.candidate {
                Some(Candidate { playable, .. }) => {
                    world.play(&memory.terms, playable.hand, playable.cards.len(), playable.footstool)
                }
                None => world.pass(&memory.terms),
            };
            let winner = done.or_else(|| world.play_out(&memory.terms));
            let left = |i: usize| world.players.get(i).map_or(0.0, |player| f32::from(player.cards));
            let theirs: f32 = (0..world.players.len()).filter(|i| *i != memory.me).map(left).sum();
            let won = f32::from(u8::from(winner == Some(memory.me)));
            one.worth += share * (theirs / others as f32 - left(memory.me) + win * won);
            one.wins += share * won;
        }
    }
}

impl Thought {
    /// What to do.
    pub(super) fn action(&self) -> Action {
        match self.tried.first().and_then(|best| best.candidate.as_ref()) {
            Some(best) => Action::Play(best.playable.cards),
            None if self.answers => Action::Pass,
            None => Action::PassRole,
        }
    }
}
