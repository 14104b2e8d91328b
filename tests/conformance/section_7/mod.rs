//! Section 7: calls. A line works if the host answers its call as it says; the shell itself gets most data with the page.

mod calls;
mod paths;

pub use self::calls::in_the_page;
use crate::row::Row;

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = calls::rows();
    rows.extend(paths::rows());
    rows
}
