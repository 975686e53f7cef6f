//! Tests with a database connection that is lost while writing, or a database that cannot be read for a while.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use sqlx::{Connection as _, PgConnection};
use table::Seat;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::*;
use crate::room::{Event, Sitter};
use crate::store::postgres::Postgres;

/// How long the server waits for PostgreSQL here, and how long a test waits for what must come.
const PATIENCE: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_secs(60);

/// The name of the player whose entry gets lost.
const MARK: &str = "Ottokar";

/// A connection to PostgreSQL that goes dead once, when the marked entry is to be committed: PostgreSQL has not
/// received the last message yet, and its sender never gets an answer.
struct Line {
    folder: TempDir,
    address: String,
    last_words: mpsc::UnboundedReceiver<LastWord>,
}

/// What PostgreSQL has not received yet.
struct LastWord {
    word: Vec<u8>,
    to: UnixStream,
}

impl Line {
    fn to(address: &str) -> Self {
        let (database, socket) = address.split_once("?host=").expect("a socket in a folder");
        let socket = Path::new(&socket.replace("%2F", "/")).join(".s.PGSQL.5432");
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let address = format!("{database}?host={}", folder.path().display().to_string().replace('/', "%2F"));
        let (tell, last_words) = mpsc::unbounded_channel();
        let dead = Arc::new(AtomicBool::new(false));
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (far, tell, dead) = (UnixStream::connect(&socket).await.unwrap(), tell.clone(), dead.clone());
                tokio::spawn(async move {
                    if let Ok(Some(last)) = carry(near, far, &dead).await {
                        let _ = tell.send(last);
                    }
                });
            }
        });
        Self { folder, address, last_words }
    }
}

/// Forwards both sides' data until one of them hangs up or the connection goes dead.
async fn carry(mut near: UnixStream, mut far: UnixStream, dead: &AtomicBool) -> std::io::Result<Option<LastWord>> {
    let says = |words: &[u8], what: &str| words.windows(what.len()).any(|part| part == what.as_bytes());
    let (mut said, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut marked = false;
    loop {
        tokio::select! {
            count = near.read(&mut said) => {
                let words = &said[..count?];
                marked |= says(words, MARK);
                if marked && says(words, "COMMIT") && !dead.swap(true, Ordering::Relaxed) {
                    return Ok(Some(LastWord { word: words.to_vec(), to: far }));
                }
                if words.is_empty() {
                    return Ok(None);
                }
                far.write_all(words).await?;
            }
            count = far.read(&mut answered) => match count? {
                0 => return Ok(None),
                count => near.write_all(&answered[..count]).await?,
            },
        }
    }
}

/// A player creates a table where nobody else sits yet.
async fn gathering(address: &str) -> (Hub, TableId) {
    let hub = Hub::new(Store::open(address).await.unwrap(), Arc::default(), 10);
    let sat = Event::Sat { seat: seat(0), who: Sitter::Player { player: player(0), face: face(), seeds: false } };
    let mut terms = terms();
    terms.players = 3;
    let (id, _) = hub.open(Opening { terms, events: vec![sat] }).await.unwrap();
    (hub, id)
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// The outcome when nothing is too slow any more.
async fn at_last<T>(doing: impl AsyncFn() -> Result<T, HubError>) -> Result<T, HubError> {
    let trying = async {
        loop {
            match doing().await {
                Err(HubError::Unavailable(_)) => {}
                done => return done,
            }
        }
    };
    timeout(LONG, trying).await.expect("it works eventually")
}

async fn sit(hub: &Hub, id: TableId, who: u8) -> Result<(), HubError> {
    let name = if who == 1 { MARK } else { "Anna" };
    let face = Face { name: name.to_owned(), avatar: 1 };
    hub.command(id, player(who), &face, Command::Sit { seat: Some(seat(who)), seeds: false }).await
}

/// A server that does not know whether a player has sat down: PostgreSQL has not received the last message about it.
struct Unsure {
    hub: Hub,
    id: TableId,
    live: Arc<Live>,
    last: Option<LastWord>,
    /// Another server, with a working connection.
    other: Hub,
    _folder: TempDir,
}

impl Unsure {
    async fn new() -> Self {
        let address = Postgres::shared().database().await;
        let (other, id) = gathering(&address).await;
        let mut line = Line::to(&address);
        let hub = Hub::new(Store::open_within(&line.address, PATIENCE).await.unwrap(), Arc::default(), 10);
        tokio::spawn(hub.clone().keep_going());
        let live = hub.table(id);
        let mut unsure = Self { hub, id, live, last: None, other, _folder: line.folder };
        match unsure.sit(1).await {
            Err(HubError::Unsure) => unsure.last = line.last_words.recv().await,
            other => panic!("{other:?}"),
        }
        assert_eq!(unsure.read().await.seat_of(player(1)), None, "nobody knows of it yet");
        unsure
    }

    /// A player sits down as soon as PostgreSQL is fast enough.
    async fn sit(&self, who: u8) -> Result<(), HubError> {
        at_last(async || sit(&self.hub, self.id, who).await).await
    }

    /// The known state of the table, as soon as PostgreSQL is fast enough.
    async fn read(&self) -> Reading<'_> {
        at_last(async || self.hub.read(&self.live).await).await.unwrap()
    }

    /// All three are seated, and each has sat down once.
    async fn check(&self) {
        let room = self.read().await;
        assert_eq!([0, 1, 2].map(|who| room.seat_of(player(who))), [0, 1, 2].map(|index| Some(seat(index))));
        let stored = self.other.store().entries(self.id, 0).await.unwrap();
        assert_eq!(stored.iter().map(|entry| entry.height).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!((stored.iter().filter(|entry| entry.body.contains(MARK)).count(), room.height()), (1, 3));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_was_stored_after_all_is_announced_and_not_repeated() {
    let mut unsure = Unsure::new().await;
    let mut watching = unsure.live.watch(player(9));
    let LastWord { word, mut to } = unsure.last.take().unwrap();
    to.write_all(&word).await.unwrap();
    let told = async {
        while unsure.read().await.height() < 2 {
            watching.changed().await;
        }
    };
    timeout(LONG, told).await.expect("viewers are told");
    let again = unsure.sit(1).await;
    assert!(matches!(again, Err(HubError::Refused(Refusal::SeatedAlready(_)))), "{again:?}");
    unsure.sit(2).await.unwrap();
    unsure.check().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_was_never_stored_can_be_repeated() {
    let mut unsure = Unsure::new().await;
    unsure.last = None;
    unsure.sit(1).await.unwrap();
    unsure.sit(2).await.unwrap();
    unsure.check().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_a_table_is_retried_until_it_works() {
    let address = Postgres::shared().database().await;
    let (other, id) = gathering(&address).await;
    let hub = Hub::new(Store::open_within(&address, PATIENCE).await.unwrap(), Arc::default(), 10);
    let live = hub.table(id);
    assert_eq!(at_last(async || hub.read(&live).await).await.unwrap().height(), 1);
    sit(&other, id, 1).await.unwrap();
    let mut locks = PgConnection::connect(&address).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE").execute(&mut locks).await.unwrap();

    let reading = tokio::spawn({
        let (hub, live) = (hub.clone(), live.clone());
        async move { hub.read_until_known(live).await }
    });
    let in_vain = async {
        while !live.behind.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(LONG, in_vain).await.expect("it is tried again");
    sqlx::raw_sql("ROLLBACK").execute(&mut locks).await.unwrap();
    timeout(LONG, reading).await.expect("it is read").unwrap();
    let room = hub.read(&live).await.unwrap();
    assert_eq!((room.height(), room.seat_of(player(1))), (2, Some(seat(1))));
}
