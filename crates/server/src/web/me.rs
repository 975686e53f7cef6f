//! The visitor's profile: their name, display preferences, past matches, and key.

use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::identity::{Held, LANG, LOOK, Look, Visitor, cookie, key_cookie};
use super::layout::{Sheet, go, send};
use super::words::title_of;
use super::{Failure, Site};
use crate::clock::now;
use crate::hub::HubError;
use crate::ids::Key;
use crate::room::{AVATARS, Command, Face, LONGEST_NAME, check_text};
use crate::store::{Phase, Player, Statistics};
use page::Lang;

/// The most tables where a player is renamed at once.
const MOST_TABLES: i64 = 100;

/// Changes to the display preferences; fields that are missing stay as they are.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Looks {
    lang: Option<String>,
    theme: Option<String>,
    four: Option<String>,
    large: Option<String>,
    sounds: Option<String>,
    /// The page to return to.
    back: Option<String>,
}

impl Looks {
    /// The new preferences of a visitor.
    fn change(&self, visitor: &Visitor) -> (Lang, Look) {
        let yes = |said: &Option<String>, old: bool| said.as_deref().map_or(old, |said| said == "yes");
        let look = Look {
            dark: match self.theme.as_deref() {
                Some("dark") => Some(true),
                Some("light") => Some(false),
                Some(_) => None,
                None => visitor.look.dark,
            },
            four_colors: yes(&self.four, visitor.look.four_colors),
            large: yes(&self.large, visitor.look.large),
            mute: !yes(&self.sounds, !visitor.look.mute),
        };
        (self.lang.as_deref().and_then(Lang::from_code).unwrap_or(visitor.lang), look)
    }

    /// A page of this site, and of no other.
    fn back(&self) -> &str {
        let is_here = |path: &&str| {
            path.starts_with('/')
                && !path.starts_with("//")
                && !path.contains(['\\', '\r', '\n', '\t'])
                && path.is_ascii()
        };
        self.back.as_deref().filter(is_here).unwrap_or("/")
    }
}

/// Changes the display preferences.
pub(super) async fn look(visitor: Visitor, Form(looks): Form<Looks>) -> Response {
    let to = go(&visitor, looks.back());
    with_looks(&visitor, &looks, to)
}

fn with_looks(visitor: &Visitor, looks: &Looks, mut answer: Response) -> Response {
    let (lang, look) = looks.change(visitor);
    // Scripts do not need them, either.
    let secured = visitor.secured;
    let cookies = [cookie(secured, LANG, lang.code(), true), cookie(secured, LOOK, &look.words("."), true)];
    for cookie in cookies.into_iter().flatten() {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
    answer
}

/// Buttons for what people change often.
pub(super) fn quick_looks(visitor: &Visitor, back: &str) -> Markup {
    let (lang, look) = (visitor.lang, visitor.look);
    let other = if lang == Lang::En { Lang::De } else { Lang::En };
    html! {
        form class="looks" method="post" action="/look" {
            input type="hidden" name="back" value=(back);
            button class="quiet" name="lang" value=(other.code()) lang=(other.code()) { (other.pick("English", "Deutsch")) }
            @if look.dark != Some(true) { button class="quiet" name="theme" value="dark" { (lang.pick("Dark", "Dunkel")) } }
            @if look.dark != Some(false) { button class="quiet" name="theme" value="light" { (lang.pick("Light", "Hell")) } }
            @if look.dark.is_some() { button class="quiet" name="theme" value="system" { (lang.pick("System colours", "Systemfarben")) } }
        }
    }
}

/// The profile page.
pub(super) async fn page(
    State(site): State<Site>,
    visitor: Visitor,
    Query(Saved { saved }): Query<Saved>,
) -> Result<Response, Failure> {
    let statistics = site.hub().store().statistics(&visitor.player).await?;
    Ok(show(&visitor, &statistics, &Said { saved: saved.is_some(), ..Said::default() }))
}

/// Whether something has just been saved.
#[derive(Deserialize)]
pub(super) struct Saved {
    saved: Option<String>,
}

/// The response to a form: it is saved, or what is wrong with it.
#[derive(Default)]
struct Said {
    saved: bool,
    name: Option<String>,
    key: bool,
}

/// Saves the visitor's profile.
pub(super) async fn save(
    State(site): State<Site>,
    mut visitor: Visitor,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let get = |name: &str| fields.iter().rev().find(|(field, _)| field == name).map(|(_, value)| value.clone());
    let name = get("name").unwrap_or_default().trim().to_owned();
    let picture: Option<u8> = get("avatar").and_then(|avatar| avatar.parse().ok());
    let looks = Looks {
        lang: get("lang"),
        theme: get("theme"),
        four: get("four"),
        large: get("large"),
        sounds: get("sounds"),
        back: None,
    };
    if let Err(why) = check_text(&name, LONGEST_NAME) {
        let statistics = site.hub().store().statistics(&visitor.player).await?;
        let said = Said { name: Some(why.say(visitor.lang)), ..Said::default() };
        visitor.face.name = name;
        let mut answer = show(&visitor, &statistics, &said);
        *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
        return Ok(answer);
    }
    // The first picture is the computers'.
    let avatar = picture.filter(|avatar| (1..AVATARS).contains(avatar)).unwrap_or(visitor.face.avatar);
    visitor.face = Face { name, avatar };
    keep(&site, &visitor).await?;
    rename(&site, &visitor).await?;
    let to = go(&visitor, "/me?saved=yes");
    Ok(with_looks(&visitor, &looks, to))
}

/// Stores a visitor.
pub(super) async fn keep(site: &Site, visitor: &Visitor) -> Result<(), Failure> {
    let at = now().0;
    let player = Player {
        id: visitor.player,
        name: visitor.face.name.clone(),
        avatar: visitor.face.avatar.to_string(),
        created_at: at,
        seen_at: at,
    };
    let saved = site.hub().store().save_player(player).await;
    saved.map_err(|why| Failure::Hub(HubError::Unavailable(why.to_string())))
}

/// Updates the tables where the visitor waits for a match to begin. At others they keep their old name.
pub(super) async fn rename(site: &Site, visitor: &Visitor) -> Result<(), Failure> {
    let tables = site.hub().store().mine(&visitor.player, MOST_TABLES).await?;
    for table in tables.into_iter().filter(|table| table.phase == Phase::Gathering) {
        match site.hub().command(table.id, visitor.player, &visitor.face, Command::Rename {}).await {
            // The match may have begun just now, or they may have left.
            Ok(()) | Err(HubError::Refused(_) | HubError::NoTable) => {}
            Err(why) => return Err(why.into()),
        }
    }
    Ok(())
}

/// Shows the key. It is in the answer to this one request and nowhere else.
pub(super) async fn show_key(State(site): State<Site>, visitor: Visitor, held: Held) -> Result<Response, Failure> {
    let lang = visitor.lang;
    let key = visitor.new.clone().or(held.0).ok_or(Failure::NotFound)?;
    // A player who enters it elsewhere must be known by then.
    keep(&site, &visitor).await?;
    let body = html! {
        main class="narrow" {
            h1 { (lang.pick("Your key", "Dein Schlüssel")) }
            p { (lang.pick(
                "Anyone who has this key can play as you. Enter it on the profile page of your other device, and show it to nobody.",
                "Wer diesen Schlüssel hat, kann als du spielen. Gib ihn auf deinem anderen Gerät auf der Profilseite ein und zeig ihn niemandem.",
            )) }
            p { code class="key" { (key.text()) } }
            p { a class="button" href="/me" { (lang.pick("Back", "Zurück")) } }
        }
    };
    let title = lang.pick("Your key · fairdeal", "Dein Schlüssel · fairdeal");
    Ok(send(&visitor, &Sheet { title, class: "plain", styles: &["lobby.css"], scripts: &[], body }))
}

/// A key that a visitor brings from another device.
#[derive(Deserialize)]
pub(super) struct Entered {
    key: String,
}

/// From now on this browser belongs to the player with that key.
pub(super) async fn enter(
    State(site): State<Site>,
    visitor: Visitor,
    Form(entered): Form<Entered>,
) -> Result<Response, Failure> {
    let digits: String = entered.key.split_whitespace().collect();
    let key: Option<Key> = digits.to_ascii_lowercase().parse().ok();
    let known = match &key {
        Some(key) => site.hub().store().player(&key.player()).await?.is_some(),
        None => false,
    };
    if let Some(cookie) = key.filter(|_| known).and_then(|key| key_cookie(visitor.secured, &key)) {
        let mut answer = Redirect::to("/me").into_response();
        answer.headers_mut().append(SET_COOKIE, cookie);
        return Ok(answer);
    }
    let statistics = site.hub().store().statistics(&visitor.player).await?;
    let mut answer = show(&visitor, &statistics, &Said { key: true, ..Said::default() });
    *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    Ok(answer)
}

fn show(visitor: &Visitor, statistics: &[Statistics], said: &Said) -> Response {
    let lang = visitor.lang;
    let body = html! {
        main class="me" {
            h1 { (lang.pick("Your profile", "Dein Profil")) }
            @if said.saved { p class="saved" role="status" { (lang.pick("Saved.", "Gespeichert.")) } }
            form method="post" action="/me" {
                (about_me(visitor, said))
                (looks(visitor))
                p class="actions" { button class="main" { (lang.pick("Save", "Speichern")) } }
            }
            (played(statistics, lang))
            (devices(said, lang))
        }
    };
    let title = lang.pick("Your profile · fairdeal", "Dein Profil · fairdeal");
    send(visitor, &Sheet { title, class: "plain", styles: &["lobby.css"], scripts: &[], body })
}

fn about_me(visitor: &Visitor, said: &Said) -> Markup {
    let (lang, face) = (visitor.lang, &visitor.face);
    html! {
        fieldset {
            legend { (lang.pick("How others see you", "Wie andere dich sehen")) }
            div class={ "field" @if said.name.is_some() { " bad" } } {
                label for="name" { (lang.pick("Name", "Name")) " " span class="dim" { (lang.pick("up to ", "bis zu ")) (LONGEST_NAME) (lang.pick(" characters", " Zeichen")) } }
                input id="name" name="name" value=(face.name) maxlength=(LONGEST_NAME) required autocomplete="nickname"
                    aria-invalid=[said.name.as_ref().map(|_| "true")] aria-describedby=[said.name.as_ref().map(|_| "name-wrong")];
                @if let Some(why) = &said.name { p id="name-wrong" class="wrong" role="alert" { (lang.pick("The name: ", "Der Name: ")) (why) "." } }
            }
            div class="faces" role="radiogroup" aria-label=(lang.pick("Picture", "Bild")) {
                @for number in 1..AVATARS {
                    label { input type="radio" name="avatar" value=(number) checked[face.avatar == number] aria-label=(name_of_picture(number, lang));
                        span class={ "avatar a" (number) } aria-hidden="true" {} }
                }
            }
        }
    }
}

fn looks(visitor: &Visitor) -> Markup {
    let (lang, look) = (visitor.lang, visitor.look);
    let flags = [
        (
            "four",
            look.four_colors,
            lang.pick(
                "Four-colour deck: diamonds are blue, clubs are green",
                "Vierfarbiges Blatt: Karo ist blau, Kreuz ist grün",
            ),
        ),
        ("large", look.large, lang.pick("Large text", "Große Schrift")),
        ("sounds", !look.mute, lang.pick("Sounds", "Töne")),
    ];
    let themes = [
        ("system", None, lang.pick("same as the system", "wie das System")),
        ("light", Some(false), lang.pick("light", "hell")),
        ("dark", Some(true), lang.pick("dark", "dunkel")),
    ];
    html! {
        fieldset {
            legend { (lang.pick("Display on this device", "Darstellung auf diesem Gerät")) }
            div class="field" {
                label for="lang" { (lang.pick("Language", "Sprache")) }
                select id="lang" name="lang" {
                    @for one in Lang::ALL { option value=(one.code()) lang=(one.code()) selected[one == lang] { (one.pick("English", "Deutsch")) } }
                }
            }
            div class="field" {
                label for="theme" { (lang.pick("Colours", "Farben")) }
                select id="theme" name="theme" {
                    @for (value, dark, text) in themes { option value=(value) selected[look.dark == dark] { (text) } }
                }
            }
            @for (name, set, text) in flags {
                div class="field" {
                    input type="hidden" name=(name) value="no";
                    label class="flag" { input type="checkbox" name=(name) value="yes" checked[set]; span { (text) } }
                }
            }
        }
    }
}

fn played(statistics: &[Statistics], lang: Lang) -> Markup {
    html! {
        section class="statistics" aria-labelledby="played" {
            h2 id="played" { (lang.pick("Your statistics", "Deine Statistik")) }
            @if statistics.is_empty() {
                p class="dim" { (lang.pick("You have not finished a match yet.", "Du hast noch keine Partie beendet.")) }
            } @else {
                div class="wide" {
                    table {
                        thead { tr {
                            th { (lang.pick("Game", "Spiel")) } th { (lang.pick("Matches", "Partien")) } th { (lang.pick("Won", "Gewonnen")) }
                            th { (lang.pick("Shared", "Geteilt")) } th { (lang.pick("Deals", "Spiele")) } th { (lang.pick("Average place", "Ø Platz")) }
                        } }
                        tbody {
                            @for game in statistics {
                                tr {
                                    td { a href={ "/history?game=" (game.game) } { (title_of(&game.game)) } }
                                    td { (game.matches) } td { (game.won) } td { (game.shared) } td { (game.deals) } td { (lang.decimal(game.mean_place)) }
                                }
                            }
                        }
                    }
                }
                p { a href="/history" { (lang.pick("All matches", "Alle Partien")) } }
            }
        }
    }
}

fn devices(said: &Said, lang: Lang) -> Markup {
    html! {
        section aria-labelledby="devices" {
            h2 id="devices" { (lang.pick("Transfer your profile to another device", "Profil auf ein anderes Gerät übertragen")) }
            p { (lang.pick(
                "There are no accounts: this browser keeps a key that identifies you. Show the key here and enter it on the other device.",
                "Hier gibt es keine Konten: Dieser Browser hat einen Schlüssel, an dem wir dich erkennen. Lass ihn dir hier anzeigen und gib ihn auf dem anderen Gerät ein.",
            )) }
            form method="post" action="/me/key" { button { (lang.pick("Show my key", "Meinen Schlüssel anzeigen")) } }
            form class="enter" method="post" action="/me/enter" {
                div class={ "field" @if said.key { " bad" } } {
                    label for="key" { (lang.pick("Key from another device", "Schlüssel von einem anderen Gerät")) }
                    input id="key" name="key" type="password" autocomplete="off" required aria-invalid=[said.key.then_some("true")] aria-describedby=[said.key.then_some("key-wrong")];
                    @if said.key { p id="key-wrong" class="wrong" role="alert" { (lang.pick("This key is not known here. Keys have 64 characters.", "Dieser Schlüssel ist hier nicht bekannt. Schlüssel haben 64 Zeichen.")) } }
                }
                p class="dim" { (lang.pick("This browser's current profile will be lost unless you keep its key.", "Das bisherige Profil dieses Browsers geht verloren, wenn du seinen Schlüssel nicht aufhebst.")) }
                button { (lang.pick("Enter", "Eingeben")) }
            }
        }
    }
}

/// What a picture shows, for screen readers.
fn name_of_picture(number: u8, lang: Lang) -> String {
    const NAMES: [(&str, &str); 24] = [
        ("robot", "Roboter"),
        ("cat", "Katze"),
        ("dog", "Hund"),
        ("fox", "Fuchs"),
        ("bear", "Bär"),
        ("rabbit", "Hase"),
        ("owl", "Eule"),
        ("penguin", "Pinguin"),
        ("frog", "Frosch"),
        ("pig", "Schwein"),
        ("lion", "Löwe"),
        ("panda", "Panda"),
        ("mouse", "Maus"),
        ("chick", "Küken"),
        ("whale", "Wal"),
        ("octopus", "Krake"),
        ("ladybird", "Marienkäfer"),
        ("cactus", "Kaktus"),
        ("sun", "Sonne"),
        ("moon", "Mond"),
        ("star", "Stern"),
        ("ghost", "Gespenst"),
        ("mushroom", "Pilz"),
        ("cherries", "Kirschen"),
    ];
    let (english, german) = NAMES.get(usize::from(number)).copied().unwrap_or(("?", "?"));
    lang.pick(english, german).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        let back = |path: &str| Looks { back: Some(path.to_owned()), ..Looks::default() }.back().to_owned();
        assert_eq!(back("/tables/0000000000000001?x=1"), "/tables/0000000000000001?x=1");
        for evil in
            ["//example.org", "https://example.org", "/\\example.org", "javascript:alert(1)", "/a\r\nb: c", "", "/ü"]
        {
            assert_eq!(back(evil), "/", "{evil}");
        }
    }

    #[test]
    fn every_picture_has_a_name() {
        let names: std::collections::BTreeSet<String> = (0..AVATARS).map(|n| name_of_picture(n, Lang::De)).collect();
        assert_eq!(names.len(), usize::from(AVATARS));
    }
}
