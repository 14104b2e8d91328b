//! Codes, tickets and failed attempts.

use masthead_domain::{SiteId, member::CodePurpose};
use masthead_store::{Attempts, CodeCheck, CodeIssue, CodeUse, Failures, NewCode, Store};

use super::{drain, message};

const A: SiteId = SiteId(6121);
const B: SiteId = SiteId(6122);
const MINUTE: i64 = 60_000;

pub async fn suite(store: &Store) {
    a_code_is_used_once(store).await;
    a_code_is_bound(store).await;
    attempts_of_a_code_end(store).await;
    attempts_from_elsewhere_leave_those_of_whoever_asked(store).await;
    codes_are_not_sent_too_often(store).await;
    tickets_are_used_once(store).await;
    failures_are_counted(store).await;
}

pub fn code<'a>(target: &'a str, digest: &'a str, now: i64) -> NewCode<'a> {
    let purpose = CodePurpose::Login;
    NewCode { purpose, target, digest, network: "here", expires: now + 10 * MINUTE, unless_after: now - MINUTE }
}

pub fn used<'a>(target: &'a str, digest: &'a str) -> CodeUse<'a> {
    CodeUse { purpose: CodePurpose::Login, target, digest, network: "here", attempts: 5 }
}

async fn a_code_is_used_once(store: &Store) {
    let site = store.site(A);
    assert_eq!(site.spend_code(&used("+861", "right"), 1_000).await.unwrap(), CodeCheck::Missing, "none was sent");
    assert_eq!(site.issue_code(&code("+861", "right", 1_000), &[], 1_000).await.unwrap(), CodeIssue::Issued);
    assert_eq!(site.check_code(&used("+861", "right"), 2_000).await.unwrap(), CodeCheck::Right);
    assert_eq!(
        site.check_code(&used("+861", "right"), 2_000).await.unwrap(),
        CodeCheck::Right,
        "a look spends nothing"
    );
    assert_eq!(site.spend_code(&used("+861", "right"), 2_000).await.unwrap(), CodeCheck::Right);
    assert_eq!(site.spend_code(&used("+861", "right"), 2_000).await.unwrap(), CodeCheck::Missing, "replayed");
    site.issue_code(&code("+861", "late", 200_000), &[], 200_000).await.unwrap();
    let end = 200_000 + 10 * MINUTE;
    assert_eq!(site.spend_code(&used("+861", "late"), end).await.unwrap(), CodeCheck::Missing, "it has ended");
    assert_eq!(site.spend_code(&used("+861", "late"), end - 1).await.unwrap(), CodeCheck::Right);
}

async fn a_code_is_bound(store: &Store) {
    let site = store.site(A);
    site.issue_code(&code("ada@example.org", "bound", 1_000), &[], 1_000).await.unwrap();
    let right = used("ada@example.org", "bound");
    for wrong in [CodeUse { purpose: CodePurpose::Reset, ..right }, CodeUse { target: "bob@example.org", ..right }] {
        assert_eq!(site.spend_code(&wrong, 2_000).await.unwrap(), CodeCheck::Missing);
    }
    assert_eq!(store.site(B).spend_code(&right, 2_000).await.unwrap(), CodeCheck::Missing, "another site's");
    assert_eq!(site.spend_code(&right, 2_000).await.unwrap(), CodeCheck::Right);
}

async fn attempts_of_a_code_end(store: &Store) {
    let site = store.site(A);
    site.issue_code(&code("+862", "first", 1_000), &[], 1_000).await.unwrap();
    for left in [4, 3] {
        assert_eq!(site.check_code(&used("+862", "guess"), 2_000).await.unwrap(), CodeCheck::Wrong(left));
    }
    for left in [2, 1, 0] {
        assert_eq!(site.spend_code(&used("+862", "guess"), 2_000).await.unwrap(), CodeCheck::Wrong(left));
    }
    for digest in ["first", "guess"] {
        assert_eq!(site.spend_code(&used("+862", digest), 2_000).await.unwrap(), CodeCheck::Missing, "{digest}");
    }
    site.issue_code(&code("+862", "second", 90_000), &[], 90_000).await.unwrap();
    assert_eq!(site.spend_code(&used("+862", "first"), 91_000).await.unwrap(), CodeCheck::Wrong(4), "it was replaced");
    assert_eq!(site.spend_code(&used("+862", "second"), 91_000).await.unwrap(), CodeCheck::Right);
}

async fn attempts_from_elsewhere_leave_those_of_whoever_asked(store: &Store) {
    let site = store.site(A);
    site.issue_code(&code("+864", "right", 1_000), &[], 1_000).await.unwrap();
    let elsewhere = |network| CodeUse { network, ..used("+864", "guess") };
    for (network, left) in [("there", 4), ("yonder", 3), ("there", 2), ("there", 1), ("yonder", 0)] {
        assert_eq!(site.spend_code(&elsewhere(network), 2_000).await.unwrap(), CodeCheck::Wrong(left), "{network}");
    }
    assert_eq!(
        site.spend_code(&elsewhere("another"), 2_000).await.unwrap(),
        CodeCheck::Missing,
        "all others share them"
    );
    let known = CodeUse { network: "there", ..used("+864", "right") };
    assert_eq!(site.spend_code(&known, 2_000).await.unwrap(), CodeCheck::Missing);
    assert_eq!(site.spend_code(&used("+864", "guess"), 2_000).await.unwrap(), CodeCheck::Wrong(4));
    assert_eq!(site.spend_code(&used("+864", "right"), 2_000).await.unwrap(), CodeCheck::Right);
}

async fn codes_are_not_sent_too_often(store: &Store) {
    let site = store.site(A);
    let issue = async |digest, now| site.issue_code(&code("+863", digest, now), &[message("code")], now).await.unwrap();
    assert_eq!(issue("one", 100_000).await, CodeIssue::Issued);
    assert_eq!(issue("two", 159_999).await, CodeIssue::TooSoon(100_000));
    assert_eq!(issue("three", 160_000).await, CodeIssue::Issued);
    let sent: Vec<_> = drain(store).await.into_iter().map(|message| message.created).collect();
    assert_eq!(sent, [100_000, 160_000], "what is refused sends nothing");
}

async fn tickets_are_used_once(store: &Store) {
    let (a, b) = (store.site(A), store.site(B));
    a.put_ticket("captcha", "t1", "ABCD", 1_000).await.unwrap();
    assert!(a.put_ticket("captcha", "t1", "EFGH", 1_000).await.is_err(), "it exists");
    assert_eq!(b.take_ticket("captcha", "t1", 500).await.unwrap(), None);
    assert_eq!(a.take_ticket("passkey", "t1", 500).await.unwrap(), None, "for another purpose");
    assert_eq!(a.take_ticket("captcha", "t1", 500).await.unwrap().as_deref(), Some("ABCD"));
    assert_eq!(a.take_ticket("captcha", "t1", 500).await.unwrap(), None, "taken");
    a.put_ticket("captcha", "t2", "ABCD", 1_000).await.unwrap();
    assert_eq!(a.take_ticket("captcha", "t2", 1_000).await.unwrap(), None, "expired");
    assert!(a.mark_used("state", "x", 1_000).await.unwrap() && !a.mark_used("state", "x", 1_000).await.unwrap());
    assert!(b.mark_used("state", "x", 1_000).await.unwrap());
}

async fn failures_are_counted(store: &Store) {
    let (a, b) = (store.site(A), store.site(B));
    let failures = |count, latest| Failures { count, latest };
    let both = |here, everywhere| Attempts { here, everywhere };
    assert_eq!(a.attempts("ada", "n1", 0).await.unwrap(), Attempts::default());
    a.count_attempt("ada", "n1", 0, 100).await.unwrap();
    assert_eq!(a.count_attempt("ada", "n1", 0, 200).await.unwrap(), both(failures(2, 200), failures(2, 200)));
    assert_eq!(a.count_attempt("ada", "n2", 0, 300).await.unwrap(), both(failures(1, 300), failures(3, 300)));
    assert_eq!(a.attempts("ada", "n1", 0).await.unwrap(), both(failures(2, 200), failures(3, 300)));
    assert_eq!(a.attempts("ada", "n3", 0).await.unwrap(), both(failures(0, 0), failures(3, 300)), "a victim elsewhere");
    assert_eq!(a.attempts("ada", "n1", 201).await.unwrap(), both(failures(0, 0), failures(3, 300)), "forgotten");
    assert_eq!(
        (a.attempts("bob", "n1", 0).await.unwrap(), b.attempts("ada", "n1", 0).await.unwrap()),
        Default::default()
    );
    a.forget_attempts("ada", "n1").await.unwrap();
    assert_eq!(a.attempts("ada", "n1", 0).await.unwrap(), both(failures(0, 0), failures(1, 300)));
    assert_eq!(
        a.attempts("ada", "n2", 0).await.unwrap(),
        both(failures(1, 300), failures(1, 300)),
        "those of others stay"
    );
    a.forget_attempts("ada", "n2").await.unwrap();
    assert_eq!(a.attempts("ada", "n2", 0).await.unwrap(), Attempts::default());
    a.count_attempt("ada", "n1", 0, 100).await.unwrap();
    assert_eq!(a.count_attempt("ada", "n1", 101, 900).await.unwrap(), both(failures(1, 900), failures(1, 900)), "anew");
}
