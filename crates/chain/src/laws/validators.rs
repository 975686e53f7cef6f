//! A validator: its keys, its seats, and how honest it is.

use std::collections::{BTreeMap, BTreeSet};

use dealers::joint::{Message, Place};
use rand::RngExt;
use rand::rngs::ChaCha20Rng;

use super::lies::{Lie, gives_shares, spoilt};
use crate::client::Wallet;
use crate::dealer::keeper::Keeper;
use crate::dealer::{CeremonyKey, Tx};
use crate::execute::State;
use crate::tx::{Body, Signed};
use crate::units::{Address, Hash};

/// A validator.
#[derive(Debug)]
pub(super) struct Validator {
    pub(super) wallet: Wallet,
    pub(super) keeper: Keeper,
    pub(super) lie: Option<Lie>,
    /// The seeds on its disk.
    disk: BTreeMap<Hash, [u8; 32]>,
}

impl Validator {
    pub(super) fn new(secret: &[u8; 32], lie: Option<Lie>) -> Self {
        let wallet = Wallet::new(secret);
        let keeper = Keeper::new(wallet.address());
        Self { wallet, keeper, lie, disk: BTreeMap::new() }
    }

    pub(super) fn address(&self) -> Address {
        self.wallet.address()
    }

    /// What it says now, given what will be in the block before that.
    pub(super) fn says(&mut self, state: &State, pending: &[Signed], rng: &mut ChaCha20Rng) -> Vec<Signed> {
        if let Some(session) = self.keeper.wants_seed(state) {
            let seed = rng.random();
            self.disk.insert(session, seed);
            self.keeper.give_seed(session, seed);
        }
        let duties = self.keeper.duties(state, pending);
        let kept: BTreeSet<Hash> = self.keeper.sessions().copied().collect();
        self.disk.retain(|session, _| kept.contains(session));
        let mut said = Vec::new();
        for duty in duties {
            self.lied(state, duty, pending, rng, &mut said);
        }
        let chain = state.tip().chain;
        said.into_iter().map(|tx| self.wallet.duty(chain, Body::Dealer(tx))).collect()
    }

    /// Its program is started again, with nothing but what is on its disk.
    pub(super) fn restart(&mut self) {
        self.keeper = Keeper::new(self.address());
        self.disk.iter().for_each(|(session, seed)| self.keeper.give_seed(*session, *seed));
    }

    /// What it says instead of the truth.
    fn lied(&self, state: &State, duty: Tx, pending: &[Signed], rng: &mut ChaCha20Rng, said: &mut Vec<Tx>) {
        let Some(lie) = self.lie else { return said.push(duty) };
        let message = message_of(&duty);
        match (lie, message) {
            (Lie::Silent, _) => {}
            (Lie::Withhold, Some(message)) if gives_shares(&message) => {}
            (Lie::WrongProof, Some(message)) => said.push(with_message(&duty, &spoilt(&message, rng))),
            (Lie::Equivocate, Some(message)) => {
                said.push(duty.clone());
                said.push(with_message(&duty, &spoilt(&message, rng)));
            }
            (Lie::Copy, Some(message)) => {
                let other = pending.iter().filter_map(|signed| match &signed.tx.body {
                    Body::Dealer(tx) => message_of(tx),
                    _ => None,
                });
                // What others said in the same place, or else nothing but the truth would be left to say.
                let copied = other.into_iter().find(|other| same_kind(other, &message));
                said.push(copied.map_or(duty.clone(), |copied| with_message(&duty, &copied)));
            }
            (Lie::BadDkg, Some(message)) if matches!(message.place, Place::Dealing(_)) => {
                said.push(self.wrong_keys(state, &duty, &message).unwrap_or(duty));
            }
            (Lie::FalseComplaint, Some(message)) if matches!(message.place, Place::Ready(_)) => {
                said.push(self.wrong_keys(state, &duty, &message).unwrap_or(duty));
            }
            (
                Lie::Withhold
                | Lie::BadDkg
                | Lie::FalseComplaint
                | Lie::Censor
                | Lie::WrongProof
                | Lie::Equivocate
                | Lie::Copy,
                _,
            ) => said.push(duty),
        }
    }

    fn wrong_keys(&self, state: &State, duty: &Tx, message: &Message) -> Option<Tx> {
        let Tx::Keys { member, .. } = duty else { return None };
        let ceremony = state.store().get(&CeremonyKey())?;
        self.keeper.wrong_keys(ceremony, *member, message).map(|wrong| with_message(duty, &wrong))
    }
}

fn same_kind(a: &Message, b: &Message) -> bool {
    a.place == b.place && a.on == b.on && a != b
}

fn message_of(tx: &Tx) -> Option<Message> {
    match tx {
        Tx::Keys { message, .. } | Tx::Deck { message, .. } => dealing::decode(message).ok(),
        Tx::Beacon { .. } | Tx::ReportDealerWithholding { .. } | Tx::ReportDkgWithholding => None,
    }
}

fn with_message(tx: &Tx, instead: &Message) -> Tx {
    let mut tx = tx.clone();
    if let Tx::Keys { message, .. } | Tx::Deck { message, .. } = &mut tx {
        *message = dealing::encode(instead);
    }
    tx
}
