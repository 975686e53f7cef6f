//! From text to [`PhhHand`].

use serde::Deserialize;
use serde::de::IntoDeserializer;
use table::Chips;
use toml::de::{DeTable, DeValue};

use super::amount::{Amount, BadAmount, Unit, of_value};
use super::error::{PhhError, Reason};
use super::notation::{Line, MOST_PLAYERS, Play, Player};
use super::{LARGEST, MOST_LINES, PhhHand};

/// Reads a file with one hand.
pub fn decode(text: &str) -> Result<PhhHand, PhhError> {
    hand(root(text)?)
}

/// A hand of a file, or what is wrong with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// What its table is called, in a file with several hands.
    pub label: Option<String>,
    /// Its own number or name, the field `hand`.
    pub name: Option<toml::Value>,
    /// The hand.
    pub hand: Result<PhhHand, PhhError>,
}

impl Entry {
    fn read(label: Option<String>, table: DeTable<'_>) -> Self {
        let named = table.iter().find(|(key, _)| key.get_ref() == "hand");
        let name = named.and_then(|(_, value)| match value.get_ref() {
            DeValue::String(name) => Some(toml::Value::String(name.chars().take(LONGEST_NAME).collect())),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(toml::Value::Integer)
            }
            _ => None,
        });
        let hand = match &label {
            Some(label) => {
                hand(table).map(|hand| PhhHand { label: Some(label.clone()), ..hand }).map_err(|why| why.of_hand(label))
            }
            None => hand(table),
        };
        Self { label, name, hand }
    }
}

/// Names of hands are cut after so many characters.
const LONGEST_NAME: usize = 200;

/// Reads a file with several hands, in the order of their numbers; each may fail for itself. A file with
/// one hand and no tables counts as such a file, too.
pub fn decode_all(text: &str) -> Result<Vec<Entry>, PhhError> {
    let root = root(text)?;
    if root.keys().any(|key| matches!(key.get_ref().as_ref(), "variant" | "actions")) {
        return Ok(vec![Entry::read(None, root)]);
    }
    let mut hands = Vec::new();
    for (key, value) in root {
        let label = key.into_inner().into_owned();
        let entry = match value.into_inner() {
            DeValue::Table(table) => Entry::read(Some(label.clone()), table),
            _ => {
                let why = PhhError::whole(Reason::Expected("a table for each hand")).of_hand(&label);
                Entry { label: Some(label.clone()), name: None, hand: Err(why) }
            }
        };
        hands.push((label.parse::<u64>().ok(), label, entry));
    }
    if hands.is_empty() {
        return Err(PhhError::whole(Reason::NoHand));
    }
    // Numbers by size, other names after them.
    hands.sort_by(|(a, x, _), (b, y, _)| (a.is_none(), a, x).cmp(&(b.is_none(), b, y)));
    Ok(hands.into_iter().map(|(_, _, entry)| entry).collect())
}

fn root(text: &str) -> Result<DeTable<'_>, PhhError> {
    if text.len() > LARGEST {
        return Err(PhhError::whole(Reason::TooLarge));
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    DeTable::parse(text).map(toml::Spanned::into_inner).map_err(|why| {
        let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let message: Vec<&str> = why.message().split_whitespace().collect();
        PhhError::whole(Reason::NotToml(format!("line {line}: {}", message.join(" "))))
    })
}

/// The fields that a hand is made of, as they stand in the file.
#[derive(Default)]
struct Raw<'i> {
    variant: Option<DeValue<'i>>,
    trimming: Option<DeValue<'i>>,
    antes: Option<DeValue<'i>>,
    blinds: Option<DeValue<'i>>,
    min_bet: Option<DeValue<'i>>,
    starting: Option<DeValue<'i>>,
    finishing: Option<DeValue<'i>>,
    actions: Option<DeValue<'i>>,
    others: toml::Table,
}

fn hand(table: DeTable<'_>) -> Result<PhhHand, PhhError> {
    let raw = sort(table)?;
    let variant = required("variant", raw.variant)?;
    match variant.as_str() {
        Some("NT") => {}
        Some(other) => return Err(PhhError::field("variant", Reason::Variant(other.chars().take(16).collect()))),
        None => return Err(PhhError::field("variant", Reason::Expected("a text"))),
    }
    let ante_trimming_status = match raw.trimming {
        None => None,
        Some(DeValue::Boolean(status)) => Some(status),
        Some(_) => return Err(PhhError::field("ante_trimming_status", Reason::Expected("true or false"))),
    };
    let antes = amounts("antes", required("antes", raw.antes)?)?;
    let blinds = amounts("blinds_or_straddles", required("blinds_or_straddles", raw.blinds)?)?;
    let min_bet = amount("min_bet", &required("min_bet", raw.min_bet)?)?;
    let starting = stacks("starting_stacks", required("starting_stacks", raw.starting)?)?;
    // Stacks at the end that nobody knows say nothing.
    let finishing = raw.finishing.map(|list| stacks("finishing_stacks", list)).transpose()?;
    let finishing = finishing.and_then(|list| list.into_iter().collect::<Option<Vec<Amount>>>());
    let actions = texts(required("actions", raw.actions)?)?;

    let players = starting.len();
    if !(2..=MOST_PLAYERS).contains(&players) {
        return Err(PhhError::field("starting_stacks", Reason::Players(players)));
    }
    let all = [Some(&antes), Some(&blinds), finishing.as_ref()].into_iter().flatten().flatten();
    let all = all.chain([&min_bet]).chain(starting.iter().flatten()).map(|amount| amount.unit());
    let won = raw.others.get("winnings").and_then(toml::Value::as_array).into_iter().flatten();
    let won = won.filter_map(of_value).map(Amount::unit);
    let unit = all.chain(won).chain(actions.iter().map(|text| Line::unit(text))).max().unwrap_or(Unit::WHOLE);
    let count = |name: &'static str, list: &[Amount], least: i64| count(name, list, players, unit, Chips(least));
    let antes = count("antes", &antes, 0)?;
    let blinds_or_straddles = count("blinds_or_straddles", &blinds, -Chips::MOST.0)?;
    let min_bet = unit.chips(min_bet).map_err(|why| PhhError::field("min_bet", Reason::Amount(why)))?;
    let lines = lines(&actions, players, unit)?;
    let plenty = plenty(antes.iter().chain(&blinds_or_straddles).chain([&min_bet]), &lines);
    let one = |stack: &Option<Amount>| match stack {
        Some(stack) => {
            unit.chips(*stack).and_then(|chips| if chips.0 < 1 { Err(BadAmount::TooSmall) } else { Ok(chips) })
        }
        None => Ok(plenty),
    };
    let starting_stacks: Result<Vec<Chips>, BadAmount> = starting.iter().map(one).collect();
    let known = starting.iter().zip((0..).map(Player));
    Ok(PhhHand {
        label: None,
        unit,
        ante_trimming_status,
        antes,
        blinds_or_straddles,
        min_bet,
        starting_stacks: starting_stacks.map_err(|why| PhhError::field("starting_stacks", Reason::Amount(why)))?,
        unlimited: known.filter(|(stack, _)| stack.is_none()).map(|(_, player)| player).collect(),
        lines,
        finishing_stacks: finishing.map(|list| count("finishing_stacks", &list, 0)).transpose()?,
        fields: raw.others,
    })
}

/// A stack that nobody can need: a hundred times the largest amount of the hand.
pub(super) fn plenty<'a>(forced: impl Iterator<Item = &'a Chips>, lines: &[Line]) -> Chips {
    let bets = lines.iter().filter_map(|line| match line.play {
        Play::RaiseTo(_, to) => Some(to),
        _ => None,
    });
    let largest = forced.map(|amount| (*amount).max(-*amount)).chain(bets).max().unwrap_or_default();
    Chips(largest.0.saturating_mul(100).clamp(100, Chips::MOST.0))
}

/// Puts every field where it belongs.
fn sort(table: DeTable<'_>) -> Result<Raw<'_>, PhhError> {
    let mut raw = Raw::default();
    for (key, value) in table {
        let place = match key.get_ref().as_ref() {
            "variant" => &mut raw.variant,
            "ante_trimming_status" => &mut raw.trimming,
            "antes" => &mut raw.antes,
            "blinds_or_straddles" => &mut raw.blinds,
            "min_bet" => &mut raw.min_bet,
            "starting_stacks" => &mut raw.starting,
            "finishing_stacks" => &mut raw.finishing,
            "actions" => &mut raw.actions,
            other => {
                let kept = toml::Value::deserialize(value.into_deserializer());
                let kept = kept.map_err(|_| PhhError::field(other, Reason::Expected("a value that can be kept")))?;
                raw.others.insert(other.to_owned(), kept);
                continue;
            }
        };
        *place = Some(value.into_inner());
    }
    Ok(raw)
}

fn required<'i>(name: &str, value: Option<DeValue<'i>>) -> Result<DeValue<'i>, PhhError> {
    value.ok_or_else(|| PhhError::field(name, Reason::Missing))
}

fn amounts(name: &str, list: DeValue<'_>) -> Result<Vec<Amount>, PhhError> {
    match list {
        DeValue::Array(list) => list.iter().map(|value| amount(name, value.get_ref())).collect(),
        _ => Err(PhhError::field(name, Reason::Expected("a list of numbers"))),
    }
}

/// Stacks, `None` for an unlimited one.
fn stacks(name: &str, list: DeValue<'_>) -> Result<Vec<Option<Amount>>, PhhError> {
    let DeValue::Array(list) = list else {
        return Err(PhhError::field(name, Reason::Expected("a list of numbers")));
    };
    let one = |value: &toml::Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::Float(number) if matches!(number.as_str(), "inf" | "+inf") => Ok(None),
        value => amount(name, value).map(Some),
    };
    list.iter().map(one).collect()
}

fn amount(name: &str, value: &DeValue<'_>) -> Result<Amount, PhhError> {
    let read = match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Amount::whole)
            .map_err(|_| Reason::Amount(BadAmount::TooLarge)),
        DeValue::Float(number) => Amount::parse(number.as_str()).map_err(Reason::Amount),
        _ => Err(Reason::Expected("a number")),
    };
    read.map_err(|why| PhhError::field(name, why))
}

fn texts(list: DeValue<'_>) -> Result<Vec<String>, PhhError> {
    let wrong = |what| PhhError::field("actions", Reason::Expected(what));
    let DeValue::Array(list) = list else { return Err(wrong("a list of texts")) };
    if list.len() > MOST_LINES {
        return Err(PhhError::field("actions", Reason::TooManyLines));
    }
    let text = |value: &toml::Spanned<DeValue<'_>>| value.get_ref().as_str().map(str::to_owned);
    list.iter().map(|value| text(value).ok_or_else(|| wrong("a list of texts"))).collect()
}

/// The amounts of all players, in the unit of the hand.
fn count(
    name: &'static str,
    list: &[Amount],
    players: usize,
    unit: Unit,
    least: Chips,
) -> Result<Vec<Chips>, PhhError> {
    if list.len() != players {
        return Err(PhhError::field(name, Reason::WrongNumber { players, got: list.len() }));
    }
    let one = |amount: &Amount| match unit.chips(*amount)? {
        chips if chips < least => Err(BadAmount::TooSmall),
        chips => Ok(chips),
    };
    list.iter().map(|amount| one(amount).map_err(|why| PhhError::field(name, Reason::Amount(why)))).collect()
}

fn lines(actions: &[String], players: usize, unit: Unit) -> Result<Vec<Line>, PhhError> {
    let line = |(index, text): (usize, &String)| {
        let wrong = |reason| PhhError::action(index, text, reason);
        let line = Line::parse(text, unit).map_err(wrong)?;
        match who(&line.play).filter(|player| player.index() >= players) {
            Some(player) => Err(wrong(Reason::NoSuchPlayer(player.to_string()))),
            None => Ok(line),
        }
    };
    actions.iter().enumerate().map(line).collect()
}

/// The player a line is about.
const fn who(play: &Play) -> Option<Player> {
    match play {
        Play::Hole(player, _)
        | Play::Fold(player)
        | Play::CheckOrCall(player)
        | Play::RaiseTo(player, _)
        | Play::Show(player, _)
        | Play::Muck(player) => Some(*player),
        Play::Board(_) | Play::Nothing => None,
    }
}
