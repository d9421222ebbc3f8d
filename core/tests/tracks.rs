//! Real walks, recorded by other people's devices: what the filter makes of them, and that GPX survives a round trip.
//! The tracks are in `../shared/tracks` beside the repository, or in `tracks` of the folder that `WALKIES_DATA` names;
//! without them the tests say what was left out, and fail when `CI=true`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use walkies_core::Id;
use walkies_core::gpx::{self, Imported};
use walkies_core::values::place::Place;
use walkies_core::values::plane::distance_m;
use walkies_core::walk::{
    Entry, Fix, LINE_TOLERANCE_M, LinePoint, Walk, WalkNotice, WalkTrace, decode, encode,
    log_header, replay, simplify, step,
};

/// A track and what is known of it.
struct Track {
    file: &'static str,
    /// Distance from fix to fix over the distance that counts, as measured for walks of this kind.
    raw_ratio: RangeInclusive<f64>,
    /// Fixes, and those of them that are no use: without a time.
    n_fixes: (u32, usize),
    n_gaps: u32,
}

const TRACKS: [Track; 6] = [
    // A quick walk at 1 Hz.
    Track {
        file: "gpsbabel_vitovtt_brisk_walk_nj.gpx",
        raw_ratio: 1.0..=1.05,
        n_fixes: (1866, 0),
        n_gaps: 0,
    },
    // A stroll at 1 Hz with stops: a third and more of what a naive sum tells is jitter.
    Track {
        file: "gpsbabel_24173415_tofino.gpx",
        raw_ratio: 1.32..=1.93,
        n_fixes: (684, 5),
        n_gaps: 0,
    },
    // Every five to ten seconds.
    Track {
        file: "gpsbabel_simplify-relative_freiburg_hdop.gpx",
        raw_ratio: 1.02..=1.22,
        n_fixes: (100, 0),
        n_gaps: 0,
    },
    Track {
        file: "gpsbabel_mtk_gp245.gpx",
        raw_ratio: 1.02..=1.22,
        n_fixes: (395, 0),
        n_gaps: 3,
    },
    // Hikes with a fix every ten seconds; the second with hours of rest, in which only a naive sum goes on.
    Track {
        file: "gpxpy_korita-zbevnica_hike.gpx",
        raw_ratio: 1.0..=1.08,
        n_fixes: (513, 358),
        n_gaps: 29,
    },
    Track {
        file: "georust_garmin_zugspitze_hike.gpx",
        raw_ratio: 1.0..=1.15,
        n_fixes: (3540, 0),
        n_gaps: 1,
    },
];

/// The tracks that are there, read.
fn tracks() -> Vec<(Track, Imported)> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("WALKIES_DATA")
        .map_or(beside, PathBuf::from)
        .join("tracks");
    let read = |track: Track| {
        let path = folder.join(track.file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            assert!(
                std::env::var_os("CI").is_none_or(|it| it != "true"),
                "no real track at {}",
                path.display()
            );
            eprintln!(
                "LEFT OUT: no real track at {}; set WALKIES_DATA",
                path.display()
            );
            return None;
        };
        Some((track, import(&text)))
    };
    TRACKS.into_iter().filter_map(read).collect()
}

fn import(text: &str) -> Imported {
    let mut n = 0;
    let imported = gpx::import(text, || {
        n += 1;
        Id::of(n)
    });
    imported.unwrap()
}

fn length_m(points: &[LinePoint]) -> f64 {
    points
        .windows(2)
        .map(|it| distance_m(it[0].place, it[1].place))
        .sum()
}

/// Returns the meters of a naive tracker: every step from fix to fix, except those longer than a minute.
fn raw_m(entries: &[Entry]) -> f64 {
    let fixes: Vec<_> = entries
        .iter()
        .filter_map(|it| {
            if let Entry::Fix(fix) = it {
                Some(fix)
            } else {
                None
            }
        })
        .collect();
    let steps = fixes.windows(2).filter(|it| it[1].at - it[0].at <= 60_000);
    steps.map(|it| distance_m(it[0].place, it[1].place)).sum()
}

fn simplified_m(trace: &WalkTrace) -> f64 {
    trace
        .segments
        .iter()
        .map(|it| length_m(&simplify(&it.points, LINE_TOLERANCE_M)))
        .sum()
}

#[test]
fn distances_are_those_that_were_measured_for_walks_of_their_kind() {
    for (track, imported) in tracks() {
        let (walk, trace) = replay(&imported.entries);
        let ratio = raw_m(&imported.entries) / walk.distance_m;
        println!(
            "{}: {:.0} m, raw {ratio:.3} times, {} gaps",
            track.file, walk.distance_m, walk.n_gaps
        );
        assert!(track.raw_ratio.contains(&ratio), "{}: {ratio}", track.file);
        let simplified = simplified_m(&trace) / walk.distance_m;
        assert!(
            (0.95..=1.0).contains(&simplified),
            "{}: {simplified}",
            track.file
        );
        assert_eq!(
            (walk.n_fixes, imported.n_left_out),
            track.n_fixes,
            "{}",
            track.file
        );
        assert_eq!(walk.n_gaps, track.n_gaps, "{}", track.file);
        assert!(
            walk.moving_ms + walk.gap_ms <= walk.ran_ms,
            "{}",
            track.file
        );
    }
}

/// The length of a line of fixes without gaps as a two-way smoother (Rauch-Tung-Striebel, constant velocity) sees it, where
/// the walker moves at all.
fn smoothed_m(fixes: &[Fix]) -> f64 {
    const NOISE: f64 = 0.35;
    const STANDING_M_S: f64 = 0.3;
    /// Place and velocity on both axes, with the covariance that both have.
    #[derive(Clone, Copy)]
    struct State {
        at: [f64; 2],
        v: [f64; 2],
        cov: [f64; 3],
    }
    let origin = fixes[0].place;
    let lon_m = distance_m(
        origin,
        Place {
            lon_e7: origin.lon_e7 + 100_000,
            ..origin
        },
    ) / 1e5;
    let plane = |it: Place| {
        [
            f64::from(it.lon_e7 - origin.lon_e7) * lon_m,
            f64::from(it.lat_e7 - origin.lat_e7) * 0.011_12,
        ]
    };
    let variance = |it: &Fix| it.accuracy_m().max(5.0).powi(2);
    let mut states = vec![State {
        at: plane(origin),
        v: [0.0; 2],
        cov: [variance(&fixes[0]), 0.0, 4.0],
    }];
    let mut predicted = Vec::new();
    for pair in fixes.windows(2) {
        let last = states[states.len() - 1];
        let dt = (pair[1].at - pair[0].at) as f64 / 1e3;
        let [p, c, v] = last.cov;
        let ahead = State {
            at: [0, 1].map(|it| last.at[it] + last.v[it] * dt),
            v: last.v,
            cov: [
                p + 2.0 * dt * c + dt * dt * v + NOISE * dt.powi(3) / 3.0,
                c + dt * v + NOISE * dt * dt / 2.0,
                v + NOISE * dt,
            ],
        };
        let [p, c, v] = ahead.cov;
        let spread = p + variance(&pair[1]);
        let seen = plane(pair[1].place);
        let off = [0, 1].map(|it| seen[it] - ahead.at[it]);
        states.push(State {
            at: [0, 1].map(|it| ahead.at[it] + p / spread * off[it]),
            v: [0, 1].map(|it| ahead.v[it] + c / spread * off[it]),
            cov: [p - p * p / spread, c - p * c / spread, v - c * c / spread],
        });
        predicted.push((dt, ahead));
    }
    for index in (0..predicted.len()).rev() {
        let (dt, ahead) = predicted[index];
        let (here, next) = (states[index], states[index + 1]);
        let [p, c, v] = here.cov;
        let [p_ahead, c_ahead, v_ahead] = ahead.cov;
        let det = p_ahead * v_ahead - c_ahead * c_ahead;
        let gain = |a: f64, b: f64| {
            (
                (a * v_ahead - b * c_ahead) / det,
                (b * p_ahead - a * c_ahead) / det,
            )
        };
        let (at_at, at_v) = gain(p + c * dt, c);
        let (v_at, v_v) = gain(c + v * dt, v);
        let off = [0, 1].map(|it| (next.at[it] - ahead.at[it], next.v[it] - ahead.v[it]));
        states[index].at = [0, 1].map(|it| here.at[it] + at_at * off[it].0 + at_v * off[it].1);
        states[index].v = [0, 1].map(|it| here.v[it] + v_at * off[it].0 + v_v * off[it].1);
    }
    let steps = states.windows(2).map(|it| {
        let speed = it.iter().map(|it| it.v[0].hypot(it.v[1])).sum::<f64>() / 2.0;
        let step_m = (it[1].at[0] - it[0].at[0]).hypot(it[1].at[1] - it[0].at[1]);
        if speed < STANDING_M_S { 0.0 } else { step_m }
    });
    steps.sum()
}

/// The fixes of a walk, cut where it has a gap.
fn unbroken(entries: &[Entry]) -> Vec<Vec<Fix>> {
    let mut walk = Walk::default();
    let mut lines: Vec<Vec<Fix>> = Vec::new();
    for entry in entries {
        let n_fixes = walk.n_fixes;
        let notices = step(&mut walk, entry, entry.at()).unwrap_or_default();
        if notices
            .iter()
            .any(|it| matches!(it, WalkNotice::Segment { .. }))
        {
            lines.push(Vec::new());
        }
        if let (Entry::Fix(fix), Some(line)) = (entry, lines.last_mut())
            && walk.n_fixes > n_fixes
        {
            line.push(*fix);
        }
    }
    lines
}

#[test]
fn a_distance_is_that_of_a_two_way_smoother_or_at_least_that() {
    for (track, imported) in tracks() {
        let lines = unbroken(&imported.entries);
        let smoothed: f64 = lines.iter().map(|it| smoothed_m(it)).sum();
        for every_s in [1, 5, 10, 15, 20, 30, 45, 60] {
            let mut last_at = None;
            let thinned = imported.entries.iter().filter(|it| {
                let is_due = last_at.is_none_or(|last| it.at() - last >= every_s * 1000);
                let is_fix = matches!(it, Entry::Fix(_));
                if is_fix && is_due {
                    last_at = Some(it.at());
                }
                !is_fix || is_due
            });
            let (walk, _) = replay(thinned);
            let ratio = walk.distance_m / smoothed;
            let case = format!("{}, each {every_s} s: {ratio:.3}", track.file);
            println!("{case}, {} stops, {}", walk.n_stops, walk.is_at_least());
            assert!(ratio <= 1.05, "{case}");
            assert!(ratio >= 0.95 || walk.is_at_least(), "{case}");
        }
        let (walk, _) = replay(&imported.entries);
        let is_brisk = track.file == "gpsbabel_vitovtt_brisk_walk_nj.gpx";
        assert!(!is_brisk || !walk.is_at_least(), "{}", track.file);
    }
}

#[test]
fn the_line_is_as_long_as_the_distance_that_counts() {
    for (track, imported) in tracks() {
        let (walk, trace) = replay(&imported.entries);
        let line: f64 = trace.segments.iter().map(|it| length_m(&it.points)).sum();
        assert!(
            (line / walk.distance_m - 1.0).abs() < 0.001,
            "{}: {line} {}",
            track.file,
            walk.distance_m
        );
    }
}

#[test]
fn a_real_walk_is_the_same_after_its_log_was_stored_and_takes_20_bytes_an_entry_at_most() {
    for (track, imported) in tracks() {
        let mut log = log_header();
        imported.entries.iter().for_each(|it| encode(it, &mut log));
        assert_eq!(decode(&log), imported.entries, "{}", track.file);
        let entry_bytes = log.len() as f64 / imported.entries.len() as f64;
        println!("{}: {entry_bytes:.1} bytes an entry", track.file);
        assert!(entry_bytes <= 20.0, "{}: {entry_bytes}", track.file);
    }
}

#[test]
fn a_real_walk_is_the_same_after_a_round_trip_through_gpx() {
    for (track, imported) in tracks() {
        let text = gpx::export(&imported.entries, &imported.name);
        let again = import(&text);
        assert_eq!(again.name, imported.name, "{}", track.file);
        assert_eq!(again.n_left_out, 0, "{}", track.file);
        let ((walk, trace), (same, same_trace)) =
            (replay(&imported.entries), replay(&again.entries));
        let figures = |it: &Walk| {
            (
                it.distance_m,
                it.moving_ms,
                it.bridged_m,
                it.gap_ms,
                it.n_gaps,
                it.n_fixes,
                it.ran_ms,
            )
        };
        assert_eq!(figures(&same), figures(&walk), "{}", track.file);
        assert_eq!(same_trace, trace, "{}", track.file);
        assert_eq!(
            gpx::export(&again.entries, &again.name),
            text,
            "{}",
            track.file
        );
    }
}
