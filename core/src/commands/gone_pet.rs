//! Owns what the commands do that say that a pet is no longer with its people, and take that back.

use serde::Serialize;

use crate::commands::combined::{Combined, TakenBack};
use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, changed, row};
use crate::commands::prices::check_total;
use crate::commands::series::decide::{is_changed_since, needs_without, without_pet};
use crate::commands::series::{RestoreSeries, is_open};
use crate::commands::service::CancelService;
use crate::rows::pet::Pet;
use crate::rows::row::TableName;
use crate::rows::service::{PriceBreakdown, Service};
use crate::rules::service::{is_long_over, reprice, snapshot};
use crate::values::bounds::{SERIES_VISITS_AT_ONCE, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::{Business, Date, Id, Now, Refusal};

/// Says that a pet has died or moved away; a repeat changes nothing. It stays in what was. Visits and series that are to come
/// go on with the client's other pets; where it was the only one they are cancelled and end.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkPetGone {
    /// Id of the pet.
    pub id: Id,
    /// The day from which on it is no longer there; none that is to come.
    pub on: Date,
}

read_by_field!(MarkPetGone { id, on });

impl Intent for MarkPetGone {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Pet, self.id)];
        let Some(pet) = business.pet(self.id) else {
            return needs;
        };
        let client_id = pet.client_id;
        needs.extend([
            row(TableName::Client, client_id),
            Need::PetsOf(client_id),
            Need::ServicesOfClientFrom(client_id, ctx.today()),
            Need::Table(TableName::Series),
        ]);
        let offerings = to_come(pet, business, ctx).filter_map(|it| it.offering_id);
        needs.extend(offerings.map(|it| row(TableName::Offering, it)));
        for id in series_of(client_id, business) {
            needs.extend(needs_without(id, self.id, business, ctx));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let pet = business.pet(self.id).ok_or(Refusal::Gone)?;
        let mut errors = FieldErrors::default();
        errors.check(
            ctx.today() < self.on,
            "on",
            "The day cannot be in the future",
        );
        errors.or(())?;
        let mut combined = Combined::new(business);
        if pet.gone_on != Some(self.on) {
            let gone = Pet {
                gone_on: Some(self.on),
                ..pet.clone()
            };
            combined.change(vec![gone.into()]);
        }
        for id in series_of(pet.client_id, business) {
            if let Some(followed) = without_pet(id, self.id, &combined.business, ctx)? {
                combined.change(followed.decision().changes);
            }
        }
        let left: Vec<Service> = to_come(pet, &combined.business, ctx).cloned().collect();
        check_room(
            "visits",
            left.len().saturating_sub(1),
            SERIES_VISITS_AT_ONCE,
        )?;
        for mut service in left {
            service.dog_ids.retain(|it| *it != self.id);
            if service.dog_ids.is_empty() {
                combined.decide(&CancelService::new(service.id), ctx)?;
            } else {
                snapshot(&mut service, &combined.business)?;
                reprice(&mut service, &combined.business)?;
                combined.change(vec![service.into()]);
            }
        }
        Ok(combined.into_decision())
    }

    fn about(&self) -> About {
        About::row("Pet", Effect::Marks, TableName::Pet, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

/// The series of a client, by id.
fn series_of(client_id: Id, business: &Business) -> Vec<Id> {
    let series = business.series.values().map(|it| &it.row);
    let own = series.filter(|it| it.client_id == client_id);
    own.map(|it| it.id).collect()
}

/// The services with a pet that are still to be done and that nobody has begun, billed or paid.
pub(crate) fn to_come<'a>(
    pet: &Pet,
    business: &'a Business,
    ctx: &Context,
) -> impl Iterator<Item = &'a Service> {
    let acted = Now {
        at: ctx.acted_at(),
        zone: ctx.now.zone.clone(),
    };
    let (id, client_id) = (pet.id, pet.client_id);
    let services = business.services.since(ctx.today());
    services.filter(move |it| {
        it.client_id == client_id
            && it.dog_ids.contains(&id)
            && is_open(it)
            && !is_long_over(it, &acted)
    })
}

/// A visit as it was before a pet left it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormerPets {
    /// Id of the service.
    pub id: Id,
    /// Ids of its pets.
    pub dog_ids: Vec<Id>,
    /// Breakdown of its price; `total` is the price.
    pub breakdown: PriceBreakdown,
}

read_by_field!(FormerPets {
    id,
    dog_ids,
    breakdown
});

/// Says that a pet is with its people after all; a repeat changes nothing. As the undo of `MarkPetGone` it is saved with the
/// base revision of that, and names what is again as it was.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RestorePet {
    /// Id of the pet.
    pub id: Id,
    /// Series that were changed, as they were.
    #[serde(default)]
    pub series: Vec<RestoreSeries>,
    /// Ids of services that were cancelled.
    #[serde(default)]
    pub reopens: Vec<Id>,
    /// Visits that went on without the pet; one that another device has changed since is left alone.
    #[serde(default)]
    pub own: Vec<FormerPets>,
}

read_by_field!(RestorePet { id } or default { series, reopens, own });

impl RestorePet {
    fn taken_back(&self, pet: &Pet) -> TakenBack<'_> {
        TakenBack {
            client_id: pet.client_id,
            series: &self.series,
            reopens: &self.reopens,
        }
    }
}

impl Intent for RestorePet {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Pet, self.id)];
        let Some(pet) = business.pet(self.id) else {
            return needs;
        };
        needs.push(row(TableName::Client, pet.client_id));
        needs.push(Need::PetsOf(pet.client_id));
        needs.extend(self.taken_back(pet).needs(business, ctx));
        let own: Vec<Id> = self.own.iter().map(|it| it.id).collect();
        if !own.is_empty() {
            needs.push(Need::Rows(TableName::Service, own.clone()));
            needs.extend(own.into_iter().map(|it| changed(TableName::Service, it)));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let pet = business.pet(self.id).ok_or(Refusal::Gone)?;
        let mut errors = FieldErrors::default();
        for former in &self.own {
            check_total(&mut errors, "own", former.breakdown.total);
        }
        errors.or(())?;
        let mut combined = Combined::new(business);
        if pet.gone_on.is_some() {
            let back = Pet {
                gone_on: None,
                ..pet.clone()
            };
            combined.change(vec![back.into()]);
        }
        self.taken_back(pet).decide(&mut combined, ctx)?;
        for former in &self.own {
            let service = combined.business.service(former.id);
            let is_own = |it: &&Service| {
                let is_theirs = it.client_id == pet.client_id && is_open(it);
                is_theirs && !is_changed_since(it.id, business)
            };
            let Some(mut service) = service.filter(is_own).cloned() else {
                continue;
            };
            service.dog_ids.clone_from(&former.dog_ids);
            snapshot(&mut service, &combined.business)?;
            service.price = former.breakdown.total;
            service.pricing_breakdown = former.breakdown.clone();
            combined.change(vec![service.into()]);
        }
        Ok(combined.into_decision())
    }

    fn about(&self) -> About {
        About::row("Pet", Effect::Marks, TableName::Pet, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}
