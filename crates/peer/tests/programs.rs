//! Programs at a table, from the first join to the signed result, as a program drives them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

use games::AnyGame;
use games::ongdu::Ongdu;
use peer::{Begun, Effect, Entry, Fresh, Guest, Heard, Hub, News, Private, Seated, TableKey};
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use results::{Secret, Verdict};
use table::{Moves as _, Rules as _};

fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

fn fresh(rng: &mut ChaCha20Rng) -> Fresh {
    let mut fresh = Fresh { nonce: [0; 24], aux: [0; 32] };
    rng.fill_bytes(&mut fresh.nonce);
    rng.fill_bytes(&mut fresh.aux);
    fresh
}

/// Everybody's envelopes go into the log and are heard by everybody.
fn settle(hub: &mut Hub, guests: &mut [Guest], rng: &mut ChaCha20Rng) -> Vec<(Begun, Heard)> {
    let mut begun = Vec::new();
    while let Some(envelope) = guests.iter_mut().find_map(|guest| guest.write(&fresh(rng))) {
        let entry = hub.order(envelope, 1_700_000_000_000, &[0; 32]).unwrap();
        hub.adopt(&entry).unwrap();
        for guest in &mut *guests {
            match guest.hear(&entry).unwrap() {
                News::Lobby(_, effect) => assert_eq!(effect, Ok(())),
                News::Begun(match_, heard) => begun.push((*match_, heard)),
            }
        }
    }
    begun
}

#[test]
fn programs_join_start_play_and_sign() {
    let rng = &mut ChaCha20Rng::from_seed([3; 32]);
    let key = TableKey::new([7; 32]);
    let mut hub = Hub::new(key.table(), key.access().public(), secret(100));
    let mut guests: Vec<Guest> = Vec::new();
    for number in 1..=4_u8 {
        // The last one watches.
        let identity = (number < 4).then(|| secret(50 + number));
        let private = Private::new(&[number; 32]);
        guests.push(Guest::new(key.clone(), secret(number), secret(100).public(), identity, private));
    }
    for (guest, name) in guests.iter_mut().zip(["Ada", "Blaise", "Carl", "nobody"]) {
        guest.join(name, None, [1; 32], &[0; 32]);
    }
    assert!(settle(&mut hub, &mut guests, rng).is_empty());
    assert_eq!(guests[0].lobby().joined().len(), 3);
    assert_eq!(guests[3].member().number(), None, "a spectator has no number");
    assert!(!guests[1].accept(), "nothing is on offer");
    let settings = vec![("max_rounds".to_owned(), "1".to_owned())];
    let start = guests[0].lobby().start(AnyGame::Ongdu, settings, &[0, 1, 2], None).unwrap();
    guests[0].start(start);
    assert!(settle(&mut hub, &mut guests, rng).is_empty(), "nobody has accepted");
    let accepted = guests.iter_mut().filter_map(|guest| guest.accept().then_some(())).count();
    assert_eq!(accepted, 3);
    let begun = settle(&mut hub, &mut guests, rng);
    assert_eq!(begun.len(), 4);
    let mut seated: Vec<Seated<Ongdu>> =
        guests.into_iter().zip(begun).map(|(guest, (begun, heard))| guest.sit(begun, &heard, 0).unwrap()).collect();
    let mut log: Vec<Entry> = Vec::new();
    loop {
        for peer in &mut seated {
            let session = peer.session();
            if let Some(seat) = session.is_asked() {
                let picked = session.table().unwrap().rules().moves(session.known().unwrap(), seat).pick(rng).unwrap();
                assert!(peer.decide(picked));
            }
        }
        let Some(envelope) = seated.iter_mut().find_map(|peer| peer.write(&fresh(rng))) else { break };
        let entry = hub.order(envelope, 1_700_000_001_000, &[0; 32]).unwrap();
        hub.adopt(&entry).unwrap();
        for peer in &mut seated {
            let (_, effect) = peer.hear(&entry, 0).unwrap();
            assert!(!matches!(effect, Effect::Fault(_)), "{effect:?}");
        }
        log.push(entry);
    }
    for peer in &seated {
        let ended = peer.session().ended().unwrap();
        assert!(ended.is_complete());
        assert_eq!(*ended.result().unwrap().clone().check().verdict(), Verdict::Complete);
    }
}
