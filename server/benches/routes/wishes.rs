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

/// What came of the wishes in one area.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Wishes {
    /// Of each request from which a loop may begin: the share of the next best walk that was offered before.
    pub again: Vec<f64>,
    /// The share of the best walks in parks and woods, where that is wished for and where it is not.
    pub green: Vec<f64>,
    pub green_unasked: Vec<f64>,
    /// Meters up on the best walks, where they are loops all three.
    pub climb_m: f64,
    pub climb_flat_m: f64,
    pub climb_hilly_m: f64,
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
        let usual = best(router, &asked.request)?;
        let mut with = |change: fn(&mut RouteRequest)| {
            let mut request = asked.request.clone();
            change(&mut request);
            best(router, &request)
        };
        let unasked = with(|it| it.preferences.prefer_parks = false)?;
        let flat = with(|it| it.preferences.hilliness = Hilliness::Flat)?;
        let hilly = with(|it| it.preferences.hilliness = Hilliness::Hilly)?;
        let green = |it: &GeneratedRoute| anyhow::Ok(under.walk(&points(it)?).green);
        self.green.push(green(&usual)?);
        self.green_unasked.push(green(&unasked)?);
        // Out and back along the one road of a valley nothing can be chosen.
        if [&usual, &flat, &hilly]
            .iter()
            .all(|it| it.kind == RouteKind::Loop)
        {
            self.climb_m += usual.elevation_gain;
            self.climb_flat_m += flat.elevation_gain;
            self.climb_hilly_m += hilly.elevation_gain;
        }
        Ok(())
    }
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
