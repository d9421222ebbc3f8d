//! Binds what the import of a file asks the replica: who is there already, and whether more have room.

use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::Id;
use crate::import::preview::{KnownClient, known_clients};
use crate::import::schedule::{BookableNames, bookable_names};
use crate::rules::usage::{Limited, no_room_for};
use crate::sync::attention;

/// Queries of an import on the replica.
#[wasm_bindgen]
impl Phone {
    /// The clients, by what they are known again.
    #[wasm_bindgen(js_name = knownClients)]
    pub fn known_clients(&self) -> Result<Json<[KnownClient]>, JsError> {
        list_to_js(&known_clients(self.replica.business()))
    }

    /// The names that rows of a file of bookings can have.
    #[wasm_bindgen(js_name = bookableNames)]
    pub fn bookable_names(&self) -> Result<Json<BookableNames>, JsError> {
        to_js(&bookable_names(self.replica.business()))
    }

    /// Returns the sentence on those clients of an import that are there although it was undone; nothing where nobody
    /// is.
    #[wasm_bindgen(js_name = stayedOfImport)]
    pub fn stayed_of_import(&self, clients: Vec<String>) -> Option<String> {
        let business = self.replica.business();
        let ids = clients.iter().filter_map(|it| it.parse().ok());
        let there: Vec<Id> = ids.filter(|it| business.client(*it).is_some()).collect();
        (!there.is_empty()).then(|| attention::stayed(business, &there))
    }

    /// Returns the sentence for a plan that has no room for so many more clients and dogs; nothing where it has.
    #[wasm_bindgen(js_name = noRoomFor)]
    pub fn no_room_for(&self, clients: usize, dogs: usize, now_ms: f64) -> Option<String> {
        let today = self.replica.now(moment(now_ms)).today();
        let business = self.replica.business();
        no_room_for(business, Limited::Clients, today, clients)
            .or_else(|| no_room_for(business, Limited::Dogs, today, dogs))
    }
}
