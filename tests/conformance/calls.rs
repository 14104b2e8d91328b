//! Section 7: common properties of all calls, and the calls that the specification describes individually.

use serde_json::Value;

use crate::{
    call::{enveloped, failure, get, post, unimplemented},
    configuration::conditions,
    context::{Context, OCEAN, host},
    row::{CheckResult, Row, elsewhere, here, later},
};

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
        Ok("siteId names the site; language is the header, else the cookie, else zh; token is read".to_owned())
    } else {
        Err(format!("{names:?}"))
    }
}

/// Checks a header or parameter that has no effect.
fn ignored(context: &Context, path: &str, headers: &[(&str, &str)]) -> CheckResult {
    let plain = context.portal.with(&host(OCEAN), BASIC, &[]);
    let with = context.portal.with(&host(OCEAN), path, headers);
    if with.status == 200 && plain.json() == with.json() {
        Ok("accepted; the response is the same".to_owned())
    } else {
        Err(with.text())
    }
}

fn base(context: &Context) -> CheckResult {
    let under = |site: &str, path: &str| context.portal.with(site, path, &[]).json()["data"]["site"]["sld"].clone();
    let names = [under(&host(OCEAN), BASIC), under("127.0.0.1", &format!("/{OCEAN}{BASIC}"))];
    if names.iter().all(|name| name == OCEAN) {
        Ok("the site's host, or a path below the platform's, as its file says; an answer takes 20 s at most".to_owned())
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

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = vec![
        here(7, "", "Every request carries headers token", headers),
        here(7, "", "a captcha header is copied", |context| ignored(context, BASIC, &[("captcha", "a1b2")])),
        here(7, "", "Every GET adds a timestamps query parameter", |context| {
            ignored(context, &format!("{BASIC}?timestamps=1790000000000"), &[])
        }),
        here(7, "", "Base URL from configuration", base),
        here(7, "", "Response envelope: status, data, message", envelope),
    ];
    rows.extend(sites());
    rows.extend(content());
    rows.extend(sent());
    rows
}

fn sites() -> Vec<Row> {
    let group = "GET";
    vec![
        get("/rc-pub/front/site/findBySld").query("sld=oceanledger").siteless().row(group, "findBySld"),
        get("/rc-pub/front/site/findBySiteId").query("siteId={siteId}").siteless().row(group, "findBySiteId"),
        here(7, group, "Status 10001 and other failures", |context| {
            let path = "/rc-pub/front/site/findBySld?sld=hidden";
            let (status, code, said) = failure(context, OCEAN, path)?;
            if code == 10001 { Ok(format!("{status}, status {code}, {said:?}")) } else { Err(format!("status {code}")) }
        }),
        get("/rc-pub/front/front-publication/findGroupBySiteId")
            .query("siteId={siteId}")
            .row(group, "findGroupBySiteId"),
        get("/rc-pub/front/site/getHeaderConfig").row(group, "Header configuration"),
        get("/rc-pub/front/site/getFooterConfig").row(group, "footer configuration (getFooterConfig)"),
        get("/rc-pub/front/site/getPublicationConfig").row(group, "publication configuration"),
        get("/rc-pub/front/site/getChannelList").query("filter=true").row(group, "channel list (siteId, filter=true)"),
        get(BASIC).row(group, "basic info"),
        get("/rc-pub/front/site/getAggregatedConfig").row(group, "/rc-pub/front/site/getAggregatedConfig"),
        get("/rc-pub/front/site/getMagazineFunctionalControl").row(group, "getMagazineFunctionalControl"),
        get("/rc-pub/front/site/checkPower").row(group, "checkPower"),
        get("/rc-pub/front/aiqa/getAiqaConfig").on("tidesdesk").row(group, "/rc-pub/front/aiqa/getAiqaConfig"),
        get("/rc-pub/front/aiqa/getAppInfo").on("tidesdesk").row(group, "getAppInfo"),
        get("/rc-pub/front/commonResource/getCommonCodes").row(group, "/rc-pub/front/commonResource/getCommonCodes"),
        get("/rc-pub/front/site/{siteId}/search-config")
            .of("siteId")
            .row(group, "/rc-pub/front/site/{siteId}/search-config"),
        here(7, group, "/rc-pub/front/site/{siteId}/search-conditions?type=", search_conditions),
        get("/rc-pub/front/site/getModuleList").query("channelId={channel}").row(group, "Module list with channelId"),
        here(7, group, "A CSS theme file from the static mobile path with a timestamp", theme),
    ]
}

fn content() -> Vec<Row> {
    let (group, periods) = ("GET", "/rc-pub/front/front-period/getPeriodTree");
    vec![
        get("/rc-pub/front/front-article/{id}").of("article").row(group, "Front-article with article id"),
        get(periods).query("isBack=false&groupByYear=true&periodAsc=true").row(group, "Period data (siteId, isBack"),
        get(periods).query("isBack=true").row(group, "/rc-pub/front/front-period/getPeriodTree (siteId, isBack)"),
        get("/rc-pub/front/front-period/getFirstTwoPeriods")
            .query("publicationIndexId={journal}")
            .own_list()
            .row(group, "first two periods (publicationIndexId)"),
        here(7, group, "Analyze endpoint with q and type", analyze),
        later(7, "Status 0 stores data as the analysis array", "comes with the screens of the search"),
        get("/rc-pub/front/hisSearch/hotWords").query("page=0&size=10").row(group, "/rc-pub/front/hisSearch/hotWords"),
        here(7, group, "/rc-pub/front/resource-statistics/getResourceCountsStatistic", counts),
        here(7, group, "Expert list: topicId, page=0, size=10, sort", experts),
        get("/rc-pub/front/front-article/getJumpUrl")
            .query("id={article}")
            .own()
            .row(group, "/rc-pub/front/front-article/getJumpUrl"),
        get("/rc-pub/front/front-news/getJumpUrl")
            .query("id={news}&language=en")
            .own()
            .row(group, "/rc-pub/front/front-news/getJumpUrl"),
        here(7, group, "Answer is an address or an object with status and message", addresses),
        get("/rc-pub/front/front-article/downloadTable")
            .query("tableId={table}&type=xls")
            .own()
            .file("application/vnd.ms-excel")
            .row(group, "Table export: downloadTable with tableId and type=xls"),
        get("/rc-pub/front/front-article/downloadImage")
            .query("pictureId={picture}&size=original")
            .own()
            .file("image/")
            .row(group, "Image download via canvas, falling back to .tif"),
    ]
}

fn sent() -> Vec<Row> {
    let asked = r#"{"code":"a","s":2,"host":"h","siteId":"1","lang":"en","query":"carbon","content":""}"#;
    let gateway = "host/web/tests/it/gateways/translation.rs";
    vec![
        post("/rc-pub/front/front-article/aiqa/verify/generateSecureParams", asked)
            .on("tidesdesk")
            .row("POST", "/rc-pub/front/front-article/aiqa/verify/generateSecureParams"),
        elsewhere(
            7,
            "/rc-pub/front/front-article/translate/getAiTranslateResult",
            gateway,
            "texts_are_translated_through_the_gateway",
        ),
        unimplemented("DELETE", "/rc-pub/api/logout").row("", "DELETE: logout (empty params)"),
    ]
}
