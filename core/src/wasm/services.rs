//! Binds what screens ask of several services at once: the effect of an act, its undo, and what can be moved or copied.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::commands::ServiceMove;
use crate::screens::services::{self, CopySources, Recipient, ServiceTime, ServicesPreview};
use crate::{Command, Id};

/// Queries about several services.
#[wasm_bindgen]
impl Phone {
    /// Shows the effect of a command about several services, before it is saved; `can_send` is false while what is saved waits
    /// on the phone.
    #[wasm_bindgen(js_name = previewServices)]
    pub fn preview_services(
        &self,
        command: Ts<Command>,
        can_send: bool,
        now_ms: f64,
    ) -> Result<Json<ServicesPreview>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&services::preview(
            business,
            &command.to_rust()?,
            can_send,
            &now,
        ))
    }

    /// The command that undoes one about several services, computed before that is saved.
    #[wasm_bindgen(js_name = undoServices)]
    pub fn undo_services(
        &self,
        command: Ts<Command>,
        now_ms: f64,
    ) -> Result<Option<Json<Command>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let undo = services::undo(self.replica.business(), &command.to_rust()?, &now);
        undo.map(|it| to_js(&it)).transpose()
    }

    /// The services of some days that are there to be copied, both days included.
    #[wasm_bindgen(js_name = copySources)]
    pub fn copy_sources(&self, first: &str, last: &str) -> Result<Json<CopySources>, JsError> {
        let business = self.replica.business();
        to_js(&services::copy_sources(
            business,
            first.parse()?,
            last.parse()?,
        ))
    }

    /// The times of services, by date and start.
    #[wasm_bindgen(js_name = serviceTimes)]
    pub fn service_times(&self, ids: Vec<String>) -> Result<Json<[ServiceTime]>, JsError> {
        list_to_js(&services::times(self.replica.business(), &ids_of(&ids)?))
    }

    /// Moves of services by so many minutes.
    #[wasm_bindgen(js_name = movesBy)]
    pub fn moves_by(&self, ids: Vec<String>, minutes: i32) -> Result<Json<[ServiceMove]>, JsError> {
        let business = self.replica.business();
        list_to_js(&services::moves_by(
            business,
            &ids_of(&ids)?,
            minutes.into(),
        ))
    }

    /// The clients of services, each once.
    #[wasm_bindgen(js_name = recipientsOf)]
    pub fn recipients_of(&self, ids: Vec<String>) -> Result<Json<[Recipient]>, JsError> {
        list_to_js(&services::recipients(
            self.replica.business(),
            &ids_of(&ids)?,
        ))
    }
}

fn ids_of(ids: &[String]) -> Result<Vec<Id>, JsError> {
    let ids = ids.iter().map(|it| it.parse::<Id>());
    Ok(ids.collect::<Result<_, _>>()?)
}
