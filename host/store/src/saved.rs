//! Outcome of storing a value.

/// Outcome of storing a value, with its number ([`masthead_domain::ArticleId`] for articles; journals and issues have none,
/// theirs is `()`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved<Id> {
    /// It is new.
    Created(Id),
    /// It replaced a different value under the same number.
    Updated(Id),
    /// The same value is stored already: nothing was written.
    Unchanged(Id),
}

impl<Id: Copy> Saved<Id> {
    /// Its number.
    #[must_use]
    pub const fn id(self) -> Id {
        match self {
            Self::Created(id) | Self::Updated(id) | Self::Unchanged(id) => id,
        }
    }
}
