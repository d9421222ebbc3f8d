//! Owns how a REST call that writes becomes a command: its id, its fields, its key, what it was made on.

use std::error::Error;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts as _, RawPathParams, Request};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use walkies_core::commands::PetPatch;
use walkies_core::import::table::ImportFault;
use walkies_core::values::bounds::{self, BODY_BYTES, IMPORT_CARDS_BYTES};
use walkies_core::values::patch::Patch;
use walkies_core::{Command, Id, Refusal};

use crate::app::session::Member;
use crate::app::state::AppState;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::base::malformed;
use crate::db::{self, MutationRow};
use crate::write::answer::Answer;
use crate::write::execute::{CommandRequest, CommandSource, Executed, IdempotencyKey, execute};

/// A call that writes.
#[derive(Debug)]
pub struct Form {
    /// Makes ids for what is new.
    pub app: AppState,
    /// The id of the row that the call is about: the one in the path, else the one that the caller made, else a new
    /// one.
    pub id: Id,
    /// The second id in the path: of a part of it.
    pub part_id: Option<Id>,
    /// The fields of the JSON body; none if the body is empty.
    pub body: Map<String, Value>,
    key: Option<IdempotencyKey>,
    if_match: Option<u64>,
}

impl FromRequest<AppState> for Form {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let (mut parts, body) = request.into_parts();
        let path = RawPathParams::from_request_parts(&mut parts, state).await;
        let path = path.map_err(|_| AppError::NotFound)?;
        let mut path = path.iter().map(|(_, value)| value);
        let path_id = path.next().map(str::to_owned);
        let part_id = match path.next().map(str::parse) {
            Some(Err(_)) => return Err(AppError::NotFound),
            Some(Ok(id)) => Some(id),
            None => None,
        };
        let bytes = read_body(body).await?;
        let key = key(&parts.headers, &parts.method, parts.uri.path(), &bytes)?;
        let body = if bytes.iter().all(u8::is_ascii_whitespace) {
            Map::new()
        } else {
            from_json(&bytes)?
        };
        let id = match path_id {
            // What is not even an id names nothing.
            Some(text) => text.parse().map_err(|_| AppError::NotFound)?,
            None => match body.get("id") {
                None | Some(Value::Null) => state.env.id(),
                Some(id) => id
                    .as_str()
                    .and_then(|it| it.parse().ok())
                    .ok_or_else(|| AppError::Malformed("`id` must be a UUID".to_owned()))?,
            },
        };
        Ok(Self {
            app: state.clone(),
            id,
            part_id,
            body,
            key,
            if_match: if_match(&parts.headers)?,
        })
    }
}

/// A call that writes what a file says, which is its body.
#[derive(Debug)]
pub struct FileForm {
    /// The file's bytes, at most `IMPORT_CARDS_BYTES`.
    pub bytes: Bytes,
    app: AppState,
    key: Option<IdempotencyKey>,
}

impl FromRequest<AppState> for FileForm {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let (parts, body) = request.into_parts();
        let too_large = || ImportFault::TooLarge.to_string();
        let bytes = read_at_most(body, IMPORT_CARDS_BYTES, too_large).await?;
        // What is chosen of the file is asked with it.
        let asked = parts.uri.path_and_query().map_or("", |it| it.as_str());
        let key = key(&parts.headers, &parts.method, asked, &bytes)?;
        Ok(Self {
            bytes,
            app: state.clone(),
            key,
        })
    }
}

impl FileForm {
    /// The stored answer to the first call with this key, if there was one. A repeat is answered before its file is compared
    /// with the business: by then all clients of the file are known there.
    pub async fn former_answer(&self, member: &Member) -> Result<Option<Response>, AppError> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let mut tx = self.app.db.read_autocommit().await?;
        let id = member.mutation_key(&key.id);
        let Some(known) = db::find_mutation(&mut tx, member.sitter_id, &id).await? else {
            return Ok(None);
        };
        if known.args_hash != key.args_hash {
            return Err(AppError::KeyReused);
        }
        answer_again(&known).map(Some)
    }

    /// Has the command executed and answers.
    pub async fn submit(self, member: Member, command: Command) -> Result<Response, AppError> {
        submit(&self.app, self.key, None, member, command).await
    }
}

/// Reads a body of a sensible size: a form or a batch of changes, never a file.
pub async fn read_body(body: Body) -> Result<Bytes, AppError> {
    let too_large = || format!("A body has at most {} MB", BODY_BYTES / 1024 / 1024);
    read_at_most(body, BODY_BYTES, too_large).await
}

async fn read_at_most(
    body: Body,
    most: usize,
    too_large: impl Fn() -> String,
) -> Result<Bytes, AppError> {
    axum::body::to_bytes(body, most).await.map_err(|it| {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&it);
        while let Some(it) = cause.filter(|it| !it.is::<LengthLimitError>()) {
            cause = it.source();
        }
        if cause.is_none() {
            return AppError::BodyBrokeOff;
        }
        AppError::TooLarge(too_large())
    })
}

/// Parses a JSON body, after all of it was checked against its bounds.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AppError> {
    from_json_except("", bytes)
}

/// As `from_json`, but for what fields of this name have, which is checked apart.
pub fn from_json_except<T: DeserializeOwned>(
    unread: &'static str,
    bytes: &[u8],
) -> Result<T, AppError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| AppError::Malformed("The body is not valid UTF-8".to_owned()))?;
    let checked = bounds::check_but(unread, text).map_err(|it| malformed::syntax(text, &it))?;
    checked.or(())?;
    malformed::read_json("", text).map_err(AppError::Malformed)
}

/// Reads the `Idempotency-Key` of a call, with a hash over method, path and all of its `body` that counts.
pub fn key(
    headers: &HeaderMap,
    method: &axum::http::Method,
    path: &str,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, AppError> {
    let Some(key) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let id = key.to_str().unwrap_or_default().trim().to_owned();
    if id.is_empty() || 200 < id.len() {
        return Err(AppError::Malformed(
            "`Idempotency-Key` has 1 to 200 plain characters".to_owned(),
        ));
    }
    let mut asked = format!("{method} {path}\n").into_bytes();
    asked.extend_from_slice(body);
    Ok(Some(IdempotencyKey {
        id,
        args_hash: sha256(&asked),
    }))
}

fn if_match(headers: &HeaderMap) -> Result<Option<u64>, AppError> {
    let Some(etag) = headers.get(header::IF_MATCH) else {
        return Ok(None);
    };
    let etag = etag.to_str().unwrap_or_default().trim();
    if etag == "*" {
        return Ok(None);
    }
    let rev = etag.trim_matches('"').parse();
    // A tag that this server never gave is one that does not match.
    rev.map(Some).map_err(|_| AppError::PreconditionFailed)
}

impl Form {
    /// All its fields, as a patch; those that may not be set are ignored later.
    pub fn patch(&self) -> Patch {
        Patch(self.body.clone())
    }

    /// One of its fields; absent and null are the default.
    pub fn get<T: DeserializeOwned + Default>(&self, field: &str) -> Result<T, AppError> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(T::default()),
            Some(value) => malformed::read_json(field, &value.to_string())
                .map_err(|it| AppError::of_field(field, &it)),
        }
    }

    /// Gives a field the name that the core knows, where the API has another one.
    pub fn rename(&mut self, from: &str, to: &str) {
        if let Some(value) = self.body.remove(from)
            && !self.body.contains_key(to)
        {
            self.body.insert(to.to_owned(), value);
        }
    }

    /// The pets of a client's form; `known` are those that it has. A pet may be given by its name alone.
    pub fn dogs(&self, known: &[Id]) -> Result<Vec<PetPatch>, AppError> {
        let dogs: Vec<Value> = self.get("dogs")?;
        let dog = |value: Value| {
            let changes = match value {
                Value::Object(fields) => Patch(fields),
                Value::String(name) => Patch::of("name", name),
                _ => {
                    return Err(AppError::Malformed(
                        "`dogs` must have objects or names".to_owned(),
                    ));
                }
            };
            let id = match changes.0.get("id").filter(|it| !it.is_null()) {
                None => self.app.env.id(),
                Some(id) => id
                    .as_str()
                    .and_then(|it| it.parse().ok())
                    .ok_or_else(|| AppError::Malformed("`dogs.id` must be a UUID".to_owned()))?,
            };
            Ok(PetPatch {
                id,
                is_new: !known.contains(&id),
                changes,
            })
        };
        dogs.into_iter().map(dog).collect()
    }

    /// Has the command executed and answers.
    pub async fn submit(self, member: Member, command: Command) -> Result<Response, AppError> {
        submit(&self.app, self.key, self.if_match, member, command).await
    }
}

async fn submit(
    app: &AppState,
    key: Option<IdempotencyKey>,
    if_match: Option<u64>,
    member: Member,
    command: Command,
) -> Result<Response, AppError> {
    let key = key.map(|it| IdempotencyKey {
        id: member.mutation_key(&it.id),
        ..it
    });
    let request = CommandRequest {
        member,
        command: Ok(command),
        key,
        source: CommandSource::Rest { if_match },
    };
    match execute(app, &request).await? {
        Executed::Decided {
            answer: Some(answer),
            ..
        } => Ok(answer.into_response()),
        Executed::Decided { decided, .. } => match decided {
            Err(refusal) => Err(refusal.into()),
            Ok(_) => Err(AppError::Internal(anyhow::anyhow!(
                "a REST call has no answer"
            ))),
        },
        Executed::Known(known) => answer_again(&known),
        Executed::OutOfOrder | Executed::OtherServer => Err(AppError::Refused(Refusal::Gone)),
    }
}

/// The answer that a call was given before.
fn answer_again(known: &MutationRow) -> Result<Response, AppError> {
    let status = known.answer_status.and_then(|it| u16::try_from(it).ok());
    let status = status.and_then(|it| axum::http::StatusCode::from_u16(it).ok());
    let body = known
        .answer_body
        .as_deref()
        .and_then(|it| serde_json::from_str(it).ok());
    match (status, body) {
        (Some(status), Some(body)) => Ok(Answer { status, body }.into_response()),
        // Its answer went with what was deleted since.
        _ if known.device_id.is_none() => Err(AppError::Refused(Refusal::Gone)),
        // The key is that of a phone's command, which has no answer of this kind.
        _ => Err(AppError::KeyReused),
    }
}
