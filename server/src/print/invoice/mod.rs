//! Owns how an invoice is shown to those who have its address: as a page and on paper. Its words are core's; those of the
//! headings around them, which both have, stand here.

mod html;
mod pdf;
mod printed;

pub use html::{Address, PAGE_POLICY, failed, html, plain_page};
pub use pdf::{Pictures, print};
pub use printed::PrintedInvoices;

use crate::print::MADE_WITH;
pub use crate::print::PrintError;

/// Returns the line on paper that refers to the videos of the page.
fn videos_online(n_videos: usize) -> String {
    match n_videos {
        1 => "A video is on the page of this invoice.".to_owned(),
        n => format!("{n} videos are on the page of this invoice."),
    }
}

const PAY: &str = "How to pay";
const ADD_TIP: &str = "Add a tip";
const DATE: &str = "Date";
const SERVICE: &str = "Service";
const PRICE: &str = "Price";
