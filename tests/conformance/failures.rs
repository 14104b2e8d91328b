//! Section 8: responses to failures, and how they are handled.

use crate::{
    call::failure,
    context::{CLOSED, Context, OCEAN, host},
    row::{CheckResult, Row, elsewhere, here},
};

fn refused(context: &Context, path: &str, expected: (u16, i64)) -> CheckResult {
    let (status, code, said) = failure(context, OCEAN, path)?;
    if (status, code) == expected {
        Ok(format!("{status}, status {code}, {said:?}"))
    } else {
        Err(format!("{status}, status {code}"))
    }
}

/// A call on each closed site.
fn closed(context: &Context) -> CheckResult {
    let mut seen = Vec::new();
    for (sld, _, state) in CLOSED {
        let (status, code, said) = failure(context, sld, "/rc-pub/front/site/getHeaderConfig")?;
        seen.push(format!("{state}: {status}, status {code}, {said:?}"));
    }
    Ok(seen.join("; "))
}

/// The error pages for forbidden and closed sites.
fn lookup(context: &Context) -> CheckResult {
    let mut seen = Vec::new();
    for page in ["/forbiddenPage?lang=en", "/errorPage?lang=en", "/errorPage?lang=zh"] {
        let answer = context.portal.with("127.0.0.1", page, &[]);
        if !(400..600).contains(&answer.status) || !answer.header("content-type").starts_with("text/html") {
            return Err(format!("{page}: {} {}", answer.status, answer.header("content-type")));
        }
        seen.push(format!("{page} {}", answer.status));
    }
    for (sld, _, state) in CLOSED {
        let answer = context.portal.with(&host(sld), "/en/home/", &[]);
        if !(400..600).contains(&answer.status) {
            return Err(format!("{sld} responds with {}", answer.status));
        }
        seen.push(format!("{state} {}", answer.status));
    }
    let (_, code, _) = failure(context, OCEAN, "/rc-pub/front/site/findBySld?sld=hidden")?;
    if code == 10001 { Ok(format!("10001; {}", seen.join(", "))) } else { Err(format!("status {code}")) }
}

fn jump(context: &Context) -> CheckResult {
    let article = refused(context, "/rc-pub/front/front-article/getJumpUrl?id=1000000000", (404, 404))?;
    let news = refused(context, "/rc-pub/front/front-news/getJumpUrl?id=1000000000", (404, 404))?;
    Ok(format!("{article}; {news}"))
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let guards = "ui-shell/test/guards.test.tsx";
    vec![
        elsewhere(
            8,
            "401 in response: clear user and token",
            guards,
            "an answer 401 is told, and leads to the sign-in after 1.1 s",
        ),
        elsewhere(8, "Other failures default to status 500", guards, "an answer that is no envelope is a failure 500"),
        elsewhere(
            8,
            "error toast with the get-data-error text, then stop",
            "ui-shell/test/shell.test.tsx",
            "says why a page could not be had, and tries again",
        ),
        here(8, "", "Any config call with non-zero status", closed),
        here(8, "", "Group lookup failure: toast with the server message", |context| {
            let path = "/rc-pub/front/front-publication/findGroupBySiteId?siteId=1000000000";
            let answer = |lang| context.portal.with("127.0.0.1", path, &[("language", lang)]);
            let said = [answer("zh"), answer("en")]
                .map(|answer| answer.json()["message"].as_str().unwrap_or_default().to_owned());
            crate::call::check_languages(&said).map(|()| format!("{said:?}"))
        }),
        here(8, "", "Logout non-zero status: server message toast; success shows '退出成功'", |context| {
            let said = messages(context, "logout_success");
            if said.0 == "退出成功" {
                Ok(format!("{said:?}; the call answers 501 until there are accounts"))
            } else {
                Err(format!("{said:?}"))
            }
        }),
        here(8, "", "Site lookup status 10001: /forbiddenPage?lang; other non-zero: /errorPage?lang", lookup),
        here(8, "", "Failed analyze call: silent, no search", |context| {
            refused(context, "/rc-pub/front/analyze?q=%20&type=article", (400, 400))
        }),
        here(8, "", "Jump address failures show the server message", jump),
        elsewhere(
            8,
            "Translation: error code 52003",
            "host/web/tests/it/gateways/translation.rs",
            "texts_are_translated_through_the_gateway",
        ),
        elsewhere(
            8,
            "other errors or HTTP failure give a request-timed-out message",
            "ui-shell/test/translate.test.tsx",
            "tells %s",
        ),
        elsewhere(
            8,
            "Image download failure falls back to the original as .tif",
            "host/web/tests/it/article_calls.rs",
            "figures_and_tables_are_browsed_and_downloaded",
        ),
    ]
}

/// A message of the host in Chinese and English.
pub fn messages(context: &Context, key: &str) -> (String, String) {
    let of = |lang| context.portal.app.messages.get(lang, key).to_owned();
    (of(masthead_domain::Lang::Zh), of(masthead_domain::Lang::En))
}
