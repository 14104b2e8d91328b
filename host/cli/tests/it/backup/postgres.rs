//! From SQLite to PostgreSQL, back, and from PostgreSQL to PostgreSQL.

use std::path::Path;

use masthead_test_support::share_compiled;
use serde_json::{Value, json};

use super::{Office, fails, names, run, seen, state, tables};
use crate::{cluster::Cluster, serve::Running};

#[test]
fn an_installation_moves_between_the_databases() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: backups of PostgreSQL were not tested: {reason}");
            return;
        }
    };
    let (url, second) = (cluster.url(), cluster.database("second"));
    let office = Office::new("postgres");
    let sites = office.sites();
    let (backups, of_postgres, scratch) = (office.path("backups"), office.path("of-postgres"), office.path("scratch"));
    let folder = |name: &str| office.folder.join(name);
    office.articles(60, 1);
    office.run(&["article", "remove", "--site", "oceanledger", "--id", "3"]);
    office.run(&["config", "set", "--site", "oceanledger", "colorId", "2"]);
    office.run(&["backup", "--to", &backups]);
    let of_sqlite = tables(&backups, &names(&backups)[0]);
    let articles = of_sqlite.iter().find(|table| table["name"] == "articles").unwrap()["rows"].as_u64().unwrap();
    assert!(articles > 3);

    let there = folder("postgres");
    let said = run(&sites, &there, &["restore", "--from", &backups, "--database", &url]);
    assert!(said.contains(&format!("{articles} articles")), "{said}");
    assert!(!there.join("masthead.db").exists() && there.join("media").exists());
    let refused = fails(&sites, &folder("other"), &["restore", "--from", &backups, "--database", &url]);
    assert!(refused.contains("--replace") && !refused.contains("masthead@"), "{refused}");
    assert!(!folder("other").join("media").exists(), "nothing is left of the refused restore");

    run(&sites, &there, &["backup", "--to", &of_postgres, "--database", &url]);
    let taken = names(&of_postgres)[0].clone();
    let listed = run(Path::new("x"), Path::new("x"), &["backup", "list", &of_postgres]);
    assert!(listed.contains("PostgreSQL"), "{listed}");

    // Back to SQLite: the same rows in the same chunks as at first. Hosts show the same from both databases.
    let back = folder("sqlite");
    run(&sites, &back, &["restore", "--from", &of_postgres]);
    assert_eq!(state(&sites, &back, &scratch, &[]), of_sqlite);
    let audit: Value =
        serde_json::from_str(&run(&sites, &back, &["audit", "list", "--subject", "installation", "--json"])).unwrap();
    let restored: Vec<_> = audit.as_array().unwrap().iter().map(|line| &line["after"]["backup"]).collect();
    assert_eq!(restored, [&json!(taken), &json!(names(&backups)[0])], "both restores, the latest first: {audit}");
    share_compiled(&there);
    share_compiled(&back);
    let shown = seen(&Running::start(&sites, &there, &["--database", &url]));
    assert!(shown.0.contains("<identifier>"), "{shown:?}");
    assert_eq!(seen(&Running::start(&sites, &back, &[])), shown);

    // From PostgreSQL to PostgreSQL, also in the place of other content.
    let twice = folder("twice");
    for replace in [&[][..], &["--replace"]] {
        run(&sites, &twice, &[&["restore", "--from", &of_postgres, "--database", &second], replace].concat());
        let found = state(&sites, &twice, &scratch, &["--database", &second]);
        assert_eq!(found, tables(&of_postgres, &taken));
    }
}
