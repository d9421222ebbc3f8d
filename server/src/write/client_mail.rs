//! Owns mail that a business has sent to a client: each ends with a link by which its recipient stops all of it, and none
//! goes to whoever has done so.

use walkies_core::rules::mail::{NotMailed, stop_line, stop_link};
use walkies_core::{Id, Instant, RowKey};

use crate::app::state::App;
use crate::db::{self, MailJob, Tx};

/// A mail to a client, which holds no name but by `name_in_mail`.
#[derive(Clone, Debug)]
pub struct ClientMail {
    /// The client's address.
    pub to: String,
    /// The subject, one line of text.
    pub subject: String,
    /// Plain text, without a line feed at its end.
    pub text: String,
    /// The time from which it is no longer true, and is not sent.
    pub expires_at: Option<Instant>,
    /// The `share_id` of the invoice that it reminds of or brings, which has to be open when it is sent.
    pub invoice_share_id: Option<String>,
    /// The invoice or report that it brings, with its business.
    pub brings: Option<(Id, RowKey)>,
    /// True if many get such a mail at once.
    pub is_bulk: bool,
}

/// Queues a mail, which goes out if the transaction is committed. What a business may send is counted before.
pub async fn queue(
    app: &App,
    tx: &mut Tx,
    mail: ClientMail,
    now: Instant,
) -> sqlx::Result<Result<(), NotMailed>> {
    let recipient = db::mail_recipient(tx, &mail.to, app.env.share_id(), now).await?;
    if recipient.is_stopped {
        return Ok(Err(NotMailed::Stopped { email: mail.to }));
    }
    let job = MailJob {
        id: app.env.id(),
        recipient: mail.to,
        subject: mail.subject,
        body: with_stop_line(app, &mail.text, &recipient.token),
        attempts: 0,
        stop_token: Some(recipient.token),
        expires_at: mail.expires_at,
        invoice_share_id: mail.invoice_share_id,
        brings: mail.brings,
        is_bulk: mail.is_bulk,
        events_of: None,
    };
    db::insert_mail_job(tx, &job, now).await.map(Ok)
}

/// The text of a mail with the link by which its recipient stops it.
pub fn with_stop_line(app: &App, text: &str, stop_token: &str) -> String {
    let link = stop_link(&app.settings.public_url, stop_token);
    format!("{text}\n\n{}\n", stop_line(&link))
}
