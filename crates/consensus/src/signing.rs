//! What validators sign: the votes of [`chain::staking`], so that the chain itself can judge them.

use arc_malachitebft_core_types::{SignedMessage, SigningScheme, ValidatorProof, VoteExtensionScope};
use arc_malachitebft_signing::{Error, Signer, VerificationResult, Verifier};
use async_trait::async_trait;
use borsh::{BorshDeserialize, BorshSerialize};
use chain::staking::Vote;
use chain::{Address, Hash};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::context::{Ballot, Ctx, Proposal};

/// A consensus key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key(pub(crate) Address);

/// A signature.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Sig(pub(crate) [u8; 64]);

/// Signatures of this chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ed25519;

impl SigningScheme for Ed25519 {
    type DecodingError = &'static str;
    type Signature = Sig;
    type PublicKey = Key;
    /// The engine never asks for one: see [`Pen`].
    type PrivateKey = ();

    fn decode_signature(bytes: &[u8]) -> Result<Sig, &'static str> {
        bytes.try_into().map(Sig).map_err(|_| "a signature has 64 bytes")
    }
    fn encode_signature(signature: &Sig) -> Vec<u8> {
        signature.0.to_vec()
    }
    fn decode_public_key(bytes: &[u8]) -> Result<Key, &'static str> {
        bytes.try_into().map(|key| Key(Address(key))).map_err(|_| "a key has 32 bytes")
    }
    fn encode_public_key(key: &Key) -> Vec<u8> {
        key.0.0.to_vec()
    }
}

/// Checks signatures of one chain.
pub(crate) struct Checker {
    pub(crate) chain: Hash,
}

fn result(vote: &Vote, signature: &Sig, key: &Key) -> Result<VerificationResult, Error> {
    Ok(VerificationResult::from_bool(vote.is_signed(&key.0, &signature.0)))
}

#[async_trait]
impl Verifier<Ctx> for Checker {
    async fn verify_signed_vote(&self, vote: &Ballot, sig: &Sig, key: &Key) -> Result<VerificationResult, Error> {
        result(&vote.vote(self.chain), sig, key)
    }

    async fn verify_signed_proposal(&self, it: &Proposal, sig: &Sig, key: &Key) -> Result<VerificationResult, Error> {
        result(&it.vote(self.chain), sig, key)
    }

    /// There are none on this chain.
    async fn verify_signed_vote_extension(
        &self,
        _: &VoteExtensionScope<Ctx>,
        (): &(),
        _: &Sig,
        _: &Key,
    ) -> Result<VerificationResult, Error> {
        Ok(VerificationResult::Invalid)
    }

    async fn verify_validator_proof(&self, proof: &ValidatorProof<Ctx>) -> Result<VerificationResult, Error> {
        let key: Option<[u8; 32]> = proof.public_key.as_slice().try_into().ok();
        let key = key.and_then(|key| VerifyingKey::from_bytes(&key).ok());
        let signature = Signature::from_bytes(&proof.signature.0);
        Ok(VerificationResult::from_bool(
            key.is_some_and(|key| key.verify_strict(&proof.preimage(), &signature).is_ok()),
        ))
    }
}

/// Signs for a validator. The engine's log sees to it that nothing is signed twice.
pub(crate) struct Pen {
    pub(crate) chain: Hash,
    pub(crate) key: SigningKey,
}

#[async_trait]
impl Signer<Ctx> for Pen {
    async fn sign_vote(&self, vote: Ballot) -> Result<SignedMessage<Ctx, Ballot>, Error> {
        let signature = Sig(vote.vote(self.chain).sign(&self.key));
        Ok(SignedMessage::new(vote, signature))
    }

    async fn sign_proposal(&self, proposal: Proposal) -> Result<SignedMessage<Ctx, Proposal>, Error> {
        let signature = Sig(proposal.vote(self.chain).sign(&self.key));
        Ok(SignedMessage::new(proposal, signature))
    }

    async fn sign_vote_extension(&self, _: VoteExtensionScope<Ctx>, (): ()) -> Result<SignedMessage<Ctx, ()>, Error> {
        Err(Error::new())
    }

    async fn sign_validator_proof(&self, key: Vec<u8>, peer: Vec<u8>) -> Result<ValidatorProof<Ctx>, Error> {
        let signature = self.key.sign(&ValidatorProof::<Ctx>::signing_bytes(&key, &peer)).to_bytes();
        Ok(ValidatorProof::new(key, peer, Sig(signature)))
    }
}
