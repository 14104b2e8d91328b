//! Section 6: roles and permissions.

use crate::{
    row::{Row, browser, here, later, line, rust, script},
    section_3::configuration::permissions,
};

/// The rows.
pub fn rows() -> Vec<Row> {
    let sites = "host/web/tests/it/sites.rs";
    let navigation = "ui-modules/nav-default/test/view.test.tsx";
    vec![
        line(
            6,
            1,
            0x087b_0fcd,
            "visitors and members",
            vec![
                browser("visitors search", "sites", "plugins rewrite the links of search results"),
                rust(
                    "downloads ask to sign in where they are closed",
                    "host/web/tests/it/article_calls.rs",
                    "downloads_need_the_permission",
                ),
                rust(
                    "and lead to the sign-in",
                    "host/web/tests/it/accounts.rs",
                    "a_reader_of_a_closed_article_is_led_to_the_sign_in_and_back",
                ),
                rust("so do full texts", sites, "full_texts_are_closed_to_readers_from_unlisted_hosts"),
                rust(
                    "the cookie userName tells members to scripts, the session to the host",
                    "host/web/tests/it/sign_in/sessions.rs",
                    "the_session_is_a_cookie_that_scripts_cannot_read_beside_a_name_that_they_can",
                ),
                rust(
                    "downloads and full texts require login where the site says so",
                    "host/web/tests/it/site_access.rs",
                    "the_configuration_decides_who_reads_and_who_downloads",
                ),
                browser(
                    "in a browser",
                    "members",
                    "a visitor is led from a restricted article to the registration, and reads it as a member",
                ),
            ],
        ),
        line(
            6,
            2,
            0xb421_5886,
            "person icon",
            vec![
                script("its address with a name", navigation, "leads a signed-in reader to the personal centre"),
                script(
                    "its address without",
                    navigation,
                    "shows name, channels, buttons and sign-in, and axe finds nothing",
                ),
                rust(
                    "/login and /personal",
                    "host/web/tests/it/accounts.rs",
                    "every_account_page_has_its_forms_and_leads_back",
                ),
            ],
        ),
        line(
            6,
            3,
            0x564f_49d5,
            "site permissions",
            vec![
                here("both come from the check", permissions),
                rust("pages and calls obey them", sites, "full_texts_are_closed_to_readers_from_unlisted_hosts"),
            ],
        ),
        line(
            6,
            4,
            0xf192_ef65,
            "token in the address after binding",
            vec![later(
                "stored in cookies",
                "not built: the host sets the cookies itself, and takes no token from an address",
            )],
        ),
        line(
            6,
            5,
            0x06eb_cc44,
            "translation for unauthorized users",
            vec![
                rust(
                    "the message of the call",
                    "host/web/tests/it/gateways/translation.rs",
                    "texts_are_translated_through_the_gateway",
                ),
                browser(
                    "the message on the screen",
                    "plugins",
                    "a section is translated, and a failure is reported, ${width} px",
                ),
            ],
        ),
        line(
            6,
            6,
            0x064e_da97,
            "expired site",
            vec![rust("the message", "host/web/tests/it/pages.rs", "an_unavailable_site_states_the_reason")],
        ),
    ]
}
