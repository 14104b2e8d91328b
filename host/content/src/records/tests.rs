#![allow(clippy::unwrap_used)]
use masthead_domain::of_kind;
use masthead_store::{AuditQuery, StoredArticle};

use super::*;
use crate::import::{Importer, Item};

const SITE: SiteId = SiteId(448);
/// 2024-02-29T12:00:00Z.
const NOON: i64 = 1_709_208_000_000;
const HOUR: i64 = 60 * 60 * 1000;
const DOI: &str = "10.5555/tides.1";

/// A data folder with its store, whose clock stands still, and the records of a site.
async fn desk() -> (tempfile::TempDir, Store, Records) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("a.db")).await.unwrap().with_clock(|| NOON);
    let records = Records::new(&store, SITE, folder.path());
    (folder, store, records)
}

/// Imports an article of the journal Tides.
async fn import_article(folder: &Path, store: &Store) {
    let text = format!(
        "<article xml:lang=\"en\"><front><journal-meta><journal-title-group><journal-title>Tides</journal-title>\
         </journal-title-group></journal-meta><article-meta><article-id pub-id-type=\"doi\">{DOI}</article-id>\
         <title-group><article-title>First</article-title></title-group><pub-date pub-type=\"ppub\"><year>2026</year></pub-date>\
         <issue>1</issue></article-meta></front><body><p>Text.</p></body></article>"
    );
    let path = folder.join("a.xml");
    std::fs::write(&path, text).unwrap();
    let item = Importer::new(store, SITE, folder, false).file(&path).await;
    assert!(item.article.is_some(), "{item:?}");
}

/// Stores an empty resource.
async fn save_empty(store: &Store, kind: ResourceKind, key: &str) {
    of_kind!(kind, T => {
        let mut value = json_of(&empty::<T>().unwrap()).unwrap();
        value["key"] = json!(key);
        store.site(SITE).save_resource(&read::<T>(&value).unwrap()).await.unwrap();
    });
}

fn change(field: &str, text: &str) -> RecordEdit {
    RecordEdit { fields: vec![(field.to_owned(), json!(text))], who: "ada".to_owned(), ..RecordEdit::default() }
}

/// Changes a record that is there, shows it, and removes it, with a dry run before.
async fn change_show_and_remove(store: &Store, records: &Records, (of, name, field): (RecordType, &str, &str)) {
    let done = records.set(of, name, &change(field, "Second")).await.unwrap();
    assert_eq!((done.action, done.changes.len()), ("changed", 1), "{of:?}: {done:?}");
    let shown = records.show(of, name).await.unwrap();
    assert_eq!(masthead_store::field(&shown.value, field), &json!("Second"), "{shown:?}");
    assert_eq!(shown.kept, [field], "{of:?}");

    let goes = FieldChange { key: field.to_owned(), before: json!("Second"), after: Value::Null };
    let how = RecordEdit { who: "ada".to_owned(), version: Some(shown.version.clone()), ..RecordEdit::default() };
    let dry = records.remove(of, name, &RecordEdit { dry_run: true, ..how.clone() }).await.unwrap();
    assert!(dry.dry_run && dry.action == "removed" && dry.changes.contains(&goes), "{of:?}: {dry:?}");
    assert_eq!(records.show(of, name).await.unwrap(), shown, "a dry run removes nothing");
    let removed = records.remove(of, name, &how).await.unwrap();
    assert_eq!(removed, Done { dry_run: false, ..dry });
    let gone = records.show(of, name).await;
    assert!(matches!(gone, Err(RecordError::Missing(_))), "{of:?}: {gone:?}");
    let query = AuditQuery { site: Some(SITE), limit: 1, ..AuditQuery::default() };
    let entry = store.audit(&query).await.unwrap().remove(0).entry;
    assert_eq!((entry.action.as_str(), &entry.after), ("removed", &Value::Null), "{entry:?}");
    assert_eq!(masthead_store::field(&entry.before, field), &json!("Second"), "{entry:?}");
}

#[tokio::test]
async fn resources_of_every_kind_are_set_shown_and_removed() {
    let (_folder, store, records) = desk().await;
    for kind in ResourceKind::ALL {
        let field = match kind {
            ResourceKind::Expert => "name.en",
            ResourceKind::Comment => "text",
            _ => "title.en",
        };
        let of = RecordType::Resource(kind);
        let new = RecordEdit { create: true, ..change(field, "First") };
        let created = records.set(of, "one", &new).await;
        if kind.source() == ResourceSource::File {
            assert_eq!(created.unwrap().action, "created", "{kind:?}");
        } else {
            assert!(matches!(created, Err(RecordError::Invalid(_))), "{kind:?}: {created:?}");
            save_empty(&store, kind, "one").await;
        }
        if kind.source() != ResourceSource::Article {
            change_show_and_remove(&store, &records, (of, "one", field)).await;
            continue;
        }
        assert_eq!(records.show(of, "one").await.unwrap().name, "one");
        let changed = records.set(of, "one", &change(field, "Second")).await;
        for done in [changed, records.remove(of, "one", &RecordEdit::default()).await] {
            assert!(done.unwrap_err().to_string().contains("belongs to its article"), "{kind:?}");
        }
    }
}

#[tokio::test]
async fn articles_issues_and_journals_are_set_shown_and_removed() {
    let (folder, store, records) = desk().await;
    import_article(folder.path(), &store).await;
    // The import has made the journal and the issue, which no article has to be in when they are removed.
    for record in [
        (RecordType::Article, DOI, "titles.en"),
        (RecordType::Issue, "tides/2026/1", "title.en"),
        (RecordType::Journal, "tides", "title.en"),
    ] {
        change_show_and_remove(&store, &records, record).await;
    }
}

#[tokio::test]
async fn a_change_without_a_version_says_who_has_changed_the_record_lately() {
    let (folder, store, records) = desk().await;
    import_article(folder.path(), &store).await;
    let last = |who: &str| Some(LastEditor { who: who.to_owned(), time: "2024-02-29T12:00:00Z".to_owned() });
    for (of, name, field) in
        [(RecordType::Article, DOI, "titles.en"), (RecordType::Journal, "tides", "introduction.en")]
    {
        // All lines of the audit trail are written at noon.
        let by = |who: &str, hours: i64, text: &str| RecordEdit {
            who: who.to_owned(),
            at_ms: Some(NOON + hours * HOUR),
            ..change(field, text)
        };
        let set = async |change: RecordEdit| records.set(of, name, &change).await.unwrap().last_editor;
        assert_eq!(set(by("ada", 0, "One")).await, None, "{of:?}: an import is no editor");
        assert_eq!(set(by("grace", 1, "Two")).await, last("ada"), "{of:?}");
        assert_eq!(set(by("grace", 2, "Three")).await, None, "{of:?}: her own change");
        assert_eq!(set(by("ada", 24, "Four")).await, None, "{of:?}: a day later");
        assert_eq!(set(RecordEdit { dry_run: true, ..by("grace", 23, "Five") }).await, last("ada"), "{of:?}");
        assert_eq!(set(by("grace", 1, "Four")).await, None, "{of:?}: nothing is changed");
        let version = Some(records.show(of, name).await.unwrap().version);
        assert_eq!(set(RecordEdit { version, ..by("grace", 1, "Six") }).await, None, "{of:?}: she has seen it");
        let remove = RecordEdit { dry_run: true, ..by("ada", 1, "") };
        if of == RecordType::Article {
            assert_eq!(records.remove(of, name, &remove).await.unwrap().last_editor, last("grace"));
        }
    }
}

/// Imports an article with a PDF, notes, a licence and abstracts and keywords of further kinds; returns the item of the report.
async fn import_whole(folder: &Path, store: &Store, title: &str) -> Item {
    let text = format!(
        "<article xml:lang=\"en\"><front><journal-meta><journal-title-group><journal-title>Tides</journal-title>\
         </journal-title-group></journal-meta><article-meta><article-id pub-id-type=\"doi\">{DOI}</article-id>\
         <article-id pub-id-type=\"publisher-id\">t1</article-id><title-group><article-title>{title}</article-title></title-group>\
         <author-notes><corresp>Write to <bold>Ada</bold>.</corresp><fn fn-type=\"conflict\"><p>None.</p></fn></author-notes>\
         <pub-date pub-type=\"ppub\"><year>2026</year></pub-date><issue>1</issue><permissions><license><license-p>Ask first.</license-p>\
         </license></permissions><abstract><p>One.</p><p>Two.</p></abstract><abstract abstract-type=\"plain-language-summary\">\
         <p>Water moves.</p></abstract><kwd-group kwd-group-type=\"ocis\"><kwd>010.4450</kwd></kwd-group></article-meta></front>\
         <body><p>Text.</p></body></article>"
    );
    std::fs::write(folder.join("whole.xml"), text).unwrap();
    std::fs::write(folder.join("whole.pdf"), "%PDF-1.4 of the source").unwrap();
    let item = Importer::new(store, SITE, folder, false).file(&folder.join("whole.xml")).await;
    assert!(item.article.is_some(), "{item:?}");
    item
}

/// A change of several fields, with files of the folder.
fn changes(folder: &Path, fields: &[(&str, Value)], files: &[(&str, &str)]) -> RecordEdit {
    let fields = fields.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    let files = files.iter().map(|(path, name)| ((*path).to_owned(), folder.join(name))).collect();
    RecordEdit { fields, files, who: "ada".to_owned(), ..RecordEdit::default() }
}

async fn stored(store: &Store, item: &Item) -> StoredArticle {
    let id = masthead_domain::ArticleId(item.article.unwrap());
    store.site(SITE).article(id).await.unwrap().unwrap()
}

fn file_names(article: &StoredArticle) -> Vec<&str> {
    article.files.iter().map(|file| file.name.as_str()).collect()
}

#[tokio::test]
async fn every_field_of_an_article_is_shown_edited_and_kept_over_an_import() {
    let (folder, store, records) = desk().await;
    let (folder, of) = (folder.path(), RecordType::Article);
    let item = import_whole(folder, &store, "First").await;
    let first = records.show(of, DOI).await.unwrap();
    let value = &first.value;
    assert_eq!((&value["ids"], &value["license"]), (&json!({ "publisher-id": "t1" }), &json!("Ask first.")));
    assert_eq!(value["authorNotes"], json!([{ "lang": "en", "text": "Write to Ada." }]));
    assert_eq!(
        (&value["statements"]["conflict"][0]["text"], &value["abstracts"]["en"]),
        (&json!("None."), &json!("One.\nTwo."))
    );
    assert_eq!(
        (&value["otherAbstracts"][0]["kind"], &value["otherKeywords"][0]["words"]),
        (&json!("plain-language-summary"), &json!(["010.4450"]))
    );
    assert_eq!(
        (value["pdf"].as_str().map(|pdf| pdf.starts_with("/media/")), &value["files"]),
        (Some(true), &json!([]))
    );

    std::fs::write(folder.join("new.pdf"), "%PDF-1.4 of the editor").unwrap();
    std::fs::write(folder.join("data.csv"), "1,2").unwrap();
    std::fs::write(folder.join("rope.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    let fields = [
        ("ids.pmid", json!("12")),
        ("license", json!("Free to read.")),
        ("authorNotes.1", json!({ "lang": "en", "text": "Left in May." })),
        ("statements.conflict.0.text", json!("Ada owns a ferry.")),
        ("otherAbstracts.1.kind", json!("graphical")),
        ("otherKeywords.0.words.+", json!("010.4455")),
        ("files.0.name", json!("data.csv")),
    ];
    let files = [("pdf", "new.pdf"), ("files.0.file", "data.csv"), ("otherAbstracts.1.file", "rope.svg")];
    let change = changes(folder, &fields, &files);
    let keys = [
        "authorNotes",
        "files",
        "ids.pmid",
        "license",
        "otherAbstracts",
        "otherKeywords",
        "pdf",
        "statements.conflict",
    ];
    let dry = records.set(of, DOI, &RecordEdit { dry_run: true, ..change.clone() }).await.unwrap();
    assert_eq!(dry.changes.iter().map(|one| one.key.as_str()).collect::<Vec<_>>(), keys);
    assert_eq!(dry.changes[6].after, json!("/new.pdf"));
    assert_eq!(records.show(of, DOI).await.unwrap(), first, "a dry run stores nothing");

    let done = records.set(of, DOI, &change).await.unwrap();
    assert_eq!(done.changes.iter().map(|one| one.key.as_str()).collect::<Vec<_>>(), keys);
    let edited = records.show(of, DOI).await.unwrap();
    assert_eq!(edited.kept, keys);
    assert_eq!(edited.value["otherKeywords"][0]["words"], json!(["010.4450", "010.4455"]));
    let names = ["whole.pdf", "graphical-abstract.svg", "data.csv"];
    let after = stored(&store, &item).await;
    assert_eq!((file_names(&after), after.pdf()), (names.to_vec(), after.files.first()));
    let picture = edited.value["otherAbstracts"][1]["file"].as_str().unwrap();
    assert!(after.rendered.unsealed().contains(picture), "{}", after.rendered.unsealed());
    assert_eq!(after.meta.author_notes[0].nodes.len(), 3, "the first note keeps its formatting");
    let same = records.set(of, DOI, &changes(folder, &[], &files)).await.unwrap();
    assert_eq!((same.action, same.changes.len()), ("unchanged", 0), "the same files again");

    let again = import_whole(folder, &store, "Second").await;
    assert!(again.warnings.contains(&format!("kept as edited by hand: {}", keys.join(", "))), "{again:?}");
    let mut imported = records.show(of, DOI).await.unwrap();
    assert_eq!(imported.value["titles"]["en"], "Second");
    imported.value["titles"]["en"] = json!("First");
    assert_eq!((&imported.value, file_names(&stored(&store, &item).await)), (&edited.value, names.to_vec()));

    let release = RecordEdit { release: vec!["pdf".to_owned(), "files".to_owned()], ..changes(folder, &[], &[]) };
    records.set(of, DOI, &release).await.unwrap();
    import_whole(folder, &store, "Third").await;
    let released = records.show(of, DOI).await.unwrap();
    assert_eq!((&released.value["pdf"], &released.value["files"]), (&value["pdf"], &json!([])));
    store.close().await;
}

#[tokio::test]
async fn open_access_follows_the_licence_that_is_edited_kept_and_released() {
    let (folder, store, records) = desk().await;
    let (folder, of) = (folder.path(), RecordType::Article);
    let item = import_whole(folder, &store, "First").await;
    let refused = records.set(of, DOI, &changes(folder, &[("openAccess", json!(true))], &[])).await.unwrap_err();
    assert!(refused.to_string().contains("licenseUrl=https://"), "{refused}");
    assert!(!stored(&store, &item).await.meta.open_access);

    let by = json!("https://creativecommons.org/licenses/by/4.0/");
    let done = records.set(of, DOI, &changes(folder, &[("licenseUrl", by)], &[])).await.unwrap();
    let keys: Vec<&str> = done.changes.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["licenseUrl", "openAccess"]);
    assert_eq!(records.show(of, DOI).await.unwrap().kept, ["licenseUrl"]);
    let again = import_whole(folder, &store, "Second").await;
    assert!(again.warnings.contains(&"kept as edited by hand: licenseUrl".to_owned()), "{again:?}");
    assert!(stored(&store, &item).await.meta.open_access);

    let release = RecordEdit { release: vec!["licenseUrl".to_owned()], ..changes(folder, &[], &[]) };
    records.set(of, DOI, &release).await.unwrap();
    import_whole(folder, &store, "Third").await;
    let meta = stored(&store, &item).await.meta;
    assert_eq!((meta.license_url.as_str(), meta.open_access), ("", false));
    store.close().await;
}

#[tokio::test]
async fn the_files_of_an_article_are_taken_away_and_stay_away() {
    let (folder, store, records) = desk().await;
    let (folder, of) = (folder.path(), RecordType::Article);
    let item = import_whole(folder, &store, "First").await;
    std::fs::write(folder.join("es.pdf"), "%PDF-1.4 in Spanish").unwrap();
    let attach = changes(folder, &[("files.0.name", json!("es/whole.pdf"))], &[("files.0.file", "es.pdf")]);
    records.set(of, DOI, &attach).await.unwrap();
    assert_eq!(file_names(&stored(&store, &item).await), ["whole.pdf", "es/whole.pdf"]);
    // The other file becomes the PDF; the one that it takes the place of goes.
    let address = records.show(of, DOI).await.unwrap().value["files"][0]["file"].clone();
    records.set(of, DOI, &changes(folder, &[("pdf", address)], &[])).await.unwrap();
    let article = stored(&store, &item).await;
    assert_eq!((file_names(&article), article.meta.pdf.as_str()), (vec!["es/whole.pdf"], "es/whole.pdf"));
    records.set(of, DOI, &changes(folder, &[("pdf", json!(""))], &[])).await.unwrap();
    import_whole(folder, &store, "Second").await;
    let article = stored(&store, &item).await;
    assert_eq!((file_names(&article), article.meta.pdf.as_str()), (Vec::new(), ""));
    store.close().await;
}

/// Fields and files of a change, and what the refusal says.
type Case<'a> = (&'a [(&'a str, Value)], &'a [(&'a str, &'a str)], &'a str);

#[tokio::test]
async fn wrong_fields_and_files_of_an_article_are_refused() {
    let (folder, store, records) = desk().await;
    let (folder, of) = (folder.path(), RecordType::Article);
    import_whole(folder, &store, "First").await;
    let before = records.show(of, DOI).await.unwrap();
    std::fs::write(folder.join("data.csv"), "1,2").unwrap();
    std::fs::write(folder.join("evil.svg"), "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>").unwrap();
    let elsewhere = format!("/media/{}/{}.pdf", SITE.0 + 1, "ab".repeat(32));
    let unknown = format!("/media/{}/{}.pdf", SITE.0, "ab".repeat(32));
    let graphical = ("otherAbstracts.0.kind", json!("graphical"));
    let cases: [Case<'_>; 11] = [
        (&[], &[("pdf", "data.csv")], "pdf: the file \"/data.csv\" is not a PDF"),
        (&[], &[("pdf", "none.pdf")], "there is no such file"),
        (&[("pdf", json!(elsewhere))], &[], "pdf: the site has no file"),
        (&[("pdf", json!(unknown))], &[], "pdf: the site has no file"),
        (&[("pdf", json!("javascript:x"))], &[], "pdf: the site has no file"),
        (
            &[("files.0", json!({ "name": "a.csv", "file": "https://a.example/a.csv" }))],
            &[],
            "files.0.file: the site has",
        ),
        (&[("files.0.name", json!("../a.csv"))], &[("files.0.file", "data.csv")], "files.0.name: \"../a.csv\""),
        (std::slice::from_ref(&graphical), &[("otherAbstracts.0.file", "data.csv")], "is not a picture"),
        (std::slice::from_ref(&graphical), &[("otherAbstracts.0.file", "evil.svg")], "is refused"),
        (&[("ids.pmid", json!("twelve"))], &[], "ids.pmid: \"twelve\""),
        (&[("statements.conflict.0.lang", json!("x"))], &[], "statements.conflict.0.lang: \"x\""),
    ];
    for (fields, files, part) in cases {
        for dry_run in [true, false] {
            let refused =
                records.set(of, DOI, &RecordEdit { dry_run, ..changes(folder, fields, files) }).await.unwrap_err();
            assert!(refused.to_string().contains(part), "{part}: {refused}");
        }
    }
    assert_eq!(records.show(of, DOI).await.unwrap(), before);
    store.close().await;
}
