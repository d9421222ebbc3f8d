//! Owns the life of an area: imported beside the one that it replaces, shown at once and whole, removed with its files.
//!
//! The rows of tiles are written before their files, and deleted after them: so no file is ever without a row, and what
//! a killed process leaves is found. An area that was shown stays as it is until it is removed.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, anyhow, bail, ensure};
use axum::body::Bytes;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, spawn_blocking};
use walkies_core::map::{Point, Tile, TileId};
use walkies_core::{Id, Instant};

use super::maker::{self, Options, Progress, Summary};
use super::tile::{checksum, compress};
use crate::app::state::App;
use crate::base::log::redacted_chain;
use crate::db::{self, Bounds, MapArea, MapSource, MapTile};
use crate::media::files::{FileName, Files};

/// Tiles that are stored together. Some hundred kilobytes each: a few megabytes, and as many again that wait.
const BATCH: usize = 16;

/// An import that has stored nothing for so long was killed. No single batch takes longer, however slow the storage.
const LEASE_MS: i64 = 60 * 60 * 1000;

const MAX_NAME_CHARS: usize = 100;

/// Imports an extract as the area of this name, in place of the one that had it; also says what was in the extract.
pub async fn import(
    app: &App,
    name: &str,
    file: &Path,
    options: Options,
    progress: impl FnMut(Progress) + Send + 'static,
) -> anyhow::Result<(MapArea, Summary)> {
    import_from(app, name, file, None, options, progress).await
}

/// Imports an extract that comes from a mirror, if `source` names it.
pub async fn import_from(
    app: &App,
    name: &str,
    file: &Path,
    source: Option<MapSource>,
    options: Options,
    mut progress: impl FnMut(Progress) + Send + 'static,
) -> anyhow::Result<(MapArea, Summary)> {
    check_import(app, name)?;
    // Whoever imports an area again does not wait for the import that was killed, nor for one that hangs.
    let mut tx = app.db.write().await?;
    db::abandon_map_areas(&mut tx, name, app.now()).await?;
    tx.commit().await?;
    clean_up(app).await?;
    let (sender, tiles) = mpsc::channel(BATCH);
    let file = file.to_owned();
    let making = spawn_blocking(move || {
        let mut sink = |tile: Tile| {
            let sent = sender.blocking_send(EncodedTile::of(&tile));
            sent.map_err(|_| anyhow!("the storage has given up"))
        };
        maker::import(&file, &options, &mut progress, &mut sink)
    });
    let mut import = AreaImport::new(app, name);
    let stored = import.store_all(tiles).await;
    let made = making.await.context("the import broke off")?;
    let shown = match (stored, made) {
        (Ok(()), Ok(summary)) => {
            let area = import.show(summary.data_at, source).await;
            area.map(|it| (it, summary))
        }
        // The import then only says that its tiles were not taken.
        (Err(error), _) => Err(error),
        (Ok(()), Err(error)) => Err(error.into()),
    };
    if shown.is_err() {
        import.abandon().await;
    }
    // What was replaced is out of sight already; what is left of it is tried again every hour.
    if let Err(error) = clean_up(app).await {
        tracing::warn!(
            error = redacted_chain(&error),
            "the files of an older map could not be removed"
        );
    }
    shown
}

/// Refuses an import that could not be stored, before any work is done for it.
pub fn check_import(app: &App, name: &str) -> anyhow::Result<()> {
    ensure!(
        app.files.is_configured(),
        "this server keeps no files (--files none), and a map is made of files"
    );
    let is_name = !name.trim().is_empty()
        && name.chars().count() <= MAX_NAME_CHARS
        && !name.chars().any(char::is_control);
    ensure!(
        is_name,
        "`{name}` is no name for an area: it has 1 to {MAX_NAME_CHARS} characters"
    );
    Ok(())
}

/// Removes the area of this name or id.
pub async fn remove(app: &App, which: &str) -> anyhow::Result<MapArea> {
    let mut tx = app.db.write().await?;
    let areas = db::map_areas(&mut tx).await?;
    let area = areas
        .into_iter()
        .find(|it| it.name == which || it.id.to_string() == which);
    let Some(area) = area else {
        tx.rollback().await?;
        bail!("there is no area `{which}`; `walkies map list` names those that there are");
    };
    db::hide_map_area(&mut tx, area.id, app.now()).await?;
    tx.commit().await?;
    clean_up(app).await?;
    Ok(area)
}

/// Removes what was replaced or taken away, and what killed imports have left.
pub async fn clean_up(app: &App) -> anyhow::Result<()> {
    if !app.files.is_configured() {
        return Ok(());
    }
    let mut tx = app.db.read().await?;
    let ids = db::removable_map_areas(&mut tx, app.now()).await?;
    tx.commit().await?;
    for id in ids {
        let mut tx = app.db.read().await?;
        let tiles = db::tiles_of_map_area(&mut tx, id).await?;
        tx.commit().await?;
        delete_files(app, id, &tiles).await?;
        let mut tx = app.db.write().await?;
        db::delete_map_area(&mut tx, id).await?;
        tx.commit().await?;
        tracing::info!(%id, n_tiles = tiles.len(), "removed an area of the map");
    }
    Ok(())
}

async fn delete_files(app: &App, area_id: Id, tiles: &[TileId]) -> anyhow::Result<()> {
    for tiles in tiles.chunks(BATCH) {
        let deletions = tiles.iter().map(|tile| {
            let (files, name) = (app.files.clone(), FileName::map_tile(area_id, *tile));
            async move { files.delete(&name).await }
        });
        join_all(deletions).await?;
    }
    let rest = app.files.delete_rest_of_map(area_id).await;
    rest.context("the files' storage")
}

/// Does them all at the same time and waits for all of them, also when one fails: none goes on behind one's back.
async fn join_all<F>(work: impl Iterator<Item = F>) -> anyhow::Result<()>
where
    F: Future<Output = Result<(), object_store::Error>> + Send + 'static,
{
    let mut running: JoinSet<_> = work.collect();
    let mut outcome = Ok(());
    while let Some(done) = running.join_next().await {
        let done = done.map_err(anyhow::Error::from);
        let done = done.and_then(|it| it.context("the files' storage"));
        outcome = outcome.and(done);
    }
    outcome
}

/// A tile as its importer hands it over.
struct EncodedTile {
    id: TileId,
    bytes: Vec<u8>,
    extent: Option<Extent>,
}

impl EncodedTile {
    fn of(tile: &Tile) -> Self {
        let extents = tile.network.nodes.iter().map(|it| Extent(it.at, it.at));
        Self {
            id: tile.id,
            bytes: tile.encode(),
            extent: extents.reduce(Extent::with),
        }
    }
}

/// From the north-west corner to the south-east one.
#[derive(Clone, Copy)]
struct Extent(Point, Point);

impl Extent {
    fn with(self, other: Self) -> Self {
        let corner = |first: Point, second: Point, pick: fn(u32, u32) -> u32| Point {
            x: pick(first.x, second.x),
            y: pick(first.y, second.y),
        };
        Self(
            corner(self.0, other.0, u32::min),
            corner(self.1, other.1, u32::max),
        )
    }

    fn bounds(self) -> Bounds {
        let (north_west, south_east) = (self.0.place(), self.1.place());
        Bounds {
            west_e7: north_west.lon_e7,
            south_e7: south_east.lat_e7,
            east_e7: south_east.lon_e7,
            north_e7: north_west.lat_e7,
        }
    }
}

/// An area whose tiles arrive.
struct AreaImport<'a> {
    app: &'a App,
    id: Id,
    name: &'a str,
    has_begun: bool,
    extent: Option<Extent>,
    tiles: Vec<TileId>,
    size_bytes: u64,
}

impl<'a> AreaImport<'a> {
    fn new(app: &'a App, name: &'a str) -> Self {
        Self {
            app,
            id: app.env.id(),
            name,
            has_begun: false,
            extent: None,
            tiles: Vec::new(),
            size_bytes: 0,
        }
    }

    /// Takes the channel, so that a failure here ends the import at its next tile.
    async fn store_all(&mut self, mut tiles: mpsc::Receiver<EncodedTile>) -> anyhow::Result<()> {
        let mut batch = Vec::with_capacity(BATCH);
        while 0 < tiles.recv_many(&mut batch, BATCH).await {
            self.store(std::mem::take(&mut batch)).await?;
        }
        Ok(())
    }

    async fn store(&mut self, batch: Vec<EncodedTile>) -> anyhow::Result<()> {
        let extents = batch.iter().filter_map(|it| it.extent);
        self.extent = extents.chain(self.extent).reduce(Extent::with);
        let compressed = spawn_blocking(move || compress_all(&batch)).await??;

        let lease_until = self.lease_until();
        let mut tx = self.app.db.write().await?;
        if self.has_begun {
            let is_there = db::postpone_map_area(&mut tx, self.id, lease_until).await?;
            ensure!(is_there, LEASE_LOST);
        } else {
            db::insert_map_area(&mut tx, self.id, self.name, lease_until).await?;
        }
        for (tile, _) in &compressed {
            db::insert_map_tile(&mut tx, self.id, tile).await?;
            self.tiles.push(tile.id);
            self.size_bytes += tile.size_bytes;
        }
        tx.commit().await?;
        self.has_begun = true;

        let area_id = self.id;
        let files = compressed.into_iter().map(|(tile, bytes)| {
            let files: Files = self.app.files.clone();
            async move {
                let name = FileName::map_tile(area_id, tile.id);
                files.put(&name, bytes).await
            }
        });
        join_all(files).await
    }

    fn lease_until(&self) -> Instant {
        Instant(self.app.now().0 + LEASE_MS)
    }

    /// Shows the area in place of the older one.
    async fn show(&self, data_at_s: i64, source: Option<MapSource>) -> anyhow::Result<MapArea> {
        let extent = self.extent.context("there is nothing to walk on in it")?;
        let area = MapArea {
            id: self.id,
            name: self.name.to_owned(),
            bounds: extent.bounds(),
            data_at: (0 < data_at_s).then(|| Instant(data_at_s.saturating_mul(1000))),
            imported_at: self.app.now(),
            n_tiles: self.tiles.len() as u64,
            size_bytes: self.size_bytes,
            source,
        };
        let mut tx = self.app.db.write().await?;
        let is_there = db::show_map_area(&mut tx, &area).await?;
        ensure!(is_there, LEASE_LOST);
        tx.commit().await?;
        Ok(area)
    }

    /// Leaves what is there to be removed, now and not in an hour.
    async fn abandon(&self) {
        if !self.has_begun {
            return;
        }
        let abandoned = async {
            let mut tx = self.app.db.write().await?;
            let is_there = db::postpone_map_area(&mut tx, self.id, self.app.now()).await?;
            tx.commit().await?;
            // Whoever removed the rows may have done so while the last files were on their way.
            if !is_there {
                delete_files(self.app, self.id, &self.tiles).await?;
            }
            anyhow::Ok(())
        };
        if let Err(error) = abandoned.await {
            tracing::warn!(
                error = redacted_chain(&error),
                "what an import has left is removed later"
            );
        }
    }
}

const LEASE_LOST: &str = "its tiles were removed, because the same import was started again or this one stood still; \
    please start it again";

/// On all cores.
fn compress_all(batch: &[EncodedTile]) -> anyhow::Result<Vec<(MapTile, Bytes)>> {
    let n_cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = batch.len().div_ceil(n_cores).max(1);
    thread::scope(|scope| {
        let shares = batch.chunks(share);
        let threads: Vec<_> = shares
            .map(|tiles| scope.spawn(|| tiles.iter().map(compressed).collect::<Vec<_>>()))
            .collect();
        let mut all = Vec::with_capacity(batch.len());
        for thread in threads {
            let tiles = thread
                .join()
                .map_err(|_| anyhow!("compressing broke off"))?;
            for tile in tiles {
                all.push(tile?);
            }
        }
        Ok(all)
    })
}

fn compressed(tile: &EncodedTile) -> anyhow::Result<(MapTile, Bytes)> {
    let bytes = compress(&tile.bytes)?;
    let row = MapTile {
        id: tile.id,
        checksum: checksum(&tile.bytes),
        size_bytes: u64::try_from(bytes.len())?,
    };
    Ok((row, bytes.into()))
}
