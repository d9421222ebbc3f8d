//! Owns how an import tells a person how far it is, on standard error: on a terminal in one line that changes, else, as
//! in a log, in a line per second at most.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use super::maker::{Phase, Progress};
use super::mirror::Step;

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
        self.print(line(progress));
    }

    /// Tells how far a mirror's region is; a note is told in any case, and stays.
    pub fn tell_step(&mut self, step: Step) {
        match step {
            Step::Note(text) => {
                if self.is_terminal && self.told.take().is_some() {
                    eprint!("\r\x1b[K");
                }
                eprintln!("{text}");
            }
            Step::Downloading(done, total) => self.print(download_line(done, total)),
            Step::Importing(progress) => self.tell(progress),
        }
    }

    fn print(&mut self, line: String) {
        let every = if self.is_terminal {
            TERMINAL_EVERY
        } else {
            LOG_EVERY
        };
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

fn download_line(done: u64, total: Option<u64>) -> String {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    match total {
        Some(total) => {
            let percent = done.saturating_mul(100) / total.max(1);
            format!(
                "downloading the extract: {} of {} MB, {percent} %",
                megabytes(done),
                megabytes(total)
            )
        }
        None => format!("downloading the extract: {} MB", megabytes(done)),
    }
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
        assert_eq!(
            download_line(12_400_000, Some(49_600_000)),
            "downloading the extract: 13 of 50 MB, 25 %"
        );
        assert_eq!(download_line(1, None), "downloading the extract: 1 MB");
    }
}
