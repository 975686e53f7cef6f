//! How long the other side of a connection is waited for, and giving up after it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long anybody is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// To say what he wants: the head of a request.
    pub ask: Duration,
    /// To send what belongs to it: the whole body. Bodies are short.
    pub send: Duration,
    /// To take any part of what he is sent.
    pub take: Duration,
    /// On a socket, between being asked whether he is still there; the second time without an answer is the last.
    pub ping: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { ask: seconds(10), send: seconds(20), take: seconds(20), ping: seconds(25) }
    }
}

/// A request whose body must come in time.
pub(super) fn in_time(request: Request, patience: Duration) -> Request {
    request.map(|body| {
        if hyper::body::Body::is_end_stream(&body) {
            return body;
        }
        Body::new(InTime { body, until: Box::pin(sleep(patience)) })
    })
}

/// A body that is given up when its time is over.
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

/// A stream that breaks when the other side takes nothing for too long. How long it says nothing is for others to
/// judge: on a socket that is no fault.
pub(super) struct Taken<S> {
    stream: S,
    patience: Duration,
    /// Runs while the other side is waited for.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Taken<S> {
    pub(super) const fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
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
        Pin::new(&mut self.stream).poll_read(cx, into)
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
