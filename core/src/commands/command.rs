//! Owns `Command`: every change to a business as one value, and the one function that decides it. REST handlers build
//! commands and outbox entries are commands; both sides decide with the same function.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::Business;
use crate::commands::decision::{About, Context, Decision, Intent, Need};
use crate::commands::*;
use crate::rules::refusal::Refusal;
use crate::values::bounds;
use crate::values::form_errors::FieldErrors;
use crate::values::json::{Fields, ReadByField as _};

macro_rules! commands {
    ($($(#[$doc:meta])* $Kind:ident = $name:literal,)*) => {
        /// A change to a business, as a person means it.
        ///
        /// Stored on phones. Only add variants; never rename.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(tag = "name", content = "args", rename_all = "snake_case")]
        pub enum Command {
            $($(#[$doc])* $Kind($Kind),)*
        }

        impl Command {
            /// The names of all of them.
            pub const NAMES: &[&str] = &[$($name),*];

            /// Returns the command's name in API calls and outbox entries.
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$Kind(_) => $name),* }
            }

            /// The command of that name with these arguments; fails for one that this build does not know.
            pub fn read(name: &str, args: Map<String, Value>) -> serde_json::Result<Self> {
                let mut args = Fields(args);
                Ok(match name {
                    $($name => Self::$Kind($Kind::read_by_field(&mut args)?),)*
                    _ => return Err(Fields::unknown(name)),
                })
            }

            /// Lists the rows that must be loaded before the command can be decided. Load them and call again, until
            /// nothing new is listed: needs can depend on rows that are known by then.
            pub fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
                match self { $(Self::$Kind(it) => it.needs(business, ctx)),* }
            }

            fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
                match self { $(Self::$Kind(it) => it.decide(business, ctx)),* }
            }

            fn intent(&self) -> &dyn Intent {
                match self { $(Self::$Kind(it) => it),* }
            }
        }

        $(impl From<$Kind> for Command {
            fn from(command: $Kind) -> Self {
                Self::$Kind(command)
            }
        })*
    };
}

commands! {
    /// Changes the profile or the settings.
    UpdateProfile = "update_profile",
    /// Adds a client with at least one pet.
    CreateClient = "create_client",
    /// Changes a client and its pets.
    UpdateClient = "update_client",
    /// Decides between versions of a long text that two people wrote; a repeat changes nothing.
    SettleText = "settle_text",
    /// Deletes a client with its pets; services of the past stay.
    DeleteClient = "delete_client",
    /// Undoes a deletion: the client and its pets come back under their ids.
    RestoreClient = "restore_client",
    /// Adds the clients of a file with their pets: all of them, or none.
    ImportClients = "import_clients",
    /// Takes off those clients of an import with whom nobody has worked since; the others stay, and are told.
    UndoImport = "undo_import",
    /// Adds an offering, at the end of the order.
    CreateOffering = "create_offering",
    /// Changes an offering, its active state among it.
    UpdateOffering = "update_offering",
    /// Deletes an offering, or deactivates it where services were booked with it (SPEC 4).
    DeleteOffering = "delete_offering",
    /// Puts the offerings in an order; those not named keep theirs after the named ones.
    ReorderOfferings = "reorder_offerings",
    /// Schedules a service.
    ScheduleService = "schedule_service",
    /// Changes a scheduled service.
    UpdateService = "update_service",
    /// Marks a service done; a repeat changes nothing.
    CompleteService = "complete_service",
    /// Calls a service off; a repeat changes nothing.
    CancelService = "cancel_service",
    /// Undoes a completion or a cancellation of a moment ago; a repeat changes nothing.
    ReopenService = "reopen_service",
    /// Makes a record of a service that is already done (`POST /services`).
    RecordService = "record_service",
    /// Removes a service record.
    DeleteService = "delete_service",
    /// Moves several services at once; a repeat changes nothing.
    MoveServices = "move_services",
    /// Completes or cancels several services at once, or takes that back; a repeat changes nothing.
    MarkServices = "mark_services",
    /// Copies services to other days.
    CopyServices = "copy_services",
    /// Undoes copies that nobody has changed since.
    UndoCopy = "undo_copy",
    /// Books a series, and makes its visits of the weeks ahead.
    CreateSeries = "create_series",
    /// Changes what holds of a series from a day on.
    ChangeSeries = "change_series",
    /// Leaves out a date of a series; a repeat changes nothing.
    LeaveOutDate = "leave_out_date",
    /// Pauses a series; a repeat changes nothing.
    PauseSeries = "pause_series",
    /// Ends a pause of a series; a repeat changes nothing.
    ResumeSeries = "resume_series",
    /// Says when a series ends, or that it goes on.
    EndSeries = "end_series",
    /// Changes the days, the stay or the agreed total of a trip.
    ChangeTrip = "change_trip",
    /// Decides on visits of a series whose time is taken.
    SettleSeriesDates = "settle_series_dates",
    /// Makes one visit that a series has planned beyond the weeks ahead; a repeat changes nothing.
    MakeSeriesDate = "make_series_date",
    /// Undoes a change of a series.
    RestoreSeries = "restore_series",
    /// Undoes the booking of a series: it goes, with its visits that are to come.
    DeleteSeries = "delete_series",
    /// Makes the visits of all series that the weeks ahead have come to; a repeat changes nothing.
    ExtendSeries = "extend_series",
    /// Lets the client know how far a visit has come; a repeat changes nothing.
    MarkProgress = "mark_progress",
    /// Tells clients of today's later starts, and moves the visits if the sitter says so; a repeat changes nothing.
    AnnounceDelay = "announce_delay",
    /// Undoes that; a repeat changes nothing.
    TakeBackDelay = "take_back_delay",
    /// Moves visits of a day to other times of it, all of them or none; a repeat changes nothing.
    MoveVisits = "move_visits",
    /// Says whether a service is paid.
    SetServicePaid = "set_service_paid",
    /// Adds hours of a weekday.
    CreatePattern = "create_pattern",
    /// Changes hours, their active state among it.
    UpdatePattern = "update_pattern",
    /// Deletes weekly hours.
    DeletePattern = "delete_pattern",
    /// Blocks a time.
    CreateBlockedTime = "create_blocked_time",
    /// Frees a blocked time.
    DeleteBlockedTime = "delete_blocked_time",
    /// Blocks a time and decides on the visits in it, with messages to their clients.
    TakeTimeOff = "take_time_off",
    /// Undoes a time off: the time is free again, and the visits come back as they were.
    UndoTimeOff = "undo_time_off",
    /// Changes slot settings.
    UpdateAvailabilityConfig = "update_availability_config",
    /// Shares a walk's report with the clients whose dogs were along; again, it replaces what was shared.
    ShareWalk = "share_walk",
    /// Takes a walk's reports back.
    UnshareWalk = "unshare_walk",
    /// Approves a walk request: a service is made of it and linked.
    ApproveRequest = "approve_request",
    /// Declines a walk request; a repeat changes nothing.
    DeclineRequest = "decline_request",
    /// Undoes an approval of a moment ago: the request waits again; a repeat changes nothing.
    UndoApproval = "undo_approval",
    /// Ends a pet parent's access to a business; a repeat changes nothing.
    UnlinkClient = "unlink_client",
    /// Asks for a walk or a drop-in, as a pet parent.
    AskForService = "ask_for_service",
    /// Takes back what was asked for and is not answered.
    WithdrawRequest = "withdraw_request",
    /// Asks for a date to be left out, a pause or a cancellation, as a pet parent.
    AskForChange = "ask_for_change",
    /// Grants what was asked for beside a visit; a repeat changes nothing.
    GrantRequest = "grant_request",
    /// Begins a conversation with a client; a repeat changes nothing.
    StartConversation = "start_conversation",
    /// Says something to the other side.
    SendMessage = "send_message",
    /// Says that all messages up to this one were read; a repeat changes nothing.
    MarkConversationRead = "mark_conversation_read",
    /// Puts a conversation away, or back; a repeat changes nothing.
    SetConversationArchived = "set_conversation_archived",
    /// Takes back what one has said oneself; a repeat changes nothing.
    DeleteMessage = "delete_message",
    /// Shares an invoice of a client's services.
    ShareInvoice = "share_invoice",
    /// Writes down that something was paid on an invoice; a repeat changes nothing.
    RecordInvoicePayment = "record_invoice_payment",
    /// Takes back that something was paid; a repeat changes nothing.
    RemoveInvoicePayment = "remove_invoice_payment",
    /// Says what of the money that was paid too much is a tip or stays as credit; a repeat changes nothing.
    SettleOverpayment = "settle_overpayment",
    /// Writes down that money went back to a client; a repeat changes nothing.
    RecordInvoiceRefund = "record_invoice_refund",
    /// Takes back that money went back; a repeat changes nothing.
    RemoveInvoiceRefund = "remove_invoice_refund",
    /// Deletes an invoice or a credit note; a repeat changes nothing.
    DeleteInvoice = "delete_invoice",
    /// Undoes the deletion of an invoice or a credit note; a repeat changes nothing.
    RestoreInvoice = "restore_invoice",
    /// Gives a part of an invoice back, or all of it, by a credit note.
    CreditInvoice = "credit_invoice",
    /// Reminds the client of an invoice that is owed; a repeat changes nothing.
    RemindOfInvoice = "remind_of_invoice",
    /// Says that the sitter passed the link of a report or an invoice on, or not yet; a repeat changes nothing.
    MarkPassedOn = "mark_passed_on",
    /// Writes down what was driven or spent on a day.
    CreateExpense = "create_expense",
    /// Corrects what was driven or spent.
    UpdateExpense = "update_expense",
    /// Deletes what was driven or spent.
    DeleteExpense = "delete_expense",
    /// Makes a client inactive, ends named series and cancels named visits; a repeat changes nothing.
    DeactivateClient = "deactivate_client",
    /// Makes a client active again; a repeat changes nothing.
    ActivateClient = "activate_client",
    /// Says that a pet has died or moved away: visits to come go on without it.
    MarkPetGone = "mark_pet_gone",
    /// Says that a pet is with its people after all; a repeat changes nothing.
    RestorePet = "restore_pet",
    /// Gives visits to come the price by the rates of now.
    RepriceServices = "reprice_services",
    /// Gives visits back the price that they had before they were repriced.
    RestorePrices = "restore_prices",
    /// Writes down one payment over several invoices; a repeat changes nothing.
    RecordPayments = "record_payments",
    /// Approves several requests, all of them or none; a repeat changes nothing.
    ApproveRequests = "approve_requests",
    /// Says that what is owed on an invoice will never be paid, or that it is owed again; a repeat changes nothing.
    SetWrittenOff = "set_written_off",
    /// Lets a client see photos and events of a visit before its report, or takes them back; a repeat changes nothing.
    SendLive = "send_live",
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.tagged("name", |name, fields| {
            Self::read(name, fields.take("args")?)
        })
    }
}

impl Command {
    /// Describes the command: its row, its effect, and the answer to a call.
    pub fn about(&self) -> About {
        self.intent().about()
    }

    /// The words in it with their labels, where not all of its arguments were entered by a person.
    pub fn words(&self) -> Option<Vec<(&str, &str)>> {
        self.intent().words()
    }
}

/// Decides a command on the rows of one business: what it does, or why it is turned down.
///
/// Pure: the same command, rows and context give the same answer on phone and server. The rows that
/// `Command::needs` names must be known, else the answer is as if they did not exist.
// The build for phones finds it by its name: it comes with the rest of the core, with all that only it calls.
#[inline(never)]
pub fn decide(command: &Command, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    check_bounds(command)?;
    if !command.intent().may(ctx.actor) {
        return Err(Refusal::NotAllowed);
    }
    command.decide(business, ctx)
}

/// Returns errors for the parts of a command that exceed `bounds`.
fn check_bounds(command: &Command) -> Result<(), FieldErrors> {
    let errors = serde_json::to_string(command).and_then(|it| bounds::check(&it));
    errors.unwrap_or_default().or(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn a_command_is_written_as_its_name_and_its_arguments() {
        let command = Command::SetServicePaid(SetServicePaid {
            id: Id::of(1),
            paid: true,
        });
        assert_eq!(
            serde_json::to_string(&command).unwrap(),
            r#"{"name":"set_service_paid","args":{"id":"00000000-0000-0000-0000-000000000001","paid":true}}"#
        );
    }
}
