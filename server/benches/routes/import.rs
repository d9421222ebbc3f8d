//! Owns the import that is measured, the very one of `walkies map import`, and what its tiles weigh part by part.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use walkies_core::addresses::AddressBook;
use walkies_core::map::{Drawing, Tile};
use walkies_server::app::settings::Settings;
use walkies_server::app::state::AppState;
use walkies_server::base::env::Env;
use walkies_server::db::{self, Db};
use walkies_server::map::maker::Options;
use walkies_server::map::{compress, decompress, import};
use walkies_server::media::files::{FileName, Files};

use crate::stats::peak_mb;

/// Heights for extracts that lie where there are some.
const ELEVATION: &str = "../shared/elevation";

/// Cost and result of an import. Sizes are bytes as a phone fetches them, compressed with brotli.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Import {
    pub extract_bytes: u64,
    pub seconds: f64,
    pub peak_mb: f64,
    pub n_tiles: u64,
    pub n_edges: u64,
    /// When the data was taken from OpenStreetMap, in seconds since 1970.
    pub data_at: i64,
    /// Bytes of tiles with nothing but the network.
    pub network_bytes: u64,
    /// Bytes that the names of its streets add.
    pub names_bytes: u64,
    /// Bytes that the single things add: benches, trees, water.
    pub spots_bytes: u64,
    /// Bytes that all that is only drawn adds.
    pub drawing_bytes: u64,
    /// Bytes that addresses add, with the names that only they use.
    pub addresses_bytes: u64,
    /// Milliseconds until 95 of 100 searches for an address had their answer, on all tiles.
    pub address_ms: f64,
}

/// Addresses that are searched, evenly among those of the area.
const SEARCHES: usize = 200;

/// Imports an extract, writes its tiles into `to/tiles` and what it took into `to/import.json`.
pub fn run(extract: &Path, to: &Path) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let data = tempfile::tempdir_in(to)?;
    let (mut facts, tiles) = runtime.block_on(imported(extract, data.path()))?;
    facts.address_ms = address_ms(&tiles);
    let folder = to.join("tiles");
    fs::create_dir_all(&folder)?;
    for tile in &tiles {
        weigh(tile, &mut facts)?;
        let name = format!("{}-{}.wktl", tile.id.x, tile.id.y);
        fs::write(folder.join(name), tile.encode())?;
    }
    fs::write(to.join("import.json"), serde_json::to_string(&facts)?)?;
    Ok(())
}

async fn imported(extract: &Path, data: &Path) -> Result<(Import, Vec<Tile>)> {
    let place = |name: &str| data.join(name).to_string_lossy().into_owned();
    let db = Db::open(&place("walkies.sqlite3"), 4).await?;
    db.migrate().await?;
    let files = Files::open(&place("files"))?;
    let app = AppState::new(db, Env::system(), Settings::default(), files).await?;
    let elevation = Some(Path::new(ELEVATION))
        .filter(|it| it.is_dir())
        .map(Path::to_owned);
    let options = Options {
        scratch: Some(data.to_owned()),
        elevation,
    };
    let clock = Instant::now();
    let (area, summary) = import(&app, "bench", extract, options, |_| {}).await?;
    let seconds = clock.elapsed().as_secs_f64();
    let facts = Import {
        extract_bytes: fs::metadata(extract)?.len(),
        seconds,
        peak_mb: peak_mb()?,
        n_tiles: summary.n_tiles,
        n_edges: summary.n_edges,
        data_at: summary.data_at,
        network_bytes: 0,
        names_bytes: 0,
        spots_bytes: 0,
        drawing_bytes: 0,
        addresses_bytes: 0,
        address_ms: 0.0,
    };
    let mut tx = app.db.read().await?;
    let mut ids = db::tiles_of_map_area(&mut tx, area.id).await?;
    tx.commit().await?;
    ids.sort_unstable();
    let mut tiles = Vec::new();
    for id in ids {
        let file = FileName::map_tile(area.id, id);
        let bytes = app.files.get(&file).await?.context("a tile's file")?;
        tiles.push(Tile::decode(&decompress(&bytes)?)?);
    }
    Ok((facts, tiles))
}

/// Adds a tile's sizes, found by leaving one part out after the other.
fn weigh(tile: &Tile, facts: &mut Import) -> Result<()> {
    let size = |tile: &Tile| anyhow::Ok(compress(&tile.encode())?.len() as u64);
    let mut tile = tile.clone();
    let with_addresses = size(&tile)?;
    tile.addresses = None;
    let labels = tile.drawing.labels.iter().map(|it| it.name);
    let edges = tile.network.edges.iter().filter_map(|it| it.name);
    let spots = tile.spots.iter().filter_map(|it| it.name);
    let used: Vec<u32> = labels.chain(edges).chain(spots).collect();
    for (index, name) in (0..).zip(&mut tile.names) {
        if !used.contains(&index) {
            name.clear();
        }
    }
    let whole = size(&tile)?;
    tile.drawing = Drawing::default();
    // Names of what is only drawn weigh as a part of it.
    let used: Vec<bool> = {
        let edges = tile.network.edges.iter().filter_map(|it| it.name);
        let mut used = vec![false; tile.names.len()];
        for name in edges.chain(tile.spots.iter().filter_map(|it| it.name)) {
            used[name as usize] = true;
        }
        used
    };
    for (name, used) in tile.names.iter_mut().zip(used) {
        if !used {
            name.clear();
        }
    }
    let undrawn = size(&tile)?;
    tile.spots.clear();
    let unspotted = size(&tile)?;
    tile.names.clear();
    for edge in &mut tile.network.edges {
        edge.name = None;
    }
    let network = size(&tile)?;
    facts.network_bytes += network;
    facts.names_bytes += unspotted.saturating_sub(network);
    facts.spots_bytes += undrawn.saturating_sub(unspotted);
    facts.addresses_bytes += with_addresses.saturating_sub(whole);
    facts.drawing_bytes += whole.saturating_sub(undrawn);
    Ok(())
}

/// Searches addresses of the area as somebody types them, once the tiles are read.
fn address_ms(tiles: &[Tile]) -> f64 {
    let mut book = AddressBook::default();
    let mut typed = Vec::new();
    for tile in tiles {
        book.add(tile);
        for street in tile.addresses.iter().flat_map(|it| &it.streets) {
            let name = &tile.names[street.name as usize];
            typed.extend(
                street
                    .houses
                    .iter()
                    .map(|it| format!("{} {name}", it.number)),
            );
        }
    }
    // Makes the index.
    book.find("", None);
    let step = typed.len().div_ceil(SEARCHES).max(1);
    let mut times: Vec<f64> = typed
        .iter()
        .step_by(step)
        .map(|it| {
            let clock = Instant::now();
            std::hint::black_box(book.find(it, None));
            clock.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() * 95 / 100).copied().unwrap_or(0.0)
}
