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
        (Value::Object(a), Value::Object(b)) => {
            let none = Value::Null;
            let of = |key: &String| {
                difference(&format!("{path}.{key}"), a.get(key).unwrap_or(&none), b.get(key).unwrap_or(&none))
            };
            a.keys().find_map(of).or_else(|| b.keys().filter(|key| !a.contains_key(*key)).find_map(of))
        }
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
    // As JSON too: DOIs are equal in any case of letters.
    difference("", &value(article), &value(again))
        .or_else(|| (article != again).then(|| "equal only as JSON".to_owned()))
}

/// Exports, imports and compares; gives what is wrong.
fn round_trip(bytes: &[u8]) -> Option<String> {
    let first = jats::import(bytes, &Limits::default()).ok()?.article;
    let written = export(&first);
    if let Err(error) = roxmltree::Document::parse(&written) {
        return Some(format!("the export is not well-formed: {error}"));
    }
    let front = jats::export(&first, &ExportOptions { front_only: true, ..ExportOptions::default() });
    dump(&first, &written, &front);
    let again = jats::import(written.as_bytes(), &Limits::default()).expect("the export imports");
    if !again.report.warnings.is_empty() || !again.report.unknown.is_empty() {
        return Some(format!("the import of the export is not clean: {:?}", again.report));
    }
    let mut known = import(&front).meta;
    known.reference_count = first.meta.reference_count;
    changed(&first, &again.article)
        .or_else(|| (known != first.meta).then(|| "its front matter alone says something else".to_owned()))
        .or_else(|| {
            (export(&again.article) != written).then(|| "the same article was written in other bytes".to_owned())
        })
}

/// For other tools, such as a validator: `MASTHEAD_DUMP_JATS=<folder>` writes each export there.
fn dump(article: &Article, whole: &str, front: &str) {
    let Some(folder) = std::env::var_os("MASTHEAD_DUMP_JATS") else { return };
    std::fs::create_dir_all(&folder).unwrap();
    let name = article.meta.source_key.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    for (kind, text) in [("whole", whole), ("front", front)] {
        std::fs::write(Path::new(&folder).join(format!("{name}.{kind}.xml")), text).unwrap();
    }
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

/// An article without any identifier, as a foreign source.
fn anonymous(custom: &str) -> String {
    format!(
        "<article><front><article-meta>{custom}<title-group><article-title>T</article-title></title-group>\
         <custom-meta-group><custom-meta><meta-name>masthead-source-key</meta-name><meta-value>KEY</meta-value></custom-meta>\
         </custom-meta-group></article-meta></front></article>"
    )
}

#[test]
fn only_a_digest_of_an_article_without_identifiers_is_taken_over() {
    let digest = format!("sha256:{}", "0a".repeat(32));
    let key = |ids: &str, claimed: &str| import(&anonymous(ids).replace("KEY", claimed)).meta.source_key;
    assert_eq!(key("", &digest), digest);
    for claimed in
        ["doi:10.5555/1", "pmid:1", "publisher-id:1", "sha256:", "sha256:0A", &digest[..60], &digest.to_uppercase()]
    {
        let made = key("", claimed);
        assert!(made.starts_with("sha256:") && made.len() == 71 && made != claimed, "{claimed} gave {made}");
    }
    let own = "<article-id pub-id-type='publisher-id'>7</article-id>";
    assert_eq!(key(own, &digest), "publisher-id:7");

    let first = import(&anonymous("").replace("KEY", "nothing"));
    assert_eq!(import(&export(&first)), first);
}

#[test]
fn files_get_new_names_and_links_keep_theirs() {
    let source = "<article><body><fig id='f'><alternatives><graphic xlink:href='f 1.png'/><graphic xlink:href='f1.tif'/></alternatives></fig>\
                  <p><ext-link xlink:href='f1.png'>x</ext-link></p><supplementary-material xlink:href='data.csv'/></body></article>";
    let article = import(source);
    let rename = |href: &str| href.strip_suffix(".png").map(|stem| format!("images/{}.png", stem.replace(' ', "-")));
    let renamed = jats::export(&article, &ExportOptions { href: Some(&rename), ..ExportOptions::default() });
    let assets = |source: &str| jats::import(source.as_bytes(), &Limits::default()).unwrap().assets;
    assert_eq!(assets(&renamed), ["images/f-1.png", "f1.tif", "data.csv"]);
    assert!(renamed.contains("<ext-link xlink:href=\"f1.png\">"), "{renamed}");
    assert_eq!(assets(&export(&article)), assets(source));
}

#[test]
fn front_matter_alone_keeps_the_metadata_and_abstracts() {
    let source = include_str!("fixtures/all-nodes.xml");
    let article = import(source);
    let options = ExportOptions { front_only: true, embedded: true, ..ExportOptions::default() };
    let front = jats::export(&article, &options);
    assert!(front.starts_with("<article ") && !front.contains("<body") && !front.contains("<back"), "{front}");
    let again = import(&front);
    let mut expected = article.meta.clone();
    expected.reference_count = 0;
    assert_eq!(again.meta, expected);
    assert_eq!(again.body.abstracts, article.body.abstracts);
    assert!(again.body.body.is_empty() && again.body.reference_lists.is_empty() && again.body.sub_articles.is_empty());
}

#[test]
fn what_the_site_knows_survives_and_a_foreign_file_cannot_tell_it() {
    let mut article = import("<article/>");
    article.meta.first_status = 7;
    article.meta.open_access = false;
    article.body.offline = true;
    let written = export(&article);
    assert_eq!(import(&written), article);
    let foreign = import(&written.replace("<?masthead exact?>", ""));
    assert!(foreign.meta.open_access && foreign.meta.first_status == 0 && !foreign.body.offline);
}

#[test]
fn formulas_of_a_forged_export_are_made_safe_as_well() {
    let forged = "<article><?masthead exact?><body><p><inline-formula><math><mi onclick='x()'>a</mi><script>x()</script></math>\
                  </inline-formula></p></body></article>";
    let article = import(forged);
    let made = format!("{:?}", article.body);
    assert!(made.contains("<mi>a</mi>") && !made.contains("onclick") && !made.contains("script"), "{made}");
    assert_eq!(import(&export(&article)), article);
}

#[test]
fn what_is_nested_too_deeply_settles_as_well() {
    for (open, close) in [
        ("<sec><title>T</title><p>x</p>", "</sec>"),
        ("<list><list-item><p>x</p>", "</list-item></list>"),
        ("<p>x<bold>y", "</bold></p>"),
        ("<boxed-text><p>x<italic>y</italic></p>", "</boxed-text>"),
        ("<table-wrap><table><tr><td>x", "</td></tr></table></table-wrap>"),
        ("<disp-quote><p>x</p>z", "</disp-quote>"),
    ] {
        for depth in [5, 19, 20, 39, 40, 41, 60] {
            let source = format!("<article><body>{}{}</body></article>", open.repeat(depth), close.repeat(depth));
            let Ok(first) = jats::import(source.as_bytes(), &Limits::default()) else { continue };
            let written = export(&first.article);
            assert_eq!(changed(&first.article, &import(&written)), None, "{depth} times {open}");
        }
    }
}
