//! How a committee is drawn: seat by seat, each validator with a chance as large as its stake.
//!
//! No validator gets more than N - t seats, so that none alone can withhold what opens a card. If there are too few
//! validators for that, they share the seats as evenly as they can.

use super::data::Member;
use super::params::threshold;
use crate::units::{Address, Coins, Hash, hash};

/// Draws a committee. `None` if nobody can be drawn.
pub fn draw(random: &Hash, epoch: u64, attempt: u32, members: u8, from: &[(Address, Coins)]) -> Option<Vec<Member>> {
    let eligible: Vec<(Address, Coins)> = from.iter().copied().filter(|(_, stake)| *stake > Coins::ZERO).collect();
    if eligible.is_empty() {
        return None;
    }
    let even = usize::from(members).div_ceil(eligible.len());
    let most = usize::from(members.saturating_sub(threshold(members))).max(even).max(1);
    let mut seats: Vec<(Address, Coins, usize)> = eligible.iter().map(|(who, stake)| (*who, *stake, 0)).collect();
    let mut drawn = Vec::new();
    for seat in 0..members {
        let open = || seats.iter().enumerate().filter(|(_, (_, _, has))| *has < most);
        let all: u128 = open().map(|(_, (_, stake, _))| u128::from(stake.0)).sum();
        let number = number(random, epoch, attempt, seat).checked_rem(all)?;
        let chosen = open().scan(0_u128, |sum, (i, (_, stake, _))| {
            *sum += u128::from(stake.0);
            Some((i, *sum))
        });
        let (chosen, _) = chosen.into_iter().find(|(_, sum)| number < *sum)?;
        let (who, _, has) = seats.get_mut(chosen)?;
        *has += 1;
        drawn.push(*who);
    }
    let member = |who: &Address| {
        let (_, stake, has) = seats.iter().find(|(address, ..)| address == who)?;
        let each = stake.0.checked_div(u64::try_from(*has).ok()?)?;
        Some(Member { validator: *who, stake: Coins(each) })
    };
    drawn.iter().map(member).collect()
}

/// A number far larger than any stake, so that the remainder is as good as uniform.
fn number(random: &Hash, epoch: u64, attempt: u32, seat: u8) -> u128 {
    let [epoch, attempt] = [epoch, attempt.into()].map(u64::to_le_bytes);
    let drawn = hash("fairdeal/chain/committee/v1", &[random, b"dealer", &epoch, &attempt, &[seat]]);
    let (half, _) = drawn.split_first_chunk().expect("32 bytes are at least 16");
    u128::from_le_bytes(*half)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn validators(stakes: &[u64]) -> Vec<(Address, Coins)> {
        (1..).zip(stakes).map(|(i, stake)| (Address([i; 32]), Coins(*stake))).collect()
    }

    fn seats(members: &[Member]) -> BTreeMap<u8, usize> {
        members.iter().fold(BTreeMap::new(), |mut seats, member| {
            *seats.entry(member.validator.0[0]).or_default() += 1;
            seats
        })
    }

    #[test]
    fn nobody_gets_enough_seats_to_withhold_a_card_alone() {
        let from = validators(&[1_000_000, 10, 10, 10, 10, 10, 10]);
        for random in 0..50 {
            let drawn = draw(&[random; 32], 1, 0, 16, &from).unwrap();
            assert_eq!(drawn.len(), 16);
            assert!(seats(&drawn).values().all(|seats| *seats <= 5), "{:?}", seats(&drawn));
        }
    }

    #[test]
    fn stake_decides_how_often_somebody_is_drawn() {
        let from = validators(&[300, 100, 100, 100, 100, 100, 100, 100]);
        let mut all = BTreeMap::new();
        for random in 0..200_u8 {
            for (who, seats) in seats(&draw(&[random; 32], 1, 0, 16, &from).unwrap()) {
                *all.entry(who).or_insert(0) += seats;
            }
        }
        let first = all[&1];
        let others: usize = all.iter().filter(|(who, _)| **who != 1).map(|(_, seats)| seats).sum::<usize>() / 7;
        assert!(first > 2 * others && first < 4 * others, "{first} and {others}");
    }

    #[test]
    fn a_chain_of_one_validator_gives_it_every_seat() {
        let drawn = draw(&[1; 32], 1, 0, 4, &validators(&[400])).unwrap();
        assert_eq!(seats(&drawn), BTreeMap::from([(1, 4)]));
        assert!(drawn.iter().all(|member| member.stake == Coins(100)), "its stake stands behind all of them");
        assert_eq!(draw(&[1; 32], 1, 0, 4, &[]), None);
    }

    #[test]
    fn another_number_epoch_or_attempt_draws_another_committee() {
        let from = validators(&[100; 20]);
        let base = draw(&[1; 32], 1, 0, 16, &from);
        assert_eq!(draw(&[1; 32], 1, 0, 16, &from), base);
        for other in [draw(&[2; 32], 1, 0, 16, &from), draw(&[1; 32], 2, 0, 16, &from), draw(&[1; 32], 1, 1, 16, &from)]
        {
            assert_ne!(other, base);
        }
    }
}
