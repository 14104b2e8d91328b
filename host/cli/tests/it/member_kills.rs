//! A host that is killed at any moment while readers register, change what is theirs, and erase it, and an editor changes records: what was
//! acknowledged is there, and what was not is there wholly or not at all. 12 moments, or as many as `MASTHEAD_KILLS` says.

mod editor;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use masthead_domain::member::CodePurpose;
use masthead_store::{Store, backup::Value as Stored};
use masthead_test_support::{CODE, HANG, MailServer, PASSWORD, run, share_compiled};
use serde_json::{Value, json};

use self::editor::Editor;
use crate::{
    backup::kills::{Moments, kills},
    editing::Desk,
    readers::{self, HostAnswer, NEW_PASSWORD, PERSONAL, Reader, items, png, send_code},
    serve::Running,
    stored::with_store,
};

/// What a reader does, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Register,
    SignIn,
    Portrait,
    Profile,
    Cover,
    Album,
    AlbumItems,
    Favourites,
    Search,
    Subscription,
    Password,
    Address,
    Erasure,
}

const STEPS: [Step; 13] = [
    Step::Register,
    Step::SignIn,
    Step::Portrait,
    Step::Profile,
    Step::Cover,
    Step::Album,
    Step::AlbumItems,
    Step::Favourites,
    Step::Search,
    Step::Subscription,
    Step::Password,
    Step::Address,
    Step::Erasure,
];
/// Steps that take a few milliseconds, unlike those that make or compare digests of passwords.
const QUICK: [Step; 6] =
    [Step::Profile, Step::Album, Step::AlbumItems, Step::Favourites, Step::Search, Step::Subscription];
/// Readers at once.
const READERS: usize = 3;
const ALBUMS: &str = "/rc-pub/front/personalAlbum";

/// A reader on the way through the steps.
struct Walk {
    reader: Reader,
    articles: Vec<i64>,
    /// The id of the latest picture.
    picture: String,
    album: i64,
    /// Number of steps that the host has acknowledged.
    done: usize,
    /// The same, for others to see.
    progress: Arc<AtomicUsize>,
}

impl Walk {
    fn new(name: &str, host: &str, articles: &[i64]) -> Self {
        let (reader, articles) = (Reader::new(name, host), articles.to_vec());
        Self { reader, articles, picture: String::new(), album: 0, done: 0, progress: Arc::default() }
    }

    fn call(&self, step: Step) -> io::Result<HostAnswer> {
        let reader = &self.reader;
        let post = |path: &str, body: Value| reader.call("POST", path, &body);
        match step {
            Step::Register => reader.register(),
            // From another browser, so that there are two sessions.
            Step::SignIn => Reader { token: String::new(), ..reader.clone() }.sign_in(PASSWORD),
            Step::Portrait => reader.upload("portrait", &png(40)),
            Step::Profile => reader.save_profile(&self.picture),
            Step::Cover => reader.upload("albumCover", &png(50)),
            Step::Album => post(&format!("{ALBUMS}/saveAlbum"), json!({ "name": "Tides", "cover": self.picture })),
            Step::AlbumItems => {
                post(&format!("{ALBUMS}/res/addList"), json!({ "albumId": self.album, "items": items(&self.articles) }))
            }
            Step::Favourites => reader.collect(&self.articles),
            Step::Search => {
                let search = json!({ "name": "Waves", "address": "/en/search?q=wave", "alert": true });
                post(&format!("{PERSONAL}/searches"), search)
            }
            Step::Subscription => {
                let subscription =
                    json!({ "email": reader.email(), "code": CODE, "type": "keywords", "keywords": "tide" });
                post(&format!("{PERSONAL}/subscribe"), subscription)
            }
            Step::Password => {
                let change = json!({ "oldPassword": PASSWORD, "password": NEW_PASSWORD });
                reader.call("PUT", "/rc-pub/api/changePwd", &change)
            }
            Step::Address => {
                let change = json!({ "email": reader.new_email(), "code": CODE, "password": NEW_PASSWORD });
                reader.call("PUT", "/rc-pub/api/changeMobile", &change)
            }
            Step::Erasure => {
                reader.call("DELETE", &format!("{PERSONAL}/account"), &json!({ "password": NEW_PASSWORD }))
            }
        }
    }

    /// Makes one step; fails if the host is killed before it has answered.
    fn step(&mut self) -> io::Result<()> {
        let step = STEPS[self.done];
        let answer = self.call(step)?;
        assert_eq!(answer.status, 200, "{step:?}: {}", String::from_utf8_lossy(&answer.body));
        let data = answer.data();
        match step {
            Step::Register | Step::SignIn | Step::Password => {
                self.reader.token = data["token"].as_str().unwrap().to_owned();
            }
            Step::Portrait | Step::Cover => self.picture = data["id"].as_str().unwrap().to_owned(),
            Step::Album => self.album = data["id"].as_i64().unwrap(),
            _ => {}
        }
        self.done += 1;
        self.progress.store(self.done, Ordering::SeqCst);
        Ok(())
    }

    /// Makes all steps, as long as the host answers.
    fn on(mut self) -> Self {
        while self.done < STEPS.len() && self.step().is_ok() {}
        self
    }
}

/// What a reader has: a line for each row.
type State = Vec<String>;

/// A row of the database by column.
type Row = BTreeMap<String, Stored>;

/// Everything in a database.
pub struct Tables(BTreeMap<String, Vec<Row>>);

impl Tables {
    pub async fn of(store: &Store) -> Self {
        let mut snapshot = store.snapshot().await.unwrap();
        let mut tables = BTreeMap::new();
        for table in snapshot.schema().tables.clone() {
            let rows = snapshot.rows(&table, None, None, 100_000).await.unwrap();
            let names = || table.columns.iter().map(|column| column.name.clone());
            tables.insert(table.name.clone(), rows.into_iter().map(|row| names().zip(row).collect()).collect());
        }
        Self(tables)
    }

    fn rows(&self, table: &str) -> &[Row] {
        &self.0[table]
    }

    fn ids(&self, table: &str) -> BTreeSet<Option<i64>> {
        self.rows(table).iter().map(|row| number(row, "id")).collect()
    }

    /// The rows about members and institutions, without numbers, times and digests.
    pub fn of_members(&self) -> Vec<String> {
        let is_theirs = |table: &str, row: &Row| {
            row.contains_key("member_id") || matches!(table, "members" | "member_album_items" | "institutions")
        };
        let mut lines = Vec::new();
        for (table, rows) in &self.0 {
            let rows = rows.iter().filter(|row| is_theirs(table, row));
            lines.extend(rows.map(|row| format!("{table}: {}", self.shown(row))));
        }
        lines
    }

    /// What a reader has, without numbers, times and digests; a picture is named by what it is for.
    fn of_reader(&self, name: &str) -> State {
        let member = self.rows("members").iter().find(|row| text(row, "account") == name);
        let member = member.map(|row| number(row, "id"));
        let album_of = |row: &Row| {
            let album = self.rows("member_albums").iter().find(|album| number(album, "id") == number(row, "album_id"));
            album.and_then(|album| number(album, "member_id"))
        };
        let mut lines = Vec::new();
        for (table, rows) in self.0.iter().filter(|(table, _)| *table != "mail_outbox") {
            let owner = |row: &Row| match table.as_str() {
                "members" => number(row, "id"),
                "member_album_items" => album_of(row),
                _ => number(row, "member_id"),
            };
            let own = |row: &&Row| member.is_some_and(|member| member.is_some() && owner(row) == member);
            let code = |row: &&Row| table == "codes" && text(row, "target").starts_with(name);
            for row in rows.iter().filter(|row| own(row) || code(row)) {
                lines.push(format!("{table}: {}", self.shown(row)).replace(name, "reader"));
            }
        }
        lines.sort();
        lines
    }

    fn shown(&self, row: &Row) -> String {
        const LEFT_OUT: &str = "id site_id member_id album_id created changed since added seen used agreed expires \
             password password_changed handle digest subject network attempts attempts_elsewhere client latest";
        let purpose = |id: &str| {
            let file = self.rows("member_files").iter().find(|file| text(file, "id") == id);
            file.map_or_else(|| format!("{id} is missing"), |file| text(file, "purpose").to_owned())
        };
        let value = |(column, value): (&String, &Stored)| match value {
            Stored::Text(id) if matches!(column.as_str(), "photo" | "cover") && !id.is_empty() => {
                format!("{column}={}", purpose(id))
            }
            Stored::Bytes(bytes) => format!("{column}={} {:x}", bytes.len(), crc32fast::hash(bytes)),
            value => format!("{column}={value:?}"),
        };
        let kept = |(column, _): &(&String, &Stored)| !LEFT_OUT.split(' ').any(|one| one == *column);
        row.iter().filter(kept).map(value).collect::<Vec<_>>().join(" ")
    }

    /// Fails if something belongs to nobody, or a member has no way to sign in.
    fn assert_whole(&self, kill: u32) {
        let (members, albums) = (self.ids("members"), self.ids("member_albums"));
        for (table, rows) in &self.0 {
            for row in rows {
                let owner = number(row, "member_id").filter(|member| *member != 0);
                assert!(owner.is_none() || members.contains(&owner), "kill {kill}: {table} of nobody: {row:?}");
            }
        }
        for row in self.rows("member_album_items") {
            assert!(albums.contains(&number(row, "album_id")), "kill {kill}: without an album: {row:?}");
        }
        for member in self.rows("members") {
            let owner = number(member, "id");
            let own = |row: &&Row| number(row, "member_id") == owner;
            let names: Vec<_> = self.rows("member_names").iter().filter(own).map(|row| text(row, "name")).collect();
            let (name, email) = (text(member, "account"), text(member, "email"));
            assert!(names.len() == 2 && names.contains(&name) && names.contains(&email), "kill {kill}: {names:?}");
            assert!(text(member, "password").starts_with("$argon2id$"), "kill {kill}: {member:?}");
        }
    }

    /// Fails if the name of somebody who has left is anywhere but in the message that says so.
    fn assert_gone(&self, name: &str, kill: u32) {
        for (table, rows) in self.0.iter().filter(|(table, _)| *table != "mail_outbox") {
            let names_it = |value: &Stored| matches!(value, Stored::Text(text) if text.contains(name));
            for row in rows {
                assert!(!row.values().any(names_it), "kill {kill}: {name} in {table}: {row:?}");
            }
        }
    }
}

fn text<'a>(row: &'a Row, column: &str) -> &'a str {
    match row.get(column) {
        Some(Stored::Text(text)) => text,
        _ => "",
    }
}

fn number(row: &Row, column: &str) -> Option<i64> {
    match row.get(column) {
        Some(Stored::Int(number)) => Some(*number),
        _ => None,
    }
}

/// What a reader has before the first step and after each, and in between where a step is more than one transaction: a code is spent before
/// it is used, and a member is there before the session.
struct States(Vec<State>);

impl States {
    fn is_allowed(&self, done: usize, found: &State) -> bool {
        let Some(next) = self.0.get(done + 1) else { return *found == self.0[done] };
        let without = |state: &State, table: &str, kept: &State| -> State {
            let is_kept = |line: &&String| !line.starts_with(table) || kept.contains(*line);
            state.iter().filter(is_kept).cloned().collect()
        };
        let spent = without(&self.0[done], "codes: ", next);
        let mut allowed = vec![self.0[done].clone(), spent, next.clone()];
        if STEPS[done] == Step::Register {
            allowed.push(without(next, "sessions: ", &State::new()));
        }
        allowed.contains(found)
    }
}

/// Sends the codes that a reader will need.
async fn codes(store: &Store, data: &Path, name: &str) {
    let reader = Reader::new(name, "");
    send_code(store, data, CodePurpose::Register, &reader.email()).await;
    send_code(store, data, CodePurpose::Subscribe, &reader.email()).await;
    send_code(store, data, CodePurpose::Email, &reader.new_email()).await;
}

/// The names of the readers of a round, none of which is part of another.
fn names(round: u32) -> Vec<String> {
    (0..READERS).map(|place| format!("walker{round:05}{}", ["a", "b", "c"][place])).collect()
}

/// One reader goes all the way, and what the reader has is read after each step.
fn first_walk(data: &Path, host: &Running, articles: &[i64]) -> States {
    let name = "pathfinder";
    let state = async |store: &Store| Tables::of(store).await.of_reader(name);
    let mut states = vec![with_store(data, async |store| {
        codes(store, data, name).await;
        state(store).await
    })];
    let mut walk = Walk::new(name, host.address(), articles);
    for step in STEPS {
        walk.step().unwrap();
        let after = with_store(data, state);
        assert_ne!(Some(&after), states.last(), "{step:?} changes nothing that a kill could leave half done");
        states.push(after);
    }
    assert_eq!(states.last(), Some(&State::new()), "an erased member has nothing");
    assert!(states.iter().flatten().all(|line| !line.contains("is missing")), "{states:#?}");
    States(states)
}

/// When a host is killed.
enum Moment {
    /// So long after the readers began.
    At(Duration),
    /// So long after the first reader came to a step.
    During(Step, Duration),
}

impl Moment {
    /// Every other moment is within the whole time; the others are within the steps that would be met too rarely.
    fn of(kill: u32, moments: &mut Moments) -> Self {
        let time = moments.next();
        let quick = QUICK[kill as usize / 2 % QUICK.len()];
        if kill.is_multiple_of(2) { Self::At(time) } else { Self::During(quick, time / 100) }
    }

    fn wait(&self, progress: &AtomicUsize) {
        let time = match self {
            Self::At(time) => time,
            Self::During(step, time) => {
                let started = Instant::now();
                let at = STEPS.iter().position(|one| one == step).unwrap();
                while progress.load(Ordering::SeqCst) < at {
                    assert!(started.elapsed() < HANG, "nobody came to {step:?}");
                    thread::sleep(Duration::from_micros(200));
                }
                time
            }
        };
        thread::sleep(*time);
    }
}

/// Lets the readers of a round walk at once until the host is killed, or to the end. The editor changes records meanwhile, until the host
/// is killed in any case.
fn walks(host: Running, round: u32, articles: &[i64], moment: Option<Moment>, editor: Editor) -> (Vec<Walk>, Editor) {
    let names = names(round);
    let walks: Vec<_> = names.iter().map(|name| Walk::new(name, host.address(), articles)).collect();
    let first = Arc::clone(&walks[0].progress);
    let walking: Vec<_> = walks.into_iter().map(|walk| thread::spawn(move || walk.on())).collect();
    let address = host.address().to_owned();
    let editing = thread::spawn(move || editor.edit(&address));
    let host = match moment {
        Some(moment) => {
            moment.wait(&first);
            drop(host);
            None
        }
        None => Some(host),
    };
    let walked = walking.into_iter().map(|walk| walk.join().unwrap()).collect();
    drop(host);
    (walked, editing.join().unwrap())
}

/// What is left of the readers of a round is what they were told, or that and what they were about to be told.
fn assert_kept(data: &Path, states: &States, walked: &[Walk], kill: u32) {
    let tables = with_store(data, Tables::of);
    tables.assert_whole(kill);
    for walk in walked {
        let (name, found) = (&walk.reader.name, tables.of_reader(&walk.reader.name));
        let step = STEPS.get(walk.done);
        assert!(
            states.is_allowed(walk.done, &found),
            "kill {kill}, during {step:?}: {found:#?} is neither {:#?} nor what the step makes of it",
            states.0[walk.done]
        );
        if found.is_empty() {
            tables.assert_gone(name, kill);
        }
    }
}

/// The passwords with which a reader signs in are those that were acknowledged, and a code that was used is of no more use.
fn assert_signs_in(host: &Running, walk: &Walk, kill: u32) {
    let reader = Reader { host: host.address().to_owned(), token: String::new(), ..walk.reader.clone() };
    let works = [PASSWORD, NEW_PASSWORD].map(|password| {
        let status = reader.sign_in(password).unwrap().status;
        assert!(matches!(status, 200 | 401), "kill {kill}: {status}");
        status == 200
    });
    let next = STEPS.get(walk.done);
    let expected: &[[bool; 2]] = match next {
        Some(Step::Register) => &[[false, false], [true, false]],
        Some(Step::Password) => &[[true, false], [false, true]],
        Some(Step::Erasure) => &[[false, true], [false, false]],
        Some(step) if *step < Step::Password => &[[true, false]],
        Some(_) => &[[false, true]],
        None => &[[false, false]],
    };
    assert!(expected.contains(&works), "kill {kill}, during {next:?}: old and new password: {works:?}");
    if walk.done > 0 {
        let again = reader.register().unwrap();
        assert_eq!(again.status, 400, "kill {kill}: a code is used twice: {}", String::from_utf8_lossy(&again.body));
    }
}

#[test]
fn a_killed_host_keeps_what_readers_were_told_and_nothing_by_halves() {
    let (desk, server) = (Desk::new("member-kills"), MailServer::start());
    readers::prepare(&desk, server.address.port());
    let data = desk.data();
    share_compiled(&data);
    let token = run(&desk.sites, &data, &["token", "create", "desk", "--role", "editor", "--site", "one"]);
    let host = Running::start(&desk.sites, &data, &[]);
    let articles = with_store(&data, readers::articles);
    let states = first_walk(&data, &host, &articles);
    with_store(&data, async |store| {
        for name in names(0) {
            codes(store, &data, &name).await;
        }
    });
    let editor = with_store(&data, async |store| Editor::new(token.trim(), store).await);
    let started = Instant::now();
    let (all, mut editor) = walks(host, 0, &articles, None, editor);
    let mut moments = Moments { state: 19, within: started.elapsed() };
    assert!(all.iter().all(|walk| walk.done == STEPS.len()));
    with_store(&data, async |store| editor.assert_kept(store, &data, 0).await);
    assert!(editor.done() > 0, "the editor has changed nothing");
    let mut interrupted: BTreeSet<&Step> = BTreeSet::new();
    let mut former = Vec::new();
    for kill in 1..=kills() {
        with_store(&data, async |store| {
            for name in names(kill) {
                codes(store, &data, &name).await;
            }
        });
        let host = Running::start(&desk.sites, &data, &[]);
        for walk in &former {
            assert_signs_in(&host, walk, kill - 1);
        }
        (former, editor) = walks(host, kill, &articles, Some(Moment::of(kill, &mut moments)), editor);
        assert_kept(&data, &states, &former, kill);
        with_store(&data, async |store| editor.assert_kept(store, &data, kill).await);
        interrupted.extend(former.iter().filter_map(|walk| STEPS.get(walk.done)));
    }
    let host = Running::start(&desk.sites, &data, &[]);
    former.iter().for_each(|walk| assert_signs_in(&host, walk, kills()));
    println!("{} readers at once were interrupted during {interrupted:?}", READERS);
    assert!(interrupted.len() >= 5 || kills() < 12, "the kills met {interrupted:?} only");
}
