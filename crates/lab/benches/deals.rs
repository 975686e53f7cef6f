//! Playing every game: whole deals, single inputs, records. `cargo bench --bench deals`.

use bots::{Computer, Kind};
use dealers::{Local, Log, Recording, play_deal};
use divan::Bencher;
use divan::counter::ItemsCount;
use games::AnyGame;
use lab::sim::{Plan, Tally, Units, Worker};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Draw, Faces, Game, Height, Known, Look, Moves as _, Rules, Seat, Table};

fn main() {
    divan::main();
}

/// Deals in a row, so that the differences between them even out.
const DEALS: u64 = 100;

fn names() -> impl Iterator<Item = &'static str> {
    AnyGame::ALL.iter().map(|game| game.name())
}

fn game(name: &str) -> AnyGame {
    AnyGame::from_name(name).expect("a name from the list")
}

fn plan<G: Game>(kind: Kind) -> Plan<G> {
    let players = 4.clamp(*G::PLAYERS.start(), *G::PLAYERS.end());
    let mut plan = Plan::new(G::Settings::default(), players, 1, Units::Deals(DEALS)).expect("the usual settings");
    plan.bots.fill(kind.into());
    plan
}

fn deals<G: Computer>(bencher: Bencher, kind: Kind, recorded: bool) {
    let plan = plan::<G>(kind);
    let mut worker = Worker::new(&plan);
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        let (mut tally, mut scribe) = (Tally::new(plan.players), Recording::default());
        for unit in 0..DEALS {
            let played = if recorded {
                worker.deal(unit, &mut scribe, &mut tally)
            } else {
                worker.deal(unit, &mut (), &mut tally)
            };
            played.expect("bots play by the rules");
        }
        (tally, scribe)
    });
}

/// Whole deals, random bots.
#[divan::bench(args = names())]
fn random(bencher: Bencher, name: &str) {
    games::with_game!(game(name), G => deals::<G>(bencher, Kind::Random, false));
}

/// Whole deals, simple bots: every seat looks at the table before it acts.
#[divan::bench(args = names())]
fn simple(bencher: Bencher, name: &str) {
    games::with_game!(game(name), G => deals::<G>(bencher, Kind::Easy, false));
}

/// Whole deals, random bots, written down.
#[divan::bench(args = names())]
fn recorded(bencher: Bencher, name: &str) {
    games::with_game!(game(name), G => deals::<G>(bencher, Kind::Random, true));
}

/// The actions of one deal, without bots and dealer: what checking and applying cost.
#[divan::bench(args = names())]
fn apply(bencher: Bencher, name: &str) {
    games::with_game!(game(name), G => actions::<G>(bencher));
}

/// Keeps the table before each action, and the action.
struct Kept<R: Rules> {
    steps: Vec<(Table<R>, Seat, R::Action)>,
    /// What the actions lay face up.
    faces: Faces,
}

impl<R: Rules> Log<R> for Kept<R> {
    fn evidence(&mut self, _: Vec<table::record::Evidence>) {}
    fn dealt<D: dealers::Dealer>(&mut self, _: &Table<R>, _: &D) {}
    fn act(&mut self, table: &Table<R>, seat: Seat, action: &R::Action, faces: &impl Look, _: bool) {
        for slot in table.rules().shows(seat, action) {
            if let Some(card) = faces.face(slot) {
                self.faces.insert(slot, card);
            }
        }
        self.steps.push((table.clone(), seat, action.clone()));
    }
    fn choices(&mut self, _: &Table<R>, _: &[(Seat, R::Choice)]) {}
}

fn actions<G: Computer>(bencher: Bencher) {
    let plan = plan::<G>(Kind::Random);
    let setup = G::sample(&plan.settings, plan.players, 10).expect("the usual settings");
    let rules = G::Rules::deal(&setup).expect("a sample can be dealt");
    let mut rng = Xoshiro256PlusPlus::from_seed([1; 32]);
    let mut players = |table: &Table<G::Rules>, seat: Seat, known: Known<'_>| decide(table, seat, known, &mut rng);
    let mut kept = Kept { steps: Vec::new(), faces: Faces::new() };
    play_deal(&mut Table::new(rules, Height(0)), &mut Local::new([1; 32]), &mut players, &mut kept)
        .expect("bots play by the rules");
    let faces = kept.faces;
    let count = kept.steps.len();
    bencher.counter(ItemsCount::new(count)).with_inputs(|| kept.steps.clone()).bench_local_values(|mut steps| {
        for (table, seat, action) in &mut steps {
            table.act(table.height(), *seat, action, &faces).expect("it was legal before");
        }
        steps
    });
}

fn decide<R: Rules>(table: &Table<R>, seat: Seat, known: Known<'_>, draw: &mut impl Draw) -> bots::Decision<R> {
    table.rules().moves(known, seat).pick(draw)
}
