//! Notices between articles: on pages, in calls, lists, formats, harvests and feeds, from the source of one article alone.

use std::sync::LazyLock;

use masthead_content::records::{RecordEdit, RecordType, Records};
use masthead_documents::{
    html,
    jats::{self, Limits},
};
use masthead_domain::{ArticleId, Lang, LocalText, SiteId, card::ArticleCard, resource::Picture};
use masthead_store::NewArticle;
use masthead_test_support::{Portal, Setup, between};
use serde_json::{Value, json};

const SITE: &str = "oceanledger";

struct World {
    portal: Portal,
    /// An article about which there are a retraction and a comment. Its own source knows nothing of them.
    affected: i64,
    retraction: i64,
    comment: i64,
    /// A correction of an article that the site does not have.
    stray: i64,
    /// The page of a corrected article, and again after the correction was removed.
    corrected: [String; 2],
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let portal = Portal::start("notices", Setup { bare: true, ..Setup::default() }, |_| {});
    let site = portal.app.store.site(SiteId(448));
    let save = |new: NewArticle| portal.run(site.save_article(&new)).unwrap().id().0;
    let about = |relation: &str, doi: &str| {
        format!("<related-article related-article-type=\"{relation}\" ext-link-type=\"doi\" xlink:href=\"{doi}\"/>")
    };
    let retraction = save(article("r", "retraction", &about("retracted-article", "10.5555/notices.A")));
    let affected = save(article("a", "research-article", ""));
    let comment = save(article("c", "article-commentary", &about("commentary-article", "10.5555/notices.a")));
    let stray = save(article("s", "correction", &about("corrected-article", "10.9999/elsewhere")));
    let corrected = save(article("b", "research-article", ""));
    let correction = save(article("n", "correction", &about("corrected-article", "10.5555/notices.b")));
    let page = || {
        portal.run(portal.app.change_log_follower().catch_up()).unwrap();
        portal.page(SITE, &format!("/en/article/{corrected}"))
    };
    let before = page();
    assert!(portal.run(site.remove_article(ArticleId(correction))).unwrap());
    let corrected = [before, page()];
    World { portal, affected, retraction, comment, stray, corrected }
});

/// An article as an import makes it.
pub fn article(name: &str, article_type: &str, related: &str) -> NewArticle {
    let source = format!(
        "<article xmlns:xlink=\"http://www.w3.org/1999/xlink\" article-type=\"{article_type}\" xml:lang=\"en\"><front>\
         <journal-meta><journal-title-group><journal-title>Ledger of notices</journal-title></journal-title-group></journal-meta>\
         <article-meta><article-id pub-id-type=\"doi\">10.5555/notices.{name}</article-id>\
         <title-group><article-title>Article {name}.</article-title></title-group>\
         <pub-date date-type=\"pub\" publication-format=\"electronic\"><day>1</day><month>3</month><year>2026</year></pub-date>\
         {related}</article-meta></front><body><p>Body of {name}.</p></body></article>"
    );
    let article = jats::import(source.as_bytes(), &Limits::default()).unwrap().article;
    let rendered = html::render(&article, &|_| None);
    let card = ArticleCard::of(&article, &rendered.title_html, &[]);
    NewArticle { card, rendered: serde_json::to_string(&rendered).unwrap(), article, ..NewArticle::default() }
}

fn path(id: i64) -> String {
    format!("/en/article/{id}")
}

/// The content of an article's page, without the data for the shell.
fn page(id: i64) -> String {
    let text = WORLD.portal.page(SITE, &path(id));
    let (_, main) = text.split_once("<main").unwrap();
    main.split("</main>").next().unwrap().to_owned()
}

fn form(id: i64, format: &str) -> String {
    WORLD.portal.page(SITE, &format!("{}?format={format}", path(id)))
}

#[test]
fn a_page_says_above_its_title_that_the_article_is_retracted() {
    let text = page(WORLD.affected);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    let link = format!("<a href=\"{}\" lang=\"en\" dir=\"ltr\">Article r.</a>", path(WORLD.retraction));
    let (above, title) = (at("class=\"article-notices\""), at("Article a.</h1>"));
    // A heading, so that the retraction is found without seeing the colour of its frame.
    let sentence = at("This article has been retracted.</h2>");
    assert!(above < sentence && sentence < at(&link) && at(&link) < title, "{text}");
    let comment = at("There is a comment on this article.</strong>");
    assert!(at(&link) < comment && comment < title, "the weightiest notice comes first: {text}");
    assert!(text.contains("data-notice=\"retracted\"") && text.contains("class=\"retraction-watermark\""), "{text}");
    let chinese = WORLD.portal.page(SITE, &format!("/zh/article/{}", WORLD.affected));
    assert!(chinese.contains("本文已被撤稿。"), "{chinese}");
    let document = WORLD.portal.page(SITE, &path(WORLD.affected));
    assert!(document.contains("<title>RETRACTED: Article a."), "{document}");

    let notice = page(WORLD.retraction);
    let link = format!(
        "This notice retracts the article:</strong> <a href=\"{}\" lang=\"en\" dir=\"ltr\">Article a.</a>",
        path(WORLD.affected)
    );
    assert!(notice.contains(&link), "{notice}");
    assert!(!notice.contains("has been retracted") && !notice.contains("watermark"), "{notice}");
}

#[test]
fn page_data_and_calls_have_the_notices() {
    let call = |id: i64| {
        let path = format!("/rc-pub/front/front-article/{id}");
        let answer = WORLD.portal.with("oceanledger.localhost", &path, &[("language", "en")]);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["data"]["notices"].clone()
    };
    let data = |id: i64| WORLD.portal.bootstrap(SITE, &path(id))["page"]["notices"].clone();
    for notices in [data(WORLD.affected), call(WORLD.affected)] {
        let [first, second] = notices.as_array().unwrap().as_slice() else { panic!("{notices}") };
        assert_eq!((&first["kind"], &first["side"]), (&"retraction".into(), &"affected".into()));
        assert_eq!((&first["article"], &first["doi"]), (&WORLD.retraction.into(), &"10.5555/notices.r".into()));
        assert_eq!((&first["title"], &first["published"]), (&"Article r.".into(), &"2026-03-01".into()));
        assert_eq!((&first["language"], &first["mark"]), (&"en".into(), &"none".into()));
        assert_eq!(first["href"], path(WORLD.retraction));
        assert_eq!((&second["kind"], &second["article"]), (&"comment".into(), &WORLD.comment.into()));
    }
    for notices in [data(WORLD.comment), call(WORLD.comment)] {
        assert_eq!((&notices[0]["kind"], &notices[0]["side"]), (&"comment".into(), &"notice".into()));
        assert_eq!((&notices[0]["article"], &notices[1]), (&WORLD.affected.into(), &Value::Null));
    }
}

#[test]
fn lists_mark_a_retracted_article() {
    let path = "/rc-pub/front/front-article/getFirstPublishArticles?size=50";
    let cards = WORLD.portal.with("oceanledger.localhost", path, &[]).json()["data"]["content"].clone();
    let of = |id: i64| {
        let card = cards.as_array().unwrap().iter().find(|card| card["id"] == id).unwrap_or_else(|| panic!("{cards}"));
        card["notice"].clone()
    };
    assert_eq!((of(WORLD.affected), of(WORLD.retraction)), ("retracted".into(), "none".into()));
    let list = WORLD.portal.page(SITE, "/en/onlineFirst");
    let card = list.split("<li class=\"article-card\"").find(|card| card.contains("Article a.")).unwrap();
    assert!(card.contains("data-notice=\"retracted\"") && card.contains("Retracted"), "{card}");
    assert_eq!(list.matches("data-notice").count(), 1, "{list}");
}

#[test]
fn figures_and_similar_articles_say_what_is_wrong_with_their_article() {
    // On another site, so that the lists of the first one stay as they are.
    let (portal, store) = (&WORLD.portal, WORLD.portal.app.store.site(SiteId(101)));
    let keyword = "<kwd-group kwd-group-type=\"author\"><kwd>tide staff</kwd></kwd-group>";
    let save = |name: &str, article_type: &str, more: &str| {
        let figure = Picture { element: "f1".into(), title: LocalText::of(Lang::En, "Staffs"), ..Picture::default() };
        let new = NewArticle { pictures: vec![figure], ..article(name, article_type, more) };
        portal.run(store.save_article(&new)).unwrap().id().0
    };
    let sound = save("g0", "research-article", keyword);
    let affected = [
        ("g1", "retracted-article", "retraction", "retracted", "From an article that has been retracted:"),
        (
            "g2",
            "object-of-concern",
            "expression-of-concern",
            "concern",
            "From an article about which an expression of concern has been published:",
        ),
        ("g3", "corrected-article", "correction", "corrected", "From an article that has been corrected:"),
    ];
    let affected = affected.map(|(name, relation, article_type, mark, sentence)| {
        let id = save(name, "research-article", keyword);
        let about = format!(
            "<related-article related-article-type=\"{relation}\" ext-link-type=\"doi\" xlink:href=\"10.5555/notices.{name}\"/>"
        );
        save(&format!("n-{name}"), article_type, &about);
        (id, name, mark, sentence)
    });
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    let figure_of = |id: i64| {
        let figures = portal.run(store.resources_of_article::<Picture>(id)).unwrap();
        let text = portal.page("plainpress", &format!("/en/picture/{}", figures[0].id));
        between(&text, "<main", "</main>").to_owned()
    };
    let page = portal.page("plainpress", &path(sound));
    let similar: Vec<&str> = between(&page, "aside-similar", "</section>").split("<li>").collect();
    for (id, name, mark, sentence) in affected {
        let figure = figure_of(id);
        let line =
            format!("<strong>{sentence}</strong> <a href=\"{}\" lang=\"en\" dir=\"ltr\">Article {name}.</a>", path(id));
        assert!(figure.find(&line).is_some_and(|at| Some(at) < figure.find("<h1")), "{line}: {figure}");
        assert_eq!(figure.contains("data-weight=\"strong\""), mark == "retracted", "{figure}");
        let item = similar.iter().find(|item| item.contains(&format!("Article {name}."))).unwrap();
        assert!(item.contains(&format!("data-notice=\"{mark}\"")), "{item}");
    }
    assert!(!figure_of(sound).contains("article-notice"));
}

#[test]
fn an_unknown_article_is_an_external_link() {
    let text = page(WORLD.stray);
    let link = "This is a correction of the article:</strong> \
                <a href=\"https://doi.org/10.9999/elsewhere\" dir=\"auto\">10.9999/elsewhere</a>";
    assert!(text.contains(link), "{text}");
    let notices = WORLD.portal.bootstrap(SITE, &path(WORLD.stray))["page"]["notices"].clone();
    assert_eq!((&notices[0]["article"], &notices[0]["doi"]), (&Value::Null, &"10.9999/elsewhere".into()));
}

#[test]
fn the_page_of_the_other_article_follows_at_once() {
    let [before, after] = &WORLD.corrected;
    assert!(before.contains("This article has been corrected."), "{before}");
    assert!(!after.contains("This article has been corrected.") && !after.contains("article-notices"), "{after}");
}

#[test]
fn a_relation_that_an_editor_adds_shows_on_both_sides_as_one_of_a_source() {
    // On another site, so that the lists of the first one stay as they are.
    let (portal, site) = (&WORLD.portal, SiteId(101));
    let store = portal.app.store.site(site);
    let save = |name: &str, kind: &str, related: &str| {
        portal.run(store.save_article(&article(name, kind, related))).unwrap().id().0
    };
    let of_source = "<related-article related-article-type=\"corrected-article\" ext-link-type=\"doi\" \
                     xlink:href=\"10.5555/notices.e1\"/>";
    let pairs = [
        (save("e1", "research-article", ""), save("m1", "correction", of_source)),
        (save("e2", "research-article", ""), save("m2", "correction", "")),
    ];
    let related = json!({ "kind": "corrected-article", "href": "10.5555/notices.e2" });
    let change =
        RecordEdit { fields: vec![("related.+".to_owned(), related)], who: "ada".to_owned(), ..RecordEdit::default() };
    let records = Records::new(&portal.app.store, site, &portal.app.data_folder);
    let done = portal.run(records.set(RecordType::Article, "10.5555/notices.m2", &change)).unwrap();
    assert_eq!((done.action, done.name), ("changed", pairs[1].1.to_string()));
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();

    let link = |id: i64, title: &str| format!("</strong> <a href=\"{}\" lang=\"en\" dir=\"ltr\">{title}</a>", path(id));
    for (number, (affected, notice)) in (1..).zip(pairs) {
        let text = portal.page("plainpress", &path(affected));
        let expected = format!("This article has been corrected.{}", link(notice, &format!("Article m{number}.")));
        assert!(text.contains(&expected), "{expected}: {text}");
        let text = portal.page("plainpress", &path(notice));
        let expected =
            format!("This is a correction of the article:{}", link(affected, &format!("Article e{number}.")));
        assert!(text.contains(&expected), "{expected}: {text}");
    }
}

#[test]
fn formats_and_typed_links_have_both_directions() {
    let forward = "<related-article related-article-type=\"retraction-forward\" ext-link-type=\"doi\" xlink:href=\"10.5555/notices.r\"";
    let id = WORLD.affected;
    let download = format!("/rc-pub/front/front-article/download?id={id}&type=xml");
    for text in [form(id, "jats"), WORLD.portal.page(SITE, &download)] {
        assert_eq!(text.matches(forward).count(), 1, "{text}");
        let again = jats::import(text.as_bytes(), &Limits::default()).unwrap().article;
        assert!(again.meta.related.is_empty(), "the exact article is as its source made it");
    }
    let own = form(WORLD.retraction, "jats");
    assert_eq!(own.matches("<related-article ").count(), 1, "the source has it already: {own}");

    let affected: Value = serde_json::from_str(&form(id, "jsonld")).unwrap();
    assert_eq!(affected["creativeWorkStatus"], "Retracted");
    assert_eq!(affected["correction"][0]["@id"], "https://doi.org/10.5555/notices.r");
    let notice: Value = serde_json::from_str(&form(WORLD.retraction, "jsonld")).unwrap();
    assert_eq!(notice["isBasedOn"][0]["@id"], "https://doi.org/10.5555/notices.a");

    for (id, relation, target) in [(id, "isRetractedBy", "r"), (WORLD.retraction, "retracts", "a")] {
        let relation = format!("http://purl.org/spar/cito/{relation}");
        let target = format!("https://doi.org/10.5555/notices.{target}");
        let set = WORLD.portal.get(SITE, &format!("{}/linkset", path(id))).json();
        assert_eq!(set["linkset"][0][&relation][0]["href"], target);
        let header = WORLD.portal.get(SITE, &path(id)).header("link").to_owned();
        assert!(header.contains(&format!("<{target}>; rel=\"{relation}\"")), "{header}");
    }
}

#[test]
fn harvesters_get_both_directions() {
    let record = |prefix: &str, id: i64| {
        let text = WORLD.portal.page(SITE, &format!("/oai?verb=ListRecords&metadataPrefix={prefix}"));
        let end = format!(":article/{id}</identifier>");
        let single = text.split("<record>").find(|record| record.contains(&end)).unwrap_or_else(|| panic!("{text}"));
        let identifier = single.split("<identifier>").nth(1).unwrap().split('<').next().unwrap().to_owned();
        let alone = format!("/oai?verb=GetRecord&metadataPrefix={prefix}&identifier={identifier}");
        [single.to_owned(), WORLD.portal.page(SITE, &alone)]
    };
    for text in record("oai_dc", WORLD.affected) {
        assert!(text.contains("<dc:relation>https://doi.org/10.5555/notices.r</dc:relation>"), "{text}");
        assert!(text.contains("<dc:relation>https://doi.org/10.5555/notices.c</dc:relation>"), "{text}");
    }
    for text in record("oai_dc", WORLD.retraction) {
        assert_eq!(text.matches("<dc:relation>").count(), 1, "{text}");
    }
    for text in record("jats", WORLD.affected) {
        assert!(text.contains("related-article-type=\"retraction-forward\""), "{text}");
        assert!(text.contains("related-article-type=\"commentary\""), "{text}");
    }
    for text in record("jats", WORLD.retraction) {
        assert!(text.contains("related-article-type=\"retracted-article\""), "{text}");
        assert_eq!(text.matches("<related-article ").count(), 1, "{text}");
    }
}

#[test]
fn feeds_mark_a_retracted_article_and_link_the_notice() {
    let related = format!("http://oceanledger.localhost{}", path(WORLD.retraction));
    for (feed, entry) in [("feed.rss", "item"), ("feed.atom", "entry")] {
        let text = WORLD.portal.page(SITE, &format!("/en/{feed}"));
        let document = roxmltree::Document::parse(&text).unwrap();
        let found = document.descendants().find(|node| {
            let title = node.children().find(|child| child.tag_name().name() == "title").and_then(|title| title.text());
            node.tag_name().name() == entry && title == Some("RETRACTED: Article a.")
        });
        let found = found.unwrap_or_else(|| panic!("{text}"));
        let links: Vec<_> = found.children().filter(|node| node.attribute("rel") == Some("related")).collect();
        assert!(links.iter().any(|link| link.attribute("href") == Some(related.as_str())), "{text}");
        assert!(text.contains(">Article r.</title>"), "the notice itself is not retracted: {text}");
    }
}
