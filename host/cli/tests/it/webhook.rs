//! Event deliveries to other systems: once if all goes well, repeated on failure, never lost.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use masthead_runtime::system_clock;
use masthead_web::{app::plugin_events, http::admin_socket};
use serde_json::{Value, json};

use masthead_test_support::{
    Fake, Portal, RecordedRequest, Reply, Setup, add_to_site, assert_not_leaked, data_with_secrets, hmac, listen_to_log,
};

const SECRET: &str = "webhook-secret-5Wp";
const SECOND: u64 = 1000;
const HOUR: u64 = 3600 * SECOND;

fn usage(hook: &Fake) -> String {
    let origin = hook.origin();
    format!(
        "[[plugins]]\nid = \"webhook\"\ngrants = {{ privateHttp = [\"{origin}\"], secrets = [\"webhook\"] }}\n\
         settings = {{ addresses = [\"{origin}/hook\"] }}\n"
    )
}

/// A portal with a site without articles that delivers its events to `hook`, but only when the test calls [`deliver`].
fn portal(name: &str, hook: &Fake) -> Portal {
    portal_on(name, hook, data_with_secrets(name, &format!("[101]\nwebhook = \"{SECRET}\"\n")))
}

fn portal_on(name: &str, hook: &Fake, data: PathBuf) -> Portal {
    listen_to_log();
    let setup = Setup { bare: true, data: Some(data), ..Setup::default() };
    Portal::start(name, setup, |sites| add_to_site(sites, "plainpress", &usage(hook)))
}

/// Imports an article in another process, as an operator does.
fn import(sites: &Path, data: &Path, number: u32, title: &str) {
    let file = data.join(format!("article-{number}.xml"));
    let text = format!(
        "<article xml:lang=\"en\"><front><article-meta><article-id pub-id-type=\"doi\">10.5555/hook.{number}</article-id>\
         <title-group><article-title>{title}</article-title></title-group><contrib-group><contrib contrib-type=\"author\">\
         <name><surname>Okafor</surname><given-names>Ada</given-names></name><email>ada@example.org</email></contrib></contrib-group>\
         </article-meta></front><body><p>Quokkas.</p></body></article>"
    );
    std::fs::write(&file, text).unwrap();
    let output =
        masthead_test_support::masthead(sites, data, &["import", "jats", file.to_str().unwrap(), "--site", "101"]);
    assert!(output.status.success(), "{}", masthead_test_support::stderr(&output));
}

fn import_into(portal: &Portal, number: u32, title: &str) {
    import(&portal.app.sites_folder, &portal.app.data_folder, number, title);
}

fn collect(portal: &Portal) {
    while portal.run(plugin_events::collect(&portal.app)).unwrap() {}
}

fn deliver(portal: &Portal, now: u64) -> bool {
    portal.run(plugin_events::deliver(&portal.app, now)).unwrap()
}

/// Sends a request to the operator's socket.
fn admin(portal: &Portal, method: &str, path: &str) -> Value {
    let mut stream = UnixStream::connect(portal.app.data_folder.join(admin_socket::SOCKET)).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nhost: admin\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn open_admin(portal: &Portal) {
    let listener = portal.run(admin_socket::open(&portal.app.data_folder)).unwrap();
    let app = portal.app.clone();
    portal.run(async move {
        tokio::spawn(admin_socket::serve(app, listener));
    });
}

fn assert_signed(seen: &RecordedRequest) {
    assert_eq!(seen.header("x-masthead-signature"), format!("sha256={}", hmac(SECRET, &seen.body)));
    assert_eq!(seen.header("x-masthead-event"), seen.json()["id"].as_str().unwrap());
    assert_eq!((seen.method.as_str(), seen.path.as_str()), ("POST", "/hook"));
}

#[test]
fn an_imported_article_is_delivered_once_and_signed() {
    let hook = Fake::start(|_| Reply::ok("{}"));
    let portal = portal("webhook-once", &hook);
    import_into(&portal, 1, "Quokkas &amp; co");
    assert!(!deliver(&portal, system_clock()), "nothing is due before the change log is read");
    collect(&portal);
    let now = system_clock();
    assert!(deliver(&portal, now + SECOND) && !deliver(&portal, now + SECOND) && !deliver(&portal, now + 20 * HOUR));
    let seen = hook.seen();
    assert_eq!(seen.len(), 1);
    assert_signed(&seen[0]);
    let event = seen[0].json();
    let id = portal.article("plainpress", "10.5555/hook.1");
    assert_eq!((&event["kind"], &event["subject"]), (&json!("article.published"), &json!(id.to_string())));
    assert_eq!((&event["site"]["id"], &event["site"]["sld"]), (&json!(101), &json!("plainpress")));
    assert_eq!((&event["article"]["doi"], &event["article"]["id"]), (&json!("10.5555/hook.1"), &json!(id)));
    assert_eq!(event["article"]["titles"][0]["value"], "Quokkas & co");
    assert_eq!(event["article"]["address"], format!("http://plainpress.localhost/en/article/{id}"));
    assert!(!event.to_string().contains("ada@example.org"), "personal data are not delivered: {event}");
    assert_eq!(seen[0].header("x-masthead-attempt"), "1");

    // A changed article is another event. Reading the log again creates no further events.
    import_into(&portal, 1, "Quokkas");
    import_into(&portal, 2, "Wombats");
    collect(&portal);
    collect(&portal);
    while deliver(&portal, system_clock() + SECOND) {}
    let seen = hook.seen();
    let mut kinds: Vec<_> = seen.iter().map(|seen| seen.json()["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort();
    assert_eq!(kinds, ["article.published", "article.updated"]);
    let ids: std::collections::BTreeSet<_> =
        seen.iter().map(|seen| seen.header("x-masthead-event").to_owned()).collect();
    assert!(ids.len() == 2 && !ids.contains(event["id"].as_str().unwrap()), "{ids:?}");
    // Events of other sites are not delivered to this site's plugin.
    assert_not_leaked(&portal, SECRET);
}

#[test]
fn a_failed_delivery_is_repeated_with_growing_delays() {
    let hook = Fake::start(|_| Reply::status(500));
    let portal = portal("webhook-again", &hook);
    import_into(&portal, 1, "Quokkas");
    collect(&portal);
    let now = system_clock() + SECOND;
    assert!(deliver(&portal, now));
    assert!(!deliver(&portal, now + 7 * SECOND), "the first delay is eight seconds");
    assert!(deliver(&portal, now + 8 * SECOND));
    assert!(!deliver(&portal, now + 23 * SECOND), "the second delay is sixteen seconds");
    hook.answer(|_| Reply::ok(""));
    assert!(deliver(&portal, now + 24 * SECOND));
    assert!(!deliver(&portal, now + 20 * HOUR), "the delivery was accepted");
    let seen = hook.seen();
    let attempts: Vec<_> = seen.iter().map(|seen| seen.header("x-masthead-attempt").to_owned()).collect();
    assert_eq!(attempts, ["1", "2", "3"]);
    for one in &seen {
        assert_signed(one);
        assert_eq!(
            one.header("x-masthead-event"),
            seen[0].header("x-masthead-event"),
            "the receiver can recognize a repetition"
        );
    }
    assert_not_leaked(&portal, SECRET);
}

#[test]
fn a_delivery_that_keeps_failing_is_set_aside_and_can_be_requeued() {
    let hook = Fake::start(|_| Reply::status(503));
    let portal = portal("webhook-aside", &hook);
    open_admin(&portal);
    import_into(&portal, 1, "Quokkas");
    collect(&portal);
    let mut now = system_clock() + SECOND;
    let mut pauses = Vec::new();
    let mut tries = 0;
    while deliver(&portal, now) {
        tries += 1;
        let all = admin(&portal, "GET", "/deliveries/101");
        assert_eq!((&all[0]["attempts"], &all[0]["event"]), (&json!(tries), &json!("article.published")), "{all}");
        assert!(all[0]["error"].as_str().unwrap().contains("503"), "{all}");
        if all[0]["state"] == "aside" {
            break;
        }
        let next = all[0]["nextAtMs"].as_u64().unwrap();
        pauses.push((next - now) / SECOND);
        now = next;
    }
    assert_eq!((tries, pauses), (12, (0..11).map(|at| 8 << at).collect::<Vec<u64>>()));
    assert_eq!(hook.seen().len(), 12);
    assert!(!deliver(&portal, now + 100 * HOUR), "a delivery that is set aside is not repeated");
    let metrics = portal.metrics();
    assert!(
        metrics.contains("masthead_plugin_deliveries{site=\"101\",plugin=\"webhook\",state=\"aside\"} 1"),
        "{metrics}"
    );

    hook.answer(|_| Reply::ok(""));
    let id = admin(&portal, "GET", "/deliveries/101")[0]["id"].clone();
    assert_eq!(
        admin(&portal, "POST", &format!("/deliveries/502/{id}/requeue")),
        json!({ "requeued": false }),
        "the delivery belongs to another site"
    );
    assert_eq!(admin(&portal, "POST", &format!("/deliveries/101/{id}/requeue")), json!({ "requeued": true }));
    assert!(deliver(&portal, system_clock() + SECOND));
    assert_eq!((hook.seen().len(), admin(&portal, "GET", "/deliveries/101")), (1, json!([])));
    assert_not_leaked(&portal, SECRET);
}

#[test]
fn a_removed_plugin_gets_no_further_deliveries() {
    let hook = Fake::start(|_| Reply::ok(""));
    let portal = portal("webhook-removed", &hook);
    import_into(&portal, 1, "Quokkas");
    collect(&portal);
    let file = portal.app.sites_folder.join("plainpress.toml");
    let with = std::fs::read_to_string(&file).unwrap();
    // Deliveries to a plugin that only cannot be loaded at the moment are retained.
    std::fs::write(&file, with.replace("id = \"webhook\"", "id = \"webhook\"\nversion = \"9\"")).unwrap();
    portal.run(portal.app.reload());
    let now = system_clock() + SECOND;
    assert!(deliver(&portal, now) && !deliver(&portal, now + SECOND));
    std::fs::write(&file, &with).unwrap();
    portal.run(portal.app.reload());
    assert!(deliver(&portal, now + 10 * SECOND));
    assert_eq!(hook.seen().len(), 1);

    import_into(&portal, 2, "Wombats");
    collect(&portal);
    std::fs::write(&file, with.split("[[plugins]]").next().unwrap()).unwrap();
    portal.run(portal.app.reload());
    assert!(deliver(&portal, now + HOUR) && !deliver(&portal, now + 100 * HOUR));
    let left = portal.run(portal.app.store.site(masthead_domain::SiteId(101)).deliveries(10)).unwrap();
    assert_eq!((left.len(), hook.seen().len()), (0, 0));
}

#[test]
fn a_host_that_is_killed_loses_no_event() {
    let hook = Fake::start(|_| Reply::never());
    let data = data_with_secrets("webhook-killed", &format!("[101]\nwebhook = \"{SECRET}\"\n"));
    masthead_test_support::share_compiled(&data);
    let sites = data.join("sites");
    masthead_test_support::copy(&masthead_test_support::repository("sites"), &sites);
    add_to_site(&sites, "plainpress", &usage(&hook));
    let before = system_clock();
    let mut host = masthead_test_support::command(&sites, &data, &["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("serves"), "{first}");
    import(&sites, &data, 1, "Quokkas");
    let mut seen = Vec::new();
    let started = Instant::now();
    while seen.is_empty() {
        assert!(started.elapsed() < masthead_test_support::HANG, "nothing was delivered");
        std::thread::sleep(Duration::from_millis(40));
        seen.extend(hook.seen());
    }
    host.kill().unwrap();
    host.wait().unwrap();
    let log = std::io::read_to_string(host.stderr.take().unwrap()).unwrap();
    assert!(!log.contains(SECRET), "{log}");
    hook.answer(|_| Reply::ok(""));
    let now = system_clock();
    let open = || portal_on("webhook-killed-next", &hook, data.clone());
    let portal = open();
    // The delivery is reserved for the killed host for a minute; afterwards another host takes it over.
    let waiting = portal.run(portal.app.store.site(masthead_domain::SiteId(101)).deliveries(10)).unwrap();
    let minute_over = u64::try_from(waiting[0].next_at_ms).unwrap();
    assert!((before..=now).contains(&(minute_over - 60 * SECOND)), "{before} {minute_over} {now}");
    assert!(!deliver(&portal, minute_over - SECOND), "the delivery is not made twice at the same time");
    assert!(deliver(&portal, minute_over));
    seen.extend(hook.seen());
    assert_eq!(seen.len(), 2);
    for one in &seen {
        assert_signed(one);
        assert_eq!(one.header("x-masthead-event"), seen[0].header("x-masthead-event"));
    }
    assert_eq!(seen[1].header("x-masthead-attempt"), "2");
    assert!(!deliver(&portal, now + 100 * HOUR));

    // A delivery that was enqueued but not attempted survives as well.
    import_into(&portal, 2, "Wombats");
    collect(&portal);
    drop(portal);
    let portal = open();
    assert!(deliver(&portal, system_clock() + SECOND));
    assert_eq!(hook.seen().len(), 1);
}
