//! Tests of backups with a real database and real folders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod damage;
mod listing;
mod writes;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::{fs::PermissionsExt as _, net::UnixListener},
    path::{Path, PathBuf},
};

use masthead_domain::{
    ArticleId, Doi, SiteId,
    article::{Article, ArticleMeta, LangText},
    card::ArticleCard,
};
use masthead_store::{
    AuditQuery, Media, NewArticle, Store,
    backup::{Row, Value},
};

use super::{chunks::ChunkEntry, *};
use crate::{data_folder::open_store, digest::Digest, files};

const SITE: SiteId = SiteId(7);

/// An installation with a backup folder.
struct Desk {
    folder: tempfile::TempDir,
    store: Store,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sites = folder.path().join("sites");
        fs::create_dir_all(sites.join("groups")).unwrap();
        fs::create_dir_all(sites.join(".git")).unwrap();
        fs::write(sites.join("platform.toml"), "domain = \"a.example\"\n").unwrap();
        fs::write(sites.join("groups/g.toml"), "colorId = 2\n").unwrap();
        fs::write(sites.join(".git/config"), "none of a backup").unwrap();
        fs::set_permissions(sites.join("groups/g.toml"), fs::Permissions::from_mode(0o640)).unwrap();
        let store = open_store(&folder.path().join("data"), None).await.unwrap();
        // The clock stands still: articles are told apart by the numbers of their changes.
        Self { folder, store: store.with_clock(|| 1_700_000_000_000) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    fn backups(&self) -> PathBuf {
        self.path("backups")
    }

    async fn article(&self, number: usize, version: usize) -> i64 {
        store_article(&self.store, number, version).await
    }

    async fn file(&self, bytes: &[u8]) -> String {
        let digest = files::keep(&self.data(), bytes).unwrap();
        let media = Media {
            digest: digest.clone(),
            name: "a.png".into(),
            mime: "image/png".into(),
            bytes: i64::try_from(bytes.len()).unwrap(),
        };
        self.store.site(SITE).save_media(&media).await.unwrap();
        digest
    }

    async fn save(&self, secrets: bool, full: bool) -> Saved {
        self.save_to(&self.backups(), secrets, full).await.unwrap()
    }

    async fn save_to(&self, to: &Path, secrets: bool, full: bool) -> anyhow::Result<Saved> {
        let (data, sites) = (self.data(), self.path("sites"));
        let mut folder = BackupFolder::open_to_write(to, &[&data, &sites])?;
        let source = Source { store: &self.store, data: &data, sites: &sites };
        save(&source, &mut folder, &Options { name: "2026-03-01".into(), secrets, full }).await
    }

    async fn restore(&self, into: &str, at: Option<&str>, replace: bool) -> anyhow::Result<Restored> {
        let folder = BackupFolder::open_to_read(&self.backups())?;
        let (data, sites) = (self.path(into).join("data"), self.path(into).join("sites"));
        let target = RestoreTarget { data: &data, sites: &sites, database: None };
        restore(&folder, &target, &Choices { at, replace, keep_sites: false, who: "ada" }).await
    }

    /// The problems of all backups.
    fn problems(&self) -> Vec<String> {
        let folder = BackupFolder::open_to_read(&self.backups()).unwrap();
        verify(&folder, None).unwrap().into_iter().flat_map(|backup| backup.problems).collect()
    }

    /// The backups that are damaged.
    fn damaged(&self) -> BTreeSet<String> {
        let folder = BackupFolder::open_to_read(&self.backups()).unwrap();
        let checked = verify(&folder, None).unwrap().into_iter();
        checked.filter(|backup| !backup.problems.is_empty()).map(|backup| backup.name).collect()
    }

    /// The chunks of a table.
    fn chunks(&self, manifest: &Manifest, table: &str) -> Vec<ChunkEntry> {
        let folder = BackupFolder::open_to_read(&self.backups()).unwrap();
        let table = manifest.tables.iter().find(|one| one.name == table).unwrap();
        folder.entries(table).map(Result::unwrap).collect()
    }

    async fn restored_rows(&self, into: &str) -> BTreeMap<String, Vec<Row>> {
        let store = open_store(&self.path(into).join("data"), None).await.unwrap();
        let rows = rows(&store).await;
        assert_ne!(store.restored().await.unwrap(), 0);
        store.close().await;
        rows
    }
}

async fn store_article(store: &Store, number: usize, version: usize) -> i64 {
    store.site(SITE).save_article(&new_article(number, version)).await.unwrap().id().0
}

fn new_article(number: usize, version: usize) -> NewArticle {
    let meta = ArticleMeta {
        source_key: format!("doi:10.5555/backup.{number}"),
        doi: Some(Doi::parse(&format!("10.5555/backup.{number}")).unwrap()),
        titles: vec![LangText { lang: "en".into(), plain: format!("Tide {number}.{version}"), nodes: Vec::new() }],
        year: Some(2026),
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    // Text that does not compress to nothing, and differs by article.
    let text: String = (0..160).map(|line| Digest::of(format!("{number} {version} {line}").as_bytes()).hex()).collect();
    // Every third article has nothing to compress.
    let compressed_html = if number.is_multiple_of(3) { Vec::new() } else { text.as_bytes()[..1000].to_vec() };
    let rendered = format!("{{\"text\":\"{text}\"}}");
    NewArticle { article, card, rendered, compressed_html, ..NewArticle::default() }
}

/// A sequence of numbers that looks like chance and is always the same.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// All rows that a backup has to have, without the identity of a restored database and the lines about restores in its audit trail.
async fn rows(store: &Store) -> BTreeMap<String, Vec<Row>> {
    let mut snapshot = store.snapshot().await.unwrap();
    let (mut all, audit) = (BTreeMap::new(), Value::Text("audit".into()));
    for table in snapshot.schema().clone().backed_up() {
        let mut rows = snapshot.rows(table, None, None, 1_000_000).await.unwrap();
        let is_of_restore = |value: &Value| matches!(value, Value::Text(text) if text == "restored");
        rows.retain(|row| !(row.iter().any(is_of_restore) || table.name == "sequences" && row[0] == audit));
        all.insert(table.name.clone(), rows);
    }
    all
}

/// The files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    if !folder.exists() {
        return Vec::new();
    }
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

async fn filled() -> (Desk, String) {
    let desk = Desk::new().await;
    for number in 0..6 {
        desk.article(number, 1).await;
    }
    let site = desk.store.site(SITE);
    let removed = desk.article(90, 1).await;
    assert!(site.remove_article(ArticleId(removed)).await.unwrap());
    site.save_setting("colorId", Some(&serde_json::json!(3))).await.unwrap();
    let file = desk.file(b"a picture").await;
    fs::write(desk.data().join("secrets.toml"), "key = \"hidden-word\"").unwrap();
    fs::write(desk.data().join("cookie.key"), [5; 32]).unwrap();
    let upload = desk.data().join("uploads/0123");
    fs::create_dir_all(upload.join("unpacked")).unwrap();
    fs::write(upload.join("job.json"), "{}").unwrap();
    fs::write(upload.join("unpacked/a.xml"), "<a/>").unwrap();
    (desk, file)
}

#[tokio::test]
async fn a_restored_installation_is_the_same() {
    let (desk, file) = filled().await;
    let before = rows(&desk.store).await;
    let saved = desk.save(false, false).await;
    assert_eq!(saved.problems, Vec::<String>::new());
    // What happens after the backup is not in it.
    desk.article(3, 2).await;
    desk.article(100, 1).await;
    let restored = desk.restore("there", None, false).await.unwrap();
    assert_eq!(restored.manifest, saved.manifest);
    assert_eq!(restored.absent_secrets, SECRETS);
    assert_eq!(desk.restored_rows("there").await, before);
    let there = open_store(&desk.path("there/data"), None).await.unwrap();
    let lines = there.audit(&AuditQuery { limit: 10, ..AuditQuery::default() }).await.unwrap();
    there.close().await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    let (line, backup) = (&lines[0], &lines[0].entry.after["backup"]);
    assert_eq!((line.site, line.entry.who.as_str(), line.entry.action.as_str()), (SiteId(0), "ada", "restored"));
    assert!(line.at_ms > 0 && backup.as_str() == Some(saved.manifest.name.as_str()), "{line:?}");
    let (data, sites) = (desk.path("there/data"), desk.path("there/sites"));
    assert_eq!(fs::read(files::path(&data, &file)).unwrap(), b"a picture");
    let names = |folder: &Path| -> Vec<_> {
        below(folder).iter().map(|path| path.strip_prefix(folder).unwrap().display().to_string()).collect()
    };
    assert_eq!(names(&sites), ["groups/g.toml", "platform.toml"]);
    assert_eq!(fs::read(sites.join("groups/g.toml")).unwrap(), b"colorId = 2\n");
    assert_eq!(
        (mode(&sites.join("groups/g.toml")), mode(&data), mode(&data.join("masthead.db"))),
        (0o640, 0o700, 0o600)
    );
    let other: Vec<_> = names(&data).into_iter().filter(|name| !name.starts_with("masthead.db")).collect();
    assert_eq!(
        other,
        [format!("media/{}/{file}", &file[..2]), "uploads/0123/job.json".to_owned()],
        "no index, no secrets"
    );
    // Nothing that is written into the backup folder is for others, and no secret is in it.
    for path in below(&desk.backups()) {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        assert!(!String::from_utf8_lossy(&fs::read(&path).unwrap()).contains("hidden-word"), "{}", path.display());
    }
    assert_eq!(mode(&desk.backups()), 0o700);
}

#[tokio::test]
async fn secrets_are_restored_on_request() {
    let (desk, _) = filled().await;
    assert!(desk.save(true, false).await.manifest.secrets);
    let restored = desk.restore("there", None, false).await.unwrap();
    assert_eq!(restored.absent_secrets, [ADMIN_TOKENS], "there was none");
    let key = desk.path("there/data/cookie.key");
    assert_eq!((fs::read(&key).unwrap(), mode(&key)), (vec![5; 32], 0o600));
    assert!(fs::read_to_string(desk.path("there/data/secrets.toml")).unwrap().contains("hidden-word"));
    // The key that is there is not replaced unasked.
    fs::create_dir_all(desk.path("other/data")).unwrap();
    fs::write(desk.path("other/data/cookie.key"), [6; 32]).unwrap();
    let refused = desk.restore("other", None, false).await.err().unwrap().to_string();
    assert!(refused.contains("cookie.key") && refused.contains("--replace"), "{refused}");
}

#[tokio::test]
async fn the_tokens_of_administrators_are_secrets() {
    let (desk, _) = filled().await;
    for name in [ADMIN_TOKENS, EARLIER_TOKEN] {
        fs::write(desk.data().join(name), name).unwrap();
    }
    desk.save(false, false).await;
    let without = desk.restore("without", None, false).await.unwrap();
    assert_eq!(without.absent_secrets, SECRETS);
    assert!(!desk.path("without/data").join(ADMIN_TOKENS).exists());
    assert!(!desk.path("without/data").join(EARLIER_TOKEN).exists());
    desk.save(true, false).await;
    let with = desk.restore("with", None, false).await.unwrap();
    assert_eq!(with.absent_secrets, [""; 0]);
    for name in [ADMIN_TOKENS, EARLIER_TOKEN] {
        let path = desk.path("with/data").join(name);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), (name, 0o600));
    }
    // The token of an earlier version is one, too.
    fs::remove_file(desk.data().join(ADMIN_TOKENS)).unwrap();
    desk.save(true, false).await;
    assert_eq!(desk.restore("earlier", None, false).await.unwrap().absent_secrets, [""; 0]);
}

#[tokio::test]
async fn a_backup_without_changes_writes_a_manifest_only() {
    let (desk, _) = filled().await;
    let first = desk.save(false, false).await.manifest;
    assert!(first.added.chunks > 3 && first.added.files == 4, "{:?}", first.added);
    let second = desk.save(false, false).await.manifest;
    assert_eq!(second.added, Added::default());
    assert_eq!((second.name.as_str(), second.number), ("2026-03-01-2", 2));
    assert_eq!(second.tables, first.tables);
    let full = desk.save(false, true).await.manifest;
    assert_eq!((full.added, full.tables), (Added::default(), first.tables));
}

#[tokio::test]
async fn a_changed_article_costs_its_own_chunks() {
    let desk = Desk::new().await;
    for number in 0..300 {
        desk.article(number, 1).await;
    }
    let first = desk.save(false, false).await.manifest;
    let all = desk.chunks(&first, "articles");
    assert!(all.len() >= 4, "{} chunks", all.len());
    desk.article(140, 2).await;
    let second = desk.save(false, false).await.manifest;
    let kept: BTreeSet<Digest> = all.iter().map(|entry| entry.chunk).collect();
    let new = desk.chunks(&second, "articles").iter().filter(|entry| !kept.contains(&entry.chunk)).count();
    assert!((1..=2).contains(&new), "{new} of {} chunks are new", all.len());
    assert!(second.added.chunk_bytes * 2 < first.added.chunk_bytes, "{:?} {:?}", first.added, second.added);
    let other = desk.chunks(&second, "compressed_html").iter().map(|entry| entry.rows).sum::<u64>();
    assert_eq!(other, 200);
    desk.restore("there", None, false).await.unwrap();
    assert_eq!(desk.restored_rows("there").await, rows(&desk.store).await);
}

/// Whatever changes between backups, the next one has all of it.
#[tokio::test]
async fn backups_follow_every_change() {
    let desk = Desk::new().await;
    let mut draw = Draw(4);
    for number in 0..200 {
        desk.article(number, 1).await;
    }
    let mut numbers: Vec<usize> = (0..200).collect();
    let mut next = 200;
    desk.save(false, false).await;
    for round in 2..10 {
        for _ in 0..draw.below(6) {
            match draw.below(3) {
                0 => {
                    let gone = numbers.swap_remove(draw.below(numbers.len() - 1));
                    let doi = Doi::parse(&format!("10.5555/backup.{gone}")).unwrap();
                    let site = desk.store.site(SITE);
                    let id = site.article_id_by_doi(&doi).await.unwrap().unwrap();
                    assert!(site.remove_article(id).await.unwrap());
                }
                1 => {
                    numbers.push(next);
                    desk.article(next, round).await;
                    next += 1;
                }
                _ => {
                    desk.article(numbers[draw.below(numbers.len())], round).await;
                }
            }
        }
        let saved = desk.save(false, false).await.manifest;
        let into = format!("round {round}");
        desk.restore(&into, Some(&saved.name), false).await.unwrap();
        assert_eq!(desk.restored_rows(&into).await, rows(&desk.store).await, "round {round}");
    }
    assert_eq!(desk.problems(), Vec::<String>::new());
}

#[tokio::test]
async fn the_backups_of_a_restored_database_do_not_trust_those_of_its_former_life() {
    let (desk, _) = filled().await;
    desk.save(false, false).await;
    desk.restore("there", None, false).await.unwrap();
    // Both go on with the same numbers of changes at the same time, and different content.
    desk.article(2, 2).await;
    desk.save(false, false).await;
    let data = desk.path("there/data");
    let there = open_store(&data, None).await.unwrap().with_clock(|| 1_700_000_000_000);
    store_article(&there, 2, 3).await;
    assert_eq!(there.latest_change().await.unwrap(), desk.store.latest_change().await.unwrap());
    let mut folder = BackupFolder::open_to_write(&desk.backups(), &[]).unwrap();
    let source = Source { store: &there, data: &data, sites: &desk.path("there/sites") };
    let options = Options { name: "2026-03-02".into(), secrets: false, full: false };
    save(&source, &mut folder, &options).await.unwrap();
    drop(folder);
    desk.restore("again", None, false).await.unwrap();
    assert_eq!(desk.restored_rows("again").await, rows(&there).await);
    assert_ne!(rows(&there).await, rows(&desk.store).await);
    there.close().await;
}

#[tokio::test]
async fn old_backups_are_removed_with_what_they_alone_have() {
    let (desk, file) = filled().await;
    desk.save(false, false).await;
    let other = desk.file(b"another picture").await;
    desk.article(1, 2).await;
    desk.save(false, false).await;
    desk.article(1, 3).await;
    let latest = desk.save(false, false).await.manifest;
    let before = below(&desk.backups()).len();
    let folder = BackupFolder::open_to_write(&desk.backups(), &[]).unwrap();
    assert_eq!(retain(&folder, 3).unwrap(), Retained::default());
    assert_eq!(below(&desk.backups()).len(), before);
    let retained = retain(&folder, 1).unwrap();
    assert_eq!(retained.removed, ["2026-03-01", "2026-03-01-2"]);
    assert!(retained.bytes > 0 && below(&desk.backups()).len() < before - 2);
    drop(folder);
    assert_eq!(desk.problems(), Vec::<String>::new());
    let restored = desk.restore("there", None, false).await.unwrap();
    assert_eq!(restored.manifest, latest);
    assert_eq!(desk.restored_rows("there").await, rows(&desk.store).await);
    let kept = [&file, &other].map(|digest| files::path(&desk.path("there/data"), digest).exists());
    assert_eq!(kept, [true, true], "both are in the database still");
    // A damaged backup may need what seems to be of no use.
    let folder = BackupFolder::open_to_write(&desk.backups(), &[]).unwrap();
    fs::write(desk.backups().join("backups/2026-02-01.json"), "{").unwrap();
    assert!(retain(&folder, 1).is_err());
}

#[tokio::test]
async fn missing_and_damaged_files_are_reported_and_fetched_later() {
    let (desk, file) = filled().await;
    let path = files::path(&desk.data(), &file);
    fs::write(&path, "a damaged").unwrap();
    let saved = desk.save(false, false).await;
    assert!(saved.problems.len() == 1 && saved.problems[0].contains("damaged"), "{:?}", saved.problems);
    fs::remove_file(&path).unwrap();
    let saved = desk.save(false, false).await;
    assert!(saved.problems.len() == 1 && saved.problems[0].contains(&file), "{:?}", saved.problems);
    assert_eq!(saved.manifest.missing, std::slice::from_ref(&file));
    assert_eq!(desk.problems(), Vec::<String>::new(), "the backup says that it lacks the file");
    desk.restore("there", None, false).await.unwrap();
    assert!(!files::path(&desk.path("there/data"), &file).exists());
    desk.file(b"a picture").await;
    let saved = desk.save(false, false).await;
    assert_eq!((saved.problems.len(), saved.manifest.missing.len(), saved.manifest.added.files), (0, 0, 1));
}

#[tokio::test]
async fn an_installation_is_replaced_on_request_only() {
    let (desk, _) = filled().await;
    let before = rows(&desk.store).await;
    desk.save(false, false).await;
    desk.article(50, 1).await;
    desk.restore("there", None, false).await.unwrap();
    let there = desk.path("there/data");
    for folder in ["search", "last-good"] {
        fs::create_dir(there.join(folder)).unwrap();
    }
    fs::write(desk.path("there/sites/own.toml"), "id = 1").unwrap();
    fs::write(there.join("secrets.toml"), "own").unwrap();
    desk.save(false, false).await;
    let refused = desk.restore("there", None, false).await.err().unwrap().to_string();
    assert!(refused.contains("has content") && refused.contains("--replace"), "{refused}");
    let host = UnixListener::bind(there.join("admin.sock")).unwrap();
    let refused = desk.restore("there", None, true).await.err().unwrap().to_string();
    assert!(refused.contains("stop it first"), "{refused}");
    drop(host);
    let restored = desk.restore("there", Some("2026-03-01-2"), true).await.unwrap();
    assert_eq!(restored.other_sites, ["own.toml"]);
    assert_eq!(desk.restored_rows("there").await, rows(&desk.store).await);
    assert!(!there.join("search").exists(), "the index was that of another database");
    assert!(!there.join("last-good").exists(), "it was the configuration of another installation");
    assert_eq!(fs::read(there.join("secrets.toml")).unwrap(), b"own");
    // The configuration alone is in the way.
    fs::create_dir_all(desk.path("third/sites")).unwrap();
    fs::write(desk.path("third/sites/platform.toml"), "domain = \"b.example\"\n").unwrap();
    let refused = desk.restore("third", None, false).await.err().unwrap().to_string();
    assert!(refused.contains("platform.toml") && refused.contains("--keep-sites"), "{refused}");
    assert!(!desk.path("third/data").exists());
    // An earlier backup is as good as the latest.
    desk.restore("there", Some("2026-03-01"), true).await.unwrap();
    assert_eq!(desk.restored_rows("there").await, before);
}

#[tokio::test]
async fn a_data_folder_with_an_unfinished_restore_is_not_opened() {
    let (desk, file) = filled().await;
    desk.save(false, false).await;
    let there = desk.path("there/data");
    fs::create_dir_all(&there).unwrap();
    for (mark, expected) in
        [("the restore of x was not finished; run it again\n", "run it again"), ("", "masthead restore")]
    {
        fs::write(there.join("restore-unfinished"), mark).unwrap();
        let refused = open_store(&there, None).await.err().unwrap().to_string();
        assert!(refused.contains(expected), "{refused}");
        assert!(!there.join("masthead.db").exists());
    }
    // A failure leaves the mark of the interrupted restore, and a restore to its end takes it away.
    fs::create_dir(there.join("restoring")).unwrap();
    fs::write(there.join("restoring/masthead.db"), "half").unwrap();
    fs::write(there.join("masthead.db"), "half").unwrap();
    let damaged = desk.backups().join("files").join(&file[..2]).join(&file);
    let whole = fs::read(&damaged).unwrap();
    fs::write(&damaged, "A PICTURE").unwrap();
    let refused = format!("{:#}", desk.restore("there", None, true).await.err().unwrap());
    assert!(refused.contains("damaged"), "{refused}");
    assert!(there.join("restore-unfinished").exists() && !there.join("restoring").exists());
    fs::write(&damaged, whole).unwrap();
    desk.restore("there", None, true).await.unwrap();
    assert!(!there.join("restore-unfinished").exists() && !there.join("restoring").exists());
    assert_eq!(desk.restored_rows("there").await, rows(&desk.store).await);
}

#[tokio::test]
async fn folders_that_cannot_hold_backups_are_refused() {
    let (desk, _) = filled().await;
    let refused = async |to: &Path| desk.save_to(to, false, false).await.err().unwrap().to_string();
    let other = desk.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("a"), "of somebody").unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(refused(&other).await.contains("no backup folder"));
    assert_eq!((mode(&other), below(&other).len()), (0o755, 1), "it is as it was");
    assert!(refused(&desk.path("sites")).await.contains("which is to be backed up"));
    assert!(refused(&desk.data().join("media/backups")).await.contains("which is to be backed up"));
    desk.save(false, false).await;
    let held = BackupFolder::open_to_write(&desk.backups(), &[]).unwrap();
    assert!(refused(&desk.backups()).await.contains("another masthead process"));
    assert!(BackupFolder::open_to_read(&desk.backups()).is_err());
    drop(held);
    let reading = BackupFolder::open_to_read(&desk.backups()).unwrap();
    assert!(BackupFolder::open_to_read(&desk.backups()).is_ok(), "several may read");
    drop(reading);
    fs::write(desk.backups().join("masthead-backup.json"), "{\"format\":2}").unwrap();
    assert!(refused(&desk.backups()).await.contains("newer Masthead"));
    let error = BackupFolder::open_to_read(&desk.data()).err().unwrap().to_string();
    assert!(error.contains("no backup folder"), "{error}");
}
