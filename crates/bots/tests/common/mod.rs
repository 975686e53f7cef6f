//! Plays deals among computers; an illegal move fails the test.

use bots::{Computer, Course, Decision, Kind, Past};
use cards::{Card, Pack};
use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};
use table::{Awaiting, Draw, Faces, Known, Match, Move, Order, Rules as _, Seat, Slot, Source, Table};

/// A pack in any order, as the deck with this number.
pub(crate) fn shuffled(deck: u32, pack: Pack, draw: &mut impl Draw) -> Faces {
    let mut cards: Vec<Card> = pack.faces().collect();
    for i in (1..cards.len()).rev() {
        let other = draw.below(u32::try_from(i + 1).unwrap());
        cards.swap(i, usize::try_from(other).unwrap());
    }
    (0..).zip(cards).map(|(index, card)| (Slot::new(deck, index), card)).collect()
}

/// Plays a match of computers to its end, or for this many deals. A refused decision fails the test.
pub(crate) fn play_match<G: Computer>(settings: &G::Settings, kinds: &[Kind], most: u32, draw: &mut ChaCha8Rng) {
    let players = u8::try_from(kinds.len()).unwrap();
    let mut running = Match::<G>::start(settings, players).unwrap();
    let mut cards = ChaCha8Rng::seed_from_u64(draw.next_u64());
    while !running.standing().over && running.deals() <= most {
        let deal = running.deals();
        play_deal::<G>(running.table_mut(), &mut cards, |table, seat, known, past| {
            kinds[usize::from(seat.index())].decide::<G>(Course { settings, deal, past }, table, seat, known, draw)
        });
        running.advance(0);
    }
}

/// Plays the deal on the table with these deciders.
pub(crate) fn play_deal<G: Computer>(
    table: &mut Table<G::Rules>,
    cards: &mut ChaCha8Rng,
    mut decide: impl FnMut(&Table<G::Rules>, Seat, Known<'_>, &[Past<G::Rules>]) -> Decision<G::Rules>,
) {
    let mut all = Faces::new();
    let mut own = vec![Faces::new(); usize::from(table.rules().players())];
    let mut past: Vec<Past<G::Rules>> = Vec::new();
    loop {
        let mut decide = |table: &Table<G::Rules>, seat: Seat, past: &[Past<G::Rules>]| {
            let known = Known::with(table.open(), &own[usize::from(seat.index())]);
            decide(table, seat, known, past).unwrap_or_else(|| panic!("{seat} says nothing after {past:?}"))
        };
        match table.awaiting() {
            Awaiting::Dealer => {
                for order in table.orders().collect::<Vec<Order>>() {
                    match order {
                        Order::Shuffle { deck, from: Source::Pack(pack) } => {
                            shuffled(deck, pack, cards).iter().for_each(|(slot, card)| all.insert(slot, card));
                        }
                        Order::Shuffle { .. } => panic!("no pack is used twice in these games"),
                        Order::Deal { to, slots } => {
                            let own = &mut own[usize::from(to.index())];
                            slots.slots().for_each(|slot| own.insert(slot, all.get(slot).unwrap()));
                        }
                        Order::Open { .. } => {}
                    }
                }
                table.dealt(table.height(), &all).unwrap();
            }
            Awaiting::Turn(seat) => {
                let Move::Act(action) = decide(table, seat, &past) else { panic!("{seat} must act") };
                let height = table.height();
                table.act(height, seat, &action, &all).unwrap_or_else(|why| panic!("{action:?} after {past:?}: {why}"));
                past.push(Past::Did(seat, action));
            }
            Awaiting::Choices(seats) => {
                let choose = |seat| match decide(table, seat, &past) {
                    Move::Choose(choice) => (seat, choice),
                    Move::Act(_) => panic!("{seat} must choose"),
                };
                let choices: Vec<_> = seats.iter().map(choose).collect();
                table.choose(table.height(), &choices).unwrap();
            }
            Awaiting::Over => return,
        }
    }
}
