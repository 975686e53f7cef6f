use super::*;
use crate::State;
use crate::testing::{Kit, STAKE, key};

/// A chain of four, with every block decided by all of them.
fn chain(blocks: usize) -> (Kit, Vec<Decided>) {
    let mut kit = Kit::new(4, 1);
    let mut decided = Vec::new();
    for _ in 0..blocks {
        let validators = crate::staking::validators(kit.state.store());
        kit.next_block(Vec::new());
        let header = kit.blocks.last().expect("there is one").header.clone();
        let certificate = signed(&header, &[0, 1, 2, 3]);
        decided.push(Decided { header, certificate, validators });
    }
    (kit, decided)
}

/// A certificate by the validators with these numbers.
fn signed(header: &Header, by: &[u16]) -> Certificate {
    let (chain, height, round, kind, block) = (header.chain, header.height, 0, Kind::Precommit, header.hash());
    let vote = Vote { chain, height, round, kind, block: Some(block) };
    let sign = |number: &u16| (Address(key(*number).verifying_key().to_bytes()), vote.sign(&key(*number)));
    Certificate { height, round, block, signatures: by.iter().map(sign).collect() }
}

const LONG: u64 = 1_000_000;

#[test]
fn blocks_are_followed_one_by_one_or_skipped() {
    let (kit, blocks) = chain(20);
    let mut light = Light::new(&kit.genesis);
    assert_eq!(*light.root(), State::new(&kit.genesis).store().root());
    for block in &blocks[..5] {
        light.follow(block, 0, LONG).unwrap();
    }
    let now = blocks[19].header.time;
    light.skip(&blocks[18].header, &blocks[19], now, LONG).unwrap();
    assert_eq!((light.height(), light.time()), (20, now));
    assert_eq!(*light.root(), blocks[19].header.root);
    // Never back.
    assert_eq!(light.skip(&blocks[8].header, &blocks[9], now, LONG), Err(Doubt::Height { next: 21 }));
    assert_eq!(light.follow(&blocks[19], 0, LONG), Err(Doubt::Height { next: 21 }));
}

#[test]
fn more_than_two_thirds_must_sign() {
    let (kit, blocks) = chain(1);
    let block = |by: &[u16]| Decided { certificate: signed(&blocks[0].header, by), ..blocks[0].clone() };
    let follow = |block: Decided| Light::new(&kit.genesis).follow(&block, 0, LONG);
    assert_eq!(follow(block(&[0, 1, 3])), Ok(()));
    let (signed, needed) = (Coins(2 * STAKE.0), Coins(8 * STAKE.0 / 3));
    assert_eq!(follow(block(&[0, 1])), Err(Doubt::Certificate(BadCertificate::Power { signed, needed })));
    let who = kit.consensus(1);
    assert_eq!(follow(block(&[0, 1, 1, 2])), Err(Doubt::Certificate(BadCertificate::Signer(who))), "once each");
    let stranger = Address(key(77).verifying_key().to_bytes());
    assert_eq!(follow(block(&[0, 1, 2, 77])), Err(Doubt::Certificate(BadCertificate::Signer(stranger))));
}

#[test]
fn a_changed_block_is_refused() {
    let (kit, blocks) = chain(3);
    let mut light = Light::new(&kit.genesis);
    light.follow(&blocks[0], 0, LONG).unwrap();
    let good = blocks[1].clone();
    let with = |change: fn(&mut Decided)| {
        let mut block = good.clone();
        change(&mut block);
        light.clone().follow(&block, 0, LONG).unwrap_err()
    };
    assert_eq!(with(|block| block.header.root = [9; 32]), Doubt::Certificate(BadCertificate::Block));
    assert_eq!(with(|block| block.header.chain = [9; 32]), Doubt::Chain);
    assert_eq!(with(|block| block.header.parent = [9; 32]), Doubt::Parent);
    assert_eq!(with(|block| block.header.height = 3), Doubt::Height { next: 2 });
    assert_eq!(with(|block| block.validators[0].1 = Coins(1)), Doubt::Validators);
    let round = with(|block| block.certificate.round = 1);
    assert!(matches!(round, Doubt::Certificate(BadCertificate::Signature(_))), "{round:?}");
    let forged = with(|block| block.certificate.signatures[2].1[5] ^= 1);
    assert!(matches!(forged, Doubt::Certificate(BadCertificate::Signature(_))), "{forged:?}");
    assert_eq!(light.follow(&good, 0, LONG), Ok(()));
}

#[test]
fn a_block_of_others_is_not_skipped_to() {
    let (kit, blocks) = chain(10);
    let (parent, block) = (&blocks[8].header, &blocks[9]);
    let light = Light::new(&kit.genesis);
    let skip = |parent: &Header, block: &Decided| light.clone().skip(parent, block, parent.time, LONG);
    assert_eq!(skip(parent, block), Ok(()));
    // Validators that somebody made up have decided their own block.
    let own = [90, 91, 92].map(|number| (Address(key(number).verifying_key().to_bytes()), STAKE));
    let mut fake_parent = parent.clone();
    let validators = own.to_vec();
    fake_parent.next_validators = set_hash(&validators);
    let header = Header { parent: fake_parent.hash(), ..block.header.clone() };
    let mut fake = Decided { certificate: signed(&header, &[90, 91, 92]), header, validators };
    let (signed_by, needed) = (Coins::ZERO, Coins(4 * STAKE.0 / 3));
    let too_little = |signed| Err(Doubt::Certificate(BadCertificate::Power { signed, needed }));
    assert_eq!(skip(&fake_parent, &fake), too_little(signed_by));
    // With one of the four it is still not more than a third.
    fake.validators.push((kit.consensus(0), STAKE));
    fake_parent.next_validators = set_hash(&fake.validators);
    fake.header.parent = fake_parent.hash();
    fake.certificate = signed(&fake.header, &[90, 91, 92, 0]);
    assert_eq!(skip(&fake_parent, &fake), too_little(STAKE));
    // Nor are they the validators of this block, if the parent does not say so.
    fake.header.parent = parent.hash();
    fake.certificate = signed(&fake.header, &[90, 91, 92, 0]);
    assert_eq!(skip(parent, &fake), Err(Doubt::Validators));
    assert_eq!(skip(&blocks[7].header, block), Err(Doubt::Parent));
    // Numbers that nobody can have are no more than wrong.
    fake.validators.iter_mut().for_each(|(_, power)| *power = Coins(u64::MAX));
    let mut far = Header { height: u64::MAX, next_validators: set_hash(&fake.validators), ..parent.clone() };
    fake.header.parent = far.hash();
    assert_eq!(skip(&far, &fake), Err(Doubt::Parent));
    far.height = parent.height;
    fake.header.parent = far.hash();
    fake.certificate = signed(&fake.header, &[90, 91, 92, 0]);
    assert_eq!(skip(&far, &fake), too_little(STAKE));
}

#[test]
fn an_old_anchor_is_worth_nothing() {
    let (kit, blocks) = chain(10);
    let mut light = Light::new(&kit.genesis);
    let (parent, block) = (&blocks[8].header, &blocks[9]);
    let age = block.header.time - kit.genesis.time;
    assert_eq!(light.skip(parent, block, block.header.time, age - 1), Err(Doubt::Expired));
    let first = blocks[0].header.time - kit.genesis.time;
    assert_eq!(light.clone().follow(&blocks[0], 0, first - 1), Err(Doubt::Expired), "not even the next one");
    assert_eq!(light.clone().follow(&blocks[0], 0, first), Ok(()));
    assert_eq!(light.skip(parent, block, block.header.time + 1, age), Err(Doubt::Expired));
    assert_eq!(light.skip(parent, block, 0, age), Ok(()), "a clock that is behind does no harm");
}
