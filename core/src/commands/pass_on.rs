//! Owns the command that notes whether the sitter passed on the link of something shared, or the words about a delay.

use serde::Serialize;

use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, row};
use crate::rows::invoice::Invoice;
use crate::rows::report::Report;
use crate::rows::row::{Change, TableName};
use crate::rows::service::{Delay, Service};
use crate::values::json::{read_by_field, read_by_name};
use crate::{Business, Id, Refusal};

/// Something that the sitter passes on to a client who is not in the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shared {
    /// A walk's report.
    Report,
    /// An invoice or a credit note.
    Invoice,
    /// A message about the sitter's time off, which has no address.
    TimeOff,
    /// The later start of a visit, which has no page.
    Delay,
}

read_by_name!(Shared {
    Report,
    Invoice,
    TimeOff,
    Delay
});

impl Shared {
    /// The table that it is a row of.
    pub const fn table(self) -> TableName {
        match self {
            Self::Report => TableName::Report,
            Self::Invoice => TableName::Invoice,
            Self::TimeOff => TableName::BlockedTime,
            Self::Delay => TableName::Service,
        }
    }
}

/// Notes that the sitter passed a link on to a client who is not in the portal, or has yet to; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkPassedOn {
    /// Id of the report, the invoice, the blocked time or the service.
    pub id: Id,
    /// Kind of the thing that the id is of.
    pub what: Shared,
    /// True once it was passed on.
    pub passed_on: bool,
    /// Id of the client whose message about a time off it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<Id>,
}

read_by_field!(MarkPassedOn { id, what, passed_on } or default { client_id });

impl Intent for MarkPassedOn {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(self.what.table(), self.id)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let at = self.passed_on.then(|| ctx.acted_at());
        let (was_passed_on, change) = match self.what {
            Shared::Report => {
                let report = business.reports.get(&self.id).map(|it| &it.row);
                let report = report.ok_or(Refusal::Gone)?;
                let changed = Report {
                    passed_on_at: at,
                    ..report.clone()
                };
                (report.passed_on_at.is_some(), Change::from(changed))
            }
            Shared::Invoice => {
                let invoice = business.invoice(self.id).ok_or(Refusal::Gone)?;
                let changed = Invoice {
                    passed_on_at: at,
                    ..invoice.clone()
                };
                (invoice.passed_on_at.is_some(), Change::from(changed))
            }
            Shared::TimeOff => {
                let block = business.blocked_times.get(&self.id);
                let mut block = block.ok_or(Refusal::Gone)?.row.clone();
                let mut notes = block.to_pass_on.iter_mut();
                let note = notes.find(|it| Some(it.client_id) == self.client_id);
                let note = note.ok_or(Refusal::Gone)?;
                let was_passed_on = note.passed_on_at.is_some();
                note.passed_on_at = at;
                (was_passed_on, Change::from(block))
            }
            Shared::Delay => {
                let service = business.service(self.id).ok_or(Refusal::Gone)?;
                // Nobody is told any more of what was taken back.
                let Some(delay) = service.delay.clone() else {
                    return Ok(Decision::default());
                };
                let was_passed_on = delay.passed_on_at.is_some();
                let changed = Service {
                    delay: Some(Delay {
                        passed_on_at: at,
                        ..delay
                    }),
                    ..service.clone()
                };
                (was_passed_on, Change::from(changed))
            }
        };
        if was_passed_on == self.passed_on {
            return Ok(Decision::default());
        }
        Ok(change.into())
    }

    fn about(&self) -> About {
        let noun = match self.what {
            Shared::Report => "Report",
            Shared::Invoice => "Invoice",
            Shared::TimeOff => "Message",
            Shared::Delay => "Delay",
        };
        About::row(noun, Effect::Marks, self.what.table(), self.id)
    }
}
