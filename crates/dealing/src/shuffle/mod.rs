//! Shuffles that prove themselves.
//!
//! An author takes a deck of encrypted cards, puts it in another order and re-encrypts every card, so that
//! nobody can tell which is which. A proof shows that the new deck holds the same cards as the old one, none
//! exchanged, added or lost, and reveals nothing else. When several people shuffle in turn, the order is secret
//! to all of them if one of them keeps their own permutation secret.
//!
//! ```
//! use dealing::{Context, Deck, Permutation, Secret, Step, shuffle, verify_chain, verify_shuffle};
//! use rand::SeedableRng;
//!
//! let rng = &mut rand::rngs::ChaCha20Rng::seed_from_u64(1);
//! let key = Secret::random(rng).public(); // in production: a key that everybody has a part of
//! let fresh = Deck::fresh(b"52 cards", 52)?;
//!
//! let ann = Context::new([7; 32]).deck(1).step(0).author(0);
//! let (once, by_ann) = shuffle(&ann, &key, &fresh, &Permutation::sample(52, rng), rng)?;
//! verify_shuffle(&ann, &key, &fresh, &once, &by_ann)?;
//! assert_eq!(by_ann.to_bytes().len(), 5_312);
//!
//! let bob = Context::new([7; 32]).deck(1).step(1).author(1);
//! let (twice, by_bob) = shuffle(&bob, &key, &once, &Permutation::sample(52, rng), rng)?;
//! let steps = [Step { context: ann, deck: &once, proof: &by_ann }, Step { context: bob, deck: &twice, proof: &by_bob }];
//! assert!(verify_chain(&key, &fresh, &steps).is_ok());
//!
//! // Ann's proof says nothing about Bob's deck: the second step is named.
//! let steps = [steps[0], Step { proof: &by_ann, ..steps[1] }];
//! assert_eq!(verify_chain(&key, &fresh, &steps).unwrap_err().0, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Statement
//!
//! The key Y and the decks C_1 … C_n and C'_1 … C'_n of ElGamal ciphertexts are public. The author knows a
//! permutation π and ρ_1 … ρ_n with
//!
//! ```text
//! C'_i = C_π(i) + ρ_i·(B, Y)        for i = 1 … n
//! ```
//!
//! The argument is that of Bayer and Groth (Efficient zero-knowledge argument for correctness of a shuffle,
//! EUROCRYPT 2012): their section 3 with the product argument of section 5.3, the cards in one row (m = 1). In
//! one row the multi-exponentiation argument of section 4 is a single linear equation, and a deck of cards is
//! too short for more rows to pay off: they make the proof shorter, but slower to make.
//!
//! # Messages
//!
//! Vectors are committed to as com(a; r) = rH + Σ a_i·G_i, with generators hashed to the group. All
//! indices count from 1.
//!
//! | the author sends | which holds | and gets |
//! |---|---|---|
//! | c_A | com(π(1) … π(n); r_A) | x |
//! | c_B | com(x^π(1) … x^π(n); r_B) | y, z |
//! | c_d | com(d_1 … d_n; r_d), random | |
//! | c_δ | com(-δ_1·d_2 … -δ_(n-1)·d_n; r_δ), with δ_1 = d_1, δ_n = 0, the others random | |
//! | c_Δ | com(δ_2 - a_2·δ_1 - b_1·d_2 … δ_n - a_n·δ_(n-1) - b_(n-1)·d_n; r_Δ) | |
//! | c_f | com(f_1 … f_n; r_f), random | |
//! | E_0 | τ_0·(B, Y) + Σ f_i·C'_i | e |
//! | ã_i = e·a_i + d_i | the factors a_i = y·π(i) + x^π(i) - z | |
//! | b̃_i = e·b_i + δ_i | the partial products b_i = a_1·…·a_i, for i = 2 … n-1 | |
//! | f̃_i = e·x^π(i) + f_i | the permuted powers | |
//! | r̃, s̃, t̃ | e·(y·r_A + r_B) + r_d, e·r_Δ + r_δ, e·r_B + r_f | |
//! | τ̃ | τ_0 - e·Σ ρ_i·x^π(i) | |
//!
//! These are 8 points and 3n + 2 scalars: 5,312 bytes for 52 cards, 10,880 for 110, 30,272 for 312.
//!
//! # Verification
//!
//! With b̃_1 = ã_1 and b̃_n = e·Π (y·i + x^i - z), which need not be sent:
//!
//! ```text
//! (1) e·(y·c_A + c_B - z·ΣG_i) + c_d = com(ã_1 … ã_n; r̃)
//! (2) e·c_Δ + c_δ                    = com(e·b̃_2 - b̃_1·ã_2 … e·b̃_n - b̃_(n-1)·ã_n; s̃)
//! (3) e·c_B + c_f                    = com(f̃_1 … f̃_n; t̃)
//! (4) e·Σ x^i·C_i + E_0              = τ̃·(B, Y) + Σ f̃_i·C'_i           (5) its second half
//! ```
//!
//! Why this is enough: (1) and (2) show that the vectors p in c_A and q in c_B satisfy Π (y·p_i + q_i - z) = Π
//! (y·i + x^i - z). As polynomials in z these are equal only if the factors are the same in some order, and for
//! a random y only if the pairs (p_i, q_i) are the pairs (i, x^i) in some order. So c_A, sent before x was
//! known, holds a permutation π, and c_B the powers of x in its order. (3), (4) and (5) show that Σ x^i·C_i and
//! Σ x^π(i)·C'_i hold the same plaintext; as polynomials in x, that every C'_i holds the same card as C_π(i).
//!
//! The five equations are multiplied by weights of 128 bits and added up, for all steps of a chain together.
//! The output of a step is the input of the next, so every deck and every generator appears only once in the
//! single multiplication of a chain. The weights are hashed from the statements, messages and responses of all
//! steps, so nobody can choose a proof knowing its weights, and checking needs no randomness and has the same
//! result for everybody.
//!
//! # What is bound
//!
//! One transcript binds, in this order: protocol and version, all of the [`Context`](crate::Context), n,
//! the name of the generators, Y, all of C, all of C', then every message before the challenge that follows
//! it. Challenges are reduced from 64 bytes.
//!
//! # Also refused
//!
//! - a key that is the neutral element; decks and proofs of different lengths; fewer than 2 or more than 512
//!   cards
//! - points and scalars that are not canonical, missing and trailing bytes, a commitment or mask that is the
//!   neutral element (each has its own randomness, so an honest one never is)
//! - a card of the new deck that is open: its first half is the neutral element. The old deck may have open
//!   cards, for fresh packs and for played cards that are shuffled again
//! - a card of the new deck whose first half is in the old deck or twice in the new one: it was not
//!   re-encrypted, or shares its randomness with another card, which links them
//!
//! # Caveats
//!
//! - Soundness is computational: breaking discrete logarithms in Ristretto255 (about 2^126 operations), or luck
//!   with the weights (2^-128 per attempt), allows false proofs. A false statement survives all of x, y, z and
//!   e with probability less than 2^-230 per attempt. Fiat–Shamir is used with SHA-512 as a random oracle.
//! - The proof hides the permutation perfectly; the decks hide it only from parties that cannot decide
//!   Diffie–Hellman, and not from the holders of the key's secret.
//! - The author's side runs in constant time: its multiplications, selections and memory accesses do not depend
//!   on the permutation or on randomness, and each card is selected by reading all of them (about 1 % of the
//!   time for 52 cards, 6 % for 312). Scalars are wiped; intermediate points are not.
//!   [`Permutation::new`](crate::Permutation::new), unlike sampling, is not constant in time. The verifier's
//!   side knows no secrets and takes variable time.
//! - Masks are hashed from the statement, the permutation and the generator, so a generator that repeats itself
//!   at worst repeats a proof, which reveals nothing. The permutation itself is as random as the generator it
//!   was sampled with.
//! - A chain that fails is checked again step by step, up to the first bad one; 16 steps of 52 cards then take
//!   about four times as long. To avoid that cost, check each step as it arrives.
//! - The caller must check who shuffles, and that contexts differ from step to step.

mod chain;
mod masks;
mod proof;
mod prove;
mod statement;
#[cfg(test)]
mod tests;
mod verify;

pub use chain::{Step, verify_chain};
pub use proof::ShuffleProof;
pub use prove::{ShuffleError, shuffle};
pub use verify::{BadShuffle, verify_shuffle};
