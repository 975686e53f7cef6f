//! Licence expressions as SPDX writes them: `(MIT OR Apache-2.0) AND Unicode-3.0`. `AND` binds more tightly than
//! `OR`; older manifests write `/` for `OR`.

use std::collections::BTreeSet;
use std::iter::Peekable;

/// Whether somebody who keeps to the allowed licences may use what is licensed so. What is no expression is not met.
pub(super) fn is_met(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any(&mut words, allowed);
    met == Some(true) && words.next().is_none()
}

fn any<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>, allowed: &BTreeSet<&str>) -> Option<bool> {
    let mut met = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        met |= all(words, allowed)?;
    }
    Some(met)
}

fn all<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>, allowed: &BTreeSet<&str>) -> Option<bool> {
    let mut met = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, allowed)?;
    }
    Some(met)
}

fn one<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>, allowed: &BTreeSet<&str>) -> Option<bool> {
    let name = words.next()?;
    if name == "(" {
        let met = any(words, allowed)?;
        return (words.next()? == ")").then_some(met);
    }
    if [")", "AND", "OR", "WITH"].contains(&name) {
        return None;
    }
    // An exception makes another licence of it.
    if words.next_if_eq(&"WITH").is_some() {
        let exception = words.next()?;
        return Some(allowed.contains(&*format!("{name} WITH {exception}")));
    }
    Some(allowed.contains(name))
}
