//! Owns the attacks that would fill the memory: with what they send, with what they have sent to them and do not take in, and
//! with work that takes much at once.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use walkies_core::Id;

use crate::Force;
use crate::attacks::{Attack, at_once, attack, attack_on_database, client, fill_days, visit};
use crate::phone::{Http, new_id};
use crate::png::picture;
use crate::target::Target;

pub const ATTACKS: &[Attack] = &[
    attack("bodies of 1 MB that nobody has signed in for", long_bodies),
    attack(
        "forms of 1 MB that never end, by free accounts",
        endless_forms,
    ),
    attack_on_database("whole businesses that are taken in slowly", slow_readers),
    attack("the API's document, compressed for everybody", documents),
    attack("10,000 connections with heads that do not end", long_heads),
    attack("the largest pictures by twelve accounts", large_pictures),
    attack(
        "long invoices on paper, from six addresses",
        printed_invoices,
    ),
];

/// Holds what was begun for as long as an attack lasts.
fn hold<T>(force: Force, held: T) {
    let end = Instant::now() + force.lasts();
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        thread::park_timeout(left);
    }
    drop(held);
}

/// Writes as much as the server takes within a second.
fn write_some(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
    let _ = stream.write_all(bytes);
}

fn long_bodies(target: &Target, force: Force) -> Result<(), String> {
    let head =
        b"POST /api/auth/signin HTTP/1.1\r\nhost: walkies\r\ncontent-type: application/json\r\n";
    let stated = [&head[..], b"content-length: 1040000\r\n\r\n{\"email\":\""].concat();
    let chunked = [
        &head[..],
        b"transfer-encoding: chunked\r\n\r\nfde80\r\n{\"email\":\"",
    ]
    .concat();
    let rest = vec![b'a'; 1_000_000];
    let held = Mutex::new(Vec::new());
    let count = AtomicUsize::new(0);
    let most = force.n(100, 600);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                loop {
                    let n = count.fetch_add(1, Ordering::Relaxed);
                    if most <= n {
                        return;
                    }
                    let Ok(mut stream) = target.open() else {
                        continue;
                    };
                    let begin = if n.is_multiple_of(2) {
                        &stated
                    } else {
                        &chunked
                    };
                    write_some(&mut stream, begin);
                    write_some(&mut stream, &rest);
                    held.lock().expect("nobody panics").push(stream);
                }
            });
        }
    });
    hold(force, held);
    Ok(())
}

fn endless_forms(target: &Target, force: Force) -> Result<(), String> {
    let accounts: Vec<Http> = (0..force.n(3, 12))
        .map(|n| target.another(&format!("former{n}")))
        .collect();
    let mut held = Vec::new();
    for http in accounts.iter().flat_map(|it| [it; 8]) {
        let whole = vec![b' '; 1_040_000];
        let request =
            Target::request_by(&http.token, "POST", "/clients", "application/json", &whole);
        if let Ok(mut stream) = target.open() {
            write_some(&mut stream, &request[..request.len() - 1_000]);
            held.push(stream);
        }
    }
    hold(force, held);
    Ok(())
}

fn slow_readers(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let party = client(&mut http);
    fill_days(
        target,
        party,
        -30,
        force.n(2_000, 20_000),
        "x".repeat(2_000),
    );
    let pull = format!(
        "/sync/pull?cursor=1&schema=2&device_id={}&epoch=1&backend_id={}",
        new_id(),
        new_id()
    );
    let mut held = Vec::new();
    for n in 0..60 {
        let path = if n < 40 {
            pull.as_str()
        } else {
            "/scheduled-services"
        };
        let request = target.request("GET", path, "text/plain", b"");
        if let Ok(mut stream) = target.open() {
            write_some(&mut stream, &request);
            held.push(stream);
        }
    }
    let end = Instant::now() + force.lasts();
    while Instant::now() < end {
        for stream in &mut held {
            let _ = stream.set_read_timeout(Some(Duration::from_millis(5)));
            let _ = stream.read(&mut [0; 256]);
        }
    }
    drop(held);
    // Who takes in what was asked for gets all of it.
    let answer = http.call("GET", "/scheduled-services", None);
    let (status, text) = answer.ok_or("a list has no end")?;
    if status != 200 {
        return Err(format!("a list was answered {status}: {text}"));
    }
    let list: serde_json::Value = serde_json::from_str(&text).map_err(|it| it.to_string())?;
    let n = list["data"].as_array().map_or(0, Vec::len);
    match n == force.n(2_000, 20_000) {
        true => Ok(()),
        false => Err(format!("a list has {n} services")),
    }
}

fn documents(target: &Target, force: Force) -> Result<(), String> {
    let request =
        b"GET /api/openapi.json HTTP/1.1\r\nhost: walkies\r\naccept-encoding: gzip\r\n\r\n";
    let worst = AtomicU16::new(200);
    at_once(force, force.n(16, 128), |_| {
        let status = target.send(request);
        if !matches!(status, 0 | 200) {
            worst.store(status, Ordering::Relaxed);
        }
    });
    match worst.into_inner() {
        200 => Ok(()),
        status => Err(format!("the document was answered {status}")),
    }
}

fn long_heads(target: &Target, force: Force) -> Result<(), String> {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let _ = setrlimit(Resource::Nofile, raised);
    let begin = b"GET /healthz HTTP/1.1\r\nhost: walkies\r\nx-long: ";
    // As much as a head may have, and more than it may have.
    let heads = [7_000, 15_000].map(|n| [&begin[..], &vec![b'a'; n]].concat());
    let held = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for thread in 0..8 {
            let (heads, held) = (&heads, &held);
            scope.spawn(move || {
                for n in 0..force.n(50, 1_250) {
                    // Some from each address, so that none has more than it may have.
                    if let Ok(mut stream) = target.open_from(thread * 2 + n % 2) {
                        write_some(&mut stream, &heads[n % 2]);
                        held.lock().expect("nobody panics").push(stream);
                    }
                }
            });
        }
    });
    hold(force, held);
    Ok(())
}

fn large_pictures(target: &Target, force: Force) -> Result<(), String> {
    // A server that was built for tests takes half a minute for the largest.
    let large = if force.is_full {
        picture(8_000, 5_000, &[])
    } else {
        picture(2_000, 1_250, &[])
    };
    let small = picture(1_200, 900, &[]);
    let accounts: Vec<Http> = (0..force.n(4, 12))
        .map(|n| target.another(&format!("painter{n}")))
        .collect();
    let honest = target.another("photographer");
    let photo = target.upload_by(&honest.token, &small);
    let worst_ms = Mutex::new((0.0_f64, 201));
    at_once(force, accounts.len() + 1, |n| {
        let Some(http) = accounts.get(n) else {
            // A photo now and then, as of somebody on a walk.
            thread::park_timeout(Duration::from_millis(200));
            let begun = Instant::now();
            let status = target.send(&photo);
            let ms = begun.elapsed().as_secs_f64() * 1e3;
            let mut worst = worst_ms.lock().expect("nobody panics");
            if status != 201 {
                worst.1 = status;
            }
            worst.0 = worst.0.max(ms);
            return;
        };
        target.send(&target.upload_by(&http.token, &large));
    });
    let (ms, status) = worst_ms.into_inner().map_err(|it| it.to_string())?;
    println!("  an honest photo took {ms:.0} ms at most");
    if status != 201 {
        return Err(format!("an honest photo was answered {status}"));
    }
    match force.is_full && PHOTO_MS < ms {
        true => Err(format!("an honest photo took {ms:.0} ms")),
        false => Ok(()),
    }
}

/// The time of one picture of somebody else's, and of the photo itself.
const PHOTO_MS: f64 = 3_000.0;

/// An invoice of so many services with so many photos: where its PDF is.
fn invoice(
    target: &Target,
    http: &mut Http,
    services: usize,
    photos: usize,
) -> Result<String, String> {
    let (client_id, dog_id) = client(http);
    let mut ids = Vec::new();
    for n in 0..services {
        let mut done = visit(client_id, dog_id, 1 + n % 28, n);
        done["notes"] = "A walk along the river. ".repeat(20).into();
        ids.push(http.data("POST", "/services", Some(&done))["id"].clone());
    }
    let mut taken: Vec<Id> = Vec::new();
    for n in 0..photos {
        let side = 1_000 + u32::try_from(n).unwrap_or_default();
        let bytes = target.upload_by(&http.token, &picture(side, side, &[]));
        let mut stream = target.open().map_err(|it| it.to_string())?;
        stream.write_all(&bytes).map_err(|it| it.to_string())?;
        let mut answer = [0; 4096];
        let read = stream.read(&mut answer).map_err(|it| it.to_string())?;
        let text = String::from_utf8_lossy(&answer[..read]).into_owned();
        let id: Option<Id> = text
            .split_once("\"id\":\"")
            .and_then(|it| it.1.get(..36)?.parse().ok());
        taken.extend(id);
    }
    let form = json!({ "client_id": client_id, "services": ids, "photos": taken });
    let shared = http.data("POST", "/invoices/share", Some(&form));
    let share_id = shared["shareId"]
        .as_str()
        .ok_or("an invoice has an address")?;
    Ok(format!("/invoice/{share_id}/pdf"))
}

fn printed_invoices(target: &Target, force: Force) -> Result<(), String> {
    let (services, photos) = (force.n(40, 190), force.n(4, 30));
    let long = invoice(target, &mut target.http(), services, photos)?;
    let mut others = Vec::new();
    for n in 0..4 {
        let mut http = target.another(&format!("biller{n}"));
        others.push(invoice(target, &mut http, 3, 0)?);
    }
    let get = |path: &str, from: usize| -> u16 {
        let answer = || -> std::io::Result<u16> {
            let mut stream = target.open_from(from)?;
            let request =
                format!("GET {path} HTTP/1.1\r\nhost: walkies\r\nconnection: close\r\n\r\n");
            stream.write_all(request.as_bytes())?;
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes)?;
            let status = bytes.get(9..12).map(String::from_utf8_lossy);
            Ok(status.and_then(|it| it.parse().ok()).unwrap_or_default())
        };
        answer().unwrap_or_default()
    };
    let count = AtomicUsize::new(0);
    let worst = AtomicU16::new(200);
    at_once(force, 18 + others.len(), |n| {
        let Some(path) = n.checked_sub(18).and_then(|it| others.get(it)) else {
            // Each tip is another page of paper.
            let tip = count.fetch_add(1, Ordering::Relaxed);
            get(
                &format!("{long}?amount={}.{:02}", 1 + tip / 100, tip % 100),
                n % 6,
            );
            return;
        };
        thread::park_timeout(Duration::from_millis(100));
        let status = get(path, 10 + n);
        if status != 200 {
            worst.store(status, Ordering::Relaxed);
        }
    });
    match worst.into_inner() {
        200 => Ok(()),
        status => Err(format!("another's invoice was answered {status}")),
    }
}
