//! Messages as bytes: borsh throughout. How many bytes there are is limited by the network before they come here.

use arc_malachitebft_app_channel::app::types::codec::{Codec, HasEncodedLen};
use arc_malachitebft_core_consensus::{LivenessMsg, ProposedValue, SignedConsensusMsg};
use arc_malachitebft_core_types::{
    ExtendedCommitCertificate, ExtendedCommitSignature, PolkaCertificate, Round, ValidatorProof,
};
use arc_malachitebft_engine::util::streaming::StreamMessage;
use arc_malachitebft_sync::{RawDecidedValue, Request, Response, Status, ValueResponse};
use borsh::io;
use bytes::Bytes;
use chain::light::Certificate;

use crate::app::Part;
use crate::context::{Ctx, Height, Named, Who};
use crate::signing::Sig;

/// The encoding of everything that the engine sends and stores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Borsh;

macro_rules! as_they_are {
    ($($message:ty),+ $(,)?) => {$(
        impl Codec<$message> for Borsh {
            type Error = io::Error;
            fn decode(&self, bytes: Bytes) -> Result<$message, io::Error> {
                borsh::from_slice(&bytes)
            }
            fn encode(&self, message: &$message) -> Result<Bytes, io::Error> {
                borsh::to_vec(message).map(Bytes::from)
            }
        }
    )+};
}

as_they_are! {
    Part,
    StreamMessage<Part>,
    SignedConsensusMsg<Ctx>,
    LivenessMsg<Ctx>,
    ProposedValue<Ctx>,
    PolkaCertificate<Ctx>,
    Status<Ctx>,
    Request<Ctx>,
}

impl Codec<ValidatorProof<Ctx>> for Borsh {
    type Error = io::Error;
    fn decode(&self, bytes: Bytes) -> Result<ValidatorProof<Ctx>, io::Error> {
        let (key, peer, signature) = borsh::from_slice(&bytes)?;
        Ok(ValidatorProof::new(key, peer, signature))
    }
    fn encode(&self, proof: &ValidatorProof<Ctx>) -> Result<Bytes, io::Error> {
        borsh::to_vec(&(&proof.public_key, &proof.peer_id, &proof.signature)).map(Bytes::from)
    }
}

/// Decided blocks on their way to a node that lacks them.
type History = (Height, Vec<(Vec<u8>, Certificate)>);

impl Codec<Response<Ctx>> for Borsh {
    type Error = io::Error;
    fn decode(&self, bytes: Bytes) -> Result<Response<Ctx>, io::Error> {
        let (start, values): History = borsh::from_slice(&bytes)?;
        let value = |(block, certificate)| RawDecidedValue::new(Bytes::from(block), to_engine(certificate));
        Ok(Response::ValueResponse(ValueResponse::new(start, values.into_iter().map(value).collect())))
    }
    fn encode(&self, Response::ValueResponse(response): &Response<Ctx>) -> Result<Bytes, io::Error> {
        let value = |value: &RawDecidedValue<Ctx>| (value.value_bytes.to_vec(), to_chain(&value.certificate));
        let history: History = (response.start_height, response.values.iter().map(value).collect());
        borsh::to_vec(&history).map(Bytes::from)
    }
}

impl HasEncodedLen<Response<Ctx>> for Borsh {
    fn encoded_len(&self, response: &Response<Ctx>) -> Result<usize, io::Error> {
        self.encode(response).map(|bytes| bytes.len())
    }
}

/// A certificate as the engine has it.
pub(crate) fn to_engine(certificate: Certificate) -> ExtendedCommitCertificate<Ctx> {
    let Certificate { height, round, block, signatures } = certificate;
    let signature = |(who, signature)| ExtendedCommitSignature::new(Who(who), Sig(signature), None);
    ExtendedCommitCertificate {
        height: Height(height),
        round: Round::new(round),
        value_id: Named(block),
        commit_signatures: signatures.into_iter().map(signature).collect(),
    }
}

/// A certificate as the chain has it.
pub(crate) fn to_chain(certificate: &ExtendedCommitCertificate<Ctx>) -> Certificate {
    Certificate {
        height: certificate.height.0,
        round: certificate.round.as_u32().unwrap_or(u32::MAX),
        block: certificate.value_id.0,
        signatures: certificate.commit_signatures.iter().map(|one| (one.address.0, one.signature.0)).collect(),
    }
}
