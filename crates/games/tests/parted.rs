//! Attempts to part honest replicas, or to have one of them blamed by the others.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod replicas;

use dealers::joint::{Body, Keepers, Node, Place, Replica, Said};
use games::blackjack::Blackjack;
use games::blackout::Blackout;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use replicas::{by, table_of, terms};
use table::{Awaiting, Game, Move, Moves as _, Rules};

type Spoken<G> = Said<<<G as Game>::Rules as Rules>::Action>;

/// Replicas that hear everything at once, but for what one of them tells.
struct Replicas<G: Game> {
    replicas: Vec<Replica<G::Rules>>,
    rng: ChaCha8Rng,
}

impl<G: Game> Replicas<G> {
    fn new(players: u8, keepers: Keepers) -> Self {
        let (terms, table) = (terms(players, keepers), table_of::<G>(players));
        let replica = |seat| Replica::new(table.clone(), Node::new(terms, by(seat), [seat; 32]));
        Self { replicas: (0..players).map(replica).collect(), rng: ChaCha8Rng::from_seed([2; 32]) }
    }

    /// Talks until nobody has anything to say; `lie` says what the liar tells whom instead of something.
    fn talk(&mut self, liar: u8, decide: bool, mut lie: impl FnMut(usize, &Spoken<G>) -> Vec<Spoken<G>>) {
        loop {
            let mut said = Vec::new();
            for replica in &mut self.replicas {
                if let Some(seat) = replica.is_asked().filter(|seat| decide || seat.index() == liar)
                    && let Some(decided) = replica.table().rules().moves(replica.known(), seat).pick(&mut self.rng)
                {
                    replica.decide(decided);
                }
                let me = replica.node().me();
                said.extend(replica.take_outbox().into_iter().map(|said| (me, said)));
            }
            if said.is_empty() {
                return;
            }
            for (from, said) in &said {
                let others = self.replicas.iter_mut().enumerate().filter(|(_, replica)| replica.node().me() != *from);
                for (to, replica) in others {
                    let told = if *from == by(liar) { lie(to, said) } else { vec![said.clone()] };
                    for said in told {
                        replica.receive(*from, said);
                    }
                }
            }
        }
    }

    fn expire(&mut self) {
        self.replicas.iter_mut().for_each(Replica::expire);
    }

    /// Nobody but the liar is blamed by anybody else.
    fn only_blame(&self, liar: u8) {
        for replica in self.replicas.iter().filter(|replica| replica.node().me() != by(liar)) {
            let blamed = replica.blamed();
            assert_eq!(blamed, vec![by(liar)], "by {}: {:?}", replica.node().me(), replica.node().ledger().faults());
        }
    }
}

#[test]
fn one_who_acts_in_two_ways_is_blamed_and_nobody_who_believed_it() {
    let mut all = Replicas::<Blackout>::new(3, Keepers::EveryPlayer);
    // Until somebody is asked.
    all.talk(9, false, |_, said| vec![said.clone()]);
    let Awaiting::Turn(first) = all.replicas[0].table().awaiting() else { panic!("nobody's turn") };
    let liar = first.index();
    let replica = &mut all.replicas[usize::from(liar)];
    let mut other = replica.table().rules().moves(replica.known(), first).pick(&mut all.rng).unwrap();
    let one = other.clone();
    while other == one {
        other = replica.table().rules().moves(replica.known(), first).pick(&mut all.rng).unwrap();
    }
    replica.decide(one);
    let acts = replica.take_outbox();
    let Move::Act(other) = other;
    let others: Vec<_> = acts
        .iter()
        .cloned()
        .map(|mut said| {
            if let Said::Act { action, .. } = &mut said {
                *action = other;
            }
            said
        })
        .collect();
    let honest: Vec<usize> = (0..3).filter(|seat| *seat != usize::from(liar)).collect();
    for (place, told) in honest.iter().zip([&acts, &others]) {
        told.iter().for_each(|said| {
            all.replicas[*place].receive(by(liar), said.clone());
        });
    }
    all.talk(liar, true, |_, said| vec![said.clone()]);
    // Now they tell each other what they heard.
    for (place, told) in honest.iter().zip([&others, &acts]) {
        told.iter().for_each(|said| {
            all.replicas[*place].receive(by(liar), said.clone());
        });
    }
    for _ in 0..10 {
        all.talk(liar, true, |_, said| vec![said.clone()]);
        all.expire();
    }
    all.only_blame(liar);
}

#[test]
fn who_never_closes_a_choice_is_blamed_alone() {
    for keepers in [Keepers::EveryPlayer, Keepers::Players { threshold: 2 }] {
        let mut all = Replicas::<Blackjack>::new(3, keepers);
        let silent = |_: usize, said: &Spoken<Blackjack>| match said {
            Said::Dealing(message) if matches!(message.body, Body::Commit(_)) => Vec::new(),
            said => vec![said.clone()],
        };
        all.talk(2, true, silent);
        assert!(all.replicas.iter().all(|replica| matches!(replica.table().awaiting(), Awaiting::Choices(_))));
        all.expire();
        all.talk(2, true, silent);
        all.only_blame(2);
        let honest = &all.replicas[..2];
        assert!(honest.iter().all(|replica| !matches!(replica.table().awaiting(), Awaiting::Choices(_))), "stuck");
        assert_eq!(honest[0].table().state_hash(), honest[1].table().state_hash());
    }
}

#[test]
fn a_cheat_that_some_hear_of_later_than_others_parts_nobody() {
    let mut all = Replicas::<Blackout>::new(4, Keepers::Players { threshold: 3 });
    let mut said: Vec<Vec<Spoken<Blackout>>> = all.replicas.iter_mut().map(Replica::take_outbox).collect();
    let mut bad = said.pop().unwrap();
    let key_of = |said: &[Spoken<Blackout>]| {
        said.iter().find_map(|said| match said {
            Said::Dealing(message) if message.place == Place::Key => Some(message.body.clone()),
            _ => None,
        })
    };
    let copied = key_of(&said[0]).unwrap();
    for said in &mut bad {
        if let Said::Dealing(message) = said
            && message.place == Place::Key
        {
            message.body = copied.clone();
        }
    }
    // All hear the same two messages, the first replica in another order.
    for place in 0..3 {
        bad.rotate_left(usize::from(place == 1));
        bad.iter().for_each(|said| {
            all.replicas[place].receive(by(3), said.clone());
        });
        for (from, told) in (0..).zip(&said).filter(|(from, _)| usize::from(*from) != place) {
            told.iter().for_each(|said| {
                all.replicas[place].receive(by(from), said.clone());
            });
        }
    }
    for _ in 0..10 {
        all.talk(3, true, |_, _| Vec::new());
        all.expire();
    }
    all.only_blame(3);
}
