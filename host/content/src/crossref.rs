//! Crossref deposits as they are asked for: of which articles, by whom, with which addresses. The command `masthead crossref` and the
//! administrators' call are this implementation; [`crate::export::crossref_deposit`] writes the file.

use masthead_domain::{ArticleId, Doi, Lang, ids::NotADoi, route::Route};
use masthead_store::{SiteStore, StoreError};

use crate::{
    export::crossref_deposit::{self, Deposited, Depositor, MAX_ARTICLES},
    records::{ListQuery, RecordError, RecordType, Records},
};

/// What is to be deposited, and by whom.
#[derive(Clone, Debug, Default)]
pub struct DepositRequest {
    /// A journal, or an issue `JOURNAL/YEAR/ISSUE`; "" for single articles, or without these for all articles of the site.
    pub within: String,
    /// Numbers or DOIs of single articles.
    pub articles: Vec<String>,
    /// Name of the depositor.
    pub depositor: String,
    /// E-mail address to which Crossref reports.
    pub email: String,
    /// Organization that owns the content; the depositor without one.
    pub registrant: Option<String>,
    /// DOI of the publisher's Crossmark policy.
    pub crossmark_policy: Option<String>,
    /// Public address of the site, in place of the configured one: scheme and host.
    pub address: Option<String>,
}

/// Why there is no deposit.
#[derive(Debug, thiserror::Error)]
pub enum DepositError {
    /// The depositor is not named.
    #[error("the depositor has no name")]
    Nameless,
    /// Crossref cannot report to this address.
    #[error("{0:?} is not an e-mail address")]
    Email(String),
    /// The Crossmark policy is no DOI.
    #[error(transparent)]
    Policy(#[from] NotADoi),
    /// The site cannot have this address.
    #[error("{0:?} is not the address of a site: give https:// and a host")]
    Address(String),
    /// Single articles and a journal or an issue are named.
    #[error("a deposit is of a journal or an issue, or of single articles, and not of both")]
    Both,
    /// Crossref takes no file of so many.
    #[error("a deposit has at most {MAX_ARTICLES} articles: name a journal or an issue")]
    TooMany,
    /// There is nothing in the place that is named.
    #[error("{0} has no articles")]
    Empty(String),
    /// Each of the articles lacks something that Crossref demands; the text is about the first one.
    #[error("no article can be registered{0}")]
    Nothing(String),
    /// The articles cannot be found.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DepositRequest {
    /// Checks what can be checked without the articles.
    ///
    /// # Errors
    /// [`DepositError`] about the depositor, the addresses and the choice of articles.
    pub fn check(&self) -> Result<(), DepositError> {
        if !self.within.is_empty() && !self.articles.is_empty() {
            return Err(DepositError::Both);
        }
        self.depositor()?;
        self.address.as_deref().map_or(Ok(()), |address| web_address(address).map(|_| ()))
    }

    /// Writes the deposit. `public` is the configured address of the site's pages in `lang`, its default language. `now` is the time in
    /// milliseconds since 1970: Crossref takes the deposit of a DOI if it is later than the one before.
    ///
    /// # Errors
    /// [`DepositError`], also if no article can be registered.
    pub async fn write(
        &self,
        store: &SiteStore,
        records: &Records,
        (public, lang): (&str, Lang),
        now: i64,
    ) -> Result<Deposited, DepositError> {
        self.check()?;
        let depositor = self.depositor()?;
        let base = match self.address.as_deref() {
            Some(address) => format!("{}/{lang}", web_address(address)?),
            None => public.to_owned(),
        };
        let ids = self.article_ids(records).await?;
        let page = |id: ArticleId| format!("{base}/{}", Route::Article(id).path());
        let made = crossref_deposit::write(store, &ids, &depositor, page, now).await?;
        if made.articles == 0 {
            let first = made.left_out.first().map(|(id, reason)| format!(": article {id}: {reason}"));
            return Err(DepositError::Nothing(first.unwrap_or_default()));
        }
        Ok(made)
    }

    fn depositor(&self) -> Result<Depositor, DepositError> {
        let (name, email) = (self.depositor.trim(), self.email.trim());
        if name.is_empty() {
            return Err(DepositError::Nameless);
        }
        let (user, host) = email.split_once('@').unwrap_or_default();
        if user.is_empty() || !host.contains('.') {
            return Err(DepositError::Email(email.to_owned()));
        }
        let policy = self.crossmark_policy.as_deref().map(Doi::parse).transpose()?;
        Ok(Depositor {
            name: name.to_owned(),
            email: email.to_owned(),
            registrant: self.registrant.as_deref().map_or(name, str::trim).to_owned(),
            crossmark_policy: policy,
        })
    }

    /// The numbers of the articles.
    async fn article_ids(&self, records: &Records) -> Result<Vec<ArticleId>, DepositError> {
        let mut names = Vec::new();
        for name in &self.articles {
            names.push(records.show(RecordType::Article, name).await?.name);
        }
        if self.articles.is_empty() {
            // One more than fits, which tells that there are too many.
            let limit = i64::try_from(MAX_ARTICLES).unwrap_or(i64::MAX).saturating_add(1);
            let query = ListQuery { within: self.within.clone(), limit, ..ListQuery::default() };
            names.extend(records.list(RecordType::Article, &query).await?.records.into_iter().map(|one| one.name));
        }
        if names.len() > MAX_ARTICLES {
            return Err(DepositError::TooMany);
        }
        if names.is_empty() {
            let place = if self.within.is_empty() { "the site" } else { self.within.as_str() };
            return Err(DepositError::Empty(place.to_owned()));
        }
        Ok(names.iter().filter_map(|name| name.parse().ok()).map(ArticleId).collect())
    }
}

/// An address of the web without a path.
fn web_address(text: &str) -> Result<&str, DepositError> {
    let text = text.trim_end_matches('/');
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    let odd = |c: char| c.is_whitespace() || "/?#@".contains(c);
    if rest.is_empty() || rest.contains(odd) {
        return Err(DepositError::Address(text.to_owned()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> DepositRequest {
        DepositRequest {
            depositor: " Small Press ".to_owned(),
            email: "doi@press.example.org".to_owned(),
            ..DepositRequest::default()
        }
    }

    #[test]
    fn the_depositor_owns_the_content_unless_another_one_is_named() {
        let registrant = |registrant: Option<&str>| {
            let request = DepositRequest { registrant: registrant.map(str::to_owned), ..request() };
            request.depositor().map(|depositor| (depositor.name, depositor.registrant)).ok()
        };
        assert_eq!(registrant(None), Some(("Small Press".to_owned(), "Small Press".to_owned())));
        assert_eq!(registrant(Some("The Society ")), Some(("Small Press".to_owned(), "The Society".to_owned())));
    }

    #[test]
    fn a_request_that_cannot_be_deposited_is_refused_before_anything_is_read() {
        let text = |text: &str| Some(text.to_owned());
        let both = DepositRequest { within: "small".to_owned(), articles: vec!["1".to_owned()], ..request() };
        for (request, why) in [
            (DepositRequest { depositor: " ".to_owned(), ..request() }, "has no name"),
            (DepositRequest { email: "nobody".to_owned(), ..request() }, "\"nobody\" is not an e-mail address"),
            (DepositRequest { email: "a@host".to_owned(), ..request() }, "is not an e-mail address"),
            (DepositRequest { crossmark_policy: text("policy"), ..request() }, "\"policy\" is not a DOI"),
            (DepositRequest { address: text("small.example.org"), ..request() }, "is not the address of a site"),
            (DepositRequest { address: text("https://a.example/b"), ..request() }, "is not the address of a site"),
            (both, "not of both"),
        ] {
            let refused = request.check().map_err(|error| error.to_string());
            assert!(refused.as_ref().is_err_and(|message| message.contains(why)), "{why}: {refused:?}");
        }
        let address = DepositRequest { address: text("https://small.example.org/"), ..request() };
        assert!(address.check().is_ok() && request().check().is_ok());
    }
}
