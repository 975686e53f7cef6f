//! Blackout's page at a table set by hand, and in matches of random moves.

use ::table::{Eye, Faces, Height, Known, Match, Rules as _, Seats, Table};
use dealers::laws::dealt_by_hand;
use games::blackout::{Deal, Settings, Setup};

use super::*;
use crate::Press;
use crate::testing::{Trial, draft, page, pages_hold, text};

#[test]
fn every_position_can_be_looked_at() {
    pages_hold::<Blackout>(2, &[("start", "9")], 1, 1);
    pages_hold::<Blackout>(7, &[("start", "3"), ("hook", "true")], 2, 2);
    pages_hold::<Blackout>(4, &[("no_trump_rounds", "2")], 3, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Two players with these cards, trump turned up, seat 0 to bid first and seat 1 dealing.
struct Set {
    table: Table<Deal>,
    own: [Faces; 2],
    settings: Settings,
}

impl Set {
    fn new(hands: [&str; 2], trump: &str, hook: bool) -> Self {
        let setup = Setup {
            players: 2,
            dealer: Some(seat(1)),
            cards: u8::try_from(hands[0].split(' ').count()).unwrap(),
            trump: true,
            hook,
            points_for_correct_bet: 10,
            gone: Seats::NONE,
            first_deck: 0,
        };
        let (table, own) = dealt_by_hand(&setup, hands, trump);
        Self { table, own, settings: Settings { hook, ..Settings::default() } }
    }

    fn slot(&self, who: u8, card: &str) -> Slot {
        let card: Card = card.parse().unwrap();
        self.own[usize::from(who)].iter().find(|(_, face)| *face == card).unwrap().0
    }

    fn act(&mut self, who: u8, action: Action) {
        self.table.act(self.table.height(), seat(who), &action, &self.own[usize::from(who)]).unwrap();
    }

    fn play(&mut self, who: u8, card: &str) {
        self.act(who, Action::Play(self.slot(who, card)));
    }

    fn look<T>(&self, eye: Eye, lang: Lang, f: impl FnOnce(&Scene<'_, Blackout>) -> T) -> T {
        let rules = self.table.rules();
        let (known, asked) = match eye {
            Eye::Seat(seat) => {
                let known = Known::with(self.table.open(), &self.own[usize::from(seat.index())]);
                (known, Some(seat))
            }
            Eye::Public => (Known::public(self.table.open()), None),
        };
        let view = rules.view(known, eye);
        let moves = asked.filter(|seat| view.turn == Some(*seat)).map(|seat| rules.moves(known, seat));
        let names = ["Anna".to_owned(), "Bert".to_owned()];
        f(&Scene {
            lang,
            eye,
            view: &view,
            moves: moves.as_ref(),
            chosen: None,
            awaited: view.turn.map_or(Seats::NONE, Seats::one),
            table: &self.table,
            known,
            settled: None,
            settings: &self.settings,
            standing: &Match::<Blackout>::start(&self.settings, 2).unwrap().standing(),
            deal: 3,
            names: &names,
        })
    }

    /// The label of the first button, whether it can be pressed, and the text, with this card marked.
    fn marked(&self, who: u8, card: &str, lang: Lang) -> (String, Result<(), String>, String) {
        self.look(Eye::Seat(seat(who)), lang, |scene| {
            let mut draft = draft::<Blackout>();
            draft.marked = vec![self.slot(who, card)];
            let desk = Blackout::desk(scene, &draft);
            let button = &desk.buttons[0];
            let pressed = match &button.press {
                Ok(Press::Move(_)) => Ok(()),
                Ok(_) => panic!("the first button plays"),
                Err(why) => Err(why.clone()),
            };
            (text(&button.label), pressed, text(&desk.says.0))
        })
    }
}

fn said(label: &str, says: &str) -> (String, Result<(), String>, String) {
    (label.to_owned(), Ok(()), says.to_owned())
}

#[test]
fn a_marked_card_says_what_it_would_do() {
    let mut set = Set::new(["Kh 2c 3c", "Ah 5h 7s"], "2s", false);
    set.act(0, Action::Bid(1));
    set.act(1, Action::Bid(1));
    assert_eq!(set.marked(0, "Kh", Lang::En), said("Play K♥", "K♥ leads."));
    assert_eq!(set.marked(0, "Kh", Lang::De), said("Spielen: K♥", "Du spielst K♥ aus."));
    set.play(0, "Kh");
    assert_eq!(set.marked(1, "Ah", Lang::En), said("Play A♥", "A♥ takes the trick, beating Anna's K♥."));
    assert_eq!(set.marked(1, "Ah", Lang::De), said("Spielen: A♥", "A♥ macht den Stich und schlägt K♥ von Anna."));
    assert_eq!(set.marked(1, "5h", Lang::De), said("Spielen: 5♥", "5♥ verliert gegen K♥ von Anna."));
    let (_, can, says) = set.marked(1, "7s", Lang::De);
    assert_eq!(can, Err("du musst die ausgespielte Farbe bedienen".to_owned()));
    assert_eq!(says, "Du musst bedienen: ♥.");
}

#[test]
fn a_player_with_only_one_legal_card_need_not_choose_it() {
    let mut set = Set::new(["Kh 2c", "Ah 7s"], "2s", false);
    set.act(0, Action::Bid(1));
    set.act(1, Action::Bid(1));
    set.play(0, "Kh");
    set.look(Eye::Seat(seat(1)), Lang::En, |scene| {
        let desk = Blackout::desk(scene, &draft::<Blackout>());
        assert_eq!(text(&desk.buttons[0].label), "Play A♥");
        assert!(matches!(desk.buttons[0].press, Ok(Press::Move(_))));
        assert_eq!(desk.hand.iter().filter(|tile| tile.usable).count(), 1);
    });
}

#[test]
fn a_number_is_chosen_and_then_bid_unless_the_hook_rule_forbids_it() {
    let mut set = Set::new(["Kh 2c 3c", "Ah 5h 7s"], "2s", true);
    set.act(0, Action::Bid(1));
    set.look(Eye::Seat(seat(1)), Lang::De, |scene| {
        let mut draft = draft::<Blackout>();
        let desk = Blackout::desk(scene, &draft);
        assert!(desk.buttons[0].press.is_err(), "nothing is chosen yet");
        assert_eq!(desk.says.0, "Bisher angesagt: 1 bei 3 Stichen; 2 darfst du nicht ansagen (Haken).");
        let bench = desk.bench.unwrap().into_string();
        assert_eq!(text(&bench), "0 1 2 3");
        assert!(bench.contains("data-place=\"3\"") && !bench.contains("data-place=\"2\""), "{bench}");
        Blackout::place(scene, &mut draft, 3);
        let desk = Blackout::desk(scene, &draft);
        assert_eq!(desk.buttons[0].label, "Ansagen 3");
        assert!(matches!(desk.buttons[0].press, Ok(Press::Move(Move::Act(Action::Bid(3))))));
        Blackout::place(scene, &mut draft, 2);
        let why = Blackout::desk(scene, &draft).buttons[0].press.as_ref().err().unwrap().clone();
        assert_eq!(why, "der Geber darf 2 nicht ansagen, sonst gehen die Ansagen genau auf (Haken)");
    });
}

#[test]
fn the_middle_shows_trump_bids_and_tricks() {
    let mut set = Set::new(["Kh 2c 3c", "Ah 5h 7s"], "2s", false);
    let middle =
        |set: &Set, lang| set.look(Eye::Public, lang, |scene| text(&Blackout::middle(scene, &draft::<Blackout>()).0));
    assert_eq!(middle(&set, Lang::En), "Trump 2 ♠ Anna ? Bert – dealer How many tricks will each player take?");
    set.act(0, Action::Bid(1));
    set.act(1, Action::Bid(1));
    assert!(
        middle(&set, Lang::De).ends_with("Anna Bert Anna spielt zum ersten Stich aus."),
        "{}",
        middle(&set, Lang::De)
    );
    set.play(0, "Kh");
    let told = middle(&set, Lang::En);
    let all = "Trump 2 ♠ Trick 1 of 3 2 bid for 3 tricks (1 too few) Anna K ♥ best Bert The highest ♠ wins; if there is none, the highest ♥.";
    assert_eq!(told, all);
    set.play(1, "Ah");
    let told = middle(&set, Lang::De);
    let all = "Trumpf 2 ♠ Stich 2 von 3 2 angesagt bei 3 Stichen (1 zu wenig) Anna K ♥ spielte aus Bert A ♥ macht ihn Bert spielt zum nächsten Stich aus.";
    assert_eq!(told, all);
}

#[test]
fn players_see_their_bid_and_the_tricks_still_missing() {
    let mut set = Set::new(["Kh 2c 3c", "Ah 5h 7s"], "2s", false);
    set.act(0, Action::Bid(1));
    set.act(1, Action::Bid(0));
    set.play(0, "Kh");
    set.play(1, "Ah");
    let own = |who, lang| set.look(Eye::Seat(seat(who)), lang, |scene| text(&Blackout::own(scene).0));
    assert_eq!(own(0, Lang::En), "bid 1 · took 0 1 to go");
    assert_eq!(own(1, Lang::De), "Ansage 0 · Stiche 1 zu viele");
    let (status, mood) = set.look(Eye::Public, Lang::En, |scene| Blackout::panel(scene, seat(1)).status.unwrap());
    assert_eq!((status.as_str(), mood), ("bid 0 · took 1", Mood::Bad));
}

#[test]
fn nobody_sees_the_cards_of_others() {
    let set = Set::new(["Kh 2c 3c", "Ah 5h 7s"], "2s", false);
    let html = set.look(Eye::Seat(seat(0)), Lang::En, |scene| page(scene, &draft::<Blackout>()));
    assert!(["king of hearts", "two of clubs", "two of spades"].iter().all(|seen| html.contains(seen)), "{html}");
    assert!(
        ["ace of hearts", "five of hearts", "seven of spades"].iter().all(|hidden| !html.contains(hidden)),
        "{html}"
    );
}

#[test]
fn the_dice_for_the_first_dealer_are_shown_until_all_have_bid() {
    let mut trial = Trial::<Blackout>::new(3, &[], 5);
    trial.deal_out();
    trial.scene(Eye::Public, Lang::En, |scene| {
        assert_eq!(scene.view.phase, "bidding");
        let middle = text(&Blackout::middle(scene, &draft::<Blackout>()).0);
        let dealer = scene.name(scene.view.dealer.unwrap());
        assert!(middle.contains(&format!("{dealer} rolled highest and deals.")), "{middle}");
        for (seat, player) in seats(scene.view) {
            let roll = player.roll.unwrap();
            assert!(middle.contains(&format!("{} {roll} ", scene.name(seat))), "{middle}");
        }
    });
}

#[test]
fn a_tie_of_the_dice_shows_both_rolls_and_who_rolled_again() {
    let setup = Setup {
        players: 3,
        dealer: None,
        cards: 1,
        trump: true,
        hook: false,
        points_for_correct_bet: 10,
        gone: Seats::NONE,
        first_deck: 0,
    };
    let dice = |rolls: &[(u32, u8)]| -> Faces {
        rolls.iter().map(|(deck, pips)| (Slot::new(*deck, 0), Card::lot(*pips).unwrap())).collect()
    };
    let view = |table: &Table<Deal>| table.rules().view(Known::public(table.open()), Eye::Public);
    let settings = Settings::default();
    let standing = Match::<Blackout>::start(&settings, 3).unwrap().standing();
    let names = ["Anna", "Bert", "Cleo"].map(str::to_owned);
    let told = |table: &Table<Deal>, before: Option<&View>, lang| {
        let scene = Scene {
            lang,
            eye: Eye::Public,
            view: &view(table),
            moves: None,
            chosen: None,
            awaited: Seats::NONE,
            table,
            known: Known::public(table.open()),
            settled: None,
            settings: &settings,
            standing: &standing,
            deal: 1,
            names: &names,
        };
        match before {
            Some(before) => words::news(before, &scene).join(" | "),
            None => text(&Blackout::middle(&scene, &draft::<Blackout>()).0),
        }
    };
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    table.dealt(Height(0), &dice(&[(0, 19), (1, 17), (2, 19)])).unwrap();
    let all = "Anna 19 Bert 17 Cleo 19 A tie: the highest roll again. Dealing the cards.";
    assert_eq!(told(&table, None, Lang::En), all);
    let before = view(&table);
    table.dealt(Height(1), &dice(&[(3, 19), (4, 7)])).unwrap();
    let all = "Anna 19 after 19 Bert 17 Cleo 7 after 19 A tie at 19: rolled again. Anna rolled highest and deals. Dealing the cards.";
    assert_eq!(told(&table, None, Lang::En), all);
    assert!(told(&table, None, Lang::De).contains("Gleichstand bei 19: noch einmal gewürfelt."));
    // Anna rolls the same number again, which is shown like any other roll.
    assert_eq!(told(&table, Some(&before), Lang::En), "Dice: Anna 19, Cleo 7 | Anna rolled highest and deals");
}
