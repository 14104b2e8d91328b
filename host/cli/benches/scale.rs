//! Scaling with the number of articles: the same pages on a site with 1,000 and on one with 100,000 articles, and the last pages of long lists
//! beside the first ones; `cargo bench -p masthead-cli --bench scale`.
//!
//! Requests alternate between the two hosts, or between both ends of a list, so that other load on the machine affects both. Every article and
//! every page of a list is requested once, so that none comes from the cache.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod host;

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use masthead_domain::{
    ArticleId, Lang, LocalText,
    resource::{Column, Patent},
};
use masthead_store::{BrowseBy, CardCursor, CardQuery};
use masthead_test_support::{Missed, Portal, Setup};

use articles::{ISSUE, NUMBER, SITE, many, store};

const FEW: usize = 1_000;
const ASKED: usize = 400;
/// Pages that are timed at either end of a list.
const AT_AN_END: u64 = 40;
/// Entries on a page of a list.
const PAGE_SIZE: u32 = 20;
/// Greatest ratio of an article page on the large site to one on the small site.
const MOST_OF_A_PAGE: f64 = 1.5;
/// Greatest ratio of a page at the end of a list to one at its beginning.
const MOST_AT_THE_END: f64 = 3.0;

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

/// Returns the 99th percentile on the large site relative to that on the small one.
fn compare(name: &str, few: &Portal, large_site: &Portal, path: impl Fn(usize, usize) -> String) -> f64 {
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
    println!(
        "{name}, {} / {FEW} articles: median {half:.2}, p99 {most:.2} ({:.1} ms and {:.1} ms)",
        many(),
        percentile(&mut large, 0.99),
        percentile(&mut small, 0.99)
    );
    most
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

/// Time of the last parts of a list relative to the first ones, as programs read it: by cursor, so both should take the same time.
fn by_cursor(portal: &Portal) {
    portal.run(async {
        let site = portal.app.store.site(NUMBER);
        let (mut after, mut times) = (None::<CardCursor>, Vec::new());
        loop {
            let started = Instant::now();
            let page = site.cards(&CardQuery::Latest, after.as_ref(), PAGE_SIZE.into()).await.unwrap();
            times.push(started.elapsed());
            let Some(last) = page.last() else { break };
            after = Some(CardCursor::behind(last));
        }
        let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1e3 / times.len() as f64;
        let part = (times.len() / 10).max(1);
        let (first, last) = (mean(&times[..part]), mean(&times[times.len() - part..]));
        println!(
            "parts of a list of {} by cursor: the last tenth / the first tenth {:.2} ({last:.2} ms and {first:.2} ms)",
            many(),
            last / first
        );
    });
}

/// Time of the last pages of a list relative to the first ones, as readers ask for them: by number, so that the database counts what comes
/// before. `page` takes the milliseconds of a page.
fn ends(missed: &mut Missed, name: &str, entries: u64, page: impl Fn(u64) -> f64) {
    let pages = entries.div_ceil(PAGE_SIZE.into());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for turn in 0..AT_AN_END.min(pages / 2) {
        // The order alternates as well.
        if turn % 2 == 0 {
            first.push(page(1 + turn));
            last.push(page(pages - turn));
        } else {
            last.push(page(pages - turn));
            first.push(page(1 + turn));
        }
    }
    let (first, last) = (percentile(&mut first, 0.5), percentile(&mut last, 0.5));
    let ratio = last / first;
    let (figure, bound) = (format!("{name}, the last pages / the first ones"), format!("<= {MOST_AT_THE_END}"));
    println!(
        "{figure}, {entries} entries: median {ratio:.2} ({last:.1} ms and {first:.1} ms; {})",
        missed.verdict(&figure, ratio <= MOST_AT_THE_END, &bound)
    );
}

/// The column with the most articles: its key, and how many these are.
fn longest_column(portal: &Portal) -> (String, u64) {
    portal.run(async {
        let site = portal.app.store.site(NUMBER);
        let mut longest = (String::new(), 0);
        for column in site.resources::<Column>("", None, 100).await.unwrap() {
            let names: Vec<&str> = column.value.title.0.values().map(String::as_str).collect();
            let total = site.browse_page(BrowseBy::Subject, &names, 0, 1).await.unwrap().total;
            if total > longest.1 {
                longest = (column.value.key.clone(), total);
            }
        }
        longest
    })
}

/// Saves as many patents as the site has articles.
fn save_patents(portal: &Portal) {
    portal.run(async {
        let site = portal.app.store.site(NUMBER);
        for number in 0..many() {
            let title = LocalText::of(Lang::En, format!("Patent {number}"));
            site.save_resource(&Patent { key: format!("scale-{number}"), title, ..Patent::default() }).await.unwrap();
        }
    });
}

/// Both ends of the lists that pages show.
fn lists(portal: &Portal, missed: &mut Missed) {
    let site = portal.app.store.site(NUMBER);
    // The statement of the pages of articles before their issue, here of all articles.
    let all = portal.run(site.card_page(&CardQuery::Latest, 0, 1)).unwrap().total;
    ends(missed, "statement of a page of articles", all, |page| {
        let (offset, started) = ((page - 1) * u64::from(PAGE_SIZE), Instant::now());
        let found = portal.run(site.card_page(&CardQuery::Latest, offset, PAGE_SIZE)).unwrap();
        let taken = started.elapsed();
        assert!(found.total == all && !found.cards.is_empty(), "{page}");
        taken.as_secs_f64() * 1e3
    });
    let (column, articles) = longest_column(portal);
    let of_column = |page: u64| timed(portal, &format!("/en/mag?tab=columns&column={column}&page={page}"));
    ends(missed, "page of a column, not cached", articles, of_column);
    save_patents(portal);
    let of_patents = |page: u64| timed(portal, &format!("/en/currencyList?type=patent&page={page}"));
    ends(missed, "page of a list of resources, not cached", many() as u64, of_patents);
}

fn main() -> ExitCode {
    let mut missed = Missed::default();
    let (few, large) = (portal("bench-few", FEW), portal("bench-many", many()));
    let (of_few, of_many) = (numbers(&few), numbers(&large));
    let article = |turn: usize, articles: usize| {
        let all = if articles == FEW { &of_few } else { &of_many };
        format!("/en/article/{}", all[turn * (all.len() / ASKED)])
    };
    let ratio = compare("article page, not cached", &few, &large, article);
    let bound = format!("p99 <= {MOST_OF_A_PAGE}");
    println!("  {}", missed.verdict("article page, not cached", ratio <= MOST_OF_A_PAGE, &bound));
    // The API is measured, because the page of an issue is cached after its first view.
    let issue = |turn: usize, articles: usize| {
        format!("/rc-pub/front/front-period/getPageByPeriodId?year=2026&issue={}", turn % (articles / ISSUE))
    };
    compare("issue of 300 articles", &few, &large, issue);
    let words = ["tide", "carbon", "salt marsh", "oxygen"];
    let search = |turn: usize, _: usize| format!("/en/search?q={}%20{turn}", words[turn % 4].replace(' ', "%20"));
    compare("search", &few, &large, search);
    // The list is empty: what is measured is how it is found among all articles.
    let online_first = |turn: usize, _: usize| format!("/en/onlineFirst?page={}", turn + 2);
    compare("page of online first, not cached", &few, &large, online_first);
    by_cursor(&large);
    lists(&large, &mut missed);
    missed.exit_code()
}
