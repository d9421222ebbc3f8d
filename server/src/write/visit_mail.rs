//! Owns what stands in the row of a visit about the last mail that told its client of it.

use walkies_core::rows::service::Service;
use walkies_core::rows::shared_mail::{SharedMailState, VisitMail};
use walkies_core::{Id, Instant, Row};

use crate::app::state::App;
use crate::db::{self, Tx};

/// A visit of which a mail tells a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedVisit {
    /// The service's id.
    pub id: Id,
    /// The id of the client record.
    pub client_id: Id,
    /// The client's address; empty for one with a login.
    pub to: String,
}

/// Result of a mail for one of its visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The mail, which tells of the visit, is in this state.
    State(SharedMailState),
    /// The mail waited until it was worth nothing any more.
    Late,
    /// Its words are no longer true or wanted.
    Untrue,
}

impl Outcome {
    /// Returns what a row says after this, given what it said before. Only a mail that waits can come too late or be dropped.
    fn apply(
        self,
        known: Option<&VisitMail>,
        visit: &MailedVisit,
        at: Instant,
    ) -> Option<VisitMail> {
        let of_client = known.filter(|it| it.client_id == visit.client_id);
        match (self, of_client) {
            (Self::State(state), Some(it))
                if state != SharedMailState::Sent && (it.state, &it.to) == (state, &visit.to) =>
            {
                Some(it.clone())
            }
            (Self::State(state), _) => Some(VisitMail {
                client_id: visit.client_id,
                to: visit.to.clone(),
                state,
                at,
            }),
            (Self::Late, Some(it)) if it.is_waiting() => Some(VisitMail {
                state: SharedMailState::Failed,
                at,
                ..it.clone()
            }),
            (Self::Untrue, Some(it)) if it.is_waiting() => None,
            _ => known.cloned(),
        }
    }
}

/// Notes what became of a mail in its visits, at the next revision of their business. Returns that revision, if anything has
/// changed, which is to be told once the transaction is committed.
pub async fn note(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    visits: &[(MailedVisit, Outcome)],
) -> sqlx::Result<Option<u64>> {
    let at = app.now();
    let mut changed = Vec::new();
    for visit in visits {
        if after(tx, sitter_id, visit, at).await?.is_some() {
            changed.push(visit);
        }
    }
    if changed.is_empty() {
        return Ok(None);
    }
    let Some(next) = db::claim_next_revision(tx, sitter_id, None, None).await? else {
        return Ok(None);
    };
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    for visit in changed {
        // Read again, now that nobody else writes it.
        if let Some(service) = after(tx, sitter_id, visit, at).await? {
            db::write_row(tx, sitter_id, next.rev, &Row::Service(service)).await?;
        }
    }
    Ok(Some(next.rev))
}

/// Returns the service as it is to be written; `None` where it is another client's by now, or says so already.
async fn after(
    tx: &mut Tx,
    sitter_id: Id,
    (visit, outcome): &(MailedVisit, Outcome),
    at: Instant,
) -> sqlx::Result<Option<Service>> {
    let service = db::select_one::<Service>(tx, sitter_id, visit.id).await?;
    let service = service.map(|it| it.row);
    Ok(service
        .filter(|it| it.client_id == visit.client_id)
        .and_then(|it| {
            let mailed = outcome.apply(it.mailed.as_ref(), visit, at);
            (mailed != it.mailed).then_some(Service { mailed, ..it })
        }))
}
