//! The number of database statements of a list of results at a group site: it does not depend on the number of sites that have hits.

use std::{collections::BTreeSet, path::Path};

use masthead_domain::{
    Doi, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta, JournalRef, LangText},
    card::ArticleCard,
    resource::Picture,
};
use masthead_store::NewArticle;
use masthead_test_support::Portal;
use serde_json::json;

const GROUP: &str = "assembly";
const NUMBER: SiteId = SiteId(9620);
const MEMBERS: [(&str, SiteId); 5] = [
    ("assembled-a", SiteId(9621)),
    ("assembled-b", SiteId(9622)),
    ("assembled-c", SiteId(9623)),
    ("assembled-d", SiteId(9624)),
    ("assembled-e", SiteId(9625)),
];
/// A word that the first member has.
const ONCE: &str = "guillemot";
/// A word that all members have.
const EVERYWHERE: &str = "kittiwake";

/// Adds a group site and the members of its group.
pub fn add_sites(sites: &Path) {
    std::fs::write(sites.join("groups/assembled.toml"), "").unwrap();
    let add = |sld: &str, id: SiteId, kind: &str| {
        let name = format!("name = {{ zh = \"{sld}\", en = \"The {sld}\" }}");
        let text = format!("id = {id}\n{name}\ngroup = \"assembled\"\n{kind}\n");
        std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
    };
    add(GROUP, NUMBER, "type = \"group\"\ngroupType = 1");
    MEMBERS.into_iter().for_each(|(sld, id)| add(sld, id, ""));
}

/// An article with a word in its title, with another one in its text alone, with a figure, and of a journal of its own.
fn save(portal: &Portal, site: SiteId, word: &str) {
    let title = format!("On the {word}");
    let doi = Doi::parse(&format!("10.5555/{word}.1")).unwrap();
    let meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        titles: vec![LangText { lang: "en".into(), plain: title, nodes: Vec::new() }],
        journal: JournalRef { title: format!("{word} letters"), ..JournalRef::default() },
        year: Some(2031),
        language: "en".into(),
        ..ArticleMeta::default()
    };
    let article = Article { meta, ..Article::default() };
    let text = format!("Far below there is a deep{word}.");
    let picture = Picture { element: "f1".into(), title: LocalText::of(Lang::En, word), ..Picture::default() };
    let new = NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: json!({ "titleHtml": [], "sections": [], "outline": [], "text": text }).to_string(),
        pictures: vec![picture],
        ..NewArticle::default()
    };
    portal.run(portal.app.store.site(site).save_article(&new)).unwrap();
}

/// Counts the statements of lists of results that have hits of one site, and of all.
pub fn suite(portal: &Portal, statements: &dyn Fn(&str, &str) -> usize) {
    for (_, site) in MEMBERS {
        save(portal, site, EVERYWHERE);
    }
    save(portal, MEMBERS[0].1, ONCE);
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal.app.pages.clear();
    for kind in ["article", "picture", "publication"] {
        let call = |word: &str| format!("/rc-pub/front/search?scope=group&type={kind}&q={word}");
        assert_eq!([ONCE, EVERYWHERE].map(|word| sites(portal, &call(word))), [1, MEMBERS.len()], "{kind}");
        let page = |word: &str| format!("/en/search?type={kind}&q={word}");
        same(statements, [ONCE, EVERYWHERE].map(call));
        same(statements, [ONCE, EVERYWHERE].map(page));
    }
    let passages = |word: &str| format!("/en/search?q=deep{word}");
    for word in [ONCE, EVERYWHERE] {
        let page = portal.page(GROUP, &passages(word));
        let expected = if word == ONCE { 1 } else { MEMBERS.len() };
        assert_eq!(page.matches("class=\"card-passage\"").count(), expected, "{word}: {page}");
    }
    same(statements, [ONCE, EVERYWHERE].map(passages));
}

/// The number of sites that have hits in an answer.
fn sites(portal: &Portal, call: &str) -> usize {
    let answer = portal.get(GROUP, call).json();
    let sites = answer["data"]["sites"].as_array().unwrap().iter().map(|site| site.as_i64().unwrap());
    sites.collect::<BTreeSet<i64>>().len()
}

fn same(statements: &dyn Fn(&str, &str) -> usize, [one, all]: [String; 2]) {
    let counted = |address: &str| {
        // The first answer reads what the menus of the sites lead to.
        statements(GROUP, address);
        statements(GROUP, address)
    };
    let (few, many) = (counted(&one), counted(&all));
    println!("{all} runs {few} statements with hits of one site, {many} with hits of {}", MEMBERS.len());
    assert!(few > 0, "{one}");
    assert_eq!(few, many, "{all}");
}
