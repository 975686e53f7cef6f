//! A person is asked: keys, arrows and mouse until a move is made.

use std::time::{Duration, Instant};

use bots::{Course, Sight};
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;
use table::{Awaiting, Eye, Known, Rules as _, Seat, Table};

use super::chronicle::{Chronicle, Round};
use super::drawing::{self, Around};
use super::leaving;
use super::page::{self, Page, Spot, Target, Way};
use super::screen::{Button, Desk, Draft, MoveOf, Press, Scene, Screen};
use super::terminal::{Front, Happened, SMALLEST};
use super::windows::{Reaction, Window};

/// What came of asking.
pub enum Answer<G: Screen> {
    /// A move.
    Move(MoveOf<G>),
    /// Time is up.
    TimeUp,
    /// The person wants to leave.
    Stop,
}

/// What the person has open beside the table.
enum Open<G: Screen> {
    Nothing,
    /// Something to read.
    Text(Window),
    /// Advice, which can be taken.
    Advice(Window, MoveOf<G>),
    /// A move that is rarely meant: make it all the same?
    Sure(Window, MoveOf<G>),
    /// A question: leave?
    Leave(Window),
}

/// How a person's hands stand: what is prepared, where the arrow keys are.
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
}

impl<G: Screen> Default for Hands<G> {
    fn default() -> Self {
        let draft = Draft { marked: Vec::new(), amount: None, changing: None, extra: G::Extra::default() };
        Self { draft, focus: None, meant: false, notice: None, typing: false, spots: Vec::new() }
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

/// Asks a person for a move.
pub fn ask<G: Screen, W: std::io::Write>(
    question: &Question<'_, G>,
    chronicle: &Chronicle<G>,
    hands: &mut Hands<G>,
    front: &mut Front<W>,
) -> Answer<G> {
    hands.draft.clear();
    hands.notice = None;
    (hands.focus, hands.meant) = (None, false);
    let mut open = Open::Nothing;
    let away = front.away();
    loop {
        let round = &chronicle.around;
        let forced = round.scene(question.table, Eye::Seat(question.seat), question.known, |scene| G::forced(scene));
        if let Some(only) = forced {
            // Nothing can be decided, but it is looked at: the card that was one too many.
            if show(question, chronicle, hands, &mut open, Asked::NothingElse, front).is_err()
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
        if show(question, chronicle, hands, &mut open, Asked::Freely(left), front).is_err() {
            return Answer::Stop;
        }
        let tick = if left.is_some() { Duration::from_millis(250) } else { Duration::from_secs(60) };
        let happened = front.wait(tick);
        if happened == Happened::Stop {
            return Answer::Stop;
        }
        if let Some(answer) = react(question, chronicle, hands, &mut open, happened) {
            return answer;
        }
    }
}

/// How a person is asked.
#[derive(Clone, Copy)]
enum Asked {
    /// For a decision, within this time if there is a limit.
    Freely(Option<Duration>),
    /// Not at all: there is only one thing to do.
    NothingElse,
}

fn show<G: Screen, W: std::io::Write>(
    question: &Question<'_, G>,
    chronicle: &Chronicle<G>,
    hands: &mut Hands<G>,
    open: &mut Open<G>,
    asked: Asked,
    front: &mut Front<W>,
) -> std::io::Result<()> {
    let Round { look, .. } = chronicle.around;
    let (clock, waiting) = match asked {
        Asked::Freely(left) => (left.map(|left| left.as_secs() + 1), None),
        Asked::NothingElse => (None, Some("only one move".to_owned())),
    };
    chronicle.around.scene(question.table, Eye::Seat(question.seat), question.known, |scene| {
        let desk = G::desk(scene, &hands.draft);
        if hands.focus.is_none() {
            hands.focus = first_focus(&desk);
        }
        front.draw(|buffer, area| {
            let mut page = Page::new(buffer, look, hands.focus);
            if too_small(&mut page) {
                return;
            }
            let around =
                Around { log: &chronicle.lines, notice: hands.notice.as_deref(), clock, waiting: waiting.clone() };
            drawing::draw(scene, &hands.draft, &desk, &around, &mut page);
            hands.spots = std::mem::take(&mut page.spots);
            match open {
                Open::Nothing => {}
                Open::Text(window) | Open::Advice(window, _) | Open::Sure(window, _) | Open::Leave(window) => {
                    window.draw(&mut page);
                }
            }
            let _ = area;
        })
    })
}

/// Says so if there is too little room: cards that do not fit could be mistaken.
pub fn too_small(page: &mut Page<'_>) -> bool {
    let all = page.area();
    let (width, height) = SMALLEST;
    if all.width >= width && all.height >= height {
        return false;
    }
    let says = format!("This terminal has {}x{}, but the game needs {width}x{height}.", all.width, all.height);
    page.wrapped(
        all,
        vec![Line::raw(says), Line::raw("Make it larger, or press q and Enter to leave; the match is saved.")],
        0,
    );
    true
}

/// Where the arrow keys begin: on the cards if they matter, and else nowhere.
fn first_focus<G: Screen>(desk: &Desk<G>) -> Option<Target> {
    let cards = desk.marking != super::screen::Marking::None;
    desk.hand.iter().find(|tile| cards && tile.usable).map(|tile| Target::Card(tile.slot))
}

fn react<G: Screen>(
    question: &Question<'_, G>,
    chronicle: &Chronicle<G>,
    hands: &mut Hands<G>,
    open: &mut Open<G>,
    happened: Happened,
) -> Option<Answer<G>> {
    match std::mem::replace(open, Open::Nothing) {
        Open::Text(mut window) => {
            if window.react(happened) == Reaction::Stays {
                *open = Open::Text(window);
            }
            None
        }
        Open::Advice(mut window, best) => {
            match window.react(happened) {
                Reaction::Stays => *open = Open::Advice(window, best),
                Reaction::Closes => {
                    chronicle.around.scene(question.table, Eye::Seat(question.seat), question.known, |scene| {
                        G::prepare(scene, &mut hands.draft, &best);
                    });
                }
                Reaction::Agrees => return Some(Answer::Move(best)),
            }
            None
        }
        Open::Sure(mut window, a_move) => match window.answer(happened) {
            Reaction::Agrees => Some(Answer::Move(a_move)),
            Reaction::Stays => {
                *open = Open::Sure(window, a_move);
                None
            }
            Reaction::Closes => None,
        },
        Open::Leave(mut window) => match window.answer(happened) {
            Reaction::Agrees => Some(Answer::Stop),
            Reaction::Stays => {
                *open = Open::Leave(window);
                None
            }
            Reaction::Closes => None,
        },
        Open::Nothing => at_table(question, chronicle, hands, open, happened),
    }
}

/// Keys while no window is open.
fn at_table<G: Screen>(
    question: &Question<'_, G>,
    chronicle: &Chronicle<G>,
    hands: &mut Hands<G>,
    open: &mut Open<G>,
    happened: Happened,
) -> Option<Answer<G>> {
    let look = chronicle.around.look;
    if happened != Happened::Nothing {
        hands.notice = None;
    }
    match happened {
        Happened::Nothing | Happened::Stop | Happened::Wheel(_) => return None,
        Happened::Key(KeyCode::Char('?')) => {
            *open = Open::Text(Window::rules(G::TITLE, &[G::RULES, G::NUMBERS].join("\n"), look));
            return None;
        }
        Happened::Key(KeyCode::Char('l')) => {
            *open = Open::Text(
                Window::new("What happened so far", chronicle.lines.clone(), "arrows scroll, Esc closes").at_end(),
            );
            return None;
        }
        Happened::Key(KeyCode::Char('q')) => {
            *open = Open::Leave(leaving::question(&chronicle.saved.way_back()));
            return None;
        }
        Happened::Key(KeyCode::Char('h')) => {
            *open = advise(question, chronicle);
            return None;
        }
        Happened::Key(_) | Happened::Click(..) => {}
    }
    chronicle.around.scene(question.table, Eye::Seat(question.seat), question.known, |scene| {
        let desk = G::desk(scene, &hands.draft);
        let done = work(scene, &desk, hands, happened);
        keep_place(&desk, &G::desk(scene, &hands.draft), hands);
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
        *open = Open::Sure(
            Window::new(title, vec![Line::raw(look.plain(question))], "Enter confirms, any other key cancels"),
            done,
        );
        None
    })
}

/// Where the card under the arrow keys has left the hand, they stay where it was.
fn keep_place<G: Screen>(before: &Desk<G>, now: &Desk<G>, hands: &mut Hands<G>) {
    let at = |desk: &Desk<G>, slot| desk.hand.iter().position(|tile| tile.slot == slot);
    if let Some(Target::Card(slot)) = hands.focus
        && let (Some(was), None) = (at(before, slot), at(now, slot))
    {
        let next = now.hand.get(was).or(now.hand.last());
        hands.focus = next.map(|tile| Target::Card(tile.slot));
    }
}

/// Arrows, marking, typing numbers, pressing buttons.
fn work<G: Screen>(
    scene: &Scene<'_, G>,
    desk: &Desk<G>,
    hands: &mut Hands<G>,
    happened: Happened,
) -> Option<MoveOf<G>> {
    let typing = std::mem::replace(&mut hands.typing, false);
    let go = |way, hands: &mut Hands<G>| {
        hands.focus = match hands.focus {
            None => first_button(desk).or_else(|| page::step(&hands.spots, None, way)),
            Some(focus) => page::step(&hands.spots, Some(focus), way),
        };
        hands.meant = true;
    };
    match happened {
        Happened::Key(KeyCode::Left) => go(Way::Left, hands),
        Happened::Key(KeyCode::Right | KeyCode::Tab) => go(Way::Right, hands),
        Happened::Key(KeyCode::BackTab) => go(Way::Left, hands),
        Happened::Key(KeyCode::Up) => go(Way::Up, hands),
        Happened::Key(KeyCode::Down) => go(Way::Down, hands),
        Happened::Key(KeyCode::Esc) => hands.draft.clear(),
        Happened::Key(KeyCode::Backspace) => match (&mut hands.draft.amount, desk.amount) {
            (Some(typed), Some(_)) => {
                let fewer = *typed / 10;
                hands.draft.amount = (fewer > 0).then_some(fewer);
                hands.typing = true;
            }
            _ => G::undo(scene, &mut hands.draft),
        },
        Happened::Key(KeyCode::Char(' ')) => match hands.focus {
            // Marking a card is not a move yet.
            Some(target) if hands.meant || matches!(target, Target::Card(_)) => {
                return choose(scene, desk, hands, target);
            }
            _ => hands.notice = Some(CHOOSE_FIRST.to_owned()),
        },
        Happened::Key(KeyCode::Enter) if hands.meant || hands.draft.amount.is_some() => {
            return enter(scene, desk, hands);
        }
        Happened::Key(KeyCode::Enter) => hands.notice = Some(CHOOSE_FIRST.to_owned()),
        Happened::Key(KeyCode::Char(c @ ('+' | '-' | '='))) => {
            if let Some(amount) = desk.amount {
                let step = if c == '-' { -amount.step } else { amount.step };
                hands.draft.amount = Some(amount.now(Some(amount.now(hands.draft.amount).saturating_add(step))));
            }
        }
        Happened::Key(KeyCode::Char(c)) => match (c.to_digit(10), desk.amount) {
            (Some(digit), Some(amount)) => {
                let before = hands.draft.amount.filter(|_| typing);
                hands.draft.amount = Some(amount.typed(before, i64::from(digit)));
                hands.typing = true;
            }
            (Some(digit), None) => {
                let nth = usize::try_from(digit).unwrap_or(0).checked_sub(1).unwrap_or(9);
                if let Some(tile) = desk.hand.get(nth) {
                    hands.focus = Some(Target::Card(tile.slot));
                    return choose(scene, desk, hands, Target::Card(tile.slot));
                }
            }
            (None, _) => return press(scene, desk, hands, c),
        },
        Happened::Click(x, y) => {
            if let Some(target) = page::at(&hands.spots, x, y) {
                if !matches!(target, Target::Button(_)) {
                    hands.focus = Some(target);
                }
                return choose(scene, desk, hands, target);
            }
        }
        Happened::Key(_) | Happened::Wheel(_) | Happened::Nothing | Happened::Stop => {}
    }
    None
}

/// Said when Space or Enter is pressed before anything is chosen.
const CHOOSE_FIRST: &str = "choose first: with the arrow keys, the mouse or the letter of a button";

/// The first button that can be pressed.
fn first_button<G: Screen>(desk: &Desk<G>) -> Option<Target> {
    desk.buttons.iter().find(|b| b.press.is_ok()).map(|b| Target::Button(b.key))
}

/// A card is marked, a place chosen, a button pressed.
fn choose<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, hands: &mut Hands<G>, target: Target) -> Option<MoveOf<G>> {
    hands.meant = true;
    match target {
        Target::Card(slot) => {
            hands.draft.toggle(slot, desk.marking);
            hands.notice = G::marked(scene, &mut hands.draft);
        }
        Target::Place(place) => match G::button_at(scene, &hands.draft, place) {
            Some(key) => return press(scene, desk, hands, key),
            None => hands.notice = G::place(scene, &mut hands.draft, place),
        },
        Target::Button(key) => return press(scene, desk, hands, key),
    }
    None
}

/// Enter: the button under the arrow keys, or the first that can be pressed. With one card to be chosen and none
/// marked, the one under the arrow keys is meant.
fn enter<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, hands: &mut Hands<G>) -> Option<MoveOf<G>> {
    match hands.focus {
        Some(target @ (Target::Button(_) | Target::Place(_))) => return choose(scene, desk, hands, target),
        Some(Target::Card(slot)) if desk.marking == super::screen::Marking::One && hands.draft.marked.is_empty() => {
            hands.draft.marked.push(slot);
            let desk = G::desk(scene, &hands.draft);
            let key = main_button(&desk)?;
            return press(scene, &desk, hands, key);
        }
        Some(Target::Card(_)) | None => {}
    }
    let key = main_button(desk)?;
    press(scene, desk, hands, key)
}

/// The first button that moves; the first of all, so that it says why not, where none does.
fn main_button<G: Screen>(desk: &Desk<G>) -> Option<char> {
    let moves = |b: &&Button<G>| !b.grave && matches!(b.press, Ok(Press::Move(_)));
    desk.buttons.iter().find(moves).or(desk.buttons.first()).map(|b| b.key)
}

fn press<G: Screen>(scene: &Scene<'_, G>, desk: &Desk<G>, hands: &mut Hands<G>, key: char) -> Option<MoveOf<G>> {
    let button = desk.buttons.iter().find(|b| b.key == key)?;
    hands.meant = true;
    match &button.press {
        Ok(Press::Move(to_move)) => return Some(to_move.clone()),
        Ok(Press::Command) => hands.notice = G::command(scene, &mut hands.draft, key),
        Ok(Press::Amount(amount)) => hands.draft.amount = Some(*amount),
        Err(why) => hands.notice = Some(why.clone()),
    }
    None
}

/// What a strong player would do, and why.
fn advise<G: Screen>(question: &Question<'_, G>, chronicle: &Chronicle<G>) -> Open<G> {
    use rand::SeedableRng as _;
    let mut rng = rand::rngs::Xoshiro256PlusPlus::from_seed(question.seed);
    let Question { table, seat, known, .. } = question;
    let round = &chronicle.around;
    let look = round.look;
    let advice = chronicle.memory.with(|past| {
        let (view, moves) = (table.rules().view(*known, Eye::Seat(*seat)), table.rules().moves(*known, *seat));
        let course = Course { settings: &round.settings, deal: round.deal, past };
        let rules = table.rules();
        G::advice(&Sight { seat: *seat, view: &view, moves: &moves, known: *known, rules, course }, &mut rng)
    });
    let Some(advice) = advice else {
        return Open::Text(Window::new("Hint", vec![Line::raw("There is no hint here.")], "Esc closes"));
    };
    let mut lines = Vec::new();
    round.scene(table, Eye::Seat(*seat), *known, |scene| {
        let phrase = G::phrase(scene.view, scene, *seat, &advice.best);
        lines.push(Line::styled(look.plain(&phrase), look.bright()));
        let whys = advice.why.iter().map(|why| scene.spoken(&format!("– {why}")));
        lines.extend(whys.map(|why| Line::raw(look.plain(&why))));
    });
    Open::Advice(Window::new("A strong player would", lines, "Enter does it, Esc closes"), advice.best)
}

/// Shows the table while it is somebody else's turn, or nobody's.
pub fn watch<G: Screen, W: std::io::Write>(
    table: &Table<G::Rules>,
    viewer: (Eye, Known<'_>),
    chronicle: &Chronicle<G>,
    hands: &Hands<G>,
    front: &mut Front<W>,
) -> std::io::Result<()> {
    let look = chronicle.around.look;
    chronicle.around.scene(table, viewer.0, viewer.1, |scene| {
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
            if too_small(&mut page) {
                return;
            }
            let around = Around { log: &chronicle.lines, notice: None, clock: None, waiting: Some(waiting) };
            drawing::draw(scene, &hands.draft, &desk, &around, &mut page);
        })
    })
}
