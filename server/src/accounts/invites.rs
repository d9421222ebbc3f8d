//! Invites of pet parents: codes that a sitter gives out or has mailed, and the link that comes of one.

use walkies_core::api::InviteAnswer;
use walkies_core::rows::client::Client;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::invite::{self, InviteFault};
use walkies_core::rules::mail::{business_in_mail, name_in_mail};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Id, Instant, Now};

use super::MAX_SECRET_BYTES;
use super::client_links::{check_invite, hash_of, link_by_code};
use crate::app::state::App;
use crate::app::throttle;
use crate::app::zone::time_zone;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, ClientLink, Invite, Tx, roll_back};
use crate::print::qr;
use crate::write::client_mail::{self, ClientMail};

/// Makes a code for a client, or gives an earlier one that is still good, and mails it if that is asked for.
pub(crate) async fn make_invite(
    app: &App,
    sitter_id: Id,
    client_id: Id,
    code: Option<String>,
    send_email: bool,
) -> Result<InviteAnswer, AppError> {
    let is_long = |it: &String| MAX_SECRET_BYTES < it.len();
    if code.as_ref().is_some_and(is_long) {
        return Err(InviteFault::Unknown.into());
    }
    throttle::write(app, sitter_id, 0)?;
    let (client, profile) = client_and_sitter(app, sitter_id, client_id).await?;
    if send_email && client.email.is_empty() {
        return Err(AppError::of_field("email", "This client has no email."));
    }
    if send_email {
        throttle::invite_by_mail(app, sitter_id, &client.email)?;
    }
    let now = Now {
        at: app.now(),
        zone: time_zone(&profile.time_zone).unwrap_or(TimeZone::UTC),
    };
    let mut tx = app.db.write().await?;
    let kept = match code {
        Some(code) => kept_invite(&mut tx, sitter_id, client_id, code, now.at).await?,
        None => None,
    };
    let (code, expires_at) = match kept {
        Some(kept) => kept,
        None => new_invite(app, &mut tx, sitter_id, client_id, &now).await?,
    };
    let link = invite::link(&app.settings.public_url, client_id, &code);
    let text_to =
        |name: &str, business: &str| invite::text(name, business, &link, expires_at, &now.zone);
    let text = text_to(&client.name, profile.shown_name());
    if send_email {
        let business = business_in_mail(profile.shown_name());
        let mail = ClientMail {
            to: client.email.clone(),
            text: text_to(&name_in_mail(&client.name), &business),
            subject: format!("{business} invites you to Walkies"),
            expires_at: Some(expires_at),
            invoice_share_id: None,
            brings: None,
            is_bulk: false,
        };
        if let Err(why) = client_mail::queue(app, &mut tx, mail, now.at).await? {
            return roll_back(tx, why.into()).await;
        }
    }
    tx.commit().await?;
    if send_email {
        app.mail_queued.notify_one();
    }
    Ok(InviteAnswer {
        qr: link.clone(),
        qr_svg: qr::svg(&link)?,
        link,
        code,
        text,
        expires_at,
        emailed: send_email,
        mailed_to: send_email.then_some(client.email),
    })
}

/// Links a login with a client record by the code of an invite, and tells the apps on both sides.
pub(crate) async fn link_by_invite(
    app: &App,
    user_id: Id,
    client_id: Id,
    code_hash: &str,
) -> Result<ClientLink, AppError> {
    let mut tx = app.db.write().await?;
    let (link, rev) = match link_by_code(app, &mut tx, user_id, client_id, code_hash).await {
        Ok(linked) => linked,
        Err(why) => return roll_back(tx, why).await,
    };
    match rev {
        Some(rev) => {
            tx.commit().await?;
            app.push_queued.notify_one();
            app.realtime.links_changed(user_id);
            app.realtime.changed(link.sitter_id, rev);
        }
        None => tx.rollback().await?,
    }
    Ok(link)
}

/// The invite of a code that may be used now, with who invites.
pub(crate) async fn inviting(app: &App, code: &str) -> Result<(Invite, Sitter), AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let found = good_invite(&mut tx, code, app.now()).await;
    drop(tx);
    let invite = found?;
    let (_, sitter) = client_and_sitter(app, invite.sitter_id, invite.client_id).await?;
    Ok((invite, sitter))
}

/// The invite of a code that may be used now.
async fn good_invite(tx: &mut Tx, code: &str, now: Instant) -> Result<Invite, AppError> {
    let invite = db::find_invite(tx, &hash_of(code)).await?;
    let invite = invite.ok_or(InviteFault::Unknown)?;
    check_invite(&invite, now)?;
    Ok(invite)
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
    now: &Now,
) -> sqlx::Result<(String, Instant)> {
    let code = app.env.code();
    let made = Invite {
        sitter_id,
        client_id,
        expires_at: invite::expires_at(now),
        used_at: None,
    };
    db::insert_invite(tx, &sha256(code.as_bytes()), &made, now.at).await?;
    Ok((code, made.expires_at))
}
