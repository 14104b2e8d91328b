//! Scaling with the number of articles: the same pages on a site with 1,000 and on one with 100,000 articles;
//! `cargo bench -p masthead-cli --bench scale`.
//!
//! Requests alternate between the two hosts, so that other load on the machine affects both. Every article is requested once, so that
//! no article page comes from the cache.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod host;

use std::time::{Duration, Instant};

use masthead_domain::ArticleId;
use masthead_store::{CardCursor, CardQuery};
use masthead_test_support::{Portal, Setup};

use articles::{ISSUE, NUMBER, SITE, many, store};
use host::verdict;

const FEW: usize = 1_000;
const ASKED: usize = 400;

/// Starts a host and stores this number of articles on its site.
fn portal(name: &str, articles: usize) -> Portal {
    let portal = Portal::start(name, Setup::default(), |_| {});
    let started = Instant::now();
    store(&portal, articles);
    println!("{articles} articles stored and indexed in {:.0} s", started.elapsed().as_secs_f64());
    portal
}

fn timed(portal: &Portal, path: &str) -> f64 {
    let started = Instant::now();
    let answer = portal.get(SITE, path);
    let taken = started.elapsed();
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    taken.as_secs_f64() * 1e3
}

fn percentile(times: &mut [f64], part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * part) as usize]
}

fn compare(name: &str, few: &Portal, large_site: &Portal, path: impl Fn(usize, usize) -> String, bound: Option<f64>) {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for turn in 0..ASKED {
        // The order alternates as well.
        if turn % 2 == 0 {
            small.push(timed(few, &path(turn, FEW)));
            large.push(timed(large_site, &path(turn, many())));
        } else {
            large.push(timed(large_site, &path(turn, many())));
            small.push(timed(few, &path(turn, FEW)));
        }
    }
    let (half, most) = (
        percentile(&mut large, 0.5) / percentile(&mut small, 0.5),
        percentile(&mut large, 0.99) / percentile(&mut small, 0.99),
    );
    let needed = bound.map_or(String::new(), |bound| format!("; {}", verdict(most <= bound, &format!("<= {bound}"))));
    println!(
        "{name}, {} / {FEW} articles: median {half:.2}, p99 {most:.2} ({:.1} ms and {:.1} ms{needed})",
        many(),
        percentile(&mut large, 0.99),
        percentile(&mut small, 0.99)
    );
}

/// The ids of all articles.
fn numbers(portal: &Portal) -> Vec<ArticleId> {
    portal.run(async {
        let (site, mut after, mut all) = (portal.app.store.site(NUMBER), 0, Vec::new());
        loop {
            let page = site.article_listing(after, 1000).await.unwrap();
            let Some(last) = page.last() else { return all };
            after = last.id.0;
            all.extend(page.into_iter().map(|listed| listed.id));
        }
    })
}

/// Time of the last pages of a list relative to the first ones. Pages are read by cursor, so both should take the same time.
fn paging(portal: &Portal) {
    portal.run(async {
        let site = portal.app.store.site(NUMBER);
        let (mut after, mut times) = (None::<CardCursor>, Vec::new());
        loop {
            let started = Instant::now();
            let page = site.cards(&CardQuery::Latest, after.as_ref(), 20).await.unwrap();
            times.push(started.elapsed());
            let Some(last) = page.last() else { break };
            after = Some(CardCursor::behind(last));
        }
        let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1e3 / times.len() as f64;
        let part = (times.len() / 10).max(1);
        let (first, last) = (mean(&times[..part]), mean(&times[times.len() - part..]));
        println!(
            "pages of a list of {}: the last tenth / the first tenth {:.2} ({last:.2} ms and {first:.2} ms)",
            many(),
            last / first
        );
    });
}

fn main() {
    let (few, large) = (portal("bench-few", FEW), portal("bench-many", many()));
    let (of_few, of_many) = (numbers(&few), numbers(&large));
    let article = |turn: usize, articles: usize| {
        let all = if articles == FEW { &of_few } else { &of_many };
        format!("/en/article/{}", all[turn * (all.len() / ASKED)])
    };
    compare("article page, not cached", &few, &large, article, Some(1.5));
    // The API is measured, because the page of an issue is cached after its first view.
    let issue = |turn: usize, articles: usize| {
        format!("/rc-pub/front/front-period/getPageByPeriodId?year=2026&issue={}", turn % (articles / ISSUE))
    };
    compare("issue of 300 articles", &few, &large, issue, None);
    let words = ["tide", "carbon", "salt marsh", "oxygen"];
    compare(
        "search",
        &few,
        &large,
        |turn, _| format!("/en/search?q={}%20{turn}", words[turn % 4].replace(' ', "%20")),
        None,
    );
    paging(&large);
}
