//! Owns what happens at the server: calls arrive, it is killed, somebody else writes, and the plain reader reads along.

use super::*;

impl World<'_> {
    pub(super) async fn arrive(&mut self, mut sent: Sent) -> Check {
        let Sent { phone, tab, .. } = sent;
        let fate = if self.is_quiet {
            100
        } else {
            self.rng.below(100)
        };
        if fate == 0 {
            note!(
                self,
                "the server is killed before a call of phone {phone} tab {tab}"
            );
            self.restart().await;
            if !sent.is_copy {
                self.at(
                    5,
                    Event::Answer {
                        sent: Box::new(sent),
                        answer: None,
                    },
                );
            }
            return Ok(());
        }
        let is_killed = fate == 1;
        let before = self.oracle.now().cursor;
        let mut request: Option<PushRequest> = None;
        if let Asked::Push(_) = sent.asked {
            let mut push: PushRequest = serde_json::from_slice(&sent.call.body).unwrap();
            if is_killed {
                // Killed between two commands.
                let n = 1 + self.rng.below(push.mutations.len());
                push.mutations.truncate(n);
                sent.call.body = serde_json::to_vec(&push).unwrap();
            }
            self.plant_before_push(&push).await;
            request = Some(push);
        }
        let mut answer = self.backend.call(&sent.call).await;
        note!(
            self,
            "server: {} of phone {phone} tab {tab}: {}",
            asked(&sent.asked),
            short(&answer)
        );
        if let Some(request) = &request {
            let mut results = Vec::new();
            if answer.status == 200 {
                let Data { data } = read::<PushResponse>(&answer.body);
                results = data.results;
            }
            self.written(before, &results).await?;
            self.plant_after_push(before, request, &results, &mut answer)
                .await;
        }
        if is_killed {
            note!(self, "the server is killed after it");
            self.restart().await;
            return Ok(());
        }
        if let Asked::Pull { .. } = sent.asked
            && answer.status == 200
        {
            answer = self.plant_in_feed(answer);
        }
        if sent.is_copy || self.is_lost() {
            return Ok(());
        }
        let in_ms = self.delay();
        self.at(
            in_ms,
            Event::Answer {
                sent: Box::new(sent),
                answer: Some(answer),
            },
        );
        Ok(())
    }

    /// Something may have been written: the plain reader reads, and the checks look.
    pub(super) async fn written(&mut self, before: u64, results: &[Outcome]) -> Check {
        let n_decided = results
            .iter()
            .filter(|it| it.outcome != OutcomeKind::Retry && before < it.rev)
            .count();
        self.oracle.decided(before, results)?;
        self.read_all().await?;
        self.oracle.i2_revisions(before, n_decided as u64)?;
        for rev in before + 1..=self.oracle.now().cursor {
            self.walls.insert(rev, self.backend.now());
            if self.is(Bug::SeqBeforeCommit) && self.rng.chance(25) {
                self.unseen.insert(rev, self.now + 2_000);
            }
        }
        Ok(())
    }

    pub(super) async fn read_all(&mut self) -> Check {
        let timeline = self.oracle.now();
        let (cursor, epoch, backend_id) = (timeline.cursor, timeline.epoch, timeline.backend_id);
        for page in self.read_from(cursor, epoch, backend_id).await {
            let changed = self.oracle.read(page)?;
            self.i12_no_row_without_its_photo(&changed).await?;
        }
        self.oracle.i6_no_double_booking()?;
        self.oracle.i8_no_lost_field_update()
    }

    pub(super) async fn read_from(
        &self,
        cursor: u64,
        epoch: Option<u64>,
        backend_id: Option<Id>,
    ) -> Vec<PullResponse> {
        let (mut cursor, mut epoch, mut backend_id) = (cursor, epoch, backend_id);
        let mut pages = Vec::new();
        loop {
            let path = pull_path(cursor, READER, epoch, backend_id);
            let answer = self.backend.call(&get(&self.reader_token, path)).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            let Data { data } = read::<PullResponse>(&answer.body);
            (cursor, epoch, backend_id) = (data.next, Some(data.epoch), Some(data.backend_id));
            let more = data.more;
            pages.push(data);
            if !more {
                return pages;
            }
        }
    }

    pub(super) async fn i12_no_row_without_its_photo(&self, keys: &[String]) -> Check {
        for key in keys {
            let Some(text) = self
                .oracle
                .now()
                .rows
                .get(key)
                .filter(|it| it.contains("\"photo\":\""))
            else {
                continue;
            };
            let row: serde_json::Value = serde_json::from_str(text).unwrap();
            let photo = row["d"]["photo"].as_str().and_then(|it| it.parse().ok());
            if let Some(photo) = photo {
                let is_there = self.backend.has_photo(photo).await && !self.is_fake(photo);
                ensure!(is_there, I12, "{key} names the photo {photo}");
            }
        }
        Ok(())
    }

    /// Whether the row of the photo was put there by a planted bug.
    pub(super) fn is_fake(&self, photo: Id) -> bool {
        self.is(Bug::RowBeforeBlob)
            && self
                .phones
                .iter()
                .all(|it| !it.disk.photos.contains_key(&photo))
    }

    /// A change by a REST call of another program, under an idempotency key and sent twice.
    pub(super) async fn somebody_else(&mut self) -> Check {
        let (clients, services): (Vec<Id>, Vec<Id>) = {
            let keys = self.oracle.now().rows.keys();
            let of = |table: &str| -> Vec<Id> {
                keys.clone()
                    .filter_map(|it| it.strip_prefix(table)?.parse().ok())
                    .collect()
            };
            (of("client/"), of("service/"))
        };
        let value = self.rng.between(1000, 9999);
        let (client, service) = (
            self.rng.pick(&clients).copied(),
            self.rng.pick(&services).copied(),
        );
        let which = self.rng.below(5);
        let (method, path, body, command) = match (which, client, service) {
            (0 | 1, Some(id), _) => {
                let changes =
                    walkies_core::patch::Patch::of("address", format!("{value} Oak Road"));
                let body = json!(changes);
                let command = Command::UpdateClient {
                    id,
                    changes,
                    dogs: Vec::new(),
                    removed_dogs: Vec::new(),
                };
                ("PUT", format!("/clients/{id}"), body, command)
            }
            (2, Some(id), _) => (
                "DELETE",
                format!("/clients/{id}"),
                json!(null),
                Command::DeleteClient { id },
            ),
            (3, _, Some(id)) => (
                "DELETE",
                format!("/scheduled-services/{id}"),
                json!(null),
                Command::CancelService { id },
            ),
            (4, _, Some(id)) => {
                let notes = format!("seen {value}");
                let command = Command::CompleteService {
                    id,
                    notes: notes.clone(),
                    despite_cancel: false,
                };
                (
                    "POST",
                    format!("/scheduled-services/{id}/complete"),
                    json!({ "notes": notes }),
                    command,
                )
            }
            _ => return Ok(()),
        };
        let key = self.rng.id(self.base_ms + self.now).to_string();
        let body = if body.is_null() {
            Vec::new()
        } else {
            serde_json::to_vec(&body).unwrap()
        };
        let token = self.reader_token.clone();
        let call = Call {
            method,
            path,
            token,
            headers: vec![("idempotency-key", key)],
            body,
        };
        self.oracle.meant(&command);
        let before = self.oracle.now().cursor;
        let first = self.backend.call(&call).await;
        note!(
            self,
            "somebody else: {method} {}: {}",
            call.path,
            short(&first)
        );
        if first.status < 300 {
            self.oracle.spoke(&command);
        }
        self.read_all().await?;
        // A key makes also a refusal a revision, since its answer is kept.
        self.oracle.i2_revisions(before, 1)?;
        self.walls.insert(before + 1, self.backend.now());
        let again = self.backend.call(&call).await;
        ensure!(
            (again.status, &again.body) == (first.status, &first.body),
            crate::oracle::I2,
            "the same call was answered {} and then {}",
            short(&first),
            short(&again)
        );
        self.read_all().await?;
        self.oracle.i2_revisions(before, 1)
    }
}
