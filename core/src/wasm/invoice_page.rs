//! Binds what an invoice's page says, for those who look at it before it is shared.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, to_js};
use crate::invoice::{InvoicePage, TipChoice, page};
use crate::rows::invoice::Invoice;
use crate::rows::sitter::Sitter;
use crate::sync::wire::{Zone, zone_of};

/// The page of an invoice, without a tip; `now_ms` is this moment in milliseconds since 1970.
#[wasm_bindgen(js_name = invoicePage)]
pub fn invoice_page(
    invoice: Ts<Invoice>,
    sitter: Ts<Sitter>,
    zone: Option<Ts<Zone>>,
    now_ms: f64,
) -> Result<Json<InvoicePage>, JsError> {
    let zone = zone.map(|it| it.to_rust()).transpose()?;
    let zone = zone_of(zone.as_ref());
    let (invoice, sitter) = (invoice.to_rust()?, sitter.to_rust()?);
    to_js(&page(
        &invoice,
        &sitter,
        &zone,
        moment(now_ms),
        TipChoice::None,
    ))
}
