//! Hints: what a strong player would do, and a draft that prepares it.

use ::table::{Draw, Game, Height};
use bots::{Course, Sight};

use crate::pressing::{read, text};
use crate::{Board, Button, MoveOf, Page, Press};

/// What a strong player would do.
pub struct Hint<G: Game> {
    /// The move.
    pub best: MoveOf<G>,
    /// The move, in words.
    pub what: String,
    /// The reasons.
    pub why: Vec<String>,
    /// The draft that prepares it.
    pub draft: String,
    /// The button that plays it once it is prepared.
    pub key: Option<char>,
    /// The height at which it was asked for.
    pub height: Height,
}

impl<G: Page> Board<'_, G> {
    /// A hint for a viewer who has to act or choose. Takes long.
    pub fn advise(&self, course: Course<'_, G>, draw: &mut impl Draw) -> Option<Hint<G>> {
        let seat = self.asked()?;
        self.scene(false, |scene| {
            let moves = scene.moves?;
            let rules = self.table.rules();
            let sight = Sight { seat, view: scene.view, moves, known: scene.known, rules, course };
            let advice = G::advice(&sight, draw)?;
            let mut draft = read::<G>(None);
            G::prepare(scene, &mut draft, &advice.best);
            let prepared = text(&draft);
            G::marked(scene, &mut draft);
            let does = |button: &&Button<G>| matches!(&button.press, Ok(Press::Move(moved)) if *moved == advice.best);
            let key = G::desk(scene, &draft).buttons.iter().find(does).map(|button| button.key);
            Some(Hint {
                what: G::suggestion(scene, &advice.best),
                why: advice.why.iter().map(|why| G::reason(why, self.lang)).collect(),
                best: advice.best,
                draft: prepared,
                key,
                height: self.table.height(),
            })
        })
    }
}
