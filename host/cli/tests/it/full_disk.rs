//! Commands and a host on a full disk: one sentence, nothing half there, and everything goes on when there is room.
//!
//! Most tests limit the size of files, which every user can do. One mounts a small file system, where the user of the tests may.

use std::{
    fs::{self, File},
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use masthead_domain::SiteId;
use masthead_test_support::{binary, copy, masthead, run, share_compiled, sites, stderr, stdout, until, workspace};
use serde_json::{Value, json};

use crate::{editing::Desk, importing::packages::tar_gz, serve::Running, stored::with_store};

const SITE: SiteId = SiteId(7001);
/// 8 MB in the blocks of `ulimit`.
pub const EIGHT_MB: u32 = 16384;

/// Runs a command where no file may become larger than so many blocks of 512 bytes: writing beyond it fails, as on a full disk.
pub fn on_a_small_disk(blocks: u32, sites: &Path, data: &Path, arguments: &[&str]) -> Output {
    // Without the trap, the signal for a file that is too large would end the process.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(binary()).args(arguments);
    command.env("MASTHEAD_SITES", sites).env("MASTHEAD_DATA", data).env_remove("MASTHEAD_DATABASE");
    command.output().unwrap()
}

/// The one sentence of a command that failed because nothing more could be stored.
fn sentence(output: &Output) -> String {
    let said = stderr(output);
    assert!(!output.status.success(), "{}", stdout(output));
    assert_eq!(said.trim().lines().count(), 1, "one sentence: {said}");
    for words in ["because nothing more can be stored", "make room", "run the command again"] {
        assert_eq!(said.matches(words).count(), 1, "{words}: {said}");
    }
    said
}

/// Bytes that look like chance, and are always the same.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 5_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// A cover of nine megabytes, as the field of an issue.
fn large_cover(desk: &Desk) -> String {
    let file = desk.folder.join("large.png");
    fs::write(&file, noise(9 << 20)).unwrap();
    format!("cover=@{}", file.display())
}

const SET: [&str; 5] = ["issue", "set", "small/2026/1", "--site", "one"];

fn issue(sites: &Path, data: &Path) -> Value {
    let shown = run(sites, data, &["issue", "show", "small/2026/1", "--site", "one", "--json"]);
    serde_json::from_str(&shown).unwrap()
}

/// The files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_record_that_cannot_be_stored_stays_as_it_was() {
    let desk = Desk::new("full-record");
    let (sites, data, cover) = (&desk.sites, desk.data(), large_cover(&desk));
    let (former, audit) = (issue(sites, &data), desk.json(&["audit", "list"]));
    let both = [&SET[..], &["title.en=Tides", cover.as_str()]].concat();
    let said = sentence(&on_a_small_disk(EIGHT_MB, sites, &data, &both));
    assert!(said.contains("nothing was changed") && said.contains("large.png"), "{said}");
    // The database itself cannot be written: this is said at once, and not after many attempts.
    let said = on_a_small_disk(0, sites, &data, &[&SET[..], &["title.en=Tides"]].concat());
    assert!(!said.status.success());
    let said = stderr(&said);
    assert!(said.trim().lines().count() == 1 && said.contains("opening the database"), "{said}");
    assert!(!said.contains("timed out"), "{said}");
    assert_eq!((issue(sites, &data), desk.json(&["audit", "list"])), (former, audit));
    assert_eq!(below(&data.join("media")), Vec::<PathBuf>::new());
    run(sites, &data, &both);
    assert_eq!(
        (issue(sites, &data)["value"]["title"]["en"].clone(), below(&data.join("media")).len()),
        (json!("Tides"), 1)
    );
}

#[test]
fn a_backup_that_cannot_be_written_leaves_those_before_it() {
    let desk = Desk::new("full-backup");
    let (sites, data) = (&desk.sites, desk.data());
    let backups = desk.folder.join("backups");
    let to = backups.to_str().unwrap();
    let listed = || -> Value { serde_json::from_str(&run(sites, &data, &["backup", "list", to, "--json"])).unwrap() };
    run(sites, &data, &["backup", "--to", to]);
    let first = listed();
    run(sites, &data, &[&SET[..], &[large_cover(&desk).as_str()]].concat());
    let said = sentence(&on_a_small_disk(EIGHT_MB, sites, &data, &["backup", "--to", to]));
    assert!(said.contains("no backup was made") && said.contains("copying"), "{said}");
    assert_eq!(listed(), first);
    run(sites, &data, &["backup", "verify", to]);
    run(sites, &data, &["backup", "--to", to]);
    assert_eq!(listed().as_array().unwrap().len(), 2);
    assert_eq!(run(sites, &data, &["backup", "verify", to]).matches("complete").count(), 2);
}

#[test]
fn a_restore_that_cannot_be_written_leaves_what_was_there() {
    let desk = Desk::new("full-restore");
    let (sites, data) = (&desk.sites, desk.data());
    let (backups, there) = (desk.folder.join("backups"), desk.folder.join("there"));
    run(sites, &data, &[&SET[..], &["title.en=Tides", large_cover(&desk).as_str()]].concat());
    run(sites, &data, &["backup", "--to", backups.to_str().unwrap()]);
    let restore = ["restore", "--from", backups.to_str().unwrap(), "--keep-sites"];
    let said = sentence(&on_a_small_disk(EIGHT_MB, sites, &there, &restore));
    assert!(said.contains("nothing was restored") && said.contains("copying"), "{said}");
    assert_eq!(below(&there), Vec::<PathBuf>::new(), "neither a part nor a mark");
    run(sites, &there, &restore);
    run(sites, &there, &[&SET[..], &["title.en=Ebbs"]].concat());
    let changed = issue(sites, &there);
    let replace = [&restore[..], &["--replace"]].concat();
    for (blocks, words) in [(EIGHT_MB, "copying"), (0, "marking the data folder")] {
        let said = sentence(&on_a_small_disk(blocks, sites, &there, &replace));
        assert!(said.contains("nothing was restored") && said.contains(words), "{said}");
        assert_eq!(issue(sites, &there), changed, "{blocks} blocks");
    }
    run(sites, &there, &replace);
    assert_eq!(issue(sites, &there)["value"], issue(sites, &data)["value"]);
}

/// An installation without sites, into which one is loaded.
fn empty(name: &str) -> (PathBuf, PathBuf) {
    let folder = workspace(name);
    let sites = sites(&folder, "");
    fs::remove_file(sites.join("one.toml")).unwrap();
    (sites, folder.join("data"))
}

fn articles(data: &Path) -> i64 {
    with_store(data, async |store| store.site(SITE).article_count().await.unwrap())
}

/// Loads a bundle where it does not fit, and then with room.
fn load(name: &str, bundle: &Path, words: &str) {
    let (sites, data) = empty(name);
    let load = ["site", "load", bundle.to_str().unwrap()];
    let said = sentence(&on_a_small_disk(EIGHT_MB, &sites, &data, &load));
    assert!(said.contains("nothing was loaded") && said.contains(words) && !said.contains("damaged"), "{said}");
    assert!(articles(&data) == 0 && !sites.join("one.toml").exists());
    for folder in ["unpacked", "media"] {
        assert_eq!(below(&data.join(folder)), Vec::<PathBuf>::new(), "{folder}");
    }
    run(&sites, &data, &load);
    assert!(articles(&data) > 0 && sites.join("one.toml").exists());
}

#[test]
fn a_site_that_does_not_fit_is_not_loaded() {
    let desk = Desk::new("full-load");
    let (sites, data) = (&desk.sites, desk.data());
    run(sites, &data, &[&SET[..], &[large_cover(&desk).as_str()]].concat());
    let bundle = desk.folder.join("one.tar.gz");
    run(sites, &data, &["site", "export", "--site", "one", "--to", bundle.to_str().unwrap()]);
    load("full-load-there", &bundle, "unpacking");
}

#[test]
fn a_site_of_the_first_format_is_not_loaded_in_part() {
    let desk = Desk::new("full-first-format");
    // Each of these characters is five in the database, which has to grow beyond the limit while the bundle does not.
    let news = |key: &str, length: usize| {
        let text = "&".repeat(length);
        format!("{{\"kind\":\"news\",\"value\":{{\"key\":\"{key}\",\"content\":{{\"en\":\"<p>{text}</p>\"}}}}}}\n")
    };
    let lines: String = [("first", 1), ("large", 3 << 20), ("last", 1)].map(|(key, length)| news(key, length)).concat();
    let bundle = desk.folder.join("one.tar.gz");
    let packed = tar_gz(&[
        ("bundle.json", br#"{"version":1,"siteId":7001,"sld":"one","articles":1,"resources":3}"#),
        ("site.toml", &fs::read(desk.sites.join("one.toml")).unwrap()),
        ("settings.json", b"{}"),
        ("journals.json", b"[]"),
        ("issues.json", b"[]"),
        ("articles/000001/article.xml", &fs::read(desk.folder.join("in/1.xml")).unwrap()),
        ("resources.jsonl", lines.as_bytes()),
    ]);
    fs::write(&bundle, packed).unwrap();
    load("full-first-format-there", &bundle, "resources.jsonl:2");
}

/// A file system of its own, which is unmounted when it is dropped.
pub struct Mounted(PathBuf);

impl Mounted {
    /// Puts the data folder of a desk on a file system of 96 MB. Where none can be mounted, it says that the test is skipped.
    pub fn holding(desk: &Desk) -> Option<Self> {
        let (data, filled) = (desk.data(), desk.folder.join("filled"));
        fs::rename(&data, &filled).unwrap();
        fs::create_dir(&data).unwrap();
        let disk = Self::on(&data, "96m");
        if let Err(reason) = &disk {
            println!("skipped: no host was on a full disk, because no file system can be mounted here: {reason}");
        }
        let disk = disk.ok()?;
        copy(&filled, &data);
        share_compiled(&data);
        Some(disk)
    }

    fn on(folder: &Path, size: &str) -> Result<Self, String> {
        let options = format!("size={size},mode=700");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder);
        let output = command.output().map_err(|error| error.to_string())?;
        if output.status.success() { Ok(Self(folder.to_owned())) } else { Err(stderr(&output).trim().to_owned()) }
    }

    /// Writes a file until the file system is full.
    pub fn fill(&self) -> PathBuf {
        let path = self.0.join("ballast");
        let mut file = File::create(&path).unwrap();
        for length in [64 << 10, 4 << 10] {
            let block = vec![0; length];
            loop {
                if let Err(error) = file.write_all(&block) {
                    assert_eq!(error.kind(), ErrorKind::StorageFull, "{error}");
                    break;
                }
            }
        }
        path
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_host_on_a_full_disk_serves_says_so_and_goes_on() {
    let desk = Desk::new("full-host");
    let (sites, data) = (&desk.sites, desk.data());
    let Some(disk) = Mounted::holding(&desk) else { return };
    let token = run(sites, &data, &["token", "create", "uploads", "--role", "editor", "--site", "one"]);
    let host = Running::start(sites, &data, &[]);
    let status = |path: &str| host.get("one.localhost", path).lines().next().unwrap_or_default().to_owned();
    let is_found = |word: &str| host.get("one.localhost", &format!("/en/search?q={word}")).contains("card-title");
    assert!(status("/en/home").contains("200"));
    until("the index", || is_found("Article").then_some(()));

    let ballast = disk.fill();
    let ready = host.operator("/readyz");
    assert!(ready.starts_with("HTTP/1.1 503") && ready.contains("\"what\":\"data folder\""), "{ready}");
    assert!(ready.contains("\"indexBehind\":0"), "{ready}");
    assert!(host.get("127.0.0.1", "/readyz").starts_with("HTTP/1.1 200"), "readers are served");
    for path in ["/en/home", "/zh/home", "/en/issues"] {
        assert!(status(path).contains("200"), "{path}: {}", status(path));
    }
    desk.source(4, "Kelp", &"many words ".repeat(1 << 18));
    let import =
        ["import", "jats", desk.folder.join("in").to_str().unwrap(), "--site", "one", "--json"].map(str::to_owned);
    let import: Vec<&str> = import.iter().map(String::as_str).collect();
    let output = masthead(sites, &data, &import);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(
        !output.status.success() && report["stopped"].as_str().unwrap().contains("the import was stopped"),
        "{report}"
    );
    assert_eq!((&report["created"], &report["failed"]), (&json!(0), &json!(0)), "{report}");
    let cover = desk.folder.join("cover.png");
    fs::write(&cover, noise(100 << 10)).unwrap();
    let cover = format!("cover=@{}", cover.display());
    let set = [&SET[..], &["title.en=Tides", cover.as_str()]].concat();
    let said = sentence(&masthead(sites, &data, &set));
    assert!(said.contains("nothing was changed"), "{said}");
    assert!(below(&data.join("media")).is_empty());
    let upload = |call: &str| host.upload("one.localhost", call, token.trim(), &noise(100 << 10));
    for call in ["import?siteId=7001&name=a.tar.gz", "media?siteId=7001&name=a.pdf"] {
        let answer = upload(call);
        assert!(answer.starts_with("HTTP/1.1 507") && answer.contains("\"status\":507"), "{call}: {answer}");
    }
    for folder in ["uploads", "media"] {
        assert_eq!(below(&data.join(folder)), Vec::<PathBuf>::new(), "{folder}: nothing is left of an upload");
    }

    // There is room again, and nobody restarts the host.
    fs::remove_file(ballast).unwrap();
    let report: Value = serde_json::from_str(&run(sites, &data, &import)).unwrap();
    assert_eq!((&report["created"], &report["unchanged"]), (&json!(1), &json!(3)), "{report}");
    run(sites, &data, &set);
    let answer = upload("media?siteId=7001&name=a.pdf");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    until("the new article in the index", || is_found("Kelp").then_some(()));
    until("readiness", || host.operator("/readyz").starts_with("HTTP/1.1 200").then_some(()));
    drop(host);
}
