//! Owns the attacks: each says for itself what else than the honest one's calls and the memory shows that it has failed.

use std::io::{Cursor, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use walkies_core::archive::{Entry, line};
use walkies_core::commands::ShareWalk;
use walkies_core::rows::report::{ClientReport, SharedEvent, SharedLine, SharedWalk};
use walkies_core::rows::service::Service;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::video::{MAX_VIDEO_BYTES, VIDEO_PIECE_BYTES};
use walkies_core::sync::wire::{OutcomeKind, SCHEMA};
use walkies_core::values::bounds::{IMPORT_BYTES, INVOICE_BYTES};
use walkies_core::values::walk_event::WalkEventKind;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Command, Id, Instant as Moment, Row, TableName};
use walkies_server::base::env::Env;
use walkies_server::db::{self, StripeAccount};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::Force;
use crate::live_maps::{asked_for_without_end, shown_without_end};
use crate::long_work::{
    empty_files, full_disk, imports_in_a_loop, large_account, many_rows, series_without_end,
};
use crate::phone::{Http, Queue, new_id};
use crate::png::{picture, zeros};
use crate::server::{PASSWORD, sign_up};
use crate::target::{Target, subscription};

/// One way to attack.
pub struct Attack {
    pub name: &'static str,
    /// How many files the server may have open, if that matters.
    pub files: Option<u32>,
    /// How large the disk of its data is, if that matters.
    pub disk_mb: Option<u32>,
    /// True if accounts have only the default number of tries.
    pub is_throttled: bool,
    /// True if plans are sold there, by an account at Stripe that answers nothing.
    pub sells_plans: bool,
    /// True if mail goes out, to a server that takes all of it.
    pub sends_mail: bool,
    /// True if a client attacks, on a business of many, whose sitter and other clients go on working.
    pub is_by_client: bool,
    /// True if callers come from where a proxy says that they do.
    pub is_behind_proxy: bool,
    /// True if it holds up the database more than all else, so that each database is attacked.
    pub is_on_database: bool,
    /// Puts into the database, past the server, what is there before; nobody honest works meanwhile.
    pub prepare: fn(&Target, Force),
    pub run: fn(&Target, Force) -> Result<(), String>,
}

pub const fn attack(name: &'static str, run: fn(&Target, Force) -> Result<(), String>) -> Attack {
    Attack {
        name,
        files: None,
        disk_mb: None,
        is_throttled: false,
        sells_plans: false,
        sends_mail: false,
        is_by_client: false,
        is_behind_proxy: false,
        is_on_database: false,
        prepare: |_, _| {},
        run,
    }
}

pub const fn attack_on_database(
    name: &'static str,
    run: fn(&Target, Force) -> Result<(), String>,
) -> Attack {
    Attack {
        is_on_database: true,
        ..attack(name, run)
    }
}

const fn attack_by_client(
    name: &'static str,
    run: fn(&Target, Force) -> Result<(), String>,
) -> Attack {
    Attack {
        is_by_client: true,
        ..attack_on_database(name, run)
    }
}

/// All of them.
pub const ATTACKS: &[Attack] = &[
    attack("bombs in the chunks of a picture", bombs),
    attack("8,000 blank pets, and 16,000 blank names", long_lists),
    attack_on_database("thousands of services on one day", full_day),
    attack("uploads that hang up", uploads_that_hang_up),
    attack("sign-ins that hang up", sign_ins_that_hang_up),
    attack("tickets that nobody has, and hang-ups", tickets),
    attack(
        "subscriptions to notifications, over and over",
        subscriptions,
    ),
    attack(
        "pages to pay on, and reports that Stripe never made",
        payments,
    ),
    Attack {
        sells_plans: true,
        ..attack("plans that are begun and changed without end", plans)
    },
    Attack {
        is_behind_proxy: true,
        ..attack("sign-ins from one network of IPv6", sign_ins_of_one_network)
    },
    Attack {
        is_behind_proxy: true,
        ..attack(
            "invitations and codes to people who want none",
            unwanted_mail,
        )
    },
    Attack {
        sends_mail: true,
        ..attack(
            "visits that are booked, moved and cancelled without end, with a mail of each",
            event_mails,
        )
    },
    attack("directions that are asked for without end", directions),
    attack_by_client("a pet parent's longest messages", long_messages),
    attack_by_client("a pet parent who asks without end", asks_without_end),
    attack_by_client(
        "a pet parent who writes, types and uploads without end",
        writes_without_end,
    ),
    attack_by_client(
        "phones of a pet parent that push without end",
        pushes_without_end,
    ),
    attack_on_database(
        "a sitter who sends the largest live maps without end",
        shown_without_end,
    ),
    attack_by_client(
        "a pet parent who asks for live maps without end",
        asked_for_without_end,
    ),
    attack("e-mails of 1 MB", long_emails),
    attack("completions of 1 MB", long_notes),
    attack("uploads that nothing names", uploads_that_nothing_names),
    attack("uploads that come slowly", slow_uploads),
    attack("videos that nobody finishes", unfinished_videos),
    attack("videos that are long to look through", long_videos),
    attack_on_database(
        "archives of bombs, and of more rows than anybody has",
        archives_in,
    ),
    attack_on_database("archives that are asked for and not taken in", archives_out),
    attack_on_database("a long calendar that is read without end", calendars),
    attack_on_database("a year of figures that is asked for without end", figures),
    attack("files of clients that are long to read", client_files),
    attack_on_database(
        "imports of clients that are undone, in a loop",
        imports_in_a_loop,
    ),
    Attack {
        prepare: many_rows,
        ..attack_on_database(
            "an account of very many rows that is deleted",
            large_account,
        )
    },
    attack_on_database(
        "series of six visits a day that are booked, moved and deleted without end",
        series_without_end,
    ),
    attack("an archive of empty files without end", empty_files),
    Attack {
        disk_mb: Some(400),
        ..attack("files until the disk is full", full_disk)
    },
    attack_on_database("reports for fifty clients, all read anew", shared_with_all),
    attack_on_database(
        "the largest invoices, shared, paid, refunded and deleted without end",
        invoices_without_end,
    ),
    attack_on_database("openings of one invoice without end", openings),
    attack_on_database("more at once than one account needs", much_at_once),
    Attack {
        is_throttled: true,
        ..attack("the own password, over and over", own_password)
    },
    attack("connections that have pulled and stay", kept_alive),
    attack("WebSocket frames of 15 MB without an end", endless_frames),
    attack("heads that come slowly", slow_heads),
    Attack {
        files: Some(256),
        ..attack(
            "300 silent connections, where 256 files may be open",
            silence,
        )
    },
];

/// Does it on several threads until its time is over.
pub fn at_once(force: Force, threads: usize, what: impl Fn(usize) + Sync) {
    let end = Instant::now() + force.lasts();
    thread::scope(|scope| {
        for n in 0..threads {
            let what = &what;
            scope.spawn(move || {
                while Instant::now() < end {
                    what(n);
                }
            });
        }
    });
}

fn bombs(target: &Target, force: Force) -> Result<(), String> {
    let bomb = zeros(force.n(256, 1_200) << 20);
    let exif = [b"II*\0\x08\0\0\0".to_vec(), vec![0; 8 << 20]].concat();
    let chunks: [(&[u8; 4], Vec<u8>); 4] = [
        (b"iCCP", [b"x\0\0", &bomb[..]].concat()),
        (b"zTXt", [b"Comment\0\0", &bomb[..]].concat()),
        (b"iTXt", [b"Comment\0\x01\0\0\0", &bomb[..]].concat()),
        (b"eXIf", exif),
    ];
    for chunk in chunks {
        let name = String::from_utf8_lossy(chunk.0).into_owned();
        let status = target.send(&target.upload(&picture(8, 8, &[chunk])));
        if status == 0 || 500 <= status {
            return Err(format!("a bomb in {name} was answered {status}"));
        }
    }
    Ok(())
}

fn long_lists(target: &Target, force: Force) -> Result<(), String> {
    for _ in 0..force.n(6, 12) {
        let dogs = vec![json!({}); 8_000];
        refused(target, "/clients", &json!({ "name": "A", "dogs": dogs }))?;
        let dogs = vec![json!({ "name": "" }); 16_000];
        refused(target, "/clients", &json!({ "name": "A", "dogs": dogs }))?;
    }
    Ok(())
}

fn refused(target: &Target, path: &str, body: &Value) -> Result<(), String> {
    let body = body.to_string();
    let status = target.send(&target.request("POST", path, "application/json", body.as_bytes()));
    if (400..500).contains(&status) {
        Ok(())
    } else {
        Err(format!(
            "{path} with {} bytes was answered {status}",
            body.len()
        ))
    }
}

/// A client of the attacker's with a pet.
pub fn client(http: &mut Http) -> (Id, Id) {
    let form = json!({ "name": "Anna", "dogs": [{ "name": "Rex" }] });
    let made = http.data("POST", "/clients", Some(&form));
    let id = |it: &Value| it["id"].as_str().and_then(|it| it.parse().ok());
    id(&made)
        .zip(id(&made["dogs"][0]))
        .expect("a client with a pet")
}

/// On a day of September 2099.
pub fn visit(client: Id, dog: Id, day: usize, minute: usize) -> Value {
    json!({
        "client_id": client, "dog_ids": [dog], "date": format!("2099-09-{day:02}"), "duration_minutes": 60, "service_type": "walk",
        "start_time": format!("{:02}:{:02}", minute / 60 % 24, minute % 60),
    })
}

fn full_day(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let (client_id, dog_id) = client(&mut http);
    let services = (0..3_600).map(|n| Service {
        client_id,
        dog_ids: vec![dog_id],
        dogs: vec!["Rex".to_owned()],
        date: serde_json::from_value(json!("2099-09-08")).expect("a date"),
        start_time: serde_json::from_value(json!(format!("{:02}:{:02}", 6 + n % 12, n % 60)))
            .expect("a time"),
        duration_minutes: 60,
        overlap_ok: true,
        ..Service::new(new_id(), Moment(1_790_000_000_000))
    });
    target.in_database(async |tx| {
        for service in services {
            db::write_row(tx, target.sitter_id, 2, &Row::Service(service)).await?;
        }
        Ok(())
    });
    for n in 0..force.n(4, 40) {
        refused(
            target,
            "/scheduled-services",
            &visit(client_id, dog_id, 8, 480 + n),
        )?;
    }
    Ok(())
}

fn uploads_that_hang_up(target: &Target, force: Force) -> Result<(), String> {
    let upload = target.upload(&picture(6_000, 6_000, &[]));
    at_once(force, 8, |_| target.send_and_hang_up(&upload));
    Ok(())
}

fn sign_ins_that_hang_up(target: &Target, force: Force) -> Result<(), String> {
    at_once(force, 16, |n| {
        let form =
            json!({ "email": format!("{n}@example.com"), "password": "guessed at" }).to_string();
        target.send_and_hang_up(&target.request(
            "POST",
            "/auth/signin",
            "application/json",
            form.as_bytes(),
        ));
    });
    Ok(())
}

/// Each from a 64 of its own, while an owner signs in on a device that is known.
fn sign_ins_of_one_network(target: &Target, force: Force) -> Result<(), String> {
    let mut http = Http::new(&target.address, "");
    let signed_up = sign_up(&mut http, target.folder.path(), "owner");
    let sign_in = |from: &str, form: Value| {
        let body = form.to_string();
        target.send(&Target::request_from(from, "/auth/signin", &body))
    };
    let worst = AtomicU16::new(200);
    let number = AtomicU16::new(0);
    at_once(force, 1 + force.n(32, 128), |thread| {
        if thread == 0 {
            let form = json!({
                "email": "owner@example.com", "password": PASSWORD, "device": signed_up["device"],
            });
            let status = sign_in("192.0.2.1", form);
            if status != 200 {
                worst.store(status, Ordering::Relaxed);
            }
        } else {
            let n = number.fetch_add(1, Ordering::Relaxed);
            let form = json!({ "email": format!("{n}@example.com"), "password": "guessed at" });
            sign_in(&format!("2001:db8:1:{n:x}::1"), form);
        }
    });
    match worst.into_inner() {
        200 => Ok(()),
        status => Err(format!("the owner's sign-in was answered {status}")),
    }
}

/// So many mails go out for a new account, and to one mailbox, before one has to wait; and some that are earned meanwhile.
const MAILS: usize = 32;

/// By a new account under a name with an address in it, to strangers; and codes to one person from everywhere.
fn unwanted_mail(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let profile = json!({ "business_name": "You won https://evil.example/prize" });
    http.data("PUT", "/sitters/profile", Some(&profile));
    let mut clients = Vec::new();
    for n in 0..force.n(60, 300) {
        let form = json!({
            "name": "www.evil.example", "email": format!("stranger{n}@example.com"), "dogs": [{ "name": "Rex" }],
        });
        clients.push(http.data("POST", "/clients", Some(&form))["id"].clone());
    }
    let mut invited = 0;
    for client in &clients {
        let path = format!("/clients/{}/invite", client.as_str().unwrap_or_default());
        let form = json!({ "send_email": true });
        let answer = http.call("POST", &path, Some(&form));
        invited += usize::from(answer.is_some_and(|it| it.0 == 201));
    }
    if invited == 0 || MAILS < invited {
        return Err(format!("{invited} strangers were invited"));
    }
    let mut mailed = 0;
    for n in 0..force.n(60, 200) {
        let form = json!({
            "name": "Kim", "email": format!("kim+{n}@example.com"), "password": PASSWORD, "time_zone": "UTC",
        });
        let from = format!("198.51.{}.{}", 100 + n / 200, n % 200);
        let status = target.send(&Target::request_from(
            &from,
            "/auth/signup",
            &form.to_string(),
        ));
        mailed += usize::from(status == 202);
    }
    if mailed == 0 || MAILS < mailed {
        return Err(format!("{mailed} codes went to one mailbox"));
    }
    let mails = std::fs::read_dir(target.folder.path().join("mail"));
    for mail in mails.map_err(|it| it.to_string())?.flatten() {
        let text = std::fs::read_to_string(mail.path()).unwrap_or_default();
        if text.contains("evil") {
            return Err(format!("a mail has an address in a name: {text}"));
        }
    }
    Ok(())
}

/// So many mails about events one person gets at once; another one is earned in twenty minutes.
const EVENT_MAILS_AT_ONCE: usize = 3;

/// By a new account: without end to one client, who has no login, and to very many. Another business's client is mailed
/// meanwhile as ever. Events settle for a minute before they are mailed, which only the long form waits for: the short one
/// sees that others are served while they come.
fn event_mails(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let victim = mailed_client(&mut http, "victim");
    for _ in 0..force.n(15, 200) {
        book_move_cancel(&mut http, &victim);
    }
    for n in 0..force.n(40, 300) {
        let stranger = mailed_client(&mut http, &format!("stranger{n}"));
        book_move_cancel(&mut http, &stranger);
    }
    let mut olga = target.another("olga");
    let dana = mailed_client(&mut olga, "dana");
    book(&mut olga, &dana);
    let waits = Duration::from_secs(u64::try_from(force.n(0, 180)).unwrap_or(0));
    let begun = Instant::now();
    while mails_to(target, "dana") == 0 {
        if waits.is_zero() {
            return Ok(());
        }
        if waits < begun.elapsed() {
            return Err("another business's client is not mailed any more".to_owned());
        }
        // The mail is sent beside the calls.
        olga.data("GET", "/auth/signup", None);
    }
    let to_victim = mails_to(target, "victim");
    if to_victim == 0 || EVENT_MAILS_AT_ONCE < to_victim {
        return Err(format!("{to_victim} mails went to one person"));
    }
    let to_strangers = mails_to(target, "stranger");
    if to_strangers == 0 || MAILS < to_strangers {
        return Err(format!("{to_strangers} mails went to strangers"));
    }
    Ok(())
}

/// Adds a client with this name and an address, whom visits are mailed of: the client and the dog.
fn mailed_client(http: &mut Http, name: &str) -> (Value, Value) {
    http.data(
        "PUT",
        "/sitters/profile",
        Some(&json!({ "mails_changes": true })),
    );
    let form = json!({
        "name": name, "email": format!("{name}@example.com"), "dogs": [{ "name": "Rex" }],
    });
    let client = http.data("POST", "/clients", Some(&form));
    (client["id"].clone(), client["dogs"][0]["id"].clone())
}

/// Books a visit: its path.
fn book(http: &mut Http, (client, dog): &(Value, Value)) -> String {
    let form = json!({
        "client_id": client, "dog_ids": [dog], "service_type": "walk", "date": "2099-01-15", "start_time": "09:00",
        "duration_minutes": 30, "overlap_ok": true,
    });
    let visit = http.data("POST", "/scheduled-services", Some(&form))["id"].clone();
    format!("/scheduled-services/{}", visit.as_str().unwrap_or_default())
}

fn book_move_cancel(http: &mut Http, whom: &(Value, Value)) {
    let path = book(http, whom);
    http.data("PUT", &path, Some(&json!({ "start_time": "10:00" })));
    http.data("DELETE", &path, None);
}

/// The mails to people whose address begins so.
fn mails_to(target: &Target, name: &str) -> usize {
    let head = format!("To: {name}");
    let mails = std::fs::read_dir(target.folder.path().join("mail"));
    let texts = mails.into_iter().flatten().flatten();
    let texts = texts.filter_map(|it| std::fs::read_to_string(it.path()).ok());
    texts.filter(|it| it.starts_with(&head)).count()
}

/// So many calls of the service one account has, and some that are earned meanwhile.
const DIRECTIONS: usize = 62;

fn directions(target: &Target, force: Force) -> Result<(), String> {
    let path = "/map/directions/route?places=24.94,60.17;24.95,60.18";
    let call = target.request("GET", path, "text/plain", b"");
    let found = target.send(&call);
    if found != 200 {
        return Err(format!("directions were answered {found}"));
    }
    at_once(force, 8, |_| {
        target.send(&call);
    });
    let asked = target.asked_for_directions.load(Ordering::Relaxed);
    match asked {
        0..=DIRECTIONS => Ok(()),
        n => Err(format!("the service was asked {n} times")),
    }
}

/// So many of the longest messages fit into a day, with some that are earned meanwhile.
const LONG_MESSAGES: usize = 14;

fn long_messages(target: &Target, force: Force) -> Result<(), String> {
    let (mut parent, _) = target.parent("anna");
    let sitters = parent.data("GET", "/client/sitters", None);
    let conversation = sitters[0]["client_id"].clone();
    let token = parent.token.clone();
    let content = "🐕".repeat(5_000);
    let form = json!({ "conversation_id": conversation, "content": content }).to_string();
    let say = Target::request_by(
        &token,
        "POST",
        "/messages",
        "application/json",
        form.as_bytes(),
    );
    let worst = AtomicU16::new(0);
    at_once(force, 8, |_| {
        let status = target.send(&say);
        if !matches!(status, 0 | 201 | 422 | 429) {
            worst.fetch_max(status, Ordering::Relaxed);
        }
    });
    let client_id: Option<Id> = conversation.as_str().and_then(|it| it.parse().ok());
    let client_id = client_id.ok_or("a client has an id")?;
    let mut stored = 0;
    target.in_database(async |tx| {
        let messages = db::messages_of(tx, target.sitter_id, client_id, 10_000).await?;
        stored = messages.len();
        Ok(())
    });
    match (worst.into_inner(), stored) {
        (0, 1..=LONG_MESSAGES) => Ok(()),
        (status, n) => Err(format!(
            "{n} messages are stored, the worst answer was {status}"
        )),
    }
}

fn tickets(target: &Target, force: Force) -> Result<(), String> {
    let request =
        b"GET /api/realtime?ticket=x HTTP/1.1\r\nhost: walkies\r\nconnection: upgrade\r\n\r\n";
    let write = json!({ "access_notes": "code" }).to_string();
    let (client, _) = client(&mut target.http());
    let write = target.request(
        "PUT",
        &format!("/clients/{client}"),
        "application/json",
        write.as_bytes(),
    );
    at_once(force, 4, |n| {
        // Those who have an account hang up in the middle of a write.
        let request = if n == 0 { &write[..] } else { &request[..] };
        if let Ok(mut stream) = target.open() {
            let _ = stream.write_all(request);
        }
    });
    Ok(())
}

/// Subscribes phones that do not exist; each subscription is a write, or none.
fn subscriptions(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let key = http.data("GET", "/push/public-key", None)["public_key"].clone();
    let form = |thread: usize, n: usize, filler: &str| {
        let endpoint = format!("https://fcm.googleapis.com/{thread}/{n}/{filler}");
        subscription(&key, &endpoint).to_string()
    };
    let count = std::sync::atomic::AtomicUsize::new(0);
    at_once(force, 8, |thread| {
        let n = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        for body in [
            form(thread, n, ""),
            form(thread, 0, ""),
            form(thread, n, &"a".repeat(900_000)),
        ] {
            target.send(&target.request(
                "POST",
                "/push/subscriptions",
                "application/json",
                body.as_bytes(),
            ));
        }
        let hours = json!({ "off": vec!["message"; 200] }).to_string();
        target.send(&target.request(
            "PUT",
            "/push/preferences",
            "application/json",
            hours.as_bytes(),
        ));
    });
    let body = form(0, usize::MAX, "");
    let status = target.send(&target.request(
        "POST",
        "/push/subscriptions",
        "application/json",
        body.as_bytes(),
    ));
    if status == 429 {
        Ok(())
    } else {
        Err(format!("after all of them one more was answered {status}"))
    }
}

/// By somebody who has an invoice's address, where Stripe answers nothing; and reports that nobody has signed.
fn payments(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let (client, dog) = client(&mut http);
    let visit = http.data(
        "POST",
        "/scheduled-services",
        Some(&visit(client, dog, 8, 600)),
    );
    let form = json!({ "client_id": client, "services": [visit["id"]] });
    let shared = http.data("POST", "/invoices/share", Some(&form));
    let share_id = shared["shareId"]
        .as_str()
        .ok_or("an invoice has an address")?
        .to_owned();
    let account = StripeAccount {
        secret_key: "sk_test_51NobodyHasEverSeenThis".to_owned(),
        webhook_secrets: vec!["whsec_NobodyHasEverSeenThis".to_owned()],
        user_id: target.sitter_id,
        fault: None,
    };
    target.in_database(async |tx| {
        db::set_stripe_account(tx, target.sitter_id, &account, Moment(0)).await
    });
    let hook = format!("/invoices/stripe/{}/webhook", target.sitter_id);
    let long = json!({ "id": "evt_1", "type": "a".repeat(1_000_000) }).to_string();
    let report = target.request("POST", &hook, "application/json", long.as_bytes());
    let signed = format!(
        "stripe-signature: t=0{}\r\n",
        format!(",v1={}", "0".repeat(64)).repeat(100)
    );
    let report = [
        &report[..report.len() - long.len() - 2],
        signed.as_bytes(),
        b"\r\n",
        long.as_bytes(),
    ]
    .concat();
    let count = std::sync::atomic::AtomicUsize::new(0);
    at_once(force, 8, |thread| {
        if thread % 2 == 0 {
            target.send(&report);
            return;
        }
        let n = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let form = format!("amount={}.{:02}", n / 100, n % 100);
        let head = format!(
            "POST /invoice/{share_id}/card HTTP/1.1\r\nhost: walkies\r\ncontent-length: {}\r\n\r\n{form}",
            form.len()
        );
        target.send_and_hang_up(head.as_bytes());
    });
    Ok(())
}

/// Everything that can be asked about plans, where Stripe answers nothing; and reports that nobody has signed.
fn plans(target: &Target, force: Force) -> Result<(), String> {
    let long = json!({ "id": "evt_1", "type": "a".repeat(1_000_000) }).to_string();
    let report = target.request(
        "POST",
        "/billing/webhook",
        "application/json",
        long.as_bytes(),
    );
    let begin =
        json!({ "plan_id": "solo", "price_id": "price_solo", "return_url": "h".repeat(100_000) });
    let change = json!({ "plan_id": "solo", "proration_date": i64::MIN });
    let calls = [
        ("POST", "/billing/checkout-session", begin),
        ("POST", "/billing/portal-session", json!({})),
        ("POST", "/billing/update-subscription", change),
        (
            "POST",
            "/billing/preview-change",
            json!({ "current_plan_id": "free", "new_plan_id": "pro" }),
        ),
        ("GET", "/billing/plans", json!({})),
        ("GET", "/billing/dashboard", json!({})),
    ];
    at_once(force, 8, |thread| match calls.get(thread) {
        Some((method, path, body)) => {
            let body = body.to_string();
            target.send_and_hang_up(&target.request(
                method,
                path,
                "application/json",
                body.as_bytes(),
            ));
        }
        None => {
            target.send(&report);
        }
    });
    Ok(())
}

/// Everything that the account of a client may do: asking, withdrawing, free times, the whole feed, and codes.
fn asks_without_end(target: &Target, force: Force) -> Result<(), String> {
    let (parent, dog) = target.parent("anna");
    let token = parent.token.clone();
    let call = |method: &str, path: &str, body: &Value| {
        let body = body.to_string();
        target.send(&Target::request_by(
            &token,
            method,
            path,
            "application/json",
            body.as_bytes(),
        ))
    };
    let today = Env::system().now().civil(&TimeZone::UTC).0;
    let mut days = (7..14).map(|it| today.plus_days(it));
    let date = days
        .find(|it| (1..6).contains(&it.day_of_week()))
        .ok_or("a week has no working day")?;
    let ask = |id: Id| {
        json!({
            "id": id, "requested_date": date, "requested_start_time": "10:00", "requested_duration_minutes": 30,
            "service_type": "walk", "dog_ids": [dog], "message": "n".repeat(5_000),
        })
    };
    let status = call("POST", "/client/requests", &ask(new_id()));
    if status != 201 {
        return Err(format!("a request was answered {status}"));
    }
    at_once(force, 8, |thread| match thread % 4 {
        0 => {
            let id = new_id();
            call("POST", "/client/requests", &ask(id));
            call("DELETE", &format!("/client/requests/{id}"), &json!({}));
        }
        1 => {
            call("GET", &format!("/client/slots?date={date}"), &json!({}));
        }
        2 => {
            let path = format!("/sync/pull?cursor=0&schema=3&device_id={}", new_id());
            call("GET", &path, &json!({}));
        }
        _ => {
            let code = json!({ "client_id": new_id(), "code": "0".repeat(500) });
            call("POST", "/client/link", &code);
        }
    });
    Ok(())
}

fn writes_without_end(target: &Target, force: Force) -> Result<(), String> {
    let (mut parent, _) = target.parent("anna");
    let token = parent.token.clone();
    let sitters = parent.data("GET", "/client/sitters", None);
    let conversation = sitters[0]["client_id"].clone();
    let call = |method: &str, path: &str, body: &Value| {
        let (kind, body) = ("application/json", body.to_string());
        target.send(&Target::request_by(
            &token,
            method,
            path,
            kind,
            body.as_bytes(),
        ))
    };
    let say = |content: &str| {
        let form = json!({ "conversation_id": conversation, "content": content });
        call("POST", "/messages", &form)
    };
    let status = say("Hello");
    if status != 201 {
        return Err(format!("a message was answered {status}"));
    }
    let edge = if force.is_full { 6_000 } else { 2_000 };
    let image = target.upload_by(&token, &picture(edge, edge, &[]));
    let typing = json!({ "event": "typing", "conversation_id": conversation }).to_string();
    at_once(force, 10, |thread| match thread % 5 {
        0 => {
            say(&"n".repeat(5_000));
        }
        1 => {
            target.send(&image);
        }
        2 => {
            let path = format!("/conversations/search?q={}", "%25_".repeat(100));
            call("GET", &path, &json!({}));
        }
        3 => {
            let id = conversation.as_str().unwrap_or_default();
            call("POST", &format!("/conversations/{id}/archive"), &json!({}));
            call("PUT", &format!("/messages/{id}/read"), &json!({}));
        }
        _ => {
            // As many at a time as go into a socket; who says it more often is heard no better.
            if let Ok(mut socket) = web_socket(target, &token) {
                for _ in 0..5_000 {
                    if socket.write_all(&text_frame(&typing)).is_err() {
                        break;
                    }
                }
            }
        }
    });
    Ok(())
}

/// So many saved commands of a phone that nobody has seen before.
fn push_body(n: usize, command: &dyn Fn(usize) -> (&'static str, Value)) -> Value {
    let made_at = Env::system().now();
    let mutations: Vec<Value> = (0..n)
        .map(|n| {
            let (name, args) = command(n);
            json!({
                "id": new_id(), "seq": n + 1, "v": SCHEMA, "made_at": made_at, "base_rev": 0, "name": name, "args": args,
            })
        })
        .collect();
    json!({ "device_id": new_id(), "schema": SCHEMA, "mutations": mutations })
}

/// Each of a queue of its own: long words, a conversation that is put away and taken out, corrections, decisions between
/// versions of a text, and what nobody can read.
fn pushes_without_end(target: &Target, force: Force) -> Result<(), String> {
    let (mut parent, dog) = target.parent("anna");
    let sitters = parent.data("GET", "/client/sitters", None);
    let client = sitters[0]["client_id"].clone();
    let token = parent.token.clone();
    let push = |n: usize, command: &dyn Fn(usize) -> (&'static str, Value)| {
        let body = push_body(n, command).to_string();
        let (path, kind) = ("/sync/push", "application/json");
        target.send(&Target::request_by(
            &token,
            "POST",
            path,
            kind,
            body.as_bytes(),
        ))
    };
    let say = |content: String| {
        let args = json!({ "id": new_id(), "conversation_id": client, "content": content });
        ("send_message", args)
    };
    let status = push(1, &|_| say("Hello".to_owned()));
    if status != 200 {
        return Err(format!("a push was answered {status}"));
    }
    at_once(force, 10, |thread| {
        match thread % 5 {
            0 => push(180, &|_| say("n".repeat(5_000))),
            1 => push(200, &|n| {
                let args = json!({ "id": client, "archived": n % 2 == 0 });
                ("set_conversation_archived", args)
            }),
            2 => push(200, &|n| {
                let dogs =
                    json!([{ "id": dog, "is_new": false, "changes": { "about": format!("{n}") } }]);
                let args = json!({ "id": client, "changes": { "address": format!("{n} Street") }, "dogs": dogs });
                ("update_client", args)
            }),
            3 => push(100, &|n| {
                let settled = [format!("{}", n - n % 2), "n".repeat(4_000)];
                let args = json!({
                    "id": dog, "client_id": client, "field": "about", "content": format!("{n}{}", "n".repeat(4_000)),
                    "settled": settled,
                });
                ("settle_text", args)
            }),
            _ => push(200, &|_| {
                ("what_nobody_knows", json!({ "content": "n".repeat(4_000) }))
            }),
        };
    });
    Ok(())
}

/// Encodes a short text as a frame of a browser: masked, here with nothing.
fn text_frame(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes();
    [&[0x81, 0x80 | 126][..], &length, &[0; 4], text.as_bytes()].concat()
}

fn long_emails(target: &Target, force: Force) -> Result<(), String> {
    for n in 0..force.n(200, 600) {
        let email = format!("{n}{}@example.com", "a".repeat(1_000_000));
        let form = json!({ "email": email, "password": "guessed at" });
        let path = ["/auth/signin", "/auth/forgot-password"][n % 2];
        let form = form.to_string();
        let request = target.request("POST", path, "application/json", form.as_bytes());
        // Who goes on sending may lose the answer, which comes before all of it is sent.
        let status = target.send(&request);
        if !matches!(status, 0 | 413 | 429) {
            return Err(format!("{path} was answered {status}"));
        }
    }
    Ok(())
}

fn long_notes(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let (client_id, dog_id) = client(&mut http);
    for n in 0..force.n(5, 20) {
        let made = http.data(
            "POST",
            "/scheduled-services",
            Some(&visit(client_id, dog_id, 1 + n, 600)),
        );
        let path = format!(
            "/scheduled-services/{}/complete",
            made["id"].as_str().unwrap_or_default()
        );
        refused(target, &path, &json!({ "notes": "a".repeat(1_000_000) }))?;
    }
    Ok(())
}

fn uploads_that_nothing_names(target: &Target, force: Force) -> Result<(), String> {
    let upload = target.upload(&picture(64, 64, &[]));
    at_once(force, 4, |_| {
        target.send(&upload);
    });
    Ok(())
}

/// Begins a video of so many bytes.
fn begin_video(target: &Target, size_bytes: u64) -> Id {
    let id = new_id();
    let form = json!({ "id": id, "size_bytes": size_bytes, "media_type": "video/mp4" });
    let body = form.to_string();
    target.send(&target.request("POST", "/videos", "application/json", body.as_bytes()));
    id
}

fn send_piece(target: &Target, id: Id, offset: u64, piece: &[u8]) -> u16 {
    let path = format!("/videos/{id}?offset={offset}");
    target.send(&target.request("PATCH", &path, "application/octet-stream", piece))
}

fn unfinished_videos(target: &Target, force: Force) -> Result<(), String> {
    let piece_bytes = usize::try_from(VIDEO_PIECE_BYTES).unwrap_or_default();
    let mut piece = vec![0; piece_bytes];
    piece[4..8].copy_from_slice(b"ftyp");
    let large = vec![0; 9_000_000];
    at_once(force, 4, |_| {
        let id = begin_video(target, MAX_VIDEO_BYTES);
        for offset in [0, 7, VIDEO_PIECE_BYTES, u64::MAX, 4 * VIDEO_PIECE_BYTES] {
            send_piece(target, id, offset, &piece);
        }
        send_piece(target, id, 2 * VIDEO_PIECE_BYTES, &large);
    });
    Ok(())
}

/// Uploads videos that are long to look through: one of elements of two bytes each, one of boxes in boxes.
fn long_videos(target: &Target, force: Force) -> Result<(), String> {
    let webm = [
        &b"\x1A\x45\xDF\xA3\x87\x42\x82\x84webm\x18\x53\x80\x67\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF"[..],
        &b"\xEC\x80".repeat(4_000_000),
    ];
    let length = 8_000_008_u32.to_be_bytes();
    let boxes = b"\0\0\0\0trak".repeat(1_000_000);
    let mp4 = [&b"\0\0\0\x10ftypisom\0\0\0\0"[..], &length, b"moov", &boxes].concat();
    let films = [webm.concat(), mp4];
    at_once(force, 2, |n| {
        let film = &films[n % 2];
        let id = begin_video(target, film.len() as u64);
        let pieces = film.chunks(usize::try_from(VIDEO_PIECE_BYTES).unwrap_or_default());
        for (number, piece) in pieces.enumerate() {
            send_piece(target, id, number as u64 * VIDEO_PIECE_BYTES, piece);
        }
    });
    Ok(())
}

/// A ZIP of these files.
pub fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default();
        zip.start_file(name.as_str(), options).expect("a file");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("an archive").into_inner()
}

/// So often it is tried to go on with an archive that is being looked through or taken back.
const LOOKS: usize = 200;

fn archives_in(target: &Target, force: Force) -> Result<(), String> {
    let manifest = json!({
        "format": 1, "made_at": "2026-11-20T09:00:00Z", "business": "", "revision": 1, "counts": [], "missing": [],
    });
    let manifest = (
        Entry::MANIFEST.to_owned(),
        manifest.to_string().into_bytes(),
    );
    let mut rows = String::new();
    for n in 0..force.n(20_000, 300_000) {
        let mut service = Service::new(new_id(), Moment(1_790_000_000_000));
        service.date = serde_json::from_value(json!("2099-09-08")).expect("a date");
        service.date = service
            .date
            .plus_days(i64::try_from(n / 400).unwrap_or_default());
        rows += &line(&Row::Service(service)).expect("a line");
        rows.push('\n');
    }
    let services = (Entry::rows(TableName::Service), rows.into_bytes());
    let moment = Moment(1_790_000_000_000);
    let sitter = Sitter::new(
        new_id(),
        "A".into(),
        "a@example.com".into(),
        "UTC".into(),
        moment,
    );
    let sitter = line(&Row::Sitter(sitter)).expect("a line") + "\n";
    let sitter = (Entry::rows(TableName::Sitter), sitter.into_bytes());
    let zeros = (Entry::rows(TableName::Pet), vec![0; 200 << 20]);
    let path = ("../../walkies.sqlite3".to_owned(), b"gone".to_vec());
    let archives = [
        // This one is written, and taken back in the middle of it.
        archive(&[manifest.clone(), sitter, services]),
        archive(&[manifest.clone(), zeros]),
        archive(&[manifest, path]),
        vec![0; 600_000],
    ];
    let accounts: Vec<Http> = (0..3)
        .map(|n| target.another(&format!("importer{n}")))
        .collect();
    let tokens: Vec<&str> = accounts.iter().map(|it| it.token.as_str()).collect();
    let worst = AtomicU16::new(0);
    at_once(force, tokens.len(), |n| {
        for bytes in &archives {
            let send = |method: &str, path: &str, kind: &str, body: &[u8]| {
                let request = Target::request_by(tokens[n], method, path, kind, body);
                let status = target.send(&request);
                if 500 <= status && status != 503 {
                    worst.fetch_max(status, Ordering::Relaxed);
                }
                status
            };
            let form = json!({ "archive_bytes": bytes.len(), "password": PASSWORD }).to_string();
            send("POST", "/import", "application/json", form.as_bytes());
            let piece_bytes = usize::try_from(VIDEO_PIECE_BYTES).unwrap_or_default();
            for (number, piece) in bytes.chunks(piece_bytes).enumerate() {
                let path = format!("/import?offset={}", number * piece_bytes);
                send("PATCH", &path, "application/octet-stream", piece);
            }
            for _ in 0..LOOKS {
                if send("POST", "/import/start", "application/json", b"{}") == 200 {
                    break;
                }
            }
            for _ in 0..LOOKS {
                if send("DELETE", "/import", "application/json", b"") == 404 {
                    break;
                }
            }
        }
    });
    match worst.into_inner() {
        0 => Ok(()),
        status => Err(format!("an archive was answered {status}")),
    }
}

/// Files as large as they may be, of what is the longest to read: lines that go on, quotes without an end, columns and rows
/// without a word, one client of them all, and the most that can be written.
fn client_files(target: &Target, force: Force) -> Result<(), String> {
    let whole = |begin: &str, line: &str| {
        let lines = (IMPORT_BYTES - begin.len() - 20) / line.len();
        [begin, &line.repeat(lines), "\nEND:VCARD\n"].concat()
    };
    let card = "BEGIN:VCARD\nFN:Dana\n";
    let wide = format!("{}\n{}", "Notes,".repeat(198), "x,".repeat(198));
    let files = [
        whole(card, "NOTE:a\n"),
        whole(&format!("{card}NOTE;ENCODING=QUOTED-PRINTABLE:=\n"), "a=\n"),
        whole("Name,Pets\n", "\"\"\"\","),
        whole("Name,Pets\nDana,", "a,"),
        whole(&wide, "\n"),
        whole("Name,Email,Pets\n", "Dana,,Rex & Bo & Mo & Ada & Luna\n"),
        (0..500).fold("Name,Pets\n".to_owned(), |it, n| {
            format!("{it}Client {n},\"{}\"\n", "Rex,".repeat(20))
        }),
    ];
    let accounts: Vec<Http> = (0..force.n(1, 3))
        .map(|n| target.another(&format!("filer{n}")))
        .collect();
    let worst = AtomicU16::new(0);
    at_once(force, accounts.len(), |n| {
        for file in &files {
            for path in [
                "/import/clients?dry_run=true",
                "/import/clients?skip_wrong=true",
            ] {
                let kind = "application/octet-stream";
                let token = &accounts[n].token;
                let request = Target::request_by(token, "POST", path, kind, file.as_bytes());
                let status = target.send(&request);
                if 500 <= status && status != 503 {
                    worst.fetch_max(status, Ordering::Relaxed);
                }
            }
        }
    });
    match worst.into_inner() {
        0 => Ok(()),
        status => Err(format!("a file was answered {status}")),
    }
}

fn archives_out(target: &Target, force: Force) -> Result<(), String> {
    let accounts: Vec<Http> = (0..6)
        .map(|n| target.another(&format!("exporter{n}")))
        .collect();
    let held = Mutex::new(Vec::new());
    at_once(force, accounts.len(), |n| {
        let request = Target::request_by(&accounts[n].token, "GET", "/export", "text/plain", b"");
        if n % 2 == 0 {
            target.send_and_hang_up(&request);
        } else if let Ok(mut stream) = target.open() {
            // Its first bytes are taken, and no more of it.
            let _ = stream.write_all(&request);
            let _ = stream.read(&mut [0; 12]);
            let mut held = held.lock().expect("nobody panics");
            held.push(stream);
            let few = held.len().saturating_sub(20);
            held.drain(..few);
        }
    });
    Ok(())
}

/// So many services, forty a day from that one on, counted from today.
pub fn fill_days(
    target: &Target,
    (client_id, dog_id): (Id, Id),
    first: i64,
    n: usize,
    notes: String,
) {
    let today = Env::system().now().civil(&TimeZone::UTC).0;
    let services = (0..n).map(|n| Service {
        client_id,
        dog_ids: vec![dog_id],
        dogs: vec!["Rex".to_owned()],
        date: today.plus_days(first + i64::try_from(n / 40).unwrap_or_default()),
        duration_minutes: 60,
        notes: notes.clone(),
        ..Service::new(new_id(), Moment(1_790_000_000_000))
    });
    target.in_database(async |tx| {
        for service in services {
            db::write_row(tx, target.sitter_id, 2, &Row::Service(service)).await?;
        }
        Ok(())
    });
}

/// Two years of a business that has never had a day off: one is asked for, and held against the one before.
fn figures(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let party = client(&mut http);
    fill_days(target, party, -730, force.n(4_000, 29_200), String::new());
    let today = Env::system().now().civil(&TimeZone::UTC).0;
    let span = format!("startDate={}&endDate={today}", today.plus_days(-364));
    let worst = AtomicU16::new(0);
    at_once(force, 8, |n| {
        let path = match n % 4 {
            0 => format!("/analytics/dashboard?{span}"),
            1 => format!("/analytics/clients?{span}"),
            2 => "/analytics/insights/revenue?period=365".to_owned(),
            _ => format!("/analytics/export?{span}&format=csv"),
        };
        let request = Target::request_by(&http.token, "GET", &path, "text/plain", b"");
        let status = target.send(&request);
        if !matches!(status, 0 | 200 | 429 | 503) {
            worst.fetch_max(status, Ordering::Relaxed);
        }
    });
    match worst.into_inner() {
        0 => Ok(()),
        status => Err(format!("a year was answered {status}")),
    }
}

fn calendars(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let party = client(&mut http);
    fill_days(target, party, 0, force.n(2_000, 12_000), "x".repeat(2_000));
    let made = http.data("POST", "/calendar/address", Some(&json!({})));
    let url = made["url"].as_str().expect("an address");
    let (_, path) = url.split_once("/api").expect("a path");
    let worst = AtomicU16::new(0);
    at_once(force, 8, |_| {
        let status = target.send(&Target::request_by("", "GET", path, "text/plain", b""));
        if !matches!(status, 0 | 200 | 429 | 503) {
            worst.fetch_max(status, Ordering::Relaxed);
        }
    });
    match worst.into_inner() {
        0 => Ok(()),
        status => Err(format!("a calendar was answered {status}")),
    }
}

fn slow_uploads(target: &Target, force: Force) -> Result<(), String> {
    let accounts: Vec<Http> = (0..3)
        .map(|n| target.another(&format!("slow{n}")))
        .collect();
    let upload = target.upload(&vec![0; 9_900_000]);
    let mut begun = Vec::new();
    for http in accounts.iter().flat_map(|it| [it, it, it]) {
        let own = String::from_utf8_lossy(&upload[..400]).replace(&target.token, &http.token);
        let rest = &upload[own.len().min(400)..9_000_000];
        if let Ok(mut stream) = target.open() {
            let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = stream.write_all(own.as_bytes());
            let _ = stream.write_all(rest);
            begun.push(stream);
        }
    }
    // While they hold what they have sent, others' photos are taken.
    let photo = target.upload(&picture(64, 64, &[]));
    for _ in 0..force.n(5, 20) {
        let status = target.send(&photo);
        if status != 201 {
            return Err(format!("a photo was answered {status}"));
        }
    }
    drop(begun);
    Ok(())
}

fn shared_with_all(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let mut queue = Queue::new();
    let mut reports = Vec::new();
    for n in 0..50 {
        let (client_id, dog_id) = queue.save_client(&format!("Client {n}"), "Rex");
        reports.push((client_id, dog_id));
    }
    send_all(&mut http, &mut queue)?;
    let at = Moment(1_790_000_000_000);
    let event = SharedEvent {
        kind: WalkEventKind::Potty,
        at,
        note: "n".repeat(100),
        place: None,
        photo: None,
        client_ids: Some(reports.iter().map(|it| it.0).collect()),
        dog_ids: Vec::new(),
        dogs: Vec::new(),
        over_at: None,
    };
    let walk = SharedWalk {
        started_at: at,
        ended_at: Moment(at.0 + 3_600_000),
        ran_seconds: 3_600,
        lines: vec![SharedLine {
            points: "?A".repeat(2_000),
            after_gap: false,
        }],
        events: vec![event; 200],
        ..SharedWalk::default()
    };
    for _ in 0..force.n(2, 60) {
        let reports = reports.iter().map(|(client_id, dog_id)| ClientReport {
            id: new_id(),
            client_id: *client_id,
            dog_ids: vec![*dog_id],
            note: "n".repeat(1_000),
            service_ids: Vec::new(),
        });
        queue.save(&Command::ShareWalk(ShareWalk {
            id: new_id(),
            walk: walk.clone(),
            reports: reports.collect(),
            kind: Default::default(),
        }));
        if !send_all(&mut http, &mut queue)? {
            break;
        }
    }
    // As a phone that knows another history.
    let pull = format!("/sync/pull?cursor=1&schema=2&device_id={}", new_id());
    at_once(force, 4, |_| drop(target.http().call("GET", &pull, None)));
    Ok(())
}

/// Sends what waits; `false` where the business has written as much as it may.
fn send_all(http: &mut Http, queue: &mut Queue) -> Result<bool, String> {
    let answer = http.call("POST", "/sync/push", Some(&queue.body(&queue.waiting)));
    let (status, text) = answer.ok_or("a push was not answered")?;
    if status == 429 {
        return Ok(false);
    }
    queue.take(&text);
    let outcomes = queue.acknowledged.drain(..);
    let refused = outcomes
        .filter(|(_, it)| it.outcome != OutcomeKind::Applied)
        .count();
    if queue.waiting.is_empty() && refused == 0 {
        Ok(true)
    } else {
        Err(format!("a push was answered {status}: {text}"))
    }
}

/// The dollars of these payments or refunds.
fn sum_of(moved: &Value) -> f64 {
    let moved = moved.as_array().into_iter().flatten();
    moved.filter_map(|it| it["amount"].as_f64()).sum()
}

/// Each change of such an invoice writes two hundred services, and its page has as many lines, of as many words as it may
/// have.
fn invoices_without_end(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let (client_id, dog_id) = client(&mut http);
    let mut services = Vec::new();
    for n in 0..200 {
        let mut done = visit(client_id, dog_id, 1 + n % 4, n);
        done["notes"] = "n".repeat(INVOICE_BYTES / 200 - 300).into();
        services.push(http.data("POST", "/services", Some(&done))["id"].clone());
    }
    let form = json!({ "client_id": client_id, "services": services, "note": "n".repeat(5_000) });
    let shared = http.data("POST", "/invoices/share", Some(&form));
    let lines = shared["servicesData"].as_array().map_or(0, Vec::len);
    if lines != 200 {
        return Err(format!("{lines} services were billed"));
    }
    let id = shared["id"].as_str().unwrap_or_default().to_owned();
    let share_id = shared["shareId"].as_str().unwrap_or_default().to_owned();
    let call = |method: &str, path: &str, body: &Value| {
        let body = body.to_string();
        target.send(&target.request(method, path, "application/json", body.as_bytes()))
    };
    let none = json!({});
    let (refund_id, note) = (new_id(), "n".repeat(5_000));
    at_once(force, 24, |n| {
        match n % 12 {
            0 => call("POST", &format!("/invoices/{id}/mark-paid"), &none),
            1 => call("DELETE", &format!("/invoices/{id}"), &none),
            2 => call("POST", &format!("/invoices/{id}/restore"), &none),
            3 => call("POST", "/invoices/share", &form),
            4 => call("GET", &format!("/public/invoices/{share_id}"), &none),
            5 => {
                let payment = json!({ "payment_id": new_id(), "amount": 1, "note": note });
                call("POST", &format!("/invoices/{id}/payments"), &payment)
            }
            6 => call(
                "POST",
                &format!("/invoices/{id}/overpayment"),
                &json!({ "tip": 1, "kept": 0 }),
            ),
            7 => call(
                "POST",
                &format!("/invoices/{id}/overpayment"),
                &json!({ "tip": 0, "kept": 1 }),
            ),
            8 => {
                let refund = json!({ "refund_id": refund_id, "note": note });
                call("POST", &format!("/invoices/{id}/refunds"), &refund)
            }
            9 => call(
                "DELETE",
                &format!("/invoices/{id}/refunds/{refund_id}"),
                &none,
            ),
            10 => {
                let passed_on = push_body(200, &|n| {
                    let args = json!({ "id": id, "what": "invoice", "passed_on": n % 2 == 0 });
                    ("mark_passed_on", args)
                });
                call("POST", "/sync/push", &passed_on)
            }
            // Nobody guesses one.
            _ => call("GET", &format!("/public/invoices/{}", new_id()), &none),
        };
    });
    let listed = http.data("GET", "/invoices", None);
    let listed = listed.as_array().cloned().unwrap_or_default();
    let billed = listed.iter().filter_map(|it| it["servicesData"].as_array());
    let n = billed.map(Vec::len).sum::<usize>();
    if n > 200 {
        return Err(format!("200 services were billed {n} times"));
    }
    for invoice in &listed {
        let paid = sum_of(&invoice["payments"]);
        let refunded = sum_of(&invoice["refunds"]);
        if paid < refunded {
            return Err(format!("{refunded} dollars of {paid} went back"));
        }
    }
    Ok(())
}

/// By strangers who have an invoice's address: the first opening is written, and no other.
fn openings(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let (client_id, _) = client(&mut http);
    let form = json!({ "client_id": client_id, "extras": [{ "label": "Keys", "amount": 40 }] });
    let shared = http.data("POST", "/invoices/share", Some(&form));
    let share_id = shared["shareId"].as_str().ok_or("it has an address")?;
    let path = format!("/invoices/{}", shared["id"].as_str().unwrap_or_default());
    let open = |n: usize| {
        let cookie = "own_invoices=".repeat(n % 300);
        let request = format!(
            "GET /invoice/{share_id} HTTP/1.1\r\nhost: walkies\r\nuser-agent: Mozilla/5.0 ({n})\r\n\
             cookie: {cookie}\r\nconnection: close\r\n\r\n"
        );
        target.send(request.as_bytes());
    };
    open(0);
    let first = http.data("GET", &path, None)["opened_at"].clone();
    if !first.is_string() {
        return Err(format!("it was opened at {first}"));
    }
    at_once(force, 24, open);
    let last = http.data("GET", &path, None)["opened_at"].clone();
    if first != last {
        return Err(format!(
            "it was first opened at {first}, and then at {last}"
        ));
    }
    Ok(())
}

fn much_at_once(target: &Target, force: Force) -> Result<(), String> {
    let (client, _) = client(&mut target.http());
    let notes = json!({ "access_notes": "n".repeat(5_000) }).to_string();
    let write = target.request(
        "PUT",
        &format!("/clients/{client}"),
        "application/json",
        notes.as_bytes(),
    );
    at_once(force, 64, |_| {
        target.send(&write);
    });
    Ok(())
}

fn own_password(target: &Target, force: Force) -> Result<(), String> {
    let form = json!({ "password": PASSWORD }).to_string();
    let prove = target.request(
        "POST",
        "/auth/factors/totp",
        "application/json",
        form.as_bytes(),
    );
    at_once(force, 32, |_| {
        target.send(&prove);
    });
    Ok(())
}

/// Most memory that a connection may take that is kept open, in kB.
const CONNECTION_KB: f64 = 16.0;

fn kept_alive(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    for n in 0..100 {
        let dogs = json!([{ "name": "Rex" }]);
        let form =
            json!({ "name": format!("Client {n}"), "access_notes": "x".repeat(500), "dogs": dogs });
        http.data("POST", "/clients", Some(&form));
    }
    let pull = format!("/sync/pull?cursor=0&schema=1&device_id={}", new_id());
    let mut kept = Vec::new();
    let mut pull_with = |n: usize| {
        for _ in 0..n {
            let mut http = target.http();
            http.data("GET", &pull, None);
            kept.push(http);
        }
    };
    // What is taken once, whoever comes, is taken by these.
    pull_with(50);
    let n = force.n(100, 1_500);
    // The least of three rounds: what the server takes for something else meanwhile is in one of them.
    let each_kb = (0..3)
        .map(|_| {
            let before = target.resident_mb();
            pull_with(n);
            (target.resident_mb() - before) * 1024.0 / n as f64
        })
        .fold(f64::INFINITY, f64::min);
    println!("  a connection that has pulled takes {each_kb:.1} kB");
    if CONNECTION_KB < each_kb {
        return Err(format!(
            "a connection takes {each_kb:.1} kB and not {CONNECTION_KB}"
        ));
    }
    Ok(())
}

fn endless_frames(target: &Target, _: Force) -> Result<(), String> {
    let mut sockets = Vec::new();
    for _ in 0..20 {
        let mut socket = web_socket(target, &target.token)?;
        // The server may have had enough before all of it has come.
        let frame = [&[0x82, 0xFF][..], &15_000_000_u64.to_be_bytes(), &[0; 4]].concat();
        let _ = socket.write_all(&frame);
        let _ = socket.write_all(&vec![0; 14_900_000]);
        sockets.push(socket);
    }
    Ok(())
}

/// A WebSocket of somebody's.
fn web_socket(target: &Target, token: &str) -> Result<TcpStream, String> {
    let mut http = Http::new(&target.address, token);
    let answer = http.call("POST", "/realtime/ticket", Some(&json!({})));
    let (status, text) = answer.ok_or("a call for a ticket has no answer")?;
    let ticket: Value = serde_json::from_str(&text).map_err(|_| format!("no ticket: {status}"))?;
    let head = format!(
        "GET /api/realtime?ticket={} HTTP/1.1\r\nhost: walkies\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ticket["data"]["ticket"].as_str().unwrap_or_default()
    );
    let mut socket = target.open().map_err(|it| it.to_string())?;
    socket
        .write_all(head.as_bytes())
        .map_err(|it| it.to_string())?;
    let mut status = [0; 12];
    socket
        .read_exact(&mut status)
        .map_err(|it| it.to_string())?;
    match status.ends_with(b"101") {
        true => Ok(socket),
        false => Err(format!(
            "a WebSocket was answered {}",
            String::from_utf8_lossy(&status)
        )),
    }
}

fn slow_heads(target: &Target, force: Force) -> Result<(), String> {
    let head = b"GET /healthz HTTP/1.1\r\nhost: walkies\r\n";
    let mut streams: Vec<TcpStream> = (0..force.n(200, 2_000))
        .filter_map(|_| target.open().ok())
        .collect();
    let end = Instant::now() + force.lasts();
    let mut sent = 0;
    while Instant::now() < end {
        for stream in &mut streams {
            // It may be closed by now, as it should be.
            let _ = stream.write_all(&head[sent..=sent]);
        }
        sent = (sent + 1) % head.len();
        thread::park_timeout(Duration::from_millis(100));
    }
    // None of them is kept: reading ends.
    for mut stream in streams {
        let _ = stream.read(&mut [0; 256]);
        match stream.read(&mut [0; 256]) {
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => {
                return Err("a head that does not end is waited for".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

fn silence(target: &Target, force: Force) -> Result<(), String> {
    let mut silent = Vec::new();
    for _ in 0..force.n(300, 3_000) {
        silent.push(target.open().map_err(|it| it.to_string())?);
    }
    at_once(force, 1, |_| {
        thread::park_timeout(Duration::from_millis(100));
    });
    drop(silent);
    Ok(())
}
