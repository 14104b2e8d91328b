//! What the removal of a record reports: the fields that go, in a dry run too.

use masthead_test_support::{stderr, stdout};
use serde_json::{Value, json};

use super::Desk;

#[test]
fn a_removal_reports_the_fields_that_go() {
    let desk = Desk::new("removals");
    desk.json(&["resource", "set", "news", "opening", "title.en=We open", "--new"]);
    desk.json(&["issue", "set", "small/2026/2", "title.en=On tides", "--new"]);
    desk.json(&["journal", "set", "notes", "title.en=Shore Notes", "--new"]);
    // Several articles can be removed at once.
    let one =
        |report: &Value| if report["articles"].is_array() { report["articles"][0].clone() } else { report.clone() };
    for (remove, field, value) in [
        (&["resource", "remove", "news", "opening"][..], "title.en", "We open"),
        (&["issue", "remove", "small/2026/2"][..], "title.en", "On tides"),
        (&["journal", "remove", "notes"][..], "title.en", "Shore Notes"),
        (&["article", "remove", "10.5555/small.1"][..], "titles.en", "Article 1"),
    ] {
        let before = desk.position();
        let dry_run = [remove, &["--dry-run"]].concat();
        let dry = desk.json(&dry_run);
        let goes = json!({ "key": field, "before": value, "after": null });
        assert_eq!(dry["dryRun"], true, "{remove:?}: {dry}");
        assert!(one(&dry)["changes"].as_array().unwrap().contains(&goes), "{remove:?}: {dry}");
        assert_eq!((&one(&dry)["action"], &one(&dry)["dryRun"]), (&json!("removed"), &json!(true)));
        let printed = desk.run(&[&dry_run[..], &["--site", "one"]].concat());
        let text = stdout(&printed);
        assert!(printed.status.success(), "{remove:?}: {}", stderr(&printed));
        assert!(text.contains("dry run") || text.contains("would be removed from"), "{text}");
        assert!(text.contains(&format!("  {field}: \"{value}\" -> null")), "{text}");
        assert_eq!(desk.position(), before, "{remove:?}: nothing is removed");

        let removed = desk.json(remove);
        assert_eq!(removed["dryRun"], false, "{remove:?}: {removed}");
        assert_eq!(one(&removed)["changes"], one(&dry)["changes"], "{remove:?}");
        assert!(desk.position() > before, "{remove:?}");
        let line = desk.json(&["audit", "list", "--limit", "1"])[0].clone();
        assert_eq!((&line["action"], &line["after"]), (&json!("removed"), &Value::Null), "{line}");
        let (texts, language) = field.split_once('.').unwrap();
        assert_eq!(line["before"][texts][language], value, "{line}");
    }
}
