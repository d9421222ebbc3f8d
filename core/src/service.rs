//! Owns services: one walk or drop-in on one date, its states and what may follow what (SPEC 3, 4 and 5).

use crate::fields::{read_by_field, read_by_name};
use serde::{Deserialize, Serialize};

use crate::bounds::{self, check_room};
use crate::business::{Change, RowKey, TableName};
use crate::check::{MAX_PRICE, MAX_TOTAL, NEGATIVE_PRICE, PRICE_TOO_HIGH, is_price};
use crate::client::trim;
use crate::command::{Adjustment, Context, Decision, Need, delete_row, overwritten};
use crate::conflict::{self, ConflictRequest};
use crate::field::FieldErrors;
use crate::limits::CONSTRAINTS;
use crate::offering::{self, PricingType};
use crate::patch::{Merged, Patch};
use crate::time::MS_PER_MINUTE;
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

/// A price that a person set for one service (decisions, What is sold is booked).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriceOverride {
    /// What the service costs.
    pub amount: Cents,
    /// Why; never empty after trimming.
    pub reason: String,
}

read_by_field!(PriceOverride { amount } or default { reason });

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
    /// The last day of a stay, which lasts for days; none for a visit.
    // INVARIANT: the field after `date` is `end_date`, by which stays are known before they are read.
    #[serde(default)]
    pub end_date: Option<Date>,
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
    /// That offering's name when it was booked; empty for a plain walk or drop-in.
    #[serde(default)]
    pub offering_name: String,
    /// What a person set in place of the usual price.
    #[serde(default)]
    pub price_override: Option<PriceOverride>,
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
        "end_date",
        "price_override",
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
        "end_date",
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
            end_date: None,
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
            offering_name: String::new(),
            price_override: None,
            overlap_ok: false,
            completed_at: None,
            cancelled_at: None,
            created_at: at,
        }
    }

    /// How many days it lasts, the first and the last among them; 1 for a visit.
    pub(crate) fn n_days(&self) -> u32 {
        let last = self.end_date.unwrap_or(self.date);
        let more = last.days_since_epoch() - self.date.days_since_epoch();
        u32::try_from(more.saturating_add(1)).unwrap_or(1).max(1)
    }

    /// All that its price depends on, but for what the rates and the offering are.
    pub(crate) fn is_priced_like(&self, other: &Self) -> bool {
        self.client_id == other.client_id
            && self.dog_ids == other.dog_ids
            && self.service_type == other.service_type
            && self.duration_minutes == other.duration_minutes
            && self.offering_id == other.offering_id
            && self.n_days() == other.n_days()
            && self.price_override == other.price_override
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
    check_stay(&mut errors, service);
    if let Some(agreed) = &row.price_override {
        let (amount, reason) = ("price_override.amount", "price_override.reason");
        errors.check(!is_price(agreed.amount), amount, NEGATIVE_PRICE);
        errors.check(MAX_PRICE < agreed.amount, amount, PRICE_TOO_HIGH);
        errors.check(agreed.reason.is_empty(), reason, "Please say why");
    }
    errors
}

/// What is wrong with the days of a stay.
fn check_stay(errors: &mut FieldErrors, service: &Merged<Service>) {
    let row = &service.row;
    let Some(last) = row.end_date else {
        return;
    };
    errors.check(
        row.offering_id.is_none(),
        "offering_id",
        "What lasts for days is booked as an offering that is sold by the day",
    );
    errors.check(
        last < row.date,
        "end_date",
        "The last day cannot be before the first",
    );
    let longest = row.date.plus_days(i64::from(bounds::STAY_DAYS) - 1);
    errors.check(
        longest < last,
        "end_date",
        format!("A stay cannot exceed {} days", bounds::STAY_DAYS),
    );
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
    check_stay(&mut errors, service);
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

/// What scheduling makes of the touched fields: a new service, or the `current` one changed.
pub(crate) fn merged(
    patch: &Patch,
    current: Option<&Service>,
    fresh: &Service,
    business: &Business,
) -> Merged<Service> {
    let mut service = merge(patch, current.unwrap_or(fresh), Service::EDITABLE);
    settle(&mut service.row, current, business);
    service
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
    if let Some(agreed) = &mut service.row.price_override {
        trim(&mut agreed.reason);
    }
    service
}

/// Writes down what the offering makes of a service that is booked with it: its kind, its name, and whether it lasts for
/// days. Where the offering stays the one it was `before`, what was written then stays too.
fn settle(service: &mut Service, before: Option<&Service>, business: &Business) {
    let before = before.filter(|it| it.offering_id == service.offering_id);
    let offering = service
        .offering_id
        .and_then(|id| business.offerings.get(&id));
    let is_daily = offering.is_some_and(|it| it.row.pricing_type == PricingType::Daily);
    if let Some(before) = before.filter(|it| it.offering_id.is_some()) {
        service.service_type = before.service_type;
    } else if let Some(offering) = offering {
        service.service_type = offering::service_type(&offering.row);
        service.offering_name.clone_from(&offering.row.name);
    } else {
        // An offering that was deleted in the meantime is no reason to turn a booking down: a visit is a plain one then, and
        // a stay is one at the price of as many drop-ins.
        service.offering_name.clear();
        match (service.offering_id, service.end_date) {
            (Some(_), Some(_)) => service.service_type = ServiceType::Dropin,
            _ => service.offering_id = None,
        }
    }
    if is_daily || before.is_some_and(|it| it.end_date.is_some()) {
        service.end_date = service.end_date.or(Some(service.date));
    } else if offering.is_some() {
        service.end_date = None;
    }
}

/// The current row's fields with those of the patch on top.
pub(crate) fn given(patch: &Patch, current: &Service) -> Patch {
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
    Ok(())
}

fn reprice(service: &mut Service, business: &Business) -> Result<(), Refusal> {
    service.pricing_breakdown = pricing::of_service(business, service).ok_or(Refusal::Gone)?;
    service.price = service.pricing_breakdown.total;
    let mut errors = FieldErrors::default();
    errors.check(MAX_TOTAL < service.price, "price", PRICE_TOO_HIGH);
    Ok(errors.or(())?)
}

fn changed(service: Service, current: &Service) -> Vec<Change> {
    if service == *current {
        Vec::new()
    } else {
        vec![service.into()]
    }
}
