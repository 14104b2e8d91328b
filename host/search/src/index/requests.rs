//! What is asked of an index.

use std::{collections::HashMap, sync::Arc};

use masthead_domain::{ArticleId, SiteId};

use super::page_key::PageKey;
use crate::entry::EntryKind;

/// Limit on the positions that an index keeps.
pub const MAX_KEPT_POSITIONS: usize = 1_000;

/// The sites whose entries are read; entries of no other site are found or counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites(Vec<SiteId>);

impl Sites {
    /// One site.
    #[must_use]
    pub fn one(site: SiteId) -> Self {
        Self(vec![site])
    }

    /// Several sites: the members of a group that this reader may read. Without a site, nothing is found.
    #[must_use]
    pub fn several(sites: impl IntoIterator<Item = SiteId>) -> Self {
        let mut sites: Vec<SiteId> = sites.into_iter().collect();
        sites.sort_unstable();
        sites.dedup();
        Self(sites)
    }

    /// The sites, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[SiteId] {
        &self.0
    }
}

impl From<SiteId> for Sites {
    fn from(site: SiteId) -> Self {
        Self::one(site)
    }
}

/// A page of hits. Hits beyond [`crate::MAX_WINDOW`] are reached by key only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageOfHits {
    /// The hit behind which the page begins; none for the start.
    pub after: Option<PageKey>,
    /// Number of hits that are skipped.
    pub offset: usize,
    /// Greatest number of hits; with 0 the hits are only counted.
    pub limit: usize,
}

impl PageOfHits {
    /// At most `limit` hits behind the first `offset`.
    #[must_use]
    pub const fn at(offset: usize, limit: usize) -> Self {
        Self { after: None, offset, limit }
    }

    /// At most `limit` hits behind a hit.
    #[must_use]
    pub const fn behind(key: PageKey, limit: usize) -> Self {
        Self { after: Some(key), offset: 0, limit }
    }
}

/// Values of the entries of a site by kind and number, such as how often each was viewed; entries without one have 0.
pub type SiteValues = HashMap<EntryKind, HashMap<i64, i64>>;

/// An order of hits by values that an index does not have, because they change without a change of the content. Equal ones are ordered by
/// number, newest first.
#[derive(Clone, Debug, Default)]
pub struct ExternalOrder {
    /// The values of each site.
    pub values: HashMap<SiteId, Arc<SiteValues>>,
    /// Whether the lowest value is first.
    pub ascending: bool,
}

impl ExternalOrder {
    /// The value by which an entry is ordered, highest first.
    #[must_use]
    pub fn of(&self, site: SiteId, kind: EntryKind, id: i64) -> i64 {
        let value = self.values.get(&site).and_then(|values| values.get(&kind)?.get(&id)).copied().unwrap_or(0);
        if self.ascending { value.saturating_neg() } else { value }
    }
}

/// A value by which hits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Facet {
    /// Kind of entry, under its name.
    Kind,
    /// Year.
    Year,
    /// Column (subject heading), as printed.
    Column,
    /// Journal, under its key.
    Journal,
    /// JATS article type.
    ArticleType,
    /// Author, as printed.
    Author,
    /// Funder, as printed.
    Fund,
    /// Language, under its tag.
    Language,
    /// Open access: `true` and `false`.
    Access,
    /// Publication online ahead of an issue: `true` and `false`.
    OnlineFirst,
}

impl Facet {
    /// All facets, in the order of their declaration.
    pub const ALL: [Self; 10] = [
        Self::Kind,
        Self::Year,
        Self::Column,
        Self::Journal,
        Self::ArticleType,
        Self::Author,
        Self::Fund,
        Self::Language,
        Self::Access,
        Self::OnlineFirst,
    ];
}

/// A request for suggestions: titles, key words and names that begin as was typed, or have a word that does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggest {
    /// The sites.
    pub sites: Sites,
    /// The kinds of entries; empty for all.
    pub kinds: Vec<EntryKind>,
    /// What was typed so far.
    pub text: String,
    /// Greatest number of suggestions.
    pub limit: usize,
}

/// The texts of an article for comparison with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimilarityRequest {
    /// Titles.
    pub title: String,
    /// Key words.
    pub keywords: String,
    /// Abstracts.
    pub summary: String,
}

/// A request for articles that are like another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Like {
    /// The sites.
    pub sites: Sites,
    /// The site of the article, which is not among the answers itself.
    pub site: SiteId,
    /// The article.
    pub article: ArticleId,
    /// Its texts.
    pub likeness: SimilarityRequest,
    /// Greatest number of articles.
    pub limit: usize,
}
