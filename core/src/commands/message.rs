//! Owns what the commands about conversations do: begin, say, read, put away and take back; each side the same (SPEC 4,
//! Conversation and Message).

use serde::Serialize;

use crate::commands::decision::{
    About, Actor, Context, Decision, Effect, Intent, Need, Shows, photo_for, row,
};
use crate::rows::conversation::Conversation;
use crate::rows::message::{Message, MessageType, Side};
use crate::rows::row::{RowKey, TableName};
use crate::rules::household;
use crate::rules::message::{
    DELETED, MessageDraft, NOBODY_READS, can_be_messaged, errors, preview, unreachable,
};
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::{Business, Id, Instant, Refusal};

/// Begins a conversation with a client; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StartConversation {
    /// Id of the client, which is also the conversation's.
    pub client_id: Id,
}

read_by_field!(StartConversation { client_id });

impl Intent for StartConversation {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        needs_of(self.client_id)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let conversation = open(self.client_id, business, ctx)?;
        Ok(match business.conversation(self.client_id) {
            Some(_) => Decision::default(),
            None => vec![conversation.into()].into(),
        })
    }

    fn about(&self) -> About {
        About {
            builds_on: vec![key(TableName::Client, self.client_id)],
            shows: Shows::Row(key(TableName::Conversation, self.client_id)),
            ..About::of("Conversation", Effect::Makes)
        }
    }

    fn may(&self, _: Actor) -> bool {
        true
    }
}

/// Says something to the other side; the first message begins the conversation.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SendMessage {
    /// Id of the message.
    pub id: Id,
    /// Id of the conversation, which is the client's.
    pub conversation_id: Id,
    /// Text of the message; may be empty beside an image.
    #[serde(default)]
    pub content: String,
    /// The uploaded image's id.
    #[serde(default)]
    pub photo: Option<Id>,
}

read_by_field!(SendMessage { id, conversation_id } or default { content, photo });

impl Intent for SendMessage {
    fn needs(&self, _: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = needs_of(self.conversation_id);
        needs.push(row(TableName::Message, self.id));
        needs.extend(self.photo.map(|it| photo_for(ctx.actor, it)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let before = open(self.conversation_id, business, ctx)?;
        if business.messages.get(&self.id).is_some() {
            return Err(Refusal::Taken);
        }
        errors(&self.draft()).or(())?;
        if let Some(photo) = self.photo.filter(|it| business.missing_photos.contains(it)) {
            return Err(Refusal::PhotoMissing { photo });
        }
        if !ctx.is_shown {
            let there_are = usize::try_from(before.message_count()).unwrap_or(usize::MAX);
            check_room("messages", there_are, bounds::MESSAGES)?;
        }
        let message = self.message(business, &before, ctx);
        let conversation = with_last(before, &message);
        Ok(vec![message.into(), conversation.into()].into())
    }

    fn about(&self) -> About {
        About {
            builds_on: vec![key(TableName::Client, self.conversation_id)],
            ..About::row("Message", Effect::Makes, TableName::Message, self.id)
        }
    }

    fn may(&self, _: Actor) -> bool {
        true
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(vec![("Message", &self.content)])
    }
}

impl SendMessage {
    fn draft(&self) -> MessageDraft {
        MessageDraft {
            content: self.content.clone(),
            has_image: self.photo.is_some(),
        }
    }

    fn message(&self, business: &Business, before: &Conversation, ctx: &Context) -> Message {
        let side = ctx.actor.side();
        let client = business.client(self.conversation_id);
        let acted_at = ctx.acted_at();
        Message {
            number: before.message_count() + 1,
            sender_number: before.written_by(side) + 1,
            sender_type: side,
            client_user_id: client
                .and_then(household::only_login)
                .filter(|_| side == Side::Client),
            message_type: match self.photo {
                Some(_) => MessageType::Image,
                None => MessageType::Text,
            },
            content: self.content.trim().to_owned(),
            photo: self.photo,
            // INVARIANT: No message is older than the one that it follows.
            ..Message::new(
                self.id,
                self.conversation_id,
                before
                    .last_message_created_at
                    .unwrap_or(acted_at)
                    .max(acted_at),
            )
        }
    }
}

/// Says that all messages up to this one were read; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkConversationRead {
    /// Id of the conversation, which is the client's.
    pub id: Id,
    /// The other side's newest message that was seen; without it all of them were.
    #[serde(default)]
    pub message_id: Option<Id>,
}

read_by_field!(MarkConversationRead { id } or default { message_id });

impl Intent for MarkConversationRead {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Conversation, self.id)];
        needs.extend(self.message_id.map(|it| row(TableName::Message, it)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let before = known(self.id, business, ctx)?;
        let side = ctx.actor.side();
        let n_read = match self.message_id {
            None => before.written_by(side.other()),
            Some(id) => {
                let seen = business.messages.get(&id).map(|it| &it.row);
                let seen = seen.filter(|it| it.client_id == self.id && it.sender_type != side);
                // What is not there any more needs nobody's attention.
                seen.map_or(0, |it| it.sender_number)
            }
        };
        if n_read <= before.read_by(side).0 {
            return Ok(Decision::default());
        }
        let mut after = before.clone();
        let (count, at) = match side {
            Side::Sitter => (&mut after.sitter_read, &mut after.sitter_read_at),
            Side::Client => (&mut after.client_read, &mut after.client_read_at),
        };
        (*count, *at) = (n_read, Some(ctx.acted_at().max(at.unwrap_or(Instant(0)))));
        Ok(vec![after.into()].into())
    }

    fn about(&self) -> About {
        About::row(
            "Conversation",
            Effect::Marks,
            TableName::Conversation,
            self.id,
        )
    }

    fn may(&self, _: Actor) -> bool {
        true
    }
}

/// Puts a conversation away, or back; a repeat changes nothing. The other side hears nothing of it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetConversationArchived {
    /// Id of the conversation, which is the client's.
    pub id: Id,
    /// True to archive the conversation, false to bring it back.
    pub archived: bool,
}

read_by_field!(SetConversationArchived { id, archived });

impl Intent for SetConversationArchived {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::Conversation, self.id)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let mut after = known(self.id, business, ctx)?.clone();
        let is_archived = match ctx.actor.side() {
            Side::Sitter => &mut after.archived_by_sitter,
            Side::Client => &mut after.archived_by_client,
        };
        if std::mem::replace(is_archived, self.archived) == self.archived {
            return Ok(Decision::default());
        }
        Ok(vec![after.into()].into())
    }

    fn about(&self) -> About {
        About::row(
            "Conversation",
            Effect::Marks,
            TableName::Conversation,
            self.id,
        )
    }

    fn may(&self, _: Actor) -> bool {
        true
    }
}

/// Takes back what one has said oneself; a repeat changes nothing. The message keeps its place, so that nothing that was
/// counted or shown moves, and has neither words nor image any more.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteMessage {
    /// Id of the message.
    pub id: Id,
}

read_by_field!(DeleteMessage { id });

impl Intent for DeleteMessage {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let message = business.messages.get(&self.id);
        let conversation = message.map(|it| row(TableName::Conversation, it.row.client_id));
        let mut needs = vec![row(TableName::Message, self.id)];
        needs.extend(conversation);
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let message = business.messages.get(&self.id).ok_or(Refusal::Gone)?;
        let message = &message.row;
        let conversation = known(message.client_id, business, ctx)?;
        if message.sender_type != ctx.actor.side() {
            return Err(Refusal::NotAllowed);
        }
        if message.message_type == MessageType::System {
            return Ok(Decision::default());
        }
        let deleted = Message {
            message_type: MessageType::System,
            content: DELETED.to_owned(),
            photo: None,
            ..message.clone()
        };
        let mut changes = vec![deleted.clone().into()];
        if message.number == conversation.message_count() {
            let mut conversation = conversation.clone();
            shown_in_list(&mut conversation, &deleted);
            changes.push(conversation.into());
        }
        Ok(Decision {
            dropped_photos: message.photo.into_iter().collect(),
            ..changes.into()
        })
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Id(self.id),
            ..About::row("Message", Effect::Marks, TableName::Message, self.id)
        }
    }

    fn may(&self, _: Actor) -> bool {
        true
    }
}

const fn key(table: TableName, id: Id) -> RowKey {
    RowKey { table, id }
}

fn needs_of(client_id: Id) -> Vec<Need> {
    vec![
        row(TableName::Client, client_id),
        row(TableName::Conversation, client_id),
    ]
}

/// Refuses a conversation that is another client's.
fn check_own(client_id: Id, ctx: &Context) -> Result<(), Refusal> {
    match ctx.actor {
        Actor::Client(own) if own != client_id => Err(Refusal::Gone),
        _ => Ok(()),
    }
}

/// A conversation that there is.
fn known<'a>(
    client_id: Id,
    business: &'a Business,
    ctx: &Context,
) -> Result<&'a Conversation, Refusal> {
    check_own(client_id, ctx)?;
    business.conversation(client_id).ok_or(Refusal::Gone)
}

/// The conversation with a client who can be written to; one that nobody has begun yet among them. What is saved already
/// stays where it was said, whatever became of the client since.
fn open(client_id: Id, business: &Business, ctx: &Context) -> Result<Conversation, Refusal> {
    check_own(client_id, ctx)?;
    let client = business.client(client_id);
    let is_unread = ctx.actor == Actor::Sitter && client.is_some_and(|it| !can_be_messaged(it));
    if !ctx.is_shown {
        client.ok_or(Refusal::Gone)?;
        let mut errors = FieldErrors::default();
        errors.check(
            is_unread,
            "client_id",
            client.map_or(NOBODY_READS, unreachable),
        );
        errors.or(())?;
    }
    let begun = business.conversation(client_id).cloned();
    let mut conversation = begun.unwrap_or_else(|| Conversation::new(client_id, ctx.acted_at()));
    if let Some(client) = client {
        conversation.client_name.clone_from(&client.name);
    }
    Ok(conversation)
}

/// The conversation with one message more, which brings it back to those who had put it away.
fn with_last(before: Conversation, message: &Message) -> Conversation {
    let mut after = Conversation {
        archived_by_sitter: false,
        archived_by_client: false,
        last_message_sender_type: message.sender_type,
        last_message_created_at: Some(message.created_at),
        ..before
    };
    match message.sender_type {
        Side::Sitter => after.sitter_count += 1,
        Side::Client => after.client_count += 1,
    }
    shown_in_list(&mut after, message);
    after
}

fn shown_in_list(conversation: &mut Conversation, message: &Message) {
    conversation.last_message_content = preview(&message.content);
    conversation.last_message_type = match message.message_type {
        MessageType::Image => MessageType::Image,
        MessageType::Text | MessageType::System => MessageType::Text,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Now;
    use crate::rows::client::Client;
    use crate::values::zone::TimeZone;

    #[test]
    fn no_message_is_older_than_the_one_that_it_follows() {
        let mut business = Business::default();
        let mut client = Client::new(Id::of(1), Instant(0));
        client.client_user_id = Some(Id::of(9));
        business.put(1, crate::Row::Client(client));
        let mut times = Vec::new();
        for (id, made_at) in [(2, 500), (3, 100), (4, 900), (5, 2_000)] {
            let message = SendMessage {
                id: Id::of(id),
                conversation_id: Id::of(1),
                content: "Hello".to_owned(),
                photo: None,
            };
            let ctx = Context {
                made_at: Instant(made_at),
                ..Context::at(Now {
                    at: Instant(1_000),
                    zone: TimeZone::UTC,
                })
            };
            let decision = message.decide(&business, &ctx).unwrap();
            business.apply(1, &decision.changes);
            let row = business.messages.get(&Id::of(id)).unwrap();
            times.push(row.row.created_at.0);
        }
        assert_eq!(times, [500, 500, 900, 1_000]);
    }

    #[test]
    fn what_is_saved_stays_shown_though_the_client_is_deleted_meanwhile() {
        let message = SendMessage {
            id: Id::of(2),
            conversation_id: Id::of(1),
            content: "On my way".to_owned(),
            photo: None,
        };
        let zone = TimeZone::UTC;
        let mut ctx = Context::at(Now {
            at: Instant(0),
            zone,
        });
        let mut business = Business::default();
        assert_eq!(message.decide(&business, &ctx), Err(Refusal::Gone));
        let client = Client::new(Id::of(1), Instant(0));
        business.put(1, crate::Row::Client(client));
        assert!(
            message.decide(&business, &ctx).is_err(),
            "nobody would read it"
        );
        for is_there in [true, false] {
            ctx.is_shown = true;
            let decision = message.decide(&business, &ctx).unwrap();
            assert_eq!(decision.changes.len(), 2, "{is_there}");
            business.delete(RowKey {
                table: TableName::Client,
                id: Id::of(1),
            });
        }
    }
}
