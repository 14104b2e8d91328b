//! Removed articles, as harvesters see them. The command that removes them is tested in `masthead-cli`.

use masthead_domain::ArticleId;

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
