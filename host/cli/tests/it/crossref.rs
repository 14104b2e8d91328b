//! `masthead crossref`: what is in a deposit, what is left out, and that the deposit describes the same articles when it is imported.

use masthead_test_support::{command, stderr};
use serde_json::{Value, json};

use crate::editing::Desk;

const DEPOSITOR: [&str; 4] = ["--depositor", "Small Press", "--email", "doi@press.example.org"];

fn deposit(desk: &Desk, more: &[&str]) -> (Value, String) {
    let to = desk.folder.join("deposit.xml");
    let arguments = [&["crossref", "--to", to.to_str().unwrap()], &DEPOSITOR[..], more].concat();
    let report = desk.json(&arguments);
    (report, std::fs::read_to_string(to).unwrap())
}

#[test]
fn a_retraction_is_registered_with_the_article_that_it_retracts() {
    let desk = Desk::new("crossref");
    let notice = "<article article-type=\"retraction\" xml:lang=\"en\"><front><journal-meta><journal-title-group>\
        <journal-title>Small</journal-title></journal-title-group></journal-meta><article-meta>\
        <article-id pub-id-type=\"doi\">10.5555/small.4</article-id><title-group><article-title>Retraction</article-title></title-group>\
        <pub-date pub-type=\"epub\"><day>3</day><month>4</month><year>2026</year></pub-date><volume>1</volume><issue>2</issue>\
        <related-article related-article-type=\"retracted-article\" ext-link-type=\"doi\" xlink:href=\"10.5555/small.1\" \
        xmlns:xlink=\"http://www.w3.org/1999/xlink\"/></article-meta></front><body><p>It is retracted.</p></body></article>";
    std::fs::write(desk.folder.join("in/4.xml"), notice).unwrap();
    std::fs::write(
        desk.folder.join("in/5.xml"),
        notice.replace("10.5555/small.4", "").replace("retracted-article\"", "x\""),
    )
    .unwrap();
    desk.import();

    let policy = ["--crossmark-policy", "10.5555/policy", "--address", "https://small.example.org/"];
    let (report, xml) = deposit(&desk, &policy);
    assert_eq!((&report["articles"], &report["noticesLeftOut"]), (&json!(4), &json!(0)), "{report}");
    let left_out = report["leftOut"].as_array().unwrap();
    assert_eq!((left_out.len(), &left_out[0]["reason"]), (1, &json!("it has no DOI")), "{report}");
    assert!(xml.contains("<update type=\"retraction\" date=\"2026-04-03\">10.5555/small.1</update>"), "{xml}");
    assert_eq!(xml.matches("<update ").count(), 1, "the retracted article states nothing: {xml}");
    assert!(xml.contains("<resource>https://small.example.org/"), "{xml}");
    assert_eq!(xml.matches("<journal_issue>").count(), 2, "{xml}");
    let (report, xml) = deposit(&desk, &["--article", "10.5555/small.4"]);
    assert_eq!((&report["articles"], &report["noticesLeftOut"]), (&json!(1), &json!(1)));
    assert!(!xml.contains("crossmark"), "{xml}");

    // A later deposit of the same DOI has a greater number.
    let number = |xml: &str| {
        let from = xml.split("<timestamp>").nth(1).unwrap();
        from.split('<').next().unwrap().parse::<u64>().unwrap()
    };
    let (_, later) = deposit(&desk, &["--in", "small/2026/1"]);
    assert!(number(&later) > number(&xml), "{} {}", number(&later), number(&xml));
    assert_eq!(later.matches("<journal_article").count(), 3);
}

#[test]
fn a_deposit_of_nothing_or_by_nobody_is_refused() {
    let desk = Desk::new("crossref-refused");
    let to = desk.folder.join("deposit.xml");
    let to = to.to_str().unwrap();
    for (arguments, why) in [
        (&["--depositor", "A", "--email", "nobody"][..], "is not an e-mail address"),
        (&["--depositor", "A", "--email", "a@b.example", "--crossmark-policy", "x"], "x"),
        (
            &["--depositor", "A", "--email", "a@b.example", "--address", "small.example.org"],
            "is not the address of a site",
        ),
        (&["--depositor", "A", "--email", "a@b.example", "--in", "small/2031/1"], "small/2031/1"),
        (&["--depositor", "A", "--email", "a@b.example", "--article", "10.5555/none"], "10.5555/none"),
    ] {
        let arguments = [&["crossref", "--site", "one", "--to", to], arguments].concat();
        let output = command(&desk.sites, &desk.data(), &arguments).output().unwrap();
        assert!(!output.status.success() && stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!std::path::Path::new(to).exists(), "a refused deposit writes nothing");
}
