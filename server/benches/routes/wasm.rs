//! Owns what the browser measured: the times of the app's own module, written by `pwa/bench/routes.bench.ts`.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use crate::stats::quantile;

const FILE: &str = "target/bench/routes/browser.json";

/// All that was measured in the browser.
#[derive(Clone, Debug, Deserialize)]
pub struct InBrowser {
    /// Its name and version.
    pub browser: String,
    pub areas: Vec<OfArea>,
}

/// The times of one area.
#[derive(Clone, Debug, Deserialize)]
pub struct OfArea {
    pub name: String,
    pub answers: Vec<Timed>,
}

/// One request's time.
#[derive(Clone, Debug, Deserialize)]
pub struct Timed {
    pub minutes: u32,
    /// On tiles that are joined already.
    pub ms: f64,
    /// From the tiles' bytes to a network that can be asked.
    pub load_ms: f64,
}

impl InBrowser {
    /// Nothing if the browser has not measured.
    pub fn read() -> Result<Option<Self>> {
        if !Path::new(FILE).exists() {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&fs::read(FILE)?)?))
    }

    pub fn area(&self, name: &str) -> Option<OfArea> {
        self.areas.iter().find(|it| it.name == name).cloned()
    }
}

impl OfArea {
    pub fn ms(&self, minutes: u32) -> Vec<f64> {
        let answers = self.answers.iter().filter(|it| it.minutes == minutes);
        answers.map(|it| it.ms).collect()
    }

    pub fn load_ms(&self) -> Vec<f64> {
        self.answers.iter().map(|it| it.load_ms).collect()
    }

    pub fn p95_ms(&self, minutes: u32) -> f64 {
        quantile(&self.ms(minutes), 0.95)
    }
}
