//! The pages of readers' accounts before there are accounts, and the way to them from what is closed.

use std::{path::Path, sync::LazyLock};

use masthead_test_support::{Portal, Setup, between, named};

const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("accounts", Setup::default(), add_sites));

fn add_sites(sites: &Path) {
    let closed = "id = 9311\nname = { zh = \"闭\", en = \"Shut\" }\ndemo = [\"ocean-ledger\"]\npermissions = { visitPower = false, downloadPower = false }\n";
    std::fs::write(sites.join("shut.toml"), closed).unwrap();
}

fn hrefs(site: &str, path: &str) -> Vec<String> {
    let main = between(&PORTAL.page(site, path), "<main", "</main>").to_owned();
    named(&main, "a").iter().map(|tag| tag.get("href")).collect()
}

#[test]
fn every_account_page_says_what_is_possible_and_leads_back() {
    for (page, heading) in [
        ("login", "Sign in"),
        ("quickLogin", "Sign in with a code"),
        ("register", "Register"),
        ("forgetCode", "Reset the password"),
        ("accountBinding", "Connect an account"),
        ("personal", "Personal center"),
    ] {
        let text = PORTAL.page("oceanledger", &format!("/en/{page}?url=%2Fen%2Fissues%3Fjournal%3Da"));
        assert!(text.contains(&format!("<h1>{heading}</h1>")), "{page}");
        assert!(text.contains("Reader accounts are not available on this platform yet."), "{page}");
        assert!(text.contains("content=\"noindex\""), "{page}");
        assert_eq!(
            hrefs("oceanledger", &format!("/en/{page}?url=%2Fen%2Fissues%3Fjournal%3Da")),
            ["/en/issues?journal=a"]
        );
    }
}

#[test]
fn the_address_to_return_to_is_on_the_site() {
    for bad in ["https%3A%2F%2Fevil.example%2F", "%2F%2Fevil.example", "javascript%3Aalert(1)", "%2Fen%2F%5Cevil", ""] {
        assert_eq!(hrefs("oceanledger", &format!("/en/login?url={bad}")), ["/en/home/"], "{bad}");
    }
    let shared = PORTAL.with("127.0.0.1", "/oceanledger/en/login?url=%2Fquietcircuits%2Fen%2Fhome", &[]).text();
    let main = between(&shared, "<main", "</main>");
    assert!(main.contains("href=\"/oceanledger/en/home/\"") && !main.contains("quietcircuits"), "{main}");
}

#[test]
fn the_address_of_the_specification_keeps_language_and_return_address() {
    let answer =
        PORTAL.with("oceanledger.localhost", "/login?lang=en&url=%2Fen%2Fissues", &[("accept-language", "zh")]);
    assert_eq!((answer.status, answer.header("location")), (307, "/en/login?lang=en&url=%2Fen%2Fissues"));
    let other = PORTAL.with("oceanledger.localhost", "/personal?lang=xx", &[("accept-language", "en")]);
    assert_eq!(other.header("location"), "/en/personal?lang=xx");
}

#[test]
fn a_site_with_an_identity_service_leads_to_it() {
    let links = hrefs("northcampus", "/en/login?url=%2Fen%2Fissues");
    assert_eq!(links, ["/en/login/external?url=%2Fen%2Fissues", "/en/issues"]);
    let page = PORTAL.page("northcampus", "/en/login");
    assert!(!page.contains("not available on this platform"), "{page}");
}

#[test]
fn a_reader_of_a_closed_article_is_led_to_the_sign_in_and_back() {
    let article = format!("/en/article/{}", PORTAL.article("shut", SEAGRASS));
    let page = PORTAL.page("shut", &article);
    let note = between(&page, "class=\"alert\" role=\"note\"", "</p>");
    assert!(note.contains("Please sign in to read the full text"), "{note}");
    let link = named(note, "a").first().map(|tag| tag.get("href")).unwrap();
    assert_eq!(link, format!("/en/login?url={}", article.replace('/', "%2F")));
    assert!(hrefs("shut", &link).contains(&article), "and back");
}
