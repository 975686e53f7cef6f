//! Rules of thumb for Big-C.

use cards::Card;
use games::bigc::{Action, Choice, Deal, Footstool, Moves, Options, Playable, View, place};
use table::{Draw, Move, Seat};

use crate::{Decision, Simple};

/// The value of keeping a joker, compared to the places 1 to 52 of the other cards.
const JOKER: i32 = 45;
/// A hand whose cards are worth this much on average is kept for later.
const DEAR: i32 = 46;
/// The value of a footstool for each card that an opponent draws.
const PER_PENALTY: i32 = 25;

impl Simple for Deal {
    /// Leads with as many low cards as it can, answers with the lowest hand or a footstool, and keeps twos and
    /// jokers until an opponent runs short of cards.
    fn simple(seat: Seat, view: &View, moves: &Moves, _: &mut impl Draw) -> Decision<Self> {
        let own = view.hand.len();
        match moves {
            Moves::None => None,
            Moves::Show(cards) => {
                let lowest = cards.iter().min_by_key(|held| held.card.map(place));
                Some(Move::Choose(lowest.map_or(Choice::Nothing, |held| Choice::Show(held.slot))))
            }
            Moves::Lead(options) => {
                let worth = |playable: &Playable| {
                    let all = usize::from(playable.cards.len()) == own;
                    (all, 40 * i32::from(playable.cards.len()) - price(options, playable))
                };
                let best = best(options, &[1, 2, 3, 5], worth);
                Some(Move::Act(best.map_or(Action::PassRole, |playable| Action::Play(playable.cards))))
            }
            Moves::Answer { options, pass_draws } => {
                let size = options.beat()?.class().size();
                let worth = |playable: &Playable| {
                    let gain = PER_PENALTY * i32::from(playable.footstool.penalty());
                    (usize::from(playable.cards.len()) == own, gain - price(options, playable))
                };
                let best = best(options, &[size], worth);
                let others = view.players.iter().zip(0u8..).filter(|(player, n)| player.in_play && *n != seat.index());
                let somebody_is_short = others.map(|(player, _)| player.cards).min().is_some_and(|least| least <= 4);
                let passing_is_free = *pass_draws == 0;
                let keep = |playable: &Playable| {
                    let dear = price(options, playable) >= DEAR * i32::from(playable.cards.len());
                    let useful = playable.footstool != Footstool::None || own <= 5 || somebody_is_short;
                    dear && passing_is_free && !useful
                };
                let action = best.filter(|playable| !keep(playable));
                Some(Move::Act(action.map_or(Action::Pass, |playable| Action::Play(playable.cards))))
            }
        }
    }
}

/// The hand of one of these sizes that is worth most.
fn best(options: &Options, sizes: &[u8], worth: impl Fn(&Playable) -> (bool, i32)) -> Option<Playable> {
    let mut best: Option<(Playable, (bool, i32))> = None;
    for size in sizes {
        options.each(*size, |playable| {
            let worth = worth(&playable);
            if best.as_ref().is_none_or(|(_, most)| worth > *most) {
                best = Some((playable, worth));
            }
        });
    }
    best.map(|(playable, _)| playable)
}

/// The value of its cards later on.
fn price(options: &Options, playable: &Playable) -> i32 {
    let worth = |card: Card| if card.is_joker() { JOKER } else { i32::from(place(card)) };
    playable.cards.iter().filter_map(|slot| options.card(slot)).map(worth).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::bigc::{BigC, Preset, Settings};
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;
    use table::{Awaiting, Eye, Faces, Known, Match, Order, Rules as _, Slot, Source, Table};

    /// Shuffles the decks the table orders.
    fn shuffle(table: &Table<Deal>, faces: &mut Faces, draw: &mut impl Draw) {
        for order in table.orders() {
            let Order::Shuffle { deck, from } = order else { continue };
            let mut cards: Vec<Card> = match from {
                Source::Pack(pack) => pack.faces().collect(),
                Source::Slots(slots) => slots.iter().map(|slot| faces.get(*slot).unwrap()).collect(),
            };
            for i in (1..cards.len()).rev() {
                let other = draw.below(u32::try_from(i + 1).unwrap());
                cards.swap(i, usize::try_from(other).unwrap());
            }
            (0..).zip(cards).for_each(|(index, card)| faces.insert(Slot::new(deck, index), card));
        }
    }

    /// Plays a match among beginners; returns the number of inputs.
    fn play_match(settings: &Settings, players: u8) -> u64 {
        let mut draw = ChaCha8Rng::from_seed([players; 32]);
        let mut running = Match::<BigC>::start(settings, players).unwrap();
        let mut faces = Faces::new();
        while !running.standing().over {
            let table = running.table_mut();
            let height = table.height();
            let decide = |table: &Table<Deal>, seat: Seat, draw: &mut ChaCha8Rng| {
                let known = Known::with(table.open(), &faces);
                let view = table.rules().view(known, Eye::Seat(seat));
                let moves = table.rules().moves(known, seat);
                Deal::simple(seat, &view, &moves, draw).expect("it is the seat's turn")
            };
            match table.awaiting() {
                Awaiting::Dealer => {
                    shuffle(table, &mut faces, &mut draw);
                    table.dealt(height, &faces).unwrap();
                }
                Awaiting::Turn(seat) => {
                    let Move::Act(action) = decide(table, seat, &mut draw) else { panic!("{seat} must act") };
                    table.act(height, seat, &action, &faces).unwrap();
                }
                Awaiting::Choices(seats) => {
                    let choose = |seat| match decide(table, seat, &mut draw) {
                        Move::Choose(choice) => (seat, choice),
                        Move::Act(action) => panic!("{seat} must choose, not {action:?}"),
                    };
                    let choices: Vec<_> = seats.iter().map(choose).collect();
                    table.choose(height, &choices).unwrap();
                }
                Awaiting::Over => assert!(running.advance(0).unwrap().broken_off.is_none()),
            }
        }
        running.table().height().0
    }

    #[test]
    fn matches_of_beginners_end_and_every_move_is_legal() {
        for preset in [Preset::Seed, Preset::Author] {
            for players in 2..=12 {
                let settings = Settings { deals: 3, ..preset.settings() };
                let inputs = play_match(&settings, players);
                assert!(inputs < 10_000, "{players} players took {inputs} inputs");
            }
        }
    }
}
