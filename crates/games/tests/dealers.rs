//! Every game with every dealer: the same cards and the same moves give the same log and the same outcome.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "what goes wrong here fails a test")]

use std::collections::{BTreeMap, VecDeque};

use dealers::house::{House, Publish};
use dealers::joint::{Circle, Keepers};
use dealers::{Dealer, Local, Log, play_deal};
use games::{bigc::BigC, blackjack::Blackjack, blackout::Blackout, holdem::Holdem, ongdu::Ongdu, romme::Romme};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::Evidence;
use table::{
    Awaiting, Game, Height, Known, Look, Move, Moves as _, Order, Outcome, Rules, Seat, Seats, Slot, Source, Table,
};

type MoveOf<R> = Move<<R as Rules>::Action, <R as Rules>::Choice>;

/// Everything public, and what each seat was dealt, in order.
#[derive(Default)]
struct Seen {
    public: Vec<String>,
    private: Vec<String>,
    /// Decks and what they were made of.
    sources: BTreeMap<u32, Source>,
}

impl<R: Rules> Log<R> for Seen {
    fn evidence(&mut self, _: Vec<Evidence>) {}

    fn dealt<D: Dealer>(&mut self, table: &Table<R>, dealer: &D) {
        for order in table.orders() {
            match order {
                Order::Shuffle { deck, from } => {
                    self.public.push(format!("shuffle {deck}"));
                    self.sources.insert(deck, from);
                }
                Order::Deal { to, slots } => {
                    for slot in slots.slots() {
                        self.private.push(format!("{to} {slot} {:?}", dealer.own(to).get(slot).unwrap()));
                    }
                }
                Order::Open { slots } => {
                    for slot in slots.slots() {
                        let face = dealer.opened().face(slot).or_else(|| table.open().get(slot));
                        self.public.push(format!("open {slot} {:?}", face.unwrap()));
                    }
                }
            }
        }
    }

    fn act(&mut self, table: &Table<R>, seat: Seat, action: &R::Action, faces: &impl Look, _: bool) {
        let laid: Vec<_> = table
            .rules()
            .shows(seat, action)
            .map(|slot| (slot, faces.face(slot).or_else(|| table.open().get(slot)).unwrap()))
            .collect();
        self.public.push(format!("{seat} {action:?} {laid:?}"));
    }

    fn choices(&mut self, _: &Table<R>, choices: &[(Seat, R::Choice)]) {
        self.public.push(format!("{choices:?}"));
    }
}

/// A deal played to its end.
struct Played<R: Rules> {
    seen: Seen,
    outcome: Outcome,
    hash: [u8; 32],
    script: Vec<MoveOf<R>>,
}

/// Plays a deal, by a script or at random.
fn play<G: Game>(
    setup: &<G::Rules as Rules>::Setup,
    dealer: &mut impl Dealer,
    script: Option<&[MoveOf<G::Rules>]>,
    seed: u8,
) -> Played<G::Rules> {
    let mut table = Table::new(G::Rules::deal(setup).unwrap(), Height(0));
    dealer.begin([seed; 32]);
    let mut rng = ChaCha8Rng::from_seed([seed; 32]);
    let mut left: VecDeque<_> = script.unwrap_or_default().iter().cloned().collect();
    let mut done = Vec::new();
    let mut decide = |table: &Table<G::Rules>, seat: Seat, known: Known<'_>| {
        let scripted = script.map(|_| left.pop_front().expect("the script goes on"));
        let decided = scripted.or_else(|| table.rules().moves(known, seat).pick(&mut rng));
        done.extend(decided.clone());
        decided
    };
    let mut seen = Seen::default();
    let outcome =
        play_deal(&mut table, dealer, &mut decide, &mut seen).unwrap_or_else(|halt| panic!("{}: {halt}", G::NAME));
    assert_eq!(table.awaiting(), Awaiting::Over);
    Played { seen, outcome, hash: table.state_hash(), script: done }
}

/// How the decks of a deal lay: for every place, which card of its source.
fn orders(played: &Seen, faces: &impl Look) -> BTreeMap<u32, Vec<u16>> {
    let of = |slot: Slot| faces.face(slot).expect("a house knows every card");
    played
        .sources
        .iter()
        .map(|(deck, source)| {
            let from: Vec<_> = match source {
                Source::Pack(pack) => pack.faces().collect(),
                Source::Slots(slots) => slots.iter().map(|slot| of(*slot)).collect(),
            };
            let mut free: Vec<u16> = (0..u16::try_from(from.len()).unwrap()).collect();
            let places = 0..u16::try_from(from.len()).unwrap();
            let order = places.map(|place| {
                let face = of(Slot::new(*deck, place));
                let found = free.iter().position(|i| from[usize::from(*i)] == face).expect("the same cards");
                free.remove(found)
            });
            (*deck, order.collect())
        })
        .collect()
}

fn same_with_every_dealer<G: Game>(players: u8, seed: u8) {
    let setup = G::sample(&G::Settings::default(), players, seed.into()).unwrap();
    let mut house = House::simulated([seed; 32], Publish::Never);
    let by_house = play::<G>(&setup, &mut house, None, seed);
    let orders = orders(&by_house.seen, house.opened());

    let same = |by: &str, played: &Played<G::Rules>| {
        let name = G::NAME;
        assert_eq!(played.seen.public, by_house.seen.public, "{name} by {by}, seed {seed}: another public log");
        assert_eq!(played.seen.private, by_house.seen.private, "{name} by {by}, seed {seed}: other hands");
        assert_eq!(played.outcome, by_house.outcome, "{name} by {by}, seed {seed}: another outcome");
        assert_eq!(played.hash, by_house.hash, "{name} by {by}, seed {seed}: another state hash");
    };
    let mut local = Local::new([seed; 32]);
    local.stack(orders.clone());
    same("local", &play::<G>(&setup, &mut local, Some(&by_house.script), seed));
    for keepers in [
        Keepers::EveryPlayer,
        Keepers::Players { threshold: players - 1 },
        Keepers::Committee { members: 4, threshold: 3 },
    ] {
        let mut circle = Circle::new(Seats::first(players), keepers, [seed; 32]).unwrap();
        circle.stack(orders.clone());
        let played = play::<G>(&setup, &mut circle, Some(&by_house.script), seed);
        same(&format!("{keepers:?}"), &played);
    }
}

#[test]
fn holdem_is_the_same_with_every_dealer() {
    (0..3).for_each(|seed| same_with_every_dealer::<Holdem>(4, seed));
}

#[test]
fn blackjack_is_the_same_with_every_dealer() {
    same_with_every_dealer::<Blackjack>(3, 0);
}

#[test]
fn romme_is_the_same_with_every_dealer() {
    same_with_every_dealer::<Romme>(3, 0);
}

#[test]
fn bigc_is_the_same_with_every_dealer() {
    (0..2).for_each(|seed| same_with_every_dealer::<BigC>(3, seed));
}

#[test]
fn ongdu_is_the_same_with_every_dealer() {
    (0..2).for_each(|seed| same_with_every_dealer::<Ongdu>(4, seed));
}

#[test]
fn blackout_is_the_same_with_every_dealer() {
    (0..3).for_each(|seed| same_with_every_dealer::<Blackout>(4, seed));
}

/// Keeps all evidence.
#[derive(Default)]
struct Kept(Vec<Evidence>);

impl<R: Rules> Log<R> for Kept {
    fn evidence(&mut self, evidence: Vec<Evidence>) {
        self.0.extend(evidence);
    }
    fn dealt<D: Dealer>(&mut self, _: &Table<R>, _: &D) {}
    fn act(&mut self, _: &Table<R>, _: Seat, _: &R::Action, _: &impl Look, _: bool) {}
    fn choices(&mut self, _: &Table<R>, _: &[(Seat, R::Choice)]) {}
}

/// The kinds of messages in a deal, and a hash over all of them.
fn said<G: Game>(players: u8, keepers: Keepers) -> (Vec<String>, String) {
    let setup = G::sample(&G::Settings::default(), players, 0).unwrap();
    let mut table = Table::new(G::Rules::deal(&setup).unwrap(), Height(0));
    let mut circle = Circle::new(Seats::first(players), keepers, [1; 32]).unwrap();
    circle.begin([2; 32]);
    let mut rng = ChaCha8Rng::from_seed([3; 32]);
    let mut pick =
        |table: &Table<G::Rules>, seat: Seat, known: Known<'_>| table.rules().moves(known, seat).pick(&mut rng);
    let mut kept = Kept::default();
    play_deal(&mut table, &mut circle, &mut pick, &mut kept).unwrap();
    let mut kinds: Vec<String> = kept.0.iter().map(|line| line.kind.clone()).collect();
    let bodies: Vec<&[u8]> = kept.0.iter().map(|line| line.body.as_bytes()).collect();
    let hash = table::record::hex(&dealing::hash_fields(&bodies));
    kinds.sort();
    kinds.dedup();
    (kinds, hash)
}

/// A change to an encoding, a transcript or what a node derives from its seed breaks this: records and other
/// programs depend on the first two, restarted nodes on all of them.
#[test]
fn what_is_said_is_frozen() {
    let said = [
        said::<Blackjack>(2, Keepers::Committee { members: 4, threshold: 3 }),
        said::<Blackout>(3, Keepers::Players { threshold: 2 }),
        said::<Ongdu>(2, Keepers::EveryPlayer),
    ];
    let said: Vec<_> = said.iter().map(|(kinds, hash)| (kinds.join(" "), hash.as_str())).collect();
    let expected = [
        (
            "beacon commit dealing key player_key ready reveal sealed shares shuffle",
            "7b6e8e8099e8c0ff080c1712a4025888e59339b013ab5d21455c7df418e51882",
        ),
        (
            "dealing key player_key ready sealed shares show shuffle",
            "418c93b300c9f3af2e57ead37e45827e065b2de756ad5ebc4cd0d69724b9b886",
        ),
        ("choice key shares shuffle", "8787a2dd39e3a64a4e1b5c5a93dd2ff08abf83b0970779ef08fd8268ffa89f61"),
    ];
    assert_eq!(said, expected.map(|(kinds, hash)| (kinds.to_owned(), hash)));
}
