//! Section 8: texts in Chinese and English. Texts that are in use are checked over HTTP.

use crate::{
    call::{check_languages, failure},
    context::{Context, OCEAN},
    failures::messages,
    row::{CheckResult, Row, here, later},
};

/// A row for the message of an API call.
fn answered(line: &'static str, site: &'static str, path: &'static str, english: &'static str) -> Row {
    here(8, "Texts", line, move |context| {
        let (status, code, said) = failure(context, site, path)?;
        let fits = said[1].to_lowercase().contains(&english.to_lowercase());
        if fits { Ok(format!("{status}, status {code}, {said:?}")) } else { Err(format!("{said:?}")) }
    })
}

/// A row for a text on a page.
fn shown(line: &'static str, path: &'static str, key: &'static str, english: &'static str) -> Row {
    here(8, "Texts", line, move |context| {
        let (zh, en) = messages(context, key);
        if !en.contains(english) {
            return Err(format!("{key} is {en:?}"));
        }
        for (lang, text) in [("zh", &zh), ("en", &en)] {
            let answer = context.portal.get(OCEAN, &path.replace("{lang}", lang));
            let page = html_escape::decode_html_entities(&answer.text()).into_owned();
            if !page.contains(text.as_str()) {
                return Err(format!("{path} in {lang} ({}) does not contain {text:?}", answer.status));
            }
        }
        check_languages(&[zh.clone(), en.clone()]).map(|()| format!("{en}, {zh}"))
    })
}

/// A row for a message of the host that is not used by a page or a call yet.
fn kept(group: &'static str, line: &'static str, key: &'static str, english: &'static str) -> Row {
    here(8, group, line, move |context| kept_says(context, key, english))
}

fn kept_says(context: &Context, key: &str, english: &str) -> CheckResult {
    let (zh, en) = messages(context, key);
    check_languages(&[zh.clone(), en.clone()])?;
    if en.to_lowercase().contains(&english.to_lowercase()) {
        Ok(format!("{en}, {zh} (message {key})"))
    } else {
        Err(format!("{key} is {en:?}"))
    }
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = texts();
    rows.extend(successes());
    rows
}

fn texts() -> Vec<Row> {
    let group = "Texts";
    let waiting = |line, what| Row { group, ..later(8, line, what) };
    vec![
        kept(group, "Data acquisition failed", "request_failed", "Data acquisition failed"),
        shown(
            "Your search found no records",
            "/{lang}/search/?q=zqxjvwk",
            "no_records",
            "Your search found no records",
        ),
        answered("No data", OCEAN, "/rc-pub/front/front-news/1000000000", "No data"),
        answered("Article id is not exist", OCEAN, "/rc-pub/front/front-article/1000000000", "Article id is not exist"),
        kept(
            group,
            "User not found, please register first",
            "user_unknown_register",
            "User not found, please register first",
        ),
        kept(group, "User not found, please bind first", "user_unknown_bind", "User not found, please bind first"),
        here(8, group, "The paper (or journal) no longer exists, delete the record?", |context| {
            let paper = kept_says(context, "record_gone_article", "The paper no longer exists, delete the record?")?;
            let journal =
                kept_says(context, "record_gone_journal", "The journal no longer exists, delete the record?")?;
            Ok(format!("{paper}; {journal}"))
        }),
        kept(group, "Information copy failed", "copy_failed", "Information copy failed"),
        kept(group, "Link copy failed", "copy_link_failed", "Link copy failed"),
        kept(group, "No citation information available", "no_citation", "No citation information available"),
        kept(group, "No data selected", "no_data_selected", "No data selected"),
        waiting(
            "batch copy, empty and delete success and failure messages",
            "come with the lists of the personal centre",
        ),
        shown(
            "We're sorry, the page you requested cannot be found",
            "/{lang}/there/is/no/such/page/",
            "page_not_found_long",
            "We're sorry, the page you requested cannot be found",
        ),
        answered("system maintenance notice", "closed", "/rc-pub/front/site/getHeaderConfig", "maintenance"),
        answered(
            "Website expired, contact the enterprise administrator",
            "lapsed",
            "/rc-pub/front/site/getHeaderConfig",
            "contact the enterprise administrator",
        ),
        answered(
            "This page could not be found (404)",
            OCEAN,
            "/rc-pub/there/is/no/such/call",
            "This page could not be found",
        ),
        waiting("Unknown middleware (500)", "the pages have no middleware that could be unknown: nothing says it"),
    ]
}

fn successes() -> Vec<Row> {
    let texts = [
        ("Login successful", "login_success", "Login successful"),
        ("registered", "register_success", "registered"),
        ("Password Reset Successfully", "password_reset_success", "Password Reset Successfully"),
        ("Deleted successfully!", "delete_success", "Deleted successfully!"),
        ("collection successful", "collect_success", "collection successful"),
        ("cancellation successful", "cancel_success", "cancellation successful"),
        ("Subscription successfully", "subscribe_success", "Subscription successfully"),
        ("Unsubscription successfully", "unsubscribe_success", "Unsubscription successfully"),
        ("Submitted successfully", "submit_success", "Submitted successfully"),
    ];
    texts.into_iter().map(|(line, key, english)| kept("Success texts", line, key, english)).collect()
}
