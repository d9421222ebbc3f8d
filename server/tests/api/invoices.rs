//! Invoices: billed of the server's own rows, numbered without a gap, paid together with their services, and gone when
//! they are deleted.

use serde_json::{Value, json};
use walkies_core::Id;

use crate::on_both;
use crate::photos::jpeg;
use crate::support::{Phone, TestApp, User, walk};
use crate::videos::{small_film, upload as upload_video};

type Party = (String, String);

/// A walk of the client that is done: its id. A walk costs 25 dollars.
async fn done(sitter: &User, (client, dog): &Party, date: &str) -> String {
    let mut form = walk(client, dog, date, "10:00");
    form["completion_notes"] = json!("All well");
    sitter.post("/services", form).await.id()
}

async fn share(sitter: &User, party: &Party, services: &[&String]) -> Value {
    let form = json!({ "client_id": party.0, "services": services });
    let answer = sitter.post("/invoices/share", form).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.data().clone()
}

async fn is_paid(sitter: &User, service: &str) -> bool {
    let answer = sitter.get(&format!("/services/{service}")).await;
    answer.data()["paid"].as_bool().unwrap()
}

fn path(invoice: &Value, rest: &str) -> String {
    format!("/invoices/{}{rest}", invoice["id"].as_str().unwrap())
}

on_both! {
    async fn what_is_shared_is_built_of_the_servers_own_rows(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam Rivers").await;
        let (first, second) = (done(&sitter, &sam, "2026-11-21").await, done(&sitter, &sam, "2026-11-22").await);
        // As other programs send the record, with prices of their own.
        let form = json!({
            "clientData": { "id": sam.0, "name": "Somebody else" },
            "servicesData": [{ "id": second, "price": 1 }, { "id": first, "price": 1 }],
            "invoiceData": { "startDate": "2026-11-20", "endDate": "2026-11-22", "photos": [] },
        });
        let shared = sitter.post("/invoices/share", form).await;
        assert_eq!(shared.status, 201, "{}", shared.body);
        let invoice = shared.data();
        assert_eq!(invoice["total"], 50);
        assert_eq!((&invoice["number"], &invoice["prefix"]), (&json!(1), &json!("INV-")));
        assert_eq!(invoice["version"], "2.0");
        assert_eq!(invoice["clientData"], json!({ "name": "Sam Rivers", "dogName": "Rex", "dogPhoto": null }));
        assert_eq!(invoice["invoiceData"]["startDate"], "2026-11-20");
        let share_id = invoice["shareId"].as_str().unwrap();
        assert_eq!(share_id.len(), 22, "128 bits: {share_id}");
        assert_eq!(invoice["shareUrl"], format!("/invoice/{share_id}"));
        let lines = invoice["servicesData"].as_array().unwrap();
        assert_eq!(lines.iter().map(|it| it["id"].as_str().unwrap()).collect::<Vec<_>>(), [&first, &second]);
        assert_eq!(lines[0]["price"], 25);
        assert_eq!((&lines[0]["startTime"], &lines[0]["endTime"]), (&json!("10:00"), &json!("10:30")));
        assert_eq!(lines[0]["notes"], "All well");
        assert_eq!(sitter.get(&path(invoice, "")).await.data()["total"], 50);
        assert_eq!(sitter.get("/invoices/count").await.data(), &json!({ "count": 1 }));
    }

    async fn what_other_programs_send_names_no_client_and_addresses_of_photos(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let (kim, sam) = (sitter.client("Kim").await, sitter.client("Sam Rivers").await);
        let (walk, other) = (done(&sitter, &sam, "2026-11-21").await, done(&sitter, &kim, "2026-11-22").await);
        let (first, second) = (sitter.upload(None, &jpeg()).await, sitter.upload(None, &jpeg()).await);
        let (first, photo) = (first.data(), second.data());
        assert_eq!(photo["type"], "photo");
        let film = upload_video(&sitter, &small_film()).await;
        let film = sitter.get(&format!("/videos/{film}")).await;
        let film = film.data();
        assert_eq!((&film["type"], &film["filename"]), (&json!("video"), &json!(format!("{}.mp4", film["id"].as_str().unwrap()))));
        // SPEC 3 and 7, to the letter.
        let line = |id: &str, date: &str| json!({
            "id": id, "type": "walk", "date": date, "startTime": "10:00", "endTime": "10:30", "duration": 30, "price": 25,
            "notes": "All well", "dogs": [{ "id": sam.1, "name": "Rex", "photo": null }],
        });
        let form = json!({
            "clientData": { "name": "Sam Rivers", "dogName": "Rex", "dogPhoto": null },
            "servicesData": [line(&walk, "2026-11-21"), line(&other, "2026-11-22")],
            "invoiceData": { "startDate": "2026-11-20", "endDate": "2026-11-22" },
            "photos": [first["url"], photo, film],
        });
        let shared = sitter.post("/invoices/share", form).await;
        assert_eq!(shared.status, 201, "{}", shared.body);
        let invoice = shared.data();
        assert_eq!((&invoice["client_id"], &invoice["total"]), (&json!(sam.0), &json!(25)), "who is billed is the first one's");
        assert_eq!(invoice["invoiceData"]["photos"], json!([first["id"], photo["id"]]));
        assert_eq!(invoice["invoiceData"]["videos"], json!([film["id"]]));
        let form = json!({ "servicesData": [line(&walk, "2026-11-21")], "photos": ["nowhere"] });
        assert_eq!(sitter.post("/invoices/share", form).await.failure(), (422, "invalid"));
    }

    async fn nothing_goes_out_where_the_total_is_not_the_one_that_was_seen(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let form = json!({ "client_id": sam.0, "services": [walk], "total": 20 });
        let refused = sitter.post("/invoices/share", form).await;
        assert_eq!(refused.failure(), (409, "invoice_changed"));
        assert_eq!(sitter.get("/invoices/count").await.data()["count"], 0);
        let form = json!({ "client_id": sam.0, "services": [] });
        let refused = sitter.post("/invoices/share", form).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        assert!(refused.body.to_string().contains("Please select a client and at least one service"));
    }

    async fn the_invoices_of_a_business_are_numbered_from_1_without_a_gap(app: TestApp) {
        let (mara, kim) = (app.sitter("Mara").await, app.sitter("Kim").await);
        let (sam, lou) = (mara.client("Sam").await, kim.client("Lou").await);
        let mut numbers = Vec::new();
        for day in 10..14 {
            let walk = done(&mara, &sam, &format!("2026-11-{day}")).await;
            let invoice = share(&mara, &sam, &[&walk]).await;
            numbers.push(invoice["number"].clone());
            // Neither a refusal, nor a deletion, nor another business takes a number away.
            let again = json!({ "client_id": sam.0, "services": [walk] });
            let refused = mara.post("/invoices/share", again).await;
            assert_eq!(refused.failure(), (409, "invoice_changed"));
            if day == 12 {
                assert_eq!(mara.delete(&path(&invoice, "")).await.status, 200);
            }
        }
        assert_eq!(numbers, [1, 2, 3, 4]);
        let walk = done(&kim, &lou, "2026-11-10").await;
        assert_eq!(share(&kim, &lou, &[&walk]).await["number"], 1);
    }

    async fn a_service_is_paid_when_its_invoice_is_and_not_by_itself(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let (first, second) = (done(&sitter, &sam, "2026-11-21").await, done(&sitter, &sam, "2026-11-22").await);
        let invoice = share(&sitter, &sam, &[&first, &second]).await;
        let by_itself = sitter.patch(&format!("/services/{first}/paid"), json!({ "paid": true })).await;
        assert_eq!(by_itself.failure(), (409, "on_invoice"));

        let part = sitter.post(&path(&invoice, "/payments"), json!({ "amount": 30, "method": "cash" })).await;
        assert_eq!((part.status.as_u16(), &part.data()["balance"]), (200, &json!(20)));
        assert_eq!(part.data()["updatedServices"], 0);
        assert!(!is_paid(&sitter, &first).await);

        let paid = sitter.post(&path(&invoice, "/mark-paid"), json!({ "method": "card" })).await;
        assert_eq!((&paid.data()["paid"], &paid.data()["updatedServices"]), (&json!(true), &json!(2)));
        assert!(is_paid(&sitter, &first).await && is_paid(&sitter, &second).await);
        // A second device marks it, too: it is paid once.
        let again = sitter.post(&path(&invoice, "/mark-paid"), json!({})).await;
        assert_eq!((again.status.as_u16(), &again.data()["updatedServices"]), (200, &json!(0)));
        let payments = again.data()["payments"].as_array().unwrap().clone();
        assert_eq!(payments.len(), 2);

        let last = payments[1]["id"].as_str().unwrap();
        let back = sitter.delete(&path(&invoice, &format!("/payments/{last}"))).await;
        assert_eq!((&back.data()["paid"], &back.data()["updatedServices"]), (&json!(false), &json!(2)));
        assert!(!is_paid(&sitter, &first).await);
    }

    #[always]
    async fn a_deleted_invoice_is_nowhere_and_can_be_brought_back(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let parent = app.pet_parent("Sam").await;
        app.link(&sitter, &sam.0, Some(&parent)).await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let listed = async || parent.get("/client/invoices").await.data().as_array().unwrap().len();
        let mut phone = Phone::new(&parent);
        phone.sitter_id = sitter.sitter_id;
        let page = phone.pull().await;
        assert!(page["rows"].as_array().unwrap().iter().any(|it| it["t"] == "invoice"));
        assert_eq!(listed().await, 1);

        assert_eq!(sitter.delete(&path(&invoice, "")).await.status, 200);
        assert_eq!(sitter.get(&path(&invoice, "")).await.status, 404);
        assert_eq!(sitter.get("/invoices").await.data(), &json!([]));
        assert_eq!(listed().await, 0);
        let page = phone.pull().await;
        let told: Vec<&Value> = page["rows"].as_array().unwrap().iter().filter(|it| it["t"] == "invoice").collect();
        assert_eq!((told.len(), &told[0]["del"]), (1, &json!(true)));

        let back = sitter.post(&path(&invoice, "/restore"), json!({})).await;
        assert_eq!((back.status.as_u16(), &back.data()["shareId"]), (200, &invoice["shareId"]));
        assert_eq!(listed().await, 1);
        // Billed anew while it was away, it stays there.
        assert_eq!(sitter.delete(&path(&invoice, "")).await.status, 200);
        share(&sitter, &sam, &[&walk]).await;
        let refused = sitter.post(&path(&invoice, "/restore"), json!({})).await;
        assert_eq!(refused.failure(), (409, "already_invoiced"));
    }

    async fn a_credit_note_counts_on_its_invoice_until_it_is_deleted(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let credit = json!({ "amount": 10, "note": "It rained, and we went home" });
        let note = sitter.post(&path(&invoice, "/credit"), credit.clone()).await;
        assert_eq!((note.status.as_u16(), &note.data()["credits"]), (201, &invoice["id"]));
        assert_eq!((&note.data()["number"], &note.data()["total"]), (&json!(2), &json!(10)));
        let page = format!("/public/invoices/{}", note.data()["shareId"].as_str().unwrap());
        let page = app.anonymous().get(&page).await;
        assert_eq!(page.data()["title"], "Credit note INV-2");
        assert_eq!(page.data()["facts"][0], json!({ "label": "Credit for", "text": "INV-1" }));
        assert_eq!(sitter.get(&path(&invoice, "")).await.data()["balance"], 15);
        let too_much = json!({ "amount": 16, "note": "All of it" });
        assert_eq!(sitter.post(&path(&invoice, "/credit"), too_much).await.status, 422);
        assert_eq!(sitter.delete(&path(note.data(), "")).await.status, 200);
        assert_eq!(sitter.get(&path(&invoice, "")).await.data()["balance"], 25);
    }

    async fn a_credit_note_on_a_paid_invoice_is_owed_back_and_never_a_tip(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let payment = json!({ "method": "cash", "paid_on": "2026-11-20" });
        assert_eq!(sitter.post(&path(&invoice, "/mark-paid"), payment).await.status, 200);
        let credit = json!({ "amount": 10, "note": "It rained" });
        assert_eq!(sitter.post(&path(&invoice, "/credit"), credit).await.status, 201);
        let page = async || {
            let path = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
            app.anonymous().get(&path).await.data().clone()
        };
        let shown = page().await;
        assert_eq!((&shown["amount_label"], &shown["amount"]), (&json!("Owed back to you"), &json!("$10.00")));
        assert!(!shown.to_string().contains("Tip"), "{shown}");

        let too_much = json!({ "amount": 10.01 });
        assert_eq!(sitter.post(&path(&invoice, "/refunds"), too_much).await.failure(), (422, "invalid"));
        let back = json!({ "amount": 10, "method": "transfer", "refunded_on": "2026-11-21", "note": "To his bank" });
        let refunded = sitter.post(&path(&invoice, "/refunds"), back).await;
        assert_eq!((refunded.status.as_u16(), &refunded.data()["balance"]), (200, &json!(0)));
        let refund = &refunded.data()["refunds"][0];
        assert_eq!((&refund["refunded_on"], &refund["method"]), (&json!("2026-11-21"), &json!("transfer")));
        let shown = page().await;
        assert_eq!((&shown["amount_label"], &shown["amount"]), (&json!("Paid"), &json!("$15.00")));
        let sums = shown["sums"].to_string();
        assert!(sums.contains("Refund of Nov 21, 2026 by transfer") && !sums.contains("bank"), "{sums}");
        assert!(is_paid(&sitter, &walk).await);

        let id = refund["id"].as_str().unwrap();
        let undone = sitter.delete(&path(&invoice, &format!("/refunds/{id}"))).await;
        assert_eq!((undone.status.as_u16(), &undone.data()["refunds"]), (200, &Value::Null));
        assert_eq!(page().await["amount_label"], "Owed back to you");
    }

    async fn what_is_credited_in_full_can_be_billed_anew_and_is_no_revenue_until_then(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let revenue = async || {
            let path = "/analytics/dashboard?startDate=2026-11-01&endDate=2026-11-30";
            sitter.get(path).await.data()["performance"]["performanceSummary"].clone()
        };
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let credit = json!({ "amount": 25, "note": "Billed by mistake" });
        let note = sitter.post(&path(&invoice, "/credit"), credit.clone()).await;
        let credited = sitter.get(&path(&invoice, "")).await;
        assert_eq!((&credited.data()["paid"], &credited.data()["balance"]), (&json!(false), &json!(0)));
        assert!(!is_paid(&sitter, &walk).await);
        assert_eq!(revenue().await["total_revenue"], 0);
        let public = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
        assert_eq!(app.anonymous().get(&public).await.data()["state"], "credited");

        // A slip that is undone bills the service as before.
        assert_eq!(sitter.delete(&path(note.data(), "")).await.status, 200);
        assert_eq!(revenue().await["total_revenue"], 25);
        assert_eq!(sitter.post(&path(note.data(), "/restore"), json!({})).await.status, 200);

        let second = share(&sitter, &sam, &[&walk]).await;
        assert_eq!((&second["total"], revenue().await["total_revenue"].as_i64()), (&json!(25), Some(25)));
        let refused = sitter.delete(&path(note.data(), "")).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        assert_eq!(refused.body["fields"]["services"], "Its services have been paid or billed again since, so the credit note cannot be deleted.");
    }

    async fn what_a_deleted_invoice_of_nothing_billed_can_be_billed_again(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let free = json!({ "client_id": sam.0, "services": [walk], "extras": [{ "label": "On the house", "amount": -25 }] });
        let invoice = sitter.post("/invoices/share", free).await;
        assert_eq!((&invoice.data()["total"], is_paid(&sitter, &walk).await), (&json!(0), true));
        assert_eq!(sitter.delete(&path(invoice.data(), "")).await.status, 200);
        assert!(!is_paid(&sitter, &walk).await);
        assert_eq!(share(&sitter, &sam, &[&walk]).await["total"], 25);
    }

    async fn what_is_paid_too_much_is_a_tip_or_credit_where_somebody_says_so(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let paid = json!({ "amount": 60, "method": "cash" });
        assert_eq!(sitter.post(&path(&invoice, "/payments"), paid).await.status, 200);
        let public = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
        let sums = async || app.anonymous().get(&public).await.data()["sums"].to_string();
        let told = sums().await;
        assert!(told.contains("Owed back to you") && !told.contains("Tip"), "{told}");
        let too_much = json!({ "tip": 30, "kept": 10 });
        assert_eq!(sitter.post(&path(&invoice, "/overpayment"), too_much).await.failure(), (422, "invalid"));
        let said = json!({ "tip": 5, "kept": 30 });
        assert_eq!(sitter.post(&path(&invoice, "/overpayment"), said).await.status, 200);
        let told = sums().await;
        for words in ["Tip, thank you", "$5.00", "Kept as your credit", "$30.00"] {
            assert!(told.contains(words), "{words} in {told}");
        }
        assert!(!told.contains("Owed back"), "{told}");
    }

    async fn credit_pays_the_next_invoice_and_what_is_never_paid_is_written_off(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let (walk, next) = (done(&sitter, &sam, "2026-11-21").await, done(&sitter, &sam, "2026-11-22").await);
        let first = share(&sitter, &sam, &[&walk]).await;
        let paid = json!({ "amount": 35, "method": "cash", "beyond": "credit" });
        assert_eq!(sitter.post(&path(&first, "/payments"), paid).await.status, 200);
        let form = |amount: u32| {
            let credits = json!([{ "invoice_id": first["id"], "amount": amount }]);
            json!({ "client_id": sam.0, "services": [next], "credits": credits })
        };
        assert_eq!(sitter.post("/invoices/share", form(11)).await.failure(), (422, "invalid"));
        let second = sitter.post("/invoices/share", form(10)).await;
        assert_eq!((second.status.as_u16(), &second.data()["balance"]), (201, &json!(15)));
        let second = second.data();
        let page = format!("/public/invoices/{}", second["shareId"].as_str().unwrap());
        let sums = app.anonymous().get(&page).await.data()["sums"].to_string();
        assert!(sums.contains("Credit from INV-1"), "{sums}");
        assert_eq!(sitter.delete(&path(&first, "")).await.failure(), (422, "invalid"));

        let parts = json!([{ "invoice_id": second["id"], "amount": 5 }]);
        let payment = json!({ "parts": parts, "method": "transfer", "note": "By bank" });
        assert_eq!(sitter.post("/invoices/payments", payment).await.status, 200);
        let lost = sitter.post(&path(second, "/write-off"), json!({ "note": "Moved away" })).await;
        assert_eq!((lost.status.as_u16(), &lost.data()["balance"], &lost.data()["paid"]), (200, &json!(0), &json!(false)));
        let shown = app.anonymous().get(&page).await.data().clone();
        assert_eq!((&shown["state"], &shown["amount"]), (&json!("written_off"), &json!("$10.00")));
        assert!(!shown.to_string().contains("Moved"), "{shown}");
        let back = sitter.post(&path(second, "/write-off"), json!({ "written_off": false })).await;
        assert_eq!(back.data()["balance"], 10);

        // The credit would go back, the visit would be open again, and the $5.00 would be gone.
        assert_eq!(sitter.delete(&path(second, "")).await.failure(), (422, "invalid"));
        let of_money = |it: &&Value| it["method"] == "transfer";
        let payment = back.data()["payments"].as_array().unwrap().iter().find(of_money).unwrap()["id"].clone();
        let removed = sitter.delete(&path(second, &format!("/payments/{}", payment.as_str().unwrap()))).await;
        assert_eq!(removed.status, 200);
        assert_eq!(sitter.delete(&path(second, "")).await.status, 200);
        assert_eq!(sitter.get(&path(&first, "")).await.data()["refunds"], Value::Null);

        let third = share(&sitter, &sam, &[&next]).await;
        let unpaid = async |sitter: &User| sitter.get("/dashboard/stats").await.data()["unpaid_count"].clone();
        assert_eq!(unpaid(&sitter).await, 1);
        assert_eq!(sitter.post(&path(&third, "/write-off"), json!({})).await.status, 200);
        assert_eq!(unpaid(&sitter).await, 0);
    }

    async fn two_phones_that_bill_the_same_visits_are_told_which_invoice_has_them(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let (first, second) = (done(&sitter, &sam, "2026-11-21").await, done(&sitter, &sam, "2026-11-22").await);
        let invoice = share(&sitter, &sam, &[&first]).await;
        let again = json!({ "client_id": sam.0, "services": [first], "total": 25 });
        let refused = sitter.post("/invoices/share", again).await;
        assert_eq!(refused.failure(), (409, "invoice_changed"));
        assert_eq!(refused.body["error"], "Already on INV-1. Nothing was shared.");
        let both = json!({ "client_id": sam.0, "services": [first, second], "total": 50 });
        let refused = sitter.post("/invoices/share", both).await;
        let text = "1 service is already on INV-1, and the rest comes to $25.00. Nothing was shared.";
        assert_eq!(refused.body["error"], text);
        assert!(refused.body.to_string().contains(invoice["id"].as_str().unwrap()), "{}", refused.body);
    }

    async fn a_tax_keeps_three_decimals(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let tax = json!({ "name": "Sales tax", "rate": 887, "rate_thousandths": 5 });
        let saved = sitter.put("/sitters/profile", json!({ "invoicing": { "tax": tax } })).await;
        assert_eq!(saved.status, 200, "{}", saved.body);
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        // 8.875 % of $25.00 are $2.21875; 8.87 % would be the same $2.22, and the words are not.
        assert_eq!(invoice["total"], 27.22);
        let public = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
        let told = app.anonymous().get(&public).await.data()["sums"].to_string();
        assert!(told.contains("Sales tax 8.875%"), "{told}");
        let wrong = json!({ "invoicing": { "tax": { "name": "Sales tax", "rate": 887, "rate_thousandths": 10 } } });
        assert_eq!(sitter.put("/sitters/profile", wrong).await.failure(), (422, "invalid"));
    }

    async fn lines_have_rates_of_their_own_and_credit_notes_say_the_tax_in_them(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let settings = json!({ "invoicing": {
            "tax": { "name": "Sales tax", "rate": 887, "rate_thousandths": 5 },
            "more_taxes": [{ "name": "City tax", "rate": 662, "rate_thousandths": 5 }],
        } });
        assert_eq!(sitter.put("/sitters/profile", settings).await.status, 200);
        let sam = sitter.client("Sam").await;
        let walks = [done(&sitter, &sam, "2026-11-20").await, done(&sitter, &sam, "2026-11-21").await];
        let form = json!({
            "client_id": sam.0, "services": walks, "service_taxes": [{ "id": walks[1], "tax_name": "City tax" }],
            "extras": [{ "label": "Key fob", "amount": 5, "tax_name": "" }],
        });
        let invoice = sitter.post("/invoices/share", form.clone()).await;
        assert_eq!(invoice.status, 201, "{}", invoice.body);
        let invoice = invoice.data().clone();
        // $25.00 with 2.21875 of tax, $25.00 with 1.65625, and $5.00.
        assert_eq!(invoice["total"], 58.88);
        assert_eq!(invoice["currency"], "USD");
        let public = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
        let page = app.anonymous().get(&public).await;
        let sums = page.data()["sums"].to_string();
        for label in ["Sales tax 8.875% on $25.00", "City tax 6.625% on $25.00", "Key fob · No tax"] {
            assert!(sums.contains(label), "{label}: {sums}");
        }
        assert_eq!(page.data()["lines"][1]["tax"], "City tax 6.625%");
        let credit = json!({ "amount": 58.88, "note": "Called off" });
        let note = sitter.post(&path(&invoice, "/credit"), credit).await;
        assert_eq!(note.status, 201, "{}", note.body);
        let taxes = json!([
            { "label": "Sales tax 8.875%", "amount": 2.22 }, { "label": "City tax 6.625%", "amount": 1.66 },
        ]);
        assert_eq!(note.data()["invoiceData"]["taxes"], taxes);
        let more: Vec<Value> = (0..5).map(|it| json!({ "name": format!("T{it}"), "rate": 100 })).collect();
        let refused = sitter.put("/sitters/profile", json!({ "invoicing": { "more_taxes": more } })).await;
        assert_eq!(refused.failure(), (422, "invalid"));
    }

    async fn an_invoice_says_who_bills_whom_and_where_the_money_goes(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let settings = json!({ "invoicing": {
            "prefix": "INV-", "issuer": { "postal_address": "1 Elm Street\nSpringfield", "tax_id": "DE123456789", "registration_number": "HRB 7" },
            "terms": "Within 14 days", "number_year": true, "number_digits": 4,
            "pay_to": { "iban": "de89 3704 0044 0532 0130 00", "bic": "cobadeff", "account_holder": "Mara Lind",
                "routing_number": "021000021", "account_number": "12345678" },
        } });
        let saved = sitter.put("/sitters/profile", settings).await;
        assert_eq!(saved.status, 200, "{}", saved.body);
        let sam = sitter.client("Sam").await;
        let address = json!({ "billing_address": "Sam Inc.\n7 Oak Street" });
        assert_eq!(sitter.put(&format!("/clients/{}", sam.0), address).await.status, 200);
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let year = invoice["issued_on"].as_str().unwrap().split('-').next().unwrap().to_owned();
        let public = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
        let page = app.anonymous().get(&public).await;
        assert_eq!(page.data()["title"], format!("Invoice INV-{year}-0001"));
        let told = page.body.to_string();
        for text in ["1 Elm Street", "DE123456789", "HRB 7", "Within 14 days", "7 Oak Street", "DE89 3704 0044 0532 0130 00",
            "COBADEFF", "021000021", "12345678", "Mara Lind"] {
            assert!(told.contains(text), "{text}: {told}");
        }
        let wrong = json!({ "invoicing": { "pay_to": { "iban": "DE89370400440532013001" } } });
        let refused = sitter.put("/sitters/profile", wrong).await;
        assert_eq!(refused.failure(), (422, "invalid"));
    }

    async fn new_clients_pay_the_prices_that_the_sitter_has_set(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let offerings = sitter.get("/sitter-services").await;
        let walk = offerings.data().as_array().unwrap().iter().find(|it| it["duration_minutes"] == 30).unwrap().clone();
        let id = walk["id"].as_str().unwrap();
        let saved = sitter.put(&format!("/sitter-services/{id}"), json!({ "base_price": 28 })).await;
        assert_eq!(saved.status, 200, "{}", saved.body);
        let sam = sitter.post("/clients", json!({ "name": "Sam", "dogs": [{ "name": "Rex" }] })).await;
        let rates = |it: &str| sam.data()[it].clone();
        assert_eq!((rates("walk_rate_30min"), rates("walk_rate_60min")), (json!(28), json!(35)));
        let kim = json!({ "name": "Kim", "dogs": [{ "name": "Bo" }], "walk_rate_30min": 22 });
        let kim = sitter.post("/clients", kim).await;
        assert_eq!((kim.status.as_u16(), &kim.data()["walk_rate_30min"]), (201, &json!(22)));
    }

    async fn why_a_price_was_agreed_is_the_sitters_unless_told(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let parent = app.pet_parent("Sam").await;
        app.link(&sitter, &sam.0, Some(&parent)).await;
        let told = async |date: &str, agreed: Value| {
            let mut form = walk(&sam.0, &sam.1, date, "10:00");
            form["price_override"] = agreed;
            let made = sitter.post("/scheduled-services", form).await;
            assert_eq!(made.status, 201, "{}", made.body);
            let mut phone = Phone::new(&parent);
            phone.sitter_id = sitter.sitter_id;
            let rows = phone.pull().await["rows"].to_string();
            (parent.get("/client/services").await.body.to_string(), rows)
        };
        let (listed, pulled) = told("2026-12-01", json!({ "amount": 20, "reason": "She pays late" })).await;
        for it in [&listed, &pulled] {
            assert!(it.contains("Agreed price") && !it.contains("She pays late"), "{it}");
        }
        let agreed = json!({ "amount": 20, "reason": "Our anniversary", "tells_reason": true });
        let (_, pulled) = told("2026-12-02", agreed).await;
        assert!(pulled.contains("Agreed price: Our anniversary"), "{pulled}");
    }

    async fn an_invoice_shows_the_contact_that_was_chosen_and_never_the_sign_ins(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let public = format!("/public/invoices/{}", invoice["shareId"].as_str().unwrap());
        let contacts = async || app.anonymous().get(&public).await.data()["contacts"].to_string();
        let told = contacts().await;
        assert!(!told.contains('@'), "{told}");
        let chosen = json!({ "invoicing": { "contact_email": "hello@walks.example" } });
        assert_eq!(sitter.put("/sitters/profile", chosen).await.status, 200);
        let told = contacts().await;
        assert!(told.contains("mailto:hello@walks.example"), "{told}");
        let wrong = json!({ "invoicing": { "contact_email": "nobody" } });
        assert_eq!(sitter.put("/sitters/profile", wrong).await.failure(), (422, "invalid"));
    }

    async fn what_a_sitter_writes_to_themselves_of_a_payment_is_told_to_nobody(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let parent = app.pet_parent("Sam").await;
        app.link(&sitter, &sam.0, Some(&parent)).await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        let payment = json!({ "amount": 5, "note": "Counted twice, he was short" });
        assert_eq!(sitter.post(&path(&invoice, "/payments"), payment).await.status, 200);
        let listed = parent.get("/client/invoices").await;
        assert_eq!(listed.data()[0]["payments"][0]["amount"], 5);
        assert!(!listed.body.to_string().contains("Counted twice"));
    }

    async fn the_same_invoice_is_shared_once_however_often_it_is_sent(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let form = json!({ "id": Id::of(77), "client_id": sam.0, "services": [walk], "total": 25 });
        let once = sitter.post_once("key", "/invoices/share", form.clone()).await;
        let twice = sitter.post_once("key", "/invoices/share", form).await;
        assert_eq!((once.status.as_u16(), &once.body), (201, &twice.body));
        assert_eq!(sitter.get("/invoices/count").await.data()["count"], 1);
    }

    async fn tax_due_day_and_payment_handles_come_from_the_settings(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let settings = json!({ "invoicing": {
            "prefix": "M-", "due_days": 14, "tax": { "name": "Sales tax", "rate": 825, "included": false },
            "pay_to": { "venmo": "@mara-walks", "cash_app": "$mara" }, "tips": [20, 10, 15], "tip_nudge": "Rex says thanks",
        } });
        let saved = sitter.put("/sitters/profile", settings).await;
        assert_eq!(saved.status, 200, "{}", saved.body);
        let sam = sitter.client("Sam").await;
        let walk = done(&sitter, &sam, "2026-11-21").await;
        let invoice = share(&sitter, &sam, &[&walk]).await;
        assert_eq!((&invoice["total"], &invoice["prefix"]), (&json!(27.06), &json!("M-")));
        let data = &invoice["invoiceData"];
        assert_eq!(data["payTo"], json!({ "venmo": "mara-walks", "paypal": "", "cash_app": "mara", "zelle": "" }));
        assert_eq!((&data["tipMode"], &data["tips"]), (&json!("percent"), &json!([10, 15, 20])));
        assert!(invoice["due_date"].as_str().unwrap() > invoice["issued_on"].as_str().unwrap());
        let wrong = json!({ "invoicing": { "pay_to": { "venmo": "mara/../x?y" }, "tax": { "name": "", "rate": 0 } } });
        let refused = sitter.put("/sitters/profile", wrong).await;
        assert_eq!(refused.failure(), (422, "invalid"));
    }
}

/// The numbers of two processes that share one PostgreSQL, each of which shares invoices at the same time.
#[tokio::test]
async fn two_processes_give_no_number_twice_and_leave_none_out() {
    let Some(app) = TestApp::postgres(crate::support::settings()).await else {
        return;
    };
    let other = app.second_process().await;
    let sitter = app.sitter("Mara").await;
    let sam = sitter.client("Sam").await;
    let mut walks = Vec::new();
    for day in 1..=20 {
        walks.push(done(&sitter, &sam, &format!("2026-11-{day:02}")).await);
    }
    let there = User {
        router: other.router.clone(),
        ..sitter.clone()
    };
    let (mine, theirs) = walks.split_at(10);
    let share_all = async |user: &User, walks: &[String]| {
        let mut numbers = Vec::new();
        for walk in walks {
            numbers.push(share(user, &sam, &[walk]).await["number"].as_u64().unwrap());
        }
        numbers
    };
    let (mut numbers, more) = tokio::join!(share_all(&sitter, mine), share_all(&there, theirs));
    numbers.extend(more);
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
}
