//! `fairdeal chain wallet`: an account, and what is in it.

use std::io::Write;
use std::path::Path;

use ::chain::bank::{self, AccountOf};
use ::chain::client::Wallet;
use ::chain::store::Key as _;
use ::chain::tables::{self, RingOf};
use ::chain::{Address, Coins, hex};
use results::Secret;
use serde_json::json;
use zeroize::Zeroizing;

use super::contact::{Contact, short};
use super::files::{Files, understood};
use crate::cli::{AtArgs, WalletArgs, WalletCommand};
use crate::durable::{self, Readers};
use crate::failure::Failure;
use crate::keyring::random;
use crate::passphrase::{ask, passphrase, read_line};
use crate::text::{grouped, shown};

/// The most tables that are looked through for seats.
pub(super) const MOST_TABLES: u64 = 1_000;

pub(super) fn run(args: WalletArgs, out: &mut impl Write) -> Result<(), Failure> {
    let WalletArgs { command, at, json } = args;
    let files = Files::open(at.data.as_deref())?;
    match command {
        WalletCommand::New { protect } => {
            files.refuse_second()?;
            let secret = fresh()?;
            keep(&files, &secret, protect, &at)?;
            introduce(&files, &secret, json, out)
        }
        WalletCommand::Import { file } => {
            files.refuse_second()?;
            let secret = import(file.as_deref(), &at)?;
            keep(&files, &secret.0, secret.1, &at)?;
            introduce(&files, &secret.0, json, out)
        }
        WalletCommand::Export { secret: false, .. } => {
            Err(Failure::input("this prints the key of your wallet, and whoever has it has your coins: add --secret"))
        }
        WalletCommand::Export { secret: true, output } => {
            let secret = files.secret(at.passphrase_file.as_deref())?;
            export(&secret.hex(), output.as_deref(), json, out)
        }
        WalletCommand::Show => show(&files, &at, json, out),
        WalletCommand::Faucet => faucet(&files, &at, json, out),
        WalletCommand::Send { to, coins } => send(&files, &at, to, coins, json, out),
    }
}

/// A new secret.
fn fresh() -> Result<Secret, Failure> {
    loop {
        // All but a few of 2^128 can also be protected by a passphrase.
        if let Ok(secret) = Secret::from_bytes(&Zeroizing::new(random::<32>()?)) {
            return Ok(secret);
        }
    }
}

fn keep(files: &Files, secret: &Secret, protect: bool, at: &AtArgs) -> Result<(), Failure> {
    let passphrase = protect.then(|| passphrase(at.passphrase_file.as_deref(), true)).transpose()?;
    files.keep_wallet(secret, passphrase.as_ref().map(|text| text.as_str()))
}

/// A key from a backup, and whether it was protected there.
fn import(file: Option<&Path>, at: &AtArgs) -> Result<(Secret, bool), Failure> {
    let line = match file {
        Some(path) if path.as_os_str() != "-" => {
            let file = std::fs::File::open(path).map_err(|why| Failure::file(path, "read", &why))?;
            read_line(&mut std::io::BufReader::new(file))?
        }
        _ => ask("Key of the wallet (64 hexadecimal digits, or ncryptsec1…; it is not shown): ")?,
    };
    let text = line.trim();
    let secret = understood(text, at.passphrase_file.as_deref())?;
    Ok((secret, text.starts_with("ncryptsec1")))
}

fn export(text: &Zeroizing<String>, output: Option<&Path>, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    match output {
        Some(path) => {
            let line = Zeroizing::new(format!("{}\n", **text));
            durable::create(path, line.as_bytes(), Readers::Owner).map_err(|why| match why.kind() {
                std::io::ErrorKind::AlreadyExists => Failure::input(format!("{}: the file exists", path.display())),
                _ => Failure::file(path, "write", &why),
            })
        }
        None if json => Ok(writeln!(out, "{}", json!({ "secret": **text }))?),
        None => Ok(writeln!(out, "{}", **text)?),
    }
}

fn introduce(files: &Files, secret: &Secret, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let (address, file) = (Wallet::new(secret.bytes()).address(), files.wallet_file());
    if json {
        writeln!(out, "{}", json!({ "address": address.to_string(), "file": file.display().to_string() }))?;
        return Ok(());
    }
    writeln!(out, "address  {address}")?;
    writeln!(out, "kept in  {}", file.display())?;
    writeln!(out, "Make a backup: without this file nobody gets your coins back, and whoever has it has them.")?;
    Ok(writeln!(out, "Next: `fairdeal chain wallet faucet` on a chain to try out, or have somebody send you coins.")?)
}

/// A seat that somebody has.
struct Taken {
    table: u64,
    label: String,
    seat: u8,
    chips: Coins,
    bond: Coins,
}

fn show(files: &Files, at: &AtArgs, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let address = files.wallet(at.passphrase_file.as_deref())?.address();
    let mut contact = match Contact::open(at) {
        Ok(contact) => contact,
        // The address is known all the same: somebody may want to tell it to a friend.
        Err(Failure::Input(why)) if !json => {
            writeln!(out, "address  {address}")?;
            out.flush()?;
            return Err(Failure::Input(why));
        }
        Err(why) => return Err(why),
    };
    let coins = balance(&mut contact, &address)?;
    let seats = seats(&mut contact, &address)?;
    contact.keep()?;
    let light = &contact.remote.anchor().light;
    let block = format!("{}:{}", light.height(), hex(light.hash()));
    if json {
        let seats = seats.iter().map(|taken| {
            let Taken { table, label, seat, chips, bond } = taken;
            json!({ "table": table, "label": label, "seat": seat, "chips": chips.0, "bond": bond.0 })
        });
        let all = json!({
            "address": address.to_string(), "chain": hex(&contact.chain()), "name": contact.name, "coins": coins.0,
            "seats": seats.collect::<Vec<_>>(), "block": block,
        });
        return Ok(writeln!(out, "{all}")?);
    }
    writeln!(out, "address  {address}")?;
    writeln!(out, "chain    {} ({})", contact.name, short(&contact.chain()))?;
    writeln!(out, "coins    {}", grouped(coins.0))?;
    for Taken { table, label, seat, chips, bond } in &seats {
        let (chips, bond) = (grouped(chips.0), grouped(bond.0));
        writeln!(out, "table {table}  {}: seat {seat}, {chips} chips, and a bond of {bond}", shown(label))?;
    }
    Ok(writeln!(out, "block    {block}")?)
}

/// What an account has, proven.
pub(super) fn balance(contact: &mut Contact, address: &Address) -> Result<Coins, Failure> {
    let key = AccountOf(*address).bytes();
    let seen = contact.block(async |remote| remote.see(&[key]).await)?;
    Ok(bank::balance(&seen.store, address))
}

/// The tables where somebody has a seat.
pub(super) fn tables_of(contact: &mut Contact, address: &Address) -> Result<Vec<u64>, Failure> {
    let lobby = contact.block(async |remote| remote.lobby(1, MOST_TABLES).await)?;
    Ok(lobby.iter().filter(|listed| listed.players.contains(address)).map(|listed| listed.table).collect())
}

fn seats(contact: &mut Contact, address: &Address) -> Result<Vec<Taken>, Failure> {
    let mut seats = Vec::new();
    for table in tables_of(contact, address)? {
        let seen = contact.table(table, &[*address])?;
        let Some(ring) = seen.store.get(&RingOf(table)) else { continue };
        let Some((seat, player)) = ring.seat_of(address).and_then(|seat| Some((seat, ring.player(seat)?))) else {
            continue;
        };
        let chips = tables::stack(&seen.store, table, seat) + player.rebuy;
        let (label, seat) = (ring.terms.label.clone(), seat.index() + 1);
        seats.push(Taken { table, label, seat, chips, bond: player.bond });
    }
    Ok(seats)
}

fn faucet(files: &Files, at: &AtArgs, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let address = files.wallet(at.passphrase_file.as_deref())?.address();
    let mut contact = Contact::open(at)?;
    let before = balance(&mut contact, &address)?;
    let id = contact.block(async |remote| remote.faucet(&address).await)?;
    let most = super::contact::TO_DECIDE;
    let arrived = contact.block(async |remote| remote.await_receipt(&id, most).await)?;
    let coins = balance(&mut contact, &address)?;
    contact.keep()?;
    if coins <= before {
        return Err(Failure::input(format!("the node said that it sent you coins, but none have come: {arrived}")));
    }
    let got = Coins(coins.0.saturating_sub(before.0));
    if json {
        return Ok(writeln!(out, "{}", json!({ "got": got.0, "coins": coins.0 }))?);
    }
    writeln!(out, "You got {} coins and have {}.", grouped(got.0), grouped(coins.0))?;
    Ok(writeln!(
        out,
        "Next: `fairdeal chain tables` lists the tables, `fairdeal chain sit 1` takes a seat at table 1."
    )?)
}

fn send(
    files: &Files,
    at: &AtArgs,
    to: Address,
    coins: Coins,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let wallet = files.wallet(at.passphrase_file.as_deref())?;
    let address = wallet.address();
    let mut contact = Contact::open(at)?;
    let key = AccountOf(address).bytes();
    let seen = contact.block(async |remote| remote.see(&[key]).await)?;
    let signed = wallet.pay(&seen.store, contact.chain(), bank::Tx::Transfer { to, coins }.into());
    let has = bank::balance(&seen.store, &address);
    if has < coins + signed.tx.fee {
        let (has, needed, fee) = (grouped(has.0), grouped((coins + signed.tx.fee).0), grouped(signed.tx.fee.0));
        return Err(Failure::input(format!("you have {has} coins, and this needs {needed} with the fee of {fee}")));
    }
    contact.carry_out(&signed)?;
    let left = balance(&mut contact, &address)?;
    contact.keep()?;
    if json {
        return Ok(writeln!(out, "{}", json!({ "sent": coins.0, "fee": signed.tx.fee.0, "coins": left.0 }))?);
    }
    let (sent, fee, left) = (grouped(coins.0), grouped(signed.tx.fee.0), grouped(left.0));
    Ok(writeln!(out, "Sent {sent} coins to {to}, for a fee of {fee}. You have {left}.")?)
}
