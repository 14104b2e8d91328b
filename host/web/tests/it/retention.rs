//! What members leave behind is deleted after the times of the configuration, and not before.

use std::time::Duration;

use masthead_accounts::sessions::{SessionStart, Sessions, method};
use masthead_domain::{
    Lang, SiteId,
    member::{ItemRef, ItemType, ListedItem, MemberId, MemberName, Profile, Use},
};
use masthead_store::{AuditQuery, Created, MemberUse, NewMember, Window};
use masthead_test_support::{Portal, Setup};
use masthead_web::app::retention::{self, Deleted};

const SHORT: SiteId = SiteId(9501);
const LONG: SiteId = SiteId(9502);
const DAY: Duration = Duration::from_secs(86_400);

fn start() -> Portal {
    Portal::start("retention", Setup { bare: true, ..Setup::default() }, |sites| {
        for (sld, id, lines) in
            [("shortterm", SHORT, "[retention]\nhistoryDays = 1\nunusedMonths = 1\n"), ("longterm", LONG, "")]
        {
            let text = format!("id = {id}\nname = {{ zh = \"站\", en = \"Site\" }}\n{lines}");
            std::fs::write(sites.join(format!("{sld}.toml")), text).unwrap();
        }
    })
}

/// A member who is signed in, and has viewed an item.
fn member(portal: &Portal, site: SiteId) -> MemberId {
    portal.run(async {
        let (store, now) = (portal.app.store.site(site), portal.app.counting.now());
        let names = [MemberName::account("reader").unwrap()];
        let profile = Profile::default();
        let new =
            NewMember { handle: "h", names: &names, password: "", identity: None, lang: Lang::En, profile: &profile };
        let Created::Member(member) = store.create_member(&new, now).await.unwrap() else { panic!() };
        let times = portal.app.sites.load().by_id(site).unwrap().site.accounts.sessions;
        let beginning = SessionStart { member, method: method::CODE, agent: "tests", replaces: None };
        Sessions::new(store, times, now).begin(&beginning).await.unwrap().unwrap();
        let item = ItemRef::new(ItemType::Article, 1);
        let item = ListedItem { item, title: "Tides".into(), address: "/article/1".into() };
        let viewed = MemberUse { site, member, act: Use::View, item, at: now };
        portal.app.store.record_member_uses(&[viewed]).await.unwrap();
        member
    })
}

#[test]
fn histories_sessions_and_unused_accounts_are_deleted_in_their_time() {
    let portal = start();
    let (gone, kept) = (member(&portal, SHORT), member(&portal, LONG));
    let delete = || portal.run(retention::delete(&portal.app)).unwrap();
    let of = |deleted: Deleted| (deleted.expired.sessions, deleted.uses, deleted.members);
    let history = |site: SiteId, member: MemberId| {
        let store = portal.app.store.site(site).of_member(member);
        portal.run(store.uses(Use::View, Window::ALL)).unwrap().total
    };
    assert_eq!(of(delete()), (0, 0, 0), "nothing has expired");
    portal.advance(DAY + Duration::from_secs(1));
    assert_eq!(of(delete()), (2, 1, 0), "the sessions of both, and the history of the site that says so");
    assert_eq!((history(SHORT, gone), history(LONG, kept)), (0, 1));
    assert_eq!(of(delete()), (0, 0, 0), "once");
    portal.advance(30 * DAY);
    assert_eq!(of(delete()), (0, 0, 1), "31 days without a sign-in");
    let audit = AuditQuery { site: Some(SHORT), limit: 10, ..AuditQuery::default() };
    let lines = portal.run(portal.app.store.audit(&audit)).unwrap();
    let line = &lines[0].entry;
    assert_eq!((line.who.as_str(), line.action.as_str()), ("retention", "erased"));
    assert_eq!(line.subject, format!("member/{gone}"));
    portal.advance(400 * DAY);
    assert_eq!(of(delete()).2, 0, "a site that says nothing keeps accounts");
    portal.advance(330 * DAY);
    assert_eq!((of(delete()).1, history(LONG, kept)), (1, 0), "two years after the view");
}
