//! Owns mail that is still to be sent: rows taken with a lease, so that a killed process loses none of it.

use walkies_core::{Id, Instant, RowKey, TableName};

use super::EventRecipient;
use crate::db::engine::{Column, DbRow, Tx};

/// A mail to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailJob {
    /// The mail's id.
    pub id: Id,
    /// The address that it goes to.
    pub recipient: String,
    /// The subject line.
    pub subject: String,
    /// The text of the mail.
    pub body: String,
    /// How often it was tried.
    pub attempts: u32,
    /// The token by which the link names the recipient, who may stop mail of this kind.
    pub stop_token: Option<String>,
    /// The time from which it is no longer true, and is not sent.
    pub expires_at: Option<Instant>,
    /// The `share_id` of the invoice that it reminds of or brings, which has to be open when it is sent.
    pub invoice_share_id: Option<String>,
    /// The invoice or report that it brings, with its business.
    pub brings: Option<(Id, RowKey)>,
    /// True if many get such a mail at once.
    pub is_bulk: bool,
    /// The recipient of the events of which it tells; written when it is sent.
    pub events_of: Option<EventRecipient>,
}

fn read_mail_job(row: &dyn DbRow) -> sqlx::Result<MailJob> {
    let sitter_id: Option<Id> = Column::read(row, "sitter_id")?;
    let event_user_id: Option<Id> = Column::read(row, "event_user_id")?;
    let event_client_id: Option<Id> = Column::read(row, "event_client_id")?;
    Ok(MailJob {
        id: Column::get(row, "id")?,
        recipient: Column::get(row, "recipient")?,
        subject: Column::get(row, "subject")?,
        body: Column::get(row, "body")?,
        attempts: Column::get(row, "attempts")?,
        stop_token: Column::read(row, "stop_token")?,
        expires_at: Column::read(row, "expires_at_ms")?,
        invoice_share_id: Column::read(row, "invoice_share_id")?,
        brings: sitter_id.zip(read_brought(row)?),
        is_bulk: Column::get(row, "is_bulk")?,
        events_of: sitter_id
            .and_then(|it| EventRecipient::from_ids(event_user_id, event_client_id, it)),
    })
}

/// The invoice or report that a mail brings; `None` for any other mail.
fn read_brought(row: &dyn DbRow) -> sqlx::Result<Option<RowKey>> {
    let key = |table, id: Option<Id>| id.map(|id| RowKey { table, id });
    let invoice = key(TableName::Invoice, Column::read(row, "invoice_id")?);
    Ok(invoice.or(key(TableName::Report, Column::read(row, "report_id")?)))
}

/// Puts a mail in the queue.
pub async fn insert_mail_job(tx: &mut Tx, job: &MailJob, now: Instant) -> sqlx::Result<()> {
    let brought = |table| job.brings.map(|it| it.1).filter(|it| it.table == table);
    let args = [
        job.id.arg(),
        job.recipient.arg(),
        job.subject.arg(),
        job.body.arg(),
        job.attempts.arg(),
        now.arg(),
        false.arg(),
        now.arg(),
        job.stop_token.arg(),
        job.expires_at.arg(),
        job.invoice_share_id.arg(),
        job.brings
            .map(|(sitter_id, _)| sitter_id)
            .or(job.events_of.map(EventRecipient::sitter_id))
            .arg(),
        brought(TableName::Invoice).map(|it| it.id).arg(),
        brought(TableName::Report).map(|it| it.id).arg(),
        job.is_bulk.arg(),
        job.events_of.and_then(EventRecipient::user_id).arg(),
        job.events_of.and_then(EventRecipient::client_id).arg(),
    ];
    tx.defer(INSERT_MAIL_JOB, args).await
}

const INSERT_MAIL_JOB: &str = "INSERT INTO mail_job \
    (id, recipient, subject, body, attempts, due_at_ms, failed, created_at_ms, stop_token, \
    expires_at_ms, invoice_share_id, sitter_id, invoice_id, report_id, is_bulk, event_user_id, event_client_id) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";

/// Takes the next mail that is due; nobody else gets it before `lease_until`. Somebody waits for a mail about their
/// password; reports and what many get at once come after it, and invoices last: hundreds may be queued at once, and each has to
/// be printed. A reminder of an invoice waits for the mail that brings the invoice.
pub async fn lease_mail_job(
    tx: &mut Tx,
    now: Instant,
    lease_until: Instant,
) -> sqlx::Result<Option<MailJob>> {
    let args = [
        now.arg(),
        lease_until.arg(),
        false.arg(),
        Instant(now.0 + CLOCKS_DIFFER_MS).arg(),
    ];
    tx.fetch_optional(LEASE_MAIL_JOB, args, read_mail_job).await
}

/// Clocks of processes on one database differ by less. Mail queued later than that was queued before the clock was set
/// back, and must not wait until the clock is there again.
const CLOCKS_DIFFER_MS: i64 = 60 * 1000;

// The second condition on `due_at_ms` makes a process that waited for another's lease come away empty-handed.
const LEASE_MAIL_JOB: &str = "UPDATE mail_job SET attempts = attempts + 1, due_at_ms = $2, \
    created_at_ms = CASE WHEN created_at_ms > $4 THEN $1 ELSE created_at_ms END \
    WHERE id = (SELECT id FROM mail_job AS job WHERE failed = $3 AND (due_at_ms <= $1 OR created_at_ms > $4) \
    AND NOT (invoice_id IS NULL AND invoice_share_id IS NOT NULL AND EXISTS (SELECT 1 FROM mail_job AS bringing \
    WHERE bringing.invoice_share_id = job.invoice_share_id AND bringing.invoice_id IS NOT NULL AND bringing.failed = $3)) \
    ORDER BY CASE WHEN invoice_id IS NOT NULL THEN 2 WHEN report_id IS NOT NULL OR is_bulk THEN 1 ELSE 0 END, due_at_ms, id LIMIT 1) \
    AND (due_at_ms <= $1 OR created_at_ms > $4) RETURNING id, recipient, subject, body, attempts, stop_token, \
    expires_at_ms, invoice_share_id, sitter_id, invoice_id, report_id, is_bulk, event_user_id, event_client_id";

/// The mail is on its way.
pub async fn delete_mail_job(tx: &mut Tx, id: Id) -> sqlx::Result<()> {
    let args = [id.arg()];
    tx.defer(DELETE_MAIL_JOB, args).await
}

const DELETE_MAIL_JOB: &str = "DELETE FROM mail_job WHERE id = $1";

/// The mail could not be sent: try again at `due_at`, or keep it for the operator.
pub async fn postpone_mail_job(
    tx: &mut Tx,
    id: Id,
    due_at: Instant,
    error: &str,
    failed: bool,
) -> sqlx::Result<()> {
    let args = [id.arg(), due_at.arg(), error.to_owned().arg(), failed.arg()];
    tx.defer(POSTPONE_MAIL_JOB, args).await
}

const POSTPONE_MAIL_JOB: &str =
    "UPDATE mail_job SET due_at_ms = $2, last_error = $3, failed = $4 WHERE id = $1";

/// Forgets mail that was given up and is of before `before`, and the oldest of what is too many.
pub async fn collect_failed_mail(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_FAILED_MAIL, vec![true.arg(), before.arg()])
        .await
}

const DELETE_FAILED_MAIL: &str = "DELETE FROM mail_job WHERE failed = $1 AND (created_at_ms < $2 OR id NOT IN \
    (SELECT id FROM mail_job WHERE failed = $1 ORDER BY created_at_ms DESC, id DESC LIMIT 1000))";

/// Returns true if a mail that brings this invoice or report is still to be sent.
pub async fn is_shared_mail_queued(tx: &mut Tx, sitter_id: Id, row: RowKey) -> sqlx::Result<bool> {
    let args = vec![sitter_id.arg(), row.id.arg(), false.arg()];
    let sql = match row.table {
        TableName::Report => SELECT_REPORT_MAIL,
        _ => SELECT_INVOICE_MAIL,
    };
    let found = tx.fetch_optional(sql, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const SELECT_INVOICE_MAIL: &str =
    "SELECT 1 FROM mail_job WHERE sitter_id = $1 AND invoice_id = $2 AND failed = $3 LIMIT 1";
const SELECT_REPORT_MAIL: &str =
    "SELECT 1 FROM mail_job WHERE sitter_id = $1 AND report_id = $2 AND failed = $3 LIMIT 1";

/// The invoices and reports, with their business, that mail brings to somebody who has not got it yet.
pub async fn rows_to_mail_to(tx: &mut Tx, recipient: &str) -> sqlx::Result<Vec<(Id, RowKey)>> {
    let args = vec![recipient.to_owned().arg(), false.arg()];
    let read = |row: &dyn DbRow| {
        let sitter_id: Id = Column::get(row, "sitter_id")?;
        Ok(read_brought(row)?.map(|key| (sitter_id, key)))
    };
    let found = tx.fetch_all(SELECT_ROWS_TO, args, read).await?;
    Ok(found.into_iter().flatten().collect())
}

const SELECT_ROWS_TO: &str = "SELECT sitter_id, invoice_id, report_id FROM mail_job WHERE recipient = $1 AND failed = $2 \
    AND sitter_id IS NOT NULL ORDER BY sitter_id, invoice_id, report_id";

/// Forgets what is still to be sent to somebody who is gone.
pub async fn delete_mail_to(tx: &mut Tx, recipient: &str) -> sqlx::Result<()> {
    let args = [recipient.to_owned().arg()];
    tx.defer(DELETE_MAIL_TO, args).await
}

const DELETE_MAIL_TO: &str = "DELETE FROM mail_job WHERE recipient = $1";
