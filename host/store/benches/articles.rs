//! Measures storing articles one by one and in batches, as an import does; `cargo bench -p masthead-store --bench articles`.
//!
//! The measure is processor time of the whole process, because SQLite works on threads of its own. The two alternate in rounds.
#![allow(clippy::unwrap_used, missing_docs)]

use masthead_domain::{
    Doi, SiteId,
    article::{Article, ArticleMeta, Contributor, JournalRef, KeywordGroup, LangText},
    card::ArticleCard,
    content::{ArticleBody, Node},
    resource::Picture,
};
use masthead_store::{NewArticle, Store};

const ARTICLES: usize = 256;
const BATCH: usize = 32;
const ROUNDS: usize = 5;

fn article(number: usize) -> NewArticle {
    let doi = Doi::parse(&format!("10.5555/bench.{number}")).unwrap();
    let text = "Salt marshes keep carbon for centuries where the sea lets them. ".repeat(400);
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        titles: vec![LangText { lang: "en".into(), plain: format!("Number {number}"), nodes: Vec::new() }],
        journal: JournalRef { title: "Ocean Ledger".into(), issn: vec!["1234-5679".into()], ..JournalRef::default() },
        year: Some(2026),
        issue: (number / 20).to_string(),
        contributors: (0..6)
            .map(|author| Contributor {
                role: "author".into(),
                collab: format!("Author {}", number * 3 + author),
                ..Contributor::default()
            })
            .collect(),
        keywords: vec![KeywordGroup { plain: vec!["salt".into(), "marsh".into()], ..KeywordGroup::default() }],
        ..ArticleMeta::default()
    };
    let body = ArticleBody { body: vec![Node::Text { text: text.clone() }], ..ArticleBody::default() };
    let article = Article { meta, body };
    let card = ArticleCard::of(&article, &[], &[]);
    let picture = |figure: i64| Picture { element: format!("f{figure}"), position: figure, ..Picture::default() };
    NewArticle {
        article,
        card,
        rendered: serde_json::json!({ "html": format!("<p>{text}</p>"), "text": text }).to_string(),
        pictures: (0..4).map(picture).collect(),
        ..NewArticle::default()
    }
}

/// Processor time of this process in milliseconds.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // utime and stime, in hundredths of a second.
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) * 10.0
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let articles: Vec<NewArticle> = (0..ARTICLES).map(article).collect();
    let bytes: usize = articles.iter().map(|one| one.rendered.len()).sum();
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for (batch, times) in [(1, &mut alone), (BATCH, &mut together)] {
            let folder = tempfile::tempdir().unwrap();
            runtime.block_on(async {
                let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
                let site = store.site(SiteId(1));
                let before = cpu_ms();
                for some in articles.chunks(batch) {
                    site.save_articles(some).await.into_iter().for_each(|saved| _ = saved.unwrap());
                }
                times.push((cpu_ms() - before) / ARTICLES as f64);
                store.close().await;
            });
        }
    }
    let (alone, together) = (median(alone), median(together));
    println!(
        "storing an article of {} KB: {alone:.2} ms of processor time alone, {together:.2} ms in batches of {BATCH} ({:.2})",
        bytes / ARTICLES / 1000,
        together / alone
    );
}
