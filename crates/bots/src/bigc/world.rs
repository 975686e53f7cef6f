//! A simulated deal of Big-C: everybody has a plan and plays by it to the end.

use games::bigc::{Class, Footstool, Hand, on_top};

use super::bag::Place;
use super::plan::{Group, Plan};
use super::scale::Scale;

/// Turns after which a simulated deal is broken off.
const MOST_TURNS: usize = 300;

/// The facts that are the same in every simulated deal.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) scale: Scale,
    pub(super) pass_draws: u8,
    pub(super) last_chance: bool,
    pub(super) two_joker_triple_low: bool,
}

/// The players still in, in order of play.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) players: Vec<Player>,
    pub(super) turn: usize,
    /// The hand on the table and who played it.
    pub(super) table: Option<(Hand, usize)>,
    /// How many have passed since then.
    pub(super) passed: usize,
    /// The cards to draw, the last first.
    pub(super) stock: Vec<Place>,
}

/// A player with a plan.
#[derive(Debug, Default)]
pub(super) struct Player {
    pub(super) plan: Plan,
    pub(super) cards: u8,
}

impl World {
    /// Becomes a copy of another, reusing its memory: this happens for every simulated deal.
    pub(super) fn copy(&mut self, other: &Self) {
        self.players.resize_with(other.players.len(), Player::default);
        for (to, from) in self.players.iter_mut().zip(&other.players) {
            to.plan.groups.clone_from(&from.plan.groups);
            to.plan.jokers = from.plan.jokers;
            to.cards = from.cards;
        }
        self.turn = other.turn;
        self.table = other.table;
        self.passed = other.passed;
        self.stock.clone_from(&other.stock);
    }

    /// The cards of each other player.
    fn others(&self, of: usize) -> impl Iterator<Item = u8> {
        self.players.iter().enumerate().filter(move |(i, _)| *i != of).map(|(_, player)| player.cards)
    }

    fn next(&self) -> usize {
        if self.turn + 1 < self.players.len() { self.turn + 1 } else { 0 }
    }

    /// The player whose turn it is plays this, which is no longer in the plan. Returns the winner if that ends
    /// the deal.
    pub(super) fn play(&mut self, terms: &Terms, hand: Hand, len: u8, footstool: Footstool) -> Option<usize> {
        let me = self.turn;
        let player = self.players.get_mut(me)?;
        player.cards = player.cards.saturating_sub(len);
        let out = player.cards == 0;
        if out && !terms.last_chance {
            return Some(me);
        }
        if let Some((_, owner)) = self.table {
            // With a last chance, a player who has gone out wins unless hit by a footstool.
            let was_out = self.players.get(owner).is_some_and(|player| player.cards == 0);
            if was_out && footstool == Footstool::None {
                return Some(owner);
            }
            self.draw(terms, owner, footstool.penalty());
        }
        self.table = Some((hand, me));
        self.passed = 0;
        self.turn = self.next();
        None
    }

    /// The player whose turn it is passes. Returns the winner if that ends the deal.
    pub(super) fn pass(&mut self, terms: &Terms) -> Option<usize> {
        let (_, owner) = self.table?;
        if self.players.get(owner).is_some_and(|player| player.cards == 0) {
            return Some(owner);
        }
        self.draw(terms, self.turn, terms.pass_draws);
        self.passed += 1;
        self.turn = self.next();
        if self.passed + 1 >= self.players.len() {
            self.turn = owner;
            self.table = None;
            self.passed = 0;
        }
        None
    }

    fn draw(&mut self, terms: &Terms, who: usize, cards: u8) {
        for _ in 0..cards {
            let (Some(player), Some(place)) = (self.players.get_mut(who), self.stock.pop()) else { return };
            player.plan.add(place, &terms.scale);
            player.cards += 1;
        }
    }

    /// Plays to the end; returns the winner, if any.
    pub(super) fn play_out(&mut self, terms: &Terms) -> Option<usize> {
        let mut refused = 0;
        for _ in 0..MOST_TURNS {
            let choice = match self.table {
                None => self.lead().map(|group| (group, Footstool::None)),
                Some((beat, owner)) => self.answer(terms, &beat, owner),
            };
            let won = match (choice, self.table) {
                (Some((group, footstool)), _) => {
                    refused = 0;
                    self.play(terms, group.hand, group.len, footstool)
                }
                (None, Some(_)) => self.pass(terms),
                (None, None) => {
                    // Only jokers are left, so the lead passes on.
                    refused += 1;
                    if refused > self.players.len() {
                        return None;
                    }
                    self.turn = self.next();
                    None
                }
            };
            if won.is_some() {
                return won;
            }
        }
        None
    }

    /// Chooses the lead and removes it from the plan of the player whose turn it is.
    fn lead(&mut self) -> Option<Group> {
        let most = self.others(self.turn).max().unwrap_or(0);
        let next = self.players.get(self.next())?.cards;
        let groups = &mut self.players.get_mut(self.turn)?.plan.groups;
        let left = groups.len();
        let worth = |group: &Group| lead_worth(group, left, most, next);
        let best = (0..).zip(groups.iter()).max_by(|a, b| worth(a.1).total_cmp(&worth(b.1)))?.0;
        Some(groups.swap_remove(best))
    }

    /// Chooses the answer to this hand, if any, and removes it from the plan of the player whose turn it is.
    fn answer(&mut self, terms: &Terms, beat: &Hand, owner: usize) -> Option<(Group, Footstool)> {
        let least = self.others(self.turn).min().unwrap_or(0);
        let low = terms.two_joker_triple_low;
        let size = beat.class().size();
        let last_chance = self.players.get(owner).is_some_and(|player| player.cards == 0);
        let player = self.players.get_mut(self.turn)?;
        let groups = &mut player.plan.groups;
        let mut best: Option<(f32, usize, Footstool)> = None;
        for (i, group) in groups.iter().enumerate().filter(|(_, group)| group.len == size) {
            let Some(footstool) = on_top(&group.hand, beat, low) else { continue };
            if last_chance && footstool == Footstool::None {
                continue;
            }
            let worth = 0.4 * f32::from(footstool.penalty()) - group.strength;
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, i, footstool));
            }
        }
        if let Some((_, i, footstool)) = best {
            return Some((groups.swap_remove(i), footstool));
        }
        // Break up something larger if an opponent is about to go out, or if there is little to lose.
        if size > 2 || (least > 3 && groups.len() > 3 && terms.pass_draws == 0) {
            return None;
        }
        break_up(&mut player.plan, terms, beat, size)
    }
}

/// How good it is to lead this, with `left` groups in total, when the others have at most `most` cards and the
/// next player has `next`.
fn lead_worth(group: &Group, left: usize, most: u8, next: u8) -> f32 {
    if left == 1 {
        return 100.0;
    }
    let mut worth = 0.4 * f32::from(group.len) + group.cost;
    if most < group.len {
        // Nobody can answer, so the lead stays and cards go.
        worth += 1.0 + 0.1 * f32::from(group.len);
    } else if left == 2 {
        // If nobody beats this, the rest goes out at once.
        worth += 3.0 * group.strength;
    } else if next <= group.len {
        worth -= 1.0 - group.strength;
    }
    worth
}

/// A single out of a pair or triple, or a pair out of a triple, that beats this.
fn break_up(plan: &mut Plan, terms: &Terms, beat: &Hand, size: u8) -> Option<(Group, Footstool)> {
    let low = terms.two_joker_triple_low;
    for i in 0..plan.groups.len() {
        let Some(group) = plan.groups.get(i).copied() else { continue };
        if !matches!(group.hand.class(), Class::Pair | Class::Triple) || group.len <= size {
            continue;
        }
        // Highest cards first, so that the hand is as high as possible.
        let mut cards: Vec<Place> = group.places().to_vec();
        cards.sort_unstable_by(|a, b| b.cmp(a));
        let (played, rest) = cards.split_at(usize::from(size).min(cards.len()));
        let Some(part) = Group::new(played, &terms.scale) else { continue };
        let Some(footstool) = on_top(&part.hand, beat, low) else { continue };
        plan.groups.swap_remove(i);
        rest.iter().for_each(|place| plan.add(*place, &terms.scale));
        return Some((part, footstool));
    }
    None
}
