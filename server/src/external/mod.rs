//! Clients of external services: mail servers, Stripe, push services, walking directions, geocoders,
//! map mirrors.

pub mod directions;
pub mod geocoder;
pub mod mail;
pub mod mail_html;
pub mod map_mirror;
pub mod push_service;
pub mod service;
pub mod stripe;
