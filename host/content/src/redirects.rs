//! Redirects of a site, as administrators list and change them: the commands `masthead redirect` and the administrators' calls.

use std::collections::HashSet;

use masthead_domain::{ArticleId, Doi, Lang, SiteId};
use masthead_store::{AuditEntry, Redirect, RedirectTarget, Store, StoreError, subjects};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::json;

/// The query with which the page of an issue names the journal, on sites with several journals.
const OF_JOURNAL: &str = "?journal=";

/// Why redirects cannot be read or changed. Nothing is changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedirectError {
    /// The site has no redirect of this path.
    #[error("{0}")]
    Missing(String),
    /// The redirect cannot be saved: by its path, or because of its target.
    #[error("{0}")]
    Invalid(String),
    /// The database failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for RedirectError {
    fn from(error: StoreError) -> Self {
        if let StoreError::Path(_) = error { Self::Invalid(error.to_string()) } else { Self::Store(error) }
    }
}

/// Ends with the message unless the condition is true.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(RedirectError::Invalid(format!($($message)+)));
        }
    };
}

/// A redirect as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedRedirect {
    /// The earlier path.
    pub from: String,
    /// `article`, `journal`, `issue` or `path`.
    pub kind: &'static str,
    /// The number of the article, the key of the journal, `journal/year/issue`, or the path.
    pub target: String,
}

impl From<&Redirect> for ListedRedirect {
    fn from(redirect: &Redirect) -> Self {
        let (kind, target) = match &redirect.to {
            RedirectTarget::Article(id) => ("article", id.to_string()),
            RedirectTarget::Journal(key) => ("journal", key.clone()),
            RedirectTarget::Issue { journal, year, issue } => ("issue", format!("{journal}/{year}/{issue}")),
            RedirectTarget::Path(path) => ("path", path.clone()),
        };
        Self { from: redirect.from.clone(), kind, target }
    }
}

/// The result of a change, also of a dry run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// The redirect before the change.
    pub before: Option<ListedRedirect>,
    /// The redirect after it.
    pub after: Option<ListedRedirect>,
}

impl Changed {
    /// The line of the audit trail.
    fn entry(&self, action: &str, who: &str, from: &str) -> AuditEntry {
        AuditEntry {
            who: who.to_owned(),
            action: action.to_owned(),
            subject: subjects::redirect(from),
            before: json!(self.before),
            after: json!(self.after),
        }
    }
}

/// The target of a redirect, as it is given: exactly one of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenTarget {
    /// The number of an article.
    pub article: Option<i64>,
    /// The DOI of an article.
    pub doi: Option<String>,
    /// The key of a journal.
    pub journal: Option<String>,
    /// An issue, as `rivers/2026/3`.
    pub issue: Option<String>,
    /// Another path of the site.
    pub path: Option<String>,
}

impl GivenTarget {
    /// The target that is named.
    ///
    /// # Errors
    /// A message, if none or several are named, the name has not the form that it needs, or the site has no article with the DOI.
    pub async fn read(self, store: &Store, site: SiteId) -> Result<RedirectTarget, RedirectError> {
        match self {
            Self { article: Some(id), doi: None, journal: None, issue: None, path: None } => {
                Ok(RedirectTarget::Article(ArticleId(id)))
            }
            Self { article: None, doi: Some(doi), journal: None, issue: None, path: None } => {
                article_with_doi(store, site, &doi).await
            }
            Self { article: None, doi: None, journal: Some(key), issue: None, path: None } => {
                Ok(RedirectTarget::Journal(key))
            }
            Self { article: None, doi: None, journal: None, issue: Some(name), path: None } => issue(&name),
            Self { article: None, doi: None, journal: None, issue: None, path: Some(path) } => {
                Ok(RedirectTarget::Path(path))
            }
            _ => Err(RedirectError::Invalid(
                "a redirect leads to one of article, doi, journal, issue and path: name exactly one".to_owned(),
            )),
        }
    }
}

/// The redirects of a site, by path.
///
/// # Errors
/// The store's error.
pub async fn list(store: &Store, site: SiteId) -> Result<Vec<ListedRedirect>, RedirectError> {
    Ok(store.redirects(site).await?.iter().map(ListedRedirect::from).collect())
}

/// At most `limit` redirects of a site, by path, behind the path `after`.
///
/// # Errors
/// The store's error.
pub async fn list_after(
    store: &Store,
    site: SiteId,
    after: &str,
    limit: i64,
) -> Result<Vec<ListedRedirect>, RedirectError> {
    Ok(store.redirects_after(site, after, limit).await?.iter().map(ListedRedirect::from).collect())
}

/// Adds a redirect, or replaces the one of the same path. `from` may be percent-encoded; `who` is named in the audit trail.
///
/// # Errors
/// [`RedirectError::Invalid`], if the site does not have the target, or the redirect would lead back to itself.
pub async fn add(
    store: &Store,
    site: SiteId,
    from: &str,
    to: RedirectTarget,
    who: &str,
    dry_run: bool,
) -> Result<Changed, RedirectError> {
    let redirect = Redirect { from: path(from)?, to };
    check(store, site, &redirect).await?;
    let changed =
        Changed { before: known(store, site, &redirect.from).await?, after: Some(ListedRedirect::from(&redirect)) };
    if !dry_run && changed.before != changed.after {
        let action = if changed.before.is_none() { "created" } else { "changed" };
        store.add_redirect(site, &redirect, &changed.entry(action, who, &redirect.from)).await?;
    }
    Ok(changed)
}

/// Removes the redirect of a path. `who` is named in the audit trail.
///
/// # Errors
/// [`RedirectError::Missing`], if the site has none for this path.
pub async fn remove(
    store: &Store,
    site: SiteId,
    from: &str,
    who: &str,
    dry_run: bool,
) -> Result<Changed, RedirectError> {
    let from = path(from)?;
    let before = known(store, site, &from).await?;
    if before.is_none() {
        let message =
            format!("there is no redirect from {from}; the list of redirects has all (masthead redirect list)");
        return Err(RedirectError::Missing(message));
    }
    let changed = Changed { before, after: None };
    if !dry_run {
        store.remove_redirect(site, &from, &changed.entry("removed", who, &from)).await?;
    }
    Ok(changed)
}

async fn known(store: &Store, site: SiteId, from: &str) -> Result<Option<ListedRedirect>, RedirectError> {
    let to = store.redirect(site, from).await?;
    Ok(to.map(|to| ListedRedirect::from(&Redirect { from: from.to_owned(), to })))
}

/// The form in which a path is stored: below the root of the site, without percent-encoding and without a slash at its end. The path of an
/// issue may name the journal.
fn path(text: &str) -> Result<String, RedirectError> {
    if let Some((issue, key)) = text.split_once(OF_JOURNAL)
        && issue.starts_with("/issue/")
        && !key.is_empty()
        && !key.contains(['&', '?', '#'])
    {
        let key = percent_decode_str(key).decode_utf8_lossy();
        return Ok(format!("{}{OF_JOURNAL}{key}", path(issue)?));
    }
    ensure!(
        text.starts_with('/') && text.len() > 1,
        "{text:?} is no path of the site: write what follows the host name, beginning with a slash"
    );
    ensure!(
        !text.contains(['?', '#']),
        "{text:?} has a query or a fragment: redirects are found by the path alone, write it without them"
    );
    let decoded = percent_decode_str(text).decode_utf8();
    let decoded = decoded.map_err(|_| RedirectError::Invalid(format!("{text:?} is not UTF-8 when it is decoded")))?;
    Ok(format!("/{}", decoded.trim_matches('/')))
}

/// The forms of a path of the site under which a redirect may be saved, without percent-encoding; a language in the path may be missing in
/// the redirect.
#[must_use]
pub fn forms(path: &str) -> Vec<String> {
    let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let trimmed = format!("/{}", decoded.trim_matches('/'));
    let behind_language = trimmed[1..].split_once('/').filter(|(first, _)| first.parse::<Lang>().is_ok());
    let behind_language = behind_language.map(|(_, rest)| format!("/{rest}"));
    let mut forms = vec![decoded];
    for form in std::iter::once(trimmed).chain(behind_language) {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Finds the target of a redirect of a site for a path, in each of its [`forms`]. A redirect of the page of one journal comes first;
/// `query` is that of the address.
///
/// # Errors
/// The store's error.
pub async fn found(
    store: &Store,
    site: SiteId,
    path: &str,
    query: Option<&str>,
) -> Result<Option<RedirectTarget>, StoreError> {
    let parameters = query.unwrap_or_default().split('&');
    let journal = parameters.filter_map(|one| one.strip_prefix("journal=")).find(|key| !key.is_empty());
    let journal = journal.map(|key| percent_decode_str(key).decode_utf8_lossy().into_owned());
    let forms = forms(path);
    let of_journal = journal.iter().flat_map(|key| forms.iter().map(move |form| format!("{form}{OF_JOURNAL}{key}")));
    let all: Vec<String> = of_journal.chain(forms.iter().cloned()).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    store.first_redirect(site, &all).await
}

async fn check(store: &Store, site: SiteId, redirect: &Redirect) -> Result<(), RedirectError> {
    let content = store.site(site);
    match &redirect.to {
        RedirectTarget::Article(id) => {
            let known = !content.cards_by_id(&[*id]).await?.is_empty();
            ensure!(known, "the site has no article {id}");
        }
        RedirectTarget::Journal(key) => {
            let known = content.journals().await?.iter().any(|journal| journal.key == *key);
            ensure!(known, "the site has no journal {key:?}");
        }
        RedirectTarget::Issue { journal, year, issue } => {
            let issues = content.issues(journal).await?;
            let known = issues.iter().any(|one| one.year == *year && one.issue == *issue);
            ensure!(known, "the journal {journal:?} of the site has no issue {issue:?} of {year}");
        }
        RedirectTarget::Path(to) => {
            let second = to.chars().nth(1);
            ensure!(
                to.starts_with('/') && !matches!(second, Some('/' | '\\')),
                "{to:?} is no path of the site: write it with one slash at the beginning"
            );
            ends(store, site, redirect, to).await?;
        }
    }
    Ok(())
}

/// Refuses a path that leads back to the redirect itself, directly or over other redirects, in whichever language.
async fn ends(store: &Store, site: SiteId, redirect: &Redirect, to: &str) -> Result<(), RedirectError> {
    let (mut seen, mut next) = (HashSet::from([to.to_owned()]), vec![to.to_owned()]);
    while let Some(to) = next.pop() {
        let address = to.split('#').next().unwrap_or_default();
        let (path, query) = address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
        for request in requests(path) {
            let forms = forms(&request);
            ensure!(
                !forms.contains(&redirect.from),
                "the redirect from {} would lead back to itself over {to}",
                redirect.from
            );
            if let Some(RedirectTarget::Path(further)) = found(store, site, &request, query).await?
                && seen.insert(further.clone())
            {
                next.push(further);
            }
        }
    }
    Ok(())
}

/// The paths that readers who are sent to a path ask for: those of pages get the reader's language.
fn requests(path: &str) -> Vec<String> {
    let with_language = Lang::ALL.iter().map(|lang| format!("/{lang}{path}"));
    std::iter::once(path.to_owned()).chain(with_language).collect()
}

/// Parses `journal/year/issue`.
///
/// # Errors
/// A message that shows the form.
pub fn issue(text: &str) -> Result<RedirectTarget, RedirectError> {
    let target = |text: &str| {
        let (journal, rest) = text.split_once('/')?;
        let (year, issue) = rest.split_once('/')?;
        let year = year.parse().ok()?;
        (!journal.is_empty() && !issue.is_empty()).then(|| RedirectTarget::Issue {
            journal: journal.to_owned(),
            year,
            issue: issue.to_owned(),
        })
    };
    let fault = || format!("{text:?} is no issue: write JOURNAL/YEAR/ISSUE, as in rivers/2026/3");
    target(text).ok_or_else(|| RedirectError::Invalid(fault()))
}

/// The target that is an article of a site with this DOI.
///
/// # Errors
/// A message, if the text is no DOI, or the site does not have the article.
pub async fn article_with_doi(store: &Store, site: SiteId, doi: &str) -> Result<RedirectTarget, RedirectError> {
    let doi = Doi::parse(doi).map_err(|error| RedirectError::Invalid(error.to_string()))?;
    let found: Option<ArticleId> = store.site(site).article_id_by_doi(&doi).await?;
    let fault = || RedirectError::Invalid(format!("the site has no article {doi}"));
    found.map(RedirectTarget::Article).ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_store::AuditQuery;

    use super::*;

    #[tokio::test]
    async fn redirects_lead_back_to_themselves_in_no_language() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = SiteId(448);
        let add = async |from: &str, to: &str| {
            add(&store, site, from, RedirectTarget::Path(to.to_owned()), "ada", false)
                .await
                .map_err(|error| error.to_string())
        };
        for (from, to) in [("/b", "/en/a"), ("/en/d", "/c"), ("/zh/e", "/en/e")] {
            assert!(add(from, to).await.is_ok(), "{from}");
        }
        for (from, to) in [("/a", "/b"), ("/a", "/en/b"), ("/c", "/d"), ("/f", "/en/f")] {
            let refused = add(from, to).await.err().unwrap_or_default();
            assert!(refused.contains("back to itself"), "{from}: {refused}");
        }
        store.close().await;
    }

    #[test]
    fn paths_have_one_form() {
        assert_eq!(path("/index.php/a/").unwrap(), "/index.php/a");
        assert_eq!(path("/%E6%9C%9F%E5%88%8A").unwrap(), "/期刊");
        assert_eq!(path("/issue/2026/S%201/?journal=%E6%9C%9F").unwrap(), "/issue/2026/S 1?journal=期");
        for odd in [
            "a",
            "",
            "/",
            "/a?b=1",
            "/a?journal=b",
            "/issue/2026/1?journal=",
            "/issue/2026/1?journal=a&b",
            "/a#b",
            "/%ff",
            "https://a.example/b",
        ] {
            assert!(path(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_path_is_looked_up_as_it_was_published_with_and_without_language() {
        assert_eq!(forms("/index.php/rivers/article/view/12"), ["/index.php/rivers/article/view/12"]);
        assert_eq!(forms("/en/old/"), ["/en/old/", "/en/old", "/old"]);
        assert_eq!(forms("/%E6%9C%9F%E5%88%8A"), ["/期刊"]);
        assert_eq!(forms("/en"), ["/en"]);
        assert_eq!(forms("/"), ["/"]);
    }

    #[test]
    fn an_issue_is_named_by_journal_year_and_number() {
        let expected = RedirectTarget::Issue { journal: "rivers".into(), year: 2026, issue: "S 1/2".into() };
        assert_eq!(issue("rivers/2026/S 1/2").unwrap(), expected);
        for odd in ["rivers", "rivers/2026", "rivers/x/1", "/2026/1", "rivers/2026/"] {
            assert!(issue(odd).is_err(), "{odd}");
        }
    }

    #[tokio::test]
    async fn a_target_is_one_thing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let (site, journal) = (SiteId(448), Some("rivers".to_owned()));
        let one = GivenTarget { journal: journal.clone(), ..GivenTarget::default() };
        assert_eq!(one.read(&store, site).await.unwrap(), RedirectTarget::Journal("rivers".to_owned()));
        for odd in [
            GivenTarget::default(),
            GivenTarget { journal, article: Some(1), ..GivenTarget::default() },
            GivenTarget { doi: Some("10.5555/none".to_owned()), ..GivenTarget::default() },
            GivenTarget { doi: Some("none".to_owned()), ..GivenTarget::default() },
        ] {
            let refused = odd.clone().read(&store, site).await;
            assert!(matches!(refused, Err(RedirectError::Invalid(_))), "{odd:?}");
        }
        store.close().await;
    }

    #[tokio::test]
    async fn a_redirect_leads_to_what_is_there_and_never_to_itself() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = SiteId(448);
        let to = |path: &str| RedirectTarget::Path(path.to_owned());
        for missing in [
            RedirectTarget::Article(ArticleId(1)),
            RedirectTarget::Journal("rivers".to_owned()),
            issue("rivers/2026/1").unwrap(),
            to("about"),
            to("//evil.example/"),
            to("/\\evil.example/"),
            to("/old"),
        ] {
            let refused = add(&store, site, "/old", missing.clone(), "ada", false).await;
            assert!(refused.is_err(), "{missing:?}");
        }
        assert!(list(&store, site).await.unwrap().is_empty());

        assert!(add(&store, site, "/old", to("/about"), "ada", true).await.unwrap().before.is_none());
        assert!(list(&store, site).await.unwrap().is_empty(), "a dry run");
        add(&store, site, "/old/", to("/about"), "ada", false).await.unwrap();
        add(&store, site, "/older", to("/old?x=1"), "ada", false).await.unwrap();
        let error = add(&store, site, "/about", to("/older"), "ada", false).await.unwrap_err().to_string();
        assert!(error.contains("/about") && error.contains("itself"), "{error}");
        let changed = add(&store, site, "/old", to("/issues"), "ada", false).await.unwrap();
        assert_eq!(changed.before.unwrap().target, "/about");
        assert!(remove(&store, site, "/nowhere", "ada", false).await.is_err());
        assert!(remove(&store, site, "/old", "ada", false).await.unwrap().after.is_none());
        assert_eq!(list(&store, site).await.unwrap().len(), 1);

        add(&store, site, "/older", to("/old?x=1"), "grace", false).await.unwrap();
        let query = AuditQuery { site: Some(site), subject: "redirect".to_owned(), limit: 10, ..AuditQuery::default() };
        let lines = store.audit(&query).await.unwrap();
        let short: Vec<_> =
            lines.iter().map(|line| (line.entry.action.as_str(), line.entry.subject.as_str())).collect();
        let (old, older) = ("redirect/old", "redirect/older");
        let expected = [("removed", old), ("changed", old), ("created", older), ("created", old)];
        assert_eq!(short, expected, "dry runs, refusals and a redirect that was there write no line");
        assert!(lines.iter().all(|line| line.entry.who == "ada"), "{lines:?}");
        let (before, after) = (&lines[1].entry.before["target"], &lines[1].entry.after["target"]);
        assert!(before == "/about" && after == "/issues", "{lines:?}");
        assert!(lines[0].entry.after.is_null() && lines[3].entry.before.is_null(), "{lines:?}");
        store.close().await;
    }
}
