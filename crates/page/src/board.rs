//! One deal as one viewer sees it: the border between a table and its page.
//!
//! A house table and a private table are run in different ways, but of a deal both know the same: the table with its
//! public facts, the faces that the viewer knows, and whom it waits for. That is a [`Board`].

use ::table::{Awaiting, Eye, Height, Known, Outcome, Rules, Seat, Seats, Standing, Table, TieBreak};
use bots::Computer;

use crate::{Lang, NotPressed, Page, Scene};

/// One deal as one viewer sees it.
pub struct Board<'a, G: Computer> {
    /// The viewer's language.
    pub lang: Lang,
    /// The viewer: a seat, or the public.
    pub eye: Eye,
    /// The table, public facts only.
    pub table: &'a Table<G::Rules>,
    /// The faces that the viewer knows.
    pub known: Known<'a>,
    /// The settings of the match.
    pub settings: &'a G::Settings,
    /// The standing of the match: before this deal, and including it once it is over.
    pub standing: &'a Standing,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// The names of the players, by seat.
    pub names: &'a [String],
    /// Whether the deal is still played.
    pub state: State<'a, G>,
}

/// Whether a deal is still played.
pub enum State<'a, G: Computer> {
    /// It is.
    Played(Now<'a, G>),
    /// It is over, and people look at how it ended.
    Over {
        /// What each seat won or lost.
        outcome: &'a Outcome,
        /// Why a seat ranks ahead of the next one, if the totals do not show it.
        ties: &'a [(Seat, TieBreak)],
    },
}

/// Where a deal stands.
pub struct Now<'a, G: Computer> {
    /// The seats that the table waits for. A seat that has made its secret choice is no longer in it, and neither is a
    /// viewer who may not decide.
    pub awaited: Seats,
    /// The viewer's secret choice, while others are still choosing.
    pub chosen: Option<&'a <G::Rules as Rules>::Choice>,
    /// Whether that choice can still be changed. Where choices are committed to, it cannot.
    pub changeable: bool,
    /// What everybody saw before the last move, if that move ended a trick or a round.
    pub settled: Option<&'a <G::Rules as Rules>::View>,
}

impl<G: Computer> Default for Now<'_, G> {
    fn default() -> Self {
        Self { awaited: Seats::NONE, chosen: None, changeable: false, settled: None }
    }
}

impl<G: Page> Board<'_, G> {
    /// Checks that an input was meant for what is on the table: a deal that is played, at this height.
    ///
    /// # Errors
    /// Says where the table is instead.
    pub fn at(&self, got: Height) -> Result<&Self, NotPressed> {
        let now = self.table.height();
        match self.state {
            State::Over { .. } => Err(NotPressed::NotAsked),
            State::Played(_) if now != got => Err(NotPressed::Height { now, got }),
            State::Played(_) => Ok(self),
        }
    }

    /// The viewer's seat, if they have to act or choose.
    pub fn asked(&self) -> Option<Seat> {
        let (State::Played(now), Eye::Seat(seat)) = (&self.state, self.eye) else { return None };
        let turns = matches!(self.table.awaiting(), Awaiting::Turn(_) | Awaiting::Choices(_));
        (turns && now.awaited.contains(seat)).then_some(seat)
    }

    /// Calls `f` with what the viewer sees; one who is `changing` their choice has the same moves as before it.
    pub(crate) fn scene<T>(&self, changing: bool, f: impl FnOnce(&Scene<'_, G>) -> T) -> T {
        let view = self.table.rules().view(self.known, self.eye);
        let nothing = Now::default();
        let now = match &self.state {
            State::Played(now) => now,
            State::Over { .. } => &nothing,
        };
        let again = match self.eye {
            Eye::Seat(seat) if changing && now.chosen.is_some() => Some(seat),
            Eye::Seat(_) | Eye::Public => None,
        };
        let moves = self.asked().or(again).map(|seat| self.table.rules().moves(self.known, seat));
        f(&Scene {
            lang: self.lang,
            eye: self.eye,
            view: &view,
            moves: moves.as_ref(),
            chosen: now.chosen,
            awaited: now.awaited,
            table: self.table,
            known: self.known,
            settled: now.settled,
            settings: self.settings,
            standing: self.standing,
            deal: self.deal,
            names: self.names,
        })
    }
}
