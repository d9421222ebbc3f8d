//! Owns the guided start of a new business: what of it the rows show to be done, and who needs none.

use serde::Serialize;

use crate::Business;

/// Steps of the guided start that the business has done. The other steps are a phone's own: only the phone knows of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidedStart {
    /// There is a client.
    pub client: bool,
    /// A visit is, or was, on the schedule.
    pub visit: bool,
}

/// How far the guided start is; `None` for a business that had clients and visits before it `has_begun` here.
pub fn guided_start(business: &Business, has_begun: bool) -> Option<GuidedStart> {
    let steps = GuidedStart {
        client: !business.clients.is_empty(),
        visit: business.services.values().next().is_some(),
    };
    (has_begun || !(steps.client && steps.visit)).then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::service::Service;
    use crate::{Id, Instant, Row};

    fn check(rows: &[Row], has_begun: bool, expected: Option<(bool, bool)>) {
        let mut business = Business::default();
        for row in rows {
            business.put(1, row.clone());
        }
        let steps = guided_start(&business, has_begun);
        assert_eq!(steps.map(|it| (it.client, it.visit)), expected);
    }

    fn client() -> Row {
        Row::Client(Client::new(Id::of(1), Instant(0)))
    }

    fn visit() -> Row {
        Row::Service(Service::new(Id::of(2), Instant(0)))
    }

    #[test]
    fn a_new_business_is_led_through_the_steps_that_it_lacks() {
        check(&[], false, Some((false, false)));
        check(&[client()], false, Some((true, false)));
        check(&[client(), visit()], true, Some((true, true)));
    }

    #[test]
    fn a_business_that_has_clients_and_visits_needs_no_guide() {
        check(&[client(), visit()], false, None);
    }
}
