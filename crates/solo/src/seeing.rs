//! The table as its page: the same HTML, parts and messages as at a table on a server.

use maud::{Markup, html};
use page::{Frame, Lang, Links, Parts, Stage, beside, desk, felt};
use room::ids::Millis;
use room::sight::{self, Looker, Watched};
use serde_json::{Value, json};
use table::Seats;

use crate::wish::{PERSON, SEAT};

/// What a page has of the table, and what its person has prepared.
pub(crate) struct Seen {
    lang: Lang,
    has: Parts,
    draft: Option<String>,
    /// How many drafts have come from the page.
    drafts: u64,
}

impl Seen {
    pub(crate) fn new(lang: Lang) -> Self {
        Self { lang, has: Parts::default(), draft: None, drafts: 0 }
    }

    pub(crate) const fn lang(&self) -> Lang {
        self.lang
    }

    /// The page has another draft.
    pub(crate) fn prepare(&mut self, draft: &str) {
        self.draft = Some(draft.to_owned());
        self.drafts = self.drafts.saturating_add(1);
    }

    /// What was pressed leaves this draft.
    pub(crate) fn hold(&mut self, draft: String) {
        self.draft = Some(draft);
    }

    /// The parts of the page that have changed. The table has been played without a pause `since` then.
    pub(crate) fn show(&mut self, room: &Watched, at: Millis, since: Millis) -> Value {
        let lang = self.lang;
        let frame = frame(room, lang);
        let shown = sight::show(room, looker(lang).eye(), lang, self.draft.as_deref());
        if let Some(shown) = &shown {
            self.draft = Some(shown.draft.clone());
        }
        let parts = self.has.changed([
            ("felt", felt(&frame, shown.as_ref())),
            ("desk", desk(&frame, shown.as_ref())),
            ("log", beside::log(room.told(), lang)),
            ("leave", leave(&frame)),
        ]);
        let clock = room.countdown(SEAT).map(|countdown| {
            let due = countdown.due;
            let (left, whole) = (due.granted(since).since(at).max(0), due.at.since(due.since));
            json!({ "left": left, "whole": whole, "mine": countdown.mine })
        });
        let asked = shown.as_ref().is_some_and(|shown| shown.asked);
        let (height, drafts) = (frame.height, self.drafts);
        json!({ "parts": {
            "height": height, "parts": parts, "drafts": drafts, "clock": clock, "wake": false, "asked": asked,
        } })
    }
}

fn looker(lang: Lang) -> Looker {
    Looker {
        lang,
        player: PERSON,
        seat: SEAT,
        absent: Seats::NONE,
        owns: true,
        moderates: false,
        code: None,
        link: String::new(),
        address: String::new(),
    }
}

/// What is around the deal. Links that lead to a server are not offered; the script carries out a rematch itself.
fn frame(room: &Watched, lang: Lang) -> Frame {
    let links = Links { rematch: Some("#again".to_owned()), ..Links::default() };
    Frame { links, ..sight::frame(room, &looker(lang)) }
}

/// The part of the page where the person gives up this match for another one.
fn leave(frame: &Frame) -> Markup {
    let lang = frame.lang;
    let (label, sure) = match frame.stage {
        Stage::Over => (lang.pick("Other settings", "Andere Einstellungen"), None),
        Stage::Gathering | Stage::Deal | Stage::Between => (
            lang.pick("Give up this match", "Partie aufgeben"),
            Some(lang.pick("You cannot come back to this match.", "Du kannst nicht in diese Partie zurück.")),
        ),
    };
    html! {
        div id="leave" {
            button type="button" class={ @if sure.is_some() { "grave" } @else { "quiet" } } data-command=(json!({"stand": {}})) data-sure=[sure] { (label) }
        }
    }
}
