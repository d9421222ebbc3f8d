//! Owns who may sign in: accounts, sessions, forgotten passwords, and which client records a client user may see.

use std::collections::HashMap;

use walkies_core::api::Role;
use walkies_core::rows::client::Client;
use walkies_core::values::bounds::TICKETS;
use walkies_core::{Id, Instant};

use crate::base::env::sha256;
use crate::db::engine::{Column, DbRow, Tx};

/// Someone who may sign in.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// The user's id.
    pub id: Id,
    /// The e-mail address in lower case.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// The role in which the account is used: as read from the database the one in which calls are made that name none.
    pub role: Role,
    /// All roles of the person, that one first.
    pub roles: Vec<Role>,
    /// The business of a sitter; `in_role` leaves it out for a pet parent.
    pub sitter_id: Option<Id>,
    /// The password's hash as a PHC string.
    pub password_hash: String,
    /// When it was made.
    pub created_at: Instant,
}

impl Account {
    fn read(row: &dyn DbRow) -> sqlx::Result<Self> {
        let role = Role::named(&String::get(row, "role")?);
        let sitter_id: Option<Id> = Column::get(row, "sitter_id")?;
        let is_parent: bool = Column::get(row, "is_parent")?;
        let has_other = match role.other() {
            Role::Sitter => sitter_id.is_some(),
            Role::Client => is_parent,
        };
        let other = has_other.then_some(role.other());
        Ok(Self {
            id: Column::get(row, "id")?,
            email: Column::get(row, "email")?,
            name: Column::get(row, "name")?,
            role,
            roles: std::iter::once(role).chain(other).collect(),
            sitter_id,
            password_hash: Column::get(row, "password_hash")?,
            created_at: Column::get(row, "created_at_ms")?,
        })
    }

    /// Returns the account as a call in this role sees it; `None` where the person does not have the role.
    pub fn in_role(self, role: Role) -> Option<Self> {
        self.roles.contains(&role).then(|| Self {
            role,
            sitter_id: self.sitter_id.filter(|_| role == Role::Sitter),
            ..self
        })
    }
}

/// Makes a pet parent a sitter, too, whose business is there already.
pub async fn add_business(tx: &mut Tx, user_id: Id, sitter_id: Id) -> sqlx::Result<()> {
    tx.defer(ADD_BUSINESS, [user_id.arg(), sitter_id.arg()])
        .await
}

const ADD_BUSINESS: &str = "UPDATE user_account SET sitter_id = $2 WHERE id = $1";

/// Makes a sitter a pet parent, too.
pub async fn add_parent(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    tx.defer(ADD_PARENT, [user_id.arg()]).await
}

const ADD_PARENT: &str = "UPDATE user_account SET is_parent = TRUE WHERE id = $1";

/// Takes the role of a sitter from somebody who is a pet parent, too.
pub async fn remove_business(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    tx.defer(REMOVE_BUSINESS, [user_id.arg()]).await
}

const REMOVE_BUSINESS: &str =
    "UPDATE user_account SET sitter_id = NULL, role = 'client' WHERE id = $1";

/// Takes the role of a pet parent from a sitter, with what belongs to it alone.
pub async fn remove_parent(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    for sql in REMOVE_PARENT {
        tx.defer(*sql, vec![user_id.arg()]).await?;
    }
    Ok(())
}

const REMOVE_PARENT: &[&str] = &[
    "UPDATE user_account SET is_parent = FALSE, role = 'sitter' WHERE id = $1",
    "DELETE FROM client_user_link WHERE user_id = $1",
    "DELETE FROM parent_calendar WHERE user_id = $1",
];

/// Makes an account; `false` when the e-mail has one.
pub async fn insert_account(tx: &mut Tx, account: &Account) -> sqlx::Result<bool> {
    let args = [
        account.id.arg(),
        account.email.arg(),
        account.name.arg(),
        account.role.name().to_owned().arg(),
        account.sitter_id.arg(),
        account.password_hash.arg(),
        account.created_at.arg(),
        (account.role == Role::Client).arg(),
    ];
    Ok(tx.execute(INSERT_ACCOUNT, args).await? == 1)
}

const INSERT_ACCOUNT: &str = "INSERT INTO user_account \
    (id, email, name, role, sitter_id, password_hash, created_at_ms, is_parent) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email) DO NOTHING";

/// The account of an e-mail in lower case.
pub async fn account_by_email(tx: &mut Tx, email: &str) -> sqlx::Result<Option<Account>> {
    let args = [email.to_owned().arg()];
    tx.fetch_optional(SELECT_ACCOUNT_BY_EMAIL, args, Account::read)
        .await
}

const SELECT_ACCOUNT_BY_EMAIL: &str = "SELECT * FROM user_account WHERE email = $1";

/// The account of an id.
pub async fn account_by_id(tx: &mut Tx, id: Id) -> sqlx::Result<Option<Account>> {
    let args = [id.arg()];
    tx.fetch_optional(SELECT_ACCOUNT_BY_ID, args, Account::read)
        .await
}

const SELECT_ACCOUNT_BY_ID: &str = "SELECT * FROM user_account WHERE id = $1";

/// The accounts of all client users of a business's clients, by their ids.
pub async fn client_accounts(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<HashMap<Id, Account>> {
    let args = [sitter_id.arg()];
    let accounts = tx.fetch_all(SELECT_CLIENT_ACCOUNTS, args, Account::read);
    Ok(accounts.await?.into_iter().map(|it| (it.id, it)).collect())
}

const SELECT_CLIENT_ACCOUNTS: &str = "SELECT * FROM user_account WHERE id IN \
    (SELECT client_user_id FROM client WHERE client.sitter_id = $1)";

/// Sets a new password and ends all sessions and open resets of the user, but for the session that asks for it.
pub async fn set_password(
    tx: &mut Tx,
    user_id: Id,
    password_hash: &str,
    keep: Option<&str>,
) -> sqlx::Result<()> {
    let args = [user_id.arg(), password_hash.to_owned().arg()];
    tx.defer(UPDATE_PASSWORD, args).await?;
    delete_sessions(tx, user_id, keep).await?;
    let args = [user_id.arg()];
    tx.defer(DELETE_CHALLENGES, args).await?;
    let args = [user_id.arg()];
    tx.defer(DELETE_RESETS, args).await
}

const UPDATE_PASSWORD: &str = "UPDATE user_account SET password_hash = $2 WHERE id = $1";
const DELETE_CHALLENGES: &str = "DELETE FROM sign_in_challenge WHERE user_id = $1";
const DELETE_RESETS: &str = "DELETE FROM password_reset WHERE user_id = $1";

/// Returns true if the account still has the password that it was read with: checking one takes a while, and a new one
/// may have come since. The password cannot change any more before the transaction ends.
pub async fn has_password(tx: &mut Tx, account: &Account) -> sqlx::Result<bool> {
    rehash_password(tx, account, &account.password_hash).await
}

/// Replaces a hash that was made with weaker parameters; the password is the same, so the sessions stay. Nothing happens
/// where the password is another one by now.
pub async fn rehash_password(tx: &mut Tx, account: &Account, fresh: &str) -> sqlx::Result<bool> {
    let args = [
        account.id.arg(),
        account.password_hash.clone().arg(),
        fresh.to_owned().arg(),
    ];
    Ok(tx.execute(UPDATE_HASH, args).await? == 1)
}

const UPDATE_HASH: &str =
    "UPDATE user_account SET password_hash = $3 WHERE id = $1 AND password_hash = $2";

/// Deletes an account that owns no business, with its sessions and links.
pub async fn delete_account(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    let args = [user_id.arg()];
    tx.defer(DELETE_ACCOUNT, args).await
}

const DELETE_ACCOUNT: &str = "DELETE FROM user_account WHERE id = $1";

/// A sign-in on one device.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The account that is signed in.
    pub account: Account,
    /// When the person signed in.
    pub created_at: Instant,
    /// When it was last used, to the hour.
    pub last_used_at: Instant,
}

/// Starts a session.
pub async fn insert_session(
    tx: &mut Tx,
    token_hash: &str,
    user_id: Id,
    device_name: &str,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [
        token_hash.to_owned().arg(),
        user_id.arg(),
        device_name.to_owned().arg(),
        now.arg(),
        now.arg(),
    ];
    tx.defer(INSERT_SESSION, args).await
}

const INSERT_SESSION: &str = "INSERT INTO session (token_hash, user_id, device_name, created_at_ms, last_used_at_ms) \
    VALUES ($1, $2, $3, $4, $5)";

/// The session of a token's hash, whether or not it has expired.
pub async fn find_session(tx: &mut Tx, token_hash: &str) -> sqlx::Result<Option<Session>> {
    let args = [token_hash.to_owned().arg()];
    tx.fetch_optional(SELECT_SESSION, args, read_session).await
}

fn read_session(row: &dyn DbRow) -> sqlx::Result<Session> {
    Ok(Session {
        account: Account::read(row)?,
        created_at: Column::get(row, "session_created_at_ms")?,
        last_used_at: Column::get(row, "last_used_at_ms")?,
    })
}

const SELECT_SESSION: &str = "SELECT user_account.*, session.created_at_ms AS session_created_at_ms, \
    session.last_used_at_ms FROM session JOIN user_account ON user_account.id = session.user_id \
    WHERE session.token_hash = $1";

/// The session was used.
pub async fn touch_session(tx: &mut Tx, token_hash: &str, now: Instant) -> sqlx::Result<()> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    tx.defer(TOUCH_SESSION, args).await
}

const TOUCH_SESSION: &str = "UPDATE session SET last_used_at_ms = $2 WHERE token_hash = $1";

/// Ends a session.
pub async fn delete_session(tx: &mut Tx, token_hash: &str) -> sqlx::Result<()> {
    let args = [token_hash.to_owned().arg()];
    tx.defer(DELETE_SESSION, args).await
}

const DELETE_SESSION: &str = "DELETE FROM session WHERE token_hash = $1";

/// Ends all sessions of a user but for one.
pub async fn delete_sessions(tx: &mut Tx, user_id: Id, keep: Option<&str>) -> sqlx::Result<()> {
    let args = [user_id.arg(), keep.unwrap_or_default().to_owned().arg()];
    tx.defer(DELETE_SESSIONS, args).await
}

const DELETE_SESSIONS: &str = "DELETE FROM session WHERE user_id = $1 AND token_hash <> $2";

/// A session as its owner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnSession {
    /// Hash of the session's token, by which its row is found.
    pub token_hash: String,
    /// The browser's `User-Agent`, from which the name of the device is derived.
    pub device_name: String,
    /// When the person signed in.
    pub created_at: Instant,
    /// When it was last used, to the hour.
    pub last_used_at: Instant,
}

impl OwnSession {
    /// Returns the id by which the API names the session: nobody can derive the token from the token's hash, or that
    /// hash from this id.
    pub fn id(&self) -> Id {
        let hash = sha256(self.token_hash.as_bytes());
        let number = hash
            .get(..32)
            .and_then(|it| u128::from_str_radix(it, 16).ok());
        Id::of(number.unwrap_or_default())
    }
}

/// The sessions of a user, the one used last first.
pub async fn sessions_of(tx: &mut Tx, user_id: Id) -> sqlx::Result<Vec<OwnSession>> {
    let args = [user_id.arg(), MAX_SESSIONS.arg()];
    tx.fetch_all(SELECT_SESSIONS, args, read_own_session).await
}

fn read_own_session(row: &dyn DbRow) -> sqlx::Result<OwnSession> {
    Ok(OwnSession {
        token_hash: Column::get(row, "token_hash")?,
        device_name: Column::get(row, "device_name")?,
        created_at: Column::get(row, "created_at_ms")?,
        last_used_at: Column::get(row, "last_used_at_ms")?,
    })
}

const SELECT_SESSIONS: &str = "SELECT token_hash, device_name, created_at_ms, last_used_at_ms FROM session \
    WHERE user_id = $1 ORDER BY last_used_at_ms DESC, created_at_ms DESC, token_hash LIMIT $2";

/// More devices than this nobody is signed in on; the one that was away for the longest time is signed out first.
const MAX_SESSIONS: i64 = 100;

/// Makes room for a new session.
pub async fn delete_surplus_sessions(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    let args = [user_id.arg(), (MAX_SESSIONS - 1).arg()];
    tx.defer(DELETE_SURPLUS, args).await
}

const DELETE_SURPLUS: &str = "DELETE FROM session WHERE user_id = $1 AND token_hash NOT IN (SELECT token_hash \
    FROM session WHERE user_id = $1 ORDER BY last_used_at_ms DESC, created_at_ms DESC, token_hash LIMIT $2)";

/// Removes sessions last used before `idle_since` or begun before `begun_before`, and what else expired.
pub async fn collect_sessions(
    tx: &mut Tx,
    idle_since: Instant,
    begun_before: Instant,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [idle_since.arg(), begun_before.arg()];
    tx.defer(DELETE_OLD_SESSIONS, args).await?;
    let args = [now.arg()];
    tx.defer(DELETE_OLD_RESETS, args.clone()).await?;
    tx.defer(DELETE_OLD_TICKETS, args).await
}

const DELETE_OLD_SESSIONS: &str =
    "DELETE FROM session WHERE last_used_at_ms < $1 OR created_at_ms < $2";
const DELETE_OLD_TICKETS: &str = "DELETE FROM realtime_ticket WHERE expires_at_ms < $1";
const DELETE_OLD_RESETS: &str = "DELETE FROM password_reset WHERE expires_at_ms < $1";

/// Notes that whoever brings this token may set a new password.
pub async fn insert_reset(
    tx: &mut Tx,
    token_hash: &str,
    user_id: Id,
    expires_at: Instant,
) -> sqlx::Result<()> {
    let args = [token_hash.to_owned().arg(), user_id.arg(), expires_at.arg()];
    tx.defer(INSERT_RESET, args).await
}

const INSERT_RESET: &str =
    "INSERT INTO password_reset (token_hash, user_id, expires_at_ms) VALUES ($1, $2, $3)";

/// Uses up a reset: whose it was, when it was still good. Of two that race, one gets it.
pub async fn take_reset(tx: &mut Tx, token_hash: &str, now: Instant) -> sqlx::Result<Option<Id>> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    tx.fetch_optional(TAKE_RESET, args, |row| Column::get(row, "user_id"))
        .await
}

const TAKE_RESET: &str =
    "DELETE FROM password_reset WHERE token_hash = $1 AND expires_at_ms >= $2 RETURNING user_id";

/// Notes a ticket for one WebSocket of a session in this role; of its others the oldest are forgotten where there are too
/// many.
pub async fn insert_ticket(
    tx: &mut Tx,
    ticket_hash: &str,
    (session_hash, role): (&str, Role),
    expires_at: Instant,
) -> sqlx::Result<()> {
    let others = u64::try_from(TICKETS - 1).unwrap_or_default();
    let args = vec![session_hash.to_owned().arg(), others.arg()];
    tx.defer(DELETE_SURPLUS_TICKETS, args).await?;
    let args = vec![
        ticket_hash.to_owned().arg(),
        session_hash.to_owned().arg(),
        expires_at.arg(),
        role.name().to_owned().arg(),
    ];
    tx.defer(INSERT_TICKET, args).await
}

const DELETE_SURPLUS_TICKETS: &str = "DELETE FROM realtime_ticket WHERE session_hash = $1 AND token_hash NOT IN \
    (SELECT token_hash FROM realtime_ticket WHERE session_hash = $1 ORDER BY expires_at_ms DESC, token_hash LIMIT $2)";
const INSERT_TICKET: &str = "INSERT INTO realtime_ticket (token_hash, session_hash, expires_at_ms, role) VALUES ($1, $2, $3, $4)";

/// Returns true if the ticket exists and has not expired. The ticket is not used up.
pub async fn has_ticket(tx: &mut Tx, ticket_hash: &str, now: Instant) -> sqlx::Result<bool> {
    let args = [ticket_hash.to_owned().arg(), now.arg()];
    let found = tx.fetch_optional(FIND_TICKET, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const FIND_TICKET: &str =
    "SELECT session_hash FROM realtime_ticket WHERE token_hash = $1 AND expires_at_ms >= $2";

/// Uses up a ticket: the hash of the session that it was given to, with the role, when it was still good.
pub async fn take_ticket(
    tx: &mut Tx,
    ticket_hash: &str,
    now: Instant,
) -> sqlx::Result<Option<(String, Role)>> {
    let args = [ticket_hash.to_owned().arg(), now.arg()];
    tx.fetch_optional(TAKE_TICKET, args, |row| {
        let role = Role::named(&String::get(row, "role")?);
        Ok((Column::get(row, "session_hash")?, role))
    })
    .await
}

const TAKE_TICKET: &str = "DELETE FROM realtime_ticket WHERE token_hash = $1 AND expires_at_ms >= $2 \
    RETURNING session_hash, role";

/// Lets a client user see a client record, whose row has to name the user too. `history` is a fresh id.
pub async fn link_client_user(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    user_id: Id,
    history: Id,
) -> sqlx::Result<()> {
    let args = [
        sitter_id.arg(),
        client_id.arg(),
        user_id.arg(),
        history.arg(),
    ];
    tx.defer(INSERT_LINK, args).await
}

const INSERT_LINK: &str = "INSERT INTO client_user_link (sitter_id, client_id, user_id, history) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (sitter_id, client_id, user_id) DO UPDATE SET history = excluded.history";

/// Returns true if a client user was linked with a client record and still has an account, whatever the record says.
pub async fn is_linked(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    user_id: Id,
) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), client_id.arg(), user_id.arg()];
    let found = tx.fetch_optional(SELECT_LINKED, args, |_| Ok(()));
    Ok(found.await?.is_some())
}

const SELECT_LINKED: &str =
    "SELECT 1 FROM client_user_link WHERE sitter_id = $1 AND client_id = $2 AND user_id = $3";

/// The history of a pet parent's phones is not that of this database: they are told of another one, unless they have been
/// since the caller learnt of `link`.
pub async fn replace_link_history(
    tx: &mut Tx,
    user_id: Id,
    link: ClientLink,
    fresh: Id,
) -> sqlx::Result<()> {
    let args = [
        link.sitter_id.arg(),
        user_id.arg(),
        link.history.arg(),
        fresh.arg(),
    ];
    tx.defer(REPLACE_LINK_HISTORY, args).await
}

const REPLACE_LINK_HISTORY: &str = "UPDATE client_user_link SET history = $4 WHERE sitter_id = $1 AND user_id = $2 AND history = $3";

/// The client record by which a client user takes part in a business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLink {
    /// The id of the business.
    pub sitter_id: Id,
    /// The id of the client record.
    pub client_id: Id,
    /// Changes each time that the user is linked, or that one of the user's phones has to start over.
    pub history: Id,
}

/// All businesses that a client user takes part in, by their ids, or this one of them.
pub async fn client_links(
    tx: &mut Tx,
    user_id: Id,
    sitter_id: Option<Id>,
) -> sqlx::Result<Vec<ClientLink>> {
    let mut args = vec![user_id.arg()];
    let sql = match sitter_id {
        Some(sitter_id) => {
            args.push(sitter_id.arg());
            SELECT_LINK
        }
        None => SELECT_LINKS,
    };
    tx.fetch_all(sql, args, |row| {
        Ok(ClientLink {
            sitter_id: Column::get(row, "sitter_id")?,
            client_id: Column::get(row, "client_id")?,
            history: Column::get(row, "history")?,
        })
    })
    .await
}

/// At most `most` client records of a business that users are linked with, and those users, by the ids of the records.
pub async fn linked_users(
    tx: &mut Tx,
    sitter_id: Id,
    most: u32,
) -> sqlx::Result<Vec<(Id, Vec<Id>)>> {
    tx.fetch_all(SELECT_LINKED_USERS, [sitter_id.arg(), most.arg()], |row| {
        let client = Client {
            client_user_id: Column::read(row, "client_user_id")?,
            parents: Column::get(row, "parents")?,
            ..Client::new(Column::get(row, "id")?, Instant(0))
        };
        Ok((client.id, client.logins().collect()))
    })
    .await
}

const SELECT_LINKED_USERS: &str = "SELECT id, client_user_id, parents FROM client \
    WHERE sitter_id = $1 AND client_user_id IS NOT NULL ORDER BY id LIMIT $2";

/// Takes the users off a client record of a business that is being deleted.
pub async fn forget_linked_users(
    tx: &mut Tx,
    (sitter_id, client_id): (Id, Id),
) -> sqlx::Result<()> {
    tx.defer(FORGET_LINKED_USERS, vec![sitter_id.arg(), client_id.arg()])
        .await
}

const FORGET_LINKED_USERS: &str =
    "UPDATE client SET client_user_id = NULL, parents = '[]' WHERE sitter_id = $1 AND id = $2";

/// The client's own row has the last word: it is what a sitter changes who lets somebody go.
macro_rules! select_links {
    ($condition:literal) => {
        concat!(
            "SELECT link.sitter_id, link.client_id, link.history FROM client_user_link AS link JOIN client ",
            "ON client.sitter_id = link.sitter_id AND client.id = link.client_id ",
            "AND ",
            linked_by_row!("link"),
            " WHERE link.user_id = $1 ",
            $condition,
            "ORDER BY link.sitter_id, link.client_id"
        )
    };
}

const SELECT_LINK: &str = select_links!("AND link.sitter_id = $2 ");
const SELECT_LINKS: &str = select_links!("");

/// Asks the database for its one row of its own.
pub async fn ping(tx: &mut Tx) -> sqlx::Result<()> {
    tx.fetch_one(SELECT_BACKEND_ID, [], |_| Ok(())).await
}

/// The id of this database, which a restore from a backup is to change; made by the first who asks.
pub async fn backend_id(tx: &mut Tx, fresh: Id) -> sqlx::Result<Id> {
    let args = [fresh.arg()];
    tx.defer(INSERT_BACKEND_ID, args).await?;
    tx.fetch_one(SELECT_BACKEND_ID, [], |row| Column::get(row, "backend_id"))
        .await
}

const INSERT_BACKEND_ID: &str =
    "INSERT INTO server_meta (id, backend_id) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
const SELECT_BACKEND_ID: &str = "SELECT backend_id FROM server_meta WHERE id = 1";

/// A new id for a database that was restored from a backup.
pub async fn set_backend_id(tx: &mut Tx, fresh: Id) -> sqlx::Result<()> {
    let args = [fresh.arg()];
    tx.defer(UPDATE_BACKEND_ID, args).await?;
    tx.defer(CLEAR_BACKEND_IDS, []).await
}

const CLEAR_BACKEND_IDS: &str = "UPDATE sitter SET backend_id = NULL WHERE backend_id IS NOT NULL";

const UPDATE_BACKEND_ID: &str = "UPDATE server_meta SET backend_id = $1 WHERE id = 1";
