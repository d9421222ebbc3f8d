//! Owns what the commands about series do. Each is one small change of a series, so that those of two phones merge; the
//! visits follow in `visits`.

pub(crate) mod decide;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
pub(crate) use tests::loaded;
pub(crate) mod visits;

pub(crate) use decide::{forget_visit, recall_visit, recall_visits};
pub(crate) use visits::{
    DateState, Followed, VisitOutcome, has_own, has_room_again, is_open, no_room,
};

use serde::Serialize;

use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, changed};
use crate::rows::row::{RowKey, TableName};
use crate::rows::series::{SeriesDate, SeriesEnd, SeriesPause, SeriesPhase, Trip};
use crate::rows::service::PriceBreakdown;
use crate::rules::series::occurrence_id;
use crate::values::json::{Fields, ReadByField, deserialize_by_field, read_by_field, read_by_name};
use crate::values::patch::Patch;
use crate::{Business, Date, Id, Refusal, Time};

/// Decision of a person on a visit whose time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DateWay {
    /// There is none on that date.
    LeaveOut,
    /// It takes place all the same.
    Book,
    /// It takes place at another time of the day.
    Move,
    /// It waits for a decision.
    Wait,
    /// It takes place if its time is free by now, and waits otherwise.
    Again,
}

read_by_name!(DateWay {
    LeaveOut,
    Book,
    Move,
    Wait,
    Again
});

/// A person's decision on one visit of a series.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DateChoice {
    /// The day by the series' rule.
    pub date: Date,
    /// Id of the series' slot.
    pub slot: Id,
    /// The decision itself.
    pub way: DateWay,
    /// When it is to begin, where it is moved.
    #[serde(default)]
    pub start_time: Option<Time>,
}

read_by_field!(DateChoice { date, slot, way } or default { start_time });

impl DateChoice {
    /// The visit that it is about.
    pub const fn key(&self) -> SeriesDate {
        SeriesDate {
            date: self.date,
            slot: self.slot,
        }
    }
}

/// Some fields of one time of a series, new or known.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SlotPatch {
    /// The slot's id, which the phone makes for a new one.
    pub id: Id,
    /// The slot is to be made; a change to one that someone removed must not bring it back half empty.
    #[serde(default)]
    pub is_new: bool,
    /// Fields of the slot that the person touched.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<SeriesSlot>"))]
    pub changes: Patch,
}

read_by_field!(SlotPatch { id, changes } or default { is_new });

/// Books a series, and makes its visits of the weeks ahead, or all of one with an end up to a year.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreateSeries {
    /// The new series' id.
    pub id: Id,
    /// The series' fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<SeriesPlan>"))]
    pub series: Patch,
    /// Decisions of the person on dates whose time is taken.
    #[serde(default)]
    pub choices: Vec<DateChoice>,
}

read_by_field!(CreateSeries { id, series } or default { choices });

/// Changes what holds of a series from a day on. What is completed, under way, invoiced or paid stays as it is, and a visit
/// that was changed by itself keeps that change.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeSeries {
    /// Id of the series.
    pub id: Id,
    /// The first day to change; today for all that are to come.
    pub from: Date,
    /// The touched fields, times apart.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<SeriesPhase>"))]
    pub changes: Patch,
    /// Touched and new times.
    #[serde(default)]
    pub slots: Vec<SlotPatch>,
    /// Times to remove.
    #[serde(default)]
    pub removed_slots: Vec<Id>,
    /// Visits that were changed by themselves follow the series again.
    #[serde(default)]
    pub replaces_own: bool,
    /// Decisions of the person on dates whose time is taken.
    #[serde(default)]
    pub choices: Vec<DateChoice>,
}

read_by_field!(ChangeSeries { id, from } or default { changes, slots, removed_slots, replaces_own, choices });

/// Leaves out a date of a series; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeaveOutDate {
    /// Id of the series.
    pub id: Id,
    /// The day by its rule.
    pub date: Date,
    /// One time of that day; without it all of them.
    #[serde(default)]
    pub slot: Option<Id>,
}

read_by_field!(LeaveOutDate { id, date } or default { slot });

/// Pauses a series; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PauseSeries {
    /// Id of the series.
    pub id: Id,
    /// The new pause's id.
    pub pause_id: Id,
    /// The first day without visits.
    pub from: Date,
    /// The last day without visits.
    pub to: Date,
    /// Why, for the sitter only.
    #[serde(default)]
    pub reason: String,
}

read_by_field!(PauseSeries { id, pause_id, from, to } or default { reason });

/// Ends a pause; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResumeSeries {
    /// Id of the series.
    pub id: Id,
    /// Id of the pause.
    pub pause_id: Id,
    /// The first day with visits again; without it the pause is taken back whole.
    #[serde(default)]
    pub on: Option<Date>,
    /// Decisions of the person on dates whose time is taken.
    #[serde(default)]
    pub choices: Vec<DateChoice>,
}

read_by_field!(ResumeSeries { id, pause_id } or default { on, choices });

/// Says when a series ends, or that it goes on.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EndSeries {
    /// Id of the series.
    pub id: Id,
    /// When it ends.
    pub end: SeriesEnd,
    /// Decisions of the person on dates whose time is taken, where it goes on.
    #[serde(default)]
    pub choices: Vec<DateChoice>,
}

read_by_field!(EndSeries { id, end } or default { choices });

/// Changes the days, the stay or the agreed total of a trip; its first and its last day keep their times unless they are
/// changed, too. What is completed, under way, invoiced or paid stays as it is.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeTrip {
    /// Id of the series.
    pub id: Id,
    /// The first day, if it moves; a trip that has begun keeps it.
    #[serde(default)]
    pub begins: Option<Date>,
    /// The last day, if it moves.
    #[serde(default)]
    pub ends: Option<Date>,
    /// The touched fields.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Trip>"))]
    pub changes: Patch,
    /// Decisions of the person on dates whose time is taken.
    #[serde(default)]
    pub choices: Vec<DateChoice>,
}

read_by_field!(ChangeTrip { id } or default { begins, ends, changes, choices });

/// Decides on visits of a series whose time is taken.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettleSeriesDates {
    /// Id of the series.
    pub id: Id,
    /// Decisions on single visits.
    pub choices: Vec<DateChoice>,
}

read_by_field!(SettleSeriesDates { id, choices });

/// A visit that was changed by itself before a change of its series took that back.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnVisit {
    /// Id of the service.
    pub id: Id,
    /// The fields that it had of its own.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
    pub changes: Patch,
    /// Breakdown of the price that it had, where the rates of now come to another one; `total` is that price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<PriceBreakdown>,
}

read_by_field!(OwnVisit { id, changes } or default { breakdown });

/// Undoes a change of a series: what it changed is again as it was. To be saved with the base revision of that change, so
/// that what others changed since is not undone with it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RestoreSeries {
    /// Id of the series.
    pub id: Id,
    /// The end as it was, if that was changed.
    #[serde(default)]
    pub end: Option<SeriesEnd>,
    /// The phases as they were, if they were changed.
    #[serde(default)]
    pub phases: Option<Vec<SeriesPhase>>,
    /// The pauses as they were, if they were changed.
    #[serde(default)]
    pub pauses: Option<Vec<SeriesPause>>,
    /// Visits that were left out.
    #[serde(default)]
    pub put_back: Vec<SeriesDate>,
    /// Visits that were put back.
    #[serde(default)]
    pub left_out: Vec<SeriesDate>,
    /// Visits as they were changed by themselves.
    #[serde(default)]
    pub own: Vec<OwnVisit>,
    /// Visits that waited for a decision and wait again. One that was made since goes, unless somebody has changed it.
    #[serde(default)]
    pub waiting: Vec<SeriesDate>,
    /// Visits that have come to wait for a decision, and did not wait before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood: Vec<SeriesDate>,
    /// Visits that were made before the weeks ahead had come to them, and are planned again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmade: Vec<SeriesDate>,
    /// Visits that the sitter had booked over something else: they take that time again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlapping: Vec<SeriesDate>,
    /// The trip as it was, if it was changed.
    #[serde(default)]
    pub trip: Option<Trip>,
}

read_by_field!(RestoreSeries { id } or default { end, phases, pauses, put_back, left_out, own, waiting, stood, unmade, overlapping, trip });

/// Makes one visit that a series has planned beyond the weeks ahead; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MakeSeriesDate {
    /// Id of the series.
    pub id: Id,
    /// The day by its rule.
    pub date: Date,
    /// Id of its slot.
    pub slot: Id,
    /// As for `ScheduleService`.
    #[serde(default)]
    pub overlap_ok: bool,
}

read_by_field!(MakeSeriesDate { id, date, slot } or default { overlap_ok });

impl Intent for MakeSeriesDate {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_make_date(self, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        decide::make_date(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Series", Effect::Marks, TableName::Series, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        // Nobody types anything in it.
        Some(Vec::new())
    }
}

/// Undoes the booking of a series: it goes, with its visits that are to come.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteSeries {
    /// Id of the series.
    pub id: Id,
}

read_by_field!(DeleteSeries { id });

/// Makes the visits of all series that the weeks ahead have come to; the server's nightly job. A repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExtendSeries {}

impl ReadByField for ExtendSeries {
    fn read_by_field(_: &mut Fields) -> serde_json::Result<Self> {
        Ok(Self {})
    }
}

deserialize_by_field!(ExtendSeries);

macro_rules! about_a_series {
    ($($Kind:ident $effect:ident $decide:ident makes $makes:literal;)*) => {
        $(impl Intent for $Kind {
            fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
                decide::needs(self.id, $makes, business, ctx)
            }

            fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
                Ok(decide::$decide(self, business, ctx)?.decision())
            }

            fn about(&self) -> About {
                About::row("Series", Effect::$effect, TableName::Series, self.id)
            }

            fn words(&self) -> Option<Vec<(&str, &str)>> {
                Some(self.typed())
            }
        })*
    };
}

about_a_series! {
    LeaveOutDate Marks leave_out makes false;
    PauseSeries Changes pause makes false;
    ResumeSeries Marks resume makes true;
    SettleSeriesDates Marks settle_dates makes true;
}

impl Intent for RestoreSeries {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = decide::needs_to_restore(self, business, ctx);
        let waiting = self.waiting.iter();
        let waiting = waiting.chain(&self.unmade).chain(&self.overlapping);
        let made = waiting.map(|it| occurrence_id(self.id, it.slot, it.date));
        let visits = made.chain(self.own.iter().map(|it| it.id));
        needs.extend(visits.map(|it| changed(TableName::Service, it)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(decide::restore(self, business, ctx)?.decision())
    }

    fn about(&self) -> About {
        About::row("Series", Effect::Marks, TableName::Series, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        // Nobody types anything in it.
        Some(Vec::new())
    }
}

impl Intent for EndSeries {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_end(self, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(decide::end(self, business, ctx)?.decision())
    }

    fn about(&self) -> About {
        About::row("Series", Effect::Marks, TableName::Series, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        // Nobody types anything in it.
        Some(Vec::new())
    }
}

impl Intent for ChangeTrip {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_change_trip(self, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(decide::change_trip(self, business, ctx)?.decision())
    }

    fn about(&self) -> About {
        About::row("Series", Effect::Marks, TableName::Series, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        // Nobody types anything in it.
        Some(Vec::new())
    }
}

impl Intent for DeleteSeries {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_delete(self.id, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        decide::delete(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Series", Effect::Removes, TableName::Series, self.id)
    }
}

impl Intent for ChangeSeries {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_change(self, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let mut decision = decide::change(self, business, ctx)?.decision();
        let replaced = decide::replaced_notes(self, business, ctx);
        decision.adjustments.extend(replaced);
        Ok(decision)
    }

    fn about(&self) -> About {
        About::row("Series", Effect::Changes, TableName::Series, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(notes_in(&self.changes))
    }
}

macro_rules! typed_nothing {
    ($($Kind:ident),*) => {
        $(impl $Kind {
            /// Nobody types anything in it.
            const fn typed(&self) -> Vec<(&str, &str)> {
                Vec::new()
            }
        })*
    };
}

typed_nothing!(LeaveOutDate, ResumeSeries, SettleSeriesDates);

impl PauseSeries {
    fn typed(&self) -> Vec<(&str, &str)> {
        match self.reason.as_str() {
            "" => Vec::new(),
            reason => vec![("Reason", reason)],
        }
    }
}

/// The notes that a person has typed.
fn notes_in(patch: &Patch) -> Vec<(&str, &str)> {
    let fields = [("notes", "Notes"), ("internal_notes", "Internal notes")];
    let typed = fields.into_iter().filter_map(|(field, label)| {
        let text = patch.0.get(field)?.as_str()?;
        (!text.is_empty()).then_some((label, text))
    });
    typed.collect()
}

fn offering_in(patch: &Patch) -> Option<Id> {
    patch.0.get("offering_id")?.as_str()?.parse().ok()
}

impl Intent for CreateSeries {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_create(self, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(decide::create(self, business, ctx)?.decision())
    }

    fn about(&self) -> About {
        let client = self.series.0.get("client_id");
        let id = client.and_then(|it| it.as_str()?.parse().ok());
        let client = id.map(|id| RowKey {
            table: TableName::Client,
            id,
        });
        About {
            builds_on: client.into_iter().collect(),
            ..About::row("Series", Effect::Makes, TableName::Series, self.id)
        }
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(notes_in(&self.series))
    }
}

impl Intent for ExtendSeries {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        decide::needs_to_extend(business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        decide::extend(business, ctx)
    }

    fn about(&self) -> About {
        About::of("Series", Effect::Marks)
    }
}
