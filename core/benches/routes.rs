//! Measures the route generator on folders of tiles: `routes FOLDER...`; run by `cargo xtask bench routes`.

use std::path::Path;
use std::time::Instant;

use walkies_core::map::{Ground, Point, Tile};
use walkies_core::route::{
    DogSize, Hilliness, Pace, Preferences, RouteKind, RouteRequest, Router, samples,
};

const STARTS: u32 = 40;
const MINUTES: [u32; 7] = [5, 10, 15, 30, 45, 60, 120];
/// Other seeds, from fewer starts.
const SEEDS: u32 = 6;
const SEED_STARTS: usize = 15;
const SEED_MINUTES: [u32; 2] = [15, 30];
/// Starts lie at least this far inside the network, or a fifth of a small one's width: what an extract cut off is missed by
/// no walk.
const INSIDE_M: f64 = 500.0;

fn main() {
    for folder in std::env::args().skip(1).filter(|it| !it.starts_with("--")) {
        run(Path::new(&folder));
    }
}

fn run(folder: &Path) {
    let mut tiles = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|it| it.extension().is_some_and(|it| it == "wktl"))
    {
        tiles.push(Tile::decode_network(&std::fs::read(file).unwrap()).unwrap());
    }
    let clock = Instant::now();
    let mut router = Router::new(&tiles);
    println!(
        "\n{}: {} tiles, {} nodes, {} edges, loaded in {:.0} ms",
        folder.display(),
        tiles.len(),
        router.graph().n_nodes(),
        router.graph().n_edges(),
        clock.elapsed().as_secs_f64() * 1e3
    );
    println!(
        "min | loop lolli t&b none | err% p50 p90 max in5% | rep% mean p90 | spur>30 | corr% p90 mean | turns | compact | shared p50 p90 | n<3 | ms p50 p95"
    );
    let starts = starts(&tiles);
    let mut dump = String::new();
    for minutes in MINUTES {
        let mut row = Row::default();
        for (n, start) in starts.iter().enumerate() {
            let request = request(minutes, *start, 0);
            let clock = Instant::now();
            let found = router.routes(&request);
            row.ms.push(clock.elapsed().as_secs_f64() * 1e3);
            let Ok(found) = found else {
                row.none += 1;
                continue;
            };
            let best = &found[0];
            match best.kind {
                RouteKind::Loop => row.loops += 1,
                RouteKind::Lollipop => row.lollipops += 1,
                RouteKind::ThereAndBack | RouteKind::OneWay => row.there_and_back += 1,
            }
            let target = f64::from(request.budget_ms());
            row.error
                .push((f64::from(best.time_ms) - target).abs() / target * 100.0);
            if best.kind == RouteKind::Loop {
                row.repeated.push(best.repeated * 100.0);
                row.spurs += u32::from(best.shape.spur_m > 30.0);
                row.corridor.push(best.shape.corridor * 100.0);
                row.turns.push(best.shape.turns_per_km);
                row.compact.push(best.shape.compactness);
            }
            row.few += u32::from(found.len() < 3);
            for i in 0..found.len() {
                for j in 0..i {
                    row.shared
                        .push(100.0 * shared(&found[i].line, &found[j].line));
                }
            }
            let line: Vec<String> = best
                .line
                .iter()
                .map(|it| {
                    let place = it.place();
                    format!("[{:.7},{:.7}]", place.lat(), place.lon())
                })
                .collect();
            dump += &format!(
                "{{\"id\":\"{minutes}-{n}\",\"kind\":\"{:?}\",\"length_m\":{},\"line\":[{}]}}\n",
                best.kind,
                best.length_mm as f64 / 1e3,
                line.join(",")
            );
        }
        row.print(minutes);
    }
    print_seeds(&mut router, &starts[..SEED_STARTS]);
    if std::env::args().any(|it| it == "--dump") {
        std::fs::write(folder.join("loops.jsonl"), dump).unwrap();
    }
}

fn request(minutes: u32, start: Point, seed: u32) -> RouteRequest {
    RouteRequest {
        duration: minutes,
        start_location: start.place(),
        pace: Pace::Normal,
        preferences: Preferences {
            avoid_highways: true,
            prefer_parks: true,
            include_water_stops: false,
            shaded_paths: false,
            hilliness: Hilliness::Any,
        },
        dog_count: 1,
        dog_sizes: vec![DogSize::Medium],
        towards: None,
        seed,
        via: Vec::new(),
        familiar: Vec::new(),
        at: None,
    }
}

/// How much the best loops of different seeds share, and how much worse they get.
fn print_seeds(router: &mut Router, starts: &[Point]) {
    for minutes in SEED_MINUTES {
        let (mut shares, mut errors, mut repeated, mut loops) = (vec![], vec![], vec![], 0);
        for start in starts {
            let mut lines: Vec<Vec<Point>> = Vec::new();
            for seed in 0..SEEDS {
                let request = request(minutes, *start, seed);
                let Ok(found) = router.routes(&request) else {
                    continue;
                };
                let Some(best) = found.into_iter().next() else {
                    continue;
                };
                let target = f64::from(request.budget_ms());
                errors.push((f64::from(best.time_ms) - target).abs() / target * 100.0);
                repeated.push(best.repeated * 100.0);
                loops += u32::from(best.kind == RouteKind::Loop);
                shares.extend(lines.iter().map(|it| 100.0 * shared(&best.line, it)));
                lines.push(best.line);
            }
        }
        println!(
            "{SEEDS} seeds, {minutes} min: shared p50 {:.0} p90 {:.0}, err% p90 {:.2}, rep% mean {:.2}, loops {loops} of {}",
            at(&mut shares, 0.5),
            at(&mut shares, 0.9),
            at(&mut errors, 0.9),
            mean(&repeated),
            errors.len()
        );
    }
}

/// Random places on ways, the same in every run.
fn starts(tiles: &[Tile]) -> Vec<Point> {
    let edges: Vec<Point> = tiles
        .iter()
        .flat_map(|it| {
            it.network
                .edges
                .iter()
                .map(|edge| it.network.nodes[edge.from as usize].at)
        })
        .collect();
    let mut xs: Vec<u32> = edges.iter().map(|it| it.x).collect();
    let mut ys: Vec<u32> = edges.iter().map(|it| it.y).collect();
    xs.sort_unstable();
    ys.sort_unstable();
    let ground = Ground::at(edges[0]);
    // The network's own corners, without the few ways that stick far out of an extract.
    let cut = |it: &Vec<u32>, share: f64| it[(it.len() as f64 * share) as usize];
    let inside = |from: u32, to: u32, step_m: f64| {
        let margin = ((INSIDE_M / step_m) as u32).min((to - from) / 5);
        from + margin..to - margin
    };
    let columns = inside(cut(&xs, 0.005), cut(&xs, 0.995), ground.east_m);
    let rows = inside(cut(&ys, 0.005), cut(&ys, 0.995), ground.south_m);
    let mut state = 1_u64;
    let mut starts = Vec::new();
    while starts.len() < STARTS as usize {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = edges[(state >> 33) as usize % edges.len()];
        if columns.contains(&at.x) && rows.contains(&at.y) {
            starts.push(at);
        }
    }
    starts
}

fn shared(line: &[Point], with: &[Point]) -> f64 {
    let ground = Ground::at(line[0]);
    let plane = |it: &[Point]| -> Vec<(f64, f64)> {
        it.iter().map(|it| ground.vector_m(line[0], *it)).collect()
    };
    let (a, b) = (samples(&plane(line)), samples(&plane(with)));
    let near = a
        .iter()
        .filter(|a| b.iter().any(|b| (a.0 - b.0).hypot(a.1 - b.1) < 25.0))
        .count();
    near as f64 / a.len().max(1) as f64
}

#[derive(Default)]
struct Row {
    loops: u32,
    lollipops: u32,
    there_and_back: u32,
    none: u32,
    few: u32,
    spurs: u32,
    error: Vec<f64>,
    repeated: Vec<f64>,
    corridor: Vec<f64>,
    turns: Vec<f64>,
    compact: Vec<f64>,
    shared: Vec<f64>,
    ms: Vec<f64>,
}

impl Row {
    fn print(&mut self, minutes: u32) {
        let within = self.error.iter().filter(|it| **it <= 5.0).count() as f64
            / self.error.len().max(1) as f64;
        println!(
            "{minutes:3} | {:3} {:3} {:3} {:3} | {:.2} {:.2} {:.2} {:.0} | {:.2} {:.2} | {} | {:.1} {:.1} | {:.2} | {:.2} | {:.0} {:.0} | {} | {:.1} {:.1}",
            self.loops,
            self.lollipops,
            self.there_and_back,
            self.none,
            at(&mut self.error, 0.5),
            at(&mut self.error, 0.9),
            at(&mut self.error, 1.0),
            within * 100.0,
            mean(&self.repeated),
            at(&mut self.repeated, 0.9),
            self.spurs,
            at(&mut self.corridor, 0.9),
            mean(&self.corridor),
            mean(&self.turns),
            mean(&self.compact),
            at(&mut self.shared, 0.5),
            at(&mut self.shared, 0.9),
            self.few,
            at(&mut self.ms, 0.5),
            at(&mut self.ms, 0.95),
        );
    }
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len().max(1) as f64
}

fn at(of: &mut [f64], share: f64) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(((of.len().saturating_sub(1)) as f64 * share).round() as usize)
        .copied()
        .unwrap_or(f64::NAN)
}
