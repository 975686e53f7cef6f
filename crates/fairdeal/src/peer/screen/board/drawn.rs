//! The screen of `fairdeal play`, with one line more and what is said between the players.

use std::time::{Duration, Instant};

use ::peer::Duty;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use table::Seat;

use super::{Board, question};
use crate::peer::desk::Now;
use crate::peer::screen::frame::title;
use crate::peer::screen::status;
use crate::play::asking;
use crate::play::drawing::{self, Around};
use crate::play::look::Sign;
use crate::play::page::Page;
use crate::play::screen::Screen;
use crate::play::terminal::SMALLEST;

/// The keys that always work, for players.
const KEYS: [(&str, &str); 6] =
    [("?", "rules"), ("h", "hint"), ("l", "log"), ("/", "chat"), ("q", "leave"), ("arrows Space Enter", "choose")];
/// The same for those who look on.
const WATCHING: [(&str, &str); 3] = [("?", "rules"), ("l", "log"), ("q", "leave")];
/// How to leave where there is no room for a question.
const LEAVE: &str = "press Ctrl-C to close the program; the match can be continued";

impl<G: Screen> Board<G> {
    /// Draws everything.
    pub(in crate::peer::screen) fn draw(&mut self, buffer: &mut Buffer, at: Instant) {
        self.stale = false;
        self.small = buffer.area.width < SMALLEST.0 || buffer.area.height < SMALLEST.1;
        if self.end.is_some() && self.finished.is_none() {
            self.draw_end(buffer);
        } else {
            self.draw_table(buffer, at);
        }
        if self.small {
            return;
        }
        let look = self.look;
        if let Some(window) = &mut self.leaving {
            window.draw(&mut Page::new(buffer, look, None));
        }
        let (width, last) = (buffer.area.width, buffer.area.height - 1);
        if let Some(typing) = &self.typing {
            let mut page = Page::new(buffer, look, None);
            page.line(0, last, width, Line::raw(" ".repeat(usize::from(width))));
            page.line(0, last, width, typing.line(look, width));
        }
    }

    fn draw_table(&mut self, buffer: &mut Buffer, at: Instant) {
        let (me, age, look) = (self.me(), self.age(at), self.look);
        let (Some(story), Some((_, now))) = (&self.story, &self.now) else {
            let width = buffer.area.width;
            Page::new(buffer, look, None).line(1, 0, width, Line::raw("The match begins."));
            return;
        };
        let names: Vec<String> = story.around.names.iter().cloned().collect();
        let lost = self.lost.map(|since| at.saturating_duration_since(since));
        let status = match (&now.online, lost) {
            (Err(why), Some(lost)) => status::lost(why, lost, look, buffer.area.width),
            _ => status::line(now, &names, age, look, buffer.area.width),
        };
        let Some(shown) = &self.shown else {
            let mut page = Page::new(buffer, look, None);
            if !asking::too_small(&mut page, LEAVE) {
                preparing::<G>(&mut page, &names, now, status, &story.lines);
            }
            return;
        };
        let asked = question(Some(shown), me, self.sent, self.pace);
        let left = time_left(now, me, age);
        let waiting = match &asked {
            Some(question) if question.forced(story).is_some() => Some("only one move".to_owned()),
            Some(_) => None,
            None if self.sent.is_some() => Some("your move is on its way".to_owned()),
            None if self.conceded => Some("you have conceded".to_owned()),
            None if me.is_none() => Some("you are watching".to_owned()),
            None => Some(String::new()),
        };
        let keys: &[(&str, &str)] = if me.is_some() && !self.conceded { &KEYS } else { &WATCHING };
        let around = Around {
            log: &story.lines,
            notice: None,
            clock: left.filter(|_| asked.is_some()),
            waiting,
            status: Some(status),
            foot: drawing::keys(look, keys),
            leave: LEAVE,
        };
        asking::draw(&shown.table, shown.viewer(me), story, &mut self.hands, &around, buffer);
        let is_asked = asked.is_some();
        if let Some(finished) = &mut self.finished
            && !self.small
            && !finished.table_only
            && at >= finished.since + self.pace * 2
        {
            let mut page = Page::new(buffer, look, None);
            finished.window.draw(&mut page);
            if is_asked {
                your_turn(&mut page, left);
            }
        }
    }

    fn draw_end(&mut self, buffer: &mut Buffer) {
        let mut page = Page::new(buffer, self.look, None);
        if asking::too_small(&mut page, LEAVE) {
            return;
        }
        if let Some(end) = &mut self.end {
            end.draw(self.story.as_ref().map(|story| &story.around), &mut page);
        }
    }
}

/// Seconds that this person still has to decide.
fn time_left<G: Screen>(now: &Now<G>, me: Option<Seat>, age: Duration) -> Option<u64> {
    let mine = now.waits.iter().find(|wait| Some(wait.seat) == me && status::is_for_a_person(wait.duty))?;
    let passed = mine.for_ms.saturating_add(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
    now.thinking.map(|limit| limit.saturating_sub(passed).div_ceil(1000))
}

/// Over a window: the match goes on behind it.
fn your_turn(page: &mut Page<'_>, left: Option<u64>) {
    let look = page.look;
    let text = match left {
        Some(seconds) => format!(" It is your turn: {seconds} s left. Enter shows the table. "),
        None => " It is your turn. Enter shows the table. ".to_owned(),
    };
    let all = page.area();
    let text = format!("{text:^width$}", width = usize::from(all.width));
    let style = look.bright().add_modifier(Modifier::REVERSED);
    page.line(0, all.height.saturating_sub(1), all.width, Line::styled(text, style));
}

/// Before the first deal: who has done what, and what was said.
fn preparing<G: Screen>(
    page: &mut Page<'_>,
    names: &[String],
    now: &Now<G>,
    status: Line<'static>,
    lines: &[Line<'static>],
) {
    let (look, all) = (page.look, page.area());
    title(page, &format!(" {} {} the match begins", look.plain(G::TITLE), look.sign(Sign::Dot)), "");
    page.line(0, 1, all.width, status);
    let explained = "Everybody adds a secret seed, makes keys and shuffles. Nobody can know or choose a card.";
    page.wrapped(Rect::new(1, 3, all.width.saturating_sub(2), 2), vec![Line::raw(look.plain(explained))], 0);
    let mut y = 6;
    for (name, seat) in names.iter().zip((0..).map_while(Seat::new)) {
        let done = |what: &str, is: bool| {
            let style = if is { look.good() } else { look.dim() };
            Span::styled(format!("{what:<14}"), style)
        };
        let due = |duty: fn(&Duty) -> bool| now.waits.iter().any(|wait| wait.seat == seat && duty(&wait.duty));
        let busy = if due(|duty| !matches!(duty, Duty::Seed)) { "working" } else { "" };
        let here = if now.here.contains(seat) { "" } else { "not connected" };
        let seed = now.seeds.contains(seat);
        page.line(
            2,
            y,
            all.width.saturating_sub(2),
            Line::from(vec![
                Span::styled(format!("{:<18}", look.plain(name)), look.bold()),
                done(if seed { "seed opened" } else { "seed hidden" }, seed),
                done(busy, false),
                Span::styled(here, look.bad()),
            ]),
        );
        y += 1;
    }
    let room = all.height.saturating_sub(y + 2);
    let from = lines.len().saturating_sub(usize::from(room));
    page.lines(Rect::new(1, y + 1, all.width.saturating_sub(2), room), lines.iter().skip(from).cloned().collect());
    page.line(0, all.height.saturating_sub(1), all.width, drawing::keys(look, &[("/", "chat"), ("q", "leave")]));
}
