//! Look-up of a journal by the name that API calls use for it.

use masthead_domain::publication::Journal;

/// The index of a journal in `all` that is named by its key or by its position from 1; `None` for an unknown name.
pub fn position(all: &[Journal], name: &str) -> Option<usize> {
    let by_key = all.iter().position(|journal| journal.key == name);
    by_key.or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < all.len()))
}
