//! Ways to cheat, for tests that cheats are caught.

use dealing::dkg::Polynomial;

use super::Node;
use crate::joint::message::{Body, Complaining, Message, Place};

impl Node {
    /// This dealing, but with a wrong share for somebody.
    pub fn wrong_dealing(&self, message: &Message) -> Option<Message> {
        let Place::Dealing(ceremony) = message.place else { return None };
        let generation = self.ledger.keys.generation(ceremony)?;
        let me = generation.number(self.me)?;
        let victim = u16::from(me == 0);
        let mut rng = self.rng(message.place, &message.on);
        let polynomial = Polynomial::random(generation.ceremony.threshold(), &mut rng);
        let dealing = generation.ceremony.deal_wrong(me, &polynomial, victim, &mut rng).ok()?;
        Some(Message { body: Body::Dealing(Box::new(dealing)), ..message.clone() })
    }

    /// A complaint about an honest dealer, with the best possible proof.
    pub fn false_complaint(&self, message: &Message) -> Option<Message> {
        let Place::Ready(ceremony) = message.place else { return None };
        let generation = self.ledger.keys.generation(ceremony)?;
        let me = generation.number(self.me)?;
        let mut rng = self.rng(message.place, &message.on);
        let (against, dealer, dealing) = generation.qualified(&self.ledger.left_out).find(|(by, ..)| *by != self.me)?;
        let key = self.key(ceremony.into());
        let complaint = generation.ceremony.complain_anyway(me, &key, dealer, dealing, &mut rng);
        Some(Message { body: Body::Complaints(vec![Complaining { against, complaint }]), ..message.clone() })
    }
}
