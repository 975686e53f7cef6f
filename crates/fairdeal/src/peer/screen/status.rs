//! One line about the players' computers: whom the table waits for, for what and for how long; who has shuffled; who is
//! not connected.

use std::time::Duration;

use ::peer::Duty;
use dealers::joint::Duty as Part;
use ratatui::text::{Line, Span};
use table::{Game, Seat, Seats};

use crate::peer::desk::{Now, Waiting};
use crate::play::look::{Look, Sign};
use crate::play::page::width_of;
use crate::text::listed;

/// The line, for a table of these players that was told this long ago.
pub(super) fn line<G: Game>(now: &Now<G>, names: &[String], age: Duration, look: Look, width: u16) -> Line<'static> {
    let waits = awaited(now, names, age).unwrap_or_default();
    let left = if now.hopeless { format!("{waits}. z ends the match as it stood.") } else { waits };
    let mut spans = vec![Span::styled(format!(" {}", look.plain(&left)), look.bright())];
    let mut room = width.saturating_sub(width_of(&look.plain(&left)) + 2);
    let mut facts: Vec<Span<'static>> = Vec::new();
    for (fact, bad) in facts_of(now, names) {
        let fact = look.plain(&fact);
        let gap = if facts.is_empty() { "  ".to_owned() } else { format!(" {} ", look.sign(Sign::Dot)) };
        let needed = width_of(&fact) + width_of(&gap);
        // The most important comes first; what has no room is left out.
        if needed <= room {
            room -= needed;
            facts.push(Span::styled(gap, look.dim()));
            facts.push(Span::styled(fact, if bad { look.bad() } else { look.dim() }));
        }
    }
    spans.push(Span::raw(" ".repeat(usize::from(room))));
    spans.extend(facts);
    Line::from(spans)
}

/// The line while this person's own connection is lost, for this long.
pub(super) fn lost(why: &str, lost: Duration, look: Look, width: u16) -> Line<'static> {
    let times = if lost.as_secs() == 0 { String::new() } else { format!(" for {}", spoken(lost.as_secs())) };
    let text = format!(" No connection to the table{times}, trying again");
    let whole = format!("{text}: {why}");
    // Half a reason explains nothing.
    let fits = width_of(&look.plain(&whole)) <= width;
    Line::styled(look.plain(if fits { &whole } else { &text }), look.bad())
}

/// The viewer's own program.
const MINE: &str = "your computer";

/// Whom the table waits for, for what and for how long.
pub(super) fn awaited<G: Game>(now: &Now<G>, names: &[String], age: Duration) -> Option<String> {
    // What is due first is what keeps everybody from going on.
    let duty = now.waits.iter().map(|wait| wait.duty).min_by_key(|duty| (step(*duty), *duty))?;
    let waits: Vec<&Waiting> = now.waits.iter().filter(|wait| step(wait.duty) == step(duty)).collect();
    let mine = |wait: &&Waiting| Some(wait.seat) == now.me;
    if is_for_a_person(duty) && waits.iter().any(mine) {
        return None;
    }
    let who = waits.iter().map(|wait| match Some(wait.seat) == now.me {
        true => MINE.to_owned(),
        false => name(names, wait.seat),
    });
    let (who, several) = (listed(&who.collect::<Vec<_>>()), waits.len() > 1);
    let what = match (duty, several) {
        (Duty::Seed, _) => format!("Waiting for {who} to open {} for the match", seeds(several)),
        (Duty::Play(Part::Key | Part::Dealing | Part::Ready, _), _) => format!("Waiting for {who} to make keys"),
        (Duty::Play(Part::Beacon, _), _) => format!("Waiting for {who} to draw lots for the shuffling"),
        (Duty::Play(Part::Shuffle, _), false) => format!("{} is shuffling", begin(&who)),
        (Duty::Play(Part::Shuffle, _), true) => format!("{} are shuffling", begin(&who)),
        (Duty::Play(Part::Shares, _), _) => format!("Waiting for {who} to deal cards"),
        (Duty::Play(Part::Act, _), false) => format!("{} is thinking", begin(&who)),
        (Duty::Play(Part::Act, _), true) => format!("{} are thinking", begin(&who)),
        (Duty::Play(Part::Choose, _), _) => format!("Waiting for {who} to choose"),
        (Duty::Play(Part::Reveal, _), _) => format!("Waiting for {who} to reveal the choice"),
        (Duty::Sign, _) => format!("Waiting for {who} to sign the result"),
    };
    Some(format!("{what}{}", times(&waits, now.thinking, age)))
}

fn seeds(several: bool) -> &'static str {
    if several { "their seeds" } else { "a seed" }
}

/// For how long, and how long they still have; nothing in the first second.
fn times(waits: &[&Waiting], thinking: Option<u64>, age: Duration) -> String {
    let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
    let Some(longest) = waits.iter().max_by_key(|wait| wait.for_ms) else { return String::new() };
    let passed = longest.for_ms.saturating_add(age);
    // A person has their own time, and then their program has some more to answer.
    let limit = match longest.duty {
        Duty::Play(Part::Act | Part::Choose, _) => thinking,
        Duty::Seed | Duty::Play(..) | Duty::Sign => Some(longest.limit_ms),
    };
    match (passed / 1000, limit.map(|limit| limit.saturating_sub(passed).div_ceil(1000))) {
        (0, _) => String::new(),
        (seconds, None) => format!(", {}", spoken(seconds)),
        (seconds, Some(0)) if passed < longest.limit_ms => {
            let late = longest.limit_ms.saturating_sub(passed).div_ceil(1000);
            format!(", {}: late in {}", spoken(seconds), spoken(late))
        }
        (seconds, Some(0)) => format!(", {}: no answer", spoken(seconds)),
        (seconds, Some(left)) => format!(", {}, {} left", spoken(seconds), spoken(left)),
    }
}

/// A time as people say it.
pub(super) fn spoken(seconds: u64) -> String {
    if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds / 60) }
}

/// What to know about the dealing, the most important first, and whether it is bad.
fn facts_of<G: Game>(now: &Now<G>, names: &[String]) -> Vec<(String, bool)> {
    let players = Seats::first(u8::try_from(names.len()).unwrap_or(u8::MAX));
    let mut facts = Vec::new();
    let away = players - now.here;
    if !away.is_empty() {
        let who = listed(&away.iter().map(|seat| name(names, seat)).collect::<Vec<_>>());
        facts.push((format!("not connected: {who}"), true));
    }
    let shuffled: Vec<String> = now.shuffled.iter().map(|seat| name(names, seat)).collect();
    if !shuffled.is_empty() {
        let by = if now.shuffled == now.keys { "all".to_owned() } else { listed(&shuffled) };
        facts.push((format!("shuffled by {by}, proven"), false));
    }
    if now.ahead {
        facts.push(("next deck ready".to_owned(), false));
    }
    facts
}

/// Duties in the order in which they come; one that a person has is last, because programs must be ready before.
const fn step(duty: Duty) -> u8 {
    match duty {
        Duty::Seed => 0,
        Duty::Play(Part::Key | Part::Dealing | Part::Ready, _) => 1,
        Duty::Play(Part::Beacon, _) => 2,
        Duty::Play(Part::Shuffle, _) => 3,
        Duty::Play(Part::Shares, _) => 4,
        Duty::Play(Part::Reveal, _) => 5,
        Duty::Play(Part::Choose, _) => 6,
        Duty::Play(Part::Act, _) => 7,
        Duty::Sign => 8,
    }
}

/// Whether a person has to do it, and not their program alone.
pub(super) const fn is_for_a_person(duty: Duty) -> bool {
    matches!(duty, Duty::Play(Part::Act | Part::Choose, _))
}

/// The name of a seat.
pub(super) fn name(names: &[String], seat: Seat) -> String {
    names.get(usize::from(seat.index())).cloned().unwrap_or_else(|| seat.to_string())
}

/// The beginning of a sentence. Names stay as their owners write them.
fn begin(who: &str) -> String {
    who.strip_prefix(MINE).map_or_else(|| who.to_owned(), |rest| format!("Your computer{rest}"))
}
