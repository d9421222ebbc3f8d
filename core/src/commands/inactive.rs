//! Owns what the commands do that make a client inactive and active again.

use serde::Serialize;

use crate::commands::combined::{Combined, TakenBack};
use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, row};
use crate::commands::series::{EndSeries, RestoreSeries, is_open};
use crate::commands::service::CancelService;
use crate::rows::client::Client;
use crate::rows::row::TableName;
use crate::rows::series::SeriesEnd;
use crate::rules::series::last_date;
use crate::values::json::read_by_field;
use crate::{Business, Id, Refusal};

/// Makes a client inactive; a repeat changes nothing. All that there is of the client stays, and can be billed. Named series
/// end today, and named visits are cancelled; what is under way, done, billed or another client's stays as it is.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeactivateClient {
    /// Id of the client.
    pub id: Id,
    /// Ids of the series to end.
    #[serde(default)]
    pub ends: Vec<Id>,
    /// Ids of the services to cancel, beside the visits of those series.
    #[serde(default)]
    pub cancels: Vec<Id>,
}

read_by_field!(DeactivateClient { id } or default { ends, cancels });

impl DeactivateClient {
    fn end(id: Id, ctx: &Context) -> EndSeries {
        let date = ctx.today();
        EndSeries {
            id,
            end: SeriesEnd::On { date },
            choices: Vec::new(),
        }
    }
}

impl Intent for DeactivateClient {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Client, self.id)];
        for id in &self.ends {
            needs.extend(Self::end(*id, ctx).needs(business, ctx));
        }
        if !self.cancels.is_empty() {
            needs.push(Need::Rows(TableName::Service, self.cancels.clone()));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let client = business.client(self.id).ok_or(Refusal::Gone)?;
        let today = ctx.today();
        let mut combined = Combined::new(business);
        if client.inactive_since.is_none() {
            let client = Client {
                inactive_since: Some(today),
                ..client.clone()
            };
            combined.change(vec![client.into()]);
        }
        for id in &self.ends {
            let series = combined.business.series.get(id).map(|it| &it.row);
            let is_to_end = series.is_some_and(|it| {
                it.client_id == self.id && last_date(it).is_none_or(|last| today < last)
            });
            if is_to_end {
                combined.decide(&Self::end(*id, ctx), ctx)?;
            }
        }
        for id in &self.cancels {
            let service = combined.business.service(*id);
            if service.is_some_and(|it| it.client_id == self.id && is_open(it)) {
                combined.decide(&CancelService::new(*id), ctx)?;
            }
        }
        Ok(combined.into_decision())
    }

    fn about(&self) -> About {
        About::row("Client", Effect::Marks, TableName::Client, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

/// Makes a client active again; a repeat changes nothing. As the undo of `DeactivateClient` it is saved with the base revision
/// of that, and names what takes place again.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActivateClient {
    /// Id of the client.
    pub id: Id,
    /// Series that were ended, as they were.
    #[serde(default)]
    pub series: Vec<RestoreSeries>,
    /// Ids of services that were cancelled.
    #[serde(default)]
    pub reopens: Vec<Id>,
}

read_by_field!(ActivateClient { id } or default { series, reopens });

impl ActivateClient {
    fn taken_back(&self) -> TakenBack<'_> {
        TakenBack {
            client_id: self.id,
            series: &self.series,
            reopens: &self.reopens,
        }
    }
}

impl Intent for ActivateClient {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Client, self.id)];
        needs.extend(self.taken_back().needs(business, ctx));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let client = business.client(self.id).ok_or(Refusal::Gone)?;
        let mut combined = Combined::new(business);
        combined.change(active(client).into_iter().map(Into::into).collect());
        self.taken_back().decide(&mut combined, ctx)?;
        Ok(combined.into_decision())
    }

    fn about(&self) -> About {
        About::row("Client", Effect::Marks, TableName::Client, self.id)
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

/// An inactive client as an active one; `None` for one that is active.
pub(super) fn active(client: &Client) -> Option<Client> {
    client.inactive_since.map(|_| Client {
        inactive_since: None,
        ..client.clone()
    })
}
