//! The sitter's own profile.

use axum::extract::State;
use axum::http::Method;
use walkies_core::commands::UpdateProfile;
use walkies_core::commands::decision::Need;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::onboarding::{
    OnboardingStatus, ProfileStatus, onboarding_status, profile_status,
};
use walkies_core::values::field::plain;
use walkies_core::{Business, Command, Id, TableName, Versioned};

use super::{command, revised};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::db;
use crate::http::route::{Access, Route, get};
use crate::write::answer::{Answer, Revised, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/sitters/profile",
            Access::Sitter,
            "The profile",
            read_profile,
        )
        .answer_of(revised::<Sitter>),
        command(
            Method::PUT,
            "/sitters/profile",
            "Changes the profile or the settings",
            |form| {
                Ok(Command::UpdateProfile(UpdateProfile {
                    changes: form.patch(),
                }))
            },
        )
        .body_of(|it| it.subset_of::<Sitter>(Sitter::EDITABLE))
        .answer_of(revised::<Sitter>),
        command(
            Method::PUT,
            "/sitters/service-area",
            "Changes where the sitter goes",
            |form| {
                for (short, long) in AREA {
                    form.rename(short, long);
                }
                form.body
                    .retain(|field, _| AREA.iter().any(|(_, long)| field == long));
                Ok(Command::UpdateProfile(UpdateProfile {
                    changes: form.patch(),
                }))
            },
        )
        .body_of(|it| it.subset_of::<Sitter>(&AREA.map(|(_, long)| plain(long))))
        .answer_of(revised::<Sitter>),
        get(
            "/sitter/profile/status",
            Access::Sitter,
            "How far the profile is",
            read_profile_status,
        )
        .answer::<ProfileStatus>(),
        get(
            "/sitters/onboarding-status",
            Access::Sitter,
            "Which steps to a calendar that can be used are taken",
            read_onboarding_status,
        )
        .answer::<OnboardingStatus>(),
    ]
}

/// The fields of the service area, with short names that callers may use.
const AREA: [(&str, &str); 4] = [
    ("address", "service_area_address"),
    ("lat", "service_area_lat"),
    ("lng", "service_area_lng"),
    ("radius_miles", "service_area_radius_miles"),
];

async fn profile(
    app: &AppState,
    sitter: &SitterUser,
) -> Result<Option<Versioned<Sitter>>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    Ok(db::select_one::<Sitter>(&mut tx, sitter.sitter_id, sitter.sitter_id).await?)
}

async fn read_profile(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let profile = profile(&app, &sitter).await?;
    profile
        .map(|it| ok(Revised::from(it)))
        .ok_or(AppError::NotFound)
}

async fn read_profile_status(
    State(app): State<AppState>,
    sitter: SitterUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read().await?;
    let business = begun(&mut tx, sitter.sitter_id).await?;
    tx.commit().await?;
    Ok(ok(profile_status(&business)))
}

async fn read_onboarding_status(
    State(app): State<AppState>,
    sitter: SitterUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read().await?;
    let business = begun(&mut tx, sitter.sitter_id).await?;
    let documents = db::count_documents(&mut tx, sitter.sitter_id).await?;
    tx.commit().await?;
    Ok(ok(onboarding_status(&business, documents)))
}

/// The rows of a business that tell how far its owner has come.
async fn begun(tx: &mut db::Tx, sitter_id: Id) -> sqlx::Result<Business> {
    let tables = [TableName::Sitter, TableName::Offering, TableName::Pattern];
    let mut business = Business::default();
    db::load(tx, sitter_id, &tables.map(Need::Table), None, &mut business).await?;
    Ok(business)
}
