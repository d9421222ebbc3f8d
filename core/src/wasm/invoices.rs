//! Binds what the form of an invoice asks.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::Date;
use crate::commands::ShareInvoice;
use crate::screens::invoices::{
    self, Billable, InvoiceCheck, InvoiceLink, RateOption, UnbilledClient,
};
use crate::screens::schedule::{self, Among};

/// Queries of the form of an invoice.
#[wasm_bindgen]
impl Phone {
    /// All clients by name, with what each has unbilled and what is not marked done.
    #[wasm_bindgen(js_name = unbilledClients)]
    pub fn unbilled_clients(&self, now_ms: f64) -> Result<Json<[UnbilledClient]>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let clients = schedule::client_options(business, Among::All, usize::MAX, &fold);
        list_to_js(&invoices::unbilled_clients(business, clients, &now))
    }

    /// The tax rates of the business, the default one first, and no tax; nothing where it has no rate.
    #[wasm_bindgen(js_name = taxRates)]
    pub fn tax_rates(&self) -> Result<Json<[RateOption]>, JsError> {
        let sitter = self.replica.business().sitter();
        let rates = sitter.map(|it| invoices::rate_options(&it.invoicing));
        list_to_js(&rates.unwrap_or_default())
    }

    /// A client's services from `first` to `last`, as an invoice offers them; of the last 7 days without them.
    pub fn billable(
        &self,
        client_id: &str,
        first: Option<String>,
        last: Option<String>,
        now_ms: f64,
    ) -> Result<Json<Billable>, JsError> {
        let day = |it: Option<String>| it.map(|it| it.parse::<Date>()).transpose();
        to_js(&invoices::billable(
            self.replica.business(),
            client_id.parse()?,
            day(first)?,
            day(last)?,
            &self.replica.now(moment(now_ms)),
        ))
    }

    /// Checks the form's choice: errors, sums, and the invoice that would be shared.
    #[wasm_bindgen(js_name = checkInvoice)]
    pub fn check_invoice(
        &self,
        choice: Ts<ShareInvoice>,
        now_ms: f64,
    ) -> Result<Json<InvoiceCheck>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&invoices::check(
            self.replica.business(),
            &choice.to_rust()?,
            &now,
        ))
    }

    /// The way to an invoice; absent where it was deleted.
    #[wasm_bindgen(js_name = invoiceLink)]
    pub fn invoice_link(&self, id: &str) -> Result<Option<Json<InvoiceLink>>, JsError> {
        let zone = self.replica.now(moment(0.0)).zone;
        let link = invoices::link(self.replica.business(), id.parse()?, &zone);
        link.map(|it| to_js(&it)).transpose()
    }
}
