//! The log, from an author through a hub to everybody.

use dealing::Malformed;

use crate::testing::{Place, fresh, join, secret, table_key};
use crate::{Author, Body, Chain, Entry, Envelope, Fork, Head, Hub, Member, NotNext, Refused, Ticket, Unfit};

#[test]
fn everybody_who_reads_the_log_has_the_same_head() {
    let mut place = Place::new(3);
    place.members[1].say(&Body::Here);
    place.members[1].say(&Body::Leave);
    place.members[2].say(&Body::Here);
    place.settle();
    assert_eq!(place.log.len(), 6);
    for member in &place.members {
        assert_eq!(member.chain().head(), place.hub.head());
        assert_eq!(member.unsaid(), 0);
    }
    // A spectator who comes later reads the same.
    let mut spectator = Member::new(table_key(), secret(60), secret(100).public());
    let said: Vec<_> = place.log.iter().map(|entry| spectator.hear(entry).unwrap()).collect();
    assert_eq!(spectator.chain().head(), place.hub.head());
    assert_eq!(spectator.number(), None);
    let said: Vec<_> = said.into_iter().skip(3).map(|heard| (heard.number, heard.body)).collect();
    assert_eq!(said, [(1, Some(Body::Here)), (1, Some(Body::Leave)), (2, Some(Body::Here))]);
}

#[test]
fn a_hub_refuses_what_has_no_place_in_the_log() {
    let mut place = Place::new(2);
    let head = place.hub.head();
    let refused = |hub: &Hub, envelope| match hub.order(envelope, 2_000, &[0; 32]) {
        Err(Refused::Unfit(why)) => why,
        other => panic!("{other:?}"),
    };
    let at = |place: &Place, member, sequence, seen| place.envelope(member, sequence, seen);
    assert!(place.hub.order(at(&place, 0, 1, head), 2_000, &[0; 32]).is_ok());
    assert_eq!(refused(&place.hub, at(&place, 9, 0, head)), Unfit::NotAMember(9));
    assert_eq!(refused(&place.hub, at(&place, 0, 0, head)), Unfit::Sequence { next: 1, got: 0 }, "a repeat");
    assert_eq!(refused(&place.hub, at(&place, 0, 2, head)), Unfit::Sequence { next: 1, got: 2 }, "a gap");
    let invented = Head { hash: [1; 32], ..head };
    assert_eq!(refused(&place.hub, at(&place, 0, 1, invented)), Unfit::ForeignHead(2));
    let ahead = Head { height: 3, ..head };
    assert_eq!(refused(&place.hub, at(&place, 0, 1, ahead)), Unfit::ForeignHead(3));
    // The second member wrote their first entry knowing one entry; knowing none now would be a step back.
    let before = place.hub.chain().head_at(0).unwrap();
    assert_eq!(refused(&place.hub, at(&place, 1, 1, before)), Unfit::Backwards);
    // Another member's number with one's own key.
    let body = dealing::encode(&Body::Here);
    let forged = Envelope::write(&table_key(), &secret(2), Some(0), 1, head, &body, &fresh(3));
    assert_eq!(refused(&place.hub, forged), Unfit::Signature);
    // A newcomer who does not know the ticket.
    let other = crate::TableKey::new([8; 32]);
    let stranger = Envelope::write(&other, &secret(3), None, 0, head, &body, &fresh(3));
    assert_eq!(refused(&place.hub, stranger), Unfit::Signature);
    // A member who joins again.
    let again = Envelope::write(&table_key(), &secret(1), None, 0, head, &dealing::encode(&join(1)), &fresh(3));
    assert_eq!(refused(&place.hub, again), Unfit::AlreadyMember);
    // Nothing of this has changed anything.
    assert_eq!(place.hub.head(), head);
    place.members[0].say(&Body::Here);
    place.settle();
    assert_eq!(place.hub.head().height, 3);
}

#[test]
fn an_entry_that_a_hub_had_to_refuse_is_its_fault() {
    let place = Place::new(2);
    let (head, table) = (place.hub.head(), table_key().table());
    let repeat = place.envelope(0, 0, head);
    let entry = Entry::order(table, head, repeat, 3_000, &secret(100), &[0; 32]);
    let mut chain: Chain = place.hub.chain().clone();
    assert_eq!(chain.accept(&entry), Err(NotNext::Unfit(Unfit::Sequence { next: 1, got: 0 })));
    // A clock that runs backwards as well.
    let early = Entry::order(table, head, place.envelope(0, 1, head), 5, &secret(100), &[0; 32]);
    assert_eq!(chain.accept(&early), Err(NotNext::Clock));
    // An entry that another hub signed proves nothing.
    let forged = Entry::order(table, head, place.envelope(0, 1, head), 3_000, &secret(101), &[0; 32]);
    assert_eq!(chain.accept(&forged), Err(NotNext::Unsigned));
    assert_eq!(chain.head(), head);
}

#[test]
fn two_entries_in_one_place_prove_that_the_hub_forked_the_order() {
    let place = Place::new(2);
    let (head, table, hub) = (place.hub.head(), table_key().table(), secret(100).public());
    let order = |envelope| place.hub.order(envelope, 4_000, &[0; 32]).unwrap().said().unwrap().clone();
    let (one, other) = (order(place.envelope(0, 1, head)), order(place.envelope(1, 1, head)));
    let fork = Fork { before: head, one: one.clone(), other };
    assert!(fork.is_proof(table, &hub));
    assert!(!Fork { other: one.clone(), ..fork.clone() }.is_proof(table, &hub), "the same entry twice");
    assert!(!fork.is_proof(table, &secret(101).public()), "another hub");
    let later = Head { height: 5, ..head };
    assert!(!Fork { before: later, ..fork }.is_proof(table, &hub), "another place");
}

#[test]
fn one_who_floods_is_stopped_and_the_others_are_not() {
    let mut place = Place::new(2);
    let bytes = dealing::encode(&place.envelope(0, 1, place.hub.head()));
    let taken = (0..10_000).take_while(|_| place.hub.receive(Some(0), &bytes, 9_000).is_ok()).count();
    assert_eq!(taken, 300);
    assert!(matches!(place.hub.receive(Some(0), &bytes, 9_000), Err(Refused::Budget(_))));
    let other = dealing::encode(&place.envelope(1, 1, place.hub.head()));
    assert!(place.hub.receive(Some(1), &other, 9_000).is_ok());
    // Nobody can spend another member's budget, or write through another member's connection.
    assert_eq!(place.hub.receive(Some(1), &bytes, 9_000), Err(Refused::Unfit(Unfit::NotAMember(0))));
    assert_eq!(place.hub.receive(None, &bytes, 9_000), Err(Refused::Unfit(Unfit::NotAMember(0))));
}

#[test]
fn bytes_that_are_no_envelope_are_refused() {
    let mut place = Place::new(1);
    let right = dealing::encode(&place.envelope(0, 1, place.hub.head()));
    assert!(place.hub.receive(Some(0), &right, 1_000).is_ok());
    assert_eq!(place.hub.receive(Some(0), &[], 1_000), Err(Refused::Malformed(Malformed::Short)));
    assert_eq!(place.hub.receive(Some(0), &right[..50], 1_000), Err(Refused::Malformed(Malformed::Short)));
    let long = [&right[..], &[0]].concat();
    assert_eq!(place.hub.receive(Some(0), &long, 1_000), Err(Refused::Malformed(Malformed::Trailing)));
    let huge = vec![0; crate::MOST_ENVELOPE + 1];
    assert!(matches!(place.hub.receive(Some(0), &huge, 1_000), Err(Refused::Malformed(Malformed::Length { .. }))));
}

#[test]
fn every_changed_byte_of_an_entry_is_noticed() {
    let place = Place::new(2);
    let entry = place.hub.order(place.envelope(0, 1, place.hub.head()), 4_000, &[0; 32]).unwrap();
    let bytes = dealing::encode(&entry);
    assert_eq!(dealing::decode::<Entry>(&bytes).as_ref(), Ok(&entry));
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let Ok(changed) = dealing::decode::<Entry>(&changed) else { continue };
        assert!(place.hub.chain().clone().accept(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn what_was_lost_on_the_way_is_said_again_and_nothing_twice() {
    let mut place = Place::new(2);
    place.members[0].say(&Body::Here);
    place.members[0].say(&Body::Leave);
    let first = place.members[0].write(&fresh(1)).unwrap();
    let second = place.members[0].write(&fresh(1)).unwrap();
    assert_eq!((first.sequence, second.sequence), (1, 2));
    assert_eq!(place.members[0].write(&fresh(1)), None);
    // The first arrives, the second is lost, and so is the connection.
    place.put(first);
    place.members[0].send_again();
    place.settle();
    assert_eq!(place.log.len(), 4);
    let mut reader = Member::new(table_key(), secret(60), secret(100).public());
    let said: Vec<_> = place.log.iter().filter_map(|entry| reader.hear(entry).unwrap().body).skip(2).collect();
    assert_eq!(said, [Body::Here, Body::Leave]);
}

#[test]
fn the_same_member_in_two_places_writes_one_log() {
    let mut place = Place::new(1);
    // A second window with the same keys.
    let mut window = Member::new(table_key(), secret(1), secret(100).public());
    window.hear(&place.log[0]).unwrap();
    window.say(&Body::Leave);
    let theirs = window.write(&fresh(2)).unwrap();
    place.members[0].say(&Body::Here);
    let ours = place.members[0].write(&fresh(1)).unwrap();
    place.put(theirs);
    assert!(place.hub.order(ours, 9_000, &[0; 32]).is_err(), "the sequence number is taken");
    // Ours is written again with the next number.
    place.settle();
    assert_eq!(place.log.len(), 3);
    assert_eq!(place.members[0].unsaid(), 0);
}

#[test]
fn a_restored_hub_adopts_what_it_had_signed() {
    let mut place = Place::new(2);
    place.members[0].say(&Body::Here);
    place.settle();
    let key = table_key();
    let mut restored = Hub::new(key.table(), key.access().public(), secret(100));
    restored.adopt(&place.log[0]).unwrap();
    for entry in &place.log[1..] {
        restored.adopt(entry).unwrap();
    }
    assert_eq!(restored.head(), place.hub.head());
    assert_eq!(restored.adopt(&place.log[0]), Err(NotNext::Unsigned), "an old one");
}

#[test]
fn a_hub_that_restarts_has_the_same_log_without_checking_every_signature_again() {
    let mut place = Place::new(2);
    place.members[0].say(&Body::Here);
    place.settle();
    let key = table_key();
    let mut restarted = Hub::new(key.table(), key.access().public(), secret(100));
    for entry in &place.log {
        restarted.keep(entry).unwrap();
    }
    assert_eq!(restarted.head(), place.hub.head());
    assert_eq!(restarted.chain().written(0), Some(2));
    // What has no place in the log is noticed all the same.
    assert_eq!(restarted.keep(&place.log[0]), Err(NotNext::Clock));
    let mut gap = Hub::new(key.table(), key.access().public(), secret(100));
    assert_eq!(gap.keep(&place.log[2]), Err(NotNext::Unfit(Unfit::NotAMember(0))));
    assert_eq!(gap.head().height, 0);
    let next = dealing::encode(&place.envelope(1, 1, restarted.head()));
    assert!(restarted.receive(Some(1), &next, 9_000).is_ok(), "members have a budget");
}

#[test]
fn a_ticket_is_a_link_that_can_be_read_back() {
    let ticket = Ticket { at: "http://192.168.1.5:7777".to_owned(), key: table_key(), hub: secret(100).public() };
    let text = ticket.to_string();
    assert!(text.starts_with("http://192.168.1.5:7777/private/"), "{text}");
    assert_eq!(text.parse(), Ok(ticket.clone()));
    assert_eq!(format!(" {text}\n").parse(), Ok(ticket));
    let (link, secret_part) = text.split_once('#').unwrap();
    use crate::BadTicket as Bad;
    let bad = |text: &str| text.parse::<Ticket>().unwrap_err();
    assert_eq!(bad(link), Bad::NoKey);
    assert_eq!(bad("hello"), Bad::NotALink);
    assert_eq!(bad("https://example.org/"), Bad::NotATable);
    assert_eq!(bad(&text[..text.len() - 1]), Bad::Damaged);
    assert_eq!(bad(&format!("http://here/private/00#{secret_part}")), Bad::OtherTable);
    assert_eq!(bad(&"http://".repeat(100)), Bad::TooLong);
    let mut letters: Vec<char> = text.chars().collect();
    for at in link.len() + 1..letters.len() {
        let before = letters[at];
        letters[at] = if before == 'q' { 'p' } else { 'q' };
        let changed: String = letters.iter().collect();
        if before != letters[at] {
            assert!(changed.parse::<Ticket>().is_err(), "letter {at}");
        }
        letters[at] = before;
    }
}

#[test]
fn newcomers_are_numbered_in_the_order_of_the_log() {
    let place = Place::new(3);
    for (number, member) in (0..).zip(&place.members) {
        assert_eq!(member.number(), Some(number));
    }
    assert!(matches!(place.log[2].said().unwrap().envelope.author, Author::Newcomer { .. }));
}

#[test]
fn a_vote_that_was_not_heard_in_time_is_not_sent_later() {
    let mut place = Place::new(2);
    let bodies = [Body::Overdue { who: 1, since: 2 }, Body::Here, Body::Overdue { who: 1, since: 3 }];
    bodies.iter().for_each(|body| place.members[0].say(body));
    assert!(place.members[0].write(&fresh(9)).is_some(), "it is on its way, and is lost with the connection");
    place.members[0].send_again();
    assert_eq!(place.members[0].unsaid(), 1);
    place.settle();
    let last = place.log.last().unwrap().said().unwrap();
    assert_eq!(dealing::decode(&last.envelope.open(&table_key()).unwrap()), Ok(Body::Here));
}
