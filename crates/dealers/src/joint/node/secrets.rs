//! What a node knows and nobody else: its keys, its shares of joint keys, and the randomness of its messages.

use dealing::{Permutation, Secret};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::Node;
use crate::joint::keys::PLAYER_KEY;
use crate::joint::message::Place;

/// A seed for every set of keys of a match, one after another.
///
/// Each step forgets the one before, so that nobody who finds a later state can compute the seed of earlier keys. To
/// survive a restart, keep the state ([`Seeds::state`]) and the seeds of the nodes that are still in use, and nothing
/// else.
pub struct Seeds(Zeroizing<[u8; 32]>);

impl core::fmt::Debug for Seeds {
    /// Says nothing about the secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Seeds(..)")
    }
}

impl Seeds {
    /// From a random number, or from the state that was kept.
    pub fn new(state: [u8; 32]) -> Self {
        Self(Zeroizing::new(state))
    }

    /// The seed of the next keys.
    pub fn next_seed(&mut self) -> Zeroizing<[u8; 32]> {
        let step =
            |label: &[u8]| -> [u8; 32] { Sha256::new_with_prefix(label).chain_update(*self.0).finalize().into() };
        let (seed, state) = (step(b"fairdeal/seeds/seed/v1"), step(b"fairdeal/seeds/next/v1"));
        self.0 = Zeroizing::new(state);
        Zeroizing::new(seed)
    }

    /// What to keep. Secret.
    pub fn state(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Node {
    /// Finds the node's own shares of the joint keys: its own key if every player is needed, otherwise the sum
    /// of the shares received in the key generation.
    pub(in crate::joint) fn learn_own_shares(&mut self) {
        let Some(joint) = self.ledger.keys.joint() else { return };
        if !self.shares.is_empty() || !self.ledger.terms().is_member(self.me) {
            return;
        }
        if self.ledger.terms().threshold().is_none() {
            self.shares.insert(0, self.key(0));
            return;
        }
        for ceremony in 0..self.ledger.terms().ceremonies() {
            let Some(generation) = self.ledger.keys.generation(ceremony) else { continue };
            let Some(number) = generation.number(self.me) else { continue };
            let key = self.key(ceremony.into());
            let mut rng = self.rng(Place::Ready(ceremony), &[1; 32]);
            let dealings = joint.dealers.iter().filter_map(|by| generation.dealing(*by));
            let received = dealings.map(|(dealer, dealing)| {
                generation.ceremony.receive(number, &key, dealer, dealing, &mut rng).map_err(drop)
            });
            let Ok(received) = received.collect::<Result<Vec<_>, ()>>() else { continue };
            let own = Secret::new(received.iter().map(Secret::scalar).sum());
            // Using a wrong share would look like lying, so say nothing.
            let public = if ceremony == 0 { &joint.shares } else { &joint.beacon };
            if public.get(&self.me).is_some_and(|(_, public)| *public == own.public()) {
                self.shares.insert(ceremony, own);
            }
        }
    }

    /// One of its own keys: of a ceremony, or [`PLAYER_KEY`].
    pub(in crate::joint) fn key(&self, number: u32) -> Secret {
        if let Some(key) = self.player_key.as_ref().filter(|_| number == PLAYER_KEY) {
            return key.clone();
        }
        let seed = Zeroizing::new(self.derive("key", &number.to_le_bytes(), &[]));
        Secret::random(&mut ChaCha20Rng::from_seed(*seed))
    }

    pub(super) fn permutation(&self, deck: u32, len: u16, step: u32, rng: &mut ChaCha20Rng) -> Permutation {
        match &self.stacked {
            None => Permutation::sample(len, rng),
            // The whole order is made in the first step.
            Some(orders) => {
                let order = orders.get(&deck).filter(|_| step == 0).cloned().and_then(Permutation::new);
                order.filter(|order| order.len() == usize::from(len)).unwrap_or_else(|| Permutation::identity(len))
            }
        }
    }

    /// The nonce of a choice's commitment.
    pub(super) fn choice_nonce(&self, round: u64, choice: &[u8]) -> [u8; 32] {
        self.derive("choice", &round.to_le_bytes(), choice)
    }

    /// The randomness of one message.
    pub(super) fn rng(&self, place: Place, on: &[u8; 32]) -> ChaCha20Rng {
        let seed = Zeroizing::new(self.derive("message", &dealing::encode(&place), on));
        ChaCha20Rng::from_seed(*seed)
    }

    pub(super) fn derive(&self, label: &str, what: &[u8], on: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"fairdeal/node/v1");
        for part in [self.seed.as_slice(), &self.ledger.terms().session, label.as_bytes(), what, on] {
            hash.update(u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}
