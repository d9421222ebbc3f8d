//! Reasons why a mail was not sent. The log reads them, too: a mail server may quote an address.

use lettre::address::AddressError;
use thiserror::Error;

/// Why a mail was not sent.
#[derive(Debug, Error)]
pub enum MailError {
    /// The address cannot be parsed: a retry does not help.
    #[error("`{to}` is no mail address: {why}")]
    Address {
        /// The address as it was given.
        to: String,
        /// The reason why it cannot be parsed.
        why: AddressError,
    },
    /// The mail cannot be composed: a retry does not help.
    #[error("the mail cannot be written: {0}")]
    Message(#[from] lettre::error::Error),
    /// The mail server cannot be reached or does not want it.
    #[error("the mail server did not take the mail: {0}")]
    Smtp(#[from] lettre::transport::smtp::Error),
    /// The mail has a file that cannot be made.
    #[error("what goes with the mail cannot be made: {0}")]
    Attachment(String),
    /// The folder for mail cannot be written.
    #[error("the mail cannot be put into its folder: {0}")]
    Folder(#[from] std::io::Error),
}

impl MailError {
    /// Returns true if a retry is pointless.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Address { .. } | Self::Message(_) => true,
            Self::Smtp(error) => error.is_permanent(),
            Self::Folder(_) | Self::Attachment(_) => false,
        }
    }
}
