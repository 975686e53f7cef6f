//! Reads hands as PokerStars writes them, as trackers do: counts every chip from the lines alone.

use std::collections::BTreeMap;

/// What a hand says, line by line.
#[derive(Default)]
struct Counted {
    stacks: BTreeMap<String, i64>,
    /// On this street.
    put: BTreeMap<String, i64>,
    collected: BTreeMap<String, i64>,
    pot: i64,
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

impl Counted {
    fn pay(&mut self, name: &str, amount: i64, on_street: bool) {
        *self.stacks.get_mut(name).unwrap() -= amount;
        self.pot += amount;
        if on_street {
            *self.put.entry(name.to_owned()).or_default() += amount;
        }
    }

    /// What a player does.
    fn act(&mut self, name: &str, says: &str) {
        let (says, all_in) = match says.strip_suffix(" and is all-in") {
            Some(says) => (says, true),
            None => (says, false),
        };
        let words: Vec<&str> = says.split(' ').collect();
        match words.as_slice() {
            ["posts", "the", "ante", amount] => self.pay(name, number(amount), false),
            ["posts", .., amount] | ["calls" | "bets", amount] => self.pay(name, number(amount), true),
            ["raises", by, "to", to] => {
                let highest = self.put.values().copied().max().unwrap_or_default();
                assert!(number(to) - number(by) >= highest, "a raise is on top of the bet: {name}: {says}");
                self.pay(name, number(to) - self.put.get(name).copied().unwrap_or_default(), true);
            }
            ["folds" | "checks"] | ["shows", ..] | ["mucks", "hand"] | ["doesn't", "show", "hand"] => {}
            _ => panic!("what does {name} do? {says}"),
        }
        let spends = matches!(words.first(), Some(&("posts" | "calls" | "bets" | "raises")));
        // An ante may be followed by a blind, which then says it.
        if spends && words.get(1) != Some(&"the") {
            assert_eq!(self.stacks[name] == 0, all_in, "{name}: {says}");
        }
    }

    fn line(&mut self, line: &str) {
        if line.starts_with("*** FLOP") || line.starts_with("*** TURN") || line.starts_with("*** RIVER") {
            self.put.clear();
        } else if let Some(rest) = line.strip_prefix("Uncalled bet (") {
            let (amount, name) = rest.split_once(") returned to ").unwrap();
            *self.stacks.get_mut(name).unwrap() += number(amount);
            self.pot -= number(amount);
        } else if let Some((name, rest)) = line.split_once(" collected ") {
            let (amount, _) = rest.split_once(" from ").unwrap();
            *self.collected.entry(name.to_owned()).or_default() += number(amount);
        } else if let Some((name, says)) = line.split_once(": ") {
            self.act(name, says);
        }
    }
}

/// The stacks at the end, by name.
pub(crate) fn stacks(text: &str) -> BTreeMap<String, i64> {
    let mut counted = Counted::default();
    let (play, summary) = text.split_once("*** SUMMARY ***\n").expect("there is a summary");
    let mut lines = play.lines();
    assert!(lines.next().unwrap().starts_with("PokerStars Hand #"), "{text}");
    assert!(lines.next().unwrap().ends_with(" is the button"), "{text}");
    for line in lines {
        match line.strip_prefix("Seat ").and_then(|rest| rest.split_once(": ")) {
            Some((_, rest)) => {
                let (name, stack) = rest.strip_suffix(" in chips)").unwrap().rsplit_once(" (").unwrap();
                counted.stacks.insert(name.to_owned(), number(stack));
            }
            None => counted.line(line),
        }
    }
    let collected: i64 = counted.collected.values().sum();
    assert_eq!(collected, counted.pot, "what was paid is collected\n{text}");
    let total = summary.strip_prefix("Total pot ").unwrap();
    let (total, parts) = total
        .lines()
        .next()
        .unwrap()
        .strip_suffix(" | Rake 0")
        .unwrap()
        .split_once(' ')
        .unwrap_or((total.lines().next().unwrap().strip_suffix(" | Rake 0").unwrap(), ""));
    assert_eq!(number(total), collected, "{text}");
    let parts: i64 =
        parts.split(". ").filter_map(|part| part.trim_end_matches('.').rsplit(' ').next()?.parse::<i64>().ok()).sum();
    assert!(parts == 0 || parts == collected, "main pot and side pots are the whole\n{text}");
    for (name, won) in &counted.collected {
        let told = summary.lines().filter(|line| line.contains(&format!(": {name} ")));
        let told = told.filter(|line| line.contains(&format!("({won})")));
        assert_eq!(told.count(), 1, "{name} is said to have won {won}\n{text}");
        *counted.stacks.get_mut(name).unwrap() += won;
    }
    counted.stacks
}
