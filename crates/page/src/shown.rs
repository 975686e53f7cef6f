//! What a game shows of a deal, in HTML and words, without the types of the game.

use ::table::{Outcome, Rules as _, Seat, Slot, Standing, TieBreak};
use maud::Markup;

use crate::board::State;
use crate::pressing::{read, text};
use crate::{Amount, Board, Changing, Marking, Mood, Page, Panel, Press, Scene, Tile};

/// Everything that a page shows of a deal.
pub struct Shown {
    /// Next to the title.
    pub title: String,
    /// Every player, by seat.
    pub panels: Vec<Panel>,
    /// The middle of the table.
    pub middle: Markup,
    /// The viewer's own facts.
    pub own: Markup,
    /// Their hand.
    pub hand: Vec<Tile>,
    /// How its cards can be marked.
    pub marking: Marking,
    /// The cards that are marked.
    pub marked: Vec<Slot>,
    /// The text before the hand.
    pub bench: Option<Markup>,
    /// The text about the marked cards.
    pub says: (String, Mood),
    /// The buttons.
    pub buttons: Vec<Key>,
    /// A number to choose, and the one chosen.
    pub amount: Option<(Amount, i64)>,
    /// The draft, as it was understood.
    pub draft: String,
    /// Whether it is the viewer's turn.
    pub asked: bool,
    /// Whether they can change their choice.
    pub changing: Changing,
    /// How the deal ended, while people look at it.
    pub ending: Option<Ending>,
    /// The scores.
    pub counts: &'static str,
}

/// A button.
pub struct Key {
    /// Its key.
    pub key: char,
    /// Its label.
    pub label: String,
    /// Whether it makes a move, or only changes the draft.
    pub moves: bool,
    /// Why it cannot be pressed.
    pub refused: Option<String>,
    /// Whether it should be guarded against accidental presses.
    pub grave: bool,
    /// Whether it is the only thing to do, so that the page presses it automatically.
    pub forced: bool,
    /// The question the page asks before it is pressed.
    pub sure: Option<String>,
}

/// How a deal ended.
pub struct Ending {
    /// The number of the deal.
    pub deal: u32,
    /// In words.
    pub summary: Markup,
    /// The points each seat won or lost.
    pub outcome: Outcome,
    /// The score of the match after it.
    pub standing: Standing,
    /// Why a seat ranks ahead of the next one, if the totals do not show it.
    pub ties: Vec<(Seat, TieBreak)>,
}

impl Shown {
    /// The same, without anything to press.
    #[must_use]
    pub fn still(self) -> Self {
        Self {
            asked: false,
            changing: Changing::Nothing,
            buttons: Vec::new(),
            amount: None,
            marking: Marking::None,
            marked: Vec::new(),
            says: (String::new(), Mood::Plain),
            ..self
        }
    }
}

impl<G: Page> Board<'_, G> {
    /// What the viewer sees, with what they have prepared: a draft as the page keeps it, which is not trusted.
    pub fn show(&self, draft: Option<&str>) -> Shown {
        let mut draft = read::<G>(draft);
        let changing = self.changing(&draft);
        let render = |scene: &Scene<'_, G>| {
            G::marked(scene, &mut draft);
            let held = G::desk(scene, &draft).hand;
            draft.marked.retain(|slot| held.iter().any(|tile| tile.slot == *slot));
            let desk = G::desk(scene, &draft);
            let seats = (0..scene.table.rules().players()).filter_map(Seat::new);
            Shown {
                title: G::title(scene),
                panels: seats.map(|seat| G::panel(scene, seat)).collect(),
                middle: G::middle(scene, &draft),
                own: if scene.me().is_some() { G::own(scene) } else { Markup::default() },
                hand: if scene.me().is_some() { desk.hand } else { Vec::new() },
                marking: if scene.moves.is_some() { desk.marking } else { Marking::None },
                marked: draft.marked.clone(),
                bench: desk.bench,
                says: desk.says,
                buttons: desk
                    .buttons
                    .into_iter()
                    .map(|button| Key {
                        key: button.key,
                        label: button.label,
                        moves: !matches!(button.press, Ok(Press::Command | Press::Amount(_))),
                        refused: button.press.err(),
                        grave: button.grave,
                        sure: button.sure,
                        // A seat that is changing its choice can always move.
                        forced: button.forced && changing == Changing::Nothing,
                    })
                    .collect(),
                amount: desk.amount.map(|amount| (amount, amount.now(draft.amount))),
                draft: text(&draft),
                asked: scene.moves.is_some() && changing == Changing::Nothing,
                changing,
                ending: self.ending(scene),
                counts: G::counts(self.lang),
            }
        };
        self.scene(changing == Changing::Begun, render)
    }

    fn ending(&self, scene: &Scene<'_, G>) -> Option<Ending> {
        let State::Over { outcome, ties } = self.state else { return None };
        Some(Ending {
            deal: self.deal,
            summary: G::summary(scene, outcome),
            outcome: outcome.clone(),
            standing: self.standing.clone(),
            ties: ties.to_vec(),
        })
    }
}
