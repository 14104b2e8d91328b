//! The life of the search index: rebuilt beside live searches and killed at any moment, of a host that is killed while records change,
//! damaged, and of a database that was restored. 12 moments, of a host 3, or as many as `MASTHEAD_KILLS` says.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use masthead_content::records::{ListQuery, RecordType, Records};
use masthead_domain::resource::ResourceKind;
use masthead_store::Store;
use masthead_test_support::{
    HANG, between, copy, masthead, repository, run, share_compiled, stderr, stdout, workspace,
};
use serde_json::{Value, json};

use crate::{
    backup::kills::{Moments, asked, kill_after, kills},
    editing::Desk,
    readers::{HostAnswer, SITE, exchange},
    serve::{Running, seed_demo},
    stored::with_store,
};

const HOST: &str = "oceanledger.localhost";
/// The site of a [`Desk`].
const SMALL: &str = "one.localhost";
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
    hits_on(host, HOST, path)
}

fn hits_on(host: &Running, site: &str, path: &str) -> u64 {
    let answer = host.get(site, path);
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
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_index_is_built_beside_live_searches_and_follows_afterwards() {
    let office = Office::new("live");
    let host = office.serve();
    let before = hits(&host, SEARCH);
    assert!(before > 0);
    let (done, asked) = (AtomicBool::new(false), AtomicU32::new(0));
    let built: Value = thread::scope(|scope| {
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

/// Of the second, the host itself waits for the interval between two reads of the log; the rest is for writing to the index, which takes as long
/// as the machine needs. Building the whole index is the measure of that: it does the same for all records, and more.
#[test]
fn a_change_is_found_within_a_second() {
    let office = Office::new("second");
    let host = office.serve();
    let began = Instant::now();
    run(&office.sites, &office.data, &["search", "reindex"]);
    let most = Duration::from_secs(1) + began.elapsed();
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
    assert!(times[times.len() / 2] < most, "{times:?}, and at most {most:?} on this machine");
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

/// A word of the text of every record that an [`Editor`] writes.
const COMMON: &str = "harbour";
/// A word that no record has.
const NOWHERE: &str = "quayzzzzz";
/// Articles of an import.
const IMPORTED: u32 = 4;

/// How often a host is killed while records change. Each start of a host takes its time: in a usual run, a few times only.
fn kills_of_a_host() -> u32 {
    asked().unwrap_or(3)
}

/// A word that no other number has. It has no vowels after "quay": no language takes two of them for forms of one word.
fn word(number: u32) -> String {
    let digits = format!("{number:05}");
    let letters = digits.bytes().map(|digit| char::from(b"bcdfghkmpv"[usize::from(digit - b'0')]));
    "quay".chars().chain(letters).collect()
}

/// The search for a word in everything that a site has.
fn search(word: &str) -> String {
    format!("/rc-pub/front/search?type=all&q={word}")
}

/// The type of a record, and its name.
type Record = (&'static str, String);
/// The titles of all articles and news. Each is a word that no other record has or had.
type Titles = BTreeMap<Record, String>;

async fn titles(store: &Store, data: &Path) -> Titles {
    let records = Records::new(store, SITE, data);
    let query = ListQuery { limit: 10_000, ..ListQuery::default() };
    let mut titles = Titles::new();
    for of in [RecordType::Article, RecordType::Resource(ResourceKind::News)] {
        let listed = records.list(of, &query).await.unwrap().records;
        titles.extend(listed.into_iter().map(|one| ((of.as_str(), one.name), one.title)));
    }
    titles
}

/// A new title of a record, or its removal.
#[derive(Debug)]
struct Change {
    record: Record,
    is_new: bool,
    title: Option<String>,
}

impl Change {
    fn of(record: &Record, title: Option<String>) -> Self {
        Self { record: record.clone(), is_new: false, title }
    }

    /// Makes the change by a call of administrators; fails if the host is killed before it has answered.
    fn send(&self, host: &str, token: &str) -> io::Result<HostAnswer> {
        let (of, name) = &self.record;
        let key = if *of == "article" { "titles.en" } else { "title.en" };
        let (method, body) = match &self.title {
            None => ("DELETE", String::new()),
            Some(title) if self.is_new => {
                let content = format!("<p>{COMMON}</p>");
                ("PATCH", json!({ "set": { key: title, "content.en": content } }).to_string())
            }
            Some(title) => ("PATCH", json!({ "set": { key: title } }).to_string()),
        };
        let condition = if self.is_new { "if-none-match" } else { "if-match" };
        let head = format!(
            "{method} /rc-pub/admin/record?siteId={SITE}&type={of}&name={name} HTTP/1.1\r\nhost: {SMALL}\r\nlanguage: en\r\n\
             token: {token}\r\n{condition}: *\r\ncontent-type: application/json\r\n"
        );
        exchange(host, &head, body.as_bytes())
    }

    fn apply(&self, titles: &mut Titles) {
        match &self.title {
            Some(title) => titles.insert(self.record.clone(), title.clone()),
            None => titles.remove(&self.record),
        };
    }
}

/// Somebody who changes the records of a [`Desk`].
struct Editor {
    token: String,
    /// What is acknowledged.
    titles: Titles,
    /// All words that may be titles since the last comparison of the index with the database.
    words: BTreeSet<String>,
    /// The number of the latest word, and of the latest article that was imported.
    number: u32,
}

impl Editor {
    /// Writes sources of articles in the place of those that were imported before; returns their titles.
    fn write_sources(&mut self, desk: &Desk) -> BTreeSet<String> {
        let folder = desk.folder.join("in");
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        let numbers = self.number + 1..=self.number + IMPORTED;
        self.number += IMPORTED;
        let titles: BTreeSet<String> = numbers
            .map(|number| {
                desk.source(number, &word(number), COMMON);
                word(number)
            })
            .collect();
        self.words.extend(titles.iter().cloned());
        titles
    }

    /// The next change: news is added, gets another title and is removed, as are articles.
    fn next_change(&mut self) -> Change {
        self.number += 1;
        let title = word(self.number);
        let all = |kind: &str| self.titles.keys().filter(|(of, _)| *of == kind).cloned().collect::<Vec<_>>();
        let (news, articles) = (all("news"), all("article"));
        match (self.number % 5, &news[..], &articles[..]) {
            (1, [.., latest], _) => Change::of(latest, Some(title)),
            (2, _, [first, ..]) => Change::of(first, Some(title)),
            (3, _, [_, .., last]) => Change::of(last, None),
            (3, [first, ..], _) | (4, [first, _, _, _, ..], _) => Change::of(first, None),
            _ => Change { record: ("news", title.clone()), is_new: true, title: Some(title) },
        }
    }

    /// Changes records until the host does not answer. Returns how many changes it has acknowledged, and the next one.
    fn work(&mut self, host: &str) -> (u32, Change) {
        let mut acknowledged = 0;
        loop {
            let change = self.next_change();
            self.words.extend(change.title.clone());
            let Ok(answer) = change.send(host, &self.token) else { return (acknowledged, change) };
            assert_eq!(answer.status, 200, "{change:?}: {}", String::from_utf8_lossy(&answer.body));
            change.apply(&mut self.titles);
            acknowledged += 1;
        }
    }

    /// Fails unless the database has what was acknowledged and imported, with or without the change that was not acknowledged.
    fn assert_kept(&mut self, data: &Path, imported: &BTreeSet<String>, last: &Change, kill: u32) {
        let found = with_store(data, async |store| titles(store, data).await);
        let (new, others): (Titles, Titles) =
            found.clone().into_iter().partition(|(_, title)| imported.contains(title));
        let mut with_last = self.titles.clone();
        last.apply(&mut with_last);
        assert!(
            others == self.titles || others == with_last,
            "kill {kill}: {others:#?} is neither {:#?} nor that after {last:?}",
            self.titles
        );
        assert_eq!(new.len(), imported.len(), "kill {kill}: {new:?}");
        self.titles = found;
    }

    /// Waits until the index claims to be complete, and fails unless it finds then what the database has, and nothing else.
    fn assert_found(&mut self, host: &Running, kill: u32) {
        // Until then, a search that finds nothing is an error.
        wait("the index's catching up", || host.get(SMALL, &search(NOWHERE)).starts_with("HTTP/1.1 200"));
        for word in &self.words {
            let expected = u64::from(self.titles.values().any(|title| title == word));
            assert_eq!(hits_on(host, SMALL, &search(word)), expected, "after {kill} kills: {word}");
        }
        let all = u64::try_from(self.titles.len()).unwrap();
        assert_eq!(hits_on(host, SMALL, &search(COMMON)), all, "after {kill} kills: {:#?}", self.titles);
        let ready = ready(host);
        assert!(ready["indexDamage"].is_null(), "after {kill} kills: {ready}");
        self.words = self.titles.values().cloned().collect();
    }
}

/// The number of the last change that is in the index of a host that has ended.
fn indexed(data: &Path) -> i64 {
    let live = fs::read_to_string(data.join("search/live")).unwrap();
    let meta = fs::read(data.join("search").join(live.trim()).join("meta.json")).unwrap();
    let meta: Value = serde_json::from_slice(&meta).unwrap();
    meta["payload"].as_str().unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_killed_host_finds_every_acknowledged_change_and_nothing_that_was_removed() {
    let desk = Desk::new("search-kills");
    let data = desk.data();
    share_compiled(&data);
    let token = run(&desk.sites, &data, &["token", "create", "desk", "--role", "editor", "--site", "one"]);
    let token = token.trim().to_owned();
    let mut editor = Editor { token, titles: Titles::new(), words: BTreeSet::new(), number: 0 };
    editor.write_sources(&desk);
    let started = Instant::now();
    desk.import();
    // During an import, and as long after it: the index is written meanwhile.
    let mut moments = Moments { state: 31, within: 2 * started.elapsed() };
    editor.titles = with_store(&data, async |store| titles(store, &data).await);
    let (mut acknowledged, mut behind) = (0, 0);
    for kill in 0..kills_of_a_host() {
        let host = Running::start(&desk.sites, &data, &[]);
        editor.assert_found(&host, kill);
        let imported = editor.write_sources(&desk);
        let address = host.address().to_owned();
        let (done, last) = thread::scope(|scope| {
            let importing = scope.spawn(|| desk.import());
            let working = scope.spawn(|| editor.work(&address));
            thread::sleep(moments.next());
            drop(host);
            let end = with_store(&data, async |store| store.log_end().await.unwrap().seq);
            behind += u32::from(indexed(&data) < end);
            assert_eq!(importing.join().unwrap()["created"], IMPORTED, "kill {kill}");
            working.join().unwrap()
        });
        acknowledged += done;
        editor.assert_kept(&data, &imported, &last, kill);
    }
    let host = Running::start(&desk.sites, &data, &[]);
    editor.assert_found(&host, kills_of_a_host());
    println!("{acknowledged} changes were acknowledged; at {behind} kills the index did not have all changes");
    assert!(acknowledged > 0, "nothing was acknowledged");
    // Of a few kills, none need come before all was indexed.
    assert!(behind > 0 || kills_of_a_host() < 12, "the index had all changes at every kill");
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
    let outputs: Vec<_> = thread::scope(|scope| {
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
