//! What this process has used, and how times are told.

use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Processor time of this process, with all its threads and those that have ended.
pub fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The name of the program, in brackets, may have spaces. Behind it, the fields 14 and 15 are the times in ticks of 10 ms.
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// Megabytes of memory that a line of `/proc/self/status` states: `RssAnon` for its own, `RssFile` for files that are mapped into it, or
/// `VmHWM` for the most of both so far.
pub fn memory(line: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let found =
        text.lines().find_map(|one| one.strip_prefix(line)?.strip_prefix(':')?.split_whitespace().next()?.parse().ok());
    found.unwrap_or(0_u64) / 1024
}

/// Bytes of the files in a folder.
pub fn bytes(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap().flatten();
    files.map(|file| file.metadata().unwrap()).map(|file| if file.is_file() { file.len() } else { 0 }).sum()
}

/// Milliseconds, in ascending order.
pub struct Times(Vec<f64>);

impl Times {
    /// The time of each of these calls.
    pub fn of<T>(asked: &[T], mut call: impl FnMut(&T)) -> Self {
        let time = |one: &T| {
            let started = Instant::now();
            call(one);
            started.elapsed().as_secs_f64() * 1e3
        };
        Self::new(asked.iter().map(time).collect())
    }

    pub fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    pub fn percentile(&self, part: f64) -> f64 {
        self.0[((self.0.len() - 1) as f64 * part) as usize]
    }

    pub fn half(&self) -> f64 {
        self.percentile(0.5)
    }

    pub fn most(&self) -> f64 {
        self.percentile(0.99)
    }

    pub fn text(&self) -> String {
        format!("p50 {:.2} ms, p99 {:.2} ms", self.half(), self.most())
    }
}
