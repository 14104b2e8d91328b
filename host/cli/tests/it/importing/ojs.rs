//! Exports of OJS: files, sections, old addresses and counts; corrections; hostile exports.

use masthead_domain::{ArticleId, Doi, Lang, publication::Issue, resource::Column};
use masthead_store::{CardQuery, RedirectTarget, StoredArticle, Totals};
use masthead_test_support::{copy, repository};
use serde_json::{Value, json};

use super::{Desk, SITE, outcomes};

const OLD: &str = "https://ferry.example/index.php/ferry/";

impl Desk {
    /// The export of OJS 3.3 in a folder of the desk.
    fn export(&self) -> std::path::PathBuf {
        let folder = self.folder.join("export");
        copy(&repository("host/cli/tests/fixtures/ojs/3.3"), &folder);
        folder
    }

    fn article_with(&self, source_key: &str) -> StoredArticle {
        self.read(async |site| {
            let id = site.article_id_by_key(source_key).await.unwrap();
            let id = id.unwrap_or_else(|| panic!("there is no article {source_key}"));
            site.article(id).await.unwrap().unwrap()
        })
    }

    fn issues(&self, journal: &str) -> Vec<Issue> {
        self.read(async |site| site.issues(journal).await.unwrap())
    }

    /// What a path of the site leads to.
    fn redirect(&self, path: &str) -> Option<RedirectTarget> {
        self.store(async |store| store.redirect(SITE, path).await.unwrap())
    }
}

/// The things that an item of a report left out, as pairs of name and number.
fn left_out(report: &Value, kind: &str) -> Vec<(String, u64)> {
    let items = report["items"].as_array().unwrap().iter().filter(|item| item["kind"] == kind);
    let all = items.flat_map(|item| item["leftOut"].as_array().unwrap());
    all.map(|one| (one["path"].as_str().unwrap().to_owned(), one["texts"].as_u64().unwrap())).collect()
}

/// The outcomes of a report that changed something.
fn changes(report: &Value) -> Vec<(String, String)> {
    let all = outcomes(report).into_iter();
    all.filter(|(_, outcome)| !matches!(outcome.as_str(), "unchanged" | "valid")).collect()
}

#[test]
fn an_export_of_ojs_keeps_files_sections_addresses_and_counts() {
    let desk = Desk::new("ojs");
    let export = desk.export();
    let (report, good) = desk.import("ojs", &[&export], &["--old-address", OLD]);
    assert!(good, "{report}");
    let kinds: Vec<String> = outcomes(&report).into_iter().map(|(kind, outcome)| format!("{kind} {outcome}")).collect();
    let expected = [
        "column created",
        "column created",
        "period created",
        "article created",
        "article created",
        "article created",
        "redirects created",
        "export valid",
        "counts updated",
    ];
    assert_eq!(kinds, expected);

    let issue = desk.issues("ferry-papers").remove(0);
    assert_eq!((issue.year, issue.volume.as_str(), issue.issue.as_str()), (2021, "4", "2"));
    assert_eq!((issue.title.get(Lang::Spa), issue.title.get(Lang::En)), ("Cruces", "Crossings"));
    assert!(issue.cover.starts_with("/media/448/") && issue.cover.ends_with(".png"), "{}", issue.cover);

    let tolls = desk.article_with("doi:10.5555/ferry.20");
    let files: Vec<&str> = tolls.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(files, ["tolls.pdf", "tolls-2.pdf"], "the manuscript was never public");
    assert_eq!(tolls.meta.pdf, "tolls.pdf");
    assert!(tolls.meta.ids.contains(&("ojs".to_owned(), "ferry-papers/20".to_owned())), "{:?}", tolls.meta.ids);
    assert_eq!(tolls.meta.subjects, ["Articles"]);

    let rope = desk.article_with("ojs:ferry-papers/22");
    assert!(rope.rendered.unsealed().contains("The rope is wet before noon."));
    assert_eq!(
        (rope.meta.year, rope.meta.issue.as_str()),
        (Some(2021), "2"),
        "the issue of OJS, not the year of the JATS"
    );

    let last = desk.article_with("ojs:ferry-papers/24");
    let text = last.rendered.unsealed();
    assert!(text.contains("until the bridge was built") && text.contains("It opened in May."), "{text}");
    assert!(!text.contains("stolen") && !text.contains("color: red"), "{text}");
    let files: Vec<&str> = last.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(files, ["ferryman.html", "bridge.png", "article_24_cover_en_US.png"]);
    let picture = last.files.iter().find(|file| file.name == "bridge.png").unwrap();
    assert!(text.contains(&picture.address), "the page shows the picture that came with it: {text}");
    let cover = &last.files[2].address;
    assert!(text.contains(&format!(r#"src=\"{cover}\" alt=\"A ferry at its last landing\""#)), "{cover}: {text}");

    let columns = desk.read(async |site| site.resources::<Column>("", None, 9).await.unwrap());
    let columns: Vec<_> = columns.into_iter().map(|one| one.value).collect();
    let names: Vec<_> = columns.iter().map(|one| (one.title.get(Lang::En), one.title.get(Lang::Spa))).collect();
    assert_eq!(names, [("Articles", "Artículos"), ("Letters", "Letters")]);
    assert_eq!(
        (columns[1].abbreviation.get(Lang::En), columns[0].introduction.get(Lang::En)),
        ("LET", "Reviewed by two readers.")
    );

    for path in ["view/20", "view/tolls", "view/20/51", "view/tolls/es", "view/20/version/21"] {
        let target = desk.redirect(&format!("/index.php/ferry/article/{path}"));
        assert_eq!(target, Some(RedirectTarget::Article(tolls.id)), "{path}");
    }
    let Some(RedirectTarget::Path(file)) = desk.redirect("/index.php/ferry/article/download/tolls/es") else {
        panic!("the second PDF has no address");
    };
    let address = &tolls.files[1].address;
    assert!(file.contains(masthead_content::files::digest(address).unwrap()), "{file} is not {address}");
    for path in ["issue/view/5", "issue/view/spring", "issue/view/5/8", "issue/download/5/8"] {
        let to = RedirectTarget::Issue { journal: "ferry-papers".to_owned(), year: 2021, issue: "2".to_owned() };
        assert_eq!(desk.redirect(&format!("/index.php/ferry/{path}")), Some(to), "{path}");
    }

    let totals = |id: ArticleId| desk.read(async |site| site.totals("article", id.0).await.unwrap());
    assert_eq!(totals(tolls.id), Totals { visits: 40, downloads: 12 });
    assert_eq!(totals(rope.id), Totals { visits: 6, downloads: 0 });
    let left = left_out(&report, "export");
    for one in [
        ("manuscripts, review files and other files of the editing", 1),
        ("articles that are not published", 1),
        ("files of whole issues", 1),
        ("descriptions of issues", 1),
        ("files that are only named", 1),
    ] {
        assert!(left.contains(&(one.0.to_owned(), one.1)), "{one:?}: {left:?}");
    }
    assert_eq!(left_out(&report, "counts"), [("counts of articles that are not on the site".to_owned(), 1)]);
}

#[test]
fn a_repeated_and_a_corrected_export_keep_the_numbers_of_articles() {
    let desk = Desk::new("ojs-again");
    let export = desk.export();
    assert!(desk.import("ojs", &[&export], &["--old-address", OLD]).1);
    let rope = desk.article_with("ojs:ferry-papers/22").id;
    let (report, good) = desk.import("ojs", &[&export], &["--old-address", OLD]);
    assert!(good, "{report}");
    assert_eq!(changes(&report), [], "the same export changes nothing");

    // The article gets a DOI and another title in OJS.
    let file = export.join("issues.xml");
    let text = std::fs::read_to_string(&file).unwrap();
    let id = "<id type=\"internal\" advice=\"ignore\">23</id>";
    let with_doi = format!("{id}<id type=\"doi\" advice=\"update\">10.5555/ferry.22</id>");
    assert!(text.contains(id));
    std::fs::write(&file, text.replacen(id, &with_doi, 1)).unwrap();
    let (report, good) = desk.import("ojs", &[&file], &["--old-address", OLD]);
    assert!(good, "{report}");
    let of_articles: Vec<_> =
        outcomes(&report).into_iter().filter(|(kind, _)| kind == "article").map(|one| one.1).collect();
    assert_eq!(of_articles, ["unchanged", "updated", "unchanged"]);
    let found = desk.read(async |site| site.article_id_by_doi(&Doi::parse("10.5555/ferry.22").unwrap()).await.unwrap());
    assert_eq!(found, Some(rope), "it keeps its number");
    assert_eq!(desk.read(async |site| site.article_count().await.unwrap()), 3);

    // A later report has the counts of the same articles, and finds them by their old addresses.
    let counts = desk.write(
        "later.json",
        json!({ "items": [{ "abstractViews": 9, "galleyViews": 1, "publication": { "id": 22 } }] }).to_string(),
    );
    assert!(desk.import("ojs", &[&counts], &[]).1);
    let totals = desk.read(async |site| site.totals("article", rope.0).await.unwrap());
    assert_eq!(totals, Totals { visits: 9, downloads: 1 }, "what was counted before is a part of it");
}

#[test]
fn an_issue_lists_its_sections_and_articles_in_the_order_of_ojs() {
    let desk = Desk::new("ojs-order");
    let file = desk.export().join("issues.xml");
    assert!(desk.import("ojs", &[&file], &["--old-address", OLD]).1);
    let issue = desk.issues("ferry-papers").remove(0);
    // The issue lists the letters first, whose place in the journal is the second.
    assert_eq!(issue.sections, ["Letters", "Articles"]);
    let [last, rope, tolls] = ["ojs:ferry-papers/24", "ojs:ferry-papers/22", "doi:10.5555/ferry.20"];
    assert_eq!(issue.articles, [last, rope, tolls]);
    let place = CardQuery::Issue { journal: "ferry-papers".to_owned(), year: 2021, issue: "2".to_owned() };
    let cards = desk.read(async |site| site.cards(&place, None, 9).await.unwrap());
    let shown: Vec<i64> = cards.iter().map(|card| card.id).collect();
    assert_eq!(shown, [last, rope, tolls].map(|key| desk.article_with(key).id.0), "as readers see them");
    let (report, good) = desk.import("ojs", &[&file], &["--old-address", OLD]);
    assert!(good && changes(&report).is_empty(), "{report}");

    // The editors of OJS put the articles into another order.
    let text = std::fs::read_to_string(&file).unwrap();
    let moved = text.replacen("url_path=\"tolls\" seq=\"2\"", "url_path=\"tolls\" seq=\"0\"", 1);
    assert_ne!(moved, text);
    std::fs::write(&file, moved).unwrap();
    let (report, good) = desk.import("ojs", &[&file], &["--old-address", OLD]);
    assert!(good, "{report}");
    assert_eq!(changes(&report), [("period".to_owned(), "updated".to_owned())]);
    assert_eq!(desk.issues("ferry-papers").remove(0).articles, [last, tolls, rope]);
}

#[test]
fn issues_without_a_number_and_of_several_volumes_are_imported() {
    let desk = Desk::new("ojs-numbers");
    let issue = |number: u8, attributes: &str, identification: &str| {
        format!(
            "<issue published=\"1\"{attributes}><id type=\"internal\">{number}</id><issue_identification>{identification}<year>2024</year>\
             <title locale=\"en\">Theme {number}</title></issue_identification><articles><article locale=\"en\" status=\"3\">\
             <id type=\"internal\">{number}</id><publication status=\"3\"><title locale=\"en\">Note {number}</title></publication></article>\
             </articles></issue>"
        )
    };
    let all = [
        issue(1, " url_path=\"floods\"", ""),
        issue(2, "", ""),
        issue(3, "", "<volume>7</volume><number>2</number>"),
        issue(4, "", "<volume>6</volume><number>2</number>"),
    ];
    let file = desk.write("issues.xml", format!("<issues xmlns=\"http://pkp.sfu.ca\">{}</issues>", all.concat()));
    let (report, good) = desk.import("ojs", &[&file], &["--old-address", "/index.php/notes"]);
    assert!(good, "{report}");
    let journal = desk.read(async |site| site.journals().await.unwrap().remove(0).key);
    let issues = desk.issues(&journal);
    let numbers = ["floods", "ojs-2", "2 (vol. 7)", "2"];
    assert_eq!(issues.len(), numbers.len(), "{issues:?}");
    for (number, issue) in (1..).zip(numbers) {
        let meta = desk.article_with(&format!("ojs:{journal}/{number}")).meta;
        assert_eq!((meta.year, meta.issue.as_str()), (Some(2024), issue), "articles are in their issues");
        let stored = issues.iter().find(|one| one.issue == issue).unwrap_or_else(|| panic!("{issue}: {issues:?}"));
        assert_eq!((stored.title.get(Lang::En), &stored.volume), (&*format!("Theme {number}"), &meta.volume));
        let to = RedirectTarget::Issue { journal: journal.clone(), year: 2024, issue: issue.to_owned() };
        assert_eq!(desk.redirect(&format!("/index.php/notes/issue/view/{number}")), Some(to), "{issue}");
    }
    let (again, good) = desk.import("ojs", &[&file], &["--old-address", "/index.php/notes"]);
    assert!(good && changes(&again).is_empty(), "{again}");
}

#[test]
fn a_dry_run_of_an_export_stores_nothing() {
    let desk = Desk::new("ojs-dry");
    let (report, good) = desk.import("ojs", &[&desk.export()], &["--old-address", OLD, "--dry-run"]);
    assert!(good, "{report}");
    assert!(outcomes(&report).iter().all(|(_, outcome)| outcome == "valid"), "{report}");
    assert!(!desk.data().join("media").exists());
    let stored = desk.read(async |site| (site.article_count().await.unwrap(), site.journals().await.unwrap().len()));
    assert_eq!(stored, (0, 0));
    assert_eq!(desk.redirect("/index.php/ferry/article/view/20"), None);
}

#[test]
fn without_the_old_address_the_report_says_what_is_missing() {
    let desk = Desk::new("ojs-unnamed");
    let (report, good) = desk.import("ojs", &[&desk.export().join("issues.xml")], &[]);
    assert!(good, "{report}");
    let items = report["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["kind"] != "redirects"), "{report}");
    let export = items.iter().find(|item| item["kind"] == "export").unwrap();
    assert!(export["warnings"].to_string().contains("--old-address"), "{export}");
}

#[test]
fn a_hostile_export_gets_nowhere() {
    let desk = Desk::new("ojs-hostile");
    desk.write("secret.pdf", "%PDF-1.4 secret");
    let file = |name: &str, content: &str| {
        format!(
            "<submission_file id=\"1\"><name>{name}</name><file extension=\"pdf\">{content}</file></submission_file>"
        )
    };
    let article = |number: u8, files: &str| {
        format!(
            "<article locale=\"en\" status=\"3\"><id type=\"internal\">{number}</id>{files}<publication status=\"3\" url_path=\"../../up\">\
             <title locale=\"en\">Hostile {number}</title><article_galley locale=\"en\" url_path=\"a/../b\"><submission_file_ref id=\"1\"/>\
             </article_galley></publication></article>"
        )
    };
    let articles = [
        article(1, &file("../../../../evil.pdf", "<embed encoding=\"base64\">JVBERi0xLjQ=</embed>")),
        article(2, &file("a.pdf", "<href src=\"../secret.pdf\"/>")),
        article(3, &file("b.pdf", "<embed encoding=\"base64\">!!! not base64 !!!</embed>")),
    ];
    let issue = |articles: &str| {
        format!(
            "<issue xmlns=\"http://pkp.sfu.ca\" published=\"1\" url_path=\"../x\"><id type=\"internal\">9</id><issue_identification>\
             <number>1</number><year>2024</year></issue_identification><articles>{articles}</articles></issue>"
        )
    };
    let hostile = desk.write("in/issue.xml", issue(&articles.concat()));
    let (report, good) = desk.import("ojs", &[&hostile], &["--old-address", "/index.php/h"]);
    assert!(!good, "the broken file is a fault: {report}");
    let errors: Vec<&str> =
        report["items"].as_array().unwrap().iter().filter_map(|item| item["error"].as_str()).collect();
    assert!(errors.len() == 1 && errors[0].contains("base64"), "{errors:?}");
    let names = desk.read(async |site| {
        let mut names = Vec::new();
        for listed in site.article_listing(0, 9).await.unwrap() {
            names.extend(site.article(listed.id).await.unwrap().unwrap().files.into_iter().map(|file| file.name));
        }
        names
    });
    assert_eq!(names, ["evil.pdf"], "a path is reduced to its name, and no file outside of the export is read");
    for path in ["/index.php/h/article/view/1", "/index.php/h/issue/view/9"] {
        assert!(desk.redirect(path).is_some(), "{path}");
    }
    for path in
        ["/index.php/h/article/view/../../up", "/index.php/h/article/view/1/a/../b", "/index.php/h/issue/view/../x"]
    {
        assert_eq!(desk.redirect(path), None, "{path}");
    }

    for (name, bytes, words) in [
        ("latin.xml", b"<?xml version=\"1.0\"?><issues><x>\xe9</x></issues>".to_vec(), "UTF-8"),
        ("cut.xml", issue("<article>").into_bytes()[..150].to_vec(), "OJS"),
        ("deep.xml", format!("<issues>{}</issues>", "<a>".repeat(5000)).into_bytes(), "OJS"),
        ("counts.csv", b"a,b\n1,2\n".to_vec(), "columns"),
        ("counts.json", b"{\"items\": 5}".to_vec(), "list"),
    ] {
        let path = desk.write(name, bytes);
        let (report, good) = desk.import("ojs", &[&path], &[]);
        let error = report["items"][0]["error"].as_str().unwrap_or_default();
        assert!(!good && error.contains(words), "{name}: {report}");
    }
    let output = masthead_test_support::masthead(
        &repository("sites"),
        &desk.data(),
        &["import", "ojs", hostile.to_str().unwrap(), "--site", "448", "--old-address", "/a/../b"],
    );
    assert!(!output.status.success() && masthead_test_support::stderr(&output).contains("/index.php/JOURNAL"));
}

#[test]
fn an_issue_file_brings_the_cover_of_its_issue() {
    let desk = Desk::new("covers");
    let file = |cover: &str, number: u8| {
        format!(
            "<issue-xml><journal-meta><journal-title-group><journal-title>Small</journal-title></journal-title-group></journal-meta>\
             <issue-meta><pub-date><year>2026</year></pub-date><volume>1</volume><issue>{number}</issue><issue-cover><graphic \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"{cover}\"/></issue-cover></issue-meta></issue-xml>"
        )
    };
    desk.write("one/cover.png", super::packages::png());
    desk.write("secret.png", super::packages::png());
    let one = desk.write("one/issue.xml", file("cover.png", 1));
    let two = desk.write("one/other.xml", file("../secret.png", 2));
    let three = desk.write("one/third.xml", file("https://a.example/c.png", 3));
    let (report, good) = desk.import("periods", &[&one, &two, &three], &[]);
    assert!(good, "{report}");
    let issues = desk.read(async |site| site.issues("small").await.unwrap());
    let covers: Vec<(&str, bool)> =
        issues.iter().map(|issue| (issue.issue.as_str(), issue.cover.starts_with("/media/448/"))).collect();
    assert_eq!(covers, [("3", false), ("2", false), ("1", true)]);
    let warnings: Vec<String> =
        report["items"].as_array().unwrap().iter().map(|item| item["warnings"].to_string()).collect();
    assert!(warnings[1].contains("not beside the file") && warnings[2].contains("another server"), "{warnings:?}");
    assert_eq!(desk.import("periods", &[&one], &[]).0["unchanged"], 1);
}
