//! The one path of every write to a business: commands, sync, REST answers, and the mail and notifications that go with
//! a write.

pub mod answer;
pub(crate) mod answer_references;
pub mod client_mail;
pub mod conversations;
pub mod ended_access;
pub mod execute;
pub mod invoice_pdf;
pub mod notify;
pub mod reminder_mail;
pub mod shared_mail;
pub mod sync;
pub mod visit_mail;
