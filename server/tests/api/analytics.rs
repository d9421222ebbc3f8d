//! Analytics: what the work of some days comes to, computed of the server's own rows.

use serde_json::{Value, json};

use crate::on_both;
use crate::support::{TestApp, User, walk};

type Party = (String, String);

/// A walk of the client for 25 dollars that is done: its id.
async fn done(sitter: &User, (client, dog): &Party, date: &str, start: &str) -> String {
    let answer = sitter
        .post("/services", walk(client, dog, date, start))
        .await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.id()
}

fn counts(list: &Value, name: &str) -> Vec<(String, u64)> {
    let items = list.as_array().unwrap().iter();
    let counts = items.map(|it| {
        (
            it[name].as_str().unwrap().to_owned(),
            it["count"].as_u64().unwrap(),
        )
    });
    counts.filter(|it| 0 < it.1).collect()
}

on_both! {
    async fn the_last_thirty_days_are_added_up_and_compared_with_those_before(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let (sam, lou, kim) = (sitter.client("Sam").await, sitter.client("Lou").await, sitter.client("Kim").await);
        // Long ago, in the thirty days before, and in the last thirty.
        done(&sitter, &kim, "2026-08-03", "10:00").await;
        done(&sitter, &sam, "2026-10-21", "10:00").await;
        for date in ["2026-10-22", "2026-11-18", "2026-11-20"] {
            done(&sitter, &sam, date, "10:00").await;
        }
        let paid = done(&sitter, &lou, "2026-11-18", "12:00").await;
        sitter.patch(&format!("/services/{paid}/paid"), json!({ "paid": true })).await.data();
        done(&sitter, &kim, "2026-11-19", "10:00").await;
        // What is to come counts for the next month, and what was called off for nothing.
        sitter.walk(&sam, "2026-12-03", "10:00").await;
        let cancelled = sitter.walk(&sam, "2026-11-20", "15:00").await;
        sitter.delete(&format!("/scheduled-services/{cancelled}")).await.data();
        app.request(&sitter, &sam).await;
        // Nobody else's work is in it.
        let other = app.sitter("Other").await;
        let stranger = other.client("Stranger").await;
        done(&other, &stranger, "2026-11-18", "10:00").await;

        let answer = sitter.get("/analytics/dashboard").await;
        let all = answer.data();
        assert_eq!(all["period"], json!({ "startDate": "2026-10-22", "endDate": "2026-11-20" }));
        let performance = &all["performance"];
        assert_eq!(
            performance["performanceSummary"],
            json!({ "total_revenue": 125, "total_services": 5, "unique_clients": 3, "payment_rate": 20.0 })
        );
        assert_eq!(
            performance["growthMetrics"],
            json!({ "revenue_growth": 400.0, "services_growth": 400.0, "client_growth": 200.0 })
        );
        assert_eq!((&performance["cancelled_services"], &performance["cancelledServices"]), (&Value::Null, &json!(1)));
        assert_eq!(performance["nextMonth"]["worth"], 25);
        let daily = all["revenue"]["dailyTrends"].as_array().unwrap();
        assert_eq!(daily.len(), 30);
        assert_eq!(daily[27], json!({ "service_date": "2026-11-18", "daily_revenue": 50, "service_count": 2 }));
        let kinds = &all["revenue"]["serviceDistribution"];
        assert_eq!((&kinds[0]["type"], &kinds[0]["label"]), (&json!("walk"), &json!("Dog Walks")));
        let months = all["revenue"]["monthlyRevenue"].as_array().unwrap();
        assert_eq!(months[1]["month"], "2026-11");
        assert_eq!((&months[1]["total_revenue"], &months[1]["walk_count"]), (&json!(100), &json!(4)));
        let days = all["booking"]["weeklyPatterns"].as_array().unwrap();
        assert_eq!((&days[3]["day_name"], &days[3]["service_count"]), (&json!("Wednesday"), &json!(2)));
        assert_eq!(counts(&all["booking"]["requestAnalytics"], "status"), [("pending".to_owned(), 1)]);
        assert_eq!(
            counts(&all["clients"]["retentionAnalysis"], "retention_category"),
            [("regular".to_owned(), 1), ("new".to_owned(), 1), ("returning".to_owned(), 1)]
        );
        let top = &all["clients"]["topClients"][0];
        assert_eq!((&top["name"], &top["total_revenue"], &top["service_count"]), (&json!("Sam"), &json!(75), &json!(3)));
        assert_eq!(all["sentences"]["revenue"], "$125.00 with 5 services, 400% more than the 30 days before");

        for (part, name) in [
            ("revenue", "revenue"),
            ("bookings", "booking"),
            ("clients", "clients"),
            ("performance", "performance"),
            ("availability", "availability"),
        ] {
            let answer = sitter.get(&format!("/analytics/{part}?startDate=2026-10-22&endDate=2026-11-20")).await;
            assert_eq!(answer.data(), &all[name], "{part}");
        }
    }

    async fn a_span_of_days_is_what_was_asked_for(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        done(&sitter, &sam, "2026-11-18", "10:00").await;
        let total = async |query: &str| {
            let answer = sitter.get(&format!("/analytics/performance{query}")).await;
            answer.data()["performanceSummary"]["total_services"].clone()
        };
        assert_eq!(total("?startDate=2026-11-18&endDate=2026-11-18").await, 1);
        assert_eq!(total("?startDate=2026-11-19").await, 0);
        assert_eq!(total("?endDate=2026-11-17").await, 0);
        let nothing = sitter.get("/analytics/performance?startDate=2020-01-01&endDate=2020-01-31").await;
        assert_eq!(nothing.data()["growthMetrics"]["revenue_growth"], Value::Null);
        assert_eq!(nothing.data()["performanceSummary"]["payment_rate"], Value::Null);
        for (query, field) in [
            ("?startDate=2026-11-19&endDate=2026-11-18", "endDate"),
            ("?startDate=0000-01-01&endDate=9999-12-31", "startDate"),
        ] {
            let refused = sitter.get(&format!("/analytics/dashboard{query}")).await;
            assert_eq!(refused.failure(), (422, "invalid"));
            assert!(refused.body["fields"][field].is_string(), "{}", refused.body);
        }
        assert_eq!(sitter.get("/analytics/dashboard?startDate=soon").await.status, 400);
    }

    async fn a_request_counts_on_the_sitters_day_and_as_completed_once_its_service_is(app: TestApp) {
        const HOUR_MS: i64 = 3_600_000;
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        // From 4 AM in New York to 11:30 PM, when it is the next day in UTC.
        app.clock.advance(19 * HOUR_MS + HOUR_MS / 2);
        let late = app.request(&sitter, &sam).await;
        app.clock.advance(HOUR_MS);
        let early = app.request(&sitter, &sam).await;
        let statuses = async |day: &str| {
            let answer = sitter.get(&format!("/analytics/bookings?startDate={day}&endDate={day}")).await;
            counts(&answer.data()["requestAnalytics"], "status")
        };
        let pending = vec![("pending".to_owned(), 1)];
        assert_eq!(statuses("2026-11-20").await, pending);
        assert_eq!(statuses("2026-11-21").await, pending);
        let form = json!({ "create_scheduled_service": true, "overlap_ok": true });
        let mut services = Vec::new();
        for id in [&late, &early] {
            let approved = sitter.post(&format!("/sitter/requests/{id}/approve"), form.clone()).await;
            services.push(approved.data()["scheduled_service_id"].as_str().unwrap().to_owned());
        }
        let service = &services[0];
        sitter.post(&format!("/scheduled-services/{service}/complete"), json!({})).await.data();
        assert_eq!(statuses("2026-11-20").await, [("completed".to_owned(), 1)]);
        assert_eq!(statuses("2026-11-21").await, [("approved".to_owned(), 1)]);
    }

    async fn who_was_served_long_ago_returns_though_the_client_is_deleted(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let (sam, lou) = (sitter.client("Sam").await, sitter.client("Lou").await);
        done(&sitter, &sam, "2026-08-03", "10:00").await;
        for (client, start) in [(&sam, "10:00"), (&lou, "12:00")] {
            done(&sitter, client, "2026-11-18", start).await;
        }
        sitter.delete(&format!("/clients/{}", sam.0)).await.data();
        let answer = sitter.get("/analytics/clients").await;
        assert_eq!(
            counts(&answer.data()["retentionAnalysis"], "retention_category"),
            [("new".to_owned(), 1), ("returning".to_owned(), 1)]
        );
        let kept = answer.data()["topClients"].as_array().unwrap().iter();
        let kept: Vec<_> = kept.map(|it| (it["name"].as_str().unwrap(), it["is_kept"] == true)).collect();
        assert_eq!(kept, [("Lou", true), ("Sam", false)]);
    }

    #[always]
    async fn a_blocked_time_is_no_free_time(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let said = async || {
            let answer = sitter.get("/analytics/insights/bookings").await;
            answer.data()["insights"].to_string()
        };
        let before = said().await;
        assert!(before.contains("9:00 AM - 5:00 PM"), "{before}");
        let block = json!({
            "block_date": "2026-01-01", "start_time": "12:00", "end_time": "13:00", "is_recurring": true,
            "recurrence_pattern": "daily",
        });
        sitter.post("/availability/blocked-times", block).await.data();
        let after = said().await;
        assert!(after.contains("1:00 PM - 5:00 PM"), "{after}");
    }

    async fn insights_are_sentences_about_the_last_days(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        done(&sitter, &sam, "2026-11-18", "10:00").await;
        let answer = sitter.get("/analytics/insights/revenue").await;
        assert_eq!(answer.data()["period"], 30);
        assert_eq!(answer.data()["insights"][0], "$25.00 with 1 service; the 30 days before had nothing");
        let week = sitter.get("/analytics/insights/bookings?period=7").await;
        assert_eq!(week.data()["dates"]["startDate"], "2026-11-14");
        assert_eq!(week.data()["insights"][0], "Wednesday is the busiest day, with 1 of 1 service");
        for period in ["0", "100000"] {
            let refused = sitter.get(&format!("/analytics/insights/revenue?period={period}")).await;
            assert_eq!(refused.failure(), (422, "invalid"));
        }
    }

    async fn what_is_exported_has_each_service_and_no_formula(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("=HYPERLINK(\"http://evil.example\")").await;
        done(&sitter, &sam, "2026-11-18", "10:00").await;
        sitter.walk(&sam, "2026-11-20", "16:00").await;
        let table = sitter.get("/analytics/export?format=csv").await;
        assert_eq!(table.headers["content-type"], "text/csv; charset=utf-8");
        assert_eq!(table.headers["content-disposition"], "attachment; filename=\"analytics-export.csv\"");
        assert_eq!(
            String::from_utf8(table.bytes).unwrap(),
            "\u{feff}Date,Start,Minutes,Client,Service,Status,Price,Paid\r\n\
            2026-11-18,10:00,30,\"'=HYPERLINK(\"\"http://evil.example\"\")\",Walk,Completed,25.00,No\r\n\
            2026-11-20,16:00,30,\"'=HYPERLINK(\"\"http://evil.example\"\")\",Walk,Scheduled,25.00,No\r\n"
        );
        let all = sitter.get("/analytics/export?startDate=2026-11-18&endDate=2026-11-18").await;
        assert_eq!(all.data()["performance"]["performanceSummary"]["total_services"], 1);
        let services = all.data()["services"].as_array().unwrap();
        assert_eq!(services.len(), 1);
        assert_eq!((&services[0]["date"], &services[0]["price"]), (&json!("2026-11-18"), &json!(25)));
        assert_eq!(sitter.get("/analytics/export?format=xls").await.status, 400);
    }
}
