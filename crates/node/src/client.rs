//! Questions to a node that runs.

use core::net::SocketAddr;
use core::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// How long a node may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks a node, and returns the result.
pub async fn ask(rpc: SocketAddr, method: &str, params: Value) -> Result<Value, String> {
    let asked = tokio::time::timeout(PATIENCE, exchange(rpc, method, params)).await;
    asked.map_err(|_| format!("the node at {rpc} does not answer"))?
}

async fn exchange(rpc: SocketAddr, method: &str, params: Value) -> Result<Value, String> {
    let line = tokio_tungstenite::connect_async(format!("ws://{rpc}/ws")).await;
    let (mut line, _) = line.map_err(|why| format!("no node can be reached at {rpc}: {why}"))?;
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    line.send(Message::text(request.to_string())).await.map_err(|why| why.to_string())?;
    while let Some(frame) = line.next().await {
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
