//! Owns what happens about plans: months that are nearly full, and changes of what the sitter pays for.

use walkies_core::rows::subscription::{Subscription, SubscriptionStatus};
use walkies_core::rules::usage::month_of;
use walkies_core::values::plan::UNLIMITED;
use walkies_core::{Date, RowKey};

use super::parents::Made;
use super::*;
use crate::oracle::I14;

/// So many services a month come before anybody does anything, where a month is nearly full: the free plan has room for two
/// more.
const FILLED: usize = 28;

impl World<'_> {
    /// Has somebody visited often in the month in which all want walks.
    pub(super) async fn fill_month(&mut self) -> Check {
        if !self.setup.changes_plans || !self.setup.fills_month {
            return Ok(());
        }
        let token = self.reader_token.clone();
        let dog = self.rng.id(self.base_ms);
        let form = json!({ "name": "Regular", "dogs": [{ "id": dog, "name": "Rex" }] });
        let answer = self.rest(&token, "/clients", &form).await;
        let client = read::<Made>(&answer.body).data.id;
        let taken = [&self.days.contended, &self.days.loose];
        let (first, _) = month_of(self.days.contended[0]);
        let mut days = (0..28).map(|it| first.plus_days(it));
        let is_free = |it: &Date| !taken.iter().any(|days| days.contains(it));
        let day = days.find(is_free).unwrap();
        for _ in 0..FILLED {
            let form = json!({ "client_id": client, "dog_ids": [dog], "date": day, "start_time": "09:00",
                "duration_minutes": 30, "service_type": "walk" });
            let answer = self.rest(&token, "/services", &form).await;
            assert!(read::<Made>(&answer.body).data.id.is_some());
        }
        self.read_all().await
    }

    /// Who has a plan without limits is on the free one, or is asked to pay; and the other way round.
    pub(super) async fn change_plan(&mut self) -> Check {
        let (before, known) = (self.oracle.now().cursor, self.known_rows());
        let is_limited = |it: Subscription| it.plan_in_force().clients != UNLIMITED;
        let becomes = match self.oracle.now().subscription().is_some_and(is_limited) {
            true => Subscription {
                plan_id: "pro".to_owned(),
                ..Subscription::free()
            },
            false if self.rng.chance(30) => Subscription {
                plan_id: "pro".to_owned(),
                status: SubscriptionStatus::Inactive,
                ..Subscription::free()
            },
            false => Subscription::free(),
        };
        note!(
            self,
            "the plan is {} from now on, and {:?}",
            becomes.plan_id,
            becomes.status
        );
        let takes_away = self.some_pet().filter(|_| self.is(Bug::PlanTakesAway));
        let is_news = self.backend.set_plan(&becomes, takes_away).await;
        self.counts.plans += usize::from(is_news);
        self.read_all().await?;
        self.oracle.i2_revisions(before, u64::from(is_news))?;
        self.oracle.i14_nothing_is_taken_away(&known)?;
        let is_said = self.oracle.now().subscription() == Some(becomes);
        ensure!(
            is_said,
            I14,
            "the plan is another one than what is paid for"
        );
        self.tell_of_writes(before);
        Ok(())
    }

    /// The keys of all rows.
    pub(super) fn known_rows(&self) -> BTreeSet<String> {
        self.oracle.now().rows.keys().cloned().collect()
    }

    /// Tells open apps of the revisions that have been written since `before`.
    pub(super) fn tell_of_writes(&mut self, before: u64) {
        self.tell_of_changes(before);
        for rev in before + 1..=self.oracle.now().cursor {
            self.walls.insert(rev, self.backend.now());
        }
    }

    fn some_pet(&self) -> Option<RowKey> {
        let mut keys = self.oracle.now().rows.keys();
        let id = keys.find_map(|it| it.strip_prefix("pet/"))?.parse().ok()?;
        Some(RowKey {
            table: TableName::Pet,
            id,
        })
    }
}
