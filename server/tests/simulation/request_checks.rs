//! Owns what must hold of requests that become services: approvals and their undos, and bookings that need no approval.

use std::collections::BTreeSet;

use walkies_core::commands::{ApproveRequest, AskForService, UndoApproval};
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::client::Client;
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::{Command, Id, Instant, Now};

use crate::act_checks::{Done, Former, read};
use crate::oracle::{Check, Timeline, ensure};

pub const I30: &str =
    "I30 an approved request has one service, as it was asked for, and an undone approval none";
pub const I31: &str =
    "I31 a trusted client alone books at once, an open time at the price that was seen";

/// Minutes in which an approval can be undone.
const UNDO_MINUTES: i64 = 10;
const MINUTE_MS: i64 = 60_000;

fn request_of(timeline: &Timeline, id: Id) -> Option<WalkRequest> {
    let text = timeline.rows.get(&format!("walk_request/{id}"));
    text.map(|it| read(it))
}

/// A request as it was before the revision that has changed it.
fn request_before(former: &Former, id: Id) -> Option<WalkRequest> {
    let text = former.get(&format!("walk_request/{id}"))?;
    text.as_deref().map(read)
}

/// Ids of the services that a revision has made.
fn made(former: &Former) -> BTreeSet<Id> {
    let made = former.iter().filter(|it| it.1.is_none());
    let made = made.filter_map(|it| it.0.strip_prefix("service/")?.parse().ok());
    made.collect()
}

fn approvals(command: &Command) -> &[ApproveRequest] {
    match command {
        Command::ApproveRequest(it) => std::slice::from_ref(it),
        Command::ApproveRequests(it) => &it.approvals,
        _ => &[],
    }
}

/// Checks what an approval or its undo has done, `former` having the rows that it has changed.
pub fn i30_approved(timeline: &Timeline, done: &Done, former: &Former) -> Check {
    if let Command::UndoApproval(command) = &done.command {
        return i30_undone(timeline, command, former);
    }
    let approvals = approvals(&done.command);
    if approvals.is_empty() {
        return Ok(());
    }
    let mut expected = BTreeSet::new();
    for approval in approvals {
        // One that was approved before has its service already.
        let Some(before) = request_before(former, approval.id) else {
            continue;
        };
        expected.insert(approval.service_id);
        let after = request_of(timeline, approval.id);
        let is_answered = after.as_ref().is_some_and(|it| {
            it.status == RequestStatus::Approved
                && it.scheduled_service_id == Some(approval.service_id)
        });
        ensure!(
            before.status == RequestStatus::Pending && is_answered,
            I30,
            "{before:?} was approved and is {after:?}"
        );
        let service = timeline.services.get(&approval.service_id);
        let is_as_asked = service.is_some_and(|it| is_as_asked(it, approval, &before, timeline));
        ensure!(
            is_as_asked,
            I30,
            "{before:?} was approved by {approval:?}, and its service is {service:?}"
        );
    }
    let made = made(former);
    ensure!(
        made == expected,
        I30,
        "approvals made the services {made:?} and not {expected:?}"
    );
    Ok(())
}

/// Returns true if a service is what was asked for, at the start and price of the approval.
fn is_as_asked(
    service: &Service,
    approval: &ApproveRequest,
    request: &WalkRequest,
    timeline: &Timeline,
) -> bool {
    let pets = request.dog_ids.iter();
    let pets: BTreeSet<&Id> = pets
        .filter(|it| !timeline.gone_pets.contains_key(it))
        .collect();
    let start = approval.start_time.unwrap_or(request.requested_start_time);
    service.status == ServiceStatus::Scheduled
        && service.client_id == request.client_id
        && service.dog_ids.iter().collect::<BTreeSet<&Id>>() == pets
        && (service.date, service.start_time) == (request.requested_date, start)
        && service.end_date == request.requested_end_date
        && service.offering_id == request.offering_id
        && (request.offering_id.is_some()
            || (service.duration_minutes, service.service_type)
                == (request.requested_duration_minutes, request.service_type))
        && approval.price.is_none_or(|it| it == service.price)
        && service.overlap_ok == approval.overlap_ok
}

fn i30_undone(timeline: &Timeline, command: &UndoApproval, former: &Former) -> Check {
    let UndoApproval {
        id,
        service_id,
        inactive_since,
        former: former_time,
    } = command;
    let service = timeline.services.get(service_id);
    let is_back = match former_time {
        None => service.is_none(),
        Some(time) => service.is_some_and(|it| {
            let had = (it.date, it.start_time, it.end_date, it.departure_time);
            had == (
                time.date,
                time.start_time,
                time.end_date,
                time.departure_time,
            ) && time
                .price
                .as_ref()
                .is_none_or(|price| it.price == price.total)
        }),
    };
    ensure!(
        is_back,
        I30,
        "the approval of {id} was undone by {command:?}, and its service is {service:?}"
    );
    let after = request_of(timeline, *id);
    let waits = after
        .as_ref()
        .is_some_and(|it| it.status == RequestStatus::Pending && it.scheduled_service_id.is_none());
    ensure!(
        waits,
        I30,
        "the approval of {id} was undone, and it is {after:?}"
    );
    let mut own = vec![
        format!("walk_request/{id}"),
        format!("service/{service_id}"),
    ];
    if let Some(before) = request_before(former, *id) {
        // The client may be inactive again.
        own.extend(inactive_since.map(|_| format!("client/{}", before.client_id)));
        let expected = WalkRequest {
            status: RequestStatus::Pending,
            sitter_response: String::new(),
            scheduled_service_id: None,
            answered_at: None,
            booked_at_once: false,
            ..before
        };
        ensure!(
            after.as_ref() == Some(&expected),
            I30,
            "an approval was undone, and its request is {after:?} and not {expected:?}"
        );
    }
    let other = former.keys().find(|it| !own.contains(it));
    ensure!(
        other.is_none(),
        I30,
        "the approval of {id} was undone, and {other:?} has changed"
    );
    Ok(())
}

/// Remembers the services that an approval has made.
pub fn note_approved(timeline: &mut Timeline, done: &Done) {
    for approval in approvals(&done.command) {
        let id = approval.service_id;
        if let Some(text) = timeline.rows.get(&format!("service/{id}")) {
            timeline.approved.insert(id, text.clone());
        }
    }
}

/// Checks that an undo of a moment ago was refused only where something has become of the service or of the request since.
pub fn i30_refused(timeline: &mut Timeline, now: &Now) -> Check {
    for (undo, made_at) in std::mem::take(&mut timeline.refused_undos) {
        let (id, service_id) = (undo.id, undo.service_id);
        let Some(request) = request_of(timeline, id) else {
            continue;
        };
        // What was moved is no new service, and whether it may go back is what its own checks say.
        let is_approved = request.status == RequestStatus::Approved
            && undo.former.is_none()
            && request.scheduled_service_id == Some(service_id);
        let answered_at = request.answered_at.unwrap_or_default().0;
        let last = answered_at + UNDO_MINUTES * MINUTE_MS;
        let is_recent = made_at.0 <= last && now.at.0 <= last;
        let service = timeline.rows.get(&format!("service/{service_id}"));
        let is_untouched = service.is_some() && service == timeline.approved.get(&service_id);
        ensure!(
            !(is_approved && is_recent && is_untouched),
            I30,
            "the undo of the approval of {id} was refused, and {service_id} is as it was made"
        );
    }
    Ok(())
}

/// Checks a request that has just come: whether it is booked, `former` having the rows that it has changed.
pub fn i31_booked(timeline: &Timeline, done: &Done, former: &Former, now: &Now) -> Check {
    let Command::AskForService(command) = &done.command else {
        return Ok(());
    };
    let Some(request) = request_of(timeline, command.id) else {
        return Ok(());
    };
    let made = made(former);
    if !request.booked_at_once {
        let waits = request.status == RequestStatus::Pending
            && request.scheduled_service_id.is_none()
            && made.is_empty();
        ensure!(
            waits,
            I31,
            "{request:?} was not booked at once, and does not wait: {made:?} were made"
        );
        return Ok(());
    }
    let service = timeline.services.get(&command.id);
    let is_booked = request.status == RequestStatus::Approved
        && request.scheduled_service_id == Some(command.id)
        && made == BTreeSet::from([command.id]);
    let Some(service) = service.filter(|_| is_booked) else {
        ensure!(
            false,
            I31,
            "{request:?} was booked at once, and {made:?} made"
        );
        return Ok(());
    };
    let key = format!("client/{}", request.client_id);
    let client = match former.get(&key) {
        Some(before) => before.as_ref(),
        None => timeline.rows.get(&key),
    };
    let client: Option<Client> = client.map(|it| read(it));
    let is_trusted = client.is_some_and(|it| it.books_at_once && it.inactive_since.is_none());
    ensure!(
        is_trusted,
        I31,
        "{service:?} was booked at once by a client who is not trusted"
    );
    ensure!(
        is_bookable(command)
            && command.quoted_price == Some(service.price)
            && request.estimated_price == service.price,
        I31,
        "{command:?} was booked at once as {service:?}"
    );
    let closed = closed(timeline, service, now);
    ensure!(
        closed.is_none(),
        I31,
        "{service:?} was booked at once, {}",
        closed.unwrap_or_default()
    );
    Ok(())
}

/// Returns true for one visit of a length that decides its price.
fn is_bookable(command: &AskForService) -> bool {
    let has = |field: &str| command.request.0.get(field).is_some_and(|it| !it.is_null());
    command.repeats.is_none() && !command.is_wish && !has("requested_end_date")
}

/// Returns the reason why a time is not open, by a plain reader of the hours, the blocked times and the other services; none
/// where it is.
fn closed(timeline: &Timeline, service: &Service, now: &Now) -> Option<String> {
    let start = i64::from(service.start_time.minute_of_day());
    let end = start + i64::from(service.duration_minutes);
    let of_day = timeline.patterns.values().filter(|it| {
        it.is_active
            && it.day_of_week == service.date.day_of_week()
            && it.service_types.contains(&service.service_type)
    });
    let of_day: Vec<_> = of_day.collect();
    let holds = of_day.iter().filter(|it| {
        i64::from(it.start_time.minute_of_day()) <= start
            && end <= i64::from(it.end_time.minute_of_day())
    });
    let first = holds.max_by_key(|it| (it.priority, std::cmp::Reverse(it.id)));
    if first.is_none() && !of_day.is_empty() {
        return Some("outside of the hours".to_owned());
    }
    let (today, _) = now.at.civil(&now.zone);
    if let Some(pattern) = first {
        let at = Instant::from_civil(service.date, service.start_time, &now.zone);
        let earliest = now.at.0 + i64::from(pattern.min_advance_hours) * 60 * MINUTE_MS;
        let last = today.plus_days(pattern.max_advance_days.into());
        if at.0 < earliest || last < service.date {
            return Some(format!("at {}", now.at));
        }
    }
    let blocks = timeline.rows.iter();
    let mut blocks = blocks
        .filter(|it| it.0.starts_with("blocked_time/"))
        .map(|it| read::<BlockedTime>(it.1));
    let block = blocks.find(|it| {
        it.occurs_on(service.date)
            && !it.allows_emergency
            && it.blocked_services.contains(&service.service_type)
            && start < i64::from(it.end_time.minute_of_day())
            && i64::from(it.start_time.minute_of_day()) < end
    });
    if let Some(block) = block {
        return Some(format!("in {block:?}"));
    }
    let is_alone = first.is_none_or(|it| it.max_concurrent_services == 1);
    let mut others = timeline.services.values().filter(|it| {
        it.id != service.id
            && it.status != ServiceStatus::Cancelled
            && it.end_date.is_none()
            && it.date == service.date
    });
    let other = others.find(|it| {
        let from = i64::from(it.start_time.minute_of_day());
        start < from + i64::from(it.duration_minutes) && from < end
    });
    other
        .filter(|_| is_alone)
        .map(|it| format!("and {it:?} is there"))
}
