//! How much longer an import takes than plain parsing of the same bytes.

#![allow(missing_docs)]

use std::{hint::black_box, path::Path};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use masthead_documents::{html, jats};

/// The largest article of the corpus where there is one, else the fixture repeated to some size.
fn source() -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/jats");
    let files = walkdir::WalkDir::new(corpus)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "xml"));
    let middle = files
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .filter(|bytes| bytes.len() < 200_000)
        .max_by_key(Vec::len);
    middle.unwrap_or_else(|| include_bytes!("../tests/fixtures/all-nodes.xml").to_vec())
}

fn import(criterion: &mut Criterion) {
    let bytes = source();
    let mut group = criterion.benchmark_group("import");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("roxmltree alone", |bencher| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let options = || roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        bencher.iter(|| black_box(roxmltree::Document::parse_with_options(&text, options()).is_ok()));
    });
    group.bench_function("import", |bencher| {
        bencher.iter(|| black_box(jats::import(&bytes, &jats::Limits::default()).is_ok()))
    });
    if let Ok(imported) = jats::import(&bytes, &jats::Limits::default()) {
        group
            .bench_function("render", |bencher| bencher.iter(|| black_box(html::render(&imported.article, &|_| None))));
    }
    group.finish();
}

criterion_group!(benches, import);
criterion_main!(benches);
