//! Alerts: new articles of the change log are recorded for the subscriptions that they concern, and sent in one message to each subscriber
//! when a site has been quiet for some time. Both steps are transactions of the store, so that each article reaches each subscriber once,
//! whichever hosts work on it and whenever one of them is killed.

mod collection;
mod columns;
mod matching;
mod messages;
#[cfg(test)]
mod tests;

pub use self::{
    collection::collect,
    columns::Columns,
    matching::{Candidate, MAX_KEYWORDS, PreparedCriteria, column_names, keywords},
    messages::tell,
};
