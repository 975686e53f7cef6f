//! The lobby: the list of tables, and how to get to one.
//!
//! Everything works with plain links and forms. With scripts, the list of tables is live (`board`).

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use games::AnyGame;
use maud::{Markup, html};
use serde::Deserialize;

use super::address::Address;
use super::identity::Visitor;
use super::layout::{Sheet, go, send};
use super::me::quick_looks;
use super::words::{DEFAULT_PACE, about, avatar, limit, players, title, title_of};
use super::{Failure, Found, Site, chain, module, new, private, solo, station};
use crate::chain::Chain;
use crate::hub::{HubError, Seated, Summary};
use crate::ids::{Code, TableId};
use crate::room::{Command, Event, Sitter};
use crate::store::{Phase, PrivateRow, TableRow};
use page::Lang;

/// The most tables that are listed.
const MOST: i64 = 100;

/// A table as the lobby shows it.
struct Listed {
    row: TableRow,
    summary: Summary,
}

impl Listed {
    /// `None` for a table that cannot continue because it has other rules, and for one whose game or summary cannot be
    /// read: that is not worth failing for.
    fn new(site: &Site, row: TableRow) -> Option<Self> {
        let summary = Summary::listed(site.hub().store(), &row)?;
        Some(Self { row, summary })
    }

    fn free(&self) -> usize {
        self.summary.seats.iter().filter(|seat| seat.is_none()).count()
    }

    /// The number of people at it.
    fn people(&self) -> usize {
        self.summary.seats.iter().flatten().filter(|seated| seated.computer.is_none()).count()
    }

    fn is_open(&self) -> bool {
        self.row.phase == Phase::Gathering && self.free() > 0
    }
}

/// The lists that the lobby shows a visitor.
struct Tables {
    mine: Vec<Listed>,
    open: Vec<Listed>,
    running: Vec<Listed>,
    /// Private tables, and how many members are connected to each.
    private: Vec<(PrivateRow, usize)>,
    /// A poker chain.
    chain: Option<Chain>,
    /// Whether there are leaderboards.
    station: bool,
}

impl Tables {
    async fn read(site: &Site, visitor: &Visitor) -> Result<Self, Failure> {
        let store = site.hub().store();
        let mine = if visitor.new.is_some() { Vec::new() } else { store.mine(&visitor.player, MOST).await? };
        let mine: Vec<Listed> =
            mine.into_iter().filter(|row| row.phase != Phase::Over).filter_map(|row| Listed::new(site, row)).collect();
        let listed = store.listed(MOST).await?.into_iter().filter_map(|row| Listed::new(site, row));
        let others = listed.filter(|table| table.people() > 0 && mine.iter().all(|own| own.row.id != table.row.id));
        let (gathering, running): (Vec<_>, Vec<_>) = others.partition(|table| table.row.phase == Phase::Gathering);
        let open = gathering.into_iter().filter(Listed::is_open).collect();
        let private = site.private().listed(MOST).await?;
        Ok(Self { mine, open, running, private, chain: site.chain().cloned(), station: site.station().is_some() })
    }
}

/// The lobby.
pub(super) async fn page(State(site): State<Site>, visitor: Visitor) -> Result<Response, Failure> {
    let tables = Tables::read(&site, &visitor).await?;
    Ok(lobby(&visitor, &tables, None))
}

/// Only the list of tables, for a page that has the rest.
pub(super) async fn tables(site: &Site, visitor: &Visitor) -> Result<Markup, Failure> {
    Ok(list(&Tables::read(site, visitor).await?, visitor.lang))
}

/// Seats the visitor at a table in the list. If others were faster, they will see it there.
pub(super) async fn sit(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let sit = Command::Sit { seat: None, seeds: true };
    match site.hub().command(id, visitor.player, &visitor.face, sit).await {
        Ok(()) | Err(HubError::Refused(_)) => Ok(go(&visitor, &format!("/tables/{id}"))),
        Err(why) => Err(why.into()),
    }
}

/// The form about a game.
#[derive(Deserialize)]
pub(super) struct Quick {
    game: String,
    /// Only with computers.
    #[serde(default)]
    alone: Option<String>,
}

/// Seats the visitor at a table that waits for players; if there is none, at a new table with computers.
pub(super) async fn quick(
    State(site): State<Site>,
    from: Address,
    visitor: Visitor,
    Form(form): Form<Quick>,
) -> Result<Response, Failure> {
    let game = AnyGame::from_name(&form.game).ok_or(Failure::NotFound)?;
    let wanted = Wanted { game, seeds: true, alone: form.alone.is_some() };
    let table = seat_quickly(&site, from, &visitor, wanted).await?;
    Ok(go(&visitor, &format!("/tables/{table}")))
}

/// A visitor's wish to play, without picking a table.
pub(super) struct Wanted {
    pub(super) game: AnyGame,
    /// Whether they will send seeds.
    pub(super) seeds: bool,
    /// Whether to play with computers only.
    pub(super) alone: bool,
}

/// The table where the visitor then sits. A match is running there, or people who are present are about to begin one.
pub(super) async fn seat_quickly(
    site: &Site,
    from: Address,
    visitor: &Visitor,
    wanted: Wanted,
) -> Result<TableId, Failure> {
    let Wanted { game, seeds, alone } = wanted;
    let mut tables = Tables::read(site, visitor).await?;
    let (mine, open) = (&mut tables.mine, &mut tables.open);
    mine.retain(|table| table.row.game == game.name() && table.people() > 0);
    // The table with the most taken seats begins soonest.
    open.retain(|table| table.row.game == game.name());
    open.sort_by_key(Listed::free);
    for table in mine {
        let id = table.row.id;
        let goes_on = match table.row.phase {
            // A player who already plays against computers, or clicks twice, does not start another match.
            Phase::Playing => table.people() == 1,
            // Nobody else is expected there.
            Phase::Gathering if table.people() == 1 => table.free() == 0 && begins(site, visitor, id).await,
            Phase::Gathering => !alone && site.hub().is_attended(id, visitor.player).await?,
            Phase::Over => false,
        };
        if goes_on {
            return Ok(id);
        }
    }
    for table in open.iter().filter(|_| !alone) {
        let id = table.row.id;
        if !site.hub().is_attended(id, visitor.player).await? {
            continue;
        }
        let sit = Command::Sit { seat: None, seeds };
        match site.hub().command(id, visitor.player, &visitor.face, sit).await {
            Ok(()) => return Ok(id),
            // Others were faster, or the match has begun: try the next table.
            Err(HubError::Refused(_) | HubError::NoTable) => {}
            Err(why) => return Err(why.into()),
        }
    }
    site.may_open(from)?;
    let mut opening = new::quick(game, visitor, DEFAULT_PACE);
    for event in &mut opening.events {
        if let Event::Sat { who: Sitter::Player { seeds: sends, .. }, .. } = event {
            *sends = seeds;
        }
    }
    let (table, _) = site.hub().open(opening).await?;
    // If it cannot begin now, there is a button for that.
    begins(site, visitor, table).await;
    Ok(table)
}

/// Whether the match begins at a table where nobody else is expected.
async fn begins(site: &Site, visitor: &Visitor, table: TableId) -> bool {
    site.hub().command(table, visitor.player, &visitor.face, Command::Start {}).await.is_ok()
}

/// The form for a code.
#[derive(Deserialize)]
pub(super) struct Join {
    code: String,
}

/// Redirects to the table with the code that a visitor typed.
pub(super) async fn join(
    State(site): State<Site>,
    visitor: Visitor,
    Form(form): Form<Join>,
) -> Result<Response, Failure> {
    follow(&site, &visitor, &form.code).await
}

/// Redirects to the table that a link names.
pub(super) async fn joined(
    State(site): State<Site>,
    Path(code): Path<String>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    follow(&site, &visitor, &code).await
}

async fn follow(site: &Site, visitor: &Visitor, code: &str) -> Result<Response, Failure> {
    // People read codes aloud in groups of digits, and write them down like that.
    let digits: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').take(20).collect();
    let row = match digits.parse::<Code>() {
        Ok(code) => site.by_code(code, visitor.from, Some(visitor)).await?,
        Err(_) => None,
    };
    match row {
        Some(Found::Table(row)) => return Ok(go(visitor, &format!("/tables/{}", row.id))),
        Some(Found::Private(row)) => return Ok(go(visitor, &format!("/private/{}", row.id))),
        None => {}
    }
    let tables = Tables::read(site, visitor).await?;
    let mut answer = lobby(visitor, &tables, Some(&digits));
    *answer.status_mut() = StatusCode::NOT_FOUND;
    Ok(answer)
}

/// `wrong` is a code that matches no table.
fn lobby(visitor: &Visitor, tables: &Tables, wrong: Option<&str>) -> Response {
    let lang = visitor.lang;
    let body = html! {
        main class="lobby" {
            header class="welcome" {
                h1 { (lang.pick("Card games you can check", "Kartenspiele zum Nachprüfen")) }
                p { (lang.pick(
                    "Play six card games with friends or computers, without an account. Everybody at the table helps shuffle, \
                     every card is fixed before the first is dealt, and your browser can check that none was changed.",
                    "Spiele sechs Kartenspiele mit Freunden oder Computern, ohne Konto. Alle am Tisch mischen mit, \
                     jede Karte steht fest, bevor die erste ausgeteilt wird, und dein Browser kann prüfen, dass keine geändert wurde.",
                )) }
                div class="ways" { (code_form(lang, wrong)) }
            }
            (kinds(lang))
            (list(tables, lang))
            section aria-labelledby="games" {
                h2 id="games" { (lang.pick("Games", "Spiele")) }
                ul class="games" { @for game in AnyGame::ALL { (game_card(*game, lang)) } }
            }
            (quick_looks(visitor, "/"))
        }
    };
    let sheet = Sheet { title: "fairdeal", class: "plain", styles: &["lobby.css"], scripts: &["lobby.js"], body };
    send(visitor, &sheet)
}

/// The kinds of tables, and what each means.
fn kinds(lang: Lang) -> Markup {
    html! {
        section class="kinds" aria-label=(lang.pick("Kinds of tables", "Arten von Tischen")) {
            div class="kind" {
                h2 { (lang.pick("House table", "Tisch des Hauses")) }
                p { (lang.pick(
                    "This server deals, quickly and with computers if you like; it could see your cards, but everybody can check that it dealt fairly.",
                    "Dieser Server gibt, schnell und auf Wunsch mit Computern; er könnte deine Karten sehen, aber alle können prüfen, dass er fair gegeben hat.",
                )) }
                p class="actions" { a class="button main" href="/new" { (lang.pick("New table", "Neuer Tisch")) } }
            }
            div class="kind" {
                h2 { (lang.pick("Private table: nobody but you sees your cards", "Privater Tisch: Nur du siehst deine Karten")) }
                p { (lang.pick(
                    "The players' devices shuffle and deal together and check each other; this server only passes on what it cannot read.",
                    "Die Geräte der Spieler mischen und geben gemeinsam und prüfen einander; dieser Server reicht nur weiter, was er nicht lesen kann.",
                )) }
                @if module::has_private() {
                    p class="actions" {
                        a class="button main" href="/private/new" { (lang.pick("New private table", "Neuer privater Tisch")) }
                        a class="button quiet" href="/private/knock" { (lang.pick("Knock with a code", "Mit Code anklopfen")) }
                    }
                } @else {
                    p class="dim" { (private::missing(lang)) }
                }
            }
            (solo::kind(lang))
        }
    }
}

pub(super) fn code_form(lang: Lang, wrong: Option<&str>) -> Markup {
    html! {
        form class="code" method="post" action="/join" {
            label for="code" { (lang.pick("Have a code?", "Hast du einen Code?")) }
            input id="code" name="code" inputmode="numeric" autocomplete="off" maxlength="12" required
                placeholder="000000" value=[wrong] aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| "code-wrong")];
            button { (lang.pick("Join", "Mitspielen")) }
            @if wrong.is_some() {
                p id="code-wrong" class="wrong" role="alert" {
                    (lang.pick("No open table has this code. Codes have six digits.",
                        "Zu diesem Code gibt es keinen offenen Tisch. Codes haben sechs Ziffern."))
                }
            }
        }
    }
}

fn game_card(game: AnyGame, lang: Lang) -> Markup {
    html! {
        li class={ "game " (game.name()) } {
            h3 { (title(game)) }
            p { (about(game, lang)) }
            p class="dim" { (players(game)) " " (lang.pick("players", "Spieler")) }
            div class="actions" {
                form method="post" action="/quick" {
                    input type="hidden" name="game" value=(game.name());
                    button class="main" aria-label={ (lang.pick("Play now", "Losspielen")) ": " (title(game)) } { (lang.pick("Play now", "Losspielen")) }
                }
                a class="button quiet" href={ "/new/" (game.name()) } aria-label={ (lang.pick("Set up a table", "Tisch einrichten")) ": " (title(game)) } { (lang.pick("Set up", "Einrichten")) }
            }
        }
    }
}

fn list(tables: &Tables, lang: Lang) -> Markup {
    html! {
        div id="tables" data-socket={ "/lobby/socket?lang=" (lang.code()) } {
            @if !tables.mine.is_empty() {
                section aria-labelledby="mine" {
                    h2 id="mine" { (lang.pick("Your tables", "Deine Tische")) }
                    (rows(&tables.mine, Way::There, lang))
                }
            }
            section aria-labelledby="open" {
                h2 id="open" { (lang.pick("Open tables", "Offene Tische")) }
                @if tables.open.is_empty() {
                    p class="dim" { (lang.pick("No table is waiting for players right now.", "Gerade wartet kein Tisch auf Mitspieler.")) }
                } @else {
                    (rows(&tables.open, Way::Seat, lang))
                }
            }
            @if !tables.running.is_empty() {
                section aria-labelledby="running" {
                    h2 id="running" { (lang.pick("Matches in progress", "Laufende Partien")) }
                    (rows(&tables.running, Way::Watch, lang))
                }
            }
            @if !tables.private.is_empty() {
                section aria-labelledby="private" {
                    h2 id="private" { (lang.pick("Private tables", "Private Tische")) }
                    p class="dim" { (lang.pick(
                        "Private: the server sees no cards. Knock, and somebody at the table lets you in.",
                        "Privat: Der Server sieht keine Karten. Klopf an, dann lässt dich jemand am Tisch herein.",
                    )) }
                    (private_rows(&tables.private, lang))
                }
            }
            @if let Some(chain) = &tables.chain { (chain::section(chain, lang)) }
            @if tables.station { (station::link(lang)) }
        }
    }
}

/// A visitor's ways to get to a listed table.
#[derive(Clone, Copy)]
enum Way {
    /// They sit there.
    There,
    /// There is a free seat.
    Seat,
    /// They can watch.
    Watch,
}

impl Way {
    fn link(self, id: TableId, lang: Lang) -> Markup {
        let table = format!("/tables/{id}");
        html! {
            @match self {
                Self::There => a class="button main" href=(table) { (lang.pick("Go to table", "Zum Tisch")) },
                Self::Seat => div class="actions" {
                    form method="post" action={ (table) "/sit" } { button class="main" { (lang.pick("Sit down", "Hinsetzen")) } }
                    a class="button quiet" href=(table) { (lang.pick("View", "Ansehen")) }
                },
                Self::Watch => a class="button quiet" href=(table) { (lang.pick("Watch", "Zuschauen")) },
            }
        }
    }
}

fn rows(tables: &[Listed], way: Way, lang: Lang) -> Markup {
    html! {
        ul class="rows" {
            @for table in tables {
                li id={ "table-" (table.row.id) } {
                    div class="what" {
                        h3 { (title_of(&table.row.game)) }
                        p class="dim" { @if matches!(way, Way::There) { strong { (state(table, lang)) } " · " } (limit(table.summary.seconds, lang))
                            @if table.is_open() { " · " (free(table.free(), lang)) }
                            @if !table.row.listed { " · " (lang.pick("private", "privat")) }
                        }
                    }
                    ul class="people" {
                        @for seat in &table.summary.seats { (person(seat.as_ref(), lang)) }
                    }
                    (way.link(table.row.id, lang))
                }
            }
        }
    }
}

/// Private tables, as their creators announce them.
fn private_rows(tables: &[(PrivateRow, usize)], lang: Lang) -> Markup {
    html! {
        ul class="rows" {
            @for (row, here) in tables {
                li id={ "private-" (row.id) } {
                    div class="what" {
                        h3 { (row.name) }
                        p class="dim" { (title_of(&row.game)) " · " (seats(row.seats, lang))
                            @if *here > 0 { " · " (connected(*here, lang)) }
                            @if let Some(code) = row.code { " · " (lang.pick("code to knock:", "Code zum Anklopfen:")) " " (code) }
                        }
                    }
                    a class="button quiet" href={ "/private/" (row.id) } { (lang.pick("Knock", "Anklopfen")) }
                }
            }
        }
    }
}

fn seats(count: u8, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{count} seats"),
        Lang::De => format!("{count} Plätze"),
    }
}

fn connected(count: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{count} connected"),
        Lang::De => format!("{count} verbunden"),
    }
}

/// The state of a table, in words.
fn state(table: &Listed, lang: Lang) -> &'static str {
    match table.row.phase {
        Phase::Gathering if table.free() > 0 => lang.pick("waiting for players", "wartet auf Mitspieler"),
        Phase::Gathering => lang.pick("ready to start", "kann losgehen"),
        Phase::Playing => lang.pick("in progress", "läuft"),
        Phase::Over => lang.pick("over", "zu Ende"),
    }
}

fn person(seated: Option<&Seated>, lang: Lang) -> Markup {
    html! {
        @match seated {
            Some(seated) => li { (avatar(seated.avatar)) span class={ "name" @if seated.computer.is_some() { " dim" } } { (seated.name) } },
            None => li class="free" { span class="avatar" aria-hidden="true" {} span class="name dim" { (lang.pick("free", "frei")) } },
        }
    }
}

fn free(count: usize, lang: Lang) -> String {
    match (count, lang) {
        (1, lang) => lang.pick("1 free seat", "1 freier Platz").to_owned(),
        (count, Lang::En) => format!("{count} free seats"),
        (count, Lang::De) => format!("{count} freie Plätze"),
    }
}
