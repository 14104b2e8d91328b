#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;

const PLATFORM: &str = r##"
domain = "localhost"
[styles]
nav = { default = "nav-default", 9 = "nav-alternate" }
search = { default = "search-header-bar" }
footer = { default = "footer-default" }
[[themes]]
colorId = 1
name = "x"
light = { themeColorPrimary = "#000000", themeColorHoverPrimary = "#000000", otherColor = "#000000", bgOpacity = "#000000", bottomLineColor = "#000000" }
dark = { themeColorPrimary = "#000000", themeColorHoverPrimary = "#000000", otherColor = "#000000", bgOpacity = "#000000", bottomLineColor = "#000000" }
[site]
locked = ["header.showLogin"]
colorId = 1
languages = ["zh", "en"]
header = { navStyle = 0, showLogin = true }
"##;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("groups")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn layers_win_in_order_and_explain_themselves() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("groups/hss.toml", "header = { navStyle = 9, advSearch = false }"),
        ("one.toml", "id = 1\ngroup = \"hss\"\nname = { en = \"One\" }\nheader = { navStyle = 10 }"),
    ]);
    let saved = Saved::from([(1, vec![("header.navStyle".to_owned(), serde_json::json!(14))])]);
    let read = Configuration::read(folder.path(), &saved).unwrap();
    assert_eq!(read.problems, Vec::<String>::new());
    let site = &read.sites["one"];
    assert_eq!((site.header.nav_style, site.header.adv_search, site.sld.as_str()), (14, false, "one"));
    let told = explain(&read.layers["one"], "header.navStyle");
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].from.0.as_str(), &told[0].value), ("saved", &serde_json::json!(14)));
    let before: Vec<_> =
        told[0].overridden.iter().map(|(name, _, value)| (name.as_str(), value.as_i64().unwrap())).collect();
    assert_eq!(before, [("platform", 0), ("group hss", 9), ("site one", 10)]);
    assert!(explain(&read.layers["one"], "").len() > 5);
}

#[test]
fn a_locked_key_is_kept_and_the_attempt_is_told() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("one.toml", "id = 1\nname = { en = \"One\" }\nheader = { showLogin = false, navStyle = 9 }"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let header = &read.sites["one"].header;
    assert!(header.show_login && header.nav_style == 9);
    assert!(
        read.problems[0].contains("header.showLogin") && read.problems[0].contains("platform locks it"),
        "{:?}",
        read.problems
    );
    assert_eq!(explain(&read.layers["one"], "header.showLogin")[0].locked_by.as_deref(), Some("platform"));
}

#[test]
fn a_broken_site_leaves_the_others_alone() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("good.toml", "id = 1\nname = { en = \"Good\" }"),
        ("broken.toml", "id = "),
        ("typo.toml", "id = 2\nname = { en = \"T\" }\nheader = { navStile = 3 }"),
        ("lost.toml", "id = 3\nname = { en = \"L\" }\ngroup = \"none\""),
        ("assets.toml", "id = 4\nname = { en = \"A\" }"),
        ("twin.toml", "id = 1\nname = { en = \"Twin\" }"),
        ("colour.toml", "id = 5\ncolorId = 12\nname = { en = \"C\" }"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    assert_eq!(read.sites.keys().collect::<Vec<_>>(), ["good"]);
    for word in ["broken", "navStile", "none", "taken by the host", "id 1 is that of site good", "colorId 12"] {
        assert!(read.problems.iter().any(|problem| problem.contains(word)), "{word}: {:?}", read.problems);
    }
}

#[test]
fn without_a_platform_file_the_error_names_it() {
    let folder = folder(&[]);
    let error = Configuration::read(folder.path(), &Saved::new()).unwrap_err().to_string();
    assert!(error.contains("platform.toml") && error.contains("--sites"), "{error}");
}
