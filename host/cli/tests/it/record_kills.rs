//! Changes of records that are killed at any moment: the record is the former one or the new one, with everything that belongs to it; an
//! article is removed, withdrawn or moved with its issue wholly or not at all. 12 moments, fewer in PostgreSQL, or as
//! many as `MASTHEAD_KILLS` says.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_content::{
    change_log_follower::{IndexFollower, Progress},
    files,
    records::{ListQuery, RecordType, Records},
};
use masthead_domain::{ArticleId, SiteId, resource::ResourceKind};
use masthead_search::{Index, Page, Query, SearchIndex, Sites, compile};
use masthead_store::{AuditEntry, AuditQuery, LogPosition};
use serde_json::Value;

use crate::{
    backup::kills::{Moments, assert_interrupted, in_postgresql, kills},
    cluster::Cluster,
    editing::{Desk, PIXEL},
    installation::Installation,
};

const SITE: SiteId = SiteId(7001);
/// The records that are changed: type, name, and the key of the title.
const RECORDS: [(&str, &str, &str); 3] =
    [("article", "10.5555/small.1", "titles"), ("issue", "small/2026/1", "title"), ("news", "opening", "title")];

/// A word that no other number has.
fn word(number: u32) -> String {
    number
        .to_string()
        .bytes()
        .fold("quay".to_owned(), |word, digit| format!("{word}{}", char::from(digit - b'0' + b'a')))
}

/// A cover that no other title has.
fn cover(title: &str) -> Vec<u8> {
    [&PIXEL[..], title.as_bytes()].concat()
}

/// The command that changes two fields of a record: its title, and the volume or the cover.
fn command(desk: &Desk, (of, name, title): (&str, &str, &str), number: u32) -> Vec<String> {
    let word = word(number);
    let second = if of == "article" {
        format!("volume={number}")
    } else {
        let file = desk.folder.join(format!("{word}.png"));
        std::fs::write(&file, cover(&word)).unwrap();
        format!("cover=@{}", file.display())
    };
    let verb = if of == "news" { vec!["resource", "set", of] } else { vec![of, "set"] };
    let rest = [name.to_owned(), format!("{title}.en={word}"), second];
    let how = ["--site", "one", "--by", "ada"];
    verb.into_iter().map(str::to_owned).chain(rest).chain(how.map(str::to_owned)).collect()
}

/// A record, and what is written with it.
#[derive(Debug, PartialEq)]
struct State {
    version: String,
    value: Value,
    /// The fields that imports keep.
    edits: Vec<(String, Value)>,
    /// The audit trail of the site, latest first.
    audit: Vec<AuditEntry>,
    /// The number of the latest change.
    position: i64,
}

impl State {
    async fn of(place: &Installation<'_>, (of, name, _): (&str, &str, &str)) -> Self {
        let store = place.open().await;
        let records = Records::new(&store, SITE, &place.data);
        let record = records.show(RecordType::parse(of).unwrap(), name).await.unwrap();
        let edits = store.site(SITE).edits(&format!("{of}/{}", record.name)).await.unwrap();
        let query = AuditQuery { site: Some(SITE), limit: 10_000, ..AuditQuery::default() };
        let audit = store.audit(&query).await.unwrap().into_iter().map(|line| line.entry).collect();
        let position = store.latest_change().await.unwrap();
        store.close().await;
        Self { version: record.version, value: record.value, edits, audit, position }
    }

    fn title(&self, (_, _, title): (&str, &str, &str)) -> &str {
        self.value[title]["en"].as_str().unwrap()
    }
}

/// Lets the index follow the change log to its end, and searches for the title of the article.
async fn is_indexed(place: &Installation<'_>, index: &Arc<dyn Index>) {
    let article = State::of(place, RECORDS[0]).await;
    let store = place.open().await;
    let progress = Arc::new(Progress::from(LogPosition::default()));
    IndexFollower::new(store.clone(), Arc::clone(index), progress).catch_up().await.unwrap();
    store.close().await;
    assert_eq!(index.position().await.unwrap().change, article.position);
    let search = compile(&Query::typed(article.title(RECORDS[0]))).unwrap();
    let found = index.search(Sites::one(SITE), search, Page::at(0, 10)).await.unwrap().articles();
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
        assert!(former != new && new.audit.len() == former.audit.len() + 1, "kill {kill}: {new:?}");

        let done = place.kill_after(moments.next(), &desk.sites, &arguments);
        interrupted += u32::from(!done);
        let found = runtime.block_on(State::of(&place, record));
        assert!(found == new || found == former && !done, "kill {kill}: {found:#?}, neither {former:#?} nor {new:#?}");
        if let Some(address) = found.value["cover"].as_str() {
            let digest = files::digest(address).unwrap();
            let stored = std::fs::read(place.data.join("media").join(&digest[..2]).join(digest)).unwrap();
            assert_eq!(stored, cover(found.title(record)), "kill {kill}");
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

/// Changes that end or move what is there.
const ENDS: [&[&str]; 5] = [
    &["article", "remove", "10.5555/small.2"],
    &["article", "set", "10.5555/small.3", "withdrawn.date=2026-06-30", "withdrawn.reason.en=The data were wrong."],
    &["resource", "remove", "news", "opening"],
    &["issue", "set", "small/2026/1", "issue=7"],
    &["issue", "set", "small/2026/1", "articles=[\"10.5555/small.3\"]", "sections=[\"Letters\"]"],
];

/// All that a change of these may touch: the records of every type, the articles that are gone, and what tells of the change.
#[derive(Debug, PartialEq)]
struct Everything {
    records: Vec<(String, String, Value)>,
    withdrawn: Vec<(String, String)>,
    /// The articles that were removed.
    removed: Vec<i64>,
    /// Where old addresses lead.
    redirects: Vec<String>,
    audit: Vec<AuditEntry>,
    position: i64,
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
        let mut removed = Vec::new();
        for number in 1..=3 {
            removed.extend(site.removed_article(ArticleId(number)).await.unwrap().map(|change| change.id.0));
        }
        let redirects = store.redirects(SITE).await.unwrap();
        let query = AuditQuery { site: Some(SITE), limit: 100, ..AuditQuery::default() };
        let everything = Self {
            records: all,
            withdrawn: withdrawn.into_iter().map(|listed| (listed.name, listed.note)).collect(),
            removed,
            redirects: redirects.into_iter().map(|redirect| format!("{redirect:?}")).collect(),
            audit: store.audit(&query).await.unwrap().into_iter().map(|line| line.entry).collect(),
            position: store.latest_change().await.unwrap(),
        };
        store.close().await;
        everything
    }
}

/// Kills removals, withdrawals and moves of the records of a desk, with the database in a file or a cluster.
fn kill_ends(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let desk = Desk::new(name);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (base, place) = (installation(&desk, cluster), Installation::new(desk.folder.join("killed"), cluster));
    let mut opening = command(&desk, RECORDS[2], 0);
    opening.push("--new".to_owned());
    base.run(&desk.sites, &opening.iter().map(String::as_str).collect::<Vec<_>>());
    let former = runtime.block_on(Everything::of(&base));
    let wholes: Vec<(Vec<&str>, Everything, Duration)> = ENDS
        .iter()
        .take(kills as usize)
        .map(|change| {
            let arguments = [change, &["--site", "one", "--by", "ada"][..]].concat();
            place.replace_by(&base);
            let started = Instant::now();
            place.run(&desk.sites, &arguments);
            let time = started.elapsed();
            let new = runtime.block_on(Everything::of(&place));
            assert!(new != former && new.audit.len() > former.audit.len(), "{arguments:?}: {new:#?}");
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
