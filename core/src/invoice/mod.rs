//! Owns what an invoice's page and its print say. An invoice itself is a row; what it comes to is decided in the rules.

mod page;

pub use page::{
    InvoicePage, PageContact, PageFact, PageLine, PagePayTo, PageSum, PageTip, Paper, TipChoice,
    page, picture, preview_sentence, preview_title,
};
