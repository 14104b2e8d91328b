//! Section 3: resources other than articles, and search fields.

use serde_json::Value;

use crate::{
    configuration::conditions,
    context::{Context, OCEAN, SHELF},
    fields::{complete, entity, find, values},
    row::{CheckResult, Row, here, later},
};

/// Checks that the search offers these fields for a resource type, and that each can be searched.
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
    Ok(format!("{} fields are offered and searched", fields.len()))
}

fn roles(context: &Context) -> CheckResult {
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

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = gathering();
    rows.extend(publishing());
    rows.extend(searching());
    rows
}

fn gathering() -> Vec<Row> {
    vec![
        here(3, "", "Content item kinds: link, wechat, news, album, article", |context| {
            let pages = context.payloads(&[OCEAN], "/rc-pub/front/front-composite/{composite}")?;
            values(&pages, "/blocks/*/items/*/kind", &["link", "wechat", "news", "album", "article"])
        }),
        entity(
            "",
            "News: id, type",
            |context| context.payloads(&[OCEAN], "/rc-pub/front/front-news/{news}"),
            &[("id", "/id"), ("type", "/type")],
        ),
        entity(
            "",
            "Virtual collection: virtualId, indexId",
            |context| context.payloads(&[OCEAN], "/rc-pub/front/front-virtual/{virtual}"),
            &[("virtualId", "/collection/key"), ("indexId", "/collection/indexId")],
        ),
        here(
            3,
            "",
            "Album: name, English name, cover image; content tabs article, publication, audio, video",
            |context| {
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
            },
        ),
    ]
}

fn publishing() -> Vec<Row> {
    let journal = "/rc-pub/front/front-publication/detail/{journal}";
    vec![
        entity(
            "",
            "Periodical: publicationName, organizerUnit, cn, issn",
            move |context| context.payloads(&[OCEAN], journal),
            &[
                ("publicationName", "/publicationName"),
                ("organizerUnit", "/organizerUnit"),
                ("cn", "/cn"),
                ("issn", "/issn"),
            ],
        ),
        entity(
            "",
            "Journal info: impact factor",
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
        entity(
            "",
            "Book: ISBN, edition code",
            |context| {
                let books = context.payload(SHELF, "/rc-pub/front/rc-book/list")?;
                let ids = find(&books, "/content/*/id");
                ids.iter()
                    .map(|id| context.payload(SHELF, &format!("/rc-pub/front/rc-book/getBookInfo/{id}")))
                    .collect()
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
        ),
        later(
            3,
            "User profile: name, mobile",
            "profiles come with readers' accounts; the calls answer 501 (section 7, Member)",
        ),
        later(
            3,
            "Subscription: email",
            "subscriptions come with readers' accounts; the calls answer 501 (section 7, Member)",
        ),
        entity(
            "",
            "Period: year, issue, periods",
            |context| context.payloads(&[OCEAN], "/rc-pub/front/front-period/getPeriodTree"),
            &[("year", "/*/year"), ("issue", "/*/periods/*/issue"), ("periods", "/*/periods")],
        ),
        here(3, "", "Editorial roles as labels: editor-in-chief", roles),
    ]
}

fn searching() -> Vec<Row> {
    vec![
        here(
            3,
            "",
            "Figure and table search fields: resName_tic, noteChinese_tic, keyWords_tic, thesis_tic",
            |context| {
                let fields = ["resName_tic", "noteChinese_tic", "keyWords_tic", "thesis_tic"];
                searchable(context, "picture", &fields)?;
                searchable(context, "table", &fields)
            },
        ),
        here(3, "", "Video: enResName_tic, keywordExt_tic, en_Thesis_tic", |context| {
            searchable(context, "video", &["enResName_tic", "keywordExt_tic", "en_Thesis_tic"])
        }),
        here(3, "", "Search fields (articles): resName_tic", |context| {
            let fields =
                "resName_tic keyword_tic authors_tic authorCompany_tic summary_tic doi part firstPageNum lastPageNum";
            searchable(context, "article", &fields.split(' ').collect::<Vec<_>>())
        }),
        here(3, "", "Sort keys: visits, downloads", sort_keys),
    ]
}
