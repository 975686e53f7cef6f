//! Frames between two programs through a relay, each once and in order, whatever the relay does.
//!
//! A relay may lose, repeat, delay and reorder events, and it limits how many somebody may send. So frames are cut into
//! numbered *segments*, as many as fit travel in one *packet*, and every packet says which segments have arrived. What is
//! not acknowledged in time is sent again. A packet is the content of one event; the events are signed, so nobody but
//! the two ends can put anything into a line.
//!
//! ```text
//! packet    version u8 · line u64 · next u32 · ahead u32 · segments            numbers are little-endian
//! segment   number u32 · last u8 · length u16 · bytes
//! ```
//!
//! *Line* is a random number that the guest chose for this line; *next* the first segment that has not arrived, and bit
//! *i* of *ahead* says whether segment *next + 1 + i* has. *Last* is 1 in the last segment of a frame. An empty frame means
//! that the other end is closed.
//!
//! A [`Line`] has no clock: it is told what was heard and what time it is, and says what to send.

use core::fmt;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The longest frame.
pub const MOST_FRAME: usize = 1 << 20;
/// The longest segment.
const MOST_SEGMENT: usize = 16 << 10;
/// How long the segments of a packet are together, at most: in base64 that is less than relays take.
const MOST_PACKET: usize = 32 << 10;
/// How many segments may be on their way.
const WINDOW: u32 = 32;
/// Version, line, next, ahead.
const HEADER: usize = 1 + 8 + 4 + 4;
/// Number, last, length.
const SEGMENT_HEADER: usize = 4 + 1 + 2;
const VERSION: u8 = 1;

/// Packets are at least this far apart: relays count events.
pub const PACE: Duration = Duration::from_millis(100);
/// How long an acknowledgement waits for something to travel with.
const ACKNOWLEDGE: Duration = Duration::from_millis(300);
/// How long a segment waits for its acknowledgement, before anything was measured, and at most.
const FIRST_PATIENCE: Duration = Duration::from_secs(3);
const LEAST_PATIENCE: Duration = Duration::from_millis(800);
const MOST_PATIENCE: Duration = Duration::from_secs(20);
/// How often an idle line says that it is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);

/// One end of a line.
#[derive(Debug)]
pub struct Line {
    id: u64,
    /// Segments that have not been acknowledged, by their number; those after [`WINDOW`] wait.
    outgoing: VecDeque<Outgoing>,
    /// The number of the first of them.
    first: u32,
    unsent: usize,
    /// The number of the next segment that is awaited, and those that came before their turn.
    next: u32,
    ahead: BTreeMap<u32, Segment>,
    /// The frame that has arrived in part.
    partial: Vec<u8>,
    received: VecDeque<Vec<u8>>,
    /// When something must be said: an acknowledgement or a sign of life.
    say_by: Duration,
    /// Before this, no packet is sent.
    not_before: Duration,
    patience: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Segment {
    last: bool,
    bytes: Vec<u8>,
}

#[derive(Debug)]
struct Outgoing {
    segment: Segment,
    /// When it was last sent, and how often.
    sent: Option<(Duration, u32)>,
    arrived: bool,
}

/// What a line wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// An event with this content.
    Send(String),
    /// This frame has arrived.
    Received(Vec<u8>),
    /// Nothing until then, unless something is heard or sent.
    Wait(Duration),
}

/// Why something that was heard is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ignored {
    /// It is no packet.
    Malformed,
    /// It belongs to another line.
    OtherLine,
    /// A frame would be longer than [`MOST_FRAME`]; the line is of no use any more.
    TooLong,
}

/// A frame longer than [`MOST_FRAME`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

/// What somebody with several lines must know of a packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glance {
    /// The line to which it belongs.
    pub line: u64,
    /// Whether its author has not received anything on this line, so that it may be a new one.
    pub fresh: bool,
    /// A packet that ends the line, for one that is not new and not known: its other end was lost with a program.
    pub hang_up: String,
}

/// Looks at a packet without taking it.
pub fn glance(content: &str) -> Option<Glance> {
    let packet = Packet::read(content)?;
    let end = Segment { last: true, bytes: Vec::new() };
    // It is the very segment that is awaited there, so nothing else has to arrive before it.
    let hang_up = Packet { line: packet.line, next: 0, ahead: 0, segments: vec![(packet.next, end)] };
    Some(Glance { line: packet.line, fresh: packet.next == 0, hang_up: hang_up.write() })
}

impl Line {
    /// A new line with this number. Both ends say something at once, so each knows that the other is there.
    pub fn new(id: u64) -> Self {
        Self {
            id,
            outgoing: VecDeque::new(),
            first: 0,
            unsent: 0,
            next: 0,
            ahead: BTreeMap::new(),
            partial: Vec::new(),
            received: VecDeque::new(),
            say_by: Duration::ZERO,
            not_before: Duration::ZERO,
            patience: FIRST_PATIENCE,
        }
    }

    /// Sends a frame.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), TooLong> {
        if frame.len() > MOST_FRAME {
            return Err(TooLong);
        }
        self.unsent += frame.len();
        let mut pieces = frame.chunks(MOST_SEGMENT).peekable();
        if pieces.peek().is_none() {
            self.put(Vec::new(), true);
        }
        while let Some(piece) = pieces.next() {
            let last = pieces.peek().is_none();
            self.put(piece.to_vec(), last);
        }
        Ok(())
    }

    fn put(&mut self, bytes: Vec<u8>, last: bool) {
        self.outgoing.push_back(Outgoing { segment: Segment { last, bytes }, sent: None, arrived: false });
    }

    /// How many bytes have not been acknowledged.
    pub const fn unsent(&self) -> usize {
        self.unsent
    }

    /// Whether everything that was sent has arrived.
    pub fn is_done(&self) -> bool {
        self.outgoing.is_empty()
    }

    /// Hears the content of an event of the other end.
    pub fn heard(&mut self, content: &str, now: Duration) -> Result<(), Ignored> {
        let packet = Packet::read(content).ok_or(Ignored::Malformed)?;
        if packet.line != self.id {
            return Err(Ignored::OtherLine);
        }
        // An acknowledgement of something that was never sent is as wrong as any other nonsense.
        let acknowledged = packet.next.wrapping_sub(self.first);
        let sent = self.outgoing.iter().take_while(|one| one.sent.is_some()).count();
        if usize::try_from(acknowledged).is_ok_and(|count| count <= sent) {
            self.acknowledge(&packet, now);
        }
        for (number, segment) in packet.segments {
            self.say_by = self.say_by.min(now + ACKNOWLEDGE);
            let distance = number.wrapping_sub(self.next);
            if distance < WINDOW {
                self.ahead.insert(number, segment);
            }
        }
        while let Some(segment) = self.ahead.remove(&self.next) {
            self.next = self.next.wrapping_add(1);
            if self.partial.len() + segment.bytes.len() > MOST_FRAME {
                return Err(Ignored::TooLong);
            }
            self.partial.extend_from_slice(&segment.bytes);
            if segment.last {
                self.received.push_back(core::mem::take(&mut self.partial));
            }
        }
        Ok(())
    }

    fn acknowledge(&mut self, packet: &Packet, now: Duration) {
        while self.first != packet.next {
            let Some(gone) = self.outgoing.pop_front() else { break };
            self.first = self.first.wrapping_add(1);
            self.arrived(&gone, now);
        }
        for (bit, one) in (0..WINDOW).zip(self.outgoing.iter_mut().skip(1)) {
            one.arrived |= one.sent.is_some() && packet.ahead & (1_u32 << bit.min(31)) != 0;
        }
    }

    fn arrived(&mut self, gone: &Outgoing, now: Duration) {
        self.unsent = self.unsent.saturating_sub(gone.segment.bytes.len());
        // What was sent several times says nothing about how long it takes (Karn).
        if let Some((at, 1)) = gone.sent {
            let measured = now.saturating_sub(at) * 2 + ACKNOWLEDGE;
            self.patience = ((self.patience * 7 + measured) / 8).clamp(LEAST_PATIENCE, MOST_PATIENCE);
        }
    }

    /// What there is to do now. Ask again until it says [`Output::Wait`].
    pub fn poll(&mut self, now: Duration) -> Output {
        if let Some(frame) = self.received.pop_front() {
            return Output::Received(frame);
        }
        let due = self.due(now).min(self.say_by);
        let due = due.max(self.not_before);
        if due > now {
            return Output::Wait(due);
        }
        self.not_before = now + PACE;
        self.say_by = now + SIGN_OF_LIFE;
        Output::Send(self.packet(now).write())
    }

    /// When the first segment must be sent, or sent again.
    fn due(&self, now: Duration) -> Duration {
        let window = self.window().filter(|one| !one.arrived);
        window.map(|one| one.sent.map_or(now, |sent| self.again(sent))).min().unwrap_or(Duration::MAX)
    }

    fn again(&self, (at, times): (Duration, u32)) -> Duration {
        at + (self.patience * 2_u32.pow(times.saturating_sub(1).min(4))).min(MOST_PATIENCE)
    }

    fn window(&self) -> impl Iterator<Item = &Outgoing> {
        self.outgoing.iter().take(usize::try_from(WINDOW).unwrap_or(usize::MAX))
    }

    fn packet(&mut self, now: Duration) -> Packet {
        let ahead = self.ahead.keys().map(|number| number.wrapping_sub(self.next)).filter(|after| *after > 0);
        let ahead = ahead.filter(|after| *after <= 32).fold(0, |bits, after| bits | 1_u32 << (after - 1));
        let mut packet = Packet { line: self.id, next: self.next, ahead, segments: Vec::new() };
        let mut room = MOST_PACKET;
        let due: Vec<bool> =
            self.window().map(|one| !one.arrived && one.sent.is_none_or(|sent| self.again(sent) <= now)).collect();
        for ((index, one), due) in (0..).zip(self.outgoing.iter_mut()).zip(due) {
            if !due {
                continue;
            }
            let Some(left) = room.checked_sub(one.segment.bytes.len() + SEGMENT_HEADER) else { break };
            room = left;
            one.sent = Some((now, one.sent.map_or(0, |(_, times)| times) + 1));
            packet.segments.push((self.first.wrapping_add(index), one.segment.clone()));
        }
        packet
    }
}

#[derive(Debug)]
struct Packet {
    line: u64,
    next: u32,
    ahead: u32,
    segments: Vec<(u32, Segment)>,
}

impl Packet {
    fn write(&self) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.line.to_le_bytes());
        bytes.extend(self.next.to_le_bytes());
        bytes.extend(self.ahead.to_le_bytes());
        for (number, Segment { last, bytes: piece }) in &self.segments {
            bytes.extend(number.to_le_bytes());
            bytes.push(u8::from(*last));
            bytes.extend(u16::try_from(piece.len()).unwrap_or(u16::MAX).to_le_bytes());
            bytes.extend(piece);
        }
        STANDARD.encode(bytes)
    }

    fn read(content: &str) -> Option<Self> {
        if content.len() > (HEADER + MOST_PACKET) * 3 / 2 {
            return None;
        }
        let bytes = STANDARD.decode(content).ok()?;
        let rest = bytes.strip_prefix(&[VERSION])?;
        let (line, rest) = rest.split_first_chunk::<8>()?;
        let (next, rest) = rest.split_first_chunk::<4>()?;
        let (ahead, mut rest) = rest.split_first_chunk::<4>()?;
        let mut segments = Vec::new();
        while !rest.is_empty() {
            let (number, after) = rest.split_first_chunk::<4>()?;
            let (last, after) = after.split_first()?;
            let (length, after) = after.split_first_chunk::<2>()?;
            let (piece, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
            let fits = *last <= 1 && piece.len() <= MOST_SEGMENT;
            let segment = Segment { last: *last == 1, bytes: piece.to_vec() };
            segments.push((u32::from_le_bytes(*number), fits.then_some(segment)?));
            rest = after;
        }
        let [next, ahead] = [next, ahead].map(|bytes| u32::from_le_bytes(*bytes));
        Some(Self { line: u64::from_le_bytes(*line), next, ahead, segments })
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "it is no packet",
            Self::OtherLine => "it belongs to another line",
            Self::TooLong => "a frame is too long",
        })
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a frame has at most {MOST_FRAME} bytes")
    }
}

impl std::error::Error for Ignored {}
impl std::error::Error for TooLong {}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
