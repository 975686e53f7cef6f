//! Coins sent from account to account, as fast as blocks take them.

use std::time::{Duration, Instant};

use ::chain::bank::{self, AccountOf, gas};
use ::chain::client::Wallet;
use ::chain::{Address, Body, Coins, Event, Signed, State};
use node::core::Shared;

use crate::Result;
use crate::chain::{Chain, Watch, cpu, secret};
use crate::stages::stages;

/// The names of the columns.
pub(crate) const HEAD: &str =
    "                     validators  transfers/s  per block  block ms  CPU ms/block and node";
/// A block has room for so many.
pub(crate) const ROOM: u16 = 2_000;
/// Those who send.
const SENDERS: u16 = 256;
/// How many each of them sends at most, and how many of each may wait.
const EACH: u64 = 800;
const AHEAD: u64 = 60;
/// How long it is measured.
const WINDOW: Duration = Duration::from_secs(20);

/// Sends coins for a while, given to every node or to the first, and returns a line.
pub(crate) async fn measure(validators: u8, everywhere: bool) -> Result<String> {
    let wallets: Vec<Wallet> = (0..SENDERS).map(|number| Wallet::new(&secret(number))).collect();
    let one = transfer(&wallets, 0, 0, [0; 32], &State::new(&sample()?)).ok_or("there is a sender")?;
    let room = gas(&one).saturating_mul(ROOM.into());
    let accounts = wallets.iter().map(Wallet::address);
    // Half of a block is kept free for duties.
    let chain = Chain::start(validators, accounts, !everywhere, |params| params.bank.block_gas = 2 * room).await?;
    let first = State::new(&chain.genesis);
    let name = chain.genesis.chain();
    let lists: Vec<Vec<Signed>> = (0..wallets.len())
        .map(|from| (0..EACH).filter_map(|nonce| transfer(&wallets, from, nonce, name, &first)).collect())
        .collect();
    let lists = std::sync::Arc::new(lists);
    let addresses: Vec<Address> = wallets.iter().map(Wallet::address).collect();
    let mut feeding = Vec::new();
    for number in 0..if everywhere { chain.len() } else { 1 } {
        let (shared, lists, addresses) = (chain.node(number)?.clone(), lists.clone(), addresses.clone());
        feeding.push(tokio::task::spawn(feed(shared, lists, addresses)));
    }
    let shared = chain.node(0)?.clone();
    let mut watch = Watch::new(&shared);
    let warm = Instant::now();
    while warm.elapsed() < Duration::from_secs(5) {
        watch.next().await?;
    }
    let (begin, worked, from) = (Instant::now(), cpu(), shared.seen.borrow().height);
    let (mut height, mut sent) = (from, 0_u32);
    while begin.elapsed() < WINDOW {
        let (_, at, events) = watch.next().await?;
        let done = |event: &&Event| matches!(event, Event::Bank(bank::Event::Transferred { .. }));
        sent += u32::try_from(events.iter().filter(done).count()).unwrap_or(u32::MAX);
        height = at;
    }
    let (took, worked) = (begin.elapsed().as_secs_f64(), cpu() - worked);
    for feeding in feeding {
        feeding.abort();
        let _ = feeding.await;
    }
    drop((watch, shared));
    let blocks = f64::from(u32::try_from(height - from).unwrap_or(u32::MAX)).max(1.0);
    let (_folder, home, genesis) = chain.stop().await?;
    let how = if everywhere { "chain, everywhere" } else { "chain, at one node" };
    let line = line(how, validators, f64::from(sent) / took, blocks / took, worked / blocks);
    Ok(format!("{line}\n{}", stages(&home, &genesis)?))
}

/// A line of figures: transfers and blocks of a second, and CPU seconds of a block.
pub(crate) fn line(how: &str, validators: u8, sent: f64, blocks: f64, worked: f64) -> String {
    format!(
        "{how:<20} {validators:>10} {sent:>12.0} {:>10.0} {:>9.0}  {:.1}",
        sent / blocks,
        1000.0 / blocks,
        1000.0 * worked / f64::from(validators)
    )
}

/// Gives a node whatever has room there, after every block.
async fn feed(shared: Shared, lists: std::sync::Arc<Vec<Vec<Signed>>>, addresses: Vec<Address>) {
    let mut given: Vec<u64> = vec![0; lists.len()];
    let mut seen = shared.seen.clone();
    loop {
        let used: Vec<u64> = shared.look(|state| {
            let nonce = |who: &Address| state.store().get(&AccountOf(*who)).map_or(0, |account| account.nonce);
            addresses.iter().map(nonce).collect()
        });
        for ((list, given), used) in lists.iter().zip(&mut given).zip(used) {
            // What others have carried out already need not be given.
            *given = (*given).max(used);
            while *given < used + AHEAD {
                let next = usize::try_from(*given).ok().and_then(|next| list.get(next));
                let Some(signed) =
                    next.filter(|signed| tokio::task::block_in_place(|| shared.submit((*signed).clone())).is_ok())
                else {
                    break;
                };
                *given = signed.tx.nonce + 1;
            }
        }
        if seen.changed().await.is_err() {
            return;
        }
    }
}

/// A transfer of a coin to the next account.
pub(crate) fn transfer(wallets: &[Wallet], from: usize, nonce: u64, chain: [u8; 32], state: &State) -> Option<Signed> {
    let to = wallets.get((from + 1) % wallets.len())?.address();
    let body = Body::Bank(bank::Tx::Transfer { to, coins: Coins(1) });
    Some(wallets.get(from)?.pay_at(state.store(), chain, nonce, body))
}

/// Some genesis, to know what a transfer costs.
pub(crate) fn sample() -> Result<::chain::Genesis> {
    let first = Wallet::new(&[1; 32]).address();
    let genesis = ::chain::Genesis {
        name: "sample".into(),
        time: 0,
        params: ::chain::Params::default(),
        accounts: Vec::new(),
        validators: vec![::chain::FirstValidator { consensus: first, operator: first, stake: Coins(1_000_000) }],
    };
    genesis.check().map_err(|why| why.to_string())?;
    Ok(genesis)
}
