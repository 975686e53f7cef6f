//! A hub in this program, for the tables that it hosts itself.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::thread::JoinHandle;

use ::peer::{Entry, TableKey, Ticket};
use parcels::Advertisement;
use results::{Public, Secret};
use server::ids::PrivateId;
use server::private::{Making, Standby, make, serve, stand_by};
use server::store::Store;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use super::hub::About;
use super::radio::{NoRadio, Serving, Sign};
use crate::failure::Failure;
use crate::relay::client::Trouble;
use crate::relay::hosting;

/// The port that is used if it is free.
pub(super) const USUAL_PORT: u16 = 7788;

/// A hub that runs until this is dropped.
pub(super) struct OwnHub {
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    listen: SocketAddr,
    radio: Option<Serving>,
    relay: Option<hosting::Serving>,
}

/// A hub that does not run yet, with its address.
pub(super) struct Opened {
    runtime: Runtime,
    store: Store,
    listener: TcpListener,
    listen: SocketAddr,
}

impl Opened {
    /// Opens the database, which is created if there is none, and listens.
    pub(super) fn new(database: &Path, listen: Listening) -> Result<Self, Failure> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|why| Failure::input(format!("cannot start threads: {why}")))?;
        let (store, listener) = runtime.block_on(async {
            let listener = listen.bind().await?;
            let path = database.to_str().ok_or_else(|| Failure::input(format!("{}: not text", database.display())))?;
            let store = Store::open(&format!("sqlite:{path}")).await.map_err(Failure::input)?;
            Ok::<_, Failure>((store, listener))
        })?;
        let listen = listener.local_addr().map_err(|why| Failure::input(format!("cannot listen: {why}")))?;
        Ok(Self { runtime, store, listener, listen })
    }

    /// Where it will be.
    pub(super) const fn listen(&self) -> SocketAddr {
        self.listen
    }

    /// Creates a table; returns the hub's key and the code for people who knock.
    pub(super) fn make(&self, key: &TableKey, about: &About) -> Result<(Public, Option<String>), Failure> {
        let making = Making {
            table: PrivateId(key.table().0),
            access: key.access().public(),
            game: about.game.clone(),
            seats: about.seats,
            name: about.name.clone(),
            listed: about.listed,
            knock: about.knock,
        };
        let made = self.runtime.block_on(make(&self.store, making)).map_err(Failure::input)?;
        Ok((made.hub, made.code.map(|code| code.to_string())))
    }

    /// Takes over the log of a hub that may have to be replaced.
    pub(super) fn stand_by(&self, ticket: &Ticket, key: &Secret, entries: &[Entry]) -> Result<(), Failure> {
        let making = Making {
            table: PrivateId(ticket.table().0),
            access: ticket.key.access().public(),
            // Nobody looks for this table in a lobby.
            game: String::new(),
            seats: 2,
            name: String::new(),
            listed: false,
            knock: false,
        };
        let entries = entries.iter().map(dealing::encode).collect();
        let standby = Standby { making, key: key.clone(), first: ticket.hub, entries };
        self.runtime.block_on(stand_by(&self.store, standby)).map_err(Failure::input)
    }

    /// Runs it in a thread of its own.
    pub(super) fn run(self) -> Result<OwnHub, Failure> {
        let (end, ended) = oneshot::channel();
        let Self { runtime, store, listener, listen } = self;
        let thread = std::thread::Builder::new().name("own hub".to_owned()).spawn(move || {
            let ended = async {
                // It also ends when nobody is left who could end it.
                let _ = ended.await;
            };
            runtime.block_on(serve(listener, store, ended));
        });
        let thread = thread.map_err(|why| Failure::input(format!("cannot start threads: {why}")))?;
        Ok(OwnHub { end: Some(end), thread: Some(thread), listen, radio: None, relay: None })
    }
}

impl OwnHub {
    /// Where this program itself finds it, no matter what happens to the network.
    pub(super) fn seen_from_here(&self) -> String {
        format!("http://{}", self.here())
    }

    fn here(&self) -> SocketAddr {
        let ip = if self.listen.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { self.listen.ip() };
        SocketAddr::new(ip, self.listen.port())
    }

    /// Guests reach it through a relay, too.
    pub(super) fn go_behind(&mut self, sign: hosting::Sign) -> Result<(), Trouble> {
        self.relay = Some(hosting::Serving::start(sign, self.here())?);
        Ok(())
    }

    /// The same without waiting for the relay.
    pub(super) fn stand_behind(&mut self, sign: hosting::Sign) -> Result<(), Trouble> {
        self.relay = Some(hosting::Serving::later(sign, self.here())?);
        Ok(())
    }

    /// Guests reach it over Bluetooth, too.
    pub(super) fn go_on_air(&mut self, advertisement: Advertisement, sign: Sign) -> Result<(), NoRadio> {
        self.radio = Some(Serving::start(advertisement, sign, self.here())?);
        Ok(())
    }
}

impl Drop for OwnHub {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        // What the hub has said before still gets to guests over Bluetooth or a relay.
        drop(self.relay.take());
        drop(self.radio.take());
    }
}

/// Where a hub is to listen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Listening {
    /// There, and nowhere else.
    At(SocketAddr),
    /// On all addresses of this computer, at the usual port if it is free.
    Anywhere,
    /// Only for this computer.
    Here,
}

impl Listening {
    async fn bind(self) -> Result<TcpListener, Failure> {
        let anywhere = |port| SocketAddr::from(([0, 0, 0, 0], port));
        let (address, listener) = match self {
            Self::At(address) => (address, TcpListener::bind(address).await),
            Self::Here => {
                let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                (address, TcpListener::bind(address).await)
            }
            Self::Anywhere => match TcpListener::bind(anywhere(USUAL_PORT)).await {
                Ok(listener) => (anywhere(USUAL_PORT), Ok(listener)),
                Err(_) => (anywhere(0), TcpListener::bind(anywhere(0)).await),
            },
        };
        listener
            .map_err(|why| Failure::input(format!("cannot listen on {address}: {}", crate::failure::in_words(&why))))
    }
}

/// The address of a hub that listens there, as other computers reach it.
pub(crate) fn reachable(listen: SocketAddr) -> SocketAddr {
    if !listen.ip().is_unspecified() {
        return listen;
    }
    SocketAddr::new(outgoing().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), listen.port())
}

/// The address that this computer uses towards the rest of its network. Nothing is sent to find out.
fn outgoing() -> Option<IpAddr> {
    // An address of documentation, and the group of announcements in a network without a way out.
    let towards = |to: Ipv4Addr| {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
    };
    towards(Ipv4Addr::new(192, 0, 2, 1)).or_else(|| towards(Ipv4Addr::new(224, 0, 0, 251)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_was_asked_for_is_the_one_in_the_ticket() {
        let asked: SocketAddr = "127.0.0.1:7777".parse().unwrap();
        assert_eq!(reachable(asked), asked);
        let anywhere = reachable("0.0.0.0:7777".parse().unwrap());
        assert!(!anywhere.ip().is_unspecified() && anywhere.port() == 7777, "{anywhere}");
    }
}
