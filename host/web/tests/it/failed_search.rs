//! A search that fails is an error everywhere; it is never an answer without hits.

use std::sync::{Arc, LazyLock};

use masthead_domain::SiteId;
use masthead_search::{
    Answer, Clusters, Expansion, ExternalOrder, Facet, Hit, Hits, Index, IndexedWord, Like, MAX_CLAUSES, MAX_TEXT,
    PageOfHits, Position, Search, SearchError, Sites, Subject, Suggest, Suggestion, Update,
};
use masthead_test_support::{Portal, Setup, between, named};
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("failedsearch", Setup::default(), |_| {});
    portal.app.served_index.replace(Arc::new(Broken));
    portal
});

/// An index whose disk cannot be read.
struct Broken;

fn failed<T: Send + 'static>() -> Answer<'static, T> {
    Box::pin(async { Err(SearchError::Use { doing: "reading the index", source: "the disk is gone".into() }) })
}

impl Index for Broken {
    fn position(&self) -> Answer<'_, Position> {
        failed()
    }

    fn positions(&self) -> Answer<'_, Vec<Position>> {
        failed()
    }

    fn written_after(&self, _: Position) -> Answer<'_, Vec<(SiteId, Subject)>> {
        failed()
    }

    fn apply(&self, _: Vec<Update>, _: Position) -> Answer<'_, ()> {
        failed()
    }

    fn search(&self, _: Sites, _: Search, _: PageOfHits) -> Answer<'_, Hits> {
        failed()
    }

    fn search_ordered(&self, _: Sites, _: Search, _: ExternalOrder, _: PageOfHits) -> Answer<'_, Hits> {
        failed()
    }

    fn clusters(&self, _: Sites, _: Search, _: Vec<Facet>) -> Answer<'_, Clusters> {
        failed()
    }

    fn suggest(&self, _: Suggest) -> Answer<'_, Vec<Suggestion>> {
        failed()
    }

    fn words(&self, _: Sites, _: Vec<(String, Expansion)>, _: usize) -> Answer<'_, Vec<Vec<IndexedWord>>> {
        failed()
    }

    fn like(&self, _: Like) -> Answer<'_, Vec<Hit>> {
        failed()
    }
}

#[test]
fn the_page_says_that_the_search_failed_and_offers_it_again() {
    for path in ["/en/search?q=tide&oa=0", "/en/seniorSearch?v1=tide", "/en/search?q=tide&type=picture"] {
        let answer = PORTAL.get("oceanledger", path);
        let page = answer.text();
        assert_eq!(answer.status, 500, "{path}");
        assert!(page.contains("The search failed") && page.contains("role=\"alert\""), "{path}: {page}");
        assert!(
            !page.contains("found no records") && !page.contains("result-count"),
            "{path}: no hits are not claimed"
        );
        let again = named(between(&page, "search-failed", "</div>"), "a").remove(0);
        assert_eq!(again.get("href"), path, "the same search again");
        assert!(!page.contains("the disk is gone"), "the cause is logged only");
    }
    assert!(PORTAL.get("oceanledger", "/zh/search?q=tide").text().contains("检索失败"));
}

/// Asserts that every call with these conditions fails with this status, and whether the message refuses them in these words.
fn assert_failed(list: &Value, status: u16, refusal: &str) {
    const HOST: &str = "oceanledger.localhost";
    let address = Serializer::new(String::new()).append_pair("conditions", &list.to_string()).finish();
    let body = json!({ "conditions": list }).to_string();
    let mut answers = Vec::new();
    for call in ["advSearch", "advSearch/clusters", "front-article/advancedSearch"] {
        let path = format!("/rc-pub/front/{call}?{address}");
        answers.push((call, PORTAL.with(HOST, &path, &[("language", "en")])));
    }
    for call in ["advSearch", "advSearch/clusters"] {
        let path = format!("/rc-pub/front/{call}");
        answers.push((call, PORTAL.ask("POST", HOST, &path, &[("language", "en")], &body)));
    }
    for (call, answer) in answers {
        let envelope = answer.json();
        assert_eq!((answer.status, envelope["data"].is_null()), (status, true), "{call}: {envelope}");
        let said = envelope["message"].to_string();
        assert_eq!(said.contains(refusal), status == 400, "{call}: {said}");
    }
}

/// The last condition that a search left out may be one that excludes what it finds.
#[test]
fn more_conditions_than_a_search_takes_are_refused() {
    let condition = json!({ "field": "", "value": "tide", "operator": "NOT", "matchType": 0 });
    // As many as it takes are searched, which fails here.
    for (number, status) in [(MAX_CLAUSES, 500), (MAX_CLAUSES + 1, 400)] {
        let list = Value::from(vec![condition.clone(); number]);
        assert_failed(&list, status, &format!("at most {MAX_CLAUSES} conditions"));
    }
}

/// The same is true of the end of a condition.
#[test]
fn a_condition_that_is_longer_than_a_search_reads_is_refused_with_its_number() {
    let refusal = format!("Condition 2 has more than {MAX_TEXT} characters");
    for (characters, status) in [(MAX_TEXT, 500), (MAX_TEXT + 1, 400)] {
        // Characters are counted, and not bytes.
        for text in ["é".repeat(characters), format!("{:<characters$}", "tide")] {
            let list = json!([{ "field": "", "value": "tide" }, { "field": "resName_tic", "value": text }]);
            assert_failed(&list, status, &refusal);
        }
    }
}

#[test]
fn calls_answer_with_an_error() {
    for call in [
        "search?q=tide",
        "search/clusters?q=tide",
        "front-article/quickSearch?q=tide",
        "advSearch?q=tide",
        "advSearch/clusters?q=tide",
        "front-article/advancedSearch?q=tide",
        "search/suggest?q=tide",
    ] {
        let answer = PORTAL.with("oceanledger.localhost", &format!("/rc-pub/front/{call}"), &[("language", "en")]);
        let envelope = answer.json();
        assert_eq!((answer.status, &envelope["data"].is_null()), (500, &true), "{call}: {envelope}");
        assert_ne!(envelope["status"], 0, "{call}");
    }
}
