//! Owns what must hold of acts that concern several rows at once: what each may change, and what its undo brings back. They
//! look at one revision at a time, with the rows as a plain reader has them before and after it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use walkies_core::commands::TimeOffWay;
use walkies_core::rows::client::Client;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::series::{Series, SeriesDate, SeriesEnd, TripShare};
use walkies_core::rows::service::{ProgressStep, Service, ServiceStatus};
use walkies_core::rows::walk_request::{RequestSubject, WalkRequest};
use walkies_core::sync::wire::OutcomeKind;
use walkies_core::{Cents, Command, Date, Id};

use crate::acts::{is_fixed, is_untouched};
use crate::oracle::{Check, Timeline, ensure};

pub const I22: &str =
    "I22 an undo brings back what stood before, where nobody has touched it since";
pub const I23: &str = "I23 the parts of a trip come to its agreed total";
pub const I24: &str = "I24 an act on several visits does to those that it names what it says, and nothing to what is done, under way, billed or paid";
pub const I25: &str =
    "I25 a client who is inactive and a pet that is gone have the visits that the act left them";
pub const I26: &str = "I26 new rates change no price that is billed, paid or agreed";
pub const I27: &str = "I27 a delay moves each visit later on its day, and doubles none";
pub const I28: &str =
    "I28 what a person writes with an act reaches its client or waits to be passed on";
pub const I29: &str = "I29 a granted request is done";

/// A command that was done, with what is known of it.
#[derive(Clone)]
pub struct Done {
    pub id: Id,
    pub command: Command,
    pub outcome: OutcomeKind,
    /// The revision that its person had seen.
    pub base_rev: u64,
    /// The command that it undoes.
    pub undoes: Option<Id>,
    /// Its day by the phone's clock and by the server's.
    pub days: [Date; 2],
    /// The pet parent whose it is; the sitter's without one.
    pub user_id: Option<Id>,
}

/// The rows that a revision has changed as they were before it; `None` for one that was not there.
pub type Former = BTreeMap<String, Option<String>>;

/// The rows before an act that can be undone.
#[derive(Clone)]
pub struct Before {
    rev: u64,
    former: Former,
    days: [Date; 2],
}

impl Before {
    pub fn new(rev: u64, former: Former, done: &Done) -> Self {
        Self {
            rev,
            former,
            days: done.days,
        }
    }
}

/// The fields of a row of the feed.
pub fn fields_of(text: &str) -> Value {
    let mut row: Value = serde_json::from_str(text).unwrap();
    row["d"].take()
}

pub fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_value(fields_of(text)).unwrap()
}

/// A service that a revision has changed.
struct Changed {
    id: Id,
    before: Option<Service>,
    after: Option<Service>,
}

impl Changed {
    /// Both states; `None` where it was made or removed.
    fn both(&self) -> Option<(&Service, &Service)> {
        self.before.as_ref().zip(self.after.as_ref())
    }

    fn text(&self) -> String {
        format!("{} was {:?} and is {:?}", self.id, self.before, self.after)
    }
}

fn changed(timeline: &Timeline, former: &Former) -> Vec<Changed> {
    let services = former.iter().filter_map(|(key, before)| {
        let id = key.strip_prefix("service/")?.parse().ok()?;
        Some(Changed {
            id,
            before: before.as_deref().map(read),
            after: timeline.services.get(&id).cloned(),
        })
    });
    services.collect()
}

/// A service as it would be with the time of another one.
fn at_time_of(service: &Service, other: &Service) -> Service {
    Service {
        date: other.date,
        start_time: other.start_time,
        overlap_ok: other.overlap_ok,
        window_from: other.window_from,
        window_to: other.window_to,
        ..service.clone()
    }
}

/// Lists the visits that an act has cancelled by themselves, and not with their series.
pub fn cancelled(timeline: &Timeline, done: &Done, former: &Former) -> Vec<Id> {
    let changed = changed(timeline, former);
    let is_named = |id: &Id| match &done.command {
        Command::MarkServices(it) => it.marked.contains(id),
        Command::TakeTimeOff(it) => it.visits.iter().any(|it| it.id == *id),
        Command::DeactivateClient(it) => it.cancels.contains(id),
        _ => false,
    };
    let off = changed.iter().filter(|it| {
        it.both().is_some_and(|(before, after)| {
            before.status == ServiceStatus::Scheduled
                && after.status == ServiceStatus::Cancelled
                && (!after.series_off || is_named(&it.id))
        })
    });
    off.map(|it| it.id).collect()
}

/// The visits that a command brings back by their names.
pub fn brought_back(command: &Command) -> Vec<Id> {
    match command {
        Command::ReopenService(it) => vec![it.id],
        Command::MarkServices(it) if it.status == ServiceStatus::Scheduled => it.marked.clone(),
        Command::UndoTimeOff(it) => it.visits.iter().map(|it| it.id).collect(),
        Command::ActivateClient(it) => it.reopens.clone(),
        Command::RestorePet(it) => it.reopens.clone(),
        _ => Vec::new(),
    }
}

/// Checks what one act has done, `former` having the rows that it has changed.
pub fn check_act(timeline: &Timeline, done: &Done, former: &Former) -> Check {
    let changed = changed(timeline, former);
    check_several(timeline, done, &changed, former)?;
    check_messages(timeline, done)?;
    i25_departures(timeline, done, &changed)?;
    i29_granted(timeline, done, former)
}

fn check_several(timeline: &Timeline, done: &Done, changed: &[Changed], former: &Former) -> Check {
    match &done.command {
        Command::MoveServices(command) => {
            for it in changed {
                let wanted = command.moves.iter().find(|wanted| wanted.id == it.id);
                let is_right = it
                    .both()
                    .zip(wanted)
                    .is_some_and(|((before, after), wanted)| {
                        is_untouched(before)
                            && (after.date, after.start_time) == (wanted.date, wanted.start_time)
                            && *after == at_time_of(before, after)
                    });
                ensure!(is_right, I24, "moved, {}", it.text());
            }
        }
        Command::MarkServices(command) => {
            for it in changed {
                let is_right = command.marked.contains(&it.id)
                    && it.both().is_some_and(|(before, after)| {
                        let may = match command.status {
                            ServiceStatus::Cancelled => is_untouched(before),
                            ServiceStatus::Completed => before.status == ServiceStatus::Scheduled,
                            ServiceStatus::Scheduled => {
                                !before.paid && command.was.is_none_or(|it| it == before.status)
                            }
                        };
                        may && after.status == command.status
                            && !after.series_off
                            && (after.paid, after.invoice_id) == (before.paid, before.invoice_id)
                    });
                ensure!(is_right, I24, "marked, {}", it.text());
            }
        }
        Command::CopyServices(command) => {
            for it in changed {
                let copy = command.copies.iter().find(|copy| copy.id == it.id);
                let is_right = it.before.is_none()
                    && copy.zip(it.after.as_ref()).is_some_and(|(copy, after)| {
                        let original = timeline.services.get(&copy.original);
                        (after.date, after.start_time) == (copy.date, copy.start_time)
                            && is_untouched(after)
                            && after.series_id.is_none()
                            && after.price_override.is_none()
                            && original.is_some_and(|it| it.client_id == after.client_id)
                    });
                ensure!(is_right, I24, "copied, {}", it.text());
            }
        }
        Command::UndoCopy(command) => {
            for it in changed {
                let is_right = command.copied.contains(&it.id)
                    && it.after.is_none()
                    && it.before.as_ref().is_some_and(is_untouched);
                ensure!(is_right, I24, "a copy undone, {}", it.text());
            }
        }
        Command::TakeTimeOff(command) => {
            for it in changed {
                let choice = command.visits.iter().find(|choice| choice.id == it.id);
                let is_right = it
                    .both()
                    .zip(choice)
                    .is_some_and(|((before, after), choice)| match choice.way {
                        TimeOffWay::Keep => false,
                        TimeOffWay::Cancel => {
                            (is_untouched(before) || before.series_off)
                                && after.status == ServiceStatus::Cancelled
                                && !after.series_off
                        }
                        TimeOffWay::Move => {
                            is_untouched(before)
                                && is_untouched(after)
                                && Some(after.date) == choice.to_date
                                && Some(after.start_time) == choice.to_start_time
                        }
                    });
                ensure!(is_right, I24, "a time off, {}", it.text());
            }
        }
        Command::UndoTimeOff(command) => {
            for it in changed {
                let is_right = command.visits.iter().any(|former| former.id == it.id)
                    && it.both().is_some_and(|(before, after)| {
                        !is_fixed(before) && after.status == ServiceStatus::Scheduled
                    });
                ensure!(is_right, I24, "a time off undone, {}", it.text());
            }
        }
        Command::MoveVisits(command) => {
            for it in changed {
                let is_right = it.both().is_some_and(|(before, after)| {
                    is_untouched(before) && *after == at_time_of(before, after)
                });
                ensure!(is_right, I24, "in a better order, {}", it.text());
            }
            for moved in &command.moved {
                let start = timeline.services.get(&moved.id).map(|it| it.start_time);
                ensure!(
                    start == Some(moved.start_time),
                    I24,
                    "{} is at {start:?}, and the others have moved",
                    moved.id
                );
            }
        }
        Command::AnnounceDelay(command) => {
            for it in changed {
                let visit = command.delayed.iter().find(|visit| visit.id == it.id);
                let is_right = it
                    .both()
                    .zip(visit)
                    .is_some_and(|((before, after), visit)| {
                        let as_before = Service {
                            delay: before.delay.clone(),
                            ..at_time_of(after, before)
                        };
                        let start = after.start_time;
                        before.status == ServiceStatus::Scheduled
                            && before
                                .progress
                                .as_ref()
                                .is_none_or(|it| it.step != ProgressStep::Started)
                            && after.date == before.date
                            && as_before == *before
                            && (start == before.start_time || start == visit.start_time)
                            && before.start_time <= start
                    });
                ensure!(is_right, I27, "{}", it.text());
            }
            let messages = former.iter().filter(|it| it.0.starts_with("message/"));
            let messages = messages.filter_map(|it| timeline.rows.get(it.0));
            let clients: Vec<String> = messages
                .map(|it| fields_of(it)["client_id"].to_string())
                .collect();
            let each: BTreeSet<&String> = clients.iter().collect();
            ensure!(
                each.len() == clients.len(),
                I27,
                "clients were told of one delay twice: {clients:?}"
            );
        }
        Command::TakeBackDelay(command) => {
            for it in changed {
                let visit = command.delayed.iter().find(|visit| visit.id == it.id);
                let is_right = it
                    .both()
                    .zip(visit)
                    .is_some_and(|((before, after), visit)| {
                        let as_before = Service {
                            delay: before.delay.clone(),
                            ..at_time_of(after, before)
                        };
                        as_before == *before
                            && after.start_time == visit.planned
                            && after.delay.is_none()
                    });
                ensure!(is_right, I27, "taken back, {}", it.text());
            }
        }
        Command::RepriceServices(command) => {
            let is_named = |id: Id| command.prices.iter().any(|it| it.id == id);
            for it in changed {
                let is_right = is_named(it.id) && it.both().is_some_and(is_repriced);
                ensure!(is_right, I26, "{}", it.text());
            }
        }
        Command::RestorePrices(command) => {
            let is_named = |id: Id| command.prices.iter().any(|it| it.id == id);
            for it in changed {
                let is_right = is_named(it.id) && it.both().is_some_and(is_repriced);
                ensure!(is_right, I26, "undone, {}", it.text());
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns true if a visit to come without an agreed price has another one, and nothing else is another.
fn is_repriced((before, after): (&Service, &Service)) -> bool {
    let as_after = Service {
        price: after.price,
        pricing_breakdown: after.pricing_breakdown.clone(),
        ..before.clone()
    };
    is_untouched(before) && before.price_override.is_none() && as_after == *after
}

/// Checks the messages of an act of which nothing was left out.
fn check_messages(timeline: &Timeline, done: &Done) -> Check {
    if done.outcome != OutcomeKind::Applied {
        return Ok(());
    }
    let said = |id: Id| timeline.rows.get(&format!("message/{id}"));
    match &done.command {
        Command::TakeTimeOff(command) => {
            let block = timeline.rows.get(&format!("blocked_time/{}", command.id));
            let to_pass_on = block.map(|it| fields_of(it)["to_pass_on"].clone());
            let to_pass_on = to_pass_on.as_ref().and_then(Value::as_array);
            for message in &command.messages {
                let is_said = said(message.id)
                    .is_some_and(|it| fields_of(it)["content"] == message.content.as_str());
                let mut waiting = to_pass_on.into_iter().flatten();
                let waits = waiting.any(|it| {
                    it["client_id"] == message.client_id.to_string()
                        && it["content"] == message.content.as_str()
                });
                ensure!(
                    is_said || waits,
                    I28,
                    "{} of {} is nowhere",
                    message.content,
                    command.id
                );
            }
        }
        Command::AnnounceDelay(command) => {
            let of = |client_id: Id| {
                let delayed = command.delayed.iter();
                let services = delayed.filter_map(|it| timeline.services.get(&it.id));
                services.filter(move |it| it.client_id == client_id)
            };
            for news in &command.told {
                let is_said = said(news.message_id).is_some();
                let waits = of(news.client_id)
                    .any(|it| it.delay.as_ref().is_some_and(|it| !it.text.is_empty()));
                let has_any = of(news.client_id).next().is_some();
                let client = format!("client/{}", news.client_id);
                let is_there = timeline.rows.contains_key(&client);
                ensure!(
                    is_said || waits || !has_any || !is_there,
                    I28,
                    "nobody tells {} of a delay",
                    news.client_id
                );
            }
        }
        _ => {}
    }
    Ok(())
}

/// The visits of departures are as the act said.
fn i25_departures(timeline: &Timeline, done: &Done, changed: &[Changed]) -> Check {
    let client_of = |id: Id| -> Option<Client> {
        timeline
            .rows
            .get(&format!("client/{id}"))
            .map(|it| read(it))
    };
    let pet_of =
        |id: Id| -> Option<Pet> { timeline.rows.get(&format!("pet/{id}")).map(|it| read(it)) };
    // What is of neither clock's today can only be to come.
    let today = done.days.into_iter().max().unwrap();
    let (client_id, back) = match &done.command {
        Command::DeactivateClient(it) => (it.id, false),
        Command::ActivateClient(it) => (it.id, true),
        Command::MarkPetGone(it) => (pet_of(it.id).map_or(it.id, |it| it.client_id), false),
        Command::RestorePet(it) => (pet_of(it.id).map_or(it.id, |it| it.client_id), true),
        _ => return Ok(()),
    };
    for it in changed {
        let states = [&it.before, &it.after];
        let is_theirs = states
            .into_iter()
            .flatten()
            .all(|it| it.client_id == client_id);
        let was_fixed = it.before.as_ref().is_some_and(is_fixed);
        ensure!(is_theirs && !was_fixed, I25, "{}", it.text());
        let is_off = it
            .after
            .as_ref()
            .is_none_or(|it| it.status == ServiceStatus::Cancelled);
        let was_on = it.before.as_ref().is_some_and(is_untouched);
        ensure!(
            !(back && is_off && was_on),
            I25,
            "taken back, {}",
            it.text()
        );
    }
    let to_come = |it: &&Service| {
        it.client_id == client_id && is_untouched(it) && it.end_date.is_none() && today < it.date
    };
    match &done.command {
        Command::DeactivateClient(command) => {
            let client = client_of(command.id);
            let is_inactive = client.is_some_and(|it| it.inactive_since.is_some());
            ensure!(is_inactive, I25, "{} is not inactive", command.id);
            for service in timeline.services.values().filter(to_come) {
                let is_named = command.cancels.contains(&service.id);
                let of_ended = service
                    .series_id
                    .is_some_and(|it| command.ends.contains(&it));
                let is_late = service.series_date.is_some_and(|it| today < it);
                ensure!(
                    !(is_named || of_ended && is_late),
                    I25,
                    "{} takes place, and was to be cancelled with its client",
                    service.id
                );
            }
        }
        Command::ActivateClient(command) => {
            let client = client_of(command.id);
            let is_active = client.is_some_and(|it| it.inactive_since.is_none());
            ensure!(is_active, I25, "{} is not active", command.id);
        }
        Command::MarkPetGone(command) => {
            let pet = pet_of(command.id);
            let is_gone = pet.is_some_and(|it| it.gone_on == Some(command.on));
            ensure!(is_gone, I25, "{} is not gone on {}", command.id, command.on);
            for service in timeline.services.values().filter(to_come) {
                ensure!(
                    !service.dog_ids.contains(&command.id),
                    I25,
                    "{} is still for {}",
                    service.id,
                    command.id
                );
            }
        }
        Command::RestorePet(command) => {
            let is_back = pet_of(command.id).is_some_and(|it| it.gone_on.is_none());
            ensure!(is_back, I25, "{} is still gone", command.id);
        }
        _ => {}
    }
    Ok(())
}

/// Nothing is made of a series for a client who is inactive, by the nightly job, nor for a pet that is gone.
pub fn i25_made(timeline: &Timeline, former: &Former, is_job: bool) -> Check {
    let made = former.iter().filter(|it| it.1.is_none());
    let made = made.filter_map(|it| it.0.strip_prefix("service/")?.parse::<Id>().ok());
    let made = made.filter_map(|it| timeline.services.get(&it));
    // One that was made and cancelled, billed or done between two looks is not of what is there now.
    let made = made.filter(|it| is_untouched(it));
    for service in made.filter(|it| it.series_id.is_some()) {
        let is_inactive = timeline.inactive.contains(&service.client_id);
        ensure!(
            !is_job || !is_inactive,
            I25,
            "{} was made by night for a client who is inactive",
            service.id
        );
        // A pet that left between two looks was there when the visit was made, which was billed then, perhaps.
        let left_since = |id: &Id| {
            let before = former.get(&format!("pet/{id}"));
            before.is_some_and(|it| {
                it.as_ref()
                    .is_none_or(|it| read::<Pet>(it).gone_on.is_none())
            })
        };
        let gone = service.dog_ids.iter().find(|it| {
            let gone_on = timeline.gone_pets.get(it);
            gone_on.is_some_and(|on| *on <= service.date) && !left_since(it)
        });
        ensure!(
            gone.is_none(),
            I25,
            "{} was made for {gone:?}, which is gone",
            service.id
        );
    }
    Ok(())
}

/// A granted request has what it asks for.
fn i29_granted(timeline: &Timeline, done: &Done, former: &Former) -> Check {
    let Command::GrantRequest(command) = &done.command else {
        return Ok(());
    };
    let request = former.get(&format!("walk_request/{}", command.id));
    let Some(request) = request.cloned().flatten() else {
        // It was granted before.
        return Ok(());
    };
    let request: WalkRequest = read(&request);
    let series = |id: Id| -> Option<Series> {
        timeline
            .rows
            .get(&format!("series/{id}"))
            .map(|it| read(it))
    };
    let is_done = match request.subject {
        None => false,
        Some(RequestSubject::CancelService { service_id }) => timeline
            .services
            .get(&service_id)
            .is_some_and(|it| it.status == ServiceStatus::Cancelled),
        Some(RequestSubject::MoveService {
            service_id,
            date,
            start_time,
            end_date,
            departure_time,
        }) => timeline.services.get(&service_id).is_some_and(|it| {
            let moved = (it.date, it.start_time, it.end_date, it.departure_time);
            moved == (date, start_time, end_date, departure_time)
        }),
        Some(RequestSubject::PauseSeries { series_id, .. }) => {
            let series = series(series_id);
            series.is_some_and(|it| it.pauses.iter().any(|it| it.id == request.id))
        }
        Some(RequestSubject::Series { .. }) => {
            series(request.id).is_some_and(|it| it.client_id == request.client_id)
        }
        Some(RequestSubject::LeaveOutDate {
            series_id,
            date,
            slot,
        }) => !timeline.services.values().any(|it| {
            let is_named = it.series_id == Some(series_id) && it.series_date == Some(date);
            let is_slot = slot.is_none_or(|slot| it.series_slot == Some(slot));
            let is_stay = slot.is_none() && it.end_date.is_some();
            is_named && is_slot && !is_stay && is_untouched(it)
        }),
    };
    ensure!(
        is_done,
        I29,
        "{:?} was granted, and is not done",
        request.subject
    );
    Ok(())
}

/// The parts of each trip that was changed come to what was agreed, and its visits are priced by them.
pub fn i23_trips(timeline: &Timeline, former: &Former, today: Date) -> Check {
    for key in former.keys().filter(|it| it.starts_with("series/")) {
        let Some(text) = timeline
            .rows
            .get(key)
            .filter(|it| it.contains("\"trip\":{"))
        else {
            continue;
        };
        let series: Series = read(text);
        let Some((trip, total)) = series.trip.as_ref().and_then(|it| Some((it, it.total?))) else {
            continue;
        };
        // Called off before it began.
        if matches!(series.end, SeriesEnd::On { date } if date < series.begins()) {
            continue;
        }
        let visits: BTreeMap<SeriesDate, &Service> = timeline
            .services
            .values()
            .filter_map(|it| it.occurrence().map(|(of, key)| (of, key, it)))
            .filter(|it| it.0 == series.id)
            .map(|(_, key, it)| (key, it))
            .collect();
        let sum: Cents = trip.shares.iter().map(|it| it.amount).sum();
        let is_part = |visit: &Service| {
            let agreed = visit.price_override.as_ref();
            agreed.is_some_and(|it| it.reason.starts_with("Part of "))
        };
        // Where what is kept is more than the total, nothing is left for the others.
        let is_open = |it: &&TripShare| {
            let visit = visits.get(&it.key());
            let is_open = visit.is_some_and(|it| is_untouched(it) && is_part(it));
            is_open && today < it.date
        };
        let mut open = trip.shares.iter().filter(is_open);
        ensure!(
            sum == total || (total < sum && open.all(|it| it.amount == Cents::ZERO)),
            I23,
            "{key} comes to {sum}, and {total} was agreed: {:?}",
            trip.shares
        );
        for (key, visit) in visits.into_iter().filter(|it| is_untouched(it.1)) {
            let share = trip.shares.iter().find(|it| it.key() == key);
            ensure!(
                !is_part(visit) || share.is_some_and(|it| it.amount == visit.price),
                I23,
                "{} costs {}, and its part of {} is {share:?}",
                visit.id,
                visit.price,
                series.id
            );
        }
    }
    Ok(())
}

/// Tables of which an undo brings rows back; what was said to somebody stays said.
const UNDONE: &[&str] = &["service", "series", "client", "pet", "blocked_time"];

/// After an undo that was done whole, each row that its act had changed and nobody else is as it was before.
pub fn i22_undone(timeline: &Timeline, done: &Done, rev: u64) -> Check {
    let Some(before) = done.undoes.and_then(|it| timeline.befores.get(&it)) else {
        return Ok(());
    };
    // A phone on another day than the server takes other visits for past ones.
    let is_dated_alike = before.days == done.days && done.days[0] == done.days[1];
    if done.outcome != OutcomeKind::Applied || !is_dated_alike {
        return Ok(());
    }
    let since = done.base_rev.min(before.rev - 1);
    let others = timeline.log.iter().rev().take_while(|it| since < it.0);
    let others = others.filter(|it| it.0 != before.rev && it.0 != rev);
    let others: Vec<_> = others.collect();
    let touched: BTreeSet<&str> = others.iter().map(|it| it.1.as_str()).collect();
    // What somebody has done, billed or priced since keeps its part of a trip, and the other parts come to the rest.
    let has_touched_visit = |series: &str| {
        let visits = others.iter().filter(|it| it.1.starts_with("service/"));
        visits
            .map(|it| it.2.as_deref())
            .any(|it| it.is_none_or(|row| row.contains(series)))
    };
    for (key, was) in &before.former {
        let table = key.split('/').next().unwrap_or_default();
        if touched.contains(key.as_str()) || !UNDONE.contains(&table) {
            continue;
        }
        let is = timeline.rows.get(key);
        let (was, is) = (was.as_deref().map(fields_of), is.map(|it| fields_of(it)));
        let is_remade = timeline
            .log
            .iter()
            .any(|it| it.0 == before.rev && it.1 == *key && it.2.is_none());
        let comparable = |mut fields: Value| {
            let own: &[&str] = match (table, &done.command) {
                // How far it is made is the calendar's.
                ("series", _) => &["made_until", "due_on"],
                // A visit that is made anew has the rates of now, and so has one that follows its series back.
                ("service", _) if is_remade => &[
                    "price",
                    "pricing_breakdown",
                    "created_at",
                    "overlap_ok",
                    "offering_name",
                ],
                ("service", Command::RestoreSeries(_)) => &["price", "pricing_breakdown"],
                // A window that was agreed for the start ends with it.
                (
                    "service",
                    Command::MoveServices(_) | Command::UndoTimeOff(_) | Command::TakeBackDelay(_),
                ) => &["window_from", "window_to"],
                _ => &[],
            };
            if let Some(fields) = fields.as_object_mut() {
                fields.retain(|field, _| !own.contains(&field.as_str()));
            }
            let id = key.strip_prefix("series/");
            if id.is_some_and(has_touched_visit)
                && let Some(trip) = fields["trip"].as_object_mut()
            {
                trip.remove("shares");
                trip.remove("total");
            }
            fields
        };
        let (was, is) = (was.map(comparable), is.map(comparable));
        // Which visits there are, and how they are, is up to the series, that somebody else has changed since.
        let series = was.as_ref().or(is.as_ref()).map(|it| &it["series_id"]);
        let series = series.and_then(Value::as_str);
        let is_of_touched =
            series.is_some_and(|it| touched.contains(format!("series/{it}").as_str()));
        ensure!(
            was == is || is_of_touched,
            I22,
            "{} undid {}, and {key} was {was:?} and is {is:?}",
            done.id,
            done.undoes.unwrap_or_default()
        );
    }
    Ok(())
}
