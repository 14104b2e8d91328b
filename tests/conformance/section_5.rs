//! Section 5: validation rules.

use crate::{
    call::failure,
    context::OCEAN,
    row::{Row, browser, here, line, rust, script},
};

const ACCOUNT: &str = "ui-shell/test/account.test.tsx";
const PERSONAL: &str = "ui-shell/test/personal.test.tsx";
const PERSONAL_ACCOUNT: &str = "ui-shell/test/personalAccount.test.tsx";
const PROFILE: &str = "host/web/tests/it/personal/profile.rs";
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
        line(
            5,
            1,
            0xdfe3_db52,
            "password",
            vec![
                rust("all rules", "host/accounts/src/password/rules.rs", "every_rule_of_the_specification_is_checked"),
                script(
                    "the messages on the screen, and the confirmation",
                    ACCOUNT,
                    "keeps the rules of the specification, each with its words",
                ),
                script(
                    "another password than before",
                    ACCOUNT,
                    "changes the password for one that differs, and empties the form",
                ),
                script(
                    "a change is advised after three months",
                    ACCOUNT,
                    "shows where codes go, what the account has, and offers what it has not",
                ),
            ],
        ),
        line(
            5,
            2,
            0x82b8_6050,
            "user agreement",
            vec![
                rust(
                    "the call refuses without",
                    "host/web/tests/it/sign_in/mod.rs",
                    "every_rule_of_a_registration_has_its_message",
                ),
                script("so does the form", ACCOUNT, "is made with the agreement, by e-mail or mobile number"),
            ],
        ),
        line(
            5,
            3,
            0xb8f7_ffe1,
            "phone number",
            vec![rust(
                "a number of the wrong form is refused with the message",
                "host/web/tests/it/sign_in/mod.rs",
                "every_rule_of_a_registration_has_its_message",
            )],
        ),
        line(
            5,
            4,
            0x9ada_0634,
            "profile",
            vec![
                rust("of the call, with the messages", PROFILE, "every_rule_has_the_message_of_the_specification"),
                script(
                    "of the form, with the same messages",
                    PERSONAL_ACCOUNT,
                    "needs name, e-mail and research field in the right form, and says so with the words of the specification",
                ),
                script(
                    "verification code",
                    PERSONAL_ACCOUNT,
                    "takes another e-mail address only with the code that was sent to it",
                ),
            ],
        ),
        line(
            5,
            5,
            0xf534_f714,
            "photo, album cover, information pictures",
            vec![
                rust("by their content", PROFILE, "what_is_no_picture_is_refused_whatever_it_is_called"),
                script(
                    "photo, and a picture that is none",
                    PERSONAL_ACCOUNT,
                    "is saved with the photo, whose kind and size are checked before it is sent",
                ),
                script(
                    "album cover",
                    PERSONAL,
                    "need a name, and a cover of the right kind and size, which is sent at once",
                ),
            ],
        ),
        line(
            5,
            6,
            0xb2c7_f4dc,
            "subscription",
            vec![
                rust(
                    "of the call, with the messages",
                    "host/web/tests/it/alerts.rs",
                    "every_field_of_a_subscription_is_checked_with_its_message",
                ),
                script(
                    "of the dialog",
                    PERSONAL_ACCOUNT,
                    "need an e-mail address, a code, and keywords where they are by keyword",
                ),
                script(
                    "keywords separated by semicolon",
                    PERSONAL,
                    "keywords are separated by semicolons of any script",
                ),
            ],
        ),
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
            vec![
                rust(
                    "at most five, by the call",
                    "host/web/tests/it/personal/lists.rs",
                    "a_selection_has_one_to_five_items_of_the_site",
                ),
                script(
                    "at most five in lists of a member, and none",
                    PERSONAL,
                    "are selected at most five at a time, and an action without a selection says so",
                ),
                script(
                    "at most five in lists of the site",
                    "ui-shell/test/memberActions.test.tsx",
                    "entries of a list are selected, five at most, also those that are appended, and added",
                ),
                script("the dialog", PERSONAL, "needs favourites or albums, and one of the albums"),
            ],
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
                    "menus",
                    "the menu of ${sld} leads through the site on ${name}, in ${lang}, without another document",
                ),
            ],
        ),
        line(
            5,
            12,
            0xc433_7929,
            "displayed user name",
            vec![
                rust(
                    "the mask",
                    "host/domain/src/member/names.rs",
                    "the_four_characters_before_the_last_four_are_masked",
                ),
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
