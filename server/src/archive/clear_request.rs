//! Clearing a business, and bringing its work back, as a person asks for it. `clear` does the work.

use walkies_core::Id;

use super::clear::UNDO_MS;
use super::rows::is_empty;
use crate::app::session::SitterUser;
use crate::app::state::App;
use crate::app::throttle;
use crate::base::error::AppError;
use crate::db::{self, ClearingRow, Tx, roll_back};

/// Asks for a business to be cleared; `told` is whether the person was told that it can be undone, and must be so.
pub async fn begin_clearing(
    app: &App,
    user_id: Id,
    sitter_id: Id,
    told: Option<bool>,
) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    if db::is_rewritten(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::ImportElsewhere).await;
    }
    // Also what is older than can be undone, as long as it is there: nothing is kept beside it.
    let keeps = db::find_clearing(&mut tx, sitter_id).await?.is_none();
    if told.is_some_and(|it| it != keeps) {
        return roll_back(tx, AppError::ClearingChanged).await;
    }
    if let Err(error) = throttle::clear(app, sitter_id) {
        return roll_back(tx, error).await;
    }
    db::begin_clearing(&mut tx, sitter_id, app.now()).await?;
    tx.commit().await?;
    tracing::info!(%user_id, %sitter_id, "clears the business");
    app.clearing_queued.notify_one();
    Ok(())
}

/// Asks for the work of a cleared business to be brought back.
pub async fn undo_clearing(app: &App, sitter: &SitterUser) -> Result<(), AppError> {
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    if find_clearing(app, &mut tx, sitter_id).await?.is_none() {
        return roll_back(tx, AppError::NotFound).await;
    }
    if db::is_rewritten(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::ImportElsewhere).await;
    }
    if !is_empty(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::NewWork).await;
    }
    db::set_clearing_state(&mut tx, sitter_id, "restoring", None).await?;
    tx.commit().await?;
    tracing::info!(user_id = %sitter.user_id, %sitter_id, "restores the business");
    app.clearing_queued.notify_one();
    Ok(())
}

/// The clearing that can be undone, or is under way.
pub async fn find_clearing(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
) -> sqlx::Result<Option<ClearingRow>> {
    let found = db::find_clearing(tx, sitter_id).await?;
    let is_over = |it: &ClearingRow| it.cleared_at.0 + UNDO_MS <= app.now().0;
    Ok(found.filter(|it| it.state != "cleared" || !is_over(it)))
}
