use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::*;
use crate::{combine, share};

/// A ceremony of so many members, and their secrets.
fn ceremony(members: u16, threshold: u16, rng: &mut ChaCha8Rng) -> (Ceremony, Vec<Secret>) {
    let secrets: Vec<Secret> = (0..members).map(|_| Secret::random(rng)).collect();
    let keys = secrets.iter().map(Secret::public).collect();
    (Ceremony::new(Context::new([7; 32]).height(3), threshold, keys).unwrap(), secrets)
}

#[test]
fn any_t_members_use_the_key_that_nobody_has() {
    for (members, threshold) in [(2, 2), (3, 2), (4, 3), (7, 5), (16, 11)] {
        let rng = &mut ChaCha8Rng::seed_from_u64(1);
        let (ceremony, secrets) = ceremony(members, threshold, rng);
        let dealings: Vec<Dealing> =
            (0..members).map(|i| ceremony.deal(i, Polynomial::random(threshold, rng), rng).unwrap()).collect();
        let mut accepted = Vec::new();
        for (author, dealing) in (0..).zip(&dealings) {
            ceremony.check(author, dealing, &accepted).unwrap();
            accepted.push((author, dealing));
        }
        let group = ceremony.finish(&accepted).unwrap();
        let own: Vec<Secret> = (0..)
            .zip(&secrets)
            .map(|(me, secret)| {
                let received =
                    accepted.iter().map(|(author, d)| ceremony.receive(me, secret, *author, d, rng).unwrap());
                group.own(me, received.collect()).unwrap()
            })
            .collect();
        let c1 = Element::hashed("test", &[]);
        let context = Context::new([0; 32]);
        let shares: Vec<_> = (0..)
            .zip(&own)
            .map(|(me, own)| {
                let shares = share(&context.author(me), own, &[c1], rng);
                shares.verify(&context.author(me), group.share(me).unwrap(), &[c1]).unwrap();
                (id(me), *shares.points[0].point())
            })
            .collect();
        let t = usize::from(threshold);
        let first = combine(&shares[..t]).unwrap();
        let last = combine(&shares[shares.len() - t..]).unwrap();
        assert_eq!(first, last, "({members}, {threshold})");
    }
}
