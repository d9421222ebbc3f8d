//! Owns the nightly job of series: the visits that the weeks ahead have come to, for each business by the same command on
//! the same path as every other change. It runs each hour and finds work once the day has changed in a business's zone, so
//! that a night that was missed is made up for.

use std::time::Duration;

use walkies_core::commands::ExtendSeries;
use walkies_core::{Command, Id};

use crate::app::session::Member;
use crate::app::state::App;
use crate::app::zone;
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::db::{self, DueSeries, SeriesBusiness};
use crate::write::execute::{CommandRequest, CommandSource, Executed, execute};

/// How often it looks for work.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// So many businesses are read at once.
const AT_ONCE: u32 = 100;
/// The most commands for one business in a row: each has the visits of one series at least.
const MOST_COMMANDS: usize = 1_000;

/// Makes the visits of series, for ever.
pub async fn extend(app: &App) {
    loop {
        if let Err(error) = extend_once(app).await {
            tracing::warn!(error = redacted(&error), "cannot extend series");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Makes the visits of the series that have work today.
pub async fn extend_once(app: &App) -> sqlx::Result<()> {
    for (time_zone, zone) in zone::of_businesses(app).await? {
        let due = DueSeries {
            time_zone,
            today: app.now().civil(&zone).0,
        };
        let mut after = Id::default();
        loop {
            let mut tx = app.db.read_autocommit().await?;
            let found = db::businesses_with_due_series(&mut tx, &due, after, AT_ONCE).await?;
            drop(tx);
            let Some(last) = found.last() else { break };
            after = last.sitter_id;
            for business in &found {
                if let Err(error) = extend_business(app, business, &due).await {
                    // It is tried again within the hour.
                    tracing::warn!(?error, "cannot extend the series of a business");
                }
            }
        }
    }
    Ok(())
}

/// Sends commands until nothing is due. A second process that does the same decides on what the first one has left.
pub async fn extend_business(
    app: &App,
    business: &SeriesBusiness,
    due: &DueSeries,
) -> Result<(), AppError> {
    for _ in 0..MOST_COMMANDS {
        let request = CommandRequest {
            member: Member {
                user_id: business.user_id,
                sitter_id: business.sitter_id,
                link: None,
            },
            command: Ok(Command::ExtendSeries(ExtendSeries {})),
            key: None,
            source: CommandSource::Rest { if_match: None },
        };
        match execute(app, &request).await? {
            Executed::Decided {
                decided: Ok(decision),
                ..
            } if !decision.changes.is_empty() => {}
            Executed::Decided {
                decided: Err(refusal),
                ..
            } => {
                let sitter_id = business.sitter_id;
                tracing::warn!(%sitter_id, code = refusal.code(), "cannot extend series: command refused");
                break;
            }
            _ => break,
        }
        let mut tx = app.db.read_autocommit().await?;
        if !db::has_due_series(&mut tx, business.sitter_id, due).await? {
            break;
        }
    }
    Ok(())
}
