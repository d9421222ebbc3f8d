//! Owns the list of the commands that no run draws, so that a new command is not forgotten.

use std::collections::BTreeMap;

use walkies_core::Command;

/// Seeds that draw every command at least once; some take many acts in a row.
pub const SEEDS_OF_ALL: u64 = 2_000;

/// The commands that nobody saves on a phone here, with the reason for each.
const NOT_DRAWN: &[(&str, &str)] = &[
    ("extend_series", "the nightly job decides it on the server"),
    (
        "share_walk",
        "a report needs a recorded walk with its photos and its route, which no phone has here",
    ),
    ("unshare_walk", "as `share_walk`"),
];

/// The commands that people draw.
const DRAWN: &[&str] = &[
    "update_profile",
    "create_client",
    "update_client",
    "settle_text",
    "delete_client",
    "restore_client",
    "import_clients",
    "undo_import",
    "create_offering",
    "update_offering",
    "delete_offering",
    "reorder_offerings",
    "schedule_service",
    "update_service",
    "complete_service",
    "cancel_service",
    "reopen_service",
    "record_service",
    "delete_service",
    "move_services",
    "mark_services",
    "copy_services",
    "undo_copy",
    "create_series",
    "change_series",
    "leave_out_date",
    "pause_series",
    "resume_series",
    "end_series",
    "change_trip",
    "settle_series_dates",
    "make_series_date",
    "restore_series",
    "delete_series",
    "mark_progress",
    "send_live",
    "announce_delay",
    "take_back_delay",
    "move_visits",
    "set_service_paid",
    "create_pattern",
    "update_pattern",
    "delete_pattern",
    "create_blocked_time",
    "delete_blocked_time",
    "take_time_off",
    "undo_time_off",
    "update_availability_config",
    "approve_request",
    "approve_requests",
    "undo_approval",
    "decline_request",
    "unlink_client",
    "ask_for_service",
    "withdraw_request",
    "ask_for_change",
    "grant_request",
    "start_conversation",
    "send_message",
    "mark_conversation_read",
    "set_conversation_archived",
    "delete_message",
    "share_invoice",
    "record_invoice_payment",
    "record_payments",
    "set_written_off",
    "remove_invoice_payment",
    "settle_overpayment",
    "record_invoice_refund",
    "remove_invoice_refund",
    "delete_invoice",
    "restore_invoice",
    "credit_invoice",
    "remind_of_invoice",
    "mark_passed_on",
    "create_expense",
    "update_expense",
    "delete_expense",
    "deactivate_client",
    "activate_client",
    "mark_pet_gone",
    "restore_pet",
    "reprice_services",
    "restore_prices",
];

/// How often each command was saved on a phone.
pub type Drawn = BTreeMap<&'static str, u64>;

/// Each command is said to be drawn, or not to be with its reason, and that is so in `n_seeds` runs; the sentence on those
/// of which it is not.
pub fn check(drawn: &Drawn, n_seeds: u64) -> Result<(), String> {
    let mut wrong = Vec::new();
    for name in Command::NAMES {
        let is_drawn = DRAWN.contains(name);
        let has_reason = NOT_DRAWN.iter().any(|it| it.0 == *name);
        if is_drawn == has_reason {
            wrong.push(format!(
                "`{name}` is to be drawn, or to be named with a reason"
            ));
        }
        let n = drawn.get(name).copied().unwrap_or_default();
        if has_reason && 0 < n {
            wrong.push(format!(
                "`{name}` is said not to be drawn, and was {n} times"
            ));
        }
        if is_drawn && n == 0 && SEEDS_OF_ALL <= n_seeds {
            wrong.push(format!("no run draws `{name}`"));
        }
    }
    let listed = NOT_DRAWN.iter().map(|it| &it.0).chain(DRAWN);
    let unknown = listed.filter(|it| !Command::NAMES.contains(it));
    wrong.extend(unknown.map(|it| format!("there is no command `{it}`")));
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("; ")),
    }
}
