//! Owns what an operator's Prometheus reads of this process: the names, and what they count. Without `--metrics-listen`
//! nothing is counted.
//!
//! INVARIANT: No label has a value that a caller chooses, and none is about a person or a business.
//! Routes are templates; everything else is of a list in this program.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use axum::extract::MatchedPath;
use axum::http::Method;
use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const REQUESTS: &str = "walkies_http_requests_total";
const REQUEST_SECONDS: &str = "walkies_http_request_duration_seconds";
const COMMANDS: &str = "walkies_commands_total";
const SYNC_STOPS: &str = "walkies_sync_stops_total";
const CONNECTIONS: &str = "walkies_connections";
const WRITE_WAIT: &str = "walkies_database_write_wait_seconds";
const MAILS: &str = "walkies_mails_total";
const PUSHES: &str = "walkies_notifications_total";
const JOBS: &str = "walkies_jobs_total";
pub(crate) const QUEUE_LENGTH: &str = "walkies_queue_length";
pub(crate) const QUEUE_AGE: &str = "walkies_queue_oldest_age_seconds";
pub(crate) const DATABASE_UP: &str = "walkies_database_up";
pub(crate) const DATABASE_BYTES: &str = "walkies_database_bytes";
pub(crate) const FREE_BYTES: &str = "walkies_data_folder_free_bytes";
pub(crate) const RESERVE_BYTES: &str = "walkies_disk_reserve_bytes";
const STORAGE_REFUSALS: &str = "walkies_storage_refusals_total";
pub(crate) const MEMORY_BYTES: &str = "process_resident_memory_bytes";

/// All of them.
pub const NAMES: [&str; 17] = [
    REQUESTS,
    REQUEST_SECONDS,
    COMMANDS,
    SYNC_STOPS,
    CONNECTIONS,
    WRITE_WAIT,
    MAILS,
    PUSHES,
    JOBS,
    QUEUE_LENGTH,
    QUEUE_AGE,
    DATABASE_UP,
    DATABASE_BYTES,
    FREE_BYTES,
    RESERVE_BYTES,
    STORAGE_REFUSALS,
    MEMORY_BYTES,
];

/// From an answer out of memory to one that the time limit ends, in seconds.
const BUCKETS: [f64; 10] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// Begins to count in this process. May be called once.
pub fn install() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)?;
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).context("metrics are counted already")?;
    describe_counter!(
        REQUESTS,
        "Requests by route, method and class of the status"
    );
    describe_histogram!(
        REQUEST_SECONDS,
        Unit::Seconds,
        "How long requests took, by route"
    );
    describe_counter!(COMMANDS, "Commands by their names and what came of them");
    describe_counter!(SYNC_STOPS, "Pushes of phones that stopped, by the reason");
    describe_gauge!(CONNECTIONS, "Open connections by what they are doing");
    describe_histogram!(
        WRITE_WAIT,
        Unit::Seconds,
        "How long writes waited for their turn at the database"
    );
    describe_counter!(MAILS, "Tries to send a mail, by what came of them");
    describe_counter!(PUSHES, "Tries to send a notification, by what came of them");
    describe_counter!(
        JOBS,
        "Runs of what the server does on its own, by what came of them"
    );
    describe_gauge!(QUEUE_LENGTH, "What waits, by queue");
    describe_gauge!(
        QUEUE_AGE,
        Unit::Seconds,
        "The age of what has waited for the longest time, by queue"
    );
    describe_gauge!(
        DATABASE_UP,
        "Whether the database answers; the queues are as they were when it last did"
    );
    describe_gauge!(
        DATABASE_BYTES,
        Unit::Bytes,
        "The size of the SQLite database with its log"
    );
    describe_gauge!(
        FREE_BYTES,
        Unit::Bytes,
        "What is free on the disk of the data folder"
    );
    describe_gauge!(
        RESERVE_BYTES,
        Unit::Bytes,
        "What files and imports leave free on the disk of the data"
    );
    describe_counter!(
        STORAGE_REFUSALS,
        "Files and imports that were refused because the disk is nearly full, by the reason"
    );
    describe_gauge!(
        MEMORY_BYTES,
        Unit::Bytes,
        "The memory that this process has"
    );
    // What has not happened yet is 0 and not missing: Prometheus sees the first one.
    for (name, label, values) in LISTS {
        for value in *values {
            counter!(*name, *label => *value).increment(0);
        }
    }
    Ok(handle)
}

/// Counters with one label: its values.
const LISTS: &[(&str, &str, &[&str])] = &[
    (MAILS, "outcome", &["sent", "later", "given_up"]),
    (PUSHES, "outcome", &["sent", "later", "given_up", "gone"]),
    (STORAGE_REFUSALS, "reason", &["reserve", "share"]),
    (
        SYNC_STOPS,
        "reason",
        &["busy", "too_new", "failed", "out_of_order", "other_server"],
    ),
];

/// A request that was answered. What is no route of ours counts as one of two.
pub fn request(
    route: Option<&MatchedPath>,
    is_page: bool,
    method: &Method,
    status: u16,
    took: Duration,
) {
    let route = match route {
        Some(route) => route.as_str().to_owned(),
        None if is_page => "page".to_owned(),
        None => "none".to_owned(),
    };
    let method = match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        _ => "other",
    };
    let class = match status {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    };
    histogram!(REQUEST_SECONDS, "route" => route.clone()).record(took);
    counter!(REQUESTS, "route" => route, "method" => method, "status" => class).increment(1);
}

/// A command that was decided; `name` is that of a kind.
pub fn command(name: &'static str, outcome: &'static str) {
    counter!(COMMANDS, "command" => name, "outcome" => outcome).increment(1);
}

/// A phone's push that stopped.
pub fn sync_stop(why: &'static str) {
    counter!(SYNC_STOPS, "reason" => why).increment(1);
}

/// A file or an import that the disk has no room for.
pub fn storage_refusal(why: &'static str) {
    counter!(STORAGE_REFUSALS, "reason" => why).increment(1);
}

/// How many connections do this now.
pub fn connections(state: &'static str, count: usize) {
    gauge!(CONNECTIONS, "state" => state).set(count as f64);
}

/// A write has its turn.
pub fn write_wait(since: Instant) {
    histogram!(WRITE_WAIT).record(since.elapsed());
}

/// A try to send a mail.
pub fn mail(outcome: &'static str) {
    counter!(MAILS, "outcome" => outcome).increment(1);
}

/// A try to send a notification.
pub fn push(outcome: &'static str) {
    counter!(PUSHES, "outcome" => outcome).increment(1);
}

/// A run of something that the server does on its own.
pub fn job(name: &'static str, is_done: bool) {
    let outcome = if is_done { "done" } else { "failed" };
    counter!(JOBS, "job" => name, "outcome" => outcome).increment(1);
}

/// Interval at which recorded values are aggregated, whether or not anybody reads them: until then each of them takes
/// memory.
const COUNT_UP_EVERY: Duration = Duration::from_secs(5);

/// Counts up what was recorded, for ever.
pub async fn count_up(handle: &PrometheusHandle) {
    loop {
        handle.run_upkeep();
        tokio::time::sleep(COUNT_UP_EVERY).await;
    }
}
