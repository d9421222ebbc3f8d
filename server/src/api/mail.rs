//! The page behind the link at the end of mail that its recipient has not asked for: it says what stopping does, stops
//! mail when its button is pressed, and allows it again.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use walkies_core::rules::mail::{UNKNOWN_STOP_LINK, stop_page};

use super::shared_invoices::{as_page, failure_on_page};
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::env::Env;
use crate::base::error::AppError;
use crate::db;
use crate::http::extract::CallerAddress;
use crate::print::invoice::plain_page;

/// The pages, which are no calls of the API.
pub(super) fn pages() -> Router<AppState> {
    Router::new().route("/mail/stop/{token}", get(show).post(press))
}

/// No form of this page, and no call of a mail program, is longer, in bytes.
const FORM_BYTES: usize = 1024;
/// The form that the page's button sends.
const ALLOW: &str = "allow";

async fn show(
    State(app): State<AppState>,
    address: CallerAddress,
    token: Result<Path<String>, PathRejection>,
) -> Response {
    shown(&app, address, &read(token))
        .await
        .unwrap_or_else(failure)
}

/// The token of an address; an address that is no text has none.
fn read(token: Result<Path<String>, PathRejection>) -> String {
    token.map(|Path(it)| it).unwrap_or_default()
}

async fn shown(app: &App, address: CallerAddress, token: &str) -> Result<Response, AppError> {
    count(app, &address)?;
    let is_stopped = match Env::is_share_id(token) {
        true => db::has_stopped_mail(&mut app.db.read_autocommit().await?, token).await?,
        false => None,
    };
    Ok(page_of(is_stopped))
}

/// Mail programs stop mail by a call of their own, with a form that has `List-Unsubscribe` in it (RFC 8058).
async fn press(
    State(app): State<AppState>,
    address: CallerAddress,
    token: Result<Path<String>, PathRejection>,
    body: Body,
) -> Response {
    pressed(&app, address, &read(token), body)
        .await
        .unwrap_or_else(failure)
}

async fn pressed(
    app: &App,
    address: CallerAddress,
    token: &str,
    body: Body,
) -> Result<Response, AppError> {
    count(app, &address)?;
    if !Env::is_share_id(token) {
        return Ok(page_of(None));
    }
    let form = to_bytes(body, FORM_BYTES).await.unwrap_or_default();
    let is_stopped = !String::from_utf8_lossy(&form)
        .split('&')
        .any(|it| it.split('=').next() == Some(ALLOW));
    let mut tx = app.db.write().await?;
    let stopped_at = is_stopped.then(|| app.now());
    if !db::set_mail_stopped(&mut tx, token, stopped_at).await? {
        tx.rollback().await?;
        return Ok(page_of(None));
    }
    tx.commit().await?;
    Ok(page_of(Some(is_stopped)))
}

fn failure(error: AppError) -> Response {
    failure_on_page(error, |status| {
        let (title, text) = match status {
            StatusCode::TOO_MANY_REQUESTS => (
                "That was a little fast",
                "Please wait a moment, then load the page again.",
            ),
            _ => (
                "Nothing was changed",
                "Please load the page again in a moment.",
            ),
        };
        plain_page(title, text, None)
    })
}

fn count(app: &App, CallerAddress(address): &CallerAddress) -> Result<(), AppError> {
    throttle::stranger(app, "mail page", address, app.settings.rate_of_reports)
}

/// The page of a link whose recipient has stopped mail or not, or of a link that nobody has.
fn page_of(is_stopped: Option<bool>) -> Response {
    let (status, page) = match is_stopped {
        Some(is_stopped) => (StatusCode::OK, stop_page(is_stopped)),
        None => (StatusCode::NOT_FOUND, UNKNOWN_STOP_LINK),
    };
    let field = match is_stopped {
        Some(true) => ALLOW,
        _ => "stop",
    };
    let button = page.button.map(|it| (field, it));
    as_page(status, plain_page(page.title, page.text, button))
}
