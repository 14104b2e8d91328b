//! Tests of the stored tokens.
#![allow(clippy::unwrap_used)]
use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// 1 March 2026, noon.
const NOW: i64 = 1_772_366_400_000;

fn create(data: &Path, new: NewToken, now: i64) -> Result<String, TokenError> {
    super::create(data, new, now).map(|(token, _)| token)
}

fn new(name: &str, expires: Option<&str>) -> NewToken {
    let expires = expires.map(|text| end(text, NOW).unwrap());
    NewToken { name: name.to_owned(), role: Role::Editor, sites: Sites::Only([SiteId(448)].into()), expires }
}

fn names(data: &Path) -> Vec<String> {
    all(data).unwrap().into_iter().map(|one| one.name).collect()
}

#[test]
fn a_new_token_invalidates_no_other_and_only_digests_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let known = AdminTokens::new(data);
    let name = |token: &str| known.find(token, NOW).unwrap().map(|one| one.name);
    assert_eq!(name(""), None, "without a token nobody is an administrator");
    let first = create(data, new("desk", None), NOW).unwrap();
    assert_eq!(name(&first).as_deref(), Some("desk"));
    let second = create(data, new("import", None), NOW).unwrap();
    assert_eq!((name(&first).as_deref(), name(&second).as_deref()), (Some("desk"), Some("import")));
    for wrong in ["", "x", "mht_", &first[1..], &first[..first.len() - 1]] {
        assert_eq!(name(wrong), None, "{wrong}");
    }
    assert!(first.starts_with("mht_") && first.len() >= 4 + 43, "{first}");
    let stored = fs::read_to_string(data.join(FILE)).unwrap();
    for token in [&first, &second] {
        assert!(!stored.contains(&token[4..12]), "the token itself is not stored");
    }
    assert!(stored.contains("2026-03-01T12:00:00Z"), "{stored}");
    for file in fs::read_dir(data).unwrap().map(Result::unwrap) {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.file_name());
    }
}

#[test]
fn a_name_is_used_once_and_is_plain() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let first = create(data, new("desk", None), NOW).unwrap();
    let again = create(data, NewToken { role: Role::Admin, ..new("desk", None) }, NOW).unwrap_err();
    assert!(matches!(again, TokenError::NameInUse(_)) && again.to_string().contains("revoke desk"), "{again}");
    assert_eq!(all(data).unwrap()[0].role, Role::Editor, "the first one is unchanged");
    assert!(AdminTokens::new(data).find(&first, NOW).unwrap().is_some());
    for odd in ["", "a b", "a/b", "(x)", "a\nb", &"x".repeat(65)] {
        assert!(matches!(create(data, new(odd, None), NOW), Err(TokenError::Name(_))), "{odd:?}");
    }
    create(data, new("编辑-2", None), NOW).unwrap();
    assert_eq!(names(data), ["desk", "编辑-2"]);
}

#[test]
fn a_token_is_refused_from_its_end_on() {
    let folder = tempfile::tempdir().unwrap();
    let known = AdminTokens::new(folder.path());
    let day = create(folder.path(), new("day", Some("1d")), NOW).unwrap();
    let date = create(folder.path(), new("date", Some("2026-03-01")), NOW).unwrap();
    let is_valid = |token: &str, now: i64| known.find(token, now).unwrap().is_some();
    let (a_day, midnight) = (NOW + 86_400_000, NOW + 43_200_000);
    assert!(is_valid(&day, a_day - 1) && !is_valid(&day, a_day));
    assert!(is_valid(&date, midnight - 1) && !is_valid(&date, midnight), "it works on its last day");
    // A token that has ended keeps its name until it is revoked.
    assert!(matches!(create(folder.path(), new("date", None), a_day), Err(TokenError::NameInUse(_))));
}

#[test]
fn an_end_is_a_day_or_a_number_of_days_in_the_future() {
    for (text, expected) in [
        ("2026-03-01", Some("2026-03-02T00:00:00Z")),
        ("2028-02-28", Some("2028-02-29T00:00:00Z")),
        ("90d", Some("2026-05-30T12:00:00Z")),
        ("0d", None),
        ("36501d", None),
        ("99999999999999999999d", None),
        ("+1d", None),
        ("-1d", None),
        ("d", None),
        ("", None),
        ("90", None),
        ("2026-02-30", None),
        ("2026-3-1", None),
        ("2026-03-01T10:00", None),
        ("20260301", None),
    ] {
        assert_eq!(end(text, NOW).ok().map(|end| end.to_string()).as_deref(), expected, "{text:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    for past in ["2026-02-28", "1999-12-31"] {
        let refused = create(folder.path(), new("past", Some(past)), NOW).unwrap_err();
        assert!(matches!(refused, TokenError::Past(_)), "{refused}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_revoked_token_is_unknown_to_a_running_host_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let known = AdminTokens::new(data);
    let [gone, kept] = ["gone", "kept"].map(|name| create(data, new(name, None), NOW).unwrap());
    assert!(known.find(&gone, NOW).unwrap().is_some());
    revoke(data, "gone").unwrap();
    assert!(known.find(&gone, NOW).unwrap().is_none() && known.find(&kept, NOW).unwrap().is_some());
    assert!(matches!(revoke(data, "gone"), Err(TokenError::Unknown(_))));
    // The name is free again, and the revoked token stays unknown.
    let again = create(data, new("gone", None), NOW).unwrap();
    assert!(known.find(&gone, NOW).unwrap().is_none() && known.find(&again, NOW).unwrap().is_some());
}

#[test]
fn the_token_of_an_earlier_version_works_until_it_is_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let known = AdminTokens::new(data);
    fs::write(data.join(EARLIER), Sha256::digest("of an earlier version")).unwrap();
    let found = || known.find("of an earlier version", NOW).unwrap();
    let first = found().unwrap();
    assert_eq!((first.name.as_str(), first.reaches_installation()), ("first", true));
    let second = create(data, new("second", None), NOW).unwrap();
    assert!(found().is_some(), "a new token invalidates no other");
    assert!(matches!(create(data, new("first", None), NOW), Err(TokenError::NameInUse(_))));
    assert_eq!(names(data), ["first", "second"]);
    revoke(data, "first").unwrap();
    assert!(found().is_none() && known.find(&second, NOW).unwrap().is_some());
    assert_eq!(names(data), ["second"]);
}

#[test]
fn commands_at_the_same_time_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    create(data, new("old", None), NOW).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for number in 0..8 {
                    create(data, new(&format!("{thread}-{number}"), None), NOW).unwrap();
                    if number % 2 == 1 {
                        revoke(data, &format!("{thread}-{number}")).unwrap();
                    }
                }
            });
        }
        scope.spawn(|| revoke(data, "old").unwrap());
    });
    let mut left = names(data);
    left.sort();
    let expected: Vec<_> = (0..4).flat_map(|thread| [0, 2, 4, 6].map(|number| format!("{thread}-{number}"))).collect();
    assert_eq!(left, expected);
}

#[test]
fn a_file_that_cannot_be_read_lets_nobody_in_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let token = create(data, new("desk", None), NOW).unwrap();
    let good = fs::read_to_string(data.join(FILE)).unwrap();
    // The last one is of a version that restricts tokens in a way that this one does not know.
    for damaged in [&good[..good.len() / 2], "[]", &good.replace("\"name\"", "\"network\": \"10.0.0.0/8\", \"name\"")] {
        fs::write(data.join(FILE), damaged).unwrap();
        let refused = AdminTokens::new(data).find(&token, NOW).unwrap_err().to_string();
        assert!(refused.contains(FILE), "{refused}");
        assert!(create(data, new("other", None), NOW).is_err() && revoke(data, "desk").is_err());
        assert_eq!(fs::read_to_string(data.join(FILE)).unwrap(), damaged);
    }
}

#[test]
fn a_token_reaches_its_sites() {
    let token =
        |role, sites| AdminToken { name: "a".into(), role, sites, created: None, expires: None, digest: String::new() };
    let one = || Sites::Only([SiteId(448)].into());
    let restricted = token(Role::Admin, one());
    assert!(restricted.reaches(SiteId(448)) && !restricted.reaches(SiteId(502)));
    let installation = [token(Role::Admin, Sites::All), restricted, token(Role::Editor, Sites::All)];
    assert_eq!(installation.map(|token| token.reaches_installation()), [true, false, false]);
    assert!(Role::Admin > Role::Editor, "an administrator may do what an editor may");
}
