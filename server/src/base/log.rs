//! Owns what the log may say of things that go wrong: what failed and where, never a value that somebody typed, and
//! nothing that could be taken for a line of its own.

use std::error::Error;
use std::panic::PanicHookInfo;

use crate::base::mail_error::MailError;

/// Errors are nested a few deep; one that names itself as its cause must not be followed for ever.
const DEEPEST: usize = 8;

/// Formats an error for the log: it and its causes in one line, without the values that databases, JSON parsers and
/// mail servers quote.
pub fn redacted(error: &(dyn Error + 'static)) -> String {
    let mut said = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next
        && said.len() < DEEPEST
    {
        let known = without_values(error);
        // What is known is said with its causes, which would quote them again.
        next = if known.is_some() {
            None
        } else {
            error.source()
        };
        let text = known.unwrap_or_else(|| error.to_string());
        // Contexts often end with what their cause says.
        if said
            .last()
            .is_none_or(|last: &String| !last.ends_with(&text))
        {
            said.push(text);
        }
    }
    in_one_line(&said.join(": "))
}

/// The same of an error with contexts.
pub fn redacted_chain(error: &anyhow::Error) -> String {
    redacted(error.as_ref())
}

fn without_values(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<sqlx::Error>() {
        return Some(of_database(error));
    }
    if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        return Some(of_json(error));
    }
    if let Some(error) = error.downcast_ref::<MailError>() {
        return Some(of_mail(error));
    }
    if let Some(error) = error.downcast_ref::<tokio::task::JoinError>() {
        let how = if error.is_panic() {
            "panicked"
        } else {
            "was called off"
        };
        return Some(format!("work beside the call {how}"));
    }
    None
}

fn of_database(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => {
            let code = error.code().unwrap_or_default();
            // PostgreSQL, Appendix A: class 22 is about values, and its messages quote them.
            if code.len() == 5 && code.starts_with("22") {
                return format!("the database cannot take a value (code {code})");
            }
            format!("the database says (code {code}): {}", error.message())
        }
        sqlx::Error::ColumnDecode { index, .. } => format!("the column {index} cannot be read"),
        sqlx::Error::Encode(_) | sqlx::Error::Decode(_) => {
            "a value cannot be read or written".to_owned()
        }
        error => error.to_string(),
    }
}

/// Its own words name fields, but also quote what stood in them.
fn of_json(error: &serde_json::Error) -> String {
    format!(
        "JSON that cannot be read ({:?}) at line {} column {}",
        error.classify(),
        error.line(),
        error.column()
    )
}

/// Mail servers repeat the address in what they say.
fn of_mail(error: &MailError) -> String {
    match error {
        MailError::Address { .. } => "the address is none".to_owned(),
        MailError::Message(_) => "the mail cannot be written".to_owned(),
        MailError::Smtp(error) => match error.status() {
            Some(code) => format!("the mail server says {code}"),
            None => "the mail server cannot be reached".to_owned(),
        },
        // What a call says for its caller, and no address.
        MailError::Attachment(why) => format!("its attachment: {why}"),
        MailError::Folder(error) => format!("the folder of mails: {error}"),
    }
}

/// Control characters as escapes: a line break would begin a line that this server never wrote.
fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for it in text.chars() {
        if it.is_control() {
            line.extend(it.escape_default());
        } else {
            line.push(it);
        }
    }
    line
}

/// Has a panic say where it was and, where its words stand in the source, what it said; words that were put together
/// then may quote somebody.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic: &PanicHookInfo<'_>| {
        let place = panic
            .location()
            .map_or_else(String::new, ToString::to_string);
        let said = panic
            .payload()
            .downcast_ref::<&str>()
            .copied()
            .unwrap_or("…");
        tracing::error!(place, said, "a defect: something panicked");
    }));
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    #[test]
    fn what_stood_in_json_is_not_told() {
        let error = serde_json::from_str::<u32>("\"the key is under the mat\"").unwrap_err();
        assert!(error.to_string().contains("under the mat"));
        let redacted = redacted_chain(&anyhow::Error::from(error).context("a phone's command"));
        assert_eq!(
            redacted,
            "a phone's command: JSON that cannot be read (Data) at line 1 column 26"
        );
    }

    #[test]
    fn an_address_that_is_none_is_not_told() {
        let why = "under the mat".parse::<lettre::Address>().unwrap_err();
        let to = "under the mat".to_owned();
        assert_eq!(
            redacted(&MailError::Address { to, why }),
            "the address is none"
        );
    }

    /// Says what it was made of, as libraries do.
    #[derive(Debug)]
    struct Quoting(&'static str);

    impl fmt::Display for Quoting {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.0)
        }
    }

    impl Error for Quoting {}

    #[test]
    fn an_error_is_one_line() {
        let error = Quoting("one\n2026-11-20T09:00:00Z ERROR forged\u{1b}[2J");
        assert_eq!(
            redacted(&error),
            "one\\n2026-11-20T09:00:00Z ERROR forged\\u{1b}[2J"
        );
    }
}
