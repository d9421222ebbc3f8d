//! Owns the one function that decides a command, and what must be known for that; phone and server run the same.

use crate::commands::command::Command;
use crate::commands::decision::{Context, Decision, Need, photo};
use crate::commands::{availability, client, offering, report, service, sitter};
use crate::rows::row::{RowKey, TableName};
use crate::rules::refusal::Refusal;
use crate::values::bounds;
use crate::values::form_errors::FieldErrors;
use crate::values::patch::Patch;
use crate::{Business, Id, rules};

impl Command {
    /// What must be known, given what is known: ask again when it was loaded, until nothing new is named.
    pub fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let row = |table, id: &Id| Need::Row(RowKey { table, id: *id });
        let changed = |table, id: &Id| Need::FieldChanges(RowKey { table, id: *id });
        match self {
            Self::UpdateProfile { changes } => {
                let mut needs = vec![Need::Table(TableName::Sitter)];
                needs.extend(photo(changes));
                if let Some(sitter) = business.sitter() {
                    needs.push(changed(TableName::Sitter, &sitter.id));
                }
                needs
            }
            Self::CreateClient { id, dogs, .. } | Self::RestoreClient { id, dogs, .. } => {
                let mut needs = vec![
                    row(TableName::Client, id),
                    Need::PetsOf(*id),
                    Need::Count(TableName::Client),
                ];
                needs.extend(dogs.iter().map(|it| row(TableName::Pet, &it.id)));
                needs.extend(dogs.iter().filter_map(|it| photo(&it.changes)));
                needs
            }
            Self::UpdateClient {
                id,
                dogs,
                removed_dogs,
                ..
            } => {
                let mut needs = vec![
                    row(TableName::Client, id),
                    changed(TableName::Client, id),
                    Need::PetsOf(*id),
                ];
                for dog in dogs {
                    needs.push(row(TableName::Pet, &dog.id));
                    needs.push(changed(TableName::Pet, &dog.id));
                    needs.extend(photo(&dog.changes));
                }
                if !removed_dogs.is_empty() {
                    needs.push(Need::ServicesOfClientFrom(*id, ctx.today()));
                }
                needs.extend(removed_dogs.iter().map(|it| changed(TableName::Pet, it)));
                needs
            }
            Self::DeleteClient { id } => {
                let mut needs = vec![
                    row(TableName::Client, id),
                    changed(TableName::Client, id),
                    Need::PetsOf(*id),
                    Need::ServicesOfClientFrom(*id, ctx.today()),
                ];
                let pets = business.pets_of(*id).into_iter();
                needs.extend(pets.map(|it| changed(TableName::Pet, &it.id)));
                needs
            }
            Self::CreateOffering { .. } | Self::ReorderOfferings { .. } => {
                vec![Need::Table(TableName::Offering)]
            }
            Self::UpdateOffering { id, .. } => {
                vec![
                    row(TableName::Offering, id),
                    changed(TableName::Offering, id),
                ]
            }
            Self::DeleteOffering { id } => {
                vec![
                    row(TableName::Offering, id),
                    changed(TableName::Offering, id),
                    Need::ServiceWithOffering(*id),
                ]
            }
            Self::ScheduleService { id, service, .. } | Self::RecordService { id, service } => {
                let mut needs = vec![row(TableName::Service, id)];
                needs.extend(service::needs_of_patch(service));
                needs
            }
            Self::UpdateService { id, changes, .. } => {
                let mut needs = vec![row(TableName::Service, id), changed(TableName::Service, id)];
                needs.extend(service::needs_of_patch(changes));
                if let Some(service) = business.service(*id) {
                    needs.extend(service::needs_of_patch(&rules::service::given(
                        changes, service,
                    )));
                }
                needs
            }
            Self::CompleteService { id, .. }
            | Self::CancelService { id }
            | Self::SetServicePaid { id, .. } => vec![row(TableName::Service, id)],
            Self::ReopenService { id } => {
                let mut needs = vec![row(TableName::Service, id)];
                // What was cancelled may find its time taken.
                if let Some(service) = business.service(*id) {
                    needs.extend(service::needs_of_patch(&Patch::from_row(service)));
                }
                needs
            }
            Self::DeleteService { id } => {
                vec![row(TableName::Service, id), changed(TableName::Service, id)]
            }
            Self::CreatePattern { id, .. } => vec![
                row(TableName::Pattern, id),
                Need::Table(TableName::AvailabilityConfig),
                Need::Count(TableName::Pattern),
            ],
            Self::UpdatePattern { id, .. } | Self::DeletePattern { id } => {
                vec![row(TableName::Pattern, id), changed(TableName::Pattern, id)]
            }
            Self::CreateBlockedTime { id, .. } => vec![
                row(TableName::BlockedTime, id),
                Need::Count(TableName::BlockedTime),
            ],
            Self::DeleteBlockedTime { id } => vec![row(TableName::BlockedTime, id)],
            Self::UpdateAvailabilityConfig { .. } => {
                let mut needs = vec![Need::Table(TableName::AvailabilityConfig)];
                if let Some(config) = business.config() {
                    needs.push(changed(TableName::AvailabilityConfig, &config.id));
                }
                needs
            }
            Self::ShareWalk { id, walk, reports } => report::needs(*id, walk, reports),
            Self::UnshareWalk { id } => vec![Need::ReportsOf(*id)],
        }
    }
}

/// Decides a command on the rows of one business: what it does, or why it is turned down.
///
/// Pure: the same command, rows and context give the same answer on phone and server. The rows that
/// `Command::needs` names must be known, else the answer is as if they did not exist.
pub fn decide(command: &Command, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    check_bounds(command)?;
    match command {
        Command::UpdateProfile { changes } => sitter::update(changes, business),
        Command::CreateClient { id, client, dogs } => {
            client::create(*id, client, dogs, business, ctx)
        }
        Command::UpdateClient {
            id,
            changes,
            dogs,
            removed_dogs,
        } => client::update(*id, changes, dogs, removed_dogs, business, ctx),
        Command::DeleteClient { id } => client::delete(*id, business, ctx),
        Command::RestoreClient { id, client, dogs } => {
            client::create(*id, client, dogs, business, ctx)
        }
        Command::CreateOffering { id, offering } => offering::create(*id, offering, business, ctx),
        Command::UpdateOffering { id, changes } => offering::update(*id, changes, business),
        Command::DeleteOffering { id } => offering::delete(*id, business),
        Command::ReorderOfferings { orders } => offering::reorder(orders, business),
        Command::ScheduleService {
            id,
            service,
            overlap_ok,
            quoted_price,
        } => service::schedule(*id, service, *overlap_ok, *quoted_price, business, ctx),
        Command::UpdateService {
            id,
            changes,
            overlap_ok,
        } => service::update(*id, changes, *overlap_ok, business, ctx),
        Command::CompleteService {
            id,
            notes,
            despite_cancel,
        } => service::complete(*id, notes, *despite_cancel, business, ctx),
        Command::CancelService { id } => service::cancel(*id, business, ctx),
        Command::ReopenService { id } => service::reopen(*id, business, ctx),
        Command::RecordService { id, service } => service::record(*id, service, business, ctx),
        Command::DeleteService { id } => service::delete(*id, business),
        Command::SetServicePaid { id, paid } => service::set_paid(*id, *paid, business),
        Command::CreatePattern { id, pattern } => {
            availability::create_pattern(*id, pattern, business)
        }
        Command::UpdatePattern { id, changes } => {
            availability::update_pattern(*id, changes, business)
        }
        Command::DeletePattern { id } => availability::delete_pattern(*id, business),
        Command::CreateBlockedTime { id, blocked_time } => {
            availability::create_blocked_time(*id, blocked_time, business)
        }
        Command::DeleteBlockedTime { id } => availability::delete_blocked_time(*id, business),
        Command::UpdateAvailabilityConfig { changes } => {
            availability::update_config(changes, business)
        }
        Command::ShareWalk { id, walk, reports } => {
            report::share(*id, walk, reports, business, ctx)
        }
        Command::UnshareWalk { id } => report::unshare(*id, business),
    }
}

/// What of a command is more than there may be.
fn check_bounds(command: &Command) -> Result<(), FieldErrors> {
    let errors = serde_json::to_string(command).and_then(|it| bounds::check(&it));
    errors.unwrap_or_default().or(())
}
