//! Plans and what is paid for them: how they are used up, what they cost, pages of Stripe's, changes, and what Stripe reports.

use axum::extract::{Request, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use walkies_core::api::{
    BillingDashboard, BillingPage, BillingSubscription, PlanChangePreview, PlanNames, PlanOffer,
};
use walkies_core::commands::decision::Need;
use walkies_core::rows::subscription::{Subscription, SubscriptionStatus};
use walkies_core::rules::usage::{month_of, usage_limits};
use walkies_core::values::plan;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Business, Id, TableName};

use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::app::zone;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db;
use crate::http::extract::{CallerAddress, JsonBody};
use crate::http::form::read_body;
use crate::http::route::{Access, Route, get, post};
use crate::payments::billing::{
    PlanUpdate, begin, current_offers, look_for_who_is_back, portal, preview, take_event, update,
};
use crate::payments::webhook::{self, Event};
use crate::write::answer::{Answer, ok, ok_list};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/billing/dashboard",
            Access::Sitter,
            "How far the plan is used up, and what it is",
            show,
        )
        .answer::<BillingDashboard>(),
        get(
            "/billing/plans",
            Access::Sitter,
            "The plans, and what they cost",
            list,
        )
        .list_of(|it| it.of::<PlanOffer>()),
        post(
            "/billing/preview-change",
            Access::Sitter,
            "What a change to another plan comes to at once; nothing is changed",
            show_change,
        )
        .body::<ChangeForm>()
        .fails(&[404, 409])
        .answer::<PlanChangePreview>(),
        post(
            "/billing/update-subscription",
            Access::Sitter,
            "Changes the plan, as it was previewed; to the free one with the end of what is paid",
            change,
        )
        .body::<UpdateForm>()
        .once()
        .fails(&[402, 404, 409])
        .answer::<BillingDashboard>(),
        post(
            "/billing/checkout-session",
            Access::Sitter,
            "Makes a page of Stripe's on which to begin to pay for a plan",
            make_checkout,
        )
        .body::<CheckoutForm>()
        .once()
        .fails(&[402, 404, 409])
        .answer::<BillingPage>(),
        post(
            "/billing/portal-session",
            Access::Sitter,
            "Makes a page of Stripe's on which to look after the card and the bills; its address is a secret and not kept, so that \
             each call makes one",
            make_portal,
        )
        .body::<PortalForm>()
        .fails(&[402, 404, 409])
        .answer::<BillingPage>(),
        post(
            "/billing/webhook",
            Access::Public,
            "What Stripe reports of the account of whoever runs the server, signed",
            hear,
        )
        .body_of(|_| json!({ "type": "object" }))
        .anonymous_body(webhook::MOST_BYTES)
        .answer_of(super::auth::empty_data),
    ]
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct ChangeForm {
    /// The plan that the person sees as the own one.
    current_plan_id: String,
    /// The plan that it is to be.
    new_plan_id: String,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct UpdateForm {
    /// The plan that it is to be.
    plan_id: String,
    /// The plan that the person saw as the own one.
    #[serde(default)]
    current_plan_id: Option<String>,
    /// From the preview, within an hour, so that it comes to just that.
    #[serde(default)]
    proration_date: Option<i64>,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct CheckoutForm {
    /// The id of the plan.
    plan_id: String,
    /// Its price, as the person has seen it.
    price_id: String,
    /// Address of this server to which Stripe sends the person back.
    #[serde(default)]
    return_url: String,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct PortalForm {
    /// The plan to which the change is paid there, where one's bank asks for more than a card; empty for the whole portal.
    #[serde(default)]
    plan_id: String,
    /// Address of this server to which Stripe sends the person back.
    #[serde(default)]
    return_url: String,
}

/// SPEC 7, Billing. Who looks may be just back from Stripe: it is asked, and what it does not say stays as it is.
async fn show(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    look_for_who_is_back(&app, sitter.sitter_id).await;
    dashboard(&app, sitter.sitter_id).await
}

async fn dashboard(app: &App, sitter_id: Id) -> Result<Answer, AppError> {
    let mut tx = app.db.read().await?;
    let mut business = Business::default();
    let rows = [Need::Table(TableName::Sitter)];
    db::load(&mut tx, sitter_id, &rows, None, &mut business).await?;
    let zone = business
        .sitter()
        .and_then(|it| zone::time_zone(&it.time_zone));
    let today = app.now().civil(&zone.unwrap_or(TimeZone::UTC)).0;
    let (first, last) = month_of(today);
    let counts = [
        Need::Count(TableName::Client),
        Need::Count(TableName::Pet),
        Need::ServiceCountIn(first, last),
    ];
    db::load(&mut tx, sitter_id, &counts, None, &mut business).await?;
    let customer = db::billing_customer(&mut tx, sitter_id).await?;
    tx.commit().await?;
    let subscription = business.sitter().and_then(|it| it.subscription.clone());
    let sells_plans = app.settings.billing.is_some();
    Ok(ok(BillingDashboard {
        usage_limits: usage_limits(&business, today),
        subscription: shown(subscription),
        sells_plans,
        has_portal: sells_plans && customer.is_some(),
        may_try: sells_plans && customer.is_none_or(|it| !it.was_subscribed),
    }))
}

fn shown(subscription: Option<Subscription>) -> BillingSubscription {
    let subscription = subscription.unwrap_or_else(|| Subscription {
        plan_id: plan::SELF_HOSTED.to_owned(),
        status: SubscriptionStatus::Active,
        ..Subscription::free()
    });
    let name = plan::plan(&subscription.plan_id).display_name;
    BillingSubscription {
        plan: PlanNames {
            display_name: name,
            plan_display_name: name,
        },
        subscription_plan_id: subscription.plan_id,
        status: subscription.status,
        trial_ends_at: subscription.trial_ends_at,
        period_ends_at: subscription.period_ends_at,
        cancels: subscription.cancels,
    }
}

async fn list(
    State(app): State<AppState>,
    _: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    ok_list(current_offers(&app).await?, page).await
}

async fn show_change(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(form): JsonBody<ChangeForm>,
) -> Result<Answer, AppError> {
    let ChangeForm {
        current_plan_id,
        new_plan_id,
    } = form;
    let previewed = preview(&app, sitter.sitter_id, &current_plan_id, &new_plan_id);
    Ok(ok(previewed.await?))
}

async fn change(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(form): JsonBody<UpdateForm>,
) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    let wanted = PlanUpdate {
        seen: form.current_plan_id,
        plan_id: form.plan_id,
        proration_date: form.proration_date,
    };
    // Whoever hangs up leaves nothing half done: it goes on by itself.
    let task = app.clone();
    let done = tokio::spawn(async move { update(&task, sitter_id, &wanted).await });
    done.await.map_err(|it| AppError::Internal(it.into()))??;
    dashboard(&app, sitter_id).await
}

async fn make_checkout(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(form): JsonBody<CheckoutForm>,
) -> Result<Answer, AppError> {
    let CheckoutForm {
        plan_id,
        price_id,
        return_url,
    } = form;
    let url = begin(&app, sitter.sitter_id, &plan_id, &price_id, &return_url).await?;
    Ok(ok(BillingPage { url }))
}

async fn make_portal(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(form): JsonBody<PortalForm>,
) -> Result<Answer, AppError> {
    let url = portal(&app, sitter.sitter_id, &form.plan_id, &form.return_url).await?;
    Ok(ok(BillingPage { url }))
}

/// Receives an event of Stripe's. One without a valid signature changes nothing; a repeat, or one that means nothing
/// here, is accepted.
async fn hear(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    request: Request,
) -> Result<Answer, AppError> {
    let signature = request.headers().get("stripe-signature");
    let signature = signature.and_then(|it| it.to_str().ok()).map(str::to_owned);
    let body = read_body(request.into_body()).await?;
    // Where no plans are sold nobody can have signed anything.
    let settings = app.settings.billing.as_ref();
    let secrets = settings.map(|it| it.webhook_secrets.as_slice());
    let signature = signature.unwrap_or_default();
    webhook::verify(&body, &signature, secrets.unwrap_or_default(), app.now())
        .map_err(|fault| webhook::refuse(&app, &address, fault))?;
    let event = Event::read(&body);
    let event = event.ok_or_else(|| AppError::Malformed("This is no event".to_owned()))?;
    take_event(&app, &event).await?;
    Ok(ok(json!({})))
}
