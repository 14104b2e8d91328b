//! Tests of the lists of resources by page number, and of what a collection names.

use masthead_domain::{
    ArticleId, SiteId,
    resource::{Collection, NewsType, Patent, Picture, ResourceKind, TableSheet, Video},
};
use masthead_store::{Count, ListPart, PartOrder, ResourcePage, Store};

use super::{news, with_figures};
use crate::article;

const fn part(offset: u64, limit: u32, reversed: bool) -> ListPart {
    let order = if reversed { PartOrder::Reversed } else { PartOrder::Usual };
    ListPart { offset, limit, order }
}

fn keys(page: &ResourcePage) -> Vec<String> {
    let key = |data: &str| serde_json::from_str::<serde_json::Value>(data).unwrap()["key"].as_str().unwrap().to_owned();
    page.rows.iter().map(|row| key(&row.data)).collect()
}

pub async fn suite(store: &Store) {
    parts_of_a_list(store).await;
    several_kinds(store).await;
    by_number_or_key(store).await;
    what_articles_have(store).await;
    most_viewed(store).await;
}

async fn parts_of_a_list(store: &Store) {
    let site = store.site(SiteId(1040));
    for number in 0..7 {
        let kind = if number % 2 == 0 { NewsType::Dynamic } else { NewsType::Statement };
        site.save_resource(&news(&format!("n{number}"), &format!("2026-01-0{}", 1 + number / 2), kind)).await.unwrap();
    }
    let page = |section: &'static str, part| {
        let site = store.site(SiteId(1040));
        async move { site.resource_page(&[ResourceKind::News], section, part).await.unwrap() }
    };
    let first = page("", part(0, 3, false)).await;
    assert_eq!((first.total, keys(&first)), (7, vec!["n6".into(), "n5".into(), "n4".into()]));
    assert_eq!(keys(&page("", part(3, 3, false)).await), ["n3", "n2", "n1"]);
    assert_eq!(keys(&page("", part(0, 3, true)).await), ["n0", "n1", "n2"], "from the end");
    let behind = page("", part(90, 3, false)).await;
    assert_eq!((behind.total, behind.rows.len()), (7, 0), "an empty part knows the length of the list");
    let statements = page("statement", part(0, 9, false)).await;
    assert_eq!((statements.total, keys(&statements)), (3, vec!["n5".into(), "n3".into(), "n1".into()]));
    let elsewhere = store.site(SiteId(1041)).resource_page(&[ResourceKind::News], "", part(0, 9, false)).await.unwrap();
    assert_eq!(elsewhere, ResourcePage::default(), "another site's");
    assert_eq!(site.resource_page(&[], "", part(0, 9, false)).await.unwrap(), ResourcePage::default());
}

async fn several_kinds(store: &Store) {
    let site = store.site(SiteId(1042));
    site.save_resource(&Patent { key: "p".into(), date: "2026-02-02".into(), ..Patent::default() }).await.unwrap();
    site.save_resource(&Video { key: "v".into(), date: "2026-02-03".into(), ..Video::default() }).await.unwrap();
    site.save_resource(&news("other", "2026-02-04", NewsType::Dynamic)).await.unwrap();
    let kinds = [ResourceKind::Patent, ResourceKind::Video];
    let mixed = site.resource_page(&kinds, "", part(0, 9, false)).await.unwrap();
    assert_eq!((mixed.total, keys(&mixed)), (2, vec!["v".into(), "p".into()]));
    assert_eq!(mixed.rows[0].kind, ResourceKind::Video);
    assert_eq!(mixed.rows[0].value::<Video>().unwrap().key, "v");
}

async fn most_viewed(store: &Store) {
    let site = store.site(SiteId(1047));
    let mut ids = Vec::new();
    for number in 0..5 {
        let patent =
            Patent { key: format!("p{number}"), date: format!("2026-01-0{}", 1 + number), ..Patent::default() };
        ids.push(site.save_resource(&patent).await.unwrap().id());
    }
    let visits = |kind: ResourceKind, entity: i64, visits: i64| Count {
        site: SiteId(1047),
        kind: kind.as_str().to_owned(),
        entity,
        day: 200,
        visits,
        downloads: 0,
    };
    let counts = [
        visits(ResourceKind::Patent, ids[1], 3),
        visits(ResourceKind::Patent, ids[3], 8),
        visits(ResourceKind::Video, ids[0], 99),
    ];
    store.add_counts(&counts, &[]).await.unwrap();
    let part = |offset, limit| ListPart { offset, limit, order: PartOrder::Visits };
    let page = async |part| site.resource_page(&[ResourceKind::Patent], "", part).await.unwrap();
    assert_eq!(keys(&page(part(0, 9)).await), ["p3", "p1", "p4", "p2", "p0"], "then the newest");
    let second = page(part(2, 2)).await;
    assert_eq!((second.total, keys(&second)), (5, vec!["p4".into(), "p2".into()]));
}

async fn by_number_or_key(store: &Store) {
    let site = store.site(SiteId(1043));
    let named = |key: &str| Collection { key: key.into(), ..Collection::default() };
    let first = site.save_resource(&named("spring")).await.unwrap().id();
    let second = site.save_resource(&named(&first.to_string())).await.unwrap().id();
    let found = |name: String| {
        let site = store.site(SiteId(1043));
        async move { site.resource_named::<Collection>(&name).await.unwrap().map(|stored| stored.id) }
    };
    assert_eq!(found("spring".into()).await, Some(first));
    assert_eq!(found(first.to_string()).await, Some(first), "a number goes before a key");
    assert_eq!(found(second.to_string()).await, Some(second));
    assert_eq!(found("autumn".into()).await, None);
    assert_eq!(found(String::new()).await, None);
    for odd in [format!("0{first}"), format!("+{first}"), "spring\0".to_owned()] {
        assert_eq!(found(odd.clone()).await, None, "{odd:?}");
        assert_eq!(site.resource_by_key::<Collection>(&odd).await.unwrap(), None, "{odd:?}");
    }
    assert_eq!(store.site(SiteId(1044)).resource_named::<Collection>("spring").await.unwrap(), None);
}

async fn what_articles_have(store: &Store) {
    let site = store.site(SiteId(1045));
    let drawn = site.save_article(&with_figures(&["f1", "f2"])).await.unwrap().id();
    let bare = site.save_article(&article("10.5555/bare", "Bare", "9")).await.unwrap().id();
    let names = ["10.5555/BARE", "10.5555/none", "doi:10.5555/figures", "10.5555/figures"];
    let named = site.named_articles(&names).await.unwrap();
    let counts: Vec<_> = named.iter().map(|one| (one.id, one.figures, one.tables)).collect();
    assert_eq!(counts, [(bare, 0, 0), (drawn, 2, 1)], "in the order of the names, each once");
    assert_eq!(site.named_articles(&[]).await.unwrap(), []);
    assert_eq!(store.site(SiteId(1046)).named_articles(&names).await.unwrap(), []);

    let figures = site.exhibit_page::<Picture>(&[drawn, bare], &[], part(0, 1, false)).await.unwrap();
    assert_eq!((figures.total, figures.rows.len(), figures.rows[0].article), (2, 1, drawn.0));
    assert!(!figures.rows[0].open_access);
    let mut open = with_figures(&["f1", "f2"]);
    (open.article.meta.open_access, open.card.open_access) = (true, true);
    site.save_article(&open).await.unwrap();
    let opened = site.exhibit_page::<Picture>(&[drawn], &[], part(0, 9, false)).await.unwrap();
    assert!(opened.rows.iter().all(|row| row.open_access && row.article_access().article == drawn), "{opened:?}");
    let found = site.resource_rows_by_id(&[opened.rows[0].id]).await.unwrap();
    assert_eq!(found.into_values().collect::<Vec<_>>(), opened.rows[..1]);
    let key = format!("{drawn}/f2");
    let by_key = site.exhibit_page::<Picture>(&[], &[key.as_str()], part(0, 9, false)).await.unwrap();
    assert_eq!((by_key.total, keys(&by_key)), (1, vec![key.clone()]));
    let both = site.exhibit_page::<Picture>(&[drawn], &[key.as_str()], part(0, 9, false)).await.unwrap();
    assert_eq!(both.total, 2, "a figure that is named and of a named article is listed once");
    assert_eq!(site.exhibit_page::<Picture>(&[], &[], part(0, 9, false)).await.unwrap(), ResourcePage::default());

    let id = by_key.rows[0].id;
    let beside = site.exhibits_beside::<Picture>(id).await.unwrap();
    assert_eq!(beside.iter().map(|one| one.value.element.as_str()).collect::<Vec<_>>(), ["f1", "f2"]);
    assert!(site.exhibits_beside::<TableSheet>(id).await.unwrap().is_empty(), "a figure is no table");
    assert!(store.site(SiteId(1046)).exhibits_beside::<Picture>(id).await.unwrap().is_empty());
    assert!(site.exhibits_beside::<Picture>(ArticleId(0).0).await.unwrap().is_empty());
}
