//! Owns what a sentence says of each figure.

use serde::Serialize;

use super::availability::Availability;
use super::client_hours::ClientHours;
use super::figures::{Figures, Performance, PerformanceSummary, RetentionCategory};
use super::next_month::NextMonth;
use super::period::Period;
use super::records::Records;
use super::sums::Percent;
use crate::Cents;
use crate::rows::walk_request::RequestStatus;
use crate::values::format::{self, names, set_apart};
use crate::values::money::grouped;

/// One sentence for each chart; empty where there is nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Sentences {
    /// Revenue of the span, compared with the span before.
    pub revenue: String,
    /// Number of completed services, compared with the span before.
    pub services: String,
    /// Revenue, services and clients against the span before.
    pub comparison: String,
    /// The growth of revenue in two words: `up 12%`.
    pub revenue_growth: String,
    /// The growth of services in two words.
    pub services_growth: String,
    /// The growth of clients in two words.
    pub client_growth: String,
    /// Share of the revenue that is paid, and the amount that is not.
    pub paid: String,
    /// Walks and drop-ins.
    pub distribution: String,
    /// The best month.
    pub months: String,
    /// The busiest day of the week.
    pub weekdays: String,
    /// Requests of the span by status.
    pub requests: String,
    /// Retention of clients.
    pub retention: String,
    /// Clients who bring the most.
    pub top_clients: String,
    /// Revenue per hour of work.
    pub per_hour: String,
    /// Hours of the week that are empty.
    pub hours: String,
    /// Worth of the services of the next calendar month.
    pub next_month: String,
}

/// Sentences about a span that ends today (SPEC 7, Analytics).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Insights {
    /// Number of days of the span.
    pub period: i64,
    /// The span that the sentences are about.
    pub dates: Period,
    /// The sentences that are not empty, the most important first.
    pub insights: Vec<String>,
}

impl Sentences {
    /// Sentences of the revenue charts, without the empty ones.
    pub fn of_revenue(self) -> Vec<String> {
        said([
            self.revenue,
            self.paid,
            self.distribution,
            self.months,
            self.per_hour,
            self.next_month,
        ])
    }

    /// Sentences of the booking charts, without the empty ones.
    pub fn of_bookings(self) -> Vec<String> {
        said([self.weekdays, self.requests, self.hours, self.retention])
    }
}

fn said<const N: usize>(sentences: [String; N]) -> Vec<String> {
    sentences.into_iter().filter(|it| !it.is_empty()).collect()
}

pub(super) fn sentences(
    figures: &Figures,
    availability: &Availability,
    records: &Records,
) -> Sentences {
    let performance = &figures.performance;
    let summary = performance.performance_summary;
    let span = Span::of(records);
    let is_any = 0 < summary.total_services;
    let some = |text: String| if is_any { text } else { String::new() };
    let growth = &performance.growth_metrics;
    let [revenue_growth, services_growth, client_growth] = [
        growth.revenue_growth,
        growth.services_growth,
        growth.client_growth,
    ]
    .map(|it| growth_text(&span, it));
    Sentences {
        revenue: revenue(performance, &span),
        services: services_text(performance, &span),
        comparison: comparison(performance, &span),
        revenue_growth,
        services_growth,
        client_growth,
        paid: some(paid(summary, performance.unpaid_amount)),
        distribution: some(distribution(figures)),
        months: some(months(figures, records)),
        weekdays: some(weekdays(figures)),
        requests: requests(figures),
        retention: retention(figures, &span),
        top_clients: top_clients(figures),
        per_hour: per_hour(&figures.clients.client_hours),
        hours: hours_text(availability),
        next_month: next_month(&performance.next_month),
    }
}

/// Words and facts about the span that several sentences need.
struct Span {
    /// The span of comparison in words: `the 30 days before`.
    before: String,
    /// True if the last day of the span has come.
    is_over: bool,
}

impl Span {
    fn of(records: &Records) -> Self {
        Self {
            before: match records.period.n_days() {
                1 => "the day before".to_owned(),
                days => format!("the {days} days before"),
            },
            is_over: records.is_over(),
        }
    }
}

/// `1 service`, `2 services`.
fn counted(count: u32, noun: &str) -> String {
    let noun = format::plural(count as usize, noun);
    format!("{} {noun}", grouped(count.into()))
}

fn services(count: u32) -> String {
    counted(count, "service")
}

fn growth_text(span: &Span, growth: Option<Percent>) -> String {
    match growth {
        Some(growth) => growth.growth_text(),
        None if span.is_over => "nothing before".to_owned(),
        None => "so far".to_owned(),
    }
}

fn revenue(performance: &Performance, span: &Span) -> String {
    let (now, before) = (
        performance.performance_summary,
        performance.previous_summary,
    );
    let done = services(now.total_services);
    let begin = format!("{} with {done}", now.total_revenue);
    let span_before = &span.before;
    if !span.is_over {
        let begin = if now.total_services == 0 {
            "No service is completed in these days yet".to_owned()
        } else {
            begin + " so far"
        };
        let ahead = performance.scheduled_services;
        let are = if ahead == 1 { "is" } else { "are" };
        return match ahead {
            0 => begin,
            _ => format!(
                "{begin}; {} for {} {are} scheduled",
                services(ahead),
                performance.scheduled_amount
            ),
        };
    }
    match (now.total_services, before.total_services) {
        (0, 0) => return "No service was completed in these days".to_owned(),
        (0, earlier) => {
            let earlier = services(earlier);
            return format!(
                "No service was completed in these days, after {earlier} in {span_before}"
            );
        }
        (_, 0) => return format!("{begin}; {span_before} had nothing"),
        _ => {}
    }
    match performance.growth_metrics.revenue_growth {
        None => {
            let earlier = services(before.total_services);
            format!("{begin}; {span_before} brought nothing with {earlier}")
        }
        Some(Percent(0)) => format!("{begin}, as much as {span_before}"),
        Some(it) if it < Percent(0) => {
            format!("{begin}, {} less than {span_before}", Percent(-it.0).text())
        }
        Some(it) => format!("{begin}, {} more than {span_before}", it.text()),
    }
}

fn services_text(performance: &Performance, span: &Span) -> String {
    let done = services(performance.performance_summary.total_services);
    if span.is_over {
        let before = performance.previous_summary.total_services;
        return format!("{done}, after {before} in {}", span.before);
    }
    match performance.scheduled_services {
        0 => format!("{done} so far"),
        1 => format!("{done} so far; 1 more is scheduled"),
        ahead => format!("{done} so far; {ahead} more are scheduled"),
    }
}

fn comparison(performance: &Performance, span: &Span) -> String {
    if !span.is_over {
        return "These days go on after today, and are not compared".to_owned();
    }
    let growth = performance.growth_metrics;
    let (Some(services), Some(clients)) = (growth.services_growth, growth.client_growth) else {
        return format!("Nothing was completed in {}", span.before);
    };
    let revenue = growth.revenue_growth.map_or_else(
        || {
            format!(
                "{} after none",
                performance.performance_summary.total_revenue
            )
        },
        Percent::growth_text,
    );
    format!(
        "Revenue {revenue}, services {}, clients {}",
        services.growth_text(),
        clients.growth_text()
    )
}

fn paid(summary: PerformanceSummary, unpaid: Cents) -> String {
    match summary.payment_rate {
        Some(_) if unpaid == Cents::ZERO => "All of it is paid".to_owned(),
        Some(rate) => format!("{} of it is paid; {unpaid} is not yet", rate.text()),
        None => "Nothing is to be paid".to_owned(),
    }
}

fn distribution(figures: &Figures) -> String {
    let shares = figures.revenue.service_distribution.iter();
    let mut shares: Vec<_> = shares
        .filter_map(|it| Some((it.percentage?, it.label)))
        .collect();
    shares.sort_by_key(|it| std::cmp::Reverse(it.0));
    match shares.as_slice() {
        [(_, label), (Percent(0), _)] => format!("{label} bring all of the revenue"),
        [(most, label), (rest, other)] => format!(
            "{label} bring {} of the revenue, {other} {}",
            most.text(),
            rest.text()
        ),
        _ => "There is no revenue".to_owned(),
    }
}

fn months(figures: &Figures, records: &Records) -> String {
    let months = &figures.revenue.monthly_revenue;
    // What a month brings is not to be held against days of another one.
    let is_whole = |it: &Period| it.is_month() && it.end_date <= records.today;
    let whole = months.iter().filter(|it| is_whole(&it.period));
    // Of months that are alike the last is named.
    match whole.clone().max_by_key(|it| it.total_revenue) {
        Some(best) if 1 < whole.count() && Cents::ZERO < best.total_revenue => {
            format!("{} brought the most: {}", best.title, best.total_revenue)
        }
        _ if months.len() == 1 => String::new(),
        _ => {
            let parts = months.iter().filter(|it| 0 < it.service_count);
            let parts = parts.map(|it| format!("{} in {}", it.total_revenue, it.title));
            names(&parts.collect::<Vec<_>>())
        }
    }
}

fn weekdays(figures: &Figures) -> String {
    let all = services(figures.performance.performance_summary.total_services);
    let days = figures.booking.weekly_patterns.iter();
    let most = days.clone().map(|it| it.service_count).max();
    let most = most.unwrap_or_default();
    let busiest = days.filter(|it| it.service_count == most);
    let busiest: Vec<String> = busiest.map(|it| it.day_name.to_owned()).collect();
    match busiest.as_slice() {
        [day] => format!("{day} is the busiest day, with {most} of {all}"),
        days if days.len() == 7 => "No day of the week is busier than the others".to_owned(),
        days => {
            let days = names(days);
            format!("{days} are the busiest days, with {most} of {all} each")
        }
    }
}

fn requests(figures: &Figures) -> String {
    let of = |status: RequestStatus| {
        let shares = figures.booking.request_analytics.iter();
        let counts = shares.filter(|it| it.status == status).map(|it| it.count);
        counts.sum::<u32>()
    };
    let waiting = of(RequestStatus::Pending);
    let taken = of(RequestStatus::Approved) + of(RequestStatus::Completed);
    let all = waiting + taken + of(RequestStatus::Declined);
    if all == 0 {
        return String::new();
    }
    let requests = counted(all, "request");
    let begin = format!("{taken} of {requests} {} approved", was(taken, all));
    match waiting {
        0 => begin,
        1 => begin + ", 1 waits",
        _ => format!("{begin}, {waiting} wait"),
    }
}

/// `1 of 3 was`, `0 of 1 was`, `2 of 3 were`, `0 of 3 were`.
const fn was(part: u32, all: u32) -> &'static str {
    if part == 1 || all == 1 { "was" } else { "were" }
}

fn retention(figures: &Figures, span: &Span) -> String {
    let of = |category| {
        let shares = figures.clients.retention_analysis.iter();
        let counts = shares
            .filter(|it| it.retention_category == category)
            .map(|it| it.count);
        counts.sum::<u32>()
    };
    let served = figures.performance.performance_summary.unique_clients;
    let lapsed = of(RetentionCategory::Lapsed);
    let regular = of(RetentionCategory::Regular);
    let new = of(RetentionCategory::New);
    let again = if span.is_over {
        "not served again in these days"
    } else {
        "not served again yet"
    };
    if served == 0 {
        return match lapsed {
            0 => String::new(),
            _ => format!(
                "{} of the days before {} {again}",
                counted(lapsed, "client"),
                was(lapsed, lapsed)
            ),
        };
    }
    let clients = counted(served, "client");
    let were = was(regular, served);
    let mut text = format!("{regular} of {clients} {were} here in the days before");
    if 0 < new {
        text += &format!(", {new} {} new", if new == 1 { "is" } else { "are" });
    }
    if 0 < lapsed {
        text += &format!(", {lapsed} {} {again}", was(lapsed, lapsed));
    }
    text
}

fn top_clients(figures: &Figures) -> String {
    let all = figures.performance.performance_summary.total_revenue;
    let Some(first) = figures.clients.top_clients.first() else {
        return "Nobody was served in these days".to_owned();
    };
    let begin = format!(
        "{} brings the most: {}",
        set_apart(&first.name),
        first.total_revenue
    );
    match Percent::of(first.total_revenue.0, all.0) {
        Some(share) => format!("{begin}, {} of the revenue", share.text()),
        None => begin,
    }
}

fn per_hour(hours: &ClientHours) -> String {
    let Some(all) = hours.per_hour else {
        return String::new();
    };
    let begin = if hours.ways_left_out == 0 {
        format!("You earn {all} per hour, including travel")
    } else if hours.clients.iter().any(|it| 0 < it.way_minutes) {
        format!("You earn {all} per hour, including the travel that is known")
    } else {
        format!("You earn {all} per hour of visits; travel is not known")
    };
    let most = hours.most.first();
    match most.zip(hours.least.last().or(hours.most.last())) {
        Some((most, least)) if most.per_hour != least.per_hour => format!(
            "{begin}; the most with {}, {}, and the least with {}, {}",
            set_apart(&most.name),
            most.per_hour,
            set_apart(&least.name),
            least.per_hour
        ),
        _ => begin,
    }
}

fn hours_text(availability: &Availability) -> String {
    match (availability.empty.first(), availability.booked) {
        (Some(longest), Some(_)) => {
            format!("{}: {longest}", availability.empty_title)
        }
        (None, Some(booked)) => format!("Visits take {} of the hours on offer", booked.text()),
        _ => String::new(),
    }
}

fn next_month(next: &NextMonth) -> String {
    let begin = match next.service_count {
        0 => format!("Nothing is scheduled for {} yet", next.title),
        count => format!(
            "{} already booked for {}, with {}",
            next.worth,
            next.title,
            services(count)
        ),
    };
    match next.share {
        Some(share) if 0 < next.service_count => {
            format!(
                "{begin}: {} of {} ({})",
                share.text(),
                next.last_title,
                next.last_revenue
            )
        }
        Some(_) => format!("{begin}; {} came to {}", next.last_title, next.last_revenue),
        None => begin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::records::{Asked, ClientPlace, Sources};
    use crate::analytics::{OfferedHours, analytics};
    use crate::rows::blocked_time::{BlockedTime, Recurrence};
    use crate::rows::service::{ServiceStatus, ServiceType};
    use crate::rows::service_figures::ServiceFigures;
    use crate::values::units::HourCycle;
    use crate::{Date, Id, Time};

    /// Returns a Thursday, November 26, 2026.
    fn today() -> Date {
        "2026-11-26".parse().unwrap()
    }

    /// A walk that is done, so many days from today, with a client of this number, at 10 AM for 30 minutes and $25.
    fn done(day: i64, client: u128) -> ServiceFigures {
        ServiceFigures {
            client_id: Id::of(client),
            service_type: ServiceType::Walk,
            date: today().plus_days(day),
            is_stay: false,
            start_time: Time::hour(10),
            duration_minutes: 30,
            status: ServiceStatus::Completed,
            price: Cents(25_00),
            paid: true,
        }
    }

    fn priced(day: i64, cents: i64) -> ServiceFigures {
        ServiceFigures {
            price: Cents(cents),
            ..done(day, 1)
        }
    }

    fn scheduled(day: i64) -> ServiceFigures {
        ServiceFigures {
            status: ServiceStatus::Scheduled,
            ..done(day, 1)
        }
    }

    fn of_sources(sources: Sources, first: i64, last: i64) -> crate::analytics::Analytics {
        let mut sources = sources;
        let names = sources.services.iter().map(|it| it.client_id);
        sources.former = names
            .map(|it| (it, format!("Client {}", it.0.as_u128())))
            .collect();
        let period = Period {
            start_date: today().plus_days(first),
            end_date: today().plus_days(last),
        };
        analytics(&Records::of(sources, period, today(), HourCycle::H12))
    }

    fn of(services: Vec<ServiceFigures>, first: i64, last: i64) -> Sentences {
        let sources = Sources {
            services,
            ..Sources::default()
        };
        of_sources(sources, first, last).sentences
    }

    /// Returns the sentences for the thirty days that end today.
    fn last_days(services: Vec<ServiceFigures>) -> Sentences {
        of(services, -29, 0)
    }

    #[test]
    fn what_came_in_is_held_against_the_days_before() {
        let said = |services| last_days(services).revenue;
        for (services, expected) in [
            (vec![], "No service was completed in these days"),
            (
                vec![done(-30, 1)],
                "No service was completed in these days, after 1 service in the 30 days before",
            ),
            (
                vec![done(-1, 1)],
                "$25.00 with 1 service; the 30 days before had nothing",
            ),
            (
                vec![done(-1, 1), done(-31, 1)],
                "$25.00 with 1 service, as much as the 30 days before",
            ),
            (
                vec![priced(-1, 10_00), done(-31, 1)],
                "$10.00 with 1 service, 60% less than the 30 days before",
            ),
            // Less than half of a percent is not nothing.
            (
                vec![priced(-1, 99_700), priced(-31, 100_000)],
                "$997.00 with 1 service, 0.3% less than the 30 days before",
            ),
            // What was done for nothing was done.
            (
                vec![done(-1, 1), priced(-31, 0)],
                "$25.00 with 1 service; the 30 days before brought nothing with 1 service",
            ),
        ] {
            assert_eq!(said(services), expected);
        }
        let one = of(vec![done(0, 1)], 0, 0);
        assert_eq!(
            one.revenue,
            "$25.00 with 1 service; the day before had nothing"
        );
    }

    #[test]
    fn days_that_are_still_to_come_are_not_held_against_days_that_are_over() {
        let work = || {
            vec![
                done(-10, 1),
                done(-11, 2),
                done(0, 1),
                scheduled(1),
                scheduled(2),
            ]
        };
        let found = of(work(), -2, 10);
        assert_eq!(
            found.revenue,
            "$25.00 with 1 service so far; 2 services for $50.00 are scheduled"
        );
        assert_eq!(found.services, "1 service so far; 2 more are scheduled");
        assert_eq!(found.revenue_growth, "so far");
        assert_eq!(
            found.comparison,
            "These days go on after today, and are not compared"
        );
        assert_eq!(
            found.retention,
            "1 of 1 client was here in the days before, 1 was not served again yet"
        );
        let ahead = of(work(), 1, 20);
        assert_eq!(
            ahead.revenue,
            "No service is completed in these days yet; 2 services for $50.00 are scheduled"
        );
    }

    #[test]
    fn the_comparison_says_all_three() {
        let found = last_days(vec![done(-1, 1), done(-2, 1), done(-31, 1)]);
        assert_eq!(
            found.comparison,
            "Revenue up 100%, services up 100%, clients as before"
        );
        assert_eq!(found.services, "2 services, after 1 in the 30 days before");
        let (nothing, free) = (vec![done(-1, 1)], vec![done(-1, 1), priced(-31, 0)]);
        assert_eq!(
            last_days(nothing).comparison,
            "Nothing was completed in the 30 days before"
        );
        assert_eq!(
            last_days(free).comparison,
            "Revenue $25.00 after none, services as before, clients as before"
        );
    }

    #[test]
    fn a_share_is_never_all_or_nothing_where_it_is_neither() {
        let unpaid = |cents| ServiceFigures {
            paid: false,
            ..priced(-1, cents)
        };
        let found = last_days(vec![priced(-1, 99_600), unpaid(4_00)]);
        assert_eq!(found.paid, "99.6% of it is paid; $4.00 is not yet");
        assert_eq!(last_days(vec![priced(-1, 0)]).paid, "Nothing is to be paid");
        let dropin = |cents| ServiceFigures {
            service_type: ServiceType::Dropin,
            ..priced(-1, cents)
        };
        let kinds = |services| last_days(services).distribution;
        assert_eq!(
            kinds(vec![priced(-1, 1_000_000), dropin(4_00)]),
            "Dog Walks bring 99.9% of the revenue, Drop-ins 0.1%"
        );
        assert_eq!(
            kinds(vec![priced(-1, 10_00), dropin(0)]),
            "Dog Walks bring all of the revenue"
        );
        assert_eq!(kinds(vec![priced(-1, 0)]), "There is no revenue");
    }

    #[test]
    fn only_whole_months_are_held_against_each_other() {
        let said = |services, first| of(services, first, 0).months;
        // From Oct 28 on: four days of one month, and 26 of another one.
        assert_eq!(
            said(vec![done(-29, 1), done(-1, 1), done(-2, 1)], -29),
            "$25.00 in Oct 28, 2026 - Oct 31, 2026 and $50.00 in Nov 1, 2026 - Nov 26, 2026"
        );
        // From Aug 30 on: September, October and two parts.
        let work = vec![done(-60, 1), done(-30, 1), done(-31, 1), priced(-1, 90_000)];
        assert_eq!(said(work, -88), "October 2026 brought the most: $50.00");
        assert_eq!(
            said(vec![done(-1, 1)], -6),
            "",
            "one month is no comparison"
        );
    }

    #[test]
    fn days_that_are_equally_busy_are_all_named() {
        let said = |days: &[i64]| last_days(days.iter().map(|it| done(*it, 1)).collect()).weekdays;
        assert_eq!(
            said(&[-1]),
            "Wednesday is the busiest day, with 1 of 1 service"
        );
        assert_eq!(
            said(&[-1, -2]),
            "Tuesday and Wednesday are the busiest days, with 1 of 2 services each"
        );
        // Monday to Friday.
        assert_eq!(
            said(&[-3, -2, -1, 0, -6]),
            "Monday, Tuesday, Wednesday, Thursday and Friday are the busiest days, with 1 of 5 services each"
        );
        assert_eq!(
            said(&[-6, -5, -4, -3, -2, -1, 0]),
            "No day of the week is busier than the others"
        );
    }

    #[test]
    fn requests_are_counted_by_what_became_of_them() {
        let said = |statuses: &[RequestStatus]| {
            let requests = statuses.iter().map(|status| Asked {
                date: today(),
                status: *status,
            });
            let sources = Sources {
                requests: requests.collect(),
                ..Sources::default()
            };
            of_sources(sources, -29, 0).sentences.requests
        };
        use RequestStatus::{Approved, Completed, Declined, Pending};
        assert_eq!(said(&[]), "");
        assert_eq!(said(&[Declined]), "0 of 1 request was approved");
        assert_eq!(said(&[Approved, Declined]), "1 of 2 requests was approved");
        assert_eq!(
            said(&[Approved, Completed, Pending]),
            "2 of 3 requests were approved, 1 waits"
        );
        assert_eq!(
            said(&[Pending, Pending, Declined]),
            "0 of 3 requests were approved, 2 wait"
        );
    }

    #[test]
    fn who_was_not_served_in_these_days_may_have_been_served_since() {
        let said = |services, first, last| of(services, first, last).retention;
        assert_eq!(
            said(vec![done(-90, 1), done(-1, 1), done(-60, 2)], -70, -50),
            "0 of 1 client was here in the days before, 1 is new, 1 was not served again in these days"
        );
        assert_eq!(
            said(vec![done(-80, 1), done(-80, 2)], -70, -50),
            "2 clients of the days before were not served again in these days"
        );
        assert_eq!(said(vec![], -29, 0), "");
    }

    fn home(client: u128, lat: f64) -> ClientPlace {
        ClientPlace {
            id: Id::of(client),
            name: format!("Client {client}"),
            lat: Some(lat),
            lng: Some(24.94),
        }
    }

    fn at(hour: u16, it: ServiceFigures) -> ServiceFigures {
        ServiceFigures {
            start_time: Time::hour(hour),
            duration_minutes: 60,
            ..it
        }
    }

    #[test]
    fn an_hour_that_visits_share_is_one_hour() {
        let together = vec![at(9, done(-1, 1)), at(9, done(-1, 2)), at(9, done(-1, 3))];
        let sources = Sources {
            services: together,
            clients: vec![home(1, 60.1), home(2, 60.2), home(3, 60.3)],
            ..Sources::default()
        };
        let found = of_sources(sources, -29, 0);
        assert_eq!(
            found.sentences.per_hour,
            "You earn $75.00 per hour, including travel"
        );
        let hours = found.clients.client_hours;
        let each = hours
            .clients
            .iter()
            .map(|it| (it.visit_minutes, it.way_minutes, it.per_hour));
        assert_eq!(each.collect::<Vec<_>>(), [(20, 0, Cents(75_00)); 3]);
    }

    #[test]
    fn ways_are_only_said_to_be_in_it_where_they_are() {
        let work = |clients| Sources {
            services: [-1, -2, -3]
                .into_iter()
                .flat_map(|it| [at(9, done(it, 1)), at(12, done(it, 2)), at(15, done(it, 3))])
                .collect(),
            clients,
            ..Sources::default()
        };
        let said = |clients| of_sources(work(clients), -29, 0).sentences.per_hour;
        assert_eq!(
            said(vec![]),
            "You earn $25.00 per hour of visits; travel is not known"
        );
        let some = said(vec![home(1, 60.0), home(2, 60.1)]);
        assert!(
            some.contains(", including the travel that is known"),
            "{some}"
        );
        let all = said(vec![home(1, 60.0), home(2, 60.001), home(3, 60.2)]);
        assert!(
            all.contains(", including travel; the most with Client 1, "),
            "{all}"
        );
        assert!(all.contains(", and the least with Client 2, "), "{all}");
    }

    #[test]
    fn a_client_with_few_visits_is_not_ranked() {
        let visits = |client, n: i64| (1..=n).map(move |it| at(9, done(-it, client)));
        let sources = Sources {
            services: visits(1, 3).chain(visits(2, 2)).collect(),
            ..Sources::default()
        };
        let hours = of_sources(sources, -29, 0).clients.client_hours;
        let ranked: Vec<Id> = hours.most.iter().map(|it| it.client_id).collect();
        assert_eq!(ranked, [Id::of(1)]);
        assert_eq!((hours.ranked_visits, hours.clients_not_ranked), (3, 1));
        assert_eq!(hours.clients.len(), 2, "the table has all");
    }

    #[test]
    fn who_brings_the_least_is_shown_and_whose_home_is_not_known_comes_behind() {
        let n_clients = 300;
        let services = (0..n_clients).map(|it| {
            let day = -1 - i64::try_from(it / 24).unwrap();
            let hour = u16::try_from(it % 24).unwrap();
            let price = Cents(10_00 + i64::try_from(it).unwrap());
            ServiceFigures {
                price,
                ..at(hour, done(day, it))
            }
        });
        let services = services.flat_map(|it| [it; 3]);
        let sources = Sources {
            services: services.collect(),
            clients: (0..n_clients - 1).map(|it| home(it, 60.0)).collect(),
            ..Sources::default()
        };
        let hours = of_sources(sources, -29, 0).clients.client_hours;
        let names = |list: &[crate::analytics::PerHour]| {
            list.iter().map(|it| it.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(hours.most.len(), 4);
        assert_eq!(names(&hours.least).last().unwrap(), "Client 0");
        assert_eq!((hours.clients.len(), hours.clients_left_out), (201, 99));
        let last = hours.clients.last().unwrap();
        assert_eq!(
            (last.name.as_str(), last.has_home, last.is_kept),
            ("Client 299", false, false)
        );
    }

    fn monday(start: (u16, u16), end: (u16, u16)) -> OfferedHours {
        let time = |(hour, minute)| Time::new(hour, minute).unwrap();
        OfferedHours {
            day_of_week: 1,
            start: time(start),
            end: time(end),
        }
    }

    fn hours_said(blocked: Vec<BlockedTime>, first: i64, last: i64) -> String {
        let sources = Sources {
            offered: vec![monday((9, 45), (16, 0))],
            blocked,
            ..Sources::default()
        };
        of_sources(sources, first, last).sentences.hours
    }

    #[test]
    fn a_free_time_is_one_that_is_offered_and_not_blocked() {
        let lunch = BlockedTime {
            is_recurring: true,
            recurrence_pattern: Some(Recurrence::Daily),
            ..BlockedTime::new(Id::default(), today().plus_days(-100))
        };
        for (blocked, first, last, expected) in [
            (
                vec![],
                -29,
                0,
                "Longest regular gaps: Monday, 9:45 AM - 4:00 PM",
            ),
            (
                vec![lunch.clone()],
                -29,
                0,
                "Longest regular gaps: Monday, 1:00 PM - 4:00 PM",
            ),
            // Nobody knows what is always so by a week.
            (
                vec![],
                -6,
                0,
                "Longest free times in these days: Monday, 9:45 AM - 4:00 PM",
            ),
            // Tuesday to Thursday have none of it.
            (vec![], -2, 0, ""),
        ] {
            assert_eq!(
                hours_said(blocked, first, last),
                expected,
                "{first} to {last}"
            );
        }
    }

    #[test]
    fn weekdays_that_the_days_do_not_have_are_left_out() {
        let found = of_sources(Sources::default(), -2, 0).availability;
        let mut days: Vec<u8> = found.hours.iter().map(|it| it.day_of_week).collect();
        days.dedup();
        assert_eq!(days, [2, 3, 4]);
    }

    #[test]
    fn what_is_only_scheduled_leaves_the_days_empty() {
        let is_empty = |services, first, last| {
            let sources = Sources {
                services,
                ..Sources::default()
            };
            of_sources(sources, first, last).is_empty
        };
        let cancelled = ServiceFigures {
            status: ServiceStatus::Cancelled,
            ..done(-1, 1)
        };
        assert!(is_empty(vec![scheduled(10), cancelled], -29, 0));
        assert!(!is_empty(vec![done(-40, 1)], -29, 0));
    }
}
