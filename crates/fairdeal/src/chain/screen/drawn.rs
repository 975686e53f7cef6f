//! The screen of `fairdeal play`, with a line about the chain.

use std::time::Instant;

use ::chain::Coins;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use table::{Eye, Known};

use super::board::{Board, question, turn};
use super::words;
use crate::chain::desk::Now;
use crate::play::asking;
use crate::play::drawing::{self, Around};
use crate::play::look::{Look, Sign};
use crate::play::page::{Page, width_of};
use crate::play::terminal::SMALLEST;
use crate::text::{grouped, shown};

/// How to leave where there is no room for a question.
const LEAVE: &str = "press Ctrl-C to close the program; your seat is kept";

type Keys = &'static [(&'static str, &'static str)];
/// The keys that always work, for players.
const PLAYING: Keys = &[
    ("?", "rules"),
    ("h", "hint"),
    ("l", "log"),
    ("o", "sit out"),
    ("m", "more chips"),
    ("q", "leave"),
    ("arrows Enter", "choose"),
];
/// The same for those who sit out.
const OUT: Keys =
    &[("?", "rules"), ("l", "log"), ("o", "come back"), ("m", "more chips"), ("q", "leave"), ("Ctrl-C", "close")];
/// The same for those who look on.
const WATCHING: Keys = &[("?", "rules"), ("l", "log"), ("q", "stop watching")];

impl Board {
    /// Draws everything.
    pub(super) fn draw(&mut self, buffer: &mut Buffer, at: Instant) {
        self.stale = false;
        self.small = buffer.area.width < SMALLEST.0 || buffer.area.height < SMALLEST.1;
        self.draw_table(buffer, at);
        if self.small {
            return;
        }
        let (look, left) = (self.look, self.left(at));
        if let Some(finished) = &mut self.finished
            && at >= finished.since + self.pace * 2
        {
            let mut page = Page::new(buffer, look, None);
            finished.window.draw(&mut page);
            let asked = self.now.as_ref().is_some_and(|(_, now)| now.asked);
            if let Some(left) = left.filter(|_| asked) {
                your_turn(&mut page, left.div_ceil(1000));
            }
        }
        if let Some((window, _)) = &mut self.window {
            window.draw(&mut Page::new(buffer, look, None));
        }
    }

    fn draw_table(&mut self, buffer: &mut Buffer, at: Instant) {
        let (look, width) = (self.look, buffer.area.width);
        let left = self.left(at).map(|left| left.div_ceil(1000));
        let Some((_, now)) = &self.now else {
            Page::new(buffer, look, None).line(1, 0, width, Line::raw("Looking at the table."));
            return;
        };
        let status = match &self.lost {
            Some((since, why)) => lost(why, at.saturating_duration_since(*since).as_secs(), look),
            None => status(now, left, look, width),
        };
        let keys = keys(now);
        let Some(playing) = &self.playing else {
            let mut page = Page::new(buffer, look, None);
            if !asking::too_small(&mut page, LEAVE) {
                waiting(&mut page, self.number, now, status, keys);
            }
            return;
        };
        let asked = question(Some(playing), Some(now), self.sent, self.pace);
        let waiting = match (&asked, now.me) {
            (Some(_), _) => None,
            (None, _) if now.asked && self.sent == turn(now) => Some("your move is on its way".to_owned()),
            (None, None) => Some("you are watching".to_owned()),
            (None, Some(_)) => Some(String::new()),
        };
        let me = now.me.filter(|me| playing.begun.player(*me).is_some());
        let viewer = match me {
            Some(me) => (Eye::Seat(me), Known::with(playing.table.open(), &playing.own)),
            None => (Eye::Public, Known::public(playing.table.open())),
        };
        let around = Around {
            log: &self.story.lines,
            notice: None,
            clock: left.filter(|_| asked.is_some()),
            waiting,
            status: Some(status),
            foot: drawing::keys(look, keys),
            leave: LEAVE,
        };
        asking::draw(&playing.table, viewer, &self.story, &mut self.hands, &around, buffer);
    }
}

/// Over a window: the next hand goes on behind it.
fn your_turn(page: &mut Page<'_>, left: u64) {
    let (look, all) = (page.look, page.area());
    let text = format!("It is your turn in the next hand: {left} s left. Enter shows the table.");
    let text = format!("{text:^width$}", width = usize::from(all.width));
    let style = look.bright().add_modifier(Modifier::REVERSED);
    page.line(0, all.height.saturating_sub(1), all.width, Line::styled(text, style));
}

fn keys(now: &Now) -> Keys {
    match now.me.and_then(|me| now.ring.player(me)) {
        None => WATCHING,
        Some(player) if player.out.is_some() || player.leaving => OUT,
        Some(_) => PLAYING,
    }
}

/// The line below the title: whom the table waits for, and what is in the wallet.
fn status(now: &Now, left: Option<u64>, look: Look, width: u16) -> Line<'static> {
    let text = format!(" {}", look.plain(&words::status(now, left)));
    let wallet = if now.me.is_some() { format!("wallet {} ", grouped(now.coins.0)) } else { String::new() };
    let right = look.plain(&format!("{wallet}block {} ", now.height));
    let gap = width.saturating_sub(width_of(&text) + width_of(&right));
    Line::from(vec![
        Span::styled(text, look.bright()),
        Span::raw(" ".repeat(usize::from(gap))),
        Span::styled(right, look.dim()),
    ])
}

/// The line while the connection is lost.
fn lost(why: &str, seconds: u64, look: Look) -> Line<'static> {
    Line::styled(look.plain(&format!(" No connection for {seconds} s, trying again: {why}")), look.bad())
}

/// Before the first hand: who sits at the table.
fn waiting(page: &mut Page<'_>, number: u64, now: &Now, status: Line<'static>, keys: Keys) {
    let (look, all) = (page.look, page.area());
    let terms = &now.ring.terms;
    let dot = look.sign(Sign::Dot);
    let title =
        format!(" Table {number} {dot} {} {dot} blinds {}/{}", shown(&terms.label), terms.small_blind, terms.big_blind);
    let title = format!("{:width$}", look.plain(&title), width = usize::from(all.width));
    page.line(0, 0, all.width, Line::styled(title, Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)));
    page.line(0, 1, all.width, status);
    page.line(2, 3, all.width, Line::raw(look.plain(&format!("{}.", words::between(now)))));
    for (y, (seat, player)) in (5..).zip(now.ring.players()) {
        let name = if now.me == Some(seat) { "You".to_owned() } else { crate::chain::seat::seat_name(seat) };
        let how = match player {
            _ if player.out.is_some() => "sits out",
            _ if player.stack == Coins::ZERO => "has no chips",
            _ => "",
        };
        let line = format!("{name:<10}{:>10} chips  {how}", grouped(player.stack.0));
        page.line(2, y, all.width.saturating_sub(2), Line::raw(look.plain(&line)));
    }
    page.line(0, all.height.saturating_sub(1), all.width, drawing::keys(look, keys));
}
