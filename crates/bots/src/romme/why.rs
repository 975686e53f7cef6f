//! Reasons for a move in Rommé.

use core::fmt;

use cards::Card;
use games::romme::{self, Action, Play};

use super::hard::{Decided, counted};
use super::layout::Layout;
use super::seen::bits;
use super::shapes::face;
use super::thought::Thought;
use super::worth::around;

/// A reason for a piece of advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A joker is never left on the pile.
    Joker,
    /// A card completes a meld.
    Completes {
        /// Which.
        card: Card,
        /// How many cards the meld has.
        cards: u8,
    },
    /// A card fits a meld on the table.
    Fits {
        /// Which.
        card: Card,
    },
    /// A card is of no use.
    NoUse {
        /// Which.
        card: Card,
    },
    /// A card would be useful, but an unknown one is worth more.
    Rather {
        /// Which.
        card: Card,
    },
    /// Drawing from the stock ends the round.
    Blocks {
        /// The points in hand.
        points: u16,
    },
    /// The seat goes out.
    GoesOut {
        /// The factor on the others' points.
        times: u8,
    },
    /// The melds are enough to open.
    Opens {
        /// Their points.
        points: u16,
        /// The points needed.
        need: u16,
    },
    /// Cards that are laid no longer count.
    Relieves {
        /// Points.
        points: u16,
    },
    /// It is better to keep the melds for now.
    HoldsBack {
        /// In how many of 100 cases the next card lets the seat go out in one go.
        out: u8,
        /// In how many of 100 cases another player goes out first.
        risk: u8,
    },
    /// A card goes with no other card in hand.
    Alone {
        /// Which.
        card: Card,
        /// Its points.
        points: u16,
    },
    /// Most cards that would complete a half are gone.
    FewOuts {
        /// The card.
        card: Card,
        /// The other card of the half.
        with: Card,
        /// How many unseen cards would complete them.
        outs: u8,
    },
    /// The next player hardly needs a card.
    Safe {
        /// Which.
        card: Card,
        /// In how many of 100 cases they make a meld with it.
        percent: u8,
    },
    /// A card is kept because the next player could use it.
    Dangerous {
        /// Which.
        card: Card,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joker => f.write_str("a joker fits everywhere"),
            Self::Completes { card, cards } => write!(f, "{card} completes a meld of {cards} cards"),
            Self::Fits { card } => write!(f, "{card} fits a meld on the table"),
            Self::NoUse { card } => write!(f, "your best melds do not need {card}"),
            Self::Rather { card } => write!(f, "an unknown card is worth more to your hand than {card}"),
            Self::Blocks { points } => {
                write!(f, "drawing from the draw pile ends the round, and you hold {points} points")
            }
            Self::GoesOut { times: 1 } => f.write_str("you go out"),
            Self::GoesOut { times: 2 } => f.write_str("you go out in one go, so the others' points count double"),
            Self::GoesOut { .. } => f.write_str("you go out on your first turn, so the others' points count triple"),
            Self::Opens { points, need } => {
                write!(f, "your melds are worth {points} points, and you need {need} to open")
            }
            Self::Relieves { points } => write!(f, "it takes {points} points out of your hand"),
            Self::HoldsBack { out: 0, risk } => {
                write!(
                    f,
                    "nobody goes out before your next turn in {} % of cases, and going out in one go counts double",
                    100 - risk.min(&100)
                )
            }
            Self::HoldsBack { out, risk } => {
                write!(
                    f,
                    "going out in one go counts double: the next card allows it in {out} % of cases, while another player goes out first in {risk} %"
                )
            }
            Self::Alone { card, points } => write!(f, "{card} goes with none of your cards and costs {points} points"),
            Self::FewOuts { card, with, outs: 0 } => {
                write!(f, "no unseen card would complete {card} {with}")
            }
            Self::FewOuts { card, with, outs: 1 } => write!(f, "only one unseen card would complete {card} {with}"),
            Self::FewOuts { card, with, outs } => write!(f, "only {outs} unseen cards would complete {card} {with}"),
            Self::Safe { card, percent } => {
                write!(f, "the next player makes a meld with {card} in only {percent} % of cases")
            }
            Self::Dangerous { card } => write!(f, "the next player could add {card} to a meld on the table"),
        }
    }
}

impl Thought<'_> {
    /// The cards to lay, with the reasons.
    pub(super) fn told(&self, play: &Play, layout: &Layout, action: Action) -> Decided {
        let mut why = Vec::new();
        if layout.out {
            why.push(Why::GoesOut { times: self.times });
        }
        let points = self.laid_by(play, &action);
        match &action {
            Action::Meld(_) if !play.opened() => {
                why.push(Why::Opens { points: counted(&layout.melds), need: self.scene.need });
            }
            Action::LayOff { cards, .. } => {
                let first = cards.first().and_then(|laid| face(play, laid.slot));
                why.extend(first.map(|card| Why::Fits { card }));
            }
            Action::DrawStock | Action::DrawDiscard | Action::Meld(_) | Action::Swap { .. } | Action::Discard(_) => {}
        }
        if !layout.out && points > 0 {
            why.push(Why::Relieves { points });
        }
        (action, why)
    }

    /// The points that leave the hand.
    fn laid_by(&self, play: &Play, action: &Action) -> u16 {
        let slots: Vec<_> = match action {
            Action::Meld(melds) => melds.iter().flatten().map(|laid| laid.slot).collect(),
            Action::LayOff { cards, .. } => cards.iter().map(|laid| laid.slot).collect(),
            Action::Swap { card, then, .. } => then.cards().iter().map(|laid| laid.slot).chain([*card]).collect(),
            Action::DrawStock | Action::DrawDiscard | Action::Discard(_) => Vec::new(),
        };
        slots.into_iter().filter_map(|slot| face(play, slot)).map(romme::in_hand).sum()
    }

    /// Why this card is discarded.
    pub(super) fn why_thrown(&self, play: &Play, card: Card) -> Vec<Why> {
        let pool = play.pool();
        if play.hand().count() == 1 {
            return vec![Why::GoesOut { times: self.times }];
        }
        let mut why = Vec::new();
        let held = bits(around(card)).filter(|other| pool.count(*other) > 0);
        let nearest = held.map(|with| (self.scene.outs(card, with), with)).max_by_key(|(outs, _)| *outs);
        let in_meld = pool.melds_with(card).next().is_some();
        match nearest {
            _ if in_meld => {}
            None => why.push(Why::Alone { card, points: romme::in_hand(card) }),
            Some((outs, with)) => why.push(Why::FewOuts { card, with, outs }),
        }
        if let Some(next) = &self.next {
            let wanted = (next.wants(card, &self.scene.unseen) * 100.0).round() as u8;
            if wanted <= 15 && !next.can_add(card, &self.scene.spots) {
                why.push(Why::Safe { card, percent: wanted });
            }
        }
        // The discard of a player who ignores the others.
        let careless = self.best_discard(play, |_, _| 0.0).and_then(|held| held.card).filter(|other| *other != card);
        let helps = |other: &Card| self.next.as_ref().is_some_and(|next| next.can_add(*other, &self.scene.spots));
        why.extend(careless.filter(helps).map(|card| Why::Dangerous { card }));
        why
    }
}
