//! The steps of a search that finds nothing: each is farther from what was typed.

/// How far a search is from what was typed; the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Everything as typed.
    AsTyped,
    /// Words may have mistakes in typing; one character of a Chinese phrase may be wrong.
    Spelling,
    /// The words of phrases may be anywhere, and those of a field in any field.
    Loose,
    /// One of the words may be missing.
    OneLess,
    /// Half of the words may be missing.
    Half,
    /// One of the words is enough.
    One,
}

impl Step {
    /// The number of conditions that have to match out of a number of them.
    pub const fn least(self, count: usize) -> usize {
        match self {
            Self::AsTyped | Self::Spelling | Self::Loose => count,
            Self::OneLess => count.saturating_sub(1),
            Self::Half => count.div_ceil(2),
            Self::One => 1,
        }
    }
}
