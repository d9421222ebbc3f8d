//! Paying invoices by card: the sitter's own keys of Stripe, what Stripe reports, and the button of an invoice's page.

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::json;
use walkies_core::Id;
use walkies_core::api::{CardOutcome, CardPage, CardPayments};
use walkies_core::invoice::TipChoice;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rules::card_payment::{self, CardFault};

use crate::accounts::passwords::prove;
use crate::app::session::{AnyUser, Member, SitterUser};
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::error::AppError;
use crate::db::{self, StripeAccount};
use crate::external::stripe::client::StripeError;
use crate::http::extract::{CallerAddress, JsonBody, QueryParams};
use crate::http::form::read_body;
use crate::http::route::{Access, Route, get, post, route};
use crate::payments::invoices::{EVENTS, ReturnTo, begin, progress, take_event};
use crate::payments::webhook::{self, Event};
use crate::write::answer::{Answer, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/invoices/card-payments",
            Access::Sitter,
            "Whether and how invoices can be paid by card",
            show,
        )
        .answer::<CardPayments>(),
        route(
            Method::PUT,
            "/invoices/card-payments",
            Access::Sitter,
            "Takes cards by the sitter's own account at Stripe, once Stripe has taken the key",
            turn_on,
        )
        .body::<KeysForm>()
        .answer::<CardPayments>(),
        route(
            Method::DELETE,
            "/invoices/card-payments",
            Access::Sitter,
            "Takes no cards any more, and forgets the keys",
            turn_off,
        )
        .answer::<CardPayments>(),
        post(
            "/client/invoices/{id}/card-page",
            Access::Client,
            "The page of Stripe's on which an invoice of the caller is paid by card, with a tip",
            pay_own,
        )
        .body::<PayForm>()
        .fails(&[409, 429])
        .answer::<CardPage>(),
        get(
            "/client/invoices/{id}/card-payment",
            Access::Client,
            "Progress of a payment by card of an invoice of the caller, for a payer who is back from Stripe",
            follow_own,
        )
        .fails(&[400])
        .query("sitter_id", "Id of the business, for a pet parent of several")
        .query("paid", "true where Stripe has led back from a payment")
        .answer::<CardOutcome>(),
        post(
            "/invoices/stripe/{id}/webhook",
            Access::Public,
            "What Stripe reports of the account of this business, signed",
            hear,
        )
        .body_of(|_| json!({ "type": "object" }))
        .anonymous_body(webhook::MOST_BYTES)
        .answer_of(super::auth::empty_data),
    ]
}

/// The keys of an account at Stripe.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct KeysForm {
    /// A secret or restricted key, which may write Checkout sessions.
    #[serde(default)]
    #[schema(max_length = 255)]
    secret_key: String,
    /// One or two, which Stripe signs its reports with.
    #[serde(default)]
    webhook_secrets: Vec<String>,
    /// Password of the sitter's account here, so that somebody who has the phone for a moment cannot redirect payments.
    #[serde(default)]
    #[schema(max_length = 128)]
    password: String,
}

fn shown(app: &App, sitter_id: Id, account: Option<&StripeAccount>) -> Answer {
    let key = account.map(|it| it.secret_key.as_str()).unwrap_or_default();
    let origin = &app.settings.public_url;
    ok(CardPayments {
        is_on: account.is_some(),
        is_live: card_payment::is_live(key) == Some(true),
        key_ends_with: card_payment::last_four(key).to_owned(),
        fault: account.and_then(|it| it.fault.clone()),
        webhook_url: format!("{origin}/api/invoices/stripe/{sitter_id}/webhook"),
        webhook_events: EVENTS.map(str::to_owned).to_vec(),
        fees: card_payment::fees(),
    })
}

async fn show(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let account = db::stripe_account(&mut tx, sitter.sitter_id).await?;
    Ok(shown(&app, sitter.sitter_id, account.as_ref()))
}

async fn turn_on(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<KeysForm>,
) -> Result<Answer, AppError> {
    let SitterUser { user_id, sitter_id } = user.sitter()?;
    let trimmed = |it: &String| it.trim().to_owned();
    let account = StripeAccount {
        secret_key: trimmed(&form.secret_key),
        webhook_secrets: form.webhook_secrets.iter().map(trimmed).collect(),
        user_id,
        fault: None,
    };
    card_payment::errors(&account.secret_key, &account.webhook_secrets).or(())?;
    prove(&app, &user, "password", form.password).await?;
    if let Err(error) = app.stripe.check_key(&account.secret_key).await {
        tracing::info!(%sitter_id, %error, "a key of Stripe's was not taken");
        return Err(match error {
            StripeError::Key | StripeError::Permission => {
                AppError::of_field("secret_key", &format!("{}.", sentence(&error)))
            }
            error => AppError::Unavailable(error.into()),
        });
    }
    let mut tx = app.db.write().await?;
    db::set_stripe_account(&mut tx, sitter_id, &account, app.now()).await?;
    tx.commit().await?;
    Ok(shown(&app, sitter_id, Some(&account)))
}

/// An error with a capital.
fn sentence(error: &StripeError) -> String {
    let text = error.to_string();
    let (first, rest) = text.split_at_checked(1).unwrap_or_default();
    first.to_uppercase() + rest
}

async fn turn_off(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::delete_stripe_account(&mut tx, sitter.sitter_id).await?;
    tx.commit().await?;
    Ok(shown(&app, sitter.sitter_id, None))
}

/// SPEC 7, Invoices: what is signed by nobody we know changes nothing; what came before, or means nothing here, is taken.
async fn hear(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(id): Path<String>,
    request: Request,
) -> Result<Answer, AppError> {
    // What is not even an id names nothing.
    let sitter_id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let signature = request.headers().get("stripe-signature");
    let signature = signature.and_then(|it| it.to_str().ok()).map(str::to_owned);
    let body = read_body(request.into_body()).await?;
    let account = db::stripe_account(&mut app.db.read_autocommit().await?, sitter_id).await?;
    // Who takes no cards has nothing that anybody could have signed with: nobody learns who does.
    let secrets = account.as_ref().map(|it| it.webhook_secrets.as_slice());
    let signature = signature.unwrap_or_default();
    webhook::verify(&body, &signature, secrets.unwrap_or_default(), app.now())
        .map_err(|fault| webhook::refuse(&app, &address, fault))?;
    let account = account.ok_or(AppError::NotFound)?;
    let event = Event::read(&body);
    let event = event.ok_or_else(|| AppError::Malformed("This is no event".to_owned()))?;
    take_event(&app, sitter_id, &account, &event).await?;
    Ok(ok(json!({})))
}

/// Form with which a pet parent pays an invoice.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct PayForm {
    /// Id of the business, for a pet parent of several; others need not say.
    #[serde(default)]
    sitter_id: Option<Id>,
    /// A tip as a percentage of the invoice's total; none without it.
    #[serde(default)]
    #[schema(maximum = 100)]
    tip: Option<u32>,
}

/// The way from the pet parents' app to the page that the invoice's own button leads to; it leads back into the app.
async fn pay_own(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    JsonBody(form): JsonBody<PayForm>,
) -> Result<Answer, AppError> {
    let (_, invoice) = own_invoice(&app, &user, &id, form.sitter_id).await?;
    let share_id = invoice.share_id.ok_or(AppError::NotFound)?;
    let percent = form.tip.map(|it| it.to_string());
    let tip = TipChoice::read(percent.as_deref(), None);
    let url = begin(&app, &share_id, tip, ReturnTo::Portal).await??;
    Ok(ok(CardPage { url }))
}

/// The business of an invoice of the caller, and the invoice, which is not deleted.
async fn own_invoice(
    app: &App,
    user: &AnyUser,
    id: &str,
    sitter_id: Option<Id>,
) -> Result<(Id, Invoice), AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let member = Member::of(app, user, sitter_id).await?;
    let link = member.link.ok_or(AppError::Forbidden)?;
    let mut tx = app.db.read_autocommit().await?;
    let invoice = db::select_one::<Invoice>(&mut tx, member.sitter_id, id).await?;
    drop(tx);
    let own = invoice.map(|it| it.row);
    let own = own.filter(|it| it.client_id == link.client_id && it.deleted_at.is_none());
    Ok((member.sitter_id, own.ok_or(AppError::NotFound)?))
}

/// Query of a pet parent who is back from Stripe.
#[derive(Debug, Deserialize)]
struct FollowQuery {
    sitter_id: Option<Id>,
    #[serde(default)]
    paid: bool,
}

async fn follow_own(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<FollowQuery>,
) -> Result<Answer, AppError> {
    let (sitter_id, invoice) = own_invoice(&app, &user, &id, query.sitter_id).await?;
    let progress = progress(&app, sitter_id, invoice.id, query.paid).await?;
    Ok(ok(CardOutcome {
        progress,
        says: progress.words().to_owned(),
    }))
}

/// No form of this kind is longer, in bytes.
const FORM_BYTES: usize = 1024;

/// The button of an invoice's page: leads to Stripe's page, or back to the invoice, which says why not and has the other
/// ways to pay.
pub(super) async fn pay(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(share_id): Path<String>,
    request: Request,
) -> Result<Response, AppError> {
    let body = axum::body::to_bytes(request.into_body(), FORM_BYTES).await;
    let tip = tip(&body.unwrap_or_default());
    let begun = match throttle::stranger(&app, "card", &address, app.settings.rate_of_reports) {
        Ok(()) => begin(&app, &share_id, tip, ReturnTo::Page).await?,
        Err(_) => Err(CardFault::TooOften),
    };
    let to = match begun {
        Ok(page) => page,
        Err(fault) => format!("/invoice/{share_id}?card={}", fault.code()),
    };
    let to = HeaderValue::from_str(&to).map_err(|_| AppError::NotFound)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response())
}

/// The tip that the page has shown, in the words of its address.
fn tip(form: &[u8]) -> TipChoice {
    let form = String::from_utf8_lossy(form);
    let Ok(form) = reqwest::Url::parse(&format!("form:?{form}")) else {
        return TipChoice::None;
    };
    let field = |name: &str| {
        let found = form.query_pairs().find(|(field, _)| field == name);
        found.map(|it| it.1.into_owned())
    };
    TipChoice::read(field("tip").as_deref(), field("amount").as_deref())
}
