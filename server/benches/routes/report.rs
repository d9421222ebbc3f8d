//! Owns what is made of the measurements: the figures against their targets, and the tables of the document.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context as _, Result};

use crate::area::{read, read_lines};
use crate::engines::{Length, Loop, Pair, Peak, Walkable};
use crate::figures::Figure;
use crate::figures::Target::{self, AtLeast, AtMost};
use crate::figures::number;
use crate::import::Import;
use crate::measure::{Measure, shared};
use crate::native::{Answer, Asked, Kind, LONGEST, LOOPS_FROM_MIN, MINUTES, Native, Route, tiles};
use crate::network::km2;
use crate::stats::{mean, median, percent, quantile};
use crate::under::Ground;
use crate::wasm::{InBrowser, OfArea};
use crate::wishes::{FLATTER, GREENER, HILLIER, Wishes};

/// From so many edges per square kilometer on an area is a town.
const TOWN_EDGES_PER_KM2: f64 = 300.0;
/// A walk that is called a loop by its line alone: at most this share of it is stem, both ways together.
const MOST_STEM: f64 = 0.2;
/// Places at which Valhalla refuses routes that are told.
const REFUSALS: usize = 5;
/// And at most so much is walked twice.
const MOST_REPEATED: f64 = 0.2;
/// A search may take so many times its floor: a fifth less than what the first run showed in the larger of two towns, 6.0;
/// in the other it was 4.0. Of half an hour, since for longer walks a town's small extract has fewer places to turn at.
const TIMES_FLOOR: f64 = 4.8;
const TIMES_FLOOR_OF: u32 = 30;
/// A loop of which more lies beside another part of it is none.
const MOST_BESIDE: f64 = 0.25;
/// Below a railway's tracks one walks, in meters; through a hill with cars one does not.
const SHORT_TUNNEL_M: f64 = 100.0;
/// So short a way along a fast road needs no word, in meters.
const FAST_UNSAID_M: f64 = 30.0;
/// A walk that has more of another is the same.
const SAME: f64 = 0.9;
/// The share of the best walks in parks and woods that an area had before turns cost anything, in percent.
const GREEN: [(&str, f64); 2] = [("dortmund_sued", 37.0), ("helsinki", 28.0)];
/// A shorter walk reaches the park or it does not.
const GREEN_FROM_MIN: u32 = 30;
/// Meters up in half an hour, on average, from which on an area has hills.
const HAS_HILLS_M: f64 = 15.0;

/// All that was measured of one area.
struct Area {
    name: String,
    import: Import,
    native: Native,
    wishes: Wishes,
    km2: f64,
    ours: Vec<Ours>,
    theirs: Vec<Theirs>,
    walkable: Vec<Walkable>,
    /// By how much OSRM's length of a loop differs from ours, in percent.
    walked: Vec<f64>,
    /// The same of the shortest way between two places.
    lengths: Vec<f64>,
    peaks: Vec<Peak>,
    wasm: Option<OfArea>,
}

/// A request and what came of it.
struct Ours {
    minutes: u32,
    /// True if the network has room for a loop of this length at all.
    has_room: bool,
    /// True if a loop is known.
    is_loop_known: bool,
    /// If the best route is a loop: for each door off the street, true if the best route from there is one, too.
    off_street: Vec<bool>,
    ms: f64,
    /// Time of the floor of a search.
    floor_ms: f64,
    options: Vec<Judged>,
    /// For each pair of options, the share that the second has of the first, in percent.
    shared: Vec<f64>,
}

/// One route of ours.
struct Judged {
    kind: Kind,
    /// Difference from the time that was asked for, in percent.
    time_error: f64,
    measure: Measure,
    ground: Ground,
    warns_of_fast_cars: bool,
}

/// One answer of an engine.
struct Theirs {
    engine: String,
    ms: f64,
    /// The length's, in percent; none where there was no answer.
    found: Option<(f64, Measure)>,
}

/// Prints every figure and writes the document; whether all figures hold.
pub fn write(folders: &[PathBuf], document: &Path) -> Result<bool> {
    let browser = InBrowser::read()?;
    let areas: Vec<Area> = folders
        .iter()
        .map(|it| Area::read(it, browser.as_ref()))
        .collect::<Result<_>>()?;
    let figures: Vec<Figure> = areas.iter().flat_map(Area::figures).collect();
    for figure in &figures {
        println!("{figure}");
    }
    let text = Document {
        areas: &areas,
        figures: &figures,
        browser: browser.as_ref(),
    };
    if let Some(folder) = document.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(document, text.to_markdown()?)?;
    println!("The tables are in {}.", document.display());
    Ok(figures.iter().all(Figure::holds))
}

impl Area {
    fn read(folder: &Path, browser: Option<&InBrowser>) -> Result<Self> {
        let name = folder.file_name().context("a name")?;
        let name = name.to_string_lossy().into_owned();
        let requests: Vec<Asked> = read(folder, "requests.json")?;
        let answers: Vec<Answer> = read_lines(folder, "answers.jsonl")?;
        let asked = |id: &str| {
            let asked = requests.iter().find(|it| it.id == id);
            asked.with_context(|| format!("nobody asked {id}"))
        };
        let theirs: Vec<Loop> = values(folder, "loops.jsonl")?;
        let walked: Vec<Length> = values(folder, "walked.jsonl")?;
        let lengths: Vec<Length> = values(folder, "lengths.jsonl")?;
        let pairs: Vec<Pair> = match lengths.is_empty() {
            true => Vec::new(),
            false => read(folder, "pairs.json")?,
        };
        let best_m = |id: &str| {
            let answer = answers.iter().find(|it| it.id == id);
            answer
                .and_then(|it| it.options.first())
                .map(|it| it.length_m)
        };
        let pair_m = |id: &str| pairs.iter().find(|it| it.id == id).map(|it| it.length_m);
        let mut peaks: Vec<Peak> = Vec::new();
        for file in ["loops.jsonl", "walkable.jsonl", "lengths.jsonl"] {
            peaks.extend(values::<Peak>(folder, file)?);
        }
        Ok(Self {
            import: read(folder, "import.json")?,
            native: read(folder, "native.json")?,
            wishes: read(folder, "wishes.json")?,
            km2: km2(&tiles(folder)?),
            ours: answers
                .iter()
                .map(|it| Ok(Ours::of(asked(&it.id)?, it)))
                .collect::<Result<_>>()?,
            theirs: theirs
                .into_iter()
                .map(|it| Ok(Theirs::of(asked(&it.id)?, it)))
                .collect::<Result<_>>()?,
            walkable: values(folder, "walkable.jsonl")?,
            walked: differences(&walked, best_m),
            lengths: differences(&lengths, pair_m),
            peaks,
            wasm: browser.and_then(|it| it.area(&name)),
            name,
        })
    }

    fn edges_per_km2(&self) -> f64 {
        self.import.n_edges as f64 / self.km2
    }

    fn is_town(&self) -> bool {
        TOWN_EDGES_PER_KM2 <= self.edges_per_km2()
    }

    /// Those that are asked of everybody: all but the longest.
    fn usual(&self) -> impl Iterator<Item = &Ours> {
        self.ours.iter().filter(|it| it.minutes != LONGEST)
    }

    /// The time of requests of so many minutes in multiples of their floor (`floor.rs`), median by median.
    fn times_floor(&self, minutes: u32) -> f64 {
        let of = |ms: fn(&Ours) -> f64| {
            let asked = self.ours.iter().filter(|it| it.minutes == minutes);
            median(&asked.map(ms).collect::<Vec<f64>>())
        };
        of(|it| it.ms) / of(|it| it.floor_ms)
    }

    fn figures(&self) -> Vec<Figure> {
        let all: Vec<&Ours> = self.usual().collect();
        let best = || all.iter().filter_map(|it| it.options.first());
        let errors: Vec<f64> = best().map(|it| it.time_error).collect();
        let shapes = Shapes::of(
            best()
                .filter(|it| it.kind == Kind::Loop)
                .map(|it| &it.measure),
        );
        let from_15 = || all.iter().filter(|it| LOOPS_FROM_MIN <= it.minutes);
        let known: Vec<&&Ours> = from_15().filter(|it| it.is_loop_known).collect();
        let off_street: Vec<bool> = from_15().flat_map(|it| it.off_street.clone()).collect();
        let shared: Vec<f64> = all.iter().flat_map(|it| it.shared.clone()).collect();
        let is_loop = |it: &&&Ours| it.options.first().is_some_and(|it| it.kind == Kind::Loop);
        let town = |town: Target, sparse: Target| if self.is_town() { town } else { sparse };
        let kib_per_km2 = self.import.network_bytes as f64 / 1024.0 / self.km2;
        let megabytes = self.import.extract_bytes as f64 / 1e6;
        let mut figures = vec![
            ("time error, median, %", AtMost(0.8), median(&errors)),
            ("time error, p90, %", AtMost(2.0), quantile(&errors, 0.9)),
            (
                "time within 5 %, % of routes",
                town(AtLeast(98.0), AtLeast(95.0)),
                percent(&errors, |it| *it <= 5.0),
            ),
            (
                "walked twice, mean, % of loops' length",
                AtMost(0.7),
                shapes.repeated_mean,
            ),
            ("walked twice, p90, %", AtMost(3.0), shapes.repeated_p90),
            ("loops with a spur over 30 m, %", AtMost(0.0), shapes.spurs),
            (
                "corridor walked twice, p90, %",
                // In a valley both ways of a loop lie beside each other for a while, and there is no third.
                town(AtMost(10.0), AtMost(15.0)),
                shapes.corridor_p90,
            ),
            (
                "answered, %",
                AtLeast(100.0),
                percent(&all, |it| !it.options.is_empty()),
            ),
            (
                "loops from 15 min on, % where one is known",
                town(AtLeast(99.0), AtLeast(92.0)),
                percent(&known, is_loop),
            ),
            (
                "loops from doors off the street, % of those from it",
                AtLeast(90.0),
                percent(&off_street, |it| *it),
            ),
            (
                "shared by two of three options, median, %",
                AtMost(30.0),
                median(&shared),
            ),
            (
                "walkable for Valhalla, % of routes",
                AtLeast(98.0),
                percent(&self.walkable, |it| it.walkable),
            ),
            (
                "length against OSRM's along the same route, median, %",
                AtMost(1.0),
                median(&self.walked),
            ),
            (
                "shortest ways against OSRM's, median, %",
                AtMost(1.0),
                median(&self.lengths),
            ),
            (
                "network, KiB/km2",
                town(AtMost(7.0), AtMost(2.0)),
                kib_per_km2,
            ),
            (
                "import, MB of extract a second",
                AtLeast(1.0),
                megabytes / self.import.seconds,
            ),
            (
                "import, peak memory, MB",
                AtMost(300.0),
                self.import.peak_mb,
            ),
            (
                "three options of 60 min in Chromium, p95, ms",
                AtMost(150.0),
                self.wasm.as_ref().map_or(f64::NAN, |it| it.p95_ms(60)),
            ),
            (
                "three options of 120 min in Chromium, p95, ms",
                AtMost(300.0),
                self.wasm.as_ref().map_or(f64::NAN, |it| it.p95_ms(LONGEST)),
            ),
        ];
        if self.is_town() {
            figures.push(("turns per km of loops, mean", AtMost(5.0), shapes.turns));
            figures.push((
                "three options of 30 min, times a tree for each place to turn at",
                AtMost(TIMES_FLOOR),
                self.times_floor(TIMES_FLOOR_OF),
            ));
        }
        let options = || all.iter().flat_map(|it| &it.options);
        let loops: Vec<&Judged> = options().filter(|it| it.kind == Kind::Loop).collect();
        let longest = |of: fn(&Judged) -> f64| options().map(of).fold(0.0, f64::max);
        figures.extend([
            (
                "loops over a quarter of which lies within 25 m of another part, %",
                AtMost(0.0),
                percent(&loops, |it| MOST_BESIDE < it.measure.beside),
            ),
            (
                "longest way through a car tunnel, m",
                AtMost(SHORT_TUNNEL_M),
                longest(|it| it.ground.tunnel_m),
            ),
            (
                "longest way along a fast road that is not said, m",
                AtMost(FAST_UNSAID_M),
                longest(|it| {
                    if it.warns_of_fast_cars {
                        0.0
                    } else {
                        it.ground.fast_m
                    }
                }),
            ),
        ]);
        if let Some((_, least)) = GREEN.iter().find(|it| it.0 == self.name) {
            let from_half_an_hour = all.iter().filter(|it| GREEN_FROM_MIN <= it.minutes);
            let best = from_half_an_hour.filter_map(|it| it.options.first());
            let green: Vec<f64> = best.map(|it| 100.0 * it.ground.green).collect();
            figures.push((
                "green of the best walks from 30 min on, % of their length",
                AtLeast(*least),
                mean(&green),
            ));
        }
        figures.extend(self.wishes());
        let figure = |(what, target, measured)| Figure {
            area: self.name.clone(),
            what,
            target,
            measured,
        };
        figures.into_iter().map(figure).collect()
    }

    /// Returns the figures on wishes: a wish must show in the walks. In a town parks are never far; elsewhere only
    /// where the ground has what is wished for.
    fn wishes(&self) -> Vec<(&'static str, Target, f64)> {
        let Wishes {
            again,
            green,
            green_where_possible,
            usual_climb_m,
            flat,
            hilly,
        } = &self.wishes;
        let mut figures = vec![(
            "other walks that are the same again, % where a loop may begin",
            AtMost(2.0),
            percent(again, |it| SAME < *it),
        )];
        let green = if self.is_town() {
            green
        } else {
            green_where_possible
        };
        figures.push((
            "green of the best walks, times what it is unasked",
            AtLeast(GREENER),
            green.times(),
        ));
        // Where no place has what is asked for nothing was measured, and the figure does not hold.
        if HAS_HILLS_M <= mean(usual_climb_m) {
            figures.push((
                "climb of flat walks, times that of others",
                AtMost(FLATTER),
                flat.times(),
            ));
            figures.push((
                "climb of hilly walks, times that of others",
                AtLeast(HILLIER),
                hilly.times(),
            ));
        }
        figures
    }
}

/// Reads the lines of an answer's file that have this form, and skips the others.
fn values<T: serde::de::DeserializeOwned>(folder: &Path, file: &str) -> Result<Vec<T>> {
    let lines: Vec<serde_json::Value> = read_lines(folder, file)?;
    let lines = lines.into_iter();
    Ok(lines
        .filter_map(|it| serde_json::from_value(it).ok())
        .collect())
}

/// By how much OSRM's lengths differ from ours, in percent. What OSRM does not find differs without bound, and of a few
/// meters the places that each takes for the ends say more than the ways.
fn differences(theirs: &[Length], ours_m: impl Fn(&str) -> Option<f64>) -> Vec<f64> {
    let shortest_m = 100.0;
    let both = theirs
        .iter()
        .filter_map(|it| Some((it.length_m, ours_m(&it.id)?)));
    both.filter(|(_, ours)| shortest_m <= *ours)
        .map(|(theirs, ours)| theirs.map_or(f64::INFINITY, |it| (it / ours - 1.0).abs() * 100.0))
        .collect()
}

impl Ours {
    fn of(asked: &Asked, answer: &Answer) -> Self {
        let budget = f64::from(asked.request.budget_ms());
        let judged = |it: &Route| Judged {
            kind: it.kind,
            time_error: (f64::from(it.time_ms) / budget - 1.0).abs() * 100.0,
            measure: Measure::of(&it.line),
            ground: it.ground,
            warns_of_fast_cars: it.warns_of_fast_cars,
        };
        let mut shares = Vec::new();
        for (index, option) in answer.options.iter().enumerate() {
            for before in &answer.options[..index] {
                shares.push(100.0 * shared(&option.line, &before.line));
            }
        }
        Self {
            minutes: asked.request.duration,
            has_room: answer.has_room,
            is_loop_known: answer.is_loop_known,
            off_street: answer.off_street.clone(),
            ms: answer.ms,
            floor_ms: answer.floor_ms,
            options: answer.options.iter().map(judged).collect(),
            shared: shares,
        }
    }
}

impl Theirs {
    fn of(asked: &Asked, found: Loop) -> Self {
        let measured = (2 <= found.line.len()).then(|| {
            let measure = Measure::of(&found.line);
            let error = (measure.length_m / asked.length_m() - 1.0).abs() * 100.0;
            (error, measure)
        });
        Self {
            engine: found.engine,
            ms: found.ms,
            found: measured,
        }
    }
}

/// Many walks' looks, summed up; shares in percent.
struct Shapes {
    repeated_mean: f64,
    repeated_p90: f64,
    spurs: f64,
    corridor_p90: f64,
    turns: f64,
    compactness: f64,
}

impl Shapes {
    fn of<'a>(measures: impl Iterator<Item = &'a Measure>) -> Self {
        let all: Vec<&Measure> = measures.collect();
        let each = |of: fn(&Measure) -> f64| all.iter().map(|it| of(it)).collect::<Vec<_>>();
        let repeated = each(|it| it.repeated * 100.0);
        Self {
            repeated_mean: mean(&repeated),
            repeated_p90: quantile(&repeated, 0.9),
            spurs: percent(&all, |it| 30.0 < it.spur_m),
            corridor_p90: quantile(&each(|it| it.corridor * 100.0), 0.9),
            turns: mean(&each(|it| it.turns_per_km)),
            compactness: mean(&each(|it| it.compactness)),
        }
    }

    fn cells(&self) -> String {
        format!(
            "{} / {} | {} | {} | {} | {}",
            number(self.repeated_mean),
            number(self.repeated_p90),
            number(self.spurs),
            number(self.corridor_p90),
            number(self.turns),
            number(self.compactness),
        )
    }
}

const SHAPE_HEADS: &str =
    "walked twice, mean / p90 % | spurs % | corridor p90 % | turns per km | compactness";

/// By the line alone, whoever made it.
fn looks_like_a_loop(measure: &Measure) -> bool {
    2.0 * measure.stem_m <= MOST_STEM * measure.length_m && measure.repeated <= MOST_REPEATED
}

struct Document<'a> {
    areas: &'a [Area],
    figures: &'a [Figure],
    browser: Option<&'a InBrowser>,
}

impl Document<'_> {
    fn to_markdown(&self) -> Result<String> {
        let parts = [
            self.head()?,
            self.figures(),
            self.areas(),
            self.durations(),
            self.options(),
            self.engines(),
            self.browser(),
        ];
        Ok(parts.join("\n"))
    }

    fn head(&self) -> Result<String> {
        let date = Command::new("date").args(["-u", "+%-d %B %Y"]).output()?;
        let date = String::from_utf8(date.stdout)?;
        let cores = thread::available_parallelism()?;
        let memory = fs::read_to_string("/proc/meminfo")?;
        let memory = memory.lines().find_map(|it| it.strip_prefix("MemTotal:"));
        let kib = memory.and_then(|it| it.trim().strip_suffix(" kB"));
        let kib: f64 = kib.context("how much memory there is")?.parse()?;
        let engines = fs::read_to_string("xtask/rivals/requirements.txt")?;
        let engines: Vec<&str> = engines
            .lines()
            .filter(|it| !it.starts_with('#'))
            .filter_map(|it| it.split(' ').next())
            .collect();
        let minutes: Vec<String> = MINUTES.iter().map(u32::to_string).collect();
        let n_starts = self.areas.first().map_or(0, |it| {
            it.ours.iter().filter(|it| it.minutes == MINUTES[0]).count()
        });
        Ok(format!(
            "# How good the routes are\n\n\
             `cargo xtask bench routes` writes this file; change nothing here by hand.\n\n\
             Measured on {} with {cores} cores and {:.0} GB of memory; {}{}.\n\
             In each area {n_starts} places on the network, by chance and the same each time, are asked for walks of {} minutes \
             with one dog at the usual pace, away from traffic and through parks.\n\
             Every walk is measured by its line alone, whoever made it: what is walked twice, the way to the first \
             crossing apart; spurs of more than 30 m; the share that runs within 25 m of another part; turns of 45 degrees and \
             more; the area inside against that of a circle (compactness).\n\
             An area with at least {TOWN_EDGES_PER_KM2:.0} edges per square kilometer is a town; its size is that of all squares of 150 m \
             through which a way leads.\n",
            date.trim(),
            kib * 1024.0 / 1e9,
            engines.join(", "),
            self.browser
                .map_or(String::new(), |it| format!(", {}", it.browser)),
            minutes.join(", "),
        ))
    }

    fn figures(&self) -> String {
        let mut text = "## What must hold\n\n| figure | target |".to_owned();
        let mut line = "|---|---|".to_owned();
        for area in self.areas {
            let _ = write!(text, " {} |", area.name);
            line.push_str("---|");
        }
        let _ = writeln!(text, "\n{line}");
        let mut whats: Vec<(&str, String)> = Vec::new();
        for figure in self.figures {
            let row = (figure.what, figure.target.to_string());
            if !whats.contains(&row) {
                whats.push(row);
            }
        }
        for (what, target) in whats {
            let _ = write!(text, "| {what} | {target} |");
            for area in self.areas {
                let is_it = |it: &&Figure| {
                    it.area == area.name && it.what == what && it.target.to_string() == target
                };
                let figure = self.figures.iter().find(is_it);
                let cell = figure.map_or(String::new(), |it| {
                    let missed = if it.holds() { "" } else { "**" };
                    format!("{missed}{}{missed}", number(it.measured))
                });
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
        text.push_str("\nWhat is bold does not hold or could not be measured.\n");
        text
    }

    fn areas(&self) -> String {
        let mut text = "## Areas, import and size\n\n\
            | area | | km2 | edges per km2 | extract MB | import s | import peak MB | tiles | network KiB/km2 | names | things | drawing | addresses | address search p95 ms | network B/edge | load ms | native peak MB |\n\
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
        for area in self.areas {
            let import = &area.import;
            let density = |bytes: u64| number(bytes as f64 / 1024.0 / area.km2);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} | +{} | +{} | +{} | +{} | {} | {} | {} | {} |",
                area.name,
                if area.is_town() { "town" } else { "sparse" },
                number(area.km2),
                number(area.edges_per_km2()),
                number(import.extract_bytes as f64 / 1e6),
                number(import.seconds),
                number(import.peak_mb),
                import.n_tiles,
                density(import.network_bytes),
                density(import.names_bytes),
                density(import.spots_bytes),
                density(import.drawing_bytes),
                density(import.addresses_bytes),
                number(import.address_ms),
                number(import.network_bytes as f64 / import.n_edges as f64),
                number(area.native.load_ms),
                number(area.native.peak_mb),
            );
        }
        text.push_str(
            "\nTiles are compressed with brotli as phones fetch them; import is that of `walkies map import`.\n",
        );
        text
    }

    fn durations(&self) -> String {
        let mut text = format!(
            "## The best option by duration\n\n\
             | area | min | room for a loop % | loops / lollipops / there and back / none | time error p50 / p90 / most % | within 5 % | {SHAPE_HEADS} | native p50 / p95 ms |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|\n"
        );
        for area in self.areas {
            for minutes in MINUTES.into_iter().chain([LONGEST]) {
                let all: Vec<&Ours> = area
                    .ours
                    .iter()
                    .filter(|it| it.minutes == minutes)
                    .collect();
                let best: Vec<&Judged> = all.iter().filter_map(|it| it.options.first()).collect();
                let errors: Vec<f64> = best.iter().map(|it| it.time_error).collect();
                let ms: Vec<f64> = all.iter().map(|it| it.ms).collect();
                let count = |kind| best.iter().filter(|it| it.kind == kind).count();
                let loops = best.iter().filter(|it| it.kind == Kind::Loop);
                let _ = writeln!(
                    text,
                    "| {} | {minutes} | {} | {} / {} / {} / {} | {} / {} / {} | {} | {} | {} / {} |",
                    area.name,
                    number(percent(&all, |it| it.has_room)),
                    count(Kind::Loop),
                    count(Kind::Lollipop),
                    count(Kind::ThereAndBack),
                    all.len() - best.len(),
                    number(median(&errors)),
                    number(quantile(&errors, 0.9)),
                    number(quantile(&errors, 1.0)),
                    number(percent(&errors, |it| *it <= 5.0)),
                    Shapes::of(loops.map(|it| &it.measure)).cells(),
                    number(median(&ms)),
                    number(quantile(&ms, 0.95)),
                );
            }
        }
        text
    }

    fn options(&self) -> String {
        let mut text = format!(
            "## All options together\n\n\
             | area | routes | three options % | loops % | time error p50 / p90 % | {SHAPE_HEADS} | shared by two p50 / p90 % |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n"
        );
        for area in self.areas {
            let all: Vec<&Ours> = area.usual().collect();
            let options: Vec<&Judged> = all.iter().flat_map(|it| &it.options).collect();
            let errors: Vec<f64> = options.iter().map(|it| it.time_error).collect();
            let shared: Vec<f64> = all.iter().flat_map(|it| it.shared.clone()).collect();
            let loops = options.iter().filter(|it| it.kind == Kind::Loop);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} / {} | {} | {} / {} |",
                area.name,
                options.len(),
                number(percent(&all, |it| it.options.len() == 3)),
                number(percent(&options, |it| it.kind == Kind::Loop)),
                number(median(&errors)),
                number(quantile(&errors, 0.9)),
                Shapes::of(loops.map(|it| &it.measure)).cells(),
                number(median(&shared)),
                number(quantile(&shared, 0.9)),
            );
        }
        text
    }

    fn engines(&self) -> String {
        let mut text = format!(
            "## Beside Valhalla and OSRM\n\n\
             Both get the same starts and the length that the time comes to. \
             Their loops go through three points on a circle, whose size is corrected up to three times by the length that came \
             out, without the spurs; `x8` is the best of eight directions, asked for a quarter of the starts. \
             Their error is that of the length, ours that of the time. \
             Here a loop is, by its line, a walk of which at most {:.0} % is stem and at most {:.0} % is walked twice; looks are those of the loops.\n\n\
             | area | by | walks | answered % | loops % | error p50 / p90 % | within 5 % | {SHAPE_HEADS} | p50 / p95 ms | peak MB |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
            MOST_STEM * 100.0,
            MOST_REPEATED * 100.0,
        );
        for area in self.areas {
            let ours: Vec<Theirs> = area.usual().map(Ours::as_theirs).collect();
            self.engine(area, "Walkies", &ours.iter().collect::<Vec<_>>(), &mut text);
            for engine in ["valhalla", "valhalla x8", "osrm", "osrm x8"] {
                let theirs = area.theirs.iter().filter(|it| it.engine == engine);
                let theirs: Vec<&Theirs> = theirs.collect();
                if !theirs.is_empty() {
                    self.engine(area, engine, &theirs, &mut text);
                }
            }
        }
        text.push_str(&self.judged());
        text
    }

    fn engine(&self, area: &Area, name: &str, walks: &[&Theirs], text: &mut String) {
        let found: Vec<&(f64, Measure)> = walks.iter().filter_map(|it| it.found.as_ref()).collect();
        let errors: Vec<f64> = found.iter().map(|it| it.0).collect();
        let ms: Vec<f64> = walks.iter().map(|it| it.ms).collect();
        let loops = found
            .iter()
            .map(|it| &it.1)
            .filter(|it| looks_like_a_loop(it));
        let peaks = area.peaks.iter().filter(|it| name.starts_with(&it.engine));
        let peak = match name {
            "Walkies" => area.native.peak_mb,
            _ => peaks.map(|it| it.peak_mb).fold(f64::NAN, f64::max),
        };
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} | {} | {} / {} | {} | {} | {} / {} | {} |",
            area.name,
            walks.len(),
            number(percent(walks, |it| it.found.is_some())),
            number(percent(&found, |it| looks_like_a_loop(&it.1))),
            number(median(&errors)),
            number(quantile(&errors, 0.9)),
            number(percent(&errors, |it| *it <= 5.0)),
            Shapes::of(loops).cells(),
            number(median(&ms)),
            number(quantile(&ms, 0.95)),
            number(peak),
        );
    }

    /// Writes the table with the verdicts of Valhalla and OSRM on our routes.
    fn judged(&self) -> String {
        let mut text = "\nValhalla says of each of our routes whether it is a walk along ways that are open on foot: each step of at most 5 m must \
            lie within 3 m of one and go on to the next. \
            OSRM walks them through points 40 m apart, and the shortest ways between pairs of places.\n\n\
            | area | routes | walkable for Valhalla % | against a one-way sign only % | by `edge_walk` alone % | OSRM along the route p50 / p90 % | pairs | OSRM's shortest way p50 / p90 % |\n\
            |---|---|---|---|---|---|---|---|\n"
            .to_owned();
        for area in self.areas {
            let all = &area.walkable;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} / {} | {} | {} / {} |",
                area.name,
                all.len(),
                number(percent(all, |it| it.walkable)),
                number(percent(all, |it| it.walkable && !it.why.is_empty())),
                number(percent(all, |it| it.how == "edge_walk")),
                number(median(&area.walked)),
                number(quantile(&area.walked, 0.9)),
                area.lengths.len(),
                number(median(&area.lengths)),
                number(quantile(&area.lengths, 0.9)),
            );
        }
        let refused: Vec<String> = self.areas.iter().flat_map(Area::refused).collect();
        if !refused.is_empty() {
            let _ = write!(
                text,
                "\nWhere Valhalla refuses most, at most {REFUSALS} places of each area:\n\n{}",
                refused.concat()
            );
        }
        text
    }

    fn browser(&self) -> String {
        let Some(browser) = self.browser else {
            return "## In Chromium\n\nNot measured.\n".to_owned();
        };
        let mut text = format!(
            "## In {}\n\n\
             The app's own module, all three options, on the tiles that it asks for; loading is from their bytes to a network that can be searched.\n\n\
             | area | requests | load p50 / p95 ms | p50 / p95 ms by minutes |\n|---|---|---|---|\n",
            browser.browser
        );
        for area in &browser.areas {
            let times: Vec<String> = MINUTES
                .into_iter()
                .chain([LONGEST])
                .map(|it| {
                    let ms = area.ms(it);
                    format!(
                        "{it}: {} / {}",
                        number(median(&ms)),
                        number(quantile(&ms, 0.95))
                    )
                })
                .collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} / {} | {} |",
                area.name,
                area.answers.len(),
                number(median(&area.load_ms())),
                number(quantile(&area.load_ms(), 0.95)),
                times.join(", "),
            );
        }
        text
    }
}

impl Ours {
    /// Our best option in the form in which the engines' loops are compared.
    fn as_theirs(&self) -> Theirs {
        let best = self.options.first();
        Theirs {
            engine: String::new(),
            ms: self.ms,
            found: best.map(|it| (it.time_error, it.measure)),
        }
    }
}

impl Area {
    /// A line for each place at which Valhalla refuses routes of ours.
    fn refused(&self) -> Vec<String> {
        let mut places: Vec<((f64, f64), &str, u32)> = Vec::new();
        for route in self.walkable.iter().filter(|it| !it.walkable) {
            let at = route.at.unwrap_or_default();
            match places.iter_mut().find(|it| it.1 == route.why) {
                Some(known) => known.2 += 1,
                None => places.push((at, &route.why, 1)),
            }
        }
        places.sort_by_key(|it| Reverse(it.2));
        places.truncate(REFUSALS);
        let line = |((lat, lon), why, n): &((f64, f64), &str, u32)| {
            format!(
                "- {}, {n} of the routes, at {lat:.5} {lon:.5}: {why}.\n",
                self.name
            )
        };
        places.iter().map(line).collect()
    }
}
