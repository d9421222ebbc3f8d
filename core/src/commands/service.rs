//! Owns what the commands about services do, and which state may follow which (SPEC 4).

use serde::Serialize;
use serde_json::Value;

use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, Need, changed, delete_row, overwritten,
    row,
};
use crate::commands::limit;
use crate::commands::prices::check_total;
use crate::commands::series::{forget_visit, recall_visit, recall_visits};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::service::{Correction, PriceBreakdown, Service, ServiceStatus};
use crate::rules::conflict::{self, ConflictRequest};
use crate::rules::scheduling::IN_THE_PAST;
use crate::rules::service::{
    given, merge, merged, record_errors, reprice, schedule_errors, settle, snapshot, tied_to_client,
};
use crate::rules::usage::{Limited, month_of};
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Cents, Date, Id, Instant, Refusal, Row, Time};

/// Schedules a service.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScheduleService {
    /// The new service's id.
    pub id: Id,
    /// The service's fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
    pub service: Patch,
    /// The person saw what it overlaps and wants it all the same.
    #[serde(default)]
    pub overlap_ok: bool,
    /// The price that the person saw; another one is reported and not refused.
    #[serde(default)]
    pub quoted_price: Option<Cents>,
    /// It was there, and somebody has deleted it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub brings_back: bool,
}

read_by_field!(ScheduleService { id, service } or default { overlap_ok, quoted_price, brings_back });

impl Intent for ScheduleService {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let made = (self.id, &self.service, self.brings_back);
        needs_to_make(made, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        schedule(self, business, ctx)
    }

    fn about(&self) -> About {
        about_making(self.id, &self.service)
    }
}

/// Changes a scheduled service.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateService {
    /// Id of the service.
    pub id: Id,
    /// The touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
    pub changes: Patch,
    /// As for `ScheduleService`.
    #[serde(default)]
    pub overlap_ok: bool,
    /// Breakdown of the price that it gets back, in an undo that has the base revision of the change that it undoes; `total`
    /// is that price. Where somebody else has changed since what the price depends on, the rates of now hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_price: Option<PriceBreakdown>,
}

read_by_field!(UpdateService { id, changes } or default { overlap_ok, former_price });

impl Intent for UpdateService {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Service, self.id),
            changed(TableName::Service, self.id),
        ];
        needs.extend(needs_of_patch(&self.changes));
        if let Some(service) = business.service(self.id) {
            needs.extend(needs_of_patch(&given(&self.changes, service)));
            let moved = date_in(&self.changes);
            if let Some(date) = moved.filter(|it| month_of(*it) != month_of(service.date)) {
                needs.extend(limit::needs(business, Limited::Services, date));
            }
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        update(self, business, ctx)
    }

    fn about(&self) -> About {
        let mut about = About::row("Schedule", Effect::Changes, TableName::Service, self.id);
        about.builds_on.extend(named_in(&self.changes));
        about
    }
}

/// Marks a service done; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CompleteService {
    /// Id of the service.
    pub id: Id,
    /// The service notes, optional.
    #[serde(default)]
    pub notes: String,
    /// Notes that stay with the sitter, optional; added to the service's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub internal_notes: String,
    /// The person knows that it was cancelled and did it all the same.
    #[serde(default)]
    pub despite_cancel: bool,
}

read_by_field!(CompleteService { id } or default { notes, internal_notes, despite_cancel });

impl Intent for CompleteService {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Service, self.id)];
        needs.extend(needs_to_count_again(self.id, business));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        complete(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Schedule", Effect::Changes, TableName::Service, self.id)
    }
}

/// Calls a service off; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CancelService {
    /// Id of the service.
    pub id: Id,
    /// The sitter's words on why; may be empty. They replace what was said before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reason: String,
    /// True if the client reads them, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tells_reason: bool,
}

read_by_field!(CancelService { id } or default { reason, tells_reason });

impl CancelService {
    /// Calls a service off without a word on why.
    pub const fn new(id: Id) -> Self {
        Self {
            id,
            reason: String::new(),
            tells_reason: false,
        }
    }
}

impl Intent for CancelService {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::Service, self.id)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        cancel(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Schedule", Effect::Marks, TableName::Service, self.id)
    }
}

/// Undoes a completion or a cancellation of a moment ago, or corrects one of any time; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReopenService {
    /// Id of the service.
    pub id: Id,
    /// True for a correction: it may be as late as the sitter likes and leaves a trace (`Service::corrections`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub corrects: bool,
}

read_by_field!(ReopenService { id } or default { corrects });

impl Intent for ReopenService {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Service, self.id)];
        // What was cancelled may find its time taken.
        if let Some(service) = business.service(self.id) {
            needs.extend(needs_of_patch(&Patch::from_row(service)));
            needs.extend(service.series_id.map(|it| row(TableName::Series, it)));
        }
        needs.extend(needs_to_count_again(self.id, business));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let mut decision = match self.corrects {
            true => correct(self.id, business, ctx),
            false => reopen(self.id, business, ctx),
        }?;
        let series = on_again(&decision.changes, business);
        decision.changes.extend(series);
        Ok(decision)
    }

    fn about(&self) -> About {
        About::row("Schedule", Effect::Marks, TableName::Service, self.id)
    }
}

/// Makes a record of a service that is already done (`POST /services`).
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordService {
    /// The new service's id.
    pub id: Id,
    /// Fields of the service, the price among them; without a price it is computed.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
    pub service: Patch,
    /// As for `ScheduleService`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub brings_back: bool,
}

read_by_field!(RecordService { id, service } or default { brings_back });

impl Intent for RecordService {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let made = (self.id, &self.service, self.brings_back);
        needs_to_make(made, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        record(self, business, ctx)
    }

    fn about(&self) -> About {
        about_making(self.id, &self.service)
    }
}

/// Removes a service record.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteService {
    /// Id of the service.
    pub id: Id,
}

read_by_field!(DeleteService { id });

impl Intent for DeleteService {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Service, self.id),
            changed(TableName::Service, self.id),
        ];
        let series = business.service(self.id).and_then(|it| it.series_id);
        needs.extend(series.map(|it| row(TableName::Series, it)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        delete(self.id, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Schedule", Effect::Removes, TableName::Service, self.id)
    }
}

/// Says whether a service is paid.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetServicePaid {
    /// Id of the service.
    pub id: Id,
    /// True to mark the service as paid, false as unpaid.
    pub paid: bool,
}

read_by_field!(SetServicePaid { id, paid });

impl Intent for SetServicePaid {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::Service, self.id)]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        set_paid(self.id, self.paid, business)
    }

    fn about(&self) -> About {
        About::row("Schedule", Effect::Changes, TableName::Service, self.id)
    }
}

const fn is_false(it: &bool) -> bool {
    !*it
}

fn key(id: Id) -> RowKey {
    RowKey {
        table: TableName::Service,
        id,
    }
}

fn date_in(patch: &Patch) -> Option<Date> {
    patch.0.get("date")?.as_str()?.parse().ok()
}

fn needs_to_make(
    (id, service, brings_back): (Id, &Patch, bool),
    business: &Business,
    ctx: &Context,
) -> Vec<Need> {
    let mut needs = vec![row(TableName::Service, id)];
    needs.extend(needs_of_patch(service));
    if let Some(date) = date_in(service) {
        needs.extend(limit::needs(business, Limited::Services, date));
    }
    if brings_back {
        let series = service.0.get("series_id").and_then(Value::as_str);
        let series = series.and_then(|it| it.parse().ok());
        needs.extend(series.map(|it| row(TableName::Series, it)));
        let rows = [key(id)];
        needs.extend(limit::needs_of_back(business, Limited::Services, rows, ctx));
    }
    needs
}

/// Lists the rows needed to count a cancelled service against the limit again; any other service counts already.
fn needs_to_count_again(id: Id, business: &Business) -> Vec<Need> {
    let cancelled = business
        .service(id)
        .filter(|it| it.status == ServiceStatus::Cancelled);
    cancelled.map_or_else(Vec::new, |it| {
        limit::needs(business, Limited::Services, it.date)
    })
}

/// Refuses one more service in the month of `date` where the plan has no room for it, unless it only comes back.
fn check_limit(
    business: &Business,
    ctx: &Context,
    date: Date,
    id: Id,
    brings_back: bool,
) -> Result<(), Refusal> {
    let adding = usize::from(!(brings_back && limit::is_back(business, key(id))));
    limit::check(business, ctx, Limited::Services, date, adding)
}

fn about_making(id: Id, service: &Patch) -> About {
    About {
        builds_on: named_in(service),
        ..About::row("Schedule", Effect::Makes, TableName::Service, id)
    }
}

/// The client, the offering and the pets that a service's fields name.
fn named_in(patch: &Patch) -> Vec<RowKey> {
    let id = |value: &Value| value.as_str().and_then(|it| it.parse::<Id>().ok());
    let one = |table, field: &str| {
        let id = patch.0.get(field).and_then(id);
        id.map(|id| RowKey { table, id })
    };
    let client = one(TableName::Client, "client_id");
    let mut rows: Vec<RowKey> = client.into_iter().collect();
    rows.extend(one(TableName::Offering, "offering_id"));
    let pets = patch.0.get("dog_ids").and_then(Value::as_array);
    rows.extend(pets.into_iter().flatten().filter_map(id).map(|id| RowKey {
        table: TableName::Pet,
        id,
    }));
    rows
}

/// Lists the rows needed to decide on a service with these fields: its client with pets, its offering, and what may
/// conflict with its time.
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
fn schedule(
    command: &ScheduleService,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let ScheduleService {
        id,
        service: patch,
        overlap_ok,
        quoted_price,
        brings_back,
    } = command;
    let overlap_ok = *overlap_ok;
    if business.service(*id).is_some() {
        return Err(Refusal::Taken);
    }
    let mut service = new_service(*id, patch, business, ctx)?;
    check_limit(business, ctx, service.date, *id, *brings_back)?;
    check_day(business, service.date)?;
    service.overlap_ok = overlap_ok;
    if *brings_back {
        link_again(&mut service, patch);
    }
    if !overlap_ok {
        refuse_conflict(business, &ConflictRequest::of(&service), ctx)?;
    }
    let adjustments = other_price(*quoted_price, service.price);
    let series = recall_visit(&service, business);
    Ok(Decision {
        changes: series.into_iter().chain([service.into()]).collect(),
        adjustments,
        ..Decision::default()
    })
}

/// Builds a new service from these fields, with its names and its price; does not check that its time is free.
pub(crate) fn new_service(
    id: Id,
    patch: &Patch,
    business: &Business,
    ctx: &Context,
) -> Result<Service, Refusal> {
    let service = merged(patch, None, &Service::new(id, ctx.acted_at()), business);
    let mut errors = schedule_errors(&service, patch);
    refuse_past(&mut errors, &service.row, ctx);
    let mut service = service.or_errors(errors)?;
    snapshot(&mut service, business)?;
    reprice(&mut service, business)?;
    Ok(service)
}

/// Returns an adjustment if the price differs from the one that the person saw.
pub(crate) fn other_price(quoted: Option<Cents>, price: Cents) -> Vec<Adjustment> {
    let quoted = quoted.filter(|it| *it != price);
    quoted
        .map(|quoted| Adjustment::Price { quoted, price })
        .into_iter()
        .collect()
}

/// Changes a scheduled service. Completed and cancelled ones are read-only (SPEC 4).
fn update(
    command: &UpdateService,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let UpdateService {
        id,
        changes: patch,
        overlap_ok,
        former_price,
    } = command;
    let (id, overlap_ok) = (*id, *overlap_ok);
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
    if let Some(former) = former_price {
        check_total(&mut errors, "former_price", former.total);
    }
    if service.row.date != current.date {
        refuse_past(&mut errors, &service.row, ctx);
    }
    // INVARIANT: A visit on an invoice, paid or of a series stays with its client.
    let tied = tied_to_client(current).filter(|_| service.row.client_id != current.client_id);
    if let Some(text) = tied {
        errors.add("client_id", text);
    }
    let mut service = service.or_errors(errors)?;
    if service.date != current.date {
        let more = usize::from(month_of(service.date) != month_of(current.date));
        limit::check(business, ctx, Limited::Services, service.date, more)?;
        check_day(business, service.date)?;
    }
    let mut dropped_photos = Vec::new();
    if (service.date, service.client_id) != (current.date, current.client_id) {
        // Nobody is on the way to another day, and another client has not heard of it.
        service.progress = None;
        dropped_photos = service.take_live_photos();
    }

    if service.client_id != current.client_id || service.dog_ids != current.dog_ids {
        snapshot(&mut service, business)?;
    }
    let former_price = former_price.as_ref();
    let former_price = former_price.filter(|_| is_price_to_restore(&service, business));
    if let Some(former) = former_price {
        service.price = former.total;
        service.pricing_breakdown = former.clone();
    } else if !service.is_priced_like(current) {
        reprice(&mut service, business)?;
    }
    let request = ConflictRequest::of(&service);
    if request != ConflictRequest::of(current) {
        service.overlap_ok = overlap_ok;
        if !overlap_ok {
            refuse_conflict(business, &request, ctx)?;
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
        changes: put_if_other(service, current),
        adjustments,
        dropped_photos,
    })
}

/// The fields that the price of a service depends on, and that itself.
const OF_ITS_PRICE: [&str; 10] = [
    "client_id",
    "dog_ids",
    "service_type",
    "date",
    "duration_minutes",
    "offering_id",
    "end_date",
    "departure_time",
    "price_override",
    "price",
];

/// Returns true if an undo may give a service its former price: nobody has agreed on one, and nobody else has changed
/// since what it depends on.
fn is_price_to_restore(service: &Service, business: &Business) -> bool {
    let key = key(service.id);
    let mut theirs = business.field_changes.iter();
    let is_theirs = theirs.any(|it| it.key == key && OF_ITS_PRICE.contains(&it.field.as_str()));
    let is_billed = service.paid || service.invoice_id.is_some();
    !is_theirs && !is_billed && service.price_override.is_none()
}

/// Refuses a time that is not free, of what is not saved yet.
fn refuse_conflict(
    business: &Business,
    request: &ConflictRequest,
    ctx: &Context,
) -> Result<(), Refusal> {
    match ctx.is_shown {
        true => Ok(()),
        false => conflict::refuse(business, request, &ctx.now),
    }
}

/// Refuses one more service on a day that is full.
fn check_day(business: &Business, date: Date) -> Result<(), FieldErrors> {
    let there_are = business.services.between(date, date).count();
    check_room("services_on_a_day", there_are, bounds::SERVICES_ON_A_DAY)
}

/// Marks a service done. A repeat changes nothing but adds notes that are not there yet, since no person's
/// words may be lost.
pub(super) fn complete(
    command: &CompleteService,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let CompleteService {
        id,
        notes,
        internal_notes,
        despite_cancel,
    } = command;
    let (id, despite_cancel) = (*id, *despite_cancel);
    let current = business.service(id).ok_or(Refusal::Gone)?;
    let mut service = current.clone();
    add_words("notes", notes, &mut service.completion_notes)?;
    add_words(
        "internal_notes",
        internal_notes,
        &mut service.internal_notes,
    )?;
    match current.status {
        ServiceStatus::Completed => return Ok(put_if_other(service, current).into()),
        ServiceStatus::Cancelled if !despite_cancel => {
            return Err(Refusal::WasCancelled {
                at: current.cancelled_at,
            });
        }
        ServiceStatus::Cancelled => limit::check_again(business, ctx, current)?,
        ServiceStatus::Scheduled => {}
    }
    service.status = ServiceStatus::Completed;
    service.completed_at = Some(ctx.acted_at());
    service.clear_cancellation();
    Ok(put_if_other(service, current).into())
}

/// Adds these words to those that are there, unless whole lines of those say the same; what one person adds to another's
/// words stays within what both can read.
fn add_words(field: &'static str, words: &str, there: &mut String) -> Result<(), FieldErrors> {
    let words = words.trim();
    // A part of a line may say the opposite.
    let lines = |text: &str| ["\n", text, "\n"].concat();
    if words.is_empty() || lines(there).contains(&lines(words)) {
        return Ok(());
    }
    if !there.is_empty() {
        there.push('\n');
    }
    there.push_str(words);
    let mut errors = FieldErrors::default();
    if let Some(error) = bounds::text_error(field, there) {
        errors.add(field, error);
    }
    errors.or(())
}

/// Calls a service off; a repeat changes nothing but what is said of it.
pub(super) fn cancel(
    command: &CancelService,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let current = business.service(command.id).ok_or(Refusal::Gone)?;
    let mut service = current.clone();
    match current.status {
        ServiceStatus::Completed => return Err(Refusal::AlreadyCompleted),
        // What was cancelled with its series is cancelled by a person from now on, and does not come back with it.
        ServiceStatus::Cancelled => service.series_off = false,
        ServiceStatus::Scheduled => {
            service.status = ServiceStatus::Cancelled;
            service.cancelled_at = Some(ctx.acted_at());
        }
    }
    let reason = command.reason.trim();
    if !reason.is_empty() {
        reason.clone_into(&mut service.cancel_reason);
        service.tells_cancel_reason = command.tells_reason;
    }
    Ok(put_if_other(service, current).into())
}

/// The series of visits that were cancelled and take place again: they follow its changes like any other.
pub(super) fn on_again(changes: &[Change], business: &Business) -> Vec<Change> {
    let on = changes.iter().filter_map(|it| match it {
        Change::Put(Row::Service(it)) if it.status == ServiceStatus::Scheduled => Some(it),
        _ => None,
    });
    let was_off = |it: &&Service| {
        let before = business.service(it.id);
        before.is_some_and(|it| it.status == ServiceStatus::Cancelled)
    };
    recall_visits(on.filter(was_off), business)
}

/// Makes a service scheduled again that was completed or cancelled a moment ago: a slip of the hand and no change of
/// mind, since both are read-only (SPEC 4). What was written about it stays.
pub(super) fn reopen(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    let is_recent = |at: Option<Instant>| {
        at.is_some_and(|at| ctx.acted_at().0 - at.0 <= REOPEN_MINUTES * MS_PER_MINUTE)
    };
    let mut service = current.clone();
    service.status = ServiceStatus::Scheduled;
    service.completed_at = None;
    service.clear_cancellation();
    match current.status {
        ServiceStatus::Scheduled => {}
        ServiceStatus::Completed if is_recent(current.completed_at) && !current.paid => {}
        ServiceStatus::Completed => return Err(Refusal::AlreadyCompleted),
        ServiceStatus::Cancelled if is_recent(current.cancelled_at) => {
            limit::check_again(business, ctx, current)?;
            if !service.overlap_ok {
                refuse_conflict(business, &ConflictRequest::of(&service), ctx)?;
            }
        }
        ServiceStatus::Cancelled => {
            return Err(Refusal::WasCancelled {
                at: current.cancelled_at,
            });
        }
    }
    Ok(put_if_other(service, current).into())
}

/// Makes a service scheduled again that was marked by mistake, whenever that was. What an invoice or a payment says of it
/// would be wrong then, so that has to be undone first.
fn correct(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    let mut service = current.clone();
    let since = match current.status {
        ServiceStatus::Scheduled => return Ok(Decision::default()),
        ServiceStatus::Completed => current.completed_at,
        ServiceStatus::Cancelled => current.cancelled_at,
    };
    let mut errors = FieldErrors::default();
    let is_invoiced = current.invoice_id.is_some();
    errors.check(is_invoiced, "invoice_id", INVOICED_IS_NOT_CORRECTED);
    errors.check(current.paid && !is_invoiced, "paid", PAID_IS_NOT_CORRECTED);
    errors.or(())?;
    service.status = ServiceStatus::Scheduled;
    service.completed_at = None;
    service.clear_cancellation();
    // It says of a visit that is over how far it had come.
    service.progress = None;
    if current.status == ServiceStatus::Cancelled {
        limit::check_again(business, ctx, current)?;
        // Nobody can be double-booked on a day that is over.
        if !service.overlap_ok && !ctx.is_past(service.date) {
            refuse_conflict(business, &ConflictRequest::of(&service), ctx)?;
        }
    }
    service.corrections.push(Correction {
        was: current.status,
        since,
        at: ctx.acted_at(),
    });
    let too_many = service
        .corrections
        .len()
        .saturating_sub(bounds::CORRECTIONS);
    service.corrections.drain(..too_many);
    Ok(put_if_other(service, current).into())
}

/// Refusal of a correction of a service on an invoice, with the way out.
const INVOICED_IS_NOT_CORRECTED: &str = "This service is on an invoice. Delete the invoice, or credit it in full, and \
    correct the service after that.";

/// Refusal of a correction of a service that is paid by itself, with the way out.
const PAID_IS_NOT_CORRECTED: &str =
    "This service is marked as paid. Mark it as unpaid, and correct it after that.";

/// How long a completion or a cancellation can be undone: longer than any screen offers it, since clocks differ.
pub(super) const REOPEN_MINUTES: i64 = 10;

/// Makes a record of a service that is already done.
fn record(
    command: &RecordService,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let RecordService {
        id,
        service: patch,
        brings_back,
    } = command;
    let id = *id;
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
    check_limit(business, ctx, service.date, id, *brings_back)?;
    check_day(business, service.date)?;
    service.status = ServiceStatus::Completed;
    service.completed_at = Some(ctx.acted_at());
    if *brings_back {
        link_again(&mut service, patch);
    }
    snapshot(&mut service, business)?;
    if patch.has("price") {
        service.pricing_breakdown = PriceBreakdown::agreed(service.price, service.dog_ids.len());
    } else {
        reprice(&mut service, business)?;
    }
    let series = recall_visit(&service, business);
    let changes: Vec<Change> = series.into_iter().chain([service.into()]).collect();
    Ok(changes.into())
}

/// Removes a service record; its series, if it has one, notes that.
fn delete(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let service = business.service(id).ok_or(Refusal::Gone)?;
    let mut decision = delete_row(TableName::Service, id, business)?;
    decision
        .changes
        .extend(forget_visit(service, business, ctx)?);
    decision.dropped_photos = service.clone().take_live_photos();
    Ok(decision)
}

/// Gives a service that comes back the place in its series that it had.
fn link_again(service: &mut Service, patch: &Patch) {
    let was = patch.merge(&*service, Service::OF_SERIES).row;
    service.series_id = was.series_id;
    service.series_slot = was.series_slot;
    service.series_date = was.series_date;
}

/// Says whether a service is paid.
fn set_paid(id: Id, paid: bool, business: &Business) -> Result<Decision, Refusal> {
    let current = business.service(id).ok_or(Refusal::Gone)?;
    if let Some(invoice_id) = current.invoice_id.filter(|_| paid != current.paid) {
        return Err(Refusal::OnInvoice { invoice_id });
    }
    Ok(put_if_other(
        Service {
            paid,
            // What is paid by itself is revenue again.
            credited_invoice_id: current.credited_invoice_id.filter(|_| !paid),
            ..current.clone()
        },
        current,
    )
    .into())
}

fn refuse_past(errors: &mut FieldErrors, service: &Service, ctx: &Context) {
    errors.check(ctx.is_past(service.date), "date", IN_THE_PAST);
}

fn put_if_other(service: Service, current: &Service) -> Vec<Change> {
    if service == *current {
        Vec::new()
    } else {
        vec![service.into()]
    }
}

/// The fields of a service that say when it is.
pub(super) fn time_patch(
    date: Date,
    start_time: Time,
    end_date: Option<Date>,
    departure_time: Option<Time>,
) -> Patch {
    let mut patch = Patch::of("date", date.to_string());
    let mut set = |field: &str, value: serde_json::Value| patch.0.insert(field.to_owned(), value);
    set("start_time", start_time.to_string().into());
    if let Some(last) = end_date {
        set("end_date", last.to_string().into());
        let departure = departure_time.map(|it| it.to_string());
        set("departure_time", departure.into());
    }
    patch
}
