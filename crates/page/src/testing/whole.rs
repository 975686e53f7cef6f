//! Whole pages, and what is sent back from them.

use ::table::{Awaiting, Eye, Game as _, Height, Look, Moves as _, Rules as _, Seat, Seats};
use dealers::Dealer as _;
use dealers::laws::times;
use games::AnyGame;
use serde_json::{Value, json};

use super::checks::{refused, values, written};
use super::exchange::{Done, again};
use super::{Table, Trial};
use crate::{
    Asked, Awaited, Board, CHANGE, Chair, Changing, Frame, Lang, Made, MoveOf, NotPressed, Now, Page, Pressed, Shown,
    Stage, State, Story, Told, Who, beside, desk, felt,
};

impl<G: Page> Trial<G> {
    /// What is around the deal, for a viewer.
    fn frame(&self, eye: Eye, lang: Lang) -> Frame {
        let (table, me) = (self.running.table(), Seats::first(12).iter().find(|seat| eye.is(*seat)));
        let chair = |(number, name): (u8, &String)| Chair {
            who: Who::Person,
            name: name.clone(),
            avatar: number,
            checked: number == 2,
            ..Chair::default()
        };
        let game = AnyGame::from_name(G::NAME).unwrap();
        Frame {
            me,
            stage: if table.awaiting() == Awaiting::Over { Stage::Between } else { Stage::Deal },
            deal: self.running.deals(),
            ended: self.running.deals(),
            height: table.height(),
            awaited: match table.awaiting() {
                Awaiting::Turn(seat) => Awaited::Turn(seat),
                Awaiting::Choices(_) => Awaited::Choices(self.awaited()),
                Awaiting::Dealer | Awaiting::Over => Awaited::Nothing,
            },
            hints: true,
            ..Frame::new(lang, game, (1..).zip(&self.names).map(chair).collect())
        }
    }

    /// What a viewer is shown, and the whole page of it.
    pub(super) fn whole(&self, board: &Board<'_, G>, draft: Option<&str>) -> (Shown, String) {
        let frame = self.frame(board.eye, board.lang);
        let shown = board.show(draft);
        let parts = [felt(&frame, Some(&shown)), desk(&frame, Some(&shown)), beside::leave(&frame)];
        let html = parts.map(|part| part.0).concat();
        (shown, html)
    }

    /// Sends back everything that the pages of this position offer: what a player can press is a move that the table
    /// accepts, or another draft; nobody else can press anything.
    pub(super) fn send_back(&self) {
        let table = self.running.table();
        for (eye, lang) in self.eyes().into_iter().flat_map(|eye| Lang::ALL.map(|lang| (eye, lang))) {
            let board = self.board_of(table, self.known(eye), eye, lang);
            let (shown, html) = self.whole(&board, None);
            written(&html, lang);
            for command in values(&html, "data-command") {
                let command = command.replace("&quot;", "\"");
                assert!(serde_json::from_str::<Value>(&command).is_ok_and(|command| command.is_object()), "{command}");
            }
            let drafts = [shown.draft.clone()].into_iter().chain(
                shown.hand.iter().take(2).map(|tile| json!({ "marked": [tile.slot], "amount": 20 }).to_string()),
            );
            for draft in drafts {
                let (_, html) = self.whole(&board, Some(&draft));
                let (keys, places) = (values(&html, "data-key"), values(&html, "data-place"));
                let chose = matches!(&board.state, State::Played(now) if now.chosen.is_some());
                assert!(board.asked().is_some() || chose || keys.is_empty(), "{eye:?} can press {keys:?}");
                let pressed = keys
                    .iter()
                    .map(|key| json!({ "press": { "key": key, "height": table.height(), "draft": raw(&draft) } }));
                let placed = places.iter().map(|place| {
                    json!({ "place": { "place": place.parse::<u16>().unwrap(), "height": table.height(), "draft": raw(&draft) } })
                });
                for message in pressed.chain(placed) {
                    self.answered(&board, &message.to_string());
                }
            }
            let late = Height(table.height().0 + 1);
            let not = board.at(late).map(|_| ()).unwrap_err();
            assert_eq!(not, NotPressed::Height { now: table.height(), got: late });
            assert_eq!(board.press('~', None).map(|_| ()).unwrap_err(), NotPressed::NotAsked);
        }
    }

    /// A page's message, read and carried out.
    fn answered(&self, board: &Board<'_, G>, message: &str) {
        let pressed = match serde_json::from_str::<Asked<Value>>(message).unwrap() {
            Asked::Press { key, height, draft } => {
                board.at(height).unwrap().press(key, draft.as_deref().map(serde_json::value::RawValue::get))
            }
            Asked::Place { place, height, draft } => {
                board.at(height).unwrap().place(place, draft.as_deref().map(serde_json::value::RawValue::get))
            }
            other => panic!("{other:?}"),
        };
        match pressed {
            Ok(Pressed::Move(a_move, kept)) => {
                let refused = board.scene(false, |scene| refused(scene, &a_move));
                assert_eq!(refused, None, "seed {}: {message} makes {a_move:?}", self.seed);
                same::<G>(&a_move);
                drop(board.show(Some(&kept)));
            }
            Ok(Pressed::Draft(draft, _)) => drop(board.show(Some(&draft))),
            // A place can stand for a button that cannot be pressed now.
            Err(NotPressed::Refused(why)) => assert!(!why.is_empty() && message.starts_with("{\"place\""), "{message}"),
            Err(why) => panic!("seed {}: {message}: {why:?}", self.seed),
        }
    }
}

fn raw(draft: &str) -> Value {
    serde_json::from_str(draft).unwrap()
}

/// A move is the same after it was written to a log and read again.
fn same<G: Page>(a_move: &MoveOf<G>) {
    use ::table::Move;
    let again = match a_move {
        Move::Act(action) => Move::Act(serde_json::from_str(&serde_json::to_string(action).unwrap()).unwrap()),
        Move::Choose(choice) => Move::Choose(serde_json::from_str(&serde_json::to_string(choice).unwrap()).unwrap()),
    };
    assert_eq!(*a_move, again);
}

impl<G: Page> Trial<G> {
    /// The story of this deal, told from the tables at which seats moved, as those know them who only hear of moves.
    pub(super) fn retold(&self, faces: &impl Look) -> Vec<[String; 2]> {
        let mut story = Story::<G>::new(self.settings.clone(), self.names.clone());
        let mut table = self.beginning.clone();
        story.begin(self.running.deals(), &table, self.standing.clone());
        for done in &self.script {
            match done {
                Done::Dealt => {}
                Done::Acted(seat, action) => story.act(&table, *seat, action.clone(), Made::Freely),
                Done::Chose(choices) => {
                    story.choose(&table, choices.iter().map(|(seat, choice)| (*seat, choice.clone(), Made::TimeUp)));
                }
            }
            again(&mut table, done, faces).unwrap_or_else(|why| panic!("seed {}: {why}", self.seed));
        }
        story.catch_up(&table);
        if let Some(outcome) = table.outcome() {
            story.end(&table, outcome, self.standing.clone());
        }
        let lines = story.lines().filter_map(|(_, line)| match line {
            Told::Deal(_) => None,
            Told::Line(_, said) => Some(Lang::ALL.map(|lang| said.get(lang).to_owned())),
        });
        lines.collect()
    }

    /// Everybody's pages of this position, in both languages.
    fn all_pages(&self) {
        for (eye, lang) in self.eyes().into_iter().flat_map(|eye| Lang::ALL.map(|lang| (eye, lang))) {
            let board = self.board_of(self.running.table(), self.known(eye), eye, lang);
            let (shown, html) = self.whole(&board, None);
            written(&html, lang);
            assert_eq!(shown.asked, board.asked().is_some(), "seed {}: {eye:?}", self.seed);
            let second = Seat::new(1).is_some_and(|second| eye.is(second));
            assert_eq!(html.contains("badge checked"), !second, "others see whose device was checked");
            assert!(eye != Eye::Public || values(&html, "data-key").is_empty(), "a spectator can press something");
        }
    }
}

/// Plays a deal to its end, and looks at every step of it.
fn every_step<G: Page>(players: u8, seed: u8) {
    let mut trial = Trial::<G>::new(players, &[], seed);
    let mut moves = 0;
    loop {
        trial.all_pages();
        trial.exchange();
        let Some(seat) = trial.awaited().iter().next() else { if trial.dealt() { continue } else { break } };
        trial.send_back();
        let known = trial.known(Eye::Seat(seat));
        let moved = trial.running.table().rules().moves(known, seat).pick(&mut trial.rng);
        trial.play(seat, moved.expect("a player can move on their turn"));
        moves += 1;
        // Random players can take very long.
        if moves > times(60, 1_000) {
            return;
        }
    }
    trial.ended();
    let told = trial.retold(trial.dealer.opened());
    assert!(told.len() >= moves.try_into().unwrap(), "seed {seed}: {moves} moves, but {told:?}");
    assert!(told.iter().all(|[english, german]| !english.is_empty() && !german.is_empty()));
}

#[test]
fn every_step_of_a_deal_has_a_page_that_shows_nothing_hidden_and_takes_what_it_offers() {
    for game in AnyGame::ALL {
        for seed in 0..u8::try_from(times(1, 20)).unwrap() {
            games::with_game!(*game, G => {
                every_step::<G>(*G::PLAYERS.start(), seed);
                every_step::<G>(3.clamp(*G::PLAYERS.start(), *G::PLAYERS.end()), seed);
            });
        }
    }
}

#[test]
fn a_choice_that_was_committed_to_cannot_be_changed() {
    let mut trial = Trial::<games::types::Blackjack>::new(3, &[], 1);
    trial.deal_out();
    let seat = trial.awaited().iter().next().unwrap();
    let bet = trial.running.table().rules().moves(trial.known(Eye::Seat(seat)), seat).pick(&mut trial.rng).unwrap();
    trial.play(seat, bet);
    let (table, eye) = (trial.running.table(), Eye::Seat(seat));
    let board = |changeable| {
        let board = trial.board_of(table, trial.known(eye), eye, Lang::En);
        let State::Played(now) = board.state else { panic!("the deal is played") };
        Board { state: State::Played(Now { changeable, ..now }), ..board }
    };
    assert_eq!(board(true).show(None).changing, Changing::Offered);
    assert!(matches!(board(true).press(CHANGE, None), Ok(Pressed::Draft(..))));
    assert_eq!(board(false).show(None).changing, Changing::Nothing);
    assert!(board(false).show(None).buttons.is_empty());
    assert_eq!(board(false).press(CHANGE, None).map(|_| ()).unwrap_err(), NotPressed::NotAsked);
}

/// The table after a deal shows how it ended to everybody.
pub(super) fn ended<G: Page>(trial: &Trial<G>, table: &Table<G::Rules>) {
    let outcome = trial.outcome();
    for (eye, lang) in trial.eyes().into_iter().flat_map(|eye| Lang::ALL.map(|lang| (eye, lang))) {
        let board = trial.board_of(table, trial.known(eye), eye, lang);
        let board = Board { state: State::Over { outcome: &outcome, ties: &[] }, ..board };
        let (shown, html) = trial.whole(&board, None);
        assert!(shown.ending.is_some() && shown.buttons.is_empty() && !shown.asked);
        assert!(html.contains("id=\"ending\""), "{html}");
        assert_eq!(board.at(table.height()).map(|_| ()).unwrap_err(), NotPressed::NotAsked);
        let names = (0..table.rules().players())
            .filter_map(Seat::new)
            .map(|seat| trial.names[usize::from(seat.index())].as_str());
        assert!(names.into_iter().all(|name| html.contains(name)));
    }
}
