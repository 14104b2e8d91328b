//! Erasure of a member: nothing of theirs stays in any table, and everything of the others does.

use std::collections::BTreeSet;

use masthead_domain::{
    Lang, SiteId,
    member::{Channel, CodePurpose, MemberId, MemberName, SubscriptionType, Use},
    resource::Comment,
};
use masthead_store::{
    AlbumText, AlertTo, Change, ChangeAction, ChangeKind, Identity, MemberStore, MemberUse, NameSet, NewAlert, NewCode,
    NewFile, NewMessage, Passkey, Saving, SearchText, Store, StoreError,
    backup::{ColumnType, Schema},
};

use super::{
    article, drain, email, listed, member, message,
    sessions::session,
    subscriptions::{subscribe, subscription},
};

pub const A: SiteId = SiteId(6181);
const B: SiteId = SiteId(6182);
/// The tables that have rows of a member.
const TABLES: [&str; 17] = [
    "alerts",
    "codes",
    "favourites",
    "institution_members",
    "mail_outbox",
    "member_album_items",
    "member_albums",
    "member_comments",
    "member_files",
    "member_identities",
    "member_names",
    "member_passkeys",
    "member_uses",
    "members",
    "saved_searches",
    "sessions",
    "subscriptions",
];

pub async fn suite(store: &Store, url: &str) {
    unused_members_are_erased(store).await;
    assert_eq!(tables_of_members().await, BTreeSet::from(TABLES), "a table of members: erase its rows, and add it");
    let ada = member(store, A, "eva-ada").await;
    let before = rows(url).await;
    let bob = member(store, A, "eva-bob").await;
    let bobs_member_row = rows(url).await;
    fill(store, &bob, "bob", "13812345672").await;
    let with_bob = rows(url).await;
    for (table, (some, more)) in TABLES.into_iter().zip(before.iter().zip(&with_bob)) {
        assert!(more > some, "the test writes nothing into {table}");
    }
    fill(store, &ada, "ada", "13812345671").await;
    let told = [message("erased")];
    let end = store.latest_change().await.unwrap();
    bob.erase(&told, "", 9_000).await.unwrap();
    assert_eq!(bob.member().await.unwrap(), None);
    let error = bob.erase(&[], "", 9_000).await.unwrap_err();
    assert!(matches!(error, StoreError::MemberGone(_)), "{error}");
    let sent = drain(store).await;
    let kinds: Vec<_> = sent.iter().map(|message| (message.kind.as_str(), message.member)).collect();
    assert!(kinds.contains(&("erased", None)), "the last message is sent: {kinds:?}");
    assert!(kinds.iter().all(|(_, member)| *member != Some(bob.id())), "and no other: {kinds:?}");
    let codes = sent.iter().filter(|one| one.site == A && one.kind == "code");
    assert_eq!(codes.map(|one| one.recipient.as_str()).collect::<Vec<_>>(), ["13812345671"], "no code of his");
    let left = text_of_all_tables(url).await;
    assert!(!left.contains("eva-bob"), "{left}");
    assert!(left.contains("eva-ada@example.org"));
    let changes = store.changes_after(end, 100).await.unwrap();
    let removed = |change: &&Change| change.kind == ChangeKind::Resource && change.action == ChangeAction::Removed;
    assert_eq!(changes.iter().filter(removed).count(), 1, "the index learns that the comment is gone: {changes:?}");
    let line = store.site(A).latest_audit(&format!("member/{}", bob.id())).await.unwrap().unwrap();
    assert_eq!((line.entry.action.as_str(), line.entry.before), ("erased", serde_json::Value::Null));
    // What is of the other member is complete: erased too, the tables are as before her rows.
    assert_eq!(ada.uses(Use::View, masthead_store::Window::ALL).await.unwrap().total, 1);
    ada.erase(&[], "admin", 9_000).await.unwrap();
    drain(store).await;
    let after = rows(url).await;
    let outbox = TABLES.iter().position(|table| *table == "mail_outbox").unwrap();
    for (position, table) in TABLES.iter().enumerate().filter(|(position, _)| *position != outbox) {
        let own = bobs_member_row[position] - before[position];
        assert_eq!(after[position], before[position] - own, "{table}");
    }
}

/// Something of the member in every table.
pub async fn fill(store: &Store, member: &MemberStore, name: &str, mobile: &str) {
    let site = store.site(A);
    let who = format!("eva-{name}");
    let address = email(&format!("{who}@example.org"));
    let identity = Identity { provider: "orcid".into(), subject: who.clone(), name: who.clone() };
    member.bind_identity(&identity, &[message("bound")], 1).await.unwrap();
    let passkey = Passkey { id: 0, credential: who.clone(), name: who.clone(), data: "{}".into(), created: 1, used: 0 };
    assert!(member.add_passkey(&passkey, 9, &[]).await.unwrap());
    let phone = MemberName::mobile(mobile).unwrap();
    assert_eq!(member.set_name(&phone, None, &[], 1).await.unwrap(), NameSet::Set);
    member.begin_session(&session(&who, None), 1).await.unwrap().unwrap();
    let purpose = CodePurpose::Reset;
    let code = NewCode { purpose, target: address.key(), digest: &who, network: "", expires: 99, unless_after: 0 };
    let (recipient, to) = (phone.shown().to_owned(), phone.key().to_owned());
    let sent = NewMessage { recipient, address: to, channel: Channel::Sms, ..message("code") };
    site.issue_code(&code, &[sent], 1).await.unwrap();
    let item = listed(article(1), &who);
    member.collect(std::slice::from_ref(&item), 9, 1).await.unwrap();
    let album = AlbumText { name: who.clone(), ..AlbumText::default() };
    let Saving::Saved(album) = member.add_album(&album, 9, 1).await.unwrap() else { panic!("not saved") };
    member.add_to_album(album, std::slice::from_ref(&item), 9, 1).await.unwrap();
    let comment = Comment { key: format!("1/{who}"), article: 1, author: who.clone(), ..Comment::default() };
    member.add_comment(&comment).await.unwrap();
    assert_eq!(member.comments().await.unwrap().iter().map(|one| one.value.clone()).collect::<Vec<_>>(), [comment]);
    let used = MemberUse { site: A, member: member.id(), act: Use::View, item, at: 1 };
    store.record_member_uses(&[used]).await.unwrap();
    let file = NewFile { id: &who, purpose: "portrait", media_type: "image/png", bytes: b"1" };
    member.add_file(&file, 9, 1).await.unwrap();
    member.join_institution("harbour", 0, "admin", 1).await.unwrap();
    let text = SearchText { name: who.clone(), address: "/search".into(), alert: true };
    let Saving::Saved(search) = member.add_search(&text, 9, 1).await.unwrap() else { panic!("not saved") };
    let own = subscribe(store, A, &subscription(&address, SubscriptionType::Current, None)).await;
    let office = email(&format!("{who}-office@example.org"));
    let other = subscribe(store, A, &subscription(&office, SubscriptionType::Current, Some(member.id()))).await;
    let alert = |to| NewAlert { site: A, item: article(1), to };
    let alerts = [alert(AlertTo::Subscriptions(vec![own, other])), alert(AlertTo::Searches(vec![search]))];
    assert_eq!(store.record_alerts(&format!("erasure of {}", member.id()), 1, &alerts, 1).await.unwrap(), Some(3));
    member.set_profile(&member.member().await.unwrap().unwrap().profile, Lang::En).await.unwrap();
}

/// The tables that name a member, and those whose rows belong to one in another way.
async fn tables_of_members() -> BTreeSet<&'static str> {
    let schema = Schema::at(Schema::newest()).await.unwrap();
    let mut found: BTreeSet<&'static str> = ["alerts", "codes", "member_album_items", "members"].into();
    for table in schema.tables.into_iter().filter(|table| table.position("member_id").is_some()) {
        found.insert(Box::leak(table.name.into_boxed_str()));
    }
    found
}

async fn rows(url: &str) -> Vec<i64> {
    let pool = sqlx::AnyPool::connect(url).await.unwrap();
    let mut counts = Vec::new();
    for table in TABLES {
        let sql = format!("SELECT COUNT(*) FROM {table} WHERE site_id = {A}");
        counts.push(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&pool).await.unwrap());
    }
    pool.close().await;
    counts
}

/// All texts of all tables.
async fn text_of_all_tables(url: &str) -> String {
    let pool = sqlx::AnyPool::connect(url).await.unwrap();
    let mut all = String::new();
    for table in Schema::at(Schema::newest()).await.unwrap().tables {
        for column in table.columns.iter().filter(|column| column.kind == ColumnType::Text) {
            let (table, column) = (&table.name, &column.name);
            let sql = format!("SELECT \"{column}\" FROM \"{table}\" WHERE \"{column}\" IS NOT NULL");
            let texts: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&pool).await.unwrap();
            for text in texts.into_iter().filter(|text| text.contains("eva-")) {
                all.push_str(&format!("{table}.{column}: {text}\n"));
            }
        }
    }
    pool.close().await;
    all
}

/// Members who were not seen for long are found one after the other, and looked at again before they are erased.
async fn unused_members_are_erased(store: &Store) {
    let (ada, bob, carol) =
        (member(store, B, "ada").await, member(store, B, "bob").await, member(store, B, "carol").await);
    carol.begin_session(&session("unused-carol", None), 1_001).await.unwrap().unwrap();
    let site = store.site(B);
    assert_eq!(site.unused_members(1_001, MemberId(0), 9).await.unwrap(), [ada.id(), bob.id()]);
    assert_eq!(site.unused_members(1_001, ada.id(), 9).await.unwrap(), [bob.id()]);
    assert!(site.unused_members(1_000, MemberId(0), 9).await.unwrap().is_empty());
    bob.begin_session(&session("unused-bob", None), 500).await.unwrap().unwrap();
    assert_eq!(site.unused_members(1_001, MemberId(0), 9).await.unwrap(), [ada.id()], "somebody is signed in");
    assert!(!bob.erase_unused(1_001, 2_000).await.unwrap(), "signed in after the list was read");
    carol.end_sessions_but(None).await.unwrap();
    assert!(!carol.erase_unused(1_001, 2_000).await.unwrap(), "and signed out again");
    assert!(bob.member().await.unwrap().is_some() && carol.member().await.unwrap().is_some());
    assert!(ada.erase_unused(1_001, 2_000).await.unwrap());
    assert!(!ada.erase_unused(1_001, 2_000).await.unwrap(), "another process was faster");
    assert_eq!(site.member_by_name(&email("ada@example.org")).await.unwrap(), None);
    let line = site.latest_audit(&format!("member/{}", ada.id())).await.unwrap().unwrap();
    assert_eq!((line.entry.who.as_str(), line.entry.action.as_str()), ("retention", "erased"));
}
