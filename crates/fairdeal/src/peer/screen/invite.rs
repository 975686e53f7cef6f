//! How others come to a private table: the link, as text and as a QR code; the code and the address; the network.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::qr;
use crate::peer::entrance::View;
use crate::play::look::Look;
use crate::play::page::Page;
use crate::play::terminal::SMALLEST;
use crate::play::windows::lines_of;

/// In one line.
pub(super) fn short(view: &View, look: Look) -> Line<'static> {
    let Some(command) = by_code(view) else {
        return Line::styled("Press i to invite others.", look.dim());
    };
    Line::from(vec![
        Span::styled("Others join with  ", look.dim()),
        Span::styled(look.plain(&command), look.bold()),
        Span::styled("  (i shows more)", look.dim()),
    ])
}

/// The command for somebody without the link.
fn by_code(view: &View) -> Option<String> {
    view.code.as_ref().map(|code| format!("fairdeal join {code}@{}", view.address))
}

/// The whole page.
pub(super) fn draw(view: &View, page: &mut Page<'_>, area: Rect) {
    let look = page.look;
    let plain = |text: &str| Line::raw(look.plain(text));
    let strong = |text: &str| Line::styled(look.plain(text), look.bold());
    let mut lines = vec![
        plain("This link lets its readers join. Send it only to people you want to play with:"),
        strong(&view.ticket),
        Line::raw(""),
        plain("They join with  fairdeal join 'LINK'  and the link between the quotes."),
    ];
    if let Some(command) = by_code(view) {
        lines.extend([
            Line::raw(""),
            plain("Without the link they can knock, and you compare four words with them before you let them in:"),
            strong(&command),
        ]);
    }
    if view.announced {
        lines.extend([
            Line::raw(""),
            plain("In the same network they can look for your table:"),
            strong("fairdeal join nearby"),
        ]);
    }
    if view.on_air {
        lines.extend([
            Line::raw(""),
            plain("In range of Bluetooth they can look for your table, and you compare four words:"),
            strong("fairdeal join nearby"),
        ]);
    }
    let height: u16 = lines.iter().map(|line| lines_of(line, area.width)).sum();
    // The code goes below the text, or to its right, wherever there is room.
    let below = Rect::new(area.x, area.y + height + 1, area.width, area.height.saturating_sub(height + 1));
    if let Some(code) = qr::lines(&view.ticket, look, (below.width, below.height)) {
        page.wrapped(area, lines, 0);
        page.lines(below, code);
        return;
    }
    let beside = qr::needs(&view.ticket).and_then(|(columns, _)| u16::try_from(columns).ok());
    let beside =
        beside.map(|columns| Rect { x: area.right().saturating_sub(columns), width: columns.min(area.width), ..area });
    if let Some(place) = beside.filter(|place| place.x >= area.x + NARROWEST)
        && let Some(code) = qr::lines(&view.ticket, look, (place.width, place.height))
    {
        page.wrapped(Rect { width: place.x - area.x - 2, ..area }, lines, 0);
        page.lines(place, code);
        return;
    }
    if let (Some((columns, rows)), false) = (qr::needs(&view.ticket), look.ascii) {
        let needed = (i32::from(SMALLEST.0).max(columns + 2), rows + i32::from(height) + 5);
        let text = format!("In a window of {}x{} characters there is a QR code here, too.", needed.0, needed.1);
        lines.extend([Line::raw(""), Line::styled(text, look.dim())]);
    }
    page.wrapped(area, lines, 0);
}

/// The fewest columns for the text next to a code.
const NARROWEST: u16 = 50;

/// The link as plain text, to be selected and copied.
pub(super) fn copied(view: &View) -> String {
    let mut text = format!(
        "\nThe link to the table. Its readers can join, so send it only to people you want to play with:\n\n{}\n",
        view.ticket
    );
    if let Some(command) = by_code(view) {
        text.push_str(&format!("\nFor those who knock instead:\n\n{command}\n"));
    }
    text.push_str("\nPress any key to go back to the table.\n");
    text
}
