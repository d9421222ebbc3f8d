//! Calls of analytics: what the work of a span of days comes to.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use walkies_core::analytics::{
    Analytics, Availability, BookingFigures, ClientFigures, ExportFormat, Exported, Insights,
    Performance, Period, RevenueFigures, Sentences, analytics, csv, exported,
};
use walkies_core::values::bounds::ANALYTICS_DAYS;
use walkies_core::{Date, FieldErrors};

use crate::analytics::{look, made};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::http::extract::QueryParams;
use crate::http::route::{Access, Route, get};
use crate::write::answer::success;

pub(super) fn routes() -> Vec<Route> {
    vec![
        of_span(get(
            "/analytics/dashboard",
            Access::Sitter,
            "What the work of some days comes to, with a sentence for each figure",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<Span>| {
                answer(&app, &sitter, &query.0, |it| it).await
            },
        ))
        .answer::<Analytics>(),
        of_span(get(
            "/analytics/revenue",
            Access::Sitter,
            "What came in, by day, by kind and by month",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<Span>| {
                answer(&app, &sitter, &query.0, |it| it.revenue).await
            },
        ))
        .answer::<RevenueFigures>(),
        of_span(get(
            "/analytics/bookings",
            Access::Sitter,
            "Services by weekday, and what became of requests",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<Span>| {
                answer(&app, &sitter, &query.0, |it| it.booking).await
            },
        ))
        .answer::<BookingFigures>(),
        of_span(get(
            "/analytics/clients",
            Access::Sitter,
            "Who comes back, who brings the most, and what an hour with each of them brings",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<Span>| {
                answer(&app, &sitter, &query.0, |it| it.clients).await
            },
        ))
        .answer::<ClientFigures>(),
        of_span(get(
            "/analytics/performance",
            Access::Sitter,
            "Totals, against the days before, and what the next month is worth",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<Span>| {
                answer(&app, &sitter, &query.0, |it| it.performance).await
            },
        ))
        .answer::<Performance>(),
        of_span(get(
            "/analytics/availability",
            Access::Sitter,
            "How much of the hours on offer is taken, by hour of the week",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<Span>| {
                answer(&app, &sitter, &query.0, |it| it.availability).await
            },
        ))
        .answer::<Availability>(),
        of_days(get(
            "/analytics/insights/revenue",
            Access::Sitter,
            "What there is to say of the revenue of the last days",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<LastDays>| {
                insights(&app, &sitter, &query.0, Sentences::of_revenue).await
            },
        )),
        of_days(get(
            "/analytics/insights/bookings",
            Access::Sitter,
            "What there is to say of the bookings of the last days",
            async |app: State<AppState>, sitter: SitterUser, query: QueryParams<LastDays>| {
                insights(&app, &sitter, &query.0, Sentences::of_bookings).await
            },
        )),
        of_span(get(
            "/analytics/export",
            Access::Sitter,
            "All of it with each service as JSON, or the services as a table",
            export,
        ))
        .query("format", "json, or csv for a file")
        .answer::<Exported>()
        .or_file("text/csv"),
    ]
}

fn of_span(route: Route) -> Route {
    route
        .query("startDate", "The first day; without it 30 days are meant")
        .query("endDate", "The last day; today without it")
        .fails(&[422])
}

fn of_days(route: Route) -> Route {
    route
        .query("period", "How many days up to today; 30 without it")
        .fails(&[422])
        .answer::<Insights>()
}

/// Days, both included.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Span {
    start_date: Option<Date>,
    end_date: Option<Date>,
}

#[derive(Debug, Deserialize)]
struct LastDays {
    period: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct ExportQuery {
    #[serde(flatten)]
    span: Span,
    #[serde(default)]
    format: ExportFormat,
}

impl Span {
    fn period(&self, today: Date) -> Result<Period, FieldErrors> {
        Period::asked(self.start_date, self.end_date, today)
    }
}

async fn answer<T: Serialize>(
    app: &AppState,
    sitter: &SitterUser,
    span: &Span,
    part: impl FnOnce(Analytics) -> T + Send + 'static,
) -> Result<Response, AppError> {
    let look = look(app, sitter.sitter_id, |today| span.period(today)).await?;
    let body = made(look, |records| {
        serde_json::to_vec(&success(part(analytics(records))))
    });
    json(body.await?)
}

async fn insights(
    app: &AppState,
    sitter: &SitterUser,
    query: &LastDays,
    say: impl FnOnce(Sentences) -> Vec<String> + Send + 'static,
) -> Result<Response, AppError> {
    let days = query.period.unwrap_or(30);
    if !(1..=ANALYTICS_DAYS).contains(&days) {
        let text = format!("Must be between 1 and {ANALYTICS_DAYS}");
        return Err(AppError::of_field("period", &text));
    }
    let look = look(app, sitter.sitter_id, |today| {
        Ok(Period::until(today, days))
    })
    .await?;
    let body = made(look, |records| {
        let Analytics {
            period, sentences, ..
        } = analytics(records);
        serde_json::to_vec(&success(Insights {
            period: period.n_days(),
            dates: period,
            insights: say(sentences),
        }))
    });
    json(body.await?)
}

async fn export(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<ExportQuery>,
) -> Result<Response, AppError> {
    let look = look(&app, sitter.sitter_id, |today| query.span.period(today)).await?;
    if query.format == ExportFormat::Csv {
        let table = made(look, csv).await?;
        let file = format!("attachment; filename=\"{}\"", query.format.file_name());
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, file.as_str()),
        ];
        return Ok((headers, table).into_response());
    }
    let body = made(look, |records| {
        serde_json::to_vec(&success(exported(records)))
    });
    json(body.await?)
}

fn json(body: serde_json::Result<Vec<u8>>) -> Result<Response, AppError> {
    let body = body.map_err(|it| AppError::Internal(it.into()))?;
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind)], body).into_response())
}
