//! A business that is billed by itself on a day of the month: once, whatever stands still, and beside those who bill.

use serde_json::json;
use walkies_core::Id;
use walkies_server::jobs::bill_day::bill_once;

use crate::on_both;
use crate::push::{Family, body};
use crate::support::{DAY, HOUR, TestApp};

impl Family {
    /// Chooses the third of each month; now is the 20th of November, at 4:00 in New York.
    async fn bills_itself(&self, waits: bool) {
        let invoicing = json!({ "prefix": "INV-", "bill_day": 3, "bill_waits": waits });
        let profile = json!({ "invoicing": invoicing });
        self.sitter.put("/sitters/profile", profile).await.data();
        self.bill_twice().await;
    }

    /// A walk of $25 that was done.
    async fn done(&self, date: &str, start: &str) -> String {
        let id = self.sitter.walk(&self.client, date, start).await;
        let path = format!("/scheduled-services/{id}/complete");
        self.sitter.post(&path, json!({})).await.data();
        id
    }

    /// Looks for what is to be billed, as two processes at once.
    async fn bill_twice(&self) {
        let state = &self.app.state;
        let (one, other) = tokio::join!(bill_once(state), bill_once(state));
        one.and(other).unwrap();
    }

    /// The totals of all invoices, the newest first.
    async fn totals(&self) -> Vec<f64> {
        let listed = self.sitter.get("/invoices").await;
        let listed = listed.data().as_array().unwrap();
        listed
            .iter()
            .map(|it| it["total"].as_f64().unwrap())
            .collect()
    }
}

on_both! {
    #[always]
    async fn a_month_is_billed_by_itself_once_and_the_sitter_is_told(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "sitter").await;
        family.bills_itself(false).await;
        family.done("2026-11-24", "10:00").await;
        family.done("2026-11-25", "10:00").await;
        let late = family.sitter.walk(&family.client, "2026-11-26", "10:00").await;
        family.deliver().await;
        // December 2, 9:00 in New York.
        family.app.clock.advance(12 * DAY + 5 * HOUR);
        family.bill_twice().await;
        assert!(family.totals().await.is_empty(), "its day has not come");
        family.app.clock.advance(DAY - HOUR);
        family.bill_twice().await;
        assert!(family.totals().await.is_empty(), "nobody is billed at night");
        family.app.clock.advance(HOUR);
        family.bill_twice().await;
        assert_eq!(family.totals().await, [50.0]);
        let calls = family.deliver().await;
        let told: Vec<String> = calls.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(told, ["1 invoice was shared. 1 client needs a look"]);
        // What is done later in the month waits for the sitter.
        let path = format!("/scheduled-services/{late}/complete");
        family.sitter.post(&path, json!({})).await.data();
        for _ in 0..5 {
            family.app.clock.advance(DAY);
            family.bill_twice().await;
        }
        assert_eq!(family.totals().await, [50.0]);
        assert!(family.deliver().await.is_empty());
    }

    async fn days_that_a_server_stood_still_are_made_up_for(app: TestApp) {
        let family = Family::new(&app).await;
        family.bills_itself(false).await;
        family.done("2026-11-24", "10:00").await;
        family.done("2026-12-08", "10:00").await;
        // January 10; whoever is there at least once a month stays signed in.
        family.app.clock.advance(25 * DAY);
        assert!(family.totals().await.is_empty());
        family.app.clock.advance(26 * DAY + 6 * HOUR);
        family.bill_twice().await;
        assert_eq!(family.totals().await, [25.0, 25.0]);
        family.app.clock.advance(HOUR);
        family.bill_twice().await;
        assert_eq!(family.totals().await.len(), 2);
    }

    #[always]
    async fn what_somebody_bills_beside_it_is_on_one_invoice(app: TestApp) {
        let family = Family::new(&app).await;
        family.bills_itself(false).await;
        let before = family.done("2026-11-24", "10:00").await;
        let after = family.done("2026-11-25", "10:00").await;
        let form = |id: &str| json!({ "client_id": family.client.0, "services": [id] });
        family.sitter.post("/invoices/share", form(&before)).await.data();
        family.app.clock.advance(13 * DAY + 5 * HOUR);
        family.bill_twice().await;
        assert_eq!(family.totals().await, [25.0, 25.0]);
        // A phone that billed with no network comes late.
        let late = family.sitter.post("/invoices/share", form(&after)).await;
        assert_eq!(late.status, 409, "{:?}", late.body);
        assert_eq!(family.totals().await.len(), 2);
    }

    async fn who_wants_to_look_first_is_told_and_nothing_is_shared(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "sitter").await;
        family.bills_itself(true).await;
        family.done("2026-11-24", "10:00").await;
        family.deliver().await;
        family.app.clock.advance(13 * DAY + 5 * HOUR);
        family.bill_twice().await;
        let calls = family.deliver().await;
        let told: Vec<String> = calls.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(told, ["1 invoice is ready for a look"]);
        assert!(family.totals().await.is_empty());
        family.app.clock.advance(HOUR);
        family.bill_twice().await;
        assert!(family.deliver().await.is_empty());
    }

    #[always]
    async fn one_that_is_switched_off_and_on_begins_anew(app: TestApp) {
        let family = Family::new(&app).await;
        family.bills_itself(false).await;
        let off = json!({ "invoicing": { "prefix": "INV-" } });
        family.sitter.put("/sitters/profile", off).await.data();
        family.done("2026-11-24", "10:00").await;
        // December 10: the day is over when it is switched on.
        family.app.clock.advance(20 * DAY + 5 * HOUR);
        family.bill_twice().await;
        family.bills_itself(false).await;
        family.app.clock.advance(HOUR);
        family.bill_twice().await;
        assert!(family.totals().await.is_empty());
        family.done("2026-12-11", "10:00").await;
        // January 3.
        family.app.clock.advance(24 * DAY);
        family.bill_twice().await;
        assert_eq!(family.totals().await, [25.0]);
    }

    async fn one_business_that_cannot_be_billed_stops_no_other(app: TestApp) {
        let family = Family::new(&app).await;
        family.bills_itself(false).await;
        family.done("2026-11-24", "10:00").await;
        let other = family.app.sitter("Ada").await;
        let profile = json!({ "invoicing": { "prefix": "A-", "bill_day": 3 } });
        other.put("/sitters/profile", profile).await.data();
        let client = other.client("Kim").await;
        let walk = other.walk(&client, "2026-11-24", "10:00").await;
        let path = format!("/scheduled-services/{walk}/complete");
        other.post(&path, json!({})).await.data();
        family.bill_twice().await;
        // Something else has the id that the invoice of one of them would have.
        let month = "2026-11-01".parse().unwrap();
        let client_id: Id = client.0.parse().unwrap();
        let taken = walkies_core::rules::bill_day::billed_id(month, client_id);
        let form = json!({ "id": taken, "client_id": client.0, "extras": [{ "label": "Keys", "amount": 10 }] });
        other.post("/invoices/share", form).await.data();
        family.app.clock.advance(13 * DAY + 5 * HOUR);
        family.bill_twice().await;
        assert_eq!(family.totals().await, [25.0]);
        let listed = other.get("/invoices").await;
        assert_eq!(listed.data().as_array().unwrap().len(), 1);
    }
}
