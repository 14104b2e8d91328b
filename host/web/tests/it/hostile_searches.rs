//! Searches that hardly anybody means: texts without end, odd signs, hundreds of conditions. None of them takes long or makes the host fail, and
//! what is not searched is said.

use std::time::Instant;

use masthead_search::{MAX_CLAUSES, MAX_TEXT};
use masthead_test_support::{Answer, HANG, between, named};
use serde_json::{Value, json};

use crate::search::{PORTAL, SITE, ask, assert_rejected, query};

fn post(call: &str, body: &Value) -> Answer {
    PORTAL.ask("POST", SITE, &format!("/rc-pub/front/{call}"), &[("language", "en")], &body.to_string())
}

#[test]
fn queries_of_100_kilobytes_take_bounded_time_and_are_said_to_be_cut() {
    let found = |answer: &Answer| {
        let data = answer.json()["data"].clone();
        ["totalElements", "relaxation", "leftOut", "didYouMean"].map(|key| data[key].clone())
    };
    let planes: String = (0..=16).filter_map(|plane| char::from_u32(plane << 16 | 0x41)).collect();
    let controls: String = (0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32).collect();
    for unit in
        ["tide ", "海", "tide AND (", "\"", "NOT ", "te*t ", "title:\"a", &planes, &controls, "\u{301}", "\u{202e}x "]
    {
        let text: String = unit.chars().cycle().take(100_000 / (unit.len() / unit.chars().count())).collect();
        let started = Instant::now();
        let answer = post("advSearch", &json!({ "q": text }));
        assert_eq!(answer.status, 200, "{unit:?}: {}", answer.text());
        let mistakes = answer.json()["data"]["mistakes"].clone();
        let last = mistakes.as_array().unwrap().last().unwrap_or_else(|| panic!("{unit:?} is cut without a word"));
        let searched: String = text.chars().take(512).collect();
        let said = json!({ "at": 513, "text": "", "kind": "length", "suggestion": searched.trim_end() });
        assert_eq!(*last, said, "{unit:?}");
        // What takes the time of a search is what it reads.
        let beginning = post("advSearch", &json!({ "q": searched }));
        assert_eq!(found(&answer), found(&beginning), "{unit:?}: what is cut is searched");
        // A condition is not cut: what follows may exclude what its beginning finds.
        let condition = |value: &str| json!({ "conditions": [{ "field": "", "value": value, "matchType": 0 }] });
        assert_rejected(&post("advSearch", &condition(&text)), 400, "Condition 1 has more than 512 characters");
        let answer = post("advSearch", &condition(&searched));
        assert_eq!(answer.status, 200, "{unit:?}: {}", answer.text());
        // These take milliseconds; no machine is so slow that they take as long as a test that hangs.
        assert!(started.elapsed() < HANG, "{unit:?}: {:?}", started.elapsed());
    }
}

#[test]
fn a_page_says_where_a_long_text_is_cut() {
    let main = |path: &str| between(&PORTAL.page("oceanledger", path), "<main", "</main>").to_owned();
    let long = "tide ".repeat(800);
    let typed = main(&format!("/en/search?{}", query(&[("q", &long)])));
    let said = between(&typed, "role=\"note\"", "</div>");
    assert!(said.contains("What begins at character <bdi dir=\"ltr\">513</bdi> is not searched"), "{said}");
    assert!(typed.contains("class=\"result-tabs\""), "its beginning is searched");
    // Its words are more than a search reads, which is said first.
    let corrected = named(said, "a").pop().unwrap().get("href");
    assert_eq!(corrected, format!("/en/search?q={}ti", "tide%20".repeat(102)), "the first 512 characters");
    let rows = main(&format!("/en/seniorSearch?{}", query(&[("v1", "tide"), ("v2", &long)])));
    let said = between(&rows, "role=\"alert\"", "</div>");
    let sentence = "<bdi dir=\"ltr\">2</bdi>: what begins at character <bdi dir=\"ltr\">513</bdi> is not searched";
    assert!(said.contains(&format!("Condition {sentence}")), "{said}");
    let short = main("/en/search?q=tide");
    assert!(!short.contains("is not searched"), "{short}");
    // An address that is too long for the host is refused in words, too.
    let endless = format!("/en/search?{}", query(&[("q", &"tide ".repeat(2_000))]));
    let refused = PORTAL.with(SITE, &endless, &[("accept-language", "en")]);
    assert_eq!(refused.status, 414);
    assert!(refused.text().contains("The request is invalid"), "{}", refused.text());
}

#[test]
fn hostile_queries_cause_no_server_error() {
    let long = "tide ".repeat(2_000);
    let deep = format!("{}a{}", "(".repeat(900), ")".repeat(900));
    for odd in [
        "",
        "\"",
        "(((",
        "AND",
        "NOT",
        "\u{0}",
        "title:[* TO",
        "%",
        "海\"(",
        "a OR",
        "' OR 1=1 --",
        "10.5555/",
        &"NOT ".repeat(500),
        &"\"a".repeat(500),
        &deep,
        &"海".repeat(600),
    ] {
        for call in ["search", "search/clusters", "front-article/quickSearch"] {
            let answer = ask(call, &[("q", odd)]);
            assert_eq!(answer.status, 200, "{call} {odd:?}: {}", answer.text());
        }
        let list = json!([{ "field": "", "value": odd, "matchType": 0 }, { "field": "doi", "value": odd }]);
        let answer = ask("advSearch", &[("conditions", &list.to_string())]);
        assert!(answer.status < 500, "{odd:?}: {}", answer.text());
        let conditions = |number: usize| json!({ "q": odd, "conditions": vec![list[0].clone(); number] });
        let answer = post("advSearch", &conditions(MAX_CLAUSES));
        let is_long = odd.chars().count() > MAX_TEXT;
        assert_eq!(answer.status, if is_long { 400 } else { 200 }, "{odd:?}: {}", answer.text());
        let answer = post("advSearch", &conditions(500));
        assert_rejected(&answer, 400, "at most 12 conditions");
    }
    assert_eq!(post("advSearch", &json!({ "q": long })).status, 200);
    assert_rejected(&ask("search", &[("q", &long)]), 414, "invalid");
}
