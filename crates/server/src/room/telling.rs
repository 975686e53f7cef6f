//! What is shown of a match: scenes for one viewer, and the log in words.

use table::{Eye, Known, Rules, Seat, Seats};

use super::playing::{Awaited, Ended, Made, Playing};
use crate::lang::{Lang, Said};
use crate::page::{MoveOf, Page, Scene};

impl<G: Page> Playing<G> {
    /// Calls `f` with what a viewer sees of the deal on the table.
    pub(crate) fn scene<T>(&self, eye: Eye, lang: Lang, f: impl FnOnce(&Scene<'_, G>) -> T) -> T {
        self.scene_for(eye, lang, false, f)
    }

    /// The same; a viewer who is `changing` their choice has the same moves as before it.
    pub(super) fn scene_for<T>(&self, eye: Eye, lang: Lang, changing: bool, f: impl FnOnce(&Scene<'_, G>) -> T) -> T {
        let (table, known) = (self.running.table(), self.known_to(eye));
        let view = table.rules().view(known, eye);
        let awaited = self.awaited().seats();
        let chosen = self.chosen_by(eye);
        let asked = match (self.awaited(), eye) {
            (Awaited::Turn(_) | Awaited::Choices(_), Eye::Seat(seat)) if awaited.contains(seat) => Some(seat),
            (Awaited::Choices(_), Eye::Seat(seat)) if changing && chosen.is_some() => Some(seat),
            _ => None,
        };
        let moves = asked.map(|seat| table.rules().moves(known, seat));
        f(&Scene {
            lang,
            eye,
            view: &view,
            moves: moves.as_ref(),
            chosen,
            awaited,
            table,
            known,
            settings: &self.settings,
            settled: self.settled.as_ref().filter(|_| self.lingers()).map(|settled| &settled.view),
            standing: &self.standing,
            deal: self.running.deals(),
            names: &self.names,
        })
    }

    /// Calls `f` with what a viewer sees of the deal that ended last.
    pub(crate) fn last_scene<T>(
        &self,
        eye: Eye,
        lang: Lang,
        f: impl FnOnce(&Scene<'_, G>, &Ended<G>) -> T,
    ) -> Option<T> {
        let ended = self.ended.as_deref()?;
        let known = match eye {
            Eye::Seat(seat) => match ended.own.get(usize::from(seat.index())) {
                Some(own) => Known::with(ended.table.open(), own),
                None => Known::public(ended.table.open()),
            },
            Eye::Public => Known::public(ended.table.open()),
        };
        let view = ended.table.rules().view(known, eye);
        let scene = Scene {
            lang,
            eye,
            view: &view,
            moves: None,
            chosen: None,
            awaited: Seats::NONE,
            table: &ended.table,
            known,
            settings: &self.settings,
            settled: None,
            standing: &ended.after,
            deal: ended.deal,
            names: &self.names,
        };
        Some(f(&scene, ended))
    }

    /// A seat's move in words, and why it was made for it, if it was.
    pub(super) fn tell_move(&mut self, before: &<G::Rules as Rules>::View, seat: Seat, a_move: &MoveOf<G>, made: Made) {
        let said = Said::each(|lang| {
            let done = self.scene(Eye::Public, lang, |scene| G::phrase(before, scene, seat, a_move));
            match made {
                Made::Freely => done,
                Made::TimeUp => format!("{done} ({})", lang.pick("time was up", "Zeit abgelaufen")),
                Made::Away => format!("{done} ({})", lang.pick("away", "abwesend")),
            }
        });
        if let Some(chronicle) = &mut self.chronicle {
            chronicle.say(Some(seat), said);
        }
    }

    /// Other events, in words.
    pub(super) fn tell_news(&mut self, before: &<G::Rules as Rules>::View) {
        if self.chronicle.is_none() {
            return;
        }
        let lines = Lang::ALL.map(|lang| self.scene(Eye::Public, lang, |scene| G::news(before, scene)));
        self.tell(lines);
    }

    /// How the deal ended, in words.
    pub(super) fn tell_closing(&mut self) {
        let close = |lang| self.last_scene(Eye::Public, lang, |scene, ended| G::closing(scene, &ended.outcome));
        let lines = Lang::ALL.map(|lang| close(lang).unwrap_or_default());
        // The page also shows some of these, as separate sentences.
        self.tell(lines.map(|lines| lines.iter().map(|line| line.trim_end_matches('.').to_owned()).collect()));
    }

    /// The same lines in both languages.
    fn tell(&mut self, [english, german]: [Vec<String>; 2]) {
        let Some(chronicle) = &mut self.chronicle else { return };
        for (english, german) in english.into_iter().zip(german) {
            chronicle.say(None, Said::each(|lang| lang.pick(&english, &german).to_owned()));
        }
    }
}
