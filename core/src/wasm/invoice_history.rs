//! Binds the history of invoices, the sitter's and a pet parent's.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::rules::ledger::money_doubt;
use crate::rules::money::{self, MoneyReport};
use crate::screens::invoice_history::{
    self, FoundInvoice, HistoryQuery, InvoiceCard, InvoiceFilter, InvoiceHistory, InvoiceLine,
};
use crate::screens::sold::{self, SoldRevenue};
use crate::screens::statement::{self, OpenInvoice, Statement};
use crate::{Cents, Id};

/// Dollars as a number that a form has.
fn cents(dollars: f64) -> serde_json::Result<Cents> {
    serde_json::from_str(&dollars.to_string())
}

/// Queries of the history of invoices.
#[wasm_bindgen]
impl Phone {
    /// The newest invoices of a kind, of one client or of all, that a search finds.
    #[wasm_bindgen(js_name = invoiceHistory)]
    pub fn invoice_history(
        &self,
        filter: Ts<InvoiceFilter>,
        client_id: Option<String>,
        search: &str,
        most: usize,
        now_ms: f64,
    ) -> Result<Json<InvoiceHistory>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let query = HistoryQuery {
            filter: filter.to_rust()?,
            client_id: client_id.map(|it| it.parse::<Id>()).transpose()?,
            search,
            fold: &fold,
            most,
        };
        to_js(&invoice_history::invoice_history(
            self.replica.business(),
            &query,
            &now,
        ))
    }

    /// Invoices whose number begins with the text, `most` at most.
    #[wasm_bindgen(js_name = findInvoices)]
    pub fn find_invoices(&self, text: &str, most: usize) -> Result<Json<[FoundInvoice]>, JsError> {
        list_to_js(&invoice_history::find_invoices(
            self.replica.business(),
            text,
            most,
            &fold,
        ))
    }

    /// The newest invoices, as the pet parent sees them whom they are for.
    #[wasm_bindgen(js_name = parentInvoices)]
    pub fn parent_invoices(
        &self,
        most: usize,
        now_ms: f64,
    ) -> Result<Json<InvoiceHistory>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&invoice_history::parent_invoices(
            self.replica.business(),
            most,
            &now,
        ))
    }

    /// Lists what was sold in some days.
    #[wasm_bindgen(js_name = sold)]
    pub fn sold(&self, first: &str, last: &str) -> Result<Json<[SoldRevenue]>, JsError> {
        let days = (first.parse()?, last.parse()?);
        list_to_js(&sold::sold(self.replica.business(), days))
    }

    /// Computes the money of some days, and what is still owed.
    #[wasm_bindgen(js_name = moneyReport)]
    pub fn money_report(
        &self,
        first: &str,
        last: &str,
        now_ms: f64,
    ) -> Result<Json<MoneyReport>, JsError> {
        let today = self.replica.now(moment(now_ms)).today();
        let days = (first.parse()?, last.parse()?);
        to_js(&money::report(self.replica.business(), days, today))
    }

    /// Returns one invoice; absent where there is none of this id.
    #[wasm_bindgen(js_name = invoiceCard)]
    pub fn invoice_card(
        &self,
        id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<InvoiceCard>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        invoice_history::invoice_card(self.replica.business(), id.parse()?, &now)
            .map(|it| to_js(&it))
            .transpose()
    }

    /// The invoice that a service stands on.
    #[wasm_bindgen(js_name = invoiceOf)]
    pub fn invoice_of(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<InvoiceCard>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        invoice_history::invoice_of(self.replica.business(), service_id.parse()?, &now)
            .map(|it| to_js(&it))
            .transpose()
    }

    /// A client's balance with the `most` newest entries of its ledger.
    pub fn statement(
        &self,
        client_id: &str,
        most: usize,
        now_ms: f64,
    ) -> Result<Json<Statement>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&statement::statement(
            business,
            client_id.parse()?,
            most,
            &now,
        ))
    }

    /// Asks about an amount or a day that looks like a slip; absent where nothing does.
    #[wasm_bindgen(js_name = moneyDoubt)]
    pub fn money_doubt(
        &self,
        amount: f64,
        owed: f64,
        day: &str,
        now_ms: f64,
    ) -> Result<Option<String>, JsError> {
        let today = self.replica.now(moment(now_ms)).today();
        Ok(money_doubt(
            cents(amount)?,
            cents(owed)?,
            day.parse()?,
            today,
        ))
    }

    /// The open invoices of a client with what a payment of this amount pays of each, the oldest first.
    #[wasm_bindgen(js_name = openInvoices)]
    pub fn open_invoices(
        &self,
        client_id: &str,
        amount: Option<f64>,
    ) -> Result<Json<[OpenInvoice]>, JsError> {
        let business = self.replica.business();
        let amount = amount.map(cents).transpose()?;
        list_to_js(&statement::open_invoices(
            business,
            client_id.parse()?,
            amount,
        ))
    }

    /// Lists the lines that an invoice's total is made of.
    #[wasm_bindgen(js_name = invoiceLines)]
    pub fn invoice_lines(&self, id: &str) -> Result<Json<[InvoiceLine]>, JsError> {
        list_to_js(&invoice_history::invoice_lines(
            self.replica.business(),
            id.parse()?,
        ))
    }

    /// Returns the text that reminds a client of an invoice by hand; `origin` is the server's address.
    #[wasm_bindgen(js_name = invoiceReminder)]
    pub fn invoice_reminder(&self, id: &str, origin: &str) -> Result<Option<String>, JsError> {
        let business = self.replica.business();
        Ok(invoice_history::reminder(business, id.parse()?, origin))
    }
}
