//! Clients with their pets, and whom a sitter can write to.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use walkies_core::commands::decision::Need;
use walkies_core::commands::{CreateClient, DeleteClient, UpdateClient};
use walkies_core::rows::client::{Client, RelationshipType};
use walkies_core::rows::message::Side;
use walkies_core::rows::pet::Pet;
use walkies_core::rules::client::order;
use walkies_core::rules::message::{Relationships, can_be_messaged};
use walkies_core::{Command, Id, TableName};

use super::services::{business, now};
use super::{command, list_of, removed, with_fields};
use crate::answer::{self, Answer, ok, ok_list};
use crate::db;
use crate::error::AppError;
use crate::form::Form;
use crate::page::Page;
use crate::route::{Access, Route, Schemas, get, route};
use crate::session::SitterUser;
use crate::state::AppState;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/clients",
            Access::Sitter,
            "All clients by name, with their pets",
            list_clients,
        )
        .list_of(client),
        command(
            Method::POST,
            "/clients",
            "Adds a client with at least one pet",
            create_client,
        )
        .statuses(&[201])
        .body_of(client_form)
        .answer_of(client),
        get(
            "/clients/{id}",
            Access::Sitter,
            "A client with its pets",
            read_client,
        )
        .answer_of(client),
        route(
            Method::PUT,
            "/clients/{id}",
            Access::Sitter,
            "Changes a client and its pets",
            update_client,
        )
        .command()
        .body_of(client_form)
        .answer_of(client),
        command(
            Method::DELETE,
            "/clients/{id}",
            "Deletes a client and its pets",
            |form| Ok(Command::DeleteClient(DeleteClient { id: form.id })),
        )
        .answer_of(removed),
        get(
            "/clients-available",
            Access::Sitter,
            "Clients who can be written to",
            messageable_clients,
        )
        .list_of(|it| it.of::<MessageableClient>()),
    ]
}

pub(super) fn client(schemas: &mut Schemas) -> Value {
    let dogs = list_of(schemas.of::<Pet>());
    with_fields(
        schemas.of::<Client>(),
        json!({ "dogs": dogs, "rev": { "type": "integer" } }),
    )
}

fn client_form(schemas: &mut Schemas) -> Value {
    let id = json!({ "type": "string", "format": "uuid" });
    let dog = with_fields(schemas.subset_of::<Pet>(Pet::EDITABLE), json!({ "id": id }));
    let dogs = list_of(json!({ "anyOf": [dog, { "type": "string" }] }));
    with_fields(
        schemas.subset_of::<Client>(Client::EDITABLE),
        json!({ "id": id, "dogs": dogs }),
    )
}

async fn list_clients(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read().await?;
    let clients = answer::clients(&mut tx, sitter.sitter_id, None, app.now()).await?;
    tx.commit().await?;
    ok_list(clients, page).await
}

async fn read_client(
    State(app): State<AppState>,
    sitter: SitterUser,
    form: Form,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read().await?;
    let client = answer::clients(&mut tx, sitter.sitter_id, Some(form.id), app.now())
        .await?
        .pop();
    tx.commit().await?;
    client.map(ok).ok_or(AppError::NotFound)
}

fn create_client(form: &mut Form) -> Result<Command, AppError> {
    Ok(Command::CreateClient(CreateClient {
        id: form.id,
        client: form.patch(),
        dogs: form.dogs(&[])?,
    }))
}

/// A form with dogs has all of them: those that are missing are removed. One without leaves them alone.
async fn update_client(
    State(app): State<AppState>,
    sitter: SitterUser,
    form: Form,
) -> Result<Response, AppError> {
    let (mut dogs, mut removed_dogs) = (Vec::new(), Vec::new());
    if form.body.contains_key("dogs") {
        let mut tx = app.db.read_autocommit().await?;
        let pets = answer::pets_of(&mut tx, sitter.sitter_id, form.id).await?;
        let known: Vec<Id> = pets.iter().map(|it| it.row.id).collect();
        dogs = form.dogs(&known)?;
        removed_dogs = known
            .into_iter()
            .filter(|id| dogs.iter().all(|it| it.id != *id))
            .collect();
    }
    let command = Command::UpdateClient(UpdateClient {
        id: form.id,
        changes: form.patch(),
        dogs,
        removed_dogs,
    });
    form.submit(sitter.into(), command).await
}

/// A client who can be written to (SPEC 3).
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct MessageableClient {
    id: Id,
    name: String,
    email: String,
    phone: String,
    address: String,
    client_user_id: Option<Id>,
    client_user_name: Option<String>,
    client_user_email: Option<String>,
    /// Always null: accounts have no phone.
    client_user_phone: Option<String>,
    relationship_type: RelationshipType,
    existing_conversation_id: Option<Id>,
    unread_count: u32,
}

/// SPEC 2, Clients: only those with an e-mail or a linked client user.
async fn messageable_clients(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut needs = answer::needs_of_relationships(None, app.now());
    needs.extend([TableName::Client, TableName::Conversation].map(Need::Table));
    let business = business(&app, sitter.sitter_id, &needs).await?;
    let mut tx = app.db.read_autocommit().await?;
    let accounts = db::client_accounts(&mut tx, sitter.sitter_id).await?;
    drop(tx);
    let today = now(&app, business.sitter()).today();
    let connected = Relationships::new(&business, today);
    let clients = business.clients.values().map(|it| &it.row);
    let mut clients: Vec<&Client> = clients.filter(|it| can_be_messaged(it)).collect();
    clients.sort_by_cached_key(|it| order(it, &str::to_lowercase));
    let available = clients.into_iter().map(|client| {
        let conversation = business.conversation(client.id);
        let user = client.client_user_id.and_then(|it| accounts.get(&it));
        MessageableClient {
            id: client.id,
            name: client.name.clone(),
            email: client.email.clone(),
            phone: client.phone.clone(),
            address: client.address.clone(),
            client_user_id: client.client_user_id,
            client_user_name: user.map(|it| it.name.clone()),
            client_user_email: user.map(|it| it.email.clone()),
            client_user_phone: None,
            relationship_type: connected.of(client.id),
            existing_conversation_id: conversation.map(|it| it.id),
            unread_count: conversation.map_or(0, |it| it.unread_by(Side::Sitter)),
        }
    });
    ok_list(available.collect(), page).await
}
