//! Binds what screens read from the replica: clients, offerings, availability, the profile.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::offering::Offering;
use crate::rows::pattern::Pattern;
use crate::rows::report::Report;
use crate::rows::service::{LiveEvent, ProgressStep, Service};
use crate::rows::sitter::Sitter;
use crate::rows::walk_request::RequestStatus;
use crate::rules::live::{LiveMoment, LiveRecipient, live_moments, live_recipients};
use crate::rules::live_map::{LiveMapAudience, live_map_audience, may_be_on_live_map};
use crate::rules::onboarding::{self, ProfileStatus};
use crate::rules::progress::{
    LiveStatus, ProgressText, WayThere, next_steps, noted_times, seen_status, seen_steps,
    text_instead, told_on_the_way, way_there,
};
use crate::rules::report::tells_of;
use crate::rules::ways_to_client::{self, ReportsShared, Sharing};
use crate::screens::directory::{self, ClientCard, ParentNews};
use crate::screens::guided_start::{self, GuidedStart};
use crate::screens::to_send::{self, ToSend};
use crate::sync::text_choices::{TextChoice, choices_for};
use crate::sync::wire::Zone;
use crate::values::sort::SmallSort as _;
use crate::values::units::{HourCycle, Units};
use crate::{Date, Id, Instant};

impl Phone {
    fn reports_that(&self, is_asked: impl Fn(&Report) -> bool) -> Result<Json<[Report]>, JsError> {
        let reports = self.replica.business().reports.values();
        let mut reports: Vec<&Report> = reports
            .map(|it| &it.row)
            .filter(|it| is_asked(it))
            .collect();
        reports.small_sort_by(|a, b| (b.started_at, b.id).cmp(&(a.started_at, a.id)));
        list_to_js(&reports)
    }
}

/// The ids of a list from JavaScript.
fn ids(texts: &[String]) -> Result<Vec<Id>, JsError> {
    let ids = texts.iter().map(|it| it.parse::<Id>());
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Queries of many screens: the profile, clients, offerings and availability.
#[wasm_bindgen]
impl Phone {
    /// The business's own row; absent before the first pull.
    pub fn sitter(&self) -> Result<Option<Json<Sitter>>, JsError> {
        self.replica.business().sitter().map(to_js).transpose()
    }

    /// The units that the business reads distances and weights in.
    pub fn units(&self) -> Result<Json<Units>, JsError> {
        let sitter = self.replica.business().sitter();
        to_js(&sitter.map(|it| it.units).unwrap_or_default())
    }

    /// How the business reads times of day.
    #[wasm_bindgen(js_name = hourCycle)]
    pub fn hour_cycle(&self) -> Result<Json<HourCycle>, JsError> {
        to_js(&self.replica.business().hour_cycle())
    }

    /// The rules of the business's time zone, for what has them read again; absent before the first pull.
    pub fn zone(&self) -> Result<Option<Json<Zone>>, JsError> {
        let zone = self.replica.meta().zone.as_ref();
        zone.map(to_js).transpose()
    }

    /// Returns the status of the profile: the steps that are left until it is complete.
    #[wasm_bindgen(js_name = profileStatus)]
    pub fn profile_status(&self) -> Result<Json<ProfileStatus>, JsError> {
        to_js(&onboarding::profile_status(self.replica.business()))
    }

    /// How far the guided start is, for a business that needs one.
    #[wasm_bindgen(js_name = guidedStart)]
    pub fn guided_start(&self, has_begun: bool) -> Result<Option<Json<GuidedStart>>, JsError> {
        guided_start::guided_start(self.replica.business(), has_begun)
            .map(|it| to_js(&it))
            .transpose()
    }

    /// Returns true if anything was ever pulled: before that, empty lists mean nothing.
    #[wasm_bindgen(js_name = hasLoaded)]
    pub fn has_loaded(&self) -> bool {
        self.replica.meta().cursor > 0
    }

    /// Clients that a search finds, by name.
    pub fn clients(&self, search: &str) -> Result<Json<[ClientCard]>, JsError> {
        list_to_js(&directory::clients(self.replica.business(), search, &fold))
    }

    /// The clients of a list, by name: active ones, with inactive ones that a search finds, or the inactive ones alone.
    #[wasm_bindgen(js_name = clientList)]
    pub fn client_list(&self, search: &str, inactive: bool) -> Result<Json<[ClientCard]>, JsError> {
        let business = self.replica.business();
        list_to_js(&directory::client_list(business, search, inactive, &fold))
    }

    /// Counts the inactive clients.
    #[wasm_bindgen(js_name = inactiveCount)]
    pub fn inactive_count(&self) -> usize {
        directory::inactive_count(self.replica.business())
    }

    /// One client with its pets.
    pub fn client(&self, id: &str) -> Result<Option<Json<ClientCard>>, JsError> {
        directory::client_card(self.replica.business(), id.parse()?)
            .map(|it| to_js(&it))
            .transpose()
    }

    /// Lists the fields that pet parents have set lately, client by client.
    #[wasm_bindgen(js_name = parentNews)]
    pub fn parent_news(&self, now_ms: f64) -> Result<Json<[ParentNews]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        list_to_js(&directory::parent_news(self.replica.business(), &now))
    }

    /// The versions of long texts between which somebody has to decide.
    #[wasm_bindgen(js_name = textChoices)]
    pub fn text_choices(&self) -> Result<Json<[TextChoice]>, JsError> {
        let actor = self.replica.actor();
        list_to_js(&choices_for(self.replica.business(), actor))
    }

    /// Words that say who reads what the pet parents of this client give on getting in.
    #[wasm_bindgen(js_name = accessReaders)]
    pub fn access_readers(&self, client_id: &str) -> Result<String, JsError> {
        let business = self.replica.business();
        Ok(ways_to_client::access_readers(business, client_id.parse()?))
    }

    /// Offerings in their order.
    pub fn offerings(&self) -> Result<Json<[Offering]>, JsError> {
        let mut offerings: Vec<_> = self
            .replica
            .business()
            .offerings
            .values()
            .map(|it| &it.row)
            .collect();
        offerings.small_sort_by_key(|it| (it.display_order, it.id));
        list_to_js(&offerings)
    }

    /// Availability patterns by weekday and start.
    pub fn patterns(&self) -> Result<Json<[Pattern]>, JsError> {
        let mut patterns: Vec<_> = self
            .replica
            .business()
            .patterns
            .values()
            .map(|it| &it.row)
            .collect();
        patterns.small_sort_by_key(|it| (it.day_of_week, it.start_time, it.id));
        list_to_js(&patterns)
    }

    /// The slot settings.
    #[wasm_bindgen(js_name = availabilityConfig)]
    pub fn availability_config(&self) -> Result<Option<Json<AvailabilityConfig>>, JsError> {
        self.replica.business().config().map(to_js).transpose()
    }

    /// Returns the number of walk requests that wait for an answer.
    #[wasm_bindgen(js_name = pendingRequests)]
    pub fn pending_requests(&self) -> usize {
        let requests = self.replica.business().requests.values();
        requests
            .filter(|it| it.row.status == RequestStatus::Pending)
            .count()
    }

    /// The reports of a walk, or all of them, the newest walk first.
    pub fn reports(&self, walk_id: Option<String>) -> Result<Json<[Report]>, JsError> {
        let walk_id = walk_id.map(|it| it.parse::<Id>()).transpose()?;
        self.reports_that(|it| walk_id.is_none_or(|id| it.walk_id == id))
    }

    /// The reports that tell of a service and have an address, the newest walk first.
    #[wasm_bindgen(js_name = reportsOf)]
    pub fn reports_of(&self, service_id: &str) -> Result<Json<[Report]>, JsError> {
        let service = self.replica.business().service(service_id.parse::<Id>()?);
        self.reports_that(|it| {
            let day = self.replica.now(it.started_at).today();
            let is_about =
                |service: &Service| it.client_id == service.client_id && tells_of(it, service, day);
            it.share_id.is_some() && service.is_some_and(is_about)
        })
    }

    /// Links that are to be passed on to clients who are not in the portal, the newest first.
    #[wasm_bindgen(js_name = toSend)]
    pub fn to_send(&self, now_ms: f64) -> Result<Json<[ToSend]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        list_to_js(&to_send::to_send(self.replica.business(), &now))
    }

    /// Returns the number of those links.
    #[wasm_bindgen(js_name = toSendCount)]
    pub fn to_send_count(&self, now_ms: f64) -> usize {
        let now = self.replica.now(moment(now_ms));
        to_send::to_send(self.replica.business(), &now).len()
    }

    /// Tells how something shared reaches these clients.
    pub fn sharing(&self, client_ids: Vec<String>) -> Result<Json<Sharing>, JsError> {
        let ids = client_ids.iter().map(|it| it.parse::<Id>());
        let ids: Vec<Id> = ids.collect::<Result<_, _>>()?;
        to_js(&ways_to_client::sharing(self.replica.business(), &ids))
    }

    /// Tells before a report is shared how it will reach these clients, who have none of this walk yet.
    #[wasm_bindgen(js_name = reportAhead)]
    pub fn report_ahead(&self, client_ids: Vec<String>) -> Result<String, JsError> {
        let ids = client_ids.iter().map(|it| it.parse::<Id>());
        let ids: Vec<Id> = ids.collect::<Result<_, _>>()?;
        let business = self.replica.business();
        Ok(ways_to_client::report_ahead(business, &ids))
    }

    /// Tells how the reports of a walk that the server has reach their clients.
    #[wasm_bindgen(js_name = reportsShared)]
    pub fn reports_shared(&self, walk_id: &str) -> Result<Json<ReportsShared>, JsError> {
        let business = self.replica.business();
        let reports: Vec<&Report> = business.reports_of(walk_id.parse()?).collect();
        let zone = self.replica.now(Instant(0)).zone;
        to_js(&ways_to_client::reports_shared(business, &reports, &zone))
    }

    /// Says how a report got to its client, and when its page was first opened; empty for one that is not here.
    #[wasm_bindgen(js_name = gotReport)]
    pub fn got_report(&self, id: &str) -> Result<String, JsError> {
        let business = self.replica.business();
        let report = business.reports.get(&id.parse::<Id>()?);
        let zone = self.replica.now(Instant(0)).zone;
        let cycle = business.hour_cycle();
        Ok(report.map_or_else(String::new, |it| {
            ways_to_client::got_report(business, &it.row, &zone, cycle)
        }))
    }

    /// Says who is told when the sitter changes, calls off or declines something of a client's; `can_send` is false while what is
    /// saved waits on the phone.
    #[wasm_bindgen(js_name = toldOfChange)]
    pub fn told_of_change(
        &self,
        client_id: Option<String>,
        is_pushed: bool,
        can_send: bool,
    ) -> Result<String, JsError> {
        let client_id = client_id.map(|it| it.parse::<Id>()).transpose()?;
        let business = self.replica.business();
        Ok(ways_to_client::told_of_change(
            business, client_id, is_pushed, can_send,
        ))
    }

    /// Says who is told when the sitter calls off a visit that was to end on that day, or gives it another time.
    #[wasm_bindgen(js_name = toldOfVisit)]
    pub fn told_of_visit(
        &self,
        client_id: Option<String>,
        last_day: &str,
        can_send: bool,
        now_ms: f64,
    ) -> Result<String, JsError> {
        let client_id = client_id.map(|it| it.parse::<Id>()).transpose()?;
        let today = self.replica.now(moment(now_ms)).today();
        let is_pushed = today <= last_day.parse::<Date>()?;
        let business = self.replica.business();
        Ok(ways_to_client::told_of_change(
            business, client_id, is_pushed, can_send,
        ))
    }

    /// Says which of these clients read why the sitter cancels visits of theirs, where they are told.
    #[wasm_bindgen(js_name = readersOfReason)]
    pub fn readers_of_reason(&self, client_ids: Vec<String>) -> Result<String, JsError> {
        let business = self.replica.business();
        Ok(ways_to_client::readers_of_reason(
            business,
            &ids(&client_ids)?,
        ))
    }

    /// Says how a reminder of an invoice reaches its client.
    #[wasm_bindgen(js_name = toldOfReminder)]
    pub fn told_of_reminder(&self, client_id: &str) -> Result<String, JsError> {
        let business = self.replica.business();
        Ok(ways_to_client::told_of_reminder(
            business,
            client_id.parse()?,
        ))
    }

    /// Says that automatic reminders go out as notifications alone, on a server without mail.
    #[wasm_bindgen(js_name = unmailedReminders)]
    pub fn unmailed_reminders(&self) -> String {
        ways_to_client::unmailed_reminders(self.replica.business()).to_owned()
    }

    /// True where the server sends mail, as far as this phone knows.
    #[wasm_bindgen(js_name = sendsMail)]
    pub fn sends_mail(&self) -> bool {
        self.replica.business().reach.sends_mail
    }

    /// Says who is told when the sitter takes back what was shared with these clients.
    #[wasm_bindgen(js_name = toldOfRemoval)]
    pub fn told_of_removal(
        &self,
        client_ids: Vec<String>,
        can_send: bool,
    ) -> Result<String, JsError> {
        let ids = ids(&client_ids)?;
        let business = self.replica.business();
        Ok(ways_to_client::told_of_removal(business, &ids, can_send))
    }

    /// Today in the business's time zone.
    pub fn today(&self, now_ms: f64) -> String {
        self.replica.now(moment(now_ms)).today().to_string()
    }

    /// How far a visit has come that is under way, as its client sees it in the portal; nothing where there is nothing to see.
    #[wasm_bindgen(js_name = liveStatus)]
    pub fn live_status(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<LiveStatus>>, JsError> {
        let business = self.replica.business();
        let (now, cycle) = (self.replica.now(moment(now_ms)), business.hour_cycle());
        let service = business.service(service_id.parse()?);
        let live = service.and_then(|it| seen_status(business, it, &now, cycle));
        live.map(|it| to_js(&it)).transpose()
    }

    /// The way from the visit before to one that the sitter may say to be on the way to; nothing where it is not known.
    #[wasm_bindgen(js_name = wayThere)]
    pub fn way_there(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<WayThere>>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let service = business.service(service_id.parse()?);
        let way = service.and_then(|it| way_there(business, it, &now));
        way.map(|it| to_js(&it)).transpose()
    }

    /// Words that the client reads once the sitter says to be on the way now, with or without the minutes that it takes.
    #[wasm_bindgen(js_name = toldOnTheWay)]
    pub fn told_on_the_way(
        &self,
        service_id: &str,
        way_minutes: Option<u32>,
        now_ms: f64,
    ) -> Result<Option<String>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let service = business.service(service_id.parse()?);
        Ok(service.map(|it| told_on_the_way(business, it, way_minutes, &now)))
    }

    /// Times that the sitter noted of a visit; nothing where none are.
    #[wasm_bindgen(js_name = notedTimes)]
    pub fn noted_times(&self, service_id: &str, now_ms: f64) -> Result<Option<String>, JsError> {
        let business = self.replica.business();
        let zone = self.replica.now(moment(now_ms)).zone;
        let service = business.service(service_id.parse()?);
        Ok(service.and_then(|it| noted_times(it, &zone, business.hour_cycle())))
    }

    /// The text by which the sitter tells a client outside the portal that they are on the way; nothing where there is none
    /// to send.
    #[wasm_bindgen(js_name = progressText)]
    pub fn progress_text(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Option<Json<ProgressText>>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let service = business.service(service_id.parse::<Id>()?);
        let text = service.and_then(|it| text_instead(business, it, &now));
        text.as_ref().map(to_js).transpose()
    }

    /// Steps that the sitter may note next of a visit.
    #[wasm_bindgen(js_name = nextSteps)]
    pub fn next_steps(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Json<[ProgressStep]>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let service = business.service(service_id.parse()?);
        list_to_js(service.map_or(&[], |it| next_steps(business, it, &now)))
    }

    /// Those of them that the client would see in the portal.
    #[wasm_bindgen(js_name = seenSteps)]
    pub fn seen_steps(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Json<[ProgressStep]>, JsError> {
        let business = self.replica.business();
        let now = self.replica.now(moment(now_ms));
        let service = business.service(service_id.parse()?);
        list_to_js(service.map_or(&[], |it| seen_steps(business, it, &now)))
    }

    /// The clients to whom an event of a walk or visit may be sent before its report; `along` are the dogs that are along,
    /// `dog_ids` those that the event is of.
    #[wasm_bindgen(js_name = liveRecipients)]
    pub fn live_recipients(
        &self,
        service_ids: Vec<String>,
        along: Vec<String>,
        event: Ts<LiveEvent>,
        dog_ids: Vec<String>,
    ) -> Result<Json<[LiveRecipient]>, JsError> {
        let business = self.replica.business();
        let (services, along, dogs) = (ids(&service_ids)?, ids(&along)?, ids(&dog_ids)?);
        let event = event.to_rust()?;
        list_to_js(&live_recipients(business, &services, &along, &event, &dogs))
    }

    /// Clients to whom a walk of these services may be shown on a map while it is under way; `along` are its dogs.
    #[wasm_bindgen(js_name = liveMapAudience)]
    pub fn live_map_audience(
        &self,
        service_ids: Vec<String>,
        along: Vec<String>,
        now_ms: f64,
    ) -> Result<Json<LiveMapAudience>, JsError> {
        let (services, along) = (ids(&service_ids)?, ids(&along)?);
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&live_map_audience(business, &services, &along, &now))
    }

    /// Returns true if the walk of a service may be on the live map now.
    #[wasm_bindgen(js_name = mayBeOnLiveMap)]
    pub fn may_be_on_live_map(&self, service_id: &str, now_ms: f64) -> Result<bool, JsError> {
        let now = self.replica.now(moment(now_ms));
        let service = self.replica.business().service(service_id.parse()?);
        Ok(service.is_some_and(|it| may_be_on_live_map(it, &now)))
    }

    /// Photos and events that the client of a service sees before its report, the newest first.
    #[wasm_bindgen(js_name = liveMoments)]
    pub fn live_moments(
        &self,
        service_id: &str,
        now_ms: f64,
    ) -> Result<Json<[LiveMoment]>, JsError> {
        let business = self.replica.business();
        let (now, cycle) = (self.replica.now(moment(now_ms)), business.hour_cycle());
        let service = business.service(service_id.parse()?);
        list_to_js(&service.map_or_else(Vec::new, |it| live_moments(it, &now, cycle)))
    }

    /// The minute of the day in the business's time zone.
    #[wasm_bindgen(js_name = minuteOfDay)]
    pub fn minute_of_day(&self, now_ms: f64) -> u16 {
        self.replica.now(moment(now_ms)).time().minute_of_day()
    }
}
