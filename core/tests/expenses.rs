//! Tests of mileage and expenses: what a day's visits propose, what a month and a year come to, against sums by hand.

use proptest::prelude::*;
use walkies_core::expenses::{self, ExpenseMonth};
use walkies_core::rows::client::Client;
use walkies_core::rows::expense::{Expense, ExpenseCategory};
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::expense::worth;
use walkies_core::values::miles::Miles;
use walkies_core::{Business, Cents, Date, Id, Instant, Row, Time};

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn expense(id: u128, day: &str, category: ExpenseCategory) -> Expense {
    let at = Instant(i64::try_from(id).unwrap());
    Expense {
        category,
        ..Expense::new(Id::of(id), date(day), at)
    }
}

fn driven(id: u128, day: &str, tenths: u32) -> Expense {
    Expense {
        miles: Some(Miles(tenths)),
        ..expense(id, day, ExpenseCategory::Mileage)
    }
}

fn spent(id: u128, day: &str, category: ExpenseCategory, cents: i64) -> Expense {
    Expense {
        amount: Some(Cents(cents)),
        ..expense(id, day, category)
    }
}

/// A client whose home is so many thousandths of a degree north of the sitter's: some 111 meters each.
fn client(id: u128, north: Option<f64>) -> Row {
    Row::Client(Client {
        name: format!("Client {id}"),
        lat: north.map(|it| 40.0 + it / 1000.0),
        lng: north.map(|_| -75.0),
        ..Client::new(Id::of(id), Instant(0))
    })
}

fn visit(id: u128, client: u128, hour: u16) -> Row {
    Row::Service(Service {
        client_id: Id::of(client),
        date: date("2026-11-18"),
        start_time: Time::hour(hour),
        status: ServiceStatus::Completed,
        ..Service::new(Id::of(id), Instant(0))
    })
}

fn business(rows: impl IntoIterator<Item = Row>) -> Business {
    let mut business = Business::default();
    for row in rows {
        business.put(1, row);
    }
    business
}

fn sitter() -> Row {
    let (name, zone) = ("Mara".to_owned(), "America/New_York".to_owned());
    Row::Sitter(Sitter {
        service_area_lat: Some(40.0),
        service_area_lng: Some(-75.0),
        ..Sitter::new(Id::of(1), name, String::new(), zone, Instant(0))
    })
}

fn november(business: &Business) -> ExpenseMonth {
    expenses::month(business, date("2026-11-20"), date("2026-11-20"))
}

/// Returns the newest day's proposal: miles between visits, miles with the ways from and to the sitter's address, and
/// ways that are left out.
fn proposed(business: &Business) -> Option<(String, Option<String>, u32)> {
    let day = november(business).days.into_iter().next()?;
    let it = day.proposal?;
    Some((
        it.between.to_string(),
        it.with_home.map(|it| it.to_string()),
        it.ways_left_out,
    ))
}

#[test]
fn a_days_miles_go_from_home_to_home_in_order_of_time() {
    // 10 thousandths north, then 40, then 20: 50 in between, 10 there and 20 back; each is 111.03 m, times 1.3.
    let rows = [
        sitter(),
        client(2, Some(10.0)),
        client(3, Some(40.0)),
        client(4, Some(20.0)),
        visit(20, 4, 15),
        visit(21, 2, 9),
        visit(22, 3, 12),
    ];
    let business = business(rows);
    assert_eq!(
        proposed(&business),
        Some(("4.5".to_owned(), Some("7.2".to_owned()), 0))
    );
    let month = november(&business);
    assert_eq!(month.days.len(), 1);
    assert_eq!(month.days[0].heading, "Wednesday, November 18");
    assert_eq!(month.days[0].proposal.as_ref().unwrap().visits, "3 visits");
    assert_eq!(month.sums.count, 0);
}

#[test]
fn from_one_visit_to_the_next_of_the_same_client_there_is_no_way() {
    let rows = [client(2, Some(10.0)), visit(20, 2, 9), visit(21, 2, 12)];
    assert_eq!(proposed(&business(rows.clone())), None);
    let with_address = rows.into_iter().chain([sitter()]);
    assert_eq!(
        proposed(&business(with_address)),
        Some(("0.0".to_owned(), Some("1.8".to_owned()), 0))
    );
}

#[test]
fn a_home_that_is_not_known_leaves_its_ways_out() {
    let rows = [
        sitter(),
        client(2, Some(10.0)),
        client(3, Some(40.0)),
        client(4, None),
        visit(20, 2, 9),
        visit(21, 3, 10),
        visit(22, 4, 11),
    ];
    assert_eq!(proposed(&business(rows)), Some(("2.7".to_owned(), None, 1)));
}

#[test]
fn miles_that_are_not_proposed_say_which_place_is_missing() {
    let said = |rows: Vec<Row>| {
        let month = november(&business(rows));
        let homes = month.homes_missing.map(|it| (it.text, it.only));
        (homes, month.base_missing)
    };
    let (homes, base) = said(vec![
        client(2, None),
        client(3, Some(40.0)),
        visit(20, 2, 9),
        visit(21, 3, 10),
    ]);
    let (text, only) = homes.unwrap();
    assert!(text.ends_with(": the home is not on the map."), "{text}");
    assert_eq!(only, Some(Id::of(2)));
    assert!(base.unwrap().starts_with("Miles from your home and back"));
    let four = (2..6).flat_map(|n| [client(n, None), visit(20 + n, n, 9)]);
    let (homes, base) = said(std::iter::once(sitter()).chain(four).collect());
    let text = "Miles to and from 4 clients are missing: their homes are not on the map.";
    assert_eq!((homes, base), (Some((text.to_owned(), None)), None));
    // Who was not visited needs no place.
    assert_eq!(said(vec![client(2, None)]), (None, None));
}

#[test]
fn what_was_called_off_or_is_to_come_is_no_way() {
    let Row::Service(done) = visit(21, 3, 10) else {
        panic!("a visit");
    };
    for status in [ServiceStatus::Cancelled, ServiceStatus::Scheduled] {
        let other = Row::Service(Service {
            status,
            ..done.clone()
        });
        let rows = [
            client(2, Some(10.0)),
            client(3, Some(40.0)),
            visit(20, 2, 9),
            other,
        ];
        assert_eq!(proposed(&business(rows)), None);
    }
}

#[test]
fn a_day_whose_miles_were_written_down_proposes_none() {
    let rows = [
        sitter(),
        client(2, Some(10.0)),
        visit(20, 2, 9),
        Row::Expense(driven(30, "2026-11-18", 124)),
    ];
    let month = november(&business(rows));
    assert_eq!(month.days[0].proposal, None);
    assert_eq!(month.days[0].entries[0].detail, "12.4 mi at 76¢");
    assert_eq!(month.days[0].entries[0].worth, Cents(942));
}

#[test]
fn a_month_has_its_days_from_the_newest_on_and_what_they_come_to() {
    let rows = [
        driven(30, "2026-11-02", 100),
        spent(31, "2026-11-19", ExpenseCategory::Supplies, 12_50),
        spent(32, "2026-11-19", ExpenseCategory::Phone, 30_00),
        spent(33, "2026-10-31", ExpenseCategory::Phone, 30_00),
    ];
    let month = november(&business(rows.map(Row::Expense)));
    let days: Vec<String> = month.days.iter().map(|it| it.date.to_string()).collect();
    assert_eq!(days, ["2026-11-19", "2026-11-02"]);
    let names: Vec<&str> = month.days[0].entries.iter().map(|it| it.name).collect();
    assert_eq!(names, ["Supplies and food", "Phone"]);
    let sums = month.sums;
    assert_eq!((sums.count, sums.miles), (3, Miles(100)));
    assert_eq!(
        (sums.mileage, sums.spent, sums.total),
        (Cents(7_60), Cents(42_50), Cents(50_10))
    );
    assert_eq!(
        (month.heading.as_str(), month.before, month.after),
        ("November 2026", date("2026-10-01"), None)
    );
    let october = expenses::month(&Business::default(), date("2026-10-31"), date("2026-11-20"));
    assert_eq!(october.after, Some(date("2026-11-01")));
}

#[test]
fn a_year_whose_rate_changes_counts_each_mile_at_its_own() {
    let rows = [
        driven(30, "2026-01-05", 1000),
        driven(31, "2026-06-30", 10),
        driven(32, "2026-07-01", 500),
        driven(33, "2025-12-31", 990),
        spent(34, "2026-03-01", ExpenseCategory::Insurance, 12_000),
        spent(35, "2026-03-09", ExpenseCategory::Vehicle, 4_25),
    ];
    let year = expenses::year(2026, rows.iter());
    let rates: Vec<_> = year
        .rates
        .iter()
        .map(|it| (it.rate.as_str(), it.miles, it.mileage))
        .collect();
    assert_eq!(
        rates,
        [
            ("72.5¢", Miles(1010), Cents(73_23)),
            ("76¢", Miles(500), Cents(38_00))
        ]
    );
    let categories: Vec<_> = year
        .categories
        .iter()
        .map(|it| (it.name, it.line, it.count, it.total))
        .collect();
    assert_eq!(
        categories,
        [
            ("Mileage", "9 Car and truck expenses", 3, Cents(11_123)),
            (
                "Parking and tolls",
                "9 Car and truck expenses",
                1,
                Cents(4_25)
            ),
            ("Insurance", "15 Insurance", 1, Cents(12_000)),
        ]
    );
    assert_eq!(year.months.len(), 12);
    assert_eq!(
        (year.months[2].name, year.months[2].sums.spent),
        ("March", Cents(12_425))
    );
    assert_eq!(year.sums.total, Cents(23_548));
    assert_eq!(year.rate_caution, None);
}

#[test]
fn a_year_without_a_rate_says_which_one_it_takes() {
    let rows = [driven(30, "2027-02-01", 100)];
    let caution = expenses::year(2027, rows.iter()).rate_caution;
    assert_eq!(
        caution.as_deref(),
        Some("The IRS rate of this year is not known here yet, so 76¢ a mile is taken.")
    );
    let nothing_driven = [spent(31, "2027-02-01", ExpenseCategory::Phone, 1)];
    assert_eq!(
        expenses::year(2027, nothing_driven.iter()).rate_caution,
        None
    );
}

#[test]
fn a_years_table_has_each_entry_by_its_day_and_no_formula() {
    let mut tolls = spent(31, "2026-02-02", ExpenseCategory::Vehicle, 4_05);
    tolls.note = "=1+1, \"paid\"".to_owned();
    let rows = [
        tolls,
        driven(30, "2026-01-05", 124),
        driven(32, "2025-01-05", 124),
    ];
    assert_eq!(
        expenses::csv(2026, rows.iter()),
        "\u{feff}Date,Category,Schedule C line,Miles,Rate per mile,Amount,Note\r\n\
         2026-01-05,Mileage,9 Car and truck expenses,12.4,0.725,8.99,\r\n\
         2026-02-02,Parking and tolls,9 Car and truck expenses,,,4.05,\"'=1+1, \"\"paid\"\"\"\r\n"
    );
}

#[test]
fn the_years_to_choose_from_have_entries_or_are_this_one() {
    let rows = [driven(30, "2024-01-05", 1), driven(31, "2024-05-05", 1)];
    let business = business(rows.map(Row::Expense));
    assert_eq!(expenses::years(&business, date("2026-11-20")), [2026, 2024]);
    // Income without an invoice counts on the day of the work.
    let mut with_income = business;
    let paid = |id: u128, day: &str, invoice_id: Option<Id>| {
        Row::Service(Service {
            date: date(day),
            paid: true,
            invoice_id,
            status: ServiceStatus::Completed,
            ..Service::new(Id::of(id), Instant(0))
        })
    };
    with_income.put(2, paid(40, "2022-12-31", None));
    with_income.put(2, paid(41, "2021-12-31", Some(Id::of(50))));
    assert_eq!(
        expenses::years(&with_income, date("2026-11-20")),
        [2026, 2024, 2022]
    );
}

#[test]
fn a_year_in_which_nothing_can_be_is_not_asked_for() {
    let today = date("2026-11-20");
    assert_eq!(expenses::asked(None, today), Ok(2026));
    assert_eq!(expenses::asked(Some(2000), today), Ok(2000));
    for year in [-1, 0, 1999, 2201, i16::MAX] {
        let errors = expenses::asked(Some(year), today).unwrap_err();
        assert_eq!(errors.first(), Some("Year must be from 2000 to 2200"));
    }
}

fn any_expense() -> impl Strategy<Value = Expense> {
    let category = prop::sample::select(vec![
        ExpenseCategory::Mileage,
        ExpenseCategory::Vehicle,
        ExpenseCategory::Supplies,
        ExpenseCategory::Other,
    ]);
    let day = 0_i64..1100;
    (category, day, 0_u32..20_000, 0_i64..100_000_000).prop_map(|(category, day, tenths, cents)| {
        let expense = Expense {
            category,
            ..Expense::new(Id::of(1), date("2024-06-01").plus_days(day), Instant(0))
        };
        match category {
            ExpenseCategory::Mileage => Expense {
                miles: Some(Miles(tenths)),
                ..expense
            },
            _ => Expense {
                amount: Some(Cents(cents)),
                ..expense
            },
        }
    })
}

proptest! {
    #[test]
    fn months_categories_and_lines_of_the_table_all_add_up_to_the_year(rows in prop::collection::vec(any_expense(), 0..40)) {
        let year = expenses::year(2026, rows.iter());
        let all = rows.iter().filter(|it| it.date.parts().0 == 2026);
        let total: Cents = all.map(worth).sum();
        prop_assert_eq!(year.sums.total, total);
        prop_assert_eq!(year.sums.mileage + year.sums.spent, total);
        prop_assert_eq!(year.months.iter().map(|it| it.sums.total).sum::<Cents>(), total);
        prop_assert_eq!(year.categories.iter().map(|it| it.total).sum::<Cents>(), total);
        prop_assert_eq!(year.rates.iter().map(|it| it.mileage).sum::<Cents>(), year.sums.mileage);
        prop_assert_eq!(year.rates.iter().map(|it| it.miles).sum::<Miles>(), year.sums.miles);
        let lines = expenses::csv(2026, rows.iter());
        let cents = lines.lines().skip(1).map(|it| {
            let amount = it.split(',').nth(5).unwrap();
            amount.replace('.', "").parse::<i64>().unwrap()
        });
        prop_assert_eq!(Cents(cents.sum()), total);
    }
}
