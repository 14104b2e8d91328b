//! Cost of a sign-in beside that of the digest of its password; `cargo bench -p masthead-accounts --bench sign_in`.
//!
//! A sign-in is everything between the name with its password and the token: counting the attempt, reading the account, comparing the
//! password, beginning the session. Rounds alternate between the two, and between a known and an unknown name, so that other load on the
//! machine affects all of them.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "../../test-support/src/bounds.rs"]
mod bounds;

use std::{process::ExitCode, time::Instant};

use masthead_accounts::{
    installation_key::InstallationKey,
    password::{Cost, Passwords},
    service::AccountService,
    sessions::{SessionStart, Sessions, method},
    sign_in::PasswordSignIn,
};
use masthead_domain::{
    Lang, SiteId,
    member::{MemberName, Profile},
    site::Accounts,
};
use masthead_store::{Created, NewMember, SiteStore, Store};

use bounds::Missed;

const ROUNDS: usize = 41;
const MEMBERS: usize = 2_000;
const PASSWORD: &str = "Tide7xQk";

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Creates the members, all of them with the same password.
async fn create_members(store: &SiteStore, digest: &str) {
    for number in 0..MEMBERS {
        let names = [MemberName::account(&format!("member{number}")).unwrap()];
        let handle = number.to_string();
        let profile = Profile::default();
        let new = NewMember {
            handle: &handle,
            names: &names,
            password: digest,
            identity: None,
            lang: Lang::En,
            profile: &profile,
        };
        let created = store.create_member(&new, 1).await.unwrap();
        assert!(matches!(created, Created::Member(_)), "{created:?}");
    }
}

/// Seconds until a wrong password is refused.
async fn refused(service: &AccountService<'_>, name: &str) -> f64 {
    let began = Instant::now();
    let who = PasswordSignIn { name, password: "Neap8yRm", captcha: false };
    assert!(service.sign_in(who).await.is_err());
    began.elapsed().as_secs_f64()
}

#[tokio::main]
async fn main() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("bench.db")).await.unwrap().site(SiteId(1));
    let (key, passwords) = (InstallationKey::new([7; 32]), Passwords::for_this_machine(Cost::DEFAULT));
    let rules = Accounts::default();
    let digest = passwords.hash(PASSWORD).await.unwrap();
    create_members(&store, &digest).await;
    let anywhere = AccountService {
        store: &store,
        key: &key,
        passwords: &passwords,
        rules: &rules,
        network: "",
        lang: Lang::En,
        now: 0,
    };
    let (mut alone, mut known, mut unknown, mut ratios, mut told) = (vec![], vec![], vec![], vec![], vec![]);
    for round in 0..ROUNDS {
        let now = 1_700_000_000_000 + i64::try_from(round).unwrap() * 60_000;
        let began = Instant::now();
        assert!(passwords.verify(PASSWORD, Some(&digest)).await.unwrap().right);
        let hash = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let (name, network) = (format!("member{}", round * 37 % MEMBERS), format!("192.0.2.{round}"));
        let service = AccountService { network: &network, now, ..anywhere };
        let who = PasswordSignIn { name: &name, password: PASSWORD, captcha: false };
        let member = service.sign_in(who).await.unwrap();
        let sessions = Sessions::new(store.clone(), rules.sessions, now);
        let beginning = SessionStart { member, method: method::PASSWORD, agent: "bench", replaces: None };
        assert!(sessions.begin(&beginning).await.unwrap().is_some());
        let whole = began.elapsed().as_secs_f64();
        let somebody = refused(&service, &format!("member{}", (round * 37 + 1) % MEMBERS)).await;
        let nobody = refused(&service, &format!("nobody{round}")).await;
        alone.push(hash);
        known.push(somebody);
        unknown.push(nobody);
        ratios.push(whole / hash);
        told.push(somebody / nobody);
    }
    let (ratio, told, mut missed) = (median(ratios), median(told), Missed::default());
    let what = "sign-in / digest of its password";
    println!(
        "{what}: {ratio:.2}  ({:.1} ms for the digest; {})",
        median(alone) * 1000.0,
        missed.verdict(what, ratio <= 1.25, "<= 1.25")
    );
    let what = "wrong password of a known / of an unknown name";
    println!(
        "{what}: {told:.2}  ({:.1} ms and {:.1} ms; {})",
        median(known) * 1000.0,
        median(unknown) * 1000.0,
        missed.verdict(what, (0.9..=1.1).contains(&told), "0.90 to 1.10")
    );
    missed.exit_code()
}
