//! The lobby of a private table, apart from the terminal: who is there, who knocks, how to invite others, and what
//! everybody waits for.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame::{rule, title};
use super::typing::{self, MOST, Typed, Typing, harmless, said};
use super::{invite, qr};
use crate::peer::entrance::{Knock, News, Person, View};
use crate::play::asking;
use crate::play::drawing::{self, shorten};
use crate::play::look::{Look, Sign};
use crate::play::page::Page;
use crate::play::terminal::{Happened, SMALLEST};
use crate::play::windows::{Reaction, Window, lines_of};
use crate::text::{counted, listed};

/// How to leave where there is no room for a question.
const LEAVE: &str = "press Ctrl-C to close the program; you can come back to the table";

/// What a person wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// To start the match.
    Start,
    /// To accept it.
    Accept,
    /// To let somebody in.
    Admit(u32),
    /// Not to let them in.
    TurnAway(u32),
    /// To say something.
    Chat(String),
    /// The link as plain text.
    Copy,
    /// To give up their seat.
    Leave,
    /// To close the program.
    Close,
}

/// What is on the screen beside the people.
enum Open {
    Nothing,
    /// How to invite others.
    Invitation,
    /// Whether they are sure that they want to leave.
    Leaving(Window),
}

/// The lobby.
pub(super) struct Lobby {
    look: Look,
    /// What happened and was said.
    lines: Vec<Line<'static>>,
    /// Why something cannot be done.
    notice: Option<String>,
    typing: Option<Typing>,
    open: Open,
    small: bool,
}

impl Lobby {
    /// Nothing has happened yet.
    pub(super) const fn new(look: Look) -> Self {
        Self { look, lines: Vec::new(), notice: None, typing: None, open: Open::Nothing, small: false }
    }

    /// Something happened.
    pub(super) fn hear(&mut self, news: &News) {
        let text = match news {
            News::Joined(name) => format!("{name} has joined."),
            News::Left(name) => format!("{name} has left."),
            News::Offered => "The host has started the match. Everybody has to accept it.".to_owned(),
            News::Accepted(name) => format!("{name} has accepted the match."),
            News::Withdrawn => "The match on offer is withdrawn.".to_owned(),
            News::Chat { from, text } => return self.chat(from, text),
            News::Connection(Ok(())) => "Connected.".to_owned(),
            News::Connection(Err(why)) => format!("The connection is lost: {why}"),
            News::Note(text) => text.clone(),
            News::Knock(_) | News::Begun => return,
        };
        self.lines.push(Line::styled(self.look.plain(&harmless(&text)), self.look.tinted(ratatui::style::Color::Cyan)));
    }

    /// Somebody said something; the person themselves, if it reached the hub.
    pub(super) fn chat(&mut self, from: &str, text: &str) {
        self.lines.push(said(self.look, from, text));
    }

    /// Says why something cannot be done.
    pub(super) fn refuse(&mut self, why: &str) {
        self.notice = Some(why.to_owned());
    }

    /// Something that the person did.
    pub(super) fn react(&mut self, happened: Happened, view: &View) -> Option<Wish> {
        match happened {
            Happened::Nothing => return None,
            Happened::Stop => return Some(Wish::Close),
            _ if self.small => return None,
            Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) => self.notice = None,
        }
        if let Some(typing) = &mut self.typing {
            let typed = typing.react(happened, MOST);
            if typed != Typed::Goes {
                self.typing = None;
            }
            return if let Typed::Said(text) = typed { Some(Wish::Chat(text)) } else { None };
        }
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Leaving(mut window) => {
                match window.answer(happened) {
                    Reaction::Agrees if view.me.is_none() => return Some(Wish::Close),
                    Reaction::Agrees => return Some(Wish::Leave),
                    Reaction::Stays => self.open = Open::Leaving(window),
                    Reaction::Closes => {}
                }
                return None;
            }
            Open::Invitation => {
                if happened == Happened::Key(KeyCode::Char('c')) {
                    self.open = Open::Invitation;
                    return Some(Wish::Copy);
                }
                return None;
            }
            Open::Nothing => {}
        }
        let knock = compared(view).map(|knock| knock.number);
        match happened {
            Happened::Key(KeyCode::Char('s')) if view.is_host => return Some(Wish::Start),
            Happened::Key(KeyCode::Char('a')) if view.to_accept => return Some(Wish::Accept),
            Happened::Key(KeyCode::Char('y')) => return knock.map(Wish::Admit),
            Happened::Key(KeyCode::Char('n')) => return knock.map(Wish::TurnAway),
            Happened::Key(KeyCode::Char('i')) => self.open = Open::Invitation,
            Happened::Key(KeyCode::Char(typing::KEY)) if view.me.is_some() => self.typing = Some(Typing::default()),
            Happened::Key(KeyCode::Char('q')) => self.open = Open::Leaving(self.farewell(view)),
            Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) | Happened::Nothing | Happened::Stop => {}
        }
        None
    }

    fn farewell(&self, view: &View) -> Window {
        let mut text = vec!["You give up your seat. You can come back with the same ticket."];
        if view.is_hub {
            text.push("This computer runs the table: without it the table is closed for everybody.");
        }
        let text = text.into_iter().map(|line| Line::raw(self.look.plain(line))).collect();
        Window::new("Leave the table?", text, "Enter leaves, any other key cancels")
    }

    /// Draws everything.
    pub(super) fn draw(&mut self, view: &View, page: &mut Page<'_>) {
        let (look, all) = (self.look, page.area());
        self.small = all.width < SMALLEST.0 || all.height < SMALLEST.1;
        if asking::too_small(page, LEAVE) {
            return;
        }
        let game = view.game.map(|game| games::with_game!(game, G => <G as table::Game>::TITLE));
        let dot = look.sign(Sign::Dot);
        let game = game.map_or_else(String::new, |game| format!(" {dot} {}", look.plain(game)));
        let taken = view.people.len();
        let seats = view
            .seats
            .map_or_else(|| counted(taken as u64, "player"), |seats| format!("{taken} of {seats} seats taken"));
        title(page, &format!(" Private table{game}"), &format!("{seats} "));
        let (style, text) = match (&self.notice, &view.online) {
            (Some(notice), _) => (look.bad(), notice.clone()),
            (None, Err(why)) => (look.bad(), format!("No connection to the table, trying again: {why}")),
            (None, Ok(())) => (look.bright(), awaited(view)),
        };
        page.line(1, 1, all.width.saturating_sub(2), Line::styled(look.plain(&text), style));
        rule(page, 2, all.width);
        let foot = all.height.saturating_sub(1);
        if matches!(self.open, Open::Invitation) {
            invite::draw(view, page, Rect::new(1, 3, all.width.saturating_sub(2), foot.saturating_sub(3)));
            page.line(0, foot, all.width, drawing::keys(look, &[("c", "shows the link to copy"), ("Esc", "back")]));
            return;
        }
        let width = beside(view, page, foot);
        let below = people(view, page, width);
        rule(page, below, width.saturating_sub(1));
        let room = foot.saturating_sub(below + 1);
        let from = self.lines.len().saturating_sub(usize::from(room));
        let said = self.lines.iter().skip(from).cloned().collect();
        page.lines(Rect::new(1, below + 1, width.saturating_sub(2), room), said);
        let last = match &self.typing {
            Some(typing) => typing.line(look, all.width),
            None => drawing::keys(look, &keys(view)),
        };
        page.line(0, foot, all.width, last);
        if let Open::Leaving(window) = &mut self.open {
            window.draw(page);
        }
    }
}

/// A QR code next to everything else, where there is room; the columns that are left.
fn beside(view: &View, page: &mut Page<'_>, foot: u16) -> u16 {
    /// The columns that people and chat need.
    const NEEDED: u16 = 64;
    let all = page.area();
    let room = (all.width.saturating_sub(NEEDED), foot.saturating_sub(3));
    let Some(code) = qr::lines(&view.ticket, page.look, room) else { return all.width };
    let wide = code.first().map_or(0, |line| u16::try_from(line.width()).unwrap_or(u16::MAX));
    let left = all.width.saturating_sub(wide + 1);
    page.lines(Rect::new(left, 3, wide, foot.saturating_sub(3)), code);
    left
}

/// Everybody at the table, the settings, the way to it, and who knocks; the line below.
fn people(view: &View, page: &mut Page<'_>, width: u16) -> u16 {
    let look = page.look;
    let mut lines: Vec<Line<'static>> = view.people.iter().map(|person| row(person, view, look)).collect();
    let free = view.seats.map_or(0, |seats| usize::from(seats).saturating_sub(view.people.len()));
    if free > 0 {
        let text = format!("  {} free", if free == 1 { "one seat is".to_owned() } else { format!("{free} seats are") });
        lines.push(Line::styled(text, look.dim()));
    }
    lines.push(Line::raw(""));
    if !view.settings.is_empty() {
        let settings: Vec<String> = view.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        lines.push(Line::raw(look.plain(&format!("Settings: {}", settings.join(", ")))));
    }
    lines.push(invite::short(view, look));
    for knock in &view.knocks {
        lines.extend([Line::raw(""), at_the_door(knock, look)]);
        if let Some(words) = knock.words {
            let words = words.join("  ").to_uppercase();
            lines.push(Line::styled(format!("  {words}"), look.bright()));
        }
    }
    let inside = width.saturating_sub(2);
    let height: u16 = lines.iter().map(|line| lines_of(line, inside)).sum();
    page.wrapped(Rect::new(1, 3, inside, height), lines, 0);
    3 + height
}

/// Somebody at the table.
fn row(person: &Person, view: &View, look: Look) -> Line<'static> {
    let mut roles = Vec::new();
    if Some(person.number) == view.me {
        roles.push("you".to_owned());
    }
    if person.host {
        roles.push("host".to_owned());
    }
    if let Some(owner) = &person.computer_of {
        roles.push(format!("computer of {}", harmless(owner)));
    }
    let short = |text: &str, most| shorten(&look.plain(&harmless(text)), most, look.sign(Sign::Ellipsis));
    let name = format!("{:<17}", short(&person.name, 16));
    let state = match (person.here, view.offered.is_some(), person.accepted) {
        (false, _, _) => Span::styled("not connected", look.bad()),
        (true, true, true) => Span::styled("ready", look.good()),
        (true, true, false) => Span::styled("has to accept", look.bright()),
        (true, false, _) => Span::styled("connected", look.dim()),
    };
    Line::from(vec![
        Span::styled(name, look.bold()),
        Span::styled(format!("{:<9}", person.callsign), look.dim()),
        Span::raw(format!("{:<25}", short(&roles.join(", "), 24))),
        state,
    ])
}

fn at_the_door(knock: &Knock, look: Look) -> Line<'static> {
    let name = harmless(&knock.name);
    let text = match knock.words {
        Some(_) => {
            format!("{name} knocks. Do they see the same four words? Ask them; y lets them in, n turns them away.")
        }
        None => format!("{name} knocks."),
    };
    Line::raw(look.plain(&text))
}

/// The first who knocks and whose words can be compared.
fn compared(view: &View) -> Option<&Knock> {
    view.knocks.iter().find(|knock| knock.words.is_some())
}

/// What everybody waits for.
fn awaited(view: &View) -> String {
    let name = |person: &Person| harmless(&person.name);
    if let Some(offered) = &view.offered {
        if view.to_accept {
            return "The match is ready to begin. Press a to accept it.".to_owned();
        }
        let seated = |person: &&Person| offered.start.seats.iter().any(|(number, _)| *number == person.number);
        let missing: Vec<String> = view.people.iter().filter(seated).filter(|p| !p.accepted).map(name).collect();
        return match missing.is_empty() {
            true => "The match begins.".to_owned(),
            false => format!("Waiting for {} to accept the match.", listed(&missing)),
        };
    }
    if view.watches {
        return "You are watching. Waiting for the match to begin.".to_owned();
    }
    if view.me.is_none() {
        return "Joining the table.".to_owned();
    }
    let free = view.seats.map_or(0, |seats| usize::from(seats).saturating_sub(view.people.len()));
    match (view.is_host, &view.cannot_start) {
        (true, Some(why)) => format!("Waiting for others to join: {why}."),
        (true, None) if free > 0 => {
            format!("Press s to start with {}, or wait for {free} more.", counted(view.people.len() as u64, "player"))
        }
        (true, None) => "All seats are taken. Press s to start the match.".to_owned(),
        (false, _) => {
            let host = view.people.iter().find(|person| person.host).map(name);
            format!("Waiting for {} to start the match.", host.unwrap_or_else(|| "the host".to_owned()))
        }
    }
}

/// The keys that do something now.
fn keys(view: &View) -> Vec<(&'static str, &'static str)> {
    let mut keys = Vec::new();
    if view.is_host && view.offered.is_none() {
        keys.push(("s", "start"));
    }
    if view.to_accept {
        keys.push(("a", "accept"));
    }
    if compared(view).is_some() {
        keys.extend([("y", "let in"), ("n", "turn away")]);
    }
    keys.push(("i", "invite"));
    if view.me.is_some() {
        keys.push(("/", "chat"));
    }
    keys.push(("q", "leave"));
    keys
}
