//! Checks for every request: how many there may be, where they may come from; and the headers of responses.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::address::{Address, Secured};
use super::api::Trouble;
use super::here::host_of;
use super::patience::{Inflow, in_time};
use super::{Failure, LONGEST_FORM, Site, api};

/// Scripts, styles, pictures and sockets from this site only; nothing inline; no framing of pages. Scripts may compile
/// WebAssembly, which is fetched from this site as well, and may not evaluate text.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'";

/// The script that talks to nodes of a chain, which are elsewhere, and its own policy: a worker is bound by that of its file,
/// and not by that of its page. It can open sockets anywhere, and do nothing else that pages cannot.
const TO_NODES: &str = "wallet.js";
const NODES_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ws: wss:";

/// The content security policy that an asset is sent with.
pub fn policy_of(asset: &str) -> &'static str {
    if asset == TO_NODES { NODES_POLICY } else { POLICY }
}

const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

pub(super) async fn guard(State(site): State<Site>, mut request: Request, next: Next) -> Response {
    let from = Address::of(&request, site.proxies());
    let secured = Secured::of(&request, &site);
    request.extensions_mut().insert(from);
    request.extensions_mut().insert(secured);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let socket = request.headers().contains_key(header::UPGRADE);
    let mut answer = if !site.limits().request(from.0) {
        refuse(&request, site.limited("a request"))
    } else if (!reads || socket) && !is_ours(&site, request.headers()) {
        refuse(&request, Failure::Foreign)
    } else if let Err(why) = is_whole(&request) {
        let mut answer = refuse(&request, why);
        // The rest of the body is not read.
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        answer
    } else {
        if let (true, Some(inflow)) = (socket, request.extensions().get::<Inflow>()) {
            inflow.is_socket();
        }
        next.run(in_time(request, site.limits().patience().send)).await
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
    // What one visitor sees is not for another.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// Whether a request names its site in one way only, and is not too long. A request that announces too much is
/// rejected before the rest arrives.
fn is_whole(request: &Request) -> Result<(), Failure> {
    if request.headers().get_all(header::HOST).iter().count() != 1 {
        return Err(Failure::Bad("a request must have exactly one Host header".to_owned()));
    }
    let most = if request.uri().path().starts_with("/api/") { api::LONGEST } else { LONGEST_FORM };
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > u64::try_from(most).unwrap_or(u64::MAX)) {
        return Err(Failure::TooLong(most));
    }
    Ok(())
}

/// Programs get errors in their own format.
fn refuse(request: &Request, why: Failure) -> Response {
    if request.uri().path().starts_with("/api/") { Trouble::from(why).into_response() } else { why.into_response() }
}

/// Whether a write comes from a page of this site, or from a program, which has no pages. Browsers always say where a
/// write or a socket comes from.
fn is_ours(site: &Site, headers: &HeaderMap) -> bool {
    if headers.get("sec-fetch-site").is_some_and(|from| !matches!(from.as_bytes(), b"same-origin" | b"none")) {
        return false;
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        // A browser that does not say so would still send the cookie, so only a program may leave it out.
        return headers.contains_key(header::AUTHORIZATION) || !headers.contains_key(header::COOKIE);
    };
    let Ok(origin) = origin.to_str() else { return false };
    if site.public().is_some_and(|public| public.as_str() == origin) {
        return true;
    }
    // The same host as the request: a server may be reached by several names, or through a tunnel.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).and_then(host_of);
    let authority = origin.parse::<Uri>().ok().and_then(|uri| uri.authority().and_then(|host| host_of(host.as_str())));
    host.is_some() && host == authority
}
