//! The cards that a file knows, wherever in it they stand.
//!
//! A hand that was dealt as `????` may be shown at the end, and the rest of a board is opened here in one
//! step, so all cards are gathered before the hand is played.

use cards::{Card, CardSet};

use super::notation::{Maybe, Play, Player};
use super::{PhhError, PhhHand, Reason};

/// All cards of a hand, as far as the file knows them.
#[derive(Clone, Debug)]
pub(super) struct Cards {
    /// By player.
    holes: Vec<[Maybe; 2]>,
    pub(super) board: Vec<Card>,
    /// Players who put their cards away at the end.
    mucks: Vec<Player>,
    /// Players who never fold, where there are several: they reach the showdown.
    stay: Vec<Player>,
}

impl Cards {
    pub(super) fn of(hand: &PhhHand) -> Result<Self, PhhError> {
        let mut holes: Vec<Vec<Maybe>> = vec![Vec::new(); hand.players()];
        let mut shown: Vec<(usize, Player, &[Maybe])> = Vec::new();
        let (mut board, mut mucks) = (Vec::new(), Vec::new());
        for (index, line) in hand.lines.iter().enumerate() {
            let wrong = |reason| hand.error_at(index, reason);
            match &line.play {
                Play::Hole(player, cards) => {
                    let Some(hole) = holes.get_mut(player.index()) else { continue };
                    hole.extend(cards);
                    if hole.len() > 2 {
                        return Err(wrong(Reason::TooManyCards));
                    }
                }
                Play::Board(cards) => {
                    let known: Option<Vec<Card>> = cards.iter().copied().collect();
                    board.extend(known.ok_or_else(|| wrong(Reason::UnknownBoard))?);
                    if board.len() > 5 {
                        return Err(wrong(Reason::TooManyCards));
                    }
                }
                Play::Show(player, cards) if !cards.is_empty() => shown.push((index, *player, cards)),
                Play::Muck(player) => mucks.push(*player),
                Play::Fold(_) | Play::CheckOrCall(_) | Play::RaiseTo(..) | Play::Show(..) | Play::Nothing => {}
            }
        }
        let two = |hole: &Vec<Maybe>| [hole.first().copied().flatten(), hole.get(1).copied().flatten()];
        let folds = |player: &Player| hand.lines.iter().any(|line| line.play == Play::Fold(*player));
        let mut stay: Vec<Player> = (0..).map(Player).take(hand.players()).filter(|player| !folds(player)).collect();
        if stay.len() < 2 {
            stay.clear();
        }
        let mut cards = Self { holes: holes.iter().map(two).collect(), board, mucks, stay };
        for (index, player, shown) in shown {
            cards.show(player, shown).map_err(|reason| hand.error_at(index, reason))?;
        }
        cards.check_twice(hand)?;
        Ok(cards)
    }

    /// The two cards of a player.
    pub(super) fn hole(&self, player: Player) -> [Maybe; 2] {
        self.holes.get(player.index()).copied().unwrap_or_default()
    }

    /// Are both cards of this player known?
    pub(super) fn knows(&self, player: Player) -> bool {
        self.hole(player).iter().all(Option::is_some)
    }

    /// Does this player say so, and put away cards that nobody knows?
    pub(super) fn puts_away(&self, player: Player) -> bool {
        self.mucks.contains(&player) && !self.knows(player)
    }

    /// Does this player muck: put away cards that nobody knows, or reach the showdown with cards of which nobody ever
    /// knew one?
    pub(super) fn mucks(&self, player: Player) -> bool {
        let unseen = self.hole(player) == [None; 2] && self.stay.contains(&player);
        unseen || self.puts_away(player)
    }

    /// Does anybody?
    pub(super) fn anybody_mucks(&self) -> bool {
        self.mucks.iter().chain(&self.stay).any(|player| self.mucks(*player))
    }

    /// What a player shows fills in what was unknown, and may not be anything else than was dealt.
    fn show(&mut self, player: Player, shown: &[Maybe]) -> Result<(), Reason> {
        if shown.len() != 2 {
            return Err(if shown.len() > 2 { Reason::TooManyCards } else { Reason::NotALine });
        }
        let Some(hole) = self.holes.get_mut(player.index()) else { return Ok(()) };
        for card in shown.iter().flatten() {
            if hole.contains(&Some(*card)) {
                continue;
            }
            let unknown = hole.iter_mut().find(|place| place.is_none()).ok_or(Reason::OtherCards(player))?;
            *unknown = Some(*card);
        }
        Ok(())
    }

    fn check_twice(&self, hand: &PhhHand) -> Result<(), PhhError> {
        let mut seen = CardSet::default();
        for card in self.holes.iter().flatten().flatten().chain(&self.board) {
            if !seen.insert(*card) {
                let names = |cards: &[Maybe]| cards.contains(&Some(*card));
                let last = hand.lines.iter().rposition(|line| match &line.play {
                    Play::Hole(_, cards) | Play::Board(cards) | Play::Show(_, cards) => names(cards),
                    _ => false,
                });
                return Err(hand.error_at(last.unwrap_or_default(), Reason::CardTwice(*card)));
            }
        }
        Ok(())
    }
}
