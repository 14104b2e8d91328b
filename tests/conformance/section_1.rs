//! Section 1: what the product does and for whom.

use crate::{
    context::{Context, OTHER},
    row::{CheckResult, Row, browser, here, line, rust},
    section_4::without_language,
};

/// A demo site offers all languages of the specification.
fn nine_languages(context: &Context) -> CheckResult {
    let home = context.portal.bootstrap(OTHER, "/kor/home/");
    let languages = home["languages"].as_array().cloned().unwrap_or_default();
    let codes: Vec<&str> = languages.iter().filter_map(|one| one["code"].as_str()).collect();
    let missing: Vec<&str> = "zh en ru ara spa fra de jp kor".split(' ').filter(|code| !codes.contains(code)).collect();
    if home["lang"] == "kor" && missing.is_empty() {
        Ok(codes.join(", "))
    } else {
        Err(format!("a page in {} without {missing:?}", home["lang"]))
    }
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let special = "host/web/tests/it/special_sites.rs";
    let translation = "host/web/tests/it/gateways/translation.rs";
    vec![
        line(
            1,
            1,
            0x5bb6_fa0d,
            "what visitors do",
            vec![
                browser("search", "sites", "plugins rewrite the links of search results"),
                browser(
                    "browse an issue and open an article",
                    "shell",
                    "navigation keeps the document, moves the focus to the heading, and Back restores the position",
                ),
                browser("read an article", "reader", "an article is readable without scripts"),
                rust(
                    "all parts of an article, expert comments among them",
                    "host/documents/tests/documents/fixture.rs",
                    "sections_stand_in_the_readers_order",
                ),
                browser(
                    "collect favourites",
                    "members",
                    "what the member reads, downloads and collects is in the personal centre",
                ),
                browser(
                    "build albums",
                    "members",
                    "an album gets a cover and the entries that were selected in an issue, at most five",
                ),
                browser(
                    "subscribe",
                    "members",
                    "subscribers by keyword get one mail for a new article, and one of them ends it with one click",
                ),
                browser("log in", "members", "signing in works by password, by code and by passkey"),
            ],
        ),
        line(
            1,
            2,
            0x65fa_d665,
            "personal centre of registered users",
            vec![
                browser(
                    "favourites, downloads",
                    "members",
                    "what the member reads, downloads and collects is in the personal centre",
                ),
                browser(
                    "albums",
                    "members",
                    "an album gets a cover and the entries that were selected in an issue, at most five",
                ),
                browser(
                    "profile",
                    "members",
                    "the profile keeps what was written, and refuses what the specification refuses",
                ),
                browser("account security", "members", "signing in works by password, by code and by passkey"),
            ],
        ),
        line(
            1,
            3,
            0x1fa8_b830,
            "languages of the interface, bilingual articles, machine translation",
            vec![
                here("Chinese for a reader who has chosen nothing", without_language),
                rust(
                    "English where a message is missing",
                    "host/web/src/i18n.rs",
                    "missing_messages_fall_back_to_english",
                ),
                rust(
                    "other languages by site",
                    "host/web/tests/it/pages.rs",
                    "a_page_links_to_its_versions_in_every_language_of_the_site",
                ),
                here("all nine on one site", nine_languages),
                browser(
                    "the shell in another language",
                    "plugins",
                    "an article of the multilingual site is read in another language, ${width} px",
                ),
                rust(
                    "section texts in seven languages, only if the flag is 1",
                    translation,
                    "texts_are_translated_through_the_gateway",
                ),
                browser(
                    "Chinese is offered first",
                    "plugins",
                    "a section is translated, and a failure is reported, ${width} px",
                ),
                browser(
                    "article text in Chinese or English",
                    "article",
                    "on a phone, each paragraph is followed by its translation, and the links choose one language",
                ),
            ],
        ),
        line(
            1,
            4,
            0x7090_bbc5,
            "differences between sites",
            vec![
                rust(
                    "each site has its colour id",
                    "host/web/tests/it/sites.rs",
                    "sites_have_their_own_names_colours_and_content",
                ),
                rust(
                    "eleven presets",
                    "host/web/tests/it/configuration.rs",
                    "eleven_theme_presets_are_listed_and_served_as_style_sheets",
                ),
                browser(
                    "header, search and footer",
                    "sites",
                    "${site.sld} has its own header, search, footer and links",
                ),
                browser(
                    "every preset on the screen",
                    "looks",
                    "all eleven presets have enough contrast on light and on dark paper",
                ),
                browser("the logo on the screen", "looks", "the logo is that of the language, the width and the paper"),
                rust(
                    "a group site navigates differently",
                    "host/web/tests/it/navigation.rs",
                    "a_group_site_leads_to_the_open_sites_of_its_group",
                ),
                rust(
                    "time zone Asia/Shanghai by default",
                    "host/config/src/tests.rs",
                    "conditions_that_no_search_accepts_and_unknown_time_zones_are_rejected",
                ),
                rust("times are written in the time zone", "host/web/tests/it/looks.rs", "times_are_those_of_the_site"),
                rust(
                    "days begin in the time zone",
                    "host/web/src/usage/tests.rs",
                    "days_begin_at_midnight_of_the_sites_time_zone",
                ),
            ],
        ),
        line(
            1,
            5,
            0x55eb_9a6d,
            "assistant on the home page of seven sites",
            vec![
                browser(
                    "the button opens the panel on the home page",
                    "shell",
                    "the assistant opens above its button, moves nothing, closes by Escape, and leaves with its page",
                ),
                rust("exactly the sites that are named", special, "every_behaviour_is_shown_by_exactly_its_sites"),
                rust(
                    "the configuration exists on these sites only",
                    "host/web/tests/it/configuration.rs",
                    "the_assistant_is_described_only_on_sites_that_have_one",
                ),
                browser(
                    "other sites do not show it",
                    "plugins",
                    "sites without these plugins do not show their features",
                ),
            ],
        ),
        line(
            1,
            6,
            0xe713_67f6,
            "grey display",
            vec![
                browser(
                    "types 0, 1 and others",
                    "looks",
                    "grey mode is one filter: on the page, on the index element, or nowhere",
                ),
                browser(
                    "fixed elements stay at the window",
                    "looks",
                    "on a grey page, fixed elements stay at the window, and navigation keeps the grey",
                ),
                rust("in every document", "host/web/tests/it/looks.rs", "pages_say_how_grey_they_are"),
            ],
        ),
    ]
}
