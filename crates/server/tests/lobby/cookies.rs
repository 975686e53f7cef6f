//! The cookie that identifies a player: its name, and which of several counts.

use server::ids::Key;

use crate::http::{Server, ask};

/// A player known to the server by this name; returns their key.
fn known(server: &Server, name: &str) -> String {
    let mut visitor = server.visitor();
    visitor.get("/");
    visitor.post("/me", &[("name", name)]).location();
    visitor.cookies["fairdeal"].clone()
}

#[test]
fn over_https_the_cookie_is_bound_to_this_host() {
    let server = Server::start();
    let ask = |headers: &[(&str, &str)]| ask(server.address, "GET", "/me", headers, "");
    let plain = ask(&[]).header("set-cookie").unwrap().to_owned();
    assert!(plain.starts_with("fairdeal=") && !plain.contains("Secure"), "{plain}");
    // The proxy on this machine says so.
    let https = [("X-Forwarded-Proto", "https")];
    let bound = ask(&https).header("set-cookie").unwrap().to_owned();
    assert!(bound.starts_with("__Host-fairdeal="), "{bound}");
    assert!(bound.contains("; Secure") && bound.contains("; Path=/;") && !bound.contains("Domain"), "{bound}");
    // A cookie planted by another host of the domain, or by an attacker on the network, does not count there.
    let key = known(&server, "Anna");
    let (planted, own) = (format!("fairdeal={key}"), format!("__Host-fairdeal={key}"));
    let stranger = ask(&[https[0], ("Cookie", &planted)]);
    assert!(!stranger.body.contains("value=\"Anna\"") && stranger.header("set-cookie").is_some());
    let anna = ask(&[https[0], ("Cookie", &own)]);
    assert!(anna.body.contains("value=\"Anna\"") && anna.header("set-cookie").is_none());
    let origin = format!("https://{}", server.address);
    let look = [https[0], ("Cookie", own.as_str()), ("Origin", origin.as_str())];
    let dark = super::http::ask(server.address, "POST", "/look", &look, "theme=dark");
    assert_eq!((dark.status, dark.all("set-cookie").count()), (303, 2));
    assert!(dark.all("set-cookie").all(|cookie| cookie.contains("; Secure")), "languages and colours, too");
}

#[test]
fn among_several_cookies_the_key_of_a_known_player_counts() {
    let server = Server::start();
    let anna = known(&server, "Anna");
    let unknown = Key::new([7; 32]).text();
    let me = |cookies: &str| ask(server.address, "GET", "/me", &[("Cookie", cookies)], "");
    for cookies in [
        format!("fairdeal={anna}"),
        format!("fairdeal=junk; fairdeal={anna}"),
        format!("fairdeal={anna}; fairdeal=junk"),
        format!("fairdeal=; fairdeal={anna}; x=y"),
        format!("fairdeal={unknown}; fairdeal={anna}"),
        format!("fairdeal={anna}; fairdeal={unknown}"),
        format!("xfairdeal={unknown};  fairdeal={anna}"),
    ] {
        let page = me(&cookies);
        assert!(page.body.contains("value=\"Anna\""), "{cookies}");
        assert_eq!(page.header("set-cookie"), None, "{cookies}: a good one is never overwritten");
    }
    // A visitor who has not chosen a name yet keeps their key anyway.
    let page = me(&format!("fairdeal=junk; fairdeal={unknown}"));
    assert_eq!(page.header("set-cookie"), None);
    assert!(me("fairdeal=junk").header("set-cookie").is_some());
}

#[test]
fn among_several_language_cookies_the_first_valid_one_counts() {
    let server = Server::start();
    let lobby = |cookies: &str| ask(server.address, "GET", "/", &[("Cookie", cookies)], "").body;
    assert!(lobby("lang=xx; lang=de").contains("Neuer Tisch"));
    assert!(lobby("lang=xx").contains("New table"));
}
