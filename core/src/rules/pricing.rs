//! Owns what a service costs, and the same in words (SPEC 9, Pricing).

use serde::{Deserialize, Serialize};

use crate::rows::client::{Client, MultipleDogMethod};
use crate::rows::offering::{DOG_WALKING, Offering, PricingType, StayUnit};
use crate::rows::pet::PetType;
use crate::rows::service::{PriceBreakdown, Service, ServiceType};
use crate::rules::{client, offering, words};
use crate::values::format;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Cents, Date, Id, Instant, Time};

/// The service whose price is asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriceRequest {
    /// Id of the client.
    pub client_id: Id,
    /// Ids of the pets; on a walk only dogs count.
    #[serde(default)]
    pub dog_ids: Vec<Id>,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// Length of the service in minutes.
    pub duration_minutes: u32,
    /// Id of the offering that it is booked as; none for a plain walk or drop-in.
    #[serde(default)]
    pub offering_id: Option<Id>,
    /// The first day of a stay.
    #[serde(default)]
    pub date: Option<Date>,
    /// The last day of a stay.
    #[serde(default)]
    pub end_date: Option<Date>,
    /// When the stay ends on its last day.
    #[serde(default)]
    pub departure_time: Option<Time>,
}

read_by_field!(PriceRequest { client_id, service_type, duration_minutes }
    or default { dog_ids, offering_id, date, end_date, departure_time });

/// A price and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PricePreview {
    /// Price of the service.
    pub price: Cents,
    /// How that came about.
    pub breakdown: PriceBreakdown,
}

/// An example under the rates of a client form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PriceExample {
    /// `30 min walk, 2 dogs`.
    pub title: String,
    /// Price of the example, and how it came about.
    pub breakdown: PriceBreakdown,
}

/// Prices examples by the rates in a client form while they are typed; rates that are empty or wrong count at their
/// defaults.
pub fn examples_of_form(rates: &Patch, n_dogs: usize) -> Vec<PriceExample> {
    examples(
        &client::merge(rates, &Client::new(Id::default(), Instant(0))).row,
        n_dogs,
    )
}

/// Prices examples by a client's rates, for as many dogs as it has and at least one.
pub fn examples(client: &Client, n_dogs: usize) -> Vec<PriceExample> {
    let n_dogs = n_dogs.max(1);
    let dogs = if n_dogs == 1 {
        "1 dog".to_owned()
    } else {
        format!("{n_dogs} dogs")
    };
    [
        (ServiceType::Walk, 30, "30 min walk"),
        (ServiceType::Walk, 60, "60 min walk"),
        (ServiceType::Dropin, 30, "Drop-in"),
    ]
    .map(|(service_type, minutes, what)| PriceExample {
        title: format!("{what}, {dogs}"),
        breakdown: price(client, service_type, minutes, n_dogs),
    })
    .into()
}

/// A new client, whom the sitter's own prices hold for where they are set (decisions, What is sold is booked): those of a
/// walk of 30, 45 and 60 minutes, of the shortest one that is longer, and of a drop-in, as the sitter offers them.
pub fn new_client(business: &Business, id: Id, at: Instant) -> Client {
    let mut client = Client::new(id, at);
    let mut offerings = offering::in_order(business);
    offerings.retain(|it| it.is_active);
    let walk = |minutes| {
        let mut walks = offerings.iter().filter(|it| is_walk(it));
        let walk = walks.find(|it| it.duration_minutes == Some(minutes));
        walk.map(|it| it.base_price)
    };
    let longer = offerings.iter().filter(|it| is_walk(it));
    let longer = longer.filter(|it| it.duration_minutes.is_some_and(|minutes| 60 < minutes));
    let longer = longer.min_by_key(|it| it.duration_minutes);
    let dropin = offerings.iter().find(|it| is_dropin(it));
    for (rate, own) in [
        (&mut client.walk_rate_30min, walk(30)),
        (&mut client.walk_rate_45min, walk(45)),
        (&mut client.walk_rate_60min, walk(60)),
        (&mut client.pricing_walk, longer.map(|it| it.base_price)),
        (&mut client.pricing_dropin, dropin.map(|it| it.base_price)),
    ] {
        *rate = own.unwrap_or(*rate);
    }
    if longer.is_none() && walk(60).is_some() {
        // Nobody has said that a longer walk costs less.
        client.pricing_walk = client.pricing_walk.max(client.walk_rate_60min);
    }
    client
}

fn is_walk(offering: &Offering) -> bool {
    offering.pricing_type == PricingType::Duration && offering.category == DOG_WALKING
}

/// Returns true for a visit at a price for each; nothing but its name tells it from other care at home.
fn is_dropin(offering: &Offering) -> bool {
    let name = offering.name.to_ascii_lowercase();
    let is_named = ["drop-in", "drop in", "dropin"]
        .iter()
        .any(|it| name.contains(it));
    offering.pricing_type == PricingType::Fixed && offering.category == "Pet Sitting" && is_named
}

/// Says where a client pays less for a longer walk than for a shorter one; empty where that is nowhere so, and for the rates
/// that nobody has set yet.
pub fn rate_warning(client: &Client) -> String {
    let of = |it: &Client| {
        [
            it.walk_rate_30min,
            it.walk_rate_45min,
            it.walk_rate_60min,
            it.pricing_walk,
        ]
    };
    if of(client) == of(&Client::new(client.id, client.created_at)) {
        return String::new();
    }
    let walks = [
        ("30 min", client.walk_rate_30min),
        ("45 min", client.walk_rate_45min),
        ("60 min", client.walk_rate_60min),
        ("a longer walk", client.pricing_walk),
    ];
    let cheaper = walks.windows(2).filter_map(|pair| match pair {
        [(short, more), (long, less)] if less < more => {
            Some(format!("{long} for {less} is less than {short} for {more}"))
        }
        _ => None,
    });
    match cheaper.collect::<Vec<String>>() {
        said if said.is_empty() => String::new(),
        said => format!("Please check the prices: {}.", said.join("; ")),
    }
}

/// Returns that warning for the rates in a client form while they are typed.
pub fn rate_warning_of_form(rates: &Patch) -> String {
    rate_warning(&client::merge(rates, &Client::new(Id::default(), Instant(0))).row)
}

/// Says that a walk costs less than a shorter one would; empty where it does not, and where it has a price of its own.
pub(crate) fn price_warning(business: &Business, service: &Service) -> String {
    let is_by_rates = service.offering_id.is_none()
        && service.price_override.is_none()
        && service.service_type == ServiceType::Walk;
    let Some(client) = business.client(service.client_id).filter(|_| is_by_rates) else {
        return String::new();
    };
    let own = rate(client, ServiceType::Walk, service.duration_minutes);
    let shorter = [30, 45, 60].into_iter();
    let shorter = shorter.filter(|it| *it < service.duration_minutes);
    let shorter = shorter.map(|it| (rate(client, ServiceType::Walk, it), it));
    match shorter.max() {
        Some((price, minutes)) if own < price => {
            let length = format::duration(service.duration_minutes);
            format!(
                "{length} for {own} is less than {minutes} min for {price}. \
                 Please check the rates of {}, or change the price.",
                client.name
            )
        }
        _ => String::new(),
    }
}

/// A client's rates, one line each: what it is and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Rate {
    /// `30 min walk`.
    pub title: String,
    /// `$25.00`, `+50%`.
    pub amount: String,
}

/// Lists a client's rates, in the order of the form.
pub fn rates(client: &Client) -> Vec<Rate> {
    let rate = |title: &str, amount: String| Rate {
        title: title.to_owned(),
        amount,
    };
    let mut rates = vec![
        rate("30 min walk", client.walk_rate_30min.to_string()),
        rate("45 min walk", client.walk_rate_45min.to_string()),
        rate("60 min walk", client.walk_rate_60min.to_string()),
        rate("Longer walk", client.pricing_walk.to_string()),
        rate("Drop-in", client.pricing_dropin.to_string()),
    ];
    match client.multiple_dog_method {
        MultipleDogMethod::None => rates.push(rate("Each extra dog", "free".to_owned())),
        MultipleDogMethod::Percentage => {
            rates.push(rate(
                "Each extra dog",
                format!("+{}%", client.additional_dog_percentage),
            ));
        }
        MultipleDogMethod::Flat => {
            rates.push(rate(
                "Extra dog, walk",
                format!("+{}", client.additional_dog_walk_rate),
            ));
            rates.push(rate(
                "Extra dog, drop-in",
                format!("+{}", client.additional_dog_dropin_rate),
            ));
        }
    }
    rates
}

/// SPEC 9: the rate by type and duration, plus the client's way to charge each dog beyond the first.
///
/// No dogs count as one, so that a form shows a price before one is chosen.
pub fn price(
    client: &Client,
    service_type: ServiceType,
    duration_minutes: u32,
    n_dogs: usize,
) -> PriceBreakdown {
    let base = rate(client, service_type, duration_minutes);
    with_extra_dogs(client, service_type, (base, Flat::Once), n_dogs, DOG)
}

/// SPEC 9: what a plain walk or drop-in costs for the first dog.
const fn rate(client: &Client, service_type: ServiceType, duration_minutes: u32) -> Cents {
    match (service_type, duration_minutes) {
        (ServiceType::Dropin, _) => client.pricing_dropin,
        (ServiceType::Walk, ..=30) => client.walk_rate_30min,
        (ServiceType::Walk, 31..=45) => client.walk_rate_45min,
        (ServiceType::Walk, 46..=60) => client.walk_rate_60min,
        (ServiceType::Walk, _) => client.pricing_walk,
    }
}

/// Prices a service by what it was booked as, with its own agreed price in place of that; `None` where its client is
/// not known.
pub(crate) fn of_service(business: &Business, service: &Service) -> Option<PriceBreakdown> {
    let client = business.client(service.client_id)?;
    let pets = service.dog_ids.iter().filter_map(|id| business.pet(*id));
    let (mut along, mut noun) = (Vec::new(), DOG);
    for pet in pets.filter(|it| it.pet_type != PetType::Dog) {
        match service.service_type {
            // Decisions: only dogs count as extra dogs on a walk; every pet counts on a drop-in.
            ServiceType::Walk => along.push(pet.name.clone()),
            ServiceType::Dropin => noun = "pet",
        }
    }
    let n_counted = service.dog_ids.len().saturating_sub(along.len());
    let offering = service
        .offering_id
        .and_then(|id| business.offerings.get(&id));
    let (kind, minutes) = (service.service_type, service.duration_minutes);
    let flat = service.stay_terms.map_or(Flat::Once, |it| Flat::Each {
        unit: it.unit,
        count: service.n_units(),
    });
    let mut breakdown = match offering.map(|it| &it.row) {
        None => {
            let base = rate(client, kind, minutes) * i64::from(service.n_units());
            with_extra_dogs(client, kind, (base, flat), n_counted, noun)
        }
        Some(offering) => {
            let base = base_of(offering, minutes, service.n_units());
            let mut breakdown = with_extra_dogs(client, kind, (base, flat), n_counted, noun);
            let said = match breakdown.additional_dogs_count {
                0 => base.to_string(),
                _ => breakdown.explanation,
            };
            breakdown.explanation = [&booked_as(offering, service), ": ", &said].concat();
            breakdown
        }
    };
    if !along.is_empty() {
        breakdown.explanation += &["; not counted: ", &format::names(&along)].concat();
    }
    if let Some(agreed) = &service.price_override {
        let said = &mut breakdown.explanation;
        // Before the reason is typed there is none to say.
        let why = match agreed.reason.trim() {
            "" => String::new(),
            reason => [": ", reason].concat(),
        };
        *said = format!("{} agreed{why}; usually {said}", agreed.amount);
        breakdown.total = agreed.amount;
    }
    Some(breakdown)
}

/// Decisions, What is sold is booked: what the first dog costs by an offering.
fn base_of(offering: &Offering, minutes: u32, n_units: u32) -> Cents {
    let price = offering.base_price;
    match (offering.pricing_type, offering.duration_minutes) {
        (PricingType::Fixed, _) | (PricingType::Duration, None | Some(0)) => price,
        (PricingType::Hourly, _) => price.share(minutes.into(), 60),
        (PricingType::Daily, _) => price * i64::from(n_units),
        (PricingType::Duration, Some(least)) => {
            price.share(minutes.max(least).into(), least.into())
        }
    }
}

/// `Bath`, `30-Minute Walk` at its own length, `Puppy sitting, $20.00 per hour, 1 h 30 min`.
fn booked_as(offering: &Offering, service: &Service) -> String {
    let name = offering.name.clone();
    let own_length = Some(service.duration_minutes);
    match offering.pricing_type {
        PricingType::Fixed => name,
        PricingType::Duration if offering.duration_minutes == own_length => name,
        _ => [
            &name,
            ", ",
            &price_as_booked(offering, service),
            ", ",
            &words::length(service),
        ]
        .concat(),
    }
}

/// The price in words, by the unit that the service keeps where the offering has another one by now.
fn price_as_booked(offering: &Offering, service: &Service) -> String {
    offering::price_text(&Offering {
        stay_unit: service.stay_terms.map(|it| it.unit),
        ..offering.clone()
    })
}

const DOG: &str = "dog";

/// Count of the flat charge of an extra dog.
#[derive(Clone, Copy)]
enum Flat {
    /// For the whole service.
    Once,
    /// For each night or day of a stay.
    Each { unit: StayUnit, count: u32 },
}

/// SPEC 9: what the base comes to by the client's way to charge each dog beyond the first.
fn with_extra_dogs(
    client: &Client,
    service_type: ServiceType,
    (base, flat): (Cents, Flat),
    n_dogs: usize,
    noun: &str,
) -> PriceBreakdown {
    let is_flat = client.multiple_dog_method == MultipleDogMethod::Flat;
    let (times, each) = match flat {
        Flat::Each { unit, count } if is_flat => (count, words::per(unit)),
        Flat::Each { .. } | Flat::Once => (1, ""),
    };
    let per_extra = match (client.multiple_dog_method, service_type) {
        (MultipleDogMethod::None, _) => Cents::ZERO,
        (MultipleDogMethod::Percentage, _) => base.percent(client.additional_dog_percentage.into()),
        (MultipleDogMethod::Flat, ServiceType::Walk) => client.additional_dog_walk_rate,
        (MultipleDogMethod::Flat, ServiceType::Dropin) => client.additional_dog_dropin_rate,
    };
    let n_extra = u32::try_from(n_dogs.saturating_sub(1)).unwrap_or(u32::MAX);
    // Each extra dog's charge is rounded by itself, so that the sentence and the sum agree.
    let charge = per_extra * i64::from(times) * i64::from(n_extra);
    PriceBreakdown {
        base_dog_price: base,
        additional_dogs_count: n_extra,
        additional_dogs_charge: charge,
        total: base + charge,
        explanation: explain(base, (per_extra, each), n_extra, noun),
    }
}

fn explain(base: Cents, (per_extra, each): (Cents, &str), n_extra: u32, noun: &str) -> String {
    match n_extra {
        0 => format!("{base} for 1 {noun}"),
        _ if per_extra == Cents::ZERO => {
            format!("{base} for all {} {noun}s", i64::from(n_extra) + 1)
        }
        1 => format!("{base} for the first {noun}, {per_extra}{each} for 1 more"),
        _ => format!("{base} for the first {noun}, {per_extra}{each} for each of {n_extra} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_for_as_many_dogs_as_there_are_and_for_one_at_least() {
        let client = Client::new(Id::of(1), Instant(0));
        let said = |n_dogs| {
            let examples = examples(&client, n_dogs).into_iter();
            examples
                .map(|it| format!("{}: {}", it.title, it.breakdown.total))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            said(0),
            [
                "30 min walk, 1 dog: $25.00",
                "60 min walk, 1 dog: $35.00",
                "Drop-in, 1 dog: $30.00"
            ]
        );
        assert_eq!(
            said(3),
            [
                "30 min walk, 3 dogs: $50.00",
                "60 min walk, 3 dogs: $70.00",
                "Drop-in, 3 dogs: $60.00"
            ]
        );
    }

    #[test]
    fn a_longer_walk_that_costs_less_than_a_shorter_one_is_warned_of() {
        let usual = Client::new(Id::of(1), Instant(0));
        assert_eq!(rate_warning(&usual), "");
        let cheap = Client {
            pricing_walk: Cents(29_00),
            ..usual.clone()
        };
        assert_eq!(
            rate_warning(&cheap),
            "Please check the prices: a longer walk for $29.00 is less than 60 min for $35.00."
        );
        let fair = Client {
            pricing_walk: Cents(60_00),
            ..usual.clone()
        };
        assert_eq!(rate_warning(&fair), "");
        let mut business = Business::default();
        business.put(
            1,
            crate::Row::Client(Client {
                name: "Dana".to_owned(),
                ..usual
            }),
        );
        let walk = |minutes| Service {
            client_id: Id::of(1),
            service_type: ServiceType::Walk,
            duration_minutes: minutes,
            ..Service::new(Id::of(2), Instant(0))
        };
        assert_eq!(
            price_warning(&business, &walk(240)),
            "4 h for $30.00 is less than 60 min for $35.00. Please check the rates of Dana, or change the price."
        );
        for minutes in [15, 30, 45, 60] {
            assert_eq!(price_warning(&business, &walk(minutes)), "");
        }
        let dropin = Service {
            service_type: ServiceType::Dropin,
            ..walk(240)
        };
        assert_eq!(price_warning(&business, &dropin), "");
    }

    #[test]
    fn a_longer_walk_that_nobody_offers_costs_a_new_client_no_less_than_an_hour() {
        let mut business = Business::default();
        let hour = Offering {
            pricing_type: PricingType::Duration,
            duration_minutes: Some(60),
            base_price: Cents(45_00),
            category: DOG_WALKING.to_owned(),
            ..Offering::new(Id::of(2), Instant(0))
        };
        business.put(1, crate::Row::Offering(hour));
        let client = new_client(&business, Id::of(9), Instant(0));
        assert_eq!(client.pricing_walk, Cents(45_00));
        assert_eq!(rate_warning(&client), "");
    }

    #[test]
    fn the_sitters_own_prices_are_those_of_a_new_client() {
        let mut business = Business::default();
        let mut offer = |n: u128, minutes, price| {
            let offering = Offering {
                pricing_type: PricingType::Duration,
                duration_minutes: Some(minutes),
                base_price: Cents(price),
                category: DOG_WALKING.to_owned(),
                ..Offering::new(Id::of(n), Instant(0))
            };
            business.put(1, crate::Row::Offering(offering));
        };
        offer(1, 30, 28_00);
        offer(2, 60, 45_00);
        offer(3, 240, 90_00);
        offer(4, 90, 60_00);
        let client = new_client(&business, Id::of(9), Instant(0));
        assert_eq!(
            [
                client.walk_rate_30min,
                client.walk_rate_45min,
                client.walk_rate_60min,
                client.pricing_walk,
                client.pricing_dropin
            ],
            [28_00, 30_00, 45_00, 60_00, 30_00].map(Cents)
        );
    }

    #[test]
    fn a_form_shows_what_its_rates_would_be_saved_as() {
        let mut rates = Patch::of("walk_rate_60min", 40);
        rates
            .0
            .insert("walk_rate_30min".to_owned(), serde_json::Value::Null);
        let totals: Vec<Cents> = examples_of_form(&rates, 1)
            .iter()
            .map(|it| it.breakdown.total)
            .collect();
        assert_eq!(totals, [Cents(25_00), Cents(40_00), Cents(30_00)]);
    }

    #[test]
    fn rates_name_what_an_extra_dog_costs_in_the_clients_own_way() {
        let mut client = Client::new(Id::of(1), Instant(0));
        let last = |client: &Client| rates(client).pop().map(|it| it.title + " " + &it.amount);
        assert_eq!(last(&client).as_deref(), Some("Each extra dog +50%"));
        client.multiple_dog_method = MultipleDogMethod::Flat;
        client.additional_dog_dropin_rate = Cents(5_50);
        assert_eq!(last(&client).as_deref(), Some("Extra dog, drop-in +$5.50"));
        client.multiple_dog_method = MultipleDogMethod::None;
        assert_eq!(last(&client).as_deref(), Some("Each extra dog free"));
    }
}
