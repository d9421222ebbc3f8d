//! Binds what the schedule's screens ask of the replica beyond the calendar: the form's live answer, visits, the list.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::commands::AnnounceDelay;
use crate::rules::conflict;
use crate::rules::delay::expected;
use crate::screens::calendar::ServiceView;
use crate::screens::close_day::{self, DayClose};
use crate::screens::correction::{self, CorrectionPreview};
use crate::screens::day_way::{BetterOrder, DayStop, FoundWay, better_order, day_way};
use crate::screens::delay::{self, DelayPlan};
use crate::screens::schedule::{
    self, Among, ClientOption, DateRange, DayPlan, ScheduleCheck, ScheduleDraft, ServiceList,
    ServiceQuery, SideLists, Visit,
};
use crate::{Command, Id};

/// Queries of the schedule's screens.
#[wasm_bindgen]
impl Phone {
    /// Errors, price, obstacles and free starts for what stands in the schedule form.
    #[wasm_bindgen(js_name = checkSchedule)]
    pub fn check_schedule(
        &self,
        draft: Ts<ScheduleDraft>,
        now_ms: f64,
    ) -> Result<Json<ScheduleCheck>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&schedule::check(
            self.replica.business(),
            &draft.to_rust()?,
            &now,
        ))
    }

    /// The visits of a day, the next one named.
    #[wasm_bindgen(js_name = dayPlan)]
    pub fn day_plan(&self, date: &str, now_ms: f64) -> Result<Json<DayPlan>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&schedule::day_plan(
            self.replica.business(),
            date.parse()?,
            &now,
        ))
    }

    /// The visits that follow today and who is told what, if the next one is later by so many minutes.
    #[wasm_bindgen(js_name = delayPlan)]
    pub fn delay_plan(
        &self,
        minutes: u32,
        under_way: Vec<String>,
        left_out: Vec<String>,
        can_send: bool,
        now_ms: f64,
    ) -> Result<Json<DelayPlan>, JsError> {
        let ids = |texts: Vec<String>| -> Result<Vec<Id>, _> {
            texts.iter().map(|it| it.parse()).collect()
        };
        let (under_way, left_out) = (ids(under_way)?, ids(left_out)?);
        let now = self.replica.now(moment(now_ms));
        to_js(&delay::plan(
            self.replica.business(),
            minutes,
            (&under_way, &left_out),
            can_send,
            &now,
        ))
    }

    /// The command that takes an announced delay back, computed before that is saved.
    #[wasm_bindgen(js_name = undoDelay)]
    pub fn undo_delay(&self, command: Ts<AnnounceDelay>) -> Result<Json<Command>, JsError> {
        to_js(&delay::undo(self.replica.business(), &command.to_rust()?))
    }

    /// The stops of a day with the ways between them. `found_meters` and `found_minutes` are the ways of the phone's router by
    /// the index of the stop before; negative for none.
    #[wasm_bindgen(js_name = dayWay)]
    pub fn day_way(
        &self,
        date: &str,
        on_foot: bool,
        found_meters: Vec<f64>,
        found_minutes: Vec<i32>,
    ) -> Result<Json<[DayStop]>, JsError> {
        let found: Vec<Option<FoundWay>> = found_meters
            .into_iter()
            .zip(found_minutes)
            .map(|(meters, minutes)| {
                let minutes = u32::try_from(minutes).ok()?;
                (0.0 <= meters).then_some(FoundWay { meters, minutes })
            })
            .collect();
        let business = self.replica.business();
        list_to_js(&day_way(business, date.parse()?, on_foot, &found))
    }

    /// A shorter way through a day whose visits have windows; absent where none has one.
    #[wasm_bindgen(js_name = betterOrder)]
    pub fn better_order(
        &self,
        date: &str,
        on_foot: bool,
        now_ms: f64,
    ) -> Result<Option<Json<BetterOrder>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let better = better_order(self.replica.business(), date.parse()?, on_foot, &now);
        better.map(|it| to_js(&it)).transpose()
    }

    /// Words for the client beside a visit that is later than planned: `Expected around 12:20 PM`.
    #[wasm_bindgen(js_name = expectedStart)]
    pub fn expected_start(&self, service_id: &str, now_ms: f64) -> Result<Option<String>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let service = business.service(service_id.parse()?);
        Ok(service.and_then(|it| expected(it, &now, business.hour_cycle())))
    }

    /// The start that the form proposes on that day: `09:30`.
    #[wasm_bindgen(js_name = proposedStart)]
    pub fn proposed_start(&self, date: &str, now_ms: f64) -> Result<String, JsError> {
        let now = self.replica.now(moment(now_ms));
        let start = conflict::proposed_start(self.replica.business(), date.parse()?, &now);
        Ok(start.to_string())
    }

    /// One service with what one needs at the door.
    pub fn visit(&self, id: &str, now_ms: f64) -> Result<Option<Json<Visit>>, JsError> {
        let (business, now) = (self.replica.business(), self.replica.now(moment(now_ms)));
        let service = business.service(id.parse()?);
        service
            .map(|it| to_js(&schedule::visit(business, it, &now)))
            .transpose()
    }

    /// A page of the filtered list.
    #[wasm_bindgen(js_name = serviceList)]
    pub fn service_list(
        &self,
        query: Ts<ServiceQuery>,
        now_ms: f64,
    ) -> Result<Json<ServiceList>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&schedule::services(
            self.replica.business(),
            &query.to_rust()?,
            &now,
        ))
    }

    /// The lists beside the calendar: today's, and so many of what is still to be done in the next 7 days; with
    /// `after_today`, of the days after today alone.
    #[wasm_bindgen(js_name = sideLists)]
    pub fn side_lists(
        &self,
        limit: u32,
        after_today: bool,
        now_ms: f64,
    ) -> Result<Json<SideLists>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&schedule::side_lists(
            self.replica.business(),
            limit,
            after_today,
            &now,
        ))
    }

    /// The services that 'Close the day' lists, without those under way.
    #[wasm_bindgen(js_name = closeDay)]
    pub fn close_day(
        &self,
        under_way: Vec<String>,
        now_ms: f64,
    ) -> Result<Json<DayClose>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let under_way: Vec<Id> = under_way.iter().filter_map(|it| it.parse().ok()).collect();
        to_js(&close_day::close_day(
            self.replica.business(),
            &under_way,
            &now,
        ))
    }

    /// Shows what the correction of a completed or cancelled service does, before it is saved; `can_send` is false while what
    /// is saved waits on the phone. Nothing for a service that is scheduled or not there.
    pub fn correction(
        &self,
        id: &str,
        can_send: bool,
        now_ms: f64,
    ) -> Result<Option<Json<CorrectionPreview>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let preview = correction::correction(self.replica.business(), id.parse()?, can_send, &now);
        preview.map(|it| to_js(&it)).transpose()
    }

    /// The number of overdue services: of today and of the last days before it, without those under way.
    #[wasm_bindgen(js_name = overdueCount)]
    pub fn overdue_count(&self, under_way: Vec<String>, now_ms: f64) -> u32 {
        let now = self.replica.now(moment(now_ms));
        let under_way: Vec<Id> = under_way.iter().filter_map(|it| it.parse().ok()).collect();
        schedule::overdue_count(self.replica.business(), &under_way, &now)
    }

    /// The walks that can begin now, by date and start.
    #[wasm_bindgen(js_name = walksToStart)]
    pub fn walks_to_start(&self, now_ms: f64) -> Result<Json<[ServiceView]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        list_to_js(&schedule::walks_to_start(self.replica.business(), &now))
    }

    /// The walk to whose door a route is most likely wanted.
    #[wasm_bindgen(js_name = nextWalk)]
    pub fn next_walk(&self, now_ms: f64) -> Result<Option<Json<ServiceView>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let next = schedule::next_walk(self.replica.business(), &now);
        next.map(|it| to_js(&it)).transpose()
    }

    /// The days that the list shows before anyone says otherwise.
    #[wasm_bindgen(js_name = listRange)]
    pub fn list_range(&self, now_ms: f64) -> Result<Json<DateRange>, JsError> {
        to_js(&schedule::list_range(
            self.replica.now(moment(now_ms)).today(),
        ))
    }

    /// Returns true if there is a client to pick.
    #[wasm_bindgen(js_name = hasClients)]
    pub fn has_clients(&self) -> bool {
        !self.replica.business().clients.is_empty()
    }

    /// Clients to pick from, by name: the active ones, and the one that is `chosen` already.
    #[wasm_bindgen(js_name = clientOptions)]
    pub fn client_options(&self, chosen: Option<String>) -> Result<Json<[ClientOption]>, JsError> {
        let chosen = chosen.map(|it| it.parse()).transpose()?;
        self.client_options_of(Among::Active(chosen), usize::MAX)
    }

    /// The first clients by name that a search finds.
    #[wasm_bindgen(js_name = findClients)]
    pub fn find_clients(&self, search: &str, most: usize) -> Result<Json<[ClientOption]>, JsError> {
        self.client_options_of(Among::Found(search), most)
    }
}

impl Phone {
    fn client_options_of(
        &self,
        among: Among<'_>,
        most: usize,
    ) -> Result<Json<[ClientOption]>, JsError> {
        let business = self.replica.business();
        let options = schedule::client_options(business, among, most, &fold);
        list_to_js(&options)
    }
}
