//! Tests of a whole server process: it is killed, its disk fills up, a video comes, its map is changed beside it,
//! others look into its folder, its operator looks at its metrics.

#[path = "../support/extract.rs"]
mod extract;

mod disk_full;
mod kill;
mod map;
mod metrics;
mod phone;
mod postgres;
mod private;
mod server;
mod video;
