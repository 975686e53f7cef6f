//! What colluding members could read, for tests that fewer than needed read nothing.

use cards::Card;
use dealing::{Point, combine};
use table::Slot;

use super::keys::PLAYER_KEY;
use super::node::Node;

impl Node {
    /// What these nodes make of a card with everything they have heard and all their secrets; `None` if that is
    /// not a card.
    pub fn pry(together: &[&Self], slot: Slot) -> Option<Card> {
        let ledger = together.first()?.ledger();
        let joint = ledger.keys.joint()?;
        let card = ledger.decks.card(slot)?;
        let mut shares = ledger.given.public(slot);
        for node in together {
            if let Some(secret) = node.shares.get(&0) {
                shares.insert(node.me(), card.c1.point() * secret.scalar());
            }
        }
        let read = |factor: Point| ledger.decks.face(&(card.c2.point() - factor).into());
        if ledger.terms().threshold().is_none() {
            return read(shares.values().sum());
        }
        let numbered: Vec<_> =
            shares.iter().filter_map(|(by, share)| Some((joint.shares.get(by)?.0, *share))).collect();
        let from = ledger.given.sealers(ledger.terms(), slot);
        let sealed = from.and_then(|from| ledger.given.sealed_sum(joint, slot, &from));
        let unsealed = together.iter().find_map(|node| {
            let (k, e) = sealed?;
            read(e.point() - k.point() * node.key(PLAYER_KEY).scalar())
        });
        unsealed.or_else(|| combine(&numbered).and_then(read))
    }
}
