//! Tables in memory: work that has begun is finished, and what is due is done, even if nobody watches.

mod handing;
mod lost;

use std::time::Duration;

use futures_util::FutureExt as _;
use serde_json::json;
use table::Seat;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use super::*;
use crate::ids::Code;
use crate::room::{Event, Hints, Sitter, Stage, Terms};
use crate::store::{NewTable, Secret};

const PATIENCE: Duration = Duration::from_secs(60);

fn player(n: u8) -> PlayerId {
    PlayerId([n; 16])
}

fn face() -> Face {
    Face { name: "Anna".to_owned(), avatar: 1 }
}

/// A table with these people, and computers in the other seats, whose match has begun.
fn opening(settings: serde_json::Value, players: u8, people: &[u8]) -> Opening {
    let terms = Terms {
        game: "blackout".to_owned(),
        rules: 1,
        players,
        settings,
        owner: people.first().map(|seat| player(*seat)),
        listed: true,
        reveal: "auto".to_owned(),
        pace: 200,
        hints: Hints::default(),
        session: String::new(),
    };
    let who = |seat: u8| match people.contains(&seat) {
        true => Sitter::Player { player: player(seat), face: face(), seeds: false },
        false => Sitter::Computer(bots::Kind::Random),
    };
    let sat = (0..players).map(|seat| Event::Sat { seat: Seat::new(seat).unwrap(), who: who(seat) });
    Opening { terms, events: sat.chain([Event::Started]).collect() }
}

/// A table as another server left it long ago, with something due since then.
async fn left_behind(store: &Store, id: u64, mut opening: Opening) -> TableId {
    let at = now().plus(-3_600_000);
    opening.terms.session = "ab".repeat(32);
    let mut events = vec![Event::Opened(Box::new(opening.terms.clone()))];
    events.extend(opening.events);
    let new = NewTable {
        id: TableId(id),
        code: Code::new(u32::try_from(id).unwrap()).unwrap(),
        game: opening.terms.game,
        rules: i64::from(opening.terms.rules),
        listed: true,
        phase: store::Phase::Playing,
        at: at.0,
        due_at: Some(at.0),
        summary: "{}".to_owned(),
        secret: Secret::new([7; 32]),
        seated: Vec::new(),
        body: body(&Entry { at, events }).unwrap(),
    };
    store.create(new).await.unwrap();
    TableId(id)
}

/// A database, and servers one after another.
struct Ground {
    folder: TempDir,
}

impl Ground {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A server that runs until this is done, and then stops in the middle of everything.
    fn serve<T>(&self, doing: impl AsyncFnOnce(&Hub) -> T) -> T {
        let runtime = Runtime::new().unwrap();
        runtime.block_on(async {
            let address = format!("sqlite:{}", self.folder.path().join("test.sqlite").display());
            let hub = Hub::new(Store::open(&address).await.unwrap(), Arc::new(Metrics::default()), 1000);
            let done = timeout(PATIENCE, doing(&hub)).await.expect("it is done in time");
            hub.store().close().await;
            done
        })
    }
}

async fn entries(hub: &Hub, id: TableId) -> usize {
    hub.store().entries(id, 0).await.unwrap().len()
}

/// Waits until a log is longer than this.
async fn goes_on(hub: &Hub, id: TableId, than: usize) {
    while entries(hub, id).await <= than {
        sleep(Duration::from_millis(10)).await;
    }
}

#[test]
fn the_work_of_a_dropped_request_is_finished_and_everybody_is_told() {
    Ground::new().serve(async |hub| {
        let mut opening = opening(json!({}), 3, &[0]);
        opening.events.truncate(1);
        let (id, _) = hub.open(opening).await.unwrap();
        let live = hub.table(id);
        assert_eq!(hub.read(&live).await.unwrap().height(), 1);
        let mut watching = live.watch(player(9));
        let face = face();
        let mut asking = Box::pin(hub.command(id, player(1), &face, Command::Sit { seat: None, seeds: false }));
        assert!((&mut asking).now_or_never().is_none());
        drop(asking);
        watching.changed().await;
        let room = hub.read(&live).await.unwrap();
        assert_eq!(room.height(), 2);
        assert!(room.seat_of(player(1)).is_some());
    });
}

#[test]
fn a_reader_who_stops_waiting_for_the_log_in_words_does_not_keep_others_from_it() {
    Ground::new().serve(async |hub| {
        let (id, _) = hub.open(opening(json!({ "action_timeout": 0 }), 2, &[0, 1])).await.unwrap();
        let live = hub.table(id);
        let held = hub.read(&live).await.unwrap();
        assert!(held.told().is_empty());
        let mut asking = Box::pin(hub.read_in_words(&live));
        assert!((&mut asking).now_or_never().is_none());
        drop(asking);
        drop(held);
        let room = hub.read_in_words(&live).await.unwrap();
        assert!(!room.told().is_empty());
    });
}

#[test]
fn computers_continue_after_a_start_even_if_nobody_is_there() {
    let ground = Ground::new();
    let (id, before) = ground.serve(async |hub| {
        // The starting player is random.
        for table in 0..30 {
            let (id, _) = hub.open(opening(json!({ "action_timeout": 0 }), 3, &[table % 3])).await.unwrap();
            let live = hub.table(id);
            if hub.due(&live).await.unwrap().is_some() {
                return (id, entries(hub, id).await);
            }
        }
        panic!("at one of the tables a computer is first");
    });
    ground.serve(async |hub| {
        tokio::spawn(hub.clone().keep_going());
        goes_on(hub, id, before).await;
    });
}

#[test]
fn every_computer_move_is_a_separate_entry_after_a_pause() {
    Ground::new().serve(async |hub| {
        let (id, _) = hub.open(opening(json!({ "start": 2, "max": 2, "end": 2 }), 4, &[0])).await.unwrap();
        let live = hub.table(id);
        while hub.read(&live).await.unwrap().stage() == Some(Stage::Deal) {
            let mine = {
                let room = hub.read(&live).await.unwrap();
                let play = room.play().unwrap();
                let me = Seat::new(0).unwrap();
                play.awaited().seats().contains(me).then(|| play.default_event(me).unwrap())
            };
            match mine {
                Some(event) => hub.event(&live, player(0), event).await.unwrap(),
                None => sleep(Duration::from_millis(5)).await,
            }
        }
        let log = hub.store().entries(id, 0).await.unwrap();
        let log: Vec<Entry> = log.iter().map(|stored| entry(stored).unwrap()).collect();
        let mut moves = 0;
        for pair in log.windows(2) {
            let [before, Entry { at, events }] = pair else { continue };
            assert_eq!(events.len(), 1, "one after another: {events:?}");
            if let [Event::Acted { seat, .. }] = events.as_slice()
                && seat.index() > 0
            {
                assert!(at.since(before.at) >= 200, "{} ms", at.since(before.at));
                moves += 1;
            }
        }
        assert_eq!(moves, 9, "three computers bid, and play two cards each");
    });
}

#[test]
fn a_player_whose_turn_it_was_when_the_server_stopped_gets_ten_seconds_once() {
    let ground = Ground::new();
    let id = ground.serve(async |hub| left_behind(hub.store(), 1, opening(json!({}), 2, &[0, 1])).await);
    ground.serve(async |hub| {
        let started = hub.0.started;
        let live = hub.table(id);
        let due = hub.due(&live).await.unwrap();
        assert_eq!(due, Some(started.plus(10_000)));
        let shown = {
            let room = hub.read(&live).await.unwrap();
            room.granted(&room.countdown(None).unwrap().due)
        };
        assert_eq!(Some(shown), due, "everybody is shown that time");
        sleep(Duration::from_millis(20)).await;
        // Each of these reads or changes the table.
        drop(hub.read_in_words(&live).await.unwrap());
        assert_eq!(hub.due(&live).await.unwrap(), due);
        for seat in [0, 1] {
            hub.command(id, player(seat), &face(), Command::Say { text: "hello".to_owned() }).await.unwrap();
            assert_eq!(hub.due(&live).await.unwrap(), due);
        }
        let live = Live::new(id, started);
        assert_eq!(hub.due(&live).await.unwrap(), due, "as if it had been dropped from memory");
    });
}

#[test]
fn a_table_of_a_dead_server_is_taken_up_and_one_that_cannot_continue_is_left_alone() {
    Ground::new().serve(async |hub| {
        tokio::spawn(hub.clone().keep_going());
        // Its first sweep is over once a due time has been written.
        hub.nothing_is_due(TableId(0));
        while !lock(&hub.0.due).is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
        let mut foreign = opening(json!({}), 2, &[0, 1]);
        foreign.terms.rules = 999;
        let foreign = left_behind(hub.store(), 1, foreign).await;
        let mut ids = Vec::new();
        for seat in 0..3 {
            let opening = opening(json!({ "action_timeout": 0 }), 3, &[seat]);
            ids.push(left_behind(hub.store(), u64::from(seat) + 2, opening).await);
        }
        // At one of the three a person is first.
        let mut gone_on = 0;
        while gone_on < 2 {
            sleep(Duration::from_millis(10)).await;
            gone_on = 0;
            for id in &ids {
                gone_on += usize::from(entries(hub, *id).await > 1);
            }
        }
        while hub.store().table(foreign).await.unwrap().unwrap().due_at.is_some() {
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(entries(hub, foreign).await, 1);
    });
}

#[test]
fn due_times_that_cannot_be_written_are_kept_for_the_next_attempt() {
    Ground::new().serve(async |hub| {
        lock(&hub.0.due).insert(TableId(1), Some(5));
        hub.store().close().await;
        hub.sweep().await;
        assert_eq!(lock(&hub.0.due).get(&TableId(1)), Some(&Some(5)));
    });
}

#[test]
fn a_player_who_leaves_a_match_loses_it_and_no_longer_has_it_among_their_tables() {
    Ground::new().serve(async |hub| {
        let settings = json!({ "start": 1, "max": 1, "end": 1, "action_timeout": 0, "on_leave": "bot" });
        let (id, _) = hub.open(opening(settings, 3, &[0, 1, 2])).await.unwrap();
        let live = hub.table(id);
        let mine = async |n| hub.store().mine(&player(n), 10).await.unwrap().len();
        assert_eq!((mine(1).await, mine(2).await), (1, 1));
        hub.command(id, player(2), &face(), Command::Stand {}).await.unwrap();
        assert_eq!((mine(1).await, mine(2).await), (1, 0));
        loop {
            let events = {
                let room = hub.read(&live).await.unwrap();
                if room.stage() == Some(Stage::Over) {
                    break;
                }
                let play = room.play().unwrap();
                let people = play.awaited().seats().iter().filter(|seat| seat.index() < 2);
                people.filter_map(|seat| Some((seat, play.default_event(seat)?))).collect::<Vec<_>>()
            };
            if events.is_empty() {
                sleep(Duration::from_millis(10)).await;
            }
            for (seat, event) in events {
                let _ = hub.event(&live, player(seat.index()), event).await;
            }
        }
        let left = hub.store().finished(&player(2), None, None, 10).await.unwrap();
        let [left] = left.as_slice() else { panic!("it is in their history: {left:?}") };
        assert_eq!((left.result.place, left.result.won, left.result.shared), (3, false, false));
        let results = hub.store().results(id).await.unwrap();
        assert_eq!(results.iter().map(|seat| seat.player).collect::<Vec<_>>(), [0, 1, 2].map(|n| Some(player(n))));
        assert_eq!((mine(1).await, mine(2).await), (1, 0));
        hub.command(id, player(1), &face(), Command::Stand {}).await.unwrap();
        let sat = async |n| hub.store().sits(&player(n), id).await.unwrap();
        assert!(sat(0).await && sat(1).await && !sat(2).await, "a player who stood up afterwards stayed to the end");
    });
}

/// A table where nobody sits.
fn terms() -> Terms {
    let settings = serde_json::to_value(<games::holdem::Holdem as table::Game>::Settings::default()).unwrap();
    Terms {
        game: "holdem".to_owned(),
        rules: 1,
        players: 2,
        settings,
        owner: None,
        listed: false,
        reveal: "auto".to_owned(),
        pace: 500,
        hints: Hints::default(),
        session: String::new(),
    }
}

#[tokio::test]
async fn tables_that_do_not_exist_are_not_kept_and_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("test.sqlite").display())).await.unwrap();
    let hub = Hub::new(store, Arc::new(Metrics::default()), 2);
    let made_up: Vec<Arc<Live>> = (0..20).map(|n| hub.table(TableId(n))).collect();
    assert_eq!(hub.loaded(), 0, "nobody knows yet whether they exist");
    for live in &made_up {
        assert!(matches!(hub.read(live).await, Err(HubError::NoTable)));
    }
    assert_eq!(hub.tables().len(), 0);
    for open in 1..=2 {
        let (id, _) = hub.open(Opening { terms: terms(), events: Vec::new() }).await.unwrap();
        let live = hub.table(id);
        drop(hub.read(&live).await.unwrap());
        drop(hub.read_in_words(&live).await.unwrap());
        assert_eq!((hub.loaded(), hub.tables().len()), (open, open));
    }
    let third = hub.open(Opening { terms: terms(), events: Vec::new() }).await;
    assert!(matches!(third, Err(HubError::TooMany)), "{third:?}");
    // The tasks of those that do not exist have ended: nobody else has them.
    while made_up.iter().any(|live| Arc::strong_count(live) > 1) {
        tokio::task::yield_now().await;
    }
}

#[test]
fn no_player_waits_for_a_computer_to_think() {
    Ground::new().serve(async |hub| {
        let mut opening = opening(json!({ "action_timeout": 0 }), 4, &[0]);
        opening.terms.pace = 0;
        opening.events.pop();
        let (id, _) = hub.open(opening).await.unwrap();
        hub.command(id, player(0), &face(), Command::Start {}).await.unwrap();
        // Computers move, until it is the player's turn.
        let live = hub.table(id);
        while hub.due(&live).await.unwrap().is_some() {
            sleep(Duration::from_millis(10)).await;
        }
        let log = hub.store().entries(id, 0).await.unwrap();
        let entries: Vec<Entry> = log.iter().map(|stored| entry(stored).unwrap()).collect();
        let moves = |events: &[Event]| events.iter().filter(|event| matches!(event, Event::Acted { .. })).count();
        assert!(
            entries.iter().skip(1).all(|entry| moves(&entry.events) == entry.events.len() || moves(&entry.events) == 0)
        );
        for pair in entries.windows(2).filter(|pair| moves(&pair[1].events) > 0) {
            assert_eq!(pair[1].events.len(), 1, "each is computed away from the table");
            assert!(pair[1].at.since(pair[0].at) >= 50, "and not at once");
        }
    });
}
