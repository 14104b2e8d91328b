//! The daily jobs of an editor: each command of `docs/editing.md` in order, later imports, two editors, bad input.

mod moving;
mod removal;

use std::{
    path::PathBuf,
    process::{Command, Output},
};

use masthead_domain::{SiteId, resource::Comment};
use masthead_test_support::{command, masthead, repository, stderr, stdout, workspace};
use serde_json::{Value, json};

use crate::stored::with_store;

/// The smallest PNG: one pixel.
pub const PIXEL: [u8; 67] = [
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 58, 126, 155,
    85, 0, 0, 0, 10, 73, 68, 65, 84, 120, 156, 99, 96, 0, 0, 0, 2, 0, 1, 72, 175, 164, 113, 0, 0, 0, 0, 73, 69, 78, 68,
    174, 66, 96, 130,
];

/// The comments that the document shows and refuses.
const COMMENTS: [&str; 2] = ["1/1780272000000-5f0e9c1a", "1/1780272060000-77d04b3e"];

/// A site with one journal, one issue and three articles.
pub struct Desk {
    pub folder: PathBuf,
    pub sites: PathBuf,
}

impl Desk {
    pub fn new(name: &str) -> Self {
        let folder = workspace(&format!("editing-{name}"));
        let sites = masthead_test_support::command::sites(&folder, "");
        let desk = Self { folder, sites };
        std::fs::create_dir_all(desk.folder.join("in")).unwrap();
        for number in 1..=3 {
            desk.source(number, &format!("Article {number}"), "first");
        }
        assert_eq!(desk.import()["created"], 3);
        desk
    }

    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Writes the source of an article.
    pub fn source(&self, number: u32, title: &str, body: &str) {
        let text = format!(
            "<article xml:lang=\"en\"><front><journal-meta><journal-title-group><journal-title>Small</journal-title>\
             </journal-title-group></journal-meta><article-meta><article-id pub-id-type=\"doi\">10.5555/small.{number}</article-id>\
             <title-group><article-title>{title}</article-title></title-group><contrib-group><contrib contrib-type=\"author\">\
             <name><surname>Lovelace</surname><given-names>Aida</given-names></name></contrib></contrib-group>\
             <pub-date pub-type=\"ppub\"><year>2026</year></pub-date><volume>1</volume><issue>1</issue><fpage>{number}</fpage>\
             </article-meta></front><body><p>{body}</p></body></article>"
        );
        std::fs::write(self.folder.join("in").join(format!("{number}.xml")), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command(&self.sites, &self.data(), arguments).env("MASTHEAD_EDITOR", "ada").output().unwrap()
    }

    /// The JSON of a command that succeeds.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--site", "one", "--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
    }

    /// The message of a command that fails.
    fn fault(&self, arguments: &[&str]) -> String {
        let output = self.run(&[arguments, &["--site", "one"]].concat());
        assert!(!output.status.success(), "{arguments:?}: {}", stdout(&output));
        stderr(&output)
    }

    pub fn import(&self) -> Value {
        let folder = self.folder.join("in");
        self.json(&["import", "jats", folder.to_str().unwrap()])
    }

    /// The record of an article.
    fn article(&self, number: u32) -> Value {
        self.json(&["article", "show", &format!("10.5555/small.{number}")])
    }

    /// Stores the comments of `COMMENTS` on the first article, as readers write them.
    fn comments(&self) {
        let article = self.article(1)["value"]["id"].as_i64().unwrap();
        with_store(&self.data(), async |store| {
            for key in COMMENTS {
                let (key, text) = (key.to_owned(), format!("Tides {key}"));
                let comment = Comment { key, article, author: "Grace".to_owned(), text, ..Comment::default() };
                store.site(SiteId(7001)).save_resource(&comment).await.unwrap();
            }
        });
    }

    /// Fails unless the first of the comments is shown and the second refused, each with its line of the audit trail.
    fn assert_comments_are_decided(&self) {
        for (state, expected) in [("shown", &COMMENTS[..1]), ("refused", &COMMENTS[1..]), ("waiting", &[])] {
            let listed = self.json(&["resource", "list", "comment", "--in", state]);
            let names: Vec<&Value> = listed["records"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
            assert_eq!(names, expected, "{state}: {listed}");
            for key in expected {
                let line = self.json(&["audit", "list", "--subject", &format!("comment/{key}")])[0].clone();
                assert_eq!((&line["who"], &line["after"]), (&json!("ada"), &json!({ "state": state })), "{line}");
            }
        }
    }

    /// The number of the latest change.
    fn position(&self) -> i64 {
        with_store(&self.data(), async |store| store.latest_change().await.unwrap())
    }
}

/// The commands in the table of a document, in their order.
fn commands(document: &str) -> Vec<String> {
    let rows = document.lines().filter(|line| line.starts_with("| ") && line.contains("`masthead "));
    rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn each_daily_job_has_a_command_that_works() {
    let desk = Desk::new("jobs");
    std::fs::write(desk.folder.join("cover.png"), PIXEL).unwrap();
    std::fs::write(desk.folder.join("article.pdf"), "%PDF-1.4\n%%EOF\n").unwrap();
    std::fs::write(
        desk.folder.join("workshop.toml"),
        "date = 2026-06-02\ncover = \"cover.png\"\n[title]\nen = \"Workshop\"\n",
    )
    .unwrap();
    let source = std::fs::read_to_string(desk.folder.join("in/1.xml")).unwrap();
    std::fs::write(desk.folder.join("article.xml"), source.replace("</fpage>", "</fpage><lpage>9</lpage>")).unwrap();
    desk.comments();
    let commands = commands(&std::fs::read_to_string(repository("docs/editing.md")).unwrap());
    assert!(commands.len() > 30, "the table was not found: {commands:?}");
    let program = masthead_test_support::command::binary();
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    for command in &commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&desk.folder).env("PATH", &path).env("MASTHEAD_EDITOR", "ada");
        shell.env("MASTHEAD_SITES", &desk.sites).env("MASTHEAD_DATA", desk.data()).env_remove("MASTHEAD_DATABASE");
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        assert!(!stdout(&output).contains(": unchanged"), "{command} changes nothing: {}", stdout(&output));
    }
    let journal = desk.json(&["journal", "show", "small"]);
    assert_eq!(journal["value"]["introduction"]["en"], "Letters on the sea.");
    assert_eq!(
        (&journal["value"]["title"]["en"], &journal["value"]["issn"]),
        (&json!("Small Letters"), &json!("2049-3630"))
    );
    let issue = desk.json(&["issue", "show", "small/2026/2"]);
    assert_eq!(issue["value"]["articles"], json!(["doi:10.5555/small.2", "doi:10.5555/small.1"]));
    assert!(issue["value"]["cover"].as_str().unwrap().starts_with("/media/7001/"), "{issue}");
    let listed = desk.json(&["article", "list", "--in", "small/2026/2"]);
    let titles: Vec<&Value> = listed["records"].as_array().unwrap().iter().map(|one| &one["title"]).collect();
    assert_eq!(titles, ["Tides, corrected", "Article 2"], "the section comes first, then the order of articles");
    let first = desk.article(1);
    assert_eq!(first["value"]["contributors"][0]["givenNames"], "Ada");
    assert_eq!((&first["value"]["section"], &first["value"]["state"]), (&json!("Letters"), &json!("formal")));
    assert_eq!(first["value"]["ids"]["pmid"], "12345678", "{first}");
    assert!(first["value"]["pdf"].as_str().unwrap().starts_with("/media/7001/"), "{first}");
    assert_eq!(first["value"]["statements"]["conflict"][0]["text"], "The author owns a boat.");
    assert!(
        !first["kept"].as_array().unwrap().iter().any(|key| key.as_str().unwrap().starts_with("titles")),
        "{first}"
    );
    let issues = desk.json(&["issue", "list"]);
    assert_eq!(issues["records"].as_array().unwrap().len(), 1, "the empty issue is gone: {issues}");
    let news = desk.json(&["resource", "list", "news"]);
    assert_eq!(news["records"][0]["title"], "Workshop");
    assert_eq!(news["records"].as_array().unwrap().len(), 1);
    let collection = desk.json(&["resource", "show", "collection", "spring"]);
    assert_eq!(collection["value"]["items"].as_array().unwrap().len(), 2);
    assert_eq!(first["value"]["lastPage"], "9", "the corrected file is imported: {first}");
    let redirects = desk.json(&["redirect", "list"]);
    let old = json!({ "from": "/index.php/small/article/view/12", "kind": "article", "target": first["name"] });
    assert!(redirects.as_array().unwrap().contains(&old), "{redirects}");
    desk.assert_comments_are_decided();
    let deposit = std::fs::read_to_string(desk.folder.join("deposit.xml")).unwrap();
    assert_eq!(deposit.matches("<journal_article").count(), 2, "{deposit}");
    let audit = desk.json(&["audit", "list", "--limit", "100"]);
    let lines = audit.as_array().unwrap();
    assert!(lines.len() > 25 && lines.iter().all(|line| line["who"] == "ada" && line["siteId"] == 7001), "{audit}");
    let introduction = lines.iter().find(|line| line["after"].get("introduction.en").is_some()).unwrap();
    assert_eq!(introduction["before"], json!({ "introduction.en": null }));
    assert_eq!(introduction["subject"], "journal/small");
}

#[test]
fn the_pages_of_an_issue_have_the_order_of_its_editor() {
    let desk = Desk::new("order");
    desk.json(&["issue", "set", "small/2026/1", "articles=[\"10.5555/small.3\", \"10.5555/small.1\"]"]);
    let (mut after, mut titles) = (String::new(), Vec::new());
    loop {
        let mut arguments = vec!["article", "list", "--in", "small/2026/1", "--limit", "1"];
        if !after.is_empty() {
            arguments.extend(["--after", &after]);
        }
        let page = desk.json(&arguments);
        let records = page["records"].as_array().unwrap();
        assert_eq!(records.len(), 1, "{page}");
        titles.push(records[0]["title"].as_str().unwrap().to_owned());
        let Some(next) = page["next"].as_str() else { break };
        next.clone_into(&mut after);
    }
    assert_eq!(titles, ["Article 3", "Article 1", "Article 2"]);
    let last = desk.json(&["article", "show", "10.5555/small.1"])["value"]["id"].to_string();
    desk.json(&["article", "remove", "10.5555/small.1"]);
    let fault = desk.fault(&["article", "list", "--in", "small/2026/1", "--after", &last]);
    assert!(fault.contains("has left the issue"), "{fault}");
}

#[test]
fn an_imported_collection_that_names_unknown_articles_says_so() {
    let desk = Desk::new("collections");
    let file = desk.folder.join("collection.toml");
    let item = |key: &str| format!("{{ kind = \"article\", key = \"{key}\" }}");
    let items = ["10.5555/small.1", "10.5555/lost", "10.5555/gone"].map(item).join(", ");
    std::fs::write(&file, format!("[[item]]\nkey = \"spring\"\nitems = [{items}]\n")).unwrap();
    let import = ["import", "resources", file.to_str().unwrap()];
    for report in [desk.json(&[&import[..], &["--dry-run"]].concat()), desk.json(&import), desk.json(&import)] {
        let warnings = report["items"][0]["warnings"].as_array().unwrap();
        assert_eq!(warnings.len(), 2, "{report}");
        for (warning, key) in warnings.iter().zip(["10.5555/gone", "10.5555/lost"]) {
            assert!(warning.as_str().unwrap().contains(&format!("no article {key:?}")), "{report}");
        }
    }
    let shown = desk.json(&["resource", "show", "collection", "spring"]);
    assert_eq!(shown["value"]["items"].as_array().unwrap().len(), 3, "it is stored as it came: {shown}");
}

#[test]
fn edits_survive_a_later_import_and_its_report_says_so() {
    let desk = Desk::new("imports");
    desk.json(&["article", "set", "10.5555/small.1", "titles.en=By hand", "section=Letters"]);
    desk.json(&["journal", "set", "small", "title.en=Small Letters"]);
    desk.source(1, "From the source", "second");
    let report = desk.import();
    assert_eq!((&report["updated"], &report["unchanged"]), (&json!(1), &json!(2)));
    let items = report["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["path"].as_str().unwrap().ends_with("1.xml")).unwrap();
    let warnings = item["warnings"].to_string();
    assert!(warnings.contains("kept as edited by hand: section, titles.en"), "{warnings}");
    let article = desk.article(1);
    assert_eq!(
        (&article["value"]["titles"]["en"], &article["value"]["section"]),
        (&json!("By hand"), &json!("Letters"))
    );
    assert_eq!(desk.json(&["journal", "list"])["records"].as_array().unwrap().len(), 1, "no second journal is made");

    desk.json(&["article", "set", "10.5555/small.1", "--release", "titles"]);
    desk.import();
    assert_eq!(desk.article(1)["value"]["titles"]["en"], "From the source");
    assert_eq!(desk.article(1)["kept"], json!(["section"]));

    let withdraw = ["withdrawn.date=2026-06-30", "withdrawn.reason.en=Salt"];
    let done = desk.json(&[&["article", "set", "10.5555/small.2"][..], &withdraw].concat());
    assert_eq!(done["action"], "withdrawn");
    desk.source(2, "From the source", "second");
    let report = desk.import();
    let warned = report["items"].to_string();
    assert!(warned.contains("the article is withdrawn and stays so"), "{warned}");
    assert_eq!(desk.article(2)["value"]["withdrawn"]["reason"]["en"], "Salt");
    let removed = desk.json(&["article", "remove", "10.5555/small.2"]);
    assert_eq!(removed["missing"], json!([]));
    assert!(desk.fault(&["article", "show", "10.5555/small.2"]).contains("no article"));
    assert_eq!(desk.import()["created"], 1, "a removed article is imported again");
}

#[test]
fn an_issue_with_a_corrected_number_keeps_its_articles() {
    let desk = Desk::new("renumber");
    let cover = desk.folder.join("cover.png");
    std::fs::write(&cover, PIXEL).unwrap();
    let cover = format!("cover=@{}", cover.display());
    let order = "articles=[\"10.5555/small.3\", \"10.5555/small.1\", \"10.5555/small.2\"]";
    desk.json(&["issue", "set", "small/2026/1", "title.en=On tides", &cover, order]);
    desk.json(&["issue", "set", "small/2026/7", "--new"]);
    desk.json(&["article", "set", "10.5555/small.2", "withdrawn.date=2026-06-30", "withdrawn.reason.en=Salt"]);
    let number = desk.article(1)["name"].clone();
    let before = desk.position();
    let taken = desk.fault(&["issue", "set", "small/2026/1", "issue=7"]);
    assert!(taken.contains("the site has an issue \"small/2026/7\" already"), "{taken}");
    let dry = desk.json(&["issue", "set", "small/2026/1", "issue=2", "year=2027", "--dry-run"]);
    let changes = json!([
        { "key": "issue", "before": "1", "after": "2" }, { "key": "year", "before": 2026, "after": 2027 },
    ]);
    assert_eq!((&dry["name"], &dry["changes"]), (&json!("small/2026/1"), &changes));
    assert_eq!(desk.position(), before, "nothing was changed");

    let stored = desk.json(&["issue", "show", "small/2026/1"])["value"].clone();
    let done = desk.json(&["issue", "set", "small/2026/1", "issue=2", "year=2027"]);
    assert_eq!((&done["name"], &done["changes"]), (&json!("small/2027/2"), &changes));
    assert!(desk.fault(&["issue", "show", "small/2026/1"]).contains("has no issue"));
    let issue = desk.json(&["issue", "show", "small/2027/2"]);
    for key in ["title", "cover", "articles"] {
        assert_eq!(issue["value"][key], stored[key], "{key}");
    }
    assert_eq!((&issue["version"], &issue["kept"]), (&done["version"], &json!(["articles", "cover", "title.en"])));
    let listed = |issue: &str| desk.json(&["article", "list", "--in", issue])["records"].clone();
    let titles = |list: &Value| list.as_array().unwrap().iter().map(|one| one["title"].clone()).collect::<Vec<_>>();
    assert_eq!(titles(&listed("small/2027/2")), ["Article 3", "Article 1"]);
    let article = desk.article(1);
    assert_eq!((&article["name"], &article["kept"]), (&number, &json!(["issue", "year"])));

    // The same files again, and a corrected one: the articles stay in the issue.
    desk.source(3, "Article 3, corrected", "second");
    let report = desk.import();
    assert_eq!(report["created"], 0, "{report}");
    assert_eq!(titles(&listed("small/2027/2")), ["Article 3, corrected", "Article 1"]);
    assert!(desk.fault(&["issue", "show", "small/2026/1"]).contains("has no issue"), "no import adds it again");
    // So does the withdrawn one.
    desk.json(&["article", "set", "10.5555/small.2", "withdrawn="]);
    assert_eq!(titles(&listed("small/2027/2")), ["Article 3, corrected", "Article 1", "Article 2"]);

    let lines = desk.json(&["audit", "list", "--subject", "issue/small/2026/1"]);
    assert_eq!((&lines[0]["after"], &lines[0]["who"]), (&json!({ "issue": "2", "year": 2027 }), &json!("ada")));
    let subject = format!("article/{}", number.as_str().unwrap());
    let lines = desk.json(&["audit", "list", "--subject", &subject]);
    assert_eq!(lines[0]["before"], json!({ "issue": "1", "year": 2026 }));
    let redirects = |desk: &Desk| {
        let all = desk.json(&["redirect", "list"]);
        let pair = |one: &Value| (one["from"].as_str().unwrap().to_owned(), one["target"].as_str().unwrap().to_owned());
        all.as_array().unwrap().iter().map(pair).collect::<Vec<_>>()
    };
    let [bare, own] = ["/issue/2026/1", "/issue/2026/1?journal=small"];
    let led = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(redirects(&desk), [led(bare, "small/2027/2"), led(own, "small/2027/2")]);

    // Back to the former number: what was redirected answers itself again.
    desk.json(&["issue", "set", "small/2027/2", "issue=1", "year=2026"]);
    let [bare, own] = ["/issue/2027/2", "/issue/2027/2?journal=small"];
    assert_eq!(redirects(&desk), [led(bare, "small/2026/1"), led(own, "small/2026/1")]);
    desk.json(&["redirect", "remove", own]);
    assert_eq!(redirects(&desk).len(), 1);
}

#[test]
fn an_article_with_a_corrected_doi_stays_one_article() {
    let desk = Desk::new("doi");
    let number = desk.article(1)["name"].clone();
    let done = desk.json(&["article", "set", "10.5555/small.1", "doi=https://doi.org/10.5555/Right.1"]);
    let changes = json!([
        { "key": "doi", "before": "10.5555/small.1", "after": "10.5555/Right.1" },
        { "key": "earlierDois", "before": null, "after": ["10.5555/small.1"] },
    ]);
    assert_eq!((&done["name"], &done["changes"]), (&number, &changes));
    let shown = |name: &str| desk.json(&["article", "show", name]);
    for name in ["10.5555/right.1", "10.5555/small.1", number.as_str().unwrap()] {
        let record = shown(name);
        assert_eq!((&record["name"], &record["value"]["doi"]), (&number, &json!("10.5555/Right.1")), "{name}");
        assert_eq!(record["value"]["earlierDois"], json!(["10.5555/small.1"]));
        assert_eq!(record["kept"], json!(["doi"]));
    }
    // No other article can get one of the two.
    for doi in ["doi=10.5555/right.1", "doi=10.5555/small.1"] {
        let fault = desk.fault(&["article", "set", "10.5555/small.2", doi]);
        assert!(fault.contains(&format!("the article {}", number.as_str().unwrap())), "{fault}");
    }

    // The source with the earlier DOI, with other words: the article is corrected and keeps its DOI.
    desk.source(1, "From the earlier source", "second");
    let report = desk.import();
    assert_eq!((&report["updated"], &report["created"]), (&json!(1), &json!(0)), "{report}");
    assert_eq!(shown("10.5555/right.1")["value"]["titles"]["en"], "From the earlier source");

    // The corrected source, in place of the earlier one.
    let path = desk.folder.join("in/1.xml");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("10.5555/small.1", "10.5555/right.1").replace("earlier source", "corrected source");
    std::fs::write(&path, text).unwrap();
    let report = desk.import();
    assert_eq!((&report["updated"], &report["created"]), (&json!(1), &json!(0)), "{report}");
    let record = shown("10.5555/small.1");
    assert_eq!((&record["name"], &record["value"]["titles"]["en"]), (&number, &json!("From the corrected source")));
    assert_eq!(desk.json(&["article", "list"])["records"].as_array().unwrap().len(), 3);
    let again = desk.import();
    assert_eq!((&again["unchanged"], &again["created"]), (&json!(3), &json!(0)), "{again}");

    // A second correction; both earlier DOIs stay.
    desk.json(&["article", "set", "10.5555/small.1", "doi=10.5555/third.1"]);
    assert_eq!(shown("10.5555/right.1")["value"]["earlierDois"], json!(["10.5555/small.1", "10.5555/Right.1"]));
    desk.source(4, "Another article", "first");
    assert_eq!((&desk.import()["created"], &desk.import()["created"]), (&json!(1), &json!(0)));
    desk.json(&["article", "set", "10.5555/small.1", "doi=10.5555/small.1"]);
    assert_eq!(shown("10.5555/third.1")["value"]["earlierDois"], json!(["10.5555/Right.1", "10.5555/third.1"]));
}

#[test]
fn the_second_of_two_editors_is_told() {
    let desk = Desk::new("editors");
    let version = desk.json(&["journal", "show", "small"])["version"].as_str().unwrap().to_owned();
    let set = |field: &str| {
        masthead(
            &desk.sites,
            &desk.data(),
            &["journal", "set", "small", field, "--if-version", &version, "--by", "grace", "--site", "one"],
        )
    };
    let first = set("cn=11-2345/P");
    assert!(first.status.success(), "{}", stderr(&first));
    let second = set("frequency.en=Weekly");
    assert!(!second.status.success());
    let message = stderr(&second);
    assert!(
        message.contains("was changed in the meantime, last by grace at 20") && message.contains("read it again"),
        "{message}"
    );
    assert_eq!(desk.json(&["journal", "show", "small"])["value"]["frequency"], json!({}));
    let number = desk.article(1)["name"].as_str().unwrap().to_owned();
    assert!(desk.fault(&["article", "remove", &number, "--if-version", "0"]).contains("changed in the meantime"));
    assert_eq!(desk.article(1)["name"], number.as_str());

    // A change that names no version is made, and says whose change it followed.
    let third = desk.run(&["journal", "set", "small", "cn=11-2345/Q", "--site", "one"]);
    let message = stderr(&third);
    assert!(third.status.success() && message.contains("journal small: grace has changed it last, at 20"), "{message}");
    let own = desk.json(&["journal", "set", "small", "cn=11-2345/R"]);
    assert_eq!(own["lastEditor"], Value::Null);
    let other = desk.json(&["journal", "set", "small", "cn=11-2345/S", "--by", "grace"]);
    assert_eq!(other["lastEditor"]["who"], "ada");
}

#[test]
fn bad_input_is_refused_with_its_key_and_changes_nothing() {
    let desk = Desk::new("faults");
    let before = desk.position();
    let cases: &[(&[&str], &[&str])] = &[
        (&["issue", "set", "small/2026/1", "date=2026-02-30"], &["date", "2026-02-30", "is not a date"]),
        (&["issue", "set", "small/2026/1", "titel.en=x"], &["do you mean \"title\"?"]),
        (&["issue", "set", "small/2026/1", "title.fr=x"], &["do you mean \"fra\"?"]),
        (&["issue", "set", "small/2026/1", "journal=tiny"], &["journal", "cannot be changed"]),
        (&["issue", "set", "small/2026/1", "year=26"], &["small/26/1", "is not the name of an issue"]),
        (&["issue", "set", "small/2026/1", "issue="], &["is not the name of an issue"]),
        (&["issue", "set", "small/2026/2", "issue=3", "--new"], &["issue", "cannot be changed"]),
        (&["issue", "set", "small/2026/1", "articles=[\"10.5555/none\"]"], &["has no article \"10.5555/none\""]),
        (&["issue", "set", "small/2026/1", "cover=@none.png"], &["none.png", "there is no such file"]),
        (&["issue", "set", "small/2026/1", "title.en"], &["write KEY=VALUE"]),
        (
            &["issue", "set", "small/2026/9", "title.en=x"],
            &["the site has no issue \"small/2026/9\"", "do you mean \"small/2026/1\"?"],
        ),
        (&["issue", "set", "tiny/2026/1", "--new"], &["the site has no journal \"tiny\""]),
        (&["issue", "set", "small/2026/1", "--new"], &["has an issue", "already"]),
        (&["issue", "remove", "small/2026/1"], &["has 3 articles"]),
        (&["journal", "remove", "small", "--dry-run"], &["has 3 articles"]),
        (&["journal", "set", "small", "issn=2049-3631"], &["issn", "check"]),
        (&["journal", "set", "small", "startYear=first"], &["invalid type"]),
        (&["journal", "set", "small", "cover=javascript:x"], &["cover", "neither an http(s) address"]),
        (&["journal", "set", "small", "title.en="], &["a journal needs a name"]),
        (
            &[
                "resource",
                "set",
                "collection",
                "spring",
                "--new",
                "items=[{\"kind\":\"article\",\"key\":\"10.5555/none\"}]",
            ],
            &["has no article \"10.5555/none\""],
        ),
        (
            &["resource", "set", "collection", "spring", "--new", "items=[{\"kind\":\"hologram\",\"key\":\"x\"}]"],
            &["unknown variant"],
        ),
        (&["resource", "set", "sandwich", "x", "title.en=x"], &["there is no kind of records"]),
        (&["resource", "set", "journal", "x", "title.en=x"], &["is no kind of resources"]),
        (&["resource", "set", "picture", "1/f1", "label=x"], &["belongs to its article"]),
        (
            &["resource", "set", "conference", "c", "--new", "start=2026-05-02", "end=2026-05-01"],
            &["is before the start"],
        ),
        (&["article", "set", "10.5555/small.1", "issue=7"], &["there is no issue small/2026/7"]),
        (&["article", "set", "10.5555/small.1", "journal=tiny"], &["no journal \"tiny\""]),
        (&["article", "set", "10.5555/small.1", "state=online-first"], &["dates.online"]),
        (&["article", "set", "10.5555/small.1", "doi=10.5555/SMALL.2"], &["doi: ", "is the DOI of the article"]),
        (&["article", "set", "10.5555/small.1", "doi=small"], &["doi: ", "is not a DOI"]),
        (&["article", "set", "10.5555/small.1", "sourceKey=x"], &["cannot be changed"]),
        (&["article", "set", "10.5555/small.1", "earlierDois=[\"10.5555/x\"]"], &["cannot be changed"]),
        (&["article", "set", "10.5555/small.1", "withdrawn.date=2026-06-30"], &["needs a reason"]),
        (&["article", "set", "10.5555/small.1", "contributors.9.surname=x"], &["has 1 entries"]),
        (&["article", "set", "10.5555/none", "volume=2"], &["has no article"]),
    ];
    for (arguments, parts) in cases {
        let message = desk.fault(arguments);
        for part in *parts {
            assert!(message.contains(part), "{arguments:?}: {part:?} is not in {message}");
        }
    }
    assert_eq!(desk.position(), before, "nothing was changed");
    assert_eq!(desk.json(&["audit", "list"]), json!([]));
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let desk = Desk::new("dry");
    std::fs::write(desk.folder.join("cover.png"), PIXEL).unwrap();
    let before = desk.position();
    let cover = format!("cover=@{}", desk.folder.join("cover.png").display());
    let done = desk.json(&["issue", "set", "small/2026/1", "title.en=On tides", &cover, "--dry-run"]);
    assert_eq!((&done["action"], &done["dryRun"]), (&json!("changed"), &json!(true)));
    let changes = json!([
        { "key": "cover", "before": "", "after": "/cover.png" }, { "key": "title.en", "before": null, "after": "On tides" },
    ]);
    assert_eq!(done["changes"], changes);
    let done = desk.json(&["article", "set", "10.5555/small.1", "volume=2", "--dry-run"]);
    assert_eq!(done["changes"], json!([{ "key": "volume", "before": "1", "after": "2" }]));
    assert_eq!(
        desk.json(&["resource", "set", "news", "opening", "title.en=x", "--new", "--dry-run"])["action"],
        "created"
    );
    assert_eq!(desk.position(), before);
    assert!(!desk.data().join("media").exists(), "no file is stored");
    let again = desk.json(&["issue", "set", "small/2026/1", "volume=1"]);
    assert_eq!((&again["action"], &again["changes"]), (&json!("unchanged"), &json!([])));
}
