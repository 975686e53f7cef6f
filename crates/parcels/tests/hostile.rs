//! Strangers on a line: nothing they send is taken for what it is not, makes a link fail, or fills its memory.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test may fail by a panic")]

use std::time::Duration;

use parcels::fast::{Cut, Parcel, Stretch};
use parcels::hello::Hears;
use parcels::slow::{self, Envelope, Letters, Receipt, Status};
use parcels::{
    Hello, Ignored, Limits, Link, MOST_MESSAGE, MOST_PIECE, MOST_WAITING, Malformed, Output, Speaker, State,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// What somebody can make a link keep: a message that is begun, bytes that came early,
/// what is said to everybody, and messages not yet taken.
const MOST_KEPT: usize = MOST_WAITING + 3 * MOST_MESSAGE + 2 * 0x1_0000 + 4200;

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
            Output::Missed(..) => {}
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

/// The first message of a line.
fn data(message: &[u8]) -> Parcel {
    let length = u32::try_from(message.len()).unwrap();
    Parcel::Data { from: 0, bytes: [&length.to_le_bytes()[..], message].concat() }
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
        let number = if rng.random_bool(0.5) { rng.random() } else { rng.random_range(0..4000) };
        let stretch =
            |rng: &mut ChaCha8Rng| Stretch { missing: rng.random_range(1..100), there: rng.random_range(1..100) };
        let parcel = match rng.random_range(0..3) {
            0 => Parcel::Receipt { next: number, at: rng.random(), later: vec![stretch(&mut rng), stretch(&mut rng)] },
            _ => Parcel::Data { from: number, bytes },
        };
        let _ = say(&mut link, &parcel);
        drain(&mut link, NOW);
        assert!(link.kept() <= MOST_KEPT);
    }
}

#[test]
fn a_repeated_parcel_or_message_counts_once() {
    let mut link = greeted();
    let parcel = data(b"once");
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
    let parcel = data(b"theirs");
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
    let far = Stretch { missing: u16::MAX, there: u16::MAX };
    for (next, later) in
        [(1, vec![]), (7, vec![]), (u32::MAX, vec![far; 6]), (0, vec![Stretch { missing: 1, there: 1 }])]
    {
        let receipt = Parcel::Receipt { next, at: 0, later };
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
    let announced = u32::try_from(MOST_MESSAGE + 1).unwrap();
    let parcel = Parcel::Data { from: 0, bytes: announced.to_le_bytes().to_vec() };
    assert_eq!(say(&mut link, &parcel), Err(Ignored::TooLong));
    assert_eq!(say(&mut link, &data(b"short")), Err(Ignored::TooLong), "nothing comes after it");
    let (written, received) = drain(&mut link, Duration::from_secs(1));
    assert!(written.is_empty() && received.is_empty() && link.kept() == 0, "and nothing is receipted");
    let long = Parcel::Data { from: 0, bytes: vec![0; 4097] };
    assert_eq!(say(&mut greeted(), &long), Err(Malformed::Long.into()), "a parcel longer than was agreed is cut off");
}

#[test]
fn more_than_fits_is_not_taken_from_the_owner_either() {
    let mut link = greeted();
    assert_eq!(link.send(vec![0; MOST_MESSAGE + 1]), Err(parcels::Refused::TooLong));
    let taken = (0..).take_while(|_| link.send(vec![0; MOST_MESSAGE]).is_ok()).count();
    assert_eq!(taken, MOST_WAITING / (MOST_MESSAGE + 4), "with the length of each");
    assert_eq!(link.send(vec![0; MOST_MESSAGE]), Err(parcels::Refused::Full));
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

#[test]
fn what_was_heard_on_one_line_does_not_count_on_another() {
    // Everything that a host says to guest 5 is replayed to guest 1, and what guest 5 says to the line of guest 1.
    let (mut guest, mut host) = (Link::guest(5, Limits::default()), Link::host(6, Limits::default()));
    guest.back(100, NOW);
    host.back(100, NOW);
    let (mut victim, mut line) = (greeted(), Link::host(2, Limits::default()));
    line.back(100, NOW);
    let first = Hello { session: 1, to: 0, heard: Hears::Nobody, limits: Limits::default() }.encode();
    line.heard(&first, NOW).unwrap();
    guest.send(b"I fold".to_vec()).unwrap();
    host.send(vec![7; 1000]).unwrap();
    let (mut got, mut replayed) = (Vec::new(), 0);
    for second in 0..20 {
        let now = Duration::from_secs(second);
        for piece in drain(&mut guest, now).0 {
            replayed += 1;
            assert!(line.heard(&piece, now).is_err(), "{piece:?}");
            let _ = host.heard(&piece, now);
        }
        let (pieces, messages) = drain(&mut host, now);
        got.extend(messages);
        for piece in pieces {
            replayed += 1;
            assert!(victim.heard(&piece, now).is_err(), "{piece:?}");
            let _ = guest.heard(&piece, now);
        }
        assert!(drain(&mut victim, now).1.is_empty() && drain(&mut line, now).1.is_empty());
    }
    assert!(got == [b"I fold"] && replayed > 10 && guest.is_done() && host.is_done());
}

#[test]
fn a_flood_of_hellos_takes_no_line_away() {
    let mut host = Link::host(2, Limits::default());
    host.back(100, NOW);
    let hello = |session| Hello { session, to: 0, heard: Hears::Nobody, limits: Limits::default() }.encode();
    host.heard(&hello(1), NOW).unwrap();
    assert_eq!(host.other(), Some(1));
    for session in 2..5000 {
        assert_eq!(host.heard(&hello(session), NOW), Err(Ignored::OtherSession));
    }
    let (written, _) = drain(&mut host, NOW);
    assert_eq!((host.other(), written.len()), (Some(1), 1), "only the first is answered");
    assert_eq!(host.kept(), 0);
}

#[test]
fn an_answer_to_another_hello_does_not_steal_the_line() {
    let mut link = link();
    let answer = |to| Hello { session: 9, to, heard: Hears::You, limits: Limits::default() }.encode();
    assert_eq!(link.heard(&answer(7), NOW), Err(Ignored::OtherSession));
    assert_eq!(link.heard(&hello(2), NOW), Ok(()));
    assert_eq!(link.heard(&answer(1), NOW), Err(Ignored::OtherSession), "the first answer counts");
    assert_eq!(link.other(), Some(2));
}

#[test]
fn a_line_that_is_half_open_sends_only_hellos() {
    // A guest that says hello and hears nothing, or pretends to: no message is sent to it.
    let mut host = Link::host(2, Limits::default());
    host.back(100, NOW);
    host.send(b"a card".to_vec()).unwrap();
    let deaf = Hello { session: 1, to: 0, heard: Hears::Nobody, limits: Limits::default() }.encode();
    host.heard(&deaf, NOW).unwrap();
    let mut said = Vec::new();
    for second in 0..60 {
        said.extend(drain(&mut host, Duration::from_secs(second)).0);
    }
    assert!(!said.is_empty() && said.len() <= 61 && said.iter().all(|piece| Hello::decode(piece).is_ok()));
    assert!(!host.is_done());
}

#[test]
fn requests_for_what_was_never_said_get_nothing() {
    let mut speaker = Speaker::new(7);
    for number in 0..5000_u32 {
        speaker.again(number.wrapping_mul(1 << 20), u16::MAX, NOW);
    }
    assert_eq!(speaker.poll(NOW), Err(None));
    // A guest hears no such request, and nothing for everybody from another line.
    let mut link = greeted();
    assert!(say(&mut link, &Parcel::Again { from: 0, length: 9 }).is_err());
    let shared = Parcel::Shared { session: 9, from: 0, bytes: b"x".to_vec() };
    assert!(say(&mut link, &shared).is_err());
    assert!(drain(&mut link, NOW).0.is_empty());
}

#[test]
fn noise_for_everybody_is_kept_small_and_never_a_message() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut link = greeted();
    for _ in 0..5000 {
        let mut bytes = vec![0; rng.random_range(1..400)];
        rng.fill(&mut bytes[..]);
        let shared = Parcel::Shared { session: rng.random_range(1..3), from: rng.random::<u32>() >> 8, bytes };
        let piece = Cut::new(parcels::speaker::TAG, shared.encode(0)).next(MOST_PIECE).unwrap();
        link.heard(&piece, NOW).unwrap();
        assert!(drain(&mut link, NOW).1.is_empty() && link.kept() <= MOST_KEPT);
    }
}
