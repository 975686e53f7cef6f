//! Encrypt, shuffle, share, prove: dealing with points of a group, never with cards.
//!
//! Players who do not trust each other can deal from one deck so that nobody knows or chooses its order, and
//! only the player who is dealt a card sees it. Everybody can check every message. This crate has the pieces,
//! as pure functions; who sends what and when is up to its callers.
//!
//! # Overview
//!
//! A card is a point `M` of the group Ristretto255, one per physical card ([`card_point`]). It is encrypted to a joint
//! key `Y` as `(C1, C2) = (r·B, M + r·Y)` ([`Ciphertext`]). A deck begins in the open, as `(0, M)` for every card
//! ([`Deck::fresh`]). Everybody in turn permutes and re-encrypts it, and proves to have done nothing else
//! ([`shuffle()`]). To open a card, every holder of a part `s` of the key gives `s·C1` with a proof ([`share`]). Added
//! up (or interpolated, [`combine`]) and subtracted from `C2`, they leave `M`.
//!
//! # Messages
//!
//! | what | bytes | made and checked by |
//! |---|---|---|
//! | proof of knowledge of a key | 64 | [`Knowledge`] |
//! | shuffle of n cards: deck and proof | 2 + 64 n and 320 + 96 n (5,312 for 52) | [`shuffle()`], [`verify_shuffle`], [`verify_chain`] |
//! | shares of n cards with one proof | 98 + 32 n | [`share`], [`verify_shares`] |
//! | shares of n cards sealed to p players with one proof | 100 + 64 (n + p) | [`seal`], [`verify_sealed`] |
//! | part in a key generation, t of N | 164 + 32 (t + N) | [`dkg`] |
//! | complaint in a key generation | 128 | [`dkg`] |
//! | contribution to a random number | 128 | [`beacon`] |
//! | commitment by hash, opening of a slot of n | 32, 34 and 32 for each level of the tree | [`Commitment`], [`merkle`] |
//!
//! Every value has one encoding ([`Wire`]): points are decoded strictly, scalars are reduced, lists are bounded
//! before anything is allocated, nothing may follow the end. Every proof binds the protocol, the session, the
//! height, the deck, the step and the author ([`Context`]) through one [`Transcript`], so none can be reused
//! elsewhere or by another author.
//!
//! # Flow for two players who deal to each other
//!
//! ```
//! use dealing::{Context, Deck, Knowledge, Permutation, Point, Secret, card_point, share, shuffle, verify_shuffle};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::from_seed([1; 32]);
//! let at = |author| Context::new([7; 32]).author(author);
//!
//! // 1. Each player makes a key and proves knowledge of its secret. The joint key is the sum.
//! let secrets = [Secret::random(rng), Secret::random(rng)];
//! for (author, secret) in (0..).zip(&secrets) {
//!     Knowledge::prove(&at(author), secret, rng).verify(&at(author), &secret.public())?;
//! }
//! let key = secrets.iter().map(|secret| *secret.public().point()).sum::<Point>().into();
//!
//! // 2. Each player shuffles in turn; the other checks.
//! let mut deck = Deck::fresh(b"52 cards", 52)?;
//! for author in 0..2 {
//!     let permutation = Permutation::sample(52, rng);
//!     let (after, proof) = shuffle(&at(author), &key, &deck, &permutation, rng)?;
//!     verify_shuffle(&at(author), &key, &deck, &after, &proof)?;
//!     deck = after;
//! }
//!
//! // 3. The first card is for the first player: the second gives a share, and the first adds one in secret.
//! let card = deck.get(0).copied().ok_or("no card")?;
//! let theirs = share(&at(1), &secrets[1], &[card.c1], rng);
//! theirs.verify(&at(1), &secrets[1].public(), &[card.c1])?;
//! let own = card.c1.point() * secrets[0].scalar();
//! let plain = card.c2.point() - theirs.points[0].point() - own;
//! assert!((0..52).any(|index| *card_point(b"52 cards", index).point() == plain));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! With a threshold, step 1 is [`dkg`] and step 3 uses [`seal`], so that the others can finish without the
//! second player.
//!
//! # Caveats
//!
//! - The order is secret and nobody's choice if **one** shuffler was honest. Cards stay secret unless enough members
//!   to open one work together: all of them if every player is needed, t with a threshold t.
//! - t - 1 shares reveal nothing about a card, t shares everything. Whether t members did work together cannot
//!   be found out afterwards.
//! - Permutations, gathering by them, and all arithmetic with secrets take the same time for every secret;
//!   checking takes variable time, because everything in it is public.
//! - Discrete logarithms in Ristretto255 must be hard (about 126 bits), and SHA-512 must behave like a random
//!   function. A quantum computer that breaks the first opens every recorded deck.
//! - A key derived for one hand ([`HandKey`]) separates domains, no more: anyone who learns the key it was derived
//!   from can open all hands.

pub mod beacon;
mod codec;
mod commit;
mod context;
mod derive;
pub mod dkg;
mod element;
mod elgamal;
mod equality;
mod equations;
mod generators;
mod invalid;
mod knowledge;
mod lagrange;
pub mod merkle;
mod multiples;
mod nonce;
mod permutation;
mod sealed;
mod secret;
mod shares;
pub mod shuffle;
#[cfg(test)]
mod testing;
mod transcript;
mod words;

pub use codec::{Malformed, Reader, Wire, decode, encode, write_counted};
pub use commit::{Commitment, hash_fields};
pub use context::Context;
pub use curve25519_dalek::{RistrettoPoint as Point, Scalar};
pub use derive::HandKey;
pub use element::Element;
pub use elgamal::{Ciphertext, Deck, LEAST_CARDS, MOST_CARDS, card_point};
pub use invalid::Invalid;
pub use knowledge::Knowledge;
pub use lagrange::{Interpolation, combine, lagrange};
pub use permutation::Permutation;
pub use sealed::{ClaimedSealed, Dealt, Sealed, SealedShares, seal, sealed_sum, verify_sealed};
pub use secret::Secret;
pub use shares::{Claimed, MOST_SHARES, Shares, share, verify_shares};
pub use shuffle::{BadShuffle, ShuffleError, ShuffleProof, Step, shuffle, verify_chain, verify_shuffle};
pub use transcript::Transcript;
pub use words::{WORDS, four_words};
