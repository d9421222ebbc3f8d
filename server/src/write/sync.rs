//! Owns the server's side of sync: a phone's saved commands in, one transaction each and in order; the change feed out.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use walkies_core::rules::client_view::shown_to;
use walkies_core::sync::wire::{
    MIN_SCHEMA, Outcome, OutcomeKind, PullRequest, PullResponse, PushResponse, SCHEMA,
    SCHEMA_OF_ANSWERED, SCHEMA_OF_FAILED, SCHEMA_OF_HOURS, SCHEMA_OF_LIMITS, Stop, VerifyRequest,
    VerifyResponse, WireRow,
};
use walkies_core::values::bounds;
use walkies_core::values::form_errors::FieldError;
use walkies_core::values::reach::Reach;
use walkies_core::{Command, Id, Instant, Refusal, Row, Versioned};

use crate::app::session::Member;
use crate::app::state::App;
use crate::app::zone;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::base::log::{redacted, redacted_chain};
use crate::base::metrics;
use crate::db;
use crate::db::{FeedSpan, Tx};
use crate::write::execute::{
    CommandRequest, CommandSource, Executed, IdempotencyKey, execute, start_new_history,
};

/// A `PushRequest` whose commands are still to be read: what is wrong with one is no matter of the others.
#[derive(Debug, Deserialize)]
pub struct PushBody {
    device_id: Id,
    schema: u32,
    #[serde(default)]
    backend_id: Option<Id>,
    mutations: Vec<RawMutation>,
}

/// A `Mutation` whose arguments are still to be read.
#[derive(Debug, Deserialize)]
struct RawMutation {
    id: Id,
    seq: u64,
    v: u32,
    made_at: Instant,
    base_rev: u64,
    name: String,
    args: Box<RawValue>,
}

impl RawMutation {
    /// Returns the command's name and its arguments as text, by which it is told from any other command under the same
    /// id.
    fn canonical_text(&self) -> String {
        let args = self.args.get();
        match serde_json::from_str::<Value>(args) {
            Ok(args) => format!("{} {args}", self.name),
            Err(_) => format!("{} {args}", self.name),
        }
    }

    /// The command in it, within all bounds; fails for one that this build does not know.
    fn command(&self) -> serde_json::Result<Result<Command, Refusal>> {
        let args = self.args.get();
        let errors = bounds::check(args)?;
        if !errors.0.is_empty() {
            return Ok(Err(errors.into()));
        }
        Command::read(&self.name, serde_json::from_str(args)?).map(Ok)
    }
}

/// Takes saved commands, in order, until one cannot be decided now.
pub async fn push(app: &App, member: &Member, request: PushBody) -> Result<PushResponse, AppError> {
    if request.schema < MIN_SCHEMA {
        return Err(AppError::UpdateRequired);
    }
    let mut results = Vec::new();
    for mutation in request.mutations {
        let id = mutation.id;
        let stopped =
            match push_one(app, member, request.device_id, request.backend_id, mutation).await {
                Ok(Pushed::Outcome(outcome)) => {
                    results.push(for_phone(outcome, request.schema));
                    continue;
                }
                Ok(Pushed::Stopped(stop)) => stop,
                // What was decided before it is told; it and what follows is sent again.
                Err(AppError::Unavailable(error)) if !results.is_empty() => {
                    tracing::warn!(error = redacted_chain(&error), "a push stopped half way");
                    Stop::Busy
                }
                Err(AppError::TooManyRequests { .. }) if !results.is_empty() => Stop::Busy,
                Err(error) => return Err(error),
            };
        metrics::sync_stop(match stopped {
            Stop::Busy => "busy",
            Stop::TooNew => "too_new",
            Stop::Failed => "failed",
            Stop::OutOfOrder => "out_of_order",
            Stop::OtherServer => "other_server",
        });
        return Ok(PushResponse {
            results,
            stopped_at: Some(id),
            stopped: Some(stopped),
        });
    }
    Ok(PushResponse {
        results,
        stopped_at: None,
        stopped: None,
    })
}

/// Result of one mutation of a push: its outcome, or why the push stops there.
enum Pushed {
    Outcome(Outcome),
    Stopped(Stop),
}

/// An outcome in words that a phone of this schema can read: one that cannot read why would not read the feed at all.
fn for_phone(mut outcome: Outcome, schema: u32) -> Outcome {
    let known_since = |it: &Refusal| match it {
        Refusal::Failed | Refusal::ChangedMeanwhile { .. } => SCHEMA_OF_FAILED,
        Refusal::AlreadyAnswered { .. } | Refusal::NotAllowed => SCHEMA_OF_ANSWERED,
        Refusal::LimitReached { .. } => SCHEMA_OF_LIMITS,
        Refusal::TooSoon { .. }
        | Refusal::TooFar { .. }
        | Refusal::OutsideHours { .. }
        | Refusal::BetweenStarts { .. } => SCHEMA_OF_HOURS,
        _ => MIN_SCHEMA,
    };
    if let Some(refusal) = &outcome.refusal
        && schema < known_since(refusal)
    {
        outcome.refusal = Some(Refusal::Invalid {
            fields: vec![FieldError {
                field: String::new(),
                text: refusal.to_string(),
            }],
        });
    }
    outcome
}

/// Decides one mutation of a push. A command that meets a defect is refused after a few tries, so that the phone's
/// queue goes on.
async fn push_one(
    app: &App,
    member: &Member,
    device_id: Id,
    backend_id: Option<Id>,
    mutation: RawMutation,
) -> Result<Pushed, AppError> {
    let RawMutation {
        id,
        seq,
        v,
        made_at,
        base_rev,
        ..
    } = mutation;
    let text = mutation.canonical_text();
    let command = match mutation.command() {
        Ok(command) => command,
        // A newer phone's command may be understood after an update of this server.
        Err(_) if SCHEMA < v => return Ok(Pushed::Stopped(Stop::TooNew)),
        Err(error) => {
            tracing::error!(%id, error = redacted(&error), "a phone's command cannot be read");
            Err(Refusal::Invalid { fields: Vec::new() })
        }
    };
    let mut request = CommandRequest {
        member: *member,
        command,
        key: Some(IdempotencyKey {
            id: member.mutation_key(&id.to_string()),
            args_hash: sha256(text.as_bytes()),
        }),
        source: CommandSource::Push {
            device_id: member.device_key(device_id),
            backend_id,
            seq,
            made_at,
            base_rev,
        },
    };
    let executed = match catch_panic(execute(app, &request)).await {
        Err(AppError::Internal(error)) => {
            let error = redacted_chain(&error);
            if !app.defects.was_last_try(member.payer(), id) {
                tracing::error!(%id, error, "a phone's command meets a defect");
                return Ok(Pushed::Stopped(Stop::Failed));
            }
            tracing::error!(%id, error, "a phone's command is refused for a defect");
            request.command = Err(Refusal::Failed);
            execute(app, &request).await?
        }
        executed => executed?,
    };
    Ok(Pushed::Outcome(match executed {
        Executed::Decided {
            rev,
            decided: Ok(decision),
            ..
        } => Outcome::done(id, decision.adjustments, rev),
        Executed::Decided {
            rev,
            decided: Err(refusal),
            ..
        } => Outcome::refused(id, refusal, rev),
        Executed::Known(known) => outcome(&known)?,
        Executed::OutOfOrder => return Ok(Pushed::Stopped(Stop::OutOfOrder)),
        Executed::OtherServer => return Ok(Pushed::Stopped(Stop::OtherServer)),
    }))
}

/// A panic is a defect like any other: it takes down neither what was decided before it nor the phone's queue.
async fn catch_panic<T>(work: impl Future<Output = Result<T, AppError>>) -> Result<T, AppError> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.unwrap_or_else(|_| Err(AppError::Internal(anyhow::anyhow!("panicked"))))
}

/// Returns those commands that this database does not know, of those that a phone was told were decided.
pub async fn verify(
    app: &App,
    member: &Member,
    request: VerifyRequest,
) -> Result<VerifyResponse, AppError> {
    let mut tx = app.db.read().await?;
    let key = |it: &Id| member.mutation_key(&it.to_string());
    let keys: Vec<String> = request.ids.iter().map(key).collect();
    let known = db::known_mutations(&mut tx, member.sitter_id, &keys).await?;
    tx.commit().await?;
    let mut unknown = request.ids;
    unknown.retain(|it| !known.contains(&key(it)));
    Ok(VerifyResponse { unknown })
}

/// The id that the phone gave its command; see `Member::mutation_key`.
fn id_in(key: &str) -> Option<Id> {
    key.rsplit(' ').next()?.parse().ok()
}

fn outcome(mutation: &db::MutationRow) -> Result<Outcome, AppError> {
    let unreadable = |error: serde_json::Error| AppError::Internal(error.into());
    let read = |text: &Option<String>| text.as_deref().map(serde_json::from_str).transpose();
    Ok(Outcome {
        id: id_in(&mutation.id).ok_or(AppError::KeyReused)?,
        outcome: match mutation.outcome.as_str() {
            "applied" => OutcomeKind::Applied,
            "adjusted" => OutcomeKind::Adjusted,
            _ => OutcomeKind::Rejected,
        },
        refusal: read(&mutation.refusal).map_err(unreadable)?,
        adjustments: mutation
            .adjustments
            .as_deref()
            .map(serde_json::from_str)
            .transpose()
            .map_err(unreadable)?
            .unwrap_or_default(),
        rev: mutation.rev,
    })
}

/// A page of what changed, in memory as a whole.
pub async fn pull(
    app: &App,
    member: &Member,
    request: &PullRequest,
) -> Result<PullResponse, AppError> {
    let mut rows = Vec::new();
    let mut response = pull_each(app, member, request, |row| {
        rows.push(row);
        Ok(())
    })
    .await?;
    response.rows = rows;
    Ok(response)
}

/// A page of what changed, read in one transaction. Its rows are taken one after the other; the rest of the answer comes after
/// them.
pub async fn pull_each(
    app: &App,
    member: &Member,
    request: &PullRequest,
    mut take: impl FnMut(WireRow) -> sqlx::Result<()> + Send,
) -> Result<PullResponse, AppError> {
    if request.schema < MIN_SCHEMA {
        return Err(AppError::UpdateRequired);
    }
    let mut member = *member;
    let sitter_id = member.sitter_id;
    let device_id = member.device_key(request.device_id);
    // Most pulls find nothing new, and need not begin a transaction for it.
    let mut tx = app.db.read_autocommit().await?;
    let state = db::feed_state(&mut tx, sitter_id).await?;
    let reach = reach(app, &mut tx, &member).await?;
    drop(tx);
    if let Some(state) = state
        && state.rev == request.cursor
        && request.seen.is_none_or(|it| it == state.rev)
        && request.rev_id.is_none_or(|it| state.rev_id == Some(it))
        && !needs_reset(app, &member, request, state)
    {
        return Ok(PullResponse {
            reach,
            ..empty_page(app, &member, request.cursor, state, false)
        });
    }
    if let Some(state) = state
        && request.backend_id == Some(backend_id_of(app, &member, state))
        && has_diverged(app, sitter_id, request, state).await?
    {
        member = start_new_history(app, &member, state.backend_id).await?;
    }
    let is_reset = state.is_some_and(|it| needs_reset(app, &member, request, it));
    // As long as a whole business is read: what was read waits on the disk for whoever takes it in.
    let _permits = match is_reset {
        true => Some((
            app.resets.acquire(member.payer()).await?,
            app.look(member.payer()).await?,
        )),
        false => None,
    };
    let mut tx = app.db.read().await?;
    let Some(state) = db::feed_state(&mut tx, sitter_id).await? else {
        tx.commit().await?;
        return Err(AppError::TokenExpired);
    };
    let Some(member) = member.seen_in(&mut tx).await? else {
        tx.commit().await?;
        return Err(AppError::NotLinked);
    };
    let reset = needs_reset(app, &member, request, state);
    let from = if reset { 0 } else { request.cursor };
    let mut response = PullResponse {
        reach,
        ..empty_page(app, &member, from, state, reset)
    };
    let mut feed = FeedReader {
        member: &member,
        device_id,
        schema: request.schema,
        response: &mut response,
        take: &mut take,
    };
    feed.read(&mut tx, app.settings.page_size).await?;
    tx.commit().await?;
    Ok(response)
}

/// The most rows of the feed that are in memory at once.
const WINDOW: u32 = 64;

/// Reads the feed after `response.from` in windows of its revisions.
struct FeedReader<'a, F> {
    member: &'a Member,
    device_id: Id,
    schema: u32,
    response: &'a mut PullResponse,
    take: &'a mut F,
}

impl<F: FnMut(WireRow) -> sqlx::Result<()> + Send> FeedReader<'_, F> {
    /// A reset comes whole, however large the business is: the cursor of its second page could not be told from that of a phone
    /// that is far behind. Otherwise there are about as many rows as a page has.
    async fn read(&mut self, tx: &mut Tx, page_size: u32) -> Result<(), AppError> {
        let from = self.response.from;
        let is_whole = self.response.reset;
        let window = if is_whole {
            WINDOW
        } else {
            WINDOW.min(page_size)
        };
        let Some(mut end) = self.window_end(tx, from, window).await? else {
            // Few rows: most pulls.
            return self.read_window(tx, from, self.response.next).await;
        };
        if !is_whole && let Some(end) = self.window_end(tx, from, page_size).await? {
            self.response.more = end < self.response.next;
            self.response.next = end;
        }
        let mut after = from;
        loop {
            // As many rows as a window has are in the revisions up to this one, which may have any number by itself.
            let last = end.min(self.response.next);
            if after < last - 1 {
                self.read_window(tx, after, last - 1).await?;
            }
            self.read_revision(tx, last).await?;
            after = last;
            if self.response.next <= after {
                return Ok(());
            }
            match self.window_end(tx, after, window).await? {
                Some(next) => end = next,
                None => return self.read_window(tx, after, self.response.next).await,
            }
        }
    }

    async fn window_end(&self, tx: &mut Tx, after: u64, size: u32) -> sqlx::Result<Option<u64>> {
        let Member { sitter_id, .. } = *self.member;
        let scope = self.member.scope();
        db::feed_page_end(tx, sitter_id, scope, after, self.device_id, size).await
    }

    async fn read_window(&mut self, tx: &mut Tx, after: u64, until: u64) -> Result<(), AppError> {
        let span = self.span(after, until, true);
        let changes = self.changes(tx, span).await?;
        let mut told = Vec::with_capacity(changes.rows.len() + changes.tombstones.len());
        for stored in changes.rows {
            let row = self.told(stored);
            told.push(row.map_err(|it| AppError::Internal(it.into()))?);
        }
        told.extend(changes.tombstones.into_iter().map(deleted));
        // Of a row that was deleted and came back, the newer word must come last.
        told.sort_by_key(|it| it.rev);
        for row in told {
            (self.take)(row)?;
        }
        self.note_outcomes(&changes.mutations)
    }

    /// Reads one revision a row at a time: it may have all that a business has.
    async fn read_revision(&mut self, tx: &mut Tx, rev: u64) -> Result<(), AppError> {
        let span = self.span(rev - 1, rev, false);
        let Member { sitter_id, .. } = *self.member;
        let scope = self.member.scope();
        db::each_row_in(tx, sitter_id, scope, span, |stored| {
            let row = self.told(stored);
            (self.take)(row.map_err(|it| sqlx::Error::Decode(it.into()))?)
        })
        .await?;
        let changes = self.changes(tx, span).await?;
        for tombstone in changes.tombstones {
            (self.take)(deleted(tombstone))?;
        }
        self.note_outcomes(&changes.mutations)
    }

    const fn span(&self, after: u64, until: u64, has_rows: bool) -> FeedSpan {
        FeedSpan {
            after,
            until,
            has_rows,
            has_departures: 0 < self.response.from,
        }
    }

    async fn changes(&self, tx: &mut Tx, span: FeedSpan) -> sqlx::Result<db::FeedChanges> {
        let Member { sitter_id, .. } = *self.member;
        let scope = self.member.scope();
        db::feed_changes(tx, sitter_id, scope, self.device_id, span).await
    }

    /// A row as the member is told of it.
    fn told(&mut self, stored: Versioned<Row>) -> serde_json::Result<WireRow> {
        if let Row::Sitter(sitter) = &stored.row {
            self.response.zone = zone::for_phone(&sitter.time_zone);
        }
        let key = stored.row.key();
        let row = match self.member.link {
            Some(link) => shown_to(link.client_id, &stored.row),
            None => Some(stored.row),
        };
        let json = row.map(|it| it.json().and_then(RawValue::from_string));
        Ok(WireRow {
            t: key.table.name().to_owned(),
            id: key.id,
            rev: stored.rev,
            // What is there and not to be seen is as good as gone.
            del: json.is_none(),
            d: json.transpose()?,
        })
    }

    fn note_outcomes(&mut self, mutations: &[db::MutationRow]) -> Result<(), AppError> {
        for mutation in mutations {
            let outcome = for_phone(outcome(mutation)?, self.schema);
            self.response.outcomes.push(outcome);
        }
        Ok(())
    }
}

fn deleted(tombstone: db::Tombstone) -> WireRow {
    WireRow {
        t: tombstone.table_name,
        id: tombstone.id,
        rev: tombstone.rev,
        del: true,
        d: None,
    }
}

/// How the server reaches the clients. Pet parents are not told: it says something of others.
async fn reach(app: &App, tx: &mut db::Tx, member: &Member) -> sqlx::Result<Option<Reach>> {
    if member.link.is_some() {
        return Ok(None);
    }
    let sends_mail = app.settings.sends_mail;
    Ok(Some(Reach {
        sends_mail,
        notified: db::notified_clients(tx, member.sitter_id).await?,
        mailed: match sends_mail {
            true => db::event_mailed_clients(tx, member.sitter_id).await?,
            false => Vec::new(),
        },
    }))
}

/// Returns true if the phone has seen revisions that this database has not: a backup was restored, and nobody has said
/// so. The number of such a revision may have been given to another one since.
async fn has_diverged(
    app: &App,
    sitter_id: Id,
    request: &PullRequest,
    state: db::FeedState,
) -> Result<bool, AppError> {
    let seen = request.seen.unwrap_or(request.cursor);
    if state.rev < seen {
        return Ok(true);
    }
    let Some(known) = request.rev_id else {
        return Ok(false);
    };
    let mut tx = app.db.read_autocommit().await?;
    let here = db::revision_id(&mut tx, sitter_id, seen).await?;
    Ok(here.is_some_and(|it| it != known))
}

/// Returns true if the phone must start over, since what it knows cannot be added to: it is of another database, of
/// another view of this one, or older than the tombstones.
fn needs_reset(app: &App, member: &Member, request: &PullRequest, state: db::FeedState) -> bool {
    let is_elsewhere = request.backend_id != Some(backend_id_of(app, member, state))
        || request.epoch != Some(state.epoch)
        || state.rev < request.cursor;
    (request.cursor != 0 && is_elsewhere) || request.cursor < state.tombstone_floor
}

/// Returns the id by which the member's phones know this database.
fn backend_id_of(app: &App, member: &Member, state: db::FeedState) -> Id {
    member.backend_id(state.backend_id.unwrap_or(app.backend_id))
}

/// An empty page up to the last revision.
fn empty_page(
    app: &App,
    member: &Member,
    from: u64,
    state: db::FeedState,
    reset: bool,
) -> PullResponse {
    PullResponse {
        from,
        rows: Vec::new(),
        outcomes: Vec::new(),
        next: state.rev,
        more: false,
        reset,
        epoch: state.epoch,
        backend_id: backend_id_of(app, member, state),
        head: state.rev,
        rev_id: state.rev_id,
        min_schema: MIN_SCHEMA,
        zone: None,
        reach: None,
    }
}
