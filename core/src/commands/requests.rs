//! Owns the approval of several requests that were made at once: all of them, or none.

use serde::Serialize;

use crate::commands::combined::Combined;
use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, Shows};
use crate::commands::request::ApproveRequest;
use crate::rows::row::{RowKey, TableName};
use crate::values::json::read_by_field;
use crate::{Business, Refusal};

/// Approves several requests, each as `ApproveRequest` does and after those before it. One that cannot be approved refuses
/// all of them; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApproveRequests {
    /// The approvals, at most one of each request.
    pub approvals: Vec<ApproveRequest>,
}

read_by_field!(ApproveRequests { approvals });

impl Intent for ApproveRequests {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let needs = self.approvals.iter().flat_map(|it| it.needs(business, ctx));
        // A count is of one month, and knows nothing of the services that were made before.
        let whole = |it| match it {
            Need::ServiceCountIn(first, last) => Need::ServicesBetween(first, last),
            other => other,
        };
        needs.map(whole).collect()
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let mut combined = Combined::new(business);
        for approval in &self.approvals {
            combined.decide(approval, ctx)?;
        }
        Ok(combined.into_decision())
    }

    fn about(&self) -> About {
        let key = |table, id| RowKey { table, id };
        let approvals = self.approvals.iter();
        About {
            builds_on: approvals
                .clone()
                .map(|it| key(TableName::WalkRequest, it.id))
                .collect(),
            made: approvals
                .map(|it| key(TableName::Service, it.service_id))
                .collect(),
            shows: Shows::Made(TableName::Service),
            ..About::of("Requests", Effect::Marks)
        }
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        let said = self.approvals.iter().map(|it| it.sitter_response.as_str());
        Some(
            said.filter(|it| !it.is_empty())
                .map(|it| ("Answer", it))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::decide;
    use crate::commands::request::request;
    use crate::rows::client::Client;
    use crate::rows::pet::Pet;
    use crate::rows::walk_request::{RequestStatus, WalkRequest};
    use crate::values::zone::TimeZone;
    use crate::{Command, Id, Instant, Now, Row, Time};

    const SAM: Id = Id::of(1);
    const REX: Id = Id::of(2);
    const NOW: Instant = Instant(1_795_165_200_000);

    fn ctx() -> Context {
        Context::at(Now {
            at: NOW,
            zone: TimeZone::UTC,
        })
    }

    /// Sam's requests for Nov 24 at these hours.
    fn asked(hours: &[u16]) -> Business {
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(SAM, NOW)));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        for (n, hour) in hours.iter().enumerate() {
            let id = Id::of(10 + n as u128);
            business.put(
                1,
                Row::WalkRequest(WalkRequest {
                    requested_date: "2026-11-24".parse().unwrap(),
                    requested_start_time: Time::hour(*hour),
                    dog_ids: vec![REX],
                    group_id: Some(Id::of(10)),
                    ..WalkRequest::new(id, SAM, NOW)
                }),
            );
        }
        business
    }

    fn approve_all(n: u128) -> Command {
        let approvals = (0..n).map(|n| ApproveRequest {
            id: Id::of(10 + n),
            service_id: Id::of(100 + n),
            sitter_response: "Gladly".to_owned(),
            start_time: None,
            overlap_ok: false,
            price: None,
        });
        Command::ApproveRequests(ApproveRequests {
            approvals: approvals.collect(),
        })
    }

    #[test]
    fn requests_that_were_made_at_once_are_approved_by_one_command() {
        let mut business = asked(&[9, 11, 13]);
        let decision = decide(&approve_all(3), &business, &ctx()).unwrap();
        assert_eq!(decision.changes.len(), 6);
        business.apply(2, &decision.changes);
        let services = (0..3).map(|n| business.service(Id::of(100 + n)));
        assert_eq!(services.flatten().count(), 3);
        let is_answered = |it: &WalkRequest| {
            it.status == RequestStatus::Approved && it.sitter_response == "Gladly"
        };
        let requests = business.requests.values();
        assert!(requests.map(|it| &it.row).all(is_answered));
        // A repeat changes nothing.
        let again = decide(&approve_all(3), &business, &ctx()).unwrap();
        assert!(again.changes.is_empty());
    }

    #[test]
    fn one_of_them_whose_time_is_taken_by_another_one_refuses_all() {
        let business = asked(&[9, 11, 11]);
        let refusal = decide(&approve_all(3), &business, &ctx()).unwrap_err();
        assert_eq!(refusal.code(), "conflict");
        assert!(decide(&approve_all(2), &business, &ctx()).is_ok());
    }

    #[test]
    fn an_answer_or_a_withdrawal_of_one_meanwhile_refuses_all() {
        let mut business = asked(&[9, 11]);
        let declined = WalkRequest {
            status: RequestStatus::Declined,
            ..request(&business, Id::of(11)).unwrap().clone()
        };
        business.put(2, Row::WalkRequest(declined));
        let code = |business: &Business| decide(&approve_all(2), business, &ctx()).unwrap_err();
        assert_eq!(code(&business).code(), "already_answered");
        business.delete(RowKey {
            table: TableName::WalkRequest,
            id: Id::of(11),
        });
        assert_eq!(code(&business).code(), "gone");
    }
}
