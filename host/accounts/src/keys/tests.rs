#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

const SITE: SiteId = SiteId(448);
const NOW: i64 = 1_700_000_000_000;

fn installation() -> InstallationKey {
    InstallationKey::new([7; 32])
}

fn seal(key: &[u8; 32], id: &str, public_key: &str, text: &str) -> Encrypted {
    let iv = [9; 12];
    let cipher = Aes256Gcm::new_from_slice(key).unwrap();
    let data = cipher.encrypt(&iv.into(), Payload { msg: text.as_bytes(), aad: id.as_bytes() }).unwrap();
    Encrypted {
        key_id: id.to_owned(),
        public_key: public_key.to_owned(),
        iv: STANDARD.encode(iv),
        data: STANDARD.encode(data),
    }
}

/// What a browser does with a public key.
fn seal_for(public: &PublicKey, text: &str) -> Encrypted {
    let own = SecretKey::from_slice(&[3; 32]).unwrap();
    let point = p256::PublicKey::from_sec1_bytes(&public.point).unwrap();
    let key = agreed(&own, &point, &public.id).unwrap();
    seal(&key, &public.id, &STANDARD.encode(own.public_key().to_sec1_bytes()), text)
}

#[test]
fn a_password_is_opened_with_the_key_that_it_was_encrypted_for() {
    let key = installation();
    let keys = Keys::new(&key, SITE, NOW);
    let public = keys.public().unwrap();
    assert_eq!((public.point.len(), public.point[0]), (65, 4), "an uncompressed point, as WebCrypto reads it");
    let sealed = seal_for(&public, "Tide7xQk潮");
    assert_eq!(keys.open(&sealed, None).as_deref(), Ok("Tide7xQk潮"));
    assert_eq!(Keys::new(&key, SiteId(950), NOW).open(&sealed, None), Err(KeyError::Damaged), "another site's key");
    let other = InstallationKey::new([8; 32]);
    assert_eq!(Keys::new(&other, SITE, NOW).open(&sealed, None), Err(KeyError::Damaged), "another installation's key");
}

/// Recorded from WebCrypto (Node.js) with the key that the host gives out at [`NOW`].
#[test]
fn what_webcrypto_encrypts_is_opened() {
    let key = installation();
    let keys = Keys::new(&key, SITE, NOW);
    let host = "BGooU8E964mUOm3hUNNdE+o3yQpsXXAIK1yVkzbO4DlVYTQ+4+q80AUHzvMKdhtAtYTbgu74e3SlSXlwst1TV2U=";
    assert_eq!(STANDARD.encode(keys.public().unwrap().point), host);
    let sealed: Encrypted = serde_json::from_value(serde_json::json!({
        "keyId": "p472222",
        "publicKey": "BOo3wnjjjpBmeesJvfeDu9WXBZSiJPhCkqydmqZVlHE5RXL5RZ98Ou19RBqnfprEFHyO57P0JHV5Xu5teOJVry0=",
        "iv": "CKmT/sRlwFQVOr/U",
        "data": "23l2XCBD6dVszd/eyhVCLApq9gEF9vmzpk1o",
    }))
    .unwrap();
    assert_eq!(keys.open(&sealed, None).as_deref(), Ok("Tide7xQk潮"));
}

#[test]
fn a_key_opens_until_it_expires() {
    let key = installation();
    let public = Keys::new(&key, SITE, NOW).public().unwrap();
    let sealed = seal_for(&public, "x");
    let at = |now: i64| Keys::new(&key, SITE, now).open(&sealed, None);
    assert_eq!(at(public.expires - 1).as_deref(), Ok("x"));
    assert_eq!(at(public.expires), Err(KeyError::Expired));
    assert_eq!(at(NOW - PERIOD), Err(KeyError::Expired), "a key of the future");
    assert!(public.expires - NOW > PERIOD, "it opens for at least an hour after it was given out");
}

#[test]
fn a_changed_text_is_refused() {
    let key = installation();
    let keys = Keys::new(&key, SITE, NOW);
    let sealed = seal_for(&keys.public().unwrap(), "Tide7xQk");
    let public = sealed.public_key.clone();
    for changed in [
        Encrypted { iv: STANDARD.encode([8; 12]), ..sealed.clone() },
        Encrypted { iv: STANDARD.encode([9; 11]), ..sealed.clone() },
        Encrypted { iv: "%".to_owned(), ..sealed.clone() },
        Encrypted { data: String::new(), ..sealed.clone() },
        Encrypted { data: STANDARD.encode(vec![0; MAX_SEALED + 1]), ..sealed.clone() },
        Encrypted { public_key: STANDARD.encode([4; 65]), ..sealed.clone() },
        Encrypted { public_key: public.replace('A', "B") + "AA", ..sealed.clone() },
    ] {
        assert_eq!(keys.open(&changed, None), Err(KeyError::Damaged), "{changed:?}");
    }
    for id in ["", "p", "p0", "s0", "px", "p99999999999999999999"] {
        let changed = Encrypted { key_id: id.to_owned(), ..sealed.clone() };
        assert_eq!(keys.open(&changed, None), Err(KeyError::Expired), "{id}");
    }
}

#[test]
fn the_key_of_a_session_is_of_no_use_for_another() {
    let key = installation();
    let keys = Keys::new(&key, SITE, NOW);
    let own = keys.of_session("digest-1");
    let sealed = seal(&own.key, &own.id, "", "Tide7xQk");
    assert_eq!(keys.open(&sealed, Some("digest-1")).as_deref(), Ok("Tide7xQk"));
    assert_eq!(keys.open(&sealed, Some("digest-2")), Err(KeyError::Damaged));
    assert_eq!(keys.open(&sealed, None), Err(KeyError::Expired), "nobody is signed in");
    assert_eq!(Keys::new(&key, SITE, own.expires).open(&sealed, Some("digest-1")), Err(KeyError::Expired));
    let ours = SecretText::Sealed { encrypted: sealed };
    assert_eq!(ours.open(&keys, Some("digest-1")).as_deref(), Ok("Tide7xQk"));
}

#[test]
fn bodies_have_a_password_in_both_forms() {
    let key = installation();
    let keys = Keys::new(&key, SITE, NOW);
    let plain: SecretText = serde_json::from_str("\"Tide7xQk\"").unwrap();
    assert_eq!(format!("{plain:?}"), "SecretText", "it is not written to logs");
    assert_eq!(plain.open(&keys, None).as_deref(), Ok("Tide7xQk"));
    let sealed = serde_json::json!({ "encrypted": seal_for(&keys.public().unwrap(), "Tide7xQk") });
    let sealed: SecretText = serde_json::from_value(sealed).unwrap();
    assert_eq!(sealed.open(&keys, None).as_deref(), Ok("Tide7xQk"));
    for bad in ["7", "null", "{}", "{\"encrypted\":{}}", "[\"x\"]"] {
        assert!(serde_json::from_str::<SecretText>(bad).is_err(), "{bad}");
    }
}
