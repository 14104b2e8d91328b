//! Section 4: states and transitions.

use serde_json::Value;

use crate::{
    call::{check_languages, enveloped},
    context::{Context, OCEAN, host},
    fields::find,
    row::{CheckResult, Row, elsewhere, here, later},
};

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

fn without_language(context: &Context) -> CheckResult {
    let ask = |cookie: &str| context.portal.with(&host(OCEAN), "/", &[("cookie", cookie)]);
    let answers = [ask("language=en"), ask("language=zh"), ask("")];
    let places: Vec<&str> = answers.iter().map(|answer| answer.header("location")).collect();
    if places == ["/en/home/", "/zh/home/", "/zh/home/"] { Ok(places.join(", ")) } else { Err(format!("{places:?}")) }
}

fn search_type(context: &Context) -> CheckResult {
    let config = context.payloads(&[OCEAN], "/rc-pub/front/site/{siteId}/search-config")?;
    let configured: Vec<&Value> = find(&config[0], "/*/code");
    let bootstrap = context.portal.bootstrap(OCEAN, "/zh/home/");
    let offered: Vec<&Value> = find(&bootstrap, "/search/scopes/*/type");
    match (configured.first(), offered.first()) {
        (Some(first), Some(scope)) if first == scope || find(&config[0], "/*/type").first() == Some(scope) => {
            Ok(format!("the widget starts with {scope}, the first configured type"))
        }
        other => Err(format!("{other:?}")),
    }
}

fn stale_token(context: &Context) -> CheckResult {
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

fn period_lists(context: &Context) -> CheckResult {
    let tree = context.payload(OCEAN, "/rc-pub/front/front-period/getPeriodTree")?;
    let page = context.portal.page(OCEAN, "/zh/issues/");
    let years = find(&tree, "/*/year");
    let missing: Vec<_> = years.iter().filter(|year| !page.contains(&year.to_string())).collect();
    if missing.is_empty() && !years.is_empty() {
        Ok("the page of all issues comes with the whole list: nothing is loaded for it".to_owned())
    } else {
        Err(format!("the page lacks {missing:?}"))
    }
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = labels();
    rows.extend(readers());
    rows.extend(shell());
    rows
}

fn labels() -> Vec<Row> {
    vec![
        here(4, "", "firstStatus: -1 latest accepted (English Accept)", first_status),
        here(4, "", "Publish type: formal 0, online first 1", |context| {
            named(context, "publishType", &[(0, "formal"), (1, "online first")])
        }),
        here(4, "", "Access: open access 0, non-open access 1", |context| {
            named(context, "accessType", &[(0, "open access"), (1, "not open access")])
        }),
        here(4, "", "Match type: precise 1, fuzzy 0", |context| {
            named(context, "matchType", &[(1, "precise"), (0, "fuzzy")])
        }),
        here(4, "", "Language (zh or en) read from the route parameter", language_of_the_route),
        here(4, "", "with no segment it goes to /{lang}/home/", without_language),
        here(4, "", "follows the first configured resource type", search_type),
        here(4, "", "A 401 status in any response", stale_token),
        here(4, "", "Visit power true by default", |context| {
            let power = context.payload(OCEAN, "/rc-pub/front/site/checkPower")?;
            if power["visitPower"] == true { Ok("true".to_owned()) } else { Err(power.to_string()) }
        }),
        here(4, "", "Period lists load only once", period_lists),
    ]
}

fn readers() -> Vec<Row> {
    let identity = "host/web/tests/it/gateways/identity.rs";
    let sites = "host/web/tests/it/sites.rs";
    vec![
        later(4, "Login modes: SMS code or account password", "readers' accounts"),
        elsewhere(
            4,
            "resend countdown in seconds, then resend allowed",
            "host/web/tests/it/gateways/messages.rs",
            "a_code_can_be_sent_once_a_minute",
        ),
        later(4, "Collection toggles collect and cancel", "favourites come with readers' accounts"),
        later(4, "Added or not added to album or favorites", "favourites and albums come with readers' accounts"),
        later(4, "Mobile linked or unlinked; password set or unset", "readers' accounts"),
        later(4, "Online or offline tracked", "comes with the screens of the personal centre"),
        elsewhere(4, "Login state: userName cookie", identity, "a_reader_signs_in_and_out"),
        elsewhere(4, "Logout clears userName and common token", identity, "a_reader_signs_in_and_out"),
        elsewhere(4, "forced true when the old referrer", sites, "full_texts_open_to_readers_from_a_listed_host"),
    ]
}

fn shell() -> Vec<Row> {
    let (browser, nav) = ("tests/browser/reader.test.mjs", "ui-modules/nav-default/test/view.test.tsx");
    let (guards, translate) = ("ui-shell/test/guards.test.tsx", "ui-shell/test/translate.test.tsx");
    let panel = "ui-modules/assistant-panel/test/view.test.tsx";
    vec![
        elsewhere(4, "Switching sets the language cookie", browser, "switching the language changes the page in place"),
        elsewhere(
            4,
            "Switching toggles zh and en",
            nav,
            "switches language by a link, or by a menu when there are several",
        ),
        later(4, "Changing type resets the condition selector", "comes with the screens of the advanced search"),
        later(4, "Changing the condition clears the keyword", "comes with the screens of the advanced search"),
        elsewhere(
            4,
            "Mobile menu open or closed",
            nav,
            "opens the mobile menu, unfolds one level, navigates and closes",
        ),
        elsewhere(
            4,
            "Tapping an item with children",
            nav,
            "opens the mobile menu, unfolds one level, navigates and closes",
        ),
        later(4, "Search popup is exclusive with the menu", "the search of narrow screens is a bar, no popup, so far"),
        elsewhere(
            4,
            "after 1.1 s goes to login with the return address",
            guards,
            "an answer 401 is told, and leads to the sign-in after 1.1 s",
        ),
        elsewhere(4, "Translation popover: closed, loading", translate, "opens under the heading, says that it works"),
        elsewhere(
            4,
            "AI panel toggles",
            panel,
            "closes by Escape and by its button, gives the focus back, and begins anew",
        ),
        elsewhere(
            4,
            "opening requests secure parameters",
            panel,
            "opens with the focus in it, asks for the parameters",
        ),
        elsewhere(4, "Big-picture dialog open or closed", browser, "a figure opens full screen and closes with Escape"),
        elsewhere(
            4,
            "Reference popovers open on click",
            "ui-shell/test/reader.test.tsx",
            "open by key with the content of the page",
        ),
        elsewhere(4, "translation language are switched", translate, "changes the language, asks once for each"),
        elsewhere(
            4,
            "A chunk-load failure triggers",
            guards,
            "a part that is gone loads the document again, once a minute",
        ),
        elsewhere(
            4,
            "Back-to-top scroll animation",
            guards,
            "the way to the top is shown after 300 px and scrolls there",
        ),
    ]
}
