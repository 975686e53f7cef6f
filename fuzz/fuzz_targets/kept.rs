//! Whatever a file says that a player has kept, reading it gives lines or an error; lines stay the same when they are
//! written and read again; and a record can be compared with them.
#![no_main]

use std::sync::LazyLock;

use dealers::house::{Audit, Kept, Publish, Seed};
use dealers::{Auditor as _, Dealer as _, House};
use games::blackout::Blackout;
use libfuzzer_sys::fuzz_target;
use table::record::{Dealt, Evidence};
use table::{Faces, Game, Height, Look as _, Order, Rules, Seat, Table};

type Deal = <Blackout as Game>::Rules;

const SESSION: [u8; 32] = [9; 32];
const DECK: u32 = 0;
const PLAYERS: u8 = 3;

/// What is recorded of one deck, dealt by an honest house with seeds of all three seats.
struct Record {
    table: Table<Deal>,
    dealing: Vec<Evidence>,
    dealt: Dealt,
    retiring: Vec<Evidence>,
}

static RECORD: LazyLock<Record> = LazyLock::new(|| {
    let setup = Blackout::sample(&Default::default(), PLAYERS, 2).expect("a setup");
    let table = Table::new(Deal::deal(&setup).expect("a deal"), Height(0));
    let mut house = House::new([4; 32], Publish::AfterDeal);
    house.begin(SESSION);
    house.fill(&table).expect("orders that can be filled");
    let seats: Vec<Seat> = (0..PLAYERS).filter_map(Seat::new).collect();
    let seed = |seat: Seat| Seed { seed: [seat.index(); 32], nonce: [seat.index() ^ 0xff; 32] };
    for seat in &seats {
        house.commit(*seat, DECK, seed(*seat).commitment(&SESSION, DECK, *seat)).expect("in time");
    }
    for seat in &seats {
        house.reveal(*seat, DECK, &seed(*seat)).expect("in time");
    }
    house.fill(&table).expect("orders that can be filled");
    let dealing = house.evidence();
    let opens = table.orders().filter_map(|order| match order {
        Order::Open { slots } => Some(slots),
        Order::Shuffle { .. } | Order::Deal { .. } => None,
    });
    let face = |slot| Some((slot, house.opened().face(slot)?));
    let open: Faces = opens.flat_map(|slots| slots.slots()).filter_map(face).collect();
    let dealt = Dealt { height: Height(0), open, private: Default::default() };
    house.retire(None);
    Record { table, dealing, dealt, retiring: house.evidence() }
});

fuzz_target!(|text: &str| {
    let Ok(kept) = Kept::read(text) else { return };
    let lines: Vec<String> = kept.iter().map(|line| serde_json::to_string(line).expect("plain data")).collect();
    assert_eq!(Kept::read(&lines.join("\n")).as_ref(), Ok(&kept));
    // Whether it fits is for the auditor to say.
    let Record { table, dealing, dealt, retiring } = &*RECORD;
    let mut audit = Audit::with_kept(kept);
    audit.begin(SESSION, PLAYERS);
    let agrees = dealing.iter().all(|line| audit.evidence(Some(table), line).is_ok())
        && audit.dealt(table, dealt).is_ok()
        && retiring.iter().all(|line| audit.evidence::<Deal>(None, line).is_ok())
        && audit.retire(None).is_ok();
    if agrees {
        audit.findings();
    }
});
