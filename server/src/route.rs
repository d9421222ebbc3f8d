//! Owns the table of routes: one line says method, path, who may call it and what it does, and both the router and
//! the OpenAPI document are made of that line, so that neither can have a call that the other has not.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::db::Role;
use crate::error::AppError;
use crate::session::authenticate;
use crate::state::AppState;

/// Who may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Public,
    /// Anybody who is signed in.
    AnyUser,
    /// A sitter.
    Sitter,
    /// A pet parent.
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
    query: Vec<(&'static str, &'static str)>,
    body: Option<Shape>,
    answer: Option<Shape>,
    handler: MethodRouter<AppState>,
}

/// Makes a type's schema and gathers those that it refers to.
type Shape = Box<dyn FnOnce(&mut Schemas) -> (&'static str, Value)>;

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
    pub fn some_of<T: ToSchema>(&mut self, fields: &[&str]) -> Value {
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
            .filter(|(name, _)| fields.contains(&name.as_str()));
        let some: serde_json::Map<String, Value> =
            some.map(|(name, it)| (name.clone(), it.clone())).collect();
        json!({ "type": "object", "properties": some })
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

/// Any call.
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
        handler,
    }
}

impl Route {
    /// With a parameter in its query.
    pub fn query(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push((name, description));
        self
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
                let schema = match name {
                    "id" => json!({ "type": "string", "format": "uuid" }),
                    _ => json!({ "type": "string" }),
                };
                json!({ "name": name, "in": "path", "required": true, "schema": schema })
            })
            .collect();
        parameters.extend(self.query.iter().map(|(name, description)| {
            json!({ "name": name, "in": "query", "description": description, "schema": { "type": "string" } })
        }));
        let is_write = self.method != Method::GET;
        if is_write && self.access == Access::Sitter {
            parameters.push(json!({
                "name": "Idempotency-Key", "in": "header", "schema": { "type": "string" },
                "description": "A repeat with the same key and body gets the first answer again and changes nothing.",
            }));
        }
        let content = |(content_type, schema): (&'static str, Value)| json!({ content_type: { "schema": schema } });
        let failure = json!({ "$ref": "#/components/responses/Failure" });
        let mut responses = json!({ "default": failure });
        responses["2XX"] = match self.answer {
            Some(shape) => json!({ "description": "Done.", "content": content(shape(schemas)) }),
            None => json!({ "description": "Done." }),
        };
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
            operation["requestBody"] = json!({ "content": content(shape(schemas)) });
        }
        if self.access != Access::Public {
            operation["security"] = json!([{ "bearer": [] }]);
        }
        operation
    }
}

/// The router of the calls, below `/api`, and the document that describes them.
pub fn mount(routes: Vec<Route>, state: &AppState) -> (Router<AppState>, Value) {
    let mut router = Router::new();
    let mut described = Vec::new();
    for mut route in routes {
        let guard = middleware::from_fn_with_state((state.clone(), route.access), guard);
        let handler = std::mem::take(&mut route.handler).route_layer(guard);
        router = router.route(&format!("/api{}", route.path), handler);
        described.push(route);
    }
    (router, document(described))
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
            "responses": { "Failure": {
                "description": "Not done.",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } },
            } },
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
    State((state, access)): State<(AppState, Access)>,
    mut request: Request,
    next: Next,
) -> Response {
    if access == Access::Public {
        return next.run(request).await;
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
    request.extensions_mut().insert(user);
    next.run(request).await
}
