#![allow(clippy::unwrap_used)]
use masthead_domain::of_kind;
use masthead_store::AuditQuery;

use super::*;
use crate::import::Importer;

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

fn change(field: &str, text: &str) -> Change {
    Change { fields: vec![(field.to_owned(), json!(text))], who: "ada".to_owned(), ..Change::default() }
}

/// Changes a record that is there, shows it, and removes it, with a dry run before.
async fn change_show_and_remove(store: &Store, records: &Records, (of, name, field): (RecordType, &str, &str)) {
    let done = records.set(of, name, &change(field, "Second")).await.unwrap();
    assert_eq!((done.action, done.changes.len()), ("changed", 1), "{of:?}: {done:?}");
    let shown = records.show(of, name).await.unwrap();
    assert_eq!(masthead_store::field(&shown.value, field), &json!("Second"), "{shown:?}");
    assert_eq!(shown.kept, [field], "{of:?}");

    let goes = FieldChange { key: field.to_owned(), before: json!("Second"), after: Value::Null };
    let how = Change { who: "ada".to_owned(), version: Some(shown.version.clone()), ..Change::default() };
    let dry = records.remove(of, name, &Change { dry_run: true, ..how.clone() }).await.unwrap();
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
        let new = Change { create: true, ..change(field, "First") };
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
        for done in [changed, records.remove(of, "one", &Change::default()).await] {
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
        let by = |who: &str, hours: i64, text: &str| Change {
            who: who.to_owned(),
            at_ms: Some(NOON + hours * HOUR),
            ..change(field, text)
        };
        let set = async |change: Change| records.set(of, name, &change).await.unwrap().last_editor;
        assert_eq!(set(by("ada", 0, "One")).await, None, "{of:?}: an import is no editor");
        assert_eq!(set(by("grace", 1, "Two")).await, last("ada"), "{of:?}");
        assert_eq!(set(by("grace", 2, "Three")).await, None, "{of:?}: her own change");
        assert_eq!(set(by("ada", 24, "Four")).await, None, "{of:?}: a day later");
        assert_eq!(set(Change { dry_run: true, ..by("grace", 23, "Five") }).await, last("ada"), "{of:?}");
        assert_eq!(set(by("grace", 1, "Four")).await, None, "{of:?}: nothing is changed");
        let version = Some(records.show(of, name).await.unwrap().version);
        assert_eq!(set(Change { version, ..by("grace", 1, "Six") }).await, None, "{of:?}: she has seen it");
        let remove = Change { dry_run: true, ..by("ada", 1, "") };
        if of == RecordType::Article {
            assert_eq!(records.remove(of, name, &remove).await.unwrap().last_editor, last("grace"));
        }
    }
}
