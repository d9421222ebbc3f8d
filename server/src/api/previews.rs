//! Previews of links in a chat before they are opened: a shared report's, and an invitation's to the portal. With a
//! report's comes what a browser without scripts shows.

use axum::extract::{FromRequestParts as _, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use walkies_core::report;
use walkies_core::rules::invite;

use super::business_of_page;
use crate::accounts::invites::inviting;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::error::AppError;
use crate::db::{self, SharedReport};
use crate::http::extract::CallerAddress;
use crate::http::static_app::{Preview, REPORTS};
use crate::print::report::without_scripts;

/// Path of the portal, which an invitation's link leads to.
const PORTAL: &str = "/client";

/// Preview of a request's link; none where it is no link that is shared, or is good no longer.
pub async fn preview(app: &AppState, parts: &mut Parts) -> Option<Preview> {
    let path = parts.uri.path().to_owned();
    let share_id = path.strip_prefix(REPORTS);
    let code = match Query::<InviteQuery>::try_from_uri(&parts.uri) {
        Ok(Query(query)) if path == PORTAL => query.code,
        _ => None,
    };
    if share_id.is_none() && code.is_none() {
        return None;
    }
    let caller = CallerAddress::from_request_parts(parts, app).await;
    let CallerAddress(address) = caller.ok()?;
    throttle::stranger(app, "preview", &address, app.settings.rate_of_reports).ok()?;
    let found = match (share_id, code) {
        (Some(share_id), _) => of_report(app, share_id).await,
        (None, Some(code)) => of_invite(app, &code).await,
        (None, None) => return None,
    };
    // The page itself says what is wrong.
    found.ok().flatten()
}

async fn of_report(app: &App, share_id: &str) -> Result<Option<Preview>, AppError> {
    let mut tx = app.db.read().await?;
    let Some(SharedReport { sitter_id, report }) =
        db::find_shared_report(&mut tx, share_id).await?
    else {
        return Ok(None);
    };
    let business = business_of_page(&mut tx, sitter_id).await?;
    tx.commit().await?;
    let Some((sitter, zone)) = business else {
        return Ok(None);
    };
    let page = report::page(&report, &sitter, &zone);
    let url = &app.settings.public_url;
    let photo = |number: usize| format!("/api/public/reports/{share_id}/photos/{number}");
    let shown = without_scripts(&page, photo);
    Ok(Some(Preview {
        title: page.title.clone(),
        sentence: report::preview_sentence(&page),
        picture: match sitter.photo {
            Some(_) => format!("{url}/api/public/reports/{share_id}/photos/logo"),
            None => format!("{url}{ICON}"),
        },
        url: format!("{url}{REPORTS}{share_id}"),
        without_scripts: Some(shown.into_string()),
    }))
}

/// Picture of a business without one of its own.
const ICON: &str = "/icon-512.png";

#[derive(Deserialize)]
struct InviteQuery {
    code: Option<String>,
}

async fn of_invite(app: &App, code: &str) -> Result<Option<Preview>, AppError> {
    let (invite, sitter) = inviting(app, code).await?;
    let url = &app.settings.public_url;
    let business = sitter.shown_name();
    Ok(Some(Preview {
        title: invite::preview_title(business),
        sentence: invite::PREVIEW_SENTENCE.to_owned(),
        picture: match sitter.photo {
            Some(_) => format!("{url}/api/invites/{code}/logo"),
            None => format!("{url}{ICON}"),
        },
        url: invite::link(url, invite.client_id, code),
        without_scripts: None,
    }))
}
