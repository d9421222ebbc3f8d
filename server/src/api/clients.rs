//! Clients with their pets, and whom a sitter can write to.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use walkies_core::commands::decision::Need;
use walkies_core::commands::{
    ActivateClient, CreateClient, DeactivateClient, DeleteClient, MarkPetGone, RestorePet,
    UpdateClient,
};
use walkies_core::rows::client::{Client, RelationshipType};
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::message::Side;
use walkies_core::rows::pet::Pet;
use walkies_core::rules::client::order;
use walkies_core::rules::message::can_be_messaged;
use walkies_core::{Business, Command, Id, Row, TableName};

use super::{command, list_of, part_of, removed, revised, with_fields};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db;
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get, route};
use crate::limits::outgoing::Taker;
use crate::write::answer::{self, Answer, ClientList, ListWriter, ok, ok_list};

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
        command(
            Method::POST,
            "/clients/{id}/deactivate",
            "Makes a client inactive; series in `ends` end today, services in `cancels` are cancelled, all else stays",
            |form| {
                Ok(Command::DeactivateClient(DeactivateClient {
                    id: form.id,
                    ends: form.get("ends")?,
                    cancels: form.get("cancels")?,
                }))
            },
        )
        .body_of(|it| part_of::<DeactivateClient>(it, &["ends", "cancels"]))
        .answer_of(client),
        command(
            Method::POST,
            "/clients/{id}/activate",
            "Makes a client active again; as an undo it names the series and services that take place again",
            |form| {
                Ok(Command::ActivateClient(ActivateClient {
                    id: form.id,
                    series: form.get("series")?,
                    reopens: form.get("reopens")?,
                }))
            },
        )
        .body_of(|it| part_of::<ActivateClient>(it, &["series", "reopens"]))
        .answer_of(client),
        command(
            Method::POST,
            "/pets/{id}/gone",
            "Says that a pet has died or moved away; visits to come go on with the other pets, or are cancelled",
            |form| {
                Ok(Command::MarkPetGone(MarkPetGone {
                    id: form.id,
                    on: form.get("on")?,
                }))
            },
        )
        .body_of(|it| part_of::<MarkPetGone>(it, &["on"]))
        .answer_of(revised::<Pet>),
        command(
            Method::POST,
            "/pets/{id}/back",
            "Says that a pet is with its people after all; as an undo it names what is again as it was",
            |form| {
                Ok(Command::RestorePet(RestorePet {
                    id: form.id,
                    series: form.get("series")?,
                    reopens: form.get("reopens")?,
                    own: form.get("own")?,
                }))
            },
        )
        .body_of(|it| part_of::<RestorePet>(it, &["series", "reopens", "own"]))
        .answer_of(revised::<Pet>),
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

/// More clients are read one list at a time of each business.
const FEW_CLIENTS: usize = 500;

async fn list_clients(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let n_clients = db::count_rows(&mut tx, sitter.sitter_id, TableName::Client).await?;
    // Who waits for leave to read much has no connection meanwhile.
    drop(tx);
    let _permit = match n_clients {
        0..=FEW_CLIENTS => None,
        _ => Some(app.look(sitter.sitter_id).await?),
    };
    let mut tx = app.db.read().await?;
    let clients = ClientList::read(&mut tx, sitter.sitter_id, app.now()).await?;
    let mut list = ListWriter::new(&app, Taker::Account(sitter.user_id));
    let written = clients.write(&mut tx, sitter.sitter_id, page, &mut list);
    let total = written.await?;
    tx.commit().await?;
    list.into_page(total)
}

async fn read_client(
    State(app): State<AppState>,
    sitter: SitterUser,
    form: Form,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read().await?;
    let client = answer::client(&mut tx, sitter.sitter_id, form.id, app.now()).await?;
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

/// A row as far as it shows whom one can write to.
fn without_texts(row: Row) -> Row {
    match row {
        Row::Client(it) => Row::Client(Client {
            name: it.name,
            email: it.email,
            phone: it.phone,
            address: it.address,
            client_user_id: it.client_user_id,
            inactive_since: it.inactive_since,
            ..Client::new(it.id, it.created_at)
        }),
        Row::Conversation(it) => Row::Conversation(Conversation {
            last_message_content: String::new(),
            ..it
        }),
        row => row,
    }
}

/// SPEC 2, Clients: only those with an e-mail or a linked client user.
async fn messageable_clients(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let needs = [TableName::Client, TableName::Conversation].map(Need::Table);
    let mut business = Business::default();
    let mut tx = app.db.read().await?;
    let connected = answer::relationships(&mut tx, sitter.sitter_id, app.now()).await?;
    db::load_slimmed(
        &mut tx,
        sitter.sitter_id,
        &needs,
        None,
        &mut business,
        without_texts,
    )
    .await?;
    let accounts = db::client_accounts(&mut tx, sitter.sitter_id).await?;
    tx.commit().await?;
    let clients = business.clients.values().map(|it| &it.row);
    let active = clients.filter(|it| it.inactive_since.is_none());
    let mut clients: Vec<&Client> = active.filter(|it| can_be_messaged(it)).collect();
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
