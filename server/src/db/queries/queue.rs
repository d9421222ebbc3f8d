//! Owns how much waits in each queue, for the operator.

use walkies_core::Instant;

use crate::db::engine::{Column, DbRow, Tx};

/// State of a queue, for the operator.
#[derive(Clone, Copy, Debug)]
pub struct QueueState {
    /// The queue's name, as in the metrics.
    pub name: &'static str,
    /// The number of entries that wait.
    pub length: u64,
    /// Since when the oldest of it waits, where something does.
    pub since: Option<Instant>,
}

/// All queues. What was given up waits no more.
pub async fn queues(tx: &mut Tx) -> sqlx::Result<Vec<QueueState>> {
    let mut queues = Vec::new();
    for (name, sql) in QUEUES {
        let read = |row: &dyn DbRow| {
            Ok(QueueState {
                name,
                length: Column::get(row, "n")?,
                since: Column::read(row, "since_ms")?,
            })
        };
        queues.push(tx.fetch_one(sql, [], read).await?);
    }
    Ok(queues)
}

const QUEUES: [(&str, &str); 7] = [
    (
        "imports",
        "SELECT count(*) AS n, min(coalesce(started_at_ms, changed_at_ms)) AS since_ms FROM import \
         WHERE state IN ('checking', 'writing', 'undoing')",
    ),
    (
        "closed businesses",
        "SELECT count(*) AS n, min(importing_since_ms) AS since_ms FROM sitter WHERE importing_since_ms IS NOT NULL",
    ),
    (
        "mail",
        "SELECT count(*) AS n, min(created_at_ms) AS since_ms FROM mail_job WHERE NOT failed",
    ),
    (
        "notifications",
        "SELECT count(*) AS n, min(created_at_ms) AS since_ms FROM push_delivery",
    ),
    (
        "photos to remove",
        "SELECT count(*) AS n, min(due_at_ms) AS since_ms FROM dropped_photo",
    ),
    (
        "documents to remove",
        "SELECT count(*) AS n, min(due_at_ms) AS since_ms FROM dropped_document",
    ),
    (
        "videos to remove",
        "SELECT count(*) AS n, min(due_at_ms) AS since_ms FROM dropped_video_piece",
    ),
];
