//! The events of our documents, read with a library that others wrote.

use nostr::prelude::*;

const EVENTS: &str = include_str!("../../../crates/relays/tests/data/events.jsonl");

#[test]
fn every_event_has_the_right_id_and_signature() {
    let mut count = 0;
    for line in EVENTS.lines() {
        let event = Event::from_json(line).expect("an event");
        event.verify().expect("its id and signature are right");
        count += 1;
    }
    assert_eq!(count, 5);
}

#[tokio::test]
async fn the_invitation_can_be_opened_by_its_reader() {
    let line = EVENTS.lines().nth(3).expect("the invitation");
    let gift = Event::from_json(line).expect("an event");
    let reader = Keys::new(SecretKey::from_slice(&[2; 32]).expect("a key"));
    let sender = Keys::new(SecretKey::from_slice(&[1; 32]).expect("a key"));
    let opened = UnwrappedGift::from_gift_wrap(&reader, &gift).await.expect("it is for this reader");
    assert_eq!(opened.sender, sender.public_key());
    assert_eq!(opened.rumor.kind, Kind::from(2052));
    assert!(opened.rumor.content.contains("Eva's table"), "{}", opened.rumor.content);
}
