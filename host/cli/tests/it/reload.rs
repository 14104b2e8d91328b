//! Reloading under load: changes of site files, settings and plugins are applied without a failed request.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use masthead_domain::SiteId;
use masthead_test_support::{Portal, Setup, bootstrap, copy, listed, slot, test_plugins, workspace};
use serde_json::json;

const ROW: &str = r#"
[[plugins]]
id = "friendship-links"
settings = { title = { zh = "友情链接", en = "Friendship links" }, links = [{ name = { zh = "甲", en = "A" }, address = "https://a.example.org/" }] }
"#;

fn edit(path: &Path, change: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, change(text)).unwrap();
}

fn has_row(portal: &Portal, site: &str) -> bool {
    let page = portal.page(site, "/en/home");
    // As its module renders it; on a busy machine, as the host draws it.
    let row = page.contains("<nav class=\"friendship\"") || page.contains("<div class=\"frame-row\">");
    let module = slot(&bootstrap(&page), "footer.rows") == ["footer-friendship-links"];
    assert_eq!(
        (row, page.contains("/modules/footer-friendship-links/")),
        (module, module),
        "a page comes from one configuration"
    );
    row
}

/// Waits until the sites show the row. On a busy machine the plugin may exceed its time limit, so that one page lacks the row.
fn keeps_row(portal: &Portal, sites: &[&str]) {
    for site in sites {
        portal.wait(&format!("the row of {site}"), || has_row(portal, site));
    }
}

/// Requests pages of the sites until the work is done; every request must succeed. Returns the number of pages.
fn while_reading(portal: &Portal, sites: &[&str], work: impl FnOnce()) -> usize {
    let (done, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for site in sites {
            let (done, answers) = (&done, &answers);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    has_row(portal, site);
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // The readers must also stop if the work panics.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        done.store(true, Ordering::Relaxed);
        if let Err(failure) = outcome {
            std::panic::resume_unwind(failure);
        }
    });
    answers.into_inner()
}

#[test]
fn a_changed_site_file_is_applied_without_a_failed_request() {
    let portal = Portal::start("reload-file", Setup { live: true, ..Setup::default() }, |_| {});
    let file = portal.app.sites_folder.join("plainpress.toml");
    let plain = std::fs::read_to_string(&file).unwrap();
    assert!(!has_row(&portal, "plainpress"));
    let answers = while_reading(&portal, &["plainpress", "oceanledger"], || {
        for _ in 0..3 {
            std::fs::write(&file, format!("{plain}{ROW}")).unwrap();
            portal.wait("the row on the plain site", || has_row(&portal, "plainpress"));
            std::fs::write(&file, &plain).unwrap();
            portal.wait("the plain site without row", || !has_row(&portal, "plainpress"));
        }
    });
    assert!(answers > 20, "{answers}");
    keeps_row(&portal, &["oceanledger"]);
    // Editors write a new file and rename it over the old one.
    let temporary = file.with_extension("swp");
    std::fs::write(&temporary, format!("{plain}{ROW}")).unwrap();
    std::fs::rename(&temporary, &file).unwrap();
    portal.wait("the row after a rename", || has_row(&portal, "plainpress"));
    keeps_row(&portal, &["oceanledger"]);
    // One site loses the row; the other sites are not affected.
    edit(&portal.app.sites_folder.join("oceanledger.toml"), |text| {
        text.split("[[plugins]]").next().unwrap().to_owned()
    });
    portal.wait("the first site without row", || !has_row(&portal, "oceanledger"));
    keeps_row(&portal, &["plainpress", "scriptstone"]);
    assert_eq!(portal.ready()["problems"], json!([]));

    a_broken_file_leaves_its_site_serving(&portal);
    a_broken_platform_file_changes_nothing(&portal);
    a_group_file_reaches_the_sites_of_its_group(&portal);
    sites_come_and_go_with_their_files(&portal);
}

// The following checks share one portal: starting a portal takes longer than all of them.

fn a_broken_file_leaves_its_site_serving(portal: &Portal) {
    let file = portal.app.sites_folder.join("scriptstone.toml");
    let good = std::fs::read_to_string(&file).unwrap();
    let problems = || portal.ready()["problems"].to_string();
    for (broken, words) in [
        (good.split_at(good.len() / 2).0.to_owned() + "\n[[[", "scriptstone.toml is not valid TOML"),
        (String::new(), "site scriptstone:"),
        (good.replace("colorId = ", "colorId = 99"), "colorId"),
        (good.replace("navStyle = ", "navStile = "), "navStile"),
        (good.replace("id = 905", "id = 448"), "id 448"),
        (good.replace("id = \"friendship-links\"", "id = \"no-such-plugin\""), "no-such-plugin"),
    ] {
        assert_ne!(broken, good, "{words}");
        let answers = while_reading(portal, &["scriptstone", "plainpress"], || {
            std::fs::write(&file, &broken).unwrap();
            portal.wait(&format!("the problem of {words}"), || problems().contains(words));
        });
        assert!(answers > 0);
        assert_eq!(portal.get("scriptstone", "/zh/home").status, 200, "{words}");
        assert_eq!(portal.ready()["ready"], true);
        std::fs::write(&file, &good).unwrap();
        portal.wait(&format!("recovery from {words}"), || problems() == "[]" && has_row(portal, "scriptstone"));
    }
}

fn a_broken_platform_file_changes_nothing(portal: &Portal) {
    let file = portal.app.sites_folder.join("platform.toml");
    let good = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "domain = ").unwrap();
    portal.wait("the refusal", || portal.ready()["refused"].to_string().contains("platform.toml is not valid TOML"));
    keeps_row(portal, &["scriptstone"]);
    assert_eq!(portal.ready()["ready"], true);
    std::fs::write(&file, good).unwrap();
    portal.wait("the end of the refusal", || portal.ready()["refused"].is_null());
}

fn a_group_file_reaches_the_sites_of_its_group(portal: &Portal) {
    let file = portal.app.sites_folder.join("groups/hss.toml");
    let style = |site: &str| portal.bootstrap(site, "/en/home")["header"]["switchLanguage"].clone();
    assert_eq!((style("hssxiv"), style("plainpress")), (json!(true), json!(true)));
    edit(&file, |text| text.replace("switchLanguage = true", "switchLanguage = false"));
    portal.wait("the group's change", || style("hssxiv") == false && style("hsspress") == false);
    assert_eq!(style("plainpress"), true);
    edit(&file, |text| text.replace("switchLanguage = false", "switchLanguage = true"));
    portal.wait("the group's change back", || style("hssxiv") == true);
}

fn sites_come_and_go_with_their_files(portal: &Portal) {
    let file = portal.app.sites_folder.join("newcomer.toml");
    assert_eq!(portal.get("newcomer", "/zh/home").status, 404);
    std::fs::write(&file, "id = 7001\nname = { zh = \"新\", en = \"Newcomer\" }\n").unwrap();
    portal.wait("the new site", || portal.get("newcomer", "/zh/home").status == 200);
    assert!(portal.with("127.0.0.1", "/newcomer/en/home", &[]).text().contains("Newcomer"));
    std::fs::remove_file(&file).unwrap();
    portal.wait("the end of the site", || portal.get("newcomer", "/zh/home").status == 404);
    let gone = portal.with("127.0.0.1", "/newcomer/en/home", &[("accept-language", "en")]);
    assert!(gone.status == 404 && gone.text().contains("There is no site at this address"));
    assert_eq!(portal.ready()["problems"], json!([]));
    keeps_row(portal, &["scriptstone"]);
}

#[test]
fn changes_by_other_processes_are_applied() {
    let portal = Portal::start("reload-saved", Setup { live: true, ..Setup::default() }, |_| {});
    let site = || portal.bootstrap("oceanledger", "/en/home");
    assert_eq!(slot(&site(), "header"), ["nav-default"]);
    let store = portal.app.store.site(SiteId(448));
    portal.run(store.save_setting("header.navStyle", Some(&json!(9)))).unwrap();
    portal.wait("the saved style", || slot(&site(), "header") == ["nav-alternate"]);
    assert_eq!(site()["site"]["navStyle"], 9);
    assert_eq!(slot(&portal.bootstrap("plainpress", "/en/home"), "header"), ["nav-default"], "only that site");
    portal.run(store.save_setting("header.navStyle", None)).unwrap();
    portal.wait("the style of the file", || slot(&site(), "header") == ["nav-default"]);

    // Another process saves and imports into the same data folder.
    let (sites, data) = (&portal.app.sites_folder, &portal.app.data_folder);
    let output = masthead_test_support::masthead(sites, data, &["config", "set", "--site", "448", "colorId", "5"]);
    assert!(output.status.success(), "{}", masthead_test_support::stderr(&output));
    portal.wait("the colour of another process", || site()["site"]["colorId"] == 5);

    let article = portal.folder.join("new.xml");
    let text = |title: &str| {
        format!(
            "<article xml:lang=\"en\"><front><article-meta><article-id pub-id-type=\"doi\">10.5555/new.1</article-id><title-group><article-title>{title}</article-title></title-group></article-meta></front><body><p>Quokkas.</p></body></article>"
        )
    };
    let import = || {
        let output = masthead_test_support::masthead(
            sites,
            data,
            &["import", "jats", article.to_str().unwrap(), "--site", "448"],
        );
        assert!(output.status.success(), "{}", masthead_test_support::stderr(&output));
    };
    std::fs::write(&article, text("A first version")).unwrap();
    import();
    let found = || portal.get("oceanledger", "/rc-pub/front/search?q=quokkas").json()["data"].clone();
    portal.wait("the new article in the search", || found()["totalElements"] == 1);
    let path = format!("/en/article/{}", portal.article("oceanledger", "10.5555/new.1"));
    assert!(portal.page("oceanledger", &path).contains("A first version"));
    std::fs::write(&article, text("A second version")).unwrap();
    import();
    portal.wait("the page of the second version", || portal.page("oceanledger", &path).contains("A second version"));
    assert_eq!(portal.get("plainpress", "/rc-pub/front/search?q=quokkas").json()["data"]["totalElements"], 0);
}

#[test]
fn pages_are_served_while_plugins_fail() {
    let faulty = test_plugins().join("faulty");
    let plugins = workspace("reload-plugins-folder");
    copy(&faulty, &plugins.join("faulty"));
    let broken = plugins.join("broken");
    std::fs::create_dir(&broken).unwrap();
    let manifest = std::fs::read_to_string(faulty.join("plugin.toml")).unwrap();
    std::fs::write(broken.join("plugin.toml"), manifest.replace("id = \"faulty\"", "id = \"broken\"")).unwrap();
    std::fs::write(broken.join("plugin.wasm"), b"\0asm this is no component").unwrap();
    let use_of =
        |id: &str, fault: &str| format!("\n[[plugins]]\nid = \"{id}\"\nsettings = {{ fault = \"{fault}\" }}\n");
    let setup = Setup { live: true, plugins: vec![plugins.clone()], ..Setup::default() };
    let portal = Portal::start("reload-plugins", setup, |sites| {
        edit(&sites.join("plainpress.toml"), |text| text + &use_of("faulty", "loop") + ROW);
        edit(&sites.join("oceanledger.toml"), |text| text + &use_of("faulty", "trial-trap"));
        edit(&sites.join("scriptstone.toml"), |text| text + &use_of("broken", "none"));
        edit(&sites.join("hssxiv.toml"), |text| text + &use_of("faulty", "trap"));
        edit(&sites.join("quietcircuits.toml"), |text| text + "\n[[plugins]]\nid = \"faulty\"\nversion = \"9\"\n");
    });
    let problems = portal.ready()["problems"].to_string();
    for words in ["plugin broken", "site oceanledger: plugin faulty", "site quietcircuits: plugin faulty"] {
        assert!(problems.contains(words), "{words}: {problems}");
    }
    for round in 0..8 {
        for site in ["plainpress", "oceanledger", "scriptstone", "hssxiv", "quietcircuits"] {
            // A group site searches its members, too.
            for path in ["/en/home".to_owned(), "/en/issue".to_owned(), format!("/en/search?q=the&site={site}")] {
                let answer = portal.get(site, &path);
                assert_eq!(answer.status, 200, "{round} {site} {path}");
                let links = listed(&answer.text());
                let wanted = if site == "hssxiv" { "/en/hssArticle/" } else { "/en/article/" };
                assert!(links.iter().all(|link| link.starts_with(wanted)), "{site} {path}: {links:?}");
            }
        }
    }
    // Other plugins of the same sites still work.
    keeps_row(&portal, &["plainpress", "oceanledger"]);
    let ready = portal.ready();
    assert_eq!(ready["ready"], true);
    for site in ["plainpress", "hssxiv"] {
        let plugins = ready["plugins"].as_array().unwrap();
        let state = plugins.iter().find(|plugin| plugin["site"] == site && plugin["plugin"] == "faulty").unwrap();
        assert!(state["quarantinedForSeconds"].is_u64(), "{site}: {state}");
        let other = plugins.iter().find(|plugin| plugin["site"] == site && plugin["plugin"] != "faulty").unwrap();
        assert!(other["quarantinedForSeconds"].is_null(), "{site}: {other}");
    }
    let metrics = portal.metrics();
    let line = |wanted: &[&str]| metrics.lines().any(|line| wanted.iter().all(|word| line.contains(word)));
    assert!(line(&["masthead_plugin_quarantined", "plugin=\"faulty\"", "site=\"plainpress\"", " 1"]), "{metrics}");
    assert!(line(&["masthead_hook_calls_total", "plugin=\"faulty\"", "site=\"hssxiv\"", "outcome=\"quarantined\""]));

    // The site file is corrected while the host runs: the plugin works without a restart.
    edit(&portal.app.sites_folder.join("plainpress.toml"), |text| text.replace("\"loop\"", "\"good\""));
    let links = || listed(&portal.page("plainpress", "/en/issue"));
    portal.wait("the repaired plugin's links", || links().iter().all(|link| link.ends_with("/ok")));
    // A corrected component is loaded when it is copied into the folder.
    std::fs::copy(faulty.join("plugin.wasm"), broken.join("plugin.wasm")).unwrap();
    portal.wait("the repaired component", || !portal.ready()["problems"].to_string().contains("plugin broken"));
    assert_eq!(portal.get("scriptstone", "/en/home").status, 200);
}
