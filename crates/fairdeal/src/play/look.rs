//! How things look on a terminal: colours, cards, borders; with less of each where a terminal has less.

use cards::{Card, Suit};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};

use crate::locale;

/// What the terminal and its owner want.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Letters and plain signs only.
    pub ascii: bool,
    /// Colours may be used.
    pub color: bool,
    /// Every suit has a colour of its own.
    pub four_colors: bool,
}

impl Look {
    /// As the options, the environment and the locale say.
    pub fn of(ascii: bool, no_color: bool, four_colors: bool) -> Self {
        let color = !no_color && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { ascii: ascii || !locale::has_unicode(), color, four_colors }
    }

    /// For important things: whose turn it is, what is won.
    pub fn bright(self) -> Style {
        self.tinted(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// For what is good for the viewer.
    pub fn good(self) -> Style {
        self.tinted(Color::Green)
    }

    /// For what is bad for them, or refused.
    pub fn bad(self) -> Style {
        self.tinted(Color::LightRed)
    }

    /// For what is there, but not now.
    pub fn dim(self) -> Style {
        if self.color { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// For headings and the viewer's own name.
    pub fn bold(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// For keys that can be pressed.
    pub fn key(self) -> Style {
        self.tinted(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// A colour, where there are colours.
    pub fn tinted(self, color: Color) -> Style {
        if self.color { Style::new().fg(color) } else { Style::new() }
    }

    /// The style of a card's face.
    pub fn suit(self, card: Card) -> Style {
        let color = match (card.suit(), self.four_colors) {
            (Some(Suit::Hearts), _) | (Some(Suit::Diamonds), false) => Color::LightRed,
            (Some(Suit::Diamonds), true) => Color::LightBlue,
            (Some(Suit::Clubs), true) => Color::LightGreen,
            (Some(Suit::Spades | Suit::Clubs), _) => Color::White,
            (None, _) => Color::LightMagenta,
        };
        self.tinted(color).add_modifier(Modifier::BOLD)
    }

    /// A card in as few characters as possible: `A♠`, `10♥`, a star for a joker, `??` for a closed one.
    pub fn short(self, card: Option<Card>) -> String {
        match (card, self.ascii) {
            (None, _) => "??".to_owned(),
            // A small letter for the suit, as in all texts in plain letters.
            (Some(card), true) => match card.natural() {
                Some((rank, suit)) => format!("{}{}", rank.letter(), suit.letter().to_ascii_lowercase()),
                None => card.to_string(),
            },
            (Some(card), false) => card.pretty().to_string(),
        }
    }

    /// The same, coloured.
    pub fn face(self, card: Option<Card>) -> Span<'static> {
        let style = card.map_or_else(|| self.dim(), |card| self.suit(card));
        Span::styled(self.short(card), style)
    }

    /// The same in brackets, coloured: `[A♠]`.
    pub fn boxed(self, card: Option<Card>) -> [Span<'static>; 3] {
        [Span::styled("[", self.dim()), self.face(card), Span::styled("]", self.dim())]
    }

    /// Several in brackets, one after the other.
    pub fn row(self, cards: impl IntoIterator<Item = Option<Card>>) -> Vec<Span<'static>> {
        cards.into_iter().flat_map(|card| self.boxed(card)).collect()
    }

    /// How many columns a card takes, in brackets or in a box.
    pub fn width(self, card: Option<Card>) -> u16 {
        let ten = card.and_then(Card::rank) == Some(cards::Rank::Ten);
        if ten && !self.ascii { 5 } else { 4 }
    }

    /// A card on the table where there is much room: five lines of seven columns.
    pub fn big(self, card: Option<Card>) -> Vec<Line<'static>> {
        let set = self.border();
        let style = card.map_or_else(|| self.dim(), |card| self.suit(card));
        let short = self.short(card);
        let flat = |l: &str, m: &str, r: &str| Line::styled(format!("{l}{}{r}", m.repeat(5)), self.dim());
        let row = |inside: String| {
            let side = |sign: &'static str| Span::styled(sign, self.dim());
            Line::from(vec![side(set.vertical_left), Span::styled(inside, style), side(set.vertical_right)])
        };
        vec![
            flat(set.top_left, set.horizontal_top, set.top_right),
            row(format!("{short:<5}")),
            row(" ".repeat(5)),
            row(format!("{short:>5}")),
            flat(set.bottom_left, set.horizontal_bottom, set.bottom_right),
        ]
    }

    /// A place for a card that lies nowhere yet, as large as [`Look::tall`] or [`Look::big`] ones.
    pub fn empty(self, lines: usize) -> Vec<Line<'static>> {
        let inside = if lines == 5 { 5 } else { 2 };
        let set = self.border();
        let row = |l: &str, m: &str, r: &str| Line::styled(format!("{l}{}{r}", m.repeat(inside)), self.dim());
        let mut rows = vec![row(set.vertical_left, " ", set.vertical_right); lines.saturating_sub(2)];
        rows.insert(0, row(set.top_left, set.horizontal_top, set.top_right));
        rows.push(row(set.bottom_left, set.horizontal_bottom, set.bottom_right));
        rows
    }

    /// A card in a box of three lines.
    pub fn tall(self, card: Option<Card>) -> Vec<Line<'static>> {
        let face = card.map_or_else(|| self.dim(), |card| self.suit(card));
        self.tall_in(card, face, self.dim(), false)
    }

    /// The same in these styles for the face and its box; a marked card is told from others without colours, too.
    pub fn tall_in(self, card: Option<Card>, face: Style, around: Style, marked: bool) -> Vec<Line<'static>> {
        let set = self.border();
        let inside = usize::from(self.width(card).saturating_sub(2));
        let short = format!("{:inside$}", self.short(card));
        let (left, right) = if marked { (">", "<") } else { (set.vertical_left, set.vertical_right) };
        let flat = |l: &str, m: &str, r: &str| Line::styled(format!("{l}{}{r}", m.repeat(inside)), around);
        vec![
            flat(set.top_left, set.horizontal_top, set.top_right),
            Line::from(vec![Span::styled(left, around), Span::styled(short, face), Span::styled(right, around)]),
            flat(set.bottom_left, set.horizontal_bottom, set.bottom_right),
        ]
    }

    /// Lines around something.
    pub fn border(self) -> border::Set<'static> {
        if !self.ascii {
            return border::ROUNDED;
        }
        border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        }
    }

    /// A sign, or what stands for it among plain letters.
    pub const fn sign(self, sign: Sign) -> &'static str {
        match (sign, self.ascii) {
            (Sign::Turn, false) => "▶",
            (Sign::Turn, true) => ">",
            (Sign::Dot, false) => "·",
            (Sign::Dot, true) => "-",
            (Sign::Dealer, false) => "◉",
            (Sign::Dealer, true) => "(D)",
            (Sign::Ellipsis, false) => "…",
            (Sign::Ellipsis, true) => "...",
            (Sign::Times, false) => "×",
            (Sign::Times, true) => "x",
            (Sign::Line, false) => "─",
            (Sign::Line, true) => "-",
            (Sign::Star, false) => "★",
            (Sign::Star, true) => "*",
        }
    }

    /// Replaces every sign of a text that is not a plain letter, where only those are wanted.
    pub fn plain(self, text: &str) -> String {
        if self.ascii { locale::plain(text) } else { text.to_owned() }
    }
}

/// Signs with a plain form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Whose turn it is.
    Turn,
    /// Between two facts.
    Dot,
    /// The dealer or the button.
    Dealer,
    /// There is more.
    Ellipsis,
    /// Number of times.
    Times,
    /// A piece of a line.
    Line,
    /// Something to be proud of.
    Star,
}

/// Cards of several lines beside each other.
pub fn side_by_side(cards: impl Iterator<Item = Vec<Line<'static>>>, between: &'static str) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for card in cards {
        rows.resize(rows.len().max(card.len()), Line::default());
        for (row, line) in rows.iter_mut().zip(card) {
            let style = line.style;
            row.extend(line.spans.into_iter().map(|span| Span::styled(span.content, style.patch(span.style))));
            row.push_span(Span::raw(between));
        }
    }
    rows.into_iter().map(Line::centered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { ascii: true, color: false, four_colors: false };
    const RICH: Look = Look { ascii: false, color: true, four_colors: true };

    #[test]
    fn cards_are_short_in_both_alphabets() {
        let card = |text: &str| Some(text.parse::<Card>().unwrap());
        assert_eq!(RICH.short(card("As")), "A♠");
        assert_eq!(PLAIN.short(card("As")), "As");
        assert_eq!(PLAIN.short(None), "??");
        assert_eq!(PLAIN.short(Some(Card::JOKER)), "JK");
    }

    #[test]
    fn boxes_are_as_wide_as_they_say() {
        for look in [PLAIN, RICH] {
            for card in ["Ts", "9h", "JK"].map(|text| Some(text.parse::<Card>().unwrap())).into_iter().chain([None]) {
                let width = usize::from(look.width(card));
                assert!(look.tall(card).iter().all(|line| line.width() == width), "{card:?}");
                assert!(look.big(card).iter().all(|line| line.width() == 7), "{card:?}");
            }
        }
    }

    #[test]
    fn plain_text_has_nothing_but_plain_letters() {
        assert!(PLAIN.plain("Rommé – 7♠ … “two” ½ ✓").is_ascii());
        assert_eq!(RICH.plain("7♠"), "7♠");
    }

    #[test]
    fn four_colours_tell_all_suits_apart() {
        let colors: Vec<_> = ["As", "Ah", "Ad", "Ac"].map(|c| RICH.suit(c.parse().unwrap()).fg).into();
        assert_eq!(colors.iter().collect::<std::collections::HashSet<_>>().len(), 4);
        assert_eq!(PLAIN.suit("Ah".parse().unwrap()).fg, None);
    }
}
