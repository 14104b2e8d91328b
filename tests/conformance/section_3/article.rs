//! Lines 1 and 2 of section 3: articles and article bodies.

use crate::{
    context::Context,
    fields::{Field, complete, entity, values},
    row::{Part, here},
};

const ARTICLE: &[Field] = &[
    ("doi", "/doi"),
    ("id", "/id"),
    ("siteId", "/siteId"),
    ("topicId", "/topicId"),
    ("vasDocLink", "/vasDocLink"),
    ("vasDocId", "/vasDocId"),
    ("adcsDocId", "/adcsDocId"),
    ("title (resName_tic)", "/title"),
    ("keywords", "/keywords/*/plain"),
    ("authors", "/authors"),
    ("authorCompany", "/authorCompany"),
    ("summary", "/summary"),
    ("visits", "/visits"),
    ("downloads", "/downloads"),
    ("commentCount", "/commentCount"),
    ("referenceCount", "/referenceCount"),
    ("firstStatus", "/firstStatus"),
    ("year", "/year"),
    ("issue", "/issue"),
    ("part", "/part"),
    ("firstPageNum", "/firstPageNum"),
    ("lastPageNum", "/lastPageNum"),
    ("ppubDate", "/ppubDate"),
    ("publishDate", "/publishDate"),
    ("received", "/received"),
    ("revised", "/revised"),
    ("accepted", "/accepted"),
    ("published", "/published"),
    ("published-online", "/publishedOnline"),
    ("funds", "/funds"),
    ("author bio", "/authorBio/*/bio"),
    ("indexId", "/indexId"),
    ("showListType", "/showListType"),
    ("path", "/path"),
    ("graphicAbstract", "/graphicAbstract"),
];

/// Parts of the body: the term of the specification, and the fields.
const PARTS: &[(&str, &[Field])] = &[
    ("abstracts by lang", &[("lang", "/abstracts/*/lang"), ("text", "/abstracts/*/nodes")]),
    ("abstractgraphic", &[("nodes", "/abstractGraphic/*/nodes")]),
    ("highlights", &[("nodes", "/highlights/*/nodes")]),
    ("body nodes", &[("nodes", "/body"), ("type", "/body/*/type")]),
    (
        "reflist",
        &[
            ("label", "/referenceLists/*/refs/*/label"),
            ("citation", "/referenceLists/*/refs/*/citations/*/nodes"),
            ("lang", "/referenceLists/*/refs/*/citations/*/lang"),
            ("title", "/referenceLists/*/refs/*/citations/*/title"),
            ("text", "/referenceLists/*/refs/*/citations/*/plain"),
        ],
    ),
    ("acknowledgements", &[("nodes", "/acknowledgements/*/nodes")]),
    ("conflict", &[("nodes", "/conflict/*/nodes")]),
    ("ethics", &[("nodes", "/ethics/*/nodes")]),
    ("supportedby", &[("nodes", "/supportingData/*/nodes")]),
    (
        "glossary",
        &[
            ("title", "/glossary/*/title"),
            ("term", "/glossary/[type=deflist]/items/*/terms"),
            ("def", "/glossary/[type=deflist]/items/*/defs"),
        ],
    ),
    ("appendix", &[("title", "/appendix/*/title"), ("nodes", "/appendix/*/nodes")]),
    ("supplementary", &[("nodes", "/supplementary/*/nodes")]),
    ("subArticles", &[("type", "/subArticles/*/type"), ("body", "/subArticles/*/body")]),
    ("footnote", &[("id", "/footnotes/*/id"), ("text", "/footnotes/*/nodes")]),
    ("fundinggroup", &[("nodes", "/funding/*/nodes")]),
    ("offline flag", &[("offline", "/offline")]),
];

/// Content nodes: the term of the specification, and the fields of nodes of that type.
const NODES: &[(&str, &[Field])] = &[
    ("sec", &[("nodes", "/[type=sec]/nodes")]),
    (
        "sectitle",
        &[
            ("id", "/[type=sectitle]/id"),
            ("level", "/[type=sectitle]/level"),
            ("label", "/[type=sectitle]/label"),
            ("title", "/[type=sectitle]/title"),
        ],
    ),
    ("p", &[("nodes", "/[type=p]/nodes")]),
    ("text", &[("text", "/[type=text]/text")]),
    ("sub", &[("nodes", "/[type=sub]/nodes")]),
    ("sup", &[("nodes", "/[type=sup]/nodes")]),
    ("bold", &[("nodes", "/[type=bold]/nodes")]),
    ("italic", &[("nodes", "/[type=italic]/nodes")]),
    ("strike", &[("nodes", "/[type=strike]/nodes")]),
    ("overline", &[("nodes", "/[type=overline]/nodes")]),
    ("underline", &[("nodes", "/[type=underline]/nodes")]),
    ("styled text", &[("nodes", "/[type=styled-text]/nodes"), ("style", "/[type=styled-text]/style")]),
    ("extlink/uri", &[("href", "/[type=extlink]/href"), ("nodes", "/[type=extlink]/nodes")]),
    ("inlinenote", &[("nodes", "/[type=inlinenote]/nodes")]),
    (
        "fig",
        &[
            ("id", "/[type=fig]/id"),
            ("graphics big", "/[type=fig]/graphics/*/big"),
            ("graphics small", "/[type=fig]/graphics/*/small"),
            ("graphics print", "/[type=fig]/graphics/*/print"),
            ("caption", "/[type=fig]/captions/*/title"),
            ("subcaption", "/[type=fig]/captions/*/nodes"),
            ("note", "/[type=fig]/notes"),
        ],
    ),
    ("figgroup", &[("nodes", "/[type=figgroup]/nodes"), ("caption", "/[type=figgroup]/captions")]),
    (
        "table",
        &[
            ("id", "/[type=table]/id"),
            ("caption", "/[type=table]/captions"),
            ("cellunit", "/[type=table]/cellUnit"),
            ("head rows", "/[type=table]/grids/*/head/*/cells"),
            ("body rows", "/[type=table]/grids/*/bodies/*/*/cells"),
            ("foot rows", "/[type=table]/grids/*/foot/*/cells"),
            ("rowspan", "/[type=table]/grids/*/bodies/*/*/cells/*/rowspan"),
            ("colspan", "/[type=table]/grids/*/head/*/cells/*/colspan"),
            ("align", "/[type=table]/grids/*/bodies/*/*/cells/*/align"),
            ("note", "/[type=table]/notes"),
            ("graphics width", "/[type=table]/graphics/*/width"),
            ("graphics height", "/[type=table]/graphics/*/height"),
        ],
    ),
    (
        "display and inline formula",
        &[
            ("math", "/[type=disp-formula]/mathml"),
            ("latex", "/[type=disp-formula]/latex"),
            ("inline math or latex", "/[type=inline-formula]/latex"),
            ("graphicsData small", "/[type=disp-formula]/graphics/*/small"),
            ("graphicsData big", "/[type=disp-formula]/graphics/*/big"),
            ("graphicsData width", "/[type=disp-formula]/graphics/*/width"),
        ],
    ),
    ("inline graphic", &[("big", "/[type=inline-graphic]/big")]),
];

const BODY: &str = "/rc-pub/front/front-article/getBody?id={}";
const DATA: &str = "/rc-pub/front/front-article/{}";

/// Line 1.
pub fn article() -> Vec<Part> {
    vec![entity("the fields of an article", |context| context.of_articles(DATA), ARTICLE)]
}

/// Line 2.
pub fn body() -> Vec<Part> {
    let bodies = |context: &Context| context.of_articles(BODY);
    let mut parts = vec![
        entity(
            "keyword by lang",
            |context| context.of_articles(DATA),
            &[("lang", "/keywords/*/lang"), ("keywords", "/keywords/*/plain")],
        ),
        here("ocis", |context| values(&context.of_articles(DATA)?, "/keywords/*/kind", &["ocis"])),
        here("contributions of type con and equal", |context| {
            values(&context.of_articles(BODY)?, "/contributions/*/type", &["con", "equal"])
        }),
        here("response of type comment", |context| {
            let bodies = context.of_articles(BODY)?;
            values(&bodies, "/responses/*/type", &["comment"])?;
            complete(
                &bodies,
                &[
                    ("title", "/responses/*/titles/*/plain"),
                    ("author", "/responses/*/authors"),
                    ("aff", "/responses/*/affiliations"),
                ],
            )
        }),
        here("xref: six types, rid", |context| {
            let bodies = context.of_articles(BODY)?;
            let types = ["bibr", "fn", "fig", "table", "chem", "disp-formula"];
            values(&bodies, "/[type=xref]/refType", &types)?;
            complete(&bodies, &[("rid", "/[type=xref]/rids")])
        }),
        here("cells with style", |context| {
            let bodies = context.of_articles(BODY)?;
            values(&bodies, "/[type=table]/grids/*/bodies/*/*/cells/*/style/bottom", &["double"])?;
            values(&bodies, "/[type=table]/grids/*/bodies/*/*/cells/*/style/background", &["e2efd9"])
        }),
    ];
    parts.extend(PARTS.iter().chain(NODES).map(|(what, map)| entity(what, bodies, map)));
    parts
}
