//! A lost hub is replaced: what is refused, and that nothing which a signer has heard is lost.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod room;

use games::AnyGame;
use peer::{
    Aside, BadChange, BadStart, Ballot, Beside, Body, Change, Entry, Fork, Hub, Member, NoBallot, NotInstalled,
    NotNext, Private, Proposal, Record, Refused, Standby, Void, Vote, Why, installation, verify,
};
use room::{Room, hub_key, key};

/// A change of the hub of a room to this member's hub, signed by these members.
fn change(room: &Room, successor: u8, voters: &[u8]) -> Change {
    let proposal = room.proposal(successor);
    let votes = voters.iter().map(|voter| (*voter, room.vote(*voter, proposal).signature)).collect();
    Change { proposal, votes }
}

fn entry(change: &Change) -> Entry {
    Entry::Change(Box::new(change.clone()))
}

/// What everybody at the table makes of it.
fn refused(room: &Room, change: &Change) -> BadChange {
    let mut chain = room.seated[0].member().chain().clone();
    let before = chain.head();
    let Err(NotNext::Change(why)) = chain.accept(&entry(change)) else { panic!("{change:?} is refused") };
    assert_eq!((chain.head(), chain.changes()), (before, 0), "nothing has changed");
    why
}

#[test]
fn more_than_half_of_the_people_who_started_replace_the_hub() {
    for (people, needed) in [(2, 2), (3, 2), (4, 3), (5, 3)] {
        let mut room = Room::new(people, 0);
        let all: Vec<u8> = (0..people).collect();
        let few = change(&room, 1, &all[..needed - 1]);
        assert_eq!(refused(&room, &few), BadChange::TooFew { needed, got: needed - 1 });
        let right = change(&room, 1, &all[..needed]);
        let mut chain = room.chain();
        for seated in &mut room.seated {
            let (heard, _) = seated.hear(&entry(&right), 0).unwrap();
            assert_eq!((heard.number, heard.body, heard.change), (1, None, Some(right.proposal)));
            assert_eq!(*seated.member().chain().hub(), hub_key(1).public());
        }
        // The same log for everybody, no matter whose votes were passed on.
        let mut other = right.clone();
        other.votes =
            all[all.len() - needed..].iter().map(|at| (*at, room.vote(*at, right.proposal).signature)).collect();
        chain.accept(&entry(&other)).unwrap();
        assert_eq!(chain.head(), room.seated[0].member().chain().head());
    }
}

#[test]
fn a_person_counts_once_and_neither_computers_nor_strangers_count() {
    // Four people; member 4 is a computer of member 0, member 5 watches from a seat of its own.
    let room = Room::new(4, 1);
    let right = change(&room, 1, &[0, 1]);
    let with = |voter: u8, signer: u8| {
        let mut change = right.clone();
        change.votes.push((voter, room.vote(signer, change.proposal).signature));
        change
    };
    assert_eq!(refused(&room, &with(1, 1)), BadChange::Twice(1));
    assert_eq!(refused(&room, &with(4, 4)), BadChange::NotAVoter(4), "a computer");
    assert_eq!(refused(&room, &with(5, 5)), BadChange::NotAVoter(5), "a member who does not play");
    assert_eq!(refused(&room, &with(60, 60)), BadChange::NotAVoter(60), "a stranger");
    assert_eq!(refused(&room, &with(2, 3)), BadChange::Signature(2), "another's signature");
    let mut member = room.member(4);
    assert_eq!(member.vote(right.proposal, &[0; 32]), Err(NoBallot::NotAPerson), "a computer does not sign");
}

#[test]
fn only_the_end_of_the_log_can_be_continued() {
    let mut room = Room::new(3, 0);
    let old = change(&room, 1, &[0, 1, 2]);
    room.say(0, &Body::Here);
    assert_eq!(refused(&room, &old), BadChange::OtherHead, "an older head");
    let mut foreign = room.proposal(1);
    foreign.head.hash = [9; 32];
    let votes = |proposal| (0..3).map(|voter| (voter, room.vote(voter, proposal).signature)).collect();
    let elsewhere = Change { proposal: foreign, votes: votes(foreign) };
    assert_eq!(refused(&room, &elsewhere), BadChange::OtherHead, "another log");
    let mut member = room.member(2);
    assert_eq!(member.vote(foreign, &[0; 32]), Err(NoBallot::Change(BadChange::OtherHead)));
    assert_eq!(member.vote(old.proposal, &[0; 32]), Err(NoBallot::Change(BadChange::OtherHead)));
    assert_eq!(member.pledge(), None, "nothing was signed");
    let mut early = room.proposal(1);
    early.clock = 5;
    let early = Change { proposal: early, votes: votes(early) };
    assert_eq!(refused(&room, &early), BadChange::Clock);
}

#[test]
fn only_a_hub_that_the_start_lists_can_replace_it() {
    // Only the first three of four could run a hub.
    let room = Room::new(4, 0);
    let stranger = Proposal { successor: 3, hub: hub_key(3).public(), ..room.proposal(1) };
    let signed = |proposal| {
        let votes = (0..4).map(|voter| (voter, room.vote(voter, proposal).signature)).collect();
        Change { proposal, votes }
    };
    assert_eq!(refused(&room, &signed(stranger)), BadChange::NotASuccessor(3));
    let other_key = Proposal { hub: hub_key(9).public(), ..room.proposal(1) };
    assert_eq!(refused(&room, &signed(other_key)), BadChange::NotASuccessor(1), "not the key they announced");
    let borrowed = Proposal { successor: 2, ..room.proposal(1) };
    assert_eq!(refused(&room, &signed(borrowed)), BadChange::NotASuccessor(2), "another's key");
    let same = Proposal { hub: *room.hub.chain().hub(), ..room.proposal(1) };
    assert_eq!(refused(&room, &signed(same)), BadChange::NotASuccessor(1), "the hub that is lost");
    let mut member = room.member(0);
    assert_eq!(member.vote(stranger, &[0; 32]), Err(NoBallot::Change(BadChange::NotASuccessor(3))));
}

#[test]
fn before_a_match_no_hub_is_replaced() {
    let room = Room::new(3, 0);
    let mut reader = Member::new(room.key.clone(), key(90), *room.hub.chain().hub());
    for logged in &room.log[..4] {
        reader.hear(logged).unwrap();
    }
    let proposal = Proposal { head: reader.chain().head(), ..room.proposal(1) };
    let votes = (0..3).map(|voter| (voter, room.vote(voter, proposal).signature)).collect();
    let early = entry(&Change { proposal, votes });
    assert_eq!(reader.hear(&early), Err(NotNext::Change(BadChange::NotBegun)));
}

#[test]
fn two_successors_never_both_win() {
    let room = Room::new(4, 0);
    let (first, second) = (room.proposal(1), room.proposal(2));
    let mut members: Vec<Member> = (0..4).map(|number| room.member(number)).collect();
    let mut sign = |voter: usize, proposal| members[voter].vote(proposal, &[0; 32]);
    for voter in [0, 1, 2] {
        sign(voter, first).unwrap();
        assert_eq!(sign(voter, second), Err(NoBallot::Pledged(first)), "the same number");
    }
    sign(3, second).unwrap();
    assert_eq!(sign(3, first), Err(NoBallot::Pledged(second)));
    // Signing the same again is fine, and changes nothing.
    assert!(sign(0, first).is_ok());
    let mut later = first;
    later.clock += 1;
    assert_eq!(sign(0, later), Err(NoBallot::Pledged(first)), "another clock is another proposal");
    // With the first change in the log, the second one has the wrong number for everybody.
    let mut chain = room.chain();
    chain.accept(&entry(&change(&room, 1, &[0, 1, 2]))).unwrap();
    let after = Proposal { head: chain.head(), ..second };
    let votes = (0..4).map(|voter| (voter, room.vote(voter, after).signature)).collect();
    let again = chain.accept(&entry(&Change { proposal: after, votes }));
    assert_eq!(again, Err(NotNext::Change(BadChange::Number { next: 2, got: 1 })));
}

#[test]
fn entries_of_the_old_hub_after_a_change_do_not_count() {
    let mut room = Room::new(3, 0);
    let late = room.ordered(0, &Body::Here);
    let right = entry(&change(&room, 1, &[0, 1]));
    for seated in &mut room.seated {
        seated.hear(&right, 0).unwrap();
        assert_eq!(seated.hear(&late, 0).unwrap_err(), NotNext::Unsigned);
    }
    // An entry of the old hub and a change in the same place do not prove that the old hub did wrong.
    let head = room.hub.head();
    let said = late.said().unwrap().clone();
    let fork = Fork { before: head, one: said.clone(), other: said };
    assert!(!fork.is_proof(room.key.table(), &hub_key(100).public()));
    // Nor did the new hub sign before it was in office.
    let mut chain = room.chain();
    let early = Entry::order(room.key.table(), head, room.envelope(0, head), 9_000_000_000_000, &hub_key(1), &[0; 32]);
    assert_eq!(chain.accept(&early), Err(NotNext::Unsigned));
}

#[test]
fn a_member_who_has_signed_hears_nothing_more_from_the_old_hub() {
    let mut room = Room::new(3, 0);
    let late = room.ordered(0, &Body::Here);
    let mut member = room.member(2);
    let first = room.proposal(1);
    member.vote(first, &[0; 32]).unwrap();
    assert_eq!(member.hear(&late), Err(NotNext::Pledged));
    // The others have replaced the hub otherwise, and knew more of the log: the pledge is void.
    let mut ahead = room.chain();
    ahead.accept(&late).unwrap();
    let other = Proposal { head: ahead.head(), clock: ahead.clock(), successor: 0, hub: hub_key(0).public(), ..first };
    let few = Change { proposal: other, votes: vec![(0, room.vote(0, other).signature)] };
    assert!(!member.release(&few), "too few have signed it");
    let votes = vec![(0, room.vote(0, other).signature), (1, room.vote(1, other).signature)];
    let changed = Change { proposal: other, votes };
    assert!(member.release(&changed));
    member.hear(&late).unwrap();
    member.hear(&entry(&changed)).unwrap();
    assert_eq!(*member.chain().hub(), hub_key(0).public());
}

#[test]
fn a_hub_in_waiting_puts_nothing_in_order_until_it_is_installed_by_its_own_member() {
    let room = Room::new(3, 0);
    let mut hub = Hub::standby(room.key.table(), room.key.access().public(), *room.hub.chain().hub(), hub_key(1));
    for logged in &room.log {
        hub.adopt(logged).unwrap();
    }
    let head = hub.head();
    assert_eq!(head, room.hub.head());
    let envelope = room.envelope(0, head);
    assert_eq!(hub.order(envelope.clone(), 9_000_000_000_000, &[0; 32]), Err(Refused::NotInOffice));
    let change = change(&room, 1, &[0, 1]);
    let sign =
        |key: u8, change: &Change| hub_key(key).sign(&installation(change.proposal.after(room.key.table())), &[0; 32]);
    assert_eq!(hub.install(&change, &sign(2, &change)), Err(NotInstalled::Signature), "another member");
    let mut elsewhere = change.clone();
    elsewhere.proposal.head.hash = [9; 32];
    let wrong = hub.install(&elsewhere, &sign(1, &elsewhere));
    assert_eq!(wrong, Err(NotInstalled::Unfit(BadChange::OtherHead)));
    assert_eq!((hub.head(), hub.is_in_office()), (head, false));
    let installed = hub.install(&change, &sign(1, &change)).unwrap();
    assert!(!hub.is_in_office(), "it has to be stored first");
    hub.keep(&installed).unwrap();
    assert!(hub.is_in_office());
    let next = hub.order(envelope, 9_000_000_000_000, &[0; 32]).unwrap();
    let mut chain = room.chain();
    chain.accept(&entry(&change)).unwrap();
    chain.accept(&next).unwrap();
    // After a restart it reads all of it from its disk.
    let mut again = Hub::standby(room.key.table(), room.key.access().public(), *room.hub.chain().hub(), hub_key(1));
    for logged in room.log.iter().chain([&entry(&change), &next]) {
        again.keep(logged).unwrap();
    }
    assert!(again.is_in_office());
    assert_eq!(again.head(), chain.head());
}

#[test]
fn a_change_is_read_as_it_was_written_and_every_changed_byte_is_noticed() {
    let room = Room::new(3, 0);
    let right = entry(&change(&room, 1, &[0, 2]));
    let bytes = dealing::encode(&right);
    assert_eq!(bytes.len(), 1 + (4 + 40 + 8 + 1 + 32) + 2 + 2 * 65);
    assert_eq!(bytes[0], 254);
    assert_eq!(dealing::decode::<Entry>(&bytes).as_ref(), Ok(&right));
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let Ok(changed) = dealing::decode::<Entry>(&changed) else { continue };
        assert!(room.chain().accept(&changed).is_err(), "byte {at}");
    }
    let proposal = room.proposal(1);
    let vote = room.vote(2, proposal);
    let Entry::Change(change) = right else { panic!() };
    for ballot in [Ballot::At(proposal.head), Ballot::Propose(proposal), Ballot::Vote(vote), Ballot::Changed(change)] {
        let bytes = dealing::encode(&ballot);
        assert!(bytes.len() <= peer::frame::MOST_BESIDE);
        assert_eq!(dealing::decode(&bytes), Ok(Beside::Ballot(ballot)));
    }
}

#[test]
fn members_say_in_the_lobby_that_they_could_run_a_hub() {
    let room = Room::new(3, 1);
    let mut lobby = room.lobby();
    let at = |at: &str, key: u8| Body::Stand { hub: hub_key(key).public(), at: at.to_owned() };
    let mut said = |number: u8, body: &Body| lobby.take(number, &key(number).public(), body);
    assert_eq!(said(3, &at("http://10.0.0.9:1", 9)), Err(Void::NotNow), "a computer");
    assert_eq!(said(9, &at("http://10.0.0.9:1", 9)), Err(Void::NotNow), "a stranger");
    assert_eq!(said(2, &at("http://10.0.0.9:1", 1)), Err(Void::SameHub), "another's key");
    assert_eq!(said(2, &at("http://10.0.0.9:1", 100)), Err(Void::SameHub), "the key of the hub that is in office");
    assert_eq!(said(1, &at("http://10.0.0.9:1", 1)), Ok(None), "a new address");
    assert_eq!(lobby.standing()[&1].at, "http://10.0.0.9:1");
    let start = lobby.start(AnyGame::Ongdu, Vec::new(), &[0, 1, 2], None).unwrap();
    let order = |start: &peer::Start| start.successors.iter().map(|standby| standby.number).collect::<Vec<_>>();
    assert_eq!(order(&start), [0, 1, 2]);
    let run_by_first = lobby.start(AnyGame::Ongdu, Vec::new(), &[0, 1, 2], Some(0)).unwrap();
    assert_eq!(order(&run_by_first), [1, 2, 0], "who runs the hub may be lost with it");
    let bad = |successors: Vec<Standby>| {
        let start = peer::Start { successors, ..start.clone() };
        let body = Body::Start(Box::new(start));
        lobby.clone().take(0, &key(0).public(), &body)
    };
    assert_eq!(bad(start.successors.iter().rev().cloned().collect()), Ok(None), "in any order");
    let refused = Err(Void::BadStart(BadStart::Successors));
    assert_eq!(bad(vec![start.successors[0].clone(), start.successors[0].clone()]), refused, "twice");
    assert_eq!(bad(vec![Standby { hub: hub_key(7).public(), ..start.successors[0].clone() }]), refused, "another key");
    assert_eq!(bad(vec![Standby { at: "http://evil".to_owned(), ..start.successors[0].clone() }]), refused);
    assert_eq!(bad(vec![Standby { number: 3, ..start.successors[0].clone() }]), refused, "a computer");
    // Those who leave take their hub with them.
    lobby.take(2, &key(2).public(), &Body::Leave).unwrap();
    assert_eq!(lobby.standing().len(), 2);
}

#[test]
fn people_agree_on_the_first_hub_they_can_reach_and_play_on() {
    let mut room = Room::new(4, 0);
    room.play(40, &[0]);
    // The hub is lost. Member 3 had heard the last entry, the others had not.
    let last = room.ordered(3, &Body::Here);
    room.hear_alone(3, &last);
    let head = room.seated[3].member().chain().head();
    let mut second = room.hub_of(1);
    room.gather(&mut second, &[0, 1, 2, 3, 4]);
    assert!(second.is_in_office());
    for seated in &room.seated {
        let chain = seated.member().chain();
        assert!(chain.contains(head), "nothing that a signer has heard is lost");
        assert_eq!((chain.changes(), chain.head()), (1, second.head()));
        assert!(!seated.is_gathering());
    }
    room.hub = second;
    room.play_to_the_end();
    let record = room.record();
    let report = verify(&record);
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(report.changes.len(), 1);
    assert!(report.changes[0].votes.len() >= 3);
    assert_eq!(report.played.unwrap().ended, Some(Why::Over));
    assert_eq!(Record::parse(&record.text(), false).as_ref(), Ok(&record));
    let lines = peer::lines(&record);
    assert_eq!(lines.iter().filter(|line| line.text.starts_with("HUB_CHANGE:1:X1")).count(), 1);
    assert_eq!(lines.iter().filter(|line| line.text.starts_with("HUB_STAND:")).count(), 3);
    let signed = lines.iter().filter(|line| line.text.starts_with("RESULT_SIG:")).count();
    assert_eq!(signed, 4, "the whole log is read");
    // Without the votes nobody believes the new hub.
    let mut forged = record;
    for entry in &mut forged.entries {
        if let Entry::Change(change) = entry {
            change.votes.truncate(2);
        }
    }
    assert!(matches!(verify(&forged).hub, Some((_, NotNext::Change(BadChange::TooFew { needed: 3, got: 2 })))));
}

#[test]
fn too_few_people_change_nothing_and_of_two_both_are_needed() {
    let mut room = Room::new(4, 0);
    let mut second = room.hub_of(1);
    room.gather(&mut second, &[1, 2]);
    assert!(!second.is_in_office());
    assert!(room.seated.iter().all(|seated| seated.member().pledge().is_none()), "nobody was even asked");
    let mut pair = Room::new(2, 0);
    let mut second = pair.hub_of(1);
    pair.gather(&mut second, &[1]);
    assert!(!second.is_in_office());
    pair.gather(&mut second, &[0, 1]);
    assert!(second.is_in_office());
}

#[test]
fn nobody_is_talked_into_another_hub_while_theirs_works() {
    let mut room = Room::new(3, 0);
    let proposal = room.proposal(1);
    let office = *room.hub.chain().hub();
    room.seated[0].connected(office);
    room.seated[0].ballot(1, &Ballot::Propose(proposal), &[0; 32]);
    assert_eq!(room.seated[0].take_asides(), []);
    assert_eq!(room.seated[0].member().pledge(), None);
}

#[test]
fn votes_for_a_candidate_who_is_lost_are_completed_by_the_next() {
    let mut room = Room::new(5, 0);
    let first = room.proposal(0);
    // Members 2 and 3 have signed for the hub of member 0, which is lost before the third vote.
    for voter in [2, 3] {
        room.seated[voter].connected(hub_key(0).public());
        room.seated[voter].ballot(0, &Ballot::Propose(first), &[0; 32]);
        assert_eq!(room.seated[voter].member().pledge(), Some(&first));
    }
    let mut second = room.hub_of(1);
    room.gather(&mut second, &[1, 2, 3, 4]);
    assert!(second.is_in_office());
    let chain = room.seated[4].member().chain();
    assert_eq!((chain.changes(), chain.hub()), (2, &hub_key(1).public()));
    // The lost candidate comes back, and follows.
    let missing: Vec<Entry> = room.log[usize::try_from(first.head.height).unwrap()..].to_vec();
    for entry in &missing {
        room.seated[0].hear(entry, 0).unwrap();
    }
    assert_eq!(room.seated[0].member().chain().head(), second.head());
}

#[test]
fn a_person_who_signed_for_another_hub_follows_the_majority() {
    let mut room = Room::new(4, 0);
    let lost = room.proposal(2);
    room.seated[3].connected(hub_key(2).public());
    room.seated[3].ballot(2, &Ballot::Propose(lost), &[0; 32]);
    // Meanwhile the other three agree on another one.
    let mut second = room.hub_of(1);
    room.gather(&mut second, &[0, 1, 2]);
    assert!(second.is_in_office());
    let next = room.log.last().unwrap().clone();
    room.hub = second;
    let later = room.ordered(0, &Body::Here);
    assert_eq!(room.seated[3].hear(&later, 0).unwrap_err(), NotNext::Pledged);
    // The change itself shows that the other hub has lost.
    room.seated[3].hear(&next, 0).unwrap();
    assert_eq!(room.seated[3].member().pledge(), None);
    room.seated[3].hear(&later, 0).unwrap();
}

#[test]
fn a_person_whose_candidate_is_lost_goes_on_with_the_old_hub_once_the_others_have() {
    let mut room = Room::new(4, 0);
    let lost = room.proposal(1);
    room.seated[3].connected(hub_key(1).public());
    room.seated[3].ballot(1, &Ballot::Propose(lost), &[0; 32]);
    // The old hub is back. The others never heard of the candidate and go on; each knows what was said before.
    let from = room.log.len();
    let mut heard = Vec::new();
    for (number, body) in [(0, Body::Here), (1, Body::Here), (2, Body::Here), (0, Body::Here)] {
        let entry = room.ordered(number, &body);
        room.hub.adopt(&entry).unwrap();
        for at in 0..3 {
            room.seated[at].hear(&entry, 0).unwrap();
        }
        heard.push(room.seated[3].hear(&entry, 0).map(drop).unwrap_err());
        room.log.push(entry);
    }
    // Three of four would have to sign. With two who know more, that cannot happen.
    assert_eq!(heard, [NotNext::Pledged, NotNext::Pledged, NotNext::Released, NotNext::Unsigned]);
    assert_eq!(room.seated[3].member().pledge(), None);
    assert!(room.seated[3].to_store().is_some(), "that is stored as well");
    for entry in &room.log[from..] {
        room.seated[3].hear(entry, 0).unwrap();
    }
    assert_eq!(room.seated[3].member().chain().head(), room.hub.head());
}

#[test]
fn a_pledge_outlives_a_restart() {
    let mut room = Room::new(3, 0);
    let proposal = room.proposal(1);
    room.seated[2].connected(hub_key(1).public());
    room.seated[2].ballot(1, &Ballot::Propose(proposal), &[0; 32]);
    let stored = dealing::encode(room.seated[2].to_store().expect("it is stored before it is sent"));
    assert!(matches!(&room.seated[2].take_asides()[..], [Aside::Words(_)]));
    let mut again = room.restarted(2, &stored);
    assert_eq!(again.member().pledge(), Some(&proposal));
    again.connected(hub_key(0).public());
    again.ballot(0, &Ballot::Propose(room.proposal(0)), &[0; 32]);
    let said = again.take_asides();
    let [Aside::Words(words)] = &said[..] else { panic!("{said:?}") };
    let Ok(Beside::Ballot(Ballot::Vote(Vote { proposal: signed, .. }))) = dealing::decode(words) else { panic!() };
    assert_eq!(signed, proposal, "it says again what it had signed, and nothing else");
}

#[test]
fn a_pledge_outlives_a_restart_after_an_earlier_change() {
    let mut room = Room::new(3, 0);
    let mut second = room.hub_of(1);
    room.gather(&mut second, &[0, 1, 2]);
    room.hub = second;
    let proposal = room.proposal(0);
    room.seated[2].connected(hub_key(0).public());
    room.seated[2].ballot(0, &Ballot::Propose(proposal), &[0; 32]);
    let mut stored = dealing::encode(room.seated[2].to_store().expect("it is stored before it is sent"));
    for restart in 1..=2 {
        let mut again = room.restarted(2, &stored);
        assert_eq!((again.member().chain().changes(), again.member().pledge()), (1, Some(&proposal)), "{restart}");
        stored = again.to_store().map_or(stored, dealing::encode);
    }
}

#[test]
fn somebody_who_no_longer_knows_what_they_signed_signs_nothing_until_the_next_change() {
    let room = Room::new(3, 0);
    let first = change(&room, 0, &[0, 1]);
    let mut lost = room.restarted(1, &dealing::encode(&Private::lost(&[9; 32])));
    assert!(lost.member().has_forgotten(), "before the log is read to its end");
    lost.caught_up();
    let stored = dealing::encode(lost.to_store().unwrap());
    let mut lost = room.restarted(1, &stored);
    // Neither for another's hub nor for their own.
    lost.connected(hub_key(0).public());
    lost.ballot(0, &Ballot::Propose(first.proposal), &[0; 32]);
    assert_eq!((lost.take_asides(), lost.member().pledge()), (Vec::new(), None));
    lost.connected(hub_key(1).public());
    let head = room.hub.head();
    for second in 0..20 {
        for from in [0, 2] {
            lost.ballot(from, &Ballot::At(head), &[0; 32]);
        }
        lost.convene(0b111, room.clock + 1_000 * second, &[1; 32]);
    }
    let proposes = |aside: &Aside| {
        let Aside::Words(words) = aside else { return true };
        !matches!(dealing::decode(words), Ok(Beside::Ballot(Ballot::At(_))))
    };
    assert!(!lost.take_asides().iter().any(proposes), "they only say where they are");
    // The others have replaced the hub. From then on they know again what they have signed: nothing.
    lost.hear(&entry(&first), 0).unwrap();
    assert!(!lost.member().has_forgotten());
    let number = lost.member().chain().changes() + 1;
    let next = Proposal { number, head: lost.member().chain().head(), ..room.proposal(2) };
    lost.connected(hub_key(2).public());
    lost.ballot(2, &Ballot::Propose(next), &[0; 32]);
    assert_eq!(lost.member().pledge(), Some(&next));
}

#[test]
fn everybody_has_their_full_time_after_a_change() {
    let mut room = Room::new(3, 0);
    room.play(40, &[0]);
    let change = entry(&change(&room, 1, &[0, 1, 2]));
    let height = room.hub.head().height + 1;
    for seated in &mut room.seated {
        seated.hear(&change, 77_000).unwrap();
        let waits = seated.session().waits().all();
        assert!(!waits.is_empty());
        assert!(waits.values().all(|wait| wait.since == height && wait.heard == 77_000));
    }
}

#[test]
fn the_member_who_runs_the_new_hub_cannot_call_others_late_alone() {
    let mut room = Room::new(2, 0);
    room.play(40, &[0]);
    let mut second = room.hub_of(1);
    room.gather(&mut second, &[0, 1, 2]);
    room.hub = second;
    // Member 0 falls silent. Member 1 runs the hub now.
    room.clock += 700_000;
    let waits = room.seated[1].session().waits().all().clone();
    let (_, wait) = waits.iter().find(|(seat, _)| seat.index() == 0).expect("the table waits for member 0");
    room.say(1, &Body::Overdue { who: 0, since: wait.since });
    let ended = room.seated[1].session().ended().unwrap();
    assert!(matches!(ended.why, Why::Disputed { .. }), "{:?}", ended.why);
}
