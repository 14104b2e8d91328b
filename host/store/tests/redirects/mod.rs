//! Redirects of earlier addresses.

use masthead_domain::{ArticleId, SiteId};
use masthead_store::{AuditEntry, AuditQuery, Redirect, RedirectTarget, Store, StoreError};

pub async fn suite(store: &Store) {
    let (site, other) = (SiteId(448), SiteId(905));
    let redirect = |from: &str, to: RedirectTarget| Redirect { from: from.to_owned(), to };
    let before = store.latest_change().await.unwrap();
    let all = [
        redirect("/index.php/rivers/article/view/12", RedirectTarget::Article(ArticleId(7))),
        redirect(
            "/index.php/rivers/issue/view/3",
            RedirectTarget::Issue { journal: "rivers".to_owned(), year: 2026, issue: "S 1".to_owned() },
        ),
        redirect("/期刊", RedirectTarget::Journal("rivers".to_owned())),
        redirect("/wp/about", RedirectTarget::Path("/about".to_owned())),
    ];
    store.add_redirects(site, &all).await.unwrap();
    for one in &all {
        assert_eq!(store.redirect(site, &one.from).await.unwrap().as_ref(), Some(&one.to));
        assert_eq!(store.redirect(other, &one.from).await.unwrap(), None, "another site's");
    }
    let mut listed = store.redirects(site).await.unwrap();
    listed.sort_by(|a, b| a.from.cmp(&b.from));
    let mut expected = all.to_vec();
    expected.sort_by(|a, b| a.from.cmp(&b.from));
    assert_eq!(listed, expected);
    let all_of_them = store.redirects(site).await.unwrap();
    let mut pages = Vec::new();
    loop {
        let after = pages.last().map_or("", |last: &Redirect| last.from.as_str()).to_owned();
        let page = store.redirects_after(site, &after, 3).await.unwrap();
        assert!(page.len() <= 3);
        if page.is_empty() {
            break;
        }
        pages.extend(page);
    }
    assert_eq!(pages, all_of_them, "page by page, in the same order");
    assert!(store.redirects(other).await.unwrap().is_empty());

    let moved = redirect("/wp/about", RedirectTarget::Article(ArticleId(9)));
    store.add_redirects(site, std::slice::from_ref(&moved)).await.unwrap();
    assert_eq!(store.redirect(site, "/wp/about").await.unwrap(), Some(moved.to), "the later one replaces the earlier");
    let entry = |action: &str| AuditEntry {
        who: "ada".to_owned(),
        action: action.to_owned(),
        subject: "redirect/wp/about".to_owned(),
        ..AuditEntry::default()
    };
    assert!(!store.remove_redirect(other, "/wp/about", &entry("removed")).await.unwrap());
    assert!(store.remove_redirect(site, "/wp/about", &entry("removed")).await.unwrap());
    assert!(!store.remove_redirect(site, "/wp/about", &entry("removed")).await.unwrap());
    assert_eq!(store.redirect(site, "/wp/about").await.unwrap(), None);
    let by_hand = redirect("/wp/about", RedirectTarget::Path("/about".to_owned()));
    store.add_redirect(site, &by_hand, &entry("created")).await.unwrap();
    let refused = redirect("//evil.example/", by_hand.to.clone());
    assert!(matches!(store.add_redirect(site, &refused, &entry("created")).await, Err(StoreError::Path(_))));
    assert_eq!(store.redirect(site, "/wp/about").await.unwrap(), Some(by_hand.to));
    let query = AuditQuery { subject: "redirect".to_owned(), limit: 10, ..AuditQuery::default() };
    let lines: Vec<AuditEntry> = store.audit(&query).await.unwrap().into_iter().map(|line| line.entry).collect();
    assert_eq!(lines, [entry("created"), entry("removed")], "a line for each change, and none where nothing changed");
    let edited = store.site(site).edited_subjects("redirect").await.unwrap();
    assert_eq!(
        edited,
        ["redirect/wp/about"],
        "what was added by an import is not edited by hand, nor what was refused"
    );
    assert!(store.site(other).edited_subjects("redirect").await.unwrap().is_empty());
    assert!(store.site(site).edited_subjects("Redirect").await.unwrap().is_empty());

    // Paths that one of the databases cannot hold or look up.
    for path in ["wp", "", "/a\0b", &format!("/{}", "a".repeat(2000))] {
        assert_eq!(store.redirect(site, path).await.unwrap(), None, "{path:?}");
        let both = [
            redirect("/first", RedirectTarget::Journal("x".to_owned())),
            redirect(path, RedirectTarget::Journal("x".to_owned())),
        ];
        assert!(matches!(store.add_redirects(site, &both).await, Err(StoreError::Path(_))), "{path:?}");
    }
    for other_server in ["//evil.example/", "/\\evil.example/", "https://evil.example/"] {
        let lost = [redirect("/first", RedirectTarget::Path(other_server.to_owned()))];
        assert!(matches!(store.add_redirects(site, &lost).await, Err(StoreError::Path(_))), "{other_server}");
    }
    assert_eq!(store.redirect(site, "/first").await.unwrap(), None, "nothing is saved with a path that is refused");
    assert_eq!(store.latest_change().await.unwrap(), before, "redirects are no change of the content");
}
