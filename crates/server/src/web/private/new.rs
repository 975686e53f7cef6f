//! The way to a private table: the choice of a game, the form, and a code to knock with.
//!
//! The form is that of house tables, as far as both have the same settings, and it is checked in the same way. The table
//! itself is made in the browser, which alone knows its key.

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, response::Html};
use games::AnyGame;
use maud::{Markup, html};
use page::Lang;

use super::parts;
use crate::web::identity::Visitor;
use crate::web::layout::{Sheet, send_private};
use crate::web::lobby::code_form;
use crate::web::new::{Wished, games_under, private_form, read_private};
use crate::web::words::{about, title};
use crate::web::{Failure, Site, module};

/// The choice of a game.
pub(super) async fn choose(State(site): State<Site>, visitor: Visitor) -> Response {
    let lang = visitor.lang;
    let body = html! {
        main class="lobby" {
            h1 { (heading(lang)) }
            (meaning(lang))
            @if module::has_private() { (games_under("/private/new/", lang)) } @else { p { (parts::missing(lang)) } }
        }
    };
    sheet(&site, &visitor, heading(lang), &[], body)
}

/// The form for one game.
pub(super) async fn page(
    State(site): State<Site>,
    Path(game): Path<String>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let game = AnyGame::from_name(&game).ok_or(Failure::NotFound)?;
    let lang = visitor.lang;
    let Some(module) = module::private(game) else {
        let body =
            html! { main class="lobby" { h1 { (heading(lang)) ": " (title(game)) } p { (parts::missing(lang)) } } };
        return Ok(sheet(&site, &visitor, heading(lang), &[], body));
    };
    let body = html! {
        main id="private" class="new" data-game=(game.name()) {
            h1 { (heading(lang)) ": " (title(game)) }
            p { (about(game, lang)) }
            (meaning(lang))
            (parts::scriptless(lang))
            (parts::failed(true, lang))
            section data-part="new" { (private_form(game, &visitor)) }
            (parts::own_key(lang))
            (parts::hash(module, lang))
        }
    };
    Ok(sheet(&site, &visitor, heading(lang), &["private.js"], body))
}

/// Checks a form: what is to be played, or the form again with what is wrong.
pub(super) async fn check(visitor: Visitor, Form(fields): Form<Vec<(String, String)>>) -> Result<Response, Failure> {
    Ok(match read_private(&fields, visitor.lang).ok_or(Failure::NotFound)? {
        Wished::Fine(wish) => Json(wish).into_response(),
        Wished::Wrong(form) => (StatusCode::UNPROCESSABLE_ENTITY, Html(form.into_string())).into_response(),
    })
}

/// A code to knock with.
pub(super) async fn knock(State(site): State<Site>, visitor: Visitor) -> Response {
    let lang = visitor.lang;
    let title = lang.pick("Knock with a code", "Mit Code anklopfen");
    let body = html! {
        main class="new" {
            h1 { (title) }
            p { (lang.pick(
                "Somebody at a private table has told you its six digits? Then you can knock there. Both of you see the same four \
                 words, and they let you in.",
                "Jemand an einem privaten Tisch hat dir sechs Ziffern genannt? Dann kannst du dort anklopfen. Ihr seht beide \
                 dieselben vier Wörter, und du wirst hereingelassen.",
            )) }
            (code_form(lang, None))
        }
    };
    sheet(&site, &visitor, title, &[], body)
}

const fn heading(lang: Lang) -> &'static str {
    lang.pick("New private table", "Neuer privater Tisch")
}

fn meaning(lang: Lang) -> Markup {
    html! {
        p class="dim" { (lang.pick(
            "Nobody but you sees your cards: the players' devices shuffle and deal together, and this server sees nothing.",
            "Nur du siehst deine Karten: Die Geräte der Spieler mischen und geben gemeinsam, dieser Server sieht nichts.",
        )) }
    }
}

fn sheet(site: &Site, visitor: &Visitor, title: &str, scripts: &[&str], body: Markup) -> Response {
    let title = format!("{title} · fairdeal");
    let styles = &["lobby.css", "private.css"];
    send_private(site, visitor, &Sheet { title: &title, class: "plain", styles, scripts, body })
}
