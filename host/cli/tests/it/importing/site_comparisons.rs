//! What `masthead site compare` finds besides pages, calls, files and rows: sitemaps, feeds, records, what is left of removed and withdrawn
//! articles, redirects, and the details of resources.

use std::time::{Duration, SystemTime};

use masthead_domain::{
    Lang, LocalText,
    resource::{Album, Expert, Picture},
};
use serde_json::{Value, json};

use super::{
    jats,
    site_copies::{Installation, compare, full, number},
};

/// Changes an article, a redirect, or another record of the site.
fn change(one: &Installation, arguments: &[&str]) {
    one.good(&[arguments, &["--site", "oceanledger"]].concat());
}

/// Waits until the next change is of another second than those before: datestamps have seconds.
fn pass_a_second(here: &Installation) {
    let latest = here.numbers().into_iter().map(|(_, changed, _)| changed).max().unwrap();
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    while now() / 1000 <= u128::try_from(latest).unwrap() / 1000 {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The difference of this kind in what is called so.
fn difference<'a>(report: &'a Value, kind: &str, what: &str) -> &'a Value {
    let found = report["differences"].as_array().unwrap().iter().find(|one| one["kind"] == kind && one["what"] == what);
    found.unwrap_or_else(|| panic!("no {kind} {what}: {report:#}"))
}

#[test]
fn what_machines_and_earlier_addresses_lead_to_is_compared() {
    let (here, there) = (full("follow-here"), Installation::new("follow-there"));
    change(&here, &["redirect", "add", "/index.php/one", "--path", "/about"]);
    let withdrawn = ["withdrawn.date=2026-06-30", "withdrawn.reason.en=The data were wrong."];
    let third = here.desk.read(async |site| number(&site, "10.5555/copy.3").await);
    change(&here, &[&["article", "set", "10.5555/copy.3"], &withdrawn[..]].concat());
    change(&here, &["institution", "set", "harbour", "--name", "Harbour", "--network", "192.0.2.0/24"]);
    let (expert, figure) = here.desk.read(async |site| {
        let ada = Expert { key: "ada".into(), name: LocalText::of(Lang::En, "Ada"), ..Expert::default() };
        site.save_resource(&ada).await.unwrap();
        let ada = site.resource_by_key::<Expert>("ada").await.unwrap().unwrap();
        (ada.id, site.resources::<Picture>("", None, 1).await.unwrap()[0].id)
    });
    let bundle = here.export("site.tar.gz");
    let (good, out, errors) = there.load(&bundle, &[]);
    assert!(good, "{out}{errors}");
    let (data, copy) = (here.desk.data(), there.desk.data());
    let (data, copy) = (data.to_str().unwrap(), copy.to_str().unwrap());
    let sites = ["--sites-b", there.sites.to_str().unwrap()];
    let (good, report) = compare(&here, data, copy, &sites);
    assert!(good && report["differences"] == json!([]), "{report:#}");
    assert_eq!(report["partial"], json!([]));
    let counted = |what: &str| report[what].as_u64().unwrap();
    assert!(counted("sitemaps") >= 3 && counted("feeds") >= 12 && counted("resources") >= 3, "{report:#}");
    assert_eq!((counted("records"), counted("tombstones"), counted("redirects")), (3, 2, 1), "{report:#}");

    pass_a_second(&here);
    change(&there, &["redirect", "add", "/index.php/one", "--path", "/issues"]);
    change(&there, &["article", "set", "10.5555/copy.3", "withdrawn.reason.en=Salt in the data."]);
    change(&there, &["article", "set", "10.5555/copy.1", "titles.en=One, corrected"]);
    change(&there, &["institution", "set", "harbour", "--name", "Harbour", "--network", "198.51.100.0/24"]);
    let two = there.desk.write("two.xml", jats("10.5555/copy.2", "Two", "<p>x</p>"));
    assert!(there.desk.import("jats", &[&two], &[]).1);
    let album = there.desk.read(async |site| {
        let mut ada = site.resource_by_key::<Expert>("ada").await.unwrap().unwrap().value;
        ada.bio = LocalText::of(Lang::En, "<p>Counts tides</p>");
        site.save_resource(&ada).await.unwrap();
        let mut figure = site.resources::<Picture>("", None, 1).await.unwrap().remove(0).value;
        figure.title = LocalText::of(Lang::En, "Another title");
        site.save_resource(&figure).await.unwrap();
        let album = Album { key: "spring".into(), title: LocalText::of(Lang::En, "Spring"), ..Album::default() };
        site.save_resource(&album).await.unwrap();
        site.resource_by_key::<Album>("spring").await.unwrap().unwrap().id
    });
    let (good, report) = compare(&here, data, copy, &sites);
    assert!(!good);
    let says = |one: &Value, side: &str, words: &str| assert!(one[side].as_str().unwrap().contains(words), "{one:#}");
    for (kind, what) in [
        ("sitemap", "/sitemap-articles-1.xml"),
        ("feed", "/en/feed.rss"),
        ("feed", "/zh/feed.atom"),
        ("record", "article/1"),
    ] {
        let one = difference(&report, kind, what);
        assert_ne!(one["a"], one["b"], "the moment of the change");
    }
    let second = difference(&report, "record", "article/2");
    assert!(second["a"].as_str().unwrap().ends_with("deleted"), "{second:#}");
    assert!(!second["b"].as_str().unwrap().ends_with("deleted"), "{second:#}");
    let reason = difference(&report, "tombstone", &format!("/en/article/{third}"));
    says(reason, "a", "The data were wrong.");
    says(reason, "b", "Salt in the data.");
    for (kind, what, statuses) in [
        ("tombstone", "/rc-pub/front/front-article/2".to_owned(), ("status 410", "status 200")),
        ("resource", format!("/rc-pub/front/album/{album}"), ("status 404", "status 200")),
    ] {
        let one = difference(&report, kind, &what);
        assert_eq!((one["a"].as_str(), one["b"].as_str()), (Some(statuses.0), Some(statuses.1)), "{one:#}");
    }
    for old in ["/index.php/one", "/en/index.php/one"] {
        let redirect = difference(&report, "redirect", old);
        says(redirect, "a", "/about");
        says(redirect, "b", "/issues");
    }
    for what in [
        format!("/rc-pub/front/front-expert/{expert}"),
        format!("/rc-pub/front/pictures/{figure}"),
        format!("/en/picture/{figure}"),
    ] {
        difference(&report, "resource", &what);
    }
    difference(&report, "rows", "institutions: harbour Harbour (1)");
}
