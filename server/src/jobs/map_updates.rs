//! Keeps the areas that came from a mirror up to date, where the operator wants that. The work is done by a process of its
//! own, `walkies map update`: an import's memory and processor time are not the server's.

use std::env::current_exe;
use std::ffi::OsString;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use walkies_core::Instant;

use crate::app::state::App;
use crate::base::log::redacted_chain;
use crate::base::metrics;
use crate::db;

const LOOK_EVERY: Duration = Duration::from_secs(60 * 60);
const CHILD_LOOK_EVERY: Duration = Duration::from_secs(1);
/// The longest update, of which a download may take twelve hours. It ends before another process may claim the same area.
const LONGEST_UPDATE: Duration = Duration::from_secs(22 * 60 * 60);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Updates what is due, for ever: each area every so many days, and a day after a failure. `variables` lead the process
/// that does it to the same data.
pub async fn keep_up_to_date(app: &App, every_days: u32, variables: &[(&'static str, OsString)]) {
    loop {
        let updated = update_due(app, every_days, |area| run_update(area, variables)).await;
        metrics::job("map_updates", updated.is_ok());
        if let Err(error) = updated {
            let error = redacted_chain(&error);
            tracing::warn!(error, "cannot update the map");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Updates the areas that are due by `update`, which is given their names, one after the other. Of several processes on one
/// database one does it.
pub async fn update_due<F>(
    app: &App,
    every_days: u32,
    update: impl Fn(String) -> F,
) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    let mut tx = app.db.read().await?;
    let due = db::map_areas_due(&mut tx, app.now()).await?;
    tx.commit().await?;
    let mut outcome = Ok(());
    for area in due {
        let now = app.now();
        let mut tx = app.db.write().await?;
        let is_ours = db::claim_map_update(&mut tx, &area, now, Instant(now.0 + DAY_MS)).await?;
        tx.commit().await?;
        if !is_ours {
            continue;
        }
        match update(area.clone()).await {
            Ok(()) => {
                let due_at = Instant(app.now().0 + i64::from(every_days) * DAY_MS);
                let mut tx = app.db.write().await?;
                db::set_map_update_due(&mut tx, &area, due_at).await?;
                tx.commit().await?;
            }
            Err(error) => outcome = Err(error),
        }
    }
    outcome
}

async fn run_update(area: String, variables: &[(&'static str, OsString)]) -> anyhow::Result<()> {
    let binary = current_exe().context("the server's own program is not found")?;
    let child = Command::new(binary)
        .args(["map", "update", "--", &area])
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        // It says no more than its last sentence, which a pipe holds until somebody reads it.
        .env("WALKIES_LOG", "off")
        .stderr(Stdio::piped())
        .spawn()
        .context("no process for the update can be started")?;
    let mut child = Ended(child);
    tracing::info!(area, "updating the map");
    let began = std::time::Instant::now();
    loop {
        if let Some(status) = child.0.try_wait()? {
            let mut said = String::new();
            if let Some(stderr) = &mut child.0.stderr {
                stderr.read_to_string(&mut said)?;
            }
            ensure!(status.success(), "{}", said.trim());
            tracing::info!(area, "the map is up to date");
            return Ok(());
        }
        if LONGEST_UPDATE < began.elapsed() {
            bail!(
                "the update of {area} took longer than {} h",
                LONGEST_UPDATE.as_secs() / 3600
            );
        }
        tokio::time::sleep(CHILD_LOOK_EVERY).await;
    }
}

/// A process that ends with whoever waits for it. What it has downloaded stays for the next time, and what a killed import
/// leaves is removed later.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It has ended by itself already, or ends now.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
