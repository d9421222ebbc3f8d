//! Owns the planted bugs that live between phone and server and in the server's tables.

use walkies_core::commands::UpdateClient;

use super::*;

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

    pub(super) async fn plant_after_push(
        &mut self,
        before: u64,
        request: &PushRequest,
        results: &[Outcome],
        answer: &mut Answer,
    ) {
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
