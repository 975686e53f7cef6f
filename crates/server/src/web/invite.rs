//! Invitations to a table as QR codes, and the way to the next match.

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use qrcodegen::{QrCode, QrCodeEcc};

use super::address::Address;
use super::here::Here;
use super::identity::Visitor;
use super::layout::go;
use super::{Failure, Site};
use crate::ids::TableId;
use crate::store::Phase;

/// Blank modules around a QR code, so that cameras find it.
const QUIET: i32 = 4;

/// The invitation link as a QR code.
pub(super) async fn qr(State(site): State<Site>, here: Here, Path(id): Path<String>) -> Result<Response, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let row = site.hub().store().table(id).await?;
    let row = row.filter(|row| row.phase != Phase::Over).ok_or(Failure::NotFound)?;
    let code = QrCode::encode_text(&here.table(row.id), QrCodeEcc::Medium).map_err(|_| Failure::NotFound)?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg(&code)).into_response())
}

fn svg(code: &QrCode) -> String {
    let size = code.size() + 2 * QUIET;
    let dark = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
    let dark = dark.filter(|(x, y)| code.get_module(*x, *y));
    let path: String = dark.map(|(x, y)| format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET)).collect();
    // Black on white in every theme: not all cameras can read it the other way around.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/><path d=\"{path}\"/></svg>"
    )
}

/// The same people want another match.
pub(super) async fn again(
    State(site): State<Site>,
    Path(id): Path<String>,
    from: Address,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    site.may_open(from)?;
    let next = site.hub().again(id, visitor.player).await?;
    Ok(go(&visitor, &format!("/tables/{next}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qr_code_has_a_quiet_zone() {
        let code = QrCode::encode_text("http://127.0.0.1:7777/tables/0123456789abcdef", QrCodeEcc::Medium).unwrap();
        let svg = svg(&code);
        let size = code.size() + 8;
        assert!(svg.contains(&format!("viewBox=\"0 0 {size} {size}\"")));
        // The first module of the finder pattern.
        assert!(svg.contains("d=\"M4 4h1v1h-1z"));
        assert!(!svg.contains("M3 ") && !svg.contains(&format!("M{} ", size - 4)));
    }
}
