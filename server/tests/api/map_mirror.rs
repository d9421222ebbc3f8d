//! Maps from a mirror: found, downloaded, gone on with, and kept up to date; and a mirror that is broken, slow or hostile.

use std::collections::VecDeque;
use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use md5::{Digest as _, Md5};
use serde_json::json;
use walkies_server::app::settings::Settings;
use walkies_server::external::map_mirror::{MapMirror, MirrorTimes};
use walkies_server::jobs::map_updates::update_due;
use walkies_server::limits::disk::{FreeSpace, Space};
use walkies_server::map::mirror::{self, DownloadBounds, Got, Mirror, Step};

use crate::extract::{Street, extract};
use crate::on_both;
use crate::support::{DAY, HOUR, TestApp, settings};

const MAIN_STREET: Street<'_> = (
    "Hauptstraße",
    &[(49.4085, 8.6860), (49.4090, 8.6920), (49.4080, 8.6990)],
);
/// Into the tile to the north.
const BRIDGE: Street<'_> = (
    "Theodor-Heuss-Brücke",
    &[(49.4088, 8.6925), (49.4145, 8.6927), (49.4270, 8.6930)],
);
/// In the southern tile.
const LANE: Street<'_> = ("Ziegelgasse", &[(49.4095, 8.6950), (49.4085, 8.6952)]);

const EXTRACT: &str = "/europe/kurpfalz-latest.osm.pbf";

/// Behavior of the stand-in at the next call for the extract.
#[derive(Clone, Debug)]
enum Act {
    /// Sends it up to this byte and hangs up.
    BreakAt(usize),
    /// Sends it up to this byte and nothing more.
    SilentAt(usize),
    /// Sends bytes for as long as anybody takes them, with no length.
    Endless,
    Redirect(String),
    Status(u16),
}

/// A mirror over HTTP, as Geofabrik's is: an index, extracts with ranges and ETags, a checksum beside each.
#[derive(Clone)]
struct StandIn {
    origin: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    extract: Vec<u8>,
    /// Instead of the right one.
    checksum: Option<String>,
    /// Instead of the mirror's own.
    extract_url: Option<String>,
    index: Option<Vec<u8>>,
    acts: VecDeque<Act>,
    /// Paths with what `range` and `if-range` said.
    asked: Vec<(String, String, String)>,
}

impl StandIn {
    fn start(extract: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stand_in = Self {
            origin: format!("http://{}", listener.local_addr().unwrap()),
            state: Arc::new(Mutex::new(State {
                extract,
                ..State::default()
            })),
        };
        let answering = stand_in.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answering = answering.clone();
                // A client that hangs up is what some of this is about.
                thread::spawn(move || answering.answer(stream).ok());
            }
        });
        stand_in
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
    }

    fn then(&self, acts: impl IntoIterator<Item = Act>) {
        self.change(|it| it.acts = acts.into_iter().collect());
    }

    /// `range` and `if-range` of the calls for the extract, since the last time.
    fn asked(&self) -> Vec<(String, String)> {
        let asked = std::mem::take(&mut self.state.lock().unwrap().asked);
        asked
            .into_iter()
            .filter(|it| it.0 == EXTRACT)
            .map(|(_, range, if_range)| (range, if_range))
            .collect()
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            request.extend(byte);
        }
        let request = String::from_utf8_lossy(&request).to_string();
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        let header = |name: &str| {
            let lines = request.lines().filter_map(|it| it.split_once(": "));
            let mut found = lines.filter(|it| it.0.eq_ignore_ascii_case(name));
            found.next().map(|it| it.1.to_owned()).unwrap_or_default()
        };
        let (range, if_range) = (header("range"), header("if-range"));
        let (extract, act, text) = {
            let mut state = self.state.lock().unwrap();
            state
                .asked
                .push((path.clone(), range.clone(), if_range.clone()));
            let act = if path == EXTRACT {
                state.acts.pop_front()
            } else {
                None
            };
            let text = match path.as_str() {
                "/index-v1.json" => Some(state.index.clone().unwrap_or_else(|| self.index(&state))),
                it if it.ends_with(".md5") => {
                    let sum = state.checksum.clone();
                    let sum = sum.unwrap_or_else(|| checksum(&state.extract));
                    Some(format!("{sum}  kurpfalz-latest.osm.pbf\n").into_bytes())
                }
                EXTRACT => None,
                _ => {
                    return write!(
                        stream,
                        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    );
                }
            };
            (state.extract.clone(), act, text)
        };
        if let Some(text) = text {
            return respond(&mut stream, "200 OK", "", &text, text.len());
        }
        let tag = format!("\"{}\"", checksum(&extract));
        match act {
            Some(Act::Redirect(to)) => {
                let location = format!("Location: {to}\r\n");
                return respond(&mut stream, "302 Found", &location, b"", 0);
            }
            Some(Act::Status(status)) => {
                return respond(&mut stream, &format!("{status} No"), "", b"", 0);
            }
            Some(Act::Endless) => {
                write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
                loop {
                    stream.write_all(&[0; 64 * 1024])?;
                }
            }
            _ => {}
        }
        let from: usize = range
            .strip_prefix("bytes=")
            .and_then(|it| it.strip_suffix('-'))
            .and_then(|it| it.parse().ok())
            .filter(|_| if_range.is_empty() || if_range == tag)
            .unwrap_or(0);
        let size = extract.len();
        let mut headers = format!("ETag: {tag}\r\n");
        let status = if from == 0 {
            "200 OK"
        } else {
            headers += &format!("Content-Range: bytes {from}-{}/{size}\r\n", size - 1);
            "206 Partial Content"
        };
        let until = match act {
            Some(Act::BreakAt(at) | Act::SilentAt(at)) => at,
            _ => size,
        };
        respond(
            &mut stream,
            status,
            &headers,
            &extract[from..until],
            size - from,
        )?;
        if matches!(act, Some(Act::SilentAt(_))) {
            // Until the other side has had enough.
            let _ = stream.read(&mut [0]);
        }
        Ok(())
    }

    fn index(&self, state: &State) -> Vec<u8> {
        let own = format!("{}{EXTRACT}", self.origin);
        let extract = state.extract_url.clone().unwrap_or(own);
        let square = json!([[
            [8.0, 49.0],
            [9.0, 49.0],
            [9.0, 50.0],
            [8.0, 50.0],
            [8.0, 49.0]
        ]]);
        let region = json!({
            "type": "Feature",
            "properties": {
                "id": "kurpfalz", "parent": "germany", "name": "Kurpfalz",
                "urls": { "pbf": extract, "updates": "https://mirror.example.com/kurpfalz-updates" },
            },
            "geometry": { "type": "Polygon", "coordinates": square },
        });
        json!({ "type": "FeatureCollection", "features": [region] })
            .to_string()
            .into_bytes()
    }
}

fn respond(
    stream: &mut TcpStream,
    status: &str,
    headers: &str,
    body: &[u8],
    length: usize,
) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(body)
}

fn checksum(bytes: &[u8]) -> String {
    let digits = Md5::digest(bytes);
    digits.iter().map(|it| format!("{it:02x}")).collect()
}

/// A block of an extract with this content, which is packed.
fn packed_block(zlib: &[u8]) -> Vec<u8> {
    let number = |mut number: usize| {
        let mut bytes = Vec::new();
        while 0x80 <= number {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let blob = [&[0x1a][..], &number(zlib.len())[..], zlib].concat();
    let header = [
        &[0x0a, 7][..],
        &b"OSMData"[..],
        &[0x18][..],
        &number(blob.len())[..],
    ]
    .concat();
    let length = u32::try_from(header.len()).unwrap().to_be_bytes();
    [&length[..], &header[..], &blob[..]].concat()
}

/// A server's way to a stand-in.
struct Bench {
    stand_in: StandIn,
    mirror: Mirror,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new(streets: &[Street<'_>]) -> Self {
        let stand_in = StandIn::start(extract(1_794_601_600, streets));
        let folder = tempfile::tempdir().unwrap();
        let times = MirrorTimes {
            idle: Duration::from_secs(20),
            short: Duration::from_secs(20),
        };
        let mirror = Mirror {
            client: MapMirror::new(&stand_in.origin, times).unwrap(),
            bounds: DownloadBounds {
                most_bytes: 1_000_000,
                delay: Duration::ZERO,
                attempts: 3,
                ..DownloadBounds::default()
            },
            folder: folder.path().join("map-downloads"),
            elevation: None,
        };
        Self {
            stand_in,
            mirror,
            _folder: folder,
        }
    }

    /// One that waits for a mirror no longer than a moment, and once.
    fn impatient(mut self) -> Self {
        let times = MirrorTimes {
            idle: Duration::from_secs(2),
            short: Duration::from_secs(20),
        };
        self.mirror.bounds.attempts = 1;
        self.mirror.client = MapMirror::new(&self.stand_in.origin, times).unwrap();
        self
    }

    async fn get(&self, app: &TestApp, query: &str) -> anyhow::Result<Got> {
        mirror::get(&app.state, &self.mirror, query, None, |_| {}).await
    }

    async fn refused(&self, app: &TestApp) -> String {
        match self.get(app, "Kurpfalz").await {
            Ok(got) => panic!("{got:?}"),
            Err(error) => format!("{error:#}"),
        }
    }

    /// Names of the files that lie in the folder for downloads.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.mirror.folder).into_iter().flatten();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|it| it != "lock").collect();
        names.sort();
        names
    }

    fn extract_file(&self) -> PathBuf {
        let sum = checksum(&self.stand_in.state.lock().unwrap().extract);
        self.mirror.folder.join(format!("{sum}.osm.pbf"))
    }
}

async fn tiles(app: &TestApp) -> Vec<String> {
    let path = "/map/areas?lat=49.4100&lng=8.6950&radius_m=2500";
    let map = app.anonymous().get(path).await.data().clone();
    let tiles = map["tiles"].as_array().unwrap().iter();
    tiles
        .map(|it| it["tile"].as_str().unwrap().to_owned())
        .collect()
}

async fn areas(app: &TestApp) -> Vec<String> {
    let map = app.anonymous().get("/map/areas").await.data().clone();
    let areas = map["areas"].as_array().unwrap().iter();
    areas
        .map(|it| it["name"].as_str().unwrap().to_owned())
        .collect()
}

on_both! {
    #[always]
    async fn a_region_is_downloaded_once_and_again_only_when_it_changed(app: TestApp) {
        let bench = Bench::new(&[MAIN_STREET, BRIDGE]);
        let steps = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&steps);
        let tell = move |it: Step| told.lock().unwrap().push(it);
        let got = mirror::get(&app.state, &bench.mirror, "Heidelberg, DE", None, tell).await.unwrap();
        let Got::Imported(area, _) = got else { panic!("{got:?}") };
        assert_eq!((area.name.as_str(), area.n_tiles), ("Kurpfalz", 2));
        let steps = std::mem::take(&mut *steps.lock().unwrap());
        assert_eq!(steps[0], Step::Note("Heidelberg, DE lies in Kurpfalz.".to_owned()));
        let size = bench.stand_in.state.lock().unwrap().extract.len() as u64;
        assert!(steps.contains(&Step::Downloading(size, Some(size))), "{steps:?}");
        assert!(matches!(steps.last(), Some(Step::Importing(_))), "{steps:?}");
        assert_eq!(bench.files(), [""; 0], "nothing of it is left");
        assert_eq!(bench.stand_in.asked().len(), 1);
        let before = tiles(&app).await;

        for query in ["kurpfalz", "49.41,8.69"] {
            let again = bench.get(&app, query).await.unwrap();
            assert!(matches!(again, Got::Unchanged(_)), "{again:?}");
        }
        let updated = mirror::update(&app.state, &bench.mirror, None, |_| {}).await.unwrap();
        assert!(matches!(updated[0], (_, Ok(Got::Unchanged(_)))), "{updated:?}");
        assert_eq!((bench.stand_in.asked().len(), tiles(&app).await), (0, before.clone()));

        bench.stand_in.change(|it| it.extract = extract(1_794_688_000, &[MAIN_STREET, BRIDGE, LANE]));
        let updated = mirror::update(&app.state, &bench.mirror, Some("Kurpfalz"), |_| {}).await.unwrap();
        assert!(matches!(updated[0], (_, Ok(Got::Imported(..)))), "{updated:?}");
        let after = tiles(&app).await;
        assert_eq!(before[0], after[0], "no phone gets it again");
        assert_ne!(before[1], after[1], "the lane is new");
        assert_eq!(areas(&app).await, ["Kurpfalz"]);
        assert!(mirror::update(&app.state, &bench.mirror, Some("Paris"), |_| {}).await.is_err());
    }

    #[always]
    async fn an_area_is_updated_once_when_it_is_due(app: TestApp) {
        let bench = Bench::new(&[MAIN_STREET]);
        bench.get(&app, "Kurpfalz").await.unwrap();
        let runs = Mutex::new(Vec::new());
        let good = |area: String| {
            runs.lock().unwrap().push(area);
            async { Ok(()) }
        };
        let bad = |_: String| async { anyhow::bail!("the mirror is gone") };
        let count = || std::mem::take(&mut *runs.lock().unwrap()).len();
        update_due(&app.state, 7, good).await.unwrap();
        assert_eq!(count(), 1, "the first look is at once");
        update_due(&app.state, 7, good).await.unwrap();
        app.clock.advance(7 * DAY - HOUR);
        update_due(&app.state, 7, good).await.unwrap();
        assert_eq!(count(), 0);
        app.clock.advance(HOUR);
        let error = update_due(&app.state, 7, bad).await.unwrap_err();
        assert!(error.to_string().contains("is gone"), "{error}");
        update_due(&app.state, 7, good).await.unwrap();
        assert_eq!(count(), 0, "a failure is not repeated at once");
        app.clock.advance(DAY);
        let looks = [0; 2].map(|_| update_due(&app.state, 7, good));
        for look in looks {
            look.await.unwrap();
        }
        assert_eq!(count(), 1);
    }
}

#[tokio::test]
async fn a_broken_download_goes_on_where_it_stopped() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET, BRIDGE]);
    let tag = format!(
        "\"{}\"",
        checksum(&bench.stand_in.state.lock().unwrap().extract)
    );
    bench
        .stand_in
        .then([Act::BreakAt(40), Act::Status(503), Act::BreakAt(90)]);
    // Three attempts are not enough; the command is given again.
    let error = bench.refused(&app).await;
    assert!(error.contains("broke off"), "{error}");
    assert_eq!(fs::read(bench.extract_file()).unwrap().len(), 90);
    bench.get(&app, "Kurpfalz").await.unwrap();
    let from = |at: usize| (format!("bytes={at}-"), tag.clone());
    let whole = (String::new(), String::new());
    assert_eq!(
        bench.stand_in.asked(),
        [whole, from(40), from(40), from(90)]
    );
    assert_eq!(areas(&app).await, ["Kurpfalz"]);
    assert_eq!(bench.files(), [""; 0]);
}

#[tokio::test]
async fn an_extract_that_is_replaced_meanwhile_is_downloaded_anew() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET]);
    bench
        .stand_in
        .then([Act::BreakAt(40), Act::BreakAt(60), Act::BreakAt(80)]);
    bench.refused(&app).await;
    // Its checksum is a new one as well, so that the old part is of no use.
    bench
        .stand_in
        .change(|it| it.extract = extract(1_794_688_000, &[MAIN_STREET, BRIDGE]));
    bench.stand_in.asked();
    bench.get(&app, "Kurpfalz").await.unwrap();
    assert_eq!(bench.stand_in.asked(), [(String::new(), String::new())]);
    assert_eq!((tiles(&app).await.len(), bench.files().len()), (2, 0));
}

#[tokio::test]
async fn a_wrong_checksum_is_named_and_changes_nothing() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET]);
    let right = checksum(&bench.stand_in.state.lock().unwrap().extract);
    let wrong = "0123456789abcdef0123456789abcdef";
    bench
        .stand_in
        .change(|it| it.checksum = Some(wrong.to_owned()));
    let error = bench.refused(&app).await;
    assert!(error.contains(wrong) && error.contains(&right), "{error}");
    for text in ["", "<!doctype html>", "0123"] {
        bench
            .stand_in
            .change(|it| it.checksum = Some(text.to_owned()));
        let error = bench.refused(&app).await;
        assert!(error.contains("MD5"), "{error}");
    }
    assert_eq!((areas(&app).await.len(), bench.files().len()), (0, 0));
}

#[tokio::test]
async fn an_endless_a_silent_and_a_dripping_mirror_are_given_up() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET]);
    bench.stand_in.then([Act::Endless]);
    let error = bench.refused(&app).await;
    assert!(error.contains("more than the 1000000"), "{error}");
    assert_eq!(fs::read(bench.extract_file()).unwrap().len(), 0);

    let mut dripping = Bench::new(&[MAIN_STREET]);
    dripping.mirror.bounds.attempts = 1;
    dripping.mirror.bounds.pace = Duration::ZERO;
    dripping.mirror.bounds.least_bytes = 1_000_000;
    let error = dripping.refused(&app).await;
    assert!(error.contains("sent less than"), "{error}");

    let silent = Bench::new(&[MAIN_STREET]).impatient();
    silent.stand_in.then([Act::SilentAt(40)]);
    let error = silent.refused(&app).await;
    assert!(error.contains("did not answer in time"), "{error}");

    let mut late = Bench::new(&[MAIN_STREET]);
    late.mirror.bounds.deadline = Duration::ZERO;
    late.stand_in.then([Act::SilentAt(40)]);
    let error = late.refused(&app).await;
    assert!(error.contains("takes longer"), "{error}");
    assert_eq!(areas(&app).await.len(), 0);
}

#[tokio::test]
async fn a_mirror_leads_to_no_private_address() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET]);
    let secret = TcpListener::bind("127.0.0.1:0").unwrap();
    secret.set_nonblocking(true).unwrap();
    let port = secret.local_addr().unwrap().port();
    let addresses = [
        format!("http://127.0.0.1:{port}/latest/meta-data"),
        format!("https://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        "https://localhost/".to_owned(),
        "https://10.0.0.1/".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://[::1]/".to_owned(),
        "https://[::ffff:127.0.0.1]/".to_owned(),
        "http://mirror.example.com/kurpfalz.osm.pbf".to_owned(),
        "file:///etc/passwd".to_owned(),
    ];
    for address in &addresses {
        bench.stand_in.then([Act::Redirect(address.clone())]);
        let error = bench.refused(&app).await;
        assert!(error.contains("is not asked"), "{address}: {error}");
        bench
            .stand_in
            .change(|it| it.extract_url = Some(address.clone()));
        let error = bench.refused(&app).await;
        assert!(error.contains("is not asked"), "{address}: {error}");
        bench.stand_in.change(|it| it.extract_url = None);
    }
    let again = std::iter::repeat_n(Act::Redirect(EXTRACT.to_owned()), 20);
    bench.stand_in.then(again);
    let error = bench.refused(&app).await;
    assert!(error.contains("without an end"), "{error}");
    let nobody = secret.accept().map(|_| ()).map_err(|it| it.kind());
    assert_eq!(nobody, Err(ErrorKind::WouldBlock), "nobody was there");
    // One that stays at the mirror is followed.
    bench.stand_in.then([Act::Redirect(EXTRACT.to_owned())]);
    bench.get(&app, "Kurpfalz").await.unwrap();
}

#[tokio::test]
async fn an_unknown_region_and_a_useless_index_are_said() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET]);
    let error = bench.get(&app, "Kurpfaltz").await.unwrap_err().to_string();
    assert!(error.contains("nearest names: `Kurpfalz`"), "{error}");
    let error = bench.get(&app, "Helsinki").await.unwrap_err().to_string();
    assert!(error.contains("no region at Helsinki, FI"), "{error}");
    let long = vec![b' '; 40_000_000];
    for index in [b"<!doctype html>".to_vec(), b"[[[[".to_vec(), long] {
        bench.stand_in.change(|it| it.index = Some(index));
        bench.refused(&app).await;
    }
    assert_eq!(bench.stand_in.asked().len(), 0);
}

/// A disk of 100 GB with a gigabyte left.
#[derive(Debug)]
struct NearlyFull;

impl FreeSpace for NearlyFull {
    fn read(&self) -> Option<Space> {
        Some(Space {
            total: 100 << 30,
            free: (512 << 20) + 100,
        })
    }
}

#[tokio::test]
async fn a_download_leaves_the_disk_its_reserve() {
    let with_disk = Settings {
        free_space: Some(Arc::new(NearlyFull)),
        ..settings()
    };
    let app = TestApp::sqlite(with_disk).await;
    let bench = Bench::new(&[MAIN_STREET]);
    let error = bench.refused(&app).await;
    assert!(error.contains("no room"), "{error}");
    assert_eq!(fs::read(bench.extract_file()).unwrap().len(), 0);
}

#[tokio::test]
async fn a_block_that_unpacks_without_an_end_is_refused_and_changes_nothing() {
    let app = TestApp::sqlite(settings()).await;
    let bench = Bench::new(&[MAIN_STREET, BRIDGE]);
    bench.get(&app, "Kurpfalz").await.unwrap();
    let before = tiles(&app).await;
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..200 {
        zlib.write_all(&[0; 1024 * 1024]).unwrap();
    }
    let bomb = packed_block(&zlib.finish().unwrap());
    bench.stand_in.change(|it| it.extract.extend(bomb));
    let error = bench.refused(&app).await;
    assert!(error.contains("larger than the format allows"), "{error}");
    assert_eq!((tiles(&app).await, bench.files().len()), (before, 0));
}
