//! Lines of evidence that are numbered and carry a checksum.
//!
//! A commitment that is never opened, or a note that a player did not answer, proves nothing by itself, so its
//! damage or loss would go unnoticed. Numbers and checksums, which cover the session, show that each line is
//! complete and in its place. They do not protect against forgery: anyone who writes a record can write these,
//! too.

use core::fmt;

use dealing::hash_fields;
use table::record::{By, Evidence, unhex};

/// The number of hash bytes kept.
const SUM: usize = 8;

/// Writes the lines of a session.
#[derive(Clone, Debug)]
pub struct Pen {
    session: [u8; 32],
    next: u32,
    written: Vec<Evidence>,
}

impl Pen {
    /// The start of a session.
    pub const fn new(session: [u8; 32]) -> Self {
        Self { session, next: 0, written: Vec::new() }
    }

    /// The session.
    pub const fn session(&self) -> &[u8; 32] {
        &self.session
    }

    /// Writes a line.
    pub fn write(&mut self, by: By, kind: &str, payload: &[u8]) {
        let mut body = self.next.to_le_bytes().to_vec();
        body.extend_from_slice(payload);
        let sum = sum(&self.session, by, kind, &body);
        body.extend_from_slice(&sum);
        self.written.push(Evidence::new(by, kind, &body));
        self.next += 1;
    }

    /// The lines since the last call.
    pub fn take(&mut self) -> Vec<Evidence> {
        core::mem::take(&mut self.written)
    }
}

/// Reads the lines of a session.
#[derive(Clone, Debug)]
pub struct Numbers {
    session: [u8; 32],
    next: u32,
}

impl Numbers {
    /// The start of a session.
    pub const fn new(session: [u8; 32]) -> Self {
        Self { session, next: 0 }
    }

    /// The session.
    pub const fn session(&self) -> &[u8; 32] {
        &self.session
    }

    /// Reads the payload of the next line.
    pub fn read(&mut self, line: &Evidence) -> Result<Vec<u8>, Damage> {
        let mut body = unhex(&line.body).ok_or(Damage::NotHexadecimal)?;
        let split = body.len().checked_sub(SUM).ok_or(Damage::Short)?;
        let found = body.split_off(split);
        if found != sum(&self.session, line.by, &line.kind, &body) {
            return Err(Damage::Sum);
        }
        let payload = body.split_off(body.len().min(4));
        let number = <[u8; 4]>::try_from(body).map(u32::from_le_bytes).map_err(|_| Damage::Short)?;
        if number != self.next {
            return Err(Damage::Number { expected: self.next, found: number });
        }
        self.next += 1;
        Ok(payload)
    }
}

/// What is wrong with a numbered line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// The body is not pairs of hexadecimal digits.
    NotHexadecimal,
    /// The body is too short.
    Short,
    /// The checksum does not match: the line was changed, or belongs to another table.
    Sum,
    /// Another line is expected here.
    Number {
        /// The expected number.
        expected: u32,
        /// The number of this line.
        found: u32,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHexadecimal => f.write_str("the body is not in lowercase hexadecimal digits"),
            Self::Short => f.write_str("the body is too short"),
            Self::Sum => f.write_str("the checksum does not match: the line was changed, or belongs to another table"),
            Self::Number { expected, found } => {
                write!(f, "expected line {expected} of the evidence, got line {found}")
            }
        }
    }
}

impl core::error::Error for Damage {}

fn sum(session: &[u8; 32], by: By, kind: &str, body: &[u8]) -> [u8; SUM] {
    let by = match by {
        By::House => [0, 0],
        By::Seat(seat) => [1, seat.index()],
        By::Member(member) => [2, member],
    };
    let hash = hash_fields(&[b"fairdeal/evidence/v1", session, &by, kind.as_bytes(), body]);
    let [a, b, c, d, e, f, g, h, ..] = hash;
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::Seat;

    fn lines() -> Vec<Evidence> {
        let mut pen = Pen::new([3; 32]);
        pen.write(By::House, "root", b"one");
        pen.write(By::Seat(Seat::new(2).unwrap()), "reveal", b"two");
        pen.write(By::Member(5), "share", b"");
        let lines = pen.take();
        assert!(pen.take().is_empty());
        lines
    }

    #[test]
    fn lines_are_read_in_order_as_they_were_written() {
        let mut numbers = Numbers::new([3; 32]);
        let read: Vec<_> = lines().iter().map(|line| numbers.read(line).unwrap()).collect();
        assert_eq!(read, [b"one".to_vec(), b"two".to_vec(), Vec::new()]);
    }

    #[test]
    fn a_missing_repeated_or_moved_line_is_noticed_by_its_number() {
        let [one, two, three] = lines().try_into().unwrap();
        let first = |lines: &[&Evidence]| {
            let mut numbers = Numbers::new([3; 32]);
            lines.iter().find_map(|line| numbers.read(line).err())
        };
        let wrong = |expected, found| Some(Damage::Number { expected, found });
        assert_eq!(first(&[&one, &three]), wrong(1, 2));
        assert_eq!(first(&[&one, &one, &two]), wrong(1, 0));
        assert_eq!(first(&[&two, &one, &three]), wrong(0, 1));
        assert_eq!(first(&[&one, &two, &three]), None);
    }

    #[test]
    fn a_change_anywhere_in_a_line_is_noticed_by_its_checksum() {
        let [_, good, _] = lines().try_into().unwrap();
        let refused = |line: &Evidence, session| {
            let mut numbers = Numbers { session, next: 1 };
            numbers.read(line).expect_err("it was changed")
        };
        assert_eq!(refused(&good, [4; 32]), Damage::Sum);
        assert_eq!(refused(&Evidence { by: By::House, ..good.clone() }, [3; 32]), Damage::Sum);
        assert_eq!(refused(&Evidence { by: By::Seat(Seat::new(3).unwrap()), ..good.clone() }, [3; 32]), Damage::Sum);
        assert_eq!(refused(&Evidence { kind: "revel".to_owned(), ..good.clone() }, [3; 32]), Damage::Sum);
        for i in 0..good.body.len() {
            let mut body = good.body.clone().into_bytes();
            body[i] = if body[i] == b'0' { b'1' } else { b'0' };
            let body = String::from_utf8(body).unwrap();
            assert_eq!(refused(&Evidence { body, ..good.clone() }, [3; 32]), Damage::Sum, "digit {i}");
        }
        let cut = |len: usize| Evidence { body: good.body[..len].to_owned(), ..good.clone() };
        assert_eq!(refused(&cut(good.body.len() - 1), [3; 32]), Damage::NotHexadecimal);
        assert_eq!(refused(&cut(good.body.len() - 2), [3; 32]), Damage::Sum);
        assert_eq!(refused(&cut(14), [3; 32]), Damage::Short);
    }
}
