//! Owns what becomes of a walk request: the service that it asks for, and where it stands (SPEC 4).

use crate::rows::client::Client;
use crate::rows::offering::{Offering, PricingType};
use crate::rows::pet::{Pet, PetType};
use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use crate::rules::offering;
use crate::rules::service::settle;
use crate::{Business, Id};

/// Answer to a pet parent who is declined without a reason (SPEC 5).
pub const SORRY: &str = "Sorry, I'm not available at this time.";

/// The same where a change is declined: the sitter may be available all the same.
const UNCHANGED: &str = "Sorry, this cannot be changed.";

/// Error of a pet that what is asked for does not fit.
pub(crate) const ONLY_DOGS: &str = "Walks are for dogs. Please leave out your other pets";

/// Returns true if what is asked for fits a pet: a walk is for dogs, and everything else for any pet.
pub(crate) fn fits(pet: &Pet, service_type: ServiceType) -> bool {
    service_type == ServiceType::Dropin || pet.pet_type == PetType::Dog
}

/// Returns true if the sitter lets a client book open times without asking.
pub(crate) fn books_at_once(client: &Client) -> bool {
    client.books_at_once && client.inactive_since.is_none()
}

/// Longest visit without an offering that is booked without asking, in minutes: all longer ones cost the same.
const LONGEST_AT_ONCE_MINUTES: u32 = 60;

/// Returns true if nobody can book hours without asking for the price of one: a visit without an offering is short, and any
/// other has a price that its length decides.
pub(crate) fn is_short_enough(offering: Option<&Offering>, minutes: u32) -> bool {
    offering.map_or(minutes <= LONGEST_AT_ONCE_MINUTES, |it| {
        it.pricing_type == PricingType::Duration
    })
}

/// Lists a client's pets that what is asked for fits, in their order: a plain service of this type, or an offering.
pub fn fitting_pets(
    business: &Business,
    client_id: Id,
    service_type: ServiceType,
    offering_id: Option<Id>,
) -> Vec<Id> {
    let offering = offering_id.and_then(|it| business.offerings.get(&it));
    let service_type = offering.map_or(service_type, |it| offering::service_type(&it.row));
    let pets = business.pets_of(client_id).into_iter();
    let fitting = pets.filter(|it| it.gone_on.is_none() && fits(it, service_type));
    fitting.map(|it| it.id).collect()
}

/// The answer to a request that is declined without a reason.
pub const fn without_reason(request: &WalkRequest) -> &'static str {
    match request.subject {
        None | Some(RequestSubject::Series { .. }) => SORRY,
        Some(_) => UNCHANGED,
    }
}

/// The service that is asked for, with nothing in it that the request does not say and its offering does not make of it.
pub(crate) fn asked_service(request: &WalkRequest, id: Id, business: &Business) -> Service {
    let mut service = Service {
        client_id: request.client_id,
        dog_ids: request.dog_ids.clone(),
        service_type: request.service_type,
        date: request.requested_date,
        start_time: request.requested_start_time,
        duration_minutes: request.requested_duration_minutes,
        // Written for the sitter alone: what is for the client stands on invoices, too.
        internal_notes: request.message.clone(),
        offering_id: request.offering_id,
        end_date: request.requested_end_date,
        departure_time: request.requested_departure_time,
        ..Service::new(id, request.created_at)
    };
    settle(&mut service, None, business);
    service
}

/// The service that approving a request makes at the time that it asks for: pets that are no longer with the client are left
/// out.
pub(crate) fn approved_service(request: &WalkRequest, id: Id, business: &Business) -> Service {
    let mut service = asked_service(request, id, business);
    let is_gone = |pet: &Id| business.pet(*pet).is_some_and(|it| it.gone_on.is_some());
    service.dog_ids.retain(|it| !is_gone(it));
    service
}

/// Returns the status of a request, as far as its service is known.
pub fn status(business: &Business, request: &WalkRequest) -> RequestStatus {
    let service = request.scheduled_service_id;
    let service = service.and_then(|it| business.service(it));
    let is_served = service.is_some_and(|it| it.status == ServiceStatus::Completed);
    status_of(request, is_served)
}

/// Returns the status of a request: it is completed once the service that was made of it is (SPEC 4).
pub fn status_of(request: &WalkRequest, is_served: bool) -> RequestStatus {
    if is_served {
        RequestStatus::Completed
    } else {
        request.status
    }
}
