//! `masthead site load` that is killed: the installation has the former site or that of the bundle, with its configuration and its line of the
//! audit trail. 12 moments, fewer in PostgreSQL, or as many as `MASTHEAD_KILLS` says.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use masthead_test_support::{copy, edit, repository};

use super::{Desk, FIGURE, SITE, jats, packages};
use crate::{
    backup::kills::{Moments, assert_interrupted, in_postgresql, kills},
    cluster::Cluster,
    installation::Installation,
    stored::Traces,
};

/// An installation with a folder of sites of its own.
struct Place<'a> {
    sites: PathBuf,
    installation: Installation<'a>,
}

impl<'a> Place<'a> {
    fn new(desk: &Desk, name: &str, cluster: Option<&'a Cluster>) -> Self {
        let sites = desk.folder.join(format!("{name}-sites"));
        Self { sites, installation: Installation::new(desk.folder.join(name), cluster) }
    }

    fn run(&self, arguments: &[&str]) {
        self.installation.run(&self.sites, arguments);
    }

    /// The bytes of the site's bundle: the same site gives the same bytes.
    fn exported(&self) -> Vec<u8> {
        let to = self.sites.with_extension("tar.gz");
        self.run(&["site", "export", "--site", "oceanledger", "--to", to.to_str().unwrap()]);
        std::fs::read(to).unwrap()
    }

    fn traces(&self, desk: &Desk) -> Traces {
        desk.runtime.block_on(async {
            let store = self.installation.open().await;
            let traces = Traces::of(&store, SITE).await;
            store.close().await;
            traces
        })
    }

    /// Puts the content of another place into this one.
    fn replace_by(&self, other: &Self) {
        if self.sites.exists() {
            std::fs::remove_dir_all(&self.sites).unwrap();
        }
        copy(&other.sites, &self.sites);
        self.installation.replace_by(&other.installation);
    }
}

/// A package of articles, each with a picture.
fn package(desk: &Desk, name: &str, numbers: std::ops::Range<u32>, title: &str) -> PathBuf {
    let picture = packages::png();
    let articles: Vec<(String, String)> = numbers
        .map(|number| (format!("a{number}.xml"), jats(&format!("10.5555/kill.{number}"), title, FIGURE)))
        .collect();
    let mut entries: Vec<(&str, &[u8])> =
        articles.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    entries.push(("images/f1.png", &picture));
    desk.write(name, packages::tar_gz(&entries))
}

/// Kills loads of a site, with the database in a file or a cluster. The bundles come from a database in a file.
fn kill_loads(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let desk = Desk::new(name);
    let source = Place::new(&desk, "source", None);
    copy(&repository("sites"), &source.sites);
    let import = |package: &Path| source.run(&["import", "auto", package.to_str().unwrap(), "--site", "448", "--json"]);
    import(&package(&desk, "first.tar.gz", 0..8, "First"));
    let former = source.exported();
    let former_bundle = desk.write("former.tar.gz", &former);
    import(&package(&desk, "second.tar.gz", 4..16, "Second"));
    source.run(&["config", "set", "--site", "448", "colorId", "5"]);
    edit(&source.sites.join("oceanledger.toml"), |text| format!("# Another version\n{text}"));
    let new = source.exported();
    let new_bundle = desk.write("new.tar.gz", &new);
    let load = ["site", "load", new_bundle.to_str().unwrap(), "--replace"];

    let [base, whole, place] = ["base", "whole", "killed"].map(|name| Place::new(&desk, name, cluster));
    copy(&repository("sites"), &base.sites);
    base.installation.clear();
    base.run(&["site", "load", former_bundle.to_str().unwrap()]);
    assert!(base.exported() == former, "a site that is loaded gives the bundle that it was loaded from");
    whole.replace_by(&base);
    let started = Instant::now();
    whole.run(&load);
    let mut moments = Moments { state: 17, within: started.elapsed() };
    assert!(whole.exported() == new, "a site that is replaced gives the bundle that it was loaded from");
    let [former_traces, new_traces] = [&base, &whole].map(|place| place.traces(&desk));
    assert_eq!(new_traces.audit.len(), former_traces.audit.len() + 1);
    assert!(new_traces.log.len() > former_traces.log.len(), "{new_traces:?}");

    let mut interrupted = 0;
    for kill in 0..kills {
        place.replace_by(&base);
        let done = place.installation.kill_after(moments.next(), &place.sites, &load);
        interrupted += u32::from(!done);
        let found = place.exported();
        assert!(found == former || found == new, "kill {kill}: the site is neither the former nor the new one");
        assert!(!done || found == new, "kill {kill}: the load has succeeded, and the site is the former one");
        let configuration = std::fs::read_to_string(place.sites.join("oceanledger.toml")).unwrap();
        assert_eq!(configuration.starts_with("# Another version"), found == new, "kill {kill}");
        let traces = if found == new { &new_traces } else { &former_traces };
        assert_eq!(place.traces(&desk), *traces, "kill {kill}: the audit trail and the change log");
        // The load is repeated, and ends as if it had never been interrupted.
        place.run(&load);
        assert!(place.exported() == new, "kill {kill}: repeated");
        assert_eq!(place.traces(&desk), new_traces, "kill {kill}: repeated");
    }
    assert_interrupted(interrupted > 0, kills, cluster, "load of a site");
}

#[test]
fn a_load_that_is_killed_leaves_the_former_site_or_the_one_of_the_bundle() {
    kill_loads("kills", None, kills());
}

#[test]
fn a_load_into_postgresql_that_is_killed_leaves_the_former_site_or_the_one_of_the_bundle() {
    in_postgresql("loads of sites", |cluster, kills| kill_loads("kills-postgresql", Some(cluster), kills));
}
