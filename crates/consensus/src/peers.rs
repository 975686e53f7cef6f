//! Addresses of other nodes.

use core::fmt;
use core::net::SocketAddr;
use core::str::FromStr;

use arc_malachitebft_app_channel::app::net::Multiaddr;

/// Where the engine of another node listens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peer(pub SocketAddr);

/// An address that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPeer(String);

impl fmt::Display for BadPeer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not an address like 192.0.2.7:26000", self.0)
    }
}

impl core::error::Error for BadPeer {}

impl FromStr for Peer {
    type Err = BadPeer;
    fn from_str(text: &str) -> Result<Self, BadPeer> {
        text.parse().map(Self).map_err(|_| BadPeer(text.to_owned()))
    }
}

impl Peer {
    pub(crate) fn multiaddr(self) -> Multiaddr {
        let Self(address) = self;
        let family = if address.is_ipv4() { "ip4" } else { "ip6" };
        let text = format!("/{family}/{}/tcp/{}", address.ip(), address.port());
        text.parse().expect("an address and a port make a multiaddress")
    }
}
