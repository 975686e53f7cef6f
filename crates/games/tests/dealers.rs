//! Every game with every dealer: the same cards and the same moves give the same log and the same outcome.

use dealers::joint::{Circle, Keepers};
use dealers::{Dealer as _, play_deal};
use games::{bigc::BigC, blackjack::Blackjack, blackout::Blackout, holdem::Holdem, ongdu::Ongdu, romme::Romme};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::{Game, Height, Known, Moves as _, Rules as _, Seat, Seats, Table};

fn once<G: Game>(players: u8, keepers: Keepers) {
    let setup = G::sample(&G::Settings::default(), players, 3).unwrap();
    let mut table = Table::new(G::Rules::deal(&setup).unwrap(), Height(0));
    let mut dealer = Circle::new(Seats::first(players), keepers, [7; 32]).unwrap();
    dealer.begin([9; 32]);
    let mut rng = ChaCha8Rng::from_seed([5; 32]);
    let mut pick =
        |table: &Table<G::Rules>, seat: Seat, known: Known<'_>| table.rules().moves(known, seat).pick(&mut rng);
    let begin = std::time::Instant::now();
    let outcome = play_deal(&mut table, &mut dealer, &mut pick, &mut ()).unwrap();
    println!("{} {keepers:?} {:?} {outcome:?} {:?}", G::NAME, begin.elapsed(), dealer.sent());
}

#[test]
fn once_each() {
    for keepers in
        [Keepers::EveryPlayer, Keepers::Players { threshold: 3 }, Keepers::Committee { members: 4, threshold: 3 }]
    {
        once::<Holdem>(4, keepers);
        once::<Blackout>(4, keepers);
        once::<Ongdu>(4, keepers);
        once::<Blackjack>(4, keepers);
        once::<Romme>(4, keepers);
        once::<BigC>(4, keepers);
    }
}
