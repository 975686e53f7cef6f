//! Two lines with a bad relay between them.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::*;

const TICK: Duration = Duration::from_millis(50);

/// A relay that loses, doubles and delays what it is given.
struct Bad {
    rng: ChaCha8Rng,
    /// How many of a hundred are lost, and doubled.
    lost: u32,
    doubled: u32,
    /// Up to how many ticks something is on its way.
    late: u64,
    on_the_way: Vec<(Duration, usize, String)>,
}

impl Bad {
    fn new(seed: u64, lost: u32, doubled: u32, late: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), lost, doubled, late, on_the_way: Vec::new() }
    }

    fn take(&mut self, to: usize, content: &str, now: Duration) {
        if self.rng.random_range(0..100) < self.lost {
            return;
        }
        let times = if self.rng.random_range(0..100) < self.doubled { 2 } else { 1 };
        for _ in 0..times {
            let delay = TICK * u32::try_from(self.rng.random_range(1..=self.late)).unwrap();
            self.on_the_way.push((now + delay, to, content.to_owned()));
        }
    }

    fn arriving(&mut self, now: Duration) -> Vec<(usize, String)> {
        let (here, later) = std::mem::take(&mut self.on_the_way).into_iter().partition(|(at, ..)| *at <= now);
        self.on_the_way = later;
        let here: Vec<(Duration, usize, String)> = here;
        here.into_iter().map(|(_, to, content)| (to, content)).collect()
    }
}

/// Sends frames both ways; returns what arrived at each end, how long it took, and how many packets there were.
fn exchange(bad: &mut Bad, frames: &[Vec<Vec<u8>>; 2]) -> ([Vec<Vec<u8>>; 2], Duration, usize) {
    let mut lines = [Line::new(7), Line::new(7)];
    for (line, frames) in lines.iter_mut().zip(frames) {
        frames.iter().for_each(|frame| line.send(frame).unwrap());
    }
    let mut arrived = [Vec::new(), Vec::new()];
    let (mut now, mut packets) = (Duration::ZERO, 0);
    while lines.iter().any(|line| !line.is_done()) {
        for (to, content) in bad.arriving(now) {
            lines[to].heard(&content, now).unwrap();
        }
        for (index, line) in lines.iter_mut().enumerate() {
            loop {
                match line.poll(now) {
                    Output::Send(content) => {
                        packets += 1;
                        assert!(content.len() < 45_000, "{}", content.len());
                        bad.take(1 - index, &content, now);
                    }
                    Output::Received(frame) => arrived[index].push(frame),
                    Output::Wait(until) => {
                        assert!(until > now);
                        break;
                    }
                }
            }
        }
        now += TICK;
        assert!(now < Duration::from_secs(36_000), "it never ends");
    }
    (arrived, now, packets)
}

fn frames(rng: &mut ChaCha8Rng, count: usize, most: usize) -> Vec<Vec<u8>> {
    let mut frame = || {
        let length = rng.random_range(0..most);
        (0..length).map(|_| rng.random()).collect()
    };
    (0..count).map(|_| frame()).collect()
}

#[test]
fn nothing_is_lost_doubled_or_changed_whatever_the_relay_does() {
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let both = [frames(&mut rng, 400, 600), frames(&mut rng, 100, 40_000)];
        let mut bad = Bad::new(seed, 30, 20, 40);
        let ([first, second], ..) = exchange(&mut bad, &both);
        assert!(second == both[0] && first == both[1], "seed {seed}");
    }
}

#[test]
fn many_small_frames_need_few_events() {
    let small = vec![vec![1; 100]; 300];
    let mut good = Bad::new(1, 0, 0, 2);
    let ([_, second], _, packets) = exchange(&mut good, &[small.clone(), Vec::new()]);
    assert_eq!(second, small);
    assert!(packets <= 60, "{packets} packets for 300 frames");
}

#[test]
fn a_line_in_peace_says_only_now_and_then_that_it_is_there() {
    let mut line = Line::new(1);
    let mut packets = 0;
    for second in 0..600 {
        if matches!(line.poll(Duration::from_secs(second)), Output::Send(_)) {
            packets += 1;
        }
    }
    assert!((28..=32).contains(&packets), "{packets}");
}

#[test]
fn nonsense_and_other_lines_change_nothing() {
    let mut line = Line::new(7);
    line.send(b"hello").unwrap();
    let Output::Send(mine) = line.poll(Duration::ZERO) else { panic!("nothing to send") };
    let other = Packet { line: 8, next: 1, ahead: 0, segments: Vec::new() }.write();
    let never_sent = Packet { line: 7, next: 2, ahead: 0, segments: Vec::new() }.write();
    let far = Segment { last: true, bytes: vec![1] };
    let far = Packet { line: 7, next: 0, ahead: 0, segments: vec![(WINDOW, far)] }.write();
    let now = Duration::from_secs(1);
    assert_eq!(line.heard(&other, now), Err(Ignored::OtherLine));
    for nonsense in ["", "x", "AQ==", &mine[..mine.len() - 4], &"A".repeat(90_000)] {
        assert_eq!(line.heard(nonsense, now), Err(Ignored::Malformed), "{nonsense}");
    }
    line.heard(&never_sent, now).unwrap();
    line.heard(&far, now).unwrap();
    assert!(!line.is_done() && line.ahead.is_empty());
    let acknowledged = Packet { line: 7, next: 1, ahead: 0, segments: Vec::new() }.write();
    line.heard(&acknowledged, now).unwrap();
    assert!(line.is_done());
    assert_eq!(glance(&mine).map(|glance| (glance.line, glance.fresh)), Some((7, true)));
    assert_eq!(glance("nonsense"), None);
}

#[test]
fn a_line_whose_other_end_was_lost_is_hung_up() {
    let (mut guest, mut host) = (Line::new(7), Line::new(7));
    let mut now = Duration::ZERO;
    host.send(b"welcome").unwrap();
    let Output::Send(packet) = host.poll(now) else { panic!("nothing to send") };
    guest.heard(&packet, now).unwrap();
    assert_eq!(guest.poll(now), Output::Received(b"welcome".to_vec()));
    guest.send(b"hello").unwrap();
    now += Duration::from_secs(1);
    let Output::Send(packet) = guest.poll(now) else { panic!("nothing to send") };
    // A new program knows nothing of this line.
    let glance = glance(&packet).unwrap();
    assert!(!glance.fresh);
    guest.heard(&glance.hang_up, now).unwrap();
    assert_eq!(guest.poll(now), Output::Received(Vec::new()));
}

#[test]
fn a_frame_that_never_ends_is_given_up() {
    let mut line = Line::new(7);
    let mut number = 0;
    let ended = loop {
        let segment = Segment { last: false, bytes: vec![0; MOST_SEGMENT] };
        let packet = Packet { line: 7, next: 0, ahead: 0, segments: vec![(number, segment)] };
        number += 1;
        match line.heard(&packet.write(), Duration::ZERO) {
            Ok(()) => assert!(number < 100),
            Err(why) => break why,
        }
    };
    assert_eq!(ended, Ignored::TooLong);
    assert_eq!(line.send(&vec![0; MOST_FRAME + 1]), Err(TooLong));
}

#[test]
fn the_bytes_of_a_packet_are_these() {
    let segment = Segment { last: true, bytes: b"hi".to_vec() };
    let packet = Packet { line: 0x0102_0304_0506_0708, next: 3, ahead: 1, segments: vec![(9, segment)] };
    assert_eq!(packet.write(), "AQgHBgUEAwIBAwAAAAEAAAAJAAAAAQIAaGk=");
}
