//! A table of a chain as its page: the same HTML, parts and messages as at a table of the house.
//!
//! - `followed`: the table as it is known here
//! - `purse`: wallet and seat, and what can be done with them; `between`: a table without a hand

mod between;
mod followed;
mod purse;

use core::time::Duration;

use chain::{Address, Coins};
use light::follow::{self, Told};
use maud::html;
use page::{Heard, Lang, Viewer, beside, desk, felt};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) use followed::is_dealt;
pub(crate) use purse::sit_button;

use followed::Followed;

/// What a page can say beside moves.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Command {
    /// Continue after a hand.
    Ready {
        #[serde(default)]
        deal: u32,
    },
    /// Give up the seat.
    Stand {},
    /// Not be dealt in for a while.
    Out {},
    /// Be dealt in again.
    Back {},
    /// Buy chips.
    Rebuy { chips: u64 },
    /// Check the hand that ended last.
    Verify {},
}

/// What a message of a page wants.
pub(crate) enum Wanted {
    /// Nothing more than to be shown.
    Nothing,
    /// Something at the table.
    Do(follow::Want),
    /// To have this hand checked.
    Verify(u32),
    /// To be told this.
    Tell(Value),
}

/// A table on a page.
pub(crate) struct Drawing {
    viewer: Viewer,
    number: u64,
    address: Address,
    table: Followed,
}

impl Drawing {
    pub(crate) fn new(lang: Lang, number: u64, address: Address) -> Self {
        Self { viewer: Viewer::new(lang), number, address, table: Followed::new(lang) }
    }

    /// The page was loaded again, perhaps in another language: it has nothing.
    pub(crate) fn again(&mut self, lang: Lang) {
        self.viewer = Viewer::new(lang);
    }

    pub(crate) const fn set_elsewhere(&mut self, elsewhere: bool) {
        self.table.set_elsewhere(elsewhere);
    }

    /// Something was told; what the person should be told at once.
    pub(crate) fn learn(&mut self, told: Told, at: Duration) -> Option<String> {
        if matches!(told, Told::Over(_)) {
            self.viewer.forget_draft();
        }
        self.table.learn(told, self.viewer.lang(), at)
    }

    /// The parts of the page that have changed.
    pub(crate) fn show(&mut self, at: Duration) -> Value {
        let (lang, table) = (self.viewer.lang(), &self.table);
        let sight = table.sight(lang, at);
        let (frame, board) = (table.frame(&sight), table.board(&sight));
        let shown = self.viewer.look(board.as_ref());
        let felt = match (&shown, table.now()) {
            (Some(shown), _) => felt(&frame, Some(shown)),
            (None, Some(now)) => between::felt(self.number, now, lang),
            (None, None) => html! { section id="felt" class="felt" {} },
        };
        let parts = [
            ("felt", felt),
            ("desk", desk(&frame, shown.as_ref())),
            ("log", beside::log(table.story().lines(), lang)),
            ("status", html! { p id="status" role="status" { (table.status(lang)) } }),
            ("purse", purse::purse(self.number, &self.address, table.now(), lang)),
        ];
        let asked = shown.as_ref().is_some_and(|shown| shown.asked);
        self.viewer.update(frame.height, asked, table.clock(at), parts)
    }

    /// What a message of the page wants.
    pub(crate) fn hear(&mut self, message: &str, at: Duration) -> Result<Wanted, String> {
        let lang = self.viewer.lang();
        let sight = self.table.sight(lang, at);
        let board = self.table.board(&sight);
        Ok(match self.viewer.hear(message, board.as_ref())? {
            Heard::Nothing => Wanted::Nothing,
            Heard::Told(said) => Wanted::Tell(json!({ "said": said })),
            Heard::Move(decided) => {
                self.table.answered();
                Wanted::Do(follow::Want::Decide(decided))
            }
            Heard::Command(Command::Ready { deal }) => {
                self.table.seen(deal);
                Wanted::Nothing
            }
            Heard::Command(Command::Stand {}) => Wanted::Do(follow::Want::Leave),
            Heard::Command(Command::Out {}) => Wanted::Do(follow::Want::SitOut),
            Heard::Command(Command::Back {}) => Wanted::Do(follow::Want::Return),
            Heard::Command(Command::Rebuy { chips }) => Wanted::Do(follow::Want::Rebuy(Coins(chips))),
            Heard::Command(Command::Verify {}) => self.table.last().map_or(Wanted::Nothing, Wanted::Verify),
        })
    }
}
