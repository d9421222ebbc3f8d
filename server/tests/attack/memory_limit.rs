//! Owns the memory that the attacked process may take: a control group ends it where it takes more, and where there is none, it
//! gets no more address space than it has at its start with as much beside it.

use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

/// Threads have their stacks in the address space, most of which are never touched.
const STACKS_MB: f64 = 256.0;

/// The places of control groups, with the files that limit one: of the second version and of the first.
const GROUPS: [(&str, &str, &str); 2] = [
    ("/sys/fs/cgroup", "memory.max", "memory.swap.max"),
    (
        "/sys/fs/cgroup/memory",
        "memory.limit_in_bytes",
        "memory.memsw.limit_in_bytes",
    ),
];

/// Groups that were asked for, so that each of this process's has a name of its own.
static GROUPS_MADE: AtomicUsize = AtomicUsize::new(0);

/// The limit of one process, as long as it runs.
pub struct MemoryLimit {
    bytes: u64,
    group: Option<PathBuf>,
}

impl MemoryLimit {
    pub fn new(megabytes: f64) -> Self {
        let bytes = (megabytes * 1024.0 * 1024.0) as u64;
        let number = GROUPS_MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("walkies-attack-{}-{number}", std::process::id());
        let group = GROUPS.iter().find_map(|(root, limit, swap)| {
            let group = Path::new(root).join(&name);
            let _ = std::fs::create_dir(&group);
            let is_limited = std::fs::write(group.join(limit), bytes.to_string()).is_ok();
            if !is_limited {
                let _ = std::fs::remove_dir(&group);
                return None;
            }
            // Not every kernel counts what is swapped.
            let no_swap = if *root == "/sys/fs/cgroup" { 0 } else { bytes };
            let _ = std::fs::write(group.join(swap), no_swap.to_string());
            Some(group)
        });
        Self { bytes, group }
    }

    /// The same process within the limit, if there is a control group for it.
    pub fn confined(&self, process: &Process) -> Process {
        let mut confined = Process::new("sh");
        let script = match &self.group {
            Some(_) => r#"echo $$ > "$0/cgroup.procs" && exec "$@""#,
            None => r#"exec "$@""#,
        };
        let group = self.group.as_deref().unwrap_or(Path::new("sh"));
        confined.args(["-c", script]).arg(group);
        confined.arg(process.get_program()).args(process.get_args());
        confined
    }

    /// Limits a process that runs, where there is no control group.
    pub fn limit(&self, id: u32, mapped_mb: f64, resident_mb: f64) {
        if self.group.is_some() {
            return;
        }
        let room = (mapped_mb - resident_mb + STACKS_MB) * 1024.0 * 1024.0;
        let most = self.bytes + room as u64;
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
        prlimit(pid, Resource::As, limit).expect("the process is ours");
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            let _ = std::fs::remove_dir(group);
        }
    }
}
