//! Site configuration in API calls: site data, header, footer, channels, functions, colours and style sheet.

use std::sync::LazyLock;

use masthead_test_support::{Answer, Portal, Setup};
use serde_json::{Value, json};

const RICH: &str = r##"
id = 9101
name = { zh = "样站", en = "Sample Site" }
keywords = ["one", "two"]
domains = ["sample.example.org"]
type = "group"
groupType = 1
templateId = 7
colorId = 3
grayType = 1
umtFlag = 1
logo1 = "seal.svg"
pictureUrl = "cover.png"
enableComment = true
commonCodes = ["patent", "mixed"]
functionalControl = [{ code = "shop", columnName = { zh = "商城", en = "Shop" } }, { code = "multilingual", columnName = { en = "forged" } }]

[publication]
backIssueStyle = 2
periodAsc = true

[header]
defaultLanguage = "en"
navStyle = 9
ceiling = true
showLogin = true
groupEntrance = "https://group.example.org/"
searchBox = true
advSearch = false
resourceSearch = 1
navDistribution = "center"
logo = { zh = "pc.svg", en = "pc-en.svg" }
mobileLogo = { zh = "m.svg" }
customButtonList = [
  { customButtonName = "投稿", enCustomButtonName = "Submit", customButtonLinkValue = "https://submit.example.org/", customButtonStatus = 1, customButtonPcUrl = "b.png", customButtonMobileUrl = "b-m.png" },
  { customButtonName = "停用", enCustomButtonName = "Off", customButtonLinkValue = "https://off.example.org/", customButtonStatus = 0 },
]

[header.configData]
cssContent = ".frame-footer { border: 1px solid red }"
customButtonList = [
  { customButtonName = "审稿", enCustomButtonName = "", customButtonLinkValue = "https://review.example.org/", customButtonStatus = 1 },
  { customButtonName = "编辑", enCustomButtonName = "Edit", customButtonLinkValue = "https://edit.example.org/", customButtonStatus = 1 },
  { customButtonName = "读者", enCustomButtonName = "Readers", customButtonLinkValue = "https://readers.example.org/", customButtonStatus = 1 },
]

[footer]
copyright = "版权"
enCopyright = "Copyright"
icp = "备 1"
picp = "公安 2"
linkAddress = "https://icp.example.org/"
picpLink = "https://picp.example.org/"
toolbarStyle = 2

[search.conditions]
article = [{ condition = { zh = "题目", en = "Heading" }, field = "resName_tic" }, { condition = { en = "Any" }, field = "", value = "0" }]

[[channels]]
id = 1
code = "home"
name = "首页"
enName = "Home"
enable = "1"

[[channels]]
id = 2
code = "carousel"
name = "轮播"
enName = "Carousel"
enable = "1"
parentId = 1
bannerId = 44
styleId = 3

[[channels]]
id = 3
code = "selnews"
name = "要闻"
enName = ""
enable = "1"
parentId = 1

[[channels]]
id = 4
code = "news"
name = "新闻"
enName = "News"
enable = "1"
newsDataType = "dynamic"

[[channels]]
id = 5
code = "jump"
name = "外链"
enName = "Elsewhere"
enable = "1"
parentId = 4
linkValue = "https://else.example.org/"

[[channels]]
id = 6
code = "aboutus"
name = "停用"
enName = "Disabled"
enable = "0"
"##;

/// A site in four languages; one of its buttons has the form of earlier versions.
const MANY: &str = r#"
id = 9104
name = { en = "Many" }
languages = ["en", "zh", "fra", "ara"]

[footer]
copyright = "版权"
enCopyright = "Copyright"
copyrights = { fra = "Droits réservés" }

[header]
customButtonList = [
  { customButtonNames = { en = "Submit", fra = "Soumettre", ara = "إرسال" }, customButtonLinkValue = "https://submit.example.org/", customButtonStatus = 1 },
  { customButtonName = "审稿", enCustomButtonName = "Review", customButtonLinkValue = "https://review.example.org/", customButtonStatus = 1 },
]

[[channels]]
id = 1
code = "home"
names = { zh = "首页", en = "Home", fra = "Accueil" }
enable = "1"
"#;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    Portal::start("configuration", Setup::default(), |sites| {
        std::fs::write(sites.join("sample.toml"), RICH).unwrap();
        let bad = "id = 9102\nname = { en = \"Bad\" }\n[header.configData]\ncssContent = \"@import 'https://evil.example/';\"\n";
        std::fs::write(sites.join("badsheet.toml"), bad).unwrap();
        std::fs::write(sites.join("many.toml"), MANY).unwrap();
        let typo = "id = 9103\nname = { en = \"Typo\" }\n[header]\nceilling = true\n";
        std::fs::write(sites.join("typo.toml"), typo).unwrap();
    })
});

fn ask(site: &str, path: &str, language: &str) -> Answer {
    PORTAL.with(&format!("{site}.localhost"), path, &[("language", language)])
}

fn data(site: &str, path: &str, language: &str) -> Value {
    let answer = ask(site, path, language);
    let envelope = answer.json();
    assert_eq!((answer.status, &envelope["status"]), (200, &json!(0)), "{path}: {envelope}");
    envelope["data"].clone()
}

#[test]
fn a_site_is_found_with_every_field_of_the_specification() {
    for call in ["findBySld?sld=sample", "findBySiteId?siteId=9101"] {
        let site = data("sample", &format!("/rc-pub/front/site/{call}"), "en");
        let expected = json!({
            "id": 9101, "siteId": 9101, "sld": "sample", "domain": "sample.example.org", "groupSite": 1, "groupType": 1,
            "navStyle": 9, "templateId": 7, "colorId": 3, "grayType": 1, "umtFlag": 1, "type": "group",
            "logo1": "/assets/sites/seal.svg", "pictureUrl": "/assets/sites/cover.png", "keywords": ["one", "two"],
            "name": "Sample Site", "defaultLanguage": "en", "languages": ["zh", "en"],
        });
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&site[key], value, "{key}");
        }
        assert_eq!(site["colour"], site["theme"]["light"]["themeColorPrimary"]);
        for key in ["themeColorPrimary", "themeColorHoverPrimary", "otherColor", "bgOpacity", "bottomLineColor"] {
            assert!(site["theme"]["light"][key].as_str().unwrap().starts_with('#'), "{key}");
        }
    }
    let other = data("oceanledger", "/rc-pub/front/site/findBySld?sld=oceanledger", "en");
    assert!(
        other["domain"].as_str().unwrap().contains('.'),
        "a site without domains has one below the platform's: {other}"
    );
}

#[test]
fn the_header_has_switches_logos_and_at_most_three_buttons() {
    let header = data("sample", "/rc-pub/front/site/getHeaderConfig", "zh");
    let expected = json!({
        "defaultLanguage": "en", "switchLanguage": true, "navStyle": 9, "ceiling": true, "showLogin": true,
        "groupEntrance": "https://group.example.org/", "searchBox": true, "advSearch": false, "resourceSearch": 1,
        "resourceType": ["article"], "navDistribution": "center", "logoPc": "/assets/sites/pc.svg",
        "logoEnPc": "/assets/sites/pc-en.svg", "logoMobile": "/assets/sites/m.svg", "homeHref": "/zh/home/",
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&header[key], value, "{key}");
    }
    let names = |header: &Value, key: &str| {
        let buttons = header["configData"]["customButtonList"].as_array().unwrap().clone();
        buttons.iter().map(|button| button[key].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        names(&header, "customButtonName"),
        ["投稿", "审稿", "编辑"],
        "inactive buttons and the fourth are omitted"
    );
    assert_eq!(names(&header, "customButtonPcUrl")[0], "/assets/sites/b.png");
    assert_eq!(names(&header, "customButtonMobileUrl")[0], "/assets/sites/b-m.png");
    let english = data("sample", "/rc-pub/front/site/getHeaderConfig", "en");
    assert_eq!(
        names(&english, "enCustomButtonName"),
        ["Submit", "Edit", "Readers"],
        "buttons without a name are omitted"
    );
    let bootstrap = PORTAL.bootstrap("sample", "/en/home");
    let labels: Vec<_> =
        bootstrap["header"]["buttons"].as_array().unwrap().iter().map(|b| b["label"].clone()).collect();
    assert_eq!(labels, ["Submit", "Edit", "Readers"], "the page has the same buttons");
}

#[test]
fn buttons_footer_and_menu_have_texts_in_every_language_of_the_site() {
    for (lang, buttons, copyright, home) in [
        ("en", vec!["Submit", "Review"], "Copyright", "Home"),
        ("zh", vec!["审稿"], "版权", "首页"),
        ("fra", vec!["Soumettre", "Review"], "Droits réservés", "Accueil"),
        ("ara", vec!["إرسال", "Review"], "Copyright", "Home"),
    ] {
        let page = PORTAL.page("many", &format!("/{lang}/home"));
        assert!(page.contains(&format!("<p class=\"footer-copyright\"><bdi>{copyright}</bdi></p>")), "{lang}");
        let bootstrap = masthead_test_support::bootstrap(&page);
        let labels: Vec<_> =
            bootstrap["header"]["buttons"].as_array().unwrap().iter().map(|b| b["label"].clone()).collect();
        assert_eq!(labels, buttons, "{lang}");
        assert_eq!(bootstrap["footer"]["copyright"], copyright, "{lang}");
        assert_eq!(bootstrap["menu"][0]["label"], home, "{lang}");
    }
    let header = data("many", "/rc-pub/front/site/getHeaderConfig", "en");
    let button = &header["configData"]["customButtonList"][0];
    assert_eq!(
        (&button["enCustomButtonName"], &button["customButtonNames"]["fra"]),
        (&json!("Submit"), &json!("Soumettre"))
    );
}

#[test]
fn the_footer_has_both_copyright_lines_and_the_records() {
    let footer = data("sample", "/rc-pub/front/site/getFooterConfig", "zh");
    for (key, value) in [
        ("copyright", "版权"),
        ("enCopyright", "Copyright"),
        ("icp", "备 1"),
        ("picp", "公安 2"),
        ("linkAddress", "https://icp.example.org/"),
        ("picpLink", "https://picp.example.org/"),
    ] {
        assert_eq!(footer[key], value, "{key}");
    }
    assert_eq!(footer["toolbarStyle"], 2);
    assert_eq!(data("sample", "/rc-pub/front/site/getFooterConfig", "en")["copyright"], "Copyright");
}

#[test]
fn channels_are_returned_as_a_tree_and_can_be_filtered_like_the_menu() {
    let ids =
        |nodes: &Value| nodes.as_array().unwrap().iter().map(|node| node["id"].as_i64().unwrap()).collect::<Vec<_>>();
    let all = data("sample", "/rc-pub/front/site/getChannelList?siteId=9101", "en");
    assert_eq!(ids(&all["channels"]), [1, 4, 6], "{all}");
    assert_eq!(ids(&all["channels"][0]["children"]), [2, 3]);
    assert_eq!(all["channels"][0]["children"][0]["bannerId"], 44);
    let shown = data("sample", "/rc-pub/front/site/getChannelList?siteId=9101&filter=true", "en");
    assert_eq!(ids(&shown["channels"]), [1, 4]);
    assert_eq!(shown["channels"][0]["children"], json!([]), "children of the home channel are omitted");
    assert_eq!(ids(&shown["channels"][1]["children"]), [5]);
    let news = &shown["menu"][1];
    for (key, value) in [
        ("id", json!(4)),
        ("code", json!("news")),
        ("name", json!("新闻")),
        ("enName", json!("News")),
        ("value", json!(1)),
        ("parentIndex", json!(1)),
        ("newsDataType", json!("dynamic")),
    ] {
        assert_eq!(news[key], value, "{key}");
    }
    let child = &news["children"][0];
    assert_eq!(
        (&child["linkValue"], &child["parentIndex"], &child["newTab"]),
        (&json!("https://else.example.org/"), &json!(1), &json!(true))
    );
    let answer = ask("sample", "/rc-pub/front/site/getChannelList?filter=perhaps", "en");
    assert_eq!((answer.status, answer.json()["status"].clone()), (400, json!(400)));
}

#[test]
fn a_channels_modules_are_its_named_child_channels() {
    let modules = data("sample", "/rc-pub/front/site/getModuleList?channelId=1", "zh");
    let codes: Vec<_> = modules.as_array().unwrap().iter().map(|module| module["code"].clone()).collect();
    assert_eq!(codes, ["carousel", "selnews"]);
    let english = data("sample", "/rc-pub/front/site/getModuleList?channelId=1", "en");
    assert_eq!(english.as_array().unwrap().len(), 1, "a channel without an English name is omitted in English");
    assert_eq!((&english[0]["label"], &english[0]["styleId"]), (&json!("Carousel"), &json!(3)));
    for (query, status) in [("channelId=99", 404), ("channelId=6", 404), ("channelId=x", 400), ("", 400)] {
        let answer = ask("sample", &format!("/rc-pub/front/site/getModuleList?{query}"), "en");
        assert_eq!((answer.status, answer.json()["data"].clone()), (status, Value::Null), "{query}");
    }
}

#[test]
fn switches_codes_and_journals_depend_on_the_site() {
    let aggregated = data("sample", "/rc-pub/front/site/getAggregatedConfig", "en");
    assert_eq!(aggregated, json!({ "enableComment": true, "grayType": 1 }));
    assert_eq!(data("quietcircuits", "/rc-pub/front/site/getAggregatedConfig", "en")["enableComment"], false);
    assert_eq!(data("sample", "/rc-pub/front/commonResource/getCommonCodes", "en"), json!(["patent", "mixed"]));
    assert_eq!(
        data("oceanledger", "/rc-pub/front/commonResource/getCommonCodes", "en"),
        json!(["onlineVideo", "patent", "standard"])
    );
    let config = data("sample", "/rc-pub/front/site/getPublicationConfig", "en");
    assert_eq!(
        (&config["backIssueStyle"], &config["periodAsc"], &config["showAbstract"]),
        (&json!(2), &json!(true), &json!(true))
    );
    let ocean = data("oceanledger", "/rc-pub/front/site/getPublicationConfig", "en");
    assert_eq!(ocean["publications"][0]["key"], "ocean-ledger");
    assert_eq!(data("sample", "/rc-pub/front/site/getBasicInfo", "en")["groupType"], 1);
}

#[test]
fn multi_language_dissemination_is_listed_if_and_only_if_it_adds_languages() {
    let path = "/rc-pub/front/site/getMagazineFunctionalControl";
    let own = data("sample", path, "en");
    assert_eq!(
        (own.as_array().unwrap().len(), &own[0]["columnName"]),
        (1, &json!("Shop")),
        "the site's file cannot add it: {own}"
    );
    let table = PORTAL.app.sites.load_full();
    let mut seen = 0;
    for entry in table.iter().filter(|entry| entry.site.state == Default::default()) {
        let functions = data(&entry.site.sld, path, "en");
        let listed: Vec<_> = functions.as_array().unwrap().iter().filter(|one| one["code"] == "multilingual").collect();
        let added = entry.languages.len() - entry.site.languages.len();
        assert_eq!(listed.len(), usize::from(added > 0), "{}", entry.site.sld);
        if let Some(one) = listed.first() {
            assert_eq!(
                (one["languages"].as_array().unwrap().len(), &one["columnName"]),
                (added, &json!("Multi-language dissemination"))
            );
            assert_eq!(one["columnNames"]["zh"], "多语种传播");
            seen += 1;
        }
    }
    assert!(seen > 0, "no demo site has the plugin");
}

#[test]
fn the_assistant_is_described_only_on_sites_that_have_one() {
    for call in ["getAiqaConfig", "getAppInfo"] {
        let path = format!("/rc-pub/front/aiqa/{call}?siteId=1");
        let table = PORTAL.app.sites.load_full();
        let mut with = 0;
        for entry in table.iter().filter(|entry| entry.site.state == Default::default()) {
            let has = entry.chain.has_hook(masthead_runtime::Hook::Assistant);
            let assistant = data(&entry.site.sld, &path, "en");
            assert_eq!(assistant.is_object(), has, "{}: {assistant}", entry.site.sld);
            if has {
                assert!(!assistant["name"].as_str().unwrap().is_empty());
                with += 1;
            }
        }
        assert!(with > 0, "no demo site has an assistant");
        assert_eq!(data("sample", &path, "en"), Value::Null, "status 0 without data is not an error");
    }
}

#[test]
fn search_conditions_depend_on_the_type_and_the_sites_file() {
    let conditions = |site: &str, id: i64, kind: &str, language: &str| {
        data(site, &format!("/rc-pub/front/site/{id}/search-conditions?type={kind}"), language)
    };
    let fields = |conditions: &Value| {
        conditions.as_array().unwrap().iter().map(|one| one["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let article = conditions("oceanledger", 448, "article", "en");
    assert_eq!(article, conditions("oceanledger", 448, "thesis", "en"), "an article is also called thesis");
    for field in [
        "resName_tic",
        "keyword_tic",
        "authors_tic",
        "authorCompany_tic",
        "summary_tic",
        "doi",
        "part",
        "firstPageNum",
        "lastPageNum",
    ] {
        assert!(fields(&article).contains(&field.to_owned()), "{field}");
    }
    assert_eq!(article[0], json!({ "condition": "All fields", "field": "", "value": "0" }));
    assert_eq!(conditions("oceanledger", 448, "article", "zh")[1]["condition"], "题名");
    for kind in ["publication", "onlineVideo", "standard", "patent", "picture", "table", "video", "audio", "book"] {
        let all = conditions("oceanledger", 448, kind, "en");
        assert!(all.as_array().unwrap().len() > 2, "{kind}");
        assert!(
            all.as_array().unwrap().iter().all(|one| !one["condition"].as_str().unwrap().starts_with("field_")),
            "{all}"
        );
    }
    assert_eq!(
        fields(&conditions("oceanledger", 448, "picture", "en")),
        ["", "resName_tic", "noteChinese_tic", "keyWords_tic", "thesis_tic"]
    );
    assert_eq!(
        fields(&conditions("oceanledger", 448, "video", "en")),
        ["", "enResName_tic", "keywordExt_tic", "en_Thesis_tic"]
    );
    assert_eq!(
        fields(&conditions("oceanledger", 448, "periodical", "en")),
        ["", "publicationName", "organizerUnit", "cn", "issn"]
    );
    let own = conditions("sample", 9101, "article", "en");
    assert_eq!(own[0], json!({ "condition": "Heading", "field": "resName_tic", "value": "resName_tic" }));
    assert_eq!(own[1]["value"], "0");
    for (path, status) in [
        ("448/search-conditions?type=novel", 400),
        ("448/search-conditions", 400),
        ("9101/search-conditions?type=article", 404),
        ("x/search-conditions?type=article", 404),
        ("9101/search-config", 404),
    ] {
        let answer = ask("oceanledger", &format!("/rc-pub/front/site/{path}"), "en");
        assert_eq!((answer.status, answer.json()["status"].clone()), (status, json!(status)), "{path}");
    }
    let by_path =
        PORTAL.with("127.0.0.1", "/rc-pub/front/site/9101/search-conditions?type=article", &[("language", "en")]);
    assert_eq!(by_path.json()["data"][0]["condition"], "Heading", "on the platform's host the address names the site");
}

#[test]
fn eleven_theme_presets_are_listed_and_served_as_style_sheets() {
    let themes = data("sample", "/rc-pub/front/site/getThemeColors", "en");
    let ids: Vec<_> = themes.as_array().unwrap().iter().map(|theme| theme["colorId"].as_i64().unwrap()).collect();
    assert_eq!(ids, (1..=11).collect::<Vec<_>>());
    let own = PORTAL.get("sample", "/static/mobile/theme.css?1732200000000");
    assert_eq!((own.status, own.header("content-type")), (200, "text/css; charset=utf-8"));
    assert!(own.text().contains(themes[2]["light"]["themeColorPrimary"].as_str().unwrap()));
    assert_eq!(own.text(), PORTAL.with("127.0.0.1", "/static/mobile/theme3.css?t=1", &[]).text());
    assert_eq!(own.text(), PORTAL.with("127.0.0.1", "/sample/static/mobile/theme.css", &[]).text());
    for (host, path) in [
        ("sample.localhost", "theme12.css"),
        ("127.0.0.1", "theme.css"),
        ("sample.localhost", "theme-1.css"),
        ("sample.localhost", "..%2ftheme.css"),
    ] {
        assert_eq!(PORTAL.with(host, &format!("/static/mobile/{path}"), &[]).status, 404, "{path}");
    }
}

#[test]
fn a_sites_own_style_sheet_is_served_as_a_file_of_that_site_only() {
    let page = PORTAL.page("sample", "/en/home");
    let sheets = masthead_test_support::named(&page, "link");
    let own =
        sheets.iter().map(|tag| tag.get("href")).find(|href| href.starts_with("/static/mobile/site.css?v=")).unwrap();
    assert!(!page.contains("border: 1px solid red"), "the style sheet is not inlined");
    let css = PORTAL.get("sample", &own);
    assert_eq!(
        (css.status, css.header("content-type"), css.header("x-content-type-options")),
        (200, "text/css; charset=utf-8", "nosniff")
    );
    assert_eq!(
        css.text(),
        ".frame-footer:where(#app, #app *){border: 1px solid red ;}\n",
        "limited to the site's root"
    );
    assert!(page.contains("<div id=\"app\">"), "which every page has");
    let header = data("sample", "/rc-pub/front/site/getHeaderConfig", "en");
    assert_eq!(header["configData"]["cssHref"], json!(own));
    assert!(!PORTAL.page("oceanledger", "/en/home").contains("site.css"), "a site without a style sheet links none");
    assert_eq!(PORTAL.get("oceanledger", "/static/mobile/site.css").text(), "");
    let problems = PORTAL.ready().to_string();
    assert!(problems.contains("badsheet") && problems.contains("cssContent"), "{problems}");
    assert!(problems.contains("typo") && problems.contains("ceilling"), "an unknown key is rejected: {problems}");
    assert_eq!(PORTAL.get("badsheet", "/static/mobile/site.css").status, 404);
}

#[test]
fn states_have_their_names_in_the_readers_language() {
    let path = "/rc-pub/front/commonResource/getStatusLabels";
    let (chinese, english) = (data("sample", path, "zh"), data("sample", path, "en"));
    let label = |labels: &Value, value: i64| {
        let all = labels.as_array().unwrap().clone();
        all.iter().find(|one| one["value"] == value).unwrap()["label"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (label(&english["firstStatus"], -1), label(&chinese["firstStatus"], -1)),
        ("Accept".into(), "最新录用".into())
    );
    assert_eq!(label(&english["firstStatus"], 5), "Corrected Proof");
    assert_eq!(label(&chinese["firstStatus"], 10), "第十校对优先级");
    assert_eq!(label(&english["firstStatus"], 0), "");
    assert_eq!(english["correctedProof"], "Corrected Proof");
    assert_eq!(
        (label(&chinese["publishType"], 1), label(&chinese["accessType"], 0)),
        ("网络首发".into(), "开放获取".into())
    );
    assert_eq!((label(&english["matchType"], 1), label(&english["matchType"], 0)), ("Precise".into(), "Fuzzy".into()));
}
