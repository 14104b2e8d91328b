//! Which search an index executes for a query: what was typed or, where nothing has all of that, the nearest to it.
//!
//! That is decided for the words alone, over all kinds that a reader can choose and without the reader's filters. So one search is executed for
//! the hits, for every tab and for every value that is counted, and their numbers agree.

use masthead_runtime::Call;
use masthead_search::{EntryKind, Filter, Index, Page, Query, Relaxed, Search, Sites, compile, find, meant};

use super::{SearchFailure, SearchRequest, rewriting::rewritten};
use crate::{app::App, sites::SiteEntry};

/// A query as plugins and the site rewrote it, with what is needed to execute it.
pub struct Execution<'a> {
    /// The index.
    pub index: &'a dyn Index,
    /// The sites.
    pub sites: Sites,
    /// The query.
    pub query: Query,
    /// Number of its filters that are the reader's; plugins added the others, which hold for every hit.
    pub own_filters: usize,
    /// Whether the nearest search is executed where nothing has all that was typed.
    pub relaxes: bool,
}

/// The search that is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The search, with the kinds, filters and order of the query.
    pub search: Search,
    /// How it differs from what was typed; `None` if it does not.
    pub relaxed: Option<Relaxed>,
    /// A text that was probably meant.
    pub meant: Option<String>,
}

impl<'a> Execution<'a> {
    /// The execution of a request at a site.
    pub async fn of(app: &'a App, entry: &SiteEntry, call: &mut Call, request: &SearchRequest) -> Self {
        Self {
            index: &*app.search,
            sites: Sites::several(request.scope.sites(app, entry)),
            query: rewritten(call, &entry.site.search, request.query.clone()).await,
            own_filters: request.query.filters.len(),
            relaxes: request.relaxes,
        }
    }

    /// The filters that plugins added.
    pub fn added(&self) -> &[Filter] {
        self.query.filters.get(self.own_filters..).unwrap_or_default()
    }

    /// Decides what is executed, by whether entries of these kinds (all for none) have what was typed. `None` if nothing can match.
    ///
    /// # Errors
    /// [`SearchFailure::Index`].
    pub async fn decide(&self, kinds: &[EntryKind]) -> Result<Option<Executed>, SearchFailure> {
        let Query { kinds: own, filters, order, .. } = &self.query;
        let Some(typed) = compile(&self.query) else { return Ok(None) };
        if !self.relaxes || typed.tree.is_none() {
            return Ok(Some(Executed { search: typed, relaxed: None, meant: None }));
        }
        let words = Query { kinds: kinds.to_vec(), filters: self.added().to_vec(), ..self.query.clone() };
        let found = find(self.index, &self.sites, &words, Page::at(0, 0)).await?;
        let (Some(search), Some(relaxed)) = (found.search, found.relaxed) else {
            return Ok(Some(Executed { search: typed, relaxed: None, meant: None }));
        };
        let meant = meant(self.index, &self.sites, &words).await?.map(|meant| meant.text);
        let search = Search { kinds: own.clone(), filters: filters.clone(), order: *order, ..search };
        Ok(Some(Executed { search, relaxed: Some(relaxed), meant }))
    }
}
