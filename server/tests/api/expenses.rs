//! Mileage and expenses: written down by REST or by a phone, summed up by year, and printed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use walkies_core::Id;

use crate::on_both;
use crate::support::{Phone, TestApp, User, walk};

async fn write_down(sitter: &User, expense: Value) -> Value {
    let answer = sitter.post("/expenses", expense).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.data().clone()
}

/// The lines of Schedule C of a year as a table.
async fn schedule_c(sitter: &User, year: i32) -> String {
    let table = sitter
        .get(&format!("/expenses/summary?year={year}&format=taxes"))
        .await;
    assert_eq!(
        table.headers["content-disposition"],
        format!("attachment; filename=\"schedule-c-{year}.csv\"")
    );
    String::from_utf8(table.bytes.to_vec()).unwrap()
}

/// Extracts the text of a PDF as a reader sees it, line by line, and the file's metadata.
fn read(pdf: &[u8]) -> (String, String) {
    let run = |program: &str, args: &[&str]| {
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        child.stdin.take().unwrap().write_all(pdf).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{program}");
        String::from_utf8(output.stdout).unwrap()
    };
    (
        run("pdftotext", &["-layout", "-", "-"]),
        run("pdfinfo", &["-"]),
    )
}

on_both! {
    async fn what_is_written_down_is_listed_corrected_and_deleted(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let miles = write_down(&mara, json!({ "date": "2026-11-18", "miles": 12.4, "note": "3 visits" })).await;
        assert_eq!((&miles["category"], &miles["amount"]), (&json!("mileage"), &Value::Null));
        let spent = write_down(&mara, json!({ "date": "2026-11-19", "category": "supplies", "amount": 9.95 })).await;
        let list = mara.get("/expenses").await;
        let ids = |list: &Value| -> Vec<Value> { list.as_array().unwrap().iter().map(|it| it["id"].clone()).collect() };
        assert_eq!(ids(list.data()), [spent["id"].clone(), miles["id"].clone()]);
        let one_day = mara.get("/expenses?date_start=2026-11-18&date_end=2026-11-18").await;
        assert_eq!(ids(one_day.data()), [miles["id"].clone()]);
        let path = format!("/expenses/{}", miles["id"].as_str().unwrap());
        let corrected = mara.put(&path, json!({ "miles": 9 })).await;
        assert_eq!((&corrected.data()["miles"], &corrected.data()["note"]), (&json!(9), &json!("3 visits")));
        assert_eq!(mara.delete(&path).await.status, 200);
        assert_eq!(mara.put(&path, json!({ "miles": 8 })).await.failure(), (404, "gone"));
        assert_eq!(ids(mara.get("/expenses").await.data()), [spent["id"].clone()]);
    }

    async fn a_phone_writes_down_and_takes_back_without_a_network(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let mut phone = Phone::new(&mara);
        phone.pull().await;
        let id = Id::of(7);
        let expense = json!({ "date": "2026-11-18", "category": "mileage", "miles": 12.4, "note": "3 visits" });
        let made = json!({ "id": id, "expense": expense });
        assert_eq!(phone.send("create_expense", made.clone()).await["outcome"], "applied");
        assert_eq!(phone.send("delete_expense", json!({ "id": id })).await["outcome"], "applied");
        assert_eq!(mara.get("/expenses").await.data(), &json!([]));
        // And the other way round.
        assert_eq!(phone.send("create_expense", made).await["outcome"], "applied");
        assert_eq!(mara.get("/expenses").await.data()[0]["miles"], 12.4);
        let pulled = phone.pull().await;
        let rows = pulled["rows"].as_array().unwrap();
        assert!(rows.iter().any(|it| it["t"] == "expense" && it["d"]["miles"] == 12.4), "{pulled}");
    }

    async fn a_year_is_summed_up_for_the_taxes(app: TestApp) {
        let mara = app.sitter("Mara").await;
        for expense in [
            json!({ "date": "2026-01-05", "miles": 100 }),
            json!({ "date": "2026-07-01", "miles": 50 }),
            json!({ "date": "2025-12-31", "miles": 99 }),
            json!({ "date": "2026-03-01", "category": "insurance", "amount": 120, "note": "=1+1" }),
        ] {
            write_down(&mara, expense).await;
        }
        let year = mara.get("/expenses/summary?year=2026").await;
        let year = year.data();
        assert_eq!(
            year["sums"],
            json!({ "count": 3, "miles": 150, "mileage": 110.5, "spent": 120, "total": 230.5 })
        );
        assert_eq!(year["rates"][1], json!({ "rate": "76¢", "miles": 50, "mileage": 38 }));
        assert_eq!(year["months"][2]["sums"]["spent"], 120);
        // Today is in 2026.
        assert_eq!(mara.get("/expenses/summary").await.data(), year);
        let table = mara.get("/expenses/summary?year=2026&format=csv").await;
        assert_eq!(table.headers["content-disposition"], "attachment; filename=\"expenses-2026.csv\"");
        assert_eq!(
            String::from_utf8(table.bytes.to_vec()).unwrap(),
            "\u{feff}Date,Category,Schedule C line,Miles,Rate per mile,Amount,Note\r\n\
             2026-01-05,Mileage,9 Car and truck expenses,100.0,0.725,72.50,\r\n\
             2026-03-01,Insurance,15 Insurance,,,120.00,\"'=1+1\"\r\n\
             2026-07-01,Mileage,9 Car and truck expenses,50.0,0.760,38.00,\r\n"
        );
        for path in ["/expenses/summary?year=1999", "/expenses/summary/pdf?year=2201"] {
            let refused = mara.get(path).await;
            assert_eq!((refused.status.as_u16(), &refused.body["fields"]["year"]), (422, &json!("Year must be from 2000 to 2200")));
        }
    }

    async fn a_year_on_paper_says_what_it_comes_to_and_each_entry(app: TestApp) {
        let mara = app.sitter("Mara").await;
        write_down(&mara, json!({ "date": "2026-01-05", "miles": 100, "note": "3 visits" })).await;
        write_down(&mara, json!({ "date": "2026-03-01", "category": "insurance", "amount": 120, "note": "Liability" })).await;
        let pdf = mara.get("/expenses/summary/pdf?year=2026").await;
        assert_eq!((pdf.status.as_u16(), pdf.headers["content-type"].to_str().unwrap()), (200, "application/pdf"));
        assert_eq!(pdf.headers["content-disposition"], "attachment; filename=\"expenses-2026.pdf\"");
        let (text, about) = read(&pdf.bytes);
        let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in [
            "Income and expenses 2026",
            "Mileage and expenses, 2 entries",
            "$192.50",
            "72.5¢ 100.0 miles $72.50",
            "15 Insurance Insurance $120.00",
            "January 100.0 miles: $72.50 $72.50",
            "28 Total expenses $192.50",
            "31 Net profit or loss -$192.50",
            "2026-01-05 Mileage · 100.0 mi at 72.5¢ · 3 visits $72.50",
            "2026-03-01 Insurance · Liability $120.00",
        ] {
            assert!(shown.contains(line), "{line}\n{text}");
        }
        assert!(about.contains("Tagged:          yes"), "{about}");
        assert!(about.contains("Income and expenses 2026 · Mara"), "{about}");
    }

    async fn forty_entries_stand_on_a_page(app: TestApp) {
        let mara = app.sitter("Mara").await;
        for n in 0..100 {
            let note = format!("Receipt {n}");
            let date = format!("2026-02-{:02}", 3 + n / 40);
            write_down(&mara, json!({ "date": date, "category": "supplies", "amount": 1, "note": note })).await;
        }
        let pdf = mara.get("/expenses/summary/pdf?year=2026").await;
        let (text, _) = read(&pdf.bytes);
        let on_page = |page: &str| page.matches("2026-02-0").count();
        let most = text.split('\u{c}').map(on_page).max();
        assert!(most >= Some(38), "{most:?}\n{text}");
    }

    #[always]
    async fn a_year_counts_money_on_the_day_on_which_it_was_paid(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let (client, dog) = mara.client("Sam").await;
        let mut ids = Vec::new();
        for (date, paid) in [("2025-12-30", false), ("2026-01-04", true)] {
            let mut form = walk(&client, &dog, date, "10:00");
            form["paid"] = json!(paid);
            let made = mara.post("/services", form).await;
            assert_eq!(made.status, 201, "{}", made.body);
            ids.push(made.id());
        }
        let form = json!({ "client_id": client, "services": [ids[0]] });
        let invoice = mara.post("/invoices/share", form).await.id();
        let paid = mara.post(&format!("/invoices/{invoice}/mark-paid"), json!({ "paid_on": "2026-01-02" })).await;
        assert_eq!(paid.status, 200, "{}", paid.body);
        let of_2026 = schedule_c(&mara, 2026).await;
        assert!(of_2026.contains("1 Gross receipts or sales,50.00,"), "{of_2026}");
        assert!(of_2026.contains("31 Net profit or loss,50.00,"), "{of_2026}");
        let of_2025 = schedule_c(&mara, 2025).await;
        assert!(of_2025.contains("1 Gross receipts or sales,0.00,"), "{of_2025}");
    }
}
