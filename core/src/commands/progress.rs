//! Owns what the command does by which a sitter lets a client know how far a visit has come.

use serde::Serialize;

use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, row};
use crate::rows::row::{Change, TableName};
use crate::rows::service::{Progress, ProgressStep, Service, ServiceStatus};
use crate::rules::progress::arrival;
use crate::values::bounds::WAY_MINUTES;
use crate::values::json::read_by_field;
use crate::{Business, Date, FieldErrors, Id, Refusal};

/// Lets the client know that the sitter is on the way, or that a visit has begun; a repeat changes nothing. Where clients
/// are not to know (`Sitter::tells_progress`) it says nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkProgress {
    /// Id of the service.
    pub id: Id,
    /// How far it has come; nothing takes back what was said.
    #[serde(default)]
    pub step: Option<ProgressStep>,
    /// Minutes for the way, by the estimate of the sitter's phone, where the client is to read when the sitter should be
    /// there; `bounds::WAY_MINUTES` at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_minutes: Option<u32>,
}

read_by_field!(MarkProgress { id } or default { step, way_minutes });

/// Refusal of a way that nobody announces by its end.
const TOO_LONG: &str = "The way takes too long to tell when you will be there";

/// Returns true if a service is on this day or the days around it: zones differ, and a visit may begin before midnight.
fn is_near(service: &Service, today: Date) -> bool {
    let last = service.end_date.unwrap_or(service.date);
    (service.date.plus_days(-1)..=last.plus_days(1)).contains(&today)
}

/// Refusal of a step of a visit that is not due.
const OTHER_DAY: &str = "This visit is on another day";

impl Intent for MarkProgress {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Service, self.id),
            Need::Table(TableName::Sitter),
        ]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = business.service(self.id).ok_or(Refusal::Gone)?;
        match current.status {
            ServiceStatus::Scheduled => {}
            ServiceStatus::Completed => return Err(Refusal::AlreadyCompleted),
            ServiceStatus::Cancelled => {
                let at = current.cancelled_at;
                return Err(Refusal::WasCancelled { at });
            }
        }
        if self.way_minutes.is_some_and(|it| WAY_MINUTES < it) {
            let mut errors = FieldErrors::default();
            errors.add("way_minutes", TOO_LONG);
            return Err(errors.into());
        }
        let known = current.progress.map(|it| it.step);
        let is_told = business.sitter().is_some_and(|it| it.tells_progress);
        let progress = match self.step {
            None => None,
            // What has begun is on the way no longer.
            Some(step) if !is_told || Some(step) <= known => current.progress,
            Some(_) if !ctx.is_shown && !is_near(current, ctx.today()) => {
                let mut errors = FieldErrors::default();
                errors.add("step", OTHER_DAY);
                return Err(errors.into());
            }
            Some(step) => {
                let at = ctx.acted_at();
                let way = self.way_minutes.filter(|_| step == ProgressStep::OnTheWay);
                Some(Progress {
                    expected_at: way.map(|it| arrival(at, it)),
                    ..Progress::new(step, at)
                })
            }
        };
        if progress == current.progress {
            return Ok(Decision::default());
        }
        Ok(Change::from(Service {
            progress,
            ..current.clone()
        })
        .into())
    }

    fn about(&self) -> About {
        About::row("Schedule", Effect::Marks, TableName::Service, self.id)
    }
}
