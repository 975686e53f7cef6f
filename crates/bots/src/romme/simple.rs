//! Rules of thumb for Rommé.

use cards::Card;
use games::Held;
use games::romme::{self, Action, Deal, Drawing, Goal, Moves, Play, Pool, View};
use table::{Draw, Move, Seat};

use crate::{Decision, Simple};

/// With at most this many cards in hand, jokers are laid off as well.
const FEW_CARDS: usize = 3;

/// Once in so many times a useful discard is left lying, and the stock gets smaller. Else two players could
/// hand each other the same cards for ever, each of which completes a meld that neither may lay yet.
const LEAVES: u32 = 16;

impl Simple for Deal {
    /// Lays what can be laid, keeps what may still become a meld, throws away the most expensive of the
    /// rest, and takes a discard only if it completes a meld.
    fn simple(_: Seat, view: &View, moves: &Moves, rng: &mut impl Draw) -> Decision<Self> {
        let action = match moves {
            Moves::None => return None,
            Moves::Draw(drawing) if takes(drawing, view) && !rng.one_in(LEAVES) => Action::DrawDiscard,
            Moves::Draw(_) => Action::DrawStock,
            Moves::Play(play) => lays(play).or_else(|| throws_away(play))?,
        };
        Some(Move::Act(action))
    }
}

/// Would the top of the discard pile be a joker, or complete a meld without one?
fn takes(drawing: &Drawing, view: &View) -> bool {
    let Some(card) = drawing.discard.and_then(|held| held.card) else { return false };
    let naturals = view.hand.iter().filter_map(|held| held.card).filter(|card| !card.is_joker());
    let with_it = naturals.clone().fold(Pool::default(), Pool::with).with(card);
    card.is_joker() || (!naturals.clone().any(|held| held == card) && with_it.melds_with(card).next().is_some())
}

/// The best melds, else a swap, else a card added to a meld.
pub(super) fn lays(play: &Play) -> Option<Action> {
    if let Some(plan) = play.best() {
        return Some(play.lay(&plan));
    }
    let is_joker = |action: &Action| match action {
        Action::LayOff { cards, .. } => {
            cards.iter().any(|laid| play.hand().any(|held| held.slot == laid.slot && held.card == Some(Card::JOKER)))
        }
        Action::DrawStock | Action::DrawDiscard | Action::Meld(_) | Action::Swap { .. } | Action::Discard(_) => false,
    };
    let few = play.hand().count() <= FEW_CARDS;
    play.swaps().next().or_else(|| play.lay_offs().find(|action| few || !is_joker(action)))
}

/// The card that counts most among those that are of no use: in no meld, then in no half of one.
pub(super) fn throws_away(play: &Play) -> Option<Action> {
    let in_melds = romme::best(play.pool(), Goal { least: 0, keep: true });
    let kept = in_melds.map_or(play.pool(), |plan| plan.rest(play.pool()));
    let use_of = |held: &Held| {
        let Some(card) = held.card else { return (false, false, false, 0) };
        let in_meld = kept.count(card) == 0;
        let half = play.hand().filter(|other| other.slot != held.slot);
        let half = half.filter_map(|other| other.card).any(|other| romme::is_half_a_meld(card, other));
        (card.is_joker(), in_meld, half, romme::in_hand(card))
    };
    let least_useful = play.discards().min_by_key(|held| {
        let (joker, in_meld, half, points) = use_of(held);
        (joker, in_meld, half, core::cmp::Reverse(points))
    });
    least_useful.map(|held| Action::Discard(held.slot))
}
<<<<<<< HEAD
=======

#[cfg(test)]
mod tests {
    use games::romme::{Romme, Settings};
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;
    use table::{Awaiting, Faces, Game, Height, Known, Match, Order, Outcome, PerSeat, Rules as _, Source, Table};

    use super::*;
    use crate::{Course, Kind};

    /// Plays a deal to its end, dealing from a shuffled pack.
    fn play(table: &mut Table<Deal>, kinds: &PerSeat<Option<Kind>>, rng: &mut ChaCha8Rng) -> Outcome {
        let mut faces = Faces::new();
        let mut own = vec![Faces::new(); 4];
        loop {
            match table.awaiting() {
                Awaiting::Dealer => {
                    for order in table.orders() {
                        match order {
                            Order::Shuffle { deck, from } => {
                                let mut cards: Vec<Card> = match from {
                                    Source::Pack(pack) => pack.faces().collect(),
                                    Source::Slots(slots) => slots.iter().filter_map(|slot| faces.get(*slot)).collect(),
                                };
                                for index in 0.. {
                                    let Ok(left @ 1..) = u32::try_from(cards.len()) else { break };
                                    let card = cards.swap_remove(usize::try_from(rng.below(left)).unwrap());
                                    faces.insert(table::Slot::new(deck, index), card);
                                }
                            }
                            Order::Deal { to, slots } => slots
                                .slots()
                                .for_each(|slot| own[usize::from(to.index())].insert(slot, faces.get(slot).unwrap())),
                            Order::Open { .. } => {}
                        }
                    }
                    table.dealt(table.height(), &faces).unwrap();
                }
                Awaiting::Turn(_) if table.height().0 > 20_000 => panic!("the deal does not end"),
                Awaiting::Turn(seat) => {
                    let known = Known::with(table.open(), &own[usize::from(seat.index())]);
                    let course = Course::<Romme> { settings: &Settings::default(), deal: 1, past: &[] };
                    let decided = kinds[seat].unwrap_or(Kind::Easy).decide(course, table, seat, known, rng);
                    let Some(Move::Act(action)) = decided else { panic!("{seat} does nothing") };
                    table.act(table.height(), seat, &action, &faces).unwrap();
                }
                Awaiting::Choices(_) => panic!("there are no choices"),
                Awaiting::Over => return table.outcome().unwrap().clone(),
            }
        }
    }

    #[test]
    fn rounds_of_simple_players_end_mostly_by_going_out() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut blocked = 0;
        for turn in 0..150u8 {
            let players = 2 + turn % 3;
            let setup = Romme::sample(&Settings::default(), players, turn.into()).unwrap();
            let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
            let outcome = play(&mut table, &PerSeat::new(players), &mut rng);
            blocked += u32::from(outcome.ending == "blocked");
        }
        assert!(blocked < 15, "{blocked} of 150 were blocked");
    }

    #[test]
    fn two_simple_players_do_not_hand_each_other_the_same_cards_for_ever() {
        for seed in 0..4_000 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let setup = Romme::sample(&Settings::default(), 2, seed).unwrap();
            let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
            play(&mut table, &PerSeat::new(2), &mut rng);
        }
    }

    #[test]
    fn a_simple_player_beats_random_ones() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let me = Seat::default();
        let mut kinds = PerSeat::filled(3, Some(Kind::Random));
        kinds[me] = Some(Kind::Easy);
        let mut won = 0;
        for _ in 0..20 {
            let mut game = Match::<Romme>::start(&Settings::default(), 3).unwrap();
            while !game.standing().over {
                play(game.table_mut(), &kinds, &mut rng);
                game.advance(0);
            }
            won += u32::from(game.standing().winners().contains(me));
        }
        assert!(won >= 15, "won {won} of 20");
    }
}
>>>>>>> main
