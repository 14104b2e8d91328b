//! Tests of the index on disk: what every index does, other formats and databases, damage, and kills.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use masthead_domain::SiteId;
use tantivy::{Index as Tantivy, IndexWriter, doc};

use super::{SearchIndex, opening::WRITER_BYTES, term_expansion};
use crate::{
    analysis,
    entry::{Entry, EntryKind, Subject, Update},
    index::{Hits, Index, PageOfHits, Position, SearchError, Sites, conformance},
    query::{Clause, Expansion, Field, Join, Phrase, Query, Scope, Search, Target, Term, Tree, compile, distance},
};

const SITE: SiteId = SiteId(448);

#[tokio::test]
async fn it_does_what_every_index_does() {
    let mut folders = Vec::new();
    conformance::suite(|| {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path(), 0).unwrap();
        folders.push(folder);
        Arc::new(index)
    })
    .await;
}

fn put(id: i64, title: &str) -> Update {
    let entry = Entry { id, article: id, title: title.into(), ..Entry::default() };
    Update { site: SITE, subject: Subject::Article(id), entries: vec![entry] }
}

const fn at(change: i64) -> Position {
    Position { change, mark: change + 1 }
}

async fn find(index: &SearchIndex, word: &str) -> Result<Hits, SearchError> {
    let words = analysis::words(word).into_iter();
    let term = |word: analysis::Word| Term {
        forms: word.forms,
        typed: word.typed,
        position: word.position,
        reach: Expansion::Same,
    };
    let phrase = Phrase { scope: Scope::Everything, terms: words.map(term).collect(), names: vec![] };
    let tree = Some(Tree::Phrase(phrase));
    let kinds = vec![EntryKind::Article];
    let search = Search { kinds, tree, weights: vec![(Field::Title, 100)], ..Search::default() };
    index.search(Sites::one(SITE), search, PageOfHits::at(0, 20)).await
}

async fn found(index: &SearchIndex, word: &str) -> Vec<i64> {
    let mut ids: Vec<i64> = find(index, word).await.unwrap().hits.into_iter().map(|hit| hit.id).collect();
    ids.sort_unstable();
    ids
}

/// An index in the format of a version before marks.
fn older(folder: &Path) -> Tantivy {
    let mut builder = tantivy::schema::Schema::builder();
    let key = builder.add_text_field("key", tantivy::schema::STRING);
    let index = Tantivy::create_in_dir(folder, builder.build()).unwrap();
    let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES).unwrap();
    writer.add_document(doc!(key => "1/1")).unwrap();
    let mut commit = writer.prepare_commit().unwrap();
    commit.set_payload("41");
    commit.commit().unwrap();
    drop(writer);
    index
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    paths.filter(|path| path.to_str().unwrap().ends_with(ending)).collect()
}

#[tokio::test]
async fn an_index_is_complete_up_to_its_position_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    index.apply(vec![put(1, "Tide"), put(2, "Tides")], at(3)).await.unwrap();
    index.apply(vec![put(2, "Stone")], at(4)).await.unwrap();
    drop(index);
    let index = SearchIndex::open_to_fill(folder.path(), 0).unwrap();
    assert_eq!(index.positions().await.unwrap(), [at(4), at(3)]);
    assert_eq!((found(&index, "tide").await, found(&index, "stone").await), (vec![1], vec![2]));
}

#[tokio::test]
async fn an_index_is_merged_into_one_segment_with_all_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 3).unwrap();
    for change in 1..6 {
        index.apply(vec![put(change, "Tide")], at(change)).await.unwrap();
    }
    index.apply(vec![put(2, "Stone")], at(6)).await.unwrap();
    let positions = index.positions().await.unwrap();
    drop(index);
    let segments = || Tantivy::open_in_dir(folder.path()).unwrap().searchable_segment_ids().unwrap().len();
    assert!(segments() > 1);
    for _ in 0..2 {
        SearchIndex::merge(folder.path()).unwrap();
        assert_eq!(segments(), 1);
    }
    let index = SearchIndex::open(folder.path(), 3).unwrap();
    assert_eq!(index.positions().await.unwrap(), positions, "it is the index of the same database");
    assert_eq!((found(&index, "tide").await, found(&index, "stone").await), (vec![1, 3, 4, 5], vec![2]));
    index.apply(vec![put(7, "Tide")], at(7)).await.unwrap();
    assert_eq!(found(&index, "tide").await, [1, 3, 4, 5, 7], "it is followed as before");
}

#[tokio::test]
async fn the_words_near_a_word_are_those_at_its_distance() {
    let letters = ["a", "b", "c"];
    let mut words: Vec<String> = letters.map(str::to_owned).to_vec();
    for from in [0, 3, 12] {
        let longer: Vec<String> =
            words[from..].iter().flat_map(|word| letters.map(|letter| format!("{word}{letter}"))).collect();
        words.extend(longer);
    }
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    // Two segments, of which both have some of the words.
    index.apply(vec![put(1, &words[..80].join(" "))], at(1)).await.unwrap();
    index.apply(vec![put(2, &words[40..].join(" "))], at(2)).await.unwrap();
    let searcher = index.inner.reader.searcher();
    let spelled = |word: &str| word.chars().collect::<Vec<_>>();
    for typed in words.iter().filter(|word| word.len() > 2) {
        let reached = term_expansion::words(&searcher, &index.inner.columns, typed, Expansion::Near(1)).unwrap();
        let mut told: Vec<(String, u8, u64)> =
            reached.into_iter().map(|one| (one.text, one.distance, one.documents)).collect();
        told.sort();
        let mut expected: Vec<(String, u8, u64)> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if let Some(distance) = distance(&spelled(typed), &spelled(word), 1) {
                expected.push((word.clone(), distance, u64::from(at < 80) + u64::from(at >= 40)));
            }
        }
        expected.sort();
        assert_eq!(told, expected, "{typed}");
    }
}

/// Texts of a few words, so that many of them have the words of a query, and some have them side by side.
fn drawn(seed: &mut u64, words: &[&str], most: u64, between: &str) -> String {
    let mut next = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    let many = 1 + next(most);
    (0..many).map(|_| words[usize::try_from(next(words.len() as u64)).unwrap()]).collect::<Vec<_>>().join(between)
}

/// An index of several segments, in which some of the entries of each were replaced with the next one.
async fn of_few_words(folder: &Path) -> SearchIndex {
    let english = ["tide", "tides", "carbon", "storage", "the", "storing", "marine"];
    let (chinese, names) = (["海洋", "沉积物", "碳", "研究"], ["Wang Ming", "Ming Li", "王明", "海洋研究海洋沉积物"]);
    let index = SearchIndex::open(folder, 0).unwrap();
    let mut seed = 7;
    for change in 1..=6 {
        let entry = |id: i64| Entry {
            id,
            article: id,
            title: [("en", drawn(&mut seed, &english, 5, " ")), ("zh", drawn(&mut seed, &chinese, 3, ""))]
                .into_iter()
                .collect(),
            keywords: drawn(&mut seed, &english, 3, "\n").into(),
            authors: drawn(&mut seed, &names, 3, "\n"),
            summary: [("es", drawn(&mut seed, &english, 12, " ")), ("zh", drawn(&mut seed, &chinese, 9, ""))]
                .into_iter()
                .collect(),
            text: drawn(&mut seed, &english, 20, " ").into(),
            ..Entry::default()
        };
        let ids = (change * 50..change * 50 + 60).map(entry);
        let update = |entry: Entry| Update { site: SITE, subject: Subject::Article(entry.id), entries: vec![entry] };
        index.apply(ids.map(update).collect(), at(change)).await.unwrap();
    }
    index
}

/// The hits of a search, page by page, and the score of each but the last.
async fn paged(index: &SearchIndex, search: &Search, limit: usize) -> (usize, Vec<i64>, Vec<f32>) {
    let (mut ids, mut scores, mut after, mut total) = (Vec::new(), Vec::new(), None, 0);
    loop {
        let page = PageOfHits { after, ..PageOfHits::at(0, limit) };
        let hits = index.search(Sites::one(SITE), search.clone(), page).await.unwrap();
        ids.extend(hits.hits.iter().map(|hit| hit.id));
        total = total.max(hits.total);
        let Some(next) = hits.next else { return (total, ids, scores) };
        scores.push(f32::from_bits(u32::try_from(next.value.unwrap()).unwrap()));
        after = Some(next);
    }
}

/// Queries whose texts and conditions have words side by side.
fn with_adjacent_words() -> Vec<Query> {
    let texts = ["tide", "tide carbon", "the tide carbon storage", "tides tides storing", "海洋沉积物", "wang ming"];
    let mut queries: Vec<Query> = texts.into_iter().map(Query::typed).collect();
    queries.extend(["海洋沉积物 碳 marine", "海洋 研究 沉积物", "carbon OR tide"].map(Query::typed));
    let clause = |join, target, text: &str| Clause { join, target, text: text.to_owned(), precise: false };
    let title = Target::Part(Field::Title);
    for clauses in [
        vec![clause(Join::And, Target::Everything, "carbon tide"), clause(Join::Not, title, "marine")],
        vec![clause(Join::And, title, "the tide"), clause(Join::And, Target::Everything, "海洋沉积物")],
        vec![clause(Join::And, Target::Everything, "\"the tide\" the carbon")],
    ] {
        queries.push(Query { clauses: clauses.clone(), ..Query::default() });
        queries.push(Query { clauses, ..Query::typed("carbon storage") });
    }
    let with = |stop_words: &[&str], boosts: &[(Field, u32)]| {
        let stop_words: Vec<String> = stop_words.iter().map(|&word| word.to_owned()).collect();
        let query = |query: &Query| Query { stop_words: stop_words.clone(), boosts: boosts.to_vec(), ..query.clone() };
        queries.iter().map(query).collect::<Vec<_>>()
    };
    let boosts = [(Field::Title, 1), (Field::Summary, 1_000)];
    [with(&[], &[]), with(&["the", "storing"], &[]), with(&["the"], &boosts)].concat()
}

#[tokio::test]
async fn hits_have_the_scores_and_the_order_that_they_have_if_everything_is_scored_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let index = of_few_words(folder.path()).await;
    assert!(index.inner.reader.searcher().segment_readers().len() > 1);
    for query in with_adjacent_words() {
        let search = compile(&query).unwrap();
        // A part of an alternative is scored for each hit, as everything is by tantivy.
        let tree = Tree::Any { least: 1, parts: search.tree.iter().cloned().collect() };
        let throughout = Search { tree: Some(tree), ..search.clone() };
        let (total, expected, scores) = paged(&index, &throughout, 1).await;
        assert!(total > 4 && scores.len() == total - 1, "{query:?}: {total}");
        let score = |id: &i64| {
            let place = expected.iter().position(|expected| expected == id).unwrap();
            scores.get(place).copied().unwrap_or(0.0)
        };
        for limit in [1, 4, total] {
            let (counted, ids, found) = paged(&index, &search, limit).await;
            assert_eq!((counted, ids.len()), (total, total), "{query:?} {limit}");
            assert_eq!(HashSet::<&i64>::from_iter(&ids).len(), total, "{query:?} {limit}");
            // Sums in another order are rounded differently.
            let alike = |one: f32, other: f32| (one - other).abs() <= 0.000_01 * one;
            let falls = |pair: &[i64]| score(&pair[0]) > score(&pair[1]) || alike(score(&pair[0]), score(&pair[1]));
            assert!(ids.windows(2).all(falls), "{query:?} {limit}");
            let last_of_pages = ids.iter().skip(limit - 1).step_by(limit);
            for (id, found) in last_of_pages.zip(found) {
                assert!(
                    alike(found, score(id)) || score(id) == 0.0,
                    "{query:?} {limit} {id}: {found}, not {}",
                    score(id)
                );
            }
        }
    }
}

#[tokio::test]
async fn hits_name_their_journals_however_many_there_are() {
    for many in [3, 1_200] {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path(), 0).unwrap();
        let of_journal = |id: i64| {
            let mut update = put(id, "Tide");
            update.entries[0].journal = format!("journal-{id}");
            update
        };
        index.apply((0..many).map(of_journal).collect(), at(1)).await.unwrap();
        let hits = find(&index, "tide").await.unwrap();
        assert_eq!(hits.total as i64, many);
        assert!(hits.hits.iter().all(|hit| hit.journal == format!("journal-{}", hit.id)), "{:?}", hits.hits);
    }
}

#[tokio::test]
async fn an_index_of_another_format_is_emptied() {
    let folder = tempfile::tempdir().unwrap();
    older(folder.path());
    let old = files(folder.path(), ".store");
    assert_eq!(old.len(), 1);
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    assert_eq!(index.position().await.unwrap(), Position::default());
    index.apply(vec![put(1, "Estuary")], at(42)).await.unwrap();
    assert_eq!(found(&index, "estuary").await, [1]);
    assert!(!files(folder.path(), ".store").contains(&old[0]), "the old segments are gone");
    drop(index);
    assert_eq!(SearchIndex::open(folder.path(), 0).unwrap().position().await.unwrap(), at(42), "only once");
}

#[tokio::test]
async fn an_index_of_another_database_is_emptied() {
    let folder = tempfile::tempdir().unwrap();
    for database in [0, 9_007_199_254_740_993, 2] {
        let index = SearchIndex::open(folder.path(), database).unwrap();
        assert_eq!(index.position().await.unwrap(), Position::default(), "{database}");
        assert_eq!(found(&index, "tidal").await, [0; 0]);
        index.apply(vec![put(5, "Tidal")], at(3)).await.unwrap();
        drop(index);
        let index = SearchIndex::open(folder.path(), database).unwrap();
        assert_eq!(
            (index.position().await.unwrap(), found(&index, "tidal").await),
            (at(3), vec![5]),
            "the same database"
        );
    }
}

#[tokio::test]
async fn an_index_that_another_process_is_writing_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let old = older(folder.path());
    let writer: IndexWriter = old.writer_with_num_threads(1, WRITER_BYTES).unwrap();
    let error = SearchIndex::open(folder.path(), 0).err().unwrap();
    assert!(error.to_string().contains("another masthead process"), "{error}");
    assert_eq!(old.load_metas().unwrap().payload.as_deref(), Some("41"));
    drop(writer);
    assert_eq!(SearchIndex::open(folder.path(), 0).unwrap().position().await.unwrap(), Position::default());
}

#[tokio::test]
async fn updates_of_a_killed_process_are_neither_lost_nor_duplicated() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    index.apply(vec![put(1, "Tide")], at(1)).await.unwrap();
    // The process is killed after the documents were added, before the commit.
    {
        let mut writer = index.inner.writer.lock().unwrap();
        let writer = writer.as_mut().unwrap();
        let entry = Entry { id: 9, article: 9, title: "Tide half written".into(), ..Entry::default() };
        writer.add_document(index.inner.columns.document(SITE, &entry)).unwrap();
        writer.rollback().unwrap();
    }
    drop(index);
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    assert_eq!((index.position().await.unwrap(), found(&index, "tide").await), (at(1), vec![1]));
    // The whole batch is written again, as after a kill directly after a commit: nothing is duplicated.
    for _ in 0..2 {
        index.apply(vec![put(2, "Tide"), put(3, "Tide")], at(2)).await.unwrap();
    }
    assert_eq!(index.positions().await.unwrap(), [at(2), at(1)]);
    assert_eq!(found(&index, "tide").await, [1, 2, 3]);
}

#[tokio::test]
async fn damage_in_any_file_is_noticed_when_the_index_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    index.apply(vec![put(1, "Tide"), put(2, "Stone")], at(1)).await.unwrap();
    index.apply(vec![put(1, "Tides again")], at(2)).await.unwrap();
    // A file that is cut off under a merge in the background ends the process.
    index.close().unwrap();
    drop(index);
    let written: Vec<PathBuf> = files(folder.path(), "")
        .into_iter()
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            !name.starts_with('.') && name != "meta.json"
        })
        .collect();
    assert!(written.len() > 5, "{written:?}");
    for path in &written {
        let whole = fs::read(path).unwrap();
        for (what, changed) in
            [("cut", whole[..whole.len() / 2].to_vec()), ("changed", flipped(&whole)), ("empty", vec![])]
        {
            fs::write(path, changed).unwrap();
            let opened = SearchIndex::open(folder.path(), 0);
            assert!(matches!(opened, Err(SearchError::Open { .. })), "{} {what}", path.display());
        }
        fs::remove_file(path).unwrap();
        assert!(SearchIndex::open(folder.path(), 0).is_err(), "{} removed", path.display());
        fs::write(path, whole).unwrap();
    }
    fs::write(folder.path().join("meta.json"), "{").unwrap();
    assert!(SearchIndex::open(folder.path(), 0).is_err());
}

fn flipped(whole: &[u8]) -> Vec<u8> {
    let mut changed = whole.to_vec();
    let middle = changed.len() / 3;
    changed[middle] ^= 0x55;
    changed
}

#[tokio::test]
async fn damage_of_an_open_index_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    index.apply(vec![put(1, "Tide")], at(1)).await.unwrap();
    index.verify().await.unwrap();
    let path = files(folder.path(), ".pos").remove(0);
    let whole = fs::read(&path).unwrap();
    let place = whole.len() / 3;
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, &[whole[place] ^ 0x55], place as u64).unwrap();
    let error = index.verify().await.unwrap_err().to_string();
    assert!(error.contains(path.file_name().unwrap().to_str().unwrap()), "{error}");
}

#[tokio::test]
async fn an_operation_that_panics_is_an_error_and_no_empty_answer() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path(), 0).unwrap();
    index.apply(vec![put(1, "Tide")], at(1)).await.unwrap();
    let broken = index.blocking("searching", |_| -> Result<Hits, SearchError> { panic!("a damaged segment") }).await;
    assert!(matches!(broken, Err(SearchError::Ended { .. })), "{broken:?}");
    assert_eq!(found(&index, "tide").await, [1], "the index still answers");
}
