//! The binary: reads flags, does the one thing that they ask for, and says on standard error what went wrong.

use std::process::ExitCode;

use clap::Parser as _;
use walkies_server::config::{Cli, Command, MapCommand, UserCommand};
use walkies_server::{operator, serve};

fn main() -> ExitCode {
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
    match cli.command {
        Command::Serve(args) => serve::serve(&args).await,
        Command::Migrate(data) => operator::migrate(&data).await,
        Command::Demo(data) => operator::demo(&data).await,
        Command::Openapi => operator::openapi().await,
        Command::Backup { file, data } => operator::backup(&data, &file).await,
        Command::Restored(data) => operator::restored(&data).await,
        Command::User {
            command: UserCommand::ResetPassword { email, data },
        } => operator::reset_password(&data, &email).await,
        Command::Map { command } => match command {
            MapCommand::Import {
                file,
                name,
                elevation,
                data,
            } => operator::import_map(&data, &file, name.as_deref(), elevation.as_deref()).await,
            MapCommand::List(data) => operator::list_maps(&data).await,
            MapCommand::Remove { area, data } => operator::remove_map(&data, &area).await,
        },
    }
}
