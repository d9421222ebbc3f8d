//! Owns GPX: reading tracks that any program wrote, and writing a walk so that any program can read it.
//!
//! Read with `roxmltree`: XML in the wild has entities, comments, namespaces and encodings of its own mind, and this parser
//! takes 22 kB of the compressed core. It refuses document types, so no entity can blow a file up.

use std::fmt::Write as _;

use roxmltree::{Document, Node, ParsingOptions};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::walk::{Entry, Fix, Place, Walk, WalkEventKind, WalkNotice, step};
use crate::{Id, Instant};

/// A day of fixes every second takes 15 MB; more is no walk.
pub const MAX_BYTES: usize = 20_000_000;
/// The points of two days at one a second.
pub const MAX_POINTS: usize = 200_000;
/// The elements that so many points have, with room for what devices add.
const MAX_NODES: u32 = 4_000_000;
/// Meters of uncertainty per unit of dilution: what a phone's receiver has in the open.
const M_PER_HDOP: f64 = 5.0;
/// Says what GPX cannot: that a segment follows a pause and not a gap.
const NAMESPACE: &str = "urn:walkies:gpx:1";

/// Why a file is no walk, in words for the person who chose it.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum GpxError {
    /// Not XML, or cut off.
    #[error("This file is not a GPX file, or a part of it is missing.")]
    NotGpx,
    /// Beyond the bounds.
    #[error("This file is too large for a walk.")]
    TooLarge,
    /// Waypoints or a planned route only.
    #[error("There is no recorded track in this file.")]
    NoTrack,
    /// A line without times.
    #[error("The track in this file has no times, so it is a plan and not a walk.")]
    NoTimes,
}

/// A walk from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The track's name; empty where it has none.
    pub name: String,
    /// The walk's log.
    pub entries: Vec<Entry>,
    /// Points that were left out: without a time, without a place, or earlier than the one before.
    pub n_left_out: usize,
}

/// Reads all tracks of a file as one walk; between segments lies a gap, as between the days of a hike.
pub fn import(text: &str, mut next_id: impl FnMut() -> Id) -> Result<Imported, GpxError> {
    if text.len() > MAX_BYTES {
        return Err(GpxError::TooLarge);
    }
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => GpxError::TooLarge,
        _ => GpxError::NotGpx,
    })?;
    let root = document.root_element();
    if !is(&root, "gpx") {
        return Err(GpxError::NotGpx);
    }
    let mut n_points = 0;
    let mut segments = Vec::new();
    for segment in elements(root, "trk").flat_map(|track| elements(track, "trkseg")) {
        let mut fixes: Vec<Fix> = Vec::new();
        for point in elements(segment, "trkpt") {
            n_points += 1;
            let fix = fix(point).filter(|it| fixes.last().is_none_or(|last| last.at < it.at));
            fixes.extend(fix);
        }
        let follows_pause = segment
            .descendants()
            .any(|it| it.has_tag_name((NAMESPACE, "pause")));
        if !fixes.is_empty() {
            segments.push((follows_pause, fixes));
        }
    }
    segments.sort_by_key(|(_, fixes)| fixes.first().map(|it| it.at));
    let n_fixes = segments.iter().map(|(_, fixes)| fixes.len()).sum::<usize>();
    match (n_points, n_fixes) {
        (0, _) => return Err(GpxError::NoTrack),
        (_, 0) => return Err(GpxError::NoTimes),
        (MAX_POINTS.., _) => return Err(GpxError::TooLarge),
        _ => {}
    }
    let mut entries = Vec::with_capacity(n_fixes + 2 * segments.len());
    let mut events = events(root, &mut next_id);
    let mut last_at = None;
    for (follows_pause, fixes) in segments {
        let first_at = fixes.first().map_or(0, |it| it.at);
        match last_at {
            None => entries.push(Entry::Started { at: first_at }),
            Some(at) if follows_pause => {
                entries.extend([Entry::Paused { at }, Entry::Resumed { at: first_at }]);
            }
            Some(at) => entries.push(Entry::Interrupted { at }),
        }
        for fix in fixes {
            let due = events.partition_point(|it| it.at() < fix.at);
            entries.extend(events.drain(..due));
            last_at = Some(fix.at);
            entries.push(Entry::Fix(fix));
        }
    }
    let end = events
        .last()
        .map(Entry::at)
        .max(last_at)
        .unwrap_or_default();
    entries.append(&mut events);
    entries.push(Entry::Ended { at: end });
    let name = elements(root, "trk")
        .find_map(|track| child_text(track, "name"))
        .unwrap_or_default();
    Ok(Imported {
        name: name.to_owned(),
        entries,
        n_left_out: n_points - n_fixes,
    })
}

/// Writes a walk as GPX 1.1: a segment per unbroken line, the events as waypoints. Jumps that the walk did not believe are left out.
pub fn export(entries: &[Entry], name: &str) -> String {
    let mut walk = Walk::default();
    let mut points = String::new();
    let mut events: Vec<crate::walk::WalkEvent> = Vec::new();
    // The end tag of the segment that is being written.
    let mut closing = None;
    for entry in entries {
        let n_fixes = walk.n_fixes;
        for notice in step(&mut walk, entry, entry.at()).unwrap_or_default() {
            match notice {
                WalkNotice::Segment { gap } => {
                    points.push_str(closing.unwrap_or_default());
                    points.push_str("<trkseg>\n");
                    let follows_pause = closing.is_some() && gap.is_none();
                    closing = Some(if follows_pause {
                        AFTER_PAUSE
                    } else {
                        AFTER_GAP
                    });
                }
                WalkNotice::Event(event) => match events.iter_mut().find(|it| it.id == event.id) {
                    Some(told) => told.note = event.note,
                    None => events.push(event),
                },
                WalkNotice::EventRemoved { id } => events.retain(|it| it.id != id),
                WalkNotice::Point(_) | WalkNotice::Said { .. } => {}
            }
        }
        if let Entry::Fix(fix) = entry
            && walk.n_fixes > n_fixes
        {
            write_fix(fix, &mut points);
        }
    }
    points.push_str(closing.unwrap_or_default());
    let mut waypoints = String::new();
    for event in &events {
        // GPX has no waypoint without a place; a walk without any position has none to give.
        let Some(place) = event.location.or(walk.here.as_ref().map(|it| it.place)) else {
            continue;
        };
        let _ = writeln!(
            waypoints,
            "<wpt {}><time>{}</time><name>{kind}</name>{}<type>{kind}</type></wpt>",
            coordinates(place),
            Instant(event.timestamp),
            if event.note.is_empty() {
                String::new()
            } else {
                format!("<desc>{}</desc>", escaped(&event.note))
            },
            kind = kind_name(event.kind),
        );
    }
    format!(
        "{HEAD}<metadata><time>{}</time></metadata>\n{waypoints}<trk><name>{}</name>\n{points}</trk>\n</gpx>\n",
        Instant(walk.started_at),
        escaped(name),
    )
}

const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<gpx version=\"1.1\" creator=\"Walkies\" xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:walkies=\"urn:walkies:gpx:1\">\n",
);
const AFTER_GAP: &str = "</trkseg>\n";
const AFTER_PAUSE: &str = "<extensions><walkies:pause/></extensions></trkseg>\n";

fn fix(point: Node<'_, '_>) -> Option<Fix> {
    let degrees = |name| point.attribute(name)?.trim().parse::<f64>().ok();
    let number = |name| child_text(point, name)?.parse::<f64>().ok();
    Some(Fix {
        at: time(child_text(point, "time")?)?,
        place: Place::from_degrees(degrees("lat")?, degrees("lon")?)?,
        accuracy_dm: number("hdop")
            .filter(|it| *it > 0.0)
            .map_or(0, |it| crate::walk::decimeters(it * M_PER_HDOP)),
        altitude_dm: number("ele").and_then(crate::walk::altitude_dm),
    })
}

/// The waypoints that Walkies wrote, in order of time.
fn events(root: Node<'_, '_>, next_id: &mut impl FnMut() -> Id) -> Vec<Entry> {
    let event = |point| {
        Some(Entry::Event {
            at: time(child_text(point, "time")?)?,
            kind: kind_named(child_text(point, "type")?)?,
            note: child_text(point, "desc").unwrap_or_default().to_owned(),
            id: next_id(),
        })
    };
    let mut events: Vec<Entry> = elements(root, "wpt").filter_map(event).collect();
    events.sort_by_key(Entry::at);
    events
}

/// With an offset or `Z`; some devices leave it out and mean UTC.
fn time(text: &str) -> Option<i64> {
    let instant = text
        .parse::<Instant>()
        .or_else(|_| format!("{text}Z").parse());
    instant.ok().map(|it| it.0)
}

fn write_fix(fix: &Fix, text: &mut String) {
    let _ = write!(text, "<trkpt {}>", coordinates(fix.place));
    if let Some(altitude) = fix.altitude_dm {
        let sign = if altitude < 0 { "-" } else { "" };
        let altitude = altitude.unsigned_abs();
        let _ = write!(text, "<ele>{sign}{}.{}</ele>", altitude / 10, altitude % 10);
    }
    let _ = write!(text, "<time>{}</time>", Instant(fix.at));
    if fix.accuracy_dm > 0 {
        // Two decimals of hdop are the decimeters of the accuracy.
        let hundredths = u32::from(fix.accuracy_dm) * 2;
        let _ = write!(
            text,
            "<hdop>{}.{:02}</hdop>",
            hundredths / 100,
            hundredths % 100
        );
    }
    text.push_str("</trkpt>\n");
}

fn coordinates(place: Place) -> String {
    format!(
        "lat=\"{}\" lon=\"{}\"",
        degrees(place.lat_e7),
        degrees(place.lon_e7)
    )
}

fn degrees(e7: i32) -> String {
    let sign = if e7 < 0 { "-" } else { "" };
    let e7 = e7.unsigned_abs();
    format!("{sign}{}.{:07}", e7 / 10_000_000, e7 % 10_000_000)
}

/// Text for XML; control characters, which XML cannot hold, are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\n' | '\t' => escaped.push(character),
            it if it.is_control() || matches!(it, '\u{fffe}' | '\u{ffff}') => {}
            it => escaped.push(it),
        }
    }
    escaped
}

fn kind_name(kind: WalkEventKind) -> &'static str {
    match kind {
        WalkEventKind::Photo => "photo",
        WalkEventKind::Potty => "potty",
        WalkEventKind::Water => "water",
        WalkEventKind::Note => "note",
        WalkEventKind::Break => "break",
    }
}

fn kind_named(name: &str) -> Option<WalkEventKind> {
    let kinds = [
        WalkEventKind::Photo,
        WalkEventKind::Potty,
        WalkEventKind::Water,
        WalkEventKind::Note,
        WalkEventKind::Break,
    ];
    kinds.into_iter().find(|it| kind_name(*it) == name)
}

fn is(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

fn elements<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |it| is(it, name))
}

fn child_text<'a>(node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    let text = elements(node, name).next()?.text()?.trim();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::replay;

    fn ids() -> impl FnMut() -> Id {
        let mut n = 0;
        move || {
            n += 1;
            Id::of(n)
        }
    }

    fn file(body: &str) -> String {
        format!("<gpx version=\"1.0\" xmlns=\"http://www.topografix.com/GPX/1/0\">{body}</gpx>")
    }

    fn point(second: u32) -> String {
        let lat = 50.0 + f64::from(second) * 1e-5;
        format!(
            "<trkpt lat=\"{lat:.7}\" lon=\"8\"><ele>12.5</ele><time>2026-11-20T10:{:02}:{:02}Z</time></trkpt>",
            second / 60,
            second % 60
        )
    }

    fn refused(text: &str) -> GpxError {
        import(text, ids()).unwrap_err()
    }

    #[test]
    fn a_file_that_is_no_walk_says_why() {
        assert_eq!(refused(""), GpxError::NotGpx);
        assert_eq!(refused("%PDF-1.7"), GpxError::NotGpx);
        assert_eq!(refused("<kml/>"), GpxError::NotGpx);
        assert_eq!(refused("<gpx><trk><trkseg><trkpt lat="), GpxError::NotGpx);
        assert_eq!(
            refused(&file("<wpt lat=\"1\" lon=\"1\"/>")),
            GpxError::NoTrack
        );
        assert_eq!(
            refused(&file("<trk><trkseg></trkseg></trk>")),
            GpxError::NoTrack
        );
        assert_eq!(
            refused(&file(
                "<trk><trkseg><trkpt lat=\"1\" lon=\"1\"/></trkseg></trk>"
            )),
            GpxError::NoTimes
        );
        assert_eq!(refused(&" ".repeat(MAX_BYTES + 1)), GpxError::TooLarge);
        assert_eq!(
            GpxError::NoTimes.to_string(),
            "The track in this file has no times, so it is a plan and not a walk."
        );
    }

    #[test]
    fn a_file_with_entities_of_its_own_is_refused() {
        let bomb = "<!DOCTYPE gpx [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><gpx>&b;</gpx>";
        assert_eq!(refused(bomb), GpxError::NotGpx);
    }

    #[test]
    fn what_other_programs_write_is_read() {
        let odd = "\u{feff}\n<?xml version='1.0'?><g:gpx xmlns:g='http://www.topografix.com/GPX/1/1'>\
            <g:trk><g:name> Hill &amp; dale </g:name><g:trkseg><!-- first -->\
            <g:trkpt lon=' 8.5 ' lat='50'><g:time>2026-11-20T11:00:00+01:00</g:time><g:hdop>1.5</g:hdop></g:trkpt>\
            <g:trkpt lon='8.5' lat='50.0001'><g:time>2026-11-20T10:00:10</g:time></g:trkpt>\
            <g:trkpt lon='8.5' lat='95'><g:time>2026-11-20T10:00:20Z</g:time></g:trkpt>\
            <g:trkpt lon='8.5' lat='50.0002'><g:time>yesterday</g:time></g:trkpt>\
            <g:trkpt lon='8.5' lat='50.0002'><g:time>2026-11-20T10:00:05Z</g:time></g:trkpt>\
            </g:trkseg></g:trk></g:gpx>";
        let walk = import(odd, ids()).unwrap();
        assert_eq!((walk.name.as_str(), walk.n_left_out), ("Hill & dale", 3));
        let [
            Entry::Started { at },
            Entry::Fix(first),
            Entry::Fix(second),
            Entry::Ended { at: end },
        ] = walk.entries[..]
        else {
            panic!("{:?}", walk.entries)
        };
        assert_eq!(
            (at, first.at, first.accuracy_dm),
            (
                first.at,
                "2026-11-20T10:00:00Z".parse::<Instant>().unwrap().0,
                75
            )
        );
        assert_eq!(
            (second.at - first.at, end - second.at, second.accuracy_dm),
            (10_000, 0, 0)
        );
    }

    #[test]
    fn between_segments_lies_a_gap() {
        let segment = |from: u32, to: u32| {
            format!(
                "<trkseg>{}</trkseg>",
                (from..to).map(point).collect::<String>()
            )
        };
        let two = file(&format!("<trk>{}{}</trk>", segment(30, 60), segment(0, 20)));
        let (walk, trace) = replay(&import(&two, ids()).unwrap().entries);
        assert_eq!((walk.n_gaps, walk.gap_ms), (1, 11_000));
        assert_eq!(trace.segments.len(), 2);
    }

    #[test]
    fn a_walk_comes_back_from_its_own_file() {
        use crate::walk::{WalkInput, advance, decode, log_header};
        let fix = |second: i64, north: f64| WalkInput::Position {
            at: (second * 1000) as f64,
            lat: -33.0 - north * 1e-5,
            lon: -0.5,
            accuracy: 7.34,
            altitude: Some(-3.25),
        };
        let note = "Rex & Pepper: \"<done>\"\nTwo\u{7}";
        let event = WalkInput::Event {
            id: Id::of(1),
            kind: WalkEventKind::Potty,
            note: note.into(),
        };
        let mut walk = Walk::default();
        let mut log = log_header();
        let mut hand_in = |second: i64, inputs: Vec<WalkInput>| {
            let advance = advance(std::mem::take(&mut walk), inputs, second * 1000);
            walk = advance.walk;
            log.extend(advance.log);
        };
        hand_in(0, vec![WalkInput::Start]);
        hand_in(100, (0..=100).map(|it| fix(it, it as f64)).collect());
        hand_in(100, vec![fix(101, 9000.0), event, WalkInput::Pause]);
        hand_in(200, vec![WalkInput::Resume]);
        hand_in(300, (200..=300).map(|it| fix(it, it as f64)).collect());
        hand_in(900, (800..=900).map(|it| fix(it, it as f64)).collect());
        hand_in(900, vec![WalkInput::End { at: None }]);
        let entries = decode(&log);
        let text = export(&entries, "Rex & <Pepper>");
        let back = import(&text, ids()).unwrap();
        assert_eq!((back.name.as_str(), back.n_left_out), ("Rex & <Pepper>", 0));
        let ((walk, trace), (again, trace_again)) = (replay(&entries), replay(&back.entries));
        assert_eq!(
            (again.distance_m, again.n_gaps, again.gap_ms),
            (walk.distance_m, walk.n_gaps, walk.gap_ms)
        );
        assert_eq!(again.ran_ms, walk.ran_ms);
        assert_eq!(trace_again.segments, trace.segments);
        assert_eq!(trace_again.events[0].note, note.replace('\u{7}', ""));
        assert_eq!(trace_again.events[0].location, trace.events[0].location);
        assert_eq!(export(&back.entries, "Rex & <Pepper>"), text);
    }
}
