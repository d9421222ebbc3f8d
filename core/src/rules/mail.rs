//! Owns what mail that somebody else causes may say, who is sent none, and the words by which a recipient stops it.

use std::fmt;

use thiserror::Error;

use crate::rules::push::Notification;

/// A name in a mail is cut to so many characters: it is a name there, and no message of its own.
const NAME_CHARS: usize = 60;

/// A business or a client as a mail names them. Names are typed by whoever has the mail sent, so that nothing of one is
/// left that a mail program shows as a link: no address of a page or of mail, no phone number. May be empty.
pub fn name_in_mail(name: &str) -> String {
    let plain: String = name.chars().filter_map(plain).collect();
    let is_numbered = PHONE_DIGITS <= plain.chars().filter(char::is_ascii_digit).count();
    let has_digit = |word: &str| word.contains(|it: char| it.is_ascii_digit());
    let words = plain
        .split_whitespace()
        .filter(|it| !(is_address(it) || is_numbered && has_digit(it)));
    let words: Vec<String> = words.map(set_apart).collect();
    cut(&words.join(" "))
}

/// A number with so many digits can be called.
const PHONE_DIGITS: usize = 7;

/// A letter as it is compared: signs that stand for another one in addresses as that one, what nobody sees not at all.
fn plain(letter: char) -> Option<char> {
    match letter {
        '\u{3002}' | '\u{FF0E}' | '\u{FF61}' => Some('.'),
        '\u{FF20}' => Some('@'),
        '\u{FF0F}' => Some('/'),
        '\u{FF1A}' => Some(':'),
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => {
            None
        }
        '\u{FEFF}' => None,
        it if it.is_control() => Some(' '),
        it if ('\u{FF10}'..='\u{FF19}').contains(&it) => {
            char::from_digit(u32::from(it) - 0xFF10, 10)
        }
        it => Some(it),
    }
}

/// True for a word that is an address as a whole, of which nothing can stay.
fn is_address(word: &str) -> bool {
    let lower = word.to_lowercase();
    let has_path = lower.contains('.') && lower.contains(['/', '\\', '?', '#']);
    let is_number =
        lower.matches('.').count() >= 3 && lower.chars().all(|it| it.is_ascii_digit() || it == '.');
    lower.contains('@') || lower.contains("//") || lower.contains("www.") || has_path || is_number
}

/// A word with a space after each dot and colon that joins it to the next letter: `Dr. Bell` stays what it is, and a
/// domain is none any more.
fn set_apart(word: &str) -> String {
    let mut apart = String::with_capacity(word.len() + 4);
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        apart.push(letter);
        if matches!(letter, '.' | ':') && letters.peek().is_some_and(|it| it.is_alphabetic()) {
            apart.push(' ');
        }
    }
    apart
}

fn cut(name: &str) -> String {
    if name.chars().count() <= NAME_CHARS {
        return name.to_owned();
    }
    let begin: String = name.chars().take(NAME_CHARS - 1).collect();
    format!("{}…", begin.trim_end())
}

/// A business as a mail names it, where its own name has nothing that can stay.
pub fn business_in_mail(business: &str) -> String {
    match name_in_mail(business) {
        name if name.is_empty() => "Your pet sitter".to_owned(),
        name => name,
    }
}

/// The mailbox of an address: what comes to `kim+dogs@` comes to `kim@`, and one provider reads no dots. Limits and
/// who has stopped mail go by it.
pub fn mailbox(email: &str) -> String {
    let email = email.trim().to_lowercase();
    let Some((name, domain)) = email.rsplit_once('@') else {
        return email;
    };
    let name = name.split('+').next().unwrap_or_default();
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
        _ => format!("{name}@{domain}"),
    }
}

/// The address of the page on which mail is stopped; `origin` is the server's own, without a slash at its end.
pub fn stop_link(origin: &str, token: &str) -> String {
    format!("{origin}/mail/stop/{token}")
}

/// The end of each mail that somebody else may have caused.
pub fn stop_line(stop_link: &str) -> String {
    format!("Don't want mail from Walkies? Stop it here: {stop_link}")
}

/// Subject and text of the mail to a pet parent who has no access to a business any more; `has_closed` where the sitter
/// deleted the account. `business` is a name by `business_in_mail`.
pub fn ended_access(business: &str, has_closed: bool) -> (String, String) {
    let (subject, happened) = match has_closed {
        true => (
            format!("{business} has left Walkies"),
            format!("{business} has deleted their Walkies account."),
        ),
        false => (
            format!("{business} has ended your access in Walkies"),
            format!("{business} has ended your access in Walkies."),
        ),
    };
    let text = format!(
        "{happened} You no longer see visits, messages, reports and invoices from them in the app. What you had not \
         sent yet stays on your phone until you decide about it.\n\n\
         Have you booked visits that are still to come? Ask {business} whether they take place.\n\n\
         Your own Walkies account stays. You can delete it in the app under Account."
    );
    (subject, text)
}

/// Subject and text of the mail to a pet parent who has access to a business again that had cleared its data and has undone
/// that. `business` is a name by `business_in_mail`.
pub fn access_again(business: &str) -> (String, String) {
    let subject = format!("{business} has given you access in Walkies again");
    let text = format!(
        "{subject}. You see visits, messages, reports and invoices from them in the app as before, and what you had \
         booked is booked."
    );
    (subject, text)
}

/// Subject and text of the mail that tells a pet parent of events at one business, without the line about stopping mail;
/// `None` without events. It says what their notifications say, in their order, and its links sign nobody in. `business` is
/// a name by `business_in_mail`, `origin` the server's address, without a slash at its end.
pub fn event_mail(
    business: &str,
    events: &[Notification],
    origin: &str,
) -> Option<(String, String)> {
    let subject = subject(events, |_| business.to_owned(), business)?;
    let said = events.iter().map(|it| {
        let said = sentence(business, it);
        format!("{said}\n\nOpen in Walkies: {origin}{}", it.path)
    });
    let mut paragraphs: Vec<String> = said.collect();
    paragraphs.push("Under Account in Walkies you choose what comes by mail.".to_owned());
    Some((subject, paragraphs.join("\n\n")))
}

/// Subject and text of the mail that tells a sitter of events, without the line about stopping mail; `None` without events.
/// Each says which client it is of. `origin` is the server's address, without a slash at its end.
pub fn event_mail_to_sitter(events: &[Notification], origin: &str) -> Option<(String, String)> {
    let client = |it: &Notification| match name_in_mail(&it.title) {
        name if name.is_empty() => "A client".to_owned(),
        name => name,
    };
    let subject = subject(events, client, "Walkies")?;
    let said = events.iter().map(|it| {
        let said = sentence(&client(it), it);
        format!("{said}\n\nOpen in Walkies: {origin}{}", it.path)
    });
    let mut paragraphs: Vec<String> = said.collect();
    paragraphs.push("Under Profile in Walkies you choose what comes by mail.".to_owned());
    Some((subject, paragraphs.join("\n\n")))
}

/// Visits that a client without a login has booked, as far as a mail lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisitsToCome {
    /// A line for each of the first ones.
    pub first: Vec<String>,
    /// True if there are others after them.
    pub has_more: bool,
}

/// Subject and text of the mail that tells a client without a login of events at one business, without the line about
/// stopping mail; `None` without events. It lists what is booked by now, since nothing in it opens the app, and an event may
/// stand for several visits. `business` is a name by `business_in_mail`; `takes_answers` is true where answers to the mail go
/// to it.
pub fn event_mail_without_login(
    business: &str,
    events: &[Notification],
    to_come: &VisitsToCome,
    takes_answers: bool,
) -> Option<(String, String)> {
    let subject = subject(events, |_| business.to_owned(), business)?;
    let mut paragraphs: Vec<String> = events.iter().map(|it| sentence(business, it)).collect();
    paragraphs.push(match to_come.first.as_slice() {
        [] => format!("Nothing is booked with {business} at the moment."),
        lines => {
            let more = if to_come.has_more { "\nand more" } else { "" };
            format!(
                "Booked with {business} at the moment:\n{}{more}",
                lines.join("\n")
            )
        }
    });
    paragraphs.push(match takes_answers {
        true => format!("An answer to this mail goes to {business}."),
        false => format!("Please ask {business} directly if something is not right."),
    });
    Some((subject, paragraphs.join("\n\n")))
}

/// The subject of a mail about events: the only one with who it is of, or their number; `None` without any.
fn subject(
    events: &[Notification],
    of: impl Fn(&Notification) -> String,
    of_several: &str,
) -> Option<String> {
    match events {
        [] => None,
        [event] => Some(format!("{}: {}", of(event), event.body)),
        _ => Some(format!("{of_several}: {} updates", events.len())),
    }
}

/// An event as a mail says it, with whom it is of.
fn sentence(of: &str, event: &Notification) -> String {
    let body = &event.body;
    let stop = if body.ends_with('.') { "" } else { "." };
    format!("{of}: {body}{stop}")
}

/// Why a mail does not go out that a sitter asked for. The link that it would have is there all the same.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum NotMailed {
    /// Its recipient has stopped mail. Only who wants to write to that address is told so.
    #[error("{email} asked not to get mail from Walkies. Please send the link yourself.")]
    Stopped {
        /// The recipient's address.
        email: String,
    },
    /// The client has no e-mail that is mailed, and no app that is notified.
    #[error(
        "{name} gets neither mail nor notifications from Walkies. Please send the link yourself."
    )]
    NoWay {
        /// The client's name.
        name: String,
    },
    /// The sitter has had as much mailed as one may for now.
    #[error(
        "Walkies has mailed as much for you as it can for now. Please send the link yourself, or try again later."
    )]
    SenderLimit,
    /// The recipient has got as much mail as one may for now, from whomever.
    #[error(
        "Walkies can't mail {email} again for now. Please send the link yourself, or try again later."
    )]
    RecipientLimit {
        /// The recipient's address.
        email: String,
    },
    /// All sitters together have.
    #[error(
        "Walkies can't send more mail for now. Please send the link yourself, or try again later."
    )]
    ServerLimit,
}

/// Names the reason alone: this form goes to logs, where neither an address nor a name stands.
impl fmt::Debug for NotMailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped { .. } => "Stopped",
            Self::NoWay { .. } => "NoWay",
            Self::SenderLimit => "SenderLimit",
            Self::RecipientLimit { .. } => "RecipientLimit",
            Self::ServerLimit => "ServerLimit",
        })
    }
}

/// The words of the page on which mail is stopped, and allowed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopPage {
    /// Title above the text.
    pub title: &'static str,
    /// The state of things.
    pub text: &'static str,
    /// The button's words; none where there is nothing to do.
    pub button: Option<&'static str>,
}

/// The page of a link in a mail to an address that gets mail, or none.
pub const fn stop_page(is_stopped: bool) -> StopPage {
    if is_stopped {
        StopPage {
            title: "Mail is stopped",
            text: "Walkies sends no more invitations, invoices, reports, reminders, news of visits or sign-up codes to this address. A sitter who tries to \
                   may be told that you asked for no mail. To sign up later, allow mail again here first.",
            button: Some("Allow mail again"),
        }
    } else {
        StopPage {
            title: "Stop mail from Walkies?",
            text: "Walkies sends no more invitations, invoices, reports, reminders, news of visits or sign-up codes to this address. A sitter who tries to \
                   may be told that you asked for no mail. You can allow it again here.",
            button: Some("Stop mail"),
        }
    }
}

/// The page of a link that nobody was sent.
pub const UNKNOWN_STOP_LINK: StopPage = StopPage {
    title: "This link is not known",
    text: "Please use the link at the end of the newest mail from Walkies.",
    button: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_mail_hold_nothing_that_becomes_a_link() {
        for (name, expected) in [
            ("Happy Tails", "Happy Tails"),
            ("Käthe's Hundeservice & Co.", "Käthe's Hundeservice & Co."),
            ("Dr. Bell", "Dr. Bell"),
            ("Dr.Bell", "Dr. Bell"),
            ("J. R. Walker", "J. R. Walker"),
            ("24/7 Pets", "24/7 Pets"),
            ("Dogs: 2 walks a day", "Dogs: 2 walks a day"),
            ("Win at https://evil.example/x now", "Win at now"),
            ("HTTPS://EVIL.EXAMPLE", ""),
            ("evil.example", "evil. example"),
            ("evil。example", "evil. example"),
            ("evil.exam\u{200B}ple", "evil. example"),
            ("evil.example/prize", ""),
            ("evil.example?p=1", ""),
            ("www.evil.example", ""),
            ("write to a@evil.example", "write to"),
            ("mailto:evil", "mailto: evil"),
            ("//evil.example", ""),
            ("192.0.2.10", ""),
            ("Call (555) 010-4477 now", "Call now"),
            ("Pets\r\nBcc: a@evil.example", "Pets Bcc:"),
        ] {
            assert_eq!(name_in_mail(name), expected, "{name}");
        }
    }

    #[test]
    fn spellings_of_one_mailbox_are_one() {
        for (email, expected) in [
            ("Kim@Example.com ", "kim@example.com"),
            ("kim+dogs+cats@example.com", "kim@example.com"),
            ("k.im+1@gmail.com", "kim@gmail.com"),
            ("kim@googlemail.com", "kim@gmail.com"),
            ("k.im@example.com", "k.im@example.com"),
            ("kim", "kim"),
        ] {
            assert_eq!(mailbox(email), expected, "{email}");
        }
    }

    #[test]
    fn a_sitter_whose_reminders_go_by_themselves_is_not_told_who_stopped_mail() {
        for is_stopped in [false, true] {
            let text = stop_page(is_stopped).text;
            assert!(
                text.contains("A sitter who tries to may be told that"),
                "{text}"
            );
        }
    }

    #[test]
    fn an_ended_access_says_who_ended_it_and_to_ask_about_visits() {
        let (subject, text) = ended_access("Happy Tails", true);
        assert_eq!(subject, "Happy Tails has left Walkies");
        assert!(text.starts_with("Happy Tails has deleted their Walkies account. You no longer"));
        assert!(text.contains("Ask Happy Tails whether they take place."));
        let (subject, text) = ended_access("Happy Tails", false);
        assert_eq!(subject, "Happy Tails has ended your access in Walkies");
        assert!(!text.contains("deleted their"));
    }

    #[test]
    fn events_are_mailed_in_the_words_of_their_notifications_one_by_one_or_together() {
        let event = |body: &str, path: &str| Notification {
            title: "Paws & Co".to_owned(),
            body: body.to_owned(),
            path: path.to_owned(),
            is_silent: false,
        };
        let booked = event("Your walk is booked", "/client/visits/7");
        let origin = "https://walkies.example";
        let (subject, text) =
            event_mail("Paws & Co", std::slice::from_ref(&booked), origin).unwrap();
        assert_eq!(subject, "Paws & Co: Your walk is booked");
        assert_eq!(
            text,
            "Paws & Co: Your walk is booked.\n\nOpen in Walkies: https://walkies.example/client/visits/7\n\n\
             Under Account in Walkies you choose what comes by mail."
        );
        let message = event("Sent you a message", "/client/messages/8");
        let (subject, text) = event_mail("Paws & Co", &[booked, message], origin).unwrap();
        assert_eq!(subject, "Paws & Co: 2 updates");
        assert!(
            text.contains(
                "booked.\n\nOpen in Walkies: https://walkies.example/client/visits/7\n\n"
            )
        );
        assert!(text.contains("Paws & Co: Sent you a message.\n\n"));
        assert_eq!(event_mail("Paws & Co", &[], origin), None);
    }

    #[test]
    fn a_sitter_reads_of_which_client_each_event_is_and_no_link_of_a_client_s() {
        let event = |title: &str, body: &str, path: &str| Notification {
            title: title.to_owned(),
            body: body.to_owned(),
            path: path.to_owned(),
            is_silent: false,
        };
        let asked = event("Sam https://evil.example", "Asks for a walk", "/requests");
        let nameless = event("www.evil.example", "Left your portal", "/clients/8");
        let origin = "https://walkies.example";
        let (subject, text) = event_mail_to_sitter(std::slice::from_ref(&asked), origin).unwrap();
        assert_eq!(subject, "Sam: Asks for a walk");
        assert_eq!(
            text,
            "Sam: Asks for a walk.\n\nOpen in Walkies: https://walkies.example/requests\n\n\
             Under Profile in Walkies you choose what comes by mail."
        );
        let (subject, text) = event_mail_to_sitter(&[asked, nameless], origin).unwrap();
        assert_eq!(subject, "Walkies: 2 updates");
        assert!(text.contains("A client: Left your portal.\n\n"), "{text}");
        assert_eq!(event_mail_to_sitter(&[], origin), None);
    }

    #[test]
    fn a_client_without_a_login_reads_what_is_booked_by_now_and_opens_nothing() {
        let cancelled = Notification {
            title: "Paws & Co".to_owned(),
            body: "Your walk was cancelled".to_owned(),
            path: "/client/visits/7?client_id=8".to_owned(),
            is_silent: false,
        };
        let events = std::slice::from_ref(&cancelled);
        let to_come = VisitsToCome {
            first: vec!["Friday, November 27 at 9:30 AM: walk".to_owned()],
            has_more: true,
        };
        let mail = |to_come: &VisitsToCome, takes_answers| {
            event_mail_without_login("Paws & Co", events, to_come, takes_answers).unwrap()
        };
        let (subject, text) = mail(&to_come, true);
        assert_eq!(subject, "Paws & Co: Your walk was cancelled");
        assert_eq!(
            text,
            "Paws & Co: Your walk was cancelled.\n\n\
             Booked with Paws & Co at the moment:\nFriday, November 27 at 9:30 AM: walk\nand more\n\n\
             An answer to this mail goes to Paws & Co."
        );
        let (_, text) = mail(&VisitsToCome::default(), false);
        assert!(
            text.contains("Nothing is booked with Paws & Co at the moment."),
            "{text}"
        );
        assert!(text.ends_with("Please ask Paws & Co directly if something is not right."));
        let nothing = event_mail_without_login("Paws & Co", &[], &to_come, true);
        assert_eq!(nothing, None);
    }

    #[test]
    fn long_names_are_cut_and_empty_ones_have_a_word_in_their_place() {
        let long = name_in_mail(&"Paws ".repeat(40));
        assert_eq!(long.chars().count(), NAME_CHARS);
        assert!(long.ends_with('…'));
        assert_eq!(business_in_mail("https://evil.example"), "Your pet sitter");
        assert_eq!(business_in_mail("Happy Tails"), "Happy Tails");
    }
}
