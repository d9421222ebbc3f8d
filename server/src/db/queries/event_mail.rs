//! Owns the events that wait to be mailed: who gets which, when one is due, and which mail tells of it.

use walkies_core::rules::push::{
    Notice, Waiting, is_mailed_without_login, topic_of_several, waiting_at,
};
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

/// Somebody whom a business is mailed of: what is due between both goes into one mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventRecipient {
    /// The account of the business's sitter, or of a pet parent.
    Account {
        /// The account's id.
        user_id: Id,
        /// The business's id.
        sitter_id: Id,
    },
    /// A client without a login.
    Client {
        /// The id of the client record.
        client_id: Id,
        /// The business's id.
        sitter_id: Id,
    },
}

impl EventRecipient {
    /// The id of the account or the client record.
    pub const fn id(self) -> Id {
        match self {
            Self::Account { user_id, .. } => user_id,
            Self::Client { client_id, .. } => client_id,
        }
    }

    /// The id of the business.
    pub const fn sitter_id(self) -> Id {
        match self {
            Self::Account { sitter_id, .. } | Self::Client { sitter_id, .. } => sitter_id,
        }
    }

    /// The id of the account.
    pub(super) fn user_id(self) -> Option<Id> {
        matches!(self, Self::Account { .. }).then_some(self.id())
    }

    /// The id of the client without a login.
    pub(super) fn client_id(self) -> Option<Id> {
        matches!(self, Self::Client { .. }).then_some(self.id())
    }

    /// Makes one of the columns of a row that names a business: one of the other two is set.
    pub(super) fn from_ids(
        user_id: Option<Id>,
        client_id: Option<Id>,
        sitter_id: Id,
    ) -> Option<Self> {
        let account = user_id.map(|user_id| Self::Account { user_id, sitter_id });
        account.or(client_id.map(|client_id| Self::Client {
            client_id,
            sitter_id,
        }))
    }
}

/// Has a notice mailed to those whom it is for, in place of what waits there of the same topic, if no device of theirs
/// shows notifications or if they want both; and to a client without a login, where the sitter allows it. Nothing is read
/// for it, and for anybody else nothing is written.
pub async fn insert_event_mail(
    tx: &mut Tx,
    id: Id,
    audience: PushAudience,
    topic: &str,
    notice: &Notice,
    span: PushSpan,
) -> sqlx::Result<()> {
    let args = || {
        vec![
            topic.to_owned().arg(),
            id.arg(),
            notice.arg(),
            span.now.arg(),
            span.due_at.arg(),
            span.expires_at.arg(),
            notice.sitter_id.arg(),
        ]
    };
    let waiting = waiting_at(notice);
    let pick = |put, add, keep_time, tell_anew, merge| match waiting {
        Waiting::Goes => put,
        Waiting::Stays => add,
        Waiting::StaysIfTime => keep_time,
        Waiting::StaysIfTakenBack => tell_anew,
        Waiting::StaysUnlessSent => merge,
    };
    let several = topic_of_several(notice);
    match audience {
        PushAudience::User(user_id) => {
            let args = [args(), vec![user_id.arg()]].concat();
            let sql = pick(
                PUT_FOR_USER,
                ADD_FOR_USER,
                PUT_FOR_USER,
                PUT_FOR_USER,
                ADD_FOR_USER,
            );
            tx.defer(sql, args).await?;
        }
        PushAudience::ClientUsers { client_id, .. } => {
            let args = || [args(), vec![client_id.arg()]].concat();
            if let Some(several) = several {
                let args = [args(), vec![several.arg()]].concat();
                tx.defer(ADD_ONE_FOR_CLIENT, args).await?;
            } else {
                let sql = pick(
                    PUT_FOR_CLIENT,
                    ADD_FOR_CLIENT,
                    MOVE_FOR_CLIENT,
                    TELL_ANEW_FOR_CLIENT,
                    ADD_DETAILS_FOR_CLIENT,
                );
                tx.defer(sql, args()).await?;
            }
            if is_mailed_without_login(notice) {
                let sql = pick(
                    PUT_WITHOUT_LOGIN,
                    ADD_WITHOUT_LOGIN,
                    MOVE_WITHOUT_LOGIN,
                    TELL_ANEW_WITHOUT_LOGIN,
                    ADD_DETAILS_WITHOUT_LOGIN,
                );
                tx.defer(sql, args()).await?;
            }
        }
        PushAudience::Sitter(_) if several.is_some() => {
            let args = [args(), several.iter().map(Column::arg).collect()].concat();
            tx.defer(ADD_ONE_FOR_SITTER, args).await?;
        }
        PushAudience::Sitter(_) => {
            let sql = pick(
                PUT_FOR_SITTER,
                ADD_FOR_SITTER,
                PUT_FOR_SITTER,
                PUT_FOR_SITTER,
                ADD_FOR_SITTER,
            );
            tx.defer(sql, args()).await?;
        }
    }
    let most = u64::try_from(EVENT_MAILS).unwrap_or_default();
    tx.defer(DELETE_SURPLUS, [id.arg(), most.arg()]).await
}

macro_rules! take_place {
    () => {
        "DO UPDATE SET notice_id = excluded.notice_id, notice = excluded.notice, \
        due_at_ms = CASE WHEN mailed_event.due_at_ms < excluded.due_at_ms THEN mailed_event.due_at_ms \
        ELSE excluded.due_at_ms END, expires_at_ms = excluded.expires_at_ms, created_at_ms = excluded.created_at_ms"
    };
}

/// In place of what waits, but of a booking or another time that no mail has been made of.
macro_rules! take_place_but_of_time {
    () => {
        concat!(
            take_place!(),
            " WHERE mailed_event.mail_id IS NOT NULL OR NOT ",
            tells_time!("mailed_event")
        )
    };
}

/// In place of what waits, but of a booking or of what takes back what is told anew, if no mail has been made of it.
macro_rules! take_place_but_of_taken_back {
    () => {
        concat!(
            take_place!(),
            " WHERE mailed_event.mail_id IS NOT NULL OR NOT (mailed_event.notice LIKE '%\"visit_booked\"%' OR ",
            takes_back!("mailed_event"),
            ")"
        )
    };
}

/// Adds for those whom the rest of the statement selects.
macro_rules! insert {
    ($from:expr, $same_topic:expr) => {
        concat!(
            "INSERT INTO mailed_event (recipient_id, user_id, client_id, sitter_id, topic, notice_id, notice, due_at_ms, \
            expires_at_ms, created_at_ms) SELECT ",
            $from,
            " ON CONFLICT (recipient_id, topic) ",
            $same_topic
        )
    };
    ($from:expr) => {
        insert!($from, take_place!())
    };
}

/// The accounts of which the condition is true.
macro_rules! accounts {
    ($condition:expr) => {
        concat!(
            "user_account.id, user_account.id, NULL, $7, $1, $2, $3, $5, $6, $4 FROM user_account \
            LEFT JOIN push_preference ON push_preference.user_id = user_account.id WHERE user_account.",
            $condition,
            " AND (push_preference.always_mails OR NOT EXISTS \
            (SELECT 1 FROM push_subscription WHERE push_subscription.user_id = user_account.id))"
        )
    };
}

/// The client $8 of the business $7, if it has no login and its sitter allows mail.
macro_rules! without_login {
    () => {
        "client.id, NULL, client.id, $7, $1, $2, $3, $5, $6, $4 FROM client \
        JOIN profile ON profile.sitter_id = client.sitter_id AND profile.mails_changes \
        WHERE client.sitter_id = $7 AND client.id = $8 AND client.client_user_id IS NULL AND client.email <> ''"
    };
}

/// Leaves out each person for whom a notice of this topic waits of which no mail has been made.
macro_rules! unless_several_wait {
    ($topic:literal) => {
        concat!(
            " AND NOT EXISTS (SELECT 1 FROM mailed_event AS several WHERE several.recipient_id = user_account.id \
            AND several.mail_id IS NULL AND several.topic = ",
            $topic,
            ")"
        )
    };
}

/// Condition that the mail of an event is being sent for the first time. One that waits its turn, or for another try, is
/// composed anew from the event, with all that has changed since that.
macro_rules! is_first_try {
    () => {
        "EXISTS (SELECT 1 FROM mail_job WHERE mail_job.id = mailed_event.mail_id AND mail_job.attempts = 1 \
        AND mail_job.last_error IS NULL)"
    };
}

const PUT_FOR_CLIENT: &str = insert!(accounts!(concat!("id ", users_of_client!())));
const ADD_FOR_CLIENT: &str = insert!(accounts!(concat!("id ", users_of_client!())), "DO NOTHING");
const MOVE_FOR_CLIENT: &str = insert!(
    accounts!(concat!("id ", users_of_client!())),
    take_place_but_of_time!()
);
const TELL_ANEW_FOR_CLIENT: &str = insert!(
    accounts!(concat!("id ", users_of_client!())),
    take_place_but_of_taken_back!()
);
const TELL_ANEW_WITHOUT_LOGIN: &str = insert!(without_login!(), take_place_but_of_taken_back!());
const ADD_DETAILS_FOR_CLIENT: &str = insert!(
    accounts!(concat!("id ", users_of_client!())),
    take_place_of_sent_details!("mailed_event", is_first_try!())
);
const ADD_DETAILS_WITHOUT_LOGIN: &str = insert!(
    without_login!(),
    take_place_of_sent_details!("mailed_event", is_first_try!())
);
const PUT_WITHOUT_LOGIN: &str = insert!(without_login!());
const ADD_WITHOUT_LOGIN: &str = insert!(without_login!(), "DO NOTHING");
const MOVE_WITHOUT_LOGIN: &str = insert!(without_login!(), take_place_but_of_time!());
const PUT_FOR_USER: &str = insert!(accounts!("id = $8"));
const ADD_FOR_USER: &str = insert!(accounts!("id = $8"), "DO NOTHING");
const PUT_FOR_SITTER: &str = insert!(accounts!("sitter_id = $7"));
const ADD_FOR_SITTER: &str = insert!(accounts!("sitter_id = $7"), "DO NOTHING");
// While what told of several visits waits, that says what is left of them.
const ADD_ONE_FOR_CLIENT: &str = insert!(
    concat!(
        accounts!(concat!("id ", users_of_client!())),
        unless_several_wait!("$9")
    ),
    "DO NOTHING"
);
const ADD_ONE_FOR_SITTER: &str = insert!(
    concat!(accounts!("sitter_id = $7"), unless_several_wait!("$8")),
    "DO NOTHING"
);
// The oldest of those who have just got one. Phones make the ids of clients, so that another business may have the same one,
// and an account, too.
const DELETE_SURPLUS: &str = "DELETE FROM mailed_event WHERE recipient_id IN \
    (SELECT recipient_id FROM mailed_event WHERE notice_id = $1) \
    AND $2 <= (SELECT COUNT(*) FROM mailed_event newer WHERE newer.recipient_id = mailed_event.recipient_id AND \
    (newer.user_id = mailed_event.user_id \
    OR newer.client_id = mailed_event.client_id AND newer.sitter_id = mailed_event.sitter_id) \
    AND (newer.created_at_ms, newer.notice_id) > (mailed_event.created_at_ms, mailed_event.notice_id))";

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

/// Lists some of those for whom an event of a business is due that no mail in the queue tells of.
pub async fn due_event_mail(
    tx: &mut Tx,
    now: Instant,
    most: u32,
) -> sqlx::Result<Vec<EventRecipient>> {
    let read = |row: &dyn DbRow| {
        let (user_id, client_id) = (
            Column::read(row, "user_id")?,
            Column::read(row, "client_id")?,
        );
        let sitter_id = Column::get(row, "sitter_id")?;
        Ok(EventRecipient::from_ids(user_id, client_id, sitter_id))
    };
    let found = tx
        .fetch_all(SELECT_DUE, [now.arg(), most.arg()], read)
        .await?;
    Ok(found.into_iter().flatten().collect())
}

const SELECT_DUE: &str = "SELECT user_id, client_id, sitter_id FROM mailed_event WHERE mail_id IS NULL AND due_at_ms <= $1 \
    GROUP BY recipient_id, user_id, client_id, sitter_id ORDER BY min(due_at_ms), recipient_id, sitter_id LIMIT $2";

/// Gives a mail all that is due for somebody of a business; `false` if another process has taken it.
pub async fn claim_event_mail(
    tx: &mut Tx,
    who: EventRecipient,
    mail_id: Id,
    now: Instant,
) -> sqlx::Result<bool> {
    let (id, sitter_id) = (who.id(), who.sitter_id());
    let args = [id.arg(), sitter_id.arg(), mail_id.arg(), now.arg()];
    Ok(0 < tx.execute(CLAIM, args).await?)
}

const CLAIM: &str = "UPDATE mailed_event SET mail_id = $3 \
    WHERE recipient_id = $1 AND sitter_id = $2 AND mail_id IS NULL AND due_at_ms <= $4";

/// Lets what is due for somebody of a business wait, and be gathered with what comes by then.
pub async fn postpone_event_mail(
    tx: &mut Tx,
    who: EventRecipient,
    now: Instant,
    due_at: Instant,
) -> sqlx::Result<()> {
    let (id, sitter_id) = (who.id(), who.sitter_id());
    let args = [id.arg(), sitter_id.arg(), now.arg(), due_at.arg()];
    tx.defer(POSTPONE, args).await
}

const POSTPONE: &str = "UPDATE mailed_event SET due_at_ms = $4 \
    WHERE recipient_id = $1 AND sitter_id = $2 AND mail_id IS NULL AND due_at_ms <= $3";

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

const SELECT_OF_MAIL: &str = "SELECT notice_id, notice, expires_at_ms FROM mailed_event WHERE mail_id = $1 \
    ORDER BY created_at_ms, notice_id";

/// Lists the bookings of which somebody is told by this mail, or by a later one of the same business.
pub async fn bookings_to_mail(
    tx: &mut Tx,
    who: EventRecipient,
    mail_id: Id,
    now: Instant,
) -> sqlx::Result<Vec<Notice>> {
    let read = |row: &dyn DbRow| Column::get(row, "notice");
    let (id, sitter_id) = (who.id(), who.sitter_id());
    let args = [id.arg(), sitter_id.arg(), mail_id.arg(), now.arg()];
    tx.fetch_all(SELECT_BOOKINGS, args, read).await
}

const SELECT_BOOKINGS: &str = "SELECT notice FROM mailed_event WHERE recipient_id = $1 AND sitter_id = $2 \
    AND (mail_id IS NULL OR mail_id = $3) AND expires_at_ms > $4 AND notice LIKE '%\"visit_booked\"%'";

/// Forgets these events of a mail that needs no more work. What came in their place meanwhile is for the next mail.
pub async fn finish_event_mail(tx: &mut Tx, mail_id: Id, told: &[Id]) -> sqlx::Result<()> {
    for notice_id in told {
        tx.defer(DELETE_TOLD, vec![mail_id.arg(), notice_id.arg()])
            .await?;
    }
    tx.defer(RELEASE, vec![mail_id.arg()]).await
}

const DELETE_TOLD: &str = "DELETE FROM mailed_event WHERE mail_id = $1 AND notice_id = $2";
const RELEASE: &str = "UPDATE mailed_event SET mail_id = NULL WHERE mail_id = $1";

/// Takes what is queued for an account out of the queue of mail, to be written to the address that the account has now.
pub async fn requeue_event_mail(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    tx.defer(DELETE_QUEUED_OF_USER, [user_id.arg()]).await?;
    tx.defer(RELEASE_OF_USER, [user_id.arg()]).await
}

const DELETE_QUEUED_OF_USER: &str = "DELETE FROM mail_job WHERE event_user_id = $1 AND NOT failed";
const RELEASE_OF_USER: &str = "UPDATE mailed_event SET mail_id = NULL WHERE user_id = $1";

/// Forgets what was worth something until then.
pub async fn collect_event_mail(tx: &mut Tx, now: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_EXPIRED, [now.arg()]).await
}

const DELETE_EXPIRED: &str = "DELETE FROM mailed_event WHERE expires_at_ms <= $1";
