//! Owns services: one walk or drop-in on one date, its states and what may follow what (SPEC 3, 4 and 5).

use crate::fields::read_by_name;
use serde::{Deserialize, Serialize};

use crate::bounds::{self, check_room};
use crate::business::{Change, RowKey, TableName};
use crate::check::{MAX_PRICE, NEGATIVE_PRICE, PRICE_TOO_HIGH, is_price};
use crate::command::{Adjustment, Context, Decision, Need, delete_row, overwritten};
use crate::conflict::{self, ConflictRequest};
use crate::field::FieldErrors;
use crate::limits::CONSTRAINTS;
use crate::patch::{Merged, Patch};
use crate::{Business, Cents, Date, Id, Instant, Refusal, Time, pricing};

/// What is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ServiceType {
    /// A walk.
    #[default]
    Walk,
    /// A drop-in visit.
    Dropin,
}

read_by_name!(ServiceType { Walk, Dropin });

/// Where a service stands (SPEC 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ServiceStatus {
    /// Still to be done; may be edited, completed or cancelled.
    #[default]
    Scheduled,
    /// Done; read-only.
    Completed,
    /// Called off; read-only.
    Cancelled,
}

read_by_name!(ServiceStatus {
    Scheduled,
    Completed,
    Cancelled
});

/// How a price came about (SPEC 3, Scheduled service).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// What the service costs.
    pub total: Cents,
    /// The sum in words.
    pub explanation: String,
}

/// A scheduled service, a service record and a billable service in range: one row (decisions, Words). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Service {
    /// Made by whoever schedules it.
    pub id: Id,
    /// For whom.
    pub client_id: Id,
    /// The client's name when it was last saved; stays readable when the client is gone.
    pub client_name: String,
    /// Which pets; at least one.
    pub dog_ids: Vec<Id>,
    /// Their names, in the same order, for the same reason.
    pub dogs: Vec<String>,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// In the sitter's time zone.
    pub date: Date,
    /// In the sitter's time zone.
    pub start_time: Time,
    /// Greater than 0; may cross midnight.
    pub duration_minutes: u32,
    /// Visible to the client.
    #[serde(default, deserialize_with = "crate::client::null_is_empty")]
    pub notes: String,
    /// For the sitter only; never sent to a client user.
    #[serde(default, deserialize_with = "crate::client::null_is_empty")]
    pub internal_notes: String,
    /// What the sitter wrote when it was done.
    #[serde(default, deserialize_with = "crate::client::null_is_empty")]
    pub completion_notes: String,
    /// Where it stands.
    pub status: ServiceStatus,
    /// What it costs; a snapshot that later price changes leave alone.
    pub price: Cents,
    /// How the price came about.
    pub pricing_breakdown: PriceBreakdown,
    /// Whether it was paid.
    pub paid: bool,
    /// The offering it was booked with, if any.
    #[serde(default)]
    pub offering_id: Option<Id>,
    /// The sitter has confirmed that it overlaps something.
    #[serde(default)]
    pub overlap_ok: bool,
    /// When it was completed.
    #[serde(default)]
    pub completed_at: Option<Instant>,
    /// When it was cancelled.
    #[serde(default)]
    pub cancelled_at: Option<Instant>,
    /// When it was made.
    pub created_at: Instant,
}

impl Service {
    /// The fields that a person sets on a scheduled service.
    pub const EDITABLE: &[&str] = &[
        "client_id",
        "dog_ids",
        "service_type",
        "date",
        "start_time",
        "duration_minutes",
        "notes",
        "internal_notes",
        "offering_id",
    ];

    /// The fields that a person sets on a record of a service that is already done.
    pub const RECORD_EDITABLE: &[&str] = &[
        "client_id",
        "dog_ids",
        "service_type",
        "date",
        "start_time",
        "duration_minutes",
        "notes",
        "internal_notes",
        "completion_notes",
        "offering_id",
        "price",
        "paid",
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
            start_time: Time::hour(9),
            duration_minutes: CONSTRAINTS.default_walk_duration,
            notes: String::new(),
            internal_notes: String::new(),
            completion_notes: String::new(),
            status: ServiceStatus::Scheduled,
            price: Cents::ZERO,
            pricing_breakdown: pricing::agreed(Cents::ZERO, 1),
            paid: false,
            offering_id: None,
            overlap_ok: false,
            completed_at: None,
            cancelled_at: None,
            created_at: at,
        }
    }
}

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
    if let Some(date) = text("date").and_then(|it| it.parse::<Date>().ok()) {
        needs.push(Need::ServicesBetween(date.plus_days(-1), date.plus_days(1)));
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
    let service = merge(patch, &Service::new(id, ctx.acted_at()), Service::EDITABLE);
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
    let service = merge(patch, current, Service::EDITABLE);
    // What the row has counts as chosen; only what this change empties is missing.
    let mut errors = schedule_errors(&service, &given(patch, current));
    if service.row.date != current.date {
        refuse_past(&mut errors, &service.row, ctx);
    }
    let mut service = service.or_errors(errors)?;
    if service.date != current.date {
        check_day(business, service.date)?;
    }

    let new_party = service.client_id != current.client_id || service.dog_ids != current.dog_ids;
    let new_kind = service.service_type != current.service_type
        || service.duration_minutes != current.duration_minutes;
    let new_time =
        service.date != current.date || service.start_time != current.start_time || new_kind;
    if new_party {
        snapshot(&mut service, business)?;
    } else if service.offering_id != current.offering_id {
        drop_unknown_offering(&mut service, business);
    }
    if new_party || new_kind {
        reprice(&mut service, business)?;
    }
    if new_time {
        service.overlap_ok = overlap_ok;
        if !overlap_ok {
            conflict::refuse(business, &ConflictRequest::of(&service), &ctx.now)?;
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
    let service = merge(
        patch,
        &Service::new(id, ctx.acted_at()),
        Service::RECORD_EDITABLE,
    );
    let errors = record_errors(&service, patch);
    let mut service = service.or_errors(errors)?;
    check_day(business, service.date)?;
    service.status = ServiceStatus::Completed;
    service.completed_at = Some(ctx.acted_at());
    snapshot(&mut service, business)?;
    if patch.has("price") {
        service.pricing_breakdown = pricing::agreed(service.price, service.dog_ids.len());
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

/// What is wrong with a schedule form, in its order (SPEC 5); the date's being in the past is checked apart,
/// since a service of yesterday may still be edited. `given` says what was chosen.
fn schedule_errors(service: &Merged<Service>, given: &Patch) -> FieldErrors {
    let row = &service.row;
    let missing = |field: &str| !given.has(field) || service.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(missing("client_id"), "client_id", "Please select a client");
    let no_dogs = row.dog_ids.is_empty() || service.is_malformed("dog_ids");
    errors.check(no_dogs, "dog_ids", "Please select at least one dog");
    errors.check(missing("date"), "date", "Please select a date");
    errors.check(
        missing("start_time"),
        "start_time",
        "Please select a start time",
    );
    check_duration(&mut errors, service);
    let (least, most) = (
        CONSTRAINTS.min_duration_minutes,
        CONSTRAINTS.max_duration_minutes,
    );
    let minutes = row.duration_minutes;
    errors.check(
        minutes < least,
        "duration_minutes",
        format!("Duration must be at least {least} minutes"),
    );
    errors.check(
        most < minutes,
        "duration_minutes",
        format!("Duration cannot exceed {most} minutes"),
    );
    errors
}

/// What is wrong with a service record (SPEC 5, Shared service check). `given` says what was filled in.
fn record_errors(service: &Merged<Service>, given: &Patch) -> FieldErrors {
    let row = &service.row;
    let missing = |field: &str| !given.has(field) || service.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(missing("client_id"), "client_id", "Client is required");
    errors.check(
        missing("service_type"),
        "service_type",
        "Service type is required",
    );
    errors.check(missing("date"), "date", "Date is required");
    errors.check(
        missing("start_time"),
        "start_time",
        "Start time is required",
    );
    let no_dogs = row.dog_ids.is_empty() || service.is_malformed("dog_ids");
    errors.check(no_dogs, "dog_ids", "At least one dog is required");
    errors.check(!is_price(row.price), "price", NEGATIVE_PRICE);
    errors.check(MAX_PRICE < row.price, "price", PRICE_TOO_HIGH);
    check_duration(&mut errors, service);
    let most = CONSTRAINTS.max_duration_minutes;
    let too_long = most < row.duration_minutes;
    errors.check(
        too_long,
        "duration_minutes",
        format!("Duration cannot exceed {most} minutes"),
    );
    errors
}

fn check_duration(errors: &mut FieldErrors, service: &Merged<Service>) {
    let wrong = service.row.duration_minutes == 0 || service.is_malformed("duration_minutes");
    errors.check(wrong, "duration_minutes", "Duration must be greater than 0");
}

fn refuse_past(errors: &mut FieldErrors, service: &Service, ctx: &Context) {
    errors.check(
        service.date < ctx.today(),
        "date",
        "Cannot schedule services in the past",
    );
}

/// The row with the touched fields, its pets named once each.
fn merge(patch: &Patch, current: &Service, editable: &[&str]) -> Merged<Service> {
    let mut service = patch.merge(current, editable);
    let mut seen = Vec::new();
    service.row.dog_ids.retain(|it| {
        let is_new = !seen.contains(it);
        seen.push(*it);
        is_new
    });
    service
}

/// The current row's fields with those of the patch on top.
fn given(patch: &Patch, current: &Service) -> Patch {
    let mut given = Patch::from_row(current);
    given.0.extend(patch.0.clone());
    given
}

/// Writes down the client's and the pets' names, and checks that they belong together.
fn snapshot(service: &mut Service, business: &Business) -> Result<(), Refusal> {
    let client = business.client(service.client_id).ok_or(Refusal::Gone)?;
    service.client_name.clone_from(&client.name);
    service.dogs.clear();
    for id in &service.dog_ids {
        match business.pet(*id).filter(|it| it.client_id == client.id) {
            Some(pet) => service.dogs.push(pet.name.clone()),
            None => {
                let mut errors = FieldErrors::default();
                errors.add("dog_ids", "A selected dog is not one of this client's");
                return Err(errors.into());
            }
        }
    }
    drop_unknown_offering(service, business);
    Ok(())
}

/// An offering that was deleted in the meantime is no reason to turn a booking down.
fn drop_unknown_offering(service: &mut Service, business: &Business) {
    service.offering_id = service
        .offering_id
        .filter(|it| business.offerings.contains_key(it));
}

fn reprice(service: &mut Service, business: &Business) -> Result<(), Refusal> {
    let client = business.client(service.client_id).ok_or(Refusal::Gone)?;
    service.pricing_breakdown = pricing::price(
        client,
        service.service_type,
        service.duration_minutes,
        service.dog_ids.len(),
    );
    service.price = service.pricing_breakdown.total;
    Ok(())
}

fn changed(service: Service, current: &Service) -> Vec<Change> {
    if service == *current {
        Vec::new()
    } else {
        vec![service.into()]
    }
}
