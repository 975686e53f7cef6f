//! Checks of one page, desk or draft.

use std::collections::BTreeSet;

use ::table::{Claim as _, Move, Rules, Settings as _};
use maud::Markup;
use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;

use crate::{Button, CHANGE, Desk, Draft, Lang, Marking, MoveOf, Page, Press, Scene};

/// Nothing prepared.
pub(crate) fn draft<G: Page>() -> Draft<G::Extra> {
    Draft { marked: Vec::new(), amount: None, changing: None, extra: G::Extra::default() }
}

/// The whole page of a game, as [`crate::Board`] puts it together.
pub(crate) fn page<G: Page>(scene: &Scene<'_, G>, draft: &Draft<G::Extra>) -> String {
    let mut html = format!("<h1>{}</h1>", G::title(scene));
    let add = |part: &Markup, html: &mut String| html.push_str(&part.0);
    for seat in scene.others() {
        let panel = G::panel(scene, seat);
        html.push_str(&format!("<li>{} {} {:?}", panel.facts, panel.marks.join(" "), panel.status));
        add(&panel.cards, &mut html);
    }
    add(&G::middle(scene, draft), &mut html);
    let desk = G::desk(scene, draft);
    if scene.me().is_some() {
        add(&G::own(scene), &mut html);
        add(&desk.bench.clone().unwrap_or_default(), &mut html);
        for tile in &desk.hand {
            let marked = draft.marked.contains(&tile.slot);
            add(&crate::tile(*tile, marked, desk.marking != Marking::None, scene.lang), &mut html);
        }
        html.push_str(&format!("<p>{}</p>", desk.says.0));
        assert!(scene.moves.is_some() || desk.buttons.is_empty(), "buttons out of turn");
        let label = |button: &Button<G>| match &button.press {
            Ok(_) => format!("<button>{} {}</button>", button.key, button.label),
            Err(why) => format!("<button>{} {} {why}</button>", button.key, button.label),
        };
        desk.buttons.iter().for_each(|button| html.push_str(&label(button)));
    } else {
        assert!(desk.hand.is_empty() && desk.buttons.is_empty(), "a spectator holds nothing and can do nothing");
    }
    html
}

/// The visible text of a piece of HTML: without tags, with the signs on cards, with single spaces.
pub(crate) fn text(html: &str) -> String {
    let mut words = String::new();
    for piece in html.split('<') {
        let (tag, after) = piece.split_once('>').unwrap_or(("", piece));
        let printed = values(tag, "data-sign").concat();
        words.push_str(&format!(" {printed} {after}"));
    }
    words.replace('\u{fe0e}', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// After preparing a move, a button makes exactly that move.
pub(crate) fn prepared<G: Page>(scene: &Scene<'_, G>, moved: &MoveOf<G>) {
    let mut draft = draft::<G>();
    G::prepare(scene, &mut draft, moved);
    draft = sent(&draft);
    G::marked(scene, &mut draft);
    let desk = G::desk(scene, &draft);
    let does = |button: &Button<G>| matches!(&button.press, Ok(Press::Move(does)) if does == moved);
    let labels: Vec<_> = desk.buttons.iter().map(|button| &button.label).collect();
    assert!(desk.buttons.iter().any(does), "no button does {moved:?}: {labels:?}");
}

/// Everything on a desk that can be pressed is accepted, and every key means one thing.
pub(super) fn accepted<G: Page>(scene: &Scene<'_, G>, desk: &Desk<G>) {
    let keys: BTreeSet<char> = desk.buttons.iter().map(|button| button.key).collect();
    assert_eq!(keys.len(), desk.buttons.len(), "a key means two things");
    assert!(
        keys.iter().all(|key| key.is_ascii_lowercase() && !['h', CHANGE].contains(key)),
        "{keys:?}: digits mark cards, h is for hints, {CHANGE} for changing what was chosen"
    );
    for button in &desk.buttons {
        match &button.press {
            Ok(Press::Move(moved)) => {
                let refused = refused(scene, moved);
                assert_eq!(refused, None, "[{}] {} can be pressed: {moved:?}", button.key, button.label);
            }
            Ok(Press::Amount(amount)) => {
                let range = desk.amount.expect("an amount can be chosen");
                assert!((range.least..=range.most).contains(amount), "[{}] {}", button.key, button.label);
            }
            Ok(Press::Command) => {}
            Err(why) => assert!(!why.is_empty(), "[{}] {} cannot be pressed", button.key, button.label),
        }
    }
}

/// Why a copy of the table refuses a move.
pub(super) fn refused<G: Page>(scene: &Scene<'_, G>, moved: &MoveOf<G>) -> Option<String> {
    let me = scene.me().expect("a seated player");
    match moved {
        Move::Act(action) => {
            let mut tried = scene.table.clone();
            let judged = |claim: &<G::Rules as Rules>::Claim| claim.holds(&scene.known);
            tried.act_if(scene.table.height(), me, action, &scene.known, judged).err().map(|why| why.to_string())
        }
        Move::Choose(choice) => {
            let refused = scene.table.admits_choice(me, choice, |claim| claim.holds(&scene.known));
            refused.err().map(|why| why.to_string())
        }
    }
}

/// Changes a draft in a way that the page offers.
pub(super) fn fiddle<G: Page>(scene: &Scene<'_, G>, draft: &mut Draft<G::Extra>, rng: &mut Xoshiro256PlusPlus) {
    let desk = G::desk(scene, draft);
    let html = page(scene, draft);
    let places = values(&html, "data-place");
    match rng.random_range(0..4) {
        0 | 1 if desk.marking != Marking::None && !desk.hand.is_empty() => {
            let slot = desk.hand[rng.random_range(0..desk.hand.len())].slot;
            let was = draft.marked.contains(&slot);
            draft.marked.retain(|marked| *marked != slot && desk.marking == Marking::Many);
            if !was {
                draft.marked.push(slot);
            }
            G::marked(scene, draft);
        }
        2 if !places.is_empty() => {
            let place = places[rng.random_range(0..places.len())].parse().expect("places are numbers");
            G::place(scene, draft, place);
            if let Some(key) = G::button_at(scene, draft, place) {
                let desk = G::desk(scene, draft);
                assert!(desk.buttons.iter().any(|button| button.key == key), "place {place} presses no button: {key}");
            }
        }
        _ if !desk.buttons.is_empty() => {
            let button = &desk.buttons[rng.random_range(0..desk.buttons.len())];
            match button.press {
                Ok(Press::Amount(amount)) => {
                    draft.amount = Some(amount);
                    G::command(scene, draft, button.key);
                }
                Ok(Press::Command) => {
                    G::command(scene, draft, button.key);
                }
                Ok(Press::Move(_)) | Err(_) => {}
            }
        }
        _ => {}
    }
}

/// A draft as it comes back from a browser.
pub(super) fn sent<E: serde::Serialize + serde::de::DeserializeOwned + Default>(draft: &Draft<E>) -> Draft<E> {
    serde_json::from_str(&serde_json::to_string(draft).unwrap()).unwrap()
}

/// The values of an attribute.
pub(super) fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Cards and numbers are written as is usual in the language.
pub(super) fn written(text: &str, lang: Lang) {
    let text = text.replace('\u{fe0e}', "");
    let foreign = match lang {
        Lang::En => ['B', 'D'],
        Lang::De => ['J', 'Q'],
    };
    for letter in foreign {
        let in_text = ['♣', '♦', '♥', '♠'].iter().any(|suit| text.contains(&format!("{letter}{suit}")));
        let on_cards = values(&text, "data-sign").contains(&letter.to_string().as_str());
        assert!(!in_text && !on_cards, "{letter} is no {lang:?} rank: {text}");
    }
    let is_decimal = |window: &[char]| matches!(window, [a, '.', b] if a.is_ascii_digit() && b.is_ascii_digit());
    let decimal = text.chars().collect::<Vec<_>>().windows(3).any(is_decimal);
    assert!(lang == Lang::En || !decimal, "a German number has a comma: {text}");
}

/// Rules and settings are described in both languages.
pub(super) fn both_languages_are_spoken<G: Page>() {
    let [english, german] = Lang::ALL.map(G::rules);
    assert!(english.starts_with("# ") && german.starts_with("# ") && english != german);
    let headings = |text: &str| text.lines().filter(|line| line.starts_with("# ")).count();
    assert_eq!(headings(english), headings(german), "the rules differ");
    written(english, Lang::En);
    written(german, Lang::De);
    assert_ne!(G::counts(Lang::En), "");
    for setting in G::Settings::described() {
        let german = G::setting(setting.name, setting.about, Lang::De);
        assert_ne!(german, setting.about, "{} has no German text", setting.name);
        assert_eq!(G::setting(setting.name, setting.about, Lang::En), setting.about);
    }
}
