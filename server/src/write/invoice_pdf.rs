//! Owns the PDF of an invoice for those who have its address: printed once for as long as nothing that it says changes, one
//! at a time.

use axum::body::Bytes;
use walkies_core::invoice::{self as words, TipChoice};
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::sitter::Sitter;

use crate::app::state::App;
use crate::app::zone;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, SharedInvoice};
use crate::media::files::{FileName, PhotoSize};
use crate::print::invoice::{self, Pictures, PrintError};

/// Returns the PDF with the name of its file. `caller` is who waits for it: of all who wait those come first who have had
/// the least.
pub async fn print(
    app: &App,
    caller: String,
    share_id: &str,
    tip: TipChoice,
) -> Result<(String, Bytes), AppError> {
    let state = db::shared_invoice_state(&mut app.db.read_autocommit().await?, share_id).await?;
    let (sitter_id, rev) = state.ok_or(AppError::InvoiceGone)?;
    // What is said of it changes with the business, and with the day.
    let quarter = app.now().0 / QUARTER_HOUR_MS;
    let quick = format!("{share_id} {tip:?} {rev} {quarter}");
    if let Some(known) = app.printed_invoices.find(&quick) {
        return named(&known);
    }
    // Before anything of it is in memory: one at a time, and of those who wait first who has had the least.
    let keys = vec![
        format!("invoice {share_id}"),
        format!("business {sitter_id}"),
        caller,
    ];
    let permit = app.print_permits.acquire(keys).await?;
    if let Some(known) = app.printed_invoices.find(&quick) {
        return named(&known);
    }
    let mut tx = app.db.read().await?;
    let shared = db::find_shared_invoice(&mut tx, share_id).await?;
    let SharedInvoice { sitter_id, invoice } = shared.ok_or(AppError::InvoiceGone)?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    let sitter = sitter.ok_or(AppError::InvoiceGone)?.row;
    let photos = &invoice.invoice_data.photos;
    let mut files = Vec::with_capacity(photos.len() + 1);
    for id in sitter.photo.iter().chain(photos) {
        files.push(db::find_photo(&mut tx, sitter_id, *id).await?);
    }
    tx.commit().await?;
    let words = words_of(app, &invoice, &sitter, tip);
    let name = format!("{}.pdf", words.title);
    let page = format!("{}/invoice/{share_id}", app.settings.public_url);
    let file_ids: Vec<_> = files
        .iter()
        .map(|it| it.as_ref().map(|it| it.file_id))
        .collect();
    let has_logo = sitter.photo.is_some();
    let key = sha256(format!("{words:?} {page} {file_ids:?} {has_logo}").as_bytes());
    if let Some(known) = app.printed_invoices.find(&key) {
        app.printed_invoices.keep(quick, known.clone());
        return named(&known);
    }
    let mut pictures = Pictures::default();
    let mut is_whole = true;
    for (place, photo) in files.into_iter().enumerate() {
        let Some(photo) = photo else {
            continue;
        };
        // Small ones are sharp enough where four of them stand side by side; no original is ever read.
        let file = FileName::photo(sitter_id, photo.file_id, PhotoSize::Thumb);
        let found = app.files.get(&file).await;
        is_whole &= found.is_ok();
        let bytes = found.ok().flatten();
        let is_logo = place == 0 && has_logo;
        match bytes.map(|it| it.to_vec()) {
            Some(bytes) if is_logo => pictures.logo = Some(bytes),
            Some(bytes) => pictures.photos.push(bytes),
            None => {}
        }
    }
    drop((invoice, sitter));
    let print = move || invoice::print(&words, pictures, &page);
    let pdf = permit.run(print).await?;
    let pdf = pdf.map_err(|it| match it {
        PrintError::TooLong => AppError::TooLarge(it.to_string()),
        it => AppError::Internal(it.into()),
    })?;
    // One whose pictures could not be read is made anew.
    if is_whole {
        let kept = with_name(&name, &pdf);
        app.printed_invoices.keep(key, kept.clone());
        app.printed_invoices.keep(quick, kept);
    }
    Ok((name, pdf.into()))
}

/// Returns the words of an invoice's page as of now.
fn words_of(app: &App, invoice: &Invoice, sitter: &Sitter, tip: TipChoice) -> words::InvoicePage {
    let now = zone::now_of(app.now(), Some(sitter));
    words::page(invoice, sitter, &now.zone, now.at, tip)
}

/// Zones change their day at a quarter of an hour.
const QUARTER_HOUR_MS: i64 = 15 * 60 * 1000;

/// A PDF behind the name that its file has, as it is kept.
fn with_name(name: &str, pdf: &[u8]) -> Bytes {
    [name.as_bytes(), b"\0", pdf].concat().into()
}

fn named(kept: &Bytes) -> Result<(String, Bytes), AppError> {
    let end = kept.iter().position(|it| *it == 0);
    let end = end.ok_or_else(|| AppError::Internal(anyhow::anyhow!("a PDF has no name")))?;
    let name = String::from_utf8_lossy(&kept[..end]).into_owned();
    Ok((name, kept.slice(end + 1..)))
}

/// The name of a file without what a system or a header might not take: letters, digits and what stands between them.
pub fn file_name(name: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " -_.".contains(it);
    name.chars().filter(|it| is_plain(*it)).collect()
}
