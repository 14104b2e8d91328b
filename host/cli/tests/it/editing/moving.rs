//! An article is moved to another journal of the site.

use serde_json::{Value, json};

use super::Desk;

/// The titles of the articles of an issue, in its order.
fn titles(desk: &Desk, issue: &str) -> Vec<Value> {
    let listed = desk.json(&["article", "list", "--in", issue]);
    listed["records"].as_array().unwrap().iter().map(|one| one["title"].clone()).collect()
}

#[test]
fn an_article_is_moved_to_another_journal_and_stays_there() {
    let desk = Desk::new("moves");
    let number = desk.article(1)["name"].clone();
    desk.json(&["journal", "set", "notes", "title.en=Shore Notes", "--new"]);
    let fault = desk.fault(&["article", "set", "10.5555/small.1", "journal=notes"]);
    assert!(fault.contains("there is no issue notes/2026/1"), "{fault}");
    desk.json(&["issue", "set", "notes/2026/1", "--new"]);
    desk.json(&["issue", "set", "notes/2026/4", "--new"]);

    let done = desk.json(&["article", "set", "10.5555/small.1", "journal=notes"]);
    assert_eq!(done["changes"], json!([{ "key": "journal", "before": "small", "after": "notes" }]));
    let moved = desk.article(1);
    assert_eq!((&moved["name"], &moved["value"]["journal"]), (&number, &json!("notes")));
    assert_eq!((&moved["value"]["issue"], &moved["kept"]), (&json!("1"), &json!(["journal"])));
    assert_eq!(titles(&desk, "notes/2026/1"), ["Article 1"]);
    assert_eq!(titles(&desk, "small/2026/1"), ["Article 2", "Article 3"]);

    // A later source still names the former journal.
    desk.source(1, "Article 1, corrected", "second");
    let report = desk.import();
    assert_eq!((&report["updated"], &report["created"]), (&json!(1), &json!(0)), "{report}");
    assert_eq!(titles(&desk, "notes/2026/1"), ["Article 1, corrected"]);
    assert_eq!(titles(&desk, "small/2026/1").len(), 2);

    // Journal and issue in one change, and the way back.
    desk.json(&["article", "set", "10.5555/small.2", "journal=notes", "issue=4"]);
    assert_eq!(titles(&desk, "notes/2026/4"), ["Article 2"]);
    desk.json(&["article", "set", "10.5555/small.1", "journal=small"]);
    assert_eq!(titles(&desk, "small/2026/1"), ["Article 1, corrected", "Article 3"]);
    assert_eq!(titles(&desk, "notes/2026/1"), Vec::<Value>::new());
}
