//! The binary: reads flags, does the one thing that they ask for, and says on standard error what went wrong.

use std::process::ExitCode;

use clap::Parser as _;
use rustix::fs::Mode;
use rustix::process::umask;
use walkies_server::base::log;
use walkies_server::cli::config::{Cli, CliCommand, MapCommand, PushCommand, UserCommand};
use walkies_server::cli::{operator, serve};

fn main() -> ExitCode {
    // What this program makes (the database, photos, mails, backups) is for its own user alone.
    umask(Mode::RWXG | Mode::RWXO);
    let cli = Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("walkies: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(cli: Cli) -> anyhow::Result<()> {
    cli.log.start()?;
    log::log_panics();
    match cli.command {
        CliCommand::Serve(args) => serve::serve(&args).await,
        CliCommand::Migrate(data) => operator::migrate(&data).await,
        CliCommand::Demo(data) => operator::demo(&data).await,
        CliCommand::Openapi => operator::openapi().await,
        CliCommand::Backup { file, data } => operator::backup(&data, &file).await,
        CliCommand::Move { to, data } => operator::move_to(&data, &to).await,
        CliCommand::Restored(data) => operator::restored(&data).await,
        CliCommand::Invite {
            email,
            public_url,
            data,
        } => operator::invite(&data, email.as_deref(), &public_url).await,
        CliCommand::User { command } => match command {
            UserCommand::ResetPassword { email, data } => {
                operator::reset_password(&data, &email).await
            }
            UserCommand::RemoveFactors { email, data } => {
                operator::remove_factors(&data, &email).await
            }
        },
        CliCommand::Push { command } => match command {
            PushCommand::List(data) => operator::list_push(&data).await,
            PushCommand::RotateKeys { revoke, data } => {
                operator::rotate_push_keys(&data, revoke).await
            }
        },
        CliCommand::Map { command } => match command {
            MapCommand::Import {
                file,
                name,
                elevation,
                data,
            } => operator::import_map(&data, &file, name.as_deref(), elevation.as_deref()).await,
            MapCommand::Get {
                region,
                name,
                mirror,
                data,
            } => operator::get_map(&data, &mirror, &region, name.as_deref()).await,
            MapCommand::Update { area, mirror, data } => {
                operator::update_maps(&data, &mirror, area.as_deref()).await
            }
            MapCommand::List(data) => operator::list_maps(&data).await,
            MapCommand::Remove { area, data } => operator::remove_map(&data, &area).await,
        },
    }
}
