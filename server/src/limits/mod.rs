//! Limits against overload: rates, permits, queues, connections, request bodies and responses in memory, disk space.
//! `app::throttle` says which calls count together.

pub mod bodies;
pub mod concurrency;
pub mod disk;
pub mod listen;
pub mod long_writes;
pub mod outgoing;
pub mod permits;
pub mod rate;
pub mod uploads;
