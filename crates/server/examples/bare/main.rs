//! The cost of sockets alone on this machine: a server that knows no game at all, and the load for it.
//!
//! Sockets come in pairs. Every message from one of a pair is passed on to both, as a table tells both of its seats
//! what one of them did; then it is the other's turn to send. A server that tells every player about every action over
//! a separate socket cannot do with less than this one.
//!
//! ```text
//! bare &                              prints its address
//! bare 127.0.0.1:7000 $! 2000 10      puts load on it for ten seconds, and prints one line of JSON
//! ```

#[path = "../load/process.rs"]
mod process;

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use process::Process;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, accept_async_with_config, client_async_with_config};

type Failed = Box<dyn std::error::Error + Send + Sync>;
type Socket = WebSocketStream<TcpStream>;

/// As long as a message in a small game.
const MESSAGE: usize = 100;
const WARM_UP: Duration = Duration::from_secs(2);

fn main() -> Result<(), Failed> {
    let mut words = std::env::args().skip(1);
    let Some(at) = words.next() else {
        return tokio::runtime::Runtime::new()?.block_on(serve());
    };
    let mut number =
        || -> Result<u32, Failed> { Ok(words.next().ok_or("usage: bare [AT PID TABLES SECONDS]")?.parse()?) };
    let (at, pid, tables, seconds) = (at.parse()?, number()?, number()?, number()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(load(at, Process(pid), tables, Duration::from_secs(seconds.into())))
}

/// Large buffers would only help large messages.
fn small() -> Option<WebSocketConfig> {
    Some(WebSocketConfig::default().read_buffer_size(2 << 10).write_buffer_size(0))
}

async fn serve() -> Result<(), Failed> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "at {}", listener.local_addr()?)?;
    loop {
        let (first, second) = (listener.accept().await?.0, listener.accept().await?.0);
        first.set_nodelay(true)?;
        second.set_nodelay(true)?;
        tokio::spawn(pass_on(first, second));
    }
}

/// Passes each side's messages on to both.
async fn pass_on(first: TcpStream, second: TcpStream) -> Result<(), Failed> {
    let (mut first, mut second) =
        (accept_async_with_config(first, small()).await?, accept_async_with_config(second, small()).await?);
    loop {
        let message = tokio::select! {
            message = first.next() => message,
            message = second.next() => message,
        };
        let Some(message) = message else { return Ok(()) };
        let message = message?;
        first.send(message.clone()).await?;
        second.send(message).await?;
    }
}

async fn load(at: SocketAddr, process: Process, tables: u32, time: Duration) -> Result<(), Failed> {
    let said = Arc::new(AtomicU64::new(0));
    for _ in 0..tables {
        let (first, second) = (TcpStream::connect(at).await?, TcpStream::connect(at).await?);
        first.set_nodelay(true)?;
        second.set_nodelay(true)?;
        let (first, _) = client_async_with_config("ws://localhost/", first, small()).await?;
        let (second, _) = client_async_with_config("ws://localhost/", second, small()).await?;
        tokio::spawn(take_turns(first, second, said.clone()));
    }
    tokio::time::sleep(WARM_UP).await;
    let (cpu, before) = (process.cpu()?, said.load(Ordering::Relaxed));
    tokio::time::sleep(time).await;
    let (cpu, count) = (process.cpu()?.saturating_sub(cpu).as_secs_f64(), said.load(Ordering::Relaxed) - before);
    let count = f64::from(u32::try_from(count)?);
    let (per_second, per_cpu_second) = (count / time.as_secs_f64(), count / cpu);
    writeln!(
        std::io::stdout(),
        r#"{{"per_second":{per_second:.0},"per_cpu_second":{per_cpu_second:.0},"memory":{}}}"#,
        process.memory()?
    )?;
    Ok(())
}

async fn take_turns(mut first: Socket, mut second: Socket, said: Arc<AtomicU64>) -> Result<(), Failed> {
    let message = Message::text("x".repeat(MESSAGE));
    loop {
        first.send(message.clone()).await?;
        first.next().await.ok_or("gone")??;
        second.next().await.ok_or("gone")??;
        said.fetch_add(1, Ordering::Relaxed);
        std::mem::swap(&mut first, &mut second);
    }
}
