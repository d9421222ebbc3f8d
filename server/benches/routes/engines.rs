//! Owns what Valhalla and OSRM are asked, through `xtask/rivals/rivals.py`, and the form of their answers.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use walkies_server::map::maker::{Options, import};

use crate::area::{read, read_lines};
use crate::native::{Answer, Asked, LONGEST, degrees, tiles};
use crate::network::{Chance, Network};

const SCRIPT: &str = "xtask/rivals/rivals.py";
const TOOLS: &str = "target/tools/rivals";
/// Eight tries take long: of the starts, one in so many is asked for loops in eight directions.
const EIGHT_TRIES_EVERY: usize = 4;
/// Pairs of places whose distance OSRM is asked for.
const PAIRS: usize = 300;

/// True if `setup.sh` has installed the engines.
pub fn are_installed() -> bool {
    Path::new(TOOLS).join("requirements.txt").exists()
}

/// A loop of an engine's own.
#[derive(Clone, Debug, Deserialize)]
pub struct Loop {
    pub id: String,
    /// `valhalla`, `osrm`, or either with ` x8`.
    pub engine: String,
    pub ms: f64,
    /// Latitudes and longitudes in degrees; none if nothing was found.
    #[serde(default)]
    pub line: Vec<(f64, f64)>,
}

/// Valhalla's verdict on a loop of ours: whether it is a walk.
#[derive(Clone, Debug, Deserialize)]
pub struct Walkable {
    pub walkable: bool,
    /// Reason why it is none; `at` is the place.
    #[serde(default)]
    pub why: String,
    #[serde(default)]
    pub at: Option<(f64, f64)>,
    /// `edge_walk` where Valhalla takes the line so, too.
    pub how: String,
}

/// OSRM's length of a loop of ours, or of the way between two places.
#[derive(Clone, Debug, Deserialize)]
pub struct Length {
    pub id: String,
    /// In meters; none where OSRM found no way.
    pub length_m: Option<f64>,
}

/// Two places and how far apart they are by our shortest way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair {
    pub id: String,
    pub length_m: f64,
    from: (f64, f64),
    to: (f64, f64),
}

/// The most memory that an engine held, in megabytes.
#[derive(Clone, Debug, Deserialize)]
pub struct Peak {
    pub engine: String,
    pub peak_mb: f64,
}

/// Asks both engines all that an area's table needs and writes their answers into its folder, a file for each question.
pub fn ask(extract: &Path, folder: &Path) -> Result<()> {
    let requests: Vec<Asked> = read(folder, "requests.json")?;
    let answers: Vec<Answer> = read_lines(folder, "answers.jsonl")?;
    println!("{}: Valhalla and OSRM", extract.display());
    let graphs = folder.join("engines");
    let graphs = graphs.to_string_lossy();
    let extract = extract.to_string_lossy();
    let built = run(&["build", "--pbf", &extract, "--to", &graphs], &Value::Null)?;
    fs::write(folder.join("engines.jsonl"), built)?;

    let loops: Vec<Value> = requests
        .iter()
        .filter(|it| it.request.duration != LONGEST)
        .map(|it| {
            let at = it.request.start_location;
            json!({
                "id": it.id, "lat": at.lat(), "lng": at.lon(), "length_m": it.length_m(), "seed": it.start,
                "tries": if it.start % EIGHT_TRIES_EVERY == 0 { vec![1, 8] } else { vec![1] },
            })
        })
        .collect();
    let ours: Vec<Value> = answers
        .iter()
        .filter(|it| !it.id.starts_with(&format!("{LONGEST}-")))
        .filter_map(|it| Some(json!({ "id": it.id, "line": it.options.first()?.line })))
        .collect();
    let network = Network::of(&tiles(folder)?);
    let pairs = pairs(&network);
    fs::write(folder.join("pairs.json"), serde_json::to_string(&pairs)?)?;
    let questions = [
        ("loops", json!({ "requests": loops })),
        ("walkable", json!({ "loops": ours })),
        ("walked", json!({ "loops": ours })),
        ("lengths", json!({ "pairs": pairs })),
    ];
    for (command, document) in questions {
        println!("  {command}");
        let answers = run(&[command, "--graphs", &graphs], &document)?;
        fs::write(folder.join(format!("{command}.jsonl")), answers)?;
    }
    Ok(())
}

/// Writes what the test of the walkable routes judges by: all that both engines know of walking in an extract.
pub fn record(extract: &Path, to: &Path) -> Result<()> {
    let mut tiles = Vec::new();
    let mut sink = |tile| {
        tiles.push(tile);
        Ok(())
    };
    import(extract, &Options::default(), &mut |_| {}, &mut sink)?;
    let starts = Network::of(&tiles).starts(PAIRS);
    let around: Vec<(f64, f64)> = starts.into_iter().map(degrees).collect();
    let graphs = tempfile::tempdir()?;
    let graphs = graphs.path().to_string_lossy();
    let pbf = extract.to_string_lossy();
    run(&["build", "--pbf", &pbf, "--to", &graphs], &Value::Null)?;
    let recorded = run(
        &["record", "--graphs", &graphs],
        &json!({ "around": around }),
    )?;
    Ok(fs::write(to, recorded)?)
}

/// Pairs of nodes that are joined by a way.
fn pairs(network: &Network) -> Vec<Pair> {
    let mut chance = Chance(2);
    let starts = network.starts(PAIRS);
    let n = network.nodes.len();
    let pairs = starts.into_iter().enumerate().filter_map(|(n_pair, from)| {
        let from = network.nodes.binary_search(&from).ok()?;
        let to = chance.below(n);
        let length_m = network.shortest_m(from, to)?;
        let place = |node: usize| degrees(network.nodes[node]);
        Some(Pair {
            id: n_pair.to_string(),
            length_m,
            from: place(from),
            to: place(to),
        })
    });
    pairs.collect()
}

fn run(args: &[&str], document: &Value) -> Result<Vec<u8>> {
    let mut child = Command::new("python3")
        .args([SCRIPT, "--tools", TOOLS])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("python3 could not be started")?;
    let mut stdin = child.stdin.take().context("its standard input")?;
    let bytes = serde_json::to_vec(document)?;
    // All of it is read before anything is answered.
    stdin.write_all(&bytes)?;
    drop(stdin);
    let output = child.wait_with_output()?;
    ensure!(
        output.status.success(),
        "`rivals.py {}` failed",
        args.join(" ")
    );
    Ok(output.stdout)
}
