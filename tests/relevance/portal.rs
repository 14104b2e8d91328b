//! The running host with three sites: the demo's reading room among generated articles, real articles where there are any, and another.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use masthead_cli::demo_content;
use masthead_content::import::{Format, Importer, Outcome};
use masthead_domain::{SiteId, article::Contributor, text::letters};
use masthead_relevance::{
    content::{self, Content},
    engines::Engine,
    judged::Query,
    real_articles,
};
use masthead_test_support::{Portal, Setup};
use serde_json::Value;
use url::form_urlencoded::Serializer;

/// Short name and number of a site.
pub type Site = (&'static str, SiteId);
/// The demo site with the content of all journals.
pub const SHELF: Site = ("openshelf", SiteId(66));
/// The site of the real articles.
pub const REAL: Site = ("realarticles", SiteId(9031));
/// Another site, with generated articles of its own.
pub const ELSEWHERE: Site = ("elsewhere", SiteId(9032));

/// Generated articles from which those without an author of the demo content are added to the reading room.
const GENERATED: usize = 150;
/// Generated articles of the other site.
const FEW: usize = 12;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    // Not with the copy of the whole demo: most of the sites are to have none of it.
    let portal = Portal::start("relevance", Setup { bare: true, ..Setup::default() }, sites);
    portal.run(async {
        demo_content::seed(&portal.app).await.unwrap();
        generated(&portal, SHELF, 2026, GENERATED).await;
        generated(&portal, ELSEWHERE, 7, FEW).await;
        if let Some(folder) = real_articles() {
            import(&portal, &folder).await;
        }
        portal.app.change_log_follower().catch_up().await.unwrap();
    });
    portal
});

/// Leaves the demo content to the reading room, so that it is not seeded for sites that are not asked, and adds two sites.
fn sites(folder: &Path) {
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        let path = file.path();
        if path.extension().is_some_and(|ending| ending == "toml") && !path.ends_with("openshelf.toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("demo = [")).collect();
            std::fs::write(&path, kept.join("\n") + "\n").unwrap();
        }
    }
    for (sld, id) in [REAL, ELSEWHERE] {
        let text = format!("id = {}\nname = {{ zh = \"站\", en = \"Site\" }}\n", id.0);
        std::fs::write(folder.join(format!("{sld}.toml")), text).unwrap();
    }
}

/// Adds generated articles to a site: no author of an article that is there already has another one among them, so that what was judged
/// stays all that is relevant.
async fn generated(portal: &Portal, site: Site, seed: u64, many: usize) {
    let store = &portal.app.store;
    let there = Content::of(&store.site(site.1)).await;
    let known: BTreeSet<String> =
        there.articles.iter().flat_map(|article| &article.meta.contributors).flat_map(names).collect();
    let folder = portal.folder.join(format!("generated-{seed}"));
    let mut made = demo_content::generate_files(seed, many, folder).await.unwrap();
    made.retain(|(made, _)| !made.article.meta.contributors.iter().flat_map(names).any(|name| known.contains(&name)));
    let journals: Vec<String> = made.iter().map(|(made, _)| made.journal.clone()).collect();
    demo_content::store(store, site.1, &portal.app.data_folder, &journals, &made).await.unwrap();
}

/// The names of a person, without spaces and in both orders.
fn names(person: &Contributor) -> Vec<String> {
    let (family, given) = (letters(&person.surname), letters(&person.given_names));
    let mut all = vec![format!("{family}{given}"), format!("{given}{family}")];
    all.extend(person.alternatives.iter().map(|(_, name)| letters(name)));
    all
}

async fn import(portal: &Portal, folder: &Path) {
    let mut importer = Importer::new(&portal.app.store, REAL.1, &portal.app.data_folder, false);
    let folders = ["jats", "zh-chinaxiv"].map(|name| folder.join(name));
    let mut failed = Vec::new();
    let mut note = |item: masthead_content::import::Item| {
        if item.outcome == Outcome::Failed {
            failed.push(format!("{}: {:?}", item.path, item.error));
        }
    };
    importer.run(&folders, Format::Jats, &mut note).await.unwrap();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A site of the running host, asked through its search call.
pub struct Host {
    site: &'static str,
    /// What the site holds.
    pub content: Content,
}

impl Host {
    /// A site with what it holds.
    pub fn of(site: &Site) -> Self {
        Self { site: site.0, content: PORTAL.run(Content::of(&PORTAL.app.store.site(site.1))) }
    }

    /// The payload of a search call. A failure is no empty answer.
    pub fn ask(&self, call: &str, pairs: &[(&str, &str)]) -> Value {
        let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
        let path = format!("/rc-pub/front/{call}?{query}");
        let answer = PORTAL.with(&format!("{}.localhost", self.site), &path, &[("language", "en")]);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()["data"].clone()
    }

    /// The key of a hit in judgements.
    fn key(&self, hit: &Value) -> String {
        let text = |name: &str| hit[name].as_str().unwrap_or_default();
        let article = |name: &str| {
            let id = hit[name].as_i64().unwrap_or_default();
            self.content.name(id).map_or_else(|| format!("unknown:{id}"), str::to_owned)
        };
        match (text("kind"), text("type")) {
            ("article", _) => article("id"),
            ("resource", "picture" | "table") => format!("{}#{}", article("article"), content::element(text("key"))),
            ("resource", kind) => format!("{kind}:{}", text("key")),
            (kind, _) => format!("{kind}:{}", text("key")),
        }
    }
}

impl Engine for Host {
    fn name(&self) -> &'static str {
        "Masthead"
    }

    fn find(&self, query: &Query, limit: usize) -> Vec<String> {
        let size = limit.to_string();
        // As the page of results asks: what is nearest, where nothing has all that was typed.
        let pairs = [("q", query.text.as_str()), ("type", &query.kind), ("size", &size), ("relax", "true")];
        let found = self.ask("search", &pairs);
        found["content"].as_array().unwrap().iter().map(|hit| self.key(hit)).collect()
    }
}
