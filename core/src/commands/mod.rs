//! Owns every change to a business: `Command`, and for each noun a file with its commands, what they are about and what
//! they do.

mod availability;
mod client;
pub mod command;
pub mod decision;
mod expense;
mod import;
pub(crate) mod invoice;
mod limit;
mod message;
mod offering;
mod other_text;
mod pass_on;
mod progress;
mod report;
mod request;
mod service;
mod sitter;
mod text;

pub use availability::{
    CreateBlockedTime, CreatePattern, DeleteBlockedTime, DeletePattern, UpdateAvailabilityConfig,
    UpdatePattern,
};
pub use client::{CreateClient, DeleteClient, PetPatch, RestoreClient, UnlinkClient, UpdateClient};
pub use command::decide;
pub use expense::{CreateExpense, DeleteExpense, UpdateExpense};
pub use import::{ImportClients, UndoImport};
pub use invoice::{
    CreditInvoice, DeleteInvoice, RecordInvoicePayment, RecordInvoiceRefund, RemindOfInvoice,
    RemoveInvoicePayment, RemoveInvoiceRefund, RestoreInvoice, SettleOverpayment, ShareInvoice,
};
pub use message::{
    DeleteMessage, MarkConversationRead, SendMessage, SetConversationArchived, StartConversation,
};
pub use offering::{
    CreateOffering, DeleteOffering, OfferingPlace, ReorderOfferings, UpdateOffering,
};
pub use pass_on::{MarkPassedOn, Shared};
pub use progress::MarkProgress;
pub use report::{ShareWalk, UnshareWalk};
pub use request::{ApproveRequest, AskForService, DeclineRequest, WithdrawRequest};
pub use service::{
    CancelService, CompleteService, DeleteService, RecordService, ReopenService, ScheduleService,
    SetServicePaid, UpdateService,
};
pub use sitter::UpdateProfile;
pub use text::SettleText;
