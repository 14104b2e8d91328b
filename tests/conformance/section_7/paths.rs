//! Lines 22 to 27 of section 7: the tables of paths. The specification names no methods, so reading is GET, removing DELETE, changing
//! PUT, and everything else POST. One part for each path, in the order of the specification.

use crate::{
    call::get,
    context::SHELF,
    row::{Part, Row, line, rust},
};

const SIGN_IN: &str = "host/web/tests/it/sign_in/mod.rs";
const SESSIONS: &str = "host/web/tests/it/sign_in/sessions.rs";
const IDENTITIES: &str = "host/web/tests/it/identities/mod.rs";
const LISTS: &str = "host/web/tests/it/personal/lists.rs";
const ALBUMS: &str = "host/web/tests/it/personal/albums.rs";
const PROFILE: &str = "host/web/tests/it/personal/profile.rs";
const ALERTS: &str = "host/web/tests/it/alerts.rs";

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
        rust("/api/login", SIGN_IN, "a_reader_registers_and_signs_in_by_password_and_by_code"),
        rust("logout", SESSIONS, "signing_out_ends_the_session_in_every_tab"),
        rust("register", SIGN_IN, "a_reader_registers_and_signs_in_by_password_and_by_code"),
        rust(
            "isRegistered",
            "host/web/tests/it/sign_in/enumeration.rs",
            "whether_a_number_is_registered_is_told_to_its_owner_only",
        ),
        rust("sendReceiverMessage", SIGN_IN, "codes_need_a_captcha_and_wait_a_minute"),
        rust("loginByMessage", SIGN_IN, "a_reader_registers_and_signs_in_by_password_and_by_code"),
        rust("setNewPwd", SIGN_IN, "a_forgotten_password_is_reset_with_a_code"),
        rust("changePwd", SESSIONS, "a_changed_password_gives_the_session_another_token_and_ends_the_others"),
        rust("changeMobile", SESSIONS, "a_new_number_needs_its_code_and_the_password"),
        rust("thirdBind", IDENTITIES, "a_reader_binds_an_identity_to_an_account_and_signs_in_with_it"),
        rust("loginByThirdLoginUrl", IDENTITIES, "a_client_signs_in_by_calls"),
        rust("getUmtLoginUrl", IDENTITIES, "a_client_signs_in_by_calls"),
        rust("/index/login/captcha.do", SIGN_IN, "the_picture_of_a_captcha_is_served_on_its_own"),
        rust("/api/captcha", SIGN_IN, "codes_need_a_captcha_and_wait_a_minute"),
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
        rust("/front/frontMembers/info", PROFILE, "a_profile_is_saved_and_read_with_the_number_masked"),
        rust("saveInfo", PROFILE, "a_profile_is_saved_and_read_with_the_number_masked"),
        rust("collect", LISTS, "what_a_member_collects_is_in_the_member_s_list_alone"),
        rust("collects", LISTS, "what_a_member_collects_is_in_the_member_s_list_alone"),
        rust("isCollect", LISTS, "what_a_member_collects_is_in_the_member_s_list_alone"),
        rust("unCollectByIdAndType", LISTS, "what_a_member_collects_is_in_the_member_s_list_alone"),
        rust("subscribe", ALERTS, "a_reader_subscribes_is_told_once_and_unsubscribes_with_one_request"),
        rust("isSubscribe", ALERTS, "the_list_of_subscriptions_is_the_members_own"),
        rust("unSubscribe", ALERTS, "the_list_of_subscriptions_is_the_members_own"),
        rust("subscribeList", ALERTS, "the_list_of_subscriptions_is_the_members_own"),
        rust("downloads", LISTS, "what_a_member_opens_and_downloads_is_in_the_member_s_history"),
        rust("historys", LISTS, "what_a_member_opens_and_downloads_is_in_the_member_s_history"),
    ]
}

fn albums() -> Vec<Part> {
    vec![
        rust("/front/personalAlbum/search", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("saveAlbum", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("editAlbum", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("delete", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("info", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("res/addList", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("res/delete", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
        rust("res/search", ALBUMS, "a_member_makes_fills_changes_and_deletes_albums"),
    ]
}

fn others() -> Vec<Part> {
    let shelf = |path, example| get(path).on(SHELF).of(example);
    vec![
        rust("/front/files/fileUpload", PROFILE, "a_picture_is_decoded_written_anew_and_returned_to_its_owner_alone"),
        rust("getAesKey", SIGN_IN, "keys_are_given_in_the_forms_of_webcrypto"),
        rust("getPublicKey", SIGN_IN, "keys_are_given_in_the_forms_of_webcrypto"),
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
