//! Citation of an article for reference managers: BibTeX, RIS and CSL-JSON.

use masthead_citation_formats::{self as formats, Entry, Name, Run, WorkType};
use masthead_domain::{
    article::{ArticleMeta, Contributor, LangText, pick},
    content::{Node, text::plain},
    lang::has_han_or_hangul,
};
use serde_json::Value;

/// One BibTeX entry (`application/x-bibtex`). `url` is the article's address, or "".
#[must_use]
pub fn bibtex(meta: &ArticleMeta, url: &str) -> String {
    formats::bibtex(&entry(meta, url))
}

/// One RIS record (`application/x-research-info-systems`). `url` is the article's address, or "".
#[must_use]
pub fn ris(meta: &ArticleMeta, url: &str) -> String {
    formats::ris(&entry(meta, url))
}

/// One item of CSL-JSON (`application/vnd.citationstyles.csl+json`). `url` is the article's address, or "".
#[must_use]
pub fn csl_json(meta: &ArticleMeta, url: &str) -> Value {
    formats::csl_json(&entry(meta, url))
}

fn entry(meta: &ArticleMeta, url: &str) -> Entry {
    let names = |role: &str| -> Vec<Name> {
        meta.contributors.iter().filter(|person| person.role == role).filter_map(name).collect()
    };
    let published = meta.dates.published();
    Entry {
        work: WorkType::of(&meta.article_type),
        title: title(meta),
        authors: names("author"),
        editors: names("editor"),
        journal: meta.journal.title.clone(),
        journal_abbreviation: meta.journal.abbrev.clone(),
        issn: meta.journal.issn.clone(),
        publisher: meta.journal.publisher.clone(),
        year: meta.year.map_or_else(|| published.get(..4).unwrap_or_default().to_owned(), |year| year.to_string()),
        published: published.to_owned(),
        volume: meta.volume.clone(),
        issue: meta.issue.clone(),
        first_page: meta.first_page.clone(),
        last_page: meta.last_page.clone(),
        article_number: meta.elocation_id.clone(),
        doi: meta.doi.as_ref().map(|doi| doi.as_str().to_owned()).unwrap_or_default(),
        url: url.to_owned(),
        language: meta.language.clone(),
        keywords: keywords(meta),
        abstract_text: String::new(),
    }
}

/// The name of a contributor. Groups, undivided names and names in Chinese characters or Hangul are not divided.
fn name(person: &Contributor) -> Option<Name> {
    if person.collab.is_empty() && !person.surname.is_empty() && !has_han_or_hangul(&person.surname) {
        return Some(Name::Parts {
            family: person.surname.clone(),
            given: person.given_names.clone(),
            suffix: person.suffix.clone(),
        });
    }
    Some(person.display_name()).filter(|name| !name.is_empty()).map(Name::Whole)
}

/// Title and subtitle in the article's own language.
fn title(meta: &ArticleMeta) -> Vec<Run> {
    let of = |texts| pick(texts, &meta.language);
    let (title, subtitle) = (of(&meta.titles), of(&meta.subtitles));
    let plain_of = |text: Option<&LangText>| text.map(|text| text.plain.clone()).unwrap_or_default();
    let runs_of = |text: Option<&LangText>| {
        text.map(|text| if text.nodes.is_empty() { vec![Run::Text(text.plain.clone())] } else { runs(&text.nodes) })
            .unwrap_or_default()
    };
    let (whole, part) = (plain_of(title), plain_of(subtitle));
    let mut out = runs_of(title);
    if part.is_empty() || whole.contains(&part) {
        return out;
    }
    let between = match whole.chars().last() {
        Some('?' | '!' | ':' | '.') => " ",
        Some('？' | '！' | '：') => "",
        _ if has_han_or_hangul(&whole) => "：",
        _ => ": ",
    };
    out.push(Run::Text(between.to_owned()));
    out.extend(runs_of(subtitle));
    out
}

fn runs(nodes: &[Node]) -> Vec<Run> {
    let run = |node: &Node| match node {
        Node::Text { text } => Run::Text(text.clone()),
        Node::Sub { nodes } => Run::Sub(runs(nodes)),
        Node::Sup { nodes } => Run::Sup(runs(nodes)),
        Node::Italic { nodes } => Run::Italic(runs(nodes)),
        Node::Bold { nodes } => Run::Bold(runs(nodes)),
        other => Run::Text(plain(std::slice::from_ref(other))),
    };
    nodes.iter().map(run).collect()
}

fn keywords(meta: &ArticleMeta) -> Vec<String> {
    let own = meta.keywords.iter().filter(|group| !matches!(group.kind.as_str(), "ocis" | "abbreviations"));
    let mut all: Vec<String> = Vec::new();
    for word in own.flat_map(|group| &group.plain) {
        if !all.contains(word) {
            all.push(word.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use masthead_domain::{
        Doi,
        article::{Dates, JournalRef, KeywordGroup},
        content::text::fold,
    };
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn person(surname: &str, given: &str) -> Contributor {
        Contributor {
            role: "author".into(),
            surname: surname.into(),
            given_names: given.into(),
            ..Contributor::default()
        }
    }

    fn title_of(lang: &str, nodes: Vec<Node>) -> LangText {
        LangText { lang: lang.into(), plain: plain(&nodes), nodes }
    }

    fn meta() -> ArticleMeta {
        ArticleMeta {
            article_type: "research-article".into(),
            language: "en".into(),
            titles: vec![title_of(
                "en",
                vec![
                    Node::text("On 50% of H"),
                    Node::Sub { nodes: vec![Node::text("2")] },
                    Node::text("O & "),
                    Node::Italic { nodes: vec![Node::text("E. coli_{1}")] },
                ],
            )],
            contributors: vec![
                person("Lovelace", "Ada"),
                Contributor { suffix: "Jr".into(), ..person("de la Mer", "Jean") },
                person("王", "小明"),
                Contributor { collab: "Tides and Ebbs Group".into(), ..person("", "") },
            ],
            journal: JournalRef {
                title: "Ocean & Ledger".into(),
                abbrev: "Ocean Ledg.".into(),
                issn: vec!["1234-5679".into()],
                publisher: "Press".into(),
                ..JournalRef::default()
            },
            year: Some(2026),
            volume: "3".into(),
            issue: "2".into(),
            first_page: "10".into(),
            last_page: "19".into(),
            dates: Dates { online: "2026-03-01".into(), ..Dates::default() },
            doi: Some(Doi::parse("10.5555/x_1").unwrap()),
            keywords: vec![KeywordGroup { plain: vec!["sea".into(), "salt\nwater".into()], ..KeywordGroup::default() }],
            ..ArticleMeta::default()
        }
    }

    #[test]
    fn bibtex_is_escaped_and_keeps_names_whole() {
        let made = bibtex(&meta(), "https://a.example/en/article/1?x=1&y={2}");
        let expected = r"@article{Lovelace2026coli1,
  author    = {Lovelace, Ada and de la Mer, Jr, Jean and {王小明} and {Tides and Ebbs Group}},
  title     = {{On 50\% of H\textsubscript{2}O \& \emph{E. coli\_{\textbraceleft}1{\textbraceright}}}},
  journal   = {Ocean \& Ledger},
  publisher = {Press},
  year      = {2026},
  month     = {3},
  volume    = {3},
  number    = {2},
  pages     = {10--19},
  issn      = {1234-5679},
  doi       = {10.5555/x_1},
  url       = {https://a.example/en/article/1?x=1&y=%7B2%7D},
  keywords  = {sea, salt water},
  language  = {en},
}
";
        assert_eq!(made, expected);
    }

    #[test]
    fn ris_has_one_line_a_tag() {
        let made = ris(&meta(), "https://a.example/1");
        let lines: Vec<&str> = made.split("\r\n").collect();
        assert_eq!(lines.first(), Some(&"TY  - JOUR"));
        for expected in [
            "AU  - Lovelace, Ada",
            "AU  - de la Mer, Jean, Jr",
            "AU  - 王小明",
            "AU  - Tides and Ebbs Group",
            "TI  - On 50% of H2O & E. coli_{1}",
            "T2  - Ocean & Ledger",
            "DA  - 2026/03/01/",
            "KW  - salt water",
            "DO  - 10.5555/x_1",
        ] {
            assert!(lines.contains(&expected), "{expected}: {made}");
        }
        assert!(made.ends_with("ER  - \r\n"));
    }

    #[test]
    fn csl_json_has_names_and_dates_as_citeproc_reads_them() {
        let made = csl_json(&meta(), "");
        assert_eq!(made["type"], "article-journal");
        assert_eq!(made["author"][1], json!({"family": "de la Mer", "given": "Jean", "suffix": "Jr"}));
        assert_eq!(made["author"][2], json!({"literal": "王小明"}));
        assert_eq!(made["issued"], json!({"date-parts": [[2026, 3, 1]]}));
        assert_eq!((made["page"].as_str(), made["URL"].as_str()), (Some("10-19"), None));
        let printed = ArticleMeta { year: Some(2025), ..meta() };
        assert_eq!(csl_json(&printed, "")["issued"], json!({"date-parts": [[2025]]}));
    }

    /// `citation-formats` depends on no other crate of ours and states the rule for pages again: both must agree.
    #[test]
    fn pages_are_written_as_elsewhere_on_the_site() {
        for (first, last, number) in
            [("10", "19", "e1"), ("10", "10", ""), ("10", "", "e1"), ("", "19", "e1"), ("", "19", ""), ("", "", "")]
        {
            let meta =
                ArticleMeta { first_page: first.into(), last_page: last.into(), elocation_id: number.into(), ..meta() };
            let (csl, bibtex) = (csl_json(&meta, ""), bibtex(&meta, ""));
            assert_eq!(csl["page"].as_str().unwrap_or_default(), meta.pages_or_number('-'));
            let range = meta.page_range('-').replace('-', "--");
            let field = format!("  pages     = {{{range}}},\n");
            assert_eq!(bibtex.contains("  pages "), !range.is_empty(), "{bibtex}");
            assert!(range.is_empty() || bibtex.contains(&field), "{field} in {bibtex}");
        }
    }

    #[test]
    fn types_and_subtitles_follow_the_article() {
        let mut meta = meta();
        meta.article_type = "preprint".into();
        meta.subtitles = vec![title_of("en", vec![Node::text("a study")])];
        meta.contributors = vec![person("王", "小明")];
        assert!(bibtex(&meta, "").starts_with("@misc{doi105555x1,"));
        assert!(ris(&meta, "").starts_with("TY  - UNPB\r\n"));
        assert_eq!(csl_json(&meta, "")["title"], "On 50% of H2O & E. coli_{1}: a study");
        assert!(bibtex(&ArticleMeta::default(), "").starts_with("@article{article,"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(title in "\\PC{1,60}", surname in "[A-Za-zé{}%&\\\\_ -]{1,20}", journal in "\\PC{0,40}") {
            prop_assume!(title.trim() == title && journal.trim() == journal);
            prop_assume!(!fold(&title).is_empty() && !surname.trim().is_empty());
            let meta = ArticleMeta {
                titles: vec![title_of("en", vec![Node::text(title.clone())])],
                language: "en".into(),
                contributors: vec![person(surname.trim(), "A.")],
                journal: JournalRef { title: journal, ..JournalRef::default() },
                ..ArticleMeta::default()
            };
            let read = crate::references::bibtex(bibtex(&meta, "").as_bytes()).unwrap();
            prop_assert_eq!(read.faults.len(), 0, "{:?} {}", read.faults, bibtex(&meta, ""));
            prop_assert_eq!(read.records.len(), 1);
            let written = crate::references::ris(ris(&meta, "").as_bytes()).unwrap();
            prop_assert_eq!(&written.records[0].title, &fold(&title.replace(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'), " ")));
        }
    }
}
