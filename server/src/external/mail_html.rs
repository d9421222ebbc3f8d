//! Owns the HTML part of a mail, which is made of its plain text: nothing stands in the one that is not in the other.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Works in programs that know no style sheets, too; colors are those of the app (`pwa/src/ui/tokens.css`), and follow the
/// reader's light or dark.
const STYLE: &str = "\
    :root{color-scheme:light dark}\
    body{margin:0;padding:24px 12px;background:#fcfaf5;color:#1d2433;\
    font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
    main{max-width:560px;margin:0 auto;padding:24px 20px 8px;background:#fff;border:1px solid #e6e2dc;border-radius:16px;\
    box-sizing:border-box}\
    h1{margin:0 0 16px;font-size:20px;line-height:1.35;font-weight:650;overflow-wrap:anywhere}\
    p{margin:0 0 16px;overflow-wrap:anywhere}\
    a{color:#1d2433;text-underline-offset:3px}\
    a.act{display:inline-block;box-sizing:border-box;min-height:48px;padding:12px 20px;border-radius:12px;background:#1d2433;\
    color:#fff;text-decoration:none;font-weight:650}\
    footer{max-width:560px;margin:16px auto 0;padding:0 20px;box-sizing:border-box;font-size:14px;color:#585e69;overflow-wrap:anywhere}\
    footer a{color:#585e69}\
    @media (prefers-color-scheme:dark){body{background:#10141b;color:#f6f3ed}main{background:#1a1e27;border-color:#2e333d}\
    a{color:#f6f3ed}a.act{background:#f6b933;color:#181f2e}footer,footer a{color:#bbb7af}}";

/// A mail as HTML: its subject as the heading, unless the text begins with it as a sentence, paragraphs of `text`, its links as links, a
/// line `Label: https://…` as a button, and the paragraph with `stop_link` as its foot.
pub fn html(subject: &str, text: &str, stop_link: Option<&str>) -> String {
    let (heading, text) = match after_subject(subject, text) {
        Some(rest) => text.split_at(text.len() - rest.len()),
        None => (subject, text),
    };
    let paragraphs = text.split("\n\n").map(str::trim);
    let is_foot = |it: &&str| stop_link.is_some_and(|link| it.contains(link));
    let (foot, body): (Vec<&str>, Vec<&str>) = paragraphs
        .filter(|it| !it.is_empty())
        .partition(|it| is_foot(it));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                meta name="color-scheme" content="light dark";
                meta name="supported-color-schemes" content="light dark";
                title { (subject) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 dir="auto" { (heading) }
                    @for it in body { (paragraph(it)) }
                }
                @if !foot.is_empty() {
                    footer { @for it in foot { @for line in it.lines() { (linked(line)) } } }
                }
            }
        }
    };
    page.into_string()
}

/// Returns what follows the first sentence of a text, if that says the subject.
fn after_subject<'a>(subject: &str, text: &'a str) -> Option<&'a str> {
    let rest = text.strip_prefix(subject)?;
    let (rest, ends) = match rest.strip_prefix('.') {
        Some(rest) => (rest, rest.starts_with(char::is_whitespace)),
        None => (rest, rest.starts_with('\n')),
    };
    (ends || rest.is_empty()).then_some(rest)
}

fn paragraph(text: &str) -> Markup {
    html! {
        @for line in text.lines() {
            @match line.rsplit_once(": ").filter(|(_, link)| is_link(link)) {
                Some((label, link)) => p { a class="act" href=(link) { (label) } },
                None => (linked(line)),
            }
        }
    }
}

/// A line with its addresses as links.
fn linked(line: &str) -> Markup {
    html! {
        p dir="auto" {
            @for word in line.split_inclusive(' ') {
                @let address = word.trim_end().trim_end_matches(['.', ',', ')']);
                @match is_link(address) {
                    true => { a href=(address) { (address) } (&word[address.len()..]) },
                    false => (word),
                }
            }
        }
    }
}

fn is_link(word: &str) -> bool {
    let is_address = word.starts_with("https://") || word.starts_with("http://");
    is_address && !word.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use walkies_core::rules::mail::{VisitsToCome, event_mail_without_login};
    use walkies_core::rules::push::Notification;

    use super::*;

    const STOP: &str = "https://walkies.example/mail/stop/abc";

    fn body_of(text: &str) -> String {
        let page = html("Hello", text, Some(STOP));
        let (_, body) = page.split_once("<body>").expect("a body");
        body.to_owned()
    }

    #[test]
    fn a_text_that_begins_with_its_subject_says_it_once() {
        let once = "<h1 dir=\"auto\">Hello.</h1><p dir=\"auto\">You have mail.</p>";
        for text in ["Hello. You have mail.\n", "Hello.\n\nYou have mail.\n"] {
            assert!(body_of(text).contains(once), "{}", body_of(text));
        }
        let twice = "<h1 dir=\"auto\">Hello</h1><p dir=\"auto\">Hello Kim,</p>";
        assert!(body_of("Hello Kim,\n").contains(twice));
    }

    #[test]
    fn paragraphs_links_and_the_foot_are_those_of_the_text() {
        let body = body_of(
            "Hello Kim,\n\nsee https://x.example/a?b=1&c=2.\n\nSign in: https://x.example/auth\nBye\n\n\
             Don't want mail? Stop it here: https://walkies.example/mail/stop/abc\n",
        );
        for part in [
            "<p dir=\"auto\">Hello Kim,</p>",
            "<a href=\"https://x.example/a?b=1&amp;c=2\">https://x.example/a?b=1&amp;c=2</a>.</p>",
            "<a class=\"act\" href=\"https://x.example/auth\">Sign in</a>",
            "<p dir=\"auto\">Bye</p></main>",
            "<footer><p dir=\"auto\">Don't want mail? Stop it here: <a href=\"https://walkies.example/mail/stop/abc\">",
        ] {
            assert!(body.contains(part), "{part} in {body}");
        }
    }

    #[test]
    fn the_subject_is_the_heading_once() {
        let page = |text: &str| html("Paws & Co: Your walk is booked", text, None);
        let once = page("Paws & Co: Your walk is booked.\n\nBye");
        assert!(once.contains(
            "<main><h1 dir=\"auto\">Paws &amp; Co: Your walk is booked.</h1><p dir=\"auto\">Bye</p></main>"
        ));
        let above = page("Hello Kim,");
        assert!(above.contains(
            "<h1 dir=\"auto\">Paws &amp; Co: Your walk is booked</h1><p dir=\"auto\">Hello Kim,</p>"
        ));
    }

    #[test]
    fn visits_that_are_listed_are_lines_and_nothing_is_a_link_for_a_client_without_a_login() {
        let event = Notification {
            title: "Paws & Co".to_owned(),
            body: "Your walk was cancelled".to_owned(),
            path: "/client/visits/7".to_owned(),
            is_silent: false,
        };
        let to_come = VisitsToCome {
            first: vec!["Friday, November 27 at 9:30 AM: walk".to_owned()],
            has_more: false,
        };
        let mail = event_mail_without_login("Paws & Co", &[event], &to_come, true);
        let (_, text) = mail.expect("a mail");
        let body = body_of(&text);
        for part in [
            "<p dir=\"auto\">Paws &amp; Co: Your walk was cancelled.</p>",
            "<p dir=\"auto\">Booked with Paws &amp; Co at the moment:</p><p dir=\"auto\">Friday, November 27 at 9:30 AM: walk</p>",
        ] {
            assert!(body.contains(part), "{part} in {body}");
        }
        assert!(!body.contains("href"), "{body}");
    }

    #[test]
    fn words_of_people_are_words_and_no_markup() {
        let body = body_of("<img src=x onerror=alert(1)> & \"Rex\"\njavascript:alert(1)");
        assert!(!body.contains("<img"), "{body}");
        assert!(
            body.contains("&lt;img src=x onerror=alert(1)&gt; &amp; "),
            "{body}"
        );
        assert!(!body.contains("href"), "{body}");
    }
}
