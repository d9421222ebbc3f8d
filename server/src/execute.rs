//! Owns the one path of every write to a business: take its row lock, see whether it was done already, load what the
//! core needs, let the core decide, write rows, history and outcome at one revision, commit, tell the open apps.

use std::collections::BTreeSet;

use serde_json::Value;
use walkies_core::command::{FieldChange, decide};
use walkies_core::field::FieldError;
use walkies_core::sync::wire::Mutation as Sent;
use walkies_core::zone::TimeZone;
use walkies_core::{
    Business, Change, Command, Context, Decision, Id, Instant, Now, Refusal, Row, RowKey,
};

use crate::answer::{Answer, answer};
use crate::db::{self, Mutation, Tx};
use crate::error::AppError;
use crate::state::App;
use crate::zone::time_zone;

/// A command and what is known of how it came.
#[derive(Debug)]
pub struct Order {
    /// Whose business.
    pub sitter_id: Id,
    /// Who asks.
    pub user_id: Id,
    /// What for; or why what came is no command.
    pub command: Result<Command, Refusal>,
    /// Names the intent, so that a repeat is answered and not done again.
    pub key: Option<Key>,
    /// How it came.
    pub source: Source,
}

/// Names an intent.
#[derive(Clone, Debug)]
pub struct Key {
    /// The command's id from a phone, or the `Idempotency-Key` of a REST call.
    pub id: String,
    /// SHA-256 of what was asked.
    pub args_hash: String,
}

/// How a command came.
#[derive(Clone, Debug)]
pub enum Source {
    /// By a REST call, made now.
    Rest {
        /// The revision that the row must still have.
        if_match: Option<u64>,
    },
    /// Out of a phone's queue.
    Push {
        /// Which phone's database.
        device_id: Id,
        /// Its place in the queue.
        seq: u64,
        /// When the person acted.
        made_at: Instant,
        /// The revision that the person had seen.
        base_rev: u64,
    },
}

/// What came of an order.
#[derive(Debug)]
pub enum Executed {
    /// Decided now. A refusal of a REST call without a key has left no trace and has revision 0.
    Decided {
        /// At which revision.
        rev: u64,
        /// What the core said.
        decided: Result<Decision, Refusal>,
        /// The REST call's answer.
        answer: Option<Answer>,
    },
    /// Decided before; this is what was said then.
    Known(Box<Mutation>),
    /// Not the next one in its phone's queue; nothing was done.
    OutOfOrder,
}

/// More rounds than any command asks for; a defect in the core must not read for ever.
const ROUNDS: usize = 8;

/// Does what the order says, once.
pub async fn execute(app: &App, order: &Order) -> Result<Executed, AppError> {
    let mut tx = app.db.write().await?;
    let sitter_id = order.sitter_id;
    let device_id = match order.source {
        Source::Push { device_id, .. } => Some(device_id),
        Source::Rest { .. } => None,
    };
    let key = order.key.as_ref().map(|it| it.id.as_str());
    let Some(turn) = db::take_turn(&mut tx, sitter_id, device_id, key).await? else {
        tx.rollback().await?;
        // The account was deleted while this call was on its way.
        return Err(AppError::TokenExpired);
    };
    let rev = turn.rev;
    if turn.may_be_known
        && let Some(key) = &order.key
        && let Some(known) = db::find_mutation(&mut tx, sitter_id, &key.id).await?
    {
        tx.rollback().await?;
        if known.args_hash != key.args_hash {
            tracing::warn!(key = key.id, "a key came again with another command");
            return Err(AppError::KeyReused);
        }
        if let Source::Push { device_id, seq, .. } = order.source
            && turn.last_seq + 1 == seq
        {
            // Decided under another name of the phone's queue, of which a restored backup knows: its place is taken
            // all the same, or what follows would wait for it for ever.
            let mut tx = app.db.write().await?;
            db::set_last_seq(&mut tx, sitter_id, device_id, seq).await?;
            tx.commit().await?;
        }
        return Ok(Executed::Known(Box::new(known)));
    }
    if let Source::Push { seq, .. } = order.source
        && turn.last_seq + 1 != seq
    {
        tx.rollback().await?;
        return Ok(Executed::OutOfOrder);
    }

    let now = app.now();
    let zone = time_zone(&turn.time_zone).unwrap_or(TimeZone::UTC);
    let decided = match &order.command {
        Ok(command) => decide_on_rows(&mut tx, order, command, Now { at: now, zone }).await?,
        Err(refusal) => Err(refusal.clone().into()),
    };
    let decided = match decided {
        Err(Stop::Changed) => {
            tx.rollback().await?;
            return Err(AppError::PreconditionFailed);
        }
        Err(Stop::Refused(refusal)) => Err(refusal),
        Ok(done) => Ok(done),
    };
    if order.key.is_none() && decided.is_err() {
        tx.rollback().await?;
        return Ok(Executed::Decided {
            rev: 0,
            decided: decided.map(|(decision, _)| decision),
            answer: None,
        });
    }

    if let Ok((decision, business)) = &decided {
        write(&mut tx, order, rev, decision, business, now).await?;
    }
    let decided = decided.map(|(decision, _)| decision);
    let answer = match (&order.source, &order.command) {
        (Source::Rest { .. }, Ok(command)) => {
            Some(answer(&mut tx, sitter_id, command, &decided, rev).await?)
        }
        _ => None,
    };
    record(&mut tx, order, rev, &decided, answer.as_ref(), now).await?;

    // INVARIANT: One write transaction takes one revision of its business.
    let state = db::feed_state(&mut tx, sitter_id).await?;
    if state.is_none_or(|it| it.rev != rev) {
        return Err(AppError::Internal(anyhow::anyhow!(
            "revision {rev} of {sitter_id} is {state:?} before commit"
        )));
    }
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(Executed::Decided {
        rev,
        decided,
        answer,
    })
}

/// Why a command is not done.
#[derive(Debug)]
enum Stop {
    /// The row is not the one that the caller has seen.
    Changed,
    /// The core says no.
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Loads what the command needs and lets the core decide; gives the rows along, as they were before.
async fn decide_on_rows(
    tx: &mut Tx,
    order: &Order,
    command: &Command,
    now: Now,
) -> sqlx::Result<Result<(Decision, Business), Stop>> {
    let mut business = Business::default();
    let (ctx, seen) = match order.source {
        Source::Rest { .. } => (Context::at(now), None),
        Source::Push {
            device_id,
            made_at,
            base_rev,
            ..
        } => {
            let made_at = made_at.min(now.at);
            (Context { now, made_at }, Some((base_rev, Some(device_id))))
        }
    };
    let mut loaded = BTreeSet::new();
    for _ in 0..ROUNDS {
        let mut fresh = command.needs(&business, &ctx);
        fresh.retain(|need| loaded.insert(need.clone()));
        if fresh.is_empty() {
            break;
        }
        db::load(tx, order.sitter_id, &fresh, seen, &mut business).await?;
    }
    if let Source::Rest {
        if_match: Some(expected),
    } = order.source
        && let Some(key) = target(command)
        && business.get(key).is_some_and(|it| it.rev != expected)
    {
        return Ok(Err(Stop::Changed));
    }
    if let Err(refusal) = check_zone(command) {
        return Ok(Err(refusal.into()));
    }
    Ok(decide(command, &business, &ctx)
        .map(|decision| (decision, business))
        .map_err(Stop::Refused))
}

/// The core has no list of time zones, so that one exists is checked here.
fn check_zone(command: &Command) -> Result<(), Refusal> {
    let Command::UpdateProfile { changes } = command else {
        return Ok(());
    };
    match changes.0.get("time_zone").and_then(Value::as_str) {
        Some(name) if !name.is_empty() && time_zone(name).is_none() => Err(Refusal::Invalid {
            fields: vec![FieldError {
                field: "time_zone".to_owned(),
                text: "Unknown time zone".to_owned(),
            }],
        }),
        _ => Ok(()),
    }
}

/// The row that a command changes, for `If-Match`.
fn target(command: &Command) -> Option<RowKey> {
    use walkies_core::TableName as T;
    let (table, id) = match command {
        Command::UpdateClient { id, .. } | Command::DeleteClient { id } => (T::Client, id),
        Command::UpdateOffering { id, .. } | Command::DeleteOffering { id } => (T::Offering, id),
        Command::UpdateService { id, .. }
        | Command::CompleteService { id, .. }
        | Command::CancelService { id }
        | Command::DeleteService { id }
        | Command::SetServicePaid { id, .. } => (T::Service, id),
        Command::UpdatePattern { id, .. } | Command::DeletePattern { id } => (T::Pattern, id),
        Command::DeleteBlockedTime { id } => (T::BlockedTime, id),
        _ => return None,
    };
    Some(RowKey { table, id: *id })
}

/// Writes what was decided, at one revision.
async fn write(
    tx: &mut Tx,
    order: &Order,
    rev: u64,
    decision: &Decision,
    before: &Business,
    now: Instant,
) -> sqlx::Result<()> {
    let mut history = Vec::new();
    for change in &decision.changes {
        match change {
            Change::Put(row) => {
                db::write_row(tx, order.sitter_id, rev, row).await?;
                if let Some(old) = before.get(row.key()) {
                    history.extend(changed_fields(&old.row, row));
                }
            }
            Change::Delete(key) => db::delete_row(tx, order.sitter_id, rev, *key, now).await?,
        }
    }
    let device_id = match order.source {
        Source::Push { device_id, .. } => Some(device_id),
        Source::Rest { .. } => None,
    };
    db::insert_history(tx, order.sitter_id, rev, &history, device_id, now).await
}

fn changed_fields(old: &Row, new: &Row) -> Vec<FieldChange> {
    let fields = |row: &Row| {
        row.json()
            .ok()
            .and_then(|it| serde_json::from_str::<Value>(&it).ok())
    };
    let (Some(Value::Object(old)), Some(Value::Object(new_fields))) = (fields(old), fields(new))
    else {
        return Vec::new();
    };
    let changed = new_fields
        .into_iter()
        .filter(|(field, value)| old.get(field) != Some(value));
    changed
        .map(|(field, value)| FieldChange {
            key: new.key(),
            field,
            value,
        })
        .collect()
}

/// Stores what became of the order, where it has a name, and how far its phone's queue has come.
async fn record(
    tx: &mut Tx,
    order: &Order,
    rev: u64,
    decided: &Result<Decision, Refusal>,
    answer: Option<&Answer>,
    now: Instant,
) -> Result<(), AppError> {
    let Some(key) = &order.key else { return Ok(()) };
    let (device_id, seq) = match order.source {
        Source::Push { device_id, seq, .. } => (Some(device_id), Some(seq)),
        Source::Rest { .. } => (None, None),
    };
    let mutation = Mutation {
        id: key.id.clone(),
        rev,
        user_id: order.user_id,
        device_id,
        seq,
        name: order
            .command
            .as_ref()
            .map(|it| Sent::parts(it).0)
            .unwrap_or_default(),
        args_hash: key.args_hash.clone(),
        outcome: match decided {
            Ok(decision) if decision.adjustments.is_empty() => "applied",
            Ok(_) => "adjusted",
            Err(_) => "rejected",
        }
        .to_owned(),
        refusal: decided
            .as_ref()
            .err()
            .and_then(|it| serde_json::to_string(it).ok()),
        adjustments: match decided {
            Ok(decision) if !decision.adjustments.is_empty() => {
                serde_json::to_string(&decision.adjustments).ok()
            }
            _ => None,
        },
        answer_status: answer.map(|it| u32::from(it.status.as_u16())),
        answer_body: answer.map(|it| it.body.to_string()),
        created_at: now,
    };
    db::insert_mutation(tx, order.sitter_id, &mutation).await?;
    if let (Some(device_id), Some(seq)) = (device_id, seq) {
        db::set_last_seq(tx, order.sitter_id, device_id, seq).await?;
    }
    Ok(())
}
