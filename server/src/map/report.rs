//! Owns how an import tells a person how far it is, on standard error: on a terminal in one line that changes, else, as
//! in a log, in a line per second at most.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use super::maker::{Phase, Progress};

const TERMINAL_EVERY: Duration = Duration::from_millis(100);
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Reports the progress of an import, and remembers the line that was printed last and when.
#[derive(Debug)]
pub struct ProgressReport {
    is_terminal: bool,
    told: Option<(Instant, String)>,
}

impl Default for ProgressReport {
    fn default() -> Self {
        Self {
            is_terminal: std::io::stderr().is_terminal(),
            told: None,
        }
    }
}

impl ProgressReport {
    /// Tells it, unless something was told just now.
    pub fn tell(&mut self, progress: Progress) {
        let every = if self.is_terminal {
            TERMINAL_EVERY
        } else {
            LOG_EVERY
        };
        let line = line(progress);
        if let Some((at, last)) = &self.told
            && (at.elapsed() < every || *last == line)
        {
            return;
        }
        let mut out = std::io::stderr();
        // Whoever closed it does not want to know.
        let _ = if self.is_terminal {
            write!(out, "\r\x1b[K{line}")
        } else {
            writeln!(out, "{line}")
        };
        self.told = Some((Instant::now(), line));
    }
}

impl Drop for ProgressReport {
    fn drop(&mut self) {
        if self.is_terminal && self.told.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

fn line(progress: Progress) -> String {
    let (step, what) = match progress.phase {
        Phase::Reading => (1, "reading the extract"),
        Phase::Locating => (2, "finding where its ways are"),
        Phase::Dealing => (3, "dealing them out to tiles"),
        Phase::Building => (4, "making the tiles"),
    };
    // Whole percents, rounded down: 100 is shown when all is done.
    let percent = (progress.share.clamp(0.0, 1.0) * 100.0) as u32;
    format!("{step} of 4, {what}: {percent} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_step_and_its_share() {
        let line = |phase, share| line(Progress { phase, share });
        assert_eq!(
            line(Phase::Reading, 0.999),
            "1 of 4, reading the extract: 99 %"
        );
        assert_eq!(
            line(Phase::Building, 1.0),
            "4 of 4, making the tiles: 100 %"
        );
    }
}
