//! Measures the cost of plugins for pages and sites: milliseconds a page, kilobytes a site, and losses during swaps.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use masthead_domain::{SiteId, access::AccessRequest, link::LinkKind, plugin_use::PluginUse};
use masthead_runtime::{
    Call, Catalog, Chain, Runtime,
    hook_types::{Article, HeadPage, LanguageText, NavigationEntry, NavigationMenu, Person},
};
use serde_json::{Value, json};

use crate::common::{self, begin, dist, enable, link, plugin, start, test_dist, variant};

const SITES: i64 = 1000;
const SWAPS: usize = 100;

/// The plugins of a page. Each is another component, except the last two, which share one.
fn plugins() -> Vec<(&'static str, &'static str, Value)> {
    let links = json!([{ "name": { "en": "A" }, "address": "https://a.example/" }]);
    vec![
        ("hss-article", "", json!({})),
        ("friendship-links", "", json!({ "links": links })),
        ("referrer-access", "", json!({ "hosts": ["a.example.org"] })),
        ("navigation", "template-navigation", json!({ "label": "Data", "target": "collections" })),
        ("head", "template-head", json!({})),
        ("article", "template-article", json!({})),
        ("links", "template-links", json!({ "from": "here" })),
        ("statistics", "template-statistics", json!({ "name": "source", "value": "mine" })),
        ("layout", "template-layout", json!({ "links": links })),
        ("hits", "template-hits", json!({})),
    ]
}

fn catalog(runtime: &Runtime) -> Catalog {
    let mut catalog = Catalog::new();
    for (id, template, _) in plugins() {
        catalog.insert(if template.is_empty() {
            plugin(runtime, &dist().join(id))
        } else {
            let id = format!("id = \"{id}\"");
            variant(runtime, &test_dist().join(template), &[("id = \"my-plugin\"", &id)])
        });
    }
    catalog
}

fn enabled(count: usize) -> Vec<PluginUse> {
    plugins().into_iter().take(count).map(|(id, _, settings)| enable(id, settings)).collect()
}

async fn build(
    runtime: &Runtime,
    site: i64,
    plugins: &[PluginUse],
    catalog: &Catalog,
    previous: Option<&Chain>,
) -> Chain {
    let chain = runtime.build_chain((SiteId(site), &format!("site-{site}")), catalog, plugins, previous).await;
    assert_eq!(chain.problems(), []);
    chain
}

fn article() -> Article {
    let text = |value: &str| vec![LanguageText { lang: "en".to_owned(), value: value.to_owned() }];
    let author = |name: &str| Person {
        name: name.to_owned(),
        family: name.to_owned(),
        given: String::new(),
        orcid: None,
        email: None,
    };
    Article {
        id: 17,
        doi: "10.5555/test.17".to_owned(),
        path: "article/17".to_owned(),
        titles: text("Tides of the inner sea"),
        authors: ["Okafor", "Lindqvist", "Haruki"].map(author).to_vec(),
        journal: "Journal of Tests".to_owned(),
        issn: vec!["1234-5679".to_owned()],
        publisher: "Example Press".to_owned(),
        year: 2025,
        volume: "12".to_owned(),
        issue: "3".to_owned(),
        first_page: "101".to_owned(),
        last_page: "118".to_owned(),
        published: "2025-06-30".to_owned(),
        kind: "research-article".to_owned(),
        language: "en".to_owned(),
        keywords: text("tides"),
        abstracts: text(&"How the inner sea moves. ".repeat(60)),
        license_url: "https://creativecommons.org/licenses/by/4.0/".to_owned(),
        open_access: true,
        reference_count: 24,
    }
}

/// All hook calls of an article page, in their order.
async fn call_all(call: &mut Call, article: &Article) -> usize {
    call.decide_access(AccessRequest::default()).await;
    let channel = |id| NavigationEntry {
        id,
        parent: 0,
        code: "home".to_owned(),
        label: "Home".to_owned(),
        target: "home".to_owned(),
        new_tab: false,
    };
    let languages = vec!["zh".to_owned(), "en".to_owned()];
    let menu = call.adjust_navigation(NavigationMenu { channels: (1..9).map(channel).collect(), languages }).await;
    let rows = call.contribute_layout().await;
    let (title, canonical) = ("Tides".to_owned(), "https://demo.example.org/zh/article/17".to_owned());
    let tags = call.contribute_head(HeadPage { title, canonical, article: Some(article.clone()) }).await;
    let links = (0..20).map(|number| link(LinkKind::ListArticle, &format!("article/{number}"))).collect();
    let links = call.rewrite_links(links).await;
    let additions = call.decorate_article(article).await;
    let parameters = call.statistics_parameters(vec![("siteId".to_owned(), "1".to_owned())]).await;
    menu.channels.len() + rows.len() + tags.len() + links.len() + additions.len() + parameters.len()
}

/// A page with eight plugins, compared with a page without plugins.
pub async fn page() {
    for (what, cache_bytes) in [("called each time", 0), ("cached where allowed", 32 << 20)] {
        let mut config = common::config();
        config.result_cache_bytes = cache_bytes;
        let runtime = start(config);
        let catalog = catalog(&runtime);
        let with = build(&runtime, 1, &enabled(8), &catalog, None).await;
        let without = build(&runtime, 2, &[], &catalog, None).await;
        let article = article();
        let mut best = [Duration::MAX; 2];
        for _ in 0..40 {
            for (chain, best) in [&without, &with].into_iter().zip(&mut best) {
                let started = Instant::now();
                for _ in 0..50 {
                    let mut call = begin(chain);
                    std::hint::black_box(call_all(&mut call, &article).await);
                    assert!(call.outcome().is_complete(), "{:?}", call.outcome());
                }
                *best = (*best).min(started.elapsed() / 50);
            }
        }
        let [without, with] = best.map(|time| time.as_secs_f64() * 1e3);
        println!("page with eight plugins, {what}: {:.3} ms added  (without {without:.4} ms)", with - without);
    }
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4
}

/// A thousand sites with ten plugins each.
pub async fn thousand() {
    // The first start fills the folder of compiled code, unless an earlier run did.
    catalog(&start(common::config()));
    let started = Instant::now();
    let runtime = start(common::config());
    let catalog = catalog(&runtime);
    let loaded = started.elapsed();
    let ten = enabled(10);
    let mut chains = vec![build(&runtime, 1, &ten, &catalog, None).await];
    let (before, started) = (resident(), Instant::now());
    for site in 2..=SITES {
        chains.push(build(&runtime, site, &ten, &catalog, None).await);
    }
    let built = started.elapsed();
    let each = (resident() - before) as f64 / (SITES - 1) as f64;
    println!("{SITES} sites x 10 plugins: {each:.1} KB resident for each site beyond the first");
    println!("{SITES} sites x 10 plugins: {loaded:?} to load the plugins, {built:?} to build the chains");

    let nine = enabled(9);
    let mut times = Vec::new();
    for (site, chain) in (1..).zip(chains.iter_mut().take(50)) {
        let started = Instant::now();
        *chain = build(&runtime, site, &nine, &catalog, Some(chain)).await;
        let fewer = started.elapsed();
        let started = Instant::now();
        *chain = build(&runtime, site, &ten, &catalog, Some(chain)).await;
        times.push((fewer, started.elapsed()));
    }
    times.sort();
    let (fewer, more) = times[times.len() / 2];
    println!("one site's list changes: {fewer:?} for one plugin less, {more:?} for one more, which is tried");

    let article = article();
    let mut touched = Vec::new();
    let before = resident();
    for chain in &chains {
        let started = Instant::now();
        let mut call = begin(chain);
        call_all(&mut call, &article).await;
        touched.push(started.elapsed());
        assert!(call.outcome().is_complete());
    }
    touched.sort();
    let (half, most) = (touched[touched.len() / 2], touched[touched.len() * 99 / 100]);
    println!(
        "a page of each of the sites in turn: {half:?}, 99 of 100 below {most:?}; {} KB more resident",
        resident() - before
    );
}

/// Two versions of a plugin are swapped repeatedly during requests.
pub async fn swaps() {
    let runtime = start(common::config());
    let folder = dist().join("hss-article");
    let versions =
        [plugin(&runtime, &folder), variant(&runtime, &folder, &[("version = \"0.1.0\"", "version = \"0.1.1\"")])];
    let mut catalogs = versions.map(|plugin| {
        let mut catalog = catalog(&runtime);
        catalog.insert(plugin);
        catalog
    });
    // The second catalog no longer has the first version.
    catalogs[1] = {
        let mut catalog = Catalog::new();
        catalogs[1]
            .plugins()
            .filter(|plugin| plugin.manifest().version.to_string() != "0.1.0" || plugin.id() != "hss-article")
            .for_each(|plugin| catalog.insert(Arc::clone(plugin)));
        catalog
    };
    let two = enabled(2);
    let current = Arc::new(Mutex::new(build(&runtime, 1, &two, &catalogs[0], None).await));
    let (done, calls, lost) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let load: Vec<_> = (0..4)
        .map(|_| {
            let (current, done) = (Arc::clone(&current), Arc::clone(&done));
            let (calls, lost) = (Arc::clone(&calls), Arc::clone(&lost));
            tokio::spawn(async move {
                let mut longest = Duration::ZERO;
                while !done.load(Relaxed) {
                    let started = Instant::now();
                    let chain = current.lock().unwrap().clone();
                    let mut call = begin(&chain);
                    let links = call.rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await;
                    let rows = call.contribute_layout().await;
                    let good = links[0].path == "hssArticle/1" && rows.len() == 1 && call.outcome().is_complete();
                    calls.fetch_add(2, Relaxed);
                    lost.fetch_add(u64::from(!good), Relaxed);
                    longest = longest.max(started.elapsed());
                    tokio::task::yield_now().await;
                }
                longest
            })
        })
        .collect();
    let started = Instant::now();
    for round in 0..SWAPS {
        let before = current.lock().unwrap().clone();
        let next = build(&runtime, 1, &two, &catalogs[(round + 1) % 2], Some(&before)).await;
        assert_ne!(next.status()[0].version, before.status()[0].version);
        *current.lock().unwrap() = next;
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let took = started.elapsed();
    done.store(true, Relaxed);
    let mut longest = Duration::ZERO;
    for task in load {
        longest = longest.max(task.await.unwrap());
    }
    println!(
        "{SWAPS} swaps in {took:?}: {} calls meanwhile, {} requests lost something, the longest took {longest:?}",
        calls.load(Relaxed),
        lost.load(Relaxed)
    );
}
