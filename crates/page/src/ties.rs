//! Tie-breaks in words: why one player is ranked above another with the same total.

use ::table::TieBreak;

use crate::Lang;

/// Why a player is ranked above the next one, shown next to the name.
pub(super) fn text(tie: TieBreak, lang: Lang) -> String {
    let (english, german) = match tie {
        TieBreak::Stayed => ("ahead of a player who left".to_owned(), "vor einem Spieler, der gegangen ist".to_owned()),
        TieBreak::OutLater => ("out later".to_owned(), "später ausgeschieden".to_owned()),
        TieBreak::HadMore(more, less) => (
            format!("tie-break: {more} to {less} before the last deal"),
            format!("Gleichstand: vor dem letzten Spiel {more} gegen {less}"),
        ),
        TieBreak::ExactBids(more, fewer) => (
            format!("tie-break: {more} exact bids to {fewer}"),
            format!("Gleichstand: {more} genaue Ansagen gegen {fewer}"),
        ),
        TieBreak::Deal(number, more, less) => (
            format!("tie-break: {more} to {less} in deal {number}"),
            format!("Gleichstand: {more} gegen {less} in Spiel {number}"),
        ),
        TieBreak::ExtraRounds => ("decided in extra rounds".to_owned(), "durch die Zusatzrunden".to_owned()),
    };
    match lang {
        Lang::En => english.replacen(": 1 exact bids", ": 1 exact bid", 1),
        Lang::De => german.replacen(": 1 genaue Ansagen", ": 1 genaue Ansage", 1),
    }
}

#[cfg(test)]
mod tests {
    use ::table::Chips;

    use super::*;

    #[test]
    fn a_tie_break_says_what_decided() {
        let both = |tie| Lang::ALL.map(|lang| text(tie, lang));
        let exact = ["tie-break: 5 exact bids to 3", "Gleichstand: 5 genaue Ansagen gegen 3"];
        assert_eq!(both(TieBreak::ExactBids(5, 3)), exact);
        assert_eq!(both(TieBreak::ExactBids(1, 0))[1], "Gleichstand: 1 genaue Ansage gegen 0");
        let last = ["tie-break: 12 to 0 in deal 7", "Gleichstand: 12 gegen 0 in Spiel 7"];
        assert_eq!(both(TieBreak::Deal(7, Chips(12), Chips(0))), last);
    }
}
