//! How a deal and a match ended, shown until a player wants to continue.

use std::io::Write;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use table::{Counting, Eye, Known, Outcome, Seat, Standing, Table};

use super::asking;
use super::leaving;
use super::look::Look;
use super::page::Page;
use super::screen::Screen;
use super::story::{Round, Story};
use super::terminal::{Front, Happened};
use super::windows::Window;
use crate::text::{counted, signed};

/// What is wanted after an ending was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The next deal; after the last, the end.
    Go,
    /// Another match with the same people.
    Again,
    /// Leave.
    Leave,
}

/// Shows how a deal ended, and how the match stands.
pub fn show<G: Screen, W: Write>(
    table: &Table<G::Rules>,
    outcome: &Outcome,
    standing: &Standing,
    story: &Story<G>,
    front: &mut Front<W>,
    patience: Option<Duration>,
) -> Next {
    let round = &story.around;
    let known = Known::public(table.open());
    let keys = if standing.over {
        "Enter ends, n plays another match"
    } else {
        "Enter starts the next deal, t shows the table, q quits"
    };
    let mut window = window(table, outcome, standing, story, keys);
    let mut table_only = false;
    loop {
        let looked = if table_only {
            asking::watch(table, (Eye::Public, known), story, &asking::Hands::default(), front)
        } else {
            front.draw(|buffer, _| window.draw(&mut Page::new(buffer, round.look, None)))
        };
        if looked.is_err() {
            return Next::Leave;
        }
        match front.wait(patience.unwrap_or(Duration::from_secs(60))) {
            Happened::Stop => return Next::Leave,
            Happened::Nothing if patience.is_some() => return Next::Go,
            Happened::Key(KeyCode::Char('q')) => {
                if standing.over || leaving::is_sure(front, round.look, &story.way_back) {
                    return Next::Leave;
                }
            }
            Happened::Key(KeyCode::Char('t')) => table_only = !table_only,
            Happened::Key(KeyCode::Char('n')) if standing.over => return Next::Again,
            Happened::Key(KeyCode::Enter) => return Next::Go,
            scroll @ (Happened::Key(KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown)
            | Happened::Wheel(_)) => {
                window.react(scroll);
            }
            Happened::Key(_) | Happened::Click(..) | Happened::Nothing => {}
        }
    }
}

/// A window that says how a deal ended, and how the match stands.
pub fn window<G: Screen>(
    table: &Table<G::Rules>,
    outcome: &Outcome,
    standing: &Standing,
    story: &Story<G>,
    keys: &str,
) -> Window {
    let round = &story.around;
    let mut lines = round.scene(table, Eye::Public, Known::public(table.open()), |scene| G::summary(scene, outcome));
    lines.push(Line::raw(""));
    lines.extend(standings(round, Some(outcome), standing));
    let title = match (standing.over, outcome.broken_off.is_some()) {
        (true, _) => format!("The match is over after {}", counted(round.deal.into(), "deal")),
        (false, true) => format!("Deal {} was broken off", round.deal),
        (false, false) => format!("Deal {} is over", round.deal),
    };
    Window::new(title, lines, keys)
}

/// Who has how much, the best first, with what a deal brought.
pub fn standings<G: Screen>(round: &Round<G>, outcome: Option<&Outcome>, standing: &Standing) -> Vec<Line<'static>> {
    let look = round.look;
    let mut seats: Vec<Seat> = standing.place.seats().map(|(seat, _)| seat).collect();
    seats.sort_by_key(|seat| (standing.place[*seat], *seat));
    let widest = round.names.iter().map(|name| name.chars().count()).max().unwrap_or(4);
    let deal = outcome.map_or_else(String::new, |_| format!("  {:>8}", "deal"));
    let head = format!("  place  {:widest$}  {:>12}{deal}", "name", look.plain(G::COUNTS));
    let mut lines = vec![Line::styled(head, look.bold())];
    for seat in seats {
        let place = standing.place[seat];
        let first = if place == 1 && standing.over { look.sign(super::look::Sign::Star) } else { " " };
        let name = look.plain(&round.names[seat]);
        let head = format!("{first} {place:>4}.  {name:widest$}  {:>12}", standing.total[seat]);
        let head_style = if place == 1 { look.bright() } else { ratatui::style::Style::new() };
        let won = outcome.map(|outcome| brought::<G>(look, outcome.result[seat].0));
        lines.push(Line::from_iter(std::iter::once(Span::styled(head, head_style)).chain(won)));
    }
    lines
}

/// What a deal brought somebody, coloured as they like it.
fn brought<G: Screen>(look: Look, won: i64) -> Span<'static> {
    let good = match G::RESULT {
        Counting::Penalties => won < 0,
        Counting::Chips | Counting::BankChips | Counting::Points => won > 0,
    };
    let bad = won < 0 || (G::RESULT == Counting::Penalties && won > 0);
    let style = if good {
        look.good()
    } else if bad {
        look.bad()
    } else {
        look.dim()
    };
    Span::styled(format!("  {:>8}", signed(won)), style)
}
