//! Owns one decision that consists of several commands, each decided on what those before it have left.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::commands::decision::{Context, Decision, Intent, Need};
use crate::commands::series::RestoreSeries;
use crate::commands::service::ReopenService;
use crate::rows::row::RowKey;
use crate::rows::service::{Service, ServiceStatus};
use crate::{Business, Change, Id, Refusal};

/// Commands and changes that are one decision.
pub(super) struct Combined<'a> {
    /// The rows as they are after what was decided so far.
    pub business: Cow<'a, Business>,
    decision: Decision,
}

impl<'a> Combined<'a> {
    /// Nothing is decided yet.
    pub fn new(business: &'a Business) -> Self {
        Self {
            business: Cow::Borrowed(business),
            decision: Decision::default(),
        }
    }

    /// Decides a command.
    pub fn decide(&mut self, command: &impl Intent, ctx: &Context) -> Result<(), Refusal> {
        let part = command.decide(&self.business, ctx)?;
        self.decision.adjustments.extend(part.adjustments);
        self.change(part.changes);
        Ok(())
    }

    /// Adds changes to those that were made so far.
    pub fn change(&mut self, changes: Vec<Change>) {
        if !changes.is_empty() {
            self.business.to_mut().apply(0, &changes);
            self.decision.changes.extend(changes);
        }
    }

    /// The decision, with the last change of each row alone.
    pub fn into_decision(self) -> Decision {
        let mut decision = self.decision;
        let mut known: BTreeSet<RowKey> = BTreeSet::new();
        decision.changes.reverse();
        decision.changes.retain(|it| known.insert(it.key()));
        decision.changes.reverse();
        decision
    }
}

/// Changes of a client's series and visits that are taken back as one.
#[derive(Clone, Copy)]
pub(super) struct TakenBack<'a> {
    /// Id of the client; series and services of others are left alone.
    pub client_id: Id,
    /// The series as they were.
    pub series: &'a [RestoreSeries],
    /// The cancelled services that take place again.
    pub reopens: &'a [Id],
}

impl TakenBack<'_> {
    /// Lists the rows that deciding on it needs.
    pub fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let series = self.series.iter();
        let mut needs: Vec<Need> = series.flat_map(|it| it.needs(business, ctx)).collect();
        for id in self.reopens {
            let of_one = ReopenService {
                id: *id,
                corrects: false,
            }
            .needs(business, ctx)
            .into_iter();
            // A count is of one month, and knows nothing of what has come back before.
            needs.extend(of_one.map(|it| match it {
                Need::ServiceCountIn(first, last) => Need::ServicesBetween(first, last),
                other => other,
            }));
        }
        needs
    }

    /// Adds it to a decision. Fails as a whole where a part of it cannot be taken back: a time is taken by now, or another
    /// device has changed the same series since.
    pub fn decide(&self, combined: &mut Combined<'_>, ctx: &Context) -> Result<(), Refusal> {
        for series in self.series {
            let known = combined.business.series.get(&series.id);
            if known.is_some_and(|it| it.row.client_id == self.client_id) {
                combined.decide(series, ctx)?;
            }
        }
        for id in self.reopens {
            let known = combined.business.service(*id);
            // One that was done since stays done.
            let is_off = |it: &Service| it.status == ServiceStatus::Cancelled;
            if known.is_some_and(|it| it.client_id == self.client_id && is_off(it)) {
                combined.decide(
                    &ReopenService {
                        id: *id,
                        corrects: false,
                    },
                    ctx,
                )?;
            }
        }
        Ok(())
    }
}
