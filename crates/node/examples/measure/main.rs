//! How fast a chain is on this machine: hands, tables and transfers, and what takes the time.
//!
//! `measure [hands] [tables] [transfers]`; everything without a word. Validators run in this process, each with its own
//! disk, and speak with each other over sockets of this machine. Players and those who send coins run here too, so they
//! share the processors with all validators: figures are those of one crowded machine, not of a network.
//!
//! - `chain`: validators, and what they did when
//! - `hands`: one table with computers
//! - `many`: more and more tables
//! - `transfers`: coins, as many as there is room for
//! - `idle`: the engine alone, with nodes that execute nothing
//! - `stages`: the blocks of a chain once more, with the time that each part takes

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a program that prints")]

mod chain;
mod hands;
mod idle;
mod many;
mod stages;
mod transfers;

use std::process::ExitCode;

type Result<T> = core::result::Result<T, String>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let known = ["hands", "tables", "transfers"];
    if let Some(word) = words.iter().find(|word| !known.contains(&word.as_str())) {
        eprintln!("unknown word {word:?}: expected hands, tables or transfers");
        return ExitCode::from(2);
    }
    let wanted = |word: &str| words.is_empty() || words.iter().any(|one| one == word);
    match measure(&wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(wanted: &dyn Fn(&str) -> bool) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|why| why.to_string())?;
    let processors = std::thread::available_parallelism().map_or(1, core::num::NonZero::get);
    println!("all validators, players and senders share {processors} processors\n");
    if wanted("hands") {
        println!("one table, six computers that play at once; seconds, median and longest");
        println!("{}", hands::HEAD);
        for (validators, seconds) in [(4, 60), (16, 90)] {
            println!("{}", runtime.block_on(hands::measure(validators, seconds))?);
        }
        println!(
            "cards: from the block that begins a hand, with its deck ready, to the block with enough shares for all"
        );
        println!(
            "next: from the end of a hand to the begin of the next; a pause of one block is a rule of the table\n"
        );
    }
    if wanted("tables") {
        println!("tables with three computers each, four validators");
        runtime.block_on(many::measure())?;
    }
    if wanted("transfers") {
        println!("transfers, blocks with room for 2,000");
        println!("{}", transfers::HEAD);
        for validators in [1, 4] {
            println!("{}", runtime.block_on(idle::measure(validators))?);
        }
        for (validators, everywhere) in [(1, true), (4, true), (4, false)] {
            println!("{}", runtime.block_on(transfers::measure(validators, everywhere))?);
        }
        println!("engine: nodes that execute and store nothing, and begin the next block at once");
        println!("everywhere: every node is given every transfer; at one: nodes pass them on to each other");
    }
    Ok(())
}
