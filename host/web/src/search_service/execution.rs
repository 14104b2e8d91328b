//! Which search an index executes for a query: what was typed or, where nothing has all of that, the nearest to it.
//!
//! That is decided for the words alone, over all kinds and sites that a reader can choose and without the reader's filters. So one search is
//! executed for the hits, for every tab, for every site of a group and for every value that is counted, and their numbers agree.

use masthead_runtime::Call;
use masthead_search::{
    Answer, Clusters, EntryKind, ExternalOrder, FEW, Facet, Filter, Hits, Index, PageOfHits, Query, Relaxed, Search,
    Sites, SpellingSuggestion, compile, compile_exactly, count, find, meant,
};

use super::{SearchFailure, SearchRequest, rewriting::rewritten};
use crate::{app::App, sites::SiteEntry};

/// What becomes of the nearest search, where nothing has all that was typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nearest {
    /// It is not looked for.
    #[default]
    Unused,
    /// It is looked for where what was typed has no hits. The answer says how it differs, and does not have its hits.
    Offered,
    /// It is executed.
    Executed,
}

impl Nearest {
    /// Number of hits from which on what was typed is executed, without a look for the nearest search.
    const fn enough(self) -> usize {
        match self {
            Self::Unused => 0,
            Self::Offered => 1,
            Self::Executed => FEW,
        }
    }
}

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
    /// What becomes of the nearest search.
    pub nearest: Nearest,
}

/// The search that is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The search, with the kinds, filters and order of the query.
    pub search: Search,
    /// How it differs from what was typed; `None` if it does not. Of [`Nearest::Offered`]: how the nearest search differs.
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
            nearest: request.nearest,
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
    pub async fn search(
        &self,
        kinds: &[EntryKind],
        page: PageOfHits,
    ) -> Result<Option<(Executed, Hits)>, SearchFailure> {
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

    /// Asks for what was typed; if there is so little that the nearest search is looked for, for that one, unless it is only offered.
    async fn execute<'b, T>(
        &'b self,
        kinds: &[EntryKind],
        ask: impl Fn(Search) -> Answer<'b, T>,
        total: impl Fn(&T) -> usize,
    ) -> Result<Option<(Executed, T)>, SearchFailure> {
        let Some(typed) = compile(&self.query) else { return Ok(None) };
        let found = ask(typed.clone()).await?;
        if total(&found) >= self.nearest.enough() {
            return Ok(Some((Executed { search: typed, relaxed: None, meant: None }, found)));
        }
        let Some(executed) = self.decide(kinds).await? else { return Ok(None) };
        if self.nearest == Nearest::Offered {
            return Ok(Some((Executed { search: typed, ..executed }, found)));
        }
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
        if typed.tree.is_none() {
            return Ok(Some(Executed { search: typed, relaxed: None, meant: None }));
        }
        let words = Query { kinds: kinds.to_vec(), filters: self.added().to_vec(), ..self.query.clone() };
        let found = find(self.index, &self.offered, &words, PageOfHits::at(0, 0)).await?;
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
        let executes = self.nearest == Nearest::Executed;
        if !executes || exact == compile(&typed) || count(self.index, &self.offered, exact).await? > 0 {
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
        Clause, Expansion, Hit, IndexedWord, Join, Like, Position, Relaxation, SearchError, Subject, Suggest,
        Suggestion, Target, Tree, Update,
    };

    use super::*;

    /// An index in which every search has so many hits, except those of the missing words, and which counts what it is asked.
    struct Counting {
        total: usize,
        missing: Option<Tree>,
        asked: AtomicUsize,
    }

    impl Counting {
        fn of(total: usize) -> Self {
            Self { total, missing: None, asked: AtomicUsize::new(0) }
        }

        fn asked(&self) -> usize {
            self.asked.load(Ordering::Relaxed)
        }

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

        fn search(&self, _: Sites, search: Search, _: PageOfHits) -> Answer<'_, Hits> {
            let is_missing = self.missing.is_some() && search.tree == self.missing;
            self.answer(Hits { total: if is_missing { 0 } else { self.total }, ..Hits::default() })
        }

        fn search_ordered(&self, sites: Sites, search: Search, _: ExternalOrder, page: PageOfHits) -> Answer<'_, Hits> {
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

    fn execution(index: &Counting, query: Query, nearest: Nearest) -> Execution<'_> {
        let (sites, typed) = (Sites::one(SiteId(1)), query.clone());
        let offered = sites.clone();
        Execution { index, sites, offered, query, typed, order: None, own_filters: 0, nearest }
    }

    #[tokio::test]
    async fn a_query_that_is_found_is_searched_once() {
        for (total, nearest, once) in [
            (FEW, Nearest::Executed, true),
            (FEW - 1, Nearest::Executed, false),
            (1, Nearest::Offered, true),
            (0, Nearest::Offered, false),
            (0, Nearest::Unused, true),
        ] {
            let index = Counting::of(total);
            let execution = execution(&index, Query::typed("tidal sediment"), nearest);
            let (executed, hits) = execution.search(&[], PageOfHits::at(0, 20)).await.unwrap().unwrap();
            assert_eq!((hits.total, executed.relaxed), (total, None));
            assert_eq!(index.asked() == 1, once, "{total} hits, {nearest:?}: asked {} times", index.asked());
        }
    }

    #[tokio::test]
    async fn the_nearest_search_is_executed_or_offered() {
        let query = Query::typed("tidal sediment");
        let typed = compile(&query).unwrap();
        for (nearest, total, relaxation) in [
            (Nearest::Unused, 0, None),
            (Nearest::Offered, 0, Some(Relaxation::Spelling)),
            (Nearest::Executed, 7, Some(Relaxation::Spelling)),
        ] {
            let index = Counting { missing: typed.tree.clone(), ..Counting::of(7) };
            let execution = execution(&index, query.clone(), nearest);
            let (executed, hits) = execution.search(&[], PageOfHits::at(0, 20)).await.unwrap().unwrap();
            assert_eq!((hits.total, executed.relaxed.map(|relaxed| relaxed.relaxation)), (total, relaxation));
            assert_eq!(executed.search == typed, nearest != Nearest::Executed, "{nearest:?}: {:?}", executed.search);
        }
    }

    #[tokio::test]
    async fn only_fuzzy_conditions_are_counted_as_typed() {
        for (precise, nearest, expected) in [
            (false, Nearest::Executed, 2),
            (true, Nearest::Executed, 1),
            (false, Nearest::Offered, 1),
            (false, Nearest::Unused, 1),
        ] {
            let index = Counting::of(FEW);
            let (join, target) = (Join::And, Target::Everything);
            let clause = Clause { join, target, text: "sediment".to_owned(), precise };
            let execution = execution(&index, Query { clauses: vec![clause], ..Query::default() }, nearest);
            let (executed, _) = execution.search(&[], PageOfHits::at(0, 20)).await.unwrap().unwrap();
            assert_eq!(executed.meant, None, "entries have what was typed");
            assert_eq!(index.asked(), expected, "{precise}, {nearest:?}");
        }
    }
}
