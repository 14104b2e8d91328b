//! How the demo sites look: grey pages, logos, style sheets of their own, times; and that the demo shows everything that can be configured.

use std::{collections::BTreeSet, sync::LazyLock};

use masthead_domain::{
    Lang, LocalText,
    resource::{Album, Audio, Conference, News, Resource, Stored, Video, Wechat},
    site::Site,
};
use masthead_store::StoredResource;
use masthead_test_support::{Portal, Setup, Tag, named};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("looks", Setup::default(), |_| {}));

/// An article with italics.
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
/// The codes of menu links of the specification (section 2).
const CODES: &str = "home directory backissue singleFirst latestOffer jump newLink periodIntroduce aboutus virtualAlbum newAlbum newLeaguage \
                     newItem item newNews newComposite editorial conference prePublication mixed onlineVideo patent standard \
                     videoManuscript setStyle news science";
/// The sites whose journals have resources, and which list them.
const JOURNALS: [&str; 4] = ["oceanledger", "quietcircuits", "fieldnotes", "scriptstone"];

fn sites() -> Vec<Site> {
    PORTAL.app.sites.load().iter().map(|entry| (*entry.site).clone()).collect()
}

fn site(sld: &str) -> Site {
    sites().into_iter().find(|site| site.sld == sld).unwrap()
}

fn all<T: StoredResource + Resource>(sld: &str) -> Vec<T> {
    let store = PORTAL.app.store.site(site(sld).id);
    let found: Vec<Stored<T>> = PORTAL.run(store.resources::<T>("", None, 100)).unwrap();
    found.into_iter().map(|stored| stored.value).collect()
}

#[test]
fn pages_say_how_grey_they_are() {
    for (sld, expected) in [("oceanledger", "0"), ("southcampus", "1"), ("islandcampus", "2")] {
        for path in ["/zh/home", "/en/issues"] {
            let root = &named(&PORTAL.page(sld, path), "html")[0];
            assert_eq!(root.get("data-gray"), expected, "{sld} {path}");
        }
    }
    let css = PORTAL.app.ui.load().css.iter().map(|path| PORTAL.get("oceanledger", path).text()).collect::<String>();
    assert_eq!(css.matches("grayscale(").count(), 1, "one filter for both");
}

#[test]
fn logos_differ_by_language_width_and_paper() {
    for (sld, lang) in [("hssxiv", "zh"), ("hssxiv", "en"), ("fieldnotes", "en"), ("oceanledger", "zh")] {
        let page = PORTAL.page(sld, &format!("/{lang}/home"));
        let address = |kind: &str| format!("/assets/sites/logos/{sld}-{kind}{lang}.svg");
        let narrow = address("mobile-");
        // React writes the name of the attribute as in its own code.
        let is_narrow = |tag: &Tag| tag.get("srcset") == narrow || tag.get("srcSet") == narrow;
        let source = named(&page, "source").into_iter().find(is_narrow).unwrap();
        assert_eq!(source.get("media"), "(max-width: 767.98px)", "{sld} {lang}");
        let pictures: Vec<String> = named(&page, "img").iter().map(|tag| tag.get("src")).collect();
        assert!(pictures.contains(&address("")), "{sld} {lang}: {pictures:?}");
        assert_eq!(pictures.contains(&address("dark-")), sld != "oceanledger", "{sld} {lang}: {pictures:?}");
        for kind in ["", "mobile-"] {
            let answer = PORTAL.get(sld, &address(kind));
            assert_eq!((answer.status, answer.header("content-type")), (200, "image/svg+xml"), "{sld} {kind}");
        }
    }
    let other = PORTAL.page("hssxiv", "/en/home");
    assert!(!other.contains("hssxiv-zh.svg") && !other.contains("hssxiv-mobile-zh.svg"));
}

#[test]
fn the_style_sheet_of_a_site_comes_last_and_stays_below_the_root() {
    let page = PORTAL.page("openshelf", "/zh/home");
    let sheet = named(&page, "link").into_iter().map(|tag| tag.get("href")).rfind(|href| href.contains("/site.css?v="));
    let sheet = sheet.unwrap();
    assert!(page.find(&sheet) > page.find("--color-primary:"), "behind the theme");
    let answer = PORTAL.get("openshelf", &sheet);
    let css = answer.text();
    assert_eq!(answer.header("content-type"), "text/css; charset=utf-8");
    let selectors = css.split('{').filter(|part| part.contains('.')).count();
    assert!(selectors > 0 && css.matches(":where(#app, #app *)").count() >= 4, "{css}");
    assert!(css.contains("@media (min-width: 768px){.frame-footer:where(#app, #app *){"), "{css}");
    assert!(PORTAL.get("openshelf", "/zh/home").header("content-security-policy").contains("style-src"));
}

#[test]
fn times_are_those_of_the_site() {
    for (sld, offsets) in [("oceanledger", &[" +0800"][..]), ("northcampus", &[" +0100", " +0200"])] {
        let feed = PORTAL.get(sld, "/en/feed.rss").text();
        for name in ["lastBuildDate", "pubDate"] {
            let (_, after) = feed.split_once(&format!("<{name}>")).unwrap();
            let date = after.split('<').next().unwrap();
            assert!(offsets.iter().any(|offset| date.ends_with(offset)), "{sld} {name}: {date}");
        }
    }
    let zone = |sld: &str| site(sld).time_zone;
    assert_eq!([zone("plainpress"), zone("northcampus")], ["Asia/Shanghai", "Europe/Berlin"]);
}

#[test]
fn the_menus_of_the_demo_use_every_code_and_are_named_in_nine_languages() {
    let mut used = BTreeSet::new();
    for site in sites() {
        let mut ids = BTreeSet::new();
        for channel in &site.channels {
            assert!(ids.insert(channel.id), "{}: {} is the number of two channels", site.sld, channel.id);
            let above = channel.parent_id == 0 || ids.contains(&channel.parent_id);
            assert!(above, "{}: {} stands before its parent", site.sld, channel.code);
            for lang in Lang::ALL {
                assert!(channel.own_label(lang).is_some(), "{}: {} has no name in {lang}", site.sld, channel.code);
            }
            used.insert(channel.code.clone());
        }
    }
    let missing: Vec<&str> = CODES.split_whitespace().filter(|code| !used.contains(*code)).collect();
    assert!(missing.is_empty(), "no menu of the demo has {missing:?}");
    let levels: Vec<usize> =
        sites().iter().map(|site| site.channels.iter().filter(|one| one.parent_id == 0).count()).collect();
    assert!(levels.iter().all(|count| (3..=10).contains(count)), "{levels:?}");
}

#[test]
fn the_demo_has_every_style_and_header_option() {
    let all = sites();
    let searches: BTreeSet<i32> = all.iter().map(|site| site.search.style).collect();
    assert!([0, 1, 2, 3, 4, 6, 7, 8, 13].iter().all(|style| searches.contains(style)), "{searches:?}");
    let headers: BTreeSet<i32> = all.iter().map(|site| site.header.nav_style).collect();
    assert!([0, 9, 10, 14].iter().all(|style| headers.contains(style)), "{headers:?}");
    let presets: BTreeSet<u8> = all.iter().map(|site| site.color_id).collect();
    assert_eq!(presets, (1..=11).collect(), "every preset is that of a site");
    let count = |has: &dyn Fn(&Site) -> bool| all.iter().filter(|site| has(site)).count();
    let entrances: Vec<(&str, &str)> =
        all.iter().filter_map(|site| Some((site.sld.as_str(), site.header.group_site()?))).collect();
    assert_eq!(entrances, [("hssxiv", "hsspress"), ("quietcircuits", "plainpress")]);
    for (_, group) in entrances {
        assert!(site(group).is_group_site(), "{group}");
    }
    assert_eq!(count(&|site| site.header.ceiling), 1);
    assert!(count(&|site| !site.header.nav_distribution.is_empty()) >= 2);
    assert!(count(&|site| !site.footer.icp.is_empty()) == all.len() && count(&|site| !site.footer.picp.is_empty()) > 8);
    assert!(count(&|site| site.search.resource_type.len() > 5) >= 4, "scopes as tabs");
    let xiv = site("hssxiv");
    let buttons: Vec<_> = xiv.header.buttons(Lang::Jp).collect();
    assert_eq!(buttons.len(), 3);
    for button in buttons {
        assert_eq!(PORTAL.get("hssxiv", &format!("/assets/sites/{}", button.custom_button_pc_url)).status, 200);
    }
}

/// Files that a page of a resource names are served, each as what it is.
fn served(sld: &str, address: &str, kind: &str) {
    let answer = PORTAL.get(sld, address);
    assert_eq!(answer.status, 200, "{sld} {address}");
    assert!(answer.header("content-type").starts_with(kind) && !answer.bytes.is_empty(), "{sld} {address}");
}

#[test]
fn pictures_films_and_recordings_of_the_demo_are_served() {
    for sld in JOURNALS {
        for cover in all::<News>(sld).into_iter().map(|one| one.cover) {
            served(sld, &cover, "image/svg+xml");
        }
        let covers = all::<Wechat>(sld).into_iter().map(|one| one.cover);
        let covers = covers.chain(all::<Conference>(sld).into_iter().map(|one| one.cover));
        for cover in covers.chain(all::<Album>(sld).into_iter().map(|one| one.cover)) {
            served(sld, &cover, "image/svg+xml");
        }
        for film in all::<Video>(sld) {
            served(sld, &film.file, "video/webm");
            let captions = |text: &LocalText| text.0.values().cloned().collect::<Vec<_>>();
            captions(&film.captions).iter().for_each(|address| served(sld, address, "text/vtt"));
            // Browsers read films in parts.
            let part = PORTAL.with(&format!("{sld}.localhost"), &film.file, &[("range", "bytes=0-99")]);
            assert_eq!((part.status, part.bytes.len()), (206, 100), "{sld} {}", film.key);
        }
        for one in all::<Audio>(sld) {
            served(sld, &one.file, "audio/");
        }
    }
}

#[test]
fn pages_in_latin_letters_preload_the_serif() {
    let preloads = |path: &str| {
        let page = PORTAL.page("oceanledger", path);
        let links = named(&page, "link").into_iter().filter(|tag| tag.get("rel") == "preload");
        links.map(|tag| (tag.get("as"), tag.get("href"), tag.has("crossorigin"))).collect::<Vec<_>>()
    };
    let latin = preloads("/en/about");
    let [(kind, href, anonymous)] = &latin[..] else { panic!("{latin:?}") };
    assert!(
        kind == "font" && *anonymous && href.starts_with("/assets/shell/assets/source-serif-4-latin-"),
        "{latin:?}"
    );
    let file = PORTAL.get("oceanledger", href);
    assert_eq!((file.status, file.header("content-type")), (200, "font/woff2"));
    assert!(preloads("/zh/about").is_empty(), "its letters are of a face of the machine");
    let with_italics = preloads(&format!("/en/article/{}", PORTAL.article("oceanledger", SEAGRASS)));
    let italic = |(_, href, _): &(String, String, bool)| href.contains("-italic");
    assert!(with_italics.len() == 2 && with_italics.iter().filter(|one| italic(one)).count() == 1, "{with_italics:?}");
}

#[test]
fn the_style_sheets_of_the_build_are_one_request() {
    let page = PORTAL.page("oceanledger", "/en/home/");
    let links = named(&page, "link");
    let sheets: Vec<_> =
        links.iter().filter(|tag| tag.get("rel") == "stylesheet" && tag.get("href").starts_with("/assets/")).collect();
    assert_eq!(sheets.len(), 1);
    let together: String = sheets[0]
        .get("data-parts")
        .split(' ')
        .map(|part| {
            let answer = PORTAL.get("oceanledger", part);
            assert_eq!(answer.status, 200, "{part}");
            answer.text() + "\n"
        })
        .collect();
    let href = sheets[0].get("href");
    let answer = PORTAL.get("oceanledger", &href);
    assert_eq!((answer.status, answer.text()), (200, together));
    assert_eq!(answer.header("content-type"), "text/css; charset=utf-8");
    assert!(answer.header("cache-control").contains("immutable"));
    assert_eq!(PORTAL.get("oceanledger", &href.replace('+', "+absent+")).status, 404);
}
