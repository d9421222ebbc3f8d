//! Clients and pets from files of other systems: by a call, and by phones that have read the file themselves.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::values::bounds::{IMPORT_BYTES, IMPORT_CLIENTS};

use crate::on_both;
use crate::support::{Answer, Phone, TestApp, User};

async fn send(user: &User, query: &str, key: Option<&str>, file: &[u8]) -> Answer {
    let mut request = Request::post(format!("/api/import/clients{query}"));
    request = request.header("content-type", "application/octet-stream");
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    user.send(request.body(Body::from(file.to_vec())).unwrap())
        .await
}

async fn names(user: &User) -> Vec<String> {
    let clients = user.get("/clients").await;
    let clients = clients.data().as_array().unwrap().iter();
    clients
        .map(|it| it["name"].as_str().unwrap().to_owned())
        .collect()
}

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// A client of a file, as a phone sends it: with a pet.
fn client(number: usize) -> Value {
    json!({ "id": id(number), "client": { "name": format!("Client {number}") },
        "dogs": [{ "id": id(1_000 + number), "is_new": true, "changes": { "name": "Rex" } }] })
}

const FILE: &[u8] = b"Name,Email,Pets\nDana Hill,dana@example.com,\"Rex, Luna\"\nKim Lee,,Bo\n";

on_both! {
    async fn a_file_is_shown_and_then_written_once(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let before = app.dump(None).await;
        let shown = send(&mara, "?dry_run=true", None, FILE).await;
        assert_eq!(shown.status, 200, "{}", shown.body);
        let data = shown.data();
        assert_eq!(data["columns"], json!(["name", "email", "pet_name"]));
        assert_eq!((&data["preview"]["n_clients"], &data["preview"]["n_dogs"]), (&json!(2), &json!(3)));
        assert_eq!(app.dump(None).await, before);
        let written = send(&mara, "", Some("one"), FILE).await;
        assert_eq!(written.status, 201, "{}", written.body);
        assert_eq!(written.data()["ids"].as_array().unwrap().len(), 2);
        let before = app.dump(None).await;
        assert_eq!(send(&mara, "", Some("one"), FILE).await.body, written.body);
        assert_eq!(app.dump(None).await, before);
        let other = send(&mara, "?skip_wrong=true", Some("one"), FILE).await;
        assert_eq!(other.failure(), (422, "key_reused"));
        let clients = mara.get("/clients").await;
        let dogs = clients.data()[0]["dogs"].as_array().unwrap().iter();
        assert_eq!(dogs.map(|it| it["name"].clone()).collect::<Vec<_>>(), ["Rex", "Luna"]);
        // Who is there already is left out, unless somebody says otherwise.
        assert_eq!(send(&mara, "?skip_wrong=true", None, b"Name,Email,Pets\nD,dana@example.com,Rex\n").await.status, 422);
        assert_eq!(send(&mara, "?known=true", None, b"Name,Email,Pets\nD,dana@example.com,Rex\n").await.status, 201);
        assert_eq!(names(&mara).await, ["D", "Dana Hill", "Kim Lee"]);
    }

    async fn clients_of_a_file_are_charged_what_the_sitter_offers(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let offerings = mara.get("/sitter-services").await;
        let walk = offerings.data().as_array().unwrap().iter().find(|it| it["duration_minutes"] == 30).unwrap();
        let path = format!("/sitter-services/{}", walk["id"].as_str().unwrap());
        assert_eq!(mara.put(&path, json!({ "base_price": 28 })).await.status, 200);
        assert_eq!(send(&mara, "", None, FILE).await.status, 201);
        let clients = mara.get("/clients").await;
        let rates: Vec<&Value> = clients.data().as_array().unwrap().iter().map(|it| &it["walk_rate_30min"]).collect();
        assert_eq!(rates, [&json!(28); 2]);
    }

    async fn a_file_whose_clients_are_all_known_since_gets_the_first_answer_again(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let file = b"Name,Email,Pets\nDana,dana@example.com,Rex\nKim,kim@example.com,Bo\n";
        let first = send(&mara, "", Some("one"), file).await;
        assert_eq!(first.status, 201, "{}", first.body);
        let before = app.dump(None).await;
        let second = send(&mara, "", Some("one"), file).await;
        assert_eq!((second.status, &second.body), (first.status, &first.body));
        assert_eq!(second.headers["etag"], first.headers["etag"]);
        assert_eq!(send(&mara, "", Some("one"), FILE).await.failure(), (422, "key_reused"));
        assert_eq!(send(&mara, "", None, file).await.failure(), (422, "invalid"));
        assert_eq!(app.dump(None).await, before);
        // Of those that come at once one writes, and all are told the same.
        let file = b"Name,Email,Pets\nGil,gil@example.com,Mo\n";
        let at_once = (0..4).map(|_| send(&mara, "", Some("two"), file));
        for answer in futures_util::future::join_all(at_once).await {
            assert_eq!(answer.status, 201, "{}", answer.body);
        }
        assert_eq!(names(&mara).await, ["Dana", "Gil", "Kim"]);
    }

    async fn a_file_with_a_mistake_in_it_writes_nobody_or_all_others(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let file = b"Name,Email,Pets\nDana,dana@example.com,Rex\nKim,kim at home,Bo\n";
        let before = app.dump(None).await;
        let refused = send(&mara, "", None, file).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        let text = "Invalid email format. Correct it, or empty the cell.";
        assert_eq!(refused.body["fields"], json!({ "rows.3.1": text }));
        assert_eq!(app.dump(None).await, before);
        assert_eq!(send(&mara, "?skip_wrong=true", None, file).await.status, 201);
        assert_eq!(names(&mara).await, ["Dana"]);
    }

    async fn columns_can_be_chosen_and_what_is_no_file_says_what_to_do(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let file = b"A,B,C\nRex,Dana,12 Elm St\n";
        assert_eq!(send(&mara, "?columns=pet_name,name,address", None, file).await.status, 201);
        assert_eq!(send(&mara, "?columns=pet_name,nobody", None, file).await.failure(), (422, "invalid"));
        let card = b"BEGIN:VCARD\nVERSION:3.0\nFN:Kim Lee\nTEL:555 010 4477\nEND:VCARD\n";
        let shown = send(&mara, "?dry_run=true", None, card).await;
        assert_eq!(shown.data()["preview"]["clients"][0]["client"]["phone"], "555 010 4477");
        let too_large = send(&mara, "", None, &vec![b'x'; IMPORT_BYTES + 1]).await;
        assert_eq!(too_large.failure(), (413, "too_large"));
        for file in [&b""[..], b"PK\x03\x04", b"\0\0\0\0", b"Name\n"] {
            assert_eq!(send(&mara, "", None, file).await.failure(), (422, "invalid"), "{file:?}");
        }
        assert_eq!(send(&mara, "?dry_run=perhaps", None, file).await.status, 400);
        assert_eq!(names(&mara).await, ["Dana"]);
    }

    async fn texts_of_further_rows_and_numbers_are_kept(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let file = b"Client,Phone,Pet name,Vet,Notes\n\
            Gina Ross,206-555-0501 / 206-555-0502,Pip,Lake Vet,Pulls on leash\n\
            Gina Ross,206-555-0501 / 206-555-0502,Moss,Cat Clinic,\n\
            Bob Ray,206-555-0602,\"Luna,,\nCy Fox,206-555-0603,Milo,,\n";
        let refused = send(&mara, "", None, file).await;
        let text = "This quotation mark is never closed. Remove it, and check that nothing of this row is missing.";
        assert_eq!(refused.body["fields"], json!({ "rows.4.2": text }));
        assert_eq!(send(&mara, "?skip_wrong=true", None, file).await.status, 201);
        assert_eq!(names(&mara).await, ["Cy Fox", "Gina Ross"]);
        let clients = mara.get("/clients").await;
        let gina = &clients.data()[1];
        assert_eq!((&gina["phone"], &gina["vet"]), (&json!("206-555-0501"), &json!("Pip: Lake Vet\nMoss: Cat Clinic")));
        assert_eq!(gina["internal_notes"], "Phone: 206-555-0502\nPulls on leash");
    }

    async fn pictures_in_vcards_are_passed_over(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let picture = format!(" {}\n", "A".repeat(70)).repeat(IMPORT_BYTES / 70);
        let cards = format!("BEGIN:VCARD\nFN:Kim\nPHOTO;ENCODING=b:AA\n{picture}TEL:555 010 4477\nEND:VCARD\n");
        let shown = send(&mara, "?dry_run=true", None, cards.as_bytes()).await;
        let kim = json!({ "name": "Kim", "phone": "555 010 4477" });
        assert_eq!(shown.data()["preview"]["clients"][0]["client"], kim);
    }

    async fn what_looks_like_a_formula_comes_as_it_is(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let file = b"Name,Notes,Pets\n\"=HYPERLINK(\"\"http://evil.example\"\",\"\"x\"\")\",'; DROP TABLE client; --,<img src=x>\n";
        assert_eq!(send(&mara, "", None, file).await.status, 201);
        assert_eq!(names(&mara).await, ["=HYPERLINK(\"http://evil.example\",\"x\")"]);
        let clients = mara.get("/clients").await;
        assert_eq!(clients.data()[0]["internal_notes"], "'; DROP TABLE client; --");
    }

    async fn an_import_of_a_phone_is_undone_but_for_those_with_whom_somebody_works(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let other = app.sitter("Other").await;
        let mut phone = Phone::new(&mara);
        let clients: Vec<Value> = (0..300).map(client).collect();
        let made = phone.send("import_clients", json!({ "clients": clients })).await;
        assert_eq!(made["outcome"], "applied", "{made}");
        assert_eq!(names(&mara).await.len(), 300);
        let dog = |number: usize| id(1_000 + number);
        mara.walk(&(id(1), dog(1)), "2026-11-24", "10:00").await;
        app.request(&mara, &(id(2), dog(2))).await;
        mara.put(&format!("/clients/{}", id(3)), json!({ "email": "kim@example.com" })).await;
        mara.put(&format!("/clients/{}", id(4)), json!({ "dogs": [{ "id": dog(4), "name": "Max" }] })).await;
        mara.delete(&format!("/clients/{}", id(5))).await;
        let ids: Vec<String> = (0..300).map(id).collect();
        let undo = json!({ "clients": ids });
        // Nobody else's is touched by their ids.
        let elsewhere = Phone::new(&other).send("undo_import", undo.clone()).await;
        assert_eq!(elsewhere["outcome"], "applied", "{elsewhere}");
        assert_eq!(names(&mara).await.len(), 299);
        let undone = phone.send("undo_import", undo.clone()).await;
        assert_eq!(undone["outcome"], "adjusted", "{undone}");
        let kept: Vec<String> = (1..=4).map(id).collect();
        assert_eq!(undone["adjustments"], json!([{ "code": "kept", "clients": kept }]));
        assert_eq!(names(&mara).await.len(), 4);
        assert_eq!(phone.send("undo_import", undo).await["outcome"], "adjusted");
    }

    async fn the_largest_import_goes_in_one_go_and_one_with_a_pet_more_says_how_many_fit(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let with_pets = |n: usize| {
            let pets = ["Rex", "Luna", "Mo", "Bo"][..n].join(",");
            format!("Client,c@example.com,\"{pets}\"\n")
        };
        let file = |last: usize| {
            let clients = (1..IMPORT_CLIENTS).map(|it| with_pets(3).replacen('C', &format!("C{it} C"), 1).replace("c@", &format!("c{it}@")));
            format!("Name,Email,Pets\n{}{}", clients.collect::<String>(), with_pets(last))
        };
        let refused = send(&mara, "", None, file(4).as_bytes()).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        assert_eq!(refused.body["fields"], json!({ "file": "This file has more than 1,500 pets. Split it into smaller files." }));
        let written = send(&mara, "", None, file(3).as_bytes()).await;
        assert_eq!(written.status, 201, "{}", written.body);
        let ids = written.data()["ids"].clone();
        assert_eq!(names(&mara).await.len(), IMPORT_CLIENTS);
        let undone = Phone::new(&mara).send("undo_import", json!({ "clients": ids })).await;
        assert_eq!(undone["outcome"], "applied", "{undone}");
        assert_eq!(names(&mara).await, Vec::<String>::new());
    }

    async fn an_import_with_one_client_too_many_or_taken_writes_nobody(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let mut phone = Phone::new(&mara);
        let clients: Vec<Value> = (0..501).map(client).collect();
        let refused = phone.send("import_clients", json!({ "clients": clients })).await;
        assert_eq!(refused["refusal"]["fields"][0]["text"], "Clients cannot exceed 500");
        phone.send("create_client", client(7)).await;
        let refused = phone.send("import_clients", json!({ "clients": clients[..20] })).await;
        assert_eq!(refused["refusal"]["code"], "taken", "{refused}");
        let long = json!({ "name": "Kim", "access_notes": "x".repeat(5_000), "house_instructions": "x".repeat(5_000) });
        let long: Vec<Value> = (100..190).map(|it| {
            let mut one = client(it);
            one["client"] = long.clone();
            one
        }).collect();
        let refused = phone.send("import_clients", json!({ "clients": long })).await;
        assert_eq!(refused["refusal"]["code"], "invalid", "{refused}");
        assert_eq!(names(&mara).await, ["Client 7"]);
    }
}
