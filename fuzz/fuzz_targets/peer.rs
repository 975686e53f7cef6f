//! Everything that reaches a peer or a hub from outside: frames, envelopes, entries, bodies, starts, words next to the
//! log, tickets, and the lines of records. What decodes encodes to the same bytes, and looking at it does no harm.

#![no_main]

use std::sync::LazyLock;

use dealing::{Wire, decode, encode};
use libfuzzer_sys::fuzz_target;
use peer::{
    Answering, Beside, Body, Chain, Change, Entry, Envelope, Head, Hub, Join, Knock, Knocked, Knocking, Member, Private, Record, Start,
    TableKey, Ticket, frame,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use results::Secret;

static KEY: LazyLock<TableKey> = LazyLock::new(|| TableKey::new([7; 32]));
static HUB: LazyLock<Secret> = LazyLock::new(|| Secret::from_bytes(&[9; 32]).expect("a key"));

/// What decodes encodes to the same bytes.
fn exact<T: Wire>(bytes: &[u8], look: impl FnOnce(T)) {
    if let Ok(value) = decode::<T>(bytes) {
        assert_eq!(encode(&value), bytes, "two encodings of one value");
        look(value);
    }
}

fn text(bytes: &[u8], look: impl FnOnce(&str)) {
    if let Ok(text) = core::str::from_utf8(bytes) {
        look(text);
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    let table = KEY.table();
    match kind % 15 {
        0 => exact::<Envelope>(bytes, |envelope| {
            let _ = envelope.open(&KEY);
            let chain = Chain::new(table, KEY.access().public(), HUB.public());
            assert!(chain.admit(&envelope).is_err(), "nobody has signed this");
        }),
        1 => exact::<Entry>(bytes, |entry| {
            let begin = Head::begin(table, &HUB.public());
            assert!(entry.said().is_none_or(|said| said.head(table, begin, &HUB.public()).is_none()));
            let mut member = Member::new(KEY.clone(), KEY.access(), HUB.public());
            assert!(member.hear(&entry).is_err(), "the hub has not signed this");
        }),
        2 => exact::<Body>(bytes, |_| ()),
        3 => exact::<frame::ToHub>(bytes, |_| ()),
        4 => exact::<frame::FromHub>(bytes, |_| ()),
        5 => exact::<Beside>(bytes, |beside| {
            if let Beside::Knock(knock) = beside {
                knocked(knock);
            }
        }),
        6 => exact::<Private>(bytes, |_| ()),
        7 => text(bytes, |text| {
            if let Ok(ticket) = text.parse::<Ticket>() {
                assert_eq!(ticket.to_string().parse(), Ok(ticket));
            }
        }),
        8 => text(bytes, |text| {
            if let Ok(record) = Record::parse(text, true) {
                assert_eq!(Record::parse(&record.text(), false), Ok(record.clone()));
                let _ = peer::verify(&record);
                let _ = peer::lines(&record);
            }
        }),
        9 => exact::<Start>(bytes, |start| {
            let _ = start.id(table, &HUB.public());
        }),
        10 => exact::<Join>(bytes, |join| assert!(join.check(table, &HUB.public()).is_err(), "nobody has signed this")),
        11 => text(bytes, |text| {
            if let Ok((key, hub)) = Record::read_header(text) {
                assert_eq!(Record::read_header(&Record::header(&key, &hub)), Ok((key, hub)));
            }
        }),
        12 => text(bytes, |text| {
            if let Some(entry) = Record::read_line(text) {
                assert_eq!(Record::read_line(&Record::line(&entry)), Some(entry));
            }
        }),
        13 => exact::<Change>(bytes, |_| ()),
        // What a hub is sent, by a newcomer and by a member who is not there.
        _ => {
            let mut hub = Hub::new(table, KEY.access().public(), HUB.clone());
            let sender = bytes.first().filter(|number| **number < 64).copied();
            if let Ok(envelope) = hub.receive(sender, bytes, 0) {
                assert!(hub.order(envelope, 0, &[0; 32]).is_err(), "nobody has signed this");
            }
        }
    }
});

/// Both sides of a knock hear something that nobody has said.
fn knocked(knock: Knock) {
    let mut rng = ChaCha8Rng::from_seed([5; 32]);
    let (knocking, first) = Knocking::new(KEY.table(), "Ann", &mut rng);
    let Knock::Commit { commitment, .. } = first else { unreachable!("a knock begins with a commitment") };
    let (answering, answer) = Answering::new(KEY.table(), commitment, &mut rng);
    match knock {
        Knock::Answer(theirs) => {
            let _ = knocking.answered(theirs);
        }
        Knock::Reveal { key, nonce } => {
            assert!(answering.revealed(key, &nonce).is_err(), "not what was committed to");
        }
        Knock::Admit(sealed) => {
            let Knock::Answer(theirs) = answer else { unreachable!("a member answers with a key") };
            let Ok((agreed, _)) = knocking.answered(theirs) else { unreachable!("an honest answer") };
            assert!(Knocked::admitted(&agreed, &sealed).is_err(), "not sealed by the member");
        }
        Knock::Commit { commitment, .. } => {
            let _ = Answering::new(KEY.table(), commitment, &mut rng);
        }
        Knock::Decline => {}
    }
}
