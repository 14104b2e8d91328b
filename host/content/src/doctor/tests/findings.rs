//! What is found in stored content besides what `tests.rs` has: targets of links, rows, files, languages, directions.

use masthead_config::NOT_USED_YET;
use masthead_domain::resource::{Book, Column, Expert, Information};
use masthead_store::Media;

use super::*;

fn keys(found: &[(&'static str, String, String)], check: &str) -> Vec<String> {
    let mut keys: Vec<_> = found.iter().filter(|(own, _, _)| *own == check).map(|(_, key, _)| key.clone()).collect();
    keys.sort();
    keys
}

#[test]
fn further_findings_are_counted_and_not_listed() {
    let (mut counted, mut notes) = (Counted::new("files"), Notes::new("one"));
    for number in 0..=MOST {
        counted.error(&mut notes, number.to_string(), "lost", "find it");
    }
    counted.end(&mut notes, "uses of files");
    let last = notes.found.pop().unwrap();
    assert_eq!((notes.found.len(), last.level), (MOST, Level::Warning));
    assert!(last.message.contains(&format!("{} uses of files", MOST + 1)), "{last}");
}

#[test]
fn names_of_institutions_and_providers_without_a_language_are_found() {
    let desk = Desk::new(
        "",
        "[accounts.providers.orcid]\nkind = \"orcid\"\nclientId = \"x\"\nname = { en = \"ORCID\" }\n\
         [[access.institutions]]\nid = \"lagoon\"\nname = { en = \"Lagoon\" }",
    );
    let expected = [("access.institutions[0].name.zh", 11), ("accounts.providers.orcid.name.zh", 8)];
    assert_eq!(desk.found("languages"), places(&expected));
}

#[test]
fn settings_without_effect_are_found_where_they_are_not_the_default() {
    let desk = Desk::new(
        "",
        "templateId = 7\numtFlag = 1\nlogo1 = \"seal.svg\"\n[[channels]]\nid = 1\ncode = \"home\"\nbannerId = 0\n\
         [[channels]]\nid = 2\ncode = \"news\"\nbannerId = 4",
    );
    let found = desk.found("unused");
    assert_eq!(found, places(&[("logo1", 7), ("templateId", 5), ("umtFlag", 6), ("channels[1].bannerId", 15)]));
    let mut keys: Vec<String> = found.into_iter().map(|(key, _)| key.replace("[1]", "")).collect();
    keys.sort();
    assert_eq!(keys, NOT_USED_YET, "all settings that `config explain` shows as not used");
    let all = of_files(&desk.installation(), &[desk.subject()]);
    let mut levels = all.iter().filter(|diagnostic| diagnostic.check == "unused").map(|diagnostic| diagnostic.level);
    assert!(levels.all(|level| level == Level::Warning), "the site works without them");
    let defaults = Desk::new("", "templateId = 0\numtFlag = 0\nlogo1 = \"\"");
    assert!(defaults.found("unused").is_empty(), "a default says nothing");
}

#[tokio::test]
async fn links_lead_to_resources_journals_and_issues_as_the_pages_show_them() {
    let channels = "[[channels]]\nid = 901\ncode = \"item\"\nenable = \"1\"\n[[channels]]\nid = 902\ncode = \"news\"\nenable = \"0\"";
    let (desk, content) = (Desk::new("", channels), Content::new().await);
    let site = content.store.site(SiteId(1));
    content.import("10.5555/one", "").await;
    for (number, shown) in [("1", true), ("2", false)] {
        let (journal, issue) = ("tides".to_owned(), number.to_owned());
        site.save_issue(&Issue { journal, year: 2026, issue, shown, ..Issue::default() }).await.unwrap();
    }
    let text = Information { key: "ethics".to_owned(), ..Information::default() };
    let text = site.save_resource(&text).await.unwrap().id();
    let book = site.save_resource(&Book { key: "waves".to_owned(), ..Book::default() }).await.unwrap().id();
    let expert = site.save_resource(&Expert { key: "ada".to_owned(), ..Expert::default() }).await.unwrap().id();
    let spring = Collection { key: "spring".to_owned(), ..Collection::default() };
    let spring = site.save_resource(&spring).await.unwrap().id();
    let (installation, subject) = (desk.installation(), desk.subject());
    let links = links::Links::new(&installation, &subject);
    let mut stored = stored::Stored::new(&site, desk.site());
    let there = format!(
        "book/{book} info/{text} info/901 info/ethics scholar/{expert} editorial-board/0/{expert} collections/{spring} collections/spring \
         home home/901 collectionList collectionList/902 news/901 newsInfo/901/0 newcomposite/901 mag mag/tides article?q=tide \
         issue issue/2026 issue/2026/1 issue/2026/1?journal=tides issue/2026/1?page=2&journal=%74ides"
    );
    let lost = format!(
        "book/{text} picture/{book} info/{book} info/902 info/waves scholar/{book} editorial-board/0/{book} collections/{book} collections/autumn \
         home/903 collectionList/903 news/902 newsInfo/902/0 newsInfo/901/{book} newcomposite/start mag/ebbs article \
         issue?journal=ebbs issue/2025 issue/2026/2 issue/2026/1?journal=ebbs"
    );
    for (paths, is_there) in [(there, true), (lost, false)] {
        for path in paths.split_whitespace() {
            let fault = links.fault(&mut stored, &format!("/en/{path}")).await.unwrap();
            assert_eq!(fault.is_none(), is_there, "{path}: {fault:?}");
        }
    }
    content.store.close().await;
}

#[tokio::test]
async fn recorded_files_that_are_lost_are_found_with_what_uses_them() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    let digest = crate::files::keep(content.data.path(), b"tide").unwrap();
    let media =
        Media { digest: digest.clone(), name: "tide.pdf".to_owned(), mime: "application/pdf".to_owned(), bytes: 4 };
    site.save_media(&media).await.unwrap();
    let file = format!("/media/1/{digest}.pdf");
    let attachments = vec![Attachment { name: "x".to_owned(), file: file.clone() }];
    site.save_resource(&News { key: "opening".to_owned(), attachments, ..News::default() }).await.unwrap();
    let journal = Journal { key: "ebbs".to_owned(), cover: file, shown: true, ..Journal::default() };
    site.save_journal(&journal).await.unwrap();
    assert!(content.found(&desk).await.is_empty());
    crate::files::remove(content.data.path(), &digest).unwrap();
    let found = content.found(&desk).await;
    assert_eq!(keys(&found, "files"), ["journal/ebbs", "news/opening"], "{found:?}");
    assert!(found.len() == 2 && found.iter().all(|(_, _, message)| message.contains("\"tide.pdf\"")), "{found:?}");
    content.store.close().await;
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn row<const N: usize>(columns: [(&str, Value); N]) -> SiteRow {
    columns.map(|(name, value)| (name.to_owned(), value)).into()
}

fn resource(id: i64, kind: &str, data: &str) -> SiteRow {
    let numbers = [("id", Value::Int(id)), ("article_id", Value::Int(0)), ("position", Value::Int(0))];
    let texts = [("kind", kind), ("entry", "torn"), ("section", ""), ("dated", ""), ("data", data)];
    let mut all = row(numbers);
    all.extend(row(texts.map(|(name, value)| (name, text(value)))));
    all
}

#[tokio::test]
async fn rows_that_cannot_be_read_are_found_and_end_no_check() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    content.import("10.5555/one", "").await;
    let torn = ItemRef { kind: ItemKind::Book, key: "torn".to_owned() };
    let introduction = LocalText::of(Lang::En, "<a href=\"/en/article/999\">a</a>");
    let spring = Collection { key: "spring".to_owned(), items: vec![torn], introduction, ..Collection::default() };
    site.save_resource(&spring).await.unwrap();
    let rows = SiteRows::of(site.clone()).await.unwrap();
    let article = rows.rows("articles", None).await.unwrap().remove(0);
    for (id, column) in [(9001, "card"), (9002, "files"), (9003, "rendered")] {
        let mut damaged = article.clone();
        damaged.extend(row([("id", Value::Int(id)), ("source_key", text(column)), ("doi_key", Value::Null)]));
        damaged.extend(row([(column, text("{"))]));
        rows.add("articles", &[damaged]).await.unwrap();
    }
    // A kind of a newer version is none that cannot be read.
    let resources = [resource(9004, "book", "{"), resource(9005, "picture", "7"), resource(9006, "hologram", "{")];
    rows.add("resources", &resources).await.unwrap();
    let number = [("year", Value::Int(2026)), ("issue", text("1")), ("sort_key", text("1"))];
    let mut issue = row([("journal", text("tides")), ("data", text("{"))]);
    issue.extend(row(number));
    rows.add("issues", &[issue]).await.unwrap();
    let found = content.found(&desk).await;
    let mut expected =
        vec!["article/9001", "article/9002", "article/9003", "book/9004", "issue/tides/2026/1", "picture/9005"];
    assert_eq!(keys(&found, "rows"), expected, "{found:?}");
    assert_eq!(keys(&found, "links"), ["collection/spring introduction.en"], "{found:?}");
    let ebbs = row([("journal", text("ebbs")), ("position", Value::Int(7)), ("data", text("{"))]);
    rows.add("journals", &[ebbs]).await.unwrap();
    expected.push("journal/ebbs");
    expected.sort_unstable();
    let found = content.found(&desk).await;
    assert_eq!(keys(&found, "rows"), expected, "{found:?}");
    assert_eq!(keys(&found, "links"), ["collection/spring introduction.en"], "{found:?}");
    content.store.close().await;
}

#[tokio::test]
async fn stored_titles_without_a_language_are_reported_together() {
    let (mut desk, content) = (Desk::new("", ""), Content::new().await);
    // A language that a plugin adds is one of the interface.
    desk.languages.push(Lang::Fra);
    let site = content.store.site(SiteId(1));
    let both = LocalText([(Lang::Zh, "潮".to_owned()), (Lang::En, "Tide".to_owned())].into());
    let english = LocalText::of(Lang::En, "Tide");
    for (key, title) in
        [("a", both.clone()), ("b", english.clone()), ("c", english.clone()), ("d", LocalText::default())]
    {
        site.save_resource(&News { key: key.to_owned(), title, ..News::default() }).await.unwrap();
    }
    let start = Composite { key: "start".to_owned(), title: english.clone(), ..Composite::default() };
    site.save_resource(&start).await.unwrap();
    let (key, title) = ("a".to_owned(), english.clone());
    let collection = Collection { key: key.clone(), title: title.clone(), ..Collection::default() };
    site.save_resource(&collection).await.unwrap();
    site.save_resource(&Column { key: key.clone(), title: title.clone(), ..Column::default() }).await.unwrap();
    site.save_resource(&Album { key, title: both.clone(), ..Album::default() }).await.unwrap();
    for (number, title) in [("1", title), ("2", LocalText::default())] {
        let (journal, issue) = ("ebbs".to_owned(), number.to_owned());
        site.save_issue(&Issue { journal, year: 2026, issue, title, shown: true, ..Issue::default() }).await.unwrap();
    }
    let journal =
        Journal { key: "ebbs".to_owned(), title: both, introduction: english, shown: true, ..Journal::default() };
    site.save_journal(&journal).await.unwrap();
    let found = content.found(&desk).await;
    let expected =
        ["collection title", "column title", "composite title", "issue title", "journal introduction", "news title"];
    assert_eq!(keys(&found, "languages"), expected, "the titles of albums are complete: {found:?}");
    let (_, _, of_issues) = found.iter().find(|(_, key, _)| key == "issue title").unwrap();
    assert!(of_issues.contains("1 of 1") && of_issues.ends_with("issue/ebbs/2026/1"), "{of_issues}");
    let (_, _, of_news) = found.iter().find(|(_, key, _)| key == "news title").unwrap();
    assert!(of_news.contains("2 of 3") && of_news.contains("(zh)") && of_news.ends_with("news/b"), "{of_news}");
    assert_eq!(found.len(), expected.len(), "{found:?}");
    content.store.close().await;
}

#[tokio::test]
async fn faults_of_direction_in_journals_and_issues_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    let journal = Journal {
        key: "ebbs".to_owned(),
        title: LocalText::of(Lang::En, "The journal مجلة, 2026"),
        editor_in_chief: LocalText::of(Lang::En, "x\u{202e}y"),
        sponsor: LocalText::of(Lang::Ara, "مجلة 2026"),
        shown: true,
        ..Journal::default()
    };
    site.save_journal(&journal).await.unwrap();
    let (title, number) = (LocalText::of(Lang::En, "x\u{2069}"), "1".to_owned());
    let issue = Issue { journal: "ebbs".to_owned(), year: 2026, issue: number, title, shown: true, ..Issue::default() };
    site.save_issue(&issue).await.unwrap();
    let expected = ["issue/ebbs/2026/1 title.en", "journal/ebbs editorInChief.en", "journal/ebbs title.en"];
    let found = content.found(&desk).await;
    assert_eq!(keys(&found, "bidi"), expected, "{found:?}");
    content.store.close().await;
}

#[tokio::test]
async fn faults_of_direction_in_titles_of_articles_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let import = async |doi: &str, title: &str, translated: &str| {
        let titles = format!(
            "<article-title>{title}</article-title><trans-title-group xml:lang=\"ar\"><trans-title>{translated}</trans-title>\
             </trans-title-group>"
        );
        content.import_of("research-article", doi, &titles, "").await;
    };
    import("10.5555/one", "On the tide", "مجلة 2026").await;
    import("10.5555/two", "The journal \u{2067}مجلة\u{2069}, 2026", "مجلة").await;
    let found = content.found(&desk).await;
    assert!(found.is_empty(), "a title in Arabic has its direction: {found:?}");
    import("10.5555/three", "About مجلة, a journal", "مجلة").await;
    import("10.5555/four", "On the ebb", "x\u{202e}y").await;
    let found = content.found(&desk).await;
    let site = content.store.site(SiteId(1));
    let mut expected = Vec::new();
    for (doi, which) in [("10.5555/three", "titles."), ("10.5555/four", "titles.ar")] {
        let id = site.article_id_by_doi(&Doi::parse(doi).unwrap()).await.unwrap().unwrap();
        expected.push(format!("article/{id} {which}"));
    }
    let keys = keys(&found, "bidi");
    assert!(keys.len() == 2 && found.len() == 2, "{found:?}");
    assert!(keys.iter().zip(&expected).all(|(key, start)| key.starts_with(start.as_str())), "{keys:?} {expected:?}");
    content.store.close().await;
}

#[tokio::test]
async fn articles_of_many_batches_are_all_read() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    content.import("10.5555/one", "").await;
    let rows = SiteRows::of(site.clone()).await.unwrap();
    let article = rows.rows("articles", None).await.unwrap().remove(0);
    let last = 1000 + 5 * 200;
    let copies = (1001..=last).map(|id| {
        let mut copy = article.clone();
        let page = if id == last || id == 1001 { "{" } else { super::super::text(&article, "rendered") };
        copy.extend(row([("id", Value::Int(id)), ("source_key", text(&id.to_string())), ("doi_key", Value::Null)]));
        copy.extend(row([("rendered", text(page))]));
        copy
    });
    rows.add("articles", &copies.collect::<Vec<_>>()).await.unwrap();
    let found = content.found(&desk).await;
    assert_eq!(keys(&found, "rows"), ["article/1001".to_owned(), format!("article/{last}")], "{}", found.len());
    content.store.close().await;
}
