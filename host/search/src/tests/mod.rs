//! Tests of queries over an index: matching, ranking and limits.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod attempts;
mod kinds;
mod library;
mod relevance;
mod scripts;
mod typed;
mod typing;

use masthead_domain::{ArticleId, SiteId};

use crate::*;

const HERE: SiteId = SiteId(448);
const THERE: SiteId = SiteId(950);

/// The most nodes and terms of the tree of one text, as the tests of plans show for any text.
pub const MAX_TREE: usize = 4_000;

/// A query without what is beyond the limits on texts, conditions and synonyms. A value is compared as a whole, and has limits of its own.
fn within_limits(query: &Query) -> Query {
    let cut = |text: &str| text.chars().take(MAX_TEXT).collect::<String>();
    let clause = |clause: &Clause| Clause {
        text: if clause.target.has_words() { cut(&clause.text) } else { clause.text.clone() },
        ..clause.clone()
    };
    let synonym = |synonym: &Synonym| Synonym {
        term: synonym.term.clone(),
        alternatives: synonym.alternatives.iter().take(MAX_ALTERNATIVES).cloned().collect(),
    };
    Query {
        text: cut(&query.text),
        clauses: query.clauses.iter().take(MAX_CLAUSES).map(clause).collect(),
        synonyms: query.synonyms.iter().take(MAX_SYNONYMS).map(synonym).collect(),
        ..query.clone()
    }
}

/// Asserts that a query costs an index no more than the limits allow. The cost is the size of the tree, which is the same on every machine, as
/// times are not.
pub fn assert_bounded(query: &Query) {
    let begin: String = query.text.chars().take(40).collect();
    let search = compile(query);
    let size = search.as_ref().and_then(|search| search.tree.as_ref()).map_or(0, Tree::size);
    // A phrase of an alternative and of the words around it, in two forms.
    let alternative = 2 * (MAX_WORDS + MAX_TERM + 1);
    let alternatives = if query.synonyms.is_empty() { 0 } else { MAX_EXPANSIONS * alternative };
    let most = (1 + MAX_CLAUSES) * MAX_TREE + alternatives;
    assert!(size <= most, "{begin:?}: a tree of {size} nodes and terms, at most {most}");
    assert!(search == compile(&within_limits(query)), "{begin:?}: what is beyond the limits is searched");
}

/// An index, and what runs its operations.
pub struct Tested {
    index: SearchIndex,
    runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl Tested {
    /// An empty index.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path(), 0).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        Self { index, runtime, _folder: folder }
    }

    pub fn apply(&self, batch: &[Update], change: i64) {
        self.runtime.block_on(self.index.apply(batch.to_vec(), Position { change, mark: change })).unwrap();
    }

    pub fn search(&self, site: SiteId, query: &Query, offset: usize, limit: usize) -> Hits {
        let Some(search) = compile(query) else { return Hits::default() };
        self.runtime.block_on(self.index.search(site.into(), search, PageOfHits::at(offset, limit))).unwrap()
    }

    pub fn clusters(&self, site: SiteId, query: &Query) -> Clusters {
        let Some(search) = compile(query) else { return Clusters::default() };
        self.runtime.block_on(self.index.clusters(site.into(), search, Facet::ALL.to_vec())).unwrap()
    }
}

fn entry(title: &str, text: &str) -> Entry {
    Entry { title: title.into(), text: text.into(), doi: "10.5555/Tide.1".into(), ..Entry::default() }
}

/// A change of an article.
pub fn put(site: SiteId, id: i64, entry: Option<Entry>) -> Update {
    let entries = entry.into_iter().map(|entry| Entry { id, article: id, ..entry }).collect();
    Update { site, subject: Subject::Article(id), entries }
}

fn filled() -> Tested {
    let index = Tested::new();
    let batch = [
        put(HERE, 1, Some(entry("Tidal ledgers of the coast", "sediment carbon"))),
        put(HERE, 2, Some(entry("海洋沉积物的碳收支", "潮间带 sediment"))),
        put(THERE, 3, Some(entry("Tidal inscriptions", "carbon"))),
    ];
    index.apply(&batch, 7);
    index
}

fn found(index: &Tested, typed: &str) -> Vec<i64> {
    let mut ids: Vec<_> =
        index.search(HERE, &Query::typed(typed), 0, 20).articles().into_iter().map(|id| id.0).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn words_are_found_in_both_scripts_on_their_site_only() {
    let index = filled();
    assert_eq!(found(&index, "tidal"), [1]);
    assert_eq!(found(&index, "Tides"), Vec::<i64>::new());
    assert_eq!(found(&index, "ledger"), [1], "plurals are folded");
    assert_eq!(found(&index, "沉积物"), [2]);
    assert_eq!(found(&index, "sediment"), [1, 2]);
    assert_eq!(index.search(THERE, &Query::typed("tidal"), 0, 20).articles(), [ArticleId(3)]);
    assert_eq!(found(&index, "https://doi.org/10.5555/TIDE.1"), [1, 2]);
}

#[test]
fn operators_and_phrases_work() {
    let index = filled();
    assert_eq!(found(&index, "sediment carbon"), [1]);
    assert_eq!(found(&index, "tidal OR 沉积物"), [1, 2]);
    assert_eq!(found(&index, "sediment NOT carbon"), [2]);
    assert_eq!(found(&index, "\"sediment carbon\""), [1]);
    assert_eq!(found(&index, "\"carbon sediment\""), Vec::<i64>::new());
}

#[test]
fn malformed_queries_do_not_fail() {
    let index = filled();
    for typed in ["", " ", "(", "\"", "site:950 tidal", "title:", "a:b:c", "AND", "[* TO", &"x ".repeat(5000), "\u{0}"]
    {
        let ids = found(&index, typed);
        assert!(!ids.contains(&3), "{typed:?}");
    }
}

#[test]
fn a_query_beyond_all_limits_does_not_fail() {
    let index = filled();
    let many: Vec<String> = (0..10_000).map(|number| format!("word{number} \"( OR")).collect();
    let synonym =
        |term: &str, alternatives: &[String]| Synonym { term: term.into(), alternatives: alternatives.to_vec() };
    let mut query = Query {
        text: "tidal NOT (AND \"tidal sea ".repeat(5000),
        synonyms: ["tidal", "tidal sea", "", "! ?", &"x".repeat(99_999)].map(|term| synonym(term, &many)).to_vec(),
        boosts: vec![(Field::Title, u32::MAX); 10_000],
        ..Query::default()
    };
    query.synonyms.extend((0..10_000).map(|number| synonym(&format!("term{number}"), &many[..3])));
    let search = |query: &Query| {
        assert_bounded(query);
        index.search(HERE, query, 0, 20)
    };
    search(&query);
    query.text = format!("{} \"{}\"", "tidal ".repeat(40), "tidal sea ".repeat(40));
    assert_eq!(search(&query).total, 0, "the phrase is nowhere");
    query.text = "tidal".into();
    assert_eq!(search(&query).articles(), [ArticleId(1)]);
    query.filters = (0..10_000).map(Filter::YearTo).chain([true, false].map(Filter::OpenAccess)).collect();
    assert_eq!(search(&query).total, 0, "no article is open and not");
    for typed in ["(", ")", "\"", "“", "NOT ", "(NOT ", "a OR ", "\"a b\" ", "海洋沉积物", "-", "é", "\u{0}"] {
        let long = typed.repeat(100_000 / typed.len());
        assert_bounded(&Query::typed(&long));
        assert!(!found(&index, &long).contains(&3), "{typed:?}");
    }
}
