//! The commands of the binary: flags, start and stop, work of operators, the demo business.

pub mod config;
pub mod demo;
pub mod operator;
pub mod serve;
