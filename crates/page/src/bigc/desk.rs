//! The viewer's side of a table of Big-C: what the marked cards make, what could be played, the buttons.

use ::table::{Move, Slot};
use cards::Card;
use games::Held;
use games::bigc::{Action, BigC, Choice, Few, Illegal, Judged, Moves, Options, Sorting, Step, position, step};
use maud::html;

use super::{names, player, words};
use crate::Lang;
use crate::{Button, Desk, Draft, Marking, Mood, MoveOf, Scene, Tile, face};

/// All of it.
pub(super) fn desk(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>) -> Desk<BigC> {
    let tiles = |usable: &dyn Fn(&Held) -> bool| {
        let tile = |held: &Held| Tile { slot: held.slot, card: held.card, usable: usable(held) };
        draft.extra.sort(&scene.view.hand).iter().map(tile).collect::<Vec<_>>()
    };
    let sort = Button::command(
        'r',
        match draft.extra {
            Sorting::Ranks => scene.pick("By suit", "Nach Farbe"),
            Sorting::Suits => scene.pick("By rank", "Nach Rang"),
        },
    );
    match scene.moves {
        None | Some(Moves::None) => chosen(scene, tiles(&|_| true)),
        Some(Moves::Show(cards)) => {
            let hand = tiles(&|held| cards.contains(held));
            let (says, show) = showing(scene, draft, cards);
            let buttons = vec![show, sort];
            Desk { hand, marking: Marking::One, bench: None, says: (says, Mood::Plain), buttons, amount: None }
        }
        Some(moves @ (Moves::Lead(options) | Moves::Answer { options, .. })) => {
            let usable = options.usable();
            let hand =
                tiles(&|held| held.card.is_none_or(|card| usable.as_ref().is_none_or(|all| all.contains(&card))));
            let thought = Thought::new(scene, draft, options);
            let mut buttons = thought.buttons(moves);
            buttons.push(sort);
            Desk { hand, marking: Marking::Many, bench: None, says: thought.says(moves), buttons, amount: None }
        }
    }
}

/// Marks another suggestion: the next or the one before, or the first of the next number of cards.
pub(super) fn suggest(scene: &Scene<'_, BigC>, draft: &mut Draft<Sorting>, key: char) -> Option<String> {
    let list = scene.moves.and_then(|moves| moves.options())?.suggestions();
    let how = match key {
        'b' => Step::Before,
        'k' => Step::More,
        _ => Step::Next,
    };
    match step(&list, &draft.marked, how) {
        None => Some(scene.pick("you have nothing to play", "du kannst nichts legen").to_owned()),
        Some(playable) => {
            draft.marked = playable.cards.iter().collect();
            None
        }
    }
}

/// The viewer cannot do anything. If they have chosen a card to show, they see it before the others do.
fn chosen(scene: &Scene<'_, BigC>, mut hand: Vec<Tile>) -> Desk<BigC> {
    let (done, bench) = match scene.chosen {
        None => return Desk { hand, ..Desk::default() },
        Some(Choice::Nothing) => (scene.pick("You have nothing to show", "Du hast nichts zu zeigen").to_owned(), None),
        Some(Choice::Show(slot)) => {
            hand.retain(|tile| tile.slot != *slot);
            let card = scene.known.face(*slot);
            let bench = html! {
                div class="chosen" role="group" aria-label=(scene.pick("The card you show", "Die Karte, die du zeigst")) {
                    (face(*slot, card, scene.lang))
                }
            };
            (format!("{} {}", scene.pick("You show", "Du zeigst"), names::card(card, scene.lang)), Some(bench))
        }
    };
    Desk { hand, bench, says: (scene.has_chosen(&done), Mood::Good), ..Desk::default() }
}

/// The viewer must show a card for the order of play.
fn showing(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>, cards: &[Held]) -> (String, Button<BigC>) {
    let lang = scene.lang;
    let shown = scene.me().and_then(|me| player(scene.view, me)).and_then(|me| me.shown.last());
    let says = match (cards, shown) {
        ([], _) => lang
            .pick(
                "You have only jokers left, and they are not shown.",
                "Du hast nur noch Joker, und die werden nicht gezeigt.",
            )
            .to_owned(),
        (_, Some(card)) => words::shown_too(*card, lang),
        (_, None) => lang
            .pick(
                "Choose a card to show; it stays in your hand. The lowest plays first.",
                "Wähle eine Karte zum Zeigen; sie bleibt auf der Hand. Die niedrigste beginnt.",
            )
            .to_owned(),
    };
    let label = lang.pick("Show", "Zeigen");
    let button = match cards.iter().find(|held| draft.marked.contains(&held.slot)) {
        Some(held) => Button::choose('s', format!("{label} {}", names::card(held.card, lang)), Choice::Show(held.slot)),
        None if cards.is_empty() => {
            Button::choose('s', lang.pick("Nothing to show", "Nichts zu zeigen"), Choice::Nothing).forced()
        }
        None => {
            let why = lang.pick("choose a card first (not a joker)", "wähle zuerst eine Karte (keinen Joker)");
            Button::refused('s', label, why)
        }
    };
    (says, button)
}

/// What is marked, and what could be.
struct Thought<'a> {
    scene: &'a Scene<'a, BigC>,
    options: &'a Options,
    marked: Vec<(Slot, Card)>,
    judged: Judged,
    /// The position of the marked cards among the playable hands, and the number of those hands.
    at: Option<usize>,
    count: usize,
}

impl<'a> Thought<'a> {
    fn new(scene: &'a Scene<'a, BigC>, draft: &Draft<Sorting>, options: &'a Options) -> Self {
        let mut marked: Vec<(Slot, Card)> = Vec::new();
        for slot in &draft.marked {
            let held = scene.view.hand.iter().find(|held| held.slot == *slot);
            // A draft comes from outside: it may name a card twice.
            if !marked.iter().any(|(other, _)| other == slot) {
                marked.extend(held.and_then(|held| Some((held.slot, held.card?))));
            }
        }
        let faces: Vec<Card> = marked.iter().map(|(_, card)| *card).collect();
        let slots: Vec<Slot> = marked.iter().map(|(slot, _)| *slot).collect();
        let list = options.suggestions();
        Self { scene, options, judged: options.judge(&faces), at: position(&list, &slots), count: list.len(), marked }
    }

    /// Plays the marked cards, or says why not.
    fn play(&self) -> Result<MoveOf<BigC>, String> {
        let lang = self.scene.lang;
        if self.marked.is_empty() {
            return Err(lang.pick("mark the cards to play first", "markiere zuerst die Karten").to_owned());
        }
        let slots: Vec<Slot> = self.marked.iter().map(|(slot, _)| *slot).collect();
        let round = self.options.beat().map(|beat| beat.class().size());
        let got = u8::try_from(slots.len()).unwrap_or(u8::MAX);
        match (self.judged, Few::new(&slots)) {
            (Judged::Leads(_) | Judged::Beats(..), Some(few)) => Ok(Move::Act(Action::Play(few))),
            (Judged::NotHigher(_), _) => Err(words::refusal(&Illegal::NotHigher, lang)),
            (Judged::WrongSize(_) | Judged::Leads(_) | Judged::Beats(..), _) => {
                Err(words::refusal(&Illegal::WrongHandSize { round, got }, lang))
            }
            (Judged::NotAHand(why), _) => Err(names::no_hand(why, lang)),
        }
    }

    /// What the marked cards make, or what to do.
    fn says(&self, moves: &Moves) -> (String, Mood) {
        let lang = self.scene.lang;
        if self.marked.is_empty() {
            return (words::could_play(moves, self.count, lang), Mood::Plain);
        }
        let last = self.marked.len() == self.scene.view.hand.len();
        let owner = self.scene.view.table.as_ref().map(|table| self.scene.name(table.by));
        let mut says = words::judged(self.judged, self.options.beat(), owner.unwrap_or_default(), last, lang);
        if let Some(at) = self.at {
            says.push_str(&match lang {
                Lang::En => format!(" ({} of {})", at + 1, self.count),
                Lang::De => format!(" ({} von {})", at + 1, self.count),
            });
        }
        (says, if self.judged.is_legal() { Mood::Good } else { Mood::Bad })
    }

    fn buttons(&self, moves: &Moves) -> Vec<Button<BigC>> {
        let (lang, none) = (self.scene.lang, self.count == 0);
        if !self.options.has_naturals() && matches!(moves, Moves::Lead(_)) {
            let label = lang.pick("Only jokers: pass the lead on", "Nur Joker: Ausspielen weitergeben");
            return vec![Button::act('x', label, Action::PassRole).forced()];
        }
        let mut buttons = vec![Button::maybe('p', lang.pick("Play", "Legen"), self.play())];
        if let Moves::Answer { pass_draws, .. } = moves {
            let pass = Button::act('x', words::pass(*pass_draws, lang), Action::Pass);
            // A player who can play should not pass by accident.
            buttons.push(if none { pass } else { pass.grave() });
        }
        let steps = [
            ('n', lang.pick("Next hand", "Vorschlag")),
            ('b', lang.pick("Previous hand", "Zurück")),
            ('k', lang.pick("More cards", "Mehr Karten")),
        ];
        // An answer has as many cards as the hand on the table; a player who cannot play has nothing to step through.
        let leads = matches!(moves, Moves::Lead(_));
        let offered = steps.into_iter().filter(|(key, _)| !none && (leads || *key != 'k'));
        buttons.extend(offered.map(|(key, label)| Button::command(key, label)));
        buttons
    }
}
