//! A private table on a page: what a session knows is enough for `page` to draw it, and what is pressed there is a move
//! of the session. Nothing of a server is involved.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bots::Course;
use common::Place;
use dealers::joint::Duty as Part;
use games::AnyGame;
use games::types::{BigC, Blackjack, Blackout, Holdem, Ongdu, Romme};
use page::{
    Awaited, Board, Chair, Frame, Lang, Made, Now, Page, Pressed, Stage, State, Step, Story, Told, Who, beside, desk,
    felt,
};
use peer::{Duty, MoveOf, Seen, Session};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use table::{Awaiting, Eye, Seat, Seats, Standing};

/// What a session knows beside its table, in the form that a page wants.
struct Around {
    names: Vec<String>,
    standing: Standing,
    /// The seats whose player has to act or choose.
    awaited: Seats,
}

impl Around {
    fn of<G: Page>(session: &Session<G>) -> Option<Self> {
        let acts = |duty: &Duty| matches!(duty, Duty::Play(Part::Act | Part::Choose, _));
        let awaited = session.waits().all().iter().filter(|(_, wait)| acts(&wait.duty)).map(|(seat, _)| *seat);
        Some(Self {
            names: session.begun().players.iter().map(|player| player.join.name.clone()).collect(),
            standing: session.standing()?,
            awaited: awaited.filter(|seat| session.me() != Some(*seat)).chain(session.is_asked()).collect(),
        })
    }

    fn board<'a, G: Page>(&'a self, session: &'a Session<G>, lang: Lang) -> Option<Board<'a, G>> {
        Some(Board {
            lang,
            eye: session.me().map_or(Eye::Public, Eye::Seat),
            table: session.table()?,
            known: session.known()?,
            settings: session.settings(),
            standing: &self.standing,
            deal: session.deals(),
            names: &self.names,
            state: State::Played(Now { awaited: self.awaited, ..Now::default() }),
        })
    }

    fn frame<G: Page>(&self, session: &Session<G>, lang: Lang) -> Frame {
        let waits = session.waits().all();
        let first = waits.values().find_map(|wait| step(wait.duty));
        let awaited = match (first, session.table().map(|table| table.awaiting())) {
            (Some(first), _) => {
                let same = waits.iter().filter(|(_, wait)| step(wait.duty) == Some(first)).map(|(seat, _)| *seat);
                Awaited::Devices(first, same.collect())
            }
            (None, Some(Awaiting::Turn(seat))) => Awaited::Turn(seat),
            (None, Some(Awaiting::Choices(_))) => Awaited::Choices(self.awaited),
            (None, Some(Awaiting::Dealer | Awaiting::Over) | None) => Awaited::Nothing,
        };
        let chair = |name: &String| Chair { who: Who::Person, name: name.clone(), ..Chair::default() };
        let game = AnyGame::from_name(G::NAME).unwrap();
        Frame {
            me: session.me(),
            stage: Stage::Deal,
            deal: session.deals(),
            height: session.table().map(|table| table.height()).unwrap_or_default(),
            awaited,
            hints: true,
            ..Frame::new(lang, game, self.names.iter().map(chair).collect())
        }
    }
}

fn step(duty: Duty) -> Option<Step> {
    Some(match duty {
        Duty::Seed => Step::Seeds,
        Duty::Play(Part::Key | Part::Dealing | Part::Ready | Part::Beacon, _) => Step::Keys,
        Duty::Play(Part::Shuffle, _) => Step::Shuffle,
        Duty::Play(Part::Shares, _) => Step::Cards,
        Duty::Play(Part::Reveal, _) => Step::Reveal,
        Duty::Sign => Step::Sign,
        Duty::Play(Part::Act | Part::Choose, _) => return None,
    })
}

/// The whole page of a session, in a language.
fn whole<G: Page>(session: &Session<G>, lang: Lang) -> Option<String> {
    let around = Around::of(session)?;
    let (frame, shown) = (around.frame(session, lang), around.board(session, lang)?.show(None));
    let parts = [felt(&frame, Some(&shown)), desk(&frame, Some(&shown)), beside::leave(&frame)];
    Some(parts.map(|part| part.0).concat())
}

/// Somebody at the page: presses what is there, marks cards, and takes a hint if nothing comes of it.
fn press<G: Page>(session: &Session<G>, rng: &mut Xoshiro256PlusPlus) -> Option<MoveOf<G>> {
    let around = Around::of(session)?;
    let board = around.board(session, Lang::De)?;
    let mut draft: Option<String> = None;
    for _ in 0..8 {
        let shown = board.show(draft.as_deref());
        assert!(shown.asked, "a player who is asked sees that");
        let keys: Vec<char> = shown.buttons.iter().filter(|key| key.refused.is_none()).map(|key| key.key).collect();
        if keys.is_empty() || rng.random_range(0..3) == 0 && !shown.hand.is_empty() {
            let slot = shown.hand.get(rng.random_range(0..shown.hand.len().max(1)))?.slot;
            draft = Some(serde_json::json!({ "marked": [slot] }).to_string());
            continue;
        }
        let key = keys[rng.random_range(0..keys.len())];
        match board.at(board.table.height()).unwrap().press(key, Some(&shown.draft)).unwrap() {
            Pressed::Move(a_move, _) => return Some(a_move),
            Pressed::Draft(new, _) => draft = Some(new),
        }
    }
    let hint = board.advise(Course { settings: board.settings, deal: board.deal, past: &[] }, rng)?;
    match board.press(hint.key?, Some(&hint.draft)).unwrap() {
        Pressed::Move(a_move, _) => Some(a_move),
        Pressed::Draft(..) => panic!("a hint's button moves"),
    }
}

/// What was seen, in words.
fn told<G: Page>(session: &mut Session<G>) -> Vec<[String; 2]> {
    let names: Vec<String> = session.begun().players.iter().map(|player| player.join.name.clone()).collect();
    let mut story = Story::<G>::new(session.settings().clone(), names);
    for seen in session.take_seen() {
        match seen {
            Seen::Deal { number, table, standing } => story.begin(number, &table, standing),
            Seen::Acted { table, seat, action } => story.act(&table, seat, action, Made::Freely),
            Seen::Chose { table, choices } => {
                story.choose(&table, choices.into_iter().map(|(seat, choice)| (seat, choice, Made::Freely)));
            }
            Seen::DealOver { table, outcome, standing, .. } => story.end(&table, &outcome, standing),
            Seen::Late(_) | Seen::Back(_) | Seen::Left(_) | Seen::Fault(_) => panic!("nobody did anything wrong"),
        }
    }
    let lines = story.lines().map(|(_, line)| match line {
        Told::Deal(number) => [format!("{number}"), format!("{number}")],
        Told::Line(_, said) => Lang::ALL.map(|lang| said.get(lang).to_owned()),
    });
    lines.collect()
}

/// Plays a match in which everybody plays at a page, and a spectator looks on.
fn plays<G: Page<Settings: Send> + Send>(settings: &[(&str, &str)], players: u8) {
    let mut place = Place::<G>::new(players, 5);
    place.join("a spectator", false);
    place.peers[0].start(AnyGame::from_name(G::NAME).unwrap(), settings, None);
    // Everybody looks on from the first deal.
    while place.step() {
        place.peers.iter_mut().filter_map(|peer| peer.session.as_mut()).for_each(Session::see);
    }
    let (pressed, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for (number, peer) in (0..).zip(&mut place.peers) {
        let (pressed, asked) = (pressed.clone(), asked.clone());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        peer.choose = Some(Box::new(move |session: &Session<G>, _: Seat| {
            for lang in Lang::ALL {
                let html = whole(session, lang).unwrap();
                // A button, or a card that can be marked.
                assert!(html.contains("data-key") || html.contains("aria-pressed"), "nothing to press: {html}");
            }
            asked.fetch_add(1, Ordering::Relaxed);
            let a_move = press(session, &mut rng);
            pressed.fetch_add(usize::from(a_move.is_some()), Ordering::Relaxed);
            a_move
        }));
    }
    place.play_until(1, |session| session.is_asked().is_some());
    let looks_on = place.peers.last().unwrap().session.as_ref().unwrap();
    let public = whole(looks_on, Lang::En).unwrap();
    assert!(!public.contains("data-key") && public.contains("You are watching"), "{public}");
    place.play(0);
    let (pressed, asked) = (pressed.load(Ordering::Relaxed), asked.load(Ordering::Relaxed));
    assert!(pressed == asked && asked > 3, "{}: {pressed} of {asked} moves came from the page", G::NAME);
    let stories: Vec<_> = place.peers.iter_mut().map(|peer| told(peer.session.as_mut().unwrap())).collect();
    assert!(stories[0].len() > asked.min(300), "{}: {asked} moves, {:?}", G::NAME, stories[0]);
    for story in &stories {
        let differs = story.iter().zip(&stories[0]).find(|(one, other)| one != other);
        assert!(differs.is_none() && story.len() == stories[0].len(), "{}: not all are told {differs:?}", G::NAME);
    }
    for peer in &place.peers {
        assert!(peer.session.as_ref().unwrap().faults().is_empty(), "{}: nobody did anything wrong", peer.name);
    }
}

#[test]
fn holdem_is_played_at_pages_without_a_server() {
    plays::<Holdem>(&[("starting_chips", "100"), ("blind_every", "1")], 3);
}

#[test]
fn blackjack_is_played_at_pages_without_a_server() {
    plays::<Blackjack>(&[("rounds", "2"), ("decks", "1"), ("reshuffle_below", "26")], 2);
}

#[test]
fn romme_is_played_at_pages_without_a_server() {
    plays::<Romme>(&[("mode", "rounds"), ("rounds", "1")], 2);
}

#[test]
fn bigc_is_played_at_pages_without_a_server() {
    plays::<BigC>(&[("deals", "1"), ("hand_size", "5")], 2);
}

#[test]
fn ongdu_is_played_at_pages_without_a_server() {
    plays::<Ongdu>(&[("max_rounds", "2")], 3);
}

#[test]
fn blackout_is_played_at_pages_without_a_server() {
    plays::<Blackout>(&[("max", "2")], 3);
}
