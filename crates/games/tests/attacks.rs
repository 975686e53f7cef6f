//! Whoever deals jointly and is honest is never blamed, whatever comes late, early or not at all.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

use dealers::joint::{Keepers, Message, Node, Place, Replica, Terms, Verdict};
use dealers::laws::{Network, Weather};
use games::blackout::Blackout;
use games::romme::Romme;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::By;
use table::{Awaiting, Game, Height, Known, Move, Moves as _, Order, Rules, Seat, Seats, Slot, Table};

const SESSION: [u8; 32] = [7; 32];

fn table_of<G: Game>(players: u8) -> Table<G::Rules> {
    let setup = G::sample(&G::Settings::default(), players, 0).unwrap();
    Table::new(G::Rules::deal(&setup).unwrap(), Height(0))
}

fn terms(players: u8, keepers: Keepers) -> Terms {
    let terms = Terms { session: SESSION, players: Seats::first(players), keepers };
    terms.check().unwrap();
    terms
}

fn by(seat: u8) -> By {
    By::Seat(Seat::new(seat).unwrap())
}

/// Nodes at one table that everybody sees alike.
struct Nodes<G: Game> {
    table: Table<G::Rules>,
    nodes: Vec<Node>,
    rng: ChaCha8Rng,
}

impl<G: Game> Nodes<G> {
    fn new(players: u8, keepers: Keepers) -> Self {
        let terms = terms(players, keepers);
        let nodes = (0..players).map(|seat| Node::new(terms, by(seat), [seat; 32])).collect();
        Self { table: table_of::<G>(players), nodes, rng: ChaCha8Rng::from_seed([1; 32]) }
    }

    /// One round of talk, without what `drops` tells; `false` if nobody had anything to say.
    fn round(&mut self, drops: &impl Fn(By, &Message) -> bool) -> bool {
        let mut said = Vec::new();
        for node in &mut self.nodes {
            node.fill(&self.table).unwrap();
            let me = node.me();
            said.extend(node.take_outbox().into_iter().map(|message| (me, message)));
        }
        self.tell(&said, drops);
        !said.is_empty()
    }

    fn tell(&mut self, said: &[(By, Message)], drops: &impl Fn(By, &Message) -> bool) {
        for (from, message) in said.iter().filter(|(from, message)| !drops(*from, message)) {
            for node in self.nodes.iter_mut().filter(|node| node.me() != *from) {
                let verdict = node.receive(&self.table, *from, message.clone());
                assert!(!matches!(verdict, Verdict::Fault(_)), "{from} blamed by {}: {verdict:?}", node.me());
            }
        }
    }

    /// The dealer's work, and then one input of a player.
    fn go_on(&mut self, drops: &impl Fn(By, &Message) -> bool) {
        while self.round(drops) {}
        let height = self.table.height();
        match self.table.awaiting() {
            Awaiting::Dealer => {
                let opened = self.nodes[1].ledger().opened().clone();
                self.table.dealt(height, &opened).unwrap();
            }
            Awaiting::Turn(seat) => {
                let node = &mut self.nodes[usize::from(seat.index())];
                let known = Known::with(self.table.open(), node.own());
                let Some(Move::Act(action)) = self.table.rules().moves(known, seat).pick(&mut self.rng) else {
                    panic!("no move")
                };
                let slots: Vec<Slot> = self.table.rules().shows(seat, &action).collect();
                assert!(node.show(&self.table, &slots));
                let said: Vec<_> = node.take_outbox().into_iter().map(|message| (by(seat.index()), message)).collect();
                self.tell(&said, drops);
                let opened = self.nodes[1].ledger().opened().clone();
                self.table.act(height, seat, &action, &opened).unwrap();
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_share_of_the_key_stays_what_it_is_when_a_member_is_left_out() {
    let mut all = Nodes::<Blackout>::new(4, Keepers::Players { threshold: 3 });
    let nothing = |_: By, _: &Message| false;
    while !all.nodes.iter().all(|node| node.ledger().is_set_up()) {
        assert!(all.round(&nothing));
    }
    // Nobody has used its share yet.
    for node in &mut all.nodes {
        node.ledger_mut().leave_out(&all.table, by(3));
    }
    all.nodes.pop();
    while all.round(&nothing) {}
    assert!(all.nodes.iter_mut().all(|node| node.fill(&all.table).unwrap()));
}

#[test]
fn cards_that_different_members_sealed_can_be_shown_together() {
    let mut all = Nodes::<Romme>::new(4, Keepers::Players { threshold: 3 });
    // The first member seals what is dealt at the beginning, and nothing later.
    let begun = all.table.height().0;
    let drops =
        |from: By, message: &Message| matches!(message.place, Place::Sealed(height) if height > begun) && from == by(0);
    let mut drawn = None;
    loop {
        if let Awaiting::Dealer = all.table.awaiting() {
            for order in all.table.orders() {
                if let Order::Deal { to, slots } = order
                    && all.table.height().0 > begun
                {
                    drawn = slots.slots().next().map(|slot| (slot, to));
                }
            }
        }
        if let (Some((slot, to)), Awaiting::Turn(seat)) = (drawn, all.table.awaiting())
            && seat == to
            && seat.index() > 0
        {
            let node = &mut all.nodes[usize::from(seat.index())];
            let old = node.own().iter().map(|(slot, _)| slot).find(|old| *old != slot).unwrap();
            assert!(node.own().get(slot).is_some());
            assert!(node.show(&all.table, &[old, slot]), "cannot be shown");
            let said: Vec<_> = node.take_outbox().into_iter().map(|message| (by(seat.index()), message)).collect();
            all.tell(&said, &drops);
            assert!(all.nodes.iter().all(|node| node.ledger().opened().get(slot).is_some()));
            return;
        }
        all.go_on(&drops);
    }
}

fn agree<G: Game>(players: u8, keepers: Keepers, number: u8) {
    let table = table_of::<G>(players);
    let terms = Terms { session: [number; 32], ..terms(players, keepers) };
    let weather = Weather { split_until: 0, loss: 0, ..Weather::FOUL };
    let mut network = Network::new(terms, &table, weather, [number; 32]);
    let mut turns = 0;
    network.run(&mut |replica: &Replica<G::Rules>, seat: Seat, rng: &mut ChaCha8Rng| {
        turns += 1;
        // The network's deadlines end what would last too long.
        (turns < 60).then(|| replica.table().rules().moves(replica.known(), seat).pick(rng)).flatten()
    });
    assert!(network.faults.is_empty(), "{} {keepers:?} {number}: {:?}", G::NAME, network.faults);
    for replica in network.replicas() {
        assert_eq!(replica.node().ledger().faults(), [], "{} {keepers:?} {number}", G::NAME);
    }
}

#[test]
fn a_card_shown_before_its_deal_was_heard_of_is_nobodys_fault() {
    for number in 0..3 {
        agree::<Romme>(3, Keepers::EveryPlayer, number);
    }
}
