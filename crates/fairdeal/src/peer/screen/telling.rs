//! What happens between the players' computers, in plain words.

use ::peer::{Fault, Why, Wrong};
use dealers::joint::Why as Misdeed;
use table::Seat;

use super::status::name;

/// A player's program did not answer in time.
pub(super) fn late(names: &[String], seat: Seat, me: Option<Seat>) -> String {
    if me == Some(seat) {
        return "Your computer did not answer in time. You are out of this deal and play on in the next one."
            .to_owned();
    }
    format!("{} did not answer in time and is out of this deal.", name(names, seat))
}

/// A player who was late is back.
pub(super) fn back(names: &[String], seat: Seat) -> String {
    format!("{} is back and plays again from the next deck on.", name(names, seat))
}

/// A player gave the match up.
pub(super) fn left(names: &[String], seat: Seat) -> String {
    format!("{} has left the table and concedes the match.", name(names, seat))
}

/// A player did something wrong; everybody can look it up.
pub(super) fn fault(names: &[String], fault: &Fault) -> String {
    let who = name(names, fault.seat);
    let what = match &fault.what {
        Wrong::Seed => format!("{who} opened another seed than the one they had committed to"),
        Wrong::Claim => format!("{who} said something about their cards that was not true"),
        Wrong::Signature => format!("{who} signed something else than the result of this match"),
        Wrong::Dealing(why) => dealing(&who, why),
    };
    format!("{what}. Entry {} of the log proves it.", fault.height)
}

fn dealing(who: &str, why: &Misdeed) -> String {
    match why {
        Misdeed::BadKey => format!("{who} sent a key without a valid proof"),
        Misdeed::BadDealing(_) | Misdeed::BadShareDealt { .. } => format!("{who} cheated when the keys were made"),
        Misdeed::FalseComplaint { .. } => format!("{who} accused another player falsely when the keys were made"),
        Misdeed::BadShuffle(_) => format!("{who} did not shuffle honestly: the proof is wrong"),
        Misdeed::BadShares(_) | Misdeed::WrongCount { .. } => {
            format!("{who} did not help to deal honestly: the proof is wrong")
        }
        Misdeed::NotItsCard => format!("{who} tried to show a card of another player"),
        Misdeed::BadReveal => format!("{who} revealed another choice than the one they had committed to"),
        Misdeed::Illegal(why) => format!("{who} tried a move against the rules: {why}"),
    }
}

/// Why a match ended, as a heading and, if it did not end as it should, what that means.
pub(super) fn why(names: &[String], why: Why) -> (&'static str, Option<String>) {
    match why {
        Why::Over => ("The match is over", None),
        Why::NotBegun { seat } => {
            let who = name(names, seat);
            ("The match has not begun", Some(format!("{who} did not open the seed for it. Nobody has lost anything.")))
        }
        Why::Abandoned => {
            let means = "Too few players were left. The standing after the last finished deal counts.";
            ("The match was abandoned", Some(means.to_owned()))
        }
        Why::Disputed { by, seat } => {
            let accuser = Seat::new(by).map_or_else(String::new, |seat| name(names, seat));
            let means = format!(
                "Only {accuser}, who runs the hub, says that {} was late. That proves nothing, so nobody wins or loses.",
                name(names, seat)
            );
            ("The match is disputed", Some(means))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["Anna", "Bert"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_fault_names_its_author_and_where_it_can_be_looked_up() {
        let seat = Seat::new(1).unwrap();
        let told = |what| fault(&names(), &Fault { seat, height: 70, what });
        assert_eq!(
            told(Wrong::Seed),
            "Bert opened another seed than the one they had committed to. Entry 70 of the log proves it."
        );
        assert_eq!(
            told(Wrong::Dealing(Misdeed::NotItsCard)),
            "Bert tried to show a card of another player. Entry 70 of the log proves it."
        );
    }

    #[test]
    fn a_disputed_match_says_who_accuses_whom_and_what_it_means() {
        let (title, means) = why(&names(), Why::Disputed { by: 0, seat: Seat::new(1).unwrap() });
        assert_eq!(title, "The match is disputed");
        let means = means.unwrap();
        assert!(
            means.contains("Anna, who runs the hub, says that Bert was late") && means.contains("nobody"),
            "{means}"
        );
    }
}
