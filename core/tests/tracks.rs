//! Real walks, recorded by other people's devices: what the filter makes of them, and that GPX survives a round trip.
//! The tracks are in `../shared/tracks` beside the repository, or in `tracks` of the folder that `WALKIES_DATA` names;
//! without them the tests say what was left out, and fail when `CI=true`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use walkies_core::Id;
use walkies_core::gpx::{self, Imported};
use walkies_core::values::plane::distance_m;
use walkies_core::walk::{
    Entry, LINE_TOLERANCE_M, LinePoint, Walk, WalkTrace, decode, encode, log_header, replay,
    simplify,
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

/// What a naive tracker shows: every step from fix to fix, but those across a minute.
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
