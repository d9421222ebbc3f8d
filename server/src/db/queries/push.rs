//! Owns what is kept for web push: the server's keys, subscriptions, preferences, and the queue of what is to be sent,
//! whose rows are taken with a lease, so that a killed process loses none of it.

use walkies_core::rows::versioned::Versioned;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::rules::push::{Notice, Waiting, topic_of_several, waiting_at};
use walkies_core::values::bounds::{PUSH_DELIVERIES, PUSH_SUBSCRIPTIONS};
use walkies_core::values::push::{MailChoice, PushKind, PushPreferences};
use walkies_core::{Date, Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// The server's keys for web push.
#[derive(Clone, PartialEq, Eq)]
pub struct PushKeyPair {
    /// An uncompressed point of P-256, base64url.
    pub public_key: String,
    /// The scalar, base64url.
    pub private_key: String,
}

impl std::fmt::Debug for PushKeyPair {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PushKeyPair({})", self.public_key)
    }
}

/// The keys that phones subscribe with now.
pub async fn current_push_key(tx: &mut Tx) -> sqlx::Result<Option<PushKeyPair>> {
    tx.fetch_optional(SELECT_CURRENT_KEY, [], read_key).await
}

fn read_key(row: &dyn DbRow) -> sqlx::Result<PushKeyPair> {
    Ok(PushKeyPair {
        public_key: Column::get(row, "public_key")?,
        private_key: Column::get(row, "private_key")?,
    })
}

const SELECT_CURRENT_KEY: &str = "SELECT public_key, private_key FROM push_key \
    ORDER BY created_at_ms DESC, public_key DESC LIMIT 1";

/// Makes these the keys that phones subscribe with from now on.
pub async fn insert_push_key(tx: &mut Tx, key: &PushKeyPair, now: Instant) -> sqlx::Result<()> {
    let args = [
        key.public_key.clone().arg(),
        key.private_key.clone().arg(),
        now.arg(),
    ];
    tx.defer(INSERT_KEY, args).await
}

const INSERT_KEY: &str =
    "INSERT INTO push_key (public_key, private_key, created_at_ms) VALUES ($1, $2, $3)";

/// Removes all keys but one, with the subscriptions that were made with them.
pub async fn delete_push_keys(tx: &mut Tx, keep: &str) -> sqlx::Result<()> {
    tx.defer(DELETE_KEYS, [keep.to_owned().arg()]).await
}

const DELETE_KEYS: &str = "DELETE FROM push_key WHERE public_key <> $1";

/// A push subscription: one browser of a user who is signed in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushSubscription {
    /// The subscription's id.
    pub id: Id,
    /// The account that is signed in there.
    pub user_id: Id,
    /// Hash of the session that is signed in there.
    pub session_hash: String,
    /// URL of the push service to which messages for this browser go.
    pub endpoint: String,
    /// The browser's public key, base64url.
    pub p256dh: String,
    /// The browser's secret, base64url.
    pub auth: String,
    /// The server's public key with which the browser subscribed.
    pub public_key: String,
}

fn read_subscription(row: &dyn DbRow) -> sqlx::Result<PushSubscription> {
    Ok(PushSubscription {
        id: Column::get(row, "id")?,
        user_id: Column::get(row, "user_id")?,
        session_hash: Column::get(row, "session_hash")?,
        endpoint: Column::get(row, "endpoint")?,
        p256dh: Column::get(row, "p256dh")?,
        auth: Column::get(row, "auth")?,
        public_key: Column::get(row, "public_key")?,
    })
}

/// The subscription of an endpoint.
pub async fn push_subscription_at(
    tx: &mut Tx,
    endpoint: &str,
) -> sqlx::Result<Option<PushSubscription>> {
    let args = [endpoint.to_owned().arg()];
    tx.fetch_optional(SELECT_BY_ENDPOINT, args, read_subscription)
        .await
}

const SELECT_BY_ENDPOINT: &str = "SELECT id, user_id, session_hash, endpoint, p256dh, auth, public_key \
    FROM push_subscription WHERE endpoint = $1";

/// Returns true if the public key is one of the server's own.
pub async fn has_push_key(tx: &mut Tx, public_key: &str) -> sqlx::Result<bool> {
    let args = [public_key.to_owned().arg()];
    let found = tx.fetch_optional(FIND_KEY, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const FIND_KEY: &str = "SELECT public_key FROM push_key WHERE public_key = $1";

/// Adds a subscription in place of what was at its endpoint, whoever's that was: a browser has one, and whoever is signed
/// in there now is told. Of too many the oldest make room.
pub async fn put_push_subscription(
    tx: &mut Tx,
    subscription: &PushSubscription,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [subscription.endpoint.clone().arg()];
    tx.defer(DELETE_BY_ENDPOINT, args).await?;
    let others = u64::try_from(PUSH_SUBSCRIPTIONS - 1).unwrap_or_default();
    let args = [subscription.user_id.arg(), others.arg()];
    tx.defer(DELETE_SURPLUS_SUBSCRIPTIONS, args).await?;
    let args = [
        subscription.id.arg(),
        subscription.user_id.arg(),
        subscription.session_hash.clone().arg(),
        subscription.endpoint.clone().arg(),
        subscription.p256dh.clone().arg(),
        subscription.auth.clone().arg(),
        subscription.public_key.clone().arg(),
        now.arg(),
    ];
    tx.defer(INSERT_SUBSCRIPTION, args).await
}

const DELETE_BY_ENDPOINT: &str = "DELETE FROM push_subscription WHERE endpoint = $1";
const DELETE_SURPLUS_SUBSCRIPTIONS: &str = "DELETE FROM push_subscription WHERE user_id = $1 AND id NOT IN \
    (SELECT id FROM push_subscription WHERE user_id = $1 ORDER BY created_at_ms DESC, id DESC LIMIT $2)";
const INSERT_SUBSCRIPTION: &str = "INSERT INTO push_subscription \
    (id, user_id, session_hash, endpoint, p256dh, auth, public_key, created_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

/// Removes a subscription of this user; `false` where there is none.
pub async fn delete_push_subscription(tx: &mut Tx, user_id: Id, id: Id) -> sqlx::Result<bool> {
    let args = [user_id.arg(), id.arg()];
    Ok(tx.execute(DELETE_SUBSCRIPTION, args).await? == 1)
}

const DELETE_SUBSCRIPTION: &str = "DELETE FROM push_subscription WHERE user_id = $1 AND id = $2";

/// Reads a user's notification preferences; the defaults if none were ever set.
pub async fn push_preferences(tx: &mut Tx, user_id: Id) -> sqlx::Result<PushPreferences> {
    let read = |row: &dyn DbRow| Column::get(row, "preferences");
    let found = tx.fetch_optional(SELECT_PREFERENCES, [user_id.arg()], read);
    Ok(found.await?.unwrap_or_default())
}

const SELECT_PREFERENCES: &str = "SELECT preferences FROM push_preference WHERE user_id = $1";

/// Notes what a user wants to be told of.
pub async fn set_push_preferences(
    tx: &mut Tx,
    user_id: Id,
    preferences: &PushPreferences,
) -> sqlx::Result<()> {
    let always_mails = preferences.mail == MailChoice::Always;
    let args = [user_id.arg(), preferences.arg(), always_mails.arg()];
    tx.defer(UPSERT_PREFERENCES, args).await
}

const UPSERT_PREFERENCES: &str = "INSERT INTO push_preference (user_id, preferences, always_mails) VALUES ($1, $2, $3) \
    ON CONFLICT (user_id) DO UPDATE SET preferences = excluded.preferences, always_mails = excluded.always_mails";

/// The clients of a business whose login has notifications on, and has turned no kind off.
pub async fn notified_clients(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<Id>> {
    let read = |row: &dyn DbRow| {
        let preferences: Option<PushPreferences> = Column::read(row, "preferences")?;
        let client_id: Id = Column::get(row, "id")?;
        Ok(preferences
            .is_none_or(|it| it.off.is_empty())
            .then_some(client_id))
    };
    let found = tx.fetch_all(SELECT_NOTIFIED, [sitter_id.arg()], read);
    let mut clients: Vec<Id> = found.await?.into_iter().flatten().collect();
    // One of a household is enough.
    clients.dedup();
    Ok(clients)
}

// The client's own row has the last word of who is linked; the links are few where a business has many clients.
macro_rules! preferences_of_subscribers {
    ($rest:literal) => {
        concat!(
            "SELECT client.id, preferences FROM client_user_link AS link \
    JOIN client ON client.sitter_id = link.sitter_id AND client.id = link.client_id AND ",
            linked_by_row!("link"),
            " LEFT JOIN push_preference ON push_preference.user_id = link.user_id \
    WHERE link.sitter_id = $1 AND EXISTS (SELECT 1 FROM push_subscription WHERE push_subscription.user_id = link.user_id)",
            $rest
        )
    };
}

const SELECT_NOTIFIED: &str = preferences_of_subscribers!(" ORDER BY client.id");

/// True where a notice of this kind reaches a device of one of the client's logins.
pub async fn is_client_notified(
    tx: &mut Tx,
    (sitter_id, client_id): (Id, Id),
    kind: PushKind,
) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), client_id.arg()];
    let read = |row: &dyn DbRow| Column::read(row, "preferences");
    let preferences: Vec<Option<PushPreferences>> =
        tx.fetch_all(SELECT_IF_SUBSCRIBED, args, read).await?;
    let is_on =
        |it: &Option<PushPreferences>| !it.as_ref().is_some_and(|it| it.off.contains(&kind));
    Ok(preferences.iter().any(is_on))
}

const SELECT_IF_SUBSCRIBED: &str = preferences_of_subscribers!(" AND link.client_id = $2");

/// The users whose subscriptions get a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushAudience {
    /// A single user.
    User(Id),
    /// The owner of a business.
    Sitter(Id),
    /// The users who are linked with a client record.
    ClientUsers {
        /// The id of the business.
        sitter_id: Id,
        /// The id of the client record.
        client_id: Id,
    },
}

/// When a notice is written, and from when until when it is worth telling.
#[derive(Clone, Copy, Debug)]
pub struct PushSpan {
    /// The current time.
    pub now: Instant,
    /// The earliest time to send it. If an older notice of its topic waits and is due sooner, it takes over that time.
    pub due_at: Instant,
    /// The time from which it is worthless and no longer sent.
    pub expires_at: Instant,
}

/// Queues a notice for every phone of those whom it is for, in place of what waits there of the same topic. Nothing is
/// read for it, and where nobody has subscribed nothing is written.
pub async fn insert_push_deliveries(
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
    ];
    let several = topic_of_several(notice);
    let sql = match audience {
        PushAudience::User(user_id) => {
            args.push(user_id.arg());
            INSERT_FOR_USER
        }
        PushAudience::Sitter(sitter_id) => {
            args.push(sitter_id.arg());
            match waiting_at(notice) {
                Waiting::Stays if several.is_some() => WITHDRAW_ONE_FOR_SITTER,
                Waiting::Stays | Waiting::StaysUnlessSent => WITHDRAW_FOR_SITTER,
                Waiting::Goes | Waiting::StaysIfTime | Waiting::StaysIfTakenBack => {
                    INSERT_FOR_SITTER
                }
            }
        }
        PushAudience::ClientUsers {
            sitter_id,
            client_id,
        } => {
            args.extend([sitter_id.arg(), client_id.arg()]);
            match waiting_at(notice) {
                Waiting::Stays if several.is_some() => WITHDRAW_ONE_FOR_CLIENT,
                Waiting::Stays => WITHDRAW_FOR_CLIENT,
                Waiting::StaysIfTime => MOVE_FOR_CLIENT,
                Waiting::StaysIfTakenBack => TELL_ANEW_FOR_CLIENT,
                Waiting::StaysUnlessSent => ADD_DETAILS_FOR_CLIENT,
                Waiting::Goes => INSERT_FOR_CLIENT,
            }
        }
    };
    args.extend(several.iter().map(Column::arg));
    tx.defer(sql, args).await?;
    let most = u64::try_from(PUSH_DELIVERIES).unwrap_or_default();
    tx.defer(DELETE_SURPLUS_DELIVERIES, [id.arg(), most.arg()])
        .await
}

macro_rules! take_place {
    () => {
        "DO UPDATE SET notice_id = excluded.notice_id, \
        notice = excluded.notice, attempts = 0, due_at_ms = CASE WHEN excluded.created_at_ms < push_delivery.due_at_ms \
        AND push_delivery.due_at_ms < excluded.due_at_ms THEN push_delivery.due_at_ms ELSE excluded.due_at_ms END, \
        expires_at_ms = excluded.expires_at_ms, created_at_ms = excluded.created_at_ms, last_error = NULL"
    };
}

/// Queues for those of the audience's subscriptions that the condition names.
macro_rules! insert_for {
    ($users:expr) => {
        insert_for!($users, take_place!())
    };
    ($users:expr, $same_topic:expr) => {
        concat!(
            "INSERT INTO push_delivery (subscription_id, topic, notice_id, user_id, notice, attempts, due_at_ms, \
            leased_until_ms, expires_at_ms, created_at_ms) \
            SELECT id, $1, $2, user_id, $3, 0, $5, 0, $6, $4 FROM push_subscription WHERE user_id ",
            $users,
            " ON CONFLICT (subscription_id, topic) ",
            $same_topic
        )
    };
}

/// Leaves out each phone for which a notice of this topic waits that nobody is sending.
macro_rules! unless_several_wait {
    ($topic:literal) => {
        concat!(
            " AND NOT EXISTS (SELECT 1 FROM push_delivery AS several \
            WHERE several.subscription_id = push_subscription.id AND several.leased_until_ms <= $4 AND several.topic = ",
            $topic,
            ")"
        )
    };
}

const INSERT_FOR_USER: &str = insert_for!("= $7");
const INSERT_FOR_SITTER: &str =
    insert_for!("IN (SELECT id FROM user_account WHERE user_account.sitter_id = $7)");
// The client's own row has the last word of who is linked.
const INSERT_FOR_CLIENT: &str = insert_for!(users_of_client!());
// What still waits was not told, and is dropped by itself once it is untrue: nobody is to hear that it was taken back.
const WITHDRAW_FOR_SITTER: &str = insert_for!(
    "IN (SELECT id FROM user_account WHERE user_account.sitter_id = $7)",
    "DO NOTHING"
);
const WITHDRAW_FOR_CLIENT: &str = insert_for!(users_of_client!(), "DO NOTHING");
// What stays was never tried to be told.
const MOVE_FOR_CLIENT: &str = insert_for!(
    users_of_client!(),
    concat!(
        take_place!(),
        " WHERE 0 < push_delivery.attempts OR NOT ",
        tells_time!("push_delivery")
    )
);
const TELL_ANEW_FOR_CLIENT: &str = insert_for!(
    users_of_client!(),
    concat!(
        take_place!(),
        " WHERE 0 < push_delivery.attempts OR NOT (push_delivery.notice LIKE '%\"visit_booked\"%' OR ",
        takes_back!("push_delivery"),
        ")"
    )
);
const ADD_DETAILS_FOR_CLIENT: &str = insert_for!(
    users_of_client!(),
    take_place_of_sent_details!(
        "push_delivery",
        "excluded.created_at_ms < push_delivery.leased_until_ms"
    )
);
// While what told of several visits waits, that says what is left of them.
const WITHDRAW_ONE_FOR_SITTER: &str = insert_for!(
    concat!(
        "IN (SELECT id FROM user_account WHERE user_account.sitter_id = $7)",
        unless_several_wait!("$8")
    ),
    "DO NOTHING"
);
const WITHDRAW_ONE_FOR_CLIENT: &str = insert_for!(
    concat!(users_of_client!(), unless_several_wait!("$9")),
    "DO NOTHING"
);
// The oldest of the subscriptions that have just got one.
const DELETE_SURPLUS_DELIVERIES: &str = "DELETE FROM push_delivery WHERE subscription_id IN \
    (SELECT subscription_id FROM push_delivery WHERE notice_id = $1) AND $2 <= (SELECT COUNT(*) FROM push_delivery newer \
    WHERE newer.subscription_id = push_delivery.subscription_id AND \
    (newer.created_at_ms, newer.notice_id) > (push_delivery.created_at_ms, push_delivery.notice_id))";

/// A message that this process is sending.
#[derive(Clone, Debug)]
pub struct PushDelivery {
    /// The id of the subscription that it goes to.
    pub subscription_id: Id,
    /// The topic: a newer notice of the same topic replaces one that still waits.
    pub topic: String,
    /// The notice's id: a sender removes only the notice that it sent, not one that replaced it meanwhile.
    pub notice_id: Id,
    /// The event to notify about.
    pub notice: Notice,
    /// How often it was tried, this time included.
    pub attempts: u32,
    /// The time from which it is worthless and no longer sent.
    pub expires_at: Instant,
    /// Why it was not delivered the last time.
    pub last_error: Option<String>,
}

fn read_delivery(row: &dyn DbRow) -> sqlx::Result<PushDelivery> {
    Ok(PushDelivery {
        subscription_id: Column::get(row, "subscription_id")?,
        topic: Column::get(row, "topic")?,
        notice_id: Column::get(row, "notice_id")?,
        notice: Column::get(row, "notice")?,
        attempts: Column::get(row, "attempts")?,
        expires_at: Column::get(row, "expires_at_ms")?,
        last_error: Column::get(row, "last_error")?,
    })
}

/// Lists the bookings that wait to be told to a subscription, and that nobody has tried to tell it.
pub async fn bookings_to_push(tx: &mut Tx, subscription_id: Id) -> sqlx::Result<Vec<Notice>> {
    let read = |row: &dyn DbRow| Column::get(row, "notice");
    tx.fetch_all(SELECT_BOOKINGS, [subscription_id.arg()], read)
        .await
}

const SELECT_BOOKINGS: &str = "SELECT notice FROM push_delivery \
    WHERE subscription_id = $1 AND attempts = 0 AND notice LIKE '%\"visit_booked\"%'";

/// Returns true if a message is due that nobody is sending.
pub async fn has_due_push(tx: &mut Tx, now: Instant) -> sqlx::Result<bool> {
    let found = tx.fetch_optional(FIND_DUE, [now.arg()], |_| Ok(())).await?;
    Ok(found.is_some())
}

const FIND_DUE: &str =
    "SELECT 1 AS due FROM push_delivery WHERE due_at_ms <= $1 AND leased_until_ms <= $1 LIMIT 1";

/// Takes so many of what is due; nobody else gets them before `lease_until`. Of each user one at a time, so that whose
/// push service hangs keeps nobody else waiting.
pub async fn lease_push_deliveries(
    tx: &mut Tx,
    now: Instant,
    lease_until: Instant,
    most: usize,
) -> sqlx::Result<Vec<PushDelivery>> {
    let most = u64::try_from(most).unwrap_or_default();
    let args = [now.arg(), lease_until.arg(), most.arg()];
    tx.fetch_all(LEASE_DELIVERIES, args, read_delivery).await
}

// The last condition makes a process that waited for another's lease come away empty-handed.
const LEASE_DELIVERIES: &str = "UPDATE push_delivery SET attempts = attempts + 1, leased_until_ms = $2 \
    WHERE (subscription_id, topic) IN (SELECT it.subscription_id, it.topic FROM push_delivery it \
    WHERE it.due_at_ms <= $1 AND it.leased_until_ms <= $1 \
    AND NOT EXISTS (SELECT 1 FROM push_delivery sent WHERE sent.user_id = it.user_id AND sent.leased_until_ms > 0 \
    AND sent.leased_until_ms > $1) \
    AND NOT EXISTS (SELECT 1 FROM push_delivery earlier WHERE earlier.user_id = it.user_id \
    AND (earlier.due_at_ms, earlier.subscription_id, earlier.topic) < (it.due_at_ms, it.subscription_id, it.topic)) \
    ORDER BY it.due_at_ms LIMIT $3) AND leased_until_ms <= $1 \
    RETURNING subscription_id, topic, notice_id, notice, attempts, expires_at_ms, last_error";

/// Everything that is needed to send a message to one subscription.
#[derive(Clone, Debug)]
pub struct PushTarget {
    /// The subscription to send to.
    pub subscription: PushSubscription,
    /// The keys that it subscribed with.
    pub key: PushKeyPair,
    /// The business of the person, who is a pet parent to any other one.
    pub own_business: Option<Id>,
    /// The person's notification preferences.
    pub preferences: PushPreferences,
}

/// Finds the target of a message; `None` if the subscription is gone.
pub async fn push_target(tx: &mut Tx, subscription_id: Id) -> sqlx::Result<Option<PushTarget>> {
    let read = |row: &dyn DbRow| {
        let preferences: Option<PushPreferences> = Column::read(row, "preferences")?;
        Ok(PushTarget {
            subscription: read_subscription(row)?,
            key: read_key(row)?,
            own_business: Column::get(row, "sitter_id")?,
            preferences: preferences.unwrap_or_default(),
        })
    };
    tx.fetch_optional(SELECT_TARGET, [subscription_id.arg()], read)
        .await
}

const SELECT_TARGET: &str = "SELECT push_subscription.id, push_subscription.user_id, session_hash, endpoint, p256dh, \
    auth, push_subscription.public_key, private_key, sitter_id, preferences FROM push_subscription \
    JOIN push_key ON push_key.public_key = push_subscription.public_key \
    JOIN user_account ON user_account.id = push_subscription.user_id \
    LEFT JOIN push_preference ON push_preference.user_id = push_subscription.user_id \
    WHERE push_subscription.id = $1";

/// Lists a client's unanswered requests from a day on, the next one first.
pub async fn waiting_requests(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    from: Date,
) -> sqlx::Result<Vec<Versioned<WalkRequest>>> {
    let args = [client_id.arg(), from.arg()];
    super::select(tx, sitter_id, WAITING_REQUESTS, &args).await
}

const WAITING_REQUESTS: &str = "AND client_id = $2 AND status = 'pending' AND requested_date >= $3 \
    ORDER BY requested_date, requested_start_time, id";

/// A message needs no more work. What has come in its place meanwhile stays, and may be sent at once.
pub async fn finish_push(tx: &mut Tx, delivery: &PushDelivery) -> sqlx::Result<()> {
    let mut args = vec![delivery.subscription_id.arg(), delivery.topic.clone().arg()];
    tx.defer(RELEASE_DELIVERY, args.clone()).await?;
    args.push(delivery.notice_id.arg());
    tx.defer(DELETE_DELIVERY, args).await
}

const RELEASE_DELIVERY: &str =
    "UPDATE push_delivery SET leased_until_ms = 0 WHERE subscription_id = $1 AND topic = $2";
const DELETE_DELIVERY: &str = "DELETE FROM push_delivery \
    WHERE subscription_id = $1 AND topic = $2 AND notice_id = $3";

/// The push service has taken a message.
pub async fn note_push_success(tx: &mut Tx, id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(UPDATE_SUCCESS, [id.arg(), now.arg()]).await
}

const UPDATE_SUCCESS: &str = "UPDATE push_subscription SET last_success_at_ms = $2 WHERE id = $1";

/// A message is to be sent at `due_at`. What has come in its place meanwhile may be sent at once.
pub async fn postpone_push(
    tx: &mut Tx,
    delivery: &PushDelivery,
    due_at: Instant,
) -> sqlx::Result<()> {
    let mut args = vec![delivery.subscription_id.arg(), delivery.topic.clone().arg()];
    tx.defer(RELEASE_DELIVERY, args.clone()).await?;
    args.extend([
        delivery.notice_id.arg(),
        due_at.arg(),
        delivery.attempts.arg(),
        delivery.last_error.arg(),
    ]);
    tx.defer(POSTPONE_DELIVERY, args).await
}

const POSTPONE_DELIVERY: &str = "UPDATE push_delivery SET due_at_ms = $4, attempts = $5, last_error = $6 \
    WHERE subscription_id = $1 AND topic = $2 AND notice_id = $3";

/// A message that could not be delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushFailure {
    /// The failure's id.
    pub id: Id,
    /// The account that it was for.
    pub user_id: Id,
    /// Host of the push service.
    pub host: String,
    /// The kind of notification.
    pub kind: PushKind,
    /// Text of the last error.
    pub error: String,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was given up.
    pub failed_at: Instant,
}

/// Notes what could not be delivered, for the operator.
pub async fn insert_push_failure(tx: &mut Tx, failure: &PushFailure) -> sqlx::Result<()> {
    let args = [
        failure.id.arg(),
        failure.user_id.arg(),
        failure.host.clone().arg(),
        failure.kind.arg(),
        failure.error.clone().arg(),
        failure.attempts.arg(),
        failure.failed_at.arg(),
    ];
    tx.defer(INSERT_FAILURE, args).await
}

const INSERT_FAILURE: &str = "INSERT INTO push_failure (id, user_id, host, kind, error, attempts, failed_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

/// Lists the latest failed deliveries, each with the e-mail of the person it was for; the newest first.
pub async fn push_failures(tx: &mut Tx, most: u32) -> sqlx::Result<Vec<(String, PushFailure)>> {
    let read = |row: &dyn DbRow| {
        let failure = PushFailure {
            id: Column::get(row, "id")?,
            user_id: Column::get(row, "user_id")?,
            host: Column::get(row, "host")?,
            kind: Column::get(row, "kind")?,
            error: Column::get(row, "error")?,
            attempts: Column::get(row, "attempts")?,
            failed_at: Column::get(row, "failed_at_ms")?,
        };
        Ok((Column::get(row, "email")?, failure))
    };
    tx.fetch_all(SELECT_FAILURES, [most.arg()], read).await
}

const SELECT_FAILURES: &str = "SELECT push_failure.*, email FROM push_failure \
    JOIN user_account ON user_account.id = push_failure.user_id ORDER BY failed_at_ms DESC, push_failure.id DESC LIMIT $1";

/// How many phones are told, and how many messages wait.
pub async fn count_push(tx: &mut Tx) -> sqlx::Result<(u64, u64)> {
    let read = |row: &dyn DbRow| Ok((Column::get(row, "phones")?, Column::get(row, "waiting")?));
    tx.fetch_one(COUNT_PUSH, [], read).await
}

const COUNT_PUSH: &str = "SELECT (SELECT COUNT(*) FROM push_subscription) AS phones, \
    (SELECT COUNT(*) FROM push_delivery) AS waiting";

/// Forgets failures of before `before`, the oldest of what is too many, and keys that nobody subscribed with but for
/// the newest.
pub async fn collect_push(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD_FAILURES, [before.arg()]).await?;
    tx.defer(DELETE_UNUSED_KEYS, []).await
}

const DELETE_OLD_FAILURES: &str = "DELETE FROM push_failure WHERE failed_at_ms < $1 OR id NOT IN \
    (SELECT id FROM push_failure ORDER BY failed_at_ms DESC, id DESC LIMIT 1000)";
const DELETE_UNUSED_KEYS: &str = "DELETE FROM push_key WHERE public_key NOT IN (SELECT public_key FROM push_subscription) \
    AND EXISTS (SELECT 1 FROM push_key newer WHERE newer.created_at_ms > push_key.created_at_ms)";
