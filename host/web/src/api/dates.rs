//! Days since 1970 as dates, for the calls.

pub use crate::usage::dates::{instant, iso, local, months_before};
