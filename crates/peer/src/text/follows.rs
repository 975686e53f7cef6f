//! What follows from what was said: cards are dealt and opened, somebody's turn begins, a deal ends.

use serde_json::Value;
use table::{Awaiting, Eye, Game, Known, Order, Seat, Slot, Standing, Table};

use super::verbs::{self, Amounts};
use super::{Kind, Line, TABLE, Writer, said};
use crate::body::Body;
use crate::lobby::{Lobby, Void};
use crate::member::Heard;
use crate::reading::Onlooker;
use crate::session::{Effect, Seen, Session};

impl Onlooker for Writer<'_> {
    fn lobby(&mut self, lobby: &Lobby, heard: &Heard, effect: Result<(), Void>) -> bool {
        self.in_lobby(lobby, heard, effect);
        self.going
    }

    fn begun<G: Game>(&mut self, session: &mut Session<G>) {
        session.see();
        let players = session.begun().players.iter();
        self.players = players.map(|player| results::Callsign::of_player(&player.join.identity).to_string()).collect();
    }

    fn before<G: Game>(&mut self, session: &Session<G>, _: &Heard) {
        let dealing = session.table().filter(|table| table.awaiting() == Awaiting::Dealer);
        self.orders = dealing.map(|table| table.orders().collect()).unwrap_or_default();
    }

    fn said<G: Game>(&mut self, lobby: &Lobby, session: &mut Session<G>, heard: &Heard, effect: &Effect) -> bool {
        let seen = session.take_seen();
        self.acknowledge(lobby, heard);
        self.entry(lobby, session, heard, effect, &seen);
        self.carried_out(session, heard, &seen);
        for seen in &seen {
            self.happened(heard, seen);
        }
        self.turns(session, heard);
        if let Some(ended) = session.ended().filter(|_| !self.ended) {
            self.ended = true;
            self.follows(heard, "END_GAME".to_owned(), Some(ended.why.to_string()), Kind::DealOver);
        }
        self.going
    }

    fn ends<G: Game>(&mut self, _: &Session<G>) {}
}

impl Writer<'_> {
    fn follows(&mut self, heard: &Heard, text: String, note: Option<String>, kind: Kind) {
        self.push(Line { text, note, kind, ..said(heard, TABLE.to_owned()) });
    }

    fn player(&self, seat: Seat) -> String {
        self.players.get(usize::from(seat.index())).cloned().unwrap_or_else(|| seat.to_string())
    }

    /// Whoever writes an entry has seen the log that it names, and the moves in it.
    fn acknowledge(&mut self, lobby: &Lobby, heard: &Heard) {
        let before = self.acknowledged.insert(heard.number, heard.seen.height).unwrap_or(0);
        let recent = self.moves.iter().rev().take_while(|(entry, _)| *entry > before);
        let mut unseen = recent.filter(|(entry, by)| *entry <= heard.seen.height && *by != heard.number);
        if unseen.next().is_some() {
            let line = said(heard, super::name_of(lobby, heard.number));
            self.push(Line { text: "ACK".to_owned(), kind: Kind::Ack, ..line });
        }
    }

    /// What was said.
    fn entry<G: Game>(
        &mut self,
        lobby: &Lobby,
        session: &Session<G>,
        heard: &Heard,
        effect: &Effect,
        seen: &[Seen<G>],
    ) {
        let mut line = said(heard, super::name_of(lobby, heard.number));
        line.note = match effect {
            Effect::Counts => None,
            Effect::Void(why) => Some(format!("no effect: {why}")),
            Effect::Fault(fault) => {
                let by = self.player(fault.seat);
                let by = if by == line.who { String::new() } else { format!(" by {by}") };
                Some(format!("WRONG{by}: {}", fault.what))
            }
        };
        let over = over_in(seen);
        let card = |slot: Slot| {
            let face = session.opened(slot).or_else(|| over.and_then(|table| table.open().get(slot)));
            face.map_or_else(|| verbs::place(slot), |card| card.to_string())
        };
        line.text = match &heard.body {
            None if heard.change.is_some() => {
                format!("HUB_CHANGE:{}:{}", heard.change.map_or(0, |change| change.number), line.who)
            }
            None => verbs::UNREADABLE.to_owned(),
            Some(Body::Act { action, .. }) => {
                let before = seen.iter().find_map(|seen| match seen {
                    Seen::Acted { table, seat, .. } => Some((table, *seat)),
                    _ => None,
                });
                if before.is_some() {
                    self.moves.push((heard.head.height, heard.number));
                }
                let amounts = before.and_then(|(table, seat)| Amounts::of(&view(table), seat.index().into()));
                let action = serde_json::from_slice(action).unwrap_or(Value::Null);
                verbs::of_action(&action, &line.who, amounts, &card)
            }
            Some(body) => {
                let of = u8::try_from(self.players.len()).unwrap_or(u8::MAX).saturating_sub(self.gone.len());
                line.kind = verbs::kind(body, of);
                line.note = line.note.or_else(|| verbs::about(body));
                verbs::of_body(body, &line.who, lobby, &card)
            }
        };
        if matches!((&heard.body, effect), (Some(Body::Sign { .. }), Effect::Counts)) {
            self.push(Line { text: "VERIFY".to_owned(), ..line.clone() });
        }
        self.push(line);
    }

    /// Cards that were dealt or opened with this entry.
    fn carried_out<G: Game>(&mut self, session: &Session<G>, heard: &Heard, seen: &[Seen<G>]) {
        let over = over_in(seen);
        let open: Vec<Order> = session.table().map(|table| table.orders().collect()).unwrap_or_default();
        for order in core::mem::take(&mut self.orders) {
            match &order {
                // A deal that has ended was perhaps broken off.
                Order::Deal { to, slots } if over.is_none() && !open.contains(&order) => {
                    let cards: Vec<String> = slots.slots().map(verbs::place).collect();
                    self.follows(heard, format!("DEAL:{}:{}", self.player(*to), cards.join(",")), None, Kind::Follows);
                }
                Order::Open { slots } => {
                    let table = over.or_else(|| session.table());
                    let face = |slot| table.and_then(|table| table.open().get(slot));
                    let cards: Vec<String> = slots.slots().filter_map(face).map(|card| card.to_string()).collect();
                    if !cards.is_empty() {
                        self.turn = None;
                        self.follows(heard, format!("OPEN:{}", cards.join(",")), None, Kind::Follows);
                    }
                }
                Order::Deal { .. } | Order::Shuffle { .. } => {}
            }
        }
    }

    fn happened<G: Game>(&mut self, heard: &Heard, seen: &Seen<G>) {
        match seen {
            Seen::Deal { number, standing, .. } => {
                if *number == 1 {
                    self.follows(heard, "START_GAME".to_owned(), None, Kind::Follows);
                }
                (self.deal, self.turn) = (*number, None);
                let stands = (*number > 1).then(|| self.stands(standing));
                self.follows(heard, format!("BEGIN_DEAL:{number}"), stands, Kind::Follows);
            }
            Seen::DealOver { table, outcome, .. } => {
                for text in self.endings(&view(table)) {
                    self.follows(heard, text, None, Kind::Follows);
                }
                let results = outcome.result.seats();
                let results: Vec<String> =
                    results.map(|(seat, chips)| format!("{} {chips}", self.player(seat))).collect();
                let ending = outcome.ending.replace(|c: char| !c.is_alphanumeric(), "_");
                let text = format!("END_DEAL:{}:{ending}", self.deal);
                self.follows(heard, text, Some(results.join(", ")), Kind::DealOver);
            }
            Seen::Late(seat) => {
                self.gone.insert(*seat);
                self.follows(heard, format!("LATE:{}", self.player(*seat)), None, Kind::Follows);
            }
            Seen::Left(seat) => self.gone.insert(*seat),
            Seen::Back(seat) => self.gone.remove(*seat),
            Seen::Acted { .. } | Seen::Chose { .. } | Seen::Fault(_) => {}
        }
    }

    /// How the match stands, in words.
    fn stands(&self, standing: &Standing) -> String {
        let all = standing.total.seats().map(|(seat, total)| format!("{} {total}", self.player(seat)));
        all.collect::<Vec<_>>().join(", ")
    }

    /// What the games have to say at the end of a deal, from what everybody sees then.
    fn endings(&self, view: &Value) -> Vec<String> {
        let mut lines = Vec::new();
        let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(bank) = view.get("bank") {
            let cards = list(bank, "cards");
            let cards: Option<Vec<&str>> = cards.iter().map(|held| held.get("card")?.as_str()).collect();
            if let Some(cards) = cards.filter(|cards| !cards.is_empty()) {
                lines.push(format!("DEALER:{}", cards.join(",")));
            }
        }
        let went_out = matches!(view.get("ending").and_then(Value::as_str), Some("went out" | "rommé" | "hand rommé"));
        for (seat, player) in (0..).map_while(Seat::new).zip(list(view, "players")) {
            let name = self.player(seat);
            let hands = list(&player, "hands");
            for (number, hand) in (1..).zip(&hands) {
                if let Some(verdict) = hand.get("verdict").and_then(Value::as_str) {
                    let number = if hands.len() > 1 { format!(":{number}") } else { String::new() };
                    lines.push(format!("RESULT:{name}:{verdict}{number}"));
                }
            }
            let empty = player.get("cards").and_then(Value::as_u64) == Some(0);
            let playing = player.get("playing").and_then(Value::as_bool) == Some(true);
            if went_out && empty && playing {
                lines.push(format!("OUT:{name}"));
            }
        }
        lines
    }

    fn turns<G: Game>(&mut self, session: &Session<G>, heard: &Heard) {
        let Some(Awaiting::Turn(seat)) = session.table().map(Table::awaiting) else { return };
        if self.turn != Some(seat) {
            self.turn = Some(seat);
            self.follows(heard, format!("TURN:{}", self.player(seat)), None, Kind::Follows);
        }
    }
}

/// The table of a deal that has ended.
fn over_in<G: Game>(seen: &[Seen<G>]) -> Option<&Table<G::Rules>> {
    seen.iter().find_map(|seen| match seen {
        Seen::DealOver { table, .. } => Some(table),
        _ => None,
    })
}

/// What everybody sees of a table.
fn view<R: table::Rules>(table: &Table<R>) -> Value {
    let view = table.rules().view(Known::public(table.open()), Eye::Public);
    serde_json::to_value(view).unwrap_or(Value::Null)
}
