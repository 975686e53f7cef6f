//! A link as a QR code, in half blocks: two modules of the code, one above the other, in each character.

use qrcodegen::{QrCode, QrCodeEcc};
use ratatui::style::{Color, Style};
use ratatui::text::Line;

use crate::play::look::Look;

/// Blank modules around a code. The standard asks for four; cameras also find it with two, if there is little room.
const QUIET: [i32; 2] = [4, 2];

/// A code that fits into this many columns and lines; `None` if none does, or the terminal has plain letters only.
pub(super) fn lines(text: &str, look: Look, (columns, rows): (u16, u16)) -> Option<Vec<Line<'static>>> {
    if look.ascii {
        return None;
    }
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let fits = |quiet: &i32| {
        let (width, height) = size(&code, *quiet);
        width <= i32::from(columns) && height <= i32::from(rows)
    };
    let quiet = QUIET.into_iter().find(fits)?;
    Some(drawn(&code, quiet, look))
}

/// The columns and lines that a code of this text needs at least.
pub(super) fn needs(text: &str) -> Option<(i32, i32)> {
    let [_, least] = QUIET;
    QrCode::encode_text(text, QrCodeEcc::Low).ok().map(|code| size(&code, least))
}

fn size(code: &QrCode, quiet: i32) -> (i32, i32) {
    let side = code.size() + 2 * quiet;
    (side, (side + 1) / 2)
}

/// Dark on light, whatever the terminal's own colours are: not every camera reads a code the other way round. Without
/// colours, the terminal's letters are taken to be lighter than what is behind them.
fn drawn(code: &QrCode, quiet: i32, look: Look) -> Vec<Line<'static>> {
    let style = if look.color { Style::new().fg(Color::White).bg(Color::Black) } else { Style::new() };
    // Outside the code everything is light.
    let light = |x: i32, y: i32| !code.get_module(x, y);
    let end = code.size() + quiet;
    let rows = (-quiet..end).step_by(2).map(|y| {
        let signs = (-quiet..end).map(|x| match (light(x, y), light(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        });
        Line::styled(signs.collect::<String>(), style)
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::testing::PLAIN;

    const RICH: Look = Look { ascii: false, color: true, four_colors: false };
    const LINK: &str = "http://192.168.178.123:7777/private/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef#fdt1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsxyz";

    /// What a camera would see: light or dark, module by module.
    fn seen(lines: &[Line<'static>]) -> Vec<Vec<bool>> {
        let rows = lines.iter().flat_map(|line| {
            let text = line.to_string();
            let upper = text.chars().map(|sign| "█▀".contains(sign)).collect();
            let lower = text.chars().map(|sign| "█▄".contains(sign)).collect();
            [upper, lower]
        });
        rows.collect()
    }

    #[test]
    fn a_drawn_code_has_the_modules_of_the_link_in_a_light_frame() {
        let lines = lines(LINK, RICH, (200, 60)).expect("there is room");
        let seen = seen(&lines);
        let code = QrCode::encode_text(LINK, QrCodeEcc::Low).unwrap();
        for y in -4..code.size() + 4 {
            for x in -4..code.size() + 4 {
                let light = seen[usize::try_from(y + 4).unwrap()][usize::try_from(x + 4).unwrap()];
                assert_eq!(light, !code.get_module(x, y), "{x} {y}");
            }
        }
    }

    #[test]
    fn a_code_that_does_not_fit_is_left_out() {
        let (columns, rows) = needs(LINK).unwrap();
        let (columns, rows) = (u16::try_from(columns).unwrap(), u16::try_from(rows).unwrap());
        let drawn = lines(LINK, RICH, (columns, rows)).expect("as small as it can be");
        assert!(drawn.len() == usize::from(rows) && drawn.iter().all(|line| line.width() == usize::from(columns)));
        assert_eq!(lines(LINK, RICH, (columns - 1, rows)), None);
        assert_eq!(lines(LINK, RICH, (columns, rows - 1)), None);
        assert_eq!(lines(LINK, PLAIN, (200, 60)), None, "plain letters cannot draw it");
    }
}
