//! One private table in memory, and the order of its log.
//!
//! The lock on the log is held while an entry is stored, so entries are stored one after the other. Readers do not need
//! it: they are told the height up to which everything is stored, and fetch entries at their own pace, the last ones
//! from memory and the others from the database. A slow reader costs nobody anything.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use peer::frame::{Hello, Why};
use peer::{Change, Entry, Envelope, Head, Hub, NotNext, Refused};
use results::{Public, Signature};
use tokio::sync::{Notify, watch};

use super::people::{People, Words};
use super::{Private, lock};
use crate::clock::now;
use crate::hub::random;
use crate::ids::PrivateId;
use crate::store::{AppendError, PrivateRow};

/// How many entries are read from the database at once: for a hub, and for somebody who is far behind.
const LOAD: i64 = 256;
const BATCH: i64 = 16;
/// How often storing is tried again because another server was faster.
const MOST_TRIES: usize = 32;
/// The largest log.
const MOST_BYTES: usize = 256 << 20;
/// How many bytes of the last entries are kept in memory.
const TAIL: usize = 128 << 10;
/// How long a hub that was restored from a backup waits for members who have more of the log, and how long after each
/// entry that it was missing.
const HOLD: Duration = Duration::from_secs(10);
const HOLD_ON: Duration = Duration::from_secs(2);

/// Other servers have been told nothing: no table has all these members.
const NOTHING: u64 = u64::MAX;

/// One private table.
pub(crate) struct Live {
    id: PrivateId,
    log: tokio::sync::Mutex<Option<Log>>,
    tail: Mutex<Tail>,
    /// The number of entries that are stored and known here.
    height: watch::Sender<u64>,
    pub(super) people: Mutex<People>,
    /// The members who are connected, to any server, one bit each.
    here: watch::Sender<u64>,
    /// Those who are connected to this one, as other servers know it.
    told: AtomicU64,
    /// Wakes the one who tells them.
    stir: Arc<Notify>,
    used: Mutex<Instant>,
}

/// The log, as far as this server knows it.
struct Log {
    hub: Hub,
    /// How long it is.
    bytes: usize,
    /// Until when nothing new is put in order.
    hold: Option<Instant>,
}

/// The last entries.
#[derive(Default)]
struct Tail {
    /// The height of the first.
    from: u64,
    entries: VecDeque<Bytes>,
    bytes: usize,
}

/// Somebody with a ticket has come.
pub(crate) struct Entered {
    /// The hub's key.
    pub(crate) hub: Public,
    /// The end of the log.
    pub(crate) head: Head,
    /// Their number, if they have proven that they are a member.
    pub(crate) member: Option<u8>,
    /// The hub has less of the log than they.
    pub(crate) behind: bool,
}

impl Live {
    pub(super) fn new(id: PrivateId, stir: Arc<Notify>) -> Self {
        Self {
            id,
            told: AtomicU64::new(0),
            stir,
            log: tokio::sync::Mutex::new(None),
            tail: Mutex::default(),
            height: watch::Sender::new(0),
            people: Mutex::default(),
            here: watch::Sender::new(0),
            used: Mutex::new(Instant::now()),
        }
    }

    pub(crate) const fn id(&self) -> PrivateId {
        self.id
    }

    /// The number of entries that can be read, whenever it changes.
    pub(crate) fn height(&self) -> watch::Receiver<u64> {
        self.height.subscribe()
    }

    /// The members who are connected, whenever that changes.
    pub(crate) fn here(&self) -> watch::Receiver<u64> {
        self.here.subscribe()
    }

    pub(super) fn tell_here(&self, people: &People) {
        let now = people.anywhere();
        self.here.send_if_modified(|here| std::mem::replace(here, now) != now);
        if people.here() != self.told.load(Ordering::Relaxed) {
            self.stir.notify_one();
        }
    }

    /// Which members other servers have to be told are here; nothing if they know, unless it is time to repeat it.
    pub(super) fn news(&self, repeat: bool) -> Option<u64> {
        let here = lock(&self.people).here();
        let told = self.told.swap(here, Ordering::Relaxed);
        (told != here || repeat && here != 0).then_some(here)
    }

    /// What another server says about who is there, and what they say.
    pub(super) fn hear(&self, server: u64, text: &str) {
        let mut people = lock(&self.people);
        match text.split_once(' ') {
            Some(("here", members)) => {
                if let Ok(members) = u64::from_str_radix(members, 16) {
                    if people.are_elsewhere(server, members) {
                        // It has not heard who is here.
                        self.told.store(NOTHING, Ordering::Relaxed);
                    }
                    self.tell_here(&people);
                }
            }
            Some(("words", words)) => {
                if let Some(words) = Words::read(words) {
                    people.deliver(&words);
                }
            }
            _ => {}
        }
    }

    /// Servers that have said nothing for this long are gone.
    pub(super) fn forget_servers(&self, after: Duration) {
        let mut people = lock(&self.people);
        people.forget_servers(after);
        self.tell_here(&people);
    }

    pub(super) fn members_here(&self) -> usize {
        usize::try_from(self.here.borrow().count_ones()).unwrap_or(0)
    }

    /// Whether somebody with a ticket is connected.
    pub(super) fn is_attended(&self) -> bool {
        lock(&self.people).is_attended()
    }

    pub(super) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    pub(super) fn is_idle(&self, after: Duration) -> bool {
        lock(&self.people).is_empty() && lock(&self.used).elapsed() >= after
    }

    /// An entry is stored at this height.
    fn stored(&self, height: u64, entry: Bytes) {
        lock(&self.tail).push(height, entry);
        self.height.send_replace(height + 1);
    }
}

impl Tail {
    fn push(&mut self, height: u64, entry: Bytes) {
        if self.from + u64::try_from(self.entries.len()).unwrap_or(u64::MAX) != height {
            *self = Self { from: height, ..Self::default() };
        }
        self.bytes += entry.len();
        self.entries.push_back(entry);
        while self.bytes > TAIL
            && let Some(first) = self.entries.pop_front()
        {
            self.bytes -= first.len();
            self.from += 1;
        }
    }

    /// The entries from a height on, unless they are older than those in memory.
    fn since(&self, height: u64) -> Option<Vec<Bytes>> {
        let skip = usize::try_from(height.checked_sub(self.from)?).ok()?;
        (skip < self.entries.len()).then(|| self.entries.iter().skip(skip).cloned().collect())
    }
}

impl Private {
    /// Somebody says hello: checks their ticket, and that they are the member they say.
    ///
    /// # Errors
    /// Says why they are not let in.
    pub(crate) async fn hello(
        &self,
        live: &Live,
        row: &PrivateRow,
        hello: &Hello,
        challenge: &[u8; 32],
    ) -> Result<Entered, Why> {
        // Cheap, and before anything is read for a stranger.
        if hello.table != live.id().table() || !hello.has_ticket(&row.access, challenge) {
            return Err(Why::NotAdmitted);
        }
        let mut log = live.log.lock().await;
        let log = self.load(live, &mut log).await?;
        if self.store().is_shared() {
            self.read_on(live, log).await?;
        }
        let (head, chain) = (log.hub.head(), log.hub.chain());
        let behind = hello.have.height > head.height;
        if !behind && !chain.contains(hello.have) {
            return Err(Why::Unfit);
        }
        let member = match hello.member(|number| chain.member(number).copied(), challenge) {
            Ok(member) => member,
            // It may have lost the entry in which they joined; they are asked again when it has that back.
            Err(_) if behind => None,
            Err(why) => return Err(why),
        };
        Ok(Entered { hub: log.hub.key(), head, member, behind })
    }

    /// Puts an envelope into the log, and returns the number of its author.
    ///
    /// # Errors
    /// Says why not, and which of the author's envelopes it was.
    pub(crate) async fn append(&self, live: &Live, sender: Option<u8>, bytes: &[u8]) -> Result<u8, (u32, Why)> {
        let mut locked = live.log.lock().await;
        let log = self.load(live, &mut locked).await.map_err(|why| (0, why))?;
        let envelope = log.hub.receive(sender, bytes, clock()).map_err(|why| (0, refusal(why)))?;
        let sequence = envelope.sequence;
        let taken = self.order(live, log, envelope).await;
        if matches!(taken, Err(Why::Storage)) {
            // What was stored, if anything, shows when it is read again.
            *locked = None;
        }
        match &taken {
            Ok(_) => drop(self.0.metrics.private_entries.inc()),
            Err(_) => drop(self.0.metrics.refused.inc()),
        }
        taken.map_err(|why| (sequence, why))
    }

    async fn order(&self, live: &Live, log: &mut Log, envelope: Envelope) -> Result<u8, Why> {
        if let Some(until) = log.hold {
            let left = until.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                return Err(Why::TooMuch(u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1)));
            }
            self.store().recovered_private(live.id()).await.map_err(|why| self.failed(live, &why))?;
            log.hold = None;
        }
        for _ in 0..MOST_TRIES {
            let aux = random().map_err(|_| Why::Storage)?;
            let entry = log.hub.order(envelope.clone(), clock(), &aux).map_err(refusal)?;
            let (height, bytes) = (log.hub.head().height, dealing::encode(&entry));
            if log.bytes + bytes.len() > MOST_BYTES {
                return Err(Why::Full);
            }
            match self.store().append_private(live.id(), height, bytes.clone()).await {
                Ok(()) => return self.take(live, log, &entry, bytes, Hub::keep),
                Err(AppendError::Conflict) => {
                    self.0.metrics.conflicts.inc();
                    self.read_on(live, log).await?;
                }
                Err(AppendError::NoTable) => return Err(Why::NoTable),
                Err(why) => return Err(self.failed(live, &why)),
            }
        }
        Err(Why::Storage)
    }

    /// The member who runs this hub hands it a change that people have signed. The same change again is fine.
    ///
    /// # Errors
    /// Says why it is not taken.
    pub(crate) async fn install(&self, live: &Live, change: &Change, signature: &Signature) -> Result<(), Why> {
        let mut locked = live.log.lock().await;
        let log = self.load(live, &mut locked).await?;
        if log.hub.chain().contains(change.proposal.after(live.id().table())) {
            return Ok(());
        }
        let entry = log.hub.install(change, signature).map_err(|_| Why::Unfit)?;
        let (height, bytes) = (log.hub.head().height, dealing::encode(&entry));
        match self.store().append_private(live.id(), height, bytes.clone()).await {
            Ok(()) => self.take(live, log, &entry, bytes, Hub::keep).map(drop),
            Err(AppendError::Conflict) => self.read_on(live, log).await,
            Err(AppendError::NoTable) => Err(Why::NoTable),
            Err(why) => {
                *locked = None;
                Err(self.failed(live, &why))
            }
        }
    }

    /// A member returns an entry that this hub has signed and lost, or that the hub had signed which it may replace.
    /// Nothing happens if it is not the next one.
    ///
    /// # Errors
    /// Fails if it cannot be decoded or stored.
    pub(crate) async fn give_back(&self, live: &Live, bytes: &[u8]) -> Result<(), Why> {
        let entry: Entry = dealing::decode(bytes).map_err(|_| Why::Malformed)?;
        let mut locked = live.log.lock().await;
        let log = self.load(live, &mut locked).await?;
        let (head, chain) = (log.hub.head(), log.hub.chain());
        // Whether a change of the hub is signed by enough people only they can tell: it has to be installed.
        let Some(said) = entry.said().filter(|said| said.head(live.id().table(), head, chain.hub()).is_some()) else {
            return Ok(());
        };
        // What is stored must fit: a hub must not stumble over its own log.
        if said.clock < chain.clock() || chain.admit(&said.envelope).is_err() {
            return Err(Why::Unfit);
        }
        log.hold = log.hold.map(|until| until.max(Instant::now() + HOLD_ON));
        match self.store().append_private(live.id(), head.height, bytes.to_vec()).await {
            Ok(()) => self.take(live, log, &entry, bytes.to_vec(), Hub::adopt).map(drop),
            Err(AppendError::Conflict) => self.read_on(live, log).await,
            Err(AppendError::NoTable) => Err(Why::NoTable),
            Err(why) => {
                *locked = None;
                Err(self.failed(live, &why))
            }
        }
    }

    /// Whether a member who was not known when they said hello is known now.
    pub(crate) async fn member(&self, live: &Live, hello: &Hello, challenge: &[u8; 32]) -> Option<u8> {
        let log = live.log.lock().await;
        let chain = log.as_ref()?.hub.chain();
        hello.member(|number| chain.member(number).copied(), challenge).ok().flatten()
    }

    /// The hub's key.
    ///
    /// # Errors
    /// Fails if there is no such table, or the database cannot be read.
    pub(crate) async fn hub_key(&self, live: &Live) -> Result<Public, Why> {
        self.key(live).await.map(|key| key.public())
    }

    async fn key(&self, live: &Live) -> Result<results::Secret, Why> {
        let secret = self.store().private_secret(live.id()).await;
        let secret = secret.map_err(|why| self.failed(live, &AppendError::Unavailable(why)))?;
        results::Secret::from_bytes(secret.ok_or(Why::NoTable)?.expose()).map_err(|_| self.garbled(live))
    }

    /// Some entries from a height on.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub(crate) async fn entries(&self, live: &Live, from: u64) -> Result<Vec<Bytes>, Why> {
        if let Some(tail) = lock(&live.tail).since(from) {
            return Ok(tail);
        }
        let entries = self.store().private_entries(live.id(), from, BATCH).await;
        Ok(entries.map_err(|_| Why::Storage)?.into_iter().map(Bytes::from).collect())
    }

    /// Another server has added to the log.
    pub(super) async fn catch_up(&self, live: &Live) {
        let mut log = live.log.lock().await;
        if let Some(log) = log.as_mut() {
            // If that fails, the next one who does something here reads it.
            let _ = self.read_on(live, log).await;
        }
    }

    async fn load<'l>(&self, live: &Live, log: &'l mut Option<Log>) -> Result<&'l mut Log, Why> {
        if log.is_none() {
            let row = self.store().private(live.id()).await;
            let Some(row) = row.map_err(|why| self.failed(live, &AppendError::Unavailable(why)))? else {
                self.drop_unknown(live);
                return Err(Why::NoTable);
            };
            let (table, key) = (live.id().table(), self.key(live).await?);
            let hub = match row.first {
                None => Hub::new(table, row.access, key),
                Some(first) => Hub::standby(table, row.access, first, key),
            };
            let (hub, bytes) = self.read_all(live, hub).await?;
            live.height.send_replace(hub.head().height);
            *log = Some(Log { hub, bytes, hold: row.restored.then(|| Instant::now() + HOLD) });
        }
        log.as_mut().ok_or(Why::Storage)
    }

    /// Reads a log from its beginning, and counts its bytes. That may take a while, so nobody else waits for it.
    async fn read_all(&self, live: &Live, mut hub: Hub) -> Result<(Hub, usize), Why> {
        let mut bytes = 0;
        loop {
            let read = self.store().private_entries(live.id(), hub.head().height, LOAD).await;
            let read = read.map_err(|why| self.failed(live, &AppendError::Unavailable(why)))?;
            if read.is_empty() {
                return Ok((hub, bytes));
            }
            bytes += read.iter().map(Vec::len).sum::<usize>();
            let reading = tokio::task::spawn_blocking(move || {
                let mut all = read.iter().map(|bytes| dealing::decode::<Entry>(bytes).ok());
                all.all(|entry| entry.is_some_and(|entry| hub.keep(&entry).is_ok())).then_some(hub)
            });
            hub = reading.await.map_err(|_| Why::Storage)?.ok_or_else(|| self.garbled(live))?;
        }
    }

    /// Reads what other servers have stored.
    async fn read_on(&self, live: &Live, log: &mut Log) -> Result<(), Why> {
        loop {
            let read = self.store().private_entries(live.id(), log.hub.head().height, BATCH).await;
            let read = read.map_err(|why| self.failed(live, &AppendError::Unavailable(why)))?;
            if read.is_empty() {
                return Ok(());
            }
            for bytes in read {
                let entry: Entry = dealing::decode(&bytes).map_err(|_| self.garbled(live))?;
                // A change was checked by the server that its member is connected to.
                let how = if entry.said().is_some() { Hub::adopt } else { Hub::keep };
                self.take(live, log, &entry, bytes, how)?;
            }
        }
    }

    /// An entry is stored: from now on it counts.
    fn take(
        &self,
        live: &Live,
        log: &mut Log,
        entry: &Entry,
        bytes: Vec<u8>,
        how: fn(&mut Hub, &Entry) -> Result<u8, NotNext>,
    ) -> Result<u8, Why> {
        let height = log.hub.head().height;
        let number = how(&mut log.hub, entry).map_err(|_| self.garbled(live))?;
        log.bytes += bytes.len();
        live.stored(height, bytes.into());
        Ok(number)
    }

    /// Operators are told once that storing fails, not once per table.
    fn failed(&self, live: &Live, why: &AppendError) -> Why {
        self.0.metrics.failures.inc();
        tracing::debug!(table = live.id().tag(), %why, "a private table could not be read or written");
        Why::Storage
    }

    fn garbled(&self, live: &Live) -> Why {
        self.store().passed_over(&live.id().tag(), "the log of a private table is damaged");
        Why::Storage
    }
}

/// The hub's clock, in milliseconds since 1970.
fn clock() -> u64 {
    u64::try_from(now().0).unwrap_or(0)
}

fn refusal(why: Refused) -> Why {
    match why {
        Refused::Malformed(_) => Why::Malformed,
        Refused::Unfit(peer::Unfit::Full | peer::Unfit::TooLong) => Why::Full,
        Refused::Unfit(_) => Why::Unfit,
        Refused::NotInOffice => Why::NotInOffice,
        Refused::Budget(exceeded) => Why::TooMuch(u32::try_from(exceeded.wait).unwrap_or(u32::MAX)),
    }
}
