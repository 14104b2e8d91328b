//! `masthead backup` and `masthead restore`: beside a running host, killed at any moment, and from one database to the other.

pub mod kills;
mod postgres;

use std::path::{Path, PathBuf};

use masthead_test_support::{command, copy, masthead, repository, run, share_compiled, stderr, stdout, workspace};
use serde_json::Value;

use crate::serve::{Running, seed_demo};

/// The folders of an installation and of its backups.
struct Office {
    folder: PathBuf,
}

impl Office {
    fn new(name: &str) -> Self {
        let office = Self { folder: workspace(&format!("backup-{name}")) };
        copy(&repository("sites"), &office.sites());
        office
    }

    fn sites(&self) -> PathBuf {
        self.folder.join("sites")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Runs a command on the installation, which must succeed.
    fn run(&self, arguments: &[&str]) -> String {
        run(&self.sites(), &self.data(), arguments)
    }

    /// Stores generated articles: of so many, those of the site's journal.
    fn articles(&self, number: usize, seed: usize) {
        let (number, seed) = (number.to_string(), seed.to_string());
        self.run(&["demo", "generate", "--articles", &number, "--seed", &seed, "--site", "oceanledger"]);
    }
}

/// Runs a command that must fail, and returns what it says.
fn fails(sites: &Path, data: &Path, arguments: &[&str]) -> String {
    let output = masthead(sites, data, arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", stdout(&output));
    stderr(&output)
}

/// The names of the backups of a folder.
fn names(folder: &str) -> Vec<String> {
    let nowhere = Path::new("nowhere");
    let listed: Value = serde_json::from_str(&run(nowhere, nowhere, &["backup", "list", folder, "--json"])).unwrap();
    let name = |backup: &Value| {
        assert_eq!(backup["damaged"], Value::Null, "{listed:#}");
        backup["name"].as_str().unwrap().to_owned()
    };
    listed.as_array().unwrap().iter().map(name).collect()
}

/// The tables in the manifest of a backup: what they hold, by digest. A restored database has its identity among the counters, and a line
/// about the restore in its audit trail.
fn tables(folder: &str, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(Path::new(folder).join(format!("backups/{name}.json"))).unwrap();
    let manifest: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let tables = manifest["tables"].as_array().unwrap();
    assert!(tables.len() > 10, "{manifest:#}");
    tables.iter().filter(|table| table["name"] != "sequences" && table["name"] != "audit").cloned().collect()
}

/// The tables of an installation, read by a backup into an empty folder.
fn state(sites: &Path, data: &Path, scratch: &str, more: &[&str]) -> Vec<Value> {
    if Path::new(scratch).exists() {
        std::fs::remove_dir_all(scratch).unwrap();
    }
    run(sites, data, &[&["backup", "--to", scratch], more].concat());
    tables(scratch, &names(scratch)[0])
}

/// What readers and harvesters see of a host.
fn seen(host: &Running) -> (String, usize) {
    let records = host.get("oceanledger.localhost", "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc");
    let records = records.split_once("<ListIdentifiers>").expect(&records).1.to_owned();
    let found = host.get("oceanledger.localhost", "/en/search?q=seagrass");
    (records, found.matches("class=\"card-title\"").count())
}

#[test]
fn a_backup_beside_a_running_host_is_served_by_another_one() {
    let office = Office::new("served");
    let (sites, data, backups) = (office.sites(), office.data(), office.path("backups"));
    seed_demo(&data);
    let host = Running::start(&sites, &data, &["--demo", "--demo-articles", "0"]);
    let before = seen(&host);
    assert!(before.1 > 0 && before.0.contains("<identifier>"), "{before:?}");
    let said = office.run(&["backup", "--to", &backups]);
    assert!(said.contains("articles") && said.contains("written: "), "{said}");
    // What the host does meanwhile is in the next backup.
    office.run(&["article", "remove", "--site", "oceanledger", "--doi", "10.5555/ocl.2026.06.01.0001"]);
    office.run(&["backup", "--to", &backups, "--keep", "2"]);
    let taken = names(&backups);
    assert_eq!(taken.len(), 2);
    assert!(fails(&sites, &data, &["restore", "--from", &backups, "--replace"]).contains("stop it first"));
    let verified = office.run(&["backup", "verify", &backups]);
    assert_eq!(verified.matches("complete").count(), 2, "{verified}");

    // Articles have their numbers, and the index of the new host is built from the change log.
    let (there, its_sites) = (office.folder.join("there"), office.folder.join("its-sites"));
    let said = run(&its_sites, &there, &["restore", "--from", &backups, "--at", &taken[0]]);
    assert!(said.contains("cookie.key is not in the backup") && said.contains("search index"), "{said}");
    share_compiled(&there);
    let other = Running::start(&its_sites, &there, &[]);
    assert_eq!(seen(&other), before);
    assert_eq!(seen(&host).0.matches("status=\"deleted\"").count(), 1);
    drop(other);
    // The same data folder with the later backup: the index there is that of another database, and is not used.
    let refused = fails(&its_sites, &there, &["restore", "--from", &backups]);
    assert!(refused.contains("has content") && refused.contains("--replace"), "{refused}");
    run(&its_sites, &there, &["restore", "--from", &backups, "--replace"]);
    let later = seen(&Running::start(&its_sites, &there, &[]));
    assert_eq!(later.0, seen(&host).0);
    assert!(later.1 < before.1, "the removed article is in the index: {later:?}");
}

#[test]
fn commands_say_what_is_wrong() {
    let office = Office::new("wrong");
    let (sites, data, backups) = (office.sites(), office.data(), office.path("backups"));
    let fails = |arguments: &[&str]| fails(&sites, &data, arguments);
    assert!(fails(&["backup"]).contains("--to"));
    assert!(fails(&["backup", "--to", &backups]).contains("has no database"));
    assert!(!Path::new(&backups).exists() && !data.exists());
    assert!(fails(&["backup", "list", &backups]).contains("is no backup folder"));
    assert!(fails(&["restore", "--from", &backups]).contains("is no backup folder"));
    office.articles(2, 1);
    assert!(fails(&["backup", "--to", sites.to_str().unwrap()]).contains("which is to be backed up"));
    office.run(&["backup", "--to", &backups]);
    assert!(fails(&["backup", "verify", &backups, "--at", "x"]).contains("has no backup x"));
    assert!(fails(&["restore", "--from", &backups, "--at", "x", "--replace"]).contains("has no backup x"));
    let manifest = Path::new(&backups).join(format!("backups/{}.json", names(&backups)[0]));
    std::fs::write(&manifest, "{}\n").unwrap();
    assert!(fails(&["backup", "verify", &backups]).contains("cannot be restored"));
    assert!(fails(&["restore", "--from", &backups, "--replace"]).contains("cut off or damaged"));
    assert!(office.run(&["backup", "list", &backups]).contains("damaged"));
}
