//! Offerings: the services that a sitter sells.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde_json::{Value, json};
use walkies_core::Command;
use walkies_core::commands::{
    CreateOffering, DeleteOffering, OfferingPlace, ReorderOfferings, UpdateOffering,
};
use walkies_core::rows::offering::Offering;

use super::{command, list_of, revised, with_fields};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::http::route::{Access, Route, Schemas, get};
use crate::write::answer::{self, ok_list};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/sitter-services", Access::Sitter, "All offerings in their order", list_offerings)
            .list_of(revised::<Offering>),
        command(Method::POST, "/sitter-services", "Adds an offering", |form| {
            Ok(Command::CreateOffering(CreateOffering { id: form.id, offering: form.patch() }))
        })
        .statuses(&[201])
        .body_of(offering_form)
        .answer_of(revised::<Offering>),
        command(Method::PATCH, "/sitter-services/reorder", "Puts the offerings in an order", |form| {
            Ok(Command::ReorderOfferings(ReorderOfferings { orders: form.get("serviceOrders")? }))
        })
        .body_of(|it| {
            let orders = list_of(it.of::<OfferingPlace>());
            json!({ "type": "object", "required": ["serviceOrders"], "properties": { "serviceOrders": orders } })
        })
        .answer_of(|it| list_of(revised::<Offering>(it))),
        command(Method::PUT, "/sitter-services/{id}", "Changes an offering", |form| {
            Ok(Command::UpdateOffering(UpdateOffering { id: form.id, changes: form.patch() }))
        })
        .body_of(offering_form)
        .answer_of(revised::<Offering>),
        command(
            Method::DELETE,
            "/sitter-services/{id}",
            "Deletes an offering, or deactivates it where it has bookings or requests",
            |form| Ok(Command::DeleteOffering(DeleteOffering { id: form.id })),
        )
        .answer_of(|it| with_fields(super::removed(it), json!({ "deactivated": { "type": "boolean" } }))),
    ]
}

fn offering_form(schemas: &mut Schemas) -> Value {
    schemas.subset_of::<Offering>(Offering::EDITABLE)
}

async fn list_offerings(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let offerings = answer::offerings(&mut tx, &sitter.into()).await?;
    drop(tx);
    ok_list(offerings, page).await
}
