//! Owns the row of a series: a booking that repeats, and what of it was paused, left out and made already.

use serde::Serialize;

use crate::rows::fields::row;
pub use crate::rows::series_date::SeriesDate;
use crate::rows::service::{DEFAULT_MINUTES, PriceOverride, ServiceType};
use crate::values::json::{read_by_field, read_by_tag};
use crate::{Cents, Date, Id, Instant, Time};

/// How often a series takes place, counted from an anchor date.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeriesRule {
    /// On days of the week, every so many weeks; weeks begin on Sunday.
    Weekly {
        /// 1 for each week.
        every: u32,
        /// Days of the week, 0 = Sunday to 6 = Saturday.
        weekdays: Vec<u32>,
    },
    /// Every so many days.
    Daily {
        /// 1 for each day.
        every: u32,
    },
    /// On a day of each month; a month without it takes its last day.
    Monthly {
        /// 1 to 31.
        day: u32,
    },
    /// On the first to fourth, or the last, of a weekday in each month.
    MonthlyWeekday {
        /// 1 to 4; 5 is the last one.
        nth: u32,
        /// 0 = Sunday to 6 = Saturday.
        weekday: u32,
    },
}

read_by_tag!(SeriesRule by "kind" {
    "weekly" => Weekly { every, weekdays },
    "daily" => Daily { every },
    "monthly" => Monthly { day },
    "monthly_weekday" => MonthlyWeekday { nth, weekday },
});

impl Default for SeriesRule {
    fn default() -> Self {
        Self::Weekly {
            every: 1,
            weekdays: Vec::new(),
        }
    }
}

/// When a series ends.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeriesEnd {
    /// When somebody ends it.
    #[default]
    Never,
    /// After that date, which may have visits.
    On {
        /// The last day.
        date: Date,
    },
    /// After so many visits by its rule; those that are left out or paused count.
    After {
        /// Count of visits.
        visits: u32,
    },
}

read_by_tag!(SeriesEnd by "kind" {
    "never" => Never,
    "on" => On { date },
    "after" => After { visits },
});

row! {
    /// A time of day at which a series has a visit. Stored on phones. Only add optional fields; never rename.
    SeriesSlot {
        /// Made by whoever adds the time; visits know it.
        id: Id = id, required;
        /// When the visit begins.
        start_time: Time = Time::hour(9) => time, required;
        /// How long it takes.
        duration_minutes: u32 = DEFAULT_MINUTES => plain, required;
        /// Walk or drop-in; an offering decides it.
        service_type: ServiceType = ServiceType::Walk => plain, required;
        /// The offering it is booked with, if any; none that is sold by the day.
        offering_id: Option<Id> = None => plain;
        /// When the stay of a trip ends on its last day, if that is known; none for a visit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        departure_time: Option<Time> = None => time;
    }
    /// A walk at 9:00.
    new(id: Id)
}

row! {
    /// A part of a series, from a day on until the next phase begins. Stored on phones. Only add optional fields;
    /// never rename.
    SeriesPhase {
        /// The first day.
        from: Date = from, required;
        /// The day from which the rule counts weeks and days.
        anchor: Date = from, required;
        /// How often it takes place.
        rule: SeriesRule = SeriesRule::default() => plain, required;
        /// The times of each day, by their start.
        slots: Vec<SeriesSlot> = Vec::new() => plain, required;
        /// Ids of the pets.
        dog_ids: Vec<Id> = Vec::new() => plain, required;
        /// Visible to the client.
        notes: String = String::new() => plain;
        /// Notes for the sitter only.
        internal_notes: String = String::new() => plain;
        /// A price for each visit in place of the usual one.
        price_override: Option<PriceOverride> = None => plain;
    }
    /// A phase without days, times and pets.
    new(from: Date)
}

row! {
    /// Days on which a series has no visits. Stored on phones. Only add optional fields; never rename.
    SeriesPause {
        /// Made by whoever pauses it.
        id: Id = id, required;
        /// The first day without visits.
        from: Date = from => date, required;
        /// The last day without visits.
        to: Date = from => date, required;
        /// Why, for the sitter only; may be empty.
        reason: String = String::new() => plain;
    }
    /// A pause of one day.
    new(id: Id, from: Date)
}

/// The part of a trip's agreed total that one of its visits has.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TripShare {
    /// The day by the rule.
    pub date: Date,
    /// Id of the slot, or of the stay.
    pub slot: Id,
    /// Price of the visit.
    pub amount: Cents,
}

read_by_field!(TripShare { date, slot, amount });

impl TripShare {
    /// The visit that it is of.
    pub const fn key(&self) -> SeriesDate {
        SeriesDate {
            date: self.date,
            slot: self.slot,
        }
    }
}

row! {
    /// The trip that a series is for: it has visits on each day from its first to its last. Stored on phones. Only add
    /// optional fields; never rename.
    Trip {
        /// The first visit of the first day, by its slot; all of that day's without it.
        first_slot: Option<Id> = None => plain;
        /// The last visit of the last day, by its slot; all of that day's without it.
        last_slot: Option<Id> = None => plain;
        /// A stay from the first day to the last, with an offering that is sold by the day.
        stay: Option<SeriesSlot> = None => plain;
        /// One price for all visits and the stay; the rates decide without it.
        total: Option<Cents> = None => money;
        /// The first day when it was booked: the stay keeps its name by it.
        booked_for: Date = booked_for;
        /// Parts of the agreed total by date; empty without one.
        shares: Vec<TripShare> = Vec::new();
    }
    /// A trip with visits at all times of each day, at the usual prices; `booked_for` is its first day.
    new(booked_for: Date)
}

row! {
    /// A booking that repeats. Its visits are services, made some weeks ahead. Stored on phones. Only add optional
    /// fields; never rename.
    Series {
        /// Made by whoever books it.
        id: Id = id, required;
        /// Id of the client.
        client_id: Id = Id::default(), required;
        /// The client's name when it was last saved; stays readable when the client is gone.
        client_name: String = String::new();
        /// When it ends.
        end: SeriesEnd = SeriesEnd::Never, required;
        /// The phases by their first day; at least one.
        phases: Vec<SeriesPhase> = Vec::new(), required;
        /// Days without visits.
        pauses: Vec<SeriesPause> = Vec::new();
        /// Visits that a person left out or deleted, by date: they are never made again unless somebody puts them back.
        left_out: Vec<SeriesDate> = Vec::new();
        /// Visits whose time was taken when they were to be made or moved, by date: a person decides on them.
        waiting: Vec<SeriesDate> = Vec::new();
        /// The day up to which its visits were made; a new end brings it back to the former one at most.
        // INVARIANT: No visit on or before `made_until` is made by the nightly job.
        made_until: Date = Date::default(), required;
        /// The day on which more of its visits are to be made; none when all are.
        due_on: Option<Date> = None;
        /// The trip that it is for, if any.
        trip: Option<Trip> = None;
        /// When it was booked.
        created_at: Instant = at, required;
    }
    /// A series without a client and phases.
    new(id: Id, at: Instant)
}

row! {
    /// The fields of the form of a new series.
    SeriesPlan {
        /// Id of the client.
        client_id: Id = Id::default() => plain;
        /// Ids of the pets; at least one.
        dog_ids: Vec<Id> = Vec::new() => plain;
        /// How often it takes place.
        rule: SeriesRule = SeriesRule::default() => plain, required;
        /// The times of each day: one to six.
        slots: Vec<SeriesSlot> = Vec::new() => plain;
        /// The first day that may have a visit.
        begins: Date = begins => date;
        /// When it ends.
        end: SeriesEnd = SeriesEnd::Never => plain, required;
        /// Visible to the client.
        notes: String = String::new() => plain;
        /// Notes for the sitter only; never sent to a client user.
        internal_notes: String = String::new() => plain;
        /// A price for each visit in place of the usual one.
        price_override: Option<PriceOverride> = None => plain;
        /// The trip that it is for: each day from `begins` to the date of `end`.
        trip: Option<Trip> = None => plain;
    }
    /// A plan for each week without days, times and pets.
    new(begins: Date)
}

impl Series {
    /// The first day that may have a visit.
    pub fn begins(&self) -> Date {
        self.phases.first().map(|it| it.from).unwrap_or_default()
    }

    /// The phase of that day; before the series begins its first one.
    pub fn phase_on(&self, date: Date) -> Option<&SeriesPhase> {
        let later = self.phases.iter().rev().find(|it| it.from <= date);
        later.or_else(|| self.phases.first())
    }

    /// The stay of a trip, and its name among the visits.
    pub fn stay(&self) -> Option<(&SeriesSlot, SeriesDate)> {
        let trip = self.trip.as_ref()?;
        let stay = trip.stay.as_ref()?;
        let key = SeriesDate {
            date: trip.booked_for,
            slot: stay.id,
        };
        Some((stay, key))
    }

    /// Returns true if `slot` is that of the stay.
    pub fn is_stay(&self, slot: Id) -> bool {
        self.stay().is_some_and(|(stay, _)| stay.id == slot)
    }

    /// The phase and the slot of a visit.
    pub fn slot_of(&self, key: SeriesDate) -> Option<(&SeriesPhase, &SeriesSlot)> {
        if let Some((stay, _)) = self.stay().filter(|(_, it)| *it == key) {
            return Some((self.phases.first()?, stay));
        }
        let phase = self.phase_on(key.date)?;
        Some((phase, phase.slot(key.slot)?))
    }

    /// The price of a visit by the total that was agreed for its trip.
    pub fn share_of(&self, key: SeriesDate) -> Option<Cents> {
        let trip = self.trip.as_ref()?;
        trip.total?;
        let share = trip.shares.iter().find(|it| it.key() == key);
        share.map(|it| it.amount)
    }

    /// Returns true if it is paused on that day.
    pub fn is_paused_on(&self, date: Date) -> bool {
        self.pauses
            .iter()
            .any(|it| (it.from..=it.to).contains(&date))
    }
}

impl SeriesPhase {
    /// The slot of that id.
    pub fn slot(&self, id: Id) -> Option<&SeriesSlot> {
        self.slots.iter().find(|it| it.id == id)
    }
}
