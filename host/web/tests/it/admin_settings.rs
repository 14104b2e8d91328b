//! Administrators' calls about the settings of a site, and the check of configuration and content.

use std::{fs, sync::LazyLock};

use masthead_test_support::{Answer, Portal, Setup};
use masthead_web::auth::admin_tokens::Role;
use serde_json::{Value, json};

const HOST: &str = "oceanledger.localhost";
/// A site of a group that locks `header.showLogin`.
const LOCKED: i64 = 950;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    Portal::start("admin-settings", Setup { bare: true, ..Setup::default() }, |sites| {
        let path = sites.join("oceanledger.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "\n[[plugins]]\nid = \"no-such-plugin\"\n\n[[channels]]\nid = 901\ncode = \"no-such-code\"\nname = \"x\"\nenable = \"1\"\n")
            .unwrap();
    })
});
static TOKEN: LazyLock<String> = LazyLock::new(|| PORTAL.token("platform", Role::Admin, &[]));

fn ask(method: &str, path: &str, body: &str) -> Answer {
    let headers =
        [("token", TOKEN.as_str()), ("language", "en"), ("content-type", "application/json"), ("editor", "Ann")];
    PORTAL.ask(method, HOST, path, &headers, body)
}

fn data(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

fn setting(key: &str) -> Value {
    data(&ask("GET", &format!("/rc-pub/admin/settings?siteId=448&key={key}"), ""))[0].clone()
}

#[test]
fn a_saved_setting_is_served_says_where_it_comes_from_and_can_be_taken_back() {
    let address = "/rc-pub/admin/setting?siteId=448&key=grayType";
    let before = setting("grayType");
    assert_eq!((before["from"]["layer"].as_str(), before["from"]["value"].clone()), (Some("default"), json!(0)));
    let tried = data(&ask("PUT", &format!("{address}&dryRun=true"), "1"));
    assert_eq!(tried, json!({ "before": null, "after": 1, "dryRun": true }));
    assert_eq!(setting("grayType")["from"]["layer"], "default", "a dry run stores nothing");

    let changed = data(&ask("PUT", address, "1"));
    assert_eq!(changed, json!({ "before": null, "after": 1, "dryRun": false }));
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
    let saved = setting("grayType");
    assert_eq!((saved["from"]["layer"].as_str(), saved["from"]["value"].clone()), (Some("saved"), json!(1)));
    assert_eq!(PORTAL.app.sites.load().by_id(masthead_domain::SiteId(448)).unwrap().site.gray_type, 1);

    let back = data(&ask("DELETE", address, ""));
    assert_eq!(back, json!({ "before": 1, "after": null, "dryRun": false }));
    PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
    assert_eq!(setting("grayType")["from"]["layer"], "default");
    let audit = data(&ask("GET", "/rc-pub/admin/audit?siteId=448&subject=setting/grayType", ""));
    let lines: Vec<_> =
        audit.as_array().unwrap().iter().map(|line| (line["action"].clone(), line["who"].clone())).collect();
    assert_eq!(lines, [(json!("removed"), json!("Ann (platform)")), (json!("created"), json!("Ann (platform)"))]);
}

#[test]
fn a_setting_that_is_locked_or_breaks_the_site_is_not_saved() {
    let locked = format!("/rc-pub/admin/setting?siteId={LOCKED}&key=header.showLogin");
    for (address, value, why) in [
        (locked.as_str(), "true", "locks it"),
        ("/rc-pub/admin/setting?siteId=448&key=header.navStyle", "\"nine\"", "header.navStyle is not saved"),
        ("/rc-pub/admin/setting?siteId=448&key=header.noSuchKey", "1", "header.noSuchKey is not saved"),
        ("/rc-pub/admin/setting?siteId=448&key=name.en", "{", "is not the value of a setting"),
    ] {
        let refused = ask("PUT", address, value);
        assert_eq!(refused.status, 400, "{address}: {}", refused.text());
        assert!(refused.json()["message"].as_str().unwrap().contains(why), "{address}: {}", refused.text());
    }
    for address in ["/rc-pub/admin/setting?siteId=448", "/rc-pub/admin/setting?siteId=448&key=a%00b"] {
        assert_eq!(ask("PUT", address, "1").status, 400, "{address}");
    }
    assert_eq!(ask("PUT", "/rc-pub/admin/setting?siteId=448&key=name.en", "\"a\\u0000b\"").status, 400);
    assert_eq!(ask("PUT", "/rc-pub/admin/setting?siteId=7&key=grayType", "1").status, 404);
    assert_eq!(ask("GET", "/rc-pub/admin/settings?siteId=448&key=noSuchKey", "").status, 404);
    let large = format!("\"{}\"", "x".repeat(2 << 20));
    assert_eq!(ask("PUT", "/rc-pub/admin/setting?siteId=448&key=name.en", &large).status, 413);
}

#[test]
fn the_doctor_names_file_line_and_fix_of_a_fault() {
    let here = data(&ask("GET", "/rc-pub/admin/doctor?siteId=448", ""));
    assert_eq!(here["sites"], 1);
    let found = here["diagnostics"].as_array().unwrap();
    assert!(found.iter().all(|one| one["site"] == "oceanledger"), "{here:#}");
    let of_menu = found.iter().find(|one| one["message"].as_str().unwrap().contains("no-such-code"));
    let of_menu = of_menu.unwrap_or_else(|| panic!("{here:#}"));
    assert_eq!((of_menu["file"].as_str(), of_menu["line"].is_u64()), (Some("oceanledger.toml"), true), "{of_menu:#}");
    assert!(!of_menu["fix"].as_str().unwrap().is_empty());
    let counted = |level: &str| found.iter().filter(|one| one["level"] == level).count();
    assert_eq!(
        (here["errors"].clone(), here["warnings"].clone()),
        (json!(counted("error")), json!(counted("warning")))
    );
    let all = data(&ask("GET", "/rc-pub/admin/doctor", ""));
    assert!(all["sites"].as_u64() > Some(10), "{}", all["sites"]);
    assert!(all["diagnostics"].as_array().unwrap().len() >= found.len());
}

#[test]
fn the_plugins_of_a_site_are_listed_with_what_keeps_others_from_being_used() {
    let listed = data(&ask("GET", "/rc-pub/admin/plugins?siteId=448", ""));
    let of_host = PORTAL.app.sites.load().by_id(masthead_domain::SiteId(448)).unwrap().chain.status();
    let plugins = listed["plugins"].as_array().unwrap();
    assert!(!plugins.is_empty() && plugins.len() == of_host.len(), "{listed}");
    for (plugin, status) in plugins.iter().zip(&of_host) {
        assert_eq!(
            (plugin["plugin"].as_str(), plugin["version"].as_str()),
            (Some(&*status.id), Some(&*status.version))
        );
        assert!(plugin["digest"].as_str().unwrap().starts_with("sha256:"), "{plugin}");
        assert!(
            !plugin["hooks"].as_array().unwrap().is_empty() && plugin["quarantinedForSeconds"].is_null(),
            "{plugin}"
        );
    }
    let problems = listed["problems"].as_array().unwrap();
    assert!(problems.iter().any(|problem| problem.as_str().unwrap().contains("no-such-plugin")), "{problems:?}");
    assert_eq!(ask("GET", "/rc-pub/admin/plugins?siteId=7", "").status, 404);
    assert_eq!(ask("GET", "/rc-pub/admin/plugins", "").status, 400);
}
