//! Whether readers find what they look for: judged queries over the demo content, and queries drawn from real articles, asked of a running
//! host through its search call, and of SQLite and PostgreSQL over the same documents in the same run. Tables are printed with `--nocapture`.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod portal;

use masthead_relevance::{
    drawn,
    engines::{Database, Engine, Fts5, Postgres, Tokenizer},
    judged::{self, Query},
    real_articles,
    scores::{Score, Table},
    seeded::Seeded,
};
use masthead_test_support::temporary;

use portal::{ELSEWHERE, Host, REAL, SHELF};

/// The seed of the queries that are drawn from real articles.
const SEED: u64 = 13;

/// What a score has to reach: class, measure, share of the queries.
type Needed = (&'static str, fn(&Score) -> f64, f64);

/// The classes of queries of which nothing is needed: they would be measured without a result.
fn unbounded<'a>(table: &'a Table, needed: &'a [Needed]) -> impl Iterator<Item = &'a str> {
    table.classes().filter(move |class| !needed.iter().any(|(bounded, ..)| bounded == class))
}

/// Asks all engines all queries, prints the scores, and returns what is below what is needed, a line each.
fn measured(name: &str, host: &Host, queries: &[Query], needed: &[Needed]) -> Vec<String> {
    let (folder, documents) = (tempfile::tempdir_in(temporary()).unwrap(), &host.content.documents);
    let tables = [Tokenizer::Trigram, Tokenizer::Unicode61].map(|tokenizer| {
        let table = Fts5::create(folder.path(), tokenizer);
        table.add(documents);
        table
    });
    let postgres = Postgres::create(&temporary());
    let mut engines: Vec<&dyn Engine> = vec![host];
    engines.extend(tables.iter().map(|table| table as &dyn Engine));
    match &postgres {
        Ok(table) => {
            table.add(documents);
            table.finish();
            engines.push(table);
        }
        Err(reason) => println!("skipped: PostgreSQL is not compared with: {reason}"),
    }
    let table = Table::of(&engines, queries);
    println!("{name}: {} documents, {} queries\n{}", documents.len(), queries.len(), table.text());
    println!("not first:\n{}\n", table.missed());
    let mut faults: Vec<String> = unbounded(&table, needed)
        .map(|class| format!("{name}, {class}: nothing is needed of this class of queries; give a share"))
        .collect();
    let missed = needed.iter().filter(|(class, measure, least)| measure(&table.score(class)) < *least).map(
        |(class, measure, least)| {
            format!("{name}, {class}: {:.1} % of {:.0} %", measure(&table.score(class)) * 100.0, least * 100.0)
        },
    );
    faults.extend(missed);
    let all = table.all();
    for (engine, score) in &all[1..] {
        if score.ndcg() > all[0].1.ndcg() {
            faults.push(format!("{name}: nDCG@10 is {:.3}, that of {engine} {:.3}", all[0].1.ndcg(), score.ndcg()));
        }
    }
    faults
}

#[test]
fn what_was_judged_over_the_demo_content_is_found() {
    let host = Host::of(&SHELF);
    let queries = judged::of_demo();
    assert!(queries.len() >= 200, "{}", queries.len());
    let known = |key: &String| host.content.documents.iter().any(|document| document.key == *key);
    let unknown: Vec<&String> =
        queries.iter().flat_map(|query| query.best.iter().chain(&query.also)).filter(|key| !known(key)).collect();
    assert!(unknown.is_empty(), "the site does not have {unknown:?}");
    let needed: [Needed; 18] = [
        ("exact title", Score::first, 0.98),
        ("title with a typo", Score::third, 0.90),
        ("Chinese phrase", Score::third, 0.95),
        ("traditional and full width", Score::third, 0.80),
        ("author", Score::third, 0.95),
        ("author, family name first or last", Score::third, 0.95),
        ("author with initials", Score::third, 0.95),
        ("author in pinyin", Score::first, 0.95),
        ("DOI", Score::first, 1.0),
        // The words stand so in one article.
        ("phrase of the text", Score::third, 0.90),
        ("words of title and abstract", Score::third, 0.80),
        ("keywords", Score::third, 0.80),
        ("affiliation", Score::third, 0.80),
        ("mixed languages", Score::third, 0.80),
        // Symbols are short words: other articles have some of them.
        ("formula in the text", Score::third, 0.60),
        ("figure caption", Score::first, 0.95),
        ("table cell", Score::first, 0.95),
        ("books and other resources", Score::third, 0.80),
    ];
    let faults = measured("demo content", &host, &queries, &needed);
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn what_was_drawn_from_real_articles_is_found() {
    if real_articles().is_none() {
        println!("skipped: there are no real articles (MASTHEAD_TEST_DATA names their folder)");
        return;
    }
    let host = Host::of(&REAL);
    assert!(host.content.articles.len() > 150, "{}", host.content.articles.len());
    let queries = drawn::queries(&host.content, SEED);
    let needed: [Needed; 12] = [
        ("exact title", Score::first, 0.98),
        ("title with a typo", Score::third, 0.90),
        ("Chinese title, one character wrong", Score::third, 0.80),
        ("Chinese phrase", Score::third, 0.95),
        ("DOI", Score::first, 1.0),
        ("author", Score::third, 0.95),
        ("author, family name first or last", Score::third, 0.95),
        ("author with initials", Score::third, 0.95),
        ("phrase of the text", Score::third, 0.80),
        ("keywords", Score::third, 0.80),
        ("figure caption", Score::first, 0.98),
        ("table cell", Score::first, 0.98),
    ];
    let faults = measured("real articles", &host, &queries, &needed);
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn facet_counts_add_up() {
    let host = Host::of(&SHELF);
    for text in ["carbon", "测量", "school", "the"] {
        let counted = host.ask("search/clusters", &[("q", text), ("type", "article")]);
        let total = counted["totalElements"].as_u64().unwrap();
        assert!(total > 2, "{text}: {counted}");
        let found = host.ask("search", &[("q", text), ("type", "article"), ("size", "1")]);
        assert_eq!(found["totalElements"], total, "{text}");
        // Every article has one year, one journal and one type.
        for (facet, filters) in
            [("year", &["yearFrom", "yearTo"][..]), ("journal", &["journal"]), ("articleType", &["articleType"])]
        {
            let values = counted[facet].as_array().unwrap();
            let sum: u64 = values.iter().map(|value| value["count"].as_u64().unwrap()).sum();
            assert_eq!(sum, total, "{text}, {facet}: {counted}");
            for value in values {
                let (name, count) = (value["value"].as_str().unwrap(), &value["count"]);
                let mut pairs = vec![("q", text), ("type", "article"), ("size", "1")];
                pairs.extend(filters.iter().map(|filter| (*filter, name)));
                assert_eq!(host.ask("search", &pairs)["totalElements"], *count, "{text}, {facet} {name}");
            }
        }
    }
}

#[test]
fn counts_of_every_kind_can_be_followed() {
    let host = Host::of(&SHELF);
    let mut followed = 0;
    for (kind, text) in [
        ("publication", "of"),
        ("picture", "carbon"),
        ("table", "site"),
        ("other", "the"),
        ("news", "the"),
        ("video", "the"),
        ("audio", "the"),
        ("book", "the"),
        ("all", "the"),
    ] {
        let counted = host.ask("search/clusters", &[("q", text), ("type", kind)]);
        let filters = [
            ("year", &["yearFrom", "yearTo"][..]),
            ("journal", &["journal"]),
            ("column", &["column"]),
            ("author", &["author"]),
            ("language", &["language"]),
            ("oa", &["oa"]),
        ];
        for (facet, names) in filters {
            for value in counted[facet].as_array().unwrap().iter().take(5) {
                let (name, count) = (value["value"].as_str().unwrap(), &value["count"]);
                let mut pairs = vec![("q", text), ("type", kind), ("size", "1")];
                pairs.extend(names.iter().map(|filter| (*filter, name)));
                assert_eq!(host.ask("search", &pairs)["totalElements"], *count, "{kind} {text}, {facet} {name}");
                followed += 1;
            }
        }
        if ["picture", "table"].contains(&kind) {
            let sum: u64 = counted["oa"].as_array().unwrap().iter().map(|value| value["count"].as_u64().unwrap()).sum();
            assert_eq!(sum, counted["totalElements"].as_u64().unwrap(), "{kind}: each has the access of its article");
        }
        if ["book", "news", "video"].contains(&kind) {
            assert_eq!(counted["oa"].as_array().unwrap().len(), 0, "{kind}: only articles have access");
        }
    }
    assert!(followed > 50, "{followed}");
}

#[test]
fn two_sites_never_see_each_others_content() {
    let (here, there) = (Host::of(&SHELF), Host::of(&ELSEWHERE));
    assert!(!there.content.articles.is_empty(), "the other site has articles of its own");
    let own = |host: &Host, query: &Query| {
        let (found, documents) = (host.find(query, 100), &host.content.documents);
        let is_own = |key: &&String| documents.iter().any(|document| document.key == **key);
        let foreign: Vec<&String> = found.iter().filter(|key| !is_own(key)).collect();
        assert!(foreign.is_empty(), "{:?} finds {foreign:?}", query.text);
        found.len()
    };
    let mut found = 0;
    for query in judged::of_demo() {
        found += own(&here, &query);
        own(&there, &Query { kind: "all".to_owned(), ..query });
    }
    assert!(found > 200, "{found}");
}

#[test]
fn scores_are_those_of_their_definitions() {
    let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let set = |names: &[&str]| keys(names).into_iter().collect();
    let query = Query { best: set(&["a"]), also: set(&["b"]), ..Query::default() };
    let score = |answer: &[&str]| {
        let mut score = Score::default();
        score.add(&query, &keys(answer));
        (score.ndcg(), score.first(), score.third())
    };
    assert_eq!(score(&["a", "b"]), (1.0, 1.0, 1.0));
    assert_eq!(score(&[]), (0.0, 0.0, 0.0));
    let (gain, first, third) = score(&["x", "b", "a"]);
    // Gains of 7 and 1, at the places 3 and 2, of 7 and 1 at the places 1 and 2.
    let expected = (1.0 / 3.0_f64.log2() + 7.0 / 2.0) / (7.0 + 1.0 / 3.0_f64.log2());
    assert!((gain - expected).abs() < 1e-12, "{gain} {expected}");
    assert_eq!((first, third), (0.0, 1.0));
    assert_eq!(score(&["b", "x", "y", "a"]).2, 0.0, "the fourth place is not among the first three");
}

#[test]
fn a_class_of_queries_of_which_nothing_is_needed_is_named() {
    let query = |class: &str| Query { class: class.to_owned(), best: ["a".to_owned()].into(), ..Query::default() };
    let table = Table::of(&[], &[query("DOI"), query("author"), query("DOI")]);
    let needed: [Needed; 2] = [("DOI", Score::first, 1.0), ("title", Score::first, 1.0)];
    assert_eq!(unbounded(&table, &needed).collect::<Vec<_>>(), ["author"]);
}

#[test]
fn the_same_seed_draws_the_same() {
    let numbers = |seed| {
        let mut seeded = Seeded::new(seed);
        (0..4).map(|_| seeded.below(1000)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(13), numbers(13));
    assert_ne!(numbers(13), numbers(14));
    let list = [1, 2, 3, 4, 5];
    let mut drawn: Vec<i32> = Seeded::new(1).some(&list, 9).into_iter().copied().collect();
    drawn.sort_unstable();
    assert_eq!(drawn, list, "each once");
}
