//! Why a request fails, for people and programs.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use page::Lang;

use super::layout;
use crate::hub::HubError;

/// Why a request fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no such thing.
    NotFound,
    /// It makes no sense; says what was expected.
    Bad(String),
    /// It comes from another site.
    Foreign,
    /// It needs a player, and the client has no key.
    NoPlayer,
    /// There were too many.
    TooMany,
    /// There were too many wrong codes.
    TooManyCodes,
    /// Its body is longer than this.
    TooLong(usize),
    /// The table or its store refuses.
    Hub(HubError),
}

impl From<HubError> for Failure {
    fn from(why: HubError) -> Self {
        match why {
            HubError::NoTable => Self::NotFound,
            other => Self::Hub(other),
        }
    }
}

impl From<crate::store::StoreError> for Failure {
    fn from(why: crate::store::StoreError) -> Self {
        Self::Hub(why.into())
    }
}

impl Failure {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::Hub(HubError::NoTable) => StatusCode::NOT_FOUND,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Foreign => StatusCode::FORBIDDEN,
            Self::NoPlayer => StatusCode::UNAUTHORIZED,
            Self::TooMany | Self::TooManyCodes | Self::Hub(HubError::TooMany) => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Hub(HubError::Refused(_) | HubError::Taken) => StatusCode::CONFLICT,
            Self::Hub(HubError::Unavailable(_) | HubError::Unsure) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Details that are only the operator's business go to the log.
    pub(crate) fn note(&self) {
        if let Self::Hub(HubError::Unavailable(why)) = self {
            tracing::error!(%why, "a request failed");
        }
    }

    /// The text for people.
    pub(crate) fn text(&self, lang: Lang) -> String {
        match self {
            Self::NotFound | Self::Hub(HubError::NoTable) => {
                lang.pick("There is nothing at this address.", "Unter dieser Adresse gibt es nichts.").to_owned()
            }
            Self::Bad(what) => what.clone(),
            Self::Foreign => lang.pick("This request came from another site.", "Diese Anfrage kam von einer anderen Website.").to_owned(),
            Self::NoPlayer => lang
                .pick(
                    "This needs a player's key.",
                    "Dafür wird ein Spielerschlüssel gebraucht.",
                )
                .to_owned(),
            Self::TooMany | Self::Hub(HubError::TooMany) => {
                lang.pick("Too many requests. Try again later.", "Das waren zu viele Anfragen. Versuch es später noch einmal.").to_owned()
            }
            Self::TooManyCodes => lang
                .pick(
                    "There were too many wrong codes. Use the invitation link or the QR code, or try again in a minute.",
                    "Es gab zu viele falsche Codes. Nimm den Einladungslink oder den QR-Code, oder versuch es in einer Minute noch einmal.",
                )
                .to_owned(),
            Self::TooLong(most) => match lang {
                Lang::En => format!("This is too long: the limit is {most} bytes."),
                Lang::De => format!("Das ist zu lang: Höchstens {most} Bytes sind erlaubt."),
            },
            Self::Hub(HubError::Refused(why)) => why.say(lang),
            Self::Hub(HubError::Taken) => {
                lang.pick("There is such a table already.", "Diesen Tisch gibt es schon.").to_owned()
            }
            Self::Hub(HubError::Unsure) => lang
                .pick(
                    "This may or may not have been saved. Please check.",
                    "Vielleicht wurde das gespeichert, vielleicht nicht. Sieh bitte nach.",
                )
                .to_owned(),
            Self::Hub(HubError::Unavailable(_)) => lang
                .pick(
                    "The server cannot save anything right now, and nothing has changed. Try again soon.",
                    "Der Server kann gerade nichts speichern, es hat sich nichts geändert. Versuch es gleich noch einmal.",
                )
                .to_owned(),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        self.note();
        (self.status(), layout::failure(&self)).into_response()
    }
}
