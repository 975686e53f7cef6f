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

    /// How long so many parcels take at Geogram's pace, one every 500 ms.
    fn geogram(&self, name: &str) -> Option<String> {
        let parcels: u64 = self.get(name)?.parse().ok()?;
        Some(format!("{} s", parcels.div_ceil(2)))
    }

    /// A number of seconds.
    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.parse().ok()
    }

    fn row(&self) -> [Option<String>; HEAD.len()] {
        let plain = |name| self.get(name).map(str::to_owned);
        [
            plain("game"),
            plain("players"),
            plain("deals"),
            self.seconds("turn"),
            self.bytes("turn_bytes"),
            self.geogram("turn_parcels"),
            self.seconds("deal"),
            self.bytes("deal_bytes"),
            self.seconds("later"),
            self.seconds("longest"),
            self.seconds("busy"),
            self.bytes("later_bytes"),
            self.geogram("later_parcels"),
            plain("entries"),
            self.bytes("log_bytes"),
            self.seconds("computed"),
            self.seconds("stack"),
        ]
    }

    /// For four players there is a goal for the first cards, and one for those of later deals.
    fn goals(&self) -> Option<String> {
        let (first, later) = (self.number("turn")?, self.number("later")?);
        let met = |is_met: bool| if is_met { "met" } else { "missed" };
        (self.get("players") == Some("4")).then(|| {
            format!(
                "{}: first cards within {FIRST_CARDS} s: {}; later ones within {LATER_CARDS} s: {} on average, not in {} of {}",
                self.get("game").unwrap_or_default(),
                met(first <= FIRST_CARDS),
                met(later <= LATER_CARDS),
                self.get("over").unwrap_or("?"),
                self.get("deals").and_then(|deals| deals.parse::<u32>().ok()).map_or(0, |deals| deals.saturating_sub(1)),
            )
        })
    }
}

/// The goals for four players, in seconds.
const FIRST_CARDS: f64 = 10.0;
const LATER_CARDS: f64 = 2.0;

/// First turn: when, how many bytes went over the air until then, and how long the log until then takes at Geogram's pace to
/// one guest, calculated. Later deals: how long after the deal before it the first turn comes on average and at most, how
/// much of that is computing, and how many bytes a deal has. Then the log, and the computing of all programs together
/// and of BlueZ, D-Bus and btvirt alone.
const HEAD: [&str; 17] = [
    "game", "players", "deals", "turn", "bytes", "Geogram", "1st deal", "bytes", "later", "at most", "busy", "bytes",
    "Geogram", "entries", "log", "computed", "stack",
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
        self.0.iter().filter_map(Figures::goals).try_for_each(|goals| writeln!(f, "{goals}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_a_line_and_what_was_not_measured_is_missing() {
        let one = "game=holdem players=4 deals=10 turn=5.6 turn_bytes=76800 turn_parcels=301 later=1.9 longest=2.5 \
                   over=3 busy=1.8 later_bytes=77499";
        let table = Table(vec![Figures::read(one), Figures::read("game=bigc turn=4.6 nonsense =")]).to_string();
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines.len(), 4);
        let holdem = "holdem 4 10 5.6 s 77 kB 151 s - - 1.9 s 2.5 s 1.8 s 77 kB - - - - -";
        assert_eq!(lines[1], holdem.split(' ').collect::<Vec<_>>());
        assert_eq!(lines[2], "bigc - - 4.6 s - - - - - - - - - - - - -".split(' ').collect::<Vec<_>>());
        let goals = "holdem: first cards within 10 s: met; later ones within 2 s: met on average, not in 3 of 9";
        assert_eq!(lines[3].join(" "), goals);
        let width = |line: &str| line.chars().count();
        assert!(table.lines().take(3).all(|line| width(line) == width(table.lines().next().unwrap())));
    }
}
