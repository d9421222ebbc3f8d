//! Owns what is asked of conversations and messages beyond single rows: lists, pages, a search, and what is unread.

use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::message::{Message, Side};
use walkies_core::values::bounds::CLIENTS;
use walkies_core::{Id, Versioned};

use super::column::{Arg, Column};
use super::row::select;
use super::{FeedScope, Tx};

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

/// What a search finds: conversations whose client is called like that or in which it was said, what happened last first,
/// and the newest message in each that says it.
#[derive(Debug, Default)]
pub struct FoundConversations {
    /// The conversations.
    pub conversations: Vec<Versioned<Conversation>>,
    /// The messages, in any order.
    pub messages: Vec<Versioned<Message>>,
}

/// So many are found at most (`rules::message::SEARCH_MOST`).
macro_rules! most_found {
    () => {
        "LIMIT 100"
    };
}

/// Whether a column says what is searched for, in one of three ways to write it: databases fold the letters of English alone.
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

/// Searches the conversations of a business, or the one of a client.
pub async fn search_conversations(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
    text: &str,
) -> sqlx::Result<FoundConversations> {
    let mut args = patterns(text);
    let (conversations, messages) = match scope {
        FeedScope::Sitter => (CONVERSATIONS_FOUND, MESSAGES_FOUND),
        FeedScope::Client(client_id) => {
            args.push(client_id.arg());
            (CONVERSATION_OF_CLIENT_FOUND, MESSAGE_OF_CLIENT_FOUND)
        }
    };
    Ok(FoundConversations {
        conversations: select(tx, sitter_id, conversations, &args).await?,
        messages: select(tx, sitter_id, messages, &args).await?,
    })
}

const CONVERSATIONS_FOUND: &str = concat!(
    "AND (",
    says!("client_name"),
    " OR id IN ",
    said_in!("said.client_id"),
    ")) ORDER BY coalesce(last_message_created_at_ms, created_at_ms) DESC, id DESC ",
    most_found!()
);
const MESSAGES_FOUND: &str = concat!(
    "AND (client_id, number) IN ",
    said_in!("said.client_id, max(said.number)"),
    " GROUP BY said.client_id) ORDER BY created_at_ms DESC, id DESC ",
    most_found!()
);
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
