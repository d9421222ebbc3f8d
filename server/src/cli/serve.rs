//! Owns the life of a server process: open, migrate, listen, and on a signal finish what is under way.

use std::time::Duration;

use anyhow::Context as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::api::router::{prepare_document, router};
use crate::app::push_keys;
use crate::app::state::AppState;
use crate::archive;
use crate::base::env::Env;
use crate::base::log::redacted_chain;
use crate::base::metrics;
use crate::cli::config::ServeArgs;
use crate::cli::demo;
use crate::db;
use crate::external::push_service::sender::PushSender;
use crate::http::metrics_page;
use crate::jobs::{
    bill_day, cleanup, invoice_reminders, mail, map_updates, push_delivery, push_reminders, series,
};
use crate::limits::listen;
use crate::limits::listen::Limits;
use crate::payments::billing;

/// Whoever stops a server waits ten seconds before killing it, if not longer.
const FINISH: Duration = Duration::from_secs(9);

/// Serves until SIGTERM or SIGINT.
pub async fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let mailer = args.mailer()?;
    let listener = TcpListener::bind(args.listen).await.with_context(|| {
        format!(
            "--listen (WALKIES_LISTEN) `{}` cannot be listened on",
            args.listen
        )
    })?;
    let address = listener.local_addr()?;
    let metrics_listener = match args.metrics_listen {
        Some(address) => {
            let bound = TcpListener::bind(address).await.with_context(|| {
                format!(
                    "--metrics-listen (WALKIES_METRICS_LISTEN) `{address}` cannot be listened on"
                )
            })?;
            Some((bound, metrics::install()?))
        }
        None => None,
    };
    let settings = args.settings(address)?;
    let push_sender = PushSender::new(&settings.push)?;
    let db = args.data.open_db().await?;
    let files = args.data.open_files()?;
    db.migrate()
        .await
        .context("the database cannot be brought up to date")?;
    let state = AppState::new(db, Env::system(), settings, files).await?;
    push_keys::current(&state)
        .await
        .map_err(|it| anyhow::anyhow!("the keys for notifications: {it:?}"))?;
    if args.demo {
        demo::create(&state, args.demo_town()).await?;
        // What has a map of its own can do without the demo's.
        if let Err(error) = demo::import_map(&state, args.demo_town()).await {
            tracing::warn!(error = redacted_chain(&error), "the demo has no map");
        }
        println!("{}", demo::sign_ins(&state.settings.public_url));
    }
    let mail = tokio::spawn({
        let state = state.clone();
        async move { mail::send_mail(&state, &mailer).await }
    });
    let pushes = tokio::spawn({
        let state = state.clone();
        async move { push_delivery::send_pushes(&state, &push_sender).await }
    });
    let reminders = tokio::spawn({
        let state = state.clone();
        async move { push_reminders::remind(&state).await }
    });
    let invoice_reminders = tokio::spawn({
        let state = state.clone();
        async move { invoice_reminders::remind(&state).await }
    });
    let bill_days = tokio::spawn({
        let state = state.clone();
        async move { bill_day::bill(&state).await }
    });
    let series = tokio::spawn({
        let state = state.clone();
        async move { series::extend(&state).await }
    });
    let plans = tokio::spawn({
        let state = state.clone();
        async move { billing::look_after(&state).await }
    });
    let clean_up = tokio::spawn({
        let state = state.clone();
        async move { cleanup::clean_up(&state).await }
    });
    let map_updates = args.map_update_days.map(|days| {
        let state = state.clone();
        let variables = args.map_variables();
        tokio::spawn(async move { map_updates::keep_up_to_date(&state, days, &variables).await })
    });
    let telling = match metrics_listener {
        Some((listener, handle)) => {
            println!("Metrics on http://{}/metrics", listener.local_addr()?);
            let counted = handle.clone();
            let source = metrics_page::Source {
                handle,
                state: state.clone(),
                data: args.data.data.clone(),
                database: args.data.sqlite_file(),
            };
            // Whoever reaches this address is trusted, so that it needs none of the limits of the other one.
            let serving = axum::serve(listener, metrics_page::router(source));
            Some(tokio::spawn(async move {
                tokio::select! {
                    _ = serving.into_future() => {}
                    () = metrics::count_up(&counted) => {}
                }
            }))
        }
        None => None,
    };
    let imports = tokio::spawn({
        let state = state.clone();
        async move { archive::import::work_for_ever(&state).await }
    });
    tokio::task::spawn_blocking(prepare_document);
    if let Some(hint) = map_hint(&state, args).await? {
        println!("{hint}");
    }
    // The last line: whoever waits for it may close the pipe.
    println!("Walkies listens on http://{address}");
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");

    let (stop, stopped) = tokio::sync::watch::channel(false);
    let limits = Limits::of(
        open_files(),
        args.data.database_connections,
        args.behind_proxy,
    );
    let mut serving = tokio::spawn(listen::serve(listener, router(&state), limits, stopped));
    tokio::select! {
        ended = &mut serving => ended?,
        () = signalled() => {
            tracing::info!("stopping: finishing what is under way");
            stop.send_replace(true);
            if tokio::time::timeout(FINISH, serving).await.is_err() {
                tracing::warn!("some connections were still open");
            }
        }
    }
    mail.abort();
    pushes.abort();
    reminders.abort();
    invoice_reminders.abort();
    bill_days.abort();
    series.abort();
    plans.abort();
    clean_up.abort();
    if let Some(map_updates) = map_updates {
        map_updates.abort();
        // Its process ends with it.
        let _ = map_updates.await;
    }
    if let Some(telling) = telling {
        telling.abort();
    }
    imports.abort();
    state.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Tells an operator how a map comes into this data folder, where there is none, or that of the demo alone.
async fn map_hint(state: &AppState, args: &ServeArgs) -> anyhow::Result<Option<String>> {
    if !state.files.is_configured() {
        return Ok(None);
    }
    let mut tx = state.db.read_autocommit().await?;
    let n_areas = db::map_areas(&mut tx).await?.len();
    let there = match n_areas {
        0 => "There is no map yet; everything else works without one.",
        1 if args.demo => "The map is that of the demo.",
        _ => return Ok(None),
    };
    let program = std::env::args().next();
    let program = program.as_deref().unwrap_or("walkies");
    let data = args.data.data.display();
    Ok(Some(format!(
        "{there} `{program} map get --data {data} REGION` downloads that of a region."
    )))
}

/// How many files this process may have open: as many as it is allowed to ask for.
fn open_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let files = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    files.map_or(usize::MAX, |it| usize::try_from(it).unwrap_or(usize::MAX))
}

async fn signalled() {
    let (Ok(mut terminate), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
