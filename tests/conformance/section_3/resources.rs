//! Lines 10 to 14, 17, 18 and 20 of section 3: resources other than articles, search fields, editorial roles.

use serde_json::Value;

use crate::{
    context::{Context, OCEAN, SHELF},
    fields::{complete, entity, find, values},
    row::{CheckResult, Part, here, rust},
    section_3::configuration::conditions,
};

/// Checks that the search offers these fields for a resource type, and accepts a condition for each.
fn searchable(context: &Context, kind: &str, fields: &[&str]) -> CheckResult {
    let offered = conditions(context, kind)?;
    let known: Vec<&str> = find(&offered, "/*/field").into_iter().filter_map(Value::as_str).collect();
    let missing: Vec<_> = fields.iter().filter(|field| !known.contains(field)).collect();
    if !missing.is_empty() {
        return Err(format!("not offered: {missing:?}"));
    }
    for field in fields {
        let condition = format!("%5B%7B%22field%22:%22{field}%22,%22value%22:%22a%22%7D%5D");
        context.data(SHELF, &format!("/rc-pub/front/advSearch?type={kind}&conditions={condition}"), "en")?;
    }
    Ok(format!("{} fields are offered and accepted", fields.len()))
}

pub fn roles(context: &Context) -> CheckResult {
    let labels = |lang: &str| -> Result<Vec<String>, String> {
        let boards = context.data(OCEAN, "/rc-pub/front/front-expert/boards", lang)?;
        let labels = find(&boards, "/content/*/roles/*/label").into_iter().filter_map(Value::as_str);
        Ok(labels.map(str::to_lowercase).collect())
    };
    let (zh, en) = (labels("zh")?, labels("en")?);
    let wanted = [
        "editor-in-chief",
        "honorary editor-in-chief",
        "executive editor",
        "executive deputy editor",
        "associate editor",
    ];
    let missing: Vec<_> = wanted.iter().filter(|role| !en.iter().any(|label| label == *role)).collect();
    let same = zh.iter().filter(|label| en.contains(label)).count();
    if missing.is_empty() && same == 0 { Ok(format!("{en:?} and {zh:?}")) } else { Err(format!("{en:?} and {zh:?}")) }
}

fn sort_keys(context: &Context) -> CheckResult {
    let keys =
        "visits downloads referenceCount commentCount publishDate ppubDate firstStatus year issue date updateTime";
    for key in keys.split(' ') {
        for order in ["asc", "desc"] {
            let path = format!("/rc-pub/front/search?q=carbon&sort={key}&order={order}");
            if find(&context.data(OCEAN, &path, "en")?, "/content/*/id").is_empty() {
                return Err(format!("{path} finds nothing"));
            }
        }
    }
    Ok(keys.replace(' ', ", "))
}

/// Line 10.
pub fn kinds() -> Vec<Part> {
    vec![
        here("the kinds of content items", |context| {
            let pages = context.payloads(&[OCEAN], "/rc-pub/front/front-composite/{composite}")?;
            values(&pages, "/blocks/*/items/*/kind", &["link", "wechat", "news", "album", "article"])
        }),
        entity(
            "news: id, type",
            |context| context.payloads(&[OCEAN], "/rc-pub/front/front-news/{news}"),
            &[("id", "/id"), ("type", "/type")],
        ),
        entity(
            "virtual collection: virtualId, indexId",
            |context| context.payloads(&[OCEAN], "/rc-pub/front/front-virtual/{virtual}"),
            &[("virtualId", "/collection/key"), ("indexId", "/collection/indexId")],
        ),
    ]
}

/// Line 11.
pub fn album() -> Vec<Part> {
    vec![here("names, cover, and the four tabs with content", |context| {
        let albums = context.payloads(&[OCEAN], "/rc-pub/front/album/{album}")?;
        values(&albums, "/tabs/*/code", &["article", "publication", "audio", "video"])?;
        let map = [
            ("name", "/album/title/zh"),
            ("English name", "/album/title/en"),
            ("cover", "/album/cover"),
            ("article", "/article/*/id"),
            ("publication", "/publication/*/key"),
            ("audio", "/audio/*/id"),
            ("video", "/video/*/id"),
        ];
        complete(&albums, &map)
    })]
}

/// Line 12.
pub fn figure_and_video_fields() -> Vec<Part> {
    vec![
        here("figures and tables", |context| {
            let fields = ["resName_tic", "noteChinese_tic", "keyWords_tic", "thesis_tic"];
            searchable(context, "picture", &fields)?;
            searchable(context, "table", &fields)
        }),
        here("video", |context| searchable(context, "video", &["enResName_tic", "keywordExt_tic", "en_Thesis_tic"])),
        rust("hits have these fields", "host/web/tests/it/search.rs", "hits_have_the_fields_of_the_specification"),
    ]
}

/// Line 13.
pub fn periodical() -> Vec<Part> {
    let journal = "/rc-pub/front/front-publication/detail/{journal}";
    vec![
        entity(
            "periodical",
            move |context| context.payloads(&[OCEAN], journal),
            &[
                ("publicationName", "/publicationName"),
                ("organizerUnit", "/organizerUnit"),
                ("cn", "/cn"),
                ("issn", "/issn"),
            ],
        ),
        entity(
            "journal info",
            move |context| {
                let specimen = context.payloads(&["specimen"], "/rc-pub/front/front-publication/detail/specimen")?;
                Ok([context.payloads(&[OCEAN], journal)?, specimen].concat())
            },
            &[
                ("impact factor", "/impactFactor"),
                ("editor-in-chief", "/editorInChief"),
                ("ISSN", "/issn"),
                ("CN", "/cn"),
                ("sponsor", "/sponsor"),
                ("supervisor", "/supervisor"),
                ("frequency", "/frequency"),
                ("start year", "/startYear"),
                ("databases", "/databases"),
                ("readership", "/readership"),
            ],
        ),
    ]
}

/// Line 14.
pub fn book() -> Vec<Part> {
    vec![entity(
        "the fields of a book",
        |context| {
            let books = context.payload(SHELF, "/rc-pub/front/rc-book/list")?;
            let ids = find(&books, "/content/*/id");
            ids.iter().map(|id| context.payload(SHELF, &format!("/rc-pub/front/rc-book/getBookInfo/{id}"))).collect()
        },
        &[
            ("ISBN", "/isbn"),
            ("edition code", "/edition"),
            ("publisher", "/publisher"),
            ("chief editor", "/chiefEditor"),
            ("first published date", "/firstPublished"),
            ("catalogue", "/catalogue"),
            ("author bios", "/contributors/*/bio"),
        ],
    )]
}

/// The period of line 17.
pub fn period() -> Part {
    entity(
        "period",
        |context| context.payloads(&[OCEAN], "/rc-pub/front/front-period/getPeriodTree"),
        &[("year", "/*/year"), ("issue", "/*/periods/*/issue"), ("periods", "/*/periods")],
    )
}

/// Line 18.
pub fn article_fields() -> Vec<Part> {
    vec![
        here("search fields", |context| {
            let fields =
                "resName_tic keyword_tic authors_tic authorCompany_tic summary_tic doi part firstPageNum lastPageNum";
            searchable(context, "article", &fields.split(' ').collect::<Vec<_>>())
        }),
        rust("hits have these fields", "host/web/tests/it/search.rs", "hits_have_the_fields_of_the_specification"),
        here("sort keys are accepted", sort_keys),
        rust("hits are sorted", "host/web/tests/it/search.rs", "hits_are_sorted_filtered_and_counted"),
        rust("sorts on the screen, in both directions", "host/web/tests/it/results.rs", "every_sort_is_an_address"),
    ]
}
