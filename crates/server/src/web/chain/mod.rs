//! The tables of a poker chain: a page that lists them, and tells players when it is their turn; and tables in the browser.
//!
//! - `play`, `parts`: a wallet and a seat in the browser, with the module for chain tables
//! - `node`: the way to a node
//!
//! A visitor may say which address on the chain is theirs. That proves nothing and gives no rights: everything here is
//! public. Their browser remembers it, and the server does not.

pub(super) mod node;
mod parts;
pub(super) mod play;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use chain::tables::Phase;
use chain::{Address, hex};
use maud::{Markup, html};
use remote::{Listed, Stage};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::sleep;

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::socket::LONGEST;
use super::talk::{self, Closed, Line, News, converse};
use super::{Failure, Site};
use crate::chain::{Board, Chain};
use page::Lang;

/// Changes within this time are sent together.
const TOGETHER: Duration = Duration::from_millis(250);

/// Who is asking, in the address of the page and of its socket.
#[derive(Deserialize)]
pub(super) struct Asked {
    lang: Option<String>,
    address: Option<String>,
}

/// An address as somebody typed it.
enum Typed {
    Nothing,
    Address(Address),
    Wrong(String),
}

impl Typed {
    fn read(text: Option<&str>) -> Self {
        match text.map(str::trim).filter(|text| !text.is_empty()) {
            None => Self::Nothing,
            Some(text) => match text.parse() {
                Ok(address) => Self::Address(address),
                Err(_) => Self::Wrong(text.chars().take(100).collect()),
            },
        }
    }

    fn address(&self) -> Option<&Address> {
        match self {
            Self::Address(address) => Some(address),
            Self::Nothing | Self::Wrong(_) => None,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Address(address) => address.to_string(),
            Self::Wrong(text) => text.clone(),
        }
    }
}

/// The page.
pub(super) async fn page(
    State(site): State<Site>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let chain = site.chain().ok_or(Failure::NotFound)?;
    let (lang, typed) = (visitor.lang, Typed::read(asked.address.as_deref()));
    let body = html! {
        main class="lobby chain" {
            header class="welcome" {
                h1 { (lang.pick("Poker on a chain", "Poker auf einer Chain")) }
                p { (lang.pick(
                    "At these tables no server deals. Many computers shuffle together, and only you can read your cards. You play in this \
                     browser or with the program fairdeal: both keep your key and your cards, and check everything by themselves.",
                    "An diesen Tischen gibt kein Server die Karten. Viele Rechner mischen gemeinsam, und nur du kannst deine Karten lesen. Du \
                     spielst in diesem Browser oder mit dem Programm fairdeal: Beide verwahren deinen Schlüssel und deine Karten und prüfen \
                     alles selbst.",
                )) }
                @if play::exists() { p class="ways" { a class="button main" href="/chain/play" { (lang.pick("Play in this browser", "In diesem Browser spielen")) } } }
            }
            (list(chain, typed.address(), lang))
            (alerts(&typed, lang))
            (how(chain, lang))
        }
    };
    let sheet = Sheet {
        title: lang.pick("Poker on a chain – fairdeal", "Poker auf einer Chain – fairdeal"),
        class: "plain",
        styles: &["lobby.css"],
        scripts: &["chain.js"],
        body,
    };
    Ok(send(&visitor, &sheet))
}

/// The section of the lobby: tables where somebody could sit down or watch.
pub(super) fn section(chain: &Chain, lang: Lang) -> Markup {
    html! {
        section aria-labelledby="on-chain" {
            h2 id="on-chain" { (lang.pick("Poker on a chain", "Poker auf einer Chain")) }
            p class="dim" { (lang.pick(
                "Many computers deal together, and only you can read your cards. You play in this browser or with the program.",
                "Viele Rechner geben gemeinsam, und nur du kannst deine Karten lesen. Du spielst in diesem Browser oder mit dem Programm.",
            )) " " a href="/chain" { (lang.pick("How to join", "So spielst du mit")) } }
            @match chain.board() {
                None => p { (unreachable(lang)) },
                Some(board) => ul class="rows" {
                    @for table in &board.tables {
                        li id={ "chain-" (table.table) } {
                            div class="what" { h3 { (name(table, lang)) } p class="dim" { (stakes(table, lang)) } }
                            p { (seats(table, lang)) " · " @if table.ready >= 2 { (lang.pick("in progress", "läuft")) } @else { (lang.pick("waiting for players", "wartet auf Mitspieler")) } }
                            @if play::exists() { a class="button quiet" href={ "/chain/table/" (table.table) } { (lang.pick("Go to the table", "Zum Tisch")) } }
                        }
                    }
                },
            }
        }
    }
}

/// All tables, with what happens there. `me` is the visitor's address.
fn list(chain: &Chain, me: Option<&Address>, lang: Lang) -> Markup {
    html! {
        section id="chain" aria-labelledby="chain-tables" data-socket={ "/chain/socket?lang=" (lang.code()) } {
            h2 id="chain-tables" { (lang.pick("Tables", "Tische")) }
            @match chain.board() {
                None => p role="status" { (unreachable(lang)) },
                Some(board) if board.tables.is_empty() => p { (lang.pick("This chain has no tables yet.", "Auf dieser Chain gibt es noch keine Tische.")) },
                Some(board) => ul class="rows" { @for table in &board.tables { (row(table, me, lang)) } },
            }
        }
    }
}

fn row(table: &Listed, me: Option<&Address>, lang: Lang) -> Markup {
    let mine = me.filter(|me| table.players.contains(me));
    let asked = me.is_some() && table.turn.map(|turn| turn.player) == me.copied();
    let number = table.table;
    html! {
        li id={ "table-" (number) } {
            div class="what" { h3 { (name(table, lang)) } p class="dim" { (stakes(table, lang)) } }
            p { (seats(table, lang)) " · " (stage(table, lang))
                @if asked { " · " strong { (lang.pick("Your turn", "Du bist dran")) } }
                @else if me.is_some_and(|me| table.out.contains(me)) { " · " strong { (lang.pick("You are sitting out", "Du setzt aus")) } }
                @else if mine.is_some() { " · " strong { (lang.pick("You sit here", "Du sitzt hier")) } }
            }
            @if play::exists() { a class="button quiet" href={ "/chain/table/" (number) } { (lang.pick("Go to the table", "Zum Tisch")) } }
            code { "fairdeal chain " @if mine.is_some() { "play" } @else { "sit" } " " (number) }
        }
    }
}

/// Where a visitor says who they are, to be told when it is their turn.
fn alerts(typed: &Typed, lang: Lang) -> Markup {
    let wrong = matches!(typed, Typed::Wrong(_));
    html! {
        section aria-labelledby="alerts" {
            h2 id="alerts" { (lang.pick("Tell me when it's my turn", "Sag mir, wenn ich dran bin")) }
            p { (lang.pick(
                "Type your address and leave this page open: it marks your tables and tells you when a table waits for you. Anybody \
                 may know your address, and nobody can do anything with it.",
                "Gib deine Adresse ein und lass diese Seite offen: Sie markiert deine Tische und sagt dir, wenn ein Tisch auf dich wartet. \
                 Deine Adresse darf jeder kennen, niemand kann damit etwas anfangen.",
            )) }
            form class="field" method="get" action="/chain" id="alert" {
                label for="address" { (lang.pick("Your address", "Deine Adresse")) }
                input id="address" name="address" autocomplete="off" spellcheck="false" placeholder="deal1…" maxlength="100" value=(typed.text())
                    aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("address-wrong")];
                @if wrong {
                    p id="address-wrong" class="wrong" role="alert" { (lang.pick(
                        "This is not an address. Yours begins with deal1; fairdeal chain wallet show prints it.",
                        "Das ist keine Adresse. Deine beginnt mit deal1; fairdeal chain wallet show zeigt sie an.",
                    )) }
                }
                div class="actions" { button { (lang.pick("Remember", "Merken")) } span id="notified" {} }
            }
        }
    }
}

/// How to sit down.
fn how(chain: &Chain, lang: Lang) -> Markup {
    let nodes: Vec<String> = chain.nodes().iter().map(|node| format!(" --node {node}")).collect();
    let nodes = nodes.concat();
    html! {
        section aria-labelledby="how" {
            h2 id="how" { (lang.pick("How to join", "So spielst du mit")) }
            p { (lang.pick("With the program, in a terminal:", "Mit dem Programm, in einem Terminal:")) }
            pre class="key" {
                "fairdeal chain wallet new\n"
                "fairdeal chain tables" (nodes) "\n"
                "fairdeal chain sit 1" (nodes)
            }
            @if let Some(board) = chain.board() {
                p class="dim" { (lang.pick("The chain: ", "Die Chain: ")) (board.name) " · " code { (hex(&board.chain)) } }
                p class="dim" { (lang.pick(
                    "When your program first sees the chain, it shows the beginning of this number. If it shows another, it is another chain.",
                    "Den Anfang dieser Nummer zeigt auch dein Programm, wenn es die Chain zum ersten Mal sieht. Zeigt es etwas anderes, ist es eine andere Chain.",
                )) }
            }
        }
    }
}

fn unreachable(lang: Lang) -> &'static str {
    lang.pick(
        "No node of the chain can be reached right now. Your chips are safe: they are on the chain, not here.",
        "Gerade ist kein Knoten der Chain erreichbar. Deine Chips sind sicher: Sie liegen auf der Chain, nicht hier.",
    )
}

fn name(table: &Listed, lang: Lang) -> String {
    match table.terms.label.trim() {
        "" => format!("{} {}", lang.pick("Table", "Tisch"), table.table),
        label => format!("{label} ({})", table.table),
    }
}

fn stakes(table: &Listed, lang: Lang) -> String {
    let terms = &table.terms;
    let (small, big, least, most) = (terms.small_blind, terms.big_blind, terms.min_buy_in, terms.max_buy_in);
    let blinds = lang.pick("blinds", "Blinds");
    format!("{blinds} {small}/{big} · {} {least}–{most}", lang.pick("buy-in", "Buy-in"))
}

fn seats(table: &Listed, lang: Lang) -> String {
    let (taken, all) = (table.players.len(), table.terms.max_players);
    match lang {
        Lang::En => format!("{taken} of {all} seats taken"),
        Lang::De => format!("{taken} von {all} Plätzen besetzt"),
    }
}

fn stage(table: &Listed, lang: Lang) -> String {
    let (hand, phase) = match table.stage {
        Stage::Waiting => return lang.pick("waiting for players", "wartet auf Mitspieler").to_owned(),
        Stage::Between => return lang.pick("the next hand begins soon", "gleich beginnt die nächste Hand").to_owned(),
        Stage::Playing { hand, phase } => (hand, phase),
    };
    let phase = match phase {
        Phase::HandInit | Phase::Shuffle => lang.pick("the deck is being shuffled", "es wird gemischt"),
        Phase::DealHole => lang.pick("cards are being dealt", "es wird gegeben"),
        Phase::PreflopBetting => lang.pick("before the flop", "vor dem Flop"),
        Phase::FlopReveal | Phase::FlopBetting => "Flop",
        Phase::TurnReveal | Phase::TurnBetting => "Turn",
        Phase::RiverReveal | Phase::RiverBetting => "River",
        Phase::Showdown => "Showdown",
        Phase::HandComplete => lang.pick("over", "zu Ende"),
    };
    format!("{} {hand}: {phase}", lang.pick("hand", "Hand"))
}

/// What the page is told.
#[derive(Serialize)]
struct Told {
    /// The list of tables.
    list: String,
    /// The turns that wait for this visitor, each with a name of its own.
    turns: Vec<String>,
}

impl Told {
    fn new(chain: &Chain, me: Option<&Address>, lang: Lang) -> Self {
        let board = chain.board();
        let tables = board.iter().flat_map(|board| &board.tables);
        let turns = tables.filter_map(|table| {
            let turn = table.turn.filter(|turn| Some(&turn.player) == me)?;
            Some(format!("{}/{}/{}", table.table, turn.hand, turn.height))
        });
        Self { turns: turns.collect(), list: list(chain, me, lang).0 }
    }
}

/// The list while somebody looks at it.
pub(super) async fn open(
    State(site): State<Site>,
    Query(asked): Query<Asked>,
    visitor: Option<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let chain = site.chain().ok_or(Failure::NotFound)?.clone();
    let visitor = visitor.ok_or(Failure::NoPlayer)?;
    let lang = asked.lang.as_deref().and_then(Lang::from_code).unwrap_or(visitor.lang);
    let me = Typed::read(asked.address.as_deref()).address().copied();
    let place = site.socket(&visitor)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let line = Line::new(socket, Changes(chain.changes()), site.limits().patience());
        converse(&site, place, Talk { visitor, line, chain, me, lang, sent: String::new() }).await;
    }))
}

struct Changes(watch::Receiver<Option<Arc<Board>>>);

impl News for Changes {
    async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            core::future::pending::<()>().await;
        }
        sleep(TOGETHER).await;
    }
}

struct Talk {
    visitor: Visitor,
    line: Line<Changes>,
    chain: Chain,
    me: Option<Address>,
    lang: Lang,
    /// What the browser has.
    sent: String,
}

impl talk::Talk for Talk {
    type News = Changes;

    fn line(&mut self) -> &mut Line<Changes> {
        &mut self.line
    }

    fn may_send(&self, site: &Site) -> bool {
        talk::may_send(site, &self.visitor)
    }

    async fn tell(&mut self, _: &Site) -> Result<(), Closed> {
        let told = Told::new(&self.chain, self.me.as_ref(), self.lang);
        let Ok(told) = serde_json::to_string(&told) else { return Ok(()) };
        if told == self.sent {
            return Ok(());
        }
        self.sent = told;
        self.line.send([Message::Text(Utf8Bytes::from(self.sent.as_str()))]).await
    }

    async fn turn_away(&mut self) -> Result<(), Closed> {
        Ok(())
    }

    /// A page has nothing to say here.
    async fn hear(&mut self, _: &Site, _: &str) -> Result<(), Closed> {
        Err(Closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_with_blanks_around_it_and_anything_else_is_shown_again() {
        let address = Address([7; 32]);
        let typed = Typed::read(Some(&format!("  {address}\n")));
        assert_eq!(typed.address(), Some(&address));
        assert!(matches!(Typed::read(Some("  ")), Typed::Nothing));
        assert!(matches!(Typed::read(None), Typed::Nothing));
        let long = "x".repeat(1_000);
        let typed = Typed::read(Some(&long));
        assert_eq!((typed.address(), typed.text().len()), (None, 100));
    }
}
