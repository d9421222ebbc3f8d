//! Owns what a command asks of the plan's limits: what must be known of them, and the refusal.

use crate::commands::decision::{Context, Need};
use crate::rows::row::{RowKey, TableName};
use crate::rows::service::Service;
use crate::rules::usage::{Limited, check_limit, is_limited, month_of, usage};
use crate::values::instant::MS_PER_DAY;
use crate::{Business, Date, Instant, Refusal};

/// Lists the rows needed to check a limit; for services, those of the month of `day`.
pub(super) fn needs(business: &Business, what: Limited, day: Date) -> Vec<Need> {
    let mut needs = vec![Need::Table(TableName::Sitter)];
    if is_limited(business, what) {
        let (first, last) = month_of(day);
        needs.push(match what {
            Limited::Clients => Need::Count(TableName::Client),
            Limited::Dogs => Need::Count(TableName::Pet),
            Limited::Services => Need::ServiceCountIn(first, last),
        });
    }
    needs
}

/// The need for the plan.
pub(super) fn needs_of_plan() -> Vec<Need> {
    vec![Need::Table(TableName::Sitter)]
}

/// Lists checks that the rows of an undo existed before, if the limit applies at all: a row that comes back is not
/// counted as added.
pub(super) fn needs_of_back(
    business: &Business,
    what: Limited,
    rows: impl IntoIterator<Item = RowKey>,
    ctx: &Context,
) -> Vec<Need> {
    // Of what was deleted before, the place may have been taken long since.
    let since = Instant(ctx.now.at.0 - DAY_MS);
    match is_limited(business, what) {
        true => rows
            .into_iter()
            .map(|it| Need::WasThereSince(it, since))
            .collect(),
        false => Vec::new(),
    }
}

/// How long a deletion can be undone without asking for room.
const DAY_MS: i64 = MS_PER_DAY;

/// Refuses so many more where the plan has no room for them. What is saved already stays on the screen until the server
/// has said so.
pub(super) fn check(
    business: &Business,
    ctx: &Context,
    what: Limited,
    day: Date,
    adding: usize,
) -> Result<(), Refusal> {
    if ctx.is_shown {
        return Ok(());
    }
    let room = check_limit(business, what, day, adding);
    let (month, _) = month_of(day);
    let is_other = what == Limited::Services && month != month_of(ctx.now.today()).0;
    room.map_err(|usage| Refusal::LimitReached {
        what,
        usage,
        month: is_other.then_some(month),
    })
}

/// The same for a cancelled service that counts again. Where there is more than the plan has room for, nothing can have taken
/// its place: a slip of the hand is undone all the same.
pub(super) fn check_again(
    business: &Business,
    ctx: &Context,
    service: &Service,
) -> Result<(), Refusal> {
    let usage = usage(business, Limited::Services, service.date);
    let cancelled_at = service.cancelled_at.unwrap_or_default();
    let is_slip = ctx.now.at.0 - cancelled_at.0 <= SLIP_MS && usage.limit < usage.current;
    let adding = usize::from(!is_slip);
    check(business, ctx, Limited::Services, service.date, adding)
}

/// The same of one of several, `before` of which have come back to its month already.
pub(super) fn check_all_again(
    business: &Business,
    ctx: &Context,
    service: &Service,
    before: usize,
) -> Result<(), Refusal> {
    check_again(business, ctx, service)?;
    let usage = usage(business, Limited::Services, service.date);
    // Where there is more than the plan has room for, all of it may come back.
    match 0 < before && usage.current <= usage.limit {
        true => check(business, ctx, Limited::Services, service.date, before + 1),
        false => Ok(()),
    }
}

/// By the server's clock: a phone may say of any day that it was the one.
const SLIP_MS: i64 = 10 * 60 * 1000;

/// Returns true if a row that the sender says comes back existed before. A phone trusts the sender; on a server,
/// `Business::never_there` holds the rows that did not exist.
pub(super) fn is_back(business: &Business, row: RowKey) -> bool {
    !business.never_there.contains(&row)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::commands::decide;
    use crate::rows::client::Client;
    use crate::rows::pet::Pet;
    use crate::rows::service::{Service, ServiceStatus};
    use crate::rows::sitter::Sitter;
    use crate::rows::subscription::{Subscription, SubscriptionStatus};
    use crate::rules::usage::no_room_for;
    use crate::values::zone::TimeZone;
    use crate::{Command, Decision, Id, Instant, Now, Row};

    /// 9:00 UTC on 2026-11-20, in milliseconds since 1970.
    const NOW: Instant = Instant(1_795_165_200_000);

    fn of_plan(subscription: Option<Subscription>) -> Business {
        let mut business = Business::default();
        let sitter = Sitter::new(Id::of(1), String::new(), String::new(), String::new(), NOW);
        let sitter = Sitter {
            subscription,
            ..sitter
        };
        business.put(1, Row::Sitter(sitter));
        business
    }

    fn free() -> Business {
        of_plan(Some(Subscription::free()))
    }

    /// So many clients with so many dogs each.
    fn add_clients(business: &mut Business, n: u128, dogs: u128) {
        for at in 0..n {
            let id = Id::of(100 + at);
            let mut client = Client::new(id, NOW);
            client.name = "Sam".to_owned();
            client.address = "1 Elm St".to_owned();
            client.phone = "555-123-4567".to_owned();
            business.put(1, Row::Client(client));
            for dog in 0..dogs {
                let mut pet = Pet::new(Id::of(1000 + at * 100 + dog), id);
                pet.name = "Rex".to_owned();
                business.put(1, Row::Pet(pet));
            }
        }
    }

    fn add_services(business: &mut Business, n: u128, date: &str, status: ServiceStatus) {
        for at in 0..n {
            let service = Service {
                date: date.parse().unwrap(),
                status,
                ..Service::new(Id::of(5000 + at), NOW)
            };
            business.put(1, Row::Service(service));
        }
    }

    fn run(business: &Business, name: &str, args: Value) -> Result<Decision, Refusal> {
        let Value::Object(args) = args else {
            unreachable!()
        };
        let now = Now {
            at: NOW,
            zone: TimeZone::UTC,
        };
        let command = Command::read(name, args).unwrap();
        decide(&command, business, &Context::at(now))
    }

    fn limit(decided: Result<Decision, Refusal>) -> Option<(Limited, i64, i64)> {
        match decided {
            Err(Refusal::LimitReached { what, usage, .. }) => {
                Some((what, usage.current, usage.limit))
            }
            Err(other) => panic!("{other:?}"),
            Ok(_) => None,
        }
    }

    fn dogs(ids: std::ops::Range<u128>) -> Vec<Value> {
        ids.map(|it| json!({ "id": Id::of(it), "is_new": true, "changes": { "name": "Ada" } }))
            .collect()
    }

    fn client(id: u128, n_dogs: u128) -> Value {
        let changes = json!({ "name": "Kim", "address": "1 Elm St", "phone": "555-123-4567", "email": "k@example.com" });
        json!({ "id": Id::of(id), "client": changes, "dogs": dogs(id + 1..id + 1 + n_dogs) })
    }

    fn service(date: &str) -> Value {
        json!({ "client_id": Id::of(100), "dog_ids": [Id::of(1000)], "date": date, "start_time": "10:00",
            "duration_minutes": 30, "service_type": "walk", "price": 20 })
    }

    #[test]
    fn a_client_more_than_the_plan_has_room_for_is_refused_and_one_less_is_not() {
        let mut business = free();
        add_clients(&mut business, 4, 1);
        let created = run(&business, "create_client", client(9000, 1));
        assert_eq!(limit(created), None);
        add_clients(&mut business, 5, 1);
        let created = run(&business, "create_client", client(9000, 1));
        assert_eq!(limit(created), Some((Limited::Clients, 5, 5)));
    }

    #[test]
    fn a_file_of_clients_comes_as_a_whole_or_not_at_all() {
        let mut business = free();
        add_clients(&mut business, 3, 1);
        let import = |n: u128, n_dogs: u128| {
            let clients: Vec<Value> = (0..n).map(|it| client(9000 + it * 100, n_dogs)).collect();
            limit(run(
                &business,
                "import_clients",
                json!({ "clients": clients }),
            ))
        };
        assert_eq!(import(2, 1), None);
        assert_eq!(import(3, 1), Some((Limited::Clients, 3, 5)));
        assert_eq!(import(2, 4), Some((Limited::Dogs, 3, 10)));
        let day = "2026-11-20".parse().unwrap();
        let room = |n| no_room_for(&business, Limited::Clients, day, n);
        assert_eq!(room(2), None);
        let two = "Your plan has room for 2 more clients.";
        assert_eq!(room(3).as_deref(), Some(two));
        add_clients(&mut business, 5, 1);
        let none = "Client Limit Reached. Your plan has room for 5 clients.";
        let room = no_room_for(&business, Limited::Clients, day, 1);
        assert_eq!(room.as_deref(), Some(none));
    }

    #[test]
    fn all_dogs_count_whether_they_come_with_a_client_or_to_one() {
        let mut business = free();
        add_clients(&mut business, 4, 2);
        let created = run(&business, "create_client", client(9000, 2));
        assert_eq!(limit(created), None);
        let created = run(&business, "create_client", client(9000, 3));
        assert_eq!(limit(created), Some((Limited::Dogs, 8, 10)));
        let update = |dogs: Vec<Value>, removed: Vec<Id>| {
            let args =
                json!({ "id": Id::of(100), "changes": {}, "dogs": dogs, "removed_dogs": removed });
            limit(run(&business, "update_client", args))
        };
        assert_eq!(update(dogs(9000..9002), vec![]), None);
        assert_eq!(
            update(dogs(9000..9003), vec![]),
            Some((Limited::Dogs, 8, 10))
        );
        assert_eq!(update(dogs(9000..9003), vec![Id::of(1000)]), None);
    }

    #[test]
    fn a_dog_of_which_nothing_is_known_takes_no_room() {
        let mut business = free();
        add_clients(&mut business, 4, 2);
        let blank = json!({ "id": Id::of(9500), "is_new": true, "changes": {} });
        let mut made = client(9000, 2);
        made["dogs"].as_array_mut().unwrap().push(blank.clone());
        assert_eq!(limit(run(&business, "create_client", made)), None);
        let mut more = dogs(9000..9002);
        more.push(blank);
        let args = json!({ "id": Id::of(100), "changes": {}, "dogs": more });
        assert_eq!(limit(run(&business, "update_client", args)), None);
    }

    #[test]
    fn services_count_in_the_month_of_their_date_and_cancelled_ones_do_not() {
        let mut business = free();
        add_clients(&mut business, 1, 1);
        add_services(&mut business, 30, "2026-11-30", ServiceStatus::Cancelled);
        let schedule = |business: &Business, date: &str| {
            let args = json!({ "id": Id::of(8), "service": service(date) });
            limit(run(business, "schedule_service", args))
        };
        assert_eq!(schedule(&business, "2026-11-21"), None);
        add_services(&mut business, 30, "2026-11-30", ServiceStatus::Completed);
        let full = Some((Limited::Services, 30, 30));
        assert_eq!(schedule(&business, "2026-11-21"), full);
        assert_eq!(schedule(&business, "2026-12-01"), None);
        let args = json!({ "id": Id::of(8), "service": service("2026-11-01") });
        assert_eq!(limit(run(&business, "record_service", args)), full);
        // Moved within its month, and into a full one.
        let mut other = Service {
            date: "2026-12-01".parse().unwrap(),
            client_id: Id::of(100),
            dog_ids: vec![Id::of(1000)],
            duration_minutes: 30,
            ..Service::new(Id::of(7), NOW)
        };
        business.put(1, Row::Service(other.clone()));
        let move_to = |business: &Business, date: &str| {
            let args = json!({ "id": Id::of(7), "changes": { "date": date }, "overlap_ok": true });
            limit(run(business, "update_service", args))
        };
        assert_eq!(move_to(&business, "2026-12-31"), None);
        assert_eq!(move_to(&business, "2026-11-30"), full);
        other.date = "2026-11-29".parse().unwrap();
        business.put(1, Row::Service(other));
        assert_eq!(move_to(&business, "2026-11-30"), None);
    }

    #[test]
    fn what_is_there_stays_and_is_worked_with_however_far_above_the_limit() {
        let mut business = free();
        add_clients(&mut business, 40, 1);
        let rename = json!({ "id": Id::of(100), "changes": { "access_notes": "Ring twice" } });
        run(&business, "update_client", rename).unwrap();
        add_services(&mut business, 90, "2026-11-20", ServiceStatus::Scheduled);
        for name in ["complete_service", "cancel_service"] {
            run(&business, name, json!({ "id": Id::of(5000) })).unwrap();
        }
    }

    #[test]
    fn what_comes_back_is_not_added_but_a_server_believes_only_its_own_graves() {
        let mut business = free();
        add_clients(&mut business, 5, 2);
        let back = client(9000, 2);
        assert_eq!(limit(run(&business, "restore_client", back.clone())), None);
        business.never_there.insert(RowKey {
            table: TableName::Client,
            id: Id::of(9000),
        });
        let refused = limit(run(&business, "restore_client", back.clone()));
        assert_eq!(refused, Some((Limited::Clients, 5, 5)));
        business.never_there.clear();
        business.never_there.insert(RowKey {
            table: TableName::Pet,
            id: Id::of(9001),
        });
        let refused = limit(run(&business, "restore_client", back));
        assert_eq!(refused, Some((Limited::Dogs, 10, 10)));

        add_services(&mut business, 30, "2026-11-30", ServiceStatus::Scheduled);
        let mut args =
            json!({ "id": Id::of(8), "service": service("2026-11-21"), "overlap_ok": true });
        let refused = limit(run(&business, "schedule_service", args.clone()));
        assert_eq!(refused, Some((Limited::Services, 30, 30)));
        args["brings_back"] = json!(true);
        assert_eq!(limit(run(&business, "schedule_service", args)), None);
    }

    #[test]
    fn a_cancelled_service_counts_again_only_where_there_is_room() {
        let mut business = free();
        add_clients(&mut business, 1, 1);
        let cancelled = |cancelled_at: i64| Service {
            date: "2026-11-21".parse().unwrap(),
            client_id: Id::of(100),
            dog_ids: vec![Id::of(1000)],
            duration_minutes: 30,
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(Instant(cancelled_at)),
            overlap_ok: true,
            ..Service::new(Id::of(7), NOW)
        };
        let run = |business: &Business, name: &str| {
            let args = json!({ "id": Id::of(7), "despite_cancel": true });
            limit(run(business, name, args))
        };
        business.put(1, Row::Service(cancelled(NOW.0)));
        add_services(&mut business, 29, "2026-11-30", ServiceStatus::Scheduled);
        for name in ["reopen_service", "complete_service"] {
            assert_eq!(run(&business, name), None);
        }
        add_services(&mut business, 30, "2026-11-30", ServiceStatus::Scheduled);
        let full = Some((Limited::Services, 30, 30));
        for name in ["reopen_service", "complete_service"] {
            assert_eq!(run(&business, name), full, "another has its place");
        }
        add_services(&mut business, 40, "2026-11-30", ServiceStatus::Scheduled);
        assert_eq!(run(&business, "reopen_service"), None, "a slip");
        business.put(1, Row::Service(cancelled(NOW.0 - 11 * 60 * 1000)));
        let above = Some((Limited::Services, 40, 30));
        assert_eq!(run(&business, "complete_service"), above);
    }

    #[test]
    fn a_refusal_names_the_month_that_is_full_where_it_is_another_one() {
        let mut business = free();
        add_clients(&mut business, 1, 1);
        let words = |business: &Business, date: &str| {
            let args = json!({ "id": Id::of(8), "service": service(date) });
            run(business, "schedule_service", args)
                .unwrap_err()
                .to_string()
        };
        add_services(&mut business, 30, "2026-11-30", ServiceStatus::Scheduled);
        assert_eq!(
            words(&business, "2026-11-21"),
            "Service Limit Reached. Your plan has room for 30 services a month."
        );
        add_services(&mut business, 30, "2027-01-04", ServiceStatus::Scheduled);
        assert_eq!(
            words(&business, "2027-01-05"),
            "Service Limit Reached. Your plan has room for 30 services a month. January 2027 is full."
        );
    }

    #[test]
    fn only_the_plan_in_force_limits() {
        let of = |plan: &str, status| Subscription {
            plan_id: plan.to_owned(),
            status,
            ..Subscription::free()
        };
        for (subscription, is_limited) in [
            (None, false),
            (Some(Subscription::free()), true),
            (Some(of("solo", SubscriptionStatus::Active)), false),
            (Some(of("pro", SubscriptionStatus::Trialing)), false),
            (Some(of("pro", SubscriptionStatus::PastDue)), false),
            (Some(of("pro", SubscriptionStatus::Inactive)), true),
            (Some(of("of_next_year", SubscriptionStatus::Active)), false),
        ] {
            let mut business = of_plan(subscription.clone());
            add_clients(&mut business, 5, 1);
            let created = run(&business, "create_client", client(9000, 1));
            assert_eq!(limit(created).is_some(), is_limited, "{subscription:?}");
        }
    }

    #[test]
    fn what_must_be_known_is_asked_only_where_the_plan_has_a_limit() {
        let day = "2026-02-10".parse().unwrap();
        let known = needs(&of_plan(None), Limited::Services, day);
        assert_eq!(known, [Need::Table(TableName::Sitter)]);
        let known = needs(&free(), Limited::Services, day);
        let month = ("2026-02-01".parse().unwrap(), "2026-02-28".parse().unwrap());
        assert!(known.contains(&Need::ServiceCountIn(month.0, month.1)));
    }
}
