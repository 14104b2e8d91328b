#![allow(clippy::unwrap_used)]

use masthead_domain::member::MemberState;
use masthead_store::Store;

use super::*;
use crate::testing::{HOUR, OTHER, SITE, START, member, store};

const TIMES: SessionTimes = SessionTimes { idle_minutes: 120, max_hours: 12 };
const IDLE: i64 = TIMES.idle_ms();

fn at(store: &Store, now: i64) -> Sessions {
    Sessions::new(store.site(SITE), TIMES, now)
}

fn beginning(member: MemberId, replaces: Option<&str>) -> SessionStart<'_> {
    SessionStart { member, method: method::PASSWORD, agent: "curl/8", replaces }
}

async fn begin(store: &Store, member: MemberId, now: i64) -> Token {
    at(store, now).begin(&beginning(member, None)).await.unwrap().unwrap()
}

async fn is_valid(store: &Store, token: &Token, now: i64) -> bool {
    at(store, now).find(&token.text).await.unwrap().is_some()
}

#[tokio::test]
async fn a_session_belongs_to_one_member_of_one_site() {
    let (_folder, store) = store().await;
    let ada = member(&store.site(SITE), "ada", "").await;
    let token = begin(&store, ada, START).await;
    let found = at(&store, START).find(&token.text).await.unwrap().unwrap();
    assert_eq!((found.of.member, found.of.account.as_str(), found.of.session.client.as_str()), (ada, "ada", "curl"));
    assert_eq!((found.expires, token.expires), (START + 12 * HOUR, START + 12 * HOUR));
    let other = Sessions::new(store.site(OTHER), TIMES, START);
    assert!(other.find(&token.text).await.unwrap().is_none(), "another site's");
    for place in [0, 20, 42] {
        let mut altered = token.text.clone().into_bytes();
        altered[place] = if altered[place] == b'A' { b'B' } else { b'A' };
        let altered = String::from_utf8(altered).unwrap();
        assert!(at(&store, START).find(&altered).await.unwrap().is_none(), "{place}");
    }
    for odd in ["", "x", &found.digest, &"é".repeat(43), &format!("{}=", &token.text[..42])] {
        assert!(at(&store, START).find(odd).await.unwrap().is_none(), "{odd}");
    }
}

#[tokio::test]
async fn what_is_stored_is_no_token() {
    let (_folder, store) = store().await;
    let ada = member(&store.site(SITE), "ada", "").await;
    let token = begin(&store, ada, START).await;
    let digest = token_digest(&token.text);
    assert_eq!((token.text.len(), digest.len()), (43, 64));
    assert!(store.site(SITE).member_session(&digest).await.unwrap().is_some());
    assert!(store.site(SITE).member_session(&token.text).await.unwrap().is_none());
    assert!(!format!("{token:?}").contains(&token.text), "tokens are not written to logs");
    assert_ne!(begin(&store, ada, START).await.text, token.text);
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_or_old() {
    let (_folder, store) = store().await;
    let ada = member(&store.site(SITE), "ada", "").await;
    let idle = begin(&store, ada, START).await;
    assert!(is_valid(&store, &idle, START + IDLE - 1).await, "a use of the session begins the idle time again");
    assert!(is_valid(&store, &idle, START + 2 * IDLE - 2).await);
    assert!(!is_valid(&store, &idle, START + 4 * IDLE).await, "idle");
    let old = begin(&store, ada, START).await;
    for hour in 1..12 {
        assert!(is_valid(&store, &old, START + hour * HOUR).await, "{hour}");
    }
    assert!(!is_valid(&store, &old, START + 12 * HOUR).await, "twelve hours after its beginning");
}

#[tokio::test]
async fn a_clock_that_jumps_ends_sessions_early_and_never_late() {
    let (_folder, store) = store().await;
    let ada = member(&store.site(SITE), "ada", "").await;
    let token = begin(&store, ada, START).await;
    assert!(is_valid(&store, &token, START - 5 * 60_000).await, "the clock of another host");
    assert!(!is_valid(&store, &token, START - 5 * 60_000 - 1).await, "set back: the session would last longer");
    assert!(is_valid(&store, &token, START + HOUR).await);
    assert!(!is_valid(&store, &token, START + 100 * HOUR).await, "set forward");
    assert!(is_valid(&store, &token, START + HOUR).await, "and corrected");
    assert!(!is_valid(&store, &token, START + 12 * HOUR).await, "a clock does not make a session last longer");
}

#[tokio::test]
async fn a_sign_in_voids_the_token_from_before() {
    let (_folder, store) = store().await;
    let site = store.site(SITE);
    let (ada, bea) = (member(&site, "ada", "").await, member(&site, "bea", "").await);
    let planted = begin(&store, bea, START).await;
    let sessions = at(&store, START);
    let own = sessions.begin(&beginning(ada, Some(&planted.text))).await.unwrap().unwrap();
    assert_ne!(own.text, planted.text, "nobody chooses the token of somebody else's session");
    assert!(!is_valid(&store, &planted, START).await && is_valid(&store, &own, START).await);
    sessions.end(&own.text).await.unwrap();
    assert!(!is_valid(&store, &own, START).await);
    sessions.end("not a token").await.unwrap();
}

#[tokio::test]
async fn a_token_is_rotated_with_the_change_that_asks_for_it() {
    let (_folder, store) = store().await;
    let ada = member(&store.site(SITE), "ada", "").await;
    let mine = store.site(SITE).of_member(ada);
    let (here, elsewhere) = (begin(&store, ada, START).await, begin(&store, ada, START).await);
    let sessions = at(&store, START + HOUR);
    let current = sessions.find(&here.text).await.unwrap().unwrap();
    let renewal = sessions.renew(&current);
    assert!(is_valid(&store, &here, START + HOUR).await, "the token changes with the change and not before");
    mine.set_password("$new", Some(renewal.rotation()), &[], START + HOUR).await.unwrap();
    assert_eq!(renewal.token.expires, here.expires, "the session does not last longer");
    for (token, valid) in [(&here, false), (&elsewhere, false), (&renewal.token, true)] {
        assert_eq!(is_valid(&store, token, START + HOUR).await, valid);
    }
}

#[tokio::test]
async fn a_closed_account_has_no_sessions() {
    let (_folder, store) = store().await;
    let site = store.site(SITE);
    let ada = member(&site, "ada", "").await;
    let token = begin(&store, ada, START).await;
    assert!(site.set_member_state(ada, MemberState::Closed, "ops", START).await.unwrap());
    assert!(!is_valid(&store, &token, START).await);
    assert_eq!(at(&store, START).begin(&beginning(ada, None)).await.unwrap(), None);
}

#[tokio::test]
async fn members_see_and_end_their_own_sessions_only() {
    let (_folder, store) = store().await;
    let site = store.site(SITE);
    let (ada, bea) = (member(&site, "ada", "").await, member(&site, "bea", "").await);
    let (first, _second) = (begin(&store, ada, START).await, begin(&store, ada, START + HOUR).await);
    let other = begin(&store, bea, START).await;
    let sessions = at(&store, START + HOUR);
    let (mine, hers) = (site.of_member(ada), site.of_member(bea));
    let listed = sessions.of_member(&mine).await.unwrap();
    assert_eq!(listed.iter().map(|one| one.created).collect::<Vec<_>>(), [START + HOUR, START]);
    let her_session = sessions.of_member(&hers).await.unwrap()[0].id;
    assert!(!mine.end_session(her_session).await.unwrap(), "another member's, by its number");
    assert!(is_valid(&store, &other, START).await);
    assert!(mine.end_session(listed[1].id).await.unwrap());
    assert!(!is_valid(&store, &first, START + HOUR).await);
    let late = at(&store, START + 3 * HOUR);
    assert!(late.of_member(&mine).await.unwrap().is_empty(), "those that have ended are not listed");
}
