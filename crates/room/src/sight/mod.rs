//! A room as people see it: what [`page`] needs to draw it for one viewer, and what becomes of a click.
//!
//! The room knows rules and log, the page knows HTML and words; here is what one tells the other.
//!
//! - `watched`: a room with its story in words
//! - `hint`: what a strong player would do
//! - `refusing`: why a room refuses something, in words

mod hint;
mod refusing;
#[cfg(test)]
pub(crate) mod tests;
mod watched;

use page::beside::{Order, Remark};
use page::{Board, Frame, Invite, Lang, Links, Next, NotPressed, Now, Page, Pressed, Shown, State, Who};
use table::{Eye, Height, Seat, Seats};

use crate::ids::{Code, PlayerId};
use crate::{Awaited, Chair, Event, Kept, Playing, Refusal, Room, Sitter, Stage};

pub use hint::{Hint, Thinking, hint};
pub use watched::Watched;

/// A viewer of a table.
#[derive(Clone, Debug)]
pub struct Looker {
    /// Their language.
    pub lang: Lang,
    /// Their id.
    pub player: PlayerId,
    /// Their seat, if they have one.
    pub seat: Option<Seat>,
    /// The seats whose players are known not to have the table open.
    pub absent: Seats,
    /// Whether they may start the match and seat computers.
    pub owns: bool,
    /// Whether they may mute people.
    pub moderates: bool,
    /// The code for joining.
    pub code: Option<Code>,
    /// The address for joining.
    pub link: String,
    /// This table's address.
    pub address: String,
}

impl Looker {
    /// What they see with.
    pub fn eye(&self) -> Eye {
        self.seat.map_or(Eye::Public, Eye::Seat)
    }
}

/// What a click does.
#[derive(Debug)]
pub enum Clicked {
    /// A move; and the draft that remains.
    Event(Event, String),
    /// The draft has changed; there may be a message about it.
    Draft(String, Option<String>),
    /// The button cannot be pressed, and says why.
    Refused(String),
}

/// What can be clicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Click {
    /// The button with this key.
    Key(char),
    /// A place that the page offered.
    Place(u16),
}

/// What a viewer sees of the deal, with their draft; `None` before the match.
pub fn show(room: &Room, eye: Eye, lang: Lang, draft: Option<&str>) -> Option<Shown> {
    games::with_game!(room.game(), G => Some(board(room.playing::<G>()?, eye, lang).show(draft)))
}

/// What becomes of a click of this seat.
///
/// # Errors
/// Fails if there is nothing to click.
pub fn click(room: &Room, seat: Seat, lang: Lang, click: Click, draft: Option<&str>) -> Result<Clicked, Refusal> {
    games::with_game!(room.game(), G => {
        let playing = room.playing::<G>().ok_or(Refusal::NotBegun)?;
        let board = board(playing, Eye::Seat(seat), lang);
        let pressed = match click {
            Click::Key(key) => board.press(key, draft),
            Click::Place(place) => board.place(place, draft),
        };
        Ok(match pressed {
            Ok(Pressed::Move(a_move, kept)) => {
                Clicked::Event(playing.event(seat, a_move, false).ok_or(Refusal::NotAsked)?, kept)
            }
            Ok(Pressed::Draft(draft, said)) => Clicked::Draft(draft, said),
            Err(NotPressed::Refused(why)) => Clicked::Refused(why),
            Err(NotPressed::NotAsked) => return Err(Refusal::NotAsked),
            Err(NotPressed::Height { now, got }) => return Err(Refusal::Height { now, got }),
        })
    })
}

/// What becomes of a click of this player, if it answers the height of the table.
///
/// # Errors
/// Fails if the player does not sit here, the table has moved on, or there is nothing to click.
pub fn click_at(
    room: &Room,
    (player, height): (PlayerId, Height),
    lang: Lang,
    what: Click,
    draft: Option<&str>,
) -> Result<Clicked, Refusal> {
    let seat = room.seat_of(player).ok_or(Refusal::NotSeated)?;
    let play = room.play().ok_or(Refusal::NotBegun)?;
    if play.stage() != Stage::Deal {
        return Err(Refusal::NotAsked);
    }
    if play.height() != height {
        return Err(Refusal::Height { now: play.height(), got: height });
    }
    click(room, seat, lang, what, draft)
}

/// The deal that people look at: the one that is played or, after its end, the last.
fn board<G: Kept + Page>(playing: &Playing<G>, eye: Eye, lang: Lang) -> Board<'_, G> {
    use crate::Play as _;
    let (settings, names) = (playing.settings(), playing.names());
    // While people look at how a deal ended, its cards stay on the table.
    if let (Stage::Between | Stage::Over, Some(ended)) = (playing.stage(), playing.ended()) {
        return Board {
            lang,
            eye,
            table: &ended.table,
            known: ended.known_to(eye),
            settings,
            standing: &ended.after,
            deal: ended.deal,
            names,
            state: State::Over { outcome: &ended.outcome, ties: &ended.ties },
        };
    }
    Board {
        lang,
        eye,
        table: playing.table(),
        known: playing.known_to(eye),
        settings,
        standing: playing.standing(),
        deal: playing.deal(),
        names,
        state: State::Played(Now {
            awaited: playing.awaited().seats(),
            chosen: playing.chosen_by(eye),
            changeable: true,
            settled: playing.settled(),
        }),
    }
}

/// What is around the deal, for one viewer.
pub fn frame(room: &Room, looker: &Looker) -> Frame {
    let play = room.play();
    Frame {
        lang: looker.lang,
        me: looker.seat,
        game: room.game(),
        chairs: room.chairs().map(|(seat, one)| chair(room, looker, seat, one)).collect(),
        stage: match room.stage() {
            None => page::Stage::Gathering,
            Some(Stage::Deal) => page::Stage::Deal,
            Some(Stage::Between) => page::Stage::Between,
            Some(Stage::Over) => page::Stage::Over,
        },
        deal: play.map_or(0, |play| play.deal()),
        ended: play.map_or(0, |play| play.deals_over()),
        height: play.map(|play| play.height()).unwrap_or_default(),
        awaited: play.map_or(page::Awaited::Nothing, |play| match play.awaited() {
            Awaited::Seeds(_, _, seats) => page::Awaited::Seeds(seats),
            Awaited::Turn(seat) => page::Awaited::Turn(seat),
            Awaited::Choices(seats) => page::Awaited::Choices(seats),
            Awaited::Looking => page::Awaited::Looking,
            Awaited::House | Awaited::Nothing => page::Awaited::Nothing,
        }),
        ready: room.ready(),
        looking: room.looking(),
        out: play.zip(looker.seat).is_some_and(|(play, seat)| !play.asks(seat) && !play.takes_part(seat)),
        beat: room.beat(),
        hints: room.allows_hints(),
        plays_on: room.computer_plays_on(),
        owner: room.owner().and_then(|owner| room.seat_of(owner)),
        owns: looker.owns,
        links: links(room, looker),
    }
}

fn chair(room: &Room, looker: &Looker, seat: Seat, chair: &Chair) -> page::Chair {
    let (name, avatar) = chair.face(seat).map_or_else(Default::default, |face| (face.name, face.avatar));
    page::Chair {
        who: match &chair.who {
            None => Who::Nobody,
            Some(Sitter::Player { .. }) => Who::Person,
            Some(Sitter::Computer(kind)) => Who::Computer(*kind),
        },
        name,
        avatar,
        left: chair.left.is_some(),
        away: room.is_away(seat),
        absent: looker.absent.contains(seat),
        hints: room.hints(seat),
        // The house deals: nobody else's device does.
        checked: false,
    }
}

fn links(room: &Room, looker: &Looker) -> Links {
    let address = &looker.address;
    Links {
        rematch: Some(format!("{address}/again")),
        replay: Some(format!("{address}/replay")),
        lobby: Some("/".to_owned()),
        alone: Some("/quick".to_owned()),
        invite: looker.code.map(|code| Invite {
            code: Some(code.to_string()),
            link: looker.link.clone(),
            picture: format!("{address}/qr.svg"),
        }),
        next: room.again().map(|table| Next { address: format!("/tables/{table}"), asker: room.wants_again() }),
    }
}

/// The chat.
pub fn remarks(room: &Room) -> impl Iterator<Item = Remark<'_>> {
    room.said().map(|remark| Remark {
        number: remark.number,
        player: remark.player.to_string(),
        name: &remark.name,
        seated: remark.seated,
        text: &remark.text,
    })
}

/// Whom a viewer can mute, if they may.
pub fn order(room: &Room, looker: &Looker) -> Option<Order> {
    if !looker.moderates {
        return None;
    }
    // The others at the table, and spectators who have said something.
    let mut others: Vec<(PlayerId, String)> = Vec::new();
    let seated = room.chairs().filter(|(seat, _)| looker.seat != Some(*seat));
    let seated = seated.filter_map(|(seat, chair)| Some((chair.player()?, chair.face(seat)?.name)));
    let lookers = room.said().filter(|remark| !remark.seated).map(|remark| (remark.player, remark.name.clone()));
    for (player, name) in seated.chain(lookers) {
        let known = others.iter().any(|(other, _)| *other == player) || room.muted().any(|(other, _)| other == player);
        if !known && player != looker.player {
            others.push((player, name));
        }
    }
    Some(Order {
        others: others.into_iter().map(|(player, name)| (player.to_string(), name)).collect(),
        muted: room.muted().map(|(player, name)| (player.to_string(), name.to_owned())).collect(),
        lookers_muted: room.lookers_are_muted(),
    })
}
