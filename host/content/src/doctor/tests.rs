#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use masthead_config::{Configuration, Locator, Saved};
use masthead_domain::{
    Doi, LocalText, SiteId,
    publication::{Issue, Journal},
    resource::{Album, Attachment, Collection, Composite, ItemKind, ItemRef, News},
};
use tempfile::TempDir;

use super::*;
use crate::{
    import::{Importer, Outcome},
    records::{RecordEdit, RecordType, Records},
};

mod findings;

const PLATFORM: &str = r##"
domain = "localhost"
pathHosts = ["127.0.0.1"]
[styles]
nav = { default = "nav-default" }
search = { default = "search-header-bar" }
footer = { default = "footer-default" }
[[themes]]
colorId = 1
name = "x"
light = { themeColorPrimary = "#000000", themeColorHoverPrimary = "#000000", otherColor = "#000000", bgOpacity = "#000000", bottomLineColor = "#000000" }
dark = { themeColorPrimary = "#000000", themeColorHoverPrimary = "#000000", otherColor = "#000000", bgOpacity = "#000000", bottomLineColor = "#000000" }
"##;

const SITE: &str = "id = 1\nname = { zh = \"甲\", en = \"One\" }\ncolorId = 1\nlanguages = [\"zh\", \"en\"]\n";

/// A folder with one site, whose file begins with [`SITE`].
struct Desk {
    folder: TempDir,
    configuration: Configuration,
    languages: Vec<Lang>,
    menu: Vec<(usize, String)>,
    plugins: Vec<(String, Vec<String>)>,
    redirects: BTreeSet<String>,
}

impl Desk {
    fn new(platform: &str, site: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let header = if site.contains("[header") { "" } else { "[header]\n" };
        std::fs::write(folder.path().join("platform.toml"), format!("{PLATFORM}{platform}")).unwrap();
        std::fs::write(folder.path().join("one.toml"), format!("{SITE}{site}\n{header}")).unwrap();
        let configuration = Configuration::read(folder.path(), &Saved::new()).unwrap();
        assert_eq!(configuration.problems, Vec::<String>::new(), "the host accepts the file");
        let languages = configuration.sites["one"].languages.clone();
        let redirects = BTreeSet::new();
        Self { folder, configuration, languages, menu: Vec::new(), plugins: Vec::new(), redirects }
    }

    fn site(&self) -> &Site {
        &self.configuration.sites["one"]
    }

    fn installation(&self) -> Installation<'_> {
        let modules = [("nav-default", "header"), ("search-header-bar", "search"), ("footer-default", "footer")];
        let keys = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        let catalogues = Lang::ALL.into_iter().map(|lang| ((lang, "host.json"), keys.clone()));
        Installation {
            folder: self.folder.path(),
            platform: &self.configuration.platform,
            sites: self.configuration.sites.keys().cloned().collect(),
            modules: modules.map(|(id, slot)| (id.to_owned(), slot.to_owned())).into(),
            catalogues: catalogues.collect(),
        }
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            site: self.site(),
            languages: self.languages.clone(),
            menu: self.menu.clone(),
            plugins: self.plugins.clone(),
            redirects: self.redirects.clone(),
        }
    }

    /// The diagnostics of one check that need no database: key and line.
    fn found(&self, check: &str) -> Vec<(String, usize)> {
        let all = of_files(&self.installation(), &[self.subject()]);
        let mut locator = Locator::new(&self.configuration, self.folder.path());
        let of_check = all.into_iter().filter(|diagnostic| diagnostic.check == check);
        let place = |mut diagnostic: Diagnostic| {
            locator.locate(&mut diagnostic);
            assert!(!diagnostic.fix.is_empty() && !diagnostic.message.is_empty(), "{diagnostic}");
            (diagnostic.key, diagnostic.line.unwrap_or_default())
        };
        of_check.map(place).collect()
    }
}

fn places(expected: &[(&str, usize)]) -> Vec<(String, usize)> {
    expected.iter().map(|(key, line)| ((*key).to_owned(), *line)).collect()
}

#[test]
fn a_site_without_faults_has_no_findings() {
    let desk =
        Desk::new("", "[[channels]]\nid = 1\ncode = \"home\"\nname = \"首页\"\nenName = \"Home\"\nenable = \"1\"");
    let desk = Desk { menu: vec![(0, "home".to_owned())], ..desk };
    assert_eq!(of_files(&desk.installation(), &[desk.subject()]), Vec::<Diagnostic>::new());
}

#[test]
fn numbers_that_are_given_twice_and_parents_that_do_not_exist_are_found() {
    let desk = Desk::new(
        "",
        "aliases = { index = \"home\", texts = \"article\", gone = \"nowhere\" }\n\
         [[channels]]\nid = 1\ncode = \"home\"\n[[channels]]\nid = 1\ncode = \"home\"\n\
         [[channels]]\nid = 3\nparentId = 9\ncode = \"home\"\n[[channels]]\ncode = \"home\"\n\
         [[channels]]\nid = 5\nparentId = 5\ncode = \"home\"",
    );
    let expected = [
        ("channels[1].id", 10),
        ("channels[3]", 16),
        ("channels[2].parentId", 14),
        ("channels[4].parentId", 20),
        ("aliases.gone", 5),
    ];
    assert_eq!(desk.found("ids"), places(&expected));
}

#[test]
fn menu_items_without_a_page_and_unknown_codes_are_found() {
    let channels = ["home", "wether", "news", "column"].map(|code| {
        format!(
            "[[channels]]\nid = {}\ncode = \"{code}\"\nenable = \"1\"\n",
            code.len() * 10 + usize::from(code.as_bytes()[0])
        )
    });
    let more = "[[channels]]\nid = 7\ncode = \"news\"\nenable = \"yes\"\nnewsDataType = \"events\"";
    let mut desk = Desk::new("", &format!("{}{more}", channels.concat()));
    desk.menu = vec![(0, "home".to_owned()), (1, "wether/now".to_owned()), (2, "news".to_owned())];
    let expected =
        [("channels[1].code", 11), ("channels[4].enable", 24), ("channels[4].newsDataType", 25), ("channels[1]", 9)];
    assert_eq!(desk.found("menu"), places(&expected));
}

#[test]
fn pictures_that_are_not_served_are_found() {
    let desk = Desk::new(
        "",
        "logo1 = \"seal.svg\"\npictureUrl = \"cover.exe\"\n[header]\nlogo = { zh = \"logos/a.svg\",\nen = \"logos/b.svg\" }\n\
         customButtonList = [{ customButtonPcUrl = \"../one.toml\", customButtonLinkValue = \"/en/home\" }]",
    );
    std::fs::create_dir_all(desk.folder.path().join("assets/logos")).unwrap();
    std::fs::write(desk.folder.path().join("assets/logos/a.svg"), "<svg/>").unwrap();
    let expected =
        [("logo1", 5), ("pictureUrl", 6), ("header.logo.en", 9), ("header.customButtonList[0].customButtonPcUrl", 10)];
    assert_eq!(desk.found("pictures"), places(&expected));
}

/// A home page with a carousel of three slides; the first line of the section is line 6.
const SLIDES: &str = "[home]\n[[home.sections]]\nkind = \"carousel\"\nslides = [\n\
     { picture = \"slides/a.svg\", link = \"issues\" },\n{ picture = \"slides/b.svg\", link = \"nowhere\" },\n\
     { link = \"https://one.localhost/en/wether\" },\n]";

#[test]
fn pictures_of_slides_and_of_the_style_sheet_are_found() {
    let sheet = "[header.configData]\ncssContent = \".a { background: url(/assets/sites/sheets/a%20b.png) }\"";
    let desk = Desk::new("", &format!("{SLIDES}\n[header]\n{sheet}"));
    std::fs::create_dir_all(desk.folder.path().join("assets/slides")).unwrap();
    std::fs::write(desk.folder.path().join("assets/slides/a.svg"), "<svg/>").unwrap();
    let expected = [("home.sections[0].slides[1].picture", 10), ("header.configData.cssContent", 15)];
    assert_eq!(desk.found("pictures"), places(&expected));
}

#[test]
fn links_of_slides_lead_to_pages_as_on_the_home_page() {
    let desk = Desk::new("", SLIDES);
    let expected = [("home.sections[0].slides[1].link", 10), ("home.sections[0].slides[2].link", 11)];
    assert_eq!(desk.found("links"), places(&expected));
}

#[test]
fn modules_that_were_not_built_are_found() {
    let mut desk = Desk::new("", "[[plugins]]\nid = \"first\"\n[[plugins]]\nid = \"second\"");
    let styles = "nav = { default = \"nav-default\",\n9 = \"nav-lost\", 10 = \"footer-default\" }";
    let platform = PLATFORM.replace("nav = { default = \"nav-default\" }", styles);
    std::fs::write(desk.folder.path().join("platform.toml"), platform).unwrap();
    desk.configuration = Configuration::read(desk.folder.path(), &Saved::new()).unwrap();
    desk.plugins = vec![("second".to_owned(), vec!["nav-default".to_owned(), "badge".to_owned()])];
    let expected = [("styles.nav.10", 6), ("styles.nav.9", 6), ("plugins[1]", 7)];
    assert_eq!(desk.found("modules"), places(&expected));
}

#[test]
fn languages_without_text_are_found() {
    let mut desk = Desk::new(
        "",
        "description = { en = \"About\" }\n[footer]\ncopyright = \"版权\"\nenCopyright = \"Copyright\"\n[search]\ntitle = { zh = \"\", en = \"\" }\n\
         [[channels]]\nid = 1\ncode = \"home\"\nname = \"首页\"\nenName = \"Home\"\nnames.fra = \"Accueil\"\nenable = \"1\"\n\
         [[channels]]\nid = 2\ncode = \"news\"\nenName = \"News\"\nenable = \"0\"\n\
         [header]\n\
         customButtonList = [{ customButtonName = \"投稿\", customButtonStatus = 1, customButtonLinkValue = \"https://a.example/\" }]",
    );
    desk.menu = vec![(0, "home".to_owned())];
    let expected = [("header.customButtonList[0].customButtonNames.en", 24), ("description.zh", 5)];
    assert_eq!(desk.found("languages"), places(&expected));
    desk.languages.push(Lang::Fra);
    let keys: Vec<_> = desk.found("languages").into_iter().map(|(key, _)| key).collect();
    let button = "header.customButtonList[0].customButtonNames.en";
    assert_eq!(keys, ["name.fra", button, "footer.copyrights.fra", "description.zh"], "the menu has a French name");
    let mut installation = desk.installation();
    installation.catalogues.insert((Lang::Fra, "host.json"), BTreeSet::from(["a".to_owned()]));
    let all = of_files(&installation, &[desk.subject()]);
    let lacking: Vec<_> = all.iter().filter(|diagnostic| diagnostic.file.starts_with("locales/")).collect();
    assert!(lacking.len() == 1 && lacking[0].file == "locales/fra/host.json" && lacking[0].message.ends_with(" b"));
}

#[test]
fn faults_of_direction_in_the_configuration_are_found() {
    let desk = Desk::new(
        "",
        "description = { zh = \"关于\", en = \"The journal مجلة, 2026\" }\n[footer]\nicp = \"x\u{202c}\"\n\
         copyrights = { ara = \"مجلة 2026\", zh = \"\u{2067}مجلة\u{2069} 2026\", en = \"\u{202e}x\" }",
    );
    let expected = [("description.en", 5), ("footer.copyrights.en", 8), ("footer.icp", 7)];
    let mut found = desk.found("bidi");
    found.sort();
    assert_eq!(found, places(&expected));
}

#[test]
fn links_lead_to_pages_files_other_sites_or_nowhere() {
    let desk = Desk::new("", "domains = [\"One.example\"]\naliases = { hssArticle = \"article\" }");
    let desk = Desk { plugins: vec![("citation".to_owned(), Vec::new())], ..desk };
    std::fs::create_dir_all(desk.folder.path().join("assets")).unwrap();
    std::fs::write(desk.folder.path().join("assets/a.svg"), "<svg/>").unwrap();
    let (installation, subject) = (desk.installation(), desk.subject());
    let links = links::Links::new(&installation, &subject);
    let media = format!("/media/1/{}.pdf", "0".repeat(64));
    for (address, kind) in [
        ("https://other.example/en/nowhere", "elsewhere"),
        ("mailto:a@b.example", "elsewhere"),
        ("HTTP://one.EXAMPLE:8080/en/nowhere", "dead"),
        ("https://one.example", "page"),
        ("https://one.localhost/en/article/3?x#y", "page"),
        ("http://127.0.0.1:8448/one/en/issues/", "page"),
        ("http://127.0.0.1:8448/two/en/issues/", "elsewhere"),
        ("/", "page"),
        ("/zh/hssArticle/3", "page"),
        ("/en/issue/2026/S%201", "page"),
        ("/en/article/3/linkset", "page"),
        ("/en/article/x", "dead"),
        ("/fra/home", "dead"),
        ("/en/nowhere", "dead"),
        ("article/3", "dead"),
        ("#top", "served"),
        ("", "served"),
        ("/oai?verb=Identify", "served"),
        ("/en/feed.rss", "served"),
        ("/en/plugins/citation/3", "served"),
        ("/en/plugins/other/3", "dead"),
        ("/assets/sites/a.svg", "served"),
        ("/assets/sites/b.svg", "dead"),
        ("/media/1/abc.pdf", "dead"),
        (media.as_str(), "media"),
    ] {
        let found = match links.target(address) {
            links::LinkTarget::Elsewhere => "elsewhere",
            links::LinkTarget::Served => "served",
            links::LinkTarget::Page(_) => "page",
            links::LinkTarget::Media(_) => "media",
            links::LinkTarget::Dead(_) => "dead",
        };
        assert_eq!(found, kind, "{address}");
    }
}

#[test]
fn configured_links_that_lead_nowhere_are_found() {
    let desk = Desk::new(
        "",
        "[footer]\nlinkAddress = \"/en/nowhere\"\npicpLink = \"https://elsewhere.example/\"\n[header]\ngroupEntrance = \"/fra/home\"\n\
         customButtonList = [{ customButtonLinkValue = \"/en/home\" }, { customButtonLinkValue = \"/en/homes\" }]",
    );
    let expected = [
        ("header.groupEntrance", 9),
        ("footer.linkAddress", 6),
        ("header.customButtonList[1].customButtonLinkValue", 10),
    ];
    assert_eq!(desk.found("links"), places(&expected));
    let desk = Desk { redirects: BTreeSet::from(["/nowhere".to_owned(), "/en/homes".to_owned()]), ..desk };
    assert_eq!(desk.found("links"), places(&expected[..1]), "redirects lead on from the others");
}

#[test]
fn the_entrance_of_a_group_has_to_name_a_site_that_is_served() {
    let found = |name: &str| Desk::new("", &format!("[header]\ngroupEntrance = \"{name}\"")).found("links");
    assert_eq!(found("two"), places(&[("header.groupEntrance", 6)]));
    assert_eq!(found("one"), places(&[]));
}

#[test]
fn addresses_of_the_site_in_settings_of_plugins_are_followed() {
    let desk = Desk::new(
        "",
        "[[plugins]]\nid = \"footer-links\"\n[plugins.settings]\npath = \"nowhere\"\nword = \"See https://one.localhost/en/nowhere.\"\n\
         links = [\n{ address = \"/en/home\" },\n{ address = \"https://one.localhost/en/nowhere\" },\n\
         { address = \"https://elsewhere.example/en/nowhere\" },\n]\nmore.address = \"/en/wether\"",
    );
    let expected = [("plugins[0].settings.links[1].address", 12), ("plugins[0].settings.more.address", 15)];
    assert_eq!(desk.found("links"), places(&expected));
    let all = of_files(&desk.installation(), &[desk.subject()]);
    let levels: Vec<_> = all.iter().filter(|one| one.check == "links").map(|one| one.level).collect();
    assert_eq!(levels, [Level::Warning; 2]);
}

#[tokio::test]
async fn links_that_a_redirect_covers_are_not_dead() {
    let (mut desk, content) = (Desk::new("", ""), Content::new().await);
    let addresses = ["/en/article/999", "https://one.localhost/wp/a%20b?x=1", "/one/en/old/", "/en/article/998"];
    let text = addresses.map(|address| format!("<a href=\"{address}\">a</a>")).concat();
    let news = News { key: "opening".to_owned(), content: LocalText::of(Lang::En, text), ..News::default() };
    content.store.site(SiteId(1)).save_resource(&news).await.unwrap();
    assert_eq!(content.found(&desk).await.len(), 4);
    desk.redirects = ["/article/999", "/wp/a b", "/en/old"].map(str::to_owned).into();
    let found = content.found(&desk).await;
    assert!(found.len() == 1 && found[0].0 == "links" && found[0].2.contains("998"), "{found:?}");
    content.store.close().await;
}

/// A store with the site's content, and its data folder.
struct Content {
    store: Store,
    data: TempDir,
}

impl Content {
    async fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let store = Store::open_file(&data.path().join("masthead.db")).await.unwrap();
        Self { store, data }
    }

    async fn import(&self, doi: &str, related: &str) {
        self.import_of("research-article", doi, &format!("<article-title>About {doi}</article-title>"), related).await;
    }

    /// Imports an article of a type with these titles.
    async fn import_of(&self, kind: &str, doi: &str, titles: &str, related: &str) {
        let text = format!(
            "<article xmlns:xlink=\"http://www.w3.org/1999/xlink\" article-type=\"{kind}\"><front><journal-meta>\
             <journal-title-group><journal-title>Tides</journal-title><trans-title-group xml:lang=\"zh\"><trans-title>潮汐</trans-title>\
             </trans-title-group></journal-title-group></journal-meta><article-meta>\
             <article-id pub-id-type=\"doi\">{doi}</article-id><title-group>{titles}</title-group>\
             <pub-date><year>2026</year></pub-date>{related}</article-meta></front></article>"
        );
        let path: PathBuf = self.data.path().join(format!("{}.xml", doi.replace('/', "-")));
        std::fs::write(&path, text).unwrap();
        let item = Importer::new(&self.store, SiteId(1), self.data.path(), false).file(&path).await;
        assert!(item.outcome != Outcome::Failed, "{:?}", item.error);
    }

    /// The diagnostics about stored content: check, key and message.
    async fn found(&self, desk: &Desk) -> Vec<(&'static str, String, String)> {
        let found = of_content(&desk.installation(), &desk.subject(), &self.store, self.data.path()).await.unwrap();
        assert!(found.iter().all(|diagnostic| !diagnostic.fix.is_empty()), "{found:?}");
        found.into_iter().map(|diagnostic| (diagnostic.check, diagnostic.key, diagnostic.message)).collect()
    }
}

fn related(kind: &str, doi: &str) -> String {
    format!("<related-article related-article-type=\"{kind}\" ext-link-type=\"doi\" xlink:href=\"{doi}\"/>")
}

#[tokio::test]
async fn empty_journals_and_issues_and_lost_covers_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    content.import("10.5555/one", "").await;
    assert!(content.found(&desk).await.is_empty(), "a journal with an article");
    let cover = format!("/media/1/{}.svg", "a".repeat(64));
    site.save_journal(&Journal { key: "empty".to_owned(), cover, ..Journal::default() }).await.unwrap();
    let issue = Issue { journal: "empty".to_owned(), year: 2026, issue: "1".to_owned(), ..Issue::default() };
    site.save_issue(&issue).await.unwrap();
    let found: Vec<_> = content.found(&desk).await.into_iter().map(|(_, key, _)| key).collect();
    assert_eq!(found, ["journal/empty", "journal/empty cover", "issue/empty/2026/1"]);
    assert!(site.show_issue("empty", 2026, "1", true).await.unwrap());
    let found: Vec<_> = content.found(&desk).await.into_iter().map(|(_, key, _)| key).collect();
    assert_eq!(found, ["journal/empty cover"], "an editor wants the issue shown, and the journal with it");
    content.store.close().await;
}

#[tokio::test]
async fn references_to_what_the_site_does_not_have_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    content.import("10.5555/one", "").await;
    site.save_resource(&News { key: "opening".to_owned(), ..News::default() }).await.unwrap();
    let item = |kind, key: &str| ItemRef { kind, key: key.to_owned() };
    let there = vec![
        item(ItemKind::Article, "10.5555/ONE"),
        item(ItemKind::News, "opening"),
        item(ItemKind::Publication, "tides"),
    ];
    let collection = Collection {
        key: "spring".to_owned(),
        index_id: "tides".to_owned(),
        items: there.clone(),
        ..Collection::default()
    };
    site.save_resource(&collection).await.unwrap();
    assert!(content.found(&desk).await.is_empty());
    let lost = vec![item(ItemKind::Article, "10.5555/lost"), item(ItemKind::Book, "lost-book")];
    let album = Album { key: "pictures".to_owned(), items: [there, lost].concat(), ..Album::default() };
    site.save_resource(&album).await.unwrap();
    site.save_resource(&Collection { index_id: "ebbs".to_owned(), ..collection }).await.unwrap();
    let found = content.found(&desk).await;
    assert!(found.len() == 3 && found.iter().all(|(check, _, _)| *check == "references"), "{found:?}");
    for (place, words) in
        [("album/pictures", "10.5555/lost"), ("album/pictures", "lost-book"), ("collection/spring", "ebbs")]
    {
        assert!(found.iter().any(|(_, key, message)| key == place && message.contains(words)), "{words}: {found:?}");
    }
    content.store.close().await;
}

#[tokio::test]
async fn dead_links_in_articles_and_introductions_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let site = content.store.site(SiteId(1));
    let link = |address: &str| format!("<ext-link ext-link-type=\"uri\" xlink:href=\"{address}\">a</ext-link>");
    let own = "https://one.localhost/en/article";
    let abstracted = |addresses: &[String]| {
        let links: String = addresses.iter().map(|address| link(address)).collect();
        format!("<abstract><p>See href=\"/en/nowhere\" and {links}</p></abstract>")
    };
    content.import("10.5555/one", "").await;
    let first = site.article_listing(0, 1).await.unwrap()[0].id;
    let elsewhere = "https://elsewhere.example/en/article/999".to_owned();
    content.import("10.5555/two", &abstracted(&[format!("{own}/{first}"), elsewhere.clone()])).await;
    assert!(content.found(&desk).await.is_empty(), "words that look like a link are none");
    content.import("10.5555/three", &abstracted(&[elsewhere, format!("{own}/998"), format!("{own}/998")])).await;
    let third = site.article_id_by_doi(&Doi::parse("10.5555/three").unwrap()).await.unwrap().unwrap();
    let journal = site.journals().await.unwrap().remove(0);
    let text = format!("<a href=\"/en/article/{first}\">a</a> <a href=\"/en/article/997\">b</a>");
    let introduction = LocalText([(Lang::Zh, "潮汐".to_owned()), (Lang::En, text)].into());
    site.save_journal(&Journal { introduction, ..journal.clone() }).await.unwrap();
    let found = content.found(&desk).await;
    let keys: Vec<&str> = found.iter().map(|(_, key, _)| key.as_str()).collect();
    let expected = [format!("journal/{} introduction.en", journal.key), format!("article/{third}")];
    assert_eq!(keys, expected, "{found:?}");
    assert!(found[0].2.contains("997") && found[1].2.contains("998"), "{found:?}");
    content.store.close().await;
}

#[tokio::test]
async fn notices_whose_other_article_the_site_does_not_have_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    // A notice is linked with its article although the source of the article does not name it.
    content.import("10.5555/plain", "").await;
    content.import("10.5555/c1", &related("corrected-article", "https://doi.org/10.5555/PLAIN")).await;
    content.import("10.5555/c2", &related("companion", "10.5555/missing")).await;
    assert!(content.found(&desk).await.is_empty());
    content.import("10.5555/c3", &related("retracted-article", "10.5555/missing")).await;
    content.import("10.5555/c4", &related("correction-forward", "10.5555/lost")).await;
    let found = content.found(&desk).await;
    assert!(found.iter().all(|(check, _, _)| *check == "notices") && found.len() == 2, "{found:?}");
    assert!(found[0].1.ends_with("retracted-article") && found[0].2.contains("10.5555/missing"), "{found:?}");
    assert!(found[1].1.ends_with("correction-forward") && found[1].2.contains("10.5555/lost"), "{found:?}");
    content.import("10.5555/missing", "").await;
    content.import("10.5555/lost", "").await;
    assert!(content.found(&desk).await.is_empty());
    content.store.close().await;
}

#[tokio::test]
async fn notices_that_name_no_article_are_found() {
    let (desk, content) = (Desk::new("", ""), Content::new().await);
    let import = async |kind: &str, doi: &str, related: &str| {
        content.import_of(kind, doi, &format!("<article-title>The note {doi}</article-title>"), related).await;
    };
    content.import("10.5555/plain", "").await;
    // Comments are further reading, and an address without an identifier may be that of an article on another server.
    import("article-commentary", "10.5555/n1", "").await;
    import("correction", "10.5555/n2", &related("corrected-article", "10.5555/plain")).await;
    import("erratum", "10.5555/n3", &related("corrected-article", "https://a.example/one")).await;
    // The article that the notice is about names the notice.
    import("retraction", "10.5555/n4", "").await;
    content.import("10.5555/retracted", &related("retraction-forward", "10.5555/n4")).await;
    let found = content.found(&desk).await;
    assert!(found.is_empty(), "{found:?}");
    import("correction", "10.5555/n5", "").await;
    import("retraction", "10.5555/n6", &related("retracted-article", "page 4")).await;
    let site = content.store.site(SiteId(1));
    let found = content.found(&desk).await;
    for (doi, words) in [("10.5555/n5", "a notice (correction)"), ("10.5555/n6", "a notice (retraction)")] {
        let id = site.article_id_by_doi(&Doi::parse(doi).unwrap()).await.unwrap().unwrap();
        let key = format!("article/{id}");
        let of_article = found.iter().find(|(check, own, _)| *check == "notices" && *own == key);
        assert!(of_article.is_some_and(|(_, _, message)| message.contains(words)), "{doi}: {found:?}");
    }
    assert_eq!(found.len(), 2, "{found:?}");

    // The command of a fix links the notice.
    let found = of_content(&desk.installation(), &desk.subject(), &content.store, content.data.path()).await.unwrap();
    let notice = site.article_id_by_doi(&Doi::parse("10.5555/n5").unwrap()).await.unwrap().unwrap().to_string();
    let fix = &found.iter().find(|one| one.key == format!("article/{notice}")).unwrap().fix;
    let (_, command) = fix.split_once(&format!("`masthead article set {notice} related.+='")).unwrap();
    let (related, _) = command.split_once("' --site one`").unwrap();
    let mut change = RecordEdit { who: "ada".to_owned(), ..RecordEdit::default() };
    let pair = format!("related.+={}", related.replace("DOI", "10.5555/plain"));
    change.add_pair(RecordType::Article, &pair).unwrap();
    let records = Records::new(&content.store, SiteId(1), content.data.path());
    records.set(RecordType::Article, &notice, &change).await.unwrap();
    let found = content.found(&desk).await;
    assert!(found.len() == 1 && found[0].1 != format!("article/{notice}"), "{found:?}");
    content.store.close().await;
}

#[tokio::test]
async fn dead_links_lost_files_and_directions_in_stored_content_are_found() {
    let channels = "[[channels]]\nid = 1\ncode = \"jump\"\nlinkValue = \"https://one.localhost/en/newsDetails/77\"\n\
                    [[channels]]\nid = 2\ncode = \"newComposite\"\nnewCompositeId = \"start\"\n[[channels]]\nid = 3\ncode = \"newComposite\"\nnewCompositeId = \"lost\"";
    let (desk, content) = (Desk::new("", channels), Content::new().await);
    let site = content.store.site(SiteId(1));
    content.import("10.5555/one", "").await;
    let id = site.article_listing(0, 1).await.unwrap()[0].id;
    let text = format!(
        "<p><a href=\"/en/article/{id}\">a</a> <a href=\"/en/article/999\">b</a> <a href=\"/en/article/doi/10.5555/ONE\">c</a> \
         <a href=\"/en/article/doi/10.5555/two\">d</a> <a href=\"/en/issue/2026/9\">e</a></p><p>The مجلة journal</p>"
    );
    let news = News {
        key: "opening".to_owned(),
        content: LocalText::of(Lang::En, text),
        title: LocalText::of(Lang::En, "Opening\u{2069}"),
        attachments: vec![Attachment { name: "x".to_owned(), file: format!("/media/1/{}.pdf", "b".repeat(64)) }],
        ..News::default()
    };
    site.save_resource(&news).await.unwrap();
    site.save_resource(&Composite { key: "start".to_owned(), ..Composite::default() }).await.unwrap();
    let found = content.found(&desk).await;
    let of = |check: &str| -> Vec<&str> {
        found.iter().filter(|(own, _, _)| *own == check).map(|(_, key, _)| key.as_str()).collect()
    };
    let mut in_links = of("links");
    in_links.sort_unstable();
    let text = "news/opening content.en";
    assert_eq!(in_links, ["channels[0].linkValue", "news/opening attachments[0].file", text, text, text], "{found:?}");
    for word in ["the article 999", "10.5555/two", "the issue 9 of 2026", "the news 77"] {
        assert!(found.iter().any(|(_, _, message)| message.contains(word)), "{word}: {found:?}");
    }
    let mut in_texts = of("bidi");
    in_texts.sort_unstable();
    assert_eq!(in_texts, [text, "news/opening title.en"], "{found:?}");
    assert_eq!(of("menu"), ["channels[2].newCompositeId"]);
    content.store.close().await;
}
