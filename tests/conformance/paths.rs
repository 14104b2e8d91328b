//! Section 7: the tables of paths. The specification names no methods, so reading is GET, removing DELETE, changing PUT, and
//! everything else POST. One row for each path, in the order of the specification.

use crate::{
    call::{get, unimplemented},
    context::SHELF,
    row::{Row, elsewhere},
};

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = accounts();
    rows.extend(articles());
    rows.extend(publications());
    rows.extend(members());
    rows.extend(others());
    rows
}

fn accounts() -> Vec<Row> {
    let group = "Auth";
    vec![
        unimplemented("POST", "/rc-pub/api/login").row(group, "/api/login"),
        unimplemented("DELETE", "/rc-pub/api/logout").row(group, "logout"),
        unimplemented("POST", "/rc-pub/api/register").row(group, "register"),
        unimplemented("GET", "/rc-pub/api/isRegistered").row(group, "isRegistered"),
        elsewhere(
            7,
            "sendReceiverMessage",
            "host/web/tests/it/gateways/messages.rs",
            "a_code_can_be_sent_once_a_minute",
        ),
        unimplemented("POST", "/rc-pub/api/loginByMessage").row(group, "loginByMessage"),
        unimplemented("PUT", "/rc-pub/api/setNewPwd").row(group, "setNewPwd"),
        unimplemented("PUT", "/rc-pub/api/changePwd").row(group, "changePwd"),
        unimplemented("PUT", "/rc-pub/api/changeMobile").row(group, "changeMobile"),
        unimplemented("POST", "/rc-pub/api/thirdBind").row(group, "thirdBind"),
        unimplemented("POST", "/rc-pub/api/loginByThirdLoginUrl").row(group, "loginByThirdLoginUrl"),
        unimplemented("GET", "/rc-pub/api/getUmtLoginUrl").row(group, "getUmtLoginUrl"),
        unimplemented("GET", "/rc-pub/index/login/captcha.do").row(group, "/index/login/captcha.do"),
        unimplemented("GET", "/rc-pub/api/captcha").row(group, "/api/captcha"),
    ]
}

fn articles() -> Vec<Row> {
    let group = "Articles";
    let found = "q=carbon&type=article";
    let asked = "type=article&conditions=%5B%7B%22field%22:%22resName_tic%22,%22value%22:%22carbon%22%7D%5D";
    vec![
        get("/rc-pub/front/search").query(found).row(group, "/front/search"),
        get("/rc-pub/front/search/clusters").query(found).row(group, "search/clusters"),
        get("/rc-pub/front/advSearch").query(asked).row(group, "advSearch"),
        get("/rc-pub/front/advSearch/clusters").query(asked).row(group, "advSearch/clusters"),
        get("/rc-pub/front/front-article/{id}").of("article").row(group, "front-article/{id}"),
        get("/rc-pub/front/front-article/download")
            .query("id={article}&type=xml")
            .own()
            .file("application/xml")
            .row(group, "download"),
        get("/rc-pub/front/front-article/advancedSearch").query(asked).row(group, "advancedSearch"),
        get("/rc-pub/front/front-article/quickSearch").query("q=carbon").row(group, "quickSearch"),
        get("/rc-pub/front/front-article/getAttachTypes").query("id={article}").own().row(group, "getAttachTypes"),
        get("/rc-pub/front/front-article/getHtml").query("id={article}").own().row(group, "getHtml"),
        get("/rc-pub/front/front-article/getReference").query("id={article}").own().row(group, "getReference"),
        get("/rc-pub/front/front-article/getStatistics").query("id={article}").own().row(group, "getStatistics"),
        get("/rc-pub/front/front-article/getArticleByDoi")
            .query("doi=10.5555/ocl.2026.06.01.0001")
            .own()
            .row(group, "getArticleByDoi"),
        get("/rc-pub/front/front-article/getFirstPublishArticles").row(group, "getFirstPublishArticles"),
        get("/rc-pub/front/front-article/getColumnTree").row(group, "getColumnTree"),
        get("/rc-pub/front/front-article/getJumpUrl").query("id={article}").own().row(group, "getJumpUrl"),
        get("/rc-pub/front/front-article/relationAuthor")
            .query("id={article}")
            .own()
            .row(group, "relations for author"),
        get("/rc-pub/front/front-article/relationFund").query("id={article}").own().row(group, "fund"),
        get("/rc-pub/front/front-article/relationOrg").query("id={article}").own().row(group, "org"),
        get("/rc-pub/front/front-article/relationArticle").query("id={article}").own().row(group, "article"),
    ]
}

fn publications() -> Vec<Row> {
    let group = "Publications";
    vec![
        get("/rc-pub/front/front-publication/search").query("q=ocean").row(group, "/front/front-publication/search"),
        get("/rc-pub/front/front-publication/detail/{publicationId}").of("journal").row(group, "detail/{id}"),
        get("/rc-pub/front/front-publication/clusters").query("q=ocean").row(group, "clusters"),
        get("/rc-pub/front/front-period/getPeriodTree").row(group, "front-period getPeriodTree"),
        get("/rc-pub/front/front-period/getFirstTwoPeriods").row(group, "getFirstTwoPeriods"),
        get("/rc-pub/front/front-period/getPageByPeriodId")
            .query("periodId={period}")
            .own()
            .row(group, "getPageByPeriodId"),
    ]
}

fn members() -> Vec<Row> {
    let (group, albums) = ("Member", "Personal albums");
    vec![
        unimplemented("GET", "/rc-pub/front/frontMembers/info").row(group, "/front/frontMembers/info"),
        unimplemented("PUT", "/rc-pub/front/frontMembers/saveInfo").row(group, "saveInfo"),
        unimplemented("POST", "/rc-pub/front/frontMembers/collect").row(group, "collect"),
        unimplemented("GET", "/rc-pub/front/frontMembers/collects").row(group, "collects"),
        unimplemented("GET", "/rc-pub/front/frontMembers/isCollect").row(group, "isCollect"),
        unimplemented("DELETE", "/rc-pub/front/frontMembers/unCollectByIdAndType").row(group, "unCollectByIdAndType"),
        unimplemented("POST", "/rc-pub/front/frontMembers/subscribe").row(group, "subscribe"),
        unimplemented("GET", "/rc-pub/front/frontMembers/isSubscribe").row(group, "isSubscribe"),
        unimplemented("DELETE", "/rc-pub/front/frontMembers/unSubscribe").row(group, "unSubscribe"),
        unimplemented("GET", "/rc-pub/front/frontMembers/subscribeList").row(group, "subscribeList"),
        unimplemented("GET", "/rc-pub/front/frontMembers/downloads").row(group, "downloads"),
        unimplemented("GET", "/rc-pub/front/frontMembers/historys").row(group, "historys"),
        unimplemented("GET", "/rc-pub/front/personalAlbum/search").row(albums, "/front/personalAlbum/search"),
        unimplemented("POST", "/rc-pub/front/personalAlbum/saveAlbum").row(albums, "saveAlbum"),
        unimplemented("PUT", "/rc-pub/front/personalAlbum/editAlbum").row(albums, "editAlbum"),
        unimplemented("DELETE", "/rc-pub/front/personalAlbum/delete").row(albums, "delete"),
        unimplemented("GET", "/rc-pub/front/personalAlbum/info").row(albums, "info"),
        unimplemented("POST", "/rc-pub/front/personalAlbum/res/addList").row(albums, "res/addList"),
        unimplemented("DELETE", "/rc-pub/front/personalAlbum/res/delete").row(albums, "res/delete"),
        unimplemented("GET", "/rc-pub/front/personalAlbum/res/search").row(albums, "res/search"),
    ]
}

fn others() -> Vec<Row> {
    let group = "Other";
    let shelf = |path, example| get(path).on(SHELF).of(example);
    vec![
        unimplemented("POST", "/rc-pub/front/files/fileUpload").row(group, "/front/files/fileUpload"),
        unimplemented("GET", "/rc-pub/front/files/getAesKey").row(group, "getAesKey"),
        unimplemented("GET", "/rc-pub/front/files/getPublicKey").row(group, "getPublicKey"),
        get("/rc-pub/front/album/{id}").of("album").row(group, "album"),
        shelf("/rc-pub/front/rc-book/getBookInfo/{id}", "book").row(group, "/front/rc-book/getBookInfo/{id}"),
        get("/rc-pub/front/vod/video/{id}").of("video").row(group, "/front/vod/"),
        get("/rc-pub/front/vod/audio/{id}").of("audio").row(group, "/front/vod/"),
        get("/rc-pub/front/front-news/{id}").of("news").row(group, "/front/front-news/{id}"),
        get("/rc-pub/front/pictures/{pictureId}").of("picture").row(group, "pictures"),
        get("/rc-pub/front/tables/{tableNumber}").of("table").row(group, "tables"),
        shelf("/rc-pub/front/science-document/{id}", "document").row(group, "science documents"),
        get("/rc-pub/front/rankList/detail/{rankId}").of("rank").row(group, "rank lists"),
        shelf("/rc-pub/front/tools/{id}", "tool").row(group, "tools"),
        get("/rc-pub/front/front-topic/list").row(group, "topic lists"),
    ]
}
