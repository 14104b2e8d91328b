//! A site in another installation: the same numbers, dates and counts; what replaces what; damage; `masthead site compare`.

use std::path::{Path, PathBuf};

use masthead_domain::{ArticleId, Doi, Lang, LocalText, SiteId, resource::News};
use masthead_store::{Count, HarvestedPage, PluginQuota, SiteStore};
use masthead_test_support::{copy, edit, masthead, repository, share_compiled, stderr, stdout};
use serde_json::Value;

use super::{Desk, SITE, add_comment_and_setting, jats, packages};
use crate::serve::Running;

const FIGURE: &str = "<sec id=\"s1\"><title>Tides</title><p>Text <inline-formula><mml:math xmlns:mml=\"http://www.w3.org/1998/Math/MathML\"><mml:mi>x</mml:mi></mml:math></inline-formula>.</p><fig id=\"f1\"><label>Figure 1</label><graphic xlink:href=\"images/f1.png\"/></fig></sec>";

/// An installation with a folder of sites of its own.
pub(super) struct Installation {
    pub(super) desk: Desk,
    pub(super) sites: PathBuf,
}

impl Installation {
    pub(super) fn new(name: &str) -> Self {
        let desk = Desk::new(&format!("copies-{name}"));
        share_compiled(&desk.data());
        let sites = desk.folder.join("sites");
        copy(&repository("sites"), &sites);
        Self { desk, sites }
    }

    /// Runs a command; returns whether it succeeded, its output and its errors.
    pub(super) fn run(&self, arguments: &[&str]) -> (bool, String, String) {
        let output = masthead(&self.sites, &self.desk.data(), arguments);
        (output.status.success(), stdout(&output), stderr(&output))
    }

    pub(super) fn good(&self, arguments: &[&str]) -> String {
        let (good, out, errors) = self.run(arguments);
        assert!(good, "{arguments:?}: {out}{errors}");
        out
    }

    pub(super) fn export(&self, name: &str) -> PathBuf {
        let to = self.desk.folder.join(name);
        self.good(&["site", "export", "--site", "oceanledger", "--to", to.to_str().unwrap()]);
        to
    }

    pub(super) fn load(&self, bundle: &Path, more: &[&str]) -> (bool, String, String) {
        self.run(&[&["site", "load", bundle.to_str().unwrap()], more].concat())
    }

    fn generation(&self) -> i64 {
        self.desk.read(async |site| site.generation().await.unwrap())
    }

    /// Numbers and moments of the articles, and of the tombstones.
    pub(super) fn numbers(&self) -> Vec<(i64, i64, bool)> {
        let window = masthead_store::HarvestWindow { until_ms: i64::MAX, ..Default::default() };
        let changes = self.desk.read(async |site| site.article_changes(&window, 1000).await.unwrap());
        changes.into_iter().map(|change| (change.id.0, change.changed_ms, change.removed)).collect()
    }
}

pub(super) async fn number(site: &SiteStore, doi: &str) -> ArticleId {
    site.article_id_by_doi(&Doi::parse(doi).unwrap()).await.unwrap().unwrap()
}

/// A site with one of everything, of which the second article was removed.
pub(super) fn full(name: &str) -> Installation {
    let here = Installation::new(name);
    let picture = packages::png();
    let package = here.desk.write(
        "a.tar.gz",
        packages::tar_gz(&[
            ("a.xml", jats("10.5555/copy.1", "One", FIGURE).as_bytes()),
            ("images/f1.png", &picture),
            ("b.xml", jats("10.5555/copy.2", "Two", "<p>x</p>").as_bytes()),
            ("c.xml", jats("10.5555/copy.3", "Three", &format!("<p>{}</p>", "Long. ".repeat(2000))).as_bytes()),
        ]),
    );
    assert!(here.desk.import("auto", &[&package], &[]).1);
    here.good(&["article", "remove", "--site", "448", "--doi", "10.5555/copy.2"]);
    here.desk.store(async |store| {
        let site = store.site(SITE);
        let article = number(&site, "10.5555/copy.1").await.0;
        let news = News {
            key: "n".into(),
            title: LocalText::of(Lang::En, "News"),
            content: LocalText::of(Lang::En, "<p>High &amp; low <a href=\"https://a.example/\">tide</a></p>"),
            ..News::default()
        };
        site.save_resource(&masthead_content::sanitize::cleaned(news).unwrap()).await.unwrap();
        add_comment_and_setting(&site, article).await;
        let quota = PluginQuota { bytes: 1000, keys: 10 };
        site.save_plugin_value("friendship-links", "k", &[0, 255], quota).await.unwrap();
        let page =
            HarvestedPage { state: "{}".into(), kept: vec![("oai:x:1".into(), "doi:y".into())], deleted: vec![] };
        site.save_harvested_page("https://repository.example/oai", "", &page).await.unwrap();
        let count =
            |kind: &str, entity| Count { site: SITE, kind: kind.into(), entity, day: 20_000, visits: 7, downloads: 2 };
        store.add_counts(&[count("article", article), count("news", 1)], &[]).await.unwrap();
    });
    here
}

/// Imports an article into another site, so that low numbers are taken in the installation.
fn take_numbers(there: &Installation) {
    for number in 1..=3 {
        let doi = format!("10.5555/taken.{number}");
        let file = there.desk.write(&format!("taken{number}.xml"), jats(&doi, "Taken", "<p>x</p>"));
        there.good(&["import", "jats", file.to_str().unwrap(), "--site", "plainpress", "--json"]);
    }
}

pub(super) fn compare(here: &Installation, a: &str, b: &str, more: &[&str]) -> (bool, Value) {
    let arguments = [&["site", "compare", a, b, "--site", "oceanledger", "--json"], more].concat();
    let (good, out, errors) = here.run(&arguments);
    (good, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{errors}")))
}

#[test]
fn a_copy_has_no_difference_and_each_change_of_it_is_found() {
    let (here, there) = (full("here"), Installation::new("there"));
    take_numbers(&there);
    let bundle = here.export("site.tar.gz");
    let (good, out, errors) = there.load(&bundle, &["--by", "ada"]);
    assert!(good && out.contains("2 articles, 2 resources, loaded"), "{out}{errors}");
    assert_eq!(there.numbers(), here.numbers(), "numbers, datestamps and tombstones");
    assert_eq!(here.numbers().len(), 3);
    let taken = there.desk.store(async |store| {
        let site = store.site(SiteId(site_number(&there.sites, "plainpress")));
        (number(&site, "10.5555/taken.1").await.0, site.article_count().await.unwrap())
    });
    assert_eq!(taken, (1, 3), "the other site keeps its articles under the same numbers");
    let at = there.generation();
    let (good, out, _) = there.load(&bundle, &[]);
    assert!(good && out.contains("unchanged"), "{out}");
    assert_eq!(there.generation(), at);
    let audit: Value = serde_json::from_str(&there.good(&["audit", "list", "--site", "448", "--json"])).unwrap();
    assert_eq!(audit.as_array().map(Vec::len), Some(1), "a load that changes nothing writes no line: {audit:#}");
    let line = &audit[0];
    assert!(line["who"] == "ada" && line["action"] == "loaded" && line["subject"] == "site/oceanledger", "{audit:#}");
    assert!(line["after"]["bundle"] == "site.tar.gz" && line["after"]["articles"] == 2, "{audit:#}");
    assert_eq!(std::fs::read(there.export("again.tar.gz")).unwrap(), std::fs::read(&bundle).unwrap());

    let (data, copy) = (here.desk.data(), there.desk.data());
    let (data, copy) = (data.to_str().unwrap(), copy.to_str().unwrap());
    let sites = there.sites.to_str().unwrap();
    let (good, report) = compare(&here, data, copy, &["--sites-b", sites]);
    assert!(good, "{report:#}");
    assert_eq!(report["differences"], serde_json::json!([]));
    assert_eq!(report["rows"], true);
    for counted in ["pages", "calls", "searches", "files"] {
        assert!(report[counted].as_u64().unwrap() > 1, "{report:#}");
    }
    let (good, report) = compare(&here, bundle.to_str().unwrap(), copy, &["--sites-b", sites]);
    assert!(good, "{report:#}");

    let cover = there.desk.store(async |store| {
        let site = store.site(SITE);
        let mut changed = site.resource_by_key::<News>("n").await.unwrap().unwrap().value;
        changed.title = LocalText::of(Lang::En, "Other news");
        site.save_resource(&changed).await.unwrap();
        site.save_setting("colorId", Some(&serde_json::json!(4))).await.unwrap();
        let first = number(&site, "10.5555/copy.1").await;
        let count = Count { site: SITE, kind: "article".into(), entity: first.0, day: 20_001, visits: 1, downloads: 0 };
        store.add_counts(&[count], &[]).await.unwrap();
        let third = number(&site, "10.5555/copy.3").await;
        assert!(site.remove_article(third).await.unwrap());
        let address = site.article(first).await.unwrap().unwrap().files[0].address.clone();
        address.rsplit('/').next().unwrap()[..64].to_owned()
    });
    std::fs::write(there.desk.data().join("media").join(&cover[..2]).join(&cover), b"other bytes").unwrap();
    let (good, report) = compare(&here, data, copy, &["--sites-b", sites]);
    assert!(!good);
    let found = |kind: &str, what: &str| {
        let differences = report["differences"].as_array().unwrap();
        let fits = |one: &&Value| one["kind"] == kind && one["what"].as_str().unwrap().contains(what);
        assert!(differences.iter().any(|one| fits(&one)), "no {kind} {what}: {report:#}");
    };
    let first = here.desk.read(async |site| number(&site, "10.5555/copy.1").await);
    let third = here.desk.read(async |site| number(&site, "10.5555/copy.3").await);
    found("page", &format!("/article/{third} in the sitemap"));
    found("page", &format!("/article/{first}"));
    found("call", &format!("getStatistics?id={first}"));
    found("call", "/oai, records as jats");
    found("search", "q=three");
    for table in ["articles: ", "removed_articles: ", "resources: ", "settings: ", "counts: "] {
        found("rows", table);
    }
    found("file", &cover);
}

#[test]
fn pictures_of_the_configuration_are_copied_and_compared() {
    let (here, there) = (Installation::new("pictures-here"), Installation::new("pictures-there"));
    std::fs::remove_file(there.sites.join("quietcircuits.toml")).unwrap();
    std::fs::remove_dir_all(there.sites.join("assets/slides")).unwrap();
    for logo in std::fs::read_dir(there.sites.join("assets/logos")).unwrap() {
        let logo = logo.unwrap();
        // Those of the other sites of its group are not the site's.
        if logo.file_name().to_string_lossy().starts_with("quietcircuits-") {
            std::fs::remove_file(logo.path()).unwrap();
        }
    }
    let bundle = here.desk.folder.join("site.tar.gz");
    let bundle = bundle.to_str().unwrap();
    here.good(&["site", "export", "--site", "quietcircuits", "--to", bundle]);
    let (good, out, errors) = there.load(Path::new(bundle), &[]);
    assert!(good, "{out}{errors}");
    for picture in ["slides/quiet-room.svg", "slides/low-power.svg", "logos/quietcircuits-en.svg"] {
        let of = |one: &Installation| std::fs::read(one.sites.join("assets").join(picture)).unwrap_or_default();
        assert_eq!(of(&there), of(&here), "{picture}");
    }
    let (data, copy, sites) = (here.desk.data(), there.desk.data(), there.sites.to_str().unwrap());
    let compare = || {
        let (data, copy) = (data.to_str().unwrap(), copy.to_str().unwrap());
        let arguments = ["site", "compare", data, copy, "--site", "quietcircuits", "--sites-b", sites, "--json"];
        let (good, out, errors) = here.run(&arguments);
        let report = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{errors}"));
        (good, Value::clone(&report))
    };
    let (good, report) = compare();
    assert!(good && report["files"].as_u64().unwrap() >= 3, "{report:#}");
    std::fs::write(there.sites.join("assets/slides/low-power.svg"), "<svg/>").unwrap();
    std::fs::remove_file(there.sites.join("assets/slides/quiet-room.svg")).unwrap();
    let (good, report) = compare();
    let of_files = report["differences"].as_array().unwrap().iter().filter(|one| one["kind"] == "file");
    let found: Vec<&str> = of_files.map(|one| one["what"].as_str().unwrap()).collect();
    assert!(
        !good && found == ["/assets/sites/slides/low-power.svg", "/assets/sites/slides/quiet-room.svg"],
        "{report:#}"
    );
}

/// The number of a site.
fn site_number(sites: &Path, sld: &str) -> i64 {
    let text = std::fs::read_to_string(sites.join(format!("{sld}.toml"))).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("id = ")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_running_host_is_one_side_of_a_comparison() {
    let here = full("running");
    here.good(&["redirect", "add", "/index.php/one", "--path", "/about", "--site", "oceanledger"]);
    let host = Running::start(&here.sites, &here.desk.data(), &[]);
    let (data, address) = (here.desk.data(), format!("http://{}/oceanledger", host.address()));
    let (good, out, errors) = here.run(&["site", "compare", data.to_str().unwrap(), &address, "--site", "oceanledger"]);
    assert!(!good && errors.contains("--allow-private"), "{out}{errors}");
    let (_, report) = compare(&here, data.to_str().unwrap(), &address, &["--allow-private"]);
    assert_eq!(report["rows"], false, "{report:#}");
    assert!(report["pages"].as_u64().unwrap() > 1 && report["files"].as_u64().unwrap() > 1, "{report:#}");
    assert!(report["searches"].as_u64().unwrap() > 1, "{report:#}");
    let searches = report["differences"].as_array().unwrap().iter().filter(|one| one["kind"] == "search");
    assert_eq!(searches.count(), 0, "both sides find the same: {report:#}");
    let missing =
        report["differences"].as_array().unwrap().iter().filter(|one| one["a"] == "listed" || one["b"] == "listed");
    assert_eq!(missing.count(), 0, "both sides list the same pages: {report:#}");
    for (counted, kind) in
        [("sitemaps", "sitemap"), ("feeds", "feed"), ("records", "record"), ("redirects", "redirect")]
    {
        assert!(report[counted].as_u64().unwrap() > 0, "{counted}: {report:#}");
        let of_kind = report["differences"].as_array().unwrap().iter().filter(|one| one["kind"] == kind);
        assert_eq!(of_kind.count(), 0, "both sides have the same {counted}: {report:#}");
    }
}

#[test]
fn loading_onto_a_site_says_what_it_replaces_and_does_it_only_when_told() {
    let (here, there) = (full("source"), Installation::new("target"));
    assert!(there.load(&here.export("first.tar.gz"), &[]).0);
    // Each side changes on its own.
    let two = here.desk.write("two.xml", jats("10.5555/copy.3", "Three, corrected", "<p>y</p>"));
    assert!(here.desk.import("jats", &[&two], &[]).1);
    let own = there.desk.write("own.xml", jats("10.5555/own.1", "Own", "<p>z</p>"));
    assert!(there.desk.import("jats", &[&own], &[]).1);
    edit(&here.sites.join("oceanledger.toml"), |text| format!("# The other host\n{text}"));
    let bundle = here.export("second.tar.gz");
    let (before, numbers) = (there.generation(), there.numbers());
    let configuration = || std::fs::read_to_string(there.sites.join("oceanledger.toml")).unwrap();

    let (good, out, errors) = there.load(&bundle, &[]);
    assert!(!good, "{out}");
    for words in [
        "articles: 0 new, 1 replaced, 1 removed",
        "doi:10.5555/copy.3",
        "doi:10.5555/own.1",
        "oceanledger.toml: replaced",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(errors.contains("--replace") && errors.contains("oceanledger"), "{errors}");
    let (good, out, _) = there.load(&bundle, &["--dry-run", "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert!(good && report["state"] == "dry-run", "{report:#}");
    let digest = report["digest"].as_str().unwrap();
    assert!(errors.contains(digest), "the same differences have the same digest: {errors}");
    let (good, _, errors) = there.load(&bundle, &["--confirm", "00"]);
    assert!(!good && errors.contains(digest), "{errors}");
    assert_eq!((there.generation(), there.numbers()), (before, numbers), "nothing was changed");
    assert!(!configuration().contains("# The other host"));

    let (good, out, errors) = there.load(&bundle, &["--confirm", digest, "--keep-configuration"]);
    assert!(!good, "with another configuration, the differences are others: {out}{errors}");
    let seen = configuration();
    edit(&there.sites.join("oceanledger.toml"), |text| format!("{text}\n# Changed since\n"));
    let (good, out, errors) = there.load(&bundle, &["--confirm", digest]);
    assert!(!good && configuration().ends_with("# Changed since\n"), "another file was seen: {out}{errors}");
    std::fs::write(there.sites.join("oceanledger.toml"), seen).unwrap();
    let (good, out, errors) = there.load(&bundle, &["--confirm", digest]);
    assert!(good && out.contains("loaded"), "{out}{errors}");
    assert!(configuration().starts_with("# The other host"));
    let mut expected: Vec<(i64, bool)> = here.numbers().iter().map(|(id, _, removed)| (*id, *removed)).collect();
    // The article that only this installation had is a tombstone.
    expected.push((4, true));
    expected.sort_unstable();
    let mut found: Vec<(i64, bool)> = there.numbers().iter().map(|(id, _, removed)| (*id, *removed)).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(there.load(&bundle, &[]).1.contains("unchanged"));

    edit(&there.sites.join("oceanledger.toml"), |text| text.replace("# The other host", "# This host"));
    let (good, out, _) = there.load(&bundle, &["--replace", "--keep-configuration"]);
    assert!(good && out.contains("stays as it is") && configuration().starts_with("# This host"), "{out}");
    let (good, out, _) = there.load(&bundle, &["--replace"]);
    assert!(good && configuration().starts_with("# The other host"), "{out}");
}

/// The bundle with some of its files changed or left out.
pub(super) fn altered(bundle: &Path, mut alter: impl FnMut(&str, Vec<u8>) -> Option<Vec<u8>>) -> Vec<u8> {
    use std::io::Read as _;
    let file = std::fs::File::open(bundle).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    let mut entries = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        entries.extend(alter(&name, bytes).map(|bytes| (name, bytes)));
    }
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    packages::tar_gz(&entries)
}

/// The records of the site that harvesters are told of.
fn records(of: &Installation) -> String {
    let host = Running::start(&of.sites, &of.desk.data(), &[]);
    let records = host.get("127.0.0.1", "/oceanledger/oai?verb=ListIdentifiers&metadataPrefix=oai_dc");
    records.split_once("<ListIdentifiers>").unwrap_or_else(|| panic!("{records}")).1.to_owned()
}

#[test]
fn oai_identifiers_stay_on_a_platform_with_another_domain() {
    let (here, there) = (full("identifiers-here"), Installation::new("identifiers-there"));
    let domain = "domain = \"localhost\"";
    edit(&there.sites.join("platform.toml"), |text| {
        assert!(text.contains(domain), "{text}");
        text.replace(domain, "domain = \"other.example\"")
    });
    let bundle = here.export("site.tar.gz");
    let (good, out, errors) = there.load(&bundle, &["--dry-run"]);
    assert!(good && out.contains("settings: 2 new") && out.contains("library.oaiNamespace"), "{out}{errors}");
    let (good, out, errors) = there.load(&bundle, &[]);
    assert!(good, "{out}{errors}");
    let (of_source, of_copy) = (records(&here), records(&there));
    assert!(of_source.contains("oai:oceanledger.localhost:article/1<"), "{of_source}");
    assert_eq!(of_copy, of_source);
    assert!(there.load(&bundle, &[]).1.contains("unchanged"));

    let before = altered(&bundle, |name, bytes| {
        if name != "bundle.json" {
            return Some(bytes);
        }
        let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(manifest.as_object_mut().unwrap().remove("oaiNamespace").unwrap(), "oceanledger.localhost");
        Some(serde_json::to_vec(&manifest).unwrap())
    });
    let before = there.desk.write("before.tar.gz", before);
    let (good, out, errors) = there.load(&before, &["--replace"]);
    assert!(good && out.contains("settings: 0 new, 0 replaced, 1 removed"), "{out}{errors}");
    assert!(records(&there).contains("oai:oceanledger.other.example:article/1<"));
}

#[test]
fn a_bundle_that_is_damaged_or_newer_changes_nothing() {
    let (here, there) = (full("whole"), Installation::new("damaged"));
    let bundle = here.export("site.tar.gz");
    let whole = std::fs::read(&bundle).unwrap();
    let mut cases: Vec<(String, Vec<u8>, &str)> =
        (1..10).map(|tenth| (format!("{tenth} tenths"), whole[..whole.len() * tenth / 10].to_vec(), "")).collect();
    let replaced = |of: &'static str, from: &'static str, to: &'static str| {
        altered(&bundle, |name, bytes| {
            Some(if name == of { String::from_utf8(bytes).unwrap().replace(from, to).into_bytes() } else { bytes })
        })
    };
    let without = |of: &'static str| altered(&bundle, |name, bytes| (!name.starts_with(of)).then_some(bytes));
    cases.extend([
        ("another title".to_owned(), replaced("tables/articles.jsonl", "Three", "Four"), "tables/articles.jsonl"),
        ("another count".to_owned(), replaced("tables/counts.jsonl", "7", "8"), "tables/counts.jsonl"),
        ("another digest".to_owned(), replaced("digests.json", "a", "b"), "digests.json"),
        ("without a picture".to_owned(), without("media/"), "media/"),
        ("without articles".to_owned(), without("tables/articles.jsonl"), "tables/articles.jsonl"),
        ("without a manifest".to_owned(), without("bundle.json"), "no bundle.json"),
        ("newer format".to_owned(), replaced("bundle.json", "\"version\": 2", "\"version\": 3"), "newer Masthead"),
        ("newer tables".to_owned(), replaced("bundle.json", "\"schema\": ", "\"schema\": 9"), "newer Masthead"),
    ]);
    let sites = || std::fs::read(there.sites.join("oceanledger.toml")).unwrap();
    let configuration = sites();
    for (name, bytes, words) in cases {
        assert_ne!(bytes, whole, "{name}");
        let path = there.desk.write("damaged.tar.gz", bytes);
        let (good, out, errors) = there.load(&path, &["--replace"]);
        assert!(!good && errors.contains(words) && !errors.contains("panicked"), "{name}: {out}{errors}");
        assert_eq!((there.generation(), there.numbers().len(), sites()), (0, 0, configuration.clone()), "{name}");
        assert!(!there.desk.data().join("media").exists(), "{name}: no file was stored");
    }
    let (good, out, errors) = there.load(&bundle, &[]);
    assert!(good, "{out}{errors}");
}

#[test]
fn a_bundle_of_the_first_version_is_still_loaded() {
    let there = Installation::new("first-version");
    let bundle = |title: &str| {
        let site = std::fs::read(there.sites.join("oceanledger.toml")).unwrap();
        let article = jats("10.5555/first.1", title, "<p>x</p>");
        let news = r#"{"kind":"news","value":{"key":"n","title":{"en":"News"}}}"#;
        let manifest = br#"{"version":1,"siteId":448,"sld":"oceanledger","articles":1,"resources":1}"#;
        packages::tar_gz(&[
            ("bundle.json", manifest),
            ("site.toml", &site),
            ("settings.json", br#"{"colorId":3}"#),
            ("journals.json", b"[]"),
            ("issues.json", b"[]"),
            ("articles/000001/article.xml", article.as_bytes()),
            ("resources.jsonl", news.as_bytes()),
        ])
    };
    let own = there.desk.write("own.xml", jats("10.5555/own.1", "Own", "<p>z</p>"));
    assert!(there.desk.import("jats", &[&own], &[]).1);
    let path = there.desk.write("first.tar.gz", bundle("First"));
    let (good, out, errors) = there.load(&path, &[]);
    assert!(!good && out.contains("articles: 1 new") && errors.contains("--replace"), "{out}{errors}");
    assert_eq!(there.numbers().len(), 1);
    let (good, out, errors) = there.load(&path, &["--replace"]);
    assert!(good && out.contains("1 articles, 1 resources, loaded"), "{out}{errors}");
    let numbers: Vec<i64> = there.numbers().iter().map(|(id, ..)| *id).collect();
    assert_eq!(numbers, [1, 2], "what was there keeps its number, and is not removed");
    assert!(there.load(&path, &[]).1.contains("unchanged"));
    let path = there.desk.write("second.tar.gz", bundle("First, corrected"));
    assert!(there.load(&path, &["--replace"]).0);
    let title =
        there.desk.read(async |site| site.article(ArticleId(2)).await.unwrap().unwrap().meta.title("en").to_owned());
    assert_eq!(title, "First, corrected");
}
