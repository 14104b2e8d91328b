//! One plugin on its own, for its author's tests.

pub(crate) mod test_host;
