//! What is received: pieces without any mark become parcels, parcels become envelopes, and envelopes messages.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use super::parcel::{Header, numbered};
use super::receipt::MOST_RECEIPT;
use super::{ASK, Envelope, FORGET, PARCEL, QUIET, Receipt, Status};
use crate::crc::Crc;
use crate::{Ignored, MOST_MESSAGE, MOST_WAITING, Malformed};

/// How many envelopes are remembered, so that a repeated one is not taken twice.
const REMEMBERED: usize = 32;

/// One direction of a line.
#[derive(Debug, Default)]
pub(crate) struct Receiving {
    /// What is there of the next parcel or receipt, and when its last piece came.
    buffer: Vec<u8>,
    last: Duration,
    /// The message that is being received.
    begun: Option<Begun>,
    /// The one before.
    done: Option<Header>,
    /// The envelopes that were taken last: id and part.
    taken: VecDeque<(String, u16)>,
    /// The parts of the next message that are there.
    id: String,
    parts: Vec<u8>,
    expected: u16,
    /// Messages for the owner, and how many bytes they have.
    ready: VecDeque<Vec<u8>>,
    bytes: usize,
    /// What has to be answered.
    answer: Option<Receipt>,
}

/// A message being received.
#[derive(Debug)]
struct Begun {
    header: Header,
    parcels: BTreeMap<u16, Vec<u8>>,
    /// When the last parcel came, and when the missing ones were last asked for.
    last: Duration,
    asked: Duration,
}

/// What the pieces so far amount to.
pub(crate) enum Heard {
    /// A part of something.
    Part,
    /// The other end's receipt.
    Receipt(Receipt),
}

impl Receiving {
    /// A piece has arrived.
    pub(crate) fn heard(&mut self, piece: &[u8], now: Duration) -> Result<Heard, Ignored> {
        // What was over before this piece and was wrong is asked for again.
        let _ = self.timers(now);
        if self.buffer.is_empty() && !piece.first().is_some_and(|first| *first == b'{' || first.is_ascii_uppercase()) {
            return Err(Malformed::Unknown.into());
        }
        self.buffer.extend_from_slice(piece);
        self.last = now;
        if self.buffer.first() == Some(&b'{') {
            return self.text();
        }
        if self.buffer.len() > PARCEL {
            self.buffer.clear();
            return Err(Malformed::Long.into());
        }
        if self.buffer.len() == PARCEL || self.is_complete() {
            return self.parcel(now);
        }
        Ok(Heard::Part)
    }

    /// A receipt is over where it can be read.
    fn text(&mut self) -> Result<Heard, Ignored> {
        if self.buffer.len() > MOST_RECEIPT {
            self.buffer.clear();
            return Err(Malformed::Long.into());
        }
        if self.buffer.last() != Some(&b'}') {
            return Ok(Heard::Part);
        }
        let receipt = Receipt::decode(&core::mem::take(&mut self.buffer))?;
        Ok(Heard::Receipt(receipt))
    }

    /// Whether the message is complete if the parcel ends here: the checksum fits.
    fn is_complete(&self) -> bool {
        let fits = |header: &Header, parts: &mut dyn Iterator<Item = &[u8]>| {
            parts.fold(Crc::new(), Crc::and).value() == header.crc
        };
        match (self.part(), &self.begun) {
            (Ok(Part::Header(header, bytes)), _) if header.total == 1 => fits(&header, &mut core::iter::once(bytes)),
            (Ok(Part::Data(number, bytes)), Some(begun)) if number + 1 == begun.header.total => {
                let before = begun.parcels.range(..number).map(|(_, bytes)| bytes.as_slice());
                begun.parcels.range(..number).count() == usize::from(number)
                    && fits(&begun.header, &mut before.chain(core::iter::once(bytes)))
            }
            _ => false,
        }
    }

    /// What is in the buffer. A parcel of the message that was begun is a header if its number is the number of parcels.
    fn part(&self) -> Result<Part<'_>, Malformed> {
        let (letters, number, bytes) = numbered(&self.buffer)?;
        match &self.begun {
            Some(Begun { header, .. }) if header.letters == letters && number != header.total => {
                if number == 0 || number > header.total {
                    return Err(Malformed::Value);
                }
                Ok(Part::Data(number, bytes))
            }
            _ => Header::read(&self.buffer).map(|(header, bytes)| Part::Header(header, bytes)),
        }
    }

    /// The buffer is a whole parcel.
    fn parcel(&mut self, now: Duration) -> Result<Heard, Ignored> {
        let length = self.buffer.len();
        let part = self.part().map(|part| match part {
            Part::Header(header, bytes) => (Some(header), 0, bytes.to_vec()),
            Part::Data(number, bytes) => (None, number, bytes.to_vec()),
        });
        self.buffer.clear();
        let (header, number, bytes) = part?;
        if let Some(header) = header {
            if self.done == Some(header) {
                // It was sent again because the receipt was lost.
                self.answer = Some(Receipt { letters: header.letters, status: Status::Complete });
                return Ok(Heard::Part);
            }
            if self.begun.as_ref().is_none_or(|begun| begun.header != header) {
                self.begun = Some(Begun { header, parcels: BTreeMap::new(), last: now, asked: now });
            }
        }
        let begun = self.begun.as_mut().ok_or(Ignored::Early)?;
        if number + 1 < begun.header.total && length != PARCEL {
            return Err(Ignored::Gap);
        }
        (begun.last, begun.asked) = (now, now);
        begun.parcels.insert(number, bytes);
        if begun.parcels.len() < usize::from(begun.header.total) {
            return Ok(Heard::Part);
        }
        let Some(Begun { header, parcels, .. }) = self.begun.take() else { return Ok(Heard::Part) };
        let message: Vec<u8> = parcels.into_values().flatten().collect();
        if Crc::new().and(&message).value() != header.crc {
            self.answer = Some(Receipt { letters: header.letters, status: Status::ChecksumFailed });
            return Err(Malformed::Checksum.into());
        }
        let Ok(envelope) = Envelope::decode(&message) else {
            self.finish(header);
            return Err(Malformed::Value.into());
        };
        // Without a receipt it comes again.
        if self.bytes >= MOST_WAITING {
            return Err(Ignored::Full);
        }
        self.finish(header);
        self.envelope(envelope)?;
        Ok(Heard::Part)
    }

    /// Says that a message is there.
    fn finish(&mut self, header: Header) {
        self.answer = Some(Receipt { letters: header.letters, status: Status::Complete });
        self.done = Some(header);
    }

    fn envelope(&mut self, envelope: Envelope) -> Result<(), Ignored> {
        let Envelope { id, seq, total, bytes } = envelope;
        if self.taken.iter().any(|(taken, part)| *taken == id && *part == seq) {
            return Ok(());
        }
        self.taken.push_back((id.clone(), seq));
        if self.taken.len() > REMEMBERED {
            self.taken.pop_front();
        }
        if seq == 0 {
            (self.parts, self.expected) = (Vec::new(), 0);
            self.id = id;
        } else if self.id != id || self.expected != seq {
            return Err(Ignored::Gap);
        }
        if self.parts.len() + bytes.len() > MOST_MESSAGE {
            self.id.clear();
            self.parts = Vec::new();
            return Err(Ignored::TooLong);
        }
        self.parts.extend_from_slice(&bytes);
        self.expected = seq + 1;
        if self.expected == total {
            self.id.clear();
            self.bytes += self.parts.len() + 1;
            self.ready.push_back(core::mem::take(&mut self.parts));
        }
        Ok(())
    }

    /// Something may be over because nothing has followed.
    pub(crate) fn timers(&mut self, now: Duration) -> Result<(), Ignored> {
        let mut ended = Ok(());
        if !self.buffer.is_empty() && now >= self.last + QUIET {
            ended = self.parcel(now).map(drop);
        }
        if let Some(begun) = &mut self.begun {
            if now >= begun.last + FORGET {
                self.begun = None;
            } else if now >= begun.asked + ASK {
                begun.asked = now;
                let missing = (0..begun.header.total).filter(|number| !begun.parcels.contains_key(number)).collect();
                self.answer = Some(Receipt { letters: begun.header.letters, status: Status::Missing(missing) });
            }
        }
        ended
    }

    /// When something may be over.
    pub(crate) fn wake_at(&self) -> Option<Duration> {
        let quiet = (!self.buffer.is_empty()).then(|| self.last + QUIET);
        let begun = self.begun.as_ref().map(|begun| (begun.asked + ASK).min(begun.last + FORGET));
        [quiet, begun].into_iter().flatten().min()
    }

    /// The receipt that has to be sent.
    pub(crate) fn answer(&mut self) -> Option<Receipt> {
        self.answer.take()
    }

    /// Whether there is one.
    pub(crate) const fn must_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// The next message.
    pub(crate) fn take(&mut self) -> Option<Vec<u8>> {
        let message = self.ready.pop_front()?;
        self.bytes = self.bytes.saturating_sub(message.len() + 1);
        Some(message)
    }

    /// The line is cut: what was begun will be sent again.
    pub(crate) fn cut(&mut self) {
        self.buffer.clear();
        (self.begun, self.answer) = (None, None);
    }

    /// How many bytes are kept.
    pub(crate) fn kept(&self) -> usize {
        let parcels = self.begun.iter().flat_map(|begun| begun.parcels.values()).map(Vec::len).sum::<usize>();
        let ids = self.taken.iter().map(|(id, _)| id.len()).sum::<usize>();
        self.buffer.len() + parcels + ids + self.parts.len() + self.bytes
    }
}

/// What a parcel is.
enum Part<'a> {
    Header(Header, &'a [u8]),
    Data(u16, &'a [u8]),
}

#[cfg(test)]
mod tests {
    use super::super::{Letters, cut};
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn parcels(number: u32, message: &[u8]) -> Vec<Vec<u8>> {
        let envelope = &Envelope::of(&format!("x-{number}"), message)[0];
        cut(Letters::of(number), &envelope.encode()).unwrap()
    }

    fn complete(number: u32) -> Receipt {
        Receipt { letters: Letters::of(number), status: Status::Complete }
    }

    /// Hears a parcel in pieces of 20 bytes, 30 ms apart.
    fn hear(receiving: &mut Receiving, parcel: &[u8], now: &mut Duration) {
        for piece in parcel.chunks(20) {
            let _ = receiving.heard(piece, *now);
            *now += ms(30);
        }
        *now += ms(500);
    }

    #[test]
    fn a_message_is_complete_where_its_checksum_fits() {
        let (mut receiving, mut now) = (Receiving::default(), ms(0));
        for (number, length) in (0..).zip([0, 10, 100, 400, 3000]) {
            let message = vec![7; length];
            parcels(number, &message).iter().for_each(|parcel| hear(&mut receiving, parcel, &mut now));
            assert_eq!(receiving.answer(), Some(complete(number)));
            assert_eq!(receiving.take(), Some(message));
        }
        assert!(receiving.wake_at().is_none() && receiving.kept() < 400);
    }

    #[test]
    fn missing_parcels_are_asked_for_and_repeated_messages_are_receipted_but_not_taken() {
        let (mut receiving, mut now) = (Receiving::default(), ms(0));
        let all = parcels(0, &[7; 600]);
        for parcel in [&all[0], &all[2], &all[3]] {
            hear(&mut receiving, parcel, &mut now);
        }
        assert_eq!(receiving.answer(), None);
        now = receiving.wake_at().unwrap();
        let _ = receiving.timers(now);
        now = receiving.wake_at().unwrap();
        assert_eq!(receiving.timers(now), Ok(()));
        let status = receiving.answer().unwrap().status;
        assert_eq!(status, Status::Missing(vec![1]));
        hear(&mut receiving, &all[1], &mut now);
        assert_eq!(receiving.answer(), Some(complete(0)));
        assert_eq!(receiving.take(), Some(vec![7; 600]));
        all.iter().for_each(|parcel| hear(&mut receiving, parcel, &mut now));
        assert_eq!(receiving.answer(), Some(complete(0)));
        assert_eq!(receiving.take(), None);
    }

    #[test]
    fn after_a_lost_piece_reading_begins_again_with_the_next_parcel() {
        let (mut receiving, mut now) = (Receiving::default(), ms(0));
        let all = parcels(0, &[7; 600]);
        let mut holed = all[1].clone();
        holed.drain(40..60);
        for parcel in [&all[0], &holed, &all[2], &all[3]] {
            hear(&mut receiving, parcel, &mut now);
        }
        assert_eq!(receiving.take(), None);
        hear(&mut receiving, &all[1], &mut now);
        assert_eq!(receiving.take(), Some(vec![7; 600]));
    }

    #[test]
    fn what_never_ends_is_forgotten() {
        let (mut receiving, mut now) = (Receiving::default(), ms(0));
        hear(&mut receiving, &parcels(0, &[7; 600])[0], &mut now);
        assert!(receiving.kept() >= 271);
        let mut asked = 0;
        while let Some(at) = receiving.wake_at() {
            assert_eq!(receiving.timers(at), Ok(()));
            asked += usize::from(receiving.answer().is_some());
        }
        assert_eq!((asked, receiving.kept()), (11, 0), "every five seconds for a minute");
    }
}
