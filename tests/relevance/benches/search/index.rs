//! The index, as the host uses it.

use std::path::Path;

use masthead_search::{
    EntryKind, FEW, Facet, Filter, Hits, Index as _, PageOfHits, Position, Query, Search, SearchError, SearchIndex,
    Sites, Suggest, Update, compile, counts, find,
};
use tokio::runtime::Runtime;

use crate::articles::SITE;

/// The kinds of the tabs of a page of results.
const TABS: [&str; 8] = ["article", "publication", "picture", "table", "audio", "video", "book", "news"];
/// The first years that a page of results offers.
const YEARS: [i32; 3] = [2026, 2024, 2022];

/// An index in a folder of its own.
pub struct Built {
    index: SearchIndex,
    runtime: Runtime,
}

impl Built {
    /// Opens an index, or creates it, to search and follow a site.
    pub fn open(folder: &Path) -> Self {
        Self { index: SearchIndex::open(folder, 0).unwrap(), runtime: runtime() }
    }

    /// Creates an index to fill it.
    pub fn fill(folder: &Path) -> Self {
        Self { index: SearchIndex::open_to_fill(folder, 0).unwrap(), runtime: runtime() }
    }

    /// Writes articles; `change` is the number of the last change.
    pub fn add(&self, batch: Vec<Update>, change: usize) {
        let position = Position { change: i64::try_from(change).unwrap(), mark: 1 };
        self.runtime.block_on(self.index.apply(batch, position)).unwrap();
    }

    /// Waits until no files are merged in the background any more.
    pub fn close(&self) {
        self.index.close().unwrap();
    }

    /// What the index executes for a query; `None` if nothing can match.
    pub fn compiled(&self, text: &str) -> Option<Search> {
        compile(&Query::typed(text))
    }

    /// The hits for a text as it was typed.
    pub fn as_typed(&self, text: &str, limit: usize) -> Hits {
        let Some(search) = self.compiled(text) else { return Hits::default() };
        self.runtime.block_on(self.index.search(Sites::one(SITE), search, PageOfHits::at(0, limit))).unwrap()
    }

    /// The hits for a text, with everything that a search does: where few are found, mistakes in typing are looked for.
    pub fn find(&self, text: &str, limit: usize) -> Hits {
        let (sites, query) = (Sites::one(SITE), Query::typed(text));
        self.runtime.block_on(find(&self.index, &sites, &query, PageOfHits::at(0, limit))).unwrap().hits
    }

    /// Everything that a page of results asks the index for: its hits and, where there are few, the nearest search; the number of hits in
    /// every tab and since every year that is offered; and the hits counted by the values of all fields.
    pub fn page(&self, text: &str, limit: usize) -> usize {
        self.runtime.block_on(self.whole_page(text, limit)).unwrap()
    }

    async fn whole_page(&self, text: &str, limit: usize) -> Result<usize, SearchError> {
        let (sites, query) = (Sites::one(SITE), Query::typed(text));
        let Some(mut search) = compile(&query) else { return Ok(0) };
        let mut hits = self.index.search(sites.clone(), search.clone(), PageOfHits::at(0, limit)).await?;
        if hits.total < FEW {
            let nearest = find(&self.index, &sites, &query, PageOfHits::at(0, 0)).await?;
            if let (Some(nearest), true) = (nearest.search, nearest.relaxed.is_some()) {
                hits = self.index.search(sites.clone(), nearest.clone(), PageOfHits::at(0, limit)).await?;
                search = nearest;
            }
        }
        let tab = |name: &&str| (EntryKind::parse(name).into_iter().collect(), Vec::new());
        let since = |year: &i32| (search.kinds.clone(), vec![Filter::YearFrom(*year)]);
        let counted: Vec<_> = TABS.iter().map(tab).chain(YEARS.iter().map(since)).collect();
        let clusters = self.index.clusters(sites.clone(), search.clone(), Facet::ALL.to_vec());
        tokio::try_join!(counts(&self.index, &sites, &search, &counted), clusters)?;
        Ok(hits.total)
    }

    /// The number of suggestions for what is typed so far.
    pub fn suggest(&self, text: &str) -> usize {
        let suggest = Suggest { sites: Sites::one(SITE), text: text.to_owned(), limit: 10, ..Suggest::default() };
        self.runtime.block_on(self.index.suggest(suggest)).unwrap().len()
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
}
