//! Owns conversations and messages as calls show them: the rows with who is on either side of them (SPEC 3).

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use walkies_core::rows::client::Client;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::message::{Message, MessageType, Side};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::message::read_at;
use walkies_core::{Id, Instant, Versioned};

use crate::app::session::Member;
use crate::base::page::Page;
use crate::db::{self, Account, FeedScope, Tx};

/// A conversation (SPEC 3).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConversationAnswer {
    id: Id,
    sitter_id: Id,
    client_id: Id,
    client_user_id: Option<Id>,
    unread_count_client: u32,
    unread_count_sitter: u32,
    created_at: Instant,
    updated_at: Instant,
    last_message_content: String,
    /// None before the first message.
    last_message_type: Option<MessageType>,
    last_message_sender_type: Option<Side>,
    last_message_created_at: Option<Instant>,
    sitter_name: String,
    sitter_photo: Option<Id>,
    client_user_name: Option<String>,
    client_name: String,
    /// True if the caller has archived the conversation; the other side may not have.
    archived: bool,
    /// How many messages it has.
    message_count: u32,
    rev: u64,
}

/// A message (SPEC 3).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MessageAnswer {
    id: Id,
    conversation_id: Id,
    sender_id: Id,
    sender_type: Side,
    recipient_id: Id,
    recipient_type: Side,
    content: String,
    message_type: MessageType,
    attachment_url: Option<String>,
    sender_name: String,
    sender_photo: Option<Id>,
    created_at: Instant,
    /// When it was read; of several that were read together, when the last of them was.
    read_at: Option<Instant>,
    rev: u64,
}

/// A conversation that a search has found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FoundConversation {
    #[serde(flatten)]
    conversation: ConversationAnswer,
    /// The newest message that says it; none where only the name does.
    message: Option<MessageAnswer>,
}

/// The conversations of several businesses in the order of one: what happened last first.
pub fn sort_latest_first<T>(answers: &mut [T], conversation: impl Fn(&T) -> &ConversationAnswer) {
    answers.sort_by_key(|it| {
        let conversation = conversation(it);
        Reverse((conversation.updated_at, conversation.id))
    });
}

impl FoundConversation {
    /// Returns the conversation, without the rest of what was found.
    pub const fn conversation(&self) -> &ConversationAnswer {
        &self.conversation
    }
}

/// Who is on either side of the conversations of a business.
struct People {
    member: Member,
    sitter: Option<Sitter>,
    clients: HashMap<Id, Client>,
    accounts: HashMap<Id, Account>,
}

impl People {
    /// All who talk with the member: of a pet parent's conversations there is one.
    async fn of_all(tx: &mut Tx, member: &Member) -> sqlx::Result<Self> {
        let sitter_id = member.sitter_id;
        if let FeedScope::Client(id) = member.scope() {
            return Self::of_one(tx, member, id).await;
        }
        let clients = db::select(tx, sitter_id, CLIENTS_WHO_TALK, &[]).await?;
        let accounts = db::client_accounts(tx, sitter_id).await?;
        Self::of(tx, member, clients, accounts).await
    }

    /// Those of one conversation.
    async fn of_one(tx: &mut Tx, member: &Member, id: Id) -> sqlx::Result<Self> {
        let client = db::select_one::<Client>(tx, member.sitter_id, id).await?;
        let account = match client.as_ref().and_then(|it| it.row.client_user_id) {
            Some(user_id) => db::account_by_id(tx, user_id).await?,
            None => None,
        };
        let accounts = account.into_iter().map(|it| (it.id, it)).collect();
        Self::of(tx, member, client.into_iter().collect(), accounts).await
    }

    async fn of(
        tx: &mut Tx,
        member: &Member,
        clients: Vec<Versioned<Client>>,
        accounts: HashMap<Id, Account>,
    ) -> sqlx::Result<Self> {
        let sitter = db::select_one::<Sitter>(tx, member.sitter_id, member.sitter_id).await?;
        Ok(Self {
            member: *member,
            sitter: sitter.map(|it| it.row),
            clients: clients.into_iter().map(|it| (it.row.id, it.row)).collect(),
            accounts,
        })
    }

    fn sitter_name(&self) -> String {
        let name = self.sitter.as_ref().map(Sitter::shown_name);
        name.unwrap_or_default().to_owned()
    }

    fn client_user_id(&self, client_id: Id) -> Option<Id> {
        self.clients.get(&client_id)?.client_user_id
    }

    fn conversation(&self, stored: Versioned<Conversation>) -> ConversationAnswer {
        let Versioned { rev, row } = stored;
        let client_user_id = self.client_user_id(row.id);
        let user = client_user_id.and_then(|it| self.accounts.get(&it));
        let client = self.clients.get(&row.id);
        let last_at = row.last_message_created_at;
        ConversationAnswer {
            id: row.id,
            sitter_id: self.member.sitter_id,
            client_id: row.id,
            client_user_id,
            unread_count_client: row.unread_by(Side::Client),
            unread_count_sitter: row.unread_by(Side::Sitter),
            created_at: row.created_at,
            updated_at: row.updated_at(),
            last_message_type: last_at.map(|_| row.last_message_type),
            last_message_sender_type: last_at.map(|_| row.last_message_sender_type),
            last_message_created_at: last_at,
            sitter_name: self.sitter_name(),
            sitter_photo: self.sitter.as_ref().and_then(|it| it.photo),
            client_user_name: user.map(|it| it.name.clone()),
            client_name: client.map_or_else(|| row.client_name.clone(), |it| it.name.clone()),
            archived: row.is_archived_by(self.member.actor().side()),
            message_count: row.message_count(),
            last_message_content: row.last_message_content,
            rev,
        }
    }

    fn message(&self, stored: Versioned<Message>, conversation: &Conversation) -> MessageAnswer {
        let Versioned { rev, row } = stored;
        let read_at = read_at(&row, conversation);
        let sitter_id = self.member.sitter_id;
        // SPEC 6: to the client user, or to the client where there is no link.
        let client = row.client_user_id.unwrap_or(row.client_id);
        let to_client = self.client_user_id(row.client_id).unwrap_or(row.client_id);
        let (sender_id, recipient_id, sender_name) = match row.sender_type {
            Side::Sitter => (sitter_id, to_client, self.sitter_name()),
            Side::Client => (client, sitter_id, conversation.client_name.clone()),
        };
        let sitter = self.sitter.as_ref();
        MessageAnswer {
            id: row.id,
            conversation_id: row.client_id,
            sender_id,
            sender_type: row.sender_type,
            recipient_id,
            recipient_type: row.sender_type.other(),
            content: row.content,
            message_type: row.message_type,
            attachment_url: row.photo.map(|it| format!("/api/photos/{it}")),
            sender_name,
            sender_photo: sitter
                .filter(|_| row.sender_type == Side::Sitter)
                .and_then(|it| it.photo),
            created_at: row.created_at,
            read_at,
            rev,
        }
    }
}

const CLIENTS_WHO_TALK: &str =
    "AND id IN (SELECT conversation.id FROM conversation WHERE conversation.sitter_id = $1)";

/// The member's conversations, what happened last first; those that were put away only `with_archived`.
pub async fn list(
    tx: &mut Tx,
    member: &Member,
    with_archived: bool,
) -> sqlx::Result<Vec<ConversationAnswer>> {
    let mut found = db::conversations(tx, member.sitter_id, member.scope()).await?;
    let side = member.actor().side();
    found.retain(|it| with_archived || !it.row.is_archived_by(side));
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let people = People::of_all(tx, member).await?;
    Ok(found
        .into_iter()
        .map(|it| people.conversation(it))
        .collect())
}

/// One of them, if it is the member's.
pub async fn one(tx: &mut Tx, member: &Member, id: Id) -> sqlx::Result<Option<ConversationAnswer>> {
    let Some(stored) = row(tx, member, id).await? else {
        return Ok(None);
    };
    let people = People::of_one(tx, member, id).await?;
    Ok(Some(people.conversation(stored)))
}

async fn row(
    tx: &mut Tx,
    member: &Member,
    id: Id,
) -> sqlx::Result<Option<Versioned<Conversation>>> {
    match member.link {
        Some(link) if link.client_id != id => Ok(None),
        _ => db::select_one(tx, member.sitter_id, id).await,
    }
}

/// Messages of a conversation: `most` of them after the `offset` newest, in the order in which they were said.
pub async fn messages(
    tx: &mut Tx,
    member: &Member,
    id: Id,
    page: Page,
) -> sqlx::Result<Option<(Vec<MessageAnswer>, u64)>> {
    let Some(stored) = row(tx, member, id).await? else {
        return Ok(None);
    };
    let count = stored.row.message_count();
    let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    let newest = count.saturating_sub(number(page.offset()));
    let most = number(page.limit_or(0));
    let found = db::messages_up_to(tx, member.sitter_id, id, newest, most).await?;
    let people = People::of_one(tx, member, id).await?;
    let answers = found.into_iter().rev();
    let answers = answers.map(|it| people.message(it, &stored.row));
    Ok(Some((answers.collect(), count.into())))
}

/// One message, if it is in a conversation of the member's.
pub async fn message(tx: &mut Tx, member: &Member, id: Id) -> sqlx::Result<Option<MessageAnswer>> {
    let Some(stored) = db::select_one::<Message>(tx, member.sitter_id, id).await? else {
        return Ok(None);
    };
    let Some(conversation) = row(tx, member, stored.row.client_id).await? else {
        return Ok(None);
    };
    let people = People::of_one(tx, member, conversation.row.id).await?;
    Ok(Some(people.message(stored, &conversation.row)))
}

/// A page of the conversations that a search finds among the member's, what happened last first, and how many it finds; of a
/// pet parent's there is one, which is no page.
pub async fn search(
    tx: &mut Tx,
    member: &Member,
    text: &str,
    page: Page,
) -> sqlx::Result<(Vec<FoundConversation>, u64)> {
    let found = db::search_conversations(tx, member.sitter_id, member.scope(), text, page).await?;
    if found.conversations.is_empty() {
        return Ok((Vec::new(), found.total));
    }
    let people = People::of_all(tx, member).await?;
    let messages = found.messages.into_iter();
    let mut messages: HashMap<Id, Versioned<Message>> =
        messages.map(|it| (it.row.client_id, it)).collect();
    let answers = found.conversations.into_iter().map(|stored| {
        let said = messages.remove(&stored.row.id);
        FoundConversation {
            message: said.map(|it| people.message(it, &stored.row)),
            conversation: people.conversation(stored),
        }
    });
    Ok((answers.collect(), found.total))
}
