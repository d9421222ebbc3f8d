//! Owns which notices follow from a decision: rows before and after it, and nothing else. A new kind is a line here, and
//! goes out with whatever command writes such a row.

use std::collections::BTreeMap;

use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::{Invoice, InvoicePayment, PaymentMethod};
use walkies_core::rows::message::{Message, MessageType, Side};
use walkies_core::rows::report::Report;
use walkies_core::rows::row::{RowKey, TableName};
use walkies_core::rows::service::{ProgressStep, Service, ServiceStatus};
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::rules::delay::starts_at;
use walkies_core::rules::push::{
    Appointment, DetailMarks, Notice, OTHERS_NAMED, RequestKind, ttl_seconds,
};
use walkies_core::rules::ways_to_client::{is_awaited, is_same_to_client, is_to_begin};
use walkies_core::values::bounds::{SERVICES_AT_ONCE, list};
use walkies_core::values::push::PushKind;
use walkies_core::{Business, Change, Id, Instant, Now, Row};

use crate::db::PushAudience;

/// Whom to tell of what, after these changes to this business. `now` is in the zone of the sitter.
///
/// A walk is shared with so many clients at most; what changes a whole business at once is not told row by row.
pub fn of_changes(
    sitter_id: Id,
    before: &Business,
    changes: &[Change],
    now: &Now,
) -> Vec<(PushAudience, Notice)> {
    let is_of_undone = |key: RowKey| {
        let is_service = key.table == TableName::Service;
        is_service && undone_services(before, changes).any(|it| it == key.id)
    };
    let notices = changes
        .iter()
        .filter(|change| !matches!(change, Change::Delete(key) if is_of_undone(*key)))
        .filter_map(|change| of_change(sitter_id, before, change, now))
        .map(|(audience, notice)| (audience, with_time_of(notice, changes)));
    let ended = changes
        .iter()
        .flat_map(|it| of_ended_access(sitter_id, before, it));
    let mut notices: Vec<_> = notices.chain(ended).collect();
    notices.extend(of_bookings(sitter_id, before, changes, now));
    notices.extend(booked_by_clients(sitter_id, changes, now));
    notices.extend(undone_for_clients(sitter_id, before, changes, now));
    let most = list("reports");
    let answered = notices.iter().find(|(_, it)| is_granted(it));
    if let Some(client_id) = answered.map(|(_, it)| it.client_id) {
        // What the client asked for is told as the answer alone, and not once more for each visit.
        let told = notices.into_iter();
        let told = told.filter(|(_, it)| it.client_id != client_id || is_granted(it));
        return told.take(most).collect();
    }
    let notices = notices.into_iter();
    let count_of = |table| changes.iter().filter(|it| it.key().table == table).count();
    let n_services = count_of(TableName::Service);
    let is_of_several = 1 < n_services && changes.len() == n_services;
    let is_of_delay = changes.iter().any(|change| match change {
        Change::Put(Row::Service(after)) => before
            .service(after.id)
            .is_some_and(|before| has_other_delay(before, after)),
        _ => false,
    });
    // Who is inactive, and a pet that is gone, take all their visits along.
    let is_of_somebody =
        1 < n_services && 0 < count_of(TableName::Client) + count_of(TableName::Pet);
    let approved = notices
        .clone()
        .filter(|(_, it)| it.kind == PushKind::RequestApproved && !it.is_withdrawn);
    let is_one_act = is_of_several
        || 1 < approved.count()
        || is_of_somebody
        || is_of_delay
        || 0 < count_of(TableName::Series) + count_of(TableName::BlockedTime);
    if !is_one_act {
        return notices.take(most).collect();
    }
    // An act on a series, on several services, on a client or a pet with them, about a time off or a delay is told each
    // client once and not for each of the visits. What the message about a delay says, the notice of the delay says better.
    let mut notices: Vec<_> = notices.collect();
    notices.sort_by_key(|(_, it)| {
        let begins = it.appointment.map(|it| (it.date, it.start_time));
        let is_message = it.kind == PushKind::Message;
        let comes_later = is_of_delay == is_message;
        (
            it.client_id,
            comes_later,
            it.is_withdrawn,
            it.group_id,
            begins,
        )
    });
    let mut notices = gathered(notices);
    notices.truncate(SERVICES_AT_ONCE);
    notices
}

/// Gathers the notices of one act, which are sorted by client: a client who gets a message, or is told of a delay, is told
/// no more; any other is told once of each kind of change, by the first visit, with the others in it.
fn gathered(notices: Vec<(PushAudience, Notice)>) -> Vec<(PushAudience, Notice)> {
    let mut told: Vec<(PushAudience, Notice)> = Vec::new();
    for (audience, next) in notices {
        // Who has no access any more is told so, each of a household.
        if next.kind == PushKind::AccessEnded {
            told.push((audience, next));
            continue;
        }
        let of_client = told.iter_mut().rev().map(|it| &mut it.1);
        let mut of_client = of_client
            .take_while(|it| it.client_id == next.client_id)
            .filter(|it| it.kind != PushKind::AccessEnded);
        let known = of_client.find(|it| {
            let says_all = it.kind == PushKind::Message || it.is_delay;
            let is_same = (it.kind, it.is_withdrawn) == (next.kind, next.is_withdrawn);
            // Requests that were not made at once are answered one by one.
            let is_answer = it.kind == PushKind::RequestApproved;
            let is_at_once = it.group_id.is_some() && it.group_id == next.group_id;
            says_all || (is_same && (!is_answer || is_at_once))
        });
        match known {
            Some(known) if is_counted(known) && known.kind == next.kind => {
                if known.others.len() < OTHERS_NAMED {
                    known.others.push(next.about);
                    known.formers.extend(next.former);
                }
            }
            Some(_) => {}
            None => told.push((audience, next)),
        }
    }
    told
}

/// Returns true for a notice that counts the other visits of its act. One of a booking names them already.
fn is_counted(notice: &Notice) -> bool {
    use PushKind::{DetailsChanged, ServiceCancelled, ServiceChanged};
    let is_of_visits = matches!(
        notice.kind,
        DetailsChanged | ServiceCancelled | ServiceChanged
    );
    is_of_visits && !notice.is_delay
}

/// The visits that are new to their clients: booked, or another client's before. One that was made of a request is told as
/// its answer. A client with several of them is told so with each.
fn of_bookings(
    sitter_id: Id,
    before: &Business,
    changes: &[Change],
    now: &Now,
) -> Vec<(PushAudience, Notice)> {
    let answered = changes.iter().filter_map(|change| match change {
        Change::Put(Row::WalkRequest(request)) => request.scheduled_service_id,
        _ => None,
    });
    let answered: Vec<Id> = answered.collect();
    let booked = changes.iter().filter_map(|change| match change {
        Change::Put(Row::Service(after)) => {
            let known = before.service(after.id);
            let is_new = known.is_none_or(|it| it.client_id != after.client_id);
            let is_told = is_new && is_to_begin(after, now) && !answered.contains(&after.id);
            is_told.then_some(after)
        }
        _ => None,
    });
    let mut of_client: BTreeMap<Id, Vec<&Service>> = BTreeMap::new();
    for service in booked {
        of_client
            .entry(service.client_id)
            .or_default()
            .push(service);
    }
    let notices = of_client.into_values().flat_map(|mut booked| {
        booked.sort_by_key(|it| (it.date, it.start_time, it.id));
        let first: Vec<Id> = booked
            .iter()
            .take(OTHERS_NAMED + 1)
            .map(|it| it.id)
            .collect();
        let asks = match booked.len() {
            1 => RequestKind::Visit,
            _ => RequestKind::Series,
        };
        let notices = booked.into_iter().map(move |it| {
            let others = first.iter().filter(|other| **other != it.id);
            to_client(Notice {
                asks,
                others: others.take(OTHERS_NAMED).copied().collect(),
                ..about_service(PushKind::VisitBooked, sitter_id, it)
            })
        });
        notices.collect::<Vec<_>>()
    });
    notices.collect()
}

/// The visits that clients have booked without asking, for the sitter and for all of the household.
fn booked_by_clients(
    sitter_id: Id,
    changes: &[Change],
    now: &Now,
) -> impl Iterator<Item = (PushAudience, Notice)> {
    let services = changes.iter().filter_map(|change| match change {
        Change::Put(Row::Service(service)) if is_to_begin(service, now) => Some(service),
        _ => None,
    });
    let requests = changes.iter().filter_map(|change| match change {
        Change::Put(Row::WalkRequest(request)) if request.booked_at_once => Some(request),
        _ => None,
    });
    let requests: Vec<&WalkRequest> = requests.collect();
    services.flat_map(move |service| {
        let made = |it: &&&WalkRequest| it.scheduled_service_id == Some(service.id);
        let request = requests.iter().find(made);
        let notice = request.map(|it| Notice {
            group_id: it.group_id,
            ..about_service(PushKind::ClientBooked, sitter_id, service)
        });
        notice
            .into_iter()
            .flat_map(move |it| [(PushAudience::Sitter(sitter_id), it.clone()), to_client(it)])
    })
}

/// Takes back what was told of visits that clients had booked without asking and that are booked no more.
fn undone_for_clients(
    sitter_id: Id,
    before: &Business,
    changes: &[Change],
    now: &Now,
) -> Vec<(PushAudience, Notice)> {
    let mut notices = Vec::new();
    for change in changes {
        if let Change::Put(Row::WalkRequest(after)) = change
            && let Some(booked) = before.requests.get(&after.id).map(|it| &it.row)
            && booked.booked_at_once
            && is_undone(booked, after)
            && let Some(service) = booked
                .scheduled_service_id
                .and_then(|it| before.service(it))
        {
            let told = Notice {
                group_id: booked.group_id,
                ..about_service(PushKind::ClientBooked, sitter_id, service)
            };
            let told = [
                (PushAudience::Sitter(sitter_id), told.clone()),
                to_client(told),
            ];
            let told_at = booked.answered_at.unwrap_or(booked.created_at);
            notices.extend(
                told.into_iter()
                    .filter_map(|it| withdrawn(it, told_at, now)),
            );
        }
    }
    notices
}

/// Returns true if something else than one visit was asked for and is granted.
fn is_granted(notice: &Notice) -> bool {
    notice.kind == PushKind::RequestApproved && notice.asks != RequestKind::Visit
}

/// A request may be approved for another time than was asked for: the service that was made of it says which.
fn with_time_of(notice: Notice, changes: &[Change]) -> Notice {
    let is_of =
        |it: &&WalkRequest| notice.kind == PushKind::RequestApproved && it.id == notice.about;
    let request = changes.iter().find_map(|it| match it {
        Change::Put(Row::WalkRequest(request)) => Some(request).filter(is_of),
        _ => None,
    });
    let service = changes.iter().find_map(|it| match it {
        Change::Put(Row::Service(service)) => {
            let made = request.and_then(|it| it.scheduled_service_id);
            Some(service).filter(|it| made == Some(it.id))
        }
        _ => None,
    });
    match service {
        Some(service) => Notice {
            appointment: Some(Appointment::from(service)),
            ..notice
        },
        None => notice,
    }
}

fn of_change(
    sitter_id: Id,
    before: &Business,
    change: &Change,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    match change {
        Change::Put(Row::WalkRequest(after)) => {
            let before = before.requests.get(&after.id).map(|it| &it.row);
            match before.filter(|it| is_undone(it, after)) {
                // No answer was told.
                Some(approved) if approved.booked_at_once => None,
                Some(approved) => {
                    let told = of_request(sitter_id, Some(after), approved)?;
                    withdrawn(told, approved.answered_at.unwrap_or_default(), now)
                }
                None => of_request(sitter_id, before, after),
            }
        }
        Change::Put(Row::Message(after)) => of_message(sitter_id, before, after, now),
        Change::Put(Row::Report(after)) => {
            let is_new = !before.reports.contains_key(&after.id);
            is_new.then(|| of_report(sitter_id, after))
        }
        Change::Put(Row::Invoice(after)) => {
            let before = before.invoices.get(&after.id).map(|it| &it.row);
            of_invoice(sitter_id, before, after, now)
        }
        Change::Put(Row::Service(after)) => {
            of_service(sitter_id, before.service(after.id)?, after, now)
        }
        Change::Delete(key) if key.table == TableName::WalkRequest => {
            let gone = &before.requests.get(&key.id)?.row;
            let is_waiting =
                gone.status == RequestStatus::Pending && now.today() <= gone.requested_date;
            let asked = of_request(sitter_id, None, gone).filter(|_| is_waiting)?;
            withdrawn(asked, gone.created_at, now)
        }
        Change::Delete(key) if key.table == TableName::Report => {
            let gone = &before.reports.get(&key.id)?.row;
            withdrawn(of_report(sitter_id, gone), gone.shared_at, now)
        }
        Change::Delete(key) if key.table == TableName::Service => {
            let gone = before.service(key.id)?;
            is_awaited(gone, now.today()).then(|| cancelled(sitter_id, gone))
        }
        _ => None,
    }
}

/// Returns true if the approval of a request was taken back.
fn is_undone(before: &WalkRequest, after: &WalkRequest) -> bool {
    before.status == RequestStatus::Approved && after.status == RequestStatus::Pending
}

/// The services of approvals that are taken back; the notice about the request stands for their removal.
fn undone_services<'a>(
    before: &'a Business,
    changes: &'a [Change],
) -> impl Iterator<Item = Id> + 'a {
    changes.iter().filter_map(|change| match change {
        Change::Put(Row::WalkRequest(after)) => {
            let approved = &before.requests.get(&after.id)?.row;
            let made = approved.scheduled_service_id;
            made.filter(|_| is_undone(approved, after))
        }
        _ => None,
    })
}

/// Pet parents who are linked no more are told once; the row does not name them any longer.
fn of_ended_access<'a>(
    sitter_id: Id,
    before: &'a Business,
    change: &'a Change,
) -> impl Iterator<Item = (PushAudience, Notice)> + 'a {
    let (client, linked): (Option<&Client>, Option<&Client>) = match change {
        Change::Put(Row::Client(after)) => (before.client(after.id), Some(after)),
        Change::Delete(key) if key.table == TableName::Client => (before.client(key.id), None),
        _ => (None, None),
    };
    client.into_iter().flat_map(move |client| {
        let former = client.logins();
        let former = former.filter(move |it| !linked.is_some_and(|after| after.has_login(*it)));
        former.map(move |user_id| {
            let notice = about_client(PushKind::AccessEnded, sitter_id, client.id);
            (PushAudience::User(user_id), notice)
        })
    })
}

/// Takes back what people were told then, as long as it may still be on their screens.
fn withdrawn(
    (audience, notice): (PushAudience, Notice),
    told_at: Instant,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    let shown_ms = i64::from(ttl_seconds(notice.kind)) * 1000;
    let notice = Notice {
        is_withdrawn: true,
        ..notice
    };
    (now.at.0 - told_at.0 < shown_ms).then_some((audience, notice))
}

fn of_request(
    sitter_id: Id,
    before: Option<&WalkRequest>,
    after: &WalkRequest,
) -> Option<(PushAudience, Notice)> {
    let kind = match (before.map(|it| it.status), after.status) {
        (None, RequestStatus::Pending) => PushKind::NewRequest,
        (Some(RequestStatus::Pending), RequestStatus::Approved) => PushKind::RequestApproved,
        (Some(RequestStatus::Pending), RequestStatus::Declined) => PushKind::RequestDeclined,
        _ => return None,
    };
    let notice = Notice {
        appointment: Some(Appointment::from(after)),
        asks: RequestKind::from(after),
        group_id: after.group_id,
        ..Notice::of(kind, sitter_id, after.client_id, after.id)
    };
    Some(match kind {
        PushKind::NewRequest => (PushAudience::Sitter(sitter_id), notice),
        _ => to_client(notice),
    })
}

/// A new message is told. One that its sender deletes is taken back, unless the other side has read it by then.
fn of_message(
    sitter_id: Id,
    before: &Business,
    after: &Message,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    let told = to_other_side(sitter_id, after);
    let Some(said) = before.messages.get(&after.id).map(|it| &it.row) else {
        return Some(told);
    };
    let is_deletion =
        said.message_type != MessageType::System && after.message_type == MessageType::System;
    let conversation = before.conversation(after.client_id)?;
    let n_read = conversation.read_by(after.sender_type.other()).0;
    if !is_deletion || after.sender_number <= n_read {
        return None;
    }
    withdrawn(told, after.created_at, now)
}

/// One notice stands for all that waits in the conversation.
fn to_other_side(sitter_id: Id, message: &Message) -> (PushAudience, Notice) {
    let notice = Notice::of(
        PushKind::Message,
        sitter_id,
        message.client_id,
        message.client_id,
    );
    match message.sender_type {
        Side::Client => (PushAudience::Sitter(sitter_id), notice),
        Side::Sitter => to_client(notice),
    }
}

fn of_report(sitter_id: Id, report: &Report) -> (PushAudience, Notice) {
    to_client(Notice::of(
        PushKind::ReportReady,
        sitter_id,
        report.client_id,
        report.id,
    ))
}

/// A new invoice is told, a reminder of one, a payment, and a credit note.
fn of_invoice(
    sitter_id: Id,
    before: Option<&Invoice>,
    after: &Invoice,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    let is_reminder = before.is_some_and(|it| it.reminded_at < after.reminded_at);
    let is_deleted = before.is_some_and(|it| it.deleted_at.is_none()) && after.deleted_at.is_some();
    let is_asked = after.credits.is_none() && (before.is_none() || is_reminder);
    let is_to_withdraw = is_deleted && after.credits.is_none() && !after.paid;
    if !(is_asked || is_to_withdraw) {
        return of_money(sitter_id, before, after);
    }
    let told = to_client(Notice {
        is_reminder,
        ..about_invoice(PushKind::Invoice, sitter_id, after)
    });
    if is_to_withdraw {
        let told_at = after.reminded_at.unwrap_or(after.shared_at);
        return withdrawn(told, told_at, now);
    }
    Some(told)
}

/// A credit note, and money that came for an invoice, or was written down by mistake.
fn of_money(
    sitter_id: Id,
    before: Option<&Invoice>,
    after: &Invoice,
) -> Option<(PushAudience, Notice)> {
    let Some(before) = before else {
        let is_credit = after.credits.is_some();
        return is_credit.then(|| to_client(about_invoice(PushKind::CreditNote, sitter_id, after)));
    };
    let has = |invoice: &Invoice, id: Id| invoice.payments.iter().any(|it| it.id == id);
    let is_new = |it: &InvoicePayment| is_money(it) && !has(before, it.id);
    let is_gone = |it: &InvoicePayment| is_money(it) && !has(after, it.id);
    let told = about_invoice(PushKind::PaymentRecorded, sitter_id, after);
    if after.payments.iter().any(is_new) {
        return Some(to_client(told));
    }
    let is_withdrawn = after.deleted_at.is_none() && before.payments.iter().any(is_gone);
    is_withdrawn.then(|| {
        to_client(Notice {
            is_withdrawn,
            ..told
        })
    })
}

/// Returns true for a payment that brought money, and is no credit.
pub fn is_money(payment: &InvoicePayment) -> bool {
    payment.method != PaymentMethod::Credit && payment.from.is_none()
}

/// Makes a notice of this kind about an invoice, a credit note or a payment.
pub const fn about_invoice(kind: PushKind, sitter_id: Id, invoice: &Invoice) -> Notice {
    Notice::of(kind, sitter_id, invoice.client_id, invoice.id)
}

fn of_service(
    sitter_id: Id,
    before: &Service,
    after: &Service,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    if has_begun_just_now(before, after, now.at) {
        return Some(to_client(about_service(
            PushKind::WalkStarted,
            sitter_id,
            after,
        )));
    }
    // A visit that moves to another day or client is announced as moved below.
    let is_where_it_was = (after.date, after.client_id) == (before.date, before.client_id);
    let has_stopped =
        is_where_it_was && begun_at(after).is_none() && after.status == ServiceStatus::Scheduled;
    if let Some(begun_at) = begun_at(before).filter(|_| has_stopped) {
        let told = about_service(PushKind::WalkStarted, sitter_id, after);
        return withdrawn(to_client(told), begun_at, now);
    }
    let under_way = (on_the_way_at(before), on_the_way_at(after));
    if let (None, Some(at)) = under_way
        && is_news(PushKind::OnTheWay, at, now.at)
    {
        let told = about_service(PushKind::OnTheWay, sitter_id, after);
        return Some(to_client(told));
    }
    let is_off = after.progress.is_none() && after.status == ServiceStatus::Scheduled;
    if let Some(at) = under_way.0.filter(|_| is_where_it_was && is_off) {
        let told = about_service(PushKind::OnTheWay, sitter_id, after);
        return withdrawn(to_client(told), at, now);
    }
    if let Some(told) = of_completion(sitter_id, before, after, now) {
        return Some(told);
    }
    if let Some(cancelled_at) = before
        .cancelled_at
        .filter(|_| is_awaited(after, now.today()))
    {
        let is_same = before.client_id == after.client_id;
        let told = withdrawn(cancelled(sitter_id, after), cancelled_at, now);
        return told.filter(|_| is_same && before.status == ServiceStatus::Cancelled);
    }
    if !is_awaited(before, now.today()) {
        return None;
    }
    if after.status == ServiceStatus::Cancelled {
        return Some(cancelled(sitter_id, before));
    }
    if after.client_id != before.client_id {
        // For whom it was before it is off. Whom it is for now is told as of any other new one.
        return Some(cancelled(sitter_id, before));
    }
    if has_other_delay(before, after) && after.status == ServiceStatus::Scheduled {
        return of_delay(sitter_id, before, after, now);
    }
    // Within a window that was agreed a visit may be moved without a word.
    let is_other = after.status == ServiceStatus::Scheduled && !is_same_to_client(before, after);
    let kind = match after.has_agreed_time_of(before) {
        true => PushKind::DetailsChanged,
        false => PushKind::ServiceChanged,
    };
    is_other.then(|| {
        to_client(Notice {
            former: Some(DetailMarks::from(before)),
            ..about_service(kind, sitter_id, after)
        })
    })
}

/// A visit that was just done, on its last day; or one that is not done after all.
fn of_completion(
    sitter_id: Id,
    before: &Service,
    after: &Service,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    use ServiceStatus::{Completed, Scheduled};
    let told = || to_client(about_service(PushKind::VisitDone, sitter_id, after));
    match (before.status, after.status) {
        (Scheduled, Completed) => {
            let is_today = after.end_date.unwrap_or(after.date) == now.today();
            let has_begun = starts_at(after.date, after.start_time, now) <= now.at;
            let completed_at = after.completed_at?;
            let is_told =
                is_today && has_begun && is_news(PushKind::VisitDone, completed_at, now.at);
            is_told.then(told)
        }
        (Completed, Scheduled) => withdrawn(told(), before.completed_at?, now),
        _ => None,
    }
}

/// Returns true if its client was told of another start of the day, or of none any more. Passing the words on is no news.
fn has_other_delay(before: &Service, after: &Service) -> bool {
    let told = |it: &Service| {
        let delay = it.delay.as_ref()?;
        Some((delay.date, delay.planned, delay.start_time))
    };
    told(before) != told(after)
}

fn of_delay(
    sitter_id: Id,
    before: &Service,
    after: &Service,
    now: &Now,
) -> Option<(PushAudience, Notice)> {
    let notice = Notice {
        is_delay: true,
        ..about_service(PushKind::ServiceChanged, sitter_id, after)
    };
    let notice = match (&before.delay, &after.delay) {
        (_, Some(delay)) => {
            let visit = Service {
                start_time: delay.start_time,
                ..after.clone()
            };
            let appointment = Some(Appointment::from(&visit));
            Notice {
                appointment,
                ..notice
            }
        }
        // What had its end is news no longer.
        (Some(delay), None) if now.at < starts_at(delay.date, delay.start_time, now) => Notice {
            is_withdrawn: true,
            ..notice
        },
        _ => return None,
    };
    Some(to_client(notice))
}

/// Returns true if the service has begun so recently that it is news: a phone may have been without a network for
/// hours.
fn has_begun_just_now(before: &Service, after: &Service, now: Instant) -> bool {
    begun_at(before).is_none()
        && begun_at(after).is_some_and(|it| is_news(PushKind::WalkStarted, it, now))
}

/// Returns true while something of then is worth telling.
fn is_news(kind: PushKind, at: Instant, now: Instant) -> bool {
    now.0 - at.0 < i64::from(ttl_seconds(kind)) * 1000
}

/// Since when the sitter is on the way, as clients are told.
fn on_the_way_at(service: &Service) -> Option<Instant> {
    let progress = service.progress?;
    (progress.step == ProgressStep::OnTheWay).then_some(progress.at)
}

/// When it has begun, as clients were told.
fn begun_at(service: &Service) -> Option<Instant> {
    let progress = service.progress?;
    (progress.step == ProgressStep::Started).then_some(progress.at)
}

fn cancelled(sitter_id: Id, service: &Service) -> (PushAudience, Notice) {
    to_client(Notice {
        is_under_way: service.is_under_way(),
        ..about_service(PushKind::ServiceCancelled, sitter_id, service)
    })
}

/// Makes a notice of this kind about a service.
pub fn about_service(kind: PushKind, sitter_id: Id, service: &Service) -> Notice {
    Notice {
        appointment: Some(Appointment::from(service)),
        ..Notice::of(kind, sitter_id, service.client_id, service.id)
    }
}

/// Returns a notice of something that happened to the link of a client record with its pet parent.
pub const fn about_client(kind: PushKind, sitter_id: Id, client_id: Id) -> Notice {
    Notice::of(kind, sitter_id, client_id, client_id)
}

fn to_client(notice: Notice) -> (PushAudience, Notice) {
    let audience = PushAudience::ClientUsers {
        sitter_id: notice.sitter_id,
        client_id: notice.client_id,
    };
    (audience, notice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use walkies_core::rows::blocked_time::BlockedTime;
    use walkies_core::rows::pet::Pet;
    use walkies_core::rows::series::Series;
    use walkies_core::rows::walk_request::RequestSubject;
    use walkies_core::values::bounds::PETS;
    use walkies_core::values::zone::TimeZone;

    #[test]
    fn all_with_whom_a_walk_is_shared_are_told() {
        let at = Instant(1_795_165_200_000);
        let shared = (0..PETS as u128).map(|n| {
            Change::from(Report {
                id: Id::of(100 + n),
                walk_id: Id::of(1),
                client_id: Id::of(200 + n),
                kind: Default::default(),
                dogs: Vec::new(),
                service_ids: Vec::new(),
                started_at: at,
                share_id: None,
                shared_at: at,
                passed_on_at: None,
                mailed: None,
                opened_at: None,
                content: Default::default(),
            })
        });
        let shared: Vec<Change> = shared.collect();
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let told = of_changes(Id::of(9), &Business::default(), &shared, &now);
        assert_eq!(told.len(), PETS);
    }

    #[test]
    fn a_time_off_is_told_each_client_once_and_by_its_message_where_there_is_one() {
        let at = Instant(1_795_165_200_000);
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let mut before = Business::default();
        let block = BlockedTime::new(Id::of(1), now.today());
        let mut changes = vec![Change::from(block)];
        for n in 0..120_u128 {
            let service = Service {
                client_id: Id::of(n % 60),
                date: now.today().plus_days(n as i64),
                ..Service::new(Id::of(1_000 + n), at)
            };
            before.put(1, Row::Service(service.clone()));
            changes.push(Change::from(Service {
                status: ServiceStatus::Cancelled,
                ..service
            }));
        }
        changes.push(Change::from(Message::new(Id::of(9_000), Id::of(7), at)));
        let told = of_changes(Id::of(9), &before, &changes, &now);
        assert_eq!(told.len(), 60);
        for (n, (_, notice)) in told.iter().enumerate() {
            let (kind, about) = match n {
                7 => (PushKind::Message, Id::of(7)),
                _ => (PushKind::ServiceCancelled, Id::of(1_000 + n as u128)),
            };
            assert_eq!((notice.kind, notice.about), (kind, about));
        }
    }

    #[test]
    fn an_act_on_several_services_is_told_each_client_once_by_the_earliest_visit() {
        let (at, n_clients) = (Instant(1_795_165_200_000), 60_u128);
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let mut before = Business::default();
        let mut changes = Vec::new();
        for n in 0..4 * n_clients {
            let service = Service {
                client_id: Id::of(n % n_clients),
                date: now.today().plus_days(10 - (n / n_clients) as i64),
                ..Service::new(Id::of(1000 + n), at)
            };
            before.put(1, Row::Service(service.clone()));
            changes.push(Change::from(Service {
                date: service.date.plus_days(1),
                ..service
            }));
        }
        let told = of_changes(Id::of(9), &before, &changes, &now);
        let told: Vec<(Id, Id)> = told
            .iter()
            .map(|(_, it)| (it.client_id, it.about))
            .collect();
        let earliest = |client: u128| Id::of(1000 + 3 * n_clients + client);
        let expected: Vec<(Id, Id)> = (0..n_clients)
            .map(|it| (Id::of(it), earliest(it)))
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn an_act_on_a_series_is_told_each_client_once_by_the_earliest_visit() {
        let at = Instant(1_795_165_200_000);
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let mut before = Business::default();
        let mut changes = vec![Change::from(Series::new(Id::of(1), at))];
        // The later a visit, the lower its id.
        for n in 0..6_u128 {
            let service = Service {
                client_id: Id::of(n % 2),
                date: now.today().plus_days(10 - n as i64),
                ..Service::new(Id::of(100 + n), at)
            };
            before.put(1, Row::Service(service.clone()));
            changes.push(Change::from(Service {
                status: ServiceStatus::Cancelled,
                ..service
            }));
        }
        let told = of_changes(Id::of(9), &before, &changes, &now);
        let told: Vec<(Id, Id)> = told
            .iter()
            .map(|(_, it)| (it.client_id, it.about))
            .collect();
        assert_eq!(told, [(Id::of(0), Id::of(104)), (Id::of(1), Id::of(105))]);
    }

    #[test]
    fn visits_that_go_with_a_client_or_a_pet_are_told_once_by_the_earliest() {
        let at = Instant(1_795_165_200_000);
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let client = Client::new(Id::of(1), at);
        let pet = Pet::new(Id::of(2), client.id);
        for first in [Change::from(client), Change::from(pet)] {
            let mut before = Business::default();
            let mut changes = vec![first];
            for n in 0..3_u128 {
                let service = Service {
                    client_id: Id::of(1),
                    date: now.today().plus_days(10 - n as i64),
                    ..Service::new(Id::of(100 + n), at)
                };
                before.put(1, Row::Service(service.clone()));
                changes.push(Change::from(Service {
                    status: ServiceStatus::Cancelled,
                    ..service
                }));
            }
            let told = of_changes(Id::of(9), &before, &changes, &now);
            let told: Vec<Id> = told.iter().map(|(_, it)| it.about).collect();
            assert_eq!(told, [Id::of(102)]);
        }
    }

    #[test]
    fn an_approval_that_is_undone_is_told_as_a_request_that_waits_again_and_not_as_cancelled() {
        let now = Now {
            at: Instant(1_795_165_200_000),
            zone: TimeZone::UTC,
        };
        let service = Service {
            client_id: Id::of(1),
            date: now.today().plus_days(4),
            ..Service::new(Id::of(3), now.at)
        };
        let approved = WalkRequest {
            status: RequestStatus::Approved,
            requested_date: service.date,
            scheduled_service_id: Some(service.id),
            answered_at: Some(now.at),
            ..WalkRequest::new(Id::of(2), service.client_id, now.at)
        };
        let waiting = WalkRequest {
            status: RequestStatus::Pending,
            scheduled_service_id: None,
            answered_at: None,
            ..approved.clone()
        };
        let mut before = Business::default();
        before.put(1, Row::Service(service.clone()));
        before.put(1, Row::WalkRequest(approved));
        let gone = Change::Delete(Row::Service(service).key());
        let told = |changes: &[Change]| {
            let told = of_changes(Id::of(9), &before, changes, &now);
            let told = told.iter().map(|(_, it)| (it.kind, it.is_withdrawn));
            told.collect::<Vec<_>>()
        };
        assert_eq!(
            told(&[gone.clone(), Change::from(waiting)]),
            [(PushKind::RequestApproved, true)]
        );
        assert_eq!(told(&[gone]), [(PushKind::ServiceCancelled, false)]);
    }

    fn told_kinds(
        before: &Business,
        changes: &[Change],
        now: &Now,
    ) -> Vec<(PushKind, RequestKind)> {
        let told = of_changes(Id::of(9), before, changes, now);
        told.iter().map(|(_, it)| (it.kind, it.asks)).collect()
    }

    #[test]
    fn a_booking_ahead_is_told_once_for_a_client_and_says_if_there_are_several() {
        let now = Now {
            at: Instant(1_795_165_200_000),
            zone: TimeZone::UTC,
        };
        let visit = |n: u128, days: i64| {
            Change::from(Service {
                client_id: Id::of(1),
                date: now.today().plus_days(days),
                ..Service::new(Id::of(n), now.at)
            })
        };
        let nothing = Business::default();
        let one = [(PushKind::VisitBooked, RequestKind::Visit)];
        assert_eq!(told_kinds(&nothing, &[visit(2, 1)], &now), one);
        // What is written down afterwards is no news.
        assert_eq!(told_kinds(&nothing, &[visit(2, -1)], &now), []);
        let several = [visit(2, 1), visit(3, 2), visit(4, 3)];
        let told = [(PushKind::VisitBooked, RequestKind::Series)];
        assert_eq!(told_kinds(&nothing, &several, &now), told);
    }

    #[test]
    fn other_details_of_a_visit_to_come_are_told_and_nothing_of_the_sitter_s_own_notes() {
        let now = Now {
            at: Instant(1_795_165_200_000),
            zone: TimeZone::UTC,
        };
        let service = Service {
            client_id: Id::of(1),
            date: now.today().plus_days(2),
            ..Service::new(Id::of(2), now.at)
        };
        let mut before = Business::default();
        before.put(1, Row::Service(service.clone()));
        let told = |after: Service| told_kinds(&before, &[Change::from(after)], &now);
        let details = [(PushKind::DetailsChanged, RequestKind::Visit)];
        let mut dearer = service.clone();
        dearer.price = walkies_core::Cents(60_00);
        assert_eq!(told(dearer.clone()), details);
        let mut other = service.clone();
        other.dog_ids = vec![Id::of(7)];
        assert_eq!(told(other), details);
        let mut own = service.clone();
        own.internal_notes = "4711".to_owned();
        assert_eq!(told(own), []);
        dearer.date = service.date.plus_days(1);
        let moved = [(PushKind::ServiceChanged, RequestKind::Visit)];
        assert_eq!(told(dearer), moved);
    }

    #[test]
    fn money_and_credit_notes_are_told_and_credit_that_pays_is_not() {
        let now = Now {
            at: Instant(1_795_165_200_000),
            zone: TimeZone::UTC,
        };
        let payment = |n: u128, method| InvoicePayment {
            id: Id::of(n),
            amount: walkies_core::Cents(10_00),
            method,
            ..InvoicePayment::default()
        };
        let owed = Invoice {
            id: Id::of(2),
            client_id: Id::of(1),
            total: walkies_core::Cents(30_00),
            ..Invoice::default()
        };
        let mut before = Business::default();
        before.put(1, Row::Invoice(owed.clone()));
        let told = |before: &Business, after: &Invoice| {
            let told = of_changes(Id::of(9), before, &[Change::from(after.clone())], &now);
            let told = told.iter().map(|(_, it)| (it.kind, it.is_withdrawn));
            told.collect::<Vec<_>>()
        };
        let mut paid = owed.clone();
        paid.payments = vec![payment(3, PaymentMethod::Cash)];
        assert_eq!(told(&before, &paid), [(PushKind::PaymentRecorded, false)]);
        let mut credited = owed.clone();
        credited.payments = vec![payment(4, PaymentMethod::Credit)];
        assert_eq!(told(&before, &credited), []);
        let note = Invoice {
            id: Id::of(5),
            credits: Some(owed.id),
            ..owed.clone()
        };
        assert_eq!(told(&before, &note), [(PushKind::CreditNote, false)]);
        before.put(2, Row::Invoice(paid));
        assert_eq!(told(&before, &owed), [(PushKind::PaymentRecorded, true)]);
    }

    #[test]
    fn a_visit_is_told_as_done_on_its_day_alone() {
        let now = Now {
            at: "2026-11-20T18:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        };
        let told = |days: i64, start: u16| {
            let service = Service {
                client_id: Id::of(1),
                date: now.today().plus_days(days),
                start_time: walkies_core::Time::hour(start),
                ..Service::new(Id::of(2), now.at)
            };
            let mut before = Business::default();
            before.put(1, Row::Service(service.clone()));
            let done = Service {
                status: ServiceStatus::Completed,
                completed_at: Some(now.at),
                ..service
            };
            told_kinds(&before, &[Change::from(done)], &now)
        };
        assert_eq!(told(0, 17), [(PushKind::VisitDone, RequestKind::Visit)]);
        assert_eq!(told(0, 19), []);
        assert_eq!(told(-1, 17), []);
    }

    #[test]
    fn whose_access_ends_is_told_also_where_the_client_is_deleted() {
        let (at, parent) = (Instant(1_795_165_200_000), Id::of(5));
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let linked = Client {
            client_user_id: Some(parent),
            ..Client::new(Id::of(1), at)
        };
        let mut before = Business::default();
        before.put(1, Row::Client(linked.clone()));
        let key = Row::Client(linked.clone()).key();
        let mut changed = linked.clone();
        changed.address = "Elm St".to_owned();
        let mut let_go = linked;
        let_go.client_user_id = None;
        for (change, is_told) in [
            (Change::from(let_go), true),
            (Change::Delete(key), true),
            (Change::from(changed), false),
        ] {
            let told = of_changes(Id::of(9), &before, &[change], &now);
            let told: Vec<_> = told.iter().map(|(to, it)| (*to, it.kind)).collect();
            let expected = (PushAudience::User(parent), PushKind::AccessEnded);
            assert_eq!(
                told,
                is_told.then_some(expected).into_iter().collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn requests_that_are_approved_at_once_are_told_once_by_the_earliest_visit() {
        let at = Instant(1_795_165_200_000);
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let told = |group_id: Option<Id>| {
            let mut before = Business::default();
            let mut changes = Vec::new();
            for n in 0..3_u128 {
                let service = Service {
                    client_id: Id::of(1),
                    date: now.today().plus_days(10 - n as i64),
                    ..Service::new(Id::of(100 + n), at)
                };
                let asked = WalkRequest {
                    requested_date: service.date,
                    group_id,
                    ..WalkRequest::new(Id::of(10 + n), service.client_id, at)
                };
                before.put(1, Row::WalkRequest(asked.clone()));
                changes.push(Change::from(WalkRequest {
                    status: RequestStatus::Approved,
                    scheduled_service_id: Some(service.id),
                    ..asked
                }));
                changes.push(Change::from(service));
            }
            let told = of_changes(Id::of(9), &before, &changes, &now);
            let told: Vec<_> = told.iter().map(|(_, it)| (it.kind, it.about)).collect();
            told
        };
        let approved = |n| (PushKind::RequestApproved, Id::of(n));
        assert_eq!(told(Some(Id::of(5))), [approved(12)]);
        // Those that were not made at once are answered one by one.
        assert_eq!(told(None), [approved(12), approved(11), approved(10)]);
    }

    #[test]
    fn what_is_granted_is_told_once_as_the_answer() {
        let at = Instant(1_795_165_200_000);
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let service = Service {
            client_id: Id::of(1),
            date: now.today().plus_days(3),
            ..Service::new(Id::of(2), at)
        };
        let asked = WalkRequest {
            requested_date: service.date,
            subject: Some(RequestSubject::CancelService {
                service_id: service.id,
            }),
            ..WalkRequest::new(Id::of(3), service.client_id, at)
        };
        let mut before = Business::default();
        before.put(1, Row::Service(service.clone()));
        before.put(1, Row::WalkRequest(asked.clone()));
        let changes = [
            Change::from(Service {
                status: ServiceStatus::Cancelled,
                ..service
            }),
            Change::from(WalkRequest {
                status: RequestStatus::Approved,
                ..asked
            }),
        ];
        let told = of_changes(Id::of(9), &before, &changes, &now);
        let told: Vec<_> = told.iter().map(|(_, it)| (it.kind, it.asks)).collect();
        assert_eq!(told, [(PushKind::RequestApproved, RequestKind::Cancel)]);
    }
}
