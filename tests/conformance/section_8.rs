//! Section 8: error catalogue.

use crate::{
    call::{check_languages, failure},
    context::{CLOSED, Context, OCEAN, host},
    row::{CheckResult, Part, Row, browser, here, later, line, rust, script},
};

const PERSONAL: &str = "ui-shell/test/personal.test.tsx";
const GUARDS: &str = "ui-shell/test/guards.test.tsx";
const TRANSLATION: &str = "host/web/tests/it/gateways/translation.rs";

fn refused(context: &Context, path: &str, expected: (u16, i64)) -> CheckResult {
    let (status, code, said) = failure(context, OCEAN, path)?;
    if (status, code) == expected {
        Ok(format!("{status}, status {code}, {said:?}"))
    } else {
        Err(format!("{status}, status {code}"))
    }
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

/// A text that a call answers with.
fn answered(english: &'static str, site: &'static str, path: &'static str) -> Part {
    here(english, move |context| {
        let (status, code, said) = failure(context, site, path)?;
        let fits = said[1].to_lowercase().contains(&english.to_lowercase());
        if fits { Ok(format!("{status}, status {code}, {said:?}")) } else { Err(format!("{said:?}")) }
    })
}

/// A text of a page.
fn shown(english: &'static str, path: &'static str, key: &'static str) -> Part {
    here(english, move |context| {
        let of = |lang| context.portal.app.messages.get(lang, key).to_owned();
        let (zh, en) = (of(masthead_domain::Lang::Zh), of(masthead_domain::Lang::En));
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

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = rows_1_to_5();
    rows.push(line(8, 6, 0xfae1_a09d, "texts", texts()));
    rows.push(line(8, 7, 0xf406_9382, "texts of success", successes()));
    rows.push(line(
        8,
        8,
        0x6219_f929,
        "image download",
        vec![
            rust(
                "falls back to the original as .tif",
                "host/web/tests/it/article_calls.rs",
                "a_figure_whose_renditions_are_missing_is_downloaded_as_it_came",
            ),
            browser(
                "the viewer downloads the .tif where there is one",
                "tools",
                "the viewer shows a picture that browsers can show, and downloads the TIFF that it came as",
            ),
        ],
    ));
    rows
}

fn rows_1_to_5() -> Vec<Row> {
    vec![
        line(
            8,
            1,
            0x6043_5e59,
            "401, other failures",
            vec![
                script(
                    "the message, and login after 1.1 s",
                    GUARDS,
                    "an answer 401 is told, and leads to the sign-in after 1.1 s, once",
                ),
                script("other failures are 500", GUARDS, "an answer that is no envelope is a failure 500"),
                browser(
                    "user and token are cleared",
                    "later",
                    "an answer 401 is told once, forgets the names, and leads to the sign-in with the return address",
                ),
            ],
        ),
        line(
            8,
            2,
            0x3804_54fb,
            "configuration, group lookup, logout",
            vec![
                script(
                    "a page that cannot be had says why",
                    "ui-shell/test/shell.test.tsx",
                    "keeps page and address when nobody answers, says so, and tries again",
                ),
                here("group lookup fails with a message", |context| {
                    let path = "/rc-pub/front/front-publication/findGroupBySiteId?siteId=1000000000";
                    let answer = |lang| context.portal.with("127.0.0.1", path, &[("language", lang)]);
                    let said = [answer("zh"), answer("en")]
                        .map(|answer| answer.json()["message"].as_str().unwrap_or_default().to_owned());
                    check_languages(&said).map(|()| format!("{said:?}"))
                }),
                later("toasts", "not built: the shell gets configuration with the page, and looks up no group"),
                rust("logout", "host/web/tests/it/sign_in/sessions.rs", "signing_out_ends_the_session_in_every_tab"),
            ],
        ),
        line(
            8,
            3,
            0xbf06_440f,
            "failed site lookup",
            vec![
                here("both pages, and status 10001", lookup),
                later(
                    "the way to these pages",
                    "not built: the host answers with the page at the address that was asked for",
                ),
            ],
        ),
        line(
            8,
            4,
            0xc12b_db63,
            "failed analysis, failed jump",
            vec![
                here("a failed jump has a message", jump),
                browser(
                    "after a failed analysis there is no search; a live region says so",
                    "searching",
                    "a search that is not analyzed leaves the reader where he is, and says so",
                ),
                browser(
                    "the message of a failed jump is shown",
                    "later",
                    "a message is readable in light and dark, and can be closed by key",
                ),
            ],
        ),
        line(
            8,
            5,
            0xaac6_46f8,
            "translation",
            vec![
                rust("52003, other errors, HTTP failures", TRANSLATION, "texts_are_translated_through_the_gateway"),
                browser("both messages", "plugins", "a section is translated, and a failure is reported, ${width} px"),
            ],
        ),
    ]
}

fn texts() -> Vec<Part> {
    vec![
        shown("Your search found no records", "/{lang}/search/?q=zqxjvwk", "no_records"),
        rust(
            "a search that fails says so in other words",
            "host/web/tests/it/failed_search.rs",
            "the_page_says_that_the_search_failed_and_offers_it_again",
        ),
        answered("No data", OCEAN, "/rc-pub/front/front-news/1000000000"),
        answered("Article id is not exist", OCEAN, "/rc-pub/front/front-article/1000000000"),
        shown(
            "We're sorry, the page you requested cannot be found",
            "/{lang}/there/is/no/such/page/",
            "page_not_found_long",
        ),
        answered("maintenance", "closed", "/rc-pub/front/site/getHeaderConfig"),
        answered("contact the enterprise administrator", "lapsed", "/rc-pub/front/site/getHeaderConfig"),
        answered("This page could not be found", OCEAN, "/rc-pub/there/is/no/such/call"),
        script(
            "Data acquisition failed",
            "ui-shell/test/account.test.tsx",
            "a captcha that cannot be loaded is told in the language of the reader, and so is a code that cannot be sent",
        ),
        rust(
            "User not found, please register first",
            "host/web/tests/it/sign_in/enumeration.rs",
            "somebody_without_an_account_is_told_so_after_the_right_code",
        ),
        rust(
            "User not found, please bind first",
            "host/web/tests/it/identities/mod.rs",
            "a_reader_binds_an_identity_to_an_account_and_signs_in_with_it",
        ),
        script(
            "The paper (or journal) no longer exists, delete the record?",
            PERSONAL,
            "that are gone offer to delete the record",
        ),
        script(
            "Information copy failed",
            "ui-shell/test/reader.test.tsx",
            "say in a message that what they hold could not be copied",
        ),
        script(
            "Link copy failed",
            "ui-shell/test/article.test.tsx",
            "come with the address of the article, which is copied, and a browser that refuses is reported",
        ),
        rust(
            "No citation information available",
            "host/web/tests/it/extremes.rs",
            "an_article_without_references_says_so",
        ),
        script(
            "No data selected",
            PERSONAL,
            "are selected at most five at a time, and an action without a selection says so",
        ),
        script("batch copy", PERSONAL, "are copied with their addresses, and a browser that refuses is reported"),
        script(
            "batch empty and delete",
            PERSONAL,
            "%s: an entry is deleted by its own number, and all at once after a confirmation",
        ),
        script("their failure", PERSONAL, "say when they could not be emptied"),
        later("Unknown middleware (500)", "not built: nothing says it"),
    ]
}

fn successes() -> Vec<Part> {
    vec![
        rust("Submitted successfully", "host/web/tests/it/article_calls.rs", "comments_are_visible_after_approval"),
        rust(
            "Login, registered",
            "host/web/tests/it/sign_in/mod.rs",
            "a_reader_registers_and_signs_in_by_password_and_by_code",
        ),
        rust("password reset", "host/web/tests/it/sign_in/mod.rs", "a_forgotten_password_is_reset_with_a_code"),
        script("deleted", PERSONAL, "%s: an entry is deleted by its own number, and all at once after a confirmation"),
        script(
            "collection, cancellation",
            "ui-shell/test/memberActions.test.tsx",
            "collecting is asked for, done, and taken back; the button says what is",
        ),
        rust(
            "Subscription, Unsubscription",
            "host/web/tests/it/alerts.rs",
            "a_reader_subscribes_is_told_once_and_unsubscribes_with_one_request",
        ),
    ]
}
