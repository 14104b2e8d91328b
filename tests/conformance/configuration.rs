//! Section 3: sites and site configuration.

use serde_json::Value;

use crate::{
    context::{Context, OCEAN, SPECIMEN},
    fields::{Field, complete, entity, values},
    row::{CheckResult, Row, here, later},
};

const SITE: &[Field] = &[
    ("id", "/id"),
    ("siteId", "/siteId"),
    ("domain", "/domain"),
    ("sld", "/sld"),
    ("groupSite", "/groupSite"),
    ("groupType", "/groupType"),
    ("navStyle", "/navStyle"),
    ("templateId", "/templateId"),
    ("colour", "/colour"),
    ("grayType", "/grayType"),
    ("umtFlag", "/umtFlag"),
    ("logo1", "/logo1"),
    ("pictureUrl", "/pictureUrl"),
    ("keywords", "/keywords"),
    ("type", "/type"),
];

const THEME: &[Field] = &[
    ("colorId", "/*/colorId"),
    ("themeColorPrimary", "/*/light/themeColorPrimary"),
    ("themeColorHoverPrimary", "/*/light/themeColorHoverPrimary"),
    ("otherColor", "/*/light/otherColor"),
    ("bgOpacity", "/*/light/bgOpacity"),
    ("bottomLineColor", "/*/light/bottomLineColor"),
];

const HEADER: &[Field] = &[
    ("defaultLanguage", "/defaultLanguage"),
    ("switchLanguage", "/switchLanguage"),
    ("navStyle", "/navStyle"),
    ("ceiling", "/ceiling"),
    ("showLogin", "/showLogin"),
    ("groupEntrance", "/groupEntrance"),
    ("searchBox", "/searchBox"),
    ("advSearch", "/advSearch"),
    ("resourceSearch", "/resourceSearch"),
    ("resourceType", "/resourceType"),
    ("navDistribution", "/navDistribution"),
    ("logo pc", "/logoPc"),
    ("logo English pc", "/logoEnPc"),
    ("logo mobile", "/logoMobile"),
    ("logo English mobile", "/logoEnMobile"),
    ("configData.customButtonList", "/configData/customButtonList"),
    ("configData.cssContent", "/configData/cssContent"),
];

const BUTTON: &[Field] = &[
    ("customButtonName", "/configData/customButtonList/*/customButtonName"),
    ("enCustomButtonName", "/configData/customButtonList/*/enCustomButtonName"),
    ("customButtonLinkValue", "/configData/customButtonList/*/customButtonLinkValue"),
    ("customButtonStatus", "/configData/customButtonList/*/customButtonStatus"),
    ("customButtonMobileUrl", "/configData/customButtonList/*/customButtonMobileUrl"),
    ("customButtonPcUrl", "/configData/customButtonList/*/customButtonPcUrl"),
];

const CHANNEL: &[Field] = &[
    ("id", "/channels/*/id"),
    ("code", "/channels/*/code"),
    ("name", "/channels/*/name"),
    ("enName", "/channels/*/enName"),
    ("enable", "/channels/*/enable"),
    ("parentId", "/channels/*/children/*/parentId"),
    ("linkValue", "/channels/*/linkValue"),
    ("bannerId", "/channels/*/bannerId"),
    ("route", "/channels/*/route"),
    ("newsDataType", "/channels/*/newsDataType"),
    ("children", "/channels/*/children"),
];

const MENU: &[Field] = &[
    ("code", "/menu/*/code"),
    ("id", "/menu/*/id"),
    ("name", "/menu/*/name"),
    ("enName", "/menu/*/enName"),
    ("route", "/menu/*/route"),
    ("linkValue", "/menu/*/linkValue"),
    ("value", "/menu/*/value"),
    ("parentIndex", "/menu/*/parentIndex"),
    ("bannerId", "/menu/*/bannerId"),
    ("newsDataType", "/menu/*/newsDataType"),
    ("styleId", "/menu/*/styleId"),
];

const FOOTER: &[Field] = &[
    ("copyright", "/copyright"),
    ("enCopyright", "/enCopyright"),
    ("icp", "/icp"),
    ("picp", "/picp"),
    ("linkAddress", "/linkAddress"),
    ("picpLink", "/picpLink"),
    ("toolbarStyle", "/toolbarStyle"),
];

const COUNTS: &[Field] = &[
    ("bookCounts", "/bookCounts"),
    ("publicationCounts", "/publicationCounts"),
    ("articleCounts", "/articleCounts"),
    ("albumCounts", "/albumCounts"),
    ("picAndTableCounts", "/picAndTableCounts"),
];

/// The responses of all sites to a call.
fn all(path: &'static str) -> impl Fn(&Context) -> Result<Vec<std::rc::Rc<Value>>, String> {
    move |context| context.everywhere(path)
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let header = "/rc-pub/front/site/getHeaderConfig";
    let channels = "/rc-pub/front/site/getChannelList";
    vec![
        here(3, "", "Site: id or siteId", |context| {
            let find = |sld: &String| context.payload(OCEAN, &format!("/rc-pub/front/site/findBySld?sld={sld}"));
            let found = context.sites().iter().map(find).collect::<Result<Vec<_>, _>>()?;
            values(&found, "/type", &["single", "group", "all"])?;
            complete(&found, SITE)
        }),
        here(3, "", "Theme color: colorId 1 to 11", |context| {
            let themes = context.payload(OCEAN, "/rc-pub/front/site/getThemeColors")?;
            let ids: Vec<i64> =
                themes.as_array().into_iter().flatten().filter_map(|theme| theme["colorId"].as_i64()).collect();
            if ids != (1..=11).collect::<Vec<_>>() {
                return Err(format!("{ids:?}"));
            }
            complete(&[themes], THEME)
        }),
        entity("", "Header configuration: defaultLanguage", all(header), HEADER),
        entity("", "Custom button: customButtonName", all(header), BUTTON),
        entity("", "Channel: id, code, name", all(channels), CHANNEL),
        entity("", "Menu item: code, id, name", all(channels), MENU),
        entity("", "Footer config: copyright", all("/rc-pub/front/site/getFooterConfig"), FOOTER),
        here(3, "", "Site permissions: visitPower, downloadPower (default true)", |context| {
            let power = context.payload(OCEAN, "/rc-pub/front/site/checkPower")?;
            let fits = power["visitPower"] == true && power["downloadPower"] == true;
            if fits { Ok("both true".to_owned()) } else { Err(power.to_string()) }
        }),
        here(3, "", "Aggregated config: enableComment", |context| {
            let of = |site| context.payload(site, "/rc-pub/front/site/getAggregatedConfig");
            let (on, off) = (of(SPECIMEN)?, of(OCEAN)?);
            let said = (&on["enableComment"], &off["enableComment"]);
            if *said.0 == true && said.1.is_boolean() {
                Ok(format!("{}, {}", said.0, said.1))
            } else {
                Err(format!("{said:?}"))
            }
        }),
        here(3, "", "Search config entry: type, code (article treated as thesis), name, isOpenConfig", search_config),
        here(3, "", "Search condition: condition label, field, value (empty field becomes 0 in header)", |context| {
            let conditions = conditions(context, "article")?;
            let first = &conditions[0];
            if first["field"] == "" && first["value"] == "0" {
                complete(&[conditions], &[("condition", "/*/condition"), ("field", "/*/field"), ("value", "/*/value")])
            } else {
                Err(format!("the condition for all fields is {first}"))
            }
        }),
        entity(
            "",
            "Resource counts: bookCounts",
            all("/rc-pub/front/resource-statistics/getResourceCountsStatistic"),
            COUNTS,
        ),
        entity(
            "",
            "Hot words: content list",
            all("/rc-pub/front/hisSearch/hotWords?page=0&size=10"),
            &[("content", "/content")],
        ),
        entity("", "Assistant app info: name", all("/rc-pub/front/aiqa/getAppInfo"), &[("name", "/name")]),
        here(3, "", "Magazine functional control entries: columnName", |context| {
            let of = |site| context.payload(site, "/rc-pub/front/site/getMagazineFunctionalControl");
            let entries = of("scriptstone")?;
            let added = crate::fields::find(&entries, "/*/languages")
                .into_iter()
                .filter_map(Value::as_array)
                .map(Vec::len)
                .max();
            if added != Some(6) {
                return Err(format!("{added:?} languages are added: {entries}"));
            }
            complete(&[entries, of(SPECIMEN)?], &[("columnName", "/*/columnName")])
                .map(|said| format!("six languages; {said}"))
        }),
        here(3, "", "Cookies: language, userName, commonToken, aesPassword", |context| {
            let ask = |cookie| {
                let path = "/rc-pub/front/site/getBasicInfo";
                context.portal.with(&crate::context::host(OCEAN), path, &[("cookie", cookie)]).json()["data"]["site"]["name"].clone()
            };
            let names = (ask("language=en"), ask("language=zh"));
            if names.0 == "Ocean Ledger" && names.1 == "海洋账簿" {
                Ok("the cookie language decides; the others are those of accounts, and the session is a signed cookie"
                    .to_owned())
            } else {
                Err(format!("{names:?}"))
            }
        }),
        later(3, "Local storage: basicInfo", "what the shell keeps in the browser comes with the screens that need it"),
        later(3, "are cleared on each new search", "comes with the screens of the search"),
    ]
}

/// The search conditions for a resource type.
pub fn conditions(context: &Context, kind: &str) -> Result<std::rc::Rc<Value>, String> {
    let path = context.filled(OCEAN, "/rc-pub/front/site/{siteId}/search-conditions?type=")?;
    context.payload(OCEAN, &format!("{path}{kind}"))
}

fn search_config(context: &Context) -> CheckResult {
    let config = context.payloads(&[OCEAN, SPECIMEN], "/rc-pub/front/site/{siteId}/search-config")?;
    if conditions(context, "thesis")? != conditions(context, "article")? {
        return Err("thesis has other conditions than article".to_owned());
    }
    let map: &[Field] =
        &[("type", "/*/type"), ("code", "/*/code"), ("name", "/*/name/zh"), ("isOpenConfig", "/*/isOpenConfig")];
    complete(&config, map).map(|said| format!("{said}; thesis is article"))
}
