//! Big-C's page at a table set by hand, and in matches of random moves.

use ::table::{Eye, Faces, Known, Match, Rules as _, Seats, Slot, Table};
use dealers::laws::{dealt_by_hand, slots_of};
use games::bigc::{Deal, Few, OrderBy, Settings, Setup};

use super::*;
use crate::Press;
use crate::testing::{draft, page, pages_hold, text};

#[test]
fn every_position_can_be_looked_at() {
    pages_hold::<BigC>(2, &[("hand_size", "9")], 1, 1);
    pages_hold::<BigC>(5, &[("preset", "author"), ("deals", "2"), ("hand_size", "6")], 2, 2);
    pages_hold::<BigC>(12, &[("hand_size", "5")], 1, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Two players with these cards; they show their first ones, and seat 0 leads.
struct Set {
    table: Table<Deal>,
    own: [Faces; 2],
}

const FIRST: &str = "3D 6H 6C 9S 9D 9C KS KH";
const SECOND: &str = "4D 6S 6D 7H 7C 6H 6C 2S";

impl Set {
    /// Before anything is shown.
    fn dealt(hands: [&str; 2]) -> Self {
        let setup = Setup {
            players: 2,
            decks: 2,
            hand_size: u8::try_from(hands[0].split(' ').count()).unwrap(),
            order: OrderBy::Minigame,
            pass_draws: 0,
            last_chance: false,
            two_joker_triple_low: false,
            gone: Seats::NONE,
            first_deck: 0,
        };
        let (table, own) = dealt_by_hand(&setup, hands, "");
        Self { table, own }
    }

    fn new(hands: [&str; 2]) -> Self {
        let mut set = Self::dealt(hands);
        let first = |who: u8| set.slots(who, hands[usize::from(who)].split(' ').next().unwrap())[0];
        let choices = [(seat(0), Choice::Show(first(0))), (seat(1), Choice::Show(first(1)))];
        set.table.choose(set.table.height(), &choices).unwrap();
        let opened: Faces = set.own.iter().flat_map(Faces::iter).collect();
        set.table.dealt(set.table.height(), &opened).unwrap();
        set
    }

    fn slots(&self, who: u8, cards: &str) -> Vec<Slot> {
        slots_of(&self.own[usize::from(who)], cards)
    }

    fn play(&mut self, who: u8, cards: &str) {
        let action = Action::Play(Few::new(&self.slots(who, cards)).unwrap());
        let opened: Faces = self.own[usize::from(who)].iter().chain(self.table.open().iter()).collect();
        self.table.act(self.table.height(), seat(who), &action, &opened).unwrap();
    }

    fn look<T>(&self, eye: Eye, lang: Lang, f: impl FnOnce(&Scene<'_, BigC>) -> T) -> T {
        let rules = self.table.rules();
        let (known, me) = match eye {
            Eye::Seat(seat) => (Known::with(self.table.open(), &self.own[usize::from(seat.index())]), Some(seat)),
            Eye::Public => (Known::public(self.table.open()), None),
        };
        let view = rules.view(known, eye);
        let awaited = view.choosing | view.turn.map_or(Seats::NONE, Seats::one);
        let moves = me.filter(|seat| awaited.contains(*seat)).map(|seat| rules.moves(known, seat));
        let (settings, names) = (Settings::default(), ["Anna".to_owned(), "Bert".to_owned()]);
        f(&Scene {
            lang,
            eye,
            view: &view,
            moves: moves.as_ref(),
            chosen: None,
            awaited,
            table: &self.table,
            known,
            settled: None,
            settings: &settings,
            standing: &Match::<BigC>::start(&settings, 2).unwrap().standing(),
            deal: 1,
            names: &names,
        })
    }

    /// The text about marked cards, and whether they can be played.
    fn judged(&self, who: u8, cards: &str, lang: Lang) -> (String, bool) {
        self.look(Eye::Seat(seat(who)), lang, |scene| {
            let mut draft = draft::<BigC>();
            draft.marked = self.slots(who, cards);
            let desk = BigC::desk(scene, &draft);
            let says = text(&desk.says.0);
            let says = says.split(" (").next().unwrap_or_default().to_owned();
            (says, matches!(desk.buttons[0].press, Ok(Press::Move(_))))
        })
    }

    fn middle(&self, eye: Eye, lang: Lang) -> String {
        self.look(eye, lang, |scene| text(&BigC::middle(scene, &draft::<BigC>()).0))
    }
}

#[test]
fn marked_cards_say_what_they_are_and_what_they_do() {
    let mut set = Set::new([FIRST, SECOND]);
    assert_eq!(set.judged(0, "6H 6C", Lang::En), ("Pair of sixes.".to_owned(), true));
    assert_eq!(set.judged(0, "9S 9D 9C KS KH", Lang::De), ("Full House, 9er über Könige.".to_owned(), true));
    assert!(!set.judged(0, "6H 9S", Lang::En).1);
    set.play(0, "6H 6C");
    let told = |cards, lang| set.judged(1, cards, lang);
    assert_eq!(told("7H 7C", Lang::En), ("Pair of sevens beats it.".to_owned(), true));
    assert_eq!(told("6S 6D", Lang::En), ("Pair of sixes beats it; half footstool, Anna draws 1.".to_owned(), true));
    assert_eq!(told("6S 6D", Lang::De), ("Paar 6er ist höher; halber Schemel, Anna zieht 1.".to_owned(), true));
    assert_eq!(told("6H 6C", Lang::De), ("Paar 6er ist genau gleich; voller Schemel, Anna zieht 2.".to_owned(), true));
    assert_eq!(told("6C 6D", Lang::De), ("Paar 6er: nicht höher als Paar 6er".to_owned(), false));
    assert_eq!(told("7H", Lang::De), ("7♥: in dieser Runde legt man Paare.".to_owned(), false));
    let no_hand = "Das geht nicht: die Karten eines Paars oder Drillings müssen denselben Rang haben.";
    assert_eq!(told("7H 4D", Lang::De), (no_hand.to_owned(), false));
}

#[test]
fn a_card_that_is_marked_twice_counts_once() {
    let set = Set::new([FIRST, SECOND]);
    set.look(Eye::Seat(seat(0)), Lang::En, |scene| {
        let mut draft = draft::<BigC>();
        draft.marked = [set.slots(0, "6H"), set.slots(0, "6H")].concat();
        assert_eq!(text(&BigC::desk(scene, &draft).says.0).split(' ').next(), Some("6♥."));
    });
}

#[test]
fn suggestions_for_a_lead_go_from_few_cards_to_many() {
    let set = Set::new([FIRST, SECOND]);
    set.look(Eye::Seat(seat(0)), Lang::En, |scene| {
        let mut draft = draft::<BigC>();
        let sizes: Vec<usize> = "nkkkk"
            .chars()
            .map(|key| {
                assert_eq!(BigC::command(scene, &mut draft, key), None);
                draft.marked.len()
            })
            .collect();
        assert_eq!(sizes, [1, 2, 3, 5, 1]);
    });
}

#[test]
fn passing_is_grave_while_something_can_be_played() {
    let mut set = Set::new([FIRST, SECOND]);
    let mut beaten = Set::new([FIRST, SECOND]);
    let grave = |set: &Set| {
        set.look(Eye::Seat(seat(1)), Lang::En, |scene| {
            let desk = BigC::desk(scene, &draft::<BigC>());
            desk.buttons.iter().find(|button| button.key == 'x').unwrap().grave
        })
    };
    set.play(0, "6H 6C");
    assert!(grave(&set));
    beaten.play(0, "KS KH");
    assert!(!grave(&beaten), "nothing beats two kings");
}

#[test]
fn only_cards_that_can_be_used_are_bright() {
    let mut set = Set::new([FIRST, SECOND]);
    set.play(0, "KH");
    set.look(Eye::Seat(seat(1)), Lang::En, |scene| {
        let hand = BigC::desk(scene, &draft::<BigC>()).hand;
        let usable: Vec<_> = hand.into_iter().filter(|tile| tile.usable).filter_map(|tile| tile.card).collect();
        assert_eq!(usable, ["2S".parse().unwrap()]);
    });
}

#[test]
fn the_middle_shows_the_hand_on_the_table_and_what_beats_it() {
    let mut set = Set::new([FIRST, SECOND]);
    let lead = set.middle(Eye::Seat(seat(0)), Lang::En);
    let all = "Draw pile 92 · Played 0 You lead: play 1, 2, 3 or 5 cards. Anna 3♦ Bert 4♦ Low to high: 3 … K A 2, and ♦ ♣ ♥ ♠ you Bert";
    assert_eq!(lead, all);
    set.play(0, "9S 9D 9C 6H 6C");
    let told = set.middle(Eye::Seat(seat(1)), Lang::De);
    assert!(told.contains("Full House, 9er über 6er von Anna zwei Paare Flush Straße Full House Vierling"), "{told}");
    assert!(told.ends_with("Anna du"), "{told}");
    let (status, mood) = set.look(Eye::Public, Lang::De, |scene| BigC::panel(scene, seat(0)).status.unwrap());
    assert_eq!((status.as_str(), mood), ("bisher am höchsten · nur noch 3!", Mood::Bad));
}

#[test]
fn a_card_is_chosen_and_then_shown() {
    let set = Set::dealt([FIRST, SECOND]);
    set.look(Eye::Seat(seat(0)), Lang::De, |scene| {
        let mut draft = draft::<BigC>();
        assert!(BigC::desk(scene, &draft).buttons[0].press.is_err());
        draft.marked = set.slots(0, "3D");
        let desk = BigC::desk(scene, &draft);
        assert_eq!(text(&desk.buttons[0].label), "Zeigen 3♦");
        assert!(matches!(desk.buttons[0].press, Ok(Press::Move(Move::Choose(Choice::Show(_))))));
    });
}

#[test]
fn the_page_shows_that_a_player_has_chosen_but_not_the_card() {
    let set = Set::dealt([FIRST, SECOND]);
    set.look(Eye::Seat(seat(0)), Lang::En, |scene| {
        let scene = Scene { awaited: Seats::one(seat(0)), ..*scene };
        assert_eq!(BigC::panel(&scene, seat(1)).status, Some(("has chosen".to_owned(), Mood::Good)));
        assert!(!page(&scene, &draft::<BigC>()).contains("four of diamonds"));
        let shown = Choice::Show(set.slots(0, "3D")[0]);
        let scene = Scene { awaited: Seats::one(seat(1)), moves: None, chosen: Some(&shown), ..scene };
        let desk = BigC::desk(&scene, &draft::<BigC>());
        assert_eq!(text(&desk.says.0), "You show 3♦; waiting for Bert …");
        assert!(desk.bench.unwrap().into_string().contains("three of diamonds"));
    });
}

#[test]
fn the_last_card_and_the_last_cards_are_told_apart() {
    let mut set = Set::new(["3D 3D 3C 9S 9H", "4D 5D 6D 7D 8D"]);
    set.play(0, "3D 3D 3C");
    set.table.act(set.table.height(), seat(1), &Action::Pass, &Faces::new()).unwrap();
    assert_eq!(set.judged(0, "9S 9H", Lang::De).0, "Paar 9er; deine letzten Karten.");
    set.play(0, "9S");
    set.table.act(set.table.height(), seat(1), &Action::Pass, &Faces::new()).unwrap();
    assert_eq!(set.judged(0, "9H", Lang::De).0, "9♥; deine letzte Karte.");
    assert_eq!(set.judged(0, "9H", Lang::En).0, "9♥; your last card.");
}

#[test]
fn a_player_with_only_jokers_can_continue() {
    let set = Set::dealt(["JK JK JK JK 3D", "4D 5D 6D 7D 8D"]);
    let mut alone = Set::new(["3D 3D 3C JK JK", "4D 5D 6D 7D 8D"]);
    assert_eq!(
        set.look(Eye::Seat(seat(0)), Lang::En, |scene| BigC::desk(scene, &draft::<BigC>())
            .hand
            .iter()
            .filter(|tile| tile.usable)
            .count()),
        1
    );
    alone.play(0, "3D 3D 3C");
    alone.table.act(alone.table.height(), seat(1), &Action::Pass, &Faces::new()).unwrap();
    alone.look(Eye::Seat(seat(0)), Lang::En, |scene| {
        let desk = BigC::desk(scene, &draft::<BigC>());
        assert_eq!(desk.buttons[0].label, "Only jokers: pass the lead on");
        assert!(matches!(desk.buttons[0].press, Ok(Press::Move(Move::Act(Action::PassRole)))));
    });
}

#[test]
fn a_flush_is_laid_out_from_low_to_high_on_the_table_and_in_the_log() {
    let mut set = Set::new(["3D AH 3H 9H 2H 7H KS", "4D 6S 6D 7H 7C 6H 6C"]);
    let key_first = "AH 3H 9H 2H 7H";
    let flush = Move::Act(Action::Play(Few::new(&set.slots(0, key_first)).unwrap()));
    let told = set.look(Eye::Seat(seat(0)), Lang::En, |scene| {
        [words::phrase(scene, seat(0), &flush), words::suggestion(scene, &flush)].map(|told| text(&told))
    });
    assert_eq!(told, ["Anna plays", "Play"].map(|who| format!("{who} 3♥ 7♥ 9♥ A♥ 2♥, flush up to 2♥")));
    set.play(0, key_first);
    let middle = set.look(Eye::Public, Lang::En, |scene| BigC::middle(scene, &draft::<BigC>()).into_string());
    let places = ["three", "seven", "nine", "ace", "two"].map(|rank| middle.find(&format!("{rank} of hearts")));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{middle}");
}
