//! What a file leaves open, and how it is read: what was posted, and how much a player with an unlimited stack had.
//!
//! Most hands can be read in one way only. Of the others the first reading counts that can be played and agrees with
//! what the file says about its end.

use table::Chips;

use super::error::{Awaited, Place};
use super::notation::{Play, Player};
use super::replay::{Played, Seen, Stuck, Watch, play_as};
use super::seating::{NOTES, by_player};
use super::{PhhError, PhhHand, Reason};
use crate::holdem::Illegal;

/// One way to read a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    /// By player.
    pub(super) stacks: Vec<Chips>,
    /// Of what somebody posts who comes back, only a whole big blind is a bet.
    dead_posts: bool,
}

impl Reading {
    /// What each player posts as a bet, and what besides; by player.
    pub(super) fn posts(&self, hand: &PhhHand) -> (Vec<Chips>, Vec<Chips>) {
        let mut forced = by_player(&hand.blinds_or_straddles);
        let mut dead = vec![Chips::ZERO; forced.len()];
        if self.dead_posts {
            let big = hand.min_bet;
            for (post, dead) in forced.iter_mut().zip(&mut dead).filter(|(post, _)| **post < Chips::ZERO) {
                let live = if -*post >= big { big } else { Chips::ZERO };
                *dead = -*post - live;
                *post = -live;
            }
        }
        (forced, dead)
    }
}

/// Plays a hand to its end, in the way it is to be read.
pub(in crate::holdem) fn play(hand: &PhhHand, watch: &mut dyn Watch) -> Result<Played, PhhError> {
    play_as(hand, &reading(hand), watch).map_err(|stuck| stuck.why)
}

struct Unwatched;

impl Watch for Unwatched {
    fn before(&mut self, _: &Seen<'_>) {}
}

/// The way to read a hand that agrees with the file and leaves least to rake; else the first that can be played; else
/// the plain one.
fn reading(hand: &PhhHand) -> Reading {
    let plain = Reading { stacks: hand.starting_stacks.clone(), dead_posts: false };
    // Antes that count like bets leave no place for money that does not. What this program writes is plain.
    let no_dead = hand.ante_trimming_status == Some(true) || hand.fields.contains_key(NOTES);
    let can_be_dead = |post: &Chips| *post < Chips::ZERO && -*post != hand.min_bet;
    let dead = !no_dead && hand.blinds_or_straddles.iter().any(can_be_dead);
    if !dead && hand.unlimited.is_empty() {
        return plain;
    }
    let readings = dead.then(|| Reading { dead_posts: true, ..plain.clone() }).into_iter().chain([plain.clone()]);
    let mut playable: Vec<(bool, Chips, Reading)> = Vec::new();
    for reading in readings {
        let reading = with_all_ins(hand, reading);
        if let Ok(played) = play_as(hand, &reading, &mut Unwatched) {
            let replayed = played.replayed(hand);
            playable.push((replayed.differs.is_some(), replayed.rake.unwrap_or_default(), reading));
        }
    }
    // Of equals the first.
    let best = playable.into_iter().min_by_key(|(differs, rake, _)| (*differs, *rake));
    best.map_or(plain, |(_, _, reading)| reading)
}

/// Ends the stacks of players who must have been all-in: they are passed over, or raise by less than they may.
fn with_all_ins(hand: &PhhHand, mut reading: Reading) -> Reading {
    let mut unlimited = hand.unlimited.clone();
    while !unlimited.is_empty() {
        let Err(stuck) = play_as(hand, &reading, &mut Unwatched) else { break };
        let Stuck { why, put: Some(put) } = *stuck else { break };
        let put = |player: Player| put.get(player.index()).copied().unwrap_or_default();
        let passed = passed_over(hand, &why, &unlimited).map(|player| (player, put(player)[0]));
        let short = short_raise(hand, &why, &unlimited).map(|(player, to)| {
            let [all, street] = put(player);
            (player, all + to - street)
        });
        let Some((player, all)) = passed.or(short).filter(|(_, all)| *all > Chips::ZERO) else { break };
        reading.stacks.get_mut(player.index()).into_iter().for_each(|stack| *stack = all);
        unlimited.retain(|other| *other != player);
    }
    reading
}

/// Does this player act in this line or later?
fn acts(hand: &PhhHand, player: Player, from: usize) -> bool {
    hand.lines.iter().skip(from).any(|line| match line.play {
        Play::Fold(who) | Play::CheckOrCall(who) | Play::RaiseTo(who, _) => who == player,
        _ => false,
    })
}

/// Where in the hand it went wrong.
fn line_of(hand: &PhhHand, why: &PhhError) -> usize {
    match why.place {
        Place::Action { number, .. } => number.saturating_sub(1),
        _ => hand.lines.len(),
    }
}

/// Who raised by too little, and to how much, if it was their last action.
fn short_raise(hand: &PhhHand, why: &PhhError, unlimited: &[Player]) -> Option<(Player, Chips)> {
    let at = line_of(hand, why);
    match (&why.reason, hand.lines.get(at).map(|line| &line.play)) {
        (Reason::Illegal { why: Illegal::RaiseTooSmall { .. }, .. }, Some(Play::RaiseTo(player, to))) => {
            (unlimited.contains(player) && !acts(hand, *player, at + 1)).then_some((*player, *to))
        }
        _ => None,
    }
}

/// Who was to act when the file went on without them; or, where it shows cards though there could still be bets, one
/// of those who could bet. Only players who do nothing any more.
fn passed_over(hand: &PhhHand, why: &PhhError, unlimited: &[Player]) -> Option<Player> {
    let from = line_of(hand, why);
    let folds = |player: Player| hand.lines.iter().any(|line| line.play == Play::Fold(player));
    let shows = hand.lines.get(from).is_some_and(|line| matches!(line.play, Play::Show(..) | Play::Muck(_)));
    let mut candidates = unlimited.iter().copied().filter(|player| !acts(hand, *player, from));
    match why.reason {
        Reason::NotAwaited(Awaited::Turn(awaited)) | Reason::Unfinished(Awaited::Turn(awaited)) => {
            candidates.find(|player| *player == awaited)
        }
        Reason::NotAwaited(Awaited::Board(_)) if shows => candidates.find(|player| !folds(*player)),
        _ => None,
    }
}
