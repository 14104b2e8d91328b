//! Section 4: states and transitions.

use masthead_test_support::repository;
use serde_json::Value;

use crate::{
    call::{check_languages, enveloped},
    context::{Context, OCEAN, host},
    fields::find,
    row::{CheckResult, Row, browser, here, later, line, rust, script},
    section_3::configuration::permissions,
};

const SEARCH: &str = "host/web/tests/it/search.rs";
const RESULTS: &str = "host/web/tests/it/results.rs";
const SITES: &str = "host/web/tests/it/sites.rs";
const GUARDS: &str = "ui-shell/test/guards.test.tsx";
const LABELS: &str = "/rc-pub/front/commonResource/getStatusLabels";

/// The Chinese and English label of a state value.
fn label(context: &Context, state: &str, value: i64) -> Result<(String, String), String> {
    let one = |lang: &str| -> CheckResult {
        let labels = context.data(OCEAN, LABELS, lang)?;
        let found = find(&labels, &format!("/{state}/*")).into_iter().find(|label| label["value"] == value);
        found
            .and_then(|label| label["label"].as_str().map(str::to_owned))
            .ok_or_else(|| format!("{state} has no label for {value}"))
    };
    Ok((one("zh")?, one("en")?))
}

fn named(context: &Context, state: &str, wanted: &[(i64, &str)]) -> CheckResult {
    let mut seen = Vec::new();
    for (value, english) in wanted {
        let (zh, en) = label(context, state, *value)?;
        check_languages(&[zh.clone(), en.clone()])?;
        if !en.to_lowercase().contains(english) {
            return Err(format!("{value} is {en:?}, not {english:?}"));
        }
        seen.push(format!("{value} {en} {zh}"));
    }
    Ok(seen.join(", "))
}

fn first_status(context: &Context) -> CheckResult {
    let (accepted, accept) = label(context, "firstStatus", -1)?;
    let none = label(context, "firstStatus", 0)?;
    if (accept.as_str(), none) != ("Accept", (String::new(), String::new())) || accepted.is_empty() {
        return Err(format!("-1 is {accept:?} {accepted:?}"));
    }
    let mut chinese = Vec::new();
    for value in 1..=10 {
        let (zh, en) = label(context, "firstStatus", value)?;
        if en != "Corrected Proof" || zh.is_empty() || chinese.contains(&zh) {
            return Err(format!("{value} is {en:?} {zh:?}"));
        }
        chinese.push(zh);
    }
    let others = context.data(OCEAN, LABELS, "en")?["correctedProof"].clone();
    if others != "Corrected Proof" {
        return Err(format!("any other is {others}"));
    }
    Ok(format!("-1 Accept {accepted}, 0 none, 1 to 10 {} to {}, others Corrected Proof", chinese[0], chinese[9]))
}

fn language_of_the_route(context: &Context) -> CheckResult {
    let tag = |lang: &str| {
        let page = context.portal.page(OCEAN, &format!("/{lang}/home/"));
        page.split("<html lang=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
    };
    let (zh, en) = (tag("zh"), tag("en"));
    if zh.starts_with("zh") && en.starts_with("en") { Ok(format!("{zh}, {en}")) } else { Err(format!("{zh}, {en}")) }
}

/// An address without a language leads to that of the cookie, else to Chinese.
pub fn without_language(context: &Context) -> CheckResult {
    let ask = |cookie: &str| context.portal.with(&host(OCEAN), "/", &[("cookie", cookie)]);
    let answers = [ask("language=en"), ask("language=zh"), ask("")];
    let places: Vec<&str> = answers.iter().map(|answer| answer.header("location")).collect();
    if places == ["/en/home/", "/zh/home/", "/zh/home/"] { Ok(places.join(", ")) } else { Err(format!("{places:?}")) }
}

/// A token that is not valid is answered 401 with a message.
pub fn stale_token(context: &Context) -> CheckResult {
    let path = "/rc-pub/front/frontMembers/info";
    let mut said = Vec::new();
    for lang in ["zh", "en"] {
        let answer = context.portal.with(&host(OCEAN), path, &[("language", lang), ("token", "over")]);
        let envelope = enveloped(&answer)?;
        if (answer.status, &envelope["status"]) != (401, &Value::from(401)) {
            return Err(format!("{} {envelope}", answer.status));
        }
        said.push(envelope["message"].as_str().unwrap_or_default().to_owned());
    }
    check_languages(&said)?;
    Ok(format!("401 with {said:?}"))
}

/// Scripts load no list of periods: the page of all issues holds it.
fn period_lists(context: &Context) -> CheckResult {
    let tree = context.payload(OCEAN, "/rc-pub/front/front-period/getPeriodTree")?;
    let page = context.portal.page(OCEAN, "/zh/issues/");
    let years = find(&tree, "/*/year");
    let missing: Vec<_> = years.iter().filter(|year| !page.contains(&year.to_string())).collect();
    if !missing.is_empty() || years.is_empty() {
        return Err(format!("the page lacks {missing:?}"));
    }
    let mut files = 0;
    for folder in ["ui-shell/src", "ui-modules"] {
        let own = |entry: &walkdir::DirEntry| entry.file_name() != "node_modules" && entry.file_name() != "dist";
        let found = walkdir::WalkDir::new(repository(folder)).into_iter().filter_entry(own).flatten();
        for entry in found.filter(|entry| entry.path().extension().is_some_and(|end| end == "ts" || end == "tsx")) {
            files += 1;
            if std::fs::read_to_string(entry.path()).map_err(|error| error.to_string())?.contains("front-period") {
                return Err(format!("{} calls for periods", entry.path().display()));
            }
        }
    }
    if files > 20 {
        Ok(format!("none of {files} files of scripts asks for periods"))
    } else {
        Err(format!("{files} files"))
    }
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = rows_1_to_5();
    rows.extend(rows_6_to_10());
    rows.extend(rows_11_to_14());
    rows
}

fn rows_1_to_5() -> Vec<Row> {
    vec![
        line(
            4,
            1,
            0xd5cd_6839,
            "firstStatus",
            vec![
                here("labels by a call", first_status),
                rust(
                    "the label of an article",
                    "host/web/tests/it/extremes.rs",
                    "an_article_before_its_issue_has_the_label_of_its_proofing_state",
                ),
            ],
        ),
        line(
            4,
            2,
            0x2b68_8884,
            "publish type, access, match type",
            vec![
                here("names of the publish types", |context| {
                    named(context, "publishType", &[(0, "formal"), (1, "online first")])
                }),
                here("names of the access types", |context| {
                    named(context, "accessType", &[(0, "open access"), (1, "not open access")])
                }),
                here("names of the match types", |context| {
                    named(context, "matchType", &[(1, "precise"), (0, "fuzzy")])
                }),
                rust(
                    "publish type and access as filters of the results",
                    RESULTS,
                    "filters_narrow_the_hits_and_are_taken_back_by_links",
                ),
                rust("match types of the results", RESULTS, "the_matches_differ"),
                rust("precise and fuzzy conditions", SEARCH, "conditions_are_accepted_in_the_address_and_as_json"),
                rust("publish type and access of an article", SEARCH, "hits_are_sorted_filtered_and_counted"),
            ],
        ),
        line(
            4,
            3,
            0x708a_d214,
            "login modes, countdown",
            vec![
                rust(
                    "a code can be sent again after a minute",
                    "host/web/tests/it/sign_in/mod.rs",
                    "codes_need_a_captcha_and_wait_a_minute",
                ),
                browser("the two modes", "members", "signing in works by password, by code and by passkey"),
                script(
                    "the countdown on the screen",
                    "ui-shell/test/account.test.tsx",
                    "is sent to a number that can be one, by a browser that has worked for it, and again after a minute",
                ),
            ],
        ),
        line(
            4,
            4,
            0x241e_ced8,
            "favourites, albums, linked mobile, password, online",
            vec![
                script(
                    "collected or not, with a confirmation before each change",
                    "ui-shell/test/memberActions.test.tsx",
                    "collecting is asked for, done, and taken back; the button says what is",
                ),
                rust(
                    "added to an album or to the favourites, or not",
                    "host/web/tests/it/personal/albums.rs",
                    "a_member_makes_fills_changes_and_deletes_albums",
                ),
                script(
                    "mobile linked or unlinked",
                    "ui-shell/test/personalAccount.test.tsx",
                    "says whether a mobile number is linked, and leads to where that is changed",
                ),
                script(
                    "password set or unset",
                    "ui-shell/test/account.test.tsx",
                    "asks for no password where there is none, and sets the first one",
                ),
                script(
                    "offline",
                    "ui-shell/test/shell.test.tsx",
                    "keeps page and address when nobody answers, says so, and tries again",
                ),
            ],
        ),
        line(
            4,
            5,
            0xe5e2_c993,
            "language of the page, and its change",
            vec![
                here("from the route", language_of_the_route),
                here("an address without a language leads to /{lang}/home/", without_language),
                browser(
                    "a change sets the cookie and the address",
                    "reader",
                    "switching the language changes the page in place",
                ),
                rust(
                    "a menu entry toggles Chinese and English",
                    "host/web/tests/it/navigation.rs",
                    "a_style_channel_leads_to_the_same_page_in_the_other_language",
                ),
                script(
                    "the page changes in place, which takes less than a reload after 500 ms",
                    "ui-shell/test/shell.test.tsx",
                    "switches the language in place",
                ),
            ],
        ),
    ]
}

fn rows_6_to_10() -> Vec<Row> {
    vec![
        line(
            4,
            6,
            0xa4cf_9c59,
            "search type and conditions",
            vec![
                script(
                    "the type is publication, then the first one configured",
                    "plugin-sdk/ui/test/searching.test.tsx",
                    "is publication without a configuration, then the first one configured",
                ),
                script(
                    "the type follows the address",
                    "plugin-sdk/ui/test/searching.test.tsx",
                    "follows the type in the address of a list, and a navigation resets type, condition and words",
                ),
                script(
                    "another type resets the condition",
                    "plugin-sdk/ui/test/searching.test.tsx",
                    "begin with the first one when another type is selected",
                ),
                script(
                    "the option selector is shown for isOpenConfig = 1",
                    "plugin-sdk/ui/test/searching.test.tsx",
                    "are shown for types with isOpenConfig = 1 only",
                ),
                browser(
                    "another condition clears the words",
                    "searching",
                    "a reader with a keyboard chooses type and condition, types, and takes a suggestion",
                ),
            ],
        ),
        line(
            4,
            7,
            0x5740_541e,
            "mobile menu",
            vec![
                browser(
                    "opens, unfolds by a tap, navigates, closes, releases the scroll lock",
                    "navigation",
                    "${sld}: on a phone, entries unfold and fold, a leaf navigates, and the page does not scroll behind",
                ),
                browser(
                    "search popup",
                    "navigation",
                    "${sld}: on a phone, the menu and the search are never open together",
                ),
                script(
                    "video player",
                    "plugin-sdk/ui/test/popup.test.tsx",
                    "hides videos while it is open, and lets those go on that were playing",
                ),
            ],
        ),
        line(
            4,
            8,
            0x6257_d73d,
            "login state and logout",
            vec![
                rust(
                    "a session begins and ends",
                    "host/web/tests/it/gateways/identity.rs",
                    "a_reader_signs_in_and_out",
                ),
                rust(
                    "the cookies of a session and the name",
                    "host/web/tests/it/sign_in/sessions.rs",
                    "the_session_is_a_cookie_that_scripts_cannot_read_beside_a_name_that_they_can",
                ),
                rust(
                    "signing out ends both",
                    "host/web/tests/it/sign_in/sessions.rs",
                    "signing_out_ends_the_session_in_every_tab",
                ),
                later(
                    "the title navigation type decides about the name",
                    "not built: signing out always removes the cookie userName",
                ),
            ],
        ),
        line(
            4,
            9,
            0xcd21_3256,
            "status 401",
            vec![
                here("a call answers 401 with a message", stale_token),
                script(
                    "the message, and login after 1.1 s",
                    GUARDS,
                    "an answer 401 is told, and leads to the sign-in after 1.1 s, once",
                ),
                browser(
                    "the same in a browser; user name and token are cleared",
                    "later",
                    "an answer 401 is told once, forgets the names, and leads to the sign-in with the return address",
                ),
            ],
        ),
        line(
            4,
            10,
            0xcf5e_f090,
            "translation popover, assistant panel",
            vec![
                browser(
                    "result and error",
                    "plugins",
                    "a section is translated, and a failure is reported, ${width} px",
                ),
                browser(
                    "the panel opens and closes",
                    "shell",
                    "the assistant opens above its button, moves nothing, closes by Escape, and leaves with its page",
                ),
                script(
                    "opening asks for secure parameters",
                    "ui-modules/assistant-panel/test/view.test.tsx",
                    "opens with the focus in it, asks for the parameters, shows the frame, and axe finds nothing",
                ),
                script(
                    "the message while the translation is made",
                    "ui-shell/test/translate.test.tsx",
                    "opens under the heading, says that it works, shows a labelled result in its language",
                ),
            ],
        ),
    ]
}

fn rows_11_to_14() -> Vec<Row> {
    vec![
        line(
            4,
            11,
            0x7b75_38b1,
            "dialogs and popovers of the reader, languages by broadcast",
            vec![
                browser("the big picture", "reader", "a figure opens full screen and closes with Escape"),
                browser("a reference opens by a tap", "shell", "at 390 px a reference is a sheet at the bottom"),
                script(
                    "the language of translations is kept for the next section",
                    "ui-shell/test/translate.test.tsx",
                    "changes the language, asks once for each, and keeps the choice for the next section",
                ),
                browser(
                    "the language of the article",
                    "article",
                    "on a phone, each paragraph is followed by its translation, and the links choose one language",
                ),
            ],
        ),
        line(
            4,
            12,
            0x4178_df5c,
            "visit power, period lists",
            vec![
                here("true by default", permissions),
                rust("true for readers from the listed hosts", SITES, "full_texts_open_to_readers_from_a_listed_host"),
                rust("the old referrer decides", SITES, "the_first_referrer_of_a_visit_is_kept"),
                rust(
                    "on the two sites that are named",
                    "host/web/tests/it/special_sites.rs",
                    "every_behaviour_is_shown_by_exactly_its_sites",
                ),
                here("period lists are not loaded twice", period_lists),
            ],
        ),
        line(
            4,
            13,
            0x164c_f6fe,
            "reload after a failed chunk",
            vec![
                script("once in 60 s", GUARDS, "a part that is gone loads the document again, once a minute"),
                browser(
                    "in a browser",
                    "steady",
                    "a reader that is not served any more (404) loads the document again once, then the article stays without tools",
                ),
            ],
        ),
        line(
            4,
            14,
            0x921a_ef1e,
            "animation to the top",
            vec![
                script(
                    "a step in each frame of 16.7 ms, for 500 ms",
                    GUARDS,
                    "the way to the top is shown after 300 px, or 400 px on a narrow window, and takes 500 ms",
                ),
                browser(
                    "in a browser",
                    "later",
                    "the way to the top begins at 400 px on a phone, takes about half a second, and none where motion is to be reduced",
                ),
            ],
        ),
    ]
}
