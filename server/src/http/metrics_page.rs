//! Owns the address of their own on which metrics are told, and those that are read only when they are asked for: the
//! queues, the disk and memory.

use std::path::PathBuf;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use metrics::gauge;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::app::state::AppState;
use crate::base::log::redacted;
use crate::base::metrics::{
    DATABASE_BYTES, DATABASE_UP, FREE_BYTES, MEMORY_BYTES, QUEUE_AGE, QUEUE_LENGTH, RESERVE_BYTES,
};
use crate::db;

/// Everything that a request for the metrics is answered from.
#[derive(Clone)]
pub struct Source {
    /// Renders the recorded counters and gauges.
    pub handle: PrometheusHandle,
    /// The server's state, for the lengths of its queues and the disk reserve.
    pub state: AppState,
    /// The data folder.
    pub data: PathBuf,
    /// The file of SQLite.
    pub database: Option<PathBuf>,
}

/// Creates the router of the metrics' own address, which serves `/metrics` alone.
pub fn router(source: Source) -> Router {
    Router::new()
        .route("/metrics", get(tell))
        .with_state(source)
}

async fn tell(State(source): State<Source>) -> impl IntoResponse {
    // Without the database all else is told, which is what somebody looks for just then.
    let looked = look_at_queues(&source.state).await;
    gauge!(DATABASE_UP).set(if looked.is_ok() { 1.0 } else { 0.0 });
    if let Err(error) = looked {
        tracing::warn!(error = redacted(&error), "the queues cannot be counted");
    }
    look_at_disk(&source);
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], source.handle.render()).into_response()
}

async fn look_at_queues(state: &AppState) -> sqlx::Result<()> {
    let now = state.now();
    let queues = db::queues(&mut state.db.read_autocommit().await?).await?;
    for queue in queues {
        gauge!(QUEUE_LENGTH, "queue" => queue.name).set(queue.length as f64);
        // What was dropped before its moment was kept has 0.
        let since = queue.since.filter(|it| 0 < it.0);
        let age_ms = since.map_or(0, |it| (now.0 - it.0).max(0));
        gauge!(QUEUE_AGE, "queue" => queue.name).set(age_ms as f64 / 1000.0);
    }
    Ok(())
}

fn look_at_disk(source: &Source) {
    if let Ok(disk) = rustix::fs::statvfs(&source.data) {
        gauge!(FREE_BYTES).set((disk.f_bavail * disk.f_frsize) as f64);
    }
    if let Some(space) = source.state.disk.space() {
        gauge!(RESERVE_BYTES).set(space.reserve() as f64);
    }
    if let Some(file) = &source.database {
        let mut log = file.clone().into_os_string();
        log.push("-wal");
        let length = |path: PathBuf| std::fs::metadata(path).map_or(0, |it| it.len());
        gauge!(DATABASE_BYTES).set((length(file.clone()) + length(log.into())) as f64);
    }
    // proc(5): the second number is that of the pages that are in memory.
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|it| it.split(' ').nth(1)?.parse::<usize>().ok());
    if let Some(pages) = pages {
        gauge!(MEMORY_BYTES).set((pages * rustix::param::page_size()) as f64);
    }
}
