//! Instants in the answers of members' calls: they are in the time zone of the site.

use jiff::{Timestamp, tz::TimeZone};
use masthead_domain::{
    Lang,
    member::{MemberName, SubscriptionType},
};
use masthead_store::{Identity, IdentityBinding, NewSubscription, Passkey, Saving};
use serde_json::{Value, json};

use super::{MEMBERS, PASSWORD, PORTAL, Reader};

/// A site with another time zone than the default one.
const NORTH: &str = "northcampus";
const ZONE: &str = "Europe/Berlin";
/// 23:30 of 4 March 2026 in UTC, when the next day has begun in [`ZONE`].
const AT: i64 = 1_772_667_000_000;
/// The same as the site writes it.
const WRITTEN: &str = "2026-03-05T00:30:00+01:00";

/// Asserts that an instant is written in [`ZONE`], which has two offsets in a year.
fn assert_local(instant: &Value, what: &str) {
    let written = instant.as_str().unwrap_or_else(|| panic!("{what}: {instant}"));
    let at: Timestamp = written.parse().unwrap_or_else(|error| panic!("{what}: {written}: {error}"));
    let local = at.to_zoned(TimeZone::get(ZONE).unwrap());
    assert_eq!(local.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(), written, "{what}");
}

#[test]
fn instants_are_in_the_time_zone_of_the_site() {
    let reader = Reader::new(NORTH, "zoned");
    PORTAL.run(async {
        let site = PORTAL.app.store.site(reader.site);
        let mine = site.of_member(reader.id);
        let (credential, name, data) = ("zoned".to_owned(), "Laptop".to_owned(), "{}".to_owned());
        let passkey = Passkey { id: 0, credential, name, data, created: AT, used: 0 };
        assert!(mine.add_passkey(&passkey, 1, &[]).await.unwrap());
        let stored = mine.passkeys().await.unwrap();
        assert!(mine.use_passkey(stored[0].id, "{}", "{}", AT).await.unwrap());
        let identity = Identity { provider: "campus".to_owned(), subject: "zoned".to_owned(), name: String::new() };
        assert_eq!(mine.bind_identity(&identity, &[], AT).await.unwrap(), IdentityBinding::Bound);
        let email = MemberName::email("zoned@example.org").unwrap();
        let (member, kind) = (Some(reader.id), SubscriptionType::Current);
        let new = NewSubscription { member, email: &email, kind, keywords: "", column: "", lang: Lang::En };
        assert!(matches!(site.subscribe(&new, 1, AT).await.unwrap(), Saving::Saved(_)));
    });
    let of = |path: &str| reader.data("GET", path, &Value::Null);
    let passkeys = of("/rc-pub/api/passkeys");
    assert_eq!((&passkeys[0]["created"], &passkeys[0]["used"]), (&json!(WRITTEN), &json!(WRITTEN)));
    assert_eq!(of("/rc-pub/api/identities")[0]["since"], WRITTEN);
    assert_eq!(of(&format!("{MEMBERS}/subscribeList"))[0]["since"], WRITTEN);
    let sessions = of("/rc-pub/api/sessions");
    assert_local(&sessions[0]["created"], "the beginning of a session");
    assert_local(&sessions[0]["used"], "the last use of a session");
    assert_local(&of(&format!("{MEMBERS}/info"))["passwordChanged"], "the change of a password");
    for path in ["/rc-pub/api/captcha", "/rc-pub/front/files/getPublicKey", "/rc-pub/front/files/getAesKey"] {
        assert_local(&of(path)["expires"], path);
    }
    // Last: the session of the calls before ends.
    let login = reader.data("POST", "/rc-pub/api/login", &json!({ "userName": "zoned", "password": PASSWORD }));
    assert_local(&login["expires"], "the end of a session");
}
