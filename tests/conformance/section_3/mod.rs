//! Section 3: entities and their fields. An entity is read through the calls that return it.

mod article;
pub mod configuration;
mod resources;

use crate::row::{Row, here, later, line, rust, script};

/// The rows.
pub fn rows() -> Vec<Row> {
    let accounts = "not built: readers have no accounts; the calls answer 501 (7.25)";
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
        line(3, 15, 0xd310_e47a, "user profile", vec![later("the fields of a profile", accounts)]),
        line(3, 16, 0xcb93_4c90, "subscription", vec![later("the fields of a subscription", accounts)]),
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
                later("userName, commonToken, aesPassword", "not built: a session is one signed cookie"),
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
