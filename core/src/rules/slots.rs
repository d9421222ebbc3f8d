//! Owns which starts clients are offered, active patterns less blocked times and services (decisions, Server-side rules),
//! why others are not, and which free starts are suggested: those beside other visits.

use serde::{Deserialize, Serialize};

use crate::rows::client::Client;
use crate::rows::pattern::Pattern;
use crate::rows::service::{Service, ServiceType};
use crate::rules::conflict::{self, ConflictRequest, Day};
use crate::rules::refusal::OpenTime;
use crate::rules::scheduling::{STEP_MINUTES, start_times};
use crate::values::bounds::{CALENDAR_DAYS, DAYS_SEARCHED};
use crate::values::instant::MS_PER_HOUR;
use crate::values::interval::Interval;
use crate::values::place::Place;
use crate::values::plane::distance_m;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Instant, Now, Refusal, Time};

/// A time that can be booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Slot {
    /// When it begins.
    pub start_time: Time,
    /// When it ends.
    pub end_time: Time,
    /// The pattern that holds it; absent on a day without patterns, on which every free time is open.
    #[serde(default)]
    pub pattern_id: Option<Id>,
    /// It lies beside another visit.
    #[serde(default)]
    pub suggested: bool,
}

/// Steps below this would offer a list that nobody reads.
const LEAST_STEP_MINUTES: u32 = 5;

/// From one home to the next in a quarter of an hour on foot, in meters, straight.
const NEAR_M: f64 = 1_000.0;

/// Rules by which free starts are suggested, from the slot settings.
pub(crate) struct Suggestions<'a> {
    business: &'a Business,
    /// The client for whom the time is, where known.
    client: Option<&'a Client>,
    is_smart: bool,
    in_blocks: bool,
}

impl<'a> Suggestions<'a> {
    /// Those for a client. Without one the homes of others count as near: a pet parent who could ask for one place after
    /// the other would else find out who lives where.
    pub(crate) fn of(business: &'a Business, client_id: Option<Id>) -> Self {
        let config = business.config();
        Self {
            business,
            client: client_id.and_then(|it| business.client(it)),
            is_smart: config.is_some_and(|it| it.enable_smart_suggestions),
            in_blocks: config.is_some_and(|it| it.prefer_block_scheduling),
        }
    }

    /// Returns true if that time is suggested: beside another visit, or with smart suggestions alone, beside one at a
    /// home nearby.
    pub(crate) fn have(&self, day: &Day<'_>, interval: Interval, step_minutes: u32) -> bool {
        (self.is_smart || self.in_blocks)
            && day.is_beside(interval, step_minutes, |it| {
                self.in_blocks || self.is_near(it)
            })
    }

    /// Returns true if the way from a visit to the client is short. Homes that are not known count as near.
    fn is_near(&self, visit: &Service) -> bool {
        let home = |it: Option<&Client>| it.and_then(|it| Place::from_degrees(it.lat?, it.lng?));
        match (
            home(self.client),
            home(self.business.client(visit.client_id)),
        ) {
            (Some(from), Some(to)) => distance_m(from, to) <= NEAR_M,
            _ => true,
        }
    }
}

/// Answer to a client who asks for a day of which no start is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClosedDay {
    /// Why, in words; absent where a start is open.
    pub reason: Option<String>,
    /// The nearest open start after that day, or the last one before a day that is too far ahead.
    pub next: Option<OpenTime>,
}

/// Stretch of days of the calendar from which a client chooses, with those that are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenDays {
    /// The first day of the stretch.
    pub first: Date,
    /// Its last day; the day before `first` where the sitter takes no requests for the stretch.
    pub until: Date,
    /// The last day for which requests are taken; none where nothing limits it, and for stays.
    pub last: Option<Date>,
    /// Days of the stretch with an open start; for a stay, those that no other stay and no blocked time takes.
    pub days: Vec<Date>,
}

/// Kind of what a client wants to know the open days for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenFor {
    /// A visit of this many minutes; 0 for the business's default.
    Visit(u32),
    /// A stay of days or nights.
    Stay,
}

/// The last day for which clients may ask, by the pattern that goes furthest; without patterns there is none.
pub fn last_day(business: &Business, service_type: ServiceType, now: &Now) -> Option<Date> {
    let patterns = business.patterns.values().map(|it| &it.row);
    let days = max_advance_days_for(service_type, patterns);
    days.map(|it| now.today().plus_days(it.into()))
}

/// Returns the largest number of days ahead for which clients may ask for a type of service; `None`, no limit, where no active
/// pattern has it.
pub fn max_advance_days_for<'a>(
    service_type: ServiceType,
    patterns: impl Iterator<Item = &'a Pattern>,
) -> Option<u32> {
    max_advance_days(patterns.filter(|it| it.service_types.contains(&service_type)))
}

/// How many days ahead clients may ask at most, by these patterns; without an active one there is no limit.
fn max_advance_days<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Option<u32> {
    patterns
        .filter(|it| it.is_active)
        .map(|it| it.max_advance_days)
        .max()
}

/// Hours ahead for which clients have to ask at least on a day without patterns: as many as on the day on which they are the
/// fewest. A business without an active pattern of this type asks for none.
fn least_advance_hours(business: &Business, service_type: ServiceType) -> u32 {
    let patterns = business.patterns.values().map(|it| &it.row);
    let open = patterns.filter(|it| it.is_active && it.service_types.contains(&service_type));
    open.map(|it| it.min_advance_hours)
        .min()
        .unwrap_or_default()
}

/// The free starts of a day for a service of that length, the suggested ones first and each by time; a length of 0 means
/// the default one.
///
/// Each start belongs to the first pattern by priority that holds it, and follows that pattern's step, buffer,
/// concurrency, and limits on how early and late to book. Hours ahead are hours that really pass, whatever the
/// clock is changed by in between. On a day without patterns every start of the schedule form is open that nothing
/// overlaps, as early and as far ahead as the patterns of other days allow.
pub fn open_slots(
    business: &Business,
    date: Date,
    service_type: ServiceType,
    duration_minutes: u32,
    now: &Now,
) -> Vec<Slot> {
    OfferedDay::new(business, date, service_type, duration_minutes, now).open_slots()
}

/// Why no start of a day is open to a service of that length, and the nearest one that is.
pub fn closed_day(
    business: &Business,
    date: Date,
    service_type: ServiceType,
    duration_minutes: u32,
    now: &Now,
) -> ClosedDay {
    let day = OfferedDay::new(business, date, service_type, duration_minutes, now);
    if !day.open_slots().is_empty() {
        return ClosedDay::default();
    }
    let standing = day.starts().into_iter().map(|it| it.standing).max();
    let reason = match standing {
        None => "A visit this long does not fit into the hours of this day.".to_owned(),
        Some(Standing::Open | Standing::Taken) => "Every time on this day is taken.".to_owned(),
        Some(Standing::TooSoon { hours: 0 }) => "All times on this day have passed.".to_owned(),
        Some(standing) => day.refusal(standing, None).to_string(),
    };
    let start = Time::hour(0);
    let next = match standing {
        Some(standing) => day.next(standing, start),
        None => day.next_from(start),
    };
    let reason = Some(reason);
    ClosedDay { reason, next }
}

/// Days up to the last one for which clients may ask that are listed with those before them.
const DAYS_LISTED_TOO: i64 = 6;

/// Returns the days of one stretch of the calendar, from a day or from today on: as many as the settings list at once, up to
/// the last day for which clients may ask.
pub fn listed_days(
    business: &Business,
    from: Date,
    service_type: ServiceType,
    open_for: OpenFor,
    now: &Now,
) -> OpenDays {
    let first = from.max(now.today());
    let last = match open_for {
        OpenFor::Visit(_) => last_day(business, service_type, now),
        OpenFor::Stay => None,
    };
    let furthest = now.today().plus_days(i64::from(CALENDAR_DAYS));
    let until = first.plus_days(n_days_listed(business) - 1);
    // A few days more are no stretch of their own.
    let until = match last {
        Some(last) if last <= until.plus_days(DAYS_LISTED_TOO) => last,
        _ => until,
    };
    let until = until.min(furthest);
    OpenDays {
        first,
        until: until.max(first.plus_days(-1)),
        last,
        days: Vec::new(),
    }
}

/// Finds the open days of a stretch of the calendar.
pub fn open_days(
    business: &Business,
    from: Date,
    service_type: ServiceType,
    open_for: OpenFor,
    now: &Now,
) -> OpenDays {
    let mut listed = listed_days(business, from, service_type, open_for, now);
    let days = (0..i64::from(DAYS_SEARCHED)).map(|n| listed.first.plus_days(n));
    let days = days.take_while(|it| *it <= listed.until);
    let is_open = |date: &Date| match open_for {
        OpenFor::Visit(minutes) => {
            let day = OfferedDay::new(business, *date, service_type, minutes, now);
            let mut starts = day.starts().into_iter();
            starts.any(|it| it.standing == Standing::Open)
        }
        OpenFor::Stay => {
            let wanted = ConflictRequest {
                service_type,
                date: *date,
                start_time: Time::hour(0),
                duration_minutes: 0,
                service_id: None,
                end_date: Some(*date),
                departure_time: None,
            };
            !conflict::check(business, &wanted, now).conflict
        }
    };
    listed.days = days.filter(is_open).collect();
    listed
}

/// Refuses a time that a client may not ask for: with its own reason, and with the nearest time that would do. What is
/// in its way is not for others to know.
pub(crate) fn refuse_closed(
    business: &Business,
    service: &Service,
    now: &Now,
) -> Result<(), Refusal> {
    let Service {
        date,
        service_type,
        duration_minutes,
        start_time: start,
        ..
    } = *service;
    let day = OfferedDay::new(business, date, service_type, duration_minutes, now);
    let holder = day.day.holder(day.interval(start));
    let standing = match holder {
        None if !day.day.patterns.is_empty() => {
            let furthest = max_advance_days(day.day.patterns.iter().copied()).unwrap_or_default();
            let last = now.today().plus_days(furthest.into());
            if date <= last {
                let next = day.next_from(start);
                return Err(Refusal::OutsideHours { next });
            }
            Standing::TooFar { last }
        }
        holder => day.standing(holder, start),
    };
    if standing == Standing::Open || standing == Standing::Taken {
        let minutes = day.step;
        let is_between = holder.is_some_and(|it| {
            let offset =
                i64::from(start.minute_of_day()) - i64::from(it.start_time.minute_of_day());
            offset % i64::from(minutes) != 0
        });
        if is_between {
            let next = day.next_from(start);
            return Err(Refusal::BetweenStarts { minutes, next });
        }
    }
    match standing {
        Standing::Open => Ok(()),
        standing => Err(day.refusal(standing, day.next(standing, start))),
    }
}

/// Returns true if a client can ask for a service although its time is not offered: the sitter decides on it. Beyond the
/// last day of all, and once the time has passed, nothing can be asked for.
pub(crate) fn can_be_wished(business: &Business, service: &Service, now: &Now) -> bool {
    let at = Instant::from_civil(service.date, service.start_time, &now.zone);
    let last = last_day(business, service.service_type, now);
    now.at < at && last.is_none_or(|it| service.date <= it)
}

/// The days whose services must be known to name the nearest open time, both included.
pub fn days_searched(
    business: &Business,
    date: Date,
    service_type: ServiceType,
    now: &Now,
) -> (Date, Date) {
    let n = n_days_listed(business);
    match last_day(business, service_type, now).filter(|it| *it < date) {
        Some(last) => (last.plus_days(-n - 1), last.plus_days(1)),
        None => (date.plus_days(-1), date.plus_days(n + 1)),
    }
}

/// Number of days that are listed at once, and searched for the nearest open time.
fn n_days_listed(business: &Business) -> i64 {
    let shown = business.config().map(|it| it.show_slots_days_ahead);
    shown
        .map_or(DAYS_SEARCHED, |it| it.min(DAYS_SEARCHED))
        .into()
}

/// How a start stands for a client; of several starts the greatest says most of their day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    TooFar { last: Date },
    TooSoon { hours: u32 },
    Taken,
    Open,
}

struct OfferedStart {
    start_time: Time,
    pattern_id: Option<Id>,
    standing: Standing,
}

/// The starts of one day for one kind and length of service.
struct OfferedDay<'a> {
    business: &'a Business,
    date: Date,
    service_type: ServiceType,
    length: u32,
    /// Minutes between two starts.
    step: u32,
    day: Day<'a>,
    now: &'a Now,
}

impl<'a> OfferedDay<'a> {
    fn new(
        business: &'a Business,
        date: Date,
        service_type: ServiceType,
        duration_minutes: u32,
        now: &'a Now,
    ) -> Self {
        let config = business.config();
        let length = match duration_minutes {
            0 => config.map_or(30, |it| it.default_slot_duration_minutes),
            minutes => minutes,
        };
        let day = Day::of(
            business,
            &ConflictRequest {
                service_type,
                date,
                start_time: Time::hour(0),
                duration_minutes: length,
                service_id: None,
                end_date: None,
                departure_time: None,
            },
        );
        let step = config
            .map_or(30, |it| it.slot_interval_minutes)
            .max(LEAST_STEP_MINUTES);
        Self {
            business,
            date,
            service_type,
            length,
            step: if day.patterns.is_empty() {
                STEP_MINUTES
            } else {
                step
            },
            day,
            now,
        }
    }

    fn on(&self, date: Date) -> Self {
        Self::new(
            self.business,
            date,
            self.service_type,
            self.length,
            self.now,
        )
    }

    fn interval(&self, start: Time) -> Interval {
        let start = self.date.minute(start);
        Interval {
            start,
            end: start + i64::from(self.length),
        }
    }

    /// How a start stands that this pattern holds, or none on a day without patterns.
    fn standing(&self, holder: Option<&Pattern>, start: Time) -> Standing {
        let today = self.now.today();
        let last = match holder {
            Some(it) => Some(today.plus_days(it.max_advance_days.into())),
            None => last_day(self.business, self.service_type, self.now),
        };
        if let Some(last) = last.filter(|it| *it < self.date) {
            return Standing::TooFar { last };
        }
        let hours = match holder {
            Some(it) => it.min_advance_hours,
            None => least_advance_hours(self.business, self.service_type),
        };
        let at = Instant::from_civil(self.date, start, &self.now.zone);
        if self.date < today || at <= self.now.at {
            return Standing::TooSoon { hours: 0 };
        }
        if at.0 < self.now.at.0 + i64::from(hours) * MS_PER_HOUR {
            return Standing::TooSoon { hours };
        }
        if self.day.is_free(self.interval(start)) {
            Standing::Open
        } else {
            Standing::Taken
        }
    }

    /// All starts that the day would have if nothing were in the way of any, each once.
    fn starts(&self) -> Vec<OfferedStart> {
        if self.day.patterns.is_empty() {
            return self.starts_without_patterns();
        }
        let mut starts = Vec::new();
        // By minute of the day: many patterns may have the same starts.
        let mut holders: Vec<Option<Option<Id>>> = vec![None; 24 * 60];
        for pattern in &self.day.patterns {
            let last = i64::from(pattern.end_time.minute_of_day()) - i64::from(self.length);
            let first = pattern.start_time.minute_of_day().into();
            for minute in (first..=last).step_by(self.step as usize) {
                let start_time = Time::from_minutes(minute);
                let holder = || self.day.holder(self.interval(start_time)).map(|it| it.id);
                let known = usize::try_from(minute)
                    .ok()
                    .and_then(|it| holders.get_mut(it));
                let is_ours =
                    known.is_some_and(|it| *it.get_or_insert_with(holder) == Some(pattern.id));
                if is_ours {
                    starts.push(OfferedStart {
                        start_time,
                        pattern_id: Some(pattern.id),
                        standing: self.standing(Some(pattern), start_time),
                    });
                }
            }
        }
        starts
    }

    fn starts_without_patterns(&self) -> Vec<OfferedStart> {
        let ends_today = |it: &Time| u32::from(it.minute_of_day()) + self.length <= 24 * 60;
        start_times()
            .filter(ends_today)
            .map(|start_time| OfferedStart {
                start_time,
                pattern_id: None,
                standing: self.standing(None, start_time),
            })
            .collect()
    }

    fn open_slots(&self) -> Vec<Slot> {
        let suggestions = Suggestions::of(self.business, None);
        let starts = self.starts().into_iter();
        let mut slots: Vec<Slot> = starts
            .filter(|it| it.standing == Standing::Open)
            .map(|it| {
                let interval = self.interval(it.start_time);
                let end = i64::from(it.start_time.minute_of_day()) + i64::from(self.length);
                Slot {
                    start_time: it.start_time,
                    end_time: Time::from_minutes(end),
                    pattern_id: it.pattern_id,
                    suggested: suggestions.have(&self.day, interval, self.step),
                }
            })
            .collect();
        slots.small_sort_by_key(|it| (!it.suggested, it.start_time));
        slots
    }

    /// The open starts by time.
    fn open_starts(&self) -> Vec<Time> {
        let starts = self.starts().into_iter();
        let mut open: Vec<Time> = starts
            .filter(|it| it.standing == Standing::Open)
            .map(|it| it.start_time)
            .collect();
        open.small_sort_by_key(|it| *it);
        open
    }

    /// The time that would do in place of one that stands like this.
    fn next(&self, standing: Standing, start: Time) -> Option<OpenTime> {
        match standing {
            Standing::TooFar { last } => self.last_until(last),
            _ => self.next_from(start),
        }
    }

    /// The first open start from that time of this day on.
    fn next_from(&self, start: Time) -> Option<OpenTime> {
        let first = self.date.max(self.now.today());
        (0..=n_days_listed(self.business)).find_map(|n| {
            let date = first.plus_days(n);
            let starts = self.on(date).open_starts().into_iter();
            let mut later = starts.filter(|it| date != self.date || start <= *it);
            later.next().map(|start_time| OpenTime { date, start_time })
        })
    }

    /// The last open start until the end of a day.
    fn last_until(&self, last: Date) -> Option<OpenTime> {
        (0..=n_days_listed(self.business)).find_map(|n| {
            let date = last.plus_days(-n);
            let latest = self.on(date).open_starts().pop();
            latest.map(|start_time| OpenTime { date, start_time })
        })
    }

    /// The refusal of a start that stands like this.
    fn refusal(&self, standing: Standing, next: Option<OpenTime>) -> Refusal {
        match standing {
            Standing::TooFar { last } => Refusal::TooFar { last, next },
            // What is next is told by the server alone: a phone that finds that a time is over knows no hours.
            Standing::TooSoon { hours: 0 } => Refusal::TooSoon {
                hours: 0,
                next: None,
            },
            Standing::TooSoon { hours } => Refusal::TooSoon { hours, next },
            Standing::Taken | Standing::Open => Refusal::Conflict {
                with: Vec::new(),
                free: self.open_starts(),
                next,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rows::availability_config::AvailabilityConfig;
    use crate::values::zone::TimeZone;

    /// 2026-11-20, a Friday, 9 AM.
    fn now() -> Now {
        Now {
            at: "2026-11-20T09:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    /// Fridays from 9 to 12, asked for a day to 14 days ahead.
    fn fridays() -> Business {
        let mut business = Business::default();
        business.put(
            1,
            Row::Pattern(Pattern {
                day_of_week: 5,
                end_time: Time::hour(12),
                max_advance_days: 14,
                ..Pattern::new(Id::of(1))
            }),
        );
        business.put(
            1,
            Row::AvailabilityConfig(AvailabilityConfig::new(Id::of(9))),
        );
        business
    }

    fn asked(date: &str, start_time: &str, duration_minutes: u32) -> Service {
        Service {
            date: date.parse().unwrap(),
            start_time: start_time.parse().unwrap(),
            duration_minutes,
            ..Service::new(Id::of(7), now().at)
        }
    }

    fn refusal(business: &Business, date: &str, start_time: &str) -> Refusal {
        refuse_closed(business, &asked(date, start_time, 30), &now()).unwrap_err()
    }

    fn open(date: &str, start_time: &str) -> Option<OpenTime> {
        Some(OpenTime {
            date: date.parse().unwrap(),
            start_time: start_time.parse().unwrap(),
        })
    }

    #[test]
    fn each_refusal_names_its_own_reason_and_the_nearest_time_that_would_do() {
        let mut business = fridays();
        let is = |refusal: Refusal, code: &str, next| {
            assert_eq!((refusal.code(), refusal.next_open()), (code, next));
            let is_conflict = refusal
                .to_string()
                .starts_with("Time slot conflict detected.");
            assert_eq!(is_conflict, code == "conflict");
        };
        // Today is less than a day ahead; tomorrow has no hours, and so every start of the form that is a day ahead.
        is(
            refusal(&business, "2026-11-20", "11:00"),
            "too_soon",
            open("2026-11-21", "09:00"),
        );
        is(
            refusal(&business, "2026-11-20", "08:00"),
            "outside_hours",
            open("2026-11-21", "09:00"),
        );
        is(
            refusal(&business, "2026-11-27", "08:00"),
            "outside_hours",
            open("2026-11-27", "09:00"),
        );
        is(
            refusal(&business, "2026-11-27", "09:10"),
            "between_starts",
            open("2026-11-27", "09:30"),
        );
        is(
            refusal(&business, "2026-12-05", "09:00"),
            "too_far",
            open("2026-12-04", "11:30"),
        );
        business.put(1, Row::Service(asked("2026-11-27", "09:30", 30)));
        is(
            refusal(&business, "2026-11-27", "09:30"),
            "conflict",
            open("2026-11-27", "10:30"),
        );
    }

    #[test]
    fn a_day_without_hours_is_open_to_the_last_day_of_the_others_where_nothing_overlaps() {
        let mut business = fridays();
        let is_open = |business: &Business, date: &str, start_time: &str| {
            refuse_closed(business, &asked(date, start_time, 30), &now()).is_ok()
        };
        assert!(is_open(&business, "2026-12-02", "07:05"));
        assert!(!is_open(&business, "2026-12-06", "07:00"));
        business.put(1, Row::Service(asked("2026-12-02", "07:00", 30)));
        assert!(!is_open(&business, "2026-12-02", "07:15"));
        assert!(is_open(&business, "2026-12-02", "07:30"));
        // Without any hours nothing is too far.
        assert!(is_open(&Business::default(), "2028-12-02", "07:00"));
        assert_eq!(
            last_day(&Business::default(), ServiceType::Walk, &now()),
            None
        );
    }

    #[test]
    fn a_day_without_hours_has_to_be_asked_for_as_long_ahead_as_the_other_days() {
        let business = fridays();
        assert_eq!(
            refusal(&business, "2026-11-21", "08:45"),
            Refusal::TooSoon {
                hours: 24,
                next: open("2026-11-21", "09:00")
            }
        );
        let mut lenient = fridays();
        let pattern = Pattern {
            day_of_week: 3,
            min_advance_hours: 2,
            ..Pattern::new(Id::of(2))
        };
        lenient.put(1, Row::Pattern(pattern));
        let is_open = |business: &Business| {
            refuse_closed(business, &asked("2026-11-21", "06:00", 30), &now()).is_ok()
        };
        assert!(is_open(&lenient) && is_open(&Business::default()));
    }

    #[test]
    fn a_day_with_nothing_open_says_why() {
        let mut business = fridays();
        let said = |business: &Business, date: &str, minutes: u32| {
            let closed = closed_day(
                business,
                date.parse().unwrap(),
                ServiceType::Walk,
                minutes,
                &now(),
            );
            (closed.reason.unwrap_or_default(), closed.next)
        };
        assert_eq!(said(&business, "2026-11-27", 30), (String::new(), None));
        assert_eq!(
            said(&business, "2026-11-20", 30),
            (
                "Too soon: please request visits at least 24 hours ahead.".to_owned(),
                open("2026-11-21", "09:00")
            )
        );
        assert_eq!(
            said(&business, "2026-12-18", 30),
            (
                "Too far ahead: requests are taken up to Dec 4, 2026.".to_owned(),
                open("2026-12-04", "11:30")
            )
        );
        assert_eq!(
            said(&business, "2026-11-27", 240),
            (
                "A visit this long does not fit into the hours of this day.".to_owned(),
                open("2026-11-28", "06:00")
            )
        );
        business.put(1, Row::Service(asked("2026-11-27", "09:00", 180)));
        assert_eq!(
            said(&business, "2026-11-27", 30),
            (
                "Every time on this day is taken.".to_owned(),
                open("2026-11-28", "06:00")
            )
        );
    }

    fn listed(business: &Business, from: &str) -> (String, String, Option<String>, Vec<String>) {
        let open_for = OpenFor::Visit(30);
        let from = from.parse().unwrap();
        let found = open_days(business, from, ServiceType::Walk, open_for, &now());
        (
            found.first.to_string(),
            found.until.to_string(),
            found.last.map(|it| it.to_string()),
            found.days.iter().map(Date::to_string).collect(),
        )
    }

    #[test]
    fn the_calendar_lists_as_many_days_as_the_settings_say_up_to_the_last_one() {
        let mut business = fridays();
        let listed_at_once = |days| {
            Row::AvailabilityConfig(AvailabilityConfig {
                show_slots_days_ahead: days,
                ..AvailabilityConfig::new(Id::of(9))
            })
        };
        business.put(1, listed_at_once(8));
        // Today is too soon, and on a day without hours every start is open.
        let (first, until, last, days) = listed(&business, "2026-11-01");
        assert_eq!(
            (first.as_str(), until.as_str()),
            ("2026-11-20", "2026-11-27")
        );
        assert_eq!(last.as_deref(), Some("2026-12-04"));
        assert_eq!((days.len(), days[0].as_str()), (7, "2026-11-21"));
        business.put(1, Row::Service(asked("2026-11-27", "09:00", 180)));
        assert_eq!(listed(&business, "2026-11-20").3.len(), 6);
        // The next stretch ends with the last day, and behind it there is none.
        let (first, until, _, days) = listed(&business, "2026-11-28");
        assert_eq!(
            (first.as_str(), until.as_str()),
            ("2026-11-28", "2026-12-04")
        );
        assert_eq!(days.len(), 7);
        let (_, until, _, days) = listed(&business, "2026-12-05");
        assert_eq!((until.as_str(), days.len()), ("2026-12-04", 0));
        // Each of them is the days that a request is not refused for.
        business.put(1, listed_at_once(365));
        let (_, until, _, days) = listed(&business, "2026-11-20");
        assert_eq!((until.as_str(), days.len()), ("2026-12-04", 13));
    }

    #[test]
    fn a_day_that_another_stay_takes_is_not_open_to_a_stay_and_visits_do_not_count() {
        let mut business = fridays();
        let stay = Service {
            service_type: ServiceType::Dropin,
            end_date: "2026-11-24".parse().ok(),
            ..asked("2026-11-23", "09:00", 30)
        };
        business.put(1, Row::Service(stay));
        business.put(
            1,
            Row::Service(Service {
                id: Id::of(8),
                ..asked("2026-11-22", "09:00", 600)
            }),
        );
        let from = "2026-11-21".parse().unwrap();
        let found = open_days(&business, from, ServiceType::Dropin, OpenFor::Stay, &now());
        assert_eq!(found.last, None);
        let days: Vec<String> = found.days.iter().take(3).map(Date::to_string).collect();
        assert_eq!(days, ["2026-11-21", "2026-11-22", "2026-11-25"]);
    }

    #[test]
    fn how_many_days_are_shown_refuses_nothing() {
        let mut business = fridays();
        business.put(
            1,
            Row::AvailabilityConfig(AvailabilityConfig {
                show_slots_days_ahead: 1,
                ..AvailabilityConfig::new(Id::of(9))
            }),
        );
        assert!(refuse_closed(&business, &asked("2026-12-04", "09:00", 30), &now()).is_ok());
    }
}
