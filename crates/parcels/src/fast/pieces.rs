//! A parcel as pieces, each as long as one write or notification may be.
//!
//! The first byte of a piece says whether it is the first or the last of a parcel, and counts pieces. After a loss, the
//! next first piece is where reading begins again. The second byte is the tag of the line: several lines may share a
//! connection, and some hosts can only notify all guests at once.

use crate::{Ignored, LEAST_PIECE, Malformed};

const FIRST: u8 = 0x80;
const LAST: u8 = 0x40;
/// No piece has this bit; a hello does.
const NEVER: u8 = 0x20;
const COUNT: u8 = 0x1F;
/// How many bytes a piece has before those of the parcel.
pub const HEAD: usize = 2;

/// A parcel being cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    tag: u8,
    bytes: Vec<u8>,
    from: usize,
    count: u8,
}

impl Cut {
    /// The pieces of this parcel, on the line with this tag.
    pub const fn new(tag: u8, bytes: Vec<u8>) -> Self {
        Self { tag, bytes, from: 0, count: 0 }
    }

    /// The next piece, with at most `size` bytes.
    pub fn next(&mut self, size: usize) -> Option<Vec<u8>> {
        let left = self.bytes.get(self.from..).filter(|left| !left.is_empty())?;
        let take = left.len().min(size.max(LEAST_PIECE) - HEAD);
        let taken = left.get(..take)?;
        let first = if self.from == 0 { FIRST } else { 0 };
        let last = if take == left.len() { LAST } else { 0 };
        let mut piece = Vec::with_capacity(take + HEAD);
        piece.extend([first | last | self.count, self.tag]);
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
    /// The next piece on the line with this tag; returns the parcel that it completes.
    ///
    /// # Errors
    /// Fails if it is a piece of another line. Also fails if it is no piece, or one is missing before it, or the parcel becomes longer than `most`. The parcel that was
    /// begun is then forgotten.
    pub fn add(&mut self, tag: u8, piece: &[u8], most: usize) -> Result<Option<Vec<u8>>, Ignored> {
        let ([head, of], bytes) = piece.split_first_chunk().ok_or(Malformed::Short)?;
        if *of != tag {
            return Err(Ignored::OtherSession);
        }
        let begun = self.begun.take();
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

    const TAG: u8 = 0xAB;

    fn cut(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut cut = Cut::new(TAG, bytes.to_vec());
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
                assert!(others.iter().all(|piece| joined.add(TAG, piece, length) == Ok(None)));
                assert_eq!(joined.add(TAG, last, length), Ok(Some(parcel.clone())));
            }
        }
    }

    #[test]
    fn after_a_loss_reading_begins_again_with_the_next_parcel() {
        let (one, two) = (cut(&[1; 100], 20), cut(&[2; 30], 20));
        let mut joined = Joined::default();
        assert_eq!(joined.add(TAG, &one[0], 200), Ok(None));
        assert_eq!(joined.add(TAG, &one[2], 200), Err(Ignored::Gap));
        assert_eq!(joined.add(TAG, &one[3], 200), Err(Ignored::Gap), "the rest is of no use either");
        assert_eq!(joined.add(TAG, &two[0], 200), Ok(None));
        assert_eq!(joined.add(TAG, &two[1], 200), Ok(Some(vec![2; 30])));
        assert_eq!(joined.add(TAG, &one[0], 200), Ok(None));
        assert_eq!(joined.add(TAG, &one[0], 200), Ok(None), "a first piece begins anew");
        assert_eq!(joined.add(TAG, &one[1], 200), Ok(None));
        assert_eq!(joined.add(TAG, &one[1], 200), Err(Ignored::Gap), "a piece comes once");
    }

    #[test]
    fn pieces_of_other_lines_do_not_disturb() {
        let (one, mut other) = (cut(&[1; 30], 20), Cut::new(7, vec![2; 30]));
        let mut joined = Joined::default();
        assert_eq!(joined.add(TAG, &one[0], 200), Ok(None));
        assert_eq!(joined.add(TAG, &other.next(20).unwrap(), 200), Err(Ignored::OtherSession));
        assert_eq!(joined.add(TAG, &one[1], 200), Ok(Some(vec![1; 30])));
    }

    #[test]
    fn what_is_no_piece_is_refused_and_nothing_grows() {
        let mut joined = Joined::default();
        assert_eq!(joined.add(TAG, &[], 200), Err(Malformed::Short.into()));
        assert_eq!(joined.add(TAG, &[FIRST, TAG], 200), Err(Malformed::Short.into()));
        assert_eq!(joined.add(TAG, &[FIRST | NEVER, TAG, 1], 200), Err(Malformed::Unknown.into()));
        assert_eq!(joined.add(TAG, &[0, TAG, 1], 200), Err(Ignored::Gap));
        assert_eq!(joined.add(TAG, &[FIRST | 3, TAG, 1], 200), Err(Ignored::Gap));
        assert_eq!(joined.add(TAG, &[&[FIRST, TAG][..], &[0; 201]].concat(), 200), Err(Malformed::Long.into()));
        assert_eq!(joined.kept(), 0);
    }
}
