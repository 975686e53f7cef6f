//! What must hold whatever happened: looked up on the disks of the nodes, after all have been stopped.

use std::collections::{BTreeMap, BTreeSet};

use chain::staking::Offence;
use chain::{Address, Body, Event, Export, Hash, State, staking, supply, tables};
use node::disk::Disk;
use node::home::Home;

use super::{Net, is_private};

/// What is on the disks of all nodes of a chain.
pub(crate) struct Disks {
    all: Vec<(Disk, State)>,
    /// Everything that happened, as the node knows it that is ahead of the others.
    events: Vec<(u64, Event)>,
}

impl Disks {
    /// Stops all nodes and checks what they have: one chain with good certificates, the same state, no coin more or less,
    /// no hand that was left behind, nobody who signed twice, and secrets that only their owner can read.
    pub(crate) fn check(net: &mut Net) -> Self {
        (0..net.homes.len()).for_each(|number| net.kill(number));
        let open = |home: &Home| {
            let disk = Disk::open(&home.database()).unwrap();
            let state = disk.state().unwrap().unwrap();
            (disk, state)
        };
        let all: Vec<(Disk, State)> = net.homes.iter().map(open).collect();
        let (ahead, _) = all.iter().max_by_key(|(_, state)| state.tip().height).unwrap();
        let events =
            ahead.events(0, usize::MAX, usize::MAX).unwrap().into_iter().map(|(_, height, event)| (height, event));
        let disks = Self { events: events.collect(), all };
        disks.are_one_chain();
        for (_, state) in &disks.all {
            assert_eq!(supply(state.store()), net.genesis.supply(), "no coin was lost or made");
        }
        disks.nobody_signed_twice(net);
        disks.hands_follow_each_other();
        net.homes.iter().for_each(secrets_are_private);
        disks
    }

    /// How far the node is that is ahead of the others.
    pub(crate) fn height(&self) -> u64 {
        self.all.iter().map(|(_, state)| state.tip().height).max().unwrap()
    }

    /// The state of a node.
    pub(crate) fn state(&self, number: usize) -> &State {
        &self.all[number].1
    }

    /// Everything that happened, with the heights.
    pub(crate) fn events(&self) -> &[(u64, Event)] {
        &self.events
    }

    fn are_one_chain(&self) {
        for height in 1..=self.height() {
            let mut names: BTreeSet<Hash> = BTreeSet::new();
            for (disk, state) in &self.all {
                let Some(kept) = disk.block(height).unwrap() else {
                    assert!(height > state.tip().height, "a node lacks block {height}");
                    continue;
                };
                let header = &kept.block.header;
                kept.certificate.check(header, &kept.validators).unwrap();
                names.insert(header.hash());
            }
            assert_eq!(names.len(), 1, "one block of height {height}");
        }
        // The state itself: the next header names its root, and who is at the same height has the same.
        let mut roots: BTreeMap<u64, BTreeSet<Hash>> = BTreeMap::new();
        for (_, state) in &self.all {
            let height = state.tip().height;
            let next = self.all.iter().find_map(|(disk, _)| disk.block(height + 1).unwrap());
            let next = next.map(|kept| kept.block.header.root);
            roots.entry(height).or_default().extend(next.into_iter().chain([state.store().root()]));
        }
        assert!(roots.values().all(|roots| roots.len() == 1), "one state of every height");
    }

    /// Nobody signed two blocks in one place, nobody was accused of it, and no node has noticed it.
    fn nobody_signed_twice(&self, net: &Net) {
        let mut signed: BTreeMap<(Address, u64, u32, bool), Hash> = BTreeMap::new();
        let mut note = |who: Address, height: u64, round: u32, proposed: bool, block: Hash| {
            let before = *signed.entry((who, height, round, proposed)).or_insert(block);
            assert_eq!(before, block, "{who} signed two blocks of height {height} in round {round}");
        };
        for (disk, state) in &self.all {
            for height in 1..=state.tip().height {
                let Some(kept) = disk.block(height).unwrap() else { continue };
                let certificate = kept.certificate;
                for (who, _) in &certificate.signatures {
                    note(*who, height, certificate.round, false, certificate.block);
                }
                let accused = |body: &Body| matches!(body, Body::Staking(staking::Tx::DoubleSign { .. }));
                let transactions = &kept.block.transactions;
                assert!(
                    !transactions.iter().any(|signed| accused(&signed.tx.body)),
                    "somebody was accused at {height}"
                );
            }
            // Blocks that came with their certificates have no signature of their own.
            for part in disk.parts().unwrap().into_iter().filter(|part| part.signature != [0; 64]) {
                note(part.by, part.height, part.round, true, part.block.header.hash());
            }
        }
        for home in &net.homes {
            let log = std::fs::read_to_string(home.folder().join("log")).unwrap_or_default();
            assert!(!log.contains("signed twice"), "a node has noticed that somebody signed twice:\n{log}");
            assert!(!log.contains("panicked"), "a part of a node has failed:\n{log}");
        }
        let twice = |event: &Event| {
            matches!(event, Event::Staking(staking::Event::ValidatorSlashed { offence: Offence::DoubleSign, .. }))
        };
        assert!(!self.events.iter().any(|(_, event)| twice(event)));
    }

    /// A hand ends before the next begins, at every table: only the last may still be under way.
    fn hands_follow_each_other(&self) {
        let mut playing: BTreeMap<u64, u32> = BTreeMap::new();
        for (height, event) in &self.events {
            match event {
                Event::Tables(tables::Event::HandStarted { table, hand, .. }) => {
                    assert_eq!(playing.insert(*table, *hand), None, "a hand was left behind at {height}");
                }
                Event::Tables(
                    tables::Event::HandCompleted { table, hand, .. } | tables::Event::HandAborted { table, hand, .. },
                ) => assert_eq!(playing.remove(table), Some(*hand), "a hand ended at {height} that had not begun"),
                _ => {}
            }
        }
    }

    /// How many hands were played to their end, and how many were aborted.
    pub(crate) fn hands(&self) -> (usize, usize) {
        let count = |counts: fn(&tables::Event) -> bool| {
            let tables = self.events.iter().filter_map(|(_, event)| match event {
                Event::Tables(event) => Some(event),
                _ => None,
            });
            tables.filter(|event| counts(event)).count()
        };
        (
            count(|event| matches!(event, tables::Event::HandCompleted { .. })),
            count(|event| matches!(event, tables::Event::HandAborted { .. })),
        )
    }

    /// Checks every so-many-th hand that has ended, from whichever node has it; how many were checked.
    pub(crate) fn verify_hands(&self, every: usize) -> usize {
        let mut checked = 0;
        for (number, hand) in self.ended().into_iter().enumerate().filter(|(number, _)| number % every == 0) {
            let (disk, _) = &self.all[(number / every) % self.all.len()];
            // A node that is behind may not have seen it end.
            let Some(export) = disk.hand(1, hand).unwrap() else { continue };
            borsh::from_slice::<Export>(&export).unwrap().check().unwrap();
            checked += 1;
        }
        checked
    }

    fn ended(&self) -> Vec<u32> {
        let ended = |(_, event): &(u64, Event)| match event {
            Event::Tables(tables::Event::HandCompleted { table: 1, hand, .. }) => Some(*hand),
            _ => None,
        };
        self.events.iter().filter_map(ended).collect()
    }
}

/// Keys and seeds can be read by their owner only, and seeds of past epochs are erased.
fn secrets_are_private(home: &Home) {
    let keys = ["node.key", "validator.key"].map(|key| home.folder().join(key));
    assert!(keys.iter().filter(|key| key.exists()).all(|key| is_private(key)));
    let seeds: Vec<_> = std::fs::read_dir(home.seeds()).unwrap().map(|seed| seed.unwrap().path()).collect();
    assert!(seeds.len() <= 3, "seeds of past epochs are erased: {seeds:?}");
    assert!(seeds.iter().all(|seed| is_private(seed)));
}
