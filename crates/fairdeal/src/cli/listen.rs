//! Where a server listens, as people write it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};

/// An address to listen on. A port alone, with or without a colon, means this machine; an address that others can
/// reach must be given in full (`0.0.0.0:7777`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listen(pub SocketAddr);

/// What was written is not such an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadListen {
    /// There is no port, or none from 0 to 65535.
    Port,
    /// The part before the port is not an address.
    Host,
}

impl fmt::Display for BadListen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let examples = "7777, localhost:7777, 0.0.0.0:7777 or [::1]:7777";
        match self {
            Self::Port => write!(f, "it needs a port from 0 to 65535, as in {examples}"),
            Self::Host => write!(f, "it must be localhost or an IP address, and a port, as in {examples}"),
        }
    }
}

impl std::error::Error for BadListen {}

impl FromStr for Listen {
    type Err = BadListen;

    fn from_str(text: &str) -> Result<Self, BadListen> {
        let text = text.trim();
        let here = IpAddr::from(Ipv4Addr::LOCALHOST);
        if let Ok(address) = text.parse() {
            return Ok(Self(address));
        }
        // An address alone, also one with colons of its own, lacks its port.
        if text.parse::<IpAddr>().is_ok() || (text.starts_with('[') && text.ends_with(']')) {
            return Err(BadListen::Port);
        }
        let (host, port) = text.rsplit_once(':').unwrap_or_else(|| match text.parse::<u16>() {
            Ok(_) => ("", text),
            Err(_) => (text, ""),
        });
        let known = host.is_empty() || host.eq_ignore_ascii_case("localhost");
        let is_address = known || host.parse::<Ipv4Addr>().is_ok() || host.starts_with('[');
        match port.parse() {
            Ok(port) if known => Ok(Self(SocketAddr::new(here, port))),
            Ok(_) => Err(BadListen::Host),
            Err(_) if is_address || (port.is_empty() && !host.contains('.')) => Err(BadListen::Port),
            Err(_) => Err(BadListen::Host),
        }
    }
}

/// In a file it is a text, or the number of a port.
impl<'de> Deserialize<'de> for Listen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl Visitor<'_> for Written {
            type Value = Listen;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an address to listen on, as \"127.0.0.1:7777\" or 7777")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Listen, E> {
                text.parse().map_err(|why| E::custom(format_args!("{text:?}: {why}")))
            }

            fn visit_i64<E: de::Error>(self, port: i64) -> Result<Listen, E> {
                self.visit_str(&port.to_string())
            }

            fn visit_u64<E: de::Error>(self, port: u64) -> Result<Listen, E> {
                self.visit_str(&port.to_string())
            }
        }
        deserializer.deserialize_any(Written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, BadListen> {
        text.parse().map(|listen: Listen| listen.0.to_string())
    }

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for text in ["7777", ":7777", "localhost:7777", "LOCALHOST:7777", " 127.0.0.1:7777 "] {
            assert_eq!(read(text).as_deref(), Ok("127.0.0.1:7777"), "{text}");
        }
        assert_eq!(read("0").as_deref(), Ok("127.0.0.1:0"));
    }

    #[test]
    fn an_address_is_taken_as_it_is() {
        for text in ["[::1]:7777", "0.0.0.0:80", "[::]:7777", "192.168.1.7:8080"] {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_examples() {
        for text in ["", "localhost", "127.0.0.1", "::1", "[::1]", "localhost:", "localhost:70000", ":x", "70000", "-1"]
        {
            assert_eq!(read(text), Err(BadListen::Port), "{text}");
        }
        for text in ["example.org:7777", "example.org", "1.2.3:80", "http://localhost:7777/"] {
            assert_eq!(read(text), Err(BadListen::Host), "{text}");
        }
        assert!(BadListen::Host.to_string().contains("[::1]:7777"));
    }

    #[test]
    fn a_file_may_have_a_number() {
        #[derive(serde::Deserialize)]
        struct File {
            listen: Listen,
        }
        let read = |text: &str| toml::from_str::<File>(text).map(|file| file.listen.0.to_string());
        assert_eq!(read("listen = 7777").unwrap(), "127.0.0.1:7777");
        assert_eq!(read("listen = \":7777\"").unwrap(), "127.0.0.1:7777");
        assert!(read("listen = 70000").unwrap_err().to_string().contains("from 0 to 65535"));
        assert!(read("listen = true").unwrap_err().to_string().contains("an address to listen on"));
    }
}
