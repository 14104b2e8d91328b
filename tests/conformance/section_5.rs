//! Section 5: validation rules.

use crate::{
    call::failure,
    context::OCEAN,
    row::{ACCOUNTS, Row, browser, here, later, line, rust, script},
};

const MENU: &str = "host/web/src/page/menu.rs";

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = rows_1_to_6();
    rows.extend(rows_7_to_9());
    rows.extend(rows_10_to_12());
    rows
}

fn rows_1_to_6() -> Vec<Row> {
    vec![
        line(5, 1, 0xdfe3_db52, "password", vec![later("all rules", ACCOUNTS)]),
        line(5, 2, 0x82b8_6050, "user agreement", vec![later("to register", ACCOUNTS)]),
        line(
            5,
            3,
            0xb8f7_ffe1,
            "phone number",
            vec![rust(
                "a number of the wrong form is refused with the message",
                "host/web/tests/it/gateways/messages.rs",
                "a_code_can_be_sent_once_a_minute",
            )],
        ),
        line(5, 4, 0x9ada_0634, "profile", vec![later("all rules", ACCOUNTS)]),
        line(
            5,
            5,
            0xf534_f714,
            "photo, album cover, information pictures",
            vec![later("all rules", "not built: readers cannot upload files")],
        ),
        line(5, 6, 0xb2c7_f4dc, "subscription", vec![later("all rules", ACCOUNTS)]),
    ]
}

fn rows_7_to_9() -> Vec<Row> {
    vec![
        line(
            5,
            7,
            0xb0dd_1a99,
            "search term",
            vec![
                here("a text without words is refused with the message", |context| {
                    let (status, _, said) = failure(context, OCEAN, "/rc-pub/front/analyze?q=%20&type=article")?;
                    let fits = status == 400 && said[1].contains("Please enter the search term");
                    if fits { Ok(format!("{said:?}")) } else { Err(format!("{status} {said:?}")) }
                }),
                browser("the dialog, and no search", "sites", "an empty search shows a message and does not navigate"),
                script(
                    "its words in Chinese",
                    "plugin-sdk/ui/test/searching.test.tsx",
                    "an empty search opens the dialog of the specification, in %s",
                ),
            ],
        ),
        line(
            5,
            8,
            0xd81e_1e88,
            "operators and phrases",
            vec![
                rust(
                    "uppercase operators, phrases in quotes",
                    "host/search/src/query/parse.rs",
                    "operators_bind_as_documented",
                ),
                rust("terms are combined with AND", "host/web/tests/it/search.rs", "a_query_can_be_analyzed"),
                rust(
                    "what is not is said with its place",
                    "host/web/tests/it/results.rs",
                    "mistakes_of_an_advanced_search_have_their_place",
                ),
            ],
        ),
        line(
            5,
            9,
            0xf9c5_3861,
            "selections, dialog for favourites and albums, batch actions",
            vec![later("all rules", ACCOUNTS)],
        ),
    ]
}

fn rows_10_to_12() -> Vec<Row> {
    vec![
        line(
            5,
            10,
            0xfa24_33e7,
            "custom buttons",
            vec![
                rust(
                    "active, named, at most three",
                    "host/domain/src/site/header.rs",
                    "buttons_are_active_named_in_the_language_and_at_most_three",
                ),
                rust(
                    "the page gets these",
                    "host/web/tests/it/configuration.rs",
                    "the_header_has_switches_logos_and_at_most_three_buttons",
                ),
                browser(
                    "in the header on the screen",
                    "navigation",
                    "logos and pictures follow the width, and the header stays at the top where there is no bar of an article",
                ),
            ],
        ),
        line(
            5,
            11,
            0x1519_c749,
            "channels of the menu",
            vec![
                rust("enabled, named, nested", MENU, "channels_are_filtered_and_nested"),
                rust("every excluded code, children of home and science", MENU, "excluded_channels_are_not_listed"),
                browser(
                    "the configured channels on the screen",
                    "shell",
                    "at 390 px the menu navigates and unlocks the page",
                ),
            ],
        ),
        line(
            5,
            12,
            0xc433_7929,
            "displayed user name",
            vec![
                rust("the mask", "host/web/src/auth/session.rs", "names_are_masked_before_the_last_four"),
                rust(
                    "the page gets the masked name only",
                    "host/web/tests/it/gateways/identity.rs",
                    "a_reader_signs_in_and_out",
                ),
                browser(
                    "the header shows it",
                    "shell",
                    "the header of a signed-in reader shifts nothing, and axe has no finding",
                ),
            ],
        ),
    ]
}
