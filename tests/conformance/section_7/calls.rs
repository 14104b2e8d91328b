//! Lines 1 to 21 of section 7: common properties of all calls, and the calls that the specification describes individually.

use serde_json::Value;

use crate::{
    call::{enveloped, failure, get, post},
    context::{Context, OCEAN, host},
    fields::find,
    row::{CheckResult, Part, Row, browser, here, later, line, rust, script},
    section_3::configuration::{conditions, hot_words},
};

/// The tests of the client that the shell and its modules share.
const CLIENT: &str = "plugin-sdk/ui/test/client.test.ts";
const BASIC: &str = "/rc-pub/front/site/getBasicInfo";

fn headers(context: &Context) -> CheckResult {
    let ask = |headers: &[(&str, &str)]| {
        let answer = context.portal.with("127.0.0.1", BASIC, headers);
        answer.json()["data"]["site"]["name"].as_str().unwrap_or_default().to_owned()
    };
    let number = context.filled(OCEAN, "{siteId}")?;
    let names = [
        ask(&[("siteId", &number), ("language", "en"), ("token", "")]),
        ask(&[("siteId", &number), ("language", "zh"), ("token", "")]),
        ask(&[("siteId", &number), ("cookie", "language=en")]),
        ask(&[("siteId", &number)]),
    ];
    if names == ["Ocean Ledger", "海洋账簿", "Ocean Ledger", "海洋账簿"] {
        Ok("siteId names the site; the language is that of the header, else of the cookie, else zh".to_owned())
    } else {
        Err(format!("{names:?}"))
    }
}

fn base(context: &Context) -> CheckResult {
    let under = |site: &str, path: &str| context.portal.with(site, path, &[]).json()["data"]["site"]["sld"].clone();
    let names = [under(&host(OCEAN), BASIC), under("127.0.0.1", &format!("/{OCEAN}{BASIC}"))];
    if names.iter().all(|name| name == OCEAN) {
        Ok("the host of the site, or a path on the host of the platform".to_owned())
    } else {
        Err(format!("{names:?}"))
    }
}

fn envelope(context: &Context) -> CheckResult {
    let success = enveloped(&context.portal.with(&host(OCEAN), BASIC, &[]))?;
    let (status, code, _) = failure(context, OCEAN, "/rc-pub/front/front-article/1000000000")?;
    if success["status"] == 0 && code != 0 {
        Ok(format!("status, data, message; 0, and {code} with {status}"))
    } else {
        Err(success.to_string())
    }
}

fn theme(context: &Context) -> CheckResult {
    for file in ["theme.css", "theme1.css", "theme11.css"] {
        let answer = context.portal.get(OCEAN, &format!("/static/mobile/{file}?timestamps=1790000000000"));
        if answer.status != 200 || !answer.header("content-type").starts_with("text/css") || answer.bytes.is_empty() {
            return Err(format!("{file}: {} {}", answer.status, answer.header("content-type")));
        }
    }
    Ok("/static/mobile/theme.css, theme1.css, theme11.css".to_owned())
}

fn search_conditions(context: &Context) -> CheckResult {
    let types = "article publication onlineVideo standard patent picture table video audio book";
    for kind in types.split(' ') {
        if conditions(context, kind)?.as_array().is_none_or(Vec::is_empty) {
            return Err(format!("none for {kind}"));
        }
    }
    let path = "/rc-pub/front/site/{siteId}/search-conditions";
    get(path).query("type=article").of("siteId").verify(context).map(|said| format!("{said}; for {types}"))
}

fn analyze(context: &Context) -> CheckResult {
    for kind in "article thesis picture table video audio publication periodical book".split(' ') {
        let parts = context.data(OCEAN, &format!("/rc-pub/front/analyze?q=carbon&type={kind}"), "en")?;
        if parts.as_array().is_none_or(Vec::is_empty) {
            return Err(format!("{kind}: {parts}"));
        }
    }
    get("/rc-pub/front/analyze").query("q=carbon&type=article").verify(context)
}

fn counts(context: &Context) -> CheckResult {
    let path = "/rc-pub/front/resource-statistics/getResourceCountsStatistic";
    let mut with = Vec::new();
    for site in context.sites() {
        let data = context.data(&site, &format!("{path}?siteId=1"), "zh")?;
        if data["parameters"].to_string().contains("fromAdcs") {
            with.push(site);
        }
    }
    with.sort();
    let said = get(path).verify(context)?;
    if with == ["hsspress", "hssxiv"] {
        Ok(format!("{said}; fromAdcs=true on {with:?}"))
    } else {
        Err(format!("{with:?}"))
    }
}

fn experts(context: &Context) -> CheckResult {
    let topic = context.filled(OCEAN, "{topicKey}")?;
    let path = format!("/rc-pub/front/front-expert/list?topicId={topic}&page=0&size=10&sort=asc");
    let data = context.data(OCEAN, &path, "zh")?;
    let id = data.pointer("/0/content/0/id").and_then(Value::as_i64).ok_or_else(|| data.to_string())?;
    get("/rc-pub/front/front-expert/list")
        .query("page=0&size=10&sort=asc")
        .verify(context)
        .map(|said| format!("{said}; data[0].content[0].id is {id}"))
}

fn addresses(context: &Context) -> CheckResult {
    let article = context.filled(OCEAN, "/rc-pub/front/front-article/getJumpUrl?id={article}")?;
    let news = context.filled(OCEAN, "/rc-pub/front/front-news/getJumpUrl?id={news}&language=en")?;
    let found = [context.data(OCEAN, &article, "en")?, context.data(OCEAN, &news, "zh")?];
    if !found.iter().all(|address| address.as_str().is_some_and(|address| address.contains("/en/"))) {
        return Err(format!("{found:?}"));
    }
    for address in found.iter().filter_map(|address| address.as_str()).filter(|address| address.starts_with('/')) {
        let status = context.ask("GET", OCEAN, address, "en", "").status;
        if status != 200 {
            return Err(format!("{address} leads to status {status}"));
        }
    }
    let (status, code, said) = failure(context, OCEAN, "/rc-pub/front/front-article/getJumpUrl?id=1000000000")?;
    Ok(format!("{} and {}; else {status}, status {code}, {said:?}", found[0], found[1]))
}

/// The page has what the shell would have to ask for: permissions, languages of the functional control, and the display of the site.
pub fn in_the_page(context: &Context) -> CheckResult {
    let mut seen = Vec::new();
    for site in [OCEAN, "scriptstone"] {
        let page = context.payload(site, "/rc-pub/front/page?path=/zh/home/")?;
        let page = &page["bootstrap"];
        let power = context.payload(site, "/rc-pub/front/site/checkPower")?;
        let config = context.payload(site, "/rc-pub/front/site/getAggregatedConfig")?;
        for key in ["visitPower", "downloadPower"] {
            if !power[key].is_boolean() || page["permissions"][key] != power[key] {
                return Err(format!("{site}: {key} is {} in the page, and {power}", page["permissions"][key]));
            }
        }
        if page["site"]["grayType"] != config["grayType"] {
            return Err(format!("{site}: {config}"));
        }
        let known: Vec<_> = find(page, "/languages/*/code");
        let control = context.payload(site, "/rc-pub/front/site/getMagazineFunctionalControl")?;
        let mut added = find(&control, "/*/languages").into_iter().filter_map(Value::as_array).flatten();
        if let Some(missing) = added.find(|code| !known.contains(code)) {
            return Err(format!("{site}: the page lacks the language {missing}"));
        }
        seen.push(format!("{site}: permissions, {} languages", known.len()));
    }
    Ok(seen.join("; "))
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = rows_1_to_5();
    rows.extend(rows_6_to_11());
    rows.extend(rows_12_to_17());
    rows.extend(rows_18_to_21());
    rows
}

fn every_request() -> Vec<Part> {
    vec![
        here("headers language and siteId", headers),
        here("header token", crate::section_4::stale_token),
        here("base address from the configuration", base),
        here("envelope", envelope),
        script(
            "the shell sends language, site and token",
            CLIENT,
            "every call names language and site, and the token where one can be read",
        ),
        script("time stamps of GET", CLIENT, "every GET has a time stamp, and no browser keeps its answer"),
        script("the captcha", CLIENT, "the captcha is copied from identifyHeader, for GET and DELETE"),
        rust(
            "the host keeps nothing under a time stamp",
            "host/web/tests/it/page_cache.rs",
            "time_stamps_make_no_entries",
        ),
        script("time limit of 600 s", CLIENT, "a call ends after 600 s, or when it is given up"),
    ]
}

fn rows_1_to_5() -> Vec<Row> {
    vec![
        line(7, 1, 0x3b52_a935, "every request and its answer", every_request()),
        line(
            7,
            2,
            0x2681_c25e,
            "article by id",
            vec![
                get("/rc-pub/front/front-article/{id}").of("article").part("the call"),
                rust(
                    "the view is counted",
                    "host/web/tests/it/usage_statistics.rs",
                    "pages_and_calls_count_the_same_reader_once",
                ),
                rust(
                    "a page that was fetched ahead counts by the call",
                    "host/web/tests/it/usage_statistics.rs",
                    "a_page_that_is_fetched_ahead_counts_when_it_is_shown",
                ),
                browser(
                    "the shell makes it",
                    "later",
                    "a few pages in view are fetched ahead as data, and the article that is shown then is told to the host",
                ),
            ],
        ),
        line(
            7,
            3,
            0xc4f2_b3bc,
            "site by sld or siteId",
            vec![
                get("/rc-pub/front/site/findBySld").query("sld=oceanledger").siteless().part("findBySld"),
                get("/rc-pub/front/site/findBySiteId").query("siteId={siteId}").siteless().part("findBySiteId"),
                here("status 10001", |context| {
                    let (status, code, said) = failure(context, OCEAN, "/rc-pub/front/site/findBySld?sld=hidden")?;
                    if code == 10001 {
                        Ok(format!("{status}, status {code}, {said:?}"))
                    } else {
                        Err(format!("status {code}"))
                    }
                }),
            ],
        ),
        line(
            7,
            4,
            0xf31c_afe4,
            "group of a site",
            vec![
                get("/rc-pub/front/front-publication/findGroupBySiteId")
                    .query("siteId={siteId}")
                    .part("findGroupBySiteId"),
            ],
        ),
        line(
            7,
            5,
            0x44c2_eb7f,
            "configuration of a site",
            vec![
                get("/rc-pub/front/site/getHeaderConfig").part("header configuration"),
                get("/rc-pub/front/site/getFooterConfig").part("footer configuration"),
                get("/rc-pub/front/site/getPublicationConfig").part("publication configuration"),
                get("/rc-pub/front/site/getChannelList").query("filter=true").part("channel list"),
                get(BASIC).part("basic info"),
            ],
        ),
    ]
}

fn rows_6_to_11() -> Vec<Row> {
    let periods = "/rc-pub/front/front-period/getPeriodTree";
    vec![
        line(
            7,
            6,
            0xf62d_933a,
            "aggregated configuration, functions, permissions",
            vec![
                get("/rc-pub/front/site/getAggregatedConfig").part("getAggregatedConfig"),
                get("/rc-pub/front/site/getMagazineFunctionalControl").part("getMagazineFunctionalControl"),
                get("/rc-pub/front/site/checkPower").part("checkPower"),
                here("the shell asks for none of them: the page has the data", in_the_page),
            ],
        ),
        line(
            7,
            7,
            0x3a6c_8ad2,
            "assistant",
            vec![
                get("/rc-pub/front/aiqa/getAiqaConfig").on("tidesdesk").part("getAiqaConfig"),
                get("/rc-pub/front/aiqa/getAppInfo").on("tidesdesk").part("getAppInfo"),
                script(
                    "the panel asks for the configuration",
                    "ui-modules/assistant-panel/test/view.test.tsx",
                    "opens with the focus in it, asks for the parameters, shows the frame, and axe finds nothing",
                ),
            ],
        ),
        line(
            7,
            8,
            0x69e5_4c14,
            "common codes",
            vec![get("/rc-pub/front/commonResource/getCommonCodes").part("getCommonCodes")],
        ),
        line(
            7,
            9,
            0x041f_67d8,
            "search configuration and conditions",
            vec![
                get("/rc-pub/front/site/{siteId}/search-config").of("siteId").part("search-config"),
                here("search-conditions of ten types", search_conditions),
                browser(
                    "a search widget asks for the conditions of its type",
                    "searching",
                    "a reader with a keyboard chooses type and condition, types, and takes a suggestion",
                ),
            ],
        ),
        line(
            7,
            10,
            0xa3ad_5d1e,
            "periods",
            vec![
                get(periods).query("isBack=false&groupByYear=true&periodAsc=true").part("period data"),
                get(periods).query("isBack=true").part("getPeriodTree"),
                get("/rc-pub/front/front-period/getFirstTwoPeriods")
                    .query("publicationIndexId={journal}")
                    .own_list()
                    .part("first two periods"),
            ],
        ),
        line(
            7,
            11,
            0x53ab_f491,
            "module list",
            vec![get("/rc-pub/front/site/getModuleList").query("channelId={channel}").part("getModuleList")],
        ),
    ]
}

fn rows_12_to_17() -> Vec<Row> {
    vec![
        line(
            7,
            12,
            0x960e_b1f3,
            "analysis of a search",
            vec![
                here("the call, with each type", analyze),
                browser(
                    "every search asks for it before the results",
                    "searching",
                    "a reader with a keyboard chooses type and condition, types, and takes a suggestion",
                ),
                later("the parts are stored", "not built: the address of the results has all that they need"),
            ],
        ),
        line(
            7,
            13,
            0x4948_bab6,
            "hot words",
            vec![get("/rc-pub/front/hisSearch/hotWords").query("page=0&size=10").part("the call"), hot_words()],
        ),
        line(7, 14, 0xbcf4_fafc, "resource counts", vec![here("the call; fromAdcs on two sites", counts)]),
        line(7, 15, 0x096e_77e2, "expert list", vec![here("the call, and data[0].content[0].id", experts)]),
        line(
            7,
            16,
            0xe2fa_e8d9,
            "jump addresses",
            vec![
                get("/rc-pub/front/front-article/getJumpUrl").query("id={article}").own().part("of an article"),
                get("/rc-pub/front/front-news/getJumpUrl").query("id={news}&language=en").own().part("of news"),
                here("an address that leads to a page, or status and message", addresses),
                script(
                    "the shell asks when such a link is followed",
                    "ui-shell/test/later.test.tsx",
                    "lead where the host says, in place or away",
                ),
            ],
        ),
        line(
            7,
            17,
            0xf216_aa13,
            "download of tables and images",
            vec![
                get("/rc-pub/front/front-article/downloadTable")
                    .query("tableId={table}&type=xls")
                    .own()
                    .file("application/vnd.ms-excel")
                    .part("a table as xls"),
                later("./table/{title}.xls offline", "not built: there is no offline edition"),
                rust(
                    "images in the form that browsers show, falling back to .tif",
                    "host/web/tests/it/article_calls.rs",
                    "a_figure_whose_renditions_are_missing_is_downloaded_as_it_came",
                ),
            ],
        ),
    ]
}

fn rows_18_to_21() -> Vec<Row> {
    let asked = r#"{"code":"a","s":2,"host":"h","siteId":"1","lang":"en","query":"carbon","content":""}"#;
    vec![
        line(7, 18, 0x9d0f_1bb6, "theme files", vec![here("the files, with a timestamp", theme)]),
        line(
            7,
            19,
            0x24fb_dc61,
            "secure parameters",
            vec![
                post("/rc-pub/front/front-article/aiqa/verify/generateSecureParams", asked)
                    .on("tidesdesk")
                    .part("the call"),
                rust(
                    "data is a token",
                    "host/web/tests/it/gateways/assistant.rs",
                    "the_token_of_an_external_assistant_is_verifiable",
                ),
                browser(
                    "the panel opens the frame with it",
                    "shell",
                    "the assistant opens above its button, moves nothing, closes by Escape, and leaves with its page",
                ),
            ],
        ),
        line(
            7,
            20,
            0xe45f_2624,
            "translation",
            vec![
                rust(
                    "from, to, salt and q are translated",
                    "host/web/tests/it/gateways/translation.rs",
                    "texts_are_translated_through_the_gateway",
                ),
                later("an encrypted text as body", "not built: the body is JSON"),
                rust(
                    "trans_result and error_code",
                    "host/web/tests/it/gateways/translation.rs",
                    "texts_are_translated_through_the_gateway",
                ),
            ],
        ),
        line(
            7,
            21,
            0xd8a3_065f,
            "logout",
            vec![rust(
                "status and message",
                "host/web/tests/it/sign_in/sessions.rs",
                "signing_out_ends_the_session_in_every_tab",
            )],
        ),
    ]
}
