#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use masthead_domain::site::NewMembers;

use crate::*;

const PLATFORM: &str = r##"
domain = "localhost"
[styles]
nav = { default = "nav-default", 9 = "nav-alternate" }
search = { default = "search-header-bar" }
footer = { default = "footer-default" }
[[themes]]
colorId = 1
name = "x"
light = { themeColorPrimary = "#000000", themeColorHoverPrimary = "#000000", otherColor = "#000000", bgOpacity = "#000000", bottomLineColor = "#000000" }
dark = { themeColorPrimary = "#000000", themeColorHoverPrimary = "#000000", otherColor = "#000000", bgOpacity = "#000000", bottomLineColor = "#000000" }
[site]
locked = ["header.showLogin"]
colorId = 1
languages = ["zh", "en"]
header = { navStyle = 0, showLogin = true }
"##;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("groups")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn later_layers_override_earlier_ones() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("groups/hss.toml", "header = { navStyle = 9, advSearch = false }"),
        ("one.toml", "id = 1\ngroup = \"hss\"\nname = { en = \"One\" }\nheader = { navStyle = 10 }"),
    ]);
    let saved = Saved::from([(1, vec![("header.navStyle".to_owned(), serde_json::json!(14))])]);
    let read = Configuration::read(folder.path(), &saved).unwrap();
    assert_eq!(read.problems, Vec::<String>::new());
    let site = &read.sites["one"];
    assert_eq!((site.header.nav_style, site.header.adv_search, site.sld.as_str()), (14, false, "one"));
    let explanations = explain(&read.layers["one"], "header.navStyle");
    assert_eq!(explanations.len(), 1);
    assert_eq!((explanations[0].from.0.as_str(), &explanations[0].value), ("saved", &serde_json::json!(14)));
    let before: Vec<_> =
        explanations[0].overridden.iter().map(|(name, _, value)| (name.as_str(), value.as_i64().unwrap())).collect();
    assert_eq!(before, [("platform", 0), ("group hss", 9), ("site one", 10)]);
    assert!(explain(&read.layers["one"], "").len() > 5);
}

#[test]
fn a_locked_key_is_not_overridden_and_the_attempt_is_reported() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("one.toml", "id = 1\nname = { en = \"One\" }\nheader = { showLogin = false, navStyle = 9 }"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let header = &read.sites["one"].header;
    assert!(header.show_login && header.nav_style == 9);
    assert!(
        read.problems[0].contains("header.showLogin") && read.problems[0].contains("platform locks it"),
        "{:?}",
        read.problems
    );
    assert_eq!(explain(&read.layers["one"], "header.showLogin")[0].locked_by.as_deref(), Some("platform"));
}

#[test]
fn a_lock_on_a_table_is_explained_at_its_keys() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("groups/hss.toml", "locked = [\"footer\"]\nfooter = { icp = \"a\" }"),
        ("one.toml", "id = 1\ngroup = \"hss\"\nname = { en = \"One\" }\nfooter = { icp = \"b\" }"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let layers = &read.layers["one"];
    let icp = explain(layers, "footer.icp").remove(0);
    assert_eq!((&icp.value, icp.from.0.as_str()), (&serde_json::json!("a"), "group hss"));
    assert_eq!(icp.locked_by.as_deref(), Some("group hss"));
    assert!(icp.ignored[0].contains("footer in site one"), "{:?}", icp.ignored);
    let ignored = &layers.ignored[0];
    assert!(ignored.concerns("footer") && ignored.concerns("footer.icp"));
    assert!(!ignored.concerns("footers") && !ignored.concerns("header"));
}

#[test]
fn an_invalid_site_does_not_affect_the_others() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("good.toml", "id = 1\nname = { en = \"Good\" }"),
        ("broken.toml", "id = "),
        ("typo.toml", "id = 2\nname = { en = \"T\" }\nheader = { navStile = 3 }"),
        ("lost.toml", "id = 3\nname = { en = \"L\" }\ngroup = \"none\""),
        ("assets.toml", "id = 4\nname = { en = \"A\" }"),
        ("twin.toml", "id = 1\nname = { en = \"Twin\" }"),
        ("colour.toml", "id = 5\ncolorId = 12\nname = { en = \"C\" }"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    assert_eq!(read.sites.keys().collect::<Vec<_>>(), ["good"]);
    for word in
        ["broken", "navStile", "none", "reserved by the host", "id 1 is already used by site good", "colorId 12"]
    {
        assert!(read.problems.iter().any(|problem| problem.contains(word)), "{word}: {:?}", read.problems);
    }
}

#[test]
fn a_missing_platform_file_is_reported() {
    let folder = folder(&[]);
    let error = Configuration::read(folder.path(), &Saved::new()).unwrap_err().to_string();
    assert!(error.contains("platform.toml") && error.contains("--sites"), "{error}");
}

#[test]
fn theme_colours_must_be_hexadecimal() {
    let folder = folder(&[("platform.toml", &PLATFORM.replacen("#000000", "red;}</style>", 1))]);
    let error = Configuration::read(folder.path(), &Saved::new()).unwrap_err().to_string();
    assert!(error.contains("#rrggbb"), "{error}");
}

#[test]
fn a_refused_link_is_named_with_its_key_and_the_layer_that_sets_it() {
    let one = "id = 1\ngroup = \"hss\"\nname = { en = \"One\" }\n";
    let button =
        "[{ enCustomButtonName = \"X\", customButtonStatus = 0, customButtonLinkValue = \"data:text/html,x\" }]";
    let in_header = format!("header = {{ customButtonList = {button} }}");
    let in_data = format!("header = {{ configData = {{ customButtonList = {button} }} }}");
    for (group, site, key, layer, file) in [
        ("", "footer = { linkAddress = \"javascript:alert(1)\" }", "footer.linkAddress", "site one", "one.toml"),
        ("", "footer = { picpLink = \" JavaScript:alert(1)\" }", "footer.picpLink", "site one", "one.toml"),
        ("header = { groupEntrance = \"data:text/html,x\" }", "", "header.groupEntrance", "group hss", "hss.toml"),
        (in_header.as_str(), "", "header.customButtonList", "group hss", "hss.toml"),
        ("", in_data.as_str(), "header.configData.customButtonList", "site one", "one.toml"),
        ("", "channels = [{ id = 9, code = \"jump\", linkValue = \"\" }]", "channels", "site one", "one.toml"),
        (
            "",
            "channels = [{ id = 9, code = \"news\", linkValue = \"vbscript:x\" }]",
            "channels",
            "site one",
            "one.toml",
        ),
    ] {
        let text = format!("{one}{site}");
        let folder = folder(&[("platform.toml", PLATFORM), ("groups/hss.toml", group), ("one.toml", &text)]);
        let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
        assert!(read.sites.is_empty(), "{key} of {layer}");
        for word in [key, layer, file, "not an http(s) address"] {
            assert!(read.problems[0].contains(word), "{word}: {:?}", read.problems);
        }
    }
    let saved = Saved::from([(1, vec![("footer.picpLink".to_owned(), serde_json::json!("javascript:alert(1)"))])]);
    let folder = folder(&[("platform.toml", PLATFORM), ("groups/hss.toml", ""), ("one.toml", one)]);
    let read = Configuration::read(folder.path(), &saved).unwrap();
    assert!(read.problems[0].contains("set by saved, settings saved by an administrator"), "{:?}", read.problems);
}

#[test]
fn links_to_servers_and_to_this_host_and_keys_of_texts_are_accepted() {
    let site = "id = 1\nname = { en = \"One\" }\nheader = { groupEntrance = \"/group/\" }\nfooter = { linkAddress = \"https://icp.example/\" }\nchannels = [{ id = 9, code = \"item\", linkValue = \"ethics\" }]";
    let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", site)]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    assert_eq!(read.problems, Vec::<String>::new());
}

#[test]
fn the_entrance_of_a_group_may_be_the_short_name_of_a_site() {
    let problems = |entrance: &str| {
        let site = format!("id = 1\nname = {{ en = \"One\" }}\nheader = {{ groupEntrance = \"{entrance}\" }}");
        let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", &site)]);
        Configuration::read(folder.path(), &Saved::new()).unwrap().problems
    };
    for good in ["rivers", "rivers-2", "https://rivers.example/"] {
        assert_eq!(problems(good), Vec::<String>::new(), "{good}: there need not be such a site");
    }
    for bad in ["Rivers", "-rivers", "rivers-", "rivers/en", "rivers.example", "//rivers.example"] {
        let problems = problems(bad);
        assert!(problems[0].contains("not an http(s) address or the short name of a site"), "{bad}: {problems:?}");
    }
}

#[test]
fn limits_of_imports_have_defaults_and_must_allow_something() {
    let with = |imports: &str| {
        let folder = folder(&[("platform.toml", &PLATFORM.replace("[site]", &format!("{imports}\n[site]")))]);
        Configuration::read(folder.path(), &Saved::new()).map(|read| read.platform.imports)
    };
    assert_eq!(with("").unwrap(), Imports::default());
    let set = with("[imports]\nmemoryMegabytes = 300").unwrap();
    assert_eq!(set, Imports { memory_megabytes: 300, ..Imports::default() });
    for wrong in ["[imports]\nminutes = 0", "[imports]\nhours = 1"] {
        let error = with(wrong).unwrap_err().to_string();
        assert!(
            error.contains("platform.toml") && (error.contains("limit of 0") || error.contains("hours")),
            "{error}"
        );
    }
}

#[test]
fn trusted_proxies_are_networks_and_none_by_default() {
    let read = |extra: &str| {
        let folder = folder(&[("platform.toml", &format!("{extra}\n{PLATFORM}"))]);
        Configuration::read(folder.path(), &Saved::new())
    };
    let plain = read("").unwrap().platform;
    assert_eq!((plain.proxies, plain.hot_word_readers), (Proxies::default(), 3));
    let proxies = read("proxies = { trusted = [\"10.0.0.0/8\"] }").unwrap().platform.proxies;
    assert!(proxies.trust("10.9.9.9".parse().unwrap()) && !proxies.trust("11.0.0.1".parse().unwrap()));
    for (wrong, word) in [
        ("proxies = { trusted = [\"proxy.example\"] }", "proxy.example"),
        ("hotWordReaders = 1", "at least 2"),
        ("removedFilesDays = 0", "at least 1"),
    ] {
        let error = read(wrong).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn links_must_be_http_addresses() {
    let jump = "id = 1\nname = { en = \"One\" }\n[[channels]]\nid = 9\ncode = \"jump\"\nenName = \"X\"\nenable = \"1\"\nlinkValue = \"javascript:alert(1)\"";
    let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", jump)]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    assert!(read.sites.is_empty() && read.problems[0].contains("not an http(s) address"), "{:?}", read.problems);
}

#[test]
fn conditions_that_no_search_accepts_and_unknown_time_zones_are_rejected() {
    let site = |more: &str| {
        let file = format!("id = 1\nname = {{ en = \"One\" }}\n{more}");
        let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", &file)]);
        Configuration::read(folder.path(), &Saved::new()).unwrap()
    };
    for (more, fault) in [
        ("search.conditions.article = [{ field = \"price\" }]", "\"price\""),
        ("search.conditions.article = [{ field = \"isbn\" }]", "\"isbn\""),
        ("search.conditions.thesis = [{ field = \"doi\" }]", "search.conditions.thesis"),
        ("timeZone = \"Mars/Olympus\"", "\"Mars/Olympus\""),
    ] {
        let read = site(more);
        assert!(read.sites.is_empty() && read.problems[0].contains(fault), "{more}: {:?}", read.problems);
    }
    let read =
        site("timeZone = \"America/New_York\"\nsearch.conditions.book = [{ field = \"isbn\" }, { field = \"\" }]");
    assert_eq!((read.sites["one"].time_zone.as_str(), read.problems.len()), ("America/New_York", 0));
    assert_eq!(site("").sites["one"].time_zone, "Asia/Shanghai", "the default of the specification");
}

#[test]
fn accounts_have_times_that_a_sign_in_can_keep_to() {
    let site = |more: &str| {
        let file = format!("id = 1\nname = {{ en = \"One\" }}\n{more}");
        let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", &file)]);
        Configuration::read(folder.path(), &Saved::new()).unwrap()
    };
    for (more, fault) in [
        ("accounts.sessions.idleMinutes = 0", "accounts.sessions.idleMinutes is 0"),
        ("accounts.sessions.maxHours = 2209", "accounts.sessions.maxHours is 2209, and 1 to 2208"),
        ("accounts.captchaAfter = 21", "accounts.captchaAfter is 21"),
        ("accounts.passwordMonths = 121", "accounts.passwordMonths is 121"),
        ("accounts.agreement = \"javascript:alert(1)\"", "accounts.agreement"),
        ("accounts.register = true", "register"),
    ] {
        let read = site(more);
        assert!(read.sites.is_empty() && read.problems[0].contains(fault), "{more}: {:?}", read.problems);
    }
    let read = site("accounts = { agreement = \"aboutus/12\", registration = false, sessions = { maxHours = 24 } }");
    assert_eq!(read.problems, Vec::<String>::new());
    let accounts = &read.sites["one"].accounts;
    assert_eq!((accounts.enabled, accounts.registration), (true, false));
    assert_eq!((accounts.sessions.idle_ms(), accounts.sessions.max_ms()), (7_200_000, 86_400_000));
}

#[test]
fn identity_providers_have_names_and_issuers_that_can_be_used() {
    let site = |more: &str| {
        let file = format!("id = 1\nname = {{ en = \"One\" }}\n{more}");
        let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", &file)]);
        Configuration::read(folder.path(), &Saved::new()).unwrap()
    };
    let https = "issuer = \"https://login.example.org\"";
    for (entry, fault) in [
        (format!("Campus = {{ clientId = \"c\", {https} }}"), "accounts.providers.Campus"),
        (format!("campus = {{ {https} }}"), "accounts.providers.campus.clientId is missing"),
        ("campus = { clientId = \"c\" }".to_owned(), "accounts.providers.campus.issuer"),
        ("campus = { clientId = \"c\", issuer = \"http://login.example.org\" }".to_owned(), "over https"),
        (format!("campus = {{ clientId = \"c\", scopes = [\"a b\"], {https} }}"), "accounts.providers.campus.scopes"),
        (format!("plugin = {{ clientId = \"c\", {https} }}"), "accounts.providers.plugin"),
        ("campus = { kind = \"plugin\" }".to_owned(), "accounts.providers.campus"),
        ("campus = { kind = \"saml\" }".to_owned(), "saml"),
    ] {
        let read = site(&format!("[accounts.providers]\n{entry}"));
        assert!(read.sites.is_empty() && read.problems[0].contains(fault), "{entry}: {:?}", read.problems);
    }
    let read = site(
        "[accounts.providers]\nplugin = { kind = \"plugin\", newMembers = \"bind\" }\n\
         orcid = { kind = \"orcid\", clientId = \"APP-1\", secret = \"orcid\" }",
    );
    assert_eq!(read.problems, Vec::<String>::new());
    let providers = &read.sites["one"].accounts.providers;
    assert_eq!((providers["orcid"].issuer(), providers["plugin"].new_members), ("https://orcid.org", NewMembers::Bind));
}

#[test]
fn weights_synonyms_and_stop_words_beyond_the_limits_are_rejected() {
    let site = |more: &str| {
        let file = format!("id = 1\nname = {{ en = \"One\" }}\n{more}");
        let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", &file)]);
        Configuration::read(folder.path(), &Saved::new()).unwrap()
    };
    let many = format!("search.synonyms = [{}]", "[\"a\", \"b\"], ".repeat(2_001));
    for (more, fault) in [
        ("search.weights.title = 10001", "search.weights.title is 10001 percent"),
        ("search.weights.title = -1", "-1"),
        ("search.weights.price = 3", "price"),
        (
            "search.weights = { title = 0, keywords = 0, authors = 0, company = 0, fund = 0, publication = 0, \
             summary = 0, body = 0 }",
            "0 for every field",
        ),
        ("search.synonyms = [[\"tide\"]]", "search.synonyms[0] has 1 words"),
        ("search.synonyms = [[\"tide\", \"ebb\"], [\"salt\", \" \"]]", "search.synonyms[1] has \" \""),
        (many.as_str(), "2001 lists"),
        ("search.stopWords = [\"the\", \"of the\"]", "search.stopWords[1] is \"of the\""),
    ] {
        let read = site(more);
        assert!(read.sites.is_empty() && read.problems[0].contains(fault), "{more}: {:?}", read.problems);
    }
    let read =
        site("search = { weights = { body = 0 }, synonyms = [[\"潮沟\", \"tidal creek\"]], stopWords = [\"的\"] }");
    assert_eq!(read.problems, Vec::<String>::new());
    let search = &read.sites["one"].search;
    assert_eq!((search.weights.body, search.weights.title), (0, 100), "the others keep their usual weight");
    assert_eq!((search.synonyms[0].len(), search.stop_words.as_slice()), (2, &["的".to_owned()][..]));
}

#[test]
fn settings_without_effect_are_explained_as_not_used() {
    let file = "id = 1\nname = { en = \"One\" }\ntemplateId = 7\nheader = { resourceSearch = 1, navStyle = 9 }\n\
                channels = [{ id = 1, code = \"home\", bannerId = 4 }, { id = 2, code = \"news\", bannerId = 5 }]";
    let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", file)]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let unused = |key: &str| explain(&read.layers["one"], key)[0].not_used_yet.clone();
    assert_eq!(
        (unused("templateId"), unused("channels")),
        (vec!["templateId".into()], vec!["channels.bannerId".into()])
    );
    for used in ["header.resourceSearch", "header.navStyle"] {
        assert_eq!(unused(used), Vec::<String>::new(), "{used}");
    }
}

#[test]
fn a_home_page_is_refused_with_the_section_that_is_wrong() {
    let read = |text: &str| {
        let text = format!("id = 1\nname = {{ en = \"One\" }}\nchannels = [{{ id = 7, code = \"home\" }}]\n{text}");
        let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", &text)]);
        Configuration::read(folder.path(), &Saved::new()).unwrap()
    };
    for (section, key, message) in [
        ("kind = \"weather\"", "home.sections[0].kind", "weather"),
        ("kind = \"hero\"\nsize = 3", "home.sections[0].size", "no effect in a section of the kind \"hero\""),
        ("kind = \"latest\"\nsize = 51", "home.sections[0].size", "more than 50"),
        ("kind = \"rankings\"\nmonths = [4]", "home.sections[0].months", "no window of rankings"),
        ("kind = \"news\"\nnewsType = \"gossip\"", "home.sections[0].newsType", "no tab of the news"),
        ("kind = \"latest\"\nchannel = 8", "home.sections[0].channel", "no channel of the site"),
        (
            "kind = \"carousel\"\nslides = [{ link = \"javascript:alert(1)\" }]",
            "home.sections[0].slides[0].link",
            "no address of a page",
        ),
        ("kind = \"hero\"\n[[home.sections]]\nkind = \"hero\"", "home.sections[1].kind", "one section of the kind"),
    ] {
        let read = read(&format!("[[home.sections]]\n{section}"));
        assert!(read.sites.is_empty(), "{section}");
        let found = read.diagnostics.iter().find(|diagnostic| diagnostic.key == key);
        let found = found.unwrap_or_else(|| panic!("{section}: {:?}", read.diagnostics));
        assert!(found.message.contains(message) && !found.fix.is_empty(), "{section}: {found:?}");
    }
    let right = read(
        "[home]\nlayout = \"portal\"\n[[home.sections]]\nkind = \"carousel\"\nslides = [{ link = \"issues\" }]\n\
         [[home.sections]]\nkind = \"hero\"\n[[home.sections]]\nkind = \"hero\"\nchannel = 7",
    );
    assert_eq!(right.problems, Vec::<String>::new());
    assert_eq!(right.sites["one"].home.sections.len(), 3);
}

#[test]
fn the_interface_does_not_name_settings_that_are_listed_as_not_used() {
    fn read(folder: &Path, texts: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !["node_modules", "dist"].contains(&name) {
                read(&path, texts);
            } else if name.ends_with(".ts") || name.ends_with(".tsx") {
                texts.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = String::new();
    for folder in ["ui-shell/src", "ui-modules"] {
        read(&repository.join(folder), &mut texts);
    }
    let words: std::collections::BTreeSet<&str> = texts.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    assert!(
        words.contains("groupType") || words.contains("navStyle") || words.contains("switchLanguage"),
        "the interface was read"
    );
    for key in reference::NOT_USED_YET {
        let name = key.rsplit('.').next().unwrap();
        assert!(!words.contains(name), "the interface names {name}: remove {key} from NOT_USED_YET if it acts on it");
    }
}

/// Relative luminance of WCAG 2.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.039_28 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(left: &str, right: &str) -> f64 {
    let (left, right) = (luminance(left), luminance(right));
    (left.max(right) + 0.05) / (left.min(right) + 0.05)
}

#[test]
fn theme_presets_meet_wcag_aa_on_light_and_dark_backgrounds() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sites");
    let read = Configuration::read(&sites, &Saved::new()).unwrap();
    assert_eq!(read.problems, Vec::<String>::new());
    let ids: Vec<_> = read.platform.themes.iter().map(|theme| theme.color_id).collect();
    assert_eq!(ids, (1..=11).collect::<Vec<_>>());
    for theme in &read.platform.themes {
        for (tokens, paper) in [(&theme.light, "#ffffff"), (&theme.dark, "#14171c")] {
            for colour in [&tokens.theme_color_primary, &tokens.theme_color_hover_primary, &tokens.other_color] {
                for ground in [paper, &tokens.bg_opacity] {
                    let ratio = contrast(colour, ground);
                    assert!(ratio >= 4.5, "theme {}: {colour} on {ground} is {ratio:.2}", theme.color_id);
                }
            }
        }
    }
}

#[test]
fn values_that_no_layer_sets_are_explained_with_their_defaults() {
    let file = "id = 1\nname = { en = \"One\" }\n[footer.copyrights]\nfra = \"Droits\"\n[header]\nnavStyle = 9";
    let folder = folder(&[("platform.toml", PLATFORM), ("one.toml", file)]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let layers = &read.layers["one"];
    let of = |key: &str| explain(layers, key).into_iter().next().map(|one| (one.value, one.from.0, one.default));
    let json = |value: serde_json::Value| value;
    assert_eq!(
        of("timeZone"),
        Some((json("Asia/Shanghai".into()), "default".into(), Some(json("Asia/Shanghai".into()))))
    );
    assert_eq!(of("header.navStyle"), Some((json(9.into()), "site one".into(), Some(json(0.into())))));
    assert_eq!(of("name.en"), Some((json("One".into()), "site one".into(), None)), "it has to be set");
    assert_eq!(of("footer.icons"), None, "an unknown key has no default");
    let keys: Vec<_> = explain(layers, "footer").into_iter().map(|one| one.key).collect();
    assert!(keys.contains(&"footer.copyrights.fra".to_owned()) && keys.contains(&"footer.icp".to_owned()), "{keys:?}");
    assert!(!keys.contains(&"footer.copyrights".to_owned()), "a table that is set in part has no default: {keys:?}");
    let all: Vec<_> = explain(layers, "").into_iter().map(|one| one.key).collect();
    for key in ["library.oai", "permissions.visitPower", "channels", "header.showLogin"] {
        assert_eq!(all.iter().filter(|known| *known == key).count(), 1, "{key}: {all:?}");
    }
}

#[test]
fn the_keys_of_the_platform_are_explained_with_their_origin() {
    let mail = "[mail]\nserver = \"smtp://ann:s3cret@mail.example.org\"\nfrom = \"a@example.org\"";
    let platform = format!("{PLATFORM}{mail}\n[connections]\nmax = 900\n");
    let folder = folder(&[("platform.toml", &platform)]);
    let of = |key: &str| explain_platform(folder.path(), key).unwrap();
    let max = of("connections.max").remove(0);
    assert_eq!((max.value, max.default), (serde_json::json!(900), Some(serde_json::json!(800))));
    assert_eq!(max.from, ("platform".to_owned(), folder.path().join("platform.toml").display().to_string()));
    let idle = of("connections.idleSeconds").remove(0);
    assert_eq!((idle.value, idle.from), (serde_json::json!(20), ("default".to_owned(), String::new())));
    assert_eq!(of("styles.nav.9")[0].value, "nav-alternate");
    assert_eq!(of("mail.server")[0].value, "smtp://***@mail.example.org", "no password is shown");
    let all: Vec<_> = of("").into_iter().map(|one| one.key).collect();
    for key in ["domain", "themes", "styles.nav.default", "plugins.timeFactor", "mail.caFile"] {
        assert_eq!(all.iter().filter(|known| *known == key).count(), 1, "{key}: {all:?}");
    }
    assert!(!all.iter().any(|key| key.starts_with("site") || key == "header.navStyle"), "{all:?}");
    assert_eq!((of("site.header"), of("header.navStyle")), (Vec::new(), Vec::new()), "keys of sites");
    std::fs::write(folder.path().join("platform.toml"), "domain = 3").unwrap();
    assert!(explain_platform(folder.path(), "").is_err(), "what cannot be used is not explained");
}

#[test]
fn findings_have_the_file_and_the_line_of_their_key() {
    let channels =
        "[[channels]]\nid = 1\ncode = \"home\"\n\n[[channels]]\nid = 2\ncode = \"news\"\nlinkValue = \"vbscript:x\"\n";
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("groups/hss.toml", "# shared\nfooter = { picpLink = \"data:x\" }"),
        ("groups/broken.toml", "# one\nheader = {"),
        ("one.toml", &format!("id = 1\ngroup = \"hss\"\nname = {{ en = \"One\" }}\n{channels}")),
        ("two.toml", "id = 2\nname = { en = \"Two\" }\n\n[header]\nshowLogin = false\nnavStile = 3\n"),
        ("four.toml", "id = 4\nname = {"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let mut locator = Locator::new(&read, folder.path());
    let mut found = Vec::new();
    for mut diagnostic in read.diagnostics.clone() {
        locator.locate(&mut diagnostic);
        assert!(
            diagnostic.level == Level::Error && !diagnostic.message.is_empty() && !diagnostic.fix.is_empty(),
            "{diagnostic}"
        );
        let file = Path::new(&diagnostic.file).strip_prefix(folder.path()).unwrap().display().to_string();
        found.push((file, diagnostic.line.unwrap_or_default(), diagnostic.key));
    }
    found.sort();
    let expected = [
        ("four.toml", 2, ""),
        ("groups/broken.toml", 2, ""),
        ("groups/hss.toml", 2, "footer.picpLink"),
        ("one.toml", 11, "channels[1].linkValue"),
        ("two.toml", 5, "header.showLogin"),
        ("two.toml", 6, "header.navStile"),
    ];
    let expected: Vec<_> = expected.map(|(file, line, key)| (file.to_owned(), line, key.to_owned())).into();
    assert_eq!(found, expected);
}

#[test]
fn a_domain_that_is_the_host_name_of_another_site_is_refused() {
    let folder = folder(&[
        ("platform.toml", PLATFORM),
        ("one.toml", "id = 1\nname = { en = \"One\" }\ndomains = [\"ONE.localhost\"]"),
        ("two.toml", "id = 2\nname = { en = \"Two\" }\ndomains = [\"two.example\", \"One.localhost\"]"),
    ]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    assert_eq!(read.sites.keys().collect::<Vec<_>>(), ["one"], "{:?}", read.problems);
    assert!(read.problems[0].contains("already used by site one"), "{:?}", read.problems);
    assert_eq!(read.diagnostics[0].key, "domains[1]");
}

#[test]
fn a_key_of_a_list_is_in_the_layer_whose_list_is_in_use() {
    let file = "id = 1\nname = { en = \"One\" }\n[[channels]]\nid = 7\ncode = \"home\"";
    let platform = format!("{PLATFORM}[[site.channels]]\nid = 1\nenName = \"Home\"\n[[site.channels]]\nid = 2\n");
    let folder = folder(&[("platform.toml", &platform), ("one.toml", file)]);
    let read = Configuration::read(folder.path(), &Saved::new()).unwrap();
    let layers = &read.layers["one"];
    let place = |key: &str| layers.place(key).map(|(layer, key)| (layer.name.clone(), key));
    assert_eq!(place("channels[0].enName"), Some(("site one".into(), "channels[0]".into())), "not the platform's list");
    assert_eq!(place("channels[1]"), Some(("site one".into(), "channels".into())));
    assert_eq!(place("header.navStyle"), Some(("platform".into(), "header.navStyle".into())));
    assert_eq!(place("name.ru"), Some(("site one".into(), "name".into())));
    assert_eq!(place("footer.copyright"), None);
}
