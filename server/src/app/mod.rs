//! State that every call shares: settings, sessions, rate limits, time zones, open apps, keys.

pub mod billing_settings;
pub mod dropped_files;
pub mod password;
pub mod poison_commands;
pub mod push_keys;
pub mod quiet_hours;
pub mod realtime;
pub mod session;
pub mod settings;
pub mod state;
pub mod throttle;
pub mod zone;
