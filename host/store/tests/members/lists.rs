//! Favourites, history, albums, pictures, saved searches: each member's own.

use masthead_domain::{
    SiteId,
    member::{ItemRef, ItemType, MemberId, Use},
    resource::ResourceKind,
};
use masthead_store::{AlbumText, ItemFilter, MemberUse, NewFile, Saving, SearchText, Store, Window};

use super::{article, listed, member};

const A: SiteId = SiteId(6131);
const B: SiteId = SiteId(6132);

pub async fn suite(store: &Store) {
    favourites(store).await;
    history(store).await;
    albums(store).await;
    pictures(store).await;
    searches(store).await;
}

fn picture(number: i64) -> ItemRef {
    ItemRef::new(ItemType::Resource(ResourceKind::Picture), number)
}

async fn favourites(store: &Store) {
    let (ada, bob) = (member(store, A, "fav-ada").await, member(store, A, "fav-bob").await);
    let elsewhere = store.site(B).of_member(ada.id());
    let first = [listed(article(1), "Tides of the Sea"), listed(picture(1), "Ｔｉｄｅ gauge 100%")];
    assert_eq!(ada.collect(&first, 3, 100).await.unwrap(), Saving::Saved(()));
    assert_eq!(ada.collect(&first, 3, 200).await.unwrap(), Saving::Saved(()), "the same again");
    let more = [listed(article(2), "Rivers"), listed(article(3), "Lakes")];
    assert_eq!(ada.collect(&more, 3, 300).await.unwrap(), Saving::Full);
    assert!(!ada.is_favourite(&article(2)).await.unwrap(), "all or none");
    assert_eq!(ada.collect(&more[..1], 3, 300).await.unwrap(), Saving::Saved(()));
    let find = async |kind, keyword, window| {
        let list = ada.favourites(ItemFilter { kind, keyword }, window).await.unwrap();
        (list.entries.into_iter().map(|one| one.item.title).collect::<Vec<_>>(), list.total)
    };
    let all = find(None, "", Window::ALL).await;
    assert_eq!((all.0[0].as_str(), all.1), ("Rivers", 3), "latest first");
    assert_eq!(find(None, "", Window { skip: 1, size: 1 }).await, (vec!["Tides of the Sea".to_owned()], 3));
    assert_eq!(find(Some(ItemType::Article), "", Window::ALL).await.1, 2);
    assert_eq!(find(None, "TIDE", Window::ALL).await.1, 2, "capitals and forms are the same");
    assert_eq!(find(None, "100%", Window::ALL).await.1, 1);
    assert_eq!(find(None, "1_0", Window::ALL).await.1, 0, "a keyword is no pattern");
    assert_eq!(find(None, "' OR 1=1 --", Window::ALL).await.1, 0);
    assert!(ada.is_favourite(&article(1)).await.unwrap());
    for other in [&bob, &elsewhere] {
        assert!(!other.is_favourite(&article(1)).await.unwrap());
        assert_eq!(other.favourites(ItemFilter::default(), Window::ALL).await.unwrap().total, 0);
    }
    assert_eq!(bob.remove_favourites(&[article(1)]).await.unwrap(), 0);
    assert!(elsewhere.remove_favourites(&[article(1)]).await.is_err());
    assert_eq!(ada.remove_favourites(&[article(1), article(9), picture(1)]).await.unwrap(), 2);
    assert_eq!(find(None, "", Window::ALL).await, (vec!["Rivers".to_owned()], 1));
}

async fn history(store: &Store) {
    let (ada, bob) = (member(store, A, "use-ada").await, member(store, A, "use-bob").await);
    let used = |member: MemberId, act, number, title: &str, at| MemberUse {
        site: A,
        member,
        act,
        item: listed(article(number), title),
        at,
    };
    let gone = MemberId(i64::MAX);
    store.record_member_uses(&[]).await.unwrap();
    store
        .record_member_uses(&[
            used(ada.id(), Use::View, 1, "Tides", 100),
            used(bob.id(), Use::View, 1, "Tides", 110),
            used(gone, Use::View, 1, "Tides", 120),
            used(ada.id(), Use::View, 2, "Rivers", 130),
            used(ada.id(), Use::Download, 1, "Tides", 140),
            used(ada.id(), Use::View, 1, "Tides, corrected", 150),
        ])
        .await
        .unwrap();
    store.record_member_uses(&[used(ada.id(), Use::View, 2, "Rivers", 90)]).await.unwrap();
    let many: Vec<_> = (0..450).map(|number| used(bob.id(), Use::Download, number, "Many", 160)).collect();
    store.record_member_uses(&many).await.unwrap();
    store.record_member_uses(&many[200..]).await.unwrap();
    let downloads = bob.uses(Use::Download, Window::ALL).await.unwrap();
    let times: i64 = downloads.entries.iter().map(|one| one.times).sum();
    assert_eq!((downloads.total, times), (450, 450 + 250), "in several statements, none left out and none twice");
    assert_eq!(bob.remove_uses(Use::Download, None).await.unwrap(), 450);
    let views = ada.uses(Use::View, Window::ALL).await.unwrap();
    let seen: Vec<_> = views.entries.iter().map(|one| (one.item.title.as_str(), one.times, one.latest)).collect();
    assert_eq!(seen, [("Tides, corrected", 2, 150), ("Rivers", 2, 130)], "an entry for each item, the latest first");
    assert_eq!(ada.uses(Use::View, Window { skip: 1, size: 5 }).await.unwrap().entries.len(), 1);
    assert_eq!(ada.uses(Use::Download, Window::ALL).await.unwrap().total, 1);
    assert_eq!(store.site(A).of_member(gone).uses(Use::View, Window::ALL).await.unwrap().total, 0);
    let entry = views.entries[0].id;
    assert_eq!(bob.remove_uses(Use::View, Some(entry)).await.unwrap(), 0, "another member's entry");
    assert_eq!(ada.remove_uses(Use::Download, Some(entry)).await.unwrap(), 0);
    assert_eq!(ada.remove_uses(Use::View, Some(entry)).await.unwrap(), 1);
    assert_eq!(store.site(B).delete_member_uses(i64::MAX).await.unwrap(), 0);
    assert_eq!(store.site(A).delete_member_uses(130).await.unwrap(), 1, "what is older than the site keeps it");
    assert_eq!(ada.remove_uses(Use::View, None).await.unwrap(), 1);
    assert_eq!(ada.uses(Use::Download, Window::ALL).await.unwrap().total, 1);
}

async fn albums(store: &Store) {
    let (ada, bob) = (member(store, A, "album-ada").await, member(store, A, "album-bob").await);
    let text = |name: &str| AlbumText { name: name.into(), en_name: "Sea".into(), cover: String::new() };
    let Saving::Saved(sea) = ada.add_album(&text("海"), 2, 100).await.unwrap() else { panic!("not saved") };
    let Saving::Saved(land) = ada.add_album(&text("陆"), 2, 200).await.unwrap() else { panic!("not saved") };
    assert_eq!(ada.add_album(&text("3"), 2, 300).await.unwrap(), Saving::Full);
    let items = [listed(article(1), "Tides"), listed(picture(2), "Gauge")];
    assert_eq!(ada.add_to_album(sea, &items, 2, 400).await.unwrap(), Saving::Saved(()));
    assert_eq!(ada.add_to_album(sea, &items, 2, 500).await.unwrap(), Saving::Saved(()), "the same again");
    assert_eq!(ada.add_to_album(sea, &[listed(article(3), "Third")], 2, 500).await.unwrap(), Saving::Full);
    let names = async |keyword| {
        let found = ada.albums(keyword, Window::ALL).await.unwrap().entries;
        found.into_iter().map(|one| (one.album.text.name, one.items)).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, [("海".to_owned(), 2), ("陆".to_owned(), 0)], "latest change first");
    assert_eq!(names("陆").await.len(), 1);
    assert_eq!(names("sea").await.len(), 2);
    // Another member, another site: nothing is found and nothing changes.
    for other in [bob, store.site(B).of_member(ada.id())] {
        assert!(other.album(sea).await.unwrap().is_none());
        assert!(!other.set_album(sea, &text("x"), 600).await.unwrap());
        assert_eq!(other.album_items(sea, ItemFilter::default(), Window::ALL).await.unwrap().total, 0);
        if other.site() == A {
            assert_eq!(other.add_to_album(sea, &items, 9, 600).await.unwrap(), Saving::Missing);
            assert_eq!(other.remove_from_album(sea, &[article(1)], 600).await.unwrap(), 0);
            assert_eq!(other.remove_albums(&[sea]).await.unwrap(), 0);
        }
    }
    let filter = ItemFilter { kind: Some(ItemType::Article), keyword: "tid" };
    let found = ada.album_items(sea, filter, Window::ALL).await.unwrap();
    assert_eq!((found.total, found.entries[0].item.title.as_str(), found.entries[0].added), (1, "Tides", 400));
    assert!(ada.set_album(land, &text("Land"), 700).await.unwrap());
    let album = ada.album(land).await.unwrap().unwrap();
    assert_eq!((album.text.name.as_str(), album.created, album.changed), ("Land", 200, 700));
    assert_eq!(ada.remove_from_album(sea, &[article(1), article(9)], 800).await.unwrap(), 1);
    assert_eq!(ada.remove_albums(&[sea, land, i64::MAX]).await.unwrap(), 2);
    assert_eq!(ada.albums("", Window::ALL).await.unwrap().total, 0);
}

async fn pictures(store: &Store) {
    let site = store.site(A);
    let (ada, bob) = (member(store, A, "file-ada").await, member(store, A, "file-bob").await);
    let file = |id| NewFile { id, purpose: "portrait", media_type: "image/png", bytes: b"\0\xff4567" };
    for id in ["f1", "f2"] {
        assert_eq!(ada.add_file(&file(id), 12, 100).await.unwrap(), Saving::Saved(()));
    }
    assert_eq!(ada.add_file(&file("f3"), 17, 100).await.unwrap(), Saving::Full);
    let stored = site.member_file("f1").await.unwrap().unwrap();
    assert_eq!((stored.bytes.as_slice(), stored.media_type.as_str()), (b"\0\xff4567".as_slice(), "image/png"));
    assert!(store.site(B).member_file("f1").await.unwrap().is_none());
    assert!(ada.has_file("f1", "portrait").await.unwrap());
    assert!(!ada.has_file("f1", "albumCover").await.unwrap() && !bob.has_file("f1", "portrait").await.unwrap());
    assert_eq!(
        ada.files().await.unwrap().iter().map(|one| (one.id.as_str(), one.size)).collect::<Vec<_>>(),
        [("f1", 6), ("f2", 6)]
    );
    let text = AlbumText { cover: "f2".into(), ..AlbumText::default() };
    ada.add_album(&text, 9, 100).await.unwrap();
    assert_eq!(ada.remove_unused_files(100).await.unwrap(), 0, "just uploaded");
    assert_eq!(ada.remove_unused_files(101).await.unwrap(), 1);
    assert!(!ada.has_file("f1", "portrait").await.unwrap() && ada.has_file("f2", "portrait").await.unwrap());
    assert!(!bob.remove_file("f2").await.unwrap() && ada.remove_file("f2").await.unwrap());
}

async fn searches(store: &Store) {
    let (ada, bob) = (member(store, A, "search-ada").await, member(store, A, "search-bob").await);
    let text = |name: &str, alert| SearchText { name: name.into(), address: "/search?q=tide".into(), alert };
    let Saving::Saved(first) = ada.add_search(&text("Tides", true), 2, 100).await.unwrap() else { panic!("not saved") };
    let Saving::Saved(second) = ada.add_search(&text("Rivers", false), 2, 100).await.unwrap() else {
        panic!("not saved")
    };
    assert_eq!(ada.add_search(&text("More", true), 2, 100).await.unwrap(), Saving::Full);
    let alerts = async || {
        let found = store.site(A).alert_searches(0, 100).await.unwrap();
        found.into_iter().filter(|one| one.member == ada.id()).map(|one| (one.id, one.email)).collect::<Vec<_>>()
    };
    assert_eq!(alerts().await, [(first, "search-ada@example.org".to_owned())]);
    assert!(!bob.set_search(second, &text("Mine", true)).await.unwrap() && !bob.remove_search(second).await.unwrap());
    assert!(ada.set_search(second, &text("Streams", true)).await.unwrap());
    assert_eq!(alerts().await.len(), 2);
    assert!(store.site(A).alert_searches(second, 100).await.unwrap().is_empty());
    assert!(store.site(B).alert_searches(0, 100).await.unwrap().is_empty());
    let names: Vec<_> = ada.searches().await.unwrap().into_iter().map(|one| one.text.name).collect();
    assert_eq!(names, ["Tides", "Streams"]);
    assert!(ada.remove_search(first).await.unwrap() && !ada.remove_search(first).await.unwrap());
    assert!(bob.searches().await.unwrap().is_empty());
}
