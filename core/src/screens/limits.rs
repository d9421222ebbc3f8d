//! Owns the numbers that the phone's TypeScript needs, most of them of SPEC 9, in one value.

use serde::Serialize;

use crate::Time;
use crate::rows::blocked_time::{BLOCK_TYPES, BlockType};
use crate::rows::offering::{CATEGORIES, ICONS};
use crate::rules::account::MIN_PASSWORD_LENGTH;
use crate::rules::live_map::LIVE_MAP_NEWS_MS;
use crate::rules::report::REPORT_HOME_M;
use crate::rules::scheduling::{
    CONSTRAINTS, Constraints, DEFAULT_START, DURATION_OPTIONS, STEP_MINUTES, start_times,
};
use crate::rules::video::MAX_UNCOMPRESSED_VIDEO_BYTES;
use crate::rules::words::block_type_name;
use crate::screens::calendar::UPCOMING_DAYS;
use crate::values::bounds::{
    CALENDAR_DAYS, COMMANDS_IN_A_PUSH, INVOICE_PHOTOS, INVOICE_VIDEOS, MORE_TAXES, PARENTS,
    REQUESTS_AT_ONCE, SAVED_ROUTES,
};
use crate::values::format;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::transport::{CONNECTION_RESET, CONNECTION_TIMED_OUT, UNEXPECTED};

/// How long an expired session may be worked with, from when the server last confirmed it. After that the phone keeps
/// what waits to be sent, encrypted, and nothing else.
pub const OFFLINE_GRACE_DAYS: u32 = 14;

/// How far a phone's clock may be from the server's before the phone says so.
pub const CLOCK_WRONG_MINUTES: u32 = 30;

/// How long the reminder of an incomplete profile stays away that was put off: long enough to be left in peace, short
/// enough not to be forgotten.
pub const PROFILE_LATER_DAYS: u32 = 7;

/// A choice of a select.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DurationOption {
    /// Length in minutes: `90`.
    pub minutes: u32,
    /// `1 h 30 min`.
    pub label: String,
}

/// A choice of a select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BlockTypeOption {
    /// Value of the field: `lunch`.
    pub value: BlockType,
    /// Label of the choice: `Lunch`.
    pub label: &'static str,
}

/// The numbers and lists that screens and the sync need, in one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[expect(
    missing_docs,
    reason = "each name is the specification's phrase with its unit"
)]
pub struct Limits {
    pub constraints: Constraints,
    pub duration_options: Vec<DurationOption>,
    pub start_times: Vec<Time>,
    pub default_start_time: Time,
    pub calendar_hour_px: u32,
    pub calendar_slot_minutes: u32,
    pub calendar_step_minutes: u32,
    pub calendar_normal_from_hour: u32,
    pub calendar_normal_to_hour: u32,
    pub calendar_scroll_to_hour: u32,
    pub calendar_multiday_days: u32,
    pub sidebar_upcoming: u32,
    pub upcoming_days: i64,
    pub offering_icons: Vec<&'static str>,
    pub offering_categories: Vec<&'static str>,
    pub block_types: Vec<BlockTypeOption>,
    pub badge_most: u32,
    pub camera_quality: f64,
    pub camera_max_px: u32,
    pub uncompressed_video_bytes: u64,
    pub invoice_photos: u32,
    pub invoice_videos: u32,
    pub more_taxes: u32,
    pub offline_grace_days: u32,
    pub clock_wrong_minutes: u32,
    pub report_home_m: u32,
    pub live_map_minutes: u32,
    pub min_password_length: u32,
    pub saved_routes: u32,
    pub parents: u32,
    pub commands_in_a_push: u32,
    pub requests_at_once: u32,
    pub calendar_days: u32,
    pub profile_later_days: u32,
    pub retries: u32,
    pub retry_ms: u32,
    pub longest_retry_ms: u32,
    pub longest_retry_in_sight_ms: u32,
    pub poll_ms: u32,
    pub tries_alone: u32,
    pub most_patience_s: u32,
    pub socket_retry_ms: u32,
    pub longest_socket_retry_ms: u32,
    pub connection_reset: &'static str,
    pub connection_timed_out: &'static str,
    pub unexpected_error: &'static str,
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// All of them.
pub fn limits() -> Limits {
    Limits {
        constraints: CONSTRAINTS,
        duration_options: DURATION_OPTIONS
            .map(|minutes| DurationOption {
                minutes,
                label: format::duration(minutes),
            })
            .into(),
        start_times: start_times().collect(),
        default_start_time: DEFAULT_START,
        calendar_hour_px: 120,
        calendar_slot_minutes: 30,
        calendar_step_minutes: STEP_MINUTES,
        calendar_normal_from_hour: 6,
        calendar_normal_to_hour: 22,
        calendar_scroll_to_hour: 6,
        calendar_multiday_days: 5,
        sidebar_upcoming: 8,
        upcoming_days: UPCOMING_DAYS,
        offering_icons: ICONS.into(),
        offering_categories: CATEGORIES.into(),
        block_types: BLOCK_TYPES
            .map(|value| BlockTypeOption {
                value,
                label: block_type_name(value),
            })
            .into(),
        badge_most: 9,
        camera_quality: 0.8,
        camera_max_px: 1024,
        uncompressed_video_bytes: MAX_UNCOMPRESSED_VIDEO_BYTES,
        invoice_photos: count(INVOICE_PHOTOS),
        invoice_videos: count(INVOICE_VIDEOS),
        more_taxes: count(MORE_TAXES),
        offline_grace_days: OFFLINE_GRACE_DAYS,
        clock_wrong_minutes: CLOCK_WRONG_MINUTES,
        report_home_m: REPORT_HOME_M as u32,
        live_map_minutes: (LIVE_MAP_NEWS_MS / MS_PER_MINUTE) as u32,
        min_password_length: count(MIN_PASSWORD_LENGTH),
        saved_routes: count(SAVED_ROUTES),
        parents: count(PARENTS),
        commands_in_a_push: count(COMMANDS_IN_A_PUSH),
        requests_at_once: count(REQUESTS_AT_ONCE),
        calendar_days: CALENDAR_DAYS,
        profile_later_days: PROFILE_LATER_DAYS,
        retries: 3,
        retry_ms: 1_000,
        longest_retry_ms: 60_000,
        longest_retry_in_sight_ms: 10_000,
        poll_ms: 30_000,
        // So often what the server does not take is sent alone, while the server is well, before it is set aside.
        tries_alone: 3,
        // No server asks for more of who waits for it.
        most_patience_s: 600,
        socket_retry_ms: 2_000,
        longest_socket_retry_ms: 120_000,
        connection_reset: CONNECTION_RESET,
        connection_timed_out: CONNECTION_TIMED_OUT,
        unexpected_error: UNEXPECTED,
    }
}
