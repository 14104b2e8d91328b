//! The lists and pages of resources: figures and tables, audio and video, books, patents, standards, documents, conferences, special issues,
//! albums.

use std::sync::LazyLock;

use masthead_domain::{
    Lang, LocalText, SiteId,
    resource::{
        Album, Audio, Book, Collection, Conference, News, Patent, Picture, ResourceKind, Standard, TableSheet, Tool,
        Video,
    },
};
use masthead_store::StoredResource;
use masthead_test_support::{Portal, Setup, add_to_site, between, bootstrap, listed, named};

/// The site with all journals and the library.
const SHELF: SiteId = SiteId(66);
const SLD: &str = "openshelf";

/// A site whose articles nobody may read.
const VAULT: &str = "plainpress";

/// A site without content but a standard.
const BLANK: &str = "blankshelf";

/// The open site, with more patents than a page shows and what attacks the markup; and the closed one.
static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("resource-pages", Setup::default(), |sites| {
        let permissions = "\n[permissions]\nvisitPower = false\ndownloadPower = true\n";
        add_to_site(sites, VAULT, permissions);
        let blank = "id = 9601\nname = { zh = \"空\", en = \"Blank\" }\n";
        std::fs::write(sites.join(format!("{BLANK}.toml")), blank).unwrap();
        let channel = |id: u32, code: &str, name: &str, rest: &str| {
            format!(
                "\n[[channels]]\nid = {id}\ncode = \"{code}\"\nname = \"{name}\"\nenName = \"{name}\"\nenable = \"1\"\n{rest}"
            )
        };
        add_to_site(sites, SLD, &channel(6601, "videoManuscript", "Talks on paper", "styleId = 2\n"));
        add_to_site(sites, SLD, &channel(6602, "newAlbum", "Our albums", ""));
        add_to_site(sites, SLD, &channel(6603, "virtualAlbum", "Our special issues", ""));
    });
    let store = portal.app.store.site(SHELF);
    for number in 0..45 {
        let patent = Patent {
            key: format!("many-{number}"),
            title: LocalText::of(Lang::En, format!("Sluice {number:02}")),
            date: format!("2019-01-{:02}", 1 + number % 28),
            applicants: vec!["Weir <b>Works</b>".into()],
            ..Patent::default()
        };
        portal.run(store.save_resource(&patent)).unwrap();
    }
    let tool = |key: &str, link: &str| Tool {
        key: key.into(),
        title: LocalText::of(Lang::En, format!("Gauge {key}")),
        link_value: link.into(),
        ..Tool::default()
    };
    let elsewhere = News {
        key: "elsewhere".into(),
        title: LocalText::of(Lang::En, "Told elsewhere"),
        date: "1999-01-01".into(),
        link_value: "https://press.example.org/told".into(),
        ..News::default()
    };
    portal.run(store.save_resource(&elsewhere)).unwrap();
    portal.run(store.save_resource(&tool("good", "https://tools.example.org/"))).unwrap();
    portal.run(store.save_resource(&tool("bad", "javascript:alert(1)"))).unwrap();
    portal.run(store.save_resource(&Collection { key: "bare".into(), ..Collection::default() })).unwrap();
    let standard = Standard { key: "one".into(), ..Standard::default() };
    portal.run(portal.app.store.site(SiteId(9601)).save_resource(&standard)).unwrap();
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal
});

fn page(path: &str) -> String {
    PORTAL.page(SLD, path)
}

fn main_of(path: &str) -> String {
    between(&page(path), "<main", "</main>").to_owned()
}

/// All resources of a kind on the open site.
fn all<T: StoredResource>() -> Vec<(i64, T)> {
    let found = PORTAL.run(PORTAL.app.store.site(SHELF).resources::<T>("", None, 500)).unwrap();
    found.into_iter().map(|stored| (stored.id, stored.value)).collect()
}

/// The first resource of a kind that passes a test.
fn one<T: StoredResource>(test: impl Fn(&T) -> bool) -> (i64, T) {
    all::<T>().into_iter().find(|(_, value)| test(value)).expect("the demo has one")
}

/// The addresses to which the titles of a list lead.
fn entries(main: &str) -> Vec<String> {
    main.split("class=\"media-title\"").skip(1).map(|rest| between(rest, "href=\"", "\"").to_owned()).collect()
}

fn link(page: &str, rel: &str) -> String {
    let found = named(page, "a").into_iter().find(|tag| tag.get("rel") == rel && tag.get("class") == "more-link");
    found.map(|tag| tag.get("href")).unwrap_or_default()
}

#[test]
fn each_list_of_the_specification_leads_to_pages_that_are_there() {
    for (path, kind) in [
        ("/en/textList?type=picture&index=-1", "picture"),
        ("/en/textList?type=table&index=-1", "table"),
        ("/en/audioList?type=video&index=-1", "video"),
        ("/en/audioList?type=audio&index=-1", "audio"),
        ("/en/othersList?type=music&index=-1", "document"),
        ("/en/informationList?type=news&index=-1", "newsDetails"),
        ("/en/currencyList?type=onlineVideo&issearch=1&index=-1", "video"),
        ("/en/currencyList?type=patent&issearch=1&index=-1", "patent"),
        ("/en/currencyList?code=standard&styleId=2", "standard"),
        ("/en/currencyList?type=conference", "conference"),
        ("/en/bookList?type=book&issearch=1&index=-1", "book"),
        ("/en/collectionList", ""),
    ] {
        let main = main_of(path);
        let found = entries(&main);
        assert!(!found.is_empty(), "{path}: {main}");
        for href in found.iter().take(2) {
            assert!(href.starts_with(&format!("/en/{kind}")), "{path}: {href}");
            assert_eq!(PORTAL.get(SLD, href).status, 200, "{path}: {href}");
        }
        let chinese = path.replacen("/en/", "/zh/", 1);
        assert_eq!(entries(&main_of(&chinese)).len(), found.len(), "{chinese}");
    }
    let mixed = entries(&main_of("/en/currencyList?type=mixed&issearch=1&index=-1"));
    assert!(mixed.len() == 20 && mixed.iter().any(|href| href.starts_with("/en/video/")), "{mixed:?}");
    assert!(page("/en/informationList?type=wechat&index=-1").contains("WeChat posts"));
}

#[test]
fn both_route_families_have_the_lists() {
    let address = format!("127.0.0.1:{}", PORTAL.address.port());
    let shared = PORTAL.with(&address, &format!("/{SLD}/en/bookList"), &[]);
    assert_eq!(shared.status, 200);
    let found = entries(&shared.text());
    assert!(found.iter().all(|href| href.starts_with("/openshelf/en/book/")) && !found.is_empty(), "{found:?}");
}

#[test]
fn a_long_list_is_paged_without_scripts_and_in_both_orders() {
    let (mut path, mut titles) = ("/en/currencyList?type=patent".to_owned(), Vec::new());
    let total = all::<Patent>().len();
    for _ in 0..9 {
        let page = page(&path);
        titles.extend(entries(&page));
        path = link(&page, "next");
        if path.is_empty() {
            break;
        }
    }
    let mut distinct = titles.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((titles.len(), distinct.len()), (total, total), "each patent is on one page");
    assert!(total > 40);
    let first = |path: &str| entries(&main_of(path)).swap_remove(0);
    assert_eq!(first("/en/currencyList?type=patent&sort=oldest"), titles[total - 1]);
    let second = page("/en/currencyList?type=patent&page=2");
    assert_eq!(link(&second, "prev"), "/en/currencyList?type=patent");
    assert!(named(&second, "ul").iter().any(|list| list.has("data-list")), "the shell can append to the list");
    assert!(named(&second, "link").iter().any(|tag| {
        tag.get("rel") == "canonical" && tag.get("href").ends_with("/en/currencyList?type=patent&page=2")
    }));
}

#[test]
fn a_list_is_sorted_by_the_views_of_pages() {
    let order = |path: &str| entries(&main_of(path));
    let usual = order("/en/currencyList?type=patent");
    let viewed = usual.get(7).expect("the list is longer").clone();
    let reader = [("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")];
    let answer = PORTAL.with(&format!("{SLD}.localhost"), &viewed, &reader);
    assert_eq!(answer.status, 200);
    // A page that was not there is no view.
    assert_eq!(PORTAL.with(&format!("{SLD}.localhost"), "/en/patent/99999998", &reader).status, 404);
    PORTAL.run(PORTAL.app.counting.flush(&PORTAL.app.store)).unwrap();
    let id: i64 = viewed.rsplit('/').next().unwrap().parse().unwrap();
    let store = PORTAL.app.store.site(SHELF);
    let visits = |id: i64| PORTAL.run(store.totals("patent", id)).unwrap().visits;
    assert_eq!((visits(id) > 0, visits(99_999_998)), (true, 0));
    let by_views = order("/en/currencyList?type=patent&sort=visits");
    let place = |path: &str, all: &[String]| all.iter().position(|one| one == path);
    assert!(place(&viewed, &by_views) < place(&viewed, &usual), "{by_views:?}");
    let main = main_of("/en/currencyList?type=patent&sort=visits");
    let sorts = between(&main, "aria-label=\"Sort by\"", "</nav>");
    let current = named(sorts, "a").into_iter().find(|tag| tag.get("href").ends_with("sort=visits"));
    assert!(current.is_some_and(|tag| tag.get("aria-current") == "true"), "{main}");
    assert_eq!(order("/en/currencyList?type=patent&q=sluice&sort=visits").len(), 20, "and among what was searched");
}

#[test]
fn absurd_parameters_lead_to_a_list_or_to_a_message() {
    for path in [
        "/en/currencyList?type=nothing&index=99999999999&styleId=x",
        "/en/textList?type=%3Cscript%3E&page=0",
        "/en/currencyList?columnId=-4&sort=up",
        "/en/bookList?type=book&page=x",
    ] {
        let page = page(path);
        assert!(!entries(&page).is_empty(), "{path}");
        assert!(!page.contains("type=<script>"), "{path}");
    }
    let behind = page("/en/bookList?page=99999");
    assert!(entries(&behind).is_empty() && behind.contains("View all"));
    for path in [
        "/en/book/99999999",
        "/en/picture/99999999",
        "/en/collections/no%20such",
        "/en/collections/a%00b",
        "/en/album/99999999",
    ] {
        let answer = PORTAL.get(SLD, path);
        assert!(answer.status == 404 && answer.text().contains("No data"), "{path}");
    }
    assert_eq!(PORTAL.get(SLD, "/en/book/abc").status, 404);
    assert_eq!(PORTAL.get(SLD, "/en/collectionList/99").status, 404, "there is no such channel");
}

#[test]
fn a_list_without_entries_says_so() {
    let empty = PORTAL.page(BLANK, "/en/bookList");
    assert!(between(&empty, "<main", "</main>").contains("<p class=\"empty\">No data</p>"), "{empty}");
}

#[test]
fn kinds_of_which_the_site_has_nothing_are_not_offered() {
    // The links to the other kinds: the type of each, and whether it is open.
    let offered = |site: &str, path: &str| -> Vec<(String, bool)> {
        let page = PORTAL.page(site, path);
        let chips = named(between(&page, "aria-label=\"Kinds of resources\"", "</nav>"), "a");
        let kind = |href: String| href.split_once("type=").unwrap().1.split('&').next().unwrap().to_owned();
        chips.iter().map(|chip| (kind(chip.get("href")), chip.has("aria-current"))).collect()
    };
    let of = |kinds: &[(&str, bool)]| kinds.iter().map(|(kind, open)| ((*kind).to_owned(), *open)).collect::<Vec<_>>();
    for (path, kinds) in [
        ("/en/currencyList", &[("mixed", true), ("standard", false)][..]),
        ("/en/currencyList?type=standard", &[("mixed", false), ("standard", true)][..]),
        ("/en/currencyList?type=patent", &[("mixed", false), ("patent", true), ("standard", false)][..]),
        ("/en/othersList?type=music", &[("other", false), ("music", true), ("standard", false)][..]),
    ] {
        assert_eq!(offered(BLANK, path), of(kinds), "{path}");
    }
    assert_eq!(offered(SLD, "/en/currencyList?type=patent").len(), 6, "the shelf has all of them");
    assert_eq!(offered(BLANK, "/en/textList?type=picture"), of(&[("picture", true), ("table", false)]));
}

#[test]
fn words_search_within_the_list() {
    let one = page("/en/currencyList?type=patent&issearch=1&index=-1&q=sluice%2007");
    assert_eq!(bootstrap(&one)["page"]["total"], 1);
    let main = between(&one, "<main", "</main>").replace("<mark>", "").replace("</mark>", "");
    assert!(main.contains("1 result") && entries(&main).len() == 1, "{main}");
    assert!(main.contains("Sluice 07") && main.contains("class=\"result-tabs\""), "{main}");
    let nothing = page("/en/currencyList?type=patent&q=zzzzqqq");
    assert!(nothing.contains("Your search found no records"));
    assert!(named(&nothing, "meta").iter().any(|tag| tag.get("content").starts_with("noindex")));
    let many = page("/en/currencyList?type=patent&q=sluice");
    assert_eq!(link(&many, "next"), "/en/search?q=sluice&type=patent&page=2");
    // The page of results has no tab for the reports: they are searched as a list, from which other types lead to that page.
    let reports = main_of("/en/othersList?type=science&index=-1&q=mooring");
    assert!(!reports.contains("class=\"result-tabs\"") && !entries(&reports).is_empty(), "{reports}");
    let patents = "/en/othersList?type=patent&q=mooring";
    assert!(named(&reports, "a").iter().any(|tag| tag.get("href") == patents), "{reports}");
    assert!(main_of(patents).contains("class=\"result-tabs\""));
}

#[test]
fn a_chosen_field_narrows_what_the_words_find_in_a_list() {
    for (list, words, field) in [
        ("textList?type=picture&index=-1", "distance", "resName_tic"),
        ("textList?type=picture&index=-1", "distance", "noteChinese_tic"),
        ("bookList?type=book&issearch=1&index=-1", "twelve", "resName_tic"),
        ("bookList?type=book&issearch=1&index=-1", "twelve", "summary_tic"),
    ] {
        let found = |field: &str| {
            let path = format!("/en/{list}&q={words}&field={field}");
            bootstrap(&page(&path))["page"]["total"].as_u64().unwrap_or_else(|| panic!("{path}"))
        };
        let (all, some) = (found("0"), found(field));
        assert!(0 < some && some < all, "{list} {field}: {some} of {all}");
    }
}

#[test]
fn a_channel_names_its_list_and_chooses_its_look() {
    let main = main_of("/en/currencyList?columnId=6601&columnName=Evil&index=3");
    assert!(main.contains("<h1>Talks on paper</h1>") && !main.contains("Evil"), "{main}");
    assert!(main.contains("class=\"media-list\""), "the style of the channel");
    assert!(main_of("/en/currencyList?type=videoManuscript").contains("class=\"media-grid\""));
    let videos: Vec<_> = all::<Video>().into_iter().filter(|(_, video)| video.kind == "videoManuscript").collect();
    assert_eq!(entries(&main).len(), videos.len());
    assert!(main_of("/en/collectionList/6602").contains("<h1>Our albums</h1>"));
    assert!(entries(&main_of("/en/collectionList/6602/")).iter().all(|href| href.starts_with("/en/album/")));
    assert!(entries(&main_of("/en/collectionList/6603/")).iter().all(|href| href.starts_with("/en/collections/")));
}

#[test]
fn content_does_not_become_markup() {
    let main = main_of("/en/currencyList?type=patent");
    assert!(main.contains("Weir &lt;b&gt;Works&lt;/b&gt;"), "{main}");
    let tools = main_of("/en/othersList?type=tool");
    assert!(tools.contains("https://tools.example.org/") && !tools.contains("javascript:"), "{tools}");
    assert!(tools.contains("Gauge bad"));
}

#[test]
fn figures_of_one_journal_are_listed() {
    let all = main_of("/en/textList?type=picture");
    assert!(all.contains("journal=ocean-ledger"), "each journal is offered");
    let of_one = page("/en/textList?type=picture&journal=ocean-ledger");
    let figures =
        PORTAL.run(PORTAL.app.store.site(SHELF).resource_count(ResourceKind::Picture, "ocean-ledger")).unwrap();
    assert_eq!(entries(&of_one).len(), usize::try_from(figures).unwrap().min(20));
}

#[test]
fn a_figure_leads_to_its_place_in_the_article() {
    let (id, picture) = one::<Picture>(|picture| picture.position == 1);
    let page = page(&format!("/en/picture/{id}"));
    let main = between(&page, "<main", "</main>");
    let place = format!("/en/article/{}#a-{}", picture.article, picture.element);
    assert!(main.contains(&format!("href=\"{place}\"")), "{main}");
    let article = PORTAL.page(SLD, &format!("/en/article/{}", picture.article));
    assert!(article.contains(&format!("id=\"a-{}\"", picture.element)), "the place is there");
    assert!(main.contains("<figure class=\"fig\"") && main.contains("<img"), "{main}");
    assert!(!main.contains("href=\"#"), "links to the rest of the article lead there");
    let previous = named(main, "a").into_iter().find(|tag| tag.get("rel") == "prev").unwrap();
    assert_eq!(PORTAL.get(SLD, &previous.get("href")).status, 200);
    let file = named(main, "a").into_iter().find(|tag| tag.has("download")).unwrap();
    assert_eq!(PORTAL.get(SLD, &file.get("href")).status, 200, "{file:?}");
    assert_eq!(bootstrap(&page)["page"]["route"], "picture");
}

#[test]
fn links_to_articles_are_those_of_the_site() {
    let list = PORTAL.page("hssxiv", "/en/textList?type=picture");
    let main = between(&list, "<main", "</main>");
    assert!(main.contains("/en/hssArticle/") && !main.contains("/en/article/"), "{main}");
    let figure = PORTAL.page("hssxiv", &entries(&list)[0]);
    let main = between(&figure, "<main", "</main>");
    assert!(main.contains("/en/hssArticle/") && !main.contains("/en/article/"), "{main}");
}

#[test]
fn a_table_shows_its_cells_and_its_files() {
    let (id, table) = one::<TableSheet>(|table| table.rows > 0);
    let main = main_of(&format!("/en/table/{id}"));
    assert!(main.contains("<table>") && main.contains(&format!("#a-{}", table.element)), "{main}");
    for format in ["xls", "csv"] {
        let address = format!("/rc-pub/front/front-article/downloadTable?tableId={id}&type={format}");
        assert!(main.contains(&address.replace('&', "&amp;")), "{main}");
        assert_eq!(PORTAL.get(SLD, &address).status, 200);
    }
}

#[test]
fn figures_of_closed_articles_show_their_title_only() {
    let list = PORTAL.page(VAULT, "/en/textList?type=picture");
    assert!(!entries(&list).is_empty(), "they are listed");
    let main = between(&list, "<main", "</main>");
    assert!(!main.contains("<img"), "no picture of a closed article");
    let (href, page) =
        entries(&list).into_iter().map(|href| (href.clone(), PORTAL.page(VAULT, &href))).next().expect("a figure");
    let main = between(&page, "<main", "</main>");
    assert!(main.contains("Please sign in to read the full text"), "{href}");
    let sign_in = format!("/en/login?url={}", href.replace('/', "%2F"));
    assert!(named(main, "a").iter().any(|tag| tag.get("href") == sign_in), "{main}");
    assert!(!main.contains("<img") && !main.contains("figcaption") && !main.contains("download"), "{main}");
    let id: i64 = href.rsplit('/').next().unwrap().parse().unwrap();
    let store = PORTAL.app.store.site(SiteId(101));
    let picture = PORTAL.run(store.resource::<Picture>(id)).unwrap().unwrap().value;
    let note = picture.note.get(Lang::En);
    assert!(note.is_empty() || !page.contains(note), "the caption is closed");
}

#[test]
fn a_recording_plays_with_the_browsers_own_player() {
    let (id, audio) = one::<Audio>(|audio| audio.key == "fnp-audio-bell");
    let page_of_audio = main_of(&format!("/en/audio/{id}"));
    let player = named(&page_of_audio, "audio").swap_remove(0);
    assert!(player.has("controls") && player.get("src") == audio.file && !player.get("aria-label").is_empty());
    let file = PORTAL.with("openshelf.localhost", &audio.file, &[("range", "bytes=0-3")]);
    assert_eq!((file.status, file.bytes.len()), (206, 4), "the player can seek");
    let spoken = audio.transcript.get(Lang::En);
    assert!(page_of_audio.contains("Transcript") && page_of_audio.contains(&html_escape(spoken)), "{page_of_audio}");
    assert!(page_of_audio.contains("/en/article/"), "the article that it belongs to");
    assert!(page(&format!("/en/audio/{id}")).contains("\"@type\":\"AudioObject\""));

    let clip = Video {
        key: "clip".into(),
        title: LocalText::of(Lang::En, "Clip"),
        file: audio.file.clone(),
        cover: audio.cover.clone(),
        captions: LocalText(
            [(Lang::En, "/media/66/en.vtt".to_owned()), (Lang::Zh, "/media/66/zh.vtt".to_owned())].into(),
        ),
        ..Video::default()
    };
    let id = PORTAL.run(PORTAL.app.store.site(SHELF).save_resource(&clip)).unwrap().id();
    let main = main_of(&format!("/zh/video/{id}"));
    let player = named(&main, "video").swap_remove(0);
    assert_eq!((player.get("poster"), player.has("controls")), (clip.cover.clone(), true));
    let tracks = named(&main, "track");
    let languages: Vec<_> = tracks.iter().map(|track| (track.get("srclang"), track.has("default"))).collect();
    assert_eq!(languages, [("zh".to_owned(), true), ("en".to_owned(), false)]);

    let foreign = Video {
        key: "far".into(),
        file: "https://films.example/f.mp4".into(),
        cover: "https://films.example/f.png".into(),
        ..clip
    };
    let id = PORTAL.run(PORTAL.app.store.site(SHELF).save_resource(&foreign)).unwrap().id();
    let main = main_of(&format!("/en/video/{id}"));
    assert!(named(&main, "video").is_empty() && main.contains("href=\"https://films.example/f.mp4\""), "{main}");
    assert!(named(&main, "img").is_empty(), "browsers show no picture of another server: {main}");
}

fn html_escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn a_book_has_its_edition_contents_and_authors() {
    let (id, book) = one::<Book>(|book| book.key == "9786990100012");
    let page = page(&format!("/en/book/{id}"));
    let main = between(&page, "<main", "</main>");
    for text in
        [&book.isbn, &book.edition, &book.publisher, &book.chief_editor, &book.catalogue[1], &book.contributors[1].bio]
    {
        assert!(main.contains(text.as_str()), "{text}: {main}");
    }
    assert!(main.contains("About the authors") && main.contains("Contents") && main.contains("<img"));
    let described = between(&page, "application/ld+json\">", "</script>");
    assert!(described.contains("\"@type\":\"Book\"") && described.contains(&book.isbn), "{described}");
}

#[test]
fn patents_standards_and_conferences_show_all_fields() {
    let (id, patent) = one::<Patent>(|patent| !patent.ipc.is_empty() && !patent.inventors.is_empty());
    let main = main_of(&format!("/en/patent/{id}"));
    for text in
        [&patent.application_number, &patent.inventors[0], &patent.applicants[0], &patent.ipc[0], &patent.applied]
    {
        assert!(!text.is_empty() && main.contains(text.as_str()), "{text}: {main}");
    }
    let (id, standard) = one::<Standard>(|standard| !standard.ics.is_empty());
    let main = main_of(&format!("/en/standard/{id}"));
    for text in [standard.number.as_str(), &standard.ics[0], &standard.date, standard.organization.get(Lang::En)] {
        assert!(!text.is_empty() && main.contains(&html_escape(text)), "{text}: {main}");
    }
    let (id, conference) = one::<Conference>(|conference| !conference.place.is_empty());
    let main = main_of(&format!("/en/conference/{id}"));
    for text in [conference.start.as_str(), conference.place.get(Lang::En), conference.organizer.get(Lang::En)] {
        assert!(main.contains(&html_escape(text)), "{text}: {main}");
    }
}

#[test]
fn an_article_leads_back_to_the_special_issue_that_its_address_names() {
    let (id, issue) = one::<Collection>(|issue| issue.key == "fnp-beyond-gate");
    let links = listed(&page(&format!("/en/collections/{id}")));
    let papers: Vec<&str> = links.iter().map(|href| href.split('?').next().unwrap()).collect();
    let back = |address: &str| {
        let page = page(address);
        page.split_once("data-origin href=\"").and_then(|(_, rest)| Some(rest.split_once("</a>")?.0.to_owned()))
    };
    let title = issue.title.get(Lang::En);
    for name in [id.to_string(), issue.key.clone()] {
        let link = back(&format!("{}?virtualId={name}", papers[0])).expect("a link back");
        assert!(link.starts_with(&format!("/en/collections/{id}\"")) && link.contains(title), "{link}");
    }
    assert_eq!(links[0], format!("{}?virtualId={id}", papers[0]));
    let link = back(&links[0]).expect("a link back");
    assert!(link.starts_with(&format!("/en/collections/{id}\"")), "{link}");
    let (album, _) = one::<Album>(|album| album.key == "fnp-album-recess");
    let of_album = listed(&page(&format!("/en/album/{album}"))).swap_remove(0);
    assert!(of_album.ends_with(&format!("?virtualId={album}")), "{of_album}");
    assert!(back(&of_album).is_some_and(|link| link.starts_with(&format!("/en/album/{album}\""))), "{of_album}");
    let other = listed(&page("/en/search?q=the"))
        .into_iter()
        .find(|href| !papers.contains(&href.as_str()))
        .expect("an article of no special issue");
    for address in [papers[0].to_owned(), format!("{}?virtualId=no-such", papers[0]), format!("{other}?virtualId={id}")]
    {
        assert_eq!(back(&address), None, "{address}");
    }
}

#[test]
fn a_special_issue_has_its_content_under_tabs() {
    let (id, collection) = one::<Collection>(|collection| collection.key == "fnp-beyond-gate");
    let by_key = page("/en/collections/fnp-beyond-gate");
    assert!(by_key.contains(&format!("/en/collections/{id}\"")), "the canonical address is by number");
    let main = between(&by_key, "<main", "</main>");
    assert!(main.contains("Beyond the gate") && main.contains(&collection.cover), "{main}");
    assert_eq!(listed(&by_key).len(), 2, "the papers come first");
    for tab in ["figures", "tables"] {
        let tab = main_of(&format!("/en/collections/{id}?tab={tab}"));
        assert!(tab.contains("aria-current=\"page\""), "{tab}");
    }
    let figures = entries(&main_of(&format!("/en/collections/{id}?tab=figures")));
    assert!(!figures.is_empty() && figures.iter().all(|href| href.starts_with("/en/picture/")), "{figures:?}");
    let experts = main_of(&format!("/en/collections/{id}?tab=experts"));
    assert!(experts.contains("data-kind=\"expert\""), "{experts}");
    let bare = main_of("/en/collections/bare");
    assert!(bare.contains("Untitled") && bare.contains("No data"), "an entity with nothing: {bare}");
}

#[test]
fn an_album_has_articles_journals_audio_and_video() {
    let (id, _) = one::<Album>(|album| album.key == "fnp-album-recess");
    let href = format!("/en/album/{id}");
    let first = page(&href);
    assert!(!listed(&first).is_empty(), "{href}");
    for (tab, mark) in
        [("publication", "journal-card"), ("audio", "data-kind=\"audio\""), ("video", "data-kind=\"video\"")]
    {
        assert!(main_of(&format!("{href}?tab={tab}")).contains(mark), "{href} {tab}");
    }
}

/// The shell asks for the address when such a link is followed; without scripts, the link has it.
#[test]
fn news_that_lead_elsewhere_say_what_the_shell_asks_for() {
    let (id, news) = one::<News>(|news| news.key == "elsewhere");
    let jump = format!("news {id}");
    for list in ["informationList?type=news&", "news?"] {
        // The oldest of the news, on whatever page it is.
        let pages: String = (1..=5).map(|page| PORTAL.get(SLD, &format!("/en/{list}page={page}")).text()).collect();
        let found = named(&pages, "a").into_iter().find(|tag| tag.get("data-jump") == jump);
        assert_eq!(found.map(|tag| tag.get("href")), Some(news.link_value.clone()), "{list}");
    }
    let answer = PORTAL.with(
        &format!("{SLD}.localhost"),
        &format!("/rc-pub/front/front-news/getJumpUrl?id={id}&language=en&timestamps=1"),
        &[("language", "en")],
    );
    assert_eq!(answer.json()["data"], news.link_value);
}
