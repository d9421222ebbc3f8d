//! Owns what each command about a series changes of its row; the visits follow.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::visits::{
    DAYS_BACK, DateState, Followed, Following, first_day, follow, has_own, has_own_but_start,
    has_room_again, insert, is_open, left_out_since, make_one, template_in, visits_of,
    with_pets_of,
};
use super::{
    ChangeSeries, ChangeTrip, CreateSeries, DateChoice, DateWay, DeleteSeries, EndSeries,
    LeaveOutDate, MakeSeriesDate, OwnVisit, PauseSeries, RestoreSeries, ResumeSeries,
    SettleSeriesDates, offering_in,
};
use crate::commands::decision::{
    Adjustment, Context, Decision, Need, changed, check_seen, removal, row,
};
use crate::commands::limit;
use crate::commands::prices::check_total;
use crate::rows::overwritten::Overwritten;
use crate::rows::row::{RowKey, TableName};
use crate::rows::series::{
    Series, SeriesDate, SeriesEnd, SeriesPause, SeriesPhase, SeriesPlan, SeriesSlot, Trip,
};
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::conflict::{self, ConflictRequest};
use crate::rules::refusal::Obstacle;
use crate::rules::scheduling::IN_THE_PAST;
use crate::rules::series::{
    Occurrence, days_ahead, end_errors, is_over, last_date, made_ahead_until, made_until,
    occurrence_id, occurrences, pause_errors, phase_errors, plan_errors, planned_between,
    trip_days, trip_errors,
};
use crate::rules::service::{merge, merged, reprice, snapshot};
use crate::rules::usage::{Limited, is_limited, month_of};
use crate::values::bounds::{
    SERIES, SERIES_KEPT, SERIES_LEFT_OUT, SERIES_PAUSES, SERIES_PHASES, SERIES_VISITS_AT_ONCE,
    check_room,
};
use crate::values::form_errors::FieldErrors;
use crate::values::patch::{Merged, Patch, label};
use crate::values::sort::SmallSort as _;
use crate::values::text::trim;
use crate::{Business, Cents, Change, Date, Id, Instant, Refusal};

const fn key(id: Id) -> RowKey {
    RowKey {
        table: TableName::Series,
        id,
    }
}

/// Lists the rows needed to change a series; if visits may be made or moved, also those that may be in their way.
pub(super) fn needs(id: Id, makes: bool, business: &Business, ctx: &Context) -> Vec<Need> {
    let mut needs = vec![
        row(TableName::Series, id),
        changed(TableName::Series, id),
        Need::Table(TableName::AvailabilityConfig),
    ];
    let Some(series) = business.series.get(&id).map(|it| &it.row) else {
        return needs;
    };
    // Which pets are gone on a day, and whether what is sold is still there.
    needs.push(Need::PetsOf(series.client_id));
    needs.extend(needs_of_phases(&series.phases));
    let first = first_day(ctx);
    // A trip's agreed total is spread over all of it, and its stay may have begun.
    let oldest = series
        .trip
        .as_ref()
        .map(|it| it.booked_for.min(series.begins()));
    let from = oldest.map_or(first, |it| it.min(first));
    needs.push(Need::VisitsOfSeries(id, from));
    if makes {
        needs.extend(needs_to_make(series, first, series.made_until, business));
    }
    needs
}

/// Lists the rows needed to make visits of a series from `first` to `last`.
fn needs_to_make(series: &Series, first: Date, last: Date, business: &Business) -> Vec<Need> {
    let mut needs = vec![
        row(TableName::Client, series.client_id),
        Need::PetsOf(series.client_id),
    ];
    needs.extend(needs_of_phases(&series.phases));
    needs.extend(needs_of_trip(series, business));
    needs.extend(needs_between(first, last, business));
    let visits = business.services.referring_to(series.id);
    let visits = visits.filter(|it| it.series_id == Some(series.id));
    let visits = visits.filter(|it| it.series_date.is_some_and(|it| first <= it));
    needs.extend(needs_of_own(visits, (first, last), business));
    needs
}

/// Lists the offerings that phases name.
fn needs_of_phases(phases: &[SeriesPhase]) -> impl Iterator<Item = Need> {
    let slots = phases.iter().flat_map(|it| &it.slots);
    let offerings = slots.filter_map(|it| it.offering_id);
    offerings.map(|it| row(TableName::Offering, it))
}

/// Lists the rows needed for the stay of a trip: its offering, and what may be in its way.
fn needs_of_trip(series: &Series, business: &Business) -> Vec<Need> {
    let Some((stay, _)) = series.stay() else {
        return Vec::new();
    };
    let offering = stay.offering_id.map(|it| row(TableName::Offering, it));
    let mut needs: Vec<Need> = offering.into_iter().collect();
    if let Some((first, last)) = trip_days(series) {
        needs.push(Need::StaysBetween(first, last));
        if is_limited(business, Limited::Services) {
            // The plan counts months.
            needs.push(Need::ServicesBetween(month_of(first).0, month_of(first).1));
        }
        // A day has room for so many.
        needs.push(Need::ServicesBetween(first, first));
    }
    needs
}

/// Lists the rows needed for what visits have of their own: client, offering and a day outside the range that is loaded
/// anyway.
fn needs_of_own<'a>(
    visits: impl Iterator<Item = &'a Service>,
    (first, last): (Date, Date),
    business: &Business,
) -> Vec<Need> {
    let (mut clients, mut offerings) = (BTreeSet::new(), BTreeSet::new());
    let mut days = BTreeSet::new();
    for visit in visits.filter(|it| it.status != ServiceStatus::Completed) {
        clients.insert(visit.client_id);
        offerings.extend(visit.offering_id);
        if !(first..=last).contains(&visit.date) {
            days.insert(visit.date);
        }
    }
    let mut needs = Vec::new();
    if !clients.is_empty() {
        let clients: Vec<Id> = clients.into_iter().collect();
        needs.push(Need::Rows(TableName::Client, clients.clone()));
        needs.push(Need::PetsOfAny(clients));
    }
    if !offerings.is_empty() {
        let offerings = offerings.into_iter().collect();
        needs.push(Need::Rows(TableName::Offering, offerings));
    }
    for day in days {
        needs.extend(services_around(day, day, business));
    }
    needs
}

/// Lists the rows that may be in the way of visits from `first` to `last`.
fn needs_between(first: Date, last: Date, business: &Business) -> Vec<Need> {
    let mut needs = limit::needs_of_plan();
    needs.extend([
        Need::Table(TableName::Pattern),
        Need::Table(TableName::BlockedTime),
    ]);
    if first <= last {
        needs.extend(services_around(first, last, business));
    }
    needs
}

/// The need for the services that may be in the way of visits from `first` to `last`.
fn services_around(first: Date, last: Date, business: &Business) -> Vec<Need> {
    let (first_near, last_near) = (first.plus_days(-1), last.plus_days(1));
    let mut needs = vec![Need::ServicesBetween(first_near, last_near)];
    if is_limited(business, Limited::Services) {
        // The plan counts months.
        needs.push(Need::ServicesBetween(month_of(first).0, month_of(last).1));
    }
    needs
}

/// Lists the rows needed to book a series.
pub(super) fn needs_to_create(
    command: &CreateSeries,
    business: &Business,
    ctx: &Context,
) -> Vec<Need> {
    let plan = plan(&command.series, ctx);
    let series = series_of(command.id, &plan.row, business, ctx);
    let first = first_day(ctx).max(series.begins());
    let mut needs = needs_to_make(&series, first, series.made_until, business);
    needs.push(row(TableName::Series, command.id));
    needs.push(Need::Table(TableName::Series));
    needs.push(Need::Table(TableName::AvailabilityConfig));
    let visits = occurrences(&series, first, series.made_until);
    let ids: Vec<Id> = visits.map(|it| it.id(series.id)).collect();
    if !ids.is_empty() {
        needs.push(Need::Rows(TableName::Service, ids));
    }
    needs
}

fn plan(patch: &Patch, ctx: &Context) -> Merged<SeriesPlan> {
    let mut plan = patch.merge(&SeriesPlan::new(ctx.today()), SeriesPlan::EDITABLE);
    let row = &mut plan.row;
    trim(&mut row.notes);
    trim(&mut row.internal_notes);
    if let Some(agreed) = &mut row.price_override {
        trim(&mut agreed.reason);
    }
    sort_slots(&mut row.slots);
    if let Some(trip) = &mut row.trip {
        // These are said here alone.
        trip.booked_for = row.begins;
        trip.shares.clear();
    }
    plan
}

fn sort_slots(slots: &mut [SeriesSlot]) {
    slots.small_sort_by_key(|it| (it.start_time, it.id));
}

fn series_of(id: Id, plan: &SeriesPlan, business: &Business, ctx: &Context) -> Series {
    let mut series = unmade(id, plan, ctx);
    series.made_until = made_ahead_until(&series, first_day(ctx), days_ahead(business.config()));
    series
}

fn unmade(id: Id, plan: &SeriesPlan, ctx: &Context) -> Series {
    let phase = SeriesPhase {
        rule: plan.rule.clone(),
        slots: plan.slots.clone(),
        dog_ids: plan.dog_ids.clone(),
        notes: plan.notes.clone(),
        internal_notes: plan.internal_notes.clone(),
        price_override: plan.price_override.clone(),
        ..SeriesPhase::new(plan.begins)
    };
    Series {
        client_id: plan.client_id,
        end: plan.end,
        phases: vec![phase],
        trip: plan.trip.clone(),
        ..Series::new(id, ctx.acted_at())
    }
}

/// The series as its form describes it so far, whatever is wrong with that still; none of its visits is made.
pub(crate) fn drafted(command: &CreateSeries, ctx: &Context) -> Series {
    unmade(command.id, &plan(&command.series, ctx).row, ctx)
}

/// Books a series.
pub(crate) fn create(
    command: &CreateSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    if business.series.contains_key(&command.id) {
        return Err(Refusal::Taken);
    }
    let plan = plan(&command.series, ctx);
    let mut errors = plan_errors(
        &plan,
        &command.series,
        business,
        ctx.is_past(plan.row.begins),
    );
    let drafted = unmade(command.id, &plan.row, ctx);
    errors.0.extend(trip_errors(&drafted, business).0);
    let plan = plan.or_errors(errors)?;
    check_room("series", business.series.len(), SERIES_KEPT)?;
    let today = ctx.now.today();
    let running = business.series.values();
    let running = running.filter(|it| !is_over(&it.row, today)).count();
    check_room("series", running, SERIES)?;
    let mut series = series_of(command.id, &plan, business, ctx);
    let client = business.client(series.client_id).ok_or(Refusal::Gone)?;
    series.client_name.clone_from(&client.name);
    check_pets(&plan.dog_ids, series.client_id, business)?;
    let asked = Following {
        before: None,
        after: series,
        choices: &command.choices,
        replaces_own_from: None,
        keeps_parts: false,
    };
    follow(asked, business, ctx)
}

/// Refuses pets that are not the client's.
fn check_pets(dog_ids: &[Id], client_id: Id, business: &Business) -> Result<(), Refusal> {
    let mut asked = Service {
        client_id,
        dog_ids: dog_ids.to_vec(),
        ..Service::new(Id::default(), Instant(0))
    };
    snapshot(&mut asked, business)
}

fn known(id: Id, business: &Business) -> Result<&Series, Refusal> {
    let series = business.series.get(&id).ok_or(Refusal::Gone)?;
    Ok(&series.row)
}

/// Lets the visits follow a change.
fn changed_to(
    before: &Series,
    after: Series,
    choices: &[DateChoice],
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    follow(Following::change(before, after, choices), business, ctx)
}

/// The same for an end that nobody has priced: a trip that ends earlier keeps the parts of its agreed total.
fn ended_to(
    before: &Series,
    after: Series,
    choices: &[DateChoice],
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let asked = Following {
        keeps_parts: true,
        ..Following::change(before, after, choices)
    };
    follow(asked, business, ctx)
}

/// Lists the rows needed to change what holds from a day on.
pub(super) fn needs_to_change(
    command: &ChangeSeries,
    business: &Business,
    ctx: &Context,
) -> Vec<Need> {
    let mut needs = needs(command.id, true, business, ctx);
    let offerings = command
        .slots
        .iter()
        .filter_map(|it| offering_in(&it.changes));
    needs.extend(offerings.map(|it| row(TableName::Offering, it)));
    if let Some(before) = business.series.get(&command.id).map(|it| &it.row)
        && let Ok(after) = changed_phases(command, before, business, ctx)
    {
        let after = made_as_long(before, after, business, ctx);
        needs.extend(needs_to_make(
            &after,
            first_day(ctx),
            after.made_until,
            business,
        ));
    }
    needs
}

/// The series made ahead at once, where it lasts longer than before: nothing stands after its former end.
fn made_as_long(before: &Series, mut after: Series, business: &Business, ctx: &Context) -> Series {
    let lasts_longer = match (last_date(before), last_date(&after)) {
        (Some(was), Some(is)) => was < is,
        (was, is) => was.is_some() && is.is_none(),
    };
    if lasts_longer {
        let ahead = made_ahead_until(&after, first_day(ctx), days_ahead(business.config()));
        after.made_until = ahead.max(before.made_until);
    }
    after
}

/// Changes what holds from a day on.
pub(crate) fn change(
    command: &ChangeSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    let after = changed_phases(command, before, business, ctx)?;
    let after = made_as_long(before, after, business, ctx);
    let asked = Following {
        before: Some(before),
        after,
        choices: &command.choices,
        replaces_own_from: command.replaces_own.then_some(command.from),
        keeps_parts: false,
    };
    follow(asked, business, ctx)
}

/// The notes of somebody else that a change replaces, where others have changed what holds since its sender saw it.
pub(super) fn replaced_notes(
    command: &ChangeSeries,
    business: &Business,
    ctx: &Context,
) -> Vec<Adjustment> {
    let mut theirs = business.field_changes.iter();
    let is_of_phases = theirs.any(|it| it.key == key(command.id) && it.field == "phases");
    let Some(before) = business.series.get(&command.id).filter(|_| is_of_phases) else {
        return Vec::new();
    };
    let before = &before.row;
    let from = command.from.max(first_day(ctx)).max(before.begins());
    let later = before.phases.iter().filter(|it| from < it.from);
    let phases: Vec<&SeriesPhase> = before.phase_on(from).into_iter().chain(later).collect();
    type Text = fn(&SeriesPhase) -> &str;
    let fields: [(&str, Text); 2] = [
        ("notes", |it| &it.notes),
        ("internal_notes", |it| &it.internal_notes),
    ];
    let mut replaced = Vec::new();
    for (field, notes) in fields {
        let Some(yours) = command.changes.0.get(field) else {
            continue;
        };
        let is_lost = |it: &&str| !it.is_empty() && yours.as_str().map(str::trim) != Some(it);
        let lost: BTreeSet<&str> = phases.iter().map(|it| notes(it)).filter(is_lost).collect();
        replaced.extend(lost.into_iter().map(|theirs| {
            Adjustment::Overwritten(Overwritten {
                field: field.to_owned(),
                theirs: theirs.into(),
                yours: yours.clone(),
                kept: false,
                by: None,
            })
        }));
    }
    replaced
}

/// The series with phases as a command changes them: all from its day on.
pub(crate) fn changed_phases(
    command: &ChangeSeries,
    before: &Series,
    business: &Business,
    ctx: &Context,
) -> Result<Series, Refusal> {
    let from = command.from.max(first_day(ctx)).max(before.begins());
    let mut after = before.clone();
    if !after.phases.iter().any(|it| it.from == from)
        && let Some(current) = before.phase_on(from)
    {
        after.phases.push(SeriesPhase {
            from,
            ..current.clone()
        });
        after.phases.small_sort_by_key(|it| it.from);
    }
    let mut errors = FieldErrors::default();
    let slots: Vec<Id> = before
        .phase_on(from)
        .map(|it| it.slots.iter().map(|it| it.id).collect())
        .unwrap_or_default();
    for phase in after.phases.iter_mut().filter(|it| from <= it.from) {
        let rule = phase.rule.clone();
        let merged = command.changes.merge(phase, SeriesPhase::EDITABLE);
        let malformed: Vec<String> = merged.malformed.clone();
        *phase = merged.row;
        // The times are changed one by one.
        phase.slots = before
            .phase_on(phase.from)
            .map(|it| it.slots.clone())
            .unwrap_or_default();
        trim(&mut phase.notes);
        trim(&mut phase.internal_notes);
        if let Some(agreed) = &mut phase.price_override {
            trim(&mut agreed.reason);
        }
        if phase.rule != rule {
            phase.anchor = from;
        }
        change_slots(phase, command, &slots)?;
        for field in malformed {
            errors.add(field.as_str(), label(&field) + " is not valid");
        }
        errors.0.extend(phase_errors(phase, business).0);
        if command.changes.has("dog_ids") {
            check_pets(&phase.dog_ids, before.client_id, business)?;
        }
    }
    join_phases(&mut after);
    drop_past_phases(&mut after, ctx);
    check_phases(&mut errors, &after);
    errors.0.extend(trip_errors(&after, business).0);
    Ok(errors.or(after)?)
}

/// Joins phases that say the same: where nothing changes, no phase begins.
fn join_phases(series: &mut Series) {
    series.phases.dedup_by(|later, earlier| {
        let from = earlier.from;
        SeriesPhase {
            from,
            ..later.clone()
        } == *earlier
    });
}

fn check_phases(errors: &mut FieldErrors, series: &Series) {
    errors.check(
        SERIES_PHASES < series.phases.len(),
        "from",
        format!("A series can change on at most {SERIES_PHASES} dates"),
    );
}

/// Removes, changes and adds the times that a command names; `slots` are those of its first day.
fn change_slots(
    phase: &mut SeriesPhase,
    command: &ChangeSeries,
    slots: &[Id],
) -> Result<(), Refusal> {
    phase
        .slots
        .retain(|it| !command.removed_slots.contains(&it.id));
    for patch in &command.slots {
        let known = phase.slots.iter_mut().find(|it| it.id == patch.id);
        let fresh = SeriesSlot::new(patch.id);
        let current = match (&known, patch.is_new) {
            (Some(known), _) => known,
            (None, true) => &fresh,
            // The series has it up to a later day, and keeps it until then.
            (None, false) if slots.contains(&patch.id) => continue,
            // Somebody has removed it.
            (None, false) => return Err(Refusal::Gone),
        };
        let merged = patch.changes.merge(current, SeriesSlot::EDITABLE);
        let slot = merged.or_errors(FieldErrors::default())?;
        match known {
            Some(known) => *known = slot,
            None => phase.slots.push(slot),
        }
    }
    sort_slots(&mut phase.slots);
    Ok(())
}

/// Forgets what held of days that no command changes any more, where no visits are counted from the first one on.
fn drop_past_phases(series: &mut Series, ctx: &Context) {
    // A trip keeps its first day, on which other times may hold.
    if matches!(series.end, SeriesEnd::After { .. }) || series.trip.is_some() {
        return;
    }
    let oldest = ctx.now.today().plus_days(-DAYS_BACK);
    while series.phases.get(1).is_some_and(|it| it.from <= oldest) {
        series.phases.remove(0);
    }
}

/// Leaves out a date.
pub(crate) fn leave_out(
    command: &LeaveOutDate,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    let mut after = before.clone();
    let date = command.date;
    let visits = planned_between(before, date, date);
    // A stay is no visit of the day on which it begins, and is left out by its name alone.
    let named = visits.filter(|it| match command.slot {
        Some(slot) => it.slot.id == slot,
        None => it.date == date && !before.is_stay(it.slot.id),
    });
    let existing = visits_of(command.id, business);
    let is_cancelled = |key: &SeriesDate| {
        let service = existing.get(key);
        service.is_some_and(|it| it.status == ServiceStatus::Cancelled && !it.series_off)
    };
    // One that was cancelled by itself stays so: deleted later on, it must not come back with an undo.
    for visit in named.filter(|it| !is_cancelled(&it.key())) {
        insert(&mut after.left_out, visit.key());
    }
    if after.left_out != before.left_out {
        check_room("left_out", before.left_out.len(), SERIES_LEFT_OUT - 6)?;
    }
    let mut followed = changed_to(before, after, &[], business, ctx)?;
    // One that stays, as it is billed, is not left out: deleted by itself later on, it must not come back with an undo.
    let visits = &followed.visits;
    let stays = |key: &SeriesDate| {
        let mut visits = visits.iter();
        visits.any(|it| it.key == *key && it.state == DateState::Stays)
    };
    let left_out = &mut followed.series.left_out;
    left_out.retain(|it| before.left_out.contains(it) || !stays(it));
    Ok(followed)
}

/// Pauses a series.
pub(crate) fn pause(
    command: &PauseSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    if before.pauses.iter().any(|it| it.id == command.pause_id) {
        return changed_to(before, before.clone(), &[], business, ctx);
    }
    let (from, to) = (command.from, command.to);
    pause_errors(from, to).or(())?;
    let mut after = before.clone();
    let oldest = ctx.now.today().plus_days(-DAYS_BACK);
    // What is long over is nobody's to end any more.
    after.pauses.retain(|it| oldest <= it.to);
    check_room("pauses", after.pauses.len(), SERIES_PAUSES)?;
    let mut reason = command.reason.clone();
    trim(&mut reason);
    after.pauses.push(SeriesPause {
        from,
        to,
        reason,
        ..SeriesPause::new(command.pause_id, from)
    });
    after.pauses.small_sort_by_key(|it| (it.from, it.id));
    changed_to(before, after, &[], business, ctx)
}

/// Ends a pause.
pub(crate) fn resume(
    command: &ResumeSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    let mut after = before.clone();
    let on = command.on;
    after.pauses.retain_mut(|it| {
        if it.id != command.pause_id {
            return true;
        }
        match on {
            Some(on) if it.from < on => it.to = it.to.min(on.plus_days(-1)),
            _ => return false,
        }
        true
    });
    changed_to(before, after, &command.choices, business, ctx)
}

/// The series with another end. One that goes on is made ahead at once.
fn ended(before: &Series, end: SeriesEnd, business: &Business, ctx: &Context) -> Series {
    // One that has not begun has no visit at all when it ends on an earlier day, however much earlier.
    let day_before = before.begins().plus_days(-1);
    let end = match end {
        SeriesEnd::On { date } => SeriesEnd::On {
            date: date.max(day_before),
        },
        end => end,
    };
    let mut after = Series {
        end,
        ..before.clone()
    };
    if let (Some(trip), SeriesEnd::On { date }) = (&mut after.trip, end)
        && date < first_day(ctx)
    {
        // The last day is over as it was.
        trip.last_slot = None;
    }
    made_to_its_end(before, after, business, ctx)
}

/// The series made ahead at once, whatever its end is now.
fn made_to_its_end(
    before: &Series,
    mut after: Series,
    business: &Business,
    ctx: &Context,
) -> Series {
    // Nothing stands after the former end, so that what was made there once is not made at once again.
    let made = before.made_until;
    let made = last_date(before).map_or(made, |last| last.min(made));
    let ahead = made_ahead_until(&after, first_day(ctx), days_ahead(business.config()));
    after.made_until = ahead.max(made);
    after
}

/// Lists the rows needed to set the end of a series.
pub(super) fn needs_to_end(command: &EndSeries, business: &Business, ctx: &Context) -> Vec<Need> {
    let mut needs = needs(command.id, false, business, ctx);
    if let Some(series) = business.series.get(&command.id).map(|it| &it.row) {
        let after = ended(series, command.end, business, ctx);
        let first = first_day(ctx);
        needs.extend(needs_to_make(&after, first, after.made_until, business));
    }
    needs
}

/// The day from which on series are without a pet that has gone: today's visits are changed one by one, since some are over.
fn day_without(before: &Series, ctx: &Context) -> Date {
    first_day(ctx).plus_days(1).max(before.begins())
}

/// The series without a pet from tomorrow on; from the first phase on that has no other pet it ends. `None` where nothing of
/// it changes.
fn left_without(before: &Series, pet: Id, business: &Business, ctx: &Context) -> Option<Series> {
    let from = day_without(before, ctx);
    if last_date(before).is_some_and(|it| it < from) {
        return None;
    }
    let mut after = before.clone();
    if !after.phases.iter().any(|it| it.from == from)
        && let Some(current) = before.phase_on(from)
    {
        after.phases.push(SeriesPhase {
            from,
            ..current.clone()
        });
        after.phases.small_sort_by_key(|it| it.from);
    }
    let mut ends = None;
    let phases = after.phases.iter_mut().filter(|it| from <= it.from);
    for phase in phases.filter(|it| it.dog_ids.contains(&pet)) {
        if phase.dog_ids.iter().all(|it| *it == pet) {
            ends = ends.or(Some(phase.from));
        } else {
            phase.dog_ids.retain(|it| *it != pet);
        }
    }
    join_phases(&mut after);
    drop_past_phases(&mut after, ctx);
    if let Some(first) = ends {
        let date = first.plus_days(-1);
        after = ended(&after, SeriesEnd::On { date }, business, ctx);
    }
    (after != *before).then_some(after)
}

/// Lists the rows needed to take a pet out of a series.
pub(crate) fn needs_without(id: Id, pet: Id, business: &Business, ctx: &Context) -> Vec<Need> {
    let series = business.series.get(&id).map(|it| &it.row);
    match series.and_then(|it| left_without(it, pet, business, ctx)) {
        Some(after) => {
            let mut needs = needs(id, true, business, ctx);
            let first = first_day(ctx);
            needs.extend(needs_to_make(&after, first, after.made_until, business));
            needs
        }
        None => Vec::new(),
    }
}

/// Takes a pet out of a series from tomorrow on; `None` where it is in none of the visits to come.
pub(crate) fn without_pet(
    id: Id,
    pet: Id,
    business: &Business,
    ctx: &Context,
) -> Result<Option<Followed>, Refusal> {
    let before = known(id, business)?;
    let Some(after) = left_without(before, pet, business, ctx) else {
        return Ok(None);
    };
    let mut errors = FieldErrors::default();
    check_phases(&mut errors, &after);
    errors.or(())?;
    ended_to(before, after, &[], business, ctx).map(Some)
}

/// Says when a series ends.
pub(crate) fn end(
    command: &EndSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    let after = ended(before, command.end, business, ctx);
    let mut errors = end_errors(after.end, before.begins());
    // A trip can be called off whatever has become of what it is booked with.
    let of_trip = trip_errors(&after, business).0.into_iter();
    errors.0.extend(of_trip.filter(|it| it.field == "end"));
    errors.or(())?;
    ended_to(before, after, &command.choices, business, ctx)
}

/// Lists the rows needed to change a trip.
pub(super) fn needs_to_change_trip(
    command: &ChangeTrip,
    business: &Business,
    ctx: &Context,
) -> Vec<Need> {
    let mut needs = needs(command.id, true, business, ctx);
    if let Some(series) = business.series.get(&command.id).map(|it| &it.row) {
        let after = changed_trip(command, series, business, ctx).row;
        let first = first_day(ctx);
        needs.extend(needs_to_make(&after, first, after.made_until, business));
    }
    needs
}

/// The series with its trip as a command changes it.
fn changed_trip(
    command: &ChangeTrip,
    before: &Series,
    business: &Business,
    ctx: &Context,
) -> Merged<Series> {
    let mut after = before.clone();
    let mut malformed = Vec::new();
    if let Some(trip) = &mut after.trip {
        let merged = command.changes.merge(&*trip, Trip::EDITABLE);
        malformed = merged.malformed;
        *trip = merged.row;
    }
    if let Some(begins) = command.begins.filter(|it| *it != before.begins()) {
        // What holds on the new first day holds from it on.
        let held = before.phases.iter().rposition(|it| it.from <= begins);
        after.phases.drain(..held.unwrap_or_default());
        if let Some(first) = after.phases.first_mut() {
            (first.from, first.anchor) = (begins, begins);
        }
    }
    if let Some(date) = command.ends {
        after.end = SeriesEnd::On { date };
    }
    Merged {
        row: made_to_its_end(before, after, business, ctx),
        malformed,
    }
}

/// Changes a trip.
pub(crate) fn change_trip(
    command: &ChangeTrip,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    if before.trip.is_none() {
        return Err(Refusal::Gone);
    }
    let after = changed_trip(command, before, business, ctx);
    let (was, is, today) = (before.begins(), after.row.begins(), ctx.today());
    let mut errors = FieldErrors::default();
    errors.check(
        was != is && was < today,
        "begins",
        "The trip has begun: its first day stays",
    );
    errors.check(
        was != is && today <= was && ctx.is_past(is),
        "begins",
        IN_THE_PAST,
    );
    let is_moved = after.row.end != before.end;
    errors.check(
        is_moved && last_date(&after.row).is_some_and(|it| it < today),
        "ends",
        "The last day cannot be in the past",
    );
    errors.check(
        last_date(&after.row).is_some_and(|it| it < is) && (is_moved || was != is),
        "ends",
        "The last day cannot be before the first",
    );
    for error in trip_errors(&after.row, business).0 {
        let field = match &*error.field {
            "end" => "ends".into(),
            _ => error.field,
        };
        errors.add(field, error.text);
    }
    let total = |it: &Series| it.trip.as_ref().and_then(|it| it.total);
    let asked = total(&after.row);
    let after = after.or_errors(errors)?;
    let followed = changed_to(before, after, &command.choices, business, ctx)?;
    let mut errors = FieldErrors::default();
    errors.check(
        command.changes.names("total") && total(&followed.series) != asked,
        "total",
        "Every visit of this trip is done, billed or over, so that its total stays",
    );
    // INVARIANT: No total that a person names makes a visit of its trip free.
    if let Some(total) = asked.filter(|it| command.changes.names("total") && Cents::ZERO < *it) {
        let shares = || followed.series.trip.iter().flat_map(|it| &it.shares);
        let sum: Cents = shares().map(|it| it.amount).sum();
        let visits = visits_of(command.id, business);
        // What cost nothing before may go on costing nothing.
        let becomes_free = shares().filter(|it| it.amount == Cents::ZERO).any(|it| {
            let key = SeriesDate {
                date: it.date,
                slot: it.slot,
            };
            let price = visits.get(&key).map(|it| it.price);
            let price = price.or_else(|| before.share_of(key));
            price.is_some_and(|it| Cents::ZERO < it)
        });
        errors.check(
            total < sum || becomes_free,
            "total",
            format!("Visits that are done, billed or have a price of their own come to {sum}. Please choose a higher total"),
        );
    }
    Ok(errors.or(followed)?)
}

/// Decides on visits that wait.
pub(crate) fn settle_dates(
    command: &SettleSeriesDates,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    changed_to(before, before.clone(), &command.choices, business, ctx)
}

/// Lists the rows needed to undo a change.
pub(super) fn needs_to_restore(
    command: &RestoreSeries,
    business: &Business,
    ctx: &Context,
) -> Vec<Need> {
    let mut needs = needs(command.id, true, business, ctx);
    needs.extend(needs_of_phases(
        command.phases.as_deref().unwrap_or_default(),
    ));
    if takes_end_back(command) || command.phases.is_some() {
        needs.extend(needs_to_remove_moved(command.id, business));
    }
    let ids: Vec<Id> = command.own.iter().map(|it| it.id).collect();
    if !ids.is_empty() {
        needs.push(Need::Rows(TableName::Service, ids));
    }
    if let Some(series) = business.series.get(&command.id).map(|it| &it.row) {
        let first = first_day(ctx);
        let own = command.own.iter().map(|it| {
            let made = Service {
                client_id: series.client_id,
                date: first,
                ..Service::new(it.id, ctx.acted_at())
            };
            let now = business.service(it.id).unwrap_or(&made);
            merge(&it.changes, now, Service::EDITABLE).row
        });
        let own: Vec<Service> = own.collect();
        let after = restored(command, series, business, ctx);
        needs.extend(needs_to_make(&after, first, after.made_until, business));
        let known = (first, after.made_until);
        needs.extend(needs_of_own(own.iter(), known, business));
    }
    needs
}

/// The series as it was before a change.
fn restored(
    command: &RestoreSeries,
    before: &Series,
    business: &Business,
    ctx: &Context,
) -> Series {
    let mut after = before.clone();
    if let Some(end) = command.end {
        after.end = end;
    }
    if let Some(phases) = &command.phases {
        after.phases.clone_from(phases);
        after.phases.small_sort_by_key(|it| it.from);
    }
    if let Some(pauses) = &command.pauses {
        after.pauses.clone_from(pauses);
    }
    if let Some(trip) = &command.trip
        && after.trip.is_some()
    {
        after.trip = Some(trip.clone());
    }
    let theirs = left_out_by_others(command.id, business);
    let is_put_back = |it: &SeriesDate| command.put_back.contains(it) && !theirs.contains(it);
    after.left_out.retain(|it| !is_put_back(it));
    // One that the phone had, and the server never made, has waited there all the while.
    let visits = visits_of(command.id, business);
    let stood = |it: &SeriesDate| command.stood.contains(it) && visits.contains_key(it);
    after.waiting.retain(|it| !stood(it));
    for date in &command.left_out {
        insert(&mut after.left_out, *date);
    }
    made_as_long(before, after, business, ctx)
}

/// The visits of a series that others have left out or deleted since what is undone.
fn left_out_by_others(id: Id, business: &Business) -> Vec<SeriesDate> {
    let changes = business.field_changes.iter();
    let of_list = changes.filter(|it| it.key == key(id) && it.field == "left_out");
    let added = of_list.flat_map(|it| &it.added);
    added
        .filter_map(|it| serde_json::from_value(it.clone()).ok())
        .collect()
}

/// Undoes a change.
pub(crate) fn restore(
    command: &RestoreSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let before = known(command.id, business)?;
    // INVARIANT: An undo takes nothing back that somebody else has changed since.
    let is_restored = |field: &str| match field {
        "end" => command.end.is_some(),
        "phases" => command.phases.is_some(),
        "pauses" => command.pauses.is_some(),
        "trip" => command.trip.is_some(),
        _ => false,
    };
    let changes = business.field_changes.iter();
    let others = changes.filter(|it| it.key == key(command.id) && is_restored(&it.field));
    let others: Vec<Overwritten> = others
        .map(|it| Overwritten {
            field: it.field.clone(),
            theirs: it.value.clone(),
            yours: serde_json::Value::Null,
            kept: false,
            by: None,
        })
        .collect();
    if !others.is_empty() {
        return Err(Refusal::ChangedMeanwhile { changes: others });
    }
    let mut after = restored(command, before, business, ctx);
    let mut errors = end_errors(after.end, after.begins());
    errors.check(after.phases.is_empty(), "phases", "Phases is not valid");
    for phase in &after.phases {
        errors.0.extend(phase_errors(phase, business).0);
    }
    errors.0.extend(trip_errors(&after, business).0);
    for former in command.own.iter().filter_map(|it| it.breakdown.as_ref()) {
        check_total(&mut errors, "own", former.total);
    }
    errors.or(())?;
    let (waiting, mut gone) = restored_waiting(command, before, &after, business, ctx);
    gone.extend(unmade_again(command, before, business));
    for date in &waiting {
        insert(&mut after.waiting, *date);
    }
    let as_choice = |it: &SeriesDate, way| DateChoice {
        date: it.date,
        slot: it.slot,
        way,
        start_time: None,
    };
    let waits = waiting.iter().map(|it| as_choice(it, DateWay::Wait));
    let overlapping = still_overlapping(command, &after, business);
    let said = after.clone();
    let booked = overlapping.iter().map(|it| as_choice(it, DateWay::Book));
    let asked = Following {
        before: Some(before),
        after,
        choices: &waits.chain(booked).collect::<Vec<_>>(),
        replaces_own_from: None,
        keeps_parts: false,
    };
    let mut known = Cow::Borrowed(business);
    if !gone.is_empty() {
        let removed = gone.iter().map(|id| removal(TableName::Service, *id));
        known.to_mut().apply(0, &removed.collect::<Vec<Change>>());
    }
    let mut followed = follow(asked, &known, ctx)?;
    for own in &command.own {
        if !reopen(&mut followed, own.id, &waiting, &known, ctx) {
            restore_own(&mut followed, (own, &said), &overlapping, &known, ctx)?;
        }
    }
    if takes_end_back(command) {
        remove_moved(&mut followed, before, &known, |_| true);
    } else if let Some(phases) = &command.phases {
        // A time that the change has added goes with all that was made of it.
        let slots: BTreeSet<Id> = phases.iter().flat_map(slot_ids).collect();
        let is_added = |it: &Service| it.series_slot.is_some_and(|it| !slots.contains(&it));
        remove_moved(&mut followed, before, &known, is_added);
    }
    let gone = gone.into_iter().map(|id| (id, None));
    followed.services.extend(gone);
    Ok(followed)
}

/// Returns true for the undo of another end alone: what goes by it was made by the change that is undone.
const fn takes_end_back(command: &RestoreSeries) -> bool {
    command.end.is_some() && command.left_out.is_empty() && command.pauses.is_none()
}

fn slot_ids(phase: &SeriesPhase) -> impl Iterator<Item = Id> {
    phase.slots.iter().map(|it| it.id)
}

/// Removes visits that go with an undone booking where its own decision on a taken time has moved them: that is nothing to
/// keep. `is_made` tells the visits that it has made.
fn remove_moved(
    followed: &mut Followed,
    before: &Series,
    business: &Business,
    is_made: impl Fn(&Service) -> bool,
) {
    for (id, after) in &mut followed.services {
        let goes = after
            .as_ref()
            .is_some_and(|it| it.status == ServiceStatus::Cancelled);
        let is_as_booked = |it: &Service| {
            is_open(it)
                && is_made(it)
                && !has_own_but_start(before, &with_pets_of(before, it, business), business)
                && !is_changed_since(*id, business)
        };
        if goes && business.service(*id).is_some_and(is_as_booked) {
            *after = None;
        }
    }
}

/// The visits that wait again, and the services that were made for them since and go. A visit that somebody has changed
/// since, begun or billed stays, and is not among them.
fn restored_waiting(
    command: &RestoreSeries,
    before: &Series,
    after: &Series,
    business: &Business,
    ctx: &Context,
) -> (Vec<SeriesDate>, Vec<Id>) {
    if command.waiting.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let first = first_day(ctx);
    let has: BTreeSet<SeriesDate> = occurrences(after, first, made_until(after, first))
        .map(|it| it.key())
        .collect();
    let visits = visits_of(after.id, business);
    let (mut waiting, mut gone) = (Vec::new(), Vec::new());
    for date in command.waiting.iter().filter(|it| has.contains(it)) {
        if let Some(service) = visits.get(date).copied().filter(|it| is_open(it))
            && !command.own.iter().any(|it| it.id == service.id)
        {
            if is_changed_since(service.id, business)
                || has_own_but_start(before, service, business)
            {
                continue;
            }
            gone.push(service.id);
        }
        waiting.push(*date);
    }
    (waiting, gone)
}

/// The visits that take a time again where the sitter had booked them over something else, but for those that somebody has
/// left out or changed since.
fn still_overlapping(
    command: &RestoreSeries,
    after: &Series,
    business: &Business,
) -> Vec<SeriesDate> {
    let is_theirs = |it: &&SeriesDate| {
        !after.left_out.contains(it)
            && !is_changed_since(occurrence_id(after.id, it.slot, it.date), business)
    };
    let overlapping = command.overlapping.iter().filter(is_theirs);
    overlapping.copied().collect()
}

/// The services of visits beyond the weeks ahead that a person had made and that go again, unless somebody has changed
/// them, begun them or billed them since, or the weeks ahead have come to them.
fn unmade_again(command: &RestoreSeries, before: &Series, business: &Business) -> Vec<Id> {
    let keys = command.unmade.iter();
    let ids = keys
        .filter(|it| before.made_until < it.date)
        .map(|it| occurrence_id(before.id, it.slot, it.date));
    let services = ids.filter_map(|it| business.service(it));
    let unchanged = services.filter(|it| {
        is_open(it) && !is_changed_since(it.id, business) && !has_own(before, it, business)
    });
    unchanged.map(|it| it.id).collect()
}

/// Returns true if somebody else has changed a visit since what is undone.
pub(crate) fn is_changed_since(service_id: Id, business: &Business) -> bool {
    let key = RowKey {
        table: TableName::Service,
        id: service_id,
    };
    business.field_changes.iter().any(|it| it.key == key)
}

/// Gives a visit what it had of its own, where its time is free for it or the visit is one of `overlapping`. A price that the
/// series as it was said for it is not its own: it has what the series says by now, such as another part of a trip's total.
fn restore_own(
    followed: &mut Followed,
    (own, said): (&OwnVisit, &Series),
    overlapping: &[SeriesDate],
    business: &Business,
    ctx: &Context,
) -> Result<(), Refusal> {
    let now = match followed.services.get(&own.id) {
        Some(it) => it.as_ref(),
        None => business.service(own.id),
    };
    let is_own = |it: &&Service| {
        let is_of_series = it.series_id == Some(followed.series.id);
        is_of_series && is_open(it) && !is_changed_since(it.id, business)
    };
    let Some(current) = now.filter(is_own).cloned() else {
        return Ok(());
    };
    let mut service = current.clone();
    if !own.changes.0.is_empty() {
        service = merged(&own.changes, Some(&current), &current, business).row;
        let price_in = |series: &Series| {
            let (_, key) = service.occurrence()?;
            Some(template_in(series, key)?.price_override)
        };
        if price_in(said).as_ref() == Some(&service.price_override)
            && let Some(price) = price_in(&followed.series)
        {
            service.price_override = price;
        }
        service.overlap_ok = service
            .occurrence()
            .is_some_and(|(_, key)| overlapping.contains(&key));
        snapshot(&mut service, business)?;
    }
    if let Some(former) = &own.breakdown {
        service.price = former.total;
        service.pricing_breakdown = former.clone();
    } else if !service.is_priced_like(&current) {
        reprice(&mut service, business)?;
    }
    let moved = conflict::Moved(followed.services.clone());
    let request = ConflictRequest::of(&service);
    let stays = request == ConflictRequest::of(&current);
    if stays || ctx.is_shown || is_free_again(&service, &moved, business, ctx) {
        followed.services.insert(service.id, Some(service));
    }
    Ok(())
}

/// Brings a visit back that went while it waited for another time, as it stood meanwhile, where that is free; `false` for one
/// that is no such visit.
fn reopen(
    followed: &mut Followed,
    id: Id,
    waiting: &[SeriesDate],
    business: &Business,
    ctx: &Context,
) -> bool {
    let off = business.service(id).filter(|it| it.series_off);
    let waits = |it: &&Service| {
        let of_series = it.occurrence().filter(|it| it.0 == followed.series.id);
        of_series.is_some_and(|(_, key)| waiting.contains(&key))
    };
    let Some(off) = off.filter(waits) else {
        return false;
    };
    if is_changed_since(id, business) {
        return true;
    }
    let mut service = Service {
        status: ServiceStatus::Scheduled,
        ..off.clone()
    };
    service.clear_cancellation();
    let moved = conflict::Moved(followed.services.clone());
    let has_room = has_room_again(business, &moved, service.date);
    if ctx.is_shown || has_room && is_free_again(&service, &moved, business, ctx) {
        followed.services.insert(service.id, Some(service));
    }
    true
}

/// Returns true if a visit can be back at its time: nothing is in its way but what the sitter has booked over it.
fn is_free_again(
    service: &Service,
    moved: &conflict::Moved,
    business: &Business,
    ctx: &Context,
) -> bool {
    let is_over_it = |it: &Obstacle| match it {
        Obstacle::Service { id, .. } => {
            let left = moved.0.get(id);
            let left = left.map_or_else(|| business.service(*id), Option::as_ref);
            left.is_some_and(|it| it.overlap_ok)
        }
        Obstacle::BlockedTime { .. } => false,
    };
    let request = ConflictRequest::of(service);
    let answer = conflict::check_moved(business, moved, &request, &ctx.now);
    service.overlap_ok || answer.with.iter().all(is_over_it)
}

/// Lists the rows needed to undo the booking of a series.
pub(super) fn needs_to_delete(id: Id, business: &Business, ctx: &Context) -> Vec<Need> {
    let mut needs = needs(id, false, business, ctx);
    needs.extend(needs_to_remove_moved(id, business));
    needs
}

/// Lists the changes of visits that have something of their own.
fn needs_to_remove_moved(id: Id, business: &Business) -> Vec<Need> {
    let Some(series) = business.series.get(&id).map(|it| &it.row) else {
        return Vec::new();
    };
    let visits = visits_of(id, business).into_values();
    let own = visits.filter(|it| has_own(series, it, business));
    own.map(|it| changed(TableName::Service, it.id)).collect()
}

/// Undoes the booking of a series.
pub(super) fn delete(
    command: &DeleteSeries,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let before = known(command.id, business)?;
    check_seen(business, &[key(command.id)])?;
    let over = first_day(ctx).plus_days(-1);
    let after = Series {
        end: SeriesEnd::On { date: over },
        // It ends here for good, and nothing of it is priced anew.
        trip: before.trip.clone().map(|it| Trip { total: None, ..it }),
        ..before.clone()
    };
    let asked = Following {
        before: Some(before),
        after,
        choices: &[],
        replaces_own_from: None,
        keeps_parts: false,
    };
    let mut followed = follow(asked, business, ctx)?;
    remove_moved(&mut followed, before, business, |_| true);
    let mut changes: Vec<Change> = followed.changes().collect();
    changes.push(removal(TableName::Series, command.id));
    Ok(changes.into())
}

/// A series that the weeks ahead have come to.
struct Behind<'a> {
    series: &'a Series,
    /// The first day that may have to be made.
    first: Date,
    /// The day up to which it is to be made.
    until: Date,
}

impl<'a> Behind<'a> {
    fn visits(&self) -> impl Iterator<Item = Occurrence<'a>> {
        occurrences(self.series, self.first, self.until)
    }
}

fn behind(business: &Business, today: Date) -> impl Iterator<Item = Behind<'_>> {
    let series = business.series.values().map(|it| &it.row);
    let due = series.filter(move |it| it.due_on.is_some_and(|due| due <= today));
    let days_ahead = days_ahead(business.config());
    due.map(move |series| Behind {
        series,
        first: series.made_until.plus_days(1).max(today),
        until: made_ahead_until(series, today, days_ahead).max(series.made_until),
    })
}

/// The most series of which one command makes the visits.
const SERIES_AT_ONCE: usize = 64;

/// Lists those of which one command makes the visits: `SERIES_AT_ONCE`, or as many as come to `SERIES_VISITS_AT_ONCE`. A
/// series whose client was deleted, or is inactive, waits for the client to come back.
fn behind_at_once(business: &Business, today: Date) -> Vec<Behind<'_>> {
    let mut n_visits = 0;
    let behind = behind(business, today);
    behind
        // INVARIANT: The nightly job makes no visits of a client who is inactive.
        .filter(|it| {
            let client = business.client(it.series.client_id);
            client.is_some_and(|it| it.inactive_since.is_none())
        })
        .take(SERIES_AT_ONCE)
        .take_while(|it| {
            n_visits += it.visits().count();
            n_visits <= SERIES_VISITS_AT_ONCE
        })
        .collect()
}

/// Lists the rows needed to make the visits of the weeks ahead.
pub(super) fn needs_to_extend(business: &Business, ctx: &Context) -> Vec<Need> {
    let today = ctx.now.today();
    let clients: BTreeSet<Id> = behind(business, today)
        .map(|it| it.series.client_id)
        .collect();
    let mut needs = vec![
        Need::Table(TableName::Series),
        Need::Table(TableName::AvailabilityConfig),
    ];
    if clients.is_empty() {
        return needs;
    }
    let clients = clients.into_iter().collect();
    needs.push(Need::Rows(TableName::Client, clients));
    let (mut clients, mut offerings, mut ids) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    let mut days: Option<(Date, Date)> = None;
    for behind in behind_at_once(business, today) {
        let Behind {
            series,
            first,
            until,
        } = behind;
        clients.insert(series.client_id);
        let (from, to) = days.unwrap_or((first, until));
        days = Some((from.min(first), to.max(until)));
        for visit in behind.visits() {
            offerings.extend(visit.slot.offering_id);
            ids.push(visit.id(series.id));
        }
    }
    let Some((first, last)) = days else {
        return needs;
    };
    needs.push(Need::PetsOfAny(clients.into_iter().collect()));
    if !offerings.is_empty() {
        let offerings = offerings.into_iter().collect();
        needs.push(Need::Rows(TableName::Offering, offerings));
    }
    // What was cancelled with its series comes back as it was.
    let kept = ids.iter().filter_map(|it| business.service(*it));
    needs.extend(needs_of_own(kept, (first, last), business));
    if !ids.is_empty() {
        needs.push(Need::Rows(TableName::Service, ids));
    }
    needs.extend(needs_between(first, last, business));
    needs
}

/// Makes the visits of the weeks ahead; what one command leaves is the next one's.
pub(super) fn extend(business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let mut changes = Vec::new();
    let mut known = Cow::Borrowed(business);
    for behind in behind_at_once(business, ctx.now.today()) {
        let after = Series {
            made_until: behind.until,
            ..behind.series.clone()
        };
        let asked = Following {
            before: Some(behind.series),
            after,
            choices: &[],
            replaces_own_from: None,
            keeps_parts: false,
        };
        let followed = follow(asked, &known, ctx)?;
        let decided = followed.decision().changes;
        known.to_mut().apply(0, &decided);
        changes.extend(decided);
    }
    Ok(changes.into())
}

/// Days ahead within which a visit can be made by itself.
const MADE_WITHIN_DAYS: i64 = 366;

/// Lists the rows needed to make one visit beyond the weeks ahead.
pub(super) fn needs_to_make_date(
    command: &MakeSeriesDate,
    business: &Business,
    ctx: &Context,
) -> Vec<Need> {
    let mut needs = needs(command.id, false, business, ctx);
    let visit = occurrence_id(command.id, command.slot, command.date);
    needs.push(row(TableName::Service, visit));
    if let Some(series) = business.series.get(&command.id).map(|it| &it.row) {
        needs.extend(needs_to_make(series, command.date, command.date, business));
    }
    needs
}

/// Makes one visit beyond the weeks ahead, as the series says it; one that is there already stays as it is.
pub(super) fn make_date(
    command: &MakeSeriesDate,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let series = known(command.id, business)?;
    let id = occurrence_id(command.id, command.slot, command.date);
    if business.service(id).is_some() {
        return Ok(Decision::default());
    }
    let (date, first) = (command.date, first_day(ctx));
    let is_planned =
        series.made_until < date && (first..=first.plus_days(MADE_WITHIN_DAYS)).contains(&date);
    let mut visits = occurrences(series, date, date).filter(|_| is_planned);
    let mut errors = FieldErrors::default();
    let Some(visit) = visits.find(|it| it.slot.id == command.slot) else {
        errors.add("date", "The series has no planned visit at that time");
        return Err(errors.into());
    };
    let service = make_one(series, visit, command.overlap_ok, business, ctx)?;
    Ok(Change::from(service).into())
}

/// Notes in its series that a visit was deleted: it is not made again.
pub(crate) fn forget_visit(
    service: &Service,
    business: &Business,
    ctx: &Context,
) -> Result<Option<Change>, Refusal> {
    let Some((series, date)) = service.occurrence() else {
        return Ok(None);
    };
    let Some(series) = business.series.get(&series).map(|it| &it.row) else {
        return Ok(None);
    };
    // INVARIANT: A visit that was deleted is not made again.
    let mut series = series.clone();
    let oldest = ctx.now.today().plus_days(-DAYS_BACK);
    series.left_out = left_out_since(&series, oldest);
    check_room("left_out", series.left_out.len(), SERIES_LEFT_OUT)?;
    insert(&mut series.left_out, date);
    series.waiting.retain(|it| *it != date);
    Ok(Some(series.into()))
}

/// Notes in its series that a visit that was deleted is there again: it follows changes like any other.
pub(crate) fn recall_visit(service: &Service, business: &Business) -> Option<Change> {
    recall_visits(std::iter::once(service), business).pop()
}

/// Notes the same of several visits, each series once.
pub(crate) fn recall_visits<'a>(
    services: impl Iterator<Item = &'a Service>,
    business: &Business,
) -> Vec<Change> {
    let mut recalled: BTreeMap<Id, Series> = BTreeMap::new();
    for (id, date) in services.filter_map(Service::occurrence) {
        let Some(known) = business.series.get(&id) else {
            continue;
        };
        let is_left_out = known.row.left_out.contains(&date);
        if is_left_out {
            let series = recalled.entry(id).or_insert_with(|| known.row.clone());
            series.left_out.retain(|it| *it != date);
        }
    }
    recalled.into_values().map(Change::from).collect()
}
