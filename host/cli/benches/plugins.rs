//! Cost of plugins in a whole host: a page with eight plugins against the same page without plugins, and a thousand sites with ten
//! plugins each.
//! `cargo bench -p masthead-cli --bench plugins`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    path::Path,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use masthead_runtime::Chain;
use masthead_test_support::{Missed, Portal, Setup};

const SITES: usize = 1000;
const SWAPS: usize = 100;
/// Ten plugins that need no external service; the first eight have hooks that an article page calls.
const PLUGINS: [(&str, &str); 10] = [
    ("hss-article", ""),
    ("friendship-links", "settings = { links = [{ name = { en = \"A\" }, address = \"https://a.example/\" }] }"),
    ("knowledge-base", ""),
    ("referrer-access", "settings = { hosts = [\"a.example.org\"] }"),
    ("multilingual-dissemination", ""),
    ("citation-export", "grants = { content = true }"),
    ("ai-assistant", "grants = { content = true }"),
    ("adcs-statistics", ""),
    ("synonym-search", ""),
    (
        "external-identity",
        "grants = { http = [\"login.example.org\"], secrets = [\"x\"] }\nsettings = { signInAddress = \"https://login.example.org/a\", tokenAddress = \"https://login.example.org/b\", userAddress = \"https://login.example.org/c\", clientId = \"x\" }",
    ),
];

fn entries(count: usize) -> String {
    PLUGINS.iter().take(count).map(|(id, more)| format!("\n[[plugins]]\nid = \"{id}\"\n{more}\n")).collect()
}

/// Adds a site with the first `plugins` plugins, based on the file of `plainpress`, which has none.
fn site(sites: &Path, sld: &str, id: usize, plugins: usize, demo: &str) {
    let plain = std::fs::read_to_string(sites.join("plainpress.toml")).unwrap();
    let text = plain.replacen("id = 101", &format!("id = {id}"), 1).replacen(
        "demo = [\"ocean-ledger\", \"quiet-circuits\"]",
        &format!("demo = [{demo}]"),
        1,
    );
    std::fs::write(sites.join(format!("{sld}.toml")), text + &entries(plugins)).unwrap();
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Time of one request, in milliseconds.
fn view(portal: &Portal, host: &str, path: &str) -> f64 {
    let started = Instant::now();
    let answer = portal.with(host, path, &[("accept-encoding", "gzip")]);
    assert_eq!(answer.status, 200, "{host}{path}");
    started.elapsed().as_secs_f64() * 1e3
}

/// Increments the content generation of a site, so that its cached pages are not used any more.
fn change(portal: &Portal, sld: &str) {
    let table = portal.app.sites.load();
    table.by_sld(sld).unwrap().content_generation.fetch_add(1, Ordering::Release);
}

fn pages(missed: &mut Missed) {
    let portal = Portal::start("bench-plugins", Setup::default(), |sites| {
        site(sites, "none", 9001, 0, "\"ocean-ledger\"");
        site(sites, "eight", 9002, 8, "\"ocean-ledger\"");
    });
    let article = |sld: &str| format!("/en/article/{}", portal.article(sld, "10.5555/ocl.2026.06.01.0001"));
    let (none, eight) = (article("none"), article("eight"));
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        change(&portal, "none");
        change(&portal, "eight");
        without.push(view(&portal, "none.localhost", &none));
        with.push(view(&portal, "eight.localhost", &eight));
    }
    let (without, with) = (median(without), median(with));
    let more = with - without;
    println!(
        "article page with eight plugins, uncached: {with:.2} ms, with none {without:.2} ms: {more:.2} ms more; {}",
        missed.verdict("article page with eight plugins", more <= 1.0, "<= 1.0 ms more")
    );
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        without.push(view(&portal, "none.localhost", &none));
        with.push(view(&portal, "eight.localhost", &eight));
    }
    println!("the same, cached: {:.2} of the time", median(with) / median(without));
}

fn chain(portal: &Portal, sld: &str) -> Chain {
    portal.app.sites.load().by_sld(sld).unwrap().chain.clone()
}

fn thousand(missed: &mut Missed) {
    let started = Instant::now();
    let portal = Portal::start("bench-thousand", Setup { live: true, bare: true, ..Setup::default() }, |sites| {
        for number in 0..SITES {
            site(sites, &format!("many-{number}"), 10_000 + number, 10, "");
        }
    });
    println!("{SITES} sites with ten plugins each: {:.2} s from start to serving", started.elapsed().as_secs_f64());
    let problems = portal.app.sites.load().problems.clone();
    assert!(problems.is_empty(), "{:?}", &problems[..problems.len().min(3)]);
    let file = portal.folder.join("sites/many-7.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut times = Vec::new();
    for round in 0..15 {
        let before = chain(&portal, "many-7").fingerprint();
        std::fs::write(&file, format!("{text}\n[plugins.limits]\nbudgetMs = {}\n", 2 + round % 2)).unwrap();
        let saved = Instant::now();
        while chain(&portal, "many-7").fingerprint() == before {
            std::thread::sleep(Duration::from_millis(1));
            assert!(saved.elapsed() < Duration::from_secs(20), "the change was not applied");
        }
        times.push(saved.elapsed().as_secs_f64() * 1e3);
    }
    let took = median(times);
    println!(
        "from saved site file to new plugin chain: {took:.0} ms; {}",
        missed.verdict("from saved site file to new plugin chain", took <= 200.0, "<= 200 ms")
    );
    swaps(&portal, &file, &text, missed);
}

fn swaps(portal: &Portal, file: &Path, text: &str, missed: &mut Missed) {
    let (stop, failed, asked) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let app = Arc::clone(&portal.app);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let answer = portal.with("many-7.localhost", "/en/home/", &[]);
                    asked.fetch_add(1, Ordering::Relaxed);
                    failed.fetch_add(usize::from(answer.status != 200), Ordering::Relaxed);
                }
            });
        }
        for round in 0..SWAPS {
            std::fs::write(file, format!("{text}\n[plugins.limits]\nbudgetMs = {}\n", 2 + round % 2)).unwrap();
            portal.run(app.reload());
        }
        stop.store(true, Ordering::Relaxed);
    });
    let (asked, failed) = (asked.into_inner(), failed.into_inner());
    println!(
        "{SWAPS} reloads under load: {failed} of {asked} requests failed; {}",
        missed.verdict("failed requests of reloads under load", failed == 0, "none")
    );
}

fn main() -> ExitCode {
    let mut missed = Missed::default();
    pages(&mut missed);
    thousand(&mut missed);
    missed.exit_code()
}
