//! Owns what becomes of a walk request: the service that it asks for, and where it stands (SPEC 4).

use crate::rows::service::{Service, ServiceStatus};
use crate::rows::walk_request::{RequestStatus, WalkRequest};
use crate::{Business, Id};

/// What a parent is told who is declined without a reason (SPEC 5).
pub const SORRY: &str = "Sorry, I'm not available at this time.";

/// The service that is asked for, with nothing in it that the request does not say.
pub(crate) fn asked_service(request: &WalkRequest, id: Id) -> Service {
    Service {
        client_id: request.client_id,
        dog_ids: request.dog_ids.clone(),
        service_type: request.service_type,
        date: request.requested_date,
        start_time: request.requested_start_time,
        duration_minutes: request.requested_duration_minutes,
        notes: request.message.clone(),
        ..Service::new(id, request.created_at)
    }
}

/// Where a request stands: it is completed once the service that was made of it is (SPEC 4).
pub fn status(business: &Business, request: &WalkRequest) -> RequestStatus {
    let service = request.scheduled_service_id;
    let service = service.and_then(|it| business.service(it));
    match service.map(|it| it.status) {
        Some(ServiceStatus::Completed) => RequestStatus::Completed,
        _ => request.status,
    }
}
