//! Owns live maps: the sitter shows walks to parents, ends that and moves the visits, and parents look what they see.

use walkies_core::commands::UpdateService;
use walkies_core::rows::service::Service;
use walkies_core::rules::live_map::{LIVE_MAP_NEWS_MS, may_see_live_map};
use walkies_core::values::patch::Patch;
use walkies_core::{Date, Now};

use super::*;
use crate::act_checks;
use crate::parents::P9;

/// A live map that the server was told of.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownLiveMap {
    /// The server's clock at its last update.
    at: i64,
    /// True once it was switched off, or another one of the service was switched on.
    pub(super) is_over: bool,
    /// The revision that the business had then.
    rev: u64,
}

/// Answer to an update.
#[derive(Deserialize)]
struct Taken {
    is_shown: bool,
}

/// Parts of a live map that a parent sees.
#[derive(Deserialize)]
struct Seen {
    service_id: Id,
}

impl World<'_> {
    /// The sitter shows a walk, with a new live map or one that is known, ends one, or moves a visit.
    pub(super) async fn live_map(&mut self) -> Check {
        if self.is_closed {
            return Ok(());
        }
        self.read_all().await?;
        self.forget_live_maps_of_deleted();
        let records: Vec<Id> = self.records().flatten().collect();
        let any = self.rng.chance(10);
        let services = self.oracle.now().services.values();
        let of_parents = services.filter(|it| any || records.contains(&it.client_id));
        let services: Vec<Service> = of_parents.cloned().collect();
        let (on, others): (Vec<Service>, Vec<Service>) = services
            .into_iter()
            .partition(|it| self.may_see(it, it.client_id));
        let from = match self.rng.chance(70) && !on.is_empty() {
            true => &on,
            false => &others,
        };
        let Some(service) = self.rng.pick(from).cloned() else {
            return Ok(());
        };
        match self.rng.below(10) {
            0..=5 => self.show_live_map(&service).await?,
            6 => self.end_live_map(service.id).await,
            _ => self.move_visit(&service).await?,
        }
        self.p9_live_maps().await
    }

    /// The live maps of a service that went have gone with it.
    fn forget_live_maps_of_deleted(&mut self) {
        let log = &self.oracle.now().log;
        self.live_maps.retain(|(service, _), map| {
            let key = format!("service/{service}");
            let mut since = log.iter().rev().take_while(|it| map.rev < it.0);
            !since.any(|it| it.1 == key && it.2.is_none())
        });
    }

    fn may_see(&self, service: &Service, client: Id) -> bool {
        let row = self.oracle.now().rows.get(&format!("client/{client}"));
        let client: Option<Client> = row.map(|it| act_checks::read(it));
        let now = Now {
            at: Instant(self.backend.now()),
            zone: self.zone.clone(),
        };
        client.is_some_and(|it| may_see_live_map(service, &it, &now))
    }

    /// Id of a live map of a service: one that is on or over, or a new one.
    fn some_live_map(&mut self, service: Id) -> Id {
        let known = self.live_maps.keys().filter(|it| it.0 == service);
        let known: Vec<Id> = known.map(|it| it.1).collect();
        let again = self
            .rng
            .pick(&known)
            .copied()
            .filter(|_| self.rng.chance(60));
        again.unwrap_or_else(|| self.rng.id(self.base_ms + self.now))
    }

    async fn show_live_map(&mut self, service: &Service) -> Check {
        let map = self.some_live_map(service.id);
        let key = (service.id, map);
        let other = self.records().flatten().find(|it| *it != service.client_id);
        let client = other
            .filter(|_| self.rng.chance(10))
            .unwrap_or(service.client_id);
        let body = json!({ "map_id": map, "client_id": client, "lines": [], "here": null, "age_seconds": 0 });
        let path = format!("/scheduled-services/{}/live-map", service.id);
        let answer = self.live_map_call("PUT", path, &body).await;
        if answer.status != 200 {
            return Ok(());
        }
        let Taken { is_shown } = read(&answer.body).data;
        self.counts.live_maps += 1;
        let before = self.live_maps.get(&key).copied();
        let may = self.may_see(service, client);
        let was_over = before.is_some_and(|it| it.is_over);
        ensure!(
            !is_shown || may && !was_over,
            P9,
            "{map} of {} is shown to {client}, who may see it: {may}, and it was over: {was_over}",
            service.id
        );
        ensure!(
            is_shown || !may || before.is_some(),
            P9,
            "{map} of {} is new and not shown to {client}, who may see it",
            service.id
        );
        let mut replaced = Vec::new();
        for ((of, id), other) in &mut self.live_maps {
            if is_shown && *of == service.id && *id != map && !other.is_over {
                other.is_over = true;
                replaced.push(*id);
            }
        }
        for id in replaced {
            self.plant_in_replaced(id, client).await;
        }
        let shown = ShownLiveMap {
            at: self.backend.now(),
            is_over: !is_shown,
            rev: self.oracle.now().cursor,
        };
        self.live_maps.insert(key, shown);
        Ok(())
    }

    async fn end_live_map(&mut self, service: Id) {
        let map = self.some_live_map(service);
        let path = format!("/scheduled-services/{service}/live-map?map_id={map}");
        let answer = self.live_map_call("DELETE", path, &json!({})).await;
        if answer.status != 200 {
            return;
        }
        let over = ShownLiveMap {
            at: self.backend.now(),
            is_over: true,
            rev: self.oracle.now().cursor,
        };
        self.live_maps.insert((service, map), over);
        if self.is(Bug::LiveMapEndForgotten) {
            self.backend
                .tamper(
                    "DELETE FROM live_map WHERE sitter_id = $1 AND track IS NULL",
                    &[],
                )
                .await;
        }
    }

    async fn live_map_call(
        &mut self,
        method: &'static str,
        path: String,
        body: &serde_json::Value,
    ) -> Answer {
        let call = Call {
            method,
            path,
            token: self.reader_token.clone(),
            headers: Vec::new(),
            body: serde_json::to_vec(body).unwrap(),
        };
        let answer = self.backend.call(&call).await;
        note!(
            self,
            "the sitter: {method} {}: {}",
            call.path,
            short(&answer)
        );
        answer
    }

    /// A visit is moved to today, where a live map may be shown, or to another week.
    async fn move_visit(&mut self, service: &Service) -> Check {
        let days = if self.rng.chance(70) { 0 } else { 9 };
        let date = self.today().plus_days(days);
        if service.end_date.is_some() || date == service.date {
            return Ok(());
        }
        let changes = Patch::of("date", date.to_string());
        let (body, id) = (json!(changes), service.id);
        let command = Command::UpdateService(UpdateService {
            id,
            changes,
            overlap_ok: false,
            former_price: None,
        });
        let path = format!("/scheduled-services/{id}");
        self.by_call("PUT", path, &body, command).await
    }

    fn today(&self) -> Date {
        Instant(self.backend.now()).civil(&self.zone).0
    }

    /// Checks that each parent sees live maps of the own visits that may be seen now and are on, and no others.
    pub(super) async fn p9_live_maps(&mut self) -> Check {
        if self.is_closed || self.live_maps.is_empty() {
            return Ok(());
        }
        self.forget_live_maps_of_deleted();
        for parent in 0..self.parents.len() {
            let seat = &self.parents[parent];
            let own = seat.link.map(|it| it.client_id);
            let path = format!("/client/live-maps?sitter_id={}", self.backend.sitter_id);
            let call = get(&seat.token, path);
            self.plant_before_call_of_parent(Some(parent), true).await;
            self.plant_in_moved(true).await;
            let answer = self.backend.call(&call).await;
            self.plant_in_moved(false).await;
            self.plant_before_call_of_parent(Some(parent), false).await;
            if answer.status != 200 {
                continue;
            }
            let seen: Vec<Seen> = read(&answer.body).data;
            self.counts.live_maps_seen += seen.len();
            let different: BTreeSet<Id> = seen.iter().map(|it| it.service_id).collect();
            ensure!(
                different.len() == seen.len(),
                P9,
                "two live maps of one visit are seen: {}",
                answer.body
            );
            for id in different {
                let service = self.oracle.now().services.get(&id);
                let may = service.zip(own).is_some_and(|it| self.may_see(it.0, it.1));
                let since = self.backend.now() - LIVE_MAP_NEWS_MS;
                let mut maps = self.live_maps.iter().filter(|it| it.0.0 == id);
                let is_on = maps.any(|it| !it.1.is_over && since < it.1.at);
                ensure!(
                    may && is_on,
                    P9,
                    "a parent of {own:?} sees the live map of {id}, may see it: {may}, and it is on: {is_on}"
                );
            }
        }
        Ok(())
    }

    /// Planted: a live map that was replaced is shown on.
    async fn plant_in_replaced(&self, map: Id, client: Id) {
        if self.is(Bug::ReplacedLiveMapGoesOn) {
            let track = json!({ "lines": [], "here": null }).to_string();
            let sql = "UPDATE live_map SET track = $2, client_id = $3 WHERE sitter_id = $1 AND map_id = $4";
            let args = [&track, &client.to_string(), &map.to_string()];
            self.backend.tamper(sql, &args.map(String::as_str)).await;
        }
    }

    /// Planted: while a parent looks, visits with a live map are of today.
    async fn plant_in_moved(&self, begins: bool) {
        if !self.is(Bug::LiveMapOfMovedVisit) {
            return;
        }
        let on = self.live_maps.iter().filter(|it| !it.1.is_over);
        for (id, _) in on.map(|it| it.0) {
            let Some(service) = self.oracle.now().services.get(id) else {
                continue;
            };
            let date = if begins { self.today() } else { service.date };
            let sql = "UPDATE service SET date = $2 WHERE sitter_id = $1 AND id = $3";
            let args = [date.to_string(), id.to_string()];
            self.backend.tamper(sql, &[&args[0], &args[1]]).await;
        }
    }
}
