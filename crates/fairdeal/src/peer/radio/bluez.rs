//! Bluetooth through BlueZ: the only code here that needs a radio.
//!
//! BlueZ notifies all guests of a characteristic at once, and tells a host who has written what. So all lines of a host
//! share one writer, and each guest takes what is meant for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::peer::TableId;
use bluer::adv::Advertisement as LeAdvertisement;
use bluer::gatt::local::{
    Application, ApplicationHandle, Characteristic, CharacteristicControl, CharacteristicControlEvent,
    CharacteristicNotify, CharacteristicNotifyMethod, CharacteristicRead, CharacteristicWrite,
    CharacteristicWriteMethod, CharacteristicWriteRequest, Service, characteristic_control,
};
use bluer::gatt::{WriteOp, remote};
use bluer::{
    Adapter, AdapterEvent, Address, Device, DeviceEvent, DeviceProperty, DiscoveryFilter, DiscoveryTransport, Session,
    Uuid, UuidExt as _,
};
use futures_util::{FutureExt as _, StreamExt as _};
use parcels::{Advertisement, LEAST_PIECE, Limits, MOST_PIECE};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::guests::Guests;
use super::seeking::Seeking;
use super::{MOST_HEARD, MOST_WRITTEN, NoRadio, Sign, Wire};

/// The company in whose name everybody may advertise.
const COMPANY: u16 = 0xFFFF;
/// Which adapter is used, such as `hci1`; the usual one if it is not set.
const ADAPTER: &str = "FAIRDEAL_BLUETOOTH";
/// How long a connection may take, and how long a host is looked for.
const TO_CONNECT: Duration = Duration::from_secs(12);
const TO_LOOK: Duration = Duration::from_secs(12);
/// How long a notification may take.
const TO_NOTIFY: Duration = Duration::from_secs(5);
/// The pause before another attempt to connect.
const AGAIN: Duration = Duration::from_millis(500);
/// How long nobody may have been notified before a connection ends. The end of a line waits longer for its connection.
const TO_BE_QUIET: Duration = Duration::from_millis(200);
/// How often a host looks for guests whose lines are over.
const TO_TIDY: Duration = Duration::from_secs(2);
/// What ATT adds to each piece.
const ATT: usize = 3;
/// What a parcel and its only piece have beside the bytes of a message.
const ONE_PIECE: usize = parcels::fast::ADDED + 2;
/// The pause between two parcels.
const PAUSE: Duration = Duration::from_millis(10);
impl From<bluer::Error> for NoRadio {
    fn from(why: bluer::Error) -> Self {
        Self::Unusable(match why.kind {
            bluer::ErrorKind::NotFound => "there is no Bluetooth adapter".to_owned(),
            bluer::ErrorKind::NotAuthorized | bluer::ErrorKind::NotPermitted => {
                "you may not use it; become a member of the group bluetooth".to_owned()
            }
            bluer::ErrorKind::NotReady => "the adapter is switched off".to_owned(),
            _ if why.message.contains("org.bluez") => "bluetoothd does not run".to_owned(),
            _ => why.to_string(),
        })
    }
}

async fn adapter() -> Result<(Session, Adapter), NoRadio> {
    let session = Session::new().await?;
    let adapter = match std::env::var(ADAPTER) {
        Ok(name) => session.adapter(&name)?,
        Err(_) => session.default_adapter().await?,
    };
    adapter.set_powered(true).await?;
    Ok((session, adapter))
}

fn uuid(short: u16) -> Uuid {
    Uuid::from_u16(short)
}

/// A table that is advertised until this is dropped.
pub(super) struct Hosted {
    _session: Session,
    _advertised: bluer::adv::AdvertisementHandle,
    _served: ApplicationHandle,
    tidied: tokio::task::JoinHandle<()>,
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.tidied.abort();
    }
}

/// Advertises a table, and hands out a wire for each guest.
pub(super) async fn host(
    advertisement: &Advertisement,
    sign: &Sign,
    lines: mpsc::Sender<Wire>,
) -> Result<Hosted, NoRadio> {
    let (session, adapter) = adapter().await?;
    let (write, written) = mpsc::channel(MOST_WRITTEN);
    let (control, handle) = characteristic_control();
    tokio::spawn(notify(control, written));
    let guests = Arc::new(Mutex::new(Guests::new(write, lines)));
    let tidied = tokio::spawn(tidy(adapter.clone(), guests.clone()));
    let on_write = move |value: Vec<u8>, request: CharacteristicWriteRequest| {
        let (from, piece) = (request.device_address, piece(request.mtu.into()));
        guests.lock().unwrap_or_else(PoisonError::into_inner).heard(from, piece, &value);
        async { Ok(()) }.boxed()
    };
    let text = sign.text();
    let on_read = move |request: bluer::gatt::local::CharacteristicReadRequest| {
        let rest = text.get(usize::from(request.offset)..).unwrap_or_default().to_vec();
        async { Ok(rest) }.boxed()
    };
    let characteristics = vec![
        Characteristic {
            uuid: uuid(parcels::WRITE),
            write: Some(CharacteristicWrite {
                write: true,
                write_without_response: true,
                method: CharacteristicWriteMethod::Fun(Box::new(on_write)),
                ..Default::default()
            }),
            ..Default::default()
        },
        Characteristic {
            uuid: uuid(parcels::NOTIFY),
            notify: Some(CharacteristicNotify {
                notify: true,
                method: CharacteristicNotifyMethod::Io,
                ..Default::default()
            }),
            control_handle: handle,
            ..Default::default()
        },
        Characteristic {
            uuid: uuid(parcels::READ),
            read: Some(CharacteristicRead { read: true, fun: Box::new(on_read), ..Default::default() }),
            ..Default::default()
        },
    ];
    let service = Service { uuid: uuid(parcels::SERVICE), primary: true, characteristics, ..Default::default() };
    let served = adapter.serve_gatt_application(Application { services: vec![service], ..Default::default() }).await?;
    let advertised = adapter
        .advertise(LeAdvertisement {
            service_uuids: BTreeSet::from([uuid(parcels::SERVICE)]),
            manufacturer_data: BTreeMap::from([(COMPANY, advertisement.encode())]),
            discoverable: Some(true),
            ..Default::default()
        })
        .await?;
    Ok(Hosted { _session: session, _advertised: advertised, _served: served, tidied })
}

/// Ends connections of guests whose lines are over: whoever is turned away, or says nothing more, must not occupy the
/// radio.
async fn tidy(adapter: Adapter, guests: Arc<Mutex<Guests<Address>>>) {
    loop {
        tokio::time::sleep(TO_TIDY).await;
        let gone = guests.lock().unwrap_or_else(PoisonError::into_inner).gone(Instant::now());
        for device in gone {
            if let Ok(device) = adapter.device(device) {
                let _ = device.disconnect().await;
            }
        }
    }
}

/// Notifies everything that is written, for as long as somebody listens.
async fn notify(mut control: CharacteristicControl, mut written: mpsc::Receiver<Vec<Vec<u8>>>) {
    let mut writer = None;
    loop {
        tokio::select! {
            event = control.next() => match event {
                Some(CharacteristicControlEvent::Notify(next)) => writer = Some(next),
                Some(CharacteristicControlEvent::Write(_)) => {}
                None => return,
            },
            pieces = written.recv() => {
                let Some(pieces) = pieces else { return };
                for piece in pieces {
                    let Some(to) = &writer else { continue };
                    // What cannot be notified is lost, and sent again.
                    let sent = timeout(TO_NOTIFY, to.send(&piece)).await.is_ok_and(|sent| sent.is_ok());
                    if !sent && to.is_closed().unwrap_or(true) {
                        writer = None;
                    }
                }
            }
        }
    }
}

/// How many bytes a piece may have with this MTU.
fn piece(mtu: usize) -> usize {
    mtu.saturating_sub(ATT).clamp(LEAST_PIECE, MOST_PIECE)
}

/// What becomes of a device that was found.
enum Found {
    /// It is the one: nobody else is looked for.
    Enough,
    /// Everything about it is known.
    Known,
    /// It did not answer, and is asked again.
    Silent,
}

/// Devices that advertise as we do, as they are heard, until the time is over or one is enough.
async fn scan<F>(
    adapter: &Adapter,
    patience: Duration,
    mut ask: impl FnMut(Advertisement, Device) -> F,
) -> Result<(), NoRadio>
where
    F: Future<Output = Found>,
{
    let filter = DiscoveryFilter {
        transport: DiscoveryTransport::Le,
        duplicate_data: false,
        uuids: [uuid(parcels::SERVICE)].into(),
        ..Default::default()
    };
    adapter.set_discovery_filter(filter).await?;
    let mut events = Box::pin(adapter.discover_devices_with_changes().await?);
    let until = Instant::now() + patience;
    // BlueZ tells about a device only once if nothing about it changes.
    let mut seeking = Seeking::new();
    while Instant::now() < until {
        let next = seeking.wake_at().unwrap_or(until).min(until);
        let mut event = tokio::time::timeout_at(next.into(), events.next()).await.ok();
        // Everything that was heard meanwhile: those that were never asked come first.
        while let Some(Some(heard)) = event {
            if let AdapterEvent::DeviceAdded(address) = heard {
                seeking.heard(address, Instant::now());
            }
            event = events.next().now_or_never();
        }
        if event.is_some() {
            break;
        }
        let Some(turn) = seeking.next(Instant::now()) else { continue };
        let device = adapter.device(turn.device)?;
        let asking = async {
            let data = device.manufacturer_data().await.ok().flatten().unwrap_or_default();
            match data.get(&COMPANY).and_then(|data| Advertisement::decode(data).ok()) {
                Some(advertisement) => Some(ask(advertisement, device).await),
                None => None,
            }
        };
        match timeout(turn.patience, asking).await {
            // It does not advertise as we do, or not yet.
            Ok(None) => {}
            Ok(Some(Found::Enough)) => break,
            Ok(Some(Found::Known)) => seeking.known(turn),
            Ok(Some(Found::Silent)) | Err(_) => seeking.silent(turn, Instant::now()),
        }
    }
    Ok(())
}

/// The characteristics of a device that is a host of ours.
struct Reached {
    write: remote::Characteristic,
    notify: remote::Characteristic,
    read: remote::Characteristic,
}

/// Connects to a device.
async fn reach(device: &Device) -> Option<Reached> {
    let until = Instant::now() + TO_CONNECT;
    while !device.is_connected().await.ok()? {
        // Another program on this computer may be connecting to it at the same time.
        let connected = timeout(TO_CONNECT, device.connect()).await.is_ok_and(|connected| connected.is_ok());
        if !connected && Instant::now() >= until {
            return None;
        }
        if !connected {
            tokio::time::sleep(AGAIN).await;
        }
    }
    for service in device.services().await.ok()? {
        if service.uuid().await.ok()? != uuid(parcels::SERVICE) {
            continue;
        }
        let mut found = BTreeMap::new();
        for characteristic in service.characteristics().await.ok()? {
            found.insert(characteristic.uuid().await.ok()?, characteristic);
        }
        let mut take = |short| found.remove(&uuid(short));
        return Some(Reached {
            write: take(parcels::WRITE)?,
            notify: take(parcels::NOTIFY)?,
            read: take(parcels::READ)?,
        });
    }
    None
}

/// What a device says about its table.
async fn asked(device: &Device) -> Option<(Reached, Sign)> {
    let reached = reach(device).await?;
    let sign = Sign::read(&timeout(TO_CONNECT, reached.read.read()).await.ok()?.ok()?)?;
    Some((reached, sign))
}

/// The tables of hosts in range.
pub(super) async fn find(patience: Duration) -> Result<Vec<(String, Sign)>, NoRadio> {
    let (_session, adapter) = adapter().await?;
    let found = Arc::new(Mutex::new(Vec::new()));
    scan(&adapter, patience, |advertisement, device| {
        let found = found.clone();
        async move {
            // It stays connected: whoever looks for tables usually goes to one.
            let Some((_, sign)) = asked(&device).await else { return Found::Silent };
            found.lock().unwrap_or_else(PoisonError::into_inner).push((advertisement.to_string(), sign));
            Found::Known
        }
    })
    .await?;
    let mut found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found.dedup();
    Ok(found)
}

/// Connects to the host with this name that has this table. The connection may outlive the line.
pub(super) async fn connect(name: &str, table: TableId, stays: bool) -> Result<Wire, NoRadio> {
    let sharing = Sharing::new();
    let (session, adapter) = adapter().await?;
    let reached = Arc::new(Mutex::new(None));
    scan(&adapter, TO_LOOK, |advertisement, device| {
        let (reached, fits) = (reached.clone(), advertisement.to_string() == name);
        async move {
            if !fits {
                return Found::Known;
            }
            let Some((found, sign)) = asked(&device).await else { return Found::Silent };
            if sign.table() != Some(table) {
                return Found::Known;
            }
            *reached.lock().unwrap_or_else(PoisonError::into_inner) = Some((device, found));
            Found::Enough
        }
    })
    .await?;
    let found = reached.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (device, reached) = found.ok_or_else(|| NoRadio::OutOfRange(name.to_owned()))?;
    // Several programs, and several lines of one, may share the connection: nobody takes a characteristic for itself.
    let mut notified = Box::pin(reached.notify.notify().await?);
    let piece = piece(reached.write.mtu().await?);
    let (hear, heard) = mpsc::channel(MOST_HEARD);
    let (write, mut written) = mpsc::channel::<Vec<Vec<u8>>>(MOST_WRITTEN);
    let mut events = Box::pin(device.events().await?);
    let connection = tokio::spawn(async move {
        let reading = async {
            while let Some(piece) = notified.next().await {
                if hear.send(piece).await.is_err() {
                    return;
                }
            }
        };
        let command = remote::CharacteristicWriteRequest { op_type: WriteOp::Command, ..Default::default() };
        let writing = async {
            while let Some(pieces) = written.recv().await {
                for piece in pieces {
                    if reached.write.write_ext(&piece, &command).await.is_err() {
                        return;
                    }
                }
            }
        };
        let lost = async {
            while let Some(DeviceEvent::PropertyChanged(change)) = events.next().await {
                if matches!(change, DeviceProperty::Connected(false)) {
                    return;
                }
            }
        };
        tokio::select! {
            () = reading => {}
            () = writing => {}
            () = lost => {}
        }
        // Nobody is notified for this line any more.
        drop((notified, sharing));
        if !stays {
            part(&device, &reached.notify).await;
        }
        drop(session);
    });
    // Of notifications that come at the same moment, BlueZ may tell only the last. So each parcel is one piece, and there is
    // a pause after it.
    let parcel = u16::try_from(piece.saturating_sub(ONE_PIECE)).unwrap_or(u16::MAX);
    let limits = Limits { parcel, pause: PAUSE };
    Ok(Wire { heard, write, piece, limits, everybody: false, connection: Some(connection) })
}

/// How many lines this program has, or is about to have.
static LINES: AtomicUsize = AtomicUsize::new(0);

/// One of the lines of this program.
struct Sharing;

impl Sharing {
    fn new() -> Self {
        LINES.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        LINES.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends a connection, unless another line of this program needs it, or another program, which is notified as well.
async fn part(device: &Device, notify: &remote::Characteristic) {
    // BlueZ takes a moment to notice that this line is no longer notified.
    tokio::time::sleep(TO_BE_QUIET).await;
    if LINES.load(Ordering::SeqCst) == 0 && !notify.notifying().await.is_ok_and(|notifying| notifying == Some(true)) {
        let _ = device.disconnect().await;
    }
}
