//! Owns how the server is told what to do: flags, each with a variable of the environment beside it. A value that
//! cannot be used stops the start and is named.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, Parser, Subcommand, ValueEnum};

use reqwest::Url;
use walkies_core::addresses::GeocoderKind;
use walkies_core::rules::card_payment;

use crate::app::billing_settings::BillingSettings;
use crate::app::password::{self, Cost};
use crate::app::settings::{Settings, SignUpMode};
use crate::cli::demo::{self, Town};
use crate::db::{Db, ensure_moved};
use crate::external::geocoder::GeocoderSettings;
use crate::external::mail::Mailer;
use crate::external::map_mirror::{DEFAULT_MIRROR, MapMirror, MirrorTimes};
use crate::external::push_service::endpoint::{Allowed, is_public};
use crate::external::push_service::sender::PushSettings;
use crate::external::service::ExternalService;
use crate::external::stripe::client::StripeSettings;
use crate::limits::disk::Folders;
use crate::limits::rate::Rate;
use crate::map::mirror::{DownloadBounds, Mirror};
use crate::media::files::Files;

/// Walkies: the business of a pet sitter or dog walker, on one's own server.
#[derive(Debug, Parser)]
#[command(name = "walkies", version, about)]
pub struct Cli {
    #[command(flatten)]
    /// Options of the log.
    pub log: LogArgs,
    #[command(subcommand)]
    /// The subcommand that was given.
    pub command: CliCommand,
}

/// Subcommands of `walkies`, one for each task of an operator.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Brings the database up to date and serves the app and its API.
    Serve(Box<ServeArgs>),
    /// Brings the database up to date, and nothing else.
    Migrate(DataArgs),
    /// Makes the demo business, once, and prints its sign-ins.
    Demo(DataArgs),
    /// Prints the OpenAPI document.
    Openapi,
    /// Writes a copy of the database to a file, also while the server runs.
    Backup {
        /// The file to write; it must not exist.
        file: PathBuf,
        #[command(flatten)]
        /// The database to back up.
        data: DataArgs,
    },
    /// Moves all rows of a SQLite database to an empty PostgreSQL, and compares them. Stop the server before; a move that
    /// broke off continues when it is begun again. Photos and other files stay where they are.
    Move {
        /// `postgres://user:password@host/database`.
        #[arg(long)]
        to: String,
        #[command(flatten)]
        /// The database to move.
        data: DataArgs,
    },
    /// After a restore from a backup: tells the phones that what they sent since may be missing.
    Restored(DataArgs),
    /// Prints a link with which one person may sign up, also while the server runs.
    Invite {
        /// The e-mail address of the person it is for, who then needs no code from a mail. Without it, anybody with the
        /// link may sign up.
        email: Option<String>,
        /// The address under which people reach the server.
        #[arg(long, env = "WALKIES_PUBLIC_URL", value_parser = public_url, default_value = "http://127.0.0.1:8080")]
        public_url: String,
        #[command(flatten)]
        /// The database in which it is noted.
        data: DataArgs,
    },
    /// Looks after accounts.
    User {
        #[command(subcommand)]
        /// The task to do with an account.
        command: UserCommand,
    },
    /// Looks after notifications, also while the server runs.
    Push {
        #[command(subcommand)]
        /// The task to do with notifications.
        command: PushCommand,
    },
    /// Looks after the map, also while the server runs.
    Map {
        #[command(subcommand)]
        /// The task to do with the map.
        command: MapCommand,
    },
}

/// Looks after notifications.
#[derive(Debug, Subcommand)]
pub enum PushCommand {
    /// Prints how many phones are told, and what could not be delivered in the last 30 days.
    List(DataArgs),
    /// Makes new keys. Phones take them when they next open the app; until then the old ones serve.
    RotateKeys {
        /// The old keys are in wrong hands: forget them, and who subscribed with them is told nothing until then.
        #[arg(long)]
        revoke: bool,
        #[command(flatten)]
        /// In which database.
        data: DataArgs,
    },
}

/// Looks after the map.
#[derive(Debug, Subcommand)]
pub enum MapCommand {
    /// Finds a region at a mirror, downloads its extract of OpenStreetMap and imports it. A download that broke off goes on
    /// when the command is given again.
    Get {
        /// The region's name, or a town or place in it: `Hamburg`, `Georgia, us`, `Springfield, IL`, `53.55,9.99`.
        region: String,
        /// The name of the area [default: the region's name].
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        /// The mirror to ask.
        mirror: MirrorArgs,
        #[command(flatten)]
        /// The database to import into.
        data: DataArgs,
    },
    /// Asks the mirror for newer extracts of the areas that came from it, and imports those that changed.
    Update {
        /// The name of one area [default: all].
        area: Option<String>,
        #[command(flatten)]
        /// The mirror to ask.
        mirror: MirrorArgs,
        #[command(flatten)]
        /// The database to import into.
        data: DataArgs,
    },
    /// Imports an extract of OpenStreetMap, in place of an older one of the same name.
    Import {
        /// The extract, in the format .osm.pbf.
        file: PathBuf,
        /// The name of the area [default: the file's name].
        #[arg(long)]
        name: Option<String>,
        /// A folder with the heights of the ground: SRTM files as they are downloaded, `.hgt` or zipped, or GeoTIFF files in
        /// degrees, `.tif`. Routes then know how much they climb.
        #[arg(long)]
        elevation: Option<PathBuf>,
        #[command(flatten)]
        /// The database to import into.
        data: DataArgs,
    },
    /// Prints what was imported.
    List(DataArgs),
    /// Removes an area.
    Remove {
        /// Its name or its id.
        area: String,
        #[command(flatten)]
        /// The database to remove it from.
        data: DataArgs,
    },
}

/// Looks after accounts.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Sets a new random password, prints it, and ends all sessions of the user.
    ResetPassword {
        /// The e-mail of the account.
        email: String,
        #[command(flatten)]
        /// In which database.
        data: DataArgs,
    },
    /// Lets somebody in with the password alone who has lost the second factor and the recovery codes.
    RemoveFactors {
        /// The e-mail of the account.
        email: String,
        #[command(flatten)]
        /// In which database.
        data: DataArgs,
    },
}

/// How the server logs.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// The log level: error, warn, info, debug or trace, or one per module as in `info,walkies_server=debug`.
    #[arg(long, env = "WALKIES_LOG", default_value = "info", global = true)]
    pub log: String,
    /// For people or for machines.
    #[arg(
        long,
        env = "WALKIES_LOG_FORMAT",
        default_value = "human",
        global = true
    )]
    pub log_format: LogFormat,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A line that reads well.
    Human,
    /// An object of JSON per line.
    Json,
}

/// Options for the place of the data: the folder, the database and the files.
#[derive(Clone, Debug, Args)]
pub struct DataArgs {
    /// The folder for database and files, where those have no place of their own.
    #[arg(long, env = "WALKIES_DATA_FOLDER", default_value = "data")]
    pub data: PathBuf,
    /// `postgres://user:password@host/database`, or the path of a SQLite file [default: walkies.sqlite3 in the
    /// data folder].
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database: Option<String>,
    /// The most connections that are open to the database at once; to SQLite no more read than there are cores.
    #[arg(long, env = "WALKIES_DATABASE_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub database_connections: u32,
    /// The place for photos and the map's tiles: a folder, or `s3://bucket/prefix` with the keys in the usual AWS_…
    /// variables, or `none` to keep neither [default: `files` in the data folder].
    #[arg(long, env = "WALKIES_FILES")]
    pub files: Option<String>,
}

/// Options for maps that come from a mirror.
#[derive(Clone, Debug, Args)]
pub struct MirrorArgs {
    /// A mirror of OpenStreetMap extracts with an `index-v1.json` in Geofabrik's form. What its index leads to is asked by
    /// https and at public addresses alone; only the mirror itself may be a private one.
    #[arg(long, env = "WALKIES_MAP_MIRROR", value_parser = map_mirror, default_value = DEFAULT_MIRROR)]
    pub map_mirror: String,
    /// A folder with the heights of the ground, as for `walkies map import`.
    #[arg(long, env = "WALKIES_MAP_ELEVATION")]
    pub map_elevation: Option<PathBuf>,
}

/// How the server serves.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    /// The place of the data.
    pub data: DataArgs,
    /// The address to listen on.
    #[arg(long, env = "WALKIES_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// An address of its own on which Prometheus reads `/metrics`. Not one that everybody reaches: it asks for no sign-in
    /// [default: none, nothing is counted].
    #[arg(long, env = "WALKIES_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// The address under which people reach this server, for links in mail [default: http:// and the listen
    /// address].
    #[arg(long, env = "WALKIES_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<String>,
    /// Set it only behind a proxy that sets X-Forwarded-For; without a proxy any caller could set that header.
    #[arg(long, env = "WALKIES_BEHIND_PROXY")]
    pub behind_proxy: bool,
    /// Who may sign up: everybody, who has a link from `walkies invite`, or nobody.
    #[arg(long, env = "WALKIES_SIGN_UP", value_enum, default_value_t)]
    pub sign_up: SignUpMode,
    /// `smtp://` or `smtps://` with user, password and host; without it mail waits in the folder `mail` of the data folder.
    #[arg(
        long,
        env = "WALKIES_SMTP_URL",
        hide_env_values = true,
        requires = "mail_from"
    )]
    pub smtp_url: Option<String>,
    /// The sender of mail, as in `Walkies <walkies@example.com>`.
    #[arg(long, env = "WALKIES_MAIL_FROM")]
    pub mail_from: Option<String>,
    /// Tries at passwords that one address has at once; one more is earned every 5 seconds.
    #[arg(long, env = "WALKIES_TRIES_BY_ADDRESS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub tries_by_address: u32,
    /// Tries that one account has at once; one more is earned every 6 minutes.
    #[arg(long, env = "WALKIES_TRIES_BY_ACCOUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub tries_by_account: u32,
    /// Hashes passwords in a moment, for tests that sign in all the time. A release build does not know this flag.
    #[cfg(debug_assertions)]
    #[arg(long, hide = true)]
    pub cheap_passwords: bool,
    /// Pictures of the map to show where there is a network, as in `https://tiles.example.com/{z}/{x}/{y}.png`; their owner
    /// must allow it [default: none, phones draw the map themselves].
    #[arg(long, env = "WALKIES_MAP_PICTURES", value_parser = map_pictures)]
    pub map_pictures: Option<String>,
    #[command(flatten)]
    /// The mirror that newer maps come from.
    pub mirror: MirrorArgs,
    /// Asks the mirror every so many days for newer extracts of the areas that `walkies map get` has imported [default:
    /// never].
    #[arg(long, env = "WALKIES_MAP_UPDATE_DAYS", value_parser = clap::value_parser!(u32).range(1..=365))]
    pub map_update_days: Option<u32>,
    /// A walking directions service of the form of OSRM's and Mapbox's, asked for routes outside the imported maps, as in
    /// `https://directions.example.com/directions/v5/mapbox/walking/{route}&access_token=KEY` [default: none].
    #[arg(long, env = "WALKIES_DIRECTIONS", value_parser = directions)]
    pub directions: Option<String>,
    /// The kind of geocoder that finds addresses outside the imported maps: `photon` or `nominatim`. It gets what people type
    /// as an address, when they ask for it by a button [default: none, addresses are found on the map alone].
    #[arg(long, env = "WALKIES_GEOCODER", value_parser = geocoder_kind, requires = "geocoder_url")]
    pub geocoder: Option<GeocoderKind>,
    /// The geocoder's address, as in `https://photon.example.com`; http only within your own network.
    #[arg(long, env = "WALKIES_GEOCODER_URL", value_parser = geocoder_url, requires = "geocoder")]
    pub geocoder_url: Option<Url>,
    /// The contact for push services with questions about this server: `mailto:you@example.com` or an address with
    /// https. Apple refuses notifications without a real one [default: the public address, or the sender of mail].
    #[arg(long, env = "WALKIES_PUSH_CONTACT", value_parser = push_contact)]
    pub push_contact: Option<String>,
    /// The hosts of push services, by commas; those below them are allowed too [default: those of Chrome, Firefox, Safari
    /// and Edge].
    #[arg(long, env = "WALKIES_PUSH_HOSTS", value_delimiter = ',', value_parser = push_host)]
    pub push_hosts: Option<Vec<String>>,
    /// A push service on this machine, as in `http://127.0.0.1:9876`, to try notifications out with no network; not where
    /// the public address has https.
    #[arg(long, env = "WALKIES_PUSH_LOCAL", value_parser = push_local)]
    pub push_local: Option<String>,
    /// The address of a stand-in for Stripe, its API and its pages, to try cards out with no network, as in
    /// `http://127.0.0.1:9877` [default: https://api.stripe.com and https://checkout.stripe.com].
    #[arg(long, env = "WALKIES_STRIPE", value_parser = stripe)]
    pub stripe: Option<String>,
    /// Sells plans by this secret key of Stripe, or a restricted one that may write customers, subscriptions, Checkout
    /// sessions, the customer portal and invoices (of which none is made: a change is previewed as one), and read prices
    /// [default: everything is free].
    #[arg(long, env = "WALKIES_BILLING_KEY", hide_env_values = true, value_parser = billing_key, requires_all = ["billing_webhook_secrets", "billing_price_solo", "billing_price_pro"])]
    pub billing_key: Option<String>,
    /// The secret with which Stripe signs its reports to /api/billing/webhook; while it is replaced, the next one
    /// follows a comma.
    #[arg(
        long,
        env = "WALKIES_BILLING_WEBHOOK_SECRETS",
        hide_env_values = true,
        value_delimiter = ',',
        requires = "billing_key"
    )]
    pub billing_webhook_secrets: Option<Vec<String>>,
    /// Stripe's name of the price of the plan Solo, in US dollars: `price_…`.
    #[arg(long, env = "WALKIES_BILLING_PRICE_SOLO", value_parser = billing_price, requires = "billing_key")]
    pub billing_price_solo: Option<String>,
    /// Stripe's name of the price of the plan Pro, in US dollars: `price_…`.
    #[arg(long, env = "WALKIES_BILLING_PRICE_PRO", value_parser = billing_price, requires = "billing_key")]
    pub billing_price_pro: Option<String>,
    /// Makes the demo business on the first start, and prints its sign-ins.
    #[arg(long, env = "WALKIES_DEMO")]
    pub demo: bool,
    /// Has the demo business in Helsinki, for the browser stories. A release build does not know this flag.
    #[cfg(debug_assertions)]
    #[arg(long, hide = true)]
    pub demo_helsinki: bool,
}

fn public_url(text: &str) -> Result<String, String> {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("it begins with https:// or http://".to_owned()),
    }
}

fn push_contact(text: &str) -> Result<String, String> {
    let is_mail = text
        .strip_prefix("mailto:")
        .and_then(|it| it.rsplit_once('@'))
        .is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
    let is_page = text
        .strip_prefix("https://")
        .is_some_and(|it| it.contains('.'));
    if is_mail || is_page {
        Ok(text.to_owned())
    } else {
        Err("it is mailto: with an address, or begins with https://".to_owned())
    }
}

/// `mailto:` with the address of a sender as in `Walkies <walkies@example.com>`.
fn mail_address(from: &str) -> Option<String> {
    let address = from.rsplit('<').next()?.trim_end_matches(['>', ' ']);
    push_contact(&format!("mailto:{address}")).ok()
}

fn push_host(text: &str) -> Result<String, String> {
    let is_plain = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || ".-".contains(it);
    let is_name = text.contains('.') && text.chars().any(|it| it.is_ascii_lowercase());
    if is_name && text.chars().all(is_plain) && !text.starts_with('.') {
        Ok(text.to_owned())
    } else {
        Err("a host is a name in small letters, as in push.example.com".to_owned())
    }
}

fn push_local(text: &str) -> Result<String, String> {
    let port = text.strip_prefix("http://127.0.0.1:");
    match port.and_then(|it| it.parse::<u16>().ok()) {
        Some(_) => Ok(text.to_owned()),
        None => Err("it is http://127.0.0.1: and a port".to_owned()),
    }
}

fn stripe(text: &str) -> Result<String, String> {
    match origin_of(text) {
        Some(origin) if origin == text => Ok(text.to_owned()),
        _ => Err("it is https:// and a host, or http://127.0.0.1: and a port".to_owned()),
    }
}

fn billing_key(text: &str) -> Result<String, String> {
    match card_payment::is_live(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("it begins with sk_live_, rk_live_, sk_test_ or rk_test_".to_owned()),
    }
}

fn billing_price(text: &str) -> Result<String, String> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    match text.strip_prefix("price_") {
        Some(rest) if !rest.is_empty() && text.len() <= 255 && rest.chars().all(is_plain) => {
            Ok(text.to_owned())
        }
        _ => Err("it begins with price_".to_owned()),
    }
}

fn map_pictures(text: &str) -> Result<String, String> {
    let has_all = ["{z}", "{x}", "{y}"].iter().all(|it| text.contains(it));
    match origin_of(text) {
        Some(_) if has_all => Ok(text.to_owned()),
        _ => Err("it begins with https:// and has {z}, {x} and {y} in it".to_owned()),
    }
}

fn map_mirror(text: &str) -> Result<String, String> {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|it| text.strip_prefix(it));
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-._~:/[]".contains(it);
    match rest {
        Some(rest) if !rest.is_empty() && rest.chars().all(is_plain) => Ok(text.to_owned()),
        _ => Err("it begins with https:// or http:// and has no user and no query".to_owned()),
    }
}

fn directions(text: &str) -> Result<String, String> {
    match origin_of(text) {
        Some(_) if text.contains("{route}") => Ok(text.to_owned()),
        _ => Err("it begins with https:// and has {route} in it".to_owned()),
    }
}

fn geocoder_kind(text: &str) -> Result<GeocoderKind, String> {
    let is_it = |it: &GeocoderKind| it.name().eq_ignore_ascii_case(text);
    let kind = GeocoderKind::ALL.into_iter().find(is_it);
    kind.ok_or_else(|| "it is photon or nominatim".to_owned())
}

fn geocoder_url(text: &str) -> Result<Url, String> {
    let error = || {
        "it begins with https://, or with http:// and a private address, and has no user and no query".to_owned()
    };
    let url = Url::parse(text).map_err(|_| error())?;
    let host = url.host_str().unwrap_or_default();
    let is_private = match host.trim_matches(['[', ']']).parse() {
        Ok(address) => !is_public(address),
        // As a container is named.
        Err(_) => !host.contains('.'),
    };
    let is_scheme = url.scheme() == "https" || (url.scheme() == "http" && is_private);
    let has_user = !url.username().is_empty() || url.password().is_some();
    let has_more = url.query().is_some() || url.fragment().is_some();
    if host.is_empty() || !is_scheme || has_user || has_more {
        return Err(error());
    }
    Ok(url)
}

fn external_service(url: Option<&String>) -> Option<ExternalService> {
    let url = url?;
    Some(ExternalService {
        origin: origin_of(url)?.to_owned(),
        url: url.clone(),
    })
}

/// Scheme, host and port of an address; `None` where a policy of what a page may load could not name it.
fn origin_of(url: &str) -> Option<&str> {
    let scheme = ["https://", "http://127.0.0.1:"]
        .into_iter()
        .find(|it| url.starts_with(it))?;
    let host = url.strip_prefix(scheme)?.split('/').next()?;
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | ':');
    let is_host = !host.is_empty() && host.chars().all(is_plain);
    is_host.then(|| url.get(..scheme.len() + host.len()))?
}

impl DataArgs {
    /// Opens the database.
    pub async fn open_db(&self) -> anyhow::Result<Db> {
        std::fs::create_dir_all(&self.data).with_context(|| {
            format!(
                "--data (WALKIES_DATA_FOLDER) `{}` cannot be made",
                self.data.display()
            )
        })?;
        match &self.database {
            Some(url) => {
                let db = Db::open(url, self.database_connections)
                    .await
                    .context("--database (DATABASE_URL) cannot be opened")?;
                ensure_moved(&db).await?;
                Ok(db)
            }
            None => {
                let file = self.default_file();
                Db::open_sqlite(&file, self.database_connections)
                    .await
                    .with_context(|| format!("the database `{}` cannot be opened", file.display()))
            }
        }
    }

    fn default_file(&self) -> PathBuf {
        self.data.join("walkies.sqlite3")
    }

    /// The file of SQLite; none where the database is another one's process.
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        match &self.database {
            Some(url) if url.starts_with("postgres") => None,
            Some(file) => Some(PathBuf::from(file.trim_start_matches("sqlite://"))),
            None => Some(self.default_file()),
        }
    }

    /// The disks that the data is on.
    pub fn disks(&self) -> Folders {
        let database = self.sqlite_file();
        let database = database.and_then(|it| Some(it.parent()?.to_owned()));
        let files = self.files.as_ref().filter(|it| !it.contains("://"));
        let others = database.into_iter().chain(files.map(PathBuf::from));
        Folders([self.data.clone()].into_iter().chain(others).collect())
    }

    /// Opens the place for photos and for the map's tiles.
    pub fn open_files(&self) -> anyhow::Result<Files> {
        let folder = self.data.join("files");
        let path = match &self.files {
            Some(path) => path.clone(),
            None => folder.display().to_string(),
        };
        Files::open(&path).context("--files (WALKIES_FILES) cannot be opened")
    }
}

impl MirrorArgs {
    /// Opens the mirror, whose extracts lie in the data folder until they are imported.
    pub fn open(&self, data: &DataArgs) -> anyhow::Result<Mirror> {
        Ok(Mirror {
            client: MapMirror::new(&self.map_mirror, MirrorTimes::default())
                .context("--map-mirror (WALKIES_MAP_MIRROR)")?,
            bounds: DownloadBounds::default(),
            folder: data.data.join("map-downloads"),
            elevation: self.map_elevation.clone(),
        })
    }
}

impl ServeArgs {
    /// The variables by which `walkies map update` works on the same data, with the same mirror.
    pub fn map_variables(&self) -> Vec<(&'static str, OsString)> {
        let Self { data, mirror, .. } = self;
        let optional = [
            ("DATABASE_URL", data.database.clone().map(OsString::from)),
            ("WALKIES_FILES", data.files.clone().map(OsString::from)),
            (
                "WALKIES_MAP_ELEVATION",
                mirror.map_elevation.clone().map(OsString::from),
            ),
        ];
        let connections = data.database_connections.to_string();
        [
            ("WALKIES_DATA_FOLDER", data.data.clone().into_os_string()),
            ("WALKIES_DATABASE_CONNECTIONS", connections.into()),
            ("WALKIES_MAP_MIRROR", mirror.map_mirror.clone().into()),
        ]
        .into_iter()
        .chain(
            optional
                .into_iter()
                .filter_map(|(name, it)| Some((name, it?))),
        )
        .collect()
    }

    /// The numbers that differ between servers. `listens` is where this one is reached, unless it is told otherwise.
    pub fn settings(&self, listens: SocketAddr) -> anyhow::Result<Settings> {
        let defaults = Settings::default();
        let public_url = self
            .public_url
            .clone()
            .unwrap_or_else(|| format!("http://{listens}"));
        Ok(Settings {
            push: self.push(&public_url)?,
            stripe: match &self.stripe {
                Some(origin) => StripeSettings {
                    api: origin.clone(),
                    pages: origin.clone(),
                    ..defaults.stripe
                },
                None => defaults.stripe,
            },
            billing: self.billing()?,
            free_space: Some(Arc::new(self.data.disks())),
            public_url,
            password_cost: self.password_cost(),
            behind_proxy: self.behind_proxy,
            sign_up: self.sign_up,
            sends_mail: self.smtp_url.is_some(),
            map_pictures: external_service(self.map_pictures.as_ref()),
            directions: external_service(self.directions.as_ref()),
            geocoder: self
                .geocoder
                .zip(self.geocoder_url.clone())
                .map(|(kind, url)| GeocoderSettings::new(kind, url)),
            rate_by_address: Rate {
                burst: self.tries_by_address,
                ..defaults.rate_by_address
            },
            rate_by_account: Rate {
                burst: self.tries_by_account,
                ..defaults.rate_by_account
            },
            ..defaults
        })
    }

    /// How plans are sold.
    fn billing(&self) -> anyhow::Result<Option<BillingSettings>> {
        let (Some(key), Some(secrets), Some(solo), Some(pro)) = (
            &self.billing_key,
            &self.billing_webhook_secrets,
            &self.billing_price_solo,
            &self.billing_price_pro,
        ) else {
            return Ok(None);
        };
        let errors = card_payment::errors(key, secrets);
        if let Some(error) = errors.first() {
            bail!("--billing-webhook-secrets (WALKIES_BILLING_WEBHOOK_SECRETS): {error}");
        }
        ensure!(
            solo != pro,
            "--billing-price-solo (WALKIES_BILLING_PRICE_SOLO) and --billing-price-pro (WALKIES_BILLING_PRICE_PRO) are the \
             same"
        );
        let prices = [("solo", solo), ("pro", pro)];
        Ok(Some(BillingSettings {
            secret_key: key.clone(),
            webhook_secrets: secrets.clone(),
            prices: prices
                .map(|(plan, price)| (plan.to_owned(), price.clone()))
                .to_vec(),
        }))
    }

    /// The town of the demo business.
    pub const fn demo_town(&self) -> &'static Town {
        #[cfg(debug_assertions)]
        if self.demo_helsinki {
            return &demo::HELSINKI;
        }
        &demo::BALTIMORE
    }

    /// The cost of hashing a password.
    #[cfg(debug_assertions)]
    const fn password_cost(&self) -> Cost {
        if self.cheap_passwords {
            Cost {
                memory_kib: 8,
                passes: 1,
            }
        } else {
            password::COST
        }
    }

    /// The cost of hashing a password.
    #[cfg(not(debug_assertions))]
    const fn password_cost(&self) -> Cost {
        password::COST
    }

    /// How notifications go out.
    fn push(&self, public_url: &str) -> anyhow::Result<PushSettings> {
        let defaults = PushSettings::default();
        let is_public = public_url.starts_with("https://");
        ensure!(
            self.push_local.is_none() || !is_public,
            "--push-local (WALKIES_PUSH_LOCAL) is to try notifications out, and --public-url (WALKIES_PUBLIC_URL) is \
             a real one"
        );
        let sender = self.mail_from.as_deref().and_then(mail_address);
        let known = is_public.then(|| public_url.to_owned()).or(sender);
        Ok(PushSettings {
            contact: self
                .push_contact
                .clone()
                .or(known)
                .unwrap_or(defaults.contact),
            allowed: Allowed {
                hosts: self.push_hosts.clone().unwrap_or(defaults.allowed.hosts),
                local: self.push_local.clone(),
            },
            timeout: defaults.timeout,
        })
    }

    /// Creates the sender of mail: by SMTP if it is configured, else into the folder `mail` of the data folder.
    pub fn mailer(&self) -> anyhow::Result<Mailer> {
        match (&self.smtp_url, &self.mail_from) {
            (Some(url), Some(from)) => Mailer::smtp(url, from)
                .context("--smtp-url (WALKIES_SMTP_URL) or --mail-from (WALKIES_MAIL_FROM)"),
            _ => Ok(Mailer::Folder(self.data.data.join("mail"))),
        }
    }
}

impl LogArgs {
    /// Starts logging to standard error.
    pub fn start(&self) -> anyhow::Result<()> {
        let filter = tracing_subscriber::EnvFilter::try_new(&self.log)
            .with_context(|| format!("--log (WALKIES_LOG) `{}`", self.log))?;
        let lines = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(std::io::stderr);
        match self.log_format {
            LogFormat::Human => lines.init(),
            LogFormat::Json => lines.json().init(),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_flags_make_sense_together() {
        Cli::command().debug_assert();
    }

    fn push_of(args: &[&str]) -> anyhow::Result<PushSettings> {
        let all = ["walkies", "serve"].iter().chain(args);
        let cli = Cli::try_parse_from(all).expect("they can be read");
        let CliCommand::Serve(args) = cli.command else {
            panic!("it serves")
        };
        Ok(args.settings(args.listen)?.push)
    }

    #[test]
    fn push_services_are_told_whom_to_write_to() {
        let contact = |args: &[&str]| push_of(args).expect("settings").contact;
        let public = ["--public-url", "https://walkies.example.com"];
        assert_eq!(contact(&public), "https://walkies.example.com");
        let mail = ["--mail-from", "Walkies <walkies@example.com>"];
        assert_eq!(contact(&mail), "mailto:walkies@example.com");
        let said = ["--push-contact", "mailto:ops@example.com"];
        assert_eq!(contact(&[&public[..], &said[..]].concat()), said[1]);
    }

    #[test]
    fn a_push_service_to_try_things_out_with_is_none_of_a_real_server() {
        let local = ["--push-local", "http://127.0.0.1:9876"];
        assert!(push_of(&local).is_ok_and(|it| it.allowed.local.is_some()));
        let public = ["--public-url", "https://walkies.example.com"];
        let error = push_of(&[&local[..], &public[..]].concat()).expect_err("refused");
        assert!(error.to_string().contains("--push-local"), "{error}");
    }

    #[test]
    fn a_geocoder_is_public_by_https_or_in_the_own_network() {
        for url in [
            "https://photon.example.com",
            "https://example.com/photon/",
            "http://127.0.0.1:2322",
            "http://10.0.0.7:2322",
            "http://[fd00::7]:2322",
            "http://photon:2322",
            "http://localhost",
        ] {
            let args = [
                "walkies",
                "serve",
                "--geocoder",
                "photon",
                "--geocoder-url",
                url,
            ];
            let cli = Cli::try_parse_from(args).expect("it can be read");
            let CliCommand::Serve(args) = cli.command else {
                panic!("it serves")
            };
            let settings = args.settings(args.listen).expect("settings");
            assert_eq!(
                settings.geocoder.map(|it| it.kind),
                Some(GeocoderKind::Photon)
            );
        }
        for alone in [
            ["--geocoder", "photon"],
            ["--geocoder-url", "http://photon:2322"],
        ] {
            let error = Cli::try_parse_from(["walkies", "serve"].iter().chain(&alone));
            assert!(error.is_err(), "{alone:?}");
        }
    }

    #[test]
    fn a_bad_value_is_named() {
        for (flag, value) in [
            ("--listen", "everywhere"),
            ("--public-url", "walkies"),
            ("--tries-by-account", "0"),
            ("--map-pictures", "https://tiles.example.com/{z}/{x}.png"),
            ("--map-pictures", "https://a;b/{z}/{x}/{y}.png"),
            ("--map-mirror", "ftp://download.example.com"),
            ("--map-mirror", "https://user@download.example.com"),
            ("--map-update-days", "0"),
            ("--directions", "https://directions.example.com/"),
            ("--push-contact", "mailto:walkies@localhost"),
            ("--push-contact", "walkies@example.com"),
            ("--push-hosts", "127.0.0.1"),
            ("--push-hosts", ".example.com"),
            ("--push-local", "http://10.0.0.1:80"),
            ("--stripe", "http://stripe.example.com"),
            ("--stripe", "https://stripe.example.com/v1"),
            ("--directions", "http://directions.example.com/{route}"),
            ("--geocoder", "google"),
            ("--geocoder-url", "http://photon.example.com"),
            ("--geocoder-url", "http://142.250.74.10"),
            ("--geocoder-url", "https://user@photon.example.com"),
            ("--geocoder-url", "https://photon.example.com?key=KEY"),
            ("--geocoder-url", "file:///etc/passwd"),
        ] {
            let error = Cli::try_parse_from(["walkies", "serve", flag, value])
                .unwrap_err()
                .to_string();
            assert!(error.contains(flag) && error.contains(value), "{error}");
        }
    }
}
