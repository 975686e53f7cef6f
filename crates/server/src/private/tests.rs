//! A table without sockets: the order of its log, and what happens after a restart or a restored backup.

use peer::frame::{Hello, Why};
use peer::{Entry, Envelope, Fresh, Head, Member, TableKey};
use results::Secret;
use tempfile::TempDir;

use super::*;
use crate::private::live::Live;

const KEY: [u8; 32] = [7; 32];
const FRESH: Fresh = Fresh { nonce: [3; 24], aux: [4; 32] };

async fn opened(folder: &TempDir) -> Private {
    let address = format!("sqlite:{}", folder.path().join("x.sqlite").display());
    let store = Store::open(&address).await.unwrap();
    Private::new(store, Arc::default(), 10, watch::Sender::new(()))
}

fn id() -> PrivateId {
    PrivateId(TableKey::new(KEY).table().0)
}

async fn made(private: &Private) -> Made {
    let access = TableKey::new(KEY).access().public();
    let (game, name) = ("holdem".to_owned(), "Friday".to_owned());
    let making = Making { table: id(), access, game, seats: 6, name, listed: true, knock: true };
    private.make(making).await.unwrap()
}

/// Says something, and hears it.
async fn write(private: &Private, live: &Live, member: &mut Member, sender: Option<u8>) -> Result<u8, (u32, Why)> {
    member.say(&peer::Body::Here);
    let envelope = member.write(&FRESH).unwrap();
    let written = private.append(live, sender, &dealing::encode(&envelope)).await;
    match written {
        Ok(_) => listen(private, live, member).await,
        Err(_) => member.send_again(),
    }
    written
}

async fn listen(private: &Private, live: &Live, member: &mut Member) {
    loop {
        let entries = private.entries(live, member.chain().head().height).await.unwrap();
        if entries.is_empty() {
            return;
        }
        for bytes in entries {
            member.hear(&dealing::decode::<Entry>(&bytes).unwrap()).unwrap();
        }
    }
}

fn member(made: &Made, key: u8) -> Member {
    Member::new(TableKey::new(KEY), Secret::from_bytes(&[key; 32]).unwrap(), made.hub)
}

#[tokio::test]
async fn a_log_outlives_its_table_in_memory_and_can_be_read_from_any_height() {
    let folder = tempfile::tempdir().unwrap();
    let private = opened(&folder).await;
    let made = made(&private).await;
    let live = private.table(id());
    let mut ada = member(&made, 1);
    assert_eq!(write(&private, &live, &mut ada, None).await, Ok(0));
    for _ in 0..60 {
        write(&private, &live, &mut ada, Some(0)).await.unwrap();
    }
    // Another table in memory reads the same rows.
    let again = Live::new(id(), Arc::default());
    let mut bob = member(&made, 2);
    listen(&private, &again, &mut bob).await;
    assert_eq!(bob.chain().head(), ada.chain().head());
    assert_eq!(write(&private, &again, &mut bob, None).await, Ok(1));
    // The first does not know that yet; the database does.
    assert_eq!(write(&private, &live, &mut ada, Some(0)).await, Ok(0));
    listen(&private, &again, &mut bob).await;
    assert_eq!(bob.chain().head(), ada.chain().head());
    assert_eq!(ada.chain().head().height, 63);
    private.store().close().await;
}

#[test]
fn what_servers_tell_each_other_is_read_back_and_forgotten_with_them() {
    let (one, other) = (Arc::new(Live::new(id(), Arc::default())), Arc::new(Live::new(id(), Arc::default())));
    let (ada, _letters) = Present::enter(&one, Role::Member(3), None).unwrap();
    let (_bob, mut heard) = Present::enter(&other, Role::Member(5), None).unwrap();
    assert_eq!((one.news(false), one.news(false), one.news(true)), (Some(8), None, Some(8)));
    assert_eq!(other.news(false), Some(32));
    other.hear(7, "here 8");
    assert_eq!(
        (other.news(false), other.news(false)),
        (Some(32), None),
        "the other server has only just begun to listen"
    );
    other.hear(7, "here 8");
    assert_eq!(other.news(false), None);
    assert_eq!(*other.here().borrow(), 0b10_1000);
    let words = ada.say(0, b"hello".to_vec()).unwrap();
    other.hear(7, &format!("words {words}"));
    let letter = heard.words.try_recv().unwrap();
    let from = peer::frame::From::Member(3);
    assert_eq!(letter, peer::frame::FromHub::Beside { from, words: b"hello".to_vec() });
    for nonsense in ["", "here", "here x", "words 0", "words 0 zz", "words x 00", "dance 1"] {
        other.hear(7, nonsense);
    }
    assert!(heard.words.try_recv().is_err());
    other.forget_servers(Duration::ZERO);
    assert_eq!(*other.here().borrow(), 0b10_0000);
    drop(ada);
    assert_eq!(one.news(false), Some(0));
}

#[tokio::test]
async fn an_envelope_of_somebody_else_or_on_another_log_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let private = opened(&folder).await;
    let made = made(&private).await;
    let live = private.table(id());
    let (mut ada, mut bob) = (member(&made, 1), member(&made, 2));
    write(&private, &live, &mut ada, None).await.unwrap();
    listen(&private, &live, &mut bob).await;
    write(&private, &live, &mut bob, None).await.unwrap();
    let body = dealing::encode(&peer::Body::Here);
    let envelope = |author, sequence, seen, key: &Member| {
        let envelope = Envelope::write(key.table(), key.key(), Some(author), sequence, seen, &body, &FRESH);
        dealing::encode(&envelope)
    };
    let head = bob.chain().head();
    let foreign = Head { hash: [1; 32], ..head };
    let wrong = [
        (envelope(0, 1, head, &bob), 1, Why::Unfit),
        (envelope(0, 1, head, &ada), 0, Why::Unfit),
        (envelope(1, 5, head, &bob), 5, Why::Unfit),
        (envelope(1, 1, foreign, &bob), 1, Why::Unfit),
        (vec![1, 2, 3], 0, Why::Malformed),
    ];
    for (bytes, sequence, why) in wrong {
        // They all come through Bob's connection.
        let got = private.append(&live, Some(1), &bytes).await;
        assert!(matches!(got, Err((at, reason)) if reason == why && (at == sequence || at == 0)), "{got:?}");
    }
    assert_eq!(write(&private, &live, &mut bob, Some(1)).await, Ok(1));
    private.store().close().await;
}

#[tokio::test]
async fn a_restored_hub_waits_for_what_its_members_have_and_takes_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let private = opened(&folder).await;
    let made = made(&private).await;
    let live = private.table(id());
    let mut ada = member(&made, 1);
    write(&private, &live, &mut ada, None).await.unwrap();
    let backup = folder.path().join("backup");
    private.store().backup(&backup).await.unwrap();
    for _ in 0..3 {
        write(&private, &live, &mut ada, Some(0)).await.unwrap();
    }
    let all = private.store().private_entries(id(), 0, 9).await.unwrap();
    private.store().close().await;
    let address = format!("sqlite:{}", folder.path().join("x.sqlite").display());
    Store::restore(&address, &backup).await.unwrap();

    let private = opened(&folder).await;
    let live = private.table(id());
    let row = private.store().private(id()).await.unwrap().unwrap();
    assert!(row.restored);
    let hello = |challenge| {
        let key = Secret::from_bytes(&[1; 32]).unwrap();
        Hello::new(&TableKey::new(KEY), ada.chain().head(), Some((0, &key)), challenge, &[0; 32])
    };
    let entered = private.hello(&live, &row, &hello(&[9; 32]), &[9; 32]).await.unwrap();
    assert!(entered.behind && entered.head.height == 1 && entered.member == Some(0));
    // Somebody who knows less comes first, and has to wait.
    let mut bob = member(&made, 2);
    listen(&private, &live, &mut bob).await;
    let early = write(&private, &live, &mut bob, None).await;
    assert!(matches!(early, Err((0, Why::TooMuch(1..=12_000)))), "{early:?}");
    let mut forged = all[1].clone();
    *forged.last_mut().unwrap() ^= 1;
    assert_eq!(private.give_back(&live, &forged).await, Ok(()), "it is nothing that the hub has signed");
    assert_eq!(private.give_back(&live, &all[2]).await, Ok(()), "nor the next one");
    assert_eq!(private.store().private_entries(id(), 1, 9).await.unwrap().len(), 0);
    for entry in &all[1..] {
        assert_eq!(private.give_back(&live, entry).await, Ok(()));
    }
    assert_eq!(private.store().private_entries(id(), 0, 9).await.unwrap(), all);
    private.store().close().await;
}

#[tokio::test]
async fn only_somebody_with_the_ticket_and_their_own_key_is_let_in() {
    let folder = tempfile::tempdir().unwrap();
    let private = opened(&folder).await;
    let made = made(&private).await;
    let live = private.table(id());
    let row = private.store().private(id()).await.unwrap().unwrap();
    let mut ada = member(&made, 1);
    write(&private, &live, &mut ada, None).await.unwrap();
    let (challenge, own, other) =
        ([9; 32], Secret::from_bytes(&[1; 32]).unwrap(), Secret::from_bytes(&[2; 32]).unwrap());
    let head = ada.chain().head();
    let ticket = TableKey::new(KEY);
    let hello = |key: &TableKey, have, member| Hello::new(key, have, member, &challenge, &[0; 32]);
    let enter = async |hello: Hello| private.hello(&live, &row, &hello, &challenge).await.map(|entered| entered.member);
    assert_eq!(enter(hello(&ticket, head, Some((0, &own)))).await, Ok(Some(0)));
    assert_eq!(enter(hello(&ticket, head, None)).await, Ok(None));
    assert_eq!(enter(hello(&ticket, head, Some((0, &other)))).await, Err(Why::NotAdmitted), "another's number");
    assert_eq!(enter(hello(&ticket, head, Some((5, &own)))).await, Err(Why::NotAdmitted), "nobody's number");
    assert_eq!(enter(hello(&TableKey::new([8; 32]), head, None)).await, Err(Why::NotAdmitted), "another ticket");
    let replayed = Hello::new(&ticket, head, None, &[1; 32], &[0; 32]);
    assert_eq!(enter(replayed).await, Err(Why::NotAdmitted), "the answer to another challenge");
    let foreign = Head { hash: [1; 32], ..head };
    assert_eq!(enter(hello(&ticket, foreign, Some((0, &own)))).await, Err(Why::Unfit), "another log");
    private.store().close().await;
}

#[tokio::test]
async fn a_hub_that_may_replace_another_takes_its_log_and_waits_until_it_is_installed() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let old = opened(&folder).await;
    let made = made(&old).await;
    let live = old.table(id());
    let mut ada = member(&made, 1);
    for sender in [None, Some(0), Some(0)] {
        write(&old, &live, &mut ada, sender).await.unwrap();
    }
    let log = old.store().private_entries(id(), 0, 9).await.unwrap();
    old.store().close().await;

    // Bob's computer has less of the log than Ada.
    let key = Secret::from_bytes(&[99; 32]).unwrap();
    let access = TableKey::new(KEY).access().public();
    let (game, name) = ("holdem".to_owned(), "Friday".to_owned());
    let making = Making { table: id(), access, game, seats: 6, name, listed: false, knock: false };
    let standby = |entries: &[Vec<u8>]| Standby {
        making: making.clone(),
        key: key.clone(),
        first: made.hub,
        entries: entries.to_vec(),
    };
    let new = opened(&other).await;
    let damaged = stand_by(new.store(), standby(&log[1..])).await;
    assert!(matches!(damaged, Err(crate::hub::HubError::Unavailable(_))), "{damaged:?}");
    stand_by(new.store(), standby(&log[..2])).await.unwrap();
    stand_by(new.store(), standby(&log[..1])).await.expect("after a restart it is there already");
    let stranger = Standby { key: Secret::from_bytes(&[98; 32]).unwrap(), ..standby(&log) };
    assert!(matches!(stand_by(new.store(), stranger).await, Err(crate::hub::HubError::Taken)));
    let live = new.table(id());
    let row = new.store().private(id()).await.unwrap().unwrap();
    assert_eq!((row.first, row.code), (Some(made.hub), None));
    let own = Secret::from_bytes(&[1; 32]).unwrap();
    let hello = Hello::new(&TableKey::new(KEY), ada.chain().head(), Some((0, &own)), &[9; 32], &[0; 32]);
    let entered = new.hello(&live, &row, &hello, &[9; 32]).await.unwrap();
    assert_eq!((entered.hub, entered.behind, entered.member), (key.public(), true, Some(0)));
    new.give_back(&live, &log[2]).await.unwrap();
    assert_eq!(write(&new, &live, &mut ada, Some(0)).await, Err((3, Why::NotInOffice)));

    // What people have signed only they can tell; the hub wants the word of the member who runs it.
    let (head, hub) = (ada.chain().head(), key.public());
    let proposal = peer::Proposal { number: 1, head, clock: ada.chain().clock(), successor: 0, hub };
    let change = peer::Change { proposal, votes: vec![(0, results::Signature([7; 64]))] };
    let sign = |key: &Secret, change: &peer::Change| {
        key.sign(&peer::installation(change.proposal.after(id().table())), &[0; 32])
    };
    assert_eq!(new.install(&live, &change, &sign(&own, &change)).await, Err(Why::Unfit), "somebody else's word");
    let mut elsewhere = change.clone();
    elsewhere.proposal.head.hash = [1; 32];
    assert_eq!(new.install(&live, &elsewhere, &sign(&key, &elsewhere)).await, Err(Why::Unfit), "another log");
    let given = dealing::encode(&Entry::Change(Box::new(change.clone())));
    assert_eq!(new.give_back(&live, &given).await, Ok(()), "it is not taken back");
    assert_eq!(new.store().private_entries(id(), 0, 9).await.unwrap(), log);
    for _ in 0..2 {
        assert_eq!(new.install(&live, &change, &sign(&key, &change)).await, Ok(()));
    }
    let stored = new.store().private_entries(id(), 0, 9).await.unwrap();
    assert_eq!((&stored[..3], &stored[3..]), (&log[..], &[given][..]));
    // Now it puts in order what it is sent, also after a restart.
    let next = |chain: &peer::Hub| {
        let body = dealing::encode(&peer::Body::Here);
        let written = chain.chain().written(0).unwrap();
        dealing::encode(&Envelope::write(ada.table(), ada.key(), Some(0), written, chain.head(), &body, &FRESH))
    };
    let mut mirror = peer::Hub::standby(id().table(), access, made.hub, key.clone());
    stored.iter().for_each(|bytes| drop(mirror.keep(&dealing::decode(bytes).unwrap())));
    assert_eq!(new.append(&live, Some(0), &next(&mirror)).await, Ok(0));
    let again = Live::new(id(), Arc::default());
    let stored = new.store().private_entries(id(), 4, 9).await.unwrap();
    stored.iter().for_each(|bytes| drop(mirror.keep(&dealing::decode(bytes).unwrap())));
    assert_eq!(new.append(&again, Some(0), &next(&mirror)).await, Ok(0));
    new.store().close().await;
}
