//! A record, cut to what one reader may know.

use serde_json::value::RawValue;
use table::Seat;
use table::record::Line;

use super::Refusal;

/// The record without the cards dealt to other seats; for the public, without any dealt cards.
///
/// Every line must be one that a record can have: a line that is not understood is not passed on.
///
/// # Errors
/// Fails if a line does not belong in a record.
pub fn cut(record: &str, seat: Option<Seat>) -> Result<String, Refusal> {
    type Any = Box<RawValue>;
    let mut known = String::with_capacity(record.len());
    for text in record.lines() {
        let line: Line<Any, Any, Any> = serde_json::from_str(text).map_err(|_| Refusal::Damaged("the record"))?;
        match line {
            Line::Dealt(mut dealt) if !dealt.private.is_empty() => {
                dealt.private.retain(|owner, _| Some(*owner) == seat);
                let line = serde_json::to_string(&Line::<(), (), ()>::Dealt(dealt));
                known.push_str(&line.map_err(|_| Refusal::Damaged("the record"))?);
            }
            Line::Fairdeal(_)
            | Line::Deal(_)
            | Line::Evidence(_)
            | Line::Dealt(_)
            | Line::Act(_)
            | Line::Choices(_)
            | Line::Gone(_)
            | Line::Broken(_)
            | Line::End(_) => known.push_str(text),
        }
        known.push('\n');
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"fairdeal":{"format":1,"game":"holdem","players":3,"dealer":"house"}}"#;
    const DEALT: &str =
        r#"{"dealt":{"height":1,"open":{"0:9":"2C"},"private":{"0":{"0:0":"AH"},"1":{"0:1":"KD"},"2":{"0:2":"7S"}}}}"#;
    const ACT: &str = r#"{"act":{"height":2,"seat":0,"action":{"raise_to":40},"open":{"0:0":"AH"}}}"#;

    fn record() -> String {
        format!("{HEADER}\n{DEALT}\n{ACT}\n")
    }

    #[test]
    fn a_seat_gets_its_own_cards_and_nobody_elses() {
        let mine = cut(&record(), Seat::new(1)).unwrap();
        assert!(mine.contains(r#""private":{"1":{"0:1":"KD"}}"#), "{mine}");
        assert!(!mine.contains("7S") && mine.matches("AH").count() == 1, "{mine}");
        assert!(mine.contains("2C") && mine.contains(ACT) && mine.starts_with(HEADER));
    }

    #[test]
    fn the_public_gets_open_cards_only() {
        let public = cut(&record(), None).unwrap();
        assert!(!public.contains("private") && !public.contains("KD") && !public.contains("7S"), "{public}");
        assert_eq!(public.lines().count(), 3);
    }

    #[test]
    fn unknown_lines_are_not_passed_on() {
        let odd = format!("{HEADER}\n{{\"dealt2\":{{\"private\":{{}}}}}}\n");
        assert_eq!(cut(&odd, None), Err(Refusal::Damaged("the record")));
        let odd = format!("{HEADER}\nAH\n");
        assert_eq!(cut(&odd, None), Err(Refusal::Damaged("the record")));
    }
}
