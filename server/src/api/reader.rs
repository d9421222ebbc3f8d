//! Owns who reads a shared page, as far as the request says: the first opening by somebody else than the sitter stands in
//! the row of the invoice or the report.

use axum::http::{HeaderMap, Method, header};
use walkies_core::{Id, RowKey};

use crate::app::state::App;
use crate::write::shared_mail;

/// Reader of a page, as far as the request says.
pub(super) struct Reader {
    /// False for programs that make a preview of a link, and for whatever says that it is a robot.
    is_person: bool,
    /// The business of the sitter who is signed in in this browser.
    own: Option<Id>,
}

impl Reader {
    /// The reader who makes this request.
    pub(super) fn from_request(method: &Method, headers: &HeaderMap) -> Self {
        Self {
            is_person: method == Method::GET && is_person(headers),
            own: own_business(headers),
        }
    }

    /// Notes that a page that was never opened is, unless its reader is a program or the sitter.
    pub(super) async fn note_opening(&self, app: &App, sitter_id: Id, row: RowKey) {
        if !self.is_person || self.own == Some(sitter_id) {
            return;
        }
        // Whoever opens the page sees it all the same.
        if let Err(error) = shared_mail::note_opening(app, sitter_id, row).await {
            tracing::warn!(?error, "cannot note that a shared page was opened");
        }
    }
}

/// Parts of the names by which programs call themselves that fetch a page without a person who reads it.
const ROBOTS: [&str; 9] = [
    "bot",
    "crawler",
    "spider",
    "preview",
    "facebookexternalhit",
    "whatsapp",
    "safelinks",
    "scanner",
    "curl",
];

fn is_person(headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let agent = agent.to_ascii_lowercase();
    // Browsers say that they only fetch a page ahead.
    let is_ahead = headers
        .get("sec-purpose")
        .is_some_and(|it| it.to_str().is_ok_and(|it| it.contains("prefetch")));
    !is_ahead && !agent.is_empty() && !ROBOTS.iter().any(|it| agent.contains(it))
}

/// The marks that the app of a sitter leaves for the pages of invoices and of reports.
const OWN_COOKIES: [&str; 2] = ["own_invoices=", "own_reports="];

fn own_business(headers: &HeaderMap) -> Option<Id> {
    let cookies = headers.get_all(header::COOKIE).into_iter();
    let mut parts = cookies
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(';'));
    parts.find_map(|it| {
        let mut names = OWN_COOKIES.iter();
        names.find_map(|name| it.trim().strip_prefix(name)?.parse().ok())
    })
}
