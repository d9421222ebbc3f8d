//! Owns what a sitter does with the business as a whole in the middle of a run: it is cleared, and what it was cleared of comes
//! back, or an archive of it or of another business comes into it. Processes that work on that end on the way, and others go on.

use axum::body::Bytes;
use serde_json::Value;
use walkies_core::rules::account::CLEAR_WORD;
use walkies_server::app::session::Member;
use walkies_server::media::files::FileName;

use super::*;
use crate::backend::PASSWORD;
use crate::oracle::{I15, Timeline, work_in};

/// Lease of a process that works on a clearing, and some seconds: after it another one may try.
const CLEARING_LEASE_MS: i64 = MINUTE_MS + 10_000;
/// The same for a process that works on an archive.
const IMPORT_LEASE_MS: i64 = 5 * MINUTE_MS + 10_000;

/// A step of the sitter, or of a process that works on the business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnStep {
    /// The sitter has the business cleared.
    Clear,
    /// A process works on the clearing, or on bringing back what it took.
    Work,
    /// The sitter has it brought back.
    Undo,
    /// The sitter sends an archive, which is looked through.
    Send,
    /// The sitter has it written.
    Start,
    /// Another process goes on with it.
    GoOn,
}

/// A business that is cleared for something.
pub(super) struct Rewriting {
    /// Archive that is to come into it; `None` where its own rows are to be brought back.
    archive: Option<Vec<u8>>,
    /// The work that is in it then.
    rows: BTreeMap<String, Value>,
    /// A piece of the archive that a process has missed.
    lost: Option<(FileName, Bytes)>,
}

impl World<'_> {
    pub(super) async fn own(&mut self, step: OwnStep) -> Check {
        match step {
            OwnStep::Clear => self.clear().await,
            OwnStep::Work => self.work().await,
            OwnStep::Undo => self.undo_clearing().await,
            OwnStep::Send => self.send_archive().await,
            OwnStep::Start => self.start_import().await,
            OwnStep::GoOn => self.go_on_importing().await,
        }
    }

    fn soon(&mut self, step: OwnStep) {
        let in_ms = self.rng.between(50, 3_000);
        self.at(in_ms, Event::Own(step));
    }

    fn rewriting(&mut self) -> &mut Rewriting {
        self.rewriting.as_mut().expect("the business was cleared")
    }

    async fn own_get(&self, path: &str) -> Value {
        let call = get(&self.reader_token, path.to_owned());
        let answer = self.backend.call(&call).await;
        read::<Value>(&answer.body).data
    }

    async fn export(&self, token: &str) -> Vec<u8> {
        let call = get(token, "/export".to_owned());
        let (status, bytes) = self.backend.call_for_bytes(&call).await;
        assert_eq!(status, 200);
        bytes
    }

    async fn clear(&mut self) -> Check {
        let token = self.reader_token.clone();
        let (archive, rows) = match self.rng.below(3) {
            0 => (None, BTreeMap::new()),
            1 => {
                let rows = work_in(&self.oracle.now().rows);
                (Some(self.export(&token).await), rows)
            }
            _ => self.archive_of_another().await,
        };
        self.rewriting = Some(Rewriting {
            archive,
            rows,
            lost: None,
        });
        let form = json!({ "word": CLEAR_WORD, "password": PASSWORD });
        let answer = self.rest(&token, "/clear", &form).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.soon(OwnStep::Work);
        Ok(())
    }

    async fn archive_of_another(&mut self) -> (Option<Vec<u8>>, BTreeMap<String, Value>) {
        let (sitter_id, user_id) = self.backend.other_business(self.setup.zone).await;
        let token = self.backend.sign_in(Some(user_id)).await;
        for name in ["Somebody", "Somebody else"] {
            self.make_client(&token, name).await;
        }
        let owner = Member {
            user_id,
            sitter_id,
            link: None,
        };
        let request = Timeline::new().after(0, READER);
        let pages = self.read_as(&owner, request).await;
        let rows = pages.iter().flat_map(|it| &it.rows).filter(|it| !it.del);
        let text = |it| serde_json::to_string(it).unwrap();
        let rows = rows.map(|it| (format!("{}/{}", it.t, it.id), text(it)));
        (Some(self.export(&token).await), work_in(&rows.collect()))
    }

    /// Works on a clearing, or on what is brought back: on a database that may fail, in a process that may end.
    async fn work(&mut self) -> Check {
        let (before, known) = (self.oracle.now().cursor, self.known_rows());
        let was = self.own_get("/clear").await;
        let is_clearing = was["state"] == "clearing";
        if is_clearing {
            self.oracle.counts_on();
            if !self.is_closed && self.rewriting().archive.is_none() {
                self.rewriting().rows = work_in(&self.oracle.now().rows);
            }
        }
        let fails = self.rng.chance(50) && !self.is_quiet;
        let faults = [Fault::Lost, Fault::Ended];
        let plan = Plan {
            after: self.rng.below(60),
            fault: *self.rng.pick(&faults).unwrap(),
            always: false,
        };
        if !self.backend.work(fails.then_some(plan)).await {
            self.restart().await;
        }
        let is = self.own_get("/clear").await;
        self.is_closed = self.backend.is_closed().await;
        note!(
            self,
            "the clearing was {was} and is {is}; closed: {}",
            self.is_closed
        );
        if self.is(Bug::ClearedForGood) && !is_clearing {
            let lose = "DELETE FROM pet WHERE sitter_id = $1 AND id = (SELECT min(id) FROM pet WHERE sitter_id = $1)";
            self.backend.tamper(lose, &[]).await;
        }
        self.read_all().await?;
        if is_clearing {
            self.oracle.cleared(&known);
        }
        self.tell_of_writes(before);
        if is["state"] == "clearing" || is["state"] == "restoring" {
            self.counts.interrupted += 1;
            if self.is(Bug::NotClosedMeanwhile) {
                let open = "UPDATE sitter SET importing_since_ms = NULL WHERE id = $1";
                self.backend.tamper(open, &[]).await;
            }
            self.at(CLEARING_LEASE_MS, Event::Own(OwnStep::Work));
            return Ok(());
        }
        ensure!(
            !self.is_closed,
            I15,
            "nobody works on a business that is closed"
        );
        if is_clearing {
            self.counts.cleared += 1;
            self.oracle.i15_has(&BTreeMap::new(), "after a clearing")?;
            let is_import = self.rewriting().archive.is_some();
            self.soon(if is_import {
                OwnStep::Send
            } else {
                OwnStep::Undo
            });
        } else if is.is_null() {
            self.counts.came_back += 1;
            self.came("what came back")?;
        }
        Ok(())
    }

    /// All that was to come is there.
    fn came(&mut self, what: &str) -> Check {
        let Some(Rewriting { rows, .. }) = self.rewriting.take() else {
            return Ok(());
        };
        self.oracle.i15_has(&rows, what)?;
        self.oracle.counts_on();
        Ok(())
    }

    /// True if the call was refused, since somebody has worked in the business since it was cleared: nothing comes
    /// beside that.
    fn is_refused(&mut self, answer: &Answer) -> bool {
        let is_refused = answer.status == 409;
        assert!(is_refused || answer.status < 300, "{}", answer.body);
        if is_refused {
            self.rewriting = None;
        }
        is_refused
    }

    async fn undo_clearing(&mut self) -> Check {
        let token = self.reader_token.clone();
        let answer = self.rest(&token, "/clear/undo", &json!({})).await;
        if self.is_refused(&answer) {
            return Ok(());
        }
        let rows = self.rewriting().rows.clone();
        self.oracle.comes(&rows);
        self.work().await
    }

    async fn send_archive(&mut self) -> Check {
        let token = self.reader_token.clone();
        let archive = self.rewriting().archive.clone().unwrap_or_default();
        let form = json!({ "archive_bytes": archive.len(), "password": PASSWORD });
        let answer = self.rest(&token, "/import", &form).await;
        if self.is_refused(&answer) {
            return Ok(());
        }
        let call = Call {
            method: "PATCH",
            path: "/import?offset=0".to_owned(),
            token,
            headers: vec![("content-type", "application/octet-stream".to_owned())],
            body: archive,
        };
        let answer = self.backend.call(&call).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.backend.work(None).await;
        let import = self.own_get("/import").await;
        ensure!(
            import["state"] == "ready",
            I15,
            "an archive that was just written is turned down: {import}"
        );
        self.soon(OwnStep::Start);
        Ok(())
    }

    async fn start_import(&mut self) -> Check {
        let token = self.reader_token.clone();
        let answer = self.rest(&token, "/import/start", &json!({})).await;
        if self.is_refused(&answer) {
            return Ok(());
        }
        let rows = self.rewriting().rows.clone();
        self.oracle.comes(&rows);
        match self.rng.below(10) {
            0 | 1 => {
                let call = Call {
                    method: "DELETE",
                    ..get(&token, "/import".to_owned())
                };
                assert_eq!(self.backend.call(&call).await.status, 200);
                let before = work_in(&self.oracle.now().rows);
                self.backend.work(None).await;
                note!(self, "the import is stopped");
                self.rewriting = None;
                self.read_all().await?;
                self.oracle
                    .i15_has(&before, "after an import that was stopped")
            }
            2..=5 => {
                let before = work_in(&self.oracle.now().rows);
                let lost = self.backend.lose_piece().await;
                self.rewriting().lost = Some(lost);
                self.backend.work(None).await;
                self.is_closed = self.backend.is_closed().await;
                note!(
                    self,
                    "a process leaves the import to others; closed: {}",
                    self.is_closed
                );
                self.counts.interrupted += 1;
                self.at(IMPORT_LEASE_MS, Event::Own(OwnStep::GoOn));
                self.read_all().await?;
                self.oracle.i15_has(&before, "in the middle of an import")
            }
            _ => self.go_on_importing().await,
        }
    }

    async fn go_on_importing(&mut self) -> Check {
        let (before, plan) = (self.oracle.now().cursor, self.oracle.now().subscription());
        if let Some(lost) = self.rewriting().lost.take() {
            self.backend.find_piece(lost).await;
        }
        self.backend.work(None).await;
        let import = self.own_get("/import").await;
        note!(self, "the import is {}", import["state"]);
        if import["state"] == "writing" {
            // By a clock that went back it is somebody's yet.
            self.at(MINUTE_MS, Event::Own(OwnStep::GoOn));
            return Ok(());
        }
        self.is_closed = self.backend.is_closed().await;
        ensure!(
            import["state"] == "done" && !self.is_closed,
            I15,
            "an import that nothing is in the way of is not done: {import}"
        );
        self.counts.imported += 1;
        if self.is(Bug::ImportLeavesOut) {
            let lose = "DELETE FROM pet WHERE sitter_id = $1 AND id = (SELECT min(id) FROM pet WHERE sitter_id = $1)";
            self.backend.tamper(lose, &[]).await;
        }
        self.read_all().await?;
        self.tell_of_writes(before);
        ensure!(
            self.oracle.now().subscription() == plan,
            I15,
            "an import changed what is paid for"
        );
        self.came("an import")
    }
}
