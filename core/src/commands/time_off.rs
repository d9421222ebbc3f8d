//! Owns what a sitter's time off does: a time is blocked, the visits in it are cancelled, moved or kept, and their clients
//! hear of it, all by one command; and its undo.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::SendMessage;
use crate::commands::availability::{new_block, valid_block};
use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, LeftVisit, LeftWhy, Need, changed,
    removal, row,
};
use crate::commands::limit;
use crate::commands::series::{has_room_again, is_open, no_room};
use crate::commands::service::REOPEN_MINUTES;
use crate::commands::services::services_near;
use crate::rows::blocked_time::{BlockedTime, TimeOffNote};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::service::{Service, ServiceStatus, StartWindow};
use crate::rules::conflict::{self, ConflictRequest, Moved, check_blocked, check_moved};
use crate::rules::refusal::Obstacle;
use crate::rules::scheduling::IN_THE_PAST;
use crate::rules::service::{reprice, snapshot};
use crate::rules::time_off::{days_of, stands_in, visits_in};
use crate::rules::usage::{Limited, is_limited, month_of};
use crate::rules::ways_to_client::is_in_portal;
use crate::values::bounds::{TIME_OFF_CHARS, TIME_OFF_VISITS};
use crate::values::form_errors::FieldErrors;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::json::{read_by_field, read_by_name};
use crate::values::patch::Patch;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Instant, Refusal, Time};

/// Decision of a person on a visit in a time off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeOffWay {
    /// It is cancelled.
    Cancel,
    /// It takes place at another time; a stay cannot be moved.
    Move,
    /// It takes place all the same.
    Keep,
}

read_by_name!(TimeOffWay { Cancel, Move, Keep });

/// A visit in a time off as the person saw it, and the decision on it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TimeOffChoice {
    /// Id of the service.
    pub id: Id,
    /// Id of its client.
    pub client_id: Id,
    /// The visit's day as the person saw it.
    pub date: Date,
    /// The visit's start as the person saw it.
    pub start_time: Time,
    /// The decision itself.
    pub way: TimeOffWay,
    /// Its new day, where it is moved.
    #[serde(default)]
    pub to_date: Option<Date>,
    /// Its new start, where it is moved.
    #[serde(default)]
    pub to_start_time: Option<Time>,
}

read_by_field!(TimeOffChoice { id, client_id, date, start_time, way } or default { to_date, to_start_time });

/// A message to a client about a time off.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TimeOffMessage {
    /// Id of the message.
    pub id: Id,
    /// Id of the client.
    pub client_id: Id,
    /// Text of the message.
    pub content: String,
}

read_by_field!(TimeOffMessage {
    id,
    client_id,
    content
});

/// Blocks a time, decides on the visits in it, and writes to their clients. Visits that are completed, under way, invoiced
/// or paid stay, as does one that somebody has moved out of the time; a message is sent only if all that was decided for
/// its client came true.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TakeTimeOff {
    /// The new block's id.
    pub id: Id,
    /// Fields of the blocked time; missing ones have their defaults.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<BlockedTime>"))]
    pub blocked_time: Patch,
    /// The visits in it that the person saw; at most 366.
    #[serde(default)]
    pub visits: Vec<TimeOffChoice>,
    /// One message for each client at most.
    #[serde(default)]
    pub messages: Vec<TimeOffMessage>,
}

read_by_field!(TakeTimeOff { id, blocked_time } or default { visits, messages });

/// A visit as it was before a time off.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormerVisit {
    /// Id of the service.
    pub id: Id,
    /// Day of the visit.
    pub date: Date,
    /// Start of the visit.
    pub start_time: Time,
    /// It was confirmed to overlap something.
    #[serde(default)]
    pub overlap_ok: bool,
    /// The window that was agreed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<StartWindow>,
}

read_by_field!(FormerVisit { id, date, start_time } or default { overlap_ok, window });

/// Undoes a time off: the time is free again, and the visits come back as they were. Messages that are to be passed on go;
/// those that were sent stay. To be saved with the base revision of the time off, so that what others changed since stays.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoTimeOff {
    /// Id of the blocked time.
    pub id: Id,
    /// The visits that were cancelled or moved.
    #[serde(default)]
    pub visits: Vec<FormerVisit>,
}

read_by_field!(UndoTimeOff { id } or default { visits });

impl Intent for TakeTimeOff {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::BlockedTime, self.id),
            Need::Count(TableName::BlockedTime),
        ];
        let messages: Vec<Id> = self.messages.iter().map(|it| it.id).collect();
        let written_to = self.messages.iter().map(|it| it.client_id);
        let written_to: BTreeSet<Id> = written_to.collect();
        if !messages.is_empty() {
            let clients: Vec<Id> = written_to.iter().copied().collect();
            needs.push(Need::Rows(TableName::Message, messages));
            needs.push(Need::Rows(TableName::Conversation, clients.clone()));
            needs.push(Need::Rows(TableName::Client, clients));
        }
        if self.visits.is_empty() {
            return needs;
        }
        let ids: Vec<Id> = self.visits.iter().map(|it| it.id).collect();
        let moves = || self.visits.iter().filter(|it| it.way == TimeOffWay::Move);
        let days: BTreeSet<Date> = moves().filter_map(|it| it.to_date).collect();
        needs.extend(needs_to_place(
            &ids,
            moves().map(|it| it.id),
            &days,
            business,
        ));
        let block = new_block(self.id, &self.blocked_time);
        if let Some((first, last)) = days_of(&block.row, ctx.now.today()) {
            needs.push(Need::ServicesBetween(first.plus_days(-1), last));
            needs.push(Need::StaysBetween(first, last));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        take(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row(
            "Availability",
            Effect::Makes,
            TableName::BlockedTime,
            self.id,
        )
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        let reason = self.blocked_time.0.get("reason");
        let reason = reason.and_then(|it| it.as_str()).unwrap_or_default();
        let mut words = Vec::new();
        if !reason.is_empty() {
            words.push(("Reason", reason));
        }
        let messages = self.messages.iter();
        words.extend(messages.map(|it| ("Message", it.content.as_str())));
        Some(words)
    }
}

impl Intent for UndoTimeOff {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::BlockedTime, self.id)];
        if self.visits.is_empty() {
            return needs;
        }
        let ids: Vec<Id> = self.visits.iter().map(|it| it.id).collect();
        needs.extend(ids.iter().map(|it| changed(TableName::Service, *it)));
        let days: BTreeSet<Date> = self.visits.iter().map(|it| it.date).collect();
        needs.extend(needs_to_place(&ids, ids.iter().copied(), &days, business));
        let stays = ids.iter().filter_map(|it| business.service(*it));
        let stays = stays.filter_map(|it| Some((it.date, it.end_date?)));
        needs.extend(stays.map(|(first, last)| Need::StaysBetween(first, last)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        undo(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row(
            "Availability",
            Effect::Removes,
            TableName::BlockedTime,
            self.id,
        )
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        // Nobody types anything in it.
        Some(Vec::new())
    }
}

/// Lists the rows needed to put visits on these days.
fn needs_to_place(
    ids: &[Id],
    moved: impl Iterator<Item = Id>,
    days: &BTreeSet<Date>,
    business: &Business,
) -> Vec<Need> {
    let mut needs = vec![
        Need::Rows(TableName::Service, ids.to_vec()),
        Need::Table(TableName::Pattern),
        Need::Table(TableName::BlockedTime),
    ];
    needs.extend(limit::needs_of_plan());
    let (mut clients, mut offerings) = (BTreeSet::new(), BTreeSet::new());
    for service in moved.filter_map(|it| business.service(it)) {
        clients.insert(service.client_id);
        offerings.extend(service.offering_id);
    }
    if !clients.is_empty() {
        let clients: Vec<Id> = clients.into_iter().collect();
        needs.push(Need::Rows(TableName::Client, clients.clone()));
        needs.push(Need::PetsOfAny(clients));
    }
    if !offerings.is_empty() {
        let offerings = offerings.into_iter().collect();
        needs.push(Need::Rows(TableName::Offering, offerings));
    }
    needs.extend(services_near(days));
    if is_limited(business, Limited::Services) {
        // The plan counts months.
        let months: BTreeSet<(Date, Date)> = days.iter().map(|it| month_of(*it)).collect();
        let months = months.into_iter();
        needs.extend(months.map(|(first, last)| Need::ServicesBetween(first, last)));
    }
    needs
}

/// The services that a time off changes, and the visits that are not as the person expected.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    /// The services after it.
    pub moved: Moved,
    /// Visits that are not as expected.
    pub left: Vec<LeftVisit>,
}

impl Placed {
    fn put(&mut self, service: Service) {
        self.moved.0.insert(service.id, Some(service));
    }

    fn leave(&mut self, service: &Service, why: LeftWhy) {
        self.left.push(LeftVisit {
            id: service.id,
            client_id: service.client_id,
            date: service.date,
            start_time: service.start_time,
            why,
        });
    }

    fn changes(&self) -> impl Iterator<Item = Change> {
        let services = self.moved.0.values().flatten();
        services.map(|it| it.clone().into())
    }
}

/// Works out what becomes of the visits that a person decided on.
pub(crate) fn place(
    visits: &[TimeOffChoice],
    block: &BlockedTime,
    business: &Business,
    ctx: &Context,
) -> Result<Placed, Refusal> {
    let mut placed = Placed::default();
    let mut seen = BTreeSet::new();
    let mut moves = Vec::new();
    for choice in visits.iter().filter(|it| seen.insert(it.id)) {
        let gone = LeftVisit {
            id: choice.id,
            client_id: choice.client_id,
            date: choice.date,
            start_time: choice.start_time,
            why: LeftWhy::Changed,
        };
        let is_to_go = choice.way == TimeOffWay::Cancel;
        let service = match business.service(choice.id) {
            _ if choice.way == TimeOffWay::Keep => continue,
            // It is off already, which is what was meant.
            None if is_to_go => continue,
            Some(it) if it.status == ServiceStatus::Cancelled && is_to_go => {
                if it.series_off {
                    // It does not come back with its series any more.
                    placed.put(Service {
                        series_off: false,
                        ..it.clone()
                    });
                }
                continue;
            }
            None => {
                placed.left.push(gone);
                continue;
            }
            Some(it) => it,
        };
        let is_others = service.client_id != choice.client_id;
        if is_others || service.status == ServiceStatus::Cancelled {
            placed.left.push(gone);
        } else if !is_open(service) {
            placed.leave(service, LeftWhy::Fixed);
        } else if !ctx.is_shown && !stands_in(block, service) {
            placed.leave(service, LeftWhy::Changed);
        } else {
            if (service.date, service.start_time) != (choice.date, choice.start_time) {
                placed.leave(service, LeftWhy::OtherTime);
            }
            if is_to_go {
                placed.put(Service {
                    status: ServiceStatus::Cancelled,
                    cancelled_at: Some(ctx.acted_at()),
                    ..service.clone()
                });
            } else {
                moves.push((choice, service));
            }
        }
    }
    for (choice, service) in moves {
        let (Some(date), Some(start_time)) = (choice.to_date, choice.to_start_time) else {
            continue;
        };
        match moved_to(
            service,
            (date, start_time),
            Some(block),
            &placed.moved,
            business,
            ctx,
        )? {
            Ok(moved) => placed.put(moved),
            Err(why) => placed.leave(service, why),
        }
    }
    Ok(placed)
}

/// A visit at another time, with the price that it has there; or why it stays.
pub(crate) fn moved_to(
    service: &Service,
    (date, start_time): (Date, Time),
    block: Option<&BlockedTime>,
    moved: &Moved,
    business: &Business,
    ctx: &Context,
) -> Result<Result<Service, LeftWhy>, Refusal> {
    let mut after = Service {
        date,
        start_time,
        overlap_ok: false,
        ..service.clone()
    };
    after.settle_window();
    if !after.is_priced_like(service) {
        snapshot(&mut after, business)?;
        reprice(&mut after, business)?;
    }
    if ctx.is_shown {
        return Ok(Ok(after));
    }
    let request = ConflictRequest::of(&after);
    let answer = match block {
        Some(block) => check_blocked(business, moved, block, &request, &ctx.now),
        None => check_moved(business, moved, &request, &ctx.now),
    };
    if answer.conflict {
        return Ok(Err(LeftWhy::Taken));
    }
    if date != service.date {
        let mut others = moved.clone();
        others.0.insert(service.id, None);
        let is_other_month = month_of(date) != month_of(service.date);
        if no_room(business, &others, date, is_other_month).is_some() {
            return Ok(Err(LeftWhy::NoRoom));
        }
    }
    Ok(Ok(after))
}

/// Refuses decisions that cannot be carried out on any day, and messages that nobody can write.
fn check(command: &TakeTimeOff, business: &Business, ctx: &Context) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    for (n, choice) in command.visits.iter().enumerate() {
        if choice.way != TimeOffWay::Move {
            continue;
        }
        let field = |name: &str| format!("visits.{n}.{name}");
        let is_past = choice.to_date.is_some_and(|it| ctx.is_past(it));
        let no_date = choice.to_date.is_none();
        let no_start = choice.to_start_time.is_none();
        errors.check(no_date, &field("to_date"), "Please select a date");
        errors.check(is_past, &field("to_date"), IN_THE_PAST);
        errors.check(
            no_start,
            &field("to_start_time"),
            "Please select a start time",
        );
        let service = business.service(choice.id);
        let is_stay = service.is_some_and(|it| it.end_date.is_some());
        errors.check(is_stay, &field("way"), "A stay can be cancelled or kept");
    }
    let mut seen = BTreeSet::new();
    let mut n_chars = 0;
    for (n, message) in command.messages.iter().enumerate() {
        let field = |name: &str| format!("messages.{n}.{name}");
        n_chars += message.content.chars().count();
        let is_blank = message.content.trim().is_empty();
        errors.check(is_blank, &field("content"), "Write a message");
        errors.check(
            !seen.insert(message.client_id),
            &field("client_id"),
            "Write one message to each client",
        );
    }
    errors.check(
        TIME_OFF_CHARS < n_chars,
        "messages",
        "These messages are too long. Please shorten them",
    );
    errors.or(())
}

fn take(command: &TakeTimeOff, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let mut block = valid_block(command.id, &command.blocked_time, business)?;
    check(command, business, ctx)?;
    let mut placed = place(&command.visits, &block, business, ctx)?;
    let mut unsent = Vec::new();
    let mut messages = Vec::new();
    for message in &command.messages {
        let untrue = |it: &LeftVisit| it.client_id == message.client_id;
        let is_true = ctx.is_shown || !placed.left.iter().any(untrue);
        let client = business.client(message.client_id).filter(|_| is_true);
        let Some(client) = client else {
            unsent.push(message.client_id);
            continue;
        };
        if !is_in_portal(client) {
            block.to_pass_on.push(TimeOffNote {
                client_id: client.id,
                content: message.content.trim().to_owned(),
                written_at: ctx.acted_at(),
                passed_on_at: None,
            });
            continue;
        }
        let said = SendMessage {
            id: message.id,
            conversation_id: client.id,
            content: message.content.clone(),
            photo: None,
        };
        match said.decide(business, ctx) {
            Ok(decision) => messages.extend(decision.changes),
            Err(_) => unsent.push(client.id),
        }
    }
    if !command.visits.is_empty() && !ctx.is_shown {
        let known: BTreeSet<Id> = command.visits.iter().map(|it| it.id).collect();
        let found = visits_in(business, &block, &ctx.now);
        let unseen = found.into_iter().filter(|it| !known.contains(&it.id));
        for service in unseen.take(TIME_OFF_VISITS) {
            placed.leave(service, LeftWhy::Unseen);
        }
    }
    let mut changes = vec![Change::from(block)];
    changes.extend(placed.changes());
    changes.extend(messages);
    Ok(Decision {
        changes,
        adjustments: told(placed.left, unsent),
        ..Decision::default()
    })
}

/// Tells of visits that are not as expected, and of messages that were not sent; nothing where there are none.
fn told(mut visits: Vec<LeftVisit>, unsent: Vec<Id>) -> Vec<Adjustment> {
    if visits.is_empty() && unsent.is_empty() {
        return Vec::new();
    }
    visits.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    vec![Adjustment::TimeOff { visits, unsent }]
}

/// The fields that say whether a visit still is as a time off left it.
const OF_ITS_STATE: [&str; 9] = [
    "status",
    "date",
    "end_date",
    "start_time",
    "duration_minutes",
    "client_id",
    "progress",
    "paid",
    "invoice_id",
];

fn undo(command: &UndoTimeOff, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let block = business.blocked_times.get(&command.id);
    block.ok_or(Refusal::Gone)?;
    let mut placed = Placed::default();
    let mut seen = BTreeSet::new();
    for former in command.visits.iter().filter(|it| seen.insert(it.id)) {
        let Some(service) = business.service(former.id) else {
            continue;
        };
        match brought_back(service, former, command.id, &placed.moved, business, ctx)? {
            Ok(after) if after == *service => {}
            Ok(after) => placed.put(after),
            Err(why) => placed.leave(service, why),
        }
    }
    let mut changes = vec![removal(TableName::BlockedTime, command.id)];
    changes.extend(placed.changes());
    Ok(Decision {
        changes,
        adjustments: told(placed.left, Vec::new()),
        ..Decision::default()
    })
}

/// A visit as it was before a time off; or why it stays as it is.
fn brought_back(
    service: &Service,
    former: &FormerVisit,
    block_id: Id,
    moved: &Moved,
    business: &Business,
    ctx: &Context,
) -> Result<Result<Service, LeftWhy>, Refusal> {
    let key = RowKey {
        table: TableName::Service,
        id: service.id,
    };
    let mut theirs = business.field_changes.iter();
    let is_changed = theirs.any(|it| it.key == key && OF_ITS_STATE.contains(&it.field.as_str()));
    let was_cancelled = service.status == ServiceStatus::Cancelled;
    let is_recent = |at: Instant| ctx.acted_at().0 - at.0 <= REOPEN_MINUTES * MS_PER_MINUTE;
    // A visit that the time off has moved was cancelled by somebody since.
    let is_where_it_was = (service.date, service.start_time) == (former.date, former.start_time);
    let is_its_own = match was_cancelled {
        true => is_where_it_was && service.cancelled_at.is_some_and(is_recent),
        false => is_open(service),
    };
    if is_changed || !is_its_own {
        return Ok(Err(LeftWhy::Changed));
    }
    let mut after = Service {
        status: ServiceStatus::Scheduled,
        date: former.date,
        start_time: former.start_time,
        overlap_ok: former.overlap_ok,
        ..service.clone()
    };
    after.clear_cancellation();
    after.restore_window(former.window);
    if service.end_date.is_some() {
        // A stay was cancelled at most.
        after.date = service.date;
    }
    if !after.is_priced_like(service) {
        snapshot(&mut after, business)?;
        reprice(&mut after, business)?;
    }
    if ctx.is_shown || after == *service {
        return Ok(Ok(after));
    }
    let request = ConflictRequest::of(&after);
    let with = match after.end_date {
        None => check_moved(business, moved, &request, &ctx.now).with,
        Some(_) => conflict::check(business, &request, &ctx.now).with,
    };
    let is_obstacle =
        |it: &Obstacle| !matches!(it, Obstacle::BlockedTime { id, .. } if *id == block_id);
    if !after.overlap_ok && with.iter().any(is_obstacle) {
        return Ok(Err(LeftWhy::Taken));
    }
    if was_cancelled {
        let mut others = moved.clone();
        others.0.insert(service.id, None);
        if !has_room_again(business, &others, after.date) {
            return Ok(Err(LeftWhy::NoRoom));
        }
    }
    Ok(Ok(after))
}

#[cfg(test)]
mod tests;
