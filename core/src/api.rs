//! Owns the API answers that are not rows of a business: accounts, second factors, devices, and what else phones ask
//! for.
//!
//! Types alone: the server writes them, its OpenAPI document and the phone's TypeScript are made from them.

use serde::{Deserialize, Serialize};

use crate::rows::subscription::SubscriptionStatus;
use crate::rules::card_payment::CardProgress;
use crate::rules::usage::UsageLimits;
use crate::values::plan::Plan;
use crate::values::push::{PushKind, PushPreferences};
use crate::{Cents, Id, Instant};

/// Purpose of an account (SPEC 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Owns a business.
    Sitter,
    /// A pet parent.
    Client,
}

impl Role {
    /// The name in database and API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sitter => "sitter",
            Self::Client => "client",
        }
    }

    /// The role of a name in the database.
    pub fn named(name: &str) -> Self {
        if name == Self::Sitter.name() {
            Self::Sitter
        } else {
            Self::Client
        }
    }

    /// The role that a person with this one may have beside it.
    pub const fn other(self) -> Self {
        match self {
            Self::Sitter => Self::Client,
            Self::Client => Self::Sitter,
        }
    }
}

/// The account that is signed in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = User))]
pub struct SessionUser {
    /// The account's id.
    pub id: Id,
    /// E-mail of the account, in lower case.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// The role in which the call was made.
    pub role: Role,
    /// All roles of the person, who has one email, one password and the same second factors in each.
    pub roles: Vec<Role>,
    /// The business, in the role of a sitter.
    pub sitter_id: Option<Id>,
}

/// A new session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignedIn {
    /// The bearer token; the server keeps only its hash.
    pub token: String,
    /// Device token, to be sent with the next sign-in of this e-mail on this device, also after a sign-out: its tries
    /// are then counted apart from those of strangers. It opens nothing.
    pub device: String,
    /// The account that is signed in.
    pub user: SessionUser,
}

/// Answer to a sign-in: a session, or the question for the second factor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum SignInAnswer {
    /// The password was enough.
    SignedIn(SignedIn),
    /// A code has to come next.
    FactorNeeded(FactorNeeded),
}

/// A sign-in that waits for its second step.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FactorNeeded {
    /// Challenge to be sent with the second step; it opens nothing by itself.
    pub challenge: String,
    /// Kinds of factors that can answer the challenge.
    pub factors: Vec<FactorKind>,
    /// Seconds until the challenge expires.
    pub expires_in_seconds: i64,
}

/// Kind of a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum FactorKind {
    /// An app that shows codes.
    Totp,
}

impl FactorKind {
    /// The name in database and API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Totp => "totp",
        }
    }
}

/// The second factors of an account.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Factors {
    /// Factors whose setup is complete.
    pub factors: Vec<FactorAnswer>,
    /// Recovery codes that were not used.
    pub recovery_codes_left: u32,
}

/// A second factor as its owner sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FactorAnswer {
    /// Id of the factor.
    pub id: Id,
    /// Kind of the factor.
    pub kind: FactorKind,
    /// Name that the person gave it.
    pub name: String,
    /// When it was made.
    pub created_at: Instant,
    /// When a sign-in last used it.
    pub last_used_at: Instant,
}

/// The key of an authenticator app that is being set up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TotpKey {
    /// The factor's id.
    pub id: Id,
    /// Base32, for those who type it.
    pub secret: String,
    /// `otpauth://…`, for those who tap it.
    pub uri: String,
    /// A picture of it as SVG, for those who scan it.
    pub qr_svg: String,
}

/// Codes that stand in for a lost factor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecoveryCodes {
    /// Each is good once; they are shown now and never again. Empty where a set was given out before.
    pub recovery_codes: Vec<String>,
}

/// A device that is signed in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SessionAnswer))]
pub struct DeviceSession {
    /// Id of the device's session; of no use to sign in with.
    pub id: Id,
    /// Name of browser and system, such as 'Chrome on Android'.
    pub name: String,
    /// When the person signed in.
    pub created_at: Instant,
    /// Time of the last request, to the hour.
    pub last_used_at: Instant,
    /// True for the device that sends this request.
    pub is_current: bool,
}

/// A code is on its way, if the e-mail has no account yet; nobody is told whether it has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CodeMailed {
    /// Token to be sent with the code.
    pub confirmation: String,
    /// Seconds until the code expires.
    pub expires_in_seconds: i64,
}

/// Answer to a sign-up: nearly always 202 with a `confirmation`, and 201 with a session for an invited e-mail.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum SignUpAnswer {
    /// The code from the mail has to come next.
    CodeMailed(CodeMailed),
    /// The invitation stood for the code.
    SignedIn(SignedIn),
}

/// Rule for new accounts on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SignUpMode {
    /// Anybody may sign up.
    Open,
    /// Only people with a link from `walkies invite` may sign up.
    Invite,
    /// Nobody may sign up.
    Closed,
}

/// Rules of this server for new accounts, and how their codes are sent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignUpRules {
    /// Rule for new accounts on this server.
    pub mode: SignUpMode,
    /// True if the server sends mail; otherwise codes are in the folder of mails.
    pub sends_mail: bool,
    /// True if the invitation that was asked about is good.
    pub is_invited: bool,
    /// E-mail that the invitation is for.
    pub email: Option<String>,
    /// Plans that can be chosen on this server.
    pub plans: Vec<PlanOffer>,
}

/// The account that has a new password now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordReset {
    /// E-mail of the account.
    pub email: String,
    /// Device token, as in `SignedIn`.
    pub device: String,
}

/// A document of a sitter, as a licence or an insurance, that is stored for its owner alone.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Document))]
pub struct DocumentAnswer {
    /// Id of the document.
    pub id: Id,
    /// Name of the file as it was uploaded; may be empty.
    pub name: String,
    /// `application/pdf` or `image/jpeg`, by its bytes.
    pub media_type: String,
    /// Size of the document's file in bytes.
    pub size_bytes: u64,
    /// When it was stored.
    pub created_at: Instant,
}

/// One-time ticket that opens the app's WebSocket, since a browser sends no bearer token with one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ticket {
    /// Secret that is good for one connection.
    pub ticket: String,
    /// Seconds until the ticket expires.
    pub expires_in_seconds: i64,
}

/// The map that this server has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Map))]
pub struct MapAnswer {
    /// Areas that were imported into this server's map.
    pub areas: Vec<MapArea>,
    /// Tiles around the place that was asked for, row by row from the north-west.
    pub tiles: Vec<TileLink>,
    /// Address of map pictures to show instead, with the placeholders `{z}`, `{x}` and `{y}`; null if phones draw the
    /// map alone.
    pub pictures: Option<String>,
}

/// A part of the world that was imported.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Area))]
pub struct MapArea {
    /// Id of the area.
    pub id: Id,
    /// Name that the operator gave it.
    pub name: String,
    /// Western border in degrees.
    pub west: f64,
    /// Southern border in degrees.
    pub south: f64,
    /// Eastern border in degrees.
    pub east: f64,
    /// Northern border in degrees.
    pub north: f64,
    /// When its data was taken from OpenStreetMap; null where nobody said.
    pub data_at: Option<Instant>,
    /// When it came into this server's map.
    pub imported_at: Instant,
    /// Compressed size of all its tiles in bytes, as they are sent.
    pub bytes: u64,
}

/// A tile to get.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TileLink {
    /// Name of the tile's file: column, row and checksum.
    pub tile: String,
    /// Compressed size in bytes, as the tile is sent.
    pub bytes: u64,
}

/// Says if there are directions outside the areas.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DirectionsService {
    /// True where `GET /map/directions/route` finds some.
    pub is_available: bool,
    /// Always null: the service is asked by the server alone. Phones of before ask an address that stands here.
    pub address: Option<String>,
}

/// Key with which phones subscribe to push.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushKey {
    /// The server's public key as browsers take it: an uncompressed point of P-256 as base64url (RFC 8292). A phone that
    /// subscribed with another one does so anew.
    pub public_key: String,
}

/// A phone that is told.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushSubscribed {
    /// The subscription's id.
    pub id: Id,
}

/// Push notifications that an account can get, and those that it wants.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushChoice {
    /// The kinds that there are for this person.
    pub kinds: Vec<PushKind>,
    /// Kinds that the person wants, and the quiet hours.
    pub preferences: PushPreferences,
    /// End of the quiet hours that it is in now; absent if it is not in any.
    pub quiet_until: Option<Instant>,
    /// The kinds that this person can be mailed of; none where the server sends no mail.
    #[serde(default)]
    pub mailed: Vec<PushKind>,
    /// The address that such mail goes to; absent where the server sends no mail.
    #[serde(default)]
    pub mails_to: Option<String>,
    /// True if this person has stopped all mail at that address.
    #[serde(default)]
    pub has_stopped_mail: bool,
}

/// Invitation that a sitter gives to a client, so that they come into the portal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InviteAnswer {
    /// The address that is opened; client and code are in it.
    pub link: String,
    /// The one-time code.
    pub code: String,
    /// Text of the QR code: the link.
    pub qr: String,
    /// A picture of it as SVG, for those who scan it.
    pub qr_svg: String,
    /// Text for a message or a mail, with the link.
    pub text: String,
    /// Time at which the code expires.
    pub expires_at: Instant,
    /// True if a mail with the invitation was queued.
    pub emailed: bool,
    /// The address that it goes to by mail; none where no mail was asked for.
    pub mailed_to: Option<String>,
}

/// Page of an invitation code, for anybody who has the code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvitePage {
    /// The record that it is for; goes back with the code.
    pub client_id: Id,
    /// Name of the sitter who invites.
    pub sitter_name: String,
    /// Name of the business; may be empty.
    pub business_name: String,
}

/// The link between an account and a client record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Linked {
    /// Id of the business.
    pub sitter_id: Id,
    /// The person's record there.
    pub client_id: Id,
}

/// A business as its clients know it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SitterOfClient {
    /// The business; what is asked of it names it.
    pub sitter_id: Id,
    /// The caller's record there.
    pub client_id: Id,
    /// Name of the sitter.
    pub name: String,
    /// Name of the business; may be empty.
    pub business_name: String,
    /// Phone number of the sitter; may be empty.
    pub phone: String,
    /// Days ahead for which one can ask.
    #[serde(default)]
    pub advance_days: AdvanceDays,
    /// True if invoices can be paid by card.
    #[serde(default)]
    pub takes_cards: bool,
}

/// Page of Stripe's on which an invoice is paid by card.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardPage {
    /// Address of the page: the same one however often it is asked for, until another amount is owed.
    pub url: String,
}

/// Progress of a payment of an invoice by card.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardOutcome {
    /// How far it has come.
    pub progress: CardProgress,
    /// The same in words; empty where there is nothing to say.
    pub says: String,
}

/// Number of days ahead for which one can ask at most, by the type of service; absent where nothing limits it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AdvanceDays {
    /// Number of days for walks.
    pub walk: Option<u32>,
    /// Number of days for drop-in visits.
    pub dropin: Option<u32>,
}

/// State of card payments for invoices: the key at Stripe, its webhook and the fees.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardPayments {
    /// True if the business has stored a key.
    pub is_on: bool,
    /// True if the key charges real cards; false for a test key, and without a key.
    pub is_live: bool,
    /// The key's last four characters; empty without one.
    pub key_ends_with: String,
    /// Reason for which Stripe rejects the key; the key has to be replaced.
    pub fault: Option<String>,
    /// The address that Stripe is to be told, so that it reports payments here.
    pub webhook_url: String,
    /// The events that it is to report there.
    pub webhook_events: Vec<String>,
    /// Stripe's fees in words.
    pub fees: String,
}

/// The address at which other calendars read the schedule.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CalendarAddress {
    /// When it was made; none where there is no address.
    pub created_at: Option<Instant>,
    /// The address itself. It is given once, when it is made: the server keeps its hash alone.
    pub url: Option<String>,
}

/// Price of a plan per period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanPrice {
    /// Price in dollars per period.
    pub amount: Cents,
    /// Period of the price: `month` or `year`.
    pub every: String,
    /// Both in words: `$12.00 a month`.
    pub words: String,
}

/// A plan as it is offered, with its price where it has one and that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanOffer {
    /// The plan itself.
    #[serde(flatten)]
    pub plan: Plan,
    /// Stripe's name of its price; none of what is free.
    pub stripe_price_id: Option<String>,
    /// Price of the plan; none of what is free, and where Stripe has not said so yet.
    pub price: Option<PlanPrice>,
}

/// A plan's names.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanNames {
    /// Name of the plan for people.
    pub display_name: &'static str,
    /// The same as `display_name`.
    pub plan_display_name: &'static str,
}

/// A business's subscription to a plan.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BillingSubscription {
    /// The plan's name in calls.
    pub subscription_plan_id: String,
    /// Names of the plan for people.
    pub plan: PlanNames,
    /// Status of the subscription.
    pub status: SubscriptionStatus,
    /// End of the trial.
    pub trial_ends_at: Option<Instant>,
    /// End of the period that is paid.
    pub period_ends_at: Option<Instant>,
    /// True if the free plan takes its place at the end of the period.
    pub cancels: bool,
}

/// A business's plan, and how much of its limits is used.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BillingDashboard {
    /// Usage and limits of clients, dogs, and services of this month.
    pub usage_limits: UsageLimits,
    /// The current subscription; on a server that sells no plans, the one plan that is there.
    pub subscription: BillingSubscription,
    /// True if this server sells plans.
    pub sells_plans: bool,
    /// True if Stripe knows the business as a customer, so that it has a billing portal there.
    pub has_portal: bool,
    /// True if a plan that is begun now starts with a trial.
    pub may_try: bool,
}

/// Cost of a change of plan, to be confirmed by the person.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanChangePreview {
    /// Charge in dollars; a credit where it is negative.
    pub immediate_charge: Cents,
    /// Time for which the charge was computed, in seconds since 1970; send it with the change, so that it costs exactly
    /// that.
    pub proration_date: i64,
    /// Text that the person confirms.
    pub words: String,
}

/// A page of Stripe's.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BillingPage {
    /// Address of the page.
    pub url: String,
}
