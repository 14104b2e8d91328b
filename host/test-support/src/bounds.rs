//! Bounds of the figures of benchmarks.

/// Whether a figure is within its bound, as text.
#[must_use]
pub fn verdict(met: bool, bound: &str) -> String {
    format!("needed {bound}: {}", if met { "met" } else { "NOT MET" })
}

/// The bounds of a run that were not met, to be named again at its end.
#[derive(Default)]
pub struct Missed(Vec<String>);

impl Missed {
    /// Whether a figure is within its bound, as text; `figure` is what it is a figure of.
    pub fn verdict(&mut self, figure: &str, met: bool, bound: &str) -> String {
        if !met {
            self.0.push(format!("{figure} {bound}"));
        }
        verdict(met, bound)
    }

    /// The bounds in one line.
    #[must_use]
    pub fn text(&self) -> String {
        if self.0.is_empty() {
            "all bounds are met".to_owned()
        } else {
            format!("bounds NOT MET: {}", self.0.join("; "))
        }
    }
}
