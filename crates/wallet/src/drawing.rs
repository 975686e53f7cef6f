//! A table of a chain as its page: the same HTML, parts and messages as at a table of the house.
//!
//! Others do not wait while somebody reads how a hand ended. They see the next one once they press the button for it, or
//! after a while.

use core::time::Duration;

use cards::Card;
use chain::tables::{Begun, Hand, SEATS, Step};
use chain::{Address, Coins};
use games::AnyGame;
use games::holdem::{Deal, Holdem, Settings};
use light::buying;
use light::follow::{self, Ended, Now, Told, is_complete, own_faces};
use maud::{Markup, html};
use page::beside;
use page::{Asked, Awaited, Board, Chair, Frame, Lang, Made, NotPressed, Parts, Pressed, Stage, State, Story, Who};
use page::{Said, desk, felt};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use table::{Awaiting, Chips, Eye, Faces, Height, Known, Outcome, PerSeat, Seat, Seats, Slot, Standing, Table};

use crate::words;

/// How long the end of a hand is shown at most, to those who were in it and to others; and at least, to those who were in
/// it and are asked in the next.
const TO_READ: Duration = Duration::from_secs(12);
const TO_SEE: Duration = Duration::from_secs(3);
const TO_GLANCE: Duration = Duration::from_secs(4);
/// How many pictures of players there are.
const AVATARS: u8 = 12;

/// What a page can say beside moves.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Command {
    /// Continue after a hand.
    Ready {
        #[serde(default)]
        deal: u32,
    },
    /// Give up the seat.
    Stand {},
    /// Not be dealt in for a while.
    Out {},
    /// Be dealt in again.
    Back {},
    /// Buy chips.
    Rebuy { chips: u64 },
    /// Take a seat.
    Sit {},
    /// Go back to the list of tables.
    Tables {},
    /// There is no chat.
    Say {},
}

/// What a message of a page wants.
pub(crate) enum Wanted {
    /// Nothing more than to be shown.
    Nothing,
    /// Something at the table.
    Do(follow::Want),
    /// To take a seat.
    Sit,
    /// To see all tables.
    Tables,
    /// To be told this.
    Tell(Value),
}

/// A table on a page.
pub(crate) struct Drawing {
    lang: Lang,
    number: u64,
    address: Address,
    has: Parts,
    draft: Option<String>,
    /// How many drafts have come from the page.
    drafts: u64,
    story: Story<Holdem>,
    settings: Settings,
    /// How things are, and since when.
    now: Option<(Duration, Box<Now>)>,
    /// The hand that is told: how it began, the table so far, and how much of its log that is.
    playing: Option<Playing>,
    ended: Option<EndedHand>,
    /// The turn that was answered.
    sent: Option<(u32, Height)>,
    /// The seat is one whose cards cannot be read here.
    elsewhere: bool,
}

struct Playing {
    begun: Begun,
    table: Table<Deal>,
    told: usize,
    standing: Standing,
}

/// How a hand ended, while somebody looks at it.
struct EndedHand {
    number: u32,
    table: Table<Deal>,
    own: Faces,
    outcome: Outcome,
    standing: Standing,
    since: Duration,
    /// The person was in it.
    mine: bool,
    /// They have seen enough.
    seen: bool,
}

impl Drawing {
    pub(crate) fn new(lang: Lang, number: u64, address: Address) -> Self {
        let settings = Settings { ring: true, ..Settings::default() };
        let names = (0..SEATS).filter_map(Seat::new).map(|seat| words::seat(seat, lang)).collect();
        Self {
            lang,
            number,
            address,
            has: Parts::default(),
            draft: None,
            drafts: 0,
            story: Story::new(settings.clone(), names),
            settings,
            now: None,
            playing: None,
            ended: None,
            sent: None,
            elsewhere: false,
        }
    }

    /// The page was loaded again, perhaps in another language: it has nothing.
    pub(crate) fn again(&mut self, lang: Lang) {
        (self.lang, self.has, self.drafts) = (lang, Parts::default(), 0);
    }

    pub(crate) const fn set_elsewhere(&mut self, elsewhere: bool) {
        self.elsewhere = elsewhere;
    }

    /// Something was told; what the person should be told at once.
    pub(crate) fn learn(&mut self, told: Told, at: Duration) -> Option<String> {
        match told {
            Told::Now(now) => {
                let lost = self.bond_lost(&now);
                if let Some(hand) = &now.hand {
                    self.tell(hand);
                }
                self.now = Some((at, now));
                lost
            }
            Told::Over(ended) => {
                self.over(&ended, at);
                None
            }
            Told::Gone(parting) => {
                let text = words::parting(parting, self.lang);
                self.story.say(None, Said::each(|lang| words::parting(parting, lang)));
                Some(text)
            }
            Told::Note(note) => Some(words::note(&note, self.lang)),
            Told::Lost(_) => None,
        }
    }

    /// What a time-out has cost.
    fn bond_lost(&self, new: &Now) -> Option<String> {
        let bond = |now: &Now| now.me.and_then(|me| now.ring.player(me)).map(|player| player.bond);
        let (before, left) = (self.now.as_ref().and_then(|(_, now)| bond(now))?, bond(new)?);
        let lost = before.minus(left).filter(|lost| *lost > Coins::ZERO)?;
        Some(words::time_was_up(lost, left, self.lang))
    }

    /// What is new in a hand.
    fn tell(&mut self, hand: &Hand) {
        if self.playing.as_ref().is_none_or(|playing| playing.begun.deck != hand.number()) {
            let Some(table) = hand.begun().table() else { return };
            let standing = standing(|seat| hand.begun().player(seat).map(|player| player.stack));
            self.story.begin(hand.number(), &table, standing.clone());
            self.playing = Some(Playing { begun: hand.begun().clone(), table, told: 0, standing });
        }
        let Some(Playing { begun, table, told, .. }) = &mut self.playing else { return };
        for step in hand.log().iter().skip(*told) {
            let height = table.height();
            // What the chain has accepted, the same rules accept here.
            match step {
                Step::Dealt(cards) => {
                    let face =
                        |(index, code): &(u16, u8)| Some((Slot::new(begun.deck, *index), Card::from_code(*code)?));
                    let faces: Faces = cards.iter().filter_map(face).collect();
                    let _ = table.dealt(height, &faces);
                }
                Step::Act { seat, action, timed_out } => {
                    let Some(seat) = Seat::new(*seat) else { continue };
                    let action = (*action).into();
                    let made = if *timed_out { Made::TimeUp } else { Made::Freely };
                    self.story.act(table, seat, action, made);
                    let _ = table.act(height, seat, &action, &Faces::new());
                }
            }
            self.story.catch_up(table);
        }
        *told = hand.log().len();
    }

    fn over(&mut self, ended: &Ended, at: Duration) {
        if let Some(hand) = &ended.hand {
            self.tell(hand);
        }
        let Some(playing) = self.playing.take_if(|playing| playing.begun.deck == ended.number) else { return };
        let complete = ended.hand.as_ref().is_some_and(is_complete);
        let Some(outcome) = playing.table.outcome().filter(|_| complete).cloned() else {
            if ended.hand.is_some() {
                self.story.say(None, Said::each(|lang| words::not_dealt(lang).to_owned()));
            }
            return;
        };
        let after = |seat: Seat| ended.stacks.iter().find(|(one, _)| *one == seat).map(|(_, stack)| *stack);
        let standing = standing(after);
        self.story.end(&playing.table, &outcome, standing.clone());
        let me = self.now.as_ref().and_then(|(_, now)| now.me).filter(|me| playing.begun.player(*me).is_some());
        self.ended = Some(EndedHand {
            number: ended.number,
            own: self.own_of(ended.number),
            table: playing.table,
            outcome,
            standing,
            since: at,
            mine: me.is_some(),
            seen: false,
        });
        self.draft = None;
    }

    /// The person's own cards in this hand, as far as they are known.
    fn own_of(&self, number: u32) -> Faces {
        let own = self.now.as_ref().and_then(|(_, now)| {
            let hand = now.hand.as_ref().filter(|hand| hand.number() == number)?;
            Some(own_faces(hand, now.me?, now.own?))
        });
        own.unwrap_or_default()
    }

    /// Whether the end of the last hand is still looked at.
    fn looks(&self, at: Duration) -> bool {
        let Some(ended) = &self.ended else { return false };
        let Some((_, now)) = &self.now else { return false };
        // Until the next hand there is nothing else to see.
        if now.hand.is_none() {
            return true;
        }
        let for_long = at.saturating_sub(ended.since);
        let enough = match (ended.mine, now.asked) {
            (true, false) => TO_READ,
            (true, true) => TO_GLANCE,
            (false, true) => Duration::ZERO,
            (false, false) => TO_SEE,
        };
        !ended.seen && for_long < enough
    }

    /// The parts of the page that have changed.
    pub(crate) fn show(&mut self, at: Duration) -> Value {
        let looks = self.looks(at);
        let own = self.now.as_ref().and_then(|(_, now)| now.hand.as_ref()).map(Hand::number).map(|n| self.own_of(n));
        let own = own.unwrap_or_default();
        let names = self.names();
        let frame = self.frame(looks, &names);
        let shown = self.board(looks, &own, &names).map(|board| board.show(self.draft.as_deref()));
        if let Some(shown) = &shown {
            self.draft = Some(shown.draft.clone());
        }
        let lang = self.lang;
        let (asked, clock) = (shown.as_ref().is_some_and(|shown| shown.asked), self.clock(at));
        let parts = self.has.changed([
            ("felt", felt(&frame, shown.as_ref())),
            ("desk", desk(&frame, shown.as_ref())),
            ("log", beside::log(self.story.lines(), lang)),
            ("checked", html! { p id="checked" role="status" { (self.status()) } }),
            ("purse", self.purse()),
        ]);
        json!({ "parts": {
            "height": frame.height, "parts": parts, "drafts": self.drafts, "clock": clock, "wake": false, "asked": asked,
        } })
    }

    fn status(&self) -> String {
        match &self.now {
            _ if self.elsewhere => words::elsewhere(self.lang).to_owned(),
            Some((_, now)) => words::status(now, self.lang),
            None => String::new(),
        }
    }

    /// How much time whoever is to act has.
    fn clock(&self, at: Duration) -> Option<Value> {
        let (since, now) = self.now.as_ref()?;
        let turn = now.hand.as_ref()?.turn()?;
        let passed = u64::try_from(at.saturating_sub(*since).as_millis()).unwrap_or(u64::MAX);
        let left = now.left?.saturating_sub(passed);
        let whole = u64::from(now.ring.terms.action_timeout_secs).saturating_mul(1_000).max(left);
        Some(json!({ "left": left, "whole": whole, "mine": now.me == Some(turn) }))
    }

    /// Wallet and seat: what there is, and what can be done.
    fn purse(&self) -> Markup {
        let lang = self.lang;
        let button = |command: Value, label: &str, class: &str, sure: Option<&str>| {
            html! { button type="button" class=(class) data-command=(command) data-sure=[sure] { (label) } " " }
        };
        let Some((_, now)) = &self.now else { return html! { section id="purse" {} } };
        let mine = now.me.and_then(|me| Some((me, now.ring.player(me)?)));
        html! {
            section id="purse" {
                p { (lang.pick("In your wallet", "In deiner Wallet")) ": " strong class="coins" { (words::grouped(now.coins, lang)) }
                    @if let Some((_, player)) = mine { " · " (lang.pick("bond", "Pfand")) " " (words::grouped(player.bond, lang)) } }
                p class="actions" {
                    @if let Some((me, player)) = mine {
                        @if player.out.is_some() || player.leaving {
                            (button(json!({"back": {}}), lang.pick("Come back", "Wieder mitspielen"), "main", None))
                        } @else {
                            (button(json!({"out": {}}), lang.pick("Sit out", "Aussetzen"), "quiet", None))
                        }
                        @if let Ok(chips) = buying::rebuy(&now.ring, now.hand.as_ref(), me, now.coins) {
                            (button(json!({"rebuy": {"chips": chips.0}}), &words::buy(chips, lang), "quiet", None))
                        }
                        @if !player.leaving {
                            (button(json!({"stand": {}}), lang.pick("Leave the table", "Tisch verlassen"), "grave",
                                Some(lang.pick("Chips and bond go back to your wallet, after the hand if you are in one.", "Chips und Pfand gehen zurück in deine Wallet, nach der Hand, wenn du mitspielst."))))
                        }
                    } @else if !now.ring.free().is_empty() {
                        (button(json!({"sit": {}}), lang.pick("Sit down", "Hinsetzen"), "main", None))
                    }
                    (button(json!({"tables": {}}), lang.pick("All tables", "Alle Tische"), "quiet", None))
                }
                p class="dim" { (lang.pick("Table", "Tisch")) " " (self.number) " · " code { (words::short_address(&self.address)) } }
            }
        }
    }

    /// What a message of the page wants.
    pub(crate) fn hear(&mut self, message: &str, at: Duration) -> Result<Wanted, String> {
        let asked: Asked<Command> = serde_json::from_str(message).map_err(|why| why.to_string())?;
        let lang = self.lang;
        let not_now = || lang.pick("This cannot be done now.", "Das geht jetzt nicht.").to_owned();
        let own = self.now.as_ref().and_then(|(_, now)| now.hand.as_ref()).map(Hand::number).map(|n| self.own_of(n));
        let (own, names, looks) = (own.unwrap_or_default(), self.names(), self.looks(at));
        let pressed = match asked {
            Asked::Draft(draft) => {
                self.draft = Some(draft.get().to_owned());
                self.drafts += 1;
                return Ok(Wanted::Nothing);
            }
            Asked::Command(command) => return self.command(command).ok_or_else(not_now),
            Asked::Hint {} => return Err(not_now()),
            Asked::Press { key, height, draft } => {
                let board = self.board(looks, &own, &names).ok_or_else(not_now)?;
                board.at(height).and_then(|board| board.press(key, draft.as_deref().map(RawValue::get)))
            }
            Asked::Place { place, height, draft } => {
                let board = self.board(looks, &own, &names).ok_or_else(not_now)?;
                board.at(height).and_then(|board| board.place(place, draft.as_deref().map(RawValue::get)))
            }
        };
        match pressed {
            Ok(Pressed::Move(decided, kept)) => {
                self.draft = Some(kept);
                self.sent = self.turn();
                Ok(Wanted::Do(follow::Want::Decide(decided)))
            }
            Ok(Pressed::Draft(draft, said)) => {
                self.draft = Some(draft);
                Ok(said.map_or(Wanted::Nothing, |said| Wanted::Tell(json!({ "said": said }))))
            }
            Err(NotPressed::Refused(why)) => Err(why),
            Err(NotPressed::NotAsked | NotPressed::Height { .. }) => Err(not_now()),
        }
    }

    fn command(&mut self, command: Command) -> Option<Wanted> {
        Some(match command {
            Command::Ready { deal } => {
                if let Some(ended) = self.ended.as_mut().filter(|ended| ended.number <= deal) {
                    ended.seen = true;
                }
                Wanted::Nothing
            }
            Command::Stand {} => Wanted::Do(follow::Want::Leave),
            Command::Out {} => Wanted::Do(follow::Want::SitOut),
            Command::Back {} => Wanted::Do(follow::Want::Return),
            Command::Rebuy { chips } => Wanted::Do(follow::Want::Rebuy(Coins(chips))),
            Command::Sit {} => Wanted::Sit,
            Command::Tables {} => Wanted::Tables,
            Command::Say {} => return None,
        })
    }

    /// The turn on the table.
    fn turn(&self) -> Option<(u32, Height)> {
        let hand = self.now.as_ref()?.1.hand.as_ref()?;
        Some((hand.number(), hand.table().height()))
    }

    /// The hand that the person looks at.
    fn board<'a>(&'a self, looks: bool, own: &'a Faces, names: &'a [String]) -> Option<Board<'a, Holdem>> {
        let (_, now) = self.now.as_ref()?;
        let (lang, settings) = (self.lang, &self.settings);
        if let Some(ended) = self.ended.as_ref().filter(|_| looks) {
            let me = now.me.filter(|_| ended.mine);
            return Some(Board {
                lang,
                eye: me.map_or(Eye::Public, Eye::Seat),
                table: &ended.table,
                known: Known::with(ended.table.open(), &ended.own),
                settings,
                standing: &ended.standing,
                deal: ended.number,
                names,
                state: State::Over { outcome: &ended.outcome, ties: &[] },
            });
        }
        let (hand, playing) = (now.hand.as_ref()?, self.playing.as_ref()?);
        let me = now.me.filter(|me| hand.seats().contains(*me));
        Some(Board {
            lang,
            eye: me.map_or(Eye::Public, Eye::Seat),
            table: hand.table(),
            known: Known::with(hand.table().open(), own),
            settings,
            standing: &playing.standing,
            deal: hand.number(),
            names,
            state: State::Played(page::Now {
                awaited: self.awaited(now).players(),
                chosen: None,
                changeable: false,
                settled: None,
            }),
        })
    }

    /// Whom the table waits for. The person only if they have everything to decide on, and have not yet.
    fn awaited(&self, now: &Now) -> Awaited {
        let turn = now.hand.as_ref().and_then(Hand::turn);
        let ready = now.asked && self.sent != self.turn();
        turn.filter(|seat| now.me != Some(*seat) || ready).map_or(Awaited::Nothing, Awaited::Turn)
    }

    fn names(&self) -> Vec<String> {
        let now = self.now.as_ref().map(|(_, now)| now);
        let is_in = |seat: Seat| self.playing.as_ref().is_some_and(|playing| playing.begun.player(seat).is_some());
        let ended = |seat: Seat| self.ended.as_ref().is_some_and(|ended| ended.standing.total[seat] > Chips::ZERO);
        let name = |seat: Seat| {
            let taken = now.is_some_and(|now| now.ring.player(seat).is_some());
            if taken || is_in(seat) || ended(seat) { words::seat(seat, self.lang) } else { String::new() }
        };
        (0..SEATS).filter_map(Seat::new).map(name).collect()
    }

    fn frame(&self, looks: bool, names: &[String]) -> Frame {
        let now = self.now.as_ref().map(|(_, now)| now);
        let chair = |(seat, name): (Seat, &String)| {
            let player = now.and_then(|now| now.ring.player(seat));
            Chair {
                who: if player.is_some() { Who::Person } else { Who::Nobody },
                name: name.clone(),
                avatar: seat.index() % AVATARS + 1,
                absent: player.is_some_and(|player| player.out.is_some()),
                ..Chair::default()
            }
        };
        let chairs = (0..SEATS).filter_map(Seat::new).zip(names).map(chair).collect();
        let hand = now.and_then(|now| now.hand.as_ref());
        let in_it = |me: &Seat| match (&self.ended, hand) {
            (Some(ended), _) if looks => ended.mine,
            (_, Some(hand)) => hand.seats().contains(*me),
            (_, None) => true,
        };
        let me = now.and_then(|now| now.me).filter(in_it);
        Frame {
            me,
            stage: match (looks, hand) {
                (true, _) => Stage::Between,
                (false, Some(_)) => Stage::Deal,
                (false, None) => Stage::Gathering,
            },
            deal: hand.map_or(0, Hand::number),
            ended: self.ended.as_ref().map_or(0, |ended| ended.number),
            height: hand.map(|hand| hand.table().height()).unwrap_or_default(),
            awaited: now.map_or(Awaited::Nothing, |now| self.awaited(now)),
            looking: me.filter(|_| looks).map_or(Seats::NONE, Seats::one),
            ..Frame::new(self.lang, AnyGame::Holdem, chairs)
        }
    }
}

/// Who has how much.
fn standing(stack: impl Fn(Seat) -> Option<Coins>) -> Standing {
    let total = PerSeat::from_fn(SEATS, |seat| stack(seat).and_then(Coins::chips).unwrap_or(Chips::ZERO));
    Standing::ranked(total, false, |a, b| total[a] > total[b])
}

/// Whether the validators are dealing.
pub(crate) fn is_dealt(hand: &Hand) -> bool {
    matches!(hand.table().awaiting(), Awaiting::Dealer)
}
