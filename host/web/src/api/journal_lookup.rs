//! Look-up of a journal by the name that API calls use for it.

use masthead_domain::publication::Journal;

/// The journal of `shown`, those that readers see, that is named by its key or by its position among `all` journals of the site, from 1. The
/// position of a journal does not depend on which others are shown.
pub fn find<'a>(all: &[Journal], shown: &'a [Journal], name: &str) -> Option<&'a Journal> {
    let key = &all.get(position(all, name)?)?.key;
    shown.iter().find(|journal| journal.key == *key)
}

/// The index of a journal in `all` that is named by its key or by its position from 1; `None` for an unknown name.
fn position(all: &[Journal], name: &str) -> Option<usize> {
    let by_key = all.iter().position(|journal| journal.key == name);
    by_key.or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < all.len()))
}
