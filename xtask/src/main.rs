//! The tasks of this workspace, one command each: `cargo xtask --help` lists them.
//!
//! Layout:
//! - `args`: the command line
//! - `suites`: the steps of `test`, `soak`, `bench`, `relay` and `chain`
//! - `fuzz`: the fuzz targets, one step each
//! - `deny`: what we may be built from
//! - `layers`: which crate may use which, and which must stay pure
//! - `manifests`: what `cargo metadata` says about our crates
//! - `steps`: runs steps in order, with headings and times
//! - `cargo`: one call of cargo
//! - `tools`: what tests need besides Rust, installed if missing
//! - `browser`: the browser tests
//! - `programs`: all test programs, several at a time
//! - `load`: the server under load, compared with others
//! - `module`: the module for private tables in browsers
//! - `running`: builds everything and starts it
//! - `private`: private tables, measured
//! - `ble`: private tables over Bluetooth, in an emulated machine
//!
//! It exits with 0 on success, 1 if a step failed and 2 for wrong usage.

mod args;
mod ble;
mod browser;
mod cargo;
mod deny;
mod fuzz;
mod layers;
mod load;
mod manifests;
mod module;
mod private;
mod programs;
mod running;
mod steps;
mod suites;
mod tools;

use std::error::Error;
use std::process::ExitCode;

use args::Task;

fn main() -> ExitCode {
    let task = match args::parse(std::env::args().skip(1)) {
        Ok(task) => task,
        Err(wrong) => {
            eprintln!("error: {wrong}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    match perform(task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> Result<(), Box<dyn Error>> {
    match task {
        Task::Help => println!("{}", args::USAGE),
        Task::Test => steps::run(suites::test())?,
        Task::Soak { filter: None } => {
            steps::run(suites::soak(None))?;
            fuzz::soak()?;
        }
        Task::Soak { filter: Some(filter) } if filter == "fuzz" => fuzz::soak()?,
        Task::Soak { filter } => steps::run(suites::soak(filter))?,
        Task::Bench { filter } => steps::run(suites::bench(filter))?,
        Task::Fuzz { seconds, targets } => fuzz::run(seconds, targets)?,
        Task::Browser { filter } => steps::run(suites::browser(filter))?,
        Task::Load { tables, seconds, peers } => load::run(tables, seconds, peers)?,
        Task::Private { peers } => private::run(peers)?,
        Task::Pages { tables } => private::in_browsers(&tables)?,
        Task::Chain { what } => steps::run(suites::chain(what))?,
        Task::Run { args } => running::run(args)?,
        Task::Module { twice: false } => drop(module::run()?),
        Task::Module { twice: true } => running::compare()?,
        Task::Ble { games } => ble::run(&games)?,
        Task::Relay => steps::run(suites::relay())?,
        Task::Layers => layers::run()?,
        Task::Deny => deny::run()?,
    }
    Ok(())
}
