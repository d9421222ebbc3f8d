//! Invoices as whoever has their address sees them: the page, the same on paper, its words and its pictures.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing;
use serde::Deserialize;
use walkies_core::invoice::{self as words, InvoicePage, TipChoice};
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::card_payment::{CardFault, ON_ITS_WAY, TURNED_DOWN};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Cents, Id, RowKey, TableName};

use super::business_of_page;
use super::photos::{SizeQuery, read_size, show_on_page};
use super::reader::Reader;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::error::AppError;
use crate::db::{self, CheckoutState, SharedInvoice, Tx};
use crate::http::extract::{CallerAddress, QueryParams};
use crate::http::route::{Access, Route, get};
use crate::payments::invoices::{after_return, is_on_its_way};
use crate::print::invoice::{self, Address};
use crate::write::answer::{Answer, ok};
use crate::write::invoice_pdf;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/public/invoices/{shareId}",
            Access::Public,
            "What a shared invoice's page says",
            show_words,
        )
        .answer::<InvoicePage>(),
        get(
            "/public/invoices/{shareId}/photos/{photo}",
            Access::Public,
            "A photo of a shared invoice by its number from 0, a pet's as `dog`, or the business's own as `logo`",
            show_photo,
        )
        .query("size", "full or thumb; full without it")
        .file("image/jpeg"),
    ]
}

/// The pages of invoices, which are no calls of the API.
pub(super) fn pages() -> Router<AppState> {
    Router::new()
        .route("/invoice/{shareId}", routing::get(show_page))
        .route("/invoice/{shareId}/pdf", routing::get(show_pdf))
}

/// Counts a call of somebody who needs no sign-in.
fn count(app: &App, CallerAddress(address): CallerAddress) -> Result<(), AppError> {
    throttle::stranger(app, "invoice", &address, app.settings.rate_of_invoices)
}

/// An invoice with the business that it is of.
struct Shown {
    sitter_id: Id,
    sitter: Sitter,
    zone: TimeZone,
    invoice: Invoice,
}

impl Shown {
    /// The invoice of an address; the same answer for one that was deleted as for one that never was.
    async fn find(tx: &mut Tx, share_id: &str) -> Result<Self, AppError> {
        let shared = db::find_shared_invoice(tx, share_id).await?;
        let SharedInvoice { sitter_id, invoice } = shared.ok_or(AppError::InvoiceGone)?;
        let business = business_of_page(tx, sitter_id).await?;
        let (sitter, zone) = business.ok_or(AppError::InvoiceGone)?;
        Ok(Self {
            sitter_id,
            sitter,
            zone,
            invoice,
        })
    }

    fn words(&self, app: &App, tip: TipChoice) -> InvoicePage {
        words::page(&self.invoice, &self.sitter, &self.zone, app.now(), tip)
    }

    /// A picture by its name on the page.
    fn picture(&self, name: &str) -> Option<Id> {
        match name {
            "logo" => self.sitter.photo,
            name => words::picture(&self.invoice, name),
        }
    }
}

async fn show_words(
    State(app): State<AppState>,
    address: CallerAddress,
    Path(share_id): Path<String>,
) -> Result<Answer, AppError> {
    count(&app, address)?;
    let mut tx = app.db.read().await?;
    let shown = Shown::find(&mut tx, &share_id).await?;
    tx.commit().await?;
    Ok(ok(shown.words(&app, TipChoice::None)))
}

async fn show_photo(
    State(app): State<AppState>,
    address: CallerAddress,
    Path((share_id, photo)): Path<(String, String)>,
    QueryParams(SizeQuery { size }): QueryParams<SizeQuery>,
) -> Result<Response, AppError> {
    count(&app, address)?;
    let size = read_size(size.as_deref())?;
    let mut tx = app.db.read().await?;
    let shown = Shown::find(&mut tx, &share_id).await?;
    let photo = shown.picture(&photo);
    show_on_page(
        &app,
        tx,
        shown.sitter_id,
        photo,
        size,
        AppError::InvoiceGone,
    )
    .await
}

/// The tip that an address asks for.
#[derive(Debug, Default, Deserialize)]
struct TipQuery {
    /// The tip in percent.
    tip: Option<String>,
    /// The tip in dollars, as somebody typed it.
    amount: Option<String>,
    /// Why the card was not taken, where its button has led back.
    card: Option<String>,
    /// Set if somebody is just back from paying by card.
    paid: Option<String>,
}

impl TipQuery {
    fn choice(&self) -> TipChoice {
        TipChoice::read(self.tip.as_deref(), self.amount.as_deref())
    }

    /// As much as the field takes of an amount that is no tip, and why.
    fn no_tip(&self) -> Option<(String, &'static str)> {
        let typed = self.amount.as_deref()?;
        let why = TipChoice::fault(typed)?;
        Some((typed.chars().take(AMOUNT_LENGTH).collect(), why))
    }
}

/// How many letters the field of an amount takes.
const AMOUNT_LENGTH: usize = 10;

/// Formats a tip as the query of an address, where it was read from.
fn tip_query(tip: TipChoice) -> String {
    match tip {
        TipChoice::None => String::new(),
        TipChoice::Percent(percent) => format!("?tip={percent}"),
        TipChoice::Amount(amount) => format!("?amount={}.{:02}", amount.0 / 100, amount.0 % 100),
    }
}

async fn show_page(
    State(app): State<AppState>,
    address: CallerAddress,
    Path(share_id): Path<String>,
    query: Result<QueryParams<TipQuery>, AppError>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let query = query.map(|it| it.0).unwrap_or_default();
    let reader = Reader::from_request(&method, &headers);
    match page_of(&app, address, &share_id, &query, reader).await {
        Ok(page) => with_cards(&app, as_page(StatusCode::OK, page)),
        Err(error) => failure(error),
    }
}

/// The button of cards is answered with a page of Stripe's, and browsers hold that against what forms may lead to. A business
/// may have its own address for these pages.
fn with_cards(app: &App, mut page: Response) -> Response {
    let ours = "form-action 'self'";
    let wider = format!("{ours} https: {}", app.settings.stripe.pages);
    let policy = invoice::PAGE_POLICY.replace(ours, &wider);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        page.headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    page
}

async fn page_of(
    app: &App,
    address: CallerAddress,
    share_id: &str,
    query: &TipQuery,
    reader: Reader,
) -> Result<String, AppError> {
    count(app, address)?;
    let mut tx = app.db.read().await?;
    let mut shown = Shown::find(&mut tx, share_id).await?;
    let takes_cards = db::stripe_account(&mut tx, shown.sitter_id)
        .await?
        .is_some();
    let is_owed = Cents::ZERO < shown.invoice.balance();
    // Whoever looks in while a bank takes its days shall not pay again, by whatever way: cards may be off by now.
    let mut is_coming =
        is_owed && is_on_its_way(&mut tx, shown.sitter_id, shown.invoice.id, app.now()).await?;
    tx.commit().await?;
    if shown.invoice.opened_at.is_none() {
        let row = RowKey {
            table: TableName::Invoice,
            id: shown.invoice.id,
        };
        reader.note_opening(app, shown.sitter_id, row).await;
    }
    let mut said = is_coming.then(|| ON_ITS_WAY.to_owned());
    if query.paid.is_some() && is_owed {
        match after_return(app, shown.sitter_id, shown.invoice.id).await? {
            Some(CheckoutState::Paid) => {
                let mut tx = app.db.read().await?;
                shown = Shown::find(&mut tx, share_id).await?;
                tx.commit().await?;
                is_coming = false;
                said = None;
            }
            Some(CheckoutState::Complete) => {
                is_coming = true;
                said = Some(ON_ITS_WAY.to_owned());
            }
            Some(CheckoutState::Failed) => {
                is_coming = false;
                said = Some(TURNED_DOWN.to_owned());
            }
            // Who turned back has not paid.
            Some(CheckoutState::Open | CheckoutState::Replaced) | None => {}
        }
    }
    let fault = query.card.as_deref().and_then(CardFault::named);
    let fault = fault.and_then(|it| it.as_of_now(&shown.invoice, takes_cards));
    let said = said.or_else(|| fault.map(|it| it.to_string()));
    let mut words = shown.words(app, query.choice());
    if is_coming {
        // Who has just paid shall not pay again.
        words.tips.clear();
        words.pay_to.clear();
    }
    let tip = words
        .tip
        .as_ref()
        .map_or(TipChoice::None, |_| query.choice());
    let address = Address {
        share_id,
        tip_query: tip_query(tip),
        no_tip: query.no_tip(),
        takes_cards: takes_cards && !is_coming && Cents::ZERO < shown.invoice.balance(),
        origin: &app.settings.public_url,
        said,
        kept: None,
    };
    Ok(invoice::html(&words, &address))
}

/// Answers with an error page for the person who came.
pub(super) fn failure(error: AppError) -> Response {
    failure_on_page(error, invoice::failed)
}

/// The same on another page.
pub(super) fn failure_on_page(
    error: AppError,
    page: impl FnOnce(StatusCode) -> String,
) -> Response {
    let mut response = error.into_response();
    let status = response.status();
    let page = as_page(status, page(status));
    let (parts, body) = page.into_parts();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().extend(parts.headers);
    *response.body_mut() = body;
    response
}

pub(super) fn as_page(status: StatusCode, page: String) -> Response {
    let mut headers = HeaderMap::new();
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, html);
    let policy = HeaderValue::from_str(&invoice::PAGE_POLICY);
    if let Ok(policy) = policy {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (status, headers, page).into_response()
}

async fn show_pdf(
    State(app): State<AppState>,
    address: CallerAddress,
    Path(share_id): Path<String>,
    query: Result<QueryParams<TipQuery>, AppError>,
) -> Response {
    let tip = query.map(|it| it.0.choice()).unwrap_or_default();
    let pdf = pdf_of(&app, address, &share_id, tip).await;
    pdf.unwrap_or_else(failure)
}

async fn pdf_of(
    app: &App,
    caller: CallerAddress,
    share_id: &str,
    tip: TipChoice,
) -> Result<Response, AppError> {
    let of_address = format!("address {}", caller.0);
    count(app, caller)?;
    let (name, pdf) = invoice_pdf::print(app, of_address, share_id, tip).await?;
    Ok(as_pdf(&name, pdf))
}

fn as_pdf(name: &str, pdf: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, attachment(name)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, pdf).into_response()
}

/// A file to keep under that name.
fn attachment(name: &str) -> String {
    format!("attachment; filename=\"{}\"", invoice_pdf::file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_has_no_letter_that_would_end_it() {
        assert_eq!(
            attachment("Invoice \"Ö\"\r\n12.pdf"),
            "attachment; filename=\"Invoice 12.pdf\""
        );
    }
}
