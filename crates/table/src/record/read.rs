//! Reading records: every input is replayed, and the result is compared with what is written.

use core::fmt;

use super::{End, FORMAT, Header, LONGEST_LINE, Line, hex, unhex};
use crate::{Game, Height, Leaving, Match, Outcome, Refused, Rules, Seat, Series, Standing, Table};

type LineOf<G> = Line<
    <<G as Game>::Rules as Rules>::Setup,
    <<G as Game>::Rules as Rules>::Action,
    <<G as Game>::Rules as Rules>::Choice,
>;

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Longer than [`LONGEST_LINE`].
    TooLong,
    /// Not JSON of this kind, with the decoder's message.
    Malformed(String),
    /// The file does not begin with a header.
    NoHeader,
    /// Another version of the format.
    Format(u32),
    /// The id is not 64 hexadecimal digits.
    Id,
    /// A record of another game.
    OtherGame(String),
    /// A setting or a setup that is out of range, or not the one this match gives.
    Setup(String),
    /// Another kind of line was expected.
    Expected(&'static str),
    /// The table refuses the input.
    Refused(String),
    /// The deal ended differently.
    OutcomeDiffers {
        /// As replayed.
        replayed: Box<Outcome>,
        /// As written.
        written: Box<Outcome>,
    },
    /// The state hash is different.
    HashDiffers {
        /// As replayed.
        replayed: String,
        /// As written.
        written: String,
    },
    /// The match stands differently.
    StandingDiffers,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} bytes"),
            Self::Malformed(why) => write!(f, "not a line of a record: {why}"),
            Self::NoHeader => f.write_str("a record begins with a header line, {\"fairdeal\":{...}}"),
            Self::Format(got) => write!(f, "format {got} is not supported, only format {FORMAT}"),
            Self::Id => f.write_str("the id of a record must be 64 lowercase hexadecimal digits"),
            Self::OtherGame(game) => write!(f, "the record is of another game, {game:?}"),
            Self::Setup(why) => write!(f, "the deal cannot begin like this: {why}"),
            Self::Expected(what) => write!(f, "expected {what} here"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::OutcomeDiffers { replayed, written } => {
                let mut parts = Vec::new();
                if replayed.ending != written.ending {
                    parts.push(format!("the ending is {:?}, not {:?} as recorded", replayed.ending, written.ending));
                }
                if replayed.result != written.result {
                    parts.push(format!("the result is {:?}, not {:?} as recorded", replayed.result, written.result));
                }
                match (replayed.broken_off, written.broken_off) {
                    (None, None) => {}
                    (Some(one), Some(other)) if one == other => {}
                    (None, Some(_)) => {
                        parts.push("the deal is played to its end, not broken off as recorded".to_owned())
                    }
                    (Some(_), None) => {
                        parts.push("the deal is broken off, not played to its end as recorded".to_owned())
                    }
                    (Some(_), Some(_)) => {
                        parts.push("the deal is broken off for another reason than recorded".to_owned())
                    }
                }
                if (replayed.away, replayed.unpaid) != (written.away, written.unpaid) {
                    parts.push("other seats may come back, or could not pay, than recorded".to_owned());
                }
                f.write_str(&parts.join("; "))
            }
            Self::HashDiffers { replayed, written } => {
                write!(f, "the state hash is {replayed}, not {written} as recorded")
            }
            Self::StandingDiffers => f.write_str("the standings are not as recorded"),
        }
    }
}

impl core::error::Error for Trouble {}

/// What a line did.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A record began.
    Began,
    /// A deal began.
    Deal(u32),
    /// Something that can be checked; not looked at here.
    Evidence,
    /// An input moved the deal on.
    Input,
    /// A deal ended as written.
    Ended(Outcome),
}

/// Replays the records of one game, line by line.
#[derive(Debug)]
pub struct Reader<G: Game> {
    header: Option<Header>,
    state: State<G>,
}

#[derive(Debug)]
enum State<G: Game> {
    /// The next line is a header or a deal.
    Between {
        /// The match so far, with its next deal already on the table.
        running: Option<Box<Match<G>>>,
        next_deck: u32,
        deals: u32,
        over: bool,
    },
    Playing(Deal<G>),
}

#[derive(Debug)]
enum Deal<G: Game> {
    OfMatch(Box<Match<G>>),
    Single(Box<Table<G::Rules>>, u32),
}

impl<G: Game> Deal<G> {
    fn table(&self) -> &Table<G::Rules> {
        match self {
            Self::OfMatch(running) => running.table(),
            Self::Single(table, _) => table,
        }
    }

    fn table_mut(&mut self) -> &mut Table<G::Rules> {
        match self {
            Self::OfMatch(running) => running.table_mut(),
            Self::Single(table, _) => table,
        }
    }

    /// A seat that leaves a deal for good also concedes the match.
    fn leave(&mut self, height: Height, seat: Seat, how: Leaving) -> Result<(), Refused<<G::Rules as Rules>::Illegal>> {
        match self {
            Self::OfMatch(running) if how == Leaving::Left => running.leave(height, seat),
            Self::OfMatch(_) | Self::Single(..) => self.table_mut().leave(height, seat, how),
        }
    }
}

impl<G: Game> Default for Reader<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Reader<G> {
    /// A reader that expects a header.
    pub const fn new() -> Self {
        Self { header: None, state: State::Between { running: None, next_deck: 0, deals: 0, over: false } }
    }

    /// The header of the current record.
    pub const fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The table of the deal being replayed.
    pub fn table(&self) -> Option<&Table<G::Rules>> {
        match &self.state {
            State::Playing(deal) => Some(deal.table()),
            State::Between { .. } => None,
        }
    }

    /// Whether the file could end here: it has a header, and no deal is unfinished.
    pub fn is_between_deals(&self) -> bool {
        self.header.is_some() && matches!(self.state, State::Between { .. })
    }

    /// Whether a record that ends here is complete: it has deals, and its match, if it is one, is over.
    pub fn is_complete(&self) -> bool {
        match (&self.state, &self.header) {
            (State::Between { deals: 1.., over, .. }, Some(header)) => *over || header.settings.is_none(),
            _ => false,
        }
    }

    /// Reads the next line.
    pub fn line(&mut self, text: &str) -> Result<Step, Trouble> {
        self.line_with(text, |_, _| ())
    }

    /// Reads the next line; `seen` gets the table and the parsed line before the line is played.
    pub fn line_with(
        &mut self,
        text: &str,
        seen: impl FnOnce(Option<&Table<G::Rules>>, &LineOf<G>),
    ) -> Result<Step, Trouble> {
        if text.len() > LONGEST_LINE {
            return Err(Trouble::TooLong);
        }
        let line: LineOf<G> = serde_json::from_str(text)
            .map_err(|e| if self.header.is_none() { Trouble::NoHeader } else { Trouble::Malformed(e.to_string()) })?;
        seen(self.table(), &line);
        match (&mut self.state, line) {
            (State::Between { .. }, Line::Fairdeal(header)) => self.begin(header),
            (State::Between { .. }, Line::Deal(deal)) => self.begin_deal(&deal),
            // A dealer may prove something after a deal, and after the last one.
            (State::Between { deals: 1.., .. } | State::Playing(_), Line::Evidence(_)) => Ok(Step::Evidence),
            (State::Between { .. }, _) if self.header.is_none() => Err(Trouble::NoHeader),
            (State::Between { .. }, _) => Err(Trouble::Expected("a new deal or a new record")),
            (State::Playing(deal), line) => {
                let table = deal.table_mut();
                let refused = |why: &dyn fmt::Display| Trouble::Refused(why.to_string());
                match line {
                    Line::Dealt(dealt) => table.dealt(dealt.height, &dealt.open).map_err(|e| refused(&e))?,
                    Line::Act(act) => {
                        table.act(act.height, act.seat, &act.action, &act.open).map_err(|e| refused(&e))?;
                    }
                    Line::Choices(c) => table.choose(c.height, &c.choices).map_err(|e| refused(&e))?,
                    Line::Gone(gone) => deal.leave(gone.height, gone.seat, gone.how).map_err(|e| refused(&e))?,
                    Line::Broken(b) => table.break_off(b.height, b.why).map_err(|e| refused(&e))?,
                    Line::End(end) => return self.end(end),
                    Line::Fairdeal(_) | Line::Deal(_) | Line::Evidence(_) => {
                        return Err(Trouble::Expected("an input, or the end of the deal"));
                    }
                }
                Ok(Step::Input)
            }
        }
    }

    fn begin(&mut self, header: Header) -> Result<Step, Trouble> {
        if header.format != FORMAT {
            return Err(Trouble::Format(header.format));
        }
        if header.game != G::NAME {
            return Err(Trouble::OtherGame(header.game));
        }
        if header.id.as_deref().is_some_and(|id| unhex(id).is_none_or(|id| id.len() != 32)) {
            return Err(Trouble::Id);
        }
        let running = match &header.settings {
            None => None,
            Some(settings) => {
                let settings: G::Settings =
                    serde_json::from_value(settings.clone()).map_err(|e| Trouble::Malformed(e.to_string()))?;
                let running = Match::start(&settings, header.players).map_err(|e| Trouble::Setup(e.to_string()))?;
                Some(Box::new(running))
            }
        };
        self.state = State::Between { running, next_deck: 0, deals: 0, over: false };
        self.header = Some(header);
        Ok(Step::Began)
    }

    fn begin_deal(&mut self, deal: &super::Deal<<G::Rules as Rules>::Setup>) -> Result<Step, Trouble> {
        let Some(header) = &self.header else { return Err(Trouble::NoHeader) };
        let State::Between { running, next_deck, deals, over } = &mut self.state else {
            return Err(Trouble::Expected("an input, or the end of the deal"));
        };
        if *over {
            return Err(Trouble::Expected("no further deal: the match is over"));
        }
        if deal.number != *deals + 1 {
            return Err(Trouble::Setup(format!("this should be deal {}, not {}", *deals + 1, deal.number)));
        }
        if let Some(running) = running.take() {
            let given = running.series().next(*next_deck);
            let number = running.deals();
            let same = given.as_ref() == Some(&deal.setup);
            if !same {
                let given = serde_json::to_string(&given).unwrap_or_default();
                *deals = number.saturating_sub(1);
                return Err(Trouble::Setup(format!("in this match deal {number} begins with {given}")));
            }
            self.state = State::Playing(Deal::OfMatch(running));
            return Ok(Step::Deal(number));
        }
        if header.settings.is_some() {
            return Err(Trouble::Expected("a new record, after an error in this one"));
        }
        let rules = G::Rules::deal(&deal.setup).map_err(|e| Trouble::Setup(e.to_string()))?;
        if rules.players() != header.players {
            return Err(Trouble::Setup(format!("the header says {} players", header.players)));
        }
        let table = Table::new(rules, Height(0));
        let number = deal.number;
        self.state = State::Playing(Deal::Single(Box::new(table), number));
        Ok(Step::Deal(number))
    }

    fn end(&mut self, end: End) -> Result<Step, Trouble> {
        let fresh = State::Between { running: None, next_deck: 0, deals: 0, over: false };
        let deal = match core::mem::replace(&mut self.state, fresh) {
            State::Playing(deal) => deal,
            between @ State::Between { .. } => {
                self.state = between;
                return Err(Trouble::Expected("a new deal"));
            }
        };
        let table = deal.table();
        let Some(outcome) = table.outcome().cloned() else {
            let why = format!("the deal is not over: the table waits for {}", table.awaiting());
            self.state = State::Playing(deal);
            return Err(Trouble::Refused(why));
        };
        let hash = hex(&table.state_hash());
        let next_deck = table.rules().decks().end;
        let (running, deals, standing) = match deal {
            Deal::OfMatch(mut running) => {
                // Time limits are not replayed by the clock: if the record says the match was over, it was.
                let elapsed = if end.standing.as_ref().is_some_and(|s| s.over) { u64::MAX } else { 0 };
                let deals = running.deals();
                running.advance(elapsed);
                let standing = running.standing();
                (Some(running), deals, Some(standing))
            }
            Deal::Single(_, number) => (None, number, None),
        };
        let over = standing.as_ref().is_some_and(|s: &Standing| s.over);
        self.state = State::Between { running, next_deck, deals, over };
        if outcome != end.outcome {
            return Err(Trouble::OutcomeDiffers { replayed: Box::new(outcome), written: Box::new(end.outcome) });
        }
        if hash != end.hash {
            return Err(Trouble::HashDiffers { replayed: hash, written: end.hash });
        }
        if end.standing.is_some() && end.standing != standing {
            return Err(Trouble::StandingDiffers);
        }
        Ok(Step::Ended(outcome))
    }
}
