//! The state of harvests.

use masthead_domain::SiteId;
use masthead_store::{HarvestedPage, Store};

pub async fn suite(store: &Store) {
    let (site, other) = (store.site(SiteId(448)), store.site(SiteId(905)));
    let (here, there) = ("https://a.example/oai", "https://b.example/oai");
    let kept = |records: &[(&str, &str)]| {
        records.iter().map(|(identifier, key)| ((*identifier).to_owned(), (*key).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(site.harvest_state(here, "").await.unwrap(), None);
    let first = HarvestedPage {
        state: "1".to_owned(),
        kept: kept(&[("oai:a:1", "doi:10.5555/1"), ("oai:a:2", "doi:10.5555/2")]),
        deleted: Vec::new(),
    };
    site.save_harvested_page(here, "", &first).await.unwrap();
    let second =
        HarvestedPage { state: "2".to_owned(), kept: kept(&[("oai:b:1", "doi:10.5555/1")]), deleted: Vec::new() };
    site.save_harvested_page(there, "maths", &second).await.unwrap();
    assert_eq!(site.harvest_state(here, "").await.unwrap().as_deref(), Some("1"));
    assert_eq!(site.harvest_state(there, "maths").await.unwrap().as_deref(), Some("2"));
    assert_eq!(site.harvest_state(there, "").await.unwrap(), None);
    assert_eq!(site.harvested_key(here, "oai:a:2").await.unwrap().as_deref(), Some("doi:10.5555/2"));
    let from = |repository: &str, identifier: &str| (repository.to_owned(), identifier.to_owned());
    let mut both = site.harvested_from("doi:10.5555/1").await.unwrap();
    both.sort();
    let mut expected = [from(here, "oai:a:1"), from(there, "oai:b:1")];
    expected.sort();
    assert_eq!(both, expected);
    assert_eq!(site.harvested_from("doi:10.5555/2").await.unwrap(), [from(here, "oai:a:2")]);
    assert!(other.harvested_from("doi:10.5555/2").await.unwrap().is_empty());
    assert_eq!(other.harvested_key(here, "oai:a:2").await.unwrap(), None);
    assert_eq!(other.harvest_state(here, "").await.unwrap(), None);

    // A record that returns with another identifier of its article, and one that is deleted.
    let third = HarvestedPage {
        state: "3".to_owned(),
        kept: kept(&[("oai:a:1", "doi:10.5555/9")]),
        deleted: vec!["oai:a:2".to_owned(), "oai:a:7".to_owned()],
    };
    site.save_harvested_page(here, "", &third).await.unwrap();
    assert_eq!(site.harvest_state(here, "").await.unwrap().as_deref(), Some("3"));
    assert_eq!(site.harvested_key(here, "oai:a:1").await.unwrap().as_deref(), Some("doi:10.5555/9"));
    assert_eq!(site.harvested_key(here, "oai:a:2").await.unwrap(), None);
}
