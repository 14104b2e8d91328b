//! An article is the same after export and import: articles of the corpus, of the demonstration sites, and of hand-made files.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{
    Compression,
    read::{ZlibDecoder, ZlibEncoder},
};
use masthead_documents::jats::{self, ExportOptions, Limits};
use masthead_domain::{
    article::{Article, RelatedArticle},
    text::hex,
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

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

/// The first difference between two values, with its path and both values.
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
    // Compared as JSON too, because equality of DOIs ignores case.
    difference("", &value(article), &value(again))
        .or_else(|| (article != again).then(|| "equal only as JSON".to_owned()))
}

/// Exports, imports and compares; returns the difference, if any.
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

/// For tools such as validators: `MASTHEAD_DUMP_JATS=<folder>` writes each export there.
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

/// The export with a changed exact article and a digest that matches it.
fn forged(written: &str, change: impl FnOnce(&mut Value)) -> String {
    let (before, rest) = written.split_once("<?masthead-article ").unwrap();
    let (instruction, after) = rest.split_once("?>").unwrap();
    let (_, data) = instruction.split_once(' ').unwrap();
    let mut json = Vec::new();
    ZlibDecoder::new(STANDARD.decode(data).unwrap().as_slice()).read_to_end(&mut json).unwrap();
    let mut value = serde_json::from_slice(&json).unwrap();
    change(&mut value);
    instructed(before, &serde_json::to_vec(&value).unwrap(), after)
}

/// The export with this JSON in its instruction, and a digest that matches it.
fn instructed(before: &str, json: &[u8], after: &str) -> String {
    let mut packed = Vec::new();
    ZlibEncoder::new(json, Compression::default()).read_to_end(&mut packed).unwrap();
    let start = before.find("<article").unwrap();
    let close = after.find("</article>").unwrap() + "</article>".len();
    let digest = hex(&Sha256::digest(format!("{}{}", &before[start..], &after[..close])));
    format!("{before}<?masthead-article {digest} {}?>{after}", STANDARD.encode(packed))
}

fn warnings(source: &str) -> Vec<String> {
    jats::import(source.as_bytes(), &Limits::default()).unwrap().report.warnings
}

#[test]
fn the_identifiers_of_the_exact_article_are_those_of_the_xml() {
    let nameless = "<article><front><article-meta><title-group><article-title>T</article-title></title-group>\
                    </article-meta></front></article>";
    let first = import(nameless);
    assert!(first.meta.source_key.starts_with("sha256:"));
    let written = export(&first);
    assert_eq!(import(&written), first);
    let claim = |key: &str| import(&forged(&written, |value| value["meta"]["sourceKey"] = key.into())).meta.source_key;
    let digest = format!("sha256:{}", "0a".repeat(32));
    assert_eq!(claim(&digest), digest);
    for claimed in
        ["doi:10.5555/1", "pmid:1", "publisher-id:1", "sha256:", "sha256:0A", &digest[..60], &digest.to_uppercase()]
    {
        let made = claim(claimed);
        assert!(made.starts_with("sha256:") && made.len() == 71 && made != claimed, "{claimed} gave {made}");
    }
    let named = nameless.replace("<title-group>", "<article-id pub-id-type='publisher-id'>7</article-id><title-group>");
    let written = forged(&export(&import(&named)), |value| value["meta"]["sourceKey"] = digest.as_str().into());
    assert_eq!(import(&written).meta.source_key, "publisher-id:7");
    assert!(warnings(&written)[0].contains("identifiers"), "{:?}", warnings(&written));
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
    let source = include_str!("../fixtures/all-nodes.xml");
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
fn fields_of_the_site_are_restored_unless_the_file_was_edited() {
    let mut article = import("<article><body><p>x</p></body></article>");
    article.meta.first_status = 7;
    article.meta.open_access = true;
    article.body.offline = true;
    let written = export(&article);
    assert_eq!(import(&written), article);
    assert_eq!(warnings(&written), Vec::<String>::new());
    let edited = written.replace("</front>", "\n</front>");
    let foreign = import(&edited);
    assert!(foreign.meta.first_status == 0 && !foreign.body.offline);
    assert!(foreign.meta.open_access, "the XML says it too, by the kind of the licence: {edited}");
    assert!(warnings(&edited).iter().any(|one| one.contains("edited")), "{:?}", warnings(&edited));
    let portable = jats::export(&article, &ExportOptions { portable: true, ..ExportOptions::default() });
    assert!(!portable.contains("<?masthead"), "{portable}");
}

#[test]
fn related_articles_that_only_other_sources_name_are_not_part_of_the_exact_article() {
    let article = import(
        "<article xmlns:xlink=\"http://www.w3.org/1999/xlink\"><front><article-meta>\
         <article-id pub-id-type=\"doi\">10.5555/a</article-id><title-group><article-title>T</article-title></title-group>\
         <related-article related-article-type=\"commentary\" ext-link-type=\"doi\" xlink:href=\"10.5555/c\"/>\
         </article-meta></front></article>",
    );
    let related = [RelatedArticle { kind: "correction-forward".into(), href: "10.5555/n".into(), text: String::new() }];
    let options = ExportOptions { related: &related, ..ExportOptions::default() };
    let written = jats::export(&article, &options);
    for (kind, doi) in [("commentary", "10.5555/c"), ("correction-forward", "10.5555/n")] {
        let expected =
            format!("<related-article related-article-type=\"{kind}\" ext-link-type=\"doi\" xlink:href=\"{doi}\"");
        assert!(written.contains(&expected), "{written}");
    }
    assert_eq!(changed(&article, &import(&written)), None);
    let portable = import(&jats::export(&article, &ExportOptions { portable: true, ..options }));
    let kinds: Vec<&str> = portable.meta.related.iter().map(|one| one.kind.as_str()).collect();
    assert_eq!(kinds, ["commentary", "correction-forward"]);
}

#[test]
fn formulas_of_a_forged_export_are_sanitized() {
    let source = "<article><body><p><inline-formula><math><mi>a</mi></math></inline-formula></p></body></article>";
    let written = forged(&export(&import(source)), |value| {
        value["body"]["body"][0]["nodes"][0]["mathml"] = "<mi onclick='x()'>b</mi><script>x()</script>".into();
    });
    let article = import(&written);
    let made = format!("{:?}", article.body);
    assert!(made.contains("<mi>b</mi>") && !made.contains("onclick") && !made.contains("script"), "{made}");
    assert_eq!(import(&export(&article)), article);
}

#[test]
fn a_hostile_instruction_is_ignored_with_a_warning() {
    let article = import("<article><body><p>kept</p></body></article>");
    let written = export(&article);
    let (before, rest) = written.split_once("<?masthead-article ").unwrap();
    let (instruction, after) = rest.split_once("?>").unwrap();
    let (digest, data) = instruction.split_once(' ').unwrap();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bomb = format!("{{\"meta\":{{}},\"body\":{{}},\"x\":\"{}\"}}", "x".repeat(64 << 20));
    let mut hostile = vec![
        instructed(before, b"", after),
        instructed(before, b"[1, 2]", after),
        instructed(before, deep.as_bytes(), after),
        instructed(before, bomb.as_bytes(), after),
        instructed(before, br#"{"meta":{},"body":{"body":[{"type":"no-such-node"}]}}"#, after),
    ];
    for content in [String::new(), digest.to_owned(), format!("{digest} %%%"), format!("{} {data}", "0".repeat(64))] {
        hostile.push(format!("{before}<?masthead-article {content}?>{after}"));
    }
    for source in &hostile {
        let read = jats::import(source.as_bytes(), &Limits::default()).unwrap();
        assert!(read.report.warnings.iter().any(|one| one.contains("was read from its XML")), "{:?}", read.report);
        assert_eq!(read.article.body.body, article.body.body);
    }
}

#[test]
fn deeply_nested_content_is_stable_after_one_round_trip() {
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
