//! A journal moves from OJS to a served site, by commands alone: its old addresses, numbers, files and counts.

use std::path::Path;

use masthead_test_support::{copy, masthead, repository, share_compiled, stderr, stdout, workspace};
use serde_json::Value;

use crate::serve::Running;

const HOST: &str = "plainpress.localhost";

/// Imports the export; returns the report.
fn import(sites: &Path, data: &Path) -> Value {
    let export = repository("host/cli/tests/fixtures/ojs/3.4");
    let output = masthead(sites, data, &["import", "ojs", export.to_str().unwrap(), "--site", "plainpress", "--json"]);
    assert!(output.status.success(), "{} {}", stdout(&output), stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn articles(report: &Value) -> Vec<i64> {
    let items = report["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "article");
    items.map(|item| item["article"].as_i64().unwrap()).collect()
}

/// The address to which an old one is moved for good, without the host.
fn moved(running: &Running, path: &str) -> String {
    let answer = running.get(HOST, path);
    assert!(answer.starts_with("HTTP/1.1 301"), "{path}: {answer}");
    location(&answer).unwrap_or_else(|| panic!("{path}: {answer}"))
}

fn location(answer: &str) -> Option<String> {
    let head = answer.split("\r\n\r\n").next().unwrap();
    let line =
        head.lines().find_map(|line| line.to_ascii_lowercase().starts_with("location:").then(|| line[9..].trim()))?;
    let path = line.split_once("://").map_or(line, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    Some(path.to_owned())
}

/// The answer at the end of all redirects from an old address.
fn followed(running: &Running, path: &str) -> String {
    let mut answer = running.get(HOST, &moved(running, path));
    for _ in 0..3 {
        match location(&answer) {
            Some(next) => answer = running.get(HOST, &next),
            None => break,
        }
    }
    assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    answer
}

#[test]
fn a_journal_moves_from_ojs_to_a_served_site_by_commands_alone() {
    let folder = workspace("ojs-move");
    let (sites, data) = (folder.join("sites"), folder.join("data"));
    copy(&repository("sites"), &sites);
    share_compiled(&data);
    let report = import(&sites, &data);
    let numbers = articles(&report);
    let [weirs, silt] = numbers.as_slice() else { panic!("{report}") };
    let export = report["items"].as_array().unwrap().iter().find(|item| item["kind"] == "export").unwrap();
    for what in ["users with roles and passwords", "menu items that lead to other pages", "counts of the journal"] {
        assert!(export["leftOut"].to_string().contains(what), "{what}: {export}");
    }
    let left_out = export["leftOut"].as_array().unwrap();
    for what in [
        "places and times that articles are about",
        "statements of rights of articles",
        "sources of articles",
        "types of articles",
        "disciplines of articles",
        "agencies that supported articles",
        "other metadata of articles",
        "countries of authors",
        "home pages of authors",
        "affiliations of authors in further languages",
        "biographies of authors in further languages",
        "other settings of the journal",
        "DOIs and public ids of issues",
        "expiry dates of announcements",
    ] {
        let counted = left_out.iter().find(|one| one["path"] == what).map(|one| &one["texts"]);
        assert_eq!(counted, Some(&Value::from(1)), "{what}: {export}");
    }

    let running = Running::start(&sites, &data, &[]);
    // Before anything is read here, the counts are those of OJS.
    for (article, counts) in [(weirs, "\"visits\":35,\"downloads\":8,"), (silt, "\"visits\":4,\"downloads\":0,")] {
        let answer = running.get(HOST, &format!("/rc-pub/front/front-article/{article}"));
        assert!(answer.contains(counts), "{counts}: {answer}");
    }
    let of_weirs = format!("/article/{weirs}");
    for path in [
        "article/view/12",
        "article/view/weirs",
        "article/view/12/pdf",
        "en/article/view/12",
        "article/view/12/version/15",
    ] {
        for journal in ["/index.php/rivers", "/rivers"] {
            let to = moved(&running, &format!("{journal}/{path}"));
            assert!(to.ends_with(&of_weirs), "{journal}/{path}: {to}");
        }
    }
    for (path, text) in [
        ("article/view/12", "A weir holds more than water."),
        ("article/viewArticle/12", "A weir holds more than water."),
        ("article/view/12", "<bdi>weirs.epub</bdi>"),
        ("article/view/13", "Silt settles where the mill stood."),
        ("article/download/12/31", "% Low weirs"),
        ("article/download/weirs/pdf", "% Low weirs"),
        ("article/download/12/31/80", "% Low weirs"),
        ("article/download/12/32", "A stand-in for the EPUB"),
        ("issue/view/3", "Low weirs"),
        ("issue/view/floods", "Silt and mills"),
        ("issue/current", "Low weirs"),
        ("issue/archive", "Floods"),
        ("announcement", "Call for notes"),
        ("announcement/view/7", "Send notes on floods by June."),
        ("oai?verb=Identify", "<Identify>"),
        ("gateway/plugin/WebFeedGatewayPlugin/rss2", "<rss"),
        ("gateway/plugin/WebFeedGatewayPlugin/atom", "<feed"),
        ("fees", "There are none."),
        ("about", "Founded at a mill."),
        ("", "Short studies of small rivers."),
    ] {
        let answer = followed(&running, format!("/index.php/rivers/{path}").trim_end_matches('/'));
        assert!(answer.contains(text), "{path}: {answer}");
        assert!(!answer.contains("alert(1)"), "{path}: {answer}");
    }
    let sets = running.get(HOST, "/rc-pub/front/front-article/getColumnTree");
    assert!(sets.contains("Studies"), "{sets}");
    let cover = masthead_test_support::between(
        &followed(&running, "/index.php/rivers/issue/archive"),
        "class=\"cover\" src=\"",
        "\"",
    )
    .to_owned();
    assert!(running.get(HOST, &cover).starts_with("HTTP/1.1 200"), "the cover of the issue {cover:?} is not there");
    assert!(running.get(HOST, "/en/index.php/rivers/article/view/99").starts_with("HTTP/1.1 404"));

    // The same export once more, while the site is served, changes nothing.
    let again = import(&sites, &data);
    assert_eq!(articles(&again), numbers, "the numbers stay");
    for change in ["created", "updated", "failed"] {
        assert_eq!(again[change], 0, "{again}");
    }
}

#[test]
fn an_article_behind_the_old_address_of_another_one_is_not_taken_for_it() {
    let folder = workspace("ojs-redirected");
    let (sites, data) = (folder.join("sites"), folder.join("data"));
    copy(&repository("sites"), &sites);
    let numbers = articles(&import(&sites, &data));
    let [weirs, silt] = [numbers[0].to_string(), numbers[1].to_string()];
    let run = |arguments: &[&str]| {
        let output = masthead(&sites, &data, &[arguments, &["--site", "plainpress"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    };
    let before = run(&["article", "show", &weirs, "--json"]);
    run(&["article", "remove", &silt]);
    // An editor sends the readers of the removed article to the other one.
    for journal in ["/index.php/rivers", "/rivers"] {
        run(&["redirect", "add", &format!("{journal}/article/view/13"), "--article", &weirs]);
    }
    assert_eq!(articles(&import(&sites, &data)), numbers, "each has its number");
    assert_eq!(run(&["article", "show", &weirs, "--json"]), before);
}

#[test]
fn redirects_that_an_editor_has_made_stay_in_a_copy_of_the_site() {
    let folder = workspace("ojs-copied");
    let sites = folder.join("sites");
    copy(&repository("sites"), &sites);
    let [here, there] = ["here", "there"].map(|name| folder.join(name));
    let run = |data: &Path, arguments: &[&str]| {
        let output = masthead(&sites, data, arguments);
        assert!(output.status.success(), "{arguments:?}: {} {}", stdout(&output), stderr(&output));
        stdout(&output)
    };
    import(&sites, &here);
    let [weirs, silt] = [12, 13].map(|number| format!("/index.php/rivers/article/view/{number}"));
    run(&here, &["redirect", "add", &weirs, "--path", "/about", "--site", "plainpress"]);
    run(&here, &["redirect", "remove", &silt, "--site", "plainpress"]);
    let bundle = folder.join("site.tar.gz");
    let bundle = bundle.to_str().unwrap();
    run(&here, &["site", "export", "--site", "plainpress", "--to", bundle]);
    run(&there, &["site", "load", bundle]);

    let listed = || run(&there, &["redirect", "list", "--site", "plainpress"]);
    let before = listed();
    let report = import(&sites, &there);
    assert_eq!(listed(), before);
    assert!(before.contains(&format!("{weirs} -> /about\n")) && !before.contains(&format!("{silt} ->")), "{before}");
    let kept = format!("kept as edited by hand: {weirs}, {silt}");
    assert!(report["items"].to_string().contains(&kept), "{kept}: {report}");
}
