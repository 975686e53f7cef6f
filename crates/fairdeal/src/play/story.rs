//! What a screen tells about a match: its log, what is on the table around a deal, and what computers remember.

use bots::Past;
use ratatui::text::{Line, Span};
use table::{Awaiting, Eye, Faces, Known, Move, Rules, Seat, Seats, Standing, Table};

use super::look::Look;
use super::screen::{MoveOf, Scene, Screen};
use super::seating::BySeat;
use crate::computers::Memory;

/// A match as the people in front of the screen have seen it.
pub struct Story<G: Screen> {
    /// What happened in this deal.
    pub memory: Memory<G::Rules>,
    /// What the screen's log says.
    pub lines: Vec<Line<'static>>,
    /// What was done since the log was brought up to date.
    pending: Vec<(Seat, MoveOf<G>)>,
    /// People whose time was up since then.
    pub late: Seats,
    /// What everybody saw when the log was brought up to date.
    seen: Option<<G::Rules as Rules>::View>,
    /// What the person in front of the screen has been dealt.
    pub own: Faces,
    /// What a scene needs beside the table.
    pub around: Round<G>,
    /// The command that continues the match.
    pub way_back: String,
}

/// The match around a deal.
pub struct Round<G: Screen> {
    /// Its settings.
    pub settings: G::Settings,
    /// Who sits where.
    pub names: BySeat<String>,
    /// How it looks.
    pub look: Look,
    /// How the match stands before this deal.
    pub standing: Standing,
    /// The number of the deal.
    pub deal: u32,
}

impl<G: Screen> Round<G> {
    /// Calls `f` with what an eye sees.
    pub fn scene<T>(
        &self,
        table: &Table<G::Rules>,
        eye: Eye,
        known: Known<'_>,
        f: impl FnOnce(&Scene<'_, G>) -> T,
    ) -> T {
        let view = table.rules().view(known, eye);
        let asked = match (table.awaiting(), eye) {
            (Awaiting::Turn(turn), Eye::Seat(seat)) if turn == seat => Some(seat),
            (Awaiting::Choices(seats), Eye::Seat(seat)) if seats.contains(seat) => Some(seat),
            _ => None,
        };
        let moves = asked.map(|seat| table.rules().moves(known, seat));
        f(&Scene {
            eye,
            view: &view,
            moves: moves.as_ref(),
            table,
            known,
            settings: &self.settings,
            standing: &self.standing,
            deal: self.deal,
            names: &self.names,
            look: self.look,
        })
    }
}

impl<G: Screen> Story<G> {
    /// Nothing has happened yet.
    pub fn new(around: Round<G>, way_back: String) -> Self {
        Self {
            memory: Memory::default(),
            lines: Vec::new(),
            pending: Vec::new(),
            late: Seats::NONE,
            seen: None,
            own: Faces::new(),
            around,
            way_back,
        }
    }

    /// A deal begins: the table shows it before anything has happened.
    pub fn begin(&mut self, table: &Table<G::Rules>, deal: u32, standing: Standing) {
        self.memory.clear();
        self.pending.clear();
        self.around.deal = deal;
        self.around.standing = standing;
        self.seen = Some(table.rules().view(Known::public(table.open()), Eye::Public));
        let look = self.around.look;
        let line = look.sign(super::look::Sign::Line).repeat(3);
        self.lines.push(Line::styled(format!("{line} deal {deal} {line}"), look.dim()));
    }

    /// A seat acts at this table.
    pub fn acts(&mut self, table: &Table<G::Rules>, seat: Seat, action: &<G::Rules as Rules>::Action) {
        self.catch_up(table);
        self.memory.note(Past::Did(seat, action.clone()));
        self.pending.push((seat, Move::Act(action.clone())));
    }

    /// Seats choose at this table.
    pub fn choose(&mut self, table: &Table<G::Rules>, choices: &[(Seat, <G::Rules as Rules>::Choice)]) {
        self.catch_up(table);
        for (seat, choice) in choices {
            self.memory.note(Past::Chose(*seat, choice.clone()));
            self.pending.push((*seat, Move::Choose(choice.clone())));
        }
    }

    /// Brings the log up to date with the table.
    pub fn catch_up(&mut self, table: &Table<G::Rules>) {
        let known = Known::public(table.open());
        let Some(seen) = self.seen.take() else { return };
        let pending = std::mem::take(&mut self.pending);
        let (told, news, now) = self.around.scene(table, Eye::Public, known, |scene| {
            let told: Vec<_> = pending.iter().map(|(seat, m)| (*seat, G::phrase(&seen, scene, *seat, m))).collect();
            (told, G::news(&seen, scene), scene.view.clone())
        });
        for (seat, phrase) in told {
            let why = if self.late.contains(seat) { " (time was up)" } else { "" };
            self.late.remove(seat);
            self.tell(seat, &format!("{phrase}{why}"));
        }
        for news in news {
            self.say(&news);
        }
        self.seen = Some(now);
    }

    /// Something that a seat did or had done to it.
    pub fn tell(&mut self, seat: Seat, phrase: &str) {
        let look = self.around.look;
        let name = &self.around.names[seat];
        let name = Span::styled(format!("{}: ", look.plain(name)), look.bold());
        self.lines.push(Line::from(vec![name, Span::raw(look.plain(phrase))]));
    }

    /// Something that happened.
    pub fn say(&mut self, news: &str) {
        let look = self.around.look;
        self.lines.push(Line::styled(look.plain(news), look.tinted(ratatui::style::Color::Cyan)));
    }
}
