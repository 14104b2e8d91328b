//! Tests of what is asked of an index when a query finds nothing: no search is made twice, and none that can find nothing.

use std::sync::Mutex;

use masthead_domain::SiteId;

use super::library::{Library, SITE, entry, library};
use crate::{
    Answer, Clusters, Expansion, ExternalOrder, Facet, Found, Hit, Hits, Index, IndexedWord, Like, PageOfHits,
    Position, Query, Relaxation, Search, SearchError, SearchIndex, Sites, Subject, Suggest, Suggestion, Update, find,
    meant,
};

/// An index that remembers what it was asked.
pub struct Asked<'a> {
    index: &'a SearchIndex,
    searches: Mutex<Vec<Search>>,
    words: Mutex<Vec<Vec<(String, Expansion)>>>,
}

impl<'a> Asked<'a> {
    pub fn new(library: &'a Library) -> Self {
        Self { index: &library.index, searches: Mutex::default(), words: Mutex::default() }
    }

    /// What a reader finds with a text.
    pub async fn find(&self, text: &str) -> Result<Found, SearchError> {
        find(self, &Sites::one(SITE), &Query::typed(text), PageOfHits::at(0, 20)).await
    }

    /// The searches that it was asked for, in order.
    pub fn searches(&self) -> Vec<Search> {
        self.searches.lock().unwrap().clone()
    }
}

impl Index for Asked<'_> {
    fn position(&self) -> Answer<'_, Position> {
        self.index.position()
    }

    fn positions(&self) -> Answer<'_, Vec<Position>> {
        self.index.positions()
    }

    fn written_after(&self, position: Position) -> Answer<'_, Vec<(SiteId, Subject)>> {
        self.index.written_after(position)
    }

    fn apply(&self, batch: Vec<Update>, position: Position) -> Answer<'_, ()> {
        self.index.apply(batch, position)
    }

    fn search(&self, sites: Sites, search: Search, page: PageOfHits) -> Answer<'_, Hits> {
        self.searches.lock().unwrap().push(search.clone());
        self.index.search(sites, search, page)
    }

    fn search_ordered(&self, sites: Sites, search: Search, order: ExternalOrder, page: PageOfHits) -> Answer<'_, Hits> {
        self.index.search_ordered(sites, search, order, page)
    }

    fn clusters(&self, sites: Sites, search: Search, facets: Vec<Facet>) -> Answer<'_, Clusters> {
        self.index.clusters(sites, search, facets)
    }

    fn suggest(&self, suggest: Suggest) -> Answer<'_, Vec<Suggestion>> {
        self.index.suggest(suggest)
    }

    fn words(&self, sites: Sites, typed: Vec<(String, Expansion)>, limit: usize) -> Answer<'_, Vec<Vec<IndexedWord>>> {
        self.words.lock().unwrap().push(typed.clone());
        self.index.words(sites, typed, limit)
    }

    fn like(&self, like: Like) -> Answer<'_, Vec<Hit>> {
        self.index.like(like)
    }
}

/// Articles in which some words are frequent.
async fn tides() -> Library {
    let mut entries: Vec<_> =
        (0..4).map(|number| entry("Tidal carbon of the sediment", &format!("Marsh {number}"))).collect();
    entries.push(entry("Salt marsh", "Birds and CO2"));
    library(entries).await
}

#[tokio::test]
async fn a_phrase_that_is_found_once_is_searched_once() {
    let library = tides().await;
    let index = Asked::new(&library);
    let found = index.find("\"salt marsh\"").await.unwrap();
    assert_eq!((found.ids(), found.relaxed), (vec![5], None));
    assert_eq!(index.searches().len(), 1, "{:#?}", index.searches());
}

#[tokio::test]
async fn no_search_is_made_twice() {
    let library = tides().await;
    for text in ["sedimnet", "tidal zeppelins", "carbon sediment marsh zeppelins quartz", "\"carbon marsh\" zeppelins"]
    {
        let index = Asked::new(&library);
        index.find(text).await.unwrap();
        let searches = index.searches();
        let twice: Vec<_> =
            searches.iter().enumerate().filter(|(at, search)| searches[..*at].contains(search)).collect();
        assert!(twice.is_empty(), "{text}: {twice:#?}");
    }
}

#[tokio::test]
async fn where_a_word_cannot_be_mistyped_it_is_left_out_at_once() {
    let library = tides().await;
    let index = Asked::new(&library);
    let found = index.find("tidal carbon co9").await.unwrap();
    let relaxed = found.relaxed.unwrap();
    assert_eq!((relaxed.relaxation, relaxed.left_out), (Relaxation::OneLess, vec!["co9".to_owned()]));
    let reaches = |search: &Search| format!("{:?}", search.tree).contains("Near(");
    let mistyped = index.searches().into_iter().filter(reaches).count();
    assert_eq!(mistyped, 0, "known words are not looked for with mistakes");
}

#[tokio::test]
async fn only_rare_words_are_counted_alone_and_corrected() {
    let library = tides().await;
    let index = Asked::new(&library);
    let found = index.find("tidal carbon sediment marsh zeppelins").await.unwrap();
    assert_eq!(found.relaxed.unwrap().left_out, ["zeppelins"]);
    // As typed, with the unknown word mistyped, with all words mistyped, and with one word less; then the unknown word alone, in two ways.
    assert!(index.searches().len() <= 6, "{:#?}", index.searches());
    assert_eq!(index.words.lock().unwrap().len(), 1, "all words are looked up together");
    let index = Asked::new(&library);
    let offered = meant(&index, &Sites::one(SITE), &Query::typed("tidal carbno sediment")).await.unwrap();
    assert_eq!(offered.map(|meant| meant.text).as_deref(), Some("tidal carbon sediment"));
    let near: Vec<_> = index.words.lock().unwrap().iter().flatten().cloned().collect();
    let near = near.iter().filter(|(_, reach)| *reach != Expansion::Same).map(|(word, _)| word.as_str());
    assert_eq!(near.collect::<Vec<_>>(), ["carbno"]);
}
