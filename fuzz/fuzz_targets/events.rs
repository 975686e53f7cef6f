//! Everything that a relay brings: messages, events, results, boards, offers, gifts, addresses and packets. What is read
//! can be written and read again, and no line keeps more than it may.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use relays::address::Through;
use relays::encrypted::Shared;
use relays::line::{Line, Output};
use relays::offer::{Invitation, Offer};
use relays::{Draft, Event, FromRelay, Kind, RelayUrl, board, gift, result};
use results::Secret;

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    if kind % 8 == 7 {
        return hear(bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let secret = Secret::from_bytes(&[7; 32]).expect("a key");
    // A signature is nothing that is found by chance.
    let signed = |kind: Kind, tags: Vec<Vec<String>>| {
        let event = Draft { at: 1_766_932_200, kind, tags, content: text.to_owned() }.sign(&secret, &[0; 32]);
        let written = event.text();
        if written.len() <= relays::event::MOST_EVENT {
            assert_eq!(Event::parse(&written).as_ref(), Ok(&event));
        }
        event
    };
    let relay: RelayUrl = "wss://relay.example.org".parse().expect("an address");
    match kind % 8 {
        0 => {
            if let Ok(FromRelay::Event { event, .. }) = FromRelay::parse(text) {
                assert_eq!(Event::parse(&event.text()), Ok(*event));
            }
        }
        1 => drop(Event::parse(text)),
        2 => {
            let mark = results::Signed::parse(bytes).map(|signed| result::mark(&signed).to_string());
            let event = signed(Kind::RESULT, vec![vec!["d".to_owned(), mark.clone().unwrap_or_default()]]);
            assert_eq!(result::read(&event).is_ok(), mark.is_ok());
        }
        3 => drop(board::read(&signed(Kind::BOARD, vec![vec!["d".to_owned(), "poker".to_owned()]]))),
        4 => {
            let tags = [("d", "07".repeat(32)), ("expiration", "1766932300".to_owned())];
            let tags = tags.map(|(name, value)| vec![name.to_owned(), value]).to_vec();
            if let Ok((offer, through)) = Offer::read(&signed(Kind::OFFER, tags), &relay, 1_766_932_250) {
                let again = offer.write(1_766_932_200, 1_766_932_300).sign(&secret, &[0; 32]);
                assert_eq!(Offer::read(&again, &relay, 1_766_932_250), Ok((offer, through)));
            }
        }
        5 => {
            let shared = Shared::new(&secret, &secret.public()).expect("a point");
            let _ = shared.decrypt(text);
            let gift = signed(Kind::GIFT, Vec::new());
            let _ = (gift::open(&gift, &secret), Invitation::read(&gift, &secret, 0));
        }
        _ => {
            if let Ok(relay) = text.parse::<RelayUrl>() {
                assert_eq!(relay.to_string().parse(), Ok(relay));
            }
            if let Ok(through) = text.parse::<Through>() {
                assert_eq!(through.to_string().parse(), Ok(through));
            }
        }
    }
});

/// A line hears packets: each is a length, a time to wait and so many bytes, in base64 as they travel.
fn hear(mut bytes: &[u8]) {
    use base64::Engine as _;
    let mut now = Duration::ZERO;
    let mut line = Line::new(0);
    let _ = line.send(b"a frame");
    while let Some(([length, wait], rest)) = bytes.split_first_chunk() {
        let (piece, rest) = rest.split_at(rest.len().min(usize::from(*length)));
        bytes = rest;
        now += Duration::from_millis(u64::from(*wait) * 100);
        let mut packet = vec![1, 0, 0, 0, 0, 0, 0, 0, 0];
        packet.extend_from_slice(piece);
        let _ = line.heard(&base64::engine::general_purpose::STANDARD.encode(packet), now);
        while !matches!(line.poll(now), Output::Wait(_)) {}
        assert!(line.unsent() <= 7);
    }
}
