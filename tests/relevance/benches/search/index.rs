//! The index, as the host uses it.

use std::path::Path;

use masthead_relevance::judged;
use masthead_search::{
    Hits, Index as _, Page, Position, Query, Search, SearchIndex, Sites, Suggest, Update, interpret,
};
use tokio::runtime::Runtime;

use crate::articles::SITE;

/// An index in a folder of its own.
pub struct Built {
    index: SearchIndex,
    runtime: Runtime,
}

impl Built {
    pub fn create(folder: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        Self { index: SearchIndex::open(folder).unwrap(), runtime }
    }

    /// Writes articles; `change` is the number of the last change.
    pub fn add(&self, batch: Vec<Update>, change: usize) {
        let position = Position { change: i64::try_from(change).unwrap(), mark: 1 };
        self.runtime.block_on(self.index.apply(batch, position)).unwrap();
    }

    /// What the index executes for a query.
    pub fn search(&self, query: &judged::Query) -> Search {
        interpret(&Query::typed(&query.text)).unwrap()
    }

    /// The hits for a query, with everything that a search does.
    pub fn find(&self, query: &judged::Query, limit: usize) -> Hits {
        self.typed(&query.text, limit)
    }

    /// The hits for a typed text.
    pub fn typed(&self, text: &str, limit: usize) -> Hits {
        let search = interpret(&Query::typed(text)).unwrap();
        self.runtime.block_on(self.index.search(Sites::one(SITE), search, Page::at(0, limit))).unwrap()
    }

    /// Suggestions for what is typed so far.
    pub fn suggest(&self, text: &str) -> usize {
        let suggest = Suggest { sites: Sites::one(SITE), text: text.to_owned(), limit: 10, ..Suggest::default() };
        self.runtime.block_on(self.index.suggest(suggest)).unwrap().len()
    }
}
