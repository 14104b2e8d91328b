//! The life of the search index: rebuilt beside live searches and killed at any moment, damaged, and of a database that was restored. 12
//! moments, or as many as `MASTHEAD_KILLS` says.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::{Duration, Instant},
};

use masthead_test_support::{HANG, between, copy, masthead, repository, run, stderr, stdout, workspace};
use serde_json::Value;

use crate::{
    backup::kills::{Moments, kill_after, kills},
    serve::{Running, seed_demo},
};

const HOST: &str = "oceanledger.localhost";
/// A search that finds articles of the demo.
const SEARCH: &str = "/rc-pub/front/search?q=seagrass";

/// An installation with the demo of one site.
struct Office {
    sites: PathBuf,
    data: PathBuf,
}

impl Office {
    fn new(name: &str) -> Self {
        let folder = workspace(&format!("search-index-{name}"));
        let (sites, data) = (folder.join("sites"), folder.join("data"));
        copy(&repository("sites"), &sites);
        seed_demo(&data);
        Self { sites, data }
    }

    fn serve(&self) -> Running {
        Running::start(&self.sites, &self.data, &["--demo", "--demo-articles", "0"])
    }

    /// The number of the live index.
    fn live(&self) -> u64 {
        fs::read_to_string(self.data.join("search/live")).unwrap().trim().parse().unwrap()
    }

    fn index(&self, number: u64) -> PathBuf {
        self.data.join("search").join(number.to_string())
    }

    fn news(&self, key: &str, title: &str) {
        let title = format!("title.en={title}");
        run(
            &self.sites,
            &self.data,
            &["resource", "set", "news", key, &title, "--new", "--site", "oceanledger", "--by", "ada"],
        );
    }
}

/// The number of hits of a search, which must not fail.
fn hits(host: &Running, path: &str) -> u64 {
    let answer = host.get(HOST, path);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    between(&answer, "\"totalElements\":", ",").parse().unwrap()
}

fn news_hits(host: &Running, word: &str) -> u64 {
    hits(host, &format!("/rc-pub/front/search?type=news&q={word}"))
}

fn ready(host: &Running) -> Value {
    let answer = host.operator("/readyz");
    serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
}

fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < HANG, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_index_is_built_beside_live_searches_and_follows_afterwards() {
    let office = Office::new("live");
    let host = office.serve();
    let before = hits(&host, SEARCH);
    assert!(before > 0);
    let (done, asked) = (AtomicBool::new(false), AtomicU32::new(0));
    let built: Value = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                assert_eq!(hits(&host, SEARCH), before, "searches find the same all the time");
                asked.fetch_add(1, Ordering::Relaxed);
            }
        });
        let output = masthead(&office.sites, &office.data, &["search", "reindex", "--json"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stderr(&output).contains("changes ("), "progress is said: {}", stderr(&output));
        wait("the host's use of the new index", || !office.index(1).exists());
        done.store(true, Ordering::Relaxed);
        serde_json::from_str(&stdout(&output)).unwrap()
    });
    assert!(asked.load(Ordering::Relaxed) > 0);
    assert_eq!((office.live(), &built["index"]), (2, &Value::from(2)));
    assert_eq!(hits(&host, SEARCH), before);
    office.news("quay", "Quayside");
    wait("the new index's following", || news_hits(&host, "quayside") == 1);
    let ready = ready(&host);
    assert_eq!((&ready["indexState"], &ready["indexBehind"]), (&Value::from("following"), &Value::from(0)), "{ready}");
    assert!(ready["indexDamage"].is_null(), "{ready}");
}

#[test]
fn a_change_is_found_within_a_second() {
    let office = Office::new("second");
    let host = office.serve();
    let times = (0..5).map(|number| {
        let word = format!("quay{}", char::from(b'a' + number));
        office.news(&word, &word);
        let committed = Instant::now();
        wait("the search for a change", || news_hits(&host, &word) == 1);
        committed.elapsed()
    });
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    // The median: a busy machine may be slow once.
    assert!(times[times.len() / 2] < Duration::from_secs(1), "{times:?}");
}

#[test]
fn a_killed_rebuild_leaves_the_former_index_or_the_new_one() {
    let office = Office::new("kills");
    let host = office.serve();
    let before = hits(&host, SEARCH);
    let started = Instant::now();
    run(&office.sites, &office.data, &["search", "reindex"]);
    let mut moments = Moments { state: 17, within: started.elapsed() };
    let mut interrupted = 0;
    for kill in 0..kills() {
        let live = office.live();
        let done = kill_after(moments.next(), &office.sites, &office.data, &["search", "reindex"]);
        interrupted += u32::from(!done);
        let found = office.live();
        assert!(found > live || found == live && !done, "kill {kill}: {live}, then {found}");
        assert_eq!(hits(&host, SEARCH), before, "kill {kill}");
    }
    assert!(interrupted > 0, "no rebuild was interrupted");
    run(&office.sites, &office.data, &["search", "reindex"]);
    let live = office.live();
    wait("the host's use of the last index", || !(1..live).any(|number| office.index(number).exists()));
    assert_eq!(hits(&host, SEARCH), before);
    drop(host);
    let host = office.serve();
    assert_eq!((hits(&host, SEARCH), office.live()), (before, live), "after a restart");
}

/// Searches until one finds as much as before. Meanwhile none says that there are no hits.
fn finds_again(host: &Running, before: u64) {
    wait("the index's rebuild", || {
        let answer = host.get(HOST, SEARCH);
        let found = answer.starts_with("HTTP/1.1 200");
        assert!(found || answer.starts_with("HTTP/1.1 503"), "{answer}");
        assert!(!answer.contains("\"totalElements\":0,"), "no search claims that there are no hits: {answer}");
        found && hits(host, SEARCH) == before
    });
}

#[test]
fn a_damaged_index_is_set_aside_and_built_again_while_pages_are_served() {
    let office = Office::new("damage");
    let host = office.serve();
    let before = hits(&host, SEARCH);
    drop(host);
    let meta = office.index(1).join("meta.json");
    let text = fs::read(&meta).unwrap();
    fs::write(&meta, &text[..text.len() / 2]).unwrap();
    let host = office.serve();
    assert!(host.get(HOST, "/en/home").starts_with("HTTP/1.1 200"), "pages are served");
    finds_again(&host, before);
    assert!(office.data.join("search/damaged-1").exists() && office.live() > 1);
    let ready = ready(&host);
    assert!(!ready["indexDamage"].as_str().unwrap().is_empty(), "{ready}");
    drop(host);
    assert!(self::ready(&office.serve())["indexDamage"].is_null(), "the new index is not damaged");
}

/// The largest file of an index that its searches read: a host that is killed leaves the files of a merge that was not complete.
fn largest(folder: &Path) -> PathBuf {
    let meta: Value = serde_json::from_slice(&fs::read(folder.join("meta.json")).unwrap()).unwrap();
    let segments = meta["segments"].as_array().unwrap();
    let used: Vec<String> =
        segments.iter().map(|segment| segment["segment_id"].as_str().unwrap().replace('-', "")).collect();
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| used.iter().any(|id| path.file_name().unwrap().to_str().unwrap().starts_with(id)));
    files.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap()
}

#[test]
fn a_file_with_other_bytes_is_noticed_and_the_index_built_again() {
    let office = Office::new("bytes");
    let host = office.serve();
    let before = hits(&host, SEARCH);
    drop(host);
    let file = largest(&office.index(1));
    let mut bytes = fs::read(&file).unwrap();
    let (middle, length) = (bytes.len() / 2, 64.min(bytes.len() / 4));
    bytes[middle..middle + length].fill(0xa5);
    fs::write(&file, bytes).unwrap();
    let host = office.serve();
    wait("the new index", || office.live() > 1 && !office.index(1).exists());
    finds_again(&host, before);
    assert!(!ready(&host)["indexDamage"].as_str().unwrap().is_empty());
}

#[test]
fn an_index_follows_a_database_that_was_put_back() {
    let office = Office::new("restored");
    let mut host = office.serve();
    office.news("kept", "Quaykept");
    wait("the first change", || news_hits(&host, "quaykept") == 1);
    assert!(host.terminate().success());
    let (database, copied) = (office.data.join("masthead.db"), office.data.join("copied.db"));
    fs::copy(&database, &copied).unwrap();
    let mut host = office.serve();
    office.news("lost", "Quaylost");
    wait("the lost change", || news_hits(&host, "quaylost") == 1);
    assert!(host.terminate().success());
    // As a copy of the disk that an operator puts back, without the commands for backups.
    for more in ["-wal", "-shm"] {
        let _ = fs::remove_file(office.data.join(format!("masthead.db{more}")));
    }
    fs::copy(&copied, &database).unwrap();
    office.news("new", "Quaynew");
    let host = office.serve();
    wait("the new change", || news_hits(&host, "quaynew") == 1);
    assert_eq!((news_hits(&host, "quaylost"), news_hits(&host, "quaykept")), (0, 1));
    assert_eq!(office.live(), 1, "the index was taken back, and not built again");
}

#[test]
fn an_index_is_built_by_one_command_at_a_time() {
    let office = Office::new("twice");
    drop(office.serve());
    let outputs: Vec<_> = std::thread::scope(|scope| {
        let start = || scope.spawn(|| masthead(&office.sites, &office.data, &["search", "reindex"]));
        let both = [start(), start()];
        both.map(|one| one.join().unwrap()).into()
    });
    assert!(outputs.iter().any(|output| output.status.success()));
    for output in outputs.iter().filter(|output| !output.status.success()) {
        assert!(stderr(output).contains("another masthead process"), "{}", stderr(output));
    }
    let host = office.serve();
    assert!(hits(&host, SEARCH) > 0);
}
