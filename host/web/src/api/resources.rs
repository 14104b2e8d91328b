//! Calls about resources other than articles: a list and the details of each kind. Lists hold the short form of a
//! resource, details all its fields. Resources are named by id or by key (a book by its ISBN).

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    extract::{Path, Query},
};
use masthead_domain::resource::{
    Album, Audio, Book, Collection, Column, Composite, Conference, Document, FriendLink, Information, News, Patent,
    Standard, Tool, Topic, Video, Wechat,
};
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    envelope::{ApiError, Caller},
    listing::{self, Entry, Filter, Page, Paging},
    types::Envelope,
};
use crate::{app::App, routing::routes, schema};

/// Defines a call that lists resources of one kind.
macro_rules! list {
    ($module:ident, $type:ident, $path:tt, $id:tt, $summary:tt) => {
        list!(@ $module, $type, $path, $id, $summary, "", ANY,);
    };
    ($module:ident, $type:ident, $path:tt, $id:tt, $summary:tt, $filter:tt, $about:tt, $values:expr) => {
        list!(@ $module, $type, $path, $id, $summary, $filter, $values,
            ($filter = Option<String>, Query, description = $about));
    };
    (@ $module:ident, $type:ident, $path:tt, $id:tt, $summary:tt, $filter:tt, $values:expr, $($parameter:tt)?) => {
        mod $module {
            use super::*;

            #[utoipa::path(get, path = $path, tag = "resource", operation_id = $id, summary = $summary,
                params(Paging, $($parameter)?),
                responses((status = 200, body = Envelope<Page<Entry<schema::$type>>>)))]
            pub async fn list(
                caller: Caller,
                Query(paging): Query<Paging>,
                Query(query): Query<BTreeMap<String, String>>,
            ) -> Result<Json<Envelope<Page<Entry<schema::$type>>>>, ApiError> {
                let filter = Filter { name: $filter, values: &$values };
                let mut page = listing::page::<$type>(&caller, &paging, &filter, &query).await?;
                let content = std::mem::take(&mut page.content);
                let content = content.into_iter().map(|stored| Entry::short(&caller, stored)).collect();
                Ok(caller.ok(page.map(content)))
            }
        }
    };
}

/// Defines a call that returns one resource.
// rustfmt would indent the lines of the attribute further at each run.
#[rustfmt::skip]
macro_rules! one {
    ($module:ident, $type:ident, $path:tt, $id:tt, $summary:tt) => {
        mod $module {
            use super::*;

            #[utoipa::path(get, path = $path, tag = "resource", operation_id = $id, summary = $summary,
                params(("id" = String, Path, description = "Number or key")),
                responses((status = 200, body = Envelope<Entry<schema::$type>>)))]
            pub async fn one(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<Entry<schema::$type>>>, ApiError> {
                let stored = listing::stored::<$type>(&caller, &id).await?;
                Ok(caller.ok(Entry::of(&caller, stored)))
            }
        }
    };
}

const NEWS: [&str; 4] = ["information", "announcement", "dynamic", "statement"];
const DOCUMENTS: [&str; 3] = ["science", "music", "chronicle"];
const ANY: [&str; 0] = [];

list!(
    news,
    News,
    "/rc-pub/front/front-news/list",
    "newsList",
    "News of one tab or of all tabs.",
    "type",
    "`information`, `announcement`, `dynamic` or `statement`; all by default",
    NEWS
);
list!(
    information,
    Information,
    "/rc-pub/front/front-information/list",
    "informationList",
    "Text pages of channels.",
    "code",
    "Code of the channel",
    ANY
);
list!(
    columns,
    Column,
    "/rc-pub/front/front-column/list",
    "columnList",
    "Columns of the journals.",
    "journal",
    "Key of the journal",
    ANY
);
list!(wechat, Wechat, "/rc-pub/front/front-wechat/list", "wechatList", "Posts of the WeChat account.");
list!(links, FriendLink, "/rc-pub/front/front-link/list", "linkList", "Friendship links.");
list!(composites, Composite, "/rc-pub/front/front-composite/list", "compositeList", "Composite pages.");
list!(
    collections,
    Collection,
    "/rc-pub/front/front-virtual/list",
    "virtualList",
    "Special issues and virtual collections.",
    "indexId",
    "Key of the journal",
    ANY
);
list!(albums, Album, "/rc-pub/front/album", "albumList", "Albums.");
list!(topics, Topic, "/rc-pub/front/front-topic/list", "topicList", "Topics.");
list!(
    videos,
    Video,
    "/rc-pub/front/vod/video/list",
    "videoList",
    "Videos.",
    "type",
    "`onlineVideo` or `videoManuscript`; all by default",
    ["onlineVideo", "videoManuscript"]
);
list!(audios, Audio, "/rc-pub/front/vod/audio/list", "audioList", "Sound recordings.");
list!(books, Book, "/rc-pub/front/rc-book/list", "bookList", "Books.");
list!(patents, Patent, "/rc-pub/front/front-patent/list", "patentList", "Patents.");
list!(
    standards,
    Standard,
    "/rc-pub/front/front-standard/list",
    "standardList",
    "Technical standards.",
    "standing",
    "`current`, `withdrawn` or `draft`; all by default",
    ["current", "withdrawn", "draft"]
);
list!(conferences, Conference, "/rc-pub/front/front-conference/list", "conferenceList", "Conferences.");
list!(
    documents,
    Document,
    "/rc-pub/front/science-document/list",
    "documentList",
    "Science documents, sheet music, local history.",
    "type",
    "`science`, `music` or `chronicle`; all by default",
    DOCUMENTS
);
list!(tools, Tool, "/rc-pub/front/tools", "toolList", "Tools.");

one!(news_one, News, "/rc-pub/front/front-news/{id}", "newsOne", "A news item.");
one!(information_one, Information, "/rc-pub/front/front-information/{id}", "informationOne", "A text page.");
one!(column_one, Column, "/rc-pub/front/front-column/{id}", "columnOne", "A column.");
one!(wechat_one, Wechat, "/rc-pub/front/front-wechat/{id}", "wechatOne", "A post of the WeChat account.");
one!(link_one, FriendLink, "/rc-pub/front/front-link/{id}", "linkOne", "A friendship link.");
one!(video_one, Video, "/rc-pub/front/vod/video/{id}", "videoOne", "A video.");
one!(audio_one, Audio, "/rc-pub/front/vod/audio/{id}", "audioOne", "A sound recording.");
one!(book_one, Book, "/rc-pub/front/rc-book/getBookInfo/{id}", "bookOne", "A book, also by its ISBN.");
one!(patent_one, Patent, "/rc-pub/front/front-patent/{id}", "patentOne", "A patent.");
one!(standard_one, Standard, "/rc-pub/front/front-standard/{id}", "standardOne", "A technical standard.");
one!(conference_one, Conference, "/rc-pub/front/front-conference/{id}", "conferenceOne", "A conference.");
one!(document_one, Document, "/rc-pub/front/science-document/{id}", "documentOne", "A document.");
one!(tool_one, Tool, "/rc-pub/front/tools/{id}", "toolOne", "A tool.");

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(news::list))
        .routes(routes!(news_one::one))
        .routes(routes!(information::list))
        .routes(routes!(information_one::one))
        .routes(routes!(columns::list))
        .routes(routes!(column_one::one))
        .routes(routes!(wechat::list))
        .routes(routes!(wechat_one::one))
        .routes(routes!(links::list))
        .routes(routes!(link_one::one))
        .routes(routes!(composites::list))
        .routes(routes!(collections::list))
        .routes(routes!(albums::list))
        .routes(routes!(topics::list))
        .routes(routes!(videos::list))
        .routes(routes!(video_one::one))
        .routes(routes!(audios::list))
        .routes(routes!(audio_one::one))
        .routes(routes!(books::list))
        .routes(routes!(book_one::one))
        .routes(routes!(patents::list))
        .routes(routes!(patent_one::one))
        .routes(routes!(standards::list))
        .routes(routes!(standard_one::one))
        .routes(routes!(conferences::list))
        .routes(routes!(conference_one::one))
        .routes(routes!(documents::list))
        .routes(routes!(document_one::one))
        .routes(routes!(tools::list))
        .routes(routes!(tool_one::one))
}
