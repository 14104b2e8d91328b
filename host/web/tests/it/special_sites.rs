//! The special sites of the specification: each has its behaviour, no other site has it, and one line of configuration
//! gives it to another site.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use masthead_test_support::{Portal, Setup, between, bootstrap, data_with_secrets, listed, slot};
use serde_json::{Value, json};

/// The visible behaviour of the plugins of special sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    FriendshipLinks,
    HssArticle,
    KnowledgeBase,
    ReferrerAccess,
    Assistant,
    ExternalIdentity,
    FromAdcs,
    MoreLanguages,
    Translation,
    PhoneCodes,
}
use Behaviour::*;

/// The ids of the sites with each behaviour, in the specification's order. The knowledge base and the multilingual site
/// are the demo's choice; gateways need an external account, so that no demo site has one.
const TABLE: [(Behaviour, &[i64]); 10] = [
    (FriendshipLinks, &[448, 905]),
    (HssArticle, &[950, 988]),
    (KnowledgeBase, &[502]),
    (ReferrerAccess, &[502, 763]),
    (Assistant, &[665, 63, 763, 142, 62, 65, 66]),
    (ExternalIdentity, &[945, 942, 979]),
    (FromAdcs, &[950, 988]),
    (MoreLanguages, &[905]),
    (Translation, &[]),
    (PhoneCodes, &[]),
];

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("special-sites", setup("special-sites"), |_| {}));

/// A data folder with the client secrets of the sites with external sign-in: no sign-in begins without one.
fn setup(name: &str) -> Setup {
    let secrets: String = [101, 942, 945, 979].map(|site| format!("[{site}]\nidentity-client = \"x\"\n")).concat();
    Setup { data: Some(data_with_secrets(name, &secrets)), ..Setup::default() }
}

/// Id and short name of every demo site.
fn sites(portal: &Portal) -> Vec<(i64, String)> {
    portal.app.sites.load().iter().map(|entry| (entry.site.id.0, entry.site.sld.clone())).collect()
}

fn host(site: &str) -> String {
    format!("{site}.localhost")
}

/// True if all answers are true, false if none is. Panics if the answers differ.
fn all_or_none(what: &str, answers: impl IntoIterator<Item = bool>) -> bool {
    let answers: Vec<_> = answers.into_iter().collect();
    let first = *answers.first().unwrap_or_else(|| panic!("{what}: nothing to look at"));
    assert!(answers.iter().all(|answer| *answer == first), "{what}: {answers:?}");
    first
}

/// The addresses of the hits in a site, from the search page and from the search call.
fn results(portal: &Portal, site: &str) -> Vec<String> {
    let mut links = listed(&portal.page(site, &format!("/en/search?q=the&site={site}")));
    let found = portal.with(&host(site), "/rc-pub/front/search?q=the", &[("language", "en")]).json();
    let called: Vec<_> = found["data"]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["href"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(links, called, "{site}: the page and the call return the same links");
    for link in &links {
        assert_eq!(bootstrap(&portal.page(site, link))["page"]["kind"], "article", "{site} {link}");
    }
    links.extend(called);
    links
}

fn an_article(portal: &Portal, site: &str, lang: &str) -> String {
    listed(&portal.page(site, &format!("/{lang}/home"))).remove(0)
}

/// Whether a site shows a behaviour. All places where it is visible have to agree.
/// Without a captcha, which a site that sends codes asks for.
const CODE_REQUEST: &str = r#"{"target":"13800000000","purpose":"login"}"#;

fn shows(portal: &Portal, site: &str, behaviour: Behaviour) -> bool {
    let what = format!("{site} {behaviour:?}");
    match behaviour {
        FriendshipLinks => all_or_none(
            &what,
            ["/zh/home", "/en/home", "/en/issues"].into_iter().flat_map(|path| {
                let page = portal.page(site, path);
                [
                    slot(&bootstrap(&page), "footer.rows") == ["footer-friendship-links"],
                    page.contains("<nav class=\"friendship\""),
                ]
            }),
        ),
        HssArticle => {
            let all = results(portal, site).into_iter().chain(listed(&portal.page(site, "/en/home")));
            all_or_none(&what, all.map(|link| link.starts_with("/en/hssArticle/")))
        }
        KnowledgeBase => {
            let lists = listed(&portal.page(site, "/en/home"));
            assert!(lists.iter().all(|link| !link.contains("from=")), "{what}: only search results are marked");
            all_or_none(&what, results(portal, site).iter().map(|link| link.ends_with("?from=xszsk")))
        }
        ReferrerAccess => {
            let power = |referrer: &str| {
                let headers = [("referer", referrer)];
                let answer = portal.with(&host(site), "/rc-pub/front/site/checkPower", &headers);
                answer.json()["data"]["visitPower"].as_bool().unwrap()
            };
            let (stranger, partner) = (power("https://elsewhere.example/"), power("https://library.example.edu/list"));
            assert!(partner || !stranger, "{what}: a listed referrer does not remove permissions");
            partner && !stranger
        }
        Assistant => {
            let home = portal.bootstrap(site, "/en/home");
            let article = portal.bootstrap(site, &an_article(portal, site, "en"));
            assert_eq!(
                slot(&article, "page.floating"),
                Vec::<String>::new(),
                "{what}: only the home page has the assistant"
            );
            let frame = portal.get(site, "/en/plugins/ai-assistant/frame").status == 200;
            let call = "/rc-pub/front/front-article/aiqa/verify/generateSecureParams";
            let token = portal.ask("POST", &host(site), call, &[], "{}");
            assert_eq!(token.status, if frame { 200 } else { 404 }, "{what}: {}", token.text());
            all_or_none(&what, [slot(&home, "page.floating") == ["assistant-panel"], frame])
        }
        ExternalIdentity => {
            let away = portal.get(site, "/en/login/external");
            let leads = away.header("location").starts_with("https://login.example.org/authorize?");
            assert_eq!(away.status, if leads { 303 } else { 404 }, "{what}");
            let pages = ["/zh/home", "/en/issues"].map(|path| slot(&portal.bootstrap(site, path), "header.account"));
            all_or_none(&what, pages.iter().map(|modules| *modules == ["account-link"]).chain([leads]))
        }
        FromAdcs => {
            let call = "/rc-pub/front/resource-statistics/getResourceCountsStatistic?timestamps=1&fromAdcs=false";
            let counts = portal.with(&host(site), call, &[]).json()["data"].clone();
            assert!(counts["articleCounts"].as_i64() > Some(0), "{what}: {counts}");
            let marked = counts["parameters"] == json!([["fromAdcs", "true"]]);
            assert!(marked || counts["parameters"] == json!([["fromAdcs", "false"]]), "{what}: {counts}");
            marked
        }
        MoreLanguages => {
            let more = ["ru", "ara", "spa", "fra", "de", "jp"];
            let home = portal.bootstrap(site, "/en/home");
            let codes: Vec<_> = home["languages"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect();
            let offered = more.map(|code| codes.contains(&Value::from(code)));
            let own = portal.app.sites.load().by_sld(site).unwrap().site.languages.len();
            assert_eq!(codes.len(), own + if offered[0] { more.len() } else { 0 }, "{what}: {codes:?}");
            let article = portal.bootstrap(site, &an_article(portal, site, "en"));
            let module = slot(&article, "article.toolbar").contains(&"article-languages".to_owned());
            let answers =
                more.into_iter().flat_map(|code| [format!("/{code}/home/"), format!("/{code}/issues")]).map(|path| {
                    let answer = portal.with(&host(site), &path, &[("accept-language", "zh")]);
                    if answer.status == 307 {
                        assert!(answer.header("location").starts_with("/zh/"), "{what} {path}");
                        return false;
                    }
                    let lang = bootstrap(&answer.text())["lang"].clone();
                    assert_eq!(
                        (answer.status, lang),
                        (200, Value::from(&path[1..path[1..].find('/').unwrap() + 1])),
                        "{what}"
                    );
                    true
                });
            all_or_none(&what, answers.chain(offered).chain([module]))
        }
        Translation => {
            let call = "/rc-pub/front/front-article/translate/getAiTranslateResult";
            let answer = portal.ask("POST", &host(site), call, &[], r#"{"to":"en","q":"海"}"#);
            all_or_none(&what, [portal.bootstrap(site, "/en/home")["translate"] != json!([]), answer.status != 404])
        }
        PhoneCodes => {
            portal.ask("POST", &host(site), "/rc-pub/api/sendReceiverMessage", &[], CODE_REQUEST).status != 404
        }
    }
}

#[test]
fn every_behaviour_is_shown_by_exactly_its_sites() {
    let sites = sites(&PORTAL);
    assert_eq!(sites.len(), 16);
    assert_eq!(PORTAL.ready()["problems"], json!([]));
    for (behaviour, expected) in TABLE {
        let expected: BTreeSet<_> = expected.iter().copied().collect();
        let having = sites.iter().filter(|(_, sld)| shows(&PORTAL, sld, behaviour)).map(|(id, _)| *id);
        assert_eq!(having.collect::<BTreeSet<_>>(), expected, "{behaviour:?}");
    }
}

/// The addresses below the site to which the hits of a page lead: their titles, and the articles of which figures and tables are.
fn of_hits(page: &str) -> Vec<String> {
    let main = between(page, "<main", "</main>");
    let of = |class: &str| -> Vec<String> {
        let before = format!("class=\"{class}\"");
        let parts = main.split(&before).skip(1);
        parts.map(|rest| between(rest, "href=\"", "\"").to_owned()).filter(|href| href.starts_with('/')).collect()
    };
    ["card-title", "media-title", "media-article"].map(of).concat()
}

#[test]
fn hits_of_every_type_have_the_parameter_of_a_knowledge_base() {
    let is_marked = |href: &String| href.ends_with("?from=xszsk");
    for query in [
        "type=article",
        "type=publication&q=circuits",
        "type=picture",
        "type=table",
        "type=audio",
        "type=video",
        "type=other",
        "type=news",
    ] {
        let hrefs = of_hits(&PORTAL.page("quietcircuits", &format!("/en/search?{query}")));
        assert!(!hrefs.is_empty() && hrefs.iter().all(is_marked), "{query}: {hrefs:?}");
        assert_eq!(PORTAL.get("quietcircuits", &hrefs[0]).status, 200, "{query}");
        let elsewhere = of_hits(&PORTAL.page("oceanledger", &format!("/en/search?{query}")));
        assert!(elsewhere.iter().all(|href| !href.contains("from=")), "{query}: {elsewhere:?}");
    }
    let figures = PORTAL.page("quietcircuits", "/en/search?type=picture");
    assert!(figures.contains("class=\"media-article\""), "the articles of figures are among them");
    // A list that nobody searched in has no results.
    let list = of_hits(&PORTAL.page("quietcircuits", "/en/textList?type=picture"));
    assert!(!list.is_empty() && !list.iter().any(is_marked), "{list:?}");
    let call = "/rc-pub/front/search?type=picture&q=the";
    let found = PORTAL.with(&host("quietcircuits"), call, &[("language", "en")]).json();
    let hits = found["data"]["content"].as_array().unwrap();
    let articles: Vec<String> = hits.iter().map(|hit| hit["articleHref"].as_str().unwrap().to_owned()).collect();
    assert!(!articles.is_empty() && articles.iter().all(is_marked), "{found}");
}

#[test]
fn additional_languages_have_complete_pages() {
    let article = an_article(&PORTAL, "scriptstone", "en");
    for (code, tag, dir) in [("ru", "ru", "ltr"), ("ara", "ar", "rtl"), ("jp", "ja", "ltr")] {
        let page = PORTAL.page("scriptstone", &article.replace("/en/", &format!("/{code}/")));
        let html = &masthead_test_support::named(&page, "html")[0];
        assert_eq!((html.get("lang").as_str(), html.get("dir").as_str()), (tag, dir));
        let links = masthead_test_support::named(&page, "link");
        let alternates: BTreeSet<_> =
            links.iter().map(|link| link.get("hreflang")).filter(|tag| !tag.is_empty()).collect();
        assert!(alternates.contains(tag) && alternates.contains("es"), "{alternates:?}");
    }
}

/// A line of configuration that switches a behaviour on; it is put before the first table of a site's file.
fn line(behaviour: Behaviour) -> &'static str {
    match behaviour {
        FriendshipLinks => {
            r#"plugins = [{ id = "friendship-links", settings = { title = { en = "Friends" }, links = [{ name = { en = "A" }, address = "https://a.example.org/" }] } }]"#
        }
        HssArticle => r#"plugins = [{ id = "hss-article" }]"#,
        KnowledgeBase => r#"plugins = [{ id = "knowledge-base" }]"#,
        ReferrerAccess => r#"plugins = [{ id = "referrer-access", settings = { hosts = ["library.example.edu"] } }]"#,
        Assistant => r#"plugins = [{ id = "ai-assistant", grants = { content = true } }]"#,
        ExternalIdentity => {
            r#"plugins = [{ id = "external-identity", grants = { http = ["login.example.org"], secrets = ["identity-client"] }, settings = { signInAddress = "https://login.example.org/authorize", tokenAddress = "https://login.example.org/token", userAddress = "https://login.example.org/user", clientId = "plain" } }]"#
        }
        FromAdcs => r#"plugins = [{ id = "adcs-statistics" }]"#,
        MoreLanguages => r#"plugins = [{ id = "multilingual-dissemination" }]"#,
        Translation => {
            r#"plugins = [{ id = "translate-gateway", grants = { http = ["fanyi.example.org"], secrets = ["translate-gateway"] }, settings = { address = "https://fanyi.example.org/", appId = "a" } }]"#
        }
        PhoneCodes => {
            r#"plugins = [{ id = "sms-gateway", grants = { http = ["sms.example.org"], secrets = ["sms-gateway"] }, settings = { address = "https://sms.example.org/", appKey = "a", template = "t" } }]"#
        }
    }
}

fn put_first(file: &Path, line: &str, text: &str) {
    assert_eq!(line.lines().count(), 1);
    std::fs::write(file, format!("{line}\n{text}")).unwrap();
}

#[test]
fn one_line_of_configuration_switches_a_behaviour_on() {
    let setup = Setup { live: true, ..setup("special-sites-moved") };
    let portal = Portal::start("special-sites-moved", setup, |sites| {
        // Full texts are closed on this site, so that the effect of a referrer is visible.
        let file = sites.join("plainpress.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        put_first(&file, "permissions = { visitPower = false, downloadPower = true }", &text);
    });
    let file = portal.app.sites_folder.join("plainpress.toml");
    let plain = std::fs::read_to_string(&file).unwrap();
    for (behaviour, _) in TABLE {
        assert!(!shows(&portal, "plainpress", behaviour), "{behaviour:?}");
        put_first(&file, line(behaviour), &plain);
        portal.wait(&format!("{behaviour:?} on the plain site"), || {
            let plugins = portal.ready()["plugins"].clone();
            plugins.as_array().unwrap().iter().any(|plugin| plugin["site"] == "plainpress")
        });
        assert!(shows(&portal, "plainpress", behaviour), "{behaviour:?}");
        assert_eq!(portal.ready()["problems"], json!([]), "{behaviour:?}");
        for (other, _) in TABLE.iter().filter(|(other, _)| *other != behaviour) {
            assert!(!shows(&portal, "plainpress", *other), "{behaviour:?} does not switch on {other:?}");
        }
        std::fs::write(&file, &plain).unwrap();
        portal.wait(&format!("the plain site without {behaviour:?}"), || {
            let plugins = portal.ready()["plugins"].clone();
            plugins.as_array().unwrap().iter().all(|plugin| plugin["site"] != "plainpress")
        });
        assert!(!shows(&portal, "plainpress", behaviour), "{behaviour:?} is off again");
    }
}
