//! `fairdeal rank`: how good hands of cards are.

use std::io::{self, IsTerminal, Write};

use cards::{Card, CardList, Pack, describe, parse_cards, rank_cards};
use games::ongdu::Preset;
use games::{bigc, ongdu};
use serde_json::{Map, Value, json};

use crate::Done;
use crate::cli::RankArgs;
use crate::failure::{Failure, complain};
use crate::lines::Lines;

/// A way to rank hands. A game that compares hands of its own adds a line to [`Ranker::ALL`].
#[derive(Debug)]
pub struct Ranker {
    /// What the command calls it.
    pub name: &'static str,
    rank: fn(&str) -> Result<Ranked, String>,
}

/// How good a hand is.
struct Ranked {
    /// For machines, beside the cards.
    fields: Vec<(&'static str, Value)>,
    /// For people.
    words: String,
}

impl Ranker {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self { name: "holdem", rank: holdem },
        Self { name: "bigc", rank: big_c },
        Self { name: "ongdu", rank: ongdu },
    ];

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|ranker| ranker.name == name)
    }
}

/// Runs the command. A bad hand among several is reported and the next one is ranked.
pub(crate) fn run(args: &RankArgs, out: &mut impl Write) -> Result<Done, Failure> {
    if !args.cards.is_empty() {
        let cards = args.cards.join(" ");
        print(args, &cards, (args.ranker.rank)(&cards).map_err(Failure::Input)?, out)?;
        return Ok(Done::Well);
    }
    // Somebody who types hands wants to see each answer at once.
    let typed = io::stdin().is_terminal();
    let mut lines = Lines::new(io::stdin().lock());
    let mut done = Done::Well;
    while let Some(line) = lines.advance() {
        let cards = lines.text().trim();
        let ranked = match line {
            Ok(()) if cards.is_empty() => continue,
            Ok(()) => (args.ranker.rank)(cards),
            Err(why) => Err(why.to_string()),
        };
        match ranked {
            Ok(ranked) => print(args, cards, ranked, out)?,
            Err(why) => {
                // Answers and complaints come in the order of the hands.
                out.flush()?;
                complain(format_args!("standard input:{}: {why}", lines.number()));
                done = Done::BadInput;
            }
        }
        if typed {
            out.flush()?;
        }
    }
    Ok(done)
}

fn print(args: &RankArgs, cards: &str, ranked: Ranked, out: &mut impl Write) -> Result<(), Failure> {
    let Ranked { fields, words } = ranked;
    if args.json {
        // The cards as they came in, so that lines can be matched.
        let mut object: Map<String, Value> = [("cards".to_owned(), cards.into())].into_iter().collect();
        object.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        serde_json::to_writer(&mut *out, &object).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{cards}: {words}")?;
    }
    Ok(())
}

/// Five to seven cards, of which the best five count.
fn holdem(cards: &str) -> Result<Ranked, String> {
    let cards = parse_cards(cards).map_err(|e| e.to_string())?;
    let rank = rank_cards(&cards).map_err(|e| e.to_string())?;
    let words = describe(&cards).map_err(|e| e.to_string())?;
    let position = rank.position();
    Ok(Ranked {
        fields: vec![("rank", position.into()), ("category", rank.category().key().into())],
        words: format!("{words} (rank {position} of {})", cards::HandRank::COUNT),
    })
}

/// The most cards a match of Big-C is played with: six packs with two jokers each.
const BIG_C: Pack = Pack::Cards { decks: 6, jokers: 12 };

/// The cards of a text, if this pack has them all.
fn cards_of(text: &str, pack: Pack) -> Result<Vec<Card>, String> {
    let cards = parse_cards(text).map_err(|e| e.to_string())?;
    for card in &cards {
        let (held, there) = (cards.iter().filter(|other| *other == card).count(), usize::from(pack.count(*card)));
        if held > there {
            return Err(match there {
                0 => format!("{card} is not in the pack"),
                there => format!("the hand has {card} {}, but the pack only {}", times(held), times(there)),
            });
        }
    }
    Ok(cards)
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

/// One, two, three or five cards: the class, and the cards that count in a comparison.
fn big_c(cards: &str) -> Result<Ranked, String> {
    let cards = cards_of(cards, BIG_C)?;
    let hand = bigc::classify(&cards).map_err(|e| e.to_string())?;
    let key: Vec<String> = hand.key().iter().map(Card::to_string).collect();
    let words = format!("{hand} (key {})", CardList(&hand.key()));
    let class = hand.class();
    let fields = vec![("class", class.name().into()), ("stratum", json!(class.stratum())), ("key", key.into())];
    Ok(Ranked { fields, words })
}

/// Three cards are a layer; of nine or ten the best arrangement is told.
fn ongdu(cards: &str) -> Result<Ranked, String> {
    let cards = cards_of(cards, Pack::ONGDU)?;
    let no_lots = || "expected cards and jokers only".to_owned();
    if let [a, b, c] = *cards {
        let rank = ongdu::rank_layer([a, b, c], Preset::Seed).ok_or_else(no_lots)?;
        let (class, key) = (rank.category().number(), rank.value());
        let words = format!("{rank} (class {class}, key {key})");
        let name = json!(rank.category());
        return Ok(Ranked { fields: vec![("class", class.into()), ("name", name), ("key", key.into())], words });
    }
    if !(9..=10).contains(&cards.len()) {
        return Err(format!("expected the three cards of a layer, or nine or ten to arrange, got {}", cards.len()));
    }
    let best = ongdu::best_arrangement(&cards, Preset::Seed).ok_or_else(no_lots)?;
    let layers = best.layers.iter().zip(&best.rank.layers);
    let words: Vec<String> = layers.clone().map(|(layer, rank)| format!("{} ({rank})", CardList(layer))).collect();
    let layers: Vec<Value> = layers.map(|(layer, rank)| {
        json!({ "cards": CardList(layer).to_string(), "class": rank.category().number(), "key": rank.value() })
    }).collect();
    let discard = best.discard.map(|card| card.to_string());
    let aside = discard.as_ref().map_or_else(String::new, |card| format!(", {card} discarded"));
    Ok(Ranked {
        fields: vec![("layers", layers.into()), ("discard", json!(discard))],
        words: words.join(" / ") + &aside,
    })
}
