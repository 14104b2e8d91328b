//! Cost of backups, of a restore and of the doctor, as ratios of one run; `cargo bench -p masthead-cli --bench backup`.
//!
//! `MASTHEAD_BENCH_ARTICLES` sets the number of articles, 100,000 without it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod host;

use std::{
    fs::File,
    io::Write as _,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, ExitCode, Stdio},
    time::Instant,
};

use masthead_domain::{Doi, article::Article};
use masthead_store::{NewArticle, Store};
use masthead_test_support::{Missed, Portal, Setup, command, masthead, stderr, stdout};
use serde_json::Value;

use articles::{FILE_BYTES, NUMBER, many, store_with_files};
use host::{Connection, HOST, address, median, serve};

const CONNECTIONS: usize = 3;
/// Pages that a connection asks for in one measurement.
const PAGES: usize = 300;
/// Measurements with a backup and without one, if there are articles enough.
const ROUNDS: usize = 7;
/// One article of so many has a file.
const FILES: usize = 20;
/// One article of so many is changed before an incremental backup.
const SHARE: usize = 100;
/// The most time that a backup without changes, and one after a change of a hundredth of the articles, may take of that of a full one.
const MOST_TIME_UNCHANGED: f64 = 0.2;
const MOST_TIME_CHANGED: f64 = 0.3;

/// The installation, and a folder for its backups.
struct Desk {
    sites: PathBuf,
    data: PathBuf,
    folder: PathBuf,
}

impl Desk {
    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    fn remove(&self, name: &str) {
        let path = self.folder.join(name);
        if path.exists() {
            std::fs::remove_dir_all(path).unwrap();
        }
    }

    /// Runs a command, and returns its report and its time in seconds.
    fn run(&self, data: &Path, arguments: &[&str]) -> (Value, f64) {
        let started = Instant::now();
        let output = masthead(&self.sites, data, arguments);
        let seconds = started.elapsed().as_secs_f64();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        (serde_json::from_str(&stdout(&output)).unwrap(), seconds)
    }

    fn backup(&self, to: &str) -> (Value, f64) {
        self.run(&self.data, &["backup", "--to", &self.path(to), "--json"])
    }

    fn start_backup(&self, to: &str) -> Child {
        let mut backup = command(&self.sites, &self.data, &["backup", "--to", &self.path(to)]);
        backup.stdout(Stdio::null()).env_remove("MASTHEAD_BACKUP_NICE").spawn().unwrap()
    }
}

/// Pages per second over [`CONNECTIONS`] connections. No page is asked for twice, so that all of them are built from the database.
fn throughput(address: SocketAddr, pages: &mut impl Iterator<Item = String>) -> f64 {
    let shares: Vec<Vec<String>> = (0..CONNECTIONS).map(|_| pages.by_ref().take(PAGES).collect()).collect();
    let mut connections: Vec<_> = shares.iter().map(|_| Connection::open(address)).collect();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for (connection, share) in connections.iter_mut().zip(&shares) {
            scope.spawn(move || {
                for page in share {
                    connection.request_of(HOST, page, "gzip");
                }
            });
        }
    });
    (CONNECTIONS * PAGES) as f64 / started.elapsed().as_secs_f64()
}

/// The number of rounds for which there are articles, and one more measurement before them.
fn rounds(articles: usize) -> usize {
    let measurements = articles / (CONNECTIONS * PAGES);
    let rounds = ROUNDS.min(measurements.saturating_sub(1) / 2);
    assert!(rounds > 0, "{articles} articles are too few: no page is asked for twice");
    rounds
}

/// Measurements with and without a backup alternate, so that other load on the machine affects both.
fn while_serving(desk: &Desk, missed: &mut Missed) {
    let mut child = serve(&desk.sites, &desk.data);
    let address = address(&mut child);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listed = runtime.block_on(async {
        let store = Store::open_file(&desk.data.join("masthead.db")).await.unwrap();
        let listed = store.site(NUMBER).article_listing(0, 1_000_000).await.unwrap();
        store.close().await;
        listed
    });
    let mut pages = listed.iter().map(|article| format!("/en/article/{}", article.id));
    let rounds = rounds(listed.len());
    throughput(address, &mut pages);
    let (mut ratios, mut ended) = (Vec::new(), 0);
    for _ in 0..rounds {
        let without = throughput(address, &mut pages);
        desk.remove("serving");
        let mut backup = desk.start_backup("serving");
        let with = throughput(address, &mut pages);
        ended += usize::from(backup.try_wait().unwrap().is_some());
        backup.kill().unwrap();
        backup.wait().unwrap();
        ratios.push(with / without);
    }
    let (what, ratio) = ("pages during a backup / without one", median(ratios));
    if ended == 0 {
        println!("{what}: {ratio:.2} in {rounds} rounds; {}", missed.verdict(what, ratio >= 0.9, ">= 0.9"));
    } else {
        println!(
            "{what}: THE MEASUREMENT DOES NOT COUNT: {ended} of {rounds} backups ended before it; {}",
            missed.verdict(what, false, &format!("MASTHEAD_BENCH_ARTICLES > {}", many()))
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn written(report: &Value) -> f64 {
    let added = &report["backup"]["added"];
    added["chunkBytes"].as_f64().unwrap() + added["fileBytes"].as_f64().unwrap()
}

/// Changes the titles of some articles.
fn change(desk: &Desk, numbers: impl Iterator<Item = usize>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open_file(&desk.data.join("masthead.db")).await.unwrap();
        let site = store.site(NUMBER);
        for number in numbers {
            let doi = Doi::parse(&format!("10.5555/scale.{number}")).unwrap();
            let id = site.article_id_by_doi(&doi).await.unwrap().unwrap();
            let stored = site.article(id).await.unwrap().unwrap();
            let mut meta = stored.meta.clone();
            meta.titles[0].plain.push_str(" (corrected)");
            let body = site.body(id).await.unwrap().unwrap().unseal();
            let card = site.cards_by_id(&[id]).await.unwrap().remove(0);
            let rendered = stored.rendered.unsealed().clone();
            let files = stored.files.clone();
            let new = NewArticle { article: Article { meta, body }, card, rendered, files, ..NewArticle::default() };
            site.save_article(&new).await.unwrap();
        }
        store.close().await;
    });
}

fn incremental(desk: &Desk, missed: &mut Missed) {
    desk.remove("backups");
    let (full, full_seconds) = desk.backup("backups");
    println!("full backup of {} articles: {:.0} MB in {full_seconds:.1} s", many(), written(&full) / 1e6);
    let changed = many() / SHARE;
    let (nothing, seconds) = desk.backup("backups");
    let time = seconds / full_seconds;
    println!(
        "backup without changes / full backup: bytes {:.4}, time {time:.3}; {}",
        written(&nothing) / written(&full),
        missed.verdict(
            "backup without changes",
            time <= MOST_TIME_UNCHANGED,
            &format!("time <= {MOST_TIME_UNCHANGED}")
        )
    );
    change(desk, many() - changed..many());
    let (latest, seconds) = desk.backup("backups");
    let (ratio, time) = (written(&latest) / written(&full) * SHARE as f64, seconds / full_seconds);
    let what = "backup after a change of the latest hundredth of the articles";
    println!(
        "{what} / a hundredth of a full backup: bytes {ratio:.2}, time {time:.2} of a full one; {}; {}",
        missed.verdict(what, ratio <= 4.0, "bytes <= 4"),
        missed.verdict(what, time <= MOST_TIME_CHANGED, &format!("time <= {MOST_TIME_CHANGED}"))
    );
    change(desk, (0..many() - changed).step_by(SHARE));
    let (scattered, seconds) = desk.backup("backups");
    let (ratio, time) = (written(&scattered) / written(&full) * SHARE as f64, seconds / full_seconds);
    let what = "backup after a change of every hundredth article";
    println!(
        "{what} / a hundredth of a full backup: bytes {ratio:.2}, time {time:.2} of a full one; {}; {}",
        missed.verdict(what, ratio <= 16.0, "bytes <= 16"),
        missed.verdict(what, time <= MOST_TIME_CHANGED, &format!("time <= {MOST_TIME_CHANGED}"))
    );
}

/// Copies all files below a folder and waits until they are on the disk. Returns their bytes.
fn copy(from: &Path, to: &Path) -> u64 {
    let mut bytes = 0;
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
        } else if entry.file_type().is_file() {
            let mut written = File::create(&target).unwrap();
            bytes += std::io::copy(&mut File::open(entry.path()).unwrap(), &mut written).unwrap();
            written.flush().unwrap();
        }
    }
    rustix::fs::syncfs(File::open(to).unwrap()).unwrap();
    bytes
}

/// Time of a restore relative to that of copying what it writes.
fn restore(desk: &Desk, missed: &mut Missed) {
    let (from, restored, copied) = (desk.path("backups"), desk.folder.join("restored"), desk.folder.join("copied"));
    let mut ratios = Vec::new();
    let mut rate = 0.0;
    for _ in 0..3 {
        desk.remove("restored");
        desk.remove("copied");
        let (_, seconds) = desk.run(&restored, &["restore", "--from", &from, "--keep-sites", "--json"]);
        let started = Instant::now();
        let bytes = copy(&restored, &copied);
        ratios.push(seconds / started.elapsed().as_secs_f64());
        rate = bytes as f64 / 1e6 / seconds;
    }
    let ratio = median(ratios);
    println!(
        "restore / copying the restored data folder: {ratio:.2} ({rate:.0} MB/s); {}",
        missed.verdict("restore / copying the restored data folder", ratio <= 2.0, "<= 2")
    );
}

/// Time of the checks of all sites, also relative to that of reading the database file.
fn doctor(desk: &Desk, missed: &mut Missed) {
    let started = Instant::now();
    let bytes = std::io::copy(&mut File::open(desk.data.join("masthead.db")).unwrap(), &mut std::io::sink()).unwrap();
    let reading = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let output = masthead(&desk.sites, &desk.data, &["doctor", "--json"]);
    let seconds = started.elapsed().as_secs_f64();
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(report["content"], true, "{}", report["diagnostics"][0]);
    println!(
        "doctor over {} sites, one of them with {} articles: {seconds:.1} s, {:.1} times as long as reading the database ({:.0} MB); {}",
        report["sites"],
        many(),
        seconds / reading,
        bytes as f64 / 1e6,
        missed.verdict("doctor", seconds < 60.0, "< 60 s")
    );
}

fn main() -> ExitCode {
    let portal = Portal::start("bench-backup", Setup::default(), |_| {});
    let started = Instant::now();
    store_with_files(&portal, many(), FILES);
    println!(
        "{} articles and {} files of {} KB stored, and indexed, in {:.0} s",
        many(),
        many().div_ceil(FILES),
        FILE_BYTES >> 10,
        started.elapsed().as_secs_f64()
    );
    let (sites, data) = (portal.app.sites_folder.clone(), portal.app.data_folder.clone());
    let desk = Desk { sites, data, folder: portal.folder.join("desk") };
    std::fs::create_dir_all(&desk.folder).unwrap();
    // Only one process at a time can open the index for writing.
    drop(portal);
    let mut missed = Missed::default();
    doctor(&desk, &mut missed);
    while_serving(&desk, &mut missed);
    incremental(&desk, &mut missed);
    restore(&desk, &mut missed);
    missed.exit_code()
}
