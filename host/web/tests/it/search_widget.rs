//! What a page tells its search widget, and which module each style id selects.

use std::sync::LazyLock;

use masthead_test_support::{Portal, Setup};
use serde_json::{Value, json};

/// The style ids of the specification, and two that it does not name.
const STYLES: [(i32, &str); 11] = [
    (1, "search-style-one"),
    (2, "search-style-two"),
    (3, "search-style-two"),
    (4, "search-style-four"),
    (6, "search-style-six"),
    (7, "search-style-seven"),
    (8, "search-style-one"),
    (9, "search-style-one"),
    (13, "search-banner"),
    (5, "search-header-bar"),
    (77, "search-header-bar"),
];

const SEARCH: &str = r#"
title = { zh = "检索", en = "Find it" }
slogans = [{ en = "One" }, { en = "Two & three" }]
hotWords = [{ en = "salt marsh" }]
quickEntry = { name = { zh = "投稿", en = "Submit" }, linkValue = "/issues" }
resourceType = [
  { type = "article", name = { en = "Articles" }, isOpenConfig = 1 },
  { type = "publication", name = { en = "Journals" } },
  { type = "book", name = { en = "Books" }, isOpenConfig = 1 },
  { type = "other", name = { en = "Other" }, isOpenConfig = 1 },
]
"#;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    Portal::start("search-widget", Setup { bare: true, ..Setup::default() }, |sites| {
        for (style, _) in STYLES {
            let own = if style == 2 {
                "[search.conditions]\nbook = [{ condition = { en = \"Number\" }, field = \"isbn\" }]\n"
            } else {
                ""
            };
            let site = format!(
                "id = {}\nname = {{ en = \"Styled\" }}\nlanguages = [\"en\", \"zh\"]\n[search]\nstyle = {style}\n{SEARCH}{own}",
                9200 + style
            );
            std::fs::write(sites.join(format!("styled{style}.toml")), site).unwrap();
        }
        for (sld, id, value) in [("articles", 9401, 0), ("resources", 9402, 1)] {
            let site = format!(
                "id = {id}\nname = {{ en = \"Scoped\" }}\n[header]\nresourceSearch = {value}\n[search]\nstyle = 1\n{SEARCH}"
            );
            std::fs::write(sites.join(format!("{sld}.toml")), site).unwrap();
        }
        let elsewhere = "id = 9301\nname = { en = \"Elsewhere\" }\n[header]\nadvSearch = false\n[search.quickEntry]\nname = { en = \"Submit\" }\nlinkValue = \"https://submit.example.org/\"\n";
        std::fs::write(sites.join("elsewhere.toml"), elsewhere).unwrap();
        let hostile = "id = 9302\nname = { en = \"Hostile\" }\n[search.quickEntry]\nname = { en = \"Run\" }\nlinkValue = \"javascript:alert(1)\"\n";
        std::fs::write(sites.join("hostile.toml"), hostile).unwrap();
    })
});

fn search(site: &str, path: &str) -> Value {
    PORTAL.bootstrap(site, path)["search"].clone()
}

#[test]
fn every_style_id_selects_its_module_which_the_host_renders() {
    for (style, module) in STYLES {
        for path in ["/en/home", "/zh/issues"] {
            let page = PORTAL.page(&format!("styled{style}"), path);
            let shown = masthead_test_support::bootstrap(&page);
            assert_eq!(shown["slots"]["search"][0]["module"], module, "style {style}");
            assert!(page.contains("data-slot=\"search\" data-rendered"), "style {style} {path}: the host renders it");
            assert!(page.contains(&format!("data-module=\"{module}\"")), "style {style} {path}");
        }
    }
}

#[test]
fn the_form_works_without_scripts() {
    for (style, _) in STYLES {
        let page = PORTAL.page(&format!("styled{style}"), "/en/home");
        let form = masthead_test_support::between(&page, "role=\"search\"", "</form>");
        assert!(form.contains("action=\"/en/search\"") && form.contains("method=\"get\""), "style {style}: {form}");
        for field in ["name=\"q\"", "name=\"type\"", "name=\"field\"", "type=\"submit\"", "value=\"publication\""] {
            assert!(form.contains(field), "style {style}: {field}");
        }
    }
    let words = PORTAL.page("styled1", "/en/home");
    assert!(words.contains("href=\"/en/search?q=salt+marsh&amp;type=article\""), "hot words are links");
}

#[test]
fn scopes_have_the_first_condition_of_their_option_selector() {
    let options = |site: &str| -> Vec<Value> {
        let scopes = search(site, "/en/home")["scopes"].as_array().unwrap().clone();
        scopes.into_iter().map(|scope| scope["option"].clone()).collect()
    };
    let all = json!({ "label": "All fields", "field": "0" });
    assert_eq!(options("styled1"), [all.clone(), Value::Null, all.clone(), Value::Null], "isOpenConfig = 1");
    assert_eq!(options("styled2")[2], json!({ "label": "Number", "field": "isbn" }), "the site's own conditions");
    let first = |kind: &str| {
        let path = format!("/rc-pub/front/site/9201/search-conditions?type={kind}");
        PORTAL.with("styled1.localhost", &path, &[("language", "en")]).json()["data"][0].clone()
    };
    for kind in ["article", "book"] {
        assert_eq!((&first(kind)["condition"], &first(kind)["value"]), (&json!("All fields"), &json!("0")), "{kind}");
    }
}

#[test]
fn resource_search_0_leaves_the_scope_of_articles() {
    let scopes = |site: &str| -> Vec<Value> {
        let scopes = search(site, "/en/home")["scopes"].as_array().unwrap().clone();
        scopes.into_iter().map(|scope| scope["type"].clone()).collect()
    };
    assert_eq!(scopes("articles"), ["article"]);
    let all = ["article", "publication", "book", "other"];
    assert_eq!(scopes("resources"), all);
    assert_eq!(scopes("styled1"), all, "where nothing is set");
    let form = |site: &str| {
        let page = PORTAL.page(site, "/en/home");
        masthead_test_support::between(&page, "role=\"search\"", "</form>").contains("value=\"publication\"")
    };
    assert_eq!((form("articles"), form("resources")), (false, true));
    let header = |site: &str| PORTAL.get(site, "/rc-pub/front/site/getHeaderConfig").json()["data"].clone();
    for (site, value) in [("articles", 0), ("resources", 1), ("styled1", 1)] {
        assert_eq!(header(site)["resourceSearch"], value, "{site}");
    }
}

#[test]
fn the_advanced_search_offers_the_fields_of_the_site_and_keeps_a_chosen_one() {
    let options = |path: &str, name: &str| {
        let page = PORTAL.page("styled2", path);
        let form = masthead_test_support::between(&page, "<form class=\"advanced\"", "</form>");
        let select = masthead_test_support::between(form, &format!("<select name=\"{name}\""), "</select>");
        let options = select.split("<option ").skip(1);
        options.map(|option| option.trim_end_matches("</option>").to_owned()).collect::<Vec<_>>()
    };
    let fields = |path: &str| options(path, "f1");
    assert_eq!(fields("/en/seniorSearch?type=book"), ["value=\"isbn\">Number"]);
    assert_eq!(
        fields("/en/seniorSearch?type=book&v1=reef"),
        ["value=\"isbn\">Number", "value=\"\" selected>All fields"],
        "what is searched is shown"
    );
    assert_eq!(
        fields("/en/seniorSearch?type=book&v1=reef&f1=authors_tic"),
        ["value=\"isbn\">Number", "value=\"authors_tic\" selected>Authors"],
        "the field of a condition stays, though the site does not offer it"
    );
    let of_articles = fields("/en/seniorSearch?v1=reef&f1=fund");
    for offered in ["value=\"fulltext\">Full text", "value=\"fund\" selected>Funder", "value=\"journal\">Journal title"]
    {
        assert!(of_articles.iter().any(|option| option == offered), "{offered}: {of_articles:?}");
    }
    let elsewhere = fields("/en/seniorSearch?v1=reef&f1=isbn");
    assert_eq!(
        elsewhere.last().map(String::as_str),
        Some("value=\"isbn\" selected>ISBN"),
        "a field of books has its name"
    );
    let types = options("/en/seniorSearch", "type");
    let values: Vec<&str> = types.iter().filter_map(|option| option.split('"').nth(1)).collect();
    let expected =
        ["", "publication", "picture", "table", "audio", "video", "other", "book", "patent", "standard", "news"];
    assert_eq!(values, expected);
    for (query, chosen) in [
        ("type=book", "value=\"book\" selected>Books"),
        ("type=patent&v1=reef", "value=\"patent\" selected>Patents"),
        ("type=standard", "value=\"standard\" selected>Standards"),
        ("type=expert", "value=\"expert\" selected>Experts"),
        ("type=other", "value=\"other\" selected>Resources"),
        ("type=thesis", "value=\"\" selected>Articles"),
    ] {
        let types = options(&format!("/en/seniorSearch?{query}"), "type");
        let selected: Vec<&str> =
            types.iter().map(String::as_str).filter(|option| option.contains(" selected>")).collect();
        assert_eq!(selected, [chosen], "{query}: the next search is of the same type");
    }
}

#[test]
fn texts_and_links_are_those_of_the_configuration() {
    let shown = search("styled13", "/en/home");
    assert_eq!((&shown["title"], &shown["slogans"]), (&json!("Find it"), &json!(["One", "Two & three"])));
    assert_eq!(shown["quickEntry"], json!({ "label": "Submit", "href": "/en/issues" }));
    assert_eq!(search("styled13", "/zh/home")["quickEntry"], json!({ "label": "投稿", "href": "/zh/issues" }));
    let page = PORTAL.page("styled13", "/en/home");
    for text in ["Find it", "One", "Two &amp; three", "href=\"/en/issues\"", "Submit"] {
        assert!(page.contains(text), "{text}");
    }
    let elsewhere = search("elsewhere", "/en/home");
    assert_eq!(elsewhere["quickEntry"]["href"], "https://submit.example.org/");
    assert_eq!(elsewhere["advanced"], Value::Null, "advSearch = false");
    let problems = PORTAL.ready().to_string();
    assert!(problems.contains("hostile") && problems.contains("search.quickEntry"), "no link runs code: {problems}");
}
