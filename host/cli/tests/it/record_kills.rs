//! Changes by commands that are killed at any moment: a record is the former one or the new one, with its lines of the audit trail and of the
//! change log and with everything that belongs to it; what is removed, withdrawn, put back, moved or closed is so wholly or not at all. 12
//! moments, fewer in PostgreSQL, or as many as `MASTHEAD_KILLS` says.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_content::{
    change_log_follower::{IndexFollower, Progress},
    files,
    records::{ListQuery, RecordType, Records},
};
use masthead_domain::{
    ArticleId, Lang, SiteId,
    member::{MemberName, Profile},
    resource::ResourceKind,
};
use masthead_search::{Index, PageOfHits, Query, SearchIndex, Sites, compile};
use masthead_store::{Created, Edits, LogPosition, NewMember, NewSession, Saving, SearchText};
use serde_json::Value;

use crate::{
    backup::kills::{Moments, assert_interrupted, in_postgresql, kills},
    cluster::Cluster,
    editing::{Desk, PIXEL},
    installation::Installation,
    member_kills::Tables,
    stored::Traces,
};

const SITE: SiteId = SiteId(7001);
/// The site of the changes, and who makes them.
const BY: [&str; 4] = ["--site", "one", "--by", "ada"];
/// The records that are changed: type, name, and the key of a text. It is not the title of the journal, by which imports find it.
const RECORDS: [(&str, &str, &str); 4] = [
    ("article", "10.5555/small.1", "titles"),
    ("issue", "small/2026/1", "title"),
    ("news", "opening", "title"),
    ("journal", "small", "frequency"),
];

/// A word that no other number has.
pub fn word(number: u32) -> String {
    number
        .to_string()
        .bytes()
        .fold("quay".to_owned(), |word, digit| format!("{word}{}", char::from(digit - b'0' + b'a')))
}

/// A cover that no other text has.
fn cover(text: &str) -> Vec<u8> {
    [&PIXEL[..], text.as_bytes()].concat()
}

/// The command that changes two fields of a record: its text, and the volume or the cover.
fn command(desk: &Desk, (of, name, text): (&str, &str, &str), number: u32) -> Vec<String> {
    let word = word(number);
    let second = if of == "article" {
        format!("volume={number}")
    } else {
        let file = desk.folder.join(format!("{word}.png"));
        std::fs::write(&file, cover(&word)).unwrap();
        format!("cover=@{}", file.display())
    };
    let verb = if of == "news" { vec!["resource", "set", of] } else { vec![of, "set"] };
    let rest = [name.to_owned(), format!("{text}.en={word}"), second];
    verb.into_iter().map(str::to_owned).chain(rest).chain(BY.map(str::to_owned)).collect()
}

/// A record, and what is written with it.
#[derive(Debug, PartialEq)]
struct State {
    version: String,
    value: Value,
    /// The fields that imports keep.
    edits: Edits,
    traces: Traces,
}

impl State {
    async fn of(place: &Installation<'_>, (of, name, _): (&str, &str, &str)) -> Self {
        let store = place.open().await;
        let records = Records::new(&store, SITE, &place.data);
        let record = records.show(RecordType::parse(of).unwrap(), name).await.unwrap();
        let edits = store.site(SITE).edits(&format!("{of}/{}", record.name)).await.unwrap();
        let traces = Traces::of(&store, SITE).await;
        store.close().await;
        Self { version: record.version, value: record.value, edits, traces }
    }

    fn text(&self, (_, _, text): (&str, &str, &str)) -> &str {
        self.value[text]["en"].as_str().unwrap()
    }
}

/// Lets the index follow the change log to its end, and searches for the title of the article.
async fn is_indexed(place: &Installation<'_>, index: &Arc<dyn Index>) {
    let article = State::of(place, RECORDS[0]).await;
    let store = place.open().await;
    let progress = Arc::new(Progress::from(LogPosition::default()));
    IndexFollower::new(store.clone(), Arc::clone(index), progress).catch_up().await.unwrap();
    store.close().await;
    assert_eq!(index.position().await.unwrap().change, article.traces.position);
    let search = compile(&Query::typed(article.text(RECORDS[0]))).unwrap();
    let found = index.search(Sites::one(SITE), search, PageOfHits::at(0, 10)).await.unwrap().articles();
    let id = article.value["id"].as_i64().unwrap();
    assert!(found.iter().any(|found| found.0 == id), "{found:?} for {article:?}");
}

/// The installation of a desk, with its database in the data folder, or moved to a cluster.
fn installation<'a>(desk: &Desk, cluster: Option<&'a Cluster>) -> Installation<'a> {
    let first = Installation::new(desk.data(), None);
    if cluster.is_none() {
        return first;
    }
    let backups = desk.folder.join("backups");
    let backups = backups.to_str().unwrap();
    first.run(&desk.sites, &["backup", "--to", backups]);
    let moved = Installation::new(desk.folder.join("moved"), cluster);
    moved.clear();
    moved.run(&desk.sites, &["restore", "--from", backups]);
    moved
}

/// Kills changes of the records of a desk, with the database in a file or a cluster.
fn kill_changes(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let desk = Desk::new(name);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (place, copied) = (installation(&desk, cluster), Installation::new(desk.folder.join("copied"), cluster));
    for record in RECORDS {
        let mut arguments = command(&desk, record, 0);
        if record.0 == "news" {
            arguments.push("--new".to_owned());
        }
        place.run(&desk.sites, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let index: Arc<dyn Index> = Arc::new(SearchIndex::open(&desk.folder.join("index"), 0).unwrap());
    let mut moments = Moments { state: 13, within: Duration::ZERO };
    let mut interrupted = 0;
    for kill in 0..kills {
        let record = RECORDS[kill as usize % RECORDS.len()];
        let arguments = command(&desk, record, kill + 1);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let former = runtime.block_on(State::of(&place, record));
        // What the change makes where nothing interrupts it.
        copied.replace_by(&place);
        let started = Instant::now();
        copied.run(&desk.sites, &arguments);
        moments.within = started.elapsed();
        let new = runtime.block_on(State::of(&copied, record));
        let lines = |state: &State| (state.traces.audit.len(), state.traces.log.len());
        let (audit, log) = lines(&former);
        assert!(former != new && lines(&new) == (audit + 1, log + 1), "kill {kill}: {new:?}");

        let done = place.kill_after(moments.next(), &desk.sites, &arguments);
        interrupted += u32::from(!done);
        let found = runtime.block_on(State::of(&place, record));
        assert!(found == new || found == former && !done, "kill {kill}: {found:#?}, neither {former:#?} nor {new:#?}");
        if let Some(address) = found.value["cover"].as_str() {
            let digest = files::digest(address).unwrap();
            let stored = std::fs::read(place.data.join("media").join(&digest[..2]).join(digest)).unwrap();
            assert_eq!(stored, cover(found.text(record)), "kill {kill}");
        }
        runtime.block_on(is_indexed(&place, &index));
        if found == former {
            place.run(&desk.sites, &arguments);
            assert_eq!(runtime.block_on(State::of(&place, record)), new, "kill {kill}: repeated");
        }
    }
    assert_interrupted(interrupted > 0, kills, cluster, "change");
}

#[test]
fn a_killed_change_leaves_the_former_record_or_the_new_one() {
    kill_changes("kills", None, kills());
}

#[test]
fn a_killed_change_in_postgresql_leaves_the_former_record_or_the_new_one() {
    in_postgresql("changes", |cluster, kills| kill_changes("kills-postgresql", Some(cluster), kills));
}

/// What is there before the changes of [`ENDS`], beside the articles, an entry of the news and a member.
const BEFORE: [&[&str]; 5] = [
    &["article", "set", "10.5555/small.1", "withdrawn.date=2026-06-30", "withdrawn.reason.en=The data were wrong."],
    &["journal", "set", "notes", "title.en=Shore Notes", "--new"],
    &["issue", "set", "notes/2026/1", "title.en=On shores", "--new"],
    &["institution", "set", "lagoon", "--name", "Lagoon"],
    &["institution", "join", "lagoon", "student"],
];

/// Changes that end, put back or move what is there. Few kills meet the first ones only.
const ENDS: [&[&str]; 10] = [
    &["article", "remove", "10.5555/small.2"],
    &["member", "erase", "student"],
    &["article", "set", "10.5555/small.3", "withdrawn.date=2026-06-30", "withdrawn.reason.en=The data were wrong."],
    &["article", "set", "10.5555/small.1", "withdrawn="],
    &["journal", "remove", "notes"],
    &["resource", "remove", "news", "opening"],
    &["issue", "set", "small/2026/1", "issue=7"],
    &["issue", "set", "small/2026/1", "articles=[\"10.5555/small.3\"]", "sections=[\"Letters\"]"],
    &["member", "close", "student"],
    &["institution", "remove", "lagoon"],
];

/// Adds a member with a session and a saved search. No command adds members.
async fn add_student(place: &Installation<'_>) {
    let store = place.open().await;
    let site = store.site(SITE);
    let names = [MemberName::account("student").unwrap(), MemberName::email("student@example.org").unwrap()];
    let profile = Profile::default();
    let new = NewMember { handle: "h", names: &names, password: "", identity: None, lang: Lang::En, profile: &profile };
    let Created::Member(id) = site.create_member(&new, 1).await.unwrap() else { panic!("there is a student") };
    let student = site.of_member(id);
    let session = NewSession { digest: "d", replaces: None, method: "password", client: "" };
    student.begin_session(&session, 1).await.unwrap().unwrap();
    let search = SearchText { name: "Tides".to_owned(), address: "/en/search?q=tide".to_owned(), alert: true };
    assert!(matches!(student.add_search(&search, 1, 1).await.unwrap(), Saving::Saved(_)));
    store.close().await;
}

/// All that a change of these may touch: the records of every type, the articles that are gone, the members, and what tells of the change.
#[derive(Debug, PartialEq)]
struct Everything {
    records: Vec<(String, String, Value)>,
    withdrawn: Vec<(String, String)>,
    /// The articles that were removed.
    removed: Vec<i64>,
    /// Where old addresses lead.
    redirects: Vec<String>,
    /// The fields that imports keep, by subject.
    edits: Vec<(String, Edits)>,
    /// The rows about members and institutions.
    members: Vec<String>,
    traces: Traces,
}

impl Everything {
    async fn of(place: &Installation<'_>) -> Self {
        let store = place.open().await;
        let (site, records) = (store.site(SITE), Records::new(&store, SITE, &place.data));
        let mut all = Vec::new();
        let news = RecordType::Resource(ResourceKind::News);
        for of in [RecordType::Journal, RecordType::Issue, RecordType::Article, news] {
            let query = ListQuery { limit: 100, ..ListQuery::default() };
            for listed in records.list(of, &query).await.unwrap().records {
                let shown = records.show(of, &listed.name).await.unwrap();
                all.push((format!("{of:?} {}", shown.name), shown.version, shown.value));
            }
        }
        let query = ListQuery { limit: 100, withdrawn: true, ..ListQuery::default() };
        let withdrawn = records.list(RecordType::Article, &query).await.unwrap().records;
        for listed in &withdrawn {
            let shown = records.show(RecordType::Article, &listed.name).await.unwrap();
            all.push((format!("withdrawn {}", shown.name), shown.version, shown.value));
        }
        let mut removed = Vec::new();
        for number in 1..=3 {
            removed.extend(site.removed_article(ArticleId(number)).await.unwrap().map(|change| change.id.0));
        }
        let redirects = store.redirects(SITE).await.unwrap();
        let mut edits = Vec::new();
        for kind in ["article", "issue", "journal", "news", "redirect"] {
            for subject in site.edited_subjects(kind).await.unwrap() {
                let fields = site.edits(&subject).await.unwrap();
                edits.push((subject, fields));
            }
        }
        let everything = Self {
            records: all,
            withdrawn: withdrawn.into_iter().map(|listed| (listed.name, listed.note)).collect(),
            removed,
            redirects: redirects.into_iter().map(|redirect| format!("{redirect:?}")).collect(),
            edits,
            members: Tables::of(&store).await.of_members(),
            traces: Traces::of(&store, SITE).await,
        };
        store.close().await;
        everything
    }
}

/// Kills the changes of [`ENDS`] to what a desk has, with the database in a file or a cluster.
fn kill_ends(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let desk = Desk::new(name);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (base, place) = (installation(&desk, cluster), Installation::new(desk.folder.join("killed"), cluster));
    let mut opening = command(&desk, RECORDS[2], 0);
    opening.push("--new".to_owned());
    base.run(&desk.sites, &opening.iter().map(String::as_str).collect::<Vec<_>>());
    runtime.block_on(add_student(&base));
    for change in BEFORE {
        base.run(&desk.sites, &[change, &BY[..]].concat());
    }
    let former = runtime.block_on(Everything::of(&base));
    let wholes: Vec<(Vec<&str>, Everything, Duration)> = ENDS
        .iter()
        .take(kills as usize)
        .map(|change| {
            let arguments = [change, &BY[..]].concat();
            place.replace_by(&base);
            let started = Instant::now();
            place.run(&desk.sites, &arguments);
            let time = started.elapsed();
            let new = runtime.block_on(Everything::of(&place));
            let is_told = new.traces.audit.len() > former.traces.audit.len();
            assert!(new != former && is_told, "{arguments:?}: {new:#?}");
            (arguments, new, time)
        })
        .collect();
    let mut moments = Moments { state: 29, within: Duration::ZERO };
    let mut interrupted = 0;
    for kill in 0..kills {
        let (arguments, new, time) = &wholes[kill as usize % wholes.len()];
        place.replace_by(&base);
        moments.within = *time;
        let done = place.kill_after(moments.next(), &desk.sites, arguments);
        interrupted += u32::from(!done);
        let found = runtime.block_on(Everything::of(&place));
        assert!(found == *new || found == former && !done, "kill {kill}, {arguments:?}: {found:#?}, not {new:#?}");
        if found == former {
            place.run(&desk.sites, arguments);
            assert_eq!(runtime.block_on(Everything::of(&place)), *new, "kill {kill}, {arguments:?}: repeated");
        }
    }
    assert_interrupted(interrupted > 0, kills, cluster, "change");
}

#[test]
fn a_killed_removal_withdrawal_or_move_leaves_everything_or_nothing_done() {
    kill_ends("end-kills", None, kills());
}

#[test]
fn a_killed_removal_withdrawal_or_move_in_postgresql_leaves_everything_or_nothing_done() {
    in_postgresql("removals, withdrawals and moves", |cluster, kills| {
        kill_ends("end-kills-postgresql", Some(cluster), kills)
    });
}
