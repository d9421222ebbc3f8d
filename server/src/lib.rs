//! The server of Walkies as a library: tests and the simulation build the real router on a real database with it.

pub mod db;
