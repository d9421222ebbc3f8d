//! Owns the command that moves several visits of a day at once.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, Shows};
use crate::commands::series::is_open;
use crate::rows::row::{Change, Row, TableName};
use crate::rows::service::{Service, StartWindow};
use crate::rules::conflict::{self, ConflictRequest};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::{Business, Date, Id, Refusal, Time};

/// A visit with another start on its day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MovedVisit {
    /// Id of the service.
    pub id: Id,
    /// Start on the plan that the person saw.
    pub planned: Time,
    /// The new start.
    pub start_time: Time,
    /// The agreed window that it gets back, in an undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<StartWindow>,
}

read_by_field!(MovedVisit { id, planned, start_time } or default { window });

/// Moves visits of a day to other times of it, all of them or none; a repeat changes nothing. Refused if one of them is not
/// where the person saw it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveVisits {
    /// Day of the visits.
    pub date: Date,
    /// The visits that move.
    pub moved: Vec<MovedVisit>,
}

read_by_field!(MoveVisits { date, moved });

impl Intent for MoveVisits {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            // Whatever may be in the way.
            Need::ServicesBetween(self.date.plus_days(-1), self.date.plus_days(1)),
            Need::Table(TableName::Pattern),
            Need::Table(TableName::BlockedTime),
        ]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let (mut seen, mut after) = (BTreeSet::new(), Vec::new());
        let (mut is_changed, mut is_done) = (false, true);
        for visit in self.moved.iter().filter(|it| seen.insert(it.id)) {
            let service = business.service(visit.id).ok_or(Refusal::Gone)?;
            is_changed |= !is_open(service)
                || service.end_date.is_some()
                || (service.date, service.start_time) != (self.date, visit.planned);
            is_done &= (service.date, service.start_time) == (self.date, visit.start_time);
            // An overlap was confirmed at the start that it had.
            let overlap_ok = service.overlap_ok && visit.start_time == service.start_time;
            let mut moved = Service {
                start_time: visit.start_time,
                overlap_ok,
                ..service.clone()
            };
            moved.restore_window(visit.window);
            after.push(moved);
        }
        if is_done {
            return Ok(Decision::default());
        }
        let mut errors = FieldErrors::default();
        errors.check(
            is_changed,
            "moved",
            "The day has changed since: please look at it again",
        );
        errors.or(())?;
        if !ctx.is_shown {
            let day = self.day_after(business, &after);
            for service in after.iter().filter(|it| !it.overlap_ok) {
                conflict::refuse(&day, &ConflictRequest::of(service), &ctx.now)?;
            }
        }
        let changes: Vec<Change> = after.into_iter().map(Change::from).collect();
        Ok(changes.into())
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Made(TableName::Service),
            ..About::of("Day", Effect::Marks)
        }
    }
}

impl MoveVisits {
    /// The services that may be in the way of a visit once all of them have moved.
    fn day_after(&self, business: &Business, after: &[Service]) -> Business {
        let mut day = Business::default();
        let (first, last) = (self.date.plus_days(-1), self.date.plus_days(1));
        let services = business.services_between(first, last).into_iter().cloned();
        services.for_each(|it| day.put(0, Row::Service(it)));
        let patterns = business.patterns.values().map(|it| it.row.clone());
        patterns.for_each(|it| day.put(0, Row::Pattern(it)));
        let blocked = business.blocked_times.values().map(|it| it.row.clone());
        blocked.for_each(|it| day.put(0, Row::BlockedTime(it)));
        for service in after {
            day.put(0, Row::Service(service.clone()));
        }
        day
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::service::{Progress, ProgressStep};
    use crate::values::zone::TimeZone;
    use crate::{Instant, Now};

    fn ctx() -> Context {
        Context::at(Now {
            at: "2026-11-20T09:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        })
    }

    fn business(starts: &[(u128, &str)]) -> Business {
        let mut business = Business::default();
        for (id, start) in starts {
            let service = Service {
                date: ctx().today(),
                start_time: start.parse().unwrap(),
                ..Service::new(Id::of(*id), Instant(0))
            };
            business.put(1, Row::Service(service));
        }
        business
    }

    fn moves(moved: &[(u128, &str, &str)]) -> MoveVisits {
        let moved = moved.iter().map(|(id, planned, start)| MovedVisit {
            id: Id::of(*id),
            planned: planned.parse().unwrap(),
            start_time: start.parse().unwrap(),
            window: None,
        });
        MoveVisits {
            date: ctx().today(),
            moved: moved.collect(),
        }
    }

    #[test]
    fn visits_change_places_and_back() {
        let mut business = business(&[(1, "12:00"), (2, "13:00")]);
        let there = moves(&[(1, "12:00", "13:00"), (2, "13:00", "12:00")]);
        let decision = there.decide(&business, &ctx()).unwrap();
        assert_eq!(decision.changes.len(), 2);
        business.apply(2, &decision.changes);
        assert_eq!(there.decide(&business, &ctx()), Ok(Decision::default()));
        let back = moves(&[(1, "13:00", "12:00"), (2, "12:00", "13:00")]);
        business.apply(3, &back.decide(&business, &ctx()).unwrap().changes);
        let start = |id| business.service(Id::of(id)).unwrap().start_time.to_string();
        assert_eq!(
            (start(1), start(2)),
            ("12:00".to_owned(), "13:00".to_owned())
        );
    }

    #[test]
    fn a_day_that_has_changed_or_is_taken_stays_as_it_is() {
        let code = |business: &Business, command: MoveVisits| {
            command.decide(business, &ctx()).unwrap_err().code()
        };
        let day = business(&[(1, "12:00"), (2, "13:00")]);
        assert_eq!(code(&day, moves(&[(1, "11:00", "15:00")])), "invalid");
        assert_eq!(code(&day, moves(&[(1, "12:00", "13:15")])), "conflict");
        assert_eq!(code(&day, moves(&[(3, "12:00", "15:00")])), "gone");
    }

    #[test]
    fn a_visit_that_leaves_its_agreed_window_has_none() {
        let mut day = business(&[(1, "12:00")]);
        let agreed = Service {
            window_from: Some("11:00".parse().unwrap()),
            window_to: Some("13:00".parse().unwrap()),
            ..day.service(Id::of(1)).unwrap().clone()
        };
        day.put(1, Row::Service(agreed));
        let window = |start: &str| {
            let decision = moves(&[(1, "12:00", start)]).decide(&day, &ctx()).unwrap();
            let mut after = day.clone();
            after.apply(2, &decision.changes);
            after.service(Id::of(1)).unwrap().window()
        };
        assert!(window("13:00").is_some());
        assert_eq!(window("13:15"), None);
    }

    #[test]
    fn the_undo_of_a_move_gives_the_agreed_window_back() {
        let agreed = Service {
            window_from: Some("11:00".parse().unwrap()),
            window_to: Some("13:00".parse().unwrap()),
            ..business(&[(1, "12:00")])
                .service(Id::of(1))
                .unwrap()
                .clone()
        };
        let mut day = business(&[]);
        day.put(1, Row::Service(agreed.clone()));
        let there = moves(&[(1, "12:00", "15:00")]);
        day.apply(2, &there.decide(&day, &ctx()).unwrap().changes);
        let mut back = moves(&[(1, "15:00", "12:00")]);
        back.moved[0].window = agreed.start_window();
        day.apply(3, &back.decide(&day, &ctx()).unwrap().changes);
        assert_eq!(day.service(Id::of(1)), Some(&agreed));
        // A window that the start does not lie in is none.
        back = moves(&[(1, "12:00", "14:00")]);
        back.moved[0].window = agreed.start_window();
        day.apply(4, &back.decide(&day, &ctx()).unwrap().changes);
        assert_eq!(day.service(Id::of(1)).unwrap().window(), None);
    }

    #[test]
    fn a_visit_that_was_confirmed_to_overlap_is_checked_at_its_new_time() {
        let mut day = business(&[(1, "12:00"), (2, "12:15"), (3, "14:00")]);
        let confirmed = Service {
            overlap_ok: true,
            ..day.service(Id::of(1)).unwrap().clone()
        };
        day.put(1, Row::Service(confirmed));
        let refused = moves(&[(1, "12:00", "14:15")]).decide(&day, &ctx());
        assert_eq!(refused.unwrap_err().code(), "conflict");
        let overlap_ok = |start: &str| {
            let both = moves(&[(1, "12:00", start), (3, "14:00", "15:00")]);
            let mut after = day.clone();
            after.apply(2, &both.decide(&day, &ctx()).unwrap().changes);
            after.service(Id::of(1)).unwrap().overlap_ok
        };
        assert!(overlap_ok("12:00"));
        assert!(!overlap_ok("16:00"));
    }

    #[test]
    fn a_visit_that_is_invoiced_paid_or_on_the_way_stays() {
        let day = business(&[(1, "12:00")]);
        let visit = day.service(Id::of(1)).unwrap();
        let fixed = [
            Service {
                paid: true,
                ..visit.clone()
            },
            Service {
                invoice_id: Some(Id::of(9)),
                ..visit.clone()
            },
            Service {
                progress: Some(Progress::new(ProgressStep::OnTheWay, Instant(0))),
                ..visit.clone()
            },
        ];
        for service in fixed {
            let mut day = day.clone();
            day.put(2, Row::Service(service));
            let refused = moves(&[(1, "12:00", "15:00")]).decide(&day, &ctx());
            assert_eq!(refused.unwrap_err().code(), "invalid");
        }
    }
}
