//! Invoices: shared, paid, credited, deleted and listed by the sitter, and listed for whom they are for.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use walkies_core::commands::{
    CreditInvoice, DeleteInvoice, RecordInvoicePayment, RecordInvoiceRefund, RecordPayments,
    RemindOfInvoice, RemoveInvoicePayment, RemoveInvoiceRefund, RestoreInvoice, SetWrittenOff,
    SettleOverpayment, ShareInvoice,
};
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::service::Service;
use walkies_core::rows::versioned::Versioned;
use walkies_core::rules::client_view::shown_to;
use walkies_core::{Command, Id, Row};

use super::photos::id_in_url;
use super::{command, list_of, with_fields};
use crate::app::session::{AnyUser, SitterUser};
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db;
use crate::http::extract::QueryParams;
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get, route};
use crate::limits::outgoing::Taker;
use crate::write::answer::{Answer, InvoiceAnswer, ListWriter, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/invoices",
            Access::Sitter,
            "Shared invoices and credit notes, the newest first",
            list_invoices,
        )
        .query("client_id", "Of one client")
        .list_of(invoice),
        get(
            "/invoices/count",
            Access::Sitter,
            "How many invoices and credit notes are shared",
            count_invoices,
        )
        .answer_of(
            |_| json!({ "type": "object", "properties": { "count": { "type": "integer" } } }),
        ),
        get(
            "/invoices/{id}",
            Access::Sitter,
            "A shared invoice",
            read_invoice,
        )
        .answer_of(invoice),
        route(
            Method::POST,
            "/invoices/share",
            Access::Sitter,
            "Shares an invoice of a client's services, as they are on the server",
            share_invoice,
        )
        .command()
        .statuses(&[201])
        .body_of(share_form)
        .answer_of(invoice),
        command(
            Method::POST,
            "/invoices/{id}/mark-paid",
            "Writes down that all that was owed is paid",
            |form| {
                Ok(Command::RecordInvoicePayment(RecordInvoicePayment {
                    amount: None,
                    ..payment(form)?
                }))
            },
        )
        .body_of(|it| it.of::<RecordInvoicePayment>())
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/{id}/payments",
            "Writes down that something was paid; all that is owed without an amount",
            |form| payment(form).map(Command::RecordInvoicePayment),
        )
        .body_of(|it| it.of::<RecordInvoicePayment>())
        .answer_of(changed),
        command(
            Method::DELETE,
            "/invoices/{id}/payments/{payment_id}",
            "Takes back that something was paid",
            |form| {
                Ok(Command::RemoveInvoicePayment(RemoveInvoicePayment {
                    id: form.id,
                    payment_id: form.part_id.ok_or(AppError::NotFound)?,
                }))
            },
        )
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/{id}/overpayment",
            "Says how much of what was paid is a tip and how much stays as the client's credit; the rest is owed back",
            |form| {
                Ok(Command::SettleOverpayment(SettleOverpayment {
                    id: form.id,
                    tip: form.get("tip")?,
                    kept: form.get("kept")?,
                }))
            },
        )
        .body_of(|it| it.of::<SettleOverpayment>())
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/{id}/refunds",
            "Writes down that money went back to the client; all that is owed back without an amount",
            |form| {
                let refund_id: Option<Id> = form.get("refund_id")?;
                Ok(Command::RecordInvoiceRefund(RecordInvoiceRefund {
                    id: form.id,
                    refund_id: refund_id.unwrap_or_else(|| form.app.env.id()),
                    amount: form.get("amount")?,
                    method: form.get("method")?,
                    refunded_on: form.get("refunded_on")?,
                    note: form.get("note")?,
                }))
            },
        )
        .body_of(|it| it.of::<RecordInvoiceRefund>())
        .answer_of(changed),
        command(
            Method::DELETE,
            "/invoices/{id}/refunds/{refund_id}",
            "Takes back that money went back",
            |form| {
                Ok(Command::RemoveInvoiceRefund(RemoveInvoiceRefund {
                    id: form.id,
                    refund_id: form.part_id.ok_or(AppError::NotFound)?,
                }))
            },
        )
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/{id}/credit",
            "Gives a part of an invoice back by a credit note, which it answers",
            |form| {
                let id: Option<Id> = form.get("credit_id")?;
                Ok(Command::CreditInvoice(CreditInvoice {
                    id: id.unwrap_or_else(|| form.app.env.id()),
                    invoice_id: form.id,
                    amount: form.get("amount")?,
                    note: form.get("note")?,
                }))
            },
        )
        .statuses(&[201])
        .body_of(credit_form)
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/payments",
            "Writes down one payment over several invoices: all of it, or nothing",
            |form| {
                let payment_id: Option<Id> = form.get("payment_id")?;
                Ok(Command::RecordPayments(RecordPayments {
                    payment_id: payment_id.unwrap_or_else(|| form.app.env.id()),
                    parts: form.get("parts")?,
                    method: form.get("method")?,
                    paid_on: form.get("paid_on")?,
                    note: form.get("note")?,
                    beyond: form.get("beyond")?,
                }))
            },
        )
        .body_of(|it| it.of::<RecordPayments>())
        .answer_of(many),
        command(
            Method::POST,
            "/invoices/{id}/write-off",
            "Says that what is owed on an invoice will never be paid, or that it is owed again",
            |form| {
                let written_off: Option<bool> = form.get("written_off")?;
                Ok(Command::SetWrittenOff(SetWrittenOff {
                    id: form.id,
                    written_off: written_off.unwrap_or(true),
                    note: form.get("note")?,
                }))
            },
        )
        .body_of(|it| it.of::<SetWrittenOff>())
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/{id}/remind",
            "Reminds the client of an invoice that is owed",
            |form| Ok(Command::RemindOfInvoice(RemindOfInvoice { id: form.id })),
        )
        .answer_of(changed),
        command(
            Method::DELETE,
            "/invoices/{id}",
            "Deletes an invoice: its address shows nothing any more",
            |form| Ok(Command::DeleteInvoice(DeleteInvoice { id: form.id })),
        )
        .answer_of(changed),
        command(
            Method::POST,
            "/invoices/{id}/restore",
            "Undoes the deletion of an invoice",
            |form| Ok(Command::RestoreInvoice(RestoreInvoice { id: form.id })),
        )
        .answer_of(changed),
        get(
            "/client/invoices",
            Access::Client,
            "Invoices that were shared with the caller, the newest first",
            list_for_client,
        )
        .list_of(invoice),
    ]
}

fn invoice(schemas: &mut Schemas) -> Value {
    with_fields(
        schemas.of::<Invoice>(),
        json!({
            "version": { "type": "string" },
            "shareUrl": { "type": "string", "nullable": true },
            "balance": { "type": "number" },
            "rev": { "type": "integer" },
        }),
    )
}

fn changed(schemas: &mut Schemas) -> Value {
    let services = json!({ "updatedServices": { "type": "integer" } });
    with_fields(invoice(schemas), services)
}

fn many(_: &mut Schemas) -> Value {
    let ids = list_of(json!({ "type": "string", "format": "uuid" }));
    json!({ "type": "object", "properties": { "ids": ids, "rev": { "type": "integer" } } })
}

/// The record's own parts are read for the ids in them: what was billed is the server's to say.
fn share_form(schemas: &mut Schemas) -> Value {
    let id = json!({ "type": "string", "format": "uuid" });
    let ids = json!({ "type": "object", "properties": { "id": id } });
    with_fields(
        schemas.of::<ShareInvoice>(),
        json!({ "clientData": ids, "servicesData": list_of(ids), "invoiceData": { "type": "object" } }),
    )
}

fn credit_form(_: &mut Schemas) -> Value {
    json!({ "type": "object", "required": ["amount", "note"], "properties": {
        "credit_id": { "type": "string", "format": "uuid" },
        "amount": { "type": "number" },
        "note": { "type": "string" },
    } })
}

/// SPEC 7, Invoices: what is to be billed is named by its ids, in our names or in those of the record; photos and videos
/// by their ids, by the addresses that their uploads were answered with, or as media items (SPEC 3) that have one of them.
/// A record's `clientData` has no id: it is the client of the first service then.
async fn share_invoice(
    State(app): State<AppState>,
    sitter: SitterUser,
    mut form: Form,
) -> Result<Response, AppError> {
    name_what_is_shared(&mut form)?;
    let mut command = share_command(&form)?;
    let first = command.services.first();
    if let (None, Some(first), true) = (
        command.client_id,
        first,
        form.body.contains_key("clientData"),
    ) {
        let mut tx = app.db.read_autocommit().await?;
        let service = db::select_one::<Service>(&mut tx, sitter.sitter_id, *first).await?;
        command.client_id = service.map(|it| it.row.client_id);
    }
    form.submit(sitter.into(), Command::ShareInvoice(command))
        .await
}

/// Gives the fields of a record the names of the command's.
fn name_what_is_shared(form: &mut Form) -> Result<(), AppError> {
    if let Some(id) = form.body.get("clientData").and_then(|it| it.get("id")) {
        let id = id.clone();
        form.body.entry("client_id").or_insert(id);
    }
    if let Some(Value::Array(services)) = form.body.get("servicesData") {
        let ids: Vec<Value> = services
            .iter()
            .filter_map(|it| it.get("id").cloned())
            .collect();
        form.body.entry("services").or_insert(ids.into());
    }
    if let Some(Value::Object(data)) = form.body.remove("invoiceData") {
        for (name, value) in data {
            form.body.entry(name).or_insert(value);
        }
    }
    form.rename("startDate", "start_date");
    form.rename("endDate", "end_date");
    form.rename("dueDate", "due_date");
    let media: Vec<Value> = form.get("photos")?;
    let (films, photos): (Vec<Value>, Vec<Value>) = media
        .into_iter()
        .partition(|it| it.get("type").is_some_and(|it| it == "video"));
    let mut videos: Vec<Value> = form.get("videos")?;
    videos.extend(films);
    for (field, media) in [("photos", photos), ("videos", videos)] {
        let ids: Vec<Value> = media.into_iter().map(id_of_media).collect();
        form.body.insert(field.to_owned(), ids.into());
    }
    Ok(())
}

fn share_command(form: &Form) -> Result<ShareInvoice, AppError> {
    Ok(ShareInvoice {
        id: form.id,
        client_id: form.get("client_id")?,
        services: form.get("services")?,
        start_date: form.get("start_date")?,
        end_date: form.get("end_date")?,
        photos: form.get("photos")?,
        videos: form.get("videos")?,
        note: form.get("note")?,
        due_date: form.get("due_date")?,
        extras: form.get("extras")?,
        total: form.get("total")?,
        credits: form.get("credits")?,
        service_taxes: form.get("service_taxes")?,
    })
}

/// The id of a photo or video, however it is named; what names none is handed on, to be refused.
fn id_of_media(media: Value) -> Value {
    let named = media
        .get("id")
        .or_else(|| media.get("url"))
        .unwrap_or(&media);
    match named.as_str().and_then(id_in_url) {
        Some(id) => json!(id),
        None => media,
    }
}

fn payment(form: &Form) -> Result<RecordInvoicePayment, AppError> {
    let payment_id: Option<Id> = form.get("payment_id")?;
    Ok(RecordInvoicePayment {
        id: form.id,
        payment_id: payment_id.unwrap_or_else(|| form.app.env.id()),
        amount: form.get("amount")?,
        method: form.get("method")?,
        paid_on: form.get("paid_on")?,
        note: form.get("note")?,
        tip: form.get("tip")?,
        kept: form.get("kept")?,
        beyond: form.get("beyond")?,
    })
}

#[derive(Debug, Deserialize)]
struct ListQuery {
    client_id: Option<Id>,
}

async fn list_invoices(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<ListQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let mut list = ListWriter::new(&app, Taker::Account(sitter.user_id));
    let total = db::invoices(&mut tx, sitter.sitter_id, query.client_id, page, |it| {
        list.push(&InvoiceAnswer::from(it))
    })
    .await?;
    drop(tx);
    list.into_page(total)
}

async fn count_invoices(
    State(app): State<AppState>,
    sitter: SitterUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let count = db::count_invoices(&mut tx, sitter.sitter_id).await?;
    Ok(ok(json!({ "count": count })))
}

async fn read_invoice(
    State(app): State<AppState>,
    sitter: SitterUser,
    form: Form,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let invoice = db::select_one::<Invoice>(&mut tx, sitter.sitter_id, form.id).await?;
    let invoice = invoice.filter(|it| it.row.deleted_at.is_none());
    invoice
        .map(|it| ok(InvoiceAnswer::from(it)))
        .ok_or(AppError::NotFound)
}

async fn list_for_client(
    State(app): State<AppState>,
    user: AnyUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let mut list = ListWriter::new(&app, Taker::Account(user.account.id));
    let total = db::invoices_for_user(&mut tx, user.account.id, page, |it| {
        let client_id = it.row.client_id;
        match shown_to(client_id, &Row::Invoice(it.row)) {
            Some(Row::Invoice(row)) => {
                list.push(&InvoiceAnswer::from(Versioned { rev: it.rev, row }))
            }
            _ => Ok(()),
        }
    })
    .await?;
    drop(tx);
    list.into_page(total)
}
