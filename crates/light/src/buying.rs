//! How many chips somebody can buy.

use chain::Coins;
use chain::tables::{Hand, Ring, Terms};
use table::Seat;

/// What stays in the account: sitting down costs a fee, and so does everything later.
const FOR_FEES: Coins = Coins(20_000);

/// Why somebody cannot buy chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotBought {
    /// So many are not sold here.
    Amount {
        /// As few as there may be.
        least: Coins,
        /// As many as there may be.
        most: Coins,
        /// What was wanted.
        wanted: Coins,
    },
    /// There is not enough money.
    Poor {
        /// What there is.
        has: Coins,
        /// What is needed: chips, the bond, and something for fees.
        needed: Coins,
        /// For so many chips.
        chips: Coins,
        /// With this bond.
        bond: Coins,
    },
    /// There are as many chips as the table allows.
    Full,
    /// There is no seat to buy them for.
    NoSeat,
}

/// How many chips somebody sits down with who wants so many, or as many as possible, and has so many coins.
///
/// # Errors
/// Says why they cannot.
pub fn buy_in(terms: &Terms, wanted: Option<Coins>, has: Coins) -> Result<Coins, NotBought> {
    let (least, most, bond) = (terms.min_buy_in, terms.max_buy_in, terms.player_bond);
    if let Some(wanted) = wanted.filter(|wanted| !(least..=most).contains(wanted)) {
        return Err(NotBought::Amount { least, most, wanted });
    }
    let spare = has.minus(bond + FOR_FEES).unwrap_or_default();
    let chips = wanted.unwrap_or_else(|| most.min(spare).max(least));
    if chips > spare {
        return Err(NotBought::Poor { has, needed: chips + bond + FOR_FEES, chips, bond });
    }
    Ok(chips)
}

/// How many chips somebody can still buy who sits there and has so many coins.
///
/// # Errors
/// Says why they cannot.
pub fn rebuy(ring: &Ring, hand: Option<&Hand>, seat: Seat, has: Coins) -> Result<Coins, NotBought> {
    let player = ring.player(seat).ok_or(NotBought::NoSeat)?;
    let in_hand = hand.filter(|hand| hand.seats().contains(seat)).map_or(Coins::ZERO, |hand| hand.stack(seat));
    let held = player.stack + player.rebuy + in_hand;
    let room = ring.terms.max_buy_in.minus(held).filter(|room| *room > Coins::ZERO).ok_or(NotBought::Full)?;
    let chips = room.min(has.minus(FOR_FEES).unwrap_or_default());
    if chips == Coins::ZERO || held + chips < ring.terms.min_buy_in {
        let chips = ring.terms.min_buy_in.minus(held).unwrap_or_default().max(Coins(1));
        return Err(NotBought::Poor { has, needed: chips + FOR_FEES, chips, bond: Coins::ZERO });
    }
    Ok(chips)
}
