//! Owns how the visits of a series follow a change of it: which are made, changed and removed, and which wait because
//! their time is taken. What is completed, under way, invoiced or paid stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use super::{DateChoice, DateWay};
use crate::commands::decision::{Adjustment, Context, Decision, removal};
use crate::rows::row::TableName;
use crate::rows::series::{Series, SeriesDate, Trip, TripShare};
use crate::rows::service::{PriceOverride, Service, ServiceStatus};
use crate::rules::conflict::{self, ConflictAnswer, ConflictRequest, Moved};
use crate::rules::series::{
    Occurrence, days_ahead, due_on, is_ahead, last_date, made_until, occurrences, planned_between,
    planned_of_trip, trip_days,
};
use crate::rules::service::{reprice, settle, snapshot};
use crate::rules::usage::{Limited, UsageLimit, limit_of, month_of};
use crate::values::bounds::{
    SERIES_LEFT_OUT, SERIES_VISITS_AT_ONCE, SERVICES_ON_A_DAY, check_room,
};
use crate::values::form_errors::FieldErrors;
use crate::values::plan::UNLIMITED;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Change, Date, Id, Refusal};

/// How long after its day a visit can still be made or changed, by the decider's clock: a phone without a network brings
/// home what was done meanwhile.
pub(crate) const DAYS_BACK: i64 = 92;

/// The first day whose visits a command changes: the day on which the person acted.
pub(crate) fn first_day(ctx: &Context) -> Date {
    let earliest = ctx.now.today().plus_days(-DAYS_BACK);
    ctx.today().max(earliest)
}

/// Effect of a command on a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateState {
    /// It is made, or takes place again.
    Made,
    /// It follows the change.
    Changed,
    /// It was changed by itself and keeps that.
    KeepsOwn,
    /// It is completed, under way, invoiced or paid, and stays.
    Stays,
    /// It is removed.
    Removed,
    /// Its time is taken, and it waits for a decision.
    Waits,
}

/// A visit that a command looked at.
#[derive(Clone, Debug)]
pub(crate) struct VisitOutcome {
    /// Names the visit in its series.
    pub key: SeriesDate,
    /// Effect of the command on it.
    pub state: DateState,
    /// The service as it is after the command; one that waits as it was to be.
    pub service: Service,
    /// Obstacles of its time, where that was looked at.
    pub answer: Option<ConflictAnswer>,
    /// The plan or the day has no room for it.
    pub no_room: Option<Refusal>,
}

/// A change of a series with the visits that follow it.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    /// The series before; none for a new one.
    before: Option<Series>,
    /// Visits that the person put off.
    put_off: Vec<SeriesDate>,
    /// The series, with the visits that wait.
    pub series: Series,
    /// The services that are made, changed and removed.
    pub services: BTreeMap<Id, Option<Service>>,
    /// Each visit that was looked at, by date and start.
    pub visits: Vec<VisitOutcome>,
}

impl Followed {
    /// The decision on the command.
    pub fn decision(&self) -> Decision {
        let mut changes = Vec::new();
        if self.before.as_ref() != Some(&self.series) {
            changes.push(self.series.clone().into());
        }
        changes.extend(self.changes());
        let known = self.before.as_ref().map_or(&[][..], |it| &it.waiting);
        let is_news = |it: &&SeriesDate| !known.contains(it) && !self.put_off.contains(it);
        let dates: Vec<SeriesDate> = self
            .series
            .waiting
            .iter()
            .filter(is_news)
            .copied()
            .collect();
        let made = self.count(DateState::Made) + self.count(DateState::Changed);
        let of = u32::try_from(made + dates.len()).unwrap_or(u32::MAX);
        let taken = (!dates.is_empty()).then_some(Adjustment::DatesTaken {
            series_id: self.series.id,
            dates,
            of,
        });
        Decision {
            changes,
            adjustments: taken.into_iter().collect(),
            ..Decision::default()
        }
    }

    /// The changes of the services' rows.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        self.services.iter().map(|(id, it)| match it {
            Some(service) => service.clone().into(),
            None => removal(TableName::Service, *id),
        })
    }

    /// Counts the visits that have become this.
    pub fn count(&self, state: DateState) -> usize {
        self.visits.iter().filter(|it| it.state == state).count()
    }
}

/// Returns true if a series may change or remove the service: it is still to be done, and nobody has begun it, billed it or
/// been paid for it.
pub(crate) const fn is_open(service: &Service) -> bool {
    matches!(service.status, ServiceStatus::Scheduled)
        && !is_billed(service)
        && !service.is_under_way()
}

const fn is_billed(service: &Service) -> bool {
    service.paid || service.invoice_id.is_some() || service.credited_invoice_id.is_some()
}

/// A change of a series that its visits are to follow.
pub(crate) struct Following<'a> {
    /// The series before; none for a new one.
    pub before: Option<&'a Series>,
    /// The series after, but for the visits that wait.
    pub after: Series,
    /// Decisions of a person on single visits.
    pub choices: &'a [DateChoice],
    /// The day from which visits that were changed by themselves follow, too.
    pub replaces_own_from: Option<Date>,
    /// A trip that ends earlier keeps the parts of its agreed total.
    pub keeps_parts: bool,
}

impl<'a> Following<'a> {
    /// A change after which a trip's agreed total is spread anew and visits keep what they have of their own.
    pub fn change(before: &'a Series, after: Series, choices: &'a [DateChoice]) -> Self {
        Self {
            before: Some(before),
            after,
            choices,
            replaces_own_from: None,
            keeps_parts: false,
        }
    }
}

/// Works out what follows from a change of a series.
pub(crate) fn follow(
    asked: Following<'_>,
    business: &Business,
    ctx: &Context,
) -> Result<Followed, Refusal> {
    let Following {
        before,
        mut after,
        choices,
        replaces_own_from,
        keeps_parts,
    } = asked;
    let first = first_day(ctx);
    // Somebody else has left it out by now: that is not undone untold, and neither is this decision lost.
    let is_on = |it: &&DateChoice| !matches!(it.way, DateWay::LeaveOut | DateWay::Wait);
    let contested = choices.iter().filter(is_on).map(DateChoice::key);
    let contested: BTreeSet<SeriesDate> =
        contested.filter(|it| after.left_out.contains(it)).collect();
    after.left_out.retain(|it| !contested.contains(it));
    let off = choices.iter().filter(|it| it.way == DateWay::LeaveOut);
    let off: Vec<SeriesDate> = off.map(DateChoice::key).collect();
    if !off.is_empty() {
        let planned: BTreeSet<SeriesDate> =
            planned_between(&after, first, made_until(&after, first))
                .map(|it| it.key())
                .collect();
        for key in off.into_iter().filter(|it| planned.contains(it)) {
            insert(&mut after.left_out, key);
        }
    }
    let oldest = ctx.now.today().plus_days(-DAYS_BACK);
    after.left_out = left_out_since(&after, oldest);
    let cut = before.filter(|_| keeps_parts);
    let cut = cut.and_then(|it| kept_parts(it, &after, business, ctx));
    if let Some(shares) = cut {
        if let Some(trip) = &mut after.trip {
            trip.total = Some(shares.iter().map(|it| it.amount).sum());
            trip.shares = shares;
        }
    } else {
        spread_total(before, &mut after, business, ctx)?;
    }
    after.due_on = due_on(&after, ctx.now.today(), days_ahead(business.config()));
    let rule = after.clone();
    let existing = visits_of(rule.id, business);
    // Made by a person before the weeks ahead have come to them. What was cancelled with its series waits for those.
    let made_early: BTreeSet<SeriesDate> = existing
        .iter()
        .filter(|(key, it)| first <= key.date && it.status == ServiceStatus::Scheduled)
        .map(|(key, _)| *key)
        .collect();
    let old: Vec<Occurrence<'_>> = before.map_or_else(Vec::new, |it| made(it, first, &made_early));
    let former = &old;
    let old: BTreeSet<SeriesDate> = former.iter().map(Occurrence::key).collect();
    let new: Vec<Occurrence<'_>> = made(&rule, first, &made_early);
    let stays: BTreeSet<SeriesDate> = new.iter().map(Occurrence::key).collect();

    let mut maker = Maker {
        business,
        ctx,
        series: &rule,
        moved: Moved::default(),
        visits: Vec::new(),
    };
    for occurrence in former {
        if !stays.contains(&occurrence.key())
            && let Some(before) = before
            && let Some(service) = existing.get(&occurrence.key()).copied()
        {
            maker.remove(before, occurrence, service)?;
        }
    }
    let waited: BTreeSet<SeriesDate> = after.waiting.iter().copied().collect();
    let mut waits = BTreeSet::new();
    // What stays on its day and moves there makes room for each other.
    for day in new.chunk_by(|one, other| one.date == other.date) {
        let asked: Vec<Asked<'_>> = day
            .iter()
            .filter_map(|it| {
                let key = it.key();
                if contested.contains(&key) {
                    waits.insert(key);
                    return None;
                }
                let choice = choices.iter().find(|it| it.key() == key);
                let service = existing.get(&key).copied();
                let former = before.filter(|_| old.contains(&key));
                let former = former.and_then(|it| template_in(it, key));
                let has_waited = waited.contains(&key);
                let asked = Asked {
                    occurrence: *it,
                    choice,
                    current: service,
                    former,
                    has_waited,
                    replaces_own: replaces_own_from.is_some_and(|it| it <= key.date),
                    is_new: !old.contains(&key) || (has_waited && choice.is_some()),
                };
                let is_asked = asked.is_asked(&rule);
                if has_waited && !is_asked {
                    waits.insert(key);
                }
                is_asked.then_some(asked)
            })
            .collect();
        waits.extend(maker.place(&asked)?);
    }
    let made = maker.visits.iter().filter(|it| it.state == DateState::Made);
    if SERIES_VISITS_AT_ONCE < made.count() && !ctx.is_shown {
        let mut errors = FieldErrors::default();
        errors.add(
            "visits",
            format!("At most {SERIES_VISITS_AT_ONCE} visits can come back at once"),
        );
        return Err(errors.into());
    }
    let (services, mut visits) = (maker.moved, maker.visits);
    visits.small_sort_by_key(|it| (it.service.date, it.service.start_time, it.key));
    after.waiting = waits.into_iter().collect();
    if !ctx.is_shown {
        let of = |lists: fn(&Series) -> &Vec<SeriesDate>| {
            (before.map_or(0, |it| lists(it).len()), lists(&after).len())
        };
        check_growth("left_out", of(|it| &it.left_out), SERIES_LEFT_OUT)?;
        check_growth("waiting", of(|it| &it.waiting), SERIES_VISITS_AT_ONCE)?;
    }
    let put_off = choices.iter().filter(|it| it.way == DateWay::Wait);
    Ok(Followed {
        before: before.cloned(),
        put_off: put_off.map(DateChoice::key).collect(),
        series: after,
        services: services.0,
        visits,
    })
}

/// The visits of a series that were made: those of the weeks ahead, and of later days those `made_early`.
fn made<'a>(
    series: &'a Series,
    first: Date,
    made_early: &BTreeSet<SeriesDate>,
) -> Vec<Occurrence<'a>> {
    let until = made_until(series, first);
    let mut made: Vec<Occurrence<'a>> = occurrences(series, first, until).collect();
    let early = made_early.iter().map(|it| it.date);
    let days: BTreeSet<Date> = early.filter(|it| until < *it).collect();
    for day in days {
        let visits = occurrences(series, day, day);
        made.extend(visits.filter(|it| made_early.contains(&it.key())));
    }
    made
}

/// Makes one visit as its series says it, where its time is free or `overlap_ok` is true.
pub(crate) fn make_one(
    series: &Series,
    occurrence: Occurrence<'_>,
    overlap_ok: bool,
    business: &Business,
    ctx: &Context,
) -> Result<Service, Refusal> {
    let key = occurrence.key();
    let choice = DateChoice {
        date: key.date,
        slot: key.slot,
        way: DateWay::Book,
        start_time: None,
    };
    let asked = Asked {
        occurrence,
        choice: overlap_ok.then_some(&choice),
        current: None,
        former: None,
        has_waited: false,
        replaces_own: false,
        is_new: true,
    };
    let mut maker = Maker {
        business,
        ctx,
        series,
        moved: Moved::default(),
        visits: Vec::new(),
    };
    let outcome = maker.place_one(&asked)?.ok_or(Refusal::Taken)?;
    if let Some(refusal) = outcome.no_room {
        return Err(refusal);
    }
    match outcome.answer.filter(|it| it.conflict) {
        Some(answer) => Err(Refusal::Conflict {
            with: answer.with,
            free: answer.free,
            next: None,
        }),
        None => Ok(outcome.service),
    }
}

/// Refuses to let a list grow beyond its bound; one that is longer already may stay so.
fn check_growth(field: &str, (was, is): (usize, usize), most: usize) -> Result<(), FieldErrors> {
    match was < is {
        true => check_room(field, is.saturating_sub(1), most),
        false => Ok(()),
    }
}

/// Lists the visits that a series leaves out, without those that are over since `oldest`.
pub(crate) fn left_out_since(series: &Series, oldest: Date) -> Vec<SeriesDate> {
    let left_out = series.left_out.iter();
    let kept = left_out.filter(|it| is_ahead(series, **it, oldest));
    kept.copied().collect()
}

/// Adds a visit to a sorted list.
pub(crate) fn insert(list: &mut Vec<SeriesDate>, key: SeriesDate) {
    if let Err(place) = list.binary_search(&key) {
        list.insert(place, key);
    }
}

const PART_OF: &str = "Part of ";
const FOR_TRIP: &str = " for the trip";

/// The price of a visit as its part of a trip's agreed total.
fn part_of_trip(amount: Cents, total: Cents) -> PriceOverride {
    PriceOverride {
        amount,
        reason: format!("{PART_OF}{total}{FOR_TRIP}"),
        tells_reason: true,
    }
}

/// Returns true if a price is the part of a trip's agreed total, and no price of the visit's own.
fn is_part_of_trip(price: &PriceOverride) -> bool {
    let reason = price.reason.strip_prefix(PART_OF);
    reason.is_some_and(|it| it.ends_with(FOR_TRIP))
}

/// The fields of a service that a series says, without what offering, client and price make of them.
fn template(series: &Series, occurrence: &Occurrence<'_>, ctx_id: Id) -> Service {
    let Occurrence { date, phase, slot } = *occurrence;
    let is_stay = series.is_stay(slot.id);
    let share = series.share_of(occurrence.key());
    let total = series.trip.as_ref().and_then(|it| it.total);
    let share = share
        .zip(total)
        .map(|(amount, total)| part_of_trip(amount, total));
    Service {
        client_id: series.client_id,
        dog_ids: phase.dog_ids.clone(),
        service_type: slot.service_type,
        date: if is_stay { series.begins() } else { date },
        end_date: last_date(series).filter(|_| is_stay),
        departure_time: slot.departure_time.filter(|_| is_stay),
        start_time: slot.start_time,
        duration_minutes: slot.duration_minutes,
        notes: phase.notes.clone(),
        internal_notes: phase.internal_notes.clone(),
        offering_id: slot.offering_id,
        price_override: share.or_else(|| phase.price_override.clone()),
        series_id: Some(series.id),
        series_slot: Some(slot.id),
        series_date: Some(date),
        ..Service::new(ctx_id, series.created_at)
    }
}

/// The same for a visit that is named.
pub(super) fn template_in(series: &Series, key: SeriesDate) -> Option<Service> {
    let (phase, slot) = series.slot_of(key)?;
    let occurrence = Occurrence {
        date: key.date,
        phase,
        slot,
    };
    Some(template(series, &occurrence, occurrence.id(series.id)))
}

/// Returns true if a visit is not as its series says it: somebody has changed it by itself.
pub(crate) fn has_own(series: &Series, service: &Service, business: &Business) -> bool {
    let Some((_, key)) = service.occurrence() else {
        return false;
    };
    template_in(series, key).is_none_or(|mut it| {
        leave_gone_pets(&mut it, business);
        leave_gone_offering(&mut it, service, business);
        !is_said_alike(&it, service)
    })
}

/// Leaves out what is not sold any more, as a visit that was made since does.
fn leave_gone_offering(said: &mut Service, service: &Service, business: &Business) {
    let is_sold = |id: Id| business.offerings.contains_key(&id);
    if service.offering_id.is_none() && !said.offering_id.is_some_and(is_sold) {
        said.offering_id = None;
    }
}

/// Leaves out the pets that are gone on the day of a visit.
fn leave_gone_pets(service: &mut Service, business: &Business) {
    let date = service.date;
    let is_gone = |id: &Id| {
        let gone_on = business.pet(*id).and_then(|it| it.gone_on);
        gone_on.is_some_and(|gone| gone <= date)
    };
    service.dog_ids.retain(|it| !is_gone(it));
}

/// Returns true if a visit is not as its series says it, its start apart: that may come from a decision on a time that was
/// taken.
pub(crate) fn has_own_but_start(series: &Series, service: &Service, business: &Business) -> bool {
    let mut unmoved = service.clone();
    if let Some((_, key)) = service.occurrence()
        && let Some((_, slot)) = series.slot_of(key)
    {
        unmoved.start_time = slot.start_time;
    }
    !service.completion_notes.is_empty() || has_own(series, &unmoved, business)
}

/// A visit with those pets of its series that are not gone: one that was made while others were gone has them not.
pub(super) fn with_pets_of(series: &Series, service: &Service, business: &Business) -> Service {
    let said = service
        .occurrence()
        .and_then(|(_, key)| template_in(series, key))
        .filter(|said| service.dog_ids.iter().all(|it| said.dog_ids.contains(it)));
    let mut service = service.clone();
    if let Some(mut said) = said {
        leave_gone_pets(&mut said, business);
        service.dog_ids = said.dog_ids;
    }
    service
}

/// The services of a series by the visit that each is.
pub(crate) fn visits_of(id: Id, business: &Business) -> BTreeMap<SeriesDate, &Service> {
    let services = business.services.referring_to(id);
    let own = services.filter_map(|it| it.occurrence().map(|(series, key)| (series, key, it)));
    let own = own.filter(|it| it.0 == id);
    own.map(|(_, key, service)| (key, service)).collect()
}

/// A visit that may have to be made or changed.
struct Asked<'a> {
    occurrence: Occurrence<'a>,
    choice: Option<&'a DateChoice>,
    current: Option<&'a Service>,
    /// The fields that the series said before.
    former: Option<Service>,
    /// It waits for a decision, so that its time is not what the series says.
    has_waited: bool,
    /// It follows also where it was changed by itself.
    replaces_own: bool,
    /// It was not a visit of the series before, or waited and is decided on now.
    is_new: bool,
}

impl Asked<'_> {
    /// The visit that is there as it is to be, `now` being what the series says.
    fn wanted(&self, current: &Service, now: &Service) -> Service {
        let mut service = current.clone();
        match &self.former {
            _ if self.replaces_own => take_over(&mut service, None, now),
            Some(former) => take_over(&mut service, Some(former), now),
            // A person has brought it back alone.
            None => {}
        }
        if self.has_waited {
            take_time(&mut service, now);
        }
        service
    }

    fn is_asked(&self, series: &Series) -> bool {
        let says_other = || {
            let now = template(series, &self.occurrence, Id::default());
            let former = self.former.as_ref();
            former.is_none_or(|it| !is_said_alike(it, &now))
        };
        self.is_new
            || self.choice.is_some()
            || (self.current.is_some() && (self.replaces_own || says_other()))
    }
}

/// Returns true if a series says the same of two visits.
fn is_said_alike(one: &Service, other: &Service) -> bool {
    one.client_id == other.client_id
        && one.date == other.date
        && one.end_date == other.end_date
        && one.departure_time == other.departure_time
        && one.start_time == other.start_time
        && one.duration_minutes == other.duration_minutes
        && one.offering_id == other.offering_id
        // An offering decides it, as it was when the visit was made.
        && (one.offering_id.is_some() || one.service_type == other.service_type)
        && one.dog_ids == other.dog_ids
        && one.notes == other.notes
        && one.internal_notes == other.internal_notes
        && one.price_override == other.price_override
        && one.window() == other.window()
}

/// Puts the time and the kind of `now` in the place of those of `service`.
fn take_time(service: &mut Service, now: &Service) {
    service.date = now.date;
    service.end_date = now.end_date;
    service.departure_time = now.departure_time;
    service.start_time = now.start_time;
    service.duration_minutes = now.duration_minutes;
    service.service_type = now.service_type;
    service.offering_id = now.offering_id;
}

/// Puts `now` in the place of what `service` has as `former` said it; without `former` everywhere.
fn take_over(service: &mut Service, former: Option<&Service>, now: &Service) {
    macro_rules! take_over {
        ($($field:ident),*) => {
            $(if former.is_none_or(|it| it.$field == service.$field) {
                service.$field.clone_from(&now.$field);
            })*
        };
    }
    // A day that was changed alone keeps its time, too.
    let is_moved = former.is_some_and(|it| it.date != service.date);
    if !is_moved {
        take_over!(start_time);
    }
    let is_of_former_kind = former.is_none_or(|it| it.offering_id == service.offering_id);
    if is_of_former_kind {
        service.service_type = now.service_type;
    }
    take_over!(
        client_id,
        date,
        end_date,
        departure_time,
        duration_minutes,
        offering_id,
        dog_ids,
        notes,
        internal_notes,
        price_override
    );
}

/// The parts of a trip's agreed total that stay when it ends earlier, as they are; a stay that goes on until then keeps as
/// much of its part as of its days. `None` where the trip does not end earlier, is called off as a whole, or has no parts.
fn kept_parts(
    before: &Series,
    after: &Series,
    business: &Business,
    ctx: &Context,
) -> Option<Vec<TripShare>> {
    let ((begins, was), (_, is)) = (trip_days(before)?, trip_days(after)?);
    if was <= is {
        return None;
    }
    let first = first_day(ctx);
    let existing = visits_of(after.id, business);
    let mut shares = Vec::new();
    for visit in planned_of_trip(after) {
        let key = visit.key();
        let mut amount = before.share_of(key)?;
        let service = existing.get(&key).copied();
        let is_fixed =
            service.is_some_and(|it| it.status != ServiceStatus::Cancelled && !is_open(it));
        if after.is_stay(key.slot) && !is_fixed && is_ahead(before, key, first) {
            // One that would have to end before today goes.
            if !is_ahead(after, key, first) {
                continue;
            }
            let stay = service.cloned().or_else(|| template_in(before, key))?;
            let units = |last: Date| {
                let stay = Service {
                    date: begins,
                    end_date: Some(last),
                    ..stay.clone()
                };
                i64::from(stay.n_units())
            };
            let weights = [units(is), units(was) - units(is)];
            amount = amount.spread(&weights).into_iter().next()?;
        }
        shares.push(TripShare {
            date: key.date,
            slot: key.slot,
            amount,
        });
    }
    Some(shares)
}

/// Spreads a trip's agreed total over its visits, where that or its plan is another one: what is done, billed, over or has a
/// price of its own keeps its price, and the rest goes to all others by what each usually costs.
/// A trip of which nothing is left keeps the total, for when it takes place after all.
// INVARIANT: The parts of the total of a trip come to the total, unless what is kept is more.
fn spread_total(
    before: Option<&Series>,
    after: &mut Series,
    business: &Business,
    ctx: &Context,
) -> Result<(), Refusal> {
    let Some(trip) = &after.trip else {
        return Ok(());
    };
    let keys =
        |it: &Series| -> Vec<SeriesDate> { planned_of_trip(it).map(|it| it.key()).collect() };
    let plan = keys(after);
    let total = trip.total;
    let was = before.and_then(|it| it.trip.as_ref());
    let is_same =
        before.is_some_and(|it| keys(it) == plan) && was.is_some_and(|it| it.total == total);
    let Some(total) = total.filter(|_| !is_same) else {
        if total.is_none()
            && let Some(trip) = &mut after.trip
        {
            trip.shares.clear();
        }
        return Ok(());
    };
    let first = first_day(ctx);
    let existing = visits_of(after.id, business);
    // What a change that is undone had said, too.
    let known = |key: SeriesDate| {
        [before, Some(&*after)]
            .into_iter()
            .flatten()
            .find_map(|it| it.share_of(key))
    };
    let has_own_price = |service: &Service, key: SeriesDate| {
        let said = before.and_then(|before| template_in(before, key));
        said.is_some_and(|said| said.price_override != service.price_override)
    };
    let kept_of = |key: SeriesDate| {
        let service = existing
            .get(&key)
            .filter(|it| it.status != ServiceStatus::Cancelled);
        let kept = service.filter(|it| !is_open(it) || has_own_price(it, key));
        match kept {
            Some(service) => Some(service.price),
            None if is_ahead(after, key, first) => None,
            None => Some(known(key).unwrap_or_default()),
        }
    };
    let kept: Vec<Option<Cents>> = plan.iter().map(|it| kept_of(*it)).collect();
    let shares = |series: &Series| -> Vec<Option<Cents>> {
        plan.iter().map(|it| series.share_of(*it)).collect()
    };
    // An undo brings back what was said before, to the cent; a price of a visit's own stood beside that.
    let said = shares(after);
    let is_own = |key: &SeriesDate| {
        let service = existing.get(key).filter(|it| is_open(it));
        service.is_some_and(|it| has_own_price(it, *key))
    };
    let keeps_all = plan
        .iter()
        .zip(said.iter().zip(&kept))
        .all(|(key, (said, kept))| {
            said.is_some() && (is_own(key) || kept.is_none_or(|it| Some(it) == *said))
        });
    let is_undone = was.is_some_and(|was| was.shares != trip.shares);
    if is_undone && keeps_all && said.iter().flatten().copied().sum::<Cents>() == total {
        return Ok(());
    }
    let spent: Cents = kept.iter().flatten().copied().sum();
    let rest = (total - spent).max(Cents::ZERO);
    let mut usual = after.clone();
    usual.trip = usual.trip.map(|it| Trip {
        total: None,
        shares: Vec::new(),
        ..it
    });
    let maker = Maker {
        business,
        ctx,
        series: &usual,
        moved: Moved::default(),
        visits: Vec::new(),
    };
    let mut weights = Vec::new();
    for (visit, _) in planned_of_trip(&usual)
        .zip(&kept)
        .filter(|(_, kept)| kept.is_none())
    {
        weights.push(maker.as_said(&visit)?.price.0);
    }
    // Nothing of the total is left for other days. Nobody has said that they are free: each keeps its part, of an undo the
    // one that it brings back, and one that comes to the trip costs as usual.
    let is_used_up = rest == Cents::ZERO
        && Cents::ZERO < total
        && !weights.is_empty()
        && (is_undone || was.is_some_and(|it| it.total == Some(total)));
    let mut parts = match is_used_up {
        true => {
            let open = plan.iter().zip(&said).zip(&kept);
            let open = open.filter(|it| it.1.is_none()).map(|it| it.0);
            let part = |key, said: Option<Cents>| {
                let was = before.and_then(|it| it.share_of(key));
                if is_undone { said.or(was) } else { was }
            };
            open.zip(&weights)
                .map(|((key, said), usual)| part(*key, *said).unwrap_or(Cents(*usual)))
                .collect::<Vec<Cents>>()
        }
        false => rest.spread(&weights),
    }
    .into_iter();
    let shares = plan.iter().zip(kept).map(|(key, kept)| TripShare {
        date: key.date,
        slot: key.slot,
        amount: kept.or_else(|| parts.next()).unwrap_or_default(),
    });
    let shares: Vec<TripShare> = shares.collect();
    let sum = shares.iter().map(|it| it.amount).sum();
    if let Some(trip) = &mut after.trip {
        trip.shares = shares;
        // With no visit left to take the rest, the trip comes to what is kept.
        let is_kept = weights.is_empty() && !plan.is_empty() && sum < total;
        if is_kept || is_used_up {
            trip.total = Some(sum);
        }
    }
    Ok(())
}

struct Maker<'a> {
    business: &'a Business,
    ctx: &'a Context,
    series: &'a Series,
    /// The services that are made, changed and removed so far.
    moved: Moved,
    visits: Vec<VisitOutcome>,
}

impl Maker<'_> {
    /// Takes away a visit that the series has no more: a row that says nothing of its own goes; one that does is cancelled
    /// with its series, and comes back as it was.
    fn remove(
        &mut self,
        before: &Series,
        was: &Occurrence<'_>,
        service: &Service,
    ) -> Result<(), Refusal> {
        let mut service = service.clone();
        let state = if is_open(&service) {
            let mut said = template(before, was, service.id);
            leave_gone_pets(&mut said, self.business);
            leave_gone_offering(&mut said, &service, self.business);
            let is_plain = is_said_alike(&said, &service) && service.completion_notes.is_empty();
            service.status = ServiceStatus::Cancelled;
            service.cancelled_at = Some(self.ctx.acted_at());
            service.series_off = true;
            let row = (!is_plain).then(|| service.clone());
            self.moved.0.insert(service.id, row);
            DateState::Removed
        } else if service.status == ServiceStatus::Cancelled {
            return Ok(());
        } else {
            DateState::Stays
        };
        self.visits.push(VisitOutcome {
            key: was.key(),
            state,
            service,
            answer: None,
            no_room: None,
        });
        Ok(())
    }

    /// Makes and changes visits of one day; gives those that have to wait.
    fn place(&mut self, asked: &[Asked<'_>]) -> Result<Vec<SeriesDate>, Refusal> {
        let n_visits = self.visits.len();
        for asked in asked {
            if let Some(current) = asked.current.filter(|it| is_open(it)) {
                let now = self.as_said(&asked.occurrence)?;
                let wanted = asked.wanted(current, &now);
                if ConflictRequest::of(&wanted) != ConflictRequest::of(current) {
                    self.moved.0.insert(current.id, None);
                }
            }
        }
        let waits = self.place_each(asked)?;
        if waits.is_empty() || asked.len() == 1 {
            return Ok(waits);
        }
        // One of them stays where it is, and the place that it was to leave is not free.
        for asked in asked {
            let new = asked.occurrence.id(self.series.id);
            let id = asked.current.map_or(new, |it| it.id);
            self.moved.0.remove(&id);
        }
        self.visits.truncate(n_visits);
        self.place_each(asked)
    }

    fn place_each(&mut self, asked: &[Asked<'_>]) -> Result<Vec<SeriesDate>, Refusal> {
        let mut waits = Vec::new();
        for asked in asked {
            let outcome = self.place_one(asked)?;
            if let Some(outcome) = outcome {
                if outcome.state == DateState::Waits {
                    waits.push(outcome.key);
                }
                self.visits.push(outcome);
            }
        }
        Ok(waits)
    }

    fn place_one(&mut self, asked: &Asked<'_>) -> Result<Option<VisitOutcome>, Refusal> {
        let key = asked.occurrence.key();
        let now = self.as_said(&asked.occurrence)?;
        let outcome = |state, service| VisitOutcome {
            key,
            state,
            service,
            answer: None,
            no_room: None,
        };
        let (mut service, state) = match asked.current {
            None if !asked.is_new => return Ok(None),
            // An id that something else has is not taken from it.
            None if self.business.service(now.id).is_some() => return Ok(None),
            None => (now, DateState::Made),
            Some(current) if current.series_off && asked.is_new && !is_billed(current) => {
                let mut service = current.clone();
                service.status = ServiceStatus::Scheduled;
                service.clear_cancellation();
                // Its part may be another one by now.
                if service.price_override.as_ref().is_some_and(is_part_of_trip) {
                    service.price_override.clone_from(&now.price_override);
                }
                (service, DateState::Made)
            }
            Some(current) if !is_open(current) => {
                let is_off = current.status == ServiceStatus::Cancelled;
                return Ok((!is_off).then(|| outcome(DateState::Stays, current.clone())));
            }
            Some(current) => {
                let service = asked.wanted(current, &now);
                if service == *current && asked.choice.is_none() {
                    self.moved.0.remove(&current.id);
                    // One that is as the series says has nothing of its own to keep.
                    let keeps_own = !is_said_alike(&now, &service);
                    return Ok(keeps_own.then(|| outcome(DateState::KeepsOwn, service)));
                }
                (service, DateState::Changed)
            }
        };
        let choice = asked.choice;
        if let Some(choice) = choice.filter(|it| it.way == DateWay::Move) {
            service.start_time = choice.start_time.unwrap_or(service.start_time);
        }
        let mut outcome = outcome(state, service);
        let mut waits = choice.is_some_and(|it| it.way == DateWay::Wait);
        if outcome.service.dog_ids.is_empty() {
            let mut errors = FieldErrors::default();
            errors.add("dog_ids", "Please select at least one dog");
            outcome.no_room = Some(errors.into());
            waits = true;
        }
        let stays_there = asked.current.is_some_and(|it| {
            it.status == ServiceStatus::Scheduled
                && ConflictRequest::of(it) == ConflictRequest::of(&outcome.service)
        });
        if choice.is_some_and(|it| it.way == DateWay::Book) {
            outcome.service.overlap_ok = true;
        } else if !stays_there && !waits && !self.ctx.is_shown {
            let request = ConflictRequest::of(&outcome.service);
            let (business, now) = (self.business, &self.ctx.now);
            let answer = match request.end_date {
                Some(_) => conflict::check(business, &request, now),
                None => conflict::check_moved(business, &self.moved, &request, now),
            };
            outcome.service.overlap_ok = false;
            waits |= answer.conflict;
            outcome.answer = Some(answer);
        }
        if state == DateState::Made && !waits && !self.ctx.is_shown {
            outcome.no_room = no_room(self.business, &self.moved, outcome.service.date, true);
            waits |= outcome.no_room.is_some();
        }
        if let Some(current) = asked.current
            && state == DateState::Changed
        {
            let mut changed = outcome.service.clone();
            if waits {
                // What does not concern its time is changed all the same.
                take_time(&mut changed, current);
                changed.overlap_ok = current.overlap_ok;
            }
            self.complete(&mut changed, Some(current))?;
            if changed == *current {
                self.moved.0.remove(&current.id);
            } else {
                self.moved.0.insert(current.id, Some(changed.clone()));
            }
            if !waits {
                outcome.service = changed;
            }
        } else if !waits {
            let reopened = asked.current;
            self.complete(&mut outcome.service, reopened)?;
            let service = outcome.service.clone();
            self.moved.0.insert(service.id, Some(service));
        }
        if waits {
            outcome.state = DateState::Waits;
        }
        Ok(Some(outcome))
    }

    /// A new visit as the series says it.
    fn as_said(&self, occurrence: &Occurrence<'_>) -> Result<Service, Refusal> {
        let id = occurrence.id(self.series.id);
        let mut service = template(self.series, occurrence, id);
        service.created_at = self.ctx.acted_at();
        self.complete(&mut service, None)?;
        Ok(service)
    }

    /// Writes down what client, pets, offering and rates make of a visit; what was agreed on stays.
    fn complete(&self, service: &mut Service, current: Option<&Service>) -> Result<(), Refusal> {
        let business = self.business;
        let last = service.end_date;
        settle(service, current, business);
        // An offering that has come to be sold by the day since is one of a day here.
        service.end_date = match service
            .series_slot
            .is_some_and(|it| self.series.is_stay(it))
        {
            true => last,
            false => current.and_then(|it| it.end_date),
        };
        service.settle_stay();
        let client_id = service.client_id;
        let is_theirs = |id: &Id| {
            business
                .pet(*id)
                .is_some_and(|it| it.client_id == client_id)
        };
        service.dog_ids.retain(is_theirs);
        leave_gone_pets(service, business);
        service.settle_window();
        snapshot(service, business)?;
        if current.is_none_or(|it| !service.is_priced_like(it)) {
            reprice(service, business)?;
        }
        Ok(())
    }
}

/// Returns true if a visit that was called off can be back on its day.
pub(crate) fn has_room_again(business: &Business, moved: &Moved, date: Date) -> bool {
    match no_room(business, moved, date, true) {
        None => true,
        // Where there is more than the plan has room for, nothing can have taken its place.
        Some(Refusal::LimitReached { usage, .. }) => usage.limit < usage.current,
        Some(_) => false,
    }
}

/// The refusal of one more visit on that day, where the day or, if `counts_in_plan`, the plan has no room for it.
pub(crate) fn no_room(
    business: &Business,
    moved: &Moved,
    date: Date,
    counts_in_plan: bool,
) -> Option<Refusal> {
    let counted = |first: Date, last: Date, counts: fn(&Service) -> bool| {
        let stay = business.services.between(first, last);
        let stay = stay.filter(|it| counts(it) && !moved.0.contains_key(&it.id));
        let moved = moved.0.values().flatten();
        let moved = moved.filter(|it| (first..=last).contains(&it.date) && counts(it));
        stay.count() + moved.count()
    };
    if SERVICES_ON_A_DAY <= counted(date, date, |_| true) {
        let mut errors = FieldErrors::default();
        errors.add("services_on_a_day", "This day is full");
        return Some(errors.into());
    }
    let limit = limit_of(business, Limited::Services);
    if limit == UNLIMITED || !counts_in_plan {
        return None;
    }
    let (first, last) = month_of(date);
    let current = counted(first, last, |it| it.status != ServiceStatus::Cancelled);
    let current = i64::try_from(current).unwrap_or(i64::MAX);
    (limit <= current).then_some(Refusal::LimitReached {
        what: Limited::Services,
        usage: UsageLimit { current, limit },
        month: Some(first),
    })
}
