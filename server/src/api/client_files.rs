//! Clients and pets from a file of another system: what would come of it, and all of them as one change.

use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use walkies_core::commands::decision::Need;
use walkies_core::commands::{CreateClient, ImportClients, PetPatch};
use walkies_core::import::column::{read_columns, written};
use walkies_core::import::preview::{
    ImportChoice, ImportState, KnownClient, Preview, known_clients, preview,
};
use walkies_core::import::table::{ImportFault, Table};
use walkies_core::values::bounds::{IMPORT_CARDS_BYTES, IMPORT_CLIENTS, IMPORT_PETS};
use walkies_core::{Date, FieldErrors, TableName};

use super::services::{business, now};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::app::throttle;
use crate::base::error::AppError;
use crate::http::extract::QueryParams;
use crate::http::form::FileForm;
use crate::http::route::{Access, COLUMNS_CHARS, Route, route};
use crate::write::answer::ok;

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(
            Method::POST,
            "/import/clients",
            Access::Sitter,
            "Adds the clients of a CSV file or of vCards with their pets, all of them or none, but for known clients; or shows what would come of it, and which clients are left out",
            import_clients,
        )
        .command()
        .query("dry_run", "`true` shows what would come, and nothing is written")
        .query(
            "columns",
            "What the columns are, with commas between: `name,email,,pet_name,pet_name.2`; guessed without",
        )
        .query("known", "`true` also imports clients who seem to be there already")
        .query("skip_wrong", "`true` leaves out clients that have a problem")
        .statuses(&[200, 201])
        .fails(&[507])
        .bytes(IMPORT_CARDS_BYTES as u64)
        .answer_of(|it| {
            let ids = json!({ "type": "array", "items": { "type": "string", "format": "uuid" } });
            let made = json!({
                "type": "object",
                "properties": { "ids": ids, "rev": { "type": "integer" } },
            });
            json!({ "oneOf": [made, it.of::<ShownFile>()] })
        }),
    ]
}

#[derive(Debug, Default, Deserialize)]
struct Options {
    #[serde(default)]
    dry_run: bool,
    columns: Option<String>,
    #[serde(default)]
    known: bool,
    #[serde(default)]
    skip_wrong: bool,
}

/// Preview of an import from a file.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ShownFile {
    /// The names of the file's columns.
    header: Vec<String>,
    /// The field that each column is read as; empty for a column that is left out.
    columns: Vec<String>,
    /// The clients that the file describes, with their problems.
    preview: Preview,
}

async fn import_clients(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(options): QueryParams<Options>,
    form: FileForm,
) -> Result<Response, AppError> {
    throttle::write(&app, sitter.sitter_id, form.bytes.len())?;
    let needs = [
        Need::Table(TableName::Sitter),
        Need::Table(TableName::Client),
        Need::Table(TableName::Pet),
    ];
    let business = business(&app, sitter.sitter_id, &needs).await?;
    let known = known_clients(&business);
    let today = now(&app, business.sitter()).today();
    let bytes = form.bytes.clone();
    let (dry_run, skip_wrong) = (options.dry_run, options.skip_wrong);
    let shown = app
        .import_permits
        .run(move || shown(&bytes, &options, &known, today))
        .await??;
    if dry_run {
        return Ok(ok(shown).into_response());
    }
    // After the business was read: the first call has either written by then, or its clients are not known yet.
    let member = sitter.into();
    if let Some(answer) = form.former_answer(&member).await? {
        return Ok(answer);
    }
    if !skip_wrong {
        wrong(&shown.preview).or(())?;
    }
    let clients = shown.preview.clients.into_iter();
    let ready = clients.filter(|it| it.state == ImportState::Ready);
    let clients: Vec<CreateClient> = ready
        .map(|it| CreateClient {
            id: app.env.id(),
            client: it.client,
            dogs: it
                .dogs
                .into_iter()
                .map(|changes| PetPatch {
                    id: app.env.id(),
                    is_new: true,
                    changes,
                })
                .collect(),
        })
        .collect();
    if clients.is_empty() {
        return Err(fault(ImportFault::Nobody));
    }
    app.disk
        .check_room(&app.db, member.sitter_id, form.bytes.len() as u64)
        .await?;
    form.submit(member, ImportClients { clients }.into()).await
}

fn shown(
    bytes: &[u8],
    options: &Options,
    known: &[KnownClient],
    today: Date,
) -> Result<ShownFile, AppError> {
    let table = Table::read(bytes).map_err(fault)?;
    let columns = match &options.columns {
        Some(columns) if COLUMNS_CHARS < columns.len() => {
            return Err(AppError::of_field("columns", "Too many columns"));
        }
        Some(columns) => read_columns(columns.split(','))
            .map_err(|it| AppError::of_field("columns", &it.to_string()))?,
        None => table.guess(),
    };
    let first_rows = table.rows.iter().map(|it| it.number);
    let choice = ImportChoice {
        added: first_rows.filter(|_| options.known).collect(),
        left_out: Vec::new(),
        dates: Vec::new(),
    };
    let preview = preview(&table, &columns, known, &choice, today).map_err(fault)?;
    // One call is one change.
    if IMPORT_CLIENTS < preview.clients.len() {
        return Err(fault(ImportFault::TooManyClients));
    }
    if IMPORT_PETS < preview.clients.iter().map(|it| it.dogs.len()).sum() {
        return Err(fault(ImportFault::TooManyPets));
    }
    Ok(ShownFile {
        preview,
        columns: written(&columns),
        header: table.header,
    })
}

fn fault(fault: ImportFault) -> AppError {
    match fault {
        ImportFault::TooLarge => AppError::TooLarge(fault.to_string()),
        fault => AppError::of_field("file", &fault.to_string()),
    }
}

/// Lists the problems of the cells as field errors, by row and column.
fn wrong(preview: &Preview) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let wrong = preview.clients.iter();
    let wrong = wrong.filter(|it| it.state == ImportState::Wrong);
    for problem in wrong.flat_map(|it| &it.problems) {
        let field = match problem.column {
            Some(column) => format!("rows.{}.{column}", problem.row),
            None => format!("rows.{}", problem.row),
        };
        errors.add(field, problem.text.clone());
    }
    errors
}
