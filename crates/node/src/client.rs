//! Questions to a node that runs.

use core::net::SocketAddr;
use core::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a node may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest answer.
const LONGEST: usize = 16 << 20;

/// A line to a node.
#[derive(Debug)]
pub struct Line {
    rpc: SocketAddr,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    asked: u64,
}

impl Line {
    /// Opens a line.
    pub async fn open(rpc: SocketAddr) -> Result<Self, String> {
        let limits = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
        let opening = tokio_tungstenite::connect_async_with_config(format!("ws://{rpc}/ws"), Some(limits), true);
        let opened = timeout(PATIENCE, opening).await.map_err(|_| silent(rpc))?;
        let (socket, _) = opened.map_err(|why| format!("no node can be reached at {rpc}: {why}"))?;
        Ok(Self { rpc, socket, asked: 0 })
    }

    /// Asks the node, and returns the result.
    pub async fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let rpc = self.rpc;
        timeout(PATIENCE, self.exchange(method, params)).await.map_err(|_| silent(rpc))?
    }

    async fn exchange(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.socket.send(Message::text(request.to_string())).await.map_err(|why| why.to_string())?;
        while let Some(frame) = self.socket.next().await {
            let Message::Text(text) = frame.map_err(|why| why.to_string())? else { continue };
            let reply: Value = serde_json::from_str(&text).map_err(|_| "the node's answer is not JSON".to_owned())?;
            let failed = reply.get("error").and_then(|why| why.get("message")).and_then(Value::as_str);
            return match failed {
                Some(why) => Err(why.to_owned()),
                None => Ok(reply.get("result").cloned().unwrap_or_default()),
            };
        }
        Err("the node has closed the line".to_owned())
    }
}

fn silent(rpc: SocketAddr) -> String {
    format!("the node at {rpc} does not answer")
}

/// Asks a node one thing, and returns the result.
pub async fn ask(rpc: SocketAddr, method: &str, params: Value) -> Result<Value, String> {
    Line::open(rpc).await?.ask(method, params).await
}
