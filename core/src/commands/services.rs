//! Owns what the commands about several services at once do: each moves, marks or copies what it can in one change, and
//! tells which services stayed as they are.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, Need, Shows, changed, check_seen, removal,
};
use crate::commands::limit;
use crate::commands::series::{DateState, VisitOutcome};
use crate::commands::service::{
    CancelService, CompleteService, cancel, complete, on_again, reopen,
};
use crate::rows::left_alone::{LeftAlone, LeftAloneWhy};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::series::SeriesDate;
use crate::rows::service::{Service, ServiceStatus, StartWindow};
use crate::rules::conflict::{self, ConflictRequest, Moved};
use crate::rules::scheduling::IN_THE_PAST;
use crate::rules::service::{reprice, settle, snapshot};
use crate::rules::usage::{Limited, is_limited, month_of};
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Refusal, Row, Time};

/// Another time for one of several services.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServiceMove {
    /// Id of the service.
    pub id: Id,
    /// The new day.
    pub date: Date,
    /// The new start.
    pub start_time: Time,
    /// The day that the person saw; one that is at another time by now is left alone.
    pub was_date: Date,
    /// The start that the person saw.
    pub was_start_time: Time,
    /// The person saw what it overlaps and wants it all the same.
    #[serde(default)]
    pub overlap_ok: bool,
    /// The agreed window that it gets back, in an undo; one that its new start does not lie in is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<StartWindow>,
}

read_by_field!(ServiceMove { id, date, start_time, was_date, was_start_time } or default { overlap_ok, window });

/// Moves several services at once; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveServices {
    /// The new times, at most one of each service.
    pub moves: Vec<ServiceMove>,
    /// They were there a moment ago, so a day that is over is no obstacle.
    #[serde(default)]
    pub brings_back: bool,
}

read_by_field!(MoveServices { moves } or default { brings_back });

/// Completes or cancels several services at once, or takes that back; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkServices {
    /// Ids of the services.
    pub marked: Vec<Id>,
    /// The new status. `scheduled` undoes a completion or a cancellation of a moment ago.
    pub status: ServiceStatus,
    /// The status that is undone; services with another one are left alone.
    #[serde(default)]
    pub was: Option<ServiceStatus>,
    /// The sitter's words on why they are cancelled; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reason: String,
    /// True if the clients read them, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tells_reason: bool,
}

read_by_field!(MarkServices { marked, status } or default { was, reason, tells_reason });

/// A copy of one service.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServiceCopy {
    /// Id of the copy.
    pub id: Id,
    /// Id of the original.
    pub original: Id,
    /// Day of the copy.
    pub date: Date,
    /// Start of the copy.
    pub start_time: Time,
    /// The person saw what it overlaps and wants it all the same.
    #[serde(default)]
    pub overlap_ok: bool,
}

read_by_field!(ServiceCopy { id, original, date, start_time } or default { overlap_ok });

/// Copies services to other days: single services at the rates of today, without agreed prices and service notes.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CopyServices {
    /// The copies, each with an id of its own.
    pub copies: Vec<ServiceCopy>,
}

read_by_field!(CopyServices { copies });

/// Undoes copies: those that nobody has changed since are removed. To be saved with the base revision of the command that
/// it undoes.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoCopy {
    /// Ids of the copies.
    pub copied: Vec<Id>,
}

read_by_field!(UndoCopy { copied });

const fn key(id: Id) -> RowKey {
    RowKey {
        table: TableName::Service,
        id,
    }
}

fn about(effect: Effect, ids: impl Iterator<Item = Id>) -> About {
    About {
        builds_on: ids.map(key).collect(),
        shows: Shows::Made(TableName::Service),
        ..About::of("Schedule", effect)
    }
}

impl Intent for MoveServices {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let ids: Vec<Id> = self.moves.iter().map(|it| it.id).collect();
        let mut needs = rows(TableName::Service, &ids);
        needs.extend(needs_around(self.moves.iter().map(|it| it.date), business));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(moved(self, business, ctx).decision())
    }

    fn about(&self) -> About {
        about(Effect::Marks, self.moves.iter().map(|it| it.id))
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        // Nobody types anything in it.
        Some(Vec::new())
    }
}

impl Intent for MarkServices {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = rows(TableName::Service, &self.marked);
        // What was cancelled may find its time taken.
        if self.status == ServiceStatus::Scheduled {
            let known = self.marked.iter().filter_map(|it| business.service(*it));
            let off: Vec<&Service> = known
                .filter(|it| it.status == ServiceStatus::Cancelled)
                .collect();
            needs.extend(needs_around(off.iter().map(|it| it.date), business));
            needs.extend(
                off.iter()
                    .filter_map(|it| Some(Need::StaysBetween(it.date, it.end_date?))),
            );
            let series: BTreeSet<Id> = off.iter().filter_map(|it| it.series_id).collect();
            let series: Vec<Id> = series.into_iter().collect();
            needs.extend(rows(TableName::Series, &series));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(marked(self, business, ctx).decision())
    }

    fn about(&self) -> About {
        about(Effect::Marks, self.marked.iter().copied())
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        let is_said = !self.reason.is_empty();
        Some(
            is_said
                .then_some(("Reason", self.reason.as_str()))
                .into_iter()
                .collect(),
        )
    }
}

impl Intent for CopyServices {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let ids = self.copies.iter().flat_map(|it| [it.id, it.original]);
        let ids: BTreeSet<Id> = ids.collect();
        let ids: Vec<Id> = ids.into_iter().collect();
        let mut needs = rows(TableName::Service, &ids);
        let originals = self.copies.iter().map(|it| it.original);
        let originals: Vec<&Service> = originals.filter_map(|it| business.service(it)).collect();
        let clients: BTreeSet<Id> = originals.iter().map(|it| it.client_id).collect();
        let clients: Vec<Id> = clients.into_iter().collect();
        let offerings: BTreeSet<Id> = originals.iter().filter_map(|it| it.offering_id).collect();
        let offerings: Vec<Id> = offerings.into_iter().collect();
        needs.extend(rows(TableName::Client, &clients));
        needs.extend(in_parts(&clients).map(Need::PetsOfAny));
        needs.extend(rows(TableName::Offering, &offerings));
        // Nothing is copied to a day that is over.
        let yesterday = ctx.today().plus_days(-1);
        let dates = self.copies.iter().map(|it| it.date);
        needs.extend(needs_around(dates.filter(|it| yesterday <= *it), business));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        Ok(copied(self, business, ctx)?.decision())
    }

    fn about(&self) -> About {
        About {
            made: self.copies.iter().map(|it| key(it.id)).collect(),
            ..about(Effect::Makes, self.copies.iter().map(|it| it.original))
        }
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

impl Intent for UndoCopy {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let mut needs = rows(TableName::Service, &self.copied);
        let changes = self.copied.iter();
        needs.extend(changes.map(|it| changed(TableName::Service, *it)));
        needs
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        Ok(uncopied(self, business).decision())
    }

    fn about(&self) -> About {
        about(Effect::Removes, self.copied.iter().copied())
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

/// So many ids are asked for at once.
const IDS_AT_ONCE: usize = 100;

fn in_parts(ids: &[Id]) -> impl Iterator<Item = Vec<Id>> {
    ids.chunks(IDS_AT_ONCE).map(<[Id]>::to_vec)
}

fn rows(table: TableName, ids: &[Id]) -> Vec<Need> {
    in_parts(ids).map(|it| Need::Rows(table, it)).collect()
}

/// Days between two dates that are loaded with them: one question for both is cheaper than two.
const GAP_DAYS: i64 = 7;

/// Lists the services of these days and of those around them, with one question for days that are near each other.
pub(super) fn services_near(dates: &BTreeSet<Date>) -> impl Iterator<Item = Need> + use<> {
    let mut spans: Vec<(Date, Date)> = Vec::new();
    for date in dates {
        match spans.last_mut() {
            Some((_, last)) if *date <= last.plus_days(GAP_DAYS) => *last = *date,
            _ => spans.push((*date, *date)),
        }
    }
    let spans = spans.into_iter();
    spans.map(|(first, last)| Need::ServicesBetween(first.plus_days(-1), last.plus_days(1)))
}

/// Lists the rows that may be in the way of services on these days, and those that the plan counts.
fn needs_around(dates: impl Iterator<Item = Date>, business: &Business) -> Vec<Need> {
    let dates: BTreeSet<Date> = dates.collect();
    if dates.is_empty() {
        return Vec::new();
    }
    let mut needs = vec![
        Need::Table(TableName::Pattern),
        Need::Table(TableName::BlockedTime),
    ];
    needs.extend(services_near(&dates));
    needs.extend(limit::needs_of_plan());
    if is_limited(business, Limited::Services) {
        // The plan counts months, of which these days may have several.
        let months: BTreeSet<(Date, Date)> = dates.iter().map(|it| month_of(*it)).collect();
        needs.extend(
            months
                .into_iter()
                .map(|(first, last)| Need::ServicesBetween(first, last)),
        );
    }
    needs
}

/// Effects of a command about several services.
#[derive(Clone, Debug, Default)]
pub(crate) struct Several {
    /// Services that are made or moved, and services whose time is taken (`DateState::Waits`), by date and start. The slot of
    /// each is the id of the service that it was.
    pub visits: Vec<VisitOutcome>,
    /// Services that stay as they are, with the reasons.
    pub left: Vec<LeftAlone>,
    /// Count of all services that were asked for.
    pub asked: usize,
    /// The rows that are written and removed.
    pub changes: Vec<Change>,
}

impl Several {
    fn decision(self) -> Decision {
        let waiting = self
            .visits
            .iter()
            .filter(|it| it.state == DateState::Waits)
            .map(|it| {
                // Nothing has the id of a copy that is not made.
                let is_copy = it.key.slot != it.service.id;
                LeftAlone {
                    copy_date: is_copy.then_some(it.service.date),
                    copy_time: is_copy.then_some(it.service.start_time),
                    ..LeftAlone::of(it.key.slot, why_not(it))
                }
            });
        let services: Vec<LeftAlone> = self.left.iter().copied().chain(waiting).collect();
        let of = u32::try_from(self.asked).unwrap_or(u32::MAX);
        let left = (!services.is_empty()).then_some(Adjustment::LeftAlone { services, of });
        Decision {
            changes: self.changes,
            adjustments: left.into_iter().collect(),
            ..Decision::default()
        }
    }
}

/// Why a service cannot be at its new time.
fn why_not(visit: &VisitOutcome) -> LeftAloneWhy {
    match &visit.no_room {
        None => LeftAloneWhy::Taken,
        Some(Refusal::Invalid { fields }) if fields.iter().any(|it| it.field == "date") => {
            LeftAloneWhy::Past
        }
        Some(_) => LeftAloneWhy::Full,
    }
}

/// Why a service is not moved or cancelled, if it is not.
pub(crate) const fn closed(service: &Service) -> Option<LeftAloneWhy> {
    Some(match service.status {
        ServiceStatus::Completed => LeftAloneWhy::Completed,
        ServiceStatus::Cancelled => LeftAloneWhy::Cancelled,
        ServiceStatus::Scheduled if service.is_under_way() => LeftAloneWhy::UnderWay,
        ServiceStatus::Scheduled
            if service.invoice_id.is_some() || service.credited_invoice_id.is_some() =>
        {
            LeftAloneWhy::Invoiced
        }
        ServiceStatus::Scheduled if service.paid => LeftAloneWhy::Paid,
        ServiceStatus::Scheduled => return None,
    })
}

/// A service that is to be at a time.
struct Wanted {
    /// Id of the service that it was.
    original: Id,
    /// The service as it is to be.
    service: Service,
    state: DateState,
    overlap_ok: bool,
    /// It is one more in the month of its date.
    is_more: bool,
    /// Its day may be over.
    may_be_past: bool,
}

/// Moves services as a command says.
pub(crate) fn moved(command: &MoveServices, business: &Business, ctx: &Context) -> Several {
    let mut several = Several {
        asked: command.moves.len(),
        ..Several::default()
    };
    let (mut wanted, mut seen) = (Vec::new(), BTreeSet::new());
    for it in command.moves.iter().filter(|it| seen.insert(it.id)) {
        let mut leave = |why| several.left.push(LeftAlone::of(it.id, why));
        let Some(current) = business.service(it.id) else {
            leave(LeftAloneWhy::Gone);
            continue;
        };
        let is_at = |date, start_time| (current.date, current.start_time) == (date, start_time);
        if let Some(why) = closed(current) {
            leave(why);
        } else if current.end_date.is_some() {
            leave(LeftAloneWhy::Stay);
        } else if !is_at(it.date, it.start_time) && !is_at(it.was_date, it.was_start_time) {
            leave(LeftAloneWhy::Changed);
        } else if !is_at(it.date, it.start_time) {
            let mut service = Service {
                date: it.date,
                start_time: it.start_time,
                ..current.clone()
            };
            service.restore_window(it.window);
            wanted.push(Wanted {
                original: it.id,
                service,
                state: DateState::Changed,
                overlap_ok: it.overlap_ok,
                is_more: month_of(it.date) != month_of(current.date),
                may_be_past: command.brings_back || it.date == current.date,
            });
        }
    }
    place(&mut several, wanted, business, ctx);
    several
}

/// Copies services as a command says.
pub(crate) fn copied(
    command: &CopyServices,
    business: &Business,
    ctx: &Context,
) -> Result<Several, Refusal> {
    let ids: BTreeSet<Id> = command.copies.iter().map(|it| it.id).collect();
    let is_there = |it: &Id| business.service(*it).is_some();
    if ids.len() < command.copies.len() || ids.iter().any(is_there) {
        return Err(Refusal::Taken);
    }
    let mut several = Several {
        asked: command.copies.len(),
        ..Several::default()
    };
    let mut wanted = Vec::new();
    for it in &command.copies {
        match copy_of(it, business, ctx) {
            Ok(service) => wanted.push(Wanted {
                original: it.original,
                service,
                state: DateState::Made,
                overlap_ok: it.overlap_ok,
                is_more: true,
                may_be_past: false,
            }),
            Err(why) => several.left.push(LeftAlone {
                copy_date: Some(it.date),
                copy_time: Some(it.start_time),
                ..LeftAlone::of(it.original, why)
            }),
        }
    }
    place(&mut several, wanted, business, ctx);
    Ok(several)
}

/// A copy as it is to be; notes on how the original went stay there, as does a price that was agreed on for it.
fn copy_of(
    copy: &ServiceCopy,
    business: &Business,
    ctx: &Context,
) -> Result<Service, LeftAloneWhy> {
    let original = business.service(copy.original).ok_or(LeftAloneWhy::Gone)?;
    if original.status == ServiceStatus::Cancelled {
        return Err(LeftAloneWhy::Cancelled);
    }
    if original.end_date.is_some() {
        return Err(LeftAloneWhy::Stay);
    }
    let pets = original.dog_ids.iter().copied();
    let is_theirs = |id: &Id| {
        let pet = business.pet(*id);
        let pet = pet.filter(|it| it.client_id == original.client_id);
        pet.is_some_and(|it| it.gone_on.is_none_or(|gone| copy.date < gone))
    };
    let mut service = Service {
        client_id: original.client_id,
        dog_ids: pets.filter(is_theirs).collect(),
        service_type: original.service_type,
        date: copy.date,
        start_time: copy.start_time,
        duration_minutes: original.duration_minutes,
        notes: original.notes.clone(),
        internal_notes: original.internal_notes.clone(),
        offering_id: original.offering_id,
        ..Service::new(copy.id, ctx.acted_at())
    };
    // Who agreed on a window for the visit knows no fixed start of it.
    let window = original.window().map(|(from, to)| StartWindow { from, to });
    service.restore_window(window.filter(|it| (it.from..=it.to).contains(&copy.start_time)));
    if business.client(service.client_id).is_none() {
        return Err(LeftAloneWhy::Gone);
    }
    if service.dog_ids.is_empty() {
        return Err(LeftAloneWhy::NoPets);
    }
    settle(&mut service, None, business);
    // An offering that has come to be sold by the day since is one of a visit here.
    service.end_date = None;
    let made = snapshot(&mut service, business).and_then(|()| reprice(&mut service, business));
    made.map_err(|_| LeftAloneWhy::Gone)?;
    Ok(service)
}

/// Finds out which services can be at their times. Those that cannot stay where they are, and so may be in the way of
/// others: it is tried again without them until all the others have their times.
fn place(several: &mut Several, wanted: Vec<Wanted>, business: &Business, ctx: &Context) {
    let mut waiting: BTreeMap<Id, VisitOutcome> = BTreeMap::new();
    loop {
        let standing: Vec<&Wanted> = wanted
            .iter()
            .filter(|it| !waiting.contains_key(&it.service.id))
            .collect();
        let mut board = Board {
            business,
            ctx,
            moved: Moved(standing.iter().map(|it| (it.service.id, None)).collect()),
            more: BTreeMap::new(),
        };
        let (mut placed, n_waiting) = (Vec::new(), waiting.len());
        for it in standing {
            let outcome = board.put(it);
            if outcome.state == DateState::Waits {
                waiting.insert(it.service.id, outcome);
            } else {
                placed.push(outcome);
            }
        }
        // A copy that is not made was in nobody's way.
        let stay_in_the_way = wanted.iter().any(|it| it.state == DateState::Changed);
        if waiting.len() == n_waiting || !stay_in_the_way {
            let made = placed.iter().map(|it| it.service.clone().into());
            several.changes.extend(made);
            several.visits.extend(placed);
            break;
        }
    }
    several.visits.extend(waiting.into_values());
    several
        .visits
        .small_sort_by_key(|it| (it.service.date, it.service.start_time, it.key));
}

/// The days as they are while services are put on them.
struct Board<'a> {
    business: &'a Business,
    ctx: &'a Context,
    moved: Moved,
    /// Services that were added to each month.
    more: BTreeMap<Date, usize>,
}

impl Board<'_> {
    fn put(&mut self, wanted: &Wanted) -> VisitOutcome {
        let mut service = wanted.service.clone();
        let request = ConflictRequest::of(&service);
        let is_shown = self.ctx.is_shown;
        let answer = (!wanted.overlap_ok && !is_shown)
            .then(|| conflict::check_moved(self.business, &self.moved, &request, &self.ctx.now));
        let no_room = self.check_room(wanted).err();
        let is_taken = answer.as_ref().is_some_and(|it| it.conflict);
        let mut state = wanted.state;
        if is_taken || no_room.is_some() {
            state = DateState::Waits;
            self.moved.0.remove(&service.id);
        } else {
            service.overlap_ok = wanted.overlap_ok;
            self.moved.0.insert(service.id, Some(service.clone()));
            let month = month_of(service.date).0;
            *self.more.entry(month).or_default() += usize::from(wanted.is_more);
        }
        VisitOutcome {
            key: SeriesDate {
                date: service.date,
                slot: wanted.original,
            },
            state,
            service,
            answer,
            no_room,
        }
    }

    /// Refuses what has no room at any time of its day.
    fn check_room(&self, wanted: &Wanted) -> Result<(), Refusal> {
        let (business, ctx, date) = (self.business, self.ctx, wanted.service.date);
        let mut errors = FieldErrors::default();
        let is_past = ctx.is_past(date) && !wanted.may_be_past;
        errors.check(is_past, "date", IN_THE_PAST);
        errors.or(())?;
        if wanted.is_more {
            let before = self.more.get(&month_of(date).0).copied();
            let adding = before.unwrap_or_default() + 1;
            limit::check(business, ctx, Limited::Services, date, adding)?;
        }
        let there = business.services.between(date, date);
        let there = there.filter(|it| !self.moved.0.contains_key(&it.id));
        let put = self.moved.0.values().flatten();
        let put = put.filter(|it| it.date == date);
        let there_are = there.count() + put.count();
        check_room("services_on_a_day", there_are, bounds::SERVICES_ON_A_DAY)?;
        Ok(())
    }
}

/// Completes, cancels or reopens services as a command says.
pub(crate) fn marked(command: &MarkServices, business: &Business, ctx: &Context) -> Several {
    let ids: BTreeSet<Id> = command.marked.iter().copied().collect();
    let mut several = Several {
        asked: ids.len(),
        ..Several::default()
    };
    let mut back = BTreeMap::new();
    // What came back to its time leaves no room there for another one that was cancelled, unless somebody has agreed to that.
    let mut known = Cow::Borrowed(business);
    let overlaps = |id: &Id| business.service(*id).is_some_and(|it| it.overlap_ok);
    let (last, first): (Vec<Id>, Vec<Id>) = ids.into_iter().partition(overlaps);
    for id in first.into_iter().chain(last) {
        match mark(command, id, &mut back, (business, &known), ctx) {
            Ok(change) => {
                if command.status == ServiceStatus::Scheduled && !change.is_empty() {
                    known.to_mut().apply(0, &change);
                }
                several.changes.extend(change);
            }
            Err(why) => several.left.push(LeftAlone::of(id, why)),
        }
    }
    let series = on_again(&several.changes, business);
    several.changes.extend(series);
    several
}

/// Marks one service; `back` counts those that count against the plan again, by month. `known` is the business with what has
/// come back so far.
fn mark(
    command: &MarkServices,
    id: Id,
    back: &mut BTreeMap<Date, usize>,
    (business, known): (&Business, &Business),
    ctx: &Context,
) -> Result<Vec<Change>, LeftAloneWhy> {
    let current = business.service(id).ok_or(LeftAloneWhy::Gone)?;
    let is_other = command.was.is_some_and(|it| it != current.status);
    if is_other && command.status != current.status {
        return Err(LeftAloneWhy::Changed);
    }
    let decided = match command.status {
        status if status == current.status => return Ok(Vec::new()),
        ServiceStatus::Completed => {
            let command = CompleteService {
                id,
                notes: String::new(),
                internal_notes: String::new(),
                despite_cancel: false,
            };
            complete(&command, business, ctx)
        }
        ServiceStatus::Cancelled => {
            if let Some(why) = closed(current) {
                return Err(why);
            }
            let command = CancelService {
                id,
                reason: command.reason.clone(),
                tells_reason: command.tells_reason,
            };
            cancel(&command, business, ctx)
        }
        ServiceStatus::Scheduled => {
            if current.status == ServiceStatus::Cancelled {
                let month = back.entry(month_of(current.date).0).or_default();
                let room = limit::check_all_again(business, ctx, current, *month);
                room.map_err(|_| LeftAloneWhy::Full)?;
                let reopened = reopen(id, known, ctx);
                *month += usize::from(reopened.is_ok());
                reopened
            } else {
                reopen(id, business, ctx)
            }
        }
    };
    decided.map(|it| it.changes).map_err(|it| match it {
        Refusal::Gone => LeftAloneWhy::Gone,
        Refusal::AlreadyCompleted => LeftAloneWhy::Completed,
        Refusal::WasCancelled { .. } => LeftAloneWhy::Cancelled,
        Refusal::Conflict { .. } => LeftAloneWhy::Taken,
        _ => LeftAloneWhy::Full,
    })
}

/// Removes copies as a command says.
pub(crate) fn uncopied(command: &UndoCopy, business: &Business) -> Several {
    let ids: BTreeSet<Id> = command.copied.iter().copied().collect();
    let mut several = Several {
        asked: ids.len(),
        ..Several::default()
    };
    for id in ids {
        // One that is gone already is what was asked for.
        let Some(service) = business.service(id) else {
            continue;
        };
        let is_changed = !service.completion_notes.is_empty()
            || service.series_id.is_some()
            || check_seen(business, &[key(id)]).is_err();
        let why = closed(service).or(is_changed.then_some(LeftAloneWhy::Changed));
        match why {
            Some(why) => several.left.push(LeftAlone::of(id, why)),
            None => several.changes.push(removal(TableName::Service, id)),
        }
    }
    several
}

/// The services that a decision writes, as they are after it.
pub(crate) fn written(changes: &[Change]) -> impl Iterator<Item = &Service> {
    changes.iter().filter_map(|it| match it {
        Change::Put(Row::Service(service)) => Some(service),
        _ => None,
    })
}
