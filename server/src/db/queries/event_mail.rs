//! Owns the events that wait to be mailed to pet parents: who gets which, when one is due, and which mail tells of it.

use walkies_core::rules::push::{Notice, yields_to_waiting};
use walkies_core::values::bounds::EVENT_MAILS;
use walkies_core::values::push::{MailChoice, PushPreferences};
use walkies_core::{Id, Instant};

use super::{PushAudience, PushSpan};
use crate::db::engine::{Column, DbRow, Tx};

/// An event that a mail tells of.
#[derive(Clone, Debug)]
pub struct MailedEvent {
    /// The notice's id: a mail removes only what it has told of, not what came in its place meanwhile.
    pub notice_id: Id,
    /// The event to tell of.
    pub notice: Notice,
    /// The time from which it is worthless and no longer sent.
    pub expires_at: Instant,
}

/// Has a notice mailed to those whom it is for, in place of what waits there of the same topic, if no device of theirs
/// shows notifications or if they want both. Nothing is read for it, and for anybody else nothing is written.
pub async fn insert_event_mail(
    tx: &mut Tx,
    id: Id,
    audience: PushAudience,
    topic: &str,
    notice: &Notice,
    span: PushSpan,
) -> sqlx::Result<()> {
    let mut args = vec![
        topic.to_owned().arg(),
        id.arg(),
        notice.arg(),
        span.now.arg(),
        span.due_at.arg(),
        span.expires_at.arg(),
        notice.sitter_id.arg(),
    ];
    let yields = yields_to_waiting(notice);
    let sql = match audience {
        PushAudience::User(user_id) => {
            args.push(user_id.arg());
            if yields { ADD_FOR_USER } else { PUT_FOR_USER }
        }
        PushAudience::ClientUsers { client_id, .. } => {
            args.push(client_id.arg());
            if yields {
                ADD_FOR_CLIENT
            } else {
                PUT_FOR_CLIENT
            }
        }
        // Sitters are mailed of nothing.
        PushAudience::Sitter(_) => return Ok(()),
    };
    tx.defer(sql, args).await?;
    let most = u64::try_from(EVENT_MAILS).unwrap_or_default();
    tx.defer(DELETE_SURPLUS, [id.arg(), most.arg()]).await
}

/// Adds for the person whom the condition names.
macro_rules! insert_for {
    ($user:expr, $same_topic:literal) => {
        concat!(
            "INSERT INTO event_mail (user_id, sitter_id, topic, notice_id, notice, due_at_ms, expires_at_ms, created_at_ms) \
            SELECT user_account.id, $7, $1, $2, $3, $5, $6, $4 FROM user_account \
            LEFT JOIN push_preference ON push_preference.user_id = user_account.id \
            WHERE user_account.role = 'client' AND user_account.id ",
            $user,
            " AND (push_preference.always_mails OR NOT EXISTS \
            (SELECT 1 FROM push_subscription WHERE push_subscription.user_id = user_account.id)) \
            ON CONFLICT (user_id, topic) ",
            $same_topic
        )
    };
    ($user:expr) => {
        insert_for!(
            $user,
            "DO UPDATE SET notice_id = excluded.notice_id, notice = excluded.notice, \
            due_at_ms = CASE WHEN event_mail.due_at_ms < excluded.due_at_ms THEN event_mail.due_at_ms \
            ELSE excluded.due_at_ms END, expires_at_ms = excluded.expires_at_ms, created_at_ms = excluded.created_at_ms"
        )
    };
}

const PUT_FOR_CLIENT: &str = insert_for!(users_of_client!());
const ADD_FOR_CLIENT: &str = insert_for!(users_of_client!(), "DO NOTHING");
const PUT_FOR_USER: &str = insert_for!("= $8");
const ADD_FOR_USER: &str = insert_for!("= $8", "DO NOTHING");
// The oldest of those who have just got one.
const DELETE_SURPLUS: &str = "DELETE FROM event_mail WHERE user_id IN (SELECT user_id FROM event_mail WHERE notice_id = $1) \
    AND $2 <= (SELECT COUNT(*) FROM event_mail newer WHERE newer.user_id = event_mail.user_id AND \
    (newer.created_at_ms, newer.notice_id) > (event_mail.created_at_ms, event_mail.notice_id))";

/// The clients of a business whose login is mailed of events, since no device shows them, and has turned no kind off.
pub async fn event_mailed_clients(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<Id>> {
    let read = |row: &dyn DbRow| {
        let preferences: Option<PushPreferences> = Column::read(row, "preferences")?;
        let client_id: Id = Column::get(row, "id")?;
        let wants_all = |it: PushPreferences| it.off.is_empty() && it.mail != MailChoice::Never;
        Ok(preferences.is_none_or(wants_all).then_some(client_id))
    };
    let found = tx.fetch_all(SELECT_MAILED, [sitter_id.arg()], read);
    let mut clients: Vec<Id> = found.await?.into_iter().flatten().collect();
    // Several pet parents of one household.
    clients.dedup();
    Ok(clients)
}

// The client's own row has the last word of who is linked.
const SELECT_MAILED: &str = concat!(
    "SELECT client.id, preferences FROM client_user_link AS link \
    JOIN client ON client.sitter_id = link.sitter_id AND client.id = link.client_id AND ",
    linked_by_row!("link"),
    " LEFT JOIN push_preference ON push_preference.user_id = link.user_id \
    WHERE link.sitter_id = $1 AND NOT EXISTS (SELECT 1 FROM push_subscription WHERE push_subscription.user_id = link.user_id) \
    ORDER BY client.id"
);

/// Lists some of the people and businesses, by their ids, between whom an event is due that no mail in the queue tells of.
pub async fn due_event_mail(tx: &mut Tx, now: Instant, most: u32) -> sqlx::Result<Vec<(Id, Id)>> {
    let read = |row: &dyn DbRow| Ok((Column::get(row, "user_id")?, Column::get(row, "sitter_id")?));
    tx.fetch_all(SELECT_DUE, [now.arg(), most.arg()], read)
        .await
}

const SELECT_DUE: &str = "SELECT user_id, sitter_id FROM event_mail WHERE mail_id IS NULL AND due_at_ms <= $1 \
    GROUP BY user_id, sitter_id ORDER BY min(due_at_ms), user_id, sitter_id LIMIT $2";

/// Gives a mail all that is due between a person and a business; `false` if another process has taken it.
pub async fn claim_event_mail(
    tx: &mut Tx,
    (user_id, sitter_id): (Id, Id),
    mail_id: Id,
    now: Instant,
) -> sqlx::Result<bool> {
    let args = [user_id.arg(), sitter_id.arg(), mail_id.arg(), now.arg()];
    Ok(0 < tx.execute(CLAIM, args).await?)
}

const CLAIM: &str = "UPDATE event_mail SET mail_id = $3 \
    WHERE user_id = $1 AND sitter_id = $2 AND mail_id IS NULL AND due_at_ms <= $4";

/// Lets what is due between a person and a business wait, and be gathered with what comes by then.
pub async fn postpone_event_mail(
    tx: &mut Tx,
    (user_id, sitter_id): (Id, Id),
    now: Instant,
    due_at: Instant,
) -> sqlx::Result<()> {
    let args = [user_id.arg(), sitter_id.arg(), now.arg(), due_at.arg()];
    tx.defer(POSTPONE, args).await
}

const POSTPONE: &str = "UPDATE event_mail SET due_at_ms = $4 \
    WHERE user_id = $1 AND sitter_id = $2 AND mail_id IS NULL AND due_at_ms <= $3";

/// Lists the events that a mail tells of, the oldest first.
pub async fn events_of_mail(tx: &mut Tx, mail_id: Id) -> sqlx::Result<Vec<MailedEvent>> {
    let read = |row: &dyn DbRow| {
        Ok(MailedEvent {
            notice_id: Column::get(row, "notice_id")?,
            notice: Column::get(row, "notice")?,
            expires_at: Column::get(row, "expires_at_ms")?,
        })
    };
    tx.fetch_all(SELECT_OF_MAIL, [mail_id.arg()], read).await
}

const SELECT_OF_MAIL: &str = "SELECT notice_id, notice, expires_at_ms FROM event_mail WHERE mail_id = $1 \
    ORDER BY created_at_ms, notice_id";

/// Forgets these events of a mail that needs no more work. What came in their place meanwhile is for the next mail.
pub async fn finish_event_mail(tx: &mut Tx, mail_id: Id, told: &[Id]) -> sqlx::Result<()> {
    for notice_id in told {
        tx.defer(DELETE_TOLD, vec![mail_id.arg(), notice_id.arg()])
            .await?;
    }
    tx.defer(RELEASE, vec![mail_id.arg()]).await
}

const DELETE_TOLD: &str = "DELETE FROM event_mail WHERE mail_id = $1 AND notice_id = $2";
const RELEASE: &str = "UPDATE event_mail SET mail_id = NULL WHERE mail_id = $1";

/// Takes what is queued for a pet parent out of the queue of mail, to be written to the address that the account has now.
pub async fn requeue_event_mail(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    tx.defer(DELETE_QUEUED_OF_USER, [user_id.arg()]).await?;
    tx.defer(RELEASE_OF_USER, [user_id.arg()]).await
}

const DELETE_QUEUED_OF_USER: &str = "DELETE FROM mail_job WHERE event_user_id = $1 AND NOT failed";
const RELEASE_OF_USER: &str = "UPDATE event_mail SET mail_id = NULL WHERE user_id = $1";

/// Forgets what was worth something until then.
pub async fn collect_event_mail(tx: &mut Tx, now: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_EXPIRED, [now.arg()]).await
}

const DELETE_EXPIRED: &str = "DELETE FROM event_mail WHERE expires_at_ms <= $1";
