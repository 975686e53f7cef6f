//! What a game adds to the common page of a table: the trait [`Page`].

use ::table::{Outcome, Rules, Seat};
use bots::Computer;
use maud::Markup;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Desk, Draft, Lang, MoveOf, Panel, Scene};

/// A game on a page.
pub trait Page: Computer {
    /// What a draft needs apart from marked cards and an amount.
    type Extra: Default + Clone + Serialize + DeserializeOwned;

    /// Next to the title: blinds, round, trump.
    fn title(scene: &Scene<'_, Self>) -> String;

    /// Another player.
    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel;

    /// The middle of the table.
    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Markup;

    /// The viewer's own facts: chips, the name of their hand, points, deadwood.
    fn own(scene: &Scene<'_, Self>) -> Markup;

    /// The viewer's hand and buttons. Also called when it is not their turn: then there is only the hand.
    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Desk<Self>;

    /// A button of [`Press::Command`](crate::Press::Command) was pressed. The answer is shown to the viewer.
    fn command(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _key: char) -> Option<String> {
        None
    }

    /// A place that the page offered ([`place_card`](crate::place_card), [`empty_place`](crate::empty_place)) was chosen. The
    /// answer is shown to the viewer.
    fn place(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _place: u16) -> Option<String> {
        None
    }

    /// The marks may have changed: updates the draft, in games where a marked card is placed at once.
    fn marked(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>) {}

    /// The button that choosing a place presses, if it does more than change the draft.
    fn button_at(_: &Scene<'_, Self>, _: &Draft<Self::Extra>, _place: u16) -> Option<char> {
        None
    }

    /// Prepares a move in the draft, so that the viewer sees a hint before they follow it.
    fn prepare(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _: &MoveOf<Self>) {}

    /// What stays prepared after the viewer's move: nothing, or how they sort their cards.
    fn kept(_: Self::Extra) -> Self::Extra {
        Self::Extra::default()
    }

    /// What a player did, as a sentence for the log: "Anna raises to 120". The scene is the public's, after the move;
    /// `before` is what the public saw before it.
    fn phrase(
        before: &<Self::Rules as Rules>::View,
        scene: &Scene<'_, Self>,
        seat: Seat,
        a_move: &MoveOf<Self>,
    ) -> String;

    /// The name of a move, as a suggestion to the viewer: "Raise to 120". The scene is theirs, before the move.
    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String;

    /// A reason for a suggestion, as a sentence without a full stop.
    fn reason(why: &Self::Why, lang: Lang) -> String;

    /// Why the game refuses a move, as a sentence without a full stop.
    fn refusal(why: &<Self::Rules as Rules>::Illegal, lang: Lang) -> String;

    /// What has happened between two public views, apart from the players' own moves: "Flop: 7♠ 7♦ K♣",
    /// "Anna takes the trick". The scene is the public's, after it.
    fn news(_before: &<Self::Rules as Rules>::View, _after: &Scene<'_, Self>) -> Vec<String> {
        Vec::new()
    }

    /// How the deal ended, as sentences for the log: "Anna wins 116 with a pair of eights". The scene is the public's.
    fn closing(_: &Scene<'_, Self>, _: &Outcome) -> Vec<String> {
        Vec::new()
    }

    /// How the deal ended: who won what, and why. Table rows or paragraphs.
    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup;

    /// The unit of a match's standing: "chips", "points".
    fn counts(lang: Lang) -> &'static str;

    /// The rules and what beats what, for people. Lines that begin with `# ` are headings.
    fn rules(lang: Lang) -> &'static str;

    /// What a setting does, in a sentence; the English is [`::table::Described::about`].
    fn setting(name: &str, english: &'static str, lang: Lang) -> &'static str;
}

/// What the settings that all games have do, in German.
pub(crate) fn common_setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "action_timeout" => "So viele Sekunden hat man für einen Zug; 0 heißt unbegrenzt.",
        "away_after" => "Wer so viele Züge nacheinander verpasst, gilt als abwesend.",
        "on_leave" => "Wer weiterspielt, wenn jemand gegangen ist.",
        _ => return None,
    })
}
