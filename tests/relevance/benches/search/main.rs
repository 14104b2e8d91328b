//! Speed of search over generated bilingual articles, as ratios to tantivy alone over the same files, and to the full-text search of
//! SQLite and PostgreSQL over the same articles; `cargo bench -p masthead-relevance --bench search`.
//!
//! There are 100,000 articles, or `MASTHEAD_BENCH_ARTICLES`; `make bench-search-large` has 1,000,000. Each engine is alone while it is
//! asked; tantivy alone and the index answer each query in turn, so that other load on the machine affects both.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod index;
mod log;
mod machine;
mod raw;

use std::{
    collections::BTreeSet,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use masthead_relevance::{
    content::Document,
    engines::{Database, Fts5, Postgres, Tokenizer},
    judged::Query,
};
use masthead_search::{MAX_EXPANDED_TERMS, MAX_WORDS, SearchIndex};
use masthead_test_support::Missed;
use tokio::sync::Mutex;

use articles::Words;
use index::Built;
use machine::Times;
use raw::Raw;

/// Articles that are written at once.
const BATCH: usize = 2_000;
/// Queries of the log.
const ASKED: usize = 1_000;
/// Queries of the log that the other engines answer, which need a multiple of the time.
const ASKED_OTHERS: usize = 200;
/// Milliseconds after which another engine gives up a query; it has taken that long then.
const PATIENCE: u32 = 20_000;
/// Time after which another engine gets no further query, once before its time is taken, and once while it is.
const BUDGET: Duration = Duration::from_secs(150);
/// Hits on a page.
const PAGE: usize = 20;

/// Words of a query that stand for several words of the index: `MAX_NEAR` of the index.
const REACHING: usize = 12;
/// Words of the longest query of the log, which is a title.
const LONGEST: usize = 13;
/// How many times the 99th percentile of the log the slowest hostile query may take. The words of the index that are looked for decide what
/// a search costs, and the limits of a query leave room for so many times those of the longest query that is typed in earnest.
const MOST_HOSTILE: usize = (REACHING * MAX_EXPANDED_TERMS + MAX_WORDS - REACHING) / LONGEST;

/// What the last lines tell again.
#[derive(Default)]
struct Summary {
    missed: Missed,
    /// Comparisons that were skipped.
    skipped: Vec<String>,
}

impl Summary {
    fn exit_code(&self) -> ExitCode {
        let skipped = if self.skipped.is_empty() { "none".to_owned() } else { self.skipped.join(", ") };
        println!("comparisons skipped: {skipped}");
        self.missed.exit_code()
    }
}

fn many() -> usize {
    std::env::var("MASTHEAD_BENCH_ARTICLES").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

/// Fills an index and merges its files, as an index that is built anew is filled and merged by the host, and prints what it took.
fn fill(folder: &Path, words: &Words) {
    let (built, started, cpu) = (Built::fill(folder), Instant::now(), machine::cpu());
    let mut making = Duration::ZERO;
    for first in (0..many()).step_by(BATCH) {
        let began = Instant::now();
        let batch = (first..(first + BATCH).min(many())).map(|number| words.article(number).update()).collect();
        making += began.elapsed();
        built.add(batch, first + BATCH);
    }
    built.close();
    drop(built);
    SearchIndex::merge(folder).unwrap();
    let (taken, most) = (started.elapsed() - making, machine::memory("VmHWM"));
    let cpu = (machine::cpu() - cpu).saturating_sub(making).as_secs_f64();
    println!(
        "{} articles indexed in {:.0} s, {:.0} a second and core; {} bytes an article; at most {most} MB of memory",
        many(),
        taken.as_secs_f64(),
        many() as f64 / cpu,
        machine::bytes(folder) / many() as u64,
    );
}

/// The log, answered by the index and by tantivy alone in turn: both find what was typed.
fn beside_tantivy(built: &Built, raw: &Raw, asked: &[Query], summary: &mut Summary) {
    let (mut own, mut others, mut found) = (Vec::new(), Vec::new(), (0, 0));
    let timed = |times: &mut Vec<f64>, call: &mut dyn FnMut()| {
        let started = Instant::now();
        call();
        times.push(started.elapsed().as_secs_f64() * 1e3);
    };
    for (turn, query) in asked.iter().enumerate() {
        let Some(search) = built.compiled(&query.text) else { panic!("{:?} asks for nothing", query.text) };
        let prepared = raw.query(&search);
        // Both read the same files, which are in memory from here on.
        found = (found.0 + built.as_typed(&query.text, PAGE).total, found.1 + raw.find(&*prepared, PAGE).0);
        for number in 0..2 {
            if (turn + number) % 2 == 0 {
                timed(&mut own, &mut || _ = built.as_typed(&query.text, PAGE));
            } else {
                timed(&mut others, &mut || _ = raw.find(&*prepared, PAGE));
            }
        }
    }
    println!("{} queries of a mixed log, as typed and (by tantivy alone):", asked.len());
    for class in classes(asked) {
        let of = |times: &[f64]| {
            let of_class = asked.iter().zip(times).filter(|(query, _)| query.class == class);
            Times::new(of_class.map(|(_, time)| *time).collect())
        };
        println!("  {class:18} {} ({})", of(&own).text(), of(&others).text());
    }
    let (own, others) = (Times::new(own), Times::new(others));
    let ratios = (own.half() / others.half(), own.most() / others.most());
    println!("  {:18} {} ({})", "all", own.text(), others.text());
    println!("  {} hits a query ({})", found.0 / asked.len(), found.1 / asked.len());
    println!(
        "  / tantivy alone: p50 {:.2}, p99 {:.2}; {}",
        ratios.0,
        ratios.1,
        summary.missed.verdict("p50 and p99 / tantivy alone", ratios.0 <= 1.3 && ratios.1 <= 1.3, "<= 1.3")
    );
}

/// What queries cost that are made to be costly: each with everything that a search does, and as a whole page of results. The first answer
/// of each, which reads files for the first time, counts too. Each is compared with the same of the log.
fn hostile(built: &Built, words: &Words, searches: &Times, pages: &Times, missed: &mut Missed) {
    println!("hostile queries, a search and a page of results, the slower one of two:");
    let queries = log::hostile(words, many());
    let (mut slowest_search, mut slowest_page) = ((0.0, ""), (0.0, ""));
    for query in &queries {
        let time = |call: &dyn Fn()| Times::of(&[(), ()], |()| call()).percentile(1.0);
        let found = time(&|| _ = built.find(&query.text, PAGE));
        let page = time(&|| _ = built.page(&query.text, PAGE));
        for (taken, slowest) in [(found, &mut slowest_search), (page, &mut slowest_page)] {
            if taken > slowest.0 {
                *slowest = (taken, query.class.as_str());
            }
        }
        println!("  {:36} {found:.1} ms, {page:.1} ms", query.class);
    }
    let bound = format!("<= {MOST_HOSTILE}");
    for (what, (taken, name), usual) in [("search", slowest_search, searches), ("page", slowest_page, pages)] {
        let ratio = taken / usual.most();
        let needed = missed.verdict(&format!("hostile {what}, {name}"), ratio <= MOST_HOSTILE as f64, &bound);
        println!("  the slowest {what} ({name}) / p99 of the log: {ratio:.1}; {needed}");
    }
}

/// The classes of the queries, each once.
fn classes(asked: &[Query]) -> BTreeSet<&str> {
    asked.iter().map(|query| query.class.as_str()).collect()
}

/// The same log, answered by another engine, after a pass that brings what it reads into memory.
fn beside(engine: &dyn Database, own: &Times, asked: &[Query], summary: &mut Summary) {
    within_budget(asked, |query| _ = engine.find(query, PAGE));
    let mut times = within_budget(asked, |query| _ = engine.find(query, PAGE));
    let answered = times.len();
    // A query that was not asked takes no time at all, so that the figures are lower bounds.
    times.resize(asked.len(), 0.0);
    let (times, least) = (Times::new(times), if answered < asked.len() { "at least " } else { "" });
    let ratio = times.most() / own.most();
    println!(
        "  {} ({least}{}): {least}p50 {:.1} times, {least}p99 {ratio:.1} times the index's of the same {} queries, {answered} answered; {}",
        engine.name(),
        times.text(),
        times.half() / own.half(),
        asked.len(),
        summary.missed.verdict(&format!("p99 of {} / the index's", engine.name()), ratio >= 5.0, ">= 5")
    );
}

/// The milliseconds of each call, as far as they begin within the budget.
fn within_budget(asked: &[Query], mut call: impl FnMut(&Query)) -> Vec<f64> {
    let began = Instant::now();
    let mut times = Vec::with_capacity(asked.len());
    for query in asked.iter().take_while(|_| began.elapsed() < BUDGET) {
        let started = Instant::now();
        call(query);
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    times
}

/// Fills the table of another engine. It waits between batches while another one is asked.
fn fill_table(table: &dyn Database, words: &Words, quiet: &Mutex<()>) {
    let started = Instant::now();
    let mut waited = Duration::ZERO;
    for first in (0..many()).step_by(BATCH) {
        let began = Instant::now();
        let _quiet = quiet.blocking_lock();
        waited += began.elapsed();
        let batch: Vec<Document> =
            (first..(first + BATCH).min(many())).map(|number| words.article(number).document()).collect();
        table.add(&batch);
    }
    let _quiet = quiet.blocking_lock();
    table.finish();
    println!(
        "  {} filled in {:.0} s; {} bytes an article",
        table.name(),
        (started.elapsed() - waited).as_secs_f64(),
        table.bytes() / many() as u64
    );
}

/// The other engines, filled and asked. Trigrams take SQLite longer than everything else, on one processor, so that their table is filled
/// meanwhile; it is not while another engine is asked.
fn beside_databases(scratch: &Path, words: &Words, own: &Times, asked: &[Query], summary: &mut Summary) {
    // This lock is fair: whoever asks gets it after one batch.
    let quiet = Mutex::new(());
    std::thread::scope(|scope| {
        let trigrams = scope.spawn(|| {
            let files = tempfile::tempdir_in(scratch).unwrap();
            let table = Fts5::create(files.path(), Tokenizer::Trigram);
            fill_table(&table, words, &quiet);
            (files, table)
        });
        let ask = |table: &dyn Database, summary: &mut Summary| {
            let _quiet = quiet.blocking_lock();
            beside(table, own, asked, summary);
        };
        {
            let files = tempfile::tempdir_in(scratch).unwrap();
            let table = Fts5::create(files.path(), Tokenizer::Unicode61);
            fill_table(&table, words, &Mutex::new(()));
            ask(&table, summary);
        }
        // The data folder has room for the articles, which the folder for temporary files may not have.
        match Postgres::create(Path::new(env!("CARGO_TARGET_TMPDIR"))) {
            Ok(table) => {
                fill_table(&table, words, &Mutex::new(()));
                table.give_up_after(PATIENCE);
                ask(&table, summary);
            }
            Err(reason) => {
                println!("  skipped: PostgreSQL is not compared with: {reason}");
                summary.skipped.push("PostgreSQL".to_owned());
            }
        }
        let (_files, table) = trigrams.join().unwrap();
        ask(&table, summary);
    });
}

fn main() -> ExitCode {
    let (words, scratch) = (Words::new(), tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    let folder = scratch.path().join("index");
    fill(&folder, &words);
    let built = Built::open(&folder);
    let asked = log::log(&words, many(), ASKED);
    let mut summary = Summary::default();
    beside_tantivy(&built, &Raw::open(&folder), &asked, &mut summary);
    let whole = Times::of(&asked, |query| _ = built.find(&query.text, PAGE));
    println!("with a second attempt where few are found: {}", whole.text());
    let pages = Times::of(&asked, |query| _ = built.page(&query.text, PAGE));
    println!("a page of results, with its tabs and filters: {}", pages.text());
    let others_asked = &asked[..ASKED_OTHERS.min(asked.len())];
    let own = Times::of(others_asked, |query| _ = built.find(&query.text, PAGE));
    let mistyped = Times::of(&log::mistyped(&words, many(), ASKED_OTHERS), |text| _ = built.find(text, PAGE));
    println!("titles with a typing error: {}", mistyped.text());
    hostile(&built, &words, &whole, &pages, &mut summary.missed);
    let suggested = Times::of(&log::beginnings(&words, many(), ASKED), |text| _ = built.suggest(text));
    let told = summary.missed.verdict("suggestions", suggested.most() < 10.0, "p99 < 10 ms");
    println!("suggestions: {}; {told}", suggested.text());
    println!(
        "memory: {} MB of its own, {} MB of files of the index; at most {} MB together",
        machine::memory("RssAnon"),
        machine::memory("RssFile"),
        machine::memory("VmHWM")
    );
    drop(built);
    beside_databases(scratch.path(), &words, &own, others_asked, &mut summary);
    summary.exit_code()
}
