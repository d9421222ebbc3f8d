//! How pet parents come to be clients with a login: invited by the sitter, linked by a code, let go again.

use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use walkies_core::api::{InviteAnswer, InvitePage, Linked};
use walkies_core::commands::UnlinkClient;
use walkies_core::rows::client::Client;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::invite::{self, INVITE_MS, InviteFault};
use walkies_core::rules::mail::{business_in_mail, name_in_mail};
use walkies_core::{Command, Id, Instant};

use super::photos::show_on_page;
use super::{command, revised};
use crate::accounts::MAX_SECRET_BYTES;
use crate::accounts::client_links::{check_invite, hash_of, link_by_code};
use crate::app::session::{AnyUser, SitterUser};
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Invite, Tx, roll_back};
use crate::http::extract::{CallerAddress, JsonBody};
use crate::http::form::Form;
use crate::http::route::{Access, Route, get, post};
use crate::media::files::PhotoSize;
use crate::write::answer::{Answer, ok, success};
use crate::write::client_mail::{self, ClientMail};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/clients/{id}/invite",
            Access::Sitter,
            "Makes a code by which a client comes into the portal; the former one is good no longer",
            create_invite,
        )
        .statuses(&[201])
        .fails(&[404, 409, 422])
        .body::<InviteForm>()
        .answer::<InviteAnswer>(),
        command(
            Method::POST,
            "/clients/{id}/unlink",
            "Ends a pet parent's access; what is the business's leaves their phones",
            |form: &mut Form| Ok(Command::UnlinkClient(UnlinkClient { id: form.id })),
        )
        .answer_of(revised::<Client>),
        get(
            "/invites/{code}",
            Access::Public,
            "Who invites, before one signs in or up",
            read_invite,
        )
        .fails(&[404, 410])
        .answer::<InvitePage>(),
        get(
            "/invites/{code}/logo",
            Access::Public,
            "The picture of the business that invites",
            show_logo,
        )
        .fails(&[404, 410])
        .file("image/jpeg"),
        post(
            "/client/link",
            Access::Client,
            "Links the caller with the client record that a code is for; a repeat changes nothing",
            link,
        )
        .fails(&[404, 409, 410])
        .body::<LinkForm>()
        .answer::<Linked>(),
    ]
}

/// How the code is to be sent.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
struct InviteForm {
    /// True to have the server mail the code to the client's e-mail address.
    #[serde(default)]
    send_email: bool,
    /// The code of an earlier answer, to get the same one again. Without it, or if it is no longer valid, a new one is
    /// made.
    #[serde(default)]
    #[schema(max_length = 64)]
    code: Option<String>,
}

async fn create_invite(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(client_id): Path<String>,
    JsonBody(form): JsonBody<InviteForm>,
) -> Result<Response, AppError> {
    let client_id: Id = client_id.parse().map_err(|_| AppError::NotFound)?;
    let is_long = |it: &String| MAX_SECRET_BYTES < it.len();
    if form.code.as_ref().is_some_and(is_long) {
        return Err(InviteFault::Unknown.into());
    }
    throttle::write(&app, sitter.sitter_id, 0)?;
    let (client, profile) = client_and_sitter(&app, sitter.sitter_id, client_id).await?;
    if form.send_email && client.email.is_empty() {
        return Err(AppError::of_field("email", "This client has no email."));
    }
    if form.send_email {
        throttle::invite_by_mail(&app, sitter.sitter_id, &client.email)?;
    }
    let now = app.now();
    let mut tx = app.db.write().await?;
    let kept = match form.code {
        Some(code) => kept_invite(&mut tx, sitter.sitter_id, client_id, code, now).await?,
        None => None,
    };
    let (code, expires_at) = match kept {
        Some(kept) => kept,
        None => new_invite(&app, &mut tx, sitter.sitter_id, client_id, now).await?,
    };
    let link = invite::link(&app.settings.public_url, client_id, &code);
    let text = invite::text(&client.name, profile.shown_name(), &link);
    if form.send_email {
        let mail = invitation(&client, &profile, &link);
        if let Err(why) = client_mail::queue(&app, &mut tx, mail, now).await? {
            return roll_back(tx, why.into()).await;
        }
    }
    tx.commit().await?;
    if form.send_email {
        app.mail_queued.notify_one();
    }
    let answer = InviteAnswer {
        qr: link.clone(),
        qr_svg: crate::print::qr::svg(&link)?,
        link,
        code,
        text,
        expires_at,
        emailed: form.send_email,
    };
    let body = success(answer);
    let status = StatusCode::CREATED;
    Ok(Answer { status, body }.into_response())
}

fn invitation(client: &Client, profile: &Sitter, link: &str) -> ClientMail {
    let business = business_in_mail(profile.shown_name());
    ClientMail {
        to: client.email.clone(),
        text: invite::text(&name_in_mail(&client.name), &business, link),
        subject: format!("{business} invites you to Walkies"),
    }
}

/// A code that was given out for this client and is still good, with its end.
async fn kept_invite(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    code: String,
    now: Instant,
) -> sqlx::Result<Option<(String, Instant)>> {
    let found = db::find_invite(tx, &hash_of(&code)).await?;
    let own = found.filter(|it| it.sitter_id == sitter_id && it.client_id == client_id);
    let good = own.filter(|it| check_invite(it, now).is_ok());
    Ok(good.map(|it| (code, it.expires_at)))
}

async fn new_invite(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    now: Instant,
) -> sqlx::Result<(String, Instant)> {
    let code = app.env.code();
    let made = Invite {
        sitter_id,
        client_id,
        expires_at: Instant(now.0 + INVITE_MS),
        used_at: None,
    };
    db::insert_invite(tx, &sha256(code.as_bytes()), &made, now).await?;
    Ok((code, made.expires_at))
}

async fn client_and_sitter(
    app: &App,
    sitter_id: Id,
    client_id: Id,
) -> Result<(Client, Sitter), AppError> {
    let mut tx = app.db.read().await?;
    let client = db::select_one::<Client>(&mut tx, sitter_id, client_id).await?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    tx.commit().await?;
    let rows = client.zip(sitter).ok_or(AppError::NotFound)?;
    Ok((rows.0.row, rows.1.row))
}

async fn read_invite(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(code): Path<String>,
) -> Result<Answer, AppError> {
    throttle::call(&app, &address)?;
    let (invite, sitter) = inviting(&app, &code).await?;
    Ok(ok(InvitePage {
        client_id: invite.client_id,
        sitter_name: sitter.name,
        business_name: sitter.business_name,
    }))
}

/// The invite of a code that may be used now, with who invites.
pub(super) async fn inviting(app: &App, code: &str) -> Result<(Invite, Sitter), AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let found = good_invite(&mut tx, code, app.now()).await;
    drop(tx);
    let invite = found?;
    let (_, sitter) = client_and_sitter(app, invite.sitter_id, invite.client_id).await?;
    Ok((invite, sitter))
}

async fn show_logo(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(code): Path<String>,
) -> Result<Response, AppError> {
    throttle::call(&app, &address)?;
    let (invite, sitter) = inviting(&app, &code).await?;
    let tx = app.db.read().await?;
    let (of, photo) = (invite.sitter_id, sitter.photo);
    show_on_page(&app, tx, of, photo, PhotoSize::Full, AppError::NotFound).await
}

/// The invite of a code that may be used now.
async fn good_invite(tx: &mut Tx, code: &str, now: Instant) -> Result<Invite, AppError> {
    let invite = db::find_invite(tx, &hash_of(code)).await?;
    let invite = invite.ok_or(InviteFault::Unknown)?;
    check_invite(&invite, now)?;
    Ok(invite)
}

/// Contents of the invitation that was sent to the pet parent.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct LinkForm {
    #[schema(value_type = Id)]
    client_id: String,
    code: String,
}

async fn link(
    State(app): State<AppState>,
    user: AnyUser,
    CallerAddress(address): CallerAddress,
    JsonBody(form): JsonBody<LinkForm>,
) -> Result<Answer, AppError> {
    throttle::call(&app, &address)?;
    let (user_id, hash) = (user.account.id, hash_of(&form.code));
    // A link that was cut off on its way is one that nobody knows.
    let client_id: Id = form.client_id.parse().map_err(|_| InviteFault::Unknown)?;
    let mut tx = app.db.write().await?;
    let (link, rev) = match link_by_code(&app, &mut tx, user_id, client_id, &hash).await {
        Ok(linked) => linked,
        Err(why) => return roll_back(tx, why).await,
    };
    match rev {
        Some(rev) => {
            tx.commit().await?;
            app.realtime.links_changed(user_id);
            app.realtime.changed(link.sitter_id, rev);
        }
        None => tx.rollback().await?,
    }
    Ok(ok(Linked {
        sitter_id: link.sitter_id,
        client_id: link.client_id,
    }))
}
