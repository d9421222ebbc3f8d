//! Binds 'Bill all'.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::Id;
use crate::screens::bill_all::{self, BillAll, BillAllChoice, BilledByItself, BilledInvoice};
use crate::screens::schedule::{self, Among};

/// Queries of 'Bill all'.
#[wasm_bindgen]
impl Phone {
    /// Lists what there is to bill, client by client.
    #[wasm_bindgen(js_name = billAll)]
    pub fn bill_all(
        &self,
        choice: Ts<BillAllChoice>,
        now_ms: f64,
    ) -> Result<Json<BillAll>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let clients = schedule::client_options(business, Among::All, usize::MAX, &fold);
        let choice = choice.to_rust()?;
        to_js(&bill_all::bill_all(business, clients, &choice, &now))
    }

    /// Tells of billing by itself: the setting, and the last month's invoices.
    #[wasm_bindgen(js_name = billedByItself)]
    pub fn billed_by_itself(&self, now_ms: f64) -> Result<Json<BilledByItself>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&bill_all::billed_by_itself(self.replica.business(), &now))
    }

    /// Tells what became of invoices that were shared together.
    #[wasm_bindgen(js_name = billedInvoices)]
    pub fn billed_invoices(
        &self,
        ids: Vec<String>,
        now_ms: f64,
    ) -> Result<Json<[BilledInvoice]>, JsError> {
        let ids: Vec<Id> = ids.iter().map(|it| it.parse()).collect::<Result<_, _>>()?;
        list_to_js(&bill_all::billed(
            self.replica.business(),
            self.replica.attention(),
            &ids,
            &self.replica.now(moment(now_ms)),
        ))
    }
}
