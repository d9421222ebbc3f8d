//! The end of an account: a pet parent's at once, a sitter's with the whole business. Of somebody with both roles one ends, and
//! the account stays for the other.

use walkies_core::FieldErrors;

use super::client_links::forget_login;
use crate::app::realtime::Notice;
use crate::app::session::AnyUser;
use crate::app::state::App;
use crate::archive;
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::db::{self, roll_back};
use crate::write::shared_mail;

const NAME_THE_ROLE: &str = "This account has a sitter's and a pet parent's side. Open the one to delete, and delete it there.";

/// Deletes for good the role of the account in which the call is made, and the account itself where there is no other one;
/// begins to delete the rows of its business. Other devices are signed out.
pub(crate) async fn delete_own_account(app: &App, user: &AnyUser) -> Result<(), AppError> {
    let account = &user.account;
    let mut tx = app.db.write().await?;
    // From here on no role of the account comes or goes, and it is as it is by now.
    if !db::has_password(&mut tx, account).await? {
        return roll_back(tx, AppError::TokenExpired).await;
    }
    let current = db::account_by_id(&mut tx, account.id).await?;
    let roles = current.map(|it| it.roles).unwrap_or_default();
    if !roles.contains(&account.role) {
        return roll_back(tx, AppError::TokenExpired).await;
    }
    let is_whole = roles.len() == 1;
    if !is_whole && !user.names_role {
        // The same call again, after an answer that was lost, would end the other role, too.
        let mut errors = FieldErrors::default();
        errors.add("role", NAME_THE_ROLE);
        return roll_back(tx, errors.into()).await;
    }
    let mut changed = Vec::new();
    if is_whole {
        // Their invoices and reports say that a mail waits, which nobody sends any more.
        for shared in db::rows_to_mail_to(&mut tx, &account.email).await? {
            let rev = shared_mail::note_outcome(app, &mut tx, shared, None).await?;
            changed.extend(rev.map(|it| (shared.0, it)));
        }
        db::delete_mail_to(&mut tx, &account.email).await?;
        db::forget_mail_recipient(&mut tx, &account.email).await?;
    } else {
        db::delete_sessions(&mut tx, account.id, Some(&user.session_hash)).await?;
    }
    match account.sitter_id {
        Some(sitter_id) => {
            // No subscription begins from here on that nobody ends.
            if !db::lock_sitter(&mut tx, sitter_id).await? {
                return roll_back(tx, AppError::TokenExpired).await;
            }
            db::insert_billing_farewell(&mut tx, sitter_id, app.now()).await?;
            match is_whole {
                true => db::delete_account(&mut tx, account.id).await?,
                false => db::remove_business(&mut tx, account.id).await?,
            }
            db::close_business(&mut tx, sitter_id, app.now()).await?;
            // What is asked here is worked on here, unless it is very much.
            db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
        }
        None => {
            changed.extend(forget_login(app, &mut tx, account.id).await?);
            match is_whole {
                true => db::delete_account(&mut tx, account.id).await?,
                false => db::remove_parent(&mut tx, account.id).await?,
            }
        }
    }
    tx.commit().await?;
    app.push_queued.notify_one();
    app.mail_queued.notify_one();
    for (sitter_id, rev) in changed {
        app.realtime.changed(sitter_id, rev);
    }
    app.realtime.send(Notice::SessionsEnded {
        user_id: account.id,
    });
    if !is_whole {
        app.realtime.links_changed(account.id);
    }
    let role = account.role.name();
    tracing::info!(user_id = %account.id, role, is_whole, "deleted the account");
    match account.sitter_id {
        // Whatever goes wrong now, the account is gone, and the job goes on with its rows.
        Some(sitter_id) => {
            if let Err(error) = archive::delete_first_rows(app, sitter_id).await {
                let error = redacted(&error);
                tracing::warn!(error, "the rows of a deleted account wait");
            }
        }
        None => {
            // Where somebody reads just then, a part of the log stays until the next hour.
            if let Err(error) = app.db.checkpoint().await {
                tracing::warn!(
                    error = redacted(&error),
                    "the log of the database was not emptied"
                );
            }
        }
    }
    Ok(())
}
