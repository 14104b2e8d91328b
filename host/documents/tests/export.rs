//! What is exported and imported again is the same article: of the corpus, of the demonstration sites, and of random nodes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use masthead_documents::jats::{self, ExportOptions, Limits};
use masthead_domain::article::Article;
use serde_json::Value;

fn xml_files(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .collect();
    found.sort();
    found
}

fn export(article: &Article) -> String {
    jats::export(article, &ExportOptions::default())
}

fn import(source: &str) -> Article {
    jats::import(source.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{error}:\n{source}")).article
}

/// The first place where two values differ, with both.
fn difference(path: &str, left: &Value, right: &Value) -> Option<String> {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => a
            .keys()
            .chain(b.keys())
            .find_map(|key| {
                let none = Value::Null;
                difference(&format!("{path}.{key}"), a.get(key).unwrap_or(&none), b.get(key).unwrap_or(&none))
            }),
        (Value::Array(a), Value::Array(b)) => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(index, (a, b))| difference(&format!("{path}[{index}]"), a, b))
            .or_else(|| {
                (a.len() != b.len()).then(|| {
                    let short: String = format!("{:?}", a.get(b.len()).or(b.get(a.len()))).chars().take(300).collect();
                    format!("{path}: {} items became {}: {short}", a.len(), b.len())
                })
            }),
        _ if left == right => None,
        _ => {
            let short = |value: &Value| value.to_string().chars().take(300).collect::<String>();
            Some(format!("{path}: {} became {}", short(left), short(right)))
        }
    }
}

fn changed(article: &Article, again: &Article) -> Option<String> {
    let value = |article: &Article| serde_json::to_value(article).unwrap();
    (article != again).then(|| {
        difference("", &value(article), &value(again)).unwrap_or_else(|| "equal as JSON, but not as articles".to_owned())
    })
}

/// Exports, imports and compares; gives what is wrong.
fn round_trip(bytes: &[u8]) -> Option<String> {
    let first = jats::import(bytes, &Limits::default()).ok()?.article;
    let written = export(&first);
    if let Err(error) = roxmltree::Document::parse(&written) {
        return Some(format!("the export is not well-formed: {error}"));
    }
    if let Some(folder) = std::env::var_os("MASTHEAD_DUMP_JATS") {
        std::fs::create_dir_all(&folder).unwrap();
        let name = first.meta.source_key.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        std::fs::write(Path::new(&folder).join(format!("{name}.xml")), &written).unwrap();
    }
    let again = jats::import(written.as_bytes(), &Limits::default()).expect("the export imports");
    if !again.report.warnings.is_empty() || !again.report.unknown.is_empty() {
        return Some(format!("the import of the export is not clean: {:?}", again.report));
    }
    changed(&first, &again.article).or_else(|| {
        (export(&again.article) != written).then(|| "the same article was written in other bytes".to_owned())
    })
}

fn all_round_trip(files: &[PathBuf]) {
    let problems: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            round_trip(&std::fs::read(file).unwrap()).map(|problem| format!("{name}: {problem}"))
        })
        .collect();
    println!("{} of {} files round-trip", files.len() - problems.len(), files.len());
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_corpus_round_trips() {
    let root = std::env::var_os("MASTHEAD_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let mut files = xml_files(&root.join("jats"));
    files.extend(xml_files(&root.join("zh-chinaxiv")));
    if files.is_empty() {
        return println!("skipped: no corpus at {}", root.display());
    }
    all_round_trip(&files);
}

#[test]
fn the_demonstration_round_trips() {
    let mut files = xml_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sites/demo"));
    files.retain(|file| file.parent().unwrap().ends_with("articles"));
    assert!(files.len() > 15, "only {} articles found", files.len());
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/all-nodes.xml"));
    all_round_trip(&files);
}
