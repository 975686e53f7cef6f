//! A parcel as pieces, each as long as one write or notification may be.
//!
//! The first byte of a piece says whether it is the first or the last of a parcel, and counts pieces. After a loss, the
//! next first piece is where reading begins again.

use crate::{Ignored, LEAST_PIECE, Malformed};

const FIRST: u8 = 0x80;
const LAST: u8 = 0x40;
/// No piece has this bit; a hello does.
const NEVER: u8 = 0x20;
const COUNT: u8 = 0x1F;

/// A parcel being cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    bytes: Vec<u8>,
    from: usize,
    count: u8,
}

impl Cut {
    /// The pieces of this parcel.
    pub const fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, from: 0, count: 0 }
    }

    /// The next piece, with at most `size` bytes.
    pub fn next(&mut self, size: usize) -> Option<Vec<u8>> {
        let left = self.bytes.get(self.from..).filter(|left| !left.is_empty())?;
        let take = left.len().min(size.max(LEAST_PIECE) - 1);
        let taken = left.get(..take)?;
        let first = if self.from == 0 { FIRST } else { 0 };
        let last = if take == left.len() { LAST } else { 0 };
        let mut piece = Vec::with_capacity(take + 1);
        piece.push(first | last | self.count);
        piece.extend_from_slice(taken);
        self.from += take;
        self.count = self.count.wrapping_add(1) & COUNT;
        Some(piece)
    }

    /// Whether all pieces have been taken.
    pub const fn is_over(&self) -> bool {
        self.from >= self.bytes.len()
    }
}

/// Pieces being joined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Joined {
    /// What is there of a parcel, and the count of the piece that must come next.
    begun: Option<(Vec<u8>, u8)>,
}

impl Joined {
    /// The next piece; returns the parcel that it completes.
    ///
    /// # Errors
    /// Fails if it is no piece, or one is missing before it, or the parcel becomes longer than `most`. The parcel that was
    /// begun is then forgotten.
    pub fn add(&mut self, piece: &[u8], most: usize) -> Result<Option<Vec<u8>>, Ignored> {
        let begun = self.begun.take();
        let (head, bytes) = piece.split_first().ok_or(Malformed::Short)?;
        if head & NEVER != 0 {
            return Err(Malformed::Unknown.into());
        }
        if bytes.is_empty() {
            return Err(Malformed::Short.into());
        }
        let count = head & COUNT;
        let (mut parcel, expected) = match begun {
            _ if head & FIRST != 0 => (Vec::new(), 0),
            Some(begun) => begun,
            None => return Err(Ignored::Gap),
        };
        if count != expected {
            return Err(Ignored::Gap);
        }
        if parcel.len() + bytes.len() > most {
            return Err(Malformed::Long.into());
        }
        parcel.extend_from_slice(bytes);
        if head & LAST != 0 {
            return Ok(Some(parcel));
        }
        self.begun = Some((parcel, count.wrapping_add(1) & COUNT));
        Ok(None)
    }

    /// Forgets a parcel that was begun.
    pub fn clear(&mut self) {
        self.begun = None;
    }

    pub(crate) fn kept(&self) -> usize {
        self.begun.as_ref().map_or(0, |(bytes, _)| bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut cut = Cut::new(bytes.to_vec());
        core::iter::from_fn(|| cut.next(size)).collect()
    }

    #[test]
    fn pieces_are_short_enough_and_join_to_the_parcel() {
        for length in [1, 18, 19, 20, 38, 39, 280, 700, 4105] {
            let parcel: Vec<u8> = (0..=255).cycle().take(length).collect();
            for size in [20, 100, 512] {
                let pieces = cut(&parcel, size);
                assert!(pieces.iter().all(|piece| piece.len() <= size));
                let mut joined = Joined::default();
                let (last, others) = pieces.split_last().unwrap();
                assert!(others.iter().all(|piece| joined.add(piece, length) == Ok(None)));
                assert_eq!(joined.add(last, length), Ok(Some(parcel.clone())));
            }
        }
    }

    #[test]
    fn after_a_loss_reading_begins_again_with_the_next_parcel() {
        let (one, two) = (cut(&[1; 100], 20), cut(&[2; 30], 20));
        let mut joined = Joined::default();
        assert_eq!(joined.add(&one[0], 200), Ok(None));
        assert_eq!(joined.add(&one[2], 200), Err(Ignored::Gap));
        assert_eq!(joined.add(&one[3], 200), Err(Ignored::Gap), "the rest is of no use either");
        assert_eq!(joined.add(&two[0], 200), Ok(None));
        assert_eq!(joined.add(&two[1], 200), Ok(Some(vec![2; 30])));
        assert_eq!(joined.add(&one[0], 200), Ok(None));
        assert_eq!(joined.add(&one[0], 200), Ok(None), "a first piece begins anew");
        assert_eq!(joined.add(&one[1], 200), Ok(None));
        assert_eq!(joined.add(&one[1], 200), Err(Ignored::Gap), "a piece comes once");
    }

    #[test]
    fn what_is_no_piece_is_refused_and_nothing_grows() {
        let mut joined = Joined::default();
        assert_eq!(joined.add(&[], 200), Err(Malformed::Short.into()));
        assert_eq!(joined.add(&[FIRST], 200), Err(Malformed::Short.into()));
        assert_eq!(joined.add(&[FIRST | NEVER, 1], 200), Err(Malformed::Unknown.into()));
        assert_eq!(joined.add(&[0, 1], 200), Err(Ignored::Gap));
        assert_eq!(joined.add(&[FIRST | 3, 1], 200), Err(Ignored::Gap));
        assert_eq!(joined.add(&[FIRST; 202], 200), Err(Malformed::Long.into()));
        assert_eq!(joined.kept(), 0);
    }
}
