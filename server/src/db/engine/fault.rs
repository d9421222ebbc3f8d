//! Owns the place where the simulation lets the database fail: on the way to it and on the way back, at any statement
//! and at any commit. A server that nobody simulates pays one look at a thread's variable for it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use sqlx::error::{DatabaseError, ErrorKind};

/// A moment on a call's way to the database and back at which a fault can be injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A statement is about to go there.
    Statement,
    /// The answer to a statement is about to come back.
    Answer,
    /// The commit is about to go there.
    Commit,
    /// The commit is done, which is about to be reported.
    Committed,
}

/// A fault that is injected at such a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection is lost.
    Lost,
    /// Another transaction was faster: Postgres's serialization failure.
    Conflict,
    /// A defect: the database rejects the statement.
    Broken,
    /// The process ends: the call goes on no more.
    Ended,
}

/// Says what happens to a call.
pub trait Faults: Send + Sync {
    /// Returns the fault to inject at this moment; `None` if the call goes on.
    fn fault_at(&self, moment: Moment) -> Option<Fault>;
}

tokio::task_local! {
    static FAULTS: Arc<dyn Faults>;
}

/// Does `work` on a database that fails as `faults` says.
pub async fn with_faults<T>(faults: Arc<dyn Faults>, work: impl Future<Output = T>) -> T {
    FAULTS.scope(faults, work).await
}

/// Goes through a moment at which the database may fail.
pub(super) async fn inject_fault(moment: Moment) -> sqlx::Result<()> {
    let fault = FAULTS.try_with(|it| it.fault_at(moment)).ok().flatten();
    match fault {
        None => Ok(()),
        Some(Fault::Lost) => Err(sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into())),
        Some(Fault::Conflict) => Err(sqlx::Error::Database(Box::new(Conflict))),
        Some(Fault::Broken) => Err(sqlx::Error::ColumnNotFound("a column".to_owned())),
        Some(Fault::Ended) => std::future::pending().await,
    }
}

/// As Postgres says it.
#[derive(Debug)]
struct Conflict;

impl fmt::Display for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Conflict {}

impl DatabaseError for Conflict {
    fn message(&self) -> &'static str {
        "could not serialize access due to concurrent update"
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("40001"))
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }

    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }
}
