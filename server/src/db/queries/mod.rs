//! Statements by subject. Every function takes `&mut Tx` first, and decides nothing: rules live in the core.

/// Condition that the client's own row names the user of a link, alone or among the pet parents of the household; the
/// argument is the name of `client_user_link` in the statement.
macro_rules! linked_by_row {
    ($link:literal) => {
        concat!(
            "(client.client_user_id = ",
            $link,
            ".user_id OR client.parents LIKE '%\"user_id\":\"' || ",
            $link,
            ".user_id || '\"%')"
        )
    };
}

/// Condition that an account is a pet parent of the client $8 of the business $7. The client's own row has the last word.
macro_rules! users_of_client {
    () => {
        concat!(
            "IN (SELECT link.user_id FROM client_user_link AS link JOIN client ON client.sitter_id = link.sitter_id \
            AND client.id = link.client_id AND ",
            linked_by_row!("link"),
            " WHERE link.sitter_id = $7 AND link.client_id = $8)"
        )
    };
}

/// Condition that the notice that waits takes back an answer or a cancellation that its reader has heard of.
macro_rules! takes_back {
    ($table:literal) => {
        concat!(
            "(",
            $table,
            ".notice LIKE '%\"is_withdrawn\":true%' AND (",
            $table,
            ".notice LIKE '%\"request_approved\"%' OR ",
            $table,
            ".notice LIKE '%\"service_cancelled\"%'))"
        )
    };
}

/// Condition that the notice that waits tells of a booking or of another time on the plan.
macro_rules! tells_time {
    ($table:literal) => {
        concat!(
            "(",
            $table,
            ".notice LIKE '%\"visit_booked\"%' OR ",
            $table,
            ".notice LIKE '%\"service_changed\"%' AND ",
            $table,
            ".notice NOT LIKE '%\"is_delay\":true%')"
        )
    };
}

/// In place of what waits in a table of notices where that tells of other details of a visit and is on its way by this
/// condition: whoever sends it does not know of the newer ones.
macro_rules! take_place_of_sent_details {
    ($table:literal, $is_sent:expr) => {
        concat!(
            "DO UPDATE SET notice_id = excluded.notice_id, notice = excluded.notice WHERE ",
            $table,
            ".notice LIKE '%\"details_changed\"%' AND ",
            $is_sent
        )
    };
}

mod account;
mod analytics;
mod archive;
mod bill_day;
mod billing;
mod calendar;
mod clear;
mod deletion;
mod document;
mod event_mail;
mod factor;
mod feed;
mod identity;
mod import;
mod invite;
mod invoice;
mod kept_answer;
mod live_map;
mod mail;
mod mail_recipient;
mod map;
mod message;
mod mutation;
mod overdue;
mod photo;
mod push;
mod queue;
mod reminder;
mod report;
mod row;
mod series;
mod service;
mod stripe;
mod video;

pub use account::*;
pub use analytics::*;
pub use archive::*;
pub use bill_day::*;
pub use billing::*;
pub use calendar::*;
pub use clear::*;
pub use deletion::*;
pub use document::*;
pub use event_mail::*;
pub use factor::*;
pub use feed::*;
pub use identity::*;
pub use import::*;
pub use invite::*;
pub use invoice::*;
pub use kept_answer::*;
pub use live_map::*;
pub use mail::*;
pub use mail_recipient::*;
pub use map::*;
pub use message::*;
pub use mutation::*;
pub use overdue::*;
pub use photo::*;
pub use push::*;
pub use queue::*;
pub use reminder::*;
pub use report::*;
pub use row::*;
pub use series::*;
pub use service::*;
pub use stripe::*;
pub use video::*;
