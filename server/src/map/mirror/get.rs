//! Owns the way of a mirror's region into the map: found, downloaded, compared, imported; and its update, which does
//! nothing while the mirror has the same extract.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use rustix::fs::{FlockOperation, flock};

use super::download::{Download, DownloadBounds};
use super::index::{Index, Region};
use crate::app::state::App;
use crate::base::log::redacted_chain;
use crate::db::{self, MapArea, MapSource};
use crate::external::map_mirror::MapMirror;
use crate::map::area::{check_import, import_from};
use crate::map::maker::{Options, Progress, Summary};

/// The index of Geofabrik has a seventh of it.
const MAX_INDEX_BYTES: usize = 32 * 1024 * 1024;

/// A mirror, and the place and bounds of what is downloaded from it.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// Client of the mirror.
    pub client: MapMirror,
    /// Bounds of a download.
    pub bounds: DownloadBounds,
    /// The folder for extracts until they are imported, and for the import's temporary files.
    pub folder: PathBuf,
    /// A folder with heights, as for `Options`.
    pub elevation: Option<PathBuf>,
}

/// Step of bringing a region, for the operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A sentence for the operator.
    Note(String),
    /// Bytes of the extract that are here, and of how many if the mirror says so.
    Downloading(u64, Option<u64>),
    /// The import, as it tells it.
    Importing(Progress),
}

/// Outcome of bringing a region.
#[derive(Clone, Debug)]
pub enum Got {
    /// The area is new, or newer than before.
    Imported(MapArea, Summary),
    /// The area was made from the same extract.
    Unchanged(MapArea),
}

/// Finds a region by its name or a place in it, downloads its extract and imports it, unless the map was made from the same
/// extract. Without a `name` the area has that of the region.
pub async fn get(
    app: &App,
    mirror: &Mirror,
    query: &str,
    name: Option<&str>,
    tell: impl Fn(Step) + Clone + Send + Sync + 'static,
) -> anyhow::Result<Got> {
    let index = index(mirror).await?;
    let found = index.find(query)?;
    if let Some(place) = &found.place {
        let region = &found.region.name;
        tell(Step::Note(format!("{place} lies in {region}.")));
    }
    let areas = areas(app).await?;
    let id = found.region.id.as_str();
    let known = areas.iter().find(|it| region_of(it) == Some(id));
    let is_taken = areas
        .iter()
        .any(|it| it.name == found.region.name && region_of(it).is_some_and(|it| it != id));
    let name = match (name, known) {
        (Some(name), _) => name.to_owned(),
        (None, Some(known)) => known.name.clone(),
        // Two regions of one name are two areas.
        (None, None) if is_taken => format!("{} ({})", found.region.name, found.region.id),
        (None, None) => found.region.name.clone(),
    };
    let known = areas.iter().find(|it| it.name == name);
    bring(app, mirror, found.region, &name, known, tell).await
}

/// Asks the mirror for newer extracts of the areas that came from it, or of the one of this name, and imports them. Each
/// area is named with its own outcome.
pub async fn update(
    app: &App,
    mirror: &Mirror,
    only: Option<&str>,
    tell: impl Fn(Step) + Clone + Send + Sync + 'static,
) -> anyhow::Result<Vec<(String, anyhow::Result<Got>)>> {
    let areas: Vec<MapArea> = areas(app)
        .await?
        .into_iter()
        .filter(|it| only.is_none_or(|only| it.name == only))
        .collect();
    if let (Some(only), []) = (only, areas.as_slice()) {
        bail!("there is no area `{only}`; `walkies map list` names those that there are");
    }
    if areas.iter().all(|it| it.source.is_none()) {
        return Ok(Vec::new());
    }
    let index = index(mirror).await?;
    let mut updated = Vec::new();
    for area in areas {
        let Some(source) = &area.source else { continue };
        let outcome = match index.region(&source.region) {
            Some(region) => {
                let known = Some(&area);
                bring(app, mirror, region, &area.name, known, tell.clone()).await
            }
            None => Err(anyhow!(
                "the mirror has no region `{}` any more",
                source.region
            )),
        };
        updated.push((area.name, outcome));
    }
    Ok(updated)
}

fn region_of(area: &MapArea) -> Option<&str> {
    area.source.as_ref().map(|it| it.region.as_str())
}

async fn areas(app: &App) -> sqlx::Result<Vec<MapArea>> {
    let mut tx = app.db.read().await?;
    let areas = db::map_areas(&mut tx).await?;
    tx.commit().await?;
    Ok(areas)
}

async fn index(mirror: &Mirror) -> anyhow::Result<Index> {
    let url = mirror.client.url("index-v1.json");
    let url = url.context("the mirror's address leads nowhere")?;
    let json = mirror.client.read(&url, MAX_INDEX_BYTES).await;
    let json = json.context("the mirror's list of regions")?;
    Index::read(&json).with_context(|| format!("{url} is no index of OpenStreetMap extracts"))
}

/// Takes the folder for this process until the file is closed, and removes what a killed import has left there.
fn lock(folder: &Path) -> anyhow::Result<File> {
    fs::create_dir_all(folder)?;
    let file = File::create(folder.join("lock"))?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| anyhow!("another process is downloading a map; try again when it is done"))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(file)
}

async fn bring(
    app: &App,
    mirror: &Mirror,
    region: &Region,
    name: &str,
    known: Option<&MapArea>,
    tell: impl Fn(Step) + Clone + Send + Sync + 'static,
) -> anyhow::Result<Got> {
    check_import(app, name)?;
    let url = mirror.client.url(&region.extract);
    let url = url.with_context(|| format!("`{}` is no address of an extract", region.extract))?;
    let download = Download {
        mirror: &mirror.client,
        url: &url,
        folder: &mirror.folder,
        disk: &app.disk,
        bounds: mirror.bounds,
    };
    let md5 = download.checksum().await?;
    let source = MapSource {
        region: region.id.clone(),
        md5,
    };
    if let Some(area) = known.filter(|it| it.source.as_ref() == Some(&source)) {
        return Ok(Got::Unchanged(area.clone()));
    }
    let _lock = lock(&mirror.folder).with_context(|| mirror.folder.display().to_string())?;
    let mut progress = |done, total| tell(Step::Downloading(done, total));
    let file = download.run(&source.md5, &mut progress).await?;
    let options = Options {
        scratch: Some(mirror.folder.clone()),
        elevation: mirror.elevation.clone(),
    };
    let importing = tell.clone();
    let progress = move |it| importing(Step::Importing(it));
    let md5 = source.md5.clone();
    let imported = import_from(app, name, &file, Some(source), options, progress).await;
    // An extract that cannot be imported is of no more use than one that was.
    if let Err(error) = download.remove(&md5) {
        let error = redacted_chain(&error.into());
        tracing::warn!(error, "cannot remove a downloaded extract");
    }
    let (area, summary) = imported?;
    Ok(Got::Imported(area, summary))
}
