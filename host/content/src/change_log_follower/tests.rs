//! Readers of the log beside a database that is restored, with an index in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use masthead_domain::{
    Lang, LocalText, SiteId,
    resource::{News, ResourceKind},
};
use masthead_search::{
    Answer, Clusters, Expansion, ExternalOrder, Facet, Hit, Hits, Index, IndexedWord, Like, PageOfHits, Position,
    Search, Sites, Subject, Suggest, Suggestion, Update,
};
use masthead_store::{LogPosition, Store};

use super::{pages::PageReader, *};

const SITE: SiteId = SiteId(7);

/// An index in memory that is not searched.
#[derive(Default)]
struct Memory(Mutex<Contents>);

#[derive(Default)]
struct Contents {
    /// The titles of each subject.
    entries: BTreeMap<String, Vec<String>>,
    /// Positions with what was written to come there, oldest first.
    written: Vec<(Position, Vec<(SiteId, Subject)>)>,
    /// How many updates are left before the next one fails.
    until_failure: Option<u32>,
}

impl Memory {
    fn titles(&self) -> Vec<String> {
        self.0.lock().unwrap().entries.values().flatten().cloned().collect()
    }
}

fn answer<'a, T: Send + 'a>(value: T) -> Answer<'a, T> {
    Box::pin(std::future::ready(Ok(value)))
}

impl Index for Memory {
    fn position(&self) -> Answer<'_, Position> {
        answer(self.0.lock().unwrap().written.last().map(|(position, _)| *position).unwrap_or_default())
    }

    fn positions(&self) -> Answer<'_, Vec<Position>> {
        answer(self.0.lock().unwrap().written.iter().rev().map(|(position, _)| *position).collect())
    }

    fn written_after(&self, position: Position) -> Answer<'_, Vec<(SiteId, Subject)>> {
        let contents = self.0.lock().unwrap();
        let from = contents.written.iter().position(|(one, _)| *one == position).map_or(0, |at| at + 1);
        answer(contents.written[from..].iter().flat_map(|(_, subjects)| subjects.clone()).collect())
    }

    fn apply(&self, batch: Vec<Update>, position: Position) -> Answer<'_, ()> {
        let mut contents = self.0.lock().unwrap();
        if let Some(left) = &mut contents.until_failure {
            if *left == 0 {
                contents.until_failure = None;
                let source = std::io::Error::other("the disk is away").into();
                let error = masthead_search::SearchError::Use { doing: "writing", source };
                return Box::pin(std::future::ready(Err(error)));
            }
            *left -= 1;
        }
        let subjects = batch.iter().map(|update| (update.site, update.subject.clone())).collect();
        for Update { site, subject, entries } in batch {
            let titles = entries.iter().map(|entry| entry.title.parts().map(|(_, title)| title).collect()).collect();
            contents.entries.insert(format!("{site} {subject:?}"), titles);
        }
        match contents.written.iter().position(|(one, _)| *one == position) {
            Some(at) if at + 1 == contents.written.len() => contents.written[at].1.extend::<Vec<_>>(subjects),
            Some(at) => contents.written.truncate(at + 1),
            None if position == Position::default() => contents.written.clear(),
            None => contents.written.push((position, subjects)),
        }
        answer(())
    }

    fn search(&self, _: Sites, _: Search, _: PageOfHits) -> Answer<'_, Hits> {
        answer(Hits::default())
    }

    fn search_ordered(&self, _: Sites, _: Search, _: ExternalOrder, _: PageOfHits) -> Answer<'_, Hits> {
        answer(Hits::default())
    }

    fn clusters(&self, _: Sites, _: Search, _: Vec<Facet>) -> Answer<'_, Clusters> {
        answer(Clusters::default())
    }

    fn suggest(&self, _: Suggest) -> Answer<'_, Vec<Suggestion>> {
        answer(Vec::new())
    }

    fn words(&self, _: Sites, _: Vec<(String, Expansion)>, _: usize) -> Answer<'_, Vec<Vec<IndexedWord>>> {
        answer(Vec::new())
    }

    fn like(&self, _: Like) -> Answer<'_, Vec<Hit>> {
        answer(Vec::new())
    }
}

/// Counts what it is told.
#[derive(Default)]
struct Counting {
    changes: Mutex<Vec<(SiteId, i64)>>,
    settings: AtomicU32,
    replaced: AtomicU32,
}

impl ChangeObserver for Counting {
    fn content_changed(&self, site: SiteId, sequence: i64) {
        self.changes.lock().unwrap().push((site, sequence));
    }

    async fn settings_changed(&self) {
        self.settings.fetch_add(1, Ordering::Relaxed);
    }

    async fn log_replaced(&self) -> anyhow::Result<()> {
        self.replaced.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// A database file that can be copied and put back.
struct Desk {
    folder: tempfile::TempDir,
    store: Store,
    index: Arc<Memory>,
    progress: Arc<Progress>,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
        let progress = Arc::new(Progress::from(LogPosition::default()));
        Self { folder, store, index: Arc::default(), progress }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("masthead.db")
    }

    fn follower(&self) -> IndexFollower {
        IndexFollower::new(self.store.clone(), Arc::clone(&self.index) as Arc<dyn Index>, Arc::clone(&self.progress))
    }

    /// The progress of a process that opens the database and the index as they are.
    async fn opened(&self) -> Progress {
        Progress::opened(self.store.log_end().await.unwrap(), self.index.position().await.unwrap())
    }

    async fn news(&self, key: &str, title: &str) -> i64 {
        let news = News { key: key.into(), title: LocalText::of(Lang::En, title), ..News::default() };
        self.store.site(SITE).save_resource(&news).await.unwrap().id()
    }

    /// Copies the database as it is on the disk.
    async fn copy(&self, to: &Path) {
        self.store.close().await;
        std::fs::copy(self.file(), to).unwrap();
    }

    /// Puts a copy in the place of the database.
    async fn put_back(&mut self, from: &Path) {
        self.store.close().await;
        for more in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{more}", self.file().display()));
        }
        std::fs::copy(from, self.file()).unwrap();
        self.store = Store::open_file(&self.file()).await.unwrap();
    }

    async fn reopen(&mut self) {
        self.store = Store::open_file(&self.file()).await.unwrap();
    }

    fn titles(&self) -> Vec<String> {
        let mut titles = self.index.titles();
        titles.sort();
        titles
    }
}

#[tokio::test]
async fn an_index_follows_the_log_and_goes_on_behind_the_last_change_that_it_has() {
    let desk = Desk::new().await;
    assert_eq!(desk.progress.index_state(), IndexState::Following);
    desk.news("a", "Ebb").await;
    desk.news("b", "Flood").await;
    desk.follower().catch_up().await.unwrap();
    assert_eq!(desk.titles(), ["Ebb", "Flood"]);
    let end = desk.store.log_end().await.unwrap();
    let at = desk.index.position().await.unwrap();
    assert_eq!((at.change, at.mark), (end.seq, end.mark));
    assert!(at.mark != 0, "the change has a mark");

    let id = desk.news("a", "Slack").await;
    desk.store.site(SITE).remove_resource(ResourceKind::News, id).await.unwrap();
    desk.index.0.lock().unwrap().until_failure = Some(0);
    assert!(desk.follower().catch_up().await.is_err());
    assert_eq!(desk.titles(), ["Ebb", "Flood"], "a step that fails changes nothing");
    desk.follower().catch_up().await.unwrap();
    assert_eq!(desk.titles(), ["Flood"]);
    assert_eq!(desk.progress.index_state(), IndexState::Following);
}

#[tokio::test]
async fn an_index_that_is_filled_is_incomplete_until_it_has_caught_up() {
    let mut desk = Desk::new().await;
    for key in ["a", "b", "c"] {
        desk.news(key, "Ebb").await;
    }
    assert!(!desk.progress.index_is_incomplete());
    assert!(desk.follower().step(2).await.unwrap());
    assert!(desk.progress.index_is_incomplete());
    desk.progress.index_is(IndexState::Failing);
    assert!(desk.progress.index_is_incomplete(), "also after a failure");

    // The process is killed here. Another one opens the index, which is not empty any more.
    desk.progress = Arc::new(desk.opened().await);
    assert_eq!((desk.progress.index_state(), desk.progress.index_is_incomplete()), (IndexState::Following, true));
    desk.index.0.lock().unwrap().until_failure = Some(0);
    assert!(desk.follower().step(2).await.is_err());
    assert!(desk.progress.index_is_incomplete());
    desk.follower().catch_up().await.unwrap();
    assert!(!desk.progress.index_is_incomplete());
    assert!(!desk.opened().await.index_is_incomplete(), "after a restart");
    desk.news("d", "Flood").await;
    assert!(desk.opened().await.index_is_incomplete(), "a change came while no process followed");

    desk.index = Arc::default();
    let empty = desk.opened().await;
    assert_eq!((empty.index_state(), empty.index_is_incomplete()), (IndexState::Rebuilding, true));
}

#[tokio::test]
async fn an_index_is_taken_back_to_the_last_change_that_a_restored_database_has() {
    let mut desk = Desk::new().await;
    let copy = desk.folder.path().join("copy.db");
    let kept = desk.news("a", "Ebb").await;
    let removed = desk.news("b", "Flood").await;
    desk.follower().catch_up().await.unwrap();
    desk.copy(&copy).await;
    desk.reopen().await;
    // These changes are lost: one is replaced, one is new, one is removed.
    desk.news("a", "Slack").await;
    desk.news("c", "Neap").await;
    desk.store.site(SITE).remove_resource(ResourceKind::News, removed).await.unwrap();
    desk.follower().catch_up().await.unwrap();
    assert_eq!(desk.titles(), ["Neap", "Slack"]);
    let lost = desk.index.position().await.unwrap();

    desk.put_back(&copy).await;
    // As many changes as were lost: the numbers of the log say nothing.
    for title in ["Spring", "Seiche", "Surge"] {
        desk.news("d", title).await;
    }
    assert_eq!(desk.store.log_end().await.unwrap().seq, lost.change);
    desk.follower().catch_up().await.unwrap();
    assert_eq!(desk.titles(), ["Ebb", "Flood", "Surge"], "number {kept} is what the database has");
    let end = desk.store.log_end().await.unwrap();
    assert_eq!(desk.index.position().await.unwrap(), Position { change: end.seq, mark: end.mark });
    assert!(!desk.index.positions().await.unwrap().contains(&lost));
}

#[tokio::test]
async fn an_index_that_is_taken_back_in_parts_begins_again_after_a_failure() {
    let mut desk = Desk::new().await;
    let copy = desk.folder.path().join("copy.db");
    desk.news("kept", "Ebb").await;
    desk.follower().catch_up().await.unwrap();
    desk.copy(&copy).await;
    desk.reopen().await;
    for number in 0..1_100 {
        desk.news(&format!("n{number}"), "Lost").await;
    }
    desk.follower().catch_up().await.unwrap();
    desk.put_back(&copy).await;
    // The second part of three fails.
    desk.index.0.lock().unwrap().until_failure = Some(1);
    assert!(desk.follower().catch_up().await.is_err());
    desk.follower().catch_up().await.unwrap();
    assert_eq!(desk.titles(), ["Ebb"]);
}

#[tokio::test]
async fn an_index_of_another_database_is_made_that_of_this_one() {
    let mut desk = Desk::new().await;
    desk.news("a", "Ebb").await;
    desk.news("z", "Foreign").await;
    desk.follower().catch_up().await.unwrap();
    desk.store.close().await;
    let other = desk.folder.path().join("other.db");
    desk.store = Store::open_file(&other).await.unwrap();
    desk.news("a", "Home").await;
    desk.follower().catch_up().await.unwrap();
    assert_eq!(desk.titles(), ["Home"]);
}

#[tokio::test]
async fn pages_are_told_of_changes_once_and_of_a_restored_database() {
    let mut desk = Desk::new().await;
    let copy = desk.folder.path().join("copy.db");
    let observer = Arc::new(Counting::default());
    let told = || std::mem::take(&mut *observer.changes.lock().unwrap());
    desk.news("a", "Ebb").await;
    desk.copy(&copy).await;
    desk.reopen().await;
    let reader = |desk: &Desk| PageReader::new(desk.store.clone(), Arc::clone(&observer), Arc::clone(&desk.progress));
    assert!(!reader(&desk).step().await.unwrap());
    assert_eq!(told(), [(SITE, 1)]);
    assert!(!reader(&desk).step().await.unwrap() && told().is_empty(), "another reader goes on behind the first");
    desk.store.site(SITE).save_setting("a.b", Some(&serde_json::json!(1))).await.unwrap();
    reader(&desk).step().await.unwrap();
    assert_eq!((told(), observer.settings.load(Ordering::Relaxed)), (vec![(SITE, 2)], 1));

    desk.put_back(&copy).await;
    desk.news("a", "Flood").await;
    assert!(reader(&desk).step().await.unwrap());
    assert_eq!(observer.replaced.load(Ordering::Relaxed), 1);
    assert!(!reader(&desk).step().await.unwrap() && told().is_empty(), "everything was read again");
    desk.news("a", "Slack").await;
    reader(&desk).step().await.unwrap();
    assert_eq!((told(), observer.replaced.load(Ordering::Relaxed)), (vec![(SITE, 3)], 1));
}
