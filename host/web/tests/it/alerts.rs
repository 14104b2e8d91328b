//! Messages of a running portal, to a mail server beside it: verification codes, subscriptions, alerts, and how they end.

use std::{
    path::Path,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use masthead_accounts::codes::{Code, Codes};
use masthead_domain::{
    ArticleId, Lang,
    article::{Article, ArticleMeta, KeywordGroup},
    card::ArticleCard,
    content::LangText,
    member::{Channel, CodePurpose, MemberName},
    route::Route,
};
use masthead_store::{NewArticle, SearchText};
use masthead_test_support::{Act, Answer, CODE, MailServer, Portal, Received, Setup, SignedUp, listen_to_log, log};
use masthead_web::saved_searches;
use serde_json::{Value, json};

const SITE: &str = "oceanledger";
/// A group site.
const OTHER: &str = "plainpress";
/// A site of its group.
const MEMBER: &str = "quietcircuits";
const MEMBERS: &str = "/rc-pub/front/frontMembers";

/// A portal of its own for each test that changes what the mail server does; the outbox and the change log belong to all sites.
struct Desk {
    portal: Portal,
    server: MailServer,
}

static SHARED: LazyLock<Desk> = LazyLock::new(|| Desk::start("alerts"));
/// The tests that share a portal take turns: what one sends, another would receive.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    fn start(name: &str) -> Self {
        Self::start_with(name, MailServer::section)
    }

    /// Starts a portal with the section `[mail]` that is made for the server.
    fn start_with(name: &str, section: impl FnOnce(&MailServer) -> String) -> Self {
        listen_to_log();
        let server = MailServer::start();
        let section = section(&server);
        let portal = Portal::start(name, Setup { bare: true, ..Setup::default() }, |sites| configure(sites, &section));
        Self { portal, server }
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.portal.call(method, SITE, &format!("{MEMBERS}/{path}"), &[], body)
    }

    fn member(&self, method: &str, path: &str, member: &SignedUp) -> Answer {
        let headers = [("token", member.token.as_str())];
        self.portal.call(method, SITE, &format!("{MEMBERS}/{path}"), &headers, &Value::Null)
    }

    /// Subscribes an address with the code that was sent to it. Returns the number of the subscription.
    fn subscribe(&self, site: &str, email: &str, mut body: Value) -> i64 {
        self.portal.send_code(site, CodePurpose::Subscribe, email);
        self.post();
        body["email"] = json!(email);
        body["code"] = json!(CODE);
        let answer = self.portal.call("POST", site, &format!("{MEMBERS}/subscribe"), &[], &body);
        assert_eq!((answer.status, &answer.json()["message"]), (200, &json!("Subscription successfully")), "{email}");
        answer.json()["data"]["id"].as_i64().unwrap()
    }

    /// Sends what is in the outbox. Returns what the mail server got.
    fn post(&self) -> Vec<Received> {
        while self.portal.run(self.portal.app.send_messages(Channel::Mail)).unwrap().claimed > 0 {}
        self.server.received()
    }

    /// Publishes an article, and tells the subscribers. Returns what they got.
    fn publish(&self, site: &str, title: &str, keyword: &str) -> (ArticleId, Vec<Received>) {
        let id = self.save(site, title, keyword);
        let app = &self.portal.app;
        self.portal.run(app.change_log_follower().catch_up()).unwrap();
        while self.portal.run(app.collect_alerts()).unwrap() {}
        while self.portal.run(saved_searches::collect(app)).unwrap() {}
        self.portal.run(app.tell_subscribers()).unwrap();
        (id, self.post())
    }

    fn save(&self, site: &str, title: &str, keyword: &str) -> ArticleId {
        let mut meta = ArticleMeta {
            source_key: format!("title:{title}"),
            issue: "3".to_owned(),
            year: Some(2026),
            language: "en".to_owned(),
            subjects: vec!["Letters".to_owned()],
            ..ArticleMeta::default()
        };
        meta.titles = vec![LangText { lang: "en".to_owned(), plain: title.to_owned(), ..LangText::default() }];
        meta.keywords = vec![KeywordGroup { plain: vec![keyword.to_owned()], ..KeywordGroup::default() }];
        let article = Article { meta, ..Article::default() };
        let card = ArticleCard::of(&article, &[], &[]);
        let new = NewArticle { article, card, rendered: "{}".to_owned(), ..NewArticle::default() };
        let store = self.portal.app.store.site(self.portal.site_id(site));
        self.portal.run(store.save_article(&new)).unwrap().id()
    }
}

/// The platform with this mail server, which announces everything at once.
fn configure(sites: &Path, mail: &str) {
    let path = sites.join("platform.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("[mail]\n").unwrap();
    let (_, after) = rest.split_once("[alerts]\n").unwrap();
    let after = after.replace("quietMinutes = 10", "quietMinutes = 0").replace("newDays = 120", "newDays = 0");
    std::fs::write(path, format!("{before}{mail}\n[alerts]\n{after}")).unwrap();
}

fn to<'a>(letters: &'a [Received], address: &str) -> Vec<&'a Received> {
    letters.iter().filter(|letter| letter.to == [address]).collect()
}

/// Path and query of the address in the header `List-Unsubscribe`.
fn link(letter: &Received) -> String {
    let header = letter.header("List-Unsubscribe");
    let address = header.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap();
    let (_, path) = address.split_once("://").and_then(|(_, rest)| rest.split_once('/')).unwrap();
    format!("/{path}")
}

#[test]
fn a_reader_subscribes_is_told_once_and_unsubscribes_with_one_request() {
    let _turn = turn();
    let Desk { portal, .. } = &*SHARED;
    let captcha = portal.captcha(SITE);
    let body = json!({ "target": "walker@example.org", "purpose": "subscribe", "captcha": captcha });
    let asked = portal.call("POST", SITE, "/rc-pub/api/sendReceiverMessage", &[], &body);
    assert_eq!(asked.status, 200, "{}", asked.text());
    let letters = SHARED.post();
    let code = to(&letters, "walker@example.org")[0].code();
    // The time at the beginning of a line may contain the same digits by chance.
    let all = log();
    let leaked = all.lines().filter_map(|line| line.split_once('Z')).find(|(_, text)| text.contains(&code));
    assert_eq!(leaked, None, "the code is not logged");
    let wrong = json!({ "email": "walker@example.org", "code": "999999", "type": "current" });
    let refused = SHARED.call("POST", "subscribe", &wrong);
    assert_eq!(refused.json()["message"], "The verification code is wrong or has expired, please try again.");
    let body = json!({ "email": "walker@example.org", "code": code, "type": "current" });
    assert_eq!(SHARED.call("POST", "subscribe", &body).json()["message"], "Subscription successfully");
    assert_eq!(SHARED.call("POST", "subscribe", &body).status, 400, "a code is used once");

    let (id, letters) = SHARED.publish(SITE, "Walking <b>on</b> tides", "walking");
    let [letter] = to(&letters, "walker@example.org")[..] else { panic!("{letters:?}") };
    assert!(letter.subject().starts_with("New issue – "), "{}", letter.subject());
    assert!(letter.text().contains("Walking <b>on</b> tides") && letter.html().contains("&lt;b&gt;on&lt;/b&gt;"));
    // The site is reached on this machine alone, on the port on which the host listens.
    let address = format!("http://{SITE}.localhost:{}/en/{}", portal.address.port(), Route::Article(id).path());
    assert!(letter.text().contains(&address), "{address}: {}", letter.text());
    assert_eq!(letter.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    let (_, again) = SHARED.publish(OTHER, "Elsewhere", "walking");
    assert!(to(&again, "walker@example.org").is_empty(), "another site's articles are not told of");

    let path = link(letter);
    let host = format!("{SITE}.localhost");
    let page = portal.with(&host, &path, &[]);
    assert!(page.status == 200 && page.text().contains("<form method=\"post\">"), "{}", page.text());
    assert!(page.header("content-security-policy").contains("default-src 'none'"));
    let (_, letters) = SHARED.publish(SITE, "Opening the page ends nothing", "walking");
    assert_eq!(to(&letters, "walker@example.org").len(), 1);
    // What mail programs send (RFC 8058): no cookie, no origin.
    let form = [("content-type", "application/x-www-form-urlencoded"), ("language", "en")];
    for _ in 0..2 {
        let done = portal.ask("POST", &host, &path, &form, "List-Unsubscribe=One-Click");
        assert!(done.status == 200 && done.text().contains("Unsubscription successfully"), "{}", done.text());
    }
    let (_, letters) = SHARED.publish(SITE, "After the end", "walking");
    assert!(to(&letters, "walker@example.org").is_empty());
}

#[test]
fn a_forged_or_foreign_link_ends_nothing() {
    let _turn = turn();
    let Desk { portal, .. } = &*SHARED;
    SHARED.subscribe(SITE, "forged@example.org", json!({ "type": "keywords", "keywords": "forgery" }));
    let (_, letters) = SHARED.publish(SITE, "A forgery", "forgery");
    let path = link(to(&letters, "forged@example.org")[0]);
    let (address, token) = path.split_once("?t=").unwrap();
    let (subject, signature) = token.split_once('-').unwrap();
    let number: i64 = subject[1..].parse().unwrap();
    for forged in [
        String::new(),
        subject.to_owned(),
        format!("s{}-{signature}", number + 1),
        format!("q{number}-{signature}"),
        format!("{subject}-{}", "0".repeat(32)),
        "<script>alert(1)</script>".to_owned(),
    ] {
        let answer = portal.call("POST", SITE, &format!("{address}?t={forged}"), &[], &Value::Null);
        assert_eq!(answer.status, 404, "{forged}");
        assert!(answer.header("content-type").starts_with("text/html") && !answer.text().contains("<script"));
    }
    assert_eq!(portal.call("POST", OTHER, &path, &[], &Value::Null).status, 404, "another site");
    let json_body = portal.call("POST", SITE, &path, &[], &json!({ "a": 1 }));
    assert_eq!(json_body.status, 415, "a form, or nothing");
    let (_, letters) = SHARED.publish(SITE, "Another forgery", "forgery");
    assert_eq!(to(&letters, "forged@example.org").len(), 1, "the subscription goes on");
}

#[test]
fn every_field_of_a_subscription_is_checked_with_its_message() {
    let _turn = turn();
    SHARED.portal.send_code(SITE, CodePurpose::Subscribe, "checked@example.org");
    let right = json!({ "email": "checked@example.org", "code": CODE, "type": "keywords", "keywords": "salt; tide" });
    for (key, value, status, message) in [
        ("email", json!(""), 400, "Please enter the e-mail address"),
        ("email", json!("nobody@nowhere"), 400, "E-mail format is incorrect"),
        ("email", json!("a@example.org\r\nBcc: b@example.org"), 400, "E-mail format is incorrect"),
        ("email", json!("a@example.org,b@example.org"), 400, "E-mail format is incorrect"),
        ("email", json!("用户@example.org"), 400, "E-mail format is incorrect"),
        ("code", json!(""), 400, "Please enter the verification code."),
        ("keywords", json!(" ; ;"), 400, "Please enter at least one keyword; separate keywords by semicolons."),
        ("keywords", json!("\0"), 400, "Please enter at least one keyword; separate keywords by semicolons."),
        ("type", json!("everything"), 400, "The request is invalid"),
        ("type", json!("column"), 400, "Please choose a column of this site."),
    ] {
        let mut body = right.clone();
        body[key] = value;
        let answer = SHARED.call("POST", "subscribe", &body);
        assert_eq!((answer.status, answer.json()["message"].as_str().unwrap()), (status, message), "{body}");
    }
    assert_eq!(SHARED.call("POST", "subscribe", &right).status, 200, "nothing of this has spent the code");
}

#[test]
fn the_list_of_subscriptions_is_the_members_own() {
    let _turn = turn();
    let desk = &*SHARED;
    let member = desk.portal.sign_up(SITE, "lister", "lister@example.org");
    let other = desk.portal.sign_up(SITE, "stranger", "stranger@example.org");
    desk.save(SITE, "So that there is a column", "column");
    let id = desk.subscribe(SITE, "lister@example.org", json!({ "type": "column", "columnId": "LETTERS" }));
    desk.portal.advance(Duration::from_secs(61));
    let again = desk.subscribe(SITE, "Lister@example.org", json!({ "type": "column", "columnId": "letters" }));
    assert_eq!(id, again, "the same subscription");
    for path in ["isSubscribe?type=current", "subscribeList"] {
        assert_eq!(desk.call("GET", path, &Value::Null).status, 401, "{path}");
    }
    assert_eq!(desk.call("DELETE", &format!("unSubscribe?id={id}"), &Value::Null).status, 401);
    let list = desk.member("GET", "subscribeList", &member).json();
    let entry = &list["data"][0];
    assert_eq!((&entry["id"], &entry["type"], &entry["columnId"]), (&json!(id), &json!("column"), &json!("letters")));
    assert!(entry["column"].as_str().unwrap().eq_ignore_ascii_case("letters"), "{entry}");
    let is = |path: &str, member| desk.member("GET", path, member).json()["data"].clone();
    assert_eq!(is("isSubscribe?type=column&columnId=Letters", &member), json!(true));
    assert_eq!(is("isSubscribe?type=column&columnId=nothing", &member), json!(false));
    assert_eq!(is("isSubscribe?type=current", &member), json!(false));
    assert_eq!(is("isSubscribe?type=column&columnId=Letters", &other), json!(false));
    assert_eq!(desk.member("GET", "isSubscribe?type=all", &member).status, 400);
    assert_eq!(desk.member("GET", "subscribeList", &other).json()["data"], json!([]));
    let end = format!("unSubscribe?id={id}");
    let foreign = desk.member("DELETE", &end, &other);
    let unknown = desk.member("DELETE", "unSubscribe?id=999999", &other);
    assert_eq!((foreign.status, foreign.json()), (404, unknown.json()), "they are not told apart");
    let done = desk.member("DELETE", &end, &member).json();
    assert_eq!((&done["data"], &done["message"]), (&json!(true), &json!("Unsubscription successfully")));
    assert_eq!(desk.member("GET", "subscribeList", &member).json()["data"], json!([]));
}

#[test]
fn new_results_of_a_saved_search_are_told_once() {
    let _turn = turn();
    let desk = &*SHARED;
    desk.portal.sign_up(SITE, "searcher", "searcher@example.org");
    // The code of the registration.
    desk.post();
    let site = desk.portal.app.store.site(desk.portal.site_id(SITE));
    let owner = desk.portal.run(async {
        let name = MemberName::email("searcher@example.org").unwrap();
        site.member_by_name(&name).await.unwrap().unwrap()
    });
    let text =
        SearchText { name: "My <i>seiche</i>".to_owned(), address: "/en/article?q=seiche".to_owned(), alert: true };
    let store = site.of_member(owner);
    desk.portal.run(store.add_search(&text, 10, desk.portal.app.counting.now())).unwrap();
    let (_, letters) = desk.publish(SITE, "A seiche in the bay", "waves");
    let [letter] = to(&letters, "searcher@example.org")[..] else { panic!("{letters:?}") };
    assert!(letter.subject().contains("My <i>seiche</i>") && letter.html().contains("My &lt;i&gt;seiche"));
    assert!(letter.text().contains("A seiche in the bay"));
    let (_, letters) = desk.publish(SITE, "Something else", "waves");
    assert!(to(&letters, "searcher@example.org").is_empty());
    let path = link(letter);
    let answer = desk.portal.call("POST", SITE, &path, &[], &Value::Null);
    assert_eq!(answer.status, 200);
    let (_, letters) = desk.publish(SITE, "Another seiche", "waves");
    assert!(to(&letters, "searcher@example.org").is_empty());
}

/// The names of those of the searches `All`, `Member` and `Leader` of which a reader is told, and the text of all these letters.
fn told_of_searches(letters: &[Received], reader: &str) -> (Vec<&'static str>, String) {
    let letters = to(letters, reader);
    let is_told = |name: &&str| letters.iter().any(|letter| letter.subject().contains(&format!("search-{name}")));
    let told: Vec<&str> = ["All", "Member", "Leader"].into_iter().filter(is_told).collect();
    assert_eq!(told.len(), letters.len(), "one letter for each search");
    (told, letters.iter().map(|letter| letter.text()).collect())
}

#[test]
fn a_search_that_is_saved_at_a_group_site_tells_of_what_the_sites_on_its_page_publish() {
    let _turn = turn();
    let desk = &*SHARED;
    let reader = "grouper@example.org";
    let member = desk.portal.sign_up(OTHER, "grouper", reader);
    // The code of the registration.
    desk.post();
    let (path, headers) = (format!("{MEMBERS}/searches"), [("token", member.token.as_str())]);
    for (name, site, alert) in
        [("All", "", true), ("Member", MEMBER, true), ("Leader", OTHER, true), ("Outside", SITE, false)]
    {
        let address = format!("/en/search?q=undertow&site={site}");
        let body = json!({ "name": format!("search-{name}"), "address": address, "alert": alert });
        let answer = desk.portal.call("POST", OTHER, &path, &headers, &body);
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
    }
    let saved = desk.portal.call("GET", OTHER, &path, &headers, &Value::Null).json()["data"].clone();
    let saved: Vec<&str> = saved.as_array().unwrap().iter().map(|one| one["address"].as_str().unwrap()).collect();
    let (all, of_member) = ("/en/search?q=undertow", format!("/en/search?q=undertow&site={MEMBER}"));
    let of_leader = format!("/en/search?q=undertow&site={OTHER}");
    let expected = [all, of_member.as_str(), of_leader.as_str(), all];
    assert_eq!(saved, expected, "a site outside of the group cannot be chosen");

    let address = |site: &str, id| {
        format!("http://{site}.localhost:{}/en/{}", desk.portal.address.port(), Route::Article(id).path())
    };
    let (id, letters) = desk.publish(MEMBER, "An undertow at the member", "waves");
    let (told, text) = told_of_searches(&letters, reader);
    assert_eq!(told, ["All", "Member"]);
    assert_eq!(text.matches(&address(MEMBER, id)).count(), 2, "{text}");
    assert_eq!(text.matches("An undertow at the member").count(), 2, "once in each letter: {text}");

    // New at both sites before anybody is told.
    let own = desk.save(OTHER, "An undertow at the leader", "waves");
    let (id, letters) = desk.publish(MEMBER, "Another undertow at the member", "waves");
    let (told, text) = told_of_searches(&letters, reader);
    assert_eq!(told, ["All", "Member", "Leader"]);
    for address in [address(OTHER, own), address(MEMBER, id)] {
        assert_eq!(text.matches(&address).count(), 2, "{address}: {text}");
    }
    assert!(!text.contains("An undertow at the member"), "it was told of before: {text}");

    let (_, letters) = desk.publish(SITE, "An undertow outside of the group", "waves");
    assert_eq!(told_of_searches(&letters, reader).0, Vec::<&str>::new());
}

#[test]
fn a_search_that_is_saved_at_a_member_of_a_group_tells_of_that_site_alone() {
    let _turn = turn();
    let desk = &*SHARED;
    let reader = "single@example.org";
    let member = desk.portal.sign_up(MEMBER, "single", reader);
    desk.post();
    let headers = [("token", member.token.as_str())];
    let body = json!({ "name": "search-Member", "address": "/en/search?q=backwash", "alert": true });
    assert_eq!(desk.portal.call("POST", MEMBER, &format!("{MEMBERS}/searches"), &headers, &body).status, 200);
    let (_, letters) = desk.publish(OTHER, "A backwash at the leader", "waves");
    assert_eq!(told_of_searches(&letters, reader).0, Vec::<&str>::new());
    let (_, letters) = desk.publish(MEMBER, "A backwash at the member", "waves");
    assert_eq!(told_of_searches(&letters, reader).0, ["Member"]);
}

#[test]
fn a_mail_server_that_hangs_delays_nobody_and_loses_nothing() {
    // The time of a letter is waited for once.
    let desk = Desk::start_with("alerts-hang", |server| server.section_with_timeout(5));
    desk.server.behave(|line| if line == "greeting" { Act::Silent } else { Act::Usual });
    let captcha = desk.portal.captcha(SITE);
    let body = json!({ "target": "patient@example.org", "purpose": "login", "captcha": captcha });
    assert_eq!(desk.portal.call("POST", SITE, "/rc-pub/api/sendReceiverMessage", &[], &body).status, 200);
    assert_eq!(desk.server.connections(), 0, "the answer does not wait for the server: nobody has asked it yet");
    let sending = desk.portal.run(desk.portal.app.send_messages(Channel::Mail)).unwrap();
    assert_eq!((sending.claimed, sending.sent), (1, 0));
    desk.server.behave(|_| Act::Usual);
    // A slow machine may take the time of a letter, too: after the next, longer pauses it is tried again.
    let mut sent = [20, 35, 65, 125].into_iter().map(|pause| {
        desk.portal.advance(Duration::from_secs(pause));
        desk.post()
    });
    let sent = sent.find(|letters| !letters.is_empty()).unwrap_or_default();
    assert_eq!(sent.len(), 1, "it is sent when the server answers again");
    // After ten minutes a code is of no use, and is not sent.
    desk.server.behave(|line| if line == "greeting" { Act::Close } else { Act::Usual });
    desk.portal.advance(Duration::from_secs(120));
    desk.portal.send_code(SITE, CodePurpose::Login, "patient@example.org");
    desk.post();
    desk.server.behave(|_| Act::Usual);
    desk.portal.advance(Duration::from_secs(601));
    assert!(desk.post().is_empty());
}

#[test]
fn what_waits_for_a_reader_who_unsubscribes_is_not_sent() {
    let desk = Desk::start("alerts-waiting");
    let id = desk.subscribe(SITE, "leaver@example.org", json!({ "type": "current" }));
    desk.server.behave(|line| if line.starts_with("MAIL") { Act::Say("451 later".to_owned()) } else { Act::Usual });
    let (_, letters) = desk.publish(SITE, "It waits in the outbox", "");
    assert!(letters.is_empty());
    let store = desk.portal.app.store.site(desk.portal.site_id(SITE));
    assert!(desk.portal.run(store.unsubscribe(id)).unwrap());
    desk.server.behave(|_| Act::Usual);
    desk.portal.advance(Duration::from_secs(60));
    assert!(desk.post().is_empty());
    assert!(desk.portal.run(store.messages(10)).unwrap().is_empty());
}

#[test]
fn an_article_that_is_removed_before_the_mail_is_sent_is_not_told_of() {
    let desk = Desk::start("alerts-removed");
    desk.subscribe(SITE, "reader@example.org", json!({ "type": "current" }));
    let id = desk.save(SITE, "Gone", "");
    while desk.portal.run(desk.portal.app.collect_alerts()).unwrap() {}
    assert_eq!(desk.portal.run(desk.portal.app.tell_subscribers()).unwrap(), 1);
    let store = desk.portal.app.store.site(desk.portal.site_id(SITE));
    assert!(desk.portal.run(store.remove_article(id)).unwrap());
    assert!(desk.post().is_empty());
}

#[test]
fn without_a_mail_server_nobody_can_subscribe() {
    let portal = Portal::start("alerts-none", Setup { bare: true, ..Setup::default() }, |_| {});
    let body = json!({ "email": "a@example.org", "code": CODE, "type": "current" });
    let answer = portal.call("POST", SITE, &format!("{MEMBERS}/subscribe"), &[], &body);
    assert_eq!(answer.status, 404, "{}", answer.text());
    assert_eq!(portal.run(portal.app.send_messages(Channel::Mail)).unwrap().claimed, 0);
    // A developer reads the mail in the log.
    listen_to_log();
    portal.app.outbox_workers.show_in_log();
    // Another code than that of the tests which assert that theirs is not logged.
    let (store, target) =
        (portal.app.store.site(portal.site_id(SITE)), MemberName::email("developer@example.org").unwrap());
    let codes = Codes::new(&portal.app.installation, &store, "", portal.app.counting.now());
    portal.run(codes.send(CodePurpose::Subscribe, &target, Lang::En, &Code::of(271_828))).unwrap();
    assert_eq!(portal.run(portal.app.send_messages(Channel::Mail)).unwrap().sent, 1);
    assert!(log().contains("developer@example.org") && log().contains("271828"));
}

#[test]
fn a_password_that_is_missing_is_reported_and_named() {
    let server = MailServer::start();
    let section = format!("{}user = \"masthead\"\n", server.section());
    let setup = Setup { bare: true, ..Setup::default() };
    let portal = Portal::start("alerts-password", setup, |sites| configure(sites, &section));
    assert!(portal.ready()["missingSecrets"].as_array().unwrap().contains(&json!({ "secret": "mail-password" })));
    portal.send_code(SITE, CodePurpose::Subscribe, "reader@example.org");
    assert_eq!(portal.run(portal.app.send_messages(Channel::Mail)).unwrap().sent, 0);
    let status = portal.run(portal.app.store.site(portal.site_id(SITE)).messages(1)).unwrap();
    assert!(status[0].error.contains("masthead secrets set mail-password --platform"), "{}", status[0].error);
    assert!(portal.metrics().contains("masthead_outbox{channel=\"mail\",state=\"waiting\"} 1"));
    assert!(server.received().is_empty());
}
