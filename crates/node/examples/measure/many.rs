//! More and more tables, until blocks take twice as long as with one.

use std::time::{Duration, Instant};

use ::chain::client::Wallet;
use ::chain::{Event, tables};
use bots::Kind;
use node::bots::Bots;
use node::core::Shared;

use crate::Result;
use crate::chain::{Chain, Watch, cpu, secret};
use crate::stages::stages;

/// How many computers sit at a table.
const PLAYERS: u16 = 3;
/// The numbers of tables that are tried.
const TRIED: [u16; 8] = [1, 2, 4, 8, 16, 24, 32, 64];
/// How long each is measured.
const WINDOW: Duration = Duration::from_secs(30);

/// Prints a line for every number of tables.
pub(crate) async fn measure() -> Result<()> {
    let most = TRIED.iter().copied().max().unwrap_or(1);
    let accounts = (0..most * PLAYERS).map(|number| Wallet::new(&secret(number)).address());
    let mut chain = Chain::start(4, accounts, true, |_| {}).await?;
    let (name, shared) = (chain.genesis.chain(), chain.node(0)?.clone());
    println!("tables  block ms  longest  hands/minute  each  CPU s/block and node");
    let (mut bots, mut alone) = (Vec::new(), None);
    for tables in TRIED {
        chain.open_tables(tables.into()).await?;
        for table in bots.len()..usize::from(tables) {
            let table = u16::try_from(table).unwrap_or(u16::MAX);
            let secrets: Vec<[u8; 32]> = (table * PLAYERS..(table + 1) * PLAYERS).map(secret).collect();
            bots.push(Bots::new(name, u64::from(table) + 1, &secrets, Kind::Easy, [9; 32]));
        }
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let playing = tokio::spawn(play(shared.clone(), std::mem::take(&mut bots), stopped));
        let figures = window(&shared, usize::from(tables)).await;
        let _ = stop.send(true);
        bots = playing.await.map_err(|why| why.to_string())?;
        let figures = figures?;
        let per_minute = figures.hands * 60.0 / WINDOW.as_secs_f64();
        println!(
            "{tables:>6} {:>9.0} {:>8.0} {per_minute:>13.1} {:>5.1}  {:.3}",
            figures.block * 1000.0,
            figures.longest * 1000.0,
            per_minute / f64::from(tables),
            figures.cpu / 4.0,
        );
        let alone = *alone.get_or_insert(figures.block);
        if figures.block > 2.0 * alone {
            println!("with {tables} tables a block takes more than twice as long as with one");
            break;
        }
    }
    drop((bots, shared));
    let (_folder, home, genesis) = chain.stop().await?;
    println!("{}", stages(&home, &genesis)?);
    Ok(())
}

/// Computers at all tables: one look at the state after every block, for all of them.
async fn play(shared: Shared, mut bots: Vec<Bots>, stopped: tokio::sync::watch::Receiver<bool>) -> Vec<Bots> {
    let mut seen = shared.seen.clone();
    while !*stopped.borrow() && seen.changed().await.is_ok() {
        let (state, _) = shared.moment();
        for signed in bots.iter_mut().flat_map(|bots| bots.do_something(state.store())) {
            // What is refused is tried again after the next block.
            let _ = shared.submit(signed);
        }
    }
    bots
}

/// What was measured: seconds of a block, of the longest one, hands, and CPU seconds of a block.
struct Figures {
    block: f64,
    longest: f64,
    hands: f64,
    cpu: f64,
}

async fn window(shared: &Shared, tables: usize) -> Result<Figures> {
    let mut watch = Watch::new(shared);
    // Every table has ended a hand first, or two minutes have passed.
    let mut ended = std::collections::BTreeSet::new();
    let begin = Instant::now();
    while ended.len() < tables && begin.elapsed() < Duration::from_secs(120) {
        let (_, _, events) = watch.next().await?;
        ended.extend(events.iter().filter_map(ends));
    }
    let (begin, worked, first) = (Instant::now(), cpu(), shared.seen.borrow().height);
    let (mut before, mut height, mut longest, mut hands) = (begin, first, 0.0_f64, 0_u32);
    while begin.elapsed() < WINDOW {
        let (now, at, events) = watch.next().await?;
        hands += u32::try_from(events.iter().filter_map(ends).count()).unwrap_or(u32::MAX);
        longest = longest.max(now.saturating_duration_since(before).as_secs_f64());
        (before, height) = (now, at);
    }
    let blocks = f64::from(u32::try_from(height - first).unwrap_or(u32::MAX)).max(1.0);
    let block = begin.elapsed().as_secs_f64() / blocks;
    Ok(Figures { block, longest, hands: f64::from(hands), cpu: (cpu() - worked) / blocks })
}

fn ends(event: &Event) -> Option<u64> {
    match event {
        Event::Tables(tables::Event::HandCompleted { table, .. }) => Some(*table),
        _ => None,
    }
}
