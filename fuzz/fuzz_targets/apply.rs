//! Arbitrary inputs at the table of every game: nothing panics, a refused input changes nothing, and every
//! offered move is accepted.
#![no_main]

use dealers::{Dealer as _, Local};
use games::AnyGame;
use libfuzzer_sys::fuzz_target;
use table::{Awaiting, Breakdown, Draw, Game, Height, Known, Move, Moves as _, Rules, Seat, Seats, Settings as _, Table};

/// Decisions read from the input, then zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, len: usize) -> &[u8] {
        let (head, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        head
    }
}

impl Draw for Bytes<'_> {
    fn below(&mut self, n: u32) -> u32 {
        let [a, b] = [self.byte().unwrap_or(0), self.byte().unwrap_or(0)];
        u32::from(u16::from_le_bytes([a, b])) % n.max(1)
    }
}

fuzz_target!(|input: &[u8]| {
    let mut bytes = Bytes(input);
    let which = usize::from(bytes.byte().unwrap_or(0));
    let game = AnyGame::ALL[which % AnyGame::ALL.len()];
    games::with_game!(game, G => play::<G>(&mut bytes));
});

fn play<G: Game>(bytes: &mut Bytes<'_>) {
    let (least, most) = (*G::PLAYERS.start(), *G::PLAYERS.end());
    let players = least + bytes.byte().unwrap_or(0) % (most - least + 1);
    let mut settings = G::Settings::default();
    let described = G::Settings::described();
    for _ in 0..bytes.byte().unwrap_or(0) % 3 {
        let at = usize::from(bytes.byte().unwrap_or(0)) % described.len();
        let value = i64::from(bytes.byte().unwrap_or(0)).to_string();
        let _ = settings.set(described[at].name, &value);
    }
    let turn = u64::from(bytes.byte().unwrap_or(0));
    let Ok(setup) = G::sample(&settings, players, turn) else { return };
    let Ok(rules) = G::Rules::deal(&setup) else { return };
    let mut table = Table::new(rules, Height(0));
    let mut dealer = Local::new([bytes.byte().unwrap_or(0); 32]);
    while !bytes.0.is_empty() && table.awaiting() != Awaiting::Over {
        match bytes.byte().unwrap_or(0) % 8 {
            0 => nonsense(&mut table, &dealer, bytes),
            1 => unchanged(&mut table, |table| table.gone(table.height(), seat_from(bytes, players)).is_ok()),
            2 => {
                let mut broken = table.clone();
                let culprits = Seats::one(seat_from(bytes, players));
                let _ = broken.break_off(broken.height(), Breakdown::Vanished(culprits));
            }
            _ => offered(&mut table, &mut dealer, bytes),
        }
    }
}

fn seat_from(bytes: &mut Bytes<'_>, players: u8) -> Seat {
    Seat::round(u64::from(bytes.byte().unwrap_or(0)), players + 1)
}

/// Applies an input; if it is refused, the state must not change.
fn unchanged<R: Rules>(table: &mut Table<R>, act: impl FnOnce(&mut Table<R>) -> bool) {
    let before = table.state_hash();
    if !act(table) {
        assert_eq!(table.state_hash(), before, "refused, but the state changed");
    }
}

/// An action made of bytes.
fn nonsense<R: Rules>(table: &mut Table<R>, dealer: &Local, bytes: &mut Bytes<'_>) {
    let seat = seat_from(bytes, table.rules().players());
    let len = usize::from(bytes.byte().unwrap_or(0) % 32);
    let encoded = bytes.take(len).to_vec();
    if let Ok(action) = postcard::from_bytes::<R::Action>(&encoded) {
        unchanged(table, |table| table.act(table.height(), seat, &action, dealer.opened()).is_ok());
    }
    if let Ok(choice) = postcard::from_bytes::<R::Choice>(&encoded) {
        unchanged(table, |table| table.choose(table.height(), &[(seat, choice)]).is_ok());
    }
}

/// Plays what the table waits for, picked from the offered moves.
fn offered<R: Rules>(table: &mut Table<R>, dealer: &mut Local, bytes: &mut Bytes<'_>) {
    let height = table.height();
    let mut pick = |table: &Table<R>, dealer: &Local, seat| {
        table.rules().moves(Known::with(table.open(), dealer.own(seat)), seat).pick(bytes)
    };
    match table.awaiting() {
        Awaiting::Dealer => {
            dealer.fill(table).expect("orders make sense");
            table.dealt(height, dealer.opened()).expect("the ordered cards are accepted");
        }
        Awaiting::Turn(seat) => {
            let Some(Move::Act(action)) = pick(table, dealer, seat) else { panic!("{seat} is offered nothing") };
            table.act(height, seat, &action, dealer.opened()).expect("an offered move is accepted");
        }
        Awaiting::Choices(seats) => {
            let choices: Vec<_> = seats
                .iter()
                .map(|seat| match pick(table, dealer, seat) {
                    Some(Move::Choose(choice)) => (seat, choice),
                    other => panic!("{seat} is offered {other:?}"),
                })
                .collect();
            table.choose(height, &choices).expect("an offered move is accepted");
        }
        Awaiting::Over => {}
    }
}
