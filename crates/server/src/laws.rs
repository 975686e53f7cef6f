//! Laws that must hold for any input from outside: for the fuzz targets (`fuzz/`), and for tests over their seed
//! corpora.
//!
//! Everything here accepts any text. It panics only if a law is broken.

use games::AnyGame;
use serde_json::Value;
use table::{Eye, Seat};

use crate::ids::{Millis, PlayerId};
use crate::room::{Command, Entry, Event, Face, Hints, Keep, Room, Sitter, Terms};
use crate::sight::{self, Click, Clicked};
use page::Lang;

/// The house's secret for all tables here.
pub const SECRET: [u8; 32] = [9; 32];
/// The time of everything that happens here.
const AT: Millis = Millis(1_000_000);
/// The number of people at the tables here.
const PEOPLE: u8 = 2;
/// The most commands at a table: fuzzing is about many texts, not about long ones.
const MOST: usize = 64;

/// The player in this seat.
fn player(seat: u8) -> PlayerId {
    PlayerId([seat; 16])
}

fn face(seat: u8) -> Face {
    Face { name: format!("Player {seat}"), avatar: 1 }
}

/// The game with this number.
fn game(which: u8) -> AnyGame {
    let games = AnyGame::ALL;
    games.get(usize::from(which) % games.len()).copied().unwrap_or(AnyGame::Holdem)
}

/// The start of a table's log for this game: two people sit down and start.
pub fn beginning(which: u8) -> Vec<Event> {
    let game = game(which);
    let settings = games::with_game!(game, G => {
        serde_json::to_value(<G as table::Game>::Settings::default()).unwrap_or_default()
    });
    let terms = Terms {
        game: game.name().to_owned(),
        rules: games::with_game!(game, G => <G as table::Game>::VERSION),
        players: PEOPLE,
        settings,
        owner: Some(player(0)),
        listed: true,
        reveal: "auto".to_owned(),
        pace: 0,
        hints: Hints::On,
        session: "ab".repeat(32),
    };
    let sit = |seat: Seat| Event::Sat {
        seat,
        who: Sitter::Player { player: player(seat.index()), face: face(seat.index()), seeds: false },
    };
    let sit = (0..PEOPLE).filter_map(Seat::new).map(sit);
    [Event::Opened(Box::new(terms))].into_iter().chain(sit).chain([Event::Started]).collect()
}

/// A table of this game with two people whose match has begun.
fn begun(which: u8) -> Room {
    let entry = Entry { at: AT, events: beginning(which) };
    Room::replay(SECRET, [entry], Keep { seen: true, ..Keep::default() }).expect("a match of two begins")
}

/// Everything that can be seen of a table.
fn seen(room: &Room) -> String {
    let eyes = (0..room.terms().players).filter_map(Seat::new).map(Eye::Seat).chain([Eye::Public]);
    let views: Vec<String> = room.play().map(|play| eyes.map(|eye| play.view(eye)).collect()).unwrap_or_default();
    let (said, muted): (Vec<_>, Vec<_>) = (room.said().collect(), room.muted().collect());
    let chairs: Vec<_> = room.chairs().map(|(_, chair)| chair).collect();
    let play = room.play().map(|play| (play.stage(), play.awaited(), play.height(), play.standing_now()));
    format!("{views:?} {said:?} {muted:?} {chairs:?} {play:?} {:?} {:?}", room.due(), room.ready())
}

/// Tries an event: a refused event changes nothing.
fn try_event(room: &mut Room, event: &Event) -> bool {
    let before = seen(room);
    let taken = room.apply(AT, event).is_ok();
    assert!(taken || before == seen(room), "a refused event changes nothing: {event:?}");
    taken
}

/// Everything that clients send over HTTP and sockets: each decoder returns a value or an error.
pub fn request(text: &str) {
    crate::web::decode(text);
    let whole = crate::web::decoded_numbers(text);
    // Numbers keep their values, and text that is not JSON does not become JSON.
    let (before, after) = (serde_json::from_str::<Value>(text), serde_json::from_str::<Value>(&whole));
    assert_eq!(before.is_ok(), after.is_ok(), "{text} {whole}");
    if let (Ok(before), Ok(after)) = (before, after) {
        assert!(are_equal(&before, &after), "{text} {whole}");
    }
}

/// Whether these are the same, no matter how numbers are written.
fn are_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let equal = |(name, one): (&String, &Value)| other.get(name).is_some_and(|other| are_equal(one, other));
            one.len() == other.len() && one.iter().all(equal)
        }
        (one, other) => one == other,
    }
}

/// Commands at a table of some game, one per line, sent in turn by the two players and a spectator.
pub fn commands(which: u8, text: &str) {
    let mut room = begun(which);
    for (number, line) in (0_u8..).zip(text.lines().take(MOST)) {
        let Ok(command) = serde_json::from_str::<Command>(line) else { continue };
        let who = number % (PEOPLE + 1);
        if let Ok(event) = room.event(player(who), &face(who), command) {
            let stored = serde_json::to_string(&event).expect("an event can be stored");
            try_event(&mut room, &serde_json::from_str(&stored).expect("and read again"));
        }
    }
}

/// Drafts from browsers and clicks with them, one per line: a page can be shown for every draft, and any move that a
/// click makes is judged by the table.
pub fn drafts(which: u8, text: &str) {
    let mut room = begun(which);
    for line in text.lines().take(MOST) {
        if serde_json::from_str::<Value>(line).is_err() {
            continue;
        }
        let Some(play) = room.play() else { return };
        let asked = play.awaited().seats().iter().next();
        let mut events = Vec::new();
        for lang in [Lang::En, Lang::De] {
            drop(sight::show(&room, Eye::Public, lang, Some(line)));
            for seat in (0..PEOPLE).filter_map(Seat::new) {
                let shown = sight::show(&room, Eye::Seat(seat), lang, Some(line)).expect("a match is running");
                let again: Value = serde_json::from_str(&shown.draft).expect("a draft is JSON");
                drop(sight::show(&room, Eye::Seat(seat), lang, Some(&again.to_string())));
                let keys = shown.buttons.iter().map(|button| Click::Key(button.key));
                let clicks = keys.chain([0, 1, 7, u16::MAX].map(Click::Place));
                let clicked = clicks.filter_map(|click| sight::click(&room, seat, lang, click, Some(line)).ok());
                events.extend(clicked.filter_map(|clicked| match clicked {
                    Clicked::Event(event, _) if asked == Some(seat) => Some(event),
                    Clicked::Event(..) | Clicked::Draft(..) | Clicked::Refused(_) => None,
                }));
            }
        }
        // The first accepted move advances the table.
        let _ = events.iter().any(|event| try_event(&mut room, event));
    }
}

/// A log as the database may hold it, one entry per line: it either makes a table or does not, and always the same
/// one.
pub fn entries(text: &str) {
    let read = || text.lines().take(MOST).map_while(|line| serde_json::from_str::<Entry>(line).ok());
    let keep = Keep { seen: true, record: true, private: true };
    let Ok(mut room) = Room::replay(SECRET, read(), keep) else { return };
    let again = Room::replay(SECRET, read(), Keep::default()).expect("the same log makes a table again");
    assert_eq!(room.play().map(|play| play.view(Eye::Public)), again.play().map(|play| play.view(Eye::Public)));
    crate::room::cut(&room.take_record(), None).expect("every line of a record is valid");
    // Every event that is due is accepted.
    if let Some(due) = room.due()
        && !due.takes_thought()
        && let Some(event) = room.tick(&due)
    {
        assert!(try_event(&mut room, &event), "a due event is accepted: {event:?}");
    }
}

#[cfg(test)]
mod tests {
    use bots::Kind;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// The seed corpus of a fuzz target.
    fn corpus(target: &str) -> Vec<(String, String)> {
        let folder = format!("{}/../../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{folder}: {why}"));
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        assert!(!files.is_empty(), "{folder}");
        files.sort();
        files.iter().map(|file| (file.display().to_string(), std::fs::read_to_string(file).unwrap())).collect()
    }

    /// The log of a match of this game with this many moves.
    fn log(which: u8, moves: usize) -> String {
        let mut room = begun(which);
        let mut entries = vec![Entry { at: AT, events: beginning(which) }];
        for _ in 0..moves {
            let Some(play) = room.play() else { break };
            let event = match play.awaited().seats().iter().next() {
                Some(seat) => play.ponder(seat, Kind::Easy)(),
                None => room.due().and_then(|due| room.tick(&due)),
            };
            let Some(event) = event else { break };
            room.apply(AT, &event).unwrap();
            entries.push(Entry { at: AT, events: vec![event] });
        }
        entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect()
    }

    #[test]
    fn the_laws_hold_for_the_seed_corpora() {
        for (_, text) in corpus("requests") {
            text.lines().for_each(request);
            request(&text);
        }
        for which in 0..6 {
            corpus("commands").iter().for_each(|(_, text)| commands(which, text));
            corpus("drafts").iter().for_each(|(_, text)| drafts(which, text));
        }
        for (file, text) in corpus("entries") {
            entries(&text);
            let read = text.lines().map(|line| serde_json::from_str::<Entry>(line).unwrap());
            let room = Room::replay(SECRET, read, Keep::default()).unwrap_or_else(|why| panic!("{file}: {why}"));
            assert!(room.play().is_some(), "{file}: a match is running");
        }
    }

    /// A slightly changed text.
    fn changed(text: &str, others: &[String], rng: &mut Xoshiro256PlusPlus) -> String {
        let mut text = text.to_owned();
        for _ in 0..rng.random_range(1..4) {
            text = change(&text, others, rng);
        }
        text
    }

    fn change(text: &str, others: &[String], rng: &mut Xoshiro256PlusPlus) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if lines.is_empty() {
            return "0".to_owned();
        }
        let (at, to) = (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()));
        match rng.random_range(0..6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(to, lines[at].clone()),
            2 => lines.swap(at, to),
            3 => {
                let other: Vec<&str> = others[rng.random_range(0..others.len())].lines().collect();
                if !other.is_empty() {
                    lines.insert(at, other[rng.random_range(0..other.len())].to_owned());
                }
            }
            4 => lines[at] = other_number(&lines[at], rng),
            _ => lines[at] = other_letters(&lines[at], rng),
        }
        lines.join("\n")
    }

    /// One of the numbers in a line is replaced.
    fn other_number(line: &str, rng: &mut Xoshiro256PlusPlus) -> String {
        let starts = |(at, c): &(usize, char)| {
            c.is_ascii_digit() && !line[..*at].chars().next_back().is_some_and(|before| before.is_ascii_digit())
        };
        let numbers: Vec<usize> = line.char_indices().filter(starts).map(|(at, _)| at).collect();
        if numbers.is_empty() {
            return line.to_owned();
        }
        let at = numbers[rng.random_range(0..numbers.len())];
        let end = line[at..].find(|c: char| !c.is_ascii_digit()).map_or(line.len(), |length| at + length);
        let all = ["0", "1", "2", "7", "12", "51", "52", "255", "256", "65536", "4294967295", "9223372036854775807"];
        let more = ["18446744073709551615", "-1", "1.5", "1e400", "null", "\"x\"", "[]", "{}"];
        let new = all.iter().chain(&more).nth(rng.random_range(0..all.len() + more.len())).unwrap();
        format!("{}{new}{}", &line[..at], &line[end..])
    }

    /// Some of the characters in a line are replaced, deleted or duplicated.
    fn other_letters(line: &str, rng: &mut Xoshiro256PlusPlus) -> String {
        let mut letters: Vec<char> = line.chars().collect();
        if letters.is_empty() {
            return "{}".to_owned();
        }
        let (at, to) = (rng.random_range(0..letters.len()), rng.random_range(0..letters.len()));
        let (from, until) = (at.min(to), at.max(to));
        match rng.random_range(0..4) {
            0 => drop(letters.drain(from..until)),
            1 => {
                let some: Vec<char> = letters[from..until].to_vec();
                letters.splice(at..at, some);
            }
            2 => {
                letters[at] =
                    "\"{}[]:,0123456789-ex\\ä\u{0}\u{202e}".chars().nth(rng.random_range(0..24)).unwrap_or('~')
            }
            _ => letters.swap(at, to),
        }
        letters.into_iter().collect()
    }

    #[test]
    fn the_laws_hold_for_slightly_changed_texts() {
        let count = if std::env::var_os("FAIRDEAL_SOAK").is_some() { 20_000 } else { 60 };
        let texts = |target: &str| corpus(target).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        let logs: Vec<String> = (0..6).flat_map(|which| [3, 40].map(|moves| log(which, moves))).collect();
        let (sent, ordered, prepared) = (texts("requests"), texts("commands"), texts("drafts"));
        for seed in 0..count {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let pick = |texts: &[String], rng: &mut Xoshiro256PlusPlus| texts[rng.random_range(0..texts.len())].clone();
            let which = rng.random_range(0..6);
            let text = pick(&sent, &mut rng);
            request(&changed(&text, &sent, &mut rng));
            let text = pick(&ordered, &mut rng);
            commands(which, &changed(&text, &ordered, &mut rng));
            let text = pick(&prepared, &mut rng);
            drafts(which, &changed(&text, &prepared, &mut rng));
            let text = pick(&logs, &mut rng);
            entries(&changed(&text, &logs, &mut rng));
        }
    }
}
