//! May this reader read this? Every door of an article, for strangers, permitted readers, a closed site, a removed article, and an open
//! site: what it answers, and who may keep the answer.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use masthead_content::{files, import::Importer};
use masthead_domain::{
    ArticleId, Doi, SiteId,
    article::{Article, ArticleMeta},
    card::ArticleCard,
    content::ArticleBody,
};
use masthead_store::NewArticle;
use masthead_test_support::{Answer, Portal, Setup, between, listed, named, trust_local_proxy};
use masthead_web::app::removed_files;

const VAULT: Site = Site { sld: "vault", id: SiteId(9201) };
const AJAR: Site = Site { sld: "ajar", id: SiteId(9202) };
const LOCKED: Site = Site { sld: "locked", id: SiteId(9203) };
const HYBRID: Site = Site { sld: "hybrid", id: SiteId(9204) };

const PERMITTED: [(&str, &str); 2] = [("language", "en"), ("referer", "https://library.example.edu/list")];
const STRANGER: [(&str, &str); 2] = [("language", "en"), ("referer", "https://elsewhere.example/")];

pub const SHARED: &str = "public, max-age=60";
pub const SHARED_FILE: &str = "public, max-age=31536000, s-maxage=86400, immutable";
pub const READER: &str = "private, no-store";
const PAGE: &str = "private, no-cache";
const FAILED: &str = "no-store";

#[derive(Clone, Copy)]
pub struct Site {
    pub sld: &'static str,
    pub id: SiteId,
}

impl Site {
    pub fn host(self) -> String {
        format!("{}.localhost", self.sld)
    }
}

fn add_sites(sites: &Path) {
    trust_local_proxy(sites);
    let restricted = "permissions = { visitPower = false, downloadPower = true }";
    let asks = "{ id = \"referrer-access\", settings = { hosts = [\"library.example.edu\"] } }";
    let assistant = "{ id = \"ai-assistant\", grants = { content = true } }";
    for (site, lines) in [
        (VAULT, format!("{restricted}\nplugins = [{asks}, {assistant}]")),
        (AJAR, format!("plugins = [{assistant}]")),
        (LOCKED, format!("state = \"maintenance\"\n{restricted}\nplugins = [{asks}, {assistant}]")),
        (HYBRID, format!("openAccessForAll = true\n{restricted}\nplugins = [{asks}]")),
    ] {
        let text = format!("id = {}\nname = {{ zh = \"站\", en = \"Site\" }}\n{lines}\n", site.id);
        std::fs::write(sites.join(format!("{}.toml", site.sld)), text).unwrap();
    }
}

/// A source whose secret words end in `mark`, so that the words of two articles differ.
fn source(mark: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <article article-type=\"research-article\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:lang=\"en\"><front>\
        <journal-meta><journal-title-group><journal-title>Gauge Letters</journal-title></journal-title-group></journal-meta>\
        <article-meta><article-id pub-id-type=\"doi\">10.5555/reading.{mark}</article-id>\
        <title-group><article-title>Gauges {mark}</article-title></title-group>\
        <pub-date pub-type=\"epub\"><year>2026</year></pub-date><volume>1</volume><issue>2</issue>\
        <permissions><license xlink:href=\"https://creativecommons.org/licenses/by/4.0/\"><license-p>CC BY</license-p></license></permissions>\
        <abstract><p>Krypton gauges are told of openly.</p></abstract>\
        <abstract abstract-type=\"graphical\"><p><fig id=\"g1\"><graphic xlink:href=\"g.svg\"/></fig></p></abstract>\
        </article-meta></front><body><sec id=\"s1\"><title>Drift</title>\
        <fig id=\"f1\"><label>Figure 1</label><caption><title>Gauge{mark}</title><p>Seen in quicksand{mark}.</p></caption>\
        <graphic xlink:href=\"f1.svg\"/></fig>\
        <table-wrap id=\"t1\"><label>Table 1</label><caption><title>Readings</title><p>Made in quicksand{mark}.</p></caption>\
        <table><tbody><tr><td>marzipan{mark}</td><td>2</td></tr></tbody></table></table-wrap>\
        <table-wrap id=\"t2\"><label>Table 2</label><caption><title>Scale{mark}</title></caption>\
        <graphic xlink:href=\"f1.svg\"/></table-wrap>\
        <p>Krypton gauges drift below the zebrafish{mark} of the estuary.</p>\
        <p>They were read at noon.</p>\
        <p><xref ref-type=\"fig\" rid=\"f1\">Figure 1</xref> shows the pelican{mark}. \
        <xref ref-type=\"table\" rid=\"t2\">Table 2</xref> shows the heron{mark}.</p>\
        </sec></body></article>"
    )
}

/// Imports an article with a figure, a graphical abstract and a PDF.
fn import(portal: &Portal, site: Site, mark: &str) -> i64 {
    let folder = portal.folder.join("sources").join(format!("{}-{mark}", site.sld));
    std::fs::create_dir_all(&folder).unwrap();
    let svg = |words: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"><title>{words}{mark}</title></svg>"
        )
    };
    for (name, text) in [
        ("article.xml", source(mark)),
        ("f1.svg", svg("walrus")),
        ("g.svg", svg("openly")),
        ("article.pdf", format!("%PDF-1.4 walrus{mark}")),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let item = portal.run(async {
        let mut importer = Importer::new(&portal.app.store, site.id, &portal.app.data_folder, false);
        importer.file(&folder.join("article.xml")).await
    });
    assert_eq!(item.error, None);
    item.article.unwrap()
}

/// The address of a file of an article whose name ends in `name`.
fn file(portal: &Portal, site: Site, id: i64, name: &str) -> String {
    let article = portal.run(portal.app.store.site(site.id).article(ArticleId(id))).unwrap().unwrap();
    let found = article.files.iter().find(|file| file.name.ends_with(name));
    found.unwrap_or_else(|| panic!("{name} is not among {:?}", article.files)).address.clone()
}

/// An article on a site, with the addresses of its files, which it had before it was removed.
pub struct Subject {
    pub site: Site,
    pub id: i64,
    pub mark: &'static str,
    pub figure: String,
    pub graphic: String,
    pub pdf: String,
}

impl Subject {
    pub fn new(portal: &Portal, site: Site, mark: &'static str) -> Self {
        let id = import(portal, site, mark);
        let address = |name: &str| file(portal, site, id, name);
        Self { site, id, mark, figure: address("f1.svg"), graphic: address("g.svg"), pdf: address("article.pdf") }
    }
}

struct Columns {
    portal: Portal,
    restricted: Subject,
    closed: Subject,
    removed: Subject,
    open: Subject,
}

static COLUMNS: LazyLock<Columns> = LazyLock::new(|| {
    let portal = Portal::start("reading", Setup { bare: true, ..Setup::default() }, add_sites);
    let removed = Subject::new(&portal, VAULT, "gone");
    let restricted = Subject::new(&portal, VAULT, "kept");
    let (closed, open) = (Subject::new(&portal, LOCKED, "kept"), Subject::new(&portal, AJAR, "kept"));
    portal.run(async {
        assert!(portal.app.store.site(VAULT.id).remove_article(ArticleId(removed.id)).await.unwrap());
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
    Columns { portal, restricted, closed, removed, open }
});

/// How a door answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The page of the article.
    Page,
    /// The page for in-site navigation: an unknown article is a page, too.
    Navigation,
    /// A call that gives the full text or nothing.
    FullText,
    /// A call that makes a file of a figure or a table: those of a removed article are unknown.
    FigureOrTable,
    /// A call that gives everyone something.
    Call,
    /// A list of an article's parts: empty for a removed article.
    List,
    /// The article in another form, under its address.
    Form,
    /// The PDF under the article's address.
    FormPdf,
    /// The link set.
    LinkSet,
    /// OAI-PMH: a removed article is a deleted record.
    Harvest,
    /// A feed: it has no full text.
    Feed,
    /// The page of results of a search.
    Results,
    /// A file by its digest.
    File,
    /// A file by its digest that is part of the abstract.
    OpenFile,
    /// The content that a plugin shows: the same to all readers.
    Plugin,
}

struct Door {
    name: &'static str,
    kind: Kind,
    path: String,
    /// Words that only permitted readers may see, without the mark of the article.
    secret: &'static str,
}

fn doors(of: &Subject) -> Vec<Door> {
    use Kind::{
        Call, Feed, FigureOrTable, File, Form, FormPdf, FullText, Harvest, LinkSet, List, Navigation, OpenFile, Page,
        Plugin, Results,
    };
    let Subject { site, id, mark, figure, graphic, pdf } = of;
    let call = "/rc-pub/front";
    let article = format!("{call}/front-article");
    let digest = files::digest(figure).unwrap();
    let record = format!("/oai?verb=GetRecord&metadataPrefix=jats&identifier=oai:{}:article/{id}", site.host());
    let door = |name, kind, secret, path: String| Door { name, kind, path, secret };
    vec![
        door("page", Page, "zebrafish", format!("/en/article/{id}")),
        door("page by DOI", Page, "zebrafish", format!("/en/article/doi/10.5555/reading.{mark}")),
        door("navigation", Navigation, "zebrafish", format!("{call}/page?path=/en/article/{id}")),
        door("HTML", FullText, "zebrafish", format!("{article}/getHtml?id={id}")),
        door("body", FullText, "zebrafish", format!("{article}/getBody?id={id}")),
        door("XML", FullText, "zebrafish", format!("{article}/download?id={id}&type=xml")),
        door("package", FullText, "walrus", format!("{article}/download?id={id}&type=zip")),
        door("text", FullText, "zebrafish", format!("{article}/download?id={id}&type=txt")),
        door("PDF", FullText, "walrus", format!("{article}/download?id={id}&type=pdf")),
        door("file", FullText, "walrus", format!("{article}/download?id={id}&type=file&file={digest}")),
        door(
            "PDF as a file",
            FullText,
            "walrus",
            format!("{article}/download?id={id}&type=file&file={}", files::digest(pdf).unwrap()),
        ),
        door("table", FigureOrTable, "marzipan", format!("{article}/downloadTable?tableId={id}/t1&type=csv")),
        door("figure", FigureOrTable, "walrus", format!("{article}/downloadImage?pictureId={id}/f1")),
        door("data", Call, "zebrafish", format!("{article}/{id}")),
        door("references", Call, "zebrafish", format!("{article}/getReference?id={id}")),
        door("figures", List, "quicksand", format!("{call}/pictures?article={id}")),
        door("tables", List, "quicksand", format!("{call}/tables?article={id}")),
        door("search", List, "quicksand", format!("{call}/search?type=picture&q=Gauge{mark}")),
        door("mention of a figure", List, "pelican", format!("{call}/search?type=picture&q=Gauge{mark}")),
        door("mention of a table", List, "heron", format!("{call}/search?type=table&q=Scale{mark}")),
        door("passage", Results, "zebrafish", "/en/search?q=estuary".to_owned()),
        door("passage with conditions", Results, "zebrafish", "/en/seniorSearch?v1=estuary".to_owned()),
        door("figure among results", Results, "quicksand", format!("/en/search?type=picture&q=Gauge{mark}")),
        door("mention among results", Results, "pelican", format!("/en/search?type=picture&q=Gauge{mark}")),
        door("JATS", Form, "zebrafish", format!("/en/article/{id}?format=jats")),
        door("JSON-LD", Form, "format=pdf", format!("/en/article/{id}?format=jsonld")),
        door("PDF of the page", FormPdf, "walrus", format!("/en/article/{id}?format=pdf")),
        door("link set", LinkSet, "format=pdf", format!("/en/article/{id}/linkset")),
        door("OAI-PMH", Harvest, "zebrafish", record),
        door("Atom", Feed, "zebrafish", "/en/feed.atom".to_owned()),
        door("RSS", Feed, "zebrafish", "/en/feed.rss".to_owned()),
        door("file of the figure", File, "walrus", figure.clone()),
        door("file of the PDF", File, "walrus", pdf.clone()),
        door("file of the abstract", OpenFile, "openly", graphic.clone()),
        door("plugin", Plugin, "zebrafish", "/en/plugins/ai-assistant/ask?q=krypton%20gauges%20drift".to_owned()),
    ]
}

/// The columns of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Stranger,
    Permitted,
    Closed,
    Removed,
    Open,
}

/// Status, whether the secret is shown, `Cache-Control`.
type Expected = (u16, bool, &'static str);

/// The table. The removed article is asked for by a permitted reader, the open site by a stranger.
fn expected(kind: Kind, column: Column) -> Expected {
    use Column::{Closed, Open, Permitted, Removed, Stranger};
    match (kind, column) {
        (Kind::File | Kind::OpenFile, Closed) => (503, false, READER),
        (_, Closed) => (503, false, FAILED),

        (Kind::Page, Stranger) => (200, false, PAGE),
        (Kind::Page | Kind::Navigation, Permitted) => (200, true, READER),
        (Kind::Page | Kind::Form | Kind::FormPdf, Removed) => (410, false, READER),
        (Kind::Page | Kind::Navigation, Open) => (200, true, PAGE),
        (Kind::Navigation, Stranger) => (200, false, PAGE),
        (Kind::Navigation, Removed) => (200, false, READER),

        (Kind::FullText | Kind::FigureOrTable | Kind::FormPdf, Stranger) => (403, false, FAILED),
        (Kind::FullText | Kind::FigureOrTable | Kind::Form | Kind::FormPdf | Kind::LinkSet, Permitted) => {
            (200, true, READER)
        }
        (Kind::FullText | Kind::LinkSet | Kind::Call, Removed) => (410, false, FAILED),
        (Kind::FigureOrTable, Removed) => (404, false, FAILED),
        (Kind::FullText | Kind::FigureOrTable | Kind::Form | Kind::FormPdf | Kind::LinkSet, Open) => {
            (200, true, SHARED)
        }
        (Kind::Form | Kind::LinkSet, Stranger) => (200, false, READER),

        (Kind::Call, Stranger | Permitted | Open) => (200, false, READER),
        (Kind::List | Kind::Harvest, Stranger | Removed) => (200, false, READER),
        (Kind::List | Kind::Harvest, Permitted | Open) => (200, true, READER),
        (Kind::Feed, _) => (200, false, "public, no-cache"),
        (Kind::Results, Stranger | Removed) => (200, false, PAGE),
        (Kind::Results, Permitted | Open) => (200, true, PAGE),

        (Kind::File, Stranger) => (403, false, READER),
        (Kind::File | Kind::OpenFile, Permitted) => (200, true, READER),
        (Kind::File | Kind::OpenFile, Removed) => (410, false, READER),
        (Kind::File | Kind::OpenFile, Open) | (Kind::OpenFile, Stranger) => (200, true, SHARED_FILE),

        (Kind::Plugin, Stranger | Permitted | Removed) => (200, false, FAILED),
        (Kind::Plugin, Open) => (200, true, FAILED),
    }
}

/// Names that `Vary` has to have, and names that it must not have. Only answers with status 200 are checked.
fn varies(kind: Kind, column: Column) -> (Vec<&'static str>, Vec<&'static str>) {
    let asks = column != Column::Open;
    let by_reader: &[&'static str] = if asks { &["cookie", "referer"] } else { &[] };
    let and = |names: &[&'static str]| [names, by_reader].concat();
    match kind {
        Kind::Page => (and(&["accept", "accept-encoding", "cookie"]), vec!["accept-language"]),
        Kind::Results => (and(&["accept-encoding", "cookie"]), vec!["accept-language"]),
        Kind::FullText | Kind::FigureOrTable => (and(&["language", "cookie", "token"]), vec![]),
        Kind::Navigation | Kind::Call | Kind::List => (vec!["language", "cookie", "token"], vec![]),
        Kind::Form | Kind::FormPdf => (and(&["accept"]), vec!["accept-language"]),
        Kind::LinkSet => (by_reader.to_vec(), vec!["accept", "accept-language"]),
        Kind::File => (by_reader.to_vec(), if asks { vec![] } else { vec!["cookie", "referer"] }),
        Kind::OpenFile | Kind::Harvest | Kind::Feed | Kind::Plugin => (vec![], vec!["accept-language"]),
    }
}

fn vary(answer: &Answer) -> BTreeSet<String> {
    let values = answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap().to_lowercase());
    values.flat_map(|value| value.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>()).collect()
}

#[test]
fn every_door_asks_whether_the_reader_may_read() {
    use Column::{Closed, Open, Permitted, Removed, Stranger};
    let Columns { portal, restricted, closed, removed, open } = &*COLUMNS;
    let mut faults = Vec::new();
    for (column, subject, headers) in [
        (Stranger, restricted, &STRANGER),
        (Permitted, restricted, &PERMITTED),
        (Closed, closed, &PERMITTED),
        (Removed, removed, &PERMITTED),
        (Open, open, &STRANGER),
    ] {
        for Door { name, kind, path, secret } in doors(subject) {
            // The page is asked twice: the second answer comes from the page cache.
            for _ in 0..2 {
                let answer = portal.with(&subject.site.host(), &path, headers);
                let mark = if secret == "format=pdf" { "" } else { subject.mark };
                let shown = String::from_utf8_lossy(&answer.bytes).contains(&format!("{secret}{mark}"));
                let found = (answer.status, shown, answer.header("cache-control"));
                if found != expected(kind, column) {
                    faults.push(format!("{name}, {column:?}: {found:?} is not {:?}", expected(kind, column)));
                }
                let names = vary(&answer);
                let (needed, wrong) = varies(kind, column);
                let right = needed.iter().all(|name| names.contains(*name));
                let right = right && !wrong.iter().any(|name| names.contains(*name));
                if answer.status == 200 && !right {
                    faults.push(format!("{name}, {column:?}: Vary {names:?} needs {needed:?}, has not {wrong:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn results_show_passages_mentions_and_pictures_to_readers_who_may_read_the_article() {
    let Columns { portal, restricted, open, .. } = &*COLUMNS;
    for (subject, headers, permitted) in
        [(restricted, STRANGER, false), (restricted, PERMITTED, true), (open, STRANGER, true)]
    {
        let main = |query: &str| {
            let answer = portal.with(&subject.site.host(), &format!("/en/search?{query}"), &headers);
            assert_eq!(answer.status, 200, "{query}: {}", answer.text());
            between(&answer.text(), "<main", "</main>").to_owned()
        };
        let mark = subject.mark;
        // The full texts are searched for everyone: whoever may not read one finds the article without a passage of it.
        let articles = main("q=estuary");
        assert_eq!(listed(&articles), [format!("/en/article/{}", subject.id)], "{articles}");
        assert_eq!(articles.matches("card-passage").count(), usize::from(permitted), "{articles}");
        let passage = between(&articles, "card-passage", "</p>");
        assert_eq!(passage.contains(&format!("zebrafish{mark} of the <mark>estuary</mark>")), permitted, "{passage}");
        for (kind, title, mention) in [
            ("picture", "Gauge", format!("Figure 1 shows the pelican{mark}.")),
            ("table", "Scale", format!("Table 2 shows the heron{mark}.")),
        ] {
            let found = main(&format!("q={title}{mark}&type={kind}"));
            let list = between(&found, "data-list", "</ul>");
            assert!(list.contains(&format!("<mark>{title}{mark}</mark>")), "{kind}: {found}");
            let mentions = between(list, "class=\"media-mention\"", "</p>");
            assert_eq!(mentions.contains(&format!(">{mention}</q>")), permitted, "{kind}: {list}");
            assert_eq!(list.contains("media-mention"), permitted, "{kind}: {list}");
            let pictures: Vec<String> = named(list, "img").iter().map(|image| image.get("src")).collect();
            assert_eq!(pictures, vec![subject.figure.clone(); usize::from(permitted)], "{kind}: {list}");
        }
    }
}

#[test]
fn a_permitted_reader_sees_figures_on_a_host_that_sites_share() {
    let Columns { portal, restricted, .. } = &*COLUMNS;
    let page = portal.with("127.0.0.1", &format!("/vault/en/article/{}", restricted.id), &PERMITTED);
    assert!(page.text().contains(&restricted.figure), "the page shows the figure");
    let set: Vec<&str> = page.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let of_files = set.iter().find(|cookie| cookie.contains(&format!("Path=/media/{}/", VAULT.id)));
    let cookie = of_files.unwrap_or_else(|| panic!("{set:?}")).split(';').next().unwrap();
    let ask = |headers: &[(&str, &str)]| portal.with("127.0.0.1", &restricted.figure, headers).status;
    assert_eq!((ask(&[("cookie", cookie)]), ask(&[])), (200, 403));
}

#[test]
fn over_https_one_cookie_is_sent_for_pages_and_files_of_a_shared_host() {
    let Columns { portal, restricted, .. } = &*COLUMNS;
    let https = ("x-forwarded-proto", "https");
    let page = portal.with(
        "127.0.0.1",
        &format!("/vault/en/article/{}", restricted.id),
        &[https, ("referer", "https://library.example.edu/list")],
    );
    assert_eq!(page.headers.get_all("set-cookie").iter().count(), 1, "{:?}", page.headers);
    assert!(page.header("set-cookie").ends_with("; Secure; Path=/"), "{}", page.header("set-cookie"));
    let cookie = page.cookie();
    assert!(cookie.starts_with("__Host-mh_visit-vault="), "{cookie}");
    let ask = |headers: &[(&str, &str)]| portal.with("127.0.0.1", &restricted.figure, headers).status;
    assert_eq!((ask(&[https, ("cookie", &cookie)]), ask(&[https]), ask(&[("cookie", &cookie)])), (200, 403, 403));
}

#[test]
fn a_range_of_a_file_and_a_copy_that_a_reader_has_need_the_same_permit() {
    let Columns { portal, restricted, open, .. } = &*COLUMNS;
    let article = "/rc-pub/front/front-article";
    for (subject, permitted, of_files, of_downloads) in
        [(restricted, true, READER, READER), (open, false, SHARED_FILE, SHARED)]
    {
        let id = subject.id;
        for (address, caching) in [
            (subject.pdf.clone(), of_files),
            (format!("/en/article/{id}?format=pdf"), of_downloads),
            (format!("{article}/download?id={id}&type=pdf"), of_downloads),
        ] {
            let ask = |reader: [(&'static str, &'static str); 2], header: (&'static str, &str)| {
                portal.with(&subject.site.host(), &address, &[reader[0], reader[1], header])
            };
            let reader = if permitted { PERMITTED } else { STRANGER };
            let (whole, range) = (ask(reader, ("accept", "*/*")), ("range", "bytes=0-3"));
            let tag = whole.header("etag");
            assert!(whole.status == 200 && tag.starts_with('"'), "{address}: {} {tag}", whole.status);
            let (part, known) = (ask(reader, range), ask(reader, ("if-none-match", tag)));
            assert_eq!(
                (part.status, &part.bytes[..], part.header("cache-control")),
                (206, &b"%PDF"[..], caching),
                "{address}"
            );
            assert_eq!((known.status, known.header("cache-control")), (304, caching), "{address}");
            if permitted {
                for header in [range, ("if-none-match", tag), ("if-none-match", "*")] {
                    let refused = ask(STRANGER, header);
                    assert_eq!((refused.status, refused.header("etag")), (403, ""), "{address} {header:?}");
                }
            }
        }
    }
}

#[test]
fn open_access_articles_are_open_where_the_site_says_so() {
    let portal = Portal::start("reading-hybrid", Setup { bare: true, ..Setup::default() }, add_sites);
    let free = Subject::new(&portal, HYBRID, "kept");
    let store = portal.app.store.site(HYBRID.id);
    // An article that is not open access, with the same files.
    let other = portal.run(async {
        let id = ArticleId(free.id);
        let stored = store.article(id).await.unwrap().unwrap();
        let card = store.cards_by_id(&[id]).await.unwrap().remove(0);
        let doi = Doi::parse("10.5555/reading.subscription").unwrap();
        let meta = ArticleMeta {
            source_key: format!("doi:{}", doi.key()),
            doi: Some(doi.clone()),
            open_access: false,
            ..stored.meta
        };
        let new = NewArticle {
            article: Article { meta, body: ArticleBody::default() },
            card: ArticleCard { doi: Some(doi), open_access: false, ..card },
            rendered: stored.rendered.unseal(),
            files: stored.files,
            ..NewArticle::default()
        };
        store.save_article(&new).await.unwrap().id().0
    });
    let ask = |path: &str, headers: &[(&str, &str)]| {
        let answer = portal.with(&HYBRID.host(), path, headers);
        (answer.status, answer.header("cache-control").to_owned())
    };
    let html =
        |id: i64, headers: &[(&str, &str)]| ask(&format!("/rc-pub/front/front-article/getHtml?id={id}"), headers);
    assert_eq!(html(free.id, &STRANGER), (200, SHARED.to_owned()));
    assert_eq!(html(free.id, &PERMITTED), (200, SHARED.to_owned()));
    assert_eq!(html(other, &STRANGER), (403, FAILED.to_owned()));
    assert_eq!(html(other, &PERMITTED), (200, READER.to_owned()));
    // A file that an open article and a restricted one share is open, and restricted without the open one.
    assert_eq!(ask(&free.figure, &STRANGER), (200, SHARED_FILE.to_owned()));
    assert!(portal.run(store.remove_article(ArticleId(free.id))).unwrap());
    assert_eq!(ask(&free.figure, &STRANGER), (403, READER.to_owned()));
    assert_eq!(ask(&free.figure, &PERMITTED), (200, READER.to_owned()));
}

#[test]
fn files_of_removed_articles_are_deleted_after_the_stated_time() {
    let portal = Portal::start("reading-removal", Setup { bare: true, ..Setup::default() }, add_sites);
    let (kept, gone) = (Subject::new(&portal, AJAR, "kept"), Subject::new(&portal, AJAR, "gone"));
    let status = |address: &str| portal.get(AJAR.sld, address).status;
    let on_disk = |address: &str| {
        let digest = files::digest(address).unwrap();
        portal.app.data_folder.join("media").join(&digest[..2]).join(digest).exists()
    };
    assert!(portal.run(portal.app.store.site(AJAR.id).remove_article(ArticleId(gone.id))).unwrap());
    assert_eq!(portal.run(removed_files::remove(&portal.app)).unwrap(), 0, "the article was removed a moment ago");
    assert_eq!((status(&gone.pdf), status(&gone.figure), on_disk(&gone.pdf)), (410, 410, true));
    // The same long after the stated time.
    let later = portal.app.store.clone().with_clock(|| i64::MAX / 2);
    let remove = later.remove_unused_media(0, |digest| files::remove(&portal.app.data_folder, digest));
    assert_eq!(portal.run(remove).unwrap(), 3, "figure, graphical abstract, PDF");
    assert_eq!((status(&gone.pdf), on_disk(&gone.pdf), on_disk(&gone.figure)), (404, false, false));
    assert_eq!((status(&kept.pdf), status(&kept.figure), on_disk(&kept.pdf)), (200, 200, true));
    // An article that comes back brings its files.
    assert_eq!(import(&portal, AJAR, "gone"), gone.id);
    assert_eq!((status(&gone.pdf), on_disk(&gone.pdf)), (200, true));
}
