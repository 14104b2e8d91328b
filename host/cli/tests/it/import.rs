//! `masthead import jats`: reports for terminals and scripts, error handling, hostile input, interrupted runs.

use std::{
    path::{Path, PathBuf},
    process::Output,
    time::{Duration, Instant},
};

use masthead_domain::{ArticleId, Doi, SiteId};
use masthead_store::{CardQuery, Store, StoredArticle};
use masthead_test_support::{command, masthead, repository, stderr, stdout, workspace};
use serde_json::Value;

/// Upper bound of the duration of an import, even on a slow and busy machine.
const BOUND: Duration = masthead_test_support::HANG;
const SITE: SiteId = SiteId(448);

/// An input folder and a data folder.
struct Desk {
    folder: PathBuf,
    runtime: tokio::runtime::Runtime,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = workspace(&format!("import-{name}"));
        std::fs::create_dir(folder.join("in")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { folder, runtime }
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.join("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn run(&self, more: &[&str]) -> Output {
        let folder = self.folder.join("in");
        let mut arguments = vec!["import", "jats", folder.to_str().unwrap(), "--site", "448"];
        arguments.extend(more);
        let started = Instant::now();
        let output = masthead(&repository("sites"), &self.data(), &arguments);
        assert!(started.elapsed() < BOUND, "{:?}", started.elapsed());
        output
    }

    /// Runs the import; returns the JSON report and whether the exit code was 0.
    fn json(&self, more: &[&str]) -> (Value, bool) {
        let output = self.run(&[&["--json"], more].concat());
        let report = serde_json::from_str(&stdout(&output))
            .unwrap_or_else(|error| panic!("{error}: {} {}", stdout(&output), stderr(&output)));
        (report, output.status.success())
    }

    /// Runs a query on the store.
    fn store<T>(&self, read: impl AsyncFnOnce(&Store) -> T) -> T {
        self.runtime.block_on(async {
            let store = Store::open_file(&self.data().join("masthead.db")).await.unwrap();
            let read = read(&store).await;
            store.close().await;
            read
        })
    }

    fn count(&self) -> i64 {
        self.store(async |store| store.site(SITE).article_count().await.unwrap())
    }

    fn position(&self) -> i64 {
        self.store(async |store| store.latest_change().await.unwrap())
    }

    fn article(&self, id: i64) -> StoredArticle {
        self.store(async |store| store.site(SITE).article(ArticleId(id)).await.unwrap().unwrap())
    }

    fn by_doi(&self, doi: &str) -> Option<ArticleId> {
        let doi = Doi::parse(doi).unwrap();
        self.store(async |store| store.site(SITE).article_id_by_doi(&doi).await.unwrap())
    }
}

fn jats(ids: &str, title: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<article xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:lang=\"en\">\n<front><journal-meta><journal-id>small</journal-id><journal-title-group><journal-title>Small</journal-title></journal-title-group></journal-meta>\n<article-meta>{ids}<title-group><article-title>{title}</article-title></title-group></article-meta></front>\n<body>{body}</body>\n</article>\n"
    )
}

fn doi(number: u32) -> String {
    format!("<article-id pub-id-type=\"doi\">10.5555/small.{number}</article-id>")
}

fn numbers(report: &Value) -> [u64; 5] {
    ["created", "updated", "unchanged", "valid", "failed"].map(|name| report[name].as_u64().unwrap())
}

fn item<'a>(report: &'a Value, name: &str) -> &'a Value {
    let items = report["items"].as_array().unwrap();
    items
        .iter()
        .find(|item| item["path"].as_str().unwrap().ends_with(name))
        .expect("the report has a line for every file")
}

#[test]
fn an_article_is_created_then_unchanged_then_updated() {
    let desk = Desk::new("again");
    desk.write("a.xml", jats(&doi(1), "One", "<p>first</p>"));
    desk.write("deeper/b.XML", jats(&doi(2), "Two", "<p>second</p>"));
    desk.write("notes.txt", "no article");
    let (report, good) = desk.json(&[]);
    assert!(good);
    assert_eq!(numbers(&report), [2, 0, 0, 0, 0]);
    assert_eq!((item(&report, "a.xml")["outcome"].as_str(), desk.count()), (Some("created"), 2));
    let (first, before) = (item(&report, "a.xml")["article"].as_i64().unwrap(), desk.position());

    let (report, good) = desk.json(&[]);
    assert!(good);
    assert_eq!(numbers(&report), [0, 0, 2, 0, 0]);
    assert_eq!(desk.position(), before, "an unchanged article adds no line to the change log");

    desk.write("a.xml", jats(&doi(1), "One, revised", "<p>first, revised</p>"));
    let (report, good) = desk.json(&[]);
    assert!(good);
    assert_eq!(numbers(&report), [0, 1, 1, 0, 0]);
    assert_eq!(item(&report, "a.xml")["article"].as_i64(), Some(first), "its number, and so its address, stays");
    assert!(desk.position() > before);
    let stored = desk.article(first);
    assert!(stored.meta.title("en") == "One, revised" && stored.rendered.unsealed().contains("first, revised"));
    assert_eq!(desk.count(), 2);
}

#[test]
fn the_report_is_printed_as_text() {
    let desk = Desk::new("terminal");
    desk.write("a.xml", jats(&doi(1), "One", "<p>x<wonder>y</wonder></p>"));
    let output = desk.run(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("1 items in") && text.contains("1 created, 0 updated, 0 unchanged"), "{text}");
    assert!(text.contains("unknown elements, text kept: wonder (1)"), "{text}");
}

#[test]
fn a_dry_run_writes_nothing() {
    let desk = Desk::new("dry");
    desk.write("a.xml", jats(&doi(1), "One", "<fig><graphic xlink:href=\"f.svg\"/></fig>"));
    desk.write("f.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    desk.write("bad.xml", "<article>");
    let (report, good) = desk.json(&["--dry-run"]);
    assert!(!good);
    assert_eq!(numbers(&report), [0, 0, 0, 1, 1]);
    assert!(item(&report, "/a.xml")["article"].is_null());
    assert!(!desk.data().join("media").exists());
    if desk.data().join("masthead.db").exists() {
        assert_eq!((desk.count(), desk.position()), (0, 0));
    }
}

#[test]
fn a_malformed_file_is_reported_with_its_position_and_the_others_are_imported() {
    let desk = Desk::new("malformed");
    desk.write("a.xml", jats(&doi(1), "One", "<p>x</p>"));
    let bad = desk.write("b.xml", "<article>\n<front/>\n<body><p>never closed</body>\n</article>");
    desk.write("c.xml", jats(&doi(3), "Three", "<p>z</p>"));
    desk.write("empty.xml", "");
    desk.write("page.xml", "<!DOCTYPE html><html><body>x</body></html>");
    let output = desk.run(&[]);
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    let line = errors.lines().find(|line| line.contains("b.xml")).expect("the file is named");
    let place = line.strip_prefix(&format!("{}:", bad.display())).unwrap_or_else(|| panic!("{line}"));
    let mut parts = place.split(':');
    assert_eq!(parts.next(), Some("3"), "{line}");
    assert!(parts.next().unwrap().parse::<u32>().unwrap() > 1, "{line}");
    assert!(line.contains("not well-formed"), "{line}");
    assert!(errors.contains("empty.xml: the file is empty") && errors.contains("page.xml: the file is an HTML page"));
    assert!(errors.contains("3 of 5 items were not imported"), "{errors}");
    assert_eq!(desk.count(), 2);
    let (report, _) = desk.json(&[]);
    assert_eq!(item(&report, "b.xml")["line"], 3);
    assert_eq!(numbers(&report), [0, 0, 2, 0, 3]);
}

#[test]
fn a_second_file_with_the_same_doi_and_other_content_is_rejected() {
    let desk = Desk::new("twice");
    desk.write("a.xml", jats(&doi(1), "One", "<p>x</p>"));
    desk.write("b.xml", jats(&doi(1), "Another", "<p>y</p>"));
    desk.write("same.xml", jats(&doi(1), "One", "<p>x</p>"));
    let upper = doi(1).replace("small", "SMALL");
    desk.write("upper.xml", jats(&upper, "Other", "<p>DOIs know no case</p>"));
    let (report, good) = desk.json(&[]);
    assert!(!good);
    assert_eq!(numbers(&report), [1, 0, 1, 0, 2]);
    for name in ["b.xml", "upper.xml"] {
        let error = item(&report, name)["error"].as_str().unwrap();
        assert!(error.contains("10.5555/small.1") && error.contains("with other content, from"), "{error}");
    }
    let id = desk.by_doi("10.5555/small.1").unwrap();
    assert_eq!(desk.article(id.0).meta.title("en"), "One");
}

#[test]
fn an_article_without_doi_is_identified_by_another_id_or_its_digest() {
    let desk = Desk::new("nodoi");
    let id = |kind: &str, value: &str| format!("<article-id pub-id-type=\"{kind}\">{value}</article-id>");
    desk.write("pub.xml", jats(&id("publisher-id", "P-1"), "By publisher", "<p>x</p>"));
    desk.write("pmc.xml", jats(&(id("publisher-id", "P-2") + &id("pmc", "PMC77")), "By archive", "<p>x</p>"));
    desk.write("none.xml", jats("", "By digest", "<p>x</p>"));
    desk.write("odd.xml", jats(&id("doi", "not a doi"), "Odd", "<p>odd</p>"));
    let (report, good) = desk.json(&[]);
    assert!(good, "{report}");
    assert_eq!(numbers(&report), [4, 0, 0, 0, 0]);
    let key = |name: &str| desk.article(item(&report, name)["article"].as_i64().unwrap()).meta.source_key;
    assert_eq!((key("pub.xml").as_str(), key("pmc.xml").as_str()), ("publisher-id:P-1", "pmcid:77"));
    assert!(key("none.xml").starts_with("sha256:") && key("odd.xml").starts_with("sha256:"));
    assert!(item(&report, "odd.xml")["warnings"].to_string().contains("DOI"), "{report}");
    assert_eq!(numbers(&desk.json(&[]).0), [0, 0, 4, 0, 0]);
    desk.write("pub.xml", jats(&id("publisher-id", "P-1"), "By publisher, revised", "<p>x</p>"));
    assert_eq!(numbers(&desk.json(&[]).0), [0, 1, 3, 0, 0]);
    assert_eq!(desk.count(), 4);
}

#[test]
fn a_file_of_fifty_megabytes_is_handled_in_time() {
    let desk = Desk::new("large");
    let paragraph = format!("<p>{}</p>", "Many words in one file. ".repeat(400));
    desk.write("large.xml", jats(&doi(1), "Large", &paragraph.repeat((50 << 20) / paragraph.len())));
    let (report, good) = desk.json(&[]);
    // Storing and rejecting the file are both acceptable, if reported; a hang, a crash or half an article is not.
    match good {
        true => assert_eq!((numbers(&report), desk.count()), ([1, 0, 0, 0, 0], 1)),
        false => assert!(item(&report, "large.xml")["error"].as_str().unwrap().len() > 20, "{report}"),
    }
}

#[test]
fn hostile_files_are_rejected_in_time_with_a_message() {
    let desk = Desk::new("attacks");
    let nested = format!("{}{}", "<sec>".repeat(200_000), "</sec>".repeat(200_000));
    desk.write("nested.xml", jats(&doi(1), "Nested", &nested));
    desk.write("open.xml", format!("<article><body>{}", "<sec>".repeat(200_000)));
    let laughs: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    desk.write(
        "laughs.xml",
        format!("<!DOCTYPE article [<!ENTITY l0 \"ha\">{laughs}]><article><body><p>&l9;</p></body></article>"),
    );
    desk.write(
        "quadratic.xml",
        format!(
            "<!DOCTYPE article [<!ENTITY q \"{}\">]><article><body><p>{}</p></body></article>",
            "q".repeat(100_000),
            "&q;".repeat(100_000)
        ),
    );
    desk.write(
        "outside.xml",
        "<!DOCTYPE article [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><article><body><p>&f;</p></body></article>",
    );
    desk.write("huge.xml", vec![b' '; 65 << 20]);
    desk.write("good.xml", jats(&doi(2), "Good", "<p>among them</p>"));
    let (report, good) = desk.json(&[]);
    assert!(!good);
    assert_eq!(numbers(&report), [1, 0, 0, 0, 6]);
    for (name, words) in [
        ("nested.xml", "nested more than 256 deep"),
        ("open.xml", ""),
        ("laughs.xml", "refused as an attack"),
        ("quadratic.xml", "refused as an attack"),
        ("outside.xml", ""),
        ("huge.xml", "split it"),
    ] {
        let error = item(&report, name)["error"].as_str().unwrap();
        assert!(error.contains(words) && error.len() > 20 && error.len() < 600, "{name}: {error}");
        assert!(!error.contains("root:"), "{name}: {error}");
    }
    assert!(item(&report, "nested.xml")["line"].as_u64() > Some(1));
    assert_eq!(desk.count(), 1);
}

#[test]
fn gbk_and_utf_16_are_decoded_and_invalid_bytes_are_rejected() {
    let desk = Desk::new("encodings");
    // 海洋 (ocean) in GBK.
    let ocean = [0xba, 0xa3, 0xd1, 0xf3];
    let around = |declared: &str, title: &[u8]| -> Vec<u8> {
        let whole = jats("", "TITLE", "<p>x</p>").replace("UTF-8", declared);
        let (before, after) = whole.split_once("TITLE").unwrap();
        [before.as_bytes(), title, after.as_bytes()].concat()
    };
    desk.write("gbk.xml", around("GBK", &ocean));
    desk.write("gb2312.xml", around("gb2312", &[&ocean[..], b" 2"].concat()));
    let utf_16 = jats("", "海洋 16", "<p>x</p>").replace("UTF-8", "UTF-16");
    let units = |order: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
    };
    desk.write("le.xml", units(u16::to_le_bytes, &utf_16));
    desk.write("be.xml", units(u16::to_be_bytes, &utf_16.replace("16<", "16 be<")));
    desk.write("mark.xml", [b"\xef\xbb\xbf", jats("", "海洋 8", "<p>x</p>").as_bytes()].concat());
    desk.write("wrong.xml", around("UTF-8", &ocean));
    desk.write("undeclared.xml", [b"<article><body><p>", &ocean[..], b"</p></body></article>"].concat());
    desk.write("utf8-as-gbk.xml", around("GBK", "海洋学".as_bytes()));
    desk.write("unknown.xml", around("KLINGON-8", b"x"));
    let (report, good) = desk.json(&[]);
    assert!(!good);
    for (name, title) in [
        ("/gbk.xml", "海洋"),
        ("gb2312.xml", "海洋 2"),
        ("le.xml", "海洋 16"),
        ("be.xml", "海洋 16 be"),
        ("mark.xml", "海洋 8"),
    ] {
        let id = item(&report, name)["article"].as_i64().unwrap_or_else(|| panic!("{name}: {report}"));
        assert_eq!(desk.article(id).meta.title("en"), title, "{name}");
    }
    for name in ["wrong.xml", "undeclared.xml", "/utf8-as-gbk.xml"] {
        let item = item(&report, name);
        assert!(item["error"].as_str().is_some_and(|error| error.contains("not valid")), "{name}: {item}");
        assert!(item["line"].as_u64().is_some() && item["column"].as_u64() > Some(1), "{name}: {item}");
    }
    let error = item(&report, "unknown.xml")["error"].as_str().unwrap();
    assert!(error.contains("KLINGON-8"), "{error}");
    assert_eq!(numbers(&report), [5, 0, 0, 0, 4]);
}

#[test]
fn figures_are_read_from_the_folder_of_the_article_only() {
    let desk = Desk::new("figures");
    let secret = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>secret</title></svg>";
    std::fs::write(desk.folder.join("secret.svg"), secret).unwrap();
    let absolute = desk.folder.join("secret.svg").display().to_string();
    let graphic = |href: &str| format!("<fig><graphic xlink:href=\"{href}\"/></fig>");
    let hrefs = ["../../secret.svg", "own/../../../secret.svg", &absolute, "link.svg", "own/f.svg", "missing.svg"];
    desk.write("package/a.xml", jats(&doi(1), "A", &hrefs.map(graphic).concat()));
    desk.write("package/own/f.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>own</title></svg>");
    std::os::unix::fs::symlink(desk.folder.join("secret.svg"), desk.folder.join("in/package/link.svg")).unwrap();
    let (report, good) = desk.json(&[]);
    assert!(good, "{report}");
    let warnings = item(&report, "a.xml")["warnings"].to_string();
    assert!(warnings.contains("missing.svg") && warnings.contains("../../secret.svg"), "{warnings}");
    let kept: Vec<_> = walkdir::WalkDir::new(desk.data().join("media"))
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| std::fs::read_to_string(entry.path()).unwrap())
        .collect();
    assert!(kept.len() == 1 && kept[0].contains("own"), "{kept:?}");
    let rendered = desk.article(item(&report, "a.xml")["article"].as_i64().unwrap()).rendered.unseal();
    assert_eq!(rendered.matches("/media/448/").count(), 1, "{rendered}");
}

#[test]
fn an_unusable_data_folder_is_reported_by_name() {
    let desk = Desk::new("readonly");
    desk.write("a.xml", jats(&doi(1), "One", "<p>x</p>"));
    let file = desk.folder.join("in-the-way");
    std::fs::write(&file, "").unwrap();
    let mut places = vec![file];
    let locked = desk.folder.join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o500)).unwrap();
    if std::fs::write(locked.join("probe"), "").is_ok() {
        println!("partly skipped: this user (root?) can write to a read-only folder");
    } else {
        places.push(locked);
    }
    for place in places {
        let input = desk.folder.join("in");
        let arguments = ["import", "jats", input.to_str().unwrap(), "--site", "448"];
        let output = masthead(&repository("sites"), &place, &arguments);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(place.to_str().unwrap()) && !error.contains("panicked"), "{error}");
    }
}

#[test]
fn a_figure_that_cannot_be_stored_fails_only_its_article() {
    let desk = Desk::new("nomedia");
    desk.write("a.xml", jats(&doi(1), "One", "<fig><graphic xlink:href=\"f.svg\"/></fig>"));
    desk.write("b.xml", jats(&doi(2), "Two", "<p>no figure</p>"));
    desk.write("f.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    std::fs::create_dir(desk.data()).unwrap();
    std::fs::write(desk.data().join("media"), "in the way").unwrap();
    let (report, good) = desk.json(&[]);
    assert!(!good);
    assert_eq!(numbers(&report), [1, 0, 0, 0, 1]);
    assert!(item(&report, "a.xml")["error"].as_str().unwrap().contains("f.svg"), "{report}");
    std::fs::remove_file(desk.data().join("media")).unwrap();
    assert_eq!(numbers(&desk.json(&[]).0), [1, 0, 1, 0, 0], "the next run imports the article");
}

#[test]
fn an_import_that_was_killed_is_completed_by_the_next_run() {
    let files = 240;
    let fill = |desk: &Desk| {
        for number in 0..files {
            let figure = format!("<fig><graphic xlink:href=\"f{}.svg\"/></fig>", number % 7);
            let text = format!("<p>{}</p>", format!("Sentence {number} of many. ").repeat(400));
            desk.write(&format!("{number:03}.xml"), jats(&doi(number), &format!("Title {number}"), &(figure + &text)));
        }
        for number in 0..7 {
            desk.write(
                &format!("f{number}.svg"),
                format!("<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"f{number}\"/>"),
            );
        }
    };
    let (whole, cut) = (Desk::new("whole"), Desk::new("cut"));
    fill(&whole);
    fill(&cut);
    assert_eq!(numbers(&whole.json(&[]).0), [u64::from(files), 0, 0, 0, 0]);

    let input = cut.folder.join("in");
    let arguments = ["import", "jats", input.to_str().unwrap(), "--site", "448", "--json"];
    let mut kills = 0;
    for least in [5, 30] {
        let mut child =
            command(&repository("sites"), &cut.data(), &arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        let stored = || if cut.data().join("masthead.db").exists() { try_count(&cut) } else { 0 };
        while stored() < least && child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < BOUND);
            std::thread::sleep(Duration::from_millis(5));
        }
        // SIGKILL: the process cannot clean up.
        child.kill().unwrap();
        kills += i32::from(!child.wait().unwrap().success());
    }
    assert!(kills > 0, "the import was over before it could be killed");
    let midway = cut.count();
    assert!(midway > 0 && midway < i64::from(files), "{midway}");
    let (report, good) = cut.json(&[]);
    assert!(good, "{report}");
    let [created, updated, unchanged, _, failed] = numbers(&report);
    assert_eq!((created + unchanged, updated, failed), (u64::from(files), 0, 0), "whole articles or none");
    assert_eq!(unchanged, u64::try_from(midway).unwrap());

    let stored = |desk: &Desk| {
        desk.store(async |store| {
            let site = store.site(SITE);
            let mut all = Vec::new();
            for card in site.cards(&CardQuery::Latest, None, 1000).await.unwrap() {
                let article = site.article(card.article_id()).await.unwrap().unwrap();
                all.push((article.meta.source_key, article.rendered.unseal()));
            }
            all.sort();
            all
        })
    };
    assert!(stored(&cut) == stored(&whole), "the stored articles are those of one whole run");
    assert_eq!(numbers(&cut.json(&[]).0), [0, 0, u64::from(files), 0, 0]);
    let rendered = cut.article(1).rendered.unseal();
    for digest in rendered.split("/media/448/").skip(1).map(|rest| &rest[..64]) {
        assert!(cut.data().join("media").join(&digest[..2]).join(digest).exists(), "{digest}");
    }
}

/// The number of articles while another process writes; 0 before there is a table.
fn try_count(desk: &Desk) -> i64 {
    desk.runtime.block_on(async {
        let Ok(store) = Store::open_file(&desk.data().join("masthead.db")).await else { return 0 };
        let count = store.site(SITE).article_count().await.unwrap_or(0);
        store.close().await;
        count
    })
}

#[test]
fn invalid_arguments_are_reported_before_anything_is_created() {
    let desk = Desk::new("wrong");
    let sites = repository("sites");
    let input = desk.folder.join("in");
    let input = input.to_str().unwrap();
    let missing = desk.folder.join("nowhere.xml");
    for (arguments, words) in [
        (vec!["import", "jats", input, "--site", "448"], "nothing to import"),
        (vec!["import", "jats", input, "--site", "999"], "there is no site \"999\"; existing sites:"),
        (vec!["import", "jats", input, "--site", "oceanledgerr"], "448 (oceanledger)"),
        (vec!["import", "jats", missing.to_str().unwrap(), "--site", "448"], "nowhere.xml"),
    ] {
        let output = masthead(&sites, &desk.data(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    let output = masthead(Path::new("/nowhere"), &desk.data(), &["import", "jats", input, "--site", "448"]);
    assert!(stderr(&output).contains("--sites"), "{}", stderr(&output));
}
