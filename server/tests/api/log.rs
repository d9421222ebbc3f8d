//! Contents of the log. Every test of this program is watched for what it must not write; these provoke it.

use serde_json::json;

use crate::on_both;
use crate::support::{ACCESS_NOTES, PASSWORD, Phone, TestApp, log};

on_both! {
    async fn a_command_that_cannot_be_read_forges_no_line_and_tells_no_words(app: TestApp) {
        let mut phone = Phone::new(&app.sitter("Anna").await);
        let forged = "x\n2026-11-20T09:00:00.000000Z ERROR walkies: all is lost";
        phone.send(forged, json!({})).await;
        phone.send("cancel_service", json!({ "id": ACCESS_NOTES })).await;
        phone.send("complete_service", json!({ "id": [ACCESS_NOTES], "notes": 7 })).await;
        log::check();
        assert!(!log::lines_with("a phone's command cannot be read").is_empty());
    }

    async fn a_sign_in_that_fails_tells_from_where_and_at_which_account_and_no_address_of_mail(app: TestApp) {
        let anna = app.sitter("Anna").await;
        for (email, password) in [(anna.email.as_str(), "not this one"), ("nobody@example.com", PASSWORD)] {
            let form = json!({ "email": email, "password": password });
            assert_eq!(app.anonymous().post("/auth/signin", form).await.status, 401);
        }
        let lines = log::lines_with("a sign-in failed");
        let of_anna = lines.iter().filter(|it| it.contains(&anna.user_id.to_string())).count();
        assert_eq!(of_anna, 1, "{lines:?}");
        assert!(lines.iter().all(|it| it.contains("address=")), "{lines:?}");
        log::check();
    }

    async fn an_address_tells_no_share_id_however_long_it_is(app: TestApp) {
        let share_id = "0f3JpQ7xTzSx5mN8dVb2Kg";
        log::remember(&json!({ "share_id": share_id }));
        let photo = "01890000-0000-7000-8000-000000000001";
        for path in [
            format!("/public/reports/{share_id}"),
            format!("/public/reports/{share_id}/photos/{photo}"),
            format!("/public/reports/{share_id}/no/such/call"),
            format!("/public/invoices/{share_id}"),
            format!("/public/invoices/{share_id}/photos/0"),
        ] {
            assert_eq!(app.anonymous().get(&path).await.status, 404);
        }
        log::check();
    }
}
