//! An index in the place of which another can be put while it is searched.

use std::sync::{Arc, PoisonError, RwLock};

use masthead_domain::SiteId;

use super::{
    Answer, Clusters, ExternalOrder, Facet, Hit, Hits, Index, Like, PageOfHits, Position, Sites, Suggest, Suggestion,
};
use crate::{
    entry::{Subject, Update},
    query::{Expansion, IndexedWord, Search},
};

/// The index that is searched at present. What has begun is completed with the index with which it began.
pub struct LiveIndex(RwLock<Arc<dyn Index>>);

impl LiveIndex {
    /// Begins with this index.
    #[must_use]
    pub fn new(index: Arc<dyn Index>) -> Self {
        Self(RwLock::new(index))
    }

    /// Puts an index in the place of the present one, which is returned.
    pub fn replace(&self, index: Arc<dyn Index>) -> Arc<dyn Index> {
        std::mem::replace(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner), index)
    }

    fn present(&self) -> Arc<dyn Index> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Index for LiveIndex {
    fn position(&self) -> Answer<'_, Position> {
        let index = self.present();
        Box::pin(async move { index.position().await })
    }

    fn positions(&self) -> Answer<'_, Vec<Position>> {
        let index = self.present();
        Box::pin(async move { index.positions().await })
    }

    fn written_after(&self, position: Position) -> Answer<'_, Vec<(SiteId, Subject)>> {
        let index = self.present();
        Box::pin(async move { index.written_after(position).await })
    }

    fn apply(&self, batch: Vec<Update>, position: Position) -> Answer<'_, ()> {
        let index = self.present();
        Box::pin(async move { index.apply(batch, position).await })
    }

    fn search(&self, sites: Sites, search: Search, page: PageOfHits) -> Answer<'_, Hits> {
        let index = self.present();
        Box::pin(async move { index.search(sites, search, page).await })
    }

    fn search_ordered(&self, sites: Sites, search: Search, order: ExternalOrder, page: PageOfHits) -> Answer<'_, Hits> {
        let index = self.present();
        Box::pin(async move { index.search_ordered(sites, search, order, page).await })
    }

    fn clusters(&self, sites: Sites, search: Search, facets: Vec<Facet>) -> Answer<'_, Clusters> {
        let index = self.present();
        Box::pin(async move { index.clusters(sites, search, facets).await })
    }

    fn suggest(&self, suggest: Suggest) -> Answer<'_, Vec<Suggestion>> {
        let index = self.present();
        Box::pin(async move { index.suggest(suggest).await })
    }

    fn words(&self, sites: Sites, typed: Vec<(String, Expansion)>, limit: usize) -> Answer<'_, Vec<Vec<IndexedWord>>> {
        let index = self.present();
        Box::pin(async move { index.words(sites, typed, limit).await })
    }

    fn like(&self, like: Like) -> Answer<'_, Vec<Hit>> {
        let index = self.present();
        Box::pin(async move { index.like(like).await })
    }
}
