//! A table for tests: keys, a hub, and members who write.

use results::Secret;

use crate::{Body, Entry, Envelope, Fresh, Head, Hub, Join, Member, TableKey};

pub(crate) fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

pub(crate) fn fresh(number: u8) -> Fresh {
    Fresh { nonce: [number; 24], aux: [number; 32] }
}

pub(crate) fn table_key() -> TableKey {
    TableKey::new([7; 32])
}

/// A hub and members with keys 1, 2, ….
pub(crate) struct Place {
    pub(crate) hub: Hub,
    pub(crate) members: Vec<Member>,
    pub(crate) log: Vec<Entry>,
    pub(crate) clock: u64,
}

impl Place {
    pub(crate) fn new(members: u8) -> Self {
        let key = table_key();
        let hub = Hub::new(key.table(), key.access().public(), secret(100));
        let mut place = Self { hub, members: Vec::new(), log: Vec::new(), clock: 1_000 };
        for number in 1..=members {
            let mut member = Member::new(table_key(), secret(number), secret(100).public());
            for entry in &place.log {
                member.hear(entry).unwrap();
            }
            member.say(&join(number));
            place.members.push(member);
            place.settle();
        }
        place
    }

    /// Everybody's words go into the log until nobody has any left.
    pub(crate) fn settle(&mut self) {
        while let Some(envelope) = self.members.iter_mut().find_map(|member| member.write(&fresh(9))) {
            self.put(envelope);
        }
    }

    /// The hub orders an envelope and everybody hears it.
    pub(crate) fn put(&mut self, envelope: Envelope) {
        self.clock += 10;
        let entry = self.hub.order(envelope, self.clock, &[5; 32]).unwrap();
        self.hub.adopt(&entry).unwrap();
        for member in &mut self.members {
            member.hear(&entry).unwrap();
        }
        self.log.push(entry);
    }

    /// An envelope of a member, not sent.
    pub(crate) fn envelope(&self, member: u8, sequence: u32, seen: Head) -> Envelope {
        let body = dealing::encode(&Body::Here);
        Envelope::write(&table_key(), &secret(member + 1), Some(member), sequence, seen, &body, &fresh(3))
    }
}

/// Member `number` introduces themselves; their identity is another key.
pub(crate) fn join(number: u8) -> Body {
    let (key, identity) = (secret(number).public(), secret(number + 50));
    let name = format!("player {number}");
    Body::Join(Box::new(Join::new(table_key().table(), &key, &identity, &name, None, [number; 32], &[0; 32])))
}
