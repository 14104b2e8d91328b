#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../test-support/src/authenticator.rs"]
mod authenticator;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::{
    SiteId,
    member::{MemberId, MemberState},
};
use masthead_store::{Member, Store};
use serde_json::Value;

use self::authenticator::Authenticator;
use super::*;
use crate::testing::{self, START};

const ORIGIN: &str = "https://journal.example.org";

struct World {
    _folder: tempfile::TempDir,
    store: Store,
}

impl World {
    async fn new() -> Self {
        let (folder, store) = testing::store().await;
        Self { _folder: folder, store }
    }

    fn at(&self, site: i64, origin: &str, now: i64) -> Passkeys {
        Passkeys::new(self.store.site(SiteId(site)), origin, "Journal", now).unwrap()
    }

    fn here(&self) -> Passkeys {
        self.at(1, ORIGIN, START)
    }

    async fn member(&self, site: i64, account: &str) -> Member {
        let site = self.store.site(SiteId(site));
        let id = testing::member(&site, account, "").await;
        site.of_member(id).member().await.unwrap().unwrap()
    }

    async fn register(&self, member: &Member, device: &mut Authenticator) -> Result<(), PasskeyError> {
        let options = self.here().begin_registration(member).await?;
        let answer = device.create(&options, ORIGIN).to_string();
        let store = self.store.site(SiteId(1)).of_member(member.id);
        self.here().finish_registration(&store, answer.as_bytes(), "Key of a test", &[]).await
    }

    async fn sign_in(&self, device: &mut Authenticator) -> Result<MemberId, PasskeyError> {
        let options = self.here().begin_sign_in().await?;
        let answer = device.get(&options, ORIGIN);
        self.finish(&answer).await
    }

    async fn finish(&self, answer: &Value) -> Result<MemberId, PasskeyError> {
        self.here().finish_sign_in(answer.to_string().as_bytes()).await
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, PasskeyError>) -> bool {
    matches!(result, Err(PasskeyError::Refused(_)))
}

#[tokio::test]
async fn a_member_signs_in_with_a_passkey_and_without_a_name() {
    let world = World::new().await;
    let (ada, eve) = (world.member(1, "ada").await, world.member(1, "eve").await);
    let (mut of_ada, mut of_eve) = (Authenticator::default(), Authenticator { counts: true, ..Default::default() });
    let options = world.here().begin_registration(&ada).await.unwrap();
    let asked = &options["publicKey"];
    assert_eq!(
        (asked["rp"]["id"].as_str(), asked["rp"]["name"].as_str()),
        (Some("journal.example.org"), Some("Journal"))
    );
    assert_eq!(asked["user"]["name"], "ada");
    assert_eq!(asked["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(asked["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(asked["attestation"], "none");
    world.register(&ada, &mut of_ada).await.unwrap();
    world.register(&eve, &mut of_eve).await.unwrap();

    let options = world.here().begin_sign_in().await.unwrap();
    assert_eq!(options["publicKey"]["allowCredentials"], serde_json::json!([]), "nobody is told who has passkeys");
    assert_eq!(options["publicKey"]["userVerification"], "required");
    assert_eq!(world.sign_in(&mut of_ada).await.unwrap(), ada.id);
    for _ in 0..3 {
        assert_eq!(world.sign_in(&mut of_eve).await.unwrap(), eve.id);
    }
    let site = world.store.site(SiteId(1));
    let [passkey] = &site.of_member(ada.id).passkeys().await.unwrap()[..] else { panic!("not one") };
    assert_eq!((passkey.name.as_str(), passkey.created, passkey.used), ("Key of a test", START, START));
}

#[tokio::test]
async fn a_challenge_is_answered_once_and_in_time() {
    let world = World::new().await;
    let ada = world.member(1, "ada").await;
    let mut device = Authenticator::default();
    let options = world.here().begin_registration(&ada).await.unwrap();
    let answer = device.create(&options, ORIGIN).to_string();
    let store = world.store.site(SiteId(1)).of_member(ada.id);
    let late = world.at(1, ORIGIN, START + 300_000);
    assert!(refused(late.finish_registration(&store, answer.as_bytes(), "", &[]).await));
    world.register(&ada, &mut device).await.unwrap();

    let options = world.here().begin_sign_in().await.unwrap();
    let answer = device.get(&options, ORIGIN);
    assert_eq!(world.finish(&answer).await.unwrap(), ada.id);
    assert!(refused(world.finish(&answer).await), "a second time");
    let options = world.here().begin_sign_in().await.unwrap();
    let mut answer = device.get(&options, ORIGIN);
    let true_signature = answer["response"]["signature"].clone();
    answer["response"]["signature"] = serde_json::json!("MEUCIQ");
    assert!(refused(world.finish(&answer).await));
    answer["response"]["signature"] = true_signature;
    assert!(refused(world.finish(&answer).await), "a failed attempt has used the challenge up");
    let made_up =
        serde_json::json!({ "publicKey": { "challenge": "AAAAAAAAAAAAAAAAAAAAAA", "rpId": "journal.example.org" } });
    assert!(refused(world.finish(&device.get(&made_up, ORIGIN)).await), "a challenge that nobody gave");
    let options = world.here().begin_sign_in().await.unwrap();
    let answer = device.get(&options, ORIGIN).to_string();
    assert!(refused(world.at(1, ORIGIN, START + 300_000).finish_sign_in(answer.as_bytes()).await), "too late");
}

#[tokio::test]
async fn passkeys_hold_for_one_origin_and_one_site() {
    let world = World::new().await;
    let ada = world.member(1, "ada").await;
    let mut device = Authenticator::default();
    world.register(&ada, &mut device).await.unwrap();
    for origin in ["https://evil.example", "http://journal.example.org", "https://journal.example.org:8443"] {
        let options = world.here().begin_sign_in().await.unwrap();
        assert!(refused(world.finish(&device.get(&options, origin)).await), "{origin}");
    }
    // Another site on the same host: the browser offers the passkey there, too.
    let neighbour = world.at(2, ORIGIN, START);
    let options = neighbour.begin_sign_in().await.unwrap();
    let answer = device.get(&options, ORIGIN);
    assert!(refused(world.finish(&answer).await), "the challenge of one site is no challenge of another");
    let options = neighbour.begin_sign_in().await.unwrap();
    let answer = device.get(&options, ORIGIN).to_string();
    assert!(refused(neighbour.finish_sign_in(answer.as_bytes()).await), "nobody on this site");
    // The same site under another host name.
    let elsewhere = world.at(1, "https://journal.example", START);
    let options = elsewhere.begin_sign_in().await.unwrap();
    let mut moved = options.clone();
    moved["publicKey"]["rpId"] = serde_json::json!("journal.example.org");
    let answer = device.get(&moved, "https://journal.example").to_string();
    assert!(refused(elsewhere.finish_sign_in(answer.as_bytes()).await));
    for origin in ["http://127.0.0.1:8080", "https://[::1]"] {
        let party = Passkeys::new(world.store.site(SiteId(1)), origin, "Journal", START);
        assert!(matches!(party.err(), Some(PasskeyError::NoHostName)), "{origin}");
    }
    assert!(Passkeys::new(world.store.site(SiteId(1)), "http://journal.localhost:8080", "Journal", START).is_ok());
}

#[tokio::test]
async fn careless_copied_and_borrowed_passkeys_are_refused() {
    let world = World::new().await;
    let (ada, eve) = (world.member(1, "ada").await, world.member(1, "eve").await);
    let mut careless = Authenticator { careless: true, ..Default::default() };
    assert!(refused(world.register(&ada, &mut careless).await), "without a finger or PIN");
    let mut device = Authenticator { counts: true, ..Default::default() };
    world.register(&ada, &mut device).await.unwrap();
    world.sign_in(&mut device).await.unwrap();
    let mut copy = device.clone();
    world.sign_in(&mut device).await.unwrap();
    assert!(refused(world.sign_in(&mut copy).await), "the copy has not seen the latest use");
    let mut lazy = Authenticator { careless: true, ..device.clone() };
    assert!(refused(world.sign_in(&mut lazy).await));

    // A registration that one member began is finished by another.
    let options = world.here().begin_registration(&ada).await.unwrap();
    let answer = Authenticator::default().create(&options, ORIGIN).to_string();
    let of_eve = world.store.site(SiteId(1)).of_member(eve.id);
    assert!(refused(world.here().finish_registration(&of_eve, answer.as_bytes(), "", &[]).await));
    // A passkey says that it is another member's.
    let options = world.here().begin_sign_in().await.unwrap();
    let mut answer = device.get(&options, ORIGIN);
    let handle = uuid::Uuid::parse_str(&eve.handle).unwrap();
    answer["response"]["userHandle"] = serde_json::json!(URL_SAFE_NO_PAD.encode(handle.as_bytes()));
    assert!(refused(world.finish(&answer).await));
    let site = world.store.site(SiteId(1));
    site.set_member_state(ada.id, MemberState::Closed, "operator", START).await.unwrap();
    assert!(refused(world.sign_in(&mut device).await), "the account is closed");
}

#[tokio::test]
async fn answers_that_are_no_answers_are_refused() {
    let world = World::new().await;
    let ada = world.member(1, "ada").await;
    let of_ada = world.store.site(SiteId(1)).of_member(ada.id);
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(40_000));
    for body in ["", "{}", "[]", "null", "{\"id\":1}", long.as_str()] {
        let signed_in = world.here().finish_sign_in(body.as_bytes()).await;
        assert!(matches!(signed_in, Err(PasskeyError::Unreadable(_))), "{signed_in:?}");
        let registered = world.here().finish_registration(&of_ada, body.as_bytes(), "", &[]).await;
        assert!(matches!(registered, Err(PasskeyError::Unreadable(_))), "{registered:?}");
    }
}

#[tokio::test]
async fn the_number_of_passkeys_is_limited_and_the_last_way_in_stays() {
    let world = World::new().await;
    let ada = world.member(1, "ada").await;
    let mut device = Authenticator::default();
    for _ in 0..MAX_PASSKEYS {
        world.register(&ada, &mut device).await.unwrap();
    }
    assert!(matches!(world.register(&ada, &mut device).await, Err(PasskeyError::NotAdded)));
    let store = world.store.site(SiteId(1)).of_member(ada.id);
    let passkeys = store.passkeys().await.unwrap();
    let (last, others) = passkeys.split_last().unwrap();
    for passkey in others {
        assert!(remove(&store, passkey.id, &[], START).await.unwrap());
    }
    assert!(matches!(remove(&store, last.id, &[], START).await, Err(PasskeyError::LastWay)));
    let eve = world.member(1, "eve").await;
    let of_eve = world.store.site(SiteId(1)).of_member(eve.id);
    assert!(!remove(&of_eve, last.id, &[], START).await.unwrap(), "a passkey of another member");
    assert_eq!(store.passkeys().await.unwrap().len(), 1);
}
