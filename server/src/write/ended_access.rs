//! Owns telling pet parents that they have no access to a business any more: by mail beside the notification, and all of
//! them where a business is cleared or deleted.

use walkies_core::rows::client::Client;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::mail::{access_again, business_in_mail, ended_access};
use walkies_core::rules::push::Notice;
use walkies_core::values::push::PushKind;
use walkies_core::{Id, Instant};

use crate::app::state::App;
use crate::db::{self, PushAudience, Tx};
use crate::write::client_mail::{self, ClientMail};
use crate::write::notify::notices::about_client;
use crate::write::notify::notify;

/// Returns true if mail is sent beside this notification: somebody's access ended.
pub fn is_mailed(notice: &Notice) -> bool {
    notice.kind == PushKind::AccessEnded
}

/// Queues the mail beside such a notification for the person whom the sitter has let go.
pub async fn queue_mail(
    app: &App,
    tx: &mut Tx,
    audience: PushAudience,
    notice: &Notice,
    now: Instant,
) -> sqlx::Result<()> {
    let PushAudience::User(user_id) = audience else {
        return Ok(());
    };
    let sitter = db::select_one::<Sitter>(tx, notice.sitter_id, notice.sitter_id).await?;
    match sitter {
        Some(it) => {
            let said = ended_access(&business_in_mail(it.row.shown_name()), false);
            mail(app, tx, user_id, (said, false), now).await
        }
        None => Ok(()),
    }
}

/// Queues mail and notifications for the pet parents of a client that is cleared with its business; `false` where it has none.
pub async fn tell_of_clearing(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    client: &Client,
) -> sqlx::Result<bool> {
    let users: Vec<Id> = client.logins().collect();
    let sitter = match users.is_empty() {
        true => None,
        false => db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?,
    };
    let Some(sitter) = sitter.map(|it| it.row) else {
        return Ok(false);
    };
    let now = app.now();
    let notice = about_client(PushKind::AccessEnded, sitter_id, client.id);
    let said = ended_access(&business_in_mail(sitter.shown_name()), false);
    for user_id in users {
        notify(app, tx, PushAudience::User(user_id), &notice, now).await?;
        mail(app, tx, user_id, (said.clone(), true), now).await?;
    }
    Ok(true)
}

/// Client records whose people are told that a business is back, in one transaction: others wait for it.
const TOLD_OF_RESTORING: u32 = 200;

/// Queues mail for the pet parents of a business whose clearing was undone, whom mail has told that their access ended.
pub async fn tell_of_restoring(app: &App, tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    let Some(sitter) = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await? else {
        return Ok(());
    };
    let said = access_again(&business_in_mail(sitter.row.shown_name()));
    for (_, users) in db::linked_users(tx, sitter_id, TOLD_OF_RESTORING).await? {
        for user_id in users {
            mail(app, tx, user_id, (said.clone(), true), app.now()).await?;
        }
    }
    Ok(())
}

/// Client records whose people are told of a closing in one transaction.
const TOLD_AT_ONCE: u32 = 50;

/// Queues mail and notifications for some of those who were linked with a business that was closed, and takes their links
/// off its clients; `false` when nobody is left to be told.
pub async fn tell_some_of_closing(app: &App, tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    let linked = db::linked_users(tx, sitter_id, TOLD_AT_ONCE).await?;
    if linked.is_empty() {
        return Ok(false);
    }
    let now = app.now();
    let name = db::closed_name(tx, sitter_id).await?.unwrap_or_default();
    let said = ended_access(&business_in_mail(&name), true);
    for (client_id, users) in linked {
        let notice = Notice {
            gone_business: Some(name.clone()),
            ..about_client(PushKind::AccessEnded, sitter_id, client_id)
        };
        for user_id in users {
            notify(app, tx, PushAudience::User(user_id), &notice, now).await?;
            mail(app, tx, user_id, (said.clone(), true), now).await?;
        }
        db::forget_linked_users(tx, (sitter_id, client_id)).await?;
    }
    Ok(true)
}

/// Queues mail with this subject and text; `is_bulk` where many get it at once.
async fn mail(
    app: &App,
    tx: &mut Tx,
    user_id: Id,
    ((subject, text), is_bulk): ((String, String), bool),
    now: Instant,
) -> sqlx::Result<()> {
    if !app.settings.sends_mail {
        return Ok(());
    }
    let Some(account) = db::account_by_id(tx, user_id).await? else {
        return Ok(());
    };
    let mail = ClientMail {
        to: account.email,
        subject,
        text,
        expires_at: None,
        invoice_share_id: None,
        brings: None,
        is_bulk,
    };
    // Whoever has stopped mail is told on the phone alone.
    let _ = client_mail::queue(app, tx, mail, now).await?;
    Ok(())
}
