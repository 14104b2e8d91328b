//! Backups have accounts and what belongs to them, and nothing by which somebody could sign in as a member or an administrator.

use masthead_domain::SiteId;
use masthead_store::{NewMessage, Store, backup::Value};

use super::{codes::code, drain, member, message, sessions::session};

const A: SiteId = SiteId(6191);

pub async fn suite(store: &Store, _url: &str) {
    let site = store.site(A);
    let ada = member(store, A, "backup-ada").await;
    ada.begin_session(&session("SECRET-session", None), 1_000).await.unwrap().unwrap();
    let sent = NewMessage { payload: "SECRET-message".into(), ..message("code") };
    site.issue_code(&code("backup-ada@example.org", "SECRET-code", 1_000), &[sent], 1_000).await.unwrap();
    site.put_ticket("captcha", "SECRET-ticket", "SECRET-answer", 99_000).await.unwrap();
    site.count_attempt("SECRET-account", "n", 0, 1_000).await.unwrap();
    let mut snapshot = store.snapshot().await.unwrap();
    let (mut found, mut members) = (Vec::new(), 0);
    for table in snapshot.schema().clone().backed_up() {
        let rows = snapshot.rows(table, None, None, 100_000).await.unwrap();
        members += rows
            .iter()
            .filter(|row| table.name == "members" && row.contains(&Value::Text("backup-ada".into())))
            .count();
        let secret = |value: &Value| matches!(value, Value::Text(text) if text.contains("SECRET"));
        found.extend(rows.into_iter().flatten().filter(secret).map(|value| (table.name.clone(), value)));
    }
    drop(snapshot);
    assert_eq!(members, 1, "the account is in the backup");
    assert!(found.is_empty(), "{found:?}");
    ada.end_sessions_but(None).await.unwrap();
    drain(store).await;
}
