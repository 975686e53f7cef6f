//! A finished match, step by step.
//!
//! The table is replayed from its log up to a step, and shown by the same parts as a running one: as the visitor saw
//! it from their seat, or as everybody did. A step is anything that advanced the match; chat, commitments and secret
//! choices are not steps.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use page::beside::log;
use page::{Lang, Shown, desk, felt};
use serde::Deserialize;
use table::{Seat, Seats};

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::record::seat;
use super::words::title;
use super::{Failure, Site, stopped};
use crate::hub::HubError;
use crate::ids::TableId;
use crate::room::{Entry, Event, Keep, Refusal, Stage, knows};
use crate::sight::{Looker, Watched, frame, show};
use crate::store::Phase;

/// What to show.
#[derive(Deserialize)]
pub(super) struct Wanted {
    /// The step; the first by default, the last if the number is too high.
    step: Option<usize>,
    /// `public`: as everybody saw it.
    #[serde(rename = "as")]
    eye: Option<String>,
}

/// The number of the deal on the table at each step.
type Steps = Vec<u32>;

/// The view at one moment.
struct Picture {
    felt: Markup,
    desk: Markup,
    log: Markup,
}

/// The page of one step.
pub(super) async fn page(
    State(site): State<Site>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let row = site.hub().store().table(id).await?.ok_or(Failure::NotFound)?;
    if row.phase != Phase::Over {
        return Err(HubError::Refused(Refusal::NotOver).into());
    }
    if !knows(&row.game, row.rules) {
        return stopped::page(&site, &visitor, id).await;
    }
    let had = seat(&site, id, Some(&visitor)).await?;
    let public = wanted.eye.as_deref() == Some("public");
    let log = site.hub().log(id).await?;
    let lang = visitor.lang;
    let (own, step) = (had.filter(|_| !public), wanted.step.unwrap_or(0));
    let address = format!("/tables/{id}");
    // A long match takes a moment, in which others must not wait.
    let body = site.replaying().run(move || {
        let (secret, entries) = log.read()?;
        let looker = Looker {
            lang,
            player: visitor.player,
            seat: own,
            absent: Seats::NONE,
            owns: false,
            moderates: false,
            code: None,
            link: String::new(),
            address,
        };
        let (steps, picture) = watch(secret, &entries, step, &looker)?;
        let step = step.min(steps.len().saturating_sub(1));
        Ok(body(&picture, &looker, &Reel { steps: &steps, step, had, public }))
    });
    let body = body.await?.map_err(HubError::Refused)?;
    let game = games::AnyGame::from_name(&row.game).ok_or(Failure::NotFound)?;
    let style = format!("{}.css", row.game);
    let styles = ["cards.css", "table.css", &style, "lobby.css"];
    let title = format!("{} · fairdeal", title(game));
    let sheet = Sheet { title: &title, class: "table replay", styles: &styles, scripts: &["replay.js"], body };
    Ok(send(&visitor, &sheet))
}

/// Replays a match once: counts all steps, and shows one of them. At the last step the match is over.
fn watch(secret: [u8; 32], entries: &[Entry], wanted: usize, looker: &Looker) -> Result<(Steps, Picture), Refusal> {
    let mut all = entries.iter().flat_map(|entry| entry.events.iter().map(move |event| (entry.at, event)));
    let Some((at, Event::Opened(terms))) = all.next() else { return Err(Refusal::Damaged("no terms")) };
    let mut room = Watched::open((**terms).clone(), secret, at, Keep { seen: true, ..Keep::default() })?;
    let (mut steps, mut picture, mut last) = (Steps::new(), None, None);
    for (at, event) in all {
        room.apply(at, event)?;
        let now = room.play().map(|play| (play.deal(), play.height(), play.stage()));
        if let Some((deal, _, stage)) = now.filter(|_| now != last) {
            // When a deal has ended, the next one is already counted.
            let deal = if stage == Stage::Deal { deal } else { room.play().map_or(deal, |play| play.deals_over()) };
            if steps.len() == wanted || stage == Stage::Over && picture.is_none() {
                picture = Some(Picture::of(&room, looker));
            }
            steps.push(deal);
        }
        last = now;
        if last.is_some_and(|(_, _, stage)| stage == Stage::Over) {
            break;
        }
    }
    Ok((steps, picture.unwrap_or_else(|| Picture::of(&room, looker))))
}

impl Picture {
    fn of(room: &Watched, looker: &Looker) -> Self {
        let frame = frame(room, looker);
        let shown = show(room, looker.eye(), looker.lang, None).map(Shown::still);
        let shown = shown.as_ref();
        Self { felt: felt(&frame, shown), desk: desk(&frame, shown), log: log(room.told(), looker.lang) }
    }
}

/// A position in a match.
struct Reel<'a> {
    steps: &'a [u32],
    step: usize,
    /// The visitor's seat, and whether they chose the public view anyway.
    had: Option<Seat>,
    public: bool,
}

impl Reel<'_> {
    fn deal(&self) -> u32 {
        self.steps.get(self.step).copied().unwrap_or(0)
    }

    /// The first step of a deal.
    fn begin(&self, deal: u32) -> Option<usize> {
        self.steps.iter().position(|step| *step == deal)
    }

    fn last(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    fn address(&self, step: usize, public: bool) -> String {
        let public = if public { "&as=public" } else { "" };
        format!("?step={step}{public}")
    }
}

fn body(picture: &Picture, looker: &Looker, reel: &Reel<'_>) -> Markup {
    let lang = looker.lang;
    html! {
        main id="table" {
            (buttons(reel, lang))
            (picture.felt)
            div class="near" { (picture.desk) }
        }
        aside id="side" {
            details open { summary { (lang.pick("Log", "Protokoll")) } (picture.log) }
            section class="about" {
                p class="dim" { @match (reel.had, reel.public) {
                    (Some(_), false) => (lang.pick("This is what you saw at the time.", "Das hast du damals gesehen.")),
                    (Some(_), true) | (None, _) => (lang.pick("This is what everybody saw at the time.", "Das haben damals alle gesehen.")),
                } }
                p class="actions" {
                    @if reel.had.is_some() {
                        a class="button" href=(reel.address(reel.step, !reel.public)) {
                            @if reel.public { (lang.pick("My view", "Meine Sicht")) } @else { (lang.pick("Public view", "Sicht für alle")) }
                        }
                    }
                    a class="button" href={ (looker.address) "/record" } download { (lang.pick("Record", "Aufzeichnung")) }
                    a class="button" href=(looker.address) { (lang.pick("Back to the table", "Zum Tisch")) }
                }
            }
        }
    }
}

fn buttons(reel: &Reel<'_>, lang: Lang) -> Markup {
    let (step, last, deal) = (reel.step, reel.last(), reel.deal());
    // From within a deal, this goes back to its beginning first.
    let back = reel.begin(deal).filter(|begin| *begin < step).or_else(|| reel.begin(deal.saturating_sub(1)));
    let links = [
        ("Home", "|◀", lang.pick("First", "Anfang"), (step > 0).then_some(0)),
        ("ArrowUp", "◀◀", lang.pick("Previous deal", "Voriges Spiel"), back),
        ("ArrowLeft", "◀", lang.pick("Back", "Zurück"), step.checked_sub(1)),
        ("ArrowRight", "▶", lang.pick("Next", "Weiter"), (step < last).then_some(step + 1)),
        ("ArrowDown", "▶▶", lang.pick("Next deal", "Nächstes Spiel"), reel.begin(deal + 1)),
        ("End", "▶|", lang.pick("Last", "Ende"), (step < last).then_some(last)),
    ];
    html! {
        nav id="reel" class="reel" aria-label=(lang.pick("Steps", "Schritte")) {
            @for (key, sign, label, to) in links {
                @match to {
                    Some(to) => a id={ "reel-" (key) } class="button" data-key=(key) href=(reel.address(to, reel.public)) title=(label) aria-label=(label) { span aria-hidden="true" { (sign) } },
                    None => span id={ "reel-" (key) } class="button off" aria-hidden="true" { (sign) },
                }
            }
            p class="dim" role="status" { (lang.pick("Step", "Schritt")) " " (step + 1) " " (lang.pick("of", "von")) " " (last + 1) }
        }
    }
}
