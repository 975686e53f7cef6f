//! Snapshots for new nodes, in parts.

use chain::hex;
use serde_json::{Value, json};

use super::methods::{Wrong, broken, expected, in_hex, number};
use crate::core::Shared;

/// The bytes of a part.
const PART: usize = 512 << 10;

/// A snapshot that is not too old: how long it is, and what proves it.
pub(super) fn offer(shared: &Shared) -> Result<Value, Wrong> {
    let Some(snapshot) = shared.offers.newest(shared).map_err(broken)? else { return Ok(Value::Null) };
    Ok(json!({
        "height": snapshot.last.height, "bytes": snapshot.state.len(), "part": PART,
        "proof": in_hex(&(&snapshot.last, &snapshot.next)),
    }))
}

/// A part of a snapshot, counted from 0.
pub(super) fn part(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let (height, part) = (number(params, "height")?, number(params, "part")?);
    let snapshot = shared.offers.of(height).ok_or_else(|| expected("the height of a snapshot that is offered now"))?;
    let part = usize::try_from(part).ok().and_then(|part| snapshot.state.chunks(PART).nth(part));
    let part = part.ok_or_else(|| expected("the number of a part of the snapshot"))?;
    Ok(json!({ "data": hex(part) }))
}
