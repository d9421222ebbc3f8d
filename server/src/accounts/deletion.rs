//! The end of an account: a pet parent's at once, a sitter's with the whole business.

use super::client_links::forget_login;
use crate::app::realtime::Notice;
use crate::app::state::App;
use crate::archive;
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::db::{self, Account, roll_back};
use crate::write::shared_mail;

/// Deletes an account for good, and begins to delete the rows of its business.
pub(crate) async fn delete_own_account(app: &App, account: &Account) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    let mut changed = Vec::new();
    // Their invoices and reports say that a mail waits, which nobody sends any more.
    for shared in db::rows_to_mail_to(&mut tx, &account.email).await? {
        let rev = shared_mail::note_outcome(app, &mut tx, shared, None).await?;
        changed.extend(rev.map(|it| (shared.0, it)));
    }
    db::delete_mail_to(&mut tx, &account.email).await?;
    db::forget_mail_recipient(&mut tx, &account.email).await?;
    match account.sitter_id {
        Some(sitter_id) => {
            // No subscription begins from here on that nobody ends.
            if !db::lock_sitter(&mut tx, sitter_id).await? {
                return roll_back(tx, AppError::TokenExpired).await;
            }
            db::insert_billing_farewell(&mut tx, sitter_id, app.now()).await?;
            db::close_business(&mut tx, sitter_id, account.id, app.now()).await?;
            // What is asked here is worked on here, unless it is very much.
            db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
        }
        None => {
            changed.extend(forget_login(app, &mut tx, account.id).await?);
            db::delete_account(&mut tx, account.id).await?;
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
    tracing::info!(user_id = %account.id, "deleted the account");
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
