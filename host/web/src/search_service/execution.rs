//! Which search an index executes for a query: what was typed or, where nothing has all of that, the nearest to it.
//!
//! That is decided for the words alone, over all kinds and sites that a reader can choose and without the reader's filters. So one search is
//! executed for the hits, for every tab, for every site of a group and for every value that is counted, and their numbers agree.

use masthead_runtime::Call;
use masthead_search::{
    Answer, Clusters, EntryKind, ExternalOrder, FEW, Facet, Filter, Hits, Index, Page, Query, Relaxed, Search, Sites,
    SpellingSuggestion, compile, compile_exactly, count, find, meant,
};

use super::{SearchFailure, SearchRequest, rewriting::rewritten};
use crate::{app::App, sites::SiteEntry};

/// A query as plugins and the site rewrote it, with what is needed to execute it.
pub struct Execution<'a> {
    /// The index.
    pub index: &'a dyn Index,
    /// The sites whose entries are found.
    pub sites: Sites,
    /// The sites among which the reader can choose: by these it is decided what is executed.
    pub offered: Sites,
    /// The query.
    pub query: Query,
    /// The query as the reader typed it.
    pub typed: Query,
    /// The order of the hits by a counter, in place of the order of the query.
    pub order: Option<ExternalOrder>,
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
    /// What was probably meant.
    pub meant: Option<SpellingSuggestion>,
}

impl<'a> Execution<'a> {
    /// The execution of a request at a site.
    ///
    /// # Errors
    /// [`SearchFailure::Counters`].
    pub async fn of(
        app: &'a App,
        entry: &SiteEntry,
        call: &mut Call,
        request: &SearchRequest,
    ) -> Result<Self, SearchFailure> {
        let offered = request.scope.sites(app, entry);
        let sites = Sites::several(request.scope.searched(offered.clone()));
        let order = match request.counter {
            Some(by) => Some(app.counters.order(&app.store, sites.as_slice(), by).await?),
            None => None,
        };
        Ok(Self {
            index: &*app.search,
            sites,
            offered: Sites::several(offered),
            order,
            query: rewritten(call, &entry.site.search, request.query.clone()).await,
            typed: request.query.clone(),
            own_filters: request.query.filters.len(),
            relaxes: request.relaxes,
        })
    }

    /// The filters that plugins added.
    pub fn added(&self) -> &[Filter] {
        self.query.filters.get(self.own_filters..).unwrap_or_default()
    }

    /// A page of hits, and the search that they are the hits of; `None` if nothing can match. Where the nearest search is made, entries of
    /// these kinds decide (all for none).
    ///
    /// # Errors
    /// [`SearchFailure::Index`].
    pub async fn search(&self, kinds: &[EntryKind], page: Page) -> Result<Option<(Executed, Hits)>, SearchFailure> {
        let ask = |search| match &self.order {
            Some(order) => self.index.search_ordered(self.sites.clone(), search, order.clone(), page),
            None => self.index.search(self.sites.clone(), search, page),
        };
        let found = self.execute(kinds, ask, |hits: &Hits| hits.total).await?;
        let Some((mut executed, hits)) = found else { return Ok(None) };
        if executed.relaxed.is_none() && executed.meant.is_none() && hits.total > 0 {
            executed.meant = self.meant_by_conditions(kinds).await?;
        }
        Ok(Some((executed, hits)))
    }

    /// The hits counted by the values of all fields, as [`Execution::search`] finds them.
    ///
    /// # Errors
    /// [`SearchFailure::Index`].
    pub async fn clusters(&self, kinds: &[EntryKind]) -> Result<Option<(Executed, Clusters)>, SearchFailure> {
        let ask = |search| self.index.clusters(self.sites.clone(), search, Facet::ALL.to_vec());
        self.execute(kinds, ask, |clusters: &Clusters| clusters.total).await
    }

    /// Asks for what was typed; for the nearest search, if there is so little that it has to be decided which one is executed.
    async fn execute<'b, T>(
        &'b self,
        kinds: &[EntryKind],
        ask: impl Fn(Search) -> Answer<'b, T>,
        total: impl Fn(&T) -> usize,
    ) -> Result<Option<(Executed, T)>, SearchFailure> {
        let Some(typed) = compile(&self.query) else { return Ok(None) };
        let found = ask(typed.clone()).await?;
        if total(&found) >= FEW {
            return Ok(Some((Executed { search: typed, relaxed: None, meant: None }, found)));
        }
        let Some(executed) = self.decide(kinds).await? else { return Ok(None) };
        let found = if executed.search == typed { found } else { ask(executed.search.clone()).await? };
        Ok(Some((executed, found)))
    }

    /// Decides what is executed, by whether entries of these kinds (all for none) have what was typed. `None` if nothing can match.
    ///
    /// # Errors
    /// [`SearchFailure::Index`].
    async fn decide(&self, kinds: &[EntryKind]) -> Result<Option<Executed>, SearchFailure> {
        let Query { kinds: own, filters, order, .. } = &self.query;
        let Some(typed) = compile(&self.query) else { return Ok(None) };
        if !self.relaxes || typed.tree.is_none() {
            return Ok(Some(Executed { search: typed, relaxed: None, meant: None }));
        }
        let words = Query { kinds: kinds.to_vec(), filters: self.added().to_vec(), ..self.query.clone() };
        let found = find(self.index, &self.offered, &words, Page::at(0, 0)).await?;
        let found_as_typed = found.relaxed.is_none() && found.hits.total > 0;
        let meant = if found_as_typed { None } else { meant(self.index, &self.offered, &self.as_typed(kinds)).await? };
        let search = found.search.map_or(typed, |search| Search {
            kinds: own.clone(),
            filters: filters.clone(),
            order: *order,
            ..search
        });
        Ok(Some(Executed { search, relaxed: found.relaxed, meant }))
    }

    /// What was typed, in entries of these kinds (all for none) and with no filters but those of plugins.
    fn as_typed(&self, kinds: &[EntryKind]) -> Query {
        let Query { text, clauses, .. } = self.typed.clone();
        Query { kinds: kinds.to_vec(), text, clauses, filters: self.added().to_vec(), ..self.query.clone() }
    }

    /// What was probably meant by fuzzy conditions that find nothing but words like those typed.
    ///
    /// # Errors
    /// [`SearchFailure::Index`].
    async fn meant_by_conditions(&self, kinds: &[EntryKind]) -> Result<Option<SpellingSuggestion>, SearchFailure> {
        let typed = self.as_typed(kinds);
        let exact = compile_exactly(&typed);
        if !self.relaxes || exact == compile(&typed) || count(self.index, &self.offered, exact).await? > 0 {
            return Ok(None);
        }
        Ok(meant(self.index, &self.offered, &typed).await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicUsize, Ordering};

    use masthead_domain::SiteId;
    use masthead_search::{
        Clause, Expansion, Hit, IndexedWord, Join, Like, Position, SearchError, Subject, Suggest, Suggestion, Target,
        Update,
    };

    use super::*;

    /// An index in which every search has so many hits, and which counts what it is asked.
    struct Counting {
        total: usize,
        asked: AtomicUsize,
    }

    impl Counting {
        fn answer<T: Send + 'static>(&self, answer: T) -> Answer<'_, T> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok::<T, SearchError>(answer) })
        }
    }

    impl Index for Counting {
        fn position(&self) -> Answer<'_, Position> {
            self.answer(Position::default())
        }

        fn positions(&self) -> Answer<'_, Vec<Position>> {
            self.answer(Vec::new())
        }

        fn written_after(&self, _: Position) -> Answer<'_, Vec<(SiteId, Subject)>> {
            self.answer(Vec::new())
        }

        fn apply(&self, _: Vec<Update>, _: Position) -> Answer<'_, ()> {
            self.answer(())
        }

        fn search(&self, _: Sites, _: Search, _: Page) -> Answer<'_, Hits> {
            self.answer(Hits { total: self.total, ..Hits::default() })
        }

        fn search_ordered(&self, sites: Sites, search: Search, _: ExternalOrder, page: Page) -> Answer<'_, Hits> {
            self.search(sites, search, page)
        }

        fn clusters(&self, _: Sites, _: Search, _: Vec<Facet>) -> Answer<'_, Clusters> {
            self.answer(Clusters::default())
        }

        fn suggest(&self, _: Suggest) -> Answer<'_, Vec<Suggestion>> {
            self.answer(Vec::new())
        }

        fn words(&self, _: Sites, typed: Vec<(String, Expansion)>, _: usize) -> Answer<'_, Vec<Vec<IndexedWord>>> {
            self.answer(vec![Vec::new(); typed.len()])
        }

        fn like(&self, _: Like) -> Answer<'_, Vec<Hit>> {
            self.answer(Vec::new())
        }
    }

    #[tokio::test]
    async fn a_query_that_is_found_is_searched_once() {
        for (total, relaxes, once) in [(FEW, true, true), (FEW - 1, false, true), (FEW - 1, true, false)] {
            let index = Counting { total, asked: AtomicUsize::new(0) };
            let query = Query::typed("tidal sediment");
            let sites = Sites::one(SiteId(1));
            let typed = query.clone();
            let offered = sites.clone();
            let execution =
                Execution { index: &index, sites, offered, query, typed, order: None, own_filters: 0, relaxes };
            let (executed, hits) = execution.search(&[], Page::at(0, 20)).await.unwrap().unwrap();
            assert_eq!((hits.total, executed.relaxed), (total, None));
            let asked = index.asked.load(Ordering::Relaxed);
            assert_eq!(asked == 1, once, "{total} hits, {relaxes}: asked {asked} times");
        }
    }

    #[tokio::test]
    async fn only_fuzzy_conditions_are_counted_as_typed() {
        for (precise, relaxes, expected) in [(false, true, 2), (true, true, 1), (false, false, 1)] {
            let index = Counting { total: FEW, asked: AtomicUsize::new(0) };
            let (join, target) = (Join::And, Target::Everything);
            let clause = Clause { join, target, text: "sediment".to_owned(), precise };
            let query = Query { clauses: vec![clause], ..Query::default() };
            let (sites, typed) = (Sites::one(SiteId(1)), query.clone());
            let offered = sites.clone();
            let execution =
                Execution { index: &index, sites, offered, query, typed, order: None, own_filters: 0, relaxes };
            let (executed, _) = execution.search(&[], Page::at(0, 20)).await.unwrap().unwrap();
            assert_eq!(executed.meant, None, "entries have what was typed");
            assert_eq!(index.asked.load(Ordering::Relaxed), expected, "{precise}, {relaxes}");
        }
    }
}
