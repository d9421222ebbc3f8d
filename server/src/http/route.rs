//! Owns the table of routes: one line says method, path, who may call it and what it does, and both the router and
//! the OpenAPI document are made of that line, so that neither can have a call that the other has not.

use std::collections::{BTreeMap, BTreeSet};

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{DefaultBodyLimit, RawPathParams, Request, State};
use axum::handler::Handler;
use axum::http::{Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use walkies_core::api::Role;
use walkies_core::values::bounds::{self, is_text};
use walkies_core::values::field::Field;

use crate::app::session::authenticate;
use crate::app::state::AppState;
use crate::base::address::caller_ip;
use crate::base::error::AppError;
use crate::http::idempotency::once;
use crate::limits::bodies::{self, ANONYMOUS_BYTES, BodySender};
use crate::limits::listen::LongAnswer;
use crate::limits::outgoing::{self, Taker};

/// The callers that a route admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody, without a sign-in.
    Public,
    /// Anybody who is signed in.
    AnyUser,
    /// A signed-in sitter.
    Sitter,
    /// A signed-in pet parent.
    Client,
}

impl Access {
    /// The name in the OpenAPI document, under `x-access`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::AnyUser => "any_user",
            Self::Sitter => "sitter",
            Self::Client => "client",
        }
    }
}

/// One call of the API.
pub struct Route {
    method: Method,
    path: &'static str,
    access: Access,
    summary: &'static str,
    query: Vec<Parameter>,
    body: Option<SchemaFn>,
    answer: Option<SchemaFn>,
    also_file: Option<&'static str>,
    is_command: bool,
    is_once: bool,
    /// The most bytes of its body, where nobody need sign in.
    anonymous_bytes: usize,
    statuses: Vec<u16>,
    also_fails: Vec<u16>,
    handler: MethodRouter<AppState>,
}

/// A parameter in the query.
struct Parameter {
    name: &'static str,
    description: &'static str,
    is_required: bool,
}

/// Makes a type's schema and gathers those that it refers to.
type SchemaFn = Box<dyn FnOnce(&mut Schemas) -> (&'static str, Value)>;

/// The schemas of the document, by name.
#[derive(Debug, Default)]
pub struct Schemas(BTreeMap<String, Value>);

impl Schemas {
    /// A reference to a type's schema.
    pub fn of<T: ToSchema>(&mut self) -> Value {
        let mut found: Vec<(String, RefOr<Schema>)> = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut found);
        for (name, schema) in found {
            self.0.insert(name, json!(schema));
        }
        json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
    }

    /// The schema of an input that names only some fields of a type: those that a caller may set.
    pub fn subset_of<T: ToSchema>(&mut self, fields: &[Field]) -> Value {
        let mut found: Vec<(String, RefOr<Schema>)> = Vec::new();
        T::schemas(&mut found);
        for (name, schema) in found {
            self.0.insert(name, json!(schema));
        }
        let whole = json!(<T as PartialSchema>::schema());
        let properties = whole.get("properties").and_then(Value::as_object);
        let some = properties
            .into_iter()
            .flatten()
            .filter(|(name, _)| fields.iter().any(|it| it.name == *name));
        let some: serde_json::Map<String, Value> =
            some.map(|(name, it)| (name.clone(), it.clone())).collect();
        json!({ "type": "object", "properties": some })
    }
}

impl Schemas {
    /// Says in the schema of a body how much its fields take, with those that it refers to.
    fn add_bounds(&mut self, field: &str, schema: &mut Value) {
        let Some(words) = schema.as_object_mut() else {
            return;
        };
        if let Some(target) = words.get("$ref").and_then(Value::as_str) {
            let name = target.rsplit('/').next().unwrap_or_default().to_owned();
            // Taken out while it is looked at, it is not looked at again.
            if let Some(mut target) = self.0.remove(&name) {
                self.add_bounds(field, &mut target);
                self.0.insert(name, target);
            }
        }
        let is = |kind: &str| match words.get("type") {
            Some(Value::String(it)) => it == kind,
            Some(Value::Array(kinds)) => kinds.iter().any(|it| it == kind),
            _ => false,
        };
        let is_free = ["format", "enum", "const", "pattern"]
            .iter()
            .all(|it| !words.contains_key(*it));
        if is("string") && is_free {
            words.insert("maxLength".to_owned(), bounds::text(field).into());
            words.insert("pattern".to_owned(), TEXT.into());
        } else if is("array") {
            words.insert("maxItems".to_owned(), bounds::list(field).into());
        } else if (is("integer") || is("number"))
            && let Some((least, most)) = bounds::range(field)
        {
            words.insert("minimum".to_owned(), json!(least));
            words.insert("maximum".to_owned(), json!(most));
        }
        // Ours have no sign and one bit more.
        if words.get("format").and_then(Value::as_str) == Some("int32")
            && words.contains_key("minimum")
        {
            words.remove("format");
            words.entry("maximum").or_insert_with(|| u32::MAX.into());
        }
        for (word, below) in words {
            match (word.as_str(), below) {
                ("properties", Value::Object(properties)) => {
                    for (field, schema) in properties {
                        self.add_bounds(field, schema);
                    }
                }
                ("items", schema) => self.add_bounds(field, schema),
                ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                    for schema in schemas {
                        self.add_bounds(field, schema);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A text without control characters but line feed and tab.
const TEXT: &str = r"^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$";

/// The characters of the columns' names: a parameter has room for the longest of them all.
pub const COLUMNS_CHARS: usize = bounds::IMPORT_COLUMNS * 24;

/// The schema of a parameter, by its name.
fn parameter(name: &str) -> Value {
    match name {
        "id" | "client_id" | "clientId" | "device_id" | "backend_id" | "map_id" => {
            json!({ "type": "string", "format": "uuid" })
        }
        "date_start" | "date_end" | "startDate" | "endDate" => {
            json!({ "type": "string", "format": "date" })
        }
        "year" => json!({ "type": "integer", "minimum": 2000, "maximum": 2200 }),
        "period" => json!({ "type": "integer", "minimum": 1, "maximum": bounds::ANALYTICS_DAYS }),
        "format" => json!({ "type": "string", "enum": ["json", "csv"] }),
        "dry_run" | "known" | "skip_wrong" => json!({ "type": "boolean" }),
        "columns" => {
            json!({ "type": "string", "maxLength": COLUMNS_CHARS, "pattern": "^[a-z0-9_.,]*$" })
        }
        "include_archived" => json!({ "type": "boolean" }),
        "cursor" | "epoch" | "limit" | "offset" => json!({ "type": "integer", "minimum": 0 }),
        "schema" => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        "size" => json!({ "type": "string", "enum": ["full", "thumb"] }),
        _ => match bounds::range(name) {
            Some((least, most)) => json!({ "type": "number", "minimum": least, "maximum": most }),
            None => json!({ "type": "string", "maxLength": bounds::TEXT }),
        },
    }
}

/// A call that reads.
pub fn get<H: Handler<T, AppState>, T: 'static>(
    path: &'static str,
    access: Access,
    summary: &'static str,
    handler: H,
) -> Route {
    route(Method::GET, path, access, summary, handler)
}

/// A call that posts.
pub fn post<H: Handler<T, AppState>, T: 'static>(
    path: &'static str,
    access: Access,
    summary: &'static str,
    handler: H,
) -> Route {
    route(Method::POST, path, access, summary, handler)
}

/// Declares a route with any method.
pub fn route<H: Handler<T, AppState>, T: 'static>(
    method: Method,
    path: &'static str,
    access: Access,
    summary: &'static str,
    handler: H,
) -> Route {
    let filter = match method {
        Method::POST => MethodFilter::POST,
        Method::PUT => MethodFilter::PUT,
        Method::PATCH => MethodFilter::PATCH,
        Method::DELETE => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    };
    let handler = on(filter, handler);
    Route {
        method,
        path,
        access,
        summary,
        query: Vec::new(),
        body: None,
        answer: None,
        also_file: None,
        is_command: false,
        is_once: false,
        anonymous_bytes: ANONYMOUS_BYTES,
        statuses: Vec::new(),
        also_fails: Vec::new(),
        handler,
    }
}

impl Route {
    /// With a parameter in its query.
    pub fn query(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push(Parameter {
            name,
            description,
            is_required: false,
        });
        self
    }

    /// With a parameter that its query must have.
    pub fn required_query(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push(Parameter {
            name,
            description,
            is_required: true,
        });
        self
    }

    /// Is a command, and so can fail as commands do.
    pub const fn command(mut self) -> Self {
        self.is_command = true;
        self
    }

    /// Is no command, and done once all the same for those who say with a key which call they mean. Nothing in its answer is a
    /// secret.
    pub const fn once(mut self) -> Self {
        self.is_once = true;
        self
    }

    /// Answers one of these statuses where it is done; 200 without.
    pub fn statuses(mut self, statuses: &[u16]) -> Self {
        self.statuses.extend(statuses);
        self
    }

    /// Can fail with these statuses beside those that its access and its kind say.
    pub fn fails(mut self, statuses: &[u16]) -> Self {
        self.also_fails.extend(statuses);
        self
    }

    /// All statuses with which it can fail. 500 is none of them: that is a defect.
    fn failures(&self) -> BTreeSet<u16> {
        let mut failures = BTreeSet::from([503]);
        match self.access {
            // Who need not sign in is counted.
            Access::Public if self.method != Method::GET => failures.extend([413, 429]),
            Access::Public => failures.extend([429]),
            Access::AnyUser => failures.extend([401, 429]),
            Access::Sitter | Access::Client => failures.extend([401, 403, 429]),
        }
        if self.path.contains('{') {
            failures.insert(404);
        }
        if !self.query.is_empty() {
            failures.insert(400);
        }
        if self.body.is_some() {
            failures.extend([400, 408, 413, 422]);
        }
        if self.is_once {
            failures.extend([400, 408, 413, 422]);
        }
        if self.is_command {
            failures.extend([400, 404, 408, 409, 412, 413, 422]);
        }
        failures.extend(&self.also_fails);
        failures
    }

    /// With a JSON body of this type.
    pub fn body<T: ToSchema + 'static>(self) -> Self {
        self.body_of(|schemas| schemas.of::<T>())
    }

    /// With a JSON body of this schema.
    pub fn body_of(mut self, shape: impl FnOnce(&mut Schemas) -> Value + 'static) -> Self {
        self.body = Some(Box::new(|schemas| ("application/json", shape(schemas))));
        self
    }

    /// With a multipart body whose parts have these schemas.
    pub fn multipart(mut self, parts: Value) -> Self {
        self.body = Some(Box::new(move |_| {
            (
                "multipart/form-data",
                json!({ "type": "object", "properties": parts }),
            )
        }));
        self
    }

    /// With a body of up to so many bytes that are no form.
    pub fn bytes(mut self, most: u64) -> Self {
        let schema = json!({ "type": "string", "format": "binary", "maxLength": most });
        self.body = Some(Box::new(move |_| ("application/octet-stream", schema)));
        self
    }

    /// Answers the success form with data of this type.
    pub fn answer<T: ToSchema + 'static>(self) -> Self {
        self.answer_of(|schemas| schemas.of::<T>())
    }

    /// Answers the success form with data of this schema.
    pub fn answer_of(mut self, shape: impl FnOnce(&mut Schemas) -> Value + 'static) -> Self {
        self.answer = Some(Box::new(|schemas| {
            let data = shape(schemas);
            let form = json!({
                "type": "object",
                "required": ["success", "data"],
                "properties": { "success": { "type": "boolean" }, "data": data },
            });
            ("application/json", form)
        }));
        self
    }

    /// Answers a page of a list of rows of this schema, and how many there are.
    pub fn list_of(self, shape: impl FnOnce(&mut Schemas) -> Value + 'static) -> Self {
        self.page_of(|schemas| json!({ "type": "array", "items": shape(schemas) }))
    }

    /// The same, where the data of this schema has the list.
    pub fn page_of(mut self, shape: impl FnOnce(&mut Schemas) -> Value + 'static) -> Self {
        for (name, description) in [
            (
                "limit",
                "How many rows, 1,000 at most; without it as many as the list gives at once",
            ),
            ("offset", "How many rows of the list come before the first"),
        ] {
            if self.query.iter().all(|it| it.name != name) {
                self = self.query(name, description);
            }
        }
        self.answer = Some(Box::new(|schemas| {
            let data = shape(schemas);
            let form = json!({
                "type": "object",
                "required": ["success", "data", "total"],
                "properties": {
                    "success": { "type": "boolean" },
                    "data": data,
                    "total": { "type": "integer", "description": "How many rows the whole list has." },
                },
            });
            ("application/json", form)
        }));
        self
    }

    /// Answers bytes of this type.
    pub fn file(mut self, content_type: &'static str) -> Self {
        self.answer = Some(Box::new(move |_| {
            (
                content_type,
                json!({ "type": "string", "format": "binary" }),
            )
        }));
        self
    }

    /// Answers bytes of this type in place of it, where they are asked for.
    pub const fn or_file(mut self, content_type: &'static str) -> Self {
        self.also_file = Some(content_type);
        self
    }

    /// Takes bodies of up to so many bytes of anybody, in place of what is usual where nobody need sign in.
    pub const fn anonymous_body(mut self, bytes: usize) -> Self {
        self.anonymous_bytes = bytes;
        self
    }

    /// Takes bodies of up to so many bytes, where its extractor heeds it.
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::max(bytes));
        self
    }

    fn operation(self, schemas: &mut Schemas) -> Value {
        let mut parameters: Vec<Value> = self
            .path
            .split('/')
            .filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'))
            .map(|name| {
                let schema = parameter(name);
                json!({ "name": name, "in": "path", "required": true, "schema": schema })
            })
            .collect();
        parameters.extend(self.query.iter().map(|it| {
            json!({
                "name": it.name, "in": "query", "description": it.description, "required": it.is_required,
                "schema": parameter(it.name),
            })
        }));
        if self.is_command || self.is_once {
            parameters.push(json!({
                "name": "Idempotency-Key", "in": "header",
                "schema": { "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]*$" },
                "description": "A repeat with the same key and body gets the first answer again and changes nothing.",
            }));
        }
        let content = |(content_type, schema): (&'static str, Value)| json!({ content_type: { "schema": schema } });
        let mut responses = serde_json::Map::new();
        for status in self.failures() {
            let form = if matches!(status, 429 | 503) {
                "Later"
            } else {
                "Failure"
            };
            let form = json!({ "$ref": format!("#/components/responses/{form}") });
            responses.insert(status.to_string(), form);
        }
        let too_long = json!({ "$ref": "#/components/responses/HeadTooLong" });
        responses.insert("431".to_owned(), too_long);
        let mut done = match self.answer {
            Some(shape) => json!({ "description": "Done.", "content": content(shape(schemas)) }),
            None => json!({ "description": "Done." }),
        };
        if let Some(content_type) = self.also_file {
            done["content"][content_type] =
                json!({ "schema": { "type": "string", "format": "binary" } });
        }
        if self.statuses.is_empty() {
            responses.insert("200".to_owned(), done.clone());
        }
        for status in self.statuses {
            responses.insert(status.to_string(), done.clone());
        }
        let name = self.path.replace(['/', '{', '}', '-'], "_");
        let mut operation = json!({
            "operationId": format!("{}{name}", self.method.as_str().to_lowercase()),
            "summary": self.summary,
            "tags": [self.path.split('/').nth(1).unwrap_or_default()],
            "x-access": self.access.name(),
            "parameters": parameters,
            "responses": responses,
        });
        if let Some(shape) = self.body {
            let (content_type, mut schema) = shape(schemas);
            schemas.add_bounds("", &mut schema);
            operation["requestBody"] = json!({ "content": content((content_type, schema)) });
        }
        if self.access != Access::Public {
            operation["security"] = json!([{ "bearer": [] }]);
        }
        operation
    }
}

/// The router of the calls, below `/api`.
pub fn mount(routes: Vec<Route>, state: &AppState) -> Router<AppState> {
    let mut router = Router::new();
    for mut route in routes {
        let anonymous_bytes = route.anonymous_bytes;
        let guarded = (state.clone(), route.access, anonymous_bytes);
        let guard = middleware::from_fn_with_state(guarded, guard);
        let mut handler = std::mem::take(&mut route.handler);
        if route.is_once {
            handler = handler.route_layer(middleware::from_fn_with_state(state.clone(), once));
        }
        let handler = handler.route_layer(guard);
        router = router.route(&format!("/api{}", route.path), handler);
    }
    router
}

/// The document that describes the calls.
pub fn document(routes: Vec<Route>) -> Value {
    let mut schemas = Schemas::default();
    let mut paths: BTreeMap<String, Value> = BTreeMap::new();
    for route in routes {
        let path = format!("/api{}", route.path);
        let method = route.method.as_str().to_lowercase();
        let operation = route.operation(&mut schemas);
        paths.entry(path).or_insert_with(|| json!({}))[method] = operation;
    }
    let failure =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Walkies",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The business of a pet sitter or dog walker. Success is {\"success\": true, \"data\": …}; \
                failure is {\"success\": false, \"code\", \"error\", \"message\", \"fields\"?}.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
            "responses": {
                "Failure": { "description": "Not done.", "content": failure },
                "Later": {
                    "description": "Not now; come again.",
                    "headers": { "Retry-After": { "description": "Seconds.", "schema": { "type": "integer" } } },
                    "content": failure,
                },
                "HeadTooLong": {
                    "description": "The address and the headers are longer than 8 kB. The answer has no body.",
                },
            },
            "schemas": with_failure(schemas),
        },
    })
}

fn with_failure(schemas: Schemas) -> Value {
    let mut schemas = json!(schemas.0);
    schemas["Failure"] = json!({
        "type": "object",
        "required": ["success", "code", "error", "message"],
        "properties": {
            "success": { "const": false },
            "code": { "type": "string" },
            "error": { "type": "string" },
            "message": { "type": "string" },
            "fields": { "type": "object", "additionalProperties": { "type": "string" } },
            "details": { "type": "object" },
        },
    });
    schemas
}

/// Lets those through who may call; before the body is read and before anything is looked up.
async fn guard(
    State((state, access, anonymous_bytes)): State<(AppState, Access, usize)>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    mut request: Request,
    next: Next,
) -> Response {
    // What is no text names nothing.
    let is_text = |path: RawPathParams| path.iter().all(|(_, it)| it.chars().all(is_text));
    if !path.is_ok_and(is_text) {
        return AppError::NotFound.into_response();
    }
    let address = caller_ip(
        state.settings.behind_proxy,
        request.headers(),
        request.extensions(),
    );
    if access == Access::Public {
        if request.method() == Method::GET {
            return next.run(request).await;
        }
        // What says that it is longer is not even begun with.
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length: Option<u64> = length.and_then(|it| it.to_str().ok()?.parse().ok());
        if length.is_some_and(|it| (anonymous_bytes as u64) < it) {
            return bodies::too_long(anonymous_bytes).into_response();
        }
        let account = None;
        return with_body(
            &state,
            BodySender { address, account },
            anonymous_bytes,
            request,
            next,
        )
        .await;
    }
    let user = match authenticate(&state, request.headers()).await {
        Ok(user) => user,
        Err(error) => return error.into_response(),
    };
    let may_call = match access {
        Access::Public | Access::AnyUser => true,
        Access::Sitter => user.account.role == Role::Sitter,
        Access::Client => user.account.role == Role::Client,
    };
    if !may_call {
        return AppError::Forbidden.into_response();
    }
    let permit = match state.calls.acquire(user.account.id).await {
        Ok(permit) => permit,
        Err(error) => return error.into_response(),
    };
    let account = Some(user.account.id);
    request.extensions_mut().insert(user);
    // Whoever reads it says how much of it that may be.
    let most = usize::MAX;
    let response = with_body(&state, BodySender { address, account }, most, request, next).await;
    let mut response = response;
    if let Some(id) = account {
        response.extensions_mut().insert(Taker::Account(id));
    }
    // A film or an archive is taken in for as long as it lasts, a piece at a time, and has limits of its own.
    let is_long = response.extensions().get::<LongAnswer>().is_some();
    let content_type = response.headers().get(header::CONTENT_TYPE);
    let is_film = content_type.is_some_and(|it| it.as_bytes().starts_with(b"video/"));
    if is_long || is_film {
        return response;
    }
    response.map(|body| outgoing::held(body, permit))
}

/// Has a call done while its body counts.
async fn with_body(
    state: &AppState,
    sender: BodySender,
    most: usize,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let (body, lease) = state.bodies.count(body, sender, most);
    if let Some(lease) = &lease {
        parts.extensions.insert(lease.clone());
    }
    let response = next.run(Request::from_parts(parts, body)).await;
    match lease.and_then(|it| it.fault()) {
        // What is said of a body that broke off is not what was wrong with it.
        Some(fault) if !response.status().is_success() => fault.into_response(),
        _ => response,
    }
}
