//! Lines 22 to 27 of section 7: the tables of paths. The specification names no methods, so reading is GET, removing DELETE, changing
//! PUT, and everything else POST. One part for each path, in the order of the specification.

use crate::{
    call::{get, unimplemented},
    context::SHELF,
    row::{Part, Row, line, rust},
};

/// The tests of sign-in at identity providers.
const IDENTITIES: &str = "host/web/tests/it/identities/mod.rs";

/// The rows.
pub fn rows() -> Vec<Row> {
    vec![
        line(7, 22, 0x29f2_74e2, "paths: auth", accounts()),
        line(7, 23, 0xa494_4ec1, "paths: articles", articles()),
        line(7, 24, 0x2316_1d82, "paths: publications", publications()),
        line(7, 25, 0xc25f_d69c, "paths: member", members()),
        line(7, 26, 0xda67_3bbd, "paths: personal albums", albums()),
        line(7, 27, 0x4f15_f5b1, "paths: other", others()),
    ]
}

fn accounts() -> Vec<Part> {
    vec![
        rust(
            "/api/login",
            "host/web/tests/it/sign_in/mod.rs",
            "a_reader_registers_and_signs_in_by_password_and_by_code",
        ),
        rust("logout", "host/web/tests/it/sign_in/sessions.rs", "signing_out_ends_the_session_in_every_tab"),
        rust("register", "host/web/tests/it/sign_in/mod.rs", "every_rule_of_a_registration_has_its_message"),
        rust(
            "isRegistered",
            "host/web/tests/it/sign_in/enumeration.rs",
            "whether_a_number_is_registered_is_told_to_its_owner_only",
        ),
        rust("sendReceiverMessage", "host/web/tests/it/sign_in/mod.rs", "codes_need_a_captcha_and_wait_a_minute"),
        rust(
            "loginByMessage",
            "host/web/tests/it/sign_in/mod.rs",
            "a_reader_registers_and_signs_in_by_password_and_by_code",
        ),
        rust("setNewPwd", "host/web/tests/it/sign_in/mod.rs", "a_forgotten_password_is_reset_with_a_code"),
        rust(
            "changePwd",
            "host/web/tests/it/sign_in/sessions.rs",
            "a_changed_password_gives_the_session_another_token_and_ends_the_others",
        ),
        rust("changeMobile", "host/web/tests/it/sign_in/sessions.rs", "a_new_number_needs_its_code_and_the_password"),
        rust("thirdBind", IDENTITIES, "a_reader_binds_an_identity_to_an_account_and_signs_in_with_it"),
        rust("loginByThirdLoginUrl", IDENTITIES, "a_client_signs_in_by_calls"),
        rust("getUmtLoginUrl", IDENTITIES, "a_client_signs_in_by_calls"),
        rust(
            "/index/login/captcha.do",
            "host/web/tests/it/sign_in/mod.rs",
            "the_picture_of_a_captcha_is_served_on_its_own",
        ),
        rust("/api/captcha", "host/web/tests/it/sign_in/mod.rs", "the_picture_of_a_captcha_is_served_on_its_own"),
    ]
}

fn articles() -> Vec<Part> {
    let found = "q=carbon&type=article";
    let asked = "type=article&conditions=%5B%7B%22field%22:%22resName_tic%22,%22value%22:%22carbon%22%7D%5D";
    vec![
        get("/rc-pub/front/search").query(found).part("/front/search"),
        get("/rc-pub/front/search/clusters").query(found).part("search/clusters"),
        get("/rc-pub/front/advSearch").query(asked).part("advSearch"),
        get("/rc-pub/front/advSearch/clusters").query(asked).part("advSearch/clusters"),
        get("/rc-pub/front/front-article/{id}").of("article").part("front-article/{id}"),
        get("/rc-pub/front/front-article/download")
            .query("id={article}&type=xml")
            .own()
            .file("application/xml")
            .part("download"),
        get("/rc-pub/front/front-article/advancedSearch").query(asked).part("advancedSearch"),
        get("/rc-pub/front/front-article/quickSearch").query("q=carbon").part("quickSearch"),
        get("/rc-pub/front/front-article/getAttachTypes").query("id={article}").own().part("getAttachTypes"),
        get("/rc-pub/front/front-article/getHtml").query("id={article}").own().part("getHtml"),
        get("/rc-pub/front/front-article/getReference").query("id={article}").own().part("getReference"),
        get("/rc-pub/front/front-article/getStatistics").query("id={article}").own().part("getStatistics"),
        get("/rc-pub/front/front-article/getArticleByDoi")
            .query("doi=10.5555/ocl.2026.06.01.0001")
            .own()
            .part("getArticleByDoi"),
        get("/rc-pub/front/front-article/getFirstPublishArticles").part("getFirstPublishArticles"),
        get("/rc-pub/front/front-article/getColumnTree").part("getColumnTree"),
        get("/rc-pub/front/front-article/getJumpUrl").query("id={article}").own().part("getJumpUrl"),
        get("/rc-pub/front/front-article/relationAuthor").query("id={article}").own().part("relations for author"),
        get("/rc-pub/front/front-article/relationFund").query("id={article}").own().part("fund"),
        get("/rc-pub/front/front-article/relationOrg").query("id={article}").own().part("org"),
        get("/rc-pub/front/front-article/relationArticle").query("id={article}").own().part("article"),
    ]
}

fn publications() -> Vec<Part> {
    vec![
        get("/rc-pub/front/front-publication/search").query("q=ocean").part("/front/front-publication/search"),
        get("/rc-pub/front/front-publication/detail/{publicationId}").of("journal").part("detail/{id}"),
        get("/rc-pub/front/front-publication/clusters").query("q=ocean").part("clusters"),
        get("/rc-pub/front/front-period/getPeriodTree").part("front-period getPeriodTree"),
        get("/rc-pub/front/front-period/getFirstTwoPeriods").part("getFirstTwoPeriods"),
        get("/rc-pub/front/front-period/getPageByPeriodId").query("periodId={period}").own().part("getPageByPeriodId"),
    ]
}

fn members() -> Vec<Part> {
    vec![
        unimplemented("GET", "/rc-pub/front/frontMembers/info").part("/front/frontMembers/info"),
        unimplemented("PUT", "/rc-pub/front/frontMembers/saveInfo").part("saveInfo"),
        unimplemented("POST", "/rc-pub/front/frontMembers/collect").part("collect"),
        unimplemented("GET", "/rc-pub/front/frontMembers/collects").part("collects"),
        unimplemented("GET", "/rc-pub/front/frontMembers/isCollect").part("isCollect"),
        unimplemented("DELETE", "/rc-pub/front/frontMembers/unCollectByIdAndType").part("unCollectByIdAndType"),
        unimplemented("POST", "/rc-pub/front/frontMembers/subscribe").part("subscribe"),
        unimplemented("GET", "/rc-pub/front/frontMembers/isSubscribe").part("isSubscribe"),
        unimplemented("DELETE", "/rc-pub/front/frontMembers/unSubscribe").part("unSubscribe"),
        unimplemented("GET", "/rc-pub/front/frontMembers/subscribeList").part("subscribeList"),
        unimplemented("GET", "/rc-pub/front/frontMembers/downloads").part("downloads"),
        unimplemented("GET", "/rc-pub/front/frontMembers/historys").part("historys"),
    ]
}

fn albums() -> Vec<Part> {
    vec![
        unimplemented("GET", "/rc-pub/front/personalAlbum/search").part("/front/personalAlbum/search"),
        unimplemented("POST", "/rc-pub/front/personalAlbum/saveAlbum").part("saveAlbum"),
        unimplemented("PUT", "/rc-pub/front/personalAlbum/editAlbum").part("editAlbum"),
        unimplemented("DELETE", "/rc-pub/front/personalAlbum/delete").part("delete"),
        unimplemented("GET", "/rc-pub/front/personalAlbum/info").part("info"),
        unimplemented("POST", "/rc-pub/front/personalAlbum/res/addList").part("res/addList"),
        unimplemented("DELETE", "/rc-pub/front/personalAlbum/res/delete").part("res/delete"),
        unimplemented("GET", "/rc-pub/front/personalAlbum/res/search").part("res/search"),
    ]
}

fn others() -> Vec<Part> {
    let shelf = |path, example| get(path).on(SHELF).of(example);
    vec![
        unimplemented("POST", "/rc-pub/front/files/fileUpload").part("/front/files/fileUpload"),
        rust("getAesKey", "host/web/tests/it/sign_in/mod.rs", "keys_are_given_in_the_forms_of_webcrypto"),
        rust("getPublicKey", "host/web/tests/it/sign_in/mod.rs", "keys_are_given_in_the_forms_of_webcrypto"),
        get("/rc-pub/front/album/{id}").of("album").part("album"),
        shelf("/rc-pub/front/rc-book/getBookInfo/{id}", "book").part("/front/rc-book/getBookInfo/{id}"),
        get("/rc-pub/front/vod/video/{id}").of("video").part("/front/vod/"),
        get("/rc-pub/front/vod/audio/{id}").of("audio").part("/front/vod/"),
        get("/rc-pub/front/front-news/{id}").of("news").part("/front/front-news/{id}"),
        get("/rc-pub/front/pictures/{pictureId}").of("picture").part("pictures"),
        get("/rc-pub/front/tables/{tableNumber}").of("table").part("tables"),
        shelf("/rc-pub/front/science-document/{id}", "document").part("science documents"),
        get("/rc-pub/front/rankList/detail/{rankId}").of("rank").part("rank lists"),
        shelf("/rc-pub/front/tools/{id}", "tool").part("tools"),
        get("/rc-pub/front/front-topic/list").part("topic lists"),
    ]
}
