//! Ids of articles and journals on the host's pages: none takes the place of an id of the host.

use std::{collections::BTreeSet, sync::LazyLock};

use masthead_content::import::Importer;
use masthead_documents::html::ids::PREFIX;
use masthead_domain::{Lang, LocalText, SiteId, publication::Journal};
use masthead_test_support::{Portal, Setup, bootstrap, named, tags};

const SITE: SiteId = SiteId(101);

/// An article with the ids of the host's documents.
const ARTICLE: &str = r##"<article xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="en"><front>
<journal-meta><journal-title-group><journal-title>Small</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/ids.1</article-id>
<title-group><article-title>Ids</article-title></title-group><abstract><p>In short.</p></abstract></article-meta></front>
<body><sec id="bootstrap"><title>Results</title>
<p>See <xref ref-type="sec" rid="bootstrap">here</xref>, <xref ref-type="fig" rid="main">Figure 1</xref>
and <xref ref-type="table" rid="app">Table 1</xref>.</p>
<fig id="main"><label>Figure 1</label><graphic xlink:href="f.png"/></fig>
<table-wrap id="app"><label>Table 1</label><table><tbody><tr><td>1</td></tr></tbody></table></table-wrap>
</sec></body></article>"##;

static PORTAL: LazyLock<Portal> =
    LazyLock::new(|| Portal::start("source_ids", Setup { bare: true, ..Setup::default() }, |_| {}));

/// The number of the imported article.
static NUMBER: LazyLock<i64> = LazyLock::new(|| {
    let path = PORTAL.folder.join("article.xml");
    std::fs::write(&path, ARTICLE).unwrap();
    let app = &PORTAL.app;
    PORTAL.run(async {
        for key in ["main", "messages", "bootstrap"] {
            let title = LocalText::of(Lang::En, key);
            let journal = Journal { key: key.to_owned(), title, shown: true, ..Journal::default() };
            app.store.site(SITE).save_journal(&journal).await.unwrap();
        }
        let item = Importer::new(&app.store, SITE, &app.data_folder, false).file(&path).await;
        app.change_log_follower().catch_up().await.unwrap();
        item.article.unwrap_or_else(|| panic!("{item:?}"))
    })
});

/// The ids of a document with the names of their elements, after a check that the host's ids are those of the host's elements.
fn ids(page: &str) -> Vec<(String, String)> {
    let found = tags(page).into_iter().filter(|tag| tag.has("id"));
    let found: Vec<(String, String)> = found.map(|tag| (tag.get("id"), tag.name)).collect();
    for (id, element) in [("app", "div"), ("main", "main"), ("messages", "script"), ("bootstrap", "script")] {
        let own: Vec<&str> = found.iter().filter(|(found, _)| found == id).map(|(_, name)| name.as_str()).collect();
        assert_eq!(own, [element], "{id}: {page}");
    }
    found
}

/// The fragments of the links of a document.
fn fragments(html: &str) -> Vec<String> {
    named(html, "a").iter().filter_map(|link| Some(link.get("href").split_once('#')?.1.to_owned())).collect()
}

#[test]
fn an_article_with_ids_of_the_host_leaves_the_hosts_ids_to_the_host() {
    let page = PORTAL.page("plainpress", &format!("/en/article/{}", *NUMBER));
    let all = ids(&page);
    let unique: BTreeSet<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(unique.len(), all.len(), "{all:?}");
    for id in unique.iter().filter(|id| !["app", "main", "messages", "bootstrap"].contains(*id)) {
        // React's own ids of the frame's modules, as the host renders them.
        let of_frame = ["_header", "_search", "_footer"].iter().any(|slot| id.starts_with(slot));
        assert!(id.starts_with(PREFIX) || of_frame, "{id}");
    }
    let links = fragments(&page);
    for link in ["main", "a-bootstrap", "a-main", "a-app"] {
        assert!(links.iter().any(|found| found == link), "no link to {link}: {links:?}");
    }
    for link in &links {
        assert!(unique.contains(link.as_str()), "{link} leads nowhere: {all:?}");
    }
    let outline = bootstrap(&page)["page"]["outline"].clone();
    for line in outline.as_array().unwrap() {
        assert!(unique.contains(line["id"].as_str().unwrap()), "{outline}");
    }
    // The page as the shell fetches it when a reader follows a link.
    let path = format!("/rc-pub/front/page?path=%2Fen%2Farticle%2F{}", *NUMBER);
    let html = PORTAL.get("plainpress", &path).json()["data"]["html"].as_str().unwrap().to_owned();
    let inner: Vec<String> = tags(&html).iter().filter(|tag| tag.has("id")).map(|tag| tag.get("id")).collect();
    assert!(inner.len() > 3 && inner.iter().all(|id| id.starts_with(PREFIX)), "{inner:?}");
}

#[test]
fn nodes_figures_and_exports_keep_the_ids_of_the_source() {
    let number = *NUMBER;
    let body = PORTAL.get("plainpress", &format!("/rc-pub/front/front-article/getBody?id={number}")).json();
    assert!(body["data"].to_string().contains("\"id\":\"bootstrap\""), "{body}");
    let figures = PORTAL.get("plainpress", &format!("/rc-pub/front/pictures?article={number}")).json();
    assert_eq!(figures["data"]["content"][0]["key"], format!("{number}/main"), "{figures}");
    let jats = PORTAL.page("plainpress", &format!("/en/article/{number}?format=jats"));
    assert!(jats.contains("id=\"bootstrap\"") && jats.contains("rid=\"bootstrap\""), "{jats}");
}

#[test]
fn a_journal_with_an_id_of_the_host_is_found_on_the_page_of_issues() {
    assert!(*NUMBER > 0, "journals and article are stored");
    let home = named(&PORTAL.page("plainpress", "/en/home/"), "a");
    let issues = PORTAL.page("plainpress", "/en/issues");
    let all = ids(&issues);
    for key in ["main", "bootstrap"] {
        assert!(home.iter().any(|link| link.get("href") == format!("/en/mag/{key}")), "no link to {key}: {home:?}");
        let id = format!("a-{key}");
        assert!(all.iter().any(|(found, name)| *found == id && name == "h2"), "no {id}: {all:?}");
    }
}
