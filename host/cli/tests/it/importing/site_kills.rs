//! `masthead site load` that is killed: the installation has the former site or that of the bundle, with its configuration.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use masthead_test_support::{copy, edit, repository, run};

use super::{Desk, FIGURE, jats, packages};
use crate::backup::kills::{Moments, assert_interrupted, kill_after, kills};

/// A folder with sites and data.
struct Place(PathBuf);

impl Place {
    fn sites(&self) -> PathBuf {
        self.0.join("sites")
    }

    fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    fn run(&self, arguments: &[&str]) {
        run(&self.sites(), &self.data(), arguments);
    }

    /// The bytes of the site's bundle: the same site gives the same bytes.
    fn exported(&self) -> Vec<u8> {
        let to = self.0.join("exported.tar.gz");
        self.run(&["site", "export", "--site", "oceanledger", "--to", to.to_str().unwrap()]);
        std::fs::read(to).unwrap()
    }

    fn copied(&self, to: &Path) -> Self {
        if to.exists() {
            std::fs::remove_dir_all(to).unwrap();
        }
        std::fs::create_dir_all(to).unwrap();
        copy(&self.0, to);
        Self(to.to_owned())
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

#[test]
fn a_load_that_is_killed_leaves_the_former_site_or_the_one_of_the_bundle() {
    let desk = Desk::new("kills");
    let source = Place(desk.folder.join("source"));
    copy(&repository("sites"), &source.sites());
    let import = |package: &Path| source.run(&["import", "auto", package.to_str().unwrap(), "--site", "448", "--json"]);
    import(&package(&desk, "first.tar.gz", 0..8, "First"));
    let former = source.exported();
    let former_bundle = desk.write("former.tar.gz", &former);
    import(&package(&desk, "second.tar.gz", 4..16, "Second"));
    source.run(&["config", "set", "--site", "448", "colorId", "5"]);
    edit(&source.sites().join("oceanledger.toml"), |text| format!("# Another version\n{text}"));
    let new = source.exported();
    let new_bundle = desk.write("new.tar.gz", &new);
    let load = ["site", "load", new_bundle.to_str().unwrap(), "--replace"];

    let base = Place(desk.folder.join("base"));
    copy(&repository("sites"), &base.sites());
    base.run(&["site", "load", former_bundle.to_str().unwrap()]);
    assert!(base.exported() == former, "a site that is loaded gives the bundle that it was loaded from");
    let whole = base.copied(&desk.folder.join("whole"));
    let started = Instant::now();
    whole.run(&load);
    let mut moments = Moments { state: 17, within: started.elapsed() };
    assert!(whole.exported() == new, "a site that is replaced gives the bundle that it was loaded from");

    let mut interrupted = 0;
    for kill in 0..kills() {
        let place = base.copied(&desk.folder.join("killed"));
        let done = kill_after(moments.next(), &place.sites(), &place.data(), &load);
        interrupted += u32::from(!done);
        let found = place.exported();
        assert!(found == former || found == new, "kill {kill}: the site is neither the former nor the new one");
        assert!(!done || found == new, "kill {kill}: the load has succeeded, and the site is the former one");
        let configuration = std::fs::read_to_string(place.sites().join("oceanledger.toml")).unwrap();
        assert_eq!(configuration.starts_with("# Another version"), found == new, "kill {kill}");
        // The load is repeated, and ends as if it had never been interrupted.
        place.run(&load);
        assert!(place.exported() == new, "kill {kill}: repeated");
    }
    assert_interrupted(interrupted > 0, kills(), None, "load of a site");
}
