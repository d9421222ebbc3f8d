//! Owns what Needs attention says: which entries belong together, why each is there, and the words that would be
//! lost with it. What becomes of an entry is a person's to decide.

use serde::Serialize;
use serde_json::Value;

use crate::commands::decision::{About, Adjustment, Effect, LeftVisit, LeftWhy};
use crate::commands::{AskForChange, DateChoice, DateWay, SettleSeriesDates};
use crate::rows::client::{ACCESS_NOTES, Client};
use crate::rows::editable::kind_of;
use crate::rows::left_alone::{LeftAlone, LeftAloneWhy};
use crate::rows::overwritten::Overwritten;
use crate::rows::row::{RowKey, TableName};
use crate::rows::series::SeriesDate;
use crate::rows::service::ServiceStatus;
use crate::rows::walk_request::{RequestStatus, RequestSubject};
use crate::rules::client_view::client_of;
use crate::rules::expense::category_name;
use crate::rules::message::can_be_messaged;
use crate::rules::words;
use crate::sync::text_choices::{TextChoice, text_choices, writer};
use crate::sync::wire::{Outcome, OutcomeKind};
use crate::sync::{AttentionEntry, OutboxEntry};
use crate::values::field::FieldKind;
use crate::values::format;
use crate::values::patch::label;
use crate::values::units::HourCycle;
use crate::{Business, Cents, Command, Date, Id, Instant, Refusal, Row, Time};

/// Entries about one thing; the cause comes first, what followed from it after.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AttentionGroup {
    /// Name of the row that the entries are about: a client's name, a service.
    pub title: String,
    /// The entries, oldest first.
    pub items: Vec<AttentionItem>,
}

/// A change that was turned down, or did not do quite what was asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AttentionItem {
    /// Id of the mutation.
    pub id: Id,
    /// The person's change in words.
    pub sentence: String,
    /// When the person did it, by the phone's clock.
    pub made_at: Instant,
    /// Turned down, and not just done otherwise.
    pub refused: bool,
    /// The command that was sent; absent when this build does not know it.
    pub command: Option<Command>,
    /// Why it was turned down.
    pub refusal: Option<Refusal>,
    /// Why it is here, in plain words.
    pub reasons: Vec<String>,
    /// Services, blocked times and others that conflict with the change, in words.
    pub obstacles: Vec<String>,
    /// Fields for which the sender's value and another one conflicted.
    pub differences: Vec<Difference>,
    /// Values that the person had entered.
    pub words: Vec<Words>,
    /// An earlier entry of the list must be settled first.
    pub waits: bool,
    /// Ways to resolve it without a form, the most likely first.
    pub ways: Vec<WayOut>,
    /// Text of the button that dismisses it.
    pub let_go: String,
    /// A form can mend it, if there is one for its command.
    pub has_form: bool,
}

/// A way to resolve a refused change without a form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WayOut {
    /// Text of the button.
    pub label: String,
    /// Command that is sent in place of the change.
    pub command: Command,
    /// True if it is the same intent as before, and goes under the same id: the server may have done it already.
    pub same_id: bool,
    /// The person has seen what was in the way, and so all that the phone knows now.
    pub has_seen: bool,
}

/// Two values of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Difference {
    /// The field as a person reads it.
    pub label: String,
    /// Value that the sender has set; it stands. For a price, the one that the sender saw.
    pub yours: String,
    /// Value that another had set. For a price, the one that is charged.
    pub theirs: String,
    /// True if it is a price that the server computed, and not another person's value.
    pub is_price: bool,
}

/// A value that a person entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Words {
    /// The field as a person reads it.
    pub label: String,
    /// The value, likewise.
    pub text: String,
}

/// Entries that hang together: by the row they are about, or because one refers to what another was to make.
#[derive(Default)]
struct Cluster<'a> {
    entries: Vec<&'a AttentionEntry>,
    subjects: Vec<RowKey>,
    made: Vec<RowKey>,
}

/// Groups the entries that need a person by the row they are about, in the order in which they came.
pub fn groups(business: &Business, entries: &[AttentionEntry]) -> Vec<AttentionGroup> {
    clusters(entries)
        .iter()
        .map(|it| AttentionGroup {
            title: title(business, &it.entries),
            items: items(business, &it.entries),
        })
        .collect()
}

/// The messages of a conversation that were turned down, for whoever shows them where they were to stand.
pub fn refused_messages(
    business: &Business,
    entries: &[AttentionEntry],
    conversation_id: Id,
) -> Vec<AttentionItem> {
    let items = groups(business, entries)
        .into_iter()
        .flat_map(|it| it.items);
    let is_of = |it: &AttentionItem| match &it.command {
        Some(Command::SendMessage(it)) => it.conversation_id == conversation_id,
        _ => false,
    };
    items.filter(|it| it.refused && is_of(it)).collect()
}

/// A photo of a visit that the server turned down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RefusedPhoto {
    /// Id of the entry of Needs attention.
    pub id: Id,
    /// Id of the event that it was sent with before the report; absent where it is missing from the report.
    pub event_id: Option<Id>,
    /// Reason in words.
    pub text: String,
}

/// Returns the photos of a visit that the server turned down, oldest first.
pub fn refused_photos(entries: &[AttentionEntry], service_id: Id) -> Vec<RefusedPhoto> {
    let refused = entries.iter().filter_map(|it| {
        let refusal = it.outcome.refusal.as_ref()?;
        let Refusal::PhotoRefused { photo, .. } = refusal else {
            return None;
        };
        let event_id = match it.entry.mutation.command().ok()? {
            Command::SendLive(sent) if sent.id == service_id => {
                let event = sent.events.iter().find(|it| it.photo == Some(*photo));
                event.map(|it| it.id)
            }
            Command::ShareWalk(shared)
                if shared
                    .reports
                    .iter()
                    .any(|it| it.service_ids.contains(&service_id)) =>
            {
                None
            }
            _ => return None,
        };
        Some(RefusedPhoto {
            id: it.entry.mutation.id,
            event_id,
            text: refusal.to_string(),
        })
    });
    refused.collect()
}

fn clusters(entries: &[AttentionEntry]) -> Vec<Cluster<'_>> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for entry in entries {
        let about = entry.entry.mutation.command().ok().map(|it| it.about());
        let place = about
            .as_ref()
            .and_then(|about| clusters.iter().position(|it| it.has_to_do_with(about)));
        match place.and_then(|it| clusters.get_mut(it)) {
            Some(cluster) => cluster.add(entry, about),
            None => {
                let mut cluster = Cluster::default();
                cluster.add(entry, about);
                clusters.push(cluster);
            }
        }
    }
    clusters
}

impl<'a> Cluster<'a> {
    fn has_to_do_with(&self, about: &About) -> bool {
        about.row.is_some_and(|row| self.subjects.contains(&row))
            || about.builds_on.iter().any(|row| self.made.contains(row))
    }

    fn add(&mut self, entry: &'a AttentionEntry, about: Option<About>) {
        self.entries.push(entry);
        self.subjects.extend(about.as_ref().and_then(|it| it.row));
        if is_refused(entry) {
            self.made.extend(about.into_iter().flat_map(|it| it.made));
        }
    }
}

fn is_refused(entry: &AttentionEntry) -> bool {
    entry.outcome.outcome == OutcomeKind::Rejected
}

/// The entries of a group, each of which waits for the refused ones before it that were to make what it builds on.
fn items(business: &Business, entries: &[&AttentionEntry]) -> Vec<AttentionItem> {
    let mut unmade: Vec<RowKey> = Vec::new();
    let mut items = Vec::new();
    for entry in entries {
        let command = entry.entry.mutation.command().ok();
        let mut waits = false;
        if is_refused(entry)
            && let Some(about) = command.as_ref().map(Command::about)
        {
            waits = about.builds_on.iter().any(|it| unmade.contains(it));
            unmade.extend(about.made);
        }
        items.push(item(business, entry, command, waits));
    }
    items
}

fn item(
    business: &Business,
    attention: &AttentionEntry,
    command: Option<Command>,
    waits: bool,
) -> AttentionItem {
    let AttentionEntry { entry, outcome } = attention;
    let cycle = business.hour_cycle();
    let asked = command.as_ref();
    let refusal = as_things_stand(business, asked, outcome.refusal.as_ref());
    let refusal = refusal.as_ref();
    let refused = is_refused(attention);
    let ways = match (asked, refusal) {
        (Some(command), Some(refusal)) if !waits => ways_out(business, command, entry, refusal),
        (command, None) => {
            let mut ways = ways_to_settle(business, command, &outcome.adjustments);
            ways.extend(ways_for_dates(business, &outcome.adjustments));
            ways
        }
        _ => Vec::new(),
    };
    let let_go = match refusal {
        None if !ways.is_empty() => "Decide later",
        refusal => let_go(asked, refusal),
    };
    AttentionItem {
        id: entry.mutation.id,
        sentence: entry.sentence.clone(),
        made_at: entry.mutation.made_at,
        refused,
        reasons: reasons(business, asked, refusal, &outcome.adjustments, waits),
        obstacles: obstacles(refusal, cycle),
        differences: differences(business, asked, outcome, cycle),
        words: words(asked, &entry.mutation.args, cycle),
        refusal: refusal.cloned(),
        ways,
        let_go: let_go.to_owned(),
        has_form: refused && !waits && can_be_mended(asked, refusal),
        command,
        waits,
    }
}

/// Why a change is not done, as things stand now: what was in the way of an approval means nothing any more once the
/// request was answered otherwise or withdrawn.
fn as_things_stand(
    business: &Business,
    command: Option<&Command>,
    refusal: Option<&Refusal>,
) -> Option<Refusal> {
    let ids: Vec<Id> = match command {
        Some(Command::ApproveRequest(it)) => vec![it.id],
        Some(Command::ApproveRequests(it)) => it.approvals.iter().map(|it| it.id).collect(),
        Some(Command::GrantRequest(it)) => vec![it.id],
        _ => Vec::new(),
    };
    if let Some(Refusal::Conflict { .. } | Refusal::Failed) = refusal {
        for id in ids {
            match business.requests.get(&id).map(|it| it.row.status) {
                Some(RequestStatus::Pending) => {}
                Some(status) => return Some(Refusal::AlreadyAnswered { status }),
                None => return Some(Refusal::Gone),
            }
        }
    }
    refusal.cloned()
}

/// Lists ways to resolve a refused change without a form: the same command with the person's confirmation, the same at
/// another time, the same again, or a command that brings back what was deleted.
fn ways_out(
    business: &Business,
    command: &Command,
    entry: &OutboxEntry,
    refusal: &Refusal,
) -> Vec<WayOut> {
    let way = despite(command, refusal)
        .or_else(|| elsewhen(business, command, refusal))
        .or_else(|| again(business, command, refusal))
        .or_else(|| anew(entry, refusal))
        .or_else(|| cancelling(business, command, entry, refusal));
    way.into_iter().chain(as_wish(command, refusal)).collect()
}

/// Offers the same request as a wish for a time that is not offered.
fn as_wish(command: &Command, refusal: &Refusal) -> Option<WayOut> {
    let is_of_time = matches!(
        refusal,
        Refusal::TooSoon { hours: 1.., .. }
            | Refusal::OutsideHours { .. }
            | Refusal::BetweenStarts { .. }
            | Refusal::Conflict { .. }
    );
    let Command::AskForService(ask) = command else {
        return None;
    };
    let mut ask = ask.clone();
    ask.is_wish = true;
    is_of_time.then(|| way("Request this time anyway", Command::AskForService(ask)))
}

/// Offers to ask for a cancellation where a request was approved before its withdrawal came.
fn cancelling(
    business: &Business,
    command: &Command,
    entry: &OutboxEntry,
    refusal: &Refusal,
) -> Option<WayOut> {
    let approved = Refusal::AlreadyAnswered {
        status: RequestStatus::Approved,
    };
    let Command::WithdrawRequest(withdrawn) = command else {
        return None;
    };
    let request = &business.requests.get(&withdrawn.id)?.row;
    let service_id = request.scheduled_service_id?;
    let service = business.service(service_id)?;
    let is_booked = *refusal == approved && service.status == ServiceStatus::Scheduled;
    let ask = AskForChange {
        // As new as the withdrawal, which no other request has.
        id: entry.mutation.id,
        change: RequestSubject::CancelService { service_id },
        message: String::new(),
        quoted_price: None,
    };
    is_booked.then(|| way("Request to cancel", Command::AskForChange(ask)))
}

fn way(label: &str, command: Command) -> WayOut {
    WayOut {
        label: label.to_owned(),
        command,
        same_id: false,
        has_seen: false,
    }
}

/// The change with the person's word that it is meant in spite of what is in its way.
fn despite(command: &Command, refusal: &Refusal) -> Option<WayOut> {
    match (refusal, command.clone()) {
        (Refusal::Conflict { .. }, Command::ScheduleService(mut it)) => {
            it.overlap_ok = true;
            Some(way("Schedule anyway", Command::ScheduleService(it)))
        }
        (Refusal::Conflict { .. }, Command::UpdateService(mut it)) => {
            it.overlap_ok = true;
            Some(way("Move anyway", Command::UpdateService(it)))
        }
        (Refusal::Conflict { .. }, Command::ApproveRequest(mut it)) => {
            it.overlap_ok = true;
            Some(way("Approve anyway", Command::ApproveRequest(it)))
        }
        (Refusal::Conflict { .. }, Command::GrantRequest(mut it)) => {
            it.overlap_ok = true;
            Some(way("Approve anyway", Command::GrantRequest(it)))
        }
        (Refusal::Conflict { .. }, Command::ApproveRequests(mut it)) => {
            it.approvals.iter_mut().for_each(|it| it.overlap_ok = true);
            Some(way("Approve all anyway", Command::ApproveRequests(it)))
        }
        (Refusal::Conflict { .. }, Command::MakeSeriesDate(mut it)) => {
            it.overlap_ok = true;
            Some(way("Book anyway", Command::MakeSeriesDate(it)))
        }
        (Refusal::WasCancelled { .. }, Command::CompleteService(mut it)) => {
            it.despite_cancel = true;
            Some(way("Keep as completed", Command::CompleteService(it)))
        }
        // What comes to nothing is on another invoice, or gone.
        (Refusal::InvoiceChanged { total, .. }, Command::ShareInvoice(mut it))
            if Cents::ZERO < *total =>
        {
            it.total = Some(*total);
            let label = ["Share at ", &total.to_string()].concat();
            Some(way(&label, Command::ShareInvoice(it)))
        }
        (Refusal::ChangedMeanwhile { .. }, command) => {
            let label = match command {
                Command::RestoreSeries(_) => "Undo anyway",
                _ => "Delete anyway",
            };
            Some(WayOut {
                has_seen: true,
                ..way(label, command)
            })
        }
        _ => None,
    }
}

/// Offers the same request at the nearest time that is open.
fn elsewhen(business: &Business, command: &Command, refusal: &Refusal) -> Option<WayOut> {
    let (Some(next), Command::AskForService(ask)) = (refusal.next_open(), command) else {
        return None;
    };
    let mut ask = ask.clone();
    let fields = &mut ask.request.0;
    fields.insert("requested_date".to_owned(), next.date.to_string().into());
    let start = next.start_time.to_string();
    fields.insert("requested_start_time".to_owned(), start.into());
    let time = format::time(next.start_time, business.hour_cycle());
    let label = ["Request ", &format::date(next.date), ", ", &time].concat();
    Some(way(&label, Command::AskForService(ask)))
}

/// The change as it was, where what stood in its way may be gone by now.
fn again(business: &Business, command: &Command, refusal: &Refusal) -> Option<WayOut> {
    let (label, same_id) = match refusal {
        // Visits were cancelled, the earlier change was sent again, the photo has arrived.
        Refusal::HasFutureServices { .. }
        | Refusal::PhotoMissing { .. }
        | Refusal::VideoMissing { .. } => ("Send again", false),
        // There may be room by now: the plan is a larger one, something was deleted, a month has begun.
        Refusal::LimitReached { .. } => ("Send again", false),
        Refusal::Failed | Refusal::PhotoRefused { .. } => ("Try Again", false),
        Refusal::NotTaken { .. } => ("Try Again", true),
        Refusal::Forgotten => ("Send again", true),
        // Also a service for a client who has been brought back, or made after all.
        Refusal::Gone if is_service_or_here(business, command) => ("Send again", false),
        // Its words need no other ones once there is somebody to read them.
        Refusal::Gone | Refusal::Invalid { .. } if is_message_to_reader(business, command) => {
            ("Send again", false)
        }
        _ => return None,
    };
    Some(WayOut {
        same_id,
        ..way(label, command.clone())
    })
}

fn is_service_or_here(business: &Business, command: &Command) -> bool {
    let row = command.about().row;
    matches!(command, Command::ScheduleService(_))
        || row.is_some_and(|it| business.get(it).is_some())
}

fn is_message_to_reader(business: &Business, command: &Command) -> bool {
    let Command::SendMessage(it) = command else {
        return false;
    };
    business
        .client(it.conversation_id)
        .is_some_and(can_be_messaged)
}

/// Offers to bring back the deleted row with the change.
fn anew(entry: &OutboxEntry, refusal: &Refusal) -> Option<WayOut> {
    let back = entry.bring_back.clone()?;
    matches!(refusal, Refusal::Gone).then(|| way("Bring back with my change", back))
}

/// Returns true if other values could help: not for what has happened already, or for a change of what does not exist
/// any more.
fn can_be_mended(command: Option<&Command>, refusal: Option<&Refusal>) -> bool {
    match refusal {
        Some(
            Refusal::Taken
            | Refusal::HasFutureServices { .. }
            | Refusal::WasCancelled { .. }
            | Refusal::AlreadyCompleted
            | Refusal::AlreadyAnswered { .. }
            | Refusal::AlreadyInvoiced
            | Refusal::OnInvoice { .. }
            | Refusal::NotAllowed
            | Refusal::ChangedMeanwhile { .. }
            | Refusal::VideoRefused { .. }
            | Refusal::AccessEnded
            | Refusal::Forgotten,
        ) => false,
        // All of it is on another invoice.
        Some(Refusal::InvoiceChanged {
            total: Cents::ZERO,
            elsewhere: Some(_),
            ..
        }) => false,
        Some(Refusal::Gone) => command.is_some_and(|it| it.about().effect == Effect::Makes),
        Some(
            Refusal::Invalid { .. }
            | Refusal::Conflict { .. }
            | Refusal::TooSoon { .. }
            | Refusal::TooFar { .. }
            | Refusal::OutsideHours { .. }
            | Refusal::BetweenStarts { .. }
            | Refusal::LimitReached { .. }
            | Refusal::InvoiceChanged { .. }
            | Refusal::PhotoMissing { .. }
            | Refusal::VideoMissing { .. }
            | Refusal::Failed
            | Refusal::NotTaken { .. }
            | Refusal::PhotoRefused { .. },
        )
        | None => true,
    }
}

/// Returns the text of the button that dismisses a change: 'Discard', or another where that would not say what it
/// means.
const fn let_go(command: Option<&Command>, refusal: Option<&Refusal>) -> &'static str {
    match (refusal, command) {
        (None, _) => "Got it",
        (Some(Refusal::WasCancelled { .. }), Some(Command::CompleteService(_))) => "Keep cancelled",
        (Some(Refusal::ChangedMeanwhile { .. }), _) => "Keep it",
        (
            Some(Refusal::PhotoRefused { .. } | Refusal::VideoRefused { .. } | Refusal::Forgotten),
            _,
        ) => "Leave out",
        _ => "Discard",
    }
}

/// Returns the name of the row that a group is about, as it is now or as it was to be; else the noun of its first
/// command.
fn title(business: &Business, entries: &[&AttentionEntry]) -> String {
    let commands = entries.iter().map(|it| it.entry.mutation.command());
    let abouts: Vec<About> = commands.filter_map(|it| Some(it.ok()?.about())).collect();
    let rows = abouts.iter().filter_map(|it| it.row);
    let known = rows
        .filter_map(|key| business.get(key))
        .map(|it| name_of(&it.row))
        .next();
    let intended = || abouts.iter().find_map(|it| called(it, business));
    let first = abouts.first();
    known
        .or_else(intended)
        .filter(|it| !it.is_empty())
        .unwrap_or_else(|| first.map_or("Change", |it| it.noun).to_owned())
}

/// Returns the intended name of a row that does not exist yet: for a service, its client's name.
fn called(about: &About, business: &Business) -> Option<String> {
    let is_booking = |it: RowKey| matches!(it.table, TableName::Service | TableName::Series);
    if !about.row.is_some_and(is_booking) {
        return about.called.clone();
    }
    let mut named = about.builds_on.iter();
    let client = named.find(|it| it.table == TableName::Client)?;
    business.client(client.id).map(|it| it.name.clone())
}

fn name_of(row: &Row) -> String {
    match row {
        Row::Client(it) => it.name.clone(),
        Row::Pet(it) => it.name.clone(),
        Row::Offering(it) => it.name.clone(),
        Row::Series(it) => format::set_apart(&it.client_name) + ", series",
        Row::Service(it) => format::set_apart(&it.client_name) + ", " + &format::date(it.date),
        Row::Expense(it) => [category_name(it.category), ", ", &format::date(it.date)].concat(),
        _ => String::new(),
    }
}

fn reasons(
    business: &Business,
    command: Option<&Command>,
    refusal: Option<&Refusal>,
    adjustments: &[Adjustment],
    waits: bool,
) -> Vec<String> {
    let mut reasons = Vec::new();
    match refusal {
        Some(Refusal::Invalid { fields }) => {
            reasons.extend(fields.iter().map(|it| it.text.clone()))
        }
        Some(Refusal::Gone) if waits => {
            reasons.push("An earlier change that this one builds on was turned down.".to_owned());
        }
        Some(other) => reasons.push(reason(business, command, other)),
        None => {}
    }
    let has = |kind: fn(&Adjustment) -> bool| adjustments.iter().any(kind);
    if let Some(kept) = adjustments.iter().find_map(kept_text) {
        let writer = client_in(business, command).map(|it| writer(business, it, kept.by));
        let writer = writer.unwrap_or_else(|| "Someone".to_owned());
        let waits = text_choices(business).iter().any(|it| is_between(it, kept));
        let then = if waits && kept.field == ACCESS_NOTES {
            " wrote another text in the meantime. Both are kept until you decide."
        } else if waits {
            " wrote another text in the meantime. Both are kept until one of you decides."
        } else {
            " wrote another text in the meantime. One of you has decided between them since."
        };
        reasons.push(format::set_apart(&writer) + then);
    }
    let is_lost = |it: &Adjustment| matches!(it, Adjustment::Overwritten(it) if !it.kept);
    if has(is_lost) {
        reasons.push("Someone else changed this too. Your version was kept.".to_owned());
    }
    if has(|it| matches!(it, Adjustment::Price { .. })) {
        reasons.push(
            "The rates were changed in the meantime, so the price is another one.".to_owned(),
        );
    }
    if has(|it| matches!(it, Adjustment::Deactivated)) {
        reasons
            .push("It has bookings or requests, so it was deactivated and not deleted.".to_owned());
    }
    reasons.extend(adjustments.iter().filter_map(|it| kept(business, it)));
    for it in adjustments {
        if let Adjustment::TimeOff { visits, unsent } = it {
            reasons.extend(time_off_texts(business, visits, unsent));
        }
    }
    reasons
}

/// The other version that a row keeps beside the sender's.
const fn kept_text(adjustment: &Adjustment) -> Option<&Overwritten> {
    match adjustment {
        Adjustment::Overwritten(it) if it.kept => Some(it),
        _ => None,
    }
}

/// Returns true if the kept version is still among the undecided ones.
fn is_between(choice: &TextChoice, kept: &Overwritten) -> bool {
    let mut others = choice.others.iter();
    others.any(|it| kept.theirs == it.content.as_str())
}

/// The client whose home or pets a change is about.
fn client_in<'a>(business: &'a Business, command: Option<&Command>) -> Option<&'a Client> {
    match command? {
        Command::UpdateClient(it) => business.client(it.id),
        Command::SettleText(it) => business.client(it.client_id),
        _ => None,
    }
}

/// The pet of which a change has set this field to this value.
fn pet_in<'a>(
    business: &'a Business,
    command: Option<&Command>,
    it: &Overwritten,
) -> Option<&'a str> {
    let id = match command? {
        Command::UpdateClient(command) => {
            let mut dogs = command.dogs.iter();
            dogs.find(|dog| dog.changes.0.get(&it.field) == Some(&it.yours))?
                .id
        }
        Command::SettleText(command) => command.id,
        _ => return None,
    };
    business.pet(id).map(|it| it.name.as_str())
}

/// Buttons that settle the conflict of a change, if it has exactly one and that is still undecided.
fn ways_to_settle(
    business: &Business,
    command: Option<&Command>,
    adjustments: &[Adjustment],
) -> Vec<WayOut> {
    let mut kept = adjustments.iter().filter_map(kept_text);
    let (Some(kept), None) = (kept.next(), kept.next()) else {
        return Vec::new();
    };
    let Some(client) = client_in(business, command) else {
        return Vec::new();
    };
    let choices = text_choices(business);
    let choice = choices
        .into_iter()
        .find(|it| it.client_id == client.id && is_between(it, kept));
    let Some(choice) = choice.filter(|it| it.others.len() == 1) else {
        return Vec::new();
    };
    let keep_mine = kept.yours == choice.current.as_str();
    let keep = if keep_mine {
        "Keep mine"
    } else {
        "Keep the current text"
    };
    let theirs = choice
        .others
        .into_iter()
        .map(|it| way("Use theirs", it.choose));
    let both = choice.keep_all.map(|it| way("Keep both", it));
    let mine = way(keep, choice.keep);
    let ways = both.into_iter().chain(theirs).chain([mine]);
    // The card shows both versions, so the decision is made at the latest revision.
    ways.map(|it| WayOut {
        has_seen: true,
        ..it
    })
    .collect()
}

/// Buttons that decide on all of a series' visits at once whose time is taken, as far as they wait still.
fn ways_for_dates(business: &Business, adjustments: &[Adjustment]) -> Vec<WayOut> {
    let taken = adjustments.iter().find_map(|it| match it {
        Adjustment::DatesTaken {
            series_id, dates, ..
        } => Some((*series_id, dates)),
        _ => None,
    });
    let Some((id, dates)) = taken else {
        return Vec::new();
    };
    let waiting = business.series.get(&id).map(|it| &it.row.waiting);
    let dates: Vec<SeriesDate> = dates
        .iter()
        .filter(|it| waiting.is_some_and(|waiting| waiting.contains(it)))
        .copied()
        .collect();
    if dates.is_empty() {
        return Vec::new();
    }
    let all = |label: &str, way_of_all: DateWay| {
        let choices = dates.iter().map(|it| DateChoice {
            date: it.date,
            slot: it.slot,
            way: way_of_all,
            start_time: None,
        });
        let choices = choices.collect();
        let command = Command::SettleSeriesDates(SettleSeriesDates { id, choices });
        WayOut {
            has_seen: true,
            ..way(label, command)
        }
    };
    vec![
        all("Leave them out", DateWay::LeaveOut),
        all("Book them anyway", DateWay::Book),
    ]
}

/// `3 of 24 dates are taken: Dec 1, Dec 8 and Dec 15. They wait for your decision.`
fn taken_text(dates: &[SeriesDate], of: u32) -> String {
    const NAMED: usize = 5;
    let mut named: Vec<String> = dates.iter().map(|it| format::month_day(it.date)).collect();
    named.dedup();
    let more = named.len().saturating_sub(NAMED);
    named.truncate(NAMED);
    if 0 < more {
        named.push(format!("{more} more"));
    }
    let (are, wait) = match dates.len() {
        1 => ("is", "It waits"),
        _ => ("are", "They wait"),
    };
    let noun = format::plural(of as usize, "date");
    let (n, named) = (dates.len(), format::names(&named));
    format!("{n} of {of} {noun} {are} taken: {named}. {wait} for your decision.")
}

/// Sentences about visits in a time off that are not as expected, one for each reason, and about messages that were not sent.
pub fn time_off_texts(business: &Business, visits: &[LeftVisit], unsent: &[Id]) -> Vec<String> {
    const NAMED: usize = 5;
    let cycle = business.hour_cycle();
    let name_of = |id: Id| {
        let client = business.client(id);
        client.map_or_else(
            || "Deleted client".to_owned(),
            |it| format::set_apart(&it.name),
        )
    };
    let mut texts = Vec::new();
    for (why, one, many) in [
        (
            LeftWhy::Fixed,
            "is completed, under way, invoiced or paid by now and stays as it is",
            "are completed, under way, invoiced or paid by now and stay as they are",
        ),
        (
            LeftWhy::Changed,
            "was changed in the meantime and stays as it is",
            "were changed in the meantime and stay as they are",
        ),
        (
            LeftWhy::OtherTime,
            "was at another time than you saw; your decision was carried out anyway",
            "were at another time than you saw; your decision was carried out anyway",
        ),
        (
            LeftWhy::Taken,
            "stays as it is, because its time is taken",
            "stay as they are, because their times are taken",
        ),
        (
            LeftWhy::NoRoom,
            "stays as it is, because your plan or the day has no room for it",
            "stay as they are, because your plan or the day has no room for them",
        ),
        (
            LeftWhy::Unseen,
            "is in the blocked time, too, and takes place",
            "are in the blocked time, too, and take place",
        ),
    ] {
        let of_why = visits.iter().filter(|it| it.why == why);
        let mut named: Vec<String> = of_why
            .map(|it| {
                let at = format::day_and_time(it.date, it.start_time, cycle);
                [&name_of(it.client_id), " (", &at, ")"].concat()
            })
            .collect();
        let does = match named.len() {
            0 => continue,
            1 => one,
            _ => many,
        };
        let more = named.len().saturating_sub(NAMED);
        named.truncate(NAMED);
        if 0 < more {
            named.push(format!("{more} more"));
        }
        texts.push([&format::names(&named), " ", does, "."].concat());
    }
    let names: Vec<String> = unsent.iter().map(|it| name_of(*it)).collect();
    if !names.is_empty() {
        let names = format::names(&names);
        let (message, was) = match unsent.len() {
            1 => ("The message", "was"),
            _ => ("The messages", "were"),
        };
        texts.push(format!("{message} to {names} {was} not sent."));
    }
    texts
}

/// `2 of 14 visits keep the price that they have: they were changed, done or billed meanwhile.`
fn left_text(n: usize, of: u32) -> String {
    let noun = format::plural(of as usize, "visit");
    match n {
        1 => format!(
            "1 of {of} {noun} keeps the price that it has: it was changed, done or billed meanwhile."
        ),
        _ => format!(
            "{n} of {of} {noun} keep the price that they have: they were changed, done or billed meanwhile."
        ),
    }
}

fn kept(business: &Business, adjustment: &Adjustment) -> Option<String> {
    match adjustment {
        Adjustment::Kept { clients } => Some(stayed(business, clients)),
        Adjustment::DatesTaken { dates, of, .. } => Some(taken_text(dates, *of)),
        Adjustment::LeftAlone { services, of } => Some(left_alone(business, services, *of)),
        Adjustment::DelayLeft { changed, late } => Some(delay_left(business, changed, late)),
        Adjustment::PricesLeft { services, of } => Some(left_text(services.len(), *of)),
        _ => None,
    }
}

/// Says which visits of a delay stayed as they were, and why.
fn delay_left(business: &Business, changed: &[Id], late: &[Id]) -> String {
    let names = |ids: &[Id]| {
        let services = ids.iter().filter_map(|it| business.service(*it));
        let dogs: Vec<String> = services.flat_map(|it| it.dogs.clone()).collect();
        match dogs.as_slice() {
            [] => "a visit".to_owned(),
            dogs => "the visit of ".to_owned() + &format::names(dogs),
        }
    };
    let changed = (!changed.is_empty()).then(|| {
        let names = names(changed);
        format!("Left as it is, since it was changed, has begun or is over: {names}.")
    });
    let late = (!late.is_empty()).then(|| {
        let names = names(late);
        format!("Nobody was told, since the new time had come before this could be sent: {names}.")
    });
    let said: Vec<String> = changed.into_iter().chain(late).collect();
    said.join(" ")
}

/// Returns the sentence that names the clients who stayed when an import was undone.
pub fn stayed(business: &Business, clients: &[Id]) -> String {
    let known = clients.iter().filter_map(|it| business.client(*it));
    let names: Vec<String> = known.map(|it| it.name.clone()).collect();
    let why = "something was booked, written, billed or changed for them since.";
    match names.as_slice() {
        [] => ["Some clients stayed: ", why].concat(),
        names => [&format::names(names), " stayed: ", why].concat(),
    }
}

/// So many services are named one by one.
const SERVICES_NAMED: usize = 5;

/// Returns the sentence that names the services which stayed as they are: `2 of 5 visits stay as they are: Rex, Nov 30, 9:00 AM
/// (completed) and Luna, Dec 1, 1:00 PM (paid).` Of copies it says which were not made.
pub fn left_alone(business: &Business, services: &[LeftAlone], of: u32) -> String {
    let mut named: Vec<String> = services
        .iter()
        .take(SERVICES_NAMED)
        .map(|it| left_alone_name(business, it))
        .collect();
    let more = services.len().saturating_sub(SERVICES_NAMED);
    if 0 < more {
        named.push(format!("{more} more"));
    }
    let (n, named) = (services.len(), format::names(&named));
    let are_copies = services.iter().any(|it| it.copy_date.is_some());
    let stay = match (n, are_copies) {
        (1, false) => "stays as it is",
        (_, false) => "stay as they are",
        (1, true) => "was not copied",
        (_, true) => "were not copied",
    };
    let visits = format::plural(of as usize, "visit");
    format!("{n} of {of} {visits} {stay}: {named}.")
}

fn left_alone_name(business: &Business, left: &LeftAlone) -> String {
    let why = match left.why {
        LeftAloneWhy::Gone => "deleted",
        LeftAloneWhy::Completed => "completed",
        LeftAloneWhy::Cancelled => "cancelled",
        LeftAloneWhy::UnderWay => "under way",
        LeftAloneWhy::Invoiced => "on an invoice",
        LeftAloneWhy::Paid => "paid",
        LeftAloneWhy::Stay => "lasts for days",
        LeftAloneWhy::Changed => "changed since",
        LeftAloneWhy::NoPets => "its pets were deleted",
        LeftAloneWhy::Taken => "the time is taken",
        LeftAloneWhy::Full => "no room",
        LeftAloneWhy::Past => "the day is over",
    };
    match business.service(left.id) {
        Some(service) => {
            let dogs = format::names(&service.dogs);
            let day = format::month_day(left.copy_date.unwrap_or(service.date));
            let start = left.copy_time.unwrap_or(service.start_time);
            let time = format::time(start, business.hour_cycle());
            [&dogs, ", ", &day, ", ", &time, " (", why, ")"].concat()
        }
        None => format!("one that is gone ({why})"),
    }
}

/// A refusal in words for the person, as precisely as this phone knows.
pub fn reason(business: &Business, command: Option<&Command>, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Gone => gone(business, command),
        other => other.words(business.hour_cycle()),
    }
}

fn gone(business: &Business, command: Option<&Command>) -> String {
    let mut builds_on = command.map(|it| it.about().builds_on).unwrap_or_default();
    if let Some(Command::GrantRequest(it)) = command {
        let act = it.act(business);
        builds_on.extend(act.into_iter().flat_map(|it| it.about().builds_on));
    }
    let missing = builds_on.iter().find_map(|it| missing(business, *it));
    if missing.is_none() && !builds_on.is_empty() {
        return "What it builds on was missing then. It is here now.".to_owned();
    }
    let what = match missing {
        // Nobody else takes a request away that is still to come.
        Some(TableName::WalkRequest) => {
            return match command {
                Some(Command::WithdrawRequest(_)) => "This request was withdrawn before.",
                _ => "The client has withdrawn this request.",
            }
            .to_owned();
        }
        Some(TableName::Client) => "The client",
        Some(TableName::Pet) => "One of the pets",
        Some(TableName::Service) => "The service",
        Some(TableName::Series) => "The series",
        Some(TableName::Offering) => "The offering",
        Some(TableName::Pattern) => "The availability pattern",
        Some(TableName::BlockedTime) => "The blocked time",
        Some(TableName::Expense) => "The expense",
        _ => "What it is about",
    };
    what.to_owned() + " was deleted in the meantime."
}

/// Returns the table of what is missing: the row's, or that of the client whose row it is.
fn missing(business: &Business, key: RowKey) -> Option<TableName> {
    match business.get(key) {
        None => Some(key.table),
        Some(it) => {
            let client = client_of(&it.row);
            let is_gone = client.is_some_and(|it| business.client(it).is_none());
            is_gone.then_some(TableName::Client)
        }
    }
}

/// Describes what a refused change conflicts with. The list spans many days, so the day is always named.
fn obstacles(refusal: Option<&Refusal>, cycle: HourCycle) -> Vec<String> {
    let Some(Refusal::Conflict { with, .. }) = refusal else {
        return Vec::new();
    };
    with.iter()
        .map(|it| words::obstacle(it, Date::default(), cycle))
        .collect()
}

fn differences(
    business: &Business,
    command: Option<&Command>,
    outcome: &Outcome,
    cycle: HourCycle,
) -> Vec<Difference> {
    if let Some(Refusal::ChangedMeanwhile { changes }) = &outcome.refusal {
        return changes
            .iter()
            .map(|it| changed_meanwhile(it, cycle))
            .collect();
    }
    outcome
        .adjustments
        .iter()
        .filter_map(|it| difference(business, command, it, cycle))
        .collect()
}

fn difference(
    business: &Business,
    command: Option<&Command>,
    adjustment: &Adjustment,
    cycle: HourCycle,
) -> Option<Difference> {
    match adjustment {
        Adjustment::Overwritten(it) => Some(Difference {
            label: match pet_in(business, command, it) {
                Some(pet) => format::set_apart(pet) + ": " + &label(&it.field),
                None => label(&it.field),
            },
            yours: text(&it.field, &it.yours, cycle).unwrap_or_else(nothing),
            theirs: text(&it.field, &it.theirs, cycle).unwrap_or_else(nothing),
            is_price: false,
        }),
        Adjustment::Price { quoted, price } => Some(Difference {
            label: "Price".to_owned(),
            yours: quoted.to_string(),
            theirs: price.to_string(),
            is_price: true,
        }),
        Adjustment::Deactivated
        | Adjustment::Kept { .. }
        | Adjustment::DatesTaken { .. }
        | Adjustment::TimeOff { .. }
        | Adjustment::LeftAlone { .. }
        | Adjustment::DelayLeft { .. }
        | Adjustment::PricesLeft { .. } => None,
    }
}

/// Builds the difference between a deletion and the value that another device had set.
fn changed_meanwhile(it: &Overwritten, cycle: HourCycle) -> Difference {
    Difference {
        label: label(&it.field),
        yours: "(to be deleted)".to_owned(),
        theirs: text(&it.field, &it.theirs, cycle).unwrap_or_else(nothing),
        is_price: false,
    }
}

fn nothing() -> String {
    "(empty)".to_owned()
}

/// Lists the values that a person entered, from a command's arguments: everything but ids and what the app added by
/// itself.
fn words(command: Option<&Command>, args: &Value, cycle: HourCycle) -> Vec<Words> {
    let mut words = Vec::new();
    match command.and_then(Command::words) {
        Some(said) => words.extend(said.into_iter().map(|(label, text)| Words {
            label: label.to_owned(),
            text: text.to_owned(),
        })),
        None => collect(args, "", &mut words, cycle),
    }
    words
}

fn collect(value: &Value, of: &str, words: &mut Vec<Words>, cycle: HourCycle) {
    let Value::Object(fields) = value else { return };
    for (field, value) in fields {
        match value {
            Value::Object(_) => collect(value, of, words, cycle),
            Value::Array(list) if list.iter().any(Value::is_object) => {
                for it in list {
                    let name = it
                        .pointer("/changes/name")
                        .and_then(Value::as_str)
                        .unwrap_or_default();
                    collect(it, name, words, cycle);
                }
            }
            _ if is_internal(field) => {}
            _ => {
                if let Some(text) = text(field, value, cycle).filter(|it| !it.is_empty()) {
                    let label = label(field);
                    let label = if of.is_empty() || of == text {
                        label
                    } else {
                        format!("{of}: {label}")
                    };
                    words.push(Words { label, text });
                }
            }
        }
    }
}

/// Fields that the app fills in and no person types.
fn is_internal(field: &str) -> bool {
    let flags = [
        "is_new",
        "overlap_ok",
        "despite_cancel",
        "quoted_price",
        "display_order",
        "photo",
        "lat",
        "lng",
        "way_minutes",
        "tells_reason",
    ];
    field == "id"
        || field.ends_with("_id")
        || field.ends_with("_ids")
        || flags.contains(&field)
        || field == "removed_dogs"
}

/// A field's value as a person reads it; nothing for what is empty.
fn text(field: &str, value: &Value, cycle: HourCycle) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::Bool(yes) => Some(if *yes { "Yes" } else { "No" }.to_owned()),
        Value::Number(number) if kind_of(field) == FieldKind::Money => {
            serde_json::from_str::<Cents>(&number.to_string())
                .ok()
                .map(|it| it.to_string())
        }
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) => {
            let texts: Vec<String> = list
                .iter()
                .filter_map(|it| text(field, it, cycle))
                .collect();
            (!texts.is_empty()).then(|| format::names(&texts))
        }
        Value::String(words) => {
            if words.is_empty() {
                return None;
            }
            let written = match kind_of(field) {
                FieldKind::Date => words.parse::<Date>().ok().map(format::date),
                FieldKind::Time => {
                    let time = words.parse::<Time>().ok();
                    time.map(|it| format::time(it, cycle))
                }
                FieldKind::Money | FieldKind::Plain => None,
            };
            Some(written.unwrap_or_else(|| words.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{
        ApproveRequest, CancelService, CompleteService, CreateClient, DeleteClient, ImportClients,
        PetPatch, ScheduleService, SendMessage, ShareWalk, UndoImport, UpdateClient,
    };
    use crate::commands::{AskForService, WithdrawRequest};
    use crate::rows::message::Side;
    use crate::rows::other_text::OtherText;
    use crate::rows::pet::Pet;
    use crate::rows::service::Service;
    use crate::rows::walk_request::WalkRequest;
    use crate::rules::message::NOBODY_READS;
    use crate::rules::refusal::Obstacle;
    use crate::rules::refusal::OpenTime;
    use crate::rules::usage::{Limited, UsageLimit};
    use crate::sync::wire::{Mutation, SCHEMA};
    use crate::values::form_errors::FieldErrors;
    use crate::values::patch::Patch;
    use serde_json::json;

    fn entry(
        number: u64,
        command: &Command,
        outcome: impl FnOnce(Id) -> Outcome,
    ) -> AttentionEntry {
        let (name, args) = Mutation::parts(command);
        let id = Id::of(number.into());
        let mutation = Mutation {
            id,
            seq: number,
            v: SCHEMA,
            made_at: Instant(0),
            base_rev: 1,
            name,
            args,
        };
        AttentionEntry {
            entry: OutboxEntry {
                mutation,
                sentence: format!("Change {number}"),
                photos: Vec::new(),
                bring_back: None,
            },
            outcome: outcome(id),
        }
    }

    fn refused(refusal: Refusal) -> impl FnOnce(Id) -> Outcome {
        |id| Outcome::refused(id, refusal, 2)
    }

    fn patch(fields: Value) -> Patch {
        serde_json::from_value(fields).unwrap()
    }

    fn create_client() -> Command {
        Command::CreateClient(CreateClient {
            id: Id::of(100),
            client: patch(
                json!({ "name": "Dana", "walk_rate_30min": 27.5, "access_notes": "Key 14" }),
            ),
            dogs: vec![PetPatch {
                id: Id::of(101),
                is_new: true,
                changes: patch(json!({ "name": "Rex" })),
            }],
        })
    }

    fn schedule(number: u64, client: u64) -> Command {
        Command::ScheduleService(ScheduleService {
            id: Id::of(number.into()),
            service: patch(
                json!({ "client_id": Id::of(client.into()), "dog_ids": [Id::of(101)], "date": "2026-11-20",
                "start_time": "09:30", "notes": "Use the back door" }),
            ),
            overlap_ok: false,
            quoted_price: None,
            brings_back: false,
        })
    }

    fn shape(groups: &[AttentionGroup]) -> Vec<(String, Vec<String>)> {
        let sentences =
            |it: &AttentionGroup| it.items.iter().map(|it| it.sentence.clone()).collect();
        groups
            .iter()
            .map(|it| (it.title.clone(), sentences(it)))
            .collect()
    }

    #[test]
    fn of_a_refused_report_the_words_are_shown_and_not_the_way() {
        use crate::rows::report::{ClientReport, SharedEvent, SharedLine, SharedWalk};
        use crate::values::report_kind::ReportKind;
        use crate::values::walk_event::WalkEventKind;
        let event = SharedEvent {
            over_at: None,
            kind: WalkEventKind::Note,
            at: Instant(0),
            note: "Met a squirrel".to_owned(),
            place: None,
            photo: None,
            client_ids: None,
            dog_ids: Vec::new(),
            dogs: Vec::new(),
        };
        let share = Command::ShareWalk(ShareWalk {
            id: Id::of(700),
            walk: SharedWalk {
                lines: vec![SharedLine {
                    points: "_p~iF~ps|U".to_owned(),
                    after_gap: false,
                }],
                events: vec![event],
                ..SharedWalk::default()
            },
            reports: vec![ClientReport {
                id: Id::of(701),
                client_id: Id::of(100),
                dog_ids: vec![Id::of(101)],
                note: "Good dog".to_owned(),
                service_ids: Vec::new(),
            }],
            kind: ReportKind::Walk,
        });
        let groups = groups(
            &Business::default(),
            &[entry(1, &share, refused(Refusal::Gone))],
        );
        let item = &groups[0].items[0];
        assert_eq!(groups[0].title, "Report");
        let texts: Vec<&str> = item.words.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["Good dog", "Met a squirrel"]);
        assert_eq!(item.reasons, ["The client was deleted in the meantime."]);
    }

    #[test]
    fn what_followed_from_a_refused_client_stands_under_it() {
        let invalid = Refusal::Invalid { fields: Vec::new() };
        let entries = [
            entry(1, &create_client(), refused(invalid)),
            entry(
                2,
                &Command::CancelService(CancelService::new(Id::of(900))),
                refused(Refusal::AlreadyCompleted),
            ),
            entry(3, &schedule(200, 100), refused(Refusal::Gone)),
            entry(
                4,
                &Command::CompleteService(CompleteService {
                    id: Id::of(200),
                    notes: String::new(),
                    internal_notes: String::new(),
                    despite_cancel: false,
                }),
                refused(Refusal::Gone),
            ),
        ];
        let groups = groups(&Business::default(), &entries);
        assert_eq!(
            shape(&groups),
            [
                (
                    "Dana".to_owned(),
                    vec![
                        "Change 1".to_owned(),
                        "Change 3".to_owned(),
                        "Change 4".to_owned()
                    ]
                ),
                ("Schedule".to_owned(), vec!["Change 2".to_owned()]),
            ]
        );
        let waits: Vec<bool> = groups[0].items.iter().map(|it| it.waits).collect();
        assert_eq!(waits, [false, true, true]);
        assert_eq!(
            groups[0].items[1].reasons,
            ["An earlier change that this one builds on was turned down."]
        );
    }

    #[test]
    fn once_the_cause_is_settled_what_followed_waits_no_longer() {
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(Id::of(100), Instant(0))));
        business.put(1, Row::Pet(Pet::new(Id::of(101), Id::of(100))));
        let groups = groups(
            &business,
            &[entry(3, &schedule(200, 100), refused(Refusal::Gone))],
        );
        let item = &groups[0].items[0];
        assert!(!item.waits);
        assert_eq!(
            item.reasons,
            ["What it builds on was missing then. It is here now."]
        );
    }

    #[test]
    fn changes_of_one_row_stand_together_and_those_of_another_apart() {
        let update = |id: u64| {
            Command::UpdateClient(UpdateClient {
                id: Id::of(id.into()),
                changes: patch(json!({ "name": "X" })),
                dogs: Vec::new(),
                removed_dogs: Vec::new(),
            })
        };
        let mut business = Business::default();
        let mut client = Client::new(Id::of(7), Instant(0));
        client.name = "Amir".to_owned();
        business.put(1, Row::Client(client));
        let entries = [
            entry(1, &update(7), refused(Refusal::Gone)),
            entry(2, &update(8), refused(Refusal::Gone)),
            entry(3, &update(7), refused(Refusal::Gone)),
        ];
        let groups = groups(&business, &entries);
        assert_eq!(
            shape(&groups),
            [
                (
                    "Amir".to_owned(),
                    vec!["Change 1".to_owned(), "Change 3".to_owned()]
                ),
                ("Client".to_owned(), vec!["Change 2".to_owned()]),
            ]
        );
        assert_eq!(
            groups[1].items[0].reasons,
            ["The client was deleted in the meantime."]
        );
    }

    #[test]
    fn a_refused_service_stands_under_its_clients_name() {
        let mut business = Business::default();
        let mut client = Client::new(Id::of(7), Instant(0));
        client.name = "Amir".to_owned();
        business.put(1, Row::Client(client));
        let groups = groups(
            &business,
            &[entry(1, &schedule(200, 7), refused(Refusal::Taken))],
        );
        assert_eq!(
            shape(&groups),
            [("Amir".to_owned(), vec!["Change 1".to_owned()])]
        );
    }

    #[test]
    fn a_conflict_says_what_is_in_the_way() {
        let with = vec![
            Obstacle::Service {
                id: Id::of(1),
                client_name: "Amir".to_owned(),
                date: "2026-11-20".parse().unwrap(),
                start_time: "09:30".parse().unwrap(),
                duration_minutes: 30,
                end_date: None,
            },
            Obstacle::BlockedTime {
                id: Id::of(2),
                block_type: crate::rows::blocked_time::BlockType::Lunch,
                reason: "with Mia".to_owned(),
                date: "2026-11-20".parse().unwrap(),
                start_time: "12:00".parse().unwrap(),
                end_time: "13:00".parse().unwrap(),
            },
        ];
        let entries = [entry(
            1,
            &schedule(200, 100),
            refused(Refusal::Conflict {
                with,
                free: Vec::new(),
                next: None,
            }),
        )];
        let groups = groups(&Business::default(), &entries);
        let item = &groups[0].items[0];
        assert_eq!(
            item.reasons,
            ["Time slot conflict detected. Please choose a different time."]
        );
        assert_eq!(
            item.obstacles,
            [
                "Amir, Nov 20, 2026, 9:30 AM - 10:00 AM",
                "Blocked: with Mia, Nov 20, 2026, 12:00 PM - 1:00 PM"
            ]
        );
    }

    /// A business with Dana's request, which stands like that.
    fn asked(status: RequestStatus) -> Business {
        let request = WalkRequest {
            status,
            ..WalkRequest::new(Id::of(7), Id::of(100), Instant(0))
        };
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(Id::of(100), Instant(0))));
        business.put(1, Row::WalkRequest(request));
        business
    }

    fn refused_approval(business: &Business, refusal: Refusal) -> AttentionItem {
        let command = Command::ApproveRequest(ApproveRequest {
            id: Id::of(7),
            service_id: Id::of(8),
            sitter_response: String::new(),
            start_time: None,
            overlap_ok: false,
            price: None,
        });
        let entries = [entry(1, &command, refused(refusal))];
        groups(business, &entries).remove(0).items.remove(0)
    }

    fn conflict() -> Refusal {
        Refusal::Conflict {
            with: Vec::new(),
            free: Vec::new(),
            next: None,
        }
    }

    fn labels_of(item: &AttentionItem) -> Vec<&str> {
        item.ways.iter().map(|it| it.label.as_str()).collect()
    }

    #[test]
    fn a_withdrawal_after_the_approval_leads_to_a_request_to_cancel() {
        let request = WalkRequest {
            status: RequestStatus::Approved,
            scheduled_service_id: Some(Id::of(8)),
            ..WalkRequest::new(Id::of(7), Id::of(100), Instant(0))
        };
        let mut service = Service::new(Id::of(8), Instant(0));
        let mut business = Business::default();
        business.put(1, Row::WalkRequest(request));
        business.put(1, Row::Service(service.clone()));
        let withdraw = Command::WithdrawRequest(WithdrawRequest { id: Id::of(7) });
        let status = RequestStatus::Approved;
        let entries = [entry(
            1,
            &withdraw,
            refused(Refusal::AlreadyAnswered { status }),
        )];
        let ways = |business: &Business| groups(business, &entries)[0].items[0].ways.clone();
        let [way] = &ways(&business)[..] else {
            panic!("no way out");
        };
        assert_eq!(way.label, "Request to cancel");
        let Command::AskForChange(ask) = &way.command else {
            panic!("another command: {way:?}")
        };
        let service_id = service.id;
        assert_eq!(ask.change, RequestSubject::CancelService { service_id });
        service.status = ServiceStatus::Cancelled;
        business.put(2, Row::Service(service));
        assert_eq!(ways(&business), []);
    }

    #[test]
    fn a_time_that_cannot_be_asked_for_leads_to_the_nearest_one_that_can() {
        let request = json!({ "requested_date": "2026-12-18", "requested_start_time": "09:00" });
        let command = Command::AskForService(AskForService {
            id: Id::of(7),
            request: patch(request),
            quoted_price: None,
            repeats: None,
            group_id: None,
            is_wish: false,
        });
        let next = Some(OpenTime {
            date: "2026-12-04".parse().unwrap(),
            start_time: "11:30".parse().unwrap(),
        });
        for refusal in [
            Refusal::TooSoon { hours: 24, next },
            Refusal::TooFar {
                last: Date::default(),
                next,
            },
            Refusal::OutsideHours { next },
            Refusal::BetweenStarts { minutes: 30, next },
            Refusal::Conflict {
                with: Vec::new(),
                free: Vec::new(),
                next,
            },
        ] {
            let entries = [entry(1, &command, refused(refusal))];
            let item = groups(&Business::default(), &entries)[0].items[0].clone();
            assert!(item.has_form);
            assert!(item.reasons[0].ends_with(" The nearest open time is Dec 4, 2026, 11:30 AM."));
            let mut labels = vec!["Request Dec 4, 2026, 11:30 AM"];
            // Beyond the last day there is no wish.
            if !item.reasons[0].starts_with("Too far ahead") {
                labels.push("Request this time anyway");
                assert!(matches!(&item.ways[1].command, Command::AskForService(it) if it.is_wish));
            }
            assert_eq!(labels_of(&item), labels);
            let Command::AskForService(again) = &item.ways[0].command else {
                panic!("another command: {item:?}")
            };
            assert_eq!(again.request.0["requested_date"], "2026-12-04");
            assert_eq!(again.request.0["requested_start_time"], "11:30");
        }
    }

    #[test]
    fn a_refused_approval_leads_to_its_request_as_long_as_that_waits() {
        let item = refused_approval(&asked(RequestStatus::Pending), conflict());
        assert!(item.has_form);
        assert_eq!(labels_of(&item), ["Approve anyway"]);
    }

    #[test]
    fn what_was_answered_meanwhile_cannot_be_approved_anyway() {
        let item = refused_approval(&asked(RequestStatus::Declined), conflict());
        assert_eq!(item.reasons, ["This request was already declined."]);
        assert!(!item.has_form && item.ways.is_empty());
    }

    #[test]
    fn what_was_withdrawn_meanwhile_says_so() {
        let item = refused_approval(&Business::default(), conflict());
        assert_eq!(item.reasons, ["The client has withdrawn this request."]);
        assert!(!item.has_form && item.ways.is_empty());
        let item = refused_approval(&Business::default(), Refusal::Gone);
        assert_eq!(item.reasons, ["The client has withdrawn this request."]);
    }

    #[test]
    fn a_request_whose_client_was_deleted_meanwhile_says_so() {
        let mut business = asked(RequestStatus::Pending);
        business.delete(RowKey {
            table: TableName::Client,
            id: Id::of(100),
        });
        let item = refused_approval(&business, Refusal::Gone);
        assert_eq!(item.reasons, ["The client was deleted in the meantime."]);
    }

    #[test]
    fn the_words_of_a_change_are_what_a_person_entered() {
        let entries = [
            entry(1, &create_client(), refused(Refusal::Taken)),
            entry(2, &schedule(200, 5), refused(Refusal::Gone)),
        ];
        let groups = groups(&Business::default(), &entries);
        let said: Vec<String> = groups
            .iter()
            .flat_map(|it| &it.items)
            .flat_map(|it| &it.words)
            .map(|it| format!("{}: {}", it.label, it.text))
            .collect();
        assert_eq!(
            said,
            [
                "Access notes: Key 14",
                "Name: Dana",
                "Walk rate 30min: $27.50",
                "Name: Rex",
                "Date: Nov 20, 2026",
                "Notes: Use the back door",
                "Start time: 9:30 AM",
            ]
        );
    }

    fn labels(item: &AttentionItem) -> Vec<&str> {
        item.ways.iter().map(|it| it.label.as_str()).collect()
    }

    #[test]
    fn what_was_deleted_meanwhile_is_brought_back_with_the_change_and_then_changed() {
        let edit = Command::UpdateClient(UpdateClient {
            id: Id::of(100),
            changes: patch(json!({ "phone": "555" })),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        });
        let mut entry = entry(1, &edit, refused(Refusal::Gone));
        entry.entry.bring_back = Some(create_client());
        let mut business = Business::default();
        let item = &groups(&business, std::slice::from_ref(&entry))[0].items[0];
        assert_eq!(labels(item), ["Bring back with my change"]);
        assert_eq!(item.ways[0].command, create_client());

        business.put(1, Row::Client(Client::new(Id::of(100), Instant(0))));
        let item = &groups(&business, &[entry])[0].items[0];
        assert_eq!(labels(item), ["Send again"]);
        assert_eq!(item.ways[0].command, edit);
    }

    #[test]
    fn who_wants_to_delete_what_another_has_changed_sees_it_and_is_asked() {
        let changes = vec![Overwritten {
            field: "access_notes".to_owned(),
            theirs: json!("Key 14"),
            yours: Value::Null,
            kept: false,
            by: None,
        }];
        let delete = Command::DeleteClient(DeleteClient { id: Id::of(7) });
        let entries = [entry(
            1,
            &delete,
            refused(Refusal::ChangedMeanwhile { changes }),
        )];
        let groups = groups(&Business::default(), &entries);
        let item = &groups[0].items[0];
        assert_eq!(
            (labels(item), item.let_go.as_str()),
            (vec!["Delete anyway"], "Keep it")
        );
        assert!(item.ways[0].has_seen && !item.ways[0].same_id);
        assert_eq!(
            (
                item.differences[0].label.as_str(),
                item.differences[0].theirs.as_str()
            ),
            ("Access notes", "Key 14")
        );
    }

    #[test]
    fn what_the_server_may_have_done_already_goes_again_under_its_id() {
        let text = "Server error".to_owned();
        let ways = |refusal: Refusal| {
            let entries = [entry(1, &schedule(200, 5), refused(refusal))];
            let item = groups(&Business::default(), &entries)[0].items[0].clone();
            let [way] = item.ways.as_slice() else {
                panic!("one way: {item:?}")
            };
            (way.label.clone(), way.same_id, item.let_go)
        };
        let said = |(label, same_id, let_go): (&str, bool, &str)| {
            (label.to_owned(), same_id, let_go.to_owned())
        };
        assert_eq!(
            ways(Refusal::NotTaken { text }),
            said(("Try Again", true, "Discard"))
        );
        assert_eq!(
            ways(Refusal::Forgotten),
            said(("Send again", true, "Leave out"))
        );
        assert_eq!(ways(Refusal::Failed), said(("Try Again", false, "Discard")));
        let photo = Id::of(9);
        let text = "Too large".to_owned();
        assert_eq!(
            ways(Refusal::PhotoRefused { photo, text }),
            said(("Try Again", false, "Leave out"))
        );
    }

    #[test]
    fn a_message_goes_again_once_its_client_is_back_and_can_read_it() {
        let send = Command::SendMessage(SendMessage {
            id: Id::of(300),
            conversation_id: Id::of(100),
            content: "The key is under the mat".to_owned(),
            photo: None,
        });
        let ways = |business: &Business, refusal: Refusal| {
            let entries = [entry(1, &send, refused(refusal))];
            let item = groups(business, &entries)[0].items[0].clone();
            let [way] = item.ways.as_slice() else {
                assert!(item.ways.is_empty(), "one way at most: {item:?}");
                return None;
            };
            assert_eq!((&way.command, way.same_id), (&send, false));
            Some(way.label.clone())
        };
        let nobody_reads = || {
            let mut errors = FieldErrors::default();
            errors.check(true, "client_id", NOBODY_READS);
            Refusal::from(errors)
        };
        let mut business = Business::default();
        assert_eq!(ways(&business, Refusal::Gone), None);
        let mut client = Client::new(Id::of(100), Instant(0));
        business.put(1, Row::Client(client.clone()));
        assert_eq!(ways(&business, nobody_reads()), None);
        client.email = "dana@example.com".to_owned();
        business.put(2, Row::Client(client));
        let again = Some("Send again".to_owned());
        assert_eq!(ways(&business, nobody_reads()), again);
        assert_eq!(ways(&business, Refusal::Gone), again);
    }

    #[test]
    fn an_import_that_is_turned_down_shows_its_clients_and_can_go_again() {
        let import = Command::ImportClients(ImportClients {
            clients: vec![CreateClient {
                id: Id::of(100),
                client: patch(json!({ "name": "Dana", "phone": "555 010 4477" })),
                dogs: vec![PetPatch {
                    id: Id::of(101),
                    is_new: true,
                    changes: patch(json!({ "name": "Rex" })),
                }],
            }],
        });
        let usage = UsageLimit {
            current: 5,
            limit: 5,
        };
        let refusal = Refusal::LimitReached {
            what: Limited::Clients,
            usage,
            month: None,
        };
        let entries = [
            entry(1, &import, refused(refusal)),
            entry(2, &schedule(200, 100), refused(Refusal::Gone)),
        ];
        let groups = groups(&Business::default(), &entries);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].title, "Imported clients");
        let [item, booking] = groups[0].items.as_slice() else {
            panic!("two items: {groups:?}")
        };
        let words: Vec<&str> = item.words.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(words, ["Dana", "555 010 4477", "Rex"]);
        assert_eq!(labels(item), ["Send again"]);
        assert!(booking.waits);
    }

    #[test]
    fn who_stays_of_an_import_that_was_undone_is_named() {
        let ids = [Id::of(100), Id::of(101), Id::of(102)];
        let undo = Command::UndoImport(UndoImport {
            clients: ids.to_vec(),
        });
        let kept = vec![Adjustment::Kept {
            clients: ids[..2].to_vec(),
        }];
        let mut business = Business::default();
        for (id, name) in ids.into_iter().zip(["Dana", "Kim"]) {
            let mut client = Client::new(id, Instant(0));
            client.name = name.to_owned();
            business.put(1, Row::Client(client));
        }
        let entries = [entry(1, &undo, |id| Outcome::done(id, kept, 3))];
        let groups = groups(&business, &entries);
        assert_eq!(
            groups[0].items[0].reasons,
            [
                "Dana and Kim stayed: something was booked, written, billed or changed for them since."
            ]
        );
    }

    #[test]
    fn both_values_of_a_field_and_both_prices_are_told() {
        let adjustments = vec![
            Adjustment::Overwritten(Overwritten {
                field: "phone".to_owned(),
                theirs: json!(""),
                yours: json!("555"),
                kept: false,
                by: None,
            }),
            Adjustment::Price {
                quoted: Cents(25_00),
                price: Cents(30_00),
            },
        ];
        let entries = [entry(1, &schedule(200, 5), |id| {
            Outcome::done(id, adjustments, 3)
        })];
        let groups = groups(&Business::default(), &entries);
        let item = &groups[0].items[0];
        assert!(!item.refused);
        let said: Vec<[&str; 3]> = item
            .differences
            .iter()
            .map(|it| [it.label.as_str(), &it.yours, &it.theirs])
            .collect();
        assert_eq!(
            said,
            [["Phone", "555", "(empty)"], ["Price", "$25.00", "$30.00"]]
        );
        assert_eq!(item.reasons.len(), 2);
    }

    #[test]
    fn two_versions_of_a_pets_text_are_told_with_pet_and_person_and_settled_here() {
        let mut business = Business::default();
        let client = Client {
            name: "Dana Reyes".to_owned(),
            ..Client::new(Id::of(7), Instant(0))
        };
        let pet = Pet {
            name: "Rex".to_owned(),
            about: "loves cheese".to_owned(),
            other_texts: vec![OtherText {
                field: "about".to_owned(),
                content: "allergic to chicken".to_owned(),
                by: Some(Side::Client),
                at: Instant(0),
            }],
            ..Pet::new(Id::of(8), Id::of(7))
        };
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(pet.clone()));
        let command = Command::UpdateClient(UpdateClient {
            id: Id::of(7),
            changes: Patch::default(),
            dogs: vec![PetPatch {
                id: Id::of(8),
                is_new: false,
                changes: Patch::of("about", "loves cheese"),
            }],
            removed_dogs: Vec::new(),
        });
        let told = Adjustment::Overwritten(Overwritten {
            field: "about".to_owned(),
            theirs: json!("allergic to chicken"),
            yours: json!("loves cheese"),
            kept: true,
            by: Some(Side::Client),
        });
        let entry = entry(1, &command, |id| Outcome::done(id, vec![told], 2));
        let item = &groups(&business, std::slice::from_ref(&entry))[0].items[0];
        assert_eq!(
            item.reasons,
            [
                "Dana Reyes wrote another text in the meantime. Both are kept until one of you decides."
            ]
        );
        assert_eq!(item.differences[0].label, "Rex: About");
        let labels: Vec<&str> = item.ways.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(labels, ["Keep both", "Use theirs", "Keep mine"]);
        assert_eq!(item.let_go, "Decide later");

        let settled = Pet {
            other_texts: Vec::new(),
            ..pet
        };
        business.put(2, Row::Pet(settled));
        let item = &groups(&business, &[entry])[0].items[0];
        assert_eq!((item.ways.len(), item.let_go.as_str()), (0, "Got it"));
        assert_eq!(
            item.reasons,
            [
                "Dana Reyes wrote another text in the meantime. One of you has decided between them since."
            ]
        );
    }

    #[test]
    fn a_refused_photo_is_told_at_its_visit() {
        let (photo, visit) = (Id::of(40), Id::of(41));
        let read = |name: &str, args: Value| -> Command {
            serde_json::from_value(json!({ "name": name, "args": args })).unwrap()
        };
        let event = json!({ "id": Id::of(42), "kind": "photo", "at": Instant(0), "photo": photo });
        let live = read("send_live", json!({ "id": visit, "events": [event] }));
        let report = json!({ "id": Id::of(43), "client_id": Id::of(44), "dog_ids": [], "service_ids": [visit] });
        let walk = json!({ "started_at": Instant(0), "ended_at": Instant(0), "ran_seconds": 1 });
        let share = read(
            "share_walk",
            json!({ "id": Id::of(45), "walk": walk, "reports": [report] }),
        );
        let text = "Damaged".to_owned();
        let turned_down = Refusal::PhotoRefused { photo, text };
        let entries = [
            entry(1, &live, refused(turned_down.clone())),
            entry(2, &share, refused(turned_down.clone())),
            entry(3, &live, refused(Refusal::Failed)),
            entry(4, &create_client(), refused(turned_down.clone())),
        ];
        let told = |number, event_id| RefusedPhoto {
            id: Id::of(number),
            event_id,
            text: turned_down.to_string(),
        };
        let expected = [told(1, Some(Id::of(42))), told(2, None)];
        assert_eq!(refused_photos(&entries, visit), expected);
        assert_eq!(refused_photos(&entries, Id::of(99)), []);
    }
}
