//! Rommé's page: matches of random moves, and a table set by hand.

use ::table::{Eye, Faces, Known, Match, Rules as _, Seats, Standing, Table};
use cards::parse_cards;
use dealers::laws::dealt_by_hand;
use games::romme::{Action, Deal, DiscardDraw, MeldId, Settings, Setup};

use super::*;
use crate::testing::{draft, page, pages_hold, text};
use crate::{Press, Tile};

#[test]
fn every_position_can_be_looked_at() {
    pages_hold::<Romme>(2, &[("first_meld", "0")], 2, 1);
    pages_hold::<Romme>(4, &[("first_meld", "10"), ("mode", "knockout")], 1, 2);
    pages_hold::<Romme>(3, &[("discard_draw", "after_opening"), ("mode", "rounds"), ("rounds", "1")], 1, 3);
    pages_hold::<Romme>(2, &[("out_without_discard", "true"), ("first_meld", "0")], 1, 4);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// A table of two, with the knowledge of the players and the dealer.
struct Set {
    table: Table<Deal>,
    own: [Faces; 2],
}

/// Seat 0 has these cards and draws first; seat 1 has low cards, and this card is on the discard pile.
fn set(hand: &str, pile: &str) -> Set {
    opened_with(30, hand, pile)
}

/// The same; the first melds must be worth this many points.
fn opened_with(first_meld: u16, hand: &str, pile: &str) -> Set {
    let setup = Setup {
        players: 2,
        playing: Seats::first(2),
        dealer: Some(seat(1)),
        first_meld,
        jokers: 6,
        discard_draw: DiscardDraw::Free,
        out_without_discard: false,
        max_reshuffles: 2,
        first_deck: 0,
    };
    let (table, own) = dealt_by_hand(&setup, [hand, "2C 3H 4D 6C 7H 8D TC JH QD 2D 3C 4H 6D"], pile);
    Set { table, own }
}

impl Set {
    fn act(&mut self, who: u8, action: &Action) {
        let known = Known::with(self.table.open(), &self.own[usize::from(who)]);
        let faces: Faces = known.own.iter().chain(known.open.iter()).collect();
        self.table.act(self.table.height(), seat(who), action, &faces).unwrap();
    }

    /// Takes the pile.
    fn take(mut self) -> Self {
        self.act(0, &Action::DrawDiscard);
        self
    }

    fn look<T>(&self, lang: Lang, f: impl FnOnce(&Scene<'_, Romme>) -> T) -> T {
        let settings = Settings::default();
        let standing: Standing = Match::<Romme>::start(&settings, 2).unwrap().standing();
        let known = Known::with(self.table.open(), &self.own[0]);
        let rules = self.table.rules();
        let (view, moves) = (rules.view(known, Eye::Seat(seat(0))), rules.moves(known, seat(0)));
        f(&Scene {
            lang,
            eye: Eye::Seat(seat(0)),
            view: &view,
            moves: Some(&moves),
            chosen: None,
            awaited: Seats::one(seat(0)),
            table: &self.table,
            known,
            settled: None,
            settings: &settings,
            standing: &standing,
            deal: 1,
            names: &["Anna".to_owned(), "Bert".to_owned()],
        })
    }
}

/// Marks cards of the hand by their faces.
fn mark(scene: &Scene<'_, Romme>, draft: &mut Draft<Prepared>, cards: &str) {
    for card in cards.split_whitespace().flat_map(|card| parse_cards(card).unwrap()) {
        let held = scene.view.hand.iter().find(|held| held.card == Some(card) && !draft.marked.contains(&held.slot));
        draft.marked.push(held.unwrap().slot);
    }
}

/// What a button does: makes a move, or why it does not.
fn pressed(scene: &Scene<'_, Romme>, draft: &Draft<Prepared>, key: char) -> Result<Action, String> {
    let desk = Romme::desk(scene, draft);
    let button = desk.buttons.iter().find(|button| button.key == key).unwrap();
    match &button.press {
        Ok(Press::Move(Move::Act(action))) => Ok(action.clone()),
        Ok(_) => panic!("{key} makes no move"),
        Err(why) => Err(why.clone()),
    }
}

fn says(scene: &Scene<'_, Romme>, draft: &Draft<Prepared>) -> (String, Mood) {
    Romme::desk(scene, draft).says
}

const HAND: &str = "7S 7H 7D 3C 4C 5C QS KS JK 2H 9D JD 8H";

#[test]
fn marked_cards_are_checked_at_once() {
    let told = |lang, cards: &str| {
        set(HAND, "5H").take().look(lang, |scene| {
            let mut draft = draft::<Romme>();
            mark(scene, &mut draft, cards);
            says(scene, &draft)
        })
    };
    assert_eq!(told(Lang::En, "7H 7S 7D"), ("7♦ 7♥ 7♠: a set, 21 points: 21 of 30 points to open".into(), Mood::Plain));
    assert_eq!(
        told(Lang::En, "QS JK KS"),
        ("Q♠ K♠ ★=A♠: a run, 31 points: 31 of 30 points to open".into(), Mood::Good)
    );
    assert_eq!(told(Lang::De, "5C 3C 4C").0, "3♣ 4♣ 5♣: eine Folge, 12 Punkte: 12 von 30 Punkten zum ersten Auslegen");
    assert_eq!(told(Lang::En, "7H 8H 9D"), ("Not a meld: the cards share neither rank nor suit.".into(), Mood::Bad));
    assert_eq!(told(Lang::De, "5H").1, Mood::Bad, "it came from the discard pile");
    assert_eq!(told(Lang::De, "9D").0, "9♦, 9 Punkte.");
    assert_eq!(
        told(Lang::En, "").0,
        "You took 5♥. Open with melds worth at least 30 points, or discard a card.",
        "nothing is marked"
    );
}

#[test]
fn without_a_least_opening_nothing_is_said_about_points_to_open() {
    let set = opened_with(0, HAND, "5H");
    for lang in Lang::ALL {
        let middle = set.look(lang, |scene| text(&Romme::middle(scene, &draft::<Romme>()).0));
        assert!(middle.contains(lang.pick("No melds yet.", "Noch keine Auslagen.")), "{middle}");
        assert!(!middle.contains("points") && !middle.contains("Punkte"), "{middle}");
    }
    let told = |lang, cards: &str| {
        opened_with(0, HAND, "5H").take().look(lang, |scene| {
            let mut draft = draft::<Romme>();
            mark(scene, &mut draft, cards);
            says(scene, &draft)
        })
    };
    assert_eq!(told(Lang::En, "").0, "You took 5♥. Lay melds, or discard a card.");
    assert_eq!(told(Lang::De, "").0, "Du hast 5♥ genommen. Leg Auslagen aus oder leg eine Karte ab.");
    assert_eq!(told(Lang::En, "7H 7S 7D"), ("7♦ 7♥ 7♠: a set, 21 points".into(), Mood::Good));
}

#[test]
fn melds_are_set_aside_until_they_reach_the_opening_and_stay_there() {
    let mut at = set(HAND, "5H").take();
    let (kept, discard) = at.look(Lang::En, |scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "7H 7S 7D");
        assert_eq!(pressed(scene, &draft, 'm').unwrap_err(), "21 of 30 points; set it aside and mark another meld");
        assert_eq!(Romme::command(scene, &mut draft, 'a'), None);
        assert_eq!(Romme::desk(scene, &draft).hand.len(), 11);
        let html = page(scene, &draft);
        assert!(text(&html).contains("Set aside 7 ♦ 7 ♥ 7 ♠ 21 of 30 points"), "{}", text(&html));
        mark(scene, &mut draft, "5C 4C 3C");
        let Ok(Action::Meld(melds)) = pressed(scene, &draft, 'm') else { panic!("33 points are enough") };
        assert_eq!(melds.len(), 2);
        draft.marked.clear();
        mark(scene, &mut draft, "9D");
        (Romme::kept(draft.extra.clone()), pressed(scene, &draft, 'd').unwrap())
    });
    at.act(0, &discard);
    at.look(Lang::En, |scene| {
        let draft = Draft { marked: Vec::new(), amount: None, changing: None, extra: kept };
        let desk = Romme::desk(scene, &draft);
        assert_eq!((desk.hand.len(), desk.bench.is_some()), (10, true), "the sevens are still set aside");
    });
}

#[test]
fn melds_are_found_and_taken_back_by_a_click() {
    set(HAND, "5H").take().look(Lang::De, |scene| {
        let mut draft = draft::<Romme>();
        assert_eq!(Romme::command(scene, &mut draft, 'f'), None);
        let Ok(Action::Meld(melds)) = pressed(scene, &draft, 'm') else { panic!("there is an opening") };
        assert_eq!(melds.iter().map(Vec::len).sum::<usize>(), 9, "{melds:?}");
        Romme::place(scene, &mut draft, middle::READY);
        assert_eq!(draft.marked.len(), 3);
    });
    set("2S 4S 6S 8S TS QS 2H 4H 6H 8H TH QH KD", "5D").take().look(Lang::De, |scene| {
        let told = Romme::command(scene, &mut draft::<Romme>(), 'f');
        assert_eq!(told.as_deref(), Some("du kannst keine Karte auslegen"));
    });
}

#[test]
fn stock_and_pile_are_clicked() {
    set(HAND, "5H").look(Lang::En, |scene| {
        let draft = draft::<Romme>();
        assert_eq!(Romme::button_at(scene, &draft, middle::STOCK), Some('s'));
        assert_eq!(Romme::button_at(scene, &draft, middle::PILE), Some('p'));
        let html = page(scene, &draft);
        assert!(
            html.contains("aria-label=\"draw from the draw pile\"") && html.contains("five of hearts, take it"),
            "{html}"
        );
    });
    set(HAND, "5H").take().look(Lang::De, |scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "9D");
        assert_eq!(Romme::button_at(scene, &draft, middle::PILE), Some('d'));
        assert!(matches!(pressed(scene, &draft, 'd'), Ok(Action::Discard(_))));
        mark(scene, &mut draft, "2H");
        assert_eq!(pressed(scene, &draft, 'd').unwrap_err(), "du kannst nur eine Karte ablegen");
    });
}

/// Seat 0 has opened with three sevens and with Q K and a joker for the ace of spades.
fn after_opening() -> Set {
    let mut set = set("7S 7H 7D QS KS JK AS 7C 2H 2D 9D JD JK", "5H").take();
    let action = set.look(Lang::En, |scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "7S 7H 7D");
        Romme::command(scene, &mut draft, 'a');
        mark(scene, &mut draft, "QS JK KS");
        pressed(scene, &draft, 'm').unwrap()
    });
    set.act(0, &action);
    set
}

#[test]
fn marked_cards_go_where_the_player_clicks() {
    after_opening().look(Lang::En, |scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "7C");
        assert_eq!(says(scene, &draft), ("7♣, 7 points: fits meld 1 (7♦ 7♥ 7♠).".into(), Mood::Good));
        let html = page(scene, &draft);
        assert!(html.contains("id=\"meld-1\" class=\"meld fits\""), "{html}");
        Romme::place(scene, &mut draft, 1);
        assert_eq!(Romme::button_at(scene, &draft, 1), Some('t'));
        assert!(matches!(pressed(scene, &draft, 't'), Ok(Action::LayOff { meld: MeldId(1), .. })));
        Romme::place(scene, &mut draft, 2);
        assert_eq!(Romme::button_at(scene, &draft, 2), None);
        assert_eq!(pressed(scene, &draft, 't').unwrap_err(), "these cards do not fit meld 2");
        Romme::place(scene, &mut draft, 2);
        assert!(pressed(scene, &draft, 't').is_ok(), "the meld is chosen no longer");
    });
}

#[test]
fn a_joker_is_swapped_by_a_click_on_its_meld() {
    after_opening().look(Lang::De, |scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "AS 2H 2D");
        assert_eq!(
            says(scene, &draft),
            ("A♠ gegen den Joker aus Auslage 2 (D♠ K♠ ★) tauschen: daraus wird 2♦ 2♥ ★.".into(), Mood::Good)
        );
        assert!(page(scene, &draft).contains("id=\"meld-2\" class=\"meld swaps\""));
        Romme::place(scene, &mut draft, 2);
        assert_eq!(Romme::button_at(scene, &draft, 2), Some('j'));
        draft.marked.clear();
        mark(scene, &mut draft, "9D");
        assert_eq!(pressed(scene, &draft, 'j').unwrap_err(), "kein Joker auf dem Tisch steht für eine dieser Karten");
    });
}

#[test]
fn the_page_shows_deadwood_and_the_use_of_the_discard_pile() {
    set(HAND, "6C").look(Lang::En, |scene| {
        assert_eq!(text(&Romme::own(scene).0), "102 points in hand 29 deadwood not opened yet");
        let (told, mood) = says(scene, &draft::<Romme>());
        assert_eq!(told, "Draw a card, or take 6♣ from the discard pile: it makes 3♣ 4♣ 5♣ 6♣.");
        assert_eq!(mood, Mood::Good);
    });
    set(HAND, "JK").look(Lang::De, |scene| {
        assert!(says(scene, &draft::<Romme>()).0.ends_with("nimm ★ von der Ablage: ein Joker!"));
    });
}

#[test]
fn the_hand_is_sorted_by_suit_or_by_rank() {
    set(HAND, "5H").look(Lang::En, |scene| {
        let mut draft = draft::<Romme>();
        let first = |draft: &Draft<Prepared>| {
            let name = |tile: &Tile| tile.card.unwrap().to_string();
            Romme::desk(scene, draft).hand.iter().take(3).map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(first(&draft), "7S QS KS");
        Romme::command(scene, &mut draft, 'r');
        assert_eq!(first(&draft), "2H 3C 4C");
        assert_eq!(Romme::kept(draft.extra.clone()).order, draft.extra.order, "it stays so after a move");
    });
}

#[test]
fn no_draft_from_a_browser_does_harm() {
    after_opening().look(Lang::En, |scene| {
        let slot = scene.view.hand[0].slot;
        let many = vec![vec![format!("{slot}"); 3]; 2000];
        let drafts = [
            serde_json::json!({"extra": {"ready": many, "way": u64::MAX, "chosen": ["M255", 7], "order": "rank"}}),
            serde_json::json!({"marked": vec![slot; 5000], "extra": {"ready": [[]], "chosen": ["M1", scene.table.height()]}}),
        ];
        for sent in drafts {
            let mut draft: Draft<Prepared> = serde_json::from_value(sent).unwrap();
            page(scene, &draft);
            for key in ['v', 'u', 'a', 'f'] {
                Romme::command(scene, &mut draft, key);
                page(scene, &draft);
            }
        }
    });
}
