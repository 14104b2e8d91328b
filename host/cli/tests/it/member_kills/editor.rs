//! An editor who changes records by the calls of administrators, beside the readers and until the host is killed: a change that was
//! acknowledged is stored, and each change that is stored has its line of the audit trail and of the change log.

use std::{io, path::Path};

use masthead_content::records::{RecordType, Records};
use masthead_store::{AuditQuery, ChangeKind, Store, field};
use serde_json::{Map, Value, json};

use crate::{
    readers::{Reader, SITE},
    record_kills::word,
};

/// The records that are changed in turn: type, name, and the fields that each change sets. Readers keep the titles of articles that they
/// collect, so that these do not change.
const RECORDS: [(&str, &str, [&str; 2]); 3] = [
    ("article", "10.5555/small.1", ["volume", "copyright"]),
    ("issue", "small/2026/1", ["title.en", "volume"]),
    ("journal", "small", ["frequency.en", "cn"]),
];
/// The key of the journal.
const JOURNAL: &str = "small";

/// The place in [`RECORDS`] of the record that a change is of.
const fn turn(number: u32) -> usize {
    number as usize % RECORDS.len()
}

/// The fields of a change, with values that no other change has.
fn fields(number: u32) -> Map<String, Value> {
    let (_, _, paths) = RECORDS[turn(number)];
    let texts = [word(number), format!("n{number}")];
    paths.into_iter().zip(texts).map(|(path, text)| (path.to_owned(), Value::String(text))).collect()
}

/// An editor with a token. The changes have numbers from 1.
pub struct Editor {
    token: String,
    /// The latest change that the host has acknowledged, or that was found after a kill.
    done: u32,
    /// The latest change that was compared with what is stored.
    compared: u32,
    /// The end of the change log at that time.
    position: i64,
}

impl Editor {
    pub async fn new(token: &str, store: &Store) -> Self {
        let position = store.latest_change().await.unwrap();
        Self { token: token.to_owned(), done: 0, compared: 0, position }
    }

    /// The number of changes.
    pub const fn done(&self) -> u32 {
        self.done
    }

    /// Makes changes as long as a host answers.
    pub fn edit(mut self, host: &str) -> Self {
        let caller = Reader { token: self.token.clone(), ..Reader::new("desk", host) };
        while self.change(&caller).is_ok() {}
        self
    }

    /// Makes the next change; fails if the host is killed before it has answered.
    fn change(&mut self, caller: &Reader) -> io::Result<()> {
        let number = self.done + 1;
        let (of, name, _) = RECORDS[turn(number)];
        let address = format!("/rc-pub/admin/record?siteId={SITE}&type={of}&name={name}");
        let answer = caller.call_with("if-match: *\r\n", "PATCH", &address, &json!({ "set": fields(number) }))?;
        assert_eq!(answer.data()["action"], "changed", "change {number}");
        self.done = number;
        Ok(())
    }

    /// Fails unless what was acknowledged is stored, and the change after it wholly or not at all.
    pub async fn assert_kept(&mut self, store: &Store, data: &Path, kill: u32) {
        let records = Records::new(store, SITE, data);
        let mut names = Vec::new();
        let changes = store.changes_after(self.position, 1_000_000).await.unwrap();
        let changes = changes.into_iter().filter(|one| matches!(one.kind, ChangeKind::Article | ChangeKind::Journal));
        let log: Vec<(ChangeKind, String)> = changes.map(|one| (one.kind, one.entity)).collect();
        let made = self.compared + u32::try_from(log.len()).unwrap();
        let done = self.done;
        assert!(made == done || made == done + 1, "kill {kill}: {made} changes are logged, {done} were acknowledged");
        // One line of the audit trail more than the new ones: one too many would be in its place.
        let limit = made - self.compared + 1;
        for (place, (of, name, _)) in RECORDS.into_iter().enumerate() {
            let record = records.show(RecordType::parse(of).unwrap(), name).await.unwrap();
            let subject = format!("{of}/{}", record.name);
            let query = AuditQuery { site: Some(SITE), subject, limit: i64::from(limit), ..AuditQuery::default() };
            let lines = store.audit(&query).await.unwrap();
            let told: Vec<Value> = lines.into_iter().map(|line| line.entry.after).collect();
            let numbers = || (1..=made).rev().filter(move |number| turn(*number) == place);
            let expected: Vec<Value> =
                numbers().take(limit as usize).map(|number| Value::Object(fields(number))).collect();
            assert_eq!(told, expected, "kill {kill}: the audit trail of {of} {name}");
            if let Some(latest) = numbers().next() {
                let edits = store.site(SITE).edits(&query.subject).await.unwrap();
                for (path, value) in fields(latest) {
                    assert_eq!(field(&record.value, &path), &value, "kill {kill}: {path} of {of} {name}");
                    assert!(edits.contains(&(path, value)), "kill {kill}: what imports keep of {of} {name}: {edits:?}");
                }
            }
            names.push(record.name);
        }
        let logged = |number: u32| match turn(number) {
            0 => (ChangeKind::Article, names[0].clone()),
            // An issue is logged as its journal.
            _ => (ChangeKind::Journal, JOURNAL.to_owned()),
        };
        let expected: Vec<_> = (self.compared + 1..=made).map(logged).collect();
        assert_eq!(log, expected, "kill {kill}: the change log");
        (self.done, self.compared, self.position) = (made, made, store.latest_change().await.unwrap());
    }
}
