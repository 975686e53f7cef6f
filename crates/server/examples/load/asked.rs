//! The command line.

use std::net::SocketAddr;
use std::time::Duration;

use super::Failed;

const USAGE: &str =
    "load --at ADDRESS [--pid PID] [--tables N] [--seconds N] [--warm-up SECONDS] [--rate ACTIONS_A_SECOND]";

/// The options.
pub(crate) struct Asked {
    /// Where the server listens.
    pub(crate) at: SocketAddr,
    /// Its process.
    pub(crate) pid: Option<u32>,
    pub(crate) tables: usize,
    /// How long to measure.
    pub(crate) time: Duration,
    /// How long to play before that.
    pub(crate) warm_up: Duration,
    /// Actions per second of all seats together; without it, everybody acts at once.
    pub(crate) rate: Option<f64>,
}

pub(crate) fn read(mut args: impl Iterator<Item = String>) -> Result<Asked, Failed> {
    let mut at = None;
    let mut asked = Asked {
        at: SocketAddr::from(([127, 0, 0, 1], 7777)),
        pid: None,
        tables: 2000,
        time: Duration::from_secs(10),
        warm_up: Duration::from_secs(3),
        rate: None,
    };
    while let Some(name) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match name.as_str() {
            "--at" => at = Some(value.parse()?),
            "--pid" => asked.pid = Some(value.parse()?),
            "--tables" => asked.tables = value.parse()?,
            "--seconds" => asked.time = Duration::try_from_secs_f64(value.parse()?)?,
            "--warm-up" => asked.warm_up = Duration::try_from_secs_f64(value.parse()?)?,
            "--rate" => asked.rate = Some(value.parse()?),
            _ => return Err(USAGE.into()),
        }
    }
    asked.at = at.ok_or(USAGE)?;
    Ok(asked)
}
