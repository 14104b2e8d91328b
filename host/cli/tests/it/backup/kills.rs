//! Backups and restores that are killed at any moment. 12 moments each, fewer in PostgreSQL, or as many as `MASTHEAD_KILLS` says.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Office, command, copy, names, state, stderr, tables};
use crate::{cluster::Cluster, installation::Installation};

/// How often a test kills in PostgreSQL, in a usual run.
const IN_POSTGRESQL: u32 = 2;

/// How often a test kills.
pub fn kills() -> u32 {
    asked().unwrap_or(12)
}

/// How often a test is to kill, if that is said.
pub fn asked() -> Option<u32> {
    std::env::var("MASTHEAD_KILLS").ok()?.parse().ok()
}

/// Has a test kill with a cluster, in a usual run a few times only: the start of a cluster takes its time, too. Without PostgreSQL, a line says
/// what was not killed.
pub fn in_postgresql(what: &str, kill: impl FnOnce(&Cluster, u32)) {
    match Cluster::start() {
        Ok(cluster) => kill(&cluster, asked().unwrap_or(IN_POSTGRESQL)),
        Err(reason) => println!("skipped: {what} in PostgreSQL were not killed: {reason}"),
    }
}

/// Fails if nothing was interrupted. In a cluster, so few kills as those of a usual run may all come too late.
pub fn assert_interrupted(interrupted: bool, kills: u32, cluster: Option<&Cluster>, what: &str) {
    let too_few = cluster.is_some() && kills <= IN_POSTGRESQL;
    assert!(interrupted || too_few, "no {what} was interrupted by {kills} kills");
}

/// Moments within a time, the same at every run.
pub struct Moments {
    pub state: u64,
    pub within: Duration,
}

impl Moments {
    pub fn next(&mut self) -> Duration {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.within.mul_f64((self.state >> 40) as f64 / (1 << 24) as f64)
    }
}

/// Starts a command, kills it after a time, and returns whether it had succeeded before.
pub fn kill_after(time: Duration, sites: &Path, data: &Path, arguments: &[&str]) -> bool {
    kill(time, command(sites, data, arguments))
}

/// The same for a command with settings of its own.
pub fn kill(time: Duration, mut command: Command) -> bool {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(time);
    // It fails if the process has ended.
    let _ = child.kill();
    child.wait().unwrap().success()
}

fn empty(path: &str) {
    if Path::new(path).exists() {
        std::fs::remove_dir_all(path).unwrap();
    }
}

/// Kills backups of an installation of its own, with the database in a file or a cluster.
fn kill_backups(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let office = Office::new(name);
    let (sites, base, round) = (office.sites(), office.path("base"), office.path("round"));
    let scratch = office.path("scratch");
    let [place, restored] = ["saved", "restored"].map(|name| Installation::new(office.folder.join(name), cluster));
    place.clear();
    restored.clear();
    let found = |place: &Installation<'_>| {
        let url = place.database();
        let database: Vec<&str> = url.iter().flat_map(|url| ["--database", url.as_str()]).collect();
        state(&sites, &place.data, &scratch, &database)
    };
    let generate = |seed: &str| {
        place.run(&sites, &["demo", "generate", "--articles", "60", "--seed", seed, "--site", "oceanledger"]);
    };
    generate("1");
    place.run(&sites, &["backup", "--to", &base]);
    let first = names(&base)[0].clone();
    generate("2");
    place.run(&sites, &["config", "set", "--site", "oceanledger", "header.navStyle", "9"]);
    let after = found(&place);
    copy(Path::new(&base), Path::new(&round));
    let started = Instant::now();
    place.run(&sites, &["backup", "--to", &round]);
    let mut moments = Moments { state: 7, within: started.elapsed() };
    let of_first = tables(&base, &first);
    let of_second = tables(&round, &names(&round)[1]);
    assert_ne!(of_first, of_second);
    let mut interrupted = 0;
    for kill in 0..kills {
        empty(&round);
        copy(Path::new(&base), Path::new(&round));
        let done = place.kill_after(moments.next(), &sites, &["backup", "--to", &round]);
        interrupted += u32::from(!done);
        // A backup is there whole or not at all, and the one before it always.
        let there = names(&round);
        assert_eq!(there[0], first, "kill {kill}");
        assert!(there.len() == 2 || there.len() == 1 && !done, "kill {kill}: {there:?}");
        office.run(&["backup", "verify", &round]);
        assert_eq!(tables(&round, &first), of_first, "kill {kill}");
        if let Some(second) = there.get(1) {
            assert_eq!(tables(&round, second), of_second, "kill {kill}");
        }
        if kill % 4 == 0 {
            let latest = if there.len() == 2 { &after } else { &of_first };
            restored.run(&sites, &["restore", "--from", &round, "--replace"]);
            assert_eq!(&found(&restored), latest, "kill {kill}");
        }
        // The next run does not trip over what was left, and writes the same backup.
        place.run(&sites, &["backup", "--to", &round]);
        office.run(&["backup", "verify", &round]);
        assert_eq!(&tables(&round, names(&round).last().unwrap()), &of_second, "kill {kill}");
    }
    assert_interrupted(interrupted > 0, kills, cluster, "backup");
}

#[test]
fn a_killed_backup_leaves_the_backups_before_it_usable() {
    kill_backups("kills", None, kills());
}

#[test]
fn a_killed_backup_of_postgresql_leaves_the_backups_before_it_usable() {
    in_postgresql("backups", |cluster, kills| kill_backups("kills-of-backups-postgresql", Some(cluster), kills));
}

/// Whether a data folder is marked as having an unfinished restore; every command refuses it then.
fn is_refused(office: &Office, place: &Installation<'_>) -> bool {
    let marked = place.data.join("restore-unfinished").exists();
    if marked {
        for arguments in [
            &["session", "end", "--site", "oceanledger", "--subject", "x"][..],
            &["serve", "--listen", "127.0.0.1:0"],
            &["backup", "--to", &office.path("none")],
        ] {
            let output = place.output(&office.sites(), arguments);
            let said = stderr(&output);
            // Before its database is in its place, a folder has none to back up.
            let expected = said.contains("masthead restore") || said.contains("has no database");
            assert!(!output.status.success() && expected, "{arguments:?}: {said}");
        }
    }
    marked
}

/// Kills restores into an installation of its own, with the database in a file or a cluster.
fn kill_restores(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let office = Office::new(name);
    let (backups, scratch) = (office.path("backups"), office.path("scratch"));
    let place = Installation::new(office.folder.join("restored"), cluster);
    let sites = office.folder.join("restored-sites");
    let url = place.database();
    let database: Vec<&str> = url.iter().flat_map(|url| ["--database", url.as_str()]).collect();
    let found = || state(&office.sites(), &place.data, &scratch, &database);
    let clear = || {
        place.clear();
        empty(sites.to_str().unwrap());
    };
    let mut states: Vec<Vec<Value>> = [1, 2]
        .map(|seed| {
            office.articles(60, seed);
            office.run(&["backup", "--to", &backups]);
            state(&office.sites(), &office.data(), &scratch, &[])
        })
        .to_vec();
    let taken = names(&backups);
    if cluster.is_some() {
        // PostgreSQL may order the rows of a table in another way.
        states = taken
            .iter()
            .map(|name| {
                clear();
                place.run(&sites, &["restore", "--from", &backups, "--at", name]);
                found()
            })
            .collect();
    }
    assert_ne!(states[0], states[1]);
    let restore = ["restore", "--from", &backups, "--at", &taken[1], "--replace"];
    clear();
    let started = Instant::now();
    place.run(&sites, &restore);
    let mut moments = Moments { state: 11, within: started.elapsed() };
    // What a restore puts in its place before the mark is removed, and nothing else makes.
    let content = place.data.join(if cluster.is_some() { "media" } else { "masthead.db" });
    let mut refusals = 0;
    for kill in 0..kills {
        // Into an empty folder, and in the place of an earlier state.
        clear();
        let replaces = kill % 2 == 1;
        if replaces {
            place.run(&sites, &["restore", "--from", &backups, "--at", &taken[0]]);
        }
        place.kill_after(moments.next(), &sites, &restore);
        if is_refused(&office, &place) {
            refusals += 1;
            let set = place.output(&office.sites(), &["config", "set", "--site", "oceanledger", "colorId", "1"]);
            let again = stderr(&set);
            assert!(!set.status.success() && again.contains("--replace"), "kill {kill}: {again}");
        } else if content.exists() {
            let expected = if replaces { &states[..] } else { &states[1..] };
            assert!(expected.contains(&found()), "kill {kill}: neither the state before nor the one after");
        }
        place.run(&sites, &restore);
        assert!(!is_refused(&office, &place), "kill {kill}");
        assert_eq!(state(&sites, &place.data, &scratch, &database), states[1], "kill {kill}");
        let left: Vec<_> = std::fs::read_dir(&place.data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_str().unwrap().contains("restor")), "kill {kill}: {left:?}");
    }
    assert_interrupted(refusals > 0, kills, cluster, "restore");
}

#[test]
fn a_killed_restore_leaves_nothing_that_serves() {
    kill_restores("kills-of-restores", None, kills());
}

#[test]
fn a_killed_restore_into_postgresql_leaves_nothing_that_serves() {
    in_postgresql("restores", |cluster, kills| kill_restores("kills-of-postgresql", Some(cluster), kills));
}
