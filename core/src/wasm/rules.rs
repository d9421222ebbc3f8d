//! Binds rules that need no replica, and what the schedule's screens read from one.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fresh_id, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::rules::account::{self, SignInForm};
use crate::rules::photo::{self, PickedFile};
use crate::rules::video;
use crate::rules::ways_to_client;
use crate::screens::calendar::{self, CalendarDay, CalendarView, DayCount, ServiceView};
use crate::screens::limits::Limits;
use crate::values::typed_date::{self, TypedSeries};
use crate::values::typed_number::{self, NumberKind, TypedNumber};
use crate::values::units::{HourCycle, Units};
use crate::values::{bounds, format, transport};
use crate::{Cents, Date, FieldErrors, Instant, Time};

/// A new id.
#[wasm_bindgen(js_name = newId)]
pub fn new_id() -> String {
    fresh_id().to_string()
}

/// Every number and list of the specification that a screen needs.
#[wasm_bindgen]
pub fn limits() -> Result<Json<Limits>, JsError> {
    to_js(&crate::screens::limits::limits())
}

/// Returns the errors of a sign-in form.
#[wasm_bindgen(js_name = validateSignIn)]
pub fn validate_sign_in(form: Ts<SignInForm>) -> Result<Json<FieldErrors>, JsError> {
    to_js(&account::sign_in_errors(&form.to_rust()?))
}

/// Why a picked file is no photo, if it is none.
#[wasm_bindgen(js_name = checkPhoto)]
pub fn check_photo(file: Option<Ts<PickedFile>>) -> Result<Option<String>, JsError> {
    let file = file.map(|it| it.to_rust()).transpose()?;
    Ok(photo::check(file.as_ref()).err().map(|it| it.to_string()))
}

/// Why a picked file cannot be uploaded as a video, if it cannot.
#[wasm_bindgen(js_name = checkVideo)]
pub fn check_video(file: Ts<PickedFile>) -> Result<Option<String>, JsError> {
    Ok(video::check(&file.to_rust()?)
        .err()
        .map(|it| it.to_string()))
}

/// The most characters that the text of this field has.
#[wasm_bindgen(js_name = textBound)]
pub fn text_bound(field: &str) -> usize {
    bounds::text(field)
}

/// Returns the error of a field's text that has control characters, is too long, or names a day out of bounds.
#[wasm_bindgen(js_name = textError)]
pub fn text_error(field: &str, content: &str) -> Option<String> {
    bounds::text_error(field, content)
}

/// The number or amount that a person has typed, or why it is none.
#[wasm_bindgen(js_name = readNumber)]
pub fn read_number(text: &str, kind: Ts<NumberKind>) -> Result<Json<TypedNumber>, JsError> {
    to_js(&typed_number::read(text, kind.to_rust()?))
}

/// `$1,234.50`, from dollars.
#[wasm_bindgen(js_name = formatDollars)]
pub fn format_dollars(dollars: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a saturating cast is right for a number to read"
    )]
    let cents = (dollars * 100.0).round() as i64;
    Cents(cents).to_string()
}

/// `9:30 AM`, from `09:30`.
#[wasm_bindgen(js_name = formatTime)]
pub fn format_time(time: &str, cycle: Ts<HourCycle>) -> Result<String, JsError> {
    Ok(format::time(time.parse::<Time>()?, cycle.to_rust()?))
}

/// `9:30 AM - 10:00 AM`, from `09:30` on.
#[wasm_bindgen(js_name = formatTimeRange)]
pub fn format_time_range(
    start: &str,
    minutes: u32,
    cycle: Ts<HourCycle>,
) -> Result<String, JsError> {
    let start = start.parse::<Time>()?;
    Ok(format::time_range(start, minutes, cycle.to_rust()?))
}

/// `Nov 20, 2026`.
#[wasm_bindgen(js_name = formatDate)]
pub fn format_date(date: &str) -> Result<String, JsError> {
    Ok(format::date(date.parse::<Date>()?))
}

/// `Friday, November 20`.
#[wasm_bindgen(js_name = formatDateHeading)]
pub fn format_date_heading(date: &str) -> Result<String, JsError> {
    Ok(format::date_heading(date.parse::<Date>()?))
}

/// Formats a month heading: `November 2026`.
#[wasm_bindgen(js_name = formatMonthHeading)]
pub fn format_month_heading(date: &str) -> Result<String, JsError> {
    Ok(format::month_heading(date.parse::<Date>()?))
}

/// `1 h 30 min`.
#[wasm_bindgen(js_name = formatDuration)]
pub fn format_duration(minutes: u32) -> String {
    format::duration(minutes)
}

/// `Biscuit, Rex and Luna`.
#[wasm_bindgen(js_name = formatNames)]
pub fn format_names(names: Vec<String>) -> String {
    format::names(&names)
}

/// Words for something that is being shared and has not reached the server.
#[wasm_bindgen(js_name = whileSharing)]
pub fn while_sharing(what: &str, online: bool) -> String {
    ways_to_client::while_waiting(what, online)
}

/// Words for a pet parent who has changed home or pets.
#[wasm_bindgen(js_name = savedByParent)]
pub fn saved_by_parent(can_send: bool) -> String {
    ways_to_client::saved_by_parent(can_send).to_owned()
}

/// A person's words within a sentence of ours.
#[wasm_bindgen(js_name = setApart)]
pub fn set_apart(words: &str) -> String {
    format::set_apart(words)
}

/// `1.2 mi`, `350 m`.
#[wasm_bindgen(js_name = formatDistance)]
pub fn format_distance(meters: f64, units: Ts<Units>) -> Result<String, JsError> {
    Ok(format::distance(meters, units.to_rust()?))
}

/// `70 lbs`, `31.8 kg`.
#[wasm_bindgen(js_name = formatWeight)]
pub fn format_weight(pounds: f64, units: Ts<Units>) -> Result<String, JsError> {
    Ok(format::weight(pounds, units.to_rust()?))
}

/// Returns the text for a failed request; status 0 is a server that cannot be reached.
#[wasm_bindgen(js_name = transportError)]
pub fn transport_error(status: u16, said: &str) -> String {
    transport::transport_error(status, said)
}

/// Returns the text for a failed upload.
#[wasm_bindgen(js_name = uploadError)]
pub fn upload_error(status: u16, said: &str) -> String {
    transport::upload_error(status, said)
}

/// A date some days later, or earlier when negative.
#[wasm_bindgen(js_name = plusDays)]
pub fn plus_days(date: &str, days: i32) -> Result<String, JsError> {
    Ok(date.parse::<Date>()?.plus_days(days.into()).to_string())
}

/// The Sunday that begins a date's week.
#[wasm_bindgen(js_name = weekStart)]
pub fn week_start(date: &str) -> Result<String, JsError> {
    Ok(date.parse::<Date>()?.week_start().to_string())
}

/// Queries of the schedule's screens.
#[wasm_bindgen]
impl Phone {
    /// The days of a calendar view, on which no service is drawn lower than so many minutes.
    #[wasm_bindgen(js_name = calendarDays)]
    pub fn calendar_days(
        &self,
        view: Ts<CalendarView>,
        selected: &str,
        least_minutes: u32,
        now_ms: f64,
    ) -> Result<Json<[CalendarDay]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        list_to_js(&calendar::days(
            self.replica.business(),
            view.to_rust()?,
            selected.parse()?,
            least_minutes,
            &now,
        ))
    }

    /// One service; whether it is overdue is told where the time is given.
    pub fn service(
        &self,
        id: &str,
        now_ms: Option<f64>,
    ) -> Result<Option<Json<ServiceView>>, JsError> {
        let business = self.replica.business();
        let service = business.service(id.parse()?);
        let now = now_ms.map(|it| self.replica.now(moment(it)));
        service
            .map(|it| to_js(&ServiceView::at(it, business.hour_cycle(), now.as_ref())))
            .transpose()
    }

    /// How many services each of these days has.
    #[wasm_bindgen(js_name = dayCounts)]
    pub fn day_counts(&self, first: &str, last: &str) -> Result<Json<[DayCount]>, JsError> {
        list_to_js(&calendar::counts(
            self.replica.business(),
            first.parse()?,
            last.parse()?,
        ))
    }

    /// The date that a person has typed, such as `tomorrow`, `nov 30` or `12/24`, if it is one.
    #[wasm_bindgen(js_name = findDate)]
    pub fn find_date(&self, text: &str, now_ms: f64) -> Option<String> {
        let today = self.replica.now(moment(now_ms)).today();
        typed_date::find(text, today).map(|it| it.to_string())
    }

    /// The booking that repeats that a person has typed, such as `every mon 12:00 Luna`; none unless it begins with `every`.
    #[wasm_bindgen(js_name = findSeries)]
    pub fn find_series(
        &self,
        text: &str,
        now_ms: f64,
    ) -> Result<Option<Json<TypedSeries>>, JsError> {
        let today = self.replica.now(moment(now_ms)).today();
        let found = typed_date::find_series(text, today);
        found.map(|it| to_js(&it)).transpose()
    }

    /// `Just now`, `5m ago`, `Nov 20, 2026`; `at` is RFC 3339.
    #[wasm_bindgen(js_name = relativeTime)]
    pub fn relative_time(&self, at: &str, now_ms: f64) -> Result<String, JsError> {
        let at: Instant = at.parse()?;
        Ok(format::relative_time(at, &self.replica.now(moment(now_ms))))
    }
}
