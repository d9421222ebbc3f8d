//! Owns the planted bugs that live between phone and server and in the server's tables.

use walkies_core::commands::UpdateClient;
use walkies_core::rows::service::{LiveEvent, ServiceStatus};
use walkies_core::rows::subscription::Subscription;
use walkies_core::sync::wire::WireRow;
use walkies_server::app::session::Member;

use super::*;
use crate::act_checks::fields_of;

impl World<'_> {
    pub(super) async fn plant_before_push(&mut self, request: &PushRequest) {
        let device = request.device_id.to_string();
        let set_seq = "INSERT INTO device (sitter_id, id, last_seq) VALUES ($1, $2, CAST($3 AS INTEGER)) \
            ON CONFLICT (sitter_id, id) DO UPDATE SET last_seq = excluded.last_seq";
        if matches!(
            self.bug,
            Some(Bug::NoIdempotency | Bug::ParallelCalls | Bug::NewIdOnRetry)
        ) && let Some(first) = request.mutations.first()
        {
            self.backend
                .tamper(set_seq, &[&device, &(first.seq - 1).to_string()])
                .await;
        }
        if self.is(Bug::LimitNotHeld) {
            self.set_plan_in_table(None).await;
        }
        for mutation in &request.mutations {
            if self.is(Bug::UpdateResurrects)
                && let Ok(Command::UpdateClient(UpdateClient { id, .. })) = mutation.command()
                && let Some(Some(text)) = self.oracle.now().gone.get(&format!("client/{id}"))
            {
                let row: serde_json::Value = serde_json::from_str(text).unwrap();
                let row: Row = TableName::Client.read(&row["d"].to_string()).unwrap();
                self.backend.write_row(self.oracle.now().cursor, &row).await;
            }
            if self.is(Bug::RowBeforeBlob) {
                for photo in photos_in(&mutation.args) {
                    let insert = "INSERT INTO photo (sitter_id, id, file_id, source_hash, created_at_ms) \
                        VALUES ($1, $2, $2, '', 0) ON CONFLICT DO NOTHING";
                    self.backend.tamper(insert, &[&photo]).await;
                }
            }
        }
    }

    /// Planted: what was just written of series is not what it should be.
    pub(super) async fn plant_in_series(&mut self) {
        let sql = match self.bug {
            Some(Bug::VisitTwice) => {
                "UPDATE service SET series_date = (SELECT min(other.series_date) FROM service other \
                 WHERE other.sitter_id = $1 AND other.series_id = service.series_id \
                 AND other.series_slot = service.series_slot) \
                 WHERE sitter_id = $1 AND series_id IS NOT NULL AND rev = (SELECT rev FROM sitter WHERE id = $1)"
            }
            Some(Bug::LeftOutForgotten) => {
                "UPDATE series SET left_out = '[]' WHERE sitter_id = $1 \
                 AND rev = (SELECT rev FROM sitter WHERE id = $1)"
            }
            Some(Bug::NightMissed) => {
                "UPDATE series SET due_on = NULL WHERE sitter_id = $1 \
                 AND rev = (SELECT rev FROM sitter WHERE id = $1)"
            }
            // Whenever a series was changed.
            Some(Bug::DoneFollows) => {
                "UPDATE service SET start_time = '05:15', rev = (SELECT rev FROM sitter WHERE id = $1) \
                 WHERE sitter_id = $1 AND (status = 'completed' OR paid = 1) AND start_time <> '05:15' \
                 AND EXISTS (SELECT 1 FROM series WHERE series.sitter_id = $1 \
                 AND series.id = service.series_id AND series.rev = (SELECT rev FROM sitter WHERE id = $1))"
            }
            _ => return,
        };
        self.backend.tamper(sql, &[]).await;
    }

    /// Planted: clients who are inactive are none while the nightly job looks.
    pub(super) async fn plant_in_inactive(&self, begins: bool) {
        let timeline = self.oracle.now();
        for id in &timeline.inactive {
            let client = fields_of(&timeline.rows[&format!("client/{id}")]);
            let since = client["inactive_since"].as_str().unwrap();
            let since = match begins {
                true => "NULL".to_owned(),
                false => format!("'{since}'"),
            };
            let sql = format!(
                "UPDATE client SET inactive_since = {since} WHERE sitter_id = $1 AND id = $2"
            );
            self.backend.tamper(&sql, &[&id.to_string()]).await;
        }
    }

    /// Planted: what the act at this revision, the last one, has written is not what it should be.
    pub(super) async fn plant_in_acts(&mut self, rev: u64) {
        let Some(done) = self.oracle.done_at(rev).cloned() else {
            return;
        };
        const REV: &str = "(SELECT rev FROM sitter WHERE id = $1)";
        const NOW: &str = "sitter_id = $1 AND rev = (SELECT rev FROM sitter WHERE id = $1)";
        let is_fixed = "sitter_id = $1 AND (status = 'completed' OR paid = 1)";
        let mut arg = None;
        let sql = match (self.bug, &done.command) {
            (Some(Bug::TripPartLost), _) => format!(
                "UPDATE series SET trip = json_set(trip, '$.shares[0].amount', \
                 json_extract(trip, '$.shares[0].amount') + 1) \
                 WHERE {NOW} AND json_extract(trip, '$.shares[0].amount') IS NOT NULL"
            ),
            (Some(Bug::TimeOffCancelsDone), Command::TakeTimeOff(_)) => {
                format!("UPDATE service SET status = 'cancelled', rev = {REV} WHERE {is_fixed}")
            }
            (Some(Bug::TimeOffMessageLost), Command::TakeTimeOff(_)) => {
                format!("UPDATE blocked_time SET to_pass_on = '[]' WHERE {NOW}")
            }
            (Some(Bug::MarkedOnceMore), Command::MarkServices(command)) => {
                let status = match command.status {
                    ServiceStatus::Cancelled => "cancelled",
                    ServiceStatus::Completed => "completed",
                    ServiceStatus::Scheduled => "scheduled",
                };
                format!("UPDATE service SET status = '{status}', rev = {REV} WHERE {is_fixed}")
            }
            (Some(Bug::CancelledOnceComesBack), Command::MarkServices(_)) => {
                format!("UPDATE service SET series_off = 1 WHERE {NOW} AND status = 'cancelled'")
            }
            (Some(Bug::CopyKeepsStatus), Command::CopyServices(_)) => {
                format!("UPDATE service SET status = 'completed' WHERE {NOW}")
            }
            (Some(Bug::PlannedTwice), Command::MakeSeriesDate(_)) => format!(
                "UPDATE service SET series_date = (SELECT min(other.series_date) FROM service other \
                 WHERE other.sitter_id = $1 AND other.series_id = service.series_id \
                 AND other.series_slot = service.series_slot) WHERE {NOW}"
            ),
            (Some(Bug::WeeksNotDue), Command::UpdateAvailabilityConfig(_)) => {
                format!("UPDATE series SET due_on = NULL WHERE {NOW}")
            }
            (Some(Bug::DelayOnAnotherDay), Command::AnnounceDelay(_)) => {
                format!("UPDATE service SET date = date(date, '+1 day') WHERE {NOW}")
            }
            (Some(Bug::DelayToldTwice), Command::AnnounceDelay(_)) => format!(
                "UPDATE message SET rev = {REV} WHERE sitter_id = $1 AND client_id IN \
                 (SELECT client_id FROM message WHERE {NOW})"
            ),
            (Some(Bug::InactiveKeepsVisits), Command::DeactivateClient(_)) => {
                format!("UPDATE service SET status = 'scheduled' WHERE {NOW}")
            }
            (Some(Bug::GonePetStays), Command::MarkPetGone(command)) => {
                arg = Some(command.id.to_string());
                format!("UPDATE service SET dog_ids = json_insert(dog_ids, '$[#]', $2) WHERE {NOW}")
            }
            (Some(Bug::AgreedPriceFollows), Command::RepriceServices(_)) => format!(
                "UPDATE service SET price_cents = price_cents + 100, rev = {REV} \
                 WHERE sitter_id = $1 AND price_override LIKE '{{%'"
            ),
            (Some(Bug::OrderHalfTaken), Command::MoveVisits(command)) => {
                let Some(moved) = command.moved.first() else {
                    return;
                };
                arg = Some(moved.planned.to_string());
                let id = moved.id;
                format!("UPDATE service SET start_time = $2 WHERE {NOW} AND id = '{id}'")
            }
            (Some(Bug::GrantForgotten), Command::GrantRequest(_)) => {
                let visits = format!(
                    "UPDATE service SET status = 'scheduled' WHERE {NOW} AND status = 'cancelled'"
                );
                self.backend.tamper(&visits, &[]).await;
                format!("DELETE FROM series WHERE {NOW}")
            }
            (Some(Bug::AnotherSigns), Command::AskForService(command)) => {
                arg = Some(command.id.to_string());
                format!("UPDATE walk_request SET asked_by = client_id WHERE {NOW} AND id = $2")
            }
            (Some(Bug::GivenReplacesNotes), Command::UpdateClient(command))
                if command.changes.0.contains_key("how_to_get_in") =>
            {
                format!("UPDATE client SET access_notes = how_to_get_in WHERE {NOW}")
            }
            (Some(Bug::TakenBackStays), Command::SendLive(command))
                if !command.taken_back.is_empty() =>
            {
                // The revision has not been read yet. The photos themselves are gone.
                let before = self.oracle.now().services.get(&command.id);
                let live = before.iter().flat_map(|it| &it.live);
                let live = live.map(|it| LiveEvent {
                    photo: None,
                    ..it.clone()
                });
                arg = Some(json!(live.collect::<Vec<LiveEvent>>()).to_string());
                format!("UPDATE service SET live = $2 WHERE {NOW}")
            }
            (Some(Bug::LiveForAnother), Command::SendLive(command)) => {
                arg = Some(json!(command.events).to_string());
                format!(
                    "UPDATE service SET live = $2, rev = {REV} WHERE sitter_id = $1 AND rev < {REV} \
                     AND $2 <> '[]' AND client_id IN \
                     (SELECT id FROM client WHERE sitter_id = $1 AND client_user_id IS NOT NULL)"
                )
            }
            (Some(Bug::ApprovedForNothing), Command::ApproveRequests(command)) => {
                arg = command.approvals.last().map(|it| it.service_id.to_string());
                format!("DELETE FROM service WHERE {NOW} AND id = $2")
            }
            (Some(Bug::UndoneStaysApproved), Command::UndoApproval(_)) => {
                format!("UPDATE walk_request SET status = 'approved' WHERE {NOW}")
            }
            (Some(Bug::UndoneMoveStays), Command::UndoApproval(command))
                if command.former.is_some() =>
            {
                let id = command.service_id;
                format!("UPDATE service SET start_time = '05:15' WHERE {NOW} AND id = '{id}'")
            }
            (Some(Bug::UndoLeavesOne), _) if done.undoes.is_some() => {
                format!("UPDATE service SET start_time = '05:15' WHERE {NOW}")
            }
            _ => return,
        };
        let args: Vec<&str> = arg.iter().map(String::as_str).collect();
        self.backend.tamper(&sql, &args).await;
    }

    pub(super) async fn plant_after_push(
        &mut self,
        before: u64,
        request: &PushRequest,
        results: &[Outcome],
        answer: &mut Answer,
    ) {
        if self.is(Bug::LimitNotHeld) {
            let plan = self.oracle.now().subscription();
            self.set_plan_in_table(plan.as_ref()).await;
        }
        let fresh: BTreeSet<Id> = results
            .iter()
            .filter(|it| before < it.rev)
            .map(|it| it.id)
            .collect();
        let forgets =
            self.is(Bug::NoIdempotency) || (self.is(Bug::OutcomeInSecondTx) && self.rng.chance(8));
        if forgets && !fresh.is_empty() {
            for id in &fresh {
                self.backend
                    .tamper(
                        "DELETE FROM mutation WHERE sitter_id = $1 AND id = $2",
                        &[&id.to_string()],
                    )
                    .await;
            }
            let device = request.device_id.to_string();
            let back = "UPDATE device SET last_seq = last_seq - CAST($3 AS INTEGER) WHERE sitter_id = $1 AND id = $2";
            self.backend
                .tamper(back, &[&device, &fresh.len().to_string()])
                .await;
            if self.is(Bug::OutcomeInSecondTx) {
                answer.status = 503;
            }
        }
        if self.is(Bug::DeparturesForgotten) {
            self.backend
                .tamper("DELETE FROM departure WHERE sitter_id = $1", &[])
                .await;
        }
        let of_invoices = match self.bug {
            Some(Bug::PaidApart) => {
                Some("UPDATE service SET paid = 0 WHERE sitter_id = $1 AND invoice_id IS NOT NULL")
            }
            Some(Bug::InvoiceRewritten) => Some(
                "UPDATE invoice SET total_cents = total_cents + 1 WHERE sitter_id = $1 AND payments <> '[]'",
            ),
            Some(Bug::NumberLeftOut) => Some(
                "UPDATE invoice SET number = number + 1 WHERE sitter_id = $1 \
                 AND number = (SELECT max(number) FROM invoice WHERE sitter_id = $1)",
            ),
            Some(Bug::CreditedKeepsServices) => Some(
                "UPDATE service SET invoice_id = credited_invoice_id WHERE sitter_id = $1 \
                 AND credited_invoice_id IS NOT NULL AND invoice_id IS NULL",
            ),
            // Once another invoice has changed since.
            Some(Bug::RefundLost) => Some(
                "UPDATE invoice SET refunds = '[]' WHERE sitter_id = $1 \
                 AND rev < (SELECT max(rev) FROM invoice WHERE sitter_id = $1)",
            ),
            _ => None,
        };
        if let Some(sql) = of_invoices {
            self.backend.tamper(sql, &[]).await;
        }
        if self.is(Bug::OtherTextLost) {
            let client = "UPDATE client SET other_texts = '[]' WHERE sitter_id = $1";
            let pet = "UPDATE pet SET other_texts = '[]' WHERE sitter_id = $1";
            self.backend.tamper(client, &[]).await;
            self.backend.tamper(pet, &[]).await;
        }
        if self.is(Bug::HardDelete) {
            self.backend
                .tamper("DELETE FROM tombstone WHERE sitter_id = $1", &[])
                .await;
        }
        if self.is(Bug::RefusalOnlyInResponse) && answer.status == 200 {
            let Data { mut data } = read::<PushResponse>(&answer.body);
            for outcome in data.results.iter_mut().filter(|it| !fresh.contains(&it.id)) {
                forget_refusal(outcome);
            }
            answer.body = json!({ "data": data }).to_string();
        }
    }

    /// Planted: the server takes another plan for the one that is paid.
    async fn set_plan_in_table(&self, plan: Option<&Subscription>) {
        let (sql, plan) = match plan {
            Some(plan) => (
                "UPDATE profile SET subscription = $2 WHERE sitter_id = $1",
                json!(plan),
            ),
            None => (
                "UPDATE profile SET subscription = NULL WHERE sitter_id = $1",
                json!(null),
            ),
        };
        let plan = plan.to_string();
        let args: &[&str] = if sql.contains("$2") { &[&plan] } else { &[] };
        self.backend.tamper(sql, args).await;
    }

    pub(super) fn plant_in_feed(&mut self, answer: Answer) -> Answer {
        let planted = [
            Bug::WallClockCursor,
            Bug::SeqBeforeCommit,
            Bug::PageSplitsRev,
            Bug::RefusalOnlyInResponse,
        ];
        let Some(bug) = self.bug.filter(|it| planted.contains(it)) else {
            return answer;
        };
        let Data { mut data } = read::<PullResponse>(&answer.body);
        match bug {
            Bug::WallClockCursor => {
                let seen = self
                    .walls
                    .range(..=data.from)
                    .map(|(_, wall)| *wall)
                    .max()
                    .unwrap_or(i64::MIN);
                let walls = &self.walls;
                data.rows.retain(|it| {
                    data.from == 0 || walls.get(&it.rev).is_none_or(|wall| seen < *wall)
                });
            }
            Bug::SeqBeforeCommit => {
                let (unseen, now) = (&self.unseen, self.now);
                let is_seen = |rev: u64| unseen.get(&rev).is_none_or(|until| *until <= now);
                data.rows.retain(|it| is_seen(it.rev));
                data.outcomes.retain(|it| is_seen(it.rev));
            }
            Bug::PageSplitsRev => {
                if data.from != 0 && 4 < data.rows.len() {
                    data.rows.truncate(4);
                    data.next = data.rows[3].rev;
                    data.more = true;
                    data.outcomes.retain(|it| it.rev <= data.next);
                }
            }
            _ => data.outcomes.iter_mut().for_each(forget_refusal),
        }
        let body = format!("{{\"data\":{}}}", serde_json::to_string(&data).unwrap());
        Answer { body, ..answer }
    }
}

impl World<'_> {
    /// Planted: nobody knows of open invitations while somebody is let go.
    pub(super) async fn plant_in_invites(&self, begins: bool) {
        if !self.is(Bug::InvitationStaysOpen) {
            return;
        }
        let sql = match begins {
            true => "UPDATE invite SET used_at_ms = 0 WHERE sitter_id = $1 AND used_at_ms IS NULL",
            false => "UPDATE invite SET used_at_ms = NULL WHERE sitter_id = $1 AND used_at_ms = 0",
        };
        self.backend.tamper(sql, &[]).await;
    }

    /// Planted: whoever was let go is of the household on while the server looks.
    async fn plant_in_household(&self, seat: &Seat, begins: bool) {
        let user_id = seat.user_id.to_string();
        for id in &seat.former {
            let client = self.oracle.now().rows.get(&format!("client/{id}"));
            let Some(client) = client.map(|it| fields_of(it)) else {
                continue;
            };
            let mut parents = client["parents"].as_array().cloned().unwrap_or_default();
            if begins {
                parents.push(json!({ "user_id": user_id, "name": "" }));
            }
            let sql = "UPDATE client SET parents = $3 WHERE sitter_id = $1 AND id = $2 AND client_user_id IS NOT NULL";
            let parents = json!(parents).to_string();
            self.backend.tamper(sql, &[&id.to_string(), &parents]).await;
        }
    }

    /// Planted: clients are trusted while the server decides on what their parents ask for.
    pub(super) async fn plant_trust(&mut self, parent: Option<usize>, begins: bool) {
        let link = parent.and_then(|it| self.parents[it].link);
        let Some(link) = link.filter(|_| self.is(Bug::UntrustedBooks)) else {
            return;
        };
        let id = link.client_id;
        let client = self.oracle.now().rows.get(&format!("client/{id}"));
        let is_trusted = client.is_some_and(|it| fields_of(it)["books_at_once"] == true);
        let trusts = u8::from(begins || is_trusted);
        let sql =
            format!("UPDATE client SET books_at_once = {trusts} WHERE sitter_id = $1 AND id = $2");
        self.backend.tamper(&sql, &[&id.to_string()]).await;
    }

    /// Planted: whoever was let go is taken for linked while the server looks.
    pub(super) async fn plant_before_call_of_parent(
        &mut self,
        parent: Option<usize>,
        begins: bool,
    ) {
        let Some(seat) = parent.map(|it| &self.parents[it]) else {
            return;
        };
        if self.is(Bug::HouseholdReadsOn) && seat.link.is_none() {
            self.plant_in_household(seat, begins).await;
        }
        let is_planted = self.is(Bug::LetGoIsObeyed) || self.is(Bug::LiveMapForLetGo);
        if !is_planted || seat.link.is_some() {
            return;
        }
        let user_id = seat.user_id.to_string();
        let sql = if begins {
            "UPDATE client SET client_user_id = $2 WHERE sitter_id = $1 AND client_user_id IS NULL AND id = \
             (SELECT MAX(client_id) FROM client_user_link WHERE sitter_id = $1 AND user_id = $2)"
        } else {
            "UPDATE client SET client_user_id = NULL WHERE sitter_id = $1 AND client_user_id = $2"
        };
        self.backend.tamper(sql, &[&user_id]).await;
    }

    /// Planted: what a pet parent's phone is told beside what is theirs.
    pub(super) async fn plant_in_feed_of_parent(&mut self, answer: Answer) -> Answer {
        let planted = [
            Bug::SittersFeed,
            Bug::InternalNotesTold,
            Bug::OtherTenantsRows,
        ];
        let Some(bug) = self.bug.filter(|it| planted.contains(it)) else {
            return answer;
        };
        let Data { mut data } = read::<PullResponse>(&answer.body);
        let span = data.from + 1..=data.next;
        let pages = self
            .read(crate::oracle::Timeline::new().after(0, READER))
            .await;
        let all = pages.into_iter().flat_map(|it| it.rows);
        match bug {
            Bug::SittersFeed => {
                data.rows = all.filter(|it| span.contains(&it.rev)).collect();
            }
            Bug::InternalNotesTold => {
                let all: Vec<_> = all.collect();
                for row in data.rows.iter_mut().filter(|it| !it.del) {
                    let whole = all
                        .iter()
                        .find(|it| (it.id, it.rev, &it.t) == (row.id, row.rev, &row.t));
                    if let Some(whole) = whole {
                        row.d.clone_from(&whole.d);
                    }
                }
            }
            _ => {
                let Some(it) = &self.elsewhere else {
                    return answer;
                };
                let owner = Member {
                    user_id: it.owner,
                    sitter_id: it.sitter_id,
                    link: None,
                };
                let request = crate::oracle::Timeline::new().after(0, READER);
                let pages = self.read_as(&owner, request).await;
                let rows = pages.into_iter().flat_map(|it| it.rows);
                let rows = rows.filter(|it| it.t == "offering");
                let rev = data.next;
                data.rows.extend(rows.map(|it| WireRow { rev, ..it }));
            }
        }
        let body = format!("{{\"data\":{}}}", serde_json::to_string(&data).unwrap());
        Answer { body, ..answer }
    }

    /// Planted: a phone that does not ask whether its own record is in what it is told.
    pub(super) fn pull_of_any_record(
        &mut self,
        phone: usize,
        tab: usize,
        number: u32,
        data: PullResponse,
        fresh: Id,
    ) -> Pulled {
        let own = self.phones[phone].disk.meta.client_id;
        let is_whole = data.reset || data.from == 0;
        if own.is_none() || !is_whole || data.more {
            return self.replica(phone, tab).pulled(number, data, fresh);
        }
        let mut disk = self.phones[phone].disk.clone();
        disk.meta.client_id = None;
        let mut replica = disk.load();
        let (number, _) = replica.next_pull();
        match replica.pulled(number, data, fresh) {
            Pulled::Complete(mut batch) => {
                batch.meta.client_id = own;
                Pulled::Complete(batch)
            }
            other => other,
        }
    }
}

fn forget_refusal(outcome: &mut Outcome) {
    if outcome.outcome == OutcomeKind::Rejected {
        outcome.outcome = OutcomeKind::Applied;
        outcome.refusal = None;
    }
}

fn photos_in(args: &serde_json::Value) -> Vec<String> {
    let dogs = args["dogs"].as_array().cloned().unwrap_or_default();
    dogs.iter()
        .filter_map(|it| it["changes"]["photo"].as_str().map(str::to_owned))
        .collect()
}
