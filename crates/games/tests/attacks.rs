//! Honest players and members are never blamed, whatever comes late or not at all.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod replicas;

use dealers::Auditor as _;
use dealers::Pen;
use dealers::joint::{JointAuditor, Keepers, Message, Node, Place, Replica, Terms, Verdict, write_entry};
use dealers::laws::{Network, Weather};
use games::blackout::Blackout;
use games::romme::Romme;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use replicas::{SESSION, by, table_of, terms};
use table::record::By;
use table::{Awaiting, Game, Known, Move, Moves as _, Order, Rules, Seat, Slot, Table};

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
            for node in &mut self.nodes {
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
    let mut network = Network::new(terms, &table, Weather::FOUL, [number; 32]);
    let mut turns = 0;
    network.run(&mut |replica: &Replica<G::Rules>, seat: Seat, rng: &mut ChaCha8Rng| {
        turns += 1;
        // The network's deadlines end what would last too long.
        (turns < 60).then(|| replica.table().rules().moves(replica.known(), seat).pick(rng)).flatten()
    });
    assert!(network.faults.is_empty(), "{} {keepers:?} {number}: {:?}", G::NAME, network.faults);
    for replica in network.replicas() {
        assert!(replica.node().ledger().faults().is_empty(), "{} {keepers:?} {number}", G::NAME);
    }
}

#[test]
fn nobody_is_blamed_for_what_comes_late() {
    for number in 0..3 {
        agree::<Romme>(3, Keepers::EveryPlayer, number);
    }
}

/// An auditor accepts what the first of them wrote down.
fn is_evidence<G: Game>(all: &mut Nodes<G>) {
    let terms = *all.nodes[0].ledger().terms();
    let mut auditor = JointAuditor::new(terms.keepers);
    auditor.begin(SESSION, terms.players.len());
    let mut pen = Pen::new(SESSION);
    all.nodes[0].ledger_mut().take_log().iter().for_each(|entry| write_entry(&mut pen, entry));
    for line in pen.take() {
        assert_eq!(auditor.evidence(Some(&all.table), &line), Ok(()), "{} by {}", line.kind, line.by);
    }
}

#[test]
fn a_key_generation_with_a_false_complaint_can_be_checked() {
    let mut all = Nodes::<Blackout>::new(4, Keepers::Players { threshold: 3 });
    let liar = by(3);
    loop {
        let mut said = Vec::new();
        for node in &mut all.nodes {
            node.fill(&all.table).unwrap();
            let (me, outbox) = (node.me(), node.take_outbox());
            said.extend(outbox.into_iter().map(|message| {
                let lie = node.false_complaint(&message).filter(|_| me == liar);
                (me, lie.unwrap_or(message))
            }));
        }
        for (from, message) in &said {
            for node in &mut all.nodes {
                let verdict = node.receive(&all.table, *from, message.clone());
                let lie = *from == liar && matches!(message.place, Place::Ready(_));
                assert_eq!(matches!(verdict, Verdict::Fault(_)), lie, "{from}: {verdict:?}");
            }
        }
        if all.nodes[0].ledger().is_set_up() {
            break;
        }
    }
    assert_eq!(all.nodes[0].ledger().left_out().collect::<Vec<_>>(), [liar]);
    is_evidence(&mut all);
}

#[test]
fn that_a_player_was_left_out_can_stand_in_a_record() {
    let mut all = Nodes::<Blackout>::new(4, Keepers::Committee { members: 4, threshold: 3 });
    all.nodes[0].ledger_mut().leave_out(&all.table, by(1));
    is_evidence(&mut all);
}

#[test]
fn the_same_wrong_done_again_is_written_down_once() {
    let mut all = Nodes::<Blackout>::new(3, Keepers::EveryPlayer);
    let key = |node: &mut Node, table: &Table<_>| {
        node.fill(table).unwrap();
        node.take_outbox().remove(0)
    };
    let mine = key(&mut all.nodes[1], &all.table);
    let wrong = Message { body: key(&mut all.nodes[2], &all.table).body, ..mine };
    for _ in 0..20 {
        all.nodes[0].receive(&all.table, by(1), wrong.clone());
    }
    assert_eq!(all.nodes[0].ledger().faults().len(), 1);
    assert_eq!(all.nodes[0].ledger_mut().take_log().len(), 1);
}
