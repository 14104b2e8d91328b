//! What the list entries of hits show beside what a search returns, read for the hits of all sites at once.

use std::collections::{BTreeSet, HashMap};

use masthead_domain::{Doi, SiteId, access::Rights, article::ArticleMeta, card::ArticleCard};
use masthead_store::{ResourceRow, SiteArticle, Totals};

use crate::api::envelope::{ApiError, Caller};
use crate::search_service::{
    ResultItem,
    mentions::{self, Articles, Mention, article_of},
};

/// The hits of one site.
pub struct SiteHits<'a> {
    /// The reader, at this site.
    pub caller: &'a Caller,
    /// The hits, in their order.
    pub items: Vec<ResultItem>,
    /// The rights of the reader, if a figure or table is among the hits: no other kind depends on them.
    pub rights: Option<Rights>,
}

impl<'a> SiteHits<'a> {
    /// The hits of the caller's site.
    pub async fn of(caller: &'a Caller, items: Vec<ResultItem>) -> Self {
        let is_part = |item: &ResultItem| matches!(item, ResultItem::Resource(row) if article_of(row).is_some());
        let rights = if items.iter().any(is_part) { Some(caller.rights().await) } else { None };
        Self { caller, items, rights }
    }

    /// The site.
    pub fn site(&self) -> SiteId {
        self.caller.entry().site.id
    }

    /// The articles among the hits.
    pub fn cards(&self) -> impl Iterator<Item = &ArticleCard> {
        self.items.iter().filter_map(|item| match item {
            ResultItem::Article(card) => Some(&**card),
            ResultItem::Publication(_) | ResultItem::Resource(_) => None,
        })
    }

    /// The mentions of the resources among the hits, in their order; nothing without rights.
    pub fn mentions(&self, read: &Reads) -> Vec<Option<Mention>> {
        let Some(rights) = &self.rights else { return Vec::new() };
        let rows: Vec<&ResourceRow> = self.rows().collect();
        mentions::of_rows(self.site(), rights, &rows, &read.mentioning)
    }

    fn rows(&self) -> impl Iterator<Item = &ResourceRow> {
        self.items.iter().filter_map(|item| match item {
            ResultItem::Resource(row) => Some(row),
            ResultItem::Article(_) | ResultItem::Publication(_) => None,
        })
    }

    /// The articles among the hits, each with the key of its DOI.
    fn articles(&self) -> Vec<(SiteArticle, Option<String>)> {
        let site = self.site();
        self.cards().map(|card| ((site, card.article_id()), card.doi.as_ref().map(Doi::key))).collect()
    }

    /// The articles that may mention one of the hits.
    fn mentioning(&self) -> BTreeSet<SiteArticle> {
        let rights = self.rights.as_ref();
        rights.map(|rights| mentions::articles_of(self.site(), rights, self.rows())).unwrap_or_default()
    }
}

/// What is stored of the articles among hits, and of those of which figures or tables are.
pub struct Reads {
    metas: HashMap<SiteArticle, (ArticleMeta, i64)>,
    totals: HashMap<SiteArticle, Totals>,
    comments: HashMap<SiteArticle, i64>,
    citations: HashMap<SiteArticle, u32>,
    mentioning: Articles,
}

impl Reads {
    /// Reads it with a number of statements that depends neither on the number of hits nor on that of their sites.
    ///
    /// # Errors
    /// [`ApiError`], when the database fails.
    pub async fn of(caller: &Caller, parts: &[SiteHits<'_>]) -> Result<Self, ApiError> {
        let store = caller.app.store.sites(parts.iter().map(SiteHits::site));
        let failed = caller.store_failed();
        let cited: Vec<(SiteArticle, Option<String>)> = parts.iter().flat_map(SiteHits::articles).collect();
        let articles: Vec<SiteArticle> = cited.iter().map(|(article, _)| *article).collect();
        let mentioning: Vec<SiteArticle> = parts.iter().flat_map(SiteHits::mentioning).collect();
        Ok(Self {
            metas: store.metas(&articles).await.map_err(&failed)?,
            totals: store.article_totals(&articles).await.map_err(&failed)?,
            comments: store.comment_counts(&articles).await.map_err(&failed)?,
            citations: store.citation_counts(&cited).await.map_err(&failed)?,
            mentioning: store.articles(&mentioning).await.map_err(&failed)?,
        })
    }

    /// The metadata of an article, the time of its last change (milliseconds since 1970), and its views and downloads, comments and citations.
    /// The metadata can be taken once. `None` for an article that was removed since.
    pub fn take(&mut self, article: SiteArticle) -> Option<(ArticleMeta, i64, (Totals, i64, u32))> {
        let (meta, changed) = self.metas.remove(&article)?;
        let totals = self.totals.get(&article).copied().unwrap_or_default();
        let comments = self.comments.get(&article).copied().unwrap_or_default();
        let citations = self.citations.get(&article).copied().unwrap_or_default();
        Some((meta, changed, (totals, comments, citations)))
    }
}
