//! Heights, votes, proposals and validators, as the engine wants them.

use core::fmt;

use arc_malachitebft_core_types as types;
use borsh::{BorshDeserialize, BorshSerialize};
use chain::staking::{Kind, Vote, proposer};
use chain::{Address, Coins, Hash};
use types::{LinearTimeouts, NilOrVal, Round, SignedExtension, VoteType};

use crate::app::Part;
use crate::signing::{Ed25519, Key};

/// The types of this chain.
#[derive(Clone, Debug)]
pub(crate) struct Ctx;

/// A height.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Height(pub(crate) u64);

impl fmt::Display for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl types::Height for Height {
    const ZERO: Self = Self(0);
    const INITIAL: Self = Self(1);
    fn increment_by(&self, n: u64) -> Self {
        Self(self.0.saturating_add(n))
    }
    fn decrement_by(&self, n: u64) -> Option<Self> {
        self.0.checked_sub(n).map(Self)
    }
    fn as_u64(&self) -> u64 {
        self.0
    }
}

/// A validator, by its consensus key.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Who(pub(crate) Address);

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl types::Address for Who {}

/// A block, by the hash of its header.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Named(pub(crate) Hash);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(4).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl types::Value for Named {
    type Id = Self;
    fn id(&self) -> Self {
        *self
    }
}

impl types::ProposalPart<Ctx> for Part {
    fn is_first(&self) -> bool {
        true
    }
    fn is_last(&self) -> bool {
        true
    }
}

/// A proposal.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Proposal {
    height: Height,
    round: Round,
    block: Named,
    valid_round: Round,
    by: Who,
}

impl Proposal {
    /// What is signed.
    pub(crate) fn vote(&self, chain: Hash) -> Vote {
        let kind = Kind::Proposal { valid_round: self.valid_round.as_u32() };
        let round = self.round.as_u32().unwrap_or(u32::MAX);
        Vote { chain, height: self.height.0, round, kind, block: Some(self.block.0) }
    }
}

impl types::Proposal<Ctx> for Proposal {
    fn height(&self) -> Height {
        self.height
    }
    fn round(&self) -> Round {
        self.round
    }
    fn value(&self) -> &Named {
        &self.block
    }
    fn take_value(self) -> Named {
        self.block
    }
    fn pol_round(&self) -> Round {
        self.valid_round
    }
    fn validator_address(&self) -> &Who {
        &self.by
    }
}

/// A vote.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ballot {
    kind: VoteType,
    height: Height,
    round: Round,
    block: NilOrVal<Named>,
    by: Who,
}

impl Ballot {
    /// What is signed.
    pub(crate) fn vote(&self, chain: Hash) -> Vote {
        let kind = match self.kind {
            VoteType::Prevote => Kind::Prevote,
            VoteType::Precommit => Kind::Precommit,
        };
        let block = match self.block {
            NilOrVal::Nil => None,
            NilOrVal::Val(Named(hash)) => Some(hash),
        };
        Vote { chain, height: self.height.0, round: self.round.as_u32().unwrap_or(u32::MAX), kind, block }
    }
}

impl types::Vote<Ctx> for Ballot {
    fn height(&self) -> Height {
        self.height
    }
    fn round(&self) -> Round {
        self.round
    }
    fn value(&self) -> &NilOrVal<Named> {
        &self.block
    }
    fn take_value(self) -> NilOrVal<Named> {
        self.block
    }
    fn vote_type(&self) -> VoteType {
        self.kind
    }
    fn validator_address(&self) -> &Who {
        &self.by
    }
    fn extension(&self) -> Option<&SignedExtension<Ctx>> {
        None
    }
    fn take_extension(&mut self) -> Option<SignedExtension<Ctx>> {
        None
    }
    /// Votes carry nothing else on this chain.
    fn extend(self, _: SignedExtension<Ctx>) -> Self {
        self
    }
}

/// A validator with its power.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    who: Who,
    key: Key,
    power: u64,
}

impl types::Validator<Ctx> for Member {
    fn address(&self) -> &Who {
        &self.who
    }
    fn public_key(&self) -> &Key {
        &self.key
    }
    fn voting_power(&self) -> u64 {
        self.power
    }
}

/// Everybody who decides a height, in the order of their keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Members {
    list: Vec<Member>,
    /// The same, as the chain has them.
    set: Vec<(Address, Coins)>,
}

impl Members {
    pub(crate) fn new(set: Vec<(Address, Coins)>) -> Self {
        let member =
            |(address, power): &(Address, Coins)| Member { who: Who(*address), key: Key(*address), power: power.0 };
        Self { list: set.iter().map(member).collect(), set }
    }

    /// Who proposes in this round.
    pub(crate) fn proposer(&self, height: u64, round: u32) -> Option<Address> {
        proposer(&self.set, height, round)
    }
}

impl types::ValidatorSet<Ctx> for Members {
    fn count(&self) -> usize {
        self.list.len()
    }
    fn total_voting_power(&self) -> u64 {
        self.list.iter().map(|member| member.power).sum()
    }
    fn get_by_address(&self, address: &Who) -> Option<&Member> {
        self.list.iter().find(|member| member.who == *address)
    }
    fn get_by_index(&self, index: usize) -> Option<&Member> {
        self.list.get(index)
    }
}

impl types::Context for Ctx {
    type Address = Who;
    type Height = Height;
    type ProposalPart = Part;
    type Proposal = Proposal;
    type Validator = Member;
    type ValidatorSet = Members;
    type Timeouts = LinearTimeouts;
    type Value = Named;
    type Vote = Ballot;
    type Extension = ();
    type SigningScheme = Ed25519;

    fn select_proposer<'a>(&self, members: &'a Members, height: Height, round: Round) -> &'a Member {
        let drawn = members.proposer(height.0, round.as_u32().unwrap_or(0));
        let drawn = drawn.and_then(|who| members.list.iter().find(|member| member.who.0 == who));
        drawn.or(members.list.first()).expect("a chain always has a validator")
    }

    fn new_proposal(&self, height: Height, round: Round, block: Named, valid_round: Round, by: Who) -> Proposal {
        Proposal { height, round, block, valid_round, by }
    }

    fn new_prevote(&self, height: Height, round: Round, block: NilOrVal<Named>, by: Who) -> Ballot {
        Ballot { kind: VoteType::Prevote, height, round, block, by }
    }

    fn new_precommit(&self, height: Height, round: Round, block: NilOrVal<Named>, by: Who) -> Ballot {
        Ballot { kind: VoteType::Precommit, height, round, block, by }
    }
}
