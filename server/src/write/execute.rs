//! Owns the one path of every write to a business: take its row lock, see whether it was done already, load what the
//! core needs, let the core decide, write rows, history and outcome at one revision, commit, tell the open apps.
//! Where all businesses wait for one writer, everything but the writes is done before it, and again if that was too soon.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use serde_json::value::RawValue;
use walkies_core::commands::decision::{Effect, Need};
use walkies_core::commands::{UpdateProfile, decide};
use walkies_core::rows::business::FieldChange;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::message::{MessageType, Side};
use walkies_core::rows::report::Report;
use walkies_core::rules::client_view::client_of;
use walkies_core::rules::household;
use walkies_core::rules::message::{TOO_MUCH_TODAY, share_of_day};
use walkies_core::rules::push::Notice;
use walkies_core::sync::wire::Mutation;
use walkies_core::values::bounds::IMPORT_JSON_BYTES;
use walkies_core::values::form_errors::FieldError;
use walkies_core::values::push::PushKind;
use walkies_core::values::zone::TimeZone;
use walkies_core::{
    Business, Change, Command, Context, Decision, Id, Instant, Now, Refusal, Row, RowKey, TableName,
};

use crate::app::realtime::Echo;
use crate::app::session::Member;
use crate::app::state::App;
use crate::app::{dropped_files, throttle, zone};
use crate::base::error::{AppError, STORAGE_LOW};
use crate::base::metrics;
use crate::db::{self, MutationRow, PushAudience, Tx};
use crate::limits::long_writes;
use crate::write::answer::{Answer, answer};
use crate::write::{answer_references, ended_access, notify, reminder_mail, shared_mail};

/// A command and what is known of how it came.
#[derive(Debug)]
pub struct CommandRequest {
    /// The caller, and the business to change.
    pub member: Member,
    /// The command; or the refusal, if what came could not be read as one.
    pub command: Result<Command, Refusal>,
    /// Names the intent, so that a repeat is answered and not done again.
    pub key: Option<IdempotencyKey>,
    /// The way that the command came.
    pub source: CommandSource,
}

/// Names an intent.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    /// The command's id from a phone, or the `Idempotency-Key` of a REST call.
    pub id: String,
    /// SHA-256 of what was asked.
    pub args_hash: String,
}

/// How a command came.
#[derive(Clone, Debug)]
pub enum CommandSource {
    /// By a REST call, made now.
    Rest {
        /// The revision that the row must still have.
        if_match: Option<u64>,
    },
    /// Out of a phone's queue.
    Push {
        /// The database of the phone.
        device_id: Id,
        /// The server that the phone knows.
        backend_id: Option<Id>,
        /// Its place in the queue.
        seq: u64,
        /// When the person acted.
        made_at: Instant,
        /// The revision that the person had seen.
        base_rev: u64,
    },
}

/// Outcome of a request that was processed without an error.
#[derive(Debug)]
pub enum Executed {
    /// Decided now. A refusal of a REST call without a key has left no trace and has revision 0.
    Decided {
        /// The revision of its rows and its outcome.
        rev: u64,
        /// The core's decision: the changes, or why it refused.
        decided: Result<Decision, Refusal>,
        /// The REST call's answer.
        answer: Option<Answer>,
    },
    /// Decided before; this is what was said then.
    Known(Box<MutationRow>),
    /// Its place in its phone's queue is another command's; nothing was done.
    OutOfOrder,
    /// The phone knows another history than this one; nothing was done.
    OtherServer,
}

/// Bytes that a deleted row counts against the write limit: removing a row costs the database no less than adding one.
const DELETED_BYTES: usize = 512;

/// Ids in one question to the database, and as many as are not worth one.
const IDS_AT_ONCE: usize = 100;
const FEW_IDS: usize = 10;

/// More rounds than any command asks for; a defect in the core must not read for ever.
const MAX_LOAD_ROUNDS: usize = 8;

/// Does what the request says, once.
pub async fn execute(app: &App, request: &CommandRequest) -> Result<Executed, AppError> {
    let executed = execute_in_turn(app, request).await;
    let name = request.command.as_ref().map_or("unreadable", Command::name);
    let outcome = match &executed {
        Ok(Executed::Decided { decided: Ok(_), .. }) => "done",
        Ok(Executed::Decided { .. }) => "refused",
        Ok(Executed::Known(_)) => "repeated",
        Ok(Executed::OutOfOrder | Executed::OtherServer) => "stopped",
        Err(_) => "failed",
    };
    metrics::command(name, outcome);
    executed
}

async fn execute_in_turn(app: &App, request: &CommandRequest) -> Result<Executed, AppError> {
    // Turns at the writer are first come, first served: one business has few of them waiting.
    let _permit = app.commands.acquire(request.member.payer()).await?;
    let _turn = match &request.command {
        // On Postgres others write meanwhile, and on SQLite they wait for it.
        Ok(command) if app.db.has_one_writer() && long_writes::is_long(command) => {
            Some(app.long_writes.acquire(request.member.payer()).await?)
        }
        _ => None,
    };
    // On Postgres other businesses write meanwhile, and each question is a trip over the network.
    if app.db.has_one_writer()
        && let Some(done) = execute_ahead(app, request).await?
    {
        return Ok(done);
    }
    execute_locked(app, request).await
}

/// Decides on what stands in the database now, and takes only the writes to the turn at the one writer, so that those
/// who wait for it wait for each other's writes alone. `None`, and nothing is done, where that is not enough: there is
/// nothing to write, or the business has moved on before the turn came.
async fn execute_ahead(app: &App, request: &CommandRequest) -> Result<Option<Executed>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let Some(next) = db::next_revision(
        &mut tx,
        request.member.sitter_id,
        request.device_id(),
        request.key(),
    )
    .await?
    else {
        return Ok(None);
    };
    let NextStep::Write(mut plan) = next_step(app, &mut tx, request, &next).await? else {
        return Ok(None);
    };
    // Photos and videos come and go without a revision.
    if plan
        .needs
        .iter()
        .any(|it| matches!(it, Need::Photo(_) | Need::PhotoSeenBy(..) | Need::Video(_)))
    {
        return Ok(None);
    }
    drop(tx);
    let mut tx = app.db.write().await?;
    let news = plan.take_news();
    // INVARIANT: What was decided ahead is written at the very next revision of its business, or not at all.
    db::claim_revision(&mut tx, request.member.sitter_id, next.rev).await?;
    match write(app, &mut tx, request, &next, *plan).await {
        Ok(done) => finish(app, tx, request, next.rev, done, &news)
            .await
            .map(Some),
        // Refused for what it says, and so with no trace: the revision is no longer to be had, or what is wrong shows there.
        Err(AppError::Internal(error)) if error.is::<sqlx::Error>() => {
            tx.rollback().await?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Claims the next revision, which locks the business, and decides then.
async fn execute_locked(app: &App, request: &CommandRequest) -> Result<Executed, AppError> {
    let mut tx = app.db.write().await?;
    let (sitter_id, device_id) = (request.member.sitter_id, request.device_id());
    let Some(next) = db::claim_next_revision(&mut tx, sitter_id, device_id, request.key()).await?
    else {
        tx.rollback().await?;
        // The account was deleted while this call was on its way.
        return Err(AppError::TokenExpired);
    };
    match next_step(app, &mut tx, request, &next).await? {
        NextStep::Write(mut plan) => {
            let news = plan.take_news();
            let done = write(app, &mut tx, request, &next, *plan).await?;
            finish(app, tx, request, next.rev, done, &news).await
        }
        NextStep::Known(known) => {
            tx.rollback().await?;
            if let CommandSource::Push { device_id, seq, .. } = request.source
                && next.last_seq + 1 == seq
            {
                // Decided under another name of the phone's queue, of which a restored backup knows: its place is
                // taken all the same, or what follows would wait for it for ever.
                let mut tx = app.db.write().await?;
                db::set_last_seq(&mut tx, sitter_id, device_id, seq, app.now()).await?;
                tx.commit().await?;
            }
            Ok(Executed::Known(known))
        }
        NextStep::KeyReused => {
            tx.rollback().await?;
            Err(AppError::KeyReused)
        }
        NextStep::OutOfOrder => {
            tx.rollback().await?;
            Ok(Executed::OutOfOrder)
        }
        NextStep::OtherServer => {
            tx.rollback().await?;
            Ok(Executed::OtherServer)
        }
        NextStep::Forgotten => {
            tx.rollback().await?;
            start_new_history(app, &request.member, next.backend_id).await?;
            Ok(Executed::OtherServer)
        }
        NextStep::Changed => {
            tx.rollback().await?;
            Err(AppError::PreconditionFailed)
        }
        NextStep::NotLinked => {
            tx.rollback().await?;
            Err(AppError::NotLinked)
        }
        NextStep::Refused(refusal) => {
            tx.rollback().await?;
            Ok(Executed::Decided {
                rev: 0,
                decided: Err(refusal),
                answer: None,
            })
        }
    }
}

/// Makes all phones of a business start over with it, as `walkies restored` does with all businesses: one of them
/// knows more than this database, so a backup was put back and nobody has said so. What a pet parent's phone says is a
/// reason for that person's own phones alone. The member as it is then.
pub async fn start_new_history(
    app: &App,
    member: &Member,
    known: Option<Id>,
) -> Result<Member, AppError> {
    // What a phone says that it knows is its own word: each time counts as a write.
    throttle::write_of(app, member, 0)?;
    let sitter_id = member.sitter_id;
    tracing::warn!(%sitter_id, "a phone knows more than this database, as after a restore from a backup");
    let mut tx = app.db.write().await?;
    let fresh = app.env.id();
    let mut member = *member;
    match &mut member.link {
        Some(link) => {
            db::replace_link_history(&mut tx, member.user_id, *link, fresh).await?;
            link.history = fresh;
        }
        None => db::replace_backend_id(&mut tx, sitter_id, known, fresh).await?,
    }
    tx.commit().await?;
    Ok(member)
}

async fn finish(
    app: &App,
    tx: Tx,
    request: &CommandRequest,
    rev: u64,
    done: Executed,
    news: &News,
) -> Result<Executed, AppError> {
    tx.commit().await?;
    app.realtime
        .decided(request.member.sitter_id, rev, &news.echo);
    if news.is_pushed {
        app.push_queued.notify_one();
    }
    if news.is_mailed {
        app.mail_queued.notify_one();
    }
    if let Executed::Decided {
        decided: Ok(decision),
        ..
    } = &done
        && !decision.dropped_photos.is_empty()
    {
        dropped_files::remove_dropped_photos_or_log(app).await;
    }
    Ok(done)
}

impl CommandRequest {
    fn device_id(&self) -> Option<Id> {
        match self.source {
            CommandSource::Push { device_id, .. } => Some(device_id),
            CommandSource::Rest { .. } => None,
        }
    }

    /// The command's name, and the row that it is about, where it is about one.
    fn name_and_target(&self) -> (String, Option<Id>) {
        let Ok(command) = &self.command else {
            return Default::default();
        };
        let (name, args) = Mutation::parts(command);
        let id = args.get("id").and_then(Value::as_str);
        (name, id.and_then(|it| it.parse().ok()))
    }

    /// Automatic reminders have a key without a hash; calls always have one.
    fn is_automatic(&self) -> bool {
        self.key.as_ref().is_some_and(|it| it.args_hash.is_empty())
    }

    fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|it| it.id.as_str())
    }
}

/// Next step for a request, chosen before anything is written.
#[derive(Debug)]
enum NextStep {
    /// The command was decided before: its stored outcome is the response.
    Known(Box<MutationRow>),
    /// Decided before, but something else.
    KeyReused,
    /// Its place in its phone's queue is taken.
    OutOfOrder,
    /// The phone knows another history than this one.
    OtherServer,
    /// The phone has been told of commands that this database does not know.
    Forgotten,
    /// The row is not the one that the caller has seen.
    Changed,
    /// The caller is a client no more.
    NotLinked,
    /// Refused, and not stored, since the request has no idempotency key to be repeated with.
    Refused(Refusal),
    /// Decided now, and to be written down.
    Write(Box<Plan>),
}

/// A decided command whose outcome is to be written.
#[derive(Debug)]
struct Plan {
    now: Instant,
    /// The core's decision with the rows as they were before, or its refusal.
    decided: Result<(Decision, Business), Refusal>,
    /// The rows that were loaded to decide on.
    needs: BTreeSet<Need>,
    /// Notifications that follow from it, and whom each is for.
    notices: Vec<(PushAudience, Notice)>,
    /// The open apps that are told of the change.
    echo: Echo,
}

/// Everything to announce after the commit.
struct News {
    /// Set when the command leads to push notifications.
    is_pushed: bool,
    /// Set when the command leads to mail.
    is_mailed: bool,
    /// The open apps that are told of the change.
    echo: Echo,
}

/// The notice to the sitter of what a pet parent has changed about home and pets.
fn of_corrections(request: &CommandRequest, changes: &[Change]) -> Option<(PushAudience, Notice)> {
    let (sitter_id, link) = (request.member.sitter_id, request.member.link?);
    let is_correction = |it: &Change| matches!(it, Change::Put(Row::Client(_) | Row::Pet(_)));
    let kind = PushKind::DetailsCorrected;
    changes.iter().any(is_correction).then(|| {
        let notice = notify::notices::about_client(kind, sitter_id, link.client_id);
        (PushAudience::Sitter(sitter_id), notice)
    })
}

impl Plan {
    fn take_news(&mut self) -> News {
        News {
            is_pushed: !self.notices.is_empty(),
            is_mailed: self
                .notices
                .iter()
                .any(|(_, it)| reminder_mail::is_mailed(it) || ended_access::is_mailed(it)),
            echo: std::mem::take(&mut self.echo),
        }
    }

    fn new(
        request: &CommandRequest,
        now: &Now,
        decided: Result<(Decision, Business), Refusal>,
        needs: BTreeSet<Need>,
    ) -> Self {
        let sitter_id = request.member.sitter_id;
        // The visits that a series gets day by day are no news: its client was told of the series.
        let is_extension = matches!(request.command, Ok(Command::ExtendSeries(_)));
        let notices = decided.as_ref().map(|(decision, before)| {
            let changes = &decision.changes;
            let mut notices = notify::notices::of_changes(sitter_id, before, changes, now);
            notices.retain(|(_, it)| !is_extension || it.kind != PushKind::VisitBooked);
            notices.extend(of_corrections(request, changes));
            notices
        });
        let echo = decided
            .as_ref()
            .map(|(decision, before)| Echo::of(before, &decision.changes));
        Self {
            now: now.at,
            notices: notices.unwrap_or_default(),
            echo: echo.unwrap_or_default(),
            decided,
            needs,
        }
    }
}

/// Chooses the next step from what the database holds: a repeat, a gap in the phone's queue, a refusal or a decision to
/// write.
async fn next_step(
    app: &App,
    tx: &mut Tx,
    request: &CommandRequest,
    next: &db::NextRevision,
) -> Result<NextStep, AppError> {
    if next.is_importing {
        let why = "an archive is being written into this business";
        return Err(AppError::Unavailable(anyhow::anyhow!(why)));
    }
    if let CommandSource::Push {
        backend_id: Some(known),
        ..
    } = request.source
        && known
            != request
                .member
                .backend_id(next.backend_id.unwrap_or(app.backend_id))
    {
        // The phone's place in its queue means nothing here. Its next pull says so, and it starts over.
        return Ok(NextStep::OtherServer);
    }
    if next.may_be_known
        && let Some(key) = &request.key
        && let Some(known) = db::find_mutation(tx, request.member.sitter_id, &key.id).await?
    {
        if known.args_hash != key.args_hash {
            tracing::warn!(key = key.id, "a key came again with another command");
            return Ok(NextStep::KeyReused);
        }
        return Ok(NextStep::Known(Box::new(known)));
    }
    if let CommandSource::Push {
        seq, backend_id, ..
    } = request.source
        && next.last_seq + 1 != seq
    {
        // A phone sends nothing after what it was not told to be decided.
        let has_gap = next.last_seq + 1 < seq && backend_id.is_some();
        return Ok(if has_gap {
            NextStep::Forgotten
        } else {
            NextStep::OutOfOrder
        });
    }
    let now = Now {
        at: app.now(),
        zone: zone::time_zone(&next.time_zone).unwrap_or(TimeZone::UTC),
    };
    let (mut business, mut needs) = (Business::default(), BTreeSet::new());
    let ctx = load(tx, request, now.clone(), &mut business, &mut needs).await?;
    // The call may have been let in long ago.
    if !request.member.is_linked_in(&business) {
        return Ok(NextStep::NotLinked);
    }
    let decided = match &request.command {
        Ok(command) => {
            if let CommandSource::Rest {
                if_match: Some(expected),
            } = request.source
                && let Some(key) = target(command)
                && business.get(key).is_some_and(|it| it.rev != expected)
            {
                return Ok(NextStep::Changed);
            }
            check_zone(command)
                .and_then(|()| check_disk(app, command))
                .and_then(|()| decide(command, &business, &ctx))
                .and_then(|decision| {
                    count_message(app, &request.member, command).map(|()| decision)
                })
                .and_then(|decision| {
                    if request.member.link.is_some() {
                        household::check_own(&decision.changes, &business, request.member.user_id)?;
                    }
                    Ok((decision, business))
                })
        }
        Err(refusal) => Err(refusal.clone()),
    };
    match decided {
        Err(refusal) if request.key.is_none() => Ok(NextStep::Refused(refusal)),
        decided => {
            let plan = Plan::new(request, &now, decided, needs);
            Ok(NextStep::Write(Box::new(plan)))
        }
    }
}

/// Loads what the request needs into `business`, and what that was into `needs`.
async fn load(
    tx: &mut Tx,
    request: &CommandRequest,
    now: Now,
    business: &mut Business,
    needs: &mut BTreeSet<Need>,
) -> sqlx::Result<Context> {
    let actor = request.member.actor();
    let (ctx, seen) = match request.source {
        CommandSource::Rest { .. } => (
            Context {
                actor,
                ..Context::at(now)
            },
            None,
        ),
        CommandSource::Push {
            device_id,
            made_at,
            base_rev,
            ..
        } => (
            Context {
                actor,
                now,
                made_at,
                is_shown: false,
            },
            Some(db::Seen {
                base_rev,
                device_id: Some(device_id),
            }),
        ),
    };
    let own = request.member.link.map(|it| RowKey {
        table: TableName::Client,
        id: it.client_id,
    });
    let mut fresh: Vec<Need> = own.into_iter().map(Need::Row).collect();
    for _ in 0..MAX_LOAD_ROUNDS {
        if let Ok(command) = &request.command {
            fresh.extend(command.needs(business, &ctx));
        }
        fresh.retain(|need| needs.insert(need.clone()));
        if fresh.is_empty() {
            break;
        }
        db::load(tx, request.member.sitter_id, &fresh, seen, business).await?;
        fresh.clear();
    }
    Ok(ctx)
}

/// The core has no list of time zones, so that one exists is checked here.
fn check_zone(command: &Command) -> Result<(), Refusal> {
    let Command::UpdateProfile(UpdateProfile { changes }) = command else {
        return Ok(());
    };
    match changes.0.get("time_zone").and_then(Value::as_str) {
        Some(name) if !name.is_empty() && zone::time_zone(name).is_none() => {
            Err(Refusal::Invalid {
                fields: vec![FieldError {
                    field: "time_zone".to_owned(),
                    text: "Unknown time zone".to_owned(),
                }],
            })
        }
        _ => Ok(()),
    }
}

/// Counts what a client writes: nobody fills a sitter's phone and this database with messages.
fn count_message(app: &App, member: &Member, command: &Command) -> Result<(), Refusal> {
    let (Some(link), Command::SendMessage(message)) = (member.link, command) else {
        return Ok(());
    };
    let bytes = share_of_day(&message.content);
    let counted = throttle::message(app, member.user_id, link.client_id, bytes);
    counted.map_err(|_| Refusal::Invalid {
        fields: vec![FieldError {
            field: "content".to_owned(),
            text: TOO_MUCH_TODAY.to_owned(),
        }],
    })
}

/// Refuses an import when the disk is nearly full: it goes to Needs attention with all that it has, and later commands go on.
fn check_disk(app: &App, command: &Command) -> Result<(), Refusal> {
    let is_import = matches!(command, Command::ImportClients(_));
    if !is_import || app.disk.has_room(IMPORT_JSON_BYTES as u64) {
        return Ok(());
    }
    Err(Refusal::Invalid {
        fields: vec![FieldError {
            field: "clients".to_owned(),
            text: STORAGE_LOW.to_owned(),
        }],
    })
}

/// The row that a command changes, for `If-Match`.
fn target(command: &Command) -> Option<RowKey> {
    let about = command.about();
    about.row.filter(|_| about.effect != Effect::Makes)
}

/// Writes what was decided and what became of the request, at one revision; it is with the database when this returns.
async fn write(
    app: &App,
    tx: &mut Tx,
    request: &CommandRequest,
    next: &db::NextRevision,
    mut plan: Plan,
) -> Result<Executed, AppError> {
    let (now, sitter_id, rev) = (plan.now, request.member.sitter_id, next.rev);
    let mut bytes = 0;
    db::set_revision_id(tx, sitter_id, next, app.current_revision_id()).await?;
    let mut mailed = plan.notices.iter().map(|(_, it)| it);
    if let Some(notice) = mailed.find(|it| reminder_mail::is_mailed(it))
        && let Err(refusal) =
            reminder_mail::count_mail(app, tx, request.is_automatic(), notice).await?
    {
        plan.decided = Err(refusal);
    }
    if let Ok((decision, before)) = &mut plan.decided {
        assign_share_ids(app, decision);
        if request.member.link.is_some() {
            household::sign(&mut decision.changes, before, request.member.user_id);
        }
        assign_numbers(tx, sitter_id, decision).await?;
        shared_mail::queue_mail(app, tx, sitter_id, (&mut *decision, &*before), now).await?;
        bytes += write_rows(tx, request, rev, decision, before, now).await?;
        for (audience, notice) in &plan.notices {
            notify::notify(app, tx, *audience, notice, now).await?;
            if reminder_mail::is_mailed(notice) {
                reminder_mail::queue_mail(app, tx, notice, now).await?;
            }
            if ended_access::is_mailed(notice) {
                ended_access::queue_mail(app, tx, *audience, notice, now).await?;
                // A code for another one of the household may be known to the person who was let go.
                db::end_open_invites(tx, (sitter_id, notice.client_id), now).await?;
            }
        }
    }
    let decided = plan.decided.map(|(decision, _)| decision);
    let answer = match (&request.source, &request.command) {
        (CommandSource::Rest { .. }, Ok(command)) => {
            Some(answer(tx, &request.member, command, &decided, rev, now).await?)
        }
        _ => None,
    };
    bytes += record(tx, request, rev, &decided, answer.as_ref(), now).await?;
    throttle::write_of(app, &request.member, bytes)?;
    tx.flush().await?;
    Ok(Executed::Decided {
        rev,
        decided,
        answer,
    })
}

/// Gives what is shared for the first time its address: the core has no randomness, and a phone's cannot be relied on.
fn assign_share_ids(app: &App, decision: &mut Decision) {
    for change in &mut decision.changes {
        match change {
            Change::Put(Row::Report(Report { share_id, .. }))
            | Change::Put(Row::Invoice(Invoice { share_id, .. })) => {
                share_id.get_or_insert_with(|| app.env.share_id());
            }
            _ => {}
        }
    }
}

/// Gives new invoices the numbers after the last one. Only a phone's server knows it, and only in the turn of its business.
///
/// INVARIANT: The invoices of a business are numbered from 1 without a gap.
async fn assign_numbers(
    tx: &mut Tx,
    sitter_id: Id,
    decision: &mut Decision,
) -> Result<(), AppError> {
    let mut last = None;
    for change in &mut decision.changes {
        if let Change::Put(Row::Invoice(invoice)) = change
            && invoice.number.is_none()
        {
            let before = match last {
                Some(last) => last,
                None => db::last_invoice_number(tx, sitter_id).await?,
            };
            last = Some(before + 1);
            invoice.number = last;
        }
    }
    Ok(())
}

/// Writes the rows, and what they were before; how many bytes the texts of both have.
async fn write_rows(
    tx: &mut Tx,
    request: &CommandRequest,
    rev: u64,
    decision: &Decision,
    before: &Business,
    now: Instant,
) -> Result<usize, AppError> {
    let side = request.member.actor().side();
    let mut bytes = 0;
    let mut history = Vec::new();
    let mut forgotten = BTreeSet::new();
    for change in &decision.changes {
        match change {
            Change::Put(row) => {
                if let Row::Message(message) = row
                    && message.message_type == MessageType::System
                {
                    forgotten.insert(message.id);
                    let conversation = message.client_id;
                    db::clear_conversation_answers(tx, request.member.sitter_id, conversation)
                        .await?;
                }
                bytes += db::write_row(tx, request.member.sitter_id, rev, row).await?;
                if let Some(old) = before.get(row.key()) {
                    if let Some(former) = client_of(&old.row)
                        && client_of(row) != Some(former)
                    {
                        let key = row.key();
                        db::insert_departure(tx, request.member.sitter_id, rev, former, key, now)
                            .await?;
                    }
                    let changed = match row {
                        // Nobody else's words stand against theirs, and what was taken back is nowhere.
                        Row::Conversation(_) | Row::Message(_) => Ok(Vec::new()),
                        _ => changed_fields(&old.row, row, side, now),
                    };
                    history.extend(changed.map_err(|it| AppError::Internal(it.into()))?);
                } else if let (Row::Pet(pet), Ok(Command::UpdateClient(_))) =
                    (row, &request.command)
                {
                    // Who deletes the client has to have seen it.
                    history.push(FieldChange {
                        key: row.key(),
                        field: "name".to_owned(),
                        value: Value::from(pet.name.as_str()),
                        by: Some(side),
                        at: now,
                        added: Vec::new(),
                    });
                }
            }
            Change::Delete(key) => {
                db::delete_row(tx, request.member.sitter_id, rev, *key, now).await?;
                bytes += DELETED_BYTES;
                forgotten.insert(key.id);
            }
        }
    }
    if !forgotten.is_empty() {
        // The reports of a walk have ids of their own; what was answered is about the walk.
        forgotten.extend(request.name_and_target().1);
    }
    let forgotten: Vec<Id> = forgotten.into_iter().collect();
    for some in forgotten.chunks(IDS_AT_ONCE) {
        // Most rows of a large removal are in no answer, which is asked once for many.
        let told = match some.len() <= FEW_IDS {
            true => some.to_vec(),
            false => db::rows_in_answers(tx, request.member.sitter_id, some).await?,
        };
        for id in told {
            db::clear_answers(tx, request.member.sitter_id, id).await?;
            answer_references::forget(tx, request.member.sitter_id, id).await?;
        }
    }
    // After the rows, which may show one of them still.
    for photo in &decision.dropped_photos {
        db::drop_photo(tx, request.member.sitter_id, *photo).await?;
    }
    bytes += db::insert_history(
        tx,
        request.member.sitter_id,
        rev,
        &history,
        request.device_id(),
        side,
        now,
    )
    .await?;
    Ok(bytes)
}

/// Fields of which the history keeps nothing: photos of a visit under way, which may be taken back, and people of a household,
/// whose names and addresses go with them.
const UNRECORDED: [&str; 2] = ["live", "parents"];

fn changed_fields(
    old: &Row,
    new: &Row,
    side: Side,
    now: Instant,
) -> serde_json::Result<Vec<FieldChange>> {
    type Fields<'a> = BTreeMap<&'a str, &'a RawValue>;
    let (old_json, new_json) = (old.json()?, new.json()?);
    // One writer wrote both, so that what is equal has the same text; most of a row is, and is not read.
    let old: Fields<'_> = serde_json::from_str(&old_json)?;
    let changed = serde_json::from_str::<Fields<'_>>(&new_json)?
        .into_iter()
        .filter(|(field, _)| !UNRECORDED.contains(field))
        .filter(|(field, value)| old.get(field).map(|it| it.get()) != Some(value.get()));
    changed
        .map(|(field, value)| {
            Ok(FieldChange {
                key: new.key(),
                field: field.to_owned(),
                value: serde_json::from_str(value.get())?,
                by: Some(side),
                at: now,
                added: Vec::new(),
            })
        })
        .collect()
}

/// Stores what became of the request, where it has a name, and how far its phone's queue has come; how many bytes the
/// texts of that have.
async fn record(
    tx: &mut Tx,
    request: &CommandRequest,
    rev: u64,
    decided: &Result<Decision, Refusal>,
    answer: Option<&Answer>,
    now: Instant,
) -> Result<usize, AppError> {
    let Some(key) = &request.key else {
        return Ok(0);
    };
    let (device_id, seq) = match request.source {
        CommandSource::Push { device_id, seq, .. } => (Some(device_id), Some(seq)),
        CommandSource::Rest { .. } => (None, None),
    };
    let (name, about_id) = request.name_and_target();
    let tells = answer.is_some()
        || decided
            .as_ref()
            .map_or(true, |it| !it.adjustments.is_empty());
    let mutation = MutationRow {
        id: key.id.clone(),
        rev,
        user_id: request.member.user_id,
        device_id,
        seq,
        name,
        // Most commands of phones leave no words that would have to go with the row.
        about_id: about_id.filter(|_| tells),
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
    db::insert_mutation(tx, request.member.sitter_id, &mutation).await?;
    answer_references::note(tx, request.member.sitter_id, &mutation).await?;
    if let (Some(device_id), Some(seq)) = (device_id, seq) {
        db::set_last_seq(tx, request.member.sitter_id, device_id, seq, now).await?;
    }
    Ok(mutation.text_bytes())
}
