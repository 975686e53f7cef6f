//! Who makes a request: a key in a cookie, created on the first visit.
//!
//! Anyone who has the key is that player, in every tab and after every disconnect. The server stores only a hash of
//! it. Preferences (language, colours, sounds) are in separate cookies.
//!
//! Over https the cookie's name begins with `__Host-`: browsers then accept it from exactly this host only, and not
//! from another site of the same domain, or over http. If several cookies have the name, those that are not keys are
//! skipped, and a key that is known here takes precedence over one that is not.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, COOKIE, HeaderValue};
use axum::http::request::Parts;

use super::address::{Address, Secured};
use super::here::Here;
use super::{Failure, Site};
use crate::clock::now;
use crate::hub::random;
use crate::ids::{Key, Millis, PlayerId};
use crate::room::{AVATARS, Face};
use crate::store::Player;
use page::Lang;

/// The cookie with the key, over http and over https.
const KEY: &str = "fairdeal";
const HOST_KEY: &str = "__Host-fairdeal";
/// The most keys that are tried.
const MOST_KEYS: usize = 4;
/// The cookie with the language.
pub(crate) const LANG: &str = "lang";
/// The cookie with the display preferences: words, separated by dots.
pub(crate) const LOOK: &str = "look";
/// How long a browser keeps them: about a year, renewed at every visit.
const SECONDS: u32 = 34_000_000;

/// How often a visit is recorded, in milliseconds: once a day, and not on every request.
const SEEN: i64 = 86_400_000;

/// A visitor.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// The player.
    pub(crate) player: PlayerId,
    /// Their address.
    pub(crate) from: Address,
    /// Their name and picture.
    pub(crate) face: Face,
    /// Their language.
    pub(crate) lang: Lang,
    /// Their display preferences.
    pub(crate) look: Look,
    /// Their key, if it has just been created and must be sent to them.
    pub(crate) new: Option<Key>,
    /// The name they use for this site.
    pub(crate) here: Here,
    /// Whether the request comes over https.
    pub(crate) secured: Secured,
}

/// Display preferences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Look {
    /// `None` follows the system.
    pub(crate) dark: Option<bool>,
    pub(crate) four_colors: bool,
    pub(crate) large: bool,
    pub(crate) mute: bool,
}

impl Look {
    pub(crate) fn read(text: &str) -> Self {
        let has = |word: &str| text.split('.').any(|one| one == word);
        Self {
            dark: if has("dark") {
                Some(true)
            } else if has("light") {
                Some(false)
            } else {
                None
            },
            four_colors: has("four"),
            large: has("large"),
            mute: has("mute"),
        }
    }

    /// The form in a cookie, and as classes of the page.
    pub(crate) fn words(self, between: &str) -> String {
        let dark = self.dark.map(|dark| if dark { "dark" } else { "light" });
        let flags = [(self.four_colors, "four"), (self.large, "large"), (self.mute, "mute")];
        let flags = flags.into_iter().filter_map(|(set, word)| set.then_some(word));
        dark.into_iter().chain(flags).collect::<Vec<_>>().join(between)
    }
}

impl Visitor {
    /// The cookie to set, if there is one.
    pub(crate) fn cookie(&self) -> Option<HeaderValue> {
        key_cookie(self.secured, self.new.as_ref()?)
    }

    /// The name that they have chosen, if they have.
    pub(crate) fn chosen_name(&self) -> Option<&str> {
        Some(self.face.name.as_str()).filter(|_| self.face != stranger(self.player, self.lang))
    }

    /// The same visitor in another language; a visitor who has not chosen a name gets a default name in it.
    pub(crate) fn speaking(self, lang: Lang) -> Self {
        let unnamed = self.face == stranger(self.player, self.lang);
        let face = if unnamed { stranger(self.player, lang) } else { self.face };
        Self { lang, face, ..self }
    }
}

/// The cookie that makes a browser this player's.
pub(crate) fn key_cookie(secured: Secured, key: &Key) -> Option<HeaderValue> {
    cookie(secured, key_name(secured), &key.text(), true)
}

const fn key_name(secured: Secured) -> &'static str {
    if secured.0 { HOST_KEY } else { KEY }
}

/// The browser's key, for the one page that shows it.
pub(crate) struct Held(pub(crate) Option<Key>);

impl FromRequestParts<Site> for Held {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Failure> {
        Ok(Self(held(parts, site).await?.map(|(key, _)| key)))
    }
}

/// A cookie. Other sites cannot send it with a write; if it is `hidden`, scripts cannot read it.
pub(crate) fn cookie(secured: Secured, name: &str, value: &str, hidden: bool) -> Option<HeaderValue> {
    let secure = if secured.0 { "; Secure" } else { "" };
    let hidden = if hidden { "; HttpOnly" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={SECONDS}; SameSite=Lax{hidden}{secure}");
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The cookies with this name in a request. Another site of the same domain may set cookies that are not text: only
/// those are skipped, and not the header they arrive in.
fn sent<'a>(parts: &'a Parts, name: &'a str) -> impl Iterator<Item = &'a str> {
    let all = parts.headers.get_all(COOKIE).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
    let texts = all.filter_map(|one| str::from_utf8(one).ok());
    texts.filter_map(move |one| one.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The keys in a request: a program's, or those of a browser.
fn keys(parts: &Parts) -> Vec<Key> {
    if let Some(key) = parts.headers.get(AUTHORIZATION).and_then(|value| bearer(value.to_str().ok()?)) {
        return key.parse().into_iter().collect();
    }
    let cookies = sent(parts, key_name(Secured::in_parts(parts)));
    let mut keys = Vec::new();
    for key in cookies.filter_map(|text| text.trim().parse().ok()) {
        if keys.len() < MOST_KEYS && !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// The key in a program's header.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// The key that counts among those in a request, and its player if known: the first key of a known player, or
/// otherwise the first key.
async fn held(parts: &Parts, site: &Site) -> Result<Option<(Key, Option<Player>)>, Failure> {
    let mut unknown = None;
    for key in keys(parts) {
        let stored = site.hub().store().player(&key.player()).await?;
        if stored.is_some() {
            return Ok(Some((key, stored)));
        }
        unknown.get_or_insert((key, None));
    }
    Ok(unknown)
}

pub(crate) fn lang(parts: &Parts) -> Lang {
    let preferred = || parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).map(Lang::preferred);
    sent(parts, LANG).find_map(Lang::from_code).or_else(preferred).unwrap_or_default()
}

/// A visitor who already has a key.
impl OptionalFromRequestParts<Site> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Option<Self>, Failure> {
        let held = held(parts, site).await?;
        Ok(held.map(|(key, stored)| visitor(parts, site, key.player(), stored, None)))
    }
}

/// Any visitor: those without a key get one.
impl FromRequestParts<Site> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Failure> {
        if let Some((key, stored)) = held(parts, site).await? {
            return Ok(visitor(parts, site, key.player(), stored, None));
        }
        let key = Key::new(random()?);
        Ok(visitor(parts, site, key.player(), None, Some(key)))
    }
}

fn visitor(parts: &Parts, site: &Site, player: PlayerId, stored: Option<Player>, new: Option<Key>) -> Visitor {
    let at = now();
    if stored.as_ref().is_some_and(|stored| at.since(Millis(stored.seen_at)) > SEEN) {
        // Nobody has to wait for that; if it fails, the next visit is recorded.
        let store = site.hub().store().clone();
        tokio::spawn(async move { store.see_player(player, at.0).await });
    }
    let face = stored.map(|stored| Face { name: stored.name, avatar: stored.avatar.parse().unwrap_or(1) });
    let (look, lang) = (sent(parts, LOOK).next().map(Look::read).unwrap_or_default(), lang(parts));
    let (from, face) = (Address::in_parts(parts), face.unwrap_or_else(|| stranger(player, lang)));
    let secured = Secured::in_parts(parts);
    let here = Here::of(site, &parts.headers, secured);
    Visitor { player, from, face, lang, look, new, here, secured }
}

/// The default name and picture of a visitor who has not chosen any.
fn stranger(player: PlayerId, lang: Lang) -> Face {
    let [first, second, third, ..] = player.0;
    let number = u32::from(first) << 8 | u32::from(second);
    let guest = lang.pick("Guest", "Gast");
    Face { name: format!("{guest} {}", 1000 + number % 9000), avatar: 1 + third % (AVATARS - 1) }
}

/// Reads a text as each of the headers that identify a visitor.
#[cfg(any(test, feature = "laws"))]
pub(super) fn decode(text: &str) {
    let _ = (bearer(text), text.parse::<Key>().is_ok(), Look::read(text).words("."));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bearer_may_be_written_in_any_case() {
        assert_eq!(bearer("Bearer ab"), Some("ab"));
        assert_eq!(bearer("bearer  ab "), Some("ab"));
        assert_eq!(bearer("BEARER ab"), Some("ab"));
        assert_eq!((bearer("Basic ab"), bearer("Bearer"), bearer("Bearerab")), (None, None, None));
    }

    #[test]
    fn a_cookie_that_is_not_text_does_not_hide_the_key_beside_it() {
        let key = Key::new([7; 32]);
        for before in [&b"x=\xff; "[..], b"\xff\xfe;", b"fairdeal=\xff; ", "x=ä; ".as_bytes(), b""] {
            let header = [before, b"fairdeal=", key.text().as_bytes(), b"; lang=de; y=\xff"].concat();
            let request = axum::http::Request::builder().header(COOKIE, HeaderValue::from_bytes(&header).unwrap());
            let (parts, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(keys(&parts), std::slice::from_ref(&key), "{}", header.escape_ascii());
            assert_eq!(lang(&parts), Lang::from_code("de").unwrap());
        }
    }

    #[test]
    fn display_preferences_survive_a_round_trip() {
        for text in ["", "dark", "light.four", "dark.four.large.mute"] {
            assert_eq!(Look::read(text).words("."), text);
        }
        assert_eq!(Look::read("<script>.large"), Look { large: true, ..Look::default() });
    }
}
