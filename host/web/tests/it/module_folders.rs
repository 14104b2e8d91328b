//! Federated modules from folders: served like those that are built in, replaced while the host runs, and refused where they are broken.

use std::{
    fs,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use masthead_test_support::{Portal, Setup, bootstrap, edit, named, workspace};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha384};

use crate::pages::decoded;

const SHEET: &str = ".frame-header { border: 0 }";

fn integrity(text: &str) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(text)))
}

/// Writes a module for the header, as the build of a module does: a script and a style sheet with their digests.
fn write(modules: &Path, id: &str, script: &str) -> PathBuf {
    let own = modules.join(id);
    fs::create_dir_all(own.join("assets")).unwrap();
    fs::write(own.join("assets/nav.js"), script).unwrap();
    fs::write(own.join("assets/nav.css"), SHEET).unwrap();
    let manifest = json!({
        "id": id, "slot": "header", "contract": 1, "entry": "assets/nav.js", "integrity": integrity(script),
        "css": [{ "file": "assets/nav.css", "integrity": integrity(SHEET) }], "files": [], "height": null,
    });
    fs::write(own.join("preload.json"), manifest.to_string()).unwrap();
    own
}

/// Names a module for the style 9, and makes a site with this style.
fn style_nine(sites: &Path, module: &str) {
    let line = format!("9 = \"{module}\"");
    edit(&sites.join("platform.toml"), |text| text.replacen("9 = \"nav-alternate\"", &line, 1));
    let site = "id = 9301\nname = { zh = \"港\", en = \"Harbour\" }\n[header]\nnavStyle = 9\n";
    fs::write(sites.join("harbour.toml"), site).unwrap();
}

/// The only module of the header of the site, from the bootstrap of a page.
fn header(page: &str) -> Value {
    bootstrap(page)["slots"]["header"][0].clone()
}

#[test]
fn a_module_of_a_folder_fills_a_style_and_is_swapped_when_it_is_replaced() {
    let modules = workspace("module-folder-parts").join("modules");
    let own = write(&modules, "harbour-nav", "export const version = 1;");
    fs::write(own.join("secret.js"), "not listed").unwrap();
    let setup = Setup { modules: vec![modules.clone()], live: true, bare: true, ..Setup::default() };
    let portal = Portal::start("module-folder", setup, |sites| style_nine(sites, "harbour-nav"));
    assert_eq!(portal.ready()["problems"], json!([]));

    let page = portal.get("harbour", "/en/home");
    assert!(page.header("content-security-policy").contains("'strict-dynamic'"));
    let page = page.text();
    let module = header(&page);
    assert_eq!(
        (&module["module"], &module["integrity"]),
        (&json!("harbour-nav"), &json!(integrity("export const version = 1;")))
    );
    let entry = module["entry"].as_str().unwrap().to_owned();
    let folder = entry.strip_suffix("/assets/nav.js").unwrap();
    let digest = folder.strip_prefix("/assets/modules/harbour-nav/").unwrap();
    assert!(digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{entry}");
    let links = named(&page, "link");
    let script = links.iter().find(|link| link.get("href") == entry).expect("the document preloads the script");
    assert_eq!(
        (script.get("rel").as_str(), script.get("integrity")),
        ("modulepreload", integrity("export const version = 1;"))
    );
    assert!(script.has("nonce"));
    assert!(
        links
            .iter()
            .any(|link| link.get("rel") == "stylesheet" && link.get("href") == format!("{folder}/assets/nav.css"))
    );

    let answer = portal.get("harbour", &entry);
    assert_eq!((answer.status, answer.text().as_str()), (200, "export const version = 1;"));
    assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
    assert!(answer.header("cache-control").contains("immutable"), "the address names the digest");
    assert!(
        answer.header("content-security-policy").contains("sandbox")
            && answer.header("x-content-type-options") == "nosniff"
    );
    for other in ["secret.js", "preload.json", "assets/../preload.json", "%2e%2e/preload.json", "assets"] {
        let answer = portal.get("harbour", &format!("{folder}/{other}"));
        assert!(answer.status == 404 && !answer.text().contains("not listed"), "{other}: {}", answer.status);
    }
    assert_eq!(portal.get("harbour", "/assets/modules/harbour-nav/assets/nav.js").status, 404);

    a_half_written_replacement_is_not_used(&portal, &own, &entry);
    a_replaced_module_is_swapped(&portal, &modules, &entry);
    a_module_that_is_gone_leaves_the_header_of_the_host(&portal, &modules);
    a_module_comes_back_as_a_whole_folder(&portal, &modules);
}

// The following checks share one portal: starting a portal takes longer than all of them.

fn a_half_written_replacement_is_not_used(portal: &Portal, own: &Path, entry: &str) {
    fs::write(own.join("assets/nav.js"), "export const version = 2").unwrap();
    let problems = || portal.ready()["problems"].to_string();
    portal.wait("the report of the wrong digest", || problems().contains("assets/nav.js has not the digest"));
    assert!(problems().contains("harbour-nav") && problems().contains("stays in use"), "{}", problems());
    assert_eq!(header(&portal.page("harbour", "/en/home"))["entry"], entry);
    assert_eq!(portal.get("harbour", entry).text(), "export const version = 1;");
    let metrics = portal.metrics();
    assert!(metrics.contains("masthead_module_refused{module=\"harbour-nav\",folder=\""), "{metrics}");
}

fn a_replaced_module_is_swapped(portal: &Portal, modules: &Path, before: &str) {
    write(modules, "harbour-nav", "export const version = 2;");
    let entry = || header(&portal.page("harbour", "/en/home"))["entry"].as_str().unwrap().to_owned();
    portal.wait("the new version", || entry() != before);
    assert_eq!(portal.get("harbour", &entry()).text(), "export const version = 2;");
    assert_eq!(
        portal.get("harbour", before).text(),
        "export const version = 1;",
        "documents that were sent before name it"
    );
    assert_eq!(portal.ready()["problems"], json!([]));
    assert!(!portal.metrics().contains("masthead_module_refused{"));
}

fn a_module_that_is_gone_leaves_the_header_of_the_host(portal: &Portal, modules: &Path) {
    fs::rename(modules.join("harbour-nav"), modules.with_file_name("aside")).unwrap();
    portal.wait("the page without the module", || header(&portal.page("harbour", "/en/home")).is_null());
    let page = portal.page("harbour", "/en/home");
    assert!(page.contains("<header class=\"frame-header\" data-slot=\"header\""), "the host draws the header itself");
    assert!(portal.ready()["problems"].to_string().contains("there is no module harbour-nav for slot header"));
}

fn a_module_comes_back_as_a_whole_folder(portal: &Portal, modules: &Path) {
    fs::rename(modules.with_file_name("aside"), modules.join("harbour-nav")).unwrap();
    portal.wait("the module", || header(&portal.page("harbour", "/en/home"))["module"] == "harbour-nav");
    assert_eq!(portal.ready()["problems"], json!([]));
}

/// A module that shows the site's name and the addresses of its languages, behind a mark.
fn container(mark: &str) -> String {
    format!(
        "let h;
         export async function init(scope) {{ h = Object.values(scope.react)[0].lib().createElement; }}
         export async function get() {{
           const Component = ({{ site, path, languages }}) =>
             h('header', {{ 'data-mark': '{mark}' }}, h('b', null, site.name), languages.map(({{ href, code }}) => h('a', {{ key: code, href }}, code)));
           return () => ({{ default: {{ $type: 'masthead.ui-module', id: 'harbour-nav', slot: 'header', contract: 1, Component }} }});
         }}"
    )
}

#[test]
fn a_module_of_a_folder_renders_its_slot_on_the_host() {
    let modules = workspace("module-rendered-parts").join("modules");
    write(&modules, "harbour-nav", &container("first"));
    let setup = Setup { modules: vec![modules.clone()], live: true, bare: true, ..Setup::default() };
    let portal = Portal::start("module-rendered", setup, |sites| style_nine(sites, "harbour-nav"));
    for (here, other) in [("/en/home", "/en/issues"), ("/en/issues", "/en/home")] {
        let page = portal.page("harbour", here);
        let sent = "<div class=\"slot\" data-slot=\"header\" data-rendered><header data-mark=\"first\"><b>Harbour</b>";
        let links = masthead_test_support::between(&page, sent, "</header></div>");
        let leads = |path: &str| links.contains(&format!("<a href=\"{path}"));
        assert!(leads(here) && !leads(other), "the languages of this page, not of one before: {links}");
        assert!(!page.contains("zq7mh"), "no placeholder is left: {page}");
    }
    write(&modules, "harbour-nav", &container("second"));
    portal
        .wait("the markup of the new version", || portal.page("harbour", "/en/home").contains("data-mark=\"second\""));
    // A module that throws has the host's markup, and is counted.
    let script = container("third").replace("h('b', null, site.name)", "document.title");
    write(&modules, "harbour-nav", &script);
    portal.wait("the header of the host", || {
        portal.page("harbour", "/en/home").contains("<header class=\"frame-header\" data-slot=\"header\"")
    });
    let metrics = portal.metrics();
    assert!(metrics.contains("masthead_ui_failures_total{module=\"harbour-nav\",reason=\"host\"} "), "{metrics}");
}

#[test]
fn a_module_of_a_folder_is_sent_in_the_compressed_form_that_a_browser_accepts() {
    let modules = workspace("module-compressed-parts").join("modules");
    let script = format!("export const version = 1;\n{}", "// The tides of the harbour.\n".repeat(200));
    write(&modules, "harbour-nav", &script);
    let setup = Setup { modules: vec![modules], bare: true, ..Setup::default() };
    let portal = Portal::start("module-compressed", setup, |sites| style_nine(sites, "harbour-nav"));
    let module = header(&portal.page("harbour", "/en/home"));
    let entry = module["entry"].as_str().unwrap();
    let plain = portal.get("harbour", entry);
    assert_eq!((plain.header("content-encoding"), plain.text()), ("", script.clone()));
    for (accepted, encoding) in [("br", "br"), ("gzip", "gzip"), ("gzip, deflate, br, zstd", "br")] {
        let sent = portal.with("harbour.localhost", entry, &[("accept-encoding", accepted)]);
        assert_eq!((sent.status, sent.header("content-encoding")), (200, encoding), "{accepted}");
        assert_eq!(decoded(&sent), script, "{accepted}");
        assert!(sent.bytes.len() < plain.bytes.len(), "{accepted}: {}", sent.bytes.len());
        // What is compressed while it is sent has no length before its end.
        assert_eq!(sent.header("content-length"), sent.bytes.len().to_string(), "{accepted}");
    }
}

#[test]
fn a_broken_module_costs_its_slot_only_and_is_named() {
    let modules = workspace("module-broken-parts").join("modules");
    let own = write(&modules, "broken-nav", "export const version = 1;");
    fs::remove_file(own.join("assets/nav.css")).unwrap();
    write(&modules, "nav-default", "export const evil = 1;");
    let setup = Setup { modules: vec![modules], bare: true, ..Setup::default() };
    let portal = Portal::start("module-broken", setup, |sites| style_nine(sites, "broken-nav"));
    let page = portal.page("harbour", "/en/home");
    assert!(header(&page).is_null() && page.contains("data-slot=\"header\"") && page.contains("data-slot=\"footer\""));
    assert_eq!(
        bootstrap(&page)["slots"]["footer"][0]["module"],
        "footer-default",
        "the other slots have their modules"
    );
    let problems = portal.ready()["problems"].to_string();
    for words in [
        "assets/nav.css cannot be read",
        "module broken-nav for slot header cannot be used",
        "a module with the id nav-default is built in",
    ] {
        assert!(problems.contains(words), "{words}: {problems}");
    }
    let metrics = portal.metrics();
    for module in ["broken-nav", "nav-default"] {
        assert!(metrics.contains(&format!("masthead_module_refused{{module=\"{module}\",folder=\"")), "{metrics}");
    }
    // Sites with the built-in module keep it.
    let default = header(&portal.page("oceanledger", "/en/home"));
    let answer = portal.get("oceanledger", default["entry"].as_str().unwrap());
    assert!(default["module"] == "nav-default" && answer.status == 200 && !answer.text().contains("evil"));
}
