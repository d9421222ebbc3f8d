//! Owns what a pet parent sees of a business: the rows of the client record that the login is linked to, without what is
//! the sitter's alone (decisions, Server-side rules). Each field is named that is shown, so that a new one is shown to
//! nobody before somebody has thought of it.

use crate::rows::client::{Client, Parent};
use crate::rows::conversation::Conversation;
use crate::rows::invoice::{Invoice, InvoicePayment, InvoiceRefund, WriteOff};
use crate::rows::message::Message;
use crate::rows::offering::Offering;
use crate::rows::pet::Pet;
use crate::rows::report::Report;
use crate::rows::row::{Row, TableName};
use crate::rows::series::{Series, SeriesPause, SeriesPhase, Trip};
use crate::rows::service::{Delay, PriceBreakdown, Progress, Service};
use crate::rows::sitter::Sitter;
use crate::rows::walk_request::WalkRequest;
use crate::rules::request::books_at_once;
use crate::values::id::Id;

/// Rows of a table that a client sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of the table's, as far as `shown_to` lets them.
    All,
    /// The record's own.
    Own,
    /// Rows that name the client's record as their `client_id`.
    OfClient,
    /// No row: clients never see this table.
    Nothing,
}

/// Returns true if text in this field of a client, a pet or a service stays with the sitter. The client sees
/// every other field of these forms.
pub fn is_private(field: &str) -> bool {
    PRIVATE_FIELDS.contains(&field)
}

/// The fields of the forms of clients, pets and services that the sitter alone sees.
pub const PRIVATE_FIELDS: [&str; 5] =
    ["access_notes", "internal_notes", "lat", "lng", "sends_live"];

/// Returns which rows of this table a client sees.
pub const fn shown(table: TableName) -> Shown {
    match table {
        TableName::Sitter | TableName::Offering => Shown::All,
        TableName::Client | TableName::Conversation => Shown::Own,
        TableName::Pet
        | TableName::Series
        | TableName::Service
        | TableName::WalkRequest
        | TableName::Report
        | TableName::Message
        | TableName::Invoice => Shown::OfClient,
        TableName::Pattern
        | TableName::BlockedTime
        | TableName::AvailabilityConfig
        | TableName::Expense => Shown::Nothing,
    }
}

/// The client record that a row belongs to; none for what is of the whole business.
pub const fn client_of(row: &Row) -> Option<Id> {
    match row {
        Row::Client(row) => Some(row.id),
        Row::Pet(row) => Some(row.client_id),
        Row::Series(row) => Some(row.client_id),
        Row::Service(row) => Some(row.client_id),
        Row::WalkRequest(row) => Some(row.client_id),
        Row::Report(row) => Some(row.client_id),
        Row::Conversation(row) => Some(row.id),
        Row::Message(row) => Some(row.client_id),
        Row::Invoice(row) => Some(row.client_id),
        Row::Sitter(_)
        | Row::Offering(_)
        | Row::Pattern(_)
        | Row::BlockedTime(_)
        | Row::AvailabilityConfig(_)
        | Row::Expense(_) => None,
    }
}

/// A row as the client of this record sees it; nothing where it is not theirs to see.
pub fn shown_to(client_id: Id, row: &Row) -> Option<Row> {
    if client_of(row).is_some_and(|it| it != client_id) {
        return None;
    }
    match row {
        Row::Sitter(row) => Some(Row::Sitter(sitter(row))),
        Row::Client(row) => Some(Row::Client(client(row))),
        Row::Series(row) => Some(Row::Series(series(row))),
        Row::Service(row) => Some(Row::Service(service(row))),
        Row::Conversation(row) => Some(Row::Conversation(conversation(row))),
        Row::Pet(row) => Some(Row::Pet(pet(row))),
        Row::WalkRequest(row) => Some(Row::WalkRequest(request(row))),
        Row::Report(row) => Some(Row::Report(report(row))),
        Row::Message(row) => Some(Row::Message(message(row))),
        Row::Invoice(row) => row.deleted_at.is_none().then(|| Row::Invoice(invoice(row))),
        // What is no longer for sale is nobody's to choose.
        Row::Offering(row) => row.is_active.then(|| Row::Offering(offering(row))),
        Row::Pattern(_) | Row::BlockedTime(_) | Row::AvailabilityConfig(_) | Row::Expense(_) => {
            None
        }
    }
}

/// Makes the function for a row of which a client sees every field. The compiler names a new field that the list lacks: add
/// it there if clients may see it. If one is the sitter's alone, write a function instead, such as `service`.
macro_rules! fully_visible {
    ($name:ident: $Type:ty, $fields:pat) => {
        #[expect(unused_variables, reason = "the fields are only listed")]
        fn $name(row: &$Type) -> $Type {
            // All of the pattern is the caller's: within the macro the error would name no field.
            let $fields = row;
            row.clone()
        }
    };
}

fully_visible!(pet: Pet, Pet { id, client_id, name, pet_type, weight, birthday, sex, breed, microchipped,
    spayed_neutered, house_trained, friendly_with_children, friendly_with_dogs, friendly_with_cats, adoption_date,
    about, photo, display_order, gone_on, other_texts });
fully_visible!(request: WalkRequest, WalkRequest { id, client_id, status, requested_date, requested_start_time,
    requested_duration_minutes, service_type, dog_ids, message, sitter_response, estimated_price,
    scheduled_service_id, created_at, answered_at, subject, offering_id, requested_end_date,
    requested_departure_time, asked_by, group_id, is_wish, booked_at_once });
fully_visible!(message: Message, Message { id, client_id, number, sender_number, sender_type, client_user_id,
    message_type, content, photo, created_at });

/// The offering without its tax rate: that is between the sitter and an authority until it stands on an invoice.
fn offering(row: &Offering) -> Offering {
    Offering {
        id: row.id,
        name: row.name.clone(),
        description: row.description.clone(),
        icon: row.icon.clone(),
        base_price: row.base_price,
        pricing_type: row.pricing_type,
        duration_minutes: row.duration_minutes,
        stay_unit: row.stay_unit,
        further_day_after: row.further_day_after,
        tax_name: None,
        category: row.category.clone(),
        is_active: row.is_active,
        display_order: row.display_order,
        created_at: row.created_at,
    }
}

/// Who comes, and in which clock and units; the e-mail is the sign-in's.
fn sitter(row: &Sitter) -> Sitter {
    Sitter {
        business_name: row.business_name.clone(),
        phone: row.phone.clone(),
        photo: row.photo,
        units: row.units,
        hour_cycle: row.hour_cycle,
        ..Sitter::new(
            row.id,
            row.name.clone(),
            String::new(),
            row.time_zone.clone(),
            row.created_at,
        )
    }
}

/// Returns true if a client sees all versions of this field of their own record, since they write it, too.
pub fn is_written_by_client(field: &str) -> bool {
    Client::EDITABLE_BY_CLIENT.iter().any(|it| it.name == field)
}

/// Their own record: what the sitter writes about getting in stays with the sitter.
fn client(row: &Client) -> Client {
    let others = row
        .other_texts
        .iter()
        .filter(|it| is_written_by_client(&it.field));
    Client {
        name: row.name.clone(),
        address: row.address.clone(),
        billing_address: row.billing_address.clone(),
        phone: row.phone.clone(),
        email: row.email.clone(),
        emergency_contact: row.emergency_contact.clone(),
        vet: row.vet.clone(),
        house_instructions: row.house_instructions.clone(),
        how_to_get_in: row.how_to_get_in.clone(),
        pricing_walk: row.pricing_walk,
        pricing_dropin: row.pricing_dropin,
        walk_rate_30min: row.walk_rate_30min,
        walk_rate_45min: row.walk_rate_45min,
        walk_rate_60min: row.walk_rate_60min,
        multiple_dog_method: row.multiple_dog_method,
        additional_dog_percentage: row.additional_dog_percentage,
        additional_dog_walk_rate: row.additional_dog_walk_rate,
        additional_dog_dropin_rate: row.additional_dog_dropin_rate,
        client_user_id: row.client_user_id,
        other_texts: others.cloned().collect(),
        // An inactive client asks like everybody else, and is not told of being inactive.
        books_at_once: books_at_once(row),
        // They are named to each other; how an account signs in is its own.
        parents: row
            .parents
            .iter()
            .map(|it| Parent {
                user_id: it.user_id,
                name: it.name.clone(),
                email: String::new(),
                linked_at: it.linked_at,
            })
            .collect(),
        ..Client::new(row.id, row.created_at)
    }
}

/// A service without the sitter's notes to themselves.
fn service(row: &Service) -> Service {
    Service {
        client_id: row.client_id,
        client_name: row.client_name.clone(),
        dog_ids: row.dog_ids.clone(),
        dogs: row.dogs.clone(),
        service_type: row.service_type,
        date: row.date,
        end_date: row.end_date,
        start_time: row.start_time,
        duration_minutes: row.duration_minutes,
        notes: row.notes.clone(),
        completion_notes: row.completion_notes.clone(),
        status: row.status,
        price: row.price,
        pricing_breakdown: breakdown(row),
        paid: row.paid,
        invoice_id: row.invoice_id,
        credited_invoice_id: row.credited_invoice_id,
        lost: row.lost,
        offering_id: row.offering_id,
        offering_name: row.offering_name.clone(),
        progress: row.progress.map(progress),
        delay: row.delay.as_ref().map(delay),
        window_from: row.window_from,
        window_to: row.window_to,
        departure_time: row.departure_time,
        stay_terms: row.stay_terms,
        completed_at: row.completed_at,
        cancelled_at: row.cancelled_at,
        series_id: row.series_id,
        series_slot: row.series_slot,
        series_date: row.series_date,
        live: row.live.clone(),
        cancel_reason: told_reason(row),
        ..Service::new(row.id, row.created_at)
    }
}

/// Why a service is cancelled, where the sitter tells the client.
fn told_reason(row: &Service) -> String {
    match row.tells_cancel_reason {
        true => row.cancel_reason.clone(),
        false => String::new(),
    }
}

/// Progress with all that it says: the sitter's phone made it for the client, and it has no place.
const fn progress(
    Progress {
        step,
        at,
        expected_at,
    }: Progress,
) -> Progress {
    Progress {
        step,
        at,
        expected_at,
    }
}

/// A later start without the words that the sitter passes on by another way.
const fn delay(row: &Delay) -> Delay {
    Delay {
        date: row.date,
        planned: row.planned,
        start_time: row.start_time,
        at: row.at,
        text: String::new(),
        passed_on_at: None,
        overlap_ok: false,
    }
}

/// A series with its days and times, without the sitter's notes and agreements, why it is paused, and what waits for the
/// sitter.
fn series(row: &Series) -> Series {
    let phases = row.phases.iter().map(|it| SeriesPhase {
        from: it.from,
        anchor: it.anchor,
        rule: it.rule.clone(),
        slots: it.slots.clone(),
        dog_ids: it.dog_ids.clone(),
        notes: it.notes.clone(),
        internal_notes: String::new(),
        price_override: None,
    });
    let pauses = row.pauses.iter().map(|it| SeriesPause {
        id: it.id,
        from: it.from,
        to: it.to,
        reason: String::new(),
    });
    Series {
        id: row.id,
        client_id: row.client_id,
        client_name: row.client_name.clone(),
        end: row.end,
        phases: phases.collect(),
        pauses: pauses.collect(),
        left_out: row.left_out.clone(),
        waiting: Vec::new(),
        // Each visit has its price.
        trip: row.trip.as_ref().map(|it| Trip {
            first_slot: it.first_slot,
            last_slot: it.last_slot,
            stay: it.stay.clone(),
            total: it.total,
            booked_for: it.booked_for,
            shares: Vec::new(),
        }),
        made_until: row.made_until,
        due_on: row.due_on,
        created_at: row.created_at,
    }
}

/// How a price came about, without why the sitter agreed to another one: that is told where the sitter chooses so.
fn breakdown(row: &Service) -> PriceBreakdown {
    let breakdown = row.pricing_breakdown.clone();
    let Some(agreed) = &row.price_override else {
        return breakdown;
    };
    let explanation = match agreed.tells_reason {
        true => [AGREED, ": ", &agreed.reason].concat(),
        false => AGREED.to_owned(),
    };
    PriceBreakdown {
        explanation,
        ..breakdown
    }
}

/// Reason that a client reads of a price that a person set.
const AGREED: &str = "Agreed price";

/// Returns true for a service as its client sees it whose price a person set.
pub(crate) fn has_agreed_price(service: &Service) -> bool {
    service.pricing_breakdown.explanation.starts_with(AGREED)
}

/// A report without whether the sitter passed its link on, where it was mailed and whether it was opened.
fn report(row: &Report) -> Report {
    Report {
        id: row.id,
        walk_id: row.walk_id,
        client_id: row.client_id,
        kind: row.kind,
        dogs: row.dogs.clone(),
        service_ids: row.service_ids.clone(),
        started_at: row.started_at,
        share_id: row.share_id.clone(),
        shared_at: row.shared_at,
        passed_on_at: None,
        mailed: None,
        opened_at: None,
        content: row.content.clone(),
    }
}

/// An invoice without the sitter's words to themselves.
fn invoice(row: &Invoice) -> Invoice {
    let payments = row.payments.iter().map(|it| InvoicePayment {
        id: it.id,
        amount: it.amount,
        method: it.method,
        paid_on: it.paid_on,
        note: String::new(),
        tip: it.tip,
        kept: it.kept,
        from: it.from,
        from_number: it.from_number.clone(),
    });
    let refunds = row.refunds.iter().map(|it| InvoiceRefund {
        id: it.id,
        amount: it.amount,
        method: it.method,
        refunded_on: it.refunded_on,
        note: String::new(),
        to: it.to,
    });
    Invoice {
        id: row.id,
        client_id: row.client_id,
        number: row.number,
        prefix: row.prefix.clone(),
        share_id: row.share_id.clone(),
        paid: row.paid,
        issued_on: row.issued_on,
        due_date: row.due_date,
        client_data: row.client_data.clone(),
        services_data: row.services_data.clone(),
        invoice_data: row.invoice_data.clone(),
        total: row.total,
        currency: row.currency,
        payments: payments.collect(),
        refunds: refunds.collect(),
        credits: row.credits,
        write_off: row.write_off.as_ref().map(|it| WriteOff {
            amount: it.amount,
            written_off_on: it.written_off_on,
            note: String::new(),
        }),
        reminded_at: row.reminded_at,
        shared_at: row.shared_at,
        ..Invoice::default()
    }
}

/// A conversation without where the sitter keeps it.
fn conversation(row: &Conversation) -> Conversation {
    Conversation {
        client_name: row.client_name.clone(),
        sitter_count: row.sitter_count,
        client_count: row.client_count,
        sitter_read: row.sitter_read,
        client_read: row.client_read,
        sitter_read_at: row.sitter_read_at,
        client_read_at: row.client_read_at,
        archived_by_client: row.archived_by_client,
        last_message_content: row.last_message_content.clone(),
        last_message_type: row.last_message_type,
        last_message_sender_type: row.last_message_sender_type,
        last_message_created_at: row.last_message_created_at,
        ..Conversation::new(row.id, row.created_at)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::rows::client::{LiveSharing, MultipleDogMethod};
    use crate::{Cents, Instant};

    fn fields(row: Row) -> Value {
        serde_json::from_str(&row.json().unwrap()).unwrap()
    }

    #[test]
    fn patterns_blocked_times_expenses_and_the_service_area_are_hidden_from_clients() {
        for table in [
            TableName::Pattern,
            TableName::BlockedTime,
            TableName::Expense,
        ] {
            assert_eq!(shown(table), Shown::Nothing, "{table:?}");
        }
        let text = || "x".to_owned();
        let row = Sitter {
            business_name: text(),
            phone: text(),
            service_area_address: text(),
            ..Sitter::new(Id::of(1), text(), text(), "UTC".to_owned(), Instant(0))
        };
        let seen = sitter(&row);
        assert_eq!(
            (seen.name, seen.business_name, seen.phone),
            (text(), text(), text())
        );
        assert_eq!(seen.service_area_address, "");
    }

    #[test]
    fn a_client_reads_why_a_visit_is_cancelled_only_where_the_sitter_tells() {
        let seen = |tells_cancel_reason| {
            service(&Service {
                cancel_reason: "Flu".to_owned(),
                tells_cancel_reason,
                ..Service::new(Id::of(2), Instant(0))
            })
            .cancel_reason
        };
        assert_eq!((seen(true).as_str(), seen(false).as_str()), ("Flu", ""));
    }

    #[test]
    fn the_fields_that_are_called_private_are_those_that_no_client_sees() {
        let text = || "x".to_owned();
        let record = Client {
            name: text(),
            address: text(),
            billing_address: text(),
            phone: text(),
            email: text(),
            access_notes: text(),
            internal_notes: text(),
            emergency_contact: text(),
            vet: text(),
            house_instructions: text(),
            pricing_walk: Cents(1),
            pricing_dropin: Cents(1),
            walk_rate_30min: Cents(1),
            walk_rate_45min: Cents(1),
            walk_rate_60min: Cents(1),
            multiple_dog_method: MultipleDogMethod::Flat,
            additional_dog_percentage: 1,
            additional_dog_walk_rate: Cents(1),
            additional_dog_dropin_rate: Cents(1),
            lat: Some(1.0),
            lng: Some(1.0),
            sends_live: LiveSharing::On,
            books_at_once: true,
            ..Client::new(Id::of(1), Instant(0))
        };
        let visit = Service {
            client_id: record.id,
            notes: text(),
            internal_notes: text(),
            completion_notes: text(),
            ..Service::new(Id::of(2), Instant(0))
        };
        let notes = ["notes", "internal_notes", "completion_notes"];
        let editable: Vec<&str> = Client::EDITABLE.iter().map(|it| it.name).collect();
        for (row, names) in [
            (Row::Client(record), editable.as_slice()),
            (Row::Service(visit), notes.as_slice()),
        ] {
            let seen = fields(shown_to(Id::of(1), &row).unwrap());
            let whole = fields(row);
            for name in names {
                assert_eq!(is_private(name), seen[name] != whole[name], "{name}");
            }
        }
    }
}
