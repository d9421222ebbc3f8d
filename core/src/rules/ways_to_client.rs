//! Owns how a client hears of something, and every sentence that says so: 'sent' and 'sees' are said only of what reaches
//! this client.

use serde::Serialize;

use crate::rows::client::Client;
use crate::rows::invoice::Invoice;
use crate::rows::report::Report;
use crate::rows::service::{Service, ServiceStatus};
use crate::rows::shared_mail::{SharedMail, SharedMailState};
use crate::rows::sitter::Sitter;
use crate::rules::push::ttl_seconds;
use crate::values::format;
use crate::values::push::PushKind;
use crate::values::units::HourCycle;
use crate::values::zone::TimeZone;
use crate::{Business, Cents, Change, Date, Id, Instant, Now, Row};

/// How something that was shared gets to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum WayToClient {
    /// The client has a login with notifications on.
    Notification,
    /// The client has a login: it stands in the portal, and is seen there.
    Portal,
    /// The sitter passes a link on, by text or mail.
    Link,
    /// Neither phone nor e-mail is known: the link is copied.
    Copy,
}

/// The way to a client.
pub fn way_to(business: &Business, client: &Client) -> WayToClient {
    if is_in_portal(client) {
        if business.reach.notified.contains(&client.id) {
            WayToClient::Notification
        } else {
            WayToClient::Portal
        }
    } else if client.phone.is_empty() && client.email.is_empty() {
        WayToClient::Copy
    } else {
        WayToClient::Link
    }
}

/// True for a client with a login, who sees what is shared.
pub const fn is_in_portal(client: &Client) -> bool {
    client.client_user_id.is_some()
}

/// Returns true if the client of a service is in the portal and sees what the sitter shares about it.
pub fn is_seen(business: &Business, service: &Service) -> bool {
    business.client(service.client_id).is_some_and(is_in_portal)
}

/// True where the server sends mail and knows an address of the client.
pub fn is_mailed(business: &Business, client: &Client) -> bool {
    business.reach.sends_mail && !client.email.is_empty()
}

/// True where a reminder of an invoice reaches the client without the sitter.
pub fn is_reminded(business: &Business, client: &Client) -> bool {
    way_to(business, client) == WayToClient::Notification || is_mailed(business, client)
}

/// Phones do not know who has stopped mail: the server finds out when a mail is to go out.
const UNLESS_STOPPED: &str = "unless they stopped mail from Walkies";

/// Says how a reminder of an invoice reaches the client; empty where the sitter has to pass it on.
pub fn told_of_reminder(business: &Business, client_id: Id) -> String {
    let Some(client) = business.client(client_id) else {
        return String::new();
    };
    let is_notified = way_to(business, client) == WayToClient::Notification;
    let name = &client.name;
    match (is_notified, is_mailed(business, client)) {
        (true, true) => format!("{name} is notified, and gets a mail {UNLESS_STOPPED}."),
        (true, false) => format!("{name} is notified."),
        (false, true) => format!("{name} gets a mail, {UNLESS_STOPPED}."),
        (false, false) => String::new(),
    }
}

/// True where the server mails an invoice when it is shared: the sitter allows it, and no notification tells of it.
pub fn is_invoice_mailed(business: &Business, client: &Client) -> bool {
    let is_off = business
        .sitter()
        .is_some_and(|it| it.invoicing.keeps_mail_off);
    !is_off && is_unnotified_and_mailed(business, client)
}

/// True where the server mails a new report when it is shared: the sitter allows it, and no notification tells of it.
pub fn is_report_mailed(business: &Business, client: &Client) -> bool {
    let is_off = business.sitter().is_some_and(|it| it.keeps_report_mail_off);
    !is_off && is_unnotified_and_mailed(business, client)
}

/// True where the server mails a client without a login of visits that are booked, moved, changed or cancelled: the sitter
/// allows it.
pub fn is_mailed_of_changes(business: &Business, client: &Client) -> bool {
    let is_on = business.sitter().is_some_and(|it| it.mails_changes);
    is_on && !is_in_portal(client) && is_mailed(business, client)
}

fn is_unnotified_and_mailed(business: &Business, client: &Client) -> bool {
    is_mailed(business, client) && way_to(business, client) != WayToClient::Notification
}

/// True where a pet parent may be mailed of an invoice at the account's address: no mail brings it to the client's, and the
/// sitter allows mail. A reminder goes to the client's address wherever there is one.
pub fn is_invoice_event_mailed(
    sitter: &Sitter,
    client: &Client,
    invoice: &Invoice,
    is_reminder: bool,
) -> bool {
    if is_reminder {
        return client.email.is_empty();
    }
    !sitter.invoicing.keeps_mail_off && is_left_to_sitter(invoice.mailed.as_ref())
}

/// The same of a report.
pub fn is_report_event_mailed(sitter: &Sitter, report: &Report) -> bool {
    !sitter.keeps_report_mail_off && is_left_to_sitter(report.mailed.as_ref())
}

/// Says how an invoice of which so much is to be paid will get to a client once it is shared; `None` for a deleted client.
pub fn told_of_invoice(business: &Business, client: Option<&Client>, owed: Cents) -> String {
    let mailed = client.filter(|it| is_invoice_mailed(business, it));
    let is_owed = Cents::ZERO < owed;
    if let Some(client) = mailed.filter(|_| is_owed) {
        return format!("Goes by mail to {}, {UNLESS_STOPPED}", client.email);
    }
    let way = client.map_or(WayToClient::Copy, |it| way_to(business, it));
    let way = match way {
        WayToClient::Notification => "Will be in the portal, with a notification",
        WayToClient::Portal => "Will be in the portal",
        WayToClient::Link => "You get a link to send",
        WayToClient::Copy => "You get a link to copy",
    };
    match mailed {
        Some(_) => ["Nothing is left to pay, so no mail goes out. ", way].concat(),
        None => way.to_owned(),
    }
}

/// Says how an invoice that was shared got to its client, in a list of several.
pub fn got_invoice(
    business: &Business,
    client: &Client,
    invoice: &Invoice,
    zone: &TimeZone,
) -> String {
    let mail = invoice.mailed.as_ref();
    let told = told_of_mail(mail, zone);
    if !told.is_empty() && !is_left_to_sitter(mail) {
        return told;
    }
    let way = match way_to(business, client) {
        WayToClient::Notification => "Notified, and in the portal",
        WayToClient::Portal => "In the portal, seen when it is opened",
        _ if invoice.passed_on_at.is_some() => "You have sent the link",
        WayToClient::Link | WayToClient::Copy => "Send the link",
    };
    match told.as_str() {
        "" => way.to_owned(),
        told => [told, ". ", way].concat(),
    }
}

/// Says what became of the mail with an invoice or a report; empty where the server sends none.
pub fn told_of_mail(mailed: Option<&SharedMail>, zone: &TimeZone) -> String {
    let Some(mail) = mailed else {
        return String::new();
    };
    let to = &mail.to;
    match mail.state {
        SharedMailState::Waiting => format!("The mail to {to} waits to be sent"),
        SharedMailState::Sent => {
            let day = format::date(mail.at.civil(zone).0);
            format!("Mailed to {to} on {day}")
        }
        SharedMailState::Failed => format!("The mail to {to} could not be delivered"),
        SharedMailState::Stopped => format!("{to} asked not to get mail from Walkies"),
    }
}

/// Says what became of the last mail that told the client of a visit: `Mailed to kim@example.com on Nov 20, 2026 at 10:04 AM`;
/// empty where there was none. A login is called by its client: the address is nobody else's to know.
pub fn told_of_visit_mail(
    business: &Business,
    service: &Service,
    now: &Now,
    cycle: HourCycle,
) -> String {
    let mail = service.mailed.as_ref();
    let mail = mail.filter(|it| it.client_id == service.client_id);
    let (Some(mail), Some(client)) = (mail, business.client(service.client_id)) else {
        return String::new();
    };
    let to = match mail.to.as_str() {
        "" => &client.name,
        to => to,
    };
    match mail.state {
        SharedMailState::Waiting if now.at.0 - mail.at.0 < WORTH_MS => {
            format!("The mail to {to} waits to be sent")
        }
        SharedMailState::Sent => {
            let (day, time) = mail.at.civil(&now.zone);
            let (day, time) = (format::date(day), format::time(time, cycle));
            format!("Mailed to {to} on {day} at {time}")
        }
        // What it would have said is worth nothing any more.
        SharedMailState::Failed | SharedMailState::Waiting => {
            format!("The mail to {to} could not be delivered")
        }
        SharedMailState::Stopped => format!("{to} asked not to get mail from Walkies"),
    }
}

/// Milliseconds for which a mail about a visit is worth sending.
const WORTH_MS: i64 = ttl_seconds(PushKind::ServiceChanged) as i64 * 1000;

/// True unless the server has sent an invoice or a report by mail, or is about to.
pub fn is_left_to_sitter(mailed: Option<&SharedMail>) -> bool {
    !mailed.is_some_and(|it| matches!(it.state, SharedMailState::Waiting | SharedMailState::Sent))
}

/// Formats the first opening of a page: `Opened on Nov 20, 2026 at 9:30 AM`; empty for one that nobody has opened.
pub fn opened(at: Option<Instant>, zone: &TimeZone, cycle: HourCycle) -> String {
    let Some(at) = at else {
        return String::new();
    };
    let (day, time) = at.civil(zone);
    let (day, time) = (format::date(day), format::time(time, cycle));
    ["Opened on ", &day, " at ", &time].concat()
}

/// Tells before a report is shared how it will reach these clients, who have none of this walk yet.
pub fn report_ahead(business: &Business, client_ids: &[Id]) -> String {
    let (mailed, others): (Vec<Id>, Vec<Id>) = client_ids.iter().copied().partition(|it| {
        let client = business.client(*it);
        client.is_some_and(|it| is_report_mailed(business, it))
    });
    let mailed = mailed.iter().filter_map(|it| business.client(*it));
    let said = mailed.map(|it| {
        let (name, email) = (&it.name, &it.email);
        if is_in_portal(it) {
            format!("{name} sees it in the portal, and a mail goes to {email}, {UNLESS_STOPPED}.")
        } else {
            format!("{name} is not in the portal: a mail goes to {email}, {UNLESS_STOPPED}.")
        }
    });
    let rest = sharing(business, &others).ahead;
    let said: Vec<String> = said.chain(Some(rest)).filter(|it| !it.is_empty()).collect();
    said.join(" ")
}

/// Ways by which the reports of a walk reach their clients, once the server has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReportsShared {
    /// Sentences about all of them.
    pub done: String,
    /// The clients to whom the sitter has to pass a link on.
    pub to_pass_on: Vec<Id>,
}

/// Tells how the reports of a walk reach their clients.
pub fn reports_shared(business: &Business, reports: &[&Report], zone: &TimeZone) -> ReportsShared {
    let (left, mailed): (Vec<&&Report>, Vec<&&Report>) = reports
        .iter()
        .partition(|it| is_left_to_sitter(it.mailed.as_ref()));
    let ids: Vec<Id> = left.iter().map(|it| it.client_id).collect();
    let rest = sharing(business, &ids);
    let mails = mailed.iter().chain(&left);
    let mails = mails.map(|it| told_of_mail(it.mailed.as_ref(), zone));
    let mails = mails.filter(|it| !it.is_empty()).map(|it| it + ".");
    let said = mails.chain(Some(rest.done).filter(|it| !it.is_empty()));
    ReportsShared {
        done: said.collect::<Vec<String>>().join(" "),
        to_pass_on: rest.to_pass_on,
    }
}

/// Says how a report that was shared got to its client, and when its page was first opened; empty for a deleted client's
/// that nobody has opened. Whether a notification went out then is not known any more.
pub fn got_report(
    business: &Business,
    report: &Report,
    zone: &TimeZone,
    cycle: HourCycle,
) -> String {
    let mail = report.mailed.as_ref();
    let (told, opened) = (
        told_of_mail(mail, zone),
        opened(report.opened_at, zone, cycle),
    );
    let stop = |said: String| if said.is_empty() { said } else { said + "." };
    let way = match business.client(report.client_id) {
        Some(client) if is_left_to_sitter(mail) => {
            if is_in_portal(client) {
                // Whoever has opened it has seen it.
                let unseen = opened.is_empty().then_some(report.client_id);
                let told = unseen.map(|it| told_of_change(business, Some(it), false, true));
                told.unwrap_or_default()
            } else if report.passed_on_at.is_some() {
                "You have sent the link.".to_owned()
            } else {
                sharing(business, &[report.client_id]).done
            }
        }
        _ => String::new(),
    };
    let said = [stop(told), way, stop(opened)];
    let said: Vec<String> = said.into_iter().filter(|it| !it.is_empty()).collect();
    said.join(" ")
}

/// Says that automatic reminders go out as notifications alone; empty where the server sends mail.
pub const fn unmailed_reminders(business: &Business) -> &'static str {
    if business.reach.sends_mail {
        ""
    } else {
        "This server sends no mail: only clients with notifications on are reminded."
    }
}

/// True for a visit that is still to come: the server notifies of another time and of a cancellation.
pub fn is_awaited(service: &Service, today: Date) -> bool {
    service.status == ServiceStatus::Scheduled && today <= service.end_date.unwrap_or(service.date)
}

/// True for a visit that is still to begin: the server notifies of its booking. `now` is in the zone of the sitter.
pub fn is_to_begin(service: &Service, now: &Now) -> bool {
    let start = Instant::from_civil(service.date, service.start_time, &now.zone);
    service.status == ServiceStatus::Scheduled && now.at < start
}

/// Ways by which something shared reaches its clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Sharing {
    /// Before it is shared: who finds it in the portal, and to whom a link is to be sent.
    pub ahead: String,
    /// The same once it is shared.
    pub done: String,
    /// The clients to whom the sitter has to pass a link on.
    pub to_pass_on: Vec<Id>,
}

/// Tells how something shared reaches these clients; those who were deleted are left out.
pub fn sharing(business: &Business, client_ids: &[Id]) -> Sharing {
    let clients = client_ids.iter().filter_map(|it| business.client(*it));
    let (in_portal, others): (Vec<&Client>, Vec<&Client>) =
        clients.partition(|it| is_in_portal(it));
    let seen = seen_by(business, &in_portal, true, true, false);
    let with_seen = |rest: String| sentences([seen.clone(), rest]);
    Sharing {
        ahead: with_seen(not_in_portal(
            &others,
            "you get a link to send",
            "you get a link for each to send",
        )),
        done: with_seen(not_in_portal(
            &others,
            "send the link",
            "send each the link",
        )),
        to_pass_on: others.iter().map(|it| it.id).collect(),
    }
}

fn names_of(clients: &[&Client]) -> String {
    let names: Vec<String> = clients.iter().map(|it| it.name.clone()).collect();
    format::names(&names)
}

fn sentences(parts: [String; 2]) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join(" ")
}

/// Says which clients of the portal are notified, if the server notifies of it at all, and which see it there; of what
/// waits on the phone, `can_send` being false, that this comes later. `is_mailed` is true for what pet parents without
/// notifications are mailed of, too.
fn seen_by(
    business: &Business,
    clients: &[&Client],
    is_pushed: bool,
    can_send: bool,
    is_mailed: bool,
) -> String {
    let (notified, others): (Vec<&Client>, Vec<&Client>) = clients
        .iter()
        .copied()
        .partition(|it| is_pushed && way_to(business, it) == WayToClient::Notification);
    let (mailed, others): (Vec<&Client>, Vec<&Client>) = others
        .into_iter()
        .partition(|it| is_pushed && is_mailed && business.reach.mailed.contains(&it.id));
    let when = when_sent(can_send);
    let notified = match notified.as_slice() {
        [] => String::new(),
        [_] => format!("{} is notified{when}.", names_of(&notified)),
        _ => format!("{} are notified{when}.", names_of(&notified)),
    };
    let notified = sentences([notified, get_a_mail(&mailed, &names_of(&mailed), when)]);
    let where_seen = if can_send {
        "when the portal is opened".to_owned()
    } else {
        format!("in the portal{when}")
    };
    let seeing = match others.as_slice() {
        [] => String::new(),
        [_] => format!("{} sees it {where_seen}.", names_of(&others)),
        _ => format!("{} see it {where_seen}.", names_of(&others)),
    };
    sentences([notified, seeing])
}

/// Says that clients with these names are mailed; empty without any.
fn get_a_mail(clients: &[&Client], names: &str, when: &str) -> String {
    match clients {
        [] => String::new(),
        [_] => format!("{names} gets a mail{when}, {UNLESS_STOPPED}."),
        _ => format!("{names} get a mail{when}, {UNLESS_STOPPED}."),
    }
}

/// Ends a sentence about what reaches a client while the change may still wait on the phone: without a network, a session
/// or an update.
const fn when_sent(can_send: bool) -> &'static str {
    if can_send { "" } else { " once this is sent" }
}

fn not_in_portal(clients: &[&Client], one: &str, many: &str) -> String {
    match clients {
        [] => String::new(),
        [_] => format!("{} is not in the portal: {one}.", names_of(clients)),
        _ => format!("{} are not in the portal: {many}.", names_of(clients)),
    }
}

/// Says who is told when the sitter changes, calls off or declines something of a client's. `is_pushed` is true for a change
/// that the server notifies of, `can_send` where the change goes to the server at once.
pub fn told_of_change(
    business: &Business,
    client_id: Option<Id>,
    is_pushed: bool,
    can_send: bool,
) -> String {
    match client_id.and_then(|it| business.client(it)) {
        None => "Nobody is told: the client was deleted.".to_owned(),
        Some(client) if is_in_portal(client) => {
            seen_by(business, &[client], is_pushed, can_send, true)
        }
        Some(client) if is_pushed && is_mailed_of_changes(business, client) => {
            get_a_mail(&[client], &names_of(&[client]), when_sent(can_send))
        }
        Some(client) => format!(
            "Nobody is told: {} is not in the portal.",
            names_of(&[client])
        ),
    }
}

/// So many clients are named in a sentence.
const CLIENTS_NAMED: usize = 5;

/// Says who is told when the sitter changes several services at once: `pushed` are the clients whom the server notifies, once
/// each; `others` those who find it in the portal. Those who were deleted are left out.
pub fn told_of_changes(
    business: &Business,
    pushed: &[Id],
    others: &[Id],
    can_send: bool,
) -> String {
    let known = |ids: &[Id]| -> Vec<&Client> {
        let clients = ids.iter().filter_map(|it| business.client(*it));
        clients.collect()
    };
    let is_seeing = |it: &&Client| is_in_portal(it);
    let (pushed, unseen): (Vec<&Client>, Vec<&Client>) =
        known(pushed).into_iter().partition(is_seeing);
    let (others, unseen_others): (Vec<&Client>, Vec<&Client>) =
        known(others).into_iter().partition(is_seeing);
    let (notified, seeing): (Vec<&Client>, Vec<&Client>) = pushed
        .into_iter()
        .partition(|it| way_to(business, it) == WayToClient::Notification);
    let (mut mailed, seeing): (Vec<&Client>, Vec<&Client>) = seeing
        .into_iter()
        .partition(|it| business.reach.mailed.contains(&it.id));
    let (mailed_outside, unseen): (Vec<&Client>, Vec<&Client>) = unseen
        .into_iter()
        .partition(|it| is_mailed_of_changes(business, it));
    mailed.extend(mailed_outside);
    let seeing = [seeing, others].concat();
    let untold = [unseen, unseen_others].concat();
    let when = when_sent(can_send);
    let said = |clients: &[&Client], one: String, many: String| match clients {
        [] => String::new(),
        [client] => names_of(&[client]) + &one,
        _ => first_names_of(clients) + &many,
    };
    let see = if can_send {
        "when the portal is opened".to_owned()
    } else {
        ["in the portal", when].concat()
    };
    let sentences = [
        said(
            &notified,
            format!(" is notified{when}."),
            format!(" are notified{when}."),
        ),
        get_a_mail(&mailed, &first_names_of(&mailed), when),
        said(
            &seeing,
            format!(" sees it {see}."),
            format!(" see it {see}."),
        ),
        said(
            &untold,
            " is not in the portal and is not told.".to_owned(),
            " are not in the portal and are not told.".to_owned(),
        ),
    ];
    let said: Vec<String> = sentences.into_iter().filter(|it| !it.is_empty()).collect();
    said.join(" ")
}

/// Says which of these clients read why the sitter cancels visits of theirs, where they are told; those who were deleted are
/// left out.
pub fn readers_of_reason(business: &Business, client_ids: &[Id]) -> String {
    let known = client_ids.iter().filter_map(|it| business.client(*it));
    let (reading, others): (Vec<&Client>, Vec<&Client>) = known.partition(|it| is_in_portal(it));
    let reads = match reading.as_slice() {
        [] => String::new(),
        [_] => first_names_of(&reading) + " reads this.",
        _ => first_names_of(&reading) + " read this.",
    };
    let untold = match others.as_slice() {
        [] => String::new(),
        [_] => first_names_of(&others) + " is not in the portal: this can be read only there.",
        _ => first_names_of(&others) + " are not in the portal: this can be read only there.",
    };
    match sentences([reads, untold]) {
        said if said.is_empty() => "Nobody else reads this: the client was deleted.".to_owned(),
        said => said,
    }
}

/// The names of the first of these clients, and how many others there are.
fn first_names_of(clients: &[&Client]) -> String {
    let mut names: Vec<String> = clients
        .iter()
        .take(CLIENTS_NAMED)
        .map(|it| it.name.clone())
        .collect();
    let more = clients.len().saturating_sub(CLIENTS_NAMED);
    if 0 < more {
        names.push(format!("{more} more"));
    }
    format::names(&names)
}

/// Says who is told of these changes of a visit; empty where they leave alone what its client relies on.
pub fn told_of_update(
    business: &Business,
    before: &Service,
    changes: &[Change],
    today: Date,
    can_send: bool,
) -> String {
    let after = changes.iter().find_map(|it| match it {
        Change::Put(Row::Service(row)) => Some(row).filter(|it| it.id == before.id),
        _ => None,
    });
    let Some(after) = after.filter(|it| !is_same_to_client(before, it)) else {
        return String::new();
    };
    let is_awaited = is_awaited(before, today);
    if after.client_id != before.client_id {
        // To the first client it is called off, and for the second one it is booked, unless it may have begun.
        let is_booked = is_awaited && today < after.date;
        return sentences([
            told_of_change(business, Some(before.client_id), is_awaited, can_send),
            told_of_change(business, Some(after.client_id), is_booked, can_send),
        ]);
    }
    told_of_change(business, Some(before.client_id), is_awaited, can_send)
}

/// Says how a client hears of a later start. Before `until` it has to be sent, or it is not told at all.
pub fn told_of_delay(
    business: &Business,
    client: Option<&Client>,
    until: &str,
    can_send: bool,
) -> String {
    let Some(client) = client else {
        return "Nobody is told: the client was deleted.".to_owned();
    };
    let name = names_of(&[client]);
    if !is_in_portal(client) {
        return format!(
            "{name} is not in the portal: the text waits on To send until you send it."
        );
    }
    let condition = match can_send {
        true => String::new(),
        false => format!(" if this can be sent before {until}"),
    };
    let rest = match way_to(business, client) {
        WayToClient::Notification => "is notified",
        _ => "sees it when the portal is opened",
    };
    format!("{name} gets a message{condition}, and {rest}.")
}

/// True where the client reads the same of both: for whom, what, when, at what price, and the notes.
pub fn is_same_to_client(one: &Service, other: &Service) -> bool {
    let what = |it: &Service| (it.client_id, it.service_type, it.offering_id, it.price);
    what(one) == what(other)
        && one.has_agreed_time_of(other)
        && one.dog_ids == other.dog_ids
        && one.notes == other.notes
}

/// Says who is told when the sitter takes back what was shared with these clients; those who were deleted are left out.
pub fn told_of_removal(business: &Business, client_ids: &[Id], can_send: bool) -> String {
    let clients = client_ids.iter().filter_map(|it| business.client(*it));
    let (in_portal, others): (Vec<&Client>, Vec<&Client>) =
        clients.partition(|it| is_in_portal(it));
    let (found, names) = (names_of(&in_portal), names_of(&others));
    let when = when_sent(can_send);
    let gone = (!in_portal.is_empty()).then(|| format!("It leaves the portal of {found}{when}."));
    let untold = match (others.as_slice(), in_portal.is_empty()) {
        ([], _) => None,
        ([_], true) => Some(format!("Nobody is told: {names} is not in the portal.")),
        ([_], false) => Some(format!("{names} is not in the portal and is not told.")),
        (_, true) => Some(format!("Nobody is told: {names} are not in the portal.")),
        (_, false) => Some(format!("{names} are not in the portal and are not told.")),
    };
    let parts: Vec<String> = gone.into_iter().chain(untold).collect();
    parts.join(" ")
}

/// Returns the text about something that is being shared, while it has not reached the server.
pub fn while_waiting(what: &str, online: bool) -> String {
    if online {
        format!("Sharing {what}")
    } else {
        format!("No connection: {what} will be shared when it is back")
    }
}

/// Words that say who reads what the pet parents of this client give on getting in.
pub fn access_readers(business: &Business, client_id: Id) -> String {
    let sitter = business.sitter();
    let name = sitter.map_or("", |it| match it.business_name.as_str() {
        "" => it.name.as_str(),
        name => name,
    });
    let sitter = match name {
        "" => "your sitter".to_owned(),
        name => format::set_apart(name),
    };
    let n_logins = business
        .client(client_id)
        .map_or(0, |it| it.logins().count());
    if n_logins > 1 {
        format!("Only {sitter} and your household read this.")
    } else {
        format!("Only {sitter} reads this.")
    }
}

/// Words for a pet parent who has changed home or pets.
pub const fn saved_by_parent(can_send: bool) -> &'static str {
    if can_send {
        "Saved, and on its way to your sitter."
    } else {
        "Saved on this phone. Your sitter will see it once it is sent."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::shared_mail::VisitMail;
    use crate::values::report_kind::ReportKind;
    use crate::{Instant, Time};

    fn client(n: u128, name: &str) -> Client {
        Client {
            name: name.to_owned(),
            phone: "555 0100".to_owned(),
            ..Client::new(Id::of(n), Instant(0))
        }
    }

    fn linked(n: u128, name: &str) -> Client {
        Client {
            client_user_id: Some(Id::of(90 + n)),
            ..client(n, name)
        }
    }

    #[track_caller]
    fn check(clients: &[Client], ahead: &str, done: &str, n_links: usize) {
        let mut business = Business::default();
        let ids: Vec<Id> = clients.iter().map(|it| it.id).collect();
        for client in clients {
            business.put(1, Row::Client(client.clone()));
        }
        let sharing = sharing(&business, &ids);
        assert_eq!(
            (sharing.ahead.as_str(), sharing.done.as_str()),
            (ahead, done)
        );
        assert_eq!(sharing.to_pass_on.len(), n_links);
    }

    #[test]
    fn a_client_without_a_login_gets_nothing_before_the_link_is_sent() {
        check(
            &[client(1, "Mikko")],
            "Mikko is not in the portal: you get a link to send.",
            "Mikko is not in the portal: send the link.",
            1,
        );
        let seen = "Dana sees it when the portal is opened.";
        check(&[linked(1, "Dana")], seen, seen, 0);
    }

    #[test]
    fn two_clients_get_two_links_and_those_in_the_portal_none() {
        check(
            &[client(1, "Mikko"), linked(2, "Dana"), client(3, "Kim")],
            "Dana sees it when the portal is opened. Mikko and Kim are not in the portal: you get a link for each to send.",
            "Dana sees it when the portal is opened. Mikko and Kim are not in the portal: send each the link.",
            2,
        );
        check(&[], "", "", 0);
    }

    #[test]
    fn a_client_without_phone_and_email_is_reached_by_a_copied_link() {
        let mut business = Business::default();
        let nowhere = Client::new(Id::of(1), Instant(0));
        assert_eq!(way_to(&business, &nowhere), WayToClient::Copy);
        let (mikko, dana) = (client(1, "Mikko"), linked(2, "Dana"));
        assert_eq!(way_to(&business, &mikko), WayToClient::Link);
        assert_eq!(way_to(&business, &dana), WayToClient::Portal);
        business.reach.notified = vec![mikko.id, dana.id];
        assert_eq!(way_to(&business, &dana), WayToClient::Notification);
        // A client without a login is not reached by a former one's device.
        assert_eq!(way_to(&business, &mikko), WayToClient::Link);
    }

    #[test]
    fn of_a_change_nobody_is_told_who_is_not_in_the_portal() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(linked(2, "Dana")));
        business.reach.notified = vec![Id::of(4)];
        business.put(1, Row::Client(linked(4, "Sam")));
        let told = |n, is_pushed| told_of_change(&business, Some(Id::of(n)), is_pushed, true);
        for (n, is_pushed, said) in [
            (1, true, "Nobody is told: Mikko is not in the portal."),
            (2, true, "Dana sees it when the portal is opened."),
            (3, true, "Nobody is told: the client was deleted."),
            (4, true, "Sam is notified."),
            (4, false, "Sam sees it when the portal is opened."),
        ] {
            assert_eq!(told(n, is_pushed), said);
        }
        assert_eq!(told_of_change(&business, None, true, true), told(3, true));
    }

    #[test]
    fn a_client_without_notifications_gets_a_mail_of_what_is_notified_of_and_of_nothing_else() {
        let mut business = Business::default();
        for (n, name) in [(1, "Dana"), (2, "Sam"), (3, "Kim")] {
            business.put(1, Row::Client(linked(n, name)));
        }
        business.reach.notified = vec![Id::of(2)];
        business.reach.mailed = vec![Id::of(1), Id::of(3)];
        let told =
            |is_pushed, can_send| told_of_change(&business, Some(Id::of(1)), is_pushed, can_send);
        let unless = "unless they stopped mail from Walkies.";
        assert_eq!(told(true, true), format!("Dana gets a mail, {unless}"));
        assert_eq!(
            told(true, false),
            format!("Dana gets a mail once this is sent, {unless}")
        );
        assert_eq!(told(false, true), "Dana sees it when the portal is opened.");
        let ids = [1, 2, 3].map(Id::of);
        assert_eq!(
            told_of_changes(&business, &ids, &[], true),
            format!("Sam is notified. Dana and Kim get a mail, {unless}")
        );
        // A report and an invoice have mail of their own, or none.
        assert_eq!(
            sharing(&business, &ids[..1]).done,
            "Dana sees it when the portal is opened."
        );
    }

    #[test]
    fn a_client_without_a_login_gets_a_mail_of_changes_where_the_sitter_allows_it() {
        let mut business = Business::default();
        let kim = Client {
            email: "kim@example.com".to_owned(),
            ..client(2, "Kim")
        };
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(kim));
        business.put(1, Row::Client(linked(3, "Dana")));
        business.reach.sends_mail = true;
        business.reach.mailed = vec![Id::of(3)];
        let ids = [1, 2, 3].map(Id::of);
        let told = |business: &Business, n, is_pushed, can_send| {
            told_of_change(business, Some(Id::of(n)), is_pushed, can_send)
        };
        let nobody = "Nobody is told: Kim is not in the portal.";
        assert_eq!(told(&business, 2, true, true), nobody);
        let mut sitter = Sitter::new(
            Id::of(9),
            "Mara".to_owned(),
            String::new(),
            "UTC".to_owned(),
            Instant(0),
        );
        sitter.mails_changes = true;
        business.put(0, Row::Sitter(sitter));
        let unless = "unless they stopped mail from Walkies.";
        for (n, is_pushed, can_send, said) in [
            (2, true, true, format!("Kim gets a mail, {unless}")),
            (
                2,
                true,
                false,
                format!("Kim gets a mail once this is sent, {unless}"),
            ),
            (2, false, true, nobody.to_owned()),
            // No address is known.
            (
                1,
                true,
                true,
                "Nobody is told: Mikko is not in the portal.".to_owned(),
            ),
        ] {
            assert_eq!(told(&business, n, is_pushed, can_send), said);
        }
        assert_eq!(
            told_of_changes(&business, &ids, &[], true),
            format!(
                "Dana and Kim get a mail, {unless} Mikko is not in the portal and is not told."
            )
        );
        assert_eq!(
            told_of_changes(&business, &[], &ids[1..2], true),
            "Kim is not in the portal and is not told."
        );
        business.reach.sends_mail = false;
        assert_eq!(told(&business, 2, true, true), nobody);
    }

    #[test]
    fn a_change_that_cannot_be_sent_now_reaches_nobody_yet() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(linked(2, "Dana")));
        business.put(1, Row::Client(linked(3, "Sam")));
        business.reach.notified = vec![Id::of(3)];
        let told = |n| told_of_change(&business, Some(Id::of(n)), true, false);
        assert_eq!(told(1), "Nobody is told: Mikko is not in the portal.");
        assert_eq!(told(2), "Dana sees it in the portal once this is sent.");
        assert_eq!(told(3), "Sam is notified once this is sent.");
        let removed = told_of_removal(&business, &[Id::of(1), Id::of(2)], false);
        assert_eq!(
            removed,
            "It leaves the portal of Dana once this is sent. Mikko is not in the portal and is not told."
        );
        let before = Service {
            client_id: Id::of(3),
            ..Service::new(Id::of(7), Instant(0))
        };
        let later = Service {
            start_time: Time::hour(13),
            ..before.clone()
        };
        let changes = [Change::from(later)];
        assert_eq!(
            told_of_update(&business, &before, &changes, before.date, false),
            "Sam is notified once this is sent."
        );
    }

    #[test]
    fn a_changed_visit_says_who_is_told_if_its_client_relies_on_the_change() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(linked(2, "Dana")));
        let before = Service {
            client_id: Id::of(1),
            ..Service::new(Id::of(7), Instant(0))
        };
        let today = before.date;
        let told = |after: Service| {
            told_of_update(&business, &before, &[Change::from(after)], today, true)
        };
        let nobody = "Nobody is told: Mikko is not in the portal.";
        for (changed, said) in [
            (before.clone(), ""),
            (
                Service {
                    internal_notes: "Alarm off".to_owned(),
                    ..before.clone()
                },
                "",
            ),
            (
                Service {
                    start_time: Time::hour(13),
                    ..before.clone()
                },
                nobody,
            ),
            (
                Service {
                    price: Cents(60_00),
                    ..before.clone()
                },
                nobody,
            ),
            (
                Service {
                    dog_ids: vec![Id::of(30)],
                    ..before.clone()
                },
                nobody,
            ),
            (
                Service {
                    client_id: Id::of(2),
                    ..before.clone()
                },
                "Nobody is told: Mikko is not in the portal. Dana sees it when the portal is opened.",
            ),
        ] {
            assert_eq!(told(changed), said);
        }
        assert_eq!(told_of_update(&business, &before, &[], today, true), "");
    }

    #[test]
    fn only_changes_of_a_visit_that_is_still_to_come_are_notified_of() {
        let mut business = Business::default();
        business.put(1, Row::Client(linked(1, "Dana")));
        business.reach.notified = vec![Id::of(1)];
        let before = Service {
            client_id: Id::of(1),
            ..Service::new(Id::of(7), Instant(0))
        };
        let later = Service {
            start_time: Time::hour(13),
            ..before.clone()
        };
        let dearer = Service {
            price: Cents(60_00),
            ..before.clone()
        };
        let told = |after: &Service, today: Date| {
            told_of_update(
                &business,
                &before,
                &[Change::from(after.clone())],
                today,
                true,
            )
        };
        let (notified, seen) = (
            "Dana is notified.",
            "Dana sees it when the portal is opened.",
        );
        assert_eq!(told(&later, before.date), notified);
        assert_eq!(told(&later, before.date.plus_days(1)), seen);
        assert_eq!(told(&dearer, before.date), notified);
        assert_eq!(told(&dearer, before.date.plus_days(1)), seen);
    }

    #[test]
    fn clients_with_notifications_on_are_notified_of_a_share_and_the_others_see_it() {
        let mut business = Business::default();
        for (n, name) in [(1, "Dana"), (2, "Kim"), (3, "Sam"), (4, "Lou")] {
            business.put(1, Row::Client(linked(n, name)));
        }
        business.reach.notified = vec![Id::of(1), Id::of(2)];
        let done = |ids: &[u128]| {
            let ids: Vec<Id> = ids.iter().map(|it| Id::of(*it)).collect();
            sharing(&business, &ids).done
        };
        assert_eq!(done(&[1]), "Dana is notified.");
        assert_eq!(done(&[1, 2]), "Dana and Kim are notified.");
        assert_eq!(
            done(&[1, 2, 3, 4]),
            "Dana and Kim are notified. Sam and Lou see it when the portal is opened."
        );
    }

    #[test]
    fn an_invoice_is_mailed_where_no_notification_tells_of_it_and_the_sitter_allows_mail() {
        let mut business = Business::default();
        let with_mail = |client: Client| Client {
            email: "mail@example.com".to_owned(),
            ..client
        };
        let clients = [
            client(1, "Mikko"),
            with_mail(client(2, "Kim")),
            with_mail(linked(3, "Dana")),
            with_mail(linked(4, "Sam")),
        ];
        business.reach.notified = vec![Id::of(4)];
        let told_of = |business: &Business, owed| {
            clients
                .each_ref()
                .map(|it| told_of_invoice(business, Some(it), owed))
        };
        let told = |business: &Business| told_of(business, Cents(25_00));
        let notified = "Will be in the portal, with a notification";
        let by_hand = [
            "You get a link to send",
            "You get a link to send",
            "Will be in the portal",
            notified,
        ];
        assert_eq!(told(&business), by_hand);
        assert_eq!(
            told_of_invoice(&business, None, Cents(25_00)),
            "You get a link to copy"
        );
        business.reach.sends_mail = true;
        let mailed = "Goes by mail to mail@example.com, unless they stopped mail from Walkies";
        assert_eq!(
            told(&business),
            ["You get a link to send", mailed, mailed, notified]
        );
        // The server mails what is owed alone.
        let no_mail = |way: &str| format!("Nothing is left to pay, so no mail goes out. {way}");
        assert_eq!(
            told_of(&business, Cents::ZERO),
            [
                "You get a link to send".to_owned(),
                no_mail("You get a link to send"),
                no_mail("Will be in the portal"),
                notified.to_owned()
            ]
        );
        let zone = "UTC".to_owned();
        let mut sitter = Sitter::new(
            Id::of(9),
            "Mara".to_owned(),
            String::new(),
            zone,
            Instant(0),
        );
        sitter.invoicing.keeps_mail_off = true;
        business.put(0, Row::Sitter(sitter));
        assert_eq!(told(&business), by_hand);
    }

    #[test]
    fn an_invoice_that_was_shared_says_what_became_of_its_mail() {
        let business = Business::default();
        let got = |state: Option<SharedMailState>, passed_on_at| {
            let invoice = Invoice {
                mailed: state.map(|state| SharedMail {
                    to: "kim@example.com".to_owned(),
                    state,
                    at: Instant(0),
                }),
                passed_on_at,
                ..Invoice::default()
            };
            let said = got_invoice(&business, &client(2, "Kim"), &invoice, &TimeZone::UTC);
            (said, is_left_to_sitter(invoice.mailed.as_ref()))
        };
        let said = |text: &str, is_left| (text.to_owned(), is_left);
        assert_eq!(got(None, None), said("Send the link", true));
        assert_eq!(
            got(None, Some(Instant(0))),
            said("You have sent the link", true)
        );
        assert_eq!(
            got(Some(SharedMailState::Waiting), None),
            said("The mail to kim@example.com waits to be sent", false)
        );
        assert_eq!(
            got(Some(SharedMailState::Sent), None),
            said("Mailed to kim@example.com on Jan 1, 1970", false)
        );
        assert_eq!(
            got(Some(SharedMailState::Failed), None),
            said(
                "The mail to kim@example.com could not be delivered. Send the link",
                true
            )
        );
        assert_eq!(
            got(Some(SharedMailState::Stopped), Some(Instant(0))),
            said(
                "kim@example.com asked not to get mail from Walkies. You have sent the link",
                true
            )
        );
    }

    #[test]
    fn a_visit_says_what_became_of_the_last_mail_about_it() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(1, "Kim")));
        business.put(1, Row::Client(linked(2, "Dana")));
        let now = |ms| Now {
            at: Instant(ms),
            zone: TimeZone::UTC,
        };
        let told = |of: u128, mailed: u128, to: &str, state| {
            let service = Service {
                client_id: Id::of(of),
                mailed: Some(VisitMail {
                    client_id: Id::of(mailed),
                    to: to.to_owned(),
                    state,
                    at: Instant(0),
                }),
                ..Service::new(Id::of(7), Instant(0))
            };
            told_of_visit_mail(&business, &service, &now(0), HourCycle::H12)
        };
        let address = "kim@example.com";
        for (state, said) in [
            (
                SharedMailState::Waiting,
                "The mail to kim@example.com waits to be sent",
            ),
            (
                SharedMailState::Sent,
                "Mailed to kim@example.com on Jan 1, 1970 at 12:00 AM",
            ),
            (
                SharedMailState::Failed,
                "The mail to kim@example.com could not be delivered",
            ),
            (
                SharedMailState::Stopped,
                "kim@example.com asked not to get mail from Walkies",
            ),
        ] {
            assert_eq!(told(1, 1, address, state), said);
        }
        assert_eq!(
            told(2, 2, "", SharedMailState::Failed),
            "The mail to Dana could not be delivered"
        );
        assert_eq!(
            told(2, 1, address, SharedMailState::Sent),
            "",
            "it was another client's"
        );
        let unmailed = Service::new(Id::of(7), Instant(0));
        assert_eq!(
            told_of_visit_mail(&business, &unmailed, &now(0), HourCycle::H12),
            ""
        );
        // The server has dropped it by then.
        let waiting = Service {
            client_id: Id::of(1),
            mailed: Some(VisitMail {
                client_id: Id::of(1),
                to: address.to_owned(),
                ..VisitMail::default()
            }),
            ..unmailed
        };
        assert_eq!(
            told_of_visit_mail(&business, &waiting, &now(WORTH_MS), HourCycle::H12),
            "The mail to kim@example.com could not be delivered"
        );
    }

    #[test]
    fn a_report_is_mailed_where_no_notification_tells_of_it_and_the_sitter_allows_mail() {
        let mut business = Business::default();
        let with_mail = |client: Client| Client {
            email: "mail@example.com".to_owned(),
            ..client
        };
        for client in [
            client(1, "Mikko"),
            with_mail(client(2, "Kim")),
            with_mail(linked(3, "Dana")),
            with_mail(linked(4, "Sam")),
        ] {
            business.put(1, Row::Client(client));
        }
        business.reach.notified = vec![Id::of(4)];
        let ids = [1, 2, 3, 4].map(Id::of);
        let by_hand = "Sam is notified. Dana sees it when the portal is opened. \
                       Mikko and Kim are not in the portal: you get a link for each to send.";
        assert_eq!(report_ahead(&business, &ids), by_hand);
        business.reach.sends_mail = true;
        assert_eq!(
            report_ahead(&business, &ids),
            "Kim is not in the portal: a mail goes to mail@example.com, unless they stopped mail from Walkies. \
             Dana sees it in the portal, and a mail goes to mail@example.com, unless they stopped mail from Walkies. \
             Sam is notified. Mikko is not in the portal: you get a link to send."
        );
        let mut sitter = Sitter::new(
            Id::of(9),
            "Mara".to_owned(),
            String::new(),
            "UTC".to_owned(),
            Instant(0),
        );
        sitter.keeps_report_mail_off = true;
        business.put(0, Row::Sitter(sitter));
        assert_eq!(report_ahead(&business, &ids), by_hand);
    }

    #[test]
    fn a_report_that_was_shared_says_how_it_got_there_and_when_it_was_opened() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(2, "Kim")));
        business.put(1, Row::Client(linked(3, "Dana")));
        let report = |client_id: u128, state: Option<SharedMailState>| Report {
            id: Id::of(10 + client_id),
            walk_id: Id::of(1),
            client_id: Id::of(client_id),
            kind: ReportKind::Walk,
            dogs: Vec::new(),
            service_ids: Vec::new(),
            started_at: Instant(0),
            share_id: Some("secret".to_owned()),
            shared_at: Instant(0),
            passed_on_at: None,
            mailed: state.map(|state| SharedMail {
                to: "kim@example.com".to_owned(),
                state,
                at: Instant(0),
            }),
            opened_at: None,
            content: Default::default(),
        };
        let opened = |report: Report| Report {
            opened_at: Some(Instant(0)),
            ..report
        };
        let got = |report: Report| got_report(&business, &report, &TimeZone::UTC, HourCycle::H12);
        for (report, said) in [
            (report(2, None), "Kim is not in the portal: send the link."),
            (
                Report {
                    passed_on_at: Some(Instant(0)),
                    ..report(2, None)
                },
                "You have sent the link.",
            ),
            (
                report(2, Some(SharedMailState::Waiting)),
                "The mail to kim@example.com waits to be sent.",
            ),
            (
                opened(report(2, Some(SharedMailState::Sent))),
                "Mailed to kim@example.com on Jan 1, 1970. Opened on Jan 1, 1970 at 12:00 AM.",
            ),
            (
                report(2, Some(SharedMailState::Failed)),
                "The mail to kim@example.com could not be delivered. Kim is not in the portal: send the link.",
            ),
            (report(3, None), "Dana sees it when the portal is opened."),
            (
                opened(report(3, None)),
                "Opened on Jan 1, 1970 at 12:00 AM.",
            ),
            (report(7, None), ""),
        ] {
            assert_eq!(got(report), said);
        }
        let (mailed, failed) = (
            report(2, Some(SharedMailState::Waiting)),
            report(2, Some(SharedMailState::Failed)),
        );
        let shared = |reports: &[&Report]| {
            let shared = reports_shared(&business, reports, &TimeZone::UTC);
            (shared.done, shared.to_pass_on)
        };
        let portal = report(3, None);
        assert_eq!(
            shared(&[&mailed, &portal]),
            (
                "The mail to kim@example.com waits to be sent. Dana sees it when the portal is opened."
                    .to_owned(),
                vec![]
            )
        );
        assert_eq!(
            shared(&[&failed]),
            (
                "The mail to kim@example.com could not be delivered. Kim is not in the portal: send the link."
                    .to_owned(),
                vec![Id::of(2)]
            )
        );
    }

    #[test]
    fn a_reminder_goes_by_mail_only_where_the_server_sends_mail() {
        let mut business = Business::default();
        let with_mail = |client: Client| Client {
            email: "mail@example.com".to_owned(),
            ..client
        };
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(with_mail(client(2, "Kim"))));
        business.put(1, Row::Client(with_mail(linked(3, "Dana"))));
        business.put(1, Row::Client(linked(4, "Sam")));
        let check = |business: &Business, said: [&str; 4]| {
            for (n, said) in (1..).zip(said) {
                let id = Id::of(n);
                assert_eq!(told_of_reminder(business, id), said);
                let client = business.client(id).unwrap();
                assert_eq!(is_reminded(business, client), !said.is_empty());
            }
        };
        check(&business, ["", "", "", ""]);
        assert!(unmailed_reminders(&business).contains("sends no mail"));
        business.reach.notified = vec![Id::of(3)];
        check(&business, ["", "", "Dana is notified.", ""]);
        business.reach.sends_mail = true;
        let both = "Dana is notified, and gets a mail unless they stopped mail from Walkies.";
        let mailed = "Kim gets a mail, unless they stopped mail from Walkies.";
        check(&business, ["", mailed, both, ""]);
        assert_eq!(unmailed_reminders(&business), "");
    }

    #[test]
    fn a_removal_says_whose_portal_it_leaves_and_who_is_not_told() {
        let mut business = Business::default();
        for client in [
            client(1, "Mikko"),
            linked(2, "Dana"),
            client(3, "Kim"),
            linked(4, "Sam"),
        ] {
            business.put(1, Row::Client(client));
        }
        for (ids, said) in [
            (vec![], ""),
            (vec![5], ""),
            (vec![2], "It leaves the portal of Dana."),
            (vec![1], "Nobody is told: Mikko is not in the portal."),
            (
                vec![1, 3],
                "Nobody is told: Mikko and Kim are not in the portal.",
            ),
            (
                vec![1, 2, 4],
                "It leaves the portal of Dana and Sam. Mikko is not in the portal and is not told.",
            ),
            (
                vec![1, 2, 3],
                "It leaves the portal of Dana. Mikko and Kim are not in the portal and are not told.",
            ),
        ] {
            let ids: Vec<Id> = ids.into_iter().map(Id::of).collect();
            assert_eq!(told_of_removal(&business, &ids, true), said);
        }
    }

    #[test]
    fn nothing_is_said_to_be_shared_without_a_network() {
        assert_eq!(while_waiting("the report", true), "Sharing the report");
        assert_eq!(
            while_waiting("the report", false),
            "No connection: the report will be shared when it is back"
        );
        assert!(saved_by_parent(false).contains("once it is sent"));
    }

    #[test]
    fn the_form_says_who_reads_why_visits_are_cancelled() {
        let mut business = Business::default();
        for it in [linked(1, "Dana"), linked(2, "Kim"), client(3, "Sam")] {
            business.put(1, Row::Client(it));
        }
        let said = |ids: &[u128]| {
            let ids: Vec<Id> = ids.iter().map(|it| Id::of(*it)).collect();
            readers_of_reason(&business, &ids)
        };
        assert_eq!(said(&[1]), "Dana reads this.");
        assert_eq!(
            said(&[1, 2, 3]),
            "Dana and Kim read this. Sam is not in the portal: this can be read only there."
        );
        assert_eq!(
            said(&[9]),
            "Nobody else reads this: the client was deleted."
        );
    }
}
