//! Owns what is asked of conversations and messages beyond single rows: lists, pages, a search, and what is unread.

use sqlx::AssertSqlSafe;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::message::{Message, Side};
use walkies_core::rules::message::SEARCH_MOST;
use walkies_core::values::bounds::CLIENTS;
use walkies_core::{Id, Instant, Versioned};

use super::FeedScope;
use super::row::{Synced as _, read_stored, select};
use crate::base::page::Page;
use crate::db::engine::{Arg, Column, Tx};

/// Conversations, what happened last first: those of a business, or the one of a client.
pub async fn conversations(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
) -> sqlx::Result<Vec<Versioned<Conversation>>> {
    const ORDER: &str =
        "ORDER BY coalesce(last_message_created_at_ms, created_at_ms) DESC, id DESC LIMIT 10000";
    const _: () = assert!(CLIENTS == 10_000, "a list has room for each client's");
    match scope {
        FeedScope::Sitter => select(tx, sitter_id, ORDER, &[]).await,
        FeedScope::Client(id) => select(tx, sitter_id, "AND id = $2", &[id.arg()]).await,
    }
}

/// The messages of a conversation from `number` down, the newest first.
pub async fn messages_up_to(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    number: u32,
    most: u32,
) -> sqlx::Result<Vec<Versioned<Message>>> {
    let lowest = number.saturating_sub(most);
    let condition = "AND client_id = $2 AND number <= $3 AND number > $4 ORDER BY number DESC";
    let args = [client_id.arg(), number.arg(), lowest.arg()];
    select(tx, sitter_id, condition, &args).await
}

/// A page of search results: conversations whose client is called like that or in which it was said, what happened last
/// first, and the newest message in each that says it.
#[derive(Debug, Default)]
pub struct FoundConversations {
    /// The conversations of this page.
    pub conversations: Vec<Versioned<Conversation>>,
    /// The messages, in any order.
    pub messages: Vec<Versioned<Message>>,
    /// The number of conversations on all pages together.
    pub total: u64,
}

/// SQL condition that a column contains the searched text, in one of three spellings: databases fold the case of
/// English letters alone.
macro_rules! says {
    ($column:literal) => {
        concat!(
            "(lower(",
            $column,
            ") LIKE $2 ESCAPE '!' OR lower(",
            $column,
            ") LIKE $3 ESCAPE '!' OR lower(",
            $column,
            ") LIKE $4 ESCAPE '!')"
        )
    };
}

macro_rules! said_in {
    ($columns:literal) => {
        concat!(
            "(SELECT ",
            $columns,
            " FROM message AS said WHERE said.sitter_id = $1 AND said.message_type <> 'system' AND ",
            says!("said.content"),
        )
    };
}

/// Searches the conversations of a business, `SEARCH_MOST` at once without a limit, or the one of a client, which is no page.
pub async fn search_conversations(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
    text: &str,
    page: Page,
) -> sqlx::Result<FoundConversations> {
    let mut args = patterns(text);
    if let FeedScope::Client(client_id) = scope {
        args.push(client_id.arg());
        let conversations = select(tx, sitter_id, CONVERSATION_OF_CLIENT_FOUND, &args).await?;
        return Ok(FoundConversations {
            total: conversations.len() as u64,
            conversations,
            messages: select(tx, sitter_id, MESSAGE_OF_CLIENT_FOUND, &args).await?,
        });
    }
    let limit = page.limit_or(SEARCH_MOST as u64);
    let paged = [args.clone(), vec![limit.arg(), page.offset().arg()]].concat();
    let conversations: Vec<Versioned<Conversation>> =
        select(tx, sitter_id, CONVERSATIONS_FOUND, &paged).await?;
    let n = conversations.len() as u64;
    let is_last = n < limit && (0 < n || page.offset() == 0);
    let all_args = || std::iter::once(sitter_id.arg()).chain(args.clone());
    let total = if is_last {
        page.offset() + n
    } else {
        let args = all_args();
        tx.fetch_one(COUNT_CONVERSATIONS_FOUND, args, |row| Column::get(row, "n"))
            .await?
    };
    let mut messages = Vec::new();
    if !conversations.is_empty() {
        let sql = messages_found(conversations.len());
        let args = all_args().chain(conversations.iter().map(|it| it.row.id.arg()));
        messages = tx.fetch_all(AssertSqlSafe(sql), args, read_stored).await?;
    }
    Ok(FoundConversations {
        conversations,
        messages,
        total,
    })
}

macro_rules! where_found {
    () => {
        concat!(
            "AND (",
            says!("client_name"),
            " OR id IN ",
            said_in!("said.client_id"),
            "))"
        )
    };
}

const CONVERSATIONS_FOUND: &str = concat!(
    where_found!(),
    " ORDER BY coalesce(last_message_created_at_ms, created_at_ms) DESC, id DESC LIMIT $5 OFFSET $6"
);
const COUNT_CONVERSATIONS_FOUND: &str = concat!(
    "SELECT count(*) AS n FROM conversation WHERE sitter_id = $1 ",
    where_found!()
);
const NEWEST_FOUND: &str = concat!(
    "AND (client_id, number) IN ",
    said_in!("said.client_id, max(said.number)"),
    " AND said.client_id IN ("
);

/// The statement for the newest message with the text in each of so many conversations, whose ids are the last arguments.
fn messages_found(n_conversations: usize) -> String {
    let ids: Vec<String> = (5..)
        .take(n_conversations)
        .map(|it| format!("${it}"))
        .collect();
    [
        Message::select_sql(),
        NEWEST_FOUND,
        &ids.join(", "),
        ") GROUP BY said.client_id)",
    ]
    .concat()
}

const CONVERSATION_OF_CLIENT_FOUND: &str = concat!(
    "AND id = $5 AND id IN ",
    said_in!("said.client_id"),
    " AND said.client_id = $5)"
);
const MESSAGE_OF_CLIENT_FOUND: &str = concat!(
    "AND client_id = $5 AND number = ",
    said_in!("max(said.number)"),
    " AND said.client_id = $5)"
);

/// As it was typed, in small and in capital letters, for columns whose English letters are small.
fn patterns(text: &str) -> Vec<Arg> {
    let escaped: String = text
        .chars()
        .flat_map(|it| {
            let escape = matches!(it, '!' | '%' | '_').then_some('!');
            escape.into_iter().chain([it])
        })
        .collect();
    let ways = [
        escaped.clone(),
        escaped.to_lowercase(),
        escaped.to_uppercase(),
    ];
    ways.map(|it| format!("%{}%", it.to_ascii_lowercase()).arg())
        .into()
}

/// How many messages of the other side were not read: of all conversations of a business, or of that of a client.
pub async fn unread_count(tx: &mut Tx, sitter_id: Id, scope: FeedScope) -> sqlx::Result<u64> {
    let mut args = vec![sitter_id.arg()];
    let sql = match scope {
        FeedScope::Sitter => UNREAD_BY_SITTER,
        FeedScope::Client(client_id) => {
            args.push(client_id.arg());
            UNREAD_BY_CLIENT
        }
    };
    tx.fetch_one(sql, args, |row| Column::get(row, "n")).await
}

const UNREAD_BY_SITTER: &str = "SELECT CAST(coalesce(sum(client_count - sitter_read), 0) AS BIGINT) AS n \
    FROM conversation WHERE sitter_id = $1";
const UNREAD_BY_CLIENT: &str = "SELECT CAST(coalesce(sum(sitter_count - client_read), 0) AS BIGINT) AS n \
    FROM conversation WHERE sitter_id = $1 AND id = $2";

/// True where a side has written a message after its first `n_read` that was not deleted.
pub async fn has_unread_message(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    sender: Side,
    n_read: u32,
) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), client_id.arg(), sender.arg(), n_read.arg()];
    let found = tx.fetch_optional(FIND_UNREAD, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

// From the newest down by the index of numbers: what was deleted before is rarely the whole of what is unread.
const FIND_UNREAD: &str = "SELECT 1 AS unread FROM message WHERE sitter_id = $1 AND client_id = $2 \
    AND sender_type = $3 AND sender_number > $4 AND message_type <> 'system' ORDER BY number DESC LIMIT 1";

/// Conversations whose client is not there any more, of those that were not deleted since then: their businesses and ids.
pub async fn conversations_without_client(
    tx: &mut Tx,
    before: Instant,
) -> sqlx::Result<Vec<(Id, Id)>> {
    tx.fetch_all(SELECT_WITHOUT_CLIENT, [before.arg()], |row| {
        Ok((Column::get(row, "sitter_id")?, Column::get(row, "id")?))
    })
    .await
}

const SELECT_WITHOUT_CLIENT: &str = "SELECT sitter_id, id FROM conversation WHERE NOT EXISTS (SELECT 1 FROM client \
    WHERE client.sitter_id = conversation.sitter_id AND client.id = conversation.id) \
    AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.sitter_id = conversation.sitter_id \
    AND tombstone.table_name = 'client' AND tombstone.id = conversation.id AND tombstone.deleted_at_ms >= $1) LIMIT 1000";

/// Ids of so many messages of a conversation, the oldest first.
pub async fn messages_of(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    most: u32,
) -> sqlx::Result<Vec<Id>> {
    let args = [sitter_id.arg(), client_id.arg(), most.arg()];
    tx.fetch_all(SELECT_IDS, args, |row| Column::get(row, "id"))
        .await
}

const SELECT_IDS: &str =
    "SELECT id FROM message WHERE sitter_id = $1 AND client_id = $2 ORDER BY number LIMIT $3";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_for_means_itself_in_small_and_in_capital_letters() {
        let patterns = patterns("Ä_100%!");
        let expected = ["%Ä!_100!%!!%", "%ä!_100!%!!%", "%Ä!_100!%!!%"];
        assert_eq!(patterns, expected.map(|it| it.to_owned().arg()));
    }
}
