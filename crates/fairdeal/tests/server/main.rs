//! The real server as a process, played over real sockets: killed, doubled, and attacked.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test program may stop at anything unexpected"
)]

#[path = "../../../server/tests/common/postgres.rs"]
#[allow(dead_code, reason = "other test programs use the rest")]
mod postgres;

mod crash;
mod described;
mod floods;
mod full;
mod hostile;
mod http;
mod instances;
mod limits;
mod logs;
mod options;
mod players;
mod private;
mod process;
mod programs;
mod upgrade;

/// How often something is done: a little in tests, as much as was promised in soak.
fn count(few: u32, many: u32) -> u32 {
    if std::env::var_os("FAIRDEAL_SOAK").is_some() { many } else { few }
}
