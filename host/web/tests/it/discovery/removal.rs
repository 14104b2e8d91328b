//! Removed articles, as harvesters see them. The command that removes them is tested in `masthead-cli`.

use masthead_domain::{ArticleId, SiteId};
use masthead_test_support::{Portal, Setup};

use super::{GAMMA, PORTAL, generated, harvest::harvest, put, texts};

#[test]
fn a_removed_article_is_a_deleted_record_and_keeps_its_identifier_when_it_returns() {
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    let before = harvest("gamma", list).0;
    assert!(before.iter().all(|one| !one.deleted));
    let id = PORTAL.article("gamma", "10.5555/gamma.2");
    let page = format!("/en/article/{id}?format=ris");
    assert_eq!(PORTAL.get("gamma", &page).status, 200);

    assert!(PORTAL.run(PORTAL.app.store.site(GAMMA).remove_article(ArticleId(id))).unwrap());
    let after = harvest("gamma", list).0;
    assert_eq!(after.len(), before.len());
    let removed = after.last().unwrap();
    assert!(
        removed.deleted && removed.metadata.is_empty() && removed.identifier.ends_with(&format!("/{id}")),
        "{removed:?}"
    );
    assert_eq!(removed.sets, ["gamma-letters"]);
    let record = super::protocol::ask(
        "gamma",
        &format!("{}&identifier={}", list.replace("ListRecords", "GetRecord"), removed.identifier),
    );
    assert!(record.contains("status=\"deleted\"") && !record.contains("<metadata>"), "{record}");
    assert_eq!(PORTAL.get("gamma", &page).status, 410);
    let map = PORTAL.get("gamma", "/sitemap.xml").text();
    let part = texts(&roxmltree::Document::parse(&map).unwrap(), "loc").remove(1);
    let part = part.strip_prefix("http://gamma.localhost").unwrap().to_owned();
    assert!(!PORTAL.get("gamma", &part).text().contains(&format!("/article/{id}<")));

    assert_eq!(put(&PORTAL, GAMMA, &generated("gamma", 2, "Gamma Letters")).0, id);
    assert!(harvest("gamma", list).0.iter().all(|one| !one.deleted));
}

#[test]
fn a_copy_of_a_list_from_before_a_removal_is_not_current() {
    let portal = Portal::start("library-removal", Setup { bare: true, ..Setup::default() }, |_| {});
    // Moments in headers are whole seconds: the articles are of another one than the removal.
    let earlier = portal.app.store.clone().with_clock(|| 1_700_000_000_000).site(SiteId(448));
    let ids = [1, 2].map(|number| {
        let article = generated("fading", number, "Fading Letters");
        portal.run(earlier.save_article(&article)).unwrap().id()
    });
    let map = portal.page("oceanledger", "/sitemap.xml");
    let parts = texts(&roxmltree::Document::parse(&map).unwrap(), "loc");
    let part = parts[1].strip_prefix("http://oceanledger.localhost").unwrap();
    let paths = ["/sitemap.xml", part, "/en/feed.rss", "/en/feed.atom"];
    let moment = |path: &str| portal.get("oceanledger", path).header("last-modified").to_owned();
    let since =
        |path: &str, moment: &str| portal.with("oceanledger.localhost", path, &[("if-modified-since", moment)]).status;
    let before = paths.map(moment);
    for (path, before) in paths.iter().zip(&before) {
        assert_eq!(since(path, before), 304, "{path}: {before}");
    }
    assert!(portal.run(portal.app.store.site(SiteId(448)).remove_article(ids[1])).unwrap());
    for (path, before) in paths.iter().zip(&before) {
        assert_eq!(since(path, before), 200, "{path}: {before}");
        assert_eq!(since(path, &moment(path)), 304, "{path}");
    }
}
