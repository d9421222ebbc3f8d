//! Binds what screens ask before a client is made inactive, a pet is said to be gone, or visits get another price.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, to_js};
use super::phone::Phone;
use crate::screens::departures::{self, Deactivation, PetDeparture};
use crate::screens::repricing::{self, PricesOf, Repricing};

/// Queries about departures and prices.
#[wasm_bindgen]
impl Phone {
    /// Shows what is to come of a client before it is made inactive.
    pub fn deactivation(
        &self,
        client_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<Deactivation>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let found = departures::deactivation(self.replica.business(), client_id.parse()?, &now);
        found.map(|it| to_js(&it)).transpose()
    }

    /// Shows what becomes of visits and series of a pet that is no longer there from a day on.
    #[wasm_bindgen(js_name = petDeparture)]
    pub fn pet_departure(
        &self,
        pet_id: &str,
        on: &str,
        now_ms: f64,
    ) -> Result<Option<Json<PetDeparture>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        let found = departures::pet_departure(business, pet_id.parse()?, on.parse()?, &now);
        found.map(|it| to_js(&it)).transpose()
    }

    /// Lists the visits from a day on whose price is not that of the rates of now.
    pub fn repricing(
        &self,
        of: Ts<PricesOf>,
        id: &str,
        from: &str,
        now_ms: f64,
    ) -> Result<Json<Repricing>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&repricing::repricing(
            business,
            of.to_rust()?,
            id.parse()?,
            from.parse()?,
            &now,
        ))
    }
}
