//! What remains of a match: its record, history, replay, and the rematch.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use server::hub::Opening;
use server::ids::{Key, PlayerId, TableId};
use server::room::{Awaited, Command, Event, Face, Hints, Sitter, Stage, Terms};
use server::store::Phase;
use table::Seat;

use crate::http::{Browser, Server};

/// Two people at a table that nobody else plays at.
struct Pair {
    server: Server,
    people: [Browser; 2],
    players: [PlayerId; 2],
    table: TableId,
}

impl Pair {
    fn sit(game: &str, settings: Value) -> Self {
        let server = Server::start();
        let people = [server.visitor(), server.visitor()].map(|mut one| {
            one.get("/");
            one
        });
        let players = people.each_ref().map(|one| one.cookies["fairdeal"].parse::<Key>().unwrap().player());
        let terms = Terms {
            game: game.to_owned(),
            rules: 1,
            players: 2,
            settings,
            owner: Some(players[0]),
            listed: true,
            reveal: "auto".to_owned(),
            pace: 0,
            hints: Hints::default(),
            session: String::new(),
        };
        let sat = |n: u8| {
            let face = Face { name: format!("Player {n}"), avatar: 1 };
            // No seeds, so that nobody waits for them.
            let who = Sitter::Player { player: players[usize::from(n)], face, seeds: false };
            Event::Sat { seat: Seat::new(n).unwrap(), who }
        };
        let opening = Opening { terms, events: vec![sat(0), sat(1), Event::Started] };
        let (table, _) = server.runtime.block_on(server.hub.open(opening)).unwrap();
        Self { server, people, players, table }
    }

    /// Both do the least they can, for this many steps or until the match is over.
    fn play(&self, steps: usize) {
        let hub = &self.server.hub;
        let live = hub.table(self.table);
        let face = Face { name: "x".to_owned(), avatar: 1 };
        self.server.runtime.block_on(async {
            for _ in 0..steps {
                let (stage, deal, events) = {
                    let room = hub.read(&live).await.unwrap();
                    let play = room.play().unwrap();
                    let seats = match play.awaited() {
                        Awaited::Turn(_) | Awaited::Choices(_) => play.awaited().seats(),
                        Awaited::Seeds(..) | Awaited::House | Awaited::Looking | Awaited::Nothing => table::Seats::NONE,
                    };
                    let events: Vec<_> = seats.iter().map(|seat| (seat, play.default_event(seat).unwrap())).collect();
                    (play.stage(), play.deals_over(), events)
                };
                match stage {
                    Stage::Over => return,
                    Stage::Between => {
                        for player in self.players {
                            let ready = Command::Ready { deal };
                            hub.command(self.table, player, &face, ready).await.unwrap();
                        }
                    }
                    Stage::Deal => {
                        for (seat, event) in events {
                            hub.event(&live, self.players[usize::from(seat.index())], event).await.unwrap();
                        }
                    }
                }
            }
        });
    }

    fn is_over(&self) -> bool {
        let row = self.server.runtime.block_on(self.server.hub.store().table(self.table)).unwrap().unwrap();
        row.phase == Phase::Over
    }

    fn address(&self, rest: &str) -> String {
        format!("/tables/{}{rest}", self.table)
    }
}

/// The seats whose cards a record shows.
fn told(record: &str) -> BTreeSet<String> {
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let private = lines.filter_map(|line| line.pointer("/dealt/private")?.as_object().cloned());
    private.flat_map(|private| private.into_iter().map(|(seat, _)| seat)).collect()
}

#[test]
fn a_record_shows_players_only_their_own_cards() {
    let pair = Pair::sit("holdem", json!({"hand_limit": 10}));
    for over in [false, true] {
        pair.play(if over { 1000 } else { 5 });
        assert_eq!(pair.is_over(), over);
        let [mut anna, mut bob] = pair.people.clone();
        let mut stranger = pair.server.visitor();
        let path = pair.address("/record");
        let record = anna.get(&path);
        assert_eq!(record.status, 200);
        assert!(record.header("content-disposition").unwrap().contains(".jsonl"));
        assert_eq!(told(&record.body), BTreeSet::from(["0".to_owned()]));
        assert_eq!(told(&bob.get(&path).body), BTreeSet::from(["1".to_owned()]));
        assert_eq!(told(&stranger.get(&path).body), BTreeSet::new());
        let phh = stranger.get(&pair.address("/hands.phh"));
        assert!(
            phh.status == 200 && phh.body.contains("variant = \"NT\"") && phh.body.contains("????"),
            "{}",
            phh.body
        );
        let text = anna.get(&pair.address("/hands.txt"));
        assert!(text.status == 200 && text.body.contains("Dealt to Player 0"), "{}", text.body);
        assert!(!text.body.contains("Dealt to Player 1 ["), "{}", text.body);
        assert!(!stranger.get(&pair.address("/hands.txt")).body.contains("Dealt to Player 0 ["));
    }
}

/// The slots and faces that a seat was dealt in the last deal of a record.
fn dealt_last(record: &str, seat: &str) -> BTreeSet<(String, String)> {
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.iter().rposition(|line| line.get("deal").is_some()).unwrap();
    let dealt = lines[last..].iter().filter_map(|line| line.pointer(&format!("/dealt/private/{seat}"))?.as_object());
    let text = |face: &Value| face.as_str().unwrap().to_owned();
    dealt.flat_map(|faces| faces.iter().map(|(slot, face)| (slot.clone(), text(face)))).collect()
}

#[test]
fn only_the_seat_itself_gets_the_proofs_of_its_cards_during_a_deal_and_after_it() {
    let pair = Pair::sit("holdem", json!({"hand_limit": 10}));
    let path = pair.address("/openings");
    for over in [false, true] {
        pair.play(if over { 1000 } else { 1 });
        assert_eq!(pair.is_over(), over);
        for (seat, mut one) in ["0", "1"].into_iter().zip(pair.people.clone()) {
            let given: Value = serde_json::from_str(&one.get(&path).body).unwrap();
            assert_eq!(given["seat"].to_string(), seat);
            let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
            let openings = given["openings"].as_array().unwrap();
            let given: BTreeSet<_> = openings.iter().map(|one| (text(one, "slot"), text(one, "card"))).collect();
            assert_eq!(given.len(), 2);
            assert_eq!(given, dealt_last(&one.get(&pair.address("/record")).body, seat), "over: {over}");
            assert!(openings.iter().all(|one| text(one, "salt").len() == 64 && one["path"].is_array()));
        }
        assert_eq!(pair.server.visitor().get(&path).body, "{}", "a visitor without a key");
        let mut watching = pair.server.visitor();
        watching.get(&pair.address(""));
        assert_eq!(watching.get(&path).body, "{}", "a spectator");
    }
}

#[test]
fn only_players_at_a_table_can_leave_it() {
    let pair = Pair::sit("holdem", json!({"hand_limit": 10}));
    let [mut anna, _] = pair.people.clone();
    assert!(anna.get(&pair.address("")).body.contains("Leave the table"));
    assert!(!pair.server.visitor().get(&pair.address("")).body.contains("Leave the table"));
}

#[test]
fn a_finished_match_is_in_the_history_and_can_be_replayed() {
    let pair = Pair::sit("holdem", json!({"hand_limit": 10}));
    pair.play(5);
    let [mut anna, _] = pair.people.clone();
    assert_eq!(anna.get(&pair.address("/replay")).status, 409, "not while it is running");
    assert!(anna.get("/history").body.contains("Nothing here yet"));
    pair.play(1000);
    assert!(pair.is_over());
    let history = anna.get("/history").body;
    assert!(history.contains(&pair.address("/replay")) && history.contains("Player 1"), "{history}");
    assert!(anna.get("/history?game=romme").body.contains("Nothing here yet"));
    assert!(anna.get("/me").body.contains("Texas Hold"));
    let mut stranger = pair.server.visitor();
    assert!(stranger.get("/history").body.contains("Nothing here yet"));
    let first = anna.get(&pair.address("/replay")).body;
    assert!(first.contains("Step 1 of ") && first.contains("This is what you saw at the time."), "{first}");
    let last = anna.get(&pair.address("/replay?step=100000")).body;
    assert!(last.contains("The match is over"), "{last}");
    for step in 0..8 {
        let public = stranger.get(&pair.address(&format!("/replay?step={step}"))).body;
        assert!(public.contains("This is what everybody saw at the time."));
        assert_eq!(
            public,
            stranger.get(&pair.address(&format!("/replay?step={step}&as=public"))).body.replace("&amp;as=public", "")
        );
        // Before the flop nobody has shown anything: no face is in the page.
        if step == 0 {
            let faces = ["hearts", "spades", "clubs", "diamonds"];
            assert!(faces.iter().all(|suit| !public.contains(&format!("card {suit}"))), "{public}");
            let own = anna.get(&pair.address("/replay?step=0")).body;
            assert_eq!(faces.iter().map(|suit| own.matches(&format!("card {suit}")).count()).sum::<usize>(), 2);
        }
    }
}

#[test]
fn all_players_meet_at_one_table_no_matter_who_asks_for_a_rematch_first() {
    let pair = Pair::sit("blackout", json!({"start": 1, "max": 1, "end": 1}));
    let [mut anna, mut bob] = pair.people.clone();
    let again = pair.address("/again");
    assert_eq!(anna.post(&again, &[]).status, 409, "not while it is running");
    pair.play(1000);
    assert!(pair.is_over());
    assert_eq!(pair.server.visitor().post(&again, &[]).status, 409, "only players who sat there");
    let made = pair.server.hub.metrics().tables.get();
    let met: Vec<String> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..6)
            .map(|n| {
                let mut one = pair.people[n % 2].clone();
                let again = &again;
                scope.spawn(move || one.post(again, &[]).location().to_owned())
            })
            .collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(met.iter().all(|table| *table == met[0]), "{met:?}");
    assert_eq!(pair.server.hub.metrics().tables.get(), made + 1);
    let page = anna.get(&met[0]).body;
    assert!(page.contains("Player 0") && page.contains("Player 1"), "{page}");
    let old = [anna.get(&pair.address("")).body, bob.get(&pair.address("")).body];
    for page in &old {
        assert!(page.contains(&format!("href=\"{}\"", met[0])), "the old table leads to the new one: {page}");
        assert!(page.contains("The match is over") && page.contains("data-verify"), "and stays as it was: {page}");
    }
    let invited = |page: &String| page.contains(" wants to play again.");
    assert_eq!(old.iter().filter(|page| invited(page)).count(), 1, "all but the first to ask are invited");
    let watching = pair.server.visitor().get(&pair.address("")).body;
    assert!(invited(&watching) && watching.contains(&met[0]), "{watching}");
    assert_eq!(pair.server.visitor().post(&again, &[]).status, 409, "still only players who sat there");
}

#[test]
fn a_table_without_a_match_has_no_record() {
    let server = Server::start();
    let mut anna = server.visitor();
    let table = anna.post("/new", &[("game", "holdem")]).location().to_owned();
    for what in ["record", "hands.phh", "hands.txt", "replay"] {
        assert_eq!(anna.get(&format!("{table}/{what}")).status, 409, "{what}");
    }
}
