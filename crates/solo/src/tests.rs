//! Matches as a page sees them: calls as bytes, effects as bytes, and a simple person who takes every hint.

use games::AnyGame;
use serde_json::{Value, json};
use table::{Eye, Slot};

use super::*;
use crate::wish::SEAT;

/// A page with its storage.
#[derive(Default)]
struct Page {
    module: Module,
    kept: String,
    secret: Vec<u8>,
    log: Vec<Vec<u8>>,
    now: u64,
    calls: u64,
    /// When it has to say that time has passed.
    wake: Option<u64>,
    /// What it was told last, by kind.
    told: Vec<Value>,
    failed: Option<String>,
}

const CLOCK: u64 = 1_800_000_000_000;

impl Page {
    fn bytes(&mut self, event: u8, payload: &[u8]) -> Vec<u8> {
        self.calls += 1;
        let mut random = [0x5a; 32];
        random.iter_mut().zip(self.calls.to_le_bytes()).for_each(|(to, from)| *to = from);
        [&(CLOCK + self.now).to_le_bytes()[..], &self.now.to_le_bytes(), &random, &[event], payload].concat()
    }

    /// Makes a call and carries out its effects.
    fn call(&mut self, event: u8, payload: &[u8]) {
        let call = self.bytes(event, payload);
        let effects = self.module.call(&call);
        (self.told, self.failed) = (Vec::new(), None);
        let mut rest = &effects[..];
        while let [kind, a, b, c, d, after @ ..] = rest {
            let len = usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).unwrap();
            let (payload, after) = after.split_at(len);
            let text = || String::from_utf8(payload.to_vec()).unwrap();
            match kind {
                1 => self.kept = text(),
                2 => {
                    assert!(self.told.is_empty(), "what is told is stored before");
                    let height = u64::from_le_bytes(*payload.first_chunk().unwrap());
                    assert_eq!(height, u64::try_from(self.log.len()).unwrap() + 1);
                    self.log.push(payload[8..].to_vec());
                }
                3 => self.secret = payload.to_vec(),
                6 => self.told.push(serde_json::from_str(&text()).unwrap()),
                8 => self.wake = Some(self.now + u64::from(u32::from_le_bytes(payload.try_into().unwrap()))),
                9 => self.failed = Some(text()),
                other => panic!("effect {other}"),
            }
            rest = after;
        }
        assert!(rest.is_empty());
    }

    fn want(&mut self, wanted: &Value) {
        self.call(6, wanted.to_string().as_bytes());
    }

    /// A message of the table's script.
    fn say(&mut self, message: &Value) {
        self.want(&json!({ "page": message.to_string() }));
    }

    /// What the page of the table was told, by name.
    fn heard(&self, name: &str) -> Option<&Value> {
        self.told.iter().filter_map(|told| told.get("page")?.get(name)).next_back()
    }

    /// The next thing that is due.
    fn tick(&mut self) {
        self.now = self.now.max(self.wake.take().expect("something is due"));
        self.call(5, &[]);
    }

    /// Begins a match.
    fn begin(game: AnyGame, more: &[(&str, &str)]) -> Self {
        let mut page = Self::default();
        page.call(1, wish(game, more).to_string().as_bytes());
        assert_eq!(page.failed, None);
        assert_eq!(page.told, [json!({ "match": { "game": game.name() } })]);
        page
    }

    /// The whole page, as it is shown to somebody who has just loaded it.
    fn drawn(&mut self) -> String {
        self.want(&json!({ "draw": "en" }));
        self.heard("parts").expect("it is shown")["parts"].to_string()
    }

    /// The same page in another tab, from what is stored.
    fn reloaded(&self) -> Self {
        let (kept, secret, log) = (self.kept.clone(), self.secret.clone(), self.log.clone());
        let mut again = Self { now: self.now, kept, secret, log, ..Self::default() };
        let mut stored = Vec::new();
        for part in [self.kept.as_bytes(), &self.secret].into_iter().chain(self.log.iter().map(Vec::as_slice)) {
            stored.extend(u32::try_from(part.len()).unwrap().to_le_bytes());
            stored.extend(part);
        }
        again.call(2, &stored);
        assert_eq!(again.failed, None);
        again
    }

    /// Whatever is to be done next, by the person or by the clock. Returns whether the match is over.
    fn step(&mut self) -> bool {
        let page = self.drawn();
        if page.contains("#again") {
            return true;
        }
        let asked = self.heard("parts").is_some_and(|parts| parts["asked"] == json!(true));
        if asked {
            self.say(&json!({ "hint": {} }));
            let hint = self.heard("hint").unwrap_or_else(|| panic!("no hint: {:?}", self.told)).clone();
            self.say(&json!({ "draft": hint["draft"] }));
            let before = self.log.len();
            self.say(&json!({ "press": { "key": hint["key"], "height": hint["height"], "draft": hint["draft"] } }));
            assert_eq!(self.log.len(), before + 1, "{hint}: {:?}", self.told);
        } else if let Some((_, rest)) = page.split_once("&quot;ready&quot;:{&quot;deal&quot;:") {
            let deal: u32 = rest.split_once('}').unwrap().0.parse().unwrap();
            self.say(&json!({ "command": { "ready": { "deal": deal } } }));
        } else {
            self.tick();
        }
        false
    }

    /// Every card that the page shows is one that the person knows. Returns how many it shows.
    fn check_faces(&mut self) -> usize {
        let page = self.drawn();
        let room = &self.module.alone.as_ref().unwrap().room;
        games::with_game!(room.game(), G => {
            let playing = room.playing::<G>().unwrap();
            let eye = Eye::Seat(SEAT.unwrap());
            let (now, ended) = (playing.known_to(eye), playing.ended().map(|ended| ended.known_to(eye)));
            let mut shown = 0;
            for card in page.split("class=\\\"card ").skip(1) {
                let (class, rest) = card.split_once("\\\"").unwrap();
                let tag = rest.split_once('>').unwrap().0;
                let slot = tag.split_once("data-slot=\\\"").and_then(|(_, rest)| rest.split_once("\\\""));
                let Some((slot, _)) = slot.filter(|_| !class.starts_with("back")) else { continue };
                let slot: Slot = slot.parse().unwrap();
                let known = now.face(slot).is_some() || ended.as_ref().is_some_and(|known| known.face(slot).is_some());
                assert!(known, "{}: {slot} is shown: {tag}", room.game().name());
                shown += 1;
            }
            shown
        })
    }
}

/// A match that is soon over.
fn short(game: AnyGame) -> &'static [(&'static str, &'static str)] {
    match game {
        AnyGame::Holdem => &[("set.starting_chips", "100"), ("set.blind_every", "1"), ("players", "2")],
        AnyGame::Blackjack => &[("set.rounds", "2"), ("set.starting_chips", "100")],
        AnyGame::Romme => &[("set.mode", "rounds"), ("set.rounds", "1"), ("set.first_meld", "0"), ("players", "2")],
        AnyGame::BigC => &[("set.hand_size", "5"), ("set.deals", "1")],
        AnyGame::Ongdu => &[("set.max_rounds", "2")],
        AnyGame::Blackout => &[("set.max", "2")],
    }
}

fn wish(game: AnyGame, more: &[(&str, &str)]) -> Value {
    let mut fields = vec![("game", game.name()), ("level", "easy"), ("set.action_timeout", "0")];
    fields.extend(more);
    json!({ "fields": fields, "name": "Ada", "avatar": 3, "lang": "en" })
}

#[test]
fn every_game_is_played_to_its_end_and_goes_on_after_a_reload_at_any_moment() {
    for game in AnyGame::ALL {
        let mut page = Page::begin(*game, short(*game));
        let (mut steps, mut shown) = (0, 0);
        while !page.step() {
            steps += 1;
            assert!(steps < 2_000, "{} does not end", game.name());
            shown += page.check_faces();
            if steps % 5 == 0 {
                let mut again = page.reloaded();
                assert_eq!(again.drawn(), page.drawn(), "{}", game.name());
                // The other tab plays on, with the same cards and the same computers.
                page = again;
            }
        }
        assert!(shown > 0, "{}: cards are found in pages", game.name());
        let mut again = page.reloaded();
        assert_eq!(again.drawn(), page.drawn(), "{}: what is over stays", game.name());
        assert_eq!(again.wake, None, "nothing is due any more");
    }
}

#[test]
fn computers_of_all_levels_move_when_time_has_passed_and_not_before() {
    for level in ["easy", "normal", "hard"] {
        let mut page = Page::begin(AnyGame::Blackout, &[("level", level), ("players", "4")]);
        page.drawn();
        let mut moves = 0;
        while page.heard("parts").is_some_and(|parts| parts["asked"] != json!(true)) && moves < 4 {
            let (before, due) = (page.log.len(), page.wake.unwrap());
            if due > page.now {
                page.now = due - 1;
                page.call(5, &[]);
                assert_eq!(page.log.len(), before, "too early");
            }
            page.tick();
            assert_eq!(page.log.len(), before + 1);
            moves += 1;
        }
        assert_eq!(page.heard("parts").unwrap()["asked"], json!(true), "{level}");
    }
}

#[test]
fn a_person_who_closes_the_page_loses_no_time() {
    let limited = [("set.action_timeout", "30"), ("players", "2"), ("set.max", "2")];
    let mut page = Page::begin(AnyGame::Blackout, &limited);
    page.drawn();
    while page.heard("parts").unwrap()["asked"] != json!(true) {
        page.tick();
    }
    let left = |page: &mut Page| {
        page.drawn();
        page.heard("parts").unwrap()["clock"]["left"].as_i64().unwrap()
    };
    assert_eq!(left(&mut page), 30_000);
    // A day later, by a clock that was then set back by two.
    page.now += 86_400_000;
    let mut later = page.reloaded();
    assert_eq!(left(&mut later), 10_000);
    later.now += 9_000;
    later.call(5, &[]);
    assert_eq!(later.log.len(), page.log.len(), "there is time left");
    later.now += 2_000;
    later.call(5, &[]);
    assert_eq!(later.log.len(), page.log.len() + 1, "the time is up");
    page.now = 0;
    let mut back = page.reloaded();
    assert!(left(&mut back) <= 30_000);
}

#[test]
fn a_form_that_cannot_be_played_comes_back_with_what_is_wrong() {
    let mut page = Page::default();
    let wrong = wish(AnyGame::Holdem, &[("set.small_blind", "50")]);
    page.call(1, wrong.to_string().as_bytes());
    let form = page.told[0]["wrong"].as_str().unwrap();
    assert!(form.contains("from 1 to 19, less than the big blind") && form.contains("value=\"50\""), "{form}");
    assert!(page.log.is_empty() && page.failed.is_none());
    page.call(5, &[]);
    assert!(page.failed.is_some(), "there is no table");
}

#[test]
fn who_leaves_is_told_so_and_what_the_table_refuses_is_said() {
    let mut page = Page::begin(AnyGame::Ongdu, &[]);
    page.drawn();
    for refused in [
        json!({ "press": { "key": "x", "height": 999, "draft": null } }),
        json!({ "command": { "say": { "text": "hello" } } }),
        json!({ "command": { "wake": {} } }),
        json!({ "command": { "start": {} } }),
        json!({ "command": { "ready": { "deal": 7 } } }),
        json!({ "dance": {} }),
    ] {
        let before = page.log.len();
        page.say(&refused);
        assert!(page.heard("refused").is_some() && page.log.len() == before, "{refused}: {:?}", page.told);
    }
    page.say(&json!({ "command": { "stand": {} } }));
    assert!(page.told.contains(&json!({ "left": true })));
}

#[test]
fn nonsense_is_an_error_and_changes_nothing() {
    let mut fresh = Module::default();
    let mut page = Page::begin(AnyGame::BigC, &[]);
    let before = page.drawn();
    let stored = page.reloaded().bytes(2, &[]);
    let texts = ["", "{}", "null", "[]", "\"draw\"", "{\"draw\":7}", "{\"page\":\"\"}", "{\"fields\":[]}", "\u{0}"];
    for event in 0..=30 {
        for text in texts {
            // These begin a table or go on with one, and say so if they cannot.
            let call = page.bytes(event, text.as_bytes());
            let effects = fresh.call(&call);
            assert!(!effects.is_empty(), "{event} {text}");
            if ![1, 2].contains(&event) {
                page.module.call(&call);
            }
        }
    }
    for len in 0..stored.len() {
        assert!(!fresh.call(&stored[..len]).is_empty());
    }
    // A log that is not one, a secret that is too short, a log without its end.
    for (kept, secret, log) in [
        ("{}", vec![0; 32], page.log.clone()),
        (page.kept.as_str(), vec![0; 31], page.log.clone()),
        (page.kept.as_str(), page.secret.clone(), vec![b"x".to_vec()]),
        (page.kept.as_str(), page.secret.clone(), Vec::new()),
        (page.kept.as_str(), page.secret.clone(), vec![page.log[0].clone(), page.log[0].clone()]),
    ] {
        let mut other = Page::default();
        let mut bytes = Vec::new();
        for part in [kept.as_bytes(), &secret].into_iter().chain(log.iter().map(Vec::as_slice)) {
            bytes.extend(u32::try_from(part.len()).unwrap().to_le_bytes());
            bytes.extend(part);
        }
        other.call(2, &bytes);
        assert!(other.failed.is_some() && other.told == [json!({ "trouble": "damaged" })], "{:?}", other.told);
    }
    assert_eq!(page.drawn(), before);
}
