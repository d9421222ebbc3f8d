//! Owns the figures of the analytics dashboard, by the names of SPEC 3.

use serde::Serialize;

use super::client_hours::{ClientHours, client_hours};
use super::next_month::{NextMonth, next_month};
use super::period::Period;
use super::records::Records;
use super::sums::{Percent, Sum};
use super::trend::{ByDay, DayRevenue, Trend, TrendUnit, daily_trends, parts, trend};
use crate::rows::service::{ServiceStatus, ServiceType};
use crate::rows::walk_request::RequestStatus;
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Cents, Id};

/// Number of clients in the list of those that bring the most (SPEC 9).
const TOP_CLIENTS: usize = 10;

/// Totals of a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PerformanceSummary {
    /// Sum of the prices of completed services.
    pub total_revenue: Cents,
    /// Number of completed services.
    pub total_services: u32,
    /// Number of clients with a completed service.
    pub unique_clients: u32,
    /// Share of the revenue that is paid; none without revenue.
    pub payment_rate: Option<Percent>,
}

/// By how much a span is more than the one before; no number where that had nothing, or where the span goes on after today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GrowthMetrics {
    /// Growth of the revenue of completed services.
    pub revenue_growth: Option<Percent>,
    /// Growth of the number of completed services.
    pub services_growth: Option<Percent>,
    /// Growth of the number of clients with a completed service.
    pub client_growth: Option<Percent>,
}

/// Totals of the span, compared with the span before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Performance {
    /// Totals of the span.
    pub performance_summary: PerformanceSummary,
    /// Totals of the span before.
    pub previous_summary: PerformanceSummary,
    /// Growth from `previous_summary` to `performance_summary`.
    pub growth_metrics: GrowthMetrics,
    /// Services of the span that were called off.
    pub cancelled_services: u32,
    /// Part of the span's revenue that is not paid yet.
    pub unpaid_amount: Cents,
    /// Services of the span that are neither done nor called off.
    pub scheduled_services: u32,
    /// Sum of the prices of those scheduled services.
    pub scheduled_amount: Cents,
    /// Services of the next calendar month, beside the last whole month.
    pub next_month: NextMonth,
}

/// Revenue of one kind of service; stays count by their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TypeRevenue {
    /// The kind of service that the figures are about.
    #[serde(rename = "type")]
    pub service_type: ServiceType,
    /// Name of the kind on charts (SPEC 9).
    pub label: &'static str,
    /// Revenue of its completed services in the span.
    pub revenue: Cents,
    /// Number of its completed services.
    pub service_count: u32,
    /// Its share of the revenue of the span; none without revenue.
    pub percentage: Option<Percent>,
    /// Revenue of its completed services in the span before.
    pub revenue_before: Cents,
}

/// A calendar month, or what of it is in the span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MonthRevenue {
    /// Year and month: `2026-11`.
    pub month: String,
    /// The days of it.
    pub period: Period,
    /// `November 2026`; of a part its days.
    pub title: String,
    /// Number of completed services.
    pub service_count: u32,
    /// Revenue of those services.
    pub total_revenue: Cents,
    /// Average revenue of a completed service (arithmetic mean); 0 without any.
    pub avg_service_value: Cents,
    /// Number of completed walks, stays of that kind included.
    pub walk_count: u32,
    /// Number of completed drop-ins, stays of that kind included.
    pub dropin_count: u32,
}

/// Revenue of a span by day, month and kind of service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RevenueFigures {
    /// The last days of the span, 30 at most.
    pub daily_trends: Vec<DayRevenue>,
    /// Walks, then drop-ins.
    pub service_distribution: Vec<TypeRevenue>,
    /// One entry for each calendar month that the span touches, in order.
    pub monthly_revenue: Vec<MonthRevenue>,
    /// All of the span, in parts that a chart has room for.
    pub trend: Trend,
}

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WeekdayFigures {
    /// English name of the weekday: `Sunday`.
    pub day_name: &'static str,
    /// Number of completed services.
    pub service_count: u32,
    /// Revenue of the completed services on this weekday.
    pub revenue: Cents,
    /// Number of completed services in the span before.
    pub service_count_before: u32,
}

/// Requests that stand alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RequestShare {
    /// The status that these requests have today.
    pub status: RequestStatus,
    /// Name of the status on the screen: `Pending`.
    pub label: &'static str,
    /// Number of requests made in the span that have this status.
    pub count: u32,
    /// Share of all requests made in the span; 0 without any.
    pub percentage: Percent,
    /// Number of requests made in the span before that have this status today.
    pub count_before: u32,
}

/// Completed services by weekday, and requests by status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BookingFigures {
    /// Figures of each weekday, from Sunday on.
    pub weekly_patterns: Vec<WeekdayFigures>,
    /// Shares of each status, those that wait first.
    pub request_analytics: Vec<RequestShare>,
}

/// How a client of the span, or of the one before, comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RetentionCategory {
    /// Served in the span and in the one before.
    Regular,
    /// Served in the span for the first time ever.
    New,
    /// Served in the span and not in the one before, but earlier.
    Returning,
    /// Served in the span before and not in this one.
    Lapsed,
}

impl RetentionCategory {
    /// Name of the category on the screen.
    const fn label(self) -> &'static str {
        match self {
            Self::Regular => "Regular",
            Self::New => "New",
            Self::Returning => "Returning",
            Self::Lapsed => "Lapsed",
        }
    }

    /// Explanation of the category on the screen.
    const fn meaning(self) -> &'static str {
        match self {
            Self::Regular => "Served in these days and in those before",
            Self::New => "Served for the first time",
            Self::Returning => "Not served in the days before, but earlier",
            Self::Lapsed => "Served in the days before, and not in these",
        }
    }
}

/// Clients of one category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RetentionShare {
    /// The category that these clients are in.
    pub retention_category: RetentionCategory,
    /// Name of the category on the screen: `Regular`.
    pub label: &'static str,
    /// Explanation of the category on the screen.
    pub meaning: &'static str,
    /// Number of clients in the category.
    pub count: u32,
    /// Share of all clients served in the span or in the one before; 0 without any.
    pub percentage: Percent,
}

/// A client by what it brings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TopClient {
    /// Id of the client, who may be deleted by now.
    pub client_id: Id,
    /// Name of the client as it is now, or as it was when the client was deleted.
    pub name: String,
    /// False once the client is deleted.
    pub is_kept: bool,
    /// Number of completed services.
    pub service_count: u32,
    /// Revenue of the client's completed services in the span.
    pub total_revenue: Cents,
    /// Revenue of the client's completed services in the span before.
    pub revenue_before: Cents,
}

/// Retention of clients, and those who bring the most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClientFigures {
    /// All four categories: regular, new, returning, lapsed.
    pub retention_analysis: Vec<RetentionShare>,
    /// Clients with the highest revenue, 10 at most.
    pub top_clients: Vec<TopClient>,
    /// Revenue per hour of work, in all and by client.
    pub client_hours: ClientHours,
}

/// All of SPEC 3.
pub(super) struct Figures {
    pub performance: Performance,
    pub revenue: RevenueFigures,
    pub booking: BookingFigures,
    pub clients: ClientFigures,
}

/// Sums over all services of the span and of the one before, gathered in one pass.
struct Totals {
    now: Sum,
    before: Sum,
    cancelled: u32,
    scheduled: Sum,
    weekdays: [Sum; 7],
    weekdays_before: [Sum; 7],
    /// Sums of each kind in the order of `LABELS`: in the span, and in the one before.
    kinds: [(Sum, Sum); 2],
    /// Sums of each client: in the span, and in the one before.
    clients: Vec<(Sum, Sum)>,
}

impl Totals {
    fn of(records: &Records) -> Self {
        let period = records.period;
        let earlier = period.before();
        let mut totals = Self {
            now: Sum::default(),
            before: Sum::default(),
            cancelled: 0,
            scheduled: Sum::default(),
            weekdays: [Sum::default(); 7],
            weekdays_before: [Sum::default(); 7],
            kinds: [(Sum::default(), Sum::default()); 2],
            clients: vec![(Sum::default(), Sum::default()); records.clients.len()],
        };
        for it in &records.services {
            let is_now = period.has(it.date);
            if !is_now && !earlier.has(it.date) {
                continue;
            }
            match it.status {
                ServiceStatus::Cancelled if is_now => totals.cancelled += 1,
                ServiceStatus::Scheduled if is_now => totals.scheduled.add(it),
                _ => {}
            }
            if !it.is_done() {
                continue;
            }
            let (sum, weekdays) = if is_now {
                (&mut totals.now, &mut totals.weekdays)
            } else {
                (&mut totals.before, &mut totals.weekdays_before)
            };
            sum.add(it);
            if let Some(day) = weekdays.get_mut(usize::from(it.date.day_of_week())) {
                day.add(it);
            }
            let of_kind = LABELS.iter().zip(&mut totals.kinds);
            let of_kind = of_kind.filter(|((kind, _), _)| it.service_type == *kind);
            let of_client = totals.clients.get_mut(it.client);
            for (now, before) in of_kind.map(|(_, sums)| sums).chain(of_client) {
                (if is_now { now } else { before }).add(it);
            }
        }
        totals
    }

    fn summary(&self, of: impl Fn(&(Sum, Sum)) -> Sum, sum: Sum) -> PerformanceSummary {
        let served = self.clients.iter().filter(|it| 0 < of(it).services);
        PerformanceSummary {
            total_revenue: sum.revenue,
            total_services: sum.services,
            unique_clients: count(served),
            payment_rate: Percent::of(sum.paid.0, sum.revenue.0),
        }
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

pub(super) fn figures(records: &Records) -> Figures {
    let period = records.period;
    let totals = Totals::of(records);
    let now = ByDay::of(records, period);
    let before = ByDay::of(records, period.before());
    Figures {
        performance: performance(records, &totals),
        revenue: RevenueFigures {
            daily_trends: daily_trends(period, &now),
            service_distribution: distribution(&totals),
            monthly_revenue: months(period, &now),
            trend: trend(period, &now, &before),
        },
        booking: BookingFigures {
            weekly_patterns: weekdays(&totals),
            request_analytics: requests(records),
        },
        clients: ClientFigures {
            retention_analysis: retention(records, &totals),
            top_clients: top_clients(records, &totals),
            client_hours: client_hours(records),
        },
    }
}

fn performance(records: &Records, totals: &Totals) -> Performance {
    let now = totals.summary(|it| it.0, totals.now);
    let before = totals.summary(|it| it.1, totals.before);
    let growth = |now: i64, before: i64| {
        // Days that are still to come would be held against days that are whole.
        let is_over = records.is_over();
        is_over.then(|| Percent::growth(now, before)).flatten()
    };
    Performance {
        performance_summary: now,
        previous_summary: before,
        growth_metrics: GrowthMetrics {
            revenue_growth: growth(now.total_revenue.0, before.total_revenue.0),
            services_growth: growth(now.total_services.into(), before.total_services.into()),
            client_growth: growth(now.unique_clients.into(), before.unique_clients.into()),
        },
        cancelled_services: totals.cancelled,
        unpaid_amount: totals.now.revenue - totals.now.paid,
        scheduled_services: totals.scheduled.services,
        scheduled_amount: totals.scheduled.revenue,
        next_month: next_month(records),
    }
}

/// Names of the kinds of services on charts (SPEC 9).
const LABELS: [(ServiceType, &str); 2] = [
    (ServiceType::Walk, "Dog Walks"),
    (ServiceType::Dropin, "Drop-ins"),
];

fn distribution(totals: &Totals) -> Vec<TypeRevenue> {
    let kinds = LABELS.into_iter().zip(totals.kinds);
    let share = kinds.map(|((service_type, label), (now, before))| TypeRevenue {
        service_type,
        label,
        revenue: now.revenue,
        service_count: now.services,
        percentage: Percent::of(now.revenue.0, totals.now.revenue.0),
        revenue_before: before.revenue,
    });
    share.collect()
}

fn months(period: Period, now: &ByDay) -> Vec<MonthRevenue> {
    let months = parts(period, TrendUnit::Month).into_iter().map(|part| {
        let sum = now.sum(part);
        let date = part.start_date.to_string();
        MonthRevenue {
            month: date.get(..7).unwrap_or_default().to_owned(),
            period: part,
            title: part.month_text(),
            service_count: sum.services,
            total_revenue: sum.revenue,
            avg_service_value: sum.revenue.share(1, i64::from(sum.services).max(1)),
            walk_count: sum.walks,
            dropin_count: sum.dropins,
        }
    });
    months.collect()
}

fn weekdays(totals: &Totals) -> Vec<WeekdayFigures> {
    let both = totals.weekdays.iter().zip(&totals.weekdays_before);
    let days = format::WEEKDAYS.into_iter().zip(both);
    let figures = days.map(|(day_name, (now, before))| WeekdayFigures {
        day_name,
        service_count: now.services,
        revenue: now.revenue,
        service_count_before: before.services,
    });
    figures.collect()
}

/// Names of the request statuses, in the order of the chart.
const STATUSES: [(RequestStatus, &str); 4] = [
    (RequestStatus::Pending, "Pending"),
    (RequestStatus::Approved, "Approved"),
    (RequestStatus::Declined, "Declined"),
    (RequestStatus::Completed, "Completed"),
];

fn requests(records: &Records) -> Vec<RequestShare> {
    let made = |period: Period| {
        let requests = records.requests.iter();
        requests.filter(move |it| period.has(it.date))
    };
    let all = count(made(records.period));
    let share = STATUSES.map(|(status, label)| {
        let of = |period| count(made(period).filter(|it| it.status == status));
        let count = of(records.period);
        RequestShare {
            status,
            label,
            count,
            percentage: Percent::of(count.into(), all.into()).unwrap_or_default(),
            count_before: of(records.period.before()),
        }
    });
    share.into()
}

fn retention(records: &Records, totals: &Totals) -> Vec<RetentionShare> {
    let sums = records.clients.iter().zip(&totals.clients);
    let found: Vec<RetentionCategory> = sums
        .filter_map(
            |(client, (now, before))| match (0 < now.services, 0 < before.services) {
                (true, true) => Some(RetentionCategory::Regular),
                (true, false) if client.served_earlier => Some(RetentionCategory::Returning),
                (true, false) => Some(RetentionCategory::New),
                (false, true) => Some(RetentionCategory::Lapsed),
                (false, false) => None,
            },
        )
        .collect();
    let all = count(found.iter());
    let categories = [
        RetentionCategory::Regular,
        RetentionCategory::New,
        RetentionCategory::Returning,
        RetentionCategory::Lapsed,
    ];
    let share = categories.into_iter().map(|category| {
        let count = count(found.iter().filter(|it| **it == category));
        RetentionShare {
            retention_category: category,
            label: category.label(),
            meaning: category.meaning(),
            count,
            percentage: Percent::of(count.into(), all.into()).unwrap_or_default(),
        }
    });
    share.collect()
}

fn top_clients(records: &Records, totals: &Totals) -> Vec<TopClient> {
    let sums = records.clients.iter().zip(&totals.clients);
    let mut served: Vec<_> = sums.filter(|(_, (now, _))| 0 < now.services).collect();
    served.small_sort_by(|(a, (a_now, _)), (b, (b_now, _))| {
        let by_sum = (b_now.revenue, b_now.services).cmp(&(a_now.revenue, a_now.services));
        by_sum.then_with(|| (&a.name, a.id).cmp(&(&b.name, b.id)))
    });
    let top = served.into_iter().take(TOP_CLIENTS);
    let top = top.map(|(client, (now, before))| TopClient {
        client_id: client.id,
        name: client.name.clone(),
        is_kept: client.is_kept,
        service_count: now.services,
        total_revenue: now.revenue,
        revenue_before: before.revenue,
    });
    top.collect()
}
