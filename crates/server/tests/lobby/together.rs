//! Two servers on one database, each with its own copy of a table.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use server::hub::{Hub, HubError, Opening};
use server::ids::{PlayerId, TableId};
use server::metrics::Metrics;
use server::room::{Command, Face, Hints, Refusal, Terms};
use server::store::Store;
use tokio::time::timeout;

use crate::postgres::Postgres;

const ANNA: PlayerId = PlayerId([1; 16]);
const BERT: PlayerId = PlayerId([2; 16]);

/// Two servers, and a table that both have loaded.
async fn servers() -> ([Hub; 2], TableId) {
    let address = Postgres::shared().database().await;
    let mut hubs = Vec::new();
    for _ in 0..2 {
        hubs.push(Hub::new(Store::open(&address).await.unwrap(), Arc::new(Metrics::default()), 10));
    }
    let hubs: [Hub; 2] = hubs.try_into().unwrap_or_else(|_| panic!("two"));
    let terms = Terms {
        game: "blackout".to_owned(),
        rules: 1,
        players: 2,
        settings: json!({ "action_timeout": 0 }),
        owner: Some(ANNA),
        listed: true,
        reveal: "auto".to_owned(),
        pace: 0,
        hints: Hints::default(),
        session: String::new(),
    };
    let (id, _) = hubs[0].open(Opening { terms, events: Vec::new() }).await.unwrap();
    for hub in &hubs {
        assert_eq!(hub.read(&hub.table(id)).await.unwrap().height(), 1);
    }
    (hubs, id)
}

async fn command(hub: &Hub, id: TableId, player: PlayerId, command: Command) -> Result<(), HubError> {
    let face = Face { name: "Somebody".to_owned(), avatar: 1 };
    hub.command(id, player, &face, command).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_refused_because_a_server_has_missed_news() {
    // Neither of them listens to the other.
    let ([one, two], id) = servers().await;
    let sit = || Command::Sit { seat: None, seeds: false };
    command(&one, id, ANNA, sit()).await.unwrap();
    command(&two, id, BERT, sit()).await.unwrap();
    // Only the owner may start, when all seats are taken; the first server knows of one taken seat.
    command(&one, id, ANNA, Command::Start {}).await.unwrap();
    // The second does not know that the match has begun.
    let (turn, height) = {
        let live = one.table(id);
        let room = one.read(&live).await.unwrap();
        let play = room.play().unwrap();
        (play.awaited().seats().lowest().unwrap(), play.height())
    };
    let player = if turn.index() == 0 { ANNA } else { BERT };
    let action = serde_json::value::to_raw_value(&json!({ "bid": 0 })).unwrap();
    command(&two, id, player, Command::Act { height, action: action.clone() }).await.unwrap();
    // A justified refusal stays a refusal.
    let late = command(&one, id, player, Command::Act { height, action }).await;
    assert!(matches!(late, Err(HubError::Refused(Refusal::Height { .. }))), "{late:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewers_on_one_server_are_told_what_happens_on_the_other() {
    let ([one, two], id) = servers().await;
    tokio::spawn(two.clone().keep_going());
    let mut watching = two.table(id).watch(BERT);
    command(&one, id, ANNA, Command::Sit { seat: None, seeds: false }).await.unwrap();
    let told = async {
        let live = two.table(id);
        while two.read(&live).await.unwrap().seat_of(ANNA).is_none() {
            watching.changed().await;
        }
    };
    timeout(Duration::from_secs(20), told).await.expect("the news arrives");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presence_on_one_server_is_known_on_the_other() {
    let ([one, two], id) = servers().await;
    command(&one, id, ANNA, Command::Sit { seat: None, seeds: false }).await.unwrap();
    let attended = async || two.is_attended(id, BERT).await.unwrap();
    two.read(&two.table(id)).await.unwrap();
    assert!(!attended().await);
    let _watching = one.table(id).watch(ANNA);
    tokio::spawn(one.clone().keep_going());
    tokio::spawn(two.clone().keep_going());
    let known = async {
        while !attended().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), known).await.expect("the news arrives");
}
