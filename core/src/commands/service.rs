//! Owns what the commands about services do, and which state may follow which (SPEC 4).

use crate::commands::decision::{Adjustment, Context, Decision, Need, delete_row, overwritten};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::service::{PriceBreakdown, Service, ServiceStatus};
use crate::rules::conflict::{self, ConflictRequest};
use crate::rules::service::{
    given, merge, merged, record_errors, reprice, schedule_errors, settle, snapshot,
};
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::patch::Patch;
use crate::{Business, Cents, Date, Id, Instant, Refusal};

/// What must be known to decide on a service with these fields.
pub(crate) fn needs_of_patch(patch: &Patch) -> Vec<Need> {
    let text = |field: &str| patch.0.get(field).and_then(serde_json::Value::as_str);
    let id = |field: &str| text(field).and_then(|it| it.parse::<Id>().ok());
    let mut needs = Vec::new();
    if let Some(client) = id("client_id") {
        needs.push(Need::Row(RowKey {
            table: TableName::Client,
            id: client,
        }));
        needs.push(Need::PetsOf(client));
    }
    if let Some(offering) = id("offering_id") {
        needs.push(Need::Row(RowKey {
            table: TableName::Offering,
            id: offering,
        }));
    }
    let day = |field: &str| text(field).and_then(|it| it.parse::<Date>().ok());
    if let Some(date) = day("date") {
        needs.push(Need::ServicesBetween(date.plus_days(-1), date.plus_days(1)));
        if let Some(last) = day("end_date") {
            let longest = date.plus_days(bounds::STAY_DAYS.into());
            needs.push(Need::StaysBetween(date, last.min(longest)));
        }
        needs.push(Need::Table(TableName::Pattern));
        needs.push(Need::Table(TableName::BlockedTime));
    }
    needs
}

/// Schedules a service.
pub(crate) fn schedule(
    id: Id,
    patch: &Patch,
    overlap_ok: bool,
    quoted_price: Option<Cents>,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    if business.service(id).is_some() {
        return Err(Refusal::Taken);
    }
    let service = merged(patch, None, &Service::new(id, ctx.acted_at()), business);
    let mut errors = schedule_errors(&service, patch);
    refuse_past(&mut errors, &service.row, ctx);
    let mut service = service.or_errors(errors)?;
    check_day(business, service.date)?;
    service.overlap_ok = overlap_ok;
    snapshot(&mut service, business)?;
    reprice(&mut service, business)?;
    if !overlap_ok {
        conflict::refuse(business, &ConflictRequest::of(&service), &ctx.now)?;
    }
    let price = service.price;
    let quoted = quoted_price.filter(|it| *it != price);
    Ok(Decision {
        changes: vec![service.into()],
        adjustments: quoted
            .map(|quoted| Adjustment::Price { quoted, price })
            .into_iter()
            .collect(),
        ..Decision::default()
    })
}

/// Changes a scheduled service. Completed and cancelled ones are read-only (SPEC 4).
pub(crate) fn update(
    id: Id,
    patch: &Patch,
    overlap_ok: bool,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    match current.status {
        ServiceStatus::Scheduled => {}
        ServiceStatus::Completed => return Err(Refusal::AlreadyCompleted),
        ServiceStatus::Cancelled => {
            return Err(Refusal::WasCancelled {
                at: current.cancelled_at,
            });
        }
    }
    let service = merged(patch, Some(current), current, business);
    // What the row has counts as chosen; only what this change empties is missing.
    let mut errors = schedule_errors(&service, &given(patch, current));
    if service.row.date != current.date {
        refuse_past(&mut errors, &service.row, ctx);
    }
    let mut service = service.or_errors(errors)?;
    if service.date != current.date {
        check_day(business, service.date)?;
    }

    if service.client_id != current.client_id || service.dog_ids != current.dog_ids {
        snapshot(&mut service, business)?;
    }
    if !service.is_priced_like(current) {
        reprice(&mut service, business)?;
    }
    let request = ConflictRequest::of(&service);
    if request != ConflictRequest::of(current) {
        service.overlap_ok = overlap_ok;
        if !overlap_ok {
            conflict::refuse(business, &request, &ctx.now)?;
        }
    }
    let adjustments = overwritten(
        business,
        RowKey {
            table: TableName::Service,
            id,
        },
        patch,
    );
    Ok(Decision {
        changes: changed(service, current),
        adjustments,
        ..Decision::default()
    })
}

/// Refuses one more service on a day that is full.
fn check_day(business: &Business, date: Date) -> Result<(), FieldErrors> {
    let there_are = business.services.between(date, date).count();
    check_room("services_on_a_day", there_are, bounds::SERVICES_ON_A_DAY)
}

/// Marks a service done. A repeat changes nothing but adds notes that are not there yet, since no person's
/// words may be lost.
pub(crate) fn complete(
    id: Id,
    notes: &str,
    despite_cancel: bool,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    let mut service = current.clone();
    if !service.completion_notes.contains(notes.trim()) {
        if !service.completion_notes.is_empty() {
            service.completion_notes.push('\n');
        }
        service.completion_notes.push_str(notes.trim());
        // What one person adds to another's words stays within what both can read.
        let mut errors = FieldErrors::default();
        if let Some(error) = bounds::text_error("notes", &service.completion_notes) {
            errors.add("notes", error);
        }
        errors.or(())?;
    }
    match current.status {
        ServiceStatus::Completed => return Ok(changed(service, current).into()),
        ServiceStatus::Cancelled if !despite_cancel => {
            return Err(Refusal::WasCancelled {
                at: current.cancelled_at,
            });
        }
        ServiceStatus::Scheduled | ServiceStatus::Cancelled => {}
    }
    service.status = ServiceStatus::Completed;
    service.completed_at = Some(ctx.acted_at());
    service.cancelled_at = None;
    Ok(changed(service, current).into())
}

/// Calls a service off; a repeat changes nothing.
pub(crate) fn cancel(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    match current.status {
        ServiceStatus::Completed => Err(Refusal::AlreadyCompleted),
        ServiceStatus::Cancelled => Ok(Decision::default()),
        ServiceStatus::Scheduled => {
            let mut service = current.clone();
            service.status = ServiceStatus::Cancelled;
            service.cancelled_at = Some(ctx.acted_at());
            Ok(Change::from(service).into())
        }
    }
}

/// Makes a service scheduled again that was completed or cancelled a moment ago: a slip of the hand and no change of
/// mind, since both are read-only (SPEC 4). What was written about it stays.
pub(crate) fn reopen(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    let is_recent = |at: Option<Instant>| {
        at.is_some_and(|at| ctx.acted_at().0 - at.0 <= REOPEN_MINUTES * MS_PER_MINUTE)
    };
    let mut service = current.clone();
    service.status = ServiceStatus::Scheduled;
    service.completed_at = None;
    service.cancelled_at = None;
    match current.status {
        ServiceStatus::Scheduled => {}
        ServiceStatus::Completed if is_recent(current.completed_at) && !current.paid => {}
        ServiceStatus::Completed => return Err(Refusal::AlreadyCompleted),
        ServiceStatus::Cancelled if is_recent(current.cancelled_at) => {
            if !service.overlap_ok {
                conflict::refuse(business, &ConflictRequest::of(&service), &ctx.now)?;
            }
        }
        ServiceStatus::Cancelled => {
            return Err(Refusal::WasCancelled {
                at: current.cancelled_at,
            });
        }
    }
    Ok(changed(service, current).into())
}

/// How long a completion or a cancellation can be undone: longer than any screen offers it, since clocks differ.
const REOPEN_MINUTES: i64 = 10;

/// Makes a record of a service that is already done.
pub(crate) fn record(
    id: Id,
    patch: &Patch,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    if business.service(id).is_some() {
        return Err(Refusal::Taken);
    }
    let mut service = merge(
        patch,
        &Service::new(id, ctx.acted_at()),
        Service::RECORD_EDITABLE,
    );
    settle(&mut service.row, None, business);
    let errors = record_errors(&service, patch);
    let mut service = service.or_errors(errors)?;
    check_day(business, service.date)?;
    service.status = ServiceStatus::Completed;
    service.completed_at = Some(ctx.acted_at());
    snapshot(&mut service, business)?;
    if patch.has("price") {
        service.pricing_breakdown = PriceBreakdown::agreed(service.price, service.dog_ids.len());
    } else {
        reprice(&mut service, business)?;
    }
    Ok(Change::from(service).into())
}

/// Removes a service record.
pub(crate) fn delete(id: Id, business: &Business) -> Result<Decision, Refusal> {
    business.service(id).ok_or(Refusal::Gone)?;
    delete_row(TableName::Service, id, business)
}

/// Says whether a service is paid.
pub(crate) fn set_paid(id: Id, paid: bool, business: &Business) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    Ok(changed(
        Service {
            paid,
            ..current.clone()
        },
        current,
    )
    .into())
}

fn refuse_past(errors: &mut FieldErrors, service: &Service, ctx: &Context) {
    errors.check(
        service.date < ctx.today(),
        "date",
        "Cannot schedule services in the past",
    );
}

fn changed(service: Service, current: &Service) -> Vec<Change> {
    if service == *current {
        Vec::new()
    } else {
        vec![service.into()]
    }
}
