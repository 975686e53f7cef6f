//! One table with computers that play at once.

use std::time::{Duration, Instant};

use ::chain::client::Wallet;
use ::chain::{Event, dealer, tables};
use bots::Kind;
use node::bots::Bots;

use crate::Result;
use crate::chain::{Chain, Watch, cpu, median_and_most, secret};
use crate::stages::stages;

/// The names of the columns.
pub(crate) const HEAD: &str = "validators  seats  hands  cards         hand          actions  next          blocks/s  \
                               hands/minute  CPU s/block and node";

/// How many computers play.
const PLAYERS: u16 = 6;

/// Plays for so many seconds after the first hand, and returns a line.
pub(crate) async fn measure(validators: u8, seconds: u64) -> Result<String> {
    let secrets: Vec<[u8; 32]> = (0..PLAYERS).map(secret).collect();
    let accounts = secrets.iter().map(|secret| Wallet::new(secret).address());
    let mut chain = Chain::start(validators, accounts, true, |_| {}).await?;
    let name = chain.genesis.chain();
    let shared = chain.node(0)?.clone();
    chain.open_tables(1).await?;
    let bots = tokio::spawn(Bots::new(name, 1, &secrets, Kind::Normal, [9; 32]).run(shared.clone(), Duration::ZERO));
    let mut watch = Watch::new(&shared);
    let mut times = Times::default();
    while times.ended.is_none() {
        let (now, _, events) = watch.next().await?;
        times.hear(now, &events);
    }
    let mut times = Times { ended: times.ended, ..Times::default() };
    let (begin, worked, first) = (Instant::now(), cpu(), shared.seen.borrow().height);
    let mut last = first;
    while begin.elapsed() < Duration::from_secs(seconds) {
        let (now, height, events) = watch.next().await?;
        times.hear(now, &events);
        last = height;
    }
    let (took, worked) = (begin.elapsed().as_secs_f64(), cpu() - worked);
    bots.abort();
    let _ = bots.await;
    drop((watch, shared));
    let blocks = f64::from(u32::try_from(last - first).unwrap_or(u32::MAX));
    let hands = times.whole.len();
    let per_minute = f64::from(u32::try_from(hands).unwrap_or(u32::MAX)) * 60.0 / took;
    let actions = f64::from(times.actions) / f64::from(u32::try_from(hands.max(1)).unwrap_or(u32::MAX));
    let (cards, whole, next) =
        (median_and_most(times.cards), median_and_most(times.whole), median_and_most(times.next));
    let each = worked / blocks / f64::from(validators);
    let (_folder, home, genesis) = chain.stop().await?;
    let line = format!(
        "{validators:>10} {:>6} {hands:>6}  {:>5.2} {:>5.2}   {:>5.2} {:>5.2}  {actions:>8.1}  {:>5.2} {:>5.2}  {:>8.2}  \
         {per_minute:>12.1}  {each:.3}",
        validators.max(4),
        cards.0,
        cards.1,
        whole.0,
        whole.1,
        next.0,
        next.1,
        blocks / took,
    );
    Ok(format!("{line}\n{}", stages(&home, &genesis)?))
}

/// When something happened at the table.
#[derive(Default)]
struct Times {
    begun: Option<Instant>,
    ended: Option<Instant>,
    actions: u32,
    cards: Vec<f64>,
    whole: Vec<f64>,
    next: Vec<f64>,
}

impl Times {
    fn hear(&mut self, now: Instant, events: &[Event]) {
        let since = |then: Instant| now.saturating_duration_since(then).as_secs_f64();
        for event in events {
            match event {
                Event::Tables(tables::Event::HandStarted { .. }) => {
                    self.next.extend(self.ended.take().map(since));
                    self.begun = Some(now);
                }
                Event::Dealer(dealer::Event::HoleCardsReady { .. }) => self.cards.extend(self.begun.map(since)),
                Event::Tables(tables::Event::ActionApplied { .. }) if self.begun.is_some() => self.actions += 1,
                Event::Tables(tables::Event::HandCompleted { .. }) => {
                    self.whole.extend(self.begun.take().map(since));
                    self.ended = Some(now);
                }
                _ => {}
            }
        }
    }
}
