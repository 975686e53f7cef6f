//! Simulating a move: the hand is played on many times, with cards that the others may hold and cards that may
//! come, and everybody plays by [habit](super::habits) from then on.
//!
//! After the flop, a hand is played to its end. Before the flop, it is played to the end of that street, and
//! the result follows from the chances of the remaining hands.

use cards::{Card, PokerHand};
use games::holdem::{Action, Deal, Street};
use table::{Awaiting, Chips, Draw, Faces, Input, Rules as _, Seat};

use super::combos::COMBOS;
use super::habits::{Spot, Style, USUAL, Worth};
use super::preflop;
use super::reading::{Range, before_the_flop};
use super::strength::{Runout, Strengths};

/// The chance of winning a freeze-out with a fraction `x` of all chips is assumed to be `1 - PATIENCE^x`, up to a
/// factor: about 61 % with half of them.
const PATIENCE: f64 = 0.4;

/// A hand at a decision.
pub(super) struct Trial<'a> {
    pub(super) rules: &'a Deal,
    pub(super) seat: Seat,
    /// The number of its own hole cards.
    pub(super) own: usize,
    /// The match is played until one player has all chips.
    pub(super) freeze_out: bool,
    /// How good hands are on the board; `None` before the flop.
    pub(super) strengths: Option<&'a Strengths>,
}

/// A guess at everything hidden.
#[derive(Debug)]
pub(super) struct Guess {
    /// Each opponent's style and hole cards.
    others: Vec<(Seat, Style, usize)>,
    /// Which of the full boards comes.
    runout: usize,
    /// The seed for habits.
    dice: u64,
}

impl Trial<'_> {
    /// This many guesses, a power of two. Each opponent's hands are spread evenly over their range, so that weak
    /// and strong ones appear in the right proportions.
    pub(super) fn guesses(&self, ranges: &[Range], count: usize, draw: &mut impl Draw) -> Vec<Guess> {
        let mut order: Vec<(f32, usize)> = (0..COMBOS.len()).map(|i| (self.worth_now(i).chance, i)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let hands: Vec<(Seat, Vec<(Style, usize)>)> =
            ranges.iter().map(|range| (range.seat, spread(range, &order, count, draw))).collect();
        let boards = self.strengths.map_or(1, |strengths| strengths.runouts.len()).max(1);
        let steps: Vec<(usize, usize)> = hands.iter().map(|_| (odd(draw), odd(draw))).collect();
        let own = COMBOS.get(self.own).map_or(0, |combo| combo.mask);
        let guess = |j: usize, draw: &mut _| {
            let runout = j % boards;
            let board = self.runout(runout).map_or(0, |runout| runout.mask);
            let mut taken = own | board;
            let mut others = Vec::with_capacity(hands.len());
            for ((seat, hands), (step, start)) in hands.iter().zip(&steps) {
                // If a card is already taken, the hand some places further on is tried.
                let places = (0..16).map(|more| (start + (j + 7 * more) * step) % count);
                let fits = |(_, pair): &&(Style, usize)| COMBOS.get(*pair).is_some_and(|c| c.mask & taken == 0);
                let (style, pair) = *places.filter_map(|place| hands.get(place)).find(fits)?;
                taken |= COMBOS.get(pair).map_or(0, |combo| combo.mask);
                others.push((*seat, style, pair));
            }
            Some(Guess { others, runout, dice: u64::from(Draw::below(draw, u32::MAX)) << 16 | 1 })
        };
        (0..count).filter_map(|j| guess(j, draw)).collect()
    }

    /// The seat's chips after this action, summed over these guesses.
    pub(super) fn value(&self, action: Action, guesses: &[Guess]) -> f64 {
        let mut faces = Faces::new();
        guesses.iter().filter_map(|guess| self.play(action, guess, &mut faces)).map(|chips| self.worth_of(chips)).sum()
    }

    /// The value of an amount of chips. In a freeze-out, the last chips of a stack are worth more than the
    /// first of a second one: a player who is better than the others should not stake everything on a small
    /// advantage.
    fn worth_of(&self, chips: f64) -> f64 {
        if !self.freeze_out {
            return chips;
        }
        let all: Chips = self.rules.setup().stacks.iter().copied().sum();
        1.0 - PATIENCE.powf(chips / all.0.max(1) as f64)
    }

    /// How often all others fold to this action at once, over these guesses.
    pub(super) fn folds(&self, action: Action, guesses: &[Guess]) -> f64 {
        let folded = guesses.iter().filter(|guess| self.all_fold(action, guess).unwrap_or(false));
        folded.count() as f64 / guesses.len().max(1) as f64
    }

    fn all_fold(&self, action: Action, guess: &Guess) -> Option<bool> {
        let mut deal = self.rules.clone();
        let mut dice = Dice(guess.dice);
        let nothing = Faces::new();
        deal.apply(&nothing, Input::Act { seat: self.seat, action: &action }).ok()?;
        while let Awaiting::Turn(seat) = deal.awaiting() {
            let answer = self.answer(&deal, seat, guess, &mut dice)?;
            if seat == self.seat || answer != Action::Fold {
                return Some(false);
            }
            deal.apply(&nothing, Input::Act { seat, action: &answer }).ok()?;
        }
        Some(deal.live().only() == Some(self.seat))
    }

    /// The share of the pot that its own hand wins over these guesses if everybody stays to the end.
    pub(super) fn chance(&self, guesses: &[Guess]) -> f64 {
        let own = COMBOS.get(self.own).map(|combo| combo.cards);
        let share = |guess: &Guess| {
            let Some(runout) = self.runout(guess.runout) else {
                return Some(self.share_before(guess.others.iter().map(|(_, _, pair)| *pair)));
            };
            let board = PokerHand::of(&runout.board).ok()?;
            let rank = |cards: [Card; 2]| board.with_all(&cards).and_then(PokerHand::rank).ok();
            let own = rank(own?)?;
            let mut equal = 1.0;
            for (_, _, pair) in &guess.others {
                let other = rank(COMBOS.get(*pair)?.cards)?;
                if other > own {
                    return Some(0.0);
                }
                equal += f64::from(u8::from(other == own));
            }
            Some(1.0 / equal)
        };
        let shares: Vec<f64> = guesses.iter().filter_map(share).collect();
        shares.iter().sum::<f64>() / shares.len().max(1) as f64
    }

    /// Plays the hand on after this action; returns the seat's final chips.
    fn play(&self, action: Action, guess: &Guess, faces: &mut Faces) -> Option<f64> {
        let mut deal = self.rules.clone();
        let runout = self.runout(guess.runout);
        if let Some(runout) = runout {
            self.lay_down(guess, runout, faces);
        }
        let mut dice = Dice(guess.dice);
        deal.apply(faces, Input::Act { seat: self.seat, action: &action }).ok()?;
        loop {
            match deal.awaiting() {
                Awaiting::Over => return Some(deal.stacks()[self.seat].0 as f64),
                _ if !deal.live().contains(self.seat) => return Some(deal.stacks()[self.seat].0 as f64),
                Awaiting::Dealer if runout.is_none() => return Some(self.after_the_flop(&deal, guess)),
                Awaiting::Dealer => deal.apply(faces, Input::Dealt).ok()?,
                Awaiting::Turn(seat) => {
                    let action = self.answer(&deal, seat, guess, &mut dice)?;
                    deal.apply(faces, Input::Act { seat, action: &action }).ok()?;
                }
                Awaiting::Choices(_) => return None,
            }
        }
    }

    /// Puts the guessed cards into their slots.
    fn lay_down(&self, guess: &Guess, runout: &Runout, faces: &mut Faces) {
        let board = self.rules.board().slots().zip(runout.board.iter().copied());
        board.for_each(|(slot, card)| faces.insert(slot, card));
        let own = (self.seat, Style::Steady, self.own);
        for (seat, _, pair) in guess.others.iter().chain([&own]) {
            let cards = COMBOS.get(*pair).map(|combo| combo.cards).into_iter().flatten();
            self.rules.hole(*seat).slots().zip(cards).for_each(|(slot, card)| faces.insert(slot, card));
        }
    }

    /// The action of a seat by habit.
    fn answer(&self, deal: &Deal, seat: Seat, guess: &Guess, dice: &mut Dice) -> Option<Action> {
        let spot = Spot::of(deal, seat)?;
        let (style, pair) = if seat == self.seat {
            (Style::Steady, self.own)
        } else {
            guess.others.iter().find(|(other, _, _)| *other == seat).map(|(_, style, pair)| (*style, *pair))?
        };
        let worth = self.worth(deal.street(), guess.runout, pair);
        let habit = spot.habit(style, worth, USUAL);
        let stay = if spot.to_call == Chips::ZERO { Action::Check } else { Action::Call };
        let drawn = dice.roll();
        Some(if drawn < habit.raise {
            let pots = if style == Style::Wild { 0.4 + 4.0 * dice.roll() * dice.roll() } else { USUAL };
            spot.raise(pots).unwrap_or(stay)
        } else if drawn < habit.raise + habit.stay {
            stay
        } else {
            Action::Fold
        })
    }

    fn runout(&self, number: usize) -> Option<&Runout> {
        self.strengths?.runouts.get(number)
    }

    /// How good a pair is now.
    fn worth_now(&self, pair: usize) -> Worth {
        match self.strengths {
            None => before_the_flop(pair),
            Some(strengths) => Worth { chance: strengths.now.get(pair).copied().unwrap_or(0.0), top: 0.0 },
        }
    }

    /// How good a pair is on a street of this guess.
    fn worth(&self, street: Street, runout: usize, pair: usize) -> Worth {
        let now = self.worth_now(pair);
        let Some(full) = self.runout(runout).filter(|_| street != self.rules.street()) else { return now };
        let last = full.beats(pair);
        let chance = if street == Street::River { last } else { (now.chance + last) / 2.0 };
        Worth { chance, top: 0.0 }
    }

    /// The share of the pot that its own hand can expect before the flop against these pairs.
    fn share_before(&self, pairs: impl Iterator<Item = usize>) -> f64 {
        let kind = |pair: usize| COMBOS.get(pair).map_or(0, |combo| combo.kind);
        let own = preflop::kind(kind(self.own));
        // Adding up the odds of losing to each is accurate enough.
        let odds = pairs.map(|pair| {
            let chance = f64::from(own.against(kind(pair))).clamp(0.02, 0.98);
            (1.0 - chance) / chance
        });
        1.0 / (1.0 + odds.sum::<f64>())
    }

    /// The seat's final chips if betting before the flop ended like this.
    fn after_the_flop(&self, deal: &Deal, guess: &Guess) -> f64 {
        let mut value = deal.stacks()[self.seat].0 as f64;
        let live = deal.live();
        let able = live.iter().filter(|seat| deal.stacks()[*seat] > Chips::ZERO);
        let goes_on = able.count() > 1 && deal.stacks()[self.seat] > Chips::ZERO;
        for pot in deal.pots().filter(|pot| pot.eligible.contains(self.seat)) {
            let against = guess.others.iter().filter(|(seat, _, _)| pot.eligible.contains(*seat));
            let share = self.share_before(against.map(|(_, _, pair)| *pair));
            let amount = pot.amount.0 as f64;
            value += share * amount;
            if goes_on {
                let fair = 1.0 / f64::from(pot.eligible.len().max(1));
                let others = live.without(self.seat).iter().map(|seat| deal.stacks()[seat]).max();
                let behind = deal.stacks()[self.seat].min(others.unwrap_or(Chips::ZERO)).0 as f64;
                // Better hands win more than the pot, and so does the player who acts last.
                let last = deal.button() == Some(self.seat)
                    || deal.button().and_then(|button| live.clockwise_after(button).last()) == Some(self.seat);
                let place = if last { 0.06 } else { -0.06 };
                value += (0.6 * (share - fair) + place) * amount.min(behind);
            }
        }
        value
    }
}

/// `count` hands of a range, evenly spread over it, from the weakest to the strongest.
fn spread(range: &Range, order: &[(f32, usize)], count: usize, draw: &mut impl Draw) -> Vec<(Style, usize)> {
    let mut hands = Vec::with_capacity(count);
    let step = 1.0 / count.max(1) as f64;
    let mut next = step * f64::from(draw.below(1_000)) / 1_000.0;
    let mut sum = 0.0;
    let mut last = None;
    for (_, pair) in order {
        for (style, weights) in Style::ALL.into_iter().zip(&range.weights) {
            let weight = f64::from(weights.get(*pair).copied().unwrap_or(0.0));
            if weight <= 0.0 {
                continue;
            }
            sum += weight;
            last = Some((style, *pair));
            while next < sum && hands.len() < count {
                hands.push((style, *pair));
                next += step;
            }
        }
    }
    while let (true, Some(hand)) = (hands.len() < count, last) {
        hands.push(hand);
    }
    hands
}

/// A large odd number: stepping around a list whose length is a power of two by it visits every place once.
fn odd(draw: &mut impl Draw) -> usize {
    usize::try_from(draw.below(1 << 20)).unwrap_or(0) * 2 + 1
}

/// A small generator for habits, the same for every action tried with a guess.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn roll(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}
