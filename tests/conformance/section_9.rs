//! Section 9: business constants and limits.

use crate::{
    context::{Context, OCEAN},
    row::{CheckResult, Row, browser, here, later, line, rust, script},
};

const RESULTS: &str = "host/web/tests/it/results.rs";

/// The default sizes of pages.
fn sizes(context: &Context) -> CheckResult {
    let hits = context.data(OCEAN, "/rc-pub/front/search?q=carbon", "en")?;
    let words = context.data(OCEAN, "/rc-pub/front/hisSearch/hotWords", "en")?;
    let words = words["content"].as_array().map(Vec::len).unwrap_or_default();
    if hits["size"] == 20 && (1..=10).contains(&words) {
        Ok(format!("pages of {} hits, {words} hot words", hits["size"]))
    } else {
        Err(format!("pages of {} hits, {words} hot words", hits["size"]))
    }
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = limits();
    rows.extend(constants());
    rows
}

fn limits() -> Vec<Row> {
    let guards = "ui-shell/test/guards.test.tsx";
    vec![
        line(
            9,
            1,
            0xdf6c_7e40,
            "times and thresholds",
            vec![
                script("reload guard 60 s", guards, "a part that is gone loads the document again, once a minute"),
                script(
                    "login after 1.1 s",
                    guards,
                    "an answer 401 is told, and leads to the sign-in after 1.1 s, once",
                ),
                script(
                    "back to top from 300 and 400 px",
                    guards,
                    "the way to the top is shown after 300 px, or 400 px on a narrow window, and takes 500 ms",
                ),
                script(
                    "time limit of 600 s",
                    "plugin-sdk/ui/test/client.test.ts",
                    "a call ends after 600 s, or when it is given up",
                ),
                script(
                    "a change of language is in place, without a reload",
                    "ui-shell/test/shell.test.tsx",
                    "switches the language in place",
                ),
            ],
        ),
        line(
            9,
            2,
            0x6f46_4f3b,
            "limits of readers' input, custom buttons",
            vec![
                rust(
                    "at most three custom buttons",
                    "host/domain/src/site/header.rs",
                    "buttons_are_active_named_in_the_language_and_at_most_three",
                ),
                rust(
                    "password of 8 to 20 characters",
                    "host/accounts/src/password/rules.rs",
                    "lengths_are_counted_in_characters",
                ),
                script(
                    "photo, album cover",
                    "ui-shell/test/personal.test.tsx",
                    "pictures are limited by kind and size",
                ),
                rust(
                    "five selections",
                    "host/web/tests/it/personal/lists.rs",
                    "a_selection_has_one_to_five_items_of_the_site",
                ),
            ],
        ),
        line(
            9,
            3,
            0x0c16_e350,
            "sorting, filters, ranking windows",
            vec![
                rust(
                    "sort keys, update time among them, and filters by year",
                    "host/web/tests/it/search.rs",
                    "hits_are_sorted_filtered_and_counted",
                ),
                rust("ranking windows", "host/web/tests/it/usage_statistics.rs", "rank_lists_cover_their_period"),
                rust("sorts on the screen", RESULTS, "every_sort_is_an_address"),
                rust(
                    "lists of resources by views",
                    "host/web/tests/it/resource_pages.rs",
                    "a_list_is_sorted_by_the_views_of_pages",
                ),
                rust("years on the screen", RESULTS, "windows_of_years_end_with_the_present_one"),
                rust(
                    "ranking windows on the home page",
                    "host/web/tests/it/home.rs",
                    "rankings_have_the_measures_and_windows_of_the_specification",
                ),
                rust(
                    "articles in every window of a fresh demo",
                    "host/cli/tests/it/demo.rs",
                    "a_fresh_demo_has_rankings_accepted_articles_and_every_category_of_resources",
                ),
            ],
        ),
        line(
            9,
            4,
            0x3062_1b94,
            "page sizes",
            vec![
                here("search, hot words", sizes),
                rust("search on the screen", RESULTS, "results_are_paged_with_twenty_hits"),
                rust("search", "host/web/tests/it/search.rs", "pages_have_twenty_hits_and_paging_ends_with_an_error"),
                rust("expert list", "host/web/tests/it/resources.rs", "the_expert_list_is_a_list_of_pages"),
            ],
        ),
    ]
}

fn constants() -> Vec<Row> {
    vec![
        line(
            9,
            5,
            0xee9b_9010,
            "sizes on the screen",
            vec![
                browser(
                    "popover of 450 px",
                    "shell",
                    "a reference opens by hovering, 450 px wide, and closes when the pointer leaves",
                ),
                browser(
                    "classes 720p and 1080p",
                    "looks",
                    "a screen of ${size.width} by ${size.height} at ${deviceScaleFactor} has the class ${name}, and nothing moves when it comes",
                ),
                script("96 dpi by default", "ui-shell/test/screen.test.ts", "knows %s"),
                browser(
                    "edge threshold 225 px",
                    "shell",
                    "a popover is centred over its reference, and stays inside of the window within 225 px of its edges",
                ),
                browser(
                    "height and borders of tables",
                    "shell",
                    "a table is 600 px high at most, and its lines are 1 px, 2 px outside, 3 px where they are double",
                ),
            ],
        ),
        line(
            9,
            6,
            0xd1e9_98c2,
            "resource types, dashboard",
            vec![
                later("sequence of the resource types", "not built: no call takes the numbers"),
                rust(
                    "dashboard categories",
                    "host/web/tests/it/home.rs",
                    "statistics_are_the_numbers_of_the_call_as_a_table_with_bars",
                ),
                rust(
                    "chart units",
                    "host/web/src/page/content/home/statistics.rs",
                    "numbers_are_shown_in_pieces_or_in_ten_thousands",
                ),
                rust(
                    "music and local chronicle",
                    "host/web/src/page/content/home/statistics.rs",
                    "sheet_music_and_local_history_are_categories_of_their_own",
                ),
                rust(
                    "every category in the chart of a demo site",
                    "host/cli/tests/it/demo.rs",
                    "a_fresh_demo_has_rankings_accepted_articles_and_every_category_of_resources",
                ),
                later("search component types", "not built: a widget takes the scopes of its site"),
            ],
        ),
        line(
            9,
            7,
            0xd3b2_5fe2,
            "component version, prefetching",
            vec![
                later("component version", "the specification says `{ip}` of it, and nothing else"),
                script(
                    "idle time limit of 2 s",
                    "ui-shell/test/later.test.tsx",
                    "come when the browser is idle, one after the other, and none after one that may not be kept",
                ),
                script(
                    "none on 2G or with data saving",
                    "ui-shell/test/later.test.tsx",
                    "are none where data is to be saved (%s)",
                ),
                browser(
                    "the same in a browser",
                    "later",
                    "nothing is fetched ahead with ${JSON.stringify(connection)}",
                ),
            ],
        ),
        line(
            9,
            8,
            0xded7_7dbc,
            "heights of the mobile menu and of style seven",
            vec![
                browser(
                    "the mobile menu: the window less 90 or 145 px",
                    "navigation",
                    "${sld}: on a phone, entries unfold and fold, a leaf navigates, and the page does not scroll behind",
                ),
                browser(
                    "style seven: 0.6 of the width, 0.4 of it above the title",
                    "searching",
                    "the stage of style seven is the width of the window times 0.6 high, with 0.4 of it above the title",
                ),
            ],
        ),
        line(
            9,
            9,
            0x7437_ef02,
            "special sites, languages, colours, title",
            vec![
                rust(
                    "the special sites",
                    "host/web/tests/it/special_sites.rs",
                    "every_behaviour_is_shown_by_exactly_its_sites",
                ),
                rust(
                    "eleven colours",
                    "host/web/tests/it/configuration.rs",
                    "eleven_theme_presets_are_listed_and_served_as_style_sheets",
                ),
                rust(
                    "languages by site",
                    "host/web/tests/it/pages.rs",
                    "a_page_links_to_its_versions_in_every_language_of_the_site",
                ),
                later("fallback title", "not built: a title is that of the page and the site"),
            ],
        ),
    ]
}
