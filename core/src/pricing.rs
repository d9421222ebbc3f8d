//! Owns what a service costs, and the same in words (SPEC 9, Pricing).

use serde::{Deserialize, Serialize};

use crate::client::{Client, MultipleDogMethod};
use crate::service::{PriceBreakdown, ServiceType};
use crate::{Business, Cents, Id, Refusal};

/// What a price is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriceRequest {
    /// For whom.
    pub client_id: Id,
    /// Which pets; only their number counts.
    #[serde(default)]
    pub dog_ids: Vec<Id>,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// How long.
    pub duration_minutes: u32,
}

/// A price and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PricePreview {
    /// What the service costs.
    pub price: Cents,
    /// How that came about.
    pub breakdown: PriceBreakdown,
}

/// What a service would cost the client today.
pub fn preview(business: &Business, request: &PriceRequest) -> Result<PricePreview, Refusal> {
    let client = business.client(request.client_id).ok_or(Refusal::Gone)?;
    let breakdown =
        price(client, request.service_type, request.duration_minutes, request.dog_ids.len());
    Ok(PricePreview { price: breakdown.total, breakdown })
}

/// SPEC 9: the rate by type and duration, plus the client's way to charge each dog beyond the first.
///
/// No dogs count as one, so that a form shows a price before one is chosen.
pub fn price(client: &Client, service_type: ServiceType, duration_minutes: u32, n_dogs: usize) -> PriceBreakdown {
    let base = match (service_type, duration_minutes) {
        (ServiceType::Dropin, _) => client.pricing_dropin,
        (ServiceType::Walk, ..=30) => client.walk_rate_30min,
        (ServiceType::Walk, 31..=45) => client.walk_rate_45min,
        (ServiceType::Walk, 46..=60) => client.walk_rate_60min,
        (ServiceType::Walk, _) => client.pricing_walk,
    };
    let per_extra = match (client.multiple_dog_method, service_type) {
        (MultipleDogMethod::None, _) => Cents::ZERO,
        (MultipleDogMethod::Percentage, _) => base.percent(client.additional_dog_percentage.into()),
        (MultipleDogMethod::Flat, ServiceType::Walk) => client.additional_dog_walk_rate,
        (MultipleDogMethod::Flat, ServiceType::Dropin) => client.additional_dog_dropin_rate,
    };
    let n_extra = u32::try_from(n_dogs.saturating_sub(1)).unwrap_or(u32::MAX);
    // Each extra dog's charge is rounded by itself, so that the sentence and the sum agree.
    let charge = per_extra * i64::from(n_extra);
    PriceBreakdown {
        base_dog_price: base,
        additional_dogs_count: n_extra,
        additional_dogs_charge: charge,
        total: base + charge,
        explanation: explain(base, per_extra, n_extra),
    }
}

/// The breakdown of a price that a person set.
pub fn agreed(price: Cents, n_dogs: usize) -> PriceBreakdown {
    PriceBreakdown {
        base_dog_price: price,
        additional_dogs_count: u32::try_from(n_dogs.saturating_sub(1)).unwrap_or(u32::MAX),
        additional_dogs_charge: Cents::ZERO,
        total: price,
        explanation: price.to_string() + " agreed for this service",
    }
}

fn explain(base: Cents, per_extra: Cents, n_extra: u32) -> String {
    match n_extra {
        0 => format!("{base} for 1 dog"),
        _ if per_extra == Cents::ZERO => format!("{base} for all {} dogs", i64::from(n_extra) + 1),
        1 => format!("{base} for the first dog, {per_extra} for 1 more"),
        _ => format!("{base} for the first dog, {per_extra} for each of {n_extra} more"),
    }
}
