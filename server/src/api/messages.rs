//! Conversations and messages, for both sides of them.

use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use walkies_core::commands::{
    DeleteMessage, MarkConversationRead, SendMessage, SetConversationArchived, StartConversation,
};
use walkies_core::rows::message::{MessageType, Side};
use walkies_core::rules::message::{PAGE, SEARCH_MOST};
use walkies_core::rules::photo::{MAX_MESSAGE_IMAGE_BYTES, PhotoError, check_message_image};
use walkies_core::values::bounds;
use walkies_core::{Command, FieldErrors, Id, Refusal};

use super::photos::{PHOTO_BODY_LIMIT, PhotoForm, id_in_url, take_in, uploaded};
use super::removed;
use crate::app::session::{AnyUser, Member};
use crate::app::state::{App, AppState};
use crate::base::error::AppError;
use crate::base::page::{MAX_LIMIT, Page};
use crate::db;
use crate::http::extract::{Caller, OF_SITTER, OfSitter, QueryParams};
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get, post, route};
use crate::limits::bodies::OfCall;
use crate::write::answer::{Answer, ok, ok_list, ok_page};
use crate::write::conversations::{self, ConversationAnswer, FoundConversation, MessageAnswer};

/// The most messages in one answer.
const MAX_PAGE: u64 = 100;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/conversations",
            Access::AnyUser,
            "The caller's conversations, what happened last first",
            list_conversations,
        )
        .query("include_archived", "true for those that were put away, too")
        .query("sitter_id", "Of one business; of all without it")
        .fails(&[403])
        .list_of(|it| it.of::<ConversationAnswer>()),
        command(
            Method::POST,
            "/conversations",
            "Begins the conversation with a client, or finds it",
            |_, form| {
                let client_id = form.id;
                Ok(StartConversation { client_id }.into())
            },
        )
        .fails(&[403])
        .statuses(&[201])
        .body_of(|_| {
            object(json!({ "client_id": id_schema(), "client_user_id": id_schema(), "sitter_id": id_schema() }))
        })
        .answer::<ConversationAnswer>(),
        get(
            "/conversations/search",
            Access::AnyUser,
            "Conversations in which a text occurs, or with somebody who is called like that, what happened last first",
            search,
        )
        .required_query("q", "The text")
        .query("limit", "How many; 100 without it, 1,000 at most")
        .query("sitter_id", "Of one business; of all without it")
        .fails(&[403, 422])
        .list_of(|it| it.of::<FoundConversation>()),
        get(
            "/conversations/{id}/messages",
            Access::AnyUser,
            "Messages of a conversation, the oldest of them first",
            list_messages,
        )
        .query("limit", "How many; 50 without it, 100 at most")
        .query("offset", "After so many of the newest ones")
        .query("sitter_id", OF_SITTER)
        .fails(&[403])
        .list_of(|it| it.of::<MessageAnswer>()),
        command(
            Method::POST,
            "/conversations/{id}/archive",
            "Puts a conversation away",
            |_, form| Ok(archived(form.id, true)),
        )
        .fails(&[403])
        .query("sitter_id", OF_SITTER)
        .answer::<ConversationAnswer>(),
        command(
            Method::POST,
            "/conversations/{id}/unarchive",
            "Takes a conversation out again",
            |_, form| Ok(archived(form.id, false)),
        )
        .fails(&[403])
        .query("sitter_id", OF_SITTER)
        .answer::<ConversationAnswer>(),
        route(
            Method::POST,
            "/messages",
            Access::AnyUser,
            "Says something",
            send_message,
        )
        .command()
        .fails(&[403])
        .statuses(&[201])
        .body_of(message_form)
        .answer::<MessageAnswer>(),
        command(
            Method::PUT,
            "/messages/{id}/read",
            "Says that a conversation was read; the id is the conversation's",
            |_, form| {
                Ok(Command::MarkConversationRead(MarkConversationRead {
                    id: form.id,
                    message_id: form.get("message_id")?,
                }))
            },
        )
        .fails(&[403])
        .query("sitter_id", OF_SITTER)
        .body_of(|_| object(json!({ "message_id": id_schema() })))
        .answer::<ConversationAnswer>(),
        route(
            Method::DELETE,
            "/messages/{id}",
            Access::AnyUser,
            "Takes back what the caller has said",
            delete_message,
        )
        .command()
        .fails(&[403])
        .query("sitter_id", OF_SITTER)
        .answer_of(removed),
        get(
            "/messages/unread-count",
            Access::AnyUser,
            "How many messages the caller has not read",
            unread_count,
        )
        .query("sitter_id", "Of one business; of all without it")
        .fails(&[403])
        .answer_of(|_| object(json!({ "unread_count": { "type": "integer" } }))),
        post(
            "/messages/upload",
            Access::AnyUser,
            "Takes in an image for a message, JPEG or PNG",
            upload,
        )
        .multipart(json!({
            "file": { "type": "string", "format": "binary", "maxLength": MAX_MESSAGE_IMAGE_BYTES - 1 },
            "conversation_id": id_schema(),
            "id": id_schema(),
        }))
        .query("sitter_id", OF_SITTER)
        .statuses(&[201])
        .fails(&[403, 409, 415, 507])
        .answer_of(uploaded)
        .body_limit(PHOTO_BODY_LIMIT),
    ]
}

fn id_schema() -> Value {
    json!({ "type": "string", "format": "uuid", "nullable": true })
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

fn message_form(_: &mut Schemas) -> Value {
    object(json!({
        "id": id_schema(),
        "conversation_id": { "type": "string", "format": "uuid" },
        "sitter_id": id_schema(),
        "recipient_id": id_schema(),
        "recipient_type": { "type": "string", "enum": ["sitter", "client"], "nullable": true },
        "content": { "type": "string", "nullable": true },
        "message_type": { "type": "string", "enum": ["text", "image"], "nullable": true },
        "attachment_url": { "type": "string", "nullable": true },
    }))
}

/// A call that is a command about the conversation of the path, or of the body's `client_id`.
fn command(
    method: Method,
    path: &'static str,
    summary: &'static str,
    build: fn(&Member, &Form) -> Result<Command, AppError>,
) -> Route {
    let is_named = path.contains('{');
    let call = async move |State(app): State<AppState>,
                           user: AnyUser,
                           QueryParams(of): QueryParams<OfSitter>,
                           mut form: Form| {
        let sitter_id = of.sitter_id.or(form.get("sitter_id")?);
        let named: Option<Id> = if is_named {
            Some(form.id)
        } else {
            form.get("client_id")?
        };
        let member = member(&app, &user, sitter_id, named).await?;
        let own = member.link.map(|it| it.client_id);
        form.id = match named.or(own) {
            Some(id) => id,
            None => client_of_user(&app, &member, &form).await?,
        };
        let command = build(&member, &form)?;
        form.submit(member, command).await
    };
    route(method, path, Access::AnyUser, summary, call).command()
}

/// The client whose user is named, where the client is not.
async fn client_of_user(app: &App, member: &Member, form: &Form) -> Result<Id, AppError> {
    let mut errors = FieldErrors::default();
    let user_id: Option<Id> = form.get("client_user_id")?;
    errors.check(user_id.is_none(), "client_id", "Client is required");
    errors.or(())?;
    let mut tx = app.db.read_autocommit().await?;
    let links =
        db::client_links(&mut tx, user_id.unwrap_or_default(), Some(member.sitter_id)).await?;
    links
        .first()
        .map(|it| it.client_id)
        .ok_or(AppError::NotFound)
}

/// The caller as a member of the business that a conversation is of. A pet parent of several need not name it where the
/// conversation does.
async fn member(
    app: &App,
    user: &AnyUser,
    sitter_id: Option<Id>,
    conversation_id: Option<Id>,
) -> Result<Member, AppError> {
    if sitter_id.is_some() || user.account.sitter_id.is_some() {
        return Member::of(app, user, sitter_id).await;
    }
    let mut tx = app.db.read_autocommit().await?;
    let links = db::client_links(&mut tx, user.account.id, None).await?;
    drop(tx);
    let mut named = links
        .iter()
        .filter(|it| conversation_id == Some(it.client_id));
    let sitter_id = match (named.next(), named.next()) {
        (Some(link), None) => Some(link.sitter_id),
        _ => None,
    };
    Member::of(app, user, sitter_id).await
}

/// All businesses that the caller is a member of, or the one that is named.
async fn members(
    app: &App,
    user: &AnyUser,
    sitter_id: Option<Id>,
) -> Result<Vec<Member>, AppError> {
    if user.account.sitter_id.is_some() {
        return Ok(vec![Member::of(app, user, sitter_id).await?]);
    }
    let mut tx = app.db.read_autocommit().await?;
    let links = db::client_links(&mut tx, user.account.id, sitter_id).await?;
    let members = links.into_iter().map(|link| Member {
        user_id: user.account.id,
        sitter_id: link.sitter_id,
        link: Some(link),
    });
    Ok(members.collect())
}

#[derive(Debug, Deserialize)]
struct ConversationsQuery {
    #[serde(default)]
    include_archived: bool,
    sitter_id: Option<Id>,
}

async fn list_conversations(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(query): QueryParams<ConversationsQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let members = members(&app, &user, query.sitter_id).await?;
    let mut tx = app.db.read().await?;
    let mut answers = Vec::new();
    for member in &members {
        answers.extend(conversations::list(&mut tx, member, query.include_archived).await?);
    }
    tx.commit().await?;
    conversations::sort_latest_first(&mut answers, |it| it);
    ok_list(answers, page).await
}

#[derive(Debug, Deserialize)]
struct SearchQuery {
    q: String,
    sitter_id: Option<Id>,
}

async fn search(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(query): QueryParams<SearchQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let text = query.q.trim();
    let mut errors = FieldErrors::default();
    if let Some(error) = bounds::text_error("q", text) {
        errors.add("q", error);
    }
    errors.or(())?;
    let page = page.within(SEARCH_MOST as u64, MAX_LIMIT);
    let (mut answers, mut total) = (Vec::new(), 0);
    if !text.is_empty() {
        let members = members(&app, &user, query.sitter_id).await?;
        let mut tx = app.db.read().await?;
        for member in &members {
            let (found, n) = conversations::search(&mut tx, member, text, page).await?;
            answers.extend(found);
            total += n;
        }
        tx.commit().await?;
    }
    if user.account.sitter_id.is_none() {
        // One of each sitter's at most.
        conversations::sort_latest_first(&mut answers, FoundConversation::conversation);
        answers = page.cut(answers);
    }
    ok_page(answers, total).await
}

#[derive(Debug, Deserialize)]
struct MessagesQuery {
    sitter_id: Option<Id>,
}

async fn list_messages(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<MessagesQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let member = member(&app, &user, query.sitter_id, Some(id)).await?;
    let page = page.within(PAGE.into(), MAX_PAGE);
    let mut tx = app.db.read().await?;
    let found = conversations::messages(&mut tx, &member, id, page).await?;
    tx.commit().await?;
    let (messages, total) = found.ok_or(AppError::NotFound)?;
    ok_page(messages, total).await
}

fn archived(id: Id, archived: bool) -> Command {
    SetConversationArchived { id, archived }.into()
}

async fn send_message(
    State(app): State<AppState>,
    user: AnyUser,
    form: Form,
) -> Result<Response, AppError> {
    let conversation_id: Option<Id> = form.get("conversation_id")?;
    let mut errors = FieldErrors::default();
    errors.check(
        conversation_id.is_none(),
        "conversation_id",
        "Conversation is required",
    );
    errors.or(())?;
    let member = member(&app, &user, form.get("sitter_id")?, conversation_id).await?;
    let conversation_id = conversation_id.unwrap_or_default();
    check_recipient(&app, &member, &form, conversation_id).await?;
    let command = SendMessage {
        id: form.id,
        conversation_id,
        content: form.get("content")?,
        photo: photo_of(&form)?,
    };
    form.submit(member, command.into()).await
}

/// The photo that `attachment_url` is of, as `POST /messages/upload` gave it.
fn photo_of(form: &Form) -> Result<Option<Id>, AppError> {
    let url: Option<String> = form.get("attachment_url")?;
    let kind: Option<MessageType> = form.get("message_type")?;
    let mut errors = FieldErrors::default();
    errors.check(
        kind == Some(MessageType::System),
        "message_type",
        "message_type is not valid",
    );
    let is_missing = kind == Some(MessageType::Image) && url.is_none();
    errors.check(
        is_missing,
        "attachment_url",
        PhotoError::Missing.to_string(),
    );
    let id = url.as_deref().and_then(id_in_url);
    errors.check(
        url.is_some() && id.is_none(),
        "attachment_url",
        "attachment_url is not valid",
    );
    errors.or(id).map_err(AppError::from)
}

/// Refuses a message whose recipient, where one is named, is not the other side of the conversation.
async fn check_recipient(
    app: &App,
    member: &Member,
    form: &Form,
    conversation_id: Id,
) -> Result<(), AppError> {
    let (id, kind): (Option<Id>, Option<Side>) =
        (form.get("recipient_id")?, form.get("recipient_type")?);
    let side = member.actor().side();
    let mut errors = FieldErrors::default();
    errors.check(
        kind == Some(side),
        "recipient_type",
        "recipient_type is not valid",
    );
    errors.or(())?;
    let Some(id) = id else {
        return Ok(());
    };
    let is_other = match side {
        Side::Client => id == member.sitter_id,
        Side::Sitter if id == conversation_id => true,
        Side::Sitter => {
            let mut tx = app.db.read_autocommit().await?;
            let links = db::client_links(&mut tx, id, Some(member.sitter_id)).await?;
            links.iter().any(|it| it.client_id == conversation_id)
        }
    };
    match is_other {
        true => Ok(()),
        false => Err(Refusal::Gone.into()),
    }
}

async fn delete_message(Caller(member): Caller, form: Form) -> Result<Response, AppError> {
    let command = DeleteMessage { id: form.id };
    form.submit(member, command.into()).await
}

async fn unread_count(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(of): QueryParams<OfSitter>,
) -> Result<Answer, AppError> {
    let members = members(&app, &user, of.sitter_id).await?;
    let mut tx = app.db.read().await?;
    let mut unread = 0;
    for member in &members {
        unread += db::unread_count(&mut tx, member.sitter_id, member.scope()).await?;
    }
    tx.commit().await?;
    Ok(ok(json!({ "unread_count": unread })))
}

async fn upload(
    State(app): State<AppState>,
    Caller(member): Caller,
    headers: HeaderMap,
    body: OfCall,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Answer, AppError> {
    let kind = PhotoForm {
        field: "file",
        max_bytes: MAX_MESSAGE_IMAGE_BYTES,
        too_large: PhotoError::MessageImageTooLarge,
        check: check_message_image,
    };
    take_in(&app, &member, &headers, (body, form), &kind).await
}
