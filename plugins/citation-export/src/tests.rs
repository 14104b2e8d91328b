//! Tests of the three formats, with a plain article and with special characters and names.

use super::*;
use masthead_plugin::{
    Person, Text,
    serde_json::{self, Value, json},
    testing,
};

const ADDRESS: &str = "https://journals.example.org/test/en/article/17";

fn ask(path: &str, id: &str) -> Response {
    testing::set_articles(vec![testing::article(17)]);
    let query = vec![("id".to_owned(), id.to_owned())];
    let request =
        RouteRequest { method: "GET".to_owned(), path: path.to_owned(), query, headers: vec![], body: vec![] };
    CitationExport::handle(&testing::context("en"), request).unwrap()
}

/// An article with a group as author, an author without given names, and all characters that BibTeX treats specially.
fn hard() -> Article {
    let person = |name: &str, family: &str| Person {
        name: name.to_owned(),
        family: family.to_owned(),
        given: String::new(),
        orcid: None,
        email: None,
    };
    Article {
        titles: vec![Text { lang: "en".to_owned(), value: "50% of A_1 & {B}\r\nER  - \\cmd~^$#".to_owned() }],
        authors: vec![person("Sea and Salt Group", ""), person("王", "王")],
        doi: "10.5555/a{b}_c".to_owned(),
        last_page: String::new(),
        published: String::new(),
        keywords: Vec::new(),
        abstracts: Vec::new(),
        ..testing::article(17)
    }
}

#[test]
fn an_article_has_three_downloads() {
    let additions = CitationExport::decorate(&testing::context("en"), testing::article(17)).unwrap();
    let hrefs: Vec<_> = additions.downloads.iter().map(|download| download.href.as_str()).collect();
    assert_eq!(
        hrefs,
        [
            "plugins/citation-export/ris?id=17",
            "plugins/citation-export/bibtex?id=17",
            "plugins/citation-export/csl?id=17"
        ]
    );
    for download in additions.downloads {
        let path = download.href.split(['/', '?']).nth(2).unwrap();
        let answer = ask(path, "17");
        assert_eq!(answer.headers[0].1, format!("{}; charset=utf-8", download.media_type));
        assert!(answer.headers[1].1.starts_with("attachment; filename=\"article-17."));
    }
    assert_eq!((ask("ris", "18").status, ask("ris", "x").status, ask("x", "17").status), (404, 400, 404));
}

#[test]
fn ris_is_valid() {
    let lines = [
        "TY  - JOUR",
        "AU  - Okafor, Ada",
        "AU  - Lindqvist, Per",
        "TI  - Tides of the inner sea",
        "T2  - Journal of Tests",
        "PY  - 2025",
        "DA  - 2025/06/30/",
        "VL  - 12",
        "IS  - 3",
        "SP  - 101",
        "EP  - 118",
        "SN  - 1234-5679",
        "PB  - Example Press",
        "DO  - 10.5555/test.17",
        "UR  - https://journals.example.org/test/en/article/17",
        "KW  - tides",
        "KW  - 潮汐",
        "LA  - en",
        "AB  - How the inner sea moves.",
        "ER  - ",
        "",
    ];
    assert_eq!(String::from_utf8(ask("ris", "17").body).unwrap(), lines.join("\r\n"));
    let hard = ris(&entry(&hard(), ADDRESS));
    assert!(
        hard.contains("AU  - Sea and Salt Group\r\nAU  - 王\r\nTI  - 50% of A_1 & {B} ER - \\cmd~^$#\r\n"),
        "{hard}"
    );
    assert_eq!(hard.matches("\r\nER").count(), 1);
}

#[test]
fn bibtex_is_valid_and_escaped() {
    let plain = bibtex(&entry(&testing::article(17), ADDRESS));
    assert!(
        plain.starts_with("@article{Okafor2025tides,\n  author    = {Okafor, Ada and Lindqvist, Per},\n"),
        "{plain}"
    );
    assert!(
        plain.contains("  title     = {{Tides of the inner sea}},\n") && plain.contains("  pages     = {101--118},\n")
    );
    assert!(plain.ends_with("  abstract  = {How the inner sea moves.},\n}\n"));
    let hard = bibtex(&entry(&hard(), ADDRESS));
    assert!(
        hard.starts_with("@article{SeaandSaltGroup2025,\n  author    = {{Sea and Salt Group} and {王}},\n"),
        "{hard}"
    );
    assert!(
        hard.contains(
            "{{50\\% of A\\_1 \\& {\\textbraceleft}B{\\textbraceright} ER - \
             {\\textbackslash}cmd{\\textasciitilde}{\\textasciicircum}\\$\\#}}"
        ),
        "{hard}"
    );
    assert!(hard.contains("  pages     = {101},\n") && hard.contains("  doi       = {10.5555/a%7Bb%7D_c},\n"));
    assert_eq!(hard.matches('{').count(), hard.matches('}').count());
}

#[test]
fn csl_json_is_valid() {
    let item: Value = serde_json::from_slice(&ask("csl", "17").body).unwrap();
    assert_eq!(item[0]["issued"], json!({ "date-parts": [[2025, 6, 30]] }));
    assert_eq!(item[0]["author"][0], json!({ "family": "Okafor", "given": "Ada" }));
    assert_eq!((&item[0]["page"], &item[0]["DOI"]), (&json!("101-118"), &json!("10.5555/test.17")));
    let hard: Value = json!([csl_json(&entry(&hard(), ADDRESS))]);
    assert_eq!(hard[0]["author"], json!([{ "literal": "Sea and Salt Group" }, { "literal": "王" }]));
    assert_eq!(hard[0]["issued"], json!({ "date-parts": [[2025]] }));
    assert!(hard[0].get("abstract").is_none() && hard[0].get("keyword").is_none());
}

#[test]
fn the_type_of_the_work_is_that_of_the_article() {
    for (kind, of_ris) in [("research-article", "JOUR"), ("preprint", "UNPB"), ("dataset", "DATA"), ("thesis", "THES")]
    {
        let article = Article { kind: kind.to_owned(), ..testing::article(17) };
        let text = ris(&entry(&article, ADDRESS));
        assert!(text.starts_with(&format!("TY  - {of_ris}\r\n")), "{kind}: {text}");
    }
}
