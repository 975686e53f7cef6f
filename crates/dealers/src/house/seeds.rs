//! From seeds to the order of a deck.

use cards::Card;
use dealing::merkle::{Leaf, Tree};
use dealing::{Commitment, hash_fields};
use sha2::{Digest, Sha256};
use table::Seat;
use table::record::By;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::Publish;

/// A seed and the nonce that hides it until it is revealed. Wiped when dropped, never printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Seed {
    /// The seed, which goes into the order of the deck.
    pub seed: [u8; 32],
    /// The nonce, which keeps the seed from being guessed from the commitment.
    pub nonce: [u8; 32],
}

impl Seed {
    /// The seed that follows from a secret, for this deck and this author. Never use a secret for two sessions
    /// with the same id.
    pub(super) fn derived(secret: &[u8; 32], session: &[u8; 32], deck: u32, by: By) -> Self {
        let part = |what: &[u8]| {
            hash_fields(&[b"fairdeal/house/v1/secret", secret, session, &deck.to_le_bytes(), &player(by), what])
        };
        Self { seed: part(b"seed"), nonce: part(b"nonce") }
    }

    /// The commitment that a seat sends before anybody reveals.
    pub fn commitment(&self, session: &[u8; 32], deck: u32, seat: Seat) -> Commitment {
        let mut payload = Zeroizing::new(deck.to_le_bytes().to_vec());
        payload.extend_from_slice(&self.seed);
        Commitment::new("seed", session, &player(By::Seat(seat)), &payload, &self.nonce)
    }

    /// The commitment of the house, which also fixes when it will publish.
    pub(super) fn house_commitment(&self, session: &[u8; 32], deck: u32, publish: Publish) -> Commitment {
        let mut payload = Zeroizing::new(deck.to_le_bytes().to_vec());
        payload.push(publish.code());
        payload.extend_from_slice(&self.seed);
        Commitment::new("seed", session, &player(By::House), &payload, &self.nonce)
    }
}

impl core::fmt::Debug for Seed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// The author, as written in commitments.
fn player(by: By) -> Vec<u8> {
    match by {
        By::House => b"house".to_vec(),
        By::Seat(seat) => vec![b's', seat.index()],
        By::Member(member) => vec![b'm', member],
    }
}

/// The seed of the shuffle: SHA-256 over the session, the deck, the seed of the house and those of the
/// seats that revealed, in seat order.
pub(super) fn combined(
    session: &[u8; 32],
    deck: u32,
    house: &[u8; 32],
    seats: impl Iterator<Item = (Seat, [u8; 32])>,
) -> Zeroizing<[u8; 32]> {
    let mut all = Zeroizing::new(Vec::new());
    seats.for_each(|(seat, seed)| {
        all.push(seat.index());
        all.extend_from_slice(&seed);
    });
    Zeroizing::new(hash_fields(&[b"fairdeal/house/v1/combined", session, &deck.to_le_bytes(), house, &all]))
}

/// The deterministic shuffle: Fisher–Yates from the last index down to 1, each partner drawn without bias from
/// the words of SHA-256(seed ‖ counter), where counter and words are eight bytes, lowest first.
pub(super) fn shuffle<T>(seed: &[u8; 32], items: &mut [T]) {
    let mut words = Words { seed, counter: 0, block: Zeroizing::new([0; 32]), used: 32 };
    for last in (1..items.len()).rev() {
        let choices = u64::try_from(last).unwrap_or(u64::MAX).saturating_add(1);
        let partner = words.below(choices);
        items.swap(last, usize::try_from(partner).unwrap_or(last));
    }
}

struct Words<'a> {
    seed: &'a [u8; 32],
    counter: u64,
    block: Zeroizing<[u8; 32]>,
    used: usize,
}

impl Words<'_> {
    fn next(&mut self) -> u64 {
        if self.used >= 32 {
            let block = Sha256::new().chain_update(self.seed).chain_update(self.counter.to_le_bytes());
            *self.block = block.finalize().into();
            self.counter += 1;
            self.used = 0;
        }
        let word = self.block.get(self.used..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        self.used += 8;
        u64::from_le_bytes(word)
    }

    /// A uniform number below `choices`: words beyond the largest multiple are discarded.
    fn below(&mut self, choices: u64) -> u64 {
        let beyond = (u64::MAX % choices + 1) % choices;
        loop {
            let word = self.next();
            if word <= u64::MAX - beyond {
                return word % choices;
            }
        }
    }
}

/// Identifies the tree over one deck.
pub(super) fn place(session: &[u8; 32], deck: u32) -> [u8; 32] {
    hash_fields(&[b"fairdeal/house/v1/deck", session, &deck.to_le_bytes()])
}

/// The salt of a slot, which follows from the seed of the house.
pub(super) fn salt(place: &[u8; 32], house: &[u8; 32], index: u16) -> [u8; 32] {
    hash_fields(&[b"fairdeal/house/v1/salt", place, house, &index.to_le_bytes()])
}

/// The tree over the slots of a deck, where each leaf is the code of its card.
pub(super) fn tree(place: &[u8; 32], house: &[u8; 32], faces: impl Iterator<Item = Card>) -> Option<Tree> {
    let leaves: Zeroizing<Vec<([u8; 1], [u8; 32])>> =
        Zeroizing::new((0..).zip(faces).map(|(index, card)| ([card.code()], salt(place, house, index))).collect());
    let leaves: Vec<Leaf<'_>> = leaves.iter().map(|(value, salt)| Leaf { value, salt }).collect();
    Tree::new(*place, &leaves).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shuffle_matches_an_independent_implementation() {
        // Computed by a separate Python program written from the specification.
        let mut ten: Vec<u8> = (0..10).collect();
        shuffle(&[0; 32], &mut ten);
        assert_eq!(ten, [6, 2, 5, 1, 9, 7, 4, 3, 0, 8]);
        let mut seed = [0; 32];
        (0..).zip(&mut seed).for_each(|(i, byte)| *byte = i);
        let mut pack: Vec<u8> = (0..52).collect();
        shuffle(&seed, &mut pack);
        assert_eq!(
            pack,
            [
                45, 12, 18, 14, 40, 32, 9, 21, 27, 5, 16, 13, 42, 29, 30, 26, 19, 17, 34, 43, 15, 41, 31, 49, 44, 2,
                11, 8, 46, 38, 37, 35, 25, 6, 39, 0, 36, 7, 20, 22, 48, 51, 33, 23, 47, 3, 24, 4, 50, 10, 28, 1
            ]
        );
    }

    #[test]
    fn words_beyond_the_largest_multiple_are_discarded() {
        // The largest multiple of 2^63 + 1 is itself, so about half of all words are beyond it.
        let choices = (1 << 63) + 1;
        let mut words = Words { seed: &[1; 32], counter: 0, block: Zeroizing::new([0; 32]), used: 32 };
        let mut plain = Words { seed: &[1; 32], counter: 0, block: Zeroizing::new([0; 32]), used: 32 };
        for _ in 0..50 {
            let kept = core::iter::repeat_with(|| plain.next()).find(|word| *word < choices);
            assert_eq!(Some(words.below(choices)), kept);
        }
    }

    #[test]
    fn every_place_gets_every_card_about_equally_often() {
        // 24,000 shuffles of 6 cards: 36 counts of about 4,000; chi-square with 25 degrees of freedom stays
        // below 52.6 in 999 of 1,000 cases. The seeds are fixed, so it either holds or it does not.
        let (shuffles, cards) = (24_000u32, 6usize);
        let mut counts = vec![0i64; cards * cards];
        for number in 0..shuffles {
            let mut seed = [0; 32];
            seed[..4].copy_from_slice(&number.to_le_bytes());
            let mut items: Vec<usize> = (0..cards).collect();
            shuffle(&seed, &mut items);
            items.iter().enumerate().for_each(|(place, card)| counts[place * cards + card] += 1);
        }
        let squares: i64 = counts.iter().map(|count| (count - 4_000) * (count - 4_000)).sum();
        assert!(squares < 52 * 4_000, "chi-square {}/1000", squares / 4);
        assert!(squares > 7 * 4_000, "too even to be random: {}/1000", squares / 4);
    }

    #[test]
    fn seeds_of_different_decks_sessions_and_authors_differ() {
        let seat = |i| By::Seat(Seat::new(i).unwrap());
        let all = [
            Seed::derived(&[1; 32], &[2; 32], 0, By::House),
            Seed::derived(&[1; 32], &[2; 32], 0, seat(0)),
            Seed::derived(&[1; 32], &[2; 32], 0, seat(1)),
            Seed::derived(&[1; 32], &[2; 32], 1, By::House),
            Seed::derived(&[1; 32], &[3; 32], 0, By::House),
            Seed::derived(&[2; 32], &[2; 32], 0, By::House),
        ];
        let mut once: Vec<[u8; 32]> = all.iter().flat_map(|seed| [seed.seed, seed.nonce]).collect();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), 12);
    }
}
