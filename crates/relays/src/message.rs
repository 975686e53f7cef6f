//! What a program and a relay say to each other (NIP-01): JSON arrays that begin with a word.

use core::fmt;
use std::collections::BTreeMap;

use results::Public;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use table::record::hex;

use crate::event::MOST_EVENT;
use crate::{BadEvent, Event, EventId, Kind, Seconds};

/// No message that is read is longer: an event, and the words around it.
pub const MOST_MESSAGE: usize = MOST_EVENT + 1024;
/// No message is listened to that is longer. Anybody can publish events that are longer than ours, as far as relays take
/// them, and such an event must not hide those after it; so this is more than relays usually take.
pub const MOST_HEARD: usize = 4 << 20;
/// How much of a relay's own words is read.
const MOST_WORDS: usize = 200;

/// Which events somebody wants. Empty lists do not matter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Of these kinds.
    pub kinds: Vec<Kind>,
    /// By these authors.
    pub authors: Vec<Public>,
    /// With these ids.
    pub ids: Vec<EventId>,
    /// With one of these values in the tag with this letter.
    pub tags: BTreeMap<char, Vec<String>>,
    /// Not before then.
    pub since: Option<Seconds>,
    /// Not after then.
    pub until: Option<Seconds>,
    /// Not more than so many, and the latest of them.
    pub limit: Option<usize>,
}

/// To a relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToRelay {
    /// Keep this event, and pass it on.
    Event(Event),
    /// Send events that fit, those that are there and those that come, under this name.
    Ask {
        /// The name of the question.
        name: String,
        /// What is wanted.
        filter: Filter,
    },
    /// No more of that question.
    Close(String),
}

/// From a relay. Nothing of it is to be believed, except the signature of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FromRelay {
    /// An event that is said to fit.
    Event {
        /// The name of the question.
        name: String,
        /// The event.
        event: Box<Event>,
    },
    /// An event that is not read: it is longer than ours, or has more tags, or its signature is wrong. A relay that
    /// checks less than we do, or otherwise, cannot help having some. Nothing of it is to be believed.
    Unread {
        /// The name of the question.
        name: String,
        /// What it says that it is.
        kind: Kind,
        /// When it says that it was said.
        at: Seconds,
        /// Why it is not read.
        why: BadEvent,
    },
    /// That was all; what comes now is new.
    ThatIsAll(String),
    /// There will be no more for this question.
    Closed {
        /// The name of the question.
        name: String,
        /// Why.
        why: String,
    },
    /// What became of an event.
    Kept {
        /// The event.
        id: EventId,
        /// Whether it is kept.
        kept: bool,
        /// Why not.
        why: String,
    },
    /// Words for people.
    Notice(String),
    /// It wants to know who is there (NIP-42).
    WhoAreYou,
}

/// Why a message makes no sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strange {
    /// Longer than [`MOST_MESSAGE`], and no event.
    TooLong,
    /// Not one of the messages of a relay.
    Form,
    /// The event is none.
    Event(BadEvent),
}

impl Filter {
    /// Events of one kind.
    pub fn of(kind: Kind) -> Self {
        Self { kinds: vec![kind], ..Self::default() }
    }

    /// With one of these values in the tag with this letter.
    #[must_use]
    pub fn with(mut self, letter: char, values: Vec<String>) -> Self {
        self.tags.insert(letter, values);
        self
    }

    /// By this author.
    #[must_use]
    pub fn by(mut self, author: Public) -> Self {
        self.authors.push(author);
        self
    }

    /// Whether this event is one of those. A relay may send others.
    pub fn fits(&self, event: &Event) -> bool {
        let tags = self.tags.iter().all(|(letter, values)| {
            let name = letter.to_string();
            event.draft().all_tags(&name).any(|value| values.iter().any(|one| one == value))
        });
        tags && self.may_fit(event.kind(), event.at())
            && (self.authors.is_empty() || self.authors.contains(&event.by()))
            && (self.ids.is_empty() || self.ids.contains(&event.id()))
    }

    /// Whether an event of this kind and time may be one of those, as far as that says.
    pub fn may_fit(&self, kind: Kind, at: Seconds) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at <= until)
    }

    fn value(&self) -> Value {
        let mut all = Map::new();
        if !self.kinds.is_empty() {
            all.insert("kinds".to_owned(), self.kinds.iter().map(|kind| kind.0).collect());
        }
        if !self.authors.is_empty() {
            all.insert("authors".to_owned(), self.authors.iter().map(Public::hex).collect());
        }
        if !self.ids.is_empty() {
            all.insert("ids".to_owned(), self.ids.iter().map(|id| hex(&id.0)).collect());
        }
        for (letter, values) in &self.tags {
            all.insert(format!("#{letter}"), values.clone().into());
        }
        for (name, number) in [("since", self.since), ("until", self.until)] {
            if let Some(number) = number {
                all.insert(name.to_owned(), number.into());
            }
        }
        if let Some(limit) = self.limit {
            all.insert("limit".to_owned(), limit.into());
        }
        Value::Object(all)
    }
}

impl ToRelay {
    /// As it is sent.
    pub fn text(&self) -> String {
        match self {
            Self::Event(event) => json!(["EVENT", event.value()]),
            Self::Ask { name, filter } => json!(["REQ", name, filter.value()]),
            Self::Close(name) => json!(["CLOSE", name]),
        }
        .to_string()
    }
}

impl FromRelay {
    /// Reads a message; an event in it has a right signature.
    pub fn parse(text: &str) -> Result<Self, Strange> {
        if text.len() > MOST_MESSAGE {
            return unread(text, BadEvent::TooLong).ok_or(Strange::TooLong);
        }
        let all: Vec<Value> = serde_json::from_str(text).map_err(|_| Strange::Form)?;
        let mut all = all.into_iter();
        let mut next = move || all.next();
        let word = next().ok_or(Strange::Form)?;
        match word.as_str().ok_or(Strange::Form)? {
            "EVENT" => {
                let name = named(next())?;
                match Event::from_value(next().ok_or(Strange::Form)?) {
                    Ok(event) => Ok(Self::Event { name, event: Box::new(event) }),
                    Err(why) => unread(text, why).ok_or(Strange::Event(why)),
                }
            }
            "EOSE" => Ok(Self::ThatIsAll(named(next())?)),
            "CLOSED" => Ok(Self::Closed { name: named(next())?, why: said(next()) }),
            "OK" => {
                let id = named(next())?.parse().map_err(Strange::Event)?;
                let kept = next().and_then(|kept| kept.as_bool()).ok_or(Strange::Form)?;
                Ok(Self::Kept { id, kept, why: said(next()) })
            }
            "NOTICE" => Ok(Self::Notice(said(next()))),
            "AUTH" => Ok(Self::WhoAreYou),
            _ => Err(Strange::Form),
        }
    }
}

/// As much of an event as is looked at if it is not read.
#[derive(Deserialize)]
struct Outside {
    kind: u16,
    created_at: u64,
}

/// A message with an event that is not read.
fn unread(text: &str, why: BadEvent) -> Option<FromRelay> {
    if text.len() > MOST_HEARD {
        return None;
    }
    let (word, name, event): (String, String, Outside) = serde_json::from_str(text).ok()?;
    let is_one = word == "EVENT" && name.len() <= MOST_WORDS;
    is_one.then_some(FromRelay::Unread { name, kind: Kind(event.kind), at: event.created_at, why })
}

fn named(value: Option<Value>) -> Result<String, Strange> {
    match value {
        Some(Value::String(name)) if name.len() <= MOST_WORDS => Ok(name),
        _ => Err(Strange::Form),
    }
}

/// A relay's words, on one line and without anything that steers a terminal.
fn said(value: Option<Value>) -> String {
    let Some(Value::String(words)) = value else { return String::new() };
    words.chars().filter(|c| !steers(*c)).take(MOST_WORDS).collect()
}

/// Whether a letter steers a terminal: controls, line separators, marks that turn the direction of writing around.
pub(crate) fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl fmt::Display for Strange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "a message has at most {MOST_MESSAGE} bytes"),
            Self::Form => f.write_str("it is no message of a relay (NIP-01)"),
            Self::Event(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Strange {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;
    use crate::event::tag;
    use results::Secret;

    fn event() -> Event {
        let tags = vec![tag("d", "one"), tag("p", "two"), tag("p", "three"), vec!["e".to_owned()]];
        let draft = Draft { at: 100, kind: Kind::RESULT, tags, content: "x".to_owned() };
        draft.sign(&Secret::from_bytes(&[7; 32]).unwrap(), &[0; 32])
    }

    #[test]
    fn messages_are_written_as_relays_expect_them() {
        let filter = Filter { since: Some(5), until: Some(9), limit: Some(3), ..Filter::of(Kind::BOARD) };
        let ask = ToRelay::Ask { name: "a".to_owned(), filter: filter.with('d', vec!["poker".to_owned()]) };
        assert_eq!(ask.text(), r##"["REQ","a",{"#d":["poker"],"kinds":[32052],"limit":3,"since":5,"until":9}]"##);
        assert_eq!(ToRelay::Close("a".to_owned()).text(), r#"["CLOSE","a"]"#);
        let sent = ToRelay::Event(event()).text();
        assert!(sent.starts_with(r#"["EVENT",{"#), "{sent}");
    }

    #[test]
    fn what_relays_say_is_read() {
        let (event, id) = (event(), "ab".repeat(32));
        let written = format!(r#"["EVENT","a",{}]"#, event.text());
        let read = |text: &str| FromRelay::parse(text);
        assert_eq!(read(&written), Ok(FromRelay::Event { name: "a".to_owned(), event: Box::new(event) }));
        assert_eq!(read(r#"["EOSE","a"]"#), Ok(FromRelay::ThatIsAll("a".to_owned())));
        let closed = FromRelay::Closed { name: "a".to_owned(), why: "no".to_owned() };
        assert_eq!(read(r#"["CLOSED","a","no"]"#), Ok(closed));
        let kept = FromRelay::Kept { id: EventId([0xab; 32]), kept: true, why: String::new() };
        assert_eq!(read(&format!(r#"["OK","{id}",true,""]"#)), Ok(kept));
        assert_eq!(read(r#"["NOTICE","a\u001b[2Jb\u202ec"]"#), Ok(FromRelay::Notice("a[2Jbc".to_owned())));
        assert_eq!(read(r#"["AUTH","x"]"#), Ok(FromRelay::WhoAreYou));
        for wrong in ["", "{}", "[]", "[1]", r#"["EVENT"]"#, r#"["OK","x",true]"#, r#"["EOSE",7]"#, r#"["WHAT","a"]"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(read(&" ".repeat(MOST_MESSAGE + 1)), Err(Strange::TooLong));
    }

    #[test]
    fn an_event_that_is_not_read_says_at_least_what_it_claims_to_be() {
        let unread = |text: &str| match FromRelay::parse(text) {
            Ok(FromRelay::Unread { name, kind, at, why }) => (name, kind, at, why),
            other => panic!("{other:?}"),
        };
        let written = |event: &Event| format!(r#"["EVENT","a",{}]"#, event.text());
        let claimed = |why| ("a".to_owned(), Kind::RESULT, 100, why);
        let forged = written(&event()).replace(r#""content":"x""#, r#""content":"y""#);
        assert_eq!(unread(&forged), claimed(BadEvent::OtherId));
        let signed = |draft: Draft| draft.sign(&Secret::from_bytes(&[7; 32]).unwrap(), &[0; 32]);
        let draft = event().draft().clone();
        let long = signed(Draft { content: "x".repeat(MOST_MESSAGE), ..draft.clone() });
        assert_eq!(unread(&written(&long)), claimed(BadEvent::TooLong));
        let tags = vec![tag("d", "one"); crate::event::MOST_TAGS + 1];
        assert_eq!(unread(&written(&signed(Draft { tags, ..draft.clone() }))), claimed(BadEvent::TooMuch));
        let endless = signed(Draft { content: "x".repeat(MOST_HEARD), ..draft });
        assert_eq!(FromRelay::parse(&written(&endless)), Err(Strange::TooLong));
        let nothing = FromRelay::parse(r#"["EVENT","a",{"id":1}]"#);
        assert_eq!(nothing, Err(Strange::Event(BadEvent::Form)));
    }

    #[test]
    fn a_filter_is_compared_with_what_comes() {
        let event = event();
        let of = Filter::of;
        let value = |text: &str| vec![text.to_owned()];
        for fits in [
            Filter::default(),
            of(Kind::RESULT).by(event.by()),
            of(Kind::RESULT).with('p', value("three")).with('d', value("one")),
            Filter { ids: vec![event.id()], since: Some(100), until: Some(100), ..Filter::default() },
        ] {
            assert!(fits.fits(&event), "{fits:?}");
        }
        for other in [
            of(Kind::BOARD),
            of(Kind::RESULT).by(Secret::from_bytes(&[8; 32]).unwrap().public()),
            of(Kind::RESULT).with('p', value("four")),
            of(Kind::RESULT).with('e', value("x")),
            Filter { since: Some(101), ..Filter::default() },
            Filter { until: Some(99), ..Filter::default() },
            Filter { ids: vec![EventId([0; 32])], ..Filter::default() },
        ] {
            assert!(!other.fits(&event), "{other:?}");
        }
    }
}
