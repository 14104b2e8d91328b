//! Site bundles: an exported site is the same after another installation loads it.

use std::os::unix::fs::PermissionsExt as _;

use masthead_domain::{
    Lang, LocalText,
    resource::{Comment, News, Picture},
};
use masthead_store::{CardQuery, SiteStore};

use super::{Desk, FIGURE, add_comment_and_setting, jats, packages};
use masthead_test_support::{copy, masthead, repository, run, stderr};

/// All content of a site, without the numbers and dates that are specific to an installation.
async fn seen(site: &SiteStore) -> serde_json::Value {
    let mut articles = Vec::new();
    for card in site.cards(&CardQuery::Latest, None, 100).await.unwrap() {
        let article = site.article(card.article_id()).await.unwrap().unwrap();
        let figures = site.resources_of_article::<Picture>(card.id).await.unwrap();
        let comments = site.resources_of_article::<Comment>(card.id).await.unwrap();
        let figures: Vec<_> = figures.into_iter().map(|one| (one.value.element, one.value.pictures)).collect();
        let comments: Vec<_> = comments.into_iter().map(|one| (one.value.key, one.value.text)).collect();
        articles.push(serde_json::json!([article.meta, article.rendered.unsealed(), article.files, figures, comments]));
    }
    articles.sort_by_key(ToString::to_string);
    let news: Vec<_> = site.resources::<News>("", None, 10).await.unwrap().into_iter().map(|one| one.value).collect();
    let settings = site.settings().await.unwrap();
    serde_json::json!([articles, news, site.journals().await.unwrap(), settings])
}

#[test]
fn a_bundle_loads_to_the_same_site() {
    let (here, there) = (Desk::new("bundle-here"), Desk::new("bundle-there"));
    let picture = packages::png();
    let package = here.write(
        "a.tar.gz",
        packages::tar_gz(&[
            ("a.xml", jats("10.5555/bundle.1", "One", FIGURE).as_bytes()),
            ("images/f1.png", &picture),
            ("b.xml", jats("10.5555/bundle.2", "Two", "<p>x</p>").as_bytes()),
        ]),
    );
    assert!(here.import("auto", &[&package], &[]).1);
    here.read(async |site| {
        let cover = site.resources::<Picture>("", None, 1).await.unwrap()[0].value.pictures[0].small.clone();
        let news = News { key: "n".into(), title: LocalText::of(Lang::En, "News"), cover, ..News::default() };
        site.save_resource(&news).await.unwrap();
        let article = site.cards(&CardQuery::Latest, None, 1).await.unwrap()[0].id;
        add_comment_and_setting(&site, article).await;
    });
    let sites = repository("sites");
    let bundle = here.folder.join("site.tar.gz");
    let output = run(&sites, &here.data(), &["site", "export", "--site", "448", "--to", bundle.to_str().unwrap()]);
    assert!(output.contains("2 articles, 2 resources"), "{output}");
    let mode = std::fs::metadata(&bundle).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "restricted texts are for nobody else");
    // The other installation does not have the site yet.
    let others = there.folder.join("sites");
    copy(&sites, &others);
    std::fs::remove_file(others.join("oceanledger.toml")).unwrap();
    std::fs::remove_file(others.join("assets/logos/oceanledger-en.svg")).unwrap();
    run(&others, &there.data(), &["site", "load", bundle.to_str().unwrap()]);
    assert!(others.join("assets/logos/oceanledger-en.svg").exists());
    assert_eq!(
        std::fs::read(others.join("oceanledger.toml")).unwrap(),
        std::fs::read(sites.join("oceanledger.toml")).unwrap()
    );
    let (before, after) = (here.read(async |site| seen(&site).await), there.read(async |site| seen(&site).await));
    assert_eq!(before, after);
    // Media files are loaded as well, and loading again changes nothing.
    let cover = after[1][0]["cover"].as_str().unwrap().rsplit('/').next().unwrap()[..64].to_owned();
    assert!(there.data().join("media").join(&cover[..2]).join(&cover).exists());
    let generation = |desk: &Desk| desk.read(async |site| site.generation().await.unwrap());
    let at = generation(&there);
    run(&others, &there.data(), &["site", "load", bundle.to_str().unwrap()]);
    assert_eq!(generation(&there), at);
    let again = there.folder.join("again.tar.gz");
    run(&others, &there.data(), &["site", "export", "--site", "448", "--to", again.to_str().unwrap()]);
    assert_eq!(std::fs::read(&bundle).unwrap().len(), std::fs::read(&again).unwrap().len());
}

#[test]
fn invalid_bundles_are_rejected() {
    let desk = Desk::new("bundle-odd");
    let sites = repository("sites");
    for (name, bytes, words) in [
        ("plain.tar.gz", packages::tar_gz(&[("a.xml", b"<x/>")]), "no bundle.json"),
        (
            "newer.tar.gz",
            packages::tar_gz(&[("bundle.json", br#"{"version":99,"siteId":1,"sld":"x","articles":0,"resources":0}"#)]),
            "newer Masthead",
        ),
        (
            "odd.tar.gz",
            packages::tar_gz(&[(
                "bundle.json",
                br#"{"version":1,"siteId":1,"sld":"../x","articles":0,"resources":0}"#,
            )]),
            "short name",
        ),
        ("text.tar.gz", b"text".to_vec(), ""),
    ] {
        let path = desk.write(name, bytes);
        let output = masthead(&sites, &desk.data(), &["site", "load", path.to_str().unwrap()]);
        assert!(!output.status.success() && stderr(&output).contains(words), "{name}: {}", stderr(&output));
    }
}
