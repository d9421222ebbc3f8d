//! Sends mail by SMTP, or puts it into a folder where no SMTP is configured. What is sent and when it is tried again is
//! decided elsewhere.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::base::mail_error::MailError;
use crate::external::mail_html::html;

/// A server that has not answered by then is tried again later.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A mail to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient's address.
    pub to: String,
    /// The subject, one line of text.
    pub subject: String,
    /// The body as plain text, of which its HTML part is made.
    pub text: String,
    /// The address at which the recipient stops mail of this kind, by one call without a page (RFC 8058) or on a page.
    pub stop_link: Option<String>,
    /// The address that answers go to; the sender's without it.
    pub reply_to: Option<String>,
    /// A PDF that goes with it.
    pub pdf: Option<Pdf>,
    /// Name of this mail among all, the same each time that it is sent: mail programs show it once.
    pub message_id: Option<String>,
}

/// A PDF that goes with a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pdf {
    /// Name of the file.
    pub name: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Transport for outgoing mail.
#[derive(Clone, Debug)]
pub enum Mailer {
    /// A folder, for a server without SMTP: whoever runs it reads the links there. Not the log, which more people see.
    Folder(PathBuf),
    /// An SMTP server.
    Smtp {
        /// The transport that connects to the SMTP server.
        transport: Box<AsyncSmtpTransport<Tokio1Executor>>,
        /// The sender of every mail.
        from: Mailbox,
    },
}

impl Mailer {
    /// By SMTP: `smtps://user:password@host` (TLS from the start), `smtp://host?tls=required` (STARTTLS), or
    /// `smtp://localhost` (none). `from` is `Name <address>`.
    pub fn smtp(url: &str, from: &str) -> anyhow::Result<Self> {
        // The URL holds a password; neither it nor an error that may quote it reaches a log.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| {
            anyhow::anyhow!("the SMTP address is none: it looks like smtps://user:password@host")
        })?;
        let from = from
            .parse()
            .map_err(|error| anyhow::anyhow!("`{from}` is no sender of mail: {error}"))?;
        Ok(Self::Smtp {
            transport: Box::new(builder.timeout(Some(TIMEOUT)).build()),
            from,
        })
    }

    /// Sends one mail; back when the server has taken it.
    pub async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        match self {
            Self::Folder(folder) => {
                let (folder, mail) = (folder.clone(), mail.clone());
                let written = tokio::task::spawn_blocking(move || put(&folder, &mail)).await;
                let file = written.map_err(std::io::Error::other)??;
                tracing::info!(file = %file.display(), "a mail waits in a file, because no SMTP is configured");
                Ok(())
            }
            Self::Smtp { transport, from } => {
                transport.send(message(from.clone(), mail)?).await?;
                Ok(())
            }
        }
    }
}

/// So many mails wait in the folder; the oldest make room for what comes.
const MAX_IN_FOLDER: usize = 1000;

/// Writes the mail to a file of its own, which only the server's user can read.
fn put(folder: &Path, mail: &Mail) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut there = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        there.push((entry.metadata()?.modified()?, entry.path()));
    }
    there.sort();
    let too_many = (there.len() + 1).saturating_sub(MAX_IN_FOLDER);
    for (_, oldest) in there.drain(..too_many) {
        std::fs::remove_file(oldest)?;
    }
    let mut file = tempfile::Builder::new()
        .prefix("mail-")
        .suffix(".txt")
        .tempfile_in(folder)?;
    write!(file, "To: {}\nSubject: {}\n", mail.to, mail.subject)?;
    if let Some(link) = &mail.stop_link {
        writeln!(file, "{}: <{link}>", LIST_UNSUBSCRIBE)?;
    }
    if let Some(address) = &mail.reply_to {
        writeln!(file, "Reply-To: {address}")?;
    }
    if let Some(Pdf { name, bytes }) = &mail.pdf {
        writeln!(file, "Attachment: {name}, {} bytes", bytes.len())?;
    }
    write!(file, "\n{}", mail.text)?;
    file.as_file().sync_all()?;
    file.into_temp_path().keep().map_err(|it| it.error)
}

const LIST_UNSUBSCRIBE: &str = "List-Unsubscribe";
const LIST_UNSUBSCRIBE_POST: &str = "List-Unsubscribe-Post";

fn message(from: Mailbox, mail: &Mail) -> Result<Message, MailError> {
    let to = mail.to.parse().map_err(|why| MailError::Address {
        to: mail.to.clone(),
        why,
    })?;
    // A subject may hold a client's name: a line break in it would begin a header of that person's own.
    let subject: String = mail
        .subject
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .collect();
    let mut message = Message::builder()
        .from(from)
        .to(Mailbox::new(None, to))
        .subject(subject.clone());
    // An address that is none keeps nobody's mail back.
    if let Some(address) = mail.reply_to.as_ref().and_then(|it| it.parse().ok()) {
        message = message.reply_to(Mailbox::new(None, address));
    }
    if let Some(id) = &mail.message_id {
        message = message.message_id(Some(id.clone()));
    }
    if let Some(link) = &mail.stop_link {
        let one_click = "List-Unsubscribe=One-Click".to_owned();
        for (name, value) in [
            (LIST_UNSUBSCRIBE, format!("<{link}>")),
            (LIST_UNSUBSCRIBE_POST, one_click),
        ] {
            let name = HeaderName::new_from_ascii_str(name);
            let value = HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value);
            message = message.raw_header(value);
        }
    }
    let page = html(&subject, &mail.text, mail.stop_link.as_deref());
    let text = MultiPart::alternative_plain_html(mail.text.clone(), page);
    Ok(match &mail.pdf {
        None => message.multipart(text)?,
        Some(Pdf { name, bytes }) => {
            let pdf = ContentType::parse("application/pdf").unwrap_or(ContentType::TEXT_PLAIN);
            let file = Attachment::new(name.clone()).body(bytes.clone(), pdf);
            message.multipart(MultiPart::mixed().multipart(text).singlepart(file))?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::thread::{self, JoinHandle};

    fn mail(to: &str, subject: &str) -> Mail {
        Mail {
            to: to.into(),
            subject: subject.into(),
            text: "Hello Käthe,\n.\nyour link: https://x/?token=1".into(),
            stop_link: None,
            reply_to: None,
            pdf: None,
            message_id: None,
        }
    }

    /// A mail server for one connection, which answers `RCPT TO` as told; it gives back what was said to it.
    fn server(answer_to_recipient: &'static str) -> (String, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let heard = thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a connection");
            let mut out = stream.try_clone().expect("a second handle");
            let mut say = |text: &str| {
                out.write_all(format!("{text}\r\n").as_bytes())
                    .expect("said")
            };
            say("220 ready");
            let (mut heard, mut in_data) = (String::new(), false);
            for line in BufReader::new(stream).lines() {
                let Ok(line) = line else { break };
                heard.push_str(&line);
                heard.push('\n');
                match line.get(..4).unwrap_or(&line) {
                    "." if in_data => {
                        in_data = false;
                        say("250 taken");
                    }
                    _ if in_data => {}
                    "DATA" => {
                        in_data = true;
                        say("354 go on");
                    }
                    "RCPT" => say(answer_to_recipient),
                    "QUIT" => {
                        say("221 bye");
                        break;
                    }
                    _ => say("250 ok"),
                }
            }
            heard
        });
        (url, heard)
    }

    #[tokio::test]
    async fn a_mail_server_gets_the_mail_once_and_whole() {
        let (url, heard) = server("250 ok");
        let mailer = Mailer::smtp(&url, "Walkies <hello@example.org>").expect("a mailer");
        mailer
            .send(&mail("kaethe@example.org", "Your new password"))
            .await
            .expect("sent");
        drop(mailer);
        let heard = heard.join().expect("a conversation");
        assert!(heard.contains("RCPT TO:<kaethe@example.org>"), "{heard}");
        assert!(heard.contains("Subject: Your new password"), "{heard}");
        assert_eq!(heard.matches("DATA").count(), 1, "{heard}");
    }

    #[test]
    fn mail_that_can_be_stopped_says_so_to_mail_programs() {
        let link = "https://walkies.example/mail/stop/abc".to_owned();
        let mail = Mail {
            stop_link: Some(link),
            ..mail("kaethe@example.org", "Hello")
        };
        let from: Mailbox = "hello@example.org".parse().expect("an address");
        let written = message(from, &mail).expect("a mail").formatted();
        let written = String::from_utf8(written).expect("text");
        for header in [
            "List-Unsubscribe: <https://walkies.example/mail/stop/abc>\r\n",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
        ] {
            assert!(written.contains(header), "{written}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = put(folder.path(), &mail).expect("it is written");
        let text = std::fs::read_to_string(file).expect("its text");
        let head = "To: kaethe@example.org\nSubject: Hello\nList-Unsubscribe: <https://walkies.example/mail/stop/abc>\n\n";
        assert!(text.starts_with(head), "{text}");
    }

    #[test]
    fn a_mail_with_a_pdf_has_its_text_its_file_and_the_address_for_answers() {
        let mail = Mail {
            reply_to: Some("mara@example.org".to_owned()),
            pdf: Some(Pdf {
                name: "Invoice INV-1.pdf".to_owned(),
                bytes: b"%PDF-1.7".to_vec(),
            }),
            message_id: Some("<1@walkies.example>".to_owned()),
            ..mail("kaethe@example.org", "Invoice INV-1")
        };
        let from: Mailbox = "hello@example.org".parse().expect("an address");
        let written = message(from, &mail).expect("a mail").formatted();
        let written = String::from_utf8(written).expect("text");
        for part in [
            "Reply-To: mara@example.org\r\n",
            "Message-ID: <1@walkies.example>\r\n",
            "Content-Type: multipart/mixed;",
            "Content-Type: multipart/alternative;",
            "Content-Type: text/plain; charset=utf-8\r\n",
            "Content-Type: text/html; charset=utf-8\r\n",
            "Content-Type: application/pdf\r\n",
            "Invoice INV-1.pdf",
        ] {
            assert!(written.contains(part), "{part} in {written}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = put(folder.path(), &mail).expect("it is written");
        let text = std::fs::read_to_string(file).expect("its text");
        let head = "Reply-To: mara@example.org\nAttachment: Invoice INV-1.pdf, 8 bytes\n\n";
        assert!(text.contains(head), "{text}");
    }

    #[tokio::test]
    async fn a_refused_address_is_permanent_and_a_busy_server_is_not() {
        for (answer, permanent) in [("550 no such user", true), ("451 come back later", false)] {
            let (url, heard) = server(answer);
            let mailer = Mailer::smtp(&url, "hello@example.org").expect("a mailer");
            let error = mailer
                .send(&mail("kaethe@example.org", "Hello"))
                .await
                .expect_err("refused");
            assert_eq!(error.is_permanent(), permanent, "{error}");
            drop(mailer);
            heard.join().expect("a conversation");
        }
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_tried_again_later() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        drop(listener);
        let mailer = Mailer::smtp(&url, "hello@example.org").expect("a mailer");
        let error = mailer
            .send(&mail("kaethe@example.org", "Hello"))
            .await
            .expect_err("nobody there");
        assert!(!error.is_permanent(), "{error}");
    }

    #[test]
    fn a_line_break_in_a_subject_begins_no_header() {
        let from: Mailbox = "hello@example.org".parse().expect("an address");
        let written = message(
            from,
            &mail("kaethe@example.org", "Rex\r\nBcc: all@example.org\n\nBody"),
        );
        let written = String::from_utf8(written.expect("a mail").formatted()).expect("text");
        let (headers, _) = written.split_once("\r\n\r\n").expect("headers");
        assert!(
            !headers.lines().any(|line| line.starts_with("Bcc")),
            "{headers}"
        );
        assert_eq!(
            headers
                .lines()
                .filter(|line| line.starts_with("Subject:"))
                .count(),
            1,
            "{headers}"
        );
    }

    #[test]
    fn an_address_with_more_than_an_address_in_it_is_none() {
        let from: Mailbox = "hello@example.org".parse().expect("an address");
        for to in [
            "a@example.org\r\nBcc: b@example.org",
            "a@example.org, b@example.org",
            "",
            "a",
        ] {
            let error = message(from.clone(), &mail(to, "Hello")).expect_err(to);
            assert!(error.is_permanent(), "{error}");
        }
    }

    #[test]
    fn a_wrong_configuration_says_so_without_the_password() {
        let error =
            Mailer::smtp("imap://user:hunter2@host", "hello@example.org").expect_err("no SMTP");
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        let error = Mailer::smtp("smtp://localhost", "nobody").expect_err("no sender");
        assert!(error.to_string().contains("nobody"), "{error}");
    }

    #[tokio::test]
    async fn without_smtp_a_mail_waits_in_a_file_of_its_own() {
        let data = tempfile::tempdir().expect("a folder");
        let folder = data.path().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        for subject in ["Hello", "Hello again"] {
            mailer
                .send(&mail("kaethe@example.org", subject))
                .await
                .expect("it is written");
        }
        let mut files: Vec<String> = std::fs::read_dir(&folder)
            .expect("the folder")
            .map(|it| std::fs::read_to_string(it.expect("a file").path()).expect("its text"))
            .collect();
        files.sort();
        let [first, second] = &files[..] else {
            panic!("{files:?}")
        };
        assert!(first.starts_with("To: kaethe@example.org\nSubject: Hello\n\n"));
        assert!(second.contains("Subject: Hello again\n\n"));
    }

    #[test]
    fn the_oldest_mails_make_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let hour = |at: u64| std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(3600 * at);
        for at in 0..MAX_IN_FOLDER as u64 {
            let file = std::fs::File::create(folder.path().join(format!("mail-{at}.txt")));
            file.expect("a file")
                .set_modified(hour(at))
                .expect("its time");
        }
        let new = put(folder.path(), &mail("kaethe@example.org", "Hello")).expect("it is written");
        let left = std::fs::read_dir(folder.path())
            .expect("the folder")
            .count();
        assert_eq!(left, MAX_IN_FOLDER);
        assert!(new.exists() && folder.path().join("mail-1.txt").exists());
        assert!(!folder.path().join("mail-0.txt").exists());
    }
}
