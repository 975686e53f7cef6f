//! The tags of a page, as a browser reads them.
//!
//! Browsers read almost anything. This reads what this program writes, and refuses everything else, so that it never sees
//! less than a browser does: whatever is a tag to a browser is a tag here. In some elements, such as `title`, browsers read
//! no tags; the same text is read as tags here, which finds more and hides nothing, because no value has `<` or `>` in it.

/// A tag that begins an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tag {
    /// Its name, in small letters.
    pub(super) name: String,
    /// Its attributes, in small letters, with their values as they are written.
    attributes: Vec<(String, Option<String>)>,
    /// Nothing is in the element: its end follows at once.
    pub(super) is_empty: bool,
}

/// A place in a page that this program would not have written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unreadable(pub(super) String);

impl Tag {
    /// The value of an attribute; `Some(None)` if it has none.
    pub(super) fn value(&self, name: &str) -> Option<Option<&str>> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_deref())
    }

    /// The names of its attributes.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|(name, _)| name.as_str())
    }
}

/// Everything that begins an element, in order.
pub(super) fn tags(page: &str) -> Result<Vec<Tag>, Unreadable> {
    const DOCTYPE: &str = "<!doctype html>";
    let mut rest = match page.get(..DOCTYPE.len()) {
        Some(begin) if begin.eq_ignore_ascii_case(DOCTYPE) => &page[DOCTYPE.len()..],
        _ => page,
    };
    let mut tags = Vec::new();
    while let Some((_, after)) = rest.split_once('<') {
        let unreadable = || Unreadable(after.chars().take(40).collect());
        rest = match after.strip_prefix('/') {
            Some(end) => {
                let (_, end) = name(end).ok_or_else(unreadable)?;
                end.trim_ascii_start().strip_prefix('>').ok_or_else(unreadable)?
            }
            None => {
                let (tag, end) = tag(after).ok_or_else(unreadable)?;
                tags.push(tag);
                end
            }
        };
    }
    Ok(tags)
}

/// A tag, without its `<`, and what follows.
fn tag(text: &str) -> Option<(Tag, &str)> {
    let (name, mut rest) = name(text)?;
    let mut attributes = Vec::new();
    loop {
        let after = rest.trim_ascii_start();
        if let Some(end) = after.strip_prefix('>') {
            let begin = end.get(..name.len() + 3).map(str::to_ascii_lowercase);
            let is_empty = begin.is_some_and(|begin| begin == format!("</{name}>"));
            return Some((Tag { name, attributes, is_empty }, end));
        }
        // There is a space between attributes.
        if after.len() == rest.len() {
            return None;
        }
        let (attribute, end) = attribute(after)?;
        if attributes.iter().any(|(own, _)| *own == attribute.0) {
            return None;
        }
        attributes.push(attribute);
        rest = end;
    }
}

/// An attribute without a value, or with one in double quotes, and what follows.
fn attribute(text: &str) -> Option<((String, Option<String>), &str)> {
    let (name, rest) = name(text)?;
    let Some(value) = rest.strip_prefix('=') else { return Some(((name, None), rest)) };
    let (value, rest) = value.strip_prefix('"')?.split_once('"')?;
    (!value.contains(['<', '>', '\0'])).then(|| ((name, Some(value.to_owned())), rest))
}

/// A name in small letters, and what follows.
fn name(text: &str) -> Option<(String, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == ':')).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| (name.to_ascii_lowercase(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_their_attributes() {
        let page = "<!DOCTYPE html><P>a &lt; b</P ><SCRIPT Type=\"module\"\n SRC=\"/x.js\"></script><p hidden>é";
        let read = tags(page).unwrap();
        let names: Vec<_> = read.iter().map(|tag| (tag.name.as_str(), tag.is_empty)).collect();
        assert_eq!(names, [("p", false), ("script", true), ("p", false)]);
        assert_eq!(read[1].value("src"), Some(Some("/x.js")));
        assert_eq!((read[2].value("hidden"), read[2].value("src")), (Some(None), None));
        assert_eq!(read[1].names().collect::<Vec<_>>(), ["type", "src"]);
        assert!(!tags("<script src=\"/x.js\">1</script>").unwrap()[0].is_empty);
    }

    #[test]
    fn what_this_program_does_not_write_is_not_read() {
        for page in [
            "<script src=/x.js>",
            "<script src='/x.js'>",
            "<script src = \"/x.js\">",
            "<script data-src=\"/a.js\" src=/x.js>",
            "<script src=\"/a.js\" SRC=\"/x.js\">",
            "<script src=\"/a.js\"src=\"/x.js\">",
            "<script/src=\"/x.js\">",
            "<br/>",
            "<script src=\"/a.js",
            "<script src=\"/a.js\"",
            "<",
            "a < b",
            "<!-- <p> -->",
            "<p><!doctype html>",
            "<![CDATA[x]]>",
            "<?xml?>",
            "</ p>",
            "</p x>",
            "</>",
            // In a title, a browser sees the end of it and then a script.
            "<title><a b=\"</title><script src='/x.js'></script>\"></a>",
            "<title><a b=\"></title><script src=\"/x.js\"></script>",
            "<p \u{0}x>",
        ] {
            assert!(tags(page).is_err(), "{page}");
        }
    }
}
