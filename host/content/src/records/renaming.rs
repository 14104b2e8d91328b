//! An issue gets another year or number, and its articles move with it.

use masthead_domain::publication::Issue;
use masthead_store::{AuditEntry, CardQuery, IssueRenaming, MovedArticle, RecordChange, subjects};
use serde_json::{Map, Value};

use super::{
    Done, RecordEdit, RecordError, RecordType, Records, fields, line,
    types::{issue_name, read},
};

/// The keys that are part of the name of an issue and can be changed.
pub(super) const NUMBER: [&str; 2] = ["year", "issue"];

/// Whether a change of an issue gives it another name.
pub(super) fn is_renamed(before: &Value, after: &Value) -> bool {
    NUMBER.iter().any(|key| before[*key] != after[*key])
}

fn name(issue: &Issue) -> String {
    format!("{}/{}/{}", issue.journal, issue.year, issue.issue)
}

/// The paths of the page of an issue as redirects are looked up: with the journal, as on sites with several journals, and without it.
fn paths(issue: &Issue) -> [String; 2] {
    let bare = format!("/issue/{}/{}", issue.year, issue.issue);
    [format!("{bare}?journal={}", issue.journal), bare]
}

impl Records {
    /// Refuses a name that no issue can have, or that another issue has.
    pub(super) async fn check_new_name(&self, after: &Value) -> Result<(), RecordError> {
        let issue: Issue = read(after)?;
        let name = name(&issue);
        issue_name(&name)?;
        if self.store().issue_record(&issue.journal, issue.year, &issue.issue).await?.is_some() {
            let message =
                format!("the site has an issue {name:?} already: move its articles, or give it another number");
            return Err(RecordError::Exists(message));
        }
        Ok(())
    }

    /// Stores an issue under its new name, with its articles.
    pub(super) async fn rename_issue(
        &self,
        before: &Value,
        after: &Value,
        done: Done,
        subject: &str,
        change: &RecordEdit,
    ) -> Result<Done, RecordError> {
        let (from, to): (Issue, Issue) = (read(before)?, read(after)?);
        let changes = fields::differences(before, after);
        let (entry, kept) = line(done.action, subject, &changes, change);
        // The number is the name of the record, by which imports name it.
        let (number, kept): (Vec<_>, Vec<_>) = kept.into_iter().partition(|(path, _)| NUMBER.contains(&path.as_str()));
        let side = |record: &Value| -> Value {
            number.iter().map(|(path, _)| (path.clone(), record[path.as_str()].clone())).collect::<Map<_, _>>().into()
        };
        let place = CardQuery::Issue { journal: from.journal.clone(), year: from.year, issue: from.issue.clone() };
        let mut articles = Vec::new();
        for card in self.store().cards(&place, None, i64::MAX).await? {
            let id = card.article_id();
            // An article that was removed in the meantime is not missed.
            let Some((version, new)) = self.in_issue(id, &to).await? else { continue };
            let entry = AuditEntry {
                who: change.who.clone(),
                action: "changed".to_owned(),
                subject: subjects::article(id),
                before: side(before),
                after: side(after),
            };
            articles.push(MovedArticle { id, version, new, entry });
        }
        let (former, present) = (paths(&from), paths(&to));
        let renaming = IssueRenaming {
            from: &from,
            to: &to,
            articles: &articles,
            fields: &number,
            former: &former,
            present: &present,
        };
        let by_hand = RecordChange { from: done.version.as_deref(), entry: &entry, fields: &kept };
        let outcome = self.store().rename_issue(renaming, by_hand).await?;
        self.made(outcome, subject, RecordType::Issue).await?;
        let name = name(&to);
        let version = self.load(RecordType::Issue, &name).await?.map(|loaded| loaded.version);
        Ok(Done { name, version, changes, ..done })
    }
}
