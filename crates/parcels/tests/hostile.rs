//! Strangers on a line: nothing they send is taken for what it is not, makes a link fail, or fills its memory.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test may fail by a panic")]

use std::time::Duration;

use parcels::fast::{Cut, Parcel};
use parcels::hello::Hears;
use parcels::slow::{self, Envelope, Letters, Receipt, Status};
use parcels::{Hello, Ignored, Limits, Link, MOST_MESSAGE, MOST_PIECE, MOST_WAITING, Malformed, Output, State};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// What somebody can make a link keep: a message that is begun, parcels that came early, and messages not yet taken.
const MOST_KEPT: usize = MOST_WAITING + 2 * MOST_MESSAGE + 32 * 4200;

const NOW: Duration = Duration::ZERO;

fn link() -> Link {
    let mut link = Link::guest(1, Limits::default());
    link.back(20, NOW);
    link
}

/// Polls until the link waits; returns what it writes and what it received.
fn drain(link: &mut Link, now: Duration) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut written, mut received) = (Vec::new(), Vec::new());
    loop {
        match link.poll(now) {
            Output::Write(piece) => written.push(piece),
            Output::Received(message) => received.push(message),
            Output::Wait(_) => return (written, received),
        }
    }
}

fn hello(session: u32) -> Vec<u8> {
    Hello { session, to: 1, heard: Hears::Both, limits: Limits::default() }.encode()
}

/// A link that has been greeted by session 2.
fn greeted() -> Link {
    let mut link = link();
    link.heard(&hello(2), NOW).unwrap();
    drain(&mut link, NOW);
    assert_eq!(link.state(), State::Fast);
    link
}

/// Says a parcel as session 2; returns what the link thinks of its last piece.
fn say(link: &mut Link, parcel: &Parcel) -> Result<(), Ignored> {
    let mut cut = Cut::new(1, parcel.encode(2));
    let mut last = Ok(());
    while let Some(piece) = cut.next(MOST_PIECE) {
        last = link.heard(&piece, NOW);
    }
    last
}

#[test]
fn garbage_is_ignored_in_every_state() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for mut link in [link(), greeted(), slow()] {
        link.send(b"keep me".to_vec()).unwrap();
        let mut now = NOW;
        for _ in 0..20_000 {
            let mut piece = vec![0; rng.random_range(0..=MOST_PIECE + 1)];
            rng.fill(&mut piece[..]);
            // Much of it begins like something.
            let like: &[&[u8]] =
                &[b"", b"\xfdH\0\0", b"{", b"AA\0\x01", b"\x80\x01\x01", b"\xc0\x01\x02", b"{\"msg_id\":\"AA\""];
            let mut all = like[rng.random_range(0..like.len())].to_vec();
            all.append(&mut piece);
            let _ = link.heard(&all, now);
            now += Duration::from_millis(rng.random_range(0..700));
            let (_, received) = drain(&mut link, now);
            assert!(received.is_empty(), "nobody has sent anything");
            assert!(link.kept() <= MOST_KEPT, "{} bytes", link.kept());
        }
    }
}

#[test]
fn garbage_in_right_parcels_is_a_message_and_nothing_else() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut link = greeted();
    for _ in 0..5000 {
        let mut bytes = vec![0; rng.random_range(0..100)];
        rng.fill(&mut bytes[..]);
        let number = if rng.random_bool(0.5) { rng.random() } else { rng.random_range(0..40) };
        let parcel = match rng.random_range(0..3) {
            0 => Parcel::Receipt { next: number, later: rng.random() },
            kind => Parcel::Data { number, last: kind == 1, bytes },
        };
        let _ = say(&mut link, &parcel);
        drain(&mut link, NOW);
        assert!(link.kept() <= MOST_KEPT);
    }
}

#[test]
fn a_repeated_parcel_or_message_counts_once() {
    let mut link = greeted();
    let parcel = Parcel::Data { number: 0, last: true, bytes: b"once".to_vec() };
    let mut received = Vec::new();
    for _ in 0..100 {
        assert_eq!(say(&mut link, &parcel), Ok(()));
        received.append(&mut drain(&mut link, NOW).1);
    }
    assert_eq!(received, [b"once"]);

    let mut link = slow();
    let envelope = &Envelope::of("a", b"once")[0];
    let mut received = Vec::new();
    for number in 0..50 {
        // The same envelope, each time as another message.
        for parcel in slow::cut(Letters::of(number), &envelope.encode()).unwrap() {
            assert_eq!(link.heard(&parcel, Duration::from_secs(number.into())), Ok(()));
        }
        received.append(&mut drain(&mut link, Duration::from_secs(number.into())).1);
    }
    assert_eq!(received, [b"once"]);
}

#[test]
fn a_parcel_of_another_session_or_from_before_the_hello_does_not_count() {
    let mut link = greeted();
    let parcel = Parcel::Data { number: 0, last: true, bytes: b"theirs".to_vec() };
    let piece = Cut::new(1, parcel.encode(3)).next(100).unwrap();
    assert_eq!(link.heard(&piece, NOW), Err(Malformed::Checksum.into()));
    assert_eq!(link.heard(&hello(3), NOW), Err(Ignored::OtherSession));
    let own = Cut::new(1, parcel.encode(2)).next(100).unwrap();
    link.cut();
    assert_eq!(link.heard(&own, NOW), Err(Ignored::Early), "the line is cut");
    link.back(20, NOW);
    assert_eq!(link.heard(&own, NOW), Err(Ignored::Early), "nobody has said hello yet");
    assert_eq!(link.heard(&hello(2), NOW), Ok(()));
    assert_eq!(link.heard(&own, NOW), Ok(()));
    assert_eq!(drain(&mut link, NOW).1, [b"theirs"]);
}

#[test]
fn an_end_that_has_begun_anew_ends_the_link() {
    let mut link = greeted();
    link.back(20, NOW);
    assert_eq!(link.heard(&hello(3), NOW), Ok(()));
    assert_eq!(link.state(), State::Ended);
    assert_eq!(link.heard(&hello(2), NOW), Err(Ignored::OtherSession));
    link.send(b"nobody hears this".to_vec()).unwrap();
    assert_eq!(link.poll(NOW), Output::Wait(None));
}

#[test]
fn what_a_host_says_to_another_guest_does_not_count() {
    let mut link = link();
    let other = Hello { session: 2, to: 9, heard: Hears::You, limits: Limits::default() }.encode();
    let anybody = Hello { session: 2, to: 0, heard: Hears::Nobody, limits: Limits::default() }.encode();
    assert_eq!(link.heard(&other, NOW), Err(Ignored::OtherSession));
    assert_eq!(link.heard(&anybody, NOW), Err(Ignored::OtherSession));
    assert_eq!(link.state(), State::Waiting);
    assert_eq!(link.heard(&hello(2), NOW), Ok(()));
}

#[test]
fn receipts_for_what_was_not_sent_take_nothing_away() {
    let mut link = greeted();
    link.send(b"mine".to_vec()).unwrap();
    for receipt in [(1, 0), (7, 0), (u32::MAX, u32::MAX), (0, 1)] {
        let receipt = Parcel::Receipt { next: receipt.0, later: receipt.1 };
        assert_eq!(say(&mut link, &receipt), Err(Ignored::NotSent), "{receipt:?}");
    }
    let written = drain(&mut link, NOW).0;
    assert!(!written.is_empty() && !link.is_done());

    let mut link = slow();
    link.send(b"mine".to_vec()).unwrap();
    for (number, status) in [(0, Status::Complete), (0, Status::Missing(vec![9])), (5, Status::ChecksumFailed)] {
        let receipt = Receipt { letters: Letters::of(number), status }.encode();
        assert_eq!(link.heard(&receipt, NOW), Err(Ignored::NotSent));
    }
    assert!(!link.is_done());
}

#[test]
fn somebody_who_begins_much_and_ends_nothing_is_kept_small_and_forgotten() {
    let mut link = slow();
    let mut now = NOW;
    for number in 0..600 {
        // Each claims the most parcels there may be, and sends all but the last.
        let parcels = slow::cut(Letters::of(number), &vec![b'x'; slow::MOST]).unwrap();
        for parcel in parcels.iter().take(if number % 100 == 0 { 181 } else { 2 }) {
            let _ = link.heard(parcel, now);
        }
        drain(&mut link, now);
        assert!(link.kept() <= slow::MOST + 1000, "{}", link.kept());
        now += Duration::from_millis(500);
    }
    for _ in 0..100 {
        now += Duration::from_secs(5);
        drain(&mut link, now);
    }
    assert!(link.kept() < 100, "{}", link.kept());
}

#[test]
fn a_message_without_end_is_not_taken() {
    let mut link = greeted();
    let part = |number| Parcel::Data { number, last: false, bytes: vec![0; 4096] };
    let taken = (0..).take_while(|number| say(&mut link, &part(*number)).is_ok()).count();
    assert_eq!(taken, MOST_MESSAGE / 4096);
    assert!(link.kept() <= MOST_KEPT);
    let long = Parcel::Data { number: 0, last: true, bytes: vec![0; 4097] };
    assert_eq!(say(&mut greeted(), &long), Err(Malformed::Long.into()), "a parcel longer than was agreed is cut off");
}

#[test]
fn more_than_fits_is_not_taken_from_the_owner_either() {
    let mut link = greeted();
    assert_eq!(link.send(vec![0; MOST_MESSAGE + 1]), Err(parcels::Refused::TooLong));
    let taken = (0..).take_while(|_| link.send(vec![0; MOST_MESSAGE]).is_ok()).count();
    assert_eq!(taken, MOST_WAITING / MOST_MESSAGE);
    assert_eq!(link.send(vec![0]), Err(parcels::Refused::Full));
}

#[test]
fn somebody_who_only_repeats_hello_gets_one_answer_each_and_nothing_is_kept() {
    let mut link = Link::host(1, Limits::default());
    link.back(20, NOW);
    let shy = Hello { session: 2, to: 0, heard: Hears::Nobody, limits: Limits::default() }.encode();
    for second in 0..100 {
        assert_eq!(link.heard(&shy, Duration::from_secs(second)), Ok(()));
        assert_eq!(drain(&mut link, Duration::from_secs(second)).0.len(), 1);
    }
    assert_eq!(link.kept(), 0);
}

/// A link that was spoken to in Geogram's form, and has answered.
fn slow() -> Link {
    let mut link = link();
    let envelope = &Envelope::of("hi", b"hi")[0];
    for parcel in slow::cut(Letters::of(700), &envelope.encode()).unwrap() {
        link.heard(&parcel, NOW).unwrap();
    }
    assert_eq!(link.state(), State::Slow);
    drain(&mut link, NOW);
    link
}
