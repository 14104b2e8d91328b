//! Grants of a site: none by default, none beyond the manifest's requests, and upgrades with further requests wait.

use std::sync::Arc;

use crate::common::{config, enable, plugin, probe, runtime, test_dist, variant};
use masthead_domain::{
    Lang, SiteId,
    plugin_use::{Grants, PluginUse, SecretGrant},
};
use masthead_runtime::{
    Catalog, Chain, ContentSource, FirstAnswer, HostServices, Plugin, Runtime, SecretSource, ServiceFuture,
    hook_types::{Article, Passage, Person},
};
use serde_json::json;

const OPTIONAL: &str = "kv = { reason = \"Fills the storage.\", optional = true }";
const REQUIRED: &str = "kv = \"To count readers.\"";

fn catalog(plugins: &[&Arc<Plugin>]) -> Catalog {
    let mut catalog = Catalog::new();
    plugins.iter().for_each(|plugin| catalog.insert(Arc::clone(plugin)));
    catalog
}

fn faulty(grants: Grants) -> PluginUse {
    PluginUse { grants, ..enable("faulty", json!({ "fault": "probe" })) }
}

async fn build(runtime: &Runtime, catalog: &Catalog, usage: &PluginUse, previous: Option<&Chain>) -> Chain {
    runtime.build_chain((SiteId(448), "demo"), catalog, std::slice::from_ref(usage), previous).await
}

fn versions(chain: &Chain) -> Vec<String> {
    chain.status().into_iter().map(|plugin| plugin.version).collect()
}

#[tokio::test]
async fn missing_grants_are_reported_with_their_reason_and_the_line_to_add() {
    let runtime = runtime();
    let http = "http = { reason = \"Waits for responses.\", optional = true }";
    let changes = [(OPTIONAL, REQUIRED), (http, "http = \"To ask the gateway.\"")];
    let catalog = catalog(&[&variant(&runtime, &test_dist().join("faulty"), &changes)]);
    let chain = build(&runtime, &catalog, &faulty(Grants::default()), None).await;
    assert!(chain.is_empty());
    let message = &chain.problems()[0].message;
    for part in [
        "kv (To count readers.)",
        "http (To ask the gateway.)",
        "grants = { http = [\"<server>\"], kv = true }",
        "the plugin faulty in sites/demo.toml",
    ] {
        assert!(message.contains(part), "{message} should say {part}");
    }
    let http = vec!["api.example.org".to_owned()];
    let chain = build(&runtime, &catalog, &faulty(Grants { kv: true, http, ..Grants::default() }), None).await;
    assert_eq!((chain.problems(), versions(&chain)), (&[][..], vec!["0.1.0".to_owned()]));
    // Invalid grants are reported too.
    let http = vec!["*.example.org".to_owned()];
    let chain = build(&runtime, &catalog, &faulty(Grants { kv: true, http, ..Grants::default() }), None).await;
    assert!(chain.problems()[0].message.contains("wildcards are not granted"), "{:?}", chain.problems());
}

#[tokio::test]
async fn without_an_optional_grant_a_plugin_runs_and_its_calls_are_refused() {
    let runtime = runtime();
    let catalog = catalog(&[&plugin(&runtime, &test_dist().join("faulty"))]);
    let chain = build(&runtime, &catalog, &faulty(Grants::default()), None).await;
    assert_eq!(chain.problems(), []);
    for (path, expected) in [
        ("kv", "the site does not grant kv; `kv = true` under grants gives it"),
        ("content", "the site does not grant content; `content = true` under grants gives it"),
        ("sign", "the site does not grant the secret \"key\"; list it under grants.secrets"),
    ] {
        let FirstAnswer::Refused(words) = probe(&chain, path).await else { panic!("{path} should be refused") };
        assert!(words.contains(expected), "{path}: {words}");
    }
    assert_eq!(probe(&chain, "has").await, FirstAnswer::Answered("false".to_owned()));
    let chain = build(&runtime, &catalog, &faulty(Grants { kv: true, ..Grants::default() }), None).await;
    for count in ["1", "2"] {
        assert_eq!(probe(&chain, "kv").await, FirstAnswer::Answered(count.to_owned()));
    }
}

#[tokio::test]
async fn grants_that_the_manifest_does_not_request_have_no_effect() {
    let runtime = runtime();
    let catalog = catalog(&[&plugin(&runtime, &test_dist().join("template-links"))]);
    let frames = vec!["https://frame.example.org".to_owned()];
    let usage =
        PluginUse { grants: Grants { frames, kv: true, ..Grants::default() }, ..enable("my-plugin", json!({})) };
    let chain = build(&runtime, &catalog, &usage, None).await;
    assert_eq!((chain.problems(), chain.frames()), (&[][..], Vec::<String>::new()));
    let plain = build(&runtime, &catalog, &enable("my-plugin", json!({})), None).await;
    assert_eq!(chain.fingerprint(), plain.fingerprint());
}

#[tokio::test]
async fn frames_are_those_of_all_plugins() {
    let runtime = runtime();
    let folder = test_dist().join("faulty");
    let asking = (OPTIONAL, "frames = \"Shows the assistant.\"\nkv = { reason = \"x\", optional = true }");
    let one = variant(&runtime, &folder, &[asking]);
    let two = variant(&runtime, &folder, &[asking, ("id = \"faulty\"", "id = \"another\"")]);
    let using = |id: &str, frames: &[&str]| {
        let frames = frames.iter().map(|frame| (*frame).to_owned()).collect();
        PluginUse { grants: Grants { frames, ..Grants::default() }, ..enable(id, json!({})) }
    };
    let enabled = [
        using("faulty", &["https://b.example.org", "https://a.example.org"]),
        using("another", &["https://b.example.org"]),
    ];
    let chain = runtime.build_chain((SiteId(448), "demo"), &catalog(&[&one, &two]), &enabled, None).await;
    assert_eq!(chain.problems(), []);
    assert_eq!(chain.frames(), ["https://a.example.org", "https://b.example.org"]);
}

#[tokio::test]
async fn an_upgrade_with_further_requests_waits() {
    let runtime = runtime();
    let folder = test_dist().join("faulty");
    let old = plugin(&runtime, &folder);
    let new = variant(&runtime, &folder, &[("\"0.1.0\"", "\"0.1.1\""), (OPTIONAL, REQUIRED)]);
    let (poor, rich) = (faulty(Grants::default()), faulty(Grants { kv: true, ..Grants::default() }));
    // Both versions are installed.
    let chain = build(&runtime, &catalog(&[&old, &new]), &poor, None).await;
    let [problem] = chain.problems() else { panic!("{:?}", chain.problems()) };
    for part in ["version 0.1.1 waits, 0.1.0 stays in use", "kv (To count readers.)", "kv = true"] {
        assert!(problem.message.contains(part), "{problem} should say {part}");
    }
    assert_eq!(versions(&chain), ["0.1.0"]);
    assert_eq!(probe(&chain, "has").await, FirstAnswer::Answered("false".to_owned()));
    // The version was replaced in place: the catalog has only the new one, the serving chain still has the old one.
    let chain = build(&runtime, &catalog(&[&new]), &poor, Some(&chain)).await;
    assert_eq!((versions(&chain), chain.problems().len()), (vec!["0.1.0".to_owned()], 1));
    assert_eq!(probe(&chain, "has").await, FirstAnswer::Answered("false".to_owned()));
    let fresh = build(&runtime, &catalog(&[&new]), &poor, None).await;
    assert!(fresh.is_empty() && fresh.problems()[0].message.contains("0.1.1 needs what this site does not grant"));
    // With the grant.
    let chain = build(&runtime, &catalog(&[&new]), &rich, Some(&chain)).await;
    assert_eq!((versions(&chain), chain.problems()), (vec!["0.1.1".to_owned()], &[][..]));
}

/// One article with all fields of its author, and one secret.
struct Archive;

impl ContentSource for Archive {
    fn article(&self, _: SiteId, _: i64) -> ServiceFuture<'_, Option<Article>> {
        Box::pin(async { Ok(None) })
    }
    fn by_doi(&self, _: SiteId, _: String) -> ServiceFuture<'_, Option<Article>> {
        Box::pin(async { Ok(None) })
    }
    fn latest(&self, site: SiteId, _: usize) -> ServiceFuture<'_, Vec<Article>> {
        let text = String::new;
        let ada = Person {
            name: "Ada Okafor".to_owned(),
            family: text(),
            given: text(),
            orcid: Some("0000-0001-2345-6789".to_owned()),
            email: Some("ada@example.org".to_owned()),
        };
        let article = Article {
            id: site.0,
            doi: text(),
            path: "article/17".to_owned(),
            titles: Vec::new(),
            authors: vec![ada],
            journal: text(),
            issn: Vec::new(),
            publisher: text(),
            year: 2026,
            volume: text(),
            issue: text(),
            first_page: text(),
            last_page: text(),
            published: text(),
            kind: text(),
            language: text(),
            keywords: Vec::new(),
            abstracts: Vec::new(),
            license_url: text(),
            open_access: true,
            reference_count: 0,
        };
        Box::pin(async { Ok(vec![article]) })
    }
    fn full_text(&self, _: SiteId, _: i64) -> ServiceFuture<'_, Option<String>> {
        Box::pin(async { Ok(None) })
    }
    fn search(&self, _: SiteId, _: Lang, _: String, _: usize) -> ServiceFuture<'_, Vec<Passage>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

impl SecretSource for Archive {
    fn secret(&self, site: SiteId, name: &str) -> Option<String> {
        match (site, name) {
            (SiteId(448), "key") => Some("key".to_owned()),
            (SiteId(2), "key") => Some(String::new()),
            _ => None,
        }
    }
}

fn archive() -> Runtime {
    let services =
        HostServices { content: Arc::new(Archive), secrets: Arc::new(Archive), ..HostServices::standalone() };
    Runtime::new(config(), services).unwrap()
}

#[tokio::test]
async fn personal_fields_are_withheld_unless_granted_one_by_one() {
    let runtime = archive();
    let catalog = catalog(&[&plugin(&runtime, &test_dist().join("faulty"))]);
    for (personal, orcid, email) in [
        (&[][..], false, false),
        (&["author.orcid"], true, false),
        (&["author.email"], false, true),
        (&["author.email", "author.orcid"], true, true),
    ] {
        let personal = personal.iter().map(|field| (*field).to_owned()).collect();
        let usage = faulty(Grants { content: true, personal, ..Grants::default() });
        let chain = build(&runtime, &catalog, &usage, None).await;
        let FirstAnswer::Answered(text) = probe(&chain, "content").await else { panic!("content is granted") };
        assert!(text.contains("Ada Okafor"), "{text}");
        assert_eq!((text.contains("0000-0001"), text.contains("ada@example.org")), (orcid, email), "{text}");
    }
}

#[tokio::test]
async fn secrets_are_used_by_name() {
    let runtime = archive();
    let catalog = catalog(&[&plugin(&runtime, &test_dist().join("faulty"))]);
    let usage = |name: &str| faulty(Grants { secrets: vec![name.into()], ..Grants::default() });
    let granted = build(&runtime, &catalog, &usage("key"), None).await;
    assert_eq!(probe(&granted, "has").await, FirstAnswer::Answered("true".to_owned()));
    // HMAC-SHA-256 of a known text with the key "key".
    let known = "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8";
    assert_eq!(probe(&granted, "sign").await, FirstAnswer::Answered(known.to_owned()));
    let other = build(&runtime, &catalog, &usage("other"), None).await;
    assert_eq!(probe(&other, "has").await, FirstAnswer::Answered("false".to_owned()));
    // Granted, but the host has no such secret for this site, or an empty one, with which anybody can sign.
    for site in [(SiteId(1), "else"), (SiteId(2), "empty")] {
        let elsewhere = runtime.build_chain(site, &catalog, &[usage("key")], None).await;
        assert_eq!(probe(&elsewhere, "has").await, FirstAnswer::Answered("false".to_owned()));
        let FirstAnswer::Refused(words) = probe(&elsewhere, "sign").await else { panic!("there is no secret") };
        assert!(words.contains("the host has no secret \"key\" for this site"), "{words}");
    }
}

#[tokio::test]
async fn a_secret_that_is_bound_to_no_server_is_reported() {
    let runtime = archive();
    let catalog = catalog(&[&plugin(&runtime, &test_dist().join("faulty"))]);
    let usage = |secret: SecretGrant, private: &str| {
        let (http, private_http) = (vec!["api.example.org".to_owned()], vec![private.to_owned()]);
        faulty(Grants { http, private_http, secrets: vec![secret], ..Grants::default() })
    };
    let bound = |origin: &str| SecretGrant::Bound { name: "key".to_owned(), origins: vec![origin.to_owned()] };
    let message = async |secret: SecretGrant, private: &str| {
        let chain = build(&runtime, &catalog, &usage(secret, private), None).await;
        chain.problems().first().map(|problem| problem.message.clone()).unwrap_or_default()
    };
    let several = message("key".into(), "https://10.0.0.1").await;
    assert!(
        several.contains("the site grants several servers (https://10.0.0.1, https://api.example.org)"),
        "{several}"
    );
    let clear = message(bound("http://10.0.0.1"), "http://10.0.0.1").await;
    assert!(clear.contains("http://10.0.0.1 has no encryption"), "{clear}");
    assert_eq!(message(bound("https://api.example.org"), "http://10.0.0.1").await, "");
    assert_eq!(message(bound("http://127.0.0.1:1"), "http://127.0.0.1:1").await, "");
}
