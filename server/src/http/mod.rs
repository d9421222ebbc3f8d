//! HTTP around the calls of the API: the table of routes, forms, idempotency keys, response buffering, the embedded app.

pub mod compressed;
pub(crate) mod extract;
pub mod form;
pub mod idempotency;
pub mod metrics_page;
pub(crate) mod outgoing_layer;
pub mod route;
pub mod static_app;
