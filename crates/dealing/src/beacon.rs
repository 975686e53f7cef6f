//! Random numbers that nobody can choose: a threshold VRF.

use rand::CryptoRng;

use crate::equality::Equality;
use crate::{Context, Element, Invalid, Malformed, Reader, Secret, Transcript, Wire, combine};

/// One member's contribution to the random number of an epoch: 128 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contribution {
    point: Element,
    proof: Equality,
}

/// Contributes to the random number of the epoch that is the context's height.
pub fn contribute(context: &Context, secret: &Secret, rng: &mut impl CryptoRng) -> Contribution {
    let (images, proof) = Equality::prove(transcript(context), secret, &[base(context)], rng);
    Contribution { point: images.first().copied().unwrap_or_else(Element::identity), proof }
}

impl Contribution {
    /// Checks that it is this member's.
    pub fn verify(&self, context: &Context, public: &Element) -> Result<(), Invalid> {
        self.proof.verify(transcript(context), public, &[base(context)], &[self.point])
    }
}

/// The random number of an epoch, from at least `threshold` verified contributions, each with the
/// member's [`id`](crate::dkg::id). `None` if they are too few, an id is 0, or one is there twice.
pub fn output(context: &Context, threshold: u16, contributions: &[(u16, &Contribution)]) -> Option<[u8; 32]> {
    if contributions.len() < usize::from(threshold) {
        return None;
    }
    let points: Vec<_> = contributions.iter().map(|(id, one)| (*id, *one.point.point())).collect();
    let mut hash = Transcript::new("fairdeal/beacon/output/v1", &place(context));
    hash.element("value", &Element::from(combine(&points)?));
    hash.output("output").first_chunk().copied()
}

/// The element that stands for an epoch.
fn base(context: &Context) -> Element {
    Element::hashed("fairdeal/beacon/v1", &[&context.session, &context.height.to_le_bytes()])
}

fn transcript(context: &Context) -> Transcript {
    Transcript::new("fairdeal/beacon/contribute/v1", context)
}

/// What is the same for all contributors.
const fn place(context: &Context) -> Context {
    Context::new(context.session).height(context.height)
}

impl Wire for Contribution {
    fn write(&self, out: &mut Vec<u8>) {
        self.point.write(out);
        self.proof.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { point: Element::read(from)?, proof: Equality::read(from)? })
    }
}
