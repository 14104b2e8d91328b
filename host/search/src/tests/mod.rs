//! Tests of the index: matching, updates and limits.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod kinds;
mod relevance;

use std::{path::Path, time::Duration};

use masthead_domain::{ArticleId, SiteId};
use tantivy::{Index, IndexWriter, doc};

use crate::{tantivy_index::WRITER_BYTES, *};

const HERE: SiteId = SiteId(448);
const THERE: SiteId = SiteId(950);

/// Processor time of this thread, which other processes do not affect.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux says what a thread has computed");
    let nanoseconds = text.split_whitespace().next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first number is the processor time in nanoseconds"))
}

fn entry(title: &str, text: &str) -> Entry {
    Entry { title: title.into(), text: text.into(), doi: "10.5555/Tide.1".into(), ..Entry::default() }
}

/// A change of an article.
pub fn put(site: SiteId, id: i64, entry: Option<Entry>) -> Update {
    let entries = entry.into_iter().map(|entry| Entry { id, article: id, ..entry }).collect();
    Update { site, subject: Subject::Article(id), entries }
}

fn filled() -> (tempfile::TempDir, SearchIndex) {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path()).unwrap();
    let batch = [
        put(HERE, 1, Some(entry("Tidal ledgers of the coast", "sediment carbon"))),
        put(HERE, 2, Some(entry("海洋沉积物的碳收支", "潮间带 sediment"))),
        put(THERE, 3, Some(entry("Tidal inscriptions", "carbon"))),
    ];
    index.apply(&batch, 7).unwrap();
    (folder, index)
}

fn found(index: &SearchIndex, typed: &str) -> Vec<i64> {
    let mut ids: Vec<_> =
        index.search(HERE, &Query::typed(typed), 0, 20).unwrap().articles().into_iter().map(|id| id.0).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn words_are_found_in_both_scripts_on_their_site_only() {
    let (_folder, index) = filled();
    assert_eq!(found(&index, "tidal"), [1]);
    assert_eq!(found(&index, "Tides"), Vec::<i64>::new());
    assert_eq!(found(&index, "ledger"), [1], "plurals are folded");
    assert_eq!(found(&index, "沉积物"), [2]);
    assert_eq!(found(&index, "sediment"), [1, 2]);
    assert_eq!(index.search(THERE, &Query::typed("tidal"), 0, 20).unwrap().articles(), [ArticleId(3)]);
    assert_eq!(found(&index, "https://doi.org/10.5555/TIDE.1"), [1, 2]);
}

#[test]
fn operators_and_phrases_work() {
    let (_folder, index) = filled();
    assert_eq!(found(&index, "sediment carbon"), [1]);
    assert_eq!(found(&index, "tidal OR 沉积物"), [1, 2]);
    assert_eq!(found(&index, "sediment NOT carbon"), [2]);
    assert_eq!(found(&index, "\"sediment carbon\""), [1]);
    assert_eq!(found(&index, "\"carbon sediment\""), Vec::<i64>::new());
}

#[test]
fn malformed_queries_do_not_fail() {
    let (_folder, index) = filled();
    for typed in ["", " ", "(", "\"", "site:950 tidal", "title:", "a:b:c", "AND", "[* TO", &"x ".repeat(5000), "\u{0}"]
    {
        let ids = found(&index, typed);
        assert!(!ids.contains(&3), "{typed:?}");
    }
}

#[test]
fn replacing_and_removing_follow_the_log() {
    let (folder, index) = filled();
    assert_eq!(index.position().unwrap(), 7);
    index.apply(&[put(HERE, 1, Some(entry("Estuary", ""))), put(HERE, 2, None)], 9).unwrap();
    assert_eq!(found(&index, "tidal"), Vec::<i64>::new());
    assert_eq!(found(&index, "estuary"), [1]);
    assert_eq!(found(&index, "沉积物"), Vec::<i64>::new());
    drop(index);
    let again = SearchIndex::open(folder.path()).unwrap();
    assert_eq!(again.position().unwrap(), 9);
    assert_eq!(found(&again, "estuary"), [1]);
}

#[test]
fn pages_do_not_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path()).unwrap();
    let batch: Vec<_> = (1..=45).map(|id| put(HERE, id, Some(entry("tide", "")))).collect();
    index.apply(&batch, 1).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for page in 0..3 {
        let hits = index.search(HERE, &Query::typed("tide"), page * 20, 20).unwrap();
        assert_eq!(hits.total, 45);
        seen.extend(hits.articles().into_iter().map(|id| id.0));
    }
    assert_eq!(seen.len(), 45);
}

/// An index in the format of the version before filters.
fn older(folder: &Path) -> Index {
    let mut builder = tantivy::schema::Schema::builder();
    let key = builder.add_text_field("key", tantivy::schema::STRING);
    let index = Index::create_in_dir(folder, builder.build()).unwrap();
    let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES).unwrap();
    writer.add_document(doc!(key => "1/1")).unwrap();
    let mut commit = writer.prepare_commit().unwrap();
    commit.set_payload("41");
    commit.commit().unwrap();
    drop(writer);
    index
}

#[test]
fn an_index_of_another_format_is_emptied() {
    let folder = tempfile::tempdir().unwrap();
    older(folder.path());
    let segments = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        files.filter(|name| name.to_str().unwrap().ends_with(".store")).collect::<Vec<_>>()
    };
    let old = segments();
    assert_eq!(old.len(), 1);
    let index = SearchIndex::open(folder.path()).unwrap();
    assert_eq!(index.position().unwrap(), 0);
    assert_eq!(found(&index, "NOT x"), Vec::<i64>::new());
    index.apply(&[put(HERE, 1, Some(Entry { year: Some(2024), ..entry("Estuary", "") }))], 42).unwrap();
    let query = Query { filters: vec![Filter::YearFrom(2024)], ..Query::typed("estuary") };
    assert_eq!(index.search(HERE, &query, 0, 9).unwrap().total, 1);
    assert!(!segments().contains(&old[0]), "the old segments are gone");
    drop(index);
    assert_eq!(SearchIndex::open(folder.path()).unwrap().position().unwrap(), 42, "only once");
}

#[test]
fn an_index_of_another_database_is_emptied_and_kept_for_its_own() {
    let (folder, index) = filled();
    drop(index);
    let index = SearchIndex::open(folder.path()).unwrap();
    assert_eq!(index.position().unwrap(), 7, "the same database");
    drop(index);
    let index = SearchIndex::open_of(folder.path(), 9_007_199_254_740_993).unwrap();
    assert_eq!((index.position().unwrap(), found(&index, "tidal")), (0, Vec::new()), "a restored database");
    index.apply(&[put(HERE, 5, Some(entry("Tidal", "")))], 3).unwrap();
    drop(index);
    let index = SearchIndex::open_of(folder.path(), 9_007_199_254_740_993).unwrap();
    assert_eq!((index.position().unwrap(), found(&index, "tidal")), (3, vec![5]));
    drop(index);
    let index = SearchIndex::open_of(folder.path(), 2).unwrap();
    assert_eq!((index.position().unwrap(), found(&index, "tidal")), (0, Vec::new()), "restored once more");
}

#[test]
fn an_index_that_another_process_is_writing_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let old = older(folder.path());
    let writer: IndexWriter = old.writer_with_num_threads(1, WRITER_BYTES).unwrap();
    assert!(matches!(SearchIndex::open(folder.path()), Err(SearchError::Open { .. })));
    assert_eq!(old.load_metas().unwrap().payload.as_deref(), Some("41"));
    drop(writer);
    assert_eq!(SearchIndex::open(folder.path()).unwrap().position().unwrap(), 0);
}

#[test]
fn a_query_beyond_all_limits_does_not_fail() {
    let (_folder, index) = filled();
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
    let began = cpu_time();
    index.search(HERE, &query, 0, 20).unwrap();
    query.text = format!("{} \"{}\"", "tidal ".repeat(40), "tidal sea ".repeat(40));
    assert_eq!(index.search(HERE, &query, 0, 20).unwrap().total, 0, "the phrase is nowhere");
    query.text = "tidal".into();
    assert_eq!(index.search(HERE, &query, 0, 20).unwrap().articles(), [ArticleId(1)]);
    query.filters = (0..10_000).map(Filter::YearTo).chain([true, false].map(Filter::OpenAccess)).collect();
    assert_eq!(index.search(HERE, &query, 0, 20).unwrap().total, 0, "no article is open and not");
    for typed in ["(", ")", "\"", "“", "NOT ", "(NOT ", "a OR ", "\"a b\" ", "海洋沉积物", "-", "é", "\u{0}"] {
        let ids = found(&index, &typed.repeat(100_000 / typed.len()));
        assert!(!ids.contains(&3), "{typed:?}");
    }
    assert!(cpu_time() - began < Duration::from_secs(20), "{:?}", cpu_time() - began);
}
