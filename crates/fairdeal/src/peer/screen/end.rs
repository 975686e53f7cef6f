//! The end of a match: how it stands, who has signed, where everything is kept, and how to check it.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::Seat;

use super::frame::{rule, title};
use super::status::name;
use super::{telling, typing};
use crate::peer::desk::Over;
use crate::play::drawing;
use crate::play::ending;
use crate::play::look::Sign;
use crate::play::page::Page;
use crate::play::screen::Screen;
use crate::play::story::Round;
use crate::play::terminal::Happened;
use crate::play::windows::{Reaction, Window, lines_of};
use crate::text::{counted, listed};

/// The page after a match.
pub(super) struct End {
    /// What is known about it.
    pub(super) over: Over,
    /// The ticket of the next table, if the others play on there.
    pub(super) next: Option<String>,
    /// They want to play again.
    again: bool,
    /// What happened and was said.
    lines: Vec<Line<'static>>,
    log: Option<Window>,
}

/// What is asked for.
pub(super) enum Asked {
    Nothing,
    /// To say something.
    Chat,
    /// Another match.
    Again,
    /// The table with this ticket.
    Next(String),
    /// To close the program, if they are sure.
    Sure(Window),
    /// To close the program.
    Close,
}

impl End {
    pub(super) const fn new(over: Over, lines: Vec<Line<'static>>) -> Self {
        Self { over, next: None, again: false, lines, log: None }
    }

    /// Another line that was said.
    pub(super) fn note(&mut self, line: Line<'static>) {
        self.lines.push(line);
    }

    /// The ticket of the next table, if they have asked for it.
    pub(super) fn wanted(&self) -> Option<&String> {
        self.next.as_ref().filter(|_| self.again)
    }

    /// What to tell the person when the screen is gone.
    pub(super) fn farewell(&self) -> Vec<String> {
        let (heading, _) = telling::why(&self.over.names, self.over.why);
        let mut lines = vec![format!("{heading}.")];
        if let Some(stored) = &self.over.stored {
            lines.push(format!("Its result: {}", stored.display()));
        }
        lines.push(format!("Check that nobody cheated: fairdeal verify {}", self.over.log.display()));
        lines
    }

    /// A key.
    pub(super) fn react(&mut self, happened: Happened, talks: bool) -> Asked {
        if let Some(log) = &mut self.log {
            if log.react(happened) != Reaction::Stays {
                self.log = None;
            }
            return Asked::Nothing;
        }
        match happened {
            Happened::Key(KeyCode::Char('r')) if talks => {
                if let Some(ticket) = &self.next {
                    return Asked::Next(ticket.clone());
                }
                if std::mem::replace(&mut self.again, true) { Asked::Nothing } else { Asked::Again }
            }
            Happened::Key(KeyCode::Char('l')) => {
                let log = Window::new("What happened so far", self.lines.clone(), "arrows scroll, Esc closes");
                self.log = Some(log.at_end());
                Asked::Nothing
            }
            Happened::Key(KeyCode::Char(typing::KEY)) if talks => Asked::Chat,
            Happened::Key(KeyCode::Enter | KeyCode::Char('q') | KeyCode::Esc) => self.close(),
            Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) | Happened::Nothing | Happened::Stop => {
                Asked::Nothing
            }
        }
    }

    /// Nobody leaves by accident while others need them.
    fn close(&self) -> Asked {
        let names = &self.over.names;
        let lacking: Vec<String> = self.over.lacking.iter().map(|seat| name(names, *seat)).collect();
        let unsigned = self.over.result.is_some() && self.over.me.is_some_and(|me| self.over.unsigned.contains(&me));
        let why = if !lacking.is_empty() {
            format!("This computer runs the table, and {} cannot get the result without it.", listed(&lacking))
        } else if unsigned {
            "Your signature under the result has not reached the others yet.".to_owned()
        } else {
            return Asked::Close;
        };
        let text = vec![Line::raw(why)];
        Asked::Sure(Window::new("Close the program now?", text, "Enter closes, any other key cancels"))
    }

    /// Draws the page.
    pub(super) fn draw<G: Screen>(&mut self, round: Option<&Round<G>>, page: &mut Page<'_>) {
        let (look, all) = (page.look, page.area());
        let (heading, means) = telling::why(&self.over.names, self.over.why);
        let deals = counted(self.over.deals.into(), "deal");
        let dot = look.sign(Sign::Dot);
        title(page, &format!(" {} {dot} {heading}", look.plain(G::TITLE)), &format!("{deals} "));
        let plain = |text: String| Line::raw(look.plain(&text));
        let mut lines: Vec<Line<'static>> = Vec::new();
        if let Some(means) = means {
            lines.extend([plain(means), Line::raw("")]);
        }
        if let (Some(round), Some(standing)) = (round, &self.over.standing) {
            lines.extend(ending::standings(round, None, standing));
            lines.push(Line::raw(""));
        }
        lines.extend(
            self.signatures()
                .into_iter()
                .map(|(text, good)| Line::styled(look.plain(&text), if good { look.good() } else { look.bright() })),
        );
        if let Some(stored) = &self.over.stored {
            lines.push(plain(format!("Result: {}", stored.display())));
        }
        let check = Span::styled(look.plain(&format!("fairdeal verify {}", self.over.log.display())), look.bold());
        lines.push(Line::from(vec![Span::raw("Check:  "), check]));
        if let Some(text) = self.rematch() {
            lines.extend([Line::raw(""), Line::styled(look.plain(&text), look.bright())]);
        }
        let foot = all.height.saturating_sub(1);
        let height = foot.saturating_sub(3);
        page.wrapped(Rect::new(1, 2, all.width.saturating_sub(2), height), lines.clone(), 0);
        let used: u16 = lines.iter().map(|line| lines_of(line, all.width.saturating_sub(2))).sum();
        let room = foot.saturating_sub(used + 4);
        if room > 0 {
            rule(page, used + 3, all.width);
            let from = self.lines.len().saturating_sub(usize::from(room));
            let last = self.lines.iter().skip(from).cloned().collect();
            page.lines(Rect::new(1, used + 4, all.width.saturating_sub(2), room), last);
        }
        let keys: &[(&str, &str)] = if self.over.me.is_some() {
            &[("r", "rematch"), ("/", "chat"), ("l", "log"), ("Enter", "ends")]
        } else {
            &[("l", "log"), ("Enter", "ends")]
        };
        page.line(0, foot, all.width, drawing::keys(look, keys));
        if let Some(log) = &mut self.log {
            log.draw(page);
        }
    }

    /// Who has signed, and whether that is all.
    fn signatures(&self) -> Vec<(String, bool)> {
        let over = &self.over;
        if over.result.is_none() {
            return vec![("There is no result to sign.".to_owned(), false)];
        }
        let missing: Vec<String> = over.unsigned.iter().map(|seat| name(&over.names, *seat)).collect();
        let signed = |(seat, _): &(Seat, &String)| !over.unsigned.contains(seat);
        let seats = (0..).map_while(Seat::new).zip(&over.names);
        let signed: Vec<&String> = seats.filter(signed).map(|(_, name)| name).collect();
        let mut told = Vec::new();
        if missing.is_empty() {
            told.push((format!("The result is complete: {} have signed it.", listed(&signed)), true));
        } else {
            if !signed.is_empty() {
                told.push((format!("Signed by {}.", listed(&signed)), true));
            }
            told.push((format!("Waiting for the signature of {}.", listed(&missing)), false));
        }
        let lacking: Vec<String> = over.lacking.iter().map(|seat| name(&over.names, *seat)).collect();
        if !lacking.is_empty() {
            told.push((format!("Please stay: {} does not have the complete result yet.", listed(&lacking)), false));
        }
        told
    }

    fn rematch(&self) -> Option<String> {
        match (self.again, &self.next) {
            (_, Some(_)) => Some("The others play again. r joins them.".to_owned()),
            (true, None) => Some("You want a rematch. The others are asked.".to_owned()),
            (false, None) => None,
        }
    }
}
