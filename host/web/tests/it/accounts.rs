//! The pages of readers' accounts: their forms without scripts, the way back, and the way to them from what is closed.

use std::{path::Path, sync::LazyLock};

use masthead_test_support::{Portal, Setup, between, named};

const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("accounts", Setup::default(), add_sites));

fn add_sites(sites: &Path) {
    let site = |id: u32, sld: &str, more: &str| {
        let text = format!("id = {id}\nname = {{ zh = \"站\", en = \"{sld}\" }}\n{more}\n");
        std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
    };
    site(9311, "shut", "demo = [\"ocean-ledger\"]\npermissions = { visitPower = false, downloadPower = false }");
    site(
        9312,
        "silent",
        "demo = [\"ocean-ledger\"]\npermissions = { visitPower = false, downloadPower = false }\naccounts = { enabled = false }",
    );
    site(9313, "invited", "accounts = { registration = false, agreement = \"https://press.example/terms\" }");
    site(9314, "agreed", "accounts = { agreement = \"aboutus/12\" }");
}

fn main_of(site: &str, path: &str) -> String {
    between(&PORTAL.page(site, path), "<main", "</main>").to_owned()
}

fn hrefs(site: &str, path: &str) -> Vec<String> {
    named(&main_of(site, path), "a").iter().map(|tag| tag.get("href")).collect()
}

/// The forms of a page with the names of their fields.
fn forms(site: &str, path: &str) -> Vec<(String, Vec<String>)> {
    let main = main_of(site, path);
    let forms = main.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap());
    forms
        .map(|form| {
            let kind = between(form, "data-account=\"", "\"").to_owned();
            (kind, named(form, "input").iter().map(|tag| tag.get("name")).collect())
        })
        .collect()
}

#[test]
fn every_account_page_has_its_forms_and_leads_back() {
    let name = |kind: &str, fields: &[&str]| (kind.to_owned(), fields.iter().map(|&name| name.to_owned()).collect());
    let account = ["userName", "target", "code", "password", "repeated", "agreement"];
    for (page, heading, expected) in [
        ("login", "Sign in", vec![name("login", &["userName", "password"])]),
        ("quickLogin", "Sign in with a code", vec![name("quickLogin", &["target", "code"])]),
        ("register", "Register", vec![name("register", &account)]),
        ("forgetCode", "Reset the password", vec![name("forgetCode", &["target", "code", "password", "repeated"])]),
        (
            "accountBinding",
            "Connect an account",
            vec![
                name("bind", &["userName", "password"]),
                name("bindByCode", &["target", "code"]),
                name("bindNew", &account),
            ],
        ),
        ("personal", "Personal center", vec![]),
    ] {
        let address = format!("/en/{page}?url=%2Fen%2Fissues%3Fjournal%3Da");
        let text = PORTAL.page("oceanledger", &address);
        assert!(text.contains(&format!("<h1>{heading}</h1>")), "{page}");
        assert!(text.contains("content=\"noindex\""), "{page}");
        assert_eq!(forms("oceanledger", &address), expected, "{page}");
        assert_eq!(hrefs("oceanledger", &address).last().map(String::as_str), Some("/en/issues?journal=a"), "{page}");
        let back = main_of("oceanledger", &address).matches("data-back=\"/en/issues?journal=a\"").count();
        assert_eq!(back, expected.len(), "{page}");
    }
}

#[test]
fn without_scripts_a_form_can_be_read_and_sends_nothing() {
    for page in ["login", "quickLogin", "register", "forgetCode", "accountBinding"] {
        let main = main_of("oceanledger", &format!("/en/{page}"));
        for form in named(&main, "form") {
            // A form with the method GET would put a password into the address.
            assert_eq!((form.get("method").as_str(), form.get("action").as_str()), ("post", ""), "{page}");
        }
        let labels: Vec<_> = named(&main, "label").iter().map(|tag| tag.get("for")).collect();
        for input in named(&main, "input") {
            assert!(labels.contains(&input.get("id")), "{page}: {input:?} has no label");
        }
        assert_eq!(main.matches("type=\"submit\" disabled>").count(), named(&main, "form").len(), "{page}");
        assert_eq!(main.matches("This form needs JavaScript").count(), named(&main, "form").len(), "{page}");
    }
    let register = main_of("oceanledger", "/en/register");
    for hint in ["register-userName", "register-password"] {
        assert!(register.contains(&format!("aria-describedby=\"{hint}-hint\"")), "{hint}");
        assert!(register.contains(&format!("id=\"{hint}-hint\"")), "{hint}");
    }
    for (field, autocomplete) in [("register-password", "new-password"), ("register-code", "one-time-code")] {
        let input = named(&register, "input").into_iter().find(|tag| tag.get("id") == field).unwrap();
        assert_eq!(input.get("autocomplete"), autocomplete, "password managers know it");
    }
}

#[test]
fn a_site_says_who_can_have_an_account() {
    let off = main_of("silent", "/en/login");
    assert!(off.contains("This site has no reader accounts.") && !off.contains("<form"), "{off}");
    let invited = hrefs("invited", "/en/login");
    assert!(!invited.iter().any(|address| address.contains("register")), "{invited:?}");
    let register = main_of("invited", "/en/register");
    assert!(register.contains("Readers cannot register on this site.") && !register.contains("<form"), "{register}");
    assert_eq!(forms("invited", "/en/accountBinding").len(), 2, "no new account");
    assert!(hrefs("agreed", "/en/register").contains(&"/en/aboutus/12".to_owned()));
    assert!(main_of("oceanledger", "/en/register").contains("<summary>User agreement</summary>"));
}

#[test]
fn the_address_to_return_to_is_on_the_site() {
    for bad in ["https%3A%2F%2Fevil.example%2F", "%2F%2Fevil.example", "javascript%3Aalert(1)", "%2Fen%2F%5Cevil", ""] {
        let address = format!("/en/login?url={bad}");
        let main = main_of("oceanledger", &address);
        assert!(!main.contains("evil") && !main.contains("javascript:"), "{bad}");
        assert!(main.contains("data-back=\"/en/home/\""), "{bad}");
        assert_eq!(hrefs("oceanledger", &address).last().map(String::as_str), Some("/en/home/"), "{bad}");
    }
    let shared = PORTAL.with("127.0.0.1", "/oceanledger/en/login?url=%2Fquietcircuits%2Fen%2Fhome", &[]).text();
    let main = between(&shared, "<main", "</main>");
    assert!(main.contains("href=\"/oceanledger/en/home/\"") && !main.contains("quietcircuits"), "{main}");
}

#[test]
fn an_address_to_return_to_is_text_and_not_markup() {
    let main = main_of("oceanledger", "/en/login?url=%2Fen%2F%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E");
    assert!(!main.contains("<script"), "{main}");
    assert!(main.contains("data-back=\"/en/&quot;&gt;&lt;script&gt;"), "{main}");
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
    assert!(links.contains(&"/en/login/external?provider=plugin&url=%2Fen%2Fissues".to_owned()), "{links:?}");
    assert!(!hrefs("oceanledger", "/en/login").iter().any(|address| address.contains("external")));
}

#[test]
fn a_reader_of_a_closed_article_is_led_to_the_sign_in_and_back() {
    let article = format!("/en/article/{}", PORTAL.article("shut", SEAGRASS));
    let page = PORTAL.page("shut", &article);
    let note = between(&page, "class=\"alert\" role=\"note\"", "</p>");
    assert!(note.contains("Please sign in to read the full text"), "{note}");
    let links: Vec<_> = named(note, "a").iter().map(|tag| tag.get("href")).collect();
    let back = article.replace('/', "%2F");
    assert_eq!(links, [format!("/en/login?url={back}"), format!("/en/register?url={back}")]);
    for link in &links {
        assert!(hrefs("shut", link).contains(&article), "and back from {link}");
    }
    let without = format!("/en/article/{}", PORTAL.article("silent", SEAGRASS));
    let page = PORTAL.page("silent", &without);
    assert!(named(between(&page, "class=\"alert\" role=\"note\"", "</p>"), "a").is_empty(), "nobody can sign in");
}

#[test]
fn a_member_sees_who_is_signed_in_and_is_led_on() {
    let member = PORTAL.sign_up("oceanledger", "lin.account", "lin.account@press.example");
    let headers = [("cookie", member.cookies.as_str())];
    let page = PORTAL.with("oceanledger.localhost", "/en/login?url=%2Fen%2Fissues", &headers).text();
    let main = between(&page, "<main", "</main>");
    assert!(main.contains("lin****ount") && !main.contains("<form"), "{main}");
    let links: Vec<_> = named(main, "a").iter().map(|tag| tag.get("href")).collect();
    assert_eq!(links, ["/en/personal", "/en/logout", "/en/issues"]);
    assert!(page.contains("\"userName\":\"lin****ount\""), "the header knows the masked name");
    assert!(!page.contains("lin.account"), "and nothing has the whole one");
}
