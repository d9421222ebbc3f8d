//! What the API answers that is no row of a business: accounts, second factors, devices, and what else phones ask for.
//!
//! Types alone: the server writes them, its OpenAPI document and the phone's TypeScript are made from them.

use serde::{Deserialize, Serialize};

use crate::rows::subscription::SubscriptionStatus;
use crate::rules::usage::UsageLimits;
use crate::values::plan::Plan;
use crate::values::push::{PushKind, PushPreferences};
use crate::{Cents, Id, Instant};

/// What an account is for (SPEC 6).
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
}

/// Who is signed in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = User))]
pub struct SessionUser {
    /// The account's id.
    pub id: Id,
    /// In small letters.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// What the account is for.
    pub role: Role,
    /// The business of a sitter.
    pub sitter_id: Option<Id>,
}

/// A new session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignedIn {
    /// The bearer token; the server keeps only its hash.
    pub token: String,
    /// To be sent with the next sign-in of this e-mail on this device, also after a sign-out: its tries are then counted
    /// apart from those of strangers. It opens nothing.
    pub device: String,
    /// Who it is.
    pub user: SessionUser,
}

/// What a sign-in is answered: a session, or the question for the second factor.
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
    /// To be sent with the second step; it opens nothing by itself.
    pub challenge: String,
    /// Which ones can be used.
    pub factors: Vec<FactorKind>,
    /// How long the second step may take.
    pub expires_in_seconds: i64,
}

/// What a second factor is.
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
    /// Those that count.
    pub factors: Vec<FactorAnswer>,
    /// Recovery codes that were not used.
    pub recovery_codes_left: u32,
}

/// A second factor as its owner sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FactorAnswer {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: FactorKind,
    /// What the person calls it.
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
    /// Its session's id; of no use to sign in with.
    pub id: Id,
    /// As in 'Chrome on Android'.
    pub name: String,
    /// When the person signed in.
    pub created_at: Instant,
    /// To the hour.
    pub last_used_at: Instant,
    /// The one that asks.
    pub is_current: bool,
}

/// A code is on its way, if the e-mail has no account yet; nobody is told whether it has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CodeMailed {
    /// To be sent with the code.
    pub confirmation: String,
    /// How long the code is good.
    pub expires_in_seconds: i64,
}

/// What a sign-up is answered: nearly always 202 with a `confirmation`, and 201 with a session for an invited e-mail.
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

/// Who may sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SignUpMode {
    /// Anybody.
    Open,
    /// Who has a link from `walkies invite`.
    Invite,
    /// Nobody.
    Closed,
}

/// Who may sign up, and how the code reaches them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignUpRules {
    /// Who may.
    pub mode: SignUpMode,
    /// Whether mail is sent; otherwise codes are in the folder of mails.
    pub sends_mail: bool,
    /// Whether the invitation that was asked about is good.
    pub is_invited: bool,
    /// Whom that invitation is for.
    pub email: Option<String>,
    /// What may be chosen here.
    pub plans: Vec<PlanOffer>,
}

/// Whose password is a new one now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordReset {
    /// The account's.
    pub email: String,
    /// As in `SignedIn`.
    pub device: String,
}

/// A document of a sitter, as a licence or an insurance, that is stored for its owner alone.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Document))]
pub struct DocumentAnswer {
    /// Its id.
    pub id: Id,
    /// As its file was called; may be empty.
    pub name: String,
    /// `application/pdf` or `image/jpeg`, by its bytes.
    pub media_type: String,
    /// What its file takes.
    pub size_bytes: u64,
    /// When it was stored.
    pub created_at: Instant,
}

/// What lets the app's connection in, since a browser's WebSocket sends no bearer token.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ticket {
    /// Good once.
    pub ticket: String,
    /// How long it is good.
    pub expires_in_seconds: i64,
}

/// The map that this server has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Map))]
pub struct MapAnswer {
    /// What was imported.
    pub areas: Vec<MapArea>,
    /// Those around the place that was asked for, row by row from the north-west.
    pub tiles: Vec<TileLink>,
    /// Where pictures of the map may be shown from instead, with `{z}`, `{x}` and `{y}`; null where phones draw it alone.
    pub pictures: Option<String>,
}

/// A part of the world that was imported.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Area))]
pub struct MapArea {
    /// Its id.
    pub id: Id,
    /// What the operator calls it.
    pub name: String,
    /// In degrees, like the other three.
    pub west: f64,
    /// See `west`.
    pub south: f64,
    /// See `west`.
    pub east: f64,
    /// See `west`.
    pub north: f64,
    /// When its data was taken from OpenStreetMap; null where nobody said.
    pub data_at: Option<Instant>,
    /// When it came into this server's map.
    pub imported_at: Instant,
    /// What all its tiles take on the way.
    pub bytes: u64,
}

/// A tile to get.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TileLink {
    /// Its name: column, row and checksum.
    pub tile: String,
    /// What it takes on the way.
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

/// What phones subscribe to push with.
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

/// Of what somebody is told.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushChoice {
    /// The kinds that there are for this person.
    pub kinds: Vec<PushKind>,
    /// What the person wants of them, and when.
    pub preferences: PushPreferences,
    /// When the quiet hours end that it is in now.
    pub quiet_until: Option<Instant>,
}

/// What a sitter gives to a client, so that they come into the portal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InviteAnswer {
    /// The address that is opened; client and code are in it.
    pub link: String,
    /// The one-time code.
    pub code: String,
    /// What the QR code says: the link.
    pub qr: String,
    /// A picture of it as SVG, for those who scan it.
    pub qr_svg: String,
    /// The words for a text or a mail, with the link.
    pub text: String,
    /// Until when the code is good.
    pub expires_at: Instant,
    /// Whether a mail was queued.
    pub emailed: bool,
}

/// What a code's page says, for whoever has the code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvitePage {
    /// The record that it is for; goes back with the code.
    pub client_id: Id,
    /// Who invites.
    pub sitter_name: String,
    /// May be empty.
    pub business_name: String,
}

/// With whom somebody is linked now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Linked {
    /// The business.
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
    /// The sitter's.
    pub name: String,
    /// May be empty.
    pub business_name: String,
    /// May be empty.
    pub phone: String,
    /// How many days ahead visits can be asked for; absent where nothing limits it.
    #[serde(default)]
    pub max_advance_days: Option<u32>,
}

/// Whether and how invoices can be paid by card.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardPayments {
    /// Whether there is a key.
    pub is_on: bool,
    /// Whether the key is for real cards, and not for tries.
    pub is_live: bool,
    /// The key's last four characters; empty without one.
    pub key_ends_with: String,
    /// What Stripe has against the key; it has to be replaced.
    pub fault: Option<String>,
    /// The address that Stripe is to be told, so that it reports payments here.
    pub webhook_url: String,
    /// The events that it is to report there.
    pub webhook_events: Vec<String>,
    /// What Stripe takes, in words.
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

/// What a plan costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanPrice {
    /// In dollars, each time.
    pub amount: Cents,
    /// How often: `month`, `year`.
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
    /// Its price; none of what is free, and where Stripe has not said so yet.
    pub price: Option<PlanPrice>,
}

/// A plan's names.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanNames {
    /// Its name for people.
    pub display_name: &'static str,
    /// The same.
    pub plan_display_name: &'static str,
}

/// What a business has subscribed to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BillingSubscription {
    /// The plan's name in calls.
    pub subscription_plan_id: String,
    /// Its names for people.
    pub plan: PlanNames,
    /// How it stands.
    pub status: SubscriptionStatus,
    /// Until when it is tried.
    pub trial_ends_at: Option<Instant>,
    /// Until when it is paid.
    pub period_ends_at: Option<Instant>,
    /// Whether the free plan takes its place then.
    pub cancels: bool,
}

/// How far a business has used up its plan, and what that is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BillingDashboard {
    /// Of clients, dogs, and services of this month.
    pub usage_limits: UsageLimits,
    /// Of a server that sells no plans, the one that is there.
    pub subscription: BillingSubscription,
    /// Whether plans are sold here.
    pub sells_plans: bool,
    /// Whether Stripe knows the business as a customer, so that it has a portal there.
    pub has_portal: bool,
    /// Whether a plan that is begun now is tried first.
    pub may_try: bool,
}

/// What a change of plan comes to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanChangePreview {
    /// In dollars; a credit where it is negative.
    pub immediate_charge: Cents,
    /// What is to be sent with the change, so that it comes to just that: seconds since 1970.
    pub proration_date: i64,
    /// What the person is to confirm.
    pub words: String,
}

/// A page of Stripe's.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BillingPage {
    /// Its address.
    pub url: String,
}
