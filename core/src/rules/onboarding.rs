//! Owns which steps a new sitter has taken to a calendar that can be used, by the rows of the business. Nothing else
//! remembers how far somebody came: the status, the banner and the screens all ask this.

use serde::{Deserialize, Serialize};

use crate::Business;
use crate::rows::sitter::Sitter;
use crate::rules::sitter::{has_area, has_person};

/// A step, in the order in which they are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnboardingStep {
    /// There is one.
    Account,
    /// Its e-mail is proven: no account is made before.
    Email,
    /// Name and phone.
    Profile,
    /// The area in which the sitter works is set.
    ServiceArea,
    /// A document is stored. Nobody has to.
    Documents,
    /// Something is for sale.
    Offerings,
    /// There are hours in which services are taken.
    Availability,
}

/// Returns the steps that a business lacks until its calendar can be used; empty where it is complete.
pub fn steps_left(business: &Business) -> Vec<OnboardingStep> {
    use OnboardingStep::{Availability, Offerings, Profile, ServiceArea};
    let sitter = business.sitter();
    let sells = business.offerings.values().any(|it| it.row.is_active);
    let works = business.patterns.values().any(|it| it.row.is_active);
    let steps = [
        (Profile, !sitter.is_some_and(has_person)),
        (ServiceArea, !sitter.is_some_and(has_area)),
        (Offerings, !sells),
        (Availability, !works),
    ];
    let left = steps.into_iter().filter(|(_, is_left)| *is_left);
    left.map(|(step, _)| step).collect()
}

/// How far the sitter's profile is (SPEC 3, Sitter profile status).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProfileStatus {
    /// True if the business has a profile.
    pub has_profile: bool,
    /// True if everything is set that clients and the calendar need.
    pub is_complete: bool,
    /// Steps that are still to be taken.
    pub steps_left: Vec<OnboardingStep>,
    /// The profile, if there is one.
    pub profile: Option<Sitter>,
}

/// The status of a profile that may not be there.
pub fn profile_status(business: &Business) -> ProfileStatus {
    let steps_left = steps_left(business);
    ProfileStatus {
        has_profile: business.sitter().is_some(),
        is_complete: steps_left.is_empty(),
        steps_left,
        profile: business.sitter().cloned(),
    }
}

/// A step and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OnboardingState {
    /// The step that the state is of.
    pub step: OnboardingStep,
    /// True if the step is done.
    pub is_done: bool,
    /// True if the calendar can be used without it.
    pub is_optional: bool,
}

/// How far a new sitter is (SPEC 7, Sitters).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OnboardingStatus {
    /// All of them, in their order.
    pub steps: Vec<OnboardingState>,
    /// The first that is needed and not taken.
    pub next: Option<OnboardingStep>,
    /// True if the calendar can be used.
    pub is_complete: bool,
}

/// How far the owner of a business is, who is signed in and has stored so many documents.
pub fn onboarding_status(business: &Business, documents: usize) -> OnboardingStatus {
    use OnboardingStep::{
        Account, Availability, Documents, Email, Offerings, Profile, ServiceArea,
    };
    let left = steps_left(business);
    let all = [
        Account,
        Email,
        Profile,
        ServiceArea,
        Documents,
        Offerings,
        Availability,
    ];
    let steps = all.map(|step| OnboardingState {
        step,
        is_done: if step == Documents {
            0 < documents
        } else {
            !left.contains(&step)
        },
        is_optional: step == Documents,
    });
    OnboardingStatus {
        steps: steps.into(),
        next: left.first().copied(),
        is_complete: left.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::sitter::starter_rows;
    use crate::{Id, Instant, Row};
    use OnboardingStep::{Availability, Documents, Offerings, Profile, ServiceArea};

    /// A business as a sign-up makes it, with these changes to its rows.
    fn business(change: impl Fn(&mut Row)) -> Business {
        let (name, email) = ("Mara".to_owned(), "mara@example.com".to_owned());
        let sitter = Sitter::new(Id::of(1), name, email, "UTC".to_owned(), Instant(0));
        let mut next = 1;
        let ids = || {
            next += 1;
            Id::of(next)
        };
        let rows = starter_rows(&sitter, ids, Instant(0));
        let mut business = Business::default();
        for mut row in std::iter::once(Row::Sitter(sitter)).chain(rows) {
            change(&mut row);
            business.put(1, row);
        }
        business
    }

    fn introduce(row: &mut Row) {
        if let Row::Sitter(sitter) = row {
            "555-0100-200".clone_into(&mut sitter.phone);
            "Park Slope".clone_into(&mut sitter.service_area_address);
        }
    }

    fn check(change: impl Fn(&mut Row), expected: &[OnboardingStep]) {
        assert_eq!(steps_left(&business(change)), expected);
    }

    #[test]
    fn a_sign_up_leaves_the_person_and_the_area_to_be_said() {
        check(|_| (), &[Profile, ServiceArea]);
        check(introduce, &[]);
    }

    #[test]
    fn who_has_nothing_for_sale_or_no_hours_is_not_ready() {
        let switch_off = |row: &mut Row| {
            introduce(row);
            match row {
                Row::Offering(it) => it.is_active = false,
                Row::Pattern(it) => it.is_active = false,
                _ => {}
            }
        };
        check(switch_off, &[Offerings, Availability]);
        let nothing = steps_left(&Business::default());
        assert_eq!(nothing, [Profile, ServiceArea, Offerings, Availability]);
    }

    #[test]
    fn documents_are_told_and_never_waited_for() {
        let status = onboarding_status(&business(introduce), 0);
        assert!(status.is_complete);
        assert_eq!(status.next, None);
        let done = |status: &OnboardingStatus| {
            let done = status.steps.iter().filter(|it| it.is_done);
            done.map(|it| it.step).collect::<Vec<_>>()
        };
        assert!(!done(&status).contains(&Documents));
        assert_eq!(done(&onboarding_status(&business(introduce), 1)).len(), 7);
        let begun = onboarding_status(&business(|_| ()), 0);
        assert_eq!(begun.next, Some(Profile));
        assert_eq!(
            done(&begun),
            [
                OnboardingStep::Account,
                OnboardingStep::Email,
                Offerings,
                Availability
            ]
        );
    }
}
