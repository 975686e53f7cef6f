//! A program without Bluetooth.

use std::time::Duration;

use ::peer::TableId;
use parcels::Advertisement;
use tokio::sync::mpsc;

use super::{NoRadio, Sign, Wire};

/// A table that is advertised; there is none.
pub(super) struct Hosted;

pub(super) async fn connect(_: &str, _: TableId, _: bool) -> Result<Wire, NoRadio> {
    std::future::ready(Err(NoRadio::Without)).await
}

pub(super) async fn find(_: Duration) -> Result<Vec<(String, Sign)>, NoRadio> {
    std::future::ready(Err(NoRadio::Without)).await
}

pub(super) async fn host(_: &Advertisement, _: &Sign, _: mpsc::Sender<Wire>) -> Result<Hosted, NoRadio> {
    std::future::ready(Err(NoRadio::Without)).await
}
