//! Bounds of the figures of benchmarks.

use std::process::ExitCode;

/// The bounds of a run that were not met. A benchmark prints all of its figures before it fails because of one.
#[derive(Default)]
pub struct Missed(Vec<String>);

impl Missed {
    /// Whether a figure is within its bound, as text; `figure` is what it is a figure of.
    pub fn verdict(&mut self, figure: &str, met: bool, bound: &str) -> String {
        if !met {
            self.0.push(format!("{figure}: {bound}"));
        }
        format!("needed {bound}: {}", if met { "met" } else { "NOT MET" })
    }

    /// Prints the bounds that were not met, after everything else, and returns what `main` returns: failure if there are any.
    pub fn exit_code(&self) -> ExitCode {
        if self.0.is_empty() {
            println!("all bounds are met");
            return ExitCode::SUCCESS;
        }
        println!("bounds NOT MET:");
        for bound in &self.0 {
            println!("  {bound}");
        }
        ExitCode::FAILURE
    }
}
