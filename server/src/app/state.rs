//! Owns what every call has at hand: the database, the clock, the hasher, the limits, files and realtime events.

use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use walkies_core::{Id, Instant};

use crate::app::billing_settings::KnownPrices;
use crate::app::password::Passwords;
use crate::app::poison_commands::DefectCounts;
use crate::app::realtime::Realtime;
use crate::app::settings::Settings;
use crate::base::env::{Env, Uptime};
use crate::base::error::AppError;
use crate::db::{self, Db};
use crate::external::directions::Directions;
use crate::external::geocoder::Geocoder;
use crate::external::stripe::client::Stripe;
use crate::limits::bodies::Bodies;
use crate::limits::concurrency::{ConcurrencyLimit, ConcurrencyPermit};
use crate::limits::disk::Disk;
use crate::limits::long_writes::LongWrites;
use crate::limits::outgoing::{AnswerWriter, OutgoingAnswers, Taker};
use crate::limits::permits::{FairPermits, Permits};
use crate::limits::rate::Limiter;
use crate::limits::uploads::Uploads;
use crate::media::files::Files;
use crate::media::photo;
use crate::print::invoice::PrintedInvoices;

/// Each takes a core and up to 100 MB; those of phones take a tenth of a second, and the largest ones seconds.
const PHOTOS_AT_ONCE: usize = 1;
/// Their bytes are bounded by `Bodies`.
const PHOTOS_WAITING: usize = 64;
/// Looking through one takes up to 9 MB, for the table of its pictures.
const VIDEOS_AT_ONCE: usize = 2;

/// Each takes some milliseconds.
const TILES_AT_ONCE: usize = 2;
/// A second's work.
const TILES_WAITING: usize = 200;

/// Each takes a core for a tenth of a second, and the longest invoice one for seconds.
const PRINTS_AT_ONCE: usize = 1;
/// A second's work.
const PRINTS_WAITING: usize = 20;

/// Each takes a core for a tenth of a second at most.
const IMPORTS_AT_ONCE: usize = 1;
/// Seconds of work.
const IMPORTS_WAITING: usize = 20;

/// Each takes a core for milliseconds, of the database's or of ours, a connection, and up to 20 MB: half of the cores are
/// left to everybody else. Who waits holds nothing.
fn looks_at_once() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    (cores / 2).max(1)
}

/// A few phones of one account, each with photos on their way; a browser asks for six things at once.
const CALLS_AT_ONCE: usize = 8;
/// As many as a proxy passes on of one browser.
const CALLS_WAITING: usize = 100;
/// One is written while the next one is decided.
const COMMANDS_AT_ONCE: usize = 2;
/// Each holds the whole business in memory.
const RESETS_AT_ONCE: usize = 1;

/// Waiting taps on one invoice's payment button.
const CHECKOUTS_WAITING: usize = 10;

/// Archives that go out, each with a thread that mostly waits for whoever takes it in.
const EXPORTS_AT_ONCE: usize = 32;

/// Each holds a connection for as long as it takes to read a whole business; SQLite has as many as cores.
const SNAPSHOTS_AT_ONCE: usize = 1;

/// How long revisions have the same id.
const REVISION_ID_MS: i64 = 60 * 60 * 1000;

/// Leave to look at years of rows, until it is dropped.
#[derive(Debug)]
pub struct LookPermit {
    _own: ConcurrencyPermit,
    _of_all: OwnedSemaphorePermit,
}

/// Shared state that every call has access to; a clone refers to the same state.
#[derive(Clone, Debug)]
pub struct AppState(Arc<App>);

/// The state behind an `AppState`: one for each server.
#[derive(Debug)]
pub struct App {
    /// The pool of connections to the database.
    pub db: Db,
    /// Clock and randomness.
    pub env: Env,
    /// Settings that differ between real servers, tests and the simulation.
    pub settings: Settings,
    /// The storage for photos and other files.
    pub files: Files,
    /// The disk that the data is on.
    pub disk: Disk,
    /// Names this database to phones.
    pub backend_id: Id,
    /// The id of the revisions that are written now, and since when it is.
    revision_id: Mutex<(Instant, Id)>,
    /// Hashes and checks passwords, a few at once.
    pub passwords: Passwords,
    /// Rate limits that count in memory, such as of attempts at passwords.
    pub limiter: Limiter,
    /// Phones' commands that meet a defect.
    pub defects: DefectCounts,
    /// Cached prices of the plans.
    pub prices: KnownPrices,
    /// Told when a mail was put in the queue.
    pub mail_queued: Notify,
    /// Told when notifications were put in the queue.
    pub push_queued: Notify,
    /// Notified when an archive waits to be checked or written.
    pub import_queued: Notify,
    /// Told when a business waits to be cleared or restored.
    pub clearing_queued: Notify,
    /// Events for open apps.
    pub realtime: Realtime,
    /// The client of Stripe's API.
    pub stripe: Stripe,
    /// The client of the directions service for places outside the mapped area, where one is configured.
    pub directions: Option<Directions>,
    /// The client of the geocoder for addresses outside the mapped area, where one is configured.
    pub geocoder: Option<Geocoder>,
    /// Permits for decoding photos of a size that the app sends.
    photo_permits: FairPermits,
    /// Permits for decoding larger ones, beside which the others go on.
    large_photo_permits: FairPermits,
    /// Permits for looking through videos.
    pub video_permits: Semaphore,
    /// Permits for decompressing tiles of the map for callers that do not accept brotli.
    pub tile_permits: Permits,
    /// Permits for making PDFs.
    pub print_permits: FairPermits,
    /// PDFs of shared invoices.
    pub printed_invoices: PrintedInvoices,
    /// Permits for reading files of clients.
    pub import_permits: Permits,
    /// Permits for reading years of a business's rows, over all businesses; see `App::look`.
    look_permits: Arc<Semaphore>,
    /// The limit of one such read of a business at a time.
    looks: ConcurrencyLimit,
    /// Bodies that are being read or worked on.
    pub bodies: Bodies,
    /// Answers that are being taken in.
    pub outgoing: OutgoingAnswers,
    /// Photos that are being sent.
    pub uploads: Uploads,
    /// Calls of each account.
    pub calls: ConcurrencyLimit,
    /// Commands of each business.
    pub commands: ConcurrencyLimit,
    /// Queue of commands that write very many rows.
    pub long_writes: LongWrites,
    /// Checkout sessions that are being created, by invoice.
    pub checkouts: ConcurrencyLimit,
    /// Pulls of a whole business.
    pub resets: ConcurrencyLimit,
    /// Archives of each business.
    pub exports: ConcurrencyLimit,
    /// Permits for archives that go out.
    pub export_permits: Arc<Semaphore>,
    /// Permits for reading whole businesses for them.
    pub snapshot_permits: Semaphore,
}

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl AppState {
    /// For a database that is migrated.
    pub async fn new(db: Db, env: Env, settings: Settings, files: Files) -> anyhow::Result<Self> {
        let mut tx = db.write().await?;
        let backend_id = db::backend_id(&mut tx, env.id()).await?;
        tx.commit().await?;
        let realtime = Realtime::start(&db, env.id());
        Ok(Self(Arc::new(App {
            passwords: Passwords::new(settings.password_cost)?,
            stripe: Stripe::new(settings.stripe.clone()),
            directions: settings
                .directions
                .as_ref()
                .map(Directions::new)
                .transpose()?,
            geocoder: settings.geocoder.as_ref().map(Geocoder::new).transpose()?,
            long_writes: LongWrites::new(settings.long_write_rest),
            disk: Disk::new(settings.free_space.clone()),
            db,
            settings,
            files,
            backend_id,
            revision_id: Mutex::new((env.now(), env.id())),
            limiter: Limiter::default(),
            defects: DefectCounts::default(),
            prices: KnownPrices::default(),
            mail_queued: Notify::new(),
            push_queued: Notify::new(),
            import_queued: Notify::new(),
            clearing_queued: Notify::new(),
            realtime,
            photo_permits: FairPermits::new(PHOTOS_AT_ONCE, PHOTOS_WAITING),
            large_photo_permits: FairPermits::new(PHOTOS_AT_ONCE, PHOTOS_WAITING),
            video_permits: Semaphore::new(VIDEOS_AT_ONCE),
            tile_permits: Permits::new(TILES_AT_ONCE, TILES_WAITING),
            print_permits: FairPermits::new(PRINTS_AT_ONCE, PRINTS_WAITING),
            printed_invoices: PrintedInvoices::default(),
            import_permits: Permits::new(IMPORTS_AT_ONCE, IMPORTS_WAITING),
            look_permits: Arc::new(Semaphore::new(looks_at_once())),
            looks: ConcurrencyLimit::new(1, CALLS_WAITING),
            bodies: Bodies::default(),
            outgoing: OutgoingAnswers::default(),
            uploads: Uploads::default(),
            calls: ConcurrencyLimit::new(CALLS_AT_ONCE, CALLS_WAITING),
            commands: ConcurrencyLimit::new(COMMANDS_AT_ONCE, CALLS_WAITING),
            checkouts: ConcurrencyLimit::new(1, CHECKOUTS_WAITING),
            resets: ConcurrencyLimit::new(RESETS_AT_ONCE, CALLS_WAITING),
            exports: ConcurrencyLimit::new(1, 0),
            export_permits: Arc::new(Semaphore::new(EXPORTS_AT_ONCE)),
            snapshot_permits: Semaphore::new(SNAPSHOTS_AT_ONCE),
            env,
        })))
    }
}

impl App {
    /// Returns the current time by the server's clock.
    pub fn now(&self) -> Instant {
        self.env.now()
    }

    /// How long this process has run: what limits and ages of caches are counted by.
    pub fn uptime(&self) -> Uptime {
        self.env.uptime()
    }

    /// Returns the permits for decoding a photo, by the size that it says.
    pub fn photo_permits_for(&self, sent: &[u8]) -> &FairPermits {
        if photo::is_large(sent) {
            &self.large_photo_permits
        } else {
            &self.photo_permits
        }
    }

    /// Begins an answer for somebody.
    pub fn answer_writer(&self, taker: Taker) -> AnswerWriter {
        AnswerWriter::new(self.outgoing.clone(), self.files.clone(), taker)
    }

    /// Leave to look at years of a business's rows: one at a time of each business, a few of all.
    pub async fn look(&self, sitter_id: Id) -> Result<LookPermit, AppError> {
        let own = self.looks.acquire(sitter_id).await?;
        let permit = Arc::clone(&self.look_permits).acquire_owned().await;
        let of_all = permit.map_err(|it| AppError::Unavailable(it.into()))?;
        Ok(LookPermit {
            _own: own,
            _of_all: of_all,
        })
    }

    /// The id of the revisions that are written now. No two processes have the same one, nor one process for more than
    /// an hour, so that what comes after a backup was put back has another one.
    pub fn current_revision_id(&self) -> Id {
        let now = self.now();
        let mut current = self
            .revision_id
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (since, id) = *current;
        if (since.0..since.0 + REVISION_ID_MS).contains(&now.0) {
            return id;
        }
        *current = (now, self.env.id());
        current.1
    }
}
