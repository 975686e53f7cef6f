//! Members who sign anything they like: any bodies, in any order, before and in a match. The hub can take them all, and
//! the log is verified and printed without harm.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use peer::{Body, Entry, Envelope, Fresh, Guest, Hub, News, Private, Record, TableKey, verify};
use results::Secret;

/// A table at which a match of two has begun.
struct Begun {
    key: TableKey,
    hub: Secret,
    members: [Secret; 2],
    entries: Vec<Entry>,
}

const CLOCK: u64 = 1_700_000_000_000;

fn secret(byte: u8) -> Secret {
    Secret::from_bytes(&[byte; 32]).expect("a key")
}

fn hub_of(key: &TableKey, hub: &Secret, entries: &[Entry]) -> Hub {
    let mut hub = Hub::new(key.table(), key.access().public(), hub.clone());
    for entry in entries {
        hub.keep(entry).expect("an entry that was taken before");
    }
    hub
}

fn append(hub: &mut Hub, entries: &mut Vec<Entry>, envelope: Envelope, clock: u64) {
    if let Ok(entry) = hub.order(envelope, clock, &[1; 32]) {
        hub.keep(&entry).expect("what was ordered fits");
        entries.push(entry);
    }
}

/// Joins, a start, accepted by both, and both seeds.
static BEGUN: LazyLock<Begun> = LazyLock::new(|| {
    let (key, hub, members) = (TableKey::new([7; 32]), secret(9), [secret(1), secret(2)]);
    let guest = |place: usize| {
        let number = u8::try_from(place).expect("two members");
        let (identity, private) = (secret(11 + number), Private::new(&[21 + number; 32]));
        Guest::new(key.clone(), members[place].clone(), hub.public(), Some(identity), private)
    };
    let mut guests = [guest(0), guest(1)];
    let mut entries = Vec::new();
    let mut order = hub_of(&key, &hub, &[]);
    let mut heard = [0, 0];
    for (guest, name) in guests.iter_mut().zip(["Ada", "Bob"]) {
        guest.join(name, None, [3; 32], &[4; 32]);
    }
    let mut begun = 0;
    let mut started = false;
    while begun < 2 {
        for (guest, heard) in guests.iter_mut().zip(&mut heard) {
            let fresh = Fresh { nonce: [u8::try_from(entries.len()).expect("a few"); 24], aux: [6; 32] };
            while let Some(envelope) = guest.write(&fresh) {
                append(&mut order, &mut entries, envelope, CLOCK);
            }
            while let Some(entry) = entries.get(*heard) {
                *heard += 1;
                match guest.hear(entry).expect("the next entry") {
                    News::Begun(..) => begun += 1,
                    News::Lobby(heard, Ok(())) if matches!(heard.body, Some(Body::Start(_))) => {
                        assert!(guest.accept());
                    }
                    News::Lobby(..) => {}
                }
            }
        }
        if !started && guests[0].lobby().joined().len() == 2 {
            let settings = [("rounds", "1"), ("decks", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
            let start = guests[0].lobby().start(games::AnyGame::Blackjack, settings.to_vec(), &[0, 1], None);
            guests[0].start(start.expect("a start"));
            started = true;
        }
    }
    for (place, member) in members.iter().enumerate() {
        let seed = *guests[place].private().seed();
        let number = u8::try_from(place).expect("two members");
        let sequence = order.chain().written(number).expect("a member");
        let fresh = Fresh { nonce: [99; 24], aux: [6; 32] };
        let body = dealing::encode(&Body::Seed(seed));
        let envelope = Envelope::write(&key, member, Some(number), sequence, order.head(), &body, &fresh);
        append(&mut order, &mut entries, envelope, CLOCK + 1);
    }
    Begun { key, hub, members, entries }
});

/// The most bodies in one log: signing takes time.
const MOST: usize = 6;

fuzz_target!(|data: &[u8]| {
    let Some((first, mut rest)) = data.split_first() else { return };
    let begun = &*BEGUN;
    let before = usize::from(*first) % (begun.entries.len() + 1);
    let mut entries = begun.entries.get(..before).expect("a part of it").to_vec();
    let mut hub = hub_of(&begun.key, &begun.hub, &entries);
    let mut clock = CLOCK + 2;
    for place in 0..MOST {
        // Who, when, how long, what.
        let [who, wait, low, high, more @ ..] = rest else { break };
        let len = usize::from(u16::from_le_bytes([*low, *high])).min(more.len());
        let (body, after) = more.split_at(len);
        rest = after;
        clock += 1000 * u64::from(*wait);
        let number = who % 2;
        let Some(sequence) = hub.chain().written(number) else { continue };
        let fresh = Fresh { nonce: [u8::try_from(place).expect("a few") + 100; 24], aux: [6; 32] };
        let key = &begun.members[usize::from(number)];
        let envelope = Envelope::write(&begun.key, key, Some(number), sequence, hub.head(), body, &fresh);
        append(&mut hub, &mut entries, envelope, clock);
    }
    let record = Record { key: begun.key.clone(), hub: begun.hub.public(), entries };
    let report = verify(&record);
    assert_eq!(report.hub, None, "the hub keeps to the rules");
    assert_eq!(report.entries, u64::try_from(record.entries.len()).expect("a few"));
    let lines = peer::lines(&record);
    assert!(lines.iter().all(|line| !line.text.is_empty() && !line.text.chars().any(char::is_control)));
    assert_eq!(Record::parse(&record.text(), false), Ok(record));
});
