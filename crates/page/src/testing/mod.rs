//! What every game's page must do, tested in matches of random moves.
//!
//! [`pages_hold`] plays and checks positions for every viewer, in both languages. [`Trial`] is the match it plays; tests
//! of a game use it to reach a certain position.
//!
//! - `checks`: checks of one page, desk or draft.
//! - `exchange`: a deal replayed with two cards swapped.
//! - `whole`: whole pages, and what is sent back from them.

mod checks;
mod exchange;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use ::table::{
    Awaiting, Eye, Faces, Known, Look as _, Match, Move, Moves as _, Outcome, Rules, Seat, Seats, Series as _,
    Settings as _, Slot, Standing, Table,
};
use bots::{Course, Past, Sight};
use dealers::{Dealer as _, Local};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

use self::checks::{accepted, both_languages_are_spoken, fiddle, sent, values, written};
use self::exchange::{Done, Exchanged, again};
use crate::{Board, Draft, Lang, Marking, MoveOf, Now, Page, Press, Scene, State};

pub(super) use self::checks::{draft, page, prepared, text};

/// The number of positions to check in a deal; random moves can make it long.
const MOST: u32 = 60;
/// The number of positions to get a hint for.
const ADVICE: u32 = 6;
/// The number of positions in which two hidden cards are swapped.
const EXCHANGES: u32 = 8;

/// Plays deals of a match with random moves and checks positions for every viewer, in both languages: every enabled
/// button is accepted; no key means two things; no card is in two places; every move has a phrase; nobody sees whether
/// two hidden cards are swapped; hints prepare what they advise; drafts survive being sent; the languages differ, in
/// cards and numbers, too; endings are described.
pub(super) fn pages_hold<G: Page>(players: u8, options: &[(&str, &str)], deals: u32, seed: u8) {
    both_languages_are_spoken::<G>();
    let mut trial = Trial::<G>::new(players, options, seed);
    for _ in 0..deals {
        let (mut looked, mut advice, mut exchanges) = (0, 0, 0);
        loop {
            looked += 1;
            if looked <= MOST {
                trial.look_around();
                trial.send_back();
                if exchanges < EXCHANGES && trial.rng.random_range(0..3) == 0 {
                    exchanges += 1;
                    trial.exchange();
                }
            }
            let Some(seat) = trial.awaited().iter().next() else { if trial.dealt() { continue } else { break } };
            if looked <= MOST {
                trial.asked(seat);
                if advice < ADVICE {
                    advice += 1;
                    trial.advised(seat);
                }
            }
            let known = trial.known(Eye::Seat(seat));
            let moves = trial.running.table().rules().moves(known, seat);
            let moved = moves.pick(&mut trial.rng).expect("a player can move on their turn");
            trial.play(seat, moved);
        }
        trial.ended();
        if !trial.next_deal() {
            return;
        }
    }
}

/// A match on trial.
pub(super) struct Trial<G: Page> {
    pub(super) settings: G::Settings,
    pub(super) running: Match<G>,
    pub(super) dealer: Local,
    names: Vec<String>,
    standing: Standing,
    past: Vec<Past<G::Rules>>,
    chosen: BTreeMap<Seat, <G::Rules as Rules>::Choice>,
    /// The inputs of this deal, and the table at its start.
    script: Vec<Done<G::Rules>>,
    beginning: Table<G::Rules>,
    rng: Xoshiro256PlusPlus,
    seed: u8,
    /// An earlier draft: browsers may send it at any time.
    stale: Draft<G::Extra>,
}

impl<G: Page> Trial<G> {
    /// A match of people called Anna, Bert, Cleo and so on.
    pub(super) fn new(players: u8, options: &[(&str, &str)], seed: u8) -> Self {
        let settings = G::Settings::from_pairs(options).unwrap();
        let running = Match::<G>::start(&settings, players).unwrap();
        let mut dealer = Local::new([seed; 32]);
        dealer.begin([0; 32]);
        let names = ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gerd", "Hanna", "Ida", "Jan", "Karl", "Lena"];
        Self {
            settings,
            beginning: running.table().clone(),
            standing: running.standing(),
            running,
            dealer,
            names: names.iter().take(usize::from(players)).map(|name| (*name).to_owned()).collect(),
            past: Vec::new(),
            chosen: BTreeMap::new(),
            script: Vec::new(),
            rng: Xoshiro256PlusPlus::from_seed([seed; 32]),
            seed,
            stale: draft::<G>(),
        }
    }

    /// The seats that still have to act or choose.
    pub(super) fn awaited(&self) -> Seats {
        match self.running.table().awaiting() {
            Awaiting::Turn(seat) => Seats::one(seat),
            Awaiting::Choices(seats) => seats - self.chosen.keys().copied().collect(),
            Awaiting::Dealer | Awaiting::Over => Seats::NONE,
        }
    }

    fn known(&self, eye: Eye) -> Known<'_> {
        match eye {
            Eye::Seat(seat) => Known::with(self.running.table().open(), self.dealer.own(seat)),
            Eye::Public => Known::public(self.running.table().open()),
        }
    }

    /// Calls `f` with the scene of a viewer.
    pub(super) fn scene<T>(&self, eye: Eye, lang: Lang, f: impl FnOnce(&Scene<'_, G>) -> T) -> T {
        self.board_of(self.running.table(), self.known(eye), eye, lang).scene(false, f)
    }

    /// What a viewer sees of a table, which may be another than the one that is played at.
    fn board_of<'a>(&'a self, table: &'a Table<G::Rules>, known: Known<'a>, eye: Eye, lang: Lang) -> Board<'a, G> {
        let chosen = self.chosen.iter().find(|(seat, _)| eye.is(**seat)).map(|(_, choice)| choice);
        Board {
            lang,
            eye,
            table,
            known,
            settings: &self.settings,
            standing: &self.standing,
            deal: self.running.deals(),
            names: &self.names,
            state: State::Played(Now { awaited: self.awaited(), chosen, changeable: true, settled: None }),
        }
    }

    /// Lets the dealer work until it is a player's turn; the deal may then be over.
    pub(super) fn deal_out(&mut self) {
        while self.awaited().is_empty() && self.dealt() {}
    }

    /// Lets the dealer work; false if the deal is over.
    fn dealt(&mut self) -> bool {
        if self.running.table().awaiting() == Awaiting::Over {
            return false;
        }
        let before = self.public_view();
        self.dealer.fill(self.running.table()).unwrap();
        let height = self.running.table().height();
        self.running.table_mut().dealt(height, self.dealer.opened()).unwrap();
        self.script.push(Done::Dealt);
        self.told(&before, &[]);
        true
    }

    /// A seat acts or chooses; after the last choice all are revealed.
    pub(super) fn play(&mut self, seat: Seat, moved: MoveOf<G>) {
        let before = self.public_view();
        let height = self.running.table().height();
        match moved {
            Move::Act(action) => {
                let dealer = &self.dealer;
                let judged = |claim: &<G::Rules as Rules>::Claim| dealer.judge(claim) != Some(false);
                let done = self.running.table_mut().act_if(height, seat, &action, dealer.opened(), judged);
                done.unwrap_or_else(|why| panic!("seed {}: {action:?}: {why}", self.seed));
                self.past.push(Past::Did(seat, action.clone()));
                self.script.push(Done::Acted(seat, action.clone()));
                self.told(&before, &[(seat, Move::Act(action))]);
            }
            Move::Choose(choice) => {
                self.chosen.insert(seat, choice);
                if !self.awaited().is_empty() {
                    return;
                }
                let choices: Vec<_> = core::mem::take(&mut self.chosen).into_iter().collect();
                self.running.table_mut().choose(height, &choices).unwrap();
                self.past.extend(choices.iter().map(|(seat, choice)| Past::Chose(*seat, choice.clone())));
                self.script.push(Done::Chose(choices.clone()));
                let moved: Vec<_> = choices.into_iter().map(|(seat, choice)| (seat, Move::Choose(choice))).collect();
                self.told(&before, &moved);
            }
        }
    }

    /// Scores the deal and begins the next one; false if the match is over.
    pub(super) fn next_deal(&mut self) -> bool {
        self.running.advance(u64::from(self.running.deals()));
        self.standing = self.running.standing();
        for (ahead, behind) in self.standing.neighbours() {
            let tied = self.standing.total[ahead] == self.standing.total[behind];
            let why = self.running.series().tie_break(ahead, behind);
            assert!(!tied || why.is_some(), "seed {}: why is {ahead} before {behind}?", self.seed);
        }
        self.past.clear();
        self.script.clear();
        self.beginning = self.running.table().clone();
        if !self.standing.over {
            self.dealer.retire(Some(self.running.table().rules().decks().start));
        }
        !self.standing.over
    }

    /// How the deal on the table ended.
    pub(super) fn outcome(&self) -> Outcome {
        self.running.table().outcome().expect("the deal is over").clone()
    }

    fn public_view(&self) -> <G::Rules as Rules>::View {
        self.running.table().rules().view(self.known(Eye::Public), Eye::Public)
    }

    /// Checks the texts about moves and their consequences.
    fn told(&self, before: &<G::Rules as Rules>::View, moved: &[(Seat, MoveOf<G>)]) {
        let news = Lang::ALL.map(|lang| self.scene(Eye::Public, lang, |scene| G::news(before, scene)));
        let [english, german] = &news;
        assert_eq!(english.len(), german.len(), "seed {}: {news:?}", self.seed);
        assert!(news.iter().flatten().all(|news| !news.is_empty()), "seed {}: {news:?}", self.seed);
        for (lang, news) in Lang::ALL.into_iter().zip(&news) {
            news.iter().for_each(|line| written(line, lang));
        }
        for (seat, moved) in moved {
            let say = |lang| self.scene(Eye::Public, lang, |scene| G::phrase(before, scene, *seat, moved));
            let (english, german) = (say(Lang::En), say(Lang::De));
            assert!(!english.is_empty() && english != german, "seed {}: {moved:?}: {english:?}", self.seed);
            written(&english, Lang::En);
            written(&german, Lang::De);
        }
    }

    fn eyes(&self) -> Vec<Eye> {
        let seats = Seats::first(self.running.table().rules().players());
        [Eye::Public].into_iter().chain(seats.iter().map(Eye::Seat)).collect()
    }

    /// Checks the position for all viewers, with drafts that make sense and with drafts that do not.
    fn look_around(&mut self) {
        for eye in self.eyes() {
            let pages = Lang::ALL.map(|lang| self.scene(eye, lang, |scene| page(scene, &draft::<G>())));
            let [english, german] = &pages;
            assert_ne!(english, german, "seed {}: {eye:?}", self.seed);
            for (lang, html) in Lang::ALL.into_iter().zip(&pages) {
                written(html, lang);
                let slots = values(html, "data-slot");
                assert_eq!(slots.iter().collect::<BTreeSet<_>>().len(), slots.len(), "a card appears twice: {html}");
                assert!(!html.contains(" style=") && !html.contains("<script"), "{html}");
            }
            let nonsense = Draft {
                marked: vec![Slot::new(u32::MAX, u16::MAX), Slot::new(0, 0), Slot::new(0, 0)],
                amount: Some(if self.rng.random() { i64::MIN } else { i64::MAX }),
                changing: None,
                extra: G::Extra::default(),
            };
            for draft in [nonsense, self.stale.clone()] {
                written(&self.scene(eye, Lang::De, |scene| page(scene, &draft)), Lang::De);
                self.scene(eye, Lang::En, |scene| {
                    page(scene, &draft);
                    if eye != Eye::Public {
                        accepted(scene, &G::desk(scene, &draft));
                    }
                });
            }
        }
    }

    /// It is the seat's turn: checks its buttons with nothing prepared, with each card marked, after each command and
    /// each place, and after random combinations.
    fn asked(&mut self, seat: Seat) {
        let nothing = draft::<G>();
        let seed = self.seed;
        let mut rng = self.rng.clone();
        let last = self.scene(Eye::Seat(seat), Lang::En, |scene| {
            let desk = G::desk(scene, &nothing);
            assert!(!desk.buttons.is_empty(), "seed {seed}: nothing can be pressed");
            accepted(scene, &desk);
            for tile in desk.hand.iter().filter(|_| desk.marking != Marking::None) {
                let mut draft = draft::<G>();
                draft.marked.push(tile.slot);
                G::marked(scene, &mut draft);
                let desk = G::desk(scene, &draft);
                accepted(scene, &desk);
                let moves = desk.buttons.iter().any(|button| matches!(button.press, Ok(Press::Move(_))));
                let usable = tile.usable && desk.marking == Marking::One;
                assert!(moves || !usable, "seed {seed}: {:?} is marked usable", tile.card);
            }
            let mut draft = nothing.clone();
            for _ in 0..12 {
                fiddle(scene, &mut draft, &mut rng);
                accepted(scene, &G::desk(scene, &draft));
                assert_eq!(sent(&sent(&draft)).marked, draft.marked);
                page(scene, &draft);
            }
            draft
        });
        self.rng = rng;
        self.stale = last;
    }

    /// Takes a hint: a button must then make the move that it prepared.
    fn advised(&mut self, seat: Seat) {
        let mut rng = self.rng.clone();
        self.scene(Eye::Seat(seat), Lang::En, |scene| {
            let (table, moves) = (self.running.table(), scene.moves.expect("it is the seat's turn"));
            let course = Course { settings: &self.settings, deal: self.running.deals(), past: &self.past };
            let sight = Sight { seat, view: scene.view, moves, known: scene.known, rules: table.rules(), course };
            let advice = G::advice(&sight, &mut rng).expect("there is advice on every turn");
            assert!(!G::suggestion(scene, &advice.best).is_empty());
            for why in &advice.why {
                let (english, german) = (G::reason(why, Lang::En), G::reason(why, Lang::De));
                assert!(!english.is_empty() && english != german, "{why:?}: {english:?}");
                written(&german, Lang::De);
            }
            let suggested = self.scene(Eye::Seat(seat), Lang::De, |german| G::suggestion(german, &advice.best));
            written(&suggested, Lang::De);
            prepared(scene, &advice.best);
        });
        self.rng = rng;
    }

    /// Swaps two closed cards of seats: only the players who hold them may see a difference.
    fn exchange(&mut self) {
        let open = self.running.table().open();
        let players = Seats::first(self.running.table().rules().players());
        let hidden: Vec<(Seat, Slot)> = players
            .iter()
            .flat_map(|seat| self.dealer.own(seat).iter().map(move |(slot, _)| (seat, slot)))
            .filter(|(_, slot)| open.get(*slot).is_none())
            .collect();
        let mut any = || (!hidden.is_empty()).then(|| hidden[self.rng.random_range(0..hidden.len())]);
        let (Some((one, a)), Some((other, b))) = (any(), any()) else { return };
        let faces = Exchanged { faces: self.dealer.opened(), pair: [a, b] };
        let mut table = self.beginning.clone();
        for done in &self.script {
            again(&mut table, done, &faces).unwrap_or_else(|why| panic!("seed {}: {why}", self.seed));
        }
        let [told, retold] = [self.retold(self.dealer.opened()), self.retold(&faces)];
        assert_eq!(told, retold, "seed {}: the story tells that {a} and {b} are swapped", self.seed);
        for eye in self.eyes().into_iter().filter(|eye| !eye.is(one) && !eye.is(other)) {
            let own: Faces = match eye {
                Eye::Public => Faces::new(),
                Eye::Seat(seat) => {
                    self.dealer.own(seat).iter().filter_map(|(slot, _)| Some((slot, faces.face(slot)?))).collect()
                }
            };
            let as_dealt = self.board_of(self.running.table(), self.known(eye), eye, Lang::De);
            let exchanged = self.board_of(&table, Known::with(table.open(), &own), eye, Lang::De);
            let [as_dealt, exchanged] = [as_dealt, exchanged].map(|board| self.whole(&board, None).1);
            assert_eq!(as_dealt, exchanged, "seed {}: {eye:?} sees that {a} and {b} are swapped", self.seed);
        }
    }

    /// The deal is over.
    fn ended(&self) {
        let outcome = self.outcome();
        let closing = Lang::ALL.map(|lang| self.scene(Eye::Public, lang, |scene| G::closing(scene, &outcome)));
        let [english, german] = &closing;
        assert_eq!(english.len(), german.len(), "seed {}: {closing:?}", self.seed);
        assert!(closing.iter().flatten().all(|line| !line.is_empty()), "seed {}: {closing:?}", self.seed);
        german.iter().for_each(|line| written(line, Lang::De));
        whole::ended(self, self.running.table());
        for eye in self.eyes() {
            let [english, german] =
                Lang::ALL.map(|lang| self.scene(eye, lang, |scene| G::summary(scene, &outcome).into_string()));
            assert!(!english.is_empty() && english != german, "seed {}: {english}", self.seed);
            written(&german, Lang::De);
            assert!(!english.contains("data-slot"), "a summary has no cards that move: {english}");
        }
    }
}

#[cfg(test)]
mod tests {
    use games::types::Holdem;

    use super::*;

    #[test]
    fn every_position_of_holdem_can_be_looked_at() {
        pages_hold::<Holdem>(2, &[], 3, 1);
        pages_hold::<Holdem>(6, &[], 2, 2);
    }

    #[test]
    fn only_visible_text_is_text() {
        assert_eq!(text("<p class=\"x\">7<b>♥\u{fe0e}</b>  and\n <i>so on</i></p>"), "7 ♥ and so on");
        assert_eq!(text("<span class=\"card\"><b data-sign=\"10\"></b><i data-sign=\"♠\"></i></span>"), "10 ♠");
    }
}
