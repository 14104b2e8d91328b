//! Interfaces for libraries and search engines: harvests, sitemaps, feeds, typed links, formats of an article.

mod article;
mod feeds;
mod harvest;
mod protocol;
mod removal;
mod sitemap;

use std::{path::Path, sync::LazyLock};

use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind};
use masthead_domain::{
    ArticleId, Doi, SiteId,
    article::{Article, ArticleMeta, Contributor, Dates, JournalRef, LangText},
    card::{ArticleCard, CardText},
    content::{ArticleBody, Node},
};
use masthead_store::NewArticle;
use masthead_test_support::{Answer, Portal, Setup};

/// A demo article on `oceanledger` and, without permission to read it, on `shut`.
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
/// A demo article without a PDF.
const WITHOUT_PDF: &str = "10.5555/ocl.2026.06.01.0018";
/// Words in the body of [`SEAGRASS`] that do not occur in its abstracts.
const BODY: &str = "Merchants learned to enter";
/// Sites that hold only generated articles.
const ALPHA: SiteId = SiteId(9101);
const BETA: SiteId = SiteId(9102);
const GAMMA: SiteId = SiteId(9107);

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("library", Setup::default(), add_sites);
    for number in 1..=260 {
        // Every second article belongs to a journal whose key needs encoding.
        let journal = if number % 2 == 0 { "Études" } else { "Alpha Letters" };
        put(&portal, ALPHA, &generated("alpha", number, journal));
    }
    for number in 1..=3 {
        put(&portal, BETA, &generated("beta", number, "Beta Letters"));
    }
    for number in 1..=5 {
        put(&portal, GAMMA, &generated("gamma", number, "Gamma Letters"));
    }
    portal
});

fn add_sites(sites: &Path) {
    let add = |sld: &str, id: i64, text: &str| {
        let name = "name = { zh = \"站 & <b>\", en = \"Site & <b>\" }";
        std::fs::write(sites.join(format!("{sld}.toml")), format!("id = {id}\n{name}\n{text}\n")).unwrap();
    };
    let alpha = "languages = [\"en\", \"zh\", \"ara\"]\ndomains = [\"Alpha.Example.org\", \"other.example.org\"]";
    add("alpha", ALPHA.0, &format!("{alpha}\nlibrary = {{ contact = \"desk@example.org\" }}"));
    add("beta", BETA.0, "");
    add("gamma", GAMMA.0, "");
    add("shut", 9103, "permissions = { visitPower = false, downloadPower = false }\ndemo = [\"ocean-ledger\"]");
    add(
        "silent",
        9104,
        "library = { oai = false, feeds = false, sitemap = false, signposting = false }\ndemo = [\"ocean-ledger\"]",
    );
    for (sld, id, state) in
        [("closed", 9105, "maintenance"), ("lapsed", 9106, "expired"), ("hidden", 9108, "forbidden")]
    {
        add(sld, id, &format!("state = \"{state}\"\ndemo = [\"ocean-ledger\"]"));
    }
}

/// A generated article whose text attacks XML.
fn generated(stem: &str, number: u32, journal: &str) -> NewArticle {
    let text =
        |lang: &str, plain: &str| LangText { lang: lang.into(), plain: plain.into(), nodes: vec![Node::text(plain)] };
    let title = format!("{stem} {number} & <i>\u{1}]]>");
    let meta = ArticleMeta {
        source_key: format!("doi:10.5555/{stem}.{number}"),
        doi: Some(Doi::parse(&format!("10.5555/{stem}.{number}")).unwrap()),
        article_type: "research-article".into(),
        language: "en".into(),
        titles: vec![text("en", &title), text("zh", "潮汐")],
        journal: JournalRef { title: journal.into(), ..JournalRef::default() },
        year: Some(2026),
        contributors: vec![Contributor {
            role: "author".into(),
            surname: "Lovelace".into(),
            given_names: "Ada".into(),
            orcid: "0000-0002-1825-0097".into(),
            ..Contributor::default()
        }],
        dates: Dates { online: format!("2026-03-{:02}", number % 28 + 1), ..Dates::default() },
        ..ArticleMeta::default()
    };
    let paragraph = Node::P { id: String::new(), lang: String::new(), nodes: vec![Node::text("Body & <b>")] };
    let article = Article { meta, body: ArticleBody { body: vec![paragraph], ..ArticleBody::default() } };
    let section = |kind, html: &str| RenderedSection {
        kind,
        lang: "en".into(),
        title: String::new(),
        id: "x".into(),
        html: html.into(),
    };
    let rendered = RenderedArticle {
        sections: vec![
            section(SectionKind::Abstract, "<p>In short &amp; &lt;plain&gt;</p>"),
            section(SectionKind::Body, "<p>Body</p>"),
        ],
        ..RenderedArticle::default()
    };
    let summaries = [CardText::summary("en", &[Node::text("In short & <plain>")])];
    let card = ArticleCard::of(&article, &[], &summaries);
    NewArticle { card, rendered: serde_json::to_string(&rendered).unwrap(), article, ..NewArticle::default() }
}

fn put(portal: &Portal, site: SiteId, article: &NewArticle) -> ArticleId {
    portal.run(portal.app.store.site(site).save_article(article)).unwrap().id()
}

/// The child elements with the given name, in any namespace.
fn children<'a, 'b>(node: roxmltree::Node<'a, 'b>, name: &str) -> Vec<roxmltree::Node<'a, 'b>> {
    node.children().filter(|child| child.tag_name().name() == name).collect()
}

/// The texts of all elements with the given name.
fn texts(document: &roxmltree::Document<'_>, name: &str) -> Vec<String> {
    let found = document.descendants().filter(|node| node.is_element() && node.tag_name().name() == name);
    found.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// The response parsed as XML. Fails if it is not well-formed.
fn parsed<'a>(answer: &Answer, text: &'a str) -> roxmltree::Document<'a> {
    assert_eq!(answer.status, 200, "{text}");
    roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
