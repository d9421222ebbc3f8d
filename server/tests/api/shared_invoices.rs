//! The page of an invoice: for whoever has its address, on every screen and on paper, and for nobody else.

use std::io::Write as _;
use std::process::{Command, Stdio};

use axum::body::Body;
use axum::http::Request;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use walkies_core::Instant;
use walkies_core::invoice::{TipChoice, page};
use walkies_core::rows::invoice::{Invoice, InvoicedDog};
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::zone::TimeZone;
use walkies_server::app::settings::Settings;
use walkies_server::limits::rate::Rate;
use walkies_server::print::invoice::{Address, Pictures, html, print};

use crate::on_both;
use crate::photos::picture;
use crate::support::{Answer, TestApp, User, settings, walk};

/// A page as a browser goes to it.
async fn open(app: &TestApp, path: &str) -> Answer {
    let request = Request::builder()
        .uri(path)
        .header("accept", "text/html")
        .body(Body::empty())
        .unwrap();
    app.anonymous().try_send(request).await
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.clone()).unwrap()
}

/// A business that takes money by Venmo and offers tips, with an invoice of one walk and one photo.
async fn shared(app: &TestApp, name: &str) -> (User, Value) {
    let sitter = app.sitter(name).await;
    let profile = json!({
        "business_name": format!("{name}'s Dog Walks"), "phone": "555-010-4499",
        "invoicing": { "prefix": "INV-", "pay_to": { "venmo": "maras-walks" }, "tips": [15] },
    });
    let saved = sitter.put("/sitters/profile", profile).await;
    assert_eq!(saved.status, 200, "{}", saved.body);
    let (client, dog) = sitter.client("Sam <Rivers>").await;
    let mut form = walk(&client, &dog, "2026-11-21", "10:00");
    form["completion_notes"] = json!("Met a squirrel & its friends");
    let done = sitter.post("/services", form).await.id();
    let photo = sitter
        .upload(None, &picture(image::ImageFormat::Jpeg, 10))
        .await
        .id();
    let form =
        json!({ "client_id": client, "services": [done], "photos": [photo], "note": "Thank you" });
    let invoice = sitter.post("/invoices/share", form).await;
    assert_eq!(invoice.status, 201, "{}", invoice.body);
    (sitter, invoice.data().clone())
}

fn share_id(invoice: &Value) -> &str {
    invoice["shareId"].as_str().unwrap()
}

on_both! {
    async fn whoever_has_an_invoices_address_sees_its_page_its_words_and_its_print(app: TestApp) {
        let (_, invoice) = shared(&app, "Mara").await;
        let id = share_id(&invoice);
        let shown = open(&app, &format!("/invoice/{id}")).await;
        assert_eq!(shown.status, 200);
        let page = text(&shown);
        for words in ["Mara&#39;s Dog Walks", "Invoice INV-1", "$25.00", "Met a squirrel &amp; its friends", "Sam &lt;Rivers&gt;"] {
            assert!(page.contains(words) || page.contains(&words.replace("&#39;", "'")), "{words} in {page}");
        }
        assert!(!page.contains("<script") && !page.contains("<Rivers>"), "{page}");
        for (header, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "no-store"),
            ("x-robots-tag", "noindex"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(shown.headers[header], value, "{header}");
        }
        let policy = shown.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");

        let words = app.anonymous().get(&format!("/public/invoices/{id}")).await;
        assert_eq!(words.headers["cache-control"], "no-store");
        assert_eq!(words.data()["title"], "Invoice INV-1");
        assert_eq!(words.data()["n_photos"], 1);
        let said = words.data().to_string();
        for secret in [invoice["id"].as_str().unwrap(), invoice["client_id"].as_str().unwrap()] {
            assert!(!said.contains(secret), "{secret} in {said}");
        }

        let pdf = open(&app, &format!("/invoice/{id}/pdf")).await;
        assert_eq!((pdf.status.as_u16(), pdf.headers["content-type"].to_str().unwrap()), (200, "application/pdf"));
        assert_eq!(pdf.headers["content-disposition"], "attachment; filename=\"Invoice INV-1.pdf\"");
        assert_eq!(pdf.headers["cache-control"], "no-store");
        assert!(pdf.bytes.starts_with(b"%PDF-"));

        let photo = async |name: &str| app.anonymous().get(&format!("/public/invoices/{id}/photos/{name}")).await;
        let first = photo("0").await;
        assert_eq!((first.status.as_u16(), first.headers["content-type"].to_str().unwrap()), (200, "image/jpeg"));
        assert_eq!(photo("0?size=thumb").await.status, 200);
        for name in ["1", "-1", "logo", "dog", "x"] {
            assert_eq!(photo(name).await.failure(), (404, "invoice_gone"), "{name}");
        }
    }

    async fn a_tip_that_is_chosen_goes_into_the_amount_and_can_be_taken_back(app: TestApp) {
        let (sitter, invoice) = shared(&app, "Mara").await;
        let path = format!("/invoice/{}", share_id(&invoice));
        let page = text(&open(&app, &path).await);
        assert!(page.contains("Pay $25.00 with Venmo") && page.contains(&format!("{path}?tip=15")), "{page}");
        let page = text(&open(&app, &format!("{path}?tip=15")).await);
        assert!(page.contains("Pay $28.75 with Venmo") && page.contains("amount=28.75&amp;note=Invoice%20INV-1"), "{page}");
        assert!(page.contains(&format!("<a href=\"{path}\">Remove</a>")), "{page}");
        assert!(page.contains(&format!("{path}/pdf?tip=15")), "{page}");
        assert!(text(&open(&app, &format!("{path}?amount=%244.5")).await).contains("Pay $29.50 with Venmo"));
        for nonsense in ["tip=-1", "tip=1e9", "amount=NaN", "amount=-5", "tip=%FF", "tip=1&tip=2"] {
            let shown = open(&app, &format!("{path}?{nonsense}")).await;
            assert_eq!(shown.status, 200, "{nonsense}");
            assert!(text(&shown).contains("Pay $25.00 with Venmo"), "{nonsense}");
        }
        let page = text(&open(&app, &format!("{path}?amount=4%2C5")).await);
        for part in ["Enter dollars and cents, such as 12.50", "value=\"4,5\"", "aria-invalid=\"true\"", "Pay $25.00 with Venmo"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(text(&open(&app, &format!("{path}?amount=-5")).await).contains("A tip cannot be negative"));
        assert!(text(&open(&app, &format!("{path}?amount=1000001")).await).contains("This is too large"));
        for none in ["", "?amount=", "?amount=0", "?amount=4.5", "?tip=15"] {
            assert!(!text(&open(&app, &format!("{path}{none}")).await).contains("aria-invalid=\"true\""), "{none}");
        }
        // What is paid asks for nothing.
        let paid = sitter.post(&format!("/invoices/{}/mark-paid", invoice["id"].as_str().unwrap()), json!({})).await;
        assert_eq!(paid.status, 200, "{}", paid.body);
        let page = text(&open(&app, &format!("{path}?tip=15")).await);
        assert!(page.contains("Paid") && !page.contains("venmo") && !page.contains("tip="), "{page}");
    }

    async fn the_link_of_an_invoice_says_in_a_chat_who_it_is_from_and_nothing_private(app: TestApp) {
        let (_, invoice) = shared(&app, "Mara").await;
        let id = share_id(&invoice);
        let page = text(&open(&app, &format!("/invoice/{id}")).await);
        let (head, _) = page.split_once("</head>").unwrap();
        for part in [
            "property=\"og:title\" content=\"Invoice INV-1 from ",
            "property=\"og:description\" content=\"Open it to see what it is for and how to pay.\"",
            "property=\"og:image\" content=\"http://127.0.0.1:8080/icon-512.png\"",
            &format!("property=\"og:url\" content=\"http://127.0.0.1:8080/invoice/{id}\""),
        ] {
            assert!(head.contains(part), "{part}: {head}");
        }
        assert!(!head.contains("$25") && !head.contains("Sam"), "{head}");
    }

    async fn a_deleted_invoice_and_one_that_never_was_have_the_same_friendly_page(app: TestApp) {
        let (sitter, invoice) = shared(&app, "Mara").await;
        let (_, other) = shared(&app, "Kim").await;
        let id = share_id(&invoice);
        let path = format!("/invoices/{}", invoice["id"].as_str().unwrap());
        assert_eq!(sitter.delete(&path).await.status, 200);
        let never = open(&app, "/invoice/AAAAAAAAAAAAAAAAAAAAAA").await;
        assert_eq!(never.status, 404);
        assert!(text(&never).contains("This invoice is no longer shared"));
        let long = "A".repeat(5_000);
        for guessed in [id, "x", "%00", "%FF", "..%2f..", long.as_str(), other["id"].as_str().unwrap()] {
            for path in [format!("/invoice/{guessed}"), format!("/invoice/{guessed}/pdf")] {
                let gone = open(&app, &path).await;
                assert_eq!((gone.status.as_u16(), text(&gone)), (404, text(&never)), "{path}");
                assert_eq!(gone.headers["content-type"], "text/html; charset=utf-8");
                assert_eq!(gone.headers["cache-control"], "no-store");
            }
        }
        let anonymous = app.anonymous();
        for path in [format!("/public/invoices/{id}"), format!("/public/invoices/{id}/photos/0")] {
            assert_eq!(anonymous.get(&path).await.failure(), (404, "invoice_gone"), "{path}");
        }
        // Kim's is still there, and comes back for Mara when she brings it back.
        assert_eq!(open(&app, &format!("/invoice/{}", share_id(&other))).await.status, 200);
        assert_eq!(sitter.post(&format!("{path}/restore"), json!({})).await.status, 200);
        assert_eq!(open(&app, &format!("/invoice/{id}")).await.status, 200);
    }
}

#[tokio::test]
async fn who_asks_for_invoices_too_often_gets_a_page_that_says_so() {
    let rate = Rate {
        burst: 2,
        every_ms: 60_000,
    };
    let settings = Settings {
        rate_of_invoices: rate,
        ..settings()
    };
    let app = TestApp::sqlite(settings).await;
    let mut last = open(&app, "/invoice/x").await;
    for _ in 0..2 {
        last = open(&app, "/invoice/x").await;
    }
    assert_eq!(last.status, 429);
    assert!(last.headers.contains_key("retry-after"));
    assert!(text(&last).contains("That was a little fast"));
}

/// An invoice of so many walks, each with these words.
fn invoice_of(n_walks: usize, words: &str) -> Invoice {
    let line = json!({
        "id": walkies_core::Id::of(1), "type": "walk", "date": "2026-11-16", "startTime": "09:30", "endTime": "10:00",
        "duration": 30, "price": 25, "notes": "Met a squirrel",
    });
    let mut invoice: Invoice = serde_json::from_value(json!({
        "id": walkies_core::Id::of(2), "client_id": walkies_core::Id::of(3), "number": 12, "prefix": "INV-",
        "shareId": "8ZkT3xA0cQ8ZkT3xA0cQ8Z", "paid": false, "issued_on": "2026-11-21",
        "clientData": { "name": "Dana" }, "servicesData": vec![line; n_walks],
        "invoiceData": {
            "startDate": "2026-11-14", "endDate": "2026-11-20", "payTo": { "venmo": "maras-walks" }, "tips": [10, 15, 20],
        },
        "total": 25 * n_walks, "shared_at": "2026-11-21T15:00:00.000Z",
    }))
    .unwrap();
    invoice.client_data.name = words.to_owned();
    invoice.client_data.dog_name = words.to_owned();
    invoice.invoice_data.note = words.to_owned();
    for service in &mut invoice.services_data {
        service.dogs = vec![InvoicedDog {
            name: words.to_owned(),
            ..InvoicedDog::default()
        }];
    }
    invoice
}

fn words_of(invoice: &Invoice) -> walkies_core::invoice::InvoicePage {
    let sitter = Sitter::new(
        walkies_core::Id::of(4),
        "Mara".to_owned(),
        "mara@walkies.example".to_owned(),
        "UTC".to_owned(),
        Instant(0),
    );
    page(
        invoice,
        &sitter,
        &TimeZone::UTC,
        Instant(1_795_185_060_000),
        TipChoice::None,
    )
}

fn html_of(invoice: &Invoice) -> String {
    let address = Address {
        share_id: "8ZkT3xA0cQ8ZkT3xA0cQ8Z",
        tip_query: String::new(),
        no_tip: None,
        takes_cards: false,
        origin: "https://walkies.example",
        said: None,
        kept: None,
    };
    html(&words_of(invoice), &address)
}

#[test]
fn a_page_of_100_walks_is_small() {
    let page = html_of(&invoice_of(100, "Rex and Luna"));
    assert!(page.len() < 60_000, "{} bytes", page.len());
}

#[test]
fn whatever_a_name_is_the_page_holds_together_and_the_print_comes_out() {
    let names = prop_oneof![
        Just("</style><script>alert(1)</script>\"'>".to_owned()),
        Just("\u{202e}xeR \u{2066}\u{200f}".to_owned()),
        Just("שלום רקס 123 كلب جيد".to_owned()),
        Just("犬🐶👨‍👩‍👧‍👦\u{fe0f}\u{301}\u{301}\u{301}".to_owned()),
        Just("Ł".repeat(300)),
        Just("\u{0}\u{7}\r\n\t\u{85}\u{fffe}".to_owned()),
        Just(String::new()),
        proptest::string::string_regex("\\PC{0,300}").unwrap(),
    ];
    let mut runner = TestRunner::new(Config::with_cases(40));
    let run = runner.run(&names, |name| {
        let invoice = invoice_of(2, &name);
        let html = html_of(&invoice);
        prop_assert_eq!(html.matches("<script").count(), 0);
        prop_assert_eq!(html.matches("</style>").count(), 1);
        prop_assert_eq!(html.matches("<tr").count(), 3);
        let pdf = print(
            &words_of(&invoice),
            Pictures::default(),
            "https://walkies.example",
        );
        prop_assert!(pdf.is_ok_and(|it| it.starts_with(b"%PDF-")));
        Ok(())
    });
    run.unwrap();
}

#[test]
fn the_longest_invoice_is_printed_and_what_nobody_reads_is_not() {
    let mut invoice = invoice_of(200, "Rex");
    let print = |invoice: &Invoice| {
        print(
            &words_of(invoice),
            Pictures::default(),
            "https://walkies.example",
        )
    };
    assert!(print(&invoice).is_ok());
    for service in &mut invoice.services_data {
        service.notes = "a\n".repeat(2_500);
    }
    assert!(print(&invoice).is_err());
}

/// Runs one of poppler's tools on a PDF, which it reads from its input; its output.
fn read_back(tool: &str, args: &[&str], pdf: &[u8]) -> String {
    let mut child = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(pdf).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn pdf_of(invoice: &Invoice) -> Vec<u8> {
    print(
        &words_of(invoice),
        Pictures::default(),
        "https://walkies.example",
    )
    .unwrap()
}

#[test]
fn a_print_is_tagged_and_has_no_more_pages_than_it_needs() {
    let pdf = pdf_of(&invoice_of(2, "Rex"));
    let info = read_back("pdfinfo", &["-"], &pdf);
    let line = |name: &str| {
        let line = info.lines().find(|it| it.starts_with(name)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!(
        (line("Tagged:"), line("Pages:")),
        ("yes".to_owned(), "1".to_owned())
    );
}

#[test]
fn names_of_any_script_are_copied_from_a_print_as_they_were_typed() {
    for name in [
        "शांति और रिया",
        "क्षितिज",
        "Zoë 🐶",
        "👨‍👩‍👧‍👦",
        "👍🏽 ❤️",
        "🏳️‍🌈",
        // Readers tell spaces between these by their width alone.
        "犬",
        "개",
        "Łuna",
    ] {
        let text = read_back("pdftotext", &["-", "-"], &pdf_of(&invoice_of(1, name)));
        let is_seen = |it: &char| *it != '\u{fe0f}';
        let copied: String = text.chars().filter(is_seen).collect();
        let typed: String = name.chars().filter(is_seen).collect();
        assert_eq!(copied.matches(&typed).count(), 4, "{name}: {text}");
    }
}

#[test]
fn names_from_right_to_left_keep_their_places_in_a_printed_sentence() {
    let mut invoice = invoice_of(1, "Dana");
    let dog = |name: &str| InvoicedDog {
        name: name.to_owned(),
        ..InvoicedDog::default()
    };
    invoice.services_data[0].dogs = vec![dog("שוקו"), dog("לונה")];
    let boxes = read_back("pdftotext", &["-bbox", "-", "-"], &pdf_of(&invoice));
    let left_of = |letter: char| -> f64 {
        let words = boxes.lines().filter(|it| it.contains("<word"));
        let mut words = words.filter(|it| it.rsplit('>').nth(1).unwrap().contains(letter));
        let word = words.next().unwrap();
        let (_, rest) = word.split_once("xMin=\"").unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    let and = boxes.lines().find(|it| it.contains(">and<")).unwrap();
    let (_, and) = and.split_once("xMin=\"").unwrap();
    let and: f64 = and.split_once('"').unwrap().0.parse().unwrap();
    assert!(left_of('ש') < and && and < left_of('ל'), "{boxes}");
}
