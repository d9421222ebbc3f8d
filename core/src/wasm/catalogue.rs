//! Binds what the screens of clients, offerings and Needs attention read and start from.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::commands::decision::Actor;
use crate::rows::client::Client;
use crate::rows::offering::{Offering, PricingType};
use crate::rows::pet::Pet;
use crate::rows::service::ServiceType;
use crate::rows::walk_request::WalkRequest;
use crate::rules::client_view::PRIVATE_FIELDS;
use crate::rules::offering;
use crate::rules::pricing::{self, PriceExample, Rate};
use crate::rules::readers::{FieldReader, READERS};
use crate::rules::request;
use crate::screens::directory::{self, ClientServices};
use crate::screens::offerings::{self, Bookable, OfferingGroup};
use crate::screens::requests::{self, RequestFilter, RequestList};
use crate::sync::attention::{self, AttentionGroup};
use crate::values::patch::Patch;
use crate::{Command, Id, Instant};

/// A client form before anything is typed.
#[wasm_bindgen(js_name = newClient)]
pub fn new_client(id: &str) -> Result<Json<Client>, JsError> {
    to_js(&Client::new(id.parse()?, Instant(0)))
}

/// A pet form before anything is typed.
#[wasm_bindgen(js_name = newPet)]
pub fn new_pet(id: &str, client_id: &str) -> Result<Json<Pet>, JsError> {
    to_js(&Pet::new(id.parse()?, client_id.parse()?))
}

/// The fields of the forms of clients, pets and services that the sitter alone sees.
#[wasm_bindgen(js_name = privateFields)]
pub fn private_fields() -> Vec<String> {
    PRIVATE_FIELDS.map(str::to_owned).into()
}

/// Readers of each text and photo that people fill in.
#[wasm_bindgen(js_name = fieldReaders)]
pub fn field_readers() -> Result<Json<[FieldReader]>, JsError> {
    list_to_js(READERS)
}

/// An offering form before anything is typed.
#[wasm_bindgen(js_name = newOffering)]
pub fn new_offering(id: &str) -> Result<Json<Offering>, JsError> {
    to_js(&Offering::new(id.parse()?, Instant(0)))
}

/// Returns the duration in minutes that the form sets when it switches its pricing type, if it sets one.
#[wasm_bindgen(js_name = durationAfterSwitch)]
pub fn duration_after_switch(to: Ts<PricingType>) -> Result<Option<u32>, JsError> {
    Ok(offering::duration_after_switch(to.to_rust()?))
}

/// Computes example prices from the rates in a client form while they are typed; `rates` is the JSON of the form's
/// fields.
#[wasm_bindgen(js_name = priceExamples)]
pub fn price_examples(rates: &str, dogs: usize) -> Result<Json<[PriceExample]>, JsError> {
    let rates: Patch = serde_json::from_str(rates)?;
    list_to_js(&pricing::examples_of_form(&rates, dogs))
}

/// Says where, by the rates in a client form, a longer walk costs less than a shorter one; `rates` is the JSON of the form's
/// fields.
#[wasm_bindgen(js_name = rateWarning)]
pub fn rate_warning(rates: &str) -> Result<String, JsError> {
    let rates: Patch = serde_json::from_str(rates)?;
    Ok(pricing::rate_warning_of_form(&rates))
}

/// Queries of the screens of clients, offerings and Needs attention.
#[wasm_bindgen]
impl Phone {
    /// A client form before anything is typed, at the sitter's own prices where there are some.
    #[wasm_bindgen(js_name = newClient)]
    pub fn new_client(&self, id: &str) -> Result<Json<Client>, JsError> {
        let business = self.replica.business();
        to_js(&pricing::new_client(business, id.parse()?, Instant(0)))
    }

    /// A client's services: what comes, and the newest of what was.
    #[wasm_bindgen(js_name = clientServices)]
    pub fn client_services(
        &self,
        id: &str,
        most: u32,
        now_ms: f64,
    ) -> Result<Json<ClientServices>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&directory::client_services(
            self.replica.business(),
            id.parse()?,
            most,
            &now,
        ))
    }

    /// A client's rates, one line each.
    pub fn rates(&self, client_id: &str) -> Result<Json<[Rate]>, JsError> {
        let id: Id = client_id.parse()?;
        list_to_js(
            &self
                .replica
                .business()
                .client(id)
                .map(pricing::rates)
                .unwrap_or_default(),
        )
    }

    /// Lists the offerings that can be booked beside a plain walk and a plain drop-in: the active ones, and the one
    /// that is `booked` already.
    pub fn bookable(&self, booked: Option<String>) -> Result<Json<[Bookable]>, JsError> {
        let booked = booked.map(|it| it.parse()).transpose()?;
        list_to_js(&offerings::bookable(self.replica.business(), booked))
    }

    /// Returns true if the server books what a pet parent asks for without asking the sitter, where that is possible once it
    /// has it.
    #[wasm_bindgen(js_name = booksAtOnce)]
    pub fn books_at_once(&self, command: Ts<Command>) -> Result<bool, JsError> {
        let (Actor::Client(client_id), Command::AskForService(ask)) =
            (self.replica.actor(), command.to_rust()?)
        else {
            return Ok(false);
        };
        Ok(ask.books_at_once(client_id, self.replica.business()))
    }

    /// Lists the ids of a client's pets that what is asked for fits: a plain service of this type, or an offering.
    #[wasm_bindgen(js_name = fittingPets)]
    pub fn fitting_pets(
        &self,
        client_id: &str,
        service_type: Ts<ServiceType>,
        offering_id: Option<String>,
    ) -> Result<Vec<String>, JsError> {
        let offering = offering_id.map(|it| it.parse()).transpose()?;
        let pets = request::fitting_pets(
            self.replica.business(),
            client_id.parse()?,
            service_type.to_rust()?,
            offering,
        );
        Ok(pets.iter().map(Id::to_string).collect())
    }

    /// Returns true if a client's next visit is so near that one needs to know how to get in.
    #[wasm_bindgen(js_name = isVisitNear)]
    pub fn is_visit_near(&self, client_id: &str, now_ms: f64) -> Result<bool, JsError> {
        let now = self.replica.now(moment(now_ms));
        let client_id = client_id.parse()?;
        Ok(directory::is_visit_near(
            self.replica.business(),
            client_id,
            &now,
        ))
    }

    /// Offerings by category.
    #[wasm_bindgen(js_name = offeringGroups)]
    pub fn offering_groups(&self) -> Result<Json<[OfferingGroup]>, JsError> {
        list_to_js(&offerings::groups(self.replica.business()))
    }

    /// The newest walk requests of a kind, with what is in the way of those that wait.
    pub fn requests(
        &self,
        filter: Ts<RequestFilter>,
        most: usize,
        now_ms: f64,
    ) -> Result<Json<RequestList>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let filter = filter.to_rust()?;
        to_js(&requests::requests(
            self.replica.business(),
            filter,
            most,
            &now,
        ))
    }

    /// A walk request with the fields that it was asked with.
    #[wasm_bindgen(js_name = walkRequest)]
    pub fn walk_request(&self, id: &str) -> Result<Option<Json<WalkRequest>>, JsError> {
        let request = self.replica.business().requests.get(&id.parse()?);
        request.map(|it| to_js(&it.row)).transpose()
    }

    /// Groups the changes that need a person by the row they are about.
    #[wasm_bindgen(js_name = attentionGroups)]
    pub fn attention_groups(&self) -> Result<Json<[AttentionGroup]>, JsError> {
        list_to_js(&attention::groups(
            self.replica.business(),
            self.replica.attention(),
        ))
    }
}
