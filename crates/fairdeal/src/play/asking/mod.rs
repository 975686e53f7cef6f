//! A person is asked: keys, arrows and mouse until a move is made.
//!
//! - `keys`: what keys do to cards, numbers and buttons.
//! - `opened`: what is open beside the table: the rules, the log, advice, a question.
//!
//! [`ask`] is all of it for one question, where nothing can happen but what the person does. Where others move, talk or
//! vanish meanwhile, a caller has a loop of its own around the same parts: it [puts](Hands::put) the question again
//! whenever there is news, [draws](draw), and passes on what the person does ([`react`]). What is half made stays for
//! as long as the question is the same, and is gone when it is [void](Hands::void).

mod keys;
mod opened;

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;
use table::{Awaiting, Eye, Known, Rules as _, Seat, Table};

use super::drawing::{self, Around};
use super::leaving;
use super::page::{Page, Spot, Target};
use super::screen::{Button, Draft, MoveOf, Press, Screen};
use super::story::Story;
use super::terminal::{Front, Happened, SMALLEST};
use super::windows::Window;
use opened::Open;

/// What came of asking.
pub enum Answer<G: Screen> {
    /// A move.
    Move(MoveOf<G>),
    /// Time is up.
    TimeUp,
    /// The person wants to leave.
    Stop,
}

/// How a person's hands stand: what is prepared, where the arrow keys are, what they read.
pub struct Hands<G: Screen> {
    /// What is prepared.
    pub draft: Draft<G::Extra>,
    focus: Option<Target>,
    /// The person has chosen something themselves since they were asked: where the arrow keys are, a card, a button.
    /// Before that neither Space nor Enter makes a move.
    meant: bool,
    notice: Option<String>,
    /// The last key was a digit: the next one goes on with the number.
    typing: bool,
    spots: Vec<Spot>,
    open: Open<G>,
    /// The question they think about.
    asked: Option<Same>,
}

/// What tells two questions apart.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Same {
    seat: Seat,
    deal: u32,
    height: u64,
    /// What can be done, as text: somebody who leaves changes the table's height, but often nothing else.
    moves: String,
}

impl<G: Screen> Default for Hands<G> {
    fn default() -> Self {
        let draft = Draft { marked: Vec::new(), amount: None, changing: None, extra: G::Extra::default() };
        Self {
            draft,
            focus: None,
            meant: false,
            notice: None,
            typing: false,
            spots: Vec::new(),
            open: Open::Nothing,
            asked: None,
        }
    }
}

impl<G: Screen> Hands<G> {
    /// The question, for the first time or again. If it is another one than before, nothing is prepared for it yet.
    pub fn put(&mut self, question: &Question<'_, G>, story: &Story<G>) {
        let Question { table, seat, known, .. } = *question;
        let (deal, height) = (story.around.deal, table.height().0);
        if self.asked.as_ref().is_some_and(|same| (same.seat, same.deal, same.height) == (seat, deal, height)) {
            return;
        }
        let moves = serde_json::to_string(&table.rules().moves(known, seat)).unwrap_or_default();
        let same = |before: &Same| (before.seat, before.deal) == (seat, deal) && before.moves == moves;
        if !self.asked.as_ref().is_some_and(same) {
            self.void();
        }
        self.asked = Some(Same { seat, deal, height, moves });
    }

    /// Nothing is asked any more: what was prepared is gone. Something to read stays open.
    pub fn void(&mut self) {
        self.draft.clear();
        (self.focus, self.meant, self.typing, self.notice) = (None, false, false, None);
        self.open.forget_question();
        self.asked = None;
    }

    /// Whether a window is open over the table.
    pub const fn is_reading(&self) -> bool {
        self.open.is_open()
    }

    /// Says something to the person, until they do something.
    pub fn notify(&mut self, notice: impl Into<String>) {
        self.notice = Some(notice.into());
    }

    /// Somebody who does something has read what was said to them.
    fn heed(&mut self, happened: Happened) {
        if happened != Happened::Nothing {
            self.notice = None;
        }
    }
}

/// Whom a question is put to, and about what.
pub struct Question<'a, G: Screen> {
    /// The table.
    pub table: &'a Table<G::Rules>,
    /// Who is asked.
    pub seat: Seat,
    /// What they know.
    pub known: Known<'a>,
    /// When their time is up.
    pub until: Option<Instant>,
    /// How long a move without a choice stays on the screen.
    pub pace: Duration,
    /// What computers would draw from, for advice.
    pub seed: [u8; 32],
}

impl<G: Screen> Question<'_, G> {
    /// The only thing that can be done, where there is nothing to decide.
    pub fn forced(&self, story: &Story<G>) -> Option<MoveOf<G>> {
        story.around.scene(self.table, Eye::Seat(self.seat), self.known, |scene| G::forced(scene))
    }
}

/// Asks a person for a move.
pub fn ask<G: Screen, W: std::io::Write>(
    question: &Question<'_, G>,
    story: &Story<G>,
    hands: &mut Hands<G>,
    front: &mut Front<W>,
) -> Answer<G> {
    hands.void();
    hands.open = Open::Nothing;
    hands.put(question, story);
    let viewer = (Eye::Seat(question.seat), question.known);
    let around = |clock, waiting| Around::new(&story.lines, story.around.look, clock, waiting);
    let away = front.away();
    loop {
        if let Some(only) = question.forced(story) {
            // Nothing can be decided, but it is looked at: the card that was one too many.
            let around = around(None, Some("only one move".to_owned()));
            if front.draw(|buffer, _| draw(question.table, viewer, story, hands, &around, buffer)).is_err()
                || front.wait(question.pace * 2) == Happened::Stop
            {
                return Answer::Stop;
            }
            return Answer::Move(only);
        }
        let until = question.until.map(|until| until + front.away().saturating_sub(away));
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Answer::TimeUp;
        }
        let around = around(left.map(|left| left.as_secs() + 1), None);
        if front.draw(|buffer, _| draw(question.table, viewer, story, hands, &around, buffer)).is_err() {
            return Answer::Stop;
        }
        let tick = if left.is_some() { Duration::from_millis(250) } else { Duration::from_secs(60) };
        let happened = front.wait(tick);
        if happened == Happened::Stop {
            return Answer::Stop;
        }
        if let Some(answer) = react(question, story, hands, happened) {
            return answer;
        }
    }
}

/// Draws the table as somebody sees it, with what they have prepared and what they have open.
pub fn draw<G: Screen>(
    table: &Table<G::Rules>,
    (eye, known): (Eye, Known<'_>),
    story: &Story<G>,
    hands: &mut Hands<G>,
    around: &Around<'_>,
    buffer: &mut Buffer,
) {
    story.around.scene(table, eye, known, |scene| {
        let desk = G::desk(scene, &hands.draft);
        if hands.focus.is_none() && hands.asked.is_some() {
            hands.focus = keys::first_focus(&desk);
        }
        let mut page = Page::new(buffer, scene.look, hands.focus);
        if too_small(&mut page, around.leave) {
            return;
        }
        let around = Around { notice: hands.notice.as_deref(), ..around.clone() };
        drawing::draw(scene, &hands.draft, &desk, &around, &mut page);
        hands.spots = std::mem::take(&mut page.spots);
        hands.open.draw(&mut page);
    });
}

/// Says so if there is too little room: cards that do not fit could be mistaken.
pub fn too_small(page: &mut Page<'_>, leave: &str) -> bool {
    let all = page.area();
    let (width, height) = SMALLEST;
    if all.width >= width && all.height >= height {
        return false;
    }
    let says = format!("This terminal has {}x{}, but the game needs {width}x{height}.", all.width, all.height);
    page.wrapped(all, vec![Line::raw(says), Line::raw(format!("Make it larger, or {leave}."))], 0);
    true
}

/// What happened, for a person who is asked.
pub fn react<G: Screen>(
    question: &Question<'_, G>,
    story: &Story<G>,
    hands: &mut Hands<G>,
    happened: Happened,
) -> Option<Answer<G>> {
    if hands.open.is_open() {
        return hands.open.react(question, story, &mut hands.draft, happened);
    }
    hands.heed(happened);
    match happened {
        Happened::Key(KeyCode::Char('q')) => hands.open = Open::Leave(leaving::question(&story.way_back)),
        Happened::Key(KeyCode::Char('h')) => hands.open = opened::advise(question, story),
        other if look_up(story, hands, other) => {}
        Happened::Key(_) | Happened::Click(..) => return at_table(question, story, hands, happened),
        Happened::Nothing | Happened::Stop | Happened::Wheel(_) => {}
    }
    None
}

/// What happened, for a person who looks on: they can read the rules and the log.
pub fn read<G: Screen>(story: &Story<G>, hands: &mut Hands<G>, happened: Happened) {
    if hands.open.is_open() {
        hands.open.read(happened);
    } else {
        hands.heed(happened);
        look_up(story, hands, happened);
    }
}

/// Keys that open something to read, while no window is open; whether it was one.
fn look_up<G: Screen>(story: &Story<G>, hands: &mut Hands<G>, happened: Happened) -> bool {
    match happened {
        Happened::Key(KeyCode::Char('?')) => hands.open = Open::rules(story),
        Happened::Key(KeyCode::Char('l')) => hands.open = Open::log(story),
        _ => return false,
    }
    true
}

/// Cards, numbers and buttons.
fn at_table<G: Screen>(
    question: &Question<'_, G>,
    story: &Story<G>,
    hands: &mut Hands<G>,
    happened: Happened,
) -> Option<Answer<G>> {
    story.around.scene(question.table, Eye::Seat(question.seat), question.known, |scene| {
        let desk = G::desk(scene, &hands.draft);
        let done = keys::work(scene, &desk, hands, happened);
        keys::keep_place(&desk, &G::desk(scene, &hands.draft), hands);
        let done = done?;
        // A person is told why; the match continues.
        if let Some(why) = scene.refusal(&done) {
            hands.notice = Some(why);
            return None;
        }
        let does = |button: &&Button<G>| matches!(&button.press, Ok(Press::Move(a_move)) if *a_move == done);
        let pressed = desk.buttons.iter().find(does);
        let Some((button, question)) = pressed.and_then(|button| Some((button, button.sure.as_deref()?))) else {
            return Some(Answer::Move(done));
        };
        let title = format!("{}?", button.label);
        let text = vec![Line::raw(scene.look.plain(question))];
        hands.open = Open::Sure(Window::new(title, text, "Enter confirms, any other key cancels"), done);
        None
    })
}

/// Shows the table while it is somebody else's turn, or nobody's.
pub fn watch<G: Screen, W: std::io::Write>(
    table: &Table<G::Rules>,
    viewer: (Eye, Known<'_>),
    story: &Story<G>,
    hands: &Hands<G>,
    front: &mut Front<W>,
) -> std::io::Result<()> {
    let look = story.around.look;
    story.around.scene(table, viewer.0, viewer.1, |scene| {
        let desk = G::desk(scene, &hands.draft);
        let waiting = match table.awaiting() {
            Awaiting::Turn(seat) => format!("{} is thinking", scene.name(seat)),
            // A viewer who looks on has chosen, or is asked in a moment.
            Awaiting::Choices(seats) => {
                format!("waiting for {}", scene.list(seats.iter().filter(|seat| !viewer.0.is(*seat))))
            }
            Awaiting::Dealer => "dealing".to_owned(),
            Awaiting::Over => "the deal is over".to_owned(),
        };
        front.draw(|buffer, _| {
            let mut page = Page::new(buffer, look, None);
            let around = Around::new(&story.lines, look, None, Some(waiting));
            if too_small(&mut page, around.leave) {
                return;
            }
            drawing::draw(scene, &hands.draft, &desk, &around, &mut page);
        })
    })
}
