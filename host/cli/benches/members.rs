//! What a signed-in reader costs; `cargo bench -p masthead-cli --bench members`.
//!
//! Pages of signed-in readers are built for each of them, because they have the reader's name. They are compared with pages of strangers that
//! are not in the page cache either. Rounds alternate between the two, so that other load on the machine affects both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod host;

use std::{path::Path, process::ExitCode, sync::atomic::Ordering, time::Instant};

use masthead_accounts::sessions::{SessionStart, Sessions, method};
use masthead_domain::{
    Lang, SiteId,
    member::{MemberName, Profile},
};
use masthead_store::{Created, NewMember};
use masthead_test_support::{Missed, Portal, Setup, edit};

use host::{Connection, HOST, median};

const SITE: SiteId = SiteId(448);
const VIEWS: usize = 400;
/// Greatest ratio of a view of a signed-in reader to one of a stranger.
const MOST: f64 = 1.3;

/// The token of a session of a new member.
fn session(portal: &Portal) -> String {
    portal.run(async {
        let (store, now) = (portal.app.store.site(SITE), portal.app.counting.now());
        let names = [MemberName::account("reader").unwrap()];
        let profile = Profile::default();
        let new =
            NewMember { handle: "h", names: &names, password: "", identity: None, lang: Lang::En, profile: &profile };
        let Created::Member(member) = store.create_member(&new, now).await.unwrap() else { panic!() };
        let times = portal.app.sites.load().by_id(SITE).unwrap().site.accounts.sessions;
        let beginning = SessionStart { member, method: method::CODE, agent: "bench", replaces: None };
        Sessions::new(store, times, now).begin(&beginning).await.unwrap().unwrap().text
    })
}

/// The median time of a view of each of two readers, in microseconds. No view is answered from the page cache.
fn views(portal: &Portal, path: &str, readers: [&str; 2]) -> [f64; 2] {
    let mut connection = Connection::open(portal.address);
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..VIEWS {
        for at in [round % 2, 1 - round % 2] {
            // With a new content generation, cached pages are not used any more.
            let table = portal.app.sites.load();
            table.by_sld("oceanledger").unwrap().content_generation.fetch_add(1, Ordering::Release);
            let started = Instant::now();
            connection.request_with(HOST, path, "gzip", readers[at]);
            times[at].push(started.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.map(median)
}

fn compare(portal: &Portal, missed: &mut Missed, what: &str, path: &str, token: &str) {
    let of_member = format!("token: {token}\r\n");
    let [stranger, member] = views(portal, path, ["", &of_member]);
    let ratio = member / stranger;
    println!(
        "{what}, signed in / stranger, both uncached: {ratio:.2} ({member:.0} us and {stranger:.0} us); {}",
        missed.verdict(&format!("{what}, signed in / stranger"), ratio <= MOST, &format!("<= {MOST}"))
    );
}

/// Lets members alone read what the site has.
fn for_members(sites: &Path) {
    edit(&sites.join("oceanledger.toml"), |text| format!("{text}\n[access]\nfullText = \"members\"\n"));
}

fn main() -> ExitCode {
    let mut missed = Missed::default();
    let portal = Portal::start("bench-members", Setup::default(), |_| {});
    let article = portal.article("oceanledger", "10.5555/ocl.2026.06.01.0001");
    let (path, token) = (format!("/en/article/{article}"), session(&portal));
    compare(&portal, &mut missed, "article view", &path, &token);
    compare(&portal, &mut missed, "home page view", "/en/home", &token);
    compare(&portal, &mut missed, "search view", "/en/search?q=sensor", &token);
    drop(portal);

    // The same article where it is open to members alone: the stranger's page has the abstract only.
    let portal = Portal::start("bench-members-only", Setup::default(), for_members);
    let article = portal.article("oceanledger", "10.5555/ocl.2026.06.01.0001");
    let (path, token) = (format!("/en/article/{article}"), session(&portal));
    let of_member = format!("token: {token}\r\n");
    let [page, _] = views(&portal, &path, [&of_member, ""]);
    println!("article view where full texts are for members, of a member: {page:.0} us");
    missed.exit_code()
}
