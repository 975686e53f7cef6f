//! What is to be played, where the command does not say it: matches that were interrupted, and the games.
//!
//! - `offers`: the list, and what it says of each match.
//! - `form`: players, level and settings of a new match.
//! - `frame`: what the list and the form have in common.
//!
//! Enter on a game plays it as it is usually played; `s` opens the form first.

mod form;
mod frame;
mod offers;

use std::io::Write;
use std::time::Duration;

use bots::Kind;
use games::AnyGame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use self::form::{Form, Next};
use self::frame::{Frame, WIDEST, Way};
use self::offers::Offer;
use super::look::Look;
use super::page::{self, Page, Spot, Target};
use super::saved::Unfinished;
use super::terminal::{Front, Happened};
use crate::cli::PlayArgs;

/// What was chosen.
pub enum Chosen {
    /// A new match.
    Play(AnyGame, Wanted),
    /// The interrupted match with this name.
    Resume(String),
}

/// How a new match is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How many play; as many as usual, where nothing is said.
    pub players: Option<u8>,
    /// How well the computers play.
    pub bots: Kind,
    /// Settings, each `NAME=VALUE`.
    pub options: Vec<String>,
}

impl Wanted {
    /// As it was typed.
    pub fn of(args: &PlayArgs) -> Self {
        Self { players: args.players, bots: args.bots, options: args.options.clone() }
    }
}

/// Lets somebody choose; `None` if they quit. `check` says why a match cannot begin with these settings.
pub fn choose<W: Write>(
    front: &mut Front<W>,
    look: Look,
    (unfinished, now): (&[Unfinished], u64),
    wanted: &Wanted,
    check: impl Fn(AnyGame, &Wanted) -> Result<(), String>,
) -> Option<Chosen> {
    let mut list = List { offers: offers::all(unfinished, now), at: 0, from: 0 };
    loop {
        let mut spots = Vec::new();
        front.draw(|buffer, _| spots = list.draw(&mut Page::new(buffer, look, None))).ok()?;
        let mut done = false;
        let happened = front.wait(Duration::from_secs(60));
        if let Some(way) = Way::of(happened) {
            list.at = way.from(list.at, list.offers.len());
            continue;
        }
        match happened {
            Happened::Stop | Happened::Key(KeyCode::Char('q') | KeyCode::Esc) => return None,
            Happened::Key(KeyCode::Enter | KeyCode::Char(' ')) => done = true,
            Happened::Key(KeyCode::Char('s') | KeyCode::Right) => {
                if let Some(Offer::Game(game)) = list.chosen() {
                    match set_up(front, look, *game, wanted, |wanted| check(*game, wanted))? {
                        Some(wanted) => return Some(Chosen::Play(*game, wanted)),
                        None => front.wipe().ok()?,
                    }
                }
            }
            Happened::Click(x, y) => {
                if let Some(Target::Place(n)) = page::at(&spots, x, y) {
                    list.at = usize::from(n);
                    done = true;
                }
            }
            Happened::Key(_) | Happened::Wheel(_) | Happened::Nothing => {}
        }
        if done {
            return list.chosen().map(|offer| match offer {
                Offer::Match(one) => Chosen::Resume(one.id.clone()),
                Offer::Game(game) => Chosen::Play(*game, wanted.clone()),
            });
        }
    }
}

/// Lets somebody change how a game is played. The inner `None` goes back to the list, the outer one quits.
fn set_up<W: Write>(
    front: &mut Front<W>,
    look: Look,
    game: AnyGame,
    wanted: &Wanted,
    check: impl Fn(&Wanted) -> Result<(), String>,
) -> Option<Option<Wanted>> {
    let mut form = Form::new(game, wanted);
    loop {
        let mut spots = Vec::new();
        front.draw(|buffer, _| spots = form.draw(&mut Page::new(buffer, look, None))).ok()?;
        match form.react(front.wait(Duration::from_secs(60)), &spots) {
            Next::Stay => {}
            Next::Back => return Some(None),
            Next::Quit => return None,
            Next::Play => match check(&form.wanted()) {
                Ok(()) => return Some(Some(form.wanted())),
                Err(why) => form.refuse(&why),
            },
        }
    }
}

/// The list while it is shown.
struct List<'a> {
    offers: Vec<(Offer<'a>, offers::Told)>,
    /// Which is chosen.
    at: usize,
    /// The first line that is shown, where not all fit.
    from: u16,
}

impl<'a> List<'a> {
    fn chosen(&self) -> Option<&Offer<'a>> {
        self.offers.get(self.at).map(|(offer, _)| offer)
    }

    fn draw(&mut self, page: &mut Page<'_>) -> Vec<Spot> {
        let look = page.look;
        let room = usize::from(page.area().width.min(WIDEST).saturating_sub(4));
        // Every line with the offer it belongs to.
        let mut lines: Vec<(Option<usize>, Line<'static>)> = Vec::new();
        for (n, (_, told)) in self.offers.iter().enumerate() {
            if let Some(heading) = told.heading {
                if n > 0 {
                    lines.push((None, Line::raw("")));
                }
                lines.push((None, Line::styled(heading, look.bright())));
            }
            let mut style = look.bold();
            if n == self.at {
                style = style.add_modifier(Modifier::REVERSED);
            }
            lines.push((Some(n), Line::styled(look.plain(&format!(" {} ", told.title)), style)));
            let about = crate::text::wrapped(&look.plain(&told.about), room, 3);
            lines.extend(about.lines().map(|line| (Some(n), Line::styled(line.to_owned(), look.dim()))));
        }
        let total = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let frame = Frame::new(page, "What would you like to play?", total);
        let inside = frame.inside;
        self.scroll_to_choice(&lines, inside.height);
        let shown = lines.into_iter().skip(usize::from(self.from)).zip(inside.y..inside.bottom());
        for ((offer, line), y) in shown {
            page.line(inside.x + 1, y, inside.width.saturating_sub(2), line);
            if let Some(n) = offer.and_then(|n| u16::try_from(n).ok()) {
                page.spot(Rect::new(inside.x, y, inside.width, 1), Target::Place(n));
            }
        }
        let game = matches!(self.chosen(), Some(Offer::Game(_)));
        let keys = match (game, frame.is_narrow()) {
            (true, false) => " Enter plays, s sets players, level and rules, q quits ",
            (true, true) => " Enter plays, s settings, q quits ",
            (false, _) => " Enter continues, q quits ",
        };
        frame.close(page, keys)
    }

    /// Keeps the chosen offer on the screen, with its heading where there is room.
    fn scroll_to_choice(&mut self, lines: &[(Option<usize>, Line<'static>)], height: u16) {
        let of_choice = |(offer, _): &(Option<usize>, Line<'static>)| *offer == Some(self.at);
        let first = lines.iter().position(of_choice).unwrap_or(0);
        let last = lines.iter().rposition(of_choice).unwrap_or(0);
        let [first, last] = [first, last].map(|n| u16::try_from(n).unwrap_or(u16::MAX));
        let first = if self.at == 0 { 0 } else { first };
        self.from = self.from.max((last + 1).saturating_sub(height)).min(first);
    }
}
