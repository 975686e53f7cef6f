//! Hints: what a strong player would do, computed away from the table, which continues meanwhile.

use page::{Board, Lang, Now, Page, State};
use table::{Eye, Height, Seat};

use crate::{Event, Kept, Mind, Playing, Room, event};

/// What a strong player would do.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The move, in words.
    pub what: String,
    /// The reason.
    pub why: Vec<String>,
    /// The draft that prepares it.
    pub draft: String,
    /// The button that plays it once it is prepared.
    pub key: Option<char>,
    /// The height at which it was asked for.
    pub height: Height,
    /// The event it would become.
    pub event: Option<Event>,
}

/// Computes a hint. Takes long.
pub type Thinking = Box<dyn FnOnce() -> Option<Hint> + Send>;

/// The job of computing a hint for a seat whose turn it is.
pub fn hint(room: &Room, seat: Seat, lang: Lang) -> Option<Thinking> {
    games::with_game!(room.game(), G => room.playing::<G>().and_then(|playing| thinking(playing, seat, lang)))
}

fn thinking<G: Kept + Page>(playing: &Playing<G>, seat: Seat, lang: Lang) -> Option<Thinking> {
    use crate::Play as _;
    if !playing.asks(seat) {
        return None;
    }
    let mind = playing.mind(seat, b"hint");
    let (awaited, standing) = (playing.awaited().seats(), playing.standing().clone());
    let names = playing.names().to_vec();
    Some(Box::new(move || {
        let board = Board {
            lang,
            eye: Eye::Seat(seat),
            table: &mind.table,
            known: mind.known(),
            settings: &mind.settings,
            standing: &standing,
            deal: mind.deal,
            names: &names,
            state: State::Played(Now { awaited, ..Now::default() }),
        };
        think(&mind, &board)
    }))
}

fn think<G: Kept + Page>(mind: &Mind<G>, board: &Board<'_, G>) -> Option<Hint> {
    let hint = board.advise(mind.course(), &mut mind.rng())?;
    Some(Hint {
        event: event(mind.seat, hint.height, hint.best, false),
        what: hint.what,
        why: hint.why,
        draft: hint.draft,
        key: hint.key,
        height: hint.height,
    })
}
