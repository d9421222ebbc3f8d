//! Owns what a sentence says of each figure.

use serde::Serialize;

use super::figures::{Figures, PerformanceSummary, RetentionCategory};
use super::hours::{Availability, ClientHours, NextMonth};
use super::period::Period;
use super::sums::Percent;
use crate::Cents;
use crate::rows::walk_request::RequestStatus;
use crate::values::format::set_apart;

/// One sentence for each chart; empty where there is nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Sentences {
    /// What came in, against the span before.
    pub revenue: String,
    /// What of it is paid.
    pub paid: String,
    /// Walks and drop-ins.
    pub distribution: String,
    /// The best month.
    pub months: String,
    /// The busiest day of the week.
    pub weekdays: String,
    /// What became of requests.
    pub requests: String,
    /// Who comes back.
    pub retention: String,
    /// Who brings the most.
    pub top_clients: String,
    /// What an hour brings.
    pub per_hour: String,
    /// Which hours are empty.
    pub hours: String,
    /// What the next month is worth.
    pub next_month: String,
}

/// Sentences about a span that ends today (SPEC 7, Analytics).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Insights {
    /// How many days.
    pub period: i64,
    /// Which.
    pub dates: Period,
    /// What there is to say, the most important first.
    pub insights: Vec<String>,
}

impl Sentences {
    /// What there is to say of revenue.
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

    /// What there is to say of bookings.
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
    period: Period,
) -> Sentences {
    let summary = figures.performance.performance_summary;
    let is_any = 0 < summary.total_services;
    let some = |text: String| if is_any { text } else { String::new() };
    Sentences {
        revenue: revenue(figures, period),
        paid: some(paid(summary, figures.performance.unpaid_amount)),
        distribution: distribution(figures),
        months: months(figures),
        weekdays: some(weekdays(figures)),
        requests: requests(figures),
        retention: retention(figures),
        top_clients: top_clients(figures),
        per_hour: per_hour(&figures.clients.client_hours),
        hours: hours_text(availability),
        next_month: next_month(&figures.performance.next_month),
    }
}

/// `1 service`, `2 services`.
fn counted(count: u32, one: &str, more: &str) -> String {
    let word = if count == 1 { one } else { more };
    format!("{count} {word}")
}

fn services(count: u32) -> String {
    counted(count, "service", "services")
}

fn revenue(figures: &Figures, period: Period) -> String {
    let performance = &figures.performance;
    let now = performance.performance_summary;
    let days = period.n_days();
    let span = if days == 1 {
        "the day before".to_owned()
    } else {
        format!("the {days} days before")
    };
    if now.total_services == 0 {
        return match performance.previous_summary.total_services {
            0 => "No service was completed in these days".to_owned(),
            before => format!(
                "No service was completed in these days, after {} in {span}",
                services(before)
            ),
        };
    }
    let begin = format!(
        "{} with {}",
        now.total_revenue,
        services(now.total_services)
    );
    match performance.growth_metrics.revenue_growth {
        None => format!("{begin}; {span} had nothing"),
        Some(Percent(0)) => format!("{begin}, as much as {span}"),
        Some(it) if it < Percent(0) => {
            format!("{begin}, {} less than {span}", Percent(-it.0).text())
        }
        Some(it) => format!("{begin}, {} more than {span}", it.text()),
    }
}

fn paid(summary: PerformanceSummary, unpaid: Cents) -> String {
    match summary.payment_rate {
        Some(_) if unpaid == Cents::ZERO => "All of it is paid".to_owned(),
        Some(rate) => format!("{} of it is paid; {unpaid} is not yet", rate.text()),
        None => String::new(),
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
        _ => String::new(),
    }
}

fn months(figures: &Figures) -> String {
    let months = &figures.revenue.monthly_revenue;
    // Of months that are alike the last is named.
    match months.iter().max_by_key(|it| it.total_revenue) {
        Some(best) if 1 < months.len() && Cents::ZERO < best.total_revenue => {
            format!("{} brought the most: {}", best.title, best.total_revenue)
        }
        _ => String::new(),
    }
}

fn weekdays(figures: &Figures) -> String {
    let all = figures.performance.performance_summary.total_services;
    let days = &figures.booking.weekly_patterns;
    let Some(most) = days.iter().map(|it| it.service_count).max() else {
        return String::new();
    };
    let busiest: Vec<String> = days
        .iter()
        .filter(|it| it.service_count == most)
        .map(|it| it.day_name.to_owned())
        .collect();
    match busiest.as_slice() {
        [day] => format!("{day} is the busiest day, with {most} of {}", services(all)),
        days if days.len() <= 3 => format!(
            "{} are the busiest days, with {most} of {} each",
            crate::values::format::names(days),
            services(all)
        ),
        _ => "No day of the week is busier than the others".to_owned(),
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
    let requests = counted(all, "request", "requests");
    let begin = format!(
        "{taken} of {requests} {} approved",
        if taken == 1 { "was" } else { "were" }
    );
    match waiting {
        0 => begin,
        1 => begin + ", 1 waits",
        _ => format!("{begin}, {waiting} wait"),
    }
}

fn retention(figures: &Figures) -> String {
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
    if served + lapsed == 0 {
        return String::new();
    }
    let clients = counted(served, "client", "clients");
    let were = if regular == 1 { "was" } else { "were" };
    let mut text = format!("{regular} of {clients} {were} here in the days before");
    if 0 < new {
        text += &format!(", {new} {} new", if new == 1 { "is" } else { "are" });
    }
    if 0 < lapsed {
        let have = if lapsed == 1 { "has" } else { "have" };
        text += &format!(", {lapsed} {have} not been back");
    }
    text
}

fn top_clients(figures: &Figures) -> String {
    let all = figures.performance.performance_summary.total_revenue;
    let Some(first) = figures.clients.top_clients.first() else {
        return String::new();
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
    let (Some(all), Some(best)) = (hours.per_hour, hours.clients.first()) else {
        return String::new();
    };
    let begin = format!("An hour of work brings {all}, with the ways between");
    if hours.clients.len() == 1 {
        return begin;
    }
    format!(
        "{begin}; the most with {}, {}",
        set_apart(&best.name),
        best.per_hour
    )
}

fn hours_text(availability: &Availability) -> String {
    match (availability.empty.first(), availability.booked) {
        (Some(longest), Some(_)) => {
            format!("Nearly always free for the longest: {longest}")
        }
        (None, Some(booked)) => format!("Visits take {} of the hours on offer", booked.text()),
        _ => String::new(),
    }
}

fn next_month(next: &NextMonth) -> String {
    let begin = match next.service_count {
        0 => format!("Nothing is scheduled for {} yet", next.title),
        count => format!(
            "{} is worth {} already, with {}",
            next.title,
            next.worth,
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
