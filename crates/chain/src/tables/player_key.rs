//! The key that a player's cards are sealed to.
//!
//! Sitting down registers a key `Q` with a proof that its owner knows the secret. Every hand uses a key of its own,
//! `Q + H(chain, table, hand, Q)·B`, which needs no message: the chain derives the public key, and the player's client
//! derives the secret. Cards of one hand therefore cannot be passed off as cards of another.
//!
//! This separates hands, not secrets: whoever knows the secret of `Q` can open the cards of every hand it was used in.
//!
//! ```
//! use chain::tables::{player_key, player_secret};
//! use dealing::Secret;
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let secret = Secret::random(&mut ChaCha20Rng::seed_from_u64(1));
//! let of_hand = player_secret(&[7; 32], 3, 41, &secret);
//! assert_eq!(of_hand.public(), player_key(&[7; 32], 3, 41, &secret.public()));
//! ```

use dealing::{Context, Element, Scalar, Secret, Transcript};

use crate::units::{Address, Hash, hash};

/// The public key of a player in a hand.
pub fn player_key(chain: &Hash, table: u64, hand: u32, key: &Element) -> Element {
    (key.point() + Element::base(&difference(chain, table, hand, key)).point()).into()
}

/// The secret that belongs to [`player_key`].
pub fn player_secret(chain: &Hash, table: u64, hand: u32, secret: &Secret) -> Secret {
    Secret::new(secret.scalar() + difference(chain, table, hand, &secret.public()))
}

/// Where somebody proves that they know the secret of the key they sit down with. The proof holds for them alone.
pub fn key_context(chain: &Hash, table: u64, address: &Address) -> Context {
    Context::new(hash("fairdeal/chain/sit/v1", &[chain, &table.to_le_bytes(), &address.0]))
}

/// What is between the key of a seat and its key in a hand.
fn difference(chain: &Hash, table: u64, hand: u32, key: &Element) -> Scalar {
    let session = hash("fairdeal/chain/player-key/v1", &[chain, &table.to_le_bytes()]);
    let mut transcript = Transcript::new("fairdeal/chain/player-key/v1", &Context::new(session).height(hand.into()));
    transcript.element("Q", key);
    transcript.challenge("h")
}
