//! Writes while a hand is played again.

use cards::Card;
use table::{Chips, PerSeat, Run, Seat, Table};

use super::money::{self, Money};
use super::{About, NotWritten, naming, summary};
use crate::holdem::betting::Play;
use crate::holdem::phase::{Ending, Phase};
use crate::holdem::phh::{self, Given, PhhHand, Seating, Seen, Watch};
use crate::holdem::{Deal, Street};

/// The text of a hand.
pub(super) fn write(hand: &PhhHand, about: &About) -> Result<String, NotWritten> {
    let mut writer = Writer {
        hand,
        about,
        money: Money::of(hand),
        names: Vec::new(),
        text: String::new(),
        begun: false,
        stacks: PerSeat::new(0),
        board: 0,
        ended: Vec::new(),
        mucked: Vec::new(),
        broken: false,
    };
    let phh::Played { table, seating, .. } = phh::play(hand, &mut writer).map_err(NotWritten::Replay)?;
    if writer.broken {
        return Err(NotWritten::BrokenOff);
    }
    writer.end(&table, &seating);
    Ok(writer.text)
}

/// The text so far.
pub(super) struct Writer<'a> {
    hand: &'a PhhHand,
    about: &'a About,
    pub(super) money: Money,
    /// By player of the file.
    names: Vec<String>,
    text: String,
    begun: bool,
    /// The stacks as they must be if nothing goes back to anybody.
    stacks: PerSeat<Chips>,
    /// Cards of the board that are written.
    board: u8,
    /// Who folded, and on which street.
    pub(super) ended: Vec<(Seat, Street)>,
    /// Who put away cards that nobody knows, at the showdown.
    pub(super) mucked: Vec<Seat>,
    broken: bool,
}

impl Watch for Writer<'_> {
    fn before(&mut self, seen: &Seen<'_>) {
        if !self.begun {
            self.begun = true;
            self.names = money::names(self.hand, seen.seating);
            self.begin(seen);
        }
        let rules = seen.table.rules();
        self.stacks = *rules.stacks();
        match seen.given {
            Given::Dealt => {}
            Given::Act { seat, action, timeout } => {
                let name = self.name(seen.seating, seat);
                if timeout {
                    self.line(&format!("{name} has timed out"));
                }
                if let Ok(play) = rules.betting.check(seat, action) {
                    self.act(rules, &name, seat, play);
                }
            }
            Given::Gone(seat) => self.gone(rules, seen.seating, seat),
            Given::Broken(_) => self.broken = true,
        }
    }

    fn after(&mut self, seen: &Seen<'_>) {
        let rules = seen.table.rules();
        for (seat, stack) in rules.stacks().seats() {
            let uncalled = *stack - rules.won[seat] - self.stacks[seat];
            if uncalled > Chips::ZERO && !self.broken {
                let (amount, name) = (self.money.show(uncalled), self.name(seen.seating, seat));
                self.line(&format!("Uncalled bet ({amount}) returned to {name}"));
            }
        }
        self.streets(seen.table);
    }
}

impl Writer<'_> {
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn name(&self, seating: &Seating, seat: Seat) -> String {
        self.names.get(seating.player(seat).index()).cloned().unwrap_or_default()
    }

    /// Everything before the first action.
    fn begin(&mut self, seen: &Seen<'_>) {
        let rules = seen.table.rules();
        let (setup, money, about) = (rules.setup(), self.money, self.about);
        let stakes = format!("{}/{}", money.show(setup.small_blind), money.show(setup.big_blind));
        let currency = money.currency.map(|currency| format!(" {currency}")).unwrap_or_default();
        let (number, time) = (about.number, about.time);
        self.line(&format!("PokerStars Hand #{number}:  Hold'em No Limit ({stakes}{currency}) - {time}"));
        let play_money = if money.currency.is_none() { " (Play Money)" } else { "" };
        let (chairs, button) = (setup.players, rules.button.index() + 1);
        let table = money::plain(&about.table);
        self.line(&format!("Table '{table}' {chairs}-max{play_money} Seat #{button} is the button"));
        for seat in rules.dealt_in.iter() {
            let (name, stack) = (self.name(seen.seating, seat), money.show(setup.stacks[seat]));
            self.line(&format!("Seat {}: {name} ({stack} in chips)", seat.index() + 1));
        }
        self.posts(rules, seen.seating);
        self.line("*** HOLE CARDS ***");
        let owner = about.owner.as_deref().map(money::plain);
        let owned = rules.dealt_in.iter().find(|seat| Some(self.name(seen.seating, *seat)) == owner);
        let hole = owned.map(|seat| rules.hole(seat).slots().map(|slot| seen.faces.get(slot)).collect());
        if let (Some(name), Some(Some(hole))) = (owner, hole) {
            let hole: Vec<Card> = hole;
            self.line(&format!("Dealt to {name} {}", naming::list(&hole)));
        }
    }

    /// Antes first, then blinds: the small one, the big one, and whatever else is posted.
    fn posts(&mut self, rules: &Deal, seating: &Seating) {
        let (betting, setup) = (&rules.betting, rules.setup());
        let all_in = |seat: Seat| if betting.stacks[seat] == Chips::ZERO { " and is all-in" } else { "" };
        for seat in rules.dealt_in.iter() {
            let ante = rules.dead[seat] + betting.total[seat] - betting.put[seat];
            if ante > Chips::ZERO {
                let all_in = if betting.put[seat] == Chips::ZERO { all_in(seat) } else { "" };
                self.line(&format!("{}: posts the ante {}{all_in}", self.name(seating, seat), self.money.show(ante)));
            }
        }
        let (small, big) = (rules.blind_seats.small, rules.blind_seats.big);
        let others = rules.dealt_in.without(small).without(big).clockwise_after(big).zip(&setup.straddles);
        let others = others.map(|(seat, forced)| (seat, if *forced > Chips::ZERO { "straddle" } else { "big blind" }));
        for (seat, what) in [(small, "small blind"), (big, "big blind")].into_iter().chain(others) {
            let paid = betting.put[seat];
            if paid > Chips::ZERO {
                let (name, paid) = (self.name(seating, seat), self.money.show(paid));
                self.line(&format!("{name}: posts {what} {paid}{}", all_in(seat)));
            }
        }
    }

    fn act(&mut self, rules: &Deal, name: &str, seat: Seat, play: Play) {
        let (betting, money) = (&rules.betting, self.money);
        let (paid, says) = match play {
            Play::Fold => {
                self.ended.push((seat, rules.street));
                (Chips::ZERO, "folds".to_owned())
            }
            Play::Check => (Chips::ZERO, "checks".to_owned()),
            Play::Call => {
                let cost = betting.to_call(seat);
                (cost, format!("calls {}", money.show(cost)))
            }
            Play::Raise(to) if betting.bet_to == Chips::ZERO => {
                (to - betting.put[seat], format!("bets {}", money.show(to)))
            }
            Play::Raise(to) => {
                let by = money.show(to - betting.bet_to);
                (to - betting.put[seat], format!("raises {by} to {}", money.show(to)))
            }
        };
        let all_in = paid > Chips::ZERO && paid == betting.stacks[seat];
        self.stacks[seat] -= paid;
        self.line(&format!("{name}: {says}{}", if all_in { " and is all-in" } else { "" }));
    }

    /// Somebody leaves, which folds the hand; or puts away cards that nobody knows.
    fn gone(&mut self, rules: &Deal, seating: &Seating, seat: Seat) {
        if !rules.live().contains(seat) {
            return;
        }
        if rules.phase == Phase::Showing && rules.open_board().len == rules.board().len {
            self.mucked.push(seat);
            return;
        }
        let name = self.name(seating, seat);
        self.ended.push((seat, rules.street));
        self.line(&format!("{name}: folds"));
        self.line(&format!("{name} leaves the table"));
    }

    /// The cards of the board that are new.
    fn streets(&mut self, table: &Table<Deal>) {
        let open = table.rules().open_board();
        let board = shown(table, open);
        while self.board < open.len {
            let (upto, heading) = match self.board {
                0 => (3, "FLOP"),
                3 => (4, "TURN"),
                _ => (5, "RIVER"),
            };
            let lying = board.get(..usize::from(self.board)).unwrap_or_default();
            let new = board.get(usize::from(self.board)..usize::from(upto)).unwrap_or_default();
            let lying = if lying.is_empty() { String::new() } else { naming::list(lying) + " " };
            self.line(&format!("*** {heading} *** {lying}{}", naming::list(new)));
            self.board = upto;
        }
    }

    /// Showdown, pots and summary.
    fn end(&mut self, table: &Table<Deal>, seating: &Seating) {
        let rules = table.rules();
        if rules.phase == Phase::Over(Ending::Showdown) {
            self.line("*** SHOW DOWN ***");
            for seat in rules.showing_order() {
                let (hole, hand) = hand(table, seat);
                let name = self.name(seating, seat);
                self.line(&format!("{name}: shows {} ({hand})", naming::list(&hole)));
            }
        }
        for seat in self.mucked.clone() {
            let name = self.name(seating, seat);
            self.line(&format!("{name}: mucks hand"));
        }
        let pots = summary::pots(table);
        // The last side pot is paid out first, the main pot last.
        for (n, pot) in pots.iter().enumerate().rev() {
            let pot_name = summary::pot_name(n, pots.len());
            for (seat, won) in pot.won.seats().filter(|(_, won)| **won > Chips::ZERO) {
                let (name, won) = (self.name(seating, seat), self.money.show(*won));
                self.line(&format!("{name} collected {won} from {pot_name}"));
            }
        }
        if rules.phase == Phase::Over(Ending::AllFolded) {
            for (seat, _) in rules.won.seats().filter(|(_, won)| **won > Chips::ZERO) {
                let name = self.name(seating, seat);
                self.line(&format!("{name}: doesn't show hand"));
            }
        }
        summary::write(self, table, seating, &pots);
        self.text.push_str("\n\n");
    }
}

/// Two cards and what they make with the board.
pub(super) fn hand(table: &Table<Deal>, seat: Seat) -> (Vec<Card>, String) {
    let rules = table.rules();
    let hole = shown(table, rules.hole(seat));
    let all: Vec<Card> = hole.iter().copied().chain(shown(table, rules.open_board())).collect();
    (hole, naming::describe(&all).unwrap_or_default())
}

/// The open cards that lie there.
pub(super) fn shown(table: &Table<Deal>, run: Run) -> Vec<Card> {
    run.slots().filter_map(|slot| table.open().get(slot)).collect()
}
