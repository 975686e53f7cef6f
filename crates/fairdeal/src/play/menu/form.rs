//! Players, level and settings of a new match, to be looked at and changed.

use bots::Kind;
use games::AnyGame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use table::{Range, Settings as _};

use super::frame::{Frame, Way};
use super::{Wanted, offers};
use crate::play::page::{self, Page, Spot, Target};
use crate::play::terminal::Happened;
use crate::sim;
use crate::text::wrapped;

/// What comes after something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The form stays.
    Stay,
    /// The match begins.
    Play,
    /// Back to the list.
    Back,
    /// Quit.
    Quit,
}

/// What a row is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Players,
    Level,
    /// The setting with this name.
    Setting(&'static str),
}

/// Something that can be changed.
#[derive(Debug)]
struct Row {
    what: What,
    about: String,
    value: String,
    default: String,
    range: Range,
}

/// The form while it is shown.
#[derive(Debug)]
pub(super) struct Form {
    title: &'static str,
    rows: Vec<Row>,
    at: usize,
    from: usize,
    /// The last key was a digit: the next one goes on with the number.
    typing: bool,
    /// Why a match cannot begin with these values.
    notice: Option<String>,
}

/// How many lines below the rows say what the chosen one is about.
const ABOUT: u16 = 3;

impl Form {
    /// The form of a game, filled in as wanted.
    pub(super) fn new(game: AnyGame, wanted: &Wanted) -> Self {
        let (least, most) = offers::players(game);
        let usual = games::with_game!(game, G => sim::default_players::<G>());
        let row = |what, about: &str, value: String, default: String, range| Row {
            what,
            about: about.to_owned(),
            value,
            default,
            range,
        };
        let players = wanted.players.unwrap_or(usual).clamp(least, most).to_string();
        let mut rows = vec![
            row(
                What::Players,
                "The number of players, including you.",
                players,
                usual.to_string(),
                Range::whole(least.into(), most.into()),
            ),
            row(
                What::Level,
                "How well the computers play.",
                sim::bot_name(wanted.bots),
                sim::bot_name(Kind::Normal),
                Range::Words(Kind::WORDS.to_vec()),
            ),
        ];
        let mut described = games::with_game!(game, G => <G as table::Game>::Settings::described());
        // Of what every game has, two are about people elsewhere, and the third comes after what makes this game.
        described.retain(|one| !["away_after", "on_leave"].contains(&one.name));
        described.sort_by_key(|one| one.name == "action_timeout");
        for one in described {
            // Nobody waits at the other end of a wire: in a terminal there is no limit unless somebody wants one.
            let default = if one.name == "action_timeout" { "0".to_owned() } else { one.default };
            let said = wanted.options.iter().rev().filter_map(|option| option.split_once('='));
            let said = said.map(|(name, value)| (name.trim(), value.trim())).find(|(name, _)| *name == one.name);
            let value = said.map_or_else(|| default.clone(), |(_, value)| value.to_owned());
            rows.push(row(What::Setting(one.name), one.about, value, default, one.range));
        }
        Self { title: offers::title(game), rows, at: 0, from: 0, typing: false, notice: None }
    }

    /// What the form says; settings that are as usual are left to the game.
    pub(super) fn wanted(&self) -> Wanted {
        let mut wanted = Wanted { players: None, bots: Kind::Normal, options: Vec::new() };
        for row in &self.rows {
            match row.what {
                What::Players => wanted.players = row.value.parse().ok(),
                What::Level => wanted.bots = Kind::from_name(&row.value).unwrap_or(Kind::Normal),
                What::Setting(name) if row.value != row.default => wanted.options.push(format!("{name}={}", row.value)),
                What::Setting(_) => {}
            }
        }
        wanted
    }

    /// The match cannot begin with these values.
    pub(super) fn refuse(&mut self, why: &str) {
        // Here nobody has typed an option.
        let bare = why.strip_prefix("--option").and_then(|rest| rest.split_once(": ")).map_or(why, |(_, bare)| bare);
        self.notice = Some(bare.to_owned());
    }

    /// What happens after a key or a click.
    pub(super) fn react(&mut self, happened: Happened, spots: &[Spot]) -> Next {
        let typing = std::mem::take(&mut self.typing);
        if happened != Happened::Nothing {
            self.notice = None;
        }
        if let Some(way) = Way::of(happened) {
            self.at = way.from(self.at, self.rows.len());
            return Next::Stay;
        }
        match happened {
            Happened::Stop | Happened::Key(KeyCode::Char('q')) => return Next::Quit,
            Happened::Key(KeyCode::Esc) => return Next::Back,
            Happened::Key(KeyCode::Enter) => return Next::Play,
            Happened::Click(x, y) => {
                if let Some(Target::Place(n)) = page::at(spots, x, y) {
                    let again = std::mem::replace(&mut self.at, n.into()) == usize::from(n);
                    if again {
                        self.change(|row| row.step(true));
                    }
                }
            }
            Happened::Key(KeyCode::Left | KeyCode::Char('-')) => self.change(|row| row.step(false)),
            Happened::Key(KeyCode::Right | KeyCode::Char(' ' | '+' | '=')) => self.change(|row| row.step(true)),
            Happened::Key(KeyCode::Delete | KeyCode::Char('r')) => {
                self.change(|row| row.value.clone_from(&row.default))
            }
            Happened::Key(KeyCode::Backspace) => {
                self.typing = true;
                self.change(|row| row.shorten());
            }
            Happened::Key(KeyCode::Char(c)) => {
                self.typing = true;
                self.change(|row| row.typed(c, typing));
            }
            Happened::Key(_) | Happened::Wheel(_) | Happened::Nothing => self.typing = typing,
        }
        Next::Stay
    }

    fn change(&mut self, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.rows.get_mut(self.at) {
            change(row);
        }
    }

    /// Draws it; where its rows are.
    pub(super) fn draw(&mut self, page: &mut Page<'_>) -> Vec<Spot> {
        let look = page.look;
        let rows = u16::try_from(self.rows.len()).unwrap_or(u16::MAX);
        let frame = Frame::new(page, self.title, rows.saturating_add(ABOUT + 1));
        let inside = frame.inside;
        let room = usize::from(inside.height.saturating_sub(ABOUT + 1)).max(1);
        self.from = self.from.max((self.at + 1).saturating_sub(room)).min(self.at);
        let widest = self.rows.iter().map(|row| row.label().chars().count()).max().unwrap_or(0);
        let shown = self.rows.iter().enumerate().skip(self.from).take(room);
        for ((n, row), y) in shown.zip(inside.y..) {
            let chosen = n == self.at;
            let mut style = if row.value == row.default { look.bold() } else { look.good() };
            if chosen {
                style = style.add_modifier(Modifier::REVERSED);
            }
            let (left, right) = if chosen { ("<", ">") } else { (" ", " ") };
            let line = Line::from(vec![
                Span::raw(format!(" {:widest$}  {left} ", row.label())),
                Span::styled(look.plain(&row.value), style),
                Span::raw(format!(" {right}")),
            ]);
            page.line(inside.x, y, inside.width, line);
            if let Ok(n) = u16::try_from(n) {
                page.spot(Rect::new(inside.x, y, inside.width, 1), Target::Place(n));
            }
        }
        let about =
            Rect::new(inside.x + 1, inside.bottom().saturating_sub(ABOUT), inside.width.saturating_sub(2), ABOUT);
        let (text, style) = match (&self.notice, self.rows.get(self.at)) {
            (Some(why), _) => (why.clone(), look.bad()),
            (None, Some(row)) => {
                (format!("{} Allowed: {} (default {}).", row.about, row.range, row.default), look.dim())
            }
            (None, None) => (String::new(), look.dim()),
        };
        let text = wrapped(&look.plain(&text), about.width.into(), 0);
        page.lines(about, text.lines().map(|line| Line::styled(line.to_owned(), style)).collect());
        let keys = if frame.is_narrow() {
            " Enter plays, arrows change, Esc back "
        } else {
            " Enter plays, arrows choose and change, digits set a number, Esc goes back "
        };
        frame.close(page, keys)
    }
}

impl Row {
    fn label(&self) -> &'static str {
        match self.what {
            What::Players => "players",
            What::Level => "computers",
            What::Setting(name) => name,
        }
    }

    /// The next or the previous value.
    fn step(&mut self, up: bool) {
        match &self.range {
            Range::Flag => self.value = (self.value != "true").to_string(),
            Range::Words(words) => {
                let at = words.iter().position(|word| *word == self.value).unwrap_or(0);
                let next = if up { Way::Down } else { Way::Up }.from(at, words.len());
                self.value = words.get(next).map_or_else(String::new, |word| (*word).to_owned());
            }
            Range::Whole { least, most, or_zero } => {
                let (least, most, now) = (*least, *most, self.value.parse::<i64>().unwrap_or(*least));
                let step = step_of(now);
                let next = if up { now.saturating_add(step) } else { now.saturating_sub(step_of(now - 1)) };
                self.value = match next {
                    _ if *or_zero && !up && next < least => 0,
                    _ => next.clamp(least, most),
                }
                .to_string();
            }
            Range::Numbers { .. } => {}
        }
    }

    /// A sign was typed: digits make numbers, commas lists of them.
    fn typed(&mut self, c: char, typing: bool) {
        let fits = match self.range {
            Range::Whole { .. } => c.is_ascii_digit(),
            Range::Numbers { .. } => c.is_ascii_digit() || c == ',',
            Range::Flag | Range::Words(_) => false,
        };
        /// No number of a setting has more digits.
        const LONGEST: usize = 60;
        if fits {
            if !typing || self.value == "none" {
                self.value.clear();
            }
            if self.value.len() < LONGEST {
                self.value.push(c);
            }
        }
    }

    /// The last digit is taken back.
    fn shorten(&mut self) {
        match self.range {
            Range::Whole { .. } => {
                self.value.pop();
                if self.value.is_empty() {
                    self.value.push('0');
                }
            }
            Range::Numbers { .. } => {
                self.value.pop();
                if self.value.is_empty() {
                    "none".clone_into(&mut self.value);
                }
            }
            Range::Flag | Range::Words(_) => {}
        }
    }
}

/// By how much a number changes: so that large ones get somewhere and small ones miss nothing.
fn step_of(now: i64) -> i64 {
    let mut step = 1;
    while now / step >= 100 {
        step *= 10;
    }
    step
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::play::testing::PLAIN;

    fn form(game: &str, options: &[&str]) -> Form {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Form::new(AnyGame::from_name(game).unwrap(), &Wanted { players: None, bots: Kind::Normal, options })
    }

    fn press(form: &mut Form, keys: &[KeyCode]) -> Next {
        keys.iter().map(|key| form.react(Happened::Key(*key), &[])).last().unwrap()
    }

    fn drawn(form: &mut Form, width: u16, height: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        form.draw(&mut Page::new(&mut buffer, PLAIN, None));
        let rows = buffer.content.chunks(usize::from(width));
        rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>() + "\n").collect()
    }

    #[test]
    fn enter_at_once_plays_as_usual() {
        let mut form = form("holdem", &[]);
        assert_eq!(press(&mut form, &[KeyCode::Enter]), Next::Play);
        assert_eq!(form.wanted(), Wanted { players: Some(4), bots: Kind::Normal, options: Vec::new() });
    }

    #[test]
    fn players_level_and_settings_can_be_changed() {
        let mut form = form("holdem", &["ring=true"]);
        use KeyCode::{Backspace, Char, Down, Left, Right};
        press(&mut form, &[Left, Left, Left, Down, Right, Down, Char('5'), Char('0'), Char('0'), Char('0'), Backspace]);
        let options = vec!["starting_chips=500".to_owned(), "ring=true".to_owned()];
        assert_eq!(form.wanted(), Wanted { players: Some(2), bots: Kind::Hard, options });
        press(&mut form, &[KeyCode::Delete]);
        assert_eq!(form.wanted().options, ["ring=true"]);
        press(&mut form, &[Char('7')]);
        assert_eq!(form.wanted().options[0], "starting_chips=7", "it is judged when the match begins");
    }

    #[test]
    fn numbers_step_within_their_range() {
        let steps = |range: Range, value: &str, up: bool| {
            let about = String::new();
            let mut row = Row { what: What::Players, about, value: value.to_owned(), default: String::new(), range };
            row.step(up);
            row.value
        };
        assert_eq!(steps(Range::whole(100, 1_000_000), "1000", true), "1100");
        assert_eq!(steps(Range::whole(100, 1_000_000), "1000", false), "990");
        assert_eq!(steps(Range::whole(100, 1_000_000), "100", false), "100");
        assert_eq!(steps(Range::or_zero(10, 500), "10", false), "0");
        assert_eq!(steps(Range::or_zero(10, 500), "0", true), "10");
        assert_eq!(steps(Range::Flag, "true", true), "false");
    }

    #[test]
    fn every_form_fits_on_a_small_screen_without_losing_a_word() {
        for game in AnyGame::ALL {
            let mut form = form(game.name(), &[]);
            for _ in 0..form.rows.len() {
                let screen = drawn(&mut form, 80, 24);
                let row = &form.rows[form.at];
                assert!(screen.contains(&format!("< {} >", row.value)), "{}: {screen}", game.name());
                let last = row.range.to_string();
                let end = last.split_whitespace().last().unwrap();
                assert!(screen.contains(end) && screen.contains("(default"), "{}: {end} in {screen}", game.name());
                press(&mut form, &[KeyCode::Down]);
            }
        }
    }
}
