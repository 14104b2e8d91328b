//! Lines 3 to 9 and 17 of section 3: sites and site configuration.

use serde_json::Value;

use crate::{
    context::{Context, OCEAN, SPECIMEN},
    fields::{Field, complete, entity, values},
    row::{CheckResult, Part, here},
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

const HEADER_CALL: &str = "/rc-pub/front/site/getHeaderConfig";
const CHANNELS_CALL: &str = "/rc-pub/front/site/getChannelList";

/// Line 3.
pub fn site() -> Vec<Part> {
    vec![here("the fields of a site, and its three types", |context| {
        let find = |sld: &String| context.payload(OCEAN, &format!("/rc-pub/front/site/findBySld?sld={sld}"));
        let found = context.sites().iter().map(find).collect::<Result<Vec<_>, _>>()?;
        values(&found, "/type", &["single", "group", "all"])?;
        complete(&found, SITE)
    })]
}

/// Line 4.
pub fn theme() -> Vec<Part> {
    vec![here("colours 1 to 11 with their fields", |context| {
        let themes = context.payload(OCEAN, "/rc-pub/front/site/getThemeColors")?;
        let ids: Vec<i64> =
            themes.as_array().into_iter().flatten().filter_map(|theme| theme["colorId"].as_i64()).collect();
        if ids != (1..=11).collect::<Vec<_>>() {
            return Err(format!("{ids:?}"));
        }
        complete(&[themes], THEME)
    })]
}

/// Line 5.
pub fn header() -> Vec<Part> {
    vec![entity("the fields of the header", all(HEADER_CALL), HEADER)]
}

/// Line 6.
pub fn button() -> Vec<Part> {
    vec![entity("the fields of a button", all(HEADER_CALL), BUTTON)]
}

/// Line 7.
pub fn channel() -> Vec<Part> {
    vec![entity("the fields of a channel", all(CHANNELS_CALL), CHANNEL)]
}

/// Line 8.
pub fn menu() -> Vec<Part> {
    vec![entity("the fields of a menu item", all(CHANNELS_CALL), MENU)]
}

/// Line 9.
pub fn footer() -> Vec<Part> {
    vec![entity("the fields of the footer", all("/rc-pub/front/site/getFooterConfig"), FOOTER)]
}

/// Line 17, without the period.
pub fn aggregated() -> Vec<Part> {
    vec![
        here("site permissions, by default granted", permissions),
        here("aggregated config: enableComment", |context| {
            let of = |site| context.payload(site, "/rc-pub/front/site/getAggregatedConfig");
            let (on, off) = (of(SPECIMEN)?, of(OCEAN)?);
            let said = (&on["enableComment"], &off["enableComment"]);
            if *said.0 == true && said.1.is_boolean() {
                Ok(format!("{}, {}", said.0, said.1))
            } else {
                Err(format!("{said:?}"))
            }
        }),
        here("search config entry; article is thesis", search_config),
        here("search condition; the empty field is sent as 0", |context| {
            let conditions = conditions(context, "article")?;
            let first = &conditions[0];
            if first["field"] == "" && first["value"] == "0" {
                complete(&[conditions], &[("condition", "/*/condition"), ("field", "/*/field"), ("value", "/*/value")])
            } else {
                Err(format!("the condition for all fields is {first}"))
            }
        }),
        entity("resource counts", all("/rc-pub/front/resource-statistics/getResourceCountsStatistic"), COUNTS),
        hot_words(),
        entity("assistant app info: name", all("/rc-pub/front/aiqa/getAppInfo"), &[("name", "/name")]),
        here("functional control: columnName; multi-language dissemination adds six languages", |context| {
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
        }),
    ]
}

/// The permissions of a site that restricts nothing.
pub fn permissions(context: &Context) -> CheckResult {
    let power = context.payload(OCEAN, "/rc-pub/front/site/checkPower")?;
    let fits = power["visitPower"] == true && power["downloadPower"] == true;
    if fits { Ok("both true".to_owned()) } else { Err(power.to_string()) }
}

/// Hot words are a list in `content`.
pub fn hot_words() -> Part {
    entity(
        "hot words: content list",
        all("/rc-pub/front/hisSearch/hotWords?page=0&size=10"),
        &[("content", "/content")],
    )
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
