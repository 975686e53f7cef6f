//! How long the server waits for the other side of a connection before it gives up.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long the server waits for a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For the head of a request.
    pub ask: Duration,
    /// For the whole body. Bodies are short.
    pub send: Duration,
    /// For the client to read any part of the response.
    pub take: Duration,
    /// On a socket, between checks whether the client is still there; the second one without an answer is the last.
    pub ping: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { ask: seconds(10), send: seconds(20), take: seconds(20), ping: seconds(25) }
    }
}

/// A request whose body must arrive in time.
pub(super) fn in_time(request: Request, patience: Duration) -> Request {
    request.map(|body| {
        if hyper::body::Body::is_end_stream(&body) {
            return body;
        }
        Body::new(InTime { body, until: Box::pin(sleep(patience)) })
    })
}

/// A body that is given up when its time is up.
struct InTime {
    body: Body,
    until: Pin<Box<Sleep>>,
}

impl hyper::body::Body for InTime {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        ready!(this.until.as_mut().poll(cx));
        Poll::Ready(Some(Err(axum::Error::new(io::Error::from(io::ErrorKind::TimedOut)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The most bytes over a socket: this many at once, and then this many per second. Nobody clicks faster.
const AT_ONCE: usize = 256 << 10;
const A_SECOND: usize = 64 << 10;
/// At private tables players shuffle and prove it themselves: four times as much at once, and twice as much per second.
const MORE_AT_ONCE: usize = 4;
const MORE_A_SECOND: usize = 2;
/// How long reading pauses once that is used up.
const PAUSE: Duration = Duration::from_millis(250);

/// How fast a connection is read: requests as fast as they arrive, and sockets no faster than that. Even data that
/// never becomes a whole message must be parsed, so counting messages is not enough.
#[derive(Clone, Default)]
pub(super) struct Inflow(Arc<AtomicU8>);

impl Inflow {
    /// From now on it is a socket.
    pub(super) fn is_socket(&self) {
        self.0.store(SOCKET, Ordering::Relaxed);
    }

    /// From now on it is a socket of a private table.
    pub(super) fn is_private(&self) {
        self.0.store(PRIVATE, Ordering::Relaxed);
    }
}

const SOCKET: u8 = 1;
const PRIVATE: u8 = 2;

/// How many bytes may still be read.
struct Budget {
    left: usize,
    at: Instant,
    /// Whether it is that of a private table.
    private: bool,
}

impl Budget {
    fn new(now: Instant) -> Self {
        Self { left: AT_ONCE, at: now, private: false }
    }

    /// From now on there is more of it.
    fn grow(&mut self) {
        if !std::mem::replace(&mut self.private, true) {
            self.left += (MORE_AT_ONCE - 1) * AT_ONCE;
        }
    }

    /// How many bytes may be read now.
    fn now(&mut self, now: Instant) -> usize {
        let (at_once, a_second) = match self.private {
            false => (AT_ONCE, A_SECOND),
            true => (MORE_AT_ONCE * AT_ONCE, MORE_A_SECOND * A_SECOND),
        };
        let millis = usize::try_from(now.saturating_duration_since(self.at).as_millis()).unwrap_or(usize::MAX);
        let more = millis.saturating_mul(a_second) / 1000;
        // Less than a byte's worth of time is not lost.
        if more > 0 {
            (self.left, self.at) = (self.left.saturating_add(more).min(at_once), now);
        }
        self.left
    }
}

/// A stream that breaks if the other side reads nothing for too long. How long it may send nothing is decided
/// elsewhere: on a socket that is fine. How fast it may send there is limited here, by not reading.
pub(super) struct Taken<S> {
    stream: S,
    patience: Duration,
    /// Runs while the other side is to read.
    waiting: Option<Pin<Box<Sleep>>>,
    inflow: Inflow,
    budget: Budget,
    /// Runs while reading pauses.
    pausing: Option<Pin<Box<Sleep>>>,
}

impl<S> Taken<S> {
    pub(super) fn new(stream: S, patience: Duration, inflow: Inflow) -> Self {
        let budget = Budget::new(Instant::now());
        Self { stream, patience, waiting: None, inflow, budget, pausing: None }
    }

    fn waited(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        ready!(self.waiting.get_or_insert_with(|| Box::pin(sleep(patience))).as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        match this.inflow.0.load(Ordering::Relaxed) {
            SOCKET => {}
            PRIVATE => this.budget.grow(),
            _ => return Pin::new(&mut this.stream).poll_read(cx, into),
        }
        if let Some(pausing) = &mut this.pausing {
            ready!(pausing.as_mut().poll(cx));
            this.pausing = None;
        }
        let most = this.budget.now(Instant::now()).min(into.remaining());
        if most == 0 && into.remaining() > 0 {
            let mut pausing = Box::pin(sleep(PAUSE));
            // It is not over yet; polling registers the waker for its end.
            let _ = pausing.as_mut().poll(cx);
            this.pausing = Some(pausing);
            return Poll::Pending;
        }
        let mut part = ReadBuf::new(into.initialize_unfilled_to(most));
        ready!(Pin::new(&mut this.stream).poll_read(cx, &mut part))?;
        let count = part.filled().len();
        this.budget.left = this.budget.left.saturating_sub(count);
        into.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.waited(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.waited(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_read_no_faster_than_people_click() {
        let start = Instant::now();
        let mut budget = Budget::new(start);
        assert_eq!(budget.now(start), AT_ONCE);
        budget.left = 0;
        let (mut read, mut now) = (0, start);
        for _ in 0..100_000 {
            now += Duration::from_micros(100);
            read += budget.now(now);
            budget.left = 0;
        }
        assert!((10 * A_SECOND * 9 / 10..=10 * A_SECOND).contains(&read), "{read} in ten seconds");
        let hour = Duration::from_secs(3600);
        assert_eq!(budget.now(now + hour), AT_ONCE, "waiting does not add more");
        budget.grow();
        assert_eq!(budget.now(now + hour), 4 * AT_ONCE, "players who shuffle send more");
        budget.grow();
        assert_eq!(budget.now(now + 2 * hour), 4 * AT_ONCE);
    }

    #[tokio::test]
    async fn requests_are_read_as_fast_as_they_come_and_sockets_wait() {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut there, here) = tokio::io::duplex(4 * AT_ONCE);
        let inflow = Inflow::default();
        let mut taken = Taken::new(here, Duration::from_secs(60), inflow.clone());
        there.write_all(&vec![7; 4 * AT_ONCE]).await.unwrap();
        let mut some = vec![0; 2 * AT_ONCE];
        taken.read_exact(&mut some).await.unwrap();
        inflow.is_socket();
        let mut at_once = 0;
        let mut some = vec![0; 4096];
        while let Some(count) = futures_util::FutureExt::now_or_never(taken.read(&mut some)) {
            at_once += count.unwrap();
        }
        assert!((AT_ONCE..2 * AT_ONCE).contains(&at_once), "{at_once}");
        let more = taken.read(&mut some).await.unwrap();
        assert!(more > 0 && some.iter().take(more).all(|byte| *byte == 7), "it is read after the pause");
    }
}
