//! Owns the pages of an archive that people open: an invoice as whoever it is for sees it, and what a shared walk says.

use maud::{DOCTYPE, html};
use walkies_core::archive::{Entry, Kept};
use walkies_core::invoice::{self as words, TipChoice};
use walkies_core::report;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::{Id, Row};

use super::Snapshot;
use crate::print::invoice::{self, Address};

/// The page of a row that has one, and its name in the archive.
pub fn page(snapshot: &Snapshot, row: &Row) -> Option<(String, String)> {
    match row {
        Row::Invoice(invoice) => Some(invoice_page(snapshot, invoice)),
        Row::Report(report) => Some(walk_page(snapshot, report)),
        _ => None,
    }
}

/// From a page, which lies in a folder of its own.
fn beside(name: &str) -> String {
    format!("../{name}")
}

fn photo(id: Id) -> String {
    beside(&Entry::file(Kept::Photos, id, "image/jpeg"))
}

fn invoice_page(snapshot: &Snapshot, invoice: &Invoice) -> (String, String) {
    let place = |name: &str| {
        if let Some(number) = name.strip_prefix("video ") {
            let number: Option<usize> = number.parse().ok();
            let id = number.and_then(|it| invoice.invoice_data.videos.get(it));
            let video = snapshot.videos.iter().find(|it| Some(&it.id) == id);
            let media_type = video.and_then(|it| it.media_type.as_deref());
            let name =
                video.map(|it| Entry::file(Kept::Videos, it.id, media_type.unwrap_or_default()));
            return name.map(|it| beside(&it)).unwrap_or_default();
        }
        let id = match name {
            "logo" => snapshot.sitter.photo,
            name => words::picture(invoice, name),
        };
        id.map(photo).unwrap_or_default()
    };
    let address = Address {
        share_id: "",
        tip_query: String::new(),
        no_tip: None,
        takes_cards: false,
        origin: "",
        said: None,
        kept: Some(&place),
    };
    let (sitter, zone) = (&snapshot.sitter, &snapshot.zone);
    let mut page = words::page(invoice, sitter, zone, snapshot.made_at, TipChoice::None);
    page.tips.clear();
    let number = invoice.number.unwrap_or_default();
    (
        format!("invoices/{number:05}.html"),
        invoice::html(&page, &address),
    )
}

fn walk_page(snapshot: &Snapshot, shared: &Report) -> (String, String) {
    let page = report::page(shared, &snapshot.sitter, &snapshot.zone);
    let photos: Vec<Id> = shared.content.walk.photos().collect();
    let day = shared.started_at.civil(&snapshot.zone).0;
    let text = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) }
            }
            body {
                h1 { (page.title) }
                p { (page.date) ", " (page.times) ", " (page.duration) @if let Some(it) = &page.distance { ", " (it) } }
                @if let Some(it) = &page.not_recorded { p { (it) } }
                @if !page.note.is_empty() { blockquote dir="auto" { (page.note) } }
                ul {
                    @for event in &page.events {
                        li {
                            (event.time) " " bdi { (event.text) }
                            @if let Some(it) = &event.dogs { " (" bdi { (it) } ")" }
                            @if let Some(id) = event.photo.and_then(|it| photos.get(it)) {
                                br;
                                img src=(photo(*id)) alt="" width="300";
                            }
                        }
                    }
                }
                p { bdi { (page.business_name) } }
            }
        }
    };
    (
        format!("walks/{day}-{}.html", shared.id),
        text.into_string(),
    )
}
