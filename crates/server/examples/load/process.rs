//! The resources of a process, as Linux reports them.

use std::time::Duration;

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Linux counts the time of processes in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// A process, by its number.
#[derive(Clone, Copy)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// Its CPU time, in user mode and in the kernel.
    pub(crate) fn cpu(self) -> Result<Duration, Failed> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0))?;
        // The name before them may hold anything; after it, these are the 12th and the 13th word.
        let (_, rest) = stat.rsplit_once(')').ok_or("no name in stat")?;
        let mut words = rest.split_whitespace().skip(11);
        let mut ticks = || words.next().and_then(|word| word.parse::<u32>().ok()).ok_or("no times in stat");
        Ok(TICK * (ticks()? + ticks()?))
    }

    /// Its memory, in bytes.
    pub(crate) fn memory(self) -> Result<u64, Failed> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no memory in status")?;
        let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kibibytes * 1024)
    }
}
