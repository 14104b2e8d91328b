//! Articles that are removed, as harvesters see it. The command that removes them is tested in `masthead-cli`.

use masthead_domain::ArticleId;

use super::{GAMMA, PORTAL, harvest::harvest, made, put, texts};

#[test]
fn what_is_removed_is_told_as_deleted_and_comes_back_under_its_name() {
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    let before = harvest("gamma", list).0;
    assert!(before.iter().all(|one| !one.deleted));
    let id = PORTAL.article("gamma", "10.5555/gamma.2");
    let page = format!("/en/article/{id}?format=ris");
    assert_eq!(PORTAL.get("gamma", &page).status, 200);

    assert!(PORTAL.run(PORTAL.app.store.site(GAMMA).remove_article(ArticleId(id))).unwrap());
    let after = harvest("gamma", list).0;
    assert_eq!(after.len(), before.len());
    let gone = after.last().unwrap();
    assert!(gone.deleted && gone.metadata.is_empty() && gone.identifier.ends_with(&format!("/{id}")), "{gone:?}");
    assert_eq!(gone.sets, ["gamma-letters"]);
    let record = super::protocol::ask(
        "gamma",
        &format!("{}&identifier={}", list.replace("ListRecords", "GetRecord"), gone.identifier),
    );
    assert!(record.contains("status=\"deleted\"") && !record.contains("<metadata>"), "{record}");
    assert_eq!(PORTAL.get("gamma", &page).status, 404);
    let map = PORTAL.get("gamma", "/sitemap.xml").text();
    let part = texts(&roxmltree::Document::parse(&map).unwrap(), "loc").remove(1);
    let part = part.strip_prefix("http://gamma.localhost").unwrap().to_owned();
    assert!(!PORTAL.get("gamma", &part).text().contains(&format!("/article/{id}<")));

    assert_eq!(put(&PORTAL, GAMMA, &made("gamma", 2, "Gamma Letters")).0, id);
    assert!(harvest("gamma", list).0.iter().all(|one| !one.deleted));
}
