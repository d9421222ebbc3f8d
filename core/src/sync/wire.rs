//! Owns what phone and server say to each other when they sync: saved commands up, the change feed down.
//! A phone may be weeks older than the server, so readers ignore what they do not know.

use base64ct::{Base64, Encoding as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::commands::command::Command;
use crate::commands::decision::Adjustment;
use crate::rules::refusal::Refusal;
use crate::values::json::{Fields, read_by_field, read_by_name, read_in_place};
use crate::values::reach::Reach;
use crate::values::zone::TimeZone;
use crate::{Id, Instant};

/// The version of the stored rows and commands that this build writes, and of the outcomes that it reads.
pub const SCHEMA: u32 = 13;

/// Phones below it cannot read why a command was turned down where that is newer than they are.
pub const SCHEMA_OF_FAILED: u32 = 2;

/// Phones below it do not know that a request can have been answered in the meantime.
pub const SCHEMA_OF_ANSWERED: u32 = 3;

/// Since which phones can read `Refusal::LimitReached`.
pub const SCHEMA_OF_LIMITS: u32 = 4;

/// Since which phones can read why a time cannot be asked for.
pub const SCHEMA_OF_HOURS: u32 = 5;

/// The oldest version whose commands this build still understands.
pub const MIN_SCHEMA: u32 = 1;

/// The most mutations that a phone puts into one push: small enough that a bad network loses little, large enough for
/// a day's work. A server takes `bounds::COMMANDS_IN_A_PUSH`.
pub const PUSH_LIMIT: usize = 50;

/// The most bytes of arguments in one push, unless one mutation alone has more: half of what a server reads.
pub const PUSH_BYTES: usize = 512 * 1024;

/// A command that a phone has saved.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mutation {
    /// Names the person's intent: the same id is decided once, however often it arrives.
    pub id: Id,
    /// Number of the mutation among all of its device, from 1 without gaps.
    pub seq: u64,
    /// `SCHEMA` of the build that saved it.
    pub v: u32,
    /// When the person acted, by the phone's clock.
    pub made_at: Instant,
    /// The revision of the business that the person had seen.
    pub base_rev: u64,
    /// The command's name.
    pub name: String,
    /// The command's arguments.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub args: Value,
}

read_by_field!(Mutation {
    id,
    seq,
    v,
    made_at,
    base_rev,
    name,
    args
});

impl Mutation {
    /// The command in it; fails for one that this build does not know.
    ///
    /// By way of text, like all reading here: one reader per type keeps the phone's download small.
    pub fn command(&self) -> serde_json::Result<Command> {
        let (name, args) = (&self.name, &self.args);
        let (name, args) = (serde_json::to_string(name)?, serde_json::to_string(args)?);
        serde_json::from_str(&["{\"name\":", &name, ",\"args\":", &args, "}"].concat())
    }

    /// A command's name and arguments, as a mutation carries them.
    pub fn parts(command: &Command) -> (String, Value) {
        let parts = || {
            let mut parts: Fields = serde_json::from_str(&serde_json::to_string(command)?)?;
            Ok::<_, serde_json::Error>((parts.take("name")?, parts.take("args")?))
        };
        parts().unwrap_or_default()
    }
}

/// The body of `POST /sync/push`: mutations of one device in the order of their `seq`, at most
/// `bounds::COMMANDS_IN_A_PUSH`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushRequest {
    /// Id of the phone's database that the mutations come from.
    pub device_id: Id,
    /// `SCHEMA` of the build that sends them.
    pub schema: u32,
    /// The server that the phone knows; another one first asks it to pull.
    #[serde(default)]
    pub backend_id: Option<Id>,
    /// The saved commands.
    pub mutations: Vec<Mutation>,
}

/// Kind of the decision on a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// Done as asked.
    Applied,
    /// Done, but with other effects than the sender expected; they are shown to the person once.
    Adjusted,
    /// Turned down for good; the sender decides what becomes of it.
    Rejected,
    /// Not decided: send it again, and nothing after it before.
    Retry,
}

read_by_name!(OutcomeKind {
    Applied,
    Adjusted,
    Rejected,
    Retry
});

/// Decision on one mutation; the same whenever it is sent again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Outcome {
    /// Id of the mutation.
    pub id: Id,
    /// Kind of the decision.
    pub outcome: OutcomeKind,
    /// Reason for which it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// Effects that differ from what the sender expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjustments: Vec<Adjustment>,
    /// The revision at which the feed carries it; 0 for `Retry`.
    pub rev: u64,
}

read_by_field!(Outcome { id, outcome, rev } or default { refusal, adjustments });

/// Why a push stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The phone knows another history than this one: pull, and number what waits for a new device.
    OtherServer,
    /// The number was taken by another command: two databases count for one device. Number what waits for a new one.
    OutOfOrder,
    /// The server is older than the command, and may understand it after an update.
    TooNew,
    /// The server could not decide it for a reason of its own, and is asked again.
    Failed,
    /// The server is busy: try again later. Also read for a reason that this build does not know.
    Busy,
}

impl<'de> Deserialize<'de> for Stop {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "other_server" => Self::OtherServer,
            "out_of_order" => Self::OutOfOrder,
            "too_new" => Self::TooNew,
            "failed" => Self::Failed,
            // A reason that this build does not know is one to wait for.
            _ => Self::Busy,
        })
    }
}

/// The answer to `POST /sync/push`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushResponse {
    /// One outcome for each mutation that was processed, in order.
    pub results: Vec<Outcome>,
    /// Id of the first mutation that was not decided; it and all after it are to be sent again.
    #[serde(default)]
    pub stopped_at: Option<Id>,
    /// Reason for which it was not decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
}

read_by_field!(PushResponse { results } or default { stopped_at, stopped });

/// The body of `POST /sync/verify`: commands that the phone was told were decided, as many as in a push.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyRequest {
    /// Ids of the commands.
    pub ids: Vec<Id>,
}

/// The answer to `POST /sync/verify`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyResponse {
    /// Ids that this database has never decided, or has forgotten, in the order in which they were asked about.
    pub unknown: Vec<Id>,
}

/// The query of `GET /sync/pull`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PullRequest {
    /// The revision up to which everything is known; 0 for nothing.
    pub cursor: u64,
    /// Id of the device whose outcomes to send.
    pub device_id: Id,
    /// `SCHEMA` of the build that asks.
    pub schema: u32,
    /// The epoch of the last answer; another one means that what the caller may see has changed.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// The server of the last answer.
    #[serde(default)]
    pub backend_id: Option<Id>,
    /// Highest revision in the previous response, if it differs from `cursor`: the rows of a pull of many pages are as
    /// of that revision.
    #[serde(default)]
    pub seen: Option<u64>,
    /// Id that the server gave the revision `seen`, or `cursor` without it: another id under the same number means
    /// another history.
    #[serde(default)]
    pub rev_id: Option<Id>,
}

/// A row of the feed, kept on the phone as it came, so that what this build does not know survives it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WireRow {
    /// The table's name; a newer server may have more.
    pub t: String,
    /// The row's id.
    pub id: Id,
    /// The revision that wrote or removed it.
    pub rev: u64,
    /// True if the row was removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub del: bool,
    /// The row; absent when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub d: Option<Box<RawValue>>,
}

read_in_place!(WireRow from WireRow::default(); { t, id, rev } or default { del, d });

/// The rules of a time zone, since the phone's core carries none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Zone {
    /// IANA name of the zone.
    pub name: String,
    /// TZif file of the zone (RFC 9636) in base64.
    pub tzif: String,
}

read_by_field!(Zone { name, tzif });

/// UTC until the zone is known.
pub fn zone_of(zone: Option<&Zone>) -> TimeZone {
    zone.and_then(|it| {
        let tzif = Base64::decode_vec(&it.tzif).ok()?;
        TimeZone::tzif(&tzif)
    })
    .unwrap_or(TimeZone::UTC)
}

/// The answer to `GET /sync/pull`: a page of the feed.
///
/// A page never splits a revision; the last page makes all of them complete, and only then are they applied.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PullResponse {
    /// The cursor that this page follows; 0 after a reset.
    pub from: u64,
    /// Rows that changed since `from`, removed ones included.
    pub rows: Vec<WireRow>,
    /// Outcomes of the device's mutations since `from`.
    pub outcomes: Vec<Outcome>,
    /// Cursor to send with the next request.
    pub next: u64,
    /// True if there are more pages.
    pub more: bool,
    /// True if everything that the phone has confirmed is to be replaced by this page and the following ones.
    #[serde(default)]
    pub reset: bool,
    /// Number that changes whenever the caller may see other rows than before.
    pub epoch: u64,
    /// Id of the server's database; a restored backup gets another one.
    pub backend_id: Id,
    /// Highest revision of the business; `next` on the last page.
    #[serde(default)]
    pub head: u64,
    /// Id of the revision `head`; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rev_id: Option<Id>,
    /// The oldest schema that the server still takes.
    pub min_schema: u32,
    /// The business's time zone; sent with the business's own row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// How the server reaches the clients; sent to the sitter alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<Reach>,
}

read_in_place!(PullResponse from PullResponse::default(); {
    from, rows, outcomes, next, more, epoch, backend_id, min_schema
} or default { reset, head, rev_id, zone, reach });
