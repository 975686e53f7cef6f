//! The common page of a table: the players, the middle, the viewer's desk, how a deal ended.
//!
//! It consists of parts, each an element with its own id; a socket sends the parts that have changed.

use ::table::{Seat, Seats, Value as _};
use bots::Kind;
use maud::{Markup, html};

use super::{Marking, enumerate, ties, tile};
use crate::ids::{Code, PlayerId, TableId};
use crate::lang::Lang;
use crate::room::{Awaited, CHANGE, Chair, Changing, Ending, Key, Play, Room, Shown, Stage, level};

/// A viewer of a table.
#[derive(Clone, Debug)]
pub struct Looker {
    /// Their language.
    pub lang: Lang,
    /// Their id.
    pub player: PlayerId,
    /// Their seat, if they have one.
    pub seat: Option<Seat>,
    /// The seats whose players are known not to have the table open.
    pub absent: Seats,
    /// Whether they may start the match and seat computers.
    pub owns: bool,
    /// Whether they may mute people.
    pub moderates: bool,
    /// The code for joining.
    pub code: Option<Code>,
    /// The address for joining.
    pub link: String,
    /// This table's address.
    pub address: String,
}

/// The part of the page with the players and the middle of the table.
pub fn felt(room: &Room, shown: Option<&Shown>, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let (game, title) = (room.game().name(), games::with_game!(room.game(), G => <G as ::table::Game>::TITLE));
    html! {
        section id="felt" class={ "felt " (game) } aria-label=(lang.pick("Table", "Tisch")) data-beat=(room.beat()) {
            header {
                h1 { (title) }
                @if let Some((play, shown)) = room.play().zip(shown) {
                    p class="facts" { (lang.pick("Deal", "Spiel")) " " (number(play)) " · " (shown.title) }
                }
                @if let Some(seat) = looker.seat.filter(|seat| room.is_away(*seat) && room.stage() != Some(Stage::Over)) {
                    p class="away" { (lang.pick("You are away: the table plays for you.", "Du bist abwesend: der Tisch spielt für dich.")) " "
                        (command(&serde_json::json!({"back": {}}), lang.pick("I'm back", "Ich bin wieder da"), "main")) span hidden { (seat) } }
                }
            }
            @match (room.play(), shown) {
                (Some(play), Some(shown)) => {
                    (players(room, play, shown, looker))
                    div id="middle" class="middle" { (shown.middle) }
                    @if let Some(ending) = &shown.ending { (end(room, play, shown, ending, looker)) }
                }
                _ => (gathering(room, looker)),
            }
        }
    }
}

/// The part of the page with the viewer's own cards and buttons.
pub fn desk(room: &Room, shown: Option<&Shown>, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let (Some(shown), Some(play), Some(seat)) = (shown, room.play(), looker.seat) else {
        let watching = looker.seat.is_none() && room.stage().is_some();
        return html! {
            section id="desk" class="desk empty" aria-label=(lang.pick("Your side", "Deine Seite")) {
                @if watching { p class="dim" { (lang.pick("You are watching. You see what everybody sees.", "Du schaust zu. Du siehst, was alle sehen.")) } }
            }
        };
    };
    let panel = shown.panels.get(usize::from(seat.index()));
    let asked = shown.asked;
    html! {
        section id="desk" class={ "desk" @if asked { " asked" } } aria-label=(lang.pick("Your side", "Deine Seite"))
            data-draft=(shown.draft) data-height=(play.height()) data-deal=(play.deal()) data-marking=(marking(shown.marking)) {
            // On small screens this scrolls, and the buttons below stay visible.
            div class="holds" {
                div class="own" {
                    (avatar(room, seat))
                    strong { (lang.pick("You", "Du")) }
                    @if let Some(panel) = panel {
                        span class="fact" { (panel.facts) }
                        @for mark in &panel.marks { span class="badge" { (mark) } }
                    }
                    (hints_used(room, seat, lang))
                    (shown.own)
                }
                @if let Some(bench) = &shown.bench { div id="bench" class="bench" { (bench) } }
                div id="hand" class="hand" role="group" aria-label=(lang.pick("Your cards", "Deine Karten")) {
                    @for one in &shown.hand { (tile(*one, shown.marked.contains(&one.slot), shown.marking != Marking::None, lang)) }
                }
            }
            p id="says" class={ "says " (shown.says.1.class()) } role="status" {
                @if !shown.says.0.is_empty() { (shown.says.0) }
                @else if is_out(play, seat) { (lang.pick("You are out. You can watch, or leave.", "Du bist ausgeschieden. Du kannst zusehen oder gehen.")) }
                @else { (waiting(room, play, looker)) }
            }
            @if asked || shown.changing == Changing::Begun { (controls(shown, room.allows_hints(), lang)) }
            (change(shown.changing, lang))
        }
    }
}

/// Whether the match continues without this seat.
fn is_out(play: &dyn Play, seat: Seat) -> bool {
    play.stage() != Stage::Over && !play.takes_part(seat)
}

fn controls(shown: &Shown, hints: bool, lang: Lang) -> Markup {
    // Buttons that set the amount are next to it.
    let beside = |key: &&Key| shown.amount.is_some() && !key.moves;
    html! {
        div class="controls" {
            @if let Some((amount, now)) = shown.amount {
                div class="amount" {
                    // Every amount must be reachable, so its step is 1; the script uses larger steps.
                    input type="range" id="amount" min=(amount.least) max=(amount.most) step="1" value=(now)
                        aria-label=(lang.pick("Amount", "Betrag")) data-step=(amount.step);
                    input type="number" id="number" min=(amount.least) max=(amount.most) value=(now)
                        aria-label=(lang.pick("Amount", "Betrag"));
                    @for key in shown.buttons.iter().filter(beside) { (button(key)) }
                }
            }
            div class="buttons" {
                @for key in shown.buttons.iter().filter(|key| !beside(key)) { (button(key)) }
                @if hints && shown.asked && !shown.buttons.iter().any(|key| key.forced) {
                    button type="button" id="hint" class="quiet" data-hint="" { (lang.pick("Hint", "Tipp")) kbd { "h" } }
                }
            }
        }
    }
}

/// A player who has chosen can change their mind while others are still choosing. Enter does not press this button.
fn change(changing: Changing, lang: Lang) -> Markup {
    let label = match changing {
        Changing::Nothing => return html! {},
        Changing::Offered => lang.pick("Change", "Ändern"),
        Changing::Begun => lang.pick("Keep it as it is", "Doch nicht ändern"),
    };
    html! { p class="change" { button type="button" id="change" class="quiet" data-key=(CHANGE) { (label) } } }
}

fn button(key: &Key) -> Markup {
    // Buttons that only change the draft are less prominent than moves.
    let class = match key {
        Key { grave: true, .. } => "grave",
        Key { moves: true, .. } => "main",
        Key { .. } => "draft",
    };
    let why = format!("why-{}", key.key);
    html! {
        @match &key.refused {
            None => button type="button" id={ "key-" (key.key) } class=(class) data-key=(key.key) data-forced=[key.forced.then_some("")] data-sure=[key.sure.as_deref()] { (key.label) kbd { (key.key) } },
            // It can be focused and read, but does nothing.
            Some(refused) => span class="refused" {
                button type="button" id={ "key-" (key.key) } class=(class) aria-disabled="true" aria-describedby=(why) title=(refused) { (key.label) }
                span id=(why) class="why" { (refused) }
            },
        }
    }
}

/// A button that sends a command as it is.
pub(super) fn command(command: &serde_json::Value, label: &str, class: &str) -> Markup {
    html! { button type="button" class=(class) data-command=(command) { (label) } }
}

fn players(room: &Room, play: &dyn Play, shown: &Shown, looker: &Looker) -> Markup {
    let all = Seats::first(room.terms().players);
    let others: Vec<Seat> = match looker.seat {
        Some(me) => all.clockwise_after(me).filter(|seat| *seat != me).collect(),
        None => all.iter().collect(),
    };
    let (awaited, lang) = (play.awaited(), looker.lang);
    html! {
        ol class={ "players n" (others.len()) } {
            @for seat in others {
                @if let (Some(panel), Some(chair)) = (shown.panels.get(usize::from(seat.index())), room.chair(seat)) {
                    @let turn = !matches!(awaited, Awaited::Seeds(..)) && awaited.seats().contains(seat);
                    li id={ "seat-" (seat.index()) } class={ "player" @if turn { " turn" } @if panel.out { " out" } } aria-current=[turn.then_some("true")] {
                        div class="who" {
                            (avatar(room, seat))
                            span class="name" { (name(chair, seat)) }
                            @for mark in &panel.marks { span class="badge" { (mark) } }
                            (hints_used(room, seat, lang))
                            @if looker.absent.contains(seat) { span class="absent" { (not_here(lang)) } }
                        }
                        p class="fact" { (panel.facts) }
                        @if let Some((status, mood)) = &panel.status { p class={ "status " (mood.class()) } { (status) } }
                        @else { (presence(room, chair, seat, turn, looker.lang)) }
                        div class="cards" { (panel.cards) }
                    }
                }
            }
        }
    }
}

/// The number of hints a seat has used, for everybody to see.
fn hints_used(room: &Room, seat: Seat, lang: Lang) -> Markup {
    html! {
        @match (room.hints(seat), lang) {
            (0, _) => {},
            (1, lang) => span class="badge hinted" { (lang.pick("1 hint", "1 Tipp")) },
            (count, lang) => span class="badge hinted" { (count) " " (lang.pick("hints", "Tipps")) },
        }
    }
}

/// The note about a player who does not have the table open.
const fn not_here(lang: Lang) -> &'static str {
    lang.pick("not here", "nicht da")
}

/// A player's status if the game says nothing.
fn presence(room: &Room, chair: &Chair, seat: Seat, turn: bool, lang: Lang) -> Markup {
    let text = if chair.left.is_some() && chair.computer().is_none() {
        lang.pick("left", "gegangen").to_owned()
    } else if let Some(kind) = chair.computer() {
        format!("{} · {}", lang.pick("computer", "Computer"), level(kind, lang))
    } else if room.is_away(seat) {
        lang.pick("away", "abwesend").to_owned()
    } else if turn {
        lang.pick("thinking …", "überlegt …").to_owned()
    } else {
        String::new()
    };
    html! { p class="status dim" { (text) } }
}

/// How a deal, or the match, ended.
fn end(room: &Room, play: &dyn Play, shown: &Shown, ending: &Ending, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let over = play.stage() == Stage::Over;
    let mut order: Vec<Seat> = Seats::first(room.terms().players).iter().collect();
    order.sort_by_key(|seat| ending.standing.place[*seat]);
    html! {
        section id="ending" class="ending" aria-live="polite" {
            h2 { @if over { (lang.pick("The match is over", "Die Partie ist zu Ende")) } @else { (lang.pick("Deal", "Spiel")) " " (ending.deal) (lang.pick(" is over", " ist zu Ende")) } }
            @if over { p class="winner" { (winner(room, ending, looker)) } }
            @if let Some(table) = room.again() { (invitation(room, table, looker)) }
            // After a match people first want to see the ranking, after a deal what happened in it.
            @if !over { div class="summary" { (ending.summary) } }
            table {
                thead { tr { th { (lang.pick("Place", "Platz")) } th { (lang.pick("Player", "Spieler")) } th { (lang.pick("This deal", "Dieses Spiel")) } th { (shown.counts) } } }
                tbody {
                    @for seat in order {
                        tr class=[looker.seat.filter(|me| *me == seat).map(|_| "me")] {
                            td { (ending.standing.place[seat]) "." }
                            td { @if let Some(chair) = room.chair(seat) { (name(chair, seat)) }
                                @for (_, tie) in ending.ties.iter().filter(|(ahead, _)| *ahead == seat) { span class="tie" { (ties::text(*tie, lang)) } } }
                            td { (signed(ending.outcome.result[seat].0)) }
                            td { (ending.standing.total[seat]) }
                        }
                    }
                }
            }
            @if over { div class="summary" { (ending.summary) } }
            div class="actions" {
                @if over {
                    @if room.again().is_none() && looker.seat.is_some() {
                        form method="post" action={ (looker.address) "/again" } { button class="main" { (lang.pick("Rematch", "Revanche")) } }
                    }
                    a class="button" href={ (looker.address) "/replay" } { (lang.pick("Replay", "Noch einmal ansehen")) }
                    a class="button" href="/" { (lang.pick("Back to the lobby", "Zur Lobby")) }
                } @else if let Some(seat) = looker.seat {
                    @if room.ready().contains(seat) {
                        span class="dim" { (waiting(room, play, looker)) }
                    } @else {
                        (command(&serde_json::json!({"ready": {"deal": ending.deal}}), lang.pick("Next deal", "Nächstes Spiel"), "main ready"))
                    }
                }
                button type="button" class="quiet" data-verify="" { (lang.pick("Verify", "Nachprüfen")) }
            }
        }
    }
}

/// The winner of the match.
fn winner(room: &Room, ending: &Ending, looker: &Looker) -> String {
    let (winners, lang) = (ending.standing.winners(), looker.lang);
    let names = winners.iter().filter_map(|seat| room.chair(seat).map(|chair| name(chair, seat)));
    let names = names.collect::<Vec<_>>().join(lang.pick(" and ", " und "));
    match (winners.only(), looker.seat) {
        (Some(winner), Some(me)) if winner == me => lang.pick("You win!", "Du hast gewonnen.").to_owned(),
        (Some(_), _) => format!("{names} {}", lang.pick("wins.", "hat gewonnen.")),
        (None, _) if names.is_empty() => lang.pick("Nobody wins.", "Niemand hat gewonnen.").to_owned(),
        (None, _) => format!("{names} {}", lang.pick("share the win.", "haben gemeinsam gewonnen.")),
    }
}

/// A player wants a rematch. Nobody is moved there automatically: viewers of the result go when they like.
fn invitation(room: &Room, table: TableId, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let asker = room.wants_again().filter(|seat| looker.seat != Some(*seat));
    let asker = asker.and_then(|seat| room.chair(seat).map(|chair| name(chair, seat)));
    html! {
        p id="next" class="next" {
            @if let Some(asker) = asker {
                span { strong { (asker) } " " (lang.pick("wants to play again.", "möchte noch einmal spielen.")) }
            }
            a class="button main" href={ "/tables/" (table) } { (lang.pick("Go to the next match", "Zur nächsten Partie")) }
        }
    }
}

/// Before the match: who sits where, and how to invite others.
fn gathering(room: &Room, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let empty = room.chairs().filter(|(_, chair)| chair.who.is_none()).count();
    html! {
        div class="gathering" {
            ol class="chairs" {
                @for (seat, chair) in room.chairs() {
                    li id={ "chair-" (seat.index()) } class="chair" {
                        @if chair.who.is_some() {
                            (avatar(room, seat))
                            span class="name" { (name(chair, seat))
                                @if let Some(kind) = chair.computer() { span class="dim" { " · " (level(kind, lang)) } }
                                @if looker.seat == Some(seat) { span class="dim" { " · " (lang.pick("you", "du")) } }
                                @if looker.absent.contains(seat) { span class="dim" { " · " (not_here(lang)) } }
                            }
                            @if looker.owns && chair.computer().is_some() {
                                (command(&serde_json::json!({"computer": {"seat": seat, "level": null}}), lang.pick("Remove", "Entfernen"), "quiet"))
                            } @else if looker.owns && looker.seat != Some(seat) {
                                (command(&serde_json::json!({"free": {"seat": seat}}), lang.pick("Free this seat", "Platz freimachen"), "quiet"))
                            }
                        } @else {
                            span class="name dim" { (lang.pick("empty", "frei")) }
                            @if looker.seat.is_none() {
                                (command(&serde_json::json!({"sit": {"seat": seat, "seeds": true}}), lang.pick("Sit down", "Hinsetzen"), "main"))
                            }
                            @if looker.owns {
                                span class="levels" {
                                    (lang.pick("Computer:", "Computer:"))
                                    @for kind in [Kind::Easy, Kind::Normal, Kind::Hard] {
                                        (command(&serde_json::json!({"computer": {"seat": seat, "level": kind.text()}}), &level(kind, lang), "quiet"))
                                    }
                                }
                            }
                        }
                    }
                }
            }
            div class="actions" {
                @if looker.owns {
                    @if empty == 0 {
                        (command(&serde_json::json!({"start": {}}), lang.pick("Start the match", "Partie beginnen"), "main start"))
                        @if !looker.absent.is_empty() {
                            span class="dim" { (lang.pick("A player is not here yet. If you start now, their clock runs anyway.", "Es sind noch nicht alle da. Wenn du jetzt beginnst, läuft ihre Zeit trotzdem.")) }
                        }
                    } @else {
                        span class="dim" { (lang.pick("The match can begin when every seat is taken.", "Die Partie kann beginnen, wenn jeder Platz besetzt ist.")) }
                    }
                } @else if looker.seat.is_some() {
                    span class="dim" { (waiting_for_start(room, lang)) }
                    form method="post" action="/quick" {
                        input type="hidden" name="game" value=(room.game().name());
                        button class="quiet" name="alone" value="yes" { (lang.pick("Play against computers now", "Jetzt gegen Computer spielen")) }
                    }
                }
                @if looker.seat.is_some() { (command(&serde_json::json!({"stand": {}}), lang.pick("Stand up", "Aufstehen"), "quiet")) }
            }
            @if let Some(code) = looker.code {
                section class="invite" {
                    h2 { (lang.pick("Invite friends", "Freunde einladen")) }
                    p { (lang.pick("Code", "Code")) " " strong class="code" { (code) } }
                    p { a href=(looker.link) { (looker.link) } }
                    (super::beside::share(&looker.link, lang))
                    img class="qr" src={ (looker.address) "/qr.svg" } width="180" height="180" alt=(lang.pick("The address as a QR code", "Die Adresse als QR-Code"));
                }
            }
        }
    }
}

/// The player who can start the match, for those who cannot.
fn waiting_for_start(room: &Room, lang: Lang) -> String {
    let seat = room.owner().and_then(|owner| room.seat_of(owner));
    match (seat.and_then(|seat| room.chair(seat).map(|chair| name(chair, seat))), lang) {
        (Some(owner), Lang::En) => format!("Waiting for {owner} to start the match …"),
        (Some(owner), Lang::De) => format!("Warten, bis {owner} die Partie beginnt …"),
        (None, lang) => lang.pick("Waiting for the match to start …", "Warten auf den Beginn …").to_owned(),
    }
}

/// What the table waits for, for a viewer whose turn it is not.
fn waiting(room: &Room, play: &dyn Play, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let awaited = play.awaited();
    let others = |seats: Seats| looker.seat.map_or(seats, |me| seats - Seats::one(me));
    let names = |seats: Seats| {
        let names = seats.iter().filter_map(|seat| room.chair(seat).map(|chair| name(chair, seat)));
        enumerate(&names.collect::<Vec<_>>(), lang)
    };
    let wait_for = |seats: Seats| match (names(others(seats)), lang) {
        (names, _) if names.is_empty() => html! {},
        (names, Lang::En) => html! { "Waiting for " (names) " …" },
        (names, Lang::De) => html! { "Warten auf " (names) " …" },
    };
    match awaited {
        Awaited::Seeds(_, _, seats) => html! {
            (lang.pick("Everybody is shuffling the cards …", "Alle mischen gemeinsam die Karten …"))
            // Usually all of them answer at once: names that come and go in an instant tell nobody anything.
            span class="late" { @match (others(seats).len(), lang) {
                (0, _) => {},
                (_, Lang::En) => { " Waiting for " (names(others(seats))) "." },
                (1, Lang::De) => { " Es fehlt noch " (names(others(seats))) "." },
                (_, Lang::De) => { " Es fehlen noch " (names(others(seats))) "." },
            } }
        },
        Awaited::Turn(_) | Awaited::Choices(_) => wait_for(awaited.seats()),
        // A player who has not asked for the next deal yet sees the button for it.
        Awaited::Looking if looker.seat.is_some_and(|me| !room.ready().contains(me)) => html! {},
        Awaited::Looking => wait_for(room.looking()),
        Awaited::House | Awaited::Nothing => html! {},
    }
}

fn avatar(room: &Room, seat: Seat) -> Markup {
    let number = room.chair(seat).and_then(|chair| chair.face(seat)).map_or(0, |face| face.avatar);
    html! { span class={ "avatar a" (number) } aria-hidden="true" {} }
}

pub(super) fn name(chair: &Chair, seat: Seat) -> String {
    chair.face(seat).map(|face| face.name).unwrap_or_default()
}

/// The number of the deal shown.
fn number(play: &dyn Play) -> u32 {
    match play.stage() {
        Stage::Deal => play.deal(),
        Stage::Between | Stage::Over => play.deals_over(),
    }
}

fn signed(number: i64) -> String {
    if number > 0 { format!("+{number}") } else { number.to_string().replace('-', "−") }
}

const fn marking(marking: Marking) -> &'static str {
    match marking {
        Marking::None => "none",
        Marking::One => "one",
        Marking::Many => "many",
    }
}
