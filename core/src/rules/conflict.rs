//! Owns whether a time is free for a service: other services with the buffer around it, and blocked times
//! (decisions, Server-side rules). It decides nothing about dates in the past or working hours.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rows::blocked_time::BlockedTime;
use crate::rows::pattern::Pattern;
use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::rules::refusal::Obstacle;
use crate::rules::scheduling::{CONSTRAINTS, DEFAULT_START, STEP_MINUTES, start_times};
use crate::values::bounds::{DAYS_SEARCHED, OBSTACLES, STAY_DAYS};
use crate::values::date::MINUTES_PER_DAY;
use crate::values::interval::Interval;
use crate::values::json::read_by_field;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Now, Refusal, Time};

/// A service that is to take place, or the question whether it could.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConflictRequest {
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// On which day.
    pub date: Date,
    /// When it is to begin.
    pub start_time: Time,
    /// How long it is to be, without the minutes that are kept free around it.
    pub duration_minutes: u32,
    /// The service itself, where it exists already: it is not in its own way.
    #[serde(default)]
    pub service_id: Option<Id>,
    /// The last day of a stay.
    #[serde(default)]
    pub end_date: Option<Date>,
    /// When the stay ends on its last day; the whole of its first and last day without it.
    #[serde(default)]
    pub departure_time: Option<Time>,
}

read_by_field!(ConflictRequest { service_type, date, start_time, duration_minutes }
    or default { service_id, end_date, departure_time });

/// Answer to the question whether a time is free.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConflictAnswer {
    /// True if something is in the way.
    pub conflict: bool,
    /// The obstacles: the first `OBSTACLES` services, and as many blocked times.
    pub with: Vec<Obstacle>,
    /// Blocked times that allow emergencies, as many: to be told, not to be refused.
    pub warnings: Vec<Obstacle>,
    /// Starts on the same day that are free for this length; empty when nothing is in the way.
    pub free: Vec<Time>,
}

impl ConflictRequest {
    /// The question for a service's own time.
    pub fn of(service: &Service) -> Self {
        Self {
            service_type: service.service_type,
            date: service.date,
            start_time: service.start_time,
            duration_minutes: service.duration_minutes,
            service_id: Some(service.id),
            end_date: service.end_date,
            departure_time: service.departure_time,
        }
    }

    fn interval(&self) -> Interval {
        self.starting(self.start_time)
    }

    /// The time if it begins at `start` of its day.
    pub(crate) fn starting(&self, start: Time) -> Interval {
        let start = self.date.minute(start);
        Interval {
            start,
            end: start + i64::from(self.duration_minutes),
        }
    }
}

/// Services that a command makes, changes and removes, by id: they count as they are after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moved(pub BTreeMap<Id, Option<Service>>);

/// Finds the obstacles of a service, and if a visit has any, the free starts of its day.
pub fn check(business: &Business, request: &ConflictRequest, now: &Now) -> ConflictAnswer {
    match request.end_date {
        Some(last) => check_stay(business, request, last),
        None => check_moved(business, &Moved::default(), request, now),
    }
}

/// The same of a visit, as if other services had been made, changed and removed already.
pub(crate) fn check_moved(
    business: &Business,
    moved: &Moved,
    request: &ConflictRequest,
    now: &Now,
) -> ConflictAnswer {
    answer(&Day::of_moved(business, moved, None, request), request, now)
}

/// The same, as if a time were blocked already, too.
pub(crate) fn check_blocked(
    business: &Business,
    moved: &Moved,
    block: &BlockedTime,
    request: &ConflictRequest,
    now: &Now,
) -> ConflictAnswer {
    let day = Day::of_moved(business, moved, Some(block), request);
    answer(&day, request, now)
}

fn answer(day: &Day<'_>, request: &ConflictRequest, now: &Now) -> ConflictAnswer {
    let (with, warnings) = day.obstacles(request.interval());
    let conflict = !with.is_empty();
    let free = if conflict {
        day.free_starts(request, now)
    } else {
        Vec::new()
    };
    ConflictAnswer {
        conflict,
        with,
        warnings,
        free,
    }
}

/// Finds the obstacles of a stay (decisions, What is sold is booked): as many other stays on one of its days as that
/// day's hours let run at once, or a blocked time that takes the whole of such a day. Visits are no obstacle.
fn check_stay(business: &Business, request: &ConflictRequest, last: Date) -> ConflictAnswer {
    let first = request.date;
    let last = last.min(first.plus_days(i64::from(STAY_DAYS) - 1));
    let day = |date: Date| date.days_since_epoch() - first.days_since_epoch();
    let asked = minutes_of_stay((first, last), request.start_time, request.departure_time);
    let stays: Vec<&Service> = business
        .stays_between(first, last)
        .into_iter()
        .filter(|it| it.status != ServiceStatus::Cancelled && Some(it.id) != request.service_id)
        .collect();
    let spans: Vec<(Interval, &Service)> = stays
        .iter()
        .map(|it| {
            let days = (it.date, it.end_date.unwrap_or(it.date));
            (minutes_of_stay(days, it.start_time, it.departure_time), *it)
        })
        .collect();
    let counts = Concurrency::of(&spans);
    let mut full = Vec::new();
    let (mut closed, mut warned) = (Vec::new(), Vec::new());
    for n in 0..=day(last) {
        let date = first.plus_days(n);
        let at_once = patterns_of(business, date, request.service_type)
            .first()
            .map_or(1, |it| it.max_concurrent_services.max(1));
        let midnight = date.minute(Time::hour(0));
        let that_day = Interval {
            start: midnight.max(asked.start),
            end: (midnight + MINUTES_PER_DAY).min(asked.end),
        };
        if that_day.start < that_day.end {
            full.extend(counts.at_least(at_once, that_day));
        }
        for block in business.blocked_times.values().map(|it| &it.row) {
            if block.blocked_services.contains(&request.service_type)
                && block.blocks_whole_days()
                && block.interval_on(date).is_some()
            {
                let found = if block.allows_emergency {
                    &mut warned
                } else {
                    &mut closed
                };
                if found.len() < OBSTACLES {
                    found.push(blocked(block, date));
                }
            }
        }
    }
    let mut with: Vec<Obstacle> = spans
        .iter()
        .filter(|(it, _)| overlaps_any(&full, *it))
        .take(OBSTACLES)
        .map(|(_, service)| obstacle(service))
        .collect();
    with.extend(closed);
    ConflictAnswer {
        conflict: !with.is_empty(),
        with,
        warnings: warned,
        free: Vec::new(),
    }
}

/// The minutes that a stay takes: from its arrival to its departure where that is known, else all of its days.
fn minutes_of_stay((first, last): (Date, Date), start: Time, departure: Option<Time>) -> Interval {
    match departure {
        Some(departure) => Interval {
            start: first.minute(start),
            end: last.minute(departure),
        },
        None => Interval {
            start: first.minute(Time::hour(0)),
            end: last.minute(Time::hour(0)) + MINUTES_PER_DAY,
        },
    }
}

/// The start that the schedule form proposes: from the default one on the first that is free and not over yet, one beside
/// another service before others where the business prefers that; on a full day the first that is not over, on a day that
/// is over the default one (SPEC 9, Scheduling).
pub fn proposed_start(business: &Business, date: Date, now: &Now) -> Time {
    let request = ConflictRequest {
        service_type: ServiceType::Walk,
        date,
        start_time: DEFAULT_START,
        duration_minutes: CONSTRAINTS.default_walk_duration,
        service_id: None,
        end_date: None,
        departure_time: None,
    };
    let day = Day::of(business, &request);
    let free = day.free_starts(&request, now);
    let in_blocks = business
        .config()
        .is_some_and(|it| it.prefer_block_scheduling);
    let beside = free
        .iter()
        .copied()
        .filter(|it| in_blocks && day.is_beside(request.starting(*it), STEP_MINUTES, |_| true));
    let proposed = beside
        .chain(free.iter().copied())
        .chain(starts_to_come(date, now))
        .find(|it| DEFAULT_START <= *it);
    proposed.unwrap_or(DEFAULT_START)
}

/// The first day with a free start, from the wanted day on, and its free starts. Services count at the times that `moved`
/// gives them, and the blocked time as if it existed; the wanted start is among the free ones where it is free. A day
/// without hours is passed over where others have hours. `None` if the next `DAYS_SEARCHED` days have none.
pub(crate) fn next_free(
    business: &Business,
    moved: &Moved,
    block: &BlockedTime,
    wanted: &ConflictRequest,
    now: &Now,
) -> Option<(Date, Vec<Time>)> {
    let mut patterns = business.patterns.values().map(|it| &it.row);
    let has_hours =
        patterns.any(|it| it.is_active && it.service_types.contains(&wanted.service_type));
    (0..i64::from(DAYS_SEARCHED)).find_map(|days| {
        let request = ConflictRequest {
            date: wanted.date.plus_days(days),
            ..wanted.clone()
        };
        let day = Day::of_moved(business, moved, Some(block), &request);
        if has_hours && day.patterns.is_empty() {
            return None;
        }
        let mut free = day.free_starts(&request, now);
        let start = request.start_time;
        let own = request.starting(start);
        let in_hours = day.patterns.is_empty() || day.holder(own).is_some();
        let is_to_come = (now.today(), now.time()) < (request.date, start);
        if !free.contains(&start) && in_hours && is_to_come && day.is_free(own) {
            free.push(start);
        }
        (!free.is_empty()).then_some((request.date, free))
    })
}

/// The refusal where `check` finds something in the way.
pub(crate) fn refuse(
    business: &Business,
    request: &ConflictRequest,
    now: &Now,
) -> Result<(), Refusal> {
    let answer = check(business, request, now);
    if answer.conflict {
        Err(Refusal::Conflict {
            with: answer.with,
            free: answer.free,
            next: None,
        })
    } else {
        Ok(())
    }
}

/// The active patterns of a day for a type, the one that counts first at the front.
pub(crate) fn patterns_of(
    business: &Business,
    date: Date,
    service_type: ServiceType,
) -> Vec<&Pattern> {
    let mut patterns: Vec<&Pattern> = business
        .patterns
        .values()
        .map(|it| &it.row)
        .filter(|it| it.is_active && it.day_of_week == date.day_of_week())
        .filter(|it| it.service_types.contains(&service_type))
        .collect();
    patterns.small_sort_by_key(|it| (std::cmp::Reverse(it.priority), it.id));
    patterns
}

/// How many services run at once, from which minute on; by time, each minute once.
struct Concurrency(Vec<(i64, i64)>);

impl Concurrency {
    fn of(services: &[(Interval, &Service)]) -> Self {
        let mut steps: Vec<(i64, i64)> = services
            .iter()
            .flat_map(|(it, _)| [(it.start, 1), (it.end, -1)])
            .collect();
        steps.small_sort_by_key(|it| *it);
        let mut counts: Vec<(i64, i64)> = Vec::new();
        let mut running = 0;
        for (minute, step) in steps {
            running += step;
            match counts.last_mut() {
                Some(last) if last.0 == minute => last.1 = running,
                _ => counts.push((minute, running)),
            }
        }
        Self(counts)
    }

    /// When at least so many run, within a time.
    fn at_least(&self, count: u32, within: Interval) -> impl Iterator<Item = Interval> {
        let first = self.0.partition_point(|it| it.0 <= within.start);
        let counts = self.0.get(first.saturating_sub(1)..).unwrap_or_default();
        let ends = counts.iter().skip(1).map(|it| it.0);
        let stretches = counts.iter().zip(ends.chain([i64::MAX]));
        stretches
            .take_while(move |((start, _), _)| *start < within.end)
            .filter(move |((_, running), _)| i64::from(count) <= *running)
            .map(move |((start, _), end)| Interval {
                start: within.start.max(*start),
                end: within.end.min(end),
            })
            .filter(|it| it.start < it.end)
    }
}

/// Returns true if an interval overlaps one of these, which are sorted by time and apart from each other.
fn overlaps_any(apart: &[Interval], interval: Interval) -> bool {
    let next = apart.partition_point(|it| it.end <= interval.start);
    apart.get(next).is_some_and(|it| it.overlaps(interval))
}

/// All that can be in the way of one kind of service on one day, gathered once for many questions: each of them takes
/// no longer for it that the day is full.
pub(crate) struct Day<'a> {
    date: Date,
    /// The patterns of the day and type, by priority.
    pub(crate) patterns: Vec<&'a Pattern>,
    /// By start and id.
    services: Vec<(Interval, &'a Service)>,
    counts: Concurrency,
    /// By start and id.
    blocks: Vec<(Interval, Date, &'a BlockedTime)>,
    /// The times of those blocks that allow no emergencies, joined where they touch.
    closed: Vec<Interval>,
}

/// Starts that the schedule form offers and that are not over yet.
fn starts_to_come(date: Date, now: &Now) -> impl Iterator<Item = Time> {
    let (today, time) = (now.today(), now.time());
    start_times().filter(move |start| today < date || (date == today && time <= *start))
}

impl<'a> Day<'a> {
    pub(crate) fn of(business: &'a Business, request: &ConflictRequest) -> Self {
        static NONE: Moved = Moved(BTreeMap::new());
        Self::of_moved(business, &NONE, None, request)
    }

    fn of_moved(
        business: &'a Business,
        moved: &'a Moved,
        block: Option<&'a BlockedTime>,
        request: &ConflictRequest,
    ) -> Self {
        let date = request.date;
        // A service lasts at most 8 hours and a buffer as long: what matters lies within a day on either side.
        let (yesterday, tomorrow) = (date.plus_days(-1), date.plus_days(1));
        let mut visits = business.visits_between(yesterday, tomorrow);
        if !moved.0.is_empty() {
            visits.retain(|it| !moved.0.contains_key(&it.id));
            let is_near = |it: &&Service| (yesterday..=tomorrow).contains(&it.date);
            let others = moved.0.values().flatten().filter(is_near);
            visits.extend(others.filter(|it| it.end_date.is_none()));
            visits.small_sort_by_key(|it| (it.date, it.start_time, it.id));
        }
        let services: Vec<_> = visits
            .into_iter()
            .filter(|it| it.status != ServiceStatus::Cancelled && Some(it.id) != request.service_id)
            .map(|it| (it.interval(), it))
            .collect();
        let mut blocks = Vec::new();
        for date in [yesterday, date, tomorrow] {
            let known = business.blocked_times.values().map(|it| &it.row);
            for block in known.chain(block) {
                if block.blocked_services.contains(&request.service_type)
                    && let Some(interval) = block.interval_on(date)
                {
                    blocks.push((interval, date, block));
                }
            }
        }
        blocks.small_sort_by_key(|(interval, _, block)| (interval.start, block.id));
        let mut closed: Vec<Interval> = Vec::new();
        for (blocked, ..) in blocks.iter().filter(|it| !it.2.allows_emergency) {
            match closed.last_mut() {
                Some(last) if blocked.start <= last.end => last.end = last.end.max(blocked.end),
                _ => closed.push(*blocked),
            }
        }
        Self {
            date,
            patterns: patterns_of(business, date, request.service_type),
            counts: Concurrency::of(&services),
            services,
            blocks,
            closed,
        }
    }

    /// The pattern that holds a time of this day: the first by priority that it lies in whole.
    pub(crate) fn holder(&self, interval: Interval) -> Option<&'a Pattern> {
        self.patterns.iter().copied().find(|it| {
            self.date.minute(it.start_time) <= interval.start
                && interval.end <= self.date.minute(it.end_time)
        })
    }

    /// That time with what has to be kept free around it, and how many services may run in it beside the one asked for.
    fn taken(&self, interval: Interval) -> (Interval, u32) {
        // Decisions: outside all patterns one service at a time, with no buffer.
        let (buffer, max_concurrent) = self.holder(interval).map_or((0, 1), |it| {
            (it.buffer_minutes, it.max_concurrent_services.max(1))
        });
        (interval.with_buffer(buffer), max_concurrent)
    }

    /// Returns true if nothing is in the way of a service in that time.
    pub(crate) fn is_free(&self, interval: Interval) -> bool {
        let (taken, max_concurrent) = self.taken(interval);
        !overlaps_any(&self.closed, taken)
            && self.counts.at_least(max_concurrent, taken).next().is_none()
    }

    /// Returns true if a visit for which `counts` holds ends shortly before that time or begins shortly after it:
    /// between the two, with the buffer kept, no other service could begin in steps of so many minutes.
    pub(crate) fn is_beside(
        &self,
        interval: Interval,
        step_minutes: u32,
        counts: impl Fn(&Service) -> bool,
    ) -> bool {
        let buffer = self.holder(interval).map_or(0, |it| it.buffer_minutes);
        let reach = i64::from(buffer) + i64::from(step_minutes);
        self.services.iter().any(|(it, service)| {
            let gap = (it.start - interval.end).max(interval.start - it.end);
            (0..reach).contains(&gap) && counts(service)
        })
    }

    /// Returns the obstacles of that time, and the blocked times that only warn.
    fn obstacles(&self, interval: Interval) -> (Vec<Obstacle>, Vec<Obstacle>) {
        let (taken, max_concurrent) = self.taken(interval);
        let mut with = self.too_many(taken, max_concurrent);
        with.extend(self.blocked(taken, false));
        (with, self.blocked(taken, true).collect())
    }

    /// The first blocks in that time that allow emergencies, or that do not.
    fn blocked(&self, taken: Interval, allows_emergency: bool) -> impl Iterator<Item = Obstacle> {
        self.blocks
            .iter()
            .filter(move |(it, _, block)| {
                block.allows_emergency == allows_emergency && taken.overlaps(*it)
            })
            .take(OBSTACLES)
            .map(|(_, date, block)| blocked(block, *date))
    }

    /// The first services that run at a moment at which one more would be too many.
    fn too_many(&self, taken: Interval, max_concurrent: u32) -> Vec<Obstacle> {
        let full: Vec<Interval> = self.counts.at_least(max_concurrent, taken).collect();
        self.services
            .iter()
            .filter(|(it, _)| overlaps_any(&full, *it))
            .take(OBSTACLES)
            .map(|(_, service)| obstacle(service))
            .collect()
    }

    /// Starts of this day that the schedule form offers, that are free and not over yet.
    fn free_starts(&self, request: &ConflictRequest, now: &Now) -> Vec<Time> {
        starts_to_come(self.date, now)
            .filter(|start| {
                let interval = request.starting(*start);
                let in_hours = self.patterns.is_empty() || self.holder(interval).is_some();
                in_hours && self.is_free(interval)
            })
            .collect()
    }
}

fn blocked(block: &BlockedTime, date: Date) -> Obstacle {
    Obstacle::BlockedTime {
        id: block.id,
        block_type: block.block_type,
        reason: block.reason.clone(),
        date,
        start_time: block.start_time,
        end_time: block.end_time,
    }
}

fn obstacle(service: &Service) -> Obstacle {
    Obstacle::Service {
        id: service.id,
        client_name: service.client_name.clone(),
        date: service.date,
        start_time: service.start_time,
        duration_minutes: service.duration_minutes,
        end_date: service.end_date,
    }
}
