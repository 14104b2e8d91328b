//! Values as reports show them: without what may be a secret.

use serde_json::{Map, Value};

/// What stands in place of a text that is not shown.
const HIDDEN: &str = "(not shown)";
/// Words in the names of keys whose texts may be secrets. Secrets belong into `secrets.toml`, and the configuration has their names alone; one
/// that somebody has written elsewhere is in no report.
const WORDS: [&str; 9] =
    ["password", "passphrase", "secret", "token", "credential", "apikey", "appkey", "accesskey", "privatekey"];
/// The key of a list of names of secrets.
const NAMES: &str = "secrets";

/// The value of a dotted key as a report may show it: without the texts of keys that are named like secrets, and without user names and
/// passwords in addresses.
#[must_use]
pub fn without_secrets(key: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if !text.is_empty() && is_secret(key) => Value::String(HIDDEN.to_owned()),
        Value::String(text) => Value::String(without_user(text)),
        Value::Array(entries) => Value::Array(entries.iter().map(|entry| without_secrets(key, entry)).collect()),
        Value::Object(fields) => {
            let shown = fields.iter().map(|(name, inner)| (name.clone(), without_secrets(name, inner)));
            Value::Object(shown.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Whether the text of a key may be a secret, by the name of the key.
fn is_secret(key: &str) -> bool {
    let name = key.rsplit('.').next().unwrap_or_default();
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let plain = plain.to_ascii_lowercase();
    plain != NAMES && WORDS.iter().any(|word| plain.contains(*word))
}

/// An address without user name and password; any other text as it is.
fn without_user(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}{path}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_that_may_be_secrets_are_not_shown() {
        let hidden = json!(HIDDEN);
        for key in ["mail.password", "gateway.api_key", "accounts.providers.campus.secret", "accessToken", "appKey"] {
            assert_eq!(without_secrets(key, &json!("s3cret")), hidden, "{key}");
            assert_eq!(without_secrets(key, &json!("")), json!(""), "{key}: nothing is no secret");
        }
        for key in ["header.navStyle", "mail.user", "keywords", "grants.secrets"] {
            assert_eq!(without_secrets(key, &json!("text")), json!("text"), "{key}");
        }
        assert_eq!(without_secrets("accounts.passwordMonths", &json!(3)), json!(3), "a number is no secret");
        let settings = json!({ "password": "s3cret", "size": 3 });
        let plugins = json!([{ "id": "a", "settings": settings, "grants": { "secrets": ["a"] } }]);
        let shown = without_secrets("plugins", &plugins);
        assert!(!shown.to_string().contains("s3cret"), "{shown}");
        assert_eq!((&shown[0]["settings"]["size"], &shown[0]["grants"]), (&json!(3), &plugins[0]["grants"]));
    }

    #[test]
    fn addresses_are_shown_without_users_and_passwords() {
        for (address, shown) in [
            ("postgres://u:s3cret@db.example/x", "postgres://***@db.example/x"),
            ("postgres://u:p@ss@db", "postgres://***@db"),
            ("https://a.example/@ann", "https://a.example/@ann"),
            ("ann@a.example", "ann@a.example"),
        ] {
            assert_eq!(without_secrets("address", &json!(address)), json!(shown));
        }
    }
}
