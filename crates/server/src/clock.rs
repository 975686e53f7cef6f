//! The clock.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::ids::Millis;

/// The current time.
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
