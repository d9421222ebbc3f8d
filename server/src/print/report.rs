//! Owns a shared report without scripts: its words, its photos and the way as a drawing.

use maud::{Markup, html};
use walkies_core::report::{PageMap, ReportPage};
use walkies_core::values::place::Place;

/// Side of the square that the way is drawn in.
const SIDE: f64 = 320.0;
/// Space around the way.
const MARGIN: f64 = 10.0;

/// The contents of a report's page; `photo` gives the address of a photo by its number.
pub fn without_scripts(page: &ReportPage, photo: impl Fn(usize) -> String) -> Markup {
    html! {
        main {
            p { bdi { (page.business_name) } }
            h1 { (page.title) }
            p { (page.date) ", " (page.times) ", " (page.duration) @if let Some(it) = &page.distance { ", " (it) } }
            @if let Some(it) = &page.not_recorded { p { (it) } }
            @if !page.note.is_empty() { blockquote dir="auto" { (page.note) } }
            @if let Some(map) = &page.map { (drawing(map)) }
            ul {
                @for event in &page.events {
                    li {
                        (event.time) " " bdi { (event.text) }
                        @if let Some(it) = &event.dogs { " (" bdi { (it) } ")" }
                        @if let Some(number) = event.photo {
                            br;
                            img src=(photo(number)) alt=(format!("Photo of {}", event.time)) width="320";
                        }
                    }
                }
            }
        }
    }
}

/// The way with north at the top, as large as it fits; parts that were not recorded are dashed.
fn drawing(map: &PageMap) -> Markup {
    let places: Vec<&Place> = map.lines.iter().flatten().collect();
    let span = |of: fn(&Place) -> i32| {
        let all = places.iter().map(|it| f64::from(of(it)));
        all.fold((f64::MAX, f64::MIN), |(least, most), it| {
            (least.min(it), most.max(it))
        })
    };
    let (south, north) = span(|it| it.lat_e7);
    let (west, east) = span(|it| it.lon_e7);
    // A degree of longitude is shorter the farther from the equator.
    let narrowing = ((south + north) / 2.0 / 1e7).to_radians().cos();
    let longest = (north - south).max((east - west) * narrowing).max(1.0);
    let scale = (SIDE - 2.0 * MARGIN) / longest;
    let at = |place: &Place| {
        let x = MARGIN + (f64::from(place.lon_e7) - west) * narrowing * scale;
        let y = MARGIN + (north - f64::from(place.lat_e7)) * scale;
        format!("{x:.1},{y:.1}")
    };
    let points = |line: &[Place]| line.iter().map(at).collect::<Vec<_>>().join(" ");
    html! {
        svg viewBox=(format!("0 0 {SIDE} {SIDE}")) width="320" height="320" role="img" aria-label="Map of the way, north at the top"
            fill="none" stroke="currentColor" stroke-width="3" stroke-linejoin="round" stroke-linecap="round" {
            @for line in &map.lines { polyline points=(points(line)); }
            @for gap in &map.gaps { polyline points=(points(&[gap.from, gap.to])) stroke-dasharray="6 8"; }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walkies_core::values::units::Units;

    #[test]
    fn the_way_is_drawn_within_its_square_with_north_at_the_top() {
        let place = |lat_e7, lon_e7| Place { lat_e7, lon_e7 };
        let map = PageMap {
            lines: vec![vec![
                place(600_000_000, 250_000_000),
                place(600_010_000, 250_010_000),
            ]],
            gaps: Vec::new(),
            units: Units::Metric,
        };
        let drawn = drawing(&map).into_string();
        // At 60 degrees north a degree of longitude is half as long.
        assert!(
            drawn.contains("points=\"10.0,310.0 160.0,10.0\""),
            "{drawn}"
        );
    }

    #[test]
    fn a_way_of_one_place_is_drawn_in_the_corner() {
        let map = PageMap {
            lines: vec![vec![Place::default()]],
            gaps: Vec::new(),
            units: Units::Metric,
        };
        assert!(drawing(&map).into_string().contains("points=\"10.0,10.0\""));
    }
}
