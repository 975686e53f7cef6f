//! `fairdeal chain sit`, `play`, `watch` and `leave`: a seat at a table.

use std::io::{IsTerminal as _, Write};
use std::time::{Duration, Instant};

use ::chain::client::{Hole, Player, Wallet};
use ::chain::tables::{self, HandOf, Ring, RingOf, SEATS};
use ::chain::{Coins, bank};
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use remote::Seen;
use remote::buying::{self, NotBought};
use serde_json::json;
use table::Seat;

use super::contact::Contact;
use super::desk::Desk;
use super::files::Files;
use super::wallet::{balance, tables_of};
use super::{auto, screen};
use crate::cli::{AtArgs, HowArgs, LeaveArgs, SeatArgs, SitArgs, WatchArgs};
use crate::failure::Failure;
use crate::keyring::random;
use crate::locale;
use crate::text::grouped;

/// How long somebody who leaves in the middle of a hand waits for its end.
const TO_END: Duration = Duration::from_secs(600);

/// `fairdeal chain sit`
pub(super) fn sit(args: &SitArgs, out: &mut impl Write) -> Result<(), Failure> {
    let at = &args.how.at;
    let wallet = Files::open(at.data.as_deref())?.wallet(at.passphrase_file.as_deref())?;
    let mut contact = Contact::open(at)?;
    let (seen, ring) = look(&mut contact, args.table, &wallet)?;
    if let Some(seat) = ring.seat_of(&wallet.address()) {
        writeln!(out, "You already have seat {} at table {}.", seat.index() + 1, args.table)?;
    } else {
        let seat = take(&mut contact, args, &wallet, (&seen, &ring))?;
        let (seen, ring) = look(&mut contact, args.table, &wallet)?;
        let player = ring.player(seat).ok_or_else(|| Failure::input("your seat is gone again"))?;
        // They may be in a hand by now, and their chips with them.
        let hand = seen.store.get(&HandOf(args.table)).filter(|hand| hand.seats().contains(seat));
        let in_hand = hand.map_or(Coins::ZERO, |hand| hand.stack(seat));
        let (chips, bond) = (grouped((player.stack + player.rebuy + in_hand).0), grouped(player.bond.0));
        writeln!(out, "You have seat {} with {chips} chips, and a bond of {bond}.", seat.index() + 1)?;
    }
    out.flush()?;
    if args.no_play || (args.how.auto.is_none() && screen_refused().is_some()) {
        let continues = "Play with `fairdeal chain play`. The table does not wait for you.";
        return Ok(writeln!(out, "{continues}")?);
    }
    go_on(contact, args.table, wallet, &args.how, out)
}

/// Takes a seat; which one.
fn take(contact: &mut Contact, args: &SitArgs, wallet: &Wallet, (seen, ring): (&Seen, &Ring)) -> Result<Seat, Failure> {
    let (table, address, chain) = (args.table, wallet.address(), contact.chain());
    let seat = args.seat.map(|seat| seat.saturating_sub(1));
    let free: Vec<String> = ring.free().iter().map(|seat| (seat.index() + 1).to_string()).collect();
    if free.is_empty() {
        return Err(Failure::input(format!("every seat at table {table} is taken")));
    }
    if seat.and_then(Seat::new).is_some_and(|seat| !ring.free().contains(seat)) {
        return Err(Failure::input(format!("somebody has that seat; free are {}", free.join(", "))));
    }
    let buy_in = affordable(ring, args.buy_in, bank::balance(&seen.store, &address))?;
    let hole = Hole::new(chain, table, contact.files.new_seat(&chain, table)?);
    let mut rng = ChaCha20Rng::from_seed(random()?);
    let sit = hole.sit(&address, seat, buy_in, &mut rng);
    let signed = wallet.pay(&seen.store, chain, sit.into());
    contact.carry_out(&signed)?;
    let (_, ring) = look(contact, table, wallet)?;
    ring.seat_of(&address).ok_or_else(|| {
        Failure::input("the node said that you sat down, but the table does not show it; try another --node")
    })
}

/// How many chips somebody buys with so many coins.
fn affordable(ring: &Ring, wanted: Option<Coins>, has: Coins) -> Result<Coins, Failure> {
    buying::buy_in(&ring.terms, wanted, has).map_err(|why| match why {
        NotBought::Amount { least, most, wanted } => {
            let (least, most) = (grouped(least.0), grouped(most.0));
            Failure::input(format!("you can buy {least} to {most} chips here, not {}", grouped(wanted.0)))
        }
        NotBought::Poor { has, needed, chips, bond } => Failure::input(format!(
            "you have {} coins, and need {}: {} for chips, a bond of {} that you get back, and something for fees; on a \
             chain to try out, `fairdeal chain wallet faucet` gives you some",
            grouped(has.0),
            grouped(needed.0),
            grouped(chips.0),
            grouped(bond.0),
        )),
        NotBought::Full | NotBought::NoSeat => Failure::input("you cannot buy chips here"),
    })
}

/// `fairdeal chain play`
pub(super) fn play(args: &SeatArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(why) = screen_refused().filter(|_| args.how.auto.is_none()) {
        return Err(Failure::input(format!("{why}; with --auto LEVEL a computer plays for you, without a screen")));
    }
    let at = &args.how.at;
    let wallet = Files::open(at.data.as_deref())?.wallet(at.passphrase_file.as_deref())?;
    let mut contact = Contact::open(at)?;
    let table = where_seated(&mut contact, &wallet, args.table)?;
    go_on(contact, table, wallet, &args.how, out)
}

/// Plays at a table where somebody has a seat.
fn go_on(mut contact: Contact, table: u64, wallet: Wallet, how: &HowArgs, out: &mut impl Write) -> Result<(), Failure> {
    let player = seated(&mut contact, table, wallet)?;
    let way_back = format!("fairdeal chain play {table}{}", options(&how.at));
    let desk = Desk::begin(contact, table, Some(player))?;
    match how.auto {
        Some(kind) => auto::play(&desk, kind, how.hands, out),
        None => screen::run(&desk, table, &how.look, &way_back, out),
    }
}

/// Somebody with a seat, and the key that their cards are sealed to.
fn seated(contact: &mut Contact, table: u64, wallet: Wallet) -> Result<Player, Failure> {
    let (_, ring) = look(contact, table, &wallet)?;
    let player = ring.seat_of(&wallet.address()).and_then(|seat| ring.player(seat));
    let player = player.ok_or_else(|| {
        Failure::input(format!("you have no seat at table {table}; take one with `fairdeal chain sit {table}`"))
    })?;
    let chain = contact.chain();
    let secret = contact.files.seat(&chain, table, &player.key)?;
    let secret = secret.ok_or_else(|| {
        Failure::input(format!(
            "you took this seat with another computer or data folder, which has the key to your cards; \
             play there, or leave with `fairdeal chain leave {table}`"
        ))
    })?;
    Ok(Player::new(wallet, Hole::new(chain, table, secret), chain, table))
}

/// `fairdeal chain watch`
pub(super) fn watch(args: &WatchArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(why) = screen_refused() {
        return Err(Failure::input(why));
    }
    let mut contact = Contact::open(&args.at)?;
    ring_of(&contact.table(args.table, &[])?, args.table)?;
    let way_back = format!("fairdeal chain watch {}{}", args.table, options(&args.at));
    let desk = Desk::begin(contact, args.table, None)?;
    screen::run(&desk, args.table, &args.look, &way_back, out)
}

/// `fairdeal chain leave`
pub(super) fn leave(args: &LeaveArgs, out: &mut impl Write) -> Result<(), Failure> {
    let at = &args.at;
    let wallet = Files::open(at.data.as_deref())?.wallet(at.passphrase_file.as_deref())?;
    let mut contact = Contact::open(at)?;
    let table = where_seated(&mut contact, &wallet, args.table)?;
    let (seen, ring) = look(&mut contact, table, &wallet)?;
    let (address, chain) = (wallet.address(), contact.chain());
    let seat = ring.seat_of(&address).ok_or_else(|| Failure::input(format!("you have no seat at table {table}")))?;
    let player = ring.player(seat).cloned();
    let before = bank::balance(&seen.store, &address);
    let mut paid = Coins::ZERO;
    if !player.as_ref().is_some_and(|player| player.leaving) {
        let signed = wallet.pay(&seen.store, chain, tables::Tx::Leave { table }.into());
        paid = signed.tx.fee;
        contact.carry_out(&signed)?;
    }
    let secret = player.map(|player| contact.files.seat(&chain, table, &player.key)).transpose()?.flatten();
    let mut absent = secret.map(|secret| Player::new(wallet, Hole::new(chain, table, secret), chain, table));
    let (begin, mut told) = (Instant::now(), args.json);
    loop {
        let seen = contact.table(table, &[address])?;
        if ring_of(&seen, table)?.seat_of(&address).is_none() {
            break;
        }
        if !std::mem::replace(&mut told, true) {
            writeln!(out, "You are in a hand, and leave after it.")?;
            out.flush()?;
        }
        if begin.elapsed() > TO_END {
            return Err(Failure::input("the hand takes long; you leave when it is over"));
        }
        // Nobody's time runs out because somebody wants to leave: they check or fold.
        if let Some(answer) = absent.as_mut().and_then(|player| player.act(&seen.store, &mut |_, _, _| None)) {
            contact.block(async |remote| match remote.submit(&answer).await {
                Ok(_) | Err(remote::Error::Refused { .. }) => Ok(()),
                Err(why) => Err(why),
            })?;
        }
    }
    let coins = balance(&mut contact, &address)?;
    contact.files.forget_seats(&chain, table);
    contact.keep()?;
    let returned = (coins + paid).minus(before).unwrap_or_default();
    if args.json {
        return Ok(writeln!(out, "{}", json!({ "table": table, "returned": returned.0, "coins": coins.0 }))?);
    }
    let (returned, coins) = (grouped(returned.0), grouped(coins.0));
    Ok(writeln!(out, "You left table {table}. {returned} coins came back, and you have {coins}.")?)
}

/// The table that is meant: the one that was named, or the only one where somebody has a seat.
fn where_seated(contact: &mut Contact, wallet: &Wallet, named: Option<u64>) -> Result<u64, Failure> {
    if let Some(table) = named {
        look(contact, table, wallet)?;
        return Ok(table);
    }
    let tables = tables_of(contact, &wallet.address())?;
    match tables.as_slice() {
        [only] => Ok(*only),
        [] => Err(Failure::input(
            "you have no seat at any table; `fairdeal chain tables` lists them, and `fairdeal chain sit TABLE` takes one",
        )),
        several => {
            let list: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(Failure::input(format!("you have seats at tables {}: name one of them", list.join(", "))))
        }
    }
}

/// A table with somebody's account, which must exist.
fn look(contact: &mut Contact, table: u64, wallet: &Wallet) -> Result<(Seen, Ring), Failure> {
    let seen = contact.table(table, &[wallet.address()])?;
    let ring = ring_of(&seen, table)?.clone();
    Ok((seen, ring))
}

fn ring_of(seen: &Seen, table: u64) -> Result<&Ring, Failure> {
    let none =
        || Failure::input(format!("there is no table {table}; `fairdeal chain tables` lists those that there are"));
    seen.store.get(&RingOf(table)).ok_or_else(none)
}

/// Why no screen can be shown, if none can.
fn screen_refused() -> Option<String> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Some("this needs a terminal".to_owned());
    }
    locale::no_screens()
}

/// What has to be said again to find the same chain and the same keys.
fn options(at: &AtArgs) -> String {
    let nodes: Vec<String> = at.nodes.iter().map(ToString::to_string).collect();
    let node = if nodes == ["127.0.0.1:27001"] { String::new() } else { format!(" --node {}", nodes.join(",")) };
    let data = at.data.as_deref().map(crate::options::data_option).unwrap_or_default();
    format!("{node}{data}")
}

/// What a seat is called: people know seats by their numbers.
pub(super) fn seat_name(seat: Seat) -> String {
    format!("Seat {}", seat.index() + 1)
}

/// Every seat of a table.
pub(super) fn all_seats() -> impl Iterator<Item = Seat> {
    (0..SEATS).filter_map(Seat::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::chain::Address;
    use ::chain::tables::Terms;

    #[test]
    fn somebody_buys_as_many_chips_as_the_table_allows_and_they_can_pay() {
        let ring = Ring::new(Terms::small("x"), Address([1; 32]), Coins::ZERO);
        let rich = Coins(1_000_000);
        assert_eq!(affordable(&ring, None, rich).ok(), Some(Coins(2_000)));
        assert_eq!(affordable(&ring, None, Coins(121_000)).ok(), Some(Coins(1_000)));
        assert_eq!(affordable(&ring, Some(Coins(900)), rich).ok(), Some(Coins(900)));
        for (wanted, has, says) in [
            (None, Coins(120_000), "you have 120,000 coins, and need 120,800"),
            (Some(Coins(2_000)), Coins(121_000), "you have 121,000 coins, and need 122,000"),
            (Some(Coins(700)), rich, "you can buy 800 to 2,000 chips here, not 700"),
        ] {
            let Err(Failure::Input(why)) = affordable(&ring, wanted, has) else { panic!("{wanted:?} is allowed") };
            assert!(why.contains(says), "{why}");
        }
    }
}
