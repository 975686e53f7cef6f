//! BigC on a terminal.

use games::bigc::BigC;
use ratatui::layout::Rect;
use ratatui::text::Line;
use table::{Outcome, Rules, Seat};

use super::page::Page;
use super::screen::{Desk, Draft, MoveOf, Panel, Scene, Screen};

impl Screen for BigC {
    type Extra = ();
    const RULES: &'static str = "";
    const COUNTS: &'static str = "points";

    fn title(_: &Scene<'_, Self>) -> String {
        String::new()
    }
    fn panel(_: &Scene<'_, Self>, _: Seat) -> Panel {
        Panel::default()
    }
    fn middle_height(_: &Scene<'_, Self>, _: u16) -> u16 {
        3
    }
    fn middle(_: &Scene<'_, Self>, _: &Draft<()>, _: &mut Page<'_>, _: Rect) {}
    fn own(_: &Scene<'_, Self>) -> Line<'static> {
        Line::default()
    }
    fn desk(_: &Scene<'_, Self>, _: &Draft<()>) -> Desk<Self> {
        Desk::default()
    }
    fn phrase(_: &<Self::Rules as Rules>::View, _: &Scene<'_, Self>, _: Seat, a_move: &MoveOf<Self>) -> String {
        format!("{a_move:?}")
    }
    fn summary(_: &Scene<'_, Self>, _: &Outcome) -> Vec<Line<'static>> {
        Vec::new()
    }
}
