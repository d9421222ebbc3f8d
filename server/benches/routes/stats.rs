//! Owns the numbers that sum samples up, and how much memory this process has held.

use anyhow::{Context as _, Result};

/// The sample below which this share of all lie; not a number where there are none.
pub fn quantile(samples: &[f64], share: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1) as f64;
    let index = (last * share).round() as usize;
    sorted.get(index).copied().unwrap_or(f64::NAN)
}

pub fn median(samples: &[f64]) -> f64 {
    quantile(samples, 0.5)
}

pub fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// The share of the samples for which it is true, in percent.
pub fn percent<T>(samples: &[T], is: impl Fn(&T) -> bool) -> f64 {
    let n = samples.iter().filter(|it| is(it)).count();
    n as f64 / samples.len() as f64 * 100.0
}

/// The most memory that this process has held so far, in megabytes.
pub fn peak_mb() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kib = line.and_then(|it| it.trim().strip_suffix(" kB"));
    let kib: f64 = kib.context("Linux says how much memory it was")?.parse()?;
    Ok(kib * 1024.0 / 1e6)
}
