//! What an operator relies on: readiness that says what cannot be written, a database that is away, the configuration of before a restart,
//! the ids of requests and their lines in the log.

use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use masthead_domain::SiteId;
use masthead_store::Outage;
use masthead_test_support::{Portal, Setup, listen_to_log, log, share_compiled, trust_local_proxy, workspace};
use masthead_web::auth::admin_tokens::Role;
use serde_json::{Value, json};

use crate::postgres::Cluster;

fn bare(name: &str, edit: impl FnOnce(&Path)) -> Portal {
    Portal::start(name, Setup { bare: true, ..Setup::default() }, edit)
}

#[test]
fn readiness_says_what_cannot_be_written_and_how_far_the_index_is_behind() {
    let portal = bare("ready", |_| {});
    let ready = portal.ready();
    assert_eq!((&ready["ready"], &ready["unwritable"]), (&json!(true), &json!([])), "{ready}");
    assert_eq!((&ready["indexBehind"], &ready["indexBehindSeconds"]), (&json!(0), &json!(0)), "{ready}");
    assert_eq!((&ready["indexState"], &ready["indexDamage"]), (&json!("following"), &Value::Null), "{ready}");
    // Nothing follows the change log of this portal.
    portal.run(portal.app.store.site(SiteId(448)).save_setting("header.navStyle", Some(&json!(9)))).unwrap();
    std::thread::sleep(Duration::from_millis(1_100));
    let ready = portal.ready();
    assert_eq!(ready["indexBehind"], 1);
    assert!(ready["indexBehindSeconds"].as_u64().unwrap() >= 1, "{ready}");
    assert!(portal.metrics().contains("masthead_index_age_seconds"));
    portal.run(portal.app.change_log_follower().catch_up()).unwrap();
    let ready = portal.ready();
    assert_eq!((&ready["indexBehind"], &ready["indexBehindSeconds"]), (&json!(0), &json!(0)), "{ready}");
    // A folder in place of the file that is written.
    std::fs::create_dir(portal.app.data_folder.join("search/write-check")).unwrap();
    assert_eq!(portal.ready()["ready"], true, "not every request writes");
    portal.advance(Duration::from_secs(11));
    let ready = portal.ready();
    assert_eq!(ready["ready"], false, "{ready}");
    let places: Vec<&Value> = ready["unwritable"].as_array().unwrap().iter().map(|one| &one["what"]).collect();
    assert_eq!(places, ["search index"]);
    assert!(!ready["unwritable"][0]["why"].as_str().unwrap().is_empty());
    assert_eq!(portal.operator("/readyz").status, 503);
    assert_eq!(portal.with("127.0.0.1", "/readyz", &[]).status, 200, "readers are served");
    std::fs::remove_dir(portal.app.data_folder.join("search/write-check")).unwrap();
    portal.advance(Duration::from_secs(11));
    assert_eq!(portal.ready()["ready"], true);
    let left = std::fs::read_dir(&portal.app.data_folder).unwrap().flatten();
    assert!(left.map(|entry| entry.file_name()).all(|name| name != "write-check"), "the file is removed");
}

#[test]
fn the_last_good_configuration_survives_a_restart() {
    let data = workspace("last-good-data");
    share_compiled(&data);
    let start = |name: &str, edit: &dyn Fn(&Path)| {
        Portal::start(name, Setup { bare: true, data: Some(data.clone()), ..Setup::default() }, |sites| edit(sites))
    };
    let first = start("last-good-1", &|sites| {
        std::fs::write(sites.join("kept.toml"), "id = 9501\nname = { en = \"Kept\" }\nheader = { navStyle = 9 }\n")
            .unwrap();
        std::fs::write(sites.join("gone.toml"), "id = 9502\nname = { en = \"Gone\" }\n").unwrap();
    });
    assert!(first.page("kept", "/en/home").contains("Kept"));
    drop(first);

    let broken = |sites: &Path| {
        std::fs::write(sites.join("kept.toml"), "id = 9501\nname = ").unwrap();
        std::fs::write(sites.join("new.toml"), "id = 9503\nname = ").unwrap();
        let platform = std::fs::read_to_string(sites.join("platform.toml")).unwrap();
        std::fs::write(sites.join("platform.toml"), format!("{platform}\n[")).unwrap();
    };
    for restart in ["last-good-2", "last-good-3"] {
        let portal = start(restart, &broken);
        let frame = portal.bootstrap("kept", "/en/home");
        assert_eq!((&frame["site"]["name"], &frame["site"]["navStyle"]), (&json!("Kept"), &json!(9)), "{restart}");
        assert_eq!(portal.get("oceanledger", "/en/home").status, 200, "the other sites are served");
        let problems = portal.ready()["problems"].to_string();
        for words in ["site kept: its file is rejected; the last good configuration", "the last good platform.toml"] {
            assert!(problems.contains(words), "{words}: {problems}");
        }
        assert_eq!(portal.get("new", "/en/home").status, 404, "it never was good");
        assert_eq!(portal.get("gone", "/en/home").status, 404, "its file was removed");
        // The next valid file is used again.
        std::fs::write(portal.folder.join("sites/kept.toml"), "id = 9501\nname = { en = \"Mended\" }\n").unwrap();
        let platform = portal.folder.join("sites/platform.toml");
        let text = std::fs::read_to_string(&platform).unwrap();
        std::fs::write(&platform, text.trim_end_matches('[')).unwrap();
        portal.run(portal.app.reload());
        assert!(portal.page("kept", "/en/home").contains("Mended"));
        assert!(!portal.ready()["problems"].to_string().contains("site kept"));
        // For the next round, the last good one is that of the beginning.
        std::fs::write(
            portal.folder.join("sites/kept.toml"),
            "id = 9501\nname = { en = \"Kept\" }\nheader = { navStyle = 9 }\n",
        )
        .unwrap();
        portal.run(portal.app.reload());
    }
}

#[test]
fn every_request_has_an_id_and_a_line_in_the_log() {
    listen_to_log();
    let portal = bare("access-log", |_| {});
    let get = |path: &str, headers: &[(&str, &str)]| portal.with("plainpress.localhost", path, headers);
    let answer = get("/en/search?q=secretive-words&page=1", &[("x-request-id", "forged-by-a-client")]);
    let id = answer.header("x-request-id").to_owned();
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    assert_ne!(get("/en/home", &[]).header("x-request-id"), id);
    let lines =
        || -> Vec<String> { log().lines().filter(|line| line.contains("access: ")).map(str::to_owned).collect() };
    // The line is written after the last byte, which the client may have before it.
    portal.wait("the line of the request", || lines().iter().any(|line| line.contains(&id)));
    let line = lines().into_iter().find(|line| line.contains(&id)).unwrap();
    let bytes = format!("bytes={}", answer.bytes.len());
    for part in ["method=GET", "/en/search", "status=200", bytes.as_str(), "ms=", "plainpress"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(!lines().iter().any(|line| line.contains("secretive-words") || line.contains("forged-by-a-client")));

    let missing = get("/rc-pub/front/no-such-call", &[]);
    let id = missing.header("x-request-id").to_owned();
    portal
        .wait("the line of the call", || lines().iter().any(|line| line.contains(&id) && line.contains("status=404")));
}

#[test]
fn a_trusted_proxy_gives_requests_their_ids() {
    let portal = bare("request-ids", trust_local_proxy);
    let answer = portal.with("plainpress.localhost", "/en/home", &[("x-request-id", "edge-17.a")]);
    assert_eq!(answer.header("x-request-id"), "edge-17.a");
    let odd = portal.with("plainpress.localhost", "/en/home", &[("x-request-id", "a b;c")]);
    assert_eq!(odd.header("x-request-id").len(), 32);
}

/// A server between the host and the database that can stop to pass anything on, as a network does that loses packets.
fn proxy(socket: PathBuf, stalled: &Arc<AtomicBool>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let stalled = Arc::clone(stalled);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = UnixStream::connect(&socket) else { continue };
            let (to_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (up, down) = (Arc::clone(&stalled), Arc::clone(&stalled));
            thread::spawn(move || pass(client, &to_server, || to_server.shutdown(Shutdown::Both), &up));
            thread::spawn(move || pass(server, &to_client, || to_client.shutdown(Shutdown::Both), &down));
        }
    });
    address
}

fn pass(mut from: impl Read, mut to: impl Write, end: impl FnOnce() -> std::io::Result<()>, stalled: &AtomicBool) {
    let mut buffer = [0; 8192];
    while let Ok(length) = from.read(&mut buffer) {
        while stalled.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(5));
        }
        if length == 0 || to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = end();
}

#[test]
fn while_the_database_is_away_cached_pages_are_served_and_others_are_refused() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: no database was taken away: {reason}");
            return;
        }
    };
    let stalled = Arc::new(AtomicBool::new(false));
    let address = proxy(cluster.socket(), &stalled);
    let database = Some(format!("postgres://masthead@{address}/postgres?sslmode=disable"));
    let portal = Portal::start("database-away", Setup { bare: true, database, ..Setup::default() }, |_| {});
    let get = |path: &str, headers: &[(&str, &str)]| portal.with("plainpress.localhost", path, headers);
    assert_eq!(get("/en/home", &[]).status, 200);
    assert_eq!(portal.ready()["store"], "open");
    let ada = portal.sign_up("plainpress", "ada", "13800000301");
    let cookie = ada.cookies.as_str();
    assert!(get("/en/home", &[("cookie", cookie)]).text().contains("\"signedIn\":true"));
    let token = portal.token("desk", Role::Admin, &[]);

    // A request that arrives as the stall begins has waited when the stall becomes known, and waits for less time from then on than one that
    // arrives then. A busy machine may hold the first one up for longer, once or twice.
    let refused = |path: &'static str| {
        let answer = get(path, &[]);
        (answer.status, Instant::now())
    };
    let mut waits = Vec::new();
    loop {
        stalled.store(true, Ordering::Release);
        let (early, late) = thread::scope(|scope| {
            let early = scope.spawn(|| refused("/en/issues"));
            portal.wait("the stall", || !portal.app.store.is_available());
            let known = Instant::now();
            let late = refused("/zh/news");
            let early = early.join().unwrap();
            assert_eq!((early.0, late.0), (503, 503));
            (early.1.saturating_duration_since(known), late.1 - known)
        });
        waits.push((early, late));
        if early < late.mul_f64(0.75) {
            break;
        }
        assert!(waits.len() < 10, "the first waits, and what arrived later: {waits:?}");
        stalled.store(false, Ordering::Release);
        portal.wait("the end of a stall", || portal.app.store.is_available());
    }
    assert_eq!(get("/en/home", &[]).status, 200, "a page of the cache");
    let unknown = get("/en/home", &[("cookie", cookie)]);
    assert_eq!(unknown.status, 200, "the session is not waited for");
    assert!(unknown.text().contains("\"signedIn\":false"));
    let refused = get("/zh/issues", &[("accept-language", "en")]);
    assert_eq!((refused.status, refused.header("retry-after")), (503, "5"));
    let text = refused.text();
    assert!(text.contains("服务暂时不可用") && text.contains(refused.header("x-request-id")), "{text}");
    let call = get("/rc-pub/front/front-period/getPageByPeriodId?year=2031&issue=3", &[("language", "en")]);
    assert_eq!((call.status, call.header("retry-after")), (503, "5"));
    assert_eq!(call.header("cache-control"), "no-store");
    let envelope = call.json();
    assert_eq!(envelope["status"], 503);
    assert!(envelope["message"].as_str().unwrap().contains("temporarily"), "in the reader's language: {envelope}");
    assert_eq!(get("/oai?verb=Identify", &[]).status, 503);
    let news = get("/rc-pub/admin/records?siteId=101&type=news", &[("token", &token)]);
    assert_eq!((news.status, news.header("retry-after")), (503, "5"), "{}", news.text());
    assert_eq!(get("/readyz", &[]).status, 503);
    let ready = portal.ready();
    assert_eq!((&ready["ready"], &ready["store"]), (&json!(false), &json!("unreachable")), "{ready}");
    assert_eq!(get("/healthz", &[]).status, 200);

    stalled.store(false, Ordering::Release);
    portal.wait("the return", || portal.app.store.is_available() && get("/zh/issues", &[]).status == 200);
    assert_eq!(portal.ready()["store"], "open");
}

#[test]
fn every_door_says_that_the_database_fails_and_when_to_ask_again() {
    let portal = bare("database-closed", |_| {});
    let token = portal.token("desk", Role::Admin, &[]);
    portal.run(portal.app.store.close());
    let file = format!("/media/101/{}.png", "a".repeat(64));
    let editor = [("token", token.as_str())];
    for (path, headers) in [
        ("/en/article/1", &[][..]),
        (file.as_str(), &[]),
        ("/sitemap.xml", &[]),
        ("/en/feed.atom", &[]),
        ("/oai?verb=Identify", &[]),
        ("/rc-pub/front/front-article/1", &[]),
        ("/rc-pub/admin/records?siteId=101&type=news", &editor),
        ("/rc-pub/admin/comments?siteId=101", &editor),
        ("/rc-pub/admin/audit?siteId=101", &editor),
    ] {
        let answer = portal.with("plainpress.localhost", path, headers);
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{path}: {}", answer.text());
        assert!(answer.header("cache-control").contains("no-store"), "{path}");
    }
}

#[test]
fn a_database_that_was_stopped_is_used_again_without_a_restart() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: no database was stopped: {reason}");
            return;
        }
    };
    let database = Some(cluster.url());
    let portal = Portal::start("database-stopped", Setup { bare: true, database, ..Setup::default() }, |_| {});
    let get = |path: &str| portal.with("plainpress.localhost", path, &[]);
    assert_eq!(get("/en/home").status, 200);
    cluster.stop().unwrap();
    portal.wait("the stop", || !portal.app.store.is_available());
    assert_eq!(get("/en/home").status, 200, "a page of the cache");
    for (path, words) in [("/en/issues", "temporarily unavailable"), ("/zh/issues", "服务暂时不可用")] {
        let refused = get(path);
        assert_eq!(refused.status, 503, "{path}");
        assert!(refused.text().contains(words), "in the reader's language: {}", refused.text());
    }
    // What is stored meanwhile fails, and nothing of it appears later.
    let site = portal.app.store.site(SiteId(101));
    let failed = portal.run(site.save_setting("header.navStyle", Some(&json!(9)))).unwrap_err();
    assert_eq!(failed.outage(), Some(Outage::Away), "{failed}");
    cluster.resume().unwrap();
    portal.wait("the return", || portal.app.store.is_available() && get("/zh/issues").status == 200);
    assert_eq!(portal.run(site.settings()).unwrap(), []);
    portal.run(site.save_setting("header.navStyle", Some(&json!(9)))).unwrap();
    assert_eq!(portal.ready()["store"], "open");
}
