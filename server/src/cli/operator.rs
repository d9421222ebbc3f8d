//! Owns what an operator does beside serving: bringing the schema up to date, the demo business, the API's document,
//! backups, a lost password, notifications, the map.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, bail};
use walkies_core::api::Role;
use walkies_core::rules::account::check_email;
use walkies_core::{FieldErrors, Instant};

use crate::api::router;
use crate::app::password::HashQueue;
use crate::app::push_keys;
use crate::app::settings::Settings;
use crate::app::state::AppState;
use crate::base::env::{Env, sha256};
use crate::cli::config::{DataArgs, MirrorArgs};
use crate::cli::demo;
use crate::db::{self, Db, Invitation, MapArea};
use crate::map::maker::{Options, Summary, Warnings};
use crate::map::mirror::{self, Got, Step};
use crate::map::{self, ProgressReport};

/// Steps by which an update of the map steps back behind a server's calls, as nice(2) counts them.
const STEPS_BACK: i32 = 10;

async fn open(data: &DataArgs) -> anyhow::Result<AppState> {
    let db = data.open_db().await?;
    db.migrate()
        .await
        .context("the database cannot be brought up to date")?;
    AppState::new(db, Env::system(), Settings::default(), data.open_files()?).await
}

/// Brings the database up to date.
pub async fn migrate(data: &DataArgs) -> anyhow::Result<()> {
    let db = data.open_db().await?;
    db.migrate()
        .await
        .context("the database cannot be brought up to date")?;
    db.close().await;
    println!("The database is up to date.");
    Ok(())
}

/// Makes the demo business.
pub async fn demo(data: &DataArgs) -> anyhow::Result<()> {
    let state = open(data).await?;
    demo::create(&state, &demo::BALTIMORE).await?;
    demo::import_map(&state, &demo::BALTIMORE).await?;
    println!("{}", demo::sign_ins(&state.settings.public_url));
    state.db.close().await;
    Ok(())
}

/// Prints the API's document.
pub async fn openapi() -> anyhow::Result<()> {
    println!("{}", serde_json::to_string_pretty(&router::document())?);
    Ok(())
}

/// Copies a SQLite database while it is in use.
pub async fn backup(data: &DataArgs, file: &Path) -> anyhow::Result<()> {
    let db = data.open_db().await?;
    let Db::Sqlite { writer, .. } = &db else {
        bail!(
            "the data is in Postgres: `pg_dump --format=custom --file={} \"$DATABASE_URL\"` copies it while it is \
             in use, and `pg_restore` brings it back",
            file.display()
        );
    };
    let Some(name) = file.to_str() else {
        bail!("the name of the file is no text")
    };
    if file.exists() {
        bail!("`{name}` exists already");
    }
    sqlx::query("VACUUM INTO $1")
        .bind(name)
        .execute(writer)
        .await
        .context("the copy could not be written")?;
    db.close().await;
    println!("Wrote {name}.");
    Ok(())
}

/// Moves all rows of a SQLite database to an empty PostgreSQL.
pub async fn move_to(data: &DataArgs, to: &str) -> anyhow::Result<()> {
    let source = data.open_db().await?;
    if !matches!(source, Db::Sqlite { .. }) {
        bail!(
            "the data is in PostgreSQL already: --database (DATABASE_URL) names the SQLite file to move"
        );
    }
    if !to.starts_with("postgres://") && !to.starts_with("postgresql://") {
        bail!("--to begins with postgres://");
    }
    let target = Db::open(to, data.database_connections)
        .await
        .context("--to cannot be opened")?;
    for db in [&source, &target] {
        db.migrate()
            .await
            .context("the database cannot be brought up to date")?;
    }
    let tables = db::move_rows(&source, &target, |it| {
        println!("{}: {} rows, {}", it.name, it.n_rows, it.digest);
    })
    .await?;
    source.close().await;
    target.close().await;
    let n_rows: u64 = tables.iter().map(|it| it.n_rows).sum();
    println!(
        "Moved and compared {n_rows} rows of {} tables. Start the server with DATABASE_URL and the same data folder.",
        tables.len()
    );
    Ok(())
}

/// Gives a restored database another id, so that phones pull everything and send again what it does not know.
pub async fn restored(data: &DataArgs) -> anyhow::Result<()> {
    let state = open(data).await?;
    let mut tx = state.db.write().await?;
    db::set_backend_id(&mut tx, state.env.id()).await?;
    tx.commit().await?;
    state.db.close().await;
    println!("The phones will start over with this database and keep what they have not sent.");
    Ok(())
}

/// Sets a new random password.
pub async fn reset_password(data: &DataArgs, email: &str) -> anyhow::Result<()> {
    let state = open(data).await?;
    let email = email.trim().to_lowercase();
    // 16 of the 43 characters of a token are 96 bits: out of reach, and still possible to type.
    let password: String = state.env.token().chars().take(16).collect();
    let password_hash = state
        .passwords
        .hash(password.clone(), HashQueue::Stranger("the operator"))
        .await
        .map_err(|it| anyhow::anyhow!("the password: {it:?}"))?;
    let mut tx = state.db.write().await?;
    let Some(account) = db::account_by_email(&mut tx, &email).await? else {
        bail!("nobody signs in as `{email}`");
    };
    db::set_password(&mut tx, account.id, &password_hash, None).await?;
    tx.commit().await?;
    state.db.close().await;
    println!("The new password of {email} is {password}");
    Ok(())
}

/// Removes all second factors of somebody.
pub async fn remove_factors(data: &DataArgs, email: &str) -> anyhow::Result<()> {
    let state = open(data).await?;
    let email = email.trim().to_lowercase();
    let mut tx = state.db.write().await?;
    let Some(account) = db::account_by_email(&mut tx, &email).await? else {
        bail!("nobody signs in as `{email}`");
    };
    db::delete_factors(&mut tx, account.id).await?;
    tx.commit().await?;
    state.db.close().await;
    println!("{email} signs in with the password alone now.");
    Ok(())
}

/// An invitation is good for so long.
const INVITATION_DAYS: i64 = 14;
/// So many may be out at once.
const MAX_INVITATIONS: i64 = 1_000;

/// Prints a link for a sign-up.
pub async fn invite(data: &DataArgs, email: Option<&str>, public_url: &str) -> anyhow::Result<()> {
    let state = open(data).await?;
    let email = email.map(|it| it.trim().to_lowercase());
    let now = state.now();
    let mut tx = state.db.write().await?;
    if let Some(email) = &email {
        let mut errors = FieldErrors::default();
        check_email(&mut errors, email);
        if let Some(wrong) = errors.first() {
            bail!("`{email}`: {wrong}");
        }
        let known = db::account_by_email(&mut tx, email).await?;
        // A pet parent starts a business by it.
        if known.is_some_and(|it| it.roles.contains(&Role::Sitter)) {
            bail!("`{email}` has an account already");
        }
    }
    if MAX_INVITATIONS <= db::count_invitations(&mut tx, now).await? {
        bail!("{MAX_INVITATIONS} invitations are out; they are good for {INVITATION_DAYS} days");
    }
    let token = state.env.token();
    let until = Instant(now.0 + INVITATION_DAYS * 24 * 60 * 60 * 1000);
    let invitation = Invitation { email };
    db::insert_invitation(&mut tx, &sha256(token.as_bytes()), &invitation, until).await?;
    tx.commit().await?;
    state.db.close().await;
    println!("{public_url}/sitters/join?invitation={token}");
    Ok(())
}

/// So many failures are printed.
const FAILURES_SHOWN: u32 = 100;

/// Prints how many phones are told, and what could not be delivered.
pub async fn list_push(data: &DataArgs) -> anyhow::Result<()> {
    let state = open(data).await?;
    let mut tx = state.db.read().await?;
    let (phones, waiting) = db::count_push(&mut tx).await?;
    let failures = db::push_failures(&mut tx, FAILURES_SHOWN).await?;
    tx.commit().await?;
    state.db.close().await;
    println!("Phones that are told: {phones}. Notifications that wait: {waiting}.");
    if failures.is_empty() {
        println!("None was given up in the last 30 days.");
    }
    for (email, failure) in failures {
        let kind = serde_json::to_value(failure.kind)?;
        println!(
            "{}  {email}  {}  {} (tried {} times, {})",
            failure.failed_at,
            kind.as_str().unwrap_or_default(),
            failure.error,
            failure.attempts,
            failure.host
        );
    }
    Ok(())
}

/// Makes new keys for push; old ones are forgotten where they are in wrong hands.
pub async fn rotate_push_keys(data: &DataArgs, revoke: bool) -> anyhow::Result<()> {
    let state = open(data).await?;
    let mut tx = state.db.write().await?;
    let key = push_keys::replace(&state, &mut tx)
        .await
        .map_err(|it| anyhow::anyhow!("the keys: {it:?}"))?;
    if revoke {
        db::delete_push_keys(&mut tx, &key.public_key).await?;
    }
    tx.commit().await?;
    state.db.close().await;
    println!(
        "Phones take the new key when they next open the app: {}",
        key.public_key
    );
    Ok(())
}

/// Imports an extract of OpenStreetMap.
pub async fn import_map(
    data: &DataArgs,
    file: &Path,
    name: Option<&str>,
    elevation: Option<&Path>,
) -> anyhow::Result<()> {
    let state = open(data).await?;
    let file_name = file.file_name().unwrap_or_default().to_string_lossy();
    let short = file_name.strip_suffix(".osm.pbf").unwrap_or(&file_name);
    let options = Options {
        // There is room in the data folder, and the system's folder for such files is memory on many machines.
        scratch: Some(data.data.clone()),
        elevation: elevation.map(Path::to_owned),
    };
    let begun = std::time::Instant::now();
    let mut report = ProgressReport::default();
    let progress = move |it| report.tell(it);
    let (area, Summary { warnings, .. }) =
        map::import(&state, name.unwrap_or(short), file, options, progress).await?;
    state.db.close().await;
    println!(
        "Imported {} in {:.1} s.",
        describe(&area),
        begun.elapsed().as_secs_f64()
    );
    for warning in told(&warnings) {
        println!("{warning}");
    }
    Ok(())
}

/// Opens what is needed to bring a map from a mirror, with the disk whose reserve is kept free.
async fn open_for_download(data: &DataArgs) -> anyhow::Result<AppState> {
    let db = data.open_db().await?;
    db.migrate()
        .await
        .context("the database cannot be brought up to date")?;
    let settings = Settings {
        free_space: Some(Arc::new(data.disks())),
        ..Settings::default()
    };
    AppState::new(db, Env::system(), settings, data.open_files()?).await
}

/// Prints each step as it comes.
fn teller() -> impl Fn(Step) + Clone + Send + Sync + 'static {
    let report = Arc::new(Mutex::new(ProgressReport::default()));
    move |step| {
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        report.tell_step(step);
    }
}

/// Downloads a region of a mirror and imports it.
pub async fn get_map(
    data: &DataArgs,
    mirror: &MirrorArgs,
    region: &str,
    name: Option<&str>,
) -> anyhow::Result<()> {
    let state = open_for_download(data).await?;
    let mirror = mirror.open(data)?;
    let got = mirror::get(&state, &mirror, region, name, teller()).await?;
    state.db.close().await;
    print_got(&got);
    Ok(())
}

/// Imports the extracts of a mirror that are newer than the areas that came from it.
pub async fn update_maps(
    data: &DataArgs,
    mirror: &MirrorArgs,
    area: Option<&str>,
) -> anyhow::Result<()> {
    // Calls of the server on the same machine go first. Where it may not step back, it works all the same.
    let _ = rustix::process::nice(STEPS_BACK);
    let state = open_for_download(data).await?;
    let mirror = mirror.open(data)?;
    // A log needs no line for each second of it.
    let is_terminal = std::io::stderr().is_terminal();
    let tell = teller();
    let tell = move |step| {
        if is_terminal {
            tell(step);
        }
    };
    let updated = mirror::update(&state, &mirror, area, tell).await?;
    state.db.close().await;
    if updated.is_empty() {
        println!("No area came from a mirror: `walkies map get REGION` brings one.");
    }
    let mut failed = Vec::new();
    for (name, outcome) in &updated {
        match outcome {
            Ok(got) => print_got(got),
            Err(error) => failed.push(format!("{name}: {error:#}")),
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("{}", failed.join("; "))
    }
}

fn print_got(got: &Got) {
    match got {
        Got::Unchanged(area) => println!(
            "{} is what the mirror has; nothing was downloaded.",
            describe(area)
        ),
        Got::Imported(area, summary) => {
            println!("Imported {}.", describe(area));
            for warning in told(&summary.warnings) {
                println!("{warning}");
            }
        }
    }
}

/// Lists the warnings about broken parts of an extract, as an operator reads them.
fn told(warnings: &Warnings) -> Vec<String> {
    let all = [
        (
            warnings.ways_cut,
            "way lacks some of its points, as those at an extract's border do",
            "ways lack some of their points, as those at an extract's border do",
        ),
        (
            warnings.areas_open,
            "area lacks a part of its border and is not drawn",
            "areas lack a part of their border and are not drawn",
        ),
        (
            warnings.nodes_off_the_map,
            "point lies nowhere on earth and was left out",
            "points lie nowhere on earth and were left out",
        ),
        (
            warnings.heights_unreadable,
            "file of heights could not be read",
            "files of heights could not be read",
        ),
        (
            warnings.heights_missing,
            "file of heights is missing: routes there do not know how much they climb",
            "files of heights are missing: routes there do not know how much they climb",
        ),
    ];
    all.into_iter()
        .filter(|(count, ..)| 0 < *count)
        .map(|(count, one, many)| format!("{count} {}.", if count == 1 { one } else { many }))
        .collect()
}

/// Prints the map's areas.
pub async fn list_maps(data: &DataArgs) -> anyhow::Result<()> {
    let state = open(data).await?;
    let mut tx = state.db.read().await?;
    let areas = db::map_areas(&mut tx).await?;
    tx.commit().await?;
    state.db.close().await;
    if areas.is_empty() {
        println!(
            "There is no map yet: `walkies map get REGION` downloads one, `walkies map import FILE.osm.pbf` takes a file."
        );
    }
    for area in areas {
        println!("{}  {}", area.id, describe(&area));
    }
    Ok(())
}

/// Removes an area of the map.
pub async fn remove_map(data: &DataArgs, which: &str) -> anyhow::Result<()> {
    let state = open(data).await?;
    let area = map::remove(&state, which).await?;
    state.db.close().await;
    println!("Removed {}.", describe(&area));
    Ok(())
}

fn describe(area: &MapArea) -> String {
    let size = area.size_bytes.div_ceil(1000);
    let data_at = match area.data_at {
        Some(at) => format!("data of {at}"),
        None => "data of an unknown day".to_owned(),
    };
    let tiles = match area.n_tiles {
        1 => "1 tile".to_owned(),
        n => format!("{n} tiles"),
    };
    format!("{} ({tiles}, {size} kB, {data_at})", area.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_broken_part_is_told_as_one() {
        let warnings = Warnings {
            ways_cut: 2,
            heights_missing: 1,
            ..Warnings::default()
        };
        assert_eq!(
            told(&warnings),
            [
                "2 ways lack some of their points, as those at an extract's border do.",
                "1 file of heights is missing: routes there do not know how much they climb.",
            ]
        );
    }
}
