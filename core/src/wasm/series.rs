//! Binds what screens ask of series: previews, undo, lists, and the visits that wait.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::rows::series::{SeriesPlan, SeriesSlot};
use crate::rows::walk_request::RequestSubject;
use crate::rules::series::days_ahead;
use crate::screens::parent_home::{ParentHome, parent_home};
use crate::screens::parent_series::{self, ParentSeries, ParentVisit, StayMoveCheck};
use crate::screens::pet_stream::{PetStream, pet_stream};
use crate::screens::series::{
    self, PlannedVisit, SeriesOfService, SeriesPreview, SeriesView, WaitingDates,
};
use crate::{Command, Id};

/// An empty form of a new series that begins on a date.
#[wasm_bindgen(js_name = newSeriesPlan)]
pub fn new_series_plan(begins: &str) -> Result<Json<SeriesPlan>, JsError> {
    to_js(&SeriesPlan::new(begins.parse()?))
}

/// A new time of a series, with a fresh id of the caller's.
#[wasm_bindgen(js_name = newSeriesSlot)]
pub fn new_series_slot(id: &str) -> Result<Json<SeriesSlot>, JsError> {
    to_js(&SeriesSlot::new(id.parse()?))
}

/// Queries about series.
#[wasm_bindgen]
impl Phone {
    /// Shows the effect of a command about a series, or of granting a request, before it is saved.
    #[wasm_bindgen(js_name = previewSeries)]
    pub fn preview_series(
        &self,
        command: Ts<Command>,
        now_ms: f64,
    ) -> Result<Json<SeriesPreview>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&series::preview(business, &command.to_rust()?, &now))
    }

    /// The command that undoes one about a series, computed before that is saved.
    #[wasm_bindgen(js_name = undoSeries)]
    pub fn undo_series(
        &self,
        command: Ts<Command>,
        now_ms: f64,
    ) -> Result<Option<Json<Command>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let undo = series::undo(self.replica.business(), &command.to_rust()?, &now);
        undo.map(|it| to_js(&it)).transpose()
    }

    /// The series of a client, or of all; those that have ended come last.
    #[wasm_bindgen(js_name = seriesList)]
    pub fn series_list(
        &self,
        client_id: Option<String>,
        now_ms: f64,
    ) -> Result<Json<[SeriesView]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let client_id = client_id.map(|it| it.parse::<Id>()).transpose()?;
        list_to_js(&series::list(self.replica.business(), client_id, &now))
    }

    /// One series with what is said of it.
    #[wasm_bindgen(js_name = seriesView)]
    pub fn series_view(&self, id: &str, now_ms: f64) -> Result<Option<Json<SeriesView>>, JsError> {
        let (business, now) = (self.replica.business(), self.replica.now(moment(now_ms)));
        let id: Id = id.parse()?;
        let series = business.series.get(&id);
        let view = series.map(|it| to_js(&series::view(business, &it.row, &now)));
        view.transpose()
    }

    /// The series that a service is a visit of.
    #[wasm_bindgen(js_name = seriesOfService)]
    pub fn series_of_service(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<SeriesOfService>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let of = series::of_service(self.replica.business(), service_id.parse()?, &now);
        of.map(|it| to_js(&it)).transpose()
    }

    /// The visits of a pet parent's first screen; of those of the past no more than `most`.
    #[wasm_bindgen(js_name = parentHome)]
    pub fn parent_home(
        &self,
        client_id: &str,
        most: u32,
        now_ms: f64,
    ) -> Result<Json<ParentHome>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&parent_home(business, client_id.parse()?, most, &now))
    }

    /// Reports and words about a pet over the months, no more than `most`.
    #[wasm_bindgen(js_name = petStream)]
    pub fn pet_stream(
        &self,
        pet_id: &str,
        most: u32,
        now_ms: f64,
    ) -> Result<Json<PetStream>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&pet_stream(business, pet_id.parse()?, most, &now))
    }

    /// The series of a client that have not ended, as the client sees them.
    #[wasm_bindgen(js_name = parentSeries)]
    pub fn parent_series(&self, now_ms: f64) -> Result<Json<[ParentSeries]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        list_to_js(&parent_series::series(self.replica.business(), &now))
    }

    /// The series of a visit as the client sees it, and what the client may ask for of the visit.
    #[wasm_bindgen(js_name = parentVisit)]
    pub fn parent_visit(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<ParentVisit>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let visit = parent_series::visit(self.replica.business(), service_id.parse()?, &now);
        visit.map(|it| to_js(&it)).transpose()
    }

    /// Errors and price of days that a stay is to move to.
    #[wasm_bindgen(js_name = checkStayMove)]
    pub fn check_stay_move(
        &self,
        change: Ts<RequestSubject>,
        now_ms: f64,
    ) -> Result<Option<Json<StayMoveCheck>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        let check = parent_series::check_stay_move(business, &change.to_rust()?, &now);
        check.map(|it| to_js(&it)).transpose()
    }

    /// The visits of series that wait for a decision.
    #[wasm_bindgen(js_name = waitingSeriesDates)]
    pub fn waiting_series_dates(&self, now_ms: f64) -> Result<Json<[WaitingDates]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        list_to_js(&series::waiting(self.replica.business(), &now))
    }

    /// The visits that series will have from `first` to `last` and that are not made yet.
    #[wasm_bindgen(js_name = plannedVisits)]
    pub fn planned_visits(
        &self,
        first: &str,
        last: &str,
        now_ms: f64,
    ) -> Result<Json<[PlannedVisit]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let (first, last) = (first.parse()?, last.parse()?);
        let business = self.replica.business();
        list_to_js(&series::planned(business, first, last, &now))
    }

    /// Weeks ahead for which visits of a series without an end are made.
    #[wasm_bindgen(js_name = seriesWeeksAhead)]
    pub fn series_weeks_ahead(&self) -> u32 {
        u32::try_from(days_ahead(self.replica.business().config()) / 7).unwrap_or_default()
    }

    /// Counts the visits of series that wait for a decision.
    #[wasm_bindgen(js_name = waitingSeriesCount)]
    pub fn waiting_series_count(&self, now_ms: f64) -> u32 {
        let now = self.replica.now(moment(now_ms));
        series::waiting_count(self.replica.business(), &now)
    }
}
