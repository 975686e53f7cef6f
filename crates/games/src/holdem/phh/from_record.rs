//! From lines of a record to hands of a file.

use core::fmt;

use cards::CardSet;
use table::record::{self, Dealt, Header, Reader, Step, Trouble};
use table::{Chips, Faces, NoChoice, Order, Rules, Run, Seat, Seats, Table};

use super::PhhHand;
use super::amount::Unit;
use super::decode::plenty;
use super::encode::OWN_FIELDS;
use super::notation::{Line, Maybe, Play, Player};
use super::seating::{NOTES, Notes, by_player};
use super::to_record::EXTRA;
use crate::holdem::phase::Phase;
use crate::holdem::{Action, Antes, Deal, Holdem, Moves, Reopen, Setup};

type RecordLine = record::Line<Setup, Action, NoChoice>;

/// Why a record cannot become hands of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// The record is wrong.
    Trouble(Trouble),
    /// The hand ended before anybody had the button or cards, which the format cannot say.
    NotBegun,
    /// What the header keeps of a file cannot be read.
    Kept,
    /// The record ends in the middle of a hand.
    Unfinished,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trouble(why) => why.fmt(f),
            Self::NotBegun => f.write_str("the hand ended before anybody was dealt in, which PHH cannot express"),
            Self::Kept => write!(f, "the header's {EXTRA:?} cannot be read"),
            Self::Unfinished => f.write_str("the record ends in the middle of a hand"),
        }
    }
}

impl core::error::Error for RecordError {}

/// Reads a record line by line, checks it, and gives a hand for each deal.
#[derive(Debug, Default)]
pub struct FromRecord {
    reader: Reader<Holdem>,
    gathered: Gathered,
}

/// What has happened in the deal so far.
#[derive(Clone, Debug, Default)]
struct Gathered {
    number: u32,
    events: Vec<Event>,
    /// What single seats have seen.
    private: Faces,
}

/// Something that becomes one or more lines of play.
#[derive(Clone, Copy, Debug)]
enum Event {
    Hole(Seat),
    Board(Run),
    Show(Seat),
    Act { seat: Seat, action: Action, moves: Moves, timeout: bool },
    Gone { seat: Seat, at_showdown: bool },
    Broken(table::Breakdown),
}

impl FromRecord {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next line; gives a hand when it ends one.
    pub fn line(&mut self, text: &str) -> Result<Option<PhhHand>, RecordError> {
        let header = self.reader.header().cloned();
        let gathered = &mut self.gathered;
        let mut hand = None;
        let step = self.reader.line_with(text, |table, line| {
            if let (Some(header), Some(table), record::Line::End(_)) = (header, table, line) {
                hand = Some(gathered.hand(&header, table));
            }
            gathered.line(table, line);
        });
        match step.map_err(RecordError::Trouble)? {
            Step::Ended(_) => hand.transpose(),
            Step::Began | Step::Deal(_) | Step::Evidence | Step::Input => Ok(None),
        }
    }

    /// No line follows.
    pub fn finish(&self) -> Result<(), RecordError> {
        if self.reader.is_between_deals() { Ok(()) } else { Err(RecordError::Unfinished) }
    }
}

impl Gathered {
    fn line(&mut self, table: Option<&Table<Deal>>, line: &RecordLine) {
        match (line, table) {
            (record::Line::Deal(deal), _) => *self = Self { number: deal.number, ..Self::default() },
            (record::Line::Dealt(dealt), Some(table)) => self.dealt(table, dealt),
            (record::Line::Act(act), Some(table)) => {
                let (seat, action) = (act.seat, act.action);
                let moves = Moves::new(table.rules(), seat);
                self.events.push(Event::Act { seat, action, moves, timeout: act.timeout });
            }
            (record::Line::Gone(gone), Some(table)) => {
                let full = table.rules().open_board().len == table.rules().board().len;
                let at_showdown = table.rules().phase == Phase::Showing && full;
                self.events.push(Event::Gone { seat: gone.seat, at_showdown });
            }
            (record::Line::Broken(broken), _) => self.events.push(Event::Broken(broken.why)),
            (
                record::Line::Fairdeal(_) | record::Line::Evidence(_) | record::Line::Choices(_) | record::Line::End(_),
                _,
            )
            | (_, None) => {}
        }
    }

    fn dealt(&mut self, table: &Table<Deal>, dealt: &Dealt) {
        for (slot, card) in dealt.private.values().flat_map(Faces::iter) {
            self.private.insert(slot, card);
        }
        let rules = table.rules();
        let board = rules.board();
        for order in table.orders() {
            match order {
                Order::Deal { to, .. } => self.events.push(Event::Hole(to)),
                Order::Open { slots } if rules.button().is_some() => {
                    let owner = rules.dealt_in.iter().find(|seat| rules.hole(*seat).first == slots.first);
                    let of_board = board.slots().any(|slot| slot == slots.first);
                    self.events.extend(match owner {
                        _ if of_board => Some(Event::Board(slots)),
                        owner => owner.map(Event::Show),
                    });
                }
                Order::Shuffle { .. } | Order::Open { .. } => {}
            }
        }
    }

    /// The hand that ends on this table.
    fn hand(&self, header: &Header, table: &Table<Deal>) -> Result<PhhHand, RecordError> {
        let rules = table.rules();
        let (Some(outcome), Some(button), Some(blinds)) = (table.outcome(), rules.button(), rules.blind_seats()) else {
            return Err(RecordError::NotBegun);
        };
        let setup = rules.setup();
        let seats: Vec<Seat> = rules.dealt_in.clockwise_after(button).collect();
        if seats.len() < 2 {
            return Err(RecordError::NotBegun);
        }
        let kept = Kept::of(header)?;

        let mut forced = table::PerSeat::new(setup.players);
        forced[blinds.small] = setup.small_blind;
        forced[blinds.big] = setup.big_blind;
        let others = rules.dealt_in.without(blinds.small).without(blinds.big);
        others.clockwise_after(blinds.big).zip(&setup.straddles).for_each(|(seat, amount)| forced[seat] = *amount);
        let antes = table::PerSeat::from_fn(setup.players, |seat| match &setup.antes {
            Antes::None => Chips::ZERO,
            Antes::Each(ante) => *ante,
            Antes::BigBlind(ante) => {
                if seat == blinds.big {
                    *ante
                } else {
                    Chips::ZERO
                }
            }
            Antes::Seats { amounts, .. } => amounts[seat],
        });
        let trimming = match &setup.antes {
            Antes::None => kept.as_ref().map_or(Some(true), |kept| kept.trimming),
            Antes::Each(_) => Some(true),
            Antes::BigBlind(_) => Some(false),
            Antes::Seats { dead, .. } => Some(!dead),
        };
        let of = |amounts: &table::PerSeat<Chips>| seats.iter().map(|seat| amounts[*seat]).collect::<Vec<_>>();
        let ending = table::PerSeat::from_fn(setup.players, |seat| setup.stacks[seat] + outcome.result[seat]);

        let mut notes = Notes::default();
        let lines = self.lines(table, &seats, &mut notes);
        let plain = seats.iter().map(|seat| seat.index()).eq(0..setup.players);
        if !plain || kept.is_none() {
            notes.players = Some(setup.players);
            notes.seats.clone_from(&seats);
            notes.button = Some(button);
        }
        notes.big_blind_ante = matches!(setup.antes, Antes::BigBlind(_));
        notes.reopen = (setup.reopen != Reopen::Tda).then_some(setup.reopen);
        let put_away = lines.iter().any(|line| matches!(line.play, Play::Muck(_)));
        notes.early_allin_reveal = (!setup.early_allin_reveal && !put_away).then_some(false);
        let (unit, fields, unlimited) = match kept {
            Some(kept) => (kept.unit, kept.fields, kept.unlimited),
            None => {
                notes.deal = Some(self.number);
                notes.dealer = Some(header.dealer.clone());
                notes.settings = header.settings.as_ref().map(ToString::to_string);
                notes.hash = Some(record::hex(&table.state_hash()));
                (Unit::WHOLE, self.plain_fields(header, &seats), Seats::NONE)
            }
        };
        let mut fields = fields;
        if let (true, Ok(notes)) = (notes != Notes::default(), toml::Value::try_from(&notes)) {
            fields.insert(NOTES.to_owned(), notes);
        }
        let (antes, forced, min_bet) = (of(&antes), of(&forced), setup.least_bet());
        let plenty = plenty(antes.iter().chain(&forced).chain([&min_bet]), &lines);
        let stack = |seat: &Seat| if unlimited.contains(*seat) { plenty } else { setup.stacks[*seat] };
        Ok(PhhHand {
            label: None,
            unit,
            ante_trimming_status: trimming,
            antes: by_player(&antes),
            blinds_or_straddles: by_player(&forced),
            min_bet,
            starting_stacks: seats.iter().map(stack).collect(),
            unlimited: (0..).map(Player).zip(&seats).filter(|(_, s)| unlimited.contains(**s)).map(|(p, _)| p).collect(),
            lines,
            // Nobody knows what is left of a stack that nobody knew.
            finishing_stacks: unlimited.is_empty().then(|| of(&ending)),
            fields,
        })
    }

    fn plain_fields(&self, header: &Header, seats: &[Seat]) -> toml::Table {
        let mut fields = toml::Table::new();
        fields.insert("hand".to_owned(), i64::from(self.number).into());
        let name = |seat: &Seat| header.names.get(usize::from(seat.index())).cloned().map(toml::Value::String);
        if let Some(names) = seats.iter().map(name).collect::<Option<Vec<_>>>() {
            fields.insert("players".to_owned(), toml::Value::Array(names));
        }
        fields
    }

    fn lines(&self, table: &Table<Deal>, seats: &[Seat], notes: &mut Notes) -> Vec<Line> {
        let rules = table.rules();
        let player = |seat: Seat| {
            let index = seats.iter().position(|other| *other == seat).unwrap_or_default();
            Player(u8::try_from(index).unwrap_or_default())
        };
        let holes = self.holes(table);
        let hole = |seat: Seat| holes[seat].to_vec();
        let board = |run: Run| run.slots().map(|slot| table.open().get(slot)).collect::<Vec<Maybe>>();
        let mut lines: Vec<Line> = Vec::new();
        for event in &self.events {
            match *event {
                Event::Hole(seat) => lines.push(Line::new(Play::Hole(player(seat), hole(seat)))),
                Event::Board(run) => {
                    // The rest of a board may have come in one step; files deal street by street.
                    let opened = usize::from(run.first.index - rules.board().first.index);
                    let cards = board(run);
                    let (flop, rest) = cards.split_at(if opened == 0 { cards.len().min(3) } else { 0 });
                    let streets = [flop].into_iter().filter(|flop| !flop.is_empty()).chain(rest.chunks(1));
                    lines.extend(streets.map(|cards| Line::new(Play::Board(cards.to_vec()))));
                }
                Event::Show(seat) => lines.push(Line::new(Play::Show(player(seat), hole(seat)))),
                Event::Act { seat, action, moves, timeout } => {
                    if timeout {
                        notes.timeouts.push(lines.len());
                    }
                    let who = player(seat);
                    lines.push(Line::new(match (action, moves.max_to) {
                        (Action::Fold, _) => Play::Fold(who),
                        (Action::RaiseTo(to), _) => Play::RaiseTo(who, to),
                        (Action::AllIn, Some(most)) => Play::RaiseTo(who, most),
                        (Action::Check | Action::Call | Action::AllIn, _) => Play::CheckOrCall(who),
                    }));
                }
                Event::Gone { seat, .. } if !seats.contains(&seat) => {}
                Event::Gone { seat, at_showdown: true } if hole(seat).contains(&None) => {
                    lines.push(Line::new(Play::Muck(player(seat))));
                }
                Event::Gone { seat, .. } => {
                    notes.left.push(lines.len());
                    let left = Some("left the table".to_owned());
                    lines.push(Line { play: Play::Fold(player(seat)), commentary: left });
                }
                Event::Broken(why) => notes.broken = Some(why),
            }
        }
        lines
    }

    /// The cards of each seat as far as the record knows them. Nobody has checked the private ones: those
    /// that cannot be, because they lie elsewhere, count as unknown.
    fn holes(&self, table: &Table<Deal>) -> table::PerSeat<[Maybe; 2]> {
        let rules = table.rules();
        let mut seen: CardSet = table.open().iter().map(|(_, card)| card).filter(|c| c.natural().is_some()).collect();
        table::PerSeat::from_fn(rules.players(), |seat| {
            let mut hole = [None; 2];
            for (place, slot) in hole.iter_mut().zip(rules.hole(seat).slots()) {
                let private = self.private.get(slot).filter(|card| card.natural().is_some());
                *place = table.open().get(slot).or_else(|| private.filter(|card| seen.insert(*card)));
            }
            hole
        })
    }
}

/// What the header keeps of the file that the record was made from.
struct Kept {
    unit: Unit,
    trimming: Option<bool>,
    fields: toml::Table,
    /// Seats whose stacks are unlimited.
    unlimited: Seats,
}

impl Kept {
    fn of(header: &Header) -> Result<Option<Self>, RecordError> {
        let Some(kept) = header.extra.get(EXTRA) else { return Ok(None) };
        let unit = kept.get("unit").and_then(serde_json::Value::as_u64).and_then(|unit| u8::try_from(unit).ok());
        let fields = kept.get("fields").and_then(serde_json::Value::as_str);
        let mut fields: toml::Table = fields.unwrap_or_default().parse().map_err(|_| RecordError::Kept)?;
        fields.retain(|name, _| !OWN_FIELDS.contains(&name) && name != NOTES);
        let trimming = kept.get("ante_trimming_status").and_then(serde_json::Value::as_bool);
        let unlimited = kept.get("unlimited").and_then(serde_json::Value::as_array).into_iter().flatten();
        let seat = |number: &serde_json::Value| number.as_u64().and_then(|n| u8::try_from(n).ok()).and_then(Seat::new);
        let unlimited = unlimited.map(|n| seat(n).ok_or(RecordError::Kept)).collect::<Result<Seats, _>>()?;
        Ok(Some(Self { unit: unit.and_then(Unit::new).ok_or(RecordError::Kept)?, trimming, fields, unlimited }))
    }
}
