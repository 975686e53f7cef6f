//! Puts load on a running server: many tables of two, with every seat a program on a separate socket.
//!
//! ```text
//! fairdeal serve --listen 127.0.0.1:7000 --data DIR --messages-per-second 0 … &
//! load --at 127.0.0.1:7000 --pid $! --tables 2000 --seconds 10
//! ```
//!
//! The tables are created and started, memory is measured, everybody plays for a while, and then the actions within
//! the given time count. An action is counted, and its time taken, when the player who made it is told about it. It
//! prints one line of JSON. `cargo xtask load` does all of this, also with other servers.
//!
//! - `asked`: the command line
//! - `http`: as much of HTTP as it takes to create tables
//! - `bot`: one seat
//! - `process`: the resources of the server's process

mod asked;
mod bot;
mod http;
mod process;

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use asked::Asked;
use bot::{Bot, Course};
use process::Process;
use serde_json::{Value, json};

/// Why there is no result.
type Failed = Box<dyn std::error::Error + Send + Sync>;

/// How many tables are created at the same time.
const AT_ONCE: usize = 32;

fn main() -> Result<(), Failed> {
    let asked = asked::read(std::env::args().skip(1))?;
    // One thread, which leaves the rest of the machine to the server.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(load(&asked))?;
    writeln!(std::io::stdout(), "{result}")?;
    Ok(())
}

async fn load(asked: &Asked) -> Result<Value, Failed> {
    let process = asked.pid.map(Process);
    let empty = process.map(|process| process.memory()).transpose()?;
    let course = Arc::new(Course::new(asked.rate.map(|rate| interval(asked.tables, rate))));
    let began = Instant::now();
    let bots = sit_down(asked, &course).await?;
    let made = began.elapsed();
    course.wait_for_all(bots.len()).await?;
    let begun = process.map(|process| process.memory()).transpose()?;

    course.go();
    tokio::time::sleep(asked.warm_up).await;
    let (before, start) = (process.map(|process| process.cpu()).transpose()?, Instant::now());
    course.measure(true);
    tokio::time::sleep(asked.time).await;
    course.measure(false);
    let (took, after) = (start.elapsed(), process.map(|process| process.cpu()).transpose()?);
    let used = process.map(|process| process.memory()).transpose()?;
    course.stop();

    let mut times = Vec::new();
    let (mut ended, mut broken) = (0, 0);
    for bot in bots {
        let done = bot.await?;
        times.extend(done.times);
        ended += usize::from(done.over);
        broken += usize::from(done.broken);
    }
    times.sort_unstable();
    let cpu = before.zip(after).map(|(before, after)| after.saturating_sub(before).as_secs_f64());
    let actions = times.len();
    let per_table = |bytes: Option<u64>| {
        let more = bytes.zip(empty).map(|(bytes, empty)| bytes.saturating_sub(empty));
        more.zip(u64::try_from(asked.tables).ok()).and_then(|(more, tables)| more.checked_div(tables))
    };
    Ok(json!({
        "server": "fairdeal",
        "tables": asked.tables,
        "seconds": took.as_secs_f64(),
        "making_seconds": made.as_secs_f64(),
        "actions": actions,
        "per_second": count(actions) / took.as_secs_f64(),
        "cpu_seconds": cpu,
        "per_cpu_second": cpu.map(|cpu| count(actions) / cpu),
        "latency_ms": {
            "p50": part(&times, 50), "p90": part(&times, 90), "p99": part(&times, 99), "max": part(&times, 100),
        },
        "memory": { "empty": empty, "begun": begun, "played": used },
        "memory_per_table": { "begun": per_table(begun), "played": per_table(used) },
        "ended": ended,
        "broken": broken,
    }))
}

/// The time between two actions at one table, if all together make this many per second.
fn interval(tables: usize, rate: f64) -> Duration {
    Duration::from_secs_f64(count(tables) / rate)
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::INFINITY, f64::from)
}

/// The time within which this percentage was done, in milliseconds.
fn part(sorted: &[u32], hundredths: usize) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get(last * hundredths / 100).map(|micros| f64::from(*micros) / 1000.0)
}

/// Creates the tables and seats everybody; all matches have begun.
async fn sit_down(asked: &Asked, course: &Arc<Course>) -> Result<Vec<tokio::task::JoinHandle<bot::Played>>, Failed> {
    let next = Arc::new(AtomicU64::new(0));
    let all = u64::try_from(asked.tables)?;
    let makers: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (next, course, at) = (next.clone(), course.clone(), asked.at);
            tokio::spawn(async move {
                let mut bots = Vec::new();
                while next.fetch_add(1, Ordering::Relaxed) < all {
                    bots.extend(table(at, &course).await?);
                }
                Ok::<_, Failed>(bots)
            })
        })
        .collect();
    let mut bots = Vec::with_capacity(asked.tables * 2);
    for maker in makers {
        bots.extend(maker.await??);
    }
    Ok(bots)
}

/// Creates one table, with two programs at it.
async fn table(at: SocketAddr, course: &Arc<Course>) -> Result<[tokio::task::JoinHandle<bot::Played>; 2], Failed> {
    // One for every table, since a server does not keep idle connections.
    let mut http = http::Connection::open(at).await?;
    let first = http.post("/api/v1/players", None, r#"{"name":"Ada"}"#).await?;
    let second = http.post("/api/v1/players", None, r#"{"name":"Blaise"}"#).await?;
    let (first, second) = (bot::text(&first, "key")?, bot::text(&second, "key")?);
    // Seven cards each to begin with, and enough rounds that no match is over in the measured time.
    let wanted = json!({
        "game": "blackout", "players": 2, "sit": true, "pace": 0,
        "settings": { "start": 7, "max": 26, "end": 7, "action_timeout": 0 },
    });
    let made = http.post("/api/v1/tables", Some(first), &wanted.to_string()).await?;
    let id = bot::text(&made, "table")?;
    let due = Arc::new(course.first_due());
    let (mut first, second) = (
        Bot::open(at, id, first, course.clone(), due.clone()).await?,
        Bot::open(at, id, second, course.clone(), due).await?,
    );
    first.start().await?;
    Ok([tokio::spawn(first.play()), tokio::spawn(second.play())])
}
