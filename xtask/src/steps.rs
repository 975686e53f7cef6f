//! Runs steps in order, each under a heading, stops at the first failure and says how long each took.

use std::fmt;
use std::time::{Duration, Instant};

use crate::cargo::Cargo;
use crate::{browser, deny, layers, module, programs, tools};

pub(crate) struct Step {
    name: String,
    work: Work,
    repeat: String,
}

enum Work {
    Cargo(Cargo),
    Layers,
    Deny,
    Tools,
    Programs { checks: Vec<(&'static str, Cargo)> },
    Module,
    Browser { filter: Option<String> },
}

/// The step that failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) name: String,
    why: String,
    repeat: String,
}

impl Step {
    pub(crate) fn cargo(name: impl Into<String>, call: Cargo) -> Self {
        Self { name: name.into(), repeat: call.to_string(), work: Work::Cargo(call) }
    }

    pub(crate) fn layers() -> Self {
        Self { name: "layers".to_owned(), work: Work::Layers, repeat: "cargo xtask layers".to_owned() }
    }

    pub(crate) fn deny() -> Self {
        Self { name: "deny".to_owned(), work: Work::Deny, repeat: "cargo xtask deny".to_owned() }
    }

    pub(crate) fn tools() -> Self {
        Self { name: "tools".to_owned(), work: Work::Tools, repeat: "cargo xtask test".to_owned() }
    }

    pub(crate) fn module() -> Self {
        Self { name: "module".to_owned(), work: Work::Module, repeat: "cargo xtask module".to_owned() }
    }

    pub(crate) fn browser(filter: Option<String>) -> Self {
        let repeat = match &filter {
            None => "cargo xtask browser".to_owned(),
            Some(filter) => format!("cargo xtask browser {filter}"),
        };
        Self { name: "browser tests".to_owned(), work: Work::Browser { filter }, repeat }
    }

    /// All tests, and beside them checks that take long.
    pub(crate) fn programs(checks: Vec<(&'static str, Cargo)>) -> Self {
        Self { name: "tests".to_owned(), work: Work::Programs { checks }, repeat: "cargo xtask test".to_owned() }
    }

    /// Sets the command that repeats the step, if it is not its own call.
    pub(crate) fn repeated_by(self, line: impl fmt::Display) -> Self {
        Self { repeat: line.to_string(), ..self }
    }

    fn run(&self) -> Result<(), String> {
        match &self.work {
            Work::Cargo(call) => call.run().map_err(|broken| broken.to_string()),
            Work::Module => module::run().map(drop).map_err(|failed| failed.to_string()),
            Work::Tools => tools::run().map_err(|missing| missing.to_string()),
            Work::Programs { checks } => programs::run(checks).map_err(|failed| failed.to_string()),
            Work::Browser { filter } => browser::run(filter.as_deref()).map_err(|failed| failed.to_string()),
            Work::Layers => layers::run().map_err(|failed| failed.to_string()),
            Work::Deny => deny::run().map_err(|failed| failed.to_string()),
        }
    }
}

/// Headings and times go to stderr, like cargo's output, so that a log has the right order.
pub(crate) fn run(steps: Vec<Step>) -> Result<(), Failed> {
    let count = steps.len();
    let mut times = Vec::with_capacity(count);
    for (number, step) in (1..).zip(&steps) {
        eprintln!("\n=== {number}/{count} {}: {}", step.name, step.repeat);
        let start = Instant::now();
        let result = step.run();
        times.push(start.elapsed());
        if let Err(why) = result {
            eprint!("\n{}", Summary { steps: &steps, times: &times, ended: "FAILED" });
            return Err(Failed { name: step.name.clone(), why, repeat: step.repeat.clone() });
        }
    }
    eprint!("\n{}", Summary { steps: &steps, times: &times, ended: "ok" });
    Ok(())
}

/// A row per step with its result; `ended` is the result of the last step that ran.
struct Summary<'a> {
    steps: &'a [Step],
    times: &'a [Duration],
    ended: &'static str,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.steps.iter().map(|step| step.name.chars().count()).max();
        let width = longest.unwrap_or_default().max("total".len());
        for (i, step) in self.steps.iter().enumerate() {
            let name = &step.name;
            match self.times.get(i) {
                None => writeln!(f, "{name:width$}  {:>9}  not run", "-")?,
                Some(time) => {
                    let word = if i + 1 == self.times.len() { self.ended } else { "ok" };
                    writeln!(f, "{name:width$}  {}  {word}", Seconds(*time))?;
                }
            }
        }
        writeln!(f, "{:width$}  {}", "total", Seconds(self.times.iter().sum()))
    }
}

struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7.1} s", self.0.as_secs_f64())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, why, repeat } = self;
        write!(f, "step `{name}` failed ({why}); to repeat it:\n    {repeat}")
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_distinguishes_failed_steps_from_those_that_never_ran() {
        let steps = ["fmt", "clippy", "tests"].map(|name| Step::cargo(name, Cargo::new(name)));
        let times = [Duration::from_millis(300), Duration::from_secs(61)];
        let summary = Summary { steps: &steps, times: &times, ended: "FAILED" };
        let expected = "fmt         0.3 s  ok\n\
                        clippy     61.0 s  FAILED\n\
                        tests           -  not run\n\
                        total      61.3 s\n";
        assert_eq!(summary.to_string(), expected);
    }
}
