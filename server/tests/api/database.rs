//! The layer below the calls: the schema on both databases, and each function's story.

use std::collections::BTreeSet;

use sqlx::Row as _;
use walkies_core::api::Role;
use walkies_core::commands::decision::Need;
use walkies_core::rows::availability_config::AvailabilityConfig;
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::business::FieldChange;
use walkies_core::rows::client::{Client, Parent};
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::expense::Expense;
use walkies_core::rows::invoice::{
    Invoice, InvoiceClient, InvoiceData, InvoicePayment, InvoiceRefund, WriteOff,
};
use walkies_core::rows::message::{Message, MessageType, Side};
use walkies_core::rows::offering::Offering;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::report::{Report, ReportContent};
use walkies_core::rows::series::{
    Series, SeriesDate, SeriesEnd, SeriesPause, SeriesPhase, SeriesRule, SeriesSlot, Trip,
};
use walkies_core::rows::service::{PriceOverride, Service, ServiceType};
use walkies_core::rows::shared_mail::{SharedMail, SharedMailState, VisitMail};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use walkies_core::values::miles::Miles;
use walkies_core::values::report_kind::ReportKind;
use walkies_core::{Business, Cents, Date, Id, Instant, Row, RowKey, TableName, Time, Versioned};
use walkies_server::db::{
    self, Account, Db, FeedScope, FeedSpan, MailJob, MutationRow, PhotoRow, Tx,
};
use walkies_server::jobs::cleanup;

use crate::on_both;
use crate::support::{DAY, TestApp, fresh_schema, postgres_url, settings, sqlite_db, walk};

const AT: Instant = Instant(1_795_165_200_123);

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

/// All of a part of the feed, as for a phone that has seen what was before it.
const fn span(after: u64, until: u64) -> FeedSpan {
    FeedSpan {
        after,
        until,
        has_rows: true,
        has_departures: 0 < after,
    }
}

async fn news_between(tx: &mut Tx, sitter_id: Id, after: u64, until: u64) -> db::FeedChanges {
    let span = span(after, until);
    db::feed_changes(tx, sitter_id, FeedScope::Sitter, Id::of(1), span)
        .await
        .unwrap()
}

/// One row of each table, with something in every field.
fn rows(sitter_id: Id) -> Vec<Row> {
    let mut sitter = Sitter::new(
        sitter_id,
        "Dana".into(),
        "dana@example.com".into(),
        "Europe/Helsinki".into(),
        AT,
    );
    sitter.photo = Some(Id::of(77));
    sitter.mails_changes = true;
    sitter.service_area_lat = Some(60.170_123_456_789);
    let mut client = Client::new(Id::of(1), AT);
    client.name = "Sam 🐕 O'Hara".into();
    client.pricing_walk = Cents(31_05);
    client.client_user_id = Some(Id::of(9));
    client.parents = vec![Parent {
        user_id: Id::of(9),
        name: "\"Sam\"".into(),
        email: "sam@example.com".into(),
        linked_at: Some(AT),
    }];
    client.lng = Some(-0.1);
    client.books_at_once = true;
    client.how_to_get_in = "Code \"7731\"".into();
    let mut pet = Pet::new(Id::of(2), client.id);
    pet.name = "Rex".into();
    pet.weight = Some(41.5);
    pet.birthday = Some(date("2020-02-29"));
    let mut offering = Offering::new(Id::of(3), AT);
    offering.name = "Taxi".into();
    offering.duration_minutes = Some(45);
    let mut block = BlockedTime::new(Id::of(5), date("2026-12-24"));
    block.recurrence_pattern = Some(walkies_core::rows::blocked_time::Recurrence::Monthly);
    block.recurrence_end_date = Some(date("2027-12-24"));
    let mut service = Service::new(Id::of(6), AT);
    service.client_id = client.id;
    service.dog_ids = vec![pet.id, Id::of(22)];
    service.dogs = vec!["Rex".into(), "\"Mia\"".into()];
    service.date = date("2026-11-23");
    service.price = Cents(25_50);
    service.paid = true;
    service.offering_id = Some(offering.id);
    service.offering_name = "Overnight".into();
    service.series_id = Some(Id::of(14));
    service.series_slot = Some(Id::of(96));
    service.series_date = Some(date("2026-11-24"));
    service.series_off = true;
    service.end_date = Some(date("2026-11-25"));
    service.price_override = Some(PriceOverride {
        amount: Cents(25_50),
        reason: "\"Holiday\"".into(),
        tells_reason: true,
    });
    service.credited_invoice_id = Some(Id::of(94));
    service.completed_at = Some(AT);
    service.cancel_reason = "\"Flu\"".into();
    service.tells_cancel_reason = true;
    service.mailed = Some(VisitMail {
        client_id: client.id,
        to: "sam@example.com".into(),
        state: SharedMailState::Failed,
        at: AT,
    });
    let request = WalkRequest {
        id: Id::of(7),
        client_id: client.id,
        status: RequestStatus::Pending,
        requested_date: date("2026-11-24"),
        requested_start_time: Time::hour(9),
        requested_duration_minutes: 30,
        service_type: ServiceType::Dropin,
        dog_ids: vec![pet.id],
        message: "Please".into(),
        sitter_response: String::new(),
        estimated_price: Cents(30_00),
        scheduled_service_id: None,
        created_at: AT,
        answered_at: Some(AT),
        subject: Some(RequestSubject::PauseSeries {
            series_id: Id::of(8),
            from: date("2026-11-20"),
            to: date("2026-11-24"),
        }),
        offering_id: Some(Id::of(95)),
        requested_end_date: Some(date("2026-11-26")),
        requested_departure_time: Some(Time::hour(10)),
        asked_by: Some(Id::of(9)),
        group_id: Some(Id::of(96)),
        is_wish: true,
        booked_at_once: true,
    };
    let report = Report {
        passed_on_at: Some(AT),
        mailed: Some(SharedMail {
            to: "dana@example.com".into(),
            state: SharedMailState::Failed,
            at: AT,
        }),
        opened_at: Some(AT),
        id: Id::of(8),
        walk_id: Id::of(80),
        client_id: client.id,
        kind: ReportKind::Visit,
        dogs: service.dogs.clone(),
        service_ids: vec![service.id],
        started_at: AT,
        share_id: Some(format!("secret of {sitter_id}")),
        shared_at: AT,
        content: ReportContent {
            note: "Pepper was \"brave\"".into(),
            ..ReportContent::default()
        },
    };
    let conversation = Conversation {
        client_name: "\"Dana\"".into(),
        sitter_count: 3,
        client_count: 2,
        sitter_read: 1,
        client_read: 3,
        sitter_read_at: Some(AT),
        archived_by_client: true,
        last_message_content: "On my way".into(),
        last_message_type: MessageType::Image,
        last_message_sender_type: Side::Client,
        last_message_created_at: Some(AT),
        ..Conversation::new(client.id, AT)
    };
    let message = Message {
        number: 5,
        sender_number: 2,
        sender_type: Side::Client,
        client_user_id: Some(Id::of(90)),
        message_type: MessageType::Image,
        content: "It's \"fine\"".into(),
        photo: Some(Id::of(91)),
        ..Message::new(Id::of(9), client.id, AT)
    };
    let invoice = Invoice {
        id: Id::of(10),
        client_id: client.id,
        number: Some(7),
        prefix: "\"INV\"-".into(),
        share_id: Some(format!("secret of an invoice of {sitter_id}")),
        paid: true,
        issued_on: date("2026-11-26"),
        due_date: Some(date("2026-12-10")),
        client_data: InvoiceClient {
            name: client.name.clone(),
            ..InvoiceClient::default()
        },
        invoice_data: InvoiceData {
            photos: vec![Id::of(91)],
            note: "It was \"fun\"".into(),
            ..InvoiceData::default()
        },
        total: Cents(25_50),
        payments: vec![InvoicePayment {
            id: Id::of(92),
            amount: Cents(25_50),
            ..InvoicePayment::default()
        }],
        refunds: vec![InvoiceRefund {
            id: Id::of(95),
            amount: Cents(5_25),
            note: "\"Back\"".into(),
            ..InvoiceRefund::default()
        }],
        credits: Some(Id::of(93)),
        write_off: Some(WriteOff {
            amount: Cents(3_75),
            written_off_on: date("2026-11-20"),
            note: "\"Gone\"".into(),
        }),
        reminded_at: Some(AT),
        shared_at: AT,
        passed_on_at: Some(AT),
        mailed: Some(SharedMail {
            to: "sam@example.com".into(),
            state: SharedMailState::Sent,
            at: AT,
        }),
        opened_at: Some(AT),
        deleted_at: Some(AT),
        ..Invoice::default()
    };
    let mut expense = Expense::new(Id::of(13), date("2026-11-20"), AT);
    expense.miles = Some(Miles(124));
    expense.amount = Some(Cents(7_25));
    expense.note = "\"Tolls\"".into();
    let slot = SeriesDate {
        date: date("2026-11-24"),
        slot: Id::of(96),
    };
    let series = Series {
        client_id: client.id,
        client_name: "\"Sam\"".into(),
        end: SeriesEnd::After { visits: 12 },
        phases: vec![SeriesPhase {
            rule: SeriesRule::MonthlyWeekday { nth: 5, weekday: 2 },
            slots: vec![SeriesSlot::new(slot.slot)],
            dog_ids: vec![pet.id],
            notes: "\"Long\"".into(),
            ..SeriesPhase::new(slot.date)
        }],
        pauses: vec![SeriesPause {
            reason: "\"Away\"".into(),
            ..SeriesPause::new(Id::of(97), slot.date)
        }],
        left_out: vec![slot],
        waiting: vec![slot],
        made_until: slot.date,
        due_on: Some(slot.date),
        trip: Some(Trip {
            first_slot: Some(slot.slot),
            total: Some(Cents(18_000)),
            booked_for: slot.date,
            ..Trip::new(Date::default())
        }),
        ..Series::new(Id::of(14), AT)
    };
    vec![
        Row::Sitter(sitter),
        Row::Client(client),
        Row::Pet(pet),
        Row::Offering(offering),
        Row::Pattern(Pattern::new(Id::of(4))),
        Row::BlockedTime(block),
        Row::AvailabilityConfig(AvailabilityConfig::new(sitter_id)),
        Row::Series(series),
        Row::Service(service),
        Row::WalkRequest(request),
        Row::Report(report),
        Row::Conversation(conversation),
        Row::Message(message),
        Row::Invoice(invoice),
        Row::Expense(expense),
    ]
}

async fn business(tx: &mut Tx, sitter_id: Id) {
    db::insert_sitter(tx, sitter_id, AT).await.unwrap();
    for row in rows(sitter_id) {
        db::write_row(tx, sitter_id, 1, &row).await.unwrap();
    }
}

fn account(number: u128, email: &str, sitter_id: Option<Id>) -> Account {
    let role = if sitter_id.is_some() {
        Role::Sitter
    } else {
        Role::Client
    };
    Account {
        id: Id::of(number),
        email: email.to_owned(),
        name: "Dana".to_owned(),
        role,
        roles: vec![role],
        sitter_id,
        password_hash: "$argon2id$".to_owned(),
        created_at: AT,
    }
}

on_both! {
    #[always]
    async fn what_is_due_is_postponed_and_what_is_later_stays(app: TestApp) {
        let sitter_id = app.sitter("Dana").await.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        db::insert_billing_customer(&mut tx, sitter_id, "cus_1").await.unwrap();
        let due = async |tx: &mut Tx, now: i64| {
            db::due_billing_customers(tx, Instant(now), 10).await.unwrap().len()
        };
        db::set_billing_due(&mut tx, sitter_id, Some(Instant(10))).await.unwrap();
        db::postpone_billing_due(&mut tx, sitter_id, Instant(9), Instant(20)).await.unwrap();
        assert_eq!(due(&mut tx, 10).await, 1, "it was not due yet");
        db::postpone_billing_due(&mut tx, sitter_id, Instant(10), Instant(20)).await.unwrap();
        assert_eq!((due(&mut tx, 10).await, due(&mut tx, 20).await), (0, 1));
    }

    #[always]
    async fn invoices_are_listed_by_client_and_accounts_found_by_device(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await.0;
        let listed = dana.get(&format!("/invoices?client_id={client}")).await;
        assert_eq!(listed.status, 200, "{}", listed.body);
        let mut tx = app.state.db.write().await.unwrap();
        db::upsert_device(&mut tx, "hash", dana.user_id, AT).await.unwrap();
        let email = db::email_of_device(&mut tx, "hash").await.unwrap();
        assert_eq!(email, Some(dana.email.clone()));
        assert_eq!(db::email_of_device(&mut tx, "another").await.unwrap(), None);
    }

    #[always]
    async fn invitations_phones_and_messages_are_counted(app: TestApp) {
        let mut tx = app.state.db.write().await.unwrap();
        let before = db::count_invitations(&mut tx, Instant(10)).await.unwrap();
        let invitation = db::Invitation { email: None };
        for (hash, expires_at) in [("a", 9), ("b", 10), ("c", 11)] {
            db::insert_invitation(&mut tx, hash, &invitation, Instant(expires_at)).await.unwrap();
        }
        assert_eq!(db::count_invitations(&mut tx, Instant(10)).await.unwrap() - before, 2);
        assert_eq!(db::count_push(&mut tx).await.unwrap(), (0, 0));
    }

    #[always]
    async fn a_business_gets_another_name_of_its_history_once(app: TestApp) {
        let sitter_id = app.sitter("Dana").await.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        let name = async |tx: &mut Tx| {
            let named = "SELECT backend_id FROM sitter WHERE backend_id IS NOT NULL";
            tx.fetch_optional(named, [], |it| it.text("backend_id")).await.unwrap().flatten()
        };
        db::replace_backend_id(&mut tx, sitter_id, None, Id::of(1)).await.unwrap();
        db::replace_backend_id(&mut tx, sitter_id, None, Id::of(2)).await.unwrap();
        assert_eq!(name(&mut tx).await, Some(Id::of(1).to_string()), "it was told already");
        db::replace_backend_id(&mut tx, sitter_id, Some(Id::of(1)), Id::of(2)).await.unwrap();
        assert_eq!(name(&mut tx).await, Some(Id::of(2).to_string()));
    }

    #[always]
    async fn revisions_are_called_as_the_first_of_their_run_is(app: TestApp) {
        let sitter_id = app.sitter("Dana").await.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        for (rev, run) in [(10, 1), (11, 1), (12, 2), (13, 2), (14, 3)] {
            let mut turn = db::next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap();
            turn.rev = rev;
            db::set_revision_id(&mut tx, sitter_id, &turn, Id::of(run)).await.unwrap();
        }
        let mut names = Vec::new();
        for rev in 9..16 {
            names.push(db::revision_id(&mut tx, sitter_id, rev).await.unwrap());
        }
        assert_eq!(names[1..], [1, 1, 2, 2, 3, 3].map(|it| Some(Id::of(it))));
        assert!(names[0].is_none_or(|it| it != Id::of(1)));
        let named = "SELECT count(*) AS number FROM revision WHERE rev BETWEEN 10 AND 20";
        let n_rows = tx.fetch_one(named, [], |it| it.int("number")).await.unwrap();
        assert_eq!(n_rows, Some(3), "what has the same name is not written again");
    }

    #[always]
    async fn the_newest_names_of_revisions_are_kept(app: TestApp) {
        let sitter_id = app.sitter("Dana").await.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        for rev in 10..1_015 {
            let turn = db::next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap();
            let turn = db::NextRevision { rev, ..turn };
            db::set_revision_id(&mut tx, sitter_id, &turn, Id::of(u128::from(rev))).await.unwrap();
        }
        assert_eq!(db::revision_id(&mut tx, sitter_id, 14).await.unwrap(), None);
        for rev in [15, 500, 1_014] {
            assert_eq!(db::revision_id(&mut tx, sitter_id, rev).await.unwrap(), Some(Id::of(u128::from(rev))));
        }
    }

    #[always]
    async fn every_row_comes_back_as_it_was_written(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        for row in rows(sitter_id) {
            let table = row.key().table;
            let found = db::rows_of(&mut tx, table, sitter_id).await.unwrap();
            assert_eq!(found, [Versioned { rev: 1, row: row.clone() }], "{table:?}");
            db::write_row(&mut tx, sitter_id, 5, &row).await.unwrap();
            let found = db::rows_of(&mut tx, table, sitter_id).await.unwrap();
            assert_eq!(found, [Versioned { rev: 5, row }], "written again, it is the same row");
        }
        assert_eq!(rows(sitter_id).len(), TableName::ALL.len());
        assert_eq!(db::select_one::<Client>(&mut tx, sitter_id, Id::of(1)).await.unwrap().unwrap().rev, 5);
        assert!(db::select_one::<Client>(&mut tx, Id::of(101), Id::of(1)).await.unwrap().is_none());
        tx.commit().await.unwrap();
    }

    #[always]
    async fn a_row_that_was_deleted_leaves_a_tombstone(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        for (n, row) in rows(sitter_id).iter().enumerate() {
            let rev = 2 + n as u64;
            db::delete_row(&mut tx, sitter_id, rev, row.key(), AT).await.unwrap();
            assert!(db::rows_of(&mut tx, row.key().table, sitter_id).await.unwrap().is_empty());
            let gone = news_between(&mut tx, sitter_id, rev - 1, rev).await.tombstones;
            let gone: Vec<_> = gone.iter().map(|it| (it.table_name.as_str(), it.id, it.rev)).collect();
            assert_eq!(gone, [(row.key().table.name(), row.key().id, rev)]);
        }
        db::raise_tombstone_floors(&mut tx, AT).await.unwrap();
        assert!(!db::collect_tombstones(&mut tx, AT).await.unwrap());
        assert_eq!(db::feed_state(&mut tx, sitter_id).await.unwrap().unwrap().tombstone_floor, 0);
        let later = Instant(AT.0 + 1);
        db::raise_tombstone_floors(&mut tx, later).await.unwrap();
        assert!(db::collect_tombstones(&mut tx, later).await.unwrap());
        assert!(!db::collect_tombstones(&mut tx, later).await.unwrap());
        assert_eq!(db::feed_state(&mut tx, sitter_id).await.unwrap().unwrap().tombstone_floor, 1 + TableName::ALL.len() as u64);
        assert!(news_between(&mut tx, sitter_id, 1, 99).await.tombstones.is_empty());
        tx.commit().await.unwrap();
    }

    #[always]
    async fn a_command_gets_the_rows_that_it_needs(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        let (client, service) = (Id::of(1), Id::of(6));
        let key = RowKey { table: TableName::Client, id: client };
        for (need, loaded) in [
            (Need::Row(key), 1),
            (Need::Row(RowKey { table: TableName::Client, id: service }), 0),
            (Need::Table(TableName::Offering), 1),
            (Need::PetsOf(client), 1),
            (Need::PetsOf(service), 0),
            (Need::ServicesBetween(date("2026-11-22"), date("2026-11-23")), 1),
            (Need::ServicesBetween(date("2026-11-24"), date("2026-11-25")), 0),
            (Need::ServicesOfClientFrom(client, date("2026-11-23")), 1),
            // A stay goes on until its last day.
            (Need::ServicesOfClientFrom(client, date("2026-11-25")), 1),
            (Need::ServicesOfClientFrom(client, date("2026-11-26")), 0),
            (Need::StaysBetween(date("2026-11-20"), date("2026-11-23")), 1),
            (Need::StaysBetween(date("2026-11-25"), date("2026-11-30")), 1),
            (Need::StaysBetween(date("2026-11-26"), date("2026-11-30")), 0),
            (Need::ServiceWithOffering(Id::of(3)), 1),
            (Need::ServiceWithOffering(Id::of(33)), 0),
            (Need::RequestWithOffering(Id::of(95)), 1),
            (Need::RequestWithOffering(Id::of(33)), 0),
            (Need::ReportsOf(Id::of(80)), 1),
            (Need::ReportsOf(Id::of(8)), 0),
            (Need::ExpensesOn(date("2026-11-20")), 1),
            (Need::ExpensesOn(date("2026-11-21")), 0),
        ] {
            let mut known = Business::default();
            db::load(&mut tx, sitter_id, std::slice::from_ref(&need), None, &mut known).await.unwrap();
            assert_eq!(known.rows().count(), loaded, "{need:?}");
            let mut elsewhere = Business::default();
            db::load(&mut tx, Id::of(101), std::slice::from_ref(&need), None, &mut elsewhere).await.unwrap();
            assert_eq!(elsewhere.rows().count(), 0, "{need:?} of another business");
        }
        let photo = PhotoRow { id: Id::of(50), file_id: Id::of(51), source_hash: "ab".to_owned(), size_bytes: 7, client_id: None };
        let mut known = Business::default();
        db::load(&mut tx, sitter_id, &[Need::Photo(photo.id)], None, &mut known).await.unwrap();
        assert_eq!(known.missing_photos, BTreeSet::from([photo.id]));
        assert!(db::insert_photo(&mut tx, sitter_id, &photo, AT).await.unwrap());
        assert!(!db::insert_photo(&mut tx, sitter_id, &photo, AT).await.unwrap());
        assert!(db::photo_exists(&mut tx, sitter_id, photo.id).await.unwrap());
        assert_eq!(db::find_photo(&mut tx, sitter_id, photo.id).await.unwrap(), Some(photo.clone()));
        let mut known = Business::default();
        db::load(&mut tx, sitter_id, &[Need::Photo(photo.id)], None, &mut known).await.unwrap();
        assert!(known.missing_photos.is_empty());

        let change = |field: &str, value: i64| FieldChange {
            key, field: field.to_owned(), value: value.into(), by: Some(Side::Client), at: AT,
            added: Vec::new(),
        };
        let (one, two) = (Some(Id::of(60)), Some(Id::of(61)));
        db::insert_history(&mut tx, sitter_id, 2, &[change("a", 1), change("b", 1)], one, Side::Client, AT).await.unwrap();
        db::insert_history(&mut tx, sitter_id, 3, &[change("a", 2)], None, Side::Client, AT).await.unwrap();
        db::insert_history(&mut tx, sitter_id, 4, &[change("c", 3)], two, Side::Client, AT).await.unwrap();
        db::insert_history(&mut tx, sitter_id, 5, &[], two, Side::Client, AT).await.unwrap();
        for (base, device, expected) in [
            (1, two, vec![change("a", 2), change("b", 1)]),
            (2, two, vec![change("a", 2)]),
            (1, one, vec![change("a", 2), change("c", 3)]),
            (4, one, vec![]),
        ] {
            let mut known = Business::default();
            db::load(&mut tx, sitter_id, &[Need::FieldChanges(key)], Some(db::Seen { base_rev: base, device_id: device }), &mut known).await.unwrap();
            known.field_changes.sort_by(|a, b| a.field.cmp(&b.field));
            assert_eq!(known.field_changes, expected, "{base} {device:?}");
        }
        tx.commit().await.unwrap();
    }

    #[always]
    async fn one_write_transaction_takes_one_revision_of_its_business(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        assert_eq!(db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap(), None);
        assert_eq!(db::feed_state(&mut tx, sitter_id).await.unwrap(), None);
        business(&mut tx, sitter_id).await;
        tx.commit().await.unwrap();
        let calls = (0..20).map(|_| {
            let db = app.state.db.clone();
            tokio::spawn(async move {
                let mut tx = db.write().await.unwrap();
                let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
                tx.commit().await.unwrap();
                rev
            })
        });
        let mut revs = BTreeSet::new();
        for call in calls.collect::<Vec<_>>() {
            revs.insert(call.await.unwrap());
        }
        assert_eq!(revs, (2..=21).collect());
        let mut tx = app.state.db.write().await.unwrap();
        db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap();
        tx.rollback().await.unwrap();
        let mut tx = app.state.db.read().await.unwrap();
        assert_eq!(db::feed_state(&mut tx, sitter_id).await.unwrap().unwrap().rev, 21);
        let n_rows = u32::try_from(TableName::ALL.len()).unwrap();
        assert_eq!(news_between(&mut tx, sitter_id, 0, 1).await.rows.len(), n_rows as usize);
        assert_eq!(news_between(&mut tx, sitter_id, 1, 21).await.rows.len(), 0);
        assert_eq!(db::feed_page_end(&mut tx, sitter_id, FeedScope::Sitter, 0, Id::of(1), n_rows).await.unwrap(), Some(1));
        assert_eq!(db::feed_page_end(&mut tx, sitter_id, FeedScope::Sitter, 0, Id::of(1), n_rows + 1).await.unwrap(), None);
        tx.commit().await.unwrap();
    }

    #[always]
    async fn a_turn_that_is_gone_is_not_taken_and_keeps_nothing(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        tx.commit().await.unwrap();
        let service = RowKey { table: TableName::Service, id: Id::of(6) };
        for (rev, is_next) in [(1, false), (3, false), (2, true), (2, false)] {
            let mut tx = app.state.db.write().await.unwrap();
            let taken = async {
                db::claim_revision(&mut tx, sitter_id, rev).await?;
                db::delete_row(&mut tx, sitter_id, rev, service, AT).await?;
                tx.flush().await
            };
            assert_eq!(taken.await.is_ok(), is_next, "{rev}");
            if is_next { tx.commit().await.unwrap() } else { tx.rollback().await.unwrap() }
            let mut tx = app.state.db.read().await.unwrap();
            let next = db::next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap();
            let services = db::rows_of(&mut tx, TableName::Service, sitter_id).await.unwrap();
            assert_eq!((next.rev, services.len()), if is_next || rev == 2 { (3, 0) } else { (2, 1) });
            tx.commit().await.unwrap();
        }
    }

    #[always]
    async fn what_was_decided_ahead_is_written_at_the_very_next_revision_of_its_business_or_not_at_all(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let sitter_id = dana.sitter_id.unwrap();
        let (client, dog) = dana.client("Sam").await;
        let mut tx = app.state.db.write().await.unwrap();
        let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
        let (caller, form) = (dana.clone(), walk(&client, &dog, "2026-11-23", "10:00"));
        let call = tokio::spawn(async move { caller.post("/scheduled-services", form).await });
        if let Db::Sqlite { queue, .. } = &app.state.db {
            while queue.n_waiting() == 0 {
                tokio::task::yield_now().await;
            }
        }
        // It has seen that the time is free, and has it taken from under its nose.
        let mut service = Service::new(Id::of(6), AT);
        service.client_id = client.parse().unwrap();
        (service.date, service.start_time) = (date("2026-11-23"), Time::hour(10));
        db::write_row(&mut tx, sitter_id, rev, &Row::Service(service)).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(call.await.unwrap().failure(), (409, "conflict"));
    }

    #[always]
    async fn a_write_that_fails_takes_its_transaction_along(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        tx.commit().await.unwrap();
        let failed = async {
            let mut tx = app.state.db.write().await?;
            db::insert_account(&mut tx, &account(9, "dana@example.com", Some(sitter_id))).await?;
            let stray = Row::Client(Client::new(Id::of(40), AT));
            db::write_row(&mut tx, Id::of(101), 1, &stray).await?;
            tx.commit().await
        };
        assert!(failed.await.is_err(), "there is no such business");
        let mut tx = app.state.db.write().await.unwrap();
        assert_eq!(db::account_by_email(&mut tx, "dana@example.com").await.unwrap(), None);
        assert!(db::insert_account(&mut tx, &account(9, "dana@example.com", Some(sitter_id))).await.unwrap());
        tx.commit().await.unwrap();
    }

    #[always]
    async fn outcomes_and_queues_are_each_phones_own(app: TestApp) {
        let (sitter_id, device_id) = (Id::of(100), Id::of(60));
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        let mutation = MutationRow {
            id: "one".to_owned(),
            rev: 2,
            user_id: Id::of(9),
            device_id: Some(device_id),
            seq: Some(1),
            name: "cancel_service".to_owned(),
            about_id: Some(Id::of(7)),
            args_hash: "ab".to_owned(),
            outcome: "adjusted".to_owned(),
            refusal: None,
            adjustments: Some("[]".to_owned()),
            answer_status: Some(200),
            answer_body: None,
            created_at: AT,
        };
        db::insert_mutation(&mut tx, sitter_id, &mutation).await.unwrap();
        assert_eq!(db::find_mutation(&mut tx, sitter_id, "one").await.unwrap(), Some(mutation.clone()));
        assert_eq!(db::find_mutation(&mut tx, sitter_id, "two").await.unwrap(), None);
        assert_eq!(db::feed_changes(&mut tx, sitter_id, FeedScope::Sitter, device_id, span(1, 2)).await.unwrap().mutations, [mutation]);
        assert!(db::feed_changes(&mut tx, sitter_id, FeedScope::Sitter, device_id, span(2, 9)).await.unwrap().mutations.is_empty());
        assert!(db::feed_changes(&mut tx, sitter_id, FeedScope::Sitter, Id::of(61), span(0, 9)).await.unwrap().mutations.is_empty());
        assert_eq!(db::claim_next_revision(&mut tx, sitter_id, Some(device_id), None).await.unwrap().unwrap().last_seq, 0);
        db::set_last_seq(&mut tx, sitter_id, device_id, 1, AT).await.unwrap();
        db::set_last_seq(&mut tx, sitter_id, device_id, 2, AT).await.unwrap();
        assert_eq!(db::claim_next_revision(&mut tx, sitter_id, Some(device_id), None).await.unwrap().unwrap().last_seq, 2);
        db::collect_records(&mut tx, Instant(AT.0 + 1)).await.unwrap();
        assert_eq!(db::find_mutation(&mut tx, sitter_id, "one").await.unwrap(), None);
        tx.commit().await.unwrap();
    }

    #[always]
    async fn accounts_sessions_resets_and_tickets_come_and_go(app: TestApp) {
        let sitter_id = Id::of(100);
        let mut tx = app.state.db.write().await.unwrap();
        business(&mut tx, sitter_id).await;
        let (dana, parent) = (account(9, "dana@example.com", Some(sitter_id)), account(10, "pat@example.com", None));
        assert!(db::insert_account(&mut tx, &dana).await.unwrap());
        assert!(db::insert_account(&mut tx, &parent).await.unwrap());
        assert!(!db::insert_account(&mut tx, &account(11, "dana@example.com", None)).await.unwrap());
        assert_eq!(db::account_by_email(&mut tx, "dana@example.com").await.unwrap(), Some(dana.clone()));
        assert_eq!(db::account_by_id(&mut tx, parent.id).await.unwrap(), Some(parent.clone()));

        for token in ["one", "two", "three"] {
            db::insert_session(&mut tx, token, dana.id, "Phone", AT).await.unwrap();
        }
        let session = db::find_session(&mut tx, "one").await.unwrap().unwrap();
        assert_eq!((session.account, session.created_at, session.last_used_at), (dana.clone(), AT, AT));
        db::touch_session(&mut tx, "one", Instant(AT.0 + 5)).await.unwrap();
        assert_eq!(db::find_session(&mut tx, "one").await.unwrap().unwrap().last_used_at, Instant(AT.0 + 5));
        db::delete_session(&mut tx, "two").await.unwrap();
        assert!(db::find_session(&mut tx, "two").await.unwrap().is_none());

        db::insert_ticket(&mut tx, "ticket", ("one", Role::Client), AT).await.unwrap();
        let taken = db::take_ticket(&mut tx, "ticket", AT).await.unwrap();
        assert_eq!(taken, Some(("one".to_owned(), Role::Client)));
        assert_eq!(db::take_ticket(&mut tx, "ticket", AT).await.unwrap(), None);
        db::insert_ticket(&mut tx, "late", ("one", Role::Client), AT).await.unwrap();
        assert_eq!(db::take_ticket(&mut tx, "late", Instant(AT.0 + 1)).await.unwrap(), None);

        db::insert_reset(&mut tx, "reset", dana.id, AT).await.unwrap();
        assert_eq!(db::take_reset(&mut tx, "reset", Instant(AT.0 + 1)).await.unwrap(), None);
        assert_eq!(db::take_reset(&mut tx, "reset", AT).await.unwrap(), Some(dana.id));
        assert_eq!(db::take_reset(&mut tx, "reset", AT).await.unwrap(), None);
        db::insert_reset(&mut tx, "other", dana.id, AT).await.unwrap();
        db::set_password(&mut tx, dana.id, "new", Some("one")).await.unwrap();
        assert!(db::find_session(&mut tx, "three").await.unwrap().is_none());
        assert_eq!(db::find_session(&mut tx, "one").await.unwrap().unwrap().account.password_hash, "new");
        assert_eq!(db::take_reset(&mut tx, "other", AT).await.unwrap(), None);
        assert!(!db::has_password(&mut tx, &dana).await.unwrap(), "it was read with the one before");
        assert!(!db::rehash_password(&mut tx, &dana, "older").await.unwrap(), "which does not come back");
        let dana = db::account_by_id(&mut tx, dana.id).await.unwrap().unwrap();
        assert_eq!(dana.password_hash, "new");
        assert!(db::rehash_password(&mut tx, &dana, "newer").await.unwrap());
        assert!(db::find_session(&mut tx, "one").await.unwrap().is_some());
        db::collect_sessions(&mut tx, Instant(AT.0 + 6), AT, Instant(AT.0 + 1)).await.unwrap();
        assert!(db::find_session(&mut tx, "one").await.unwrap().is_none());

        db::link_client_user(&mut tx, sitter_id, Id::of(1), parent.id, Id::of(9)).await.unwrap();
        db::link_client_user(&mut tx, sitter_id, Id::of(1), parent.id, Id::of(9)).await.unwrap();
        db::delete_account(&mut tx, parent.id).await.unwrap();
        assert_eq!(db::account_by_id(&mut tx, parent.id).await.unwrap(), None);
        db::delete_sitter(&mut tx, sitter_id).await.unwrap();
        assert_eq!(db::account_by_id(&mut tx, dana.id).await.unwrap(), None, "a business takes its account along");
        db::ping(&mut tx).await.unwrap();
        let known = db::backend_id(&mut tx, Id::of(1)).await.unwrap();
        assert_eq!(known, app.state.backend_id);
        db::set_backend_id(&mut tx, Id::of(2)).await.unwrap();
        assert_eq!(db::backend_id(&mut tx, Id::of(1)).await.unwrap(), Id::of(2));
        tx.commit().await.unwrap();
        let left = app.dump(None).await;
        assert!(left.iter().all(|it| it.starts_with("server_meta ")), "{left:?}");
    }

    #[always]
    async fn mail_is_sent_by_one_and_tried_again_later(app: TestApp) {
        let job = |number: u128, recipient: &str| MailJob {
            id: Id::of(number),
            recipient: recipient.to_owned(),
            subject: "Hello".to_owned(),
            body: "Text".to_owned(),
            attempts: 0,
            stop_token: None,
            expires_at: None,
            invoice_share_id: None,
            brings: None,
            is_bulk: false,
            events_of: None,
        };
        let later = |millis: i64| Instant(AT.0 + millis);
        let mut tx = app.state.db.write().await.unwrap();
        db::insert_mail_job(&mut tx, &job(1, "a@example.com"), AT).await.unwrap();
        db::insert_mail_job(&mut tx, &job(2, "b@example.com"), later(1)).await.unwrap();
        assert_eq!(db::lease_mail_job(&mut tx, later(-1), later(9)).await.unwrap(), None);
        let first = db::lease_mail_job(&mut tx, AT, later(100)).await.unwrap().unwrap();
        assert_eq!((first.id, first.attempts), (Id::of(1), 1));
        assert_eq!(db::lease_mail_job(&mut tx, AT, later(100)).await.unwrap(), None, "it is taken");
        let again = db::lease_mail_job(&mut tx, later(100), later(200)).await.unwrap().unwrap();
        assert_eq!(again.id, Id::of(2), "the one that is due longest comes first");
        db::delete_mail_job(&mut tx, again.id).await.unwrap();
        let again = db::lease_mail_job(&mut tx, later(100), later(200)).await.unwrap().unwrap();
        assert_eq!((again.id, again.attempts), (Id::of(1), 2), "whoever took it has died");
        db::postpone_mail_job(&mut tx, again.id, later(500), "no route", false).await.unwrap();
        assert_eq!(db::lease_mail_job(&mut tx, later(499), later(900)).await.unwrap(), None);
        db::postpone_mail_job(&mut tx, again.id, later(500), "no such user", true).await.unwrap();
        assert_eq!(db::lease_mail_job(&mut tx, later(999), later(1999)).await.unwrap(), None, "it was given up");
        // Queued before the clock was set back by a day.
        db::insert_mail_job(&mut tx, &job(3, "c@example.com"), later(DAY)).await.unwrap();
        let early = db::lease_mail_job(&mut tx, later(1_000), later(1_100)).await.unwrap().unwrap();
        assert_eq!(early.id, Id::of(3));
        assert_eq!(db::lease_mail_job(&mut tx, later(1_001), later(1_101)).await.unwrap(), None, "it is taken");
        db::delete_mail_job(&mut tx, early.id).await.unwrap();
        tx.commit().await.unwrap();
        assert!(app.dump(None).await.iter().any(|it| it.contains("no such user")), "and is kept for the operator");
        let mut tx = app.state.db.write().await.unwrap();
        db::delete_mail_to(&mut tx, "a@example.com").await.unwrap();
        tx.commit().await.unwrap();
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("mail_job ")));
    }

    // INVARIANT: A connection whose transaction came to no end is rolled back or closed.
    #[always]
    async fn mail_that_was_given_up_is_kept_for_a_month_and_some_of_it(app: TestApp) {
        let now = app.state.now();
        let given_up = async |numbers: std::ops::Range<i64>, is_lost: bool| {
            let mut tx = app.state.db.write().await.unwrap();
            for number in numbers {
                let job = MailJob {
                    id: Id::of(u128::try_from(number).unwrap()),
                    recipient: format!("{number}@example.com"),
                    subject: String::new(),
                    body: String::new(),
                    attempts: 8,
                    stop_token: None,
                    expires_at: None,
                    invoice_share_id: None,
                    brings: None,
                    is_bulk: false,
                    events_of: None,
                };
                db::insert_mail_job(&mut tx, &job, Instant(now.0 + number)).await.unwrap();
                db::postpone_mail_job(&mut tx, job.id, now, "no such user", is_lost).await.unwrap();
            }
            tx.commit().await.unwrap();
        };
        let kept = async || {
            cleanup::clean_up_once(&app.state).await.unwrap();
            let dump = app.dump(None).await;
            dump.into_iter().filter(|it| it.starts_with("mail_job ")).collect::<Vec<_>>()
        };
        given_up(0..1, false).await;
        given_up(1..1_102, true).await;
        let found = kept().await;
        assert_eq!(found.len(), 1_001);
        let has = |number: u32| found.iter().any(|it| it.contains(&format!("\"{number}@example.com")));
        assert!(has(0) && !has(101) && has(102), "the newest are kept, and all that wait");
        app.clock.advance(31 * DAY);
        assert_eq!(kept().await.len(), 1);
    }

    #[always]
    async fn a_connection_whose_transaction_came_to_no_end_is_rolled_back_or_closed(app: TestApp) {
        let sitter_id = Id::of(100);
        for _ in 0..30 {
            let mut tx = app.state.db.write().await.unwrap();
            db::insert_sitter(&mut tx, sitter_id, AT).await.unwrap();
            tx.flush().await.unwrap();
            let again = async {
                db::insert_sitter(&mut tx, sitter_id, AT).await?;
                tx.flush().await
            };
            assert!(again.await.is_err());
            drop(tx);
            drop(app.state.db.read().await.unwrap());
        }
        let mut tx = app.state.db.write().await.unwrap();
        assert_eq!(db::feed_state(&mut tx, sitter_id).await.unwrap(), None, "nothing of it was written");
        db::insert_sitter(&mut tx, sitter_id, AT).await.unwrap();
        tx.commit().await.unwrap();
    }

    #[always]
    async fn the_schema_is_made_once(app: TestApp) {
        let before = app.dump(None).await;
        app.state.db.migrate().await.unwrap();
        assert_eq!(app.dump(None).await, before);
    }

    #[always]
    async fn reports_of_before_are_known_to_show_their_photos(app: TestApp) {
        let victim = crate::access::victim(&app).await;
        let shows = async || {
            let dump = app.dump(victim.sitter.sitter_id).await;
            dump.into_iter().filter(|it| it.starts_with("report_photo ")).collect::<Vec<_>>()
        };
        let before = shows().await;
        assert!(before.len() == 1 && before[0].contains(&victim.ids["photo"]), "{before:?}");
        for sql in [
            "DROP TABLE report_photo",
            "DROP INDEX pet_by_photo",
            "DELETE FROM _sqlx_migrations WHERE version = 10",
        ] {
            let mut tx = app.state.db.write().await.unwrap();
            tx.defer(sql, []).await.unwrap();
            tx.commit().await.unwrap();
        }
        app.state.db.migrate().await.unwrap();
        assert_eq!(shows().await, before);
    }
}

#[tokio::test]
async fn readers_of_a_sqlite_file_cannot_write() {
    let app = TestApp::sqlite(settings()).await;
    let mut tx = app.state.db.read().await.unwrap();
    db::insert_sitter(&mut tx, Id::of(1), AT).await.unwrap();
    assert!(tx.commit().await.is_err());
}

#[tokio::test]
async fn a_text_in_a_column_of_numbers_is_refused_by_sqlite_too() {
    let folder = tempfile::tempdir().unwrap();
    let Db::Sqlite { writer, .. } = sqlite_db(folder.path()).await else {
        unreachable!()
    };
    let text = sqlx::query("INSERT INTO sitter VALUES ('a', 'many', 1, 0, 0)")
        .execute(&writer)
        .await;
    assert!(text.is_err(), "tables are STRICT");
}

/// Table, column, whether it may be null, and what kind of value it has.
type Columns = BTreeSet<(String, String, bool, &'static str)>;

#[tokio::test]
async fn both_databases_have_the_same_schema() {
    let Some(url) = postgres_url() else { return };
    let folder = tempfile::tempdir().unwrap();
    let Db::Sqlite { writer, .. } = sqlite_db(folder.path()).await else {
        unreachable!()
    };
    let (options, _) = fresh_schema(&url).await;
    let db = Db::open_postgres(options, 2).await.unwrap();
    db.migrate().await.unwrap();
    let Db::Postgres(pool) = &db else {
        unreachable!()
    };

    let sql = "SELECT t.name, c.name, c.\"notnull\" = 0, c.type FROM sqlite_schema t, pragma_table_info(t.name) c \
        WHERE t.type = 'table' AND t.name NOT LIKE '\\_%' ESCAPE '\\'";
    let sqlite: Columns = sqlx::query(sql)
        .fetch_all(&writer)
        .await
        .unwrap()
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2), kind(row.get(3))))
        .collect();
    let sql = "SELECT table_name::text, column_name::text, is_nullable = 'YES', data_type::text \
        FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE '\\_%'";
    let postgres: Columns = sqlx::query(sql)
        .fetch_all(pool)
        .await
        .unwrap()
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2), kind(row.get(3))))
        .collect();
    assert!(150 < sqlite.len());
    assert_eq!(
        sqlite.difference(&postgres).collect::<Vec<_>>(),
        Vec::<&_>::new(),
        "only on SQLite"
    );
    assert_eq!(
        postgres.difference(&sqlite).collect::<Vec<_>>(),
        Vec::<&_>::new(),
        "only on Postgres"
    );

    let sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
    let sqlite: BTreeSet<String> = sqlx::query(sql)
        .fetch_all(&writer)
        .await
        .unwrap()
        .iter()
        .map(|it| it.get(0))
        .collect();
    let sql = "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema() \
        AND indexname NOT LIKE '%_pkey' AND indexname NOT LIKE '%_key'";
    let postgres: BTreeSet<String> = sqlx::query(sql)
        .fetch_all(pool)
        .await
        .unwrap()
        .iter()
        .map(|it| it.get(0))
        .collect();
    assert_eq!(sqlite, postgres);
    for table in TableName::ALL {
        let table = if *table == TableName::Sitter {
            "profile"
        } else {
            table.name()
        };
        assert!(sqlite.contains(&format!("{table}_by_rev")), "{table}");
    }
}

fn kind(name: String) -> &'static str {
    match name.as_str() {
        "TEXT" | "text" => "text",
        // SQLite has no booleans of its own.
        "INTEGER" | "bigint" | "boolean" => "whole",
        "REAL" | "double precision" => "float",
        other => panic!("{other}"),
    }
}
