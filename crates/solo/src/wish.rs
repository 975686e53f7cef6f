//! What somebody wants to play: the form of a table, and who they are.

use page::Lang;
use room::form::{self, Filled};
use room::ids::PlayerId;
use room::{Entry, Event, Face, Sitter, Terms};
use serde::Deserialize;
use table::record::hex;
use table::{Game as _, Seat};

use crate::trouble::Trouble;

/// The person. There is nobody else whom they could be mistaken for.
pub(crate) const PERSON: PlayerId = PlayerId([1; 16]);
/// Their seat.
pub(crate) const SEAT: Option<Seat> = Seat::new(0);

/// What somebody wants to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The form, field by field.
    fields: Vec<(String, String)>,
    /// Their name and picture.
    name: String,
    avatar: u8,
    /// The language in which the form is shown again if something is wrong with it.
    lang: String,
}

/// What a wish becomes.
pub(crate) enum Granted {
    /// The beginning of a table.
    Events(Vec<Event>),
    /// The form again, with what is wrong, as HTML.
    Wrong(String),
}

impl Wish {
    pub(crate) fn read(text: &str) -> Result<Self, Trouble> {
        serde_json::from_str(text).map_err(|why| Trouble::new("other", format!("not a wish: {why}")))
    }

    /// Everybody sits down, and the match begins.
    pub(crate) fn grant(self, session: [u8; 32]) -> Result<Granted, Trouble> {
        let lang = Lang::from_code(&self.lang).unwrap_or_default();
        let filled = Filled::read(&self.fields).ok_or(Trouble::new("other", "there is no such game"))?;
        let settings = match filled.check(lang) {
            Ok(settings) => settings,
            Err(wrong) => return Ok(Granted::Wrong(form::alone(&filled, &wrong, lang).into_string())),
        };
        let terms = Terms {
            game: filled.game.name().to_owned(),
            rules: games::with_game!(filled.game, G => G::VERSION),
            players: filled.players,
            settings,
            owner: Some(PERSON),
            listed: false,
            reveal: "auto".to_owned(),
            pace: filled.pace,
            hints: filled.hints,
            session: hex(&session),
        };
        // Nobody has to be convinced that this browser shuffles well, so nobody sends seeds.
        let face = Face { name: self.name, avatar: self.avatar };
        let me = SEAT.map(|seat| (seat, Sitter::Player { player: PERSON, face, seeds: false }));
        let others = (1..filled.players).filter_map(Seat::new).map(|seat| (seat, Sitter::Computer(filled.level)));
        let sit = me.into_iter().chain(others).map(|(seat, who)| Event::Sat { seat, who });
        Ok(Granted::Events([Event::Opened(Box::new(terms))].into_iter().chain(sit).chain([Event::Started]).collect()))
    }
}

/// An entry of the log, as the page keeps it.
pub(crate) fn entry(bytes: &[u8]) -> Result<Entry, Trouble> {
    serde_json::from_slice(bytes).map_err(|why| Trouble::new("damaged", format!("not an entry: {why}")))
}
