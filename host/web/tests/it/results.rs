//! The pages of a search: tabs, filters, sorts, pages and years as addresses; the advanced search; journals; groups. And the pages of lists.

mod lists;

use std::{path::Path, sync::LazyLock};

use masthead_documents::html::RenderedArticle;
use masthead_domain::{
    Doi, SiteId,
    article::{Article, ArticleMeta, Contributor, Dates, Funding, JournalRef, LangText},
    card::ArticleCard,
    content::{ArticleBody, Node},
};
use masthead_store::NewArticle;
use masthead_test_support::{Portal, Setup, between, bootstrap, listed, named};

const MANY: SiteId = SiteId(9301);
const BAY: SiteId = SiteId(9302);
const CREEK: SiteId = SiteId(9303);
/// Articles of the site `creek`, a member of the group of `bay`.
const MEMBERS: u32 = 25;
/// Articles of the site `many`, of which the first ten are open.
const NUMBER: u32 = 45;
const OPEN: u32 = 10;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    let portal = Portal::start("results", Setup::default(), add_sites);
    let put = |site: SiteId, article: &NewArticle| {
        portal.run(portal.app.store.site(site).save_article(article)).unwrap();
    };
    (1..=NUMBER).for_each(|number| put(MANY, &article("many", number)));
    put(BAY, &article("bay", 1));
    (1..=MEMBERS).for_each(|number| put(CREEK, &article("creek", number)));
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    portal
});

fn add_sites(sites: &Path) {
    let add = |sld: &str, id: i64, text: &str| {
        let name = format!("name = {{ zh = \"{sld}\", en = \"The {sld}\" }}");
        std::fs::write(sites.join(format!("{sld}.toml")), format!("id = {id}\n{name}\n{text}\n")).unwrap();
    };
    std::fs::write(sites.join("groups/shore.toml"), "").unwrap();
    add("many", MANY.0, "search = { hotWords = [{ en = \"tide\" }] }");
    add("bay", BAY.0, "type = \"group\"\ngroupType = 1\ngroup = \"shore\"");
    add("creek", CREEK.0, "group = \"shore\"\nheader = { advSearch = false }");
    add("drained", 9304, "group = \"shore\"\nstate = \"expired\"");
}

/// Article `number`: just accepted, of the year 2001 to 2026, every third in another journal, every fifth a review in Chinese by another author
/// and of another funder.
fn article(stem: &str, number: u32) -> NewArticle {
    let title = format!("Tide number{number} of the {stem} estuary");
    let text = LangText { lang: "en".into(), plain: title.clone(), nodes: vec![Node::text(&title)] };
    let year = 2026 - i32::try_from(number % 26).unwrap();
    let fifth = number.is_multiple_of(5);
    let author = Contributor {
        role: "author".into(),
        surname: if fifth { "Groyne" } else { "Shoal" }.into(),
        given_names: "Ada".into(),
        ..Contributor::default()
    };
    let fund = Funding { source: if fifth { "Harbour Fund" } else { "Sea Fund" }.into(), ..Funding::default() };
    let journal = if number.is_multiple_of(3) { "Second Letters" } else { "First Letters" };
    let meta = ArticleMeta {
        source_key: format!("doi:10.5555/{stem}.{number}"),
        doi: Some(Doi::parse(&format!("10.5555/{stem}.{number}")).unwrap()),
        article_type: if fifth { "review-article" } else { "research-article" }.into(),
        language: if fifth { "zh" } else { "en" }.into(),
        contributors: vec![author],
        funding: vec![fund],
        subjects: vec![if fifth { "Reviews" } else { "Letters" }.into()],
        titles: vec![text],
        journal: JournalRef { title: journal.into(), ..JournalRef::default() },
        year: Some(year),
        open_access: number <= OPEN,
        first_status: -1,
        dates: Dates { online: format!("{year}-03-01"), ..Dates::default() },
        ..ArticleMeta::default()
    };
    let article = Article { meta, body: ArticleBody::default() };
    let card = ArticleCard::of(&article, &[], &[]);
    let rendered = serde_json::to_string(&RenderedArticle::default()).unwrap();
    NewArticle { card, rendered, article, ..NewArticle::default() }
}

/// The content of a page.
fn main_of(site: &str, path: &str) -> String {
    between(&PORTAL.page(site, path), "<main", "</main>").to_owned()
}

/// The links of a part of a page: address, and whether it is the current one.
fn links(main: &str, part: &str) -> Vec<(String, bool)> {
    let nav = between(main, part, "</nav>");
    named(nav, "a").iter().map(|tag| (tag.get("href"), tag.has("aria-current"))).collect()
}

fn link(main: &str, rel: &str) -> String {
    named(main, "a").iter().find(|tag| tag.get("rel") == rel).map(|tag| tag.get("href")).unwrap_or_default()
}

fn total(site: &str, path: &str) -> u64 {
    bootstrap(&PORTAL.page(site, path))["page"]["total"].as_u64().unwrap()
}

#[test]
fn a_list_is_paged_without_scripts() {
    let first = main_of("many", "/en/justAccepted");
    assert_eq!(listed(&first).len(), 20);
    assert!(first.contains("data-list") && first.contains("20 of 45"), "{first}");
    assert_eq!((link(&first, "prev").as_str(), link(&first, "next").as_str()), ("", "/en/justAccepted?page=2"));
    let second = main_of("many", "/en/justAccepted?page=2");
    assert_eq!(
        (link(&second, "prev").as_str(), link(&second, "next").as_str()),
        ("/en/justAccepted", "/en/justAccepted?page=3")
    );
    let third = main_of("many", "/en/justAccepted?page=3");
    assert_eq!((listed(&third).len(), link(&third, "next").as_str()), (5, ""));
    assert!(third.contains("45 of 45"));
    let all: std::collections::BTreeSet<String> =
        [&first, &second, &third].into_iter().flat_map(|page| listed(page)).collect();
    assert_eq!(all.len(), 45, "every article is on one page");
}

#[test]
fn absurd_pages_are_answered() {
    for page in ["x", "0", "-1", "1.5", "99999999999999999999"] {
        assert_eq!(listed(&main_of("many", &format!("/en/justAccepted?page={page}"))).len(), 20, "{page}");
    }
    for list in ["/en/justAccepted?page=900", "/en/search?q=tide&page=400"] {
        let beyond = main_of("many", list);
        assert!(listed(&beyond).is_empty() && beyond.contains("No data"), "{list}: {beyond}");
        assert!(link(&beyond, "prev").ends_with("page=3"), "{list}: the way back to the last page");
    }
    let empty = main_of("many", "/en/onlineFirst");
    assert!(empty.contains("No data") && !empty.contains("data-more"), "{empty}");
}

#[test]
fn results_are_paged_with_twenty_hits() {
    let first = main_of("many", "/en/search?q=tide");
    assert_eq!((listed(&first).len(), link(&first, "next").as_str()), (20, "/en/search?q=tide&page=2"));
    assert!(first.contains("45 results") && first.contains("20 of 45"), "{first}");
    assert_eq!(listed(&main_of("many", "/en/search?q=tide&page=3")).len(), 5);
}

#[test]
fn tabs_have_counts_and_lead_to_the_hits_of_their_kind() {
    let main = main_of("oceanledger", "/en/search?q=tide");
    let tabs = links(&main, "class=\"result-tabs\"");
    let types: Vec<&str> = tabs.iter().filter_map(|(href, _)| href.split("type=").nth(1)).collect();
    assert_eq!(types, ["article", "picture", "table", "audio", "video", "other", "news"]);
    assert_eq!(tabs.iter().filter(|(_, current)| *current).count(), 1);
    let nav = between(&main, "class=\"result-tabs\"", "</nav>");
    let counts =
        nav.split("class=\"count\">").skip(1).map(|rest| rest.split('<').next().unwrap().parse::<u64>().unwrap());
    for ((href, _), count) in tabs.iter().zip(counts.collect::<Vec<_>>()) {
        assert_eq!(total("oceanledger", href), count, "{href}");
        let current =
            links(&main_of("oceanledger", href), "class=\"result-tabs\"").into_iter().find(|(_, current)| *current);
        assert_eq!(current.unwrap().0, *href);
    }
    // The advanced search is reached from the hits, too, with what was chosen.
    let advanced = |site: &str, path: &str| -> Vec<String> {
        let links = named(&main_of(site, path), "a").into_iter().filter(|tag| tag.get("class") == "results-advanced");
        links.map(|tag| tag.get("href")).collect()
    };
    for (site, query, expected) in [
        ("many", "q=tide", "?v1=tide"),
        ("many", "q=number7&field=resName_tic&match=0&sort=date", "?f1=resName%5Ftic&v1=number7&m1=0"),
        ("many", "type=article", ""),
        ("oceanledger", "type=picture", "?type=picture"),
        ("oceanledger", "q=seagrass&type=picture", "?type=picture&v1=seagrass"),
        ("bay", "q=tide&site=creek", "?site=creek&v1=tide"),
        ("bay", "q=tide&site=drained", "?v1=tide"),
    ] {
        let links = advanced(site, &format!("/en/search?{query}"));
        assert_eq!(links, [format!("/en/seniorSearch{expected}")], "{site} {query}");
    }
    for (site, path) in [("many", "/en/seniorSearch?v1=tide"), ("creek", "/en/search?q=tide")] {
        assert!(total(site, path) > 0 && advanced(site, path).is_empty(), "{site} {path}: it is one, or not offered");
    }
}

#[test]
fn hits_of_every_kind_have_cards_with_links_that_lead_somewhere() {
    for (kind, words) in
        [("picture", "seagrass"), ("table", "the"), ("news", "the"), ("video", "the"), ("audio", "the")]
    {
        let path = format!("/en/search?q={words}&type={kind}");
        if total("oceanledger", &path) == 0 {
            continue;
        }
        let main = main_of("oceanledger", &path);
        let list = between(&main, "data-list", "</ul>");
        let hrefs: Vec<String> =
            named(list, "a").iter().map(|tag| tag.get("href")).filter(|href| href.starts_with('/')).collect();
        assert!(!hrefs.is_empty(), "{kind}: {list}");
        for href in hrefs {
            assert_eq!(PORTAL.get("oceanledger", &href).status, 200, "{kind} {href}");
        }
    }
    assert!(total("oceanledger", "/en/search?q=seagrass&type=picture") > 0);
}

#[test]
fn figures_and_tables_have_their_picture_and_the_sentence_that_mentions_them() {
    // A table with cells has no picture.
    for (kind, words, title, sentence, pictured) in [
        (
            "picture",
            "q=burial%20distance%20edge%20meadow",
            "Burial and distance from the edge of the meadow",
            "Figure 3 plots the 18 cores against distance from the meadow's edge.",
            true,
        ),
        (
            "table",
            "q=carbon%20ledger%20suling%20meadow",
            "Carbon ledger of the Suling Bay meadow, March 2022 to February 2024",
            "Table 1 gives the six entries.",
            false,
        ),
    ] {
        let call = format!("/rc-pub/front/search?{words}&type={kind}");
        let answer = PORTAL.with("oceanledger.localhost", &call, &[("language", "en")]).json();
        let hits = answer["data"]["content"].as_array().unwrap();
        let hit = hits.iter().find(|hit| hit["resName_tic"] == title).unwrap_or_else(|| panic!("{title}: {answer}"));
        assert_eq!(hit["mention"], sentence, "{hit}");
        let picture = hit["picture"].as_str().unwrap();
        assert_eq!(picture.starts_with("/media/448/"), pictured, "{hit}");
        if pictured {
            let file = PORTAL.get("oceanledger", picture);
            assert_eq!((file.status, file.header("content-type")), (200, "image/svg+xml"), "{picture}");
        }
        let main = main_of("oceanledger", &format!("/en/search?{words}&type={kind}"));
        let card = between(&main, &format!("data-kind=\"{kind}\" data-id=\"{}\"", hit["id"]), "</li>");
        let plain = card.replace("<mark>", "").replace("</mark>", "");
        assert!(between(&plain, "class=\"media-title\"", "</h2>").contains(title), "{main}");
        let mentioned = between(&plain, "class=\"media-mention\">", "</p>");
        assert_eq!(mentioned, format!("In the text: <q lang=\"en\" dir=\"ltr\">{sentence}</q>"), "{card}");
        let shown: Vec<String> = named(card, "img").iter().map(|image| image.get("src")).collect();
        assert_eq!(shown, vec![picture.to_owned(); usize::from(pictured)], "{card}");
    }
}

#[test]
fn filters_narrow_the_hits_and_are_taken_back_by_links() {
    for (filter, expected) in [
        ("oa=0", OPEN),
        ("oa=1", NUMBER - OPEN),
        ("yearFrom=2026&yearTo=2026", 1),
        ("yearTo=2003", 3),
        ("journal=second-letters", 15),
        ("oa=0&journal=second-letters", 3),
        ("author=Ada%20Groyne", 9),
        ("articleType=review-article", 9),
        ("language=zh", 9),
        ("fund=Harbour%20Fund", 9),
        ("column=Reviews&author=Ada%20Shoal", 0),
    ] {
        let path = format!("/en/search?q=tide&{filter}");
        assert_eq!(total("many", &path), u64::from(expected), "{filter}");
        let main = main_of("many", &path);
        let chosen = between(&main, "class=\"chosen\"", "</ul>");
        let back: Vec<String> = named(chosen, "a").iter().map(|tag| tag.get("href")).collect();
        assert_eq!(back.last().map(String::as_str), Some("/en/search?q=tide"), "{filter}: all are taken back");
        assert!(back.iter().all(|href| total("many", href) >= u64::from(expected)), "{filter}: {back:?}");
    }
    let main = main_of("many", "/en/search?q=tide");
    let published = ["0", "1"].map(|kind| total("many", &format!("/en/search?q=tide&publishType={kind}")));
    assert_eq!(published.iter().sum::<u64>(), u64::from(NUMBER), "an article is of one publish type: {published:?}");
    assert!(
        main.contains("popovertarget=\"filters\"") && main.contains("id=\"filters\" popover"),
        "a sheet without scripts"
    );
    let panel = between(&main, "id=\"filters\"", "</aside>");
    for href in named(panel, "a").iter().map(|tag| tag.get("href")) {
        assert_eq!(PORTAL.get("many", &href).status, 200, "{href}");
    }
}

/// The values of the filters: address, number of hits, and whether the value is set.
fn counted(main: &str) -> Vec<(String, u64, bool)> {
    let panel = between(main, "id=\"filters\"", "</aside>");
    let links = panel.split("<a ").skip(1).map(|rest| rest.split("</a>").next().unwrap());
    let counted = links.filter(|link| link.contains("class=\"count\""));
    let read = |link: &str| {
        let tag = named(&format!("<a {link}"), "a").remove(0);
        let count = link.split("class=\"count\">").nth(1).unwrap().split('<').next().unwrap();
        (tag.get("href"), count.parse().unwrap(), tag.has("aria-current"))
    };
    counted.map(read).collect()
}

#[test]
fn the_number_beside_a_value_is_that_of_the_hits_it_leads_to() {
    for path in [
        "/en/search?q=tide",
        "/en/search?q=tide&oa=0",
        "/en/search?q=tide&articleType=review-article&yearFrom=2010&yearTo=2026",
        "/en/search?q=tide&journal=second-letters&language=zh",
        "/en/search?q=number7",
        "/en/search?q=estuery&author=Ada%20Groyne",
        "/en/seniorSearch?v1=tide&fund=Sea%20Fund&lastYears=10",
    ] {
        let main = main_of("many", path);
        let values = counted(&main);
        assert!(values.len() > 8, "{path}: {values:?}");
        for (href, count, current) in values {
            // The value that is set takes itself back.
            let expected = if current { total("many", path) } else { total("many", &href) };
            assert_eq!(count, expected, "{path}: {href}");
        }
    }
    let panel = between(&main_of("many", "/en/search?q=tide"), "id=\"filters\"", "</aside>").to_owned();
    for name in ["Review article", "中文", "Harbour Fund", "Ada Groyne", "Reviews"] {
        assert!(panel.contains(name), "{name}: {panel}");
    }
}

#[test]
fn windows_of_years_end_with_the_present_one() {
    let panel = |path: &str| between(&main_of("many", path), "id=\"filters\"", "</aside>").to_owned();
    let windows = |panel: &str| -> Vec<String> {
        let all = named(panel, "a").into_iter().map(|tag| tag.get("href"));
        let years = |href: &str| Some(href.split("lastYears=").nth(1)?.split('&').next()?.to_owned());
        all.filter_map(|href| years(&href)).collect()
    };
    assert_eq!(windows(&panel("/en/search?q=tide")), ["5", "3", "1"]);
    assert_eq!(windows(&panel("/en/seniorSearch?v1=tide")), ["10", "5"]);
    let counts: Vec<u64> =
        [1, 3, 5, 100].map(|years| total("many", &format!("/en/search?q=tide&lastYears={years}"))).into();
    assert!(counts.is_sorted() && counts[3] == u64::from(NUMBER), "{counts:?}");
    assert_eq!(total("many", "/en/search?q=tide&lastYears=x"), u64::from(NUMBER), "what is no number is no filter");
}

#[test]
fn every_sort_is_an_address() {
    let main = main_of("many", "/en/search?q=tide");
    let sorts = links(&main, "class=\"sorts\"");
    assert_eq!(sorts.len(), 11, "all of the specification's: {sorts:?}");
    for (href, _) in &sorts {
        let sorted = main_of("many", href);
        assert_eq!(links(&sorted, "class=\"sorts\"").iter().find(|(_, current)| *current).unwrap().0, *href);
        assert_eq!(listed(&sorted).len(), 20, "{href}");
    }
    let by_date = main_of("many", "/en/search?q=tide&sort=date");
    let years: Vec<&str> = by_date.split("datetime=\"").skip(1).map(|rest| &rest[..4]).collect();
    assert!(years.len() >= 20 && years.is_sorted_by(|a, b| a >= b), "{years:?}");
    assert_eq!(listed(&main_of("many", "/en/search?q=tide&sort=price")), listed(&main), "an unknown sort is none");
    let reverse = named(&by_date, "a").into_iter().find(|tag| tag.get("class") == "sort-reverse").unwrap().get("href");
    assert_eq!(reverse, "/en/search?q=tide&sort=date&order=asc");
    let oldest = main_of("many", &reverse);
    let years: Vec<&str> = oldest.split("datetime=\"").skip(1).map(|rest| &rest[..4]).collect();
    assert!(years.len() >= 20 && years.is_sorted(), "{years:?}");
    assert_eq!(
        listed(&main_of("many", "/en/search?q=tide&sort=publishDate")),
        listed(&by_date),
        "the date's other name"
    );
}

#[test]
fn a_search_without_hits_says_what_can_be_done() {
    let main = main_of("many", "/en/search?q=nowhereatall&oa=0");
    assert!(main.contains("Your search found no records") && main.contains("What you can do"), "{main}");
    let advice = between(&main, "class=\"no-records\"", "</section>");
    let hrefs: Vec<String> = named(advice, "a").iter().map(|tag| tag.get("href")).collect();
    assert_eq!(hrefs, ["/en/search?q=nowhereatall", "/en/seniorSearch"]);
    // The form opens beside the results, as it does from the widget.
    for path in ["/en/search?q=nowhereatall", "/en/search", "/en/search?q=tide"] {
        let main = main_of("many", path);
        let form = named(&main, "a").into_iter().find(|tag| tag.get("href").starts_with("/en/seniorSearch")).unwrap();
        assert!(form.get("target") == "_blank" && form.get("rel").contains("noopener"), "{path}: {form:?}");
        assert!(main.contains("(opens in a new tab)"), "{path}: {main}");
    }
    let start = main_of("many", "/en/search");
    assert!(start.contains("Please enter the search term") && start.contains("/en/search?q=tide"), "{start}");
}

#[test]
fn the_matches_differ() {
    let count = |extra: &str| total("many", &format!("/en/search?q=number7%20tide{extra}"));
    assert_eq!((count(""), count("&match=1")), (1, 0), "the words are not side by side");
    assert!(total("many", "/en/search?q=estuery&match=0") > 0, "a letter differs");
    assert_eq!(total("many", "/en/search?q=number7&field=resName_tic"), 1);
    assert_eq!(total("many", "/en/search?q=number7&field=authors_tic"), 0);
}

#[test]
fn what_is_nearest_is_shown_and_said() {
    let main = main_of("many", "/en/search?q=estuery");
    assert_eq!(total("many", "/en/search?q=estuery"), u64::from(NUMBER));
    assert!(main.contains("class=\"nearest\"") && main.contains("Nothing matches exactly"), "{main}");
    let meant = between(&main, "class=\"did-you-mean\"", "</p>");
    assert_eq!(named(meant, "a")[0].get("href"), "/en/search?q=estuary");
    let exact = main_of("many", "/en/search?q=estuary");
    assert!(!exact.contains("class=\"nearest\"") && !exact.contains("did-you-mean"), "{exact}");
    let filtered = main_of("many", "/en/search?q=estuary&yearFrom=1900&yearTo=1901");
    assert!(!filtered.contains("class=\"nearest\""), "what the filters take away is not searched for elsewhere");
}

#[test]
fn what_was_meant_by_conditions_is_offered_where_it_was_typed() {
    let offered = |path: &str| {
        let main = main_of("many", path);
        assert!(main.contains("class=\"did-you-mean\""), "{path}: {main}");
        let meant = between(&main, "class=\"did-you-mean\"", "</p>");
        (named(meant, "a")[0].get("href"), between(meant, "<bdi>", "</bdi>").to_owned())
    };
    for (path, href, said) in [
        ("search?q=estuery&field=resName_tic", "search?q=estuary&field=resName%5Ftic", "estuary"),
        ("search?q=title%3Aestuery", "search?q=title%3Aestuary", "title:estuary"),
        ("seniorSearch?v1=estuery&m1=1", "seniorSearch?v1=estuary&m1=1", "estuary"),
        (
            "seniorSearch?v1=tide&v2=Estuery&f2=resName_tic&o3=NOT&v3=number8",
            "seniorSearch?v1=tide&f2=resName%5Ftic&v2=Estuary&o3=NOT&v3=number8",
            "tide AND Estuary NOT number8",
        ),
    ] {
        assert_eq!(offered(&format!("/en/{path}")), (format!("/en/{href}"), said.to_owned()), "{path}");
    }
    for path in ["search?q=estuary&field=resName_tic", "seniorSearch?v1=estuary&o2=NOT&v2=estuery"] {
        assert!(!main_of("many", &format!("/en/{path}")).contains("did-you-mean"), "{path}");
    }
}

#[test]
fn what_was_found_is_marked_and_nothing_else_changes() {
    let main = main_of("many", "/en/search?q=tides");
    assert!(main.contains("<mark>Tide</mark> number"), "{main}");
    let title = |path: &str| {
        let main = main_of("many", path);
        between(&main, "card-title", "</h3>").replace("<mark>", "").replace("</mark>", "")
    };
    assert_eq!(title("/en/search?q=tide&sort=date"), title("/en/search?q=estuary&sort=date"));
    for odd in ["%3Cb%3Etide", "tide%26amp", "mark", "%3Cmark%3E"] {
        let main = main_of("many", &format!("/en/search?q={odd}"));
        assert!(!main.contains("<b>") && main.matches("<mark>").count() == main.matches("</mark>").count(), "{odd}");
    }
}

#[test]
fn the_names_of_authors_are_marked_where_they_were_searched() {
    let authors = |words: &str| {
        let main = main_of("many", &format!("/en/search?q={words}"));
        between(&main, "card-authors", "</p>").to_owned()
    };
    for words in ["Groyne", "groyne%20ada", "author%3AGroyne"] {
        let shown = authors(words);
        assert!(shown.contains("Groyne</mark>"), "{words}: {shown}");
    }
    assert!(!authors("estuary").contains("<mark>"));
    let link = &named(&authors("Groyne"), "a")[0];
    assert!(link.get("href").contains("Ada") && !link.get("href").contains("mark"), "the link is what it was");
}

#[test]
fn a_mistake_in_a_query_is_said_with_its_place_and_a_way_out() {
    let main = main_of("many", "/en/search?q=tide%20(estuary");
    assert!(
        main.contains("Character <bdi dir=\"ltr\">6</bdi>: the bracket") && main.contains("role=\"note\""),
        "{main}"
    );
    assert!(main.contains("class=\"result-tabs\""), "it is searched nevertheless");
    let link = named(&main, "a").into_iter().find(|tag| tag.get("class") == "corrected").unwrap();
    assert_eq!(link.get("href"), "/en/search?q=tide%20estuary");
}

#[test]
fn a_saved_address_is_the_same_search() {
    let path = "/en/search?q=tide&sort=date&order=asc&journal=second-letters&author=Ada%20Shoal&articleType=research-article\
                &language=en&fund=Sea%20Fund&oa=1&publishType=1&lastYears=30";
    let main = main_of("many", path);
    let sorts = links(&main, "class=\"sorts\"");
    let current = sorts.into_iter().find(|(_, current)| *current).unwrap().0;
    let parts = |address: &str| {
        let query = address.split('?').nth(1).unwrap().replace("&order=asc", "").replace("%2D", "-");
        query.split('&').map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(parts(&current), parts(path), "every part of the state is in every address");
}

#[test]
fn the_addresses_of_the_specification_show_results() {
    for path in ["/en/article?type=article&index=-1&q=tide", "/en/article?type=thesis&index=-1", "/en/article?q=tide"] {
        assert_eq!(total("many", path), u64::from(NUMBER), "{path}");
    }
    let missing = PORTAL.get("many", "/en/article");
    assert!(missing.status == 404 && missing.text().contains("Article id is not exist"));
    assert_eq!(PORTAL.get("many", "/en/article/x?type=article&index=-1").status, 404);
    assert_eq!(PORTAL.get("hssxiv", "/en/hssArticle?type=article&index=-1").status, 200);
    let journals = main_of("many", "/en/searchPublication?type=publication&searchType=singleSearch&index=-1");
    assert!(journals.contains("First Letters") && journals.contains("Second Letters"), "{journals}");
    assert_eq!(total("many", "/en/searchPublication?q=second"), 1);
    let moved = PORTAL.get("many", "/article?type=article&index=-1&lang=en");
    assert_eq!((moved.status, moved.header("location")), (307, "/en/article?type=article&index=-1&lang=en"));
}

#[test]
fn an_advanced_search_joins_its_rows() {
    let form = main_of("many", "/en/seniorSearch");
    for name in ["f1", "v1", "m1", "o2", "v5"] {
        assert!(form.contains(&format!("name=\"{name}\"")), "{name}");
    }
    assert!(!form.contains("class=\"result-tabs\""), "nothing is searched before the reader asks");
    for (rows, expected) in [
        ("v1=tide", NUMBER),
        ("v1=number7&f1=resName_tic", 1),
        ("v1=number7&o2=OR&v2=number8", 2),
        ("v1=tide&o2=NOT&v2=number8", NUMBER - 1),
        ("v1=number7%20OR%20number8", 2),
        ("v1=tide&yearFrom=2026&yearTo=2026", 1),
        ("v1=10.5555%2Fmany.7&f1=doi&m1=1", 1),
        ("v2=number9", 1),
    ] {
        assert_eq!(total("many", &format!("/en/seniorSearch?{rows}")), u64::from(expected), "{rows}");
    }
    let found = main_of("many", "/en/seniorSearch?v1=tide&o2=NOT&v2=number8&f2=resName_tic");
    assert!(
        found.contains("<details class=\"advanced-fold\"") && found.contains("value=\"number8\""),
        "the form keeps what was typed"
    );
    assert!(link(&found, "next").starts_with("/en/seniorSearch?v1=tide&o2=NOT&f2="), "{}", link(&found, "next"));
}

#[test]
fn mistakes_of_an_advanced_search_have_their_place() {
    for (rows, said, searched) in [
        ("v1=%22sea%20level", "character <bdi dir=\"ltr\">1</bdi>: the quotation mark has no counterpart", false),
        (
            "v1=sea&v2=(land",
            "Condition <bdi dir=\"ltr\">2</bdi>, character <bdi dir=\"ltr\">1</bdi>: the bracket",
            false,
        ),
        (
            "v1=tide%20AND",
            "character <bdi dir=\"ltr\">6</bdi>: a word is missing beside <bdi dir=\"ltr\">AND</bdi>",
            false,
        ),
        ("v1=tide%20or%20number7", "<bdi dir=\"ltr\">or</bdi> is searched as a word", true),
        ("v1=tide&yearFrom=2020&yearTo=2010", "The first year is after the last year", false),
        ("v1=tide&yearFrom=soon", "is not a year", false),
    ] {
        let main = main_of("many", &format!("/en/seniorSearch?{rows}"));
        assert!(main.contains(said) && main.contains("role=\"alert\""), "{rows}: {main}");
        assert_eq!(main.contains("class=\"result-tabs\""), searched, "{rows}");
    }
    let hostile = main_of("many", "/en/seniorSearch?v1=%3Cscript%3E%22&f1=%3Cb%3E&o2=XOR&yearFrom=%3Ci%3E");
    assert!(!hostile.contains("<script>") && !hostile.contains("<i>"), "{hostile}");
}

#[test]
fn a_group_site_lists_the_hits_of_its_open_sites_once() {
    let (first, second) = (main_of("bay", "/en/search?q=tide"), main_of("bay", "/en/search?q=tide&page=2"));
    assert_eq!(total("bay", "/en/search?q=tide"), u64::from(MEMBERS + 1));
    let all = [listed(&first), listed(&second)].concat();
    let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
    assert_eq!((listed(&first).len(), all.len(), distinct.len()), (20, 26, 26), "{all:?}");
    let of_member = all.iter().filter(|href| href.contains("creek.localhost"));
    assert_eq!(of_member.count(), 25);
    let panel = between(&first, "id=\"filters\"", "</aside>");
    assert!(panel.contains("Second Letters"), "a journal that the member alone has: {panel}");
    assert!(panel.contains("The creek") && !panel.contains("The drained"), "closed sites are not searched: {panel}");
    let own = main_of("creek", "/en/search?q=tide");
    assert_eq!(total("creek", "/en/search?q=tide"), u64::from(MEMBERS));
    assert!(!own.contains("card-site") && !own.contains("Sites of the group"), "only the group's own site: {own}");
}

#[test]
fn the_pages_of_a_group_behind_the_numbered_ones_follow_each_other() {
    let pages = ["/en/search?q=tide", "/en/search?q=tide&page=2"];
    let all: Vec<String> = pages.into_iter().flat_map(|path| listed(&main_of("bay", path))).collect();
    let key = |size: usize| {
        let path = format!("/rc-pub/front/search?q=tide&scope=group&size={size}");
        PORTAL.get("bay", &path).json()["data"]["next"].as_str().unwrap().to_owned()
    };
    let behind =
        |page: u32, size: usize| listed(&main_of("bay", &format!("/en/search?q=tide&page={page}&after={}", key(size))));
    assert_eq!([behind(501, 3), behind(502, 23)].concat(), all[3..]);
}

#[test]
fn sites_of_a_group_have_their_prefix_on_a_shared_host() {
    let page = PORTAL.with("127.0.0.1", "/bay/en/search?q=tide&site=creek", &[]).text();
    let links = listed(&page);
    assert!(links.len() == 20 && links.iter().all(|link| link.starts_with("/creek/en/article/")), "{links:?}");
    assert!(page.contains("href=\"/bay/en/search?q=tide\""), "back to all sites: {page}");
    let next = link(between(&page, "<main", "</main>"), "next");
    assert_eq!(next, "/bay/en/search?q=tide&site=creek&page=2");
}
