//! Owns the row of a walk, a drop-in or a stay (SPEC 3).

use serde::Serialize;

use crate::rows::offering::StayUnit;
use crate::rows::series_date::SeriesDate;
use crate::rows::shared_mail::VisitMail;
use crate::values::field::{Field, date, money, plain, time};
use crate::values::interval::Interval;
use crate::values::json::{read_by_field, read_by_name, read_in_place};
use crate::values::walk_event::WalkEventKind;
use crate::{Cents, Date, Id, Instant, Time};

/// The service types that a new pattern or blocked time applies to until someone says otherwise.
pub(crate) const BOTH: [ServiceType; 2] = [ServiceType::Walk, ServiceType::Dropin];

/// How long a walk or a drop-in takes until someone says otherwise (SPEC 3, Scheduling constraints).
pub const DEFAULT_MINUTES: u32 = 30;

/// Type of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ServiceType {
    /// A walk; the default.
    #[default]
    Walk,
    /// A drop-in visit.
    Dropin,
}

read_by_name!(ServiceType { Walk, Dropin });

/// Status of a service (SPEC 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ServiceStatus {
    /// Still to be done; may be edited, completed or cancelled.
    #[default]
    Scheduled,
    /// The service is done; read-only.
    Completed,
    /// Called off; read-only.
    Cancelled,
}

read_by_name!(ServiceStatus {
    Scheduled,
    Completed,
    Cancelled
});

/// How far a visit has come on its day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProgressStep {
    /// The sitter is on the way.
    OnTheWay,
    /// It has begun.
    Started,
}

read_by_name!(ProgressStep { OnTheWay, Started });

/// Progress of a visit under way, as the sitter shares it with the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// How far it has come.
    pub step: ProgressStep,
    /// When the step was noted, by the sitter's phone.
    pub at: Instant,
    /// When the sitter should be there, by the estimate of the sitter's phone; absent where none was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub expected_at: Option<Instant>,
}

read_by_field!(Progress { step, at } or default { expected_at });

impl Progress {
    /// Progress without a time of arrival.
    pub const fn new(step: ProgressStep, at: Instant) -> Self {
        Self {
            step,
            at,
            expected_at: None,
        }
    }
}

/// A later start of a visit, as its client was told on the day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Delay {
    /// Day of the visit.
    pub date: Date,
    /// Start by the plan when it was said.
    pub planned: Time,
    /// Expected start, later on the same day.
    pub start_time: Time,
    /// When it was said, by the sitter's phone.
    pub at: Instant,
    /// Words for a client who is not in the portal, to whom the sitter passes them on; empty for any other.
    #[serde(default)]
    pub text: String,
    /// When the sitter passed them on.
    #[serde(default)]
    pub passed_on_at: Option<Instant>,
    /// The visit was confirmed to overlap something at the planned start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overlap_ok: bool,
}

read_by_field!(Delay { date, planned, start_time, at } or default { text, passed_on_at, overlap_ok });

/// A completion or a cancellation that the sitter took back long after it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Correction {
    /// The status that was taken back: completed or cancelled.
    pub was: ServiceStatus,
    /// When it had got that status, if that is known.
    #[serde(default)]
    pub since: Option<Instant>,
    /// When it was taken back, by the sitter's phone.
    pub at: Instant,
}

read_by_field!(Correction { was, at } or default { since });

/// Something that the client sees of a visit before its report: a photo or an event that the sitter sent while the visit
/// was under way.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveEvent {
    /// Id of the event in the log of the walk or visit.
    pub id: Id,
    /// The kind of event.
    pub kind: WalkEventKind,
    /// When it happened, by the sitter's phone.
    pub at: Instant,
    /// Words of the sitter; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub note: String,
    /// The uploaded photo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<Id>,
}

read_by_field!(LiveEvent { id, kind, at } or default { note, photo });

/// The earliest and the latest start that were agreed with a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StartWindow {
    /// The earliest start.
    pub from: Time,
    /// Latest start, after the earliest one.
    pub to: Time,
}

read_by_field!(StartWindow { from, to });

/// How a price came about (SPEC 3, Scheduled service).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PriceBreakdown {
    /// Price for the first dog.
    pub base_dog_price: Cents,
    /// Dogs beyond the first.
    pub additional_dogs_count: u32,
    /// Charge for all dogs beyond the first.
    pub additional_dogs_charge: Cents,
    /// Price of the whole service.
    pub total: Cents,
    /// The sum in words.
    pub explanation: String,
}

read_in_place!(PriceBreakdown from PriceBreakdown::default(); {
    base_dog_price as "baseDogPrice", additional_dogs_count as "additionalDogsCount",
    additional_dogs_charge as "additionalDogsCharge", total, explanation
});

impl PriceBreakdown {
    /// Returns the breakdown of a price that a person set, with no separate charge for extra dogs.
    pub(crate) fn agreed(price: Cents, n_dogs: usize) -> Self {
        Self {
            base_dog_price: price,
            additional_dogs_count: u32::try_from(n_dogs.saturating_sub(1)).unwrap_or(u32::MAX),
            additional_dogs_charge: Cents::ZERO,
            total: price,
            explanation: price.to_string() + " agreed for this service",
        }
    }
}

/// The way to count a stay, as its offering said when it was booked: what is booked keeps it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StayTerms {
    /// The unit that it is priced by.
    pub unit: StayUnit,
    /// A departure after it counts as a further day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub further_day_after: Option<Time>,
}

read_by_field!(StayTerms { unit } or default { further_day_after });

/// A price that a person set for one service (decisions, What is sold is booked).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriceOverride {
    /// Price of the service.
    pub amount: Cents,
    /// Why; never empty after trimming.
    pub reason: String,
    /// True if the client reads the reason, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tells_reason: bool,
}

read_by_field!(PriceOverride { amount } or default { reason, tells_reason });

impl PriceOverride {
    /// The fields that a person sets.
    pub const EDITABLE: &[Field] = &[money("amount"), plain("reason"), plain("tells_reason")];
}

/// A scheduled service, a service record and a billable service in range: one row (decisions, Words). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Service {
    /// Made by whoever schedules it.
    pub id: Id,
    /// Id of the client.
    pub client_id: Id,
    /// The client's name when it was last saved; stays readable when the client is gone.
    pub client_name: String,
    /// Ids of the pets; at least one.
    pub dog_ids: Vec<Id>,
    /// Their names, in the same order, for the same reason.
    pub dogs: Vec<String>,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// Day in the sitter's time zone; the first one of a stay.
    pub date: Date,
    /// The last day of a stay, which lasts for days; none for a visit.
    // INVARIANT: the field after `date` is `end_date`, by which stays are known before they are read.
    #[serde(default)]
    pub end_date: Option<Date>,
    /// Start in the sitter's time zone.
    pub start_time: Time,
    /// Greater than 0; may cross midnight.
    pub duration_minutes: u32,
    /// Visible to the client.
    #[serde(default)]
    pub notes: String,
    /// Notes for the sitter only; never sent to a client user.
    #[serde(default)]
    pub internal_notes: String,
    /// Notes from the sitter on completion; visible to the client.
    #[serde(default)]
    pub completion_notes: String,
    /// Scheduled, completed or cancelled.
    pub status: ServiceStatus,
    /// Price; a snapshot that later price changes leave alone.
    pub price: Cents,
    /// How the price came about.
    pub pricing_breakdown: PriceBreakdown,
    /// True if it was paid, by itself or with its invoice.
    pub paid: bool,
    /// The invoice that it stands on: one at a time. With that it is paid, and not by itself.
    #[serde(default)]
    pub invoice_id: Option<Id>,
    /// The invoice that billed it last and was credited in full since: it can be billed anew, and is no revenue until then.
    /// Also the one that it stands on, where all of that is written off.
    // It may be absent, so it stands behind `paid`: the figures of a service are found by its fields' order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credited_invoice_id: Option<Id>,
    /// Part of the price that nobody is to pay: the invoice that it stands on was paid in part and written off for the rest.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: Cents,
    /// The offering it was booked with, if any.
    #[serde(default)]
    pub offering_id: Option<Id>,
    /// Name of that offering when it was booked; empty for a plain walk or drop-in.
    #[serde(default)]
    pub offering_name: String,
    /// Price that a person set in place of the usual one.
    #[serde(default)]
    pub price_override: Option<PriceOverride>,
    /// The sitter has confirmed that it overlaps something.
    #[serde(default)]
    pub overlap_ok: bool,
    /// How far it has come, where the sitter lets clients know.
    #[serde(default)]
    pub progress: Option<Progress>,
    /// Later start that the client was told; `current_delay` says if it still holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Delay>,
    /// Earliest start of the window that was agreed with the client; none where the start itself was agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_from: Option<Time>,
    /// Latest start of that window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_to: Option<Time>,
    /// When a stay ends on its last day, if that is known; its start is when it begins on the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub departure_time: Option<Time>,
    /// The way to count a stay. None for a visit, and for a stay that was booked with an offering without a unit: that
    /// counts each day begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stay_terms: Option<StayTerms>,
    /// When it was completed.
    #[serde(default)]
    pub completed_at: Option<Instant>,
    /// When it was cancelled.
    #[serde(default)]
    pub cancelled_at: Option<Instant>,
    /// The series that it is a visit of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series_id: Option<Id>,
    /// The series' slot that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series_slot: Option<Id>,
    /// The day by the series' rule, wherever it was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series_date: Option<Date>,
    /// Cancelled with its series (a pause, an end) and not by itself: it comes back with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub series_off: bool,
    /// Corrections of its status, the latest last; never sent to a client user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub corrections: Vec<Correction>,
    /// Photos and events that the client sees before the report, in order of time; the report takes their place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub live: Vec<LiveEvent>,
    /// The sitter's words on why it is cancelled; may be empty, and is for any other service.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub cancel_reason: String,
    /// True if the client reads them, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tells_cancel_reason: bool,
    /// The last mail that told its client of it; never sent to a client user. Only the server sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailed: Option<VisitMail>,
    /// When it was made.
    pub created_at: Instant,
}

read_in_place!(Service from Service::new(Id::default(), Instant(0)); {
    id, client_id, client_name, dog_ids, dogs, service_type, date, start_time, duration_minutes, status, price,
    pricing_breakdown, paid, created_at
} or default {
    end_date, notes, internal_notes, completion_notes, invoice_id, credited_invoice_id, lost, offering_id, offering_name, price_override, overlap_ok, progress, delay, window_from, window_to,
    departure_time, stay_terms, completed_at, cancelled_at, series_id, series_slot, series_date, series_off,
    corrections, live, cancel_reason, tells_cancel_reason, mailed
});

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Service {
    /// The visit of a series that it is.
    pub fn occurrence(&self) -> Option<(Id, SeriesDate)> {
        let (date, slot) = (self.series_date?, self.series_slot?);
        Some((self.series_id?, SeriesDate { date, slot }))
    }

    /// The fields that a person sets on a scheduled service.
    pub const EDITABLE: &[Field] = &[
        plain("client_id"),
        plain("dog_ids"),
        plain("service_type"),
        date("date"),
        time("start_time"),
        plain("duration_minutes"),
        plain("notes"),
        plain("internal_notes"),
        plain("offering_id"),
        date("end_date"),
        time("departure_time"),
        time("window_from"),
        time("window_to"),
        plain("price_override"),
    ];

    /// The fields that a person sets on a record of a service that is already done.
    pub const RECORD_EDITABLE: &[Field] = &[
        plain("client_id"),
        plain("dog_ids"),
        plain("service_type"),
        date("date"),
        time("start_time"),
        plain("duration_minutes"),
        plain("notes"),
        plain("internal_notes"),
        plain("completion_notes"),
        plain("offering_id"),
        date("end_date"),
        time("departure_time"),
        money("price"),
        plain("paid"),
    ];

    /// The fields that say which visit of a series it is.
    pub(crate) const OF_SERIES: &[Field] = &[
        plain("series_id"),
        plain("series_slot"),
        date("series_date"),
    ];

    /// A service with the schedule form's defaults and no client or pets yet; its date is none that anyone chose.
    pub fn new(id: Id, at: Instant) -> Self {
        Self {
            id,
            client_id: Id::default(),
            client_name: String::new(),
            dog_ids: Vec::new(),
            dogs: Vec::new(),
            service_type: ServiceType::Walk,
            date: Date::default(),
            end_date: None,
            start_time: Time::hour(9),
            duration_minutes: DEFAULT_MINUTES,
            notes: String::new(),
            internal_notes: String::new(),
            completion_notes: String::new(),
            status: ServiceStatus::Scheduled,
            price: Cents::ZERO,
            pricing_breakdown: PriceBreakdown::agreed(Cents::ZERO, 1),
            paid: false,
            invoice_id: None,
            credited_invoice_id: None,
            lost: Cents::ZERO,
            offering_id: None,
            offering_name: String::new(),
            price_override: None,
            overlap_ok: false,
            progress: None,
            delay: None,
            window_from: None,
            window_to: None,
            departure_time: None,
            stay_terms: None,
            completed_at: None,
            cancelled_at: None,
            series_id: None,
            series_slot: None,
            series_date: None,
            series_off: false,
            corrections: Vec::new(),
            live: Vec::new(),
            cancel_reason: String::new(),
            tells_cancel_reason: false,
            mailed: None,
            created_at: at,
        }
    }

    /// The later start that its client was told, unless the visit was moved to another time since, has begun, or is over.
    pub fn current_delay(&self) -> Option<&Delay> {
        let delay = self.delay.as_ref()?;
        let is_of_plan = delay.date == self.date
            && (delay.planned == self.start_time || delay.start_time == self.start_time);
        let is_to_come = self.status == ServiceStatus::Scheduled && !self.has_begun();
        (is_of_plan && is_to_come).then_some(delay)
    }

    /// The earliest and the latest start that were agreed; none where the start itself was.
    pub fn window(&self) -> Option<(Time, Time)> {
        Some((self.window_from?, self.window_to?))
    }

    /// Clears the window where the start does not lie in it any more: a client reads the window alone.
    pub(crate) fn settle_window(&mut self) {
        let window = self.window();
        if window.is_some_and(|(from, to)| !(from..=to).contains(&self.start_time)) {
            (self.window_from, self.window_to) = (None, None);
        }
    }

    /// The same with the names of its parts, for a command that may have to give it back.
    pub fn start_window(&self) -> Option<StartWindow> {
        self.window().map(|(from, to)| StartWindow { from, to })
    }

    /// Gives a visit back the window that it had, unless another one was agreed since; clears one that the start does not
    /// lie in.
    pub(crate) fn restore_window(&mut self, former: Option<StartWindow>) {
        let is_free = self.window().is_none() && self.end_date.is_none();
        if let Some(former) = former.filter(|it| is_free && it.from < it.to) {
            (self.window_from, self.window_to) = (Some(former.from), Some(former.to));
        }
        self.settle_window();
    }

    /// Returns true if its client was told the same of both: first day, last day with its departure, earliest and latest
    /// start, and how long it lasts.
    pub fn has_agreed_time_of(&self, other: &Self) -> bool {
        let told = |it: &Self| {
            let starts = it.window().unwrap_or((it.start_time, it.start_time));
            let ends = it.end_date.map(|last| (last, it.departure_time));
            (it.date, ends, starts, it.duration_minutes)
        };
        told(self) == told(other)
    }

    /// Clears all that only a cancelled service has.
    pub(crate) fn clear_cancellation(&mut self) {
        self.cancelled_at = None;
        self.series_off = false;
        self.cancel_reason.clear();
        self.tells_cancel_reason = false;
    }

    /// True once the sitter has noted that it began.
    pub(crate) fn has_begun(&self) -> bool {
        let step = self.progress.map(|it| it.step);
        step == Some(ProgressStep::Started)
    }

    /// True once its client may know that it is on: the sitter has noted how far it has come, or sent something of it.
    pub const fn is_under_way(&self) -> bool {
        self.progress.is_some() || !self.live.is_empty()
    }

    /// Takes off the events that its client sees before the report; returns their photos.
    pub(crate) fn take_live_photos(&mut self) -> Vec<Id> {
        let live = std::mem::take(&mut self.live);
        live.into_iter().filter_map(|it| it.photo).collect()
    }

    /// From its start to its end, on the number line of minutes; of a stay only what its first day's minutes say.
    pub(crate) fn interval(&self) -> Interval {
        let start = self.date.minute(self.start_time);
        Interval {
            start,
            end: start + i64::from(self.duration_minutes),
        }
    }

    /// How many days it lasts, the first and the last among them; 1 for a visit.
    pub(crate) fn n_days(&self) -> u32 {
        let last = self.end_date.unwrap_or(self.date);
        let more = last.days_since_epoch() - self.date.days_since_epoch();
        u32::try_from(more.saturating_add(1)).unwrap_or(1).max(1)
    }

    /// The nights or days that its price counts; 1 for a visit.
    pub(crate) fn n_units(&self) -> u32 {
        let n_days = self.n_days();
        let Some(terms) = self.stay_terms else {
            return n_days;
        };
        let is_last_free = match terms.unit {
            StayUnit::Nights => true,
            StayUnit::Days => terms
                .further_day_after
                .zip(self.departure_time)
                .is_some_and(|(hour, departure)| departure <= hour),
        };
        n_days.saturating_sub(u32::from(is_last_free)).max(1)
    }

    /// Clears what only a stay has where it is a visit.
    pub(crate) fn settle_stay(&mut self) {
        if self.end_date.is_none() {
            (self.departure_time, self.stay_terms) = (None, None);
        }
    }

    /// All that its price depends on, but for what the rates and the offering are.
    pub(crate) fn is_priced_like(&self, other: &Self) -> bool {
        self.client_id == other.client_id
            && self.dog_ids == other.dog_ids
            && self.service_type == other.service_type
            && self.duration_minutes == other.duration_minutes
            && self.offering_id == other.offering_id
            && self.n_units() == other.n_units()
            && self.stay_terms == other.stay_terms
            && self.price_override == other.price_override
    }
}
