//! `[access]`: what strangers, members and the readers of institutions may read and download, at every kind of door, what they are told, and
//! who may keep the answers.

use std::{path::Path, sync::LazyLock, time::Duration};

use masthead_accounts::sessions::{SessionStart, Sessions, method};
use masthead_domain::{
    Lang, SiteId,
    member::{MemberId, MemberName, Profile},
};
use masthead_store::{Created, Institution, NewMember};
use masthead_test_support::{Portal, Setup, trust_local_proxy};

use crate::reading::{READER, SHARED, SHARED_FILE, Site, Subject};

/// Everything is for members.
const MEMBERS: Site = Site { sld: "membersonly", id: SiteId(9401) };
/// Everything is for the readers of institutions.
const CAMPUS: Site = Site { sld: "campusonly", id: SiteId(9402) };
/// Everyone reads, members download.
const HALF: Site = Site { sld: "halfopen", id: SiteId(9403) };
/// Everything is for members, but for open access articles.
const HYBRID: Site = Site { sld: "hybridopen", id: SiteId(9404) };
const SITES: [Site; 4] = [MEMBERS, CAMPUS, HALF, HYBRID];

/// An address in the network of an institution of the configuration, and one in no network.
const ON_CAMPUS: (&str, &str) = ("x-forwarded-for", "192.0.2.77");
const ELSEWHERE: (&str, &str) = ("x-forwarded-for", "198.51.100.77");

const SIGN_IN_TO_READ: &str = "Please sign in to read the full text";
const SIGN_IN_TO_DOWNLOAD: &str = "Please sign in to download";
const NOT_INCLUDED: &str = "Your account does not include the full text";

fn add_sites(sites: &Path) {
    trust_local_proxy(sites);
    let institutions = "[[access.institutions]]\nid = \"estuary\"\nname = { en = \"Estuary University\" }\nnetworks = [\"192.0.2.0/24\"]\n\
                        [[access.institutions]]\nid = \"delta\"\nname = { en = \"Delta College\" }\n";
    for (site, top, access) in [
        (MEMBERS, "enableComment = true\n", "fullText = \"members\"\ndownloads = \"members\"\n"),
        (CAMPUS, "", "fullText = \"institutions\"\ndownloads = \"institutions\"\n"),
        (HALF, "", "downloads = \"members\"\n"),
        (HYBRID, "openAccessForAll = true\n", "fullText = \"members\"\ndownloads = \"members\"\n"),
    ] {
        let text =
            format!("id = {}\nname = {{ zh = \"站\", en = \"Site\" }}\n{top}[access]\n{access}{institutions}", site.id);
        std::fs::write(sites.join(format!("{}.toml", site.sld)), text).unwrap();
    }
}

struct Portals {
    portal: Portal,
    subjects: Vec<Subject>,
}

static ALL: LazyLock<Portals> = LazyLock::new(|| {
    let portal = Portal::start("site-access", Setup { bare: true, ..Setup::default() }, add_sites);
    let subjects = SITES.into_iter().map(|site| Subject::new(&portal, site, "kept")).collect();
    portal.run(async { portal.app.change_log_follower().catch_up().await.unwrap() });
    Portals { portal, subjects }
});

/// A new member of a site, and the token of a session.
fn member(portal: &Portal, site: Site, name: &str) -> (MemberId, String) {
    portal.run(async {
        let (store, now) = (portal.app.store.site(site.id), portal.app.counting.now());
        let names = [MemberName::account(name).unwrap()];
        let profile = Profile::default();
        let new =
            NewMember { handle: name, names: &names, password: "", identity: None, lang: Lang::En, profile: &profile };
        let Created::Member(member) = store.create_member(&new, now).await.unwrap() else { panic!("{name}") };
        let times = portal.app.sites.load().by_id(site.id).unwrap().site.accounts.sessions;
        let sessions = Sessions::new(store, times, now);
        let beginning = SessionStart { member, method: method::CODE, agent: "tests", replaces: None };
        (member, sessions.begin(&beginning).await.unwrap().unwrap().text)
    })
}

fn subject(site: Site) -> &'static Subject {
    ALL.subjects.iter().find(|subject| subject.site.id == site.id).unwrap()
}

/// The doors to read, and those to download: name, address, the word that only permitted readers see.
fn doors(of: &Subject) -> (Vec<String>, Vec<String>) {
    let id = of.id;
    let article = "/rc-pub/front/front-article";
    let read = vec![
        format!("/en/article/{id}"),
        format!("/rc-pub/front/page?path=/en/article/{id}"),
        format!("{article}/getHtml?id={id}"),
        format!("{article}/getBody?id={id}"),
        format!("/en/article/{id}?format=jats"),
        of.figure.clone(),
    ];
    let download = vec![
        format!("{article}/download?id={id}&type=xml"),
        format!("{article}/download?id={id}&type=zip"),
        format!("{article}/download?id={id}&type=pdf"),
        format!("{article}/downloadTable?tableId={id}/t1&type=csv"),
        format!("/en/article/{id}?format=pdf"),
        of.pdf.clone(),
    ];
    (read, download)
}

/// Whether an answer has something that only permitted readers get.
fn shows(portal: &Portal, of: &Subject, path: &str, headers: &[(&str, &str)]) -> bool {
    let answer = portal.with(&of.site.host(), path, headers);
    let text = String::from_utf8_lossy(&answer.bytes);
    let shown = ["zebrafish", "walrus", "marzipan"].iter().any(|word| text.contains(&format!("{word}{}", of.mark)));
    // A package is compressed: its words are in it, but not to be read.
    shown || (path.contains("type=zip") && answer.status == 200)
}

#[test]
fn the_configuration_decides_who_reads_and_who_downloads() {
    let Portals { portal, .. } = &*ALL;
    let mut faults = Vec::new();
    for site in SITES {
        let of = subject(site);
        let (_, token) = member(portal, site, "reader");
        let (student, student_token) = member(portal, site, "student");
        portal.run(async {
            let (store, now) = (portal.app.store.site(site.id), portal.app.counting.now());
            store.of_member(student).join_institution("delta", 0, "tests", now).await.unwrap();
        });
        let english = ("language", "en");
        let readers: [(&str, Vec<(&str, &str)>); 4] = [
            ("stranger", vec![english, ELSEWHERE]),
            ("on campus", vec![english, ON_CAMPUS]),
            ("member", vec![english, ELSEWHERE, ("token", &token)]),
            ("student", vec![english, ELSEWHERE, ("token", &student_token)]),
        ];
        let expected: [(bool, bool); 4] = match site.id {
            id if id == MEMBERS.id => [(false, false), (false, false), (true, true), (true, true)],
            id if id == CAMPUS.id => [(false, false), (true, true), (false, false), (true, true)],
            id if id == HALF.id => [(true, false), (true, false), (true, true), (true, true)],
            _ => [(true, true); 4],
        };
        let (read, download) = doors(of);
        // Twice: the second answer may come out of the page cache, which other readers filled.
        for _ in 0..2 {
            for ((who, headers), (reads, downloads)) in readers.iter().zip(expected) {
                let of_read = read.iter().map(|door| (door, reads));
                for (door, expected) in of_read.chain(download.iter().map(|door| (door, downloads))) {
                    if shows(portal, of, door, headers) != expected {
                        faults.push(format!("{} {who} {door}: expected {expected}", site.sld));
                    }
                }
                let power = portal.with(&site.host(), "/rc-pub/front/site/checkPower", headers).json();
                let found = (&power["data"]["visitPower"], &power["data"]["downloadPower"]);
                if site.id != HYBRID.id && found != (&reads.into(), &downloads.into()) {
                    faults.push(format!("{} {who}: checkPower says {power}", site.sld));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_refused_file_has_the_colours_that_the_reader_has_chosen() {
    let headers = [("accept", "text/html"), ELSEWHERE, ("cookie", "theme=dark")];
    let answer = ALL.portal.with(&MEMBERS.host(), &subject(MEMBERS).pdf, &headers);
    assert_eq!(answer.status, 403);
    assert!(answer.text().contains(" data-theme=\"dark\""), "{}", answer.text());
}

#[test]
fn what_is_refused_says_what_the_reader_can_do() {
    let Portals { portal, .. } = &*ALL;
    let (_, token) = member(portal, CAMPUS, "told");
    let message = |site: Site, path: &str, headers: &[(&str, &str)]| {
        let answer = portal.with(&site.host(), path, headers);
        (answer.status, answer.json()["message"].as_str().unwrap_or_default().to_owned())
    };
    let html = |site: Site| format!("/rc-pub/front/front-article/getHtml?id={}", subject(site).id);
    let xml = |site: Site| format!("/rc-pub/front/front-article/download?id={}&type=xml", subject(site).id);
    let stranger = [("language", "en"), ELSEWHERE];
    let with_account = [("language", "en"), ELSEWHERE, ("token", token.as_str())];
    assert_eq!(message(MEMBERS, &html(MEMBERS), &stranger), (403, SIGN_IN_TO_READ.to_owned()));
    assert_eq!(message(MEMBERS, &xml(MEMBERS), &stranger), (403, SIGN_IN_TO_DOWNLOAD.to_owned()));
    assert_eq!(message(HALF, &xml(HALF), &stranger), (403, SIGN_IN_TO_DOWNLOAD.to_owned()));
    assert_eq!(message(CAMPUS, &html(CAMPUS), &with_account), (403, NOT_INCLUDED.to_owned()));

    let page = |site: Site, headers: &[(&str, &str)]| {
        portal.with(&site.host(), &format!("/en/article/{}", subject(site).id), headers).text()
    };
    let login = |site: Site| format!("href=\"/en/login?url=%2Fen%2Farticle%2F{}\"", subject(site).id);
    let closed = page(MEMBERS, &stranger);
    assert!(closed.contains(SIGN_IN_TO_READ) && closed.contains(&login(MEMBERS)), "{closed}");
    let half = page(HALF, &stranger);
    assert!(half.contains(SIGN_IN_TO_DOWNLOAD) && half.contains(&login(HALF)) && !half.contains("format=pdf"));
    let refused = page(CAMPUS, &with_account);
    assert!(refused.contains(NOT_INCLUDED) && !refused.contains(&login(CAMPUS)), "an account does not help");
}

#[test]
fn a_file_that_is_opened_in_a_browser_leads_to_the_sign_in() {
    let Portals { portal, .. } = &*ALL;
    let of = subject(HALF);
    let host = HALF.host();
    let accept = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for (path, back) in [
        (of.pdf.clone(), of.pdf.clone()),
        (format!("/en/article/{}?format=pdf", of.id), format!("/en/article/{}?format=pdf", of.id)),
    ] {
        let headers = [accept, ("accept-language", "en"), ELSEWHERE];
        let shown = portal.with(&host, &path, &headers);
        let back: String = url::form_urlencoded::byte_serialize(back.as_bytes()).collect();
        let text = shown.text();
        assert_eq!(shown.status, 403, "{path}");
        assert!(shown.header("cache-control").contains("no-store"), "{path}: {:?}", shown.headers);
        assert!(text.contains(SIGN_IN_TO_DOWNLOAD) && text.contains(&format!("/en/login?url={back}")), "{text}");
    }
    let part = portal.with(&host, &of.pdf, &[("accept", "image/avif,image/*"), ELSEWHERE]);
    assert_eq!((part.status, part.bytes.len()), (403, 0), "what a page shows as a part of itself gets no page");
}

#[test]
fn what_is_not_for_everyone_is_kept_by_nobody() {
    let Portals { portal, .. } = &*ALL;
    let caching = |site: Site, path: &str, token: &str| {
        let answer = portal.with(&site.host(), path, &[("language", "en"), ELSEWHERE, ("token", token)]);
        assert_eq!(answer.status, 200, "{path}");
        answer.header("cache-control").to_owned()
    };
    let html = |of: &Subject| format!("/rc-pub/front/front-article/getHtml?id={}", of.id);
    let citation = |of: &Subject| format!("/rc-pub/front/front-article/download?id={}&type=ris", of.id);
    for (site, expected) in [
        (MEMBERS, [READER, READER, READER, READER]),
        (HALF, [SHARED, READER, SHARED_FILE, READER]),
        (HYBRID, [SHARED, SHARED, SHARED_FILE, SHARED_FILE]),
    ] {
        let (_, token) = member(portal, site, "keeper");
        let of = subject(site);
        let found = [html(of), citation(of), of.figure.clone(), of.pdf.clone()];
        assert_eq!(found.map(|path| caching(site, &path, &token)), expected, "{}", site.sld);
    }
}

#[test]
fn rights_end_with_the_session_the_group_and_the_agreement() {
    let Portals { portal, .. } = &*ALL;
    let of = subject(CAMPUS);
    let html = format!("/rc-pub/front/front-article/getHtml?id={}", of.id);
    let status = |token: &str, from: (&str, &str)| portal.with(&CAMPUS.host(), &html, &[("token", token), from]).status;
    let store = portal.app.store.site(CAMPUS.id);
    let now = || portal.app.counting.now();

    let (id, token) = member(portal, CAMPUS, "leaver");
    assert_eq!(status(&token, ELSEWHERE), 403);
    portal.run(store.of_member(id).join_institution("delta", now() + 60_000, "tests", now())).unwrap();
    assert_eq!(status(&token, ELSEWHERE), 200);
    assert_eq!(status("", ELSEWHERE), 403, "without the session");
    let (_, foreign) = member(portal, MEMBERS, "leaver");
    assert_eq!(status(&foreign, ELSEWHERE), 403, "another site's session");
    assert!(portal.run(store.of_member(id).leave_institution("delta", "tests", now())).unwrap());
    assert_eq!(status(&token, ELSEWHERE), 403);
    portal.run(store.of_member(id).join_institution("unknown", 0, "tests", now())).unwrap();
    assert_eq!(status(&token, ELSEWHERE), 403, "the site knows no such institution");

    // An institution that is kept in the database.
    let from = ("x-forwarded-for", "203.0.113.9");
    assert_eq!(status("", from), 403);
    let until = now() + 3_600_000;
    let networks = vec!["203.0.113.0/24".to_owned()];
    let institution = Institution { key: "lagoon".into(), name: "Lagoon".into(), networks, until };
    portal.run(store.set_institution(&institution, "tests", now())).unwrap();
    portal.app.institutions.forget(CAMPUS.id);
    assert_eq!(status("", from), 200);
    let ended = Institution { until: now() - 1, ..institution };
    portal.run(store.set_institution(&ended, "tests", now())).unwrap();
    portal.advance(Duration::from_secs(30));
    assert_eq!(status("", from), 403, "the agreement has ended, and the host has read it again");
}

#[test]
fn nobody_is_asked_to_sign_in_because_a_session_cannot_be_looked_up() {
    let portal = Portal::start("session-unknown", Setup { bare: true, ..Setup::default() }, add_sites);
    let (members, half) = (Subject::new(&portal, MEMBERS, "kept"), Subject::new(&portal, HALF, "kept"));
    portal.run(async { portal.app.change_log_follower().catch_up().await.unwrap() });
    let (_, token) = member(&portal, MEMBERS, "reader");
    let (_, other) = member(&portal, HALF, "reader");
    let page = |of: &Subject| format!("/en/article/{}", of.id);
    let get = |site: Site, path: &str, headers: &[(&str, &str)]| {
        let english = [("language", "en"), ELSEWHERE];
        portal.with(&site.host(), path, &[&english, headers].concat())
    };
    let (closed, open) = (page(&members), page(&half));
    // The pages of strangers are in the cache.
    assert!(get(MEMBERS, &closed, &[]).text().contains(SIGN_IN_TO_READ));
    for (site, path) in [(HALF, open.as_str()), (MEMBERS, "/en/home"), (HALF, "/en/home")] {
        assert_eq!(get(site, path, &[]).status, 200, "{path}");
    }
    portal.run(portal.app.store.close());
    assert!(get(MEMBERS, &closed, &[]).text().contains(SIGN_IN_TO_READ), "a reader without a session");
    for (name, of_members, of_half) in [
        ("token", token.clone(), other.clone()),
        ("cookie", format!("mh_session={token}"), format!("mh_session={other}")),
    ] {
        let (of_members, of_half) = ([(name, of_members.as_str())], [(name, of_half.as_str())]);
        for path in [closed.clone(), format!("/rc-pub/front/page?path={closed}"), "/en/personal".to_owned()] {
            let answer = get(MEMBERS, &path, &of_members);
            assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{path}: {}", answer.text());
            assert!(!answer.text().contains("sign in"), "{path}: {}", answer.text());
        }
        assert_eq!(get(HALF, &open, &of_half).status, 200, "everyone may read it");
        assert_eq!(get(MEMBERS, "/en/home", &of_members).status, 200);
        // The call needs the session first.
        let comments = "/rc-pub/front/front-article/comments";
        let body = serde_json::json!({ "id": members.id, "text": "A word" });
        let answer = portal.call("POST", MEMBERS.sld, comments, &of_members, &body);
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{}", answer.text());
    }
    let answer = portal.call("POST", MEMBERS.sld, "/rc-pub/front/front-article/comments", &[], &serde_json::json!({}));
    assert_eq!(answer.status, 401, "a call without a session: {}", answer.text());
}
