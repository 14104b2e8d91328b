//! Section 3: entities and their fields. An entity is read through the calls that return it.

mod article;
pub mod configuration;
mod resources;

use crate::row::{Row, here, later, line, rust, script};

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut period = vec![resources::period()];
    period.extend(configuration::aggregated());
    vec![
        line(3, 1, 0xdbd4_fdd7, "article", article::article()),
        line(3, 2, 0xbc4d_a2a1, "article body and content nodes", article::body()),
        line(3, 3, 0x1473_c450, "site", configuration::site()),
        line(3, 4, 0x8acc_8ff4, "theme colour", configuration::theme()),
        line(3, 5, 0x2dfa_e336, "header configuration", configuration::header()),
        line(3, 6, 0xccf1_bd68, "custom button", configuration::button()),
        line(3, 7, 0xcedc_735e, "channel", configuration::channel()),
        line(3, 8, 0x67e1_27d9, "menu item", configuration::menu()),
        line(3, 9, 0x5d27_2d81, "footer configuration", configuration::footer()),
        line(3, 10, 0x9e39_e2fc, "content items, news, virtual collection", resources::kinds()),
        line(3, 11, 0x8545_b3e0, "album", resources::album()),
        line(3, 12, 0x070f_f8a3, "search fields of figures, tables and video", resources::figure_and_video_fields()),
        line(3, 13, 0x501e_adb7, "periodical and journal info", resources::periodical()),
        line(3, 14, 0x9280_bedc, "book", resources::book()),
        line(
            3,
            15,
            0xd310_e47a,
            "user profile",
            vec![
                rust(
                    "the fields of a profile",
                    "host/web/tests/it/personal/profile.rs",
                    "a_profile_is_saved_and_read_with_the_number_masked",
                ),
                script(
                    "on the screen",
                    "ui-shell/test/personalAccount.test.tsx",
                    "is saved with the photo, whose kind and size are checked before it is sent",
                ),
            ],
        ),
        line(
            3,
            16,
            0xcb93_4c90,
            "subscription",
            vec![
                rust(
                    "the fields of a subscription",
                    "host/web/tests/it/alerts.rs",
                    "every_field_of_a_subscription_is_checked_with_its_message",
                ),
                script("on the screen", "ui-shell/test/personalAccount.test.tsx", "to a column name it"),
            ],
        ),
        line(3, 17, 0xaa0c_562c, "period, permissions, search configuration, counts, functions", period),
        line(3, 18, 0x0830_9774, "search fields and sort keys of articles", resources::article_fields()),
        line(
            3,
            19,
            0x58c1_d671,
            "local storage and cookies",
            vec![
                rust(
                    "the cookie language decides",
                    "host/web/src/page/language.rs",
                    "the_cookie_takes_precedence_over_accept_language",
                ),
                rust(
                    "userName",
                    "host/web/tests/it/sign_in/sessions.rs",
                    "the_session_is_a_cookie_that_scripts_cannot_read_beside_a_name_that_they_can",
                ),
                later(
                    "commonToken, aesPassword",
                    "not built: scripts can read neither the session nor a key, which is asked for when a password is sent",
                ),
                here("what the other entries hold is in the page", crate::section_7::in_the_page),
                script(
                    "entries of a search form are reset",
                    "ui-shell/test/later.test.tsx",
                    "of a search form is reset after a navigation, and the condition is all again",
                ),
                script(
                    "what a new search clears",
                    "ui-shell/test/later.test.tsx",
                    "of the results is cleared by a new search, not by another page of the same one",
                ),
            ],
        ),
        line(3, 20, 0x114a_3840, "editorial roles", vec![here("labels in both languages", resources::roles)]),
    ]
}
