//! The administrators' call about Crossref deposits.

use std::sync::LazyLock;

use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::Role;

const HOST: &str = "oceanledger.localhost";
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
const MANGROVE: &str = "10.5555/ocl.2026.06.01.0018";
const DEPOSITOR: &str = "depositor=Small%20Press&email=doi@press.example.org";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("admin-crossref", Setup::default(), |_| {}));
static TOKEN: LazyLock<String> = LazyLock::new(|| PORTAL.token("desk", Role::Editor, &[448]));

fn get(query: &str) -> Answer {
    let headers = [("token", TOKEN.as_str()), ("language", "en")];
    PORTAL.with(HOST, &format!("/rc-pub/admin/crossref?siteId=448&{query}"), &headers)
}

/// The XML of a deposit.
fn deposit(query: &str) -> String {
    let answer = get(&format!("{DEPOSITOR}&{query}"));
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/xml"), "{}", answer.text());
    let xml = answer.text();
    assert!(roxmltree::Document::parse(&xml).is_ok(), "{xml}");
    xml
}

#[test]
fn a_deposit_is_of_the_articles_that_are_named_and_by_whoever_is_named() {
    let answer = get(&format!("{DEPOSITOR}&article={SEAGRASS}"));
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"crossref-oceanledger.xml\"");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let one = deposit(&format!("article={SEAGRASS}"));
    for part in [
        "<depositor_name>Small Press</depositor_name>",
        "<email_address>doi@press.example.org</email_address>",
        "<registrant>Small Press</registrant>",
        "<resource>http://oceanledger.localhost/zh/",
        SEAGRASS,
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
    assert_eq!(one.matches("<journal_article").count(), 1);

    let number = PORTAL.article("oceanledger", MANGROVE);
    let owner = "registrant=The%20Society&address=https://journal.example.org/";
    let two = deposit(&format!("article={SEAGRASS}&article={number}&{owner}"));
    assert_eq!(two.matches("<journal_article").count(), 2, "{two}");
    assert_eq!(two.matches("<resource>https://journal.example.org/zh/").count(), 2, "{two}");
    assert!(two.contains("<registrant>The Society</registrant>") && two.contains(MANGROVE), "{two}");
    let all = deposit("within=ocean-ledger");
    assert!(all.matches("<journal_article").count() > 2 && all.contains(MANGROVE));
}

#[test]
fn a_report_says_what_the_deposit_has_and_lacks() {
    let answer = get(&format!("{DEPOSITOR}&within=ocean-ledger&report=true"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let report = answer.json()["data"].clone();
    let xml = deposit("within=ocean-ledger");
    assert_eq!(report["articles"].as_u64(), u64::try_from(xml.matches("<journal_article").count()).ok(), "{report}");
    assert!(report["leftOut"].is_array() && report["noticesLeftOut"].is_u64(), "{report}");
}

#[test]
fn a_deposit_of_nothing_or_by_nobody_is_refused() {
    for (query, status, why) in [
        ("email=a@b.example", 400, "the depositor has no name"),
        ("depositor=A&email=nobody", 400, "\"nobody\" is not an e-mail address"),
        (&format!("{DEPOSITOR}&crossmarkPolicy=x"), 400, "\"x\" is not a DOI"),
        (&format!("{DEPOSITOR}&address=journal.example.org"), 400, "is not the address of a site"),
        (&format!("{DEPOSITOR}&within=ocean-ledger&article={SEAGRASS}"), 400, "not of both"),
        (&format!("{DEPOSITOR}&article=10.5555/none"), 404, "10.5555/none"),
        (&format!("{DEPOSITOR}&within=ocean-ledger/2031/1"), 404, "ocean-ledger/2031/1 has no articles"),
        (&format!("{DEPOSITOR}&within=ocean-ledger/soon/1"), 400, "is not the name of an issue"),
        (&format!("{DEPOSITOR}&within=a%00b"), 400, "invalid"),
        (&format!("{DEPOSITOR}&article=a%00b"), 400, "invalid"),
    ] {
        let answer = get(query);
        assert_eq!(answer.status, status, "{query}: {}", answer.text());
        assert!(answer.json()["message"].as_str().unwrap().contains(why), "{query}: {}", answer.text());
    }
    let elsewhere = PORTAL.token("elsewhere", Role::Admin, &[502]);
    let path = format!("/rc-pub/admin/crossref?siteId=448&{DEPOSITOR}&article={SEAGRASS}");
    for (token, status) in [("", 401), (elsewhere.as_str(), 403)] {
        assert_eq!(PORTAL.with(HOST, &path, &[("token", token), ("language", "en")]).status, status);
    }
}
