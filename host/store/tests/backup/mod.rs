//! Rows of a whole database: every table is read and written, from either database into either.

use std::{collections::BTreeMap, path::Path};

use masthead_domain::SiteId;
use masthead_store::{
    Store, StoreError,
    backup::{ColumnType, Loader, Row, Schema, Table, Value},
};

use crate::{article, support::Cluster};

/// The tables that backups have. A table of a new migration is in neither list: add it here, or here and in `src/backup/schema.rs` to those
/// that are left out, with the reason.
const BACKED_UP: [&str; 48] = [
    "administrator_roles",
    "administrators",
    "alerts",
    "article_identifiers",
    "article_notices",
    "article_shelves",
    "articles",
    "audit",
    "changes",
    "citations",
    "compressed_html",
    "counts",
    "deliveries",
    "edits",
    "external_citations",
    "favourites",
    "harvested_records",
    "harvests",
    "institution_members",
    "institutions",
    "issues",
    "journals",
    "loaded_configuration",
    "media",
    "media_uses",
    "member_album_items",
    "member_albums",
    "member_comments",
    "member_files",
    "member_identities",
    "member_names",
    "member_passkeys",
    "member_uses",
    "members",
    "plugin_usage",
    "plugin_values",
    "readers",
    "redirects",
    "removed_articles",
    "resources",
    "saved_searches",
    "searches",
    "section_names",
    "sections",
    "sequences",
    "settings",
    "subscriptions",
    "withdrawn_articles",
];
const LEFT_OUT: [&str; 10] = [
    "administrator_invites",
    "administrator_sessions",
    "codes",
    "mail_outbox",
    "reader_secrets",
    "rewritten_articles",
    "search_readers",
    "sessions",
    "sign_in_attempts",
    "tickets",
];

#[tokio::test]
async fn every_table_is_backed_up_or_left_out_with_a_reason() {
    let schema = Schema::at(Schema::newest()).await.unwrap();
    let backed_up: Vec<&str> = schema.backed_up().map(|table| table.name.as_str()).collect();
    assert_eq!(backed_up, BACKED_UP, "decide about every table whether backups have it");
    let left_out = schema.tables.iter().filter(|table| table.left_out.is_some_and(|reason| reason.len() > 20));
    assert_eq!(left_out.map(|table| table.name.as_str()).collect::<Vec<_>>(), LEFT_OUT);
}

/// A value of a column that differs by row; texts and bytes have what databases treat specially.
fn sample(kind: ColumnType, column: usize, row: usize) -> Value {
    // Far from the numbers of what the suite has stored.
    let number = (9_000_000 + column * 10 + row) as i64;
    match kind {
        ColumnType::BigInt if row == 2 => Value::Int(i64::MIN + number),
        ColumnType::BigInt => Value::Int(number),
        ColumnType::Text => Value::Text(format!("{number} '\"\\ \u{1F30A} 海\n$1 ?1")),
        ColumnType::Bytea => Value::Bytes(vec![0, 0xff, b'\'', number as u8]),
    }
}

/// Inserts three rows into every table, with a missing value where a column allows it.
async fn fill(url: &str) {
    let pool = sqlx::AnyPool::connect(url).await.unwrap();
    for table in Schema::at(Schema::newest()).await.unwrap().tables {
        let columns: Vec<_> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let places: Vec<_> = (1..=columns.len()).map(|place| format!("${place}")).collect();
        let sql = format!("INSERT INTO \"{}\" ({}) VALUES ({})", table.name, columns.join(", "), places.join(", "));
        for row in 0..3 {
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql.clone()));
            for (position, column) in table.columns.iter().enumerate() {
                query = match sample(column.kind, position, row) {
                    _ if column.name == "doi_key" && row == 1 => query.bind(None::<String>),
                    Value::Int(value) => query.bind(value),
                    Value::Text(value) => query.bind(value),
                    Value::Bytes(value) => query.bind(value),
                    Value::Null => unreachable!(),
                };
            }
            query.execute(&pool).await.unwrap_or_else(|error| panic!("{}: {error}", table.name));
        }
    }
    pool.close().await;
}

/// All rows of all tables that backups have, in an order that does not depend on the database; without the identity of a restored one.
async fn rows(store: &Store) -> BTreeMap<String, Vec<Row>> {
    let mut snapshot = store.snapshot().await.unwrap();
    let mut all = BTreeMap::new();
    for table in snapshot.schema().clone().backed_up() {
        let mut rows: Vec<Row> = Vec::new();
        loop {
            let after = rows.last().map(|row| key(table, row));
            // A page of a few rows has to continue in the middle of equal beginnings of keys.
            let page = snapshot.rows(table, after.as_deref(), None, 2).await.unwrap();
            if page.is_empty() {
                break;
            }
            rows.extend(page);
        }
        assert_eq!(snapshot.count(table).await.unwrap(), rows.len() as u64, "{}", table.name);
        rows.sort_unstable();
        rows.retain(|row| row[0] != Value::Text("restored".into()));
        all.insert(table.name.clone(), rows);
    }
    all
}

fn key(table: &Table, row: &Row) -> Vec<Value> {
    table.key.iter().map(|column| row[*column].clone()).collect()
}

/// Writes the rows of one database into another.
async fn transfer(from: &Store, mut into: Loader, restored: i64) {
    let tables = into.schema().clone();
    for (name, rows) in rows(from).await {
        into.insert(tables.table(&name).unwrap(), &rows).await.unwrap();
    }
    into.finish(restored, None).await.unwrap();
}

/// Copies a filled database to a file, and the file to another file.
pub async fn suite(store: &Store, url: &str, folder: &Path) {
    fill(url).await;
    let before = rows(store).await;
    assert!(before.iter().all(|(_, rows)| rows.len() >= 3), "{before:?}");
    let newest = Schema::newest();
    let (first, second) = (folder.join("first.db"), folder.join("second.db"));
    transfer(store, Loader::into_file(&first, newest).await.unwrap(), 17).await;
    let copy = Store::open_file(&first).await.unwrap();
    assert_eq!(rows(&copy).await, before);
    assert_eq!((copy.restored().await.unwrap(), store.restored().await.unwrap()), (17, 0));
    transfer(&copy, Loader::into_file(&second, newest).await.unwrap(), 18).await;
    let again = Store::open_file(&second).await.unwrap();
    assert_eq!(rows(&again).await, before);
    assert_eq!(again.restored().await.unwrap(), 18);
    // What is stored next gets the next numbers.
    let latest = store.latest_change().await.unwrap();
    let site = again.site(SiteId(448));
    site.save_article(&article("10.5555/after.restore", "After", "1")).await.unwrap();
    assert_eq!(again.latest_change().await.unwrap(), latest + 1);
    assert!(matches!(Loader::into_file(&first, newest).await, Err(StoreError::Unfit { .. })), "the file exists");
    copy.close().await;
    again.close().await;
}

/// Copies the content of a cluster's database to a file, and the file to another database of the cluster.
pub async fn both_ways(store: &Store, cluster: &Cluster, folder: &Path) {
    suite(store, &cluster.url(), folder).await;
    let before = rows(store).await;
    let url = cluster.database("restored");
    let file = Store::open_file(&folder.join("first.db")).await.unwrap();
    let newest = Schema::newest();
    transfer(&file, Loader::into_database(&url, newest, false).await.unwrap(), 19).await;
    let there = Store::open(&url).await.unwrap();
    assert_eq!(rows(&there).await, before);
    assert_eq!(there.restored().await.unwrap(), 19);
    // Content is replaced on request only, and an unfinished restore leaves it as it was.
    let refused = Loader::into_database(&url, newest, false).await.err().unwrap().to_string();
    assert!(refused.contains("--replace") && !refused.contains("masthead@"), "{refused}");
    let mut unfinished = Loader::into_database(&url, newest, true).await.unwrap();
    let settings = unfinished.schema().table("settings").unwrap().clone();
    unfinished
        .insert(&settings, &[vec![Value::Int(1), Value::Text("a".into()), Value::Text("1".into())]])
        .await
        .unwrap();
    drop(unfinished);
    assert_eq!(rows(&there).await, before);
    there.close().await;
    transfer(&file, Loader::into_database(&url, newest, true).await.unwrap(), 20).await;
    let there = Store::open(&url).await.unwrap();
    assert_eq!((rows(&there).await, there.restored().await.unwrap()), (before, 20));
    there.close().await;
    file.close().await;
}

#[tokio::test]
async fn a_snapshot_stays_as_it_was_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
    stays_as_it_was(&store).await;
    store.close().await;
}

pub async fn stays_as_it_was(store: &Store) {
    let site = store.site(SiteId(21));
    let first = site.save_article(&article("10.5555/snapshot.1", "First", "1")).await.unwrap().id();
    let mut snapshot = store.snapshot().await.unwrap();
    let versions = snapshot.article_versions().await.unwrap();
    let position = snapshot.position();
    assert_eq!(position, store.latest_change().await.unwrap());
    site.save_article(&article("10.5555/snapshot.1", "Changed", "1")).await.unwrap();
    site.save_article(&article("10.5555/snapshot.2", "Second", "1")).await.unwrap();
    assert_eq!(snapshot.article_versions().await.unwrap(), versions);
    let articles = snapshot.schema().table("articles").unwrap().clone();
    assert_eq!(snapshot.count(&articles).await.unwrap(), versions.len() as u64);
    let (after, before) = ([21, first.0 - 1].map(Value::Int), [21, first.0 + 1].map(Value::Int));
    let found = snapshot.rows(&articles, Some(&after), Some(&before), 9).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0][articles.position("id").unwrap()], Value::Int(first.0));
    assert!(matches!(&found[0][articles.position("meta").unwrap()], Value::Text(meta) if meta.contains("First")));
    drop(snapshot);
    let mut later = store.snapshot().await.unwrap();
    let changed = later.article_versions().await.unwrap();
    assert!(later.position() > position);
    let of = |versions: &[masthead_store::backup::ArticleVersion]| {
        versions.iter().find(|version| version.key == (21, first.0)).copied().unwrap()
    };
    assert_ne!(of(&changed), of(&versions), "a rewritten article has another version");
}

#[tokio::test]
async fn a_backup_of_an_older_schema_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    // Before the files in use were recorded.
    let mut loader = Loader::into_file(&path, 5).await.unwrap();
    let schema = loader.schema().clone();
    assert!(schema.table("media_uses").is_none() && schema.table("articles").is_some());
    let journals = schema.table("journals").unwrap();
    let cover = format!("{{\"key\":\"j\",\"cover\":\"/media/7/{}.png\"}}", "ab".repeat(32));
    let row = vec![Value::Int(7), Value::Text("j".into()), Value::Int(1), Value::Text(cover)];
    assert!(loader.insert(journals, &[vec![Value::Int(7)]]).await.is_err(), "a row that does not fit is refused");
    loader.insert(journals, &[row]).await.unwrap();
    let counters: Vec<Row> = ["articles", "changes", "deliveries", "claims", "resources", "moments"]
        .map(|name| vec![Value::Text(name.into()), Value::Int(40)])
        .to_vec();
    loader.insert(schema.table("sequences").unwrap(), &counters).await.unwrap();
    loader.finish(5, None).await.unwrap();
    let store = Store::open_file(&path).await.unwrap();
    assert_eq!(store.site(SiteId(7)).journals().await.unwrap()[0].key, "j");
    let saved = store.site(SiteId(7)).save_article(&article("10.5555/old.1", "New", "1")).await.unwrap();
    assert_eq!(saved.id().0, 41);
    let uses = rows(&store).await["media_uses"].len();
    assert_eq!(uses, 1, "the files of earlier rows are recorded, as when an older database is opened");
    store.close().await;
}
