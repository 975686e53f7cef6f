//! Which parts of a page have changed.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped};

/// The parts of a page as a browser has them, by name.
#[derive(Clone, Debug, Default)]
pub struct Parts(BTreeMap<&'static str, String>);

impl Parts {
    /// The parts that differ from what the browser has, in this order. It has them from now on.
    pub fn changed<const N: usize>(&mut self, now: [(&'static str, Markup); N]) -> Vec<String> {
        let mut changed = Vec::new();
        for (name, PreEscaped(html)) in now {
            let had = self.0.entry(name).or_default();
            if *had != html {
                had.clone_from(&html);
                changed.push(html);
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn only_what_has_changed_is_sent_again() {
        let mut parts = Parts::default();
        let page = |chips: u32| [("felt", html! { p { (chips) } }), ("log", html! { ol {} })];
        assert_eq!(parts.changed(page(1)), ["<p>1</p>", "<ol></ol>"]);
        assert_eq!(parts.changed(page(1)), Vec::<String>::new());
        assert_eq!(parts.changed(page(2)), ["<p>2</p>"]);
    }
}
