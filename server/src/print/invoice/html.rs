//! Owns the page of an invoice: HTML that any phone shows, with no script, no other file but its pictures, and letters that
//! are escaped as they are written.

use std::sync::LazyLock;

use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use sha2::{Digest as _, Sha256};
use walkies_core::invoice::{
    InvoicePage, PageLine, PagePayTo, PageSum, preview_sentence, preview_title,
};
use walkies_core::rules::invoice::InvoiceState;

use crate::print::qr;

const STYLE: &str = include_str!("page.css");

/// Content security policy of the page: it may show its own style, pictures and videos, and send the amount of a tip.
pub static PAGE_POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self' data:; media-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    )
});

/// The address of a shared invoice, and how its page is shown there.
pub struct Address<'a> {
    /// The secret of its address.
    pub share_id: &'a str,
    /// The chosen tip, as it goes into an address: `?tip=15`; may be empty.
    pub tip_query: String,
    /// An amount that somebody typed and that is no tip, and why.
    pub no_tip: Option<(String, &'static str)>,
    /// True if it can be paid by card.
    pub takes_cards: bool,
    /// The server's own address, without a slash at its end: programs that preview a link need whole addresses.
    pub origin: &'a str,
    /// Message about a payment by card that was just tried.
    pub said: Option<String>,
    /// For a page that is kept as a file: finds the path of a picture or video by its name on the page. Such a page
    /// leads nowhere else.
    pub kept: Option<&'a dyn Fn(&str) -> String>,
}

impl Address<'_> {
    fn page(&self) -> String {
        format!("/invoice/{}", self.share_id)
    }

    fn pdf(&self) -> String {
        format!("/invoice/{}/pdf{}", self.share_id, self.tip_query)
    }

    fn card(&self) -> String {
        format!("/invoice/{}/card", self.share_id)
    }

    /// The tip as a field of a form.
    fn tip_field(&self) -> Option<(&str, &str)> {
        self.tip_query.strip_prefix('?')?.split_once('=')
    }

    fn picture(&self, name: &str) -> String {
        match self.kept {
            Some(place) => place(name),
            None => format!("/api/public/invoices/{}/photos/{name}", self.share_id),
        }
    }

    fn thumb(&self, name: &str) -> String {
        let size = if self.kept.is_some() {
            ""
        } else {
            "?size=thumb"
        };
        self.picture(name) + size
    }

    fn video(&self, number: usize) -> String {
        match self.kept {
            Some(place) => place(&format!("video {number}")),
            None => format!("/api/public/invoices/{}/videos/{number}", self.share_id),
        }
    }
}

/// The page of an invoice.
pub fn html(page: &InvoicePage, address: &Address) -> String {
    let title = format!("{} · {}", page.title, page.business_name);
    let body = markup! {
        header {
            @if page.has_logo {
                img .logo src=(address.thumb("logo")) alt="" width="48" height="48";
            }
            div {
                p .business { bdi { (page.business_name) } }
                @if !page.contacts.is_empty() {
                    p .contacts {
                        @for it in &page.contacts { a href=(it.link) { bdi { (it.text) } } " " }
                    }
                }
                @if !page.identity.is_empty() {
                    dl .identity {
                        @for it in &page.identity {
                            div { dt { (it.label) } dd dir="auto" { (it.text) } }
                        }
                    }
                }
            }
        }
        main {
            (head(page))
            @if let Some(said) = &address.said { p .said role="status" { (said) } }
            (payment(page, address))
            (facts(page, address))
            (lines(&page.lines))
            (sums(&page.sums))
            @if !page.terms.is_empty() { p .terms dir="auto" { (page.terms) } }
            @if !page.note.is_empty() { blockquote dir="auto" { (page.note) } }
            (media(page, address))
            @if address.kept.is_none() {
                p .download { a href=(address.pdf()) { "Download PDF" } }
            }
        }
    };
    document(&title, &preview(page, address), &body)
}

/// The head of a page whose link is sent around: neither amount nor client stands in a chat before it is opened.
fn preview(page: &InvoicePage, address: &Address) -> Markup {
    if address.kept.is_some() {
        return markup! {};
    }
    let picture = match page.has_logo {
        true => address.picture("logo"),
        false => ICON.to_owned(),
    };
    let sentence = preview_sentence(page);
    markup! {
        meta name="description" content=(sentence);
        meta property="og:title" content=(preview_title(page));
        meta property="og:description" content=(sentence);
        meta property="og:image" content={ (address.origin) (picture) };
        meta property="og:url" content={ (address.origin) (address.page()) };
        meta property="og:type" content="website";
        meta name="twitter:card" content="summary";
    }
}

/// Picture of a business without one of its own.
const ICON: &str = "/icon-512.png";

/// A page for whoever can be shown no invoice.
pub fn failed(status: StatusCode) -> String {
    let (title, text) = match status {
        StatusCode::NOT_FOUND => (
            "This invoice is no longer shared",
            "Ask your sitter for a new link if you would like to see it again.",
        ),
        StatusCode::TOO_MANY_REQUESTS => (
            "That was a little fast",
            "Please wait a moment, then load the page again.",
        ),
        _ => (
            "The invoice could not be loaded",
            "Please try again in a moment.",
        ),
    };
    plain_page(title, text, None)
}

/// A page of one text, with a button that sends a field of this name and has these words.
pub fn plain_page(title: &str, text: &str, button: Option<(&str, &str)>) -> String {
    let body = markup! {
        main .alone {
            h1 { (title) }
            p { (text) }
            @if let Some((field, words)) = button {
                form method="post" { button name=(field) value="1" { (words) } }
            }
        }
    };
    document(title, &markup! {}, &body)
}

fn document(title: &str, head: &Markup, body: &Markup) -> String {
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="robots" content="noindex, nofollow, noarchive";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                // An address that its text only looks like shall be no link.
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                title { (title) }
                (head)
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                footer { (super::MADE_WITH) }
            }
        }
    };
    page.into_string()
}

fn head(page: &InvoicePage) -> Markup {
    let state = match page.state {
        InvoiceState::Paid => "paid",
        InvoiceState::Overdue => "overdue",
        _ => "open",
    };
    markup! {
        section .head {
            h1 { bdi { (page.title) } }
            p .state .(state) { (page.state_text) }
            p .amount {
                span { (page.amount_label) }
                " "
                strong { (page.amount) }
            }
        }
    }
}

fn payment(page: &InvoicePage, address: &Address) -> Markup {
    let code = page.pay_to.iter().find_map(|it| {
        let svg = qr::svg(it.link.as_deref()?).ok()?;
        Some((it, svg))
    });
    markup! {
        @if !page.pay_to.is_empty() || !page.tips.is_empty() || address.takes_cards {
            section .pay aria-labelledby="pay" {
                h2 #pay { (super::PAY) }
                @if !page.tips.is_empty() { (tips(page, address)) }
                div .ways {
                    ul {
                        @if address.takes_cards { li { (card(page, address)) } }
                        @for (place, it) in page.pay_to.iter().enumerate() {
                            li { (way(it, place == 0 && !address.takes_cards, &page.amount)) }
                        }
                    }
                    @if let Some((it, svg)) = code {
                        figure .code {
                            (PreEscaped(svg))
                            figcaption { "Scan to pay with " (it.label) }
                        }
                    }
                }
            }
        }
    }
}

/// Leads to a page of Stripe's for what the server's own row says, with the tip that is shown.
fn card(page: &InvoicePage, address: &Address) -> Markup {
    markup! {
        form action=(address.card()) method="post" {
            @if let Some((name, value)) = address.tip_field() {
                input type="hidden" name=(name) value=(value);
            }
            button .button .first { "Pay " (page.amount) " by card" }
        }
    }
}

fn way(it: &PagePayTo, is_first: bool, amount: &str) -> Markup {
    markup! {
        @if let Some(link) = &it.link {
            a .button .first[is_first] href=(link) rel="noreferrer" {
                "Pay " (amount) " with " (it.label)
            }
            p .handle { bdi { (it.text) } }
        } @else {
            p .handle { b { (it.label) } " " bdi { (it.text) } }
        }
    }
}

fn tips(page: &InvoicePage, address: &Address) -> Markup {
    let nudge = match page.tip_nudge.as_str() {
        "" => super::ADD_TIP,
        nudge => nudge,
    };
    markup! {
        div .tips role="group" aria-labelledby="tip" {
            p #tip dir="auto" { (nudge) }
            ul {
                @for it in &page.tips {
                    li {
                        a .tip href={ (address.page()) "?tip=" (it.percent) } aria-current=[it.is_chosen.then_some("true")] {
                            b { (it.percent) "%" }
                            " "
                            span { (it.amount) }
                        }
                    }
                }
            }
            form action=(address.page()) {
                label for="amount" { "Another amount" }
                div {
                    input #amount name="amount" type="text" inputmode="decimal" maxlength="10" autocomplete="off"
                        placeholder="$" value=[address.no_tip.as_ref().map(|it| &it.0)]
                        aria-invalid=[address.no_tip.as_ref().map(|_| "true")]
                        aria-describedby=[address.no_tip.as_ref().map(|_| "no-tip")];
                    button { "Add" }
                }
                @if let Some((_, why)) = &address.no_tip {
                    p #no-tip .wrong role="alert" { (why) }
                }
            }
            @if let Some(tip) = &page.tip {
                p .chosen role="status" {
                    "Tip of " (tip) " added. "
                    a href=(address.page()) { "Remove" }
                }
            }
        }
    }
}

fn facts(page: &InvoicePage, address: &Address) -> Markup {
    markup! {
        section .facts {
            @if page.has_dog_photo {
                img .dog src=(address.thumb("dog")) alt="" width="72" height="72";
            }
            dl {
                @for it in &page.facts {
                    div { dt { (it.label) } dd { bdi { (it.text) } } }
                }
            }
        }
    }
}

fn lines(lines: &[PageLine]) -> Markup {
    markup! {
        @if !lines.is_empty() {
            // Said again, since a small screen shows the rows as blocks.
            table role="table" {
                thead role="rowgroup" {
                    tr role="row" {
                        th role="columnheader" scope="col" { (super::DATE) }
                        th role="columnheader" scope="col" { (super::SERVICE) }
                        th role="columnheader" scope="col" { (super::PRICE) }
                    }
                }
                tbody role="rowgroup" {
                    @for it in lines {
                        tr role="row" {
                            td role="cell" { (it.date) }
                            td role="cell" {
                                b { bdi { (it.what) } }
                                p { (it.time) }
                                @if !it.dogs.is_empty() { p dir="auto" { (it.dogs) } }
                                @if !it.tax.is_empty() { p dir="auto" { (it.tax) } }
                                @if !it.notes.is_empty() { p dir="auto" { (it.notes) } }
                            }
                            td role="cell" { (it.price) }
                        }
                    }
                }
            }
        }
    }
}

fn sums(sums: &[PageSum]) -> Markup {
    markup! {
        dl .sums {
            @for it in sums {
                div .strong[it.is_strong] { dt { bdi { (it.label) } } dd { (it.amount) } }
            }
        }
    }
}

fn media(page: &InvoicePage, address: &Address) -> Markup {
    markup! {
        @if page.n_photos > 0 {
            section aria-label="Photos" .photos {
                @for number in 0..page.n_photos {
                    @let picture = address.picture(&number.to_string());
                    a href=(picture) {
                        img src=(picture) alt={ "Photo " (number + 1) } loading="lazy" width="600" height="450";
                    }
                }
            }
        }
        @if page.n_videos > 0 {
            section aria-label="Videos" .videos {
                @for number in 0..page.n_videos {
                    // Some phones show a picture of a video only where a moment of it is asked for.
                    video src={ (address.video(number)) "#t=0.001" } aria-label={ "Video " (number + 1) } controls preload="metadata"
                        playsinline {}
                    // Some browsers lack what phones record with.
                    a.save-video href=(address.video(number)) download { "Download video " (number + 1) }
                }
                p { (super::videos_online(page.n_videos)) }
            }
        }
    }
}
