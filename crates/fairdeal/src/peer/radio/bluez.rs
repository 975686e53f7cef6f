//! Bluetooth through BlueZ: the only code here that needs a radio.
//!
//! BlueZ notifies all guests of a characteristic at once, and tells a host who has written what. So all lines of a host
//! share one writer, and each guest takes what is meant for it.

use std::collections::{BTreeMap, BTreeSet};
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
use bluer::{Adapter, AdapterEvent, Address, Device, DiscoveryFilter, DiscoveryTransport, Session, Uuid, UuidExt as _};
use futures_util::{FutureExt as _, StreamExt as _};
use parcels::{Advertisement, Hello, LEAST_PIECE, Limits, MOST_PIECE};
use tokio::sync::mpsc;
use tokio::time::timeout;

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
/// What ATT adds to each piece.
const ATT: usize = 3;
/// What a parcel and its only piece have beside the bytes of a message.
const ONE_PIECE: usize = parcels::fast::ADDED + 2;
/// The pause between two parcels.
const PAUSE: Duration = Duration::from_millis(10);
/// How many guests are remembered.
const MOST_GUESTS: usize = 32;

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
}

/// Those who have written, and how to pass it on. Several lines may share the connection of one device.
#[derive(Default)]
struct Guests(Vec<Guest>);

struct Guest {
    device: Address,
    heard: mpsc::Sender<Vec<u8>>,
    /// The session of the hello that its line began with; none in Geogram's form.
    session: Option<u32>,
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
    let guests = Arc::new(Mutex::new(Guests::default()));
    let on_write = move |value: Vec<u8>, request: CharacteristicWriteRequest| {
        guests.lock().unwrap_or_else(PoisonError::into_inner).heard(value, &request, &write, &lines);
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
    Ok(Hosted { _session: session, _advertised: advertised, _served: served })
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

impl Guests {
    /// Somebody has written something.
    fn heard(
        &mut self,
        value: Vec<u8>,
        request: &CharacteristicWriteRequest,
        write: &mpsc::Sender<Vec<Vec<u8>>>,
        lines: &mpsc::Sender<Wire>,
    ) {
        self.0.retain(|guest| !guest.heard.is_closed());
        let from = request.device_address;
        let hello = Hello::decode(&value).ok().map(|hello| hello.session);
        let known = self.0.iter().any(|guest| guest.device == from && (hello.is_none() || guest.session == hello));
        if !known {
            if self.0.len() >= MOST_GUESTS {
                return;
            }
            let (hear, heard) = mpsc::channel(MOST_HEARD);
            let wire = Wire {
                heard,
                write: write.clone(),
                piece: piece(request.mtu.into()),
                limits: Limits::default(),
                connection: None,
            };
            if lines.try_send(wire).is_err() {
                return;
            }
            self.0.push(Guest { device: from, heard: hear, session: hello });
        }
        // Each line takes what is meant for it. What there is no room for is lost, and sent again.
        for guest in self.0.iter().filter(|guest| guest.device == from && (hello.is_none() || guest.session == hello)) {
            let _ = guest.heard.try_send(value.clone());
        }
    }
}

/// How many bytes a piece may have with this MTU.
fn piece(mtu: usize) -> usize {
    mtu.saturating_sub(ATT).clamp(LEAST_PIECE, MOST_PIECE)
}

/// Devices that advertise as we do, as they are heard, until the time is over or `enough` says so.
async fn scan<F>(
    adapter: &Adapter,
    patience: Duration,
    mut enough: impl FnMut(Advertisement, Device) -> F,
) -> Result<(), NoRadio>
where
    F: Future<Output = bool>,
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
    let mut asked: BTreeMap<Address, Instant> = BTreeMap::new();
    while let Ok(Some(event)) = tokio::time::timeout_at(until.into(), events.next()).await {
        let AdapterEvent::DeviceAdded(address) = event else { continue };
        // A device that could not be asked is asked again, but not all the time.
        if asked.get(&address).is_some_and(|at| at.elapsed() < Duration::from_secs(2)) {
            continue;
        }
        let device = adapter.device(address)?;
        let data = device.manufacturer_data().await.ok().flatten().unwrap_or_default();
        let Some(advertisement) = data.get(&COMPANY).and_then(|data| Advertisement::decode(data).ok()) else {
            continue;
        };
        asked.insert(address, Instant::now());
        if enough(advertisement, device).await {
            break;
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
            if let Some((_, sign)) = asked(&device).await {
                found.lock().unwrap_or_else(PoisonError::into_inner).push((advertisement.to_string(), sign));
            }
            // It stays connected: whoever looks for tables usually goes to one.
            false
        }
    })
    .await?;
    let mut found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found.dedup();
    Ok(found)
}

/// Connects to the host with this name that has this table.
pub(super) async fn connect(name: &str, table: TableId) -> Result<Wire, NoRadio> {
    let (session, adapter) = adapter().await?;
    let reached = Arc::new(Mutex::new(None));
    scan(&adapter, TO_LOOK, |advertisement, device| {
        let (reached, fits) = (reached.clone(), advertisement.to_string() == name);
        async move {
            if !fits {
                return false;
            }
            let Some((found, sign)) = asked(&device).await else { return false };
            if sign.table() != Some(table) {
                return false;
            }
            *reached.lock().unwrap_or_else(PoisonError::into_inner) = Some((device, found));
            true
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
    let sharing = Sharing::new(device.address());
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
        tokio::select! {
            () = reading => {}
            () = writing => {}
        }
        if sharing.was_last() {
            let _ = device.disconnect().await;
        }
        drop(session);
    });
    // Of notifications that come at the same moment, BlueZ may tell only the last. So each parcel is one piece, and there is
    // a pause after it.
    let parcel = u16::try_from(piece.saturating_sub(ONE_PIECE)).unwrap_or(u16::MAX);
    let limits = Limits { parcel, pause: PAUSE };
    Ok(Wire { heard, write, piece, limits, connection: Some(connection) })
}

/// How many lines of this program use the connection to a device.
static SHARED: Mutex<BTreeMap<Address, usize>> = Mutex::new(BTreeMap::new());

/// One of the lines of this program to a device.
struct Sharing(Address);

impl Sharing {
    fn new(device: Address) -> Self {
        *SHARED.lock().unwrap_or_else(PoisonError::into_inner).entry(device).or_default() += 1;
        Self(device)
    }

    /// Gives it up; says whether no other is left.
    fn was_last(self) -> bool {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let left = shared.get(&self.0).map_or(0, |count| count.saturating_sub(1));
        shared.insert(self.0, left);
        left == 0
    }
}
