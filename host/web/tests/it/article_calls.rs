//! Calls about articles: their data, downloads, figures and tables, relations, columns, comments.

use std::{io::Read as _, sync::LazyLock};

use masthead_content::files;
use masthead_domain::{
    Lang, LocalText, SiteId,
    resource::{Column, Comment, CommentState, ItemRef, Topic},
};
use masthead_test_support::{Answer, Portal, Setup, between, listed, tags};
use masthead_web::auth::admin_tokens::Role;
use serde_json::{Value, json};

const SITE: &str = "oceanledger.localhost";
const OTHER: &str = "quietcircuits.localhost";
const HERE: SiteId = SiteId(448);
const DOI: &str = "10.5555/ocl.2026.06.01.0018";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("article_calls", Setup::default(), |sites| {
        masthead_test_support::without_resources(sites);
        let path = sites.join("scriptstone.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let more = "enableComment = true\npermissions = { visitPower = true, downloadPower = false }";
        std::fs::write(&path, format!("{more}\n{text}")).unwrap();
    });
    portal.run(async {
        let text = |en: &str| LocalText::of(Lang::En, en);
        let site = portal.app.store.site(HERE);
        let items = vec![ItemRef { key: DOI.to_uppercase(), ..ItemRef::default() }];
        let topic = Topic { key: "blue".into(), title: text("Blue carbon"), items, ..Topic::default() };
        site.save_resource(&topic).await.unwrap();
        let column = |key: &str, name: &str, parent: &str, position| Column {
            key: key.into(),
            title: text(name),
            parent: parent.into(),
            position,
            ..Column::default()
        };
        for column in [
            column("carbon", "COASTAL carbon", "science", 2),
            column("science", "Science", "", 1),
            column("loop", "Loop", "loop", 3),
        ] {
            site.save_resource(&column).await.unwrap();
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
    portal
});

fn id() -> i64 {
    PORTAL.article("oceanledger", DOI)
}

fn ask(call: &str, language: &str) -> Answer {
    PORTAL.with(SITE, &format!("/rc-pub/front/{call}"), &[("language", language)])
}

fn data(call: &str) -> Value {
    let answer = ask(call, "en");
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!(0)), "{call}: {}", answer.text());
    answer.json()["data"].clone()
}

fn assert_rejected(answer: &Answer, status: u16, message: &str) {
    let envelope = answer.json();
    assert_eq!((answer.status, &envelope["message"]), (status, &json!(message)), "{envelope}");
    assert!(envelope["status"] != 0 && envelope["data"].is_null(), "{envelope}");
}

/// The cookies of a new member.
fn session_cookie(site: &str) -> String {
    PORTAL.sign_up(site, "a13812345678", "13812345678").cookies
}

#[test]
fn an_article_has_the_fields_of_the_specification() {
    let article = data(&format!("front-article/{}", id()));
    for field in
        "doi id siteId topicId vasDocLink vasDocId adcsDocId title keywords authors authorCompany summary visits \
                  downloads commentCount referenceCount firstStatus firstStatusLabel year issue part firstPageNum \
                  lastPageNum ppubDate publishDate received revised accepted published publishedOnline funds authorBio \
                  indexId showListType path graphicAbstract publishType access"
            .split_whitespace()
    {
        assert!(!article[field].is_null(), "{field}: {article}");
    }
    assert_eq!((&article["siteId"], &article["topicId"]), (&json!(448), &json!("blue")));
    assert_eq!((&article["indexId"], &article["publishType"]), (&json!("ocean-ledger"), &json!(0)));
    assert!(!article["summary"].as_str().unwrap().contains('<'), "{}", article["summary"]);
    assert!(article["authors"].as_array().is_some_and(|names| !names.is_empty()));
    assert_eq!(article["path"], format!("article/{}", id()));
    let chinese = ask(&format!("front-article/{}", id()), "zh").json();
    assert_ne!(chinese["data"]["title"], article["title"], "the title is in the reader's language");
}

#[test]
fn references_are_returned_as_html_and_as_data() {
    let lists = data(&format!("front-article/getReference?id={}", id()));
    let entries = lists[0]["references"].as_array().unwrap();
    assert!(!entries.is_empty() && lists[0]["html"].as_str().unwrap().contains("<li"), "{lists}");
    assert!(entries.iter().all(|entry| !entry["citations"][0]["plain"].as_str().unwrap().is_empty()));
    let article = data(&format!("front-article/{}", id()));
    assert_eq!(entries.len() as i64, article["referenceCount"].as_i64().unwrap());
}

#[test]
fn every_listed_download_can_be_downloaded() {
    let types = data(&format!("front-article/getAttachTypes?id={}", id()));
    for kind in types.as_array().unwrap() {
        let (name, file) = (kind["type"].as_str().unwrap(), kind["file"].as_str().unwrap());
        let answer = ask(&format!("front-article/download?id={}&type={name}&file={file}", id()), "en");
        assert_eq!(answer.status, 200, "{kind}: {}", String::from_utf8_lossy(&answer.bytes));
        assert_eq!(answer.header("content-type"), kind["mime"].as_str().unwrap());
        let header = answer.header("content-disposition");
        assert!(header.starts_with("attachment; filename=\"") && header.contains("filename*=UTF-8''"), "{header}");
        assert!(!answer.bytes.is_empty());
    }
    let xml = ask(&format!("front-article/download?id={}", id()), "zh");
    assert!(xml.text().contains(DOI) && xml.text().contains("<article"), "JATS is the default");
    let package = ask(&format!("front-article/download?id={}&type=zip", id()), "en");
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(package.bytes)).unwrap();
    let mut inside = String::new();
    zip.by_name("article.xml").unwrap().read_to_string(&mut inside).unwrap();
    assert_eq!(inside, xml.text());
    assert!(zip.len() > 1, "the package holds the article's files");
    let path = format!("/rc-pub/front/front-article/download?id={}&type=zip", id());
    let package = PORTAL.with(SITE, &path, &[("accept-encoding", "gzip, br")]);
    assert_eq!((package.status, package.header("content-encoding")), (200, ""), "a package is not compressed again");
    assert_rejected(&ask(&format!("front-article/download?id={}&type=exe", id()), "en"), 400, "The request is invalid");
    assert_rejected(&ask(&format!("front-article/download?id={}&type=file&file=x", id()), "en"), 404, "No data");
    assert_rejected(&ask("front-article/download?id=99999999", "en"), 404, "Article id is not exist");
    assert_rejected(&ask("front-article/getAttachTypes?id=99999999", "en"), 404, "Article id is not exist");
}

#[test]
fn downloads_need_the_permission() {
    let list = PORTAL.page("scriptstone", "/en/issue");
    let id = masthead_test_support::listed(&list)[0].rsplit('/').next().unwrap().to_owned();
    for call in [format!("download?id={id}"), format!("downloadTable?tableId={id}/t1")] {
        let path = format!("/rc-pub/front/front-article/{call}");
        let answer = PORTAL.with("scriptstone.localhost", &path, &[("language", "en")]);
        assert!(matches!(answer.status, 403 | 404), "{call}");
        if call.starts_with("download?") {
            assert_rejected(&answer, 403, "Please sign in to download");
        }
    }
}

#[test]
fn figures_and_tables_are_browsed_and_downloaded() {
    for (list, download, parameter) in
        [("pictures", "downloadImage", "pictureId"), ("tables", "downloadTable", "tableId")]
    {
        let whole = data(&format!("{list}?size=100"));
        let total = whole["totalElements"].as_i64().unwrap();
        assert!(total > 3, "{list}: {total}");
        let (mut seen, mut after) = (Vec::new(), String::new());
        loop {
            let page = data(&format!("{list}?size=2&after={after}"));
            seen.extend(page["content"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()));
            match page["next"].as_str() {
                Some(next) => next.clone_into(&mut after),
                None => break,
            }
        }
        let all: Vec<i64> =
            whole["content"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
        assert_eq!(seen, all, "paging by cursor returns each entry once");
        let own = data(&format!("{list}?article={}", id()));
        let one = &own["content"][0];
        let (number, element) = (one["id"].as_i64().unwrap(), one["element"].as_str().unwrap());
        assert_eq!(data(&format!("{list}/{number}"))["articleHref"], format!("/en/article/{}", id()));
        for name in [number.to_string(), format!("{}/{element}", id())] {
            let answer = ask(&format!("front-article/{download}?{parameter}={name}"), "en");
            assert_eq!(answer.status, 200, "{name}: {}", String::from_utf8_lossy(&answer.bytes));
            assert!(answer.header("content-disposition").starts_with("attachment"), "{name}");
        }
        let path = format!("/rc-pub/front/{list}/{number}");
        assert_eq!(PORTAL.with(OTHER, &path, &[]).status, 404, "the figure or table belongs to another site");
        let path = format!("/rc-pub/front/front-article/{download}?{parameter}={number}");
        assert_eq!(PORTAL.with(OTHER, &path, &[]).status, 404, "the figure or table belongs to another site");
        for odd in ["0", "-1", "x", "99999999/t1", "%00", "../../etc"] {
            assert_rejected(&ask(&format!("front-article/{download}?{parameter}={odd}"), "en"), 404, "No data");
        }
        assert_eq!(ask(&format!("{list}?after=x"), "en").status, 400);
        assert_eq!(data(&format!("{list}?journal=nothing"))["content"], json!([]));
    }
    let table = format!("front-article/downloadTable?tableId={}/t1", id());
    let xls = ask(&table, "en");
    assert_eq!(&xls.bytes[..8], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel 97 workbook");
    assert!(xls.header("content-disposition").contains(".xls\""));
    let csv = ask(&format!("{table}&type=csv"), "en");
    assert!(csv.header("content-type").starts_with("text/csv") && csv.text().lines().count() > 1);
    assert_eq!(ask(&format!("{table}&type=pdf"), "en").status, 400);
    let picture = format!("front-article/downloadImage?pictureId={}/f1", id());
    for size in ["small", "big", "original"] {
        let answer = ask(&format!("{picture}&size={size}"), "en");
        assert!(answer.status == 200 && answer.header("content-type").starts_with("image/"), "{size}");
    }
    assert_rejected(&ask(&format!("{picture}&size=huge"), "en"), 400, "The request is invalid");
    assert_rejected(&ask(&format!("{picture}&index=99"), "en"), 404, "No data");
}

#[test]
fn a_figure_whose_renditions_are_missing_is_downloaded_as_it_came() {
    let whole = data("pictures?size=100");
    let file_of = |one: &Value, size: &str| one["pictures"][0][size].as_str().unwrap_or_default().to_owned();
    let came_as_tiff = |one: &&Value| file_of(one, "original").ends_with(".tif");
    let figure = whole["content"].as_array().unwrap().iter().find(came_as_tiff).expect("a figure that came as TIFF");
    let call = format!("front-article/downloadImage?pictureId={}", figure["id"]);
    let downloaded = |size: &str, mime: &str, ending: &str| {
        let answer = ask(&format!("{call}&size={size}"), "en");
        assert_eq!((answer.status, answer.header("content-type")), (200, mime), "{size}");
        let name = answer.header("content-disposition");
        assert!(name.contains(&format!("{ending}\"")), "{name}");
        answer.bytes
    };
    downloaded("big", "image/svg+xml", ".svg");
    let original = downloaded("original", "image/tiff", ".tif");
    assert!(original.starts_with(b"II*"), "a TIFF");
    let shown = file_of(figure, "big");
    let digest = files::digest(&shown).unwrap();
    std::fs::remove_file(PORTAL.app.data_folder.join("media").join(&digest[..2]).join(digest)).unwrap();
    assert_eq!(downloaded("big", "image/tiff", ".tif"), original);
}

#[test]
fn related_articles_are_returned() {
    for call in ["relationAuthor", "relationOrg", "relationFund"] {
        let relations = data(&format!("front-article/{call}?id={}", id()));
        let relations = relations.as_array().unwrap();
        assert!(!relations.is_empty(), "{call}");
        for relation in relations {
            assert!(!relation["name"].as_str().unwrap().is_empty());
            assert!(relation["articles"].as_array().unwrap().iter().all(|card| card["id"] != id()), "{call}");
        }
    }
    let alike = data(&format!("front-article/relationArticle?id={}&size=3", id()));
    let alike = alike.as_array().unwrap();
    assert!(!alike.is_empty() && alike.len() <= 3 && alike.iter().all(|card| card["id"] != id()), "{alike:?}");
    for call in ["relationAuthor", "relationOrg", "relationFund", "relationArticle"] {
        assert_rejected(&ask(&format!("front-article/{call}?id=99999999"), "en"), 404, "Article id is not exist");
        let path = format!("/rc-pub/front/front-article/{call}?id={}", id());
        assert_eq!(PORTAL.with(OTHER, &path, &[]).status, 404, "{call}");
    }
}

#[test]
fn columns_form_a_tree_followed_by_the_remaining_headings() {
    let tree = data("front-article/getColumnTree");
    let science = &tree[0];
    assert_eq!((&science["name"], &science["children"][0]["key"]), (&json!("Science"), &json!("carbon")));
    let carbon = &science["children"][0];
    let found = data("search?q=the&column=Coastal%20Carbon")["totalElements"].as_i64().unwrap();
    assert!(carbon["articleCount"].as_i64().unwrap() >= found && found > 0, "{carbon}");
    assert_eq!(carbon["column"], "Coastal Carbon", "the value of the search filter");
    let names: Vec<&str> = tree.as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Physical Oceanography") && !names.contains(&"Coastal Carbon"), "{names:?}");
    assert_eq!(
        names.iter().filter(|name| **name == "Loop").count(),
        1,
        "a column that is its own parent is listed once"
    );
}

#[test]
fn online_first_articles_are_paged() {
    let page = data("front-article/getFirstPublishArticles?size=1");
    assert!(page["content"].as_array().unwrap().len() <= 1 && page.get("next").is_some());
    assert!(data("front-article/getFirstPublishArticles?firstStatus=-1")["content"].is_array());
    assert_rejected(&ask("front-article/getFirstPublishArticles?after=x", "en"), 400, "The request is invalid");
}

#[test]
fn comments_are_visible_after_approval() {
    let path = "/rc-pub/front/front-article/comments";
    let post = |headers: &[(&str, &str)], body: &str| PORTAL.ask("POST", SITE, path, headers, body);
    let body = json!({ "id": id(), "text": "  Well <b>counted</b>. " }).to_string();
    assert_rejected(&post(&[("language", "en")], &body), 401, "Please sign in to comment");
    let (own, foreign) = (session_cookie("oceanledger"), session_cookie("quietcircuits"));
    assert_rejected(
        &post(&[("language", "en"), ("cookie", foreign.as_str())], &body),
        401,
        "Please sign in to comment",
    );
    let section = |headers: &[(&str, &str)]| {
        let answer = PORTAL.with(SITE, &format!("/en/article/{}", id()), headers);
        assert_eq!(answer.status, 200);
        between(&answer.text(), "<section class=\"article-comments\"", "</section>").to_owned()
    };
    let (of_visitor, of_member) = (section(&[]), section(&[("cookie", own.as_str())]));
    let sign_in = format!("Please sign in to comment <a href=\"/en/login?url=%2Fen%2Farticle%2F{}\"", id());
    assert!(of_visitor.contains(&sign_in) && !of_visitor.contains("<form"), "{of_visitor}");
    assert!(of_member.contains("At most 2000 characters.") && of_member.contains("<textarea"), "{of_member}");
    assert!(!of_member.contains("/en/login"), "{of_member}");
    let signed = [("language", "en"), ("cookie", own.as_str())];
    let answer = post(&signed, &body);
    assert_eq!((answer.status, &answer.json()["message"]), (200, &json!("Submitted successfully")));
    let is_shown = || {
        PORTAL.run(PORTAL.app.change_log_follower().catch_up()).unwrap();
        let section = section(&[]);
        let shown = section.contains("Well &lt;b&gt;counted&lt;/b&gt;.") && section.contains("<bdi>a138****5678</bdi>");
        assert_ne!(shown, section.contains("There are no comments yet."), "{section}");
        shown
    };
    assert!(!is_shown(), "the comment is not approved yet");
    let before = data(&format!("front-article/comments?id={}", id()));
    assert_eq!(
        (&before["enableComment"], &before["content"]),
        (&json!(true), &json!([])),
        "the comment is not approved yet"
    );
    let waiting = PORTAL.run(PORTAL.app.store.site(HERE).comments(id(), CommentState::Waiting, i64::MAX, 9)).unwrap();
    let comment = waiting.into_iter().next().unwrap().value;
    assert_eq!((comment.author.as_str(), comment.text.as_str()), ("a138****5678", "Well <b>counted</b>."));
    let token = PORTAL.token("comments", Role::Editor, &[]);
    let admin = |method: &str, path: &str, token: &str| {
        let path = format!("/rc-pub/admin/comments{path}");
        PORTAL.ask(method, SITE, &path, &[("token", token), ("language", "en")], "")
    };
    let listed = |state: &str| {
        let answer = admin("GET", &format!("?siteId=448&state={state}"), &token).json();
        assert_eq!(answer["status"], 0, "{answer}");
        answer["data"].clone()
    };
    let pending = listed("waiting");
    assert_eq!((&pending["totalElements"], &pending["content"][0]["author"]), (&json!(1), &json!("a138****5678")));
    let number = pending["content"][0]["id"].as_i64().unwrap();
    let decide =
        |call: &str, site: i64, token: &str| admin("POST", &format!("/{number}/{call}?siteId={site}"), token).status;
    assert_eq!((decide("approve", 448, "wrong"), decide("approve", 502, &token)), (401, 404));
    assert_eq!(admin("POST", "/99999999/approve?siteId=448", &token).status, 404);
    assert_eq!(admin("GET", "?siteId=448&after=x", &token).status, 400);
    assert_eq!(decide("refuse", 448, &token), 200);
    let refused = data(&format!("front-article/comments?id={}", id()));
    assert_eq!((&refused["totalElements"], &refused["content"]), (&json!(0), &json!([])));
    assert_eq!((&listed("waiting")["totalElements"], &listed("refused")["totalElements"]), (&json!(0), &json!(1)));
    assert_eq!(decide("approve", 448, &token), 200, "a refused comment can be approved later");
    assert_eq!(listed("shown")["content"][0]["id"], number);
    assert!(is_shown(), "the page of visitors, which was kept, is made again");
    let after = data(&format!("front-article/comments?id={}", id()));
    assert_eq!((&after["totalElements"], &after["content"][0]["author"]), (&json!(1), &json!("a138****5678")));
    assert_eq!(data(&format!("front-article/{}", id()))["commentCount"], 1);
    let most = data("rankList/articles?measure=comments");
    assert_eq!((&most[0]["article"]["id"], &most[0]["count"]), (&json!(id()), &json!(1)));
    for text in ["", "  ", &"x".repeat(2001)] {
        let body = json!({ "id": id(), "text": text }).to_string();
        assert_rejected(&post(&signed, &body), 400, "A comment must have 1 to 2000 characters");
    }
    for body in ["", "{}", "[]", "{\"id\":\"x\",\"text\":\"y\"}"] {
        assert_rejected(&post(&signed, body), 400, "The request is invalid");
    }
    assert_rejected(&post(&signed, "{\"id\":99999999,\"text\":\"y\"}"), 404, "Article id is not exist");
    let mut last = 200;
    for _ in 0..6 {
        last = post(&signed, &body).status;
    }
    assert_eq!(last, 429, "the number of comments of a user is limited");
    let off = PORTAL.ask("POST", OTHER, path, &[("language", "en"), ("cookie", foreign.as_str())], &body);
    assert_rejected(&off, 403, "Comments are disabled on this site");
    assert_eq!(decide("refuse", 448, &token), 200);
    assert!(!is_shown(), "a comment that was approved is withdrawn");
}

#[test]
fn older_comments_follow_those_of_the_page() {
    const ALL: usize = 23;
    let site = "scriptstone";
    let address = listed(&PORTAL.page(site, "/en/issue"))[0].clone();
    let article: i64 = address.rsplit('/').next().unwrap().parse().unwrap();
    let store = PORTAL.app.store.site(PORTAL.site_id(site));
    PORTAL.run(async {
        for number in 1..=ALL {
            let comment = Comment {
                key: format!("{article}/{number}"),
                article,
                author: "r****der".into(),
                text: format!("Comment {number}."),
                date: "2026-03-05T23:30:00Z".into(),
                state: CommentState::Shown,
            };
            store.save_resource(&comment).await.unwrap();
        }
        PORTAL.app.change_log_follower().catch_up().await.unwrap();
    });
    let member = PORTAL.sign_up(site, "b13812345678", "13812345678").cookies;
    let page = PORTAL.with("scriptstone.localhost", &address, &[("cookie", member.as_str())]).text();
    assert!(page.contains("<a href=\"#comments\">"), "the outline leads to the comments");
    let section = between(&page, "<section class=\"article-comments\" id=\"comments\"", "</section>");
    assert!(section.contains("(23)"), "{section}");
    let shown: Vec<&str> = section.split("<div class=\"comment-text\" dir=\"auto\">").skip(1).collect();
    assert_eq!(shown.len(), 20);
    assert!(shown[0].starts_with("Comment 23.<") && shown[19].starts_with("Comment 4.<"), "{section}");
    assert!(section.contains("<time datetime=\"2026-03-06\""), "the day of the site: {section}");
    // Declared by the shell, one a line: `commentsList: 'data-comments-list',`.
    let source = include_str!("../../../../ui-shell/src/reader/parts.ts");
    let declared = between(source, "export const COMMENT_PARTS = {", "} as const;");
    let name = |line: &'static str| line.trim().strip_suffix("',")?.split_once(": '").map(|(_, name)| name);
    let declared: Vec<&str> = declared.lines().filter_map(name).collect();
    assert_eq!(declared.len(), 3, "{declared:?}");
    let all = tags(section);
    for name in declared {
        assert!(all.iter().any(|tag| tag.has(name)), "no element has {name}: {section}");
    }
    let more = all.iter().find(|tag| tag.has("data-comments-more")).unwrap();
    assert!(more.name == "button" && more.has("hidden"), "it works with scripts only");
    let after = more.get("data-comments-more");
    let call = format!("/rc-pub/front/front-article/comments?id={article}&after={after}");
    let older = PORTAL.get(site, &call).json()["data"].clone();
    let texts: Vec<&str> =
        older["content"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Comment 3.", "Comment 2.", "Comment 1."]);
    assert!(older["next"].is_null(), "{older}");
    let off = PORTAL.page("quietcircuits", &listed(&PORTAL.page("quietcircuits", "/en/issue"))[0]);
    assert!(!off.contains("article-comments") && !off.contains("#comments"), "the site takes no comments");
}

#[test]
fn the_time_stamp_and_headers_of_the_specification_are_ignored() {
    let path = format!("front-article/getJumpUrl?id={}", id());
    let plain = data(&path);
    let headers = [("language", "en"), ("token", "x"), ("siteId", "448"), ("identifyHeader", "abc")];
    let answer = PORTAL.with(SITE, &format!("/rc-pub/front/{path}&timestamps=1700000000"), &headers);
    assert_eq!(answer.json()["data"], plain);
}
