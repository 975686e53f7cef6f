//! A ledger as it is stored: everything public that later messages depend on, and no proof.
//!
//! The log and the faults are not part of it; they are taken from a ledger before it is stored.

use std::collections::BTreeSet;

use cards::Pack;
use dealing::dkg::{Ceremony, Dealing};
use dealing::{Ciphertext, Deck, Element, MOST_CARDS, Malformed, Reader, Wire, write_counted};
use table::record::By;
use table::{Map, Seat, Seats, Slot};

use super::decks::{Decks, Lying, Shuffling, pack_id};
use super::docket::{Docket, Envelope, Given};
use super::keys::{Generation, Joint, Keys};
use super::ledger::Ledger;
use super::message::{WireBy, WireSlot};
use super::terms::{Keepers, MOST_MEMBERS, Terms};

/// The most decks that a stored ledger has.
const MOST_DECKS: usize = 16;

impl Wire for Ledger {
    fn write(&self, out: &mut Vec<u8>) {
        self.terms.write(out);
        write_all(self.left_out.iter().copied().map(WireBy), out);
        self.keys.write(out);
        self.decks.write(out);
        write_option(self.docket.as_ref(), out, |(height, docket), out| {
            height.write(out);
            docket.write(out);
        });
        self.given.write(out);
        write_all(self.owners.iter().map(|(slot, seat)| Pair(WireSlot(*slot), WireSeat(*seat))), out);
        write_all(self.points.iter().map(|(slot, point)| Pair(WireSlot(*slot), *point)), out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut ledger = Self::new(Terms::read(from)?);
        ledger.left_out = bys(from)?;
        ledger.keys = Keys::read_for(&ledger.terms, from)?;
        ledger.decks = Decks::read(from)?;
        ledger.docket = read_option(from, |from| Ok((u64::read(from)?, Docket::read(from)?)))?;
        ledger.given = Given::read(from)?;
        let owners: Vec<Pair<WireSlot, WireSeat>> = from.counted(0, MOST_CARDS)?;
        ledger.owners = owners.into_iter().map(|Pair(slot, seat)| (slot.0, seat.0)).collect();
        let points: Vec<Pair<WireSlot, Element>> = from.counted(0, MOST_CARDS)?;
        for Pair(slot, point) in points {
            if !ledger.learn(slot.0, point) {
                return Err(Malformed::Point);
            }
        }
        Ok(ledger)
    }
}

impl Wire for Terms {
    fn write(&self, out: &mut Vec<u8>) {
        self.session.write(out);
        write_all(self.players.iter().map(WireSeat), out);
        let (kind, members, threshold) = match self.keepers {
            Keepers::EveryPlayer => (0, 0, 0),
            Keepers::Players { threshold } => (1, 0, threshold),
            Keepers::Committee { members, threshold } => (2, members, threshold),
        };
        [kind, members, threshold].iter().for_each(|byte: &u8| byte.write(out));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let session = from.array()?;
        let players: Vec<WireSeat> = from.counted(0, MOST_MEMBERS.into())?;
        let keepers = match (u8::read(from)?, u8::read(from)?, u8::read(from)?) {
            (0, ..) => Keepers::EveryPlayer,
            (1, _, threshold) => Keepers::Players { threshold },
            (2, members, threshold) if members <= MOST_MEMBERS => Keepers::Committee { members, threshold },
            (other, ..) => return Err(Malformed::Unknown(other)),
        };
        Ok(Self { session, players: players.into_iter().map(|seat| seat.0).collect::<Seats>(), keepers })
    }
}

impl Keys {
    fn write(&self, out: &mut Vec<u8>) {
        write_all(self.announced.iter().map(|(by, keys)| Pair(WireBy(*by), Few(keys.clone()))), out);
        write_all(self.players.iter().map(|(seat, key)| Pair(WireSeat(*seat), *key)), out);
        write_option(self.bound.as_ref(), out, |bound, out| bound.write(out));
        out.push(u8::try_from(self.generations.len()).unwrap_or(u8::MAX));
        for generation in &self.generations {
            write_all(generation.ring.iter().copied().map(WireBy), out);
            let dealt = generation.dealings.iter().zip(generation.hashes.values());
            write_all(dealt.map(|((by, dealing), hash)| Pair(WireBy(*by), Pair(dealing.clone(), *hash))), out);
            write_all(generation.ready.iter().copied().map(WireBy), out);
        }
        write_option(self.joint.as_ref(), out, Joint::write);
    }

    fn read_for(terms: &Terms, from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let most = usize::from(MOST_MEMBERS);
        let announced: Vec<Pair<WireBy, Few>> = from.counted(0, most)?;
        let announced: Map<By, Vec<Element>> = announced.into_iter().map(|Pair(by, keys)| (by.0, keys.0)).collect();
        let players: Vec<Pair<WireSeat, Element>> = from.counted(0, most)?;
        let bound = read_option(from, |from| from.array())?;
        let mut generations = Vec::new();
        for number in 0..u8::read(from)?.min(2) {
            let ring: Vec<WireBy> = from.counted(0, most)?;
            let dealt: Vec<Pair<WireBy, Pair<Dealing, [u8; 32]>>> = from.counted(0, most)?;
            let ready = bys(from)?;
            let keys = announced.values().filter_map(|keys| keys.get(usize::from(number)).copied()).collect();
            let context = terms.context(bound.ok_or(Malformed::Short)?, By::House).step(number.into());
            let threshold = terms.threshold().ok_or(Malformed::Unknown(number))?;
            let ceremony = Ceremony::new(context, threshold.into(), keys).map_err(|_| Malformed::Unknown(number))?;
            let (mut dealings, mut hashes) = (Map::new(), Map::new());
            for Pair(by, Pair(dealing, hash)) in dealt {
                dealings.insert(by.0, dealing);
                hashes.insert(by.0, hash);
            }
            let ring = ring.into_iter().map(|by| by.0).collect();
            generations.push(Generation { ceremony, ring, dealings, hashes, ready });
        }
        let joint = read_option(from, Joint::read)?;
        let players = players.into_iter().map(|Pair(seat, key)| (seat.0, key)).collect();
        Ok(Self { announced, players, bound, generations, joint })
    }
}

impl Wire for Decks {
    fn write(&self, out: &mut Vec<u8>) {
        let decks: Vec<_> = self.iter().collect();
        u16::try_from(decks.len()).unwrap_or(u16::MAX).write(out);
        for (number, deck) in decks {
            number.write(out);
            deck.write(out);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut decks = Self::default();
        for _ in 0..from.length(0, MOST_DECKS)? {
            let number = u32::read(from)?;
            decks.restore(number, Shuffling::read(from)?);
        }
        Ok(decks)
    }
}

/// Shares of the beacon are not kept: only a deck whose order is known is ever stored.
impl Wire for Shuffling {
    fn write(&self, out: &mut Vec<u8>) {
        match &self.cards {
            Lying::One(card) => {
                out.push(1);
                card.write(out);
            }
            Lying::Many(deck) => {
                out.push(2);
                deck.write(out);
            }
        }
        write_option(self.order.as_deref(), out, |order, out| write_all(order.iter().copied().map(WireBy), out));
        u16::try_from(self.turn).unwrap_or(u16::MAX).write(out);
        self.steps.write(out);
        write_option(self.pack, out, |pack, out| out.extend_from_slice(&pack_id(pack)));
        out.push(self.ordered.into());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let cards = match u8::read(from)? {
            1 => Lying::One(Box::new(Ciphertext::read(from)?)),
            2 => Lying::Many(Deck::read(from)?),
            other => return Err(Malformed::Unknown(other)),
        };
        let order = read_option(from, |from| {
            let order: Vec<WireBy> = from.counted(0, MOST_MEMBERS.into())?;
            Ok(order.into_iter().map(|by| by.0).collect::<Vec<By>>())
        })?;
        let (turn, steps) = (u16::read(from)?.into(), u32::read(from)?);
        let pack = read_option(from, |from| pack(from.array()?))?;
        Ok(Self { cards, order, turn, steps, pack, ordered: flag(from)?, beacon: Map::new() })
    }
}

impl Wire for Docket {
    fn write(&self, out: &mut Vec<u8>) {
        write_all(self.deals.iter().map(|(slot, seat)| Pair(WireSlot(*slot), WireSeat(*seat))), out);
        write_all(self.opens.iter().map(|(slot, _)| WireSlot(*slot)), out);
        for (_, owner) in &self.opens {
            write_option(*owner, out, |seat, out| WireSeat(seat).write(out));
        }
        self.ground.write(out);
        write_all(self.shared.iter().copied().map(WireBy), out);
        write_all(self.sealed.iter().copied().map(WireBy), out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let deals: Vec<Pair<WireSlot, WireSeat>> = from.counted(0, MOST_CARDS)?;
        let slots: Vec<WireSlot> = from.counted(0, MOST_CARDS)?;
        let owner = |from: &mut Reader<'_>| read_option(from, |from| WireSeat::read(from).map(|seat| seat.0));
        let opens = slots.into_iter().map(|slot| Ok((slot.0, owner(from)?))).collect::<Result<_, Malformed>>()?;
        let deals = deals.into_iter().map(|Pair(slot, seat)| (slot.0, seat.0)).collect();
        Ok(Self { deals, opens, ground: from.array()?, shared: bys(from)?, sealed: bys(from)? })
    }
}

impl Wire for Given {
    fn write(&self, out: &mut Vec<u8>) {
        let shares = flat(&self.shares).map(|(slot, by, share)| Pair(WireSlot(slot), Pair(WireBy(by), *share)));
        write_many(shares, out);
        let sealed = flat(&self.sealed).map(|(slot, by, it)| Pair(WireSlot(slot), Pair(WireBy(by), Pair(it.k, it.e))));
        write_many(sealed, out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut given = Self::default();
        for Pair(slot, Pair(by, share)) in read_many::<Pair<WireSlot, Pair<WireBy, Element>>>(from)? {
            given.shares.or_insert_with(slot.0, Map::new).insert(by.0, share);
        }
        for Pair(slot, Pair(by, Pair(k, e))) in read_many::<Pair<WireSlot, Pair<WireBy, Pair<Element, Element>>>>(from)?
        {
            given.sealed.or_insert_with(slot.0, Map::new).insert(by.0, Envelope { k, e });
        }
        Ok(given)
    }
}

/// Two values, one after the other.
struct Pair<A, B>(A, B);

impl<A: Wire, B: Wire> Wire for Pair<A, B> {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self(A::read(from)?, B::read(from)?))
    }
}

/// The keys of one member.
struct Few(Vec<Element>);

impl Wire for Few {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(&self.0, out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.counted(1, 2).map(Self)
    }
}

struct WireSeat(Seat);

impl Wire for WireSeat {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.index().write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let index = u8::read(from)?;
        Seat::new(index).map(Self).ok_or(Malformed::Unknown(index))
    }
}

fn write_all<T: Wire>(values: impl Iterator<Item = T>, out: &mut Vec<u8>) {
    write_counted(&values.collect::<Vec<_>>(), out);
}

/// A list that may be longer than 65,535.
fn write_many<T: Wire>(values: impl Iterator<Item = T>, out: &mut Vec<u8>) {
    let values: Vec<T> = values.collect();
    u32::try_from(values.len()).unwrap_or(u32::MAX).write(out);
    values.iter().for_each(|value| value.write(out));
}

fn read_many<T: Wire>(from: &mut Reader<'_>) -> Result<Vec<T>, Malformed> {
    let len = usize::try_from(u32::read(from)?).map_err(|_| Malformed::Short)?;
    from.list(len)
}

fn write_option<T>(value: Option<T>, out: &mut Vec<u8>, write: impl FnOnce(T, &mut Vec<u8>)) {
    out.push(value.is_some().into());
    if let Some(value) = value {
        write(value, out);
    }
}

fn read_option<T>(
    from: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, Malformed>,
) -> Result<Option<T>, Malformed> {
    if flag(from)? { read(from).map(Some) } else { Ok(None) }
}

fn flag(from: &mut Reader<'_>) -> Result<bool, Malformed> {
    match u8::read(from)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Malformed::Unknown(other)),
    }
}

fn bys(from: &mut Reader<'_>) -> Result<BTreeSet<By>, Malformed> {
    Ok(from.counted::<WireBy>(0, 2 * usize::from(MOST_MEMBERS))?.into_iter().map(|by| by.0).collect())
}

fn flat<T>(map: &Map<Slot, Map<By, T>>) -> impl Iterator<Item = (Slot, By, &T)> {
    map.iter().flat_map(|(slot, by)| by.iter().map(|(by, value)| (*slot, *by, value)))
}

fn pack(id: [u8; 3]) -> Result<Pack, Malformed> {
    match id {
        [0, decks, jokers] => Pack::cards(decks, jokers),
        [1, faces, 0] => Pack::lots(faces),
        _ => None,
    }
    .ok_or(Malformed::Unknown(u8::MAX))
}
