//! Corrected sources of articles without identifiers, sections across runs, and open access by licence.

use masthead_domain::ArticleId;
use masthead_store::CardQuery;
use masthead_test_support::{command, repository, stderr};
use serde_json::Value;

use super::Desk;

/// An article without identifiers in an issue.
fn unnamed(title: &str, author: &str, more: &str, body: &str) -> String {
    format!(
        "<article xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:lang=\"en\"><front><journal-meta><journal-title-group>\
         <journal-title>Small</journal-title></journal-title-group></journal-meta><article-meta>{more}<title-group>\
         <article-title>{title}</article-title></title-group><contrib-group><contrib contrib-type=\"author\"><name>\
         <surname>{author}</surname></name></contrib></contrib-group><pub-date pub-type=\"epub\"><year>2026</year></pub-date>\
         <volume>1</volume><issue>2</issue><fpage>45</fpage></article-meta></front><body>{body}</body></article>"
    )
}

fn outcome<'a>(report: &'a Value, file: &str) -> (&'a str, i64, String) {
    let items = report["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["path"].as_str().unwrap().ends_with(file)).unwrap();
    (item["outcome"].as_str().unwrap(), item["article"].as_i64().unwrap(), item["warnings"].to_string())
}

fn articles(desk: &Desk) -> i64 {
    desk.read(async |site| site.article_count().await.unwrap())
}

#[test]
fn a_corrected_article_without_identifiers_stays_one_article() {
    let desk = Desk::new("corrections");
    let path = desk.write("a.xml", unnamed("On tides", "Pier", "", "<p>Frist</p>"));
    let (kind, id, _) = {
        let report = desk.import("jats", &[&path], &[]).0;
        let (kind, id, warnings) = outcome(&report, "a.xml");
        (kind.to_owned(), id, warnings)
    };
    assert_eq!(kind, "created");

    desk.write("a.xml", unnamed("On <italic>tides</italic>", "Pier", "", "<p>First</p>"));
    let report = desk.import("jats", &[&path], &[]).0;
    let (kind, corrected, warnings) = outcome(&report, "a.xml");
    assert_eq!((kind, corrected), ("updated", id), "{report}");
    assert!(warnings.contains("no identifier of this article is known"), "{warnings}");
    assert_eq!(articles(&desk), 1);
    let text = desk.read(async |site| site.article(ArticleId(id)).await.unwrap().unwrap().rendered.unseal());
    assert!(text.contains("First") && !text.contains("Frist"), "{text}");
    let report = desk.import("jats", &[&path], &[]).0;
    assert_eq!(outcome(&report, "a.xml").0, "unchanged");

    // It gets a DOI, and is known by it from then on.
    let doi = "<article-id pub-id-type=\"doi\">10.5555/corrected.1</article-id>";
    desk.write("a.xml", unnamed("On tides", "Pier", doi, "<p>First</p>"));
    let report = desk.import("jats", &[&path], &[]).0;
    assert_eq!((outcome(&report, "a.xml").0, outcome(&report, "a.xml").1), ("updated", id), "{report}");
    desk.write("a.xml", unnamed("On tides and ebbs", "Pier", doi, "<p>First</p>"));
    let report = desk.import("jats", &[&path], &[]).0;
    assert_eq!((outcome(&report, "a.xml").0, outcome(&report, "a.xml").1), ("updated", id), "{report}");
    assert_eq!(articles(&desk), 1);
}

/// Changes an article by hand.
fn set(desk: &Desk, id: i64, fields: &[&str]) {
    let id = id.to_string();
    let arguments = [&["article", "set", id.as_str()][..], fields, &["--site", "448", "--json"]].concat();
    let output =
        command(&repository("sites"), &desk.data(), &arguments).env("MASTHEAD_EDITOR", "ada").output().unwrap();
    assert!(output.status.success(), "{fields:?}: {}", stderr(&output));
}

#[test]
fn a_corrected_source_of_an_edited_article_keeps_the_edits() {
    // The section takes no part in the recognition, the title does: a later source has the title of the first one.
    for (name, field, kept) in [("section", "section=Letters", "section"), ("title", "titles.en=By hand", "titles.en")]
    {
        let desk = Desk::new(&format!("corrections-edited-{name}"));
        let path = desk.write("a.xml", unnamed("On tides", "Pier", "", "<p>Frist</p>"));
        let id = outcome(&desk.import("jats", &[&path], &[]).0, "a.xml").1;
        set(&desk, id, &[field]);
        for words in ["Second", "Third"] {
            desk.write("a.xml", unnamed("On tides", "Pier", "", &format!("<p>{words}</p>")));
            let report = desk.import("jats", &[&path], &[]).0;
            let (kind, corrected, warnings) = outcome(&report, "a.xml");
            assert_eq!((kind, corrected), ("updated", id), "{report}");
            assert!(warnings.contains(&format!("kept as edited by hand: {kept}")), "{warnings}");
            let article = desk.read(async |site| site.article(ArticleId(id)).await.unwrap().unwrap());
            let is_kept = if name == "title" {
                article.meta.title("en") == "By hand"
            } else {
                article.meta.subjects == ["Letters"]
            };
            assert!(is_kept, "{:?}", article.meta);
            let text = article.rendered.unseal();
            assert!(text.contains(words), "{text}");
            assert_eq!(articles(&desk), 1);
        }
        let report = desk.import("jats", &[&path], &[]).0;
        assert_eq!(outcome(&report, "a.xml").0, "unchanged", "{report}");
    }
}

#[test]
fn a_corrected_source_of_a_withdrawn_article_does_not_bring_it_back() {
    let desk = Desk::new("corrections-withdrawn");
    let path = desk.write("a.xml", unnamed("On tides", "Pier", "", "<p>Frist</p>"));
    let id = outcome(&desk.import("jats", &[&path], &[]).0, "a.xml").1;
    set(&desk, id, &["withdrawn.date=2026-06-30", "withdrawn.reason.en=Salt"]);
    for words in ["Frist", "First"] {
        desk.write("a.xml", unnamed("On tides", "Pier", "", &format!("<p>{words}</p>")));
        let report = desk.import("jats", &[&path], &[]).0;
        let (kind, number, warnings) = outcome(&report, "a.xml");
        assert_eq!((kind, number), ("unchanged", id), "{report}");
        assert!(warnings.contains("the article is withdrawn and stays so"), "{warnings}");
        assert_eq!(articles(&desk), 0);
    }
}

#[test]
fn articles_that_may_be_others_are_stored_beside_and_reported() {
    let desk = Desk::new("uncertain");
    let first = desk.write("in/m.xml", unnamed("Book reviews", "Pier", "", "<p>One</p>"));
    let report = desk.import("jats", &[&first], &[]).0;
    let id = outcome(&report, "m.xml").1;
    let folder = first.parent().unwrap().to_owned();
    // Another article with the same title on the same page, before and behind the unchanged one.
    desk.write("in/a.xml", unnamed("Book reviews", "Pier", "", "<p>Two</p>"));
    desk.write("in/z.xml", unnamed("Book reviews", "Mole", "", "<p>Three</p>"));
    let report = desk.import("jats", &[&folder], &[]).0;
    assert_eq!((outcome(&report, "m.xml").0, outcome(&report, "m.xml").1), ("unchanged", id), "{report}");
    for file in ["a.xml", "z.xml"] {
        let (kind, number, warnings) = outcome(&report, file);
        assert!(kind == "created" && number != id && warnings.contains(&format!("the article {id} ")), "{report}");
        assert!(warnings.contains("not certain"), "{warnings}");
    }
    assert_eq!(articles(&desk), 3);
    // Metadata does not replace a full text.
    let other = Desk::new("uncertain-metadata");
    let first = other.write("a.xml", unnamed("On tides", "Ito", "", "<p>Words</p>"));
    let report = other.import("jats", &[&first], &[]).0;
    let id = outcome(&report, "a.xml").1;
    let work = "{\"DOI\":\"10.5555/late.1\",\"type\":\"journal-article\",\"title\":[\"On tides\"],\"container-title\":[\"Small\"],\
                \"volume\":\"1\",\"issue\":\"2\",\"page\":\"45-50\",\"deposited\":{},\"published\":{\"date-parts\":[[2026,4]]},\
                \"author\":[{\"family\":\"Ito\",\"given\":\"Mika\"}]}";
    let list = format!("{{\"message-type\":\"work-list\",\"message\":{{\"items\":[{work}]}}}}");
    let list = other.write("works.json", list);
    let report = other.import("crossref", &[&list], &[]).0;
    let item = report["items"].as_array().unwrap().iter().find(|item| item["kind"] == "article").unwrap();
    assert_eq!((item["outcome"].as_str(), item["article"].as_i64()), (Some("unchanged"), Some(id)), "{report}");
    assert!(item["warnings"].to_string().contains("full text"), "{report}");
    assert_eq!(articles(&other), 1);
}

#[test]
fn sections_and_licences_are_read_across_runs() {
    let desk = Desk::new("sections");
    let doi = |number: u32| format!("<article-id pub-id-type=\"doi\">10.5555/section.{number}</article-id>");
    let in_section = |name: &str| {
        format!("<article-categories><subj-group><subject>{name}</subject></subj-group></article-categories>")
    };
    let license = "<permissions><license xlink:href=\"https://creativecommons.org/licenses/by/4.0/\"/></permissions>";
    for (number, name) in [(1, "Original Article"), (2, "ORIGINAL  ARTICLE"), (3, "Original\u{2003}article")] {
        let meta = format!("{}{}", doi(number), in_section(name));
        let source = unnamed(&format!("Title {number}"), "Pier", &meta, "<p>x</p>");
        let source =
            if number == 2 { source.replace("</article-meta>", &format!("{license}</article-meta>")) } else { source };
        let path = desk.write(&format!("{number}.xml"), source);
        assert!(desk.import("jats", &[&path], &[]).1);
    }
    let mut cards = desk.read(async |site| site.cards(&CardQuery::Latest, None, 9).await.unwrap());
    cards.sort_by_key(|card| card.id);
    let sections: Vec<&str> = cards.iter().map(|card| card.subject.as_str()).collect();
    assert_eq!(sections, ["Original Article"; 3]);
    assert_eq!(cards.iter().map(|card| card.open_access).collect::<Vec<_>>(), [false, true, false]);
}
