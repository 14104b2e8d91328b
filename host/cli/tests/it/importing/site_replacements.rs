//! What a bundle replaces is shown with the values before and after.

use masthead_domain::{Lang, LocalText, resource::News};
use masthead_test_support::edit;
use serde_json::{Value, json};

use super::{
    SITE,
    site_copies::{Installation, full},
};

/// Saves a title of the news, a colour, and a plugin with a setting that may be a secret.
fn save(one: &Installation, title: &str, colour: i64, key: &str) {
    one.desk.store(async |store| {
        let site = store.site(SITE);
        let mut news = site.resource_by_key::<News>("n").await.unwrap().unwrap().value;
        news.title = LocalText::of(Lang::En, title);
        site.save_resource(&news).await.unwrap();
        site.save_setting("colorId", Some(&json!(colour))).await.unwrap();
        let plugins = json!([{ "id": "sms-gateway", "settings": { "apiKey": key } }]);
        site.save_setting("plugins", Some(&plugins)).await.unwrap();
    });
}

/// The fields of the changed records of a table, as `key: before -> after`.
fn fields(report: &Value, table: &str) -> Vec<String> {
    let found = report["tables"].as_array().unwrap().iter().find(|one| one["table"] == table);
    let found = found.unwrap_or_else(|| panic!("no {table}: {report:#}"));
    let records = found["changed"].as_array().unwrap().iter();
    let all = records.flat_map(|record| record["fields"].as_array().unwrap());
    all.map(|field| format!("{}: {} -> {}", field["key"].as_str().unwrap(), field["before"], field["after"])).collect()
}

#[test]
fn what_is_replaced_is_shown_with_the_values_before_and_after() {
    let (here, there) = (full("values-here"), Installation::new("values-there"));
    save(&here, "News", 3, "k-one");
    let (good, out, errors) = there.load(&here.export("first.tar.gz"), &[]);
    assert!(good, "{out}{errors}");
    save(&here, "Other news", 4, "k-two");
    here.good(&["article", "set", "10.5555/copy.3", "titles.en=Three, corrected", "--site", "oceanledger"]);
    edit(&here.sites.join("oceanledger.toml"), |text| {
        let changed = text.replace("navStyle = 0", "navStyle = 9").replace("enableComment = true\n", "");
        assert_ne!(changed, text);
        changed
    });
    let bundle = here.export("second.tar.gz");

    let (good, out, errors) = there.load(&bundle, &["--dry-run"]);
    assert!(good, "{out}{errors}");
    for line in [
        "      titles.en: \"Three\" -> \"Three, corrected\"",
        "      title.en: \"News\" -> \"Other news\"",
        "      colorId: 3 -> 4",
        "  enableComment: true -> null",
        "  header.navStyle: 0 -> 9",
    ] {
        assert!(out.lines().any(|one| one == line), "{line}: {out}");
    }
    assert!(out.contains("plugins: ") && out.contains("(not shown)"), "{out}");
    assert!(!out.contains("k-one") && !out.contains("k-two"), "{out}");

    let (good, out, errors) = there.load(&bundle, &["--dry-run", "--json"]);
    assert!(good, "{out}{errors}");
    let report: Value = serde_json::from_str(&out).unwrap();
    for (table, field) in [
        ("articles", "titles.en: \"Three\" -> \"Three, corrected\""),
        ("resources", "title.en: \"News\" -> \"Other news\""),
        ("settings", "colorId: 3 -> 4"),
    ] {
        assert!(fields(&report, table).iter().any(|one| one == field), "{field}: {report:#}");
    }
    let files = report["configuration"].as_array().unwrap();
    let file = files.iter().find(|one| one["path"] == "oceanledger.toml").unwrap();
    let of_style = json!({ "key": "header.navStyle", "before": 0, "after": 9 });
    assert!(file["fields"].as_array().unwrap().contains(&of_style) && file["more"] == 0, "{file:#}");
    assert!(!out.contains("k-one") && !out.contains("k-two"), "{out}");

    // It is shown to whoever is asked to confirm it, too, and there is nothing to show when it is done.
    let (good, out, _) = there.load(&bundle, &[]);
    assert!(!good && out.contains("      colorId: 3 -> 4"), "{out}");
    let (good, out, errors) = there.load(&bundle, &["--replace"]);
    assert!(good && out.contains("1 replaced") && !out.contains("3 -> 4"), "{out}{errors}");
}
