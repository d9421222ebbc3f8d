//! Owns what is taken out of analytics: the services of a span as a table for spreadsheets, and all of it as JSON.

use serde::Serialize;

use super::dashboard::{Analytics, analytics};
use super::records::{Counted, Records};
use crate::rows::service::{ServiceStatus, ServiceType};
use crate::values::csv::push_record;
use crate::values::json::read_by_name;
use crate::{Cents, Date, Time};

/// File format of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// All figures and each service.
    #[default]
    Json,
    /// Each service on a line.
    Csv,
}

read_by_name!(ExportFormat { Json, Csv });

impl ExportFormat {
    /// The file's name (SPEC 9).
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Json => "analytics-export.json",
            Self::Csv => "analytics-export.csv",
        }
    }
}

/// A service of the span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExportedService {
    /// Day on which the service begins, in the business's zone.
    pub date: Date,
    /// Time at which the service begins, in the business's zone.
    pub start_time: Time,
    /// Duration in minutes; none of a stay.
    pub duration_minutes: Option<u32>,
    /// Name of the client.
    pub client: String,
    /// `Walk`, `Drop-in` or `Stay`.
    pub service: &'static str,
    /// Scheduled, completed or cancelled.
    pub status: ServiceStatus,
    /// Price of the service, whether or not it counts as revenue.
    pub price: Cents,
    /// True if the service is marked as paid.
    pub paid: bool,
}

/// All of a span (SPEC 7, Analytics).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Exported {
    /// The dashboard of the span; its fields stand beside `services`.
    #[serde(flatten)]
    pub analytics: Analytics,
    /// Its services, cancelled ones among them, in order of time.
    pub services: Vec<ExportedService>,
}

/// A span as JSON shows it.
pub fn exported(records: &Records) -> Exported {
    Exported {
        analytics: analytics(records),
        services: services(records).collect(),
    }
}

fn services(records: &Records) -> impl Iterator<Item = ExportedService> {
    let services = records.services.iter();
    let services = services.filter(|it| records.period.has(it.date));
    services.map(|it| ExportedService {
        date: it.date,
        start_time: it.start,
        duration_minutes: (!it.is_stay).then_some(it.minutes),
        client: client(records, it),
        service: match it.service_type {
            _ if it.is_stay => "Stay",
            ServiceType::Walk => "Walk",
            ServiceType::Dropin => "Drop-in",
        },
        status: it.status,
        price: it.price,
        paid: it.paid,
    })
}

fn client(records: &Records, service: &Counted) -> String {
    let client = records.clients.get(service.client);
    client.map(|it| it.name.clone()).unwrap_or_default()
}

const HEADINGS: [&str; 8] = [
    "Date", "Start", "Minutes", "Client", "Service", "Status", "Price", "Paid",
];

/// The services of a span as a table (RFC 4180), one on a line, with a heading. Begins with the mark by which spreadsheets
/// know UTF-8.
pub fn csv(records: &Records) -> String {
    let mut table = "\u{feff}".to_owned();
    push_record(&mut table, HEADINGS);
    for it in services(records) {
        let status = match it.status {
            ServiceStatus::Scheduled => "Scheduled",
            ServiceStatus::Completed => "Completed",
            ServiceStatus::Cancelled => "Cancelled",
        };
        let line = [
            it.date.to_string(),
            it.start_time.to_string(),
            it.duration_minutes
                .map(|it| it.to_string())
                .unwrap_or_default(),
            it.client,
            it.service.to_owned(),
            status.to_owned(),
            format!("{}.{:02}", it.price.0 / 100, it.price.0 % 100),
            if it.paid { "Yes" } else { "No" }.to_owned(),
        ];
        push_record(&mut table, line);
    }
    table
}
