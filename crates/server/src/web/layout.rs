//! The layout that all pages share.

use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, html};

use super::identity::{Look, Visitor};
use super::{Failure, Site, assets};
use page::Lang;

/// The colour of tables, for the frame of an installed page.
pub(crate) const FELT: &str = "#1f6b4a";

/// A page.
pub(crate) struct Sheet<'a> {
    /// Its title.
    pub(crate) title: &'a str,
    /// A class for its body.
    pub(crate) class: &'a str,
    /// Style sheets in addition to the common ones.
    pub(crate) styles: &'a [&'a str],
    /// Scripts.
    pub(crate) scripts: &'a [&'a str],
    /// Its content.
    pub(crate) body: Markup,
}

/// Sends a page to a visitor, with their key if they are new.
pub(crate) fn send(visitor: &Visitor, sheet: &Sheet<'_>) -> Response {
    let page = frame(visitor.lang, visitor.look, sheet, Some(bar(visitor)));
    let mut answer = page.into_response();
    if let Some(cookie) = visitor.cookie() {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
    answer
}

/// The same for a page that browsers can install: `manifest` is where they read about it.
pub(crate) fn send_installable(visitor: &Visitor, sheet: &Sheet<'_>, manifest: &str) -> Response {
    let head = html! {
        link rel="manifest" href=(manifest);
        meta name="theme-color" content=(FELT);
    };
    let mut answer = frame_with(visitor.lang, visitor.look, sheet, Some(bar(visitor)), &head).into_response();
    if let Some(cookie) = visitor.cookie() {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
    answer
}

/// Sends a page about private tables. Where there is nothing else, it leads nowhere else, and nobody gets a key.
pub(crate) fn send_private(site: &Site, visitor: &Visitor, sheet: &Sheet<'_>) -> Response {
    if !site.is_only_private() {
        return send(visitor, sheet);
    }
    let bar = html! { header class="bar" { span class="home" { "fairdeal" } } };
    frame(visitor.lang, visitor.look, sheet, Some(bar)).into_response()
}

/// A page for anybody.
pub(crate) fn plain(title: &str, body: Markup) -> Markup {
    plain_in(Lang::En, title, body)
}

/// The same in a language.
pub(crate) fn plain_in(lang: Lang, title: &str, body: Markup) -> Markup {
    frame(lang, Look::default(), &Sheet { title, class: "plain", styles: &[], scripts: &[], body }, None)
}

/// Redirects a visitor to another page, with their key if they are new.
pub(crate) fn go(visitor: &Visitor, to: &str) -> Response {
    let mut answer = Redirect::to(to).into_response();
    if let Some(cookie) = visitor.cookie() {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
    answer
}

/// A page that says why there is no other.
pub(crate) fn failure(why: &Failure) -> Markup {
    let body = html! {
        main class="narrow" {
            h1 { (why.status().canonical_reason().unwrap_or("?")) }
            p { (why.text(Lang::En)) }
            p lang="de" { (why.text(Lang::De)) }
            p { a href="/" { "fairdeal" } }
        }
    };
    plain("fairdeal", body)
}

fn frame(lang: Lang, look: Look, sheet: &Sheet<'_>, bar: Option<Markup>) -> Markup {
    frame_with(lang, look, sheet, bar, &html! {})
}

fn frame_with(lang: Lang, look: Look, sheet: &Sheet<'_>, bar: Option<Markup>, head: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(lang.code()) class=(look.words(" ")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                title { (sheet.title) }
                (head)
                link rel="icon" type="image/svg+xml" href=(assets::address("icon.svg"));
                link rel="stylesheet" href=(assets::address("style.css"));
                link rel="stylesheet" href=(assets::address("avatars.css"));
                @for style in sheet.styles { link rel="stylesheet" href=(assets::address(style)); }
                @for script in sheet.scripts { script type="module" src=(assets::address(script)) {} }
            }
            body class=(sheet.class) {
                @if let Some(bar) = bar { (bar) }
                (sheet.body)
            }
        }
    }
}

/// The bar at the top: home, profile, display preferences.
fn bar(visitor: &Visitor) -> Markup {
    let lang = visitor.lang;
    html! {
        nav class="bar" aria-label=(lang.pick("Site", "Seite")) {
            a class="home" href="/" { "fairdeal" }
            a href="/history" { (lang.pick("History", "Verlauf")) }
            a href="/me" class="me" { span class={ "avatar a" (visitor.face.avatar) } aria-hidden="true" {} (visitor.face.name) }
        }
    }
}
