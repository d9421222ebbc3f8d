//! Owns GPX: reading tracks that any program wrote, and writing a walk so that any program can read it.
//!
//! The XML is read here and not by a library: `roxmltree` would be 21 kB of the compressed core, a sixth of what the phone
//! may load at first, for a file that is read once a month. This reader knows tags, attributes, text and the entities that
//! XML has by itself; it expands nothing else, and takes what is whole of a file that was cut off.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::values::place::Place;
use crate::values::plane::distance_m;
use crate::values::walk_event::WalkEventKind;
use crate::walk::{Entry, Fix, GAP_MS, Walk, WalkEvent, WalkNotice, altitude_dm, decimeters, step};
use crate::{Id, Instant};

/// A day of fixes every second takes 15 MB; more is no walk.
pub const MAX_BYTES: usize = 20_000_000;
/// The points of two days at one a second.
pub const MAX_POINTS: usize = 200_000;
/// Meters of uncertainty per unit of dilution: what a phone's receiver has in the open.
const M_PER_HDOP: f64 = 5.0;
/// Recorders that save power take a position every minute or two; one of these was missed before it is a gap.
const GAP_INTERVALS: f64 = 2.5;
/// Positions that are further apart, in milliseconds, tell of journeys and not of a walk.
const MAX_INTERVAL_MS: i64 = 5 * 60_000;
/// Says what GPX cannot: that a segment follows a pause and not a gap.
const PAUSE: &str = "walkies:pause";

/// Why a file is no walk, in words for the person who chose it.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum GpxError {
    /// Not XML, or something else in XML.
    #[error("This file is not a GPX file.")]
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
    /// All points of its tracks.
    pub n_points: usize,
    /// Points without a time that got one between those of their neighbors.
    pub n_timed: usize,
    /// Points that were left out: without a place, not later than the one before, or without any time around them.
    pub n_left_out: usize,
}

impl Imported {
    /// For the person, where not every point was taken as it was.
    pub fn notice(&self) -> Option<String> {
        let mut sentences = Vec::new();
        if self.n_timed > 0 {
            sentences.push(format!(
                "{} of {} points have no time. Theirs is estimated from the points around them.",
                self.n_timed, self.n_points
            ));
        }
        if self.n_left_out > 0 {
            sentences.push(format!(
                "{} of {} points were left out: no place, no time, or a time out of order.",
                self.n_left_out, self.n_points
            ));
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

/// Reads all tracks of a file as one walk; between segments lies a gap, as between the days of a hike.
pub fn import(text: &str, next_id: impl FnMut() -> Id) -> Result<Imported, GpxError> {
    if text.len() > MAX_BYTES {
        return Err(GpxError::TooLarge);
    }
    let mut file = read(text)?;
    file.segments.retain(|it| !it.fixes.is_empty());
    file.segments
        .sort_by_key(|it| it.fixes.first().map(|it| it.at));
    let n_fixes = file.segments.iter().map(|it| it.fixes.len()).sum::<usize>();
    match (file.n_points, n_fixes) {
        (0, _) => return Err(GpxError::NoTrack),
        (MAX_POINTS.., _) => return Err(GpxError::TooLarge),
        (_, 0) => return Err(GpxError::NoTimes),
        _ => {}
    }
    let mut entries = Vec::with_capacity(n_fixes + 2 * file.segments.len());
    let mut events = events(file.waypoints, next_id);
    let gap_limit = gap_limit_ms(&file.segments);
    let n_timed = file.segments.iter().map(|it| it.n_timed).sum();
    let mut last_at = None;
    for segment in file.segments {
        let first_at = segment.fixes.first().map_or(0, |it| it.at);
        match last_at {
            None => {
                entries.push(Entry::Started { at: first_at });
                let at = first_at;
                entries.extend(gap_limit.map(|limit_ms| Entry::GapLimit { at, limit_ms }));
            }
            Some(at) if segment.follows_pause => {
                entries.extend([Entry::Paused { at }, Entry::Resumed { at: first_at }]);
            }
            Some(at) => entries.push(Entry::Interrupted { at }),
        }
        for fix in segment.fixes {
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
    Ok(Imported {
        name: file.name,
        entries,
        n_points: file.n_points,
        n_timed,
        n_left_out: file.n_points - n_fixes,
    })
}

/// How long this recorder may be silent before that is a gap; `None` for one that takes positions as often as a phone.
fn gap_limit_ms(segments: &[TrackSegment]) -> Option<u32> {
    let mut intervals: Vec<i64> = segments
        .iter()
        .flat_map(|it| it.fixes.windows(2))
        .filter_map(|pair| match pair {
            [before, after] => Some(after.at - before.at),
            _ => None,
        })
        .collect();
    intervals.sort_unstable();
    let usual = *intervals.get(intervals.len() / 2)?;
    let limit_ms = usual as f64 * GAP_INTERVALS;
    let is_sparse = limit_ms > GAP_MS as f64 && usual <= MAX_INTERVAL_MS;
    is_sparse.then_some(limit_ms as u32)
}

/// Writes a walk as GPX 1.1: a segment per unbroken line, the events as waypoints. Jumps that the walk did not believe are left out.
pub fn export(entries: &[Entry], name: &str) -> String {
    let mut file = Export::default();
    file.add(entries, name);
    file.finish()
}

/// A file of several walks, each a track of its own.
#[derive(Debug, Default)]
pub struct Export {
    /// When the first of them began.
    started_at: Option<i64>,
    // The format wants all waypoints before the first track.
    waypoints: String,
    tracks: String,
}

impl Export {
    /// Adds a walk.
    pub fn add(&mut self, entries: &[Entry], name: &str) {
        let (started_at, waypoints, points) = written(entries);
        self.started_at = Some(self.started_at.map_or(started_at, |it| it.min(started_at)));
        self.waypoints.push_str(&waypoints);
        let name = escaped(name);
        let _ = writeln!(self.tracks, "<trk><name>{name}</name>\n{points}</trk>");
    }

    /// Returns the complete GPX document.
    pub fn finish(&self) -> String {
        let time = Instant(self.started_at.unwrap_or_default());
        format!(
            "{HEAD}<metadata><time>{time}</time></metadata>\n{}{}</gpx>\n",
            self.waypoints, self.tracks,
        )
    }
}

/// When a walk began, its waypoints and its points.
fn written(entries: &[Entry]) -> (i64, String, String) {
    let mut walk = Walk::default();
    let mut points = String::new();
    let mut events: Vec<WalkEvent> = Vec::new();
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
                WalkNotice::Point(_)
                | WalkNotice::EventDogs { .. }
                | WalkNotice::EmergencyOver { .. } => {}
            }
        }
        if let Entry::Fix(fix) = entry
            && walk.n_fixes > n_fixes
        {
            write_fix(fix, &mut points);
        }
    }
    points.push_str(closing.unwrap_or_default());
    // GPX has no waypoint without a place; a walk without any position has none to give.
    let here = walk.here.as_ref().map(|it| it.place);
    let waypoints = events
        .iter()
        .filter_map(|it| Some(waypoint(it, it.location.or(here)?)));
    (walk.started_at, waypoints.collect(), points)
}

fn waypoint(event: &WalkEvent, place: Place) -> String {
    let description = if event.note.is_empty() {
        String::new()
    } else {
        format!("<desc>{}</desc>", escaped(&event.note))
    };
    format!(
        "<wpt {}><time>{}</time><name>{kind}</name>{description}<type>{kind}</type></wpt>\n",
        coordinates(place),
        Instant(event.timestamp),
        kind = event.kind.key(),
    )
}

const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<gpx version=\"1.1\" creator=\"Walkies\" xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:walkies=\"urn:walkies:gpx:1\">\n",
);
const AFTER_GAP: &str = "</trkseg>\n";
const AFTER_PAUSE: &str = "<extensions><walkies:pause/></extensions></trkseg>\n";

/// Content of a GPX file that a walk can use.
#[derive(Default)]
struct File {
    name: String,
    segments: Vec<TrackSegment>,
    waypoints: Vec<GpxPoint>,
    n_points: usize,
}

#[derive(Default)]
struct TrackSegment {
    follows_pause: bool,
    fixes: Vec<Fix>,
    /// Points since the last fix that have a place and no time, each with time 0.
    untimed: Vec<Fix>,
    /// Fixes that got their time from their neighbors.
    n_timed: usize,
}

impl TrackSegment {
    /// Takes a point, if it has a place and is later than the one before.
    fn take(&mut self, point: &GpxPoint) {
        let Some(fix) = point.fix() else {
            return;
        };
        if point.time.is_none() {
            self.untimed.push(fix);
            return;
        }
        let last = self.fixes.last().copied();
        if last.is_some_and(|last| fix.at <= last.at) {
            return;
        }
        let untimed = std::mem::take(&mut self.untimed);
        if let Some(last) = last {
            self.time_between(last, untimed, fix);
        }
        self.fixes.push(fix);
    }

    /// Gives points between two fixes the times at which one who goes evenly from the first to the second passes them.
    fn time_between(&mut self, from: Fix, untimed: Vec<Fix>, to: Fix) {
        let mut along_m = 0.0;
        let mut before = from.place;
        let mut way = Vec::with_capacity(untimed.len());
        for fix in untimed {
            along_m += distance_m(before, fix.place);
            before = fix.place;
            way.push((along_m, fix));
        }
        let whole_m = along_m + distance_m(before, to.place);
        let mut last_at = from.at;
        for (along_m, fix) in way {
            let share = along_m / whole_m.max(f64::MIN_POSITIVE);
            let at = from.at + ((to.at - from.at) as f64 * share).round() as i64;
            if last_at < at && at < to.at {
                self.fixes.push(Fix { at, ..fix });
                self.n_timed += 1;
                last_at = at;
            }
        }
    }
}

/// A `trkpt` or `wpt`, as far as it says something that counts.
#[derive(Default)]
struct GpxPoint {
    place: Option<Place>,
    time: Option<i64>,
    altitude_dm: Option<i16>,
    accuracy_dm: u16,
    kind: Option<WalkEventKind>,
    note: String,
}

fn read(text: &str) -> Result<File, GpxError> {
    let mut reader = FileReader::default();
    let mut tokens = Tokens {
        rest: text.trim_start_matches('\u{feff}'),
        open_and_empty: None,
    };
    while let Some(token) = tokens.next()? {
        match token {
            Token::Open { name, attributes } => reader.open(name, attributes)?,
            Token::Text(text) => reader.text.push_str(&text),
            Token::Close { name } => reader.close(name),
        }
    }
    if reader.is_gpx {
        Ok(reader.file)
    } else {
        Err(GpxError::NotGpx)
    }
}

/// A file while it is read: what was found, and which elements are open.
#[derive(Default)]
struct FileReader<'a> {
    file: File,
    is_gpx: bool,
    path: Vec<&'a str>,
    point: GpxPoint,
    /// Since the last tag.
    text: String,
}

impl<'a> FileReader<'a> {
    fn open(&mut self, name: &'a str, attributes: &str) -> Result<(), GpxError> {
        self.text.clear();
        self.path.push(local(name));
        match self.path[..] {
            ["gpx"] => self.is_gpx = true,
            ["gpx", "trk", "trkseg"] => self.file.segments.push(TrackSegment::default()),
            ["gpx", "trk", "trkseg", "trkpt"] | ["gpx", "wpt"] => {
                self.point = GpxPoint {
                    place: place(attributes),
                    ..GpxPoint::default()
                };
            }
            ["gpx", ..] => {
                if name == PAUSE
                    && let Some(segment) = self.file.segments.last_mut()
                {
                    segment.follows_pause = true;
                }
            }
            _ => return Err(GpxError::NotGpx),
        }
        Ok(())
    }

    fn close(&mut self, name: &str) {
        let value = self.text.trim();
        let file = &mut self.file;
        match self.path[..] {
            ["gpx", "trk", "name"] if file.name.is_empty() => file.name = value.to_owned(),
            ["gpx", "trk", "trkseg", "trkpt", field] | ["gpx", "wpt", field] => {
                self.point.set(field, value)
            }
            ["gpx", "trk", "trkseg", "trkpt"] => {
                file.n_points += 1;
                if let Some(segment) = file.segments.last_mut() {
                    segment.take(&self.point);
                }
            }
            ["gpx", "wpt"] => file.waypoints.push(std::mem::take(&mut self.point)),
            _ => {}
        }
        self.text.clear();
        // An end without a beginning ends nothing; one that was forgotten ends with the one around it.
        if let Some(depth) = self.path.iter().rposition(|it| *it == local(name)) {
            self.path.truncate(depth);
        }
    }
}

impl GpxPoint {
    fn set(&mut self, field: &str, value: &str) {
        match field {
            "time" => self.time = time(value),
            "ele" => self.altitude_dm = value.parse().ok().and_then(altitude_dm),
            "hdop" => {
                let dilution = value.parse().ok().filter(|it: &f64| *it > 0.0);
                self.accuracy_dm = dilution.map_or(0, |it| decimeters(it * M_PER_HDOP));
            }
            "type" => self.kind = WalkEventKind::of_key(value),
            "desc" => self.note = value.to_owned(),
            _ => {}
        }
    }

    /// At time 0 where it has none.
    fn fix(&self) -> Option<Fix> {
        let (accuracy_dm, altitude_dm) = (self.accuracy_dm, self.altitude_dm);
        Some(Fix {
            at: self.time.unwrap_or_default(),
            place: self.place?,
            accuracy_dm,
            altitude_dm,
        })
    }
}

/// The waypoints that Walkies wrote, in order of time.
fn events(waypoints: Vec<GpxPoint>, mut next_id: impl FnMut() -> Id) -> Vec<Entry> {
    let event = |it: GpxPoint| {
        Some(Entry::Event {
            at: it.time?,
            kind: it.kind?,
            note: it.note,
            id: next_id(),
        })
    };
    let mut events: Vec<Entry> = waypoints.into_iter().filter_map(event).collect();
    events.sort_by_key(Entry::at);
    events
}

fn place(attributes: &str) -> Option<Place> {
    let degrees = |name| attribute(attributes, name)?.trim().parse::<f64>().ok();
    Place::from_degrees(degrees("lat")?, degrees("lon")?)
}

/// A piece of XML; comments and instructions are passed over, an empty element is opened and closed.
enum Token<'a> {
    Open { name: &'a str, attributes: &'a str },
    Close { name: &'a str },
    Text(Cow<'a, str>),
}

struct Tokens<'a> {
    rest: &'a str,
    /// An empty element whose end is still to be told.
    open_and_empty: Option<&'a str>,
}

impl<'a> Tokens<'a> {
    /// The next piece; `None` at the end, also where the file was cut off.
    fn next(&mut self) -> Result<Option<Token<'a>>, GpxError> {
        if let Some(name) = self.open_and_empty.take() {
            return Ok(Some(Token::Close { name }));
        }
        loop {
            let Some(markup) = self.rest.strip_prefix('<') else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at(end);
                if text.is_empty() {
                    return Ok(None);
                }
                self.rest = rest;
                return Ok(Some(Token::Text(unescaped(text))));
            };
            let cut_off = if let Some(data) = markup.strip_prefix("![CDATA[") {
                if let Some((text, rest)) = data.split_once("]]>") {
                    self.rest = rest;
                    return Ok(Some(Token::Text(text.into())));
                }
                true
            } else if let Some(comment) = markup.strip_prefix("!--") {
                self.pass_over(comment.split_once("-->"))
            } else if let Some(instruction) = markup.strip_prefix('?') {
                self.pass_over(instruction.split_once("?>"))
            } else if markup.starts_with('!') {
                // A document type: no GPX needs one, and entities are how such a file blows up.
                return Err(GpxError::NotGpx);
            } else {
                return Ok(self.tag(markup));
            };
            if cut_off {
                return Ok(None);
            }
        }
    }

    fn pass_over(&mut self, split: Option<(&'a str, &'a str)>) -> bool {
        self.rest = split.map_or("", |it| it.1);
        split.is_none()
    }

    fn tag(&mut self, markup: &'a str) -> Option<Token<'a>> {
        let (tag, rest) = markup.split_at_checked(tag_end(markup)?)?;
        if let Some(name) = tag.strip_prefix('/') {
            self.rest = rest.strip_prefix('>')?;
            return Some(Token::Close {
                name: name.trim_end(),
            });
        }
        let empty = tag.strip_suffix('/');
        let tag = empty.unwrap_or(tag);
        let (name, attributes) = tag.split_at(
            tag.find(|it: char| it.is_ascii_whitespace())
                .unwrap_or(tag.len()),
        );
        self.rest = rest.strip_prefix('>')?;
        self.open_and_empty = empty.map(|_| name);
        Some(Token::Open { name, attributes })
    }
}

/// Finds the end of a tag: the first `>` that is in no quotes.
fn tag_end(markup: &str) -> Option<usize> {
    let mut quote = None;
    for (at, character) in markup.char_indices() {
        match (quote, character) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    None
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (value, next) = after.get(1..)?.split_once(quote)?;
        if key.trim() == name {
            return Some(value);
        }
        rest = next;
    }
}

/// A name without its namespace's prefix, which every program chooses for itself.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |it| it.1)
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after
            .split_once(';')
            .and_then(|(name, rest)| Some((entity(name)?, rest)));
        rest = match entity {
            Some((character, rest)) => {
                plain.push(character);
                rest
            }
            None => {
                plain.push('&');
                after
            }
        };
    }
    plain.push_str(rest);
    plain.into()
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
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
    fn a_file_of_several_walks_has_a_track_for_each_and_is_read_again_as_one() {
        let walk = |seconds: std::ops::Range<u32>| {
            let points: String = seconds.map(point).collect();
            let text = file(&format!("<trk><trkseg>{points}</trkseg></trk>"));
            import(&text, ids()).unwrap().entries
        };
        let mut several = Export::default();
        several.add(&walk(600..660), "Evening & home");
        several.add(&walk(0..60), "Morning");
        let text = several.finish();
        assert_eq!(text.matches("<trk>").count(), 2);
        assert!(text.contains("<name>Evening &amp; home</name>"));
        assert!(text.contains("<metadata><time>2026-11-20T10:00:00"));
        let read = import(&text, ids()).unwrap();
        let fixes = read.entries.iter().filter(|it| matches!(it, Entry::Fix(_)));
        assert_eq!(fixes.count(), 120);
    }

    #[test]
    fn a_file_that_is_no_walk_says_why() {
        assert_eq!(refused(""), GpxError::NotGpx);
        assert_eq!(refused("%PDF-1.7"), GpxError::NotGpx);
        assert_eq!(refused("<kml/>"), GpxError::NotGpx);
        assert_eq!(refused("<html><gpx></gpx></html>"), GpxError::NotGpx);
        assert_eq!(refused("<gpx><trk><trkseg><trkpt lat="), GpxError::NoTrack);
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
    fn the_whole_points_of_a_file_that_was_cut_off_are_read() {
        let text = file(&format!(
            "<trk><trkseg>{}</trkseg></trk>",
            (0..10).map(point).collect::<String>()
        ));
        for cut in 0..=text.len() {
            let n_points = text[..cut].matches("</trkpt>").count();
            let read = import(&text[..cut], ids());
            let n_fixes = read.map_or(0, |it| replay(&it.entries).0.n_fixes);
            assert_eq!(n_fixes as usize, n_points, "cut at {cut}");
        }
    }

    #[test]
    fn what_other_programs_write_is_read() {
        let odd = "\u{feff}\n<?xml version='1.0'?><g:gpx xmlns:g='http://www.topografix.com/GPX/1/1'>\
            <g:trk><g:name> Hill &amp; <![CDATA[<d&le>]]> &#x263A;&nope; </g:name><g:link/><g:trkseg><!-- <g:trkpt> -->\
            <g:trkpt lon=' 8.5 ' lat='50'><g:time>2026-11-20T11:00:00+01:00</g:time><g:hdop>1.5</g:hdop></g:trkpt>\
            <g:trkpt lon='8.5' lat='50.0001'><g:time>2026-11-20T10:00:10</g:time></g:trkpt>\
            <g:trkpt note='a > b' lon='8.5' lat='95'><g:time>2026-11-20T10:00:20Z</g:time></g:trkpt>\
            <g:trkpt lon='8.5' lat='50.0002'><g:time>yesterday</g:time></g:trkpt>\
            <g:trkpt lon='8.5' lat='50.0002'><g:time>2026-11-20T10:00:05Z</g:time></g:trkpt>\
            <g:trkpt lon='8.5' lat='50'/></g:trkseg></g:trk></g:gpx>";
        let walk = import(odd, ids()).unwrap();
        assert_eq!(
            (walk.name.as_str(), walk.n_left_out),
            ("Hill & <d&le> \u{263A}&nope;", 4)
        );
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

    /// A straight track to the north: points of so many seconds and meters, without a time where there are no seconds.
    fn track(points: impl IntoIterator<Item = (Option<i64>, f64)>) -> String {
        let point = |(second, north_m): (Option<i64>, f64)| {
            let lat = 50.0 + north_m / 111_229.0;
            let time = second.map_or(String::new(), |it| {
                format!("<time>{}</time>", Instant(1_795_183_200_000 + it * 1000))
            });
            format!("<trkpt lat=\"{lat:.7}\" lon=\"8\">{time}</trkpt>")
        };
        let points: String = points.into_iter().map(point).collect();
        file(&format!("<trk><trkseg>{points}</trkseg></trk>"))
    }

    #[test]
    fn a_recorder_that_takes_a_position_every_minute_has_no_gaps() {
        for (interval, missed) in [(60, 99), (61, 99), (61, 20), (120, 99), (45, 10)] {
            let numbers = (0..50).filter(|it| *it != missed);
            let points = numbers.map(|it| (Some(it * interval), it as f64 * 80.0));
            let read = import(&track(points), ids()).unwrap();
            let (walk, _) = replay(&read.entries);
            assert_eq!((walk.n_gaps, walk.gap_ms), (0, 0), "{interval} {missed}");
            let whole_m = 49.0 * 80.0;
            assert!((walk.distance_m / whole_m - 1.0).abs() < 0.01, "{walk:?}");
            assert!(walk.moving_ms > 40 * interval * 1000, "{walk:?}");
            assert!(walk.is_at_least(), "corners between the positions are cut");
            let again = import(&export(&read.entries, ""), ids()).unwrap();
            assert_eq!(again.entries, read.entries);
        }
        // Hours without a position are a gap to such a recorder, too, and it is for one that takes a position each second.
        let minutes = (0..30).map(|it| (Some(it * 61 + it / 20 * 3600), it as f64 * 80.0));
        let seconds = (0..300).map(|it| (Some(it + it / 150 * 61), it as f64));
        for text in [track(minutes), track(seconds)] {
            let (walk, _) = replay(&import(&text, ids()).unwrap().entries);
            assert_eq!(walk.n_gaps, 1);
        }
    }

    #[test]
    fn points_without_a_time_get_one_between_their_neighbors_and_that_is_said() {
        let timed = |it: i64| matches!(it, 0..=2 | 150 | 299).then_some(it);
        let points = (0..300).map(|it| (timed(it), it as f64 * 1.3));
        let read = import(&track(points), ids()).unwrap();
        assert_eq!((read.n_timed, read.n_left_out), (295, 0));
        assert_eq!(
            read.notice().as_deref(),
            Some(
                "295 of 300 points have no time. Theirs is estimated from the points around them."
            )
        );
        let (walk, _) = replay(&read.entries);
        assert_eq!(walk.n_gaps, 0);
        assert!(
            (walk.distance_m / (299.0 * 1.3) - 1.0).abs() < 0.05,
            "{walk:?}"
        );
    }

    #[test]
    fn points_that_are_left_out_are_told() {
        // Before the first time, behind the last, and out of order.
        let points = [None, Some(0), Some(10), Some(5), None].map(|it| (it, 1.0));
        let read = import(&track(points), ids()).unwrap();
        assert_eq!(
            read.notice().as_deref(),
            Some("3 of 5 points were left out: no place, no time, or a time out of order.")
        );
        let whole = track([(Some(0), 0.0), (Some(10), 10.0)]);
        assert_eq!(import(&whole, ids()).unwrap().notice(), None);
    }

    #[test]
    fn a_walk_comes_back_from_its_own_file() {
        use crate::walk::{Recording, WalkInput, decode, log_header};
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
        let mut recording = Recording::default();
        let mut log = log_header();
        let mut hand_in = |second: i64, inputs: Vec<WalkInput>| {
            log.extend(recording.take(inputs, second * 1000));
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
