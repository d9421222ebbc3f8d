//! Clients of external services: mail servers, Stripe, push services, walking directions.

pub mod directions;
pub mod mail;
pub mod map_mirror;
pub mod push_service;
pub mod service;
pub mod stripe;
