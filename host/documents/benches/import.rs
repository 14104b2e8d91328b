//! Measures the time of an import relative to plain parsing of the same bytes.

#![allow(clippy::unwrap_used, missing_docs)]

use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use masthead_documents::{html, jats};

const ROUNDS: usize = 15;

/// The articles of the corpus if there is one, else those of the demonstration sites.
fn sources() -> (&'static str, Vec<Vec<u8>>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, folder) in [("the corpus", "../../../shared/data/jats"), ("sites/demo", "../../sites/demo")] {
        let mut files: Vec<_> = walkdir::WalkDir::new(root.join(folder))
            .into_iter()
            .filter_map(Result::ok)
            .map(walkdir::DirEntry::into_path)
            .filter(|path| path.extension().is_some_and(|end| end == "xml"))
            .collect();
        files.sort();
        let articles: Vec<_> = files
            .iter()
            .filter_map(|path| std::fs::read(path).ok())
            .filter(|bytes| jats::import(bytes, &jats::Limits::default()).is_ok())
            .collect();
        if !articles.is_empty() {
            return (name, articles);
        }
    }
    ("the fixture", vec![include_bytes!("../tests/fixtures/all-nodes.xml").to_vec()])
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, Duration::as_secs_f64)
}

fn main() {
    let (name, articles) = sources();
    let texts: Vec<_> = articles.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    let imported: Vec<_> =
        articles.iter().map(|bytes| jats::import(bytes, &jats::Limits::default()).unwrap().article).collect();
    let (mut parse, mut import, mut render) = (Vec::new(), Vec::new(), Vec::new());
    // The three measurements alternate, so that a slow moment of the machine affects all of them.
    for _ in 0..ROUNDS {
        parse.push(timed(|| {
            for text in &texts {
                let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
                let _ = black_box(roxmltree::Document::parse_with_options(text, options));
            }
        }));
        import.push(timed(|| {
            for bytes in &articles {
                let _ = black_box(jats::import(bytes, &jats::Limits::default()));
            }
        }));
        render.push(timed(|| {
            for article in &imported {
                black_box(html::render(article, &|_| None));
            }
        }));
    }
    let (parse, import, render) = (median(parse), median(import), median(render));
    let count = f64::from(u32::try_from(articles.len()).unwrap());
    println!("{} articles of {name}, medians of {ROUNDS} rounds", articles.len());
    println!("ratio import / plain roxmltree parse: {:.1}", import / parse);
    println!("import: {:.0} articles per second", count / import);
    println!("import and render: {:.0} articles per second", count / (import + render));
}
