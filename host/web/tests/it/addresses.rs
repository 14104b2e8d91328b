//! Stable addresses: redirects of earlier ones, removed articles, the canonical host, pinned OAI identifiers.

use std::{
    path::Path,
    sync::{LazyLock, Mutex, PoisonError},
};

use masthead_content::records::{RecordEdit, RecordType, Records};
use masthead_domain::{
    ArticleId, Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, JournalRef, LangText},
    card::ArticleCard,
    publication::Journal,
};
use masthead_store::{NewArticle, Redirect, RedirectTarget};
use masthead_test_support::{Answer, Portal, Setup, named};
use serde_json::json;

/// A site with a canonical host that does not redirect to it, with the articles of a demo journal.
const ANCHOR: SiteId = SiteId(9401);
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("addresses", Setup::default(), add_sites));

fn add_sites(sites: &Path) {
    let anchor = "id = 9401\nname = { zh = \"锚\", en = \"Anchor\" }\nlanguages = [\"en\", \"zh\"]\ndemo = [\"ocean-ledger\"]\n\
                  domains = [\"new.example.org\", \"www.anchor.example.org\"]\nlibrary = { oaiNamespace = \"former.example.org\" }\n\
                  canonical = { host = \"New.example.org\" }\n";
    std::fs::write(sites.join("anchor.toml"), anchor).unwrap();
    let moving = "id = 9402\nname = { zh = \"移\", en = \"Moving\" }\nlanguages = [\"en\", \"zh\"]\ndomains = [\"moving.example.org\"]\n\
                  canonical = { host = \"moving.example.org\", redirect = true }\n";
    std::fs::write(sites.join("moving.toml"), moving).unwrap();
    for (sld, id, rest) in [
        ("strange-host", 9403, "canonical = { host = \"another.example.org\" }"),
        ("strange-name", 9404, "library = { oaiNamespace = \"no name\" }"),
        // Its alias with `www.` is a domain of this site.
        ("taken", 9405, "domains = [\"www.moving2.example.org\"]"),
        ("taking", 9406, "domains = [\"moving2.example.org\"]\ncanonical = { host = \"moving2.example.org\" }"),
        ("homely", 9408, "canonical = { host = \"homely.localhost\" }"),
        // Its alias without `www.` is a host that all sites share.
        ("sharing", 9407, "domains = [\"www.localhost\"]\ncanonical = { host = \"www.localhost\" }"),
    ] {
        std::fs::write(sites.join(format!("{sld}.toml")), format!("id = {id}\nname = {{ en = \"{sld}\" }}\n{rest}\n"))
            .unwrap();
    }
}

fn add(site: SiteId, from: &str, to: RedirectTarget) {
    PORTAL.run(PORTAL.app.store.add_redirects(site, &[Redirect { from: from.to_owned(), to }])).unwrap();
}

fn seagrass() -> i64 {
    PORTAL.article("anchor", SEAGRASS)
}

/// Lets pages and search follow the changes; one test at a time, because there is one index.
fn follow() {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
}

/// Status and `Location`.
fn leads(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.header("location"))
}

fn links(page: &str, rel: &str) -> Vec<String> {
    named(page, "link").into_iter().filter(|tag| tag.get("rel") == rel).map(|tag| tag.get("href")).collect()
}

#[test]
fn the_canonical_links_of_all_hosts_name_one() {
    for (host, base) in [
        ("new.example.org", ""),
        ("www.anchor.example.org", ""),
        ("anchor.localhost", ""),
        ("127.0.0.1", "/anchor"),
        // Nobody wrote these two.
        ("www.new.example.org", ""),
        ("anchor.example.org", ""),
    ] {
        for path in ["/en/issues".to_owned(), format!("/en/article/{}", seagrass())] {
            let answer = PORTAL.with(host, &format!("{base}{path}"), &[]);
            assert_eq!(answer.status, 200, "{host} {path}");
            let page = answer.text();
            assert_eq!(links(&page, "canonical"), [format!("http://new.example.org{path}")], "{host}");
            let other = path.replace("/en/", "/zh/");
            assert!(links(&page, "alternate").contains(&format!("http://new.example.org{other}")), "{host} {path}");
            assert!(page.contains(&format!("href=\"{base}/en/")), "the links of the page stay at its host: {host}");
        }
    }
    // A site without a canonical host names the one of the request, and has no aliases.
    let page = PORTAL.with("127.0.0.1", "/oceanledger/en/issues", &[]).text();
    assert_eq!(links(&page, "canonical"), ["http://127.0.0.1/oceanledger/en/issues"]);
    assert_eq!(PORTAL.with("www.oceanledger.localhost", "/en/issues", &[]).status, 404);
    // A name that a site states is no alias of another.
    assert!(PORTAL.with("www.moving2.example.org", "/en/home", &[]).text().contains("\"sld\":\"taken\""));
    assert!(PORTAL.with("moving2.example.org", "/en/home", &[]).text().contains("\"sld\":\"taking\""));
}

#[test]
fn addresses_outside_a_request_name_the_canonical_host() {
    let table = PORTAL.app.sites.load_full();
    for (sld, expected) in [
        ("anchor", "https://New.example.org/en"),
        ("taken", "https://www.moving2.example.org/en"),
        ("homely", "http://homely.localhost/en"),
        ("oceanledger", "http://oceanledger.localhost/en"),
    ] {
        assert_eq!(PORTAL.app.address(table.by_sld(sld).unwrap(), Lang::En), expected);
    }
}

#[test]
fn an_alias_takes_no_host_that_all_sites_share() {
    assert!(PORTAL.with("www.localhost", "/en/home", &[]).text().contains("\"sld\":\"sharing\""));
    let answer = PORTAL.with("localhost", "/anchor/en/home", &[]);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains("\"sld\":\"anchor\""), "the first segment names the site");
}

#[test]
fn pages_at_other_hosts_are_redirected_where_the_site_says_so_and_calls_are_not() {
    let own = PORTAL.address.port();
    for (host, base) in [("www.moving.example.org", ""), ("moving.localhost", ""), ("127.0.0.1", "/moving")] {
        for (path, expected) in [("/en/issues?journal=a", "/en/issues?journal=a"), ("", "/"), ("/nowhere", "/nowhere")]
        {
            let answer = PORTAL.with(host, &format!("{base}{path}"), &[]);
            let expected = format!("http://moving.example.org{expected}");
            assert_eq!(leads(&answer), (301, expected.as_str()), "{host} {path}");
        }
        let answer = PORTAL.with(&format!("{host}:{own}"), &format!("{base}/en/home"), &[]);
        let expected = format!("http://moving.example.org:{own}/en/home");
        assert_eq!(leads(&answer), (301, expected.as_str()), "the port of the listener is kept");
        assert_eq!(PORTAL.ask("HEAD", host, &format!("{base}/en/home"), &[], "").status, 301);
        for call in
            ["/rc-pub/front/site/findBySld?sld=moving", "/rc-pub/front/page?path=/en/home", "/oai?verb=Identify"]
        {
            assert_eq!(PORTAL.with(host, &format!("{base}{call}"), &[]).status, 200, "{host} {call}");
        }
    }
    assert_eq!(PORTAL.with("moving.example.org", "/en/home", &[]).status, 200);
    assert_eq!(PORTAL.with("MOVING.example.org", "/en/home", &[]).status, 200);
}

#[test]
fn oai_identifiers_keep_the_name_that_is_pinned() {
    let id = seagrass();
    let identifier = format!("oai:former.example.org:article/{id}");
    for host in ["new.example.org", "anchor.localhost"] {
        let list = PORTAL.with(host, "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc", &[]).text();
        assert!(list.contains(&format!("<identifier>{identifier}</identifier>")), "{list}");
        assert!(!list.contains("oai:new.example.org"), "{list}");
        let record = format!("/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier={identifier}");
        assert!(PORTAL.with(host, &record, &[]).text().contains("<metadata>"));
    }
    let about = PORTAL.with("new.example.org", "/oai?verb=Identify", &[]).text();
    assert!(about.contains("<repositoryIdentifier>former.example.org</repositoryIdentifier>"), "{about}");
    assert!(about.contains("<adminEmail>postmaster@new.example.org</adminEmail>"), "{about}");
    let feed = PORTAL.with("new.example.org", "/en/feed.atom", &[]).text();
    assert!(feed.contains("oai:former.example.org:article/"), "{feed}");
}

#[test]
fn names_that_are_none_of_the_site_are_refused() {
    let problems = PORTAL.ready()["problems"].to_string();
    for words in ["canonical.host", "another.example.org", "library.oaiNamespace", "no name"] {
        assert!(problems.contains(words), "{words}: {problems}");
    }
    assert_eq!(PORTAL.get("strange-host", "/en/home").status, 404);
}

#[test]
fn an_earlier_address_leads_to_the_article_in_both_families_and_in_the_readers_language() {
    let id = seagrass();
    let old = "/index.php/ocean/article/view/12";
    let expected = |base: &str, lang: &str| format!("{base}/{lang}/article/{id}");
    assert_eq!(PORTAL.with("new.example.org", &format!("/en{old}"), &[]).status, 404, "before the redirect is saved");
    add(ANCHOR, old, RedirectTarget::Article(ArticleId(id)));
    for (host, base) in [("new.example.org", ""), ("127.0.0.1", "/anchor")] {
        for (path, headers, lang) in [
            (old.to_owned(), &[][..], "en"),
            (old.to_owned(), &[("accept-language", "zh-CN")], "zh"),
            (format!("{old}/"), &[("cookie", "language=zh")], "zh"),
            (format!("/en{old}"), &[("accept-language", "zh-CN")], "en"),
            (format!("/zh{old}?x=1"), &[], "zh"),
            ("/index.php/ocean/%61rticle/view/12".to_owned(), &[], "en"),
        ] {
            let answer = PORTAL.with(host, &format!("{base}{path}"), headers);
            assert_eq!(leads(&answer), (301, expected(base, lang).as_str()), "{host} {path} {headers:?}");
            assert_eq!(answer.header("cache-control"), "max-age=3600");
        }
    }
    // Only of this site, only of this path, and only of pages.
    assert_eq!(PORTAL.get("oceanledger", &format!("/en{old}")).status, 404);
    assert_eq!(PORTAL.with("new.example.org", &format!("/en{old}3"), &[]).status, 404);
    let unknown = PORTAL.with("new.example.org", "/index.php/ocean", &[]);
    assert_eq!(leads(&unknown), (307, "/en/index.php/ocean"));
}

fn second() -> Journal {
    Journal { key: "second".into(), title: LocalText::of(Lang::En, "Second"), ..Journal::default() }
}

/// An article of the second journal.
fn of_second() -> NewArticle {
    let doi = Doi::parse("10.5555/second.1").unwrap();
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        titles: vec![LangText { lang: "en".into(), plain: "A second letter".into(), nodes: Vec::new() }],
        language: "en".into(),
        year: Some(2098),
        issue: "7".into(),
        journal: JournalRef { title: "Second".into(), ..JournalRef::default() },
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    NewArticle { article, card, rendered: "{}".into(), ..NewArticle::default() }
}

#[test]
fn redirects_lead_to_journals_issues_and_paths_and_never_hide_a_page() {
    let site = PORTAL.app.store.site(ANCHOR);
    let journal = PORTAL.run(site.journals()).unwrap()[0].clone();
    let issue = PORTAL.run(site.issues(&journal.key)).unwrap()[0].clone();
    let of_issue =
        |issue: &str, year: i32| RedirectTarget::Issue { journal: journal.key.clone(), year, issue: issue.to_owned() };
    add(ANCHOR, "/old/journal", RedirectTarget::Journal(journal.key.clone()));
    add(ANCHOR, "/old/lost", RedirectTarget::Journal("nobody".to_owned()));
    add(ANCHOR, "/old/issue", of_issue(&issue.issue, issue.year));
    add(ANCHOR, "/old/about", RedirectTarget::Path("/about".to_owned()));
    add(ANCHOR, "/old/chinese", RedirectTarget::Path("/zh/about".to_owned()));
    // These answer themselves, or would lead to themselves.
    add(ANCHOR, "/about", RedirectTarget::Path("/issues".to_owned()));
    add(ANCHOR, "/issue/1900/1", of_issue("1", 1900));
    let at = |path: &str| PORTAL.with("new.example.org", path, &[]);
    let of_issue = format!("/en/issue/{}/{}", issue.year, issue.issue);
    for (path, expected) in [
        ("/en/old/journal", "/en/home"),
        ("/en/old/issue", of_issue.as_str()),
        ("/old/about", "/en/about"),
        ("/zh/old/about", "/zh/about"),
        ("/en/old/chinese", "/zh/about"),
    ] {
        assert_eq!(leads(&at(path)), (301, expected), "{path}");
        assert_eq!(at(expected).status, 200, "{expected}");
    }
    for (path, status) in [("/en/about", 200), ("/en/issue/1900/1", 404), ("/en/old/lost", 404)] {
        assert_eq!(at(path).status, status, "{path}");
    }
    // A second journal with an article makes the number of an issue ambiguous.
    PORTAL.run(site.save_journal(&second())).unwrap();
    assert_eq!(leads(&at("/en/old/issue")), (301, of_issue.as_str()), "the second journal is empty");
    assert_eq!(leads(&at("/en/old/journal")), (301, "/en/home"), "the second journal is empty");
    PORTAL.run(site.save_article(&of_second())).unwrap();
    assert_eq!(leads(&at("/en/old/issue")), (301, format!("{of_issue}?journal={}", journal.key).as_str()));
    assert!(at("/en/old/journal").header("location").starts_with("/en/issues#"));

    // The issue gets another number: its earlier addresses lead to it, in navigation within the site too.
    let records = Records::new(&PORTAL.app.store, ANCHOR, &PORTAL.app.data_folder);
    let name = format!("{}/{}/{}", journal.key, issue.year, issue.issue);
    let fields = vec![("issue".to_owned(), json!("S 99"))];
    let change = RecordEdit { fields, who: "ada".to_owned(), ..RecordEdit::default() };
    let done = PORTAL.run(records.set(RecordType::Issue, &name, &change)).unwrap();
    assert_eq!(done.name, format!("{}/{}/S 99", journal.key, issue.year));
    follow();
    let present = format!("/en/issue/{}/S%2099?journal={}", issue.year, journal.key);
    let named = format!("{of_issue}?journal={}", journal.key);
    for former in [of_issue.as_str(), &named, "/en/old/issue"] {
        assert_eq!(leads(&at(former)), (301, present.as_str()), "{former}");
        let path: String = url::form_urlencoded::byte_serialize(former.as_bytes()).collect();
        let data = at(&format!("/rc-pub/front/page?path={path}")).json()["data"].clone();
        assert_eq!(data, json!({ "location": present }), "{former}");
    }
    assert_eq!(at(&present).status, 200);
    let other = format!("/issue/{}/{}?journal=second", issue.year, issue.issue);
    add(ANCHOR, &other, RedirectTarget::Path("/about".to_owned()));
    assert_eq!(leads(&at(&format!("/en{other}"))), (301, "/en/about"), "of another journal");
}

#[test]
fn navigation_within_a_site_is_led_where_documents_are() {
    let id = seagrass();
    add(ANCHOR, "/former/article/7", RedirectTarget::Article(ArticleId(id)));
    add(ANCHOR, "/former/about", RedirectTarget::Path("/about".to_owned()));
    add(ANCHOR, "/former/file", RedirectTarget::Path("/media/9401/a.pdf".to_owned()));
    add(ANCHOR, "/former/issues", RedirectTarget::Path("/en/issues#a".to_owned()));
    for (host, base) in [("new.example.org", ""), ("127.0.0.1", "/anchor")] {
        let navigation = |path: &str, lang: &str| {
            let path: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
            let call = format!("{base}/rc-pub/front/page?path={path}");
            let answer = PORTAL.with(host, &call, &[("language", lang)]);
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            answer.json()["data"].clone()
        };
        for (path, lang, expected) in [
            ("/en/former/article/7", "zh", format!("/en/article/{id}")),
            ("/en/%66ormer/article/7/?a=1#b", "en", format!("/en/article/{id}")),
            ("/former/article/7", "zh", format!("/zh/article/{id}")),
            ("/former/about", "en", "/en/about".to_owned()),
            ("/en/former/file", "en", "/media/9401/a.pdf".to_owned()),
            ("/zh/former/issues", "zh", "/en/issues#a".to_owned()),
            // Without a redirect, as the document: to the reader's language.
            ("/about?x=1", "zh", "/zh/about?x=1".to_owned()),
            ("/", "en", "/en/home/".to_owned()),
        ] {
            assert_eq!(navigation(path, lang), json!({ "location": format!("{base}{expected}") }), "{host} {path}");
        }
        assert_eq!(navigation("/en/former/nothing", "en")["status"], 404);
        assert_eq!(navigation("/en/about", "en")["status"], 200, "a page is never hidden");
    }
}

#[test]
fn a_removed_article_is_gone_and_says_so() {
    let doi = "10.5555/ocl.2026.06.01.0018";
    let id = PORTAL.article("anchor", doi);
    let page = |lang: &str, article: &str| PORTAL.with("new.example.org", &format!("/{lang}/article/{article}"), &[]);
    assert_eq!(page("en", &id.to_string()).status, 200);
    assert!(PORTAL.run(PORTAL.app.store.site(ANCHOR).remove_article(ArticleId(id))).unwrap());
    follow();
    for (lang, words) in [("en", "This article has been removed"), ("zh", "该文章已被移除")] {
        for article in [id.to_string(), format!("doi/{doi}"), format!("doi/{}", doi.to_uppercase())] {
            let answer = page(lang, &article);
            assert_eq!(answer.status, 410, "{article}");
            assert!(answer.text().contains(words) && answer.text().contains("noindex"), "{lang} {article}");
        }
    }
    let article = "/rc-pub/front/front-article";
    for call in
        [format!("{article}/{id}"), format!("{article}/getArticleByDoi?doi={doi}"), format!("/en/article/{id}/linkset")]
    {
        assert_eq!(PORTAL.with("new.example.org", &call, &[]).status, 410, "{call}");
    }
    assert_eq!(page("en", "999999").status, 404, "an article that never was is not gone");
    assert_eq!(PORTAL.get("oceanledger", &format!("/en/article/{id}")).status, 404, "nor one of another site");
    // Navigation within the site shows the page of the document.
    let navigation = || {
        let call = format!("/rc-pub/front/page?path=/en/article/{id}");
        PORTAL.with("new.example.org", &call, &[("language", "en")]).json()["data"].clone()
    };
    let shown = navigation();
    assert_eq!((&shown["status"], &shown["bootstrap"]["page"]["kind"]), (&json!(410), &json!("message")), "{shown}");
    assert!(page("en", &id.to_string()).text().contains(shown["html"].as_str().unwrap()));
    // An editor knows better: the article is another one now.
    let other = seagrass();
    add(ANCHOR, &format!("/article/{id}"), RedirectTarget::Article(ArticleId(other)));
    assert_eq!(leads(&page("zh", &id.to_string())), (301, format!("/zh/article/{other}").as_str()));
    assert_eq!(navigation(), json!({ "location": format!("/en/article/{other}") }));
    // It leads to an article that is gone, too.
    add(ANCHOR, "/old/gone", RedirectTarget::Article(ArticleId(id)));
    assert_eq!(
        leads(&PORTAL.with("new.example.org", "/en/old/gone", &[])),
        (301, format!("/en/article/{id}").as_str())
    );
}
