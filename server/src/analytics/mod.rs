//! Rows that analytics need, read piece by piece, and threads that compute with them: a year of a busy sitter takes
//! milliseconds, behind everybody else's calls. What the figures are is the core's.

use std::sync::mpsc;

use tokio::sync::oneshot;
use walkies_core::analytics::{OfferedHours, Period, Records, Sources, too_many_services};
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::service_figures::ServiceFigures;
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::bounds::ANALYTICS_SERVICES;
use walkies_core::values::units::HourCycle;
use walkies_core::{Date, FieldErrors, Id};

use crate::app::state::{App, LookPermit};
use crate::app::zone::now_of;
use crate::base::error::AppError;
use crate::db::{self, ClientServices, roll_back};
use crate::limits::permits::step_back;

/// A business's rows that analytics need, with the day on which they were read.
pub(crate) struct Look {
    sources: Sources,
    period: Period,
    today: Date,
    hour_cycle: HourCycle,
    /// Ends with the work and not with its caller.
    _permit: LookPermit,
}

/// So much is asked of the database at once: it answers within a few milliseconds, in which nobody else's call waits for it.
const READ_AT_ONCE_DAYS: u16 = 92;

/// Reads what is needed of the days that `asked` makes of today.
pub(crate) async fn look(
    app: &App,
    sitter_id: Id,
    asked: impl FnOnce(Date) -> Result<Period, FieldErrors>,
) -> Result<Look, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    drop(tx);
    let sitter = sitter.map(|it| it.row);
    let now = now_of(app.now(), sitter.as_ref());
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
            return roll_back(tx, too_many_services().into()).await;
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
        let made = step_back(STEPS_BACK, move || {
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
pub(crate) async fn made<T: Send + 'static>(
    look: Look,
    make: impl FnOnce(&Records) -> T + Send + 'static,
) -> Result<T, AppError> {
    let made = step_back(STEPS_BACK, move || {
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
