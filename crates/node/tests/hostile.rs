//! A chain goes on, and so does a hand, while strangers do their worst at the ports of its nodes.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]

mod common;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use chain::bank;
use chain::client::Wallet;
use chain::{Body, Coins, Hash, Signed, Tx, hex};
use common::{Net, PATIENCE};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// Strangers with addresses of their own, until they are told to stop. What they did is counted.
struct Flood {
    stop: Arc<AtomicBool>,
    runtime: tokio::runtime::Runtime,
    done: Vec<(&'static str, Arc<AtomicU64>)>,
}

impl Flood {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        Self { stop: Arc::default(), runtime, done: Vec::new() }
    }

    /// So many strangers at 127.0.0.`last` do this again and again, but not for ever.
    fn by<F: Future<Output = ()> + Send>(
        &mut self,
        what: &'static str,
        (last, count): (u8, usize),
        to: SocketAddr,
        act: impl Fn(TcpStream) -> F + Send + Sync + 'static,
    ) {
        let (act, done) = (Arc::new(act), Arc::new(AtomicU64::new(0)));
        self.done.push((what, Arc::clone(&done)));
        for _ in 0..count {
            let (act, done, stop) = (Arc::clone(&act), Arc::clone(&done), Arc::clone(&self.stop));
            self.runtime.spawn(async move {
                for _ in 0..2_000 {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if let Ok(line) = connect(last, to).await {
                        done.fetch_add(1, Ordering::Relaxed);
                        let _ = timeout(Duration::from_secs(20), act(line)).await;
                    }
                    sleep(Duration::from_millis(100)).await;
                }
            });
        }
    }

    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        for (what, done) in &self.done {
            assert!(done.load(Ordering::Relaxed) > 0, "nobody did this: {what}");
        }
        self.runtime.shutdown_background();
    }
}

/// A connection from another address of this computer.
async fn connect(last: u8, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0)))?;
    socket.connect(to).await
}

/// Reads until the other side closes.
async fn read_all(mut line: TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    let _ = line.read_to_end(&mut all).await;
    all
}

async fn post(mut line: TcpStream, body: &[u8]) {
    let head = format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    let _ = line.write_all(head.as_bytes()).await;
    let _ = line.write_all(body).await;
    read_all(line).await;
}

/// Becomes a WebSocket.
async fn upgrade(line: &mut TcpStream, path: &str) {
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    let _ = line.write_all(head.as_bytes()).await;
    let mut answer = [0; 512];
    let _ = line.read(&mut answer).await;
}

/// A frame with a mask of zeros: the first byte says what it is.
fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[first, 0xfe], &length[..], &[0; 4], content].concat()
}

/// A transaction like any other, but signed by nobody.
fn forged(chain: Hash, number: u64) -> Vec<u8> {
    let body = Body::Bank(bank::Tx::Transfer { to: chain::Address([1; 32]), coins: Coins(number) });
    let from = Wallet::new(&[100; 32]).address();
    let tx = Tx { chain, from, nonce: 1, fee: Coins(1_000_000), body };
    borsh::to_vec(&Signed { tx, signature: [7; 64] }).unwrap()
}

fn strangers(net: &Net) -> Flood {
    let (rpc, chain) = (net.rpc(0), net.genesis.chain());
    let (peers, _) = net.plan.addresses(0);
    let mut flood = Flood::new();
    flood.by("half open", (2, 100), rpc, |line| async move {
        read_all(line).await;
    });
    flood.by("slow bytes", (3, 30), rpc, |mut line| async move {
        for byte in b"POST / HTTP/1.1\r\nHost: slow-and-slower\r\n".iter().cycle() {
            if line.write_all(&[*byte]).await.is_err() {
                return;
            }
            sleep(Duration::from_millis(100)).await;
        }
    });
    flood.by("slow bodies", (3, 20), rpc, |mut line| async move {
        let _ = line.write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n").await;
        while line.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(100)).await;
        }
    });
    flood.by("huge heads", (4, 3), rpc, |mut line| async move {
        let _ = line.write_all(b"GET / HTTP/1.1\r\nX: ").await;
        let _ = line.write_all(&vec![b'x'; 1 << 20]).await;
        read_all(line).await;
    });
    flood.by("huge bodies", (4, 3), rpc, |mut line| async move {
        let _ = line.write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n").await;
        while line.write_all(&[b' '; 4_096]).await.is_ok() {}
    });
    flood.by("malformed requests", (4, 5), rpc, |line| async move {
        post(line, br#"{"id":1,"method":"submit","params":{"transaction":"00ff00ff"}}"#).await;
    });
    let deep = "[".repeat(100_000);
    flood.by("deep JSON", (4, 2), rpc, move |line| {
        let deep = deep.clone();
        async move { post(line, deep.as_bytes()).await }
    });
    flood.by("malformed frames", (5, 5), rpc, |mut line| async move {
        upgrade(&mut line, "/ws").await;
        // Eight reserved bits, then a frame as long as a frame can be.
        let _ = line.write_all(&[0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).await;
        read_all(line).await;
    });
    flood.by("huge frames", (5, 3), rpc, |mut line| async move {
        upgrade(&mut line, "/gossip").await;
        let _ = line.write_all(&[0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]).await;
        while line.write_all(&[0; 4_096]).await.is_ok() {}
    });
    flood.by("subscribers who never read", (5, 20), rpc, |mut line| async move {
        upgrade(&mut line, "/ws").await;
        for _ in 0..2_000 {
            let ask = json!({ "id": 1, "method": "subscribe", "params": { "from": 0 } }).to_string();
            if line.write_all(&frame(0x81, ask.as_bytes())).await.is_err() {
                return;
            }
        }
        sleep(Duration::from_secs(60)).await;
    });
    let number = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&number);
    flood.by("forged transactions", (6, 4), rpc, move |line| {
        let bytes = hex(&forged(chain, count.fetch_add(1, Ordering::Relaxed)));
        let ask = json!({ "id": 1, "method": "submit", "params": { "transaction": bytes } }).to_string();
        async move { post(line, ask.as_bytes()).await }
    });
    flood.by("forged transactions from a node", (7, 4), rpc, move |mut line| {
        let count = Arc::clone(&number);
        async move {
            upgrade(&mut line, "/gossip").await;
            for _ in 0..1_000 {
                let bytes = forged(chain, count.fetch_add(1, Ordering::Relaxed));
                if line.write_all(&frame(0x82, &bytes)).await.is_err() {
                    return;
                }
            }
        }
    });
    flood.by("silence at the peer port", (8, 100), peers, |line| async move {
        read_all(line).await;
    });
    flood.by("nonsense at the peer port", (9, 20), peers, |mut line| async move {
        let _ = line.write_all(b"\x13/multistream/1.0.0\n\x07/noise\n").await;
        let _ = line.write_all(&vec![0xff; 100_000]).await;
        read_all(line).await;
    });
    flood
}

/// A figure of a node.
fn figure(net: &Net, name: &str) -> u64 {
    let text = common::get(net.rpc(0), "/metrics").unwrap();
    let line = text.lines().find(|line| line.starts_with(&format!("{name}{{"))).unwrap_or_else(|| panic!("{text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_hand_goes_on_while_strangers_do_their_worst() {
    let mut net = Net::new(2, 2, 500);
    net.start_all();
    net.open_table(0);
    net.play(1, 0);
    let before = net.height(0).unwrap();
    let flood = strangers(&net);
    net.wait("a flood", || figure(&net, "fairdeal_refused_connections_total") > 20);
    net.play(1, 0);
    let during = net.height(0).unwrap();
    assert!(during > before + 5, "blocks from {before} to {during}");
    // Both still agree, and pass on what they are told.
    net.await_height(1, during);
    assert!(figure(&net, "fairdeal_peers") > 0 && figure(&net, "fairdeal_refused_transactions_total") > 0);
    flood.stop();
    let after = net.height(0).unwrap();
    net.await_height(0, after + 2);
}

/// Whoever says nothing is not waited for.
#[test]
fn silent_connections_are_closed() {
    let mut net = Net::new(1, 0, 500);
    net.start_all();
    net.await_height(0, 1);
    let rpc = net.rpc(0);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let silent = read_all(connect(2, rpc).await.unwrap());
        let slow = async {
            let mut line = connect(3, rpc).await.unwrap();
            line.write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{").await.unwrap();
            read_all(line).await
        };
        let (_, said) = timeout(PATIENCE, async { tokio::join!(silent, slow) }).await.expect("both are closed");
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("the request took too long"), "{said}");
    });
}
