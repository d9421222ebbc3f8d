//! Owns the numbers of SPEC 9 that screens need, in one value.

use serde::Serialize;

use crate::Time;
use crate::rows::offering::{CATEGORIES, DEFAULT_DURATION_MINUTES, ICONS};
use crate::rules::account::{MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH};
use crate::rules::message::{COUNTER_BEYOND, COUNTER_RED_BEYOND};
use crate::rules::photo::{MAX_MESSAGE_IMAGE_BYTES, MAX_PHOTO_BYTES};
use crate::rules::scheduling::{
    CONSTRAINTS, Constraints, DEFAULT_START, DURATION_OPTIONS, STEP_MINUTES, start_times,
};
use crate::rules::usage::{NEAR_PERCENT, UNLIMITED};
use crate::screens::calendar::UPCOMING_DAYS;
use crate::values::bounds::SAVED_ROUTES;
use crate::values::format;

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
pub struct TimeOption {
    /// `09:30`.
    pub value: Time,
    /// `9:30 AM`.
    pub label: String,
}

/// A choice of a select.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DurationOption {
    /// `90`.
    pub minutes: u32,
    /// `1 h 30 min`.
    pub label: String,
}

/// Every number and list of SPEC 9 that a screen needs, in one value.
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
    pub list_days_back: u32,
    pub list_days_ahead_after_month: u32,
    pub offering_icons: Vec<&'static str>,
    pub offering_categories: Vec<&'static str>,
    pub offering_default_duration_minutes: u32,
    pub max_photo_bytes: u64,
    pub max_message_image_bytes: u64,
    pub camera_quality: f64,
    pub camera_max_px: u32,
    pub message_counter_beyond: u32,
    pub message_counter_red_beyond: u32,
    pub message_page_size: u32,
    pub message_search_size: u32,
    pub message_gap_minutes: u32,
    pub typing_idle_ms: u32,
    pub typing_max_ms: u32,
    pub request_poll_ms: u32,
    pub cache_stale_ms: u32,
    pub retries: u32,
    pub retry_first_ms: u32,
    pub offline_grace_days: u32,
    pub clock_wrong_minutes: u32,
    pub badge_max: u32,
    pub unlimited: i64,
    pub near_limit_percent: i64,
    pub min_password_length: u32,
    pub max_password_length: u32,
    pub saved_routes: u32,
    pub profile_later_days: u32,
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The numbers of SPEC 9.
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
        list_days_back: 7,
        list_days_ahead_after_month: 7,
        offering_icons: ICONS.into(),
        offering_categories: CATEGORIES.into(),
        offering_default_duration_minutes: DEFAULT_DURATION_MINUTES,
        max_photo_bytes: MAX_PHOTO_BYTES,
        max_message_image_bytes: MAX_MESSAGE_IMAGE_BYTES,
        camera_quality: 0.8,
        camera_max_px: 1024,
        message_counter_beyond: count(COUNTER_BEYOND),
        message_counter_red_beyond: count(COUNTER_RED_BEYOND),
        message_page_size: 50,
        message_search_size: 100,
        message_gap_minutes: 5,
        typing_idle_ms: 1000,
        typing_max_ms: 3000,
        request_poll_ms: 30_000,
        cache_stale_ms: 300_000,
        retries: 3,
        retry_first_ms: 1000,
        offline_grace_days: OFFLINE_GRACE_DAYS,
        clock_wrong_minutes: CLOCK_WRONG_MINUTES,
        badge_max: 9,
        unlimited: UNLIMITED,
        near_limit_percent: NEAR_PERCENT,
        min_password_length: count(MIN_PASSWORD_LENGTH),
        max_password_length: count(MAX_PASSWORD_LENGTH),
        saved_routes: count(SAVED_ROUTES),
        profile_later_days: PROFILE_LATER_DAYS,
    }
}
