//! Replicas in one room that read one log. What somebody says can be changed before it gets there.

use std::collections::VecDeque;

use dealers::joint::{Duty, Keepers, Message, Node, Place, Replica, Said, Terms, Verdict};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::By;
use table::{Game, Move, Moves as _, Outcome, Rules, Seat, Table};

use crate::replicas::{table_of, terms};

pub(crate) type Spoken<G> = Said<<<G as Game>::Rules as Rules>::Action>;
pub(crate) type MoveOf<G> = Move<<<G as Game>::Rules as Rules>::Action, <<G as Game>::Rules as Rules>::Choice>;

/// A node for everybody.
pub(crate) fn nodes(terms: Terms) -> Vec<Node> {
    let mut everybody = terms.members();
    everybody.extend(terms.players.iter().map(By::Seat).filter(|by| !terms.is_member(*by)));
    (1..).zip(everybody).map(|(number, by)| Node::new(terms, by, [number; 32])).collect()
}

/// Everybody at a table.
pub(crate) struct Room<G: Game> {
    pub(crate) terms: Terms,
    pub(crate) replicas: Vec<Replica<G::Rules>>,
    log: Vec<(By, Spoken<G>)>,
}

impl<G: Game> Room<G> {
    pub(crate) fn new(players: u8, keepers: Keepers) -> Self {
        Self::of(terms(players, keepers), &table_of::<G>(players))
    }

    /// These players at this table.
    pub(crate) fn of(terms: Terms, table: &Table<G::Rules>) -> Self {
        Self::with(terms, table, nodes(terms))
    }

    /// Nodes that have talked before.
    pub(crate) fn with(terms: Terms, table: &Table<G::Rules>, nodes: Vec<Node>) -> Self {
        let replicas = nodes.into_iter().map(|node| Replica::new(table.clone(), node)).collect();
        Self { terms, replicas, log: Vec::new() }
    }

    /// A random move, the same in every run.
    pub(crate) fn random(room: &Self, seat: Seat) -> Option<MoveOf<G>> {
        let replica = room.replicas.iter().find(|replica| replica.node().me() == By::Seat(seat)).unwrap();
        let height = replica.table().height().0;
        let mut rng = ChaCha8Rng::seed_from_u64(height << 8 | u64::from(seat.index()));
        replica.table().rules().moves(replica.known(), seat).pick(&mut rng)
    }

    /// Plays until nobody has anything to say; `edit` says what reaches the log instead of something.
    pub(crate) fn play(
        &mut self,
        decide: &mut dyn FnMut(&Self, Seat) -> Option<MoveOf<G>>,
        edit: &mut dyn FnMut(By, Spoken<G>) -> Vec<Spoken<G>>,
    ) {
        loop {
            let mut said = VecDeque::new();
            for place in 0..self.replicas.len() {
                if let Some(seat) = self.replicas[place].is_asked()
                    && let Some(decided) = decide(self, seat)
                {
                    assert!(self.replicas[place].decide(decided.clone()), "{seat} cannot do {decided:?}");
                }
                let me = self.replicas[place].node().me();
                let outbox = self.replicas[place].take_outbox();
                said.extend(outbox.into_iter().flat_map(|said| edit(me, said)).map(|said| (me, said)));
            }
            if said.is_empty() {
                return;
            }
            for (by, said) in said {
                self.add(by, said);
            }
        }
    }

    /// Adds an entry to the log: everybody comes to the same verdict.
    pub(crate) fn add(&mut self, by: By, said: Spoken<G>) -> Verdict {
        let verdicts: Vec<_> = self.replicas.iter_mut().map(|replica| replica.receive(by, said.clone())).collect();
        assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{by}: {verdicts:?}");
        self.log.push((by, said));
        verdicts[0].clone()
    }

    /// Somebody is late, for everybody.
    pub(crate) fn late(&mut self, by: By) -> bool {
        let called: Vec<bool> = self.replicas.iter_mut().map(|replica| replica.late(by)).collect();
        assert!(called.iter().all(|one| *one == called[0]), "{by}: {called:?}");
        called[0]
    }

    /// Whom everybody waits for.
    pub(crate) fn missing(&self) -> Vec<(By, Duty)> {
        let missing = self.replicas[0].missing();
        assert!(self.replicas.iter().all(|replica| replica.missing() == missing));
        missing
    }

    /// What was said in such places, in order.
    pub(crate) fn said_in(&self, is: impl Fn(Place) -> bool) -> Vec<Message> {
        let messages = self.log.iter().filter_map(|(_, said)| match said {
            Said::Dealing(message) => Some((**message).clone()),
            Said::Act { .. } => None,
        });
        messages.filter(|message| is(message.place)).collect()
    }

    /// The outcome, and who is blamed, the same for everybody.
    pub(crate) fn agreed(&self) -> (Outcome, Vec<By>) {
        let first = &self.replicas[0];
        for other in &self.replicas {
            assert!(other.table().state_hash() == first.table().state_hash(), "replicas differ");
            assert_eq!(other.table().outcome(), first.table().outcome());
            assert_eq!(other.blamed(), first.blamed());
            assert_eq!(other.node().ledger().faults(), first.node().ledger().faults());
        }
        let outcome = first.table().outcome().unwrap_or_else(|| panic!("not over: {:?}", first.missing()));
        (outcome.clone(), first.blamed())
    }
}
