//! What a person has open beside the table: something to read, advice, a question.

use bots::{Course, Sight};
use ratatui::text::Line;
use table::{Eye, Rules as _};

use super::{Answer, Question};
use crate::play::page::Page;
use crate::play::screen::{Draft, MoveOf, Screen};
use crate::play::story::Story;
use crate::play::terminal::Happened;
use crate::play::windows::{Reaction, Window};

/// A window over the table, or none.
pub(super) enum Open<G: Screen> {
    Nothing,
    /// Something to read.
    Text(Window),
    /// Advice, which can be taken.
    Advice(Window, MoveOf<G>),
    /// A move that is rarely meant: make it all the same?
    Sure(Window, MoveOf<G>),
    /// A question: leave?
    Leave(Window),
}

impl<G: Screen> Open<G> {
    /// The rules of the game.
    pub(super) fn rules(story: &Story<G>) -> Self {
        Self::Text(Window::rules(G::TITLE, &[G::RULES, G::NUMBERS].join("\n"), story.around.look))
    }

    /// The log.
    pub(super) fn log(story: &Story<G>) -> Self {
        let lines = story.lines.clone();
        Self::Text(Window::new("What happened so far", lines, "arrows scroll, Esc closes").at_end())
    }

    /// Whether a window is open.
    pub(super) const fn is_open(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// Closes everything that belongs to a question; something to read stays.
    pub(super) fn forget_question(&mut self) {
        if !matches!(self, Self::Text(_)) {
            *self = Self::Nothing;
        }
    }

    /// Draws the window.
    pub(super) fn draw(&mut self, page: &mut Page<'_>) {
        match self {
            Self::Nothing => {}
            Self::Text(window) | Self::Advice(window, _) | Self::Sure(window, _) | Self::Leave(window) => {
                window.draw(page);
            }
        }
    }

    /// A window that can only be read does something with a key, for a person who is not asked.
    pub(super) fn read(&mut self, happened: Happened) {
        if let Self::Text(window) = self
            && window.react(happened) != Reaction::Stays
        {
            *self = Self::Nothing;
        }
    }

    /// An open window does something with a key; what the person answers to the question, if anything.
    pub(super) fn react(
        &mut self,
        question: &Question<'_, G>,
        story: &Story<G>,
        draft: &mut Draft<G::Extra>,
        happened: Happened,
    ) -> Option<Answer<G>> {
        let (reaction, answer) = match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => return None,
            Self::Text(mut window) => {
                if window.react(happened) == Reaction::Stays {
                    *self = Self::Text(window);
                }
                return None;
            }
            Self::Advice(mut window, best) => {
                match window.react(happened) {
                    Reaction::Stays => *self = Self::Advice(window, best),
                    Reaction::Closes => {
                        let eye = Eye::Seat(question.seat);
                        story.around.scene(question.table, eye, question.known, |scene| {
                            G::prepare(scene, draft, &best);
                        });
                    }
                    Reaction::Agrees => return Some(Answer::Move(best)),
                }
                return None;
            }
            Self::Sure(mut window, a_move) => match window.answer(happened) {
                Reaction::Stays => {
                    *self = Self::Sure(window, a_move);
                    return None;
                }
                reaction => (reaction, Answer::Move(a_move)),
            },
            Self::Leave(mut window) => match window.answer(happened) {
                Reaction::Stays => {
                    *self = Self::Leave(window);
                    return None;
                }
                reaction => (reaction, Answer::Stop),
            },
        };
        (reaction == Reaction::Agrees).then_some(answer)
    }
}

/// What a strong player would do, and why.
pub(super) fn advise<G: Screen>(question: &Question<'_, G>, story: &Story<G>) -> Open<G> {
    use rand::SeedableRng as _;
    let mut rng = rand::rngs::Xoshiro256PlusPlus::from_seed(question.seed);
    let Question { table, seat, known, .. } = question;
    let round = &story.around;
    let look = round.look;
    let advice = story.memory.with(|past| {
        let (view, moves) = (table.rules().view(*known, Eye::Seat(*seat)), table.rules().moves(*known, *seat));
        let course = Course { settings: &round.settings, deal: round.deal, past };
        let rules = table.rules();
        G::advice(&Sight { seat: *seat, view: &view, moves: &moves, known: *known, rules, course }, &mut rng)
    });
    let Some(advice) = advice else {
        return Open::Text(Window::new("Hint", vec![Line::raw("There is no hint here.")], "Esc closes"));
    };
    let mut lines = Vec::new();
    round.scene(table, Eye::Seat(*seat), *known, |scene| {
        let phrase = G::phrase(scene.view, scene, *seat, &advice.best);
        lines.push(Line::styled(look.plain(&phrase), look.bright()));
        let whys = advice.why.iter().map(|why| scene.spoken(&format!("– {why}")));
        lines.extend(whys.map(|why| Line::raw(look.plain(&why))));
    });
    Open::Advice(Window::new("A strong player would", lines, "Enter does it, Esc closes"), advice.best)
}
