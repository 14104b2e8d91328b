//! What writes several rows for a member or an administrator writes all of them or none. Each operation fails at the first row that it writes,
//! then at the second, and so on, as if the process had been killed there; the database is as before, until nothing fails any more.

use std::{collections::BTreeMap, fmt::Debug};

use masthead_domain::{
    SiteId,
    member::{MemberId, MemberName, MemberState, Profile, Role, RoleScope, SubscriptionType, Use},
    resource::Comment,
};
use masthead_store::{
    AlbumText, AlertCursor, AlertMessage, AlertTo, CodeCheck, CodeIssue, Created, Identity, MemberStore, MemberUse,
    NewAccount, NewAdministratorSession, NewAlert, NewFile, NewInvite, NewMember, Passkey, Removal, Saving, SearchText,
    SessionRotation, Store, StoreError,
    backup::{Row, Schema},
};

use super::{
    account, article, codes, drain, email, erasure, id, listed, member, message, new, sessions::session,
    subscriptions::subscription,
};
use crate::support::Cluster;

const A: SiteId = SiteId(6211);
/// What a statement fails with.
const KILLED: &str = "the process is killed here";
/// More rows than any of the operations writes.
const MANY: i64 = 200;

#[tokio::test]
async fn on_sqlite_an_operation_that_fails_at_any_write_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("masthead.db");
    let store = Store::open_file(&path).await.unwrap();
    every_operation(&Interrupted::new(&store, &format!("sqlite://{}", path.display())).await).await;
}

#[tokio::test]
async fn on_postgresql_an_operation_that_fails_at_any_write_changes_nothing() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: no operation was interrupted on PostgreSQL: {reason}");
            return;
        }
    };
    let store = Store::open(&cluster.url()).await.unwrap();
    every_operation(&Interrupted::new(&store, &cluster.url()).await).await;
    store.close().await;
}

#[tokio::test]
#[should_panic(expected = "two albums, killed at write 4")]
async fn an_operation_of_two_transactions_would_be_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("masthead.db");
    let store = Store::open_file(&path).await.unwrap();
    let on = Interrupted::new(&store, &format!("sqlite://{}", path.display())).await;
    let (ada, text) = (member(&store, A, "ada").await, AlbumText::default());
    let two = async || {
        ada.add_album(&text, 9, 1).await?;
        ada.add_album(&text, 9, 2).await
    };
    on.whole("two albums", 6, two).await;
}

async fn every_operation(on: &Interrupted<'_>) {
    accounts(on).await;
    sign_in(on).await;
    ways_to_sign_in(on).await;
    lists(on).await;
    alerts(on).await;
    administrators(on).await;
    erasures(on).await;
}

/// A database in which triggers count the rows that are written, and fail at the one that a test chooses.
struct Interrupted<'a> {
    store: &'a Store,
    pool: sqlx::AnyPool,
}

impl<'a> Interrupted<'a> {
    async fn new(store: &'a Store, url: &str) -> Self {
        let on = Self { store, pool: sqlx::AnyPool::connect(url).await.unwrap() };
        let sqlite = url.starts_with("sqlite");
        on.run("CREATE TABLE writes_left (writes BIGINT NOT NULL)").await;
        on.run("INSERT INTO writes_left (writes) VALUES (0)").await;
        if !sqlite {
            on.run(&format!(
                "CREATE FUNCTION fail_at_write() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE now_left BIGINT; BEGIN \
                 UPDATE writes_left SET writes = writes - 1 RETURNING writes INTO now_left; \
                 IF now_left = 0 THEN RAISE EXCEPTION '{KILLED}'; END IF; RETURN COALESCE(NEW, OLD); END $$"
            ))
            .await;
        }
        for table in Schema::at(Schema::newest()).await.unwrap().tables {
            let table = table.name;
            for event in ["INSERT", "UPDATE", "DELETE"] {
                let body = if sqlite {
                    format!(
                        "BEGIN UPDATE writes_left SET writes = writes - 1; \
                         SELECT RAISE(ABORT, '{KILLED}') FROM writes_left WHERE writes = 0; END"
                    )
                } else {
                    "FOR EACH ROW EXECUTE FUNCTION fail_at_write()".to_owned()
                };
                on.run(&format!("CREATE TRIGGER fail_{event}_{table} BEFORE {event} ON \"{table}\" {body}")).await;
            }
        }
        on
    }

    async fn run(&self, sql: &str) {
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&self.pool).await.unwrap();
    }

    /// Lets the write with this number fail; none for 0.
    async fn fail_at(&self, write: i64) {
        self.run(&format!("UPDATE writes_left SET writes = {write}")).await;
    }

    /// Everything that is stored.
    async fn rows(&self) -> BTreeMap<String, Vec<Row>> {
        let mut snapshot = self.store.snapshot().await.unwrap();
        let mut rows = BTreeMap::new();
        for table in snapshot.schema().tables.clone() {
            let all = snapshot.rows(&table, None, None, 100_000).await.unwrap();
            rows.insert(table.name, all);
        }
        rows
    }

    /// Does something that writes at least so many rows, failing at each of them before it succeeds. Returns its result.
    async fn whole<T: Debug>(&self, what: &str, rows: i64, doing: impl AsyncFn() -> Result<T, StoreError>) -> T {
        let before = self.rows().await;
        for write in 1..MANY {
            self.fail_at(write).await;
            let done = doing().await;
            self.fail_at(0).await;
            let after = self.rows().await;
            match done {
                Ok(value) => {
                    assert!(write > rows, "{what} writes {} rows, not {rows}", write - 1);
                    assert!(before != after, "{what} changes nothing: {value:?}");
                    return value;
                }
                Err(error) => {
                    assert!(format!("{error:?}").contains(KILLED), "{what}, killed at write {write}: {error:?}");
                    let changed: Vec<_> = before.iter().filter(|(table, rows)| after[*table] != **rows).collect();
                    assert!(changed.is_empty(), "{what}, killed at write {write}: before it there was {changed:?}");
                }
            }
        }
        panic!("{what} does not end");
    }
}

async fn accounts(on: &Interrupted<'_>) {
    let site = on.store.site(A);
    let (names, profile) = ([account("ada"), email("ada@example.org")], Profile::default());
    let identity = Identity { provider: "orcid".into(), subject: "ada".into(), name: "Ada".into() };
    let with_identity = NewMember { identity: Some(&identity), ..new("ada", &names, &profile) };
    let ada = id(on.whole("a registration", 5, async || site.create_member(&with_identity, 1).await).await);
    let ada = site.of_member(ada);
    for digest in ["s1", "s2", "s3"] {
        ada.begin_session(&session(digest, None), 1).await.unwrap().unwrap();
    }
    let told = [message("changed")];
    let kept = Some(SessionRotation { from: "s1", to: "s4" });
    on.whole("another password", 6, async || ada.set_password("$argon2id$new", kept, &told, 2).await).await;
    assert!(site.member_session("s4").await.unwrap().is_some() && site.member_session("s2").await.unwrap().is_none());
    ada.begin_session(&session("s5", None), 3).await.unwrap().unwrap();
    let address = email("ada-new@example.org");
    on.whole("another address", 6, async || ada.set_name(&address, Some(1), &told, 3).await).await;
    let taken = [account("bob"), email("ada-new@example.org")];
    // What is refused leaves nothing either.
    let before = on.rows().await;
    let refused = site.create_member(&new("bob", &taken, &profile), 4).await.unwrap();
    assert!(matches!(refused, Created::NameTaken(_)) && on.rows().await == before, "{refused:?}");
    ada.begin_session(&session("s6", None), 5).await.unwrap().unwrap();
    let close = async || site.set_member_state(ada.id(), MemberState::Closed, "admin", 6).await;
    on.whole("closing an account", 3, close).await;
    drain(on.store).await;
}

async fn sign_in(on: &Interrupted<'_>) {
    let site = on.store.site(A);
    let bob = member(on.store, A, "bob").await;
    let code = codes::code("bob@example.org", "right", 1_000);
    let told = [message("code"), message("code")];
    let issued = on.whole("sending a code", 3, async || site.issue_code(&code, &told, 1_000).await).await;
    assert_eq!(issued, CodeIssue::Issued);
    let use_of_it = codes::used("bob@example.org", "right");
    let spent = on.whole("spending a code", 2, async || site.spend_code(&use_of_it, 1_001).await).await;
    assert_eq!(spent, CodeCheck::Right, "an attempt that failed did not spend it");
    on.whole("counting an attempt", 2, async || site.count_attempt("bob", "here", 0, 1).await).await;
    on.whole("forgetting attempts", 3, async || site.forget_attempts("bob", "here").await).await;
    bob.begin_session(&session("b1", None), 1).await.unwrap().unwrap();
    let replacing = session("b2", Some("b1"));
    on.whole("a sign-in", 5, async || bob.begin_session(&replacing, 2).await).await;
    assert!(site.member_session("b1").await.unwrap().is_none() && site.member_session("b2").await.unwrap().is_some());
    on.whole("ending all sessions", 3, async || site.end_sessions_by("bob", "admin").await).await;
    drain(on.store).await;
}

async fn ways_to_sign_in(on: &Interrupted<'_>) {
    let carol = member(on.store, A, "carol").await;
    let told = [message("changed")];
    let identity = Identity { provider: "orcid".into(), subject: "carol".into(), name: "Carol".into() };
    on.whole("binding an identity", 3, async || carol.bind_identity(&identity, &told, 1).await).await;
    let removed = on.whole("unbinding it", 3, async || carol.unbind_identity("orcid", &told, 2).await).await;
    assert_eq!(removed, Removal::Removed);
    let passkey =
        Passkey { id: 0, credential: "key".into(), name: "key".into(), data: "{}".into(), created: 1, used: 0 };
    on.whole("adding a passkey", 4, async || carol.add_passkey(&passkey, 9, &told).await).await;
    let number = carol.passkeys().await.unwrap()[0].id;
    let removed = on.whole("removing it", 3, async || carol.remove_passkey(number, &told, 2).await).await;
    assert_eq!(removed, Removal::Removed);
    on.whole("joining an institution", 3, async || carol.join_institution("harbour", 0, "admin", 1).await).await;
    on.whole("leaving it", 3, async || carol.leave_institution("harbour", "admin", 2).await).await;
    drain(on.store).await;
}

fn saved<T: Debug>(saving: Saving<T>) -> T {
    match saving {
        Saving::Saved(value) => value,
        other => panic!("not saved: {other:?}"),
    }
}

async fn lists(on: &Interrupted<'_>) {
    let dora = member(on.store, A, "dora").await;
    let items: Vec<_> = (1..=5).map(|number| listed(article(number), "Tides")).collect();
    let named: Vec<_> = items.iter().map(|one| one.item.clone()).collect();
    on.whole("collecting", 6, async || dora.collect(&items, 9, 1).await).await;
    on.whole("removing favourites", 6, async || dora.remove_favourites(&named).await).await;
    let text = AlbumText { name: "Tides".into(), ..AlbumText::default() };
    let album = saved(on.whole("making an album", 3, async || dora.add_album(&text, 9, 1).await).await);
    on.whole("filling it", 7, async || dora.add_to_album(album, &items, 9, 2).await).await;
    on.whole("taking out of it", 4, async || dora.remove_from_album(album, &named[..2], 3).await).await;
    on.whole("removing it", 5, async || dora.remove_albums(&[album]).await).await;
    let picture = NewFile { id: "picture", purpose: "portrait", media_type: "image/png", bytes: b"1" };
    on.whole("storing a picture", 2, async || dora.add_file(&picture, 9, 1).await).await;
    let views: Vec<_> = items
        .iter()
        .map(|item| MemberUse { site: A, member: dora.id(), act: Use::View, item: item.clone(), at: 1 })
        .collect();
    on.whole("noting views", 7, async || on.store.record_member_uses(&views).await).await;
    let comment = Comment { key: "1/dora".into(), article: 1, author: "dora".into(), ..Comment::default() };
    on.whole("a comment", 4, async || dora.add_comment(&comment).await).await;
}

async fn alerts(on: &Interrupted<'_>) {
    let (store, site) = (on.store, on.store.site(A));
    let emil = member(store, A, "emil").await;
    let text = SearchText { name: "Tides".into(), address: "/search?q=tide".into(), alert: true };
    let search = saved(on.whole("saving a search", 3, async || emil.add_search(&text, 9, 1).await).await);
    let address = email("emil@example.org");
    let current = subscription(&address, SubscriptionType::Current, Some(emil.id()));
    let own = saved(on.whole("a subscription", 3, async || site.subscribe(&current, 9, 1).await).await);
    let alert = |to| NewAlert { site: A, item: article(1), to };
    let found = [alert(AlertTo::Subscriptions(vec![own])), alert(AlertTo::Searches(vec![search]))];
    let recorded = on.whole("recording alerts", 3, async || store.record_alerts("alerts", 1, &found, 1).await).await;
    assert_eq!(recorded, Some(2));
    let (due, _) = store.due_alerts(&AlertCursor::default(), 9).await.unwrap();
    let tellings: Vec<_> = due.iter().map(|alerts| AlertMessage { alerts, message: Some(message("alert")) }).collect();
    let told = on.whole("telling of them", 4, async || store.tell(&tellings, 2).await).await;
    assert_eq!(told, 2, "nobody was told before");
    assert_eq!(drain(store).await.len(), 2, "and nobody is told twice");
    let more = [NewAlert { item: article(2), ..found[0].clone() }, NewAlert { item: article(2), ..found[1].clone() }];
    assert_eq!(store.record_alerts("alerts", 2, &more, 3).await.unwrap(), Some(2));
    let silent = SearchText { alert: false, ..text.clone() };
    on.whole("a search without alerts", 3, async || emil.set_search(search, &silent).await).await;
    on.whole("removing a search", 2, async || emil.remove_search(search).await).await;
    on.whole("the end of a subscription", 2, async || emil.end_subscription(own).await).await;
}

async fn administrators(on: &Interrupted<'_>) {
    let store = on.store;
    let (first, second) = (email("grace@example.org"), email("hedy@example.org"));
    let scope = RoleScope::Installation;
    let invitation = |digest, email| NewInvite { digest, email, scope, role: Role::PlatformAdministrator, expires: 99 };
    let told = [message("invite")];
    let (one, other) = (invitation("i1", &first), invitation("i2", &second));
    on.whole("an invitation", 3, async || store.invite_administrator(&one, &told, "cli", 1).await).await;
    let opened = Some(NewAccount { name: "Grace", password: "$argon2id$first" });
    let accept = async || store.accept_invite("i1", opened, 2).await;
    let grace = on.whole("accepting it", 4, accept).await.expect("the invitation was not used up by a failure");
    store.invite_administrator(&other, &[], "cli", 1).await.unwrap();
    let hedy = store.accept_invite("i2", opened, 2).await.unwrap().unwrap();
    let begun = |administrator, digest| NewAdministratorSession { administrator, digest, client: "" };
    let of_hedy = begun(hedy, "a1");
    on.whole("an administrator's sign-in", 3, async || store.begin_administrator_session(&of_hedy, 3).await).await;
    store.begin_administrator_session(&begun(hedy, "a2"), 3).await.unwrap();
    let kept = Some(SessionRotation { from: "a1", to: "a3" });
    let change = async || store.set_administrator_password(hedy, "$argon2id$new", kept, "hedy", 4).await;
    on.whole("an administrator's password", 4, change).await;
    on.whole("closing an administrator", 3, async || store.close_administrator(hedy, "grace", 5).await).await;
    assert_eq!(store.administrators().await.unwrap().iter().filter(|one| one.id == grace).count(), 1);
    drain(store).await;
}

async fn erasures(on: &Interrupted<'_>) {
    let store = on.store;
    let full = |name: &'static str, mobile| async move {
        let member: MemberStore = member(store, erasure::A, &format!("eva-{name}")).await;
        erasure::fill(store, &member, name, mobile).await;
        member
    };
    let (ada, bob) = (full("ada", "13812345671").await, full("bob", "13812345672").await);
    let told = [message("erased")];
    on.whole("an erasure", 20, async || ada.erase(&told, "", 9_000).await).await;
    assert!(ada.member().await.unwrap().is_none() && bob.member().await.unwrap().is_some());
    bob.end_sessions_but(None).await.unwrap();
    on.whole("an erasure after years", 20, async || bob.erase_unused(i64::MAX, 9_000).await).await;
    assert_eq!(store.site(erasure::A).member_count().await.unwrap(), 0);
    let nobody = store.site(erasure::A).of_member(MemberId(i64::MAX));
    assert!(matches!(nobody.erase(&[], "", 9_000).await, Err(StoreError::MemberGone(_))));
    drain(store).await;
    // The names are free, and a code that was sent for one is not: it went with its owner.
    let names = [MemberName::mobile("13812345671").unwrap()];
    let again = store.site(erasure::A).create_member(&new("again", &names, &Profile::default()), 1).await.unwrap();
    assert!(matches!(again, Created::Member(_)));
}
