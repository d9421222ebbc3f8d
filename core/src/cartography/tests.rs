//! Tests of whole sheets: whatever a tile says it is drawn, sheets fit together, and no name is cut or covered.

use proptest::prelude::*;

use super::*;
use crate::map::testing::{self, BLOCK, ID};
use crate::map::tests::tile;
use crate::map::*;

/// A town of crossing streets, each with its name, and a park.
fn town() -> Tile {
    let mut tile = testing::town(26, 150);
    let at = |column: u32, row: u32| testing::at(150 + column * BLOCK, 150 + row * BLOCK);
    let ring = [(0, 0), (5, 0), (5, 5), (0, 5)]
        .map(|(x, y)| at(x, y))
        .to_vec();
    tile.drawing.areas.push(Area {
        kind: AreaKind::Park,
        rings: vec![ring],
    });
    tile.drawing.labels.push(Label {
        kind: LabelKind::Suburb,
        at: at(0, 0),
        name: 0,
    });
    tile
}

fn atlas(tile: &Tile) -> Atlas {
    let mut atlas = Atlas::default();
    atlas.add(&tile.encode()).unwrap();
    atlas
}

/// All sheets of the tile at a zoom.
fn sheets(zoom: u32) -> impl Iterator<Item = SheetId> {
    let deeper = zoom - TILE_ZOOM;
    let (left, top, across) = (ID.x << deeper, ID.y << deeper, 1 << deeper);
    (0..across * across).map(move |it| SheetId {
        zoom,
        x: left + it % across,
        y: top + it / across,
    })
}

/// Converts the place of a mark from px of its sheet to px of the whole tile.
fn on_tile(id: SheetId, mark: &Mark) -> (f64, f64) {
    let deeper = id.zoom - TILE_ZOOM;
    let (left, top) = (id.x - (ID.x << deeper), id.y - (ID.y << deeper));
    (
        mark.x + f64::from(left) * SHEET_PX,
        mark.y + f64::from(top) * SHEET_PX,
    )
}

#[test]
fn a_sheet_whose_tile_is_not_here_is_none() {
    let mut atlas = atlas(&town());
    assert_eq!(
        atlas.draw(SheetId {
            zoom: 13,
            x: ID.x + 1,
            y: ID.y
        }),
        None
    );
    assert_eq!(
        atlas.draw(SheetId {
            zoom: 3,
            x: 4,
            y: 2
        }),
        None
    );
    assert!(
        atlas
            .draw(SheetId {
                zoom: 12,
                x: ID.x / 2,
                y: ID.y / 2
            })
            .is_some()
    );
    atlas.remove(ID);
    assert_eq!(
        atlas.draw(SheetId {
            zoom: 13,
            x: ID.x,
            y: ID.y
        }),
        None
    );
}

#[test]
fn a_sheet_asks_for_the_tiles_under_it_and_for_those_around() {
    let deep = SheetId {
        zoom: 16,
        x: ID.x * 8 + 3,
        y: ID.y * 8 + 7,
    };
    assert_eq!((deep.own(), deep.around().len()), (vec![ID], 8));
    let wide = SheetId {
        zoom: 12,
        x: 2331,
        y: 1185,
    };
    assert_eq!((wide.own().len(), wide.around().len()), (4, 12));
    assert!(wide.own().contains(&ID));
}

#[test]
fn streets_are_lines_across_the_sheet_and_a_park_is_an_area() {
    let sheet = atlas(&town())
        .draw(SheetId {
            zoom: 15,
            x: ID.x * 4,
            y: ID.y * 4,
        })
        .unwrap();
    let is = |what: u32, kind: u32| {
        sheet.batches.starts_with(&[what, kind])
            || sheet.batches.windows(2).any(|it| it == [what, kind])
    };
    assert!(is(0, AreaKind::Park as u32));
    assert!(is(1, LineClass::Residential as u32));
    let n_points: u32 = n_points(&sheet);
    assert_eq!(n_points as usize * 2, sheet.points.len());
    // Nothing runs on far beyond the border.
    assert!(sheet.points.iter().all(|it| (-40.0..300.0).contains(it)));
}

fn n_points(sheet: &Sheet) -> u32 {
    let mut rest = sheet.batches.as_slice();
    let mut sum = 0;
    while let [_, _, _, n_parts, after @ ..] = rest {
        let (lengths, after) = after.split_at(*n_parts as usize);
        sum += lengths.iter().sum::<u32>();
        rest = after;
    }
    sum
}

#[test]
fn every_street_has_its_name_and_none_covers_another_or_is_cut() {
    let mut atlas = atlas(&town());
    for zoom in [15, 16, 17, 18] {
        let mut all: Vec<(String, f64, f64, f64, f64)> = Vec::new();
        for id in sheets(zoom) {
            for mark in atlas.draw(id).unwrap().marks {
                let (x, y) = on_tile(id, &mark);
                let half = mark.text.chars().count() as f64 * 0.56 * mark.letters / 2.0;
                let (wide, high) = if mark.angle.abs() < 0.1 {
                    (half, mark.letters / 2.0)
                } else {
                    (mark.letters / 2.0, half)
                };
                let it = (mark.text, x, y, wide, high);
                if !all.contains(&it) {
                    all.push(it);
                }
            }
        }
        assert!(all.len() >= 26, "{zoom}: {}", all.len());
        let side = SHEET_PX * f64::from(1_u32 << (zoom - TILE_ZOOM));
        for (index, (text, x, y, wide, high)) in all.iter().enumerate() {
            assert!(
                x - wide >= 0.0 && x + wide <= side && y - high >= 0.0 && y + high <= side,
                "{text} at {x} {y}"
            );
            for (other, x2, y2, wide2, high2) in &all[index + 1..] {
                let is_free = (x - x2).abs() >= wide + wide2 || (y - y2).abs() >= high + high2;
                assert!(is_free, "{text} and {other} at {x} {y}");
            }
        }
    }
}

#[test]
fn a_name_that_reaches_over_a_border_of_sheets_is_on_both() {
    let mut atlas = atlas(&town());
    let zoom = 17;
    let all: Vec<(SheetId, Mark)> = sheets(zoom)
        .flat_map(|id| {
            atlas
                .draw(id)
                .unwrap()
                .marks
                .into_iter()
                .map(move |it| (id, it))
                .collect::<Vec<_>>()
        })
        .collect();
    let mut n_shared = 0;
    for (id, mark) in &all {
        let half = mark.text.chars().count() as f64 * 0.56 * mark.letters / 2.0;
        if mark.angle.abs() < 0.1
            && mark.x < SHEET_PX
            && mark.x + half > SHEET_PX + 1.0
            && (0.0..SHEET_PX).contains(&mark.y)
        {
            let right = SheetId { x: id.x + 1, ..*id };
            let there = all.iter().any(|(it, other)| {
                *it == right
                    && other.text == mark.text
                    && (other.x + SHEET_PX - mark.x).abs() < 1e-6
            });
            assert!(there, "{} at {:?}", mark.text, id);
            n_shared += 1;
        }
    }
    assert!(n_shared > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_a_tile_says_it_is_drawn(tile in tile(), zoom in 12..=20_u32, x in -1..=1_i32, y in -1..=1_i32) {
        let mut atlas = atlas(&tile);
        let deeper = zoom.saturating_sub(13);
        let at = |corner: u32, by: i32| (corner << deeper >> 13_u32.saturating_sub(zoom)).saturating_add_signed(by);
        let id = SheetId { zoom, x: at(ID.x, x), y: at(ID.y, y) };
        if let Some(sheet) = atlas.draw(id) {
            prop_assert_eq!(n_points(&sheet) as usize * 2, sheet.points.len());
            prop_assert!(sheet.points.iter().all(|it| it.is_finite()));
        }
        prop_assert_eq!(atlas.draw(id), atlas.draw(id));
    }
}
