//! While the index is being rebuilt, calls that find nothing in it are refused: the rest of it may have what was searched.

use masthead_content::change_log_follower::IndexState;
use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    SiteId,
    article::{Article, ArticleMeta, LangText},
    card::ArticleCard,
};
use masthead_store::NewArticle;
use masthead_test_support::{Portal, Setup};

fn article(title: &str) -> NewArticle {
    let text = LangText { lang: "en".into(), plain: title.to_owned(), ..LangText::default() };
    let meta = ArticleMeta { source_key: format!("sha256:{title}"), titles: vec![text], ..ArticleMeta::default() };
    let article = Article { meta, ..Article::default() };
    NewArticle {
        card: ArticleCard::of(&article, &[], &[]),
        article,
        rendered: serde_json::to_string(&RenderedArticle::default()).unwrap(),
        ..NewArticle::default()
    }
}

#[test]
fn a_call_that_finds_nothing_in_an_index_that_is_being_rebuilt_is_refused() {
    let portal = Portal::start("rebuilding", Setup::default(), |_| {});
    let store = portal.app.store.site(SiteId(448));
    let id = portal.run(store.save_article(&article("Unlike everything"))).unwrap().id().0;
    let calls = [
        "search?q=nowhereatall".to_owned(),
        "search/clusters?q=nowhereatall".to_owned(),
        "search/suggest?q=nowhereatall".to_owned(),
        format!("front-article/relationArticle?id={id}"),
    ];
    let answer = |call: &str| portal.get("oceanledger", &format!("/rc-pub/front/{call}"));
    // A rebuild of which a step fails goes on later: until its end, the index is not complete.
    for state in [IndexState::Rebuilding, IndexState::Failing, IndexState::Following] {
        portal.app.progress.index_is(state);
        for call in &calls {
            let answer = answer(call);
            let envelope = answer.json();
            assert_eq!((answer.status, envelope["data"].is_null()), (503, true), "{state:?}, {call}: {envelope}");
            assert_eq!(answer.header("retry-after"), "60", "{state:?}, {call}");
        }
    }
    // What is read from the database is there.
    for path in [format!("/en/article/{id}"), "/rc-pub/front/front-article/getColumnTree".to_owned()] {
        assert_eq!(portal.get("oceanledger", &path).status, 200, "{path}");
    }
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    for call in &calls {
        assert_eq!(answer(call).status, 200, "{call}");
    }
}
