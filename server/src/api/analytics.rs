//! Analytics: what the work of a span of days comes to. The rows are read here, and everything is computed by the core on
//! a thread that steps back behind calls: a year of a busy sitter takes milliseconds.

use std::sync::mpsc;
use std::thread;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use rustix::process::nice;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use walkies_core::analytics::{
    Analytics, Availability, BookingFigures, ClientFigures, ExportFormat, Exported, Insights,
    OfferedHours, Performance, Period, Records, RevenueFigures, Sentences, Sources, analytics, csv,
    exported, too_many_services,
};
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::service_figures::ServiceFigures;
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::bounds::{ANALYTICS_DAYS, ANALYTICS_SERVICES};
use walkies_core::values::units::HourCycle;
use walkies_core::{Date, FieldErrors, Id};

use super::services::now;
use crate::app::session::SitterUser;
use crate::app::state::{AppState, LookPermit};
use crate::base::error::AppError;
use crate::db::{self, ClientServices};
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

/// A business's rows that analytics need, with the day on which they were read.
struct Look {
    sources: Sources,
    period: Period,
    today: Date,
    hour_cycle: HourCycle,
    /// Ends with the work and not with its caller.
    _permit: LookPermit,
}

impl Span {
    fn period(&self, today: Date) -> Result<Period, FieldErrors> {
        Period::asked(self.start_date, self.end_date, today)
    }
}

/// So much is asked of the database at once: it answers within a few milliseconds, in which nobody else's call waits for it.
const READ_AT_ONCE_DAYS: u16 = 92;

/// Reads what is needed of the days that `asked` makes of today.
async fn look(
    app: &AppState,
    sitter_id: Id,
    asked: impl FnOnce(Date) -> Result<Period, FieldErrors>,
) -> Result<Look, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    drop(tx);
    let sitter = sitter.map(|it| it.row);
    let now = now(app, sitter.as_ref());
    // Who asks for what cannot be looked at waits for nobody.
    let period = asked(now.today())?;
    let permit = app.look(sitter_id).await?;
    let mut tx = app.db.read().await?;
    let reader = Reader::start(permit)?;
    let mut count = 0;
    let spans = period.needed(now.today()).into_iter();
    for part in spans.flat_map(|it| it.pieces(READ_AT_ONCE_DAYS)) {
        let most = ANALYTICS_SERVICES + 1 - count;
        let found = db::client_services(&mut tx, sitter_id, part, most).await?;
        count += found.iter().map(|it| it.count).sum::<usize>();
        reader.read(found);
        if ANALYTICS_SERVICES < count {
            return db::roll_back(tx, too_many_services().into()).await;
        }
    }
    let patterns = db::select::<Pattern>(&mut tx, sitter_id, "", &[]).await?;
    let blocked = db::select::<BlockedTime>(&mut tx, sitter_id, "", &[]).await?;
    let first = period.before().start_date;
    let counts = period.with_before();
    let clients = db::client_places(&mut tx, sitter_id).await?;
    let served_earlier = db::served_before(&mut tx, sitter_id, first).await?;
    let requests = db::requests_made(&mut tx, sitter_id, counts, &now.zone).await?;
    tx.commit().await?;
    let Read {
        services,
        former,
        permit,
    } = reader.all().await?;
    let sources = Sources {
        services,
        clients,
        former,
        served_earlier,
        requests,
        offered: OfferedHours::of(patterns.iter().map(|it| &it.row)),
        blocked: blocked.into_iter().map(|it| it.row).collect(),
    };
    Ok(Look {
        sources,
        period,
        today: now.today(),
        hour_cycle: sitter.map(|it| it.hour_cycle).unwrap_or_default(),
        _permit: permit,
    })
}

/// How far adding up steps back behind calls, in steps of nice(2).
const STEPS_BACK: i32 = 10;

/// Starts work on a thread of its own, which steps back behind everybody else's calls.
fn step_back<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<oneshot::Receiver<Result<T, AppError>>, AppError> {
    let (tell, made) = oneshot::channel();
    thread::Builder::new()
        .name("look".to_owned())
        .spawn(move || {
            // Where it may not step back, it works all the same. A caller who left is told nothing.
            let _ = nice(STEPS_BACK);
            let _ = tell.send(work());
        })
        .map_err(|it| AppError::Internal(it.into()))?;
    Ok(made)
}

async fn done<T>(made: oneshot::Receiver<Result<T, AppError>>) -> Result<T, AppError> {
    made.await.map_err(|it| AppError::Internal(it.into()))?
}

/// The figures of all services that were read, with the names of deleted clients.
struct Read {
    services: Vec<ServiceFigures>,
    /// The names of clients that are deleted.
    former: Vec<(Id, String)>,
    permit: LookPermit,
}

/// Makes figures of what the database has brought, while it is asked for more.
struct Reader {
    found: mpsc::Sender<Vec<ClientServices>>,
    made: oneshot::Receiver<Result<Read, AppError>>,
}

impl Reader {
    /// Starts the thread that makes figures. For a caller who left it still makes them, and keeps the permit until
    /// then.
    fn start(permit: LookPermit) -> Result<Self, AppError> {
        let (found, next) = mpsc::channel::<Vec<ClientServices>>();
        let made = step_back(move || {
            let (mut services, mut former) = (Vec::new(), Vec::new());
            for it in next.iter().flatten() {
                services.extend(it.figures()?);
                former.extend(it.former());
            }
            Ok(Read {
                services,
                former,
                permit,
            })
        })?;
        Ok(Self { found, made })
    }

    fn read(&self, found: Vec<ClientServices>) {
        // Whoever hears no more has met an error, which `all` tells.
        let _ = self.found.send(found);
    }

    async fn all(self) -> Result<Read, AppError> {
        drop(self.found);
        done(self.made).await
    }
}

/// Runs `make` on the rows, on a low-priority thread.
async fn made<T: Send + 'static>(
    look: Look,
    make: impl FnOnce(&Records) -> T + Send + 'static,
) -> Result<T, AppError> {
    let made = step_back(move || {
        // Whole, with its permit.
        let Look {
            sources,
            period,
            today,
            hour_cycle,
            _permit,
        } = look;
        Ok(make(&Records::of(sources, period, today, hour_cycle)))
    })?;
    done(made).await
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
