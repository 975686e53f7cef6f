//! The figures of the matches, as a table.

use std::collections::BTreeMap;
use std::fmt;

/// What the machine says about one match: `game=holdem players=4 …`. What it does not say is missing in the table.
pub(super) struct Figures(BTreeMap<String, String>);

impl Figures {
    pub(super) fn read(line: &str) -> Self {
        let parts = line.split_whitespace().filter_map(|part| part.split_once('='));
        Self(parts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn seconds(&self, name: &str) -> Option<String> {
        Some(format!("{} s", self.get(name)?))
    }

    /// Bytes in thousands.
    fn bytes(&self, name: &str) -> Option<String> {
        let bytes: u64 = self.get(name)?.parse().ok()?;
        Some(format!("{} kB", (bytes + 500) / 1000))
    }

    fn row(&self) -> [Option<String>; HEAD.len()] {
        let plain = |name| self.get(name).map(str::to_owned);
        [
            plain("game"),
            plain("players"),
            plain("deals"),
            self.seconds("turn"),
            self.bytes("turn_bytes"),
            self.seconds("deal"),
            self.bytes("deal_bytes"),
            self.seconds("later"),
            self.seconds("longest"),
            self.bytes("later_bytes"),
            plain("entries"),
            self.bytes("log_bytes"),
            self.seconds("computed"),
            self.seconds("stack"),
        ]
    }
}

/// First turn: when, and how many bytes went over the air until then. Later deals: how long after the deal before it the
/// first turn comes on average and at most, and how many bytes a deal has. Then the log, and the computing of all
/// programs together and of BlueZ, D-Bus and btvirt alone.
const HEAD: [&str; 14] = [
    "game", "players", "deals", "turn", "bytes", "1st deal", "bytes", "later", "at most", "bytes", "entries", "log",
    "computed", "stack",
];

/// A line for each match.
pub(super) struct Table(pub(super) Vec<Figures>);

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = HEAD.map(str::to_owned);
        let rows = self.0.iter().map(|figures| figures.row().map(|cell| cell.unwrap_or_else(|| "-".to_owned())));
        let lines: Vec<[String; HEAD.len()]> = std::iter::once(head).chain(rows).collect();
        for line in &lines {
            for (column, cell) in line.iter().enumerate() {
                let width = lines.iter().filter_map(|line| line.get(column)).map(String::len).max().unwrap_or_default();
                if column == 0 {
                    write!(f, "{cell:width$}")?;
                } else {
                    write!(f, "  {cell:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_a_line_and_what_was_not_measured_is_missing() {
        let one = "game=holdem players=4 deals=10 turn=5.6 turn_bytes=76800 later=1.9 longest=2.5 later_bytes=77499";
        let table = Table(vec![Figures::read(one), Figures::read("game=bigc turn=4.6 nonsense =")]).to_string();
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines.len(), 3);
        let holdem = "holdem 4 10 5.6 s 77 kB - - 1.9 s 2.5 s 77 kB - - - -";
        assert_eq!(lines[1], holdem.split(' ').collect::<Vec<_>>());
        assert_eq!(lines[2], "bigc - - 4.6 s - - - - - - - - - -".split(' ').collect::<Vec<_>>());
        let width = |line: &str| line.chars().count();
        assert!(table.lines().all(|line| width(line) == width(table.lines().next().unwrap())));
    }
}
