//! What the engine noticed about validators who signed twice.

use arc_malachitebft_app_channel::app::types::MisbehaviorEvidence;
use arc_malachitebft_core_types::SignedMessage;
use chain::Hash;
use chain::staking::{Evidence, Vote};

use crate::context::{Ballot, Ctx, Proposal, Who};

/// One piece of evidence for every validator who signed twice: the chain punishes nobody twice for it.
pub(crate) fn evidence(chain: Hash, seen: &MisbehaviorEvidence<Ctx>) -> Vec<Evidence> {
    let votes = seen
        .votes
        .iter()
        .filter_map(|(who, pairs)| pairs.first().map(|pair| of(who, pair, |ballot: &Ballot| ballot.vote(chain))));
    let proposals = seen
        .proposals
        .iter()
        .filter_map(|(who, pairs)| pairs.first().map(|pair| of(who, pair, |proposal: &Proposal| proposal.vote(chain))));
    votes.chain(proposals).collect()
}

type Pair<M> = (SignedMessage<Ctx, M>, SignedMessage<Ctx, M>);

fn of<M>(who: &Who, (one, other): &Pair<M>, vote: impl Fn(&M) -> Vote) -> Evidence {
    let statement = |signed: &SignedMessage<Ctx, M>| (vote(&signed.message), signed.signature.0);
    Evidence { consensus: who.0, one: statement(one), other: statement(other) }
}
