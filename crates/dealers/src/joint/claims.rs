//! Many messages, checked together.
//!
//! A message that is awaited and builds on what the log says claims something that its proof must show. Claims of many
//! messages are checked in a few multiplications, which costs half as much as one by one. What a message builds on binds
//! everything that its proof is about. So a message whose claim was found true is correct wherever it is still awaited on
//! the same ground, and [`Ledger::receive_proven`] takes it without another look.

use dealing::{
    Claimed, ClaimedSealed, Context, Dealt, Deck, Element, SealedShares, Shares, ShuffleProof, Step, verify_chain,
    verify_sealed, verify_shares,
};
use table::record::By;
use table::{Rules, Table};

use super::fault::Verdict;
use super::ledger::Ledger;
use super::message::{Body, Message, Place};

/// What the proof of a message must show.
#[derive(Clone, Debug)]
pub enum Claim {
    /// That a deck was shuffled.
    Shuffle(Box<ShuffleClaim>),
    /// That these are shares of these cards.
    Shares(Box<SharesClaim>),
    /// That these are shares of these cards, sealed to these players.
    Sealed(Box<SealedClaim>),
}

/// That these are shares of these cards.
#[derive(Clone, Debug)]
pub struct SharesClaim {
    context: Context,
    public: Element,
    /// The first halves of the cards.
    cards: Vec<Element>,
    shares: Shares,
}

/// That these are shares of these cards, sealed to these players.
#[derive(Clone, Debug)]
pub struct SealedClaim {
    context: Context,
    public: Element,
    /// The first halves of the cards, and the keys of their owners.
    cards: Vec<Dealt>,
    sealed: SealedShares,
}

/// That a deck was shuffled.
#[derive(Clone, Debug)]
pub struct ShuffleClaim {
    context: Context,
    key: Element,
    before: Deck,
    after: Deck,
    proof: ShuffleProof,
}

impl Ledger {
    /// What this message claims, if it is awaited and builds on what the log says; `None` if it is void, if it is
    /// plainly wrong, or if there is nothing to gain from checking it with others.
    pub fn claim<R: Rules>(&self, table: Option<&Table<R>>, by: By, message: &Message) -> Option<Claim> {
        let joint = self.keys.joint()?;
        if self.left_out.contains(&by) || !self.terms.is_member(by) {
            return None;
        }
        match (message.place, &message.body) {
            (Place::Shuffle(number), Body::Shuffle(shuffled)) => {
                let deck = self.decks.get(number)?;
                if deck.turn(&self.left_out) != Some(by) || message.on != deck.ground(&joint.ground, number) {
                    return None;
                }
                let context = self.terms.context(joint.ground, by).deck(number).step(deck.steps());
                let (before, (after, proof)) = (self.cards(number)?.clone(), shuffled.as_ref().clone());
                Some(Claim::Shuffle(Box::new(ShuffleClaim { context, key: joint.key, before, after, proof })))
            }
            (Place::Shares(height) | Place::Sealed(height), body) => {
                table.filter(|table| table.height().0 == height)?;
                let docket = self.docket_at(height).filter(|docket| docket.ground == message.on)?;
                let context = self.terms.context(joint.ground, by).height(height);
                let public = joint.shares.get(&by)?.1;
                match body {
                    Body::Shares(shares) if docket.awaits_shares(&self.terms, by) => {
                        let cards = self.bases(&docket.to_share(&self.terms, by));
                        let claim = SharesClaim { context, public, cards, shares: shares.clone() };
                        Some(Claim::Shares(Box::new(claim)))
                    }
                    Body::Sealed(sealed) if docket.awaits_sealed(&self.terms, by) => {
                        let cards = self.dealt(&docket.to_seal(&self.terms))?;
                        let fits = cards.len() == sealed.cards.len();
                        let claim = SealedClaim { context, public, cards, sealed: sealed.clone() };
                        fits.then(|| Claim::Sealed(Box::new(claim)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The next message in the log, whose claim is known to be true.
    pub fn receive_proven<R: Rules>(&mut self, table: Option<&Table<R>>, by: By, message: Message) -> Verdict {
        match table {
            Some(table) => self.take(table, by, message, true),
            None => self.take_ahead(by, message, true),
        }
    }
}

/// Whether all of these claims are true.
pub fn all_true(claims: &[Claim]) -> bool {
    let (mut shares, mut sealed, mut shuffles) = (Vec::new(), Vec::new(), Vec::new());
    for claim in claims {
        match claim {
            Claim::Shuffle(claim) => shuffles.push(claim.as_ref()),
            Claim::Shares(claim) => {
                let SharesClaim { context, public, cards, shares: of } = claim.as_ref();
                shares.push(Claimed { context: *context, public, c1s: cards, shares: of });
            }
            Claim::Sealed(claim) => {
                let SealedClaim { context, public, cards, sealed: of } = claim.as_ref();
                sealed.push(ClaimedSealed { context: *context, public, cards, sealed: of });
            }
        }
    }
    all_shuffled(&shuffles)
        && (shares.is_empty() || verify_shares(&shares).is_ok())
        && (sealed.is_empty() || verify_sealed(&sealed).is_ok())
}

/// Steps that follow each other are checked as one chain.
fn all_shuffled(mut claims: &[&ShuffleClaim]) -> bool {
    while let Some((first, rest)) = claims.split_first() {
        let follows = |pair: &[&ShuffleClaim]| matches!(pair, [a, b] if a.key == b.key && a.after == b.before);
        let more = claims.windows(2).take_while(|pair| follows(pair)).count();
        let steps = core::iter::once(first).chain(rest.iter().take(more));
        let steps: Vec<Step<'_>> =
            steps.map(|one| Step { context: one.context, deck: &one.after, proof: &one.proof }).collect();
        if verify_chain(&first.key, &first.before, &steps).is_err() {
            return false;
        }
        claims = rest.get(more..).unwrap_or_default();
    }
    true
}
