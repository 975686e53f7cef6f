//! What is to be played, where nothing was said: a list of the games, and of matches that were interrupted.

use std::io::Write;
use std::time::Duration;

use games::AnyGame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::drawing;
use super::look::{Look, Sign};
use super::page::{self, Page, Target};
use super::saved::Unfinished;
use super::terminal::{Front, Happened};

/// What was chosen.
pub enum Chosen {
    /// A new match.
    Play(AnyGame),
    /// The interrupted match with this name.
    Resume(String),
}

/// How many interrupted matches are offered.
const OFFERED: usize = 5;

/// Lets somebody choose; `None` if they would rather not.
pub fn choose<W: Write>(front: &mut Front<W>, look: Look, unfinished: &[Unfinished]) -> Option<Chosen> {
    let offered = unfinished.get(..unfinished.len().min(OFFERED)).unwrap_or_default();
    let mut lines: Vec<(String, String)> = offered
        .iter()
        .map(|one| {
            let title = AnyGame::from_name(&one.header.game).map_or("?", title);
            let deals = if one.deals == 1 { "deal 1".to_owned() } else { format!("deal {}", one.deals) };
            (format!("Go on: {title}"), format!("{deals}, with {}", one.header.names.join(", ")))
        })
        .collect();
    lines.extend(AnyGame::ALL.iter().map(|game| (title(*game).to_owned(), about(*game).to_owned())));
    let mut at = 0usize;
    loop {
        let mut spots = Vec::new();
        let drawn = front.draw(|buffer, area| {
            let mut page = Page::new(buffer, look, None);
            let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(4);
            let width = area.width.saturating_sub(2).min(100);
            let place = Rect::new((area.width - width) / 2, area.height.saturating_sub(height) / 2, width, height);
            let inside = page.window(Line::styled(" What shall we play? ", look.bright()), place);
            for ((head, tail), n) in lines.iter().zip(0u16..) {
                let chosen = usize::from(n) == at;
                let style = if chosen { look.bold().add_modifier(Modifier::REVERSED) } else { look.bold() };
                let room = usize::from(inside.width).saturating_sub(head.chars().count() + 5);
                let tail = drawing::shorten(&look.plain(tail), room, look.sign(Sign::Ellipsis));
                let line = Line::from(vec![
                    Span::styled(look.plain(&format!(" {head} ")), style),
                    Span::styled(format!(" {tail}"), look.dim()),
                ]);
                page.line(inside.x + 1, inside.y + 1 + n, inside.width.saturating_sub(2), line);
                page.spot(Rect::new(inside.x, inside.y + 1 + n, inside.width, 1), Target::Place(n));
            }
            let keys = " arrows choose, Enter plays, q quits ";
            page.line(place.x + 2, place.bottom().saturating_sub(1), width - 4, Line::styled(keys, look.key()));
            spots = std::mem::take(&mut page.spots);
        });
        drawn.ok()?;
        let mut done = false;
        match front.wait(Duration::from_secs(60)) {
            Happened::Stop | Happened::Key(KeyCode::Char('q') | KeyCode::Esc) => return None,
            Happened::Key(KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab) => at = (at + 1) % lines.len(),
            Happened::Key(KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab) => {
                at = at.checked_sub(1).unwrap_or(lines.len() - 1);
            }
            Happened::Key(KeyCode::Enter | KeyCode::Char(' ')) => done = true,
            Happened::Click(x, y) => {
                if let Some(Target::Place(n)) = page::at(&spots, x, y) {
                    at = usize::from(n);
                    done = true;
                }
            }
            Happened::Key(_) | Happened::Wheel(_) | Happened::Nothing => {}
        }
        if done {
            return match offered.get(at) {
                Some(one) => Some(Chosen::Resume(one.id.clone())),
                None => AnyGame::ALL.get(at - offered.len()).map(|game| Chosen::Play(*game)),
            };
        }
    }
}

fn title(game: AnyGame) -> &'static str {
    games::with_game!(game, G => <G as table::Game>::TITLE)
}

fn about(game: AnyGame) -> &'static str {
    games::with_game!(game, G => <G as table::Game>::ABOUT)
}
