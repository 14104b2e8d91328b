//! Articles of a site for tests of whole searches: a typed query, what it means, and what an index finds.

use masthead_domain::SiteId;

use crate::{
    Entry, EntryKind, Found, Index as _, PageOfHits, Position, Query, SearchIndex, Sites, Subject, Update, compile,
    find,
};

pub const SITE: SiteId = SiteId(1);
const OTHER: SiteId = SiteId(2);

/// An index with articles of a site.
pub struct Library {
    _folder: tempfile::TempDir,
    pub index: SearchIndex,
}

/// An article with a title and a full text.
pub fn entry(title: &str, text: &str) -> Entry {
    Entry { title: title.into(), text: text.into(), ..Entry::default() }
}

/// An index with these articles, numbered from 1, and one of another site that has every word of them.
pub async fn library(entries: Vec<Entry>) -> Library {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    let texts = entries.iter().flat_map(|entry| entry.title.parts().chain(entry.text.parts()));
    let every_word: Vec<&str> = texts.map(|(_, text)| text).collect();
    let elsewhere = Entry { id: 99, article: 99, ..entry("Elsewhere", &every_word.join(" ")) };
    let numbered = (1..).zip(entries).map(|(id, entry)| (SITE, Entry { id, article: id, ..entry }));
    let update =
        |(site, entry): (SiteId, Entry)| Update { site, subject: Subject::Article(entry.id), entries: vec![entry] };
    let batch = numbered.chain([(OTHER, elsewhere)]).map(update).collect();
    index.apply(batch, Position { change: 1, mark: 1 }).await.unwrap();
    Library { _folder: folder, index }
}

impl Library {
    /// The hits of a query as typed, best first.
    pub async fn ranked(&self, query: &Query) -> Vec<i64> {
        let Some(search) = compile(query) else { return Vec::new() };
        let hits = self.index.search(Sites::one(SITE), search, PageOfHits::at(0, 20)).await.unwrap();
        hits.articles().into_iter().map(|id| id.0).collect()
    }

    /// The hits of a query as typed, by number.
    pub async fn ids(&self, query: &Query) -> Vec<i64> {
        let mut ids = self.ranked(query).await;
        ids.sort_unstable();
        ids
    }

    /// What a reader finds with a text.
    pub async fn find(&self, text: &str) -> Found {
        let query = Query { kinds: vec![EntryKind::Article], ..Query::typed(text) };
        find(&self.index, &Sites::one(SITE), &query, PageOfHits::at(0, 20)).await.unwrap()
    }
}

impl Found {
    /// The numbers of the hits, best first.
    pub fn ids(&self) -> Vec<i64> {
        self.hits.articles().into_iter().map(|id| id.0).collect()
    }
}
