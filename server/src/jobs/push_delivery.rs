//! Owns the sending of what is queued: of each account one message at a time and of all accounts some, retries, quiet
//! hours, and what is noted where a message is given up.

use std::time::Duration;

use tokio::task::JoinSet;
use walkies_core::rows::client::Client;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::message::Side;
use walkies_core::rows::report::Report;
use walkies_core::rows::service::{ProgressStep, Service, ServiceStatus};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::versioned::Versioned;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::rules::delay::starts_at;
use walkies_core::rules::overdue::Lateness;
use walkies_core::rules::push::{
    Appointment, ChangedDetails, Current, DetailMarks, Notice, OF_NO_CLIENT, Recipient,
    RequestKind, notification, payload,
};
use walkies_core::rules::ways_to_client::is_to_begin;
use walkies_core::values::bounds::REQUESTS_AT_ONCE;
use walkies_core::values::push::{MailChoice, PushKind};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Cents, Date, Id, Instant, Now};

use crate::app::quiet_hours::quiet_until;
use crate::app::state::{App, AppState};
use crate::app::{throttle, zone};
use crate::base::log::redacted;
use crate::base::metrics;
use crate::db::{self, PushAudience, PushDelivery, PushFailure, PushTarget, RequestFilter, Tx};
use crate::external::push_service::sender::{Outgoing, PushSender, Sent};
use crate::jobs::push_overdue;
use crate::write::notify::notices::is_money;
use crate::write::notify::notify_by_mail;

/// So many are sent at once: a service that hangs holds a place for as long as it is waited for.
const AT_ONCE: usize = 16;
/// Whoever takes a message has so long to send it before another one tries.
const LEASE_MS: i64 = 2 * 60 * 1000;
/// After the first failure; each further one waits three times as long.
const FIRST_DELAY_MS: i64 = 30 * 1000;
/// With the delays above the last try is some nine hours after the first.
const MAX_ATTEMPTS: u32 = 8;
/// A service that wants to be left alone for longer is asked again all the same.
const LONGEST_DELAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Poll interval for messages that another process has queued, and for those that are due again.
const EVERY: Duration = Duration::from_secs(2);

/// Sends what waits, for ever.
pub async fn send_pushes(state: &AppState, sender: &PushSender) {
    let mut under_way = JoinSet::new();
    loop {
        if let Err(error) = begin(state, sender, &mut under_way).await {
            tracing::warn!(
                error = redacted(&error),
                "notifications that wait cannot be looked at"
            );
        }
        tokio::select! {
            // One that is done makes room for the next.
            Some(_) = under_way.join_next() => {}
            () = state.push_queued.notified() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Sends what is due; back when nothing is any more.
pub async fn send_due(state: &AppState, sender: &PushSender) -> sqlx::Result<()> {
    let mut under_way = JoinSet::new();
    loop {
        begin(state, sender, &mut under_way).await?;
        if under_way.join_next().await.is_none() {
            return Ok(());
        }
    }
}

/// Begins with as many as there is room for.
async fn begin(
    state: &AppState,
    sender: &PushSender,
    under_way: &mut JoinSet<()>,
) -> sqlx::Result<()> {
    let room = AT_ONCE.saturating_sub(under_way.len());
    let now = state.now();
    if room == 0 || !db::has_due_push(&mut state.db.read_autocommit().await?, now).await? {
        return Ok(());
    }
    let mut tx = state.db.write().await?;
    let until = Instant(now.0 + LEASE_MS);
    let taken = db::lease_push_deliveries(&mut tx, now, until, room).await?;
    tx.commit().await?;
    for delivery in taken {
        let (state, sender) = (state.clone(), sender.clone());
        under_way.spawn(async move {
            if let Err(error) = deliver(&state, &sender, delivery).await {
                // Its lease ends, and it is tried again.
                tracing::warn!(
                    error = redacted(&error),
                    "what became of a notification could not be written"
                );
            }
        });
    }
    Ok(())
}

/// The decision on a message that was taken from the queue.
enum Step {
    /// Send this text to this phone.
    Send(Box<PushTarget>, String),
    /// Send it no earlier than this.
    Wait(Instant),
    /// Nobody wants it, or it says nothing true any more.
    Drop,
    /// There was no way to deliver it while it was worth anything.
    Late(Box<PushTarget>),
}

async fn deliver(app: &App, sender: &PushSender, mut delivery: PushDelivery) -> sqlx::Result<()> {
    let step = next_step(app, &delivery).await?;
    let mut tx = match step {
        Step::Send(target, text) => return send(app, sender, delivery, &target, &text).await,
        Step::Late(target) => {
            let error = delivery.last_error.clone();
            let error = error.unwrap_or_else(|| "it waited for too long".to_owned());
            return give_up(app, &delivery, &target, error).await;
        }
        Step::Wait(until) => {
            let mut tx = app.db.write().await?;
            // It was no try.
            delivery.attempts = delivery.attempts.saturating_sub(1);
            db::postpone_push(&mut tx, &delivery, until).await?;
            tx
        }
        Step::Drop => {
            let mut tx = app.db.write().await?;
            db::finish_push(&mut tx, &delivery).await?;
            tx
        }
    };
    tx.flush().await?;
    tx.commit().await
}

async fn next_step(app: &App, delivery: &PushDelivery) -> sqlx::Result<Step> {
    let notice = &delivery.notice;
    let mut tx = app.db.read_autocommit().await?;
    let Some(target) = db::push_target(&mut tx, delivery.subscription_id).await? else {
        return Ok(Step::Drop);
    };
    if target.preferences.off.contains(&notice.kind) {
        return Ok(Step::Drop);
    }
    let now = app.now();
    if delivery.expires_at <= now {
        return Ok(Step::Late(Box::new(target)));
    }
    if let Some(end) = quiet_until(&target.preferences, now) {
        // What is worth nothing in the morning is not told at all.
        let is_worth = end < delivery.expires_at;
        return Ok(if is_worth {
            Step::Wait(end)
        } else {
            Step::Drop
        });
    }
    let (sitter_id, client_id) = (notice.sitter_id, notice.client_id);
    if notice.kind == PushKind::AccessEnded {
        return about_ended_access(app, &mut tx, delivery, target).await;
    }
    if let Err(seconds) = throttle::push(app, delivery.subscription_id, sitter_id) {
        let wait_ms = i64::try_from(seconds)
            .unwrap_or(i64::MAX)
            .saturating_mul(1000);
        return Ok(Step::Wait(Instant(now.0.saturating_add(wait_ms))));
    }
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    let Some(sitter) = sitter else {
        return Ok(Step::Drop);
    };
    let client = db::select_one::<Client>(&mut tx, sitter_id, client_id).await?;
    let client = client.map(|it| it.row);
    let recipient = match target.own_business == Some(sitter_id) {
        true => Recipient::Sitter,
        false => Recipient::Client,
    };
    let name = match (recipient, client) {
        (Recipient::Sitter, _) if notice.kind == PushKind::BillingDay => OF_NO_CLIENT.to_owned(),
        (Recipient::Sitter, Some(client)) => client.name,
        (Recipient::Client, Some(client)) if client.has_login(target.subscription.user_id) => {
            client.name
        }
        // Who was let go since is told nothing more.
        _ => return Ok(Step::Drop),
    };
    let sitter = &sitter.row;
    let zone = zone::time_zone(&sitter.time_zone).unwrap_or(TimeZone::UTC);
    let now = Now { at: now, zone };
    let hears_of_bookings = !target.preferences.off.contains(&PushKind::VisitBooked);
    let bookings = match hears_of_bookings && tells_of_change(notice) {
        true => db::bookings_to_push(&mut tx, delivery.subscription_id).await?,
        false => Vec::new(),
    };
    let found = as_of_now(&mut tx, notice, &bookings, recipient, &now).await?;
    let Some((notice, current)) = found else {
        return Ok(Step::Drop);
    };
    let Some(said) = notification(&notice, recipient, sitter, &name, &current) else {
        return Ok(Step::Drop);
    };
    let text = payload(&said, &delivery.topic, &app.settings.public_url);
    Ok(Step::Send(Box::new(target), text))
}

/// Returns the step for a notice of an access that ended: it is for somebody who is linked with the business no more, and
/// the business may be gone.
async fn about_ended_access(
    app: &App,
    tx: &mut Tx,
    delivery: &PushDelivery,
    target: PushTarget,
) -> sqlx::Result<Step> {
    let notice = &delivery.notice;
    let (user_id, sitter_id) = (target.subscription.user_id, notice.sitter_id);
    let links = db::client_links(tx, user_id, Some(sitter_id)).await?;
    let sitter = match &notice.gone_business {
        Some(name) => {
            let (name, zone) = (name.clone(), String::new());
            Some(Sitter::new(sitter_id, name, String::new(), zone, app.now()))
        }
        None => db::select_one::<Sitter>(tx, sitter_id, sitter_id)
            .await?
            .map(|it| it.row),
    };
    // Who was linked again since has access.
    let Some(sitter) = sitter.filter(|_| links.is_empty()) else {
        return Ok(Step::Drop);
    };
    let said = notification(notice, Recipient::Client, &sitter, "", &Current::default());
    let Some(said) = said else {
        return Ok(Step::Drop);
    };
    let text = payload(&said, &delivery.topic, &app.settings.public_url);
    Ok(Step::Send(Box::new(target), text))
}

/// Returns true if a notice tells that something about visits is not as it was before.
const fn tells_of_change(notice: &Notice) -> bool {
    use PushKind::{DetailsChanged, ServiceCancelled, ServiceChanged};
    matches!(
        notice.kind,
        DetailsChanged | ServiceCancelled | ServiceChanged
    ) && !notice.is_delay
        && !notice.is_under_way
}

/// Brings a notice up to date, with its text and the address that it opens; `None` where nothing of it is true any more, or
/// where the bookings, of which its reader is still to be told, say it all.
pub(super) async fn as_of_now(
    tx: &mut Tx,
    notice: &Notice,
    bookings: &[Notice],
    recipient: Recipient,
    now: &Now,
) -> sqlx::Result<Option<(Notice, Current)>> {
    let of_known = match tells_of_change(notice) {
        true => about_known(notice, bookings),
        false => Some(notice.clone()),
    };
    let Some(notice) = &of_known else {
        return Ok(None);
    };
    let (sitter_id, about) = (notice.sitter_id, notice.about);
    let mut current = Current::default();
    let is_true = match notice.kind {
        PushKind::Message => is_true_of_messages(tx, notice, recipient).await?,
        PushKind::NewRequest => return waiting_requests(tx, notice, now.today()).await,
        PushKind::ReportReady => {
            let report = db::select_one::<Report>(tx, sitter_id, about).await?;
            let is_there = report.is_some();
            if let Some(report) = report {
                current.report = report.row.kind;
                current.share_id = report.row.share_id;
            }
            is_there != notice.is_withdrawn
        }
        PushKind::Invoice => {
            let invoice = db::select_one::<Invoice>(tx, sitter_id, about).await?;
            current.invoice_number = invoice
                .as_ref()
                .map(|it| it.row.shown_number())
                .unwrap_or_default();
            invoice.is_some_and(|it| {
                let is_gone = it.row.deleted_at.is_some();
                is_gone == notice.is_withdrawn && (is_gone || Cents::ZERO < it.row.balance())
            })
        }
        PushKind::ServiceChanged if notice.is_delay => is_true_of_delay(tx, notice, now).await?,
        PushKind::ClientBooked => {
            let service = scheduled_service(tx, notice, about).await?;
            if notice.is_withdrawn {
                return Ok(service.is_none().then(|| (notice.clone(), current)));
            }
            if let Some(group) = notice.group_id {
                let booked = booked_in_group(tx, notice, group).await?.into_iter();
                let booked = booked.map(|it| it.1).filter(|it| is_to_begin(it, now));
                let booked: Vec<Service> = booked.collect();
                current.more_booked = booked.len().saturating_sub(1);
                let named = booked.iter().find(|it| it.id == about);
                let named = named.or_else(|| booked.first());
                return Ok(named.map(|it| (about_one_of(notice, it.id, it), current)));
            }
            let service = service.filter(|it| is_to_begin(it, now) && is_at_told_time(notice, it));
            return Ok(service.map(|it| (about_one_of(notice, about, &it), current)));
        }
        PushKind::VisitBooked if notice.asks == RequestKind::Series => {
            let booked = first_booked(tx, notice, now).await?;
            return Ok(booked.map(|it| (it, current)));
        }
        PushKind::DetailsChanged if notice.former.is_some() => {
            return changed_by_now(tx, notice).await;
        }
        // What was changed before its client was told of the booking, or of another time, is told with it.
        PushKind::VisitBooked | PushKind::DetailsChanged => {
            let service = scheduled_service(tx, notice, about).await?;
            let is_new = notice.kind == PushKind::VisitBooked;
            let service = service.filter(|it| !is_new || is_to_begin(it, now));
            return Ok(service.map(|it| (about_one_of(notice, about, &it), current)));
        }
        PushKind::ServiceChanged => return moved_by_now(tx, notice).await,
        PushKind::UpcomingService => {
            let service = scheduled_service(tx, notice, about).await?;
            // Of another start there is a reminder of its own, and who was told of a later one today needs none.
            let service = service.filter(|it| {
                let is_told = recipient == Recipient::Client && it.current_delay().is_some();
                let start = notice.appointment.map(|it| (it.date, it.start_time));
                !is_told && start == Some((it.date, it.start_time))
            });
            return Ok(service.map(|it| (about_one_of(notice, about, &it), current)));
        }
        PushKind::VisitOverdue => {
            let late = push_overdue::overdue(tx, (sitter_id, about), now).await?;
            let late = late.filter(|(it, _)| notice.appointment == Some(Appointment::from(it)));
            current.is_not_started = late
                .as_ref()
                .is_some_and(|(_, it)| *it == Lateness::NotStarted);
            late.is_some() != notice.is_withdrawn
        }
        PushKind::ServiceCancelled => return cancelled_by_now(tx, notice).await,
        PushKind::WalkStarted => {
            let service = scheduled_service(tx, notice, about).await?;
            service.is_some_and(|it| {
                let progress = it.progress.map(|it| it.step);
                let has_begun = progress == Some(ProgressStep::Started);
                has_begun != notice.is_withdrawn
            })
        }
        PushKind::OnTheWay => {
            let service = scheduled_service(tx, notice, about).await?;
            service.is_some_and(|it| match it.progress {
                Some(progress) => progress.step == ProgressStep::OnTheWay && !notice.is_withdrawn,
                None => notice.is_withdrawn,
            })
        }
        PushKind::VisitDone => is_true_of_completion(tx, notice).await?,
        PushKind::PaymentRecorded => {
            let invoice = db::select_one::<Invoice>(tx, sitter_id, about).await?;
            invoice.is_some_and(|it| {
                let has_money = it.row.payments.iter().any(is_money);
                it.row.deleted_at.is_none() && (has_money || notice.is_withdrawn)
            })
        }
        PushKind::CreditNote => {
            let note = db::select_one::<Invoice>(tx, sitter_id, about).await?;
            note.is_some_and(|it| it.row.deleted_at.is_none())
        }
        PushKind::RequestApproved => {
            let request = db::select_one::<WalkRequest>(tx, sitter_id, about).await?;
            let is_waiting = |it: &Versioned<WalkRequest>| it.row.status == RequestStatus::Pending;
            if notice.is_withdrawn && request.as_ref().is_some_and(is_waiting) {
                return Ok(Some((notice.clone(), current)));
            }
            // What was taken back may be granted again by now, at another time.
            let is_told_anew = notice.is_withdrawn;
            let notice = &Notice {
                is_withdrawn: false,
                ..notice.clone()
            };
            if notice.asks != RequestKind::Visit {
                // It tells of the answer, whatever was changed since.
                let is_granted =
                    |it: Versioned<WalkRequest>| it.row.status == RequestStatus::Approved;
                return Ok(request
                    .is_some_and(is_granted)
                    .then(|| (notice.clone(), current)));
            }
            if let Some(group) = request.as_ref().and_then(|it| it.row.group_id) {
                let booked = booked_in_group(tx, notice, group).await?;
                current.more_booked = booked.len().saturating_sub(1);
                let named = booked.iter().find(|it| it.0 == about);
                let named = named.or_else(|| booked.first());
                return Ok(named.map(|(request_id, it)| {
                    current.service_id = Some(it.id);
                    (about_one_of(notice, *request_id, it), current)
                }));
            }
            current.service_id = request.and_then(|it| it.row.scheduled_service_id);
            let service = match current.service_id {
                Some(id) => scheduled_service(tx, notice, id).await?,
                None => None,
            };
            let service = service.filter(|it| is_told_anew || is_at_told_time(notice, it));
            return Ok(service.map(|it| (about_one_of(notice, about, &it), current)));
        }
        // A month that is off again was billed all the same.
        PushKind::BillingDay => notice.bills.is_some(),
        PushKind::ParentLeft => {
            let client = db::select_one::<Client>(tx, sitter_id, notice.client_id).await?;
            client.is_some_and(|it| notice.others_stay || it.row.parent_left_at.is_some())
        }
        PushKind::ParentJoined => {
            let client = db::select_one::<Client>(tx, sitter_id, notice.client_id).await?;
            client.is_some_and(|it| it.row.client_user_id.is_some())
        }
        PushKind::RequestDeclined
        | PushKind::DetailsCorrected
        | PushKind::CardPayment
        | PushKind::CardPaymentLost
        | PushKind::AccessEnded => true,
    };
    Ok(is_true.then(|| (notice.clone(), current)))
}

/// The notice about those of its visits of whose booking its reader has heard; `None` if there are none.
fn about_known(notice: &Notice, bookings: &[Notice]) -> Option<Notice> {
    let is_new = |id: Id| {
        let is_of = |it: &Notice| it.about == id || it.others.contains(&id);
        // Phones make the ids of clients and visits, so that two businesses may have the same ones.
        let business = |it: &Notice| (it.sitter_id, it.client_id);
        bookings
            .iter()
            .any(|it| business(it) == business(notice) && is_of(it))
    };
    let mut left = visits_of(notice).filter(|it| !is_new(it.0));
    let (about, former) = left.next()?;
    let (others, formers): (Vec<Id>, Vec<_>) = left.unzip();
    Some(Notice {
        about,
        appointment: notice.appointment.filter(|_| about == notice.about),
        former,
        others,
        formers: formers.into_iter().flatten().collect(),
        ..notice.clone()
    })
}

/// Finds the requests that were made at once and whose visits are booked, by date and start: each with its visit.
async fn booked_in_group(
    tx: &mut Tx,
    notice: &Notice,
    group: Id,
) -> sqlx::Result<Vec<(Id, Service)>> {
    let approved = RequestFilter {
        client_id: Some(notice.client_id),
        status: Some(RequestStatus::Approved),
    };
    // The newest: an approval is told soon.
    let most = REQUESTS_AT_ONCE as u64 * 2;
    let (requests, _) = db::requests(tx, notice.sitter_id, approved, most, 0).await?;
    let mut booked = Vec::new();
    for request in requests {
        let request = request.row;
        if request.group_id == Some(group)
            && let Some(service) = request.scheduled_service_id
            && let Some(service) = scheduled_service(tx, notice, service).await?
        {
            booked.push((request.id, service));
        }
    }
    booked.sort_by_key(|(_, it)| (it.date, it.start_time, it.id));
    Ok(booked)
}

/// Brings a notice of several visits that the sitter has booked up to date with the first of them that is still to begin;
/// `None` if none is. One that is left of them is told as one visit.
async fn first_booked(tx: &mut Tx, notice: &Notice, now: &Now) -> sqlx::Result<Option<Notice>> {
    let mut first: Option<Service> = None;
    let ids = std::iter::once(notice.about).chain(notice.others.iter().copied());
    for id in ids {
        let service = scheduled_service(tx, notice, id).await?;
        let Some(service) = service.filter(|it| is_to_begin(it, now)) else {
            continue;
        };
        let Some(found) = &first else {
            first = Some(service);
            continue;
        };
        // Notices that were queued before name no others: there are more of them.
        let start = |it: &Service| (it.date, it.start_time);
        let earlier = match start(&service) < start(found) {
            true => &service,
            false => found,
        };
        return Ok(Some(about_one_of(notice, earlier.id, earlier)));
    }
    let asks = match notice.others.is_empty() {
        true => notice.asks,
        false => RequestKind::Visit,
    };
    Ok(first.map(|it| Notice {
        asks,
        ..about_one_of(notice, it.id, &it)
    }))
}

/// Returns true if the service is at the time of the notice: another one is told by a notice of its own.
fn is_at_told_time(notice: &Notice, service: &Service) -> bool {
    let told = notice.appointment;
    told.is_some_and(|it| it.is_at_time_of(service))
}

/// Brings a notice of visits that were called off, or that take place after all, up to date with those of which that holds.
async fn cancelled_by_now(tx: &mut Tx, notice: &Notice) -> sqlx::Result<Option<(Notice, Current)>> {
    let mut current = Current::default();
    let mut told: Option<Notice> = None;
    for id in std::iter::once(notice.about).chain(notice.others.iter().copied()) {
        let service = db::select_one::<Service>(tx, notice.sitter_id, id).await?;
        let service = service.map(|it| it.row);
        let service = service.filter(|it| it.client_id == notice.client_id);
        let is_on = service
            .as_ref()
            .is_some_and(|it| it.status == ServiceStatus::Scheduled);
        if is_on != notice.is_withdrawn {
            continue;
        }
        if told.is_some() {
            current.n_others += 1;
            continue;
        }
        told = Some(match service {
            // It was at the time that its client knows.
            _ if id == notice.about && !notice.is_withdrawn && notice.appointment.is_some() => {
                notice.clone()
            }
            Some(service) => about_one_of(notice, id, &service),
            // When it was is not known any more.
            None => Notice {
                about: id,
                appointment: None,
                ..notice.clone()
            },
        });
    }
    Ok(told.map(|it| (it, current)))
}

/// Brings a notice of visits at another time up to date with those that are still to be done.
async fn moved_by_now(tx: &mut Tx, notice: &Notice) -> sqlx::Result<Option<(Notice, Current)>> {
    let mut current = Current::default();
    let mut told: Option<Notice> = None;
    for (id, former) in visits_of(notice) {
        let Some(service) = scheduled_service(tx, notice, id).await? else {
            continue;
        };
        if told.is_some() {
            current.n_others += 1;
            continue;
        }
        let changed = former.and_then(|former| ChangedDetails::since(former, &service));
        told = Some(Notice {
            changed: changed.unwrap_or_default(),
            ..about_one_of(notice, id, &service)
        });
    }
    Ok(told.map(|it| (it, current)))
}

/// Brings a notice of visits with other details up to date with those whose details are not what the client knew.
async fn changed_by_now(tx: &mut Tx, notice: &Notice) -> sqlx::Result<Option<(Notice, Current)>> {
    let mut current = Current::default();
    let mut told: Option<Notice> = None;
    for (id, former) in visits_of(notice) {
        let service = scheduled_service(tx, notice, id).await?;
        let Some((service, former)) = service.zip(former) else {
            continue;
        };
        let Some(changed) = ChangedDetails::since(former, &service) else {
            continue;
        };
        if told.is_some() {
            current.n_others += 1;
            continue;
        }
        told = Some(Notice {
            changed,
            ..about_one_of(notice, id, &service)
        });
    }
    Ok(told.map(|it| (it, current)))
}

/// The visits of a notice, the one that it is about first, with the details that the client knew of each.
fn visits_of(notice: &Notice) -> impl Iterator<Item = (Id, Option<DetailMarks>)> + '_ {
    let formers = notice.formers.iter().copied().map(Some);
    let others = notice.others.iter().copied();
    let others = others.zip(formers.chain(std::iter::repeat(None)));
    std::iter::once((notice.about, notice.former)).chain(others)
}

/// The same notice about one of a group, as it is by now: the visit that was named may have been moved or called off.
fn about_one_of(notice: &Notice, about: Id, service: &Service) -> Notice {
    Notice {
        about,
        appointment: Some(Appointment::from(service)),
        ..notice.clone()
    }
}

/// True while the service is expected at the time of the notice, and that has not come; of one that was taken back, while
/// the service is at its time on the plan.
async fn is_true_of_delay(tx: &mut Tx, notice: &Notice, now: &Now) -> sqlx::Result<bool> {
    let service = scheduled_service(tx, notice, notice.about).await?;
    let (Some(service), Some(told)) = (service, notice.appointment) else {
        return Ok(false);
    };
    let delay = service.current_delay().map(|it| (it.date, it.start_time));
    let is_to_come = now.at < starts_at(told.date, told.start_time, now);
    Ok(match notice.is_withdrawn {
        true => delay.is_none() && told == Appointment::from(&service),
        false => is_to_come && delay == Some((told.date, told.start_time)),
    })
}

/// True while the service is done and no report tells of it; of a notice that takes that back, while it is to be done.
async fn is_true_of_completion(tx: &mut Tx, notice: &Notice) -> sqlx::Result<bool> {
    let (sitter_id, about) = (notice.sitter_id, notice.about);
    let service = db::select_one::<Service>(tx, sitter_id, about).await?;
    let service = service.map(|it| it.row);
    let Some(service) = service.filter(|it| it.client_id == notice.client_id) else {
        return Ok(false);
    };
    if notice.is_withdrawn {
        return Ok(service.status == ServiceStatus::Scheduled);
    }
    let is_done = service.status == ServiceStatus::Completed;
    Ok(is_done && !db::has_report(tx, sitter_id, notice.client_id, about).await?)
}

/// The service of this id, if it is still to be done and is for the notice's client.
async fn scheduled_service(tx: &mut Tx, notice: &Notice, id: Id) -> sqlx::Result<Option<Service>> {
    let service = db::select_one::<Service>(tx, notice.sitter_id, id).await?;
    let service = service.map(|it| it.row);
    Ok(service
        .filter(|it| it.status == ServiceStatus::Scheduled && it.client_id == notice.client_id))
}

/// Brings a notice of requests up to date with those that nobody has answered; `None` if none is left. Days that are
/// over do not count.
async fn waiting_requests(
    tx: &mut Tx,
    notice: &Notice,
    today: Date,
) -> sqlx::Result<Option<(Notice, Current)>> {
    let (sitter_id, client_id) = (notice.sitter_id, notice.client_id);
    let waiting = db::waiting_requests(tx, sitter_id, client_id, today).await?;
    let current = Current {
        waiting_requests: waiting.len(),
        asks_for_more: waiting.iter().any(|it| it.row.subject.is_some()),
        ..Current::default()
    };
    Ok(match waiting.first() {
        // What is left of several takes the place of what was taken back.
        Some(first) => {
            let notice = Notice {
                appointment: Some(Appointment::from(&first.row)),
                asks: RequestKind::from(&first.row),
                is_withdrawn: false,
                ..notice.clone()
            };
            Some((notice, current))
        }
        None => notice.is_withdrawn.then(|| (notice.clone(), current)),
    })
}

/// True while an unread message has words or an image left; for a notice that takes one back, while only deleted ones are
/// unread. What was read meanwhile needs no notice of either kind.
async fn is_true_of_messages(
    tx: &mut Tx,
    notice: &Notice,
    recipient: Recipient,
) -> sqlx::Result<bool> {
    let (sitter_id, about) = (notice.sitter_id, notice.about);
    let side = match recipient {
        Recipient::Sitter => Side::Sitter,
        Recipient::Client => Side::Client,
    };
    let conversation = db::select_one::<Conversation>(tx, sitter_id, about).await?;
    let Some(Versioned { row, .. }) = conversation else {
        // Nobody knows better.
        return Ok(!notice.is_withdrawn);
    };
    if row.unread_by(side) == 0 {
        return Ok(false);
    }
    let n_read = row.read_by(side).0;
    let is_there = db::has_unread_message(tx, sitter_id, about, side.other(), n_read).await?;
    Ok(is_there != notice.is_withdrawn)
}

async fn send(
    app: &App,
    sender: &PushSender,
    mut delivery: PushDelivery,
    target: &PushTarget,
    text: &str,
) -> sqlx::Result<()> {
    let now = app.now();
    let left_ms = (delivery.expires_at.0 - now.0).max(0);
    let outgoing = Outgoing {
        target,
        payload: text,
        topic: &delivery.topic,
        ttl_seconds: u32::try_from(left_ms / 1000).unwrap_or(u32::MAX),
        urgency: delivery.notice.kind.facts().urgency,
        now,
    };
    let sent = sender.send(outgoing).await;
    let subscription_id = delivery.subscription_id;
    let mut tx = match sent {
        Sent::Delivered => {
            metrics::push("sent");
            let mut tx = app.db.write().await?;
            db::finish_push(&mut tx, &delivery).await?;
            db::note_push_success(&mut tx, subscription_id, app.now()).await?;
            tx
        }
        Sent::Gone => {
            metrics::push("gone");
            tracing::info!(
                host = host(target),
                "a phone is told nothing more: its subscription is gone"
            );
            let mut tx = app.db.write().await?;
            let user_id = target.subscription.user_id;
            db::delete_push_subscription(&mut tx, user_id, subscription_id).await?;
            // It was the last device of this person, or the others have the notice, too. Who wants both has the mail.
            if target.preferences.mail != MailChoice::Always {
                let (audience, notice) = (PushAudience::User(user_id), &delivery.notice);
                let end = delivery.expires_at;
                notify_by_mail(app, &mut tx, audience, notice, now, end).await?;
            }
            tx
        }
        Sent::Lost(error) => return give_up(app, &delivery, target, error).await,
        Sent::Later {
            error,
            retry_after_seconds,
        } => {
            let due_at = Instant(app.now().0 + delay_ms(app, &delivery, retry_after_seconds));
            if MAX_ATTEMPTS <= delivery.attempts || delivery.expires_at <= due_at {
                return give_up(app, &delivery, target, error).await;
            }
            tracing::debug!(
                host = host(target),
                error,
                "a notification could not be sent yet"
            );
            metrics::push("later");
            delivery.last_error = Some(error);
            let mut tx = app.db.write().await?;
            db::postpone_push(&mut tx, &delivery, due_at).await?;
            tx
        }
    };
    tx.flush().await?;
    tx.commit().await
}

/// How long it waits: as long as the service says, or longer each time, and never all at the same moment.
fn delay_ms(app: &App, delivery: &PushDelivery, retry_after_seconds: Option<u32>) -> i64 {
    let own = FIRST_DELAY_MS * 3_i64.saturating_pow(delivery.attempts.saturating_sub(1));
    let asked = retry_after_seconds.map_or(0, |it| i64::from(it) * 1000);
    let mut random = [0];
    app.env.entropy.fill(&mut random);
    let delay = own.max(asked);
    // Up to a quarter more.
    (delay + delay * i64::from(random[0]) / 1024).min(LONGEST_DELAY_MS)
}

/// Forgets a message and notes for the operator that it was not delivered.
async fn give_up(
    app: &App,
    delivery: &PushDelivery,
    target: &PushTarget,
    error: String,
) -> sqlx::Result<()> {
    metrics::push("given_up");
    let host = host(target);
    tracing::error!(
        host,
        error,
        attempts = delivery.attempts,
        "a notification was given up; `walkies push list` shows it for a month"
    );
    let failure = PushFailure {
        id: app.env.id(),
        user_id: target.subscription.user_id,
        host,
        kind: delivery.notice.kind,
        error,
        attempts: delivery.attempts,
        failed_at: app.now(),
    };
    let mut tx = app.db.write().await?;
    db::finish_push(&mut tx, delivery).await?;
    db::insert_push_failure(&mut tx, &failure).await?;
    tx.flush().await?;
    tx.commit().await
}

/// The push service of a phone: of its endpoint no more is shown to anybody.
fn host(target: &PushTarget) -> String {
    let url = reqwest::Url::parse(&target.subscription.endpoint).ok();
    url.and_then(|it| it.host_str().map(str::to_owned))
        .unwrap_or_default()
}
