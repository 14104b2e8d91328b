//! Section 2: screens and routes. The first rows are the table of routes, the others the targets of links and the layout.
//!
//! Long because the section has 38 lines, each with the tests that prove its parts.

use crate::{
    context::{Context, OCEAN},
    row::{CheckResult, Part, Row, browser, here, later, line, rust, script},
};

const RESULTS: &str = "host/web/tests/it/results.rs";
const ACCOUNTS: &str = "host/web/tests/it/accounts.rs";
const PAGES: &str = "host/web/tests/it/pages.rs";
const TEXTS: &str = "host/web/tests/it/texts.rs";
const SPECIFIED: &str = "host/web/tests/it/specified_addresses.rs";
const RESOURCES: &str = "host/web/tests/it/resource_pages.rs";
const MENU: &str = "host/web/src/page/menu.rs";
const LINKS: &str = "host/web/src/page/channel_links.rs";
const NAVIGATION: &str = "host/web/tests/it/navigation.rs";
const QUERIES: &str = "pages_of_several_channels_get_the_parameters_of_the_specification";
const WIDGETS: &str = "plugin-sdk/ui/test/searching.test.tsx";
const CODES: &str = "channel_codes_resolve_to_the_addresses_of_the_specification";

/// Checks that each path is a page of this kind: the kind of its bootstrap, or the route of a list.
fn is_page(context: &Context, paths: &[&str], kind: &str) -> CheckResult {
    for path in paths {
        let page = context.portal.bootstrap(OCEAN, path)["page"].clone();
        if page["kind"] != kind && page["route"] != kind {
            return Err(format!("{path} is {page}"));
        }
    }
    Ok(paths.join(", "))
}

fn page(paths: &'static [&'static str], kind: &'static str) -> Part {
    here(format!("the page {kind}"), move |context| is_page(context, paths, kind))
}

/// The scopes of the specification are the tabs of a demo site.
fn scopes(context: &Context) -> CheckResult {
    let config = context.payloads(&["coastdesk"], "/rc-pub/front/site/{siteId}/search-config")?;
    let scopes = config.iter().filter_map(|config| config.as_array()).flatten();
    let types: Vec<&str> = scopes.filter_map(|scope| scope["type"].as_str()).collect();
    if types == ["article", "publication", "picture", "table", "video", "audio", "other"] {
        Ok(types.join(", "))
    } else {
        Err(types.join(", "))
    }
}

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = routes();
    rows.extend(targets());
    rows.extend(menu_links());
    rows.extend(more_menu_links());
    rows.extend(layout());
    rows.extend(screens());
    rows
}

fn routes() -> Vec<Row> {
    vec![
        line(
            2,
            1,
            0xc8e3_a4ad,
            "two families of routes",
            vec![
                rust("the same pages by host and by short name", PAGES, "both_route_families_return_the_same_page"),
                rust(
                    "every address, with its parameters",
                    SPECIFIED,
                    "every_address_of_section_2_is_a_finished_page_in_both_families",
                ),
                rust(
                    "every link of every menu",
                    SPECIFIED,
                    "every_link_of_every_menu_is_a_finished_page_in_every_language",
                ),
            ],
        ),
        line(
            2,
            2,
            0x589c_e3ae,
            "/",
            vec![rust(
                "leads to the home page in the reader's language",
                PAGES,
                "an_address_without_language_redirects_to_the_readers_language",
            )],
        ),
        line(
            2,
            3,
            0xe50f_af0a,
            "home, home/:id",
            vec![
                page(&["/zh/home", "/en/home/", "/en/home/3"], "home"),
                rust(
                    "the sections of a channel",
                    "host/web/tests/it/home.rs",
                    "a_channel_has_a_page_of_its_own_sections",
                ),
            ],
        ),
        line(2, 4, 0xa1e8_e101, "issues", vec![page(&["/zh/issues", "/en/issues"], "issues")]),
        line(2, 5, 0x6bc1_1034, "justAccepted", vec![page(&["/zh/justAccepted", "/en/justAccepted/"], "justAccepted")]),
        line(2, 6, 0x3d2b_0f1f, "onlineFirst", vec![page(&["/zh/onlineFirst", "/en/onlineFirst/"], "onlineFirst")]),
        line(
            2,
            7,
            0x5946_3d19,
            "article/doi/...",
            vec![
                rust("up to four segments", "host/domain/src/route/mod.rs", "routes_of_the_specification_are_parsed"),
                rust("the article of a DOI", PAGES, "all_addresses_of_an_article_have_the_same_canonical_address"),
            ],
        ),
        line(
            2,
            8,
            0x978c_a5b4,
            "article/:thesisId?",
            vec![
                rust("the article", PAGES, "lists_link_to_existing_articles"),
                rust("without an id, or with one that is none", PAGES, "an_unknown_article_is_reported_as_such"),
            ],
        ),
        line(
            2,
            9,
            0xc5e2_4670,
            "about/:id?, aboutus/:id?",
            vec![
                page(&["/zh/about", "/en/about/1/", "/en/aboutus"], "about"),
                rust("the page of an id", TEXTS, "about_has_its_text_the_journal_and_the_channels_beside_it"),
            ],
        ),
        line(
            2,
            10,
            0x2dd3_b786,
            "collectionList/:id?, collections/:virtualId?",
            vec![
                page(&["/zh/collectionList", "/en/collectionList/", "/en/collections"], "collectionList"),
                rust("the list of a channel", RESOURCES, "a_channel_names_its_list_and_chooses_its_look"),
                rust("a special issue, by number and by key", RESOURCES, "a_special_issue_has_its_content_under_tabs"),
            ],
        ),
        line(
            2,
            11,
            0xdb94_c99e,
            "info, newcomposite, news, newsDetails",
            vec![
                rust("newsDetails", "host/web/tests/it/resources.rs", "a_news_item_has_its_text_and_an_address"),
                rust("info, with an id", "host/web/tests/it/resources.rs", "a_page_of_text_has_an_address"),
                rust("composite page", TEXTS, "a_composite_page_shows_its_blocks_and_their_items"),
                rust("news by channel, under tabs", TEXTS, "news_are_listed_under_tabs_and_paged"),
                browser(
                    "tabs",
                    "texts",
                    "a tab of the news shows its type, opens an item, and Back returns to the tab",
                ),
            ],
        ),
        line(
            2,
            12,
            0x4de2_86d3,
            "editorial-board/:id?/:editorialId?",
            vec![rust(
                "members by role, one in detail",
                TEXTS,
                "a_board_has_its_members_by_role_and_the_details_of_one",
            )],
        ),
        line(
            2,
            13,
            0x9974_4c06,
            "issue/:year?/:issue?",
            vec![
                page(&["/zh/issue", "/en/issue/2026/1"], "issue"),
                page(&["/zh/issue/2026", "/en/issue/2025/"], "issues"),
                rust("the issues of a year", SPECIFIED, "the_page_of_a_year_lists_its_issues"),
            ],
        ),
        line(
            2,
            14,
            0x0612_1e6d,
            "newsInfo/:id?/:activeId?",
            vec![rust("a channel's news, one open", TEXTS, "the_news_of_a_channel_open_one_item_beside_the_others")],
        ),
        line(
            2,
            15,
            0xa0e0_64d6,
            "catch-all for codes",
            vec![
                rust(
                    "an unknown address is answered 404 in the site's frame",
                    PAGES,
                    "an_unknown_route_gets_the_not_found_page_in_the_sites_frame",
                ),
                rust("the page of a code", TEXTS, "any_other_code_opens_a_page_of_what_the_channel_has"),
            ],
        ),
    ]
}

fn targets() -> Vec<Row> {
    let sites = "host/web/tests/it/sites.rs";
    vec![
        line(
            2,
            16,
            0x516d_c0c3,
            "other targets",
            vec![
                rust("/errorPage, /forbiddenPage", PAGES, "an_unknown_host_or_site_gets_the_error_page"),
                rust(
                    "/login with language and return address, /personal",
                    ACCOUNTS,
                    "the_address_of_the_specification_keeps_language_and_return_address",
                ),
                rust("a return address is on the site", ACCOUNTS, "the_address_to_return_to_is_on_the_site"),
                rust("/seniorSearch", RESULTS, "an_advanced_search_joins_its_rows"),
                script(
                    "in a new tab from a search widget",
                    "ui-modules/search-header-bar/test/view.test.tsx",
                    "opens the advanced search in a new tab",
                ),
                rust("/newLink1, /newLeaguage, /newArticle", TEXTS, "conferences_links_and_languages_have_pages"),
                rust("/news, /aboutus with query", TEXTS, "parameters_that_name_nothing_do_not_make_other_pages"),
                rust("/homeNav", NAVIGATION, "a_page_lists_the_whole_navigation"),
                rust("/currencyList", RESOURCES, "each_list_of_the_specification_leads_to_pages_that_are_there"),
                rust(
                    "columnId of an article marks the channel",
                    "host/web/src/page/menu.rs",
                    "an_article_marks_the_channel_that_its_address_names",
                ),
                rust(
                    "virtualId leads back to the special issue",
                    "host/web/tests/it/resource_pages.rs",
                    "an_article_leads_back_to_the_special_issue_that_its_address_names",
                ),
                browser(
                    "graphicAbstract opens the picture",
                    "article",
                    "an address may ask for the graphical abstract, which is open then",
                ),
                later(
                    "index, Fpath, type, type1 of an article",
                    "the specification gives them no meaning: they are dropped",
                ),
            ],
        ),
        line(
            2,
            17,
            0x3b59_ca79,
            "navigation from search results",
            vec![
                rust("/hssArticle on two sites", sites, "only_sites_with_hss_article_use_its_article_links"),
                rust(
                    "from=xszsk",
                    "host/web/tests/it/special_sites.rs",
                    "every_behaviour_is_shown_by_exactly_its_sites",
                ),
                rust(
                    "/article and /searchPublication with type, index, searchType, lang",
                    RESULTS,
                    "the_addresses_of_the_specification_show_results",
                ),
                rust(
                    "textList, audioList, othersList, informationList, currencyList, bookList",
                    RESOURCES,
                    "each_list_of_the_specification_leads_to_pages_that_are_there",
                ),
                rust("each of them with the words of a search", RESOURCES, "words_search_within_the_list"),
                rust("/scholarList", TEXTS, "an_expert_has_a_page_with_the_articles_that_name_him_or_her"),
                rust("/mag", TEXTS, "a_journal_is_shown_in_detail_under_its_tabs"),
                browser("journals in a new tab", "searching", "the results of journals open in a new tab"),
                script(
                    "types with a list of their own in a new tab",
                    WIDGETS,
                    "of a type with a list of its own open in a new tab, and the field says so",
                ),
            ],
        ),
    ]
}

fn menu_links() -> Vec<Row> {
    vec![
        line(
            2,
            18,
            0x7574_ae62,
            "home",
            vec![
                rust("/{lang}/home/", LINKS, CODES),
                script(
                    "the link resets the text size to the usual one",
                    "ui-shell/test/later.test.tsx",
                    "as text size is the usual one after the link to the home page",
                ),
            ],
        ),
        line(
            2,
            19,
            0xe2c8_74e7,
            "directory, backissue",
            vec![
                rust("the current issue", MENU, "channels_are_filtered_and_nested"),
                rust("the issue before it, or all issues", MENU, "back_issues_lead_to_the_second_issue_or_to_all"),
            ],
        ),
        line(2, 20, 0xf9bf_ef8b, "singleFirst, latestOffer", vec![rust("both addresses", LINKS, CODES)]),
        line(
            2,
            21,
            0xebb6_7320,
            "jump, newLink",
            vec![
                rust("jump: the configured link in a new tab", LINKS, CODES),
                rust("newLink: /newLink1 with query", LINKS, QUERIES),
            ],
        ),
        line(2, 22, 0x3220_3675, "periodIntroduce, aboutus", vec![rust("both addresses", LINKS, CODES)]),
        line(2, 23, 0x4566_dc18, "virtualAlbum, newAlbum", vec![rust("/{lang}/collectionList/{id}/", LINKS, CODES)]),
        line(
            2,
            24,
            0x3d90_82ed,
            "newLeaguage",
            vec![rust("nine parameters", LINKS, "a_channel_for_other_languages_gets_nine_parameters")],
        ),
    ]
}

fn more_menu_links() -> Vec<Row> {
    vec![
        line(
            2,
            25,
            0x51c8_8630,
            "newItem, item",
            vec![rust(
                "the route, else /{lang}/info/{id}/",
                LINKS,
                "an_item_leads_to_its_route_or_to_its_page_of_text",
            )],
        ),
        line(2, 26, 0x02fd_1b49, "newNews, newComposite", vec![rust("both addresses", LINKS, CODES)]),
        line(
            2,
            27,
            0x3d3d_8b55,
            "editorial",
            vec![rust("at the first expert", NAVIGATION, "an_editorial_board_opens_at_the_first_expert_of_its_list")],
        ),
        line(2, 28, 0x438d_696f, "conference, prePublication", vec![rust("/newArticle with query", LINKS, QUERIES)]),
        line(
            2,
            29,
            0x2430_273f,
            "mixed, common codes, videoManuscript",
            vec![rust("/currencyList with query", LINKS, QUERIES)],
        ),
        line(
            2,
            30,
            0x7de3_bfd9,
            "setStyle",
            vec![rust("the same page", NAVIGATION, "a_style_channel_leads_to_the_same_page_in_the_other_language")],
        ),
        line(2, 31, 0x05dc_89be, "news, and any other code", vec![rust("the query", LINKS, QUERIES)]),
        line(
            2,
            32,
            0x202b_3d21,
            "after any navigation",
            vec![
                browser(
                    "the search text is cleared",
                    "searching",
                    "a navigation clears the words and selects the first type again",
                ),
                script(
                    "type and condition are the first ones",
                    WIDGETS,
                    "follows the type in the address of a list, and a navigation resets type, condition and words",
                ),
                script(
                    "the stored selection is all: none is stored",
                    "ui-shell/test/later.test.tsx",
                    "of a search form is reset after a navigation, and the condition is all again",
                ),
            ],
        ),
    ]
}

fn layout() -> Vec<Row> {
    vec![
        line(
            2,
            33,
            0xa183_9d9b,
            "layout",
            vec![
                browser(
                    "header, page, footer",
                    "shell",
                    "${sld} ${address} ${width} px ${colorScheme}: modules are in place, nothing shifts or overflows, axe has no finding",
                ),
                browser(
                    "the button to the top appears",
                    "shell",
                    "at 390 px the assistant is a sheet over the whole width, and its button leaves the back-to-top button free",
                ),
                script(
                    "from 300 px, or 400 px in a narrow window",
                    "ui-shell/test/guards.test.tsx",
                    "the way to the top is shown after 300 px, or 400 px on a narrow window, and takes 500 ms",
                ),
                browser(
                    "the assistant on the home page only",
                    "shell",
                    "the assistant opens above its button, moves nothing, closes by Escape, and leaves with its page",
                ),
                rust(
                    "home and index are the home page",
                    "host/domain/src/route/mod.rs",
                    "routes_of_the_specification_are_parsed",
                ),
                rust(
                    "the navigation is hidden on login and the like",
                    NAVIGATION,
                    "the_pages_of_the_account_have_no_navigation",
                ),
            ],
        ),
        line(
            2,
            34,
            0xe416_07e6,
            "footer",
            vec![
                browser("friendship links", "sites", "${site.sld} has its own header, search, footer and links"),
                rust(
                    "on two sites only",
                    "host/web/tests/it/special_sites.rs",
                    "every_behaviour_is_shown_by_exactly_its_sites",
                ),
                script(
                    "copyright line and filing number with its link",
                    "ui-modules/footer-default/test/view.test.tsx",
                    "shows copyright, records and the rows of plugins",
                ),
                rust(
                    "the copyright line by language, the public-security record and its link",
                    "host/web/tests/it/configuration.rs",
                    "the_footer_has_both_copyright_lines_and_the_records",
                ),
            ],
        ),
    ]
}

fn screens() -> Vec<Row> {
    vec![
        line(
            2,
            35,
            0xcdf5_1e57,
            "screens",
            vec![
                browser("article reader", "reader", "sections stand in the order of the specification"),
                rust("error pages", PAGES, "an_unavailable_site_states_the_reason"),
                rust("404", PAGES, "an_unknown_route_gets_the_not_found_page_in_the_sites_frame"),
                rust("results in tabs", RESULTS, "tabs_have_counts_and_lead_to_the_hits_of_their_kind"),
                rust("filters with counts", RESULTS, "the_number_beside_a_value_is_that_of_the_hits_it_leads_to"),
                rust(
                    "figures and tables with the sentence that mentions them",
                    "host/web/tests/it/search.rs",
                    "hits_say_what_was_found_in_them",
                ),
                browser("advanced search", "results", "the advanced search says where a mistake is, and leads to it"),
                rust("login, register, reset, binding", ACCOUNTS, "every_account_page_has_its_forms_and_leads_back"),
                rust("journal detail", TEXTS, "a_journal_is_shown_in_detail_under_its_tabs"),
                rust("news under tabs", TEXTS, "news_are_listed_under_tabs_and_paged"),
                rust("expert detail", TEXTS, "an_expert_has_a_page_with_the_articles_that_name_him_or_her"),
                rust("error pages lead home", TEXTS, "error_pages_lead_on_to_a_page_that_exists"),
                rust("figure and table browsing", RESOURCES, "figures_of_one_journal_are_listed"),
                rust("a figure", RESOURCES, "a_figure_leads_to_its_place_in_the_article"),
                rust("a table", RESOURCES, "a_table_shows_its_cells_and_its_files"),
                rust("virtual album", RESOURCES, "a_special_issue_has_its_content_under_tabs"),
                rust("audio and video detail", RESOURCES, "a_recording_plays_with_the_browsers_own_player"),
                rust("book list and detail", RESOURCES, "a_book_has_its_edition_contents_and_authors"),
                browser(
                    "figures, books and albums as readers see them",
                    "media",
                    "${name}: ${WIDTHS.join(' and ')} px ${colorScheme}",
                ),
                rust("online first and latest accepted", RESULTS, "a_list_is_paged_without_scripts"),
                here("scope tabs from Article to Other", scopes),
                browser(
                    "search with scope tabs",
                    "searching",
                    "without scripts, the form opens the results of the type, and hot words are links",
                ),
                browser(
                    "what cannot be drawn has the markup of the host",
                    "shell",
                    "a module that does not load leaves the markup of the host in its slot and is reported",
                ),
                browser("login by code or password", "members", "signing in works by password, by code and by passkey"),
                rust(
                    "personal centre: collect, download, album, infomation, account",
                    "host/web/tests/it/personal_pages.rs",
                    "the_personal_centre_has_an_address_for_each_tab",
                ),
                script(
                    "subscribe dialog",
                    "ui-shell/test/personalAccount.test.tsx",
                    "need an e-mail address, a code, and keywords where they are by keyword",
                ),
                script(
                    "favourites or album dialog",
                    "ui-shell/test/personal.test.tsx",
                    "needs favourites or albums, and one of the albums",
                ),
            ],
        ),
        line(
            2,
            36,
            0xaa85_c062,
            "search widgets and headers by style",
            vec![
                rust(
                    "the styles of the demo select header and widget, 9, 10 and 14 the alternate header",
                    "host/web/tests/it/sites.rs",
                    "style_ids_select_the_modules_of_header_search_and_footer",
                ),
                rust(
                    "every style id, those without a module of their own included",
                    "host/web/tests/it/search_widget.rs",
                    "every_style_id_selects_its_module_which_the_host_renders",
                ),
                rust(
                    "title, slogans and quick entry of style 13",
                    "host/web/tests/it/search_widget.rs",
                    "texts_and_links_are_those_of_the_configuration",
                ),
                browser(
                    "each look is whole",
                    "searching",
                    "${module} is whole, in light and dark, narrow and wide, from left and from right",
                ),
            ],
        ),
        line(
            2,
            37,
            0x106e_fe62,
            "article reader",
            vec![
                browser("order of the sections", "reader", "sections stand in the order of the specification"),
                browser(
                    "a figure opens on the whole screen",
                    "reader",
                    "a figure opens full screen and closes with Escape",
                ),
                browser(
                    "a popover of 450 px for a reference",
                    "shell",
                    "a reference opens by hovering, 450 px wide, and closes when the pointer leaves",
                ),
                rust(
                    "the citation in the language of the article, then the other",
                    "host/documents/src/html/refs.rs",
                    "citations_in_the_language_of_the_article_come_first",
                ),
                later("mobile variant by user agent", "not built: the width of the window decides"),
                browser(
                    "colour and size of headings",
                    "tools",
                    "headings of sections have the colour of the theme, and smaller ones the size of their level",
                ),
                browser(
                    "a click on a cross-reference scrolls",
                    "keyboard",
                    "a click on a reference to a figure, a table or a formula leads there, and from there one press of Tab to the way back",
                ),
                browser(
                    "pinch to zoom, drag with one finger",
                    "tools",
                    "on touch screens a swipe turns, a pinch zooms, and small pictures lead to each figure",
                ),
                browser(
                    "graphical abstract in a dialog of 90 % by 80 %",
                    "article",
                    "the graphical abstract opens over 90 % by 80 % of the window, and a click outside closes it",
                ),
                browser("footnotes in a popover with a title", "tools", "a footnote opens in a popover with a title"),
                browser(
                    "a second, hidden scholar link",
                    "article",
                    "the second scholar search is hidden until it is asked for",
                ),
            ],
        ),
        line(
            2,
            38,
            0x723b_767e,
            "mobile header",
            vec![
                browser(
                    "menu with two levels",
                    "menus",
                    "the menu of ${sld} leads through the site on ${name}, in ${lang}, without another document",
                ),
                browser(
                    "items that unfold",
                    "navigation",
                    "${sld}: on a phone, entries unfold and fold, a leaf navigates, and the page does not scroll behind",
                ),
                browser(
                    "external sign-in on three sites",
                    "plugins",
                    "the account icon links to the external sign-in, ${width} px",
                ),
                browser(
                    "search popup",
                    "navigation",
                    "${sld}: on a phone, the menu and the search are never open together",
                ),
                script(
                    "up to three buttons",
                    "ui-modules/nav-default/test/view.test.tsx",
                    "has the buttons with their pictures for wide and narrow screens, at most three",
                ),
                browser(
                    "hot words on a phone",
                    "searching",
                    "in a narrow window, the field opens what others search for",
                ),
            ],
        ),
    ]
}
