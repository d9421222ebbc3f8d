//! Owns whether what a person wishes shows in the walks: others when others are asked for, green, flat, hilly.

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use walkies_core::map::Point;
use walkies_core::route::{GeneratedRoute, Hilliness, RouteKind, RouteRequest, Router};
use walkies_core::values::encoded_line;

use crate::measure::shared;
use crate::native::{Asked, degrees};
use crate::under::Under;

/// The walk on which wishes are tried.
const MINUTES: u32 = 30;
/// By so much what is wished for changes what comes, where the ground has it.
pub const GREENER: f64 = 1.5;
pub const FLATTER: f64 = 0.67;
pub const HILLIER: f64 = 1.33;
/// Meters up in half an hour, from which on one has walked up a hill.
const HILLS_M: f64 = 15.0;
/// The share of a green walk, where others have none.
const GREEN_AT_ALL: f64 = 0.1;

/// Results of the wishes in one area.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Wishes {
    /// For each request from which a loop may begin, the share of the next best walk that was offered before.
    pub again: Vec<f64>,
    /// The share of the best walks in parks and woods.
    pub green: Wish,
    /// The same from places from which a walk is known that is greener by half.
    pub green_where_possible: Wish,
    /// Meters up on the best walk of each place.
    pub usual_climb_m: Vec<f64>,
    /// Meters up on the best walks, from places from which a walk is known that climbs a third less, or more.
    pub flat: Wish,
    pub hilly: Wish,
}

/// Totals of something over the best walks from some places.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Wish {
    /// Total of the walks for which it was not wished.
    unasked: f64,
    /// Total of the walks for which it was wished.
    asked: f64,
}

impl Wish {
    fn count(&mut self, unasked: f64, asked: f64) {
        self.unasked += unasked;
        self.asked += asked;
    }

    /// How many times what it is unasked; no number where nothing was counted.
    pub fn times(&self) -> f64 {
        self.asked / self.unasked
    }
}

impl Wishes {
    /// Asks for other walks than those that were offered.
    pub fn ask_again(&mut self, router: &mut Router, asked: &Asked) -> Result<()> {
        let Ok(first) = router.generate(&asked.request) else {
            return Ok(());
        };
        let request = RouteRequest {
            seed: asked.request.seed + 1,
            shown: first.iter().map(|it| it.geometry.clone()).collect(),
            ..asked.request.clone()
        };
        let next = best(router, &request)?;
        let mut most: f64 = 0.0;
        for it in &first {
            most = most.max(shared(&line(&next)?, &line(it)?));
        }
        self.again.push(most);
        Ok(())
    }

    /// Asks for half an hour with other wishes.
    pub fn ask_otherwise(
        &mut self,
        router: &mut Router,
        under: &Under,
        asked: &Asked,
    ) -> Result<()> {
        if asked.request.duration != MINUTES {
            return Ok(());
        }
        let mut with = |change: fn(&mut RouteRequest)| {
            let mut request = asked.request.clone();
            change(&mut request);
            anyhow::Ok(router.generate(&request)?)
        };
        let usual = with(|_| ())?;
        let without_parks = with(|it| it.preferences.prefer_parks = false)?;
        let flat = with(|it| it.preferences.hilliness = Hilliness::Flat)?;
        let hilly = with(|it| it.preferences.hilliness = Hilliness::Hilly)?;
        let all = [&usual, &without_parks, &flat, &hilly];
        let known: Vec<&GeneratedRoute> = all.into_iter().flatten().collect();

        let mut greens = Vec::new();
        for it in &known {
            greens.push((it.kind, under.walk(&points(it)?).green));
        }
        let green = |it: &GeneratedRoute| anyhow::Ok(under.walk(&points(it)?).green);
        let (first, unasked) = (green(&usual[0])?, green(&without_parks[0])?);
        self.green.count(unasked, first);
        let greener = (GREENER * unasked).max(GREEN_AT_ALL);
        if has(&greens, &without_parks[0], |it| greener <= it) {
            self.green_where_possible.count(unasked, first);
        }

        let climbs = known.iter().map(|it| (it.kind, it.elevation_gain));
        let climbs: Vec<(RouteKind, f64)> = climbs.collect();
        let climb = usual[0].elevation_gain;
        self.usual_climb_m.push(climb);
        if HILLS_M <= climb && has(&climbs, &usual[0], |it| it <= FLATTER * climb) {
            self.flat.count(climb, flat[0].elevation_gain);
        }
        let hillier = (HILLIER * climb).max(HILLS_M);
        if has(&climbs, &usual[0], |it| hillier <= it) {
            self.hilly.count(climb, hilly[0].elevation_gain);
        }
        Ok(())
    }
}

/// True if a known walk fulfills `is_like` and is no less of a loop than the best one.
fn has(known: &[(RouteKind, f64)], best: &GeneratedRoute, is_like: impl Fn(f64) -> bool) -> bool {
    let mut known = known.iter();
    known.any(|(kind, it)| *kind <= best.kind && is_like(*it))
}

fn best(router: &mut Router, request: &RouteRequest) -> Result<GeneratedRoute> {
    let mut found = router.generate(request)?;
    Ok(found.swap_remove(0))
}

fn points(route: &GeneratedRoute) -> Result<Vec<Point>> {
    let line = encoded_line::decode(&route.geometry).context("a line that can be read")?;
    Ok(line.into_iter().map(Point::at).collect())
}

fn line(route: &GeneratedRoute) -> Result<Vec<(f64, f64)>> {
    Ok(points(route)?.into_iter().map(degrees).collect())
}
