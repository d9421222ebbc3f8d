//! Owns the decisions to share a walk's report and to take it back.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::decision::{
    About, Context, Decision, Effect, Intent, Need, Shows, removal, row,
};
use crate::rows::report::{ClientReport, Report, ReportContent, SharedEvent, SharedWalk};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::service::Service;
use crate::rules::report::{ClientAlong, audience, check_walk};
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::values::report_kind::ReportKind;
use crate::{Business, Id, Refusal};

/// Shares the report of a walk, a visit or a day of a stay with the clients whose dogs were along; again, it replaces what
/// was shared.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShareWalk {
    /// Id of the walk.
    pub id: Id,
    /// The part of the walk that is shared.
    pub walk: SharedWalk,
    /// One report for each client with whom the walk is shared.
    pub reports: Vec<ClientReport>,
    /// Occasion that the reports tell of.
    #[serde(default, skip_serializing_if = "ReportKind::is_walk")]
    pub kind: ReportKind,
}

read_by_field!(ShareWalk { id, walk, reports } or default { kind });

impl Intent for ShareWalk {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![Need::ReportsOf(self.id), Need::Count(TableName::Report)];
        for report in &self.reports {
            needs.push(row(TableName::Report, report.id));
            needs.push(row(TableName::Client, report.client_id));
            // One question for each client, however many dogs were along.
            needs.push(Need::PetsOf(report.client_id));
            let services = report.service_ids.iter();
            needs.extend(services.map(|id| row(TableName::Service, *id)));
        }
        needs.extend(self.walk.photos().map(Need::Photo));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        share(self, business, ctx)
    }

    fn about(&self) -> About {
        let key = |table, id| RowKey { table, id };
        let builds_on = self.reports.iter().flat_map(|it| {
            let dogs = it.dog_ids.iter().map(|id| key(TableName::Pet, *id));
            std::iter::once(key(TableName::Client, it.client_id)).chain(dogs)
        });
        // Several reports, of a walk that is no row.
        About {
            builds_on: builds_on.collect(),
            shows: Shows::ReportsOf(self.id),
            ..About::of("Report", Effect::Makes)
        }
    }

    /// Most of a walk was recorded and not entered.
    fn words(&self) -> Option<Vec<(&str, &str)>> {
        let notes = self.reports.iter().map(|it| ("Note", it.note.as_str()));
        let events = self.walk.events.iter();
        let said = notes.chain(events.map(|it| (it.kind.name(), it.note.as_str())));
        Some(said.filter(|it| !it.1.is_empty()).collect())
    }
}

/// Takes a walk's reports back.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnshareWalk {
    /// Id of the walk.
    pub id: Id,
}

read_by_field!(UnshareWalk { id });

impl Intent for UnshareWalk {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![Need::ReportsOf(self.id)]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        unshare(self.id, business)
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Id(self.id),
            ..About::of("Report", Effect::Removes)
        }
    }
}

/// Makes the report of each client, or makes those anew that were shared before: the same walk has the same address.
/// A client who is not named any more has none.
fn share(command: &ShareWalk, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let ShareWalk {
        id,
        walk,
        reports,
        kind,
    } = command;
    let walk_id = *id;
    check(walk, reports)?;
    if let Some(photo) = walk
        .photos()
        .find(|it| business.missing_photos.contains(it))
    {
        return Err(Refusal::PhotoMissing { photo });
    }
    let along: Vec<ClientAlong> = reports
        .iter()
        .map(|it| ClientAlong {
            client_id: it.client_id,
            dog_ids: it.dog_ids.clone(),
        })
        .collect();
    let mut made = Vec::new();
    for asked in reports {
        let dogs = dogs_of(asked, business)?;
        let walk_of_client = walk_for(asked, &dogs, walk, &along);
        let before = business
            .reports_of(walk_id)
            .find(|it| it.client_id == asked.client_id);
        if before.is_none() && business.reports.contains_key(&asked.id) {
            return Err(Refusal::Taken);
        }
        made.push(Report {
            id: before.map_or(asked.id, |it| it.id),
            walk_id,
            client_id: asked.client_id,
            kind: *kind,
            dogs,
            service_ids: services_of(asked, business),
            started_at: walk.started_at,
            share_id: before.and_then(|it| it.share_id.clone()),
            shared_at: before.map_or(ctx.acted_at(), |it| it.shared_at),
            passed_on_at: before.and_then(|it| it.passed_on_at),
            mailed: before.and_then(|it| it.mailed.clone()),
            opened_at: before.and_then(|it| it.opened_at),
            content: ReportContent {
                note: asked.note.trim().to_owned(),
                walk: walk_of_client,
            },
        });
    }
    let new = made
        .iter()
        .filter(|it| !business.reports.contains_key(&it.id));
    if let Some(others) = new.count().checked_sub(1) {
        let there_are = business.count(TableName::Report, business.reports.len());
        check_room("reports", there_are + others, bounds::REPORTS)?;
    }
    let dropped = business
        .reports_of(walk_id)
        .filter(|it| made.iter().all(|new| new.id != it.id));
    let mut changes: Vec<Change> = dropped
        .map(|it| removal(TableName::Report, it.id))
        .collect();
    let mut dropped_photos = dropped_photos(walk_id, business, &made);
    for service in live_services(&made, business) {
        let mut service = service.clone();
        let photos = service.take_live_photos().into_iter();
        let shown = |it: &Id| {
            made.iter()
                .any(|new| new.content.walk.photos().any(|photo| photo == *it))
        };
        dropped_photos.extend(photos.filter(|it| !shown(it)));
        changes.push(service.into());
    }
    changes.extend(made.into_iter().map(Change::from));
    Ok(Decision {
        changes,
        dropped_photos,
        ..Decision::default()
    })
}

/// Takes all reports of a walk back, with their photos.
fn unshare(walk_id: Id, business: &Business) -> Result<Decision, Refusal> {
    let reports = business.reports_of(walk_id);
    let changes: Vec<Change> = reports
        .map(|it| removal(TableName::Report, it.id))
        .collect();
    if changes.is_empty() {
        return Err(Refusal::Gone);
    }
    Ok(Decision {
        changes,
        dropped_photos: dropped_photos(walk_id, business, &[]),
        ..Decision::default()
    })
}

fn check(walk: &SharedWalk, reports: &[ClientReport]) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    let is_for_somebody = !reports.is_empty() && reports.iter().all(|it| !it.dog_ids.is_empty());
    errors.check(!is_for_somebody, "reports", "At least one dog is required");
    let is_twice = |at: usize, one: &ClientReport| {
        let mut others = reports.iter().skip(at + 1);
        others.any(|it| it.client_id == one.client_id || it.id == one.id)
    };
    errors.check(
        reports.iter().enumerate().any(|(at, it)| is_twice(at, it)),
        "reports",
        "Each client has one report of a walk",
    );
    check_walk(walk, &mut errors);
    errors.or(())
}

/// The names of the dogs, as this business knows them.
fn dogs_of(asked: &ClientReport, business: &Business) -> Result<Vec<String>, Refusal> {
    business.client(asked.client_id).ok_or(Refusal::Gone)?;
    let dogs = asked.dog_ids.iter().map(|id| {
        let pet = business
            .pet(*id)
            .filter(|it| it.client_id == asked.client_id);
        pet.map(|it| it.name.clone()).ok_or(Refusal::Gone)
    });
    dogs.collect()
}

/// The services that are the client's, as far as they are there by now: a report outlives them.
fn services_of(asked: &ClientReport, business: &Business) -> Vec<Id> {
    let is_theirs = |id: &Id| {
        business
            .service(*id)
            .is_some_and(|it| it.client_id == asked.client_id)
    };
    asked
        .service_ids
        .iter()
        .copied()
        .filter(is_theirs)
        .collect()
}

/// The services of these reports of which the client sees something before the report; each once.
fn live_services<'a>(made: &[Report], business: &'a Business) -> Vec<&'a Service> {
    let ids: BTreeSet<Id> = made
        .iter()
        .flat_map(|it| it.service_ids.iter().copied())
        .collect();
    let services = ids.into_iter().filter_map(|it| business.service(it));
    services.filter(|it| !it.live.is_empty()).collect()
}

/// The walk as one client may see it, whose dogs have these names.
///
/// INVARIANT: The report of a client has no photo and no word that is meant for others.
/// INVARIANT: A client sees only events of their own dogs.
fn walk_for(
    asked: &ClientReport,
    names: &[String],
    walk: &SharedWalk,
    along: &[ClientAlong],
) -> SharedWalk {
    let is_for_client = |event: &&SharedEvent| {
        let audience = audience(event.kind, &event.note, &event.dog_ids, along);
        let chosen = event.client_ids.as_ref().unwrap_or(&audience.shown);
        audience.may.contains(&asked.client_id) && chosen.contains(&asked.client_id)
    };
    let of_client = |event: &SharedEvent| {
        let named = asked.dog_ids.iter().zip(names);
        let own: Vec<String> = named
            .filter(|(id, _)| event.dog_ids.contains(id))
            .map(|(_, name)| name.clone())
            .collect();
        SharedEvent {
            // Who else sees it, and with whose dogs, is nobody's business.
            client_ids: None,
            dog_ids: Vec::new(),
            dogs: if own.len() < names.len() {
                own
            } else {
                Vec::new()
            },
            ..event.clone()
        }
    };
    let events = walk.events.iter().filter(is_for_client);
    SharedWalk {
        events: events.map(of_client).collect(),
        ..walk.clone()
    }
}

/// Photos that were in the walk's reports and are in none of these.
fn dropped_photos(walk_id: Id, business: &Business, remaining: &[Report]) -> Vec<Id> {
    let remaining: Vec<Id> = remaining
        .iter()
        .flat_map(|it| it.content.walk.photos())
        .collect();
    let mut dropped: Vec<Id> = Vec::new();
    for photo in business
        .reports_of(walk_id)
        .flat_map(|it| it.content.walk.photos())
    {
        if !remaining.contains(&photo) && !dropped.contains(&photo) {
            dropped.push(photo);
        }
    }
    dropped
}
