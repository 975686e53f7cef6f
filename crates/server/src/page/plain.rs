//! Stands in for the pages of games that have none yet.
use super::*;
use maud::html;

macro_rules! plain { ($($game:path),+) => { $(
impl Page for $game {
    type Extra = ();
    fn title(_: &Scene<'_, Self>) -> String { String::new() }
    fn panel(_: &Scene<'_, Self>, _: Seat) -> Panel { Panel::default() }
    fn middle(_: &Scene<'_, Self>, _: &Draft<()>) -> Markup { html!{} }
    fn own(_: &Scene<'_, Self>) -> Markup { html!{} }
    fn desk(_: &Scene<'_, Self>, _: &Draft<()>) -> Desk<Self> { Desk::default() }
    fn phrase(_: &<Self::Rules as Rules>::View, s: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String { format!("{}: {a_move:?}", s.name(seat)) }
    fn suggestion(_: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String { format!("{a_move:?}") }
    fn reason(why: &Self::Why, _: Lang) -> String { why.to_string() }
    fn refusal(why: &<Self::Rules as Rules>::Illegal, _: Lang) -> String { why.to_string() }
    fn summary(_: &Scene<'_, Self>, _: &Outcome) -> Markup { html!{} }
    fn counts(lang: Lang) -> &'static str { lang.pick("points", "Punkte") }
    fn rules(_: Lang) -> &'static str { "" }
    fn setting(_: &str, english: &'static str, _: Lang) -> &'static str { english }
}
)+ } }
plain!(games::types::BigC, games::types::Blackout);
